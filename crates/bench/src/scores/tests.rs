use testkit::golden::GoldenSite;

use crate::build::Builder;
use crate::measure::{self, Scores};
use crate::pair::{Expected, Relation};
use crate::phrase::{Base, Feature, Scope, SitePhrase};

fn built(words: &str) -> GoldenSite {
    Builder::build(&SitePhrase::read(words).unwrap()).unwrap()
}

fn scored(words: &str) -> Scores {
    measure::recording(&built(words).to_string(), 1_000).unwrap()
}

#[test]
fn sites_of_any_number_of_pages_have_no_findings() {
    for pages in [1, 10, 100] {
        let scores = scored(&format!("golden on {pages} pages"));
        assert_eq!(scores.failed, [""; 0], "{pages} pages");
        assert_eq!((scores.pages, scores.overall), (pages, 100.0));
        assert!(scores.dimensions.values().all(|score| *score == 100.0));
    }
}

#[test]
fn the_words_of_a_site_are_read_one_by_one() {
    let phrase = SitePhrase::read(
        "golden without title, description and style sheets × all, with one broken link on 3 of 50 pages",
    )
    .unwrap();
    assert_eq!((phrase.base, phrase.pages), (Base::Golden, Some(50)));
    let items: Vec<_> = phrase
        .items
        .iter()
        .map(|item| (item.removed, item.feature, item.count))
        .collect();
    assert_eq!(
        items,
        [
            (true, Feature::Title, None),
            (true, Feature::Description, None),
            (true, Feature::StyleSheets, None),
            (false, Feature::BrokenLinks, Some(1)),
        ]
    );
    assert_eq!(phrase.items.last().unwrap().scope, Some(Scope::Pages(3)));
    let audited = SitePhrase::read("pgdoc with 1,000 pages audited").unwrap();
    assert_eq!(audited.base, Base::Files("pgdoc"));
    assert_eq!((audited.audited, audited.pages), (Some(1_000), None));
}

#[test]
fn a_word_without_a_meaning_is_an_error() {
    for words in [
        "golden with a purple broken link",
        "golden with elephants",
        "silver without title",
    ] {
        assert!(SitePhrase::read(words).is_err(), "{words}");
    }
    assert!(Expected::read("beauty by at least 3").is_err());
    assert!(Expected::read("seo by at least some").is_err());
}

#[test]
fn what_differs_is_read() {
    let read = |text| Expected::read(text).unwrap();
    assert_eq!(read("overall and seo").scores.len(), 2);
    assert_eq!(
        read("overall by at least 15").relation,
        Relation::AtLeast(15)
    );
    assert_eq!(read("seo by at most 3").relation, Relation::AtMost(3));
    let equal = read("equal in aiReadiness (a choice is no fault)");
    assert_eq!((equal.scores.len(), equal.relation), (1, Relation::Equal));
    let each = read("each subscore differs by at most 5");
    assert_eq!((each.scores.len(), each.relation), (6, Relation::Within(5)));
}

#[test]
fn each_change_fails_its_checks() {
    let mut wrong = Vec::new();
    for (words, check) in [
        ("golden without title × all", "title-missing"),
        ("golden without viewport × all", "viewport-missing"),
        ("golden with all images without alt", "image-alt"),
        (
            "golden with one image without alt on one of 20 pages",
            "image-alt",
        ),
        ("golden with noindex × all", "noindex-sitewide"),
        ("golden without security headers", "csp-missing"),
        (
            "golden with a login form over plain http",
            "password-on-http",
        ),
        ("golden with a secret key in its source", "secret-in-source"),
        (
            "golden with half of the internal links broken",
            "link-broken-internal",
        ),
        (
            "golden with one broken link on all of 10 pages",
            "link-broken-internal",
        ),
        ("golden with 3 defects", "link-name"),
        ("golden with thin text × all", "content-thin"),
        ("golden with thin text on 1 page", "content-thin"),
        (
            "golden with all text written by scripts",
            "content-needs-js-suspected",
        ),
        (
            "golden with robots.txt that keeps AI search crawlers out",
            "ai-search-bot-blocked",
        ),
        ("golden without llms.txt", "llms-txt-missing"),
        (
            "golden with one header image of 5 MB on the start page",
            "image-too-heavy",
        ),
        (
            "golden, large and uncompressed (2 MB a visit)",
            "text-uncompressed",
        ),
        (
            "golden with 6 blocking scripts of 200 KB in the head",
            "render-blocking",
        ),
        (
            "golden with framing allowed, no forms, no cookies",
            "clickjacking-unprotected",
        ),
        (
            "the same shop served without its templates resolved (no title)",
            "content-placeholder",
        ),
        ("one unlabelled field on 1 of 10 pages", "label"),
        ("the same frame on all 5 pages", "frame-title"),
        (
            "golden with html-parse-errors of no consequence × all",
            "html-parse-errors",
        ),
        (
            "golden with the head ended early by an element that does not belong there × all",
            "head-broken-by-body-element",
        ),
        (
            "golden with a near-duplicate pair",
            "content-duplicate-near",
        ),
        (
            "golden with half its pages the same",
            "content-duplicate-exact",
        ),
    ] {
        let failed = scored(words).failed;
        if !failed.iter().any(|id| id == check) {
            wrong.push(format!("{words}: {failed:?}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn what_a_site_has_is_no_finding() {
    for words in [
        "a shop put together properly",
        "golden with llms.txt",
        "golden with text in raw HTML",
        "golden with images of 100 KB",
        "golden with own style sheet of 10 KB in the head",
    ] {
        let failed = scored(words).failed;
        assert_eq!(failed, [""; 0], "{words}");
    }
}
