//! Fuzzes prompts: no text of a page, an item or a requester leaves its fence in a brief or a handoff.
//!
//! Samples, hostile fixtures and the prompt parser are the files of `report`'s own tests, which test the
//! same property. libFuzzer keeps inputs that reach new code. The feature `twin` uses naive prompts.

#![no_main]

#[cfg(feature = "twin")]
mod naive;
#[path = "../../crates/report/tests/fixtures/reports.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod sample;
mod seeds;

use report::untrusted;

#[path = "."]
mod brief {
    #[path = "../../crates/report/tests/fixtures/dossiers.rs"]
    #[allow(dead_code, reason = "other tests use the rest")]
    pub(crate) mod sample;

    #[cfg(feature = "twin")]
    pub(crate) use crate::naive::brief as render;
    #[cfg(not(feature = "twin"))]
    pub(crate) use report::brief::render;
}

#[path = "."]
mod handoff {
    #[path = "../../crates/report/tests/fixtures/hostile_fixtures.rs"]
    pub(crate) mod hostile_fixtures;
    #[path = "../../crates/report/tests/fixtures/hostile_texts.rs"]
    pub(crate) mod hostile_texts;
    #[path = "../../crates/report/tests/fixtures/parsed_prompt.rs"]
    pub(crate) mod parsed_prompt;

    #[cfg(feature = "twin")]
    pub(crate) use crate::naive::handoff as render;
    pub(crate) use report::handoff::HandoffItem;
    #[cfg(not(feature = "twin"))]
    pub(crate) use report::handoff::render;
}

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use handoff::hostile_fixtures::{calm, prompts};
use handoff::parsed_prompt::{ParsedPrompt, violation};
use libfuzzer_sys::{Corpus, fuzz_target};

/// The maximum number of texts in one input.
const MOST_TEXTS: usize = 6;

/// The texts of an input, separated by a byte that does not occur in UTF-8, and decoded lossily.
fn texts(bytes: &[u8]) -> Vec<String> {
    bytes
        .splitn(MOST_TEXTS, |byte| *byte == seeds::PART)
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect()
}

/// Which of some texts are equal.
type Pattern = Vec<Option<usize>>;

fn pattern(texts: &[String]) -> Pattern {
    let first = |text| texts.iter().position(|other| other == text);
    texts.iter().map(first).collect()
}

thread_local! {
    /// The parts outside of fences, by the pattern of the texts: no other property of the texts may
    /// change them.
    static KNOWN: RefCell<HashMap<Pattern, Rc<Vec<ParsedPrompt>>>> = RefCell::default();
}

fuzz_target!(init: seeds::write(), |bytes: &[u8]| -> Corpus {
    let texts = texts(bytes);
    // An item with the description of an audit shows none, so it differs legitimately.
    if texts.iter().any(|text| text.contains("How to fix it")) {
        return Corpus::Reject;
    }
    let calm = KNOWN.with_borrow_mut(|known| {
        let known = known.entry(pattern(&texts));
        Rc::clone(known.or_insert_with(|| Rc::new(calm(&texts))))
    });
    for (prompt, calm) in prompts(&texts).iter().zip(calm.iter()) {
        if let Some(violation) = violation(prompt, calm) {
            panic!("a text left its fence: {violation}\nthe texts: {texts:?}");
        }
    }
    Corpus::Keep
});
