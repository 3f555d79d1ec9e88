//! Scripts show no error page under a success status.

use crate::check::{Evidence, Outcome};
use crate::common::http::soft_404::{heading, is_suspect, names_an_error, says_missing};
use crate::common::rendering::forms::{Forms, compare};
use crate::common::rendering::wording::quoted;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// A page that the server answers with a success status is not an error page after its scripts: a short page whose
    /// title or heading says that nothing was found, while the response does not say so.
    ///
    /// ## Why it matters
    /// Google sees the error only after it has rendered the page, and reports a soft 404. Crawlers that run no scripts
    /// take the response for a page and list it. Visitors find nothing.
    ///
    /// ## How to fix it
    /// Let the server answer such URLs with status 404. If it cannot know them, redirect the error by script to a URL
    /// that the server answers with 404, or add `<meta name="robots" content="noindex">` to the error page.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1><script>document.title = "Page not found"; document.querySelector("h1").textContent = "Page not found"</script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1><script>document.title = "Ferry times"; document.querySelector("h1").textContent = "Ferry times"</script></html>
    /// ```
    ///
    /// ## Limits
    /// The check looks for phrases in several languages, and does not evaluate pages of more than 80 words, pages with
    /// `noindex` and pages whose URL names an error. A number 404 alone counts only if it is the whole heading or title.
    /// `soft-404` compares responses with the error page of the site; if it fails as well, one of them costs.
    ///
    /// ## Also known as
    /// - Search Console: Soft 404
    /// - Common name: Client-side error page
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    /// - Google Search Central, Soft 404 errors
    RENDER_SOFT_404 {
        id: "render-soft-404",
        title: "Scripts show an error page with a success status",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: Medium,
        effort: Medium,
        needs: [Dom, Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// An error page has at most so many words in its main part.
const MOST_WORDS: usize = 80;

fn evaluate(page: &Page) -> Outcome {
    if page.robots().noindex().is_some() || names_an_error(page.url()) {
        return Outcome::NotApplicable;
    }
    compare(page, is_page)
}

fn is_page(forms: Forms<'_>) -> Outcome {
    let page = forms.shown;
    if page.title().is_none() && page.html("h1").next().is_none() {
        return Outcome::NotApplicable;
    }
    if page.main_words() > MOST_WORDS || is_suspect(forms.served) {
        return Outcome::Passed;
    }
    let title = page.title().map(str::to_owned);
    let texts = [("title", title), ("heading", Some(heading(page)))];
    let found = texts
        .into_iter()
        .find_map(|(name, text)| Some((name, text.filter(|text| announces_error(text))?)));
    let Some((name, text)) = found else {
        return Outcome::Passed;
    };
    let before = match forms.served.title() {
        Some(title) => format!("the title {}", quoted(title)),
        None => "no title".to_owned(),
    };
    let status = page.document().status;
    let evidence = match page.html("h1").next() {
        Some(h1) => Evidence::node(h1),
        None => Evidence::here(),
    };
    Outcome::failed([evidence.message(format!(
        "The response has status {status} and {before}; after scripts the {name} is {}. Expected status 404.",
        quoted(&text)
    ))])
}

/// Whether the text says that nothing was found. The number of the status may also be that of a product.
fn announces_error(text: &str) -> bool {
    let is_number = |word: &str| word == "404";
    let mut words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let rest: Vec<&str> = words.by_ref().filter(|word| !is_number(word)).collect();
    let only_number = rest.is_empty() || rest.iter().all(|word| word.eq_ignore_ascii_case("error"));
    says_missing(text)
        && (only_number || says_missing(&rest.join(" ")) || says_missing(&text.replace("404", "")))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome_of, outcome_shown, shown};

    fn page(title: &str, h1: &str) -> String {
        format!("<title>{title}</title><script>x()</script><h1>{h1}</h1><p>Text")
    }

    fn outcome(title: &str, h1: &str) -> Outcome {
        outcome_shown(&RENDER_SOFT_404, &page("Shop", "Shop"), &page(title, h1))
    }

    #[rstest]
    #[case("Page not found – Shop", "Shop")]
    #[case("Shop", "404")]
    #[case("Error 404", "Shop")]
    #[case("Shop", "Seite nicht gefunden")]
    #[case("Shop", "404 – Not Found")]
    fn an_error_page_of_scripts_fails(#[case] title: &str, #[case] h1: &str) {
        assert!(
            matches!(outcome(title, h1), Outcome::Failed(_)),
            "{title} {h1}"
        );
    }

    #[test]
    fn the_message_has_both_values() {
        let (served, after) = (page("Shop", "Shop"), page("Oh no", "Page not found"));
        assert_eq!(
            message_shown(&RENDER_SOFT_404, &served, &after),
            "The response has status 200 and the title \"Shop\"; after scripts the heading is \"Page not found\". Expected status 404."
        );
    }

    #[rstest]
    #[case("Shop", "Shop")]
    #[case("Peugeot 404", "Peugeot 404 Coupé")]
    #[case("Lost and found", "Found objects")]
    #[case("Room 404", "Rooms")]
    #[case("Shop", "Nothing in your basket")]
    fn other_pages_pass(#[case] title: &str, #[case] h1: &str) {
        assert_eq!(outcome(title, h1), Outcome::Passed);
    }

    #[test]
    fn what_the_response_says_and_long_pages_pass() {
        let error = page("Page not found", "Page not found");
        assert_eq!(
            outcome_shown(&RENDER_SOFT_404, &error, &error),
            Outcome::Passed
        );
        let article = format!("{}{}", error, "word ".repeat(MOST_WORDS));
        assert_eq!(
            outcome_shown(&RENDER_SOFT_404, &page("Shop", "Shop"), &article),
            Outcome::Passed
        );
    }

    #[test]
    fn pages_with_noindex_and_those_called_errors_are_not_applicable() {
        let error = format!(
            "{}<meta name=robots content=noindex>",
            page("Not found", "Not found")
        );
        let outcome = outcome_shown(&RENDER_SOFT_404, &page("Shop", "Shop"), &error);
        assert_eq!(outcome, Outcome::NotApplicable);
        let builder = Page::builder().url("/404.html");
        let page = shown(
            builder,
            &page("Shop", "Shop"),
            &page("Not found", "Not found"),
        );
        assert_eq!(outcome_of(&RENDER_SOFT_404, &page), Outcome::NotApplicable);
    }
}
