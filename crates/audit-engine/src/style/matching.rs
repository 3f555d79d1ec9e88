//! Whether a selector selects an element.

use std::sync::atomic::{AtomicU64, Ordering};

use super::selector::{Combinator, Comparison, Compound, Selector, Simple};
use crate::bounds::style::{MAX_MATCHING_STEPS, MAX_PASSED};
use crate::dom::{Dom, ElementRef, NodeId};

/// How much looking selectors and styles of one page are worth. A step is some ten nanoseconds; real pages take
/// a hundredth of all.
#[derive(Debug)]
pub(super) struct Work(AtomicU64);

impl Default for Work {
    fn default() -> Self {
        Self(AtomicU64::new(20_000_000))
    }
}

impl Work {
    /// Counts steps of work, and one more for every 32 bytes that are compared.
    pub(super) fn take(&self, steps: u64, bytes: usize) {
        let bytes = u64::try_from(bytes / 32).unwrap_or(u64::MAX);
        let all = steps.saturating_add(bytes);
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(all), Ordering::Relaxed);
    }

    /// Whether nothing is left, so that nothing more is certain.
    pub(super) fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    fn spend(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// What is known of a selector and an element, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Match {
    No,
    Maybe,
    Yes,
}

impl Match {
    fn of(holds: bool) -> Self {
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
    /// Whether the selector selects the element before anybody acts on the page.
    pub(super) fn matches(&self, element: ElementRef<'_>, work: &Work) -> Match {
        let subject = self.subject.matches(element, work);
        if subject == Match::No || self.before.is_empty() {
            return subject;
        }
        let mut steps = MAX_MATCHING_STEPS;
        subject.min(before(&self.before, element, &mut steps, work))
    }
}

/// Whether what stands before an element in the tree is as the selector says.
fn before(
    parts: &[(Combinator, Compound)],
    element: ElementRef<'_>,
    steps: &mut u32,
    work: &Work,
) -> Match {
    let Some(((combinator, compound), further)) = parts.split_first() else {
        return Match::Yes;
    };
    let once = matches!(combinator, Combinator::Child | Combinator::NextSibling);
    let mut best = Match::No;
    let mut current = next(*combinator, element, work);
    while let Some(candidate) = current {
        if *steps == 0 || work.is_spent() {
            return best.max(Match::Maybe);
        }
        *steps -= 1;
        let own = compound.matches(candidate, work);
        if own != Match::No {
            best = best.max(own.min(before(further, candidate, steps, work)));
        }
        if once || best == Match::Yes {
            break;
        }
        current = next(*combinator, candidate, work);
    }
    best
}

fn next<'a>(
    combinator: Combinator,
    element: ElementRef<'a>,
    work: &Work,
) -> Option<ElementRef<'a>> {
    match combinator {
        Combinator::Child | Combinator::Descendant => element.parent(),
        Combinator::NextSibling | Combinator::LaterSibling => {
            let dom = element.dom();
            let before = std::iter::successors(dom.previous_sibling(element.id()), |id| {
                dom.previous_sibling(*id)
            });
            first_element(dom, before, work)
        }
    }
}

/// The first element among nodes. Where too many others stand before it, nothing more is certain.
fn first_element<'a>(
    dom: &'a Dom,
    nodes: impl Iterator<Item = NodeId>,
    work: &Work,
) -> Option<ElementRef<'a>> {
    for (passed, id) in (0..).zip(nodes) {
        if let Some(found) = dom.element(id) {
            work.take(passed, 0);
            return Some(found);
        }
        if passed >= MAX_PASSED {
            work.spend();
            break;
        }
    }
    None
}

impl Compound {
    fn matches(&self, element: ElementRef<'_>, work: &Work) -> Match {
        let mut all = Match::Yes;
        for simple in &self.0 {
            work.take(1, 0);
            all = all.min(simple.matches(element, work));
            if all == Match::No {
                break;
            }
        }
        all
    }
}

impl Simple {
    fn matches(&self, element: ElementRef<'_>, work: &Work) -> Match {
        match self {
            Self::Tag(name) => Match::of(element.name().eq_ignore_ascii_case(name)),
            Self::Id(id) => Match::of(element.attr("id") == Some(id)),
            Self::Class(class) => {
                let classes = element.attr("class").unwrap_or_default();
                work.take(0, classes.len());
                Match::of(classes.split_ascii_whitespace().any(|one| one == &**class))
            }
            Self::Attribute {
                name,
                comparison,
                value,
                any_case,
            } => {
                let found = element.attr(name);
                work.take(0, found.map_or(0, str::len));
                Match::of(found.is_some_and(|found| {
                    if *any_case {
                        // Both are written anew.
                        work.take(0, found.len().saturating_mul(8));
                        let (found, value) = (found.to_lowercase(), value.to_lowercase());
                        comparison.holds(&found, &value)
                    } else {
                        comparison.holds(found, value)
                    }
                }))
            }
            Self::Root => Match::of(element.parent().is_none()),
            Self::FirstChild => Match::of(next(Combinator::NextSibling, element, work).is_none()),
            Self::LastChild => {
                let dom = element.dom();
                let later = std::iter::successors(dom.next_sibling(element.id()), |id| {
                    dom.next_sibling(*id)
                });
                Match::of(first_element(dom, later, work).is_none())
            }
            Self::Not(list) => {
                let any = list.iter().map(|one| one.matches(element, work)).max();
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
        selector.matches(page.by_id("t").unwrap(), &Work::default())
    }

    #[test]
    fn compounds_and_combinators_select() {
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
    fn what_is_not_read_is_unknown() {
        assert_eq!(selects("p:nth-child(2n)", "<p id=t>"), Match::Maybe);
        assert_eq!(selects("p:not(a b)", "<p id=t>"), Match::Maybe);
        assert_eq!(selects("a:nth-child(2n)", "<p id=t>"), Match::No);
    }

    #[test]
    fn long_selectors_on_deep_trees_end() {
        let html = format!("{}<p id=t>", "<div>".repeat(300));
        let selector = format!("b {} p", "div ".repeat(40));
        assert_eq!(selects(&selector, &html), Match::Maybe);
    }
}
