//! What must hold of any input, a file for each kind: run over the corpora by `corpora.rs`, and under
//! libFuzzer by the programs in `fuzz/`.

pub(crate) mod gate;
pub(crate) mod headers;
pub(crate) mod page;
pub(crate) mod robots;
pub(crate) mod site;
pub(crate) mod sitemap;
