//! Finds links whose text does not describe their target.

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
    /// No link to another page has only a generic name such as "click here" or "read more".
    ///
    /// ## Why it matters
    /// A screen reader can list the links of a page without the surrounding text. In that list, ten links
    /// named "more" are indistinguishable. Search engines get no information about the target from such a
    /// name either.
    ///
    /// ## How to fix it
    /// Replace the text of the link with what its target is: `<a href="/ferries">Ferry timetable</a>`. If the design
    /// shows only "more", add the rest in `aria-label` or in visually hidden text, and start with the visible words.
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
    /// The check knows generic names in sixteen languages. A link passes if it has an `aria-describedby`
    /// description or a `title` that is not generic, or if its text is an identifier of source code: in
    /// `code` and similar elements, with the signs of one (`more()`, `<link>`, `.here`), or with an address
    /// that ends in it (`#std.more`, `fn.here.html`). WCAG level A accepts a link that the surrounding
    /// sentence explains; this check reports a best practice.
    ///
    /// ## Also known as
    /// - Lighthouse: `link-text`
    /// - WCAG: Failure F84
    /// - WAVE: Suspicious link text
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 2.4.4 Link Purpose (In Context) (A) and 2.4.9 Link Purpose (Link Only) (AAA)
    LINK_TEXT_GENERIC {
        id: "link-text-generic",
        title: "Links with non-descriptive text",
        dimension: Accessibility,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Generic link names, in lower case.
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

/// More characters than the longest generic name has.
const MAX_CHARACTERS: usize = 24;

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let links = page
        .links()
        .iter()
        .filter(|link| targets_another_page(page, link))
        .filter_map(|link| page.element(link.node))
        .filter(|link| link.is("a") && tree.has_role(*link, "link") && tree.is_exposed(*link))
        .filter_map(|link| {
            // Only a generic name is copied.
            let generic = tree.with_name(link, |name| {
                let generic = || is_generic(name.text).then(|| name.text.to_owned());
                (!name.text.is_empty()).then(generic)
            });
            generic.map(|generic| (link, generic))
        });
    Outcome::for_each(links, |(link, generic)| {
        let is_clear = || is_described(&tree, link) || is_code(link);
        let Some(name) = generic.filter(|_| !is_clear()) else {
            return Verdict::Pass;
        };
        tree.failure(
            link,
            format!(
                "The link to \"{}\" has the name \"{name}\", which does not describe its target.",
                link.attr("href").unwrap_or_default().trim()
            ),
        )
    })
}

fn targets_another_page(page: &Page, link: &Link) -> bool {
    link.url()
        .is_some_and(|target| !crate::address::is_same_document(target, page.url()))
}

fn is_generic(name: &str) -> bool {
    static SHAPES: LazyLock<Shapes> = LazyLock::new(|| Shapes::from_words(&GENERIC));
    // Strips arrows, brackets and dots, but not a hyphen, which may belong to a command-line option.
    let around = |c: char| {
        c.is_whitespace() || (!c.is_alphanumeric() && !matches!(c, '\'' | '\u{2019}' | '-' | '_'))
    };
    let name = name.trim_matches(around);
    if name.is_ascii() {
        return SHAPES.may_have(name)
            && GENERIC.iter().any(|known| name.eq_ignore_ascii_case(known));
    }
    // Most names are longer than every generic name.
    if name.chars().nth(MAX_CHARACTERS).is_some() {
        return false;
    }
    let name = name.to_lowercase().replace('\u{2019}', "'");
    GENERIC.contains(&name.as_str())
}

/// Elements whose content is source code or input and output of programs.
const CODE_ELEMENTS: [&str; 7] = ["code", "kbd", "pre", "samp", "tt", "var", "dfn"];

/// Classes of documentation generators for identifiers.
const CODE_CLASSES: [&str; 9] = [
    "code",
    "descname",
    "highlight",
    "identifier",
    "literal",
    "pre",
    "sig",
    "sig-name",
    "xref",
];

/// Whether the text of the link is an identifier of source code, such as the name of a function.
fn is_code(link: ElementRef<'_>) -> bool {
    let text = link.text();
    let has_signs = text.ends_with("()")
        || text.ends_with("[]")
        || text.starts_with(['.', '@', '$', '\\'])
        || (text.starts_with('<') && text.ends_with('>') && !text.contains(' '))
        || text.contains("::");
    has_signs
        || std::iter::once(link)
            .chain(link.ancestors())
            .any(is_code_element)
        || is_all_in_code(link, &text)
        || address_ends_in(link.attr("href").unwrap_or_default(), &text)
}

fn is_code_element(element: ElementRef<'_>) -> bool {
    CODE_ELEMENTS.contains(&element.name())
        || CODE_CLASSES
            .iter()
            .any(|class| element.has_token("class", class))
}

/// Whether an element for code inside the link has the whole text of the link.
fn is_all_in_code(link: ElementRef<'_>, text: &str) -> bool {
    const MOST_ELEMENTS: usize = 16;
    let mut inner = link.descendants().take(MOST_ELEMENTS);
    inner.any(|inner| is_code_element(inner) && inner.text() == text)
}

/// Whether the address is that of an entry with this name, such as `#std.more` or `fn.here.html`.
fn address_ends_in(href: &str, text: &str) -> bool {
    let href = href.trim();
    let end = href.split_once('#').map_or_else(
        || {
            let path = href.split('?').next().unwrap_or_default();
            let file = path.rsplit('/').next().unwrap_or_default();
            [".html", ".htm"]
                .iter()
                .find_map(|ending| file.strip_suffix(ending))
                .unwrap_or(file)
        },
        |(_, fragment)| fragment,
    );
    let name = text.trim_matches(|c: char| !c.is_alphanumeric());
    !name.is_empty()
        && end
            .strip_suffix(name)
            .is_some_and(|before| before.ends_with(['.', ':', '-', '_']) && before.len() > 1)
}

/// Whether a description or title describes the target of the link.
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
    fn descriptive_links_pass() {
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
    fn identifiers_of_source_code_pass() {
        for html in [
            "<a href=/x><code>link</code></a>",
            "<code><a href=/x>this</a></code>",
            "<div class=highlight><pre>a.<a href=/x>more</a>()</pre></div>",
            "<a href=/x><span class='xref std'>more</span></a>",
            "<a href=/x><span class=pre>details</span></a>",
            "<a href=/x>more()</a>",
            "<a href=/x>&lt;link></a>",
            "<a href=/x>.here</a>",
            "<a href=/api/fn.here.html>here</a>",
            "<a href=/api#std.more>more</a>",
        ] {
            assert_passes(&LINK_TEXT_GENERIC, html);
        }
    }

    #[test]
    fn words_beside_code_and_similar_addresses_fail() {
        for html in [
            "<p><code>x</code> <a href=/x>more</a>",
            "<a href=/x>more <code></code></a>",
            "<a href=/more>more</a>",
            "<a href=/learn-more>Learn more ›</a>",
            "<a href=/x>&lt; more</a>",
            "<a href=/x>here</a> <pre>y</pre>",
        ] {
            assert_fails(&LINK_TEXT_GENERIC, html, 1);
        }
    }

    #[test]
    fn generic_links_fail_in_any_case_and_punctuation() {
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
    fn every_name_in_the_list_is_generic() {
        for name in GENERIC {
            assert!(
                is_generic(name) && is_generic(&name.to_uppercase()),
                "{name}"
            );
        }
    }

    #[test]
    fn links_without_another_page_as_target_are_not_applicable() {
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
