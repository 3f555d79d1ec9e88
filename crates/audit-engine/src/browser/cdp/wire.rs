//! The frames of the pipe: JSON texts, each ended by a NUL byte.

use crate::bounds::browser::MAX_BROWSER_MESSAGE_BYTES;

/// Bytes that are kept of a message that is too large: its id stands at the beginning.
const HEAD_BYTES: usize = 64;

/// A message of the browser.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// The whole message.
    Whole(Vec<u8>),
    /// The beginning of a message that is longer than the limit.
    TooLarge(Vec<u8>),
}

/// Cuts the bytes that arrive into messages. It holds at most one message, up to the limit.
#[derive(Debug)]
pub(super) struct Frames {
    buffer: Vec<u8>,
    is_too_large: bool,
    most: usize,
}

impl Frames {
    pub(super) const fn new() -> Self {
        Self::with_limit(MAX_BROWSER_MESSAGE_BYTES)
    }

    const fn with_limit(most: usize) -> Self {
        Self {
            buffer: Vec::new(),
            is_too_large: false,
            most,
        }
    }

    /// Adds bytes, and passes on the messages that they complete.
    pub(super) fn push(&mut self, bytes: &[u8], mut found: impl FnMut(Frame)) {
        let mut pieces = bytes.split(|byte| *byte == 0).peekable();
        while let Some(piece) = pieces.next() {
            self.append(piece);
            if pieces.peek().is_some() {
                found(self.take());
            }
        }
    }

    fn append(&mut self, piece: &[u8]) {
        if self.is_too_large {
            return;
        }
        if self.buffer.len() + piece.len() <= self.most {
            self.buffer.extend_from_slice(piece);
            return;
        }
        self.is_too_large = true;
        let room = HEAD_BYTES.saturating_sub(self.buffer.len());
        self.buffer.extend(piece.iter().take(room));
        self.buffer.truncate(HEAD_BYTES);
        self.buffer.shrink_to_fit();
    }

    fn take(&mut self) -> Frame {
        let bytes = std::mem::take(&mut self.buffer);
        if std::mem::take(&mut self.is_too_large) {
            Frame::TooLarge(bytes)
        } else {
            Frame::Whole(bytes)
        }
    }
}

/// The id of a message, read from its beginning. Chromium writes it first in every answer, and events have none.
pub(super) fn leading_id(message: &[u8]) -> Option<u64> {
    let digits = message.strip_prefix(b"{\"id\":")?;
    let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    let digits = std::str::from_utf8(digits.get(..end)?).ok()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(most: usize, chunks: &[&[u8]]) -> Vec<Frame> {
        let mut frames = Frames::with_limit(most);
        let mut found = Vec::new();
        for chunk in chunks {
            frames.push(chunk, |frame| found.push(frame));
        }
        found
    }

    fn whole(text: &str) -> Frame {
        Frame::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn messages_are_cut_wherever_the_chunks_end() {
        let sent = b"{\"id\":1}\0{\"id\":2}\0{\"id\":3}\0";
        let expected = [
            whole("{\"id\":1}"),
            whole("{\"id\":2}"),
            whole("{\"id\":3}"),
        ];
        for size in 1..=sent.len() {
            let chunks: Vec<&[u8]> = sent.chunks(size).collect();
            assert_eq!(frames(100, &chunks), expected, "chunks of {size}");
        }
    }

    #[test]
    fn an_unfinished_message_is_not_passed_on() {
        assert_eq!(frames(100, &[b"{\"id\":1"]), []);
    }

    #[test]
    fn a_message_beyond_the_limit_is_dropped_up_to_its_beginning() {
        let long = format!("{{\"id\":7,\"result\":\"{}\"}}\0", "x".repeat(5_000));
        let next = b"{\"id\":8}\0";
        for size in [1, 10, 1_000, 10_000] {
            let mut chunks: Vec<&[u8]> = long.as_bytes().chunks(size).collect();
            chunks.push(next);
            let found = frames(200, &chunks);
            let [Frame::TooLarge(head), second] = &found[..] else {
                panic!("{found:?}");
            };
            assert_eq!((head.len(), leading_id(head)), (HEAD_BYTES, Some(7)));
            assert_eq!(second, &whole("{\"id\":8}"));
        }
    }

    #[test]
    fn a_message_of_the_limit_is_whole() {
        let text = "x".repeat(200);
        let sent = format!("{text}\0");
        assert_eq!(frames(200, &[sent.as_bytes()]), [whole(&text)]);
        assert!(matches!(
            frames(199, &[sent.as_bytes()])[..],
            [Frame::TooLarge(_)]
        ));
    }

    #[test]
    fn only_answers_have_a_leading_id() {
        assert_eq!(leading_id(b"{\"id\":12,\"result\":{}}"), Some(12));
        assert_eq!(leading_id(b"{\"method\":\"Page.loadEventFired\"}"), None);
        assert_eq!(leading_id(b"{\"id\":12"), None);
        assert_eq!(leading_id(b"{\"id\":\"x\"}"), None);
    }
}
