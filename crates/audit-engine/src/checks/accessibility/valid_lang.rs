//! The languages of parts of the page are languages.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::common::text::language::LanguageTag;
use crate::declare_check;
use crate::dom::{ElementRef, NodeData};
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `lang` attribute within the page begins with a registered language code, where text
    /// stands below it.
    ///
    /// ## Why it matters
    /// A screen reader changes its voice where the language changes. With a code it does not know
    /// it reads the passage with the pronunciation of another language.
    ///
    /// ## How to fix it
    /// Write the code of the passage's language, for example `lang="fr"` or `lang="de-CH"`. Where
    /// the attribute names a programming language, remove it and use a class:
    /// `class="language-js"`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><p>The menu says <span lang="french">plat du jour</span>.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><p>The menu says <span lang="fr">plat du jour</span>.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Only the first part of the tag is judged, and not whether it is the language of the text.
    /// Rare codes of three letters are not in the engine's tables; there it cannot tell.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 3.1.2 Language of Parts (AA)
    /// - W3C ACT rule de46e4, Element with lang attribute has valid language tag
    /// - RFC 5646, section 2.2.1 Primary Language Subtag
    VALID_LANG {
        id: "valid-lang",
        title: "Parts of the page declare a language that does not exist",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let parts = page.elements_with(Traits::LANG).filter_map(|element| {
        let lang = element.attr("lang")?.trim();
        let judged = !lang.is_empty() && !element.is("html") && speaks(&tree, element);
        judged.then_some((element, lang))
    });
    Outcome::for_each(parts, |(element, lang)| match LanguageTag::of(lang) {
        LanguageTag::Known => Verdict::Pass,
        LanguageTag::Unsure => {
            Verdict::CannotTell("A language code is not in the engine's tables.")
        }
        LanguageTag::Replaced(short) => tree.failure(
            element,
            format!("The language \"{lang}\" is registered as \"{short}\" only."),
        ),
        LanguageTag::Unknown => tree.failure(
            element,
            format!("The language \"{lang}\" does not begin with a registered language code."),
        ),
    })
}

/// Whether text that people read or hear takes its language from this element.
fn speaks<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
    let dom = element.dom();
    if tree.exposure(element).hidden {
        return false;
    }
    let mut walk = dom.descendants(element.id());
    while let Some(id) = walk.next() {
        if let Some(NodeData::Text(run)) = dom.data(id) {
            if !run.trim().is_empty() {
                return true;
            }
        } else if let Some(child) = dom.element(id) {
            if child.has_attr("lang") || tree.exposure(child).hidden {
                walk.skip_children(id);
            } else if ["alt", "aria-label"]
                .iter()
                .any(|name| child.attr(name).is_some_and(|text| !text.trim().is_empty()))
            {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_registered_language_passes() {
        assert_passes(&VALID_LANG, "<p lang=fr-CH>bonjour");
        assert_passes(&VALID_LANG, "<p lang=en-US-GB>hello");
    }

    #[test]
    fn an_unknown_language_of_text_or_of_an_image_fails() {
        assert_fails(&VALID_LANG, "<p lang='#!'>hello", 1);
        assert_fails(&VALID_LANG, "<p lang=invalid><img alt=Paris src=x>", 1);
        assert_fails(&VALID_LANG, "<pre lang=console>ls</pre>", 1);
    }

    #[test]
    fn text_that_takes_its_language_from_elsewhere_does_not_count() {
        assert_passes(&VALID_LANG, "<div lang=invalid><p lang=en>hello</div>");
        assert_not_applicable(&VALID_LANG, "<div lang=invalid></div>");
        assert_not_applicable(
            &VALID_LANG,
            "<p lang=hidden><span style='display:none'>hello</span>",
        );
    }

    #[test]
    fn an_empty_language_says_that_it_is_unknown() {
        assert_not_applicable(&VALID_LANG, "<p lang=''>hello");
    }

    #[test]
    fn the_root_is_another_checks_business() {
        assert_not_applicable(&VALID_LANG, "<html lang=invalid><p>hello");
    }
}
