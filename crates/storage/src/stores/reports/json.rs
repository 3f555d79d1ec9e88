//! The parts of a report that are stored as JSON. Their field names are part of the schema.

use std::collections::BTreeMap;

use domain::report::{Coverage, CrawlMode, StoppedBy, Summaries, Unjudged, UnjudgedCheck};
use domain::score::{Cap, CheckScore, DimensionScore, DimensionWeights, PageTotal, Share};
use domain::{Dimension, Severity, SubjectKind};
use serde::{Deserialize, Serialize};

use super::json_measurement::StoredMeasurement;
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
    /// Missing in reports of earlier versions, which used no browser.
    #[serde(default)]
    pages_rendered: u64,
    /// Missing in reports without measured pages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    measured: Vec<StoredMeasurement>,
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
            pages_rendered: coverage.pages_rendered,
            measured: coverage
                .measured
                .iter()
                .map(StoredMeasurement::new)
                .collect(),
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
            pages_rendered: self.pages_rendered,
            measured: (self.measured.into_iter())
                .map(StoredMeasurement::read)
                .collect::<Result<_, _>>()?,
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

/// The first version of the scoring model in which subscores are products.
pub(super) const FIRST_PRODUCT_VERSION: u32 = 2;

/// How a subscore was computed.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum StoredSum {
    /// By the scoring model of today.
    Product(StoredProduct),
    /// By version 1 of the model. Only read.
    Earlier(EarlierSum),
}

impl StoredSum {
    pub(super) fn new(dimension: Dimension, score: &DimensionScore) -> Self {
        Self::Product(StoredProduct::new(dimension, score))
    }

    /// Whether version 1 of the scoring model computed it.
    pub(super) const fn is_earlier(&self) -> bool {
        matches!(self, Self::Earlier(_))
    }

    pub(super) fn read(self) -> Result<(Dimension, DimensionScore), StorageError> {
        match self {
            Self::Product(product) => product.read(),
            Self::Earlier(sum) => sum.read(),
        }
    }
}

/// The product that a subscore is computed from. Shares are stored in billionths.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredProduct {
    dimension: String,
    subscore: u8,
    score: u32,
    uncapped: u8,
    pages: u64,
    page_sum: u64,
    /// The number of measured pages and the sum of their scores. Missing in reports of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metrics: Option<(u64, u64)>,
    cap: Option<StoredCap>,
    checks: Vec<StoredFactor>,
}

#[derive(Serialize, Deserialize)]
struct StoredFactor {
    check_id: String,
    subject: String,
    severity: String,
    penalty: u32,
    judged: u64,
    failed: u64,
    reach: u32,
    cost: u32,
}

#[derive(Serialize, Deserialize)]
struct StoredCap {
    maximum: u8,
    check_id: String,
    reason: String,
}

impl StoredCap {
    fn new(cap: &Cap) -> Self {
        Self {
            maximum: cap.maximum,
            check_id: cap.check_id.clone(),
            reason: storable(&cap.reason),
        }
    }

    fn read(self, dimension: Dimension) -> Cap {
        Cap {
            dimension,
            maximum: self.maximum,
            check_id: self.check_id,
            reason: self.reason,
        }
    }
}

impl StoredProduct {
    fn new(dimension: Dimension, score: &DimensionScore) -> Self {
        Self {
            dimension: dimension.as_str().to_owned(),
            subscore: score.subscore,
            score: score.score.billionths(),
            uncapped: score.uncapped,
            pages: score.pages.count,
            page_sum: score.pages.sum,
            metrics: score.metrics.map(|pages| (pages.count, pages.sum)),
            cap: score.cap.as_ref().map(StoredCap::new),
            checks: score.checks.iter().map(StoredFactor::new).collect(),
        }
    }

    fn read(self) -> Result<(Dimension, DimensionScore), StorageError> {
        let dimension = dimension(&self.dimension)?;
        let checks = self.checks.into_iter().map(StoredFactor::read);
        let score = DimensionScore {
            subscore: self.subscore,
            score: Share::from_billionths(self.score),
            uncapped: self.uncapped,
            pages: PageTotal {
                count: self.pages,
                sum: self.page_sum,
            },
            metrics: self.metrics.map(|(count, sum)| PageTotal { count, sum }),
            cap: self.cap.map(|cap| cap.read(dimension)),
            checks: checks.collect::<Result<_, _>>()?,
        };
        Ok((dimension, score))
    }
}

impl StoredFactor {
    fn new(check: &CheckScore) -> Self {
        Self {
            check_id: check.check_id.clone(),
            subject: check.subject.as_str().to_owned(),
            severity: check.severity.as_str().to_owned(),
            penalty: check.penalty.billionths(),
            judged: check.judged,
            failed: check.failed,
            reach: check.reach.billionths(),
            cost: check.cost.billionths(),
        }
    }

    fn read(self) -> Result<CheckScore, StorageError> {
        let (subject, severity) = (&self.subject, &self.severity);
        Ok(CheckScore {
            subject: known("subject", subject, SubjectKind::named(subject))?,
            severity: known("severity", severity, Severity::named(severity))?,
            check_id: self.check_id,
            penalty: Share::from_billionths(self.penalty),
            judged: self.judged,
            failed: self.failed,
            reach: Share::from_billionths(self.reach),
            cost: Share::from_billionths(self.cost),
        })
    }
}

/// The sum that version 1 of the scoring model computed a subscore from: 100 minus the deductions.
#[derive(Serialize, Deserialize)]
pub(super) struct EarlierSum {
    dimension: String,
    subscore: u8,
    sum_of_weights: u64,
    cap: Option<StoredCap>,
    checks: Vec<EarlierTerm>,
}

/// A term of the sum. Fractions are stored exactly, as `7/8`; the deduction is in points.
#[derive(Serialize, Deserialize)]
struct EarlierTerm {
    check_id: String,
    weight: u32,
    applicable: u64,
    affected: u64,
    score: String,
    deduction: String,
}

impl EarlierSum {
    fn read(self) -> Result<(Dimension, DimensionScore), StorageError> {
        let dimension = dimension(&self.dimension)?;
        let weights = self.sum_of_weights;
        let checks = self.checks.into_iter().map(|term| term.read(weights));
        let checks: Vec<CheckScore> = checks.collect::<Result<_, _>>()?;
        let lost = checks
            .iter()
            .fold(Share::ONE, |left, check| left.minus(check.cost));
        let score = DimensionScore {
            subscore: self.subscore,
            score: Share::from_hundredths(self.subscore),
            uncapped: lost.to_score(),
            pages: PageTotal::default(),
            metrics: None,
            cap: self.cap.map(|cap| cap.read(dimension)),
            checks,
        };
        Ok((dimension, score))
    }
}

impl EarlierTerm {
    fn read(self, sum_of_weights: u64) -> Result<CheckScore, StorageError> {
        let share = |text: &str, of| known("fraction", text, Share::from_fraction(text, of));
        Ok(CheckScore {
            check_id: self.check_id,
            // The kind of subject was not stored; a single one was the origin or the site.
            subject: match self.applicable {
                1 => SubjectKind::Site,
                _ => SubjectKind::Page,
            },
            severity: match self.weight {
                10.. => Severity::Critical,
                7.. => Severity::Serious,
                3.. => Severity::Moderate,
                1.. => Severity::Minor,
                0 => Severity::Info,
            },
            penalty: Share::from_ratio(self.weight.into(), sum_of_weights),
            judged: self.applicable,
            failed: self.affected,
            reach: share(&self.score, 1)?.complement(),
            cost: share(&self.deduction, 100)?,
        })
    }
}
