//! Briefs as their readers get them.

use domain::action::{Description, Instructions, Title};

use super::{render, sample};

#[test]
fn a_check_of_pages() {
    let (dossier, docs) = sample::image_alt();
    insta::assert_snapshot!("a_check_of_pages", render(&dossier, Some(&docs), None));
}

#[test]
fn several_causes_and_the_askers_words() {
    let (dossier, docs) = sample::broken_link();
    let words = "Use our `Link` component.\n\n```\nAnd nothing else.\n```";
    let instructions = Instructions::parse(words).unwrap();
    insta::assert_snapshot!(
        "several_causes_and_the_askers_words",
        render(&dossier, Some(&docs), instructions.as_ref())
    );
}

#[test]
fn a_hint_about_the_server() {
    let (dossier, docs) = sample::hsts();
    insta::assert_snapshot!(
        "a_hint_about_the_server",
        render(&dossier, Some(&docs), None)
    );
}

#[test]
fn an_item_of_a_person() {
    insta::assert_snapshot!(
        "an_item_of_a_person",
        render(&sample::of_a_person(), None, None)
    );
}

#[test]
fn a_check_that_was_retired_is_quoted() {
    let (dossier, _) = sample::image_alt();
    let brief = render(&dossier, None, None);
    assert!(brief.contains("The check is no longer in the catalogue. The report states:\n\n```text untrusted\nwhy: It hinders people.\nfix: Repair it.\n```\n"));
}

#[test]
fn what_a_person_wrote_into_an_item_is_carried() {
    let (mut dossier, docs) = sample::image_alt();
    dossier.item.title = Title::parse("Alt texts, please").unwrap();
    dossier.item.description = Description::parse("Ask Ada for the texts.").unwrap();
    let brief = render(&dossier, Some(&docs), None);
    assert!(brief.contains("```text organization\nAsk Ada for the texts.\n```\n"));
    assert!(brief.contains("title of the item: Alt texts, please\n"));
}

#[test]
fn a_check_id_of_another_form_stands_nowhere() {
    let (mut dossier, docs) = sample::image_alt();
    dossier.item.audit.as_mut().unwrap().check_id = "a; rm -rf /".to_owned();
    assert!(!render(&dossier, Some(&docs), None).contains("rm -rf"));
}
