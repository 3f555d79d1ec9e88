//! The site's statements about AI agree with each other.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::robots::bot_access::robots_url;
use crate::common::robots::content_signal::{Entry, entries};
use crate::declare_check;
use crate::gather::robots::{ContentSignal, Robots, RobotsPath, RuleKind};
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// `Content-Signal` lines in robots.txt agree with each other and with the rules beside them: a
    /// use is not both allowed and forbidden for the same agents, and no use is allowed to agents
    /// that may not fetch anything.
    ///
    /// ## Why it matters
    /// Of two statements that contradict each other, each crawler picks one. Nobody can say what the
    /// owner allowed, and a later dispute has no clear ground.
    ///
    /// ## How to fix it
    /// Decide for each use and write it once. Where agents may use the content, let them fetch it:
    /// replace `Disallow: /` by `Allow: /`. Where they may not fetch it, remove the `=yes` signals.
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
    /// Only statements for the same agents are compared: a signal for all agents does not contradict
    /// a rule for one. Sites without content signals are not judged. Statements on single pages are
    /// not compared.
    ///
    /// ## References
    /// - Content Signals, https://contentsignals.org/
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2.1
    AI_POLICY_CONTRADICTION {
        id: "ai-policy-contradiction",
        title: "Statements about AI that contradict each other",
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

/// More signals than any site has; each is compared with those before it.
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
            "The signal {name} is both allowed and forbidden for the same agents."
        ));
    }
    let (name, _) = stated.iter().find(|(_, allowed)| *allowed)?;
    let agent = signal
        .agents
        .iter()
        .find(|agent| keeps_out(robots, agent))?;
    Some(format!(
        "The signal {name} allows a use to {}, which may not fetch anything.",
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

/// Whether the agent may fetch nothing at all: the root is disallowed and no rule allows anything.
fn keeps_out(robots: &Robots, agent: &str) -> bool {
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

    fn judged(robots: &str) -> Tallied {
        audit(
            &AI_POLICY_CONTRADICTION,
            &format!("=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 200 OK\n\n{robots}"),
        )
    }

    #[test]
    fn a_use_allowed_to_an_agent_that_is_kept_out_fails() {
        let tallied = judged("User-agent: GPTBot\nContent-Signal: ai-train=yes\nDisallow: /");
        assert_eq!(tallied.affected, 1);
    }

    #[test]
    fn a_signal_for_all_does_not_contradict_a_rule_for_one() {
        let tallied = judged(
            "User-agent: *\nContent-Signal: search=yes, ai-train=yes\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_use_that_is_allowed_and_forbidden_fails() {
        assert_eq!(
            judged("User-agent: *\nContent-Signal: search=yes, search=no").affected,
            1
        );
        let twice = "User-agent: *\nContent-Signal: search=yes\nContent-Signal: search=no";
        assert_eq!(judged(twice).affected, 1);
    }

    #[test]
    fn signals_for_different_agents_may_differ() {
        let tallied = judged(
            "User-agent: *\nContent-Signal: search=yes\nAllow: /\n\nUser-agent: a\nContent-Signal: search=no\nAllow: /",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn an_agent_that_may_fetch_a_part_is_not_kept_out() {
        let tallied =
            judged("User-agent: a\nContent-Signal: ai-input=yes\nDisallow: /\nAllow: /docs/");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_site_without_signals_is_not_applicable() {
        assert_eq!(judged("User-agent: *\nDisallow: /x").applicable, 0);
    }
}
