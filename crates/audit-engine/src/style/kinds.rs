//! Elements that look alike: how they look, as far as the colors of texts depend on it.
//!
//! An appearance (colors, sizes of fonts, where boxes are) depends on the element's name, attributes and ancestors, and
//! sometimes on its siblings. Elements that are alike in all of these are of one [`Kind`], whose appearance is computed
//! once.

use std::collections::{HashMap, HashSet};

use html5ever::LocalName;

use super::calc::{Basis, pixels};
use super::cascade::{LONGEST_ATTRIBUTE, Rank, Styles};
use super::computed::{Appearance, AppearanceId, Context, Movement, Origin, THIN};
use super::kind_key::{BuildKeyHasher, Key};
use super::matching::Match;
use super::media::Condition;
use super::scan::{declarations, without_comments};
use super::selector::Selector;
use super::sheet::{
    Layer, Property, Reads, Rules, Setting, StyleRule, Target, add_settings, keep_last,
};
use super::stack::{Stack, stack};
use super::values::Backdrop;
use super::variables::Variables;
use super::widths::{Width, Widths};
use crate::bounds::style::{
    MAX_CANDIDATES, MAX_DECLARATIONS, MAX_KEPT_KINDS, MAX_KINDS, MAX_MATCHED,
};
use crate::dom::ElementRef;
use crate::page::ParsedPage;

/// Names of attributes that an appearance depends on apart from selectors, because browsers give them a meaning.
const MEANINGFUL: [&str; 8] = [
    "href",
    "color",
    "text",
    "bgcolor",
    "background",
    "size",
    "disabled",
    "open",
];

/// The number of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct KindId(u32);

/// Elements that look alike.
#[derive(Debug)]
pub(crate) struct Kind {
    /// The appearance in each window width.
    looks: [AppearanceId; Width::ALL.len()],
    /// Whether it or a pseudo-element of it may be painted over other elements.
    pub(crate) may_overlap: bool,
    /// What `::before` and `::after` paint.
    pub(crate) generated: Vec<Generated>,
}

/// A pseudo-element outside of the flow that may paint something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Generated {
    /// Whether it comes before the content of its element.
    pub(crate) is_before: bool,
    /// The window widths in which it may be there.
    pub(crate) widths: Widths,
    /// Whether it may be below its element, by a negative `z-index`.
    pub(crate) may_be_below: bool,
    /// Whether it may be as large as the box that it is positioned in.
    pub(crate) may_span: bool,
}

/// A rule that applies to a kind of elements.
#[derive(Debug, Clone, Copy)]
struct Applied {
    /// The index of the sheet, and of the rule in it.
    place: (usize, usize),
    condition: Condition,
}

/// Rules for elements with the same name, attributes and ancestors.
#[derive(Debug)]
struct Alike {
    /// Those that apply to each.
    steady: Vec<Applied>,
    /// Those that depend on siblings or content.
    by_siblings: Vec<Applied>,
    generated: Vec<Generated>,
    /// The kinds, with a hash of the rules of `by_siblings` that apply.
    kinds: Vec<(u64, KindId)>,
}

/// A declaration that applies to a kind of elements.
#[derive(Debug)]
pub(super) struct Declared<'a> {
    pub(super) property: Property,
    pub(super) rank: Rank,
    pub(super) value: &'a str,
    pub(super) condition: Condition,
    pub(super) origin: Origin,
}

/// All kinds of elements that pages with the same style sheets have.
#[derive(Debug)]
pub(crate) struct KindTable {
    context: Context,
    kinds: Vec<Kind>,
    alike: HashMap<u64, Option<Alike>, BuildKeyHasher>,
    /// Attributes that selectors read, with whether they read the value.
    attributes: HashMap<LocalName, bool>,
    /// Ids that selectors name.
    ids: HashSet<Box<str>>,
    /// How texts of these appearances look.
    stacks: HashMap<AppearanceId, Stack>,
}

impl KindTable {
    fn new(styles: &Styles, page: &ParsedPage) -> Self {
        let mut attributes: HashMap<LocalName, bool> = HashMap::new();
        for name in MEANINGFUL {
            attributes.insert(name.into(), name == "color" || name == "bgcolor");
        }
        let mut ids = HashSet::new();
        for rules in styles.all_rules() {
            for (name, reads_value) in &rules.read_attributes.names {
                *attributes.entry((&**name).into()).or_default() |= *reads_value;
            }
            ids.extend(rules.read_attributes.ids.iter().cloned());
        }
        let registered = styles.all_rules().flat_map(|rules| &rules.registered);
        let declared = styles.all_rules().flat_map(Rules::custom_properties);
        Self {
            context: Context::new(Variables::new(registered, declared), page),
            kinds: Vec::new(),
            alike: HashMap::default(),
            attributes,
            ids,
            stacks: HashMap::new(),
        }
    }

    /// Whether the table has room for the kinds of another page.
    pub(super) fn is_small(&self) -> bool {
        self.kinds.len() <= MAX_KEPT_KINDS && self.context.variables().may_be_kept()
    }
}

/// The appearances of a page's elements, which must be requested in document order.
#[derive(Debug)]
pub(crate) struct Appearances<'a> {
    styles: &'a Styles,
    table: KindTable,
    /// The kind of each node that was requested.
    of_nodes: Vec<Option<KindId>>,
    /// A hash of each element name, by its number in the document.
    names: Vec<u64>,
    /// Kinds that were added for this page.
    added: usize,
    is_spent: bool,
}

impl<'a> Appearances<'a> {
    /// Prepares the appearances by these styles, which were read by [`Styles::of_paint`]. A table of another page with
    /// the same sheets saves work.
    pub(crate) fn new(styles: &'a Styles, page: &ParsedPage, known: Option<KindTable>) -> Self {
        let names = page.dom().names();
        let mut table = known.unwrap_or_else(|| KindTable::new(styles, page));
        table.context.variables_mut().begin_page();
        Self {
            styles,
            table,
            of_nodes: vec![None; page.dom().len()],
            names: names.map(|name| Key::new().text(name).finish()).collect(),
            added: 0,
            is_spent: false,
        }
    }

    /// The table of kinds, for other pages with the same sheets.
    pub(crate) fn into_table(self) -> KindTable {
        self.table
    }

    /// Whether a limit was reached, so that further appearances are unknown.
    pub(crate) fn are_cut(&self) -> bool {
        self.is_spent || self.styles.is_cut()
    }

    /// The kind of the element. `None` if it or the kind of its parent is unknown.
    pub(crate) fn kind_of(&mut self, element: ElementRef<'_>) -> Option<KindId> {
        let around = match element.parent() {
            Some(parent) => Some(self.known(parent)?),
            None => None,
        };
        let key = self.key(around, element);
        let id = match self.table.alike.get(&key) {
            Some(None) => return None,
            Some(Some(alike)) if alike.by_siblings.is_empty() && !alike.kinds.is_empty() => {
                alike.kinds.first().map(|(_, id)| *id)
            }
            found => {
                if found.is_none() {
                    let rules = self.rules_for(element);
                    self.table.alike.insert(key, rules);
                }
                self.by_siblings(key, around, element)
            }
        };
        if let Some(slot) = self.of_nodes.get_mut(element.id().index()) {
            *slot = id;
        }
        id
    }

    /// The kind of an element for which some rules depend on its siblings, or of the first of its kind.
    fn by_siblings(
        &mut self,
        key: u64,
        around: Option<KindId>,
        element: ElementRef<'_>,
    ) -> Option<KindId> {
        let alike = self.table.alike.get(&key)?.as_ref()?;
        let (variant, applying) = self.variant(alike, element);
        let mut known = alike.kinds.iter();
        match known.find(|(of, _)| *of == variant) {
            Some((_, id)) => Some(*id),
            None => self.add_kind(key, variant, &applying, around, element),
        }
    }

    /// The kind of an element for which [`Self::kind_of`] was called.
    pub(crate) fn known(&self, element: ElementRef<'_>) -> Option<KindId> {
        *self.of_nodes.get(element.id().index())?
    }

    /// The facts about a kind.
    pub(crate) fn kind(&self, id: KindId) -> Option<&Kind> {
        self.table.kinds.get(usize::try_from(id.0).ok()?)
    }

    /// How elements of the kind look in windows of this width.
    pub(crate) fn look(&self, id: KindId, width: Width) -> Option<(AppearanceId, &Appearance)> {
        let look = self.kind(id)?.look(width);
        Some((look, self.table.context.appearance(look)?))
    }

    /// Whether elements of the kind have a background in some width.
    pub(crate) fn paints(&self, id: KindId) -> bool {
        Width::ALL.into_iter().any(|width| {
            let look = self.look(id, width);
            look.is_none_or(|(_, look)| look.backdrop != Backdrop::Clear)
        })
    }

    /// How texts inside elements of the kind look in windows of this width.
    pub(crate) fn text(&mut self, id: KindId, width: Width) -> Stack {
        let Some(look) = self.kind(id).map(|kind| kind.look(width)) else {
            return Stack::Unknown;
        };
        if let Some(known) = self.table.stacks.get(&look) {
            return known.clone();
        }
        let of = |id: AppearanceId| self.table.context.appearance(id);
        let found = stack(std::iter::successors(of(look), |current| {
            of(current.parent?)
        }));
        self.table.stacks.insert(look, found.clone());
        found
    }

    /// A number that elements with the same name, attributes and ancestors share.
    fn key(&self, around: Option<KindId>, element: ElementRef<'_>) -> u64 {
        let around = around.map_or(0, |id| u64::from(id.0) + 1);
        let name = self.names.get(element.name_place()).copied();
        let mut key = Key::new().number(around).number(name.unwrap_or_default());
        for (name, value) in element.interned_attrs() {
            key = match &**name {
                "class" => key.number(1).text(value),
                "style" => key.number(2).text(value),
                "id" => match self.table.ids.contains(value) {
                    true => key.number(3).text(value),
                    false => key,
                },
                other => match self.table.attributes.get(name) {
                    Some(true) => key.text(other).text(value),
                    Some(false) => key.text(other),
                    None => key,
                },
            };
        }
        key.finish()
    }

    /// The rules of `by_siblings` that apply to the element, and a hash of them.
    fn variant(&self, alike: &Alike, element: ElementRef<'_>) -> (u64, Vec<Applied>) {
        let mut key = Key::new();
        let mut applying = Vec::new();
        for (number, applied) in (1_u64..).zip(&alike.by_siblings) {
            let Some(rule) = self.styles.rule(applied.place) else {
                continue;
            };
            let condition = match self.styles.selects(&rule.selector, element) {
                Match::No => continue,
                Match::Maybe => applied.condition.and(Condition::SOMETIMES),
                Match::Yes => applied.condition,
            };
            key = key.number(2 * number + u64::from(condition == applied.condition));
            applying.push(Applied {
                condition,
                ..*applied
            });
        }
        (key.finish(), applying)
    }

    /// The rules for elements like this one; `None` if there are too many.
    fn rules_for(&self, element: ElementRef<'_>) -> Option<Alike> {
        let mut found = Alike {
            steady: Vec::new(),
            by_siblings: Vec::new(),
            generated: Vec::new(),
            kinds: Vec::new(),
        };
        let mut generated = Vec::new();
        let mut seen = 0;
        let work = self.styles.work();
        work.take(1, element.attr("class").map_or(0, str::len));
        for (number, (own, rules)) in self.styles.rules_with_conditions().enumerate() {
            let candidates = rules.candidates(element);
            let of_generated = rules.generated_candidates(element);
            for index in candidates.chain(of_generated) {
                let rule = rules.all.get(index)?;
                work.take(1, 0);
                seen += 1;
                if seen > MAX_CANDIDATES || work.is_spent() {
                    return None;
                }
                let mut condition = own.and(rule.condition);
                if condition.is_never() {
                    continue;
                }
                let selector: &Selector = &rule.selector;
                let matches = if selector.depends_on_siblings {
                    selector.matches_alike(element, work)
                } else {
                    selector.matches(element, work)
                };
                if matches == Match::No {
                    continue;
                }
                if self.styles.mixes_layers() && rule.layer != Layer::NONE {
                    condition = condition.and(Condition::SOMETIMES);
                }
                let mut applied = Applied {
                    place: (number, index),
                    condition,
                };
                if rule.target != Target::Element {
                    generated.push((rule, condition));
                } else if matches == Match::Yes {
                    found.steady.push(applied);
                } else if selector.depends_on_siblings {
                    found.by_siblings.push(applied);
                } else {
                    applied.condition = condition.and(Condition::SOMETIMES);
                    found.steady.push(applied);
                }
            }
        }
        found.generated = [Target::Before, Target::After]
            .into_iter()
            .filter_map(|target| generated_by(target, &generated))
            .collect();
        (found.steady.len() + found.by_siblings.len() <= MAX_MATCHED).then_some(found)
    }

    fn add_kind(
        &mut self,
        key: u64,
        variant: u64,
        applying: &[Applied],
        around: Option<KindId>,
        element: ElementRef<'_>,
    ) -> Option<KindId> {
        if self.added >= MAX_KINDS || self.styles.work_is_spent() {
            self.is_spent = true;
            return None;
        }
        let alike = self.table.alike.get(&key)?.as_ref()?;
        let style = element.attr("style").unwrap_or_default();
        if style.len() > LONGEST_ATTRIBUTE {
            return None;
        }
        self.styles.work().take(1, style.len());
        let mut own: Vec<Setting> = Vec::new();
        for found in declarations(&without_comments(style)) {
            add_settings(&mut own, Reads::Paint, &found);
        }
        keep_last(&mut own);
        let mut declared: Vec<Declared<'_>> = own
            .iter()
            .map(|set| Declared {
                property: set.property,
                rank: (set.important, true, 0, 0, (0, 0)),
                value: &set.value,
                condition: Condition::ALWAYS,
                origin: Origin::Attribute,
            })
            .collect();
        for applied in alike.steady.iter().chain(applying) {
            let rule = self.styles.rule(applied.place)?;
            declared.extend(rule.settings.iter().map(|set| {
                let layer = rule.layer.precedence(set.important);
                let specificity = rule.selector.specificity;
                Declared {
                    property: set.property,
                    rank: (set.important, false, layer, specificity, applied.place),
                    value: &set.value,
                    condition: applied.condition,
                    origin: Origin::Sheet(applied.place.0),
                }
            }));
            if declared.len() > MAX_DECLARATIONS {
                return None;
            }
        }
        let steps = u64::try_from(declared.len()).unwrap_or(u64::MAX);
        self.styles.work().take(steps, 0);
        declared.sort_by_key(|found| (found.property, found.rank));
        let around = around.and_then(|id| self.kind(id)).map(|kind| kind.looks);
        let looks = self.table.context.looks(element, around, &declared);
        let generated = alike.generated.clone();
        let context = &self.table.context;
        let is_moved = |look: &AppearanceId| {
            context.appearance(*look).is_some_and(|look| {
                !matches!(look.movement, Movement::None | Movement::Floating) && !look.is_clipped
            })
        };
        let may_overlap = !generated.is_empty() || looks.iter().any(is_moved);
        let id = KindId(u32::try_from(self.table.kinds.len()).ok()?);
        self.table.kinds.push(Kind {
            looks,
            may_overlap,
            generated,
        });
        self.added += 1;
        let alike = self.table.alike.get_mut(&key)?.as_mut()?;
        alike.kinds.push((variant, id));
        Some(id)
    }
}

/// What a pseudo-element outside of the flow may paint, by all rules that may apply to it.
fn generated_by(target: Target, rules: &[(&StyleRule, Condition)]) -> Option<Generated> {
    let of = |property: Property| {
        let rules = rules.iter().filter(move |(rule, _)| rule.target == target);
        rules.flat_map(move |(rule, condition)| {
            let settings = rule.settings.iter();
            let own = settings.filter(move |set| set.property == property);
            own.map(move |set| (*condition, &*set.value))
        })
    };
    let is = |value: &str, words: &[&str]| {
        words
            .iter()
            .any(|word| value.trim().eq_ignore_ascii_case(word))
    };
    let has_content = of(Property::Content).any(|(_, value)| !is(value, &["none", "normal"]));
    let is_moved = of(Property::Position)
        .any(|(_, value)| !is(value, &["static", "relative", "sticky"]))
        || of(Property::MarginTop).next().is_some();
    if !has_content || !is_moved {
        return None;
    }
    let paints = |(_, value): &(Condition, &str)| {
        !is(
            value,
            &["none", "transparent", "initial", "unset", "0 0", "0"],
        )
    };
    let mut widths = Widths::NONE;
    for property in [
        Property::Background,
        Property::BackgroundImage,
        Property::BoxShadow,
    ] {
        for (condition, _) in of(property).filter(paints) {
            let may_apply = |width| condition.applies(width, None) != Some(false);
            widths = widths.or(Widths::having(may_apply));
        }
    }
    if widths.is_empty() {
        return None;
    }
    // A line is no background of a text.
    let is_line = |length| {
        let mut values = of(length).peekable();
        values.peek().is_some()
            && values.all(|(_, value)| {
                pixels(value, Basis::default()).is_some_and(|pixels| pixels <= THIN)
            })
    };
    if is_line(Property::Width) || is_line(Property::Height) {
        return None;
    }
    let mut orders = of(Property::ZIndex);
    let may_be_below =
        orders.any(|(_, value)| value.trim().starts_with('-') || value.contains('('));
    let may_span = |sides: [Property; 2], length: Property| {
        let set = |side| of(side).any(|(_, value)| !is(value, &["auto"]));
        let is_long = of(length).any(|(_, value)| {
            value.contains(['%', '(']) || value.ends_with("vw") || value.ends_with("vh")
        });
        sides.into_iter().all(set) || is_long
    };
    let spans = may_span([Property::Left, Property::Right], Property::Width)
        && may_span([Property::Top, Property::Bottom], Property::Height);
    Some(Generated {
        is_before: target == Target::Before,
        widths,
        may_be_below,
        may_span: spans,
    })
}

impl Kind {
    /// The number of the appearance in windows of this width.
    pub(crate) fn look(&self, width: Width) -> AppearanceId {
        let [narrow, middle, wide] = self.looks;
        match width.number() {
            0 => narrow,
            1 => middle,
            _ => wide,
        }
    }
}
