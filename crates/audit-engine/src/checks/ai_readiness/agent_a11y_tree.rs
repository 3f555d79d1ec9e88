//! Accessibility findings that affect AI agents which read the accessibility tree.

use std::sync::LazyLock;

use crate::check::{Check, Evidence, Outcome, PageOutcome};
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
    /// Fix the failures of the checks that the finding names. Each of those checks gives the
    /// elements and the fix. The finding disappears when the last of them passes.
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
    if let Some((_, failures)) = found.first() {
        let named: Vec<String> = found
            .iter()
            .map(|(id, failures)| format!("{id} ({})", failures.total()))
            .collect();
        // The location of the first failure. Its own check reports the details.
        let evidence = Evidence {
            cause: None,
            ..failures.first().cloned().unwrap_or_default()
        };
        return Outcome::failed(vec![evidence.message(format!(
            "Agents find elements without an accessible name or with an incorrect role here: {}.",
            named.join(", ")
        ))]);
    }
    match (any, unknown) {
        (false, _) => Outcome::NotApplicable,
        (true, Some(reason)) => Outcome::CannotTell(reason),
        (true, None) => Outcome::Passed,
    }
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
    fn failures_of_several_checks_are_one_finding_per_page() {
        let html = "<button></button><a href=x></a><a href=y></a><div role=lnik>x</div>";
        let Outcome::Failed(evidence) = outcome(&AGENT_A11Y_TREE, html) else {
            panic!("nothing was found");
        };
        let [found] = &*evidence else {
            panic!("one finding was expected: {evidence:?}");
        };
        assert!(found.message.contains("link-name (2)"), "{}", found.message);
        assert!(
            found.message.contains("aria-roles (1)"),
            "{}",
            found.message
        );
        assert!(found.selector.is_some());
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
        assert!(message.contains("link-name (30)"), "{message}");
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
