//! Where an issue occurs: addresses, selectors and excerpts of an audited site, as text.

use domain::report::Occurrence;
use report::view::text::{Piece, link, message_pieces, shown};

/// The most characters of a message, a title or a reason.
pub(super) const MAX_TEXT: usize = 500;
/// The most characters of an address or a selector.
const MAX_ADDRESS: usize = 300;
/// The most characters of an excerpt.
const MAX_SNIPPET: usize = 400;

/// An address, and where it leads, if it is one of the web.
pub(super) struct Address {
    pub(super) to: Option<String>,
    pub(super) text: String,
}

impl Address {
    /// The address of a page or a file.
    pub(super) fn new(url: &str) -> Self {
        Self {
            to: link(url),
            text: shown(url, MAX_ADDRESS),
        }
    }
}

/// One occurrence.
pub(super) struct OccurrenceRow {
    pub(super) address: Address,
    pub(super) line: Option<u32>,
    /// What is wrong there; empty where the occurrence before says the same.
    pub(super) message: Vec<Piece>,
    pub(super) selector: String,
    pub(super) snippet: String,
    /// What it looks like.
    pub(super) picture: Option<ElementPicture>,
}

/// The picture of an element.
pub(super) struct ElementPicture {
    pub(super) path: String,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl OccurrenceRow {
    /// The occurrence with this message, if it says more than what stands before.
    pub(super) fn new(occurrence: &Occurrence, message: Option<&str>) -> Self {
        let text = |text: &Option<String>, most| shown(text.as_deref().unwrap_or_default(), most);
        Self {
            address: Address::new(&occurrence.url),
            line: occurrence.line,
            message: message_pieces(message.unwrap_or_default(), MAX_TEXT),
            selector: text(&occurrence.selector, MAX_ADDRESS),
            snippet: text(&occurrence.snippet, MAX_SNIPPET),
            picture: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_to_the_web_alone_and_hide_nothing() {
        let address = Address::new("javascript:alert(1)");
        assert_eq!(
            (address.to, address.text.as_str()),
            (None, "javascript:alert(1)")
        );
        let address = Address::new("https://example.com/a");
        assert_eq!(address.to.as_deref(), Some("https://example.com/a"));
        let place = OccurrenceRow::new(
            &Occurrence {
                url: "https://example.com/".to_owned(),
                selector: None,
                snippet: Some("<b>\u{202e}x</b>".to_owned()),
                line: Some(3),
                message: "Wrong.".to_owned(),
                waiver: None,
                artifact: None,
            },
            Some("No `alt`."),
        );
        assert_eq!(place.snippet, r"<b>\u{202e}x</b>");
        assert_eq!(place.selector, "");
        let words = place.message.iter();
        let words: Vec<_> = words.map(|piece| (piece.is_code, &*piece.text)).collect();
        assert_eq!(words, [(false, "No "), (true, "alt"), (false, ".")]);
    }
}
