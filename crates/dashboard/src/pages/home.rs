//! The start page: all sites, the audits under way, and a box to start one.

use askama::Template;
use domain::key::Role;

use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(super) const ROUTES: &[Route] = &[Route::get("/", Access::SignedIn(Role::Read), show)];

#[derive(Template)]
#[template(path = "pages/home.html")]
struct Home {
    layout: Layout,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&Home {
        layout: Layout::new(visit, "Sites", Section::Sites),
    })
}
