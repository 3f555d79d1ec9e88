//! Finds links in a text that only their color tells from it.

use std::collections::HashSet;

use crate::check::{Outcome, Verdict};
use crate::common::text::text_block::TextBlocks;
use crate::declare_check;
use crate::dom::{ElementRef, NodeId};
use crate::layout::{Border, BoxKind, Clips, ComputedStyle, Flow, Layout};
use crate::style::Color;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// A link in a text differs from the text around it by more than a color that is hard to see: it is underlined, or
    /// has a border, a background, or another weight, style, size or font. Otherwise the contrast between the
    /// color of the link and that of the text is at least 3:1.
    ///
    /// ## Why it matters
    /// Users who do not see colors, and users of a pale screen, do not notice that a part of the text is a link.
    ///
    /// ## How to fix it
    /// Underline links in texts: `p a { text-decoration: underline }`. Or choose a color of links whose contrast is at
    /// least 3:1 with the color of the text, and at least 4.5:1 with the background, and mark the link that has the focus
    /// or the pointer by more than its color.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Ferry</title><style>p { color: #222 } a { color: #0645ad; text-decoration: none }</style><p>The ferry leaves at eight. Read the <a href="/fares">fares</a> before you travel.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Ferry</title><style>p { color: #222 } a { color: #0645ad }</style><p>The ferry leaves at eight. Read the <a href="/fares">fares</a> before you travel.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check needs a browser. It evaluates links that stand in a line of text which is longer than the links in it. It
    /// cannot tell if a link has an image or generated content, a background color of its own, or a part in another font,
    /// such as `code`, or if a color is translucent. Links in the color of the text pass: nobody can tell them apart, so they do not rely on color. Styles
    /// of links that have the focus or the pointer are not evaluated.
    ///
    /// ## Also known as
    /// - axe: `link-in-text-block`
    /// - Lighthouse: `link-in-text-block`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.4.1 Use of Color (A)
    LINK_IN_TEXT_BLOCK {
        id: "link-in-text-block",
        title: "Links distinguishable only by color",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// The smallest contrast between the colors of a link and of the text around it (WCAG technique G183).
const MIN_CONTRAST: f64 = 3.0;

/// Elements in a link that are looked at, and elements between it and its block.
const MAX_ELEMENTS: usize = 200;

const NO_LAYOUT: &str = "The browser did not say where the parts of the page are.";
const PICTURE: &str =
    "A link has an image or generated content, which may tell it from the text around it.";
const FONT: &str = "A part of a link has another font, which may tell it from the text around it.";
const BACKGROUND: &str = "A link has a background, which may tell it from the text around it.";
const COLORS: &str = "The color of a link, or of the text around it, is translucent or not known.";

fn evaluate(page: &Page) -> Outcome {
    let Some(layout) = page.layout() else {
        return Outcome::CannotTell(NO_LAYOUT);
    };
    let tree = page.access_tree();
    let clips = Clips::new(page.dom(), layout);
    let texts = TextBlocks::new(&tree, layout, &clips);
    let generated = generated(layout);
    let links = page.html("a").filter_map(|link| {
        let is_link = link.is("a")
            && link.has_attr("href")
            && link
                .attr("role")
                .is_none_or(|role| role.trim().eq_ignore_ascii_case("link"));
        let is_inline = layout
            .style(link.id())
            .is_some_and(|style| style.flow == Flow::Inline);
        if !is_link || !is_inline || tree.exposure(link).hidden {
            return None;
        }
        let piece = texts.around(link);
        let beside = piece
            .beside
            .filter(|_| piece.text.signs() > piece.in_controls.signs())?;
        Some((link, beside, piece.block))
    });
    let looking = Looking {
        layout,
        clips: &clips,
        generated: &generated,
    };
    Outcome::for_each(
        links.filter(|(link, _, _)| looking.text_style(*link).is_some()),
        |(link, beside, block)| {
            match looking.difference(link, beside, block) {
            Difference::Visible => Verdict::Pass,
            Difference::Unknown(reason) => Verdict::CannotTell(reason),
            Difference::OnlyColor(contrast) => tree.failure(
                link,
                format!(
                    "Only its color tells this link from the text around it, with a contrast of {contrast:.2}:1. Expected is an underline, or at least {MIN_CONTRAST}:1.",
                ),
            ),
        }
        },
    )
}

/// What tells a link from the text around it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Difference {
    Visible,
    /// A color with this contrast.
    OnlyColor(f64),
    Unknown(&'static str),
}

/// The elements that have generated content.
fn generated(layout: &Layout) -> HashSet<NodeId> {
    let boxes = layout.boxes().iter();
    boxes
        .filter(|found| found.kind == BoxKind::Generated)
        .map(|found| found.owner)
        .collect()
}

struct Looking<'a> {
    layout: &'a Layout,
    clips: &'a Clips,
    generated: &'a HashSet<NodeId>,
}

impl<'a> Looking<'a> {
    /// The styles of the first text of an element that can be seen.
    fn text_style(&self, element: ElementRef<'_>) -> Option<&'a ComputedStyle> {
        let own = std::iter::once(element).chain(element.descendants());
        own.take(MAX_ELEMENTS).find_map(|one| {
            let id = one.id();
            let within = self.clips.of_content(id).within;
            let mut runs = self.layout.runs(id).iter();
            let run = runs.find(|run| !run.rect.and(within).is_empty())?;
            let style = self.layout.style_of_run(run)?;
            (style.is_visible && !self.clips.is_unseen(id)).then_some(style)
        })
    }

    fn difference(
        &self,
        link: ElementRef<'_>,
        beside: NodeId,
        block: Option<NodeId>,
    ) -> Difference {
        let known = (
            self.layout.style(link.id()),
            self.text_style(link),
            self.layout.runs(beside).first(),
        );
        let (Some(own), Some(text), Some(run)) = known else {
            return Difference::Unknown(COLORS);
        };
        let Some(around) = self.layout.style_of_run(run) else {
            return Difference::Unknown(COLORS);
        };
        let inner = || link.descendants().take(MAX_ELEMENTS);
        let between = || {
            let up = link.ancestors().take(MAX_ELEMENTS);
            up.take_while(|up| Some(up.id()) != block).filter(|up| {
                self.layout
                    .style(up.id())
                    .is_some_and(|style| style.flow == Flow::Inline)
            })
        };
        let is_marked = |one: ElementRef<'_>| {
            let style = self.layout.style(one.id());
            style.is_some_and(|style| {
                style.has_text_line
                    || style.has_box_shadow
                    || style.border_below != Border::None
                    || style.background_image.is_some()
            })
        };
        if differs(own, around)
            || weighs_otherwise(text, around)
            || is_marked(link)
            || inner().any(is_marked)
            || between().any(is_marked)
        {
            return Difference::Visible;
        }
        let is_picture = |one: ElementRef<'_>| {
            let found = self.layout.box_of(one.id());
            found.is_some_and(|found| found.kind == BoxKind::Replaced)
                || self.generated.contains(&one.id())
        };
        if is_picture(link) || inner().any(is_picture) {
            return Difference::Unknown(PICTURE);
        }
        if differs(text, around) {
            return Difference::Unknown(FONT);
        }
        let (Some(color), Some(other)) = (
            Color::parse(&text.text_color),
            Color::parse(&around.text_color),
        ) else {
            return Difference::Unknown(COLORS);
        };
        // Compared as people read the figure.
        let contrast = (color.contrast(other) * 100.0).floor() / 100.0;
        if color.is_painted_as(other) || contrast >= MIN_CONTRAST {
            return Difference::Visible;
        }
        if color.alpha() < 1.0 || other.alpha() < 1.0 {
            return Difference::Unknown(COLORS);
        }
        match own.paints_behind() {
            true => Difference::Unknown(BACKGROUND),
            false => Difference::OnlyColor(contrast),
        }
    }
}

/// Whether the letters of two texts differ by more than their color.
fn differs(own: &ComputedStyle, around: &ComputedStyle) -> bool {
    weighs_otherwise(own, around)
        || own.font_size != around.font_size
        || own.first_font() != around.first_font()
}

fn weighs_otherwise(own: &ComputedStyle, around: &ComputedStyle) -> bool {
    own.font_weight != around.font_weight || own.is_italic != around.is_italic
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::assert_marked_fail;
    use crate::layout::{LayoutBuilder, Rect, TextRun};

    /// A page that Chromium showed.
    fn links() -> Page {
        Page::recorded(
            include_str!("../../snapshot/recorded/links.html"),
            include_str!("../../snapshot/recorded/links.json"),
        )
    }

    #[test]
    fn links_that_only_color_tells_from_their_text_fail() {
        let found = assert_marked_fail(&LINK_IN_TEXT_BLOCK, &links());
        assert_eq!(
            found.first().unwrap().message,
            "Only its color tells this link from the text around it, with a contrast of 1.86:1. Expected is an underline, or at least 3:1."
        );
    }

    #[test]
    fn what_only_people_see_cannot_tell() {
        let page = links();
        let layout = page.layout().unwrap();
        let tree = page.access_tree();
        let clips = Clips::new(page.dom(), layout);
        let texts = TextBlocks::new(&tree, layout, &clips);
        let generated = generated(layout);
        let looking = Looking {
            layout,
            clips: &clips,
            generated: &generated,
        };
        for (id, expected) in [
            ("image", PICTURE),
            ("generated", PICTURE),
            ("background", BACKGROUND),
            ("translucent", COLORS),
            ("part", FONT),
        ] {
            let link = page.by_id(id).unwrap();
            let piece = texts.around(link);
            let found = looking.difference(link, piece.beside.unwrap(), piece.block);
            assert_eq!(found, Difference::Unknown(expected), "{id}");
        }
    }

    #[test]
    fn text_after_very_many_elements_of_a_link_is_not_looked_at() {
        let has_text = |elements: usize| {
            let html = format!("<a href=/>{}<b>x</b></a>", "<i></i>".repeat(elements));
            let page = Page::builder().html(&html);
            let mut builder = LayoutBuilder::default();
            let style = builder.style(&[], || ComputedStyle::read(|_| ""));
            let text = page.html("b").next().unwrap();
            let run = TextRun {
                rect: Rect::new([0.0, 0.0, 20.0, 20.0]),
                paint: 0,
                text: 0,
                style,
            };
            builder.add_run(text.id(), run);
            let layout = builder.finish();
            let clips = Clips::new(page.dom(), &layout);
            let looking = Looking {
                layout: &layout,
                clips: &clips,
                generated: &HashSet::new(),
            };
            looking.text_style(page.html("a").next().unwrap()).is_some()
        };
        assert!(has_text(MAX_ELEMENTS - 2));
        assert!(!has_text(MAX_ELEMENTS));
    }
}
