//! Pages that load more bytes from third parties than from their own site.

use std::collections::BTreeMap;

use url::Url;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::documents::page_load::{Loads, NOT_REQUESTED};
use crate::common::measures::bytes::size;
use crate::common::measures::lab::milliseconds;
use crate::common::measures::numbers::grouped;
use crate::common::urls::entities::entity_of;
use crate::common::urls::party::same_party;
use crate::declare_check;
use crate::site::{MeasuredPage, PageFacts, ResourceFacts, Site};

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
    /// Two hosts are one party if they share their registrable domain. The finding names the third parties with the most
    /// bytes: well-known services by their names, others by their domains. The check sees files that scripts and frames
    /// load only on pages whose load a browser measured, and says of these how long the scripts of each third party ran in
    /// frames that took more than 50 ms. The limits are Assay's own. For pages
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

/// The third parties that are named: those with the most bytes.
const SHOWN: usize = 5;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let loads = Loads::new(site);
    for page in &site.pages {
        let mut measured = site.lab.iter();
        let measured = measured.find(|measured| measured.measurement.url == page.url.as_str());
        let parties = match measured {
            Some(measured) => Some(Parties::of_load(&page.url, measured)),
            None => loads
                .resources(page)
                .map(|files| Parties::of_files(page, &files)),
        };
        let outcome = parties.map_or(Outcome::CannotTell(NOT_REQUESTED), |parties| {
            parties.outcome()
        });
        verdicts.record(page.url.as_str(), outcome);
    }
}

/// What a third party costs on a page.
#[derive(Debug, Default)]
struct Cost {
    bytes: u64,
    /// How long its scripts ran in long frames; 0 if that was not measured.
    ms: u32,
}

/// The bytes of a page by who sends them.
#[derive(Debug)]
struct Parties {
    ours: u64,
    theirs: u64,
    /// Files of third parties.
    files: usize,
    costs: BTreeMap<String, Cost>,
}

impl Parties {
    const fn new(ours: u64) -> Self {
        Self {
            ours,
            theirs: 0,
            files: 0,
            costs: BTreeMap::new(),
        }
    }

    /// By the files that the markup and the style sheets of a page name.
    fn of_files(page: &PageFacts, files: &[&ResourceFacts]) -> Self {
        let mut parties = Self::new(page.wire_bytes);
        for file in files {
            parties.add(&page.url, &file.url, file.wire_bytes);
        }
        parties
    }

    /// By the requests of a page whose load was measured, which has the files of scripts and frames as well.
    fn of_load(page: &Url, measured: &MeasuredPage) -> Self {
        let mut parties = Self::new(0);
        let observed = &measured.load.observed;
        for request in &observed.requests {
            if let Ok(url) = Url::parse(&request.url) {
                parties.add(page, &url, request.wire_bytes);
            }
        }
        for script in &observed.busy_scripts {
            let Ok(url) = Url::parse(&script.url) else {
                continue;
            };
            if let Some(cost) = parties.costs.get_mut(entity_of(&url)) {
                cost.ms = cost.ms.saturating_add(script.ms);
            }
        }
        parties
    }

    fn add(&mut self, page: &Url, url: &Url, bytes: u64) {
        if same_party(url, page) {
            self.ours = self.ours.saturating_add(bytes);
            return;
        }
        self.theirs = self.theirs.saturating_add(bytes);
        self.files += 1;
        let cost = self.costs.entry(entity_of(url).to_owned()).or_default();
        cost.bytes = cost.bytes.saturating_add(bytes);
    }

    fn outcome(&self) -> Outcome {
        if self.files == 0 {
            return Outcome::NotApplicable;
        }
        let few = self.theirs <= self.ours || self.theirs < LEAST_BYTES;
        Outcome::pass_if(few, || {
            Evidence::here().message(format!(
                "{} third-party files transfer {} and the page's own files {}; expected at most half of the total from third parties. {}.",
                grouped(self.files),
                size(self.theirs),
                size(self.ours),
                self.named()
            ))
        })
    }

    /// The third parties with the most bytes: "Google Tag Manager: 120 KiB and 340 ms of the main thread; example.org: …".
    fn named(&self) -> String {
        let mut costs: Vec<(&String, &Cost)> = self.costs.iter().collect();
        costs.sort_by_key(|(_, cost)| std::cmp::Reverse(cost.bytes));
        let named = costs.iter().take(SHOWN).map(|(name, cost)| {
            let ran = match cost.ms {
                0 => String::new(),
                ms => format!(" and {} of the main thread", milliseconds(ms)),
            };
            format!("{name}: {}{ran}", size(cost.bytes))
        });
        named.collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;
    use crate::common::measures::lab::testing::{measured_page, painted, request};
    use crate::lab::{BusyScript, Observed, RequestKind, TimedRequest};

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
    fn the_heaviest_third_parties_are_named_by_their_services() {
        let names = [
            "www.googletagmanager.com",
            "e.org",
            "cdn.e.org",
            "unpkg.com",
            "a.net",
            "b.net",
            "c.net",
        ];
        let tags: String = (names.iter())
            .map(|host| format!("<script src=https://{host}/a.js></script>"))
            .collect();
        let files: String = (names.iter().enumerate())
            .map(|(at, host)| {
                let times = 20_000 - 1_000 * at;
                format!("\n=== https://{host}/a.js\nHTTP/1.1 200 OK\n\n%repeat {times} aaaa")
            })
            .collect();
        let found = audit(&THIRD_PARTY_WEIGHT, &format!("=== /\n{tags}{files}"));
        let message = &found.findings[0].occurrences[0].message;
        let (_, named) = message.split_once("third parties. ").unwrap();
        assert_eq!(
            named,
            "e.org: 144 KiB; Google Tag Manager: 78 KiB; unpkg: 66 KiB; a.net: 62 KiB; b.net: 58 KiB."
        );
    }

    #[test]
    fn a_measured_page_is_judged_by_its_requests_with_the_time_of_scripts() {
        let start = Url::parse("https://example.com/").unwrap();
        let file = |url: &str, wire_bytes| TimedRequest {
            wire_bytes,
            ..request(url, RequestKind::Script, (600, 900))
        };
        let tag = "https://www.googletagmanager.com/gtm.js";
        let observed = Observed {
            requests: vec![file(start.as_str(), 1_000), file(tag, 200_000)],
            busy_scripts: vec![BusyScript {
                url: tag.to_owned(),
                ms: 340,
            }],
            ..painted(900, 900)
        };
        let load = measured_page(&start, observed);
        let Outcome::Failed(failures) = Parties::of_load(&start, &load).outcome() else {
            panic!("it has more bytes of a third party");
        };
        let named = "Google Tag Manager: 195 KiB and 340 ms of the main thread.";
        assert!(failures[0].message.ends_with(named), "{failures:?}");
    }

    #[test]
    fn pages_without_third_parties_are_not_applicable() {
        assert_eq!(audit(&THIRD_PARTY_WEIGHT, "=== /\n<p>x").applicable, 0);
    }
}
