//! What changed since the previous report of a site, as it is stored.

use std::collections::{BTreeMap, HashSet};

use diesel::prelude::*;
use domain::Dimension;
use domain::action::PageKey;
use domain::id::ReportId;
use domain::ports::{DifferentPages, PageDifference};
use domain::report::{Changes, Scores, Variant};
use serde::{Deserialize, Serialize};

use super::source::Source;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::pages;
use crate::database::values::known;

/// The changes of all dimensions; [`StoredChanges::read`] selects those of a variant.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredChanges {
    against: String,
    overall: i16,
    overall_legacy: i16,
    /// In the order of the dimensions.
    subscores: [i16; 6],
    scoring_version_changed: bool,
    /// New and fixed issues by dimension.
    new_issues: BTreeMap<String, u64>,
    fixed_issues: BTreeMap<String, u64>,
    new_pages: u64,
    gone_pages: u64,
}

impl StoredChanges {
    /// The changes from the scores, issues and pages of two reports.
    pub(super) fn new(
        against: &ReportId,
        (before, now): (&Scores, &Scores),
        (fixed, new): (BTreeMap<String, u64>, BTreeMap<String, u64>),
        (gone_pages, new_pages): (u64, u64),
    ) -> Self {
        let change = |now: u8, before: u8| i16::from(now) - i16::from(before);
        let mut subscores = [0; 6];
        let pairs = now.subscores.iter().zip(before.subscores);
        for (stored, (now, before)) in subscores.iter_mut().zip(pairs) {
            *stored = change(*now, before);
        }
        Self {
            against: against.as_str().to_owned(),
            overall: change(now.overall, before.overall),
            overall_legacy: change(now.overall_legacy, before.overall_legacy),
            subscores,
            scoring_version_changed: now.version != before.version,
            new_issues: new,
            fixed_issues: fixed,
            new_pages,
            gone_pages,
        }
    }

    pub(super) fn read(self, variant: Variant) -> Result<Changes, StorageError> {
        let dimensions = variant.dimensions();
        let sum = |issues: &BTreeMap<String, u64>| {
            let here = dimensions
                .iter()
                .filter_map(|dimension| issues.get(dimension.as_str()));
            here.sum()
        };
        let subscores = Dimension::ALL.into_iter().zip(self.subscores);
        Ok(Changes {
            score_change: match variant {
                Variant::Current => self.overall,
                Variant::Legacy => self.overall_legacy,
            },
            subscore_changes: subscores
                .filter(|(dimension, _)| dimensions.contains(dimension))
                .collect(),
            scoring_version_changed: self.scoring_version_changed,
            new_issues: sum(&self.new_issues),
            fixed_issues: sum(&self.fixed_issues),
            new_pages: self.new_pages,
            gone_pages: self.gone_pages,
            against: known("report", &self.against, ReportId::parse(&self.against))?,
        })
    }
}

/// The numbers of audited pages that only the first source has, and only the second.
pub(super) fn different_pages(
    connection: &mut AnyConnection,
    one: &Source,
    other: &Source,
) -> Result<(u64, u64), StorageError> {
    let (one, other) = (audited(connection, one)?, audited(connection, other)?);
    let count = |pages: &HashSet<PageKey>, without: &HashSet<PageKey>| {
        u64::try_from(pages.difference(without).count()).unwrap_or(u64::MAX)
    };
    Ok((count(&one, &other), count(&other, &one)))
}

/// The audited pages that only the first source has, and those that only the second has.
pub(super) fn page_difference(
    connection: &mut AnyConnection,
    (now, before): (&Source, &Source),
    most: usize,
) -> Result<PageDifference, StorageError> {
    let known = audited(connection, before)?;
    let (added, here) = only_there(urls(connection, now)?, &known, most);
    let (removed, _) = only_there(urls(connection, before)?, &here, most);
    Ok(PageDifference { added, removed })
}

/// The addresses whose pages are not among these, and the pages of all.
fn only_there(
    urls: Vec<String>,
    without: &HashSet<PageKey>,
    most: usize,
) -> (DifferentPages, HashSet<PageKey>) {
    let (mut different, mut all) = (DifferentPages::default(), HashSet::new());
    for url in urls {
        let page = PageKey::from_url(&url);
        if !without.contains(&page) && !all.contains(&page) {
            different.total = different.total.saturating_add(1);
            if different.urls.len() < most {
                different.urls.push(url);
            }
        }
        all.insert(page);
    }
    (different, all)
}

/// The audited pages of a source, as keys of a few bytes each; a report lists a bounded number.
fn audited(
    connection: &mut AnyConnection,
    source: &Source,
) -> Result<HashSet<PageKey>, StorageError> {
    let urls = urls(connection, source)?;
    Ok(urls.iter().map(|url| PageKey::from_url(url)).collect())
}

/// The addresses of the audited pages of a source, in the order of the crawl. A report keeps a bounded number of bytes
/// of them.
fn urls(connection: &mut AnyConnection, source: &Source) -> Result<Vec<String>, StorageError> {
    Ok(pages::table
        .filter(pages::run_id.eq(&source.run_id))
        .filter(pages::epoch.eq(source.epoch))
        .filter(pages::audited.eq(true))
        .order(pages::position)
        .select(pages::url)
        .load(connection)?)
}
