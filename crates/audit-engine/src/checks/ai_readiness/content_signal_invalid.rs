//! `Content-Signal` lines with invalid syntax.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::robots::bot_access::robots_url;
use crate::common::robots::content_signal::{Entry, entries};
use crate::declare_check;
use crate::gather::robots::{ContentSignal, Robots};
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Each `Content-Signal` line in robots.txt is a comma-separated list of `search`, `ai-input`
    /// or `ai-train`, each with `=yes` or `=no`.
    ///
    /// ## Why it matters
    /// A crawler ignores an entry that it does not recognize. The site then allows or disallows
    /// nothing, although its owner believes that it does.
    ///
    /// ## How to fix it
    /// Write for example `Content-Signal: search=yes, ai-input=yes, ai-train=no` below the
    /// `User-agent` line to which it applies. Omit a signal to declare nothing about that use.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1></html>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: *
    /// Content-Signal: ai-training=no
    /// Allow: /
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1></html>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: *
    /// Content-Signal: search=yes, ai-train=no
    /// Allow: /
    /// ```
    ///
    /// ## Limits
    /// Sites without such lines are not checked; the lines are optional. The entry `use`, which
    /// some networks add, is accepted. Signals in response headers are not evaluated.
    ///
    /// ## Also known as
    /// - None: content signals are new and no common tool validates them
    ///
    /// ## References
    /// - Content Signals, https://contentsignals.org/
    /// - Cloudflare, Giving users choice with Cloudflare's new Content Signals Policy, https://blog.cloudflare.com/content-signals-policy/
    CONTENT_SIGNAL_INVALID {
        id: "content-signal-invalid",
        title: "Invalid Content-Signal in robots.txt",
        dimension: AiReadiness,
        scope: Origin,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let signals = site
        .robots
        .robots()
        .into_iter()
        .flat_map(Robots::content_signals);
    Outcome::for_each(signals, |signal| evaluate_signal(site, signal))
}

fn evaluate_signal(site: &Site, signal: ContentSignal<'_>) -> Verdict {
    let unknown = entries(signal.value).find_map(|entry| match entry {
        Entry::Unknown(text) => Some(text),
        Entry::Signal { .. } | Entry::Neutral => None,
    });
    let Some(unknown) = unknown else {
        return Verdict::Pass;
    };
    let line = u32::try_from(signal.line).unwrap_or(u32::MAX);
    let evidence = Evidence::line(line, &format!("Content-Signal: {}", signal.value));
    Verdict::Fail(evidence.at(robots_url(site)).message(format!(
        "The entry \"{unknown}\" is not a valid signal; expected search, ai-input or ai-train with =yes or =no."
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn audited(robots: &str) -> Tallied {
        audit(
            &CONTENT_SIGNAL_INVALID,
            &format!(
                "=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\n{robots}\nAllow: /"
            ),
        )
    }

    #[test]
    fn defined_signals_pass() {
        let tallied = audited("Content-Signal: search=yes,ai-train=no,use=reference");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn undefined_signals_fail() {
        for value in ["ai-training=no", "search=true", "noai", ""] {
            let tallied = audited(&format!("Content-Signal: {value}"));
            assert_eq!(tallied.affected, 1, "{value}");
        }
    }

    #[test]
    fn a_site_without_signals_is_not_applicable() {
        assert_eq!(audited("Crawl-delay: 1").applicable, 0);
        assert_eq!(audit(&CONTENT_SIGNAL_INVALID, "=== /\n<p>x").applicable, 0);
    }
}
