//! Nested links: `a` elements that start inside another `a` element.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::view::Page;

/// A start tag of `a` inside an open `a`. The parser makes the two siblings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NestedLink {
    /// Line of the open element.
    pub(crate) outer_line: u32,
    /// `href` of the open element; `None` for an anchor without `href`.
    pub(crate) outer_href: Option<String>,
    /// Line of the start tag inside it.
    pub(crate) inner_line: u32,
}

/// The nested links of a page, in source order. The function reads the tags of the source and reports only
/// lines with a parse error, as far as the parser kept its errors. It reports none for a page that the parser
/// did not read to its end, because the limit that stopped the parser could be exceeded here too.
pub(crate) fn find_all(page: &Page) -> Vec<NestedLink> {
    if page.dom().cut_by().is_some() {
        return Vec::new();
    }
    let errors = page.dom().errors();
    let lines: HashSet<u32> = errors
        .iter()
        .filter(|error| error.message == "Unexpected token")
        .map(|error| error.line)
        .collect();
    if lines.is_empty() {
        return Vec::new();
    }
    // The parser keeps only the first errors.
    let all_kept = usize::try_from(page.dom().error_count()).is_ok_and(|n| n == errors.len());
    let last_kept = errors.last().map_or(0, |error| error.line);
    let mut found = in_source(page.source());
    found.retain(|link| {
        lines.contains(&link.inner_line) || (!all_kept && link.inner_line >= last_kept)
    });
    found
}

fn in_source(source: &str) -> Vec<NestedLink> {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(source));
    let tokenizer = Tokenizer::new(Links::default(), TokenizerOpts::default());
    // The sink never pauses the tokenizer, so one call reads the whole input.
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.found.into_inner()
}

/// Tracks open `a` elements.
#[derive(Default)]
struct Links {
    open: RefCell<Option<(u32, Option<String>)>>,
    foreign_depth: Cell<usize>,
    found: RefCell<Vec<NestedLink>>,
}

impl TokenSink for Links {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => self.read(&tag, u32::try_from(line).unwrap_or(u32::MAX)),
            _ => TokenSinkResult::Continue,
        }
    }
}

impl Links {
    fn read(&self, tag: &Tag, line: u32) -> TokenSinkResult<()> {
        let starts = tag.kind == TagKind::StartTag;
        match &*tag.name {
            "svg" | "math" if starts && !tag.self_closing => {
                self.foreign_depth.set(self.foreign_depth.get() + 1);
            }
            "svg" | "math" if !starts => {
                self.foreign_depth
                    .set(self.foreign_depth.get().saturating_sub(1));
            }
            // Links inside SVG and MathML may be nested in links of the page.
            _ if self.foreign_depth.get() > 0 => {}
            "a" if starts => self.start(tag, line),
            "a" => *self.open.borrow_mut() = None,
            // A link inside these elements does not close a link outside them.
            "td" | "th" | "caption" | "object" | "marquee" | "applet" | "template" => {
                *self.open.borrow_mut() = None;
            }
            name if starts => return content_of(name),
            _ => {}
        }
        TokenSinkResult::Continue
    }

    fn start(&self, tag: &Tag, line: u32) {
        let href = tag
            .attrs
            .iter()
            .find(|attribute| &*attribute.name.local == "href")
            .map(|attribute| attribute.value.to_string());
        let outer = self.open.borrow_mut().replace((line, href));
        if let Some((outer_line, outer_href)) = outer {
            self.found.borrow_mut().push(NestedLink {
                outer_line,
                outer_href,
                inner_line: line,
            });
        }
    }
}

/// The tokenizer state for the contents of an element.
fn content_of(name: &str) -> TokenSinkResult<()> {
    match name {
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => {
            TokenSinkResult::RawData(RawKind::Rawtext)
        }
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "plaintext" => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::MAX_ATTRIBUTES;

    fn lines(html: &str) -> Vec<(u32, u32)> {
        let found = find_all(&Page::builder().html(html));
        let lines = found.iter().map(|link| (link.outer_line, link.inner_line));
        lines.collect()
    }

    #[test]
    fn a_link_inside_a_link_is_found() {
        assert_eq!(lines("<p>\n<a href=x>\n<a href=y>b</a></a>"), [(2, 3)]);
        assert_eq!(
            lines("<a href=x><a href=y><a href=z>b</a>"),
            [(1, 1), (1, 1)]
        );
        assert_eq!(lines("<h2><a name=x>b</h2>\n<p><a href=y>c</a>"), [(1, 2)]);
    }

    #[test]
    fn links_after_the_last_kept_error_are_found() {
        let html = "<p>\n<a href=x><em><a href=y>b</a></em></a>".repeat(300);
        assert_eq!(lines(&html).len(), 300);
    }

    #[test]
    fn pages_that_exceed_a_parser_limit_report_no_nested_links() {
        let names: String = (0..MAX_ATTRIBUTES + 2).map(|n| format!(" n{n}")).collect();
        let html = |names| format!("<a href=x>\n<a href=y>b</a></a></b><b{names}>");
        assert_eq!(lines(&html(names.as_str())), []);
        assert_eq!(lines(&html("")), [(1, 2)]);
    }

    #[test]
    fn consecutive_links_are_not_nested() {
        for html in [
            "<a href=x>a</a><a href=y>b</a>",
            "<a href=x>a</a></b></i><a href=y>b</a></td>",
            "<script>'<a><a>'</script></td><textarea><a><a></textarea>",
            "<a title='<a>' href=x>a</a></td><!-- <a><a> -->",
            "<a href=x><svg><a href=y></a></svg></a></td>",
            "<a href=x><table><tr><td><a href=y>b</a></table></a>",
        ] {
            assert_eq!(lines(html), [], "{html}");
        }
    }
}
