//! The prompt for any coding agent.

use domain::text::count;

use super::{HandoffItem, RULES, Size, label, write_how_to_verify, write_last_instruction};
use crate::brief::{
    Depth, Draft, headline, reading_rule, write_acceptance, write_affected, write_evidence,
    write_facts, write_fix, write_list, write_problem, write_verification,
};

/// How much an item shows.
pub(super) const DEPTH: Depth = Depth {
    causes: 3,
    places: 3,
    pages: 10,
};

pub(super) fn render(items: &[HandoffItem<'_>], size: Size) -> String {
    let total = u64::try_from(items.len()).unwrap_or(u64::MAX);
    let number = count(total, "action item", "action items");
    let mut draft = Draft::default();
    draft.heading(1, &format!("Handoff: {number} from a website audit"));
    draft.paragraph(
        "You are a coding agent with access to the source code of the audited website. Your goal: \
         fix the cause of each item below, so that the next audit no longer finds it and nothing \
         else changes for visitors.",
    );
    draft.paragraph(&reading_rule());
    draft.heading(2, "Rules");
    for rule in RULES {
        draft.item(rule);
    }
    write_order(&mut draft, items);
    write_how_to_verify(&mut draft, items);
    for (number, item) in (1_usize..).zip(items) {
        let title = format!("Item {number} of {total}: {}", headline(item.dossier));
        draft.heading(2, &title);
        write_item(&mut draft, item, size);
    }
    write_last_instruction(&mut draft, items);
    draft.finish()
}

/// The order of the items; nothing for a single one.
fn write_order(draft: &mut Draft, items: &[HandoffItem<'_>]) {
    if items.len() < 2 {
        return;
    }
    draft.heading(2, "Order of work");
    draft.paragraph(
        "Work on one item at a time: find the cause with the evidence, fix it, verify it, continue. \
         Items whose occurrences share a selector or a template can be fixed together.",
    );
    for (number, item) in (1_usize..).zip(items) {
        draft.step(number, &label(item.dossier));
    }
}

fn write_item(draft: &mut Draft, item: &HandoffItem<'_>, size: Size) {
    let dossier = item.dossier;
    write_facts(draft, dossier);
    draft.heading(3, "Problem");
    write_problem(draft, dossier, item.docs);
    if let Some(docs) = item.docs {
        draft.paragraph(&docs.why);
    }
    if let Some(issue) = &dossier.issue {
        draft.heading(3, "Evidence");
        write_evidence(draft, issue, size.depth, 4);
        if !write_list(draft, dossier, 4, size.depth, size.list_entries) {
            draft.heading(4, "Affected pages");
            write_affected(draft, dossier, size.depth);
        }
    }
    if item.docs.is_some() || dossier.issue.is_some() {
        draft.heading(3, "How to fix it");
        write_fix(draft, dossier, item.docs);
    }
    draft.heading(3, "How to verify");
    write_verification(draft, dossier);
    draft.heading(3, "Done when");
    write_acceptance(draft, dossier);
}
