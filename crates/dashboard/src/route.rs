//! Which handler answers which path and method, and who may call it.

use domain::key::Role;
use domain::report::Variant;

use crate::failure::Failure;
use crate::pages;
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
    /// Everybody.
    Public,
    /// People who are signed in and have at least this role.
    SignedIn(Role),
    /// The same, and the password was entered in the last quarter of an hour.
    Recent(Role),
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

    /// The same, for the current variant alone.
    pub(crate) const fn current_variant_only(mut self) -> Self {
        self.in_legacy = false;
        self
    }
}

/// All routes of a variant.
pub(crate) fn routes(variant: Variant) -> impl Iterator<Item = &'static Route> {
    let all = pages::ROUTES.iter().copied().flatten();
    all.filter(move |route| variant == Variant::Current || route.in_legacy)
}

/// All paths of a variant, each once. A path without parameters comes before one with parameters, which would answer
/// for it.
pub(crate) fn paths(variant: Variant) -> Vec<&'static str> {
    let mut paths: Vec<_> = routes(variant).map(|route| route.path).collect();
    // A brace sorts behind letters.
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// The route of a path and a method.
pub(crate) fn route(variant: Variant, path: &str, method: Method) -> Option<&'static Route> {
    routes(variant).find(|route| route.path == path && route.method == method)
}

/// Whether some form is sent to this path.
pub(crate) fn takes_form(variant: Variant, path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let mut forms = routes(variant).filter(|route| route.method == Method::Post);
    forms.any(|route| matches(route.path, path))
}

/// Whether a path has the form of a pattern with parameters in braces.
fn matches(pattern: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    pattern.split('/').all(|wanted| {
        parts
            .next()
            .is_some_and(|part| part == wanted || (wanted.starts_with('{') && !part.is_empty()))
    }) && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_match_one_part_of_a_path() {
        for (pattern, path, expected) in [
            ("/a/{id}", "/a/1", true),
            ("/a/{id}", "/a/", false),
            ("/a/{id}", "/a/1/2", false),
            ("/a", "/a", true),
            ("/a", "/b", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn no_two_routes_have_one_path_and_method() {
        let mut seen = std::collections::HashSet::new();
        for route in routes(Variant::Current) {
            assert!(
                seen.insert((route.path, route.method == Method::Post)),
                "{}",
                route.path
            );
        }
    }
}
