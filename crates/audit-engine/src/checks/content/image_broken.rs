//! Images arrive.

use std::collections::HashMap;

use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::http::sniff;
use crate::declare_check;
use crate::gather::{FetchErrorKind, media_type};
use crate::page::ResourceKind;
use crate::site::{PageFacts, ResourceFacts, ResourceUse, Site, UrlId};

declare_check! {
    /// ## What it checks
    /// Every image that the page shows answers with an image: the `src` of `img` and of image
    /// buttons, and the `poster` of videos.
    ///
    /// ## Why it matters
    /// Visitors see a broken frame or nothing. What the image said is lost, and the page looks
    /// neglected.
    ///
    /// ## How to fix it
    /// Put the file back at the address given, or correct the address in the page. Where the image
    /// is gone for good, remove the element.
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
    /// The candidates of `srcset` and images of style sheets and scripts are not requested. Answers
    /// that only turn the crawler away, such as 401, 403 and 429, are not called broken. At most
    /// 2,000 resources of a site are requested.
    ///
    /// ## References
    /// - HTML Living Standard, section 4.8.3 The img element
    /// - RFC 9110, HTTP Semantics, section 15.5
    /// - MIME Sniffing Standard, section 6.1 Matching an image type pattern
    IMAGE_BROKEN {
        id: "image-broken",
        title: "Images that do not arrive",
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
        verdicts.judge(page.url.as_str(), judge_page(page, &resources));
    }
}

fn judge_page(page: &PageFacts, resources: &HashMap<UrlId, &ResourceFacts>) -> Outcome {
    let images = page
        .resources
        .iter()
        .filter(|used| used.kind == ResourceKind::Image)
        .filter_map(|used| Some((used, *resources.get(&used.target)?)));
    Outcome::for_each(images, |(used, image)| judge(used, image))
}

fn judge(used: &ResourceUse, image: &ResourceFacts) -> Verdict {
    let fault = match image.status {
        Ok(204) => return Verdict::Pass,
        Ok(200..=299) => not_an_image(image),
        Ok(401 | 402 | 403 | 405 | 407 | 408 | 425 | 429 | 451 | 503 | 600..) => {
            return Verdict::CannotTell("The server turned the crawler away.");
        }
        Ok(status @ 400..=599) => Some(format!("answers {status}")),
        Err(FetchErrorKind::Dns) => Some("has a host name without an address".to_owned()),
        Ok(_) | Err(_) => return Verdict::CannotTell("The image's server did not answer."),
    };
    let Some(fault) = fault else {
        return Verdict::Pass;
    };
    let url = &image.url;
    Verdict::Fail(
        Evidence::line(used.line, url.as_str())
            .cause(url.as_str(), format!("Image {fault}: {url}"))
            .message(format!("The image {url} {fault}; an image is expected.")),
    )
}

/// What came instead of an image, where that is certain.
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

    fn judged(body: &str, answers: &str) -> Tallied {
        audit(&IMAGE_BROKEN, &format!("=== /\n{body}\n{answers}"))
    }

    const IMAGE: &str = "HTTP/1.1 200 OK\nContent-Type: image/svg+xml\n\n<svg/>";

    #[test]
    fn an_image_that_arrives_passes() {
        let tallied = judged("<img src=a.svg>", &format!("=== /a.svg\n{IMAGE}"));
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn an_image_that_is_missing_fails_with_its_address() {
        let tallied = judged("<p>x\n<img src=a.png><video poster=b.png></video>", "");
        assert_eq!((tallied.affected, tallied.findings.len()), (1, 2));
        assert_eq!(tallied.findings[0].cause, "https://example.com/a.png");
        assert_eq!(tallied.findings[0].occurrences[0].line, Some(2));
    }

    #[test]
    fn one_image_missing_on_two_pages_is_one_finding() {
        let tallied = judged(
            "<img src=/a.png><a href=/b>b</a>",
            "=== /b\n<img src=/a.png>",
        );
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
    }

    #[test]
    fn a_page_in_the_place_of_an_image_fails() {
        let tallied = judged("<img src=a.png>", "=== /a.png\n<!doctype html><p>Home");
        assert_eq!(tallied.affected, 1);
    }

    #[test]
    fn an_image_of_a_wrong_type_still_arrives() {
        let gif = "HTTP/1.1 200 OK\nContent-Type: text/plain\n\nGIF89a";
        let tallied = judged("<img src=a.gif>", &format!("=== /a.gif\n{gif}"));
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_refused_image_cannot_be_told() {
        let tallied = judged("<img src=a.png>", "=== /a.png\nHTTP/1.1 403 Forbidden\n\n");
        assert_eq!((tallied.applicable, tallied.affected), (0, 0));
        assert!(tallied.unjudged.is_some());
    }

    #[test]
    fn pages_without_images_and_inline_images_are_not_applicable() {
        assert_eq!(
            judged("<p>x<img src='data:image/gif;base64,R0lGODlh'>", "").applicable,
            0
        );
    }

    #[test]
    fn an_image_of_a_host_without_an_address_fails() {
        let tallied = judged("<img src=https://nowhere.invalid/a.png>", "");
        assert_eq!(tallied.affected, 1);
    }
}
