//! The colors in which texts of a page are painted, and those behind them, in windows of each width.
//!
//! A result is certain: it is unknown if a style sheet is missing, if an image is behind the text, or if another element
//! may be painted between the text and the color behind it.

mod overlay;
mod rendered;

use std::collections::HashMap;
use std::sync::Arc;

use crate::algorithms::readable::is_text;
use crate::aria::AccessTree;
use crate::bounds::style::MAX_LENGTH_ANCESTORS;
use crate::dom::{ElementRef, NodeData, NodeId};
use crate::layout::Layout;
use crate::page::ParsedPage;
use crate::style::{
    Appearances, BuildKeyHasher, Color, KindId, Stack, Styles, TextLook, Width, Widths,
};
use overlay::Overlays;

/// Why a contrast ratio is unknown on a page that a browser showed.
pub(crate) const UNKNOWN_RENDERED: &str =
    "Behind or over the text is an image, or something else that is not of one color.";
/// Why a contrast ratio is unknown.
pub(crate) const UNKNOWN: &str = "The background of the text cannot be determined in static mode.";
const SHEETS: &str = "A style sheet of the page is not known.";

/// How a text looks, with the widths in which it is visible and looks like this. Those of `None` are unknown.
pub(crate) type Looks = Vec<(Widths, Option<Arc<TextLook>>)>;

/// An element with a text of its own that is visible in some width.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PaintedText {
    pub(crate) node: NodeId,
    /// The index of how it looks in [`Painting::looks`].
    pub(crate) looks: usize,
}

/// A text whose colors pictures of it may tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OpenText {
    pub(crate) node: NodeId,
    /// The color in which it is painted over what is behind it.
    pub(crate) color: Color,
    /// The number of its group. Texts of one group look the same except for their letters, so all have the colors of one. None
    /// if the text is in no group.
    pub(crate) group: Option<usize>,
}

/// The texts of a page.
#[derive(Debug, Default)]
pub(crate) struct Painting {
    /// In document order.
    pub(crate) texts: Vec<PaintedText>,
    /// How texts look, each once.
    pub(crate) looks: Vec<Looks>,
    /// Those whose colors pictures may tell, in document order, at most
    /// [`MAX_PICTURED_TEXTS`](crate::gather::MAX_PICTURED_TEXTS); none unless a browser showed the page.
    pub(crate) open: Vec<OpenText>,
    /// Why nothing is known.
    pub(crate) unknown: Option<&'static str>,
    /// The paths of the page's style sheets; `None` for `style` elements.
    pub(crate) sheets: Vec<Option<Box<str>>>,
    /// Whether a limit was reached.
    pub(crate) is_cut: bool,
    /// Whether the colors are those that a browser computed.
    pub(crate) is_rendered: bool,
}

impl Painting {
    /// The texts of the page, by styles that were read by [`Styles::of_paint`].
    pub(crate) fn new(page: &ParsedPage, tree: &AccessTree<'_>, styles: &Styles) -> Self {
        let mut found = Self::default();
        if !styles.is_complete() {
            found.unknown = Some(SHEETS);
        } else if page.meta("color-scheme").is_some_and(is_dark) {
            found.unknown = Some(UNKNOWN);
        } else {
            let mut painter = Painter {
                tree,
                appearances: Appearances::new(styles, page, styles.take_kinds(page)),
                overlays: Overlays::default(),
                painting: found,
                known: HashMap::default(),
                mixed: HashMap::new(),
            };
            painter.read(page);
            found = painter.painting;
            found.is_cut = painter.appearances.are_cut();
            found.sheets = styles.sheet_paths();
            styles.keep_kinds(page, painter.appearances.into_table());
        }
        found
    }
}

/// Whether the page prefers dark colors even if the user does not.
fn is_dark(scheme: &str) -> bool {
    let lower = scheme.to_ascii_lowercase();
    lower.contains("dark") && !lower.contains("light")
}

/// Finds the texts of one page.
struct Painter<'a, 'p> {
    tree: &'p AccessTree<'p>,
    appearances: Appearances<'a>,
    overlays: Overlays,
    painting: Painting,
    /// The looks by kind and by the widths in which the text is visible.
    known: HashMap<(Option<KindId>, Widths), Option<usize>, BuildKeyHasher>,
    /// Looks of which those in some widths are unknown.
    mixed: HashMap<(usize, Widths), usize>,
}

impl<'p> Painter<'_, 'p> {
    fn read(&mut self, page: &'p ParsedPage) {
        let mut texts: Vec<(ElementRef<'p>, Option<KindId>)> = Vec::new();
        for element in page.elements() {
            let exposure = self.tree.exposure(element);
            if exposure.hidden {
                continue;
            }
            let id = self.appearances.kind_of(element);
            let kind = id.and_then(|id| Some((id, self.appearances.kind(id)?)));
            if matches!(element.name(), "col" | "colgroup")
                && id.is_some_and(|id| self.appearances.paints(id))
            {
                // It is painted behind cells that are not inside it.
                self.overlays.cut();
            }
            if let Some((id, kind)) = kind
                && kind.may_overlap
            {
                self.overlays
                    .add(self.tree, &self.appearances, element, (id, kind));
            }
            if !exposure.withheld && has_own_words(element) {
                texts.push((element, id));
            }
        }
        self.overlays.finish(self.tree, &self.appearances);
        for (element, kind) in texts {
            let is_deep = element.ancestors().nth(MAX_LENGTH_ANCESTORS).is_some();
            let kind = kind.filter(|_| !is_deep && element.is_html());
            let visible = self.tree.hidden_widths(element).not();
            let known = self.known.get(&(kind, visible)).copied();
            let looks = known.unwrap_or_else(|| self.looks(kind, visible));
            if let Some(looks) = looks {
                let looks = self.with_overlays(element, looks);
                let node = element.id();
                self.painting.texts.push(PaintedText { node, looks });
            }
        }
    }

    /// The looks of a text of this kind; `None` if it is not visible in any width.
    fn looks(&mut self, kind: Option<KindId>, visible: Widths) -> Option<usize> {
        let mut looks = Looks::new();
        for width in visible.iter() {
            let look = match kind.map(|kind| self.appearances.text(kind, width)) {
                Some(Stack::Invisible) => continue,
                Some(Stack::Known(look)) => Some(look),
                Some(Stack::Unknown) | None => None,
            };
            add(&mut looks, width, look);
        }
        let found = (!looks.is_empty()).then(|| self.push(looks));
        self.known.insert((kind, visible), found);
        found
    }

    fn push(&mut self, looks: Looks) -> usize {
        self.painting.looks.push(looks);
        self.painting.looks.len() - 1
    }

    /// The looks without those in the widths in which another element may be over or behind the text.
    fn with_overlays(&mut self, element: ElementRef<'_>, looks: usize) -> usize {
        let Some(own) = self.painting.looks.get(looks) else {
            return looks;
        };
        let Some(chain) = self.overlays.around(element) else {
            return looks;
        };
        let mut mixed = Widths::NONE;
        for (widths, look) in own {
            let Some(look) = look else {
                continue;
            };
            for width in widths.iter() {
                let appearances = &self.appearances;
                if self
                    .overlays
                    .are_between(appearances, &chain, look.covered_by, width)
                {
                    mixed = mixed.with(width);
                }
            }
        }
        if mixed.is_empty() {
            return looks;
        }
        if let Some(known) = self.mixed.get(&(looks, mixed)) {
            return *known;
        }
        let mut found = Looks::new();
        for (widths, look) in own {
            for width in widths.iter() {
                let look = look.as_ref().filter(|_| !mixed.has(width));
                add(&mut found, width, look.map(Arc::clone));
            }
        }
        let place = self.push(found);
        self.mixed.insert((looks, mixed), place);
        place
    }
}

/// Adds how a text looks in windows of one more width.
fn add(looks: &mut Looks, width: Width, look: Option<Arc<TextLook>>) {
    let is_same = |other: &Option<Arc<TextLook>>| match (other, &look) {
        (None, None) => true,
        (Some(one), Some(other)) => Arc::ptr_eq(one, other) || one == other,
        _ => false,
    };
    match looks.iter_mut().find(|(_, other)| is_same(other)) {
        Some((widths, _)) => *widths = widths.with(width),
        None => looks.push((Widths::NONE.with(width), look)),
    }
}

/// Children that are searched for a text.
pub(crate) const MAX_CHILDREN: usize = 500;

/// Whether the element has a text of its own with a word of at least three letters or a number of at least two digits.
/// Shorter ones and the names of icons may be pictures.
fn has_own_words(element: ElementRef<'_>) -> bool {
    own_texts(element).any(has_words)
}

/// As [`has_own_words`], but where the fonts are known also shorter texts count, from two signs on, and those in fields.
fn has_own_text(element: ElementRef<'_>, layout: &Layout) -> bool {
    let node = element.id();
    let is_field = element.is("input") && !layout.runs(node).is_empty();
    is_field || own_texts(element).any(|text| is_text(text) && !layout.shows_icon(node, text))
}

/// The texts that an element has of its own; none of elements that are painted in ways of the browser's own.
fn own_texts(element: ElementRef<'_>) -> impl Iterator<Item = &str> {
    let is_icon =
        |classes: &str| classes.contains("material-icons") || classes.contains("material-symbols");
    let is_of_browser = matches!(element.name(), "option" | "optgroup" | "textarea");
    let is_read = !is_of_browser && !element.attr("class").is_some_and(is_icon);
    let dom = element.dom();
    let children = dom.children(element.id()).take(MAX_CHILDREN);
    children
        .filter(move |_| is_read)
        .filter_map(|id| match dom.data(id) {
            Some(NodeData::Text(run)) => Some(run),
            _ => None,
        })
}

fn has_words(run: &str) -> bool {
    let (mut letters, mut digits) = (0, 0);
    for c in run.chars() {
        letters = if c.is_alphabetic() { letters + 1 } else { 0 };
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        if letters > 2 || digits > 1 {
            return true;
        }
    }
    false
}
