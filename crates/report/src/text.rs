//! Text of others in an export.

use crate::plain::plain;

/// The marker at the end of truncated text.
const CUT: char = '…';

/// The text on one line of at most `most` characters, with invisible characters shown as code points.
#[must_use]
pub fn shown(text: &str, most: usize) -> String {
    let line = plain(text);
    match line.char_indices().nth(most) {
        None => line,
        Some(_) => line
            .chars()
            .take(most.saturating_sub(1))
            .chain([CUT])
            .collect(),
    }
}

/// The address, where it is one of the web and shows what it is, so that a link may lead there.
#[must_use]
pub fn link(url: &str) -> Option<String> {
    let is_web = ["http://", "https://"]
        .iter()
        .any(|scheme| url.starts_with(scheme));
    let is_usual =
        url.len() <= crate::limits::ADDRESS && url.bytes().all(|byte| byte.is_ascii_graphic());
    (is_web && is_usual).then(|| url.to_owned())
}

/// The host of an address, with its port.
#[must_use]
pub fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    host.rsplit_once('@').map_or(host, |(_, host)| host)
}

/// A piece of our Markdown: words, or code between backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Whether it is code.
    pub is_code: bool,
    /// The text, without backticks.
    pub text: String,
}

/// A paragraph or an item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Whether it is an item of a list.
    pub is_item: bool,
    /// Its words and its code.
    pub pieces: Vec<Piece>,
}

/// The paragraphs and items of a text, one for each line.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let item = line.strip_prefix("- ");
            Block {
                is_item: item.is_some(),
                pieces: pieces(&shown(item.unwrap_or(line), crate::limits::TEXT)),
            }
        })
        .collect()
}

/// The words and the code of a message, shortened as in [`shown`].
#[must_use]
pub fn message_pieces(text: &str, max_characters: usize) -> Vec<Piece> {
    pieces(&shown(text, max_characters))
}

/// The words and the code of a line. A backtick without another is a character like others.
fn pieces(line: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, behind)) = after.split_once('`') else {
            break;
        };
        push(&mut pieces, before, false);
        push(&mut pieces, code, true);
        rest = behind;
    }
    push(&mut pieces, rest, false);
    pieces
}

fn push(pieces: &mut Vec<Piece>, text: &str, is_code: bool) {
    if !text.is_empty() {
        let text = text.to_owned();
        pieces.push(Piece { is_code, text });
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("https://example.com/", true)]
    #[case::script("javascript:alert(1)", false)]
    #[case::data("data:text/html,x", false)]
    #[case::spaces("https://example.com/ x", false)]
    #[case::direction("https://example.com/\u{202e}", false)]
    #[case::upper("HTTPS://example.com/", false)]
    fn links_lead_to_the_web_alone(#[case] url: &str, #[case] leads: bool) {
        assert_eq!(link(url).is_some(), leads);
    }

    #[test]
    fn texts_are_cut_by_characters_and_say_so() {
        assert_eq!(shown("äöü", 3), "äöü");
        assert_eq!(shown("äöüß", 3), "äö…");
    }

    #[test]
    fn code_stands_between_two_backticks() {
        let code = |text: &str| Piece {
            is_code: true,
            text: text.to_owned(),
        };
        let words = |text: &str| Piece {
            is_code: false,
            text: text.to_owned(),
        };
        assert_eq!(
            pieces("Add `alt`, not ` alone"),
            [words("Add "), code("alt"), words(", not ` alone")]
        );
        assert_eq!(pieces(""), []);
    }
}
