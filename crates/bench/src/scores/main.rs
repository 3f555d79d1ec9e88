//! `scores order PAIRS.tsv [--corpora DIR]` and `scores spread [--corpora DIR] [--max-pages N]`: the scores of
//! sites that are built from words, audited in memory.
//!
//! `order` reads pairs of sites of which the first is better, and prints the scores of both and whether they
//! come in that order. It exits with 1 if a pair marked `must` is wrong or fewer than 95 % of all are right.
//! `spread` prints the scores of many sites, from neglected to excellent, and how they are distributed.
//!
//! DIR has the files of the packages git-doc, postgresql-doc-15, openjdk-17-doc, rust-doc and
//! python-django-doc, each unpacked into `x`. Without it, the sites made of them are skipped.

mod build;
mod corpus;
mod html;
mod measure;
mod order;
mod pair;
mod phrase;
mod spread;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str =
    "usage: scores order PAIRS.tsv [--corpora DIR] | scores spread [--corpora DIR] [--max-pages N]";

/// The pages that `spread` audits of a site of files, unless told otherwise.
const MAX_PAGES: u32 = 300;

fn main() -> anyhow::Result<ExitCode> {
    let mut args = std::env::args().skip(1);
    let command = args.next().context(USAGE)?;
    let (mut pairs, mut corpora, mut max_pages) = (None, None, MAX_PAGES);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--corpora" => corpora = Some(PathBuf::from(args.next().context(USAGE)?)),
            "--max-pages" => {
                max_pages = args.next().and_then(|n| n.parse().ok()).context(USAGE)?;
            }
            _ if !arg.starts_with('-') && pairs.is_none() => pairs = Some(PathBuf::from(arg)),
            _ => bail!(USAGE),
        }
    }
    match (command.as_str(), pairs) {
        ("order", Some(pairs)) => order::run(&pairs, corpora.as_deref()),
        ("spread", None) => spread::run(corpora.as_deref(), max_pages),
        _ => bail!(USAGE),
    }
}
