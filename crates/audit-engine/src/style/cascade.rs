//! Which declaration wins (CSS Cascading and Inheritance Level 4, author style sheets only).

use std::borrow::Cow;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use url::Url;

use super::fonts::is_of_fonts;
use super::kinds::KindTable;
use super::linked::{LinkedSheet, LinkedSheets};
use super::matching::{Match, MatchBudget};
use super::media::{Condition, Orientation};
use super::scan::{declarations, without_comments};
use super::selector::Selector;
use super::sheet::{Layer, Property, Reads, Rules, Setting, SheetBudget, StyleRule};
use super::widths::{Width, Widths};
use crate::bounds::style::{MAX_CANDIDATES, MAX_MATCHED, MAX_SHEETS_OF_A_PAGE};
use crate::dom::{ElementRef, Quirks};
use crate::page::ParsedPage;
use crate::snapshot::{ComputedStyles, Shown};

/// The longest `style` attribute that is parsed, in bytes.
pub(super) const LONGEST_ATTRIBUTE: usize = 8 * 1024;

/// The winning declaration of a property for an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Declared<'a> {
    /// No declaration.
    Nothing,
    /// This value.
    Value(Cow<'a, str>),
    /// A value that depends on more than the page's source.
    Unknown,
}

/// The styles of a page, queried by checks.
///
/// A result is valid for every visitor of the page. If it is not certain, methods return `None` or
/// [`Uncertain`](super::Uncertain), and those named `may_…` return true. All methods share one work budget: once
/// it is spent, [`Self::is_cut`] returns true and further results are uncertain.
#[derive(Debug)]
pub(crate) struct Styles {
    /// In document order, each with the condition of its element.
    sheets: Vec<(Condition, Sheet)>,
    is_complete: bool,
    links_sheets: bool,
    /// Whether several sheets have layers, whose common order is not evaluated.
    mixes_layers: bool,
    reads: Reads,
    work: MatchBudget,
    /// The styles that a browser computed, on a rendered page.
    computed: Option<Arc<ComputedStyles>>,
}

/// The source of a group of rules.
#[derive(Debug)]
enum Sheet {
    /// Consecutive `style` elements of the page.
    Embedded(Box<Rules>),
    /// A linked file, shared between pages.
    Linked(Arc<LinkedSheet>),
}

impl Sheet {
    fn rules(&self, reads: Reads) -> &Rules {
        match self {
            Self::Embedded(rules) => rules,
            Self::Linked(sheet) => sheet.rules(reads),
        }
    }
}

/// The precedence of a declaration, most important part first: importance, whether it is in the `style` attribute,
/// layer, specificity, and the index of the sheet and of the rule in it.
pub(super) type Rank = (bool, bool, u16, u32, (usize, usize));

impl Styles {
    /// Reads the page's `style` elements and adds the linked sheets that were fetched.
    pub(crate) fn new(page: &ParsedPage, sheets: &LinkedSheets) -> Self {
        Self::read(page, sheets, Reads::Layout)
    }

    /// The same styles with those that a browser computed. The latter decide which elements are shown.
    #[must_use]
    pub(crate) fn with_computed(mut self, computed: Option<Arc<ComputedStyles>>) -> Self {
        self.computed = computed;
        self
    }

    /// How a browser rendered the element; `None` on a page that was not rendered, and for elements without a box.
    pub(crate) fn shown(&self, element: ElementRef<'_>) -> Option<Shown> {
        self.computed.as_ref()?.shown(element.id())
    }

    /// The font size that a browser computed, in pixels.
    pub(super) fn computed_font_size(&self, element: ElementRef<'_>) -> Option<f64> {
        let layout = self.computed.as_ref()?.layout();
        layout.style(element.id())?.font_size
    }

    /// Whether a browser laid out a text of the element in more than one line; none on a page that was not rendered.
    pub(crate) fn wraps(&self, element: ElementRef<'_>) -> Option<bool> {
        let layout = self.computed.as_ref()?.layout();
        (!layout.runs(element.id()).is_empty()).then(|| layout.wraps(element.id()))
    }

    /// Whether a browser computed the styles, so that it is certain which elements are shown.
    pub(crate) const fn are_computed(&self) -> bool {
        self.computed.is_some()
    }

    /// As [`Self::new`], with the properties that the colors of texts depend on, for [`Appearances`](super::Appearances).
    /// Methods of this type find nothing in them.
    pub(crate) fn of_paint(page: &ParsedPage, sheets: &LinkedSheets) -> Self {
        Self::read(page, sheets, Reads::Paint)
    }

    fn read(page: &ParsedPage, sheets: &LinkedSheets, reads: Reads) -> Self {
        let mut found = Self {
            sheets: Vec::new(),
            is_complete: true,
            links_sheets: false,
            mixes_layers: false,
            reads,
            work: MatchBudget::default(),
            computed: None,
        };
        let mut budget = SheetBudget::default();
        let own = page.all("style").map(|style| (style, None));
        let linked = page.stylesheets().map(|(link, url)| (link, Some(url)));
        let mut sources: Vec<(ElementRef<'_>, Option<&Url>)> = own.chain(linked).collect();
        sources.sort_by_key(|(element, _)| element.id());
        for (element, url) in sources {
            if found.sheets.len() >= MAX_SHEETS_OF_A_PAGE {
                found.is_complete = false;
                found.links_sheets |= url.is_some();
                continue;
            }
            match url {
                None => found.add_style_element(element, page.base(), &mut budget),
                Some(url) => found.add_linked(element, url, sheets.get(url)),
            }
        }
        let scripted = adds_sheets_by_script(page);
        found.links_sheets |= scripted;
        let is_cut = found
            .sheets
            .iter()
            .any(|(_, sheet)| sheet.rules(reads).is_cut);
        found.is_complete &= !scripted && !is_cut;
        found.mixes_layers = found.all_rules().filter(|rules| rules.has_layers()).count() > 1;
        found
    }

    fn add_style_element(&mut self, style: ElementRef<'_>, base: &Url, budget: &mut SheetBudget) {
        let kind = style.attr("type").unwrap_or_default().trim();
        if !kind.is_empty() && !kind.eq_ignore_ascii_case("text/css") {
            return;
        }
        let condition = Condition::from_media(style.attr("media").unwrap_or_default());
        let condition = self.without_scripts(style, condition);
        if !matches!(self.sheets.last(), Some((_, Sheet::Embedded(_)))) {
            let mut rules = Rules::default();
            rules.reads = self.reads;
            rules.base = Some(base.clone());
            let sheet = Sheet::Embedded(Box::new(rules));
            self.sheets.push((Condition::ALWAYS, sheet));
        }
        if let Some((_, Sheet::Embedded(rules))) = self.sheets.last_mut() {
            rules.read(&style.raw_text(), condition, budget);
        }
    }

    fn add_linked(&mut self, link: ElementRef<'_>, url: &Url, sheet: Option<&Arc<LinkedSheet>>) {
        self.links_sheets = true;
        // Sheets with a title are alternatives that users choose from.
        let is_choice = link.has_attr("title");
        let condition = Condition::from_media(link.attr("media").unwrap_or_default());
        let condition = if is_choice {
            condition.and(Condition::SOMETIMES)
        } else {
            self.without_scripts(link, condition)
        };
        match sheet {
            _ if condition.is_never() || link.has_attr("disabled") => {}
            Some(sheet) => self
                .sheets
                .push((condition, Sheet::Linked(Arc::clone(sheet)))),
            None if is_of_fonts(url) => {}
            None => self.is_complete = false,
        }
    }

    /// The condition of a sheet. Colors are those that visitors with scripts see.
    fn without_scripts(&self, element: ElementRef<'_>, condition: Condition) -> Condition {
        match self.reads {
            Reads::Paint if element.closest("noscript").is_some() => Condition::NEVER,
            _ => condition,
        }
    }

    pub(super) fn all_rules(&self) -> impl Iterator<Item = &Rules> {
        self.sheets.iter().map(|(_, sheet)| sheet.rules(self.reads))
    }

    /// The rules of each sheet with the condition of the element that includes it.
    pub(super) fn rules_with_conditions(&self) -> impl Iterator<Item = (Condition, &Rules)> {
        let sheets = self.sheets.iter();
        sheets.map(|(condition, sheet)| (*condition, sheet.rules(self.reads)))
    }

    /// Whether the selector matches the element, at the cost of the budget.
    pub(super) fn selects(&self, selector: &Selector, element: ElementRef<'_>) -> Match {
        self.work.take(1, 0);
        selector.matches(element, &self.work)
    }

    /// The budget for matching.
    pub(super) const fn work(&self) -> &MatchBudget {
        &self.work
    }

    /// The rule at this place: the index of its sheet, and of the rule in it.
    pub(super) fn rule(&self, (sheet, rule): (usize, usize)) -> Option<&StyleRule> {
        let (_, sheet) = self.sheets.get(sheet)?;
        sheet.rules(self.reads).all.get(rule)
    }

    /// Kinds of elements of a page with the same sheets, if some are kept. They belong to the caller.
    pub(crate) fn take_kinds(&self, page: &ParsedPage) -> Option<KindTable> {
        let (sheet, key) = self.kept(page)?;
        sheet.take_kinds(key)
    }

    /// Keeps kinds of elements for further pages with the same sheets.
    pub(crate) fn keep_kinds(&self, page: &ParsedPage, table: KindTable) {
        if let Some((sheet, key)) = self.kept(page)
            && !self.is_cut()
        {
            sheet.keep_kinds(key, table);
        }
    }

    /// The linked sheet that keeps the kinds of elements, and what the kinds depend on besides the elements: all
    /// sheets with their conditions, the mode of the page, and attributes of its body.
    fn kept(&self, page: &ParsedPage) -> Option<(&LinkedSheet, u64)> {
        let mut first = None;
        let mut hasher = DefaultHasher::new();
        for (condition, sheet) in &self.sheets {
            condition.hash(&mut hasher);
            match sheet {
                Sheet::Embedded(rules) => rules.texts.hash(&mut hasher),
                Sheet::Linked(sheet) => {
                    first = first.or(Some(&**sheet));
                    sheet.number().hash(&mut hasher);
                }
            }
        }
        (page.dom().quirks() == Quirks::Full).hash(&mut hasher);
        for name in ["link", "text"] {
            let body = page.body();
            body.is_some_and(|body| body.has_attr(name))
                .hash(&mut hasher);
        }
        Some((first?, hasher.finish()))
    }

    /// Whether rules in layers have no known order, because several sheets have layers.
    pub(super) const fn mixes_layers(&self) -> bool {
        self.mixes_layers
    }

    /// The paths of the linked sheets, in the order in which rules name them; `None` for `style` elements.
    pub(crate) fn sheet_paths(&self) -> Vec<Option<Box<str>>> {
        let path = |(_, sheet): &(Condition, Sheet)| match sheet {
            Sheet::Embedded(_) => None,
            Sheet::Linked(sheet) => {
                let base = sheet.rules(self.reads).base.as_ref();
                base.map(|url| url.path().into())
            }
        };
        self.sheets.iter().map(path).collect()
    }

    /// Whether the budget for matching is spent.
    pub(super) fn work_is_spent(&self) -> bool {
        self.work.is_spent()
    }

    /// Whether all style sheets that apply to the page are known.
    pub(crate) const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Whether all style sheets that apply are known and inside the page itself.
    pub(crate) const fn is_all_in_page(&self) -> bool {
        self.is_complete && !self.links_sheets
    }

    /// Whether a rule declares the property for any element.
    pub(super) fn declares(&self, property: Property) -> bool {
        self.all_rules().any(|rules| rules.set(property))
    }

    /// Whether a rule that depends on the orientation of the screen declares the property.
    pub(super) fn depends_on_orientation(&self, property: Property) -> bool {
        self.sheets.iter().any(|(condition, sheet)| {
            let mut rules = sheet.rules(self.reads).all.iter();
            sheet.rules(self.reads).set(property)
                && rules.any(|rule| {
                    condition.and(rule.condition).depends_on_orientation()
                        && rule.settings.iter().any(|set| set.property == property)
                })
        })
    }

    /// Whether the page's sheets exceed a limit, or the budget for matching selectors is spent.
    pub(crate) fn is_cut(&self) -> bool {
        self.work.is_spent() || self.all_rules().any(|rules| rules.is_over_limit)
    }

    /// Whether a rule may hide the element, or a browser hid it or made it inert.
    pub(crate) fn may_hide(&self, element: ElementRef<'_>) -> bool {
        if let Some(shown) = self.shown(element) {
            return !shown.has_box || !shown.is_visible || shown.is_inert;
        }
        let mut seen = 0;
        let classes = element.attr("class").map_or(0, str::len);
        self.sheets.iter().any(|(condition, sheet)| {
            let rules = sheet.rules(self.reads);
            self.work.take(1, classes);
            rules.is_over_limit
                || self.work.is_spent()
                || rules.hiding_candidates(element).any(|index| {
                    seen += 1;
                    let Some(rule) = rules.all.get(index) else {
                        return false;
                    };
                    seen > MAX_MATCHED
                        || self.work.is_spent()
                        || (!condition.and(rule.condition).is_never()
                            && rule.selector.matches(element, &self.work) != Match::No)
                })
        })
    }

    /// Whether a rule may hide elements with this name and these classes. If none may, [`Self::may_hide`] need
    /// not be called.
    pub(crate) fn may_hide_kind(&self, name: &str, classes: &str) -> bool {
        self.are_computed()
            || self.all_rules().any(|rules| {
                self.work.take(1, classes.len());
                self.work.is_spent() || rules.may_hide_kind(name, classes)
            })
    }

    /// Whether a rule hides elements by this class.
    pub(crate) fn hides_class(&self, class: &str) -> bool {
        self.all_rules().any(|rules| rules.hides_class(class))
    }

    /// Whether a rule may generate text before or after the element's content, which becomes part of its name
    /// (AccName 1.2, step 2F).
    pub(crate) fn may_generate_text(&self, element: ElementRef<'_>) -> bool {
        if let Some(shown) = self.shown(element) {
            return shown.generates_text;
        }
        let mut seen = 0;
        let classes = element.attr("class").map_or(0, str::len);
        self.sheets.iter().any(|(condition, sheet)| {
            let rules = sheet.rules(self.reads);
            self.work.take(1, classes);
            rules.is_over_limit
                || self.work.is_spent()
                || rules.generating_candidates(element).any(|index| {
                    seen += 1;
                    let Some((selector, own)) = rules.generated_content.get(index) else {
                        return false;
                    };
                    seen > MAX_MATCHED
                        || self.work.is_spent()
                        || (!condition.and(*own).is_never()
                            && selector.matches(element, &self.work) != Match::No)
                })
        })
    }

    /// The winning declaration of the property from the page's sheets and the element's `style` attribute.
    pub(super) fn declared<'a>(
        &'a self,
        element: ElementRef<'a>,
        property: Property,
    ) -> Declared<'a> {
        self.declared_in_orientation(element, property, None)
    }

    /// As [`Self::declared`], for a screen with a known orientation.
    pub(super) fn declared_in_orientation<'a>(
        &'a self,
        element: ElementRef<'a>,
        property: Property,
        orientation: Option<Orientation>,
    ) -> Declared<'a> {
        let found = self.declarations_of(element, property);
        found.map_or(Declared::Unknown, |found| {
            found.winner(Width::WIDEST, orientation)
        })
    }

    /// The winning declaration of the property in each window width, in the order of [`Width::ALL`]: passed to
    /// `read` with the widths in which it wins.
    pub(super) fn declared_in_widths(
        &self,
        element: ElementRef<'_>,
        property: Property,
        mut read: impl FnMut(Widths, Declared<'_>),
    ) {
        let Some(found) = self.declarations_of(element, property) else {
            return read(Widths::ALL, Declared::Unknown);
        };
        if found.are_equal_in_all_widths() {
            return read(Widths::ALL, found.winner(Width::WIDEST, None));
        }
        for width in Width::ALL {
            read(Widths::NONE.with(width), found.winner(width, None));
        }
    }

    /// All declarations of the property for the element; `None` if they are unknown.
    fn declarations_of<'a>(
        &'a self,
        element: ElementRef<'a>,
        property: Property,
    ) -> Option<Declarations<'a>> {
        let style = element.attr("style").map_or(0, str::len);
        self.work.take(1, style);
        if self.all_rules().any(|rules| rules.is_over_limit)
            || style > LONGEST_ATTRIBUTE
            || self.work.is_spent()
        {
            return None;
        }
        let by_rules = if self.declares(property) {
            self.settings(element, property)?
        } else {
            Vec::new()
        };
        Some(Declarations {
            in_attribute: in_attribute(element, property),
            by_rules,
        })
    }

    /// The declarations of rules for the element, with their rank and when they apply; `None` if there are too
    /// many rules to match.
    fn settings<'a>(
        &'a self,
        element: ElementRef<'a>,
        property: Property,
    ) -> Option<Vec<(Rank, &'a Setting, Condition)>> {
        let mut found = Vec::new();
        let (mut seen, mut matched) = (0, 0);
        let classes = element.attr("class").map_or(0, str::len);
        for (number, (condition, sheet)) in self.sheets.iter().enumerate() {
            let rules = sheet.rules(self.reads);
            if !rules.set(property) {
                continue;
            }
            self.work.take(1, classes);
            for index in rules.candidates(element) {
                let rule = rules.all.get(index)?;
                self.work.take(1, 0);
                if seen >= MAX_CANDIDATES || matched >= MAX_MATCHED || self.work.is_spent() {
                    return None;
                }
                seen += 1;
                let mut applies = condition.and(rule.condition);
                let sets = rule.settings.iter().any(|set| set.property == property);
                if !sets || applies.is_never() {
                    continue;
                }
                matched += 1;
                match rule.selector.matches(element, &self.work) {
                    Match::No => continue,
                    Match::Maybe => applies = applies.and(Condition::SOMETIMES),
                    Match::Yes if self.mixes_layers && rule.layer != Layer::NONE => {
                        applies = applies.and(Condition::SOMETIMES);
                    }
                    Match::Yes => {}
                }
                let own = rule.settings.iter();
                let own = own.filter(|set| set.property == property);
                let specificity = rule.selector.specificity;
                found.extend(own.map(|set| {
                    let layer = rule.layer.precedence(set.important);
                    let rank = (set.important, false, layer, specificity, (number, index));
                    (rank, set, applies)
                }));
            }
        }
        (!self.work.is_spent()).then_some(found)
    }
}

/// The declarations of one property for one element.
#[derive(Debug)]
struct Declarations<'a> {
    /// The value in the `style` attribute, and whether it is `!important`.
    in_attribute: Option<(String, bool)>,
    by_rules: Vec<(Rank, &'a Setting, Condition)>,
}

impl<'a> Declarations<'a> {
    /// Whether the same declarations apply in windows of all widths.
    fn are_equal_in_all_widths(&self) -> bool {
        let mut conditions = self.by_rules.iter().map(|(.., condition)| condition);
        conditions.all(|condition| condition.is_equal_in_all_widths())
    }

    /// The declaration that wins in windows of this width.
    fn winner(&self, width: Width, orientation: Option<Orientation>) -> Declared<'a> {
        let mut best: Option<(Rank, Cow<'a, str>)> = None;
        if let Some((value, important)) = &self.in_attribute {
            best = Some(((*important, true, 0, 0, (0, 0)), value.clone().into()));
        }
        let mut uncertain: Vec<(Rank, &str)> = Vec::new();
        for (rank, setting, condition) in &self.by_rules {
            match condition.applies(width, orientation) {
                Some(false) => {}
                None => uncertain.push((*rank, &setting.value)),
                Some(true) if best.as_ref().is_none_or(|(known, _)| known <= rank) => {
                    best = Some((*rank, (&*setting.value).into()));
                }
                Some(true) => {}
            }
        }
        let may_win = |(rank, value): &(Rank, &str)| {
            best.as_ref()
                .is_none_or(|(known, winner)| rank > known && winner != value)
        };
        if uncertain.iter().any(may_win) {
            return Declared::Unknown;
        }
        match best {
            // Custom properties are not resolved.
            Some((_, value)) if value.contains("var(") || value.contains("env(") => {
                Declared::Unknown
            }
            Some((_, value)) => Declared::Value(value),
            None => Declared::Nothing,
        }
    }
}

/// Whether a script turns a preloaded sheet into one of the page's style sheets.
fn adds_sheets_by_script(page: &ParsedPage) -> bool {
    let is_linked_anyway = |link: ElementRef<'_>| {
        let url = link
            .attr("href")
            .and_then(|href| page.base().join(href.trim()).ok());
        url.is_some_and(|url| {
            let mut known = page.stylesheets();
            is_of_fonts(&url)
                || (link.has_token("rel", "preload")
                    && known.any(|(other, of)| *of == url && !other.has_attr("onload")))
        })
    };
    page.html("link").any(|link| {
        (link.attr_is("as", "style") || link.has_attr("onload")) && !is_linked_anyway(link)
    })
}

/// The value that the element's `style` attribute declares for the property, and whether it is `!important`.
fn in_attribute(element: ElementRef<'_>, property: Property) -> Option<(String, bool)> {
    let style = element.attr("style")?;
    let style = without_comments(style);
    let mut best: Option<(String, bool)> = None;
    for found in declarations(&style) {
        let sets = Property::set_by(found.name).contains(&property);
        let wins = best
            .as_ref()
            .is_none_or(|(_, important)| found.important || !important);
        if sets && wins {
            best = Some((found.value.to_owned(), found.important));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn display(html: &str) -> String {
        let page = Page::builder().html(html);
        let styles = page.styles();
        let element = page.by_id("t").unwrap();
        match styles.declared(element, Property::Display) {
            Declared::Nothing => "nothing".to_owned(),
            Declared::Value(value) => value.into_owned(),
            Declared::Unknown => "unknown".to_owned(),
        }
    }

    #[test]
    fn the_more_specific_rule_wins_then_the_later() {
        let html = "<style>#t{display:a} p.x{display:b} p.x{display:c}</style>";
        assert_eq!(display(&format!("{html}<p id=t class=x>")), "a");
        let html = "<style>p.x{display:b}p.x{display:c} p{display:d}</style>";
        assert_eq!(display(&format!("{html}<p id=t class=x>")), "c");
    }

    #[test]
    fn layers_precede_specificity() {
        let shown = |css: &str| display(&format!("<style>{css}</style><p id=t class=x>"));
        assert_eq!(shown("@layer a{p.x{display:a}}p{display:b}"), "b");
        assert_eq!(
            shown("@layer a,b;@layer b{p{display:b}}@layer a{p.x{display:a}}"),
            "b"
        );
        assert_eq!(
            shown("@layer a{p{display:a!important}}p.x{display:b!important}"),
            "a"
        );
        assert_eq!(
            shown("@layer a{.x{display:none}.x{@media (width>=48rem){display:a}}}"),
            "a"
        );
        // Layers within layers, and those of several sheets, have no known order.
        let unknown = "@layer a{@layer b{p.x{display:c}}p{display:b}}";
        assert_eq!(shown(unknown), "unknown");
        let link = "<link rel=stylesheet href=x>";
        let html = format!("<style>@layer a{{p{{display:a}}}}</style>{link}<p id=t>");
        let page = Page::builder()
            .sheet("x", "@layer b{p{display:b}}")
            .html(&html);
        let styles = page.styles();
        let found = styles.declared(page.by_id("t").unwrap(), Property::Display);
        assert_eq!(found, Declared::Unknown);
    }

    #[test]
    fn layers_beyond_the_limit_are_uncertain() {
        let layers = |count: usize| {
            let others: String = (0..count)
                .map(|n| format!("@layer l{n}{{i{{display:a}}}}"))
                .collect();
            display(&format!(
                "<style>{others}@layer x{{p{{display:a}}}}</style><p id=t>"
            ))
        };
        assert_eq!(layers(63), "a");
        assert_eq!(layers(64), "unknown");
    }

    #[test]
    fn the_attribute_wins_unless_a_rule_is_important() {
        let html = "<style>p{display:a !important}</style>";
        assert_eq!(display(&format!("{html}<p id=t style=display:b>")), "a");
        let style = "'display:b!important;display:c'";
        assert_eq!(display(&format!("{html}<p id=t style={style}>")), "b");
    }

    #[test]
    fn device_dependent_rules_make_the_value_unknown() {
        let html = "<style>p{display:a}@media(hover){p{display:b}}</style><p id=t";
        assert_eq!(display(&format!("{html}>")), "unknown");
        assert_eq!(display(&format!("{html} style=display:c>")), "c");
        assert_eq!(
            display("<style media=print>p{display:a}</style><p id=t>"),
            "nothing"
        );
    }

    #[test]
    fn unread_sheets_make_the_styles_incomplete() {
        let whole = |html: &str| Page::builder().html(html).styles().is_complete();
        assert!(whole("<style>p{}</style>"));
        assert!(!whole("<link rel=stylesheet href=x>"));
        assert!(!whole("<style>@import 'x';p{}</style>"));
    }

    #[test]
    fn linked_sheets_are_part_of_the_cascade() {
        let display = |html: &str, css: &str| {
            let page = Page::builder().sheet("x", css).html(html);
            let styles = page.styles();
            let found = styles.declared(page.by_id("t").unwrap(), Property::Display);
            (format!("{found:?}"), styles.is_complete())
        };
        let known = |value: &str| (format!("Value({value:?})"), true);
        let link = "<link rel=stylesheet href=x>";
        let (before, after) = (
            format!("{link}<style>p{{display:a}}</style><p id=t>"),
            format!("<style>p{{display:a}}</style>{link}<p id=t>"),
        );
        assert_eq!(display(&before, "p{display:b}"), known("a"));
        assert_eq!(display(&after, "p{display:b}"), known("b"));
        assert_eq!(display(&before, "body p{display:b}"), known("b"));
        let titled = "<style>p{display:a}</style><link rel=stylesheet title=y href=x><p id=t>";
        assert_eq!(display(titled, "p{display:b}").0, "Unknown");
        let other = "<link rel=stylesheet href=y><p id=t>";
        assert_eq!(display(other, ""), ("Nothing".to_owned(), false));
    }

    #[test]
    fn only_the_first_sheets_up_to_the_limit_are_read() {
        let html = |links: usize| {
            let link = "<link rel=stylesheet href=x>";
            format!(
                "<style>p{{display:a}}</style>{}<p id=t>",
                link.repeat(links)
            )
        };
        let read = |links: usize| {
            let page = Page::builder().sheet("x", "i{}").html(&html(links));
            let styles = page.styles();
            let found = styles.declared(page.by_id("t").unwrap(), Property::Display);
            (found == Declared::Value("a".into()), styles.is_complete())
        };
        assert_eq!(read(199), (true, true));
        assert_eq!(read(5_000), (true, false));
    }

    #[test]
    fn rules_that_generate_text_are_found_by_their_selectors() {
        let may_generate_text = |css: &str| {
            let link = "<link rel=stylesheet href=x>";
            let html = format!(
                "{link}<details open class=top><summary id=t class='a b'></summary></details>"
            );
            let page = Page::builder().sheet("x", css).html(&html);
            page.styles().may_generate_text(page.by_id("t").unwrap())
        };
        for css in [
            ".top[open] > .a::after{content:'Collapse'}",
            "p, summary:before{content:'x'}",
            "@media (hover){.a::after{content:attr(data-x)}}",
            ".a{color:red;&::after{content:'x'}}",
            "summary ::before, ::after{content:'x'}",
        ] {
            assert!(may_generate_text(css), "{css}");
        }
        for css in [
            ".a{content:'x'}",
            ".a::after{content:''}",
            ".a::before{content:'\\f00d'}",
            ".a:hover::after{content:'x'}",
            ".c::after,.top>p::before{content:'x'}",
            ".c{&::after{content:'x'}}",
            "@media print{.a::after{content:'x'}}",
        ] {
            assert!(!may_generate_text(css), "{css}");
        }
    }

    #[test]
    fn a_linked_sheet_is_not_in_the_page() {
        let page = Page::builder()
            .sheet("x", "p{}")
            .html("<link rel=stylesheet href=x><p>");
        let styles = page.styles();
        assert!(styles.is_complete() && !styles.is_all_in_page());
    }

    #[test]
    fn attribute_selectors_match() {
        let html = "<style>[hidden]{display:none}[data-x=y],[data-z]{display:a}</style><i data-x=y></i><p id=t data-z>";
        assert_eq!(display(html), "a");
    }

    #[test]
    fn the_value_is_unknown_if_too_many_rules_match() {
        let rules: String = (0..300)
            .map(|n| format!(".x{n} p{{display:none}}"))
            .collect();
        assert_eq!(
            display(&format!("<style>{rules}</style><p id=t>")),
            "unknown"
        );
        assert_eq!(
            display(&format!("<style>{rules}</style><i id=t>")),
            "nothing"
        );
    }
}
