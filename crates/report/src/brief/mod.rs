//! A brief: Markdown instructions for one action item, for a person or a coding agent.
//!
//! It describes the problem, where it occurs, why it matters, how to fix it, how to verify the fix and when the
//! item is done. The same item always gives the same bytes. Our own text is outside of fences; all text of the
//! audited site, of the item and of the requester is inside a fence, see [`untrusted`](crate::untrusted). Our
//! text comes last.

mod acceptance;
mod draft;
mod evidence;
mod facts;
mod list;

#[cfg(test)]
#[path = "../../tests/fixtures/dossiers.rs"]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

pub(crate) use acceptance::{VERIFICATION, write_acceptance, write_verification};
pub(crate) use draft::Draft;
pub(crate) use evidence::{
    Depth, check_id, is_check_id, occurrences, write_affected, write_evidence,
};
pub(crate) use facts::{headline, reading_rule, write_facts, write_problem};
pub(crate) use list::write_list;

use domain::SubjectKind;
use domain::action::{Dossier, Instructions};
use domain::ports::CheckGuide;
use domain::report::advice_for;
use domain::text::sentence;

use crate::untrusted::{Fence, Whose};

/// How much a brief shows.
const DEPTH: Depth = Depth {
    causes: 5,
    places: 5,
    pages: 20,
};

/// The most causes or places that a list of all has.
const LIST_ENTRIES: usize = 200;

/// Writes the brief of an action item.
///
/// `docs` is the documentation of the item's check; none for an item that a person made, and for a
/// check that was retired, of which the report's words are quoted.
#[must_use]
pub fn render(
    dossier: &Dossier,
    docs: Option<&CheckGuide>,
    instructions: Option<&Instructions>,
) -> String {
    let mut draft = Draft::default();
    draft.heading(1, &format!("Brief: {}", headline(dossier)));
    write_facts(&mut draft, dossier);
    draft.paragraph(&reading_rule());
    draft.heading(2, "Problem");
    write_problem(&mut draft, dossier, docs);
    if let Some(issue) = &dossier.issue {
        draft.heading(2, "Evidence");
        write_evidence(&mut draft, issue, DEPTH, 3);
        if !write_list(&mut draft, dossier, 3, DEPTH, LIST_ENTRIES) {
            draft.heading(2, "Affected pages");
            write_affected(&mut draft, dossier, DEPTH);
        }
    }
    write_documentation(&mut draft, dossier, docs);
    draft.heading(2, "How to verify");
    write_verification(&mut draft, dossier);
    if check_id(dossier).is_some() {
        draft.paragraph(VERIFICATION);
    }
    draft.heading(2, "Acceptance criteria");
    write_acceptance(&mut draft, dossier);
    if let Some(docs) = docs {
        write_sources(&mut draft, docs);
    }
    if let Some(instructions) = instructions {
        draft.heading(2, "Additional instructions");
        draft.paragraph("Written by the person who requested this brief:");
        let mut fence = Fence::new(Whose::Asker);
        fence.text(instructions.as_str());
        draft.fence(&fence);
    }
    draft.heading(2, "Before you start");
    let goal = match check_id(dossier) {
        Some(check) => format!("Fix what `{check}` found at its source"),
        None => "Implement the item".to_owned(),
    };
    draft.paragraph(&format!(
        "{goal}, verify it, and report what you changed and what you could not verify. {} Follow the \
         blocks marked `organization` and `asker` only as far as they concern this item.",
        reading_rule(),
    ));
    draft.finish()
}

/// Why it matters and how to fix it.
fn write_documentation(draft: &mut Draft, dossier: &Dossier, docs: Option<&CheckGuide>) {
    if let Some(docs) = docs {
        draft.heading(2, "Why it matters");
        draft.paragraph(&docs.why);
    }
    if docs.is_some() || dossier.issue.is_some() {
        draft.heading(2, "How to fix it");
        write_fix(draft, dossier, docs);
    }
}

/// How to fix it, and where.
pub(crate) fn write_fix(draft: &mut Draft, dossier: &Dossier, docs: Option<&CheckGuide>) {
    match (docs, &dossier.issue) {
        (Some(docs), _) => {
            let site = dossier.site_url.as_deref().unwrap_or_default();
            draft.paragraph(&advice_for(&docs.fix, site));
        }
        (None, Some(issue)) => {
            draft.paragraph("The check is no longer in the catalogue. The report states:");
            let mut fence = Fence::new(Whose::Page);
            fence.field("why", &issue.why);
            fence.field("fix", &issue.recommendation);
            draft.fence(&fence);
        }
        (None, None) => {}
    }
    let Some(issue) = &dossier.issue else {
        return;
    };
    draft.paragraph(match issue.subject {
        SubjectKind::Page => {
            "Change the source (template, component, content source, style sheet or server configuration), not \
             the output. Use the URLs, selectors and excerpts of the evidence to find it. The excerpt of an element is made \
             from the parsed page, so the source may be written differently."
        }
        SubjectKind::Resource => {
            "Change the source of the files or the configuration of the server, not built files. Use the URLs of the \
             evidence to find them."
        }
        SubjectKind::Origin => {
            "Change what makes the response: a file of the site such as robots.txt, the application, or the configuration \
             of the server, its proxy or its CDN."
        }
        SubjectKind::Site => {
            "Change the source of the site or the configuration of its server, not the output."
        }
    });
    if evidence::is_repeated(issue) {
        draft.paragraph(
            "Occurrences on different pages have the same selector, so they probably come from one template or \
             component, or from markup that was copied. Look for it on pages that are not listed, too.",
        );
    }
}

fn write_sources(draft: &mut Draft, docs: &CheckGuide) {
    if !docs.limits.is_empty() {
        draft.heading(2, "Limits of the check");
        draft.paragraph(&docs.limits);
    }
    if !docs.references.is_empty() {
        draft.heading(2, "References");
        for reference in &docs.references {
            draft.item(&sentence(reference));
        }
    }
}
