//! Neutralizes workflow commands of GitHub's runner in output.
//!
//! The runner reads both streams of a job line by line. A line that starts with two colons, after optional white
//! space, is a command, and so are two number signs followed by a bracket anywhere in a line. The text of audited
//! pages is untrusted, so output that the runner may read must contain neither.

use std::borrow::Cow;

use crate::args::Format;

/// How a workflow command in a text is neutralized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Plain text and tables: a space is inserted.
    Words,
    /// JSON: one character is written as a `\u` escape, which does not change the value.
    Json,
    /// HTML and XML: one character is written as a character reference.
    Markup,
}

/// The form of a format; `None` for binary formats.
pub(crate) fn runner_form(format: Format) -> Option<Form> {
    match format {
        Format::Pdf => None,
        Format::Text => Some(Form::Words),
        Format::Export(format) => Some(match format.media_type() {
            json if json.ends_with("json") => Form::Json,
            markup if markup.starts_with("text/html") || markup.ends_with("xml") => Form::Markup,
            _ => Form::Words,
        }),
    }
}

impl Form {
    /// The replacement of the bracket.
    const fn bracket(self) -> &'static str {
        match self {
            Self::Words => " [",
            Self::Json => "\\u005b",
            Self::Markup => "&#91;",
        }
    }

    /// The replacement of the colon.
    const fn colon(self) -> &'static str {
        match self {
            Self::Words => " :",
            Self::Json => "\\u003a",
            Self::Markup => "&#58;",
        }
    }
}

/// Whether this process runs in a GitHub Actions job.
pub(crate) fn is_here() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// The text with all workflow commands neutralized.
pub(crate) fn neutral(text: &str, form: Form) -> Cow<'_, str> {
    if !text.contains([':', '#']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut line = Line::default();
    for c in text.chars() {
        match line.take(c) {
            Some(Taken::Bracket) => out.push_str(form.bracket()),
            Some(Taken::Colon) => out.push_str(form.colon()),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The character that would complete a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    Bracket,
    Colon,
}

/// The state of the scan of a line.
#[derive(Debug, Default)]
struct Line {
    /// Number signs right before.
    signs: usize,
    /// Whether the line has a character that is neither white space nor its first colon.
    is_begun: bool,
    /// Whether the first character of the line is a colon with nothing after it yet.
    has_colon: bool,
}

impl Line {
    fn take(&mut self, c: char) -> Option<Taken> {
        // The runner ends a line at either character.
        if matches!(c, '\n' | '\r') {
            *self = Self::default();
            return None;
        }
        // The runner ignores invisible characters when it compares.
        if is_unseen(c) {
            return None;
        }
        let taken = match c {
            '[' if self.signs > 1 => Some(Taken::Bracket),
            ':' if self.has_colon => Some(Taken::Colon),
            _ => None,
        };
        self.signs = if c == '#' { self.signs + 1 } else { 0 };
        if !c.is_whitespace() || self.has_colon {
            self.has_colon = c == ':' && !self.is_begun;
            self.is_begun = true;
        }
        taken
    }
}

/// Control characters and zero-width characters.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
                | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    #[rstest]
    #[case::lines(
        "a\n  ::stop-commands::x\n::error::y",
        "a\n  : :stop-commands::x\n: :error::y"
    )]
    #[case::anywhere(
        "z ##[set-env name=A]b ##[error]c",
        "z ## [set-env name=A]b ## [error]c"
    )]
    #[case::many_signs("###[error]x", "### [error]x")]
    #[case::other_line_ends("a\r::error::b\r\n::error::c", "a\r: :error::b\r\n: :error::c")]
    #[case::other_spaces("\u{a0}\u{2003}\t::error::x", "\u{a0}\u{2003}\t: :error::x")]
    #[case::unseen(
        "\u{feff}:\u{ad}:error::x #\u{200b}#\u{ad}[error]",
        "\u{feff}:\u{ad} :error::x #\u{200b}#\u{ad} [error]"
    )]
    #[case::three("::: x", ": :: x")]
    #[case::none(
        "a ::b # [c] #[d] ## e\n: :f\nCSS a::before",
        "a ::b # [c] #[d] ## e\n: :f\nCSS a::before"
    )]
    fn no_line_of_a_text_is_a_command(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(neutral(text, Form::Words), expected);
    }

    #[test]
    fn json_means_the_same() {
        let value = json!({ "##[error]a": ["::error::b", "c\n::d ##[e]", "\\##[f]", "\"##["] });
        for text in [value.to_string(), format!("{value:#}")] {
            let neutral = neutral(&text, Form::Json);
            assert!(!neutral.contains("##["), "{neutral}");
            assert_eq!(serde_json::from_str::<Value>(&neutral).unwrap(), value);
        }
    }

    #[test]
    fn markup_refers_to_the_characters() {
        assert_eq!(
            neutral("<p title=\"##[a]\">\n::error::b</p>", Form::Markup),
            "<p title=\"##&#91;a]\">\n:&#58;error::b</p>"
        );
    }
}
