//! Text responses without compression.

use std::collections::{HashMap, HashSet};

use domain::score::Share;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::documents::page_load::wasted_by_visit;
use crate::common::http::compression::{
    LEAST_SAVING, is_compressible, measured_saving, usual_saving,
};
use crate::common::measures::bytes::size;
use crate::declare_check;
use crate::gather::{Headers, media_type};
use crate::site::{PageFacts, ResourceFacts, Site};

/// The bytes wasted by one visit at which the check costs its whole penalty.
const VISIT_LIMIT: u64 = 512 * 1_024;

declare_check! {
    /// ## What it checks
    /// Pages, and the site's own scripts, style sheets and other text files, are sent compressed if
    /// compression saves at least 1,400 bytes.
    ///
    /// ## Why it matters
    /// Compression reduces text to a third of its size or less. Uncompressed text takes three times
    /// as long on a slow network and uses up visitors' data volume.
    ///
    /// ## How to fix it
    /// Enable compression in the server for all text that it sends: `gzip on;` with the media types in `gzip_types`
    /// in nginx (`text/html` needs no entry), `mod_deflate` in Apache, or `encode zstd gzip` in Caddy.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    ///
    /// <!doctype html><html lang="en"><title>Tide table</title><p>The next tides:</p><ul>
    /// %repeat 100 <li>High tide at noon, low tide at six.</li>
    /// </ul></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Content-Encoding: gzip
    ///
    /// <!doctype html><html lang="en"><title>Tide table</title><p>The next tides:</p><ul>
    /// %repeat 100 <li>High tide at noon, low tide at six.</li>
    /// </ul></html>
    /// ```
    ///
    /// ## Limits
    /// The more bytes compression would save in one visit, the more points the check costs; from 512 KiB on, it costs
    /// all its points. The visit is one of the start page or of the average page, whichever wastes more.
    ///
    /// For pages the saving is estimated from the usual compression ratio of HTML. Scripts and
    /// style sheets are compressed to measure it. Files of other sites are not checked.
    ///
    /// ## Also known as
    /// - Lighthouse: `document-latency-insight`
    /// - Lighthouse: `uses-text-compression`
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 8.4 Content-Encoding
    /// - Chrome for Developers, Lighthouse: Enable text compression
    TEXT_UNCOMPRESSED {
        id: "text-uncompressed",
        title: "Text compression not enabled",
        dimension: Performance,
        scope: Resource,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let mut open_pages = HashSet::new();
    for page in &site.pages {
        let Some(headers) = &page.headers else {
            continue;
        };
        let saving = page_saving(page);
        let outcome = evaluate_compression(headers, page.bytes, || saving);
        if verdicts.record(page.url.as_str(), outcome) {
            open_pages.insert(page.id);
        }
    }
    let mut savings = HashMap::new();
    // Files that only other sites show, as link previews, slow no page down.
    for resource in site.resources.iter().filter(|r| !r.kind.is_preview()) {
        let media_type = media_type(resource.headers.get("content-type"));
        if resource.internal && resource.ok() && is_compressible(&media_type) {
            let saving = || saving(resource, &media_type);
            let outcome = evaluate_compression(&resource.headers, resource.bytes, saving);
            if verdicts.record(resource.url.as_str(), outcome) {
                savings.insert(resource.id, saving());
            }
        }
    }
    let of_page = |page: &PageFacts| match open_pages.contains(&page.id) {
        true => page_saving(page),
        false => 0,
    };
    let wasted = wasted_by_visit(site, of_page, &savings);
    verdicts.set_reach(Share::from_ratio(wasted, VISIT_LIMIT));
}

fn page_saving(page: &PageFacts) -> u64 {
    usual_saving("text/html", page.bytes)
}

/// The saving: measured if the whole body was kept, estimated otherwise.
fn saving(resource: &ResourceFacts, media_type: &str) -> u64 {
    let whole = u64::try_from(resource.body.len()) == Ok(resource.bytes);
    whole
        .then(|| measured_saving(&resource.body))
        .flatten()
        .unwrap_or_else(|| usual_saving(media_type, resource.bytes))
}

fn evaluate_compression(headers: &Headers, bytes: u64, saving: impl FnOnce() -> u64) -> Outcome {
    if bytes < LEAST_SAVING || is_compressed(headers) {
        return Outcome::Passed;
    }
    let saving = saving();
    Outcome::pass_if(saving < LEAST_SAVING, || {
        Evidence::here().message(format!(
            "The response has {} of uncompressed {}; compression would save about {}.",
            size(bytes),
            kind(headers),
            size(saving)
        ))
    })
}

/// The media type, by which the settings of servers select what to compress.
fn kind(headers: &Headers) -> String {
    let media_type = media_type(headers.get("content-type"));
    match media_type.is_empty() || media_type.len() > 60 {
        true => "text".to_owned(),
        false => format!("text ({media_type})"),
    }
}

fn is_compressed(headers: &Headers) -> bool {
    headers
        .get_all("content-encoding")
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn file(head: &str, body: &str) -> String {
        format!("=== /\n<script src=/a></script>\n=== /a\nHTTP/1.1 200 OK\n{head}\n\n{body}")
    }

    #[test]
    fn large_scripts_fail_and_small_ones_pass() {
        let head = "Content-Type: text/javascript";
        let tallied = audit(&TEXT_UNCOMPRESSED, &file(head, "%repeat 500 call(1);"));
        assert_eq!((tallied.applicable, tallied.affected), (2, 1));
        let tallied = audit(&TEXT_UNCOMPRESSED, &file(head, "%repeat 50 call(1);"));
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn any_content_coding_passes_and_identity_fails() {
        let script = "Content-Type: text/javascript\nContent-Encoding: ";
        let affected = |coding: &str| {
            let site = file(&format!("{script}{coding}"), "%repeat 500 call(1);");
            audit(&TEXT_UNCOMPRESSED, &site).affected
        };
        assert_eq!(affected("br"), 0);
        assert_eq!(affected("zstd"), 0);
        assert_eq!(affected("identity"), 1);
    }

    #[test]
    fn binary_files_are_not_checked() {
        let tallied = audit(
            &TEXT_UNCOMPRESSED,
            &file("Content-Type: image/png", "%repeat 500 aaaaaaaa"),
        );
        assert_eq!(tallied.applicable, 1);
    }
}
