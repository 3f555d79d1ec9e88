//! The rules of a page's style sheets that say something about a property that is read.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::generated::{host, may_write};
use super::media::Condition;
use super::scan::{Item, declaration, items, split_outside, without_comments};
use super::selector::{Key, Selector};
use crate::bounds::style::{
    MAX_CONDITIONS, MAX_CSS_BYTES, MAX_CSS_BYTES_LOOKED_AT, MAX_RULE_DEPTH, MAX_RULES,
    MAX_SELECTOR_ATTRIBUTES,
};
use crate::dom::ElementRef;

/// The longest list of selectors of a rule, and the longest selector, in bytes.
const LONGEST_PRELUDE: usize = 8 * 1024;
const LONGEST_SELECTOR: usize = 1024;

/// The properties that checks ask about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    MaxWidth,
    Color,
    /// The colour or image behind the element.
    Background,
    FontWeight,
    /// What lays an element over others, or makes it or its text show something else as well.
    Layer,
}

impl Property {
    /// Whether only the contrast of text depends on it. Most rules of a page set such a property, and
    /// few pages have text of which the contrast can be known.
    fn is_of_contrast(self) -> bool {
        matches!(
            self,
            Self::Color | Self::Background | Self::FontWeight | Self::Layer
        )
    }

    /// The property that a name, or the shorthand of that name, sets.
    pub(super) fn set_by(name: &str) -> &'static [Self] {
        const NAMES: [(&str, &[Property]); 28] = [
            ("display", &[Property::Display]),
            ("visibility", &[Property::Visibility]),
            ("font-size", &[Property::FontSize]),
            (
                "font",
                &[
                    Property::FontSize,
                    Property::LineHeight,
                    Property::FontWeight,
                ],
            ),
            ("letter-spacing", &[Property::LetterSpacing]),
            ("word-spacing", &[Property::WordSpacing]),
            ("line-height", &[Property::LineHeight]),
            ("transform", &[Property::Transform]),
            ("rotate", &[Property::Rotate]),
            ("width", &[Property::Width]),
            ("max-width", &[Property::MaxWidth]),
            ("color", &[Property::Color]),
            ("background", &[Property::Background]),
            ("background-color", &[Property::Background]),
            ("background-image", &[Property::Layer]),
            ("color-scheme", &[Property::Layer]),
            ("font-weight", &[Property::FontWeight]),
            ("background-clip", &[Property::Layer]),
            ("clip-path", &[Property::Layer]),
            ("filter", &[Property::Layer]),
            ("backdrop-filter", &[Property::Layer]),
            ("mask", &[Property::Layer]),
            ("mask-image", &[Property::Layer]),
            ("mix-blend-mode", &[Property::Layer]),
            ("opacity", &[Property::Layer]),
            ("position", &[Property::Layer]),
            ("text-shadow", &[Property::Layer]),
            ("-webkit-text-fill-color", &[Property::Layer]),
        ];
        let found = NAMES
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map_or(&[], |(_, properties)| properties)
    }
}

/// A declaration of a property that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) property: Property,
    pub(super) value: Box<str>,
    pub(super) important: bool,
}

/// A rule with one selector.
#[derive(Debug)]
pub(super) struct StyleRule {
    pub(super) selector: Selector,
    pub(super) condition: Condition,
    /// What the rule of the same block sets, shared by its selectors.
    pub(super) settings: Arc<[Setting]>,
}

/// The rules of all sheets of a page, in order.
#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) all: Vec<StyleRule>,
    index: Index,
    /// Those that take elements out of sight.
    hiding: Index,
    /// What rules that write text before or after the content of elements select, and when.
    pub(super) written: Vec<(Selector, Condition)>,
    writing: Index,
    set: HashSet<Property>,
    /// Whether properties are read that only the contrast of text depends on.
    pub(super) with_contrast: bool,
    /// Whether a sheet imports another one that is not read, or there are too many rules.
    pub(super) is_cut: bool,
    /// Whether what a sheet imports is read before it, so that the statement itself says nothing more.
    pub(super) with_imports: bool,
    /// Whether there is more than is read, so that nothing is certain of any element.
    pub(super) is_too_much: bool,
}

/// How much more of style sheets is read. The sheets that stand in a page share it.
#[derive(Debug)]
pub(super) struct Room {
    css: usize,
    looked_at: usize,
    rules: usize,
    conditions: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            css: MAX_CSS_BYTES,
            looked_at: MAX_CSS_BYTES_LOOKED_AT,
            rules: MAX_RULES,
            conditions: MAX_CONDITIONS,
        }
    }
}

impl Room {
    /// Takes the room of a rule with that selector. None where there is none left.
    fn take_rule(&mut self, selector: &Selector) -> Option<()> {
        take(&mut self.rules, 1)?;
        take(&mut self.conditions, selector.conditions())
    }
}

/// Subtracts what is wanted from what is left. None where there is less.
fn take(left: &mut usize, wanted: usize) -> Option<()> {
    *left = left.checked_sub(wanted)?;
    Some(())
}

impl Rules {
    /// Reads one sheet.
    pub(super) fn read(&mut self, css: &str, condition: Condition, room: &mut Room) {
        if self.is_too_much || take(&mut room.css, css.len()).is_none() {
            return self.cut();
        }
        self.block(&without_comments(css), condition, 0, room);
    }

    fn cut(&mut self) {
        self.is_cut = true;
        self.is_too_much = true;
    }

    fn block(&mut self, css: &str, condition: Condition, depth: usize, room: &mut Room) {
        if condition == Condition::Never || self.is_too_much {
            return;
        }
        if take(&mut room.looked_at, css.len()).is_none() {
            return self.cut();
        }
        for item in items(css) {
            match item {
                Item::Statement(text) => self.is_cut |= !self.with_imports && is_import(text),
                Item::Block { prelude, body } => match prelude.strip_prefix('@') {
                    Some(rule) => self.at_rule(rule, body, condition, depth, room),
                    None => self.rule((prelude, body), condition, depth, room),
                },
            }
        }
    }

    fn at_rule(
        &mut self,
        rule: &str,
        body: &str,
        condition: Condition,
        depth: usize,
        room: &mut Room,
    ) {
        let end = rule.find(|c: char| c.is_whitespace() || c == '(');
        let (name, prelude) = rule.split_at(end.unwrap_or(rule.len()));
        let inner = match name.to_ascii_lowercase().as_str() {
            "media" => Condition::of_media(prelude.trim()),
            "supports" | "layer" | "container" | "scope" => Condition::Sometimes,
            _ => return,
        };
        if depth < MAX_RULE_DEPTH {
            self.block(body, condition.and(inner), depth + 1, room);
        } else {
            self.cut();
        }
    }

    fn rule(
        &mut self,
        (prelude, body): (&str, &str),
        condition: Condition,
        depth: usize,
        room: &mut Room,
    ) {
        if prelude.len() > LONGEST_PRELUDE
            || self.is_too_much
            || take(&mut room.looked_at, prelude.len() + body.len()).is_none()
        {
            return self.cut();
        }
        let mut settings: Vec<Setting> = Vec::new();
        let mut writes = false;
        for item in items(body) {
            match item {
                Item::Statement(statement) => {
                    if let Some(found) = declaration(statement) {
                        let is_content = found.name.eq_ignore_ascii_case("content");
                        writes |= is_content && may_write(found.value);
                        let set = Property::set_by(found.name).iter();
                        let read = set.filter(|set| self.with_contrast || !set.is_of_contrast());
                        for property in read {
                            // Of what is set twice the last counts.
                            settings.retain(|known| {
                                known.property != *property || known.important != found.important
                            });
                            settings.push(Setting {
                                property: *property,
                                value: found.value.into(),
                                important: found.important,
                            });
                        }
                    }
                }
                Item::Block {
                    prelude: inner,
                    body,
                } => self.nested(prelude, (inner, body), condition, depth, room),
            }
        }
        if writes {
            self.write(prelude, condition, room);
        }
        if settings.is_empty() {
            return;
        }
        let settings: Arc<[Setting]> = settings.into();
        for text in split_outside(prelude, b',') {
            if text.len() > LONGEST_SELECTOR {
                self.cut();
            } else if let Some(selector) = Selector::parse(text) {
                let rule = StyleRule {
                    selector,
                    condition,
                    settings: Arc::clone(&settings),
                };
                self.add(rule, room);
            } else if !is_of_a_part(text) {
                self.is_cut = true;
            }
        }
    }

    /// Remembers what the rule writes text before or after the content of.
    fn write(&mut self, prelude: &str, condition: Condition, room: &mut Room) {
        let texts = split_outside(prelude, b',').filter(|text| text.len() <= LONGEST_SELECTOR);
        let hosts = texts.filter_map(host);
        for selector in hosts.filter_map(|host| Selector::parse(&host)) {
            if room.take_rule(&selector).is_none() {
                return self.cut();
            }
            self.writing.add(selector.key(), self.written.len());
            self.written.push((selector, condition));
        }
    }

    /// A rule within a rule: what it selects depends on the outer one, which is not followed.
    fn nested(
        &mut self,
        outer: &str,
        item: (&str, &str),
        condition: Condition,
        depth: usize,
        room: &mut Room,
    ) {
        let (prelude, body) = item;
        if depth >= MAX_RULE_DEPTH {
            self.cut();
        } else if prelude.starts_with('@') {
            let within = format!("{prelude}{{{outer}{{{body}}}}}");
            self.block(&within, condition, depth + 1, room);
        } else if let Some(rest) = prelude
            .strip_prefix('&')
            .filter(|rest| is_of_a_part(rest) && !outer.contains([',', '&']))
        {
            let prelude = format!("{outer}{rest}");
            self.rule((&prelude, body), condition, depth + 1, room);
        } else {
            // Whose child or sibling it is depends on the outer rule as well.
            let prelude = prelude.trim_start_matches(['>', '+', '~', ' ']);
            self.rule((prelude, body), Condition::Sometimes, depth + 1, room);
        }
    }

    fn add(&mut self, rule: StyleRule, room: &mut Room) {
        if room.take_rule(&rule.selector).is_none() {
            return self.cut();
        }
        let place = self.all.len();
        let key = rule.selector.key();
        self.index.add(key, place);
        if rule.settings.iter().any(Setting::hides) {
            self.hiding.add(key, place);
        }
        self.set
            .extend(rule.settings.iter().map(|set| set.property));
        self.all.push(rule);
    }

    /// Whether a rule sets the property.
    pub(super) fn set(&self, property: Property) -> bool {
        self.set.contains(&property)
    }

    /// The places of the rules that may select the element.
    pub(super) fn candidates<'a>(
        &'a self,
        element: ElementRef<'a>,
    ) -> impl Iterator<Item = usize> + use<'a> {
        self.index.candidates(element)
    }

    /// The places, among those that are written to, of what may select the element.
    pub(super) fn writers<'a>(
        &'a self,
        element: ElementRef<'a>,
    ) -> impl Iterator<Item = usize> + use<'a> {
        self.writing.candidates(element)
    }

    /// The places of the rules that take elements out of sight and may select the element.
    pub(super) fn hiders<'a>(
        &'a self,
        element: ElementRef<'a>,
    ) -> impl Iterator<Item = usize> + use<'a> {
        self.hiding.candidates(element)
    }

    /// Whether a rule that takes elements out of sight may select one of this name with these classes, whatever
    /// else the element has.
    pub(super) fn may_hide_kind(&self, name: &str, classes: &str) -> bool {
        self.is_too_much || self.hiding.may_have_kind(name, classes)
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

/// Whether the statement imports a sheet.
pub(super) fn is_import(statement: &str) -> bool {
    let start = statement.get(..7);
    start.is_some_and(|start| start.eq_ignore_ascii_case("@import"))
}

/// Whether the selector is of a part that the page's source does not have, such as `::before`.
fn is_of_a_part(selector: &str) -> bool {
    let parts = [":before", ":after", ":first-line", ":first-letter"];
    selector.contains("::") || parts.iter().any(|part| selector.contains(part))
}

/// The places of rules by what the elements have that they select.
#[derive(Debug, Default)]
struct Index {
    by_id: HashMap<Box<str>, Vec<usize>>,
    by_class: HashMap<Box<str>, Vec<usize>>,
    by_tag: HashMap<Box<str>, Vec<usize>>,
    by_attribute: Vec<(Box<str>, Vec<usize>)>,
    anywhere: Vec<usize>,
    names: Names,
}

impl Index {
    fn add(&mut self, key: Key<'_>, place: usize) {
        if let Key::Id(name) | Key::Class(name) | Key::Tag(name) = key {
            self.names.add(name);
        }
        let places = match key {
            Key::Id(id) => self.by_id.entry(id.into()).or_default(),
            Key::Class(class) => self.by_class.entry(class.into()).or_default(),
            Key::Tag(tag) => self.by_tag.entry(tag.into()).or_default(),
            Key::Attribute(name) => return self.add_attribute(name, place),
            Key::Any => &mut self.anywhere,
        };
        places.push(place);
    }

    fn add_attribute(&mut self, name: &str, place: usize) {
        let room = self.by_attribute.len() < MAX_SELECTOR_ATTRIBUTES;
        let mut known = self.by_attribute.iter_mut();
        match known.find(|(known, _)| **known == *name) {
            Some((_, places)) => places.push(place),
            None if room => self.by_attribute.push((name.into(), vec![place])),
            None => self.anywhere.push(place),
        }
    }

    /// Whether an element of this name with these classes may be found.
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

    fn candidates<'a>(&'a self, element: ElementRef<'a>) -> impl Iterator<Item = usize> + use<'a> {
        let of = move |map: &'a HashMap<Box<str>, Vec<usize>>, words: &'a str| {
            // Most elements have no name that a rule is found by, and then nothing is looked up.
            let words = if map.is_empty() { "" } else { words };
            let found = words.split_ascii_whitespace();
            found
                .filter(|word| self.names.may_have(word))
                .filter_map(move |word| map.get(word))
                .flatten()
                .copied()
        };
        let attribute = |name| element.attr(name).unwrap_or_default();
        let with_attribute = self.by_attribute.iter();
        of(&self.by_tag, element.name())
            .chain(of(&self.by_id, attribute("id")))
            .chain(of(&self.by_class, attribute("class")))
            .chain(
                with_attribute
                    .filter(move |(name, _)| element.has_attr(name))
                    .flat_map(|(_, places)| places.iter().copied()),
            )
            .chain(self.anywhere.iter().copied())
    }
}

/// Which names there may be, told without looking them up: a bit for each length with first and last letter.
#[derive(Debug, Default)]
struct Names([u64; 4]);

impl Names {
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
