//! Who changed what, newest first.

use std::collections::HashMap;

use askama::Template;
use domain::audit_log::{AuditCursor, AuditEntry, AuditFilter, EVENTS};
use domain::id::{ActionId, KeyId, MemberId, ReportId, RunId, SiteId, WebhookId};
use domain::key::Role;
use domain::report::Variant;
use domain::text::grouped;
use url::form_urlencoded::Serializer;

use super::choice::Choice;
use super::cursor;
use super::nav::Nav;
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::pages::list_file::{MAX_ROWS, READ_AT_ONCE, csv, first_rows};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get("/settings/audit-log", Access::SignedIn(Role::Admin), show),
    Route::get(
        "/settings/audit-log.csv",
        Access::SignedIn(Role::Admin),
        save,
    )
    .on_export_threads(),
];

const PATH: &str = "/settings/audit-log";
const CSV_PATH: &str = "/settings/audit-log.csv";
/// The columns of the file.
const COLUMNS: [&str; 7] = [
    "time",
    "actorId",
    "actor",
    "event",
    "subjectId",
    "subject",
    "detail",
];
/// Lines on a page.
const ON_A_PAGE: u32 = 50;
/// Bytes of an actor at most; an id has 30.
const MAX_ACTOR_BYTES: usize = 40;
/// Events that `legacy` does not have begin with these.
const OF_ACTIONS: [&str; 3] = ["action.", "comment.", "brief."];

/// Actors that are neither a member nor a key.
const OTHERS: [(&str, &str); 3] = [
    ("system", "Assay itself"),
    ("command_line", "The command line"),
    ("link", "A signed link"),
];

struct Row {
    at: Time,
    actor: Named,
    event: String,
    subject: Named,
    detail: String,
}

/// Somebody or something that a line names.
struct Named {
    text: String,
    /// Whether the text is an id, because no name is known.
    is_id: bool,
    /// Its page; none where it has none.
    path: Option<String>,
}

#[derive(Template)]
#[template(path = "pages/settings/audit_log.html")]
struct Log {
    layout: Layout,
    nav: Nav,
    events: Vec<Choice>,
    actors: Vec<Choice>,
    is_filtered: bool,
    is_continued: bool,
    rows: Vec<Row>,
    newest: String,
    /// The address of the lines before these.
    older: Option<String>,
    /// The address of the file.
    file: String,
    /// Entries of the file at most, in words.
    most_in_file: String,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let filter = filter(visit);
    let before = cursor(visit, AuditCursor::decode)?;
    let (stores, org) = (&visit.state.stores, visit.org()?);
    let page = stores.audit_log_page(org, &filter, before, ON_A_PAGE)?;
    let names = names(visit)?;
    let entries = page.entries.into_iter();
    Reply::page(&Log {
        layout: Layout::new(visit, "Audit log", Section::Settings),
        nav: Nav::new(visit, PATH),
        events: events(&filter, visit.variant()),
        actors: actors(&filter, &names),
        is_filtered: filter != AuditFilter::default(),
        is_continued: before.is_some(),
        rows: entries
            .map(|entry| Row::new(entry, &names, visit.variant()))
            .collect(),
        newest: address(PATH, &filter, None),
        older: page.next.map(|next| address(PATH, &filter, Some(next))),
        file: address(CSV_PATH, &filter, None),
        most_in_file: grouped(u64::try_from(MAX_ROWS).unwrap_or_default()),
    })
}

/// The entries that match the filter as a table for spreadsheets, newest first.
fn save(visit: &Visit) -> Result<Reply, Failure> {
    let filter = filter(visit);
    let (stores, org) = (&visit.state.stores, visit.org()?);
    let names = names(visit)?;
    let entries = first_rows(visit, |before| {
        let page = stores.audit_log_page(org, &filter, before, READ_AT_ONCE)?;
        Ok((page.entries, page.next))
    })?;
    let name = |id: &str| names.get(id).cloned().unwrap_or_default();
    let rows = entries.into_iter().map(|entry| {
        let (actor, subject) = (name(&entry.actor), name(&entry.subject));
        let at = Time::new(entry.at).iso;
        let (actor_id, subject_id) = (entry.actor, entry.subject);
        [
            at,
            actor_id,
            actor,
            entry.event,
            subject_id,
            subject,
            entry.detail,
        ]
    });
    csv(visit, "audit-log", COLUMNS, rows)
}

/// The filter that the address names. An event that does not exist is left out.
fn filter(visit: &Visit) -> AuditFilter {
    let event = visit.query.given("event");
    let actor = visit.query.given("actor");
    AuditFilter {
        event: event
            .filter(|event| EVENTS.contains(event))
            .map(str::to_owned),
        actor: actor
            .filter(|actor| actor.len() <= MAX_ACTOR_BYTES)
            .map(str::to_owned),
    }
}

fn address(path: &str, filter: &AuditFilter, cursor: Option<AuditCursor>) -> String {
    let mut query = Serializer::new(String::new());
    let fields = [("event", &filter.event), ("actor", &filter.actor)];
    for (name, value) in fields {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    if let Some(cursor) = cursor {
        query.append_pair("cursor", &cursor.encode());
    }
    match query.finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// The names of members and keys by their ids, and of the other actors.
type Names = HashMap<String, String>;

fn names(visit: &Visit) -> Result<Names, Failure> {
    let (stores, org) = (&visit.state.stores, visit.org()?);
    let others = OTHERS.into_iter();
    let mut names: Names = others
        .map(|(id, name)| (id.to_owned(), name.to_owned()))
        .collect();
    for member in stores.members(org)? {
        names.insert(member.id.to_string(), member.name);
    }
    for key in stores.keys(org)? {
        names.insert(key.id.to_string(), format!("Key “{}”", key.name));
    }
    let organization = &visit.signed_in()?.membership.organization;
    names.insert(organization.id.to_string(), organization.name.clone());
    Ok(names)
}

fn events(filter: &AuditFilter, variant: Variant) -> Vec<Choice> {
    let mut events = vec![Choice::new("", "All events", filter.event.is_none())];
    let is_hidden = |event: &str| {
        let mut hidden = OF_ACTIONS.iter();
        variant == Variant::Legacy && hidden.any(|prefix| event.starts_with(prefix))
    };
    let shown = EVENTS.iter().filter(|event| !is_hidden(event));
    events.extend(shown.map(|event| {
        let is_chosen = filter.event.as_deref() == Some(*event);
        Choice::new(*event, in_words(event), is_chosen)
    }));
    events
}

/// Everybody with a name, by name; and who is chosen, also without one.
fn actors(filter: &AuditFilter, names: &Names) -> Vec<Choice> {
    let chosen = filter.actor.as_deref();
    let is_actor = |id: &str| {
        MemberId::parse(id).is_some()
            || KeyId::parse(id).is_some()
            || OTHERS.iter().any(|(other, _)| *other == id)
    };
    let mut known: Vec<_> = names.iter().filter(|(id, _)| is_actor(id)).collect();
    known.sort_by_key(|(id, name)| (name.to_lowercase(), *id));
    let mut actors = vec![Choice::new("", "Everybody", chosen.is_none())];
    if let Some(unknown) = chosen.filter(|id| !names.contains_key(*id)) {
        actors.push(Choice::new(unknown, unknown, true));
    }
    let known = known.into_iter();
    actors.extend(known.map(|(id, name)| Choice::new(id, name, chosen == Some(id.as_str()))));
    actors
}

/// An event in words: `member.role_changed` is `Member role changed`.
fn in_words(event: &str) -> String {
    let words = event.replace(['.', '_'], " ");
    let mut chars = words.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

impl Row {
    fn new(entry: AuditEntry, names: &Names, variant: Variant) -> Self {
        let by_actor = AuditFilter {
            event: None,
            actor: Some(entry.actor.clone()),
        };
        Self {
            at: Time::new(entry.at),
            actor: Named {
                path: Some(address(PATH, &by_actor, None)),
                ..Named::new(&entry.actor, names)
            },
            event: in_words(&entry.event),
            subject: Named {
                path: path(&entry.subject, names, variant),
                ..Named::new(&entry.subject, names)
            },
            detail: entry.detail,
        }
    }
}

impl Named {
    fn new(id: &str, names: &Names) -> Self {
        let name = names.get(id);
        Self {
            text: name.map_or(id, String::as_str).to_owned(),
            is_id: name.is_none(),
            path: None,
        }
    }
}

/// The page of what a line is about; none where there is none. What was deleted since then is not found there.
fn path(id: &str, names: &Names, variant: Variant) -> Option<String> {
    if MemberId::parse(id).is_some() {
        return names
            .contains_key(id)
            .then(|| format!("/settings/members/{id}"));
    }
    let folder = if SiteId::parse(id).is_some() {
        "/sites"
    } else if RunId::parse(id).is_some() {
        "/runs"
    } else if ReportId::parse(id).is_some() {
        "/reports"
    } else if WebhookId::parse(id).is_some() {
        "/settings/webhooks"
    } else if ActionId::parse(id).is_some() && variant == Variant::Current {
        "/actions"
    } else {
        return None;
    };
    Some(format!("{folder}/{id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ULID: &str = "01JD2Y3Z4A5B6C7D8E9F0GHJKM";

    #[test]
    fn events_are_told_in_words() {
        assert_eq!(in_words("member.role_changed"), "Member role changed");
    }

    #[test]
    fn the_next_page_keeps_the_filter() {
        let filter = AuditFilter {
            event: Some("key.created".to_owned()),
            actor: Some("a&b".to_owned()),
        };
        assert_eq!(
            address(PATH, &filter, None),
            "/settings/audit-log?event=key.created&actor=a%26b"
        );
        assert_eq!(address(PATH, &AuditFilter::default(), None), PATH);
        assert!(address(PATH, &filter, Some(AuditCursor(1))).contains("&cursor="));
    }

    #[test]
    fn the_older_variant_mentions_no_actions() {
        let names = Names::new();
        let action = format!("act_{ULID}");
        assert!(path(&action, &names, Variant::Current).is_some());
        assert_eq!(path(&action, &names, Variant::Legacy), None);
        let events = events(&AuditFilter::default(), Variant::Legacy);
        assert!(!events.iter().any(|event| event.value.starts_with("action")));
        assert!(events.iter().any(|event| event.value == "key.created"));
    }

    #[test]
    fn members_that_were_removed_have_no_page() {
        let id = format!("mem_{ULID}");
        let mut names = Names::new();
        assert_eq!(path(&id, &names, Variant::Current), None);
        names.insert(id.clone(), "Ada".to_owned());
        assert!(path(&id, &names, Variant::Current).is_some());
        let named = Named::new(&id, &names);
        assert_eq!((named.text.as_str(), named.is_id), ("Ada", false));
    }

    #[test]
    fn an_actor_without_a_name_can_be_chosen() {
        let filter = AuditFilter {
            event: None,
            actor: Some(format!("mem_{ULID}")),
        };
        let actors = actors(&filter, &Names::new());
        let chosen: Vec<_> = actors.iter().filter(|actor| actor.is_chosen).collect();
        assert_eq!(chosen.len(), 1);
        assert_eq!(chosen[0].value, format!("mem_{ULID}"));
    }
}
