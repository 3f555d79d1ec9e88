//! Converts domain values of the stores and use cases to wire types.

mod account;
mod action;
mod artifact;
mod brief;
mod check;
mod comment;
mod diff;
mod event;
mod given_time;
mod handoff;
mod link;
mod member;
mod options;
mod page;
mod report;
mod run;
mod same_variants;
mod schedule;
mod site;
mod site_links;
mod waiver;
mod webhook;

use api_types::dimension::PerDimension;
use chrono::{DateTime, SecondsFormat, Utc};
use domain::Dimension;
use domain::report::{Scores, Variant};
use httpkit::problem::{FieldCode, Problem, field_error};

pub(crate) use account::account;
pub(crate) use action::{action, action_patch, actions, member, new_action};
pub(crate) use artifact::artifacts;
pub(crate) use brief::{brief, queued_brief};
pub(crate) use check::{checks, is_shown};
pub(crate) use comment::{author, comment, comments};
pub(crate) use diff::diff;
pub use event::event_body;
pub(crate) use handoff::{handoff, handoff_format};
pub(crate) use link::pdf_url;
pub(crate) use member::members;
pub(crate) use options::{options, validate_options};
pub(crate) use page::pages;
pub(crate) use report::{causes, occurrences, report};
pub(crate) use run::{run, runs};
pub(crate) use same_variants::ToDomain;
pub(crate) use schedule::{schedule, schedule_change};
pub(crate) use site::{history, new_site, site, site_name, sites};
pub(crate) use site_links::{links, redirects};
pub(crate) use waiver::{new_waiver, waiver, waivers};
pub(crate) use webhook::{
    created_webhook, deliveries, delivery, webhook, webhook_events, webhook_problem, webhooks,
};

/// A time as the wire has it: RFC 3339 in UTC, with milliseconds.
pub(crate) fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The problem of a parameter whose value is not one of a closed list.
pub(crate) fn unknown_value(field: &str, allowed: &[&str]) -> Problem {
    let message = format!("Must be one of {}.", allowed.join(", "));
    let mut error = field_error(FieldCode::UnknownValue, field, message);
    error.allowed = allowed.iter().map(|value| (*value).to_owned()).collect();
    Problem::fields(vec![error])
}

fn subscores(scores: &Scores, variant: Variant) -> PerDimension<u8> {
    let of = |wanted: Dimension| {
        scores
            .subscores(variant)
            .find(|(dimension, _)| *dimension == wanted)
            .map(|(_, score)| score)
    };
    PerDimension {
        performance: of(Dimension::Performance).unwrap_or_default(),
        accessibility: of(Dimension::Accessibility).unwrap_or_default(),
        seo: of(Dimension::Seo).unwrap_or_default(),
        security: of(Dimension::Security).unwrap_or_default(),
        content: of(Dimension::Content).unwrap_or_default(),
        ai_readiness: of(Dimension::AiReadiness),
    }
}
