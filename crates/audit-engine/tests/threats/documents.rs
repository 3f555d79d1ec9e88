//! Documents that are expensive to parse, store or traverse.

use std::time::Instant;

use audit_engine::AuditOptions;
use audit_engine::check::Need;
use audit_engine::checks::catalogue;
use audit_engine::view::Page;
use rstest::rstest;
use testkit::hostile::{Behaviour, HostileServer};

use crate::audit::{BOUND, audit_of, egress, options};

/// The stack size of a runtime thread.
const STACK: usize = 2 << 20;

/// Runs on a thread with a stack of 2 MiB; a stack overflow ends the test process.
fn on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap()
}

/// Parses the document, runs every page check and drops the page. Returns the maximum nesting
/// depth.
fn run_checks(html: String) -> usize {
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
fn a_deep_tree_is_flattened_and_does_not_overflow_a_small_stack(#[case] piece: &str) {
    let depth = run_checks(format!(
        "<!doctype html><title>x</title>{}",
        piece.repeat(5_000)
    ));
    assert!(depth <= 513, "{depth}");
}

#[test]
fn twin_a_recursive_traversal_of_a_deep_document_overflows_a_small_stack() {
    // A stack frame of such a traversal takes at least 100 bytes; the engine's traversals are not
    // recursive.
    let deep = "<div>".repeat(100_000);
    let nested = deep.matches("<div>").count();
    assert!(nested * 100 > STACK);
}

/// A page with this style sheet and this number of paragraphs.
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
fn expensive_style_sheets_end_in_time(#[case] html: String) {
    let begun = Instant::now();
    run_checks(html);
    assert!(begun.elapsed() < BOUND, "{:?}", begun.elapsed());
}

/// An audit with every check is only fast in a release build, so this test runs two checks and shows that
/// the crawl takes such pages and continues.
#[rstest]
#[case::nested(Behaviour::DeepTree)]
#[case::attributes(Behaviour::ManyAttributes)]
#[case::tag(Behaviour::HugeTag)]
#[case::nul_bytes(Behaviour::NulBytes)]
#[case::charset(Behaviour::BrokenCharset)]
#[case::not_html(Behaviour::HtmlAsImage)]
#[case::not_an_image(Behaviour::ImageAsHtml)]
fn a_hostile_document_ends_in_time(#[case] behaviour: Behaviour) {
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
