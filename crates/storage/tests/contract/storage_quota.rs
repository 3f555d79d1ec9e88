//! The storage limit of an organization, and the removal of runs beyond it.

use domain::id::{OrgId, RunId};
use domain::ports::{ReportDetail, Stores};
use domain::report::Variant;
use domain::run::RunFilter;
use testkit::sample;

use crate::contract::world::{Fixture, at, blocked};

const EVENT: &str = "runs.removed_for_storage";

fn bytes(world: &Fixture<'_>, org: &OrgId) -> u64 {
    world.usage(org, at(0)).storage_bytes
}

fn runs(world: &Fixture<'_>, org: &OrgId) -> Vec<RunId> {
    let page = world.stores.runs(org, &RunFilter::default(), None, 200);
    let runs = page.unwrap().unwrap().runs;
    runs.into_iter().map(|run| run.id).collect()
}

/// Removes runs beyond a number of bytes, in steps of `rows` rows.
fn removed(world: &Fixture<'_>, org: &OrgId, most: u64, rows: u32) -> u64 {
    let mut count = 0;
    for _ in 0..10_000 {
        let step = world.stores.remove_runs_beyond(org, most, at(5_000), rows);
        let step = step.unwrap();
        count += step.count;
        if step.is_all {
            return count;
        }
    }
    panic!("{count} runs are removed, and there is no end");
}

pub(crate) fn a_completed_run_counts_what_it_stores(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    assert_eq!(bytes(&world, &org), 0);
    let (_, completed) = world.audited(&org, &sample::audit_result(), 0);
    let issues = &completed.reports.current.issues;
    let occurrences = issues
        .iter()
        .flat_map(|issue| &issue.causes)
        .flat_map(|cause| &cause.occurrences);
    let texts: usize = occurrences
        .map(|found| found.url.len() + found.message.len())
        .sum();
    let first = bytes(&world, &org);
    assert!(first > u64::try_from(texts).unwrap(), "{first} for {texts}");
    world.audited(&org, &sample::clean_audit_result(), 100);
    let both = bytes(&world, &org);
    assert!(both > first && both - first < first, "{first}, {both}");
    // A failed run stores nothing.
    world.start_at(&org, "https://example.com/", at(200));
    let claim = world.claim(at(200));
    let _ = stores.fail(&claim, &blocked(), at(201)).unwrap();
    assert_eq!(bytes(&world, &org), both);
    assert_eq!(bytes(&world, &world.org()), 0);
}

pub(crate) fn the_oldest_runs_go_until_the_rest_fits(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let kept: Vec<RunId> = (0..5)
        .map(|number| {
            world
                .audited(&org, &sample::audit_result(), number * 100)
                .0
                .run_id
        })
        .collect();
    let all = bytes(&world, &org);
    let one = all / 5;
    assert_eq!(removed(&world, &org, all, 1_000), 0);
    assert_eq!(world.logged(&org, EVENT), []);
    // One byte too many removes a run, also in many small steps.
    assert_eq!(removed(&world, &org, all - 1, 1_000), 1);
    assert_eq!(removed(&world, &org, all - one - 1, 7), 1);
    let newest_first: Vec<_> = kept[2..].iter().rev().cloned().collect();
    assert_eq!(runs(&world, &org), newest_first);
    assert_eq!(bytes(&world, &org), all - 2 * one);
    let logged = world.logged(&org, EVENT);
    let (of, freed) = (org.to_string(), format!("{one} of {all} bytes"));
    assert_eq!(logged.len(), 2);
    assert!(
        logged[0].0 == of && logged[0].1.starts_with(&freed),
        "{logged:?}"
    );
    // The month's usage is kept.
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 5);
}

pub(crate) fn the_latest_report_of_a_site_is_never_removed(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let old = world.completed(&org, "https://a.example/", at(0));
    let report = world.completed(&org, "https://a.example/", at(100));
    let lonely = world.completed(&org, "https://b.example/", at(50));
    // The latest run of the first site has no report.
    let failed = world.start_at(&org, "https://a.example/", at(200)).run_id;
    let claim = world.claim(at(200));
    let _ = stores.fail(&claim, &blocked(), at(201)).unwrap();
    assert_eq!(removed(&world, &org, 0, 1_000), 1);
    assert_eq!(
        runs(&world, &org),
        [&failed, &report.0.run_id, &lonely.0.run_id].map(Clone::clone)
    );
    let there = |id| {
        let report = stores.report(&org, id, Variant::Current, ReportDetail::Inline);
        report.unwrap().is_some()
    };
    assert!(!there(&old.1) && there(&report.1) && there(&lonely.1));
    // It exceeds the limit, but a run can still be started.
    assert!(bytes(&world, &org) > 0);
    world.start_at(&org, "https://a.example/", at(300));
}

pub(crate) fn other_organizations_lose_nothing(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    for second in [0, 100] {
        world.audited(&org, &sample::audit_result(), second);
        world.audited(&other, &sample::audit_result(), second + 50);
    }
    let before = bytes(&world, &other);
    assert_eq!(removed(&world, &org, 0, 1_000), 1);
    assert_eq!(
        (runs(&world, &other).len(), bytes(&world, &other)),
        (2, before)
    );
}

pub(crate) fn runs_removed_by_retention_free_their_storage(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &sample::audit_result(), 0);
    world.audited(&org, &sample::audit_result(), 100);
    let both = bytes(&world, &org);
    while !stores.remove_runs(&org, at(50), 1_000).unwrap().is_all {}
    assert_eq!(bytes(&world, &org), both / 2);
}
