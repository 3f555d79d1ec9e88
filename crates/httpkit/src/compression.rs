//! Response compression.
//!
//! A response is compressed as a whole where it is created, on a blocking thread. Gzip at a low level is the only
//! coding: for responses created on request, the smaller size of Brotli is not worth its time and memory.

use std::io::{Read, Write};

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// Minimum size for compression, in bytes; a smaller response fits in one packet anyway.
pub const MIN_BYTES: usize = 1_024;
/// Compression level for responses created on request: half the time of the default level, for 10% more bytes.
const LEVEL: u32 = 3;
/// Compression level for responses that are created once and cached.
const BEST_LEVEL: u32 = 9;

/// The coding, as a `Content-Encoding` value.
pub const GZIP: HeaderValue = HeaderValue::from_static("gzip");
/// The `Vary` value of a response that may be compressed.
pub const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// Whether the response to a request may be compressed.
pub fn takes_gzip(request: &HttpRequest) -> bool {
    request.method() != Method::HEAD && accepts_gzip(request.headers())
}

/// Compresses a response created on request if it is large enough, and adds `Content-Encoding` and `Vary`.
pub fn compress(
    bytes: &mut Vec<u8>,
    headers: &mut Vec<(HeaderName, HeaderValue)>,
    accepts_gzip: bool,
) {
    if bytes.len() < MIN_BYTES {
        return;
    }
    headers.push((header::VARY, ACCEPT_ENCODING));
    if !accepts_gzip {
        return;
    }
    if let Ok(compressed) = gzip(bytes, LEVEL) {
        *bytes = compressed;
        headers.push((header::CONTENT_ENCODING, GZIP));
    }
}

/// Compresses a cached response as well as possible.
pub fn compress_once(bytes: &[u8]) -> Option<Vec<u8>> {
    gzip(bytes, BEST_LEVEL)
        .ok()
        .filter(|compressed| compressed.len() < bytes.len())
}

/// Decompresses what the binary embeds compressed. Not for bytes of others: the result is not bounded.
///
/// # Errors
/// When the bytes are not gzip.
pub fn decompress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut decompressed = Vec::with_capacity(bytes.len() * 4);
    GzDecoder::new(bytes).read_to_end(&mut decompressed)?;
    Ok(decompressed)
}

fn gzip(bytes: &[u8], level: u32) -> std::io::Result<Vec<u8>> {
    let room = Vec::with_capacity(bytes.len() / 4);
    let mut encoder = GzEncoder::new(room, Compression::new(level));
    encoder.write_all(bytes)?;
    let mut compressed = encoder.finish()?;
    compressed.shrink_to_fit();
    Ok(compressed)
}

/// Whether the header lists gzip with a weight above zero.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(parse_entry)
        .find(|(name, _)| name == "gzip")
        .is_some_and(|(_, accepts_gzip)| accepts_gzip)
}

/// Parses one entry of the header: a coding, and whether its weight is above zero.
fn parse_entry(entry: &str) -> (String, bool) {
    let (coding, weight) = entry.split_once(';').unwrap_or((entry, ""));
    let weight = weight
        .trim()
        .strip_prefix(['q', 'Q'])
        .and_then(|rest| rest.trim_start().strip_prefix('='))
        .and_then(|number| number.trim().parse::<f32>().ok())
        .unwrap_or(1.0);
    (coding.trim().to_ascii_lowercase(), weight > 0.0)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::both("gzip, br", true)]
    #[case::one("gzip", true)]
    #[case::brotli("br", false)]
    #[case::weights("br;q=1, GZIP;q=0.5", true)]
    #[case::spaces("br ; q = 1 , gzip ; q=0", false)]
    #[case::others("deflate, zstd", false)]
    #[case::anything("*", false)]
    #[case::nothing("identity;q=0, *;q=0", false)]
    #[case::broken(";;q==,,", false)]
    fn codings(#[case] header: &str, #[case] expected: bool) {
        let request = TestRequest::get()
            .insert_header((header::ACCEPT_ENCODING, header))
            .to_http_request();
        assert_eq!(takes_gzip(&request), expected);
    }
}
