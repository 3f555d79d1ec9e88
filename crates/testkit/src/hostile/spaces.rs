//! Endless URL spaces: crawl traps.

use super::{Behaviour, document, number};
use crate::{TestRequest, TestResponse};

/// Filters of a faceted list.
const FACETS: u64 = 40;
/// New links of each page of an endless space.
const LINKS: u64 = 100;

pub(super) fn answer(
    behaviour: Behaviour,
    below: &str,
    request: &TestRequest,
) -> Option<TestResponse> {
    let path = behaviour.path();
    let here = number(below);
    Some(match behaviour {
        Behaviour::Calendar => {
            let day = request.query().map_or(0, number);
            let (next, last) = (day.wrapping_add(1), day.saturating_sub(1));
            document(
                &format!("Day {day}"),
                &format!(
                    "<a href=\"{path}?day={next}\">Day {next}</a> <a href=\"{path}?day={last}\">Day {last}</a>"
                ),
            )
        }
        Behaviour::SessionIds => {
            // The links only depend on the session of the page, so two visits agree.
            let next = here.wrapping_mul(31).wrapping_add(7) % 1_000_000_007;
            let links: String = (0..5)
                .map(|link| {
                    let session = next.wrapping_add(link);
                    format!("<a href=\"{path};session={session}\">Go on to {link}</a> ")
                })
                .collect();
            document("A shop", &links)
        }
        Behaviour::Facets => {
            let query = request.query().unwrap_or_default();
            let links: String = (0..FACETS)
                .filter(|facet| !query.split('&').any(|pair| pair == format!("f{facet}=1")))
                .map(|facet| {
                    let and = if query.is_empty() { "" } else { "&amp;" };
                    let query = query.replace('&', "&amp;");
                    format!("<a href=\"{path}?{query}{and}f{facet}=1\">Filter {facet}</a> ")
                })
                .collect();
            document(
                &format!("Things by {} filters", query.split('&').count()),
                &links,
            )
        }
        Behaviour::GrowingPath => document(
            "A path that grows",
            "<a href=\"growing-path/again/\">Again</a> <a href=\"again/\">Once more</a>",
        ),
        Behaviour::SameBody => {
            let next = here.wrapping_add(1);
            document(
                "The same page",
                &format!(
                    "{}<a href=\"{path}/{next}\">Next</a>",
                    "<p>These words are the same on every page of this space without an end.</p>"
                        .repeat(5)
                ),
            )
        }
        Behaviour::EndlessPages => {
            let links: String = (0..LINKS)
                .map(|link| {
                    let next = here.wrapping_mul(LINKS).wrapping_add(link).wrapping_add(1);
                    format!("<a href=\"{path}/{next}\">Page {next}</a> ")
                })
                .collect();
            document(&format!("Page {here}"), &links)
        }
        _ => return None,
    })
}
