//! Evidence: location, excerpt, measured and expected value.

use crate::algorithms::shortened::shortened;
use crate::bounds::{
    MAX_CAUSE_KEY_BYTES, MAX_EVIDENCE_URL_BYTES, MAX_MESSAGE_CHARS, MAX_PRECISE_TEXT_BYTES,
    MAX_SELECTOR_BYTES, MAX_SNIPPET_CHARS,
};
use crate::dom::ElementRef;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The cause of a finding, if a check can find several different problems.
///
/// All findings of a check with the same key become one issue. The key must be the same on the next
/// run of an unchanged site: a URL, a name or a header, but never a position or a measured number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cause {
    /// The key that distinguishes this cause from the check's others.
    pub key: String,
    /// The headline, which names the cause.
    pub title: String,
}

/// One occurrence of a failed check.
///
/// For page checks, the runner fills in the page's URL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The cause; `None` if the check has only one.
    pub cause: Option<Cause>,
    /// The URL of the occurrence, if it is not the subject's own URL.
    pub url: Option<String>,
    /// A CSS selector that matches the element.
    pub selector: Option<String>,
    /// An excerpt of at most 200 characters.
    pub snippet: Option<String>,
    /// The source line, from 1.
    pub line: Option<u32>,
    /// What is wrong here, with the measured and the expected value. One sentence.
    pub message: String,
    /// A more precise message that takes longer to make.
    pub(crate) precise: Option<Box<PreciseMessage>>,
}

/// A message that is made of a text of the page, and only for evidence that a reader sees first.
#[derive(Debug, Clone)]
pub(crate) struct PreciseMessage {
    text: Box<str>,
    /// `None` if the text does not tell more than the message that is there.
    make: fn(&str) -> Option<String>,
}

/// Equal texts of equal evidence have the same function: it depends on the check alone.
impl PartialEq for PreciseMessage {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for PreciseMessage {}

impl Evidence {
    /// Evidence for a whole page, resource or origin.
    #[must_use]
    pub fn here() -> Self {
        Self::default()
    }

    /// Evidence for an element: its selector, excerpt and line.
    #[must_use]
    pub fn node(element: ElementRef<'_>) -> Self {
        Self {
            selector: element.selector(MAX_SELECTOR_BYTES),
            snippet: Some(shortened(&element.snippet(), MAX_SNIPPET_CHARS)),
            // A script may have added it.
            line: Some(element.line()).filter(|line| *line > 0),
            ..Self::default()
        }
    }

    /// Evidence for a line of a file.
    #[must_use]
    pub fn line(line: u32, snippet: &str) -> Self {
        Self {
            line: Some(line),
            snippet: Some(shortened(snippet, MAX_SNIPPET_CHARS)),
            ..Self::default()
        }
    }

    /// Evidence for a response header, shown as `name: value`.
    #[must_use]
    pub fn header(name: &str, value: &str) -> Self {
        Self {
            snippet: Some(shortened(&format!("{name}: {value}"), MAX_SNIPPET_CHARS)),
            ..Self::default()
        }
    }

    /// Sets the description of the problem: one sentence with a full stop.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = shortened(&message.into(), MAX_MESSAGE_CHARS);
        self
    }

    /// Adds a message that [`Evidence::make_precise`] makes of at most [`MAX_PRECISE_TEXT_BYTES`] bytes of the text.
    /// For messages that cost more than the check itself, such as one with a detected language: an audit makes them
    /// for the first occurrences only.
    #[must_use]
    pub(crate) fn precise_message(mut self, text: &str, make: fn(&str) -> Option<String>) -> Self {
        let end = text.floor_char_boundary(MAX_PRECISE_TEXT_BYTES);
        let text = text.split_at(end).0.into();
        self.precise = Some(Box::new(PreciseMessage { text, make }));
        self
    }

    /// Replaces the message with the more precise one, if there is one.
    pub(crate) fn make_precise(&mut self) {
        let precise = self.precise.take();
        if let Some(message) = precise.and_then(|precise| (precise.make)(&precise.text)) {
            self.message = shortened(&message, MAX_MESSAGE_CHARS);
        }
    }

    /// Sets the cause: a stable key, and the headline of its issue.
    #[must_use]
    pub fn cause(mut self, key: impl Into<String>, title: impl Into<String>) -> Self {
        self.cause = Some(Cause {
            key: bounded_key(key.into()),
            title: shortened(&title.into(), MAX_MESSAGE_CHARS),
        });
        self
    }

    /// Sets the URL of the occurrence.
    #[must_use]
    pub fn at(mut self, url: impl Into<String>) -> Self {
        let mut url = url.into();
        if url.len() > MAX_EVIDENCE_URL_BYTES {
            url.truncate(url.floor_char_boundary(MAX_EVIDENCE_URL_BYTES));
        }
        self.url = Some(url);
        self
    }

    /// The key of its cause; empty if the check has only one.
    pub(crate) fn cause_key(&self) -> &str {
        self.cause.as_ref().map_or("", |cause| &cause.key)
    }

    /// The bytes of its texts and of the struct.
    pub(crate) fn text_bytes(&self) -> usize {
        let texts = [&self.url, &self.selector, &self.snippet];
        let texts = texts.into_iter().flatten().map(String::len);
        let cause = self.cause.as_ref();
        let cause = cause.map_or(0, |cause| cause.key.len() + cause.title.len());
        let precise = self.precise.as_ref();
        let precise = precise.map_or(0, |precise| {
            std::mem::size_of::<PreciseMessage>() + precise.text.len()
        });
        let own = std::mem::size_of::<Self>() + self.message.len() + precise;
        own + cause + texts.sum::<usize>()
    }

    /// Adds an excerpt.
    #[must_use]
    pub fn snippet(mut self, snippet: &str) -> Self {
        self.snippet = Some(shortened(snippet, MAX_SNIPPET_CHARS));
        self
    }
}

/// The key, or its beginning and a hash of the whole if it is long: equal keys stay equal.
pub(super) fn bounded_key(key: String) -> String {
    if key.len() <= MAX_CAUSE_KEY_BYTES {
        return key;
    }
    const HASH_BYTES: usize = 16;
    let hash = Sha256::digest(&key);
    let hash = HEXLOWER.encode(hash.get(..HASH_BYTES).unwrap_or_default());
    let start = key.floor_char_boundary(MAX_CAUSE_KEY_BYTES - 2 * HASH_BYTES - 4);
    format!("{}…#{hash}", key.split_at(start).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_keys_are_shortened_and_stay_different() {
        let long = "é".repeat(5_000);
        let one = Evidence::here().cause(format!("{long}a"), "x");
        let other = Evidence::here().cause(format!("{long}b"), "x");
        assert!(one.cause_key().len() <= MAX_CAUSE_KEY_BYTES);
        assert_ne!(one.cause_key(), other.cause_key());
        assert_eq!(one, Evidence::here().cause(format!("{long}a"), "x"));
    }

    #[test]
    fn every_text_is_bounded() {
        let long = "ü".repeat(100_000);
        let evidence = Evidence::here()
            .at(long.as_str())
            .cause(long.as_str(), long.as_str())
            .snippet(&long)
            .message(long.as_str());
        assert!(evidence.text_bytes() < 6_000, "{}", evidence.text_bytes());
    }

    #[test]
    fn the_text_of_a_precise_message_is_bounded() {
        let evidence = Evidence::here().precise_message(&"ü".repeat(100_000), |text| {
            Some(format!("{} bytes", text.len()))
        });
        assert!(evidence.text_bytes() < 2 * MAX_PRECISE_TEXT_BYTES);
        let mut precise = evidence;
        precise.make_precise();
        assert_eq!(precise.message, format!("{MAX_PRECISE_TEXT_BYTES} bytes"));
    }

    #[test]
    fn a_text_without_a_precise_message_leaves_the_message() {
        let evidence = Evidence::here().message("Wrong.");
        let mut precise = evidence.clone().precise_message("x", |_| None);
        precise.make_precise();
        assert_eq!(precise, evidence);
    }

    #[test]
    fn an_element_with_a_long_selector_is_located_by_line_only() {
        let deep = format!(
            "{}<img src=a>",
            "<custom-element-of-a-long-name>".repeat(400)
        );
        let page = crate::view::Page::builder().html(&deep);
        let image = page.html("img").next().unwrap();
        let evidence = Evidence::node(image);
        assert_eq!((evidence.selector, evidence.line), (None, Some(1)));
    }

    #[test]
    fn a_long_id_is_not_used_in_a_selector() {
        let id = "x".repeat(10_000);
        let page = crate::view::Page::builder().html(&format!("<div id={id}><img src=a>"));
        let image = page.html("img").next().unwrap();
        let selector = Evidence::node(image).selector;
        assert_eq!(selector.as_deref(), Some("html > body > div > img"));
    }
}
