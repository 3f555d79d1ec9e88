//! Which AI user agents a site's robots.txt blocks from its start page.

use domain::Severity;

use super::ai_agents::{AgentClass, AiAgent, of_class};
use super::googlebot::{self, GOOGLEBOT};
use crate::address::{at_origin, path_and_query};
use crate::check::{Evidence, Outcome};
use crate::gather::robots::{GroupKind, Robots, RobotsPath, RobotsState, RuleKind};
use crate::site::Site;

/// A user agent that robots.txt blocks from the start page, and the rule that blocks it.
#[derive(Debug, Clone)]
pub(crate) struct Blocked {
    /// The user agent.
    pub(crate) agent: &'static AiAgent,
    /// Whether a group of its own blocks the user agent; otherwise the group `*` blocks it.
    pub(crate) named: bool,
    line: u32,
    rule: String,
}

/// The user agents of a class that robots.txt blocks from the start page.
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

/// Evaluates a class of user agents. Each user agent that is blocked by its own group is a finding. All user
/// agents that are blocked by the group `*` are one finding.
pub(crate) fn evaluate(site: &Site, class: AgentClass) -> Outcome {
    match &site.robots {
        RobotsState::Missing => Outcome::Passed,
        RobotsState::Unreachable { .. } => Outcome::CannotTell("robots.txt could not be fetched."),
        RobotsState::Found(robots) => {
            let blocked = blocked(site, robots, class);
            let outcome = Outcome::from_failures(evidence(site, &blocked).into());
            // robots-blocks-all reports a file that keeps everyone out; the fact has one price.
            let is_googlebot = |agent: &AiAgent| agent.name.eq_ignore_ascii_case(GOOGLEBOT);
            let mut blocked = blocked.iter();
            let is_all = blocked.all(|blocked| !blocked.named || is_googlebot(blocked.agent));
            match is_all && googlebot::blocks_all(site) {
                true => outcome.with_severity(Severity::Info),
                false => outcome,
            }
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
                    format!("robots.txt blocks {name}"),
                )
                .message(format!(
                    "robots.txt blocks {name} from the start page; expected to be allowed{}.",
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
                    "robots.txt blocks every user agent without its own group",
                )
                .message(format!(
                    "The group for all user agents (*) in robots.txt blocks {}; expected to be allowed.",
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
        .map(|source| format!(" (documented by its operator at {source})"))
        .unwrap_or_default()
}

/// The URL of robots.txt.
pub(crate) fn robots_url(site: &Site) -> String {
    at_origin(&site.start, "/robots.txt").into()
}

/// Joins names with commas.
pub(crate) fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
