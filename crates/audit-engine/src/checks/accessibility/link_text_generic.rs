//! Links say where they lead.

use std::sync::LazyLock;

use crate::algorithms::shapes::Shapes;
use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Link;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No link to another page is called only "click here", "read more" or the like.
    ///
    /// ## Why it matters
    /// A screen reader lists the links of a page without the text around them, and there ten
    /// links called "more" are all the same. Search engines learn nothing from such a name either.
    ///
    /// ## How to fix it
    /// Say in the link what is behind it: `<a href="/ferries">Ferry timetable</a>`. Where the
    /// design shows only "more", name the rest in `aria-label` or in text that only screen readers read,
    /// beginning with the words that are shown.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Harbour</title><p>For the ferry timetable <a href="/ferries">click here</a>.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Harbour</title><p>See the <a href="/ferries">ferry timetable</a>.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The words are known in sixteen languages. A link with a description (`aria-describedby`) or a `title` that says
    /// more passes. WCAG at level A accepts a link that the sentence around it explains; this is good practice.
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 2.4.4 Link Purpose (In Context) (A) and 2.4.9 Link Purpose (Link Only) (AAA)
    LINK_TEXT_GENERIC {
        id: "link-text-generic",
        title: "Links that do not say where they lead",
        dimension: Accessibility,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Names that say nothing, in lower case.
const GENERIC: [&str; 92] = [
    // English
    "click here",
    "click this",
    "click this link",
    "here",
    "this",
    "this link",
    "this page",
    "link",
    "more",
    "more info",
    "more information",
    "more details",
    "learn more",
    "read more",
    "see more",
    "find out more",
    "right here",
    "details",
    "continue reading",
    // German
    "hier",
    "hier klicken",
    "klicken sie hier",
    "klick hier",
    "klicke hier",
    "mehr",
    "mehr erfahren",
    "mehr lesen",
    "mehr infos",
    "mehr informationen",
    "weiterlesen",
    // French
    "ici",
    "cliquez ici",
    "cliquer ici",
    "en savoir plus",
    "lire la suite",
    "lire plus",
    "plus d'infos",
    "voir plus",
    // Spanish
    "aquí",
    "haz clic aquí",
    "haga clic aquí",
    "click aquí",
    "clic aquí",
    "pincha aquí",
    "leer más",
    "más",
    "más información",
    "saber más",
    "ver más",
    "este enlace",
    // Portuguese
    "aqui",
    "clique aqui",
    "leia mais",
    "mais",
    "mais informações",
    "saiba mais",
    "veja mais",
    // Italian
    "qui",
    "clicca qui",
    "leggi di più",
    "leggi tutto",
    "maggiori informazioni",
    "scopri di più",
    // Dutch
    "klik hier",
    "lees meer",
    "lees verder",
    "meer informatie",
    "meer",
    // Swedish, Danish, Norwegian
    "här",
    "klicka här",
    "läs mer",
    "her",
    "klik her",
    "klikk her",
    "læs mere",
    "les mer",
    // Polish, Czech
    "kliknij tutaj",
    "czytaj więcej",
    "więcej",
    "klikněte zde",
    "více",
    // Russian
    "здесь",
    "подробнее",
    "читать далее",
    // Japanese, Korean, Chinese
    "こちら",
    "詳しくはこちら",
    "続きを読む",
    "여기",
    "자세히 보기",
    "点击这里",
    "了解更多",
    "更多",
];

/// More characters than the longest of these names has.
const MOST_CHARACTERS: usize = 24;

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let links = page
        .links()
        .iter()
        .filter(|link| leads_elsewhere(page, link))
        .filter_map(|link| page.element(link.node))
        .filter(|link| link.is("a") && tree.has_role(*link, "link") && tree.is_exposed(*link))
        .filter_map(|link| {
            // A name that says something is not looked at again.
            let generic = tree.with_name(link, |name| {
                let generic = || is_generic(name.text).then(|| name.text.to_owned());
                (!name.text.is_empty()).then(generic)
            });
            generic.map(|generic| (link, generic))
        });
    Outcome::for_each(links, |(link, generic)| {
        let Some(name) = generic.filter(|_| !is_described(&tree, link)) else {
            return Verdict::Pass;
        };
        tree.failure(
            link,
            format!("This link is called \"{name}\", which does not say where it leads."),
        )
    })
}

fn leads_elsewhere(page: &Page, link: &Link) -> bool {
    link.url()
        .is_some_and(|target| !crate::address::is_same_document(target, page.url()))
}

fn is_generic(name: &str) -> bool {
    static SHAPES: LazyLock<Shapes> = LazyLock::new(|| Shapes::of(&GENERIC));
    // Arrows, brackets and dots; a hyphen may belong to the name of an option.
    let around = |c: char| {
        c.is_whitespace() || (!c.is_alphanumeric() && !matches!(c, '\'' | '\u{2019}' | '-' | '_'))
    };
    let name = name.trim_matches(around);
    if name.is_ascii() {
        return SHAPES.may_have(name)
            && GENERIC.iter().any(|known| name.eq_ignore_ascii_case(known));
    }
    // Most names are longer than any that says nothing.
    if name.chars().nth(MOST_CHARACTERS).is_some() {
        return false;
    }
    let name = name.to_lowercase().replace('\u{2019}', "'");
    GENERIC.contains(&name.as_str())
}

/// Whether something else tells where the link leads.
fn is_described<'a>(tree: &AccessTree<'a>, link: ElementRef<'a>) -> bool {
    tree.referents(link, "aria-describedby").next().is_some()
        || ["aria-description", "title"].iter().any(|name| {
            link.attr(name)
                .is_some_and(|text| !text.trim().is_empty() && !is_generic(text))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn telling_links_pass() {
        for html in [
            "<a href=/x>Ferry timetable</a>",
            "<a href=/x aria-label='Read more about ferries'>Read more</a>",
            "<a href=/x>Read more<span class=sr-only> about ferries</span></a>",
            "<a href=/x title='Ferry timetable'>here</a>",
            "<p id=d>Ferries</p><a href=/x aria-describedby=d>More</a>",
            "<a href=/go>Go</a>",
            "<a href=/x><code>--link</code></a>",
        ] {
            assert_passes(&LINK_TEXT_GENERIC, html);
        }
    }

    #[test]
    fn generic_links_fail_whatever_their_case_and_signs() {
        for text in [
            "click here",
            "Read More …",
            "Mehr »",
            "[more]",
            "En savoir plus",
            "こちら",
        ] {
            assert_fails(&LINK_TEXT_GENERIC, &format!("<a href=/x>{text}</a>"), 1);
        }
    }

    #[test]
    fn every_name_of_the_list_says_nothing() {
        for name in GENERIC {
            assert!(
                is_generic(name) && is_generic(&name.to_uppercase()),
                "{name}"
            );
        }
    }

    #[test]
    fn links_that_lead_to_no_other_page_are_not_judged() {
        for html in [
            "<a href=#more>more</a>",
            "<a href='mailto:a@b.c'>here</a>",
            "<a href='javascript:void(0)'>more</a>",
            "<a name=x>here</a>",
            "<a href=/x></a>",
        ] {
            assert_not_applicable(&LINK_TEXT_GENERIC, html);
        }
    }
}
