//! The routes by path and method.

use domain::report::Variant;

use crate::pages;
use crate::route::{Access, Method, Route};
use crate::state::DashboardSettings;

/// All routes of a variant.
pub(crate) fn routes(variant: Variant) -> impl Iterator<Item = &'static Route> {
    let all = pages::ROUTES.iter().copied().flatten();
    all.filter(move |route| variant == Variant::Current || route.in_legacy)
}

/// The routes that a service with these settings has: all of its variant, or those that need nobody to sign in.
pub(crate) fn served(settings: &DashboardSettings) -> impl Iterator<Item = &'static Route> {
    let has_sign_in = settings.has_sign_in;
    let instead: &'static [Route] = match has_sign_in {
        true => &[],
        false => pages::welcome::ROUTES,
    };
    routes(settings.variant)
        .filter(move |route| has_sign_in || route.access == Access::Open)
        .chain(instead)
}

/// The paths of these routes, each once. A path without parameters comes before one with parameters, which would answer
/// for it.
pub(crate) fn paths(settings: &DashboardSettings) -> Vec<&'static str> {
    let mut paths: Vec<_> = served(settings).map(|route| route.path).collect();
    // A brace sorts behind letters.
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// The route of a path and a method.
pub(crate) fn route(
    settings: &DashboardSettings,
    path: &str,
    method: Method,
) -> Option<&'static Route> {
    served(settings).find(|route| route.path == path && route.method == method)
}

/// The methods of a path, as the header `Allow` lists them.
pub(crate) fn allow(settings: &DashboardSettings, path: &str) -> String {
    let mut methods = Vec::new();
    if route(settings, path, Method::Get).is_some() {
        methods.extend(["GET", "HEAD"]);
    }
    if route(settings, path, Method::Post).is_some() {
        methods.push("POST");
    }
    methods.join(", ")
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
