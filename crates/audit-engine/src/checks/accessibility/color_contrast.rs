//! Finds text with insufficient color contrast.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use crate::aria::AccessTree;
use crate::aria::focus::is_disabled;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeId};
use crate::page::Traits;
use crate::painting::{Looks, PaintedText, UNKNOWN, UNKNOWN_RENDERED};
use crate::style::{Origin, TextLook, Widths};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Text has a contrast ratio of at least 4.5:1 against its background. Large text, from 24 px or from 18.66 px in
    /// bold, needs at least 3:1. Colors come from linked style sheets, `style` elements and `style` attributes, with
    /// custom properties, transparency and `opacity`. On a gradient or an image the best contrast counts. Each text is judged in
    /// windows 360, 768 and 1,350 pixels wide, in the light color scheme.
    ///
    /// ## Why it matters
    /// Users with low vision cannot read text with low contrast. In bright sunlight, other users cannot read
    /// it either.
    ///
    /// ## How to fix it
    /// Use the text color that is proposed for each pair of colors, or change the background, until the contrast ratio
    /// is reached. The message names the style sheet that sets the color: change it there, once for all pages. Texts in
    /// one pair of colors are one cause.
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
    /// Only certain results are reported. The check cannot tell if a style sheet of the page is not available, except
    /// sheets of services for fonts, or if rules may apply that depend on more than the page and the width of the
    /// window. It does not evaluate text with images, shadows or filters, text in floating or moved elements without
    /// a background of their own, and text that another positioned element may overlap. It cannot tell whether
    /// text on a gradient is where the contrast is sufficient. Colors that scripts set are not known. It excludes text
    /// without a word of three letters or a number of two digits, because it may be an icon, text in closed `details`,
    /// and the text of disabled controls, for which WCAG requires no contrast.
    ///
    /// On a page that a browser shows, colors are those that it computed, texts from two signs on are judged, and where
    /// something else is behind or over a text, up to 200 texts in ten windows of the page are judged by pictures: with the
    /// text and with transparent text. Such a text fails if in some line nineteen of twenty pixels of its letters have too
    /// little contrast. It is unknown if it does not look as its styles say, if a filter or a rotation changes it, or if a
    /// video, a canvas or a frame is behind it.
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
        needs: [Dom, Pixels],
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

/// The weight from which text is bold.
const BOLD: f64 = 700.0;

/// How much the best contrast within a gradient may exceed that of the colors that are compared.
const GRADIENT_TOLERANCE: f64 = 1.02;

fn evaluate(page: &Page) -> Outcome {
    evaluate_level(page, MINIMUM)
}

/// The outcome for all texts of the page.
pub(super) fn evaluate_level(page: &Page, level: Level) -> Outcome {
    let painting = page.painting();
    if let Some(reason) = painting.unknown {
        return Outcome::CannotTell(reason);
    }
    let unknown = match painting.is_rendered {
        true => UNKNOWN_RENDERED,
        false => UNKNOWN,
    };
    let verdicts: Vec<Judged<'_>> = painting
        .looks
        .iter()
        .map(|looks| Judged::new(looks, level, unknown))
        .collect();
    if verdicts.iter().all(|found| *found == Judged::SUFFICIENT) {
        return match painting.texts.first() {
            Some(_) => Outcome::Passed,
            None => Outcome::NotApplicable,
        };
    }
    let tree = page.access_tree();
    let inactive = inactive(&tree);
    let judged = |text: &PaintedText| verdicts.get(text.looks);
    let failing: HashMap<NodeId, usize> = painting
        .texts
        .iter()
        .filter(|text| judged(text).is_some_and(|judged| judged.failing.is_some()))
        .map(|text| (text.node, text.looks))
        .collect();
    let texts = painting.texts.iter().filter_map(|text| {
        let found = judged(text)?;
        let element = page.element(text.node)?;
        // A word in a text that looks like the rest of it is the same text.
        let is_part = || {
            let around = element
                .parent()
                .and_then(|parent| failing.get(&parent.id()));
            let around = around.and_then(|looks| verdicts.get(*looks));
            let (around, own) = (around.and_then(|around| around.failing), found.failing);
            around
                .zip(own)
                .is_some_and(|(around, own)| around.looks_like(&own))
        };
        let counts = *found == Judged::SUFFICIENT || !is_part() && !is_inactive(element, &inactive);
        counts.then_some((element, text.looks, found))
    });
    // Worded once for all texts that look alike: a page may have hundreds of them.
    let worded: Vec<OnceCell<Worded>> = verdicts.iter().map(|_| OnceCell::new()).collect();
    Outcome::for_each(texts, |(element, looks, found)| {
        let Some(failing) = &found.failing else {
            return found.unknown.map_or(Verdict::Pass, Verdict::CannotTell);
        };
        let new = || Worded::new(failing, &painting.sheets, level);
        match worded.get(looks) {
            Some(worded) => failing.verdict(&tree, element, worded.get_or_init(new)),
            None => failing.verdict(&tree, element, &new()),
        }
    })
}

/// How a text relates to the level in windows of some widths.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Contrast {
    Sufficient,
    /// The ratio that is needed.
    Insufficient(f64),
    /// The reason.
    Unknown(&'static str),
}

impl Contrast {
    fn of(look: &TextLook, level: Level) -> Self {
        let size = TextSize::of(look);
        let (needed, enough) = level.bounds(size);
        let best = if look.varies {
            look.best * GRADIENT_TOLERANCE
        } else {
            look.best
        };
        if look.worst >= enough {
            return Self::Sufficient;
        }
        if best >= needed {
            return Self::Unknown(if size == TextSize::Unknown && !look.varies {
                "The font size of the text cannot be determined in static mode."
            } else {
                "The contrast differs between the parts of the background, and may be sufficient where the text is."
            });
        }
        // The text is reported, or unknown, at the level below.
        let is_below = level.below.is_some_and(|below| best < below.bounds(size).1);
        if is_below {
            Self::Sufficient
        } else {
            Self::Insufficient(needed)
        }
    }
}

impl TextSize {
    fn of(look: &TextLook) -> Self {
        let Some((low, high)) = look.font_size else {
            return Self::Unknown;
        };
        let is_bold = look.font_weight.map(|weight| weight >= BOLD);
        if low >= LARGE_SIZE || (low >= LARGE_SIZE_BOLD && is_bold == Some(true)) {
            Self::Large
        } else if high < LARGE_SIZE_BOLD || (high < LARGE_SIZE && is_bold == Some(false)) {
            Self::Normal
        } else {
            Self::Unknown
        }
    }
}

/// What is wrong with texts that look alike.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Failing<'a> {
    /// The window widths.
    widths: Widths,
    /// The look in the widest of them.
    look: &'a TextLook,
    /// The ratio that is needed there.
    needed: f64,
}

/// Texts that look alike, with their contrast in windows of each width.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Judged<'a> {
    failing: Option<Failing<'a>>,
    unknown: Option<&'static str>,
}

impl<'a> Judged<'a> {
    const SUFFICIENT: Self = Self {
        failing: None,
        unknown: None,
    };

    /// `unknown` is the reason why a look is not known.
    fn new(looks: &'a Looks, level: Level, unknown: &'static str) -> Self {
        let mut found = Self::SUFFICIENT;
        for (widths, look) in looks {
            let look = look.as_deref();
            let contrast =
                look.map_or(Contrast::Unknown(unknown), |look| Contrast::of(look, level));
            match (contrast, look) {
                (Contrast::Insufficient(needed), Some(look)) => {
                    let known = found.failing.as_ref();
                    let is_wider = known.is_none_or(|known| widths.bits() > known.widths.bits());
                    let all = known.map_or(*widths, |known| known.widths.or(*widths));
                    let (look, needed) = match known {
                        Some(known) if !is_wider => (known.look, known.needed),
                        _ => (look, needed),
                    };
                    found.failing = Some(Failing {
                        widths: all,
                        look,
                        needed,
                    });
                }
                (Contrast::Unknown(reason), _) => found.unknown = Some(reason),
                _ => {}
            }
        }
        found
    }
}

/// What is said of texts that look alike.
struct Worded {
    message: String,
    /// The key of the cause.
    key: String,
    title: String,
}

impl Worded {
    fn new(failing: &Failing<'_>, sheets: &[Option<Box<str>>], level: Level) -> Self {
        let (key, title) = failing.cause(level);
        Self {
            message: failing.message(sheets),
            key,
            title,
        }
    }
}

impl<'a> Failing<'a> {
    fn verdict(&self, tree: &AccessTree<'a>, element: ElementRef<'a>, worded: &Worded) -> Verdict {
        // Where a class may hide the text is not counted as visible.
        let widths = self.widths.and(tree.visible_widths(element));
        match tree.failure_in(widths, element, worded.message.clone()) {
            Verdict::Fail(evidence) => {
                Verdict::Fail(evidence.cause(worded.key.clone(), worded.title.clone()))
            }
            other => other,
        }
    }

    /// Whether the colors are the same, and needed to be changed, in the same windows.
    fn looks_like(&self, other: &Self) -> bool {
        let facts = |one: &Self| (one.widths, one.look.pair, one.look.varies);
        facts(self) == facts(other) && self.needed.total_cmp(&other.needed).is_eq()
    }

    fn message(&self, sheets: &[Option<Box<str>>]) -> String {
        let (color, background) = self.look.pair;
        let needed = self.needed;
        // Rounded down, so that a ratio below the minimum is not shown as the minimum.
        let shown = (self.look.best * 100.0).floor() / 100.0;
        let where_best = if self.look.varies {
            " where it is best"
        } else {
            ""
        };
        // On a gradient, or where text or its parents are transparent, another color looks different.
        let is_plain = !self.look.varies && self.look.color == color;
        let example = if is_plain {
            match color.with_contrast(background, needed) {
                Some(enough) => format!(", for example with the text color {enough}"),
                None => ", which no text color has on this background".to_owned(),
            }
        } else {
            String::new()
        };
        let source = match self.look.color_from {
            None | Some(Origin::Attribute) => String::new(),
            Some(Origin::Sheet(number)) => match sheets.get(number) {
                Some(Some(path)) => format!(" The style sheet {path} sets the color."),
                _ => " A style element sets the color.".to_owned(),
            },
        };
        format!(
            "The text has a contrast ratio of {shown}:1{where_best} ({color} on {background}); expected at least {needed}:1{example}.{source}"
        )
    }

    /// The key and the title of the cause: the colors, which are changed in one place.
    fn cause(&self, level: Level) -> (String, String) {
        let (color, background) = self.look.pair;
        let key = if self.look.varies && self.look.is_pictured {
            // What is behind it differs from text to text.
            format!("{} on an image or a gradient", self.look.color)
        } else if self.look.varies {
            format!("{color} on a gradient")
        } else {
            format!("{color} on {background}")
        };
        let title = match level.below {
            None => format!("Insufficient color contrast: {key}"),
            Some(_) => format!("Color contrast below level AAA: {key}"),
        };
        (key, title)
    }
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
    use crate::bounds::style::{
        MAX_DECLARATIONS, MAX_KINDS, MAX_OVERLAY_STEPS, MAX_OVERLAYS, MAX_REGISTERED_PROPERTIES,
        MAX_VARIABLE_BYTES,
    };
    use crate::check::testing::{
        assert_fails, assert_not_applicable, assert_passes, outcome, outcome_of,
    };
    use crate::dom::Limit;
    use crate::painting::MAX_CHILDREN;
    use crate::style::Width;

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
        for html in [
            "<p>Some text",
            "<p style='color:#aaa'><font color=black>Some text</font>",
            "<p style='color:#aaa'><a href=x>Some text</a></p>",
            "<h2 style='color:#888'>Some text</h2>",
        ] {
            assert_passes(&COLOR_CONTRAST, html);
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
            "<a href=x style='background:#000'>Some text</a>",
            "<h2 style='color:#888'>Some text</h2><p style='color:#888'>12,345",
        ] {
            assert_fails(&COLOR_CONTRAST, html, 1);
        }
    }

    /// The outcome for a page that links to a style sheet.
    fn with_sheet(css: &str, body: &str) -> Outcome {
        let html = format!("<!doctype html><link rel=stylesheet href=/site.css>{body}");
        outcome_of(
            &COLOR_CONTRAST,
            &Page::builder().sheet("/site.css", css).html(&html),
        )
    }

    /// Those of the page's texts that fail, as the start of their message.
    fn failures(css: &str, body: &str) -> Vec<String> {
        match with_sheet(css, body) {
            Outcome::Failed(found) => found.iter().map(|found| found.message.clone()).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn colors_of_style_sheets_count() {
        for (css, colors) in [
            (".x{color:#999}", "#999999 on #ffffff"),
            ("body{color:#999}", "#999999 on #ffffff"),
            (
                "@layer a,b;@layer b{p{color:#999}}@layer a{.x{color:#000}}",
                "#999999 on #ffffff",
            ),
            (
                ".x{color:#999!important}p.x{color:#000}",
                "#999999 on #ffffff",
            ),
            (
                ".x{color:#999}.x:hover,.x:disabled,.x::before{color:#000}",
                "#999999 on #ffffff",
            ),
            (
                "p{color:#999}@media (prefers-color-scheme:dark){p{color:#000}}",
                "#999999 on #ffffff",
            ),
            (
                "section{background:#333}.x{color:#666}",
                "#666666 on #333333",
            ),
            (".x{color:oklch(70% 0 0)}", "#9e9e9e on #ffffff"),
            (".x{color:hsl(0 0% 60%)}", "#999999 on #ffffff"),
            (".x{color:inherit}section{color:#999}", "#999999 on #ffffff"),
            (
                ".x{color:initial;background:CurrentColor;opacity:1}",
                "#000000 on #000000",
            ),
        ] {
            let found = failures(css, "<section><p class=x>Some text</section>");
            assert!(
                matches!(&found[..], [one] if one.contains(colors)),
                "{css}: {found:?}"
            );
        }
        for css in [
            ".x{color:#595959}",
            "p{color:#999}.x{color:#000}",
            "section{background:#000}.x{color:#fff}",
            "p{color:#999}@media screen{.x{color:#000}}",
            "p{color:#999}@supports (display:grid){p{color:#000}}",
            ".x{color:#888;font-size:1.5rem}",
            ".x{color:#999;visibility:hidden}",
            "section{color:#999;display:none}",
            ".x{color:#999;position:absolute;width:1px;height:1px;overflow:hidden}",
            ".x{color:#999;text-indent:-9999px}",
            ".x{color:#999;position:absolute;top:-40px;background:#fff}",
        ] {
            let found = failures(css, "<section><p class=x>Some text</section>");
            assert!(found.is_empty(), "{css}: {found:?}");
        }
    }

    #[test]
    fn custom_properties_are_resolved() {
        let root =
            ":root{--rgb:153,153,153;--gray:#999;--o:1;--a:var(--gray);--cycle:var(--cycle)}";
        for value in [
            "var(--gray)",
            "var(--a)",
            "var(--none,var(--gray))",
            "rgba(var(--rgb),var(--o))",
            "rgb(153 153 153 / var(--tw-text-opacity, 1))",
        ] {
            let css = format!("{root}.x{{color:{value}}}");
            let found = failures(&css, "<p class=x>Some text");
            assert!(
                matches!(&found[..], [one] if one.contains("#999999")),
                "{value}: {found:?}"
            );
        }
        let css = format!("{root}.dark{{--gray:#000}}.x{{color:var(--gray)}}");
        assert_eq!(
            with_sheet(&css, "<div class=dark><p class=x>Some text"),
            Outcome::Passed
        );
        // Without a value the declaration has no effect.
        let css = format!("{root}.x{{color:var(--none)}}");
        assert_eq!(with_sheet(&css, "<p class=x>Some text"), Outcome::Passed);
        for value in [
            "var(--cycle)",
            "color-mix(in srgb,var(--gray),#fff)",
            "light-dark(#999,#000)",
        ] {
            let css = format!("{root}.x{{color:{value}}}");
            let found = with_sheet(&css, "<p class=x>Some text");
            assert!(
                matches!(found, Outcome::CannotTell(_)),
                "{value}: {found:?}"
            );
        }
    }

    #[test]
    fn the_widths_in_which_the_contrast_is_insufficient_are_named() {
        let css = ".x{color:#999}@media (min-width:1000px){.x{color:#000}}";
        let found = failures(css, "<p class=x>Some text");
        assert!(
            matches!(&found[..], [one] if one.contains("windows 360 and 768 pixels wide")),
            "{found:?}"
        );
        let css = ".x{color:#999}.m{display:none}@media (min-width:1000px){.m{display:block}}";
        let found = failures(css, "<p class='x m'>Some text");
        assert!(
            matches!(&found[..], [one] if one.contains("windows 1,350 pixels wide")),
            "{found:?}"
        );
    }

    #[test]
    fn what_browsers_rank_higher_wins() {
        for css in [
            // Nested rules without `&` are relative to the outer selector.
            ".x{.t{color:#000}} p.t{color:#999}",
            ".x{& .t{color:#000}} p.t{color:#999}",
            // They have the specificity of its strongest selector.
            ".x,#x{.t{color:#000}} p.t.t.t{color:#999}",
            // A nested block comes after the declarations before it.
            ".t{color:#999;@media (min-width:0){color:#000}}",
            // Selectors that are not understood may be stronger.
            "p:not(:has(#y)){color:#000} p.t.t{color:#999}",
            "p:nth-child(2n of #y),p:has(#y){color:#000} p.t.t{color:#999}",
            // A layer is where its name is first, also as a part of the name of another one.
            "@layer base.inner; @layer theme{.t{color:#000}} @layer base{.t{color:#999}}",
            "@layer a{@layer b{i{color:red}}} @layer c{.t{color:#999}} @layer b{.t{color:#000}}",
        ] {
            let found = with_sheet(css, "<div class=x id=x><p class=t>Some text</div>");
            assert!(!matches!(found, Outcome::Failed(_)), "{css} {found:?}");
        }
        for css in [
            ".x{.t{color:#999}} p.t{color:#000}",
            ".t{color:#000;@media (min-width:0){color:#999}}",
            "@layer base; @layer theme{.t{color:#999}} @layer base{.t{color:#000}}",
        ] {
            assert_eq!(
                failures(css, "<div class=x id=x><p class=t>Some text</div>").len(),
                1,
                "{css}"
            );
        }
    }

    #[test]
    fn a_rule_that_some_browsers_drop_is_uncertain() {
        for css in [
            ".t::-moz-placeholder,.t{color:#999}",
            ":-ms-input-placeholder,.t{color:#999}",
        ] {
            let found = with_sheet(css, "<p class=t>Some text");
            assert!(matches!(found, Outcome::CannotTell(_)), "{css} {found:?}");
        }
    }

    #[test]
    fn the_color_of_a_table_in_quirks_mode_is_not_inherited() {
        let html = "<div style='color:#999'><table><td>Some text</table></div>";
        let quirky = Page::builder().html(&format!("<html><body>{html}"));
        let found = outcome_of(&COLOR_CONTRAST, &quirky);
        assert!(matches!(found, Outcome::CannotTell(_)), "{found:?}");
        let standard = Page::builder().html(&format!("<!doctype html><html><body>{html}"));
        let found = outcome_of(&COLOR_CONTRAST, &standard);
        assert!(matches!(found, Outcome::Failed(_)), "{found:?}");
    }

    #[test]
    fn custom_properties_beyond_a_limit_cannot_tell() {
        let declared = |count: usize| {
            let all: String = (0..count).map(|n| format!("--a{n}:1;")).collect();
            format!("p{{{all}color:#999}}")
        };
        let text = "<p>Some text";
        assert_eq!(failures(&declared(MAX_DECLARATIONS - 1), text).len(), 1);
        let found = with_sheet(&declared(MAX_DECLARATIONS), text);
        assert!(matches!(found, Outcome::CannotTell(_)), "{found:?}");
        // Each element has a long value of its own.
        let values = |count: usize| {
            let long = "x".repeat(8_000);
            let elements = (0..count).map(|n| format!("<i style='--a:{n}{long}'></i>"));
            let elements: String = elements.collect();
            format!("{elements}<p style='--b:#999;color:var(--b)'>Some text")
        };
        assert_fails(&COLOR_CONTRAST, &values(10), 1);
        let found = outcome(&COLOR_CONTRAST, &values(MAX_VARIABLE_BYTES / 8_000 + 1));
        assert!(matches!(found, Outcome::CannotTell(_)), "{found:?}");
    }

    #[test]
    fn pages_beyond_a_limit_cannot_tell() {
        let overlays = |count: usize| {
            let overlay = "<i style='position:absolute;background:red;width:9px;height:9px'></i>";
            format!("{}<p style='color:#999'>Some text", overlay.repeat(count))
        };
        assert_fails(&COLOR_CONTRAST, &overlays(100), 1);
        let registered = |count: usize| {
            let rules: String = (0..count)
                .map(|n| format!("@property --p{n}{{syntax:'*';inherits:false}}"))
                .collect();
            format!("<style>{rules}</style><p style='color:#999'>Some text")
        };
        assert_fails(&COLOR_CONTRAST, &registered(MAX_REGISTERED_PROPERTIES), 1);
        for html in [
            overlays(MAX_OVERLAYS + 1),
            registered(MAX_REGISTERED_PROPERTIES + 1),
            "<div>".repeat(80) + "<p style='color:#999'>Some text",
        ] {
            let found = outcome(&COLOR_CONTRAST, &html);
            assert!(matches!(found, Outcome::CannotTell(_)), "{found:?}");
        }
        let kinds: String = (0..=MAX_KINDS)
            .map(|n| format!("<i class=a{n}></i>"))
            .collect();
        let page = Page::builder().html(&format!("{kinds}<p style='color:#999'>Some text"));
        let found = outcome_of(&COLOR_CONTRAST, &page);
        assert!(matches!(found, Outcome::CannotTell(_)), "{found:?}");
        assert!(page.limits_reached().contains(&Limit::Styles));
    }

    #[test]
    fn texts_after_very_many_comparisons_are_unknown() {
        // Each text is compared with each of the other elements in each width.
        let overlay = "<i style='position:absolute;background:red;width:9px;height:9px'></i>";
        let overlays = overlay.repeat(1_000);
        let most = MAX_OVERLAY_STEPS / 1_000 / Width::ALL.len();
        let failing = |texts: usize| {
            let text = "<p style='color:#999'>Some text</p>".repeat(texts);
            match outcome(&COLOR_CONTRAST, &format!("{overlays}{text}")) {
                Outcome::Failed(found) => usize::try_from(found.total()).unwrap(),
                _ => 0,
            }
        };
        assert_eq!(failing(most - 1), most - 1);
        // The last of them is known in some widths.
        assert_eq!(failing(most + 5), most + 1);
    }

    #[test]
    fn a_text_behind_very_many_children_is_not_searched() {
        let html =
            |before: usize| format!("<p style='color:#999'>{}Some text", "<br>".repeat(before));
        assert_fails(&COLOR_CONTRAST, &html(MAX_CHILDREN - 1), 1);
        assert_not_applicable(&COLOR_CONTRAST, &html(MAX_CHILDREN));
    }

    #[test]
    fn texts_that_are_folded_are_not_judged() {
        let body = |open: &str| {
            format!("<details {open}><summary>Title</summary><p class=x>Some text</details>")
        };
        assert_eq!(with_sheet(".x{color:#999}", &body("")), Outcome::Passed);
        assert_eq!(failures(".x{color:#999}", &body("open")).len(), 1);
        assert_eq!(failures("summary{color:#999}", &body("")).len(), 1);
    }

    #[test]
    fn texts_in_one_pair_of_colors_are_one_cause() {
        let body = "<p class=x>Some text</p><p class=x>Other text</p><p class=y>More text</p>";
        let Outcome::Failed(found) = with_sheet(".x{color:#999}.y{color:#aaa}", body) else {
            panic!("no failures");
        };
        let keys: Vec<_> = found
            .iter()
            .map(|one| one.cause.as_ref().unwrap().key.as_str())
            .collect();
        assert_eq!(
            keys,
            [
                "#999999 on #ffffff",
                "#999999 on #ffffff",
                "#aaaaaa on #ffffff"
            ]
        );
        assert_eq!(
            found[0].message,
            "The text has a contrast ratio of 2.84:1 (#999999 on #ffffff); expected at least 4.5:1, for example with the text color #767676. The style sheet /site.css sets the color."
        );
    }

    #[test]
    fn other_elements_that_may_be_behind_or_over_the_text_make_it_unknown() {
        let hero = "<section><img src=x alt=''><div class=t><p class=x>Some text</div></section>";
        for (css, body) in [
            (
                "img{position:absolute;inset:0}section,.t{position:relative}",
                hero,
            ),
            (
                "img{position:absolute;z-index:-1}section{position:relative}",
                hero,
            ),
            (
                "section{position:relative}section::before{content:'';position:absolute;inset:0;background:rgba(0,0,0,.5)}",
                hero,
            ),
            (
                "section{position:relative}section::after{content:'';position:absolute;z-index:-1;background:#000}",
                hero,
            ),
            (".t{position:absolute;top:0}", hero),
            (".t{margin-top:-80px}", hero),
            (".t{transform:translateY(-50%)}", hero),
            (".t{float:left}", hero),
            (".t{position:relative;top:-3rem}", hero),
            ("section{filter:invert(1)}", hero),
            ("section{background-image:url(x)}", hero),
            (
                "section{background:linear-gradient(#fff,#fff) no-repeat;background-size:0 2px}",
                hero,
            ),
            ("section>*{grid-area:1/1}", hero),
            ("@container (min-width:1px){.x{color:#000}}", hero),
            ("section:has(img){background:#000}", hero),
            (".x{box-shadow:inset 0 0 0 9999px #000}", hero),
            (":root{color-scheme:dark}", hero),
            (".x{-webkit-text-fill-color:#000}", hero),
            (".x{all:unset}", hero),
            ("section{background:var(--a)}.theme{--a:#000}", hero),
            (
                "table{background:#000}caption{color:#333}",
                "<table><caption>Some text</caption><tr><td>a</table>",
            ),
            (
                "",
                "<table><col style='background:#000'><tr><td class=x>Some text</table>",
            ),
        ] {
            let css = format!(".x{{color:#999}}{css}");
            let found = with_sheet(&css, body);
            assert!(matches!(found, Outcome::CannotTell(_)), "{css}: {found:?}");
        }
    }

    #[test]
    fn elements_elsewhere_leave_the_text_certain() {
        let hero = "<section><img src=x alt=''><div class=t><p class=x>Some text</div></section>";
        for css in [
            // It is not shown, paints nothing, is small and above the text, or in another box.
            "img{position:absolute;inset:0;display:none}",
            "section{position:relative}section::after{content:'';position:absolute;inset:0}",
            "section{position:relative}section::after{position:absolute;inset:0;background:#000}",
            "section{position:relative}img{position:absolute;top:0;width:9px;height:9px}",
            "section{position:relative}.t{position:relative;background:#fff}img{position:absolute;inset:0}",
            "img{position:fixed;top:0;left:0;right:0;height:9px}",
            ".t{position:relative;z-index:1}",
            ".t{position:sticky;top:0}",
            ".t{margin:0 -15px}",
            ".t{float:left;background:#fff}",
            ".t{position:absolute;background:#fff}",
            ".t{transform:translateX(-50%);background:#fff}",
            ".t{transform:translate(0,0)}",
            "section{background:var(--a)}",
            "section{background:var(--a,#fff)}.theme{--a:#000}",
            "section{position:relative}section:hover::after{content:'';position:absolute;inset:0;background:#000}",
        ] {
            let css = format!(".x{{color:#999}}{css}");
            let found = failures(&css, hero);
            assert!(
                matches!(&found[..], [one] if one.contains("#999999 on #ffffff")),
                "{css}: {found:?}"
            );
        }
        let nav = "<nav><i></i>Menu</nav><p class=x>Some text";
        let css = "nav{position:relative}i{position:absolute;inset:0;background:#000}.x{color:#999;position:relative}";
        assert_eq!(failures(css, nav).len(), 1);
    }

    #[test]
    fn a_size_that_may_differ_counts_if_each_is_large_or_none_is() {
        let css = ".x{color:#999;font-size:12px}@media (hover){.x{font-size:13px}}";
        assert_eq!(failures(css, "<p class=x>Some text").len(), 1);
        let css = ".x{color:#888;font-size:12px}@media (hover){.x{font-size:30px}}";
        assert!(matches!(
            with_sheet(css, "<p class=x>Some text"),
            Outcome::CannotTell(_)
        ));
        let css = ".x{color:#888;font-size:clamp(1.6rem,5vw,3rem)}";
        assert_eq!(with_sheet(css, "<p class=x>Some text"), Outcome::Passed);
    }

    #[test]
    fn sheets_that_are_not_known_make_all_texts_unknown() {
        for html in [
            "<link rel=stylesheet href=x><p>Some text",
            "<link rel=preload as=style href=x onload=y()><p>Some text",
            "<style>@import 'x';</style><p>Some text",
            "<style>@import 'https://example.com/inter.css';</style><p>Some text",
        ] {
            let found = outcome(&COLOR_CONTRAST, html);
            assert!(matches!(found, Outcome::CannotTell(_)), "{html}: {found:?}");
        }
        let imported =
            "<style>@import url('https://rsms.me/inter/inter.css');p{color:#999}</style>";
        assert_fails(&COLOR_CONTRAST, &format!("{imported}<p>Some text"), 1);
        let fonts = "<link rel=preload as=style href='https://fonts.googleapis.com/css2?family=A'><link rel=stylesheet href='https://fonts.googleapis.com/css2?family=A'>";
        assert_fails(
            &COLOR_CONTRAST,
            &format!("{fonts}<p style='color:#999'>Some text"),
            1,
        );
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
            "<p style='color:#aaa;background:url(x)'>Some text",
            "<p style='color:#aaa;text-shadow:0 0 1px #000'>Some text",
            "<p style='color:#000;background:linear-gradient(#fff,#000)'>Some text",
            "<p style='color:#000;background:linear-gradient(#fff,#000) no-repeat'>Some text",
            "<p style='opacity:env(x)'>Some text",
            "<p style='color:#888;font-size:9vh'>Some text",
            "<button style='color:#aaa'>Some text</button>",
            "<style>@media(hover){p{background:#000}}</style><p style='color:#aaa'>Some text",
            "<i style='position:fixed;background:red;z-index:-1'></i><p style='color:#aaa'>Some text",
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
            "<button disabled style='color:#aaa;background:#fff'>Some text</button>",
            "<label style='color:#aaa'>Some text<input disabled></label>",
            "<div aria-disabled=true><p style='color:#aaa'>Some text</div>",
            "<p style='color:#aaa;opacity:0'>Some text",
            "<select><option style='color:#aaa'>Some text</select>",
        ] {
            assert_not_applicable(&COLOR_CONTRAST, html);
        }
    }
}
