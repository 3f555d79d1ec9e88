//! No style attribute forces tight spacing of text on readers.

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
    /// Where a `style` attribute sets the spacing of letters, words or lines with `!important`, letters
    /// are at least 0.12 times, words 0.16 times and lines 1.5 times the size of the font apart.
    ///
    /// ## Why it matters
    /// People with dyslexia or low vision widen the spacing of text to be able to read it. What a `style`
    /// attribute marks `!important` cannot be changed by a style sheet of theirs.
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
    /// Declarations without `!important`, and those in style sheets, are left out: readers can
    /// override them. Where the size of the font is not written in the page, lengths in pixels
    /// cannot be judged. The height of lines is judged where the text surely takes more than one.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.4.12 Text Spacing (AA)
    /// - W3C ACT rule 24afc2, Important letter spacing in style attributes is wide enough
    /// - W3C ACT rule 9e45ec, Important word spacing in style attributes is wide enough
    /// - W3C ACT rule 78fd32, Important line height in style attributes is wide enough
    TEXT_SPACING_INLINE {
        id: "text-spacing-inline",
        title: "Tight spacing of text that readers cannot change",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// What is expected of a kind of spacing.
#[derive(Debug, Clone, Copy)]
struct Expectation {
    spacing: Spacing,
    name: &'static str,
    title: &'static str,
    /// The least share of the font's size.
    least: f64,
}

const EXPECTATIONS: [Expectation; 3] = [
    Expectation {
        spacing: Spacing::Letters,
        name: "letter-spacing",
        title: "Letters that stand close together and cannot be moved apart",
        least: 0.12,
    },
    Expectation {
        spacing: Spacing::Words,
        name: "word-spacing",
        title: "Words that stand close together and cannot be moved apart",
        least: 0.16,
    },
    Expectation {
        spacing: Spacing::Lines,
        name: "line-height",
        title: "Lines that stand close together and cannot be moved apart",
        least: 1.5,
    },
];

/// The widest that a line is taken to be, in pixels.
const WIDEST: f64 = 2_000.0;

/// No letter of a text font is narrower on average, as a share of the font's size.
const NARROW_LETTER: f64 = 0.3;

/// Ancestors looked at for what places and bounds an element.
const MOST_ANCESTORS: usize = 64;

/// Nodes looked at for the text of one element.
const MOST_NODES: usize = 2_000;

/// How wide the spacing is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Width {
    /// As the text around: the attribute does not say.
    Inherited,
    /// So many times the size of the font.
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
        let style = StyleAttribute::of(element);
        let value =
            |kind: &Expectation| Some((element, *kind, style.important_spacing(kind.spacing)?));
        EXPECTATIONS.iter().filter_map(value).collect::<Vec<_>>()
    });
    let judged = forced.filter_map(|(element, kind, value)| {
        let width = width(styles, element, kind.spacing, &value);
        let applies = width != Width::Inherited && applies(&tree, styles, element, kind.spacing);
        applies.then_some((element, kind, value, width))
    });
    Outcome::for_each(judged, |(element, kind, value, width)| match width {
        Width::Share(share) if share < kind.least => {
            let name = kind.name;
            let message = format!(
                "{name} is \"{value}\" and important; expected at least {} times the size of the font.",
                kind.least
            );
            match tree.failure(element, message) {
                Verdict::Fail(evidence) => Verdict::Fail(evidence.cause(name, kind.title)),
                other => other,
            }
        }
        Width::Unknown => Verdict::CannotTell(
            "The spacing of a text depends on the size of its font, which the page does not say.",
        ),
        _ => Verdict::Pass,
    })
}

fn width(styles: &Styles, element: ElementRef<'_>, spacing: Spacing, value: &str) -> Width {
    let is_line = spacing == Spacing::Lines;
    let value = value.to_ascii_lowercase();
    match value.as_str() {
        "inherit" | "unset" | "revert" | "revert-layer" => return Width::Inherited,
        // Browsers draw lines at about 1.2 times the size of the font.
        "normal" | "initial" => return Width::Share(if is_line { 1.2 } else { 0.0 }),
        _ => {}
    }
    match Length::parse(&value) {
        Some(Length::Ems(share)) => Width::Share(share),
        Some(Length::Factor(share) | Length::Fraction(share)) if is_line => Width::Share(share),
        Some(Length::Pixels(pixels)) if pixels <= 0.0 => Width::Share(0.0),
        Some(Length::Pixels(pixels)) => styles
            .font_size(element)
            .filter(|size| *size > 0.0)
            .map_or(Width::Unknown, |size| Width::Share(pixels / size)),
        _ => Width::Unknown,
    }
}

/// Whether text that people see has this spacing from the element.
fn applies<'a>(
    tree: &AccessTree<'a>,
    styles: &Styles,
    element: ElementRef<'a>,
    spacing: Spacing,
) -> bool {
    let off_screen = std::iter::once(element)
        .chain(element.ancestors().take(MOST_ANCESTORS))
        .any(|element| StyleAttribute::of(element).is_off_screen());
    if off_screen {
        return false;
    }
    let letters = letters(tree, styles, element, spacing);
    match spacing {
        Spacing::Lines => takes_lines(styles, element, letters),
        Spacing::Letters | Spacing::Words => letters > 0,
    }
}

/// How many letters there are that no element inside gives another spacing.
fn letters<'a>(
    tree: &AccessTree<'a>,
    styles: &Styles,
    element: ElementRef<'a>,
    spacing: Spacing,
) -> usize {
    let dom = element.dom();
    let mut walk = dom.descendants(element.id());
    let mut letters = 0;
    let mut left = MOST_NODES;
    while let Some(id) = walk.next() {
        match dom.data(id) {
            Some(NodeData::Text(run)) if !is_blank(run) => letters += run.trim().chars().count(),
            Some(NodeData::Element(_)) => {
                let inner = dom.element(id);
                let sets_its_own = inner.is_some_and(|inner| {
                    tree.exposure(inner).hidden || styles.may_declare_spacing(inner, spacing)
                });
                if sets_its_own {
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
    letters
}

/// Whether so many letters take more than one line, however narrow they are.
fn takes_lines(styles: &Styles, element: ElementRef<'_>, letters: usize) -> bool {
    let stays = StyleAttribute::of(element).declares_wrapping();
    let Some(size) = styles.font_size(element).filter(|_| !stays) else {
        return false;
    };
    let letters = f64::from(u32::try_from(letters).unwrap_or(u32::MAX));
    letters * NARROW_LETTER * size > widest(styles, element)
}

/// The widest that a line of the element can be, in pixels: of the nearest element with a width.
fn widest(styles: &Styles, element: ElementRef<'_>) -> f64 {
    let mut widest = WIDEST;
    for current in std::iter::once(element).chain(element.ancestors().take(MOST_ANCESTORS)) {
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
    fn what_readers_can_change_or_do_not_see_is_not_judged() {
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
    fn pixels_without_a_known_font_are_not_guessed_at() {
        let html = "<link rel=stylesheet href=x><p style='letter-spacing:1px!important'>x</p>";
        assert!(matches!(
            outcome(&TEXT_SPACING_INLINE, html),
            Outcome::CannotTell(_)
        ));
        let html = html.replace("1px", "0");
        assert_fails(&TEXT_SPACING_INLINE, &html, 1);
    }
}
