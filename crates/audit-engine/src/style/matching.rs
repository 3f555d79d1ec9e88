//! Whether a selector matches an element.

use std::sync::atomic::{AtomicU64, Ordering};

use super::selector::{Combinator, Comparison, Compound, Nth, Selector, Simple};
use crate::bounds::style::{MAX_MATCHING_STEPS, MAX_PASSED};
use crate::dom::{Dom, ElementRef, NodeData, NodeId};

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

/// What is known about the siblings and the content of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Siblings {
    /// They are those of the element.
    Known,
    /// They may be any, so that what depends on them may match.
    Any,
}

impl Selector {
    /// Whether the selector matches the element before the user interacts with the page.
    pub(super) fn matches(&self, element: ElementRef<'_>, budget: &MatchBudget) -> Match {
        let mut steps = MAX_MATCHING_STEPS;
        self.matches_with(Siblings::Known, element, &mut steps, budget)
    }

    /// Whether the selector may match an element with this name and these attributes and ancestors, regardless of the
    /// siblings and the content that they all have. `Yes` and `No` are certain.
    pub(super) fn matches_alike(&self, element: ElementRef<'_>, budget: &MatchBudget) -> Match {
        let mut steps = MAX_MATCHING_STEPS;
        self.matches_with(Siblings::Any, element, &mut steps, budget)
    }

    fn matches_with(
        &self,
        siblings: Siblings,
        element: ElementRef<'_>,
        steps: &mut u32,
        budget: &MatchBudget,
    ) -> Match {
        let subject = self.subject.matches(siblings, element, steps, budget);
        if subject == Match::No || self.before.is_empty() {
            return subject;
        }
        subject.min(before(siblings, &self.before, element, steps, budget))
    }
}

/// Whether the preceding part of the selector matches the elements before this one in the tree.
fn before(
    siblings: Siblings,
    parts: &[(Combinator, Compound)],
    element: ElementRef<'_>,
    steps: &mut u32,
    budget: &MatchBudget,
) -> Match {
    let Some(((combinator, compound), further)) = parts.split_first() else {
        return Match::Yes;
    };
    if siblings == Siblings::Any
        && matches!(
            combinator,
            Combinator::NextSibling | Combinator::LaterSibling
        )
    {
        // The sibling has the same parent, so the further parts are about the same ancestors.
        return Match::Maybe.min(before(siblings, further, element, steps, budget));
    }
    let once = matches!(combinator, Combinator::Child | Combinator::NextSibling);
    let mut best = Match::No;
    let mut current = next(*combinator, element, budget);
    while let Some(candidate) = current {
        if *steps == 0 || budget.is_spent() {
            return best.max(Match::Maybe);
        }
        *steps -= 1;
        let own = compound.matches(siblings, candidate, steps, budget);
        if own != Match::No {
            best = best.max(own.min(before(siblings, further, candidate, steps, budget)));
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
    fn matches(
        &self,
        siblings: Siblings,
        element: ElementRef<'_>,
        steps: &mut u32,
        budget: &MatchBudget,
    ) -> Match {
        let mut all = Match::Yes;
        for simple in &self.0 {
            budget.take(1, 0);
            all = all.min(simple.matches(siblings, element, steps, budget));
            if all == Match::No {
                break;
            }
        }
        all
    }
}

impl Simple {
    fn matches(
        &self,
        siblings: Siblings,
        element: ElementRef<'_>,
        steps: &mut u32,
        budget: &MatchBudget,
    ) -> Match {
        let mut any_of = |list: &[Selector]| {
            let mut best = Match::No;
            for selector in list {
                best = best.max(selector.matches_with(siblings, element, steps, budget));
                if best == Match::Yes {
                    break;
                }
            }
            best
        };
        match self {
            Self::FirstChild | Self::LastChild | Self::Nth(_) | Self::Empty
                if siblings == Siblings::Any =>
            {
                Match::Maybe
            }
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
            Self::Nth(nth) => position(*nth, element, budget).map_or(Match::Maybe, |position| {
                Match::from_bool(nth.selects(position))
            }),
            Self::Empty => {
                let dom = element.dom();
                let mut children = dom.children(element.id());
                budget.take(1, 0);
                let mut looked_at = children.by_ref().take(MAX_EMPTY_CHILDREN);
                if looked_at.any(|id| !matches!(dom.data(id), Some(NodeData::Comment(_)))) {
                    Match::No
                } else if children.next().is_none() {
                    Match::Yes
                } else {
                    Match::Maybe
                }
            }
            Self::Link => {
                let is_link = matches!(element.name(), "a" | "area") && element.has_attr("href");
                Match::from_bool(is_link)
            }
            Self::Disabled(wanted) => match disabled(element) {
                None => Match::No,
                Some(found) if *wanted => found,
                Some(found) => found.not(),
            },
            Self::Is { list, .. } => any_of(list),
            Self::Not(list) => any_of(list).not(),
            Self::Never => Match::No,
            Self::Maybe | Self::Unranked => Match::Maybe,
        }
    }
}

/// Whether a control is disabled; none for other elements. Controls in the legend of a disabled `fieldset` are not, so
/// that those in a `fieldset` are uncertain.
fn disabled(element: ElementRef<'_>) -> Option<Match> {
    let is_control = matches!(
        element.name(),
        "button" | "input" | "select" | "textarea" | "option" | "optgroup" | "fieldset"
    );
    if !is_control {
        return None;
    }
    let around = |one: ElementRef<'_>| {
        matches!(one.name(), "fieldset" | "optgroup") && one.has_attr("disabled")
    };
    Some(if element.has_attr("disabled") {
        Match::Yes
    } else {
        let mut outer = element.ancestors();
        let is_inside = outer.by_ref().take(MAX_DISABLING).any(around);
        if is_inside || outer.next().is_some() {
            Match::Maybe
        } else {
            Match::No
        }
    })
}

/// Ancestors that are searched for a disabled `fieldset`. Deeper controls may be disabled.
const MAX_DISABLING: usize = 64;

/// Children that are examined to decide whether an element is empty. Comments before content are rare; after this many
/// of them the result is unknown.
const MAX_EMPTY_CHILDREN: usize = 16;

/// Siblings that are counted to find the position of an element. Behind more of them it is unknown.
const MAX_SIBLINGS: u32 = 200;

/// The position of the element among its siblings, from 1. `None` if it has too many of them.
fn position(nth: Nth, element: ElementRef<'_>, budget: &MatchBudget) -> Option<u32> {
    let dom = element.dom();
    let step = |id| {
        if nth.from_end {
            dom.next_sibling(id)
        } else {
            dom.previous_sibling(id)
        }
    };
    let mut position = 1;
    let mut seen = 0;
    for id in std::iter::successors(step(element.id()), |id| step(*id)) {
        seen += 1;
        if seen > 2 * MAX_SIBLINGS {
            return None;
        }
        let Some(sibling) = dom.element(id) else {
            continue;
        };
        if !nth.of_type || sibling.name() == element.name() {
            position += 1;
        }
        if nth.step == 0 && i64::from(position) > i64::from(nth.offset) {
            break;
        }
        if position > MAX_SIBLINGS {
            return None;
        }
    }
    budget.take(u64::from(seen), 0);
    Some(position)
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
    fn positions_lists_and_states_are_evaluated() {
        let html = "<table><tr><td>a<td>b</table><ul class=b><li class=a><a href=x>y</a><li id=t><button disabled></button></ul>";
        for selector in [
            "li:nth-child(even)",
            "li:nth-child(-n + 2)",
            "li:nth-last-child(1)",
            "li:nth-of-type(2n)",
            "li:last-of-type",
            ":is(p, ul > li)",
            ":where(.b) :not(.a, p > li)",
            "li:not(:disabled):not(:empty)",
            "li:not(:is(:first-child, .c))",
        ] {
            assert_eq!(selects(selector, html), Match::Yes, "{selector}");
        }
        for selector in [
            "li:nth-child(odd)",
            "li:nth-child(3)",
            "li:nth-last-of-type(n + 2)",
            "li:only-child",
            "li:only-of-type",
            "li:enabled",
            "li:link",
            ":is(p, ul > p)",
            "li:not(ul > *)",
            "li:empty",
        ] {
            assert_eq!(selects(selector, html), Match::No, "{selector}");
        }
    }

    #[test]
    fn lists_inside_too_many_others_are_uncertain() {
        let nested = |lists: usize| format!("{}p{}", ":is(".repeat(lists), ")".repeat(lists));
        assert_eq!(selects(&nested(4), "<p id=t>"), Match::Yes);
        assert_eq!(selects(&nested(6), "<p id=t>"), Match::Maybe);
    }

    #[test]
    fn a_position_behind_very_many_siblings_is_uncertain() {
        let html = |before: usize| format!("{}<p id=t>", "<p></p>".repeat(before));
        assert_eq!(selects("p:nth-child(2n)", &html(99)), Match::Yes);
        assert_eq!(selects("p:nth-child(2n)", &html(999)), Match::Maybe);
        assert_eq!(selects("p:first-of-type", &html(999)), Match::No);
    }

    #[test]
    fn an_element_with_very_many_comments_may_be_empty() {
        let html = |comments: usize, end: &str| {
            format!("<i id=t>{}{end}</i>", "<!--c-->".repeat(comments))
        };
        assert_eq!(selects(":empty", &html(MAX_EMPTY_CHILDREN, "")), Match::Yes);
        let text = html(MAX_EMPTY_CHILDREN - 1, "x");
        assert_eq!(selects(":empty", &text), Match::No);
        for end in ["", "x"] {
            let html = html(MAX_EMPTY_CHILDREN + 1, end);
            assert_eq!(selects(":empty", &html), Match::Maybe, "{end}");
        }
    }

    #[test]
    fn a_control_inside_very_many_elements_may_be_disabled() {
        // Behind `html` and `body`.
        let html = |outer: usize| format!("{}<button id=t>", "<div>".repeat(outer));
        let most = MAX_DISABLING - 2;
        assert_eq!(selects(":enabled", &html(most)), Match::Yes);
        assert_eq!(selects(":enabled", &html(most + 1)), Match::Maybe);
        let inside = "<fieldset disabled><button id=t>";
        assert_eq!(selects(":disabled", inside), Match::Maybe);
    }

    #[test]
    fn siblings_may_be_any_for_a_group_of_elements() {
        let page = Page::builder().html("<ul class=a><li id=t>x</ul>");
        let alike = |selector: &str| {
            let selector = Selector::parse(selector).unwrap();
            assert!(selector.depends_on_siblings);
            selector.matches_alike(page.by_id("t").unwrap(), &MatchBudget::default())
        };
        for selector in [
            "li + li",
            ".a > p ~ li",
            "li:first-child",
            "li:not(:nth-child(2))",
        ] {
            assert_eq!(alike(selector), Match::Maybe, "{selector}");
        }
        for selector in ["p + p", ".b > li ~ li", "p:first-child", ".b :last-child"] {
            assert_eq!(alike(selector), Match::No, "{selector}");
        }
    }

    #[test]
    fn unsupported_selectors_are_uncertain() {
        assert_eq!(selects("p:has(a)", "<p id=t>"), Match::Maybe);
        assert_eq!(selects("p:nth-child(2n of .a)", "<p id=t>"), Match::Maybe);
        assert_eq!(selects("a:has(b)", "<p id=t>"), Match::No);
    }

    #[test]
    fn long_selectors_on_deep_trees_terminate() {
        let html = format!("{}<p id=t>", "<div>".repeat(300));
        let selector = format!("b {} p", "div ".repeat(40));
        assert_eq!(selects(&selector, &html), Match::Maybe);
    }
}
