//! The rules of a page's style sheets that declare a relevant property.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use url::Url;

use super::backgrounds::{Backgrounds, sets_image};
use super::fonts::is_of_fonts;
use super::generated::{host, may_generate_text};
use super::linked::read_import;
use super::media::Condition;
use super::scan::{
    Declaration, Item, declaration, declarations, items, split_outside, without_comments,
};
use super::selector::{Key, Selector};
use crate::bounds::style::{
    MAX_CONDITIONS, MAX_CSS_BYTES, MAX_CSS_BYTES_LOOKED_AT, MAX_DECLARATIONS, MAX_LAYERS,
    MAX_REGISTERED_PROPERTIES, MAX_RULE_DEPTH, MAX_RULES, MAX_SELECTOR_ATTRIBUTES,
};
use crate::dom::ElementRef;

/// The longest selector list of a rule, and the longest selector, in bytes.
const LONGEST_PRELUDE: usize = 8 * 1024;
const LONGEST_SELECTOR: usize = 1024;

/// The properties that checks use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Property {
    Display,
    Visibility,
    FontSize,
    LetterSpacing,
    WordSpacing,
    LineHeight,
    Transform,
    Rotate,
    Width,
    Height,
    AspectRatio,
    Position,
    MaxWidth,
    Color,
    /// The color behind the element.
    Background,
    /// The image behind the element.
    BackgroundImage,
    BackgroundSize,
    BackgroundPosition,
    BackgroundClip,
    Opacity,
    FontWeight,
    Top,
    Right,
    Bottom,
    Left,
    ZIndex,
    /// `translate` and `scale`.
    Move,
    MarginTop,
    MarginRight,
    MarginBottom,
    MarginLeft,
    Float,
    Filter,
    BackdropFilter,
    Blend,
    Mask,
    Clip,
    ClipPath,
    MaxHeight,
    BoxShadow,
    TextShadow,
    TextFill,
    TextIndent,
    GridArea,
    ColorScheme,
    Content,
    /// `all`, which sets every property.
    All,
    /// A custom property, by the hash of its name.
    Custom(u64),
}

/// Which properties are read from a sheet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Reads {
    /// Those that most checks need: which elements are visible, and how large they and their texts are.
    #[default]
    Layout,
    /// Those that the colors of texts depend on, also of `::before` and `::after`. Most rules of a page set one.
    Paint,
}

/// A name and the properties that it sets.
type Named = (&'static str, &'static [Property]);

const MARGINS: [Property; 4] = [
    Property::MarginTop,
    Property::MarginRight,
    Property::MarginBottom,
    Property::MarginLeft,
];

/// The names that set the properties of [`Reads::Layout`].
const LAYOUT: [Named; 16] = [
    ("display", &[Property::Display]),
    ("visibility", &[Property::Visibility]),
    ("font-size", &[Property::FontSize]),
    ("font", &[Property::FontSize, Property::LineHeight]),
    ("letter-spacing", &[Property::LetterSpacing]),
    ("word-spacing", &[Property::WordSpacing]),
    ("line-height", &[Property::LineHeight]),
    ("transform", &[Property::Transform]),
    ("rotate", &[Property::Rotate]),
    ("width", &[Property::Width]),
    ("inline-size", &[Property::Width]),
    ("height", &[Property::Height]),
    ("block-size", &[Property::Height]),
    ("aspect-ratio", &[Property::AspectRatio]),
    ("max-width", &[Property::MaxWidth]),
    ("position", &[Property::Position]),
];

/// The names that set the properties of [`Reads::Paint`], sorted by name.
const PAINT: [Named; 66] = [
    ("-webkit-background-clip", &[Property::BackgroundClip]),
    ("-webkit-mask", &[Property::Mask]),
    ("-webkit-mask-image", &[Property::Mask]),
    ("-webkit-text-fill-color", &[Property::TextFill]),
    ("all", &[Property::All]),
    ("backdrop-filter", &[Property::BackdropFilter]),
    (
        "background",
        &[
            Property::Background,
            Property::BackgroundImage,
            Property::BackgroundSize,
            Property::BackgroundPosition,
            Property::BackgroundClip,
        ],
    ),
    ("background-clip", &[Property::BackgroundClip]),
    ("background-color", &[Property::Background]),
    ("background-image", &[Property::BackgroundImage]),
    ("background-position", &[Property::BackgroundPosition]),
    ("background-position-x", &[Property::BackgroundPosition]),
    ("background-position-y", &[Property::BackgroundPosition]),
    ("background-size", &[Property::BackgroundSize]),
    ("block-size", &[Property::Height]),
    ("bottom", &[Property::Bottom]),
    ("box-shadow", &[Property::BoxShadow]),
    ("clip", &[Property::Clip]),
    ("clip-path", &[Property::ClipPath]),
    ("color", &[Property::Color]),
    ("color-scheme", &[Property::ColorScheme]),
    ("content", &[Property::Content]),
    ("display", &[Property::Display]),
    ("filter", &[Property::Filter]),
    ("float", &[Property::Float]),
    ("font", &[Property::FontSize, Property::FontWeight]),
    ("font-size", &[Property::FontSize]),
    ("font-weight", &[Property::FontWeight]),
    ("grid-area", &[Property::GridArea]),
    ("height", &[Property::Height]),
    ("inline-size", &[Property::Width]),
    (
        "inset",
        &[
            Property::Top,
            Property::Right,
            Property::Bottom,
            Property::Left,
        ],
    ),
    ("inset-block", &[Property::Top, Property::Bottom]),
    ("inset-block-end", &[Property::Bottom]),
    ("inset-block-start", &[Property::Top]),
    ("inset-inline", &[Property::Left, Property::Right]),
    ("inset-inline-end", &[Property::Right]),
    ("inset-inline-start", &[Property::Left]),
    ("left", &[Property::Left]),
    ("margin", &MARGINS),
    (
        "margin-block",
        &[Property::MarginTop, Property::MarginBottom],
    ),
    ("margin-block-end", &[Property::MarginBottom]),
    ("margin-block-start", &[Property::MarginTop]),
    ("margin-bottom", &[Property::MarginBottom]),
    (
        "margin-inline",
        &[Property::MarginLeft, Property::MarginRight],
    ),
    ("margin-inline-end", &[Property::MarginRight]),
    ("margin-inline-start", &[Property::MarginLeft]),
    ("margin-left", &[Property::MarginLeft]),
    ("margin-right", &[Property::MarginRight]),
    ("margin-top", &[Property::MarginTop]),
    ("mask", &[Property::Mask]),
    ("mask-image", &[Property::Mask]),
    ("max-height", &[Property::MaxHeight]),
    ("mix-blend-mode", &[Property::Blend]),
    ("opacity", &[Property::Opacity]),
    ("position", &[Property::Position]),
    ("right", &[Property::Right]),
    ("rotate", &[Property::Rotate]),
    ("scale", &[Property::Move]),
    ("text-indent", &[Property::TextIndent]),
    ("text-shadow", &[Property::TextShadow]),
    ("top", &[Property::Top]),
    ("transform", &[Property::Transform]),
    ("translate", &[Property::Move]),
    ("width", &[Property::Width]),
    ("z-index", &[Property::ZIndex]),
];

impl Property {
    /// The properties of [`Reads::Layout`] that a property or shorthand of this name sets.
    pub(super) fn set_by(name: &str) -> &'static [Self] {
        let found = LAYOUT
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map_or(&[], |(_, properties)| properties)
    }

    /// The properties of [`Reads::Paint`] that a property or shorthand of this name sets, except custom properties.
    pub(super) fn painted_by(name: &str) -> &'static [Self] {
        let name = name.to_ascii_lowercase();
        let place = PAINT.binary_search_by(|(known, _)| (*known).cmp(&name));
        place
            .ok()
            .and_then(|place| PAINT.get(place))
            .map_or(&[], |(_, properties)| properties)
    }

    /// The custom property with this name, which starts with two hyphens.
    pub(super) fn custom(name: &str) -> Self {
        // FNV-1a. Two names of one site with the same hash do not occur by accident.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self::Custom(hash)
    }

    const fn is_margin(self) -> bool {
        matches!(
            self,
            Self::MarginTop | Self::MarginRight | Self::MarginBottom | Self::MarginLeft
        )
    }
}

/// A declaration of a relevant property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) property: Property,
    pub(super) value: Box<str>,
    pub(super) important: bool,
}

/// The cascade layer of a rule: its place in the order in which the layers of a sheet first occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layer(u16);

impl Layer {
    /// The rules outside of layers, which precede all layers.
    pub(super) const NONE: Self = Self(u16::MAX);

    /// The precedence of a declaration in the layer: important declarations reverse the order.
    pub(super) const fn precedence(self, important: bool) -> u16 {
        if important { u16::MAX - self.0 } else { self.0 }
    }
}

/// Where a rule is: when it applies, and in which layer.
#[derive(Debug, Clone, Copy)]
struct Scope {
    condition: Condition,
    layer: Layer,
    /// Whether the specificity of the selectors is not known. Their rules are uncertain, and take precedence over all
    /// others.
    is_unranked: bool,
}

impl Scope {
    /// The scope of a block with a further condition.
    fn and(self, inner: Condition) -> Self {
        Self {
            condition: self.condition.and(inner),
            ..self
        }
    }

    /// The scope of rules whose selectors have a specificity that is not known.
    fn unranked(self) -> Self {
        Self {
            is_unranked: true,
            ..self.and(Condition::SOMETIMES)
        }
    }
}

/// What a rule applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// The elements that its selector selects.
    Element,
    /// `::before` of these elements.
    Before,
    /// `::after` of these elements.
    After,
}

/// A rule with one selector.
#[derive(Debug)]
pub(super) struct StyleRule {
    pub(super) target: Target,
    pub(super) selector: Selector,
    pub(super) condition: Condition,
    pub(super) layer: Layer,
    /// The declarations of the rule's block, shared by its selectors.
    pub(super) settings: Arc<[Setting]>,
}

/// The rules of several sheets, in order.
#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) all: Vec<StyleRule>,
    /// The names of the layers, in the order in which they first occur. A layer without a name is empty.
    layers: Vec<Box<str>>,
    index: Index,
    /// The rules that hide elements.
    hiding: Index,
    /// The originating elements of generated text, with the condition.
    pub(super) generated_content: Vec<(Selector, Condition)>,
    generating: Index,
    /// The rules that set a background image.
    pub(super) backgrounds: Backgrounds,
    /// The URL that addresses of the sheet are relative to.
    pub(super) base: Option<Url>,
    set: HashSet<Property>,
    /// Which properties are read.
    pub(super) reads: Reads,
    /// A hash of the texts that were read, with their conditions.
    pub(super) texts: u64,
    /// The rules for `::before` and `::after`, with [`Reads::Paint`].
    generated: Index,
    /// The custom properties that are registered, with [`Reads::Paint`].
    pub(super) registered: Vec<Registered>,
    /// The names of attributes and the ids that selectors read, with [`Reads::Paint`].
    pub(super) read_attributes: ReadAttributes,
    /// Whether a sheet has an import that is not read, or there are too many rules.
    pub(super) is_cut: bool,
    /// Whether imports were already read, so that an import statement can be ignored.
    pub(super) with_imports: bool,
    /// Whether a limit was exceeded, so that every result is uncertain.
    pub(super) is_over_limit: bool,
}

/// A custom property with an `@property` rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Registered {
    pub(super) property: Property,
    pub(super) inherits: bool,
    pub(super) initial: Option<Box<str>>,
}

/// What selectors read of an element besides its name and classes.
#[derive(Debug, Clone, Default)]
pub(super) struct ReadAttributes {
    /// Names of attributes, each with whether its value is read.
    pub(super) names: HashMap<Box<str>, bool>,
    pub(super) ids: HashSet<Box<str>>,
}

impl ReadAttributes {
    fn add(&mut self, selector: &Selector) {
        selector.attributes(&mut |name, reads_value| {
            if let Some(known) = self.names.get_mut(name) {
                *known |= reads_value;
            } else {
                self.names.insert(name.into(), reads_value);
            }
        });
        selector.ids(&mut |id| {
            if !self.ids.contains(id) {
                self.ids.insert(id.into());
            }
        });
    }
}

/// The remaining budget for reading style sheets. All sheets inside a page share it.
#[derive(Debug)]
pub(super) struct SheetBudget {
    css: usize,
    scanned: usize,
    rules: usize,
    conditions: usize,
}

impl Default for SheetBudget {
    fn default() -> Self {
        Self {
            css: MAX_CSS_BYTES,
            scanned: MAX_CSS_BYTES_LOOKED_AT,
            rules: MAX_RULES,
            conditions: MAX_CONDITIONS,
        }
    }
}

impl SheetBudget {
    /// Takes the cost of a rule with this selector. `None` if the budget is used up.
    fn take_rule(&mut self, selector: &Selector) -> Option<()> {
        take(&mut self.rules, 1)?;
        take(&mut self.conditions, selector.conditions())
    }
}

/// Subtracts `wanted` from `left`. `None` if less is left.
fn take(left: &mut usize, wanted: usize) -> Option<()> {
    *left = left.checked_sub(wanted)?;
    Some(())
}

impl Rules {
    /// Reads one sheet.
    pub(super) fn read(&mut self, css: &str, condition: Condition, budget: &mut SheetBudget) {
        if self.is_over_limit || take(&mut budget.css, css.len()).is_none() {
            return self.cut();
        }
        if self.reads == Reads::Paint {
            let mut hasher = DefaultHasher::new();
            (self.texts, css, condition).hash(&mut hasher);
            self.texts = hasher.finish();
        }
        let scope = Scope {
            condition,
            layer: Layer::NONE,
            is_unranked: false,
        };
        self.block(&without_comments(css), scope, 0, budget);
    }

    /// Whether an import is that of a service for fonts.
    fn imports_fonts(&self, statement: &str) -> bool {
        let address = read_import(statement).map(|import| import.address);
        let url = address.and_then(|address| self.base.as_ref()?.join(&address).ok());
        url.is_some_and(|url| is_of_fonts(&url))
    }

    fn cut(&mut self) {
        self.is_cut = true;
        self.is_over_limit = true;
    }

    fn block(&mut self, css: &str, scope: Scope, depth: usize, budget: &mut SheetBudget) {
        if scope.condition.is_never() || self.is_over_limit {
            return;
        }
        if take(&mut budget.scanned, css.len()).is_none() {
            return self.cut();
        }
        for item in items(css) {
            match item {
                Item::Statement(text) => {
                    self.is_cut |=
                        !self.with_imports && is_import(text) && !self.imports_fonts(text);
                    let names = text
                        .strip_prefix("@layer")
                        .or_else(|| layer_of_import(text));
                    if scope.layer == Layer::NONE
                        && let Some(names) = names
                    {
                        for name in names.split(',') {
                            let _ = self.layer(name.trim());
                        }
                    }
                }
                Item::Block { prelude, body } => match prelude.strip_prefix('@') {
                    Some(rule) => self.at_rule(rule, body, scope, depth, budget),
                    None => self.rule((prelude, body), scope, depth, budget),
                },
            }
        }
    }

    fn at_rule(
        &mut self,
        rule: &str,
        body: &str,
        scope: Scope,
        depth: usize,
        budget: &mut SheetBudget,
    ) {
        let end = rule.find(|c: char| c.is_whitespace() || c == '(');
        let (name, prelude) = rule.split_at(end.unwrap_or(rule.len()));
        let inner = match name.to_ascii_lowercase().as_str() {
            "media" => scope.and(Condition::from_media(prelude.trim())),
            // The order of layers within layers is not evaluated.
            "layer" if scope.layer != Layer::NONE => scope.and(Condition::SOMETIMES),
            "layer" => match self.layer(prelude.trim()) {
                Some(layer) => Scope { layer, ..scope },
                None => scope.and(Condition::SOMETIMES),
            },
            "supports" => scope.and(supports(prelude)),
            "container" | "scope" => scope.and(Condition::SOMETIMES),
            "property" if self.reads == Reads::Paint => return self.register(prelude, body),
            _ => return,
        };
        if depth < MAX_RULE_DEPTH {
            self.block(body, inner, depth + 1, budget);
        } else {
            self.cut();
        }
    }

    /// Records a registered custom property.
    fn register(&mut self, name: &str, body: &str) {
        if self.registered.len() >= MAX_REGISTERED_PROPERTIES {
            return self.cut();
        }
        let mut found = Registered {
            property: Property::custom(name.trim()),
            inherits: true,
            initial: None,
        };
        for item in declarations(body) {
            match item.name.to_ascii_lowercase().as_str() {
                "inherits" => found.inherits = !item.value.eq_ignore_ascii_case("false"),
                "initial-value" => found.initial = Some(item.value.into()),
                _ => {}
            }
        }
        self.registered.push(found);
    }

    /// The layer with this name, added if it is new. `None` if it is inside another layer, which is added if it is new, or
    /// there are too many.
    fn layer(&mut self, name: &str) -> Option<Layer> {
        if name.contains(',') {
            return None;
        }
        if let Some((outer, _)) = name.split_once('.') {
            self.layer(outer);
            return None;
        }
        let known = self
            .layers
            .iter()
            .position(|known| !name.is_empty() && **known == *name);
        let place = match known {
            Some(place) => place,
            None if self.layers.len() < MAX_LAYERS => {
                self.layers.push(name.into());
                self.layers.len() - 1
            }
            None => return None,
        };
        u16::try_from(place).ok().map(Layer)
    }

    /// Whether the rules use layers.
    pub(super) const fn has_layers(&self) -> bool {
        !self.layers.is_empty()
    }

    fn rule(
        &mut self,
        (prelude, body): (&str, &str),
        scope: Scope,
        depth: usize,
        budget: &mut SheetBudget,
    ) {
        if prelude.len() > LONGEST_PRELUDE
            || self.is_over_limit
            || take(&mut budget.scanned, prelude.len() + body.len()).is_none()
        {
            return self.cut();
        }
        let mut settings: Vec<Setting> = Vec::new();
        let mut writes = false;
        let mut background: Option<(&str, bool)> = None;
        for item in items(body) {
            match item {
                Item::Statement(statement) => {
                    let Some(found) = declaration(statement) else {
                        continue;
                    };
                    if self.reads == Reads::Layout {
                        let is_content = found.name.eq_ignore_ascii_case("content");
                        writes |= is_content && may_generate_text(found.value);
                        if sets_image(found.name)
                            && background.is_none_or(|(_, known)| found.important || !known)
                        {
                            background = Some((found.value, found.important));
                        }
                    }
                    add_settings(&mut settings, self.reads, &found);
                }
                // The value of a custom property may be a block.
                Item::Block { prelude: inner, .. } if inner.starts_with("--") => {}
                Item::Block {
                    prelude: inner,
                    body,
                } => {
                    // Rules count in the order of the source (CSS Nesting, 3.4 Mixing Nesting Rules and Declarations).
                    self.declare(prelude, std::mem::take(&mut settings), scope, budget);
                    self.nested(prelude, (inner, body), scope, depth, budget);
                }
            }
        }
        self.declare(prelude, settings, scope, budget);
        if writes {
            self.write(prelude, scope.condition, budget);
        }
        if let Some(declared) = background {
            let texts = split_outside(prelude, b',').filter(|text| text.len() <= LONGEST_SELECTOR);
            for text in texts {
                let base = self.base.as_ref();
                self.backgrounds.add(text, scope.condition, declared, base);
            }
        }
    }

    /// Adds declarations of a rule for each of its selectors.
    fn declare(
        &mut self,
        prelude: &str,
        mut settings: Vec<Setting>,
        scope: Scope,
        budget: &mut SheetBudget,
    ) {
        keep_last(&mut settings);
        if settings.is_empty() {
            return;
        }
        if settings.len() > MAX_DECLARATIONS {
            return self.cut();
        }
        let hides = settings.iter().any(Setting::hides);
        let settings: Arc<[Setting]> = settings.into();
        // Browsers drop a whole rule for a selector that they do not know, and each knows those of its vendor.
        let is_dropped = split_outside(prelude, b',').any(is_of_a_vendor);
        let condition = if is_dropped {
            scope.condition.and(Condition::SOMETIMES)
        } else {
            scope.condition
        };
        let mut sets = false;
        for text in split_outside(prelude, b',') {
            if text.len() > LONGEST_SELECTOR {
                self.cut();
            } else if let Some((target, mut selector)) = self.subject(text) {
                if scope.is_unranked {
                    selector.specificity = u32::MAX;
                }
                sets |= target == Target::Element;
                let rule = StyleRule {
                    target,
                    selector,
                    condition,
                    layer: scope.layer,
                    settings: Arc::clone(&settings),
                };
                self.add(rule, hides, budget);
            } else if !is_for_pseudo_element(text) {
                self.is_cut = true;
            }
        }
        if sets {
            self.set.extend(settings.iter().map(|set| set.property));
        }
    }

    /// What a selector selects; `None` if it is not understood or selects nothing that is read.
    fn subject(&self, text: &str) -> Option<(Target, Selector)> {
        if let Some(selector) = Selector::parse(text) {
            return Some((Target::Element, selector));
        }
        let host = host(text).filter(|_| self.reads == Reads::Paint)?;
        let is_after = text.to_ascii_lowercase().ends_with(":after");
        let target = if is_after {
            Target::After
        } else {
            Target::Before
        };
        Some((target, Selector::parse(&host)?))
    }

    /// Records the elements for which the rule generates text before or after the content.
    fn write(&mut self, prelude: &str, condition: Condition, budget: &mut SheetBudget) {
        let texts = split_outside(prelude, b',').filter(|text| text.len() <= LONGEST_SELECTOR);
        let hosts = texts.filter_map(host);
        for selector in hosts.filter_map(|host| Selector::parse(&host)) {
            if budget.take_rule(&selector).is_none() {
                return self.cut();
            }
            self.generating
                .add(selector.key(), self.generated_content.len());
            self.generated_content.push((selector, condition));
        }
    }

    /// A nested rule. What it matches is uncertain if its selector cannot be written without nesting.
    fn nested(
        &mut self,
        outer: &str,
        item: (&str, &str),
        scope: Scope,
        depth: usize,
        budget: &mut SheetBudget,
    ) {
        let (prelude, body) = item;
        if depth >= MAX_RULE_DEPTH {
            return self.cut();
        }
        if prelude.starts_with('@') {
            let within = format!("{prelude}{{{outer}{{{body}}}}}");
            return self.block(&within, scope, depth + 1, budget);
        }
        if take(&mut budget.scanned, outer.len()).is_none() {
            return self.cut();
        }
        if let Some(prelude) = joined(outer, prelude) {
            // All have the specificity of the strongest outer selector (CSS Nesting, 3.1 Nesting Selector).
            let is_unranked = scope.is_unranked || !are_equally_specific(outer);
            let scope = if is_unranked { scope.unranked() } else { scope };
            return self.rule((&prelude, body), scope, depth + 1, budget);
        }
        // The parent or sibling it refers to depends on the outer rule as well.
        let prelude = prelude.trim_start_matches(['>', '+', '~', ' ']);
        self.rule((prelude, body), scope.unranked(), depth + 1, budget);
    }

    fn add(&mut self, rule: StyleRule, hides: bool, budget: &mut SheetBudget) {
        if budget.take_rule(&rule.selector).is_none() {
            return self.cut();
        }
        let index = self.all.len();
        let key = rule.selector.key();
        if self.reads == Reads::Paint {
            self.read_attributes.add(&rule.selector);
        }
        if rule.target != Target::Element {
            self.generated.add(key, index);
            self.all.push(rule);
            return;
        }
        self.index.add(key, index);
        if hides {
            self.hiding.add(key, index);
        }
        self.all.push(rule);
    }

    /// Whether a rule declares the property.
    pub(super) fn set(&self, property: Property) -> bool {
        self.set.contains(&property)
    }

    /// The custom properties that rules declare for any element.
    pub(super) fn custom_properties(&self) -> impl Iterator<Item = Property> {
        let all = self.set.iter().copied();
        all.filter(|property| matches!(property, Property::Custom(_)))
    }

    /// The indices of rules that may match the element.
    pub(super) fn candidates<'a>(
        &'a self,
        element: ElementRef<'a>,
    ) -> impl Iterator<Item = usize> + use<'a> {
        self.index.candidates(element)
    }

    /// The indices of rules for `::before` and `::after` of the element that may match.
    pub(super) fn generated_candidates<'a>(
        &'a self,
        element: ElementRef<'a>,
    ) -> impl Iterator<Item = usize> + use<'a> {
        self.generated.candidates(element)
    }

    /// The indices in `generated_content` of selectors that may match the element.
    pub(super) fn generating_candidates<'a>(
        &'a self,
        element: ElementRef<'a>,
    ) -> impl Iterator<Item = usize> + use<'a> {
        self.generating.candidates(element)
    }

    /// The indices of hiding rules that may match the element.
    pub(super) fn hiding_candidates<'a>(
        &'a self,
        element: ElementRef<'a>,
    ) -> impl Iterator<Item = usize> + use<'a> {
        self.hiding.candidates(element)
    }

    /// Whether a hiding rule is indexed by this class.
    pub(super) fn hides_class(&self, class: &str) -> bool {
        self.hiding.by_class.contains_key(class)
    }

    /// Whether a hiding rule may match an element with this name and these classes, regardless of its other
    /// attributes.
    pub(super) fn may_hide_kind(&self, name: &str, classes: &str) -> bool {
        self.is_over_limit || self.hiding.may_have_kind(name, classes)
    }
}

impl Setting {
    fn hides(&self) -> bool {
        let is = |word: &str| self.value.eq_ignore_ascii_case(word);
        match self.property {
            Property::Display => is("none") || self.value.contains("var("),
            Property::Visibility => is("hidden") || is("collapse"),
            _ => false,
        }
    }
}

/// Of several declarations of a property, keeps the last one of each importance.
pub(super) fn keep_last(settings: &mut Vec<Setting>) {
    let mut seen = HashSet::new();
    settings.reverse();
    settings.retain(|set| seen.insert((set.property, set.important)));
    settings.reverse();
}

/// Adds what a declaration sets. Call [`keep_last`] after the last one.
pub(super) fn add_settings(settings: &mut Vec<Setting>, reads: Reads, found: &Declaration<'_>) {
    let custom = [Property::custom(found.name)];
    let properties = match reads {
        Reads::Layout => Property::set_by(found.name),
        Reads::Paint if found.name.starts_with("--") => &custom,
        Reads::Paint => Property::painted_by(found.name),
    };
    for property in properties {
        // Only margins that move an element over another one matter.
        if reads == Reads::Paint && property.is_margin() && !found.value.contains('-') {
            continue;
        }
        settings.push(Setting {
            property: *property,
            value: found.value.into(),
            important: found.important,
        });
    }
}

/// The selector list of a rule nested in another one, if both lists are simple enough to be written as one.
fn joined(outer: &str, inner: &str) -> Option<String> {
    let inner: Vec<&str> = split_outside(inner, b',').map(str::trim).collect();
    let simple = |text: &&str| match text.strip_prefix('&') {
        Some(rest) => !rest.contains('&') && !rest.starts_with(char::is_alphanumeric),
        // It is relative to the outer selector.
        None => !text.contains('&'),
    };
    if outer.contains('&') || !inner.iter().all(simple) {
        return None;
    }
    let outer: Vec<&str> = split_outside(outer, b',').map(str::trim).collect();
    // A rule for a pseudo-element has no nested rules for elements.
    if outer.iter().any(|text| is_for_pseudo_element(text)) {
        return None;
    }
    let mut lists = String::new();
    for text in &inner {
        for around in &outer {
            let separator = if lists.is_empty() { "" } else { "," };
            lists.push_str(separator);
            lists.push_str(around);
            match text.strip_prefix('&') {
                Some(rest) => lists.push_str(rest),
                None => lists.extend([" ", text]),
            }
            if lists.len() > LONGEST_PRELUDE {
                return None;
            }
        }
    }
    Some(lists)
}

/// Whether the selectors of a list all have the same specificity.
fn are_equally_specific(list: &str) -> bool {
    let mut all = split_outside(list, b',').map(|text| Some(Selector::parse(text)?.specificity));
    let first = all.next().flatten();
    first.is_some() && all.all(|other| other == first)
}

/// Whether a selector has a part that browsers of one vendor alone know.
fn is_of_a_vendor(selector: &str) -> bool {
    [":-moz-", ":-ms-", ":-o-"]
        .iter()
        .any(|prefix| selector.contains(prefix))
}

/// When the rules of an `@supports` block apply. All current browsers have the features that are known here.
fn supports(prelude: &str) -> Condition {
    const SINCE_2023: [&str; 12] = [
        "(display:grid)",
        "(display:flex)",
        "(position:sticky)",
        "(object-fit:cover)",
        "(aspect-ratio:1)",
        "(aspect-ratio:1/1)",
        "(gap:1px)",
        "(inset:0)",
        "(color:oklch(0%00))",
        "(color:color-mix(inlab,red,red))",
        "(color:color-mix(insrgb,red,red))",
        "(--css:variables)",
    ];
    let text: String = prelude.to_ascii_lowercase().split_whitespace().collect();
    if SINCE_2023.contains(&text.as_str()) {
        return Condition::ALWAYS;
    }
    // Of alternatives, one is enough.
    let is_one_of = text.contains(")or(") && !text.contains("not") && !text.contains(")and(");
    if is_one_of && SINCE_2023.iter().any(|known| text.contains(known)) {
        return Condition::ALWAYS;
    }
    match text.strip_prefix("not") {
        Some(rest) if SINCE_2023.contains(&rest) => Condition::NEVER,
        _ => Condition::SOMETIMES,
    }
}

/// Whether the statement is an `@import`.
pub(super) fn is_import(statement: &str) -> bool {
    let start = statement.get(..7);
    start.is_some_and(|start| start.eq_ignore_ascii_case("@import"))
}

/// The layer that an `@import` gives to its sheet.
fn layer_of_import(statement: &str) -> Option<&str> {
    let (_, after) = statement
        .split_once(" layer(")
        .filter(|_| is_import(statement))?;
    after.split(')').next()
}

/// Whether the selector is for a pseudo-element, such as `::before`.
fn is_for_pseudo_element(selector: &str) -> bool {
    let parts = [":before", ":after", ":first-line", ":first-letter"];
    selector.contains("::") || parts.iter().any(|part| selector.contains(part))
}

/// An index of rules by what the elements they match have in common.
#[derive(Debug, Default)]
pub(super) struct Index {
    by_id: HashMap<Box<str>, Vec<usize>>,
    by_class: HashMap<Box<str>, Vec<usize>>,
    by_tag: HashMap<Box<str>, Vec<usize>>,
    by_attribute: Vec<(Box<str>, Vec<usize>)>,
    anywhere: Vec<usize>,
    names: NameFilter,
}

impl Index {
    pub(super) fn add(&mut self, key: Key<'_>, index: usize) {
        if let Key::Id(name) | Key::Class(name) | Key::Tag(name) = key {
            self.names.add(name);
        }
        let indices = match key {
            Key::Id(id) => self.by_id.entry(id.into()).or_default(),
            Key::Class(class) => self.by_class.entry(class.into()).or_default(),
            Key::Tag(tag) => self.by_tag.entry(tag.into()).or_default(),
            Key::Attribute(name) => return self.add_attribute(name, index),
            Key::Any => &mut self.anywhere,
        };
        indices.push(index);
    }

    fn add_attribute(&mut self, name: &str, index: usize) {
        let has_space = self.by_attribute.len() < MAX_SELECTOR_ATTRIBUTES;
        let mut known = self.by_attribute.iter_mut();
        match known.find(|(known, _)| **known == *name) {
            Some((_, indices)) => indices.push(index),
            None if has_space => self.by_attribute.push((name.into(), vec![index])),
            None => self.anywhere.push(index),
        }
    }

    /// Whether no rule was added.
    pub(super) fn is_empty(&self) -> bool {
        self.by_id.is_empty()
            && self.by_class.is_empty()
            && self.by_tag.is_empty()
            && self.by_attribute.is_empty()
            && self.anywhere.is_empty()
    }

    /// Whether an element with this name and these classes may match.
    fn may_have_kind(&self, name: &str, classes: &str) -> bool {
        let has = |map: &HashMap<Box<str>, Vec<usize>>, word: &str| {
            self.names.may_have(word) && map.contains_key(word)
        };
        !self.by_id.is_empty()
            || !self.by_attribute.is_empty()
            || !self.anywhere.is_empty()
            || has(&self.by_tag, name)
            || (!self.by_class.is_empty()
                && classes
                    .split_ascii_whitespace()
                    .any(|class| has(&self.by_class, class)))
    }

    pub(super) fn candidates<'a>(
        &'a self,
        element: ElementRef<'a>,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let of = move |map: &'a HashMap<Box<str>, Vec<usize>>, words: &dyn Fn() -> &'a str| {
            // If no rule uses this kind of key, which is common, there is nothing to look up.
            let words = if map.is_empty() { "" } else { words() };
            let found = words.split_ascii_whitespace();
            found
                .filter(|word| self.names.may_have(word))
                .filter_map(move |word| map.get(word))
                .flatten()
                .copied()
        };
        let attribute = |name| element.attr(name).unwrap_or_default();
        let with_attribute = self.by_attribute.iter();
        of(&self.by_tag, &|| element.name())
            .chain(of(&self.by_id, &|| attribute("id")))
            .chain(of(&self.by_class, &|| attribute("class")))
            .chain(
                with_attribute
                    .filter(move |(name, _)| element.has_attr(name))
                    .flat_map(|(_, indices)| indices.iter().copied()),
            )
            .chain(self.anywhere.iter().copied())
    }
}

/// A filter for names that avoids most lookups: one bit for each length with first and last letter.
#[derive(Debug, Default)]
struct NameFilter([u64; 4]);

impl NameFilter {
    fn add(&mut self, name: &str) {
        let (word, bit) = Self::bit(name);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    fn may_have(&self, name: &str) -> bool {
        let (word, bit) = Self::bit(name);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    fn bit(name: &str) -> (usize, u64) {
        let bytes = name.as_bytes();
        let end = |byte: Option<&u8>| byte.copied().map_or(0, u32::from);
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let mixed = end(bytes.first())
            .wrapping_mul(31)
            .wrapping_add(end(bytes.last()).wrapping_mul(7))
            .wrapping_add(length.wrapping_mul(13));
        let word = usize::try_from(mixed >> 6 & 3).unwrap_or(0);
        (word, 1 << (mixed & 63))
    }
}
