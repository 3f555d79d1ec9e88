//! Pages that are built to cost time or memory reach a limit and report it.

use rstest::rstest;

use super::*;

/// The limits that the page reports once checks have read everything.
fn limits(html: &str) -> Vec<Limit> {
    let page = Page::builder().html(html);
    let tree = page.access_tree();
    for element in page.elements() {
        let _ = tree.name(element);
    }
    page.limits_reached()
}

#[test]
fn an_ordinary_page_reaches_no_limit() {
    let html = "<style>.a{display:none}</style><meta name=robots content=noindex><a href=x>y</a><button aria-labelledby=z>";
    assert_eq!(limits(html), []);
}

#[rstest]
#[case("<a href=?#>x</a>")]
#[case("<img src=?#>")]
fn addresses_of_a_page_are_bounded(#[case] element: &str) {
    let base = format!("<base href='/{}/'>", "x".repeat(1_900));
    let many: String = (0..20_000)
        .map(|n| element.replace('#', &n.to_string()))
        .collect();
    let page = Page::builder().html(&format!("{base}{many}"));
    assert_eq!(page.limits_reached(), [Limit::Addresses]);
    let kept = page.links().len() + page.resources().len();
    assert!((5_000..15_000).contains(&kept), "{kept}");
    // Without the long base URL all of them are kept.
    let page = Page::builder().html(&many);
    assert_eq!(page.limits_reached(), []);
    assert_eq!(page.links().len() + page.resources().len(), 20_000);
}

#[test]
fn canonical_addresses_of_a_page_are_limited() {
    let link = "<link rel=canonical href=/>";
    assert_eq!(limits(&link.repeat(100)), []);
    assert_eq!(limits(&link.repeat(101)), [Limit::Addresses]);
}

#[test]
fn robots_directives_of_a_page_are_limited() {
    let meta = format!("<meta name=robots content='{}'>", "a,".repeat(1_001));
    assert_eq!(limits(&meta), [Limit::RobotsDirectives]);
}

#[rstest]
#[case::rules(".a{display:none}".repeat(20_001))]
#[case::conditions(format!("{}{{display:none}}", "a a a a a a a a a ".repeat(50)).repeat(500))]
#[case::rules_in_a_long_rule(format!("{}b{{{}}}", "a,".repeat(4_000), "@media{}".repeat(20_000)))]
#[case::blocks_in_blocks("@media screen{".repeat(9))]
fn style_sheets_of_a_page_are_bounded(#[case] css: String) {
    let rest = css + "</style><p>";
    assert_eq!(limits(&format!("<style>{rest}")), [Limit::Styles]);
}

#[test]
fn style_elements_around_a_linked_sheet_share_their_limit() {
    let own = format!("<style>{}</style>", ".a{display:none}".repeat(11_000));
    let html = format!("{own}<link rel=stylesheet href=x>{own}<p>");
    let page = Page::builder().sheet("x", "p{}").html(&html);
    let _ = page.access_tree();
    assert_eq!(page.limits_reached(), [Limit::Styles]);
}

#[test]
fn comparing_rules_with_elements_is_limited() {
    let css = ".x i~i~i~i~p{display:none}".repeat(90);
    let html = format!("<style>{css}</style>{}", "<i></i><p></p>".repeat(20_000));
    assert_eq!(limits(&html), [Limit::Styles]);
}

#[test]
fn names_from_very_many_ids_are_limited() {
    let ids = "a ".repeat(200_000);
    let html = format!("<button aria-labelledby='{ids}'>x</button>");
    assert_eq!(limits(&html), [Limit::AccessibleNames]);
}

#[test]
fn a_summary_after_very_many_siblings_is_not_found() {
    let html = |before: usize| {
        let before = "<br>".repeat(before);
        format!("<details>{before}<summary id=t>x</summary><summary id=u>y</summary></details>")
    };
    let is_focusable = |html: &str, id: &str| {
        let page = Page::builder().html(html);
        crate::aria::focus::is_focusable(page.by_id(id).unwrap())
    };
    assert!(is_focusable(&html(900), "t"));
    assert!(!is_focusable(&html(900), "u"));
    assert!(!is_focusable(&html(1_100), "t"));
}

#[test]
fn locators_in_evidence_are_short() {
    let html = format!(
        "<div id={0}><{0} {0}={0}>{0}</{0}></div>",
        "a".repeat(100_000)
    );
    let page = Page::builder().html(&html);
    for element in page.elements() {
        assert!(element.selector(500).is_none_or(|path| path.len() <= 500));
        assert!(element.snippet().chars().count() <= 201);
    }
}
