//! Whether pairs of sites come in the order that they should.

use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::Context;

use crate::build;
use crate::measure::Scores;
use crate::pair::{Pair, score_of};
use crate::phrase::SitePhrase;

/// The least share of pairs that must be right, in percent.
const LEAST_RIGHT: usize = 95;

/// What came of a pair.
enum Outcome {
    Compared(Scores, Scores),
    Skipped,
}

#[expect(clippy::print_stdout, reason = "the lines are what the program is for")]
pub(crate) fn run(table: &Path, corpora: Option<&Path>) -> anyhow::Result<ExitCode> {
    let text = std::fs::read_to_string(table)
        .with_context(|| format!("cannot read {}", table.display()))?;
    let pairs = Pair::read_all(&text)?;
    // Every row is understood before the first site is audited.
    let sites: Vec<(SitePhrase, SitePhrase)> = pairs
        .iter()
        .map(read_sites)
        .collect::<anyhow::Result<_>>()?;
    let compared = compare_all(&sites, corpora)?;
    let (mut right, mut must, mut must_right, mut skipped) = (0, 0, 0, 0);
    for (pair, outcome) in pairs.iter().zip(&compared) {
        let mark = if pair.must { "must" } else { "" };
        let Outcome::Compared(better, worse) = outcome else {
            skipped += 1;
            println!(
                "skipped: no corpora  {mark:4}  {} | {}",
                pair.better, pair.worse
            );
            continue;
        };
        let is_right = pair.expected.is_met(better, worse);
        right += usize::from(is_right);
        must += usize::from(pair.must);
        must_right += usize::from(pair.must && is_right);
        let verdict = if is_right { "right" } else { "WRONG" };
        println!("{verdict}  {mark:4}  {} | {}", pair.better, pair.worse);
        let mut shown = vec![None];
        shown.extend(pair.expected.scores.iter().filter(|score| score.is_some()));
        let figures: Vec<String> = shown
            .into_iter()
            .map(|score| {
                let name = score.map_or("overall", |dimension| dimension.as_str());
                let (better, worse) = (score_of(better, score), score_of(worse, score));
                format!("{name} {better} | {worse}")
            })
            .collect();
        println!("       {}", figures.join(", "));
    }
    let judged = pairs.len() - skipped;
    println!(
        "must pairs right: {must_right} of {must}; all pairs right: {right} of {judged} ({:.1} %); skipped: {skipped}",
        share(right, judged)
    );
    let enough = right * 100 >= judged * LEAST_RIGHT;
    Ok(ExitCode::from(u8::from(must_right < must || !enough)))
}

fn share(part: usize, whole: usize) -> f64 {
    let number = |count: usize| u32::try_from(count).map_or(0.0, f64::from);
    100.0 * number(part) / number(whole.max(1))
}

/// Both sites of a pair have the same number of pages, if one of them says a number.
fn read_sites(pair: &Pair) -> anyhow::Result<(SitePhrase, SitePhrase)> {
    let mut better = SitePhrase::read(&pair.better)?;
    let mut worse = SitePhrase::read(&pair.worse)?;
    if better.base == worse.base {
        let pages = (better.pages, worse.pages);
        better.pages = pages.0.or(pages.1);
        worse.pages = pages.1.or(pages.0);
    }
    Ok((better, worse))
}

/// Audits two pairs at a time, which keeps two cores busy.
fn compare_all(
    sites: &[(SitePhrase, SitePhrase)],
    corpora: Option<&Path>,
) -> anyhow::Result<Vec<Outcome>> {
    let compare = |(better, worse): &(SitePhrase, SitePhrase)| {
        let scored = (
            build::scores(better, corpora)?,
            build::scores(worse, corpora)?,
        );
        Ok(match scored {
            (Some(better), Some(worse)) => Outcome::Compared(better, worse),
            _ => Outcome::Skipped,
        })
    };
    let mut outcomes = Vec::new();
    for two in sites.chunks(2) {
        let done: Vec<anyhow::Result<Outcome>> = thread::scope(|scope| {
            let threads: Vec<_> = two
                .iter()
                .map(|pair| scope.spawn(|| compare(pair)))
                .collect();
            threads
                .into_iter()
                .map(|thread| {
                    thread
                        .join()
                        .unwrap_or_else(|_| Err(anyhow::anyhow!("an audit panicked")))
                })
                .collect()
        });
        outcomes.extend(done.into_iter().collect::<anyhow::Result<Vec<_>>>()?);
    }
    Ok(outcomes)
}
