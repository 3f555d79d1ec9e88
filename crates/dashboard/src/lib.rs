//! The web pages: sign-in, sites, runs, reports, action items and settings, the catalogue of checks, the list of errors,
//! and the page of each error.
//!
//! An adapter beside `api`, over the same use cases of `domain`. [`configure`] registers all routes, or only those that
//! need nobody to sign in if the settings say so. [`error_page`] makes the pages of errors of all parts of the service.
//! Every page works without script, and every form posts and redirects:
//!
//! ```
//! use actix_web::web;
//!
//! # fn example(state: dashboard::DashboardState) {
//! let configure = move |config: &mut web::ServiceConfig| dashboard::configure(config, &state);
//! # drop(configure);
//! # }
//! ```
//!
//! It runs no SQL, makes no request and crawls nothing. Text of audited sites is escaped by the templates; no template
//! marks such a text as safe.

mod assets;
mod cookie;
mod dispatch;
mod error_page;
mod failure;
mod form;
mod format;
mod layout;
mod markdown;
mod pages;
mod passwords;
mod prepared;
mod reply;
mod route;
mod router;
mod same_origin;
mod score;
mod state;
#[cfg(test)]
mod tests;
mod throttle;
mod visit;

use actix_web::web::{self, ServiceConfig};

pub use error_page::error_page;
pub use pages::link_path;
pub use passwords::{Argon2Passwords, HashCost};
pub use state::{
    DashboardSettings, DashboardState, Diagnosis, DiagnosisLevel, OperatorSettings, Ports,
};

/// Registers all pages, their forms and their files.
pub fn configure(config: &mut ServiceConfig, state: &DashboardState) {
    for asset in assets::all() {
        let respond = move || std::future::ready(asset.respond());
        config.service(web::resource(asset.path.as_str()).route(web::get().to(respond)));
    }
    for path in router::paths(&state.settings) {
        let state = state.clone();
        config.service(
            web::resource(path).to(move |request, payload| {
                dispatch::dispatch(state.clone(), path, request, payload)
            }),
        );
    }
}
