//! Decodes content codings (RFC 9110, section 8.4) incrementally.

use std::io::Read;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::bounds::crawl::MAX_CODINGS;

/// The content codings that the engine accepts.
pub(super) const ACCEPT_ENCODING: &str = "gzip, deflate, br, zstd";

/// The size of the buffer between two codings.
const CHAIN_BUFFER: usize = 16 * 1024;
/// The size of the decoding buffer for decoders that do not write into the result.
const SCRATCH: usize = 16 * 1024;
/// The largest window that a zstd frame may use: the size that every web client must support (RFC 9659). A
/// frame may declare up to terabytes.
const ZSTD_WINDOW: u64 = 8 << 20;
/// The longest header of a zstd frame, with its magic number (RFC 8878, section 3.1.1).
const ZSTD_HEADER: usize = 18;
/// The magic numbers of a zstd frame and of a skippable frame. The lower half of the first byte of a skippable
/// frame is arbitrary.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const ZSTD_SKIPPED: [u8; 4] = [0x50, 0x2a, 0x4d, 0x18];
/// The header of a zstd block, and the longest block after it.
const ZSTD_BLOCK_HEADER: usize = 3;
const ZSTD_BLOCK: usize = 128 * 1024;

/// A content coding that can be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    /// The codings of `Content-Encoding` values in decoding order, up to the first unknown one, and whether
    /// there are too many to decode all of them.
    pub(super) fn to_undo<'a>(values: impl Iterator<Item = &'a str>) -> (Vec<Self>, bool) {
        let names: Vec<&str> = values
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"))
            .collect();
        let mut known = names.iter().rev().map_while(|name| Self::named(name));
        let undone = known.by_ref().take(MAX_CODINGS).collect();
        (undone, known.next().is_some())
    }

    fn named(name: &str) -> Option<Self> {
        [
            ("gzip", Self::Gzip),
            ("x-gzip", Self::Gzip),
            ("deflate", Self::Deflate),
            ("br", Self::Brotli),
            ("zstd", Self::Zstd),
        ]
        .into_iter()
        .find_map(|(known, coding)| known.eq_ignore_ascii_case(name).then_some(coding))
    }
}

/// The bytes are not valid for the coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken;

/// Decodes one coding, or two nested codings.
///
/// It holds the window of the coding (32 KiB for gzip and deflate, up to 8 MiB for zstd and 16 MiB for Brotli)
/// and a few buffers between them, and never more, whatever the input declares.
pub(super) struct Chain {
    first: Decoder,
    second: Option<(Decoder, Between)>,
}

#[derive(Default)]
struct Between {
    bytes: Vec<u8>,
    read: usize,
}

impl Chain {
    /// A chain for the codings, in decoding order; `None` without codings.
    pub(super) fn new(codings: &[Coding]) -> Option<Self> {
        let mut decoders = codings.iter().map(|coding| Decoder::new(*coding));
        Some(Self {
            first: decoders.next()?,
            second: decoders.next().map(|second| (second, Between::default())),
        })
    }

    /// Decodes from `input`, and advances its start past the consumed bytes, until `out` has `most` bytes or
    /// the input is exhausted.
    pub(super) fn step(
        &mut self,
        input: &mut &[u8],
        out: &mut Vec<u8>,
        most: usize,
    ) -> Result<(), Broken> {
        let Some((second, between)) = &mut self.second else {
            return self.first.step(input, out, most);
        };
        loop {
            let mut held = between.bytes.get(between.read..).unwrap_or_default();
            let before = held.len();
            second.step(&mut held, out, most)?;
            between.read += before - held.len();
            if out.len() >= most {
                return Ok(());
            }
            between.bytes.clear();
            between.read = 0;
            self.first.step(input, &mut between.bytes, CHAIN_BUFFER)?;
            if between.bytes.is_empty() {
                return Ok(());
            }
        }
    }

    /// Whether every coding reached its end.
    pub(super) fn is_complete(&self) -> bool {
        let second = self.second.as_ref();
        self.first.is_complete() && second.is_none_or(|(second, _)| second.is_complete())
    }
}

enum Decoder {
    Inflate(Inflate),
    Brotli(Box<Brotli>),
    Zstd(Box<Zstd>),
}

impl Decoder {
    fn new(coding: Coding) -> Self {
        match coding {
            Coding::Gzip => Self::Inflate(Inflate::new(Format::Gzip)),
            Coding::Deflate => Self::Inflate(Inflate::new(Format::Deflate)),
            Coding::Brotli => Self::Brotli(Box::new(Brotli::new())),
            Coding::Zstd => Self::Zstd(Box::new(Zstd::new())),
        }
    }

    fn step(&mut self, input: &mut &[u8], out: &mut Vec<u8>, most: usize) -> Result<(), Broken> {
        match self {
            Self::Inflate(inflate) => inflate.step(input, out, most),
            Self::Brotli(brotli) => brotli.step(input, out, most),
            Self::Zstd(zstd) => zstd.step(input, out, most),
        }
    }

    fn is_complete(&self) -> bool {
        match self {
            Self::Inflate(inflate) => inflate.ended,
            Self::Brotli(brotli) => brotli.ended,
            Self::Zstd(zstd) => zstd.is_complete(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Gzip,
    /// RFC 9110 defines `deflate` as the zlib format; some servers send the raw stream. The first two bytes
    /// show which one it is.
    Deflate,
}

/// gzip and deflate. It writes into the result without an intermediate copy.
struct Inflate {
    stream: Decompress,
    format: Format,
    /// The first bytes of `deflate`, until there are two.
    head: Vec<u8>,
    ended: bool,
}

impl Inflate {
    fn new(format: Format) -> Self {
        let stream = match format {
            Format::Gzip => Decompress::new_gzip(15),
            Format::Deflate => Decompress::new(true),
        };
        Self {
            stream,
            format,
            head: Vec::new(),
            ended: false,
        }
    }

    fn step(&mut self, input: &mut &[u8], out: &mut Vec<u8>, most: usize) -> Result<(), Broken> {
        if self.format == Format::Deflate && self.head.len() < 2 {
            while let Some((byte, rest)) = input.split_first().filter(|_| self.head.len() < 2) {
                self.head.push(*byte);
                *input = rest;
            }
            let [first, second] = *self.head.as_slice() else {
                return Ok(());
            };
            self.stream = Decompress::new(is_zlib(first, second));
            // Two bytes decode to at most a few bytes, for which there is space.
            self.inflate(&mut [first, second].as_slice(), out, most)?;
        }
        self.inflate(input, out, most)
    }

    fn inflate(&mut self, input: &mut &[u8], out: &mut Vec<u8>, most: usize) -> Result<(), Broken> {
        while !self.ended && out.len() < most {
            make_room(out, most);
            let (read, written) = (self.stream.total_in(), out.len());
            let status = self
                .stream
                .decompress_vec(input, out, FlushDecompress::None)
                .map_err(|_| Broken)?;
            let read = usize::try_from(self.stream.total_in() - read).map_err(|_| Broken)?;
            *input = input.get(read..).unwrap_or_default();
            match status {
                // A gzip body may have several members (RFC 1952, section 2.2).
                Status::StreamEnd
                    if self.format == Format::Gzip && input.first() == Some(&0x1f) =>
                {
                    self.stream = Decompress::new_gzip(15);
                }
                Status::StreamEnd => self.ended = true,
                Status::Ok | Status::BufError if read == 0 && out.len() == written => break,
                Status::Ok | Status::BufError => {}
            }
        }
        if self.ended {
            // Bytes after the end are ignored.
            *input = &[];
        }
        Ok(())
    }
}

/// Whether two bytes are a zlib header (RFC 1950, section 2.2).
fn is_zlib(first: u8, second: u8) -> bool {
    first & 0x0f == 8 && (u16::from(first) << 8 | u16::from(second)) % 31 == 0
}

/// Reserves space in a result that doubles its size, up to `most`.
fn make_room(out: &mut Vec<u8>, most: usize) {
    if out.len() == out.capacity() {
        let more = out.len().max(SCRATCH).min(most.saturating_sub(out.len()));
        out.reserve_exact(more);
    }
}

/// Brotli without its "large window" extension, which allows windows of a gigabyte.
struct Brotli {
    state: BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    ended: bool,
}

impl Brotli {
    fn new() -> Self {
        let alloc = StandardAlloc::default;
        let mut state = BrotliState::new(alloc(), alloc(), alloc());
        state.large_window = false;
        Self {
            state,
            ended: false,
        }
    }

    fn step(&mut self, input: &mut &[u8], out: &mut Vec<u8>, most: usize) -> Result<(), Broken> {
        while !self.ended && out.len() < most {
            let start = out.len();
            make_room(out, most);
            let room = (out.capacity() - start).min(most - start);
            out.resize(start + room, 0);
            let (mut available, mut read) = (input.len(), 0);
            let (mut free, mut written, mut total) = (room, 0, 0);
            let result = BrotliDecompressStream(
                &mut available,
                &mut read,
                input,
                &mut free,
                &mut written,
                out.get_mut(start..).unwrap_or_default(),
                &mut total,
                &mut self.state,
            );
            out.truncate(start + written);
            *input = input.get(read..).unwrap_or_default();
            match result {
                BrotliResult::ResultSuccess => self.ended = true,
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::NeedsMoreInput => break,
                BrotliResult::ResultFailure => return Err(Broken),
            }
        }
        if self.ended {
            *input = &[];
        }
        Ok(())
    }
}

/// zstd. Its decoder takes whole blocks, so at most one block is buffered. It returns the last window only at
/// the end of the frame, so this much is missing from a body that ends early. Frames may follow one another
/// (RFC 8878, section 3).
struct Zstd {
    decoder: FrameDecoder,
    gathered: Vec<u8>,
    scratch: Vec<u8>,
    in_frame: bool,
    /// Whether a frame reached its end.
    any_frame: bool,
    /// The number of bytes to skip.
    skip: usize,
    /// Whether a checksum of four bytes follows the last block.
    has_checksum: bool,
    ended: bool,
}

impl Zstd {
    fn new() -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(ZSTD_WINDOW);
        Self {
            decoder,
            gathered: Vec::new(),
            scratch: Vec::new(),
            in_frame: false,
            any_frame: false,
            skip: 0,
            has_checksum: false,
            ended: false,
        }
    }

    fn step(&mut self, input: &mut &[u8], out: &mut Vec<u8>, most: usize) -> Result<(), Broken> {
        while !self.ended {
            self.drain(out, most)?;
            if out.len() >= most || !self.advance(input)? {
                break;
            }
        }
        self.drain(out, most)?;
        if self.ended {
            *input = &[];
        }
        Ok(())
    }

    /// Decodes the header of a frame or a block. Returns whether the input sufficed.
    fn advance(&mut self, input: &mut &[u8]) -> Result<bool, Broken> {
        if self.skip > 0 {
            let (skipped, rest) = input.split_at(self.skip.min(input.len()));
            self.skip -= skipped.len();
            *input = rest;
            return Ok(!skipped.is_empty());
        }
        if !self.in_frame {
            return self.begin(input);
        }
        if !self.gather(input, ZSTD_BLOCK_HEADER) {
            return Ok(false);
        }
        let (size, last) = block(&self.gathered)?;
        let behind = if last && self.has_checksum { 4 } else { 0 };
        if !self.gather(input, ZSTD_BLOCK_HEADER + size + behind) {
            return Ok(false);
        }
        let mut source = self.gathered.as_slice();
        let ended = self
            .decoder
            .decode_blocks(&mut source, BlockDecodingStrategy::UptoBlocks(1))
            .map_err(|_| Broken)?;
        let left = source.len();
        self.gathered.drain(..self.gathered.len() - left);
        if ended {
            (self.in_frame, self.any_frame) = (false, true);
        }
        Ok(true)
    }

    /// Whether the last frame reached its end and no byte of another frame follows.
    fn is_complete(&self) -> bool {
        let is_between = !self.in_frame && self.gathered.is_empty() && self.skip == 0;
        self.ended || (self.any_frame && is_between)
    }

    fn begin(&mut self, input: &mut &[u8]) -> Result<bool, Broken> {
        self.gather(input, ZSTD_MAGIC.len());
        let is_skipped = begins(&self.gathered, ZSTD_SKIPPED, 0x0f);
        if self.any_frame && !is_skipped && !begins(&self.gathered, ZSTD_MAGIC, 0) {
            // Bytes after the frames are ignored.
            self.ended = true;
            return Ok(false);
        }
        if is_skipped && !self.gathered.is_empty() {
            if !self.gather(input, 2 * ZSTD_MAGIC.len()) {
                return Ok(false);
            }
            let size = self.gathered.iter().skip(ZSTD_MAGIC.len()).take(4).rev();
            let size = size.fold(0, |size, byte| size << 8 | usize::from(*byte));
            self.gathered.drain(..2 * ZSTD_MAGIC.len());
            let held = self.gathered.len().min(size);
            self.gathered.drain(..held);
            self.skip = size - held;
            return Ok(true);
        }
        // A short frame may be shorter than the longest header, so it is decoded with the bytes that there are.
        self.gather(input, ZSTD_HEADER);
        let mut source = self.gathered.as_slice();
        if self.decoder.init(&mut source).is_err() {
            return if self.gathered.len() < ZSTD_HEADER {
                Ok(false)
            } else {
                Err(Broken)
            };
        }
        let left = source.len();
        // The frame header descriptor after the magic number (RFC 8878, section 3.1.1.1.1).
        self.has_checksum = self.gathered.get(4).is_some_and(|byte| byte & 0b100 != 0);
        self.gathered.drain(..self.gathered.len() - left);
        self.in_frame = true;
        Ok(true)
    }

    /// Takes bytes from the input until `wanted` bytes are buffered. Returns whether they are.
    fn gather(&mut self, input: &mut &[u8], wanted: usize) -> bool {
        let missing = wanted.saturating_sub(self.gathered.len());
        let (taken, rest) = input.split_at(missing.min(input.len()));
        self.gathered.extend_from_slice(taken);
        *input = rest;
        self.gathered.len() >= wanted
    }

    fn drain(&mut self, out: &mut Vec<u8>, most: usize) -> Result<(), Broken> {
        self.scratch.resize(SCRATCH, 0);
        while out.len() < most {
            let room = SCRATCH.min(most - out.len());
            let target = self.scratch.get_mut(..room).unwrap_or_default();
            let read = self.decoder.read(target).map_err(|_| Broken)?;
            if read == 0 {
                break;
            }
            out.extend_from_slice(self.scratch.get(..read).unwrap_or_default());
        }
        Ok(())
    }
}

/// Whether the available bytes begin with the magic number, ignoring the bits of its first byte that are
/// `free`.
fn begins(bytes: &[u8], magic: [u8; 4], free: u8) -> bool {
    let mut expected = magic.into_iter();
    let mut found = bytes.iter();
    let first = found.next().zip(expected.next());
    first.is_none_or(|(found, expected)| found & !free == expected)
        && found
            .zip(expected)
            .all(|(found, expected)| *found == expected)
}

/// The number of bytes after the header of a block, and whether it is the last one (RFC 8878, section 3.1.1.2).
fn block(bytes: &[u8]) -> Result<(usize, bool), Broken> {
    let [a, b, c, ..] = *bytes else {
        return Err(Broken);
    };
    let header = usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16;
    let size = match (header >> 1 & 0b11, header >> 3) {
        // A repeated byte: one byte represents the whole block.
        (1, _) => 1,
        (0 | 2, size) if size <= ZSTD_BLOCK => size,
        _ => return Err(Broken),
    };
    Ok((size, header & 1 == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of one block without compression.
    fn frame(text: &str) -> Vec<u8> {
        let size = u8::try_from(text.len()).unwrap();
        let mut frame = ZSTD_MAGIC.to_vec();
        frame.extend([0x20, size, size << 3 | 1, size >> 5, 0]);
        frame.extend(text.bytes());
        frame
    }

    /// The decoded bytes when the input arrives in chunks of this size, and whether they are complete.
    fn decode(bytes: &[u8], piece: usize) -> (String, bool) {
        let mut zstd = Decoder::new(Coding::Zstd);
        let mut out = Vec::new();
        for mut input in bytes.chunks(piece) {
            zstd.step(&mut input, &mut out, 1_000).unwrap();
            assert!(input.is_empty());
        }
        (String::from_utf8(out).unwrap(), zstd.is_complete())
    }

    #[test]
    fn zstd_frames_may_follow_one_another() {
        let skipped = [0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        let several = [
            skipped.to_vec(),
            frame("one, "),
            skipped.to_vec(),
            frame("two, "),
            frame("three"),
        ]
        .concat();
        for piece in [1, 7, 1_000] {
            let decoded = decode(&several, piece);
            assert_eq!(decoded, ("one, two, three".to_owned(), true), "{piece}");
            let (text, is_complete) = decode(&[frame(""), several.clone()].concat(), piece);
            assert!(text.ends_with("three") && is_complete, "{piece}");
            // Bytes that are not a frame are ignored.
            let padded = [several.as_slice(), b"\0\0"].concat();
            assert!(decode(&padded, piece).1);
        }
    }

    #[test]
    fn a_later_frame_that_ends_early_leaves_zstd_incomplete() {
        let several = [frame("one, "), frame("two")].concat();
        let whole = frame("one, ").len();
        for cut in [whole + 1, whole + 4, whole + 6, several.len() - 1] {
            let (text, is_complete) = decode(&several[..cut], 1_000);
            assert!(text.starts_with("one, "), "{text}");
            assert!(!is_complete, "{cut}");
        }
        assert!(decode(&several[..whole], 1_000).1);
    }
}
