//! Answers for the documentation, made of the types that real answers are made of.

mod action;
mod report;
mod waiver;
mod webhook;

use api_types::account::{Account, Key, Organization, Plan, PlanLimits, PlanUsage, Role};
use api_types::check::{Check, CheckList};
use api_types::dimension::{Dimension, PerDimension};
use api_types::member::{Member, MemberList};
use api_types::report::{Severity, Variant as WireVariant};
use api_types::run::{
    Device, Mode, Run, RunList, RunOptions, RunPhase, RunProgress, RunStatus, Trigger,
};
use api_types::schedule::{Frequency, Schedule};
use api_types::site::{HistoryRun, Site, SiteHistory, SiteList};
use api_types::start_audit::StartAuditResponse;
use domain::report::Variant;
use serde_json::Value;

use httpkit::run_events::event;

pub(super) use action::{
    action, actions, brief, comment, comments, handoff, own_action, queued_brief,
};

pub(super) use report::{artifacts, causes, diff, links, occurrences, pages, redirects, report};

pub(super) use waiver::{waiver, waivers};

pub(super) use webhook::{created_webhook, deliveries, test_delivery, webhook, webhooks};

const RUN: &str = "run_01KAK2M4T0W3Q8E6R5Y7N9PXZA";
const REPORT: &str = "rep_01KAK2NB6HQ4V1X9C7J3D5S8MT";
const SITE: &str = "site_01KAK2M4T0B7F2G4H6J8K1M3NP";
const URL: &str = "https://example.com/";

pub(super) fn started_audit() -> StartAuditResponse {
    StartAuditResponse {
        run_id: RUN.to_owned(),
        status: RunStatus::Queued,
        site_id: SITE.to_owned(),
    }
}

pub(super) fn run() -> Run {
    Run {
        run_id: RUN.to_owned(),
        status: RunStatus::Completed,
        url: URL.to_owned(),
        site_id: SITE.to_owned(),
        report_id: Some(REPORT.to_owned()),
        trigger: Trigger::Api,
        options: RunOptions {
            max_pages: 1_000,
            max_depth: None,
            mode: Mode::Auto,
            include: Vec::new(),
            exclude: vec!["/search".to_owned()],
            device: Device::Mobile,
            headers: None,
            user_agent: None,
            respect_robots: true,
        },
        progress: RunProgress {
            phase: RunPhase::Done,
            pages_discovered: 48,
            pages_fetched: 46,
            pages_audited: 44,
            pages_rendered: 0,
            pages_measured: None,
            seconds_left: None,
            percent: 100,
        },
        error: None,
        created_at: "2026-11-21T12:00:00.000Z".to_owned(),
        started_at: Some("2026-11-21T12:00:00.140Z".to_owned()),
        finished_at: Some("2026-11-21T12:00:39.512Z".to_owned()),
    }
}

pub(super) fn cancelled_run() -> Run {
    Run {
        status: RunStatus::Cancelled,
        report_id: None,
        progress: RunProgress {
            phase: RunPhase::Crawling,
            pages_discovered: 48,
            pages_fetched: 12,
            pages_audited: 11,
            pages_rendered: 0,
            pages_measured: None,
            seconds_left: None,
            percent: 23,
        },
        ..run()
    }
}

/// The last event of a stream.
pub(super) fn events() -> serde_json::Result<Value> {
    let data = serde_json::to_string(&run())?;
    Ok(Value::String(event("completed", &data)))
}

pub(super) fn runs() -> RunList {
    RunList {
        runs: vec![run()],
        next_cursor: Some("r000001a1fdfa460001KAK2M4T0W3Q8E6R5Y7N9PXZA6e0e6034".to_owned()),
    }
}

pub(super) fn sites() -> SiteList {
    SiteList {
        sites: vec![site()],
    }
}

pub(super) fn site() -> Site {
    Site {
        latest_run: Some(run()),
        latest_score: Some(87),
        open_actions: 3,
        ..new_site()
    }
}

pub(super) fn new_site() -> Site {
    Site {
        site_id: SITE.to_owned(),
        url: URL.to_owned(),
        name: "example.com".to_owned(),
        created_at: "2026-11-21T12:00:00.000Z".to_owned(),
        latest_run: None,
        latest_score: None,
        open_actions: 0,
    }
}

pub(super) fn history(variant: Variant) -> SiteHistory {
    SiteHistory {
        site_id: SITE.to_owned(),
        runs: vec![HistoryRun {
            run: run(),
            overall_score: Some(87),
            subscores: Some(subscores(variant)),
            lab: None,
        }],
    }
}

pub(super) fn checks() -> CheckList {
    CheckList {
        checks: vec![Check {
            check_id: "description-missing".to_owned(),
            title: "Pages have no description".to_owned(),
            dimension: Dimension::Seo,
            scope: "page".to_owned(),
            severity: Severity::Moderate,
            weight: 3,
            needs_browser: false,
            help_url: "https://assay.example/checks/description-missing".to_owned(),
        }],
    }
}

pub(super) fn schedule() -> Schedule {
    Schedule {
        site_id: SITE.to_owned(),
        enabled: true,
        frequency: Some(Frequency::Weekly),
        cron: None,
        timezone: Some("Europe/Berlin".to_owned()),
        next_run_at: Some("2026-11-28T03:00:00.000Z".to_owned()),
        last_run_at: Some("2026-11-21T03:00:00.000Z".to_owned()),
        last_run_id: Some(RUN.to_owned()),
    }
}

pub(super) fn account(variant: Variant) -> Account {
    Account {
        organization: Organization {
            organization_id: "org_01KAK0000051R7T9V2X4Z6B8DF".to_owned(),
            name: "Example".to_owned(),
        },
        plan: Plan {
            plan_id: "team".to_owned(),
            name: "team".to_owned(),
            paid: true,
            limits: PlanLimits {
                sites: Some(10),
                monthly_runs: None,
                storage_bytes: Some(10_000_000_000),
                rendered_pages_per_run: Some(500),
                monthly_rendered_pages: Some(20_000),
            },
            usage: PlanUsage {
                sites: 1,
                monthly_runs: 12,
                storage_bytes: 1_860_000,
                monthly_rendered_pages: 240,
                period_start: "2026-11-01T00:00:00.000Z".to_owned(),
                period_end: "2026-12-01T00:00:00.000Z".to_owned(),
            },
        },
        key: Key {
            key_id: "key_01KAK0000062S8V3X5Z7B9DFHK".to_owned(),
            name: "continuous integration".to_owned(),
            prefix: "sk_service_Za9Z".to_owned(),
            role: Role::Member,
            created_at: "2026-11-20T09:30:00.000Z".to_owned(),
            last_used_at: Some("2026-11-21T11:58:00.000Z".to_owned()),
            expires_at: None,
        },
        variant: wire_variant(variant),
    }
}

pub(super) fn members() -> MemberList {
    MemberList {
        members: vec![Member {
            member_id: "mem_01KAK0000073T9W4Y6A8CEGJMQ".to_owned(),
            name: "Ada".to_owned(),
            email: "ada@example.com".to_owned(),
            role: Role::Member,
        }],
    }
}

fn subscores(variant: Variant) -> PerDimension<u8> {
    per_dimension(variant, 87)
}

fn per_dimension<T: Clone>(variant: Variant, value: T) -> PerDimension<T> {
    PerDimension {
        performance: value.clone(),
        accessibility: value.clone(),
        seo: value.clone(),
        security: value.clone(),
        content: value.clone(),
        ai_readiness: match variant {
            Variant::Current => Some(value),
            Variant::Legacy => None,
        },
    }
}

const fn wire_variant(variant: Variant) -> WireVariant {
    match variant {
        Variant::Current => WireVariant::Current,
        Variant::Legacy => WireVariant::Legacy,
    }
}
