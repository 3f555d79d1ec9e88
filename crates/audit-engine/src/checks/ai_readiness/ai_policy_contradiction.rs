//! Content signals in robots.txt that contradict each other or the rules.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::robots::bot_access::robots_url;
use crate::common::robots::content_signal::{Entry, entries};
use crate::declare_check;
use crate::gather::robots::{ContentSignal, Robots, RobotsPath, RuleKind};
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// `Content-Signal` lines in robots.txt agree with each other and with the rules in the same
    /// group: no use is both allowed and disallowed for the same agents, and no use is allowed for
    /// agents that may not fetch anything.
    ///
    /// ## Why it matters
    /// If two signals contradict each other, each crawler follows one of them. The owner's intent
    /// is unclear, and a later dispute has no clear basis.
    ///
    /// ## How to fix it
    /// Decide on each use and declare it once. If agents may use the content, let them fetch it:
    /// replace `Disallow: /` with `Allow: /`. If they may not fetch it, remove the `=yes` signals.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1></html>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: GPTBot
    /// Content-Signal: ai-train=yes
    /// Disallow: /
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1></html>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: GPTBot
    /// Content-Signal: ai-train=no
    /// Disallow: /
    /// ```
    ///
    /// ## Limits
    /// Only signals and rules for the same agents are compared: a signal for all agents does not
    /// contradict a rule for one agent. Sites without content signals are not checked. Signals for
    /// single pages are not compared.
    ///
    /// ## Also known as
    /// - None: content signals are new and no common tool compares them
    ///
    /// ## References
    /// - Content Signals, https://contentsignals.org/
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2.1
    AI_POLICY_CONTRADICTION {
        id: "ai-policy-contradiction",
        title: "Conflicting Content-Signal rules in robots.txt",
        dimension: AiReadiness,
        scope: Origin,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let Some(robots) = site.robots.robots() else {
        return Outcome::NotApplicable;
    };
    let signals: Vec<ContentSignal<'_>> = robots.content_signals().take(MAX_SIGNALS).collect();
    Outcome::for_each(signals.iter().enumerate(), |(index, signal)| {
        let earlier = signals.get(..index).unwrap_or_default();
        match contradiction(robots, signal, earlier) {
            Some(message) => Verdict::Fail(evidence(site, signal).message(message)),
            None => Verdict::Pass,
        }
    })
}

/// The most signals that are compared. Each is compared with all earlier ones; no real site has this many.
const MAX_SIGNALS: usize = 100;

fn evidence(site: &Site, signal: &ContentSignal<'_>) -> Evidence {
    let line = u32::try_from(signal.line).unwrap_or(u32::MAX);
    Evidence::line(line, &format!("Content-Signal: {}", signal.value)).at(robots_url(site))
}

fn contradiction(
    robots: &Robots,
    signal: &ContentSignal<'_>,
    earlier: &[ContentSignal<'_>],
) -> Option<String> {
    let stated: Vec<(String, bool)> = stated(signal).collect();
    let same_agents = earlier
        .iter()
        .filter(|before| before.agents == signal.agents && !before.value.trim().starts_with('/'))
        .flat_map(stated_of);
    let all: Vec<(String, bool)> = same_agents.chain(stated.iter().cloned()).collect();
    let twice = stated.iter().find(|(name, allowed)| {
        all.iter()
            .any(|(other, otherwise)| other == name && otherwise != allowed)
    });
    if let Some((name, _)) = twice {
        return Some(format!(
            "The signal {name} is both allowed and disallowed for the same agents; expected one value."
        ));
    }
    let (name, _) = stated.iter().find(|(_, allowed)| *allowed)?;
    let agent = signal
        .agents
        .iter()
        .find(|agent| is_fully_blocked(robots, agent))?;
    Some(format!(
        "The signal {name} allows a use for {}, but robots.txt blocks all fetching; expected consistent rules.",
        if agent == "*" { "all agents" } else { agent }
    ))
}

fn stated(signal: &ContentSignal<'_>) -> impl Iterator<Item = (String, bool)> {
    let of_whole_site = Some(signal.value).filter(|value| !value.trim().starts_with('/'));
    of_whole_site
        .into_iter()
        .flat_map(entries)
        .filter_map(|entry| match entry {
            Entry::Signal { name, allowed } => Some((name, allowed)),
            Entry::Neutral | Entry::Unknown(_) => None,
        })
}

fn stated_of(signal: &ContentSignal<'_>) -> Vec<(String, bool)> {
    stated(signal).collect()
}

/// Whether the agent may not fetch anything: the root is disallowed and there is no allow rule.
fn is_fully_blocked(robots: &Robots, agent: &str) -> bool {
    let group = robots.group_for(agent);
    let root = group.deciding_rule(&RobotsPath::new("/"));
    root.is_some_and(|rule| rule.kind == RuleKind::Disallow)
        && group
            .rules()
            .iter()
            .all(|rule| rule.kind == RuleKind::Disallow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn audited(robots: &str) -> Tallied {
        audit(
            &AI_POLICY_CONTRADICTION,
            &format!("=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 200 OK\n\n{robots}"),
        )
    }

    #[test]
    fn a_use_allowed_for_a_blocked_agent_fails() {
        let tallied = audited("User-agent: GPTBot\nContent-Signal: ai-train=yes\nDisallow: /");
        assert_eq!(tallied.affected, 1);
    }

    #[test]
    fn a_signal_for_all_does_not_contradict_a_rule_for_one() {
        let tallied = audited(
            "User-agent: *\nContent-Signal: search=yes, ai-train=yes\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_use_that_is_allowed_and_disallowed_fails() {
        assert_eq!(
            audited("User-agent: *\nContent-Signal: search=yes, search=no").affected,
            1
        );
        let twice = "User-agent: *\nContent-Signal: search=yes\nContent-Signal: search=no";
        assert_eq!(audited(twice).affected, 1);
    }

    #[test]
    fn signals_for_different_agents_may_differ() {
        let tallied = audited(
            "User-agent: *\nContent-Signal: search=yes\nAllow: /\n\nUser-agent: a\nContent-Signal: search=no\nAllow: /",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn an_agent_that_may_fetch_a_part_passes() {
        let tallied =
            audited("User-agent: a\nContent-Signal: ai-input=yes\nDisallow: /\nAllow: /docs/");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_site_without_signals_is_not_applicable() {
        assert_eq!(audited("User-agent: *\nDisallow: /x").applicable, 0);
    }
}
