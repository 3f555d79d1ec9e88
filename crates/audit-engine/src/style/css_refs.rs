//! The resources that a style sheet loads: other sheets and fonts.

/// A reference in a style sheet, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CssRef<'a> {
    /// An imported style sheet.
    Sheet(&'a str),
    /// A font file of a `@font-face` rule.
    Font(&'a str),
}

/// The references of a style sheet in order, up to `most`. Images are left out because browsers
/// load only the images they paint (see `backgrounds`). In a truncated sheet, an unterminated URL is left out.
pub(crate) fn references(css: &str, most: usize, is_cut: bool) -> Vec<CssRef<'_>> {
    let mut scan = Scan {
        rest: css,
        is_cut,
        is_import: false,
        face: Face::None,
    };
    let mut found = Vec::new();
    while found.len() < most {
        match scan.step() {
            Step::End => break,
            Step::Found(reference) => found.push(reference),
            Step::Continue => {}
        }
    }
    found
}

#[derive(PartialEq, Eq)]
enum Face {
    None,
    Named,
    Open,
}

struct Scan<'a> {
    rest: &'a str,
    is_cut: bool,
    /// Whether an `@import` still needs its URL.
    is_import: bool,
    face: Face,
}

enum Step<'a> {
    Continue,
    Found(CssRef<'a>),
    End,
}

impl<'a> Scan<'a> {
    fn step(&mut self) -> Step<'a> {
        let special = |c: char| matches!(c, '/' | '"' | '\'' | '@' | '{' | '}' | ';' | 'u' | 'U');
        let Some(rest) = self.rest.find(special).and_then(|at| self.rest.get(at..)) else {
            return Step::End;
        };
        if let Some(comment) = rest.strip_prefix("/*") {
            self.rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
            return Step::Continue;
        }
        if let Some(quote @ ('"' | '\'')) = rest.chars().next() {
            let (text, rest) = quoted(rest, quote);
            if self.is_cut && rest.is_none() {
                return Step::End;
            }
            self.rest = rest.unwrap_or_default();
            return self.address(text, true);
        }
        if let Some(inner) = after_name(rest, "url(") {
            let inner = inner.trim_start();
            let (text, rest) = match inner.chars().next() {
                Some(quote @ ('"' | '\'')) => quoted(inner, quote),
                _ => inner
                    .split_once(')')
                    .map_or((inner, None), |(text, rest)| (text, Some(rest))),
            };
            if self.is_cut && rest.is_none() {
                return Step::End;
            }
            self.rest = rest.unwrap_or_default();
            return self.address(text.trim(), false);
        }
        if let Some(rest) = after_name(rest, "@import") {
            (self.rest, self.is_import) = (rest, true);
            return Step::Continue;
        }
        if let Some(rest) = after_name(rest, "@font-face") {
            (self.rest, self.face) = (rest, Face::Named);
            return Step::Continue;
        }
        match rest.chars().next() {
            Some('{') if self.face == Face::Named => self.face = Face::Open,
            Some('}') => self.face = Face::None,
            Some(';') => self.is_import = false,
            _ => {}
        }
        let mut chars = rest.chars();
        chars.next();
        self.rest = chars.as_str();
        Step::Continue
    }

    fn address(&mut self, text: &'a str, is_string: bool) -> Step<'a> {
        if text.is_empty() {
            return Step::Continue;
        }
        if std::mem::take(&mut self.is_import) {
            return Step::Found(CssRef::Sheet(text));
        }
        if self.face == Face::Open && !is_string {
            return Step::Found(CssRef::Font(text));
        }
        Step::Continue
    }
}

fn after_name<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(name.len())?;
    start.eq_ignore_ascii_case(name).then_some(rest)
}

/// The content of the string at the start of `text`, with escapes as written, and the text after
/// it; `None` for the rest if the string is unterminated.
fn quoted(text: &str, quote: char) -> (&str, Option<&str>) {
    let inner = text.strip_prefix(quote).unwrap_or(text);
    let mut is_escaped = false;
    for (at, c) in inner.char_indices() {
        if !is_escaped && (c == quote || c == '\n') {
            let rest = inner.get(at..).unwrap_or_default();
            return (
                inner.get(..at).unwrap_or_default(),
                Some(rest.strip_prefix(quote).unwrap_or(rest)),
            );
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    (inner, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_and_fonts_are_found() {
        let css = "@charset \"utf-8\";/* @import 'no.css' */@IMPORT 'a.css' screen;@import url(b.css);\
            @import url( \"c.css\" );body{background:url(no.png);content:'url(no)'}\
            @font-face{font-family:'No';src:url(f.woff2) format('woff2'),URL('g.woff')}";
        assert_eq!(
            references(css, 99, false),
            [
                CssRef::Sheet("a.css"),
                CssRef::Sheet("b.css"),
                CssRef::Sheet("c.css"),
                CssRef::Font("f.woff2"),
                CssRef::Font("g.woff"),
            ]
        );
        assert_eq!(references(css, 1, false).len(), 1);
    }

    #[test]
    fn unterminated_input_terminates() {
        for css in [
            "@import",
            "@import '",
            "url(",
            "/*",
            "@font-face{src:url('é",
            "'\\",
            "u",
            "\"\n@import 'a",
        ] {
            references(css, 99, false);
        }
    }

    #[test]
    fn an_unterminated_url_of_a_truncated_sheet_is_left_out() {
        for start in ["@import 'a;b", "@import url(a", "@import url( \"a"] {
            assert_eq!(references(start, 9, false).len(), 1, "{start}");
            assert_eq!(references(start, 9, true), [], "{start}");
        }
        assert_eq!(
            references("@import 'a';@import 'b'", 9, true),
            [CssRef::Sheet("a"), CssRef::Sheet("b")]
        );
    }
}
