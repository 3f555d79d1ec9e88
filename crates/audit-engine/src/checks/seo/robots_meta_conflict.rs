//! Instructions to search engines agree with each other.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::page::{Directive, DirectiveSource};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Robots `meta` elements and `X-Robots-Tag` headers for all crawlers or for Googlebot do not
    /// say both `index` and `noindex`, or both `follow` and `nofollow`. `all` stands for the
    /// first of each, `none` for the second.
    ///
    /// ## Why it matters
    /// The stricter instruction wins, so a page that one of them means to be found is not found.
    ///
    /// ## How to fix it
    /// Decide what should hold and delete the other instruction. To allow indexing, no
    /// instruction is needed at all.
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
    /// Stricter instructions for Googlebot than for all crawlers are no contradiction.
    /// Instructions for other crawlers are not judged.
    ///
    /// ## References
    /// - Google Search Central, Robots meta tag, data-nosnippet, and X-Robots-Tag specifications
    ROBOTS_META_CONFLICT {
        id: "robots-meta-conflict",
        title: "Instructions to search engines contradict each other",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, Headers],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Each question with its permissive and its restrictive answer.
const QUESTIONS: [(&str, &str); 2] = [("index", "noindex"), ("follow", "nofollow")];

fn evaluate(page: &Page) -> Outcome {
    let directives: Vec<_> = page.robots().iter().collect();
    if directives.is_empty() {
        return Outcome::NotApplicable;
    }
    let failures = QUESTIONS.into_iter().filter_map(|(yes, no)| {
        let allows = |d: &&Directive| d.token == yes || d.token == "all";
        let forbids = |d: &&Directive| d.token == no || d.token == "none";
        let forbidding = directives.iter().copied().find(forbids)?;
        let allowing = directives
            .iter()
            .copied()
            .filter(allows)
            .find(|allowing| contradicts(allowing, &directives, forbids))?;
        Some(Evidence::here().message(format!(
            "`{}` of {} contradicts `{}` of {}; the stricter one holds.",
            allowing.token,
            place(allowing),
            forbidding.token,
            place(forbidding),
        )))
    });
    Outcome::from_failures(failures.collect())
}

/// Googlebot obeys what is said to all crawlers too, so a permission for it is void then.
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

fn place(directive: &Directive) -> String {
    match directive.source {
        DirectiveSource::Meta => format!("the {} meta element", directive.agent),
        DirectiveSource::Header => "the X-Robots-Tag header".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, judge};

    #[test]
    fn instructions_that_agree_pass() {
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
    fn two_metas_that_disagree_fail() {
        assert_fails(
            &ROBOTS_META_CONFLICT,
            "<meta name=robots content=all><meta name=robots content=none>",
            2,
        );
    }

    #[test]
    fn a_header_that_disagrees_fails() {
        let page = Page::builder()
            .header("X-Robots-Tag", "noindex")
            .html("<meta name=robots content=index>");
        assert!(matches!(judge(&ROBOTS_META_CONFLICT, &page), Outcome::Failed(e) if e.len() == 1));
    }

    #[test]
    fn a_permission_for_googlebot_alone_is_void() {
        assert_fails(
            &ROBOTS_META_CONFLICT,
            "<meta name=robots content=noindex><meta name=googlebot content=index>",
            1,
        );
    }

    #[test]
    fn a_stricter_rule_for_googlebot_is_no_contradiction() {
        assert_passes(
            &ROBOTS_META_CONFLICT,
            "<meta name=robots content=index><meta name=googlebot content=noindex>",
        );
    }

    #[test]
    fn a_page_without_instructions_is_not_judged() {
        assert_not_applicable(&ROBOTS_META_CONFLICT, "<p>x");
    }
}
