//! Images with more bytes than their pixels need.

use std::collections::HashMap;

use domain::score::Share;

use super::image_too_heavy;
use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::documents::page_load::wasted_by_visit;
use crate::common::measures::bytes::size;
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::{Pixels, ResourceFacts, Site};

declare_check! {
    /// ## What it checks
    /// An image has at most one byte for every six pixels, which is what AVIF needs in good
    /// quality, or exceeds that size by at most 4 KiB.
    ///
    /// ## Why it matters
    /// A photograph that is saved as PNG, or as JPEG of the highest quality, takes several times
    /// the bytes without looking better. Every visitor waits for these bytes.
    ///
    /// ## How to fix it
    /// Save photographs as AVIF or WebP with a quality of about 75 of 100. Most content management
    /// systems and image services have a setting for that.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><img src="/photo.jpg" alt="" width="240" height="200"><p>Open from nine to five.</p></html>
    /// === /photo.jpg
    /// HTTP/1.1 200 OK
    /// Content-Type: image/jpeg
    /// :body-hex: ffd8ffc0000b0800c800f001
    ///
    /// %repeat 2500 harbour;
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><img src="/photo.jpg" alt="" width="240" height="200"><p>Open from nine to five.</p></html>
    /// === /photo.jpg
    /// HTTP/1.1 200 OK
    /// Content-Type: image/jpeg
    /// :body-hex: ffd8ffc0000b0800c800f001
    ///
    /// %repeat 1400 harbour;
    /// ```
    ///
    /// ## Limits
    /// Files of less than 10 KiB are not checked: a small image needs more bytes for each pixel, so a
    /// saving there cannot be estimated. Images that `image-too-heavy` reports are left to it. The more bytes one visit
    /// wastes, the more points the check costs; from 1 MiB on, it costs all its points. The visit is one of the start page
    /// or of the average page, whichever wastes more.
    ///
    /// Only still PNG, JPEG and WebP images are checked. In static mode, the check does not know
    /// whether an image has more pixels than the page shows. Drawings and screenshots with few
    /// colors may be even smaller as PNG; they rarely fail. Images that style sheets and scripts
    /// load are not seen.
    ///
    /// ## Also known as
    /// - Lighthouse: `image-delivery-insight`
    /// - Lighthouse: `uses-optimized-images`
    /// - Lighthouse: `modern-image-formats`
    ///
    /// ## References
    /// - Lighthouse, Improve image delivery
    /// - web.dev, Choose the right image format
    IMAGE_BYTES_WASTED {
        id: "image-bytes-wasted",
        title: "Inefficiently encoded images",
        dimension: Performance,
        scope: Resource,
        severity: Moderate,
        confidence: Medium,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// Pixels that one byte can encode in good quality.
const PIXELS_PER_BYTE: u64 = 6;
/// The bytes that any image needs beside its pixels: the header, the color profile, and the detail of a small
/// picture, which has more of it for each pixel.
const BYTES_OF_ANY_IMAGE: u64 = 2_048;
/// A smaller file is not checked.
const LEAST_BYTES: u64 = 10 * 1_024;
/// A smaller saving in bytes is not reported.
const LEAST_SAVED: u64 = 4_096;

/// The bytes wasted by one visit at which the check costs its whole penalty.
const VISIT_LIMIT: u64 = 1_024 * 1_024;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let images = site
        .resources
        .iter()
        .filter(|resource| resource.kind == ResourceKind::Image && resource.ok());
    let mut wasted = HashMap::new();
    for resource in images {
        if let Some((bytes, outcome)) = evaluate_image(resource)
            && verdicts.record(resource.url.as_str(), outcome)
        {
            wasted.insert(resource.id, bytes);
        }
    }
    let wasted = wasted_by_visit(site, |_| 0, &wasted);
    verdicts.set_reach(Share::from_ratio(wasted, VISIT_LIMIT));
}

/// The bytes that an image of so many pixels needs in good quality.
pub(super) fn enough(pixels: Pixels) -> u64 {
    pixels.count().div_ceil(PIXELS_PER_BYTE) + BYTES_OF_ANY_IMAGE
}

/// The bytes that the image wastes, if the check reports it, and the outcome.
fn evaluate_image(resource: &ResourceFacts) -> Option<(u64, Outcome)> {
    let pixels = resource.pixels.filter(|pixels| !pixels.moves)?;
    let enough = enough(pixels);
    let bytes = resource.wire_bytes.min(resource.bytes);
    if bytes < LEAST_BYTES {
        return None;
    }
    let wasted = bytes.saturating_sub(enough);
    if resource.wire_bytes > image_too_heavy::MOST_BYTES {
        return None;
    }
    let outcome = Outcome::pass_if(wasted <= LEAST_SAVED, || {
        Evidence::here().message(format!(
            "The image has {} for {} × {} pixels; expected at most about {}, which AVIF or WebP needs in good quality.",
            size(bytes),
            grouped(pixels.width),
            grouped(pixels.height),
            size(enough)
        ))
    });
    let wasted = match outcome {
        Outcome::Failed(_) => wasted,
        _ => 0,
    };
    Some((wasted, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    /// Audits a page with one JPEG image of this size.
    fn tallied(width: u16, height: u16, bytes: usize) -> Tallied {
        let site = format!(
            "=== /\n<img src=/a alt=''>\n=== /a\nHTTP/1.1 200 OK\nContent-Type: image/jpeg\n:body-hex: ffd8ffc0000b08{height:04x}{width:04x}01\n\n%repeat {bytes} x"
        );
        audit(&IMAGE_BYTES_WASTED, &site)
    }

    fn audited(width: u16, height: u16, bytes: usize) -> (u64, u64) {
        let tallied = tallied(width, height, bytes);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn a_saving_of_up_to_four_kibibytes_passes() {
        // 240 × 200 pixels: 8,000 bytes and those of any image are enough.
        assert_eq!(audited(240, 200, 14_000), (1, 0));
        assert_eq!(audited(240, 200, 14_300), (1, 1));
    }

    #[test]
    fn files_of_less_than_ten_kibibytes_are_not_checked() {
        for (width, height) in [(16, 16), (100, 50), (240, 200)] {
            assert_eq!(audited(width, height, 10_200), (0, 0), "{width}");
        }
        assert_eq!(audited(100, 50, 10_300), (1, 1));
    }

    #[test]
    fn what_a_small_image_needs_is_not_its_pixels_alone() {
        let found = tallied(100, 50, 12_000);
        let message = &found.findings[0].occurrences[0].message;
        assert!(message.contains("about 2 KiB"), "{message}");
    }

    #[test]
    fn images_of_unknown_size_are_not_checked() {
        let site = "=== /\n<img src=/a alt=''>\n=== /a\nHTTP/1.1 200 OK\nContent-Type: image/svg+xml\n\n%repeat 9000 x";
        assert_eq!(audit(&IMAGE_BYTES_WASTED, site).applicable, 0);
    }
}
