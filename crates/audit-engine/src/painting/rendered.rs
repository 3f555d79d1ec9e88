//! The colors of texts, and of what is behind them, where a browser painted them.
//!
//! A result is certain: it is unknown if an image, or anything that is not of one color, is behind a text, and if
//! something is painted over it.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Looks, OpenText, PaintedText, Painting, UNKNOWN_RENDERED, has_own_text, is_dark};
use crate::aria::AccessTree;
use crate::bounds::style::{MAX_LENGTH_ANCESTORS, MAX_OVERLAY_STEPS};
use crate::dom::{ElementRef, NodeId};
use crate::gather::{MAX_PICTURED_TEXTS, TextColors};
use crate::layout::{BoxKind, ComputedStyle, Layout, LayoutBox, Overflow, Position, Rect, TextRun};
use crate::page::ParsedPage;
use crate::style::{Backdrop, Color, MAX_PAIRS, Stack, TextLook, Widths, backdrop};

/// Lines of one element that are looked at.
const MAX_RUNS: usize = 30;

/// Looks that a new one is compared with.
const MAX_RECENT: usize = 64;

/// Groups of shadowed texts that look the same. Those of further groups are looked at one by one.
const MAX_GROUPS: usize = 64;

impl Painting {
    /// The texts of a page as a browser painted them.
    pub(crate) fn of_layout(page: &ParsedPage, tree: &AccessTree<'_>, layout: &Layout) -> Self {
        let mut painting = Self {
            is_rendered: true,
            ..Self::default()
        };
        if page.meta("color-scheme").is_some_and(is_dark) {
            painting.unknown = Some(UNKNOWN_RENDERED);
            return painting;
        }
        let mut painter = Painter::new(page, layout);
        for element in page.elements() {
            let exposure = tree.exposure(element);
            if exposure.hidden
                || exposure.withheld
                || !element.is_html()
                || !has_own_text(element, layout)
            {
                continue;
            }
            if let Some(Appearance { looks, unshadowed }) = painter.appearance(element) {
                if painting.open.len() < MAX_PICTURED_TEXTS
                    && looks.iter().any(|(_, look)| is_open(look.as_deref()))
                {
                    painting.open.extend(painter.open_text(element, unshadowed));
                }
                let looks = painting.place_of(looks);
                let node = element.id();
                painting.texts.push(PaintedText { node, looks });
            }
        }
        painting.is_cut = painter.steps == 0;
        painting
    }

    /// The same texts, but with the colors of some read from pictures. `colors` has each text with its element.
    pub(crate) fn with_colors(mut self, layout: &Layout, colors: &[(NodeId, TextColors)]) -> Self {
        let declared: HashMap<NodeId, Color> =
            (self.open.iter().map(|open| (open.node, open.color))).collect();
        let colors: HashMap<NodeId, &TextColors> =
            (colors.iter().map(|(node, colors)| (*node, colors))).collect();
        let mut texts = std::mem::take(&mut self.texts);
        for text in &mut texts {
            let Some(((seen, color), run)) = colors
                .get(&text.node)
                .zip(declared.get(&text.node))
                .zip(layout.runs(text.node).first())
            else {
                continue;
            };
            let style = layout.style_of_run(run);
            let look = TextLook {
                font_size: style.and_then(|style| style.font_size.map(|size| (size, size))),
                font_weight: style.and_then(|style| style.font_weight),
                ..TextLook::of_picture(*color, seen)
            };
            text.looks = self.place_of(vec![(Widths::NONE.not(), Some(Arc::new(look)))]);
        }
        self.texts = texts;
        self
    }

    /// The index of these looks, which may be known.
    fn place_of(&mut self, looks: Looks) -> usize {
        let known = self.looks.iter().rev().take(MAX_RECENT);
        if let Some(back) = known.into_iter().position(|known| *known == looks) {
            return self.looks.len() - 1 - back;
        }
        self.looks.push(looks);
        self.looks.len() - 1
    }
}

/// Whether a picture may tell more of a text than its styles: they do not tell its colors, or these differ from place to
/// place so that its contrast may be sufficient or not.
fn is_open(look: Option<&TextLook>) -> bool {
    look.is_none_or(|look| look.varies && look.best >= LEAST_REQUIRED && look.worst < MOST_REQUIRED)
}

/// The lowest and the highest contrast ratio that WCAG requires of a text.
const LEAST_REQUIRED: f64 = 3.0;
const MOST_REQUIRED: f64 = 7.0;

/// The canvas: the background of the root element, or that of the body, covers it (CSS Backgrounds and Borders Level 3,
/// section 2.11.1).
struct Canvas {
    /// `None` if it is not of one color.
    color: Option<Color>,
    /// The element whose background is the canvas.
    source: Option<NodeId>,
}

fn canvas(page: &ParsedPage, layout: &Layout) -> Canvas {
    let candidates = [page.root(), page.body()].into_iter().flatten();
    for element in candidates {
        let Some(style) = layout.style(element.id()) else {
            continue;
        };
        let source = Some(element.id());
        let color = match behind(style) {
            Backdrop::Clear => continue,
            Backdrop::Colors(colors) => match colors.as_slice() {
                [color] => Some(color.over(Color::WHITE)),
                _ => None,
            },
            Backdrop::Unknown => None,
        };
        return Canvas { color, source };
    }
    Canvas {
        color: Some(Color::WHITE),
        source: None,
    }
}

/// What a box paints behind its content.
fn behind(style: &ComputedStyle) -> Backdrop {
    if style.is_clipped_to_text {
        return Backdrop::Unknown;
    }
    backdrop(
        &style.background_color,
        style.background_image.as_deref(),
        style.image_fills,
    )
}

/// Finds the looks of texts.
struct Painter<'a> {
    page: &'a ParsedPage,
    layout: &'a Layout,
    canvas: Canvas,
    /// How many more boxes are compared with texts.
    steps: usize,
    /// Of each group of shadowed texts that look the same: how they would look without their shadow, and the shadow.
    groups: Vec<(Arc<TextLook>, &'a str)>,
}

/// How a text looks.
struct Appearance {
    /// Not empty.
    looks: Looks,
    /// How a shadowed text would look without its shadow, if all of it would look the same.
    unshadowed: Option<Arc<TextLook>>,
}

/// The elements around a text, from inside out, with what matters of them.
struct Chain<'a> {
    elements: Vec<ElementRef<'a>>,
    /// Whether an effect on one of them makes the colors unknown.
    is_disturbed: bool,
    /// Whether the text has a shadow, which makes the colors around its letters unknown.
    is_shadowed: bool,
    nodes: Vec<NodeId>,
    /// Elements that are painted as a group with this opacity, from inside out.
    groups: Vec<(NodeId, f64)>,
}

impl<'a> Painter<'a> {
    fn new(page: &'a ParsedPage, layout: &'a Layout) -> Self {
        Self {
            page,
            layout,
            canvas: canvas(page, layout),
            steps: MAX_OVERLAY_STEPS,
            groups: Vec::new(),
        }
    }

    /// How the text of an element looks; `None` if it cannot be seen.
    fn appearance(&mut self, element: ElementRef<'a>) -> Option<Appearance> {
        let (mut least, mut is_unknown): (Option<Arc<TextLook>>, bool) = (None, false);
        let mut shadowed: Vec<Arc<TextLook>> = Vec::new();
        let runs = self.layout.runs(element.id());
        let chain = self.chain(element);
        for run in runs.iter().take(MAX_RUNS) {
            let stack = match &chain {
                Some(chain) => self.stack(element, chain, run),
                None => Stack::Unknown,
            };
            let is_shadowed = chain.as_ref().is_some_and(|chain| chain.is_shadowed);
            match stack {
                Stack::Invisible => {}
                Stack::Known(look) if is_shadowed => shadowed.push(look),
                Stack::Unknown => is_unknown = true,
                Stack::Known(look) => {
                    if least.as_ref().is_none_or(|least| look.best < least.best) {
                        least = Some(look);
                    }
                }
            }
        }
        let all = Widths::NONE.not();
        let known = least.map(|look| (all, Some(look)));
        let unknown = (is_unknown || !shadowed.is_empty()).then_some((all, None));
        let looks: Looks = known.into_iter().chain(unknown).collect();
        let unshadowed = shadowed
            .pop()
            .filter(|last| !is_unknown && !last.varies && shadowed.iter().all(|look| look == last));
        (!looks.is_empty()).then_some(Appearance { looks, unshadowed })
    }

    /// The number of the group of a text that would look like this without its shadow. Only their letters differ. None if there are
    /// too many groups.
    fn group(&mut self, look: Arc<TextLook>, shadow: &'a str) -> Option<usize> {
        let group = (look, shadow);
        if let Some(known) = self.groups.iter().position(|known| *known == group) {
            return Some(known);
        }
        let number = self.groups.len();
        if number >= MAX_GROUPS {
            return None;
        }
        self.groups.push(group);
        Some(number)
    }

    /// The text of an element as one whose colors are read from pictures; `None` if pictures do not tell them for sure.
    fn open_text(
        &mut self,
        element: ElementRef<'a>,
        unshadowed: Option<Arc<TextLook>>,
    ) -> Option<OpenText> {
        let runs = self.layout.runs(element.id());
        let own = self.layout.style_of_run(runs.first()?)?;
        let chain = self.chain(element)?;
        let has_other_colors = |element: &ElementRef<'_>| {
            let style = self.layout.style(element.id());
            style.is_some_and(|style| style.has_effect || style.is_turned)
        };
        if own.is_clipped_to_text || chain.elements.iter().any(has_other_colors) {
            return None;
        }
        let moves = |run: &TextRun| {
            let mut boxes = self.layout.painted_in(run.rect);
            boxes.any(|found| found.kind == BoxKind::Replaced && self.moves(found.owner))
        };
        if runs.iter().take(MAX_RUNS).any(moves) {
            return None;
        }
        let opacity: f64 = chain.groups.iter().map(|(_, opacity)| opacity).product();
        let color = Color::parse(&own.text_color)?.faded(opacity);
        if color.alpha() <= 0.0 {
            return None;
        }
        let shadow = own.text_shadow.as_deref();
        let group = unshadowed.zip(shadow);
        Some(OpenText {
            node: element.id(),
            color,
            group: group.and_then(|(look, shadow)| self.group(look, shadow)),
        })
    }

    /// Whether what an element shows may differ from moment to moment.
    fn moves(&self, node: NodeId) -> bool {
        self.page.element(node).is_some_and(|element| {
            matches!(
                element.name(),
                "video" | "canvas" | "iframe" | "frame" | "object" | "embed"
            )
        })
    }

    /// The elements around a text; `None` if there are too many.
    fn chain(&self, element: ElementRef<'a>) -> Option<Chain<'a>> {
        let mut elements: Vec<ElementRef<'a>> = vec![element];
        elements.extend(element.ancestors().take(MAX_LENGTH_ANCESTORS + 1));
        if elements.len() > MAX_LENGTH_ANCESTORS {
            return None;
        }
        let nodes = elements.iter().map(|element| element.id()).collect();
        let opacity = |element: &ElementRef<'a>| {
            let style = self.layout.style(element.id())?;
            (style.opacity < 1.0).then_some((element.id(), style.opacity))
        };
        let groups = elements.iter().filter_map(opacity).collect();
        let is_disturbed = |element: &ElementRef<'_>| {
            let style = self.layout.style(element.id());
            style.is_some_and(|style| {
                style.has_effect || style.is_turned || style.clip_path.is_some()
            })
        };
        let is_shadowed = |element: &ElementRef<'_>| {
            let style = self.layout.style(element.id());
            style.is_some_and(|style| style.text_shadow.is_some())
        };
        Some(Chain {
            is_disturbed: elements.iter().any(is_disturbed),
            is_shadowed: elements.iter().any(is_shadowed),
            elements,
            nodes,
            groups,
        })
    }

    /// How a part of a text looks, without its shadow.
    fn stack(&mut self, element: ElementRef<'a>, chain: &Chain<'a>, run: &TextRun) -> Stack {
        let Some(own) = self.layout.style_of_run(run) else {
            return Stack::Unknown;
        };
        let is_tiny = own.font_size.is_some_and(|size| size < 1.0);
        let is_faded_out = chain.groups.iter().any(|(_, opacity)| *opacity <= 0.0);
        if !own.is_visible || is_tiny || is_faded_out {
            return Stack::Invisible;
        }
        let Some(color) = Color::parse(&own.text_color) else {
            return Stack::Unknown;
        };
        if color.alpha() <= 0.0 {
            return Stack::Invisible;
        }
        let (seen, scroller) = match self.visible_part(chain, run.rect) {
            Part::Nothing => return Stack::Invisible,
            Part::Of(rect) => (rect, None),
            Part::ScrolledIn(scroller) => (run.rect, Some(scroller)),
        };
        if own.is_clipped_to_text || chain.is_disturbed {
            return Stack::Unknown;
        }
        let mut boxes: Vec<&LayoutBox> = self.layout.painted_in(seen).collect();
        if self.steps < boxes.len() {
            self.steps = 0;
            return Stack::Unknown;
        }
        self.steps -= boxes.len();
        boxes.retain(|found| {
            Some(found.owner) != self.canvas.source || found.kind != BoxKind::Element
        });
        if let Some(scroller) = scroller {
            // What is outside of the scroller is at other places when the text has been scrolled to.
            boxes.retain(|found| found.owner != scroller && self.is_in(found, scroller));
            // It is painted before everything in it.
            boxes.splice(0..0, self.layout.box_of(scroller));
        }
        // The last painted first: in one layer that is the order of the document.
        boxes.reverse();
        boxes.sort_by_key(|found| std::cmp::Reverse(found.paint));
        let is_over = |found: &&LayoutBox| {
            // What follows in the same layer may be painted before the text or after it.
            let follows = found.paint == run.paint
                && found.owner.index() > element.id().index()
                && !chain.nodes.contains(&found.owner);
            found.paint > run.paint || follows
        };
        let (over, below): (Vec<&LayoutBox>, Vec<&LayoutBox>) =
            boxes.into_iter().partition(is_over);
        if over
            .into_iter()
            .any(|found| self.covers(chain, found, seen))
        {
            return Stack::Unknown;
        }
        let Some(pairs) = self.pairs(chain, color, &below, (seen, scroller)) else {
            return Stack::Unknown;
        };
        if scroller.is_some() && !covered(&pairs) {
            return Stack::Unknown;
        }
        let Some(canvas) = self
            .canvas
            .color
            .or_else(|| covered(&pairs).then_some(Color::WHITE))
        else {
            return Stack::Unknown;
        };
        let look = TextLook::of_pairs(pairs, canvas).map(|look| TextLook {
            color,
            font_size: own.font_size.map(|size| (size, size)),
            font_weight: own.font_weight,
            ..look
        });
        look.map_or(Stack::Unknown, |look| Stack::Known(Arc::new(look)))
    }

    /// The part of a text that its ancestors do not cut off.
    fn visible_part(&self, chain: &Chain<'_>, rect: Rect) -> Part {
        let mut seen = rect;
        let mut scroller = None;
        // Whether the element that holds the text is positioned in an element further out.
        let mut escape = Position::Static;
        for element in &chain.elements {
            let Some(found) = self.layout.box_of(element.id()) else {
                continue;
            };
            let Some(style) = self.layout.style_of(found) else {
                continue;
            };
            let is_out = match escape {
                Position::Fixed => true,
                Position::Absolute => style.position == Position::Static,
                Position::Static | Position::Relative => false,
            };
            if !is_out {
                escape = Position::Static;
                match style.overflow {
                    Overflow::Visible => {}
                    Overflow::Hidden => seen = seen.and(found.rect),
                    // Then the question is whether the scroller can be seen.
                    Overflow::Scrolled if !seen.is_empty() && !found.rect.contains(seen) => {
                        scroller.get_or_insert(element.id());
                        seen = found.rect;
                    }
                    Overflow::Scrolled => {}
                }
                if matches!(style.position, Position::Absolute | Position::Fixed) {
                    escape = style.position;
                }
            }
        }
        // What keeps its place in the window is not scrolled to.
        let is_off_window = escape == Position::Fixed
            && (self.layout.window()).is_some_and(|window| seen.and(window).is_empty());
        let is_outside = seen.right <= 0.0 || seen.bottom <= 0.0 || is_off_window;
        match (seen.is_empty() || is_outside, scroller) {
            (true, _) => Part::Nothing,
            (false, Some(scroller)) => Part::ScrolledIn(scroller),
            (false, None) => Part::Of(seen),
        }
    }

    /// Whether a box that is painted later hides a part of a text, or changes its colors.
    fn covers(&self, chain: &Chain<'_>, found: &LayoutBox, seen: Rect) -> bool {
        match self.foreign(chain, found) {
            Foreign::Unknown => true,
            Foreign::Shown { opacity, rect } => opacity > 0.0 && !rect.and(seen).is_empty(),
        }
    }

    /// The colors of the text and those behind it, from the text downwards; `None` if they are not known. `below` begins
    /// with the box that is painted last.
    fn pairs(
        &self,
        chain: &Chain<'_>,
        color: Color,
        below: &[&LayoutBox],
        (seen, scroller): (Rect, Option<NodeId>),
    ) -> Option<Vec<(Color, Color)>> {
        let mut pairs = vec![(color, Color::CLEAR)];
        let mut groups = chain.groups.iter().peekable();
        for found in below {
            while let Some((group, opacity)) =
                groups.next_if(|(group, _)| !self.is_in(found, *group))
            {
                debug_assert!(chain.nodes.contains(group));
                fade(&mut pairs, *opacity);
            }
            if covered(&pairs) {
                break;
            }
            let is_around = found.kind == BoxKind::Element && chain.nodes.contains(&found.owner);
            let (opacity, rect) = match self.foreign(chain, found) {
                _ if is_around => (1.0, found.rect),
                Foreign::Unknown => return None,
                Foreign::Shown { opacity, rect } => (opacity, rect),
            };
            let is_scroller = Some(found.owner) == scroller && is_around;
            if opacity <= 0.0 || (rect.and(seen).is_empty() && !is_scroller) {
                continue;
            }
            // A scroller is behind everything that is scrolled to in it.
            if (!rect.contains(seen) && !is_scroller) || found.kind == BoxKind::Replaced {
                return None;
            }
            let style = self.layout.style_of(found)?;
            let behind = match style.image_tile {
                // The image is beside the text.
                Some(tile) if !is_scroller && tile.within(found.rect).and(seen).is_empty() => {
                    backdrop(&style.background_color, None, style.image_fills)
                }
                _ => behind(style),
            };
            match behind {
                Backdrop::Clear => {}
                Backdrop::Unknown => return None,
                Backdrop::Colors(colors) => {
                    if pairs.len() * colors.len() > MAX_PAIRS {
                        return None;
                    }
                    let under = |(text, background): &(Color, Color)| {
                        let (text, background) = (*text, *background);
                        let each = move |color: &Color| {
                            let color = color.faded(opacity);
                            (text.over(color), background.over(color))
                        };
                        colors.iter().map(each).collect::<Vec<_>>()
                    };
                    pairs = pairs.iter().flat_map(under).collect();
                }
            }
        }
        for (_, opacity) in groups {
            fade(&mut pairs, *opacity);
        }
        Some(pairs)
    }

    /// Whether a box is in an element, or is its own.
    fn is_in(&self, found: &LayoutBox, group: NodeId) -> bool {
        found.owner == group || self.page.dom().ancestors(found.owner).any(|up| up == group)
    }

    /// How a box is shown that is not around the text: what elements of its own do to it.
    fn foreign(&self, chain: &Chain<'_>, found: &LayoutBox) -> Foreign {
        let mut shown = (1.0, found.rect);
        let own = std::iter::once(found.owner).chain(self.page.dom().ancestors(found.owner));
        for node in own.take_while(|node| !chain.nodes.contains(node)) {
            let Some(around) = self.layout.box_of(node) else {
                continue;
            };
            let Some(style) = self.layout.style_of(around) else {
                continue;
            };
            if style.has_effect || style.is_turned || style.clip_path.is_some() {
                return Foreign::Unknown;
            }
            shown.0 *= style.opacity;
            if node != found.owner && style.overflow != Overflow::Visible {
                shown.1 = shown.1.and(around.rect);
            }
        }
        let (opacity, rect) = shown;
        Foreign::Shown { opacity, rect }
    }
}

/// The part of a text that can be seen.
enum Part {
    Nothing,
    Of(Rect),
    /// It can be scrolled to in this element, and is then in front of the background of that.
    ScrolledIn(NodeId),
}

/// How a box is shown.
enum Foreign {
    Unknown,
    Shown { opacity: f64, rect: Rect },
}

fn covered(pairs: &[(Color, Color)]) -> bool {
    let mut backgrounds = pairs.iter().map(|(_, background)| background);
    backgrounds.all(|background| background.alpha() >= 1.0)
}

fn fade(pairs: &mut [(Color, Color)], opacity: f64) {
    for (text, background) in pairs {
        *text = text.faded(opacity);
        *background = background.faded(opacity);
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::Outcome;
    use crate::checks::find;
    use crate::gather::ColorPair;
    use crate::layout::LayoutBuilder;
    use crate::view::Page;

    /// A page that Chromium showed.
    fn colors() -> Page {
        Page::recorded(
            include_str!("../snapshot/recorded/colors.html"),
            include_str!("../snapshot/recorded/colors.json"),
        )
    }

    /// The contrast of a text, and whether it is unknown in a part; none if the text cannot be seen.
    fn contrast(page: &Page, id: &str) -> Option<(Option<f64>, bool)> {
        let node = page.by_id(id).unwrap().id();
        let painting = page.painting();
        let text = painting.texts.iter().find(|text| text.node == node)?;
        let looks = &painting.looks[text.looks];
        let known = looks.iter().find_map(|(_, look)| look.as_deref());
        let is_unknown = looks.iter().any(|(_, look)| look.is_none());
        Some((
            known.map(|look| (look.best * 10.0).round() / 10.0),
            is_unknown,
        ))
    }

    #[rstest]
    #[case::plain("plain", Some((Some(2.8), false)))]
    #[case::dark("dark", Some((Some(21.0), false)))]
    #[case::on_a_box_that_is_not_around_it("on-sibling", Some((Some(15.9), false)))]
    #[case::below_a_box("under-sibling", Some((None, true)))]
    #[case::on_an_image("on-photo", Some((None, true)))]
    #[case::on_a_box_that_hides_an_image("on-box", Some((Some(2.8), false)))]
    #[case::in_a_faded_group("faded", Some((Some(4.0), false)))]
    #[case::in_an_invisible_group("unseen", None)]
    #[case::on_a_gradient("gradient", Some((Some(2.3), false)))]
    #[case::on_a_small_gradient("underlined", Some((None, true)))]
    #[case::with_a_shadow("shadow", Some((None, true)))]
    #[case::in_a_filter("filter", Some((None, true)))]
    #[case::for_screen_readers("hidden-part", None)]
    #[case::outside("outside", None)]
    #[case::with_a_style_of_a_script("adopted", Some((Some(2.3), false)))]
    #[case::in_nested_boxes("nested", Some((Some(2.8), false)))]
    #[case::with_a_box_moved_over_it("below-next", Some((None, true)))]
    #[case::cut_off("cut", None)]
    #[case::without_a_box_around("contents", Some((Some(2.8), false)))]
    fn the_colors_are_those_that_the_browser_painted(
        #[case] id: &str,
        #[case] expected: Option<(Option<f64>, bool)>,
    ) {
        assert_eq!(contrast(&colors(), id), expected);
    }

    #[test]
    fn the_check_reports_what_is_certain() {
        let page = colors();
        let check = find("color-contrast").unwrap();
        let Some(Outcome::Failed(found)) = check.evaluate_page(&page) else {
            panic!("no failures");
        };
        let ids = [
            "plain", "on-box", "faded", "gradient", "adopted", "contents", "nested",
        ];
        let lines: Vec<u32> = ids
            .iter()
            .map(|id| page.by_id(id).unwrap().line())
            .collect();
        let found: Vec<u32> = found.iter().filter_map(|evidence| evidence.line).collect();
        assert_eq!(found, lines);
    }

    #[test]
    fn sizes_and_lines_are_those_of_the_browser() {
        let page = colors();
        let styles = page.styles();
        let of = |id: &str| page.by_id(id).unwrap();
        assert_eq!(styles.font_size(of("bold")), Some(18.66));
        assert_eq!(styles.font_size(of("plain")), Some(16.0));
        assert_eq!(styles.wraps(of("wrapped")), Some(true));
        assert_eq!(styles.wraps(of("one-line")), Some(false));
        let Some(Outcome::Failed(found)) =
            find("text-spacing-inline").unwrap().evaluate_page(&page)
        else {
            panic!("no failures");
        };
        let lines: Vec<_> = found.iter().filter_map(|evidence| evidence.line).collect();
        assert_eq!(lines, [of("wrapped").line()]);
    }

    #[test]
    fn a_page_of_very_many_boxes_is_cut() {
        let page = colors();
        let layout = page.layout().unwrap();
        let mut painter = Painter::new(&page, layout);
        painter.steps = 1;
        // The box of the text itself, and one more behind it.
        let sibling = page.by_id("on-sibling").unwrap();
        let plain = painter.appearance(page.by_id("plain").unwrap()).unwrap();
        assert!(plain.looks[0].1.is_some());
        painter.steps = 0;
        let looks = painter.appearance(sibling).unwrap().looks;
        assert!(looks[0].1.is_none());
        assert_eq!(painter.steps, 0);
    }

    /// The colors of the text of an element in pictures.
    fn seen(page: &Page, id: &str, most: u8, least: u8) -> (NodeId, TextColors) {
        let pair = |behind| ColorPair {
            text: [255; 3],
            behind: [behind; 3],
        };
        let colors = TextColors {
            node: 0,
            least: pair(least),
            most: pair(most),
        };
        (page.by_id(id).unwrap().id(), colors)
    }

    #[rstest]
    #[case::sufficient(40, 60, Some((14.7, 11.0)))]
    #[case::insufficient(200, 240, Some((1.7, 1.1)))]
    fn a_text_on_an_image_has_the_colors_of_the_pictures(
        #[case] most: u8,
        #[case] least: u8,
        #[case] expected: Option<(f64, f64)>,
    ) {
        let page = colors();
        let layout = page.layout().unwrap();
        let painting = Painting::of_layout(&page, &page.access_tree(), layout);
        let found = painting.with_colors(layout, &[seen(&page, "on-photo", most, least)]);
        let rounded = |contrast: f64| (contrast * 10.0).round() / 10.0;
        let look = |id: &str| {
            let node = page.by_id(id).unwrap().id();
            let text = found.texts.iter().find(|text| text.node == node)?;
            let look = found.looks[text.looks].first()?.1.clone()?;
            Some((rounded(look.best), rounded(look.worst)))
        };
        assert_eq!(look("on-photo"), expected);
        // The others are as before.
        assert_eq!(look("plain"), Some((2.8, 2.8)));
        assert_eq!(look("shadow"), None);
    }

    #[test]
    fn colors_of_pictures_do_not_replace_those_that_styles_tell() {
        let page = colors();
        let layout = page.layout().unwrap();
        let of_layout = || Painting::of_layout(&page, &page.access_tree(), layout);
        for id in ["plain", "filter", "unseen"] {
            let found = of_layout().with_colors(layout, &[seen(&page, id, 240, 250)]);
            let expected = of_layout();
            assert_eq!(found.looks, expected.looks, "{id}");
        }
    }

    /// The groups of the texts that need pictures, of texts with these colors and shadows over white.
    fn groups(texts: &[(&str, &str)]) -> Vec<Option<usize>> {
        let page = Page::builder().html(&"<p>Some text</p>".repeat(texts.len()));
        let mut builder = LayoutBuilder::default();
        let rect = Rect::new([0.0, 0.0, 100.0, 20.0]);
        for (number, (element, (color, shadow))) in page.html("p").zip(texts).enumerate() {
            let style = builder.style(&[i64::try_from(number).unwrap()], || {
                ComputedStyle::read(|name| match name {
                    "color" => color,
                    "text-shadow" => shadow,
                    _ => "",
                })
            });
            builder.add(element.id(), BoxKind::Element, (rect, 0), style);
            let run = TextRun {
                rect,
                paint: 0,
                text: 0,
                style,
            };
            builder.add_run(element.id(), run);
        }
        let painting = Painting::of_layout(&page, &page.access_tree(), &builder.finish());
        painting.open.iter().map(|text| text.group).collect()
    }

    #[test]
    fn texts_with_the_same_shadow_and_the_same_colors_are_a_group() {
        let (black, gray) = ("rgb(0, 0, 0)", "rgb(90, 90, 90)");
        let (one, other) = ("rgb(0, 0, 0) 1px 1px 0px", "rgb(255, 255, 255) 0px 0px 9px");
        let texts = [
            (black, one),
            (gray, one),
            (black, other),
            (black, one),
            (gray, one),
        ];
        assert_eq!(
            groups(&texts),
            [Some(0), Some(1), Some(2), Some(0), Some(1)]
        );
        assert_eq!(groups(&[(black, "none")]), [], "no picture is needed");
    }

    #[test]
    fn the_number_of_groups_is_bounded() {
        let shadows: Vec<String> = (0..=MAX_GROUPS)
            .map(|width| format!("rgb(0, 0, 0) {width}px 1px 0px"))
            .collect();
        let texts: Vec<(&str, &str)> = shadows
            .iter()
            .map(|shadow| ("rgb(0, 0, 0)", &**shadow))
            .collect();
        let groups = groups(&texts);
        assert_eq!(groups[MAX_GROUPS - 1..], [Some(MAX_GROUPS - 1), None]);
    }

    #[test]
    fn pictures_are_asked_for_of_a_bounded_number_of_texts() {
        let open = |many| groups(&vec![("rgb(0, 0, 0)", "rgb(0, 0, 0) 1px 1px 0px"); many]).len();
        assert_eq!(open(MAX_PICTURED_TEXTS - 1), MAX_PICTURED_TEXTS - 1);
        assert_eq!(open(MAX_PICTURED_TEXTS + 1), MAX_PICTURED_TEXTS);
    }

    #[test]
    fn lines_after_very_many_are_not_looked_at() {
        let page = Page::builder().html("<p>Some text");
        let node = page.html("p").next().unwrap().id();
        let looks = |lines: u16| {
            let mut builder = LayoutBuilder::default();
            let style = builder.style(&[], || {
                ComputedStyle::read(|name| match name {
                    "color" => "rgb(0, 0, 0)",
                    "background-color" => "rgb(255, 255, 255)",
                    _ => "",
                })
            });
            let line = |number: u16| Rect::new([0.0, f32::from(number) * 20.0, 100.0, 20.0]);
            builder.add(node, BoxKind::Element, (line(0), 0), style);
            for number in 0..lines {
                // An image is over the line beyond the limit.
                let run = TextRun {
                    rect: line(number),
                    paint: 1,
                    text: 0,
                    style,
                };
                builder.add_run(node, run);
            }
            let last = line(u16::try_from(MAX_RUNS).unwrap());
            builder.add(
                page.root().unwrap().id(),
                BoxKind::Replaced,
                (last, 2),
                style,
            );
            let layout = builder.finish();
            let mut painter = Painter::new(&page, &layout);
            let looks = painter
                .appearance(page.element(node).unwrap())
                .unwrap()
                .looks;
            looks.iter().any(|(_, look)| look.is_none())
        };
        assert!(!looks(u16::try_from(MAX_RUNS).unwrap()));
        assert!(!looks(u16::try_from(MAX_RUNS).unwrap() + 1));
    }
}
