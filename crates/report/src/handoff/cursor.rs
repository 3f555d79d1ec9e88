//! The prompt for the agent in Cursor.

use domain::text::first_sentence;

use super::search_terms::search_terms;
use super::{HandoffItem, RULES, Size, label, write_how_to_verify, write_last_instruction};
use crate::brief::{
    Depth, Draft, headline, reading_rule, write_acceptance, write_affected, write_evidence,
    write_fix, write_list, write_problem, write_verification,
};
use crate::untrusted::{Fence, Whose};

/// How much an item shows.
pub(super) const DEPTH: Depth = Depth {
    causes: 2,
    places: 2,
    pages: 5,
};

pub(super) fn render(items: &[HandoffItem<'_>], size: Size) -> String {
    let mut draft = Draft::default();
    draft.heading(1, "Fix the findings of a website audit");
    let order = match items {
        [_] => "",
        _ => " in order, one at a time",
    };
    draft.paragraph(&format!(
        "The website of this project was audited. Add the items under “To-dos” to your own to-do list and \
         work through them{order}: search the codebase, read the code before you change \
         it, make the smallest edit that fixes the cause, verify it, check the item off.",
    ));
    draft.paragraph(&reading_rule());
    draft.heading(2, "To-dos");
    for (number, item) in (1_usize..).zip(items) {
        draft.task(&format!("{number}. Fix {}", label(item.dossier)));
    }
    draft.task("Run the project's own tests and linter, if it has any; report the results.");
    draft.heading(2, "Rules");
    for rule in RULES {
        draft.item(rule);
    }
    write_how_to_verify(&mut draft, items);
    for (number, item) in (1_usize..).zip(items) {
        draft.heading(2, &format!("To-do {number}: {}", headline(item.dossier)));
        write_item(&mut draft, item, size);
    }
    write_last_instruction(&mut draft, items);
    draft.finish()
}

fn write_item(draft: &mut Draft, item: &HandoffItem<'_>, size: Size) {
    let dossier = item.dossier;
    write_problem(draft, dossier, item.docs);
    if let Some(docs) = item.docs {
        draft.paragraph(&format!("Why: {}", first_sentence(&docs.why)));
    }
    if let Some(issue) = &dossier.issue {
        draft.heading(3, "Where to look");
        draft.paragraph(
            "Search the codebase for these: routes of affected pages, then names and values from \
             the markup. If a value appears in no file, it is generated at run time; then search for its \
             parts.",
        );
        let mut fence = Fence::new(Whose::Page);
        for term in search_terms(dossier) {
            fence.entry(&term);
        }
        draft.fence(&fence);
        draft.heading(3, "Evidence");
        write_evidence(draft, issue, size.depth, 4);
        if !write_list(draft, dossier, 4, size.depth, size.list_entries) {
            draft.heading(4, "Affected pages");
            write_affected(draft, dossier, size.depth);
        }
    }
    if item.docs.is_some() || dossier.issue.is_some() {
        draft.heading(3, "Fix");
        write_fix(draft, dossier, item.docs);
    }
    draft.heading(3, "How to verify");
    write_verification(draft, dossier);
    draft.heading(3, "Done when");
    write_acceptance(draft, dossier);
}
