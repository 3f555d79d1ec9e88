//! Documents that are hard to parse, to keep, or to walk.

use std::time::Instant;

use audit_engine::AuditOptions;
use audit_engine::check::Need;
use audit_engine::checks::catalogue;
use audit_engine::view::Page;
use rstest::rstest;
use testkit::hostile::{Behaviour, HostileServer};

use crate::audit::{BOUND, audit_of, egress, options};

/// What a thread of the runtime has.
const STACK: usize = 2 << 20;

/// Runs on a thread with a stack of 2 MiB; an overflow ends the test's process.
fn on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap()
}

/// Parses the document, runs every page check, drops the page. Answers the deepest nesting.
fn judge(html: String) -> usize {
    on_a_small_stack(move || {
        let page = Page::builder().html(&html);
        for check in catalogue() {
            if !check.needs(Need::Browser) {
                drop(check.evaluate_page(&page));
            }
        }
        page.elements()
            .map(|element| element.ancestors().count())
            .max()
            .unwrap_or(0)
    })
}

#[rstest]
#[case::elements("<div>")]
#[case::inline("<span>")]
#[case::formatting("<b>")]
#[case::lists("<ul><li>")]
#[case::tables("<table><tr><td>")]
#[case::foreign("<svg><g>")]
fn a_deep_tree_neither_overflows_a_small_stack_nor_is_kept_deep(#[case] piece: &str) {
    let depth = judge(format!(
        "<!doctype html><title>x</title>{}",
        piece.repeat(5_000)
    ));
    assert!(depth <= 513, "{depth}");
}

#[test]
fn twin_a_walk_that_recurses_into_a_deep_document_needs_more_than_a_small_stack() {
    // A frame of such a walk has 100 bytes at the least; no walk of ours recurses.
    let deep = "<div>".repeat(100_000);
    let nested = deep.matches("<div>").count();
    assert!(nested * 100 > STACK);
}

/// An audit with every check needs a release build to be quick; what is shown here is that the
/// crawl takes these pages and goes on.
/// A page with that sheet and so many paragraphs.
fn styled(css: &str, paragraph: &str, paragraphs: usize) -> String {
    let paragraphs = paragraph.repeat(paragraphs);
    format!("<!doctype html><title>x</title><style>{css}</style><body>{paragraphs}")
}

#[rstest]
#[case::nested_negations(styled(
    &format!("{}a{}{{display:none}}", ":not(".repeat(20_000), ")".repeat(20_000)), "<p>x", 10,
))]
#[case::rules_in_a_long_rule(styled(
    &format!("{}{{{}}}", "a".repeat(200_000), "@media x{}".repeat(40_000)), "<p>x", 10,
))]
#[case::settings(styled(&format!("p{{{}}}", "display:a;".repeat(50_000)), "<p>x", 20_000))]
#[case::classes(styled(&format!("{}{{display:none}}", ".a".repeat(400)), "<p class=a>x", 20_000))]
#[case::many_rules(styled(
    &(0..100).map(|n| format!(".z{n} div p{{display:none}}")).collect::<String>(),
    "<p>x", 20_000,
))]
#[case::comments(styled("p:last-child{display:none}", "<p>x</p><!---->", 20_000))]
#[case::attribute(format!("<body style='{}'>{}", "a:b;".repeat(200_000), "<p style='letter-spacing:1px!important'>abc".repeat(20_000)))]
fn style_sheets_that_cost_time_hold_nobody_up(#[case] html: String) {
    let begun = Instant::now();
    judge(html);
    assert!(begun.elapsed() < BOUND, "{:?}", begun.elapsed());
}

#[rstest]
#[case::nested(Behaviour::DeepTree)]
#[case::attributes(Behaviour::ManyAttributes)]
#[case::tag(Behaviour::HugeTag)]
#[case::nul_bytes(Behaviour::NulBytes)]
#[case::charset(Behaviour::BrokenCharset)]
#[case::not_html(Behaviour::HtmlAsImage)]
#[case::not_an_image(Behaviour::ImageAsHtml)]
fn a_hostile_document_holds_nobody_up(#[case] behaviour: Behaviour) {
    let server = HostileServer::start(&[behaviour]).unwrap();
    let only = catalogue()
        .into_iter()
        .filter(|check| ["title-missing", "link-name"].contains(&check.id))
        .collect();
    let started = Instant::now();
    let audit = audit_of(
        &server,
        egress(&server),
        AuditOptions {
            only: Some(only),
            ..options()
        },
    )
    .unwrap();
    assert!(started.elapsed() < BOUND);
    let pages = if behaviour == Behaviour::HtmlAsImage {
        1
    } else {
        2
    };
    assert_eq!(audit.site.pages.len(), pages);
}
