//! Thin content: indexable pages with little main text.

use std::collections::HashMap;

use crate::check::{Evidence, Outcome};
use crate::common::documents::error_page::is_error_page;
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
    /// page; pages with forms, media, code, a data table, a definition list, several images or several buttons;
    /// pages of which a third or more is links; pages whose table of contents links to other pages;
    /// lists of posts, products or news, which are at least two headings or articles that lead to other
    /// pages; notes on one release; pages that redirect their visitors; and pages for contact, search,
    /// login, legal notices or archives. Text that scripts write is not counted; the result is "cannot tell" if an empty
    /// element waits for it, such as that of a chart or a map. 200 words is a rule of
    /// thumb: a short page can be complete. Pages whose title or heading states that they do not exist
    /// are left to `soft-404`, and other error and maintenance pages are left out.
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

/// A page with at least this many buttons is a screen to work with, not a text.
const BUTTONS_OF_A_SCREEN: usize = 3;

/// A table of contents with at least this many links to other pages is the purpose of its page.
const CONTENTS_LINKS: usize = 2;

/// Path segments of utility pages, whose purpose is not their text.
const UTILITY: [&str; 45] = [
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
    "changelog",
    "changes",
    "release",
    "releases",
    "release-notes",
    "releasenotes",
    "whatsnew",
    "forgot-password",
    "reset-password",
];

/// Last path segments of lists of posts and of error pages, without the file name extension.
const LISTS_AND_ERRORS: [&str; 24] = [
    "blog",
    "news",
    "posts",
    "articles",
    "products",
    "shop",
    "portfolio",
    "gallery",
    "400",
    "401",
    "403",
    "404",
    "405",
    "410",
    "429",
    "500",
    "502",
    "503",
    "504",
    "error",
    "offline",
    "maintenance",
    "unauthorized",
    "forbidden",
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
        || is_error_page(page)
        || is_about_one_release(page)
        || script_shell::is_frameset(page)
    {
        return Outcome::NotApplicable;
    }
    if script_shell::mount_point(page).is_some() || has_place_for_scripts(page) {
        return Outcome::CannotTell("A script writes the text of the page.");
    }
    Outcome::failed(vec![Evidence::here().message(format!(
        "The main text has {words} words; expected at least {FEWEST_WORDS}."
    ))])
}

/// Whether the main part has an empty element that a script fills, such as that of a chart, a map or a table of data.
fn has_place_for_scripts(page: &Page) -> bool {
    let is_place = |element: &ElementRef<'_>| {
        let is_block = matches!(element.name(), "div" | "section" | "tbody" | "ul" | "ol");
        let is_named = element.has_attr("id") || element.is("tbody");
        is_block && is_named && element.children().next().is_none() && element.text().is_empty()
    };
    page.runs_scripts()
        && page
            .main_element()
            .is_some_and(|main| prose::main_elements(page, main).any(|element| is_place(&element)))
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
    let segments = || page.url().path_segments().into_iter().flatten();
    let stem = |segment: &str| {
        let name = segment.split('.').next().unwrap_or_default();
        name.to_ascii_lowercase()
    };
    let mut names = segments().map(stem);
    let last = segments().rfind(|segment| !segment.is_empty()).map(stem);
    let second = segments()
        .filter(|segment| !segment.is_empty())
        .rev()
        .nth(1);
    // `/blog/page/2` continues a list.
    let continues = |last: &String| {
        second.is_some_and(|before| before.eq_ignore_ascii_case("page"))
            && last.bytes().all(|byte| byte.is_ascii_digit())
    };
    names.any(|name| UTILITY.contains(&name.as_str()))
        || last.is_some_and(|last| LISTS_AND_ERRORS.contains(&last.as_str()) || continues(&last))
}

/// Whether the first heading or the last part of the path names one version, as notes on a release do.
fn is_about_one_release(page: &Page) -> bool {
    let heading = page.html("h1").next().map(ElementRef::text);
    let mut segments = page.url().path_segments().into_iter().flatten();
    let last = segments
        .rfind(|segment| !segment.is_empty())
        .unwrap_or_default();
    let file = last.strip_suffix(".html").unwrap_or(last);
    let words = heading.as_deref().unwrap_or_default().to_lowercase();
    let is_titled = [
        "release notes",
        "changelog",
        "what's new",
        "what’s new",
        "released",
    ];
    is_titled.iter().any(|title| words.contains(title))
        || words.split_whitespace().chain([file]).any(is_version)
}

/// Whether the word is a version such as `v1.2` or `2.0.1-rc1`.
fn is_version(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let word = word.strip_prefix('v').unwrap_or(word);
    let number = word.split(['-', '+']).next().unwrap_or_default();
    let mut parts = number.split('.');
    let all_numbers = parts
        .clone()
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    all_numbers && parts.nth(1).is_some()
}

/// Whether the main part is a list of posts or products: at least two headings, or articles, that lead to other
/// pages.
fn lists_entries(page: &Page, elements: &[ElementRef<'_>]) -> bool {
    const FEWEST_ENTRIES: usize = 2;
    let here = crate::address::without_fragment(page.url());
    let leads_away = |link: &ElementRef<'_>| {
        let target = link
            .attr("href")
            .and_then(|href| page.base().join(href.trim()).ok());
        target.is_some_and(|target| crate::address::without_fragment(&target) != here)
    };
    let mut entries: Vec<NodeId> = Vec::new();
    let links = elements.iter().filter(|element| is_link(**element));
    for link in links.filter(|link| leads_away(link)) {
        let around = link.ancestors().take(MOST_LEVELS_OF_AN_ENTRY);
        let entry = around
            .into_iter()
            .find(|up| is_heading(page, *up) || up.is("article"))
            .or_else(|| {
                let mut inner = link.descendants().take(MOST_ELEMENTS_OF_A_LINK);
                inner.find(|inner| is_heading(page, *inner))
            });
        if let Some(entry) = entry.filter(|entry| !entries.contains(&entry.id())) {
            entries.push(entry.id());
            if entries.len() >= FEWEST_ENTRIES {
                return true;
            }
        }
    }
    false
}

/// Levels between a link and the heading or article that it leads on from.
const MOST_LEVELS_OF_AN_ENTRY: usize = 6;

/// Elements inside a link that are searched for a heading.
const MOST_ELEMENTS_OF_A_LINK: usize = 32;

fn is_not_prose(page: &Page) -> bool {
    let Some(main) = page.main_element() else {
        return false;
    };
    let elements: Vec<_> = prose::main_elements(page, main).collect();
    let images = elements.iter().filter(|element| element.is("img"));
    let buttons = elements.iter().filter(|element| is_button(element));
    elements.iter().any(is_non_text_content)
        || images.count() >= 3
        || buttons.count() >= BUTTONS_OF_A_SCREEN
        || has_data_table(&elements)
        || lists_other_pages(page)
        || lists_entries(page, &elements)
        || is_mostly_links(page, &elements)
}

fn is_button(element: &ElementRef<'_>) -> bool {
    element.is("button") || element.attr_is("role", "button")
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
    fn lists_of_posts_are_not_applicable() {
        let text = words(30);
        for entry in [
            format!("<h2><a href='/NUMBER'>A day at sea</a></h2><p>{text}"),
            format!("<article><p>{text}<a href='/NUMBER'>Read more</a></article>"),
            format!("<div><a href='/NUMBER'><h3>A day at sea</h3></a><p>{text}</p></div>"),
        ] {
            let html = entry.replace("NUMBER", "one") + &entry.replace("NUMBER", "two");
            assert_eq!(audited("/a", &html), Outcome::NotApplicable, "{entry}");
            let single = audited("/a", &entry.replace("NUMBER", "one"));
            assert!(matches!(single, Outcome::Failed(_)), "{entry}");
            let own = audited("/a", &entry.replace("/NUMBER", "#x").repeat(2));
            assert!(matches!(own, Outcome::Failed(_)), "{entry}");
        }
        for path in ["/blog/", "/en/news.html", "/tips/page/2"] {
            assert_eq!(audited(path, "<p>x"), Outcome::NotApplicable, "{path}");
        }
        for path in ["/blog/a-day", "/page/about"] {
            assert!(
                matches!(audited(path, "<p>x"), Outcome::Failed(_)),
                "{path}"
            );
        }
    }

    #[test]
    fn screens_to_work_with_are_not_texts() {
        let buttons = |count: usize| "<button>Day</button>".repeat(count);
        assert_eq!(audited("/a", &buttons(3)), Outcome::NotApplicable);
        let roles = "<p>x<i role=button>a</i><i role=button>b</i><i role=button>c</i>";
        assert_eq!(audited("/a", roles), Outcome::NotApplicable);
        let few = format!("<p>x{}<nav>{}</nav>", buttons(2), buttons(9));
        assert!(matches!(audited("/a", &few), Outcome::Failed(_)));
    }

    #[test]
    fn a_place_that_a_script_fills_leaves_it_open() {
        let script = "<script src=app.js></script>";
        for place in [
            "<div id=map></div>",
            "<table><tbody></tbody></table>",
            "<ul id=list> </ul>",
        ] {
            let found = audited("/a", &format!("<p>x</p>{place}{script}"));
            assert!(matches!(found, Outcome::CannotTell(_)), "{place}");
            let found = audited("/a", &format!("<p>x</p>{place}"));
            assert!(matches!(found, Outcome::Failed(_)), "{place}");
        }
        for other in [
            "<div></div>",
            "<div id=a>b</div>",
            "<nav><div id=a></div></nav>",
        ] {
            let found = audited("/a", &format!("<p>x</p>{other}{script}"));
            assert!(matches!(found, Outcome::Failed(_)), "{other}");
        }
    }

    #[test]
    fn notes_on_a_release_are_not_applicable() {
        for (path, html) in [
            ("/a", "<h1>Version 1.2.3</h1><p>x"),
            ("/a", "<h1>Release notes</h1><p>x"),
            ("/news/v2.0.1-rc1", "<h1>x</h1>"),
            ("/releases/spring", "<h1>x</h1>"),
        ] {
            assert_eq!(audited(path, html), Outcome::NotApplicable, "{path} {html}");
        }
        for (path, html) in [
            ("/a", "<title>Guide – Lib 1.2.3</title><h1>Guide</h1><p>x"),
            ("/a", "<h1>Open from 9 to 5.</h1>"),
            ("/a.b", "<h1>Ferry 5.</h1>"),
        ] {
            assert!(
                matches!(audited(path, html), Outcome::Failed(_)),
                "{path} {html}"
            );
        }
    }

    #[test]
    fn error_and_maintenance_pages_are_not_applicable() {
        for (path, html) in [
            ("/a", "<title>500 | Shop</title><h1>500</h1><p>x"),
            ("/a", "<h1>Oops! Something went wrong</h1>"),
            ("/a", "<title>Access denied</title>x"),
            ("/errors/503.html", "<h1>x</h1>"),
            ("/maintenance", "<h1>x</h1>"),
        ] {
            assert_eq!(audited(path, html), Outcome::NotApplicable, "{path} {html}");
        }
        for html in [
            "<h1>How to find the error in your timetable and repair it</h1>",
            "<h1>Five hundred recipes</h1>",
            "<title>1500 berths</title><h1>Berths</h1>",
        ] {
            assert!(matches!(audited("/a", html), Outcome::Failed(_)), "{html}");
        }
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
