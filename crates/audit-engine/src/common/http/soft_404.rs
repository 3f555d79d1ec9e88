//! Soft 404 detection: pages with a success status whose content is an error page.

use std::collections::HashSet;

use url::Url;

use super::probe_page::probe_page;
use crate::site::{PageFacts, Probe, Site};
use crate::view::Page;

/// The maximum number of words of an error page.
const MOST_WORDS: u32 = 150;

/// Phrases in titles and headings of error pages, in lower case.
const PHRASES: [&str; 34] = [
    "404",
    "410 gone",
    "not found",
    "not be found",
    "doesn't exist",
    "doesn’t exist",
    "does not exist",
    "no longer available",
    "no longer exists",
    "page missing",
    "page unavailable",
    "nicht gefunden",
    "existiert nicht",
    "nicht vorhanden",
    "introuvable",
    "non trouvé",
    "n'existe pas",
    "n’existe pas",
    "no encontrad",
    "no existe",
    "não encontrad",
    "não existe",
    "non trovat",
    "non esiste",
    "niet gevonden",
    "hittades inte",
    "ikke fundet",
    "ikke funnet",
    "nie znaleziono",
    "не найден",
    "bulunamadı",
    "見つかりません",
    "找不到",
    "찾을 수 없",
];

/// Whether a title or heading contains a phrase of an error page.
pub(crate) fn says_missing(text: &str) -> bool {
    let text = text.to_lowercase();
    PHRASES.iter().any(|phrase| text.contains(phrase))
}

/// The title and the first heading, which identify error pages.
pub(crate) fn head(page: &PageFacts) -> (&str, &str) {
    let title = page.title.as_deref().unwrap_or_default();
    (title, page.h1.as_ref().map_or("", |h1| &*h1.text))
}

/// Whether the title or the first heading contains a phrase of an error page.
pub(crate) fn says_so(page: &PageFacts) -> bool {
    let (title, h1) = head(page);
    says_missing(title) || says_missing(h1)
}

/// As [`says_so`], for a page whose facts are not yet collected.
pub(crate) fn is_suspect(page: &Page) -> bool {
    page.title().is_some_and(says_missing) || says_missing(&heading(page))
}

/// Whether the URL itself is that of an error page, such as `/404.html`.
pub(crate) fn names_an_error(url: &Url) -> bool {
    let last = url
        .path_segments()
        .and_then(|mut segments| segments.rfind(|segment| !segment.is_empty()));
    let name = last.unwrap_or_default().to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    ["404", "410", "error", "notfound", "not-found", "not_found"]
        .iter()
        .any(|word| stem.contains(word))
}

/// Decides which pages are probably error pages.
pub(crate) struct Suspicion {
    /// The title and first heading of the response for a URL that does not exist, unless they are
    /// those of the start page.
    error: Option<(String, String)>,
}

impl Suspicion {
    /// Reads the site's response for a URL that cannot exist.
    pub(crate) fn new(site: &Site) -> Self {
        let page = site.probes.missing_page.as_ref().and_then(answered_page);
        let error = page.and_then(|page| {
            let title = page.title()?;
            let shared = |facts: &PageFacts| facts.title.as_deref() == Some(title);
            (!site.home().is_some_and(shared)).then(|| (title.to_owned(), heading(&page)))
        });
        Self { error }
    }

    /// Whether the page is short and has the title or heading of an error page, or both the title and
    /// the heading of the site's own error page.
    pub(crate) fn is_on(&self, page: &PageFacts) -> bool {
        if page.number == 0 || page.words > MOST_WORDS || names_an_error(&page.url) {
            return false;
        }
        let (title, h1) = head(page);
        says_so(page)
            || self
                .error
                .as_ref()
                .is_some_and(|(t, h)| t == title && h == h1)
    }
}

/// The text of the first `h1` that has one.
pub(crate) fn heading(page: &Page) -> String {
    let mut texts = page.html("h1").map(|h1| h1.text());
    texts.find(|text| !text.is_empty()).unwrap_or_default()
}

/// The page in the response to a probe, with any status.
pub(crate) fn answered_page(probe: &Probe) -> Option<Page> {
    probe_page(probe.answer()?)
}

/// Whether at least four fifths of the words that occur in either main text occur in both. Words of
/// the two URLs are ignored, because error pages repeat the URL.
pub(crate) fn say_the_same(a: &Page, b: &Page) -> bool {
    let own = |page: &Page| words(page.url().as_str());
    let (of_urls, of_other) = (own(a), own(b));
    let counted = |page: &Page| -> HashSet<String> {
        let text = if page.main_words() > 0 {
            page.main_text()
        } else {
            page.text()
        };
        let mut found = words(text);
        found.retain(|word| !of_urls.contains(word) && !of_other.contains(word));
        found
    };
    let (a, b) = (counted(a), counted(b));
    let shared = a.intersection(&b).count();
    shared > 0 && shared * 5 >= a.union(&b).count() * 4
}

fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_page_phrases_of_many_languages_are_found() {
        for title in [
            "404",
            "Page Not Found – Shop",
            "Seite nicht gefunden",
            "Ошибка: страница не найдена",
        ] {
            assert!(says_missing(title), "{title}");
        }
        for title in ["Home", "Found objects", "Lost and found"] {
            assert!(!says_missing(title), "{title}");
        }
    }

    #[test]
    fn urls_of_error_pages_are_recognized() {
        let names = |url: &str| names_an_error(&Url::parse(url).unwrap());
        assert!(
            names("https://example.com/404.html") && names("https://example.com/de/not-found/")
        );
        assert!(!names("https://example.com/") && !names("https://example.com/times"));
    }

    #[test]
    fn the_url_that_an_error_page_repeats_is_ignored() {
        let page = |path: &str, rest: &str| {
            Page::builder().url(path).html(&format!(
                "<nav>Home Times Fares</nav><main><p>Sorry, there is nothing at {path}. {rest}</main>"
            ))
        };
        let error = page("/a/b/c/d/e", "");
        assert!(say_the_same(&error, &page("/f", "")));
        assert!(!say_the_same(
            &error,
            &page("/f", "But here are our ferries and their times.")
        ));
        assert!(!say_the_same(
            &Page::builder().html(""),
            &Page::builder().html("")
        ));
    }
}
