use api_types::report::{LinkList, RedirectList};
use domain::report::{AuditResult, LinkTarget, RedirectChain, SiteLinks};
use rstest::rstest;
use testkit::sample;

use crate::world::Fixture;

/// The path of a report on a site with many links and chains.
fn reported(world: &Fixture) -> String {
    let mut result = sample::audit_result();
    let links = many(&result, 120);
    result.links = links;
    let completed = world.completed_with(&world.acme, "https://example.com/", &result);
    format!("/api/mcp/reports/{}", completed.report)
}

fn many(result: &AuditResult, count: usize) -> SiteLinks {
    let SiteLinks {
        targets, chains, ..
    } = &result.links;
    let mut links = SiteLinks {
        targets: targets.iter().cycle().take(count).cloned().collect(),
        chains: chains.iter().cycle().take(count).cloned().collect(),
        ..SiteLinks::default()
    };
    for target in &links.targets {
        links.counts.add(target, true);
    }
    // One of each was not stored.
    let (target, _): (Option<&LinkTarget>, Option<&RedirectChain>) =
        (targets.first(), chains.first());
    links.counts.add(target.unwrap(), false);
    for _ in &links.chains {
        links.counts.chains.add(true);
    }
    links.counts.chains.add(false);
    links
}

async fn links(world: &Fixture, path: &str) -> LinkList {
    let reply = world.get(path).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    serde_json::from_slice(&reply.body).unwrap()
}

#[actix_web::test]
async fn links_and_redirects_are_shown() {
    let world = Fixture::new();
    let result = sample::audit_result();
    let completed = world.completed_with(&world.acme, "https://example.com/", &result);
    let path = format!("/api/mcp/reports/{}", completed.report);
    let broken = world.get(&format!("{path}/links?kind=broken")).await;
    let redirects = world.get(&format!("{path}/redirects")).await;
    insta::assert_snapshot!(format!("{}\n{}", broken.shown(), redirects.shown()));
}

#[actix_web::test]
async fn links_come_by_kind_page_by_page() {
    let world = Fixture::new();
    let path = format!("{}/links", reported(&world));
    for (query, total, stored) in [
        ("", 121, 120),
        ("kind=broken", 31, 30),
        ("kind=redirect", 30, 30),
        ("kind=external", 30, 30),
        ("kind=internal", 91, 90),
    ] {
        let (mut found, mut cursor) = (0, String::new());
        loop {
            let page = links(&world, &format!("{path}?limit=25&{query}{cursor}")).await;
            assert_eq!((page.links_total, page.links_stored), (Some(total), stored));
            found += u64::try_from(page.links.len()).unwrap();
            match page.next_cursor {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(found, stored, "{query}");
    }
}

#[actix_web::test]
async fn redirects_come_page_by_page() {
    let world = Fixture::new();
    let path = format!("{}/redirects", reported(&world));
    let (mut found, mut cursor) = (0, String::new());
    loop {
        let reply = world.get(&format!("{path}?limit=50{cursor}")).await;
        let page: RedirectList = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!(
            (page.redirects_total, page.redirects_stored),
            (Some(121), 120)
        );
        found += page.redirects.len();
        match page.next_cursor {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(found, 120);
}

#[actix_web::test]
async fn both_lists_are_csv_files() {
    let world = Fixture::new();
    let path = reported(&world);
    for (list, lines) in [("links?kind=broken&", 31), ("redirects?", 241)] {
        let reply = world.get(&format!("{path}/{list}format=csv")).await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.text().matches("\r\n").count(), lines, "{list}");
    }
}

#[rstest]
#[case("links?kind=dead", "kind")]
#[case("links?limit=201", "limit")]
#[case("links?cursor=h0000000000000000", "cursor")]
#[case("links?format=csv&limit=9", "limit")]
#[case("links?sort=url", "sort")]
#[case("redirects?kind=broken", "kind")]
#[case("redirects?format=xml", "format")]
#[actix_web::test]
async fn what_is_wrong_is_named(#[case] query: &str, #[case] field: &str) {
    let reply = Fixture::new()
        .get(&format!("/api/mcp/reports/x/{query}"))
        .await;
    assert_eq!((reply.status, reply.field().as_deref()), (400, Some(field)));
}
