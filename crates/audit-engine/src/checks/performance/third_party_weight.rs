//! Pages that load more bytes from third parties than from their own site.

use std::collections::BTreeMap;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::documents::page_load::{Loads, NOT_REQUESTED};
use crate::common::measures::bytes::size;
use crate::common::measures::numbers::grouped;
use crate::common::urls::party::same_party;
use crate::declare_check;
use crate::site::{PageFacts, ResourceFacts, Site};

declare_check! {
    /// ## What it checks
    /// At most half of the bytes that a page transfers come from third parties, if the third-party
    /// bytes are 100 KiB or more.
    ///
    /// ## Why it matters
    /// Third-party files need further connections, and you cannot make them faster. If a
    /// third-party server is slow, your page is slow.
    ///
    /// ## How to fix it
    /// Remove third-party services that are not needed, load the others after the page (`async`,
    /// `defer`, or on the first click), and host libraries and fonts on your own site.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="https://chat.example.net/chat.js" async></script><p>Open from nine to five.</p></html>
    /// === https://chat.example.net/chat.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// %repeat 40000 chat();
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="https://chat.example.net/chat.js" async></script><p>Open from nine to five.</p></html>
    /// === https://chat.example.net/chat.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// %repeat 400 chat();
    /// ```
    ///
    /// ## Limits
    /// Two hosts are one party if they share their registrable domain. In static mode, the check
    /// does not see files that scripts and frames load. The limits are Assay's own. For pages
    /// without third-party files, the outcome is "not applicable".
    ///
    /// ## Also known as
    /// - Lighthouse: `third-parties-insight`
    /// - Lighthouse: `third-party-summary`
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Reduce the impact of third-party code
    THIRD_PARTY_WEIGHT {
        id: "third-party-weight",
        title: "Most of the page weight is third-party",
        dimension: Performance,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// Fewer third-party bytes pass at any share.
const LEAST_BYTES: u64 = 100 * 1_024;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let loads = Loads::new(site);
    for page in &site.pages {
        let outcome = match loads.resources(page) {
            None => Outcome::CannotTell(NOT_REQUESTED),
            Some(resources) => evaluate_share(page, &resources),
        };
        verdicts.record(page.url.as_str(), outcome);
    }
}

fn evaluate_share(page: &PageFacts, resources: &[&ResourceFacts]) -> Outcome {
    let (own, third_party): (Vec<&ResourceFacts>, Vec<&ResourceFacts>) = resources
        .iter()
        .copied()
        .partition(|resource| same_party(&resource.url, &page.url));
    if third_party.is_empty() {
        return Outcome::NotApplicable;
    }
    let sum = |files: &[&ResourceFacts]| files.iter().map(|file| file.wire_bytes).sum::<u64>();
    let theirs = sum(&third_party);
    let ours = page.wire_bytes.saturating_add(sum(&own));
    Outcome::pass_if(theirs <= ours || theirs < LEAST_BYTES, || {
        let mut hosts: BTreeMap<&str, u64> = BTreeMap::new();
        for file in &third_party {
            *hosts
                .entry(file.url.host_str().unwrap_or_default())
                .or_default() += file.wire_bytes;
        }
        let heaviest = hosts.into_iter().max_by_key(|(_, bytes)| *bytes);
        let heaviest = heaviest.map_or_else(String::new, |(host, bytes)| {
            format!(" Most come from {host}: {}.", size(bytes))
        });
        Evidence::here().message(format!(
            "{} third-party files transfer {} and the page's own files {}; expected at most half of the total from third parties.{heaviest}",
            grouped(third_party.len()),
            size(theirs),
            size(ours)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn audited(own: u32, third_party: u32) -> (u64, u64) {
        let site = format!(
            "=== /\n<script src=https://static.example.com/a.js></script><script src=https://e.org/b.js></script>\n=== https://static.example.com/a.js\nHTTP/1.1 200 OK\n\n%repeat {own} aaaa\n=== https://e.org/b.js\nHTTP/1.1 200 OK\n\n%repeat {third_party} bbbb"
        );
        let tallied = audit(&THIRD_PARTY_WEIGHT, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn more_than_half_fails() {
        assert_eq!(audited(20_000, 50_000), (1, 1));
        assert_eq!(audited(60_000, 50_000), (1, 0));
    }

    #[test]
    fn few_third_party_bytes_pass() {
        assert_eq!(audited(1, 20_000), (1, 0));
    }

    #[test]
    fn pages_without_third_parties_are_not_applicable() {
        assert_eq!(audit(&THIRD_PARTY_WEIGHT, "=== /\n<p>x").applicable, 0);
    }
}
