//! Sitemaps that are compression bombs, nested or endless.

use std::time::{Duration, Instant};

use audit_engine::gather::sitemap::Sitemap;
use rstest::rstest;
use testkit::hostile::{Behaviour, HostileServer};

use crate::audit::{audit_hastily, egress, fetch, fetch_from, naive_sitemaps};

#[rstest]
// The index, and the files it lists except further indexes.
#[case::nested(Behaviour::SitemapNested, 2)]
#[case::circle(Behaviour::SitemapCircle, 1)]
// The index and forty-nine files make fifty.
#[case::many(Behaviour::SitemapManyFiles, 50)]
#[case::bomb(Behaviour::SitemapBomb, 1)]
#[case::slow(Behaviour::SitemapSlow, 1)]
fn a_sitemap_causes_exactly_this_number_of_requests(
    #[case] behaviour: Behaviour,
    #[case] requests: usize,
) {
    let started = Instant::now();
    let (audit, server) = audit_hastily(&[behaviour]);
    let audit = audit.unwrap();
    let hits = server
        .server()
        .log()
        .iter()
        .filter(|line| line.contains(behaviour.name()) && !line.contains("/page"))
        .count();
    assert_eq!(hits, requests, "{:?}", server.server().log());
    assert!(audit.site.sitemaps.len() <= 50);
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[rstest]
#[case(Behaviour::SitemapNested)]
#[case(Behaviour::SitemapManyFiles)]
fn twin_a_reader_that_follows_every_index_never_ends(#[case] behaviour: Behaviour) {
    let server = HostileServer::start(&[]).unwrap();
    assert_eq!(naive_sitemaps(&server, behaviour, 100), 100);
}

#[test]
fn entities_are_not_expanded_and_the_rest_of_the_sitemap_is_read() {
    for behaviour in [Behaviour::SitemapEntities, Behaviour::SitemapExternalEntity] {
        let answer = fetch(behaviour, 1 << 20).unwrap();
        let sitemap = Sitemap::parse(&answer.body, &answer.url);
        for entry in sitemap.entries() {
            assert!(entry.loc.len() < 200, "{}", entry.loc.len());
            assert!(!entry.loc.contains("laugh") && !entry.loc.contains("root:"));
        }
        assert!(
            sitemap
                .entries()
                .filter(|entry| entry.url().is_some())
                .count()
                <= 1,
            "{sitemap:?}"
        );
    }
}

#[test]
fn a_sitemap_of_a_hundred_megabytes_is_read_up_to_its_limits() {
    let server = HostileServer::start(&[]).unwrap();
    let limit = u64::try_from(audit_engine::gather::sitemap::MAX_BYTES).unwrap();
    let url = server.url(Behaviour::SitemapLarge);
    let answer = fetch_from(egress(&server), url, limit).unwrap();
    assert!(answer.truncated);
    assert_eq!(u64::try_from(answer.body.len()).unwrap(), limit);
    drop(server);
    let beginning = answer.body.slice(..4 << 20);
    let sitemap = Sitemap::parse(&beginning, &answer.url);
    assert!(sitemap.entries().count() <= audit_engine::gather::sitemap::MAX_URLS);
}
