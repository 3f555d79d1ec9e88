//! Finds pages without exactly one main landmark.

use crate::aria::AccessTree;
use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::style::Widths;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The page has exactly one `main` element or element with `role="main"`.
    ///
    /// ## Why it matters
    /// Screen reader users jump to the main landmark with one key. Without it, they listen to the header and
    /// the menu of every page.
    ///
    /// ## How to fix it
    /// Enclose the content that is specific to this page in one `main` element: `<main>…</main>`, or `<div
    /// role="main">` where the element cannot change. The header, the menu and the footer stay outside. If the page
    /// has several main landmarks, keep one.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Guide</title><body><nav><a href="/">Home</a></nav><div id="content"><h1>Guide</h1></div></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Guide</title><body><nav><a href="/">Home</a></nav><main id="content"><h1>Guide</h1></main></body></html>
    /// ```
    ///
    /// ## Limits
    /// WCAG does not require the landmark; it is the most common way to bypass repeated content. A
    /// frameset page has no main content and is not evaluated. `semantic-structure` can also report
    /// a long page without `main`.
    ///
    /// ## Also known as
    /// - axe: `landmark-one-main`
    /// - axe: `landmark-no-duplicate-main`
    /// - Lighthouse: `landmark-one-main`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.1 Bypass Blocks (A), technique ARIA11
    /// - HTML Standard, section 4.4.14, the main element
    LANDMARK_MAIN {
        id: "landmark-main",
        title: "Missing or duplicate main landmark",
        dimension: Accessibility,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let has_content = page
        .body()
        .is_some_and(|body| body.children().any(|child| !tree.exposure(child).hidden));
    if !has_content {
        return Outcome::NotApplicable;
    }
    let views = tree.in_widths();
    let found: Vec<_> = views
        .iter()
        .map(|(widths, tree)| (*widths, tree, find(page, tree)))
        .collect();
    let failing = || found.iter().filter(|(.., found)| found.fails());
    let widths = failing().fold(Widths::NONE, |all, (widths, ..)| all.or(*widths));
    // The narrowest failing width stands for all of them.
    if let Some((_, tree, found)) = failing().next() {
        return Outcome::Failed(evidence(page, widths, tree, found).into_iter().collect());
    }
    let is_unknown = |(.., found): &(_, _, Mains<'_>)| matches!(found, Mains::Unknown);
    if found.iter().any(is_unknown) {
        return Outcome::CannotTell(
            "A style may hide one of the main landmarks; this cannot be determined in static mode.",
        );
    }
    Outcome::Passed
}

/// The main landmarks in windows of some widths.
enum Mains<'a> {
    None,
    One,
    Several(Vec<ElementRef<'a>>),
    /// Several, of which a style may hide some.
    Unknown,
}

impl Mains<'_> {
    const fn fails(&self) -> bool {
        matches!(self, Self::None | Self::Several(_))
    }
}

fn find<'a>(page: &'a Page, tree: &AccessTree<'a>) -> Mains<'a> {
    let mains: Vec<_> = page
        .elements_with(Traits::MAIN_PART.or(Traits::ROLE))
        .filter(|element| {
            (element.is("main") || element.has_attr("role"))
                && tree.has_role(*element, "main")
                && !tree.exposure(*element).hidden
        })
        .collect();
    match mains.as_slice() {
        [] => Mains::None,
        [_] => Mains::One,
        [_, others @ ..] if others.iter().any(|main| tree.exposure(*main).uncertain) => {
            Mains::Unknown
        }
        _ => Mains::Several(mains),
    }
}

/// The findings in windows of these widths.
fn evidence<'a>(
    page: &Page,
    widths: Widths,
    tree: &AccessTree<'a>,
    found: &Mains<'a>,
) -> Vec<Evidence> {
    let within = match widths {
        Widths::ALL => String::new(),
        some => format!(" in windows {some} pixels wide"),
    };
    let Mains::Several(mains) = found else {
        return vec![missing(page, &within)];
    };
    let number = mains.len();
    let others = mains.iter().skip(1);
    others
        .map(|main| {
            tree.evidence(*main).message(format!(
                "The page has {number} main landmarks{within}; expected one."
            ))
        })
        .collect()
}

/// The finding for a page that has no main landmark in the windows of the text `within`, which may be empty. It names
/// the element that seems to hold the content of the page.
fn missing(page: &Page, within: &str) -> Evidence {
    let none = format!("The page has no main element and no element with the role main{within}");
    let holder = holder(page);
    match holder {
        Some(element) => Evidence::node(element).message(format!(
            "{none}. The content of the page seems to be in this {} element; expected this element to be a main element, or to be inside one.",
            element.name()
        )),
        None => Evidence::here().message(format!("{none}; expected one main landmark.")),
    }
}

/// The element that seems to hold the content of the page: it has most of the text, and no header, navigation or footer
/// inside.
fn holder(page: &Page) -> Option<ElementRef<'_>> {
    const MOST_LEVELS: usize = 8;
    const MOST_CHILDREN: usize = 50;
    const LEAST_PERCENT: usize = 60;
    let mut current = page.body()?;
    let mut bytes = page.main_text().len();
    for _ in 0..MOST_LEVELS {
        let children = current.children().filter(|child| {
            child.is_html() && matches!(child.name(), "div" | "section" | "article" | "form")
        });
        let (content, fullest) = children
            .take(MOST_CHILDREN)
            .map(|child| (Content::of(page, child), child))
            .max_by_key(|(content, _)| content.bytes)?;
        if content.bytes == 0 || content.bytes * 100 < bytes * LEAST_PERCENT {
            return None;
        }
        if !content.has_surroundings {
            return Some(fullest);
        }
        (current, bytes) = (fullest, content.bytes);
    }
    None
}

/// What an element contains.
#[derive(Debug, Default)]
struct Content {
    /// The bytes of its visible text, without indentation.
    bytes: usize,
    /// Whether it contains a header, navigation or footer.
    has_surroundings: bool,
}

impl Content {
    fn of(page: &Page, element: ElementRef<'_>) -> Self {
        let mut content = Self::default();
        let dom = page.dom();
        let mut walk = dom.descendants(element.id());
        while let Some(id) = walk.next() {
            if let Some(run) = dom.run(id) {
                content.bytes += run.trim_ascii().len();
                continue;
            }
            let Some(inner) = dom.element(id) else {
                continue;
            };
            if page.traits(inner).has(Traits::UNSEEN.or(Traits::HIDDEN)) {
                walk.skip_children(id);
            } else if inner.is_html() && matches!(inner.name(), "header" | "nav" | "footer") {
                content.has_surroundings = true;
                walk.skip_children(id);
            }
        }
        content
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn one_main_passes() {
        assert_passes(&LANDMARK_MAIN, "<main>x</main>");
        assert_passes(&LANDMARK_MAIN, "<div role=main>x</div>");
        assert_passes(&LANDMARK_MAIN, "<main>x</main><main hidden>y</main>");
    }

    #[test]
    fn no_or_several_main_landmarks_fail() {
        assert_fails(&LANDMARK_MAIN, "<p>x", 1);
        assert_fails(&LANDMARK_MAIN, "<main role=region aria-label=y>x</main>", 1);
        assert_fails(&LANDMARK_MAIN, "<main>x</main><div role=main>y</div>", 1);
    }

    #[test]
    fn one_main_in_every_window_width_passes() {
        let css = "<style>.s,.l{display:none}@media(max-width:575px){.s{display:block}}@media(min-width:576px){.l{display:block}}</style>";
        let page = |mains: &str| format!("{css}<p>x</p>{mains}");
        assert_passes(
            &LANDMARK_MAIN,
            &page("<main class=s>x</main><main class=l>y</main>"),
        );
        assert_fails(&LANDMARK_MAIN, &page("<main class=s>x</main>"), 1);
        assert_fails(
            &LANDMARK_MAIN,
            &page("<main>x</main><main class=l>y</main>"),
            1,
        );
        let Outcome::Failed(evidence) = outcome(&LANDMARK_MAIN, &page("<p class=s>x</p>")) else {
            panic!("passed");
        };
        assert!(!evidence[0].message.contains("pixels"));
    }

    #[test]
    fn framesets_and_empty_pages_are_not_applicable() {
        assert_not_applicable(&LANDMARK_MAIN, "<frameset><frame src=a></frameset>");
        assert_not_applicable(&LANDMARK_MAIN, "<script>x</script>");
    }

    #[test]
    fn the_element_with_the_content_is_named() {
        let html = "<div id=all><nav>Home Times</nav><div id=inner><h1>Ferry times</h1><p>The next ferry leaves at noon, and another one at six.</div></div>";
        let Outcome::Failed(evidence) = outcome(&LANDMARK_MAIN, html) else {
            panic!("passed");
        };
        assert_eq!(evidence[0].selector.as_deref(), Some("#inner"));
    }
}
