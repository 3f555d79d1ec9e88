//! Which handler answers which path and method, and who may call it.

use domain::key::Role;

use crate::failure::Failure;
use crate::reply::Reply;
use crate::visit::Visit;

/// A page or a form.
pub(crate) struct Route {
    /// The path, parameters in braces.
    pub(crate) path: &'static str,
    /// Whether it takes a form; else it is a page.
    pub(crate) method: Method,
    /// Who may call it.
    pub(crate) access: Access,
    /// Whether `legacy` has it.
    pub(crate) in_legacy: bool,
    /// Whether people who lack the second factor that their organization requires may call it. Such a route shows nothing
    /// of the organization.
    pub(crate) is_without_second_factor: bool,
    /// What it costs.
    pub(crate) lane: Lane,
    /// Answers it. It runs where it may block.
    pub(crate) handle: fn(&Visit) -> Result<Reply, Failure>,
}

/// How a route is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// A page.
    Get,
    /// A form.
    Post,
}

/// What a route costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// A page: it reads little, on the threads of the caller.
    Page,
    /// It reads a whole report and makes a file of it, on the threads of exports and within their limits.
    Export,
}

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everybody, also over plain http from other machines and where people cannot sign in: it shows nothing of an
    /// organization and takes no form.
    Open,
    /// Everybody.
    Public,
    /// People who are signed in and have at least this role.
    SignedIn(Role),
    /// The same, and the password was entered in the last quarter of an hour.
    Recent(Role),
    /// The accounts that the configuration names as operators. For everybody else who is signed in there is no such
    /// page.
    Operator,
}

impl Route {
    /// A page.
    pub(crate) const fn get(
        path: &'static str,
        access: Access,
        handle: fn(&Visit) -> Result<Reply, Failure>,
    ) -> Self {
        Self {
            path,
            method: Method::Get,
            access,
            in_legacy: true,
            is_without_second_factor: false,
            lane: Lane::Page,
            handle,
        }
    }

    /// A form.
    pub(crate) const fn post(
        path: &'static str,
        access: Access,
        handle: fn(&Visit) -> Result<Reply, Failure>,
    ) -> Self {
        Self {
            method: Method::Post,
            ..Self::get(path, access, handle)
        }
    }

    /// The same, counted and run as an export.
    pub(crate) const fn on_export_threads(mut self) -> Self {
        self.lane = Lane::Export;
        self
    }

    /// The same route, open also to people who lack the second factor that their organization requires.
    pub(crate) const fn without_second_factor(mut self) -> Self {
        self.is_without_second_factor = true;
        self
    }

    /// The same, for the current variant alone.
    pub(crate) const fn current_variant_only(mut self) -> Self {
        self.in_legacy = false;
        self
    }
}
