//! Which declaration wins (CSS Cascading and Inheritance Level 4, author's sheets alone).

use std::borrow::Cow;

use super::matching::{Match, Work};
use super::media::{Condition, Orientation};
use super::scan::{declarations, without_comments};
use super::sheet::{Property, Rules, Setting};
use crate::dom::ElementRef;
use crate::page::Page;

/// Rules looked at for one element; with more of them nothing is certain.
const MOST_CANDIDATES: usize = 2_000;

/// Rules of which the selector is compared with one element.
const MOST_MATCHED: usize = 100;

/// The longest `style` attribute that is read, in bytes.
pub(crate) const LONGEST_ATTRIBUTE: usize = 8 * 1024;

/// What the author says of a property of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Declared<'a> {
    /// Nothing.
    Nothing,
    /// This value.
    Value(Cow<'a, str>),
    /// Something that depends on more than the page's source.
    Unknown,
}

/// The style sheets of a page.
#[derive(Debug)]
pub(crate) struct Styles {
    rules: Rules,
    is_whole: bool,
    work: Work,
}

/// What decides between two declarations, most important last.
type Rank = (bool, bool, u32, usize);

impl Styles {
    /// Reads the page's `style` elements, but for what only the contrast of text depends on.
    pub(crate) fn of(page: &Page) -> Self {
        Self::read(page, Rules::default())
    }

    /// Reads the page's `style` elements.
    pub(crate) fn with_contrast(page: &Page) -> Self {
        let mut rules = Rules::default();
        rules.with_contrast = true;
        Self::read(page, rules)
    }

    fn read(page: &Page, mut rules: Rules) -> Self {
        for style in page.all("style") {
            let kind = style.attr("type").unwrap_or_default().trim();
            if !kind.is_empty() && !kind.eq_ignore_ascii_case("text/css") {
                continue;
            }
            let condition = Condition::of_media(style.attr("media").unwrap_or_default());
            rules.read(&style.raw_text(), condition);
        }
        // A sheet that is loaded ahead is made one of the page's by a script.
        let linked = page.html("link").any(|link| {
            link.has_token("rel", "stylesheet")
                || link.attr_is("as", "style")
                || link.has_attr("onload")
        });
        Self {
            is_whole: !linked && !rules.is_cut,
            rules,
            work: Work::default(),
        }
    }

    /// Whether no other sheet than those in the page has a say.
    pub(crate) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether a rule sets the property of any element.
    pub(crate) fn sets(&self, property: Property) -> bool {
        self.rules.set(property)
    }

    /// Whether a rule that depends on how the screen is held sets the property.
    pub(crate) fn turns_with_screen(&self, property: Property) -> bool {
        let mut rules = self.rules.all.iter();
        self.sets(property)
            && rules.any(|rule| {
                matches!(rule.condition, Condition::While(_))
                    && rule.settings.iter().any(|set| set.property == property)
            })
    }

    /// Whether a rule may take the element out of sight.
    pub(crate) fn may_hide(&self, element: ElementRef<'_>) -> bool {
        self.rules.may_hide(element)
    }

    /// What the page's sheets and the element's `style` attribute say of the property.
    pub(crate) fn declared<'a>(
        &'a self,
        element: ElementRef<'a>,
        property: Property,
    ) -> Declared<'a> {
        self.declared_while(element, property, None)
    }

    /// As [`Self::declared`], while the screen is held in a way that is known.
    pub(crate) fn declared_while<'a>(
        &'a self,
        element: ElementRef<'a>,
        property: Property,
        held: Option<Orientation>,
    ) -> Declared<'a> {
        let style = element.attr("style").map_or(0, str::len);
        self.work.take(1, style);
        if self.rules.is_too_much || style > LONGEST_ATTRIBUTE || self.work.is_spent() {
            return Declared::Unknown;
        }
        let mut best: Option<(Rank, Cow<'a, str>)> = None;
        let mut doubts: Vec<(Rank, &str)> = Vec::new();
        if let Some((value, important)) = in_attribute(element, property) {
            best = Some(((important, true, 0, 0), value.into()));
        }
        if self.sets(property) {
            let Some(settings) = self.settings(element, property, held) else {
                return Declared::Unknown;
            };
            for (place, setting, certain) in settings {
                let specificity = self
                    .rules
                    .all
                    .get(place)
                    .map_or(0, |rule| rule.selector.specificity);
                let rank = (setting.important, false, specificity, place);
                if !certain {
                    doubts.push((rank, &setting.value));
                } else if best.as_ref().is_none_or(|(known, _)| *known <= rank) {
                    best = Some((rank, (&*setting.value).into()));
                }
            }
        }
        let is_doubtful = |(rank, value): &(Rank, &str)| {
            best.as_ref()
                .is_none_or(|(known, winner)| rank > known && winner != value)
        };
        if doubts.iter().any(is_doubtful) {
            return Declared::Unknown;
        }
        match best {
            // What a variable holds is not followed.
            Some((_, value)) if value.contains("var(") || value.contains("env(") => {
                Declared::Unknown
            }
            Some((_, value)) => Declared::Value(value),
            None => Declared::Nothing,
        }
    }

    /// What rules for the element set, with the rule's place and whether it surely applies; none where
    /// there are too many rules to look at.
    fn settings<'a>(
        &'a self,
        element: ElementRef<'a>,
        property: Property,
        held: Option<Orientation>,
    ) -> Option<Vec<(usize, &'a Setting, bool)>> {
        let mut found = Vec::new();
        let mut matched = 0;
        let classes = element.attr("class").map_or(0, str::len);
        self.work.take(1, classes);
        for (seen, place) in self.rules.candidates(element).enumerate() {
            let rule = self.rules.all.get(place)?;
            self.work.take(1, 0);
            if seen >= MOST_CANDIDATES || matched >= MOST_MATCHED || self.work.is_spent() {
                return None;
            }
            let applies = rule.condition.holds(held);
            let sets = rule.settings.iter().any(|set| set.property == property);
            if !sets || applies == Some(false) {
                continue;
            }
            matched += 1;
            let selects = rule.selector.matches(element, &self.work);
            if selects == Match::No {
                continue;
            }
            let certain = selects == Match::Yes && applies.is_some();
            let own = rule.settings.iter();
            let own = own.filter(|set| set.property == property);
            found.extend(own.map(|set| (place, set, certain)));
        }
        (!self.work.is_spent()).then_some(found)
    }
}

/// The value that the element's `style` attribute gives the property, and whether as important.
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

    fn display(html: &str) -> String {
        let page = Page::builder().html(html);
        let styles = Styles::of(&page);
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
    fn the_attribute_wins_unless_a_rule_is_important() {
        let html = "<style>p{display:a !important}</style>";
        assert_eq!(display(&format!("{html}<p id=t style=display:b>")), "a");
        let style = "'display:b!important;display:c'";
        assert_eq!(display(&format!("{html}<p id=t style={style}>")), "b");
    }

    #[test]
    fn rules_for_some_screens_make_the_answer_unknown() {
        let html = "<style>p{display:a}@media(min-width:9em){p{display:b}}</style><p id=t";
        assert_eq!(display(&format!("{html}>")), "unknown");
        assert_eq!(display(&format!("{html} style=display:c>")), "c");
        assert_eq!(
            display("<style media=print>p{display:a}</style><p id=t>"),
            "nothing"
        );
    }

    #[test]
    fn sheets_that_are_not_in_the_page_are_noticed() {
        let whole = |html: &str| Styles::of(&Page::builder().html(html)).is_whole();
        assert!(whole("<style>p{}</style>"));
        assert!(!whole("<link rel=stylesheet href=x>"));
        assert!(!whole("<style>@import 'x';p{}</style>"));
    }

    #[test]
    fn an_element_with_very_many_rules_is_unknown() {
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
