//! A site that speaks to whoever reads its report: audited by the engine, reported, and written into
//! briefs and handoffs, which an independent parser of Markdown then takes apart.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test ends where something is not as expected"
)]

mod dossiers;
#[path = "../fixtures/hostile_texts.rs"]
mod hostile_texts;
mod naive;
mod reading;
mod site;

use std::collections::BTreeSet;

use domain::action::{Dossier, HandoffFormat};
use pulldown_cmark::Options;
use report::handoff::HandoffItem;
use report::{brief, handoff};
use rstest::rstest;

use dossiers::{docs, dossiers, harmless};
use hostile_texts::{HOSTILE, long};
use reading::{Reading, violations};

/// Texts that one site holds. Prompts show few places of a check, and each text has to be shown.
const A_SITE: usize = 5;

/// What was looked at.
#[derive(Debug, Default)]
struct Looked {
    texts: BTreeSet<usize>,
    checks: BTreeSet<String>,
    briefs: usize,
    prompts: usize,
    excerpts: usize,
    violations: Vec<String>,
}

impl Looked {
    /// Looks at a prompt beside the same one about a harmless site.
    fn at(&mut self, prompt: &str, harmless: &str, options: Options) {
        let (reading, calm) = (
            Reading::new(prompt, options),
            Reading::new(harmless, options),
        );
        self.excerpts += reading.untrusted.len();
        self.texts.extend(reading.texts_shown());
        self.violations.extend(violations(prompt, &reading, &calm));
    }
}

/// A prompt that is written from dossiers.
type Write<'a> = &'a dyn Fn(&[Dossier]) -> Vec<String>;

/// Every brief and handoff of all checks found on sites that hold the texts.
fn look(texts: &[String], briefs: Write<'_>, prompts: Write<'_>) -> Looked {
    let mut looked = Looked::default();
    let numbered: Vec<_> = texts.iter().map(String::as_str).enumerate().collect();
    // As plain CommonMark, or with whatever a reader may know beside it.
    let readers = [Options::empty(), Options::all()].into_iter().cycle();
    for (texts, options) in numbered.chunks(A_SITE).zip(readers) {
        let report = site::audited(texts);
        let (found, calm) = (dossiers(&report), dossiers(&harmless(&report)));
        looked
            .checks
            .extend(report.issues.iter().map(|issue| issue.check_id.clone()));
        let pairs = |write: Write<'_>| write(&found).into_iter().zip(write(&calm));
        for (prompt, harmless) in pairs(briefs) {
            looked.briefs += 1;
            looked.at(&prompt, &harmless, options);
        }
        for (prompt, harmless) in pairs(prompts) {
            looked.prompts += 1;
            looked.at(&prompt, &harmless, options);
        }
    }
    looked
}

/// One for each item; and for some of them a second without the documentation of the check, as for
/// one that was retired.
fn briefs(dossiers: &[Dossier]) -> Vec<String> {
    let documented = dossiers
        .iter()
        .map(|dossier| brief::render(dossier, Some(&docs(dossier)), None));
    let retired = dossiers
        .iter()
        .step_by(4)
        .map(|dossier| brief::render(dossier, None, None));
    documented.chain(retired).collect()
}

/// In both formats, ten items in each.
fn handoffs(dossiers: &[Dossier]) -> Vec<String> {
    let docs: Vec<_> = dossiers.iter().map(docs).collect();
    let items: Vec<_> = dossiers
        .iter()
        .zip(&docs)
        .map(|(dossier, docs)| HandoffItem {
            dossier,
            docs: Some(docs),
        })
        .collect();
    let batches = items.chunks(10);
    batches
        .flat_map(|items| HandoffFormat::ALL.map(|format| handoff::render(items, format)))
        .collect()
}

/// Each `step`th text, beginning at `from`.
fn texts(from: usize, step: usize) -> Vec<String> {
    let short = HOSTILE.iter().map(|text| (*text).to_owned());
    let all: Vec<_> = short.chain(long()).collect();
    assert!(all.len() >= 200, "{}", all.len());
    all.into_iter().skip(from).step_by(step).collect()
}

/// In four parts, which can run side by side.
#[rstest]
fn no_text_of_a_site_leaves_its_fence_in_any_brief_or_handoff(#[values(0, 1, 2, 3)] part: usize) {
    let texts = texts(part, 4);
    let looked = look(&texts, &briefs, &handoffs);
    println!(
        "injection: {} texts, {} of them shown; {} checks; {} briefs, {} prompts, {} lines of excerpts, {} violations",
        texts.len(),
        looked.texts.len(),
        looked.checks.len(),
        looked.briefs,
        looked.prompts,
        looked.excerpts,
        looked.violations.len(),
    );
    assert!(looked.violations.is_empty(), "{:#?}", looked.violations);
    let hidden: Vec<_> = (0..texts.len())
        .filter(|number| !looked.texts.contains(number))
        .collect();
    assert!(hidden.is_empty(), "no prompt shows the texts {hidden:?}");
    assert!(looked.checks.len() >= 30, "{:?}", looked.checks);
    assert!(looked.excerpts > 10_000, "{}", looked.excerpts);
}

#[test]
fn the_same_look_at_careless_prompts_sees_what_is_wrong() {
    let looked = look(&texts(0, 13), &naive::briefs, &naive::prompts);
    let kinds: BTreeSet<_> = looked
        .violations
        .iter()
        .filter_map(|violation| violation.split(':').next())
        .collect();
    println!(
        "injection, twin without fences: {} violations: {kinds:?}",
        looked.violations.len()
    );
    let expected = reading::KINDS.into_iter().collect::<BTreeSet<_>>();
    assert_eq!(kinds, expected);
}
