//! Whether a selector matches an element.

use std::sync::atomic::{AtomicU64, Ordering};

use super::selector::{Combinator, Comparison, Compound, Selector, Simple};
use crate::bounds::style::{MAX_MATCHING_STEPS, MAX_PASSED};
use crate::dom::{Dom, ElementRef, NodeId};

/// The work budget for matching selectors of one page. A step takes about ten nanoseconds; real pages use a
/// hundredth of the budget.
#[derive(Debug)]
pub(super) struct MatchBudget(AtomicU64);

impl Default for MatchBudget {
    fn default() -> Self {
        Self(AtomicU64::new(20_000_000))
    }
}

impl MatchBudget {
    /// Takes steps, plus one more for every 32 compared bytes.
    pub(super) fn take(&self, steps: u64, bytes: usize) {
        let bytes = u64::try_from(bytes / 32).unwrap_or(u64::MAX);
        let all = steps.saturating_add(bytes);
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(all), Ordering::Relaxed);
    }

    /// Whether the budget is used up, so that further results are uncertain.
    pub(super) fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    fn spend(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// Whether a selector matches an element, ordered by certainty of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Match {
    No,
    Maybe,
    Yes,
}

impl Match {
    fn from_bool(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }

    fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Maybe => Self::Maybe,
            Self::Yes => Self::No,
        }
    }
}

impl Selector {
    /// Whether the selector matches the element before the user interacts with the page.
    pub(super) fn matches(&self, element: ElementRef<'_>, budget: &MatchBudget) -> Match {
        let subject = self.subject.matches(element, budget);
        if subject == Match::No || self.before.is_empty() {
            return subject;
        }
        let mut steps = MAX_MATCHING_STEPS;
        subject.min(before(&self.before, element, &mut steps, budget))
    }
}

/// Whether the preceding part of the selector matches the elements before this one in the tree.
fn before(
    parts: &[(Combinator, Compound)],
    element: ElementRef<'_>,
    steps: &mut u32,
    budget: &MatchBudget,
) -> Match {
    let Some(((combinator, compound), further)) = parts.split_first() else {
        return Match::Yes;
    };
    let once = matches!(combinator, Combinator::Child | Combinator::NextSibling);
    let mut best = Match::No;
    let mut current = next(*combinator, element, budget);
    while let Some(candidate) = current {
        if *steps == 0 || budget.is_spent() {
            return best.max(Match::Maybe);
        }
        *steps -= 1;
        let own = compound.matches(candidate, budget);
        if own != Match::No {
            best = best.max(own.min(before(further, candidate, steps, budget)));
        }
        if once || best == Match::Yes {
            break;
        }
        current = next(*combinator, candidate, budget);
    }
    best
}

fn next<'a>(
    combinator: Combinator,
    element: ElementRef<'a>,
    budget: &MatchBudget,
) -> Option<ElementRef<'a>> {
    match combinator {
        Combinator::Child | Combinator::Descendant => element.parent(),
        Combinator::NextSibling | Combinator::LaterSibling => {
            let dom = element.dom();
            let before = std::iter::successors(dom.previous_sibling(element.id()), |id| {
                dom.previous_sibling(*id)
            });
            first_element(dom, before, budget)
        }
    }
}

/// The first element among nodes. If it is behind too many other nodes, the budget is used up.
fn first_element<'a>(
    dom: &'a Dom,
    nodes: impl Iterator<Item = NodeId>,
    budget: &MatchBudget,
) -> Option<ElementRef<'a>> {
    for (passed, id) in (0..).zip(nodes) {
        if let Some(found) = dom.element(id) {
            budget.take(passed, 0);
            return Some(found);
        }
        if passed >= MAX_PASSED {
            budget.spend();
            break;
        }
    }
    None
}

impl Compound {
    fn matches(&self, element: ElementRef<'_>, budget: &MatchBudget) -> Match {
        let mut all = Match::Yes;
        for simple in &self.0 {
            budget.take(1, 0);
            all = all.min(simple.matches(element, budget));
            if all == Match::No {
                break;
            }
        }
        all
    }
}

impl Simple {
    fn matches(&self, element: ElementRef<'_>, budget: &MatchBudget) -> Match {
        match self {
            Self::Tag(name) => Match::from_bool(element.name().eq_ignore_ascii_case(name)),
            Self::Id(id) => Match::from_bool(element.attr("id") == Some(id)),
            Self::Class(class) => {
                let classes = element.attr("class").unwrap_or_default();
                budget.take(0, classes.len());
                Match::from_bool(classes.split_ascii_whitespace().any(|one| one == &**class))
            }
            Self::Attribute {
                name,
                comparison,
                value,
                any_case,
            } => {
                let found = element.attr(name);
                budget.take(0, found.map_or(0, str::len));
                Match::from_bool(found.is_some_and(|found| {
                    if *any_case {
                        // Case-insensitive comparison allocates both strings.
                        budget.take(0, found.len().saturating_mul(8));
                        let (found, value) = (found.to_lowercase(), value.to_lowercase());
                        comparison.holds(&found, &value)
                    } else {
                        comparison.holds(found, value)
                    }
                }))
            }
            Self::Root => Match::from_bool(element.parent().is_none()),
            Self::FirstChild => {
                Match::from_bool(next(Combinator::NextSibling, element, budget).is_none())
            }
            Self::LastChild => {
                let dom = element.dom();
                let later = std::iter::successors(dom.next_sibling(element.id()), |id| {
                    dom.next_sibling(*id)
                });
                Match::from_bool(first_element(dom, later, budget).is_none())
            }
            Self::Not(list) => {
                let any = list.iter().map(|one| one.matches(element, budget)).max();
                any.unwrap_or(Match::No).not()
            }
            Self::Never => Match::No,
            Self::Maybe => Match::Maybe,
        }
    }
}

impl Comparison {
    fn holds(self, found: &str, value: &str) -> bool {
        match self {
            Self::Present => true,
            Self::Equal => found == value,
            Self::Word => found.split_ascii_whitespace().any(|word| word == value),
            Self::Dash => found
                .strip_prefix(value)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
            Self::Prefix => !value.is_empty() && found.starts_with(value),
            Self::Suffix => !value.is_empty() && found.ends_with(value),
            Self::Part => !value.is_empty() && found.contains(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn selects(selector: &str, html: &str) -> Match {
        let page = Page::builder().html(html);
        let selector = Selector::parse(selector).unwrap();
        selector.matches(page.by_id("t").unwrap(), &MatchBudget::default())
    }

    #[test]
    fn compounds_and_combinators_match() {
        let html = "<ul class='a b'><li>x</li> y <li id=t TYPE=Text data-x='p q'><i></i></ul>";
        for selector in [
            "li",
            "LI#t",
            ".a li",
            "body > ul.b > li",
            "li + li",
            "li ~ li",
            "[data-x~=q]",
            "[type='text']",
            "li:last-child",
            "li:not(:first-child):not(.c, #d)",
            ":root li",
            "html body .a > li:not(:hover)",
        ] {
            assert_eq!(selects(selector, html), Match::Yes, "{selector}");
        }
        for selector in [
            "ul > .a",
            ".c li",
            "body > li",
            "i + li",
            "li:hover",
            "[data-x=p]",
        ] {
            assert_eq!(selects(selector, html), Match::No, "{selector}");
        }
    }

    #[test]
    fn unsupported_selectors_are_uncertain() {
        assert_eq!(selects("p:nth-child(2n)", "<p id=t>"), Match::Maybe);
        assert_eq!(selects("p:not(a b)", "<p id=t>"), Match::Maybe);
        assert_eq!(selects("a:nth-child(2n)", "<p id=t>"), Match::No);
    }

    #[test]
    fn long_selectors_on_deep_trees_terminate() {
        let html = format!("{}<p id=t>", "<div>".repeat(300));
        let selector = format!("b {} p", "div ".repeat(40));
        assert_eq!(selects(&selector, &html), Match::Maybe);
    }
}
