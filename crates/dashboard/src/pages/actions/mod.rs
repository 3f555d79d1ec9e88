//! Action items: the list, an item with its comments and its brief, and handoffs to coding agents.

mod brief;
mod change;
mod chosen;
mod comments;
mod evidence;
mod file;
mod filter;
mod finder;
mod handoff;
mod history;
mod item;
mod list;
mod row;
mod verify;
mod words;

use domain::key::Role;

use crate::route::{Access, Route};

const READ: Access = Access::SignedIn(Role::Read);
const MEMBER: Access = Access::SignedIn(Role::Member);

pub(super) const ROUTES: &[Route] = &[
    Route::get("/actions", READ, list::show).current_variant_only(),
    Route::get("/actions.csv", READ, file::save)
        .current_variant_only()
        .on_export_threads(),
    Route::post("/actions/chosen", MEMBER, chosen::act).current_variant_only(),
    Route::get("/actions/handoff", READ, handoff::show).current_variant_only(),
    Route::post("/actions/handoff", READ, handoff::show).current_variant_only(),
    Route::get("/actions/handoff/prompt.md", READ, handoff::download).current_variant_only(),
    Route::get("/actions/{id}", READ, item::show).current_variant_only(),
    Route::post("/actions/{id}", MEMBER, change::save).current_variant_only(),
    Route::post("/actions/{id}/comments", MEMBER, comments::add).current_variant_only(),
    Route::post("/actions/{id}/verify", MEMBER, verify::start).current_variant_only(),
    Route::get("/actions/{id}/brief", READ, brief::show).current_variant_only(),
    Route::post("/actions/{id}/brief", MEMBER, brief::queue).current_variant_only(),
];
