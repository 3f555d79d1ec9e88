//! Properties that must be true for any input, one file for each kind of input: `corpora.rs` runs
//! them on the corpora, and the programs in `fuzz/` run them under libFuzzer.

pub(crate) mod gate;
pub(crate) mod headers;
pub(crate) mod page;
pub(crate) mod robots;
pub(crate) mod site;
pub(crate) mod sitemap;
