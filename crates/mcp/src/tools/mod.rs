//! The tools, a file for each thing they work on.

mod account;
mod actions;
mod briefs;
mod checks;
mod compare;
mod handoff;
mod limits;
mod places;
pub(crate) mod report;
mod runs;
mod schedule;
pub(crate) mod score;
mod sites;
mod start_audit;
mod sums;
#[cfg(test)]
mod tests;
mod wait_for_run;
mod waivers;

use crate::tool::Entry;
use crate::variant::Offers;

/// All tools, in the order in which an agent meets them.
static ALL: &[Entry] = &[
    Entry::new::<start_audit::StartAudit>(),
    Entry::new::<wait_for_run::WaitForRun>(),
    Entry::new::<runs::GetRun>(),
    Entry::new::<runs::ListRuns>(),
    Entry::new::<runs::CancelRun>(),
    Entry::new::<report::GetReport>(),
    Entry::new::<places::ListOccurrences>(),
    Entry::new::<places::ListPages>(),
    Entry::new::<score::ExplainScore>(),
    Entry::new::<compare::CompareReports>(),
    Entry::new::<sites::ListSites>(),
    Entry::new::<sites::GetSiteHistory>(),
    Entry::new::<waivers::ListWaivers>(),
    Entry::new::<waivers::Waive>(),
    Entry::new::<schedule::GetSchedule>(),
    Entry::new::<schedule::SetSchedule>(),
    Entry::new::<account::GetAccount>(),
    Entry::new::<actions::ListActions>(),
    Entry::new::<actions::GetAction>(),
    Entry::new::<actions::UpdateAction>(),
    Entry::new::<actions::CommentOnAction>(),
    Entry::new::<briefs::GetBrief>(),
    Entry::new::<briefs::QueueBrief>(),
    Entry::new::<handoff::HandoffActions>(),
    Entry::new::<checks::ListChecks>(),
    Entry::new::<checks::GetCheck>(),
];

/// The tools that are offered.
pub(crate) fn offered(offers: Offers) -> impl Iterator<Item = &'static Entry> {
    ALL.iter()
        .filter(move |tool| offers.has_actions() || !tool.on_actions)
}

/// The names of the tools that are offered.
pub fn names(offers: Offers) -> impl Iterator<Item = &'static str> {
    offered(offers).map(|tool| tool.name)
}

/// The names of all tools with what they are for.
pub fn descriptions() -> impl Iterator<Item = (&'static str, &'static str)> {
    ALL.iter().map(|tool| (tool.name, tool.description))
}
