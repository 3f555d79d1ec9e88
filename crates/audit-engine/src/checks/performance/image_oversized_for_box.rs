//! Images with more pixels than any page shows.

use std::collections::HashMap;

use domain::Severity;
use domain::score::Share;

use super::{image_bytes_wasted, image_too_heavy};
use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::documents::page_load::wasted_by_visit;
use crate::common::measures::bytes::size;
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::{Pixels, ResourceFacts, ShownSize, Site};

declare_check! {
    /// ## What it checks
    /// An image has at most twice the pixels that the pages need for the size in which they show it. What it has beyond
    /// them is at most 12 KiB of its file.
    ///
    /// ## Why it matters
    /// The browser downloads all pixels and then throws most of them away. Every visitor waits for them.
    ///
    /// ## How to fix it
    /// Scale the file down to the size in which the page shows it, or offer several sizes with `srcset` and `sizes`, so
    /// that phones load a smaller one.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><img src="/photo.webp" alt="The harbour" width="240" height="180"><p>Open from nine to five.</p></html>
    /// === /photo.webp
    /// HTTP/1.1 200 OK
    /// Content-Type: image/webp
    /// :body-hex: 52494646000002005745425056503820000001003001009d012aa00fb80b
    ///
    /// %repeat 12000 harbour;
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><img src="/photo.webp" alt="The harbour" width="240" height="180"><p>Open from nine to five.</p></html>
    /// === /photo.webp
    /// HTTP/1.1 200 OK
    /// Content-Type: image/webp
    /// :body-hex: 52494646000002005745425056503820000001003001009d012ae803ee02
    ///
    /// %repeat 1000 harbour;
    /// ```
    ///
    /// ## Limits
    /// The pages that a browser shows on a phone or a desktop computer are evaluated, and the largest size counts. The
    /// check assumes that an image takes the same part of the window on all devices, and that the widest window has 1,920
    /// device pixels. So an image in a grid that is one column on phones may have more pixels than any visitor sees
    /// without a finding. Images with `srcset` or in a `picture` are not evaluated, because the browser chooses their
    /// file by the size, nor are backgrounds and images that are hidden on a page. An image that `image-too-heavy`
    /// reports costs points only there.
    /// The more bytes one visit wastes, the more points the check costs; from 1 MiB on, it costs all its points. The
    /// visit is one of the start page or of the average page, whichever wastes more.
    ///
    /// ## Also known as
    /// - Lighthouse: `image-delivery-insight`
    /// - Lighthouse: `uses-responsive-images`
    /// - Common name: Properly size images
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Properly size images
    /// - HTML Standard, section 4.8.3: The img element
    IMAGE_OVERSIZED_FOR_BOX {
        id: "image-oversized-for-box",
        title: "Images larger than their displayed size",
        dimension: Performance,
        scope: Resource,
        severity: Moderate,
        confidence: Medium,
        effort: Medium,
        needs: [Browser],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// The widest window, in device pixels.
const WINDOW: u64 = 1_920;

/// An image may have so many times the pixels that are needed.
const SPARE: u64 = 2;

/// The bytes that may be wasted: the limit of Lighthouse for images of which a site has several sizes.
const LEAST_WASTED: u64 = 12 * 1_024;

/// The bytes wasted by one visit at which the check costs its whole penalty.
const VISIT_LIMIT: u64 = 1_024 * 1_024;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let files = site.resources.iter();
    let images = files.filter(|file| file.kind == ResourceKind::Image && file.ok());
    let mut wasted = HashMap::new();
    for file in images {
        let Some(shown) = site.shown_images.size(file.url.as_str()) else {
            continue;
        };
        let Some(pixels) = file.pixels else {
            continue;
        };
        let bytes = wasted_bytes(file, pixels, shown);
        let outcome = Outcome::pass_if(bytes <= LEAST_WASTED, || {
            evidence(file, pixels, shown, bytes)
        });
        let is_priced = file.wire_bytes > image_too_heavy::MOST_BYTES;
        let outcome = match is_priced {
            true => outcome.with_severity(Severity::Info),
            false => outcome,
        };
        if verdicts.record(file.url.as_str(), outcome) && !is_priced {
            wasted.insert(file.id, bytes);
        }
    }
    let wasted = wasted_by_visit(site, |_| 0, &wasted);
    verdicts.set_reach(Share::from_ratio(wasted, VISIT_LIMIT));
}

/// The pixels that are needed to show the image in this size: all of it, scaled so that it fills the box.
fn needed(pixels: Pixels, shown: ShownSize) -> (u64, u64) {
    let (width, height) = (u64::from(pixels.width), u64::from(pixels.height));
    let of_window = |part: u32| (u64::from(part) * WINDOW).div_ceil(1_000);
    let (box_width, box_height) = (of_window(shown.width), of_window(shown.height));
    // The side of the box that needs the larger part of its side.
    let (part, whole) = match box_width * height >= box_height * width {
        true => (box_width, width),
        false => (box_height, height),
    };
    let scaled = |side: u64| (side * part).div_ceil(whole.max(1)).min(side);
    (scaled(width), scaled(height))
}

/// The bytes of pixels that are not needed. What a better format would save anyway is not counted.
fn wasted_bytes(file: &ResourceFacts, pixels: Pixels, shown: ShownSize) -> u64 {
    let (width, height) = needed(pixels, shown);
    let (all, needed) = (pixels.count(), width * height);
    if all <= needed.saturating_mul(SPARE) {
        return 0;
    }
    let bytes = file.wire_bytes.min(image_bytes_wasted::enough(pixels));
    let share = u128::from(bytes) * u128::from(all - needed) / u128::from(all.max(1));
    u64::try_from(share).unwrap_or(u64::MAX)
}

fn evidence(file: &ResourceFacts, pixels: Pixels, shown: ShownSize, bytes: u64) -> Evidence {
    let (width, height) = needed(pixels, shown);
    Evidence::here().message(format!(
        "The image has {} × {} pixels, and no page shows it wider than {} percent of the window, for which {} × {} pixels are enough; about {} of its {} are wasted.",
        grouped(pixels.width),
        grouped(pixels.height),
        grouped(shown.width.div_ceil(10)),
        grouped(width),
        grouped(height),
        size(bytes),
        size(file.wire_bytes)
    ))
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::site::ShownImages;

    const fn pixels(width: u32, height: u32) -> Pixels {
        Pixels {
            width,
            height,
            moves: false,
        }
    }

    const fn shown(width: u32, height: u32) -> ShownSize {
        ShownSize { width, height }
    }

    #[test]
    fn the_box_needs_its_part_of_the_widest_window() {
        for (image, size, expected) in [
            (pixels(4_000, 3_000), shown(1_000, 750), (1_920, 1_440)),
            (pixels(4_000, 3_000), shown(250, 188), (482, 361)),
            // A square part of it.
            (pixels(4_000, 2_000), shown(500, 500), (1_920, 960)),
            // Never more than it has.
            (pixels(400, 300), shown(1_000, 750), (400, 300)),
        ] {
            assert_eq!(needed(image, size), expected, "{image:?} {size:?}");
        }
    }

    fn outcomes(image: Pixels, bytes: u64, size: ShownSize) -> Vec<Outcome> {
        let url = Url::parse("https://example.com/a.jpg").unwrap();
        let mut shown_images = ShownImages::default();
        shown_images.add(url.to_string(), size);
        let file = ResourceFacts {
            kind: ResourceKind::Image,
            wire_bytes: bytes,
            pixels: Some(image),
            ..ResourceFacts::of_body(&url, "")
        };
        let site = Site {
            resources: vec![file],
            shown_images,
            ..Site::empty(url)
        };
        let mut outcomes = Vec::new();
        let mut record = |_: &str, outcome| {
            outcomes.push(outcome);
            true
        };
        evaluate(&site, &mut Verdicts::new(&mut record));
        outcomes
    }

    #[test]
    fn pixels_that_no_page_shows_are_wasted_bytes() {
        let outcomes = outcomes(pixels(4_000, 3_000), 160_000, shown(250, 188));
        let [Outcome::Failed(failures)] = &outcomes[..] else {
            panic!("{outcomes:?}");
        };
        let expected = "The image has 4,000 × 3,000 pixels, and no page shows it wider than 25 percent of the window, for \
                        which 482 × 361 pixels are enough; about 153 KiB of its 156 KiB are wasted.";
        assert_eq!(failures[0].message, expected);
    }

    #[test]
    fn twice_the_pixels_and_small_files_pass() {
        for (image, bytes, size) in [
            // 1.4 times as wide: for a window of 1,920 device pixels.
            (pixels(2_700, 1_800), 160_000, shown(1_000, 667)),
            (pixels(4_000, 3_000), 12_000, shown(250, 188)),
            (pixels(400, 300), 160_000, shown(1_000, 750)),
        ] {
            assert_eq!(outcomes(image, bytes, size), [Outcome::Passed], "{image:?}");
        }
    }

    #[test]
    fn what_a_better_format_would_save_is_not_counted() {
        let file = |bytes| ResourceFacts {
            wire_bytes: bytes,
            ..ResourceFacts::of_body(&Url::parse("https://example.com/a").unwrap(), "")
        };
        let image = pixels(600, 400);
        let saved = |bytes| wasted_bytes(&file(bytes), image, shown(100, 67));
        assert_eq!(saved(900_000), saved(42_048));
        assert!(saved(900_000) < 42_048);
    }

    #[test]
    fn an_image_that_is_too_heavy_costs_nothing_here() {
        let outcomes = outcomes(pixels(4_000, 3_000), 900_000, shown(250, 188));
        let [Outcome::Failed(failures)] = &outcomes[..] else {
            panic!("{outcomes:?}");
        };
        assert_eq!(failures.severity(Severity::Moderate), Severity::Info);
    }

    #[test]
    fn images_that_no_browser_showed_are_not_judged() {
        assert!(outcomes(pixels(4_000, 3_000), 160_000, ShownSize::UNKNOWN).is_empty());
    }
}
