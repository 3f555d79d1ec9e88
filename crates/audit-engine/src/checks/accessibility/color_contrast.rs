//! Text stands out from what it stands on.

use std::collections::HashSet;

use crate::aria::AccessTree;
use crate::aria::focus::{is_disabled, is_focusable};
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeData, NodeId};
use crate::page::Traits;
use crate::style::{Color, Paint, Styles};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Text whose colour stands in a `style` attribute has a contrast of at least 4.5:1 with what it stands on,
    /// or of 3:1 where it is large: 24 px, or 18.66 px in bold.
    ///
    /// ## Why it matters
    /// Text that hardly stands out cannot be read by people with low vision, nor by anybody in the sun.
    ///
    /// ## How to fix it
    /// Make the text darker or what it stands on lighter, or the other way around, until the contrast is reached.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>News</title><p style="color: #aaa; background: #fff">The museum reopens in May.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>News</title><p style="color: #595959; background: #fff">The museum reopens in May.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Without a browser only text is judged of which everything is written in the page: pages with linked
    /// style sheets, images, gradients, shadows, transparency and elements laid over others are left out. Text of less than
    /// a word, and that of controls that are disabled, is none that has to be read.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.4.3 Contrast (Minimum) (AA)
    /// - W3C ACT rule afw4f7, Text has minimum contrast
    /// - W3C ACT rule 09o5cg, Text has enhanced contrast, for contrasts below the minimum
    COLOR_CONTRAST {
        id: "color-contrast",
        title: "Text that hardly stands out from what it stands on",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const LEAST: f64 = 4.5;
const LEAST_FOR_LARGE: f64 = 3.0;

/// Sizes in pixels from which text is large, and so where it is bold.
const LARGE: f64 = 24.0;
const LARGE_IN_BOLD: f64 = 18.66;

/// Of text that stands deeper nothing is known.
const MOST_ANCESTORS: usize = 64;

/// Nodes looked at for the text of one element.
const MOST_NODES: usize = 500;

/// Why a contrast is not known.
const UNKNOWN: &str = "Only a browser can tell what the text stands on.";

fn evaluate(page: &Page) -> Outcome {
    let colored = |element: &ElementRef<'_>| {
        let style = element.attr("style").unwrap_or_default();
        element.is_html() && style.to_ascii_lowercase().contains("color")
    };
    let mut texts = page
        .elements_with(Traits::STYLED)
        .filter(colored)
        .peekable();
    if texts.peek().is_none() {
        return Outcome::NotApplicable;
    }
    if !page.styles().is_all_in_page() {
        return Outcome::CannotTell(UNKNOWN);
    }
    let styles = &page.contrast_styles();
    if has_layers(page, styles) {
        return Outcome::CannotTell(UNKNOWN);
    }
    let tree = page.access_tree();
    let inactive = inactive(&tree);
    let judged = texts.filter_map(|element| {
        let color = styles.text_color(element).ok().flatten()?;
        if element.ancestors().nth(MOST_ANCESTORS).is_some() {
            // What it stands on is not looked for.
            return Some((element, Paint::Other));
        }
        let is_read = tree.is_exposed(element)
            && !is_inactive(element, &inactive)
            && has_words(&tree, styles, element);
        is_read.then_some((element, color))
    });
    Outcome::for_each(judged, |(element, color)| {
        judge(&tree, styles, element, color)
    })
}

fn judge<'a>(
    tree: &AccessTree<'a>,
    styles: &Styles,
    element: ElementRef<'a>,
    color: Paint,
) -> Verdict {
    let (Paint::Color(color), Some(ground)) = (color, ground(styles, element)) else {
        return Verdict::CannotTell(UNKNOWN);
    };
    let contrast = color.contrast(ground);
    let least = match styles.font_size(element) {
        Some(size) if size >= LARGE => LEAST_FOR_LARGE,
        Some(size) if size >= LARGE_IN_BOLD && may_be_bold(styles, element) => LEAST_FOR_LARGE,
        Some(_) => LEAST,
        None if (LEAST_FOR_LARGE..LEAST).contains(&contrast) => {
            return Verdict::CannotTell("Only a browser can tell how large the text is.");
        }
        None => LEAST_FOR_LARGE,
    };
    if contrast >= least {
        return Verdict::Pass;
    }
    // Rounded down, so that what is short of the least is not said to reach it.
    let shown = (contrast * 100.0).floor() / 100.0;
    tree.failure(
        element,
        format!("The text has a contrast of {shown}:1 ({color} on {ground}); expected at least {least}:1."),
    )
}

/// Whether something in the page may lie over or behind other things than its ancestors.
fn has_layers(page: &Page, styles: &Styles) -> bool {
    styles.have_layers()
        || page
            .elements_with(Traits::STYLED)
            .any(|element| styles.is_layer(element))
        || page.meta("color-scheme").is_some()
}

/// The colour that the element's text stands on.
fn ground(styles: &Styles, element: ElementRef<'_>) -> Option<Color> {
    for current in std::iter::once(element).chain(element.ancestors()) {
        match styles.background(current).ok()? {
            Some(Paint::Nothing) => {}
            Some(Paint::Color(color)) => return Some(color),
            Some(Paint::Other) => return None,
            None if paints_itself(current) => return None,
            None => {}
        }
    }
    Some(Color::WHITE)
}

/// Elements that browsers give a ground, or whose attributes do.
fn paints_itself(element: ElementRef<'_>) -> bool {
    !element.is_html()
        || element.has_attr("bgcolor")
        || element.has_attr("background")
        || matches!(
            element.name(),
            "button" | "input" | "select" | "textarea" | "mark" | "dialog" | "meter" | "progress"
        )
}

fn may_be_bold(styles: &Styles, element: ElementRef<'_>) -> bool {
    std::iter::once(element)
        .chain(element.ancestors())
        .any(|current| {
            styles.may_declare_font_weight(current)
                || matches!(current.name(), "b" | "strong" | "th")
        })
}

/// Whether the element shows a word in its own colour.
fn has_words<'a>(tree: &AccessTree<'a>, styles: &Styles, element: ElementRef<'a>) -> bool {
    let dom = element.dom();
    let mut walk = dom.descendants(element.id());
    let mut left = MOST_NODES;
    while let Some(id) = walk.next() {
        if let Some(NodeData::Text(run)) = dom.data(id) {
            let mut words = run.split(|c: char| !c.is_alphabetic());
            if words.any(|word| word.chars().nth(2).is_some()) {
                return true;
            }
        } else if let Some(inner) = dom.element(id) {
            // Links and controls have a colour of their own.
            let is_other = !tree.is_exposed(inner)
                || is_focusable(inner)
                || paints_itself(inner)
                || inner.has_attr("color")
                || styles.may_restyle_text(inner);
            if is_other {
                walk.skip_children(id);
            }
        }
        left -= 1;
        if left == 0 {
            return false;
        }
    }
    false
}

/// Elements that name a control that is disabled.
fn inactive<'a>(tree: &AccessTree<'a>) -> HashSet<NodeId> {
    let mut found = HashSet::new();
    let page = tree.page();
    for control in page.elements_with(Traits::FIELD.or(Traits::BUTTON).or(Traits::ARIA)) {
        if !is_disabled(control) && !control.attr_is("aria-disabled", "true") {
            continue;
        }
        found.extend(tree.labels_of(control).map(ElementRef::id));
        found.extend(
            tree.referents(control, "aria-labelledby")
                .map(ElementRef::id),
        );
    }
    found
}

fn is_inactive(element: ElementRef<'_>, inactive: &HashSet<NodeId>) -> bool {
    std::iter::once(element)
        .chain(element.ancestors())
        .any(|current| {
            inactive.contains(&current.id())
                || is_disabled(current)
                || current.attr_is("aria-disabled", "true")
                || (current.is("fieldset") && current.has_attr("disabled"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn text_that_stands_out_passes() {
        for style in [
            "color:#767676",
            "color:#eee;background-color:#333",
            "color:#949494;font-size:24px",
            "color:#949494;font-size:14pt;font-weight:700",
        ] {
            assert_passes(&COLOR_CONTRAST, &format!("<p style='{style}'>Some text"));
        }
    }

    #[test]
    fn text_that_hardly_stands_out_fails() {
        for html in [
            "<p style='color:#777;background:#eee'>Some text",
            "<button style='color:#777;background:#eee'>Some text</button>",
            "<div style='background:#fff'><p style='color:#787878'><b>Some</b> text</p></div>",
            "<style>body{background:black}</style><p style='color:#333'>Some text",
            "<h2 style='color:#aaa'>Some text</h2>",
        ] {
            assert_fails(&COLOR_CONTRAST, html, 1);
        }
    }

    #[test]
    fn what_only_a_browser_sees_is_not_guessed_at() {
        for html in [
            "<link rel=stylesheet href=x><p style='color:#aaa'>Some text",
            "<p style='color:#aaa;background:url(x)'>Some text",
            "<p style='color:#aaa;text-shadow:0 0 1px #000'>Some text",
            "<p style='color:rgba(0,0,0,.2)'>Some text",
            "<h2 style='color:#888'>Some text</h2>",
            "<button style='color:#aaa'>Some text</button>",
            "<style>@media(hover){p{background:#000}}</style><p style='color:#aaa'>Some text",
            "<i style='position:absolute'></i><p style='color:#aaa'>Some text",
        ] {
            let outcome = outcome(&COLOR_CONTRAST, html);
            assert!(
                matches!(outcome, Outcome::CannotTell(_)),
                "{html}: {outcome:?}"
            );
        }
    }

    #[test]
    fn text_that_need_not_be_read_is_not_judged() {
        for html in [
            "<p style='color:#aaa' hidden>Some text",
            "<p style='color:#aaa' aria-hidden=true>Some text",
            "<p style='color:#aaa'>---- X 5%",
            "<p style='color:#aaa'><font color=black>Some text</font>",
            "<button disabled style='color:#aaa;background:#fff'>Some text</button>",
            "<label style='color:#aaa'>Some text<input disabled></label>",
            "<div aria-disabled=true><p style='color:#aaa'>Some text</div>",
            "<p style='color:#aaa'><a href=x>Some text</a></p>",
            "<p>Some text",
        ] {
            assert_not_applicable(&COLOR_CONTRAST, html);
        }
    }
}
