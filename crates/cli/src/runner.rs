//! GitHub's runner, which reads what a job prints and takes some of it for commands.
//!
//! It reads both streams line by line: a line that begins with two colons behind white space is a command, and
//! so are two number signs with a bracket behind them anywhere in a line. Audited pages choose their own words,
//! so what is printed where the runner may read it is written such that it finds neither.

use std::borrow::Cow;

use crate::args::Format;

/// How a command in a text is taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Words, for people or for language models, and tables: a space parts it.
    Words,
    /// JSON: a character of it is written by its number, which means the same.
    Json,
    /// HTML and XML: the same as a reference to the character.
    Markup,
}

/// How commands are taken apart in a format; none for what is no text.
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
    /// A bracket that ends no command.
    const fn bracket(self) -> &'static str {
        match self {
            Self::Words => " [",
            Self::Json => "\\u005b",
            Self::Markup => "&#91;",
        }
    }

    /// A colon that begins no command.
    const fn colon(self) -> &'static str {
        match self {
            Self::Words => " :",
            Self::Json => "\\u003a",
            Self::Markup => "&#58;",
        }
    }
}

/// Whether this process is a part of a job.
pub(crate) fn is_here() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// The text without anything that the runner takes for a command.
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

/// The character with which a command would be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    Bracket,
    Colon,
}

/// What was read of a line.
#[derive(Debug, Default)]
struct Line {
    /// Number signs right before.
    signs: usize,
    /// Whether something stands in the line that is neither white space nor its first colon.
    is_begun: bool,
    /// Whether its first character is a colon, and nothing is behind it.
    has_colon: bool,
}

impl Line {
    fn take(&mut self, c: char) -> Option<Taken> {
        // The runner ends a line at either of them.
        if matches!(c, '\n' | '\r') {
            *self = Self::default();
            return None;
        }
        // It compares as people read: what is not seen may stand between.
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

/// Controls, and characters without a width.
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
