//! The start page of a service whose dashboard is off: what this is, how it is, and where to go.

use askama::Template;
use domain::ports::NotReady;

use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(crate) const ROUTES: &[Route] = &[Route::get("/", Access::Open, show)];

#[derive(Template)]
#[template(path = "pages/welcome.html")]
struct Page<'a> {
    layout: Layout,
    version: &'static str,
    /// Why the service cannot work; none where it can.
    not_ready: Option<NotReady>,
    /// The address of the service as people know it.
    base_url: &'a str,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let layout = Layout::new(visit, "Assay audits websites", Section::None);
    Reply::page(&Page {
        layout: layout.for_anybody(),
        version: env!("CARGO_PKG_VERSION"),
        not_ready: visit.state.stores.ready().err(),
        base_url: visit.state.settings.base_url.trim_end_matches('/'),
    })
}
