//! A likely LCP image that the browser discovers late or loads with low priority.

use crate::check::{Evidence, Outcome};
use crate::common::documents::lcp::{candidate, is_preferred, waits_for_script};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The large image at the beginning of the page has its URL in the markup, and the page raises
    /// its priority with `fetchpriority="high"` or a preload.
    ///
    /// ## Why it matters
    /// Browsers load images with low priority until they know the layout. The largest element of
    /// the first screen then waits for scripts and styles, or even for a script that sets its URL.
    /// This delays the Largest Contentful Paint (LCP).
    ///
    /// ## How to fix it
    /// Write the first large image as a plain `img` with `src`, and give this one image `fetchpriority="high"`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title><main><h1>Harbour office</h1><img src="/pier.jpg" alt="" width="1200" height="630"><p>Open from nine to five.</p></main></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title><main><h1>Harbour office</h1><img src="/pier.jpg" alt="" width="1200" height="630" fetchpriority="high"><p>Open from nine to five.</p></main></html>
    /// ```
    ///
    /// ## Limits
    /// In static mode, the check cannot measure which image is the largest on the first screen. It
    /// evaluates an image only if the markup leaves little doubt: it is the first image of the main
    /// part, little text precedes it, and its `width` and `height` declare that it is large. If the
    /// page preloads an image, the check takes that image for the large one. Lazy-loaded images are
    /// evaluated by `lcp-image-lazy`.
    ///
    /// ## Also known as
    /// - Lighthouse: `lcp-discovery-insight`
    /// - Lighthouse: `prioritize-lcp-image`
    /// - Common name: LCP request discovery
    ///
    /// ## References
    /// - web.dev, Optimize resource loading with the Fetch Priority API
    /// - Lighthouse, LCP request discovery
    LCP_IMAGE_LATE {
        id: "lcp-image-late",
        title: "LCP image discovered late or not prioritized",
        dimension: Performance,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let Some(image) = candidate(page).filter(|image| !image.attr_is("loading", "lazy")) else {
        return Outcome::NotApplicable;
    };
    if waits_for_script(image) {
        return Outcome::failed(vec![
            Evidence::node(image)
                .message("The first large image of the page has no URL until a script has run; expected the URL in the src attribute.")
                .cause("script", "The first large image waits for a script"),
        ]);
    }
    Outcome::pass_if(is_preferred(page, image), || {
        Evidence::node(image).message(
            "The first large image of the page has no raised priority; expected fetchpriority=\"high\" or a preload.",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome_of};

    #[test]
    fn a_priority_or_a_preload_passes() {
        assert_passes(
            &LCP_IMAGE_LATE,
            "<main><img src=a width=1200 height=800 fetchpriority=high>",
        );
        assert_passes(
            &LCP_IMAGE_LATE,
            "<link rel=preload as=image href=/a><main><img src=/a width=1200 height=800>",
        );
        let page = Page::builder()
            .header("Link", "</a>; rel=preload; as=image")
            .html("<main><img src=/a width=1200 height=800>");
        assert_eq!(outcome_of(&LCP_IMAGE_LATE, &page), Outcome::Passed);
    }

    #[test]
    fn an_image_without_priority_and_one_that_waits_for_a_script_fail() {
        assert_fails(
            &LCP_IMAGE_LATE,
            "<main><img src=a width=1200 height=800>",
            1,
        );
        assert_fails(
            &LCP_IMAGE_LATE,
            "<main><img data-src=a src='data:image/gif;base64,x' width=1200 height=800 fetchpriority=high>",
            1,
        );
    }

    #[test]
    fn lazy_images_and_pages_without_a_large_image_are_not_checked() {
        assert_not_applicable(
            &LCP_IMAGE_LATE,
            "<main><img src=a width=1200 height=800 loading=lazy>",
        );
        assert_not_applicable(&LCP_IMAGE_LATE, "<main><img src=a>");
        assert_not_applicable(&LCP_IMAGE_LATE, "<p>x");
    }
}
