//! gzip streams composed of pieces that were compressed once.

use crc32fast::Hasher;
use flate2::{Compress, Compression, FlushCompress, Status};

/// Compressed bytes that can be a part of any stream.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    deflated: Vec<u8>,
    checksum: Hasher,
    size: usize,
}

impl Piece {
    /// Compresses the bytes so that the result ends at a byte boundary and has no references to earlier data.
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let mut checksum = Hasher::new();
        checksum.update(bytes);
        Self {
            deflated: deflate(bytes),
            checksum,
            size: bytes.len(),
        }
    }
}

/// A stream made of pieces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Packed {
    deflated: Vec<u8>,
    checksum: Hasher,
    size: usize,
}

impl Packed {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a piece at the end.
    pub(crate) fn push(&mut self, piece: &Piece) {
        self.deflated.extend_from_slice(&piece.deflated);
        self.checksum.combine(&piece.checksum);
        self.size = self.size.wrapping_add(piece.size);
    }

    /// Adds a piece whose bytes are available: reading a few of them again is cheaper than combining checksums.
    pub(crate) fn push_known(&mut self, piece: &Piece, bytes: &[u8]) {
        self.deflated.extend_from_slice(&piece.deflated);
        self.checksum.update(bytes);
        self.size = self.size.wrapping_add(piece.size);
    }

    /// Adds bytes in stored blocks, which is cheaper than compressing few bytes.
    pub(crate) fn push_stored(&mut self, bytes: &[u8]) {
        for block in bytes.chunks(usize::from(u16::MAX)) {
            let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
            self.deflated.push(0);
            self.deflated.extend_from_slice(&length.to_le_bytes());
            self.deflated.extend_from_slice(&(!length).to_le_bytes());
            self.deflated.extend_from_slice(block);
        }
        self.checksum.update(bytes);
        self.size = self.size.wrapping_add(bytes.len());
    }

    /// The stream in the gzip format (RFC 1952).
    pub(crate) fn gzip(&self) -> Vec<u8> {
        let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
        out.extend_from_slice(&self.deflated);
        // An empty last block.
        out.extend_from_slice(&[3, 0]);
        out.extend_from_slice(&self.checksum.clone().finalize().to_le_bytes());
        let size = self.size & usize::try_from(u32::MAX).unwrap_or(usize::MAX);
        out.extend_from_slice(&u32::try_from(size).unwrap_or(0).to_le_bytes());
        out
    }

    /// The stream in the zlib format (RFC 1950) with an invalid checksum, for streams that are never read to
    /// their end.
    pub(crate) fn zlib(&self) -> Vec<u8> {
        let mut out = vec![0x78, 0x9c];
        out.extend_from_slice(&self.deflated);
        out.extend_from_slice(&[3, 0, 0, 0, 0, 0]);
        out
    }
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut compress = Compress::new(Compression::best(), false);
    let mut out = Vec::with_capacity(bytes.len() / 4 + 64);
    loop {
        let taken = usize::try_from(compress.total_in()).unwrap_or(usize::MAX);
        let rest = bytes.get(taken..).unwrap_or_default();
        let status = compress.compress_vec(rest, &mut out, FlushCompress::Sync);
        let all = usize::try_from(compress.total_in()).is_ok_and(|taken| taken >= bytes.len());
        // Remaining capacity means that the flush is complete.
        if !matches!(status, Ok(Status::Ok)) || (all && out.len() < out.capacity()) {
            return out;
        }
        out.reserve(4_096);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn pieces_make_a_stream_with_a_true_checksum() {
        let text = "Pieces of text that are compressed once. ".repeat(500);
        let noise: Vec<u8> = (0..100_000_u32)
            .map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[3])
            .collect();
        let mut packed = Packed::new();
        let mut expected = Vec::new();
        for _ in 0..3 {
            packed.push(&Piece::new(text.as_bytes()));
            packed.push_stored(b"between them");
            packed.push_known(&Piece::new(&noise), &noise);
            expected.extend_from_slice(text.as_bytes());
            expected.extend_from_slice(b"between them");
            expected.extend_from_slice(&noise);
        }
        let mut out = Vec::new();
        flate2::read::GzDecoder::new(&*packed.gzip())
            .read_to_end(&mut out)
            .unwrap();
        assert!(out == expected);
    }

    #[test]
    fn nothing_is_a_stream_too() {
        let mut out = Vec::new();
        let mut packed = Packed::new();
        packed.push(&Piece::new(b""));
        flate2::read::GzDecoder::new(&*packed.gzip())
            .read_to_end(&mut out)
            .unwrap();
        assert!(out.is_empty());
    }
}
