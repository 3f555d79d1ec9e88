//! The overview of all sites.

use domain::action::{ActionItem, Priority};
use domain::audit_log::Actor;
use domain::ports::{SiteTotals, Stores};
use domain::report::Variant;
use domain::schedule::{Frequency, ScheduleChange, Timetable};
use testkit::sample;

use crate::contract::world::{Fixture, at};

const BY: Actor = Actor::CommandLine;

pub(crate) fn an_overview_goes_on_behind_its_cursor(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for (host, second) in [("c", 3), ("a", 1), ("b", 2), ("d", 3)] {
        world.start_at(&org, &format!("https://{host}.example/"), at(second));
    }
    let (mut after, mut shown) = (None, Vec::new());
    loop {
        let page = stores.site_cards(&org, Variant::Current, after.as_ref(), 3);
        let page = page.unwrap();
        shown.push(page.cards.len());
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    assert_eq!(shown, [3, 1]);
    let all = stores.site_cards(&org, Variant::Current, None, 4).unwrap();
    assert_eq!(all.next, None);
    let sites = stores.sites(&org, Variant::Current).unwrap();
    let ids = |cards: &[domain::ports::SiteCard]| -> Vec<_> {
        cards.iter().map(|card| card.site.id.clone()).collect()
    };
    let listed: Vec<_> = sites.into_iter().map(|known| known.site.id).collect();
    assert_eq!(ids(&all.cards), listed);
}

pub(crate) fn a_card_shows_the_last_two_reports_and_what_is_open(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let card = |variant| {
        let page = stores.site_cards(&org, variant, None, 9).unwrap();
        page.cards.into_iter().next().unwrap()
    };
    let first = world.start_at(&org, "https://example.com/", at(0));
    let new = card(Variant::Current);
    assert_eq!(new.latest_run.unwrap().id, first.run_id);
    assert_eq!(
        (new.latest, new.previous, new.next_run_at),
        (None, None, None)
    );
    let claim = world.claim(at(1));
    let before = world.complete(&claim, &sample::audit_result(), at(2));
    world.start_at(&org, "https://example.com/", at(3));
    let claim = world.claim(at(4));
    let last = world.complete(&claim, &sample::clean_audit_result(), at(5));
    let timetable = Timetable::new(Frequency::Daily, "UTC").unwrap();
    let change = ScheduleChange {
        enabled: true,
        timetable,
    };
    stores
        .set_schedule(&org, &first.site_id, &change, Some(at(60)), at(6), &BY)
        .unwrap();
    let critical = ActionItem {
        site_id: Some(first.site_id),
        priority: Priority::Critical,
        ..world.new_item(&org, "By hand")
    };
    let open_before = card(Variant::Current).open_critical;
    stores.create_action(&org, &critical, &BY).unwrap();
    let shown = card(Variant::Current);
    let (latest, previous) = (shown.latest.unwrap(), shown.previous.unwrap());
    assert_eq!(latest.report_id, last.report_id);
    assert_eq!(latest.scores, last.reports.scores());
    assert_eq!(previous.report_id, before.report_id);
    assert_eq!(previous.scores, before.reports.scores());
    assert_eq!(shown.next_run_at, Some(at(60)));
    assert_eq!(shown.latest_run, Some(world.run(&claim)));
    assert_eq!(shown.open_critical, open_before + 1);
}

pub(crate) fn totals_count_sites_by_their_last_score(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let totals = |variant| stores.site_totals(&org, variant).unwrap();
    assert_eq!(totals(Variant::Current), SiteTotals::default());
    world.start(&org, "https://new.example/");
    let _waits = world.claim(at(0));
    for host in ["a", "b"] {
        world.start_at(&org, &format!("https://{host}.example/"), at(1));
        let claim = world.claim(at(2));
        world.complete(&claim, &sample::audit_result(), at(3));
    }
    world.start_at(&org, "https://b.example/", at(4));
    let claim = world.claim(at(5));
    let clean = world.complete(&claim, &sample::clean_audit_result(), at(6));
    for variant in [Variant::Current, Variant::Legacy] {
        let shown = totals(variant);
        let cards = stores.site_cards(&org, variant, None, 9).unwrap().cards;
        let mut scores: Vec<_> = cards
            .iter()
            .filter_map(|card| Some(card.latest.as_ref()?.scores.overall(variant)))
            .collect();
        scores.sort_unstable();
        assert_eq!(scores.len(), 2);
        assert!(scores.contains(&clean.reports.scores().overall(variant)));
        let counted: Vec<_> = shown
            .by_score
            .iter()
            .flat_map(|(score, sites)| (0..*sites).map(|_| *score))
            .collect();
        assert_eq!((shown.sites, counted), (3, scores));
        let critical: u64 = cards.iter().map(|card| card.open_critical).sum();
        assert_eq!(shown.open_critical, critical);
    }
}

pub(crate) fn an_overview_shows_nothing_of_others(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &sample::audit_result(), 0);
    let other = world.org();
    let page = stores
        .site_cards(&other, Variant::Current, None, 9)
        .unwrap();
    assert_eq!((page.cards, page.next), (Vec::new(), None));
    let totals = stores.site_totals(&other, Variant::Current).unwrap();
    assert_eq!(totals, SiteTotals::default());
}
