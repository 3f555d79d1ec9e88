//! The pages of an application have URLs of their own.

use std::collections::HashMap;

use crate::address::is_same_document;
use crate::check::{Evidence, Outcome};
use crate::common::rendering::forms::{Forms, compare};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::LinkTarget;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// On a page whose content comes from scripts, internal links do not lead to routes in fragments, such as `#/times`
    /// or `#!/times`.
    ///
    /// ## Why it matters
    /// A fragment is not sent to the server and is not part of the address of a page. Google and other search engines
    /// treat all routes as one page, and show none of them but the first. No crawler that runs no scripts can read them.
    ///
    /// ## How to fix it
    /// Switch the router to paths (the History API; "history mode" or "browser router" in most frameworks), so that the
    /// links are `/times` and not `#/times`, and let the server answer each of these URLs.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><div id="app"></div><script src="/app.js"></script><script>document.getElementById("app").innerHTML = `<h1>Ferries</h1><a href="#/times">Times</a> <a href="#/fares">Fares</a>`</script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><div id="app"></div><script src="/app.js"></script><script>document.getElementById("app").innerHTML = `<h1>Ferries</h1><a href="/times">Times</a> <a href="/fares">Fares</a>`</script></html>
    /// ```
    ///
    /// ## Limits
    /// The check needs at least two routes. It ignores fragments that are the id of an element, or that stand in an
    /// element whose id has their last part: these lead to a place on the page, as in many API references.
    ///
    /// ## Also known as
    /// - Common name: Hash-based routing
    /// - Screaming Frog: JavaScript: Pages with Hash Fragment URLs
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    /// - RFC 3986, Uniform Resource Identifier, section 3.5
    SPA_HASH_ROUTES {
        id: "spa-hash-routes",
        title: "Routes of the application in URL fragments",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Large,
        needs: [Dom, Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Fewer routes may be a control of a script.
const FEWEST: usize = 2;

/// Routes that the message names.
const EXAMPLES: usize = 3;

/// Links that are read.
const MAX_LINKS_READ: usize = 5_000;

fn evaluate(page: &Page) -> Outcome {
    compare(page, have_paths)
}

fn have_paths(forms: Forms<'_>) -> Outcome {
    let page = forms.shown;
    if !page.needs_scripts() || page.links().is_empty() {
        return Outcome::NotApplicable;
    }
    // Whether each route is a place on the page, and the first link to it, in the order of the links.
    let mut found: Vec<(String, ElementRef<'_>, bool)> = Vec::new();
    let mut places = HashMap::new();
    for link in page.links().iter().take(MAX_LINKS_READ) {
        let LinkTarget::Internal(url) = &link.target else {
            continue;
        };
        let Some(element) = page.element(link.node) else {
            continue;
        };
        let fragment = page
            .fragment(link)
            .filter(|_| is_same_document(url, page.url()));
        let Some(fragment) = fragment.filter(|fragment| is_route(fragment)) else {
            continue;
        };
        let is_place = leads_to_place(page, element, &fragment);
        let place = *places.entry(fragment.to_string()).or_insert_with(|| {
            found.push((format!("#{fragment}"), element, false));
            found.len() - 1
        });
        if let Some(route) = found.get_mut(place) {
            route.2 |= is_place;
        }
    }
    found.retain(|(_, _, is_place)| !is_place);
    let first = found.first().map(|(_, element, _)| *element);
    let mut routes: Vec<String> = found.into_iter().map(|(route, ..)| route).collect();
    let count = routes.len();
    Outcome::pass_if(count < FEWEST, || {
        routes.truncate(EXAMPLES);
        first
            .map_or_else(Evidence::here, Evidence::node)
            .message(format!(
                "{count} routes of the page are fragments, such as {}; expected paths, such as {}.",
                routes.join(", "),
                routes
                    .first()
                    .map_or("", |route| route.trim_start_matches(['#', '!']))
            ))
    })
}

/// Whether a script reads the fragment as the path of a page other than the first.
fn is_route(fragment: &str) -> bool {
    let path = fragment.strip_prefix('!').unwrap_or(fragment);
    path.strip_prefix('/')
        .is_some_and(|path| path.contains(char::is_alphanumeric))
}

/// Whether the fragment is that of a place on the page: an element has it as id, or the link is in a part that is
/// called so.
fn leads_to_place(page: &Page, link: ElementRef<'_>, fragment: &str) -> bool {
    let last = fragment.trim_end_matches('/').rsplit('/').next();
    let last = last.unwrap_or_default().to_lowercase();
    page.by_id(fragment).is_some()
        || link.ancestors().any(|around| {
            let id = around.attr("id").unwrap_or_default().to_lowercase();
            !id.is_empty() && id.contains(&last)
        })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome_shown};

    const SHELL: &str = "<title>x</title><div id=app></div><script src=a.js></script>";

    fn outcome(after: &str) -> Outcome {
        outcome_shown(
            &SPA_HASH_ROUTES,
            SHELL,
            &format!("<script src=a.js></script>{after}"),
        )
    }

    #[test]
    fn the_message_has_number_and_examples() {
        let after = "<script></script><a href='#/'>H</a><a href='#/times'>T</a><a href='/#/fares'>F</a><a href='#!/ports/1'>P</a>";
        assert_eq!(
            message_shown(&SPA_HASH_ROUTES, SHELL, after),
            "3 routes of the page are fragments, such as #/times, #/fares, #!/ports/1; expected paths, such as /times."
        );
    }

    #[rstest]
    #[case::paths("<a href=/times>T</a><a href=/fares>F</a>")]
    #[case::places("<a href='#times'>T</a><a href='#fares'>F</a>")]
    #[case::start("<a href='#/'>T</a><a href='#!'>F</a><a href='#!/'>F</a>")]
    #[case::one_control("<a href='#/menu'>T</a><a href='#/menu'>F</a>")]
    #[case::ids("<a href='#/a'>T</a><a href='#/b'>F</a><p id=/a>x<p id=/b>x")]
    #[case::own_place(
        "<div id=operations-pet-addPet><a href='#/pet/addPet'>T</a></div><h3 id=tag-pet><a href='#/pet'>x</a></h3>"
    )]
    #[case::own_place_in_a_menu(
        "<nav><a href='#/pet/addPet'>T</a><a href='#/pet'>T</a></nav><div id=pet-addPet><a href='#/pet/addPet'>T</a><a href='#/pet'>x</a></div>"
    )]
    #[case::other_pages("<a href='/docs#/a'>T</a><a href='/docs#/b'>F</a>")]
    #[case::external("<a href='https://a.example/#/a'>T</a><a href='https://a.example/#/b'>F</a>")]
    fn other_links_pass(#[case] after: &str) {
        assert_eq!(outcome(after), Outcome::Passed);
    }

    #[test]
    fn links_are_read_up_to_a_limit() {
        let links = (0..MAX_LINKS_READ + 9).map(|n| format!("<a href='#/{n}x'>x</a>"));
        let after = format!("<script></script>{}", links.collect::<String>());
        let message = message_shown(&SPA_HASH_ROUTES, SHELL, &after);
        assert!(
            message.starts_with(&format!("{MAX_LINKS_READ} routes")),
            "{message}"
        );
    }

    #[test]
    fn pages_that_are_whole_without_scripts_are_not_applicable() {
        let routes = format!(
            "<script>x()</script><p>{}<a href='#/a'>T</a><a href='#/b'>F</a>",
            "word ".repeat(60)
        );
        let outcome = outcome_shown(&SPA_HASH_ROUTES, &routes, &routes);
        assert_eq!(outcome, Outcome::NotApplicable);
        assert_eq!(self::outcome("<p>x"), Outcome::NotApplicable);
    }
}
