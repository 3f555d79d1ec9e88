//! Handoffs as their readers get them.

use domain::SubjectKind;
use domain::action::HandoffFormat;
use rstest::rstest;

use super::{HandoffItem, render};
use crate::brief::sample;

#[rstest]
#[case("markdown", HandoffFormat::Markdown)]
#[case("cursor", HandoffFormat::Cursor)]
fn items_of_every_kind(#[case] name: &str, #[case] format: HandoffFormat) {
    let (images, image_docs) = sample::image_alt();
    let (links, link_docs) = sample::broken_link();
    let person = sample::of_a_person();
    let items = [
        HandoffItem {
            dossier: &images,
            docs: Some(&image_docs),
        },
        HandoffItem {
            dossier: &links,
            docs: Some(&link_docs),
        },
        HandoffItem {
            dossier: &person,
            docs: None,
        },
    ];
    insta::assert_snapshot!(name, render(&items, format));
}

#[rstest]
#[case(HandoffFormat::Markdown, "## Order of work")]
#[case(HandoffFormat::Cursor, "work through them in order, one at a time")]
fn several_items_have_an_order_of_work(#[case] format: HandoffFormat, #[case] order: &str) {
    let (dossier, docs) = sample::image_alt();
    let item = HandoffItem {
        dossier: &dossier,
        docs: Some(&docs),
    };
    assert!(!render(&[item], format).contains(order));
    assert!(render(&[item; 2], format).contains(order));
}

#[rstest]
#[case(SubjectKind::Page, "Use the URLs, selectors and excerpts")]
#[case(SubjectKind::Resource, "Change the source of the files")]
#[case(SubjectKind::Origin, "a file of the site such as robots.txt")]
#[case(SubjectKind::Site, "Change the source of the site")]
fn where_to_change_something_depends_on_what_is_checked(
    #[case] subject: SubjectKind,
    #[case] advice: &str,
) {
    let (mut dossier, docs) = sample::image_alt();
    dossier.issue.as_mut().unwrap().subject = subject;
    let item = HandoffItem {
        dossier: &dossier,
        docs: Some(&docs),
    };
    let prompt = render(&[item], HandoffFormat::Markdown);
    assert!(prompt.contains(advice), "{prompt}");
    let pages = prompt.contains("so pages that are not listed are fixed too");
    assert_eq!(pages, subject == SubjectKind::Page);
}

#[rstest]
#[case(HandoffFormat::Markdown)]
#[case(HandoffFormat::Cursor)]
fn items_stand_in_the_order_given(#[case] format: HandoffFormat) {
    let (images, _) = sample::image_alt();
    let person = sample::of_a_person();
    let item = |dossier| HandoffItem {
        dossier,
        docs: None,
    };
    let prompt = render(&[item(&person), item(&images)], format);
    let place = |id: &str| prompt.find(id).unwrap();
    assert!(place(person.item.id.as_str()) < place(images.item.id.as_str()));
    let prompt = render(&[item(&images), item(&person)], format);
    let place = |id: &str| prompt.find(id).unwrap();
    assert!(place(person.item.id.as_str()) > place(images.item.id.as_str()));
}

#[rstest]
#[case(HandoffFormat::Markdown)]
#[case(HandoffFormat::Cursor)]
fn links_into_one_folder_are_all_listed_below_their_common_beginning(
    #[case] format: HandoffFormat,
) {
    let (dossier, docs) = sample::broken_folder(77);
    let docs = Some(&docs);
    let dossier = &dossier;
    let prompt = render(&[HandoffItem { dossier, docs }], format);
    let beginning = "all begin with: Broken internal link to https://ferry.example/lines/2025/\n";
    assert!(prompt.contains(beginning), "{prompt}");
    assert!(prompt.contains("All 77 causes"), "{prompt}");
    for number in 0..77 {
        let line = format!("\n…route-{number:03}.html (on https://ferry.example/lines/ line ");
        assert!(prompt.contains(&line), "{number}");
    }
    assert!(!prompt.contains("list_occurrences"));
    let command =
        "assay audit https://ferry.example/ --check link-broken-internal --fail-on serious";
    assert!(prompt.contains(command), "{prompt}");
}

#[rstest]
#[case(HandoffFormat::Markdown)]
#[case(HandoffFormat::Cursor)]
fn ten_items_with_more_evidence_than_fits_name_the_calls_for_the_rest(
    #[case] format: HandoffFormat,
) {
    let (dossier, docs) = sample::broken_folder(200);
    let docs = Some(&docs);
    let dossier = &dossier;
    let prompt = render(&[HandoffItem { dossier, docs }; 10], format);
    assert!(super::json_bytes(&prompt) <= super::MAX_PROMPT_BYTES);
    assert_eq!(prompt.matches(" of 200 causes\n").count(), 10, "{prompt}");
    let (report, issue) = (
        &dossier.item.audit.as_ref().unwrap().report_id,
        dossier.issue_id.as_ref().unwrap(),
    );
    for call in [
        format!(
            "list_occurrences {{\"reportId\": \"{report}\", \"issueId\": \"{issue}\", \"limit\": 200}}"
        ),
        format!("assay reports causes {report} {issue}\n"),
        format!("GET /api/mcp/reports/{report}/issues/{issue}/causes\n"),
    ] {
        assert_eq!(prompt.matches(&call).count(), 10, "{call}");
    }
}
