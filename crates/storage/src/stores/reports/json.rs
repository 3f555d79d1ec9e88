//! The parts of a report that are stored as JSON. Their field names are part of the schema.

use std::collections::BTreeMap;

use domain::Dimension;
use domain::report::{Coverage, CrawlMode, StoppedBy, Summaries, Unjudged, UnjudgedCheck};
use domain::score::{Cap, CheckScore, DimensionScore, DimensionWeights, Exact};
use serde::{Deserialize, Serialize};

use crate::database::error::StorageError;
use crate::database::values::{known, storable};

fn dimension(name: &str) -> Result<Dimension, StorageError> {
    known("dimension", name, name.parse().ok())
}

/// The weight of each dimension.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredWeights {
    performance: u32,
    accessibility: u32,
    seo: u32,
    security: u32,
    content: u32,
    ai_readiness: u32,
}

impl StoredWeights {
    pub(super) const fn new(weights: &DimensionWeights) -> Self {
        Self {
            performance: weights.performance,
            accessibility: weights.accessibility,
            seo: weights.seo,
            security: weights.security,
            content: weights.content,
            ai_readiness: weights.ai_readiness,
        }
    }

    pub(super) const fn read(&self) -> DimensionWeights {
        DimensionWeights {
            performance: self.performance,
            accessibility: self.accessibility,
            seo: self.seo,
            security: self.security,
            content: self.content,
            ai_readiness: self.ai_readiness,
        }
    }
}

/// How much of the site was audited.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredCoverage {
    mode: String,
    complete: bool,
    stopped_by: Option<String>,
    pages_discovered: u64,
    pages_fetched: u64,
    pages_audited: u64,
    requests: u64,
    skipped: Vec<(String, u64)>,
}

impl StoredCoverage {
    pub(super) fn new(coverage: &Coverage) -> Self {
        Self {
            mode: coverage.mode.as_str().to_owned(),
            complete: coverage.complete,
            stopped_by: coverage.stopped_by.map(|by| by.as_str().to_owned()),
            pages_discovered: coverage.pages_discovered,
            pages_fetched: coverage.pages_fetched,
            pages_audited: coverage.pages_audited,
            requests: coverage.requests,
            skipped: coverage
                .skipped
                .iter()
                .map(|(reason, count)| (storable(reason), *count))
                .collect(),
        }
    }

    pub(super) fn read(self) -> Result<Coverage, StorageError> {
        let stopped_by = self
            .stopped_by
            .map(|name| known("end of a crawl", &name, StoppedBy::named(&name)));
        Ok(Coverage {
            mode: known("mode of a crawl", &self.mode, CrawlMode::named(&self.mode))?,
            complete: self.complete,
            stopped_by: stopped_by.transpose()?,
            pages_discovered: self.pages_discovered,
            pages_fetched: self.pages_fetched,
            pages_audited: self.pages_audited,
            requests: self.requests,
            skipped: self.skipped,
        })
    }
}

/// A check without a result.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredUnjudged {
    check_id: String,
    dimension: String,
    why: Why,
    reason: String,
    /// Missing in reports of earlier versions.
    #[serde(default = "one")]
    count: u64,
}

const fn one() -> u64 {
    1
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Why {
    NotRun,
    CannotTell,
    Errored,
    Limited,
}

impl StoredUnjudged {
    pub(super) fn new(check: &UnjudgedCheck) -> Self {
        Self {
            check_id: check.check_id.clone(),
            dimension: check.dimension.as_str().to_owned(),
            why: match check.why {
                Unjudged::NotRun(_) => Why::NotRun,
                Unjudged::CannotTell(_) => Why::CannotTell,
                Unjudged::Errored(_) => Why::Errored,
                Unjudged::Limited(_) => Why::Limited,
            },
            reason: storable(check.why.reason()),
            count: check.count,
        }
    }

    pub(super) fn read(self) -> Result<UnjudgedCheck, StorageError> {
        Ok(UnjudgedCheck {
            check_id: self.check_id,
            dimension: dimension(&self.dimension)?,
            why: match self.why {
                Why::NotRun => Unjudged::NotRun(self.reason),
                Why::CannotTell => Unjudged::CannotTell(self.reason),
                Why::Errored => Unjudged::Errored(self.reason),
                Why::Limited => Unjudged::Limited(self.reason),
            },
            count: self.count,
        })
    }
}

/// The summary texts.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredSummaries {
    overall: String,
    dimensions: BTreeMap<String, String>,
}

impl StoredSummaries {
    pub(super) fn new(summaries: &Summaries) -> Self {
        Self {
            overall: storable(&summaries.overall),
            dimensions: summaries
                .dimensions
                .iter()
                .map(|(dimension, text)| (dimension.as_str().to_owned(), storable(text)))
                .collect(),
        }
    }

    pub(super) fn read(self) -> Result<Summaries, StorageError> {
        Ok(Summaries {
            overall: self.overall,
            dimensions: self
                .dimensions
                .into_iter()
                .map(|(name, text)| Ok((dimension(&name)?, text)))
                .collect::<Result<_, StorageError>>()?,
        })
    }
}

/// The sum that a subscore is computed from.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredSum {
    dimension: String,
    subscore: u8,
    sum_of_weights: u64,
    cap: Option<StoredCap>,
    checks: Vec<StoredTerm>,
}

#[derive(Serialize, Deserialize)]
struct StoredCap {
    maximum: u8,
    check_id: String,
    reason: String,
}

/// Fractions are stored exactly, as `7/8`.
#[derive(Serialize, Deserialize)]
struct StoredTerm {
    check_id: String,
    weight: u32,
    applicable: u64,
    affected: u64,
    score: String,
    deduction: String,
}

impl StoredSum {
    pub(super) fn new(dimension: Dimension, score: &DimensionScore) -> Self {
        Self {
            dimension: dimension.as_str().to_owned(),
            subscore: score.subscore,
            sum_of_weights: score.sum_of_weights,
            cap: score.cap.as_ref().map(|cap| StoredCap {
                maximum: cap.maximum,
                check_id: cap.check_id.clone(),
                reason: storable(&cap.reason),
            }),
            checks: score.checks.iter().map(StoredTerm::from_check).collect(),
        }
    }

    pub(super) fn read(self) -> Result<(Dimension, DimensionScore), StorageError> {
        let dimension = dimension(&self.dimension)?;
        let checks = self.checks.into_iter().map(StoredTerm::read);
        let score = DimensionScore {
            subscore: self.subscore,
            sum_of_weights: self.sum_of_weights,
            cap: self.cap.map(|cap| Cap {
                dimension,
                maximum: cap.maximum,
                check_id: cap.check_id,
                reason: cap.reason,
            }),
            checks: checks.collect::<Result<_, _>>()?,
        };
        Ok((dimension, score))
    }
}

impl StoredTerm {
    fn from_check(check: &CheckScore) -> Self {
        Self {
            check_id: check.check_id.clone(),
            weight: check.weight,
            applicable: check.applicable,
            affected: check.affected,
            score: check.score.to_fraction(),
            deduction: check.deduction.to_fraction(),
        }
    }

    fn read(self) -> Result<CheckScore, StorageError> {
        let exact = |text: &str| known("fraction", text, Exact::from_fraction(text));
        Ok(CheckScore {
            check_id: self.check_id,
            weight: self.weight,
            applicable: self.applicable,
            affected: self.affected,
            score: exact(&self.score)?,
            deduction: exact(&self.deduction)?,
        })
    }
}
