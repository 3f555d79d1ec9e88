//! The page of an error of any part of the service, for clients that prefer HTML.

use std::sync::Arc;

use httpkit::context::ErrorPage;
use httpkit::problem::Problem;

use crate::layout::{self, Service};
use crate::prepared::Whole;
use crate::state;

/// Makes the pages of errors of a service at this address: what happened, what to do, and the id of the request. Nobody
/// is signed in on them, so that they need no database.
#[must_use]
pub fn error_page(base_url: &str, has_sign_in: bool) -> ErrorPage {
    let base_url = base_url.to_owned();
    Arc::new(move |problem: &Problem, request_id: &str| {
        let service = Service {
            base_url: &base_url,
            has_sign_in,
        };
        let (status, html) = layout::problem(&service, problem, request_id);
        // It is small, and compressing it here would keep the event loop busy.
        Whole::page(status, html).respond(state::is_https(&base_url))
    })
}
