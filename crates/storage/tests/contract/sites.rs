//! Sites and their history.

use domain::audit_log::Actor;
use domain::id::SiteId;
use domain::ports::{HistoryEntry, LeaseStatus, ReportDetail, Stores};
use domain::report::Variant;
use domain::run::RunStatus;
use domain::schedule::Schedule;
use domain::site::{SiteName, SitePatch};
use testkit::sample;

use crate::contract::world::{Fixture, at, blocked};

pub(crate) fn sites_come_oldest_first(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    assert_eq!(stores.sites(&org, Variant::Current).unwrap(), []);
    for (host, second) in [("c", 3), ("a", 1), ("b", 2)] {
        world.start_at(&org, &format!("https://{host}.example/"), at(second));
    }
    let sites = stores.sites(&org, Variant::Current).unwrap();
    let hosts: Vec<_> = sites.iter().map(|known| known.site.host.as_str()).collect();
    assert_eq!(hosts, ["a.example", "b.example", "c.example"]);
    assert!(sites.iter().all(|known| known.open_actions == 0));
    let names = stores.find_sites(&org, "", 10).unwrap();
    assert_eq!(names.len(), 3);
    for (named, known) in names.iter().zip(&sites) {
        assert_eq!((&named.id, &named.name), (&known.site.id, &known.site.name));
        let found = stores.names_of_sites(&org, std::slice::from_ref(&named.id));
        assert_eq!(found.unwrap(), std::slice::from_ref(named));
    }
    assert_eq!(stores.names_of_sites(&org, &[]).unwrap(), []);
}

pub(crate) fn sites_are_found_by_name_and_host(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for host in ["shop", "blog", "shop-old"] {
        world.start_at(&org, &format!("https://{host}.example/"), at(1));
    }
    let id = stores.find_sites(&org, "blog", 10).unwrap().remove(0).id;
    let patch = SitePatch {
        name: SiteName::parse("100% Diary_\\ Ärger"),
        ..SitePatch::default()
    };
    assert!(
        stores
            .patch_site(&org, &id, &patch, at(2), &Actor::CommandLine)
            .unwrap()
    );
    let found = |text: &str, limit| stores.find_sites(&org, text, limit).unwrap().len();
    for (text, sites) in [
        ("", 3),
        ("SHOP", 2),
        ("diary", 1),
        ("blog", 1),
        ("100%", 1),
        ("y_\\", 1),
        ("_", 1),
        ("DIARY_\\ Är", 1),
        ("Ä", 1),
        ("%%", 0),
        ("shop.example", 1),
    ] {
        assert_eq!(found(text, 10), sites, "{text}");
    }
    assert_eq!(found("", 2), 2);
    assert_eq!(stores.find_sites(&world.org(), "", 10).unwrap(), []);
}

pub(crate) fn a_site_shows_its_latest_run_and_its_latest_scores(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let overview = || stores.sites(&org, Variant::Current).unwrap().remove(0);
    let first = world.start_at(&org, "https://example.com/", at(0));
    assert_eq!(overview().latest_run.unwrap().id, first.run_id);
    assert_eq!(overview().latest_scores, None);
    let claim = world.claim(at(1));
    let completed = world.complete(&claim, &sample::audit_result(), at(2));
    let scores = completed.reports.scores();
    assert!(scores.overall < scores.overall_legacy || scores.overall < 100);
    assert_eq!(overview().latest_scores, Some(scores));
    // A running or failed run is the latest one, and the scores are kept.
    let second = world.start_at(&org, "https://example.com/", at(3));
    let claim = world.claim(at(4));
    assert_eq!(overview().latest_run.unwrap().id, second.run_id);
    assert_eq!(
        stores.fail(&claim, &blocked(), at(5)).unwrap(),
        LeaseStatus::Held
    );
    let shown = overview();
    assert_eq!(shown.latest_run, Some(world.run(&claim)));
    assert_eq!(shown.latest_scores, Some(scores));
}

pub(crate) fn the_latest_scores_are_those_of_the_run_that_completed_last(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.start_at(&org, "https://example.com/", at(0));
    let second = world.start_at(&org, "https://example.com/", at(1));
    let (of_first, of_second) = (world.claim(at(2)), world.claim(at(2)));
    world.complete(&of_second, &sample::clean_audit_result(), at(3));
    let last = world.complete(&of_first, &sample::audit_result(), at(4));
    let overview = stores.sites(&org, Variant::Current).unwrap().remove(0);
    assert_eq!(overview.latest_run.unwrap().id, second.run_id);
    assert_eq!(overview.latest_scores, Some(last.reports.scores()));
}

pub(crate) fn a_history_is_newest_first_and_bounded(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let started: Vec<_> = [3, 1, 2, 2]
        .map(|second| world.start_at(&org, "https://example.com/", at(second)))
        .to_vec();
    world.start(&org, "https://example.org/");
    let site = &started[0].site_id;
    let history = |limit| {
        let entries = stores.history(&org, site, limit).unwrap().unwrap();
        let runs = entries.into_iter().map(|entry| entry.run.id);
        runs.collect::<Vec<_>>()
    };
    let newest_first = [0, 3, 2, 1].map(|number: usize| started[number].run_id.clone());
    assert_eq!(history(100), newest_first);
    assert_eq!(history(u32::MAX), newest_first);
    assert_eq!(history(2), newest_first[..2]);
    assert_eq!(history(0), []);
}

pub(crate) fn a_history_goes_on_behind_its_cursor(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let started: Vec<_> = [3, 1, 2, 2]
        .map(|second| world.start_at(&org, "https://example.com/", at(second)))
        .to_vec();
    let site = &started[0].site_id;
    let (mut after, mut shown) = (None, Vec::new());
    loop {
        let page = stores.history_page(&org, site, after.as_ref(), 3).unwrap();
        let page = page.unwrap();
        shown.push(page.entries.len());
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    assert_eq!(shown, [3, 1]);
    let all = stores.history(&org, site, 100).unwrap().unwrap();
    let first = stores.history_page(&org, site, None, 4).unwrap().unwrap();
    assert_eq!((first.entries, first.next), (all.clone(), None));
    let cursor = domain::run::RunCursor::after(&all[2].run);
    let rest = stores.history_page(&org, site, Some(&cursor), 4).unwrap();
    assert_eq!(rest.unwrap().entries, all[3..]);
    let unknown = SiteId::make(&world.ids);
    assert_eq!(stores.history_page(&org, &unknown, None, 4).unwrap(), None);
}

pub(crate) fn a_history_has_runs_in_every_state(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let start = |second| world.start_at(&org, "https://example.com/", at(second));
    let site = start(0).site_id;
    for second in 1..4 {
        start(second);
    }
    let completed = world.claim(at(10));
    let failed = world.claim(at(10));
    let running = world.claim(at(10));
    let brought = world.complete(&completed, &sample::audit_result(), at(11));
    assert_eq!(
        stores.fail(&failed, &blocked(), at(12)).unwrap(),
        LeaseStatus::Held
    );
    let history = stores.history(&org, &site, 100).unwrap().unwrap();
    let statuses: Vec<_> = history
        .iter()
        .map(|entry| entry.run.state.status())
        .collect();
    use RunStatus::{Completed, Failed, Queued, Running};
    assert_eq!(statuses, [Queued, Running, Failed, Completed]);
    let with_scores = HistoryEntry {
        run: world.run(&completed),
        scores: Some(brought.reports.scores()),
        lab: None,
    };
    assert_eq!(history[3], with_scores);
    assert!(history[..3].iter().all(|entry| entry.scores.is_none()));
    assert_eq!(history[2].run, world.run(&failed));
    assert_eq!(history[1].run, world.run(&running));
    let scores = history[3].scores.unwrap();
    let report = world.run(&completed).report_id().unwrap().clone();
    for variant in [Variant::Current, Variant::Legacy] {
        let stored = stores
            .report(&org, &report, variant, ReportDetail::Inline)
            .unwrap()
            .unwrap();
        assert_eq!(scores.overall(variant), stored.report.score.overall);
    }
}

pub(crate) fn an_unknown_site_has_no_history(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.start(&org, "https://example.com/");
    let unknown = SiteId::make(&world.ids);
    assert_eq!(stores.history(&org, &unknown, 10).unwrap(), None);
    assert_eq!(stores.schedule(&org, &unknown).unwrap(), None);
}

pub(crate) fn a_site_has_no_schedule_at_first(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = world.start(&org, "https://example.com/").site_id;
    let schedule = stores.schedule(&org, &site).unwrap();
    assert_eq!(schedule, Some(Schedule::none(site)));
}
