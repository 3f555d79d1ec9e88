//! Very large image files.

use std::collections::HashMap;

use domain::Severity;
use domain::score::Share;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::documents::page_load::wasted_by_visit;
use crate::common::measures::bytes::size;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No image transfers more than 200 KiB.
    ///
    /// ## Why it matters
    /// Large images are the most common reason for slow pages, and they use up visitors' data
    /// volume.
    ///
    /// ## How to fix it
    /// Scale the image to the size at which the page shows it, save it as AVIF or WebP, and offer
    /// several sizes with `srcset`.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><img src="/large.jpg" alt="" width="640" height="480"><p>Open from nine to five.</p></html>
    /// === /large.jpg
    /// HTTP/1.1 200 OK
    /// Content-Type: image/jpeg
    ///
    /// %repeat 40000 harbour;
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><img src="/small.jpg" alt="" width="640" height="480"><p>Open from nine to five.</p></html>
    /// === /small.jpg
    /// HTTP/1.1 200 OK
    /// Content-Type: image/jpeg
    ///
    /// %repeat 400 harbour;
    /// ```
    ///
    /// ## Limits
    /// The bytes beyond 200 KiB of each image count. The more of them one visit transfers, the more points the check
    /// costs; from 2 MiB on, it costs all its points. The visit is one of the start page or of the average page,
    /// whichever wastes more.
    ///
    /// In static mode, the check does not know the displayed size of the image; a large photograph
    /// that fills the screen may need more bytes. Images that scripts load are not seen.
    /// Of the images in style sheets and `style` attributes, those count that are certainly the
    /// background of an element.
    ///
    /// ## Also known as
    /// - Common name: Large image file size
    /// - Common name: Oversized images
    ///
    /// ## References
    /// - web.dev, Image performance
    IMAGE_TOO_HEAVY {
        id: "image-too-heavy",
        title: "Image file larger than 200 KiB",
        dimension: Performance,
        scope: Resource,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// The most bytes that an image may transfer.
pub(crate) const MOST_BYTES: u64 = 200 * 1_024;

/// From this size an image is a serious problem, and below it a moderate one.
const SERIOUS_BYTES: u64 = 1_024 * 1_024;

/// The bytes wasted by one visit at which the check costs its whole penalty.
const VISIT_LIMIT: u64 = 2 * 1_024 * 1_024;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let images = site
        .resources
        .iter()
        .filter(|resource| resource.kind.is_shown_image() && resource.ok());
    let mut wasted = HashMap::new();
    for resource in images {
        let bytes = resource.wire_bytes;
        let outcome = Outcome::pass_if(bytes <= MOST_BYTES, || {
            Evidence::here().message(format!(
                "The image transfers {}; expected at most {}.",
                size(bytes),
                size(MOST_BYTES)
            ))
        });
        let outcome = match bytes < SERIOUS_BYTES {
            true => outcome.with_severity(Severity::Moderate),
            false => outcome,
        };
        if verdicts.record(resource.url.as_str(), outcome) {
            wasted.insert(resource.id, bytes.saturating_sub(MOST_BYTES));
        }
    }
    let wasted = wasted_by_visit(site, |_| 0, &wasted);
    verdicts.set_reach(Share::from_ratio(wasted, VISIT_LIMIT));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn audited(bytes: u64) -> (u64, u64) {
        let site = format!(
            "=== /\n<img src=/a alt=x width=640 height=480>\n=== /a\nHTTP/1.1 200 OK\n\n%repeat {bytes} x"
        );
        let tallied = audit(&IMAGE_TOO_HEAVY, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn the_limit_passes_and_one_byte_more_fails() {
        assert_eq!(audited(MOST_BYTES), (1, 0));
        assert_eq!(audited(MOST_BYTES + 1), (1, 1));
    }

    #[test]
    fn error_responses_are_not_checked() {
        let site = "=== /\n<img src=/gone alt=x width=640 height=480>";
        assert_eq!(audit(&IMAGE_TOO_HEAVY, site).applicable, 0);
    }
}
