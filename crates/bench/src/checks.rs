//! `checks FOLDER [PAGES] [ROUNDS]`: the time of all checks compared with parsing, and the time of each check.
//!
//! At most PAGES pages are read, evenly spread over the files of the folder whose names end in `.html`. For
//! each page html5ever builds a full tree, as the bare crawl does; the engine builds its own tree with all
//! indexes; and every page check evaluates it, as in an audit. The program prints the medians of the rounds per
//! page, and then the time of every check, measured separately, the slowest first. Data that checks share is
//! computed when the first check requests it: texts and words, hidden elements, roles, accessible names. The
//! only style sheets are those within the pages.

mod tree;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use audit_engine::checks::catalogue;
use audit_engine::evaluate_page_of_many;
use audit_engine::view::Page;
use tree::Tree;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "usage: checks FOLDER [PAGES] [ROUNDS]";

/// The times of one round, for all pages.
#[derive(Default)]
struct Times {
    full_tree: Duration,
    own_tree: Duration,
    checks: Duration,
}

#[expect(clippy::print_stdout, reason = "the lines are what the program is for")]
fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().context(USAGE)?);
    let mut number = |default| match args.next() {
        Some(written) => written.parse::<usize>().context(USAGE),
        None => Ok(default),
    };
    let (most, rounds) = (number(3_000)?, number(5)?.max(1));
    let texts = read(folder.clone(), most)
        .with_context(|| format!("cannot read the pages in {}", folder.display()))?;
    let Ok(pages) = u32::try_from(texts.len()) else {
        bail!("the folder has more pages than can be counted");
    };
    if pages == 0 {
        bail!(
            "no file in {} has a name that ends in .html",
            folder.display()
        );
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("{pages} pages of {bytes} bytes in all, medians of {rounds} rounds, a page:");
    let times: Vec<Times> = (0..rounds).map(|_| round(&texts)).collect();
    let median = |part: fn(&Times) -> Duration| {
        let mut all: Vec<Duration> = times.iter().map(part).collect();
        all.sort_unstable();
        all.get(all.len() / 2).copied().unwrap_or_default() / pages
    };
    let full_tree = median(|times| times.full_tree);
    let own_tree = median(|times| times.own_tree);
    let checks = median(|times| times.checks);
    let share = |of: Duration| checks.as_secs_f64() / of.as_secs_f64();
    println!("{full_tree:>12.2?} a full tree by html5ever");
    println!("{own_tree:>12.2?} the engine's own tree with its indexes");
    println!(
        "{checks:>12.2?} all checks: {:.2} times the first, {:.2} times the second",
        share(full_tree),
        share(own_tree)
    );
    println!("\neach check by itself, once:");
    let mut each: Vec<_> = check_by_check(&texts).into_iter().collect();
    each.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    for (id, time) in each {
        println!("{:>12.2?} {id}", time / pages);
    }
    Ok(())
}

fn read(folder: PathBuf, most: usize) -> std::io::Result<Vec<String>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "html") {
                files.push(path);
            }
        }
    }
    files.sort();
    let step = files.len().div_ceil(most.max(1)).max(1);
    // Files that are not UTF-8 are skipped.
    let texts = files
        .iter()
        .step_by(step)
        .filter_map(|file| std::fs::read_to_string(file).ok());
    Ok(texts.collect())
}

fn page(text: &str) -> Page {
    Page::builder()
        .header("content-type", "text/html")
        .url("http://127.0.0.1/a/b.html")
        .header("content-type", "text/html")
        .html(text)
}

fn round(texts: &[String]) -> Times {
    let checks = catalogue();
    let mut times = Times::default();
    for text in texts {
        let begin = Instant::now();
        black_box(Tree::parse(text).links());
        times.full_tree += begin.elapsed();
        let begin = Instant::now();
        let page = page(text);
        times.own_tree += begin.elapsed();
        let begin = Instant::now();
        black_box(evaluate_page_of_many(&checks, &page));
        times.checks += begin.elapsed();
    }
    times
}

fn check_by_check(texts: &[String]) -> BTreeMap<&'static str, Duration> {
    let checks = catalogue();
    let mut times = BTreeMap::new();
    for text in texts {
        let page = page(text);
        for check in &checks {
            let begin = Instant::now();
            black_box(evaluate_page_of_many(std::slice::from_ref(check), &page));
            *times.entry(check.id).or_default() += begin.elapsed();
        }
    }
    times
}
