//! Thin content: indexable pages with little main text.

use std::collections::HashMap;

use crate::check::{Evidence, Outcome};
use crate::common::http::soft_404;
use crate::common::text::prose;
use crate::declare_check;
use crate::dom::{ElementRef, NodeId};
use crate::page::Traits;
use crate::page::text::{has_name_among, word_count};
use crate::view::{Page, script_shell};

declare_check! {
    /// ## What it checks
    /// A page that search engines may index has at least 200 words of main text.
    ///
    /// ## Why it matters
    /// A page with little text may not contain what a visitor came for. It gives search engines
    /// little to distinguish it from other pages.
    ///
    /// ## How to fix it
    /// Add what a visitor who arrives here wants to know if the page leaves questions open, or
    /// merge it with a related page and redirect to that page. Add
    /// `<meta name="robots" content="noindex">` to a page that should not appear in search results.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour</title><p><a href="/ferries">Ferries</a></p></html>
    /// === /ferries
    /// <!doctype html><html lang="en"><title>Ferries</title><main><h1>Ferries</h1><p>Our ferries cross the bay every day. More information will follow here soon.</p></main></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour</title><p><a href="/ferries">Ferries</a></p></html>
    /// === /ferries
    /// <!doctype html><html lang="en"><title>Ferries</title><main><h1>Ferries</h1><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning, the last one returns shortly before midnight, and in between there is a crossing every thirty minutes. In July and August a third boat joins them, and then you never wait longer than twenty minutes. The crossing itself takes a quarter of an hour when the sea is calm and a little more when it is not.</p><p>Tickets are sold on the pier, in the tourist office beside the church, and on board. Children under six travel free, schoolchildren and students pay half, and a family ticket pays for itself with the third passenger. Bicycles cost as much as a child and stand on the lower deck. Cars are not carried: leave yours in the car park behind the harbour, where the first day is free for passengers.</p><p>When the wind is stronger than eight, or in thick fog, the boats stay in the harbour. We say so on the board at the pier and on this page at least one hour before the crossing. Your ticket is then valid for the rest of the week, and on the road around the bay a bus runs instead.</p></main></html>
    /// ```
    ///
    /// ## Limits
    /// Navigation, headers and footers do not count as text. They are recognized by element, role,
    /// or a common class or id such as `navheader`. The following pages are left out: the start
    /// page; pages with forms, media, code, a data table, a definition list or several images;
    /// pages of which a third or more is links; pages whose table of contents links to other pages;
    /// pages that redirect their visitors; and pages for contact, search, login, legal notices or
    /// archives. Text that scripts write is not counted. 200 words is a rule of thumb: a short page
    /// can be complete. Pages whose title or heading states that they do not exist are left to
    /// `soft-404`.
    ///
    /// ## Also known as
    /// - Screaming Frog: Content: Low Content Pages
    /// - Common name: Low word count
    ///
    /// ## References
    /// - Google Search Central, Creating helpful, reliable, people-first content
    CONTENT_THIN {
        id: "content-thin",
        title: "Thin content",
        dimension: Content,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Medium,
        needs: [Dom, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const FEWEST_WORDS: usize = 200;

/// A table with at least this many rows of filled cells is content.
const DATA_ROWS: usize = 3;

/// A page is a list of links if at least one in this many words is in a link.
const LINKED_SHARE: usize = 3;

/// A table of contents with at least this many links to other pages is the purpose of its page.
const CONTENTS_LINKS: usize = 2;

/// Path segments of utility pages, whose purpose is not their text.
const UTILITY: [&str; 36] = [
    "login",
    "signin",
    "sign-in",
    "logout",
    "register",
    "signup",
    "sign-up",
    "account",
    "contact",
    "kontakt",
    "contacto",
    "search",
    "suche",
    "cart",
    "basket",
    "checkout",
    "imprint",
    "impressum",
    "legal",
    "privacy",
    "datenschutz",
    "terms",
    "cookies",
    "tag",
    "tags",
    "category",
    "categories",
    "archive",
    "archives",
    "author",
    "genindex",
    "py-modindex",
    "index",
    "sitemap",
    "download",
    "downloads",
];

/// Elements that are content without words.
const NON_TEXT_CONTENT: [&str; 11] = [
    "form", "input", "textarea", "video", "audio", "iframe", "object", "embed", "canvas", "pre",
    "dl",
];

fn evaluate(page: &Page) -> Outcome {
    let words = page.main_words();
    if words >= FEWEST_WORDS {
        return Outcome::Passed;
    }
    if is_utility(page)
        || redirects_visitors(page)
        || soft_404::is_suspect(page)
        || script_shell::is_frameset(page)
    {
        return Outcome::NotApplicable;
    }
    if script_shell::mount_point(page).is_some() {
        return Outcome::CannotTell("A script writes the text of the page.");
    }
    Outcome::failed(vec![Evidence::here().message(format!(
        "The main text has {words} words; expected at least {FEWEST_WORDS}."
    ))])
}

fn is_utility(page: &Page) -> bool {
    page.url().path() == "/" || has_utility_path(page) || is_not_prose(page)
}

/// A page that redirects its visitors with a meta refresh.
fn redirects_visitors(page: &Page) -> bool {
    page.html("meta")
        .any(|meta| meta.attr_is("http-equiv", "refresh"))
}

fn has_utility_path(page: &Page) -> bool {
    page.url()
        .path_segments()
        .into_iter()
        .flatten()
        .any(|segment| {
            let name = segment.split('.').next().unwrap_or_default();
            UTILITY.contains(&name.to_ascii_lowercase().as_str())
        })
}

fn is_not_prose(page: &Page) -> bool {
    let Some(main) = page.main_element() else {
        return false;
    };
    let elements: Vec<_> = prose::main_elements(page, main).collect();
    let images = elements.iter().filter(|element| element.is("img"));
    elements.iter().any(is_non_text_content)
        || images.count() >= 3
        || has_data_table(&elements)
        || lists_other_pages(page)
        || is_mostly_links(page, &elements)
}

fn is_non_text_content(element: &ElementRef<'_>) -> bool {
    element.is_html()
        && NON_TEXT_CONTENT.contains(&element.name())
        && !element.attr_is("type", "hidden")
}

/// Whether a table has at least [`DATA_ROWS`] rows of filled cells.
fn has_data_table(elements: &[ElementRef<'_>]) -> bool {
    let mut rows: HashMap<NodeId, usize> = HashMap::new();
    let tables = elements
        .iter()
        .filter(|element| element.is("tr"))
        .filter_map(|row| Some((*row, row.closest("table")?)))
        .filter(|(_, table)| {
            !table.attr_is("role", "presentation") && !table.attr_is("role", "none")
        })
        .filter(|(row, table)| is_data_row(*row, *table))
        .map(|(_, table)| table);
    for table in tables {
        let count = rows.entry(table.id()).or_default();
        *count += 1;
        if *count >= DATA_ROWS {
            return true;
        }
    }
    false
}

/// Whether the row has two filled cells, or one in a table with a `thead`. A row that contains another
/// table is layout.
fn is_data_row(row: ElementRef<'_>, table: ElementRef<'_>) -> bool {
    let needed = if table.children().any(|part| part.is("thead")) {
        1
    } else {
        2
    };
    let cells = row
        .children()
        .filter(|cell| cell.is("td") || cell.is("th"))
        .filter(|cell| !cell.text().is_empty());
    cells.take(needed).count() == needed && !row.descendants().any(|inner| inner.is("table"))
}

/// Whether a table of contents links to other pages, as that of a chapter or a part does.
fn lists_other_pages(page: &Page) -> bool {
    let own_name = page.url().path_segments().and_then(Iterator::last);
    let leads_away = |link: &ElementRef<'_>| {
        let target = link.attr("href").unwrap_or_default().split('#').next();
        target.is_some_and(|target| !target.is_empty() && target.rsplit('/').next() != own_name)
    };
    links_of_contents(page)
        .filter(leads_away)
        .nth(CONTENTS_LINKS - 1)
        .is_some()
}

fn links_of_contents(page: &Page) -> impl Iterator<Item = ElementRef<'_>> {
    page.html("a")
        .filter(|element| is_link(*element))
        .filter(|element| element.ancestors().any(|up| is_contents(page, up)))
}

/// Whether a third or more of the page is links. Headings are not counted; a table of contents counts as
/// links.
fn is_mostly_links(page: &Page, elements: &[ElementRef<'_>]) -> bool {
    let linked: usize = elements
        .iter()
        .filter(|element| is_link(**element) && !element.ancestors().any(|up| is_heading(page, up)))
        .map(|link| word_count(&link.text()))
        .sum();
    let headings: usize = elements
        .iter()
        .filter(|element| is_heading(page, **element))
        .map(|heading| word_count(&heading.text()))
        .sum();
    let contents: usize = links_of_contents(page)
        .map(|link| word_count(&link.text()))
        .sum();
    let words = page.main_words().saturating_sub(headings);
    linked + contents > 0 && (linked + contents) * LINKED_SHARE >= words + contents
}

fn is_link(element: ElementRef<'_>) -> bool {
    element.is("a") && element.has_attr("href")
}

fn is_heading(page: &Page, element: ElementRef<'_>) -> bool {
    page.traits(element).has(Traits::HEADING)
}

fn is_contents(page: &Page, element: ElementRef<'_>) -> bool {
    page.traits(element).has(Traits::CALLED_NAVIGATION)
        && has_name_among(element, &["toc", "table-of-contents", "tableofcontents"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::outcome_of;

    fn audited(path: &str, html: &str) -> Outcome {
        outcome_of(&CONTENT_THIN, &Page::builder().url(path).html(html))
    }

    fn words(count: usize) -> String {
        "word ".repeat(count)
    }

    #[test]
    fn two_hundred_words_pass() {
        assert_eq!(
            audited("/a", &format!("<p>{}", words(200))),
            Outcome::Passed
        );
    }

    #[test]
    fn fewer_words_fail() {
        assert!(matches!(
            audited("/a", &format!("<p>{}", words(199))),
            Outcome::Failed(_)
        ));
        assert!(matches!(audited("/a", "<body>"), Outcome::Failed(_)));
    }

    #[test]
    fn not_found_pages_are_left_to_soft_404() {
        assert_eq!(audited("/a", "<h1>Not found</h1>x"), Outcome::NotApplicable);
        let titled = "<title>Page not found – Shop</title><h1>Sorry</h1>";
        assert_eq!(audited("/a", titled), Outcome::NotApplicable);
    }

    #[test]
    fn words_in_the_navigation_do_not_count() {
        let html = format!("<nav>{}</nav><p>{}", words(300), words(50));
        assert!(matches!(audited("/a", &html), Outcome::Failed(_)));
    }

    #[test]
    fn a_table_with_a_head_and_one_column_is_data() {
        let rows = "<tr><td>name<p>What it is.".repeat(3);
        let html = format!("<p>x<table><thead><tr><th>Column</thead><tbody>{rows}</table>");
        let page = Page::builder().url("/a").html(&html);
        assert_eq!(outcome_of(&CONTENT_THIN, &page), Outcome::NotApplicable);
    }

    #[test]
    fn words_in_a_navigation_table_do_not_count() {
        let html = format!(
            "<div class=navheader><table><tr><th>{0}<td><a href=a>Prev</a></table></div><p>{1}",
            words(300),
            words(50)
        );
        assert!(matches!(audited("/a", &html), Outcome::Failed(_)));
    }

    #[test]
    fn a_data_table_is_not_applicable() {
        let row = "<tr><td>a<td>b";
        let page = |attributes: &str, rows: &str| format!("<p>x<table {attributes}>{rows}</table>");
        assert_eq!(
            audited("/a", &page("", &row.repeat(3))),
            Outcome::NotApplicable
        );
        for html in [
            page("", &row.repeat(2)),
            page("", &"<tr><td>a<td>".repeat(3)),
            page("role=presentation", &row.repeat(3)),
            page("", "<tr><td><table><tr><td>a<td>b</table><td>c"),
            page("class=navfooter", &"<tr><td>a<td><a href=x>b</a>".repeat(3)),
        ] {
            assert!(matches!(audited("/a", &html), Outcome::Failed(_)), "{html}");
        }
    }

    #[test]
    fn headings_and_footer_do_not_hide_a_list_of_links() {
        let html = "<h1>All the many guides of this site</h1><p>This collection has grown:<p><a href=a>one</a> <a href=b>two</a><div id=footer>Last updated on the first of May</div>";
        assert_eq!(audited("/a", html), Outcome::NotApplicable);
    }

    #[test]
    fn a_page_with_only_a_table_of_contents_is_a_list_of_links() {
        let html = "<h1>Part</h1><p>These are the chapters.<div class=toc><p>Contents<ul><li><a href=a>The first chapter</a><li><a href=b>The second</a></ul></div>";
        assert_eq!(audited("/a", html), Outcome::NotApplicable);
    }

    #[test]
    fn only_a_table_of_contents_with_links_to_other_pages_exempts_a_page() {
        let page = |target: &str| {
            format!(
                "<h1>Part</h1><p>{}<div class=toc><a href={target}1>One</a> <a href={target}2>Two</a></div>",
                words(100)
            )
        };
        assert_eq!(
            audited("/part.html", &page("chapter")),
            Outcome::NotApplicable
        );
        for own in ["#a", "part.html#a"] {
            assert!(
                matches!(audited("/part.html", &page(own)), Outcome::Failed(_)),
                "{own}"
            );
        }
    }

    #[test]
    fn utility_pages_are_not_applicable() {
        for path in [
            "/",
            "/login",
            "/en/contact.html",
            "/genindex.html",
            "/Impressum",
        ] {
            assert_eq!(audited(path, "<p>x y z"), Outcome::NotApplicable, "{path}");
        }
    }

    #[test]
    fn pages_of_media_code_forms_or_links_are_not_applicable() {
        for html in [
            "<p>x<video src=a></video>",
            "<p>x<pre>code</pre>",
            "<form><input></form>",
            "<p>See:<ul><li><a href=a>one</a><li><a href=b>two</a></ul>",
        ] {
            assert_eq!(audited("/a", html), Outcome::NotApplicable, "{html}");
        }
    }

    #[test]
    fn a_search_form_in_the_header_does_not_exempt_a_page() {
        let html = "<header><form><input></form></header><p>a few words of text";
        assert!(matches!(audited("/a", html), Outcome::Failed(_)));
    }

    #[test]
    fn a_script_rendered_page_gives_cannot_tell() {
        let html = "<div id=root></div><script src=app.js></script>";
        assert!(matches!(audited("/a", html), Outcome::CannotTell(_)));
    }

    #[test]
    fn a_page_that_redirects_visitors_is_not_applicable() {
        let html = "<meta http-equiv=Refresh content='0;url=/b'><p>Redirecting";
        assert_eq!(audited("/a", html), Outcome::NotApplicable);
    }

    #[test]
    fn a_frameset_is_not_applicable() {
        assert_eq!(
            audited("/a", "<frameset><frame src=a></frameset>"),
            Outcome::NotApplicable
        );
    }
}
