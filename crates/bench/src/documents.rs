//! `documents [--checks] [--bytes N] [NAME…]`: measures documents that are built to cost time or memory.
//!
//! Each of at least 200 documents of 1 MB is read in a separate process, which reports its processor time and
//! memory. It computes the input of checks: the tree, the indexes, the texts, and for every element its
//! position in the accessibility tree with its accessible name. With `--checks` every page check also evaluates
//! the document, as in an audit. NAME selects the documents whose names contain one of the given names.
//!
//! It prints a line per document and the worst values at the end. It fails if a document takes more than 2 s or
//! more than 64 MiB (with checks 128 MiB) in addition to a trivial document, or has more nodes than the limit.

mod hostile;
mod usage;

use std::collections::HashMap;
use std::hint::black_box;
use std::process::Command;

use anyhow::{Context, bail, ensure};

use audit_engine::checks::catalogue;
use audit_engine::dom::{MAX_DEPTH, MAX_NODES};
use audit_engine::evaluate_page;
use audit_engine::view::Page;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "usage: documents [--checks] [--bytes N] [NAME…]";

/// The minimum number of documents.
const DOCUMENTS: usize = 260;

/// The most processor time of a document, in seconds.
const MOST_SECONDS: f64 = 2.0;

/// The most memory of a document, in addition to a trivial one, in MiB.
const MOST_MIB: f64 = 64.0;

/// The most memory of a document together with the outcomes of its checks, in MiB.
const MOST_MIB_WITH_CHECKS: f64 = 128.0;

/// The measured cost of a document.
#[derive(Debug, Clone, Default)]
struct Cost {
    seconds: f64,
    peak_mib: f64,
    nodes: usize,
    depth: usize,
    limits: String,
}

/// The options of the command line.
#[derive(Debug, Default)]
struct Options {
    with_checks: bool,
    bytes: usize,
    names: Vec<String>,
    /// The document that this process reads.
    own: Option<usize>,
}

fn options() -> anyhow::Result<Options> {
    let mut options = Options {
        bytes: 1_000_000,
        ..Options::default()
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|n| n.parse().ok()).context(USAGE);
        match arg.as_str() {
            "--checks" => options.with_checks = true,
            "--bytes" => options.bytes = number()?,
            "--read" => options.own = Some(number()?),
            _ if arg.starts_with('-') => bail!(USAGE),
            _ => options.names.push(arg),
        }
    }
    Ok(options)
}

#[expect(clippy::print_stdout, reason = "the lines are what the program is for")]
fn main() -> anyhow::Result<()> {
    let options = options()?;
    if let Some(number) = options.own {
        let cost = read(number, &options)?;
        let Cost {
            seconds,
            peak_mib,
            nodes,
            depth,
            limits,
        } = cost;
        println!("{seconds}\t{peak_mib}\t{nodes}\t{depth}\t{limits}");
        return Ok(());
    }
    let trivial = cost_of(
        0,
        &Options {
            bytes: 0,
            ..options_like(&options)
        },
    )?;
    let most_mib = if options.with_checks {
        MOST_MIB_WITH_CHECKS
    } else {
        MOST_MIB
    };
    let last = DOCUMENTS.max(hostile::families() + 80);
    let (mut worst, mut failed) = ((Cost::default(), String::new()), Vec::new());
    let mut biggest = worst.clone();
    let mut count = 0;
    println!("seconds    MiB   nodes depth  document");
    for number in 0..last {
        let name = hostile::name(number);
        if !options.names.is_empty() && !options.names.iter().any(|part| name.contains(part)) {
            continue;
        }
        count += 1;
        let mut cost = cost_of(number, &options).with_context(|| name.clone())?;
        cost.peak_mib -= trivial.peak_mib;
        println!(
            "{:7.2} {:6.1} {:7} {:5}  {name}: {}",
            cost.seconds, cost.peak_mib, cost.nodes, cost.depth, cost.limits
        );
        if cost.seconds > MOST_SECONDS
            || cost.peak_mib > most_mib
            || cost.nodes > MAX_NODES + MAX_NODES / 100
            || cost.depth > usize::from(MAX_DEPTH) + usize::from(MAX_DEPTH) / 100
        {
            failed.push(name.clone());
        }
        if cost.seconds > worst.0.seconds {
            worst = (cost.clone(), name.clone());
        }
        if cost.peak_mib > biggest.0.peak_mib {
            biggest = (cost, name);
        }
    }
    println!(
        "{count} documents of {} bytes; worst: {:.2} s ({}), {:.1} MiB ({}); beyond the bounds: {}",
        options.bytes,
        worst.0.seconds,
        worst.1,
        biggest.0.peak_mib,
        biggest.1,
        failed.len()
    );
    ensure!(
        failed.is_empty(),
        "beyond the bounds: {}",
        failed.join(", ")
    );
    Ok(())
}

fn options_like(options: &Options) -> Options {
    Options {
        with_checks: options.with_checks,
        ..Options::default()
    }
}

/// Reads a document in another process.
fn cost_of(number: usize, options: &Options) -> anyhow::Result<Cost> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([
        "--read",
        &number.to_string(),
        "--bytes",
        &options.bytes.to_string(),
    ]);
    if options.with_checks {
        command.arg("--checks");
    }
    let output = command.output()?;
    ensure!(
        output.status.success(),
        "the process ended with {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout)?;
    let mut fields = text.trim_end_matches('\n').split('\t');
    let mut next = || {
        fields
            .next()
            .context("the process did not report its usage")
    };
    Ok(Cost {
        seconds: next()?.parse()?,
        peak_mib: next()?.parse()?,
        nodes: next()?.parse()?,
        depth: next()?.parse()?,
        limits: next()?.to_owned(),
    })
}

/// Reads a document and measures the cost for this process.
fn read(number: usize, options: &Options) -> anyhow::Result<Cost> {
    let html = hostile::document(number, options.bytes);
    let before = usage::of_this_process()?.cpu_seconds;
    let page = Page::builder()
        .url("http://127.0.0.1/a/b.html")
        .header("content-type", "text/html")
        .html(&html);
    black_box((page.title(), page.words(), page.main_words()));
    let tree = page.access_tree();
    for element in page.elements() {
        black_box((
            tree.role(element),
            tree.exposure(element),
            tree.name(element),
        ));
        black_box(tree.evidence(element));
    }
    let checks = if options.with_checks {
        catalogue()
    } else {
        Vec::new()
    };
    black_box(evaluate_page(&checks, &page));
    let usage = usage::of_this_process()?;
    let limits: Vec<_> = page
        .limits_reached()
        .into_iter()
        .map(|limit| limit.as_str())
        .collect();
    Ok(Cost {
        seconds: usage.cpu_seconds - before,
        peak_mib: usage.peak_mib,
        nodes: page.dom().len(),
        depth: depth(&page),
        limits: limits.join(", "),
    })
}

/// The depth of the deepest node.
fn depth(page: &Page) -> usize {
    let dom = page.dom();
    let mut depths = HashMap::from([(dom.document(), 0)]);
    let mut deepest = 0;
    for id in dom.descendants(dom.document()) {
        let up = dom.parent(id).and_then(|up| depths.get(&up)).copied();
        let own = up.unwrap_or(0) + 1;
        deepest = deepest.max(own);
        depths.insert(id, own);
    }
    deepest
}
