//! A page that scripts fill is not blank after they ran.

use crate::check::{Evidence, Outcome};
use crate::common::rendering::forms::{Forms, compare};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;
use crate::view::script_shell::mount_point;

declare_check! {
    /// ## What it checks
    /// A page whose response is an empty application shell has content after its scripts: the element that the
    /// application fills is no longer empty, or the page has at least 20 words, a picture, a form or another medium.
    ///
    /// ## Why it matters
    /// Visitors and Google, which renders the page, see an empty screen. Google may index the page as one without
    /// content, or not at all. Crawlers that run no scripts see the same from the response alone.
    ///
    /// ## How to fix it
    /// Read the errors that the console of a browser with an empty profile shows for the page: usually a script fails, is
    /// blocked, or waits for a response that never comes. Render the first view on the server, so that it does not
    /// depend on scripts.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><div id="root"></div><script src="/app.js"></script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><div id="root"></div><script src="/app.js"></script><script>document.getElementById("root").innerHTML = "<h1>Ferries</h1><p>Our two ferries cross the bay every day.</p>"</script></html>
    /// ```
    ///
    /// ## Limits
    /// The check recognizes applications by common names of the element that they fill, such as `<div id="root">`. It
    /// sees the page as it is once the page no longer changes, at most half a minute after the request.
    ///
    /// ## Also known as
    /// - Common name: White screen of death
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    RENDER_BLANK {
        id: "render-blank",
        title: "Page stays blank after scripts",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: Medium,
        effort: Medium,
        needs: [Dom, Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// A page with fewer words has no text.
const FEWEST_WORDS: usize = 20;

/// Elements that are content without words.
const MEDIA: [&str; 14] = [
    "img", "picture", "svg", "canvas", "video", "audio", "iframe", "object", "embed", "input",
    "select", "textarea", "button", "math",
];

fn evaluate(page: &Page) -> Outcome {
    compare(page, has_content)
}

fn has_content(forms: Forms<'_>) -> Outcome {
    let Some(mount) = mount_point(forms.served) else {
        return Outcome::NotApplicable;
    };
    let page = forms.shown;
    let words = page.words();
    // Content may replace the element, or stand beside it.
    let adds_nothing = || words <= forms.served.words();
    let is_blank = words < FEWEST_WORDS
        && twin(page, mount).map_or_else(adds_nothing, is_empty)
        && !shows_media(page);
    Outcome::pass_if(!is_blank, || {
        Evidence::node(mount).message(format!(
            "The element that a script fills is empty in the response, and after scripts the page is still without content. Words in the response: {}; after scripts: {words}; expected at least {FEWEST_WORDS}.",
            forms.served.words()
        ))
    })
}

/// Whether the page shows a medium or a control that is larger than a counting pixel.
fn shows_media(page: &Page) -> bool {
    let tree = page.access_tree();
    let is_large = |element: ElementRef<'_>| {
        let found = page.layout().and_then(|layout| layout.box_of(element.id()));
        found.is_none_or(|found| !found.rect.is_empty())
    };
    let mut media = MEDIA.iter().flat_map(|name| page.all(name));
    media.any(|element| !tree.exposure(element).hidden && is_large(element))
}

/// The element of the rendered page that is the application's.
fn twin<'a>(page: &'a Page, mount: ElementRef<'_>) -> Option<ElementRef<'a>> {
    match mount.attr("id") {
        Some(id) => page.by_id(id),
        None => page.elements().find(|element| element.is(mount.name())),
    }
}

fn is_empty(element: ElementRef<'_>) -> bool {
    element.children().next().is_none() && element.text().is_empty()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome_shown};

    const SHELL: &str = "<title>x</title><div id=root></div><script src=a.js></script>";

    #[test]
    fn a_shell_that_stays_empty_fails() {
        assert_eq!(
            message_shown(&RENDER_BLANK, SHELL, &format!("{SHELL}<p>Loading")),
            "The element that a script fills is empty in the response, and after scripts the page is still without content. Words in the response: 0; after scripts: 1; expected at least 20."
        );
        let removed = "<title>x</title><script src=a.js></script>";
        assert!(matches!(
            outcome_shown(&RENDER_BLANK, SHELL, removed),
            Outcome::Failed(_)
        ));
    }

    #[rstest]
    #[case::short_text("<div id=root><p>Closed today.</div>")]
    #[case::sign_in("<div id=root><form><input><button>x</button></form></div>")]
    #[case::replaced("<main>a b c d e f g h i j k l m n o p q r s t u v</main>")]
    #[case::replaced_by_few_words("<main>Closed today.</main>")]
    #[case::canvas("<div id=root></div><canvas></canvas>")]
    #[case::picture("<div id=root></div><img src=a alt=''>")]
    #[case::video("<div id=root></div><video src=a></video>")]
    #[case::frame("<div id=root></div><iframe src=a></iframe>")]
    fn pages_with_content_pass(#[case] after: &str) {
        let after = format!("<script src=a.js></script>{after}");
        assert_eq!(outcome_shown(&RENDER_BLANK, SHELL, &after), Outcome::Passed);
    }

    #[test]
    fn pages_that_are_no_shell_are_not_applicable() {
        let html = "<script src=a.js></script><p>Hello";
        assert_eq!(
            outcome_shown(&RENDER_BLANK, html, html),
            Outcome::NotApplicable
        );
    }
}
