//! Reports: what was found, one issue with all its occurrences, and files to save.

mod compare;
mod download;
mod filter;
mod header;
mod issue;
mod occurrences;
mod report;
mod score;
mod unjudged;

use domain::key::Role;

use crate::route::{Access, Route};

const READ: Access = Access::SignedIn(Role::Read);

pub(super) const ROUTES: &[Route] = &[
    Route::get("/reports/{id}", READ, report::show),
    Route::get("/reports/{id}/issues/{issue}", READ, occurrences::show),
    Route::get("/reports/{id}/score", READ, score::show),
    Route::get("/reports/{id}/compare/{other}", READ, compare::show).on_export_threads(),
    Route::get("/reports/{id}/download/{format}", READ, download::download).on_export_threads(),
];
