//! Finds elements whose `lang` attribute is not a registered language code.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::common::text::language::LanguageTag;
use crate::declare_check;
use crate::dom::{ElementRef, NodeData};
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `lang` attribute inside the page begins with a registered language code, if the element contains
    /// text.
    ///
    /// ## Why it matters
    /// A screen reader changes its voice where the language changes. With an unknown code, it reads the
    /// passage with the pronunciation of another language.
    ///
    /// ## How to fix it
    /// Set `lang` to the code of the language of the passage, for example `lang="fr"` or `lang="de-CH"`. If the
    /// attribute names a programming language, remove it and use a class: `class="language-js"`.
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
    /// The check evaluates only the primary subtag, and not whether it is the language of the text. Rare
    /// three-letter codes are not in its tables; it cannot tell for them.
    ///
    /// ## Also known as
    /// - axe: `valid-lang`
    /// - Lighthouse: `valid-lang`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 3.1.2 Language of Parts (AA)
    /// - W3C ACT rule de46e4, Element with lang attribute has valid language tag
    /// - RFC 5646, section 2.2.1 Primary Language Subtag
    VALID_LANG {
        id: "valid-lang",
        title: "Invalid lang attribute on parts of the page",
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
        // An empty value says that the language is unknown.
        let lang = element.attr("lang").filter(|lang| !lang.is_empty())?;
        let applies = !element.is("html") && has_text_in_language(&tree, element);
        applies.then_some((element, lang))
    });
    Outcome::for_each(parts, |(element, lang)| {
        match LanguageTag::parse(lang.trim()) {
        _ if lang.trim().is_empty() => tree.failure(
            element,
            "The lang value is only white space; expected a language code.",
        ),
        LanguageTag::Known => Verdict::Pass,
        LanguageTag::Unsure => {
            Verdict::CannotTell("The tables of the check do not contain this language code.")
        }
        LanguageTag::Replaced(short) => tree.failure(
            element,
            format!(
                "The lang value \"{lang}\" is invalid; expected the registered code \"{short}\"."
            ),
        ),
        LanguageTag::Unknown => tree.failure(
            element,
            format!("The lang value \"{lang}\" does not begin with a registered language code."),
        ),
    }
    })
}

/// Whether exposed text inherits its language from this element.
fn has_text_in_language<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
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
    fn text_with_another_language_does_not_count() {
        assert_passes(&VALID_LANG, "<div lang=invalid><p lang=en>hello</div>");
        assert_not_applicable(&VALID_LANG, "<div lang=invalid></div>");
        assert_not_applicable(
            &VALID_LANG,
            "<p lang=hidden><span style='display:none'>hello</span>",
        );
    }

    #[test]
    fn a_blank_language_fails() {
        assert_fails(&VALID_LANG, "<p lang=' '>hello", 1);
        assert_fails(&VALID_LANG, "<article lang='\t\n'><p>hello</article>", 1);
        assert_not_applicable(&VALID_LANG, "<p lang=' '></p>");
    }

    #[test]
    fn an_empty_language_is_not_applicable() {
        assert_not_applicable(&VALID_LANG, "<p lang=''>hello");
    }

    #[test]
    fn the_html_element_is_not_applicable() {
        assert_not_applicable(&VALID_LANG, "<html lang=invalid><p>hello");
    }
}
