//! Error and maintenance pages that a server answers with the status 200, by their words.

use crate::dom::ElementRef;
use crate::page::text::word_count;
use crate::view::Page;

/// Words of titles and headings of error and maintenance pages, in lower case.
const ERROR_WORDS: [&str; 20] = [
    "error",
    "oops",
    "forbidden",
    "access denied",
    "unauthorized",
    "not authorized",
    "bad gateway",
    "unavailable",
    "maintenance",
    "something went wrong",
    "under construction",
    "offline",
    "fehler",
    "zugriff verweigert",
    "wartung",
    "erreur",
    "accès refusé",
    "acceso denegado",
    "errore",
    "erro ",
];

/// Titles and headings of error pages have at most this many words; longer ones are about errors.
const MOST_WORDS_OF_AN_ERROR: usize = 6;

/// A page with at least this many words of main text is about errors, such as a guide to error handling.
const FEWEST_WORDS_OF_AN_ARTICLE: usize = 200;

/// Whether the page has little text, and its title or first heading is that of an error or maintenance page.
pub(crate) fn is_error_page(page: &Page) -> bool {
    if page.main_words() >= FEWEST_WORDS_OF_AN_ARTICLE {
        return false;
    }
    let heading = page.html("h1").next().map(ElementRef::text);
    let title = page.title().unwrap_or_default();
    [title, heading.as_deref().unwrap_or_default()]
        .into_iter()
        .any(|text| {
            let text = format!("{} ", text.to_lowercase());
            let mut numbers = text.split(|c: char| !c.is_alphanumeric());
            let has_status = numbers
                .any(|number| matches!(number, "400" | "401" | "403" | "500" | "502" | "503"));
            let is_short = word_count(&text) <= MOST_WORDS_OF_AN_ERROR;
            is_short && (has_status || ERROR_WORDS.iter().any(|word| text.contains(word)))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::numbered_words;

    #[test]
    fn a_page_with_much_text_is_about_errors() {
        let is_error = |words| {
            let html = format!("<h1>Error handling</h1><main>{}", numbered_words(0, words));
            is_error_page(&Page::builder().html(&html))
        };
        assert!(is_error(FEWEST_WORDS_OF_AN_ARTICLE - 1));
        assert!(!is_error(FEWEST_WORDS_OF_AN_ARTICLE));
    }

    #[test]
    fn short_titles_and_headings_with_a_status_or_such_a_word_are_those_of_error_pages() {
        for (html, expected) in [
            ("<title>500 – Island Line</title>", true),
            (
                "<title>Island Line</title><h1>Something went wrong</h1>",
                true,
            ),
            ("<title>Ferry times</title><h1>Ferry times</h1>", false),
            (
                "<title>How to find the error in your timetable</title>",
                false,
            ),
            ("<title>Room 5000</title>", false),
        ] {
            let page = Page::builder().html(html);
            assert_eq!(is_error_page(&page), expected, "{html}");
        }
    }
}
