//! Bodies: content codings undone, sizes bounded.

use std::io::Read;

use bytes::Bytes;

/// What the engine asks servers to use.
pub(super) const ACCEPT_ENCODING: &str = "gzip, deflate, br, zstd";

/// A decoded body.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) body: Bytes,
    /// Whether decoded bytes are missing: the limit was reached, or the coding ended early.
    pub(super) truncated: bool,
}

/// Undoes the content codings (RFC 9110, section 8.4), last applied first, keeping at most `limit`
/// bytes. An unknown or broken coding leaves what could be decoded.
pub(super) fn decode(wire: Bytes, content_encoding: Option<&str>, limit: u64) -> Decoded {
    let codings: Vec<String> = content_encoding
        .unwrap_or_default()
        .split(',')
        .map(|coding| coding.trim().to_ascii_lowercase())
        .filter(|coding| !coding.is_empty() && coding != "identity")
        .collect();
    let mut decoded = Decoded {
        body: wire,
        truncated: false,
    };
    // More than two codings never occur but as an attack.
    for coding in codings.iter().rev().take(2) {
        let (body, truncated) = undo(coding, &decoded.body, limit);
        decoded = Decoded {
            body,
            truncated: decoded.truncated || truncated,
        };
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if decoded.body.len() > limit {
        decoded.body.truncate(limit);
        decoded.truncated = true;
    }
    decoded
}

fn undo(coding: &str, wire: &Bytes, limit: u64) -> (Bytes, bool) {
    let input = wire.as_ref();
    match coding {
        "gzip" | "x-gzip" => read_bounded(flate2::read::MultiGzDecoder::new(input), limit),
        // RFC 9110 means the zlib format; some servers send raw deflate.
        "deflate" => {
            let (body, truncated) = read_bounded(flate2::read::ZlibDecoder::new(input), limit);
            if body.is_empty() && !input.is_empty() {
                read_bounded(flate2::read::DeflateDecoder::new(input), limit)
            } else {
                (body, truncated)
            }
        }
        "br" => read_bounded(brotli_decompressor::Decompressor::new(input, 4096), limit),
        "zstd" => match ruzstd::decoding::StreamingDecoder::new(input) {
            Ok(decoder) => read_bounded(decoder, limit),
            Err(_) => (Bytes::new(), true),
        },
        _ => (wire.clone(), false),
    }
}

/// Reads at most one byte more than `limit`, which is how the caller knows that there was more.
fn read_bounded(decoder: impl Read, limit: u64) -> (Bytes, bool) {
    let mut out = Vec::new();
    let complete = decoder
        .take(limit.saturating_add(1))
        .read_to_end(&mut out)
        .is_ok();
    (Bytes::from(out), !complete)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(body: &[u8]) -> Bytes {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(body).unwrap();
        Bytes::from(encoder.finish().unwrap())
    }

    #[test]
    fn gzip_is_undone() {
        let decoded = decode(gzip(b"hello"), Some("GZIP"), 100);
        assert_eq!((&*decoded.body, decoded.truncated), (&b"hello"[..], false));
    }

    #[test]
    fn a_bomb_ends_at_the_limit() {
        let decoded = decode(gzip(&vec![0; 10_000_000]), Some("gzip"), 1_000);
        assert_eq!((decoded.body.len(), decoded.truncated), (1_000, true));
    }

    #[test]
    fn a_cut_stream_keeps_what_arrived() {
        let whole = gzip("abc ".repeat(10_000).as_bytes());
        let decoded = decode(whole.slice(..whole.len() / 2), Some("gzip"), 1_000_000);
        assert!(decoded.truncated);
        assert!(decoded.body.starts_with(b"abc "));
    }

    #[test]
    fn raw_deflate_is_understood() {
        let mut encoder =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(b"hello").unwrap();
        let decoded = decode(Bytes::from(encoder.finish().unwrap()), Some("deflate"), 100);
        assert_eq!(&*decoded.body, b"hello");
    }

    #[test]
    fn an_unknown_coding_is_left_alone() {
        assert_eq!(
            &*decode(Bytes::from_static(b"x"), Some("rot13"), 9).body,
            b"x"
        );
    }
}
