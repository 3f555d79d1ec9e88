//! Whether a selector selects an element.

use super::selector::{Combinator, Comparison, Compound, Selector, Simple};
use crate::dom::ElementRef;

/// Elements looked at for one selector and one element; beyond it the answer is [`Match::Maybe`].
const MOST_STEPS: u32 = 100;

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
    pub(super) fn matches(&self, element: ElementRef<'_>) -> Match {
        let subject = self.subject.matches(element);
        if subject == Match::No || self.before.is_empty() {
            return subject;
        }
        let mut steps = MOST_STEPS;
        subject.min(before(&self.before, element, &mut steps))
    }
}

/// Whether what stands before an element in the tree is as the selector says.
fn before(parts: &[(Combinator, Compound)], element: ElementRef<'_>, steps: &mut u32) -> Match {
    let Some(((combinator, compound), further)) = parts.split_first() else {
        return Match::Yes;
    };
    let once = matches!(combinator, Combinator::Child | Combinator::NextSibling);
    let mut best = Match::No;
    let mut current = next(*combinator, element);
    while let Some(candidate) = current {
        if *steps == 0 {
            return best.max(Match::Maybe);
        }
        *steps -= 1;
        let own = compound.matches(candidate);
        if own != Match::No {
            best = best.max(own.min(before(further, candidate, steps)));
        }
        if once || best == Match::Yes {
            break;
        }
        current = next(*combinator, candidate);
    }
    best
}

fn next(combinator: Combinator, element: ElementRef<'_>) -> Option<ElementRef<'_>> {
    match combinator {
        Combinator::Child | Combinator::Descendant => element.parent(),
        Combinator::NextSibling | Combinator::LaterSibling => {
            let dom = element.dom();
            let mut sibling = dom.previous_sibling(element.id());
            while let Some(id) = sibling {
                if let Some(found) = dom.element(id) {
                    return Some(found);
                }
                sibling = dom.previous_sibling(id);
            }
            None
        }
    }
}

impl Compound {
    fn matches(&self, element: ElementRef<'_>) -> Match {
        let mut all = Match::Yes;
        for simple in &self.0 {
            all = all.min(simple.matches(element));
            if all == Match::No {
                break;
            }
        }
        all
    }
}

impl Simple {
    fn matches(&self, element: ElementRef<'_>) -> Match {
        match self {
            Self::Tag(name) => Match::of(element.name().eq_ignore_ascii_case(name)),
            Self::Id(id) => Match::of(element.attr("id") == Some(id)),
            Self::Class(class) => {
                let classes = element.attr("class").unwrap_or_default();
                Match::of(classes.split_ascii_whitespace().any(|one| one == &**class))
            }
            Self::Attribute {
                name,
                comparison,
                value,
                any_case,
            } => {
                let found = element.attr(name);
                Match::of(found.is_some_and(|found| {
                    if *any_case {
                        let (found, value) = (found.to_lowercase(), value.to_lowercase());
                        comparison.holds(&found, &value)
                    } else {
                        comparison.holds(found, value)
                    }
                }))
            }
            Self::Root => Match::of(element.parent().is_none()),
            Self::FirstChild => Match::of(next(Combinator::NextSibling, element).is_none()),
            Self::LastChild => {
                let dom = element.dom();
                let later = std::iter::successors(dom.next_sibling(element.id()), |id| {
                    dom.next_sibling(*id)
                });
                let mut elements = later.filter_map(|id| dom.element(id));
                Match::of(elements.next().is_none())
            }
            Self::Not(list) => {
                let any = list.iter().map(|one| one.matches(element)).max();
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
    use crate::page::Page;

    fn selects(selector: &str, html: &str) -> Match {
        let page = Page::builder().html(html);
        let selector = Selector::parse(selector).unwrap();
        selector.matches(page.by_id("t").unwrap())
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
