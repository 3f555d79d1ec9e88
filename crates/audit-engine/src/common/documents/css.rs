//! Finds the rules of style sheets.

/// A `@font-face` rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FontFace {
    /// The family, without quotes.
    pub(crate) family: String,
    /// The value of `font-display` in lower case.
    pub(crate) display: Option<String>,
    /// Whether it loads a file.
    pub(crate) loads: bool,
    /// The addresses of its files as written.
    pub(crate) sources: Vec<String>,
    /// The line of the rule, from 1.
    pub(crate) line: u32,
}

/// A style rule with its place in UTF-16 code units, from its selector to its closing brace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StyleRule<'a> {
    /// The selector in lower case, without comments and without the contents of strings.
    pub(crate) selector: &'a str,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Calls for each style rule that is in no at-rule but `@layer`, in order. A rule that is not closed is left out.
pub(crate) fn for_each_style_rule(css: &str, mut each: impl FnMut(StyleRule<'_>)) {
    let masked = mask(css);
    let mut units = Units {
        css,
        bytes: 0,
        units: 0,
    };
    // Where the part began that ends with the next brace or semicolon, and how many blocks are open.
    let (mut begin, mut depth) = (0, 0_usize);
    // The outermost rule that is open: where its selector begins and ends; none for an at-rule.
    let mut open: Option<Option<(usize, usize)>> = None;
    for (at, c) in masked
        .char_indices()
        .filter(|(_, c)| matches!(c, '{' | '}' | ';'))
    {
        match c {
            '{' if open.is_some() => depth += 1,
            '{' => {
                let written = masked.get(begin..at).unwrap_or_default();
                let selector = written.trim_start();
                if !is_layer(selector) {
                    let start = at - selector.len();
                    open = Some((!selector.starts_with('@')).then_some((start, at)));
                }
            }
            '}' if depth > 0 => depth -= 1,
            '}' => {
                // Otherwise it ends an at-rule.
                if let Some(Some((start, end))) = open.take() {
                    each(StyleRule {
                        selector: masked.get(start..end).unwrap_or_default(),
                        start: units.at(start),
                        end: units.at(at + 1),
                    });
                }
            }
            _ => {}
        }
        if open.is_none() {
            begin = at + 1;
        }
    }
}

/// Whether an at-rule only sorts the rules in it.
fn is_layer(prelude: &str) -> bool {
    let name = prelude.strip_prefix("@layer");
    name.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
}

/// Counts UTF-16 code units up to places that grow.
struct Units<'a> {
    css: &'a str,
    bytes: usize,
    units: u32,
}

impl Units<'_> {
    fn at(&mut self, byte: usize) -> u32 {
        let passed = self.css.get(self.bytes..byte).unwrap_or_default();
        let units = u32::try_from(passed.encode_utf16().count()).unwrap_or(u32::MAX);
        self.units = self.units.saturating_add(units);
        self.bytes = self.bytes.max(byte);
        self.units
    }
}

/// The font faces of a style sheet in order.
pub(crate) fn font_faces(css: &str) -> Vec<FontFace> {
    let masked = mask(css);
    let mut faces = Vec::new();
    let mut line = 1_u32;
    let mut counted = 0;
    for (at, name) in masked.match_indices("@font-face") {
        let passed = masked.get(counted..at).unwrap_or_default();
        line = line.saturating_add(u32::try_from(passed.matches('\n').count()).unwrap_or(0));
        counted = at;
        let body = masked.get(at + name.len()..).and_then(|rest| {
            let rest = rest.trim_start().strip_prefix('{')?;
            rest.split_once('}').map(|(body, _)| body)
        });
        let Some(body) = body else {
            continue;
        };
        faces.push(face(css, &masked, body, line));
    }
    faces
}

fn face(css: &str, masked: &str, body: &str, line: u32) -> FontFace {
    let start = body.as_ptr().addr().saturating_sub(masked.as_ptr().addr());
    let mut face = FontFace {
        family: String::new(),
        display: None,
        loads: false,
        sources: Vec::new(),
        line,
    };
    let mut offset = start;
    for declaration in body.split(';') {
        let end = offset + declaration.len();
        let written = css.get(offset..end).unwrap_or_default();
        offset = end + 1;
        let Some((property, value)) = declaration.split_once(':') else {
            continue;
        };
        match property.trim() {
            "font-display" => face.display = Some(value.trim().to_owned()),
            "src" => {
                face.loads |= value.contains("url(");
                face.sources.extend(addresses(declaration, written));
            }
            "font-family" => face.family = family(written),
            _ => {}
        }
    }
    face
}

/// The addresses in `url(…)` of a declaration, found in its masked form.
fn addresses<'a>(masked: &'a str, written: &'a str) -> impl Iterator<Item = String> + 'a {
    const URL: &str = "url(";
    masked.match_indices(URL).filter_map(|(at, _)| {
        let begin = at + URL.len();
        let end = begin + masked.get(begin..)?.find(')')?;
        let address = written.get(begin..end)?.trim().trim_matches(['"', '\'']);
        Some(address.to_owned())
    })
}

fn family(declaration: &str) -> String {
    let value = declaration.split_once(':').map_or("", |(_, value)| value);
    value
        .trim()
        .trim_matches(['"', '\''])
        .chars()
        .take(80)
        .collect()
}

/// The style sheet in lower case and with unchanged length. Comments become spaces, and the contents of
/// strings and `url(…)` become `x`, so their braces and semicolons are ignored.
fn mask(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut chars = css.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'*') => {
                out.push(' ');
                mask_comment(&mut chars, &mut out);
            }
            '"' | '\'' => {
                out.push(c);
                mask_until(c, &mut chars, &mut out);
            }
            '(' if out.ends_with("url") && !has_quoted_address(&chars) => {
                out.push(c);
                mask_until(')', &mut chars, &mut out);
            }
            _ => out.push(c.to_ascii_lowercase()),
        }
    }
    out
}

/// Whether the address of `url(` is a string, which may contain a closing parenthesis.
fn has_quoted_address(chars: &Chars<'_>) -> bool {
    let first = chars.clone().find(|c| !c.is_ascii_whitespace());
    matches!(first, Some('"' | '\''))
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn mask_comment(chars: &mut Chars<'_>, out: &mut String) {
    let mut star = false;
    // The `*` of `/*` cannot also be the `*` of `*/`.
    if let Some(open) = chars.next() {
        push_mask(open, ' ', out);
    }
    for c in chars.by_ref() {
        push_mask(c, ' ', out);
        if star && c == '/' {
            return;
        }
        star = c == '*';
    }
}

/// Masks up to `end`. A string also ends at the end of its line (CSS Syntax, "consume a string token").
fn mask_until(end: char, chars: &mut Chars<'_>, out: &mut String) {
    while let Some(c) = chars.next() {
        if c == end || (c == '\n' && end != ')') {
            out.push(c);
            return;
        }
        push_mask(c, 'x', out);
        if c == '\\'
            && let Some(escaped) = chars.next()
        {
            push_mask(escaped, 'x', out);
        }
    }
}

fn push_mask(c: char, mask: char, out: &mut String) {
    if c == '\n' {
        out.push(c);
    } else {
        out.extend(std::iter::repeat_n(mask, c.len_utf8()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn font_faces_are_found_with_their_line() {
        let css = "a{}\n@FONT-FACE{font-family: \"Inter; x\"; src: url(data:font/woff2;base64,AA}A) format('woff2'); Font-Display: SWAP}\n@font-face {\n font-family:B;src:local('B')}";
        let faces = font_faces(css);
        assert_eq!(faces.len(), 2);
        assert_eq!(faces[0].family, "Inter; x");
        assert_eq!(faces[0].display.as_deref(), Some("swap"));
        assert!(faces[0].loads && !faces[1].loads);
        assert_eq!((faces[0].line, faces[1].line), (2, 3));
    }

    #[test]
    fn a_parenthesis_in_a_quoted_address_does_not_end_it() {
        for address in [
            "\"a(1).png\"",
            "'a).png'",
            "\n \"data:image/svg+xml,<g fill='url(#a)'/>\" ",
            "'\\').png'",
            "a\\).png",
        ] {
            let css = format!(
                "a{{background:url({address})}}@font-face{{src:url( 'b).woff' );font-family:B}}"
            );
            let faces = font_faces(&css);
            assert_eq!(faces.len(), 1, "{css}");
            assert!(faces[0].loads, "{css}");
            assert_eq!(faces[0].family, "B", "{css}");
            assert_eq!(faces[0].sources, ["b).woff"], "{css}");
        }
    }

    #[test]
    fn font_faces_in_comments_and_strings_are_ignored() {
        let css =
            "/* @font-face { src: url(a) } */ a::before { content: '@font-face{src:url(a)}' }";
        assert!(font_faces(css).is_empty());
    }

    #[test]
    fn a_comment_inside_a_rule_does_not_end_it() {
        let css = "@font-face{/*}*/src:url(é.woff);font-family:Zoë}";
        let faces = font_faces(css);
        assert_eq!(faces[0].family, "Zoë");
        assert!(faces[0].loads);
    }

    #[test]
    fn masking_keeps_the_length() {
        for css in [
            "a{content:'é\\'x'}/* ü */b{}",
            "/*",
            "\"a\nb",
            "url(",
            "/*/",
        ] {
            assert_eq!(mask(css).len(), css.len(), "{css}");
        }
    }
}
