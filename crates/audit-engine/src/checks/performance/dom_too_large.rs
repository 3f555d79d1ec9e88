//! Pages with very many elements.

use crate::check::{Evidence, Failures, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::dom::{ElementRef, NodeId};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// A page has at most 1,500 elements. Its body is at most 32 levels deep, and no element in it has
    /// more than 60 child elements.
    ///
    /// ## Why it matters
    /// The browser computes the layout of every element and paints it, and repeats much of that
    /// work whenever something changes. Very large pages use much memory, and scroll and respond
    /// slowly on phones.
    ///
    /// ## How to fix it
    /// Split the page, paginate long lists and tables, and remove wrapper elements that only serve
    /// layout. The finding names the element with the most children, or the deepest one: start there.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Berths</title><ul>
    /// %repeat 1600 <li>A berth is free.</li>
    /// </ul></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Berths 1 to 20</title><p>Berth 1 is free.</p><p><a href="/berths/2">Berths 21 to 40</a></p></html>
    /// ```
    ///
    /// ## Limits
    /// In static mode, the check does not see elements that scripts add, and does not measure
    /// layout time. The limits are rules of thumb: Lighthouse warns above about 800 elements and
    /// reports an error above about 1,400, and earlier versions also warned above 32 levels and 60
    /// children. A long list or table that visitors read in one go can be right. The body is the
    /// first level. Options of a `select` or `datalist` do not count as children, because the browser
    /// lays out only those that it shows.
    ///
    /// ## Also known as
    /// - Lighthouse: `dom-size-insight`
    /// - Lighthouse: `dom-size`
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Avoid an excessive DOM size
    DOM_TOO_LARGE {
        id: "dom-too-large",
        title: "Excessive DOM size",
        dimension: Performance,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Large,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const MOST_ELEMENTS: usize = 1_500;

/// Levels of elements, of which the body is the first.
const DEEPEST_LEVEL: u32 = 32;

const MOST_CHILDREN: u32 = 60;

fn evaluate(page: &Page) -> Outcome {
    let shape = Shape::of(page);
    let count = page.element_count();
    let mut failures = Failures::default();
    if count > MOST_ELEMENTS {
        failures.push(Evidence::here().message(format!(
            "The page has {} elements; expected at most {}.{}",
            grouped(count),
            grouped(MOST_ELEMENTS),
            growth(page)
        )));
    }
    if let (Some(widest), true) = (shape.widest, shape.children > MOST_CHILDREN) {
        failures.push(located(widest).message(format!(
            "This {} element has {} child elements; expected at most {MOST_CHILDREN}.",
            widest.name(),
            grouped(shape.children)
        )));
    }
    if let (Some(deepest), true) = (shape.deepest, shape.level > DEEPEST_LEVEL) {
        failures.push(located(deepest).message(format!(
            "This {} element is at level {} of the body; expected at most {DEEPEST_LEVEL} levels.",
            deepest.name(),
            grouped(shape.level)
        )));
    }
    Outcome::from_failures(failures)
}

/// How many elements scripts add, if they add a tenth or more.
fn growth(page: &Page) -> String {
    let (served, shown) = (page.as_served().element_count(), page.element_count());
    let added = shown.saturating_sub(served);
    if added * 10 < shown {
        return String::new();
    }
    format!(
        " Scripts add {} of them: the response has {}.",
        grouped(added),
        grouped(served)
    )
}

/// Whether many children of the element cost no layout of boxes: options, of which browsers lay out those that they
/// show, words of highlighted code, which flow as text, and shapes of a drawing.
fn has_cheap_children(element: ElementRef<'_>) -> bool {
    !element.is_html()
        || matches!(
            element.name(),
            "select" | "datalist" | "optgroup" | "code" | "pre"
        )
}

/// Evidence without an excerpt: the element is a large part of the page, or one of many that are alike.
fn located(element: ElementRef<'_>) -> Evidence {
    Evidence {
        selector: element.selector(crate::bounds::MAX_SELECTOR_BYTES),
        line: Some(element.line()),
        ..Evidence::here()
    }
}

/// The extremes of the body: the first element with the most children, and the first at the deepest level.
#[derive(Default)]
struct Shape<'a> {
    widest: Option<ElementRef<'a>>,
    children: u32,
    deepest: Option<ElementRef<'a>>,
    level: u32,
}

impl<'a> Shape<'a> {
    fn of(page: &'a Page) -> Self {
        let mut shape = Self::default();
        // The level and the number of children of each element of the body, by node.
        let mut levels = vec![0_u32; page.dom().len()];
        let mut children = vec![0_u32; page.dom().len()];
        for element in page.elements() {
            let parent = page.dom().parent(element.id()).map(NodeId::index);
            let above = parent.and_then(|parent| levels.get(parent)).copied();
            let level = match above {
                Some(above) if above > 0 => above + 1,
                _ if element.is("body") => 1,
                _ => continue,
            };
            if let Some(own) = levels.get_mut(element.id().index()) {
                *own = level;
            }
            if level > shape.level {
                (shape.level, shape.deepest) = (level, Some(element));
            }
            if let Some(count) = parent.and_then(|parent| children.get_mut(parent)) {
                *count += 1;
            }
        }
        for element in page.elements() {
            let count = children.get(element.id().index()).copied().unwrap_or(0);
            if count > shape.children && !has_cheap_children(element) {
                (shape.children, shape.widest) = (count, Some(element));
            }
        }
        shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome, outcome_shown};

    #[test]
    fn fifteen_hundred_elements_pass_and_one_more_fails() {
        // html, head and body are elements too; each paragraph has 49 children.
        let paragraph = format!("<p>{}</p>", "<br>".repeat(49));
        let rest = |count: usize| format!("<p>{}</p>", "<br>".repeat(count));
        let full = paragraph.repeat(29);
        assert_passes(&DOM_TOO_LARGE, &format!("{full}{}", rest(46)));
        assert_fails(&DOM_TOO_LARGE, &format!("{full}{}", rest(47)), 1);
    }

    #[test]
    fn elements_that_scripts_add_are_counted() {
        let page = |count: usize| {
            format!(
                "<script>x()</script><p>{}</p>",
                "<pre>x</pre>".repeat(count)
            )
        };
        let message = |served: usize| {
            let outcome = outcome_shown(&DOM_TOO_LARGE, &page(served), &page(2_000));
            match outcome {
                Outcome::Failed(failures) => failures[0].message.clone(),
                other => panic!("{other:?}"),
            }
        };
        let told = message(500);
        assert!(
            told.contains("Scripts add 1,500 of them: the response has 50"),
            "{told}"
        );
        assert!(message(1_900).ends_with("at most 1,500."));
    }

    #[test]
    fn sixty_children_pass_and_one_more_fails() {
        assert_passes(&DOM_TOO_LARGE, &format!("<ul>{}</ul>", "<li>x".repeat(60)));
        assert_fails(
            &DOM_TOO_LARGE,
            &format!("<ul>{}</ul>", "<li>x".repeat(61)),
            1,
        );
        assert_fails(&DOM_TOO_LARGE, &"<p>x</p>".repeat(61), 1);
        let options = format!("<select>{}</select>", "<option>x".repeat(200));
        assert_passes(&DOM_TOO_LARGE, &options);
        for (start, part, end) in [
            ("<pre><code>", "<span>x</span>", "</code></pre>"),
            ("<svg><g>", "<path/>", "</g></svg>"),
        ] {
            let html = format!("{start}{}{end}", part.repeat(200));
            assert_passes(&DOM_TOO_LARGE, &html);
        }
        assert_passes(
            &DOM_TOO_LARGE,
            &format!("<head>{}</head>", "<meta>".repeat(200)),
        );
    }

    #[test]
    fn thirty_two_levels_pass_and_one_more_fails() {
        // The body is the first level.
        let deep = |count: usize| format!("{}x", "<div>".repeat(count));
        assert_passes(&DOM_TOO_LARGE, &deep(31));
        assert_fails(&DOM_TOO_LARGE, &deep(32), 1);
        let both = format!("{}<ul>{}", deep(32), "<li>x".repeat(61));
        assert_fails(&DOM_TOO_LARGE, &both, 2);
    }

    #[test]
    fn text_and_comments_are_not_counted() {
        assert_passes(&DOM_TOO_LARGE, &"a<!-- b -->".repeat(5_000));
    }

    #[test]
    fn the_widest_element_is_named() {
        let html = format!("<ul id=list>{}</ul>", "<li>x".repeat(2_000));
        let Outcome::Failed(evidence) = outcome(&DOM_TOO_LARGE, &html) else {
            panic!("passed");
        };
        assert_eq!(evidence.len(), 2);
        assert_eq!(evidence[1].selector.as_deref(), Some("#list"));
    }
}
