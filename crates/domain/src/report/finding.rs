//! What a check found, by cause.

use std::collections::BTreeSet;

use crate::artifact::ArtifactId;
use crate::id::WaiverId;
use crate::page_key::PageKey;
use crate::{Confidence, Dimension, Severity, SubjectKind};

/// One place where a check failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Occurrence {
    /// The page or file.
    pub url: String,
    /// A CSS selector that finds the element.
    pub selector: Option<String>,
    /// An excerpt.
    pub snippet: Option<String>,
    /// Line in the source, from 1.
    pub line: Option<u32>,
    /// What is wrong here, in one sentence.
    pub message: String,
    /// The waiver that accepts it.
    pub waiver: Option<WaiverId>,
    /// The picture of it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub artifact: Option<ArtifactId>,
}

impl Occurrence {
    /// Bytes of its texts, and of what holds them.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        let texts = [&self.selector, &self.snippet];
        let texts = texts.into_iter().flatten().map(String::len);
        std::mem::size_of::<Self>() + self.url.len() + self.message.len() + texts.sum::<usize>()
    }
}

/// What a check found on the site: one for each check that failed anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Finding {
    /// The check.
    pub check_id: String,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// The severity.
    pub severity: Severity,
    /// How sure the check is.
    pub confidence: Confidence,
    /// How much work a fix usually is: `small`, `medium` or `large`.
    pub effort: String,
    /// The check's title: a headline without a full stop.
    pub title: String,
    /// Why it matters to the people who use the site.
    pub why: String,
    /// How to fix it.
    pub fix: String,
    /// Standards and sources.
    pub references: Vec<String>,
    /// Subjects that failed the check, without those of which a waiver accepts everything; with them if there are
    /// no others.
    pub affected: u64,
    /// Subjects the check was applied to.
    pub applicable: u64,
    /// What the subjects are.
    pub subject: SubjectKind,
    /// The pages it was found on, for a check of pages, at most [`MAX_EVIDENCE_PAGES`]; else empty. Pages of which
    /// a waiver accepts everything are not among them.
    ///
    /// [`MAX_EVIDENCE_PAGES`]: crate::action::MAX_EVIDENCE_PAGES
    pub pages: BTreeSet<PageKey>,
    /// The total number of occurrences, including those that are not stored.
    pub occurrences_total: u64,
    /// How many of these a waiver accepts.
    pub waived: u64,
    /// The total number of causes, including those that are not stored.
    pub causes_total: u64,
    /// The causes kept, at most [`MAX_CAUSES`], in the order of their keys; never none.
    ///
    /// [`MAX_CAUSES`]: super::MAX_CAUSES
    pub causes: Vec<FindingCause>,
}

/// One of the causes of a finding: a broken address, a cookie, a template's element.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct FindingCause {
    /// What tells this cause from the check's others; empty where the check has only one.
    pub key: String,
    /// What was found, as a headline without a full stop.
    pub title: String,
    /// Subjects with this cause, counted as those of the finding.
    pub affected: u64,
    /// The total number of occurrences, including those that are not stored.
    pub occurrences_total: u64,
    /// How many of these a waiver accepts.
    pub waived: u64,
    /// The occurrences kept, in the order of the pages.
    pub occurrences: Vec<Occurrence>,
}

impl Finding {
    /// The occurrences kept of all its causes.
    pub fn occurrences(&self) -> impl Iterator<Item = &Occurrence> {
        self.causes.iter().flat_map(|cause| &cause.occurrences)
    }

    /// Bytes of its causes and occurrences.
    #[must_use]
    pub fn evidence_bytes(&self) -> usize {
        self.causes.iter().map(FindingCause::text_bytes).sum()
    }

    /// Cuts causes and occurrences to `most_bytes` bytes; one cause with one occurrence stays whatever
    /// its size. Occurrences beyond the first of their cause go first, then the causes that occur least.
    pub fn cut_evidence(&mut self, most_bytes: usize) {
        let mut bytes = self.evidence_bytes();
        while bytes > most_bytes {
            let longest = self
                .causes
                .iter_mut()
                .max_by_key(|cause| cause.occurrences.len());
            let Some(longest) = longest.filter(|cause| cause.occurrences.len() > 1) else {
                break;
            };
            let half = longest.occurrences.len().div_ceil(2);
            let cut = longest.occurrences.split_off(half);
            bytes -= cut.iter().map(Occurrence::text_bytes).sum::<usize>();
        }
        if bytes <= most_bytes {
            return;
        }
        self.causes.sort_by(|one, other| {
            (other.occurrences_total.cmp(&one.occurrences_total))
                .then_with(|| one.key.cmp(&other.key))
        });
        while bytes > most_bytes && self.causes.len() > 1 {
            let cut = self.causes.pop();
            bytes -= cut.as_ref().map_or(0, FindingCause::text_bytes);
        }
        self.causes.sort_by(|one, other| one.key.cmp(&other.key));
    }
}

impl FindingCause {
    /// Bytes of its texts and its occurrences, and of what holds them.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        let occurrences = self.occurrences.iter().map(Occurrence::text_bytes);
        std::mem::size_of::<Self>() + self.key.len() + self.title.len() + occurrences.sum::<usize>()
    }
}
