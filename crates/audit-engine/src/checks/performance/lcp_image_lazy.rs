//! A likely LCP image that is lazy-loaded.

use crate::check::{Evidence, Outcome};
use crate::common::documents::lcp::candidate;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The large image at the beginning of the page does not have `loading="lazy"`, and no image
    /// has both `loading="lazy"` and `fetchpriority="high"`.
    ///
    /// ## Why it matters
    /// A browser loads a lazy image only after it knows the layout. The largest element of the
    /// first screen then appears late, which delays the Largest Contentful Paint (LCP).
    ///
    /// ## How to fix it
    /// Remove `loading="lazy"` from the first large image of the page, or use `loading="eager"`.
    /// Keep lazy loading on the images further down.
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
    /// In static mode, the check cannot measure which image is the largest on the first screen. It
    /// evaluates an image only if the markup leaves little doubt: it is the first image of the main
    /// part, little text precedes it, and its `width` and `height` declare that it is large.
    /// Background images are not seen.
    ///
    /// ## Also known as
    /// - Lighthouse: `lcp-discovery-insight`
    /// - Lighthouse: `lcp-lazy-loaded`
    ///
    /// ## References
    /// - web.dev, Optimize Largest Contentful Paint
    /// - Lighthouse, LCP request discovery
    LCP_IMAGE_LAZY {
        id: "lcp-image-lazy",
        title: "LCP or high-priority image is lazy-loaded",
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
            "The image has both fetchpriority=\"high\" and loading=\"lazy\", so the browser delays it; expected only one of them.",
        );
    }
    match candidate(page) {
        None => Outcome::NotApplicable,
        Some(image) if is_lazy(image) => failed(
            image,
            "The first large image of the page has loading=\"lazy\", so the browser delays it; expected no lazy loading.",
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
    fn a_large_first_image_that_is_lazy_fails() {
        assert_fails(
            &LCP_IMAGE_LAZY,
            "<main><img src=a width=1200 height=800 loading=LAZY>",
            1,
        );
        assert_passes(&LCP_IMAGE_LAZY, "<main><img src=a width=1200 height=800>");
    }

    #[test]
    fn lazy_images_further_down_pass() {
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
    fn a_lazy_image_with_high_priority_fails_anywhere_on_the_page() {
        let text = "word ".repeat(300);
        assert_fails(
            &LCP_IMAGE_LAZY,
            &format!("<main><p>{text}</p><img src=a loading=lazy fetchpriority=high>"),
            1,
        );
    }

    #[test]
    fn images_of_unknown_size_are_not_checked() {
        assert_not_applicable(&LCP_IMAGE_LAZY, "<main><img src=a loading=lazy>");
    }
}
