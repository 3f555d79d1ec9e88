//! Creating, changing and removing sites, and the default options of their runs.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::id::{KeyId, OrgId, ReportId, SiteId};
use domain::plan::{LimitHit, PlanLimits};
use domain::ports::{
    CreateSiteError, LeaseStatus, NewRun, NewSite, ReportDetail, SiteRef, StoreError, Stores,
};
use domain::report::{PageListing, Variant};
use domain::run::{AskedOptions, Device, Mode, RequestHeaders, RunFilter, RunProgress};
use domain::site::{SiteName, SitePatch};
use testkit::sample;

use crate::contract::world::{Fixture, RULES, at, at_once, blocked, causes, occurrences, pages};

const NO_CAPS: PlanLimits = PlanLimits {
    sites: None,
    monthly_runs: None,
    storage_bytes: None,
    rendered_pages_per_run: None,
    monthly_rendered_pages: None,
};

/// A new site with a host that is not stored yet.
pub(crate) fn new_site(world: &Fixture<'_>, host: &str) -> NewSite {
    let url = format!("https://{host}/");
    sample::new_run(&world.ids, &url).new_site
}

fn create(
    world: &Fixture<'_>,
    org: &OrgId,
    site: &NewSite,
    most: Option<u64>,
    now: DateTime<Utc>,
) -> Result<(), CreateSiteError> {
    let limits = PlanLimits {
        sites: most,
        ..NO_CAPS
    };
    let by = Actor::CommandLine;
    world.stores.create_site(org, site, limits, now, &by)
}

/// Stores a site.
pub(crate) fn created(world: &Fixture<'_>, org: &OrgId, host: &str) -> SiteId {
    let site = new_site(world, host);
    create(world, org, &site, None, at(0)).unwrap();
    site.id
}

fn named(name: &str) -> SitePatch {
    SitePatch {
        name: SiteName::parse(name),
        options: None,
    }
}

/// Options with a value for every field.
pub(crate) fn options() -> AskedOptions {
    let headers = [("authorization", "Bearer hunter2"), ("x-preview", "ä")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    AskedOptions {
        max_pages: Some(7),
        max_depth: Some(0),
        mode: Some(Mode::Static),
        device: Some(Device::Desktop),
        include: Some(vec!["/a*".to_owned(), "*?b=\"'%;--".to_owned()]),
        exclude: Some(Vec::new()),
        headers: Some(RequestHeaders::stored(BTreeMap::from(headers))),
        user_agent: Some("Somebody/1.0".to_owned()),
        respect_robots: Some(false),
    }
}

fn set_options(world: &Fixture<'_>, org: &OrgId, site: &SiteId, options: AskedOptions) {
    let patch = SitePatch {
        name: None,
        options: Some(options),
    };
    let by = Actor::CommandLine;
    let done = world.stores.patch_site(org, site, &patch, at(1), &by);
    assert!(done.unwrap());
}

/// Returns event, subject and detail of the audit log lines about sites.
fn lines(stores: &dyn Stores, org: &OrgId) -> Vec<(String, String, String)> {
    let mut lines = stores.audit_log(org).unwrap();
    lines.retain(|line| line.event.starts_with("site."));
    lines
        .into_iter()
        .map(|line| (line.event, line.subject, line.detail))
        .collect()
}

fn line(event: &str, site: &SiteId, detail: &str) -> (String, String, String) {
    (
        event.to_owned(),
        site.as_str().to_owned(),
        detail.to_owned(),
    )
}

pub(crate) fn a_site_is_created_without_a_run(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let new = new_site(&world, "example.com");
    create(&world, &org, &new, Some(1), at(3)).unwrap();
    let overview = stores.site(&org, &new.id, Variant::Current).unwrap();
    let overview = overview.unwrap();
    assert_eq!(overview.site.id, new.id);
    assert_eq!(overview.site.org_id, org);
    assert_eq!(overview.site.host, new.host);
    assert_eq!(overview.site.url, "https://example.com/");
    assert_eq!(overview.site.name, "example.com");
    assert_eq!(overview.site.created_at, at(3));
    assert_eq!((overview.latest_run, overview.latest_scores), (None, None));
    assert_eq!(stores.history(&org, &new.id, 10).unwrap(), Some(Vec::new()));
    // It uses none of the month's runs, and the next run of its host is attached to it.
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 0);
    assert_eq!(world.usage(&org, at(0)).sites, 1);
    let started = world.start(&org, "http://www.example.com/a");
    assert_eq!(started.site_id, new.id);
    let told = [line("site.created", &new.id, "example.com")];
    assert_eq!(lines(stores, &org), told);
}

pub(crate) fn one_site_is_shown_as_in_the_list(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (claim, _) = world.completed(&org, "https://example.com/", at(0));
    let other = created(&world, &org, "example.org");
    for variant in [Variant::Current, Variant::Legacy] {
        let sites = stores.sites(&org, variant).unwrap();
        assert_eq!(sites.len(), 2);
        for overview in sites {
            let one = stores.site(&org, &overview.site.id, variant).unwrap();
            assert_eq!(one, Some(overview));
        }
        let unknown = SiteId::make(&world.ids);
        assert_eq!(stores.site(&org, &unknown, variant).unwrap(), None);
    }
    let first = stores.site(&org, &claim.site_id, Variant::Current);
    assert!(first.unwrap().unwrap().latest_scores.is_some());
    let second = stores.site(&org, &other, Variant::Current);
    assert_eq!(second.unwrap().unwrap().latest_run, None);
}

pub(crate) fn a_site_that_is_there_is_named_before_the_cap(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = world.start(&org, "https://example.com/").site_id;
    let refused = |host, most| {
        let new = new_site(&world, host);
        create(&world, &org, &new, Some(most), at(1)).unwrap_err()
    };
    let exists = CreateSiteError::Exists(site);
    assert_eq!(refused("example.com", 1), exists);
    assert_eq!(refused("example.com", 9), exists);
    let hit = CreateSiteError::LimitHit(LimitHit::Sites(1));
    assert_eq!(refused("example.org", 1), hit);
    assert_eq!(stores.sites(&org, Variant::Current).unwrap().len(), 1);
    assert_eq!(lines(stores, &org), []);
}

pub(crate) fn a_site_needs_its_organization(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let unknown = OrgId::make(&world.ids);
    let site = new_site(&world, "example.com");
    let refused = create(&world, &unknown, &site, None, at(0));
    assert!(
        matches!(refused, Err(CreateSiteError::Store(StoreError::Failed(_)))),
        "{refused:?}"
    );
}

pub(crate) fn one_of_twenty_sites_at_once_passes_the_cap(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    created(&world, &org, "first.example");
    // Repeated, because in the first round the connections are still being opened one after another.
    for cap in 2..8 {
        let answers = at_once(20, |number| {
            let new = new_site(&world, &format!("site-{cap}-{number}.example"));
            create(&world, &org, &new, Some(cap), at(1))
        });
        let passed = answers.iter().filter(|answer| answer.is_ok()).count();
        assert_eq!(passed, 1, "{answers:?}");
        let hit = CreateSiteError::LimitHit(LimitHit::Sites(cap));
        for error in answers.into_iter().filter_map(Result::err) {
            assert_eq!(error, hit);
        }
        assert_eq!(world.usage(&org, at(0)).sites, cap);
    }
}

pub(crate) fn of_sites_of_a_host_at_once_one_is_created(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let answers = at_once(8, |_| {
        let new = new_site(&world, "example.com");
        create(&world, &org, &new, Some(1), at(1))
    });
    let site = stores.sites(&org, Variant::Current).unwrap().remove(0);
    let exists = CreateSiteError::Exists(site.site.id);
    let refused: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
    assert_eq!(refused, vec![exists; 7]);
}

pub(crate) fn a_site_is_renamed(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = created(&world, &org, "example.com");
    let other = created(&world, &org, "example.org");
    let by = Actor::Key(KeyId::make(&world.ids));
    let name = "  \u{202e}Shop 🦀 '\"% ";
    let done = stores.patch_site(&org, &site, &named(name), at(1), &by);
    assert!(done.unwrap());
    let shown = |site| {
        let overview = stores.site(&org, site, Variant::Current).unwrap();
        overview.unwrap().site.name
    };
    assert_eq!(shown(&site), "\u{202e}Shop 🦀 '\"%");
    assert_eq!(shown(&other), "example.org");
    let log = stores.audit_log(&org).unwrap();
    let last = log.last().unwrap();
    assert_eq!((last.actor.as_str(), last.at), (by.as_str(), at(1)));
    let told = lines(stores, &org);
    assert_eq!(told.last(), Some(&line("site.changed", &site, "name")));
}

pub(crate) fn an_unchanged_site_update_is_not_logged(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = created(&world, &org, "example.com");
    let before = stores.audit_log(&org).unwrap();
    let by = Actor::CommandLine;
    let nothing = SitePatch::default();
    let patched = stores.patch_site(&org, &site, &nothing, at(1), &by);
    assert!(patched.unwrap());
    let unknown = SiteId::make(&world.ids);
    for patch in [&nothing, &named("Shop")] {
        let patched = stores.patch_site(&org, &unknown, patch, at(1), &by);
        assert!(!patched.unwrap());
    }
    assert!(!stores.delete_site(&org, &unknown, at(1), &by).unwrap());
    let nobody = OrgId::make(&world.ids);
    let patched = stores.patch_site(&nobody, &site, &named("Shop"), at(1), &by);
    assert!(!patched.unwrap());
    assert!(!stores.delete_site(&nobody, &site, at(1), &by).unwrap());
    assert_eq!(stores.audit_log(&org).unwrap(), before);
}

pub(crate) fn a_sites_defaults_come_back_whole(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = created(&world, &org, "example.com");
    let host = new_site(&world, "example.com").host;
    let both = [SiteRef::Id(&site), SiteRef::Host(&host)];
    let defaults = |wanted: &SiteRef<'_>| {
        let found = stores.site_defaults(&org, wanted).unwrap()?;
        assert_eq!(found.url, "https://example.com/");
        Some(found.options)
    };
    for wanted in &both {
        assert_eq!(defaults(wanted), Some(AskedOptions::default()));
    }
    set_options(&world, &org, &site, options());
    for wanted in &both {
        assert_eq!(defaults(wanted), Some(options()));
    }
    // New defaults replace all earlier ones, including the headers.
    let one = AskedOptions {
        headers: Some(RequestHeaders::default()),
        ..AskedOptions::default()
    };
    for next in [one, AskedOptions::default()] {
        set_options(&world, &org, &site, next.clone());
        assert_eq!(defaults(&both[0]), Some(next));
    }
    let told = lines(stores, &org);
    let changed = line("site.changed", &site, "options");
    assert_eq!(told[1..], vec![changed; 3]);
    // A run keeps the options that it was started with.
    world.start(&org, "https://example.com/");
    assert!(world.claim(at(2)).options.headers.is_empty());
}

pub(crate) fn a_site_that_is_not_there_has_no_defaults(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    created(&world, &org, "example.com");
    let unknown = SiteId::make(&world.ids);
    let host = new_site(&world, "www.example.org").host;
    for wanted in [SiteRef::Id(&unknown), SiteRef::Host(&host)] {
        assert_eq!(stores.site_defaults(&org, &wanted).unwrap(), None);
    }
}

pub(crate) fn renaming_keeps_the_defaults(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = created(&world, &org, "example.com");
    set_options(&world, &org, &site, options());
    let by = Actor::CommandLine;
    let patched = stores.patch_site(&org, &site, &named("Shop"), at(2), &by);
    assert!(patched.unwrap());
    let defaults = stores.site_defaults(&org, &SiteRef::Id(&site)).unwrap();
    assert_eq!(defaults.map(|site| site.options), Some(options()));
    let both = SitePatch {
        options: Some(AskedOptions::default()),
        ..named("Other")
    };
    assert!(stores.patch_site(&org, &site, &both, at(3), &by).unwrap());
    let told = lines(stores, &org);
    let last = line("site.changed", &site, "name, options");
    assert_eq!(told.last(), Some(&last));
}

/// Nothing is left of a site, its run and its report.
fn assert_gone(stores: &dyn Stores, org: &OrgId, site: &SiteId, reports: &[ReportId]) {
    assert_eq!(stores.site(org, site, Variant::Current).unwrap(), None);
    assert_eq!(stores.history(org, site, 10).unwrap(), None);
    assert_eq!(stores.schedule(org, site).unwrap(), None);
    let defaults = stores.site_defaults(org, &SiteRef::Id(site));
    assert_eq!(defaults.unwrap(), None);
    let of_site = RunFilter {
        site_id: Some(site.clone()),
        ..RunFilter::default()
    };
    assert_eq!(stores.runs(org, &of_site, None, 10).unwrap(), None);
    for report in reports {
        let found = stores
            .report(org, report, Variant::Current, ReportDetail::Inline)
            .unwrap();
        assert_eq!(found, None);
        assert_eq!(
            stores
                .pages(org, report, &PageListing::all(Variant::Current), None, 10)
                .unwrap(),
            None
        );
        assert_eq!(stores.org_of_report(report).unwrap(), None);
    }
}

pub(crate) fn a_site_is_removed_with_all_its_data(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let claim = {
        world.start(&org, "https://example.com/");
        world.claim(at(0))
    };
    assert_eq!(
        stores.write_pages(&claim, &pages(3)).unwrap(),
        LeaseStatus::Held
    );
    let completed = world.complete(&claim, &sample::audit_result(), at(1));
    let (kept, kept_report) = world.completed(&org, "https://example.org/", at(2));
    let queued = world.start_at(&org, "https://example.com/", at(3));
    set_options(&world, &org, &claim.site_id, options());
    let by = Actor::CommandLine;
    let usage = world.usage(&org, at(0)).monthly_runs;
    let deleted = stores.delete_site(&org, &claim.site_id, at(4), &by);
    assert!(deleted.unwrap());

    assert_gone(stores, &org, &claim.site_id, &[completed.report_id]);
    for run in [&claim.run_id, &queued.run_id] {
        assert_eq!(stores.run(&org, run).unwrap(), None);
        assert_eq!(stores.cancel_run(&org, run, at(5)).unwrap(), None);
    }
    assert_eq!(world.try_claim(at(1_000)), None);
    // The month's usage is kept, and the site no longer counts.
    let now = world.usage(&org, at(0));
    assert_eq!((now.sites, now.monthly_runs), (1, usage));
    let told = lines(stores, &org);
    let last = line("site.deleted", &claim.site_id, "example.com");
    assert_eq!(told.last(), Some(&last));
    // The other site is unchanged.
    assert!(stores.run(&org, &kept.run_id).unwrap().is_some());
    let report = stores.report(&org, &kept_report, Variant::Current, ReportDetail::Inline);
    assert!(report.unwrap().is_some());
    let again = stores.delete_site(&org, &claim.site_id, at(6), &by);
    assert!(!again.unwrap());
    assert_eq!(lines(stores, &org), told);
}

pub(crate) fn a_host_can_be_a_site_again(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    set_options(&world, &org, &claim.site_id, options());
    let by = Actor::CommandLine;
    assert!(
        stores
            .delete_site(&org, &claim.site_id, at(1), &by)
            .unwrap()
    );
    let started = world.start_at(&org, "https://example.com/", at(2));
    assert_ne!(started.site_id, claim.site_id);
    let site = SiteRef::Id(&started.site_id);
    let defaults = stores.site_defaults(&org, &site).unwrap();
    assert_eq!(
        defaults.map(|site| site.options),
        Some(AskedOptions::default())
    );
    assert_eq!(world.claim(at(3)).run_id, started.run_id);
}

pub(crate) fn a_worker_loses_the_run_of_a_site_that_is_removed(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let completed = sample::completed_run(&world.ids, &sample::audit_result());
    let all = causes(&completed.reports);
    assert_eq!(
        stores.write_causes(&claim, &all).unwrap(),
        LeaseStatus::Held
    );
    let batch = occurrences(&completed.reports);
    let held = stores.write_occurrences(&claim, &batch[..100]).unwrap();
    assert_eq!(held, LeaseStatus::Held);
    assert_eq!(
        stores.write_pages(&claim, &pages(3)).unwrap(),
        LeaseStatus::Held
    );
    let by = Actor::CommandLine;
    let deleted = stores.delete_site(&org, &claim.site_id, at(1), &by);
    assert!(deleted.unwrap());
    let lost = [
        stores.holds(&claim),
        stores.heartbeat(&claim, &RunProgress::QUEUED, &RULES, at(2)),
        stores.write_causes(&claim, &causes(&completed.reports)),
        stores.write_occurrences(&claim, &batch[..10]),
        stores.write_pages(&claim, &pages(1)),
        stores.complete(&claim, &completed, &world.ids, at(2)),
        stores.fail(&claim, &blocked(), at(2)),
        stores.hand_back(&claim, domain::ports::HandBack::Stopped, at(2)),
    ];
    assert_eq!(lost, [(); 8].map(|()| Ok(LeaseStatus::Lost)));
    assert_gone(stores, &org, &claim.site_id, &[completed.report_id]);
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 1);
}

pub(crate) fn of_removing_and_completing_at_once_nothing_is_left(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for round in 0..5 {
        world.start_at(&org, "https://example.com/", at(round));
        let claim = world.claim(at(round));
        let completed = sample::completed_run(&world.ids, &sample::audit_result());
        at_once(2, |number| match number {
            0 => {
                let by = Actor::CommandLine;
                let deleted = stores.delete_site(&org, &claim.site_id, at(round), &by);
                assert!(deleted.unwrap());
            }
            _ => {
                // Either may be first.
                let _ = stores
                    .complete(&claim, &completed, &world.ids, at(round))
                    .unwrap();
            }
        });
        assert_gone(stores, &org, &claim.site_id, &[completed.report_id]);
    }
}

pub(crate) fn of_removing_and_starting_at_once_no_run_is_without_its_site(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for round in 0..5 {
        let site = world.start(&org, "https://example.com/").site_id;
        let started = at_once(4, |number| {
            if number == 0 {
                let deleted = stores.delete_site(&org, &site, at(round), &Actor::CommandLine);
                assert!(deleted.unwrap());
                return None;
            }
            let run: NewRun = sample::new_run(&world.ids, "https://example.com/");
            Some(stores.start_run(&org, &run).unwrap())
        });
        for started in started.into_iter().flatten() {
            let run = stores.run(&org, &started.run_id).unwrap();
            let its_site = stores.site(&org, &started.site_id, Variant::Current);
            assert_eq!(run.is_some(), its_site.unwrap().is_some());
            assert_eq!(run.is_some(), started.site_id != site);
        }
        for overview in stores.sites(&org, Variant::Current).unwrap() {
            let deleted =
                stores.delete_site(&org, &overview.site.id, at(round), &Actor::CommandLine);
            assert!(deleted.unwrap());
        }
    }
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 20);
}
