//! Starting runs and looking them up.

use domain::id::{OrgId, RunId, SiteId};
use domain::ports::{NewRun, StartRunError, StoreError, Stores};
use domain::report::Variant;
use domain::run::{
    Device, Mode, Run, RunCursor, RunFilter, RunOptions, RunProgress, RunState, RunStatus, Trigger,
};
use domain::site::SiteHost;
use testkit::sample;

use crate::contract::world::{Fixture, at, at_once};

pub(crate) fn a_run_begins_queued(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let new = sample::new_run(&world.ids, "https://www.example.com/shop?page=2");
    let started = stores.start_run(&org, &new).unwrap();
    assert_eq!(started.run_id, new.id);
    assert_eq!(started.site_id, new.new_site.id);
    let expected = Run {
        id: new.id.clone(),
        org_id: org.clone(),
        site_id: started.site_id.clone(),
        url: "https://www.example.com/shop?page=2".to_owned(),
        trigger: Trigger::Api,
        options: new.options,
        progress: RunProgress::QUEUED,
        state: RunState::Queued,
        created_at: at(0),
    };
    assert_eq!(stores.run(&org, &new.id).unwrap(), Some(expected));
    let sites = stores.sites(&org, Variant::Current).unwrap();
    assert_eq!(sites.len(), 1);
    let site = &sites[0].site;
    assert_eq!(site.id, started.site_id);
    assert_eq!(site.org_id, org);
    assert_eq!(site.host.as_str(), "example.com");
    assert_eq!(site.url, "https://www.example.com/");
    assert_eq!(site.name, "example.com");
    assert_eq!(site.created_at, at(0));
}

pub(crate) fn a_run_comes_back_with_its_options(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for mode in Mode::ALL {
        for (device, trigger) in Device::ALL.into_iter().zip(Trigger::ALL) {
            let new = NewRun {
                trigger,
                options: RunOptions {
                    max_pages: u32::MAX,
                    max_depth: Some(0),
                    mode,
                    device,
                    include: vec!["/a*".to_owned(), "*?b=\"'%;--".to_owned()],
                    exclude: vec!["/ä/🦀$".to_owned()],
                    ..RunOptions::with_max_pages(1)
                },
                ..sample::new_run(&world.ids, "https://example.com/")
            };
            stores.start_run(&org, &new).unwrap();
            let run = stores.run(&org, &new.id).unwrap().unwrap();
            assert_eq!(run.options, new.options);
            assert_eq!(run.trigger, trigger);
        }
    }
    let scheduled = NewRun {
        trigger: Trigger::Dashboard,
        ..sample::new_run(&world.ids, "https://example.com/")
    };
    stores.start_run(&org, &scheduled).unwrap();
    let run = stores.run(&org, &scheduled.id).unwrap().unwrap();
    assert_eq!(run.trigger, Trigger::Dashboard);
    assert_eq!(run.options, RunOptions::with_max_pages(100));
}

pub(crate) fn a_site_is_created_once_for_its_host(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let first = world.start(&org, "https://example.com/");
    let same = world.start(&org, "http://www.example.com/a");
    let other = world.start(&org, "https://example.com:8443/");
    assert_eq!(first.site_id, same.site_id);
    assert_ne!(first.site_id, other.site_id);
    assert_eq!(world.usage(&org, at(0)).sites, 2);
}

pub(crate) fn of_first_runs_at_once_one_creates_the_site(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let started = at_once(8, |_| world.start(&org, "https://example.com/"));
    let site = &started[0].site_id;
    assert!(started.iter().all(|started| started.site_id == *site));
    assert_eq!(stores.sites(&org, Variant::Current).unwrap().len(), 1);
    let usage = world.usage(&org, at(0));
    assert_eq!((usage.sites, usage.monthly_runs), (1, 8));
}

pub(crate) fn a_run_is_attached_to_the_site_it_names(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let first = world.start(&org, "https://example.com/");
    world.start(&org, "https://example.org/");
    let new = NewRun {
        site_id: Some(first.site_id.clone()),
        ..sample::new_run(&world.ids, "http://www.example.com/a")
    };
    let started = stores.start_run(&org, &new).unwrap();
    assert_eq!(started.site_id, first.site_id);
    let run = stores.run(&org, &new.id).unwrap().unwrap();
    assert_eq!(run.site_id, first.site_id);
    assert_eq!(stores.sites(&org, Variant::Current).unwrap().len(), 2);
}

/// A rejected run leaves no trace.
fn assert_nothing_changed(world: &Fixture<'_>, org: &OrgId, refused: &NewRun) {
    assert_eq!(world.stores.run(org, &refused.id).unwrap(), None);
    let usage = world.usage(org, at(0));
    assert_eq!((usage.sites, usage.monthly_runs), (1, 1));
    assert!(world.try_claim(at(0)).is_some());
    assert_eq!(world.try_claim(at(0)), None);
}

pub(crate) fn an_unknown_site_is_not_found(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.start(&org, "https://example.com/");
    let new = NewRun {
        site_id: Some(SiteId::make(&world.ids)),
        ..sample::new_run(&world.ids, "https://example.com/")
    };
    let refused = stores.start_run(&org, &new);
    assert_eq!(refused, Err(StartRunError::SiteNotFound));
    assert_nothing_changed(&world, &org, &new);
}

pub(crate) fn a_run_stays_on_its_sites_host(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let first = world.start(&org, "https://example.com/");
    let new = NewRun {
        site_id: Some(first.site_id),
        ..sample::new_run(&world.ids, "https://example.org/")
    };
    let host = SiteHost::stored("example.com".to_owned());
    let refused = stores.start_run(&org, &new);
    assert_eq!(refused, Err(StartRunError::OtherHost { host }));
    assert_nothing_changed(&world, &org, &new);
}

pub(crate) fn a_run_needs_its_organization(stores: &dyn Stores) {
    let (world, _) = Fixture::with_org(stores);
    let nobody = OrgId::make(&world.ids);
    let new = sample::new_run(&world.ids, "https://example.com/");
    let refused = stores.start_run(&nobody, &new);
    let failed = matches!(refused, Err(StartRunError::Store(StoreError::Failed(_))));
    assert!(failed, "{refused:?}");
    assert_eq!(world.try_claim(at(0)), None);
    assert_eq!(stores.sites(&nobody, Variant::Current).unwrap(), []);
}

pub(crate) fn a_run_is_started_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let new = sample::new_run(&world.ids, "https://example.com/");
    stores.start_run(&org, &new).unwrap();
    let again = stores.start_run(&org, &new);
    let failed = matches!(again, Err(StartRunError::Store(StoreError::Failed(_))));
    assert!(failed, "{again:?}");
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 1);
}

pub(crate) fn an_unknown_run_is_none(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.start(&org, "https://example.com/");
    let unknown = RunId::make(&world.ids);
    assert_eq!(stores.run(&org, &unknown).unwrap(), None);
}

/// Returns the ids of all runs that match a filter, through the paginated list.
fn listed(stores: &dyn Stores, org: &OrgId, filter: &RunFilter, limit: u32) -> Vec<RunId> {
    let mut ids = Vec::new();
    let mut after: Option<RunCursor> = None;
    loop {
        let page = stores.runs(org, filter, after.as_ref(), limit).unwrap();
        let page = page.unwrap();
        assert!(page.runs.len() <= usize::try_from(limit).unwrap());
        for run in &page.runs {
            assert_eq!(stores.run(org, &run.id).unwrap().as_ref(), Some(run));
        }
        ids.extend(page.runs.into_iter().map(|run| run.id));
        match page.next {
            Some(next) => after = Some(next),
            None => return ids,
        }
    }
}

pub(crate) fn runs_come_newest_first_page_by_page(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let seconds = [3, 0, 1, 1, 1, 2];
    let mut started: Vec<_> = seconds
        .map(|second| {
            let run = world.start_at(&org, "https://example.com/", at(second));
            (second, run.run_id)
        })
        .into();
    world.start_at(&world.org(), "https://example.com/", at(9));
    started.sort_by(|one, other| other.cmp(one));
    let expected: Vec<_> = started.into_iter().map(|(_, id)| id).collect();
    for limit in [1, 2, 3, 6, 7, 200] {
        let ids = listed(stores, &org, &RunFilter::default(), limit);
        assert_eq!(ids, expected, "{limit} a page");
    }
    let all = stores.runs(&org, &RunFilter::default(), None, 6).unwrap();
    assert_eq!(all.unwrap().next, None);
}

pub(crate) fn runs_are_listed_by_site_and_state(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (ended, _) = world.completed(&org, "https://a.example/", at(0));
    let running = world.start_at(&org, "https://a.example/", at(1));
    world.claim(at(1));
    let queued = world.start_at(&org, "https://b.example/", at(2));
    let (a, b) = (Some(&ended.site_id), Some(&queued.site_id));
    let (ended, running, queued) = (&ended.run_id, &running.run_id, &queued.run_id);
    let cases = [
        (None, None, vec![queued, running, ended]),
        (a, None, vec![running, ended]),
        (b, None, vec![queued]),
        (None, Some(RunStatus::Queued), vec![queued]),
        (None, Some(RunStatus::Running), vec![running]),
        (a, Some(RunStatus::Completed), vec![ended]),
        (b, Some(RunStatus::Completed), vec![]),
        (None, Some(RunStatus::Cancelled), vec![]),
    ];
    let two = RunFilter {
        site_id: None,
        statuses: [RunStatus::Queued, RunStatus::Completed].into(),
    };
    let expected: Vec<_> = [queued, ended].into_iter().cloned().collect();
    let mut found = listed(stores, &org, &two, 1);
    found.sort_by_key(|id| expected.iter().position(|known| known == id));
    assert_eq!(found, expected);
    for (site, status, expected) in cases {
        let filter = RunFilter {
            site_id: site.cloned(),
            statuses: status.into_iter().collect(),
        };
        let expected: Vec<_> = expected.into_iter().cloned().collect();
        assert_eq!(listed(stores, &org, &filter, 1), expected, "{filter:?}");
    }
}

pub(crate) fn pagination_is_stable_when_runs_are_added(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let old = world.start_at(&org, "https://example.com/", at(0));
    let new = world.start_at(&org, "https://example.com/", at(1));
    let filter = RunFilter {
        statuses: [RunStatus::Queued].into(),
        ..RunFilter::default()
    };
    let page = stores.runs(&org, &filter, None, 1).unwrap().unwrap();
    assert_eq!(page.runs[0].id, new.run_id);
    let next = page.next.unwrap();
    // The run of the cursor is no longer listed, and a newer one is added.
    world.start_at(&org, "https://example.com/", at(2));
    assert_eq!(world.claim(at(2)).run_id, old.run_id);
    assert_eq!(world.claim(at(2)).run_id, new.run_id);
    let older = world.start_at(&org, "https://example.com/", at(-5));
    let page = stores.runs(&org, &filter, Some(&next), 9).unwrap().unwrap();
    assert_eq!(page.runs.len(), 1);
    assert_eq!(page.runs[0].id, older.run_id);
}

pub(crate) fn a_list_needs_its_site(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.start(&org, "https://example.com/");
    let filter = RunFilter {
        site_id: Some(SiteId::make(&world.ids)),
        ..RunFilter::default()
    };
    assert_eq!(stores.runs(&org, &filter, None, 9).unwrap(), None);
    let nobody = OrgId::make(&world.ids);
    let page = stores.runs(&nobody, &RunFilter::default(), None, 9);
    assert_eq!(page.unwrap().unwrap().runs, []);
}
