//! Agents that read the accessibility tree find names and roles in it.

use std::sync::LazyLock;

use crate::check::{Check, Evidence, Outcome, PageOutcome};
use crate::checks::accessibility;
use crate::declare_check;

declare_check! {
    /// ## What it checks
    /// No check of accessibility that judges names, roles and ARIA finds anything on the page.
    ///
    /// ## Why it matters
    /// Agents that act for people read the accessibility tree, as screen readers do. A button without a name
    /// or a menu without its role is none that they can use.
    ///
    /// ## How to fix it
    /// Fix what the checks named here find. Each of them says where and how; this finding ends with the last one.
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
    /// It finds nothing that those checks do not find. What an agent makes of the page beside the tree is not judged.
    ///
    /// ## References
    /// - Lighthouse, audit agent-accessibility-tree: violations of rules about names, roles and ARIA
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    AGENT_A11Y_TREE {
        id: "agent-a11y-tree",
        title: "Elements that agents cannot name or use",
        dimension: AiReadiness,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Summary(summarized, evaluate)
}

/// The checks of names, roles and ARIA.
const JUDGING: [&str; 26] = [
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
        checks.filter(|check| JUDGING.contains(&check.id)).collect()
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
        // Where the first stands; what is wrong there is told by its own check.
        let evidence = Evidence {
            cause: None,
            ..failures.first().cloned().unwrap_or_default()
        };
        return Outcome::failed(vec![evidence.message(format!(
            "Agents meet elements without a name or with a wrong role here: {}.",
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
    fn what_several_checks_find_is_one_finding_of_a_page() {
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
    fn what_is_found_is_counted_beyond_the_evidence_that_is_kept() {
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
    fn every_check_that_judges_exists() {
        for id in JUDGING {
            assert!(
                accessibility::CHECKS.iter().any(|check| check.id == id),
                "{id}"
            );
        }
    }
}
