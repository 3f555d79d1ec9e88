//! An action item: what was found, why it matters, how to fix it, and the work on it.

use askama::Template;
use domain::action::{ActionItem, ActionStatus, Description, Dossier, Priority};
use domain::id::ActionId;
use domain::org::Member;
use domain::ports::ChangeActionError;
use report::view::text::{Block, blocks};

use super::brief::{self, Brief};
use super::change::BEFORE;
use super::comments::{self, Comments};
use super::evidence::Evidence;
use super::filter::Choice;
use super::finder;
use super::history::{self, Audit};
use super::verify::{self, Verify};
use super::words::{self, Due, Mark};
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::pages::waiver_link::waiver_form_path;
use crate::reply::Reply;
use crate::visit::Visit;

/// What was wrong with the form that was sent, beside the form.
#[derive(Default)]
pub(super) struct Problems {
    pub(super) change: Option<String>,
    pub(super) comment: Option<String>,
    pub(super) brief: Option<String>,
    pub(super) verify: Option<String>,
}

/// What an audit says of the item.
struct Check {
    id: String,
    dimension: &'static str,
    severity: Mark,
    report_path: String,
    /// The issue in the report that found it last; none where the report is gone.
    issue_path: Option<String>,
}

/// The form that changes the item.
struct Edit {
    statuses: Vec<Choice>,
    priorities: Vec<Choice>,
    members: Vec<Choice>,
    /// The search for members that are not offered; none where all are.
    find_member: Option<String>,
    due: String,
    /// The fields with the values that the page was made with.
    before: [(String, String); 4],
}

#[derive(Template)]
#[template(path = "pages/actions/item.html")]
pub(super) struct Page {
    layout: Layout,
    id: String,
    site: Option<(String, String)>,
    priority: Mark,
    status: &'static str,
    assignee: Option<String>,
    due: Option<Due>,
    check: Option<Check>,
    created: Time,
    resolved: Option<Time>,
    verified: Option<Time>,
    /// The text of the item; none where the audit's own words below are all of it.
    description: Option<String>,
    why: Vec<Block>,
    fix: Vec<Block>,
    evidence: Option<Evidence>,
    audits: Vec<Audit>,
    verify: Option<Verify>,
    /// Where the findings of a dismissed item are accepted.
    waive_path: Option<String>,
    edit: Edit,
    comments: Comments,
    comment: String,
    brief: Brief,
    problems: Problems,
}

pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", ActionId::parse)?;
    Reply::page(&page(visit, &id, Problems::default())?)
}

/// The item that the path names.
pub(super) fn find(visit: &Visit) -> Result<ActionItem, Failure> {
    let id = visit.id("id", ActionId::parse)?;
    let item = visit
        .state
        .stores
        .action(visit.org()?, &id, visit.variant())?;
    item.ok_or(Failure::NotFound)
}

/// Why a change was not made, where the person can do nothing about it in the form.
pub(super) fn not_changed(error: ChangeActionError) -> Failure {
    match error {
        ChangeActionError::Store(error) => error.into(),
        ChangeActionError::NotFound
        | ChangeActionError::SiteNotFound
        | ChangeActionError::NoMember
        | ChangeActionError::KeyReused(_) => Failure::NotFound,
    }
}

/// The page of an item. After a form that was not accepted it shows what the person typed, and what is wrong with it.
pub(super) fn page(visit: &Visit, id: &ActionId, problems: Problems) -> Result<Page, Failure> {
    let (org, stores) = (visit.org()?, &visit.state.stores);
    let dossier = stores.dossier(org, id, visit.variant())?;
    let dossier = dossier.ok_or(Failure::NotFound)?;
    let item = &dossier.item;
    let (members, text, has_more) = finder::assignees(visit, &visit.query, item)?;
    let find_member = (has_more || !text.is_empty()).then_some(text);
    let assignee = item.assignee.as_ref();
    let mut brief = brief::read(visit, id)?;
    if problems.brief.is_some() {
        brief.problem.clone_from(&problems.brief);
        brief.instructions = visit.form.raw("instructions").to_owned();
    }
    let (why, fix) = why_and_fix(visit, &dossier);
    Ok(Page {
        layout: Layout::new(visit, item.title.as_str(), Section::Actions),
        id: id.to_string(),
        site: site(&dossier),
        priority: Mark::of_priority(item.priority),
        status: words::status(item.status),
        assignee: assignee
            .and_then(|id| words::member_name(&members, id))
            .map(str::to_owned),
        due: Due::new(item, visit.now().date_naive()),
        check: check(visit, item)?,
        created: Time::new(item.created_at),
        resolved: Time::optional(item.resolved_at),
        verified: Time::optional(item.verified_at),
        description: description(&dossier),
        why,
        fix,
        evidence: dossier.issue.as_ref().map(Evidence::new),
        audits: history::audits(visit, id)?,
        verify: verify::offer(visit, &dossier),
        waive_path: waive_path(item),
        edit: Edit {
            find_member,
            ..edit(visit, item, &members, problems.change.is_some())
        },
        comments: comments::read(visit, id)?,
        comment: match problems.comment {
            Some(_) => visit.form.raw("body").to_owned(),
            None => String::new(),
        },
        brief,
        problems,
    })
}

/// The form of the site that accepts the findings of a dismissed item, which still cost points.
fn waive_path(item: &ActionItem) -> Option<String> {
    let (site, audit) = (item.site_id.as_ref()?, item.audit.as_ref()?);
    let is_dismissed = item.status == ActionStatus::Dismissed;
    is_dismissed.then(|| waiver_form_path(site.as_str(), &audit.check_id, None))
}

/// The path of the item's site and its address.
fn site(dossier: &Dossier) -> Option<(String, String)> {
    let id = dossier.item.site_id.as_ref()?;
    let url = dossier.site_url.clone()?;
    Some((format!("/sites/{id}"), url))
}

fn check(visit: &Visit, item: &ActionItem) -> Result<Option<Check>, Failure> {
    let Some(audit) = &item.audit else {
        return Ok(None);
    };
    let ids = std::slice::from_ref(&item.id);
    let issues = visit.state.stores.latest_issues(visit.org()?, ids)?;
    let report_path = format!("/reports/{}", audit.report_id);
    let issue = issues.first();
    Ok(Some(Check {
        id: audit.check_id.clone(),
        dimension: audit.dimension.label(),
        severity: Mark::of_severity(audit.severity),
        issue_path: issue.map(|issue| format!("{report_path}/issues/{}", issue.issue_id)),
        report_path,
    }))
}

/// The item's own text, unless it is what the audit wrote and the page says anyway.
fn description(dossier: &Dossier) -> Option<String> {
    let description = &dossier.item.description;
    let is_of_audit = |issue| *description == Description::of_issue(issue);
    if description.as_str().is_empty() || dossier.issue.as_ref().is_some_and(is_of_audit) {
        return None;
    }
    Some(description.as_str().to_owned())
}

/// Why it matters and how to fix it: in the words of the report, or of the catalogue where the report is gone.
fn why_and_fix(visit: &Visit, dossier: &Dossier) -> (Vec<Block>, Vec<Block>) {
    if let Some(issue) = &dossier.issue {
        return (blocks(&issue.why), blocks(&issue.recommendation));
    }
    let audit = dossier.item.audit.as_ref();
    let guide = audit.and_then(|audit| visit.state.checks.guide(&audit.check_id));
    guide
        .map(|guide| (blocks(&guide.why), blocks(&guide.fix)))
        .unwrap_or_default()
}

/// The form with the item's values; with what the person chose where that was not accepted.
fn edit(visit: &Visit, item: &ActionItem, members: &[Member], is_refused: bool) -> Edit {
    let assignee = item.assignee.as_ref().map(ToString::to_string);
    let due = item.due_date.map(|date| date.to_string());
    let now = [
        ("status", item.status.as_str().to_owned()),
        ("priority", item.priority.as_str().to_owned()),
        ("assignee", assignee.unwrap_or_default()),
        ("due-date", due.unwrap_or_default()),
    ];
    // A form that is shown again still compares with the page that the person saw first.
    let before = now.map(|(name, value)| {
        let before = format!("{BEFORE}{name}");
        match is_refused {
            true => (name, visit.form.text(&before).to_owned(), before),
            false => (name, value, before),
        }
    });
    let shown = before.clone().map(|(name, value, _)| match is_refused {
        true => visit.form.text(name).to_owned(),
        false => value,
    });
    let [status, priority, assignee, due] = shown;
    Edit {
        statuses: choices(
            ActionStatus::ALL.map(|known| (known.as_str(), words::status(known))),
            &status,
        ),
        priorities: choices(
            Priority::ALL.map(|known| (known.as_str(), Mark::of_priority(known).word)),
            &priority,
        ),
        members: choices(
            members
                .iter()
                .map(|member| (member.id.as_str(), member.name.as_str())),
            &assignee,
        ),
        find_member: None,
        due,
        before: before.map(|(_, value, before)| (before, value)),
    }
}

fn choices<'a>(known: impl IntoIterator<Item = (&'a str, &'a str)>, chosen: &str) -> Vec<Choice> {
    let choices = known.into_iter().map(|(value, label)| Choice {
        value: value.to_owned(),
        label: label.to_owned(),
        is_chosen: value == chosen,
    });
    choices.collect()
}
