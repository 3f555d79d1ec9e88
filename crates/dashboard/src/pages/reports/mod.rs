//! Reports: what was found, one issue with all its occurrences, and files to save.

mod compare;
mod download;
mod filter;
mod header;
mod issue;
mod occurrences;
mod page;
mod pages;
mod pictures;
mod report;
mod score;
mod structure;
mod unjudged;

use domain::id::ReportId;
use domain::key::Role;
use domain::ports::{ReportDetail, StoredReport};

use crate::failure::Failure;
use crate::route::{Access, Route};
use crate::visit::Visit;

const READ: Access = Access::SignedIn(Role::Read);

pub(super) const ROUTES: &[Route] = &[
    Route::get("/reports/{id}", READ, report::show),
    Route::get("/reports/{id}/issues/{issue}", READ, occurrences::show),
    Route::get("/reports/{id}/score", READ, score::show),
    Route::get("/reports/{id}/compare/{other}", READ, compare::show).on_export_threads(),
    Route::get("/reports/{id}/page", READ, page::show),
    Route::get("/reports/{id}/pages", READ, pages::show),
    Route::get("/reports/{id}/pages.csv", READ, pages::file).on_export_threads(),
    Route::get("/reports/{id}/pictures/{artifact}", READ, pictures::show),
    Route::get("/reports/{id}/structure", READ, structure::show),
    Route::get("/reports/{id}/download/{format}", READ, download::download).on_export_threads(),
];

/// A report with what a page shows of its issues.
fn head(visit: &Visit, id: &ReportId) -> Result<StoredReport, Failure> {
    let (stores, detail) = (&visit.state.stores, ReportDetail::Glance);
    let stored = stores.report(visit.org()?, id, visit.variant(), detail)?;
    stored.ok_or(Failure::NotFound)
}
