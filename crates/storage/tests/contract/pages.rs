//! The pages of a report.

use domain::id::{OrgId, ReportId};
use domain::ports::{
    Claim, LeaseStatus, MAX_PAGE_FINDINGS, NewPage, NewPageOrder, PAGE_ORDER_PART, ReportDetail,
    Stores,
};
use domain::report::{
    Occurrence, PageCursor, PageDetails, PageFilter, PageListing, PageOrder, PageSort, PageVisit,
    SortedPages, StatusFilter, Variant,
};
use testkit::sample;

use crate::contract::world::{Fixture, at, blocked, page_scores, pages};

/// Reads all pages of a report through the paginated list.
fn listed(stores: &dyn Stores, org: &OrgId, report: &ReportId, limit: u32) -> Vec<PageVisit> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = stores
            .pages(
                org,
                report,
                &PageListing::all(Variant::Current),
                after,
                limit,
            )
            .unwrap()
            .unwrap();
        assert!(page.visits.len() <= usize::try_from(limit).unwrap());
        all.extend(page.visits);
        match page.next {
            Some(next) => after = Some(next),
            None => return all,
        }
    }
}

/// The positions of the pages of a list, read through its pages.
fn positions(stores: &dyn Stores, org: &OrgId, report: &ReportId, of: &PageListing) -> Vec<u32> {
    let limit = if of.filter.is_empty() { 300 } else { 7 };
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = stores
            .pages(org, report, of, after, limit)
            .unwrap()
            .unwrap();
        assert!(page.visits.len() <= usize::try_from(limit).unwrap());
        let urls = page.visits.iter().map(|visit| visit.url.rsplit_once('/'));
        all.extend(urls.map(|url| url.unwrap().1.parse::<u32>().unwrap()));
        match page.next {
            Some(next) => after = Some(next),
            None => return all,
        }
    }
}

fn in_order(text: &str) -> PageListing {
    PageListing {
        order: PageOrder::named(text).unwrap(),
        ..PageListing::all(Variant::Current)
    }
}

/// Stores all orders of pages, as a worker does.
fn write_orders(stores: &dyn Stores, claim: &Claim, pages: &[NewPage]) {
    let pages: Vec<_> = pages
        .iter()
        .map(|page| (page.position, &page.visit))
        .collect();
    for sort in PageSort::stored() {
        let sorted = SortedPages::new(sort, &pages);
        let parts = (0..).zip(sorted.positions.chunks(PAGE_ORDER_PART));
        let parts: Vec<_> = parts
            .map(|(part, positions)| NewPageOrder {
                sort,
                part,
                known: sorted.known,
                positions: positions.to_vec(),
            })
            .collect();
        let held = stores.write_page_orders(claim, &parts).unwrap();
        assert_eq!(held, LeaseStatus::Held);
        // The worker repeats a batch if it does not know whether the first attempt succeeded.
        let _ = stores.write_page_orders(claim, &parts[..1]).unwrap();
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
    let first = stores
        .pages(
            &org,
            report,
            &PageListing::all(Variant::Current),
            None,
            1_201,
        )
        .unwrap()
        .unwrap();
    assert_eq!(first.next, None);
    let beyond = Some(PageCursor {
        order: PageOrder::default(),
        place: u32::MAX,
    });
    let page = stores
        .pages(&org, report, &PageListing::all(Variant::Current), beyond, 9)
        .unwrap()
        .unwrap();
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
        details: PageDetails {
            description: Some("\u{1}🦀".to_owned()),
            h1: Some(String::new()),
            canonical: Some("https://example.com/é".to_owned()),
            indexable: Some(false),
            language: Some("x".repeat(500)),
            words: Some(u32::MAX),
            transfer_bytes: Some(u64::try_from(i64::MAX).unwrap()),
            response_ms: Some(u32::MAX),
            links_in: Some(u32::MAX),
            links_out: Some(0),
        },
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
    assert_eq!(
        stores
            .pages(&org, &unknown, &PageListing::all(Variant::Current), None, 9)
            .unwrap(),
        None
    );
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

pub(crate) fn pages_come_in_every_order(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let all = pages(1_201);
    for batch in all.chunks(500) {
        let _ = stores.write_pages(&claim, batch).unwrap();
    }
    write_orders(stores, &claim, &all);
    let sorted = world.complete(&claim, &sample::clean_audit_result(), at(5));
    // A report without stored orders, as earlier versions made them.
    world.start(&org, "https://example.com/");
    let claim = world.claim(at(6));
    for batch in all.chunks(500) {
        let _ = stores.write_pages(&claim, batch).unwrap();
    }
    let unsorted = world.complete(&claim, &sample::clean_audit_result(), at(7));
    for sort in PageSort::offered().filter(|sort| *sort != PageSort::Crawl) {
        for text in [sort.to_string(), format!("-{sort}")] {
            let listing = in_order(&text);
            let found = positions(stores, &org, &sorted.report_id, &listing);
            let again = positions(stores, &org, &unsorted.report_id, &listing);
            assert!(found == again, "{text}");
            let mut once = found.clone();
            once.sort_unstable();
            assert!(once.into_iter().eq(0..1_201), "{text}");
        }
    }
    let most = positions(stores, &org, &sorted.report_id, &in_order("-depth"));
    assert_eq!(most[..3], [1_200 - 1, 1_200 - 2, 1_200 - 4]);
    assert_eq!(most[1_200], 1_200);
    let legacy = PageListing {
        variant: Variant::Legacy,
        ..in_order("-issueCount")
    };
    let current = positions(stores, &org, &sorted.report_id, &in_order("-issueCount"));
    let legacy = positions(stores, &org, &sorted.report_id, &legacy);
    assert_eq!((current[0] % 11, legacy[0] % 10), (10, 9));
}

pub(crate) fn pages_are_filtered(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let mut all = pages(60);
    all[7].visit.status = Some(404);
    all[8].visit.status = Some(503);
    all[9].visit.title = Some("50%_off \\ Ü".to_owned());
    let _ = stores.write_pages(&claim, &all).unwrap();
    write_orders(stores, &claim, &all);
    let completed = world.complete(&claim, &sample::audit_result(), at(5));
    let report = &completed.report_id;
    let found = |filter: PageFilter, order: &str| {
        let listing = PageListing {
            filter,
            ..in_order(order)
        };
        positions(stores, &org, report, &listing)
    };
    let statuses = |text: &str| PageFilter {
        statuses: PageFilter::parse_statuses(text).unwrap(),
        ..PageFilter::default()
    };
    let text = |text: &str| PageFilter {
        text: Some(text.to_owned()),
        ..PageFilter::default()
    };
    assert_eq!(found(statuses("404"), "crawl"), [7]);
    assert_eq!(found(statuses("5xx,404"), "crawl"), [7, 8]);
    assert_eq!(found(statuses("5xx,404"), "-status"), [8, 7]);
    let silent: Vec<u32> = (0..60).step_by(5).collect();
    assert_eq!(found(statuses("none"), "crawl"), silent);
    let mut by_words = found(statuses("none"), "words");
    by_words.sort_unstable();
    assert_eq!(by_words, silent);
    assert_eq!(found(statuses("none,1xx,404"), "crawl").len(), 13);
    assert_eq!(found(text("COM/5"), "crawl").len(), 11);
    assert_eq!(found(text("page 5"), "-url")[..3], [59, 58, 57]);
    assert_eq!(found(text("%_OFF \\"), "crawl"), [9]);
    assert_eq!(found(text("Ü"), "crawl"), [9]);
    assert!(found(text("0_o"), "crawl").is_empty());
    let both = PageFilter {
        statuses: vec![StatusFilter::NoResponse],
        ..text("/5")
    };
    assert_eq!(found(both, "crawl"), [5, 50, 55]);
}

pub(crate) fn pages_of_an_issue_are_those_with_its_occurrences(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let result = sample::audit_result();
    let new = |(position, visit): (u32, &PageVisit)| NewPage {
        position,
        visit: visit.clone(),
    };
    let all: Vec<_> = (0..).zip(&result.pages).map(new).collect();
    let _ = stores.write_pages(&claim, &all).unwrap();
    let completed = world.complete(&claim, &result, at(5));
    let report = &completed.report_id;
    let found = stores.report(&org, report, Variant::Current, ReportDetail::Whole);
    let found = found.unwrap().unwrap();
    let mut seen = 0;
    for (issue, identity) in found.report.issues.iter().zip(&found.issues) {
        let occurrences = issue.causes.iter().flat_map(|cause| &cause.occurrences);
        let urls: std::collections::BTreeSet<_> = occurrences.map(|found| &found.url).collect();
        let filter = PageFilter {
            issue: Some(identity.issue_id.clone()),
            ..PageFilter::default()
        };
        for order in ["crawl", "-words"] {
            let listing = PageListing {
                filter: filter.clone(),
                ..in_order(order)
            };
            let page = stores.pages(&org, report, &listing, None, 900).unwrap();
            let listed: Vec<_> = page.unwrap().visits;
            let expected = result
                .pages
                .iter()
                .filter(|visit| urls.contains(&visit.url));
            assert_eq!(listed.len(), expected.count(), "{}", issue.check_id);
            assert!(listed.iter().all(|visit| urls.contains(&visit.url)));
            seen += listed.len();
        }
        let other = world.org();
        let listing = PageListing {
            filter,
            ..in_order("crawl")
        };
        assert_eq!(stores.pages(&other, report, &listing, None, 9), Ok(None));
    }
    assert!(seen > 10);
    let unknown = PageListing {
        filter: PageFilter {
            issue: Some(domain::id::IssueId::make(&world.ids)),
            ..PageFilter::default()
        },
        ..in_order("crawl")
    };
    assert_eq!(stores.pages(&org, report, &unknown, None, 9), Ok(None));
}

pub(crate) fn a_page_comes_with_a_bounded_number_of_findings(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let mut result = sample::audit_result();
    let visit = result.pages.first().unwrap().clone();
    let new = NewPage {
        position: 0,
        visit: visit.clone(),
    };
    let _ = stores.write_pages(&claim, &[new]).unwrap();
    let finding = result.findings.first_mut().unwrap();
    let cause = finding.causes.first_mut().unwrap();
    let first = cause.occurrences.first().unwrap().clone();
    cause.occurrences = (0..=MAX_PAGE_FINDINGS)
        .map(|line| Occurrence {
            url: visit.url.clone(),
            line: Some(line),
            ..first.clone()
        })
        .collect();
    let report = world.complete(&claim, &result, at(5)).report_id;
    let found = stores.page_of_report(&org, &report, &visit.url, Variant::Current);
    let found = found.unwrap().unwrap();
    assert_eq!(Ok(found.findings.len()), usize::try_from(MAX_PAGE_FINDINGS));
    assert!(found.is_cut);
}

pub(crate) fn a_page_comes_with_what_was_found_on_it(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let result = sample::audit_result();
    let new = |(position, visit): (u32, &PageVisit)| NewPage {
        position,
        visit: visit.clone(),
    };
    let all: Vec<_> = (0..).zip(&result.pages).map(new).collect();
    let _ = stores.write_pages(&claim, &all).unwrap();
    let report = world.complete(&claim, &result, at(5)).report_id;
    let mut seen = 0;
    for variant in [Variant::Current, Variant::Legacy] {
        let whole = stores.report(&org, &report, variant, ReportDetail::Whole);
        let whole = whole.unwrap().unwrap();
        for visit in &result.pages {
            let found = stores.page_of_report(&org, &report, &visit.url, variant);
            let found = found.unwrap().unwrap();
            assert_eq!(found.visit.url, visit.url);
            assert!(!found.is_cut);
            let lines = found.findings.iter();
            assert!(lines.map(|finding| finding.occurrence.line).is_sorted());
            let issues = whole.report.issues.iter().zip(&whole.issues);
            let expected = issues.flat_map(|(issue, identity)| {
                let occurrences = issue.causes.iter().flat_map(|cause| &cause.occurrences);
                occurrences.map(move |occurrence| (identity, occurrence))
            });
            let mut expected: Vec<_> = expected
                .filter(|(_, occurrence)| occurrence.url == visit.url)
                .map(|(identity, occurrence)| (&identity.issue_id, occurrence))
                .collect();
            expected.sort_by_key(|(_, occurrence)| occurrence.line);
            let findings = found.findings.iter();
            let findings: Vec<_> = findings
                .map(|finding| (&finding.issue_id, &finding.occurrence))
                .collect();
            assert_eq!(findings, expected, "{}", visit.url);
            seen += findings.len();
        }
    }
    assert!(seen > 10);
    let (own, other) = ("https://www.example.com/", "https://www.example.com/never");
    let variant = Variant::Current;
    assert_eq!(
        stores.page_of_report(&org, &report, other, variant),
        Ok(None)
    );
    let rival = world.org();
    assert_eq!(
        stores.page_of_report(&rival, &report, own, variant),
        Ok(None)
    );
}
