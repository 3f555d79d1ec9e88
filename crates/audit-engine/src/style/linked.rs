//! Linked style sheets, parsed once for all pages of a site.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use url::Url;

use super::css_refs::{CssRef, references};
use super::kinds::KindTable;
use super::media::Condition;
use super::scan::{Item, find_outside, items, without_comments};
use super::sheet::{Reads, Rules, SheetBudget, is_import};
use crate::bounds::style::MAX_KEPT_TABLES;

/// The linked style sheets that were fetched, by URL.
pub(crate) type LinkedSheets = HashMap<Url, Arc<LinkedSheet>>;

/// A style sheet including its imports.
#[derive(Debug)]
pub(crate) struct LinkedSheet {
    /// No other sheet of the process has this number.
    number: u64,
    layout: Rules,
    paint: Rules,
    /// Kinds of elements of pages that link to the sheet, each with a number of what they depend on. A page takes one
    /// out while it is evaluated, so that pages never wait for each other.
    kinds: Mutex<Vec<(u64, KindTable)>>,
}

/// An imported style sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Import {
    /// Its URL, as written.
    pub(crate) address: String,
    /// When its rules apply.
    pub(crate) condition: Condition,
}

impl LinkedSheet {
    /// Parses the parts of one sheet in cascade order: imported sheets come before the sheet that imports
    /// them. `None` if the parts exceed a limit.
    /// The addresses in each part are relative to its URL.
    pub(crate) fn read<'a>(
        parts: impl IntoIterator<Item = (Condition, &'a str, &'a Url)> + Clone,
    ) -> Option<Self> {
        let layout = read(Reads::Layout, parts.clone());
        // More rules concern colors than the layout. If there are too many, only contrasts are unknown.
        (!layout.is_over_limit).then(|| Self {
            number: next_number(),
            layout,
            paint: read(Reads::Paint, parts),
            kinds: Mutex::default(),
        })
    }

    /// A sheet that no visitor gets, because its address does not exist. It has no rules.
    pub(crate) fn absent() -> Self {
        Self {
            number: next_number(),
            layout: read(Reads::Layout, []),
            paint: read(Reads::Paint, []),
            kinds: Mutex::default(),
        }
    }

    /// A sheet that exceeded the budget: everything is uncertain for elements of pages that link it.
    pub(crate) fn without_room() -> Self {
        let mut sheet = Self::absent();
        for rules in [&mut sheet.layout, &mut sheet.paint] {
            rules.is_cut = true;
            rules.is_over_limit = true;
        }
        sheet
    }

    /// As [`Self::read`], for a sheet with a missing import.
    pub(crate) fn with_a_part_missing(mut self) -> Self {
        self.layout.is_cut = true;
        self.paint.is_cut = true;
        self
    }

    /// The number of the sheet, which no other one has.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Takes kinds of elements that were kept with this number.
    pub(super) fn take_kinds(&self, key: u64) -> Option<KindTable> {
        let mut kept = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| *known == key)?;
        Some(kept.remove(place).1)
    }

    /// Keeps kinds of elements, in the place of the oldest ones if there are too many.
    pub(super) fn keep_kinds(&self, key: u64, table: KindTable) {
        if !table.is_small() {
            return;
        }
        let mut kept = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, _)| *known != key);
        if kept.len() >= MAX_KEPT_TABLES {
            kept.remove(0);
        }
        kept.push((key, table));
    }

    pub(super) const fn rules(&self, reads: Reads) -> &Rules {
        match reads {
            Reads::Layout => &self.layout,
            Reads::Paint => &self.paint,
        }
    }
}

fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn read<'a>(reads: Reads, parts: impl IntoIterator<Item = (Condition, &'a str, &'a Url)>) -> Rules {
    let mut rules = Rules::default();
    rules.reads = reads;
    rules.with_imports = true;
    let mut budget = SheetBudget::default();
    for (condition, css, base) in parts {
        rules.base = Some(base.clone());
        rules.read(css, condition, &mut budget);
    }
    rules
}

/// The imports of a sheet in order, up to `most`. Imports must come before all rules (CSS Cascading and
/// Inheritance Level 4, section 2); later ones are ignored.
pub(crate) fn imports(css: &str, most: usize) -> Vec<Import> {
    let css = without_comments(css.trim_start_matches('\u{feff}'));
    let statements = items(&css).map_while(|item| match item {
        Item::Statement(text) => Some(text),
        Item::Block { prelude, .. } => prelude.starts_with("@layer").then_some(""),
    });
    statements
        .filter(|text| is_import(text))
        .filter_map(read_import)
        .take(most)
        .collect()
}

pub(super) fn read_import(statement: &str) -> Option<Import> {
    let found = references(statement, 1, false);
    let Some(CssRef::Sheet(address)) = found.first() else {
        return None;
    };
    // After the URL come a layer, a supports condition and media queries.
    let after = statement.split_once(address)?.1;
    let after = after.trim_start_matches(['"', '\'', ')', ' ', '\t', '\n', '\r']);
    let lower = after.to_ascii_lowercase();
    let depends = lower.starts_with("layer") || lower.starts_with("supports");
    let condition = if depends || find_outside(after, b"{").is_some() {
        Condition::SOMETIMES
    } else {
        Condition::from_media(after)
    };
    Some(Import {
        address: (*address).to_owned(),
        condition,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::style::MAX_KEPT_KINDS;
    use crate::style::{Appearances, Styles};
    use crate::view::Page;

    #[test]
    fn imports_come_before_the_rules() {
        let css = "@charset 'utf-8';/* x */@import 'a.css';@import url(b.css) print;\
            @import url(\"c.css\") screen and (min-width:9em);@import 'd.css' layer(x);p{}@import 'e.css';";
        let found: Vec<_> = imports(css, 9)
            .into_iter()
            .map(|import| (import.address, import.condition))
            .collect();
        assert_eq!(
            found,
            [
                ("a.css".to_owned(), Condition::ALWAYS),
                ("b.css".to_owned(), Condition::NEVER),
                ("c.css".to_owned(), Condition::ALWAYS),
                ("d.css".to_owned(), Condition::SOMETIMES),
            ]
        );
    }

    #[test]
    fn only_the_last_kinds_are_kept() {
        let page = Page::builder().html("<p>");
        let styles = Styles::of_paint(&page, &LinkedSheets::new());
        let sheet = LinkedSheet::absent();
        let kept = u64::try_from(MAX_KEPT_TABLES).unwrap();
        for number in 0..=kept {
            let table = Appearances::new(&styles, &page, None).into_table();
            sheet.keep_kinds(number, table);
        }
        assert!(sheet.take_kinds(0).is_none());
        assert!(sheet.take_kinds(kept).is_some());
        assert!(sheet.take_kinds(kept).is_none());
    }

    #[test]
    fn kinds_of_a_page_with_very_many_are_dropped() {
        let kept = |elements: usize| {
            let body: String = (0..elements).map(|n| format!("<p class=a{n}>")).collect();
            let page = Page::builder().html(&body);
            let styles = Styles::of_paint(&page, &LinkedSheets::new());
            let mut appearances = Appearances::new(&styles, &page, None);
            for element in page.elements() {
                assert!(appearances.kind_of(element).is_some());
            }
            let sheet = LinkedSheet::absent();
            sheet.keep_kinds(0, appearances.into_table());
            sheet.take_kinds(0).is_some()
        };
        assert!(kept(10));
        assert!(!kept(MAX_KEPT_KINDS));
    }

    #[test]
    fn a_sheet_that_is_too_long_is_rejected() {
        let css = "p{display:none}".repeat(100_000);
        let base = Url::parse("https://example.com/").unwrap();
        assert!(LinkedSheet::read([(Condition::ALWAYS, &*css, &base)]).is_none());
    }
}
