//! Robots directives of a page do not contradict each other.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::page::{Directive, DirectiveSource};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Robots `meta` elements and `X-Robots-Tag` headers for all crawlers or for Googlebot do not
    /// contain both `index` and `noindex`, or both `follow` and `nofollow`. `all` means `index` and
    /// `follow`; `none` means `noindex` and `nofollow`.
    ///
    /// ## Why it matters
    /// The stricter directive applies. A page that one of the directives allows to be indexed is
    /// not indexed.
    ///
    /// ## How to fix it
    /// Choose the directive that should apply and delete the other one. Indexing is allowed by default and needs no
    /// directive.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><meta name="robots" content="index, follow"><meta name="robots" content="noindex"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><meta name="robots" content="index, follow"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// Stricter directives for Googlebot than for all crawlers are not a contradiction. The check ignores
    /// directives for other crawlers. In rendered mode, too, the check judges the response, because search
    /// engines do not render a page that they must not index.
    ///
    /// ## Also known as
    /// - Common name: Conflicting robots meta tags
    ///
    /// ## References
    /// - Google Search Central, Robots meta tag, data-nosnippet, and X-Robots-Tag specifications
    ROBOTS_META_CONFLICT {
        id: "robots-meta-conflict",
        title: "Conflicting robots directives",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, Headers, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Pairs of a permissive directive and the restrictive one that contradicts it.
const OPPOSITES: [(&str, &str); 2] = [("index", "noindex"), ("follow", "nofollow")];

fn evaluate(page: &Page) -> Outcome {
    let directives: Vec<_> = page.robots().iter().collect();
    if directives.is_empty() {
        return Outcome::NotApplicable;
    }
    let failures = OPPOSITES
        .into_iter()
        .filter_map(|(permissive, restrictive)| {
            let allows = |d: &&Directive| d.token == permissive || d.token == "all";
            let forbids = |d: &&Directive| d.token == restrictive || d.token == "none";
            let forbidding = directives.iter().copied().find(forbids)?;
            let allowing = directives
                .iter()
                .copied()
                .filter(allows)
                .find(|allowing| contradicts(allowing, &directives, forbids))?;
            Some(Evidence::here().message(format!(
                "`{}` in {} contradicts `{}` in {}; the stricter directive applies.",
                allowing.token,
                source_label(allowing),
                forbidding.token,
                source_label(forbidding),
            )))
        });
    Outcome::from_failures(failures.collect())
}

/// Googlebot also obeys directives for all crawlers, so a permissive directive for Googlebot does not
/// override a restrictive one for all crawlers.
fn contradicts(
    allowing: &Directive,
    directives: &[&Directive],
    forbids: impl Fn(&&Directive) -> bool,
) -> bool {
    directives
        .iter()
        .filter(|directive| forbids(directive))
        .any(|forbidding| forbidding.agent == allowing.agent || forbidding.agent == "robots")
}

fn source_label(directive: &Directive) -> String {
    match directive.source {
        DirectiveSource::Meta => format!("the {} meta element", directive.agent),
        DirectiveSource::Header => "the X-Robots-Tag header".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome_of};

    #[test]
    fn directives_that_agree_pass() {
        assert_passes(
            &ROBOTS_META_CONFLICT,
            "<meta name=robots content='index,follow,max-snippet:-1'><meta name=googlebot content=index>",
        );
        assert_passes(
            &ROBOTS_META_CONFLICT,
            "<meta name=robots content='noindex, follow'>",
        );
    }

    #[test]
    fn two_conflicting_meta_elements_fail() {
        assert_fails(
            &ROBOTS_META_CONFLICT,
            "<meta name=robots content=all><meta name=robots content=none>",
            2,
        );
    }

    #[test]
    fn a_conflicting_header_fails() {
        let page = Page::builder()
            .header("X-Robots-Tag", "noindex")
            .html("<meta name=robots content=index>");
        assert!(
            matches!(outcome_of(&ROBOTS_META_CONFLICT, &page), Outcome::Failed(e) if e.len() == 1)
        );
    }

    #[test]
    fn a_permission_for_googlebot_only_does_not_override_noindex() {
        assert_fails(
            &ROBOTS_META_CONFLICT,
            "<meta name=robots content=noindex><meta name=googlebot content=index>",
            1,
        );
    }

    #[test]
    fn a_stricter_directive_for_googlebot_passes() {
        assert_passes(
            &ROBOTS_META_CONFLICT,
            "<meta name=robots content=index><meta name=googlebot content=noindex>",
        );
    }

    #[test]
    fn a_page_without_robots_directives_is_not_applicable() {
        assert_not_applicable(&ROBOTS_META_CONFLICT, "<p>x");
    }
}
