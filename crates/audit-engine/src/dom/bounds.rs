//! Tests that documents built to cost time or memory stop at a limit.

use rstest::rstest;

use super::arena::Arena;
use super::node::Stored;
use super::*;

/// This many distinct attributes, each preceded by `before`.
fn attributes(count: usize, before: &str) -> String {
    (0..count).map(|n| format!("{before}a{n}")).collect()
}

/// The depth of the deepest attached node, including template contents.
fn deepest(dom: &Dom) -> usize {
    let arena: &Arena = &dom.arena;
    let mut depths = vec![None; dom.len()];
    let mut roots = vec![(dom.document(), 0)];
    while let Some((root, depth)) = roots.pop() {
        depths[root.index()] = Some(depth);
        for id in dom.descendants(root) {
            let up = dom.parent(id).unwrap();
            let depth = depths[up.index()].unwrap() + 1;
            depths[id.index()] = Some(depth);
            if let Stored::Element(element) = arena.node(id).unwrap().stored {
                roots.extend(element.template_contents.map(|root| (root, depth + 1)));
            }
        }
    }
    depths.into_iter().flatten().max().unwrap()
}

#[track_caller]
fn assert_within_bounds(html: &str) -> Dom {
    let dom = Dom::parse(html);
    assert!(
        dom.len() <= MAX_NODES + MAX_NODES / 100,
        "{} nodes",
        dom.len()
    );
    let depth = deepest(&dom);
    // A template without its contents still has an empty fragment.
    assert!(depth <= usize::from(MAX_DEPTH) + 1, "depth {depth}");
    let steps = dom.steps_taken();
    assert!(steps <= MAX_STEPS + MAX_STEPS / 100, "{steps} steps");
    dom
}

#[test]
fn nested_formatting_respects_the_node_limit() {
    let formatting: String = (0..900).map(|n| format!("<b a={n}>")).collect();
    let dom = assert_within_bounds(&format!("<p>{formatting}{}", "<p>x".repeat(8_000)));
    assert_eq!(dom.cut_by(), Some(Limit::Nodes));
}

#[test]
fn nested_templates_with_formatting_stop_at_the_open_elements_limit() {
    let html: String = (0..40_000)
        .map(|n| format!("<template><b a={n}>"))
        .collect();
    let dom = assert_within_bounds(&html);
    assert!(matches!(
        dom.cut_by(),
        Some(Limit::OpenElements | Limit::FormattingElements)
    ));
    assert!(dom.steps_taken() < 10_000_000);
}

#[test]
fn contents_of_deep_templates_are_left_out() {
    let dom = assert_within_bounds(&"<template><div>".repeat(300));
    assert_eq!(dom.cut_by(), Some(Limit::Depth));
    let dom = assert_within_bounds(&"<template>".repeat(200));
    assert_eq!(dom.cut_by(), None);
}

#[rstest]
#[case::start_tag("<p>x<p", " ")]
#[case::end_tag("<p>x</p", " ")]
#[case::spread("<p>x<p", "\n/\t")]
#[case::behind_an_svg_title("<svg><title><p", " ")]
#[case::behind_cdata("<svg><![CDATA[<!--]]><p", " ")]
#[case::behind_a_bogus_comment("<!x<!-- ><p", " ")]
#[case::behind_a_doctype("<!doctype html public '<!-- ><p", " ")]
#[case::behind_a_comment("<!-- <!-- --!><p", " ")]
#[case::behind_a_script("<script><!--<script></script>--></script><p", " ")]
#[case::end_tag_of_a_title("<title>x</title", " ")]
#[case::end_tag_of_a_script("<script><!--</script", "/")]
#[case::end_tag_behind_another("<style></styles x></style", " ")]
#[case::end_tag_behind_a_reference("<textarea>&am</textarea", "\n")]
#[case::behind_nul("\0<p", " ")]
#[case::behind_nul_in_a_title("<title>\0</title", " ")]
#[case::behind_signs("<<</><?a>a< b<p", " ")]
fn a_tag_of_too_many_attributes_ends_the_document(#[case] before: &str, #[case] sign: &str) {
    for (count, limit) in [
        (MAX_ATTRIBUTES, None),
        (MAX_ATTRIBUTES + 1, Some(Limit::Attributes)),
        (150_000, Some(Limit::Attributes)),
    ] {
        let tag = attributes(count, sign);
        for end in ["", ">x"] {
            let dom = assert_within_bounds(&format!("{before}{tag}{end}"));
            assert_eq!(dom.cut_by(), limit, "{before:?} {count} {end:?}");
            assert!(dom.steps_taken() < 20_000_000);
        }
    }
}

#[rstest]
#[case::raw_text("<title>", "</titl")]
#[case::a_longer_name("<title>", "</titles")]
#[case::a_script_in_a_comment("<script><!--<script>", "</script")]
#[case::a_comment("<!--", "<p")]
#[case::a_bogus_comment("", "<?p")]
#[case::cdata("<svg><![CDATA[", "<p")]
#[case::a_value("<p a='", "<p")]
#[case::plain_text("<plaintext>", "</plaintext")]
fn text_that_is_not_an_attribute_does_not_count(#[case] before: &str, #[case] tag: &str) {
    let words = attributes(20_000, " ");
    for prefix in ["", "\0"] {
        assert_eq!(
            assert_within_bounds(&format!("{prefix}{before}{tag}{words}")).cut_by(),
            None
        );
    }
}

#[test]
fn attributes_of_further_roots_and_bodies_are_bounded() {
    for name in ["html", "body"] {
        let tags: String = (0..5_000).map(|n| format!("<{name} a{n}>")).collect();
        let dom = assert_within_bounds(&tags);
        assert_eq!(dom.cut_by(), Some(Limit::Attributes));
        let most = dom
            .descendants(dom.document())
            .filter_map(|id| dom.element(id))
            .map(|element| element.attrs().count())
            .max();
        assert_eq!(most, Some(MAX_ATTRIBUTES));
    }
}

#[test]
fn attributes_of_all_elements_are_bounded() {
    let tag = format!("<p{}>", attributes(60, " "));
    let dom = assert_within_bounds(&tag.repeat(MAX_ALL_ATTRIBUTES / 60 + 2));
    assert_eq!(dom.cut_by(), Some(Limit::Attributes));
}

#[test]
fn repeated_long_values_are_bounded() {
    let html = format!(
        "<p><b class='{}'>{}",
        "a ".repeat(100_000),
        "<p>x".repeat(100_000)
    );
    let dom = assert_within_bounds(&html);
    assert_eq!(dom.cut_by(), Some(Limit::Attributes));
    assert!(dom.len() < 2_000);
}

#[test]
fn long_names_are_bounded() {
    for tag in [
        "<element#></element#>",
        "</element#>",
        "<p attribute#>",
        "<p =attribute#>",
        "</p attribute#>",
    ] {
        let tags: String = (0..MAX_LONG_NAMES + 10)
            .map(|n| tag.replace('#', &n.to_string()))
            .collect();
        assert_eq!(
            assert_within_bounds(&tags).cut_by(),
            Some(Limit::Names),
            "{tag}"
        );
    }
}

#[test]
fn formatting_elements_are_bounded() {
    for count in [900, 1_500] {
        let formatting: String = (0..count).map(|n| format!("<b a={n}>")).collect();
        let dom = assert_within_bounds(&format!("{formatting}{}", "<b x></b>".repeat(110_000)));
        let limit = if count > MAX_FORMATTING_ELEMENTS {
            Limit::FormattingElements
        } else {
            Limit::Steps
        };
        assert_eq!(dom.cut_by(), Some(limit));
    }
}

#[rstest]
#[case::ends("<span>", 2_000, "</x>")]
#[case::paragraphs("<span>", 2_000, "</p>")]
#[case::formatting("<span>", 2_000, "</b>")]
#[case::foreign("<svg>", 2_000, "</x>")]
#[case::templates("<span>", 2_000, "<template></template>")]
#[case::tables("<span>", 2_000, "<table></table>")]
#[case::adoption("<b><i><u><s><p>", 100, "</b></i></u></s>")]
#[case::moved_children("<b><p>", 1, "<br></b><b><div>")]
#[case::fostered("<table><b>x", 1, "<p>x</b><tr>")]
#[case::links("<a href=x><div>", 1, "<a><div>")]
fn work_for_open_elements_is_bounded(
    #[case] before: &str,
    #[case] times: usize,
    #[case] piece: &str,
) {
    let pieces = piece.repeat(1_000_000 / piece.len());
    assert_within_bounds(&format!("{}{pieces}", before.repeat(times)));
}

#[test]
fn a_document_stops_at_the_step_limit() {
    let html = format!("{}{}", "<span>".repeat(2_000), "</x>".repeat(500_000));
    let dom = assert_within_bounds(&html);
    assert_eq!(dom.cut_by(), Some(Limit::Steps));
}

#[test]
fn subtrees_moved_below_deep_nodes_are_flattened() {
    // Each end tag moves the content of the block one level deeper.
    let deep = format!(
        "{}<b><p>{}{}",
        "<div>".repeat(400),
        "<i>".repeat(300),
        "x</b><b><p>".repeat(300)
    );
    let dom = assert_within_bounds(&deep);
    assert_eq!(dom.cut_by(), None);
    let text: String = dom
        .descendants(dom.document())
        .filter_map(|id| dom.run(id))
        .collect();
    assert_eq!(text, "x".repeat(300));
}

#[test]
fn ordinary_documents_take_a_few_steps_per_byte() {
    let piece = "<div class='a b'><p id=x>Some words &amp; more of them.</p><ul><li>One<li><a href=x>Two</a></ul></div>\n";
    let html = piece.repeat(5_000);
    let dom = assert_within_bounds(&html);
    assert_eq!(dom.cut_by(), None);
    let steps = usize::try_from(dom.steps_taken()).unwrap();
    assert!(steps < 10 * html.len(), "{steps} of {}", html.len());
}
