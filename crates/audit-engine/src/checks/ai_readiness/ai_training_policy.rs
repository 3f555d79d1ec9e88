//! Which AI training crawlers robots.txt blocks.

use crate::check::{Evidence, Outcome};
use crate::common::robots::ai_agents::{AgentClass, of_class};
use crate::common::robots::bot_access::{self, Blocked, names, robots_url};
use crate::declare_check;
use crate::gather::robots::{Robots, RobotsState};
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Which crawlers that collect text for model training, and which that archive the web, may
    /// fetch the start page according to robots.txt. The check also reports names of retired
    /// crawlers.
    ///
    /// ## Why it matters
    /// Whether to allow training is the owner's decision, and both choices are valid. The check
    /// shows the current policy of the file, so that you can compare it with your decision.
    ///
    /// ## How to fix it
    /// Change nothing if the policy is intended. To change it, add or remove a group such as `User-agent: GPTBot`
    /// with `Disallow: /`. Replace retired names: use `ClaudeBot` for `anthropic-ai`, and `Claude-User` for
    /// `Claude-Web`.
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
    /// User-agent: *
    /// Allow: /
    /// ```
    ///
    /// ## Limits
    /// This check is never part of the score. Only the rules for the start page are evaluated, and
    /// not every crawler follows them. The set of crawlers changes over time; the list is dated.
    ///
    /// ## Also known as
    /// - Common name: AI training opt-out
    /// - Common name: GPTBot blocked
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2
    /// - OpenAI, Overview of OpenAI Crawlers
    /// - Google Crawling Infrastructure, Google's common crawlers: Google-Extended
    AI_TRAINING_POLICY {
        id: "ai-training-policy",
        title: "robots.txt blocks AI training crawlers or uses retired names",
        dimension: AiReadiness,
        scope: Origin,
        severity: Info,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    match &site.robots {
        RobotsState::Missing => Outcome::Passed,
        RobotsState::Unreachable { .. } => {
            Outcome::CannotTell("The request for robots.txt got no usable response.")
        }
        RobotsState::Found(robots) => {
            let policy = policy(site, robots);
            let stale = stale_names(site, robots);
            Outcome::from_failures(policy.into_iter().chain(stale).collect())
        }
    }
}

fn policy(site: &Site, robots: &Robots) -> Option<Evidence> {
    let classes = [AgentClass::Training, AgentClass::Archive];
    let blocked: Vec<Blocked> = classes
        .into_iter()
        .flat_map(|class| bot_access::blocked(site, robots, class))
        .collect();
    if blocked.is_empty() {
        return None;
    }
    let is_blocked = |name| blocked.iter().any(|blocked| blocked.agent.name == name);
    let allowed: Vec<&str> = classes
        .into_iter()
        .flat_map(of_class)
        .map(|agent| agent.name)
        .filter(|name| !is_blocked(*name))
        .collect();
    let allowed = if allowed.is_empty() {
        "none".to_owned()
    } else {
        names(allowed.into_iter())
    };
    let evidence = Evidence::here().at(robots_url(site)).message(format!(
        "Blocked: {}. Allowed: {allowed}.",
        names(blocked.iter().map(|blocked| blocked.agent.name))
    ));
    Some(evidence.cause("policy", "AI training crawlers blocked by robots.txt"))
}

fn stale_names<'a>(site: &'a Site, robots: &'a Robots) -> impl Iterator<Item = Evidence> + 'a {
    of_class(AgentClass::Retired)
        .filter(|agent| {
            robots
                .agents()
                .any(|named| named.eq_ignore_ascii_case(agent.name))
        })
        .map(|agent| {
            let name = agent.name;
            Evidence::here()
                .at(robots_url(site))
                .cause(
                    name.to_ascii_lowercase(),
                    format!("Retired crawler name in robots.txt: {name}"),
                )
                .message(format!(
                    "The crawler name {name} is retired, so its rules have no effect; expected the current name."
                ))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn audited(robots: &str) -> Tallied {
        audit(
            &AI_TRAINING_POLICY,
            &format!("=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 200 OK\n\n{robots}"),
        )
    }

    #[test]
    fn the_check_never_affects_the_score() {
        assert_eq!(AI_TRAINING_POLICY.severity, domain::Severity::Info);
    }

    #[test]
    fn blocked_training_crawlers_are_reported() {
        let tallied = audited("User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /");
        assert_eq!(tallied.findings.len(), 1);
        let message = &tallied.findings[0].occurrences[0].message;
        assert!(
            message.starts_with("Blocked: GPTBot, CCBot. Allowed: ClaudeBot,"),
            "{message}"
        );
    }

    #[test]
    fn a_retired_name_is_reported() {
        let tallied = audited("User-agent: anthropic-ai\nDisallow: /private");
        assert_eq!(tallied.findings.len(), 1);
        assert_eq!(tallied.findings[0].cause, "anthropic-ai");
    }

    #[test]
    fn a_file_that_allows_everything_passes() {
        assert!(audited("User-agent: *\nDisallow:").findings.is_empty());
    }
}
