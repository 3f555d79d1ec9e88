//! Finds text with insufficient color contrast.

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
    /// Text whose `style` attribute sets its color has a contrast ratio of at least 4.5:1 against its
    /// background. Large text, from 24 px or from 18.66 px in bold, needs at least 3:1.
    ///
    /// ## Why it matters
    /// Users with low vision cannot read text with low contrast. In bright sunlight, other users cannot read
    /// it either.
    ///
    /// ## How to fix it
    /// Use the text color that is proposed for each element, or change its background, until the contrast ratio is
    /// reached. Only colors in the `style` attribute are judged here; move them to a style sheet to change them once.
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
    /// The check evaluates text only if all its styles are in the page. It does not evaluate pages
    /// with linked style sheets, and text with images, gradients, shadows, transparency or
    /// overlapping elements. It excludes two kinds of text: text without a word of three letters,
    /// because it may be an icon, and the text of disabled controls, for which WCAG requires no
    /// contrast.
    ///
    /// ## Also known as
    /// - axe: `color-contrast`
    /// - Lighthouse: `color-contrast`
    /// - WAVE: Very low contrast
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.4.3 Contrast (Minimum) (AA)
    /// - W3C ACT rule afw4f7, Text has minimum contrast
    /// - W3C ACT rule 09o5cg, Text has enhanced contrast, for contrasts below the minimum
    COLOR_CONTRAST {
        id: "color-contrast",
        title: "Insufficient color contrast",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const MIN_RATIO: f64 = 4.5;
const MIN_RATIO_LARGE: f64 = 3.0;

/// Sizes in pixels from which text is large, for normal and for bold text.
const LARGE_SIZE: f64 = 24.0;
const LARGE_SIZE_BOLD: f64 = 18.66;

/// The background of text that is nested deeper is unknown.
const MAX_ANCESTORS: usize = 64;

/// Most nodes searched for the text of one element.
const MAX_NODES: usize = 500;

/// Why a contrast ratio is unknown.
const UNKNOWN: &str = "The background of the text cannot be determined in static mode.";

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
    let candidates = texts.filter_map(|element| {
        let color = styles.text_color(element).ok().flatten()?;
        if element.ancestors().nth(MAX_ANCESTORS).is_some() {
            // The background of deeply nested text is not searched.
            return Some((element, Paint::Other));
        }
        let needs_contrast = tree.is_exposed(element)
            && !is_inactive(element, &inactive)
            && has_words(&tree, styles, element);
        needs_contrast.then_some((element, color))
    });
    Outcome::for_each(candidates, |(element, color)| {
        evaluate_text(&tree, styles, element, color)
    })
}

fn evaluate_text<'a>(
    tree: &AccessTree<'a>,
    styles: &Styles,
    element: ElementRef<'a>,
    color: Paint,
) -> Verdict {
    let (Paint::Color(color), Some(background)) = (color, background_color(styles, element)) else {
        return Verdict::CannotTell(UNKNOWN);
    };
    let contrast = color.contrast(background);
    let minimum = match styles.font_size(element) {
        Some(size) if size >= LARGE_SIZE => MIN_RATIO_LARGE,
        Some(size) if size >= LARGE_SIZE_BOLD && may_be_bold(styles, element) => MIN_RATIO_LARGE,
        Some(_) => MIN_RATIO,
        None if (MIN_RATIO_LARGE..MIN_RATIO).contains(&contrast) => {
            return Verdict::CannotTell(
                "The font size of the text cannot be determined in static mode.",
            );
        }
        None => MIN_RATIO_LARGE,
    };
    if contrast >= minimum {
        return Verdict::Pass;
    }
    // Rounded down, so that a ratio below the minimum is not shown as the minimum.
    let shown = (contrast * 100.0).floor() / 100.0;
    tree.failure(
        element,
        format!(
            "The text has a contrast ratio of {shown}:1 ({color} on {background}); expected at least {minimum}:1, for example with the text color {}.",
            color.with_contrast(background, minimum)
        ),
    )
}

/// Whether an element may overlap elements that are not its ancestors.
fn has_layers(page: &Page, styles: &Styles) -> bool {
    styles.have_layers()
        || page
            .elements_with(Traits::STYLED)
            .any(|element| styles.is_layer(element))
        || page.meta("color-scheme").is_some()
}

/// The background color of the element's text; none if it is unknown.
fn background_color(styles: &Styles, element: ElementRef<'_>) -> Option<Color> {
    for current in std::iter::once(element).chain(element.ancestors()) {
        match styles.background(current).ok()? {
            Some(Paint::Nothing) => {}
            Some(Paint::Color(color)) => return Some(color),
            Some(Paint::Other) => return None,
            None if has_own_background(current) => return None,
            None => {}
        }
    }
    Some(Color::WHITE)
}

/// Elements that have a background from the browser or from an attribute.
fn has_own_background(element: ElementRef<'_>) -> bool {
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

/// Whether the element shows a word of at least three letters in its own color.
fn has_words<'a>(tree: &AccessTree<'a>, styles: &Styles, element: ElementRef<'a>) -> bool {
    let dom = element.dom();
    let mut walk = dom.descendants(element.id());
    let mut left = MAX_NODES;
    while let Some(id) = walk.next() {
        if let Some(NodeData::Text(run)) = dom.data(id) {
            let mut words = run.split(|c: char| !c.is_alphabetic());
            if words.any(|word| word.chars().nth(2).is_some()) {
                return true;
            }
        } else if let Some(inner) = dom.element(id) {
            // Links and controls have their own color.
            let is_other = !tree.is_exposed(inner)
                || is_focusable(inner)
                || has_own_background(inner)
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

/// Elements that label a disabled control.
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
    fn text_with_sufficient_contrast_passes() {
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
    fn text_with_insufficient_contrast_fails() {
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
    fn contrast_that_needs_a_browser_cannot_tell() {
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
    fn text_without_contrast_requirement_is_not_applicable() {
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
