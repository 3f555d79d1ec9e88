//! gzip with a limit on the decompressed size.

use std::io::Read;

use flate2::read::MultiGzDecoder;

/// The highest compression ratio of deflate (RFC 1951: 258 bytes from two bits).
const MAX_RATIO: usize = 1_032;

/// The decompressed data of a gzip stream.
pub(super) struct Inflated {
    pub(super) bytes: Vec<u8>,
    /// Whether the stream ended early or contains invalid data.
    pub(super) is_broken: bool,
}

/// Whether the first bytes are those of a gzip stream (RFC 1952, section 2.3.1).
pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Decompresses all members of the stream, and stops at `limit` bytes.
pub(super) fn inflate(bytes: &[u8], limit: usize) -> Inflated {
    // Capacity for the largest possible result, so that growing never doubles the memory.
    let most = bytes.len().saturating_mul(MAX_RATIO).min(limit);
    let mut inflated = Vec::with_capacity(most);
    let stop = u64::try_from(limit).unwrap_or(u64::MAX);
    let result = MultiGzDecoder::new(bytes)
        .take(stop)
        .read_to_end(&mut inflated);
    Inflated {
        bytes: inflated,
        is_broken: result.is_err(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn compressed_data_round_trips() {
        let inflated = inflate(&deflate(b"abc"), 1_000);
        assert_eq!(
            (inflated.bytes.as_slice(), inflated.is_broken),
            (&b"abc"[..], false)
        );
    }

    #[test]
    fn members_are_joined() {
        let stream = [deflate(b"ab"), deflate(b"cd")].concat();
        assert_eq!(inflate(&stream, 1_000).bytes, b"abcd");
    }

    #[test]
    fn a_gzip_bomb_stops_at_the_limit() {
        let bomb = deflate(&vec![0; 10_000_000]);
        assert!(bomb.len() < 11_000);
        let inflated = inflate(&bomb, 1_000_000);
        assert_eq!(inflated.bytes.len(), 1_000_000);
        assert!(inflated.bytes.capacity() <= 1_000_000);
        assert!(!inflated.is_broken);
    }

    #[test]
    fn a_broken_stream_keeps_the_data_before_the_error() {
        let noise: Vec<u8> = (0_u32..100_000)
            .map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0])
            .collect();
        let mut stream = deflate(&noise);
        stream.truncate(stream.len() / 2);
        let inflated = inflate(&stream, 1_000_000);
        assert!(inflated.is_broken);
        assert!(!inflated.bytes.is_empty() && noise.starts_with(&inflated.bytes));
    }

    #[test]
    fn two_bytes_are_no_stream() {
        let inflated = inflate(&[0x1f, 0x8b], 1_000);
        assert!(inflated.is_broken && inflated.bytes.is_empty());
    }
}
