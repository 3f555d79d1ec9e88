//! The operations under `/api/mcp`, one file each.

mod cancel_run;
mod comment_on_action;
mod compare_reports;
mod create_action;
mod create_site;
mod create_waiver;
mod create_webhook;
mod delete_site;
mod delete_waiver;
mod delete_webhook;
mod examples;
mod get_account;
mod get_action;
mod get_artifact;
mod get_brief;
mod get_report;
mod get_run;
mod get_schedule;
mod get_site;
mod get_site_history;
mod get_webhook;
mod handoff_actions;
mod list_actions;
mod list_artifacts;
mod list_causes;
mod list_checks;
mod list_comments;
mod list_deliveries;
mod list_links;
mod list_members;
mod list_occurrences;
mod list_pages;
mod list_redirects;
mod list_runs;
mod list_sites;
mod list_waivers;
mod list_webhooks;
mod queue_brief;
mod set_schedule;
mod start_audit;
mod test_webhook;
mod update_action;
mod update_site;
mod update_webhook;
mod watch_run;

use domain::report::Variant;

use crate::endpoint::Endpoint;

/// All operations, of any variant.
const ALL: &[Endpoint] = &[
    cancel_run::ENDPOINT,
    comment_on_action::ENDPOINT,
    compare_reports::ENDPOINT,
    create_action::ENDPOINT,
    create_site::ENDPOINT,
    create_waiver::ENDPOINT,
    create_webhook::ENDPOINT,
    delete_site::ENDPOINT,
    delete_waiver::ENDPOINT,
    delete_webhook::ENDPOINT,
    get_account::ENDPOINT,
    get_action::ENDPOINT,
    get_artifact::ENDPOINT,
    get_brief::ENDPOINT,
    get_report::ENDPOINT,
    get_run::ENDPOINT,
    get_schedule::ENDPOINT,
    get_site::ENDPOINT,
    get_site_history::ENDPOINT,
    get_webhook::ENDPOINT,
    handoff_actions::ENDPOINT,
    list_actions::ENDPOINT,
    list_artifacts::ENDPOINT,
    list_causes::ENDPOINT,
    list_checks::ENDPOINT,
    list_comments::ENDPOINT,
    list_deliveries::ENDPOINT,
    list_links::ENDPOINT,
    list_members::ENDPOINT,
    list_occurrences::ENDPOINT,
    list_pages::ENDPOINT,
    list_redirects::ENDPOINT,
    list_runs::ENDPOINT,
    list_sites::ENDPOINT,
    list_waivers::ENDPOINT,
    list_webhooks::ENDPOINT,
    queue_brief::ENDPOINT,
    set_schedule::ENDPOINT,
    start_audit::ENDPOINT,
    test_webhook::ENDPOINT,
    update_action::ENDPOINT,
    update_site::ENDPOINT,
    update_webhook::ENDPOINT,
    watch_run::ENDPOINT,
];

/// The operations of a variant.
pub(crate) fn in_variant(variant: Variant) -> impl Iterator<Item = &'static Endpoint> {
    ALL.iter()
        .filter(move |endpoint| endpoint.variants.contains(&variant))
}
