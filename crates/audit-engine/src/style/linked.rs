//! Linked style sheets, parsed once for all pages of a site.

use std::collections::HashMap;
use std::sync::Arc;

use url::Url;

use super::css_refs::{CssRef, references};
use super::media::Condition;
use super::scan::{Item, find_outside, items, without_comments};
use super::sheet::{Rules, SheetBudget, is_import};

/// The linked style sheets that were fetched, by URL.
pub(crate) type LinkedSheets = HashMap<Url, Arc<LinkedSheet>>;

/// A style sheet including its imports.
#[derive(Debug)]
pub(crate) struct LinkedSheet(Rules);

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
        parts: impl IntoIterator<Item = (Condition, &'a str, &'a Url)>,
    ) -> Option<Self> {
        let mut rules = Rules::default();
        rules.with_imports = true;
        let mut budget = SheetBudget::default();
        for (condition, css, base) in parts {
            rules.base = Some(base.clone());
            rules.read(css, condition, &mut budget);
        }
        (!rules.is_over_limit).then_some(Self(rules))
    }

    /// A sheet that exceeded the budget: everything is uncertain for elements of pages that link it.
    pub(crate) fn without_room() -> Self {
        let mut rules = Rules::default();
        rules.is_cut = true;
        rules.is_over_limit = true;
        Self(rules)
    }

    /// As [`Self::read`], for a sheet with a missing import.
    pub(crate) fn with_a_part_missing(mut self) -> Self {
        self.0.is_cut = true;
        self
    }

    pub(super) const fn rules(&self) -> &Rules {
        &self.0
    }
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

fn read_import(statement: &str) -> Option<Import> {
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
    fn a_sheet_that_is_too_long_is_rejected() {
        let css = "p{display:none}".repeat(100_000);
        let base = Url::parse("https://example.com/").unwrap();
        assert!(LinkedSheet::read([(Condition::ALWAYS, &*css, &base)]).is_none());
    }
}
