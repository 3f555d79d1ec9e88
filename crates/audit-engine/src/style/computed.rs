//! The appearance of an element, computed from its declarations and the appearance of its parent.

use std::cell::Cell;

use super::calc::{Basis, pixels};
use super::color::{Color, number};
use super::kinds::Declared;
use super::scan::find_outside;
use super::sheet::Property;
use super::values::{
    Backdrop, Background, Image, covers, fills, font, is_identity, paints_inside, side, weight,
};
use super::variables::{Resolved, Variables};
use super::widths::Width;
use crate::dom::{ElementRef, Quirks};
use crate::page::ParsedPage;

/// The number of an appearance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct AppearanceId(u32);

/// Where a declaration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Origin {
    /// In the `style` attribute.
    Attribute,
    /// In the sheet with this number.
    Sheet(usize),
}

/// Where the box of an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Movement {
    /// Inside the boxes of its ancestors, next to those of its siblings.
    None,
    /// It floats.
    Floating,
    /// Moved away from its place in the flow.
    Moved,
    /// Out of the flow: `position: absolute`.
    Absolute,
    /// Out of the flow: `position: fixed`.
    Fixed,
}

/// How an element looks in windows of one width.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Appearance {
    /// The appearance of its parent.
    pub(crate) parent: Option<AppearanceId>,
    /// The color of its text; `None` if it is unknown.
    pub(crate) color: Option<Color>,
    /// Where the color of its text is declared; `None` if the browser sets it.
    pub(crate) color_from: Option<Origin>,
    pub(crate) backdrop: Backdrop,
    /// From 0 to 1; `None` if it is unknown.
    pub(crate) opacity: Option<f64>,
    /// The smallest and the largest font size that it may have, in pixels; `None` if that is unknown.
    pub(crate) font_size: Option<(f64, f64)>,
    /// `None` if it is unknown.
    pub(crate) font_weight: Option<f64>,
    pub(crate) movement: Movement,
    /// Whether it is painted in a layer of its own, above the boxes in the flow.
    pub(crate) is_positioned: bool,
    /// Its `z-index`, if it orders it and everything inside it among other layers.
    pub(crate) order: Option<i32>,
    /// Whether boxes out of the flow inside it are positioned relative to it.
    pub(crate) is_container: bool,
    /// Whether it may be as large as the box that it is positioned in.
    pub(crate) may_span: bool,
    /// Whether it is too thin for a text to be on it.
    pub(crate) is_thin: bool,
    /// Whether it is in the page for screen readers only.
    pub(crate) is_clipped: bool,
    /// Whether it shows only its summary.
    is_closed: bool,
    /// Whether an effect changes the colors of it and of everything inside it, or it may be out of sight.
    pub(crate) has_effect: bool,
    /// Whether an effect changes the colors behind it.
    pub(crate) has_backdrop_effect: bool,
    /// Whether its text is painted with more than its color.
    pub(crate) is_decorated: bool,
    /// Whether the color scheme is not the light one, so that default colors are unknown.
    pub(crate) is_dark: bool,
    /// Its custom properties.
    variables: Option<usize>,
}

/// What appearances are computed from.
#[derive(Debug)]
pub(super) struct Context {
    variables: Variables,
    appearances: Vec<Appearance>,
    /// Whether the page is in quirks mode.
    is_quirky: bool,
    /// Whether attributes of `body` set the color of links.
    sets_links: bool,
}

/// The winning declarations of a property.
struct Winner<'d> {
    property: Property,
    /// The one that certainly applies, if there is one.
    value: Option<&'d str>,
    /// Stronger ones with other values, which may apply.
    uncertain: Vec<&'d str>,
    origin: Origin,
}

/// The winning values of an element's properties.
struct Winners<'d, 'c> {
    /// Sorted by property.
    values: Vec<Winner<'d>>,
    variables: &'c Variables,
    scope: Option<usize>,
    declares_variables: bool,
}

/// The value of a property of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Nothing,
    Text(String),
    Unknown,
}

impl Value {
    fn is(&self, words: &[&str]) -> bool {
        matches!(self, Self::Text(text)
            if words.iter().any(|word| text.trim().eq_ignore_ascii_case(word)))
    }
}

impl Context {
    pub(super) fn new(variables: Variables, page: &ParsedPage) -> Self {
        let body = page.body();
        Self {
            variables,
            appearances: Vec::new(),
            is_quirky: page.dom().quirks() == Quirks::Full,
            sets_links: body.is_some_and(|body| body.has_attr("link") || body.has_attr("text")),
        }
    }

    pub(super) const fn variables(&self) -> &Variables {
        &self.variables
    }

    pub(super) const fn variables_mut(&mut self) -> &mut Variables {
        &mut self.variables
    }

    pub(super) fn appearance(&self, id: AppearanceId) -> Option<&Appearance> {
        self.appearances.get(usize::try_from(id.0).ok()?)
    }

    /// The appearances of an element in each window width. `declared` is sorted by property and rank.
    pub(super) fn looks(
        &mut self,
        element: ElementRef<'_>,
        around: Option<[AppearanceId; Width::ALL.len()]>,
        declared: &[Declared<'_>],
    ) -> [AppearanceId; Width::ALL.len()] {
        let is_alike_around = around.is_none_or(|[one, two, three]| one == two && two == three);
        let mut conditions = declared.iter().map(|found| found.condition);
        let is_uniform =
            is_alike_around && conditions.all(super::media::Condition::is_equal_in_all_widths);
        let uses_window = Cell::new(false);
        let widest = |context: &mut Self, width: Width| {
            let parent = around.and_then(|looks| looks.get(width.number()).copied());
            context.add(element, parent, declared, width, &uses_window)
        };
        let last = widest(self, Width::WIDEST);
        if is_uniform && !uses_window.get() {
            return [last; Width::ALL.len()];
        }
        Width::ALL.map(|width| {
            if width == Width::WIDEST {
                last
            } else {
                widest(self, width)
            }
        })
    }

    fn add(
        &mut self,
        element: ElementRef<'_>,
        parent: Option<AppearanceId>,
        declared: &[Declared<'_>],
        width: Width,
        uses_window: &Cell<bool>,
    ) -> AppearanceId {
        let values = winners(declared, width);
        let own: Vec<(Property, Option<Box<str>>)> = values
            .iter()
            .filter(|winner| matches!(winner.property, Property::Custom(_)))
            .map(|winner| {
                let value = winner.value.filter(|_| winner.uncertain.is_empty());
                (winner.property, value.map(Into::into))
            })
            .collect();
        let declares_variables = !own.is_empty();
        let above = parent.and_then(|id| self.appearance(id));
        let scope = above.and_then(|above| above.variables);
        let scope = self.variables.scope(scope, own);
        let winners = Winners {
            values,
            variables: &self.variables,
            scope,
            declares_variables,
        };
        let appearance = self.compute(element, parent, &winners, width, uses_window);
        let id = AppearanceId(u32::try_from(self.appearances.len()).unwrap_or(u32::MAX));
        self.appearances.push(appearance);
        id
    }

    fn compute(
        &self,
        element: ElementRef<'_>,
        parent: Option<AppearanceId>,
        winners: &Winners<'_, '_>,
        width: Width,
        uses_window: &Cell<bool>,
    ) -> Appearance {
        let above = parent.and_then(|id| self.appearance(id));
        let font_size = self.font_size(element, above, winners, width, uses_window);
        let basis = Basis {
            em: font_size.and_then(exact),
            root_em: self.root_em(above, font_size),
            percent: None,
            window: f64::from(width.pixels()),
        };
        let lengths = Lengths { basis, uses_window };
        let (color, color_from) = self.color(element, above, winners);
        let position = winners.get(Property::Position);
        let is_dialog = element.is("dialog");
        let is_static = position == Value::Nothing && !is_dialog
            || position.is(&["static", "initial", "unset"]);
        let is_absolute = position.is(&["absolute"]) || position == Value::Nothing && is_dialog;
        let is_fixed = position.is(&["fixed"]);
        let transforms = transforms(winners);
        let filter = !winners.is_none_or(Property::Filter, &["none"]);
        let opacity = match winners.get(Property::Opacity) {
            Value::Nothing => Some(1.0),
            value if value.is(&["initial", "unset"]) => Some(1.0),
            Value::Text(text) => number(text.trim()),
            Value::Unknown => None,
        };
        let order = match winners.get(Property::ZIndex) {
            Value::Text(text) if !is_static => text.trim().parse().ok(),
            _ => None,
        };
        let is_layer = transforms || filter || opacity.is_none_or(|opacity| opacity < 1.0);
        let clipping = clipping(winners, lengths, is_absolute || is_fixed);
        let movement = if is_fixed {
            Movement::Fixed
        } else if is_absolute || position == Value::Unknown {
            Movement::Absolute
        } else if transforms
            || (position.is(&["relative"]) && is_offset(winners, lengths))
            || has_negative_margin(winners, lengths)
            || clipping == Clipping::Collapsed
            || is_stacked(winners)
        {
            Movement::Moved
        } else if !winners.is_none_or(Property::Float, &["none"])
            || is_beside_background(element)
                && above.is_some_and(|above| above.backdrop != Backdrop::Clear)
        {
            Movement::Floating
        } else {
            Movement::None
        };
        let inherited = |of: fn(&Appearance) -> bool| above.is_some_and(of);
        // `all` sets every property.
        let is_reset = winners.get(Property::All) != Value::Nothing;
        let color = color.filter(|_| !is_reset);
        Appearance {
            parent,
            color,
            color_from,
            backdrop: if is_reset {
                Backdrop::Unknown
            } else {
                backdrop(element, winners, color)
            },
            opacity,
            font_size,
            font_weight: font_weight(element, above, winners, self.is_quirky),
            movement,
            is_positioned: !is_static || is_layer,
            order: order.or(is_layer.then_some(0)),
            is_container: !is_static || transforms || filter,
            may_span: may_span(element, winners),
            is_thin: is_thin(winners, lengths),
            is_clipped: clipping == Clipping::Hidden
                || inherited(|above| above.is_clipped)
                || inherited(|above| above.is_closed) && !element.is("summary"),
            is_closed: element.is("details") && !element.has_attr("open"),
            has_effect: filter
                || (is_absolute || is_fixed) && is_outside(winners, lengths)
                || !winners.is_none_or(Property::Blend, &["normal"])
                || !winners.is_none_or(Property::Mask, &["none"])
                || clipping == Clipping::Cut,
            has_backdrop_effect: !winners.is_none_or(Property::BackdropFilter, &["none"]),
            is_decorated: is_decorated(winners, above),
            is_dark: is_dark(winners).unwrap_or_else(|| inherited(|above| above.is_dark)),
            variables: winners.scope,
        }
    }

    /// The font size of the root element, if it is known: that of the outermost appearance.
    fn root_em(&self, above: Option<&Appearance>, own: Option<(f64, f64)>) -> Option<f64> {
        let Some(mut current) = above else {
            return own.and_then(exact);
        };
        while let Some(parent) = current.parent.and_then(|id| self.appearance(id)) {
            current = parent;
        }
        current.font_size.and_then(exact)
    }

    /// The smallest and the largest size by all declarations that may apply.
    fn font_size(
        &self,
        element: ElementRef<'_>,
        above: Option<&Appearance>,
        winners: &Winners<'_, '_>,
        width: Width,
        uses_window: &Cell<bool>,
    ) -> Option<(f64, f64)> {
        let inherited = above.map_or(Some((DEFAULT_SIZE, DEFAULT_SIZE)), |above| above.font_size);
        let root = match above {
            Some(above) => self.root_em(Some(above), None),
            None => Some(DEFAULT_SIZE),
        };
        let mut range: Option<(f64, f64)> = None;
        for value in winners.possible(Property::FontSize) {
            let (low, high) = match value {
                Value::Unknown => return None,
                Value::Nothing => size_of_browser(element, inherited, self.is_quirky)?,
                Value::Text(text) => declared_size(&text, inherited, |text, size| {
                    let basis = Basis {
                        em: Some(size),
                        root_em: root,
                        percent: Some(size),
                        window: f64::from(width.pixels()),
                    };
                    Lengths { basis, uses_window }.pixels(text)
                })?,
            };
            range = Some(match range {
                Some((least, most)) => (least.min(low), most.max(high)),
                None => (low, high),
            });
        }
        range
    }

    /// The color of the text, and where it is declared.
    fn color(
        &self,
        element: ElementRef<'_>,
        above: Option<&Appearance>,
        winners: &Winners<'_, '_>,
    ) -> (Option<Color>, Option<Origin>) {
        let inherited = match above {
            Some(above) => (above.color, above.color_from),
            None => (Some(Color::BLACK), None),
        };
        let of_browser = || {
            if element.is("font")
                && let Some(color) = element.attr("color")
            {
                return (Color::parse(color), None);
            }
            if !element.is_html() || element.has_attr("color") || element.has_attr("text") {
                return (None, None);
            }
            match element.name() {
                "a" | "area" if element.has_attr("href") => {
                    ((!self.sets_links).then_some(Color::LINK), None)
                }
                "button" | "input" | "select" | "textarea" | "mark" => (Some(Color::BLACK), None),
                "dialog" | "legend" => (None, None),
                // In quirks mode it has the color of the body (HTML, 15.3.10 Tables).
                "table" if self.is_quirky => (None, None),
                _ => inherited,
            }
        };
        let from = winners.origin(Property::Color);
        match winners.get(Property::Color) {
            Value::Nothing => of_browser(),
            Value::Unknown => (None, None),
            value if value.is(&["inherit", "unset", "currentcolor"]) => inherited,
            value if value.is(&["initial"]) => (Some(Color::BLACK), from),
            Value::Text(text) => (Color::parse(&text), from),
        }
    }
}

/// The default font size of browsers.
const DEFAULT_SIZE: f64 = 16.0;

/// The font size of an element without a declaration.
fn size_of_browser(
    element: ElementRef<'_>,
    inherited: Option<(f64, f64)>,
    is_quirky: bool,
) -> Option<(f64, f64)> {
    /// The size of form controls, which do not inherit it.
    const OF_CONTROLS: f64 = 40.0 / 3.0;
    /// The size of a monospace font next to that of others, in browsers with default settings.
    const MONOSPACE: f64 = 13.0 / 16.0;
    let times = |least: f64, most: f64| inherited.map(|(low, high)| (low * least, high * most));
    match element.name() {
        _ if !element.is_html() => inherited,
        "h1" => times(if is_in_section(element) { 1.0 } else { 2.0 }, 2.0),
        "h2" => times(1.5, 1.5),
        "h3" => times(1.17, 1.17),
        "h5" => times(0.83, 0.83),
        "h6" => times(0.67, 0.67),
        "small" | "sub" | "sup" => times(1.0 / 1.2, 1.0 / 1.2),
        "big" => times(1.2, 1.2),
        "rt" => times(0.5, 0.5),
        "code" | "pre" | "kbd" | "samp" | "tt" => times(MONOSPACE, 1.0),
        "font" if element.has_attr("size") => None,
        "button" | "input" | "select" | "textarea" => Some((OF_CONTROLS, OF_CONTROLS)),
        "table" if is_quirky => Some((DEFAULT_SIZE, DEFAULT_SIZE)),
        _ => inherited,
    }
}

/// A font size that is declared. `pixels` reads a length next to the parent's size.
fn declared_size(
    text: &str,
    inherited: Option<(f64, f64)>,
    pixels: impl Fn(&str, f64) -> Option<f64>,
) -> Option<(f64, f64)> {
    let value = if is_shorthand(text) {
        font(text).0?
    } else {
        text
    };
    let times = |factor: f64| inherited.map(|(low, high)| (low * factor, high * factor));
    let exactly = |size: f64| Some((size, size));
    match value.trim().to_ascii_lowercase().as_str() {
        "inherit" | "unset" => return inherited,
        "initial" | "medium" => return exactly(DEFAULT_SIZE),
        "xx-small" => return exactly(9.0),
        "x-small" => return exactly(10.0),
        "small" => return exactly(13.0),
        "large" => return exactly(18.0),
        "x-large" => return exactly(24.0),
        "xx-large" => return exactly(32.0),
        "smaller" => return times(1.0 / 1.2),
        "larger" => return times(1.2),
        _ => {}
    }
    let at = |size: f64| pixels(value, size).filter(|size| *size >= 0.0);
    match inherited {
        Some((low, high)) => Some((at(low)?, at(high)?)),
        // A size that depends on the parent's differs for two sizes.
        None => {
            let (one, two) = (at(10.0)?, at(20.0)?);
            exact((one, two)).map(|size| (size, size))
        }
    }
}

/// Whether the background of its parent may end above or below the element.
fn is_beside_background(element: ElementRef<'_>) -> bool {
    element.is("caption") || element.is("legend")
}

/// Lengths of one element.
#[derive(Clone, Copy)]
struct Lengths<'c> {
    basis: Basis,
    uses_window: &'c Cell<bool>,
}

impl Lengths<'_> {
    fn pixels(self, text: &str) -> Option<f64> {
        if text.to_ascii_lowercase().contains("vw") {
            self.uses_window.set(true);
        }
        pixels(text, self.basis)
    }
}

fn exact((low, high): (f64, f64)) -> Option<f64> {
    ((low - high).abs() < f64::EPSILON).then_some(low)
}

/// The declarations that win in windows of this width, sorted by property.
fn winners<'d>(declared: &[Declared<'d>], width: Width) -> Vec<Winner<'d>> {
    let mut found = Vec::new();
    for group in declared.chunk_by(|one, other| one.property == other.property) {
        let Some(first) = group.first() else {
            continue;
        };
        let mut winner = Winner {
            property: first.property,
            value: None,
            uncertain: Vec::new(),
            origin: first.origin,
        };
        // The strongest declaration is the last one.
        for one in group.iter().rev() {
            match one.condition.applies(width, None) {
                Some(false) => {}
                None => winner.uncertain.push(one.value),
                Some(true) => {
                    (winner.value, winner.origin) = (Some(one.value), one.origin);
                    break;
                }
            }
        }
        winner
            .uncertain
            .retain(|value| winner.value != Some(*value));
        if winner.value.is_some() || !winner.uncertain.is_empty() {
            found.push(winner);
        }
    }
    found
}

impl Winners<'_, '_> {
    fn winner(&self, property: Property) -> Option<&Winner<'_>> {
        let place = self
            .values
            .binary_search_by_key(&property, |winner| winner.property);
        self.values.get(place.ok()?)
    }

    fn origin(&self, property: Property) -> Option<Origin> {
        Some(self.winner(property)?.origin)
    }

    fn get(&self, property: Property) -> Value {
        match self.winner(property) {
            None => Value::Nothing,
            Some(winner) if !winner.uncertain.is_empty() => Value::Unknown,
            Some(winner) => self.resolved(winner.value),
        }
    }

    /// All values that the property may have.
    fn possible(&self, property: Property) -> Vec<Value> {
        let Some(winner) = self.winner(property) else {
            return vec![Value::Nothing];
        };
        let uncertain = winner.uncertain.iter().copied().map(Some);
        let all = uncertain.chain(std::iter::once(winner.value));
        all.map(|value| self.resolved(value)).collect()
    }

    fn resolved(&self, value: Option<&str>) -> Value {
        let Some(value) = value else {
            return Value::Nothing;
        };
        let found = self
            .variables
            .resolve(value, self.scope, self.declares_variables);
        match found {
            Resolved::Value(text) if !text.trim().is_empty() => Value::Text(text),
            // Invalid at computed-value time.
            Resolved::Value(_) | Resolved::Invalid | Resolved::Missing => {
                Value::Text("unset".to_owned())
            }
            Resolved::Unknown => Value::Unknown,
        }
    }

    /// Whether the property has its initial value, or one of these.
    fn is_none_or(&self, property: Property, words: &[&str]) -> bool {
        match self.get(property) {
            Value::Nothing => true,
            Value::Unknown => false,
            value => value.is(words) || value.is(&["initial", "unset", "revert", ""]),
        }
    }
}

/// Whether a value of the font size or weight is that of `font`.
fn is_shorthand(value: &str) -> bool {
    find_outside(value.trim(), b" ").is_some()
}

/// Headings of the first level are smaller inside sections in some browsers.
fn is_in_section(element: ElementRef<'_>) -> bool {
    element
        .ancestors()
        .take(64)
        .any(|around| matches!(around.name(), "article" | "aside" | "nav" | "section"))
}

fn font_weight(
    element: ElementRef<'_>,
    above: Option<&Appearance>,
    winners: &Winners<'_, '_>,
    is_quirky: bool,
) -> Option<f64> {
    let inherited = above.map_or(Some(400.0), |above| above.font_weight);
    match winners.get(Property::FontWeight) {
        Value::Unknown => None,
        Value::Text(text) if is_shorthand(&text) => weight(font(&text).1?, inherited),
        Value::Text(text) => weight(&text, inherited),
        Value::Nothing if !element.is_html() => inherited,
        Value::Nothing => match element.name() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "th" | "optgroup" => Some(700.0),
            "b" | "strong" => weight("bolder", inherited),
            "button" | "input" | "select" | "textarea" => Some(400.0),
            "table" if is_quirky => Some(400.0),
            _ => inherited,
        },
    }
}

fn backdrop(element: ElementRef<'_>, winners: &Winners<'_, '_>, color: Option<Color>) -> Backdrop {
    if winners.get(Property::Display).is(&["contents"]) {
        return Backdrop::Clear;
    }
    match winners.get(Property::BoxShadow) {
        Value::Text(text) if paints_inside(&text) => return Backdrop::Unknown,
        Value::Unknown => return Backdrop::Unknown,
        _ => {}
    }
    match winners.get(Property::BackgroundClip) {
        Value::Text(text)
            if text
                .to_ascii_lowercase()
                .split([' ', ','])
                .any(|word| word == "text") =>
        {
            return Backdrop::Unknown;
        }
        Value::Unknown => return Backdrop::Unknown,
        _ => {}
    }
    let behind = winners.get(Property::Background);
    let base = match &behind {
        Value::Nothing => of_browser(element),
        Value::Unknown => return Backdrop::Unknown,
        Value::Text(text) => Background::parse(text, color).and_then(|found| found.color),
    };
    let Some(base) = base else {
        return Backdrop::Unknown;
    };
    let image = match winners.get(Property::BackgroundImage) {
        Value::Nothing => Image::None,
        Value::Unknown => return Backdrop::Unknown,
        Value::Text(text) => match Background::parse(&text, color) {
            None => return Backdrop::Unknown,
            Some(found) => {
                // A gradient with a size or a position may fill only a part of the element.
                let is_whole = |property, test: fn(&str) -> bool| match winners.get(property) {
                    Value::Nothing => true,
                    Value::Text(own) if own == text => !found.has_area,
                    Value::Text(own) => test(&own),
                    Value::Unknown => false,
                };
                let is_part = !is_whole(Property::BackgroundSize, covers)
                    || !is_whole(Property::BackgroundPosition, fills);
                match found.image {
                    Image::Gradient(_) if is_part => Image::Unknown,
                    image => image,
                }
            }
        },
    };
    match image {
        Image::None => Backdrop::of(base),
        Image::Gradient(stops) => {
            Backdrop::Colors(stops.into_iter().map(|stop| stop.over(base)).collect())
        }
        Image::Unknown => Backdrop::Unknown,
    }
}

/// The color behind an element for which no style sheet sets one; `None` if it depends on the browser.
fn of_browser(element: ElementRef<'_>) -> Option<Color> {
    if !element.is_html() || element.has_attr("bgcolor") || element.has_attr("background") {
        return None;
    }
    match element.name() {
        "mark" => Some(Color::YELLOW),
        "button" | "input" | "select" | "textarea" | "dialog" | "meter" | "progress" => None,
        _ => Some(Color::CLEAR),
    }
}

/// Whether a transform moves the element.
fn transforms(winners: &Winners<'_, '_>) -> bool {
    [Property::Transform, Property::Rotate, Property::Move]
        .into_iter()
        .any(|property| match winners.get(property) {
            Value::Nothing => false,
            Value::Text(text) => !is_identity(&text),
            Value::Unknown => true,
        })
}

/// The sides of a box, in the order of shorthands.
const OFFSETS: [Property; 4] = [
    Property::Top,
    Property::Right,
    Property::Bottom,
    Property::Left,
];

/// Whether a relative position moves the element by more than a few pixels.
fn is_offset(winners: &Winners<'_, '_>, lengths: Lengths<'_>) -> bool {
    const SMALL: f64 = 8.0;
    OFFSETS.into_iter().enumerate().any(|(number, property)| {
        let value = match winners.get(property) {
            Value::Nothing => return false,
            Value::Unknown => return true,
            Value::Text(text) => text,
        };
        let value = side(&value, number).unwrap_or_default();
        !["auto", "initial", "unset"]
            .iter()
            .any(|word| value.eq_ignore_ascii_case(word))
            && lengths
                .pixels(value)
                .is_none_or(|pixels| pixels.abs() > SMALL)
    })
}

/// Whether an offset may move an element out of the box that it is positioned in, as for links that are visible only
/// while they have the focus.
fn is_outside(winners: &Winners<'_, '_>, lengths: Lengths<'_>) -> bool {
    const FAR: f64 = -16.0;
    OFFSETS.into_iter().enumerate().any(|(number, property)| {
        let value = match winners.get(property) {
            Value::Nothing => return false,
            Value::Unknown => return true,
            Value::Text(text) => text,
        };
        let value = side(&value, number).unwrap_or_default();
        value.contains('-') && lengths.pixels(value).is_none_or(|pixels| pixels < FAR)
    })
}

/// Whether negative margins move the element, or what follows it, by more than the gutter of a grid.
fn has_negative_margin(winners: &Winners<'_, '_>, lengths: Lengths<'_>) -> bool {
    const GUTTER: f64 = 24.0;
    let margins = [
        Property::MarginTop,
        Property::MarginRight,
        Property::MarginBottom,
        Property::MarginLeft,
    ];
    margins.into_iter().enumerate().any(|(number, property)| {
        let value = match winners.get(property) {
            Value::Nothing => return false,
            Value::Unknown => return true,
            Value::Text(text) => text,
        };
        let value = side(&value, number).unwrap_or_default();
        value.contains('-') && lengths.pixels(value).is_none_or(|pixels| pixels < -GUTTER)
    })
}

/// Whether the element may be in the same cell of a grid as another one.
fn is_stacked(winners: &Winners<'_, '_>) -> bool {
    match winners.get(Property::GridArea) {
        Value::Nothing => false,
        Value::Text(text) => text.contains('/'),
        Value::Unknown => true,
    }
}

/// Whether an element out of the flow may be as large as the box that it is positioned in.
fn may_span(element: ElementRef<'_>, winners: &Winners<'_, '_>) -> bool {
    let is_image = matches!(
        element.name(),
        "img" | "video" | "canvas" | "svg" | "iframe" | "picture" | "object"
    );
    let is_set = |property| !winners.is_none_or(property, &["auto"]);
    let is_long = |property| match winners.get(property) {
        Value::Nothing => is_image,
        Value::Unknown => true,
        Value::Text(text) => {
            text.contains(['%', '(']) || text.contains("vw") || text.contains("vh")
        }
    };
    (is_set(Property::Left) && is_set(Property::Right) || is_long(Property::Width))
        && (is_set(Property::Top) && is_set(Property::Bottom) || is_long(Property::Height))
}

/// The width or height up to which a box is a line.
pub(super) const THIN: f64 = 8.0;

fn is_thin(winners: &Winners<'_, '_>, lengths: Lengths<'_>) -> bool {
    [Property::Width, Property::Height]
        .into_iter()
        .any(|property| match winners.get(property) {
            Value::Text(text) => lengths.pixels(&text).is_some_and(|pixels| pixels <= THIN),
            _ => false,
        })
}

/// How much of an element is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clipping {
    /// All of it.
    None,
    /// It is for screen readers only.
    Hidden,
    /// A part of it.
    Cut,
    /// Its box has no size, so that its content is somewhere else.
    Collapsed,
}

fn clipping(winners: &Winners<'_, '_>, lengths: Lengths<'_>, is_out: bool) -> Clipping {
    /// Texts with a larger indent are moved out of sight.
    const FAR: f64 = 200.0;
    let length = |property| match winners.get(property) {
        Value::Text(text) => lengths.pixels(&text),
        _ => None,
    };
    let is_small = |property| length(property).is_some_and(|pixels| pixels <= 1.0);
    let is_tiny = is_small(Property::Width) && is_small(Property::Height);
    let is_clipped = is_out && !winners.is_none_or(Property::Clip, &["auto"]);
    let indent = match winners.get(Property::TextIndent) {
        Value::Text(text) if text.contains('%') => text.trim() != "0%",
        Value::Text(text) => lengths.pixels(&text).is_some_and(|far| far.abs() > FAR),
        _ => false,
    };
    if is_tiny || is_clipped || indent {
        return Clipping::Hidden;
    }
    if !winners.is_none_or(Property::ClipPath, &["none"]) {
        let is_empty = match winners.get(Property::ClipPath) {
            Value::Text(text) => text.contains("inset(50%") || text.contains("inset(100%"),
            _ => false,
        };
        return if is_empty {
            Clipping::Hidden
        } else {
            Clipping::Cut
        };
    }
    let is_empty = |property| length(property).is_some_and(|pixels| pixels <= 0.0);
    let sides = [Property::Height, Property::MaxHeight, Property::Width];
    if sides.into_iter().any(is_empty) {
        return Clipping::Collapsed;
    }
    Clipping::None
}

fn is_decorated(winners: &Winners<'_, '_>, above: Option<&Appearance>) -> bool {
    let shadow = winners.get(Property::TextShadow);
    let fill = winners.get(Property::TextFill);
    let is_default = |value: &Value, words: &[&str]| value.is(words) || value.is(&["initial"]);
    let inherits = |value: &Value| *value == Value::Nothing || value.is(&["inherit", "unset"]);
    let is_plain = is_default(&shadow, &["none"]) || inherits(&shadow);
    let is_filled = is_default(&fill, &["currentcolor"]) || inherits(&fill);
    if !is_plain || !is_filled {
        return true;
    }
    let is_reset = is_default(&shadow, &["none"]) && is_default(&fill, &["currentcolor"]);
    !is_reset && above.is_some_and(|above| above.is_decorated)
}

/// Whether the color scheme may be dark in the default settings of browsers; `None` without a declaration.
fn is_dark(winners: &Winners<'_, '_>) -> Option<bool> {
    match winners.get(Property::ColorScheme) {
        Value::Nothing => None,
        Value::Unknown => Some(true),
        Value::Text(text) => {
            let lower = text.to_ascii_lowercase();
            let mut words = lower.split_whitespace();
            Some(words.any(|word| word == "dark") && !lower.contains("light"))
        }
    }
}
