//! The link targets and redirect chains of a report.

use domain::ports::{Claim, LeaseStatus, NewLink, NewPageOrder, NewRedirect, Stores};
use domain::report::{
    AuditResult, Folder, KeptCount, LinkCursor, LinkKind, LinkTarget, LinkVerdict, PageSort,
    RedirectChain, RedirectCursor, RedirectHop,
};
use testkit::sample;

use crate::contract::world::{Fixture, at, pages};

fn target(position: u32) -> LinkTarget {
    LinkTarget {
        url: format!("https://example.com/{position}\u{1}🦀"),
        internal: position.is_multiple_of(2),
        verdict: LinkVerdict::ALL[usize::try_from(position).unwrap() % 4],
        status: (!position.is_multiple_of(3)).then_some(u16::MAX),
        reason: (!position.is_multiple_of(4)).then(|| "returns status 404".to_owned()),
        redirects: position.is_multiple_of(5),
        leads_to: position
            .is_multiple_of(10)
            .then(|| "https://example.com/".to_owned()),
        linking_pages: u64::from(position),
        first_pages: (0..position % 4).collect(),
    }
}

fn targets(count: u32) -> Vec<NewLink> {
    let new = |position| NewLink {
        position,
        target: target(position),
    };
    (0..count).map(new).collect()
}

fn chains(count: u32) -> Vec<NewRedirect> {
    let new = |position: u32| NewRedirect {
        position,
        chain: RedirectChain {
            hops: vec![
                RedirectHop {
                    url: format!("https://example.com/{position}\"\u{1}🦀"),
                    status: Some(301),
                },
                RedirectHop {
                    url: "https://example.com/".to_owned(),
                    status: None,
                },
            ],
            is_loop: position.is_multiple_of(2),
            linking_pages: u64::from(position),
        },
    };
    (0..count).map(new).collect()
}

fn write(stores: &dyn Stores, claim: &Claim, count: u32) -> LeaseStatus {
    let _ = stores.write_pages(claim, &pages(3)).unwrap();
    let (targets, chains) = (targets(count), chains(count));
    for batch in targets.chunks(7).rev().chain(targets.chunks(600)) {
        let _ = stores.write_links(claim, batch).unwrap();
    }
    for batch in chains.chunks(7).rev().chain(chains.chunks(600)) {
        let _ = stores.write_redirects(claim, batch).unwrap();
    }
    let _ = stores.write_folders(claim, &folders(count)).unwrap();
    let _ = stores.write_folders(claim, &folders(count)).unwrap();
    stores.write_links(claim, &[]).unwrap()
}

fn folders(count: u32) -> Vec<Folder> {
    let folder = |number: u32| Folder {
        url: format!("https://example.com/{number}/"),
        level: number % 3,
        pages: u64::from(number),
        failed: 1,
        bytes: u64::try_from(i64::MAX).unwrap(),
        issues: 2,
        issues_legacy: 3,
    };
    (0..count).map(folder).collect()
}

pub(crate) fn links_come_back_by_kind(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    assert_eq!(write(stores, &claim, 60), LeaseStatus::Held);
    let mut result = sample::clean_audit_result();
    result.links.counts.all = KeptCount {
        total: 90,
        stored: 60,
    };
    result.links.counts.broken.total = 44;
    let report = world.complete(&claim, &result, at(5)).report_id;
    for kind in std::iter::once(None).chain(LinkKind::ALL.map(Some)) {
        let (mut found, mut after): (Vec<_>, Option<LinkCursor>) = (Vec::new(), None);
        loop {
            let page = stores
                .links(&org, &report, kind, after, 7)
                .unwrap()
                .unwrap();
            assert!(page.links.len() <= 7);
            assert_eq!(page.count, Some(result.links.counts.of(kind)));
            found.extend(page.links);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let all = (0..60).map(target);
        let expected = all.filter(|target| kind.is_none_or(|kind| target.is(kind)));
        let expected: Vec<_> = expected
            .map(|target| {
                let pages = target.first_pages.iter();
                let pages = pages.map(|page| format!("https://example.com/{page}"));
                let pages = pages.collect::<Vec<_>>();
                (target, pages)
            })
            .collect();
        assert!(found == expected, "{kind:?}");
    }
    let other = world.org();
    assert_eq!(stores.links(&other, &report, None, None, 9), Ok(None));
}

pub(crate) fn redirect_chains_come_back_whole(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    assert_eq!(write(stores, &claim, 30), LeaseStatus::Held);
    let report = world
        .complete(&claim, &sample::clean_audit_result(), at(5))
        .report_id;
    let (mut found, mut after): (Vec<_>, Option<RedirectCursor>) = (Vec::new(), None);
    loop {
        let page = stores.redirects(&org, &report, after, 7).unwrap().unwrap();
        assert!(page.chains.len() <= 7 && page.count.is_some());
        found.extend(page.chains);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let expected: Vec<_> = chains(30).into_iter().map(|new| new.chain).collect();
    assert_eq!(found, expected);
    let other = world.org();
    assert_eq!(stores.redirects(&other, &report, None, 9), Ok(None));
}

pub(crate) fn folders_come_back_in_their_order(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    assert_eq!(write(stores, &claim, 400), LeaseStatus::Held);
    let report = world
        .complete(&claim, &sample::clean_audit_result(), at(5))
        .report_id;
    assert_eq!(stores.folders(&org, &report), Ok(Some(folders(400))));
    assert_eq!(stores.folders(&world.org(), &report), Ok(None));
}

pub(crate) fn links_of_an_earlier_epoch_are_unseen(stores: &dyn Stores) {
    let (world, org, stale) = Fixture::with_claim(stores);
    assert_eq!(write(stores, &stale, 9), LeaseStatus::Held);
    let claim = world.claim(at(60));
    assert_eq!(claim.run_id, stale.run_id);
    assert_eq!(
        stores.write_links(&stale, &targets(1)),
        Ok(LeaseStatus::Lost)
    );
    assert_eq!(
        stores.write_redirects(&stale, &chains(1)),
        Ok(LeaseStatus::Lost)
    );
    assert_eq!(stores.write_page_orders(&stale, &[]), Ok(LeaseStatus::Lost));
    assert_eq!(write(stores, &claim, 2), LeaseStatus::Held);
    let report = world
        .complete(&claim, &sample::clean_audit_result(), at(61))
        .report_id;
    let links = stores
        .links(&org, &report, None, None, 99)
        .unwrap()
        .unwrap();
    let chains = stores.redirects(&org, &report, None, 99).unwrap().unwrap();
    assert_eq!((links.links.len(), chains.chains.len()), (2, 2));
    assert_eq!(stores.folders(&org, &report), Ok(Some(folders(2))));
}

/// The data of a run with links, orders and chains is counted, and gone with the run.
pub(crate) fn links_are_counted_and_removed_with_their_run(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let org = world.org();
    let bytes = || world.usage(&org, at(0)).storage_bytes;
    let stored = |result: &AuditResult, count| {
        let before = bytes();
        world.start(&org, "https://example.com/");
        let claim = world.claim(at(0));
        assert_eq!(write(stores, &claim, count), LeaseStatus::Held);
        let orders: Vec<_> = (0..count)
            .map(|part| NewPageOrder {
                sort: PageSort::Words,
                part,
                known: 0,
                positions: vec![u32::MAX; 20],
            })
            .collect();
        let _ = stores.write_page_orders(&claim, &orders).unwrap();
        world.complete(&claim, result, at(1));
        bytes() - before
    };
    let result = sample::clean_audit_result();
    let (few, many) = (stored(&result, 1), stored(&result, 101));
    // A row counts 150 bytes and its texts, a part of an order 200 bytes of positions.
    assert!(many - few > 100 * (170 + 170 + 350), "{few} {many}");
    // The latest report of a site stays.
    let last = stored(&result, 0);
    // In small steps, which empty one table after the other.
    let is_all = (0..10_000).any(|_| {
        let step = stores.remove_runs(&org, at(9_000), 7).unwrap();
        step.is_all
    });
    assert!(is_all);
    assert_eq!(bytes(), last);
}
