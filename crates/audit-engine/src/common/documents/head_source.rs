//! Detects elements or text that close the head of a document early.
//!
//! The DOM does not show this: the parser closes the head at the first content that is not allowed in it, and
//! ignores the later `</head>`. This module therefore reads the source up to that end tag.

/// What closed the head before its end tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EarlyEnd {
    /// The element's name in lower case; `None` for text.
    pub(crate) element: Option<String>,
    /// The line it starts on, from 1.
    pub(crate) line: u32,
    /// The line of the end tag, or of the start tag of the body.
    pub(crate) end_line: u32,
}

/// Elements that the "in head" insertion mode keeps in the head (HTML Standard, tree construction).
const ALLOWED: [&str; 7] = [
    "html", "head", "base", "basefont", "bgsound", "link", "meta",
];

/// Elements of the head whose contents are not markup, or not the document's.
const OPAQUE: [&str; 6] = [
    "script", "style", "title", "noscript", "noframes", "template",
];

/// What closed the head early; `None` if the head ends at its end tag, or if the source has neither that
/// tag nor a `body` tag, so no end of the head is declared.
pub(crate) fn early_end(source: &str) -> Option<EarlyEnd> {
    let lower = source.to_ascii_lowercase();
    let mut rest = lower.as_str();
    let mut breaker: Option<(usize, Option<String>)> = None;
    loop {
        let (text, tag) = rest.split_once('<')?;
        let at = lower.len().saturating_sub(rest.len());
        if breaker.is_none() && text.contains(|c: char| !c.is_ascii_whitespace()) {
            breaker = Some((at + blank_prefix(text), None));
        }
        let at = at + text.len();
        match Tag::read(tag) {
            Tag::Comment(after) => rest = after?,
            Tag::End("head", _) | Tag::Start("body" | "frameset", _) => {
                let (position, element) = breaker?;
                return Some(EarlyEnd {
                    element,
                    line: line_at(&lower, position),
                    end_line: line_at(&lower, at),
                });
            }
            Tag::End(_, after) => rest = after,
            Tag::Start(name, after) if OPAQUE.contains(&name) => {
                rest = after.split_once(&format!("</{name}"))?.1;
                rest = rest.split_once('>')?.1;
            }
            Tag::Start(name, after) => {
                if breaker.is_none() && !ALLOWED.contains(&name) {
                    breaker = Some((at, Some(name.to_owned())));
                }
                rest = after;
            }
            Tag::Text => {
                breaker.get_or_insert((at, None));
                rest = tag;
            }
        }
    }
}

fn blank_prefix(text: &str) -> usize {
    text.len() - text.trim_ascii_start().len()
}

fn line_at(source: &str, position: usize) -> u32 {
    let before = source.as_bytes().get(..position).unwrap_or_default();
    let lines = before.split(|byte| *byte == b'\n').count();
    u32::try_from(lines).unwrap_or(u32::MAX)
}

/// The markup after a `<`, and the text after the markup.
enum Tag<'a> {
    Comment(Option<&'a str>),
    Start(&'a str, &'a str),
    End(&'a str, &'a str),
    Text,
}

impl<'a> Tag<'a> {
    fn read(text: &'a str) -> Self {
        if let Some(comment) = text.strip_prefix("!--") {
            return Self::Comment(comment.split_once("-->").map(|(_, after)| after));
        }
        if text.starts_with(['!', '?']) {
            return Self::Comment(text.split_once('>').map(|(_, after)| after));
        }
        let (end, text) = match text.strip_prefix('/') {
            Some(text) => (true, text),
            None => (false, text),
        };
        if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return if end {
                Self::Comment(text.split_once('>').map(|(_, after)| after))
            } else {
                Self::Text
            };
        }
        let name = text
            .split(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))
            .next()
            .unwrap_or_default();
        let after = behind_tag(text.strip_prefix(name).unwrap_or_default());
        if end {
            Self::End(name, after)
        } else {
            Self::Start(name, after)
        }
    }
}

/// The text after the `>` that ends the tag. A `>` in a quoted attribute value is ignored.
fn behind_tag(text: &str) -> &str {
    let (mut quote, mut after_equals) = (None, false);
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => continue,
            None if c == '>' => return text.split_at(at + 1).1,
            None if after_equals && matches!(c, '"' | '\'') => quote = Some(c),
            None => {}
        }
        after_equals = c == '=' || (after_equals && c.is_ascii_whitespace());
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaker(source: &str) -> Option<String> {
        early_end(source).map(|end| end.element.unwrap_or_else(|| "text".to_owned()))
    }

    #[test]
    fn a_valid_head_is_not_closed_early() {
        let head = "<!doctype html><html><head><meta charset=utf-8><title>a<b</title>\
            <script>if (a<b) document.write('<div>')</script><noscript><img></noscript>\
            <template><div></div></template><!-- <p> --><link rel=icon href='a>b'></head><body><p>";
        assert_eq!(breaker(head), None);
    }

    #[test]
    fn body_content_closes_the_head_early() {
        assert_eq!(breaker("<head><DIV></DIV></head>").as_deref(), Some("div"));
        assert_eq!(breaker("<head>\n; <link></head>").as_deref(), Some("text"));
        assert_eq!(breaker("<head><1></head>").as_deref(), Some("text"));
    }

    #[test]
    fn lines_are_those_of_the_content_and_the_end_tag() {
        let end = early_end("<head>\n<img>\n<meta>\n</head>");
        assert_eq!(end.map(|end| (end.line, end.end_line)), Some((2, 4)));
    }

    #[test]
    fn a_head_without_end_and_body_tags_is_not_closed_early() {
        assert_eq!(breaker("<title>x</title><p>y<link rel=canonical>"), None);
    }

    #[test]
    fn unfinished_markup_ends_the_search() {
        assert_eq!(breaker("<head><!-- "), None);
        assert_eq!(breaker("<head><p title='"), None);
    }
}
