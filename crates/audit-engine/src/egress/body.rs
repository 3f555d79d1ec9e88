//! Reads response bodies. They are buffered, or decoded as they arrive, within size limits.

use std::ops::ControlFlow;

use bytes::{Bytes, BytesMut};

use super::coding::{Chain, Coding};

/// Encoded bodies of up to this size are buffered and decoded in one go, so that the result is allocated in its
/// final size. A result that grows leaves several times its size of freed memory behind. Longer bodies are
/// decoded while they arrive.
const MAX_BUFFERED: usize = 1024 * 1024;
/// The number of bytes that are decoded before other tasks run: the first step, and the longest.
const STEP: usize = 256 * 1024;
const LONG_STEP: usize = 4 << 20;
/// The largest compression ratio that is assumed for a body before its first bytes are decoded.
const MAX_ASSUMED_RATIO: usize = 32;

/// A body that was read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) body: Bytes,
    /// The bytes that were read, before decoding.
    pub(super) wire_bytes: u64,
    /// Whether bytes are missing: a limit was reached, the body ended early, or it has more nested content
    /// codings than are decoded.
    pub(super) truncated: bool,
}

/// What a body needs next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// The next chunk.
    Piece,
    /// Decoding of the buffered bytes: let other tasks run, then call [`Reading::work`].
    Work,
}

/// What a body needs next. `Break` if a limit was reached or the rest cannot be decoded.
pub(super) type Flow = ControlFlow<(), Next>;

/// A body that is being read. It never holds more than the limit, one chunk of the wire, and the window of its
/// content coding.
pub(super) struct Reading {
    limit: usize,
    codings: Vec<Coding>,
    /// Whether there are further content codings below these.
    is_coded_deeper: bool,
    wire: usize,
    gathered: Gathered,
    decoding: Option<Chain>,
    out: Vec<u8>,
    truncated: bool,
    /// No further bytes can be decoded.
    over: bool,
}

impl Reading {
    /// A body with at most `limit` bytes, both on the wire and decoded.
    pub(super) fn new<'a>(codings: impl Iterator<Item = &'a str>, limit: u64) -> Self {
        let (codings, is_coded_deeper) = Coding::to_undo(codings);
        Self {
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            codings,
            is_coded_deeper,
            wire: 0,
            gathered: Gathered::default(),
            decoding: None,
            out: Vec::new(),
            truncated: false,
            over: false,
        }
    }

    /// Takes the next chunk.
    pub(super) fn take(&mut self, mut piece: Bytes) -> Flow {
        let room = self.limit.saturating_sub(self.wire);
        if piece.len() > room {
            piece.truncate(room);
            self.truncated = true;
        }
        self.wire += piece.len();
        self.gathered.push(piece);
        if !self.codings.is_empty() && self.gathered.len() > MAX_BUFFERED {
            return self.work();
        }
        self.next_piece()
    }

    const fn next_piece(&self) -> Flow {
        if self.truncated {
            Flow::Break(())
        } else {
            Flow::Continue(Next::Piece)
        }
    }

    /// Decodes one step of the buffered bytes.
    pub(super) fn work(&mut self) -> Flow {
        if self.decoding.is_none() {
            self.decoding = Chain::new(&self.codings);
        }
        let Some(chain) = &mut self.decoding else {
            return Flow::Continue(Next::Piece);
        };
        // One byte more than the limit shows that the body is longer.
        let most = self.limit.saturating_add(1);
        // The steps grow with the result.
        let length = self.out.len();
        let end = most.min(length.saturating_add(length.clamp(STEP, LONG_STEP)));
        let mut input = self.gathered.as_slice();
        let left = input.len();
        let step = chain.step(&mut input, &mut self.out, end);
        let read = left - input.len();
        self.gathered.advance(read);
        if self.out.len() > self.limit || step.is_err() {
            self.truncated = true;
            self.over = true;
            return Flow::Break(());
        }
        if self.out.len() >= end {
            return Flow::Continue(Next::Work);
        }
        self.next_piece()
    }

    /// The bytes that are in memory.
    pub(super) fn held(&self) -> usize {
        self.gathered.len() + self.out.len()
    }

    /// Prepares for the last steps: no further chunk follows. The caller calls [`Self::work`] until no work is
    /// left.
    pub(super) fn end(&mut self, arrived_whole: bool) -> Flow {
        self.truncated |= !arrived_whole;
        if self.codings.is_empty() || self.wire == 0 || self.over {
            return Flow::Break(());
        }
        if self.decoding.is_none() {
            let most = self.limit.saturating_add(1);
            self.out.reserve_exact(self.expected().min(most));
        }
        Flow::Continue(Next::Work)
    }

    /// The decoded size of the whole body, if its last bytes declare it (RFC 1952, section 2.3.1). Only valid
    /// once the whole body has arrived.
    /// everything has arrived.
    pub(super) fn expected(&self) -> usize {
        let wire = self.gathered.as_slice();
        match (self.codings.as_slice(), wire.last_chunk::<4>()) {
            ([], _) => wire.len(),
            _ if self.decoding.is_some() => self.held(),
            ([Coding::Gzip], Some(size)) => usize::try_from(u32::from_le_bytes(*size))
                .unwrap_or(usize::MAX)
                .min(wire.len().saturating_mul(MAX_ASSUMED_RATIO)),
            _ => wire.len().saturating_mul(4),
        }
    }

    /// The body up to the point where reading stopped.
    pub(super) fn finish(mut self) -> Read {
        let complete = match &self.decoding {
            Some(chain) => chain.is_complete(),
            None => true,
        };
        let body = if self.codings.is_empty() {
            self.gathered.into_bytes()
        } else {
            self.out.truncate(self.limit);
            if self.out.capacity() / 2 > self.out.len() {
                self.out.shrink_to_fit();
            }
            Bytes::from(self.out)
        };
        Read {
            body,
            wire_bytes: u64::try_from(self.wire).unwrap_or(u64::MAX),
            truncated: self.truncated || !complete || self.is_coded_deeper,
        }
    }
}

/// The chunks of the wire in order. A single chunk is never copied.
#[derive(Debug, Default)]
enum Gathered {
    #[default]
    Nothing,
    One(Bytes),
    Many(BytesMut),
}

impl Gathered {
    fn push(&mut self, piece: Bytes) {
        *self = match std::mem::take(self) {
            Self::Nothing => Self::One(piece),
            Self::One(first) if first.is_empty() => Self::One(piece),
            Self::One(first) => {
                let mut many = BytesMut::with_capacity((first.len() + piece.len()) * 2);
                many.extend_from_slice(&first);
                many.extend_from_slice(&piece);
                Self::Many(many)
            }
            Self::Many(mut many) => {
                many.extend_from_slice(&piece);
                Self::Many(many)
            }
        };
    }

    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Nothing => &[],
            Self::One(piece) => piece,
            Self::Many(pieces) => pieces,
        }
    }

    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn advance(&mut self, read: usize) {
        match self {
            Self::Nothing => {}
            Self::One(piece) => drop(piece.split_to(read.min(piece.len()))),
            Self::Many(pieces) => drop(pieces.split_to(read.min(pieces.len()))),
        }
    }

    fn into_bytes(self) -> Bytes {
        match self {
            Self::Nothing => Bytes::new(),
            Self::One(piece) => piece,
            Self::Many(pieces) => pieces.freeze(),
        }
    }
}

#[cfg(test)]
mod tests;
