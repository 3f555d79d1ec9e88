//! Accessibility findings that affect AI agents which read the accessibility tree.

use std::sync::LazyLock;

use domain::report::repeats;
use domain::text::count;

use crate::check::{Check, Evidence, Failures, Outcome, PageOutcome};
use crate::checks::accessibility;
use crate::declare_check;

declare_check! {
    /// ## What it checks
    /// No accessibility check of names, roles and ARIA reports a failure on the page.
    ///
    /// ## Why it matters
    /// Agents that act for users read the accessibility tree, as screen readers do. They cannot use
    /// a button without an accessible name or a menu without its role.
    ///
    /// ## How to fix it
    /// Follow the advice of the accessibility checks that the findings name, one for each check: this note repeats
    /// what they report and costs nothing. It disappears when the last of them passes.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Shop</title><body><button><img src="cart.svg" alt=""></button></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Shop</title><body><button><img src="cart.svg" alt="Cart"></button></body></html>
    /// ```
    ///
    /// ## Limits
    /// This check finds nothing that those checks do not find. Other sources that an agent may use,
    /// such as screenshots or the source code, are not evaluated.
    ///
    /// ## Also known as
    /// - Lighthouse: `agent-accessibility-tree`
    ///
    /// ## References
    /// - Lighthouse, audit agent-accessibility-tree: violations of rules about names, roles and ARIA
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    AGENT_A11Y_TREE {
        id: "agent-a11y-tree",
        title: "Accessibility tree errors that hinder AI agents",
        dimension: AiReadiness,
        scope: Page,
        severity: Info,
        confidence: High,
        effort: Medium,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Summary(summarized, evaluate)
}

/// The checks of names, roles and ARIA.
const SUMMARIZED: [&str; 26] = [
    "area-alt",
    "aria-allowed-attr",
    "aria-hidden-body",
    "aria-hidden-focus",
    "aria-required-attr",
    "aria-required-children",
    "aria-required-parent",
    "aria-roles",
    "aria-valid-attr",
    "aria-valid-attr-value",
    "aria-widget-name",
    "autocomplete-valid",
    "button-name",
    "duplicate-id-aria",
    "frame-title",
    "image-alt",
    "input-button-name",
    "input-image-alt",
    "label",
    "link-name",
    "list-structure",
    "nested-interactive",
    "object-alt",
    "select-name",
    "svg-img-alt",
    "table-headers",
];

fn summarized() -> &'static [&'static Check] {
    static CHECKS: LazyLock<Vec<&'static Check>> = LazyLock::new(|| {
        let checks = accessibility::CHECKS.iter().copied();
        checks
            .filter(|check| SUMMARIZED.contains(&check.id))
            .collect()
    });
    &CHECKS
}

fn evaluate(outcomes: &[PageOutcome<'_>]) -> Outcome {
    let mut found = Vec::new();
    let (mut any, mut unknown) = (false, None);
    for (id, outcome) in outcomes {
        match &**outcome {
            Outcome::Failed(failures) => found.push((*id, failures)),
            Outcome::CannotTell(reason) => unknown = Some(*reason),
            Outcome::NotApplicable => continue,
            Outcome::Passed | Outcome::Graded(..) => {}
        }
        any = true;
    }
    if !found.is_empty() {
        let repeated = found
            .into_iter()
            .map(|(id, failures)| evidence(id, failures));
        return Outcome::failed(repeated.collect::<Vec<_>>());
    }
    match (any, unknown) {
        (false, _) => Outcome::NotApplicable,
        (true, Some(reason)) => Outcome::CannotTell(reason),
        (true, None) => Outcome::Passed,
    }
}

/// One finding for each check that fails on the page, at the first of its elements. The check itself reports the
/// details.
fn evidence(id: &str, failures: &Failures) -> Evidence {
    let check = summarized().iter().find(|check| check.id == id);
    let title = check.map_or(id, |check| check.title);
    let first = failures.first().cloned().unwrap_or_default();
    let elements = count(failures.total(), "element", "elements");
    first
        .cause(id, repeats(id, title))
        .message(format!("`{id}` reports {elements} on this page: {title}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_passes, outcome};

    #[test]
    fn a_page_whose_elements_have_names_passes() {
        assert_passes(&AGENT_A11Y_TREE, "<button>Buy</button><a href=x>Home</a>");
    }

    #[test]
    fn each_check_that_fails_is_one_finding_per_page() {
        let html = "<button></button><a href=x></a><a href=y></a><div role=lnik>x</div>";
        let Outcome::Failed(evidence) = outcome(&AGENT_A11Y_TREE, html) else {
            panic!("nothing was found");
        };
        let causes: Vec<_> = evidence
            .iter()
            .filter_map(|found| found.cause.as_ref())
            .map(|cause| cause.title.as_str())
            .collect();
        assert_eq!(
            causes,
            [
                "Repeats `aria-roles`: Invalid ARIA roles",
                "Repeats `button-name`: Buttons without discernible text",
                "Repeats `link-name`: Links without discernible text",
            ]
        );
        assert_eq!(
            evidence[2].message,
            "`link-name` reports 2 elements on this page: Links without discernible text."
        );
        assert!(evidence.iter().all(|found| found.selector.is_some()));
    }

    #[test]
    fn failures_beyond_the_kept_evidence_are_counted() {
        let html: String = (0..30)
            .map(|number| format!("<a href={number}></a>"))
            .collect();
        let Outcome::Failed(evidence) = outcome(&AGENT_A11Y_TREE, &html) else {
            panic!("nothing was found");
        };
        let message = &evidence[0].message;
        assert!(
            message.contains("`link-name` reports 30 elements"),
            "{message}"
        );
    }

    #[test]
    fn a_page_of_text_alone_passes() {
        assert_passes(&AGENT_A11Y_TREE, "<p>Text");
    }

    #[test]
    fn every_summarized_check_exists() {
        for id in SUMMARIZED {
            assert!(
                accessibility::CHECKS.iter().any(|check| check.id == id),
                "{id}"
            );
        }
    }
}
