//! Schedules and the runs that they start.

use chrono::{DateTime, TimeDelta, Utc};
use domain::audit_log::Actor;
use domain::event::EventFacts;
use domain::id::{OrgId, SiteId};
use domain::plan::{Period, PlanLimits};
use domain::ports::{JobKind, NewRun, ScheduleOutcome, Stores};
use domain::run::Trigger;
use domain::schedule::{DueSchedule, Frequency, Schedule, ScheduleChange, SkipReason, Timetable};
use testkit::sample;

use crate::contract::world::{Fixture, at, at_once, worker};

const BY: Actor = Actor::CommandLine;
const URL: &str = "https://example.com/";

fn change(frequency: Frequency, enabled: bool) -> ScheduleChange {
    ScheduleChange {
        enabled,
        timetable: Timetable::new(frequency, "Europe/Berlin").unwrap(),
    }
}

fn daily() -> ScheduleChange {
    change(Frequency::Daily, true)
}

fn set(
    world: &Fixture<'_>,
    org: &OrgId,
    site: &SiteId,
    change: &ScheduleChange,
    next: Option<DateTime<Utc>>,
) -> Option<Schedule> {
    let set = world
        .stores
        .set_schedule(org, site, change, next, at(0), &BY);
    set.unwrap()
}

fn site(world: &Fixture<'_>, org: &OrgId, url: &str) -> SiteId {
    let site = sample::new_run(&world.ids, url).new_site;
    let made = world
        .stores
        .create_site(org, &site, PlanLimits::default(), at(0), &BY);
    assert_eq!(made, Ok(()));
    site.id
}

/// A site with a schedule that is due at the tenth second.
fn scheduled<'a>(stores: &'a dyn Stores) -> (Fixture<'a>, OrgId, SiteId) {
    let (world, org) = Fixture::with_org(stores);
    let site = site(&world, &org, URL);
    assert!(set(&world, &org, &site, &daily(), Some(at(10))).is_some());
    (world, org, site)
}

/// Returns the due schedules, in the order in which their jobs are claimed.
fn due(stores: &dyn Stores, second: i64) -> Vec<DueSchedule> {
    let mut found = Vec::new();
    let lease = TimeDelta::seconds(30);
    let claim = || stores.claim_job(JobKind::Schedule, &worker("s"), lease, at(second));
    while let Some(claim) = claim().unwrap() {
        let site = SiteId::parse(&claim.subject).unwrap();
        let due = stores.enabled_schedule(&claim.org_id, &site);
        found.extend(due.unwrap());
    }
    stores.release_jobs().unwrap();
    found
}

fn run(world: &Fixture<'_>, site: &SiteId, second: i64) -> NewRun {
    NewRun {
        site_id: Some(site.clone()),
        trigger: Trigger::Schedule,
        now: at(second),
        ..sample::new_run(&world.ids, URL)
    }
}

/// Tries to start what is due at a second; the next due time is a thousand seconds later.
fn start(
    world: &Fixture<'_>,
    due: &DueSchedule,
    run: Result<&NewRun, SkipReason>,
    second: i64,
) -> ScheduleOutcome {
    let started = world
        .stores
        .start_scheduled(due, run, Some(at(second + 1_000)), at(second));
    started.unwrap()
}

pub(crate) fn a_schedule_comes_back_as_it_was_set(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let id = site(&world, &org, URL);
    let cron = Frequency::Custom("30 4 * * 1-5".to_owned());
    let made = set(&world, &org, &id, &change(cron.clone(), true), Some(at(10))).unwrap();
    let expected = Schedule {
        site_id: id.clone(),
        enabled: true,
        frequency: Some(cron),
        timezone: Some("Europe/Berlin".to_owned()),
        next_run_at: Some(at(10)),
        last_run_at: None,
        last_run_id: None,
    };
    assert_eq!(made, expected);
    assert_eq!(stores.schedule(&org, &id), Ok(Some(expected)));
    let off = set(&world, &org, &id, &change(Frequency::Weekly, false), None).unwrap();
    assert_eq!((off.enabled, off.next_run_at), (false, None));
    assert_eq!(stores.schedule(&org, &id), Ok(Some(off)));
    let detail = ["30 4 * * 1-5, Europe/Berlin", "weekly, Europe/Berlin, off"];
    let line = |detail: &str| (id.to_string(), detail.to_owned());
    assert_eq!(world.logged(&org, "schedule.changed"), detail.map(line));
}

pub(crate) fn setting_the_same_schedule_again_is_not_logged(stores: &dyn Stores) {
    let (world, org, site) = scheduled(stores);
    let again = set(&world, &org, &site, &daily(), Some(at(20))).unwrap();
    assert_eq!(again.next_run_at, Some(at(20)));
    assert_eq!(world.logged(&org, "schedule.changed").len(), 1);
}

pub(crate) fn a_schedule_is_repaired_unless_it_was_already_changed(stores: &dyn Stores) {
    let (world, org, first) = scheduled(stores);
    let second = site(&world, &org, "https://shop.example/");
    set(&world, &org, &second, &daily(), Some(at(5_000)));
    let off = site(&world, &world.org(), URL);
    set(&world, &org, &off, &change(Frequency::Daily, false), None);
    let (mut listed, mut last) = (Vec::new(), None);
    loop {
        let mut some = stores.enabled_schedules(last.as_ref(), 1).unwrap();
        assert!(some.len() <= 1);
        let Some(schedule) = some.pop() else { break };
        last = Some(schedule.site_id.clone());
        listed.push(schedule);
    }
    let mut expected = vec![(first, at(10)), (second.clone(), at(5_000))];
    expected.sort();
    let found = listed
        .iter()
        .map(|found| (found.site_id.clone(), found.due_at));
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let ahead = listed.iter().find(|found| found.site_id == second).unwrap();
    assert_eq!(stores.repair_future_timestamps(ahead, at(50)), Ok(true));
    assert_eq!(due(stores, 50).len(), 2);
    assert_eq!(
        stores.repair_future_timestamps(ahead, at(60)),
        Ok(false),
        "it changed"
    );
    let schedule = stores.schedule(&org, &second).unwrap().unwrap();
    assert_eq!(schedule.next_run_at, Some(at(50)));
}

pub(crate) fn a_schedule_needs_its_site(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let foreign = site(&world, &world.org(), URL);
    for id in [foreign, SiteId::make(&world.ids)] {
        assert_eq!(set(&world, &org, &id, &daily(), Some(at(10))), None);
    }
    assert_eq!(due(stores, 1_000), []);
    assert_eq!(world.logged(&org, "schedule.changed"), []);
}

pub(crate) fn jobs_are_claimed_longest_due_first(stores: &dyn Stores) {
    let (world, org, first) = scheduled(stores);
    let other = world.org();
    let second = site(&world, &other, "https://b.example/");
    set(&world, &other, &second, &daily(), Some(at(5)));
    let off = site(&world, &other, "https://c.example/");
    set(&world, &other, &off, &change(Frequency::Daily, false), None);
    assert_eq!(due(stores, 4), []);
    let found = due(stores, 10);
    assert_eq!(
        found[1],
        DueSchedule {
            org_id: org,
            plan: "self_hosted".to_owned(),
            site_id: first,
            url: URL.to_owned(),
            frequency: Frequency::Daily,
            timezone: "Europe/Berlin".to_owned(),
            due_at: at(10),
        }
    );
    assert_eq!(found[0].site_id, second);
    assert_eq!(found.len(), 2);
}

pub(crate) fn a_due_schedule_starts_its_run_once(stores: &dyn Stores) {
    let (world, org, site) = scheduled(stores);
    let found = due(stores, 12);
    let new = run(&world, &site, 12);
    let ScheduleOutcome::Started(started) = start(&world, &found[0], Ok(&new), 12) else {
        panic!("it was not started");
    };
    assert_eq!((&started.run_id, &started.site_id), (&new.id, &site));
    let shown = stores.run(&org, &new.id).unwrap().unwrap();
    assert_eq!(
        (shown.trigger, shown.created_at),
        (Trigger::Schedule, at(12))
    );
    let schedule = stores.schedule(&org, &site).unwrap().unwrap();
    assert_eq!(schedule.next_run_at, Some(at(1_012)));
    assert_eq!(schedule.last_run_at, Some(at(12)));
    assert_eq!(schedule.last_run_id, Some(new.id));
    assert_eq!(due(stores, 1_011), []);
    let again = run(&world, &site, 13);
    assert_eq!(
        start(&world, &found[0], Ok(&again), 13),
        ScheduleOutcome::NotDue
    );
    assert_eq!(stores.run(&org, &again.id), Ok(None));
    assert_eq!(
        stores
            .usage(&org, Period::containing(at(0)))
            .unwrap()
            .monthly_runs,
        1
    );
    // Other settings keep the last run.
    let set = set(
        &world,
        &org,
        &site,
        &change(Frequency::Monthly, false),
        None,
    )
    .unwrap();
    assert_eq!(set.last_run_at, Some(at(12)));
}

pub(crate) fn only_one_concurrent_process_starts_the_run(stores: &dyn Stores) {
    let (world, org, site) = scheduled(stores);
    let found = due(stores, 10);
    let outcomes = at_once(8, |_| {
        start(&world, &found[0], Ok(&run(&world, &site, 10)), 10)
    });
    let started = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, ScheduleOutcome::Started(_)));
    assert_eq!(started.count(), 1);
    let lost = outcomes
        .iter()
        .filter(|outcome| **outcome == ScheduleOutcome::NotDue);
    assert_eq!(lost.count(), 7);
    assert_eq!(
        stores
            .usage(&org, Period::containing(at(0)))
            .unwrap()
            .monthly_runs,
        1
    );
}

pub(crate) fn a_schedule_that_was_changed_meanwhile_is_not_due(stores: &dyn Stores) {
    let (world, org, site) = scheduled(stores);
    let found = due(stores, 10);
    let new = run(&world, &site, 10);
    set(&world, &org, &site, &daily(), Some(at(50)));
    assert_eq!(
        start(&world, &found[0], Ok(&new), 10),
        ScheduleOutcome::NotDue
    );
    set(&world, &org, &site, &change(Frequency::Daily, false), None);
    assert_eq!(
        start(&world, &found[0], Ok(&new), 10),
        ScheduleOutcome::NotDue
    );
    assert!(stores.delete_site(&org, &site, at(11), &BY).unwrap());
    assert_eq!(
        start(&world, &found[0], Ok(&new), 11),
        ScheduleOutcome::NotDue
    );
    assert_eq!(stores.run(&org, &new.id), Ok(None));
    assert_eq!(world.logged(&org, "schedule.skipped"), []);
}

pub(crate) fn a_skipped_run_is_reported_and_the_schedule_continues(stores: &dyn Stores) {
    let (world, org, site) = scheduled(stores);
    let skipped = |reason| ScheduleOutcome::Skipped {
        reason,
        is_new: true,
    };
    // A reason from the caller.
    let refused = SkipReason::TargetNotAllowed;
    assert_eq!(
        start(&world, &due(stores, 10)[0], Err(refused), 10),
        skipped(refused)
    );
    // A plan limit.
    let capped = NewRun {
        limits: PlanLimits {
            sites: Some(0),
            monthly_runs: Some(0),
            ..PlanLimits::default()
        },
        ..run(&world, &site, 1_010)
    };
    let limit = SkipReason::MonthlyRunLimitHit;
    assert_eq!(
        start(&world, &due(stores, 1_010)[0], Ok(&capped), 1_010),
        skipped(limit)
    );
    // Another run, queued or running.
    world.start_at(&org, URL, at(2_000));
    let new = run(&world, &site, 2_010);
    let under_way = SkipReason::RunUnderWay;
    assert_eq!(
        start(&world, &due(stores, 2_010)[0], Ok(&new), 2_010),
        skipped(under_way)
    );
    let claim = world.claim(at(2_011));
    let new = run(&world, &site, 3_010);
    assert_eq!(
        start(&world, &due(stores, 3_010)[0], Ok(&new), 3_010),
        ScheduleOutcome::Skipped {
            reason: under_way,
            is_new: false,
        }
    );
    // And once that has ended, the schedule runs.
    world.complete(&claim, &sample::clean_audit_result(), at(3_020));
    let new = run(&world, &site, 4_010);
    let started = start(&world, &due(stores, 4_010)[0], Ok(&new), 4_010);
    assert!(
        matches!(started, ScheduleOutcome::Started(_)),
        "{started:?}"
    );

    let reasons = [refused, limit, under_way];
    let lines = reasons.map(|reason| (site.to_string(), reason.as_str().to_owned()));
    assert_eq!(world.logged(&org, "schedule.skipped"), lines);
    let events = stores.events(&org).unwrap();
    let told: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.facts {
            EventFacts::ScheduleSkipped {
                site_id,
                url,
                reason,
                due_at,
                next_run_at,
            } => {
                assert_eq!((site_id, url.as_str(), *due_at), (&site, URL, event.at));
                assert_eq!(*next_run_at, Some(event.at + TimeDelta::seconds(1_000)));
                Some(*reason)
            }
            _ => None,
        })
        .collect();
    assert_eq!(told, reasons);
    assert_eq!(
        stores
            .usage(&org, Period::containing(at(0)))
            .unwrap()
            .monthly_runs,
        2
    );
}

pub(crate) fn repeated_skips_are_reported_once(stores: &dyn Stores) {
    let (world, org, site) = scheduled(stores);
    let (limit, other) = (SkipReason::MonthlyRunLimitHit, SkipReason::PaymentRequired);
    let skip = |reason, second| {
        let found = due(stores, second);
        let before = stores.schedule(&org, &site).unwrap().unwrap().next_run_at;
        let outcome = start(&world, &found[0], Err(reason), second);
        let after = stores.schedule(&org, &site).unwrap().unwrap().next_run_at;
        assert!(after > before, "the schedule goes on");
        match outcome {
            ScheduleOutcome::Skipped {
                reason: why,
                is_new,
            } => {
                assert_eq!(why, reason);
                is_new
            }
            other => panic!("{other:?}"),
        }
    };
    assert!(skip(limit, 10));
    assert!(!skip(limit, 1_010));
    assert!(!skip(limit, 2_010));
    // Another reason, and the first one again.
    assert!(skip(other, 3_010));
    assert!(!skip(other, 4_010));
    assert!(skip(limit, 5_010));
    assert!(!skip(limit, 6_010));
    let new = run(&world, &site, 7_010);
    let started = start(&world, &due(stores, 7_010)[0], Ok(&new), 7_010);
    assert!(
        matches!(started, ScheduleOutcome::Started(_)),
        "{started:?}"
    );
    // After a run was started, the reason is reported again.
    assert!(skip(limit, 8_010));
    assert!(!skip(limit, 9_010));
    let told = [limit, other, limit, limit];
    let lines = told.map(|reason| (site.to_string(), reason.as_str().to_owned()));
    assert_eq!(world.logged(&org, "schedule.skipped"), lines);
    let events = stores.events(&org).unwrap();
    let skips = events.iter().filter_map(|event| match &event.facts {
        EventFacts::ScheduleSkipped { reason, .. } => Some(*reason),
        _ => None,
    });
    assert_eq!(skips.collect::<Vec<_>>(), told);
}
