//! Times the parser and every page check on a folder of pages:
//! `cargo run --release -p audit-engine --example judge -- FOLDER PAGES [parse|each]`.
//!
//! So many pages are taken, evenly spread over the files whose names end in `.html`. With `parse` no
//! check runs; with `each` every check is timed by itself, which costs time of its own.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]
#![allow(
    clippy::disallowed_methods,
    reason = "pages come from files here, and no request is sent"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use audit_engine::checks::catalogue;
use audit_engine::judge_page;
use audit_engine::page::Page;

/// The allocator of the product.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Checks that are shown, the slowest first.
const SHOWN: usize = 60;

#[derive(Default)]
struct Times {
    parse: Duration,
    checks: BTreeMap<&'static str, Duration>,
    elements: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("name a folder")?;
    let most: usize = args.next().ok_or("name a number of pages")?.parse()?;
    let mode = args.next().unwrap_or_default();
    let texts = read(PathBuf::from(folder), most)?;
    let pages = u32::try_from(texts.len())?;
    if pages == 0 {
        return Err("the folder has no pages".into());
    }
    let begin = Instant::now();
    let times = judge(&texts, &mode);
    let all = begin.elapsed();
    println!(
        "{pages} pages of {} bytes and {} elements in all; a page {:?}, of which parsing {:?}",
        texts.iter().map(String::len).sum::<usize>(),
        times.elements,
        all / pages,
        times.parse / pages
    );
    let mut checks: Vec<_> = times.checks.into_iter().collect();
    checks.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    for (id, time) in checks.into_iter().take(SHOWN) {
        println!("{:>12?} {id}", time / pages);
    }
    Ok(())
}

fn read(folder: PathBuf, most: usize) -> Result<Vec<String>, std::io::Error> {
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
    let step = (files.len() / most.max(1)).max(1);
    // What is no UTF-8 is left out.
    let texts = files
        .iter()
        .step_by(step)
        .filter_map(|file| std::fs::read_to_string(file).ok());
    Ok(texts.collect())
}

fn judge(texts: &[String], mode: &str) -> Times {
    let checks = catalogue();
    let mut times = Times::default();
    for text in texts {
        let begin = Instant::now();
        let page = Page::builder()
            .url("http://127.0.0.1/a/b.html")
            .header("content-type", "text/html")
            .html(text);
        times.parse += begin.elapsed();
        times.elements += page.element_count();
        if mode == "parse" {
            continue;
        }
        if mode != "each" {
            black_box(judge_page(&checks, &page));
            continue;
        }
        for check in &checks {
            let begin = Instant::now();
            black_box(judge_page(std::slice::from_ref(check), &page));
            *times.checks.entry(check.id).or_default() += begin.elapsed();
        }
    }
    times
}
