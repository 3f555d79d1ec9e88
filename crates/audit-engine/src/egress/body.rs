//! Bodies: gathered or decoded as they arrive, their sizes bounded.

use std::ops::ControlFlow;

use bytes::{Bytes, BytesMut};

use super::coding::{Chain, Coding};

/// Coded bodies up to so many bytes are gathered and decoded in one go, which lets the result be made
/// in the right size at once: a result that grows leaves several times its size behind. Longer ones are decoded
/// while they arrive.
const GATHERED: usize = 1024 * 1024;
/// How many bytes are decoded before other tasks run, at first and at most.
const STEP: usize = 256 * 1024;
const LONG_STEP: usize = 4 << 20;
/// How much larger than on the wire a body is believed to be at most, before it has shown it.
const BELIEVED: usize = 32;

/// A body that is read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) body: Bytes,
    /// The bytes that were read, before decoding.
    pub(super) wire_bytes: u64,
    /// Whether bytes are missing: a limit was reached, the body ended early, or it has more codings
    /// one upon the other than are undone.
    pub(super) truncated: bool,
}

/// What a body needs next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Its next piece.
    Piece,
    /// Decoding of what it has: let other tasks run, then call [`Reading::work`].
    Work,
}

/// What a body needs next. It breaks where a limit is reached, or the rest cannot be decoded.
pub(super) type Flow = ControlFlow<(), Next>;

/// A body while it is read. It never holds more than the limit and a piece of the wire, but for the
/// window of its coding.
pub(super) struct Reading {
    limit: usize,
    codings: Vec<Coding>,
    /// Whether there are more codings below these.
    is_coded_deeper: bool,
    wire: usize,
    gathered: Gathered,
    decoding: Option<Chain>,
    out: Vec<u8>,
    truncated: bool,
    /// Nothing more can be made of what comes.
    over: bool,
}

impl Reading {
    /// A body that may have `limit` bytes, on the wire and decoded.
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

    /// Takes the next piece.
    pub(super) fn take(&mut self, mut piece: Bytes) -> Flow {
        let room = self.limit.saturating_sub(self.wire);
        if piece.len() > room {
            piece.truncate(room);
            self.truncated = true;
        }
        self.wire += piece.len();
        self.gathered.push(piece);
        if !self.codings.is_empty() && self.gathered.len() > GATHERED {
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

    /// Decodes one step of what was gathered.
    pub(super) fn work(&mut self) -> Flow {
        if self.decoding.is_none() {
            self.decoding = Chain::new(&self.codings);
        }
        let Some(chain) = &mut self.decoding else {
            return Flow::Continue(Next::Piece);
        };
        // One byte more than may be kept tells that there is more.
        let most = self.limit.saturating_add(1);
        // The result grows by steps, so they grow with it.
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

    /// The bytes that are held already.
    pub(super) fn held(&self) -> usize {
        self.gathered.len() + self.out.len()
    }

    /// Prepares for the last steps: no piece follows. The caller works until no work is left.
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

    /// What the whole body decodes to, where its last bytes tell (RFC 1952, section 2.3.1). Asked once
    /// everything has arrived.
    pub(super) fn expected(&self) -> usize {
        let wire = self.gathered.as_slice();
        match (self.codings.as_slice(), wire.last_chunk::<4>()) {
            ([], _) => wire.len(),
            _ if self.decoding.is_some() => self.held(),
            ([Coding::Gzip], Some(size)) => usize::try_from(u32::from_le_bytes(*size))
                .unwrap_or(usize::MAX)
                .min(wire.len().saturating_mul(BELIEVED)),
            _ => wire.len().saturating_mul(4),
        }
    }

    /// The body as far as it came.
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

/// Pieces of the wire, one after the other. A single piece is never copied.
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
