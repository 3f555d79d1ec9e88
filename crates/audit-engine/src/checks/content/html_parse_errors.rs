//! The markup says what its author meant.

use crate::check::{Evidence, Outcome};
use crate::common::links::nested_links::{self, NestedLink};
use crate::declare_check;
use crate::dom::{ElementRef, NodeData};
use crate::gather::media_type;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The markup is parsed into the tree that it describes. The check reports what makes a browser
    /// build another one: elements that are not closed or closed in the wrong order, content of a
    /// table that is moved out of it, elements of the head that end up in the body, self-closing
    /// tags that HTML does not know, links inside links, attributes that are given twice, and a document that ends
    /// inside a comment, a tag or a script.
    ///
    /// ## Why it matters
    /// Browsers repair such markup by fixed rules, and the result is often not what its author
    /// meant: a link runs on to the end of the page, text of a table stands above it, styles apply
    /// to the wrong part. Search engines and assistants read the repaired page.
    ///
    /// ## How to fix it
    /// Go to the line given. Close every element before its parent is closed, in the reverse order
    /// of opening. Where a link starts inside another one, remove the outer link, or close it before
    /// the inner one with `</a>`. Write `<div></div>` and not `<div/>`. Put text of a table into
    /// `td`, `th` or `caption`. Give each attribute once. Do not put lists, tables or other blocks
    /// inside `p`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times</title><body><h1>Ferry times</h1><div><b>The next ferry <i>leaves</b> at noon.</i></div></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times</title><body><h1>Ferry times</h1><div><b>The next ferry <i>leaves</i></b><i> at noon.</i></div></body></html>
    /// ```
    ///
    /// ## Limits
    /// Errors that leave the tree as it is are not reported: end tags without a start tag, a missing
    /// doctype, characters that should be escaped. End tags that HTML allows to leave out, such as
    /// those of `p` and `li`, are no errors. At most 200 parse errors of a page are looked at.
    /// Documents sent as `application/xhtml+xml` are not judged.
    ///
    /// ## References
    /// - HTML Living Standard, section 13.2.2 Parse errors
    /// - HTML Living Standard, section 13.2.10 An introduction to error handling and strange cases in the parser
    HTML_PARSE_ERRORS {
        id: "html-parse-errors",
        title: "Markup that browsers have to repair",
        dimension: Content,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Lines beyond this come from a program that writes all markup on one line.
const LONG_LINE_BYTES: usize = 1_000;

/// What is wrong with the markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Unclosed,
    Misnested,
    NestedLink,
    MovedOutOfTable,
    ParagraphEnd,
    SelfClosing,
    EndsEarly,
    HeadInBody,
    DuplicateAttribute,
}

impl Fault {
    /// The fault behind a message of the parser; none where the message leaves the tree unchanged,
    /// or does not tell.
    fn of(message: &str) -> Option<Self> {
        Some(match message {
            "Unexpected open element"
            | "Unexpected open tag at end of body"
            | "Bad open element on </form>"
            | "Closing wrong heading tag"
            | "expected to close <td> or <th> with cell" => Self::Unclosed,
            "Formatting element not current node"
            | "nested heading tags"
            | "nested forms"
            | "nested buttons"
            | "Nested <nobr>" => Self::Misnested,
            "Non-space table text" | "Unexpected characters in table" => Self::MovedOutOfTable,
            "No <p> tag to close" => Self::ParagraphEnd,
            "Unacknowledged self-closing tag" => Self::SelfClosing,
            _ if message.starts_with("Saw EOF in state") => Self::EndsEarly,
            _ => return None,
        })
    }

    const fn key(self) -> &'static str {
        match self {
            Self::Unclosed => "unclosed",
            Self::Misnested => "misnested",
            Self::NestedLink => "nested-link",
            Self::MovedOutOfTable => "moved-out-of-table",
            Self::ParagraphEnd => "paragraph-end",
            Self::SelfClosing => "self-closing",
            Self::EndsEarly => "ends-early",
            Self::HeadInBody => "head-in-body",
            Self::DuplicateAttribute => "duplicate-attribute",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Unclosed => "Elements that are not closed",
            Self::Misnested => "Elements that overlap or stand where they may not",
            Self::NestedLink => "Links inside links",
            Self::MovedOutOfTable => "Content of tables outside their cells",
            Self::ParagraphEnd => "End tags of paragraphs that were closed before",
            Self::SelfClosing => "Self-closing tags that do not close",
            Self::EndsEarly => "Documents that end inside a tag, a comment or a script",
            Self::HeadInBody => "Elements of the head in the body",
            Self::DuplicateAttribute => "Attributes that are given twice",
        }
    }

    const fn message(self) -> &'static str {
        match self {
            Self::Unclosed => "An element is still open where the element around it ends.",
            Self::Misnested => {
                "An end tag on this line belongs to an element that began before another one that is still open, or a heading, form or button starts inside another one."
            }
            Self::NestedLink => {
                "A link starts inside another link; browsers end the outer one there."
            }
            Self::MovedOutOfTable => {
                "Content stands in a table but in none of its cells; browsers move it before the table."
            }
            Self::ParagraphEnd => {
                "No paragraph is open at this </p>, so browsers insert an empty one."
            }
            Self::SelfClosing => {
                "The tag ends in /> but HTML ignores that, so the element stays open."
            }
            Self::EndsEarly => "The document ends inside a tag, a comment or a script.",
            Self::HeadInBody => {
                "This element belongs into the head, but the head was closed before it."
            }
            Self::DuplicateAttribute => {
                "The tag gives an attribute twice; all but the first are ignored."
            }
        }
    }

    fn evidence(self, evidence: Evidence) -> Evidence {
        evidence
            .cause(self.key(), self.title())
            .message(self.message())
    }

    /// Whether a document that was cut off has this fault through the cut alone.
    const fn comes_from_a_cut(self) -> bool {
        matches!(self, Self::Unclosed | Self::EndsEarly)
    }
}

fn evaluate(page: &Page) -> Outcome {
    // Browsers read it as XML, by other rules.
    if media_type(page.headers().get("content-type")) == "application/xhtml+xml" {
        return Outcome::NotApplicable;
    }
    let cut = page.document().truncated || page.dom().truncated();
    let mut failures = reported(page, cut);
    failures.extend(found_in_tree(page, cut));
    let all_seen = usize::try_from(page.dom().error_count())
        .is_ok_and(|count| count == page.dom().errors().len());
    if failures.is_empty() && cut {
        return Outcome::CannotTell("Only the beginning of the page was read.");
    }
    if failures.is_empty() && !all_seen {
        return Outcome::CannotTell("The page has more parse errors than are looked at.");
    }
    Outcome::from_failures(failures.into())
}

/// What the parser said.
fn reported(page: &Page, cut: bool) -> Vec<Evidence> {
    let nested = nested_links::of(page);
    let mut lines = page.source().lines();
    let mut number = 0_u32;
    let mut line = "";
    let mut found = Vec::new();
    for error in page.dom().errors() {
        while number < error.line {
            line = lines.next().unwrap_or_default();
            number += 1;
        }
        let fault = Fault::of(&error.message)
            .filter(|fault| !(cut && fault.comes_from_a_cut()))
            .filter(|fault| *fault != Fault::SelfClosing || self_closing_matters(line))
            .filter(|fault| *fault != Fault::Misnested || !has_nested_link(&nested, error.line));
        if let Some(fault) = fault {
            found.push(fault.evidence(at_line(error.line, line)));
        }
    }
    found.extend(nested_link_findings(page, &nested));
    found
}

/// A link that ends another one closes what was opened in between out of order.
fn has_nested_link(nested: &[NestedLink], line: u32) -> bool {
    nested
        .binary_search_by_key(&line, |link| link.inner_line)
        .is_ok()
}

fn nested_link_findings(page: &Page, nested: &[NestedLink]) -> Vec<Evidence> {
    let mut lines = (1_u32..).zip(page.source().lines()).peekable();
    let mut found = Vec::new();
    for link in nested.iter().take(200) {
        while lines
            .peek()
            .is_some_and(|(number, _)| *number < link.inner_line)
        {
            lines.next();
        }
        let line = lines.peek().map_or("", |(_, line)| *line);
        let evidence = Fault::NestedLink.evidence(at_line(link.inner_line, line));
        found.push(match link.outer_href {
            Some(_) => evidence,
            None => evidence.message(format!(
                "A link starts inside an anchor that is still open since line {}; browsers end the anchor there.",
                link.outer_line
            )),
        });
    }
    found
}

/// A place in the source. The beginning of a very long line shows nothing of what is wrong in it.
fn at_line(number: u32, line: &str) -> Evidence {
    let mut evidence = Evidence::line(number, line.trim());
    if line.len() > LONG_LINE_BYTES {
        evidence.snippet = None;
    }
    evidence
}

/// Whether a line has a self-closing tag whose element then swallows what follows. An element
/// whose end tag may be left out ends where its next sibling begins.
fn self_closing_matters(line: &str) -> bool {
    const END_TAG_OPTIONAL: [&str; 12] = [
        "p", "li", "dt", "dd", "td", "th", "tr", "option", "tbody", "thead", "tfoot", "body",
    ];
    if line.len() > LONG_LINE_BYTES {
        return true;
    }
    let mut names = line
        .rsplit("/>")
        .skip(1)
        .filter_map(|before| before.rsplit_once('<'))
        .map(|(_, tag)| tag.split(|c: char| !c.is_ascii_alphanumeric()).next())
        .map(|name| name.unwrap_or_default().to_ascii_lowercase())
        .filter(|name| !is_void(name))
        .peekable();
    names.peek().is_none() || names.any(|name| !END_TAG_OPTIONAL.contains(&name.as_str()))
}

fn is_void(name: &str) -> bool {
    const VOID: [&str; 16] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr", "param", "frame", "keygen",
    ];
    VOID.contains(&name)
}

/// What the parser calls unexpected without saying of what kind, told by its traces in the tree.
fn found_in_tree(page: &Page, cut: bool) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = moved_elements(page)
        .map(|element| (Fault::MovedOutOfTable, element))
        .chain(head_elements_in_body(page).map(|element| (Fault::HeadInBody, element)))
        .chain(never_closed(page, cut).map(|element| (Fault::EndsEarly, element)))
        .map(|(fault, element)| fault.evidence(Evidence::node(element)))
        .collect();
    found.extend(duplicate_attributes(page));
    found
}

/// Elements that stand before a table although they came after its start tag.
fn moved_elements(page: &Page) -> impl Iterator<Item = ElementRef<'_>> {
    let dom = page.dom();
    page.html("table").flat_map(move |table| {
        std::iter::successors(dom.previous_sibling(table.id()), |id| {
            dom.previous_sibling(*id)
        })
        .take_while(move |id| *id > table.id())
        .filter_map(|id| dom.element(id))
    })
}

fn head_elements_in_body(page: &Page) -> impl Iterator<Item = ElementRef<'_>> {
    let titles = page.html("title").chain(page.html("base"));
    titles.filter(|element| element.closest("body").is_some())
}

/// The last element, when its text runs to the end of the document for want of an end tag.
fn never_closed(page: &Page, cut: bool) -> impl Iterator<Item = ElementRef<'_>> {
    const RAW_TEXT: [&str; 8] = [
        "script", "style", "textarea", "title", "iframe", "noscript", "xmp", "noframes",
    ];
    let last = page.elements().last();
    last.filter(|element| !cut && element.is_html() && RAW_TEXT.contains(&element.name()))
        .filter(|element| element.children().next().is_none())
        .filter(|element| !has_end_tag_after_start_tag(page.source(), element.name()))
        .into_iter()
}

fn has_end_tag_after_start_tag(source: &str, name: &str) -> bool {
    let lower = source.to_ascii_lowercase();
    let end = lower.rfind(&format!("</{name}"));
    let start = lower.rfind(&format!("<{name}"));
    end.is_some_and(|end| start.is_none_or(|start| end > start))
}

/// One finding for each start tag; the parser's copies of an element repeat it.
fn duplicate_attributes(page: &Page) -> Vec<Evidence> {
    let mut seen = std::collections::HashSet::new();
    page.dom()
        .elements_with_duplicate_attributes()
        .filter(|element| seen.insert(start_tag(*element)))
        .take(200)
        .map(|element| Fault::DuplicateAttribute.evidence(Evidence::node(element)))
        .collect()
}

fn start_tag(element: ElementRef<'_>) -> String {
    let text = element
        .dom()
        .children(element.id())
        .find_map(|id| match element.dom().data(id) {
            Some(NodeData::Text(text)) => Some(text.chars().take(20).collect::<String>()),
            _ => None,
        });
    format!(
        "{} {:?} {}",
        element.name(),
        element.attrs().map(|attr| attr.value).collect::<Vec<_>>(),
        text.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome};

    fn page(body: &str) -> String {
        format!(
            "<!doctype html>\n<html><head><title>T</title></head>\n<body>\n{body}\n</body></html>"
        )
    }

    #[track_caller]
    fn passes(body: &str) {
        assert_passes(&HTML_PARSE_ERRORS, &page(body));
    }

    #[track_caller]
    fn fails(body: &str, key: &str) {
        match outcome(&HTML_PARSE_ERRORS, &page(body)) {
            Outcome::Failed(evidence) => {
                let keys: Vec<_> = evidence
                    .iter()
                    .filter_map(|evidence| Some(evidence.cause.as_ref()?.key.as_str()))
                    .collect();
                assert!(keys.contains(&key), "{body}: {evidence:#?}");
            }
            other => panic!("{body}: {other:?}"),
        }
    }

    #[test]
    fn optional_end_tags_are_no_errors() {
        passes("<p>a<p>b<ul><li>a<li>b</ul><dl><dt>a<dd>b<dt>c<dd>d</dl>");
        passes("<table><thead><tr><th>a<th>b<tbody><tr><td>c<td>d<tr><td>e<td>f</table>");
        passes("<select><option>a<option>b</select><table><colgroup><col><col><tr><td>x</table>");
        passes("<select><optgroup label=a><option>a<optgroup label=b><option>b</select>");
    }

    #[test]
    fn old_markup_that_is_valid_passes() {
        passes(
            "<center><font size=2><b>a</b></font></center><a name=top></a><h1>b</h1><hr noshade><br>",
        );
        passes("<table border=1><tr><td align=left><p>a<p>b</td></tr></table>");
    }

    #[test]
    fn a_missing_doctype_and_an_implied_body_pass() {
        assert_passes(&HTML_PARSE_ERRORS, "<title>x</title><p>y");
    }

    #[test]
    fn void_elements_may_be_written_as_in_xml() {
        assert_passes(
            &HTML_PARSE_ERRORS,
            "<!doctype html><html><head><meta charset=\"utf-8\" /><base href=\"/\" /><link rel=\"stylesheet\" href=\"a\" /></head><body><br /><hr/><img src=\"a\" /><input type=\"text\" /><embed src=a /><table><colgroup><col /></colgroup><tr><td>x</td></tr></table><svg><path d=\"M0\"/></svg></body></html>",
        );
    }

    #[test]
    fn a_document_that_browsers_read_as_xml_is_not_applicable() {
        let page = Page::builder()
            .header("Content-Type", "application/xhtml+xml; charset=utf-8")
            .html("<html><body><a id='x'/>text</body></html>");
        let outcome = crate::check::testing::judge(&HTML_PARSE_ERRORS, &page);
        assert_eq!(outcome, Outcome::NotApplicable);
    }

    #[test]
    fn misnested_formatting_fails() {
        fails("<p><b>a<i>b</b>c</i></p>", "misnested");
    }

    #[test]
    fn a_link_inside_a_link_is_named_as_such() {
        let html = page("<p><a href=x><em>a <a href=y>b</a></em></a>");
        let Outcome::Failed(evidence) = outcome(&HTML_PARSE_ERRORS, &html) else {
            panic!("passed");
        };
        assert_eq!(evidence.len(), 1, "{evidence:#?}");
        assert!(
            evidence[0]
                .message
                .starts_with("A link starts inside another link")
        );
        assert_eq!(evidence[0].line, Some(4));
        fails("<div><a href=x><a href=y>b</a></a></div>", "nested-link");
        passes("<a href=x>a</a> <a href=y>b</a>");
    }

    #[test]
    fn an_element_left_open_fails() {
        fails("<div><span>a</div>", "unclosed");
        fails("<div><div>a</div>", "unclosed");
        fails("<table><tr><td><font>a</td></tr></table>", "unclosed");
        fails("<h2>a</h3>", "unclosed");
    }

    #[test]
    fn a_link_left_open_in_its_heading_fails() {
        fails("<h2><a name=x>Title</h2><p>text", "unclosed");
    }

    #[test]
    fn content_between_rows_fails() {
        fails(
            "<table><tr><td>a</td></tr>stray<tr><td>b</td></tr></table>",
            "moved-out-of-table",
        );
        fails(
            "<table><div>stray</div><tr><td>b</td></tr></table>",
            "moved-out-of-table",
        );
    }

    #[test]
    fn a_hidden_field_between_rows_stays_there() {
        passes("<table><input type=hidden name=a><tr><td>b</td></tr></table>");
    }

    #[test]
    fn a_paragraph_around_a_list_fails() {
        fails("<p>a<ul><li>b</ul></p>", "paragraph-end");
    }

    #[test]
    fn a_self_closing_div_fails_and_a_paragraph_does_not() {
        fails("<div/><p>a</p>", "self-closing");
        fails("<a name='x'/>text", "self-closing");
        passes("a<p/>b");
    }

    #[test]
    fn stray_end_tags_leave_the_tree_as_it_is() {
        passes("<div>a</span></div></div><p>b");
    }

    #[test]
    fn content_behind_the_body_is_still_in_it() {
        assert_passes(
            &HTML_PARSE_ERRORS,
            "<!doctype html><html><head><title>a</title></head><body>b</body></html><script>c</script><!-- d -->",
        );
    }

    #[test]
    fn a_repeated_attribute_fails_once_for_its_tag() {
        assert_fails(&HTML_PARSE_ERRORS, &page("<img src=a alt=b alt=c><p>d"), 1);
        assert_fails(
            &HTML_PARSE_ERRORS,
            &page("<p><b class=a class=b>x</b></p>"),
            1,
        );
    }

    #[test]
    fn a_document_that_ends_in_a_comment_or_script_fails() {
        let html = "<!doctype html><title>a</title><p>b<!-- c";
        assert_fails(&HTML_PARSE_ERRORS, html, 1);
        let html = "<!doctype html><title>a</title><p>b<iframe src=x><p>lost";
        assert_fails(&HTML_PARSE_ERRORS, html, 1);
        let html = "<!doctype html><title>a</title><p>b<script>f()</script>";
        assert_passes(&HTML_PARSE_ERRORS, html);
    }

    #[test]
    fn a_title_behind_the_head_fails() {
        let html =
            "<!doctype html><html><head><div></div><title>a</title></head><body>b</body></html>";
        assert_fails(&HTML_PARSE_ERRORS, html, 1);
    }

    #[test]
    fn the_title_of_an_image_is_in_its_place() {
        passes("<svg><title>Icon</title></svg>");
    }

    #[test]
    fn markup_in_code_is_not_markup() {
        passes("<pre>&lt;div&gt;&lt;span&gt;</pre><textarea><div></textarea>");
    }

    #[test]
    fn evidence_names_the_line() {
        let Outcome::Failed(evidence) = outcome(&HTML_PARSE_ERRORS, &page("<div><span>a</div>"))
        else {
            panic!("passed");
        };
        assert_eq!(evidence[0].line, Some(4));
        assert_eq!(evidence[0].snippet.as_deref(), Some("<div><span>a</div>"));
    }
}
