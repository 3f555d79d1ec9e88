//! Pages with very many elements.

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// A page has at most 1,500 elements.
    ///
    /// ## Why it matters
    /// The browser computes the layout of every element and paints it, and repeats much of that
    /// work whenever something changes. Very large pages use much memory, and scroll and respond
    /// slowly on phones.
    ///
    /// ## How to fix it
    /// Split the page, paginate long lists and tables, and remove wrapper elements that only serve
    /// layout. If one element has a large share of the page's elements as its children, the finding
    /// names it: start there.
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
    /// layout time. The limit of 1,500 elements is Assay's own; Lighthouse warns above about 800
    /// elements and reports an error above about 1,400.
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

fn evaluate(page: &Page) -> Outcome {
    let count = page.element_count();
    Outcome::pass_if(count <= MOST_ELEMENTS, || {
        let (widest, children) = widest(page);
        let message = format!(
            "The page has {} elements; expected at most {}.",
            grouped(count),
            grouped(MOST_ELEMENTS)
        );
        // An element with a small share of the page is not worth naming.
        let large_part = usize::try_from(children).is_ok_and(|children| children >= count / 4);
        match widest.filter(|_| large_part) {
            None => Evidence::here().message(message),
            Some(element) => Evidence {
                selector: element.selector(crate::bounds::MAX_SELECTOR_BYTES),
                line: Some(element.line()),
                ..Evidence::here()
            }
            .message(format!(
                "{message} This element alone has {} children.",
                grouped(children)
            )),
        }
    })
}

/// The first element with the most children, and its number of children.
fn widest(page: &Page) -> (Option<ElementRef<'_>>, u32) {
    let mut children = vec![0_u32; page.dom().len()];
    let parents = page
        .elements()
        .filter_map(|child| page.dom().parent(child.id()));
    for parent in parents {
        if let Some(count) = children.get_mut(parent.index()) {
            *count += 1;
        }
    }
    let mut widest = (None, 0);
    for element in page.elements() {
        let count = children.get(element.id().index()).copied().unwrap_or(0);
        if count > widest.1 {
            widest = (Some(element), count);
        }
    }
    widest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome};

    #[test]
    fn fifteen_hundred_elements_pass_and_one_more_fails() {
        // html, head and body are elements too.
        assert_passes(&DOM_TOO_LARGE, &"<br>".repeat(1_497));
        assert_fails(&DOM_TOO_LARGE, &"<br>".repeat(1_498), 1);
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
        assert_eq!(evidence[0].selector.as_deref(), Some("#list"));
    }
}
