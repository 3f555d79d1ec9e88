//! The image of the first screen is asked for early.

use crate::check::{Evidence, Outcome};
use crate::common::documents::lcp::{candidate, is_preferred, waits_for_script};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The large image at the beginning of the page has its address in the markup, and the page tells
    /// browsers to load it before others, by `fetchpriority="high"` or a preload.
    ///
    /// ## Why it matters
    /// Browsers give images a low priority until they know the layout. The largest part of the first
    /// screen then waits behind scripts and styles, or even for a script that names it. So the page
    /// looks unfinished for longer (Largest Contentful Paint).
    ///
    /// ## How to fix it
    /// Write the image as a plain `img` with `src`, and give this one image `fetchpriority="high"`.
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
    /// Which image is the largest of the first screen only a browser can measure. Without one an image
    /// is judged where the markup leaves hardly a doubt: it is the first of the main part, little text
    /// stands before it, and its `width` and `height` say that it is large. Where an image is preloaded
    /// it is taken to be this one. Lazy images are judged by lcp-image-lazy.
    ///
    /// ## References
    /// - web.dev, Optimize resource loading with the Fetch Priority API
    /// - Lighthouse, LCP request discovery
    LCP_IMAGE_LATE {
        id: "lcp-image-late",
        title: "The first large image is loaded late",
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
                .message("The first large image of the page has no address until a script has run.")
                .cause("script", "The first large image waits for a script"),
        ]);
    }
    Outcome::of(is_preferred(page, image), || {
        Evidence::node(image).message(
            "Nothing tells browsers to load the first large image of the page before others; expected is fetchpriority=\"high\" or a preload.",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, judge};

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
        assert_eq!(judge(&LCP_IMAGE_LATE, &page), Outcome::Passed);
    }

    #[test]
    fn an_image_among_others_and_one_that_waits_for_a_script_fail() {
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
    fn lazy_images_and_pages_without_a_large_one_are_not_judged() {
        assert_not_applicable(
            &LCP_IMAGE_LATE,
            "<main><img src=a width=1200 height=800 loading=lazy>",
        );
        assert_not_applicable(&LCP_IMAGE_LATE, "<main><img src=a>");
        assert_not_applicable(&LCP_IMAGE_LATE, "<p>x");
    }
}
