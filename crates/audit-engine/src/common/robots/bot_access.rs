//! Which AI user agents a site's robots.txt keeps away from its start page.

use super::ai_agents::{AgentClass, AiAgent, of_class};
use crate::address::{at_origin, path_and_query};
use crate::check::{Evidence, Outcome};
use crate::gather::robots::{GroupKind, Robots, RobotsPath, RobotsState, RuleKind};
use crate::site::Site;

/// An agent that may not fetch the start page, and the line that says so.
#[derive(Debug, Clone)]
pub(crate) struct Blocked {
    /// The agent.
    pub(crate) agent: &'static AiAgent,
    /// Whether the file names the agent; otherwise the rule for all agents keeps it out.
    pub(crate) named: bool,
    line: u32,
    rule: String,
}

/// The agents of a class that may not fetch the start page.
pub(crate) fn blocked(site: &Site, robots: &Robots, class: AgentClass) -> Vec<Blocked> {
    let path = RobotsPath::new(&path_and_query(&site.start));
    of_class(class)
        .filter_map(|agent| {
            let group = robots.group_for(agent.name);
            let rule = group.deciding_rule(&path)?;
            (rule.kind == RuleKind::Disallow).then(|| Blocked {
                agent,
                named: group.kind() == GroupKind::Named,
                line: u32::try_from(rule.line).unwrap_or(u32::MAX),
                rule: format!("Disallow: {}", rule.text),
            })
        })
        .collect()
}

/// Judges a class of agents: each that the file names and keeps out is a finding, and all that the
/// rule for everybody keeps out are one.
pub(crate) fn judge(site: &Site, class: AgentClass) -> Outcome {
    match &site.robots {
        RobotsState::Missing => Outcome::Passed,
        RobotsState::Unreachable { .. } => Outcome::CannotTell("robots.txt did not answer."),
        RobotsState::Found(robots) => {
            Outcome::from_failures(evidence(site, &blocked(site, robots, class)).into())
        }
    }
}

fn evidence(site: &Site, blocked: &[Blocked]) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = blocked
        .iter()
        .filter(|blocked| blocked.named)
        .map(|blocked| {
            let name = blocked.agent.name;
            at_rule(site, blocked)
                .cause(
                    name.to_ascii_lowercase(),
                    format!("robots.txt keeps {name} out"),
                )
                .message(format!(
                    "{name} may not fetch the start page; it is expected to be allowed{}.",
                    source(blocked.agent)
                ))
        })
        .collect();
    let by_wildcard: Vec<&Blocked> = blocked.iter().filter(|blocked| !blocked.named).collect();
    if let Some(first) = by_wildcard.first() {
        found.push(
            at_rule(site, first)
                .cause(
                    "*",
                    "robots.txt keeps every agent out that it does not name",
                )
                .message(format!(
                    "The rule for all agents keeps out {}; they are expected to be allowed.",
                    names(by_wildcard.iter().map(|blocked| blocked.agent.name))
                )),
        );
    }
    found
}

fn at_rule(site: &Site, blocked: &Blocked) -> Evidence {
    Evidence::line(blocked.line, &blocked.rule).at(robots_url(site))
}

fn source(agent: &AiAgent) -> String {
    agent
        .source
        .map(|source| format!(" (its operator describes it at {source})"))
        .unwrap_or_default()
}

/// The address of robots.txt.
pub(crate) fn robots_url(site: &Site) -> String {
    at_origin(&site.start, "/robots.txt").into()
}

/// Names in a row, with commas.
pub(crate) fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
