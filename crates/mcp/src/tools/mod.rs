//! The tools, a file for each thing they work on.

mod account;
mod actions;
mod briefs;
mod checks;
mod handoff;
mod limits;
mod places;
pub(crate) mod report;
mod runs;
mod schedule;
mod sites;
mod start_audit;
mod sums;
#[cfg(test)]
mod tests;
mod wait_for_run;

use crate::tool::Entry;
use crate::variant::Offers;

/// All tools, in the order in which an agent meets them.
static ALL: &[Entry] = &[
    Entry::of::<start_audit::StartAudit>(),
    Entry::of::<wait_for_run::WaitForRun>(),
    Entry::of::<runs::GetRun>(),
    Entry::of::<runs::ListRuns>(),
    Entry::of::<runs::CancelRun>(),
    Entry::of::<report::GetReport>(),
    Entry::of::<places::ListOccurrences>(),
    Entry::of::<places::ListPages>(),
    Entry::of::<sites::ListSites>(),
    Entry::of::<sites::GetSiteHistory>(),
    Entry::of::<schedule::GetSchedule>(),
    Entry::of::<schedule::SetSchedule>(),
    Entry::of::<account::GetAccount>(),
    Entry::of::<actions::ListActions>(),
    Entry::of::<actions::GetAction>(),
    Entry::of::<actions::UpdateAction>(),
    Entry::of::<actions::CommentOnAction>(),
    Entry::of::<briefs::GetBrief>(),
    Entry::of::<briefs::QueueBrief>(),
    Entry::of::<handoff::HandoffActions>(),
    Entry::of::<checks::ListChecks>(),
    Entry::of::<checks::GetCheck>(),
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
