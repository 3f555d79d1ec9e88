use std::collections::BTreeMap;

use api_types::dimension::PerDimension;
use api_types::report as wire;
use domain::ports::VisitPage;
use domain::report::{PageCursor, PageScores, PageVisit, Variant};
use domain::score::Share;
use report::json::per_dimension;

/// A page of the list of a report's pages.
pub(crate) fn pages(page: &VisitPage, variant: Variant) -> wire::PageList {
    let visits = page.visits.iter();
    wire::PageList {
        pages: visits.map(|visit| visited(visit, variant)).collect(),
        next_cursor: page.next.map(PageCursor::encode),
    }
}

fn visited(visit: &PageVisit, variant: Variant) -> wire::Page {
    let details = &visit.details;
    wire::Page {
        url: visit.url.clone(),
        status: visit.status,
        depth: visit.depth,
        title: visit.title.clone(),
        description: details.description.clone(),
        h1: details.h1.clone(),
        canonical: details.canonical.clone(),
        indexable: details.indexable,
        language: details.language.clone(),
        words: details.words,
        bytes: visit.bytes,
        transfer_bytes: details.transfer_bytes,
        response_ms: details.response_ms,
        links_in: details.links_in,
        links_out: details.links_out,
        issue_count: visit.issues_in(variant),
        scores: scores(&visit.scores, variant),
    }
}

fn scores(scores: &PageScores, variant: Variant) -> PerDimension<Option<f64>> {
    let points: BTreeMap<_, _> = variant
        .dimensions()
        .iter()
        .map(|&dimension| (dimension, scores.get(dimension).map(Share::to_points)))
        .collect();
    per_dimension(&points, |points| points.copied().flatten())
}
