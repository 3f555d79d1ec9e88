//! Finds skipped heading levels.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::common::text::prose;
use crate::declare_check;
use crate::dom::{ElementRef, NodeData, NodeId};
use crate::page::Traits;
use crate::style::Widths;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No heading is more than one level below the previous heading. The heading of a section that
    /// ends before the next heading, such as a note, is ignored if the next heading fits the
    /// heading before that section.
    ///
    /// ## Why it matters
    /// Screen reader users navigate from heading to heading and read the levels as the structure of the page.
    /// A skipped level looks like a missing section.
    ///
    /// ## How to fix it
    /// Choose the heading level by the document structure, not by the font size: an `h3` belongs below an
    /// `h2`. Change the font size with a style sheet.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Guide</title><h1>Guide</h1><h3>Installation</h3></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Guide</title><h1>Guide</h1><h2>Installation</h2></html>
    /// ```
    ///
    /// ## Limits
    /// The first heading may have any level, and levels may go up by any number. WCAG does not prohibit
    /// skipped levels; this check reports a best practice.
    ///
    /// ## Also known as
    /// - axe: `heading-order`
    /// - Lighthouse: `heading-order`
    /// - WAVE: Skipped heading level
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.3.1 Info and Relationships (A), technique G141
    HEADING_ORDER {
        id: "heading-order",
        title: "Heading levels skipped",
        dimension: Accessibility,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Most sections, and most siblings of an element, that are examined.
const MAX_SECTIONS: usize = 16;

/// Longest excerpt of the previous heading, in characters.
const MAX_EXCERPT_CHARS: usize = 60;

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    // The visible headings before the current one, in each window width.
    let mut views: Vec<View<'_>> = tree
        .in_widths()
        .into_iter()
        .map(|(widths, tree)| View {
            widths,
            tree,
            before: Vec::new(),
        })
        .collect();
    let headings = page
        .elements_with(Traits::HEADING.or(Traits::ROLE))
        .filter_map(|element| {
            let level = level(&tree, element)?;
            tree.is_exposed(element).then_some((level, element))
        });
    Outcome::for_each(headings, |(level, heading)| {
        let mut failed: Option<(Widths, String)> = None;
        let mut is_unknown = false;
        for view in &mut views {
            match view.skips(level, heading) {
                Skipped::No => {}
                Skipped::Unknown => is_unknown = true,
                Skipped::After(last, previous) => {
                    let new = || (Widths::NONE, message(level, last, previous));
                    let (widths, _) = failed.get_or_insert_with(new);
                    *widths = widths.or(view.widths);
                }
            }
        }
        match failed {
            Some((widths, message)) => tree.failure_in(widths, heading, message),
            None if is_unknown => Verdict::CannotTell(
                "A style may hide the previous heading; this cannot be determined in static mode.",
            ),
            None => Verdict::Pass,
        }
    })
}

/// The headings in windows of some widths.
struct View<'a> {
    widths: Widths,
    tree: AccessTree<'a>,
    /// The visible headings before the current one, with their levels.
    before: Vec<(u32, ElementRef<'a>)>,
}

/// Whether a heading skips a level.
enum Skipped<'a> {
    No,
    /// The previous heading may be hidden.
    Unknown,
    /// After the previous heading of this level.
    After(u32, ElementRef<'a>),
}

impl<'a> View<'a> {
    fn skips(&mut self, level: u32, heading: ElementRef<'a>) -> Skipped<'a> {
        if !self.tree.is_exposed(heading) {
            return Skipped::No;
        }
        let last = self.before.last().copied();
        let fits = fits(level, heading, &self.before);
        self.before.push((level, heading));
        match last {
            Some((_, previous)) if !fits && self.tree.exposure(previous).uncertain => {
                Skipped::Unknown
            }
            Some((last, previous)) if !fits => Skipped::After(last, previous),
            _ => Skipped::No,
        }
    }
}

fn message(level: u32, last: u32, previous: ElementRef<'_>) -> String {
    let text = previous.text();
    let named = match prose::excerpt(&text, 0, MAX_EXCERPT_CHARS) {
        text if text.is_empty() => String::new(),
        text => format!(" (\"{text}\")"),
    };
    format!(
        "A heading of level {level} follows a heading of level {last}{named}; expected at most level {}.",
        last.saturating_add(1)
    )
}

/// Whether a heading is at most one level below the previous heading. The heading of a section that is
/// closed before this one, such as a note, is ignored if this one fits the heading before that section.
fn fits(level: u32, heading: ElementRef<'_>, before: &[(u32, ElementRef<'_>)]) -> bool {
    for (index, (last, previous)) in before.iter().rev().take(MAX_SECTIONS).enumerate() {
        if level <= last.saturating_add(1) {
            return true;
        }
        let ended = section_of(*previous)
            .is_some_and(|section| !heading.ancestors().any(|up| up == section));
        if !ended || index + 1 == before.len() {
            return false;
        }
    }
    before.is_empty()
}

/// The nearest ancestor of a heading that contains more than the heading.
fn section_of(heading: ElementRef<'_>) -> Option<ElementRef<'_>> {
    let mut inner = heading;
    for parent in heading.ancestors() {
        if !matches!(parent.name(), "header" | "hgroup") && has_sibling(inner) {
            return Some(parent);
        }
        inner = parent;
    }
    None
}

fn has_sibling(element: ElementRef<'_>) -> bool {
    let dom = element.dom();
    let has_content = |id: NodeId| match dom.data(id) {
        Some(NodeData::Text(text)) => !text.trim().is_empty(),
        Some(NodeData::Element(_)) => true,
        _ => false,
    };
    std::iter::successors(dom.next_sibling(element.id()), |id| dom.next_sibling(*id))
        .take(MAX_SECTIONS)
        .any(has_content)
        || std::iter::successors(dom.previous_sibling(element.id()), |id| {
            dom.previous_sibling(*id)
        })
        .take(MAX_SECTIONS)
        .any(has_content)
}

/// The level of a heading; none for other elements.
fn level<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> Option<u32> {
    let native = match element.name() {
        "h1" => Some(1),
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" => Some(4),
        "h5" => Some(5),
        "h6" => Some(6),
        _ => None,
    }
    .filter(|_| element.is_html());
    if (native.is_none() && !element.has_attr("role")) || !tree.has_role(element, "heading") {
        return None;
    }
    element
        .attr("aria-level")
        .and_then(|level| level.trim().parse().ok())
        .filter(|level| *level >= 1)
        .or(native)
        .or(Some(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn one_level_down_and_any_number_up_pass() {
        assert_passes(&HEADING_ORDER, "<h1>a</h1><h2>b</h2><h3>c</h3><h2>d</h2>");
        assert_passes(&HEADING_ORDER, "<h2>a</h2><h3>b</h3><h1>c</h1>");
    }

    #[test]
    fn each_skipped_level_is_a_finding() {
        assert_fails(&HEADING_ORDER, "<h1>a</h1><h3>b</h3><h6>c</h6>", 2);
    }

    #[test]
    fn headings_of_closed_sections_are_ignored() {
        let tip = "<div class=tip><h3>Tip</h3><p>x</div>";
        let title = "<div class=titlepage><div><div><h5>c</h5></div></div></div>";
        let page = |tips: &str| {
            format!(
                "<h1>t</h1><h2>a</h2><h3>a</h3><div><h4>b</h4><p>x{tips}<div>{title}<p>y</div></div>"
            )
        };
        assert_passes(&HEADING_ORDER, &page(tip));
        assert_passes(&HEADING_ORDER, &page(&tip.repeat(2)));
    }

    #[test]
    fn headings_of_open_sections_count() {
        let parts = "<h1>t</h1><h2>a</h2><h3>b</h3><h4>c</h4>";
        assert_fails(&HEADING_ORDER, &format!("{parts}<h2>d</h2><h4>e</h4>"), 1);
        let section = "<section><header><h2>d</h2></header><p>x<div><h4>e</h4><p>y</div></section>";
        assert_fails(&HEADING_ORDER, &format!("{parts}{section}"), 1);
        let first = "<div><h1>a</h1><p>x</div><div><h3>b</h3></div>";
        assert_fails(&HEADING_ORDER, first, 1);
    }

    #[test]
    fn the_message_quotes_the_previous_heading() {
        let Outcome::Failed(evidence) = outcome(&HEADING_ORDER, "<h2>Set <b>up</b></h2><h4>b</h4>")
        else {
            panic!("passed");
        };
        assert_eq!(
            evidence[0].message,
            "A heading of level 4 follows a heading of level 2 (\"Set up\"); expected at most level 3."
        );
    }

    #[test]
    fn aria_level_counts() {
        assert_fails(
            &HEADING_ORDER,
            "<h1>a</h1><div role=heading aria-level=3>b</div>",
            1,
        );
        assert_passes(&HEADING_ORDER, "<h1>a</h1><h4 aria-level=2>b</h4>");
        assert_passes(&HEADING_ORDER, "<h1>a</h1><div role=heading>b</div>");
    }

    #[test]
    fn headings_are_compared_in_every_window_width() {
        let css = "<style>.none{display:none}@media(min-width:576px){.sm-block{display:block}.sm-none{display:none}}</style>";
        let small = "<h4 class=sm-none>b</h4>";
        let Outcome::Failed(evidence) =
            outcome(&HEADING_ORDER, &format!("{css}<h1>a</h1>{small}<h2>c</h2>"))
        else {
            panic!("passed");
        };
        assert!(
            evidence[0]
                .message
                .ends_with("This is so in windows 360 pixels wide.")
        );
        // The heading before it is visible in other widths only.
        let large = "<h2 class='none sm-block'>b</h2>";
        assert_fails(
            &HEADING_ORDER,
            &format!("{css}<h1>a</h1>{large}<h3>c</h3>"),
            1,
        );
        assert_passes(&HEADING_ORDER, &format!("{css}<h3>a</h3>{large}{small}"));
    }

    #[test]
    fn hidden_headings_do_not_count() {
        assert_passes(&HEADING_ORDER, "<h1>a</h1><h4 hidden>b</h4><h2>c</h2>");
        assert_passes(&HEADING_ORDER, "<h1>a</h1><h4 role=none>b</h4><h2>c</h2>");
        assert_not_applicable(&HEADING_ORDER, "<p>x");
    }
}
