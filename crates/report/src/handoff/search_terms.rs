//! What to search the code for.

use domain::action::Dossier;

use crate::brief::occurrences;

/// Routes at most, and names and values at most.
const ROUTES: usize = 3;
const NAMES: usize = 8;
/// Bytes of a term: shorter ones are everywhere, longer ones nowhere.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=60;

/// Routes of affected pages, then ids, classes and values of attributes, each once, in the order of
/// the report. One route at least where there is a place. They are words of the page.
pub(super) fn search_terms(dossier: &Dossier) -> Vec<String> {
    let mut routes = Vec::new();
    let mut names = Vec::new();
    for place in occurrences(dossier) {
        keep(&mut routes, ROUTES, route(&place.url));
        let selector = place.selector.iter().flat_map(|text| in_selector(text));
        let snippet = place.snippet.iter().flat_map(|text| in_markup(text));
        for name in selector.chain(snippet) {
            if LENGTHS.contains(&name.len()) {
                keep(&mut names, NAMES, name);
            }
        }
    }
    // The start page is in every project and in none.
    if routes.len() > 1 {
        routes.retain(|route| *route != "/");
    }
    routes.append(&mut names);
    routes.into_iter().map(str::to_owned).collect()
}

fn keep<'a>(terms: &mut Vec<&'a str>, most: usize, term: &'a str) {
    if terms.len() < most && !terms.contains(&term) {
        terms.push(term);
    }
}

/// The path of an address.
fn route(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/");
    path.split(['?', '#']).next().unwrap_or(path)
}

/// The ids and classes of a selector.
fn in_selector(selector: &str) -> impl Iterator<Item = &str> {
    selector
        .split_inclusive(['#', '.', ' ', '>', '[', ':'])
        .scan(false, |named, part| {
            let is_name = std::mem::replace(named, part.ends_with(['#', '.']));
            Some((is_name, part))
        })
        .filter(|(is_name, _)| *is_name)
        .map(|(_, part)| part.trim_end_matches(['#', '.', ' ', '>', '[', ':']))
}

/// The values of attributes in markup; of classes each one.
fn in_markup(markup: &str) -> impl Iterator<Item = &str> {
    markup
        .split('"')
        .skip(1)
        .step_by(2)
        .flat_map(str::split_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        let names: Vec<_> = in_selector("main#content > div.hero:nth-child(2) img.wide").collect();
        assert_eq!(names, ["content", "hero", "wide"]);
        let values: Vec<_> =
            in_markup("<img src=\"/a/plan.png\" class=\"wide card\" alt>").collect();
        assert_eq!(values, ["/a/plan.png", "wide", "card"]);
    }

    #[test]
    fn routes_are_paths() {
        assert_eq!(route("https://example.com/a/b?c#d"), "/a/b");
        assert_eq!(route("https://example.com"), "/");
        assert_eq!(route("no address"), "/");
    }
}
