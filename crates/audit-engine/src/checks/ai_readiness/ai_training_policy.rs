//! What robots.txt says about training.

use crate::check::{Evidence, Outcome};
use crate::common::robots::ai_agents::{AgentClass, of_class};
use crate::common::robots::bot_access::{self, Blocked, names, robots_url};
use crate::declare_check;
use crate::gather::robots::{Robots, RobotsState};
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Which crawlers that collect text for training models, and which that archive the web, may
    /// fetch the start page by robots.txt. Names that are out of use are pointed out.
    ///
    /// ## Why it matters
    /// To allow or to forbid training is the owner's decision, and either is right. This shows what
    /// the file says today, so that it can be compared with what was decided.
    ///
    /// ## How to fix it
    /// Nothing has to be fixed. To change the policy, add or remove a group such as
    /// `User-agent: GPTBot` with `Disallow: /`. Replace names that are out of use: `ClaudeBot` for
    /// `anthropic-ai`, and `Claude-User` for `Claude-Web`.
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
    /// Never part of the score. Only the rules for the start page are looked at, and not every
    /// crawler follows them. Which crawlers there are changes; the list is dated.
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2
    /// - OpenAI, Overview of OpenAI Crawlers
    /// - Google Crawling Infrastructure, Google's common crawlers: Google-Extended
    AI_TRAINING_POLICY {
        id: "ai-training-policy",
        title: "robots.txt keeps AI training crawlers out",
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
        RobotsState::Unreachable { .. } => Outcome::CannotTell("robots.txt did not answer."),
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
        "Kept out: {}. Allowed: {allowed}.",
        names(blocked.iter().map(|blocked| blocked.agent.name))
    ));
    Some(evidence.cause("policy", "robots.txt keeps AI training crawlers out"))
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
                    format!("robots.txt names {name}, which is out of use"),
                )
                .message(format!(
                    "The name {name} is out of use, so its rules reach nobody."
                ))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn judged(robots: &str) -> Tallied {
        audit(
            &AI_TRAINING_POLICY,
            &format!("=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 200 OK\n\n{robots}"),
        )
    }

    #[test]
    fn the_policy_never_weighs_anything() {
        assert_eq!(AI_TRAINING_POLICY.severity.weight(), 0);
    }

    #[test]
    fn a_file_that_forbids_training_is_shown() {
        let tallied = judged("User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /");
        assert_eq!(tallied.findings.len(), 1);
        let message = &tallied.findings[0].occurrences[0].message;
        assert!(
            message.starts_with("Kept out: GPTBot, CCBot. Allowed: ClaudeBot,"),
            "{message}"
        );
    }

    #[test]
    fn a_name_out_of_use_is_shown() {
        let tallied = judged("User-agent: anthropic-ai\nDisallow: /private");
        assert_eq!(tallied.findings.len(), 1);
        assert_eq!(tallied.findings[0].cause, "anthropic-ai");
    }

    #[test]
    fn a_file_that_allows_everything_passes() {
        assert!(judged("User-agent: *\nDisallow:").findings.is_empty());
    }
}
