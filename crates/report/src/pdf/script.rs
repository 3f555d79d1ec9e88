//! Which language a character of a script is probably of.

use unicode_script::{Script, UnicodeScript};

/// A language that a script stands for, and which way it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScriptLanguage {
    /// Its code.
    pub(super) language: &'static str,
    /// Whether it runs from right to left.
    pub(super) rtl: bool,
}

/// What a character says of the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BidiInfluence {
    /// Nothing: digits, punctuation, spaces.
    None,
    /// It belongs to the character before it.
    Mark,
    /// It is of a script that says little of the language: Latin, Cyrillic and others.
    Plain,
    /// It is of a script whose language is probable, or that runs from right to left.
    Of(ScriptLanguage),
}

impl BidiInfluence {
    pub(super) fn from_char(character: char) -> Self {
        let (language, rtl) = match character.script() {
            Script::Common => return Self::None,
            Script::Inherited => return Self::Mark,
            Script::Arabic => ("ar", true),
            Script::Hebrew => ("he", true),
            Script::Syriac => ("syr", true),
            Script::Thaana => ("dv", true),
            Script::Nko => ("nqo", true),
            Script::Adlam => ("ff", true),
            Script::Han | Script::Bopomofo => ("zh", false),
            Script::Hiragana | Script::Katakana => ("ja", false),
            Script::Hangul => ("ko", false),
            Script::Greek => ("el", false),
            Script::Armenian => ("hy", false),
            Script::Georgian => ("ka", false),
            Script::Thai => ("th", false),
            Script::Lao => ("lo", false),
            Script::Khmer => ("km", false),
            Script::Myanmar => ("my", false),
            _ => return Self::Plain,
        };
        Self::Of(ScriptLanguage { language, rtl })
    }
}

/// The script's name, as the last page tells it.
pub(super) fn name(character: char) -> &'static str {
    match character {
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => "Private use",
        _ => match character.script() {
            Script::Common | Script::Inherited => "Symbols and emoji",
            script => script.full_name(),
        },
    }
}
