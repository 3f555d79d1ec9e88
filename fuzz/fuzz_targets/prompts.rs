//! Whatever the texts of a page, an item and an asker are, none leaves its fence in a brief or a handoff.
//!
//! Samples, hostile fixtures and the parser of prompts are the files of `report`'s own tests, so they
//! are found here where they are found there. What differs is where the property is looked for:
//! libFuzzer keeps what reaches new code. With the feature `twin` the prompts are naive ones.

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
    #[path = "../../crates/report/tests/fixtures/parsed_prompt.rs"]
    pub(crate) mod parsed_prompt;
    #[path = "../../crates/report/tests/fixtures/hostile_texts.rs"]
    pub(crate) mod hostile_texts;
    #[path = "../../crates/report/tests/fixtures/hostile_fixtures.rs"]
    pub(crate) mod hostile_fixtures;

    #[cfg(feature = "twin")]
    pub(crate) use crate::naive::handoff as render;
    pub(crate) use report::handoff::HandoffItem;
    #[cfg(not(feature = "twin"))]
    pub(crate) use report::handoff::render;
}

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use handoff::parsed_prompt::{ParsedPrompt, violation};
use handoff::hostile_fixtures::{calm, prompts};
use libfuzzer_sys::{Corpus, fuzz_target};

/// Texts of one input at most.
const MOST_TEXTS: usize = 6;

/// The texts of an input: parted by a byte that no UTF-8 has, and read as UTF-8, whatever they are.
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
    /// What stands outside of fences, by the pattern of the texts: nothing else may tell in it.
    static KNOWN: RefCell<HashMap<Pattern, Rc<Vec<ParsedPrompt>>>> = RefCell::default();
}

fuzz_target!(init: seeds::write(), |bytes: &[u8]| -> Corpus {
    let texts = texts(bytes);
    // An item with the description that an audit gives it shows none, and differs rightly.
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
