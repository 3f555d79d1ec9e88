//! Pages from recorded snapshots: no browser is needed. `examples/record.rs` records them.

use rstest::rstest;

use super::Snapshot;
use crate::dom::ElementRef;
use crate::view::Page;

fn widgets() -> Page {
    let snapshot = Snapshot::read(include_str!("recorded/widgets.json")).unwrap();
    Page::builder()
        .html(include_str!("recorded/widgets.html"))
        .rendered(&snapshot)
}

fn by_id<'a>(page: &'a Page, id: &str) -> ElementRef<'a> {
    page.elements()
        .find(|element| element.attr("id") == Some(id))
        .unwrap()
}

#[test]
fn what_scripts_wrote_is_there_and_has_no_line() {
    let page = widgets();
    assert!(page.is_rendered());
    assert_eq!(page.title(), Some("Written"));
    let added = by_id(&page, "added");
    assert_eq!((added.text().as_str(), added.line()), ("added", 0));
    assert_eq!(by_id(&page, "gone").line(), 9);
}

#[rstest]
#[case::removed("gone", false)]
#[case::inside_removed("in-gone", false)]
#[case::invisible("unseen", false)]
#[case::visible_in_invisible("back", true)]
#[case::without_a_box_of_its_own("contents", true)]
#[case::text_without_a_box_around("contents-text", true)]
#[case::field("field", true)]
#[case::option_of_a_closed_list("option", true)]
#[case::summary("summary", true)]
#[case::inside_closed_details("inside", false)]
#[case::inside_open_details("inside-open", true)]
#[case::area_of_an_image("area", true)]
#[case::text_of_an_image("svg-text", true)]
#[case::in_a_slot("light", true)]
#[case::added_by_a_script("added", true)]
fn the_browser_says_what_is_shown(#[case] id: &str, #[case] is_exposed: bool) {
    let page = widgets();
    let tree = page.access_tree();
    let exposure = tree.exposure(by_id(&page, id));
    assert_eq!(
        (exposure.is_exposed(), exposure.uncertain),
        (is_exposed, false)
    );
}

#[test]
fn shadow_trees_stand_below_their_hosts_and_slots_hold_what_they_show() {
    let page = widgets();
    let names = |id: &str| -> Vec<String> {
        let inner = by_id(&page, id).descendants();
        inner.map(|element| element.name().to_owned()).collect()
    };
    assert_eq!(
        names("card"),
        ["h2", "slot", "b", "p", "slot", "i", "input", "span"]
    );
    assert_eq!(names("other"), ["h2", "slot", "p", "slot", "input", "span"]);
    assert!(names("field").is_empty(), "a control of the browser");
    assert_eq!(names("open"), ["summary", "p"]);
}

#[test]
fn ids_of_shadow_trees_are_none_of_the_document() {
    let page = widgets();
    assert_eq!(page.all_by_id("duplicate").count(), 1);
    assert_eq!(page.by_id("duplicate").unwrap().name(), "p");
    assert!(page.by_id("inner").is_none());
    for inner in page
        .html("input")
        .filter(|input| input.attr("id") == Some("inner"))
    {
        let label = page.referenced(inner, "inner-label").unwrap();
        assert_eq!(label.parent(), inner.parent(), "of its own tree");
        assert_eq!(page.access_tree().name(inner).text, "Inner");
    }
}

#[test]
fn a_modal_dialog_makes_everything_around_it_inert() {
    let read = || Snapshot::read(include_str!("recorded/widgets.json")).unwrap();
    let snapshot = read();
    let nodes = &snapshot.document.nodes;
    let names = nodes.node_name.iter().zip(&nodes.backend_node_id);
    let mut details = names.filter(|(name, _)| snapshot.string(**name) == "DETAILS");
    // Any element serves as the dialog here.
    let dialog = *details.nth(1).unwrap().1;
    let page = Page::builder()
        .html("")
        .rendered(&read().with_modal(vec![dialog]));
    let tree = page.access_tree();
    for (id, is_inert) in [
        ("open", false),
        ("inside-open", false),
        ("closed", true),
        ("field", true),
        ("light", true),
    ] {
        assert_eq!(tree.exposure(by_id(&page, id)).inert, is_inert, "{id}");
    }
}

#[test]
fn text_that_a_style_sheet_adds_is_told_from_none() {
    let page = widgets();
    let styles = page.styles();
    assert!(styles.may_generate_text(by_id(&page, "named")));
    assert!(!styles.may_generate_text(by_id(&page, "blank")));
}
