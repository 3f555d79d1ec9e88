//! The rows of the table of pairs.

use anyhow::{Context, bail, ensure};
use domain::Dimension;

use crate::measure::Scores;

/// Two sites of which the first is better.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) better: String,
    pub(crate) worse: String,
    pub(crate) must: bool,
    pub(crate) expected: Expected,
}

/// What differs between the two sites, and how much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expected {
    /// What is compared; none for the overall score.
    pub(crate) scores: Vec<Option<Dimension>>,
    pub(crate) relation: Relation,
}

/// How much better the first site is, in points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// Better at all.
    Better,
    /// At least this much better.
    AtLeast(u32),
    /// Not worse, and at most this much better.
    AtMost(u32),
    /// The same.
    Equal,
    /// At most this much better or worse.
    Within(u32),
}

impl Pair {
    /// The rows of a table; lines that begin with `#` are comments.
    pub(crate) fn read_all(table: &str) -> anyhow::Result<Vec<Self>> {
        let lines = table.lines().enumerate();
        lines
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .map(|(index, line)| Self::read(line).with_context(|| format!("line {}", index + 1)))
            .collect()
    }

    fn read(line: &str) -> anyhow::Result<Self> {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let [better, worse, must, expected] = cells.as_slice() else {
            bail!("a row has four columns separated by tabs: {line}");
        };
        ensure!(
            ["", "must"].contains(must),
            "the third column is `must` or empty, and not {must}"
        );
        Ok(Self {
            better: (*better).to_owned(),
            worse: (*worse).to_owned(),
            must: *must == "must",
            expected: Expected::read(expected)?,
        })
    }
}

impl Expected {
    /// Reads for example `overall and seo`, `overall by at least 15` or `each subscore differs by at most 5`.
    pub(crate) fn read(text: &str) -> anyhow::Result<Self> {
        let plain = text.split_once('(').map_or(text, |(plain, _)| plain).trim();
        let (names, relation) = match plain.strip_prefix("equal in ") {
            Some(names) => (names, Relation::Equal),
            None => Self::read_relation(plain)?,
        };
        let scores = if names == "each subscore" {
            Dimension::ALL.iter().copied().map(Some).collect()
        } else {
            names
                .split(" and ")
                .flat_map(|names| names.split(", "))
                .map(read_score)
                .collect::<anyhow::Result<_>>()
                .with_context(|| format!("cannot read what differs: {text}"))?
        };
        Ok(Self { scores, relation })
    }

    fn read_relation(text: &str) -> anyhow::Result<(&str, Relation)> {
        type Make = fn(u32) -> Relation;
        let forms: [(&str, Make); 3] = [
            (" differs by at most ", Relation::Within),
            (" by at least ", Relation::AtLeast),
            (" by at most ", Relation::AtMost),
        ];
        for (words, relation) in forms {
            if let Some((names, points)) = text.split_once(words) {
                let points = points.trim_end_matches(" points").trim();
                let points = points
                    .parse()
                    .with_context(|| format!("not a number of points: {points}"))?;
                return Ok((names, relation(points)));
            }
        }
        Ok((text, Relation::Better))
    }

    /// Whether the scores differ as expected.
    pub(crate) fn is_met(&self, better: &Scores, worse: &Scores) -> bool {
        self.scores.iter().all(|score| {
            let difference = score_of(better, *score) - score_of(worse, *score);
            match self.relation {
                Relation::Better => difference > 0.0,
                Relation::AtLeast(points) => difference >= f64::from(points),
                Relation::AtMost(points) => (0.0..=f64::from(points)).contains(&difference),
                Relation::Equal => difference == 0.0,
                Relation::Within(points) => difference.abs() <= f64::from(points),
            }
        })
    }
}

/// The score of a dimension, or the overall score.
pub(crate) fn score_of(scores: &Scores, dimension: Option<Dimension>) -> f64 {
    dimension.map_or(scores.overall, |dimension| scores.of(dimension))
}

fn read_score(name: &str) -> anyhow::Result<Option<Dimension>> {
    match name.trim() {
        "overall" => Ok(None),
        name => Ok(Some(name.parse()?)),
    }
}
