//! Characters that a wrong encoding damaged.

use crate::check::{Evidence, Failures, Outcome};
use crate::common::text::prose::{self, Run};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The title and the visible text contain no characters that a wrong encoding damaged: the
    /// replacement character �, and sequences such as `Ã©` or `â€™` in place of `é` and `’`.
    ///
    /// ## Why it matters
    /// Names and words become unreadable. Search engines index the damaged words, so visitors who
    /// search for the correct words do not find the page.
    ///
    /// ## How to fix it
    /// Save the text as UTF-8, declare `<meta charset="utf-8">`, and send
    /// `Content-Type: text/html; charset=utf-8`. If the text comes from a database, use UTF-8 for
    /// its connection too, and repair text that is already stored damaged.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><meta charset="utf-8"><title>Menu</title><p>Our cafÃ© is open from nine.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><meta charset="utf-8"><title>Menu</title><p>Our café is open from nine.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Text in code, and pages about encodings, are left out. Only sequences that no language uses are
    /// reported, so damaged text in Asian scripts is mostly not detected. In rendered mode, too, the check
    /// judges the text of the response, which the server encoded.
    ///
    /// ## Also known as
    /// - Common name: Character encoding error
    ///
    /// ## References
    /// - Encoding Standard, section 4.1 Encoders and decoders
    /// - HTML Living Standard, section 4.2.5.4 Specifying the document's character encoding
    CONTENT_MOJIBAKE {
        id: "content-mojibake",
        title: "Garbled characters from wrong encoding (mojibake)",
        dimension: Content,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// More findings of one page add no information.
const MAX_FINDINGS: u64 = 20;

/// A page with one of these words, in lower case, is about encodings.
const ABOUT_ENCODINGS: [&str; 6] = [
    "u+fffd",
    "mojibake",
    "replacement character",
    "latin-1",
    "windows-1252",
    "iso-8859",
];

fn evaluate(page: &Page) -> Outcome {
    if page.text().is_empty() && page.title().is_none() {
        return Outcome::NotApplicable;
    }
    let mut failures = Failures::default();
    if let (Some(title), Some(element)) = (page.title(), page.titles().next()) {
        failures.extend(damage(title).map(|at| evidence(Evidence::node(element), title, at)));
    }
    // Prose is part of the text. The whole text of most pages is undamaged, so it is tested first.
    let runs = may_be_damaged(page.text()).then(|| prose::all(page));
    for Run { text, parent } in runs.into_iter().flatten() {
        if failures.total() >= MAX_FINDINGS {
            break;
        }
        failures.extend(damage(text).map(|at| evidence(Evidence::node(parent), text, at)));
    }
    if !failures.is_empty() && is_about_encodings(page) {
        return Outcome::NotApplicable;
    }
    Outcome::from_failures(failures)
}

fn is_about_encodings(page: &Page) -> bool {
    let text = page.text().to_lowercase();
    ABOUT_ENCODINGS.iter().any(|word| text.contains(word))
}

fn evidence(evidence: Evidence, text: &str, at: usize) -> Evidence {
    let excerpt = prose::excerpt(text, at, 40);
    evidence.message(format!(
        "The text contains characters that a wrong encoding damaged: \"{excerpt}\"."
    ))
}

/// Whether the text contains one of the first bytes of the characters that damaged sequences begin with.
fn may_be_damaged(text: &str) -> bool {
    memchr::memchr2(0xC3, 0xEF, text.as_bytes()).is_some()
}

/// The byte offset of the first damaged character.
fn damage(text: &str) -> Option<usize> {
    if !may_be_damaged(text) {
        return None;
    }
    let mut before = None;
    let mut cyrillic = 0_u32;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        if c == '\u{FFFD}' || next.is_some_and(|next| is_damaged_pair(before, c, next)) {
            return Some(at);
        }
        // Damaged Cyrillic letters are pairs that begin with Ð or Ñ; a single pair could be Icelandic.
        if matches!(c, 'Ð' | 'Ñ') && next.is_some_and(is_continuation) {
            cyrillic += 1;
            if cyrillic == 3 {
                return Some(at);
            }
        }
        before = Some(c);
    }
    None
}

/// Whether the two characters are a UTF-8 lead byte and the byte after it, read as windows-1252, and
/// no language uses them side by side.
fn is_damaged_pair(before: Option<char>, first: char, second: char) -> bool {
    match first {
        'Ã' => is_continuation(second),
        'Â' if second == '\u{A0}' => !before.is_some_and(char::is_alphabetic),
        'Â' => matches!(second, '¡'..='ª' | '\u{AC}'..='º' | '¼'..='¿'),
        'â' => second == '€',
        'ð' => second == 'Ÿ',
        'ï' => second == '»' && before.is_none_or(char::is_whitespace),
        _ => false,
    }
}

/// Whether the character is a continuation byte of UTF-8 read as windows-1252. Quotation marks,
/// dashes and spaces are left out: they may follow a capital letter at the end of a word.
const fn is_continuation(c: char) -> bool {
    matches!(c, '¡'..='ª' | '\u{AC}'..='º' | '¼'..='¿' | 'Ÿ' | 'œ' | 'Œ' | 'ž' | 'Ž' | 'š' | 'Š' | 'ƒ' | '€' | '™' | '‡' | '†' | '‰')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn damaged_text_fails() {
        for text in [
            "cafÃ©",
            "Itâ€™s",
            "10Â°C",
            "30 Â© 2020",
            "a.Â\u{a0} b",
            "fÃ¼r",
            "ðŸ˜€",
            "ÐŸÑ€Ð¸Ð²ÐµÑ‚",
        ] {
            assert_fails(
                &CONTENT_MOJIBAKE,
                &format!("<meta charset=utf-8><p>{text}"),
                1,
            );
        }
    }

    #[test]
    fn bytes_that_are_invalid_in_the_declared_encoding_fail() {
        assert_fails(&CONTENT_MOJIBAKE, "<p>caf\u{FFFD} bar", 1);
    }

    #[test]
    fn a_damaged_title_fails() {
        assert_fails(
            &CONTENT_MOJIBAKE,
            "<meta charset=utf-8><title>CafÃ©</title><p>x",
            1,
        );
    }

    #[test]
    fn text_in_many_languages_passes() {
        for text in [
            "„Gruß“ – Ö“ – ÄÖÜ",
            "IRMÔ, NÃO, MAÇÃ–, SÃO, MANHÃ»",
            "Âge, Île, «CAFÉ»",
            "Það er Ð og ð.",
            "Привет, мир",
            "naïve »x«",
            "Â ne parle pas",
            "ÑANDÚ, año",
            "price: 5 €, 20 °C, © 2020",
            "日本語 한국어 ไทย",
            "Tiếng Việt Ân",
        ] {
            assert_passes(&CONTENT_MOJIBAKE, &format!("<meta charset=utf-8><p>{text}"));
        }
    }

    #[test]
    fn code_is_left_out() {
        assert_passes(
            &CONTENT_MOJIBAKE,
            "<meta charset=utf-8><p>shows <code>Ã©</code><pre>\u{FFFD}</pre>",
        );
    }

    #[test]
    fn a_page_about_encodings_is_not_applicable() {
        assert_not_applicable(
            &CONTENT_MOJIBAKE,
            "<meta charset=utf-8><p>Mojibake such as Ã© comes from a wrong charset.",
        );
    }

    #[test]
    fn an_empty_page_is_not_applicable() {
        assert_not_applicable(&CONTENT_MOJIBAKE, "<body>");
    }
}
