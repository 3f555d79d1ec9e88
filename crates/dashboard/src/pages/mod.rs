//! The pages, a file for each, with the forms on it.

mod actions;
mod admin;
mod catalogue;
mod check;
mod checks;
pub(crate) mod confirm;
mod errors;
mod evidence;
mod home;
mod links;
mod list_file;
mod option_fields;
pub(crate) mod plain_http;
mod reports;
mod runs;
mod settings;
pub(crate) mod sign_in;
mod sign_in_code;
mod sites;
mod start;
mod waiting;
mod waiver_link;
pub(crate) mod welcome;

pub use links::link_path;

pub(crate) use settings::second_factor;

use crate::route::Route;

/// The routes of all pages of a service where people can sign in.
pub(crate) const ROUTES: &[&[Route]] = &[
    home::ROUTES,
    sites::ROUTES,
    runs::ROUTES,
    sign_in::ROUTES,
    sign_in_code::ROUTES,
    confirm::ROUTES,
    links::ROUTES,
    actions::ROUTES,
    settings::index::ROUTES,
    settings::members::ROUTES,
    settings::member::ROUTES,
    settings::keys::ROUTES,
    settings::webhooks::ROUTES,
    settings::webhook::ROUTES,
    settings::retention::ROUTES,
    settings::audit_log::ROUTES,
    settings::account::ROUTES,
    settings::sessions::ROUTES,
    settings::second_factor::ROUTES,
    reports::ROUTES,
    checks::ROUTES,
    check::ROUTES,
    errors::ROUTES,
    admin::ROUTES,
];
