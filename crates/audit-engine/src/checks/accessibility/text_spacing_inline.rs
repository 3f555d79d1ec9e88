//! Finds inline styles that prevent users from increasing text spacing.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeData};
use crate::page::Traits;
use crate::page::whitespace::is_blank;
use crate::style::{Length, Spacing, StyleAttribute, Styles};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// If a `style` attribute sets letter, word or line spacing with `!important`, letter spacing is at least
    /// 0.12 times, word spacing 0.16 times and line height 1.5 times the font size.
    ///
    /// ## Why it matters
    /// Users with dyslexia or low vision increase the text spacing to be able to read. Their style sheets
    /// cannot override an `!important` declaration in a `style` attribute.
    ///
    /// ## How to fix it
    /// Remove `!important`, or move the declaration to a style sheet.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>News</title><p style="letter-spacing: 0.05em !important">The museum reopens in May.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>News</title><p style="letter-spacing: 0.15em !important">The museum reopens in May.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Declarations without `!important` and declarations in style sheets are excluded, because users can
    /// override them. If the page does not set the font size, the check cannot evaluate lengths in pixels. It
    /// evaluates the line height only if the text surely has more than one line.
    ///
    /// ## Also known as
    /// - axe: `avoid-inline-spacing`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.4.12 Text Spacing (AA)
    /// - W3C ACT rule 24afc2, Important letter spacing in style attributes is wide enough
    /// - W3C ACT rule 9e45ec, Important word spacing in style attributes is wide enough
    /// - W3C ACT rule 78fd32, Important line height in style attributes is wide enough
    TEXT_SPACING_INLINE {
        id: "text-spacing-inline",
        title: "Inline styles prevent text spacing adjustment",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// The expected minimum of a kind of spacing.
#[derive(Debug, Clone, Copy)]
struct Expectation {
    spacing: Spacing,
    name: &'static str,
    title: &'static str,
    /// The minimum as a multiple of the font size.
    minimum: f64,
}

const EXPECTATIONS: [Expectation; 3] = [
    Expectation {
        spacing: Spacing::Letters,
        name: "letter-spacing",
        title: "Inline letter-spacing below the minimum that users cannot override",
        minimum: 0.12,
    },
    Expectation {
        spacing: Spacing::Words,
        name: "word-spacing",
        title: "Inline word-spacing below the minimum that users cannot override",
        minimum: 0.16,
    },
    Expectation {
        spacing: Spacing::Lines,
        name: "line-height",
        title: "Inline line-height below the minimum that users cannot override",
        minimum: 1.5,
    },
];

/// The maximum width assumed for a line, in pixels.
const MAX_LINE_WIDTH: f64 = 2_000.0;

/// The minimum average width of a letter in a text font, as a multiple of the font size.
const MIN_LETTER_WIDTH: f64 = 0.3;

/// Most ancestors examined for the position and width of an element.
const MAX_ANCESTORS: usize = 64;

/// Most nodes searched for the text of one element.
const MAX_NODES: usize = 2_000;

/// The size of the spacing.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Width {
    /// Inherited from the parent.
    Inherited,
    /// A multiple of the font size.
    Share(f64),
    Unknown,
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let styles = page.styles();
    let styled = page
        .elements_with(Traits::STYLED)
        .filter(|element| element.is_html() && tree.is_exposed(*element));
    let forced = styled.flat_map(|element| {
        let style = StyleAttribute::new(element);
        let value =
            |kind: &Expectation| Some((element, *kind, style.important_spacing(kind.spacing)?));
        EXPECTATIONS.iter().filter_map(value).collect::<Vec<_>>()
    });
    let candidates = forced.filter_map(|(element, kind, value)| {
        let width = tightest(&tree, styles, element, kind.spacing, &value)?;
        Some((element, kind, value, width))
    });
    Outcome::for_each(candidates, |(element, kind, value, width)| match width {
        Width::Share(share) if share < kind.minimum => {
            let name = kind.name;
            let message = format!(
                "The style attribute sets {name} to \"{value}\" with !important; expected at least {} times the font size.",
                kind.minimum
            );
            match tree.failure(element, message) {
                Verdict::Fail(evidence) => Verdict::Fail(evidence.cause(name, kind.title)),
                other => other,
            }
        }
        Width::Unknown => Verdict::CannotTell(
            "The spacing depends on the font size of the text, which the page does not set.",
        ),
        _ => Verdict::Pass,
    })
}

/// The smallest spacing of a text that gets it from the element, compared with the font size of that text; `None` if
/// no visible text does.
fn tightest<'a>(
    tree: &AccessTree<'a>,
    styles: &Styles,
    element: ElementRef<'a>,
    spacing: Spacing,
    value: &str,
) -> Option<Width> {
    let off_screen = std::iter::once(element)
        .chain(element.ancestors().take(MAX_ANCESTORS))
        .any(|element| StyleAttribute::new(element).is_off_screen());
    if off_screen {
        return None;
    }
    let lines = spacing == Spacing::Lines;
    let mut found: Option<Width> = None;
    for text in texts(tree, styles, element, spacing) {
        if lines && !takes_several_lines(styles, &text) {
            continue;
        }
        let width = match width(styles, element, text.element, spacing, value) {
            Width::Inherited => continue,
            width => width,
        };
        found = Some(match (found, width) {
            (Some(Width::Share(known)), Width::Share(share)) => Width::Share(known.min(share)),
            // A text that is certainly too tight is reported.
            (Some(Width::Share(share)), _) | (_, Width::Share(share)) => Width::Share(share),
            (_, other) => other,
        });
    }
    found
}

/// The spacing that the value in the `style` attribute of `element` gives to the text in `inner`.
fn width(
    styles: &Styles,
    element: ElementRef<'_>,
    inner: ElementRef<'_>,
    spacing: Spacing,
    value: &str,
) -> Width {
    let is_line = spacing == Spacing::Lines;
    let value = value.to_ascii_lowercase();
    match value.as_str() {
        "inherit" | "unset" | "revert" | "revert-layer" => return Width::Inherited,
        // Browsers use a line height of about 1.2 times the font size.
        "normal" | "initial" => return Width::Share(if is_line { 1.2 } else { 0.0 }),
        _ => {}
    }
    // Inner elements inherit a length, and not the multiple of a font size that it was computed from.
    let of_inner = |share: f64| match font_ratio(styles, element, inner) {
        Some(ratio) => Width::Share(share * ratio),
        None => Width::Unknown,
    };
    match Length::parse(&value) {
        Some(Length::Factor(share)) if is_line => Width::Share(share),
        Some(Length::Ems(share)) => of_inner(share),
        Some(Length::Fraction(share)) if is_line => of_inner(share),
        Some(Length::Pixels(pixels)) if pixels <= 0.0 => Width::Share(0.0),
        Some(Length::Pixels(pixels)) => styles
            .font_size(inner)
            .filter(|size| *size > 0.0)
            .map_or(Width::Unknown, |size| Width::Share(pixels / size)),
        _ => Width::Unknown,
    }
}

/// The font size of `outer` as a multiple of that of `inner`, one of its descendants or itself.
fn font_ratio(styles: &Styles, outer: ElementRef<'_>, inner: ElementRef<'_>) -> Option<f64> {
    let path = std::iter::once(inner).chain(inner.ancestors());
    let mut between = path.take_while(|current| *current != outer);
    if between.all(|current| !styles.may_set_font_size(current)) {
        return Some(1.0);
    }
    let sizes = styles.font_size(outer).zip(styles.font_size(inner));
    let (outer, inner) = sizes.filter(|(_, inner)| *inner > 0.0)?;
    Some(outer / inner)
}

/// A text that gets its spacing from an element.
struct Text<'a> {
    /// The element that has it.
    element: ElementRef<'a>,
    /// The block that it is a line of.
    block: ElementRef<'a>,
    letters: usize,
}

/// The texts in the element that get the spacing from it: for lines each run of text that a browser may wrap, else
/// the text of each element.
fn texts<'a>(
    tree: &AccessTree<'a>,
    styles: &Styles,
    element: ElementRef<'a>,
    spacing: Spacing,
) -> Vec<Text<'a>> {
    let dom = element.dom();
    let mut walk = dom.descendants(element.id());
    let mut found: Vec<Text<'a>> = Vec::new();
    let mut left = MAX_NODES;
    let mut is_broken = true;
    while let Some(id) = walk.next() {
        match dom.data(id) {
            Some(NodeData::Text(run)) if !is_blank(run) => {
                let parent = dom.parent(id).and_then(|id| dom.element(id));
                let Some(parent) = parent else {
                    continue;
                };
                let letters = run.trim().chars().count();
                let block = block_of(tree, parent, element);
                match found.last_mut().filter(|_| !is_broken) {
                    Some(text) if spacing == Spacing::Lines && text.block == block => {
                        text.letters += letters;
                    }
                    _ => found.push(Text {
                        element: parent,
                        block,
                        letters,
                    }),
                }
                is_broken = false;
            }
            Some(NodeData::Element(_)) => {
                let Some(inner) = dom.element(id) else {
                    continue;
                };
                is_broken |= inner.is("br");
                if tree.exposure(inner).hidden || styles.may_declare_spacing(inner, spacing) {
                    walk.skip_children(id);
                }
            }
            _ => {}
        }
        left -= 1;
        if left == 0 {
            break;
        }
    }
    found
}

/// The nearest element that is a block, up to `outer`.
fn block_of<'a>(
    tree: &AccessTree<'a>,
    element: ElementRef<'a>,
    outer: ElementRef<'a>,
) -> ElementRef<'a> {
    let is_block = |current: &ElementRef<'a>| {
        *current == outer || !tree.page().traits(*current).has(Traits::INLINE)
    };
    let mut path = std::iter::once(element).chain(element.ancestors());
    path.find(is_block).unwrap_or(outer)
}

/// Whether the letters take more than one line even if they are narrow.
fn takes_several_lines(styles: &Styles, text: &Text<'_>) -> bool {
    if styles.wraps(text.element) == Some(true) {
        return true;
    }
    let path = std::iter::once(text.element).chain(text.element.ancestors().take(MAX_ANCESTORS));
    let mut path = path.take_while(|current| Some(*current) != text.block.parent());
    let sets_wrapping = path.any(|current| StyleAttribute::new(current).declares_wrapping());
    let size = styles.font_size(text.element);
    let Some(size) = size.filter(|_| !sets_wrapping) else {
        return false;
    };
    let letters = f64::from(u32::try_from(text.letters).unwrap_or(u32::MAX));
    letters * MIN_LETTER_WIDTH * size > max_line_width(styles, text.block)
}

/// The maximum width of a line of the element, in pixels, from the nearest element with a width.
fn max_line_width(styles: &Styles, element: ElementRef<'_>) -> f64 {
    let mut widest = MAX_LINE_WIDTH;
    for current in std::iter::once(element).chain(element.ancestors().take(MAX_ANCESTORS)) {
        if let Some(most) = styles.max_width(current) {
            widest = widest.min(most);
        }
        if let Some(width) = styles.width(current) {
            return widest.min(width);
        }
    }
    widest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    const LONG: &str =
        "Every spring the river floods the meadows behind the old mill for some days.";

    #[test]
    fn wide_spacing_passes() {
        for html in [
            "<p style='letter-spacing:.12em!important'>x",
            "<p style='letter-spacing:2px!important;letter-spacing:0'>x",
            "<p style='word-spacing:0.16em !important'>x y",
            "<div style='font-size:10px;letter-spacing:2px!important'><p>x</p></div>",
        ] {
            assert_passes(&TEXT_SPACING_INLINE, html);
        }
        let html = format!("<p style='max-width:150px;line-height:150%!important'>{LONG}");
        assert_passes(&TEXT_SPACING_INLINE, &html);
    }

    #[test]
    fn tight_spacing_that_is_important_fails() {
        for html in [
            "<p style='letter-spacing:0.1em!important'>x",
            "<p style='letter-spacing:NORMAL ! important'>x",
            "<p style='word-spacing:-1px!important'>x y",
            "<style>p{font-size:30px}</style><p style='letter-spacing:3px!important'>x",
            "<p style='letter-spacing:.2em!important;letter-spacing:0!important'>x",
        ] {
            assert_fails(&TEXT_SPACING_INLINE, html, 1);
        }
        let narrow = "<style>div{width:150px}</style><div><p style='line-height:1em!important'>";
        assert_fails(&TEXT_SPACING_INLINE, &format!("{narrow}{LONG}"), 1);
        for value in ["1.2", "14px", "100%", "normal"] {
            let style = format!("width:150px;line-height:{value}!important");
            let html = format!("<p style='{style}'>{LONG}");
            assert_fails(&TEXT_SPACING_INLINE, &html, 1);
        }
    }

    #[test]
    fn overridable_and_invisible_spacing_is_not_applicable() {
        for html in [
            "<p style='letter-spacing:0.1em'>x",
            "<style>p{letter-spacing:0!important}</style><p style='letter-spacing:.1em'>x",
            "<p style='letter-spacing:inherit!important'>x",
            "<p style='letter-spacing:0!important'></p>",
            "<p style='letter-spacing:0!important;display:none'>x</p>",
            "<p style='position:absolute;left:-999em;letter-spacing:0!important'>x</p>",
            "<p style='letter-spacing:0!important'><b style='letter-spacing:1em'>x</b></p>",
            "<p style='line-height:1!important'>One line",
            "<p style='line-height:1!important;width:900px'>One line of a wide text",
            "<svg><text style='letter-spacing:0!important'>x</text></svg>",
            "<p style='color:red!important'>x",
        ] {
            assert_not_applicable(&TEXT_SPACING_INLINE, html);
        }
    }

    #[test]
    fn the_font_size_of_the_text_counts() {
        for html in [
            "<div style='font-size:10px;letter-spacing:2px!important'><p style='font-size:40px'>x</p></div>",
            "<div style='font-size:10px;letter-spacing:.2em!important'><p style='font-size:40px'>x</p></div>",
            "<div style='font-size:10px;word-spacing:.2em!important'>x y <b style='font-size:20px'>x y</b></div>",
        ] {
            assert_fails(&TEXT_SPACING_INLINE, html, 1);
        }
        for html in [
            "<div style='font-size:40px;letter-spacing:2px!important'><p style='font-size:10px'>x</p></div>",
            "<div style='font-size:40px;letter-spacing:.1em!important'><p style='font-size:10px'>x</p></div>",
            "<div style='font-size:40px;word-spacing:.16em!important'>x y <b style='font-size:20px'>x y</b></div>",
        ] {
            assert_passes(&TEXT_SPACING_INLINE, html);
        }
    }

    #[test]
    fn lines_of_separate_blocks_and_breaks_are_not_one_text() {
        let style = "width:300px;line-height:1!important";
        let short = "Every spring the river";
        for text in [
            format!("<p>{short}</p><p>{short}</p>").repeat(4),
            format!("{short}<br>").repeat(8),
        ] {
            let html = format!("<div style='{style}'>{text}</div>");
            assert_not_applicable(&TEXT_SPACING_INLINE, &html);
        }
        let inline = format!(
            "<div style='{style}'>{}</div>",
            format!("<i>{short}</i> ").repeat(8)
        );
        assert_fails(&TEXT_SPACING_INLINE, &inline, 1);
    }

    #[test]
    fn pixels_without_a_known_font_size_cannot_tell() {
        let html = "<link rel=stylesheet href=x><p style='letter-spacing:1px!important'>x</p>";
        assert!(matches!(
            outcome(&TEXT_SPACING_INLINE, html),
            Outcome::CannotTell(_)
        ));
        let html = html.replace("1px", "0");
        assert_fails(&TEXT_SPACING_INLINE, &html, 1);
    }
}
