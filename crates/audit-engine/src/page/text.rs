//! The text a visitor sees, as far as markup alone tells.

use crate::dom::{Dom, ElementRef, NodeData, NodeId};

/// Elements whose contents no visitor reads.
const UNSEEN: [&str; 13] = [
    "script", "style", "noscript", "template", "head", "svg", "math", "iframe", "object", "video",
    "audio", "canvas", "datalist",
];

/// Elements outside the main text of a page.
const BOILERPLATE: [&str; 6] = ["nav", "header", "footer", "aside", "dialog", "menu"];

/// Names of blocks that hold links to other pages or parts of the page, as class or id.
const NAVIGATION_NAMES: [&str; 27] = [
    "nav",
    "navbar",
    "navheader",
    "navfooter",
    "navigation",
    "navbar-nav",
    "topnav",
    "sidenav",
    "bottomnav",
    "nav-links",
    "menu",
    "breadcrumb",
    "breadcrumbs",
    "toc",
    "table-of-contents",
    "tableofcontents",
    "related",
    "sidebar",
    "sphinxsidebar",
    "prev-next",
    "prevnext",
    "previous-next",
    "pager",
    "pagination",
    "page-nav",
    "post-navigation",
    "skip-links",
];

/// Names of blocks at the top and the bottom of pages, as class or id.
const EDGE_NAMES: [&str; 6] = [
    "header",
    "footer",
    "site-header",
    "site-footer",
    "page-footer",
    "colophon",
];

/// Elements that are blocks around others; a cell, a heading or a phrase called "header" is none.
const NAMED_BLOCKS: [&str; 9] = [
    "div", "section", "table", "ul", "ol", "dl", "p", "center", "form",
];

/// A block is looked through for so many nodes.
const MOST_NODES_OF_A_BLOCK: usize = 2_000;

const INLINE: [&str; 26] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "i", "ins", "kbd",
    "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var",
];

/// Whether the element's own markup takes it out of sight: `hidden`, or inline `display: none` or
/// `visibility: hidden`.
#[must_use]
pub fn hidden_by_own_markup(element: ElementRef<'_>) -> bool {
    if element.has_attr("hidden") {
        return true;
    }
    element.attr("style").is_some_and(|style| {
        style.split(';').any(|declaration| {
            let Some((property, value)) = declaration.split_once(':') else {
                return false;
            };
            let value = value.trim().trim_end_matches("!important").trim_end();
            (property.trim().eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none"))
                || (property.trim().eq_ignore_ascii_case("visibility")
                    && value.eq_ignore_ascii_case("hidden"))
        })
    })
}

/// Which part of the page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Everything visible.
    All,
    /// Without navigation, headers, footers and asides, told by element, role, class or id.
    Main,
}

/// The visible text below a node: blocks separated by newlines, white space collapsed.
#[must_use]
pub fn visible_text(dom: &Dom, root: NodeId, part: Part) -> String {
    let mut out = String::new();
    let mut walk = dom.descendants(root);
    while let Some(id) = walk.next() {
        let after_block = dom.previous_sibling(id).and_then(|id| dom.element(id));
        if after_block.is_some_and(|element| !INLINE.contains(&element.name())) {
            break_block(&mut out);
        }
        match dom.data(id) {
            Some(NodeData::Text(run)) => push_run(&mut out, run),
            Some(NodeData::Element(_)) => {
                let Some(element) = dom.element(id) else {
                    continue;
                };
                let name = element.name();
                if UNSEEN.contains(&name)
                    || (part == Part::Main
                        && (is_boilerplate(element) || is_boilerplate_by_name(element)))
                    || hidden_by_own_markup(element)
                {
                    walk.skip_children(id);
                }
                if !INLINE.contains(&name) {
                    break_block(&mut out);
                }
            }
            _ => {}
        }
    }
    let end = out.trim_end().len();
    out.truncate(end);
    out
}

/// A `header` or `footer` inside an article belongs to the article.
fn is_boilerplate(element: ElementRef<'_>) -> bool {
    let name = element.name();
    if !BOILERPLATE.contains(&name) {
        return matches!(
            element.attr("role"),
            Some("navigation" | "banner" | "contentinfo" | "search" | "complementary")
        );
    }
    !(matches!(name, "header" | "footer")
        && element
            .ancestors()
            .any(|up| matches!(up.name(), "article" | "main")))
}

/// Whether the class or id of a block says that it is navigation, a header or a footer, and nothing
/// in it speaks against that: a block that holds the main part or the page's first heading is no
/// boilerplate, and one called "menu" without a link may be that of a restaurant.
pub(crate) fn is_boilerplate_by_name(element: ElementRef<'_>) -> bool {
    if !element.is_html() || !NAMED_BLOCKS.contains(&element.name()) {
        return false;
    }
    let navigates = has_name_among(element, &NAVIGATION_NAMES);
    if !navigates && !has_name_among(element, &EDGE_NAMES) {
        return false;
    }
    let mut holds_link = false;
    for inner in element.descendants().take(MOST_NODES_OF_A_BLOCK) {
        if matches!(inner.name(), "main" | "article" | "h1") || inner.attr_is("role", "main") {
            return false;
        }
        holds_link |= inner.is("a") && inner.has_attr("href");
    }
    holds_link || !navigates
}

/// Whether one of the names is a whole word of the element's class or its id.
pub(crate) fn has_name_among(element: ElementRef<'_>, names: &[&str]) -> bool {
    let words = ["class", "id"]
        .into_iter()
        .filter_map(|name| element.attr(name));
    words
        .flat_map(str::split_ascii_whitespace)
        .any(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
}

fn push_run(out: &mut String, run: &str) {
    let leading = run.starts_with(char::is_whitespace);
    let mut first = true;
    for word in run.split_whitespace() {
        let separated = !first || leading;
        if separated && !out.is_empty() && !out.ends_with(char::is_whitespace) {
            out.push(' ');
        }
        out.push_str(word);
        first = false;
    }
    if run.ends_with(char::is_whitespace) && !out.is_empty() && !out.ends_with(char::is_whitespace)
    {
        out.push(' ');
    }
}

fn break_block(out: &mut String) {
    let end = out.trim_end_matches(' ').len();
    out.truncate(end);
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// How many words a text has. Scripts that write without spaces count two characters as a word,
/// the usual length of one in Chinese and Japanese.
#[must_use]
pub fn word_count(text: &str) -> usize {
    text.split_whitespace()
        .map(|token| {
            let dense = token.chars().filter(|c| is_dense_script(*c)).count();
            if dense > 0 {
                dense.div_ceil(2)
            } else {
                usize::from(token.chars().any(char::is_alphanumeric))
            }
        })
        .sum()
}

const fn is_dense_script(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{0E00}'..='\u{0EFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(html: &str, part: Part) -> String {
        let dom = Dom::parse(html);
        visible_text(&dom, dom.document(), part)
    }

    #[test]
    fn blocks_are_lines_and_inline_elements_join() {
        assert_eq!(
            text("<p>one <b>two</b>, three</p><p>four</p>", Part::All),
            "one two, three\nfour"
        );
    }

    #[test]
    fn text_behind_a_block_is_a_line_of_its_own() {
        assert_eq!(
            text("<div><p>a</p>b <i>c</i></div><i>d</i>", Part::All),
            "a\nb c\nd"
        );
    }

    #[test]
    fn scripts_styles_and_hidden_parts_are_not_seen() {
        let html = "<style>a{}</style><p hidden>x</p><p style='display: none'>y</p><noscript>n</noscript><p>z";
        assert_eq!(text(html, Part::All), "z");
    }

    #[test]
    fn main_text_leaves_navigation_out_but_keeps_an_articles_header() {
        let html = "<nav>menu</nav><article><header>Title</header>body</article><footer>f</footer>";
        assert_eq!(text(html, Part::Main), "Title\nbody");
    }

    #[test]
    fn main_text_leaves_blocks_out_that_are_named_as_navigation() {
        for block in [
            "<div class=navheader><table><tr><th>Chapter<td><a href=a>Prev</a></table></div>",
            "<table class='wide NavFooter'><tr><td><a href=a>Next</a></table>",
            "<div id=footer>Last updated</div>",
            "<ul class=breadcrumbs><li><a href=a>Home</a></ul>",
            "<dl class=toc><dt><a href=a>1</a></dl>",
        ] {
            assert_eq!(
                text(&format!("{block}<p>body"), Part::Main),
                "body",
                "{block}"
            );
            assert_ne!(text(block, Part::All), "", "{block}");
        }
    }

    #[test]
    fn main_text_keeps_blocks_whose_name_only_resembles_navigation() {
        for block in [
            "<div class=navigator><a href=a>x</a></div>",
            "<div class=menu>Soup, bread and x</div>",
            "<div class=sidebar><main>x</main></div>",
            "<div id=header><h1>x</h1></div>",
            "<div class='page nav'><article>x <a href=a>y</a></article></div>",
            "<table><tr><th class=header>x</table>",
            "<h2 class=header>x</h2>",
        ] {
            assert!(text(block, Part::Main).contains('x'), "{block}");
        }
    }

    #[test]
    fn words_of_scripts_without_spaces_are_counted() {
        assert_eq!(word_count("hello, world - again"), 3);
        assert_eq!(word_count("日本語の文章です"), 4);
    }
}
