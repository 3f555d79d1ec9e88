//! The image of the first screen is not loaded lazily.

use crate::check::{Evidence, Outcome};
use crate::common::documents::lcp::candidate;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The large image at the beginning of the page has no `loading="lazy"`, and no image has both
    /// `loading="lazy"` and `fetchpriority="high"`.
    ///
    /// ## Why it matters
    /// A browser loads a lazy image only when it knows the layout. The largest part of the first screen
    /// then comes late, and with it the moment from which on the page looks finished (Largest
    /// Contentful Paint).
    ///
    /// ## How to fix it
    /// Remove `loading="lazy"` from the first large image of the page, or write `loading="eager"`, and
    /// keep it on the images further down.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title><main><h1>Harbour office</h1><img src="/pier.jpg" alt="" width="1200" height="630" loading="lazy"><p>Open from nine to five.</p></main></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title><main><h1>Harbour office</h1><img src="/pier.jpg" alt="" width="1200" height="630" fetchpriority="high"><p>Open from nine to five.</p></main></html>
    /// ```
    ///
    /// ## Limits
    /// Which image is the largest of the first screen only a browser can measure. Without one an image
    /// is judged where the markup leaves hardly a doubt: it is the first of the main part, little text
    /// stands before it, and its `width` and `height` say that it is large. Background images are not
    /// seen.
    ///
    /// ## References
    /// - web.dev, Optimize Largest Contentful Paint
    /// - Lighthouse, LCP request discovery
    LCP_IMAGE_LAZY {
        id: "lcp-image-lazy",
        title: "The first large image loads lazily",
        dimension: Performance,
        scope: Page,
        severity: Serious,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let contradictory = page
        .html("img")
        .find(|image| is_lazy(*image) && image.attr_is("fetchpriority", "high"));
    if let Some(image) = contradictory {
        return failed(
            image,
            "The image has fetchpriority=\"high\" and loading=\"lazy\", which contradict each other; the browser waits with it.",
        );
    }
    match candidate(page) {
        None => Outcome::NotApplicable,
        Some(image) if is_lazy(image) => failed(
            image,
            "The first large image of the page has loading=\"lazy\", so that the browser waits with it.",
        ),
        Some(_) => Outcome::Passed,
    }
}

fn is_lazy(image: ElementRef<'_>) -> bool {
    image.attr_is("loading", "lazy")
}

fn failed(image: ElementRef<'_>, message: &str) -> Outcome {
    Outcome::failed(vec![Evidence::node(image).message(message)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_large_first_image_may_not_be_lazy() {
        assert_fails(
            &LCP_IMAGE_LAZY,
            "<main><img src=a width=1200 height=800 loading=LAZY>",
            1,
        );
        assert_passes(&LCP_IMAGE_LAZY, "<main><img src=a width=1200 height=800>");
    }

    #[test]
    fn images_further_down_may_be_lazy() {
        assert_passes(
            &LCP_IMAGE_LAZY,
            "<main><img src=a width=1200 height=800><img src=b width=1200 height=800 loading=lazy>",
        );
        let text = "word ".repeat(300);
        assert_not_applicable(
            &LCP_IMAGE_LAZY,
            &format!("<main><p>{text}</p><img src=a width=1200 height=800 loading=lazy>"),
        );
    }

    #[test]
    fn what_is_wanted_first_and_last_contradicts_itself_wherever_it_stands() {
        let text = "word ".repeat(300);
        assert_fails(
            &LCP_IMAGE_LAZY,
            &format!("<main><p>{text}</p><img src=a loading=lazy fetchpriority=high>"),
            1,
        );
    }

    #[test]
    fn images_of_unknown_size_are_not_judged() {
        assert_not_applicable(&LCP_IMAGE_LAZY, "<main><img src=a loading=lazy>");
    }
}
