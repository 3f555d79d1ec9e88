//! Images that do not load.

use std::collections::HashMap;

use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::http::sniff;
use crate::declare_check;
use crate::gather::{FetchErrorKind, media_type};
use crate::page::ResourceKind;
use crate::site::{PageFacts, ResourceFacts, ResourceUse, Site, UrlId};

declare_check! {
    /// ## What it checks
    /// Every image of the page responds with an image: the `src` of `img` and of image buttons, and
    /// the `poster` of videos.
    ///
    /// ## Why it matters
    /// Visitors see a broken image icon or nothing. They miss the information in the image, and the
    /// page looks neglected.
    ///
    /// ## How to fix it
    /// Restore the image file at its URL, or correct the URL in every image that uses it. If the image is permanently
    /// gone, remove the elements.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><img src="/ferry.gif" alt="The ferry"></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><img src="/ferry.gif" alt="The ferry"></html>
    /// === /ferry.gif
    /// HTTP/1.1 200 OK
    /// Content-Type: image/gif
    ///
    /// GIF89a
    /// ```
    ///
    /// ## Limits
    /// The candidates of `srcset`, and images that style sheets and scripts load, are not
    /// requested. Responses that only reject the crawler, such as 401, 403 and 429, are not
    /// reported as broken. At most 2,000 resources of a site are requested.
    ///
    /// ## Also known as
    /// - Common name: Missing image file (404)
    ///
    /// ## References
    /// - HTML Living Standard, section 4.8.3 The img element
    /// - RFC 9110, HTTP Semantics, section 15.5
    /// - MIME Sniffing Standard, section 6.1 Matching an image type pattern
    IMAGE_BROKEN {
        id: "image-broken",
        title: "Broken images",
        dimension: Content,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let resources: HashMap<UrlId, &ResourceFacts> = site
        .resources
        .iter()
        .map(|resource| (resource.id, resource))
        .collect();
    for page in &site.pages {
        verdicts.record(page.url.as_str(), evaluate_page(page, &resources));
    }
}

fn evaluate_page(page: &PageFacts, resources: &HashMap<UrlId, &ResourceFacts>) -> Outcome {
    let images = page
        .resources
        .iter()
        .filter(|used| used.kind == ResourceKind::Image)
        .filter_map(|used| Some((used, *resources.get(&used.target)?)));
    Outcome::for_each(images, |(used, image)| evaluate_image(used, image))
}

fn evaluate_image(used: &ResourceUse, image: &ResourceFacts) -> Verdict {
    let defect = match image.status {
        Ok(204) => return Verdict::Pass,
        Ok(200..=299) => not_an_image(image),
        Ok(401 | 402 | 403 | 405 | 407 | 408 | 425 | 429 | 451 | 503 | 600..) => {
            return Verdict::CannotTell("The server rejected the crawler's request for an image.");
        }
        Ok(status @ 400..=599) => Some(format!("returns status {status}")),
        Err(FetchErrorKind::Dns) => Some("has a host name that does not resolve".to_owned()),
        Ok(_) | Err(_) => return Verdict::CannotTell("The server of an image did not respond."),
    };
    let Some(defect) = defect else {
        return Verdict::Pass;
    };
    let url = &image.url;
    Verdict::Fail(
        Evidence::line(used.line, url.as_str())
            .cause(url.as_str(), format!("Image {defect}: {url}"))
            .message(format!("The image {url} {defect}; expected an image.")),
    )
}

/// A description of a body that is certainly not an image.
fn not_an_image(image: &ResourceFacts) -> Option<String> {
    let declared = media_type(image.headers.get("content-type"));
    if sniff::image_type(&image.body).is_some() || declared.starts_with("image/") {
        return None;
    }
    if sniff::is_html(&image.body) {
        Some("is an HTML page".to_owned())
    } else if image.bytes == 0 && image.internal {
        Some("is empty".to_owned())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn audited(body: &str, responses: &str) -> Tallied {
        audit(&IMAGE_BROKEN, &format!("=== /\n{body}\n{responses}"))
    }

    const IMAGE: &str = "HTTP/1.1 200 OK\nContent-Type: image/svg+xml\n\n<svg/>";

    #[test]
    fn an_image_that_loads_passes() {
        let tallied = audited("<img src=a.svg>", &format!("=== /a.svg\n{IMAGE}"));
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_missing_image_fails_with_its_url() {
        let tallied = audited("<p>x\n<img src=a.png><video poster=b.png></video>", "");
        assert_eq!((tallied.affected, tallied.findings.len()), (1, 2));
        assert_eq!(tallied.findings[0].cause, "https://example.com/a.png");
        assert_eq!(tallied.findings[0].occurrences[0].line, Some(2));
    }

    #[test]
    fn one_image_missing_on_two_pages_is_one_finding() {
        let tallied = audited(
            "<img src=/a.png><a href=/b>b</a>",
            "=== /b\n<img src=/a.png>",
        );
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
    }

    #[test]
    fn an_html_page_in_place_of_an_image_fails() {
        let tallied = audited("<img src=a.png>", "=== /a.png\n<!doctype html><p>Home");
        assert_eq!(tallied.affected, 1);
    }

    #[test]
    fn an_image_with_a_wrong_content_type_passes() {
        let gif = "HTTP/1.1 200 OK\nContent-Type: text/plain\n\nGIF89a";
        let tallied = audited("<img src=a.gif>", &format!("=== /a.gif\n{gif}"));
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn an_image_that_rejects_the_crawler_gives_cannot_tell() {
        let tallied = audited("<img src=a.png>", "=== /a.png\nHTTP/1.1 403 Forbidden\n\n");
        assert_eq!((tallied.applicable, tallied.affected), (0, 0));
        assert!(tallied.unjudged.is_some());
    }

    #[test]
    fn pages_without_images_and_inline_images_are_not_applicable() {
        assert_eq!(
            audited("<p>x<img src='data:image/gif;base64,R0lGODlh'>", "").applicable,
            0
        );
    }

    #[test]
    fn an_image_on_an_unresolvable_host_fails() {
        let tallied = audited("<img src=https://nowhere.invalid/a.png>", "");
        assert_eq!(tallied.affected, 1);
    }
}
