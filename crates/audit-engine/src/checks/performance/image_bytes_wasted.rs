//! Images that take more bytes than their pixels need.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::measures::bytes::size;
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::{ResourceFacts, Site};

declare_check! {
    /// ## What it checks
    /// An image takes no more than one byte for six of its pixels, which is what AVIF needs in good
    /// quality, or wastes less than 4 KiB.
    ///
    /// ## Why it matters
    /// A photograph that is saved as PNG, or as JPEG of the highest quality, takes several times the
    /// bytes without looking better. Visitors wait for each of them.
    ///
    /// ## How to fix it
    /// Save photographs as AVIF or WebP with a quality of about 75 in 100. Most content systems and
    /// image services do so by a setting.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><img src="/photo.jpg" alt="" width="100" height="50"><p>Open from nine to five.</p></html>
    /// === /photo.jpg
    /// HTTP/1.1 200 OK
    /// Content-Type: image/jpeg
    /// :body-hex: ffd8ffc0000b080032006401
    ///
    /// %repeat 900 harbour;
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><img src="/photo.jpg" alt="" width="100" height="50"><p>Open from nine to five.</p></html>
    /// === /photo.jpg
    /// HTTP/1.1 200 OK
    /// Content-Type: image/jpeg
    /// :body-hex: ffd8ffc0000b080032006401
    ///
    /// %repeat 90 harbour;
    /// ```
    ///
    /// ## Limits
    /// Judged are PNG, JPEG and WebP files that stand still. Whether an image has more pixels than are
    /// shown is not known without a browser. Drawings and screenshots with few colours may be smaller
    /// still as PNG; they rarely fail. Images that style sheets and scripts load are not seen.
    ///
    /// ## References
    /// - Lighthouse, Improve image delivery
    /// - web.dev, Choose the right image format
    IMAGE_BYTES_WASTED {
        id: "image-bytes-wasted",
        title: "Images that take more bytes than they need",
        dimension: Performance,
        scope: Resource,
        severity: Moderate,
        confidence: Medium,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// Pixels that a byte should be enough for.
const PIXELS_PER_BYTE: u64 = 6;
/// Bytes that may be wasted.
const LEAST_SAVED: u64 = 4_096;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let judged = site
        .resources
        .iter()
        .filter(|resource| resource.kind == ResourceKind::Image && resource.ok());
    for resource in judged {
        if let Some(outcome) = outcome(resource) {
            verdicts.judge(resource.url.as_str(), outcome);
        }
    }
}

fn outcome(resource: &ResourceFacts) -> Option<Outcome> {
    let pixels = resource.pixels.filter(|pixels| !pixels.moves)?;
    let enough = pixels.count().div_ceil(PIXELS_PER_BYTE);
    let bytes = resource.wire_bytes.min(resource.bytes);
    let wasted = bytes.saturating_sub(enough);
    Some(Outcome::of(wasted <= LEAST_SAVED, || {
        Evidence::here().message(format!(
            "The image takes {} for {} × {} pixels; about {} are enough for AVIF or WebP in good quality.",
            size(bytes),
            grouped(pixels.width),
            grouped(pixels.height),
            size(enough)
        ))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn judged(kind: &str, bytes: usize) -> (u64, u64) {
        // 100 × 50 pixels: 834 bytes are enough.
        let site = format!(
            "=== /\n<img src=/a alt=''>\n=== /a\nHTTP/1.1 200 OK\nContent-Type: {kind}\n:body-hex: ffd8ffc0000b080032006401\n\n%repeat {bytes} x"
        );
        let tallied = audit(&IMAGE_BYTES_WASTED, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn four_kibibytes_may_be_wasted() {
        assert_eq!(judged("image/jpeg", 4_000), (1, 0));
        assert_eq!(judged("image/jpeg", 6_000), (1, 1));
    }

    #[test]
    fn images_without_known_pixels_are_not_judged() {
        let site = "=== /\n<img src=/a alt=''>\n=== /a\nHTTP/1.1 200 OK\nContent-Type: image/svg+xml\n\n%repeat 9000 x";
        assert_eq!(audit(&IMAGE_BYTES_WASTED, site).applicable, 0);
    }
}
