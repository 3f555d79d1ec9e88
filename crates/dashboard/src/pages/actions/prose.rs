//! Texts of the catalogue (lines, lists and code between backticks), and addresses of audited sites.

use report::plain::plain;

/// A piece of a line: words, or code between backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) is_code: bool,
    pub(super) text: String,
}

/// A paragraph or an item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) is_item: bool,
    pub(super) pieces: Vec<Piece>,
}

/// The paragraphs and items of a text, one for each line that is not empty.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let item = line.strip_prefix("- ");
            Block {
                is_item: item.is_some(),
                pieces: pieces(&plain(item.unwrap_or(line))),
            }
        })
        .collect()
}

/// The words and the code of a line. A backtick without another is a character like others.
fn pieces(line: &str) -> Vec<Piece> {
    let piece = |text: &str, is_code| Piece {
        is_code,
        text: text.to_owned(),
    };
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, behind)) = after.split_once('`') else {
            break;
        };
        pieces.extend([piece(before, false), piece(code, true)]);
        rest = behind;
    }
    pieces.push(piece(rest, false));
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

/// An address of an audited site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) text: String,
    /// Where a link may lead: to an address of the web that shows what it is.
    pub(super) to: Option<String>,
}

impl Address {
    pub(super) fn new(url: &str) -> Self {
        let is_web = url.starts_with("http://") || url.starts_with("https://");
        let is_visible = url.bytes().all(|byte| byte.is_ascii_graphic());
        Self {
            text: plain(url),
            to: (is_web && is_visible).then(|| url.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_between_two_backticks() {
        let found = blocks("Add `alt`, not ` alone\n\n- An item");
        let texts: Vec<Vec<_>> = found
            .iter()
            .map(|block| {
                let pieces = block.pieces.iter();
                pieces
                    .map(|piece| (piece.is_code, piece.text.as_str()))
                    .collect()
            })
            .collect();
        assert_eq!(
            texts,
            [
                vec![(false, "Add "), (true, "alt"), (false, ", not ` alone")],
                vec![(false, "An item")]
            ]
        );
        assert_eq!((found[0].is_item, found[1].is_item), (false, true));
    }

    #[test]
    fn links_lead_to_the_web_alone() {
        for (url, leads) in [
            ("https://example.com/", true),
            ("javascript:alert(1)", false),
            ("https://example.com/ x", false),
            ("https://example.com/\u{202e}", false),
        ] {
            assert_eq!(Address::new(url).to.is_some(), leads, "{url}");
        }
    }
}
