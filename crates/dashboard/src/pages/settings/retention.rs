//! How long the organization's data is kept.

use askama::Template;
use domain::key::Role;
use domain::retention::{Keep, MAX_DAYS, Retention, RetentionChoice};
use domain::text::grouped;
use domain::usecase::{RetentionRefused, RetentionSettings, RetentionState};

use super::nav::Nav;
use super::sentence;
use crate::failure::Failure;
use crate::form::Form;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

const PATH: &str = "/settings/retention";
const REPORTS: &str = "reports-days";
const AUDIT_LOG: &str = "audit-log-days";

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get(PATH, Access::SignedIn(Role::Read), show),
    Route::post(PATH, Access::Recent(Role::Admin), save),
];

#[derive(Template)]
#[template(path = "pages/settings/retention.html")]
struct Page {
    layout: Layout,
    nav: Nav,
    rows: [Row; 3],
    /// None for people who may not change it.
    form: Option<Fields>,
    /// Whether it was saved just now.
    is_saved: bool,
    problem: Option<String>,
    /// What the change deletes, to be confirmed.
    deletes: Option<Deletes>,
}

/// A kind of data.
struct Row {
    what: &'static str,
    kept: Keep,
    /// Who says so.
    source: &'static str,
}

/// The fields, as they are stored or as the person filled them in.
struct Fields {
    reports: String,
    audit_log: String,
    default: Retention,
    most_days: u32,
}

/// What a shorter period deletes at the next sweep.
struct Deletes {
    reports_before: Option<Time>,
    audit_log_before: Option<Time>,
    /// The change that is confirmed. A change of the fields is asked about again.
    change: String,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let state = state(visit)?;
    let chosen = state.chosen;
    let days = |keep: Option<Keep>| keep.map_or(String::new(), |keep| keep.as_days().to_string());
    let fields = (days(chosen.reports), days(chosen.audit_log));
    Reply::page(&page(visit, &state, fields, None, None))
}

/// Saves the periods. A period that becomes shorter deletes data, so it has to be confirmed.
fn save(visit: &Visit) -> Result<Reply, Failure> {
    let state = state(visit)?;
    let entered = [REPORTS, AUDIT_LOG].map(|field| visit.form.text(field).to_owned());
    let [reports, audit_log] = entered;
    let fields = (reports, audit_log);
    let choice = match choice(&visit.form) {
        Ok(choice) => choice,
        Err(problem) => {
            return Reply::invalid(&page(visit, &state, fields, Some(problem), None));
        }
    };
    let deletes = deletes(visit, &state, choice);
    let is_confirmed = |deletes: &Deletes| visit.form.text("confirmed") == deletes.change;
    // A period beyond the plan's is refused before anything is asked about it.
    if state.check(choice).is_ok()
        && let Some(deletes) = deletes.filter(|deletes| !is_confirmed(deletes))
    {
        return Reply::page(&page(visit, &state, fields, None, Some(deletes)));
    }
    let organization = &visit.signed_in()?.membership.organization;
    let plans = visit.state.settings.plans.current();
    let settings = settings(visit, &plans);
    match settings.choose(organization, choice, &*visit.state.clock, &visit.by()?) {
        Ok(()) => Ok(Reply::redirect(format!("{PATH}?done=saved"))),
        Err(RetentionRefused::Store(error)) => Err(error.into()),
        Err(refused @ RetentionRefused::BeyondPlan { .. }) => {
            let problem = sentence(&refused.to_string());
            Reply::invalid(&page(visit, &state, fields, Some(problem), None))
        }
    }
}

fn settings<'a>(visit: &'a Visit, plans: &'a domain::plan::Plans) -> RetentionSettings<'a> {
    RetentionSettings {
        stores: &*visit.state.stores,
        plans,
        installation: visit.state.settings.retention,
    }
}

fn state(visit: &Visit) -> Result<RetentionState, Failure> {
    let plans = visit.state.settings.plans.current();
    let organization = &visit.signed_in()?.membership.organization;
    Ok(settings(visit, &plans).of(organization)?)
}

fn page(
    visit: &Visit,
    state: &RetentionState,
    (reports, audit_log): (String, String),
    problem: Option<String>,
    deletes: Option<Deletes>,
) -> Page {
    Page {
        layout: Layout::new(visit, "Retention", Section::Settings),
        nav: Nav::new(visit, PATH),
        rows: rows(state),
        form: visit.may(Role::Admin).then(|| Fields {
            reports,
            audit_log,
            default: state.default(),
            most_days: MAX_DAYS,
        }),
        is_saved: visit.query.text("done") == "saved",
        problem,
        deletes,
    }
}

fn rows(state: &RetentionState) -> [Row; 3] {
    let effective = state.effective();
    let source = |chosen: Option<Keep>, plan: Option<Keep>| match (chosen, plan) {
        (Some(_), _) => "the organization",
        (None, Some(_)) => "the plan",
        (None, None) => "the installation",
    };
    let (chosen, plan) = (state.chosen, state.plan);
    [
        Row {
            what: "Audits and their reports",
            kept: effective.reports,
            source: source(chosen.reports, plan.reports),
        },
        Row {
            what: "Audit log",
            kept: effective.audit_log,
            source: source(chosen.audit_log, plan.audit_log),
        },
        Row {
            what: "Events and deliveries of webhooks",
            kept: effective.events,
            source: "the installation",
        },
    ]
}

/// The periods that the form asks for.
///
/// # Errors
/// A sentence that says what is wrong.
fn choice(form: &Form) -> Result<RetentionChoice, String> {
    Ok(RetentionChoice {
        reports: days(form, REPORTS, "Days that audits and their reports are kept")?,
        audit_log: days(form, AUDIT_LOG, "Days that the audit log is kept")?,
    })
}

/// A period in days; none where the field is empty.
fn days(form: &Form, field: &str, label: &str) -> Result<Option<Keep>, String> {
    let Some(text) = form.given(field) else {
        return Ok(None);
    };
    let days = text.parse().ok().filter(|days| *days <= MAX_DAYS);
    let days = days.ok_or_else(|| {
        let most = grouped(MAX_DAYS.into());
        format!("{label}: enter a whole number of at most {most}, or nothing.")
    })?;
    Ok(Some(Keep::days(days)))
}

/// What a choice deletes that is kept now; none where it shortens no period.
fn deletes(visit: &Visit, state: &RetentionState, choice: RetentionChoice) -> Option<Deletes> {
    let (now, before, after) = (visit.now(), state.effective(), state.with(choice));
    let end = |before: Keep, after: Keep| {
        let is_shorter = before.is_longer_than(after);
        is_shorter.then(|| Time::optional(after.ends_before(now)))?
    };
    let reports_before = end(before.reports, after.reports);
    let audit_log_before = end(before.audit_log, after.audit_log);
    let is_any = reports_before.is_some() || audit_log_before.is_some();
    is_any.then(|| Deletes {
        reports_before,
        audit_log_before,
        change: choice.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(form: &str) -> Result<RetentionChoice, String> {
        choice(&Form::parse(form.as_bytes()))
    }

    #[test]
    fn an_empty_field_is_the_default_and_zero_is_for_ever() {
        let choice = chosen("reports-days=&audit-log-days=0").unwrap();
        assert_eq!(choice.reports, None);
        assert_eq!(choice.audit_log, Some(Keep::Forever));
    }

    #[test]
    fn what_is_no_number_of_days_is_refused_by_the_name_of_its_field() {
        for wrong in ["-1", "1.5", "ten", "36526", "99999999999"] {
            let problem = chosen(&format!("audit-log-days={wrong}")).unwrap_err();
            let expected = "Days that the audit log is kept: enter a whole number of at most 36,525, or nothing.";
            assert_eq!(problem, expected);
        }
        assert!(chosen("audit-log-days=36525").is_ok());
    }
}
