//! The pages of a report.

use domain::id::{OrgId, ReportId};
use domain::ports::{LeaseStatus, NewPage, Stores};
use domain::report::{PageCursor, PageVisit};
use testkit::sample;

use crate::contract::world::{Fixture, at, blocked, page_scores, pages};

/// Reads all pages of a report through the paginated list.
fn listed(stores: &dyn Stores, org: &OrgId, report: &ReportId, limit: u32) -> Vec<PageVisit> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = stores.pages(org, report, after, limit).unwrap().unwrap();
        assert!(page.visits.len() <= usize::try_from(limit).unwrap());
        all.extend(page.visits);
        match page.next {
            Some(next) => after = Some(next),
            None => return all,
        }
    }
}

/// Returns the pages as they are read back.
fn visits(pages: &[NewPage]) -> Vec<PageVisit> {
    let visits = pages.iter().map(|page| PageVisit {
        leads_to: None,
        ..page.visit.clone()
    });
    visits.collect()
}

pub(crate) fn pages_come_back_in_the_order_of_the_crawl(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let all = pages(1_201);
    assert!(all.iter().any(|page| page.visit.leads_to.is_some()));
    // Batches in any order, and some twice, as after a lost response.
    for batch in all.chunks(700).rev().chain(all.chunks(300)) {
        assert_eq!(
            stores.write_pages(&claim, batch).unwrap(),
            LeaseStatus::Held
        );
    }
    assert_eq!(stores.write_pages(&claim, &[]).unwrap(), LeaseStatus::Held);
    let completed = world.complete(&claim, &sample::clean_audit_result(), at(5));
    let report = &completed.report_id;
    for limit in [200, 1_200, u32::MAX] {
        assert_eq!(listed(stores, &org, report, limit), visits(&all));
    }
    let first = stores.pages(&org, report, None, 1_201).unwrap().unwrap();
    assert_eq!(first.next, None);
    let beyond = Some(PageCursor { position: u32::MAX });
    let page = stores.pages(&org, report, beyond, 9).unwrap().unwrap();
    assert_eq!((page.visits, page.next), (Vec::new(), None));
}

pub(crate) fn the_largest_numbers_come_back(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let visit = PageVisit {
        url: "https://example.com/\u{1}🦀'\"%".to_owned(),
        status: Some(u16::MAX),
        depth: Some(u32::MAX),
        title: Some(String::new()),
        bytes: Some(u64::try_from(i64::MAX).unwrap()),
        audited: true,
        leads_to: None,
        scores: page_scores(),
        issues: u32::MAX,
        issues_legacy: u32::MAX,
    };
    let page = NewPage {
        position: u32::MAX,
        visit: visit.clone(),
    };
    assert_eq!(
        stores.write_pages(&claim, &[page]).unwrap(),
        LeaseStatus::Held
    );
    let completed = world.complete(&claim, &sample::clean_audit_result(), at(5));
    assert_eq!(listed(stores, &org, &completed.report_id, 9), [visit]);
}

pub(crate) fn a_report_without_pages_has_an_empty_list(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (_, report) = world.completed(&org, "https://example.com/", at(0));
    assert_eq!(listed(stores, &org, &report, 9), []);
    let unknown = ReportId::make(&world.ids);
    assert_eq!(stores.pages(&org, &unknown, None, 9).unwrap(), None);
}

pub(crate) fn pages_of_an_earlier_epoch_are_unseen(stores: &dyn Stores) {
    let (world, org, stale) = Fixture::with_claim(stores);
    let held = stores.write_pages(&stale, &pages(9)).unwrap();
    assert_eq!(held, LeaseStatus::Held);
    let claim = world.claim(at(60));
    assert_eq!(claim.run_id, stale.run_id);
    assert_eq!(
        stores.write_pages(&stale, &pages(9)).unwrap(),
        LeaseStatus::Lost
    );
    let own = &pages(3)[1..];
    assert_eq!(stores.write_pages(&claim, own).unwrap(), LeaseStatus::Held);
    let completed = world.complete(&claim, &sample::clean_audit_result(), at(61));
    let all = listed(stores, &org, &completed.report_id, 9);
    assert_eq!(all, visits(own));
}

pub(crate) fn pages_are_written_under_a_claim_alone(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for end in ["fail", "cancel", "hand back", "complete"] {
        world.start(&org, "https://example.com/");
        let claim = world.claim(at(0));
        assert_eq!(
            stores.write_pages(&claim, &pages(3)).unwrap(),
            LeaseStatus::Held
        );
        match end {
            "fail" => assert_eq!(
                stores.fail(&claim, &blocked(), at(1)).unwrap(),
                LeaseStatus::Held
            ),
            "cancel" => drop(stores.cancel_run(&org, &claim.run_id, at(1)).unwrap()),
            "hand back" => {
                assert_eq!(
                    stores
                        .hand_back(&claim, domain::ports::HandBack::Stopped, at(1))
                        .unwrap(),
                    LeaseStatus::Held
                );
                let lost = stores.write_pages(&claim, &pages(3)).unwrap();
                assert_eq!(lost, LeaseStatus::Lost);
                world.complete(&world.claim(at(2)), &sample::clean_audit_result(), at(3));
            }
            _ => drop(world.complete(&claim, &sample::clean_audit_result(), at(1))),
        }
        let lost = stores.write_pages(&claim, &pages(3)).unwrap();
        assert_eq!(lost, LeaseStatus::Lost, "{end}");
    }
}

pub(crate) fn a_report_identifies_its_organization(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let (_, report) = world.completed(&org, "https://example.com/", at(0));
    let (_, others) = world.completed(&other, "https://example.com/", at(1));
    assert_eq!(stores.org_of_report(&report).unwrap(), Some(org));
    assert_eq!(stores.org_of_report(&others).unwrap(), Some(other));
    let unknown = ReportId::make(&world.ids);
    assert_eq!(stores.org_of_report(&unknown).unwrap(), None);
}
