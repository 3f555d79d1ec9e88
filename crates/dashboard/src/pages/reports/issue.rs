//! An issue as a page shows it.

use domain::id::SiteId;
use domain::report::{IssueIdentity, IssueState, Variant};
use domain::text::grouped;
use report::view::text::{Block, Piece, blocks, link, message_pieces, shown};
use report::view::{CauseView, IssueView, severity_mark};

use crate::pages::evidence::{MAX_TEXT, OccurrenceRow};
use crate::pages::waiver_link::waiver_form_path;

/// An issue that opens in place.
pub(super) struct IssueCard {
    /// Its number in the report, from 1.
    pub(super) number: usize,
    pub(super) title: String,
    pub(super) severity: &'static str,
    pub(super) mark: &'static str,
    pub(super) dimension: &'static str,
    pub(super) check_id: String,
    /// "small effort, low confidence"
    pub(super) aside: String,
    /// "+3.2 points"
    pub(super) gain: String,
    /// "new", or "persisting".
    pub(super) state: Option<&'static str>,
    /// "12 pages"; empty where it is on none.
    pub(super) reach: String,
    pub(super) extent: String,
    /// "3 occurrences are waived"
    pub(super) accepted: String,
    pub(super) why: Vec<Block>,
    pub(super) fix: Vec<Block>,
    pub(super) causes: Vec<Cause>,
    pub(super) more_causes: String,
    /// "All 1,204 occurrences"
    pub(super) all: String,
    pub(super) issue_id: String,
    pub(super) action_id: Option<String>,
    /// The form of the site that accepts its findings.
    pub(super) waive_path: String,
    pub(super) references: Vec<Reference>,
}

/// A cause with its first occurrences.
pub(super) struct Cause {
    /// What it is; empty where it says no more than the title of the issue.
    pub(super) headline: Vec<Piece>,
    /// The id of the check whose findings it repeats.
    pub(super) repeats: Option<String>,
    pub(super) reach: String,
    pub(super) places: Vec<OccurrenceRow>,
    pub(super) more: String,
}

/// A standard or a source.
pub(super) struct Reference {
    pub(super) text: String,
    pub(super) to: Option<String>,
}

impl IssueCard {
    /// The issue with its ids; `legacy` has no action items.
    pub(super) fn new(
        view: &IssueView<'_>,
        identity: &IssueIdentity,
        (site, variant): (&SiteId, Variant),
    ) -> Self {
        let issue = view.issue;
        let has_actions = variant == Variant::Current;
        Self {
            number: view.number,
            title: shown(&issue.title, MAX_TEXT),
            severity: issue.severity.as_str(),
            mark: severity_mark(issue.severity),
            dimension: issue.dimension.label(),
            check_id: issue.check_id.clone(),
            aside: shown(&view.aside, MAX_TEXT),
            gain: view.gain.clone(),
            state: issue.state.map(state),
            reach: report::reach(issue),
            extent: view.extent.clone(),
            accepted: accepted(issue.waived),
            why: blocks(&issue.why),
            fix: blocks(&issue.recommendation),
            causes: view.causes.iter().map(Cause::new).collect(),
            more_causes: view.more_causes.clone(),
            all: match issue.occurrences_total {
                1 => "Show the occurrence".to_owned(),
                total => format!("All {} occurrences", grouped(total)),
            },
            issue_id: identity.issue_id.to_string(),
            action_id: (identity.action_id.as_ref())
                .filter(|_| has_actions)
                .map(ToString::to_string),
            waive_path: waiver_form_path(site.as_str(), &issue.check_id, None),
            references: view.references.iter().map(Reference::new).collect(),
        }
    }
}

impl Cause {
    fn new(view: &CauseView<'_>) -> Self {
        let places = view.occurrences.iter();
        Self {
            headline: message_pieces(view.headline.unwrap_or_default(), MAX_TEXT),
            repeats: view.repeats.map(str::to_owned),
            reach: view.reach.clone(),
            places: places
                .map(|place| OccurrenceRow::new(place.occurrence, place.message))
                .collect(),
            more: view
                .more
                .as_ref()
                .map_or_else(String::new, |more| format!("And {more}.")),
        }
    }
}

impl Reference {
    fn new(view: &report::view::Reference<'_>) -> Self {
        let to = view.url.as_deref().and_then(link);
        let text = match to {
            Some(_) => view.text,
            None => view.whole,
        };
        Self {
            text: shown(text, MAX_TEXT),
            to,
        }
    }
}

/// What became of an issue since the report before.
pub(super) const fn state(state: IssueState) -> &'static str {
    match state {
        IssueState::New => "new",
        IssueState::Persisting => "persisting",
    }
}

fn accepted(waived: u64) -> String {
    match waived {
        0 => String::new(),
        1 => "1 occurrence is waived.".to_owned(),
        more => format!("{} occurrences are waived.", grouped(more)),
    }
}
