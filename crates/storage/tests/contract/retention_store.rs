//! Retention.

use chrono::{DateTime, TimeDelta, Utc};
use domain::action::{BriefRequest, ObservationMode};
use domain::audit_log::{Actor, AuditNote};
use domain::id::{OrgId, RunId};
use domain::ports::{QueueDepth, Removed, ReportDetail, Stores};
use domain::report::Variant;
use domain::retention::{Keep, RetentionChoice};
use domain::run::RunFilter;
use testkit::sample;

use crate::contract::world::{Fixture, at, blocked};

const MANY: u32 = 1_000;

fn runs(world: &Fixture<'_>, org: &OrgId) -> Vec<RunId> {
    let page = world.stores.runs(org, &RunFilter::default(), None, 200);
    let runs = page.unwrap().unwrap().runs;
    runs.into_iter().map(|run| run.id).collect()
}

/// Removes everything that is past its retention period, in steps.
fn removed(world: &Fixture<'_>, org: &OrgId, ended_before: DateTime<Utc>) -> u64 {
    let mut count = 0;
    for _ in 0..1_000 {
        let removed = world.stores.remove_runs(org, ended_before, MANY).unwrap();
        count += removed.count;
        if removed.is_all {
            return count;
        }
    }
    panic!("{count} runs are removed, and there is no end");
}

pub(crate) fn a_choice_comes_back_and_is_logged(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let nothing = RetentionChoice::default();
    assert_eq!(stores.retention(&org), Ok(nothing));
    for (choice, words) in [
        (
            RetentionChoice {
                reports: Some(Keep::days(90)),
                audit_log: Some(Keep::Forever),
            },
            "reports 90 days, audit log for ever",
        ),
        (
            RetentionChoice {
                reports: None,
                audit_log: Some(Keep::days(1)),
            },
            "reports plan default, audit log 1 day",
        ),
        (nothing, "reports plan default, audit log plan default"),
    ] {
        let set = stores.set_retention(&org, choice, at(0), &Actor::CommandLine);
        assert_eq!(set, Ok(true));
        assert_eq!(stores.retention(&org), Ok(choice));
        let logged = world.logged(&org, "org.retention_changed");
        assert_eq!(logged.last(), Some(&(org.to_string(), words.to_owned())));
    }
}

pub(crate) fn a_choice_needs_its_organization(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let org = OrgId::make(&world.ids);
    let choice = RetentionChoice::default();
    let set = stores.set_retention(&org, choice, at(0), &Actor::CommandLine);
    assert_eq!(set, Ok(false));
    assert_eq!(stores.retention(&org), Ok(choice));
}

pub(crate) fn old_runs_go_with_all_that_is_about_them(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let result = sample::audit_result();
    let (old, old_report) = world.audited(&org, &result, 0);
    let (kept, kept_report) = world.audited(&org, &result, 1_000);
    let usage = world.usage(&org, at(0));

    // The first one ended ten seconds after noon.
    assert_eq!(removed(&world, &org, at(10)), 0);
    assert_eq!(removed(&world, &org, at(11)), 1);
    assert_eq!(removed(&world, &org, at(11)), 0);
    assert_eq!(stores.run(&org, &old.run_id), Ok(None));
    let report = |id| {
        stores
            .report(&org, id, Variant::Current, ReportDetail::Inline)
            .unwrap()
    };
    assert!(report(&old_report.report_id).is_none());
    assert!(report(&kept_report.report_id).is_some());
    assert_eq!(runs(&world, &org), std::slice::from_ref(&kept.run_id));
    let now = world.usage(&org, at(0));
    assert_eq!(now.monthly_runs, usage.monthly_runs);
    // Half the size of two equal reports.
    assert_eq!(now.storage_bytes * 2, usage.storage_bytes);
    let site = stores.site(&org, &kept.site_id, Variant::Current);
    let site = site.unwrap().unwrap();
    assert_eq!(site.latest_run.map(|run| run.id), Some(kept.run_id));
    assert!(site.latest_scores.is_some());
    let history = stores.history(&org, &kept.site_id, 10).unwrap().unwrap();
    assert_eq!(history.len(), 1);
}

pub(crate) fn of_each_site_the_latest_run_and_the_latest_report_are_kept(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let first = world.completed(&org, "https://example.com/", at(0)).0;
    let second = world.completed(&org, "https://example.com/", at(10)).0;
    let other = world.completed(&org, "https://example.org/", at(20)).0;
    let fails = |second| {
        let run = world
            .start_at(&org, "https://example.com/", at(second))
            .run_id;
        let claim = world.claim(at(second));
        let _ = stores.fail(&claim, &blocked(), at(second)).unwrap();
        run
    };
    let (failed, latest) = (fails(30), fails(40));
    let later = at(0) + TimeDelta::days(4_000);
    assert_eq!(removed(&world, &org, later), 2);
    assert_eq!(runs(&world, &org), [latest, other.run_id, second.run_id]);
    for gone in [&first.run_id, &failed] {
        assert_eq!(stores.run(&org, gone), Ok(None));
    }
    assert_eq!(removed(&world, &org, later), 0);
}

pub(crate) fn the_latest_report_is_that_which_was_made_last(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let begin = |second| {
        world.start_at(&org, "https://example.com/", at(second));
        world.claim(at(second))
    };
    let (slow, quick, last) = (begin(0), begin(1), begin(2));
    let clean = sample::clean_audit_result();
    world.complete(&quick, &clean, at(100));
    world.complete(&slow, &clean, at(200));
    let _ = stores.fail(&last, &blocked(), at(210)).unwrap();
    assert_eq!(removed(&world, &org, at(9_000)), 1);
    assert_eq!(runs(&world, &org), [last.run_id, slow.run_id]);
}

pub(crate) fn runs_that_have_not_ended_and_runs_of_others_stay(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    for org in [&org, &other] {
        world.completed(org, "https://example.com/", at(0));
    }
    world.completed(&other, "https://example.com/", at(1));
    let running = world.start_at(&org, "https://example.com/", at(1)).run_id;
    let queued = world.start_at(&org, "https://example.com/", at(2)).run_id;
    world.claim(at(3));
    let later = at(0) + TimeDelta::days(4_000);
    // The report of the only completed run is the latest of its site.
    assert_eq!(removed(&world, &org, later), 0);
    assert_eq!(runs(&world, &org).len(), 3);
    assert_eq!(runs(&world, &org).first(), Some(&queued));
    assert!(runs(&world, &org).contains(&running));
    assert_eq!(runs(&world, &other).len(), 2);
    assert_eq!(removed(&world, &other, later), 1);
}

pub(crate) fn removing_goes_in_steps(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for second in [0, 100, 200] {
        world.completed(&org, "https://example.com/", at(second));
    }
    let (_, last) = world.audited(&org, &sample::audit_result(), 300);
    let first = stores.remove_runs(&org, at(9_000), 2).unwrap();
    assert!(!first.is_all && (1..=2).contains(&first.count), "{first:?}");
    assert_eq!(first.count + removed(&world, &org, at(9_000)), 3);
    assert_eq!(runs(&world, &org).len(), 1);
    let report = stores.report(
        &org,
        &last.report_id,
        Variant::Current,
        ReportDetail::Inline,
    );
    let mut issues = report.unwrap().unwrap().report.issues.into_iter();
    let has_causes = |issue: domain::report::Issue| {
        let mut causes = issue.causes.iter();
        causes.len() > 0 && causes.all(|cause| !cause.occurrences.is_empty())
    };
    assert!(issues.all(has_causes));
}

pub(crate) fn no_run_is_seen_half_removed(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let whole: Vec<_> = [0, 100, 200, 300]
        .into_iter()
        .map(|second| {
            let (claim, run) = world.audited(&org, &sample::audit_result(), second);
            let report =
                stores.report(&org, &run.report_id, Variant::Current, ReportDetail::Inline);
            (claim, run, report.unwrap().unwrap())
        })
        .collect();
    let site = &whole[0].0.site_id;
    let mut seen = whole.len();
    for _ in 0..1_000 {
        let step = stores.remove_runs(&org, at(9_000), 40).unwrap();
        let listed = runs(&world, &org);
        for (claim, run, before) in &whole {
            let report =
                stores.report(&org, &run.report_id, Variant::Current, ReportDetail::Inline);
            match listed.contains(&claim.run_id) {
                true => assert_eq!(report.unwrap().as_ref(), Some(before)),
                false => {
                    assert_eq!(report, Ok(None));
                    assert_eq!(stores.run(&org, &claim.run_id), Ok(None));
                }
            }
        }
        let history = stores.history(&org, site, 100).unwrap().unwrap();
        assert_eq!(history.len(), listed.len());
        assert!(history.iter().all(|entry| entry.scores.is_some()));
        assert!(listed.len() <= seen && !listed.is_empty());
        seen = listed.len();
        if step.is_all {
            break;
        }
    }
    assert_eq!(seen, 1);
}

pub(crate) fn items_stay_when_their_report_goes(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &sample::audit_result(), 0);
    let items = world.items(&org);
    assert!(!items.is_empty());
    // Verified by a run without findings, so they still reference the first report.
    world.audited(&org, &sample::clean_audit_result(), 100);
    assert_eq!(removed(&world, &org, at(50)), 1);
    assert_eq!(world.items(&org).len(), items.len());
    for item in &items {
        let dossier = stores.dossier(&org, &item.id, Variant::Current);
        let dossier = dossier.unwrap().unwrap();
        assert!(dossier.issue.is_none());
        assert_eq!(dossier.found, Some(ObservationMode::Static));
        let page = stores.comments(&org, &item.id, None, 10).unwrap();
        assert!(page.is_some());
    }
}

pub(crate) fn old_lines_of_the_audit_log_go_and_the_others_stay(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let note = |org: &OrgId, second: i64| {
        let note = AuditNote {
            event: "link.issued",
            subject: second.to_string(),
            detail: String::new(),
        };
        stores.note(org, at(second), &Actor::System, &note).unwrap();
    };
    for second in 1..=5 {
        note(&org, second);
        note(&other, second);
    }
    let step = |before, rows| stores.remove_audit_lines(&org, before, rows).unwrap();
    let all = |count| Removed {
        count,
        is_all: true,
    };
    assert_eq!(step(at(0), MANY), all(0));
    // Including the line of its creation, at noon.
    assert_eq!(step(at(2), 1).count, 1);
    assert_eq!(step(at(2), 1), all(1));
    assert_eq!(step(at(2), 1), all(0));
    assert_eq!(step(at(5), MANY), all(3));
    let subjects = |org: &OrgId| -> Vec<String> {
        let logged = world.logged(org, "link.issued").into_iter();
        logged.map(|(subject, _)| subject).collect()
    };
    assert_eq!(subjects(&org), ["5"]);
    assert_eq!(subjects(&other).len(), 5);
    // An earlier time changes nothing.
    assert_eq!(step(at(1), MANY), all(0));
    note(&org, 6);
    assert_eq!(subjects(&org), ["5", "6"]);
}

pub(crate) fn forgotten_answers_are_removed(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    crate::contract::idempotent_calls::answered(&world, &org, at(0));
    let day = TimeDelta::hours(24);
    let step = |now| stores.remove_answers(&org, now, MANY).unwrap();
    assert_eq!(step(at(0) + day - TimeDelta::seconds(1)).count, 0);
    let other = world.org();
    assert_eq!(
        stores
            .remove_answers(&other, at(0) + day, MANY)
            .unwrap()
            .count,
        0
    );
    assert_eq!(step(at(0) + day).count, 1);
    assert_eq!(step(at(0) + day).count, 0);
}

pub(crate) fn the_depth_of_the_queues_is_reported(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    assert_eq!(stores.queue_depth(), Ok(QueueDepth::default()));
    for second in [3, 1, 2] {
        world.start_at(&org, "https://example.com/", at(second));
    }
    let claim = world.claim(at(5));
    let item = world.item(&org, "Something");
    let request = BriefRequest {
        instructions: None,
        at: at(6),
    };
    let asked = stores.queue_brief(&org, &item.id, &request, &Actor::System, None);
    assert!(asked.is_ok());
    let depth = QueueDepth {
        waiting: 2,
        oldest_waiting: Some(at(2)),
        running: 1,
        briefs_waiting: 1,
    };
    assert_eq!(stores.queue_depth(), Ok(depth));
    let _ = stores
        .hand_back(&claim, domain::ports::HandBack::Stopped, at(7))
        .unwrap();
    let depth = stores.queue_depth().unwrap();
    assert_eq!((depth.waiting, depth.running), (3, 0));
    assert_eq!(depth.oldest_waiting, Some(at(1)));
}
