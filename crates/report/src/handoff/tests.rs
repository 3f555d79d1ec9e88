//! Handoffs as their readers get them.

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
