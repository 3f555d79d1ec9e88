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
    /// Text whose `style` attribute sets its color, background or opacity has a contrast ratio of at least 4.5:1
    /// against its background. On a gradient the best contrast counts. Large text, from 24 px or from 18.66 px in bold, needs at least 3:1.
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
    /// with linked style sheets, and text with images, shadows or overlapping elements. It cannot tell whether
    /// text on a gradient is where the contrast is sufficient. It excludes two kinds of text: text without a word of three letters,
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

/// The contrast ratios that a level of WCAG requires.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    /// The smallest ratio of text.
    minimum: f64,
    /// The smallest ratio of large text.
    minimum_large: f64,
    /// Texts below this level are left to the check of that level.
    below: Option<&'static Level>,
}

/// Level AA.
const MINIMUM: Level = Level {
    minimum: 4.5,
    minimum_large: 3.0,
    below: None,
};

/// Level AAA, for texts that conform to level AA.
pub(super) const ENHANCED: Level = Level {
    minimum: 7.0,
    minimum_large: 4.5,
    below: Some(&MINIMUM),
};

/// The size of text, as far as contrast depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextSize {
    Normal,
    Large,
    Unknown,
}

impl Level {
    /// The ratio that text of a size certainly needs, and the ratio that is certainly enough.
    const fn bounds(self, size: TextSize) -> (f64, f64) {
        match size {
            TextSize::Normal => (self.minimum, self.minimum),
            TextSize::Large => (self.minimum_large, self.minimum_large),
            TextSize::Unknown => (self.minimum_large, self.minimum),
        }
    }
}

/// Sizes in pixels from which text is large, for normal and for bold text.
const LARGE_SIZE: f64 = 24.0;
const LARGE_SIZE_BOLD: f64 = 18.66;

/// The background of text that is nested deeper is unknown.
const MAX_ANCESTORS: usize = 64;

/// Most nodes searched for the text of one element.
const MAX_NODES: usize = 500;

/// Most pairs of colors of one text that are compared. With more its contrast is unknown.
const MAX_PAIRS: usize = 1_000;

/// How much the best contrast within a gradient may exceed that of the colors that are compared.
const GRADIENT_TOLERANCE: f64 = 1.02;

/// Why a contrast ratio is unknown.
const UNKNOWN: &str = "The background of the text cannot be determined in static mode.";

fn evaluate(page: &Page) -> Outcome {
    evaluate_level(page, MINIMUM)
}

/// The outcome for texts that set their color, their background or their opacity in a `style` attribute.
pub(super) fn evaluate_level(page: &Page, level: Level) -> Outcome {
    let painted = |element: &ElementRef<'_>| {
        let style = element.attr("style").unwrap_or_default();
        let style = style.to_ascii_lowercase();
        let words = ["color", "background", "opacity"];
        element.is_html() && words.iter().any(|word| style.contains(word))
    };
    let mut texts = page
        .elements_with(Traits::STYLED)
        .filter(painted)
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
    let candidates = texts.filter(|element| {
        is_deep(*element)
            || tree.is_exposed(*element)
                && !is_inactive(*element, &inactive)
                && has_words(&tree, styles, *element)
    });
    Outcome::for_each(candidates, |element| {
        evaluate_text(&tree, styles, element, level)
    })
}

fn evaluate_text<'a>(
    tree: &AccessTree<'a>,
    styles: &Styles,
    element: ElementRef<'a>,
    level: Level,
) -> Verdict {
    let color = text_color(styles, element).filter(|_| !is_deep(element));
    let pairs = color.and_then(|color| painted_pairs(styles, element, color));
    let Some(pairs) = pairs else {
        return Verdict::CannotTell(UNKNOWN);
    };
    let ratio = |(text, background): &(Color, Color)| text.contrast(*background);
    let by_ratio =
        |one: &&(Color, Color), other: &&(Color, Color)| ratio(one).total_cmp(&ratio(other));
    let (Some(worst), Some(best)) = (pairs.iter().min_by(by_ratio), pairs.iter().max_by(by_ratio))
    else {
        return Verdict::CannotTell(UNKNOWN);
    };
    let size = match styles.font_size(element) {
        Some(size) if size >= LARGE_SIZE => TextSize::Large,
        Some(size) if size >= LARGE_SIZE_BOLD && may_be_bold(styles, element) => TextSize::Large,
        Some(_) => TextSize::Normal,
        None => TextSize::Unknown,
    };
    let (needed, enough) = level.bounds(size);
    let tolerance = if pairs.len() > 1 {
        GRADIENT_TOLERANCE
    } else {
        1.0
    };
    let contrast = ratio(best);
    if ratio(worst) >= enough {
        return Verdict::Pass;
    }
    if contrast * tolerance >= needed {
        return Verdict::CannotTell(if size == TextSize::Unknown && pairs.len() == 1 {
            "The font size of the text cannot be determined in static mode."
        } else {
            "The contrast differs between the parts of the background, and may be sufficient where the text is."
        });
    }
    if level
        .below
        .is_some_and(|below| contrast * tolerance < below.bounds(size).1)
    {
        // The text is reported, or unknown, at the level below.
        return Verdict::Pass;
    }
    // Rounded down, so that a ratio below the minimum is not shown as the minimum.
    let shown = (contrast * 100.0).floor() / 100.0;
    let (color, background) = best;
    let where_best = if pairs.len() > 1 {
        " where it is best"
    } else {
        ""
    };
    // On a gradient, or where text or its parents are transparent, another color looks different.
    let is_plain = pairs.len() == 1 && text_color(styles, element).as_ref() == Some(color);
    let example = if is_plain {
        let enough = color.with_contrast(*background, needed);
        format!(", for example with the text color {enough}")
    } else {
        String::new()
    };
    tree.failure(
        element,
        format!(
            "The text has a contrast ratio of {shown}:1{where_best} ({color} on {background}); expected at least {needed}:1{example}."
        ),
    )
}

/// Whether the element is nested so deeply that its background is not searched.
fn is_deep(element: ElementRef<'_>) -> bool {
    element.ancestors().nth(MAX_ANCESTORS).is_some()
}

/// Whether an element may overlap elements that are not its ancestors.
fn has_layers(page: &Page, styles: &Styles) -> bool {
    styles.have_layers()
        || page
            .elements_with(Traits::STYLED)
            .any(|element| styles.is_layer(element))
        || page.meta("color-scheme").is_some()
}

/// The color of the element's text, its own or an inherited one; none if it is unknown.
fn text_color(styles: &Styles, element: ElementRef<'_>) -> Option<Color> {
    for current in std::iter::once(element).chain(element.ancestors()) {
        match styles.text_color(current).ok()? {
            Some(Paint::Colors(colors)) => return colors.first().copied(),
            Some(Paint::Other) => return None,
            None if has_own_color(current) => return None,
            None => {}
        }
    }
    Some(Color::BLACK)
}

/// Elements that have a text color from the browser or from an attribute.
fn has_own_color(element: ElementRef<'_>) -> bool {
    !element.is_html()
        || element.has_attr("color")
        || element.has_attr("text")
        || is_focusable(element)
        || matches!(
            element.name(),
            "a" | "button" | "input" | "select" | "textarea" | "mark" | "dialog" | "legend"
        )
}

/// The colors that the element's text and the background beside it have on the screen: several for a gradient. None
/// if they are unknown.
fn painted_pairs(
    styles: &Styles,
    element: ElementRef<'_>,
    color: Color,
) -> Option<Vec<(Color, Color)>> {
    // From the text outwards: each color is painted over those that follow.
    let mut pairs = vec![(color, Color::CLEAR)];
    for current in std::iter::once(element).chain(element.ancestors()) {
        let is_covered = pairs
            .iter()
            .all(|(_, background)| background.alpha() >= 1.0);
        if !is_covered {
            match styles.background(current).ok()? {
                Some(Paint::Colors(colors)) => {
                    if pairs.len() * colors.len() > MAX_PAIRS {
                        return None;
                    }
                    let below = |(text, background): &(Color, Color)| {
                        let (text, background) = (*text, *background);
                        let over =
                            move |color: &Color| (text.over(*color), background.over(*color));
                        colors.iter().map(over).collect::<Vec<_>>()
                    };
                    pairs = pairs.iter().flat_map(below).collect();
                }
                Some(Paint::Other) => return None,
                None if has_own_background(current) => return None,
                None => {}
            }
        }
        let opacity = styles.opacity(current)?;
        if opacity < 1.0 {
            for (text, background) in &mut pairs {
                *text = text.faded(opacity);
                *background = background.faded(opacity);
            }
        }
    }
    let canvas = Color::WHITE;
    let on_canvas =
        |(text, background): (Color, Color)| (text.over(canvas), background.over(canvas));
    let is_seen = color.alpha() > 0.0 && pairs.iter().all(|(text, _)| text.alpha() > 0.0);
    is_seen.then(|| pairs.into_iter().map(on_canvas).collect())
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
    fn transparent_colors_and_opacity_count() {
        for html in [
            "<p style='color:rgba(0,0,0,.2)'>Some text",
            "<p style='color:#000;background:rgba(0,0,0,.6)'>Some text",
            "<div style='opacity:.4'><p style='color:#000;background:#fff'>Some text</p></div>",
            "<div style='opacity:.6'><div style='opacity:.6'><p style='color:#000'>Some text</p></div></div>",
            "<p style='opacity:.3'>Some text",
            "<div style='background:#000'><p style='background:rgba(255,255,255,.1)'>Some text",
        ] {
            assert_fails(&COLOR_CONTRAST, html, 1);
        }
        for html in [
            "<p style='color:rgba(0,0,0,.7)'>Some text",
            "<p style='color:#fff;background:rgba(0,0,0,.7)'>Some text",
            "<div style='opacity:.8'><p style='color:#000;background:#fff'>Some text</p></div>",
            "<div style='background:#000'><p style='color:#fff;opacity:.8'>Some text",
            "<p style='opacity:80%'>Some text",
        ] {
            assert_passes(&COLOR_CONTRAST, html);
        }
    }

    #[test]
    fn the_best_contrast_on_a_gradient_counts() {
        for html in [
            "<p style='color:#aaa;background:linear-gradient(to right,#fff,#00f)'>Some text",
            "<p style='color:#777;background:#fff linear-gradient(#eee,rgba(0,0,0,.1))'>Some text",
            "<div style='background-image:radial-gradient(#fff,#ddd)'><p style='color:#888'>Some text",
        ] {
            assert_fails(&COLOR_CONTRAST, html, 1);
        }
        for html in [
            "<p style='color:#333;background:linear-gradient(to right,#fff,#bbf)'>Some text",
            "<p style='color:#fff;background:linear-gradient(90deg,#000,#444)'>Some text",
        ] {
            assert_passes(&COLOR_CONTRAST, html);
        }
    }

    #[test]
    fn very_many_colors_cannot_tell() {
        let gradient = "background:linear-gradient(rgba(0,0,0,.1),rgba(9,9,9,.1))";
        let html = |levels: usize| {
            let outer = format!("<div style='{gradient}'>").repeat(levels);
            format!("{outer}<p style='color:#ddd'>Some text")
        };
        assert!(matches!(
            outcome(&COLOR_CONTRAST, &html(3)),
            Outcome::CannotTell(_)
        ));
        assert_fails(&COLOR_CONTRAST, &html(2), 1);
    }

    #[test]
    fn contrast_that_needs_a_browser_cannot_tell() {
        for html in [
            "<link rel=stylesheet href=x><p style='color:#aaa'>Some text",
            "<p style='color:#aaa;background:url(x)'>Some text",
            "<p style='color:#aaa;text-shadow:0 0 1px #000'>Some text",
            "<p style='color:#000;background:linear-gradient(#fff,#000)'>Some text",
            "<p style='color:#000;background:linear-gradient(#fff,var(--x))'>Some text",
            "<p style='color:#000;opacity:0'>Some text",
            "<p style='opacity:var(--x)'>Some text",
            "<a href=x style='background:#000'>Some text</a>",
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
