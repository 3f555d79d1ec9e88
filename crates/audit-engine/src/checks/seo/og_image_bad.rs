//! Preview images can be shown.

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
    /// The first `og:image` of a page is an absolute URL that answers with an image of at least 600 by 315
    /// pixels.
    ///
    /// ## Why it matters
    /// Social networks and messengers show a shared page with this image. Without it, or with one that is too
    /// small, the preview is a line of text or a thumbnail.
    ///
    /// ## How to fix it
    /// Name an image of 1,200 by 630 pixels with its whole address, `https:` included, and look whether it
    /// answers.
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
    /// Of the images that no page loads, 100 of a site are asked for, and those on other sites only where
    /// external links are. Statuses that turn visitors away are not judged. The size is read of PNG, JPEG, GIF
    /// and WebP; square images of a smaller size, as for small cards, fail as well. That there is no `og:image`
    /// is told by og-incomplete.
    ///
    /// ## References
    /// - The Open Graph protocol, basic metadata
    /// - Meta for Developers, Images in link shares: at least 600 by 315 pixels for a large preview, 1,200 by 630 for the best
    OG_IMAGE_BAD {
        id: "og-image-bad",
        title: "Preview images that cannot be shown well",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

const LEAST_WIDTH: u32 = 600;
const LEAST_HEIGHT: u32 = 315;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let previews: HashMap<UrlId, &ResourceFacts> = site
        .resources
        .iter()
        .map(|resource| (resource.id, resource))
        .collect();
    for page in site.pages.iter().filter(|page| page.indexable) {
        let first = page.resources.iter().find(|used| used.kind.is_preview());
        if let Some(used) = first {
            let image = previews.get(&used.target).copied();
            verdicts.judge(page.url.as_str(), judge(site, used, image));
        }
    }
}

fn judge(site: &Site, used: &ResourceUse, image: Option<&ResourceFacts>) -> Outcome {
    let url = site.urls.url(used.target);
    let evidence = |fault: &str| {
        Evidence {
            line: Some(used.line),
            ..Evidence::here()
        }
        .message(format!("The preview image {url} {fault}."))
        .cause(url, format!("Preview image {fault}: {url}"))
    };
    match image.map(fault) {
        Some(Fault::Certain(fault)) => Outcome::failed(vec![evidence(&fault)]),
        _ if used.kind == (ResourceKind::Preview { absolute: false }) => Outcome::failed(vec![
            Evidence {
                line: Some(used.line),
                ..Evidence::here()
            }
            .message(format!(
                "The `og:image` is relative; its whole address, {url}, is expected."
            ))
            .cause("relative", "Preview images with a relative address"),
        ]),
        Some(Fault::None) => Outcome::Passed,
        Some(Fault::Unknown) | None => {
            Outcome::CannotTell("The preview images were not requested or did not answer.")
        }
    }
}

enum Fault {
    None,
    Certain(String),
    Unknown,
}

fn fault(image: &ResourceFacts) -> Fault {
    match image.status {
        Ok(200..=299) => {}
        Ok(401 | 402 | 403 | 405 | 407 | 408 | 425 | 429 | 451 | 503 | 600..) => {
            return Fault::Unknown;
        }
        Ok(status @ 400..=599) => return Fault::Certain(format!("answers {status}")),
        Err(FetchErrorKind::Dns) => {
            return Fault::Certain("has a host name without an address".to_owned());
        }
        Ok(_) | Err(_) => return Fault::Unknown,
    }
    let declared = media_type(image.headers.get("content-type"));
    let is_image = declared.starts_with("image/") || sniff::image_type(&image.body).is_some();
    match image.pixels {
        Some(Pixels { width, height, .. }) if width < LEAST_WIDTH || height < LEAST_HEIGHT => {
            Fault::Certain(format!(
                "has {width} by {height} pixels, less than {LEAST_WIDTH} by {LEAST_HEIGHT}"
            ))
        }
        _ if is_image => Fault::None,
        _ if sniff::is_html(&image.body) || declared.starts_with("text/html") => {
            Fault::Certain("is an HTML document and no image".to_owned())
        }
        _ => Fault::Unknown,
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
    fn small_missing_and_other_files_fail() {
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
    fn a_relative_address_fails_though_the_image_is_there() {
        let tallied = image("/i", LARGE);
        assert_eq!(verdict(&tallied), (1, 1));
        assert_eq!(tallied.findings[0].cause, "relative");
    }

    #[test]
    fn refusals_and_what_is_unclear_are_not_judged() {
        for answer in [
            "HTTP/1.1 403 X\n\n",
            "FAILS timeout",
            "HTTP/1.1 200 OK\nContent-Type: application/octet-stream\n\nx",
        ] {
            assert_eq!(verdict(&image(URL, answer)), (0, 0), "{answer}");
        }
    }

    #[test]
    fn only_the_first_image_counts_and_pages_share_one() {
        let head = "<meta property=og:image content=https://example.com/i><meta property=og:image content=https://example.com/none>";
        let site = format!("=== /\n{head}<a href=/a>a</a>\n=== /a\n{head}\n=== /i\n{SMALL}");
        let tallied = audit(&OG_IMAGE_BAD, &site);
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
    }

    #[test]
    fn an_image_that_the_page_shows_as_well_is_judged() {
        let site = format!(
            "=== /\n<meta property=og:image content=https://example.com/i><img src=/i>\n=== /i\n{SMALL}"
        );
        assert_eq!(audit(&OG_IMAGE_BAD, &site).affected, 1);
    }

    #[test]
    fn pages_without_one_are_not_judged() {
        assert_eq!(
            audit(&OG_IMAGE_BAD, "=== /\n<meta property=og:image content=''>").applicable,
            0
        );
    }
}
