//! Open Graph images can be loaded, are absolute URLs and are large enough.

use std::collections::HashMap;

use crate::algorithms::pixels::Pixels;
use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::http::sniff;
use crate::declare_check;
use crate::gather::{FetchErrorKind, media_type};
use crate::page::ResourceKind;
use crate::site::{ResourceFacts, ResourceUse, Site, UrlId};

declare_check! {
    /// ## What it checks
    /// The first `og:image` of a page is an absolute URL that returns an image of at least 600 by 315 pixels.
    ///
    /// ## Why it matters
    /// Social networks and messengers show this image in the preview of a shared page. If the image is missing
    /// or too small, the preview is a line of text or a thumbnail.
    ///
    /// ## How to fix it
    /// Set `og:image` to the absolute URL, including `https:`, of an image of 1,200 by 630 pixels, and verify
    /// that the URL returns the image.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><head><title>Ferry times</title><meta property="og:title" content="Ferry times"><meta property="og:type" content="website"><meta property="og:url" content="https://example.com/"><meta property="og:image" content="https://example.com/map.png"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><head><title>Ferry times</title><meta property="og:title" content="Ferry times"><meta property="og:type" content="website"><meta property="og:url" content="https://example.com/"><meta property="og:image" content="https://example.com/map.png"></head><body><h1>Ferry times</h1></body></html>
    /// === /map.png
    /// HTTP/1.1 200 OK
    /// Content-Type: image/png
    ///
    /// (A map of 1,200 by 630 pixels.)
    /// ```
    ///
    /// ## Limits
    /// The crawler requests at most 100 preview images per site that the pages do not show. It
    /// requests images on other sites only if it checks external links. The check does not evaluate
    /// statuses that refuse visitors, such as 401, 403 and 429. It reads the dimensions of PNG,
    /// JPEG, GIF and WebP files. Smaller square images, as used for small cards, fail as well.
    /// `og-incomplete` reports a missing `og:image`.
    ///
    /// ## Also known as
    /// - Common name: Invalid og:image
    ///
    /// ## References
    /// - The Open Graph protocol, basic metadata
    /// - Meta for Developers, Images in link shares: at least 600 by 315 pixels for a large preview, 1,200 by 630 for the best
    OG_IMAGE_BAD {
        id: "og-image-bad",
        title: "Open Graph image is broken, relative or too small",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

const MIN_WIDTH: u32 = 600;
const MIN_HEIGHT: u32 = 315;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let previews: HashMap<UrlId, &ResourceFacts> = site
        .resources
        .iter()
        .map(|resource| (resource.id, resource))
        .collect();
    for page in site.pages.iter().filter(|page| page.is_indexable()) {
        let first = page.resources.iter().find(|used| used.kind.is_preview());
        if let Some(used) = first {
            let image = previews.get(&used.target).copied();
            verdicts.record(page.url.as_str(), evaluate_image(site, used, image));
        }
    }
}

fn evaluate_image(site: &Site, used: &ResourceUse, image: Option<&ResourceFacts>) -> Outcome {
    let url = site.urls.url(used.target);
    let evidence = |defect: &str| {
        Evidence {
            line: Some(used.line),
            ..Evidence::here()
        }
        .message(format!("The Open Graph image {url} {defect}."))
        .cause(url, format!("The Open Graph image {defect}: {url}"))
    };
    match image.map(image_state) {
        Some(ImageState::Defective(defect)) => Outcome::failed(vec![evidence(&defect)]),
        _ if used.kind == (ResourceKind::Preview { absolute: false }) => Outcome::failed(vec![
            Evidence {
                line: Some(used.line),
                ..Evidence::here()
            }
            .message(format!(
                "The `og:image` is a relative URL; expected the absolute URL {url}."
            ))
            .cause("relative", "Open Graph images with a relative URL"),
        ]),
        Some(ImageState::Usable) => Outcome::Passed,
        Some(ImageState::Unknown) | None => Outcome::CannotTell(
            "The Open Graph image was not requested, or its response is not conclusive.",
        ),
    }
}

enum ImageState {
    Usable,
    /// What is wrong, as the predicate of a sentence about the image.
    Defective(String),
    Unknown,
}

fn image_state(image: &ResourceFacts) -> ImageState {
    match image.status {
        Ok(200..=299) => {}
        Ok(401 | 402 | 403 | 405 | 407 | 408 | 425 | 429 | 451 | 503 | 600..) => {
            return ImageState::Unknown;
        }
        Ok(status @ 400..=599) => return ImageState::Defective(format!("returns status {status}")),
        Err(FetchErrorKind::Dns) => {
            return ImageState::Defective("has a host name that DNS does not resolve".to_owned());
        }
        Ok(_) | Err(_) => return ImageState::Unknown,
    }
    let declared = media_type(image.headers.get("content-type"));
    let is_image = declared.starts_with("image/") || sniff::image_type(&image.body).is_some();
    match image.pixels {
        Some(Pixels { width, height, .. }) if width < MIN_WIDTH || height < MIN_HEIGHT => {
            ImageState::Defective(format!(
                "has {width} by {height} pixels, less than {MIN_WIDTH} by {MIN_HEIGHT}"
            ))
        }
        _ if is_image => ImageState::Usable,
        _ if sniff::is_html(&image.body) || declared.starts_with("text/html") => {
            ImageState::Defective("is an HTML document; expected an image".to_owned())
        }
        _ => ImageState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    /// A GIF of 1,100 by 630 pixels.
    const LARGE: &str = "HTTP/1.1 200 OK\nContent-Type: image/gif\n\nGIF89aL\u{4}v\u{2}";
    /// A GIF of 100 by 100 pixels.
    const SMALL: &str = "HTTP/1.1 200 OK\nContent-Type: image/gif\n\nGIF89ad\0d\0";

    fn image(content: &str, answer: &str) -> Tallied {
        let site = format!("=== /\n<meta property=og:image content='{content}'>\n=== /i\n{answer}");
        audit(&OG_IMAGE_BAD, &site)
    }

    fn verdict(tallied: &Tallied) -> (u64, u64) {
        (tallied.applicable, tallied.affected)
    }

    const URL: &str = "https://example.com/i";

    #[test]
    fn a_large_image_passes() {
        assert_eq!(verdict(&image(URL, LARGE)), (1, 0));
        let svg = "HTTP/1.1 200 OK\nContent-Type: image/svg+xml\n\n<svg/>";
        assert_eq!(verdict(&image(URL, svg)), (1, 0));
    }

    #[test]
    fn small_images_errors_and_html_documents_fail() {
        for answer in [
            SMALL,
            "HTTP/1.1 404 X\n\n",
            "<!doctype html><title>x</title>",
        ] {
            let tallied = image(URL, answer);
            assert_eq!(verdict(&tallied), (1, 1), "{answer}");
            assert_eq!(tallied.findings[0].cause, URL);
        }
    }

    #[test]
    fn a_relative_url_fails_although_the_image_exists() {
        let tallied = image("/i", LARGE);
        assert_eq!(verdict(&tallied), (1, 1));
        assert_eq!(tallied.findings[0].cause, "relative");
    }

    #[test]
    fn refused_requests_timeouts_and_unknown_types_are_not_applicable() {
        for answer in [
            "HTTP/1.1 403 X\n\n",
            "FAILS timeout",
            "HTTP/1.1 200 OK\nContent-Type: application/octet-stream\n\nx",
        ] {
            assert_eq!(verdict(&image(URL, answer)), (0, 0), "{answer}");
        }
    }

    #[test]
    fn only_the_first_image_counts_and_pages_share_one_finding() {
        let head = "<meta property=og:image content=https://example.com/i><meta property=og:image content=https://example.com/none>";
        let site = format!("=== /\n{head}<a href=/a>a</a>\n=== /a\n{head}\n=== /i\n{SMALL}");
        let tallied = audit(&OG_IMAGE_BAD, &site);
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
    }

    #[test]
    fn an_image_that_the_page_also_loads_is_checked() {
        let site = format!(
            "=== /\n<meta property=og:image content=https://example.com/i><img src=/i>\n=== /i\n{SMALL}"
        );
        assert_eq!(audit(&OG_IMAGE_BAD, &site).affected, 1);
    }

    #[test]
    fn pages_without_an_og_image_are_not_applicable() {
        assert_eq!(
            audit(&OG_IMAGE_BAD, "=== /\n<meta property=og:image content=''>").applicable,
            0
        );
    }
}
