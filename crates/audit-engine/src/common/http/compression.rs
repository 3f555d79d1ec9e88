//! Estimates how many bytes compression saves.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The minimum saving in bytes for a finding, as in Chrome's performance insights.
pub(crate) const LEAST_SAVING: u64 = 1_400;

/// The bytes that gzip saves for a body; `None` if compression fails.
pub(crate) fn measured_saving(body: &[u8]) -> Option<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).ok()?;
    let compressed = encoder.finish().ok()?;
    u64::try_from(body.len().saturating_sub(compressed.len())).ok()
}

/// The bytes that gzip usually saves for text of this type and length, by the ratios of Chrome's
/// performance insights.
pub(crate) fn usual_saving(media_type: &str, bytes: u64) -> u64 {
    let hundredths = match media_type {
        "text/css" => 80,
        "text/html" | "text/javascript" => 67,
        _ => 50,
    };
    bytes / 100 * hundredths + bytes % 100 * hundredths / 100
}

/// Whether the media type is a text format that compresses well.
pub(crate) fn is_compressible(media_type: &str) -> bool {
    media_type.starts_with("text/")
        || media_type.ends_with("+xml")
        || media_type.ends_with("+json")
        || matches!(
            media_type,
            "application/javascript"
                | "application/x-javascript"
                | "application/json"
                | "application/xml"
                | "font/ttf"
                | "font/otf"
                | "application/vnd.ms-fontobject"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitive_text_compresses_well_and_tiny_text_saves_nothing() {
        assert!(measured_saving(&b"harbour ".repeat(1_000)).unwrap() > 7_500);
        assert_eq!(measured_saving(b"x"), Some(0));
    }

    #[test]
    fn usual_savings_match_chrome() {
        assert_eq!(usual_saving("text/html", 2_090), 1_400);
        assert_eq!(usual_saving("text/css", 1_000), 800);
        assert_eq!(usual_saving("image/svg+xml", 1_001), 500);
    }

    #[test]
    fn images_and_compressed_fonts_are_not_compressible() {
        assert!(is_compressible("image/svg+xml"));
        assert!(is_compressible("application/manifest+json"));
        assert!(!is_compressible("image/png"));
        assert!(!is_compressible("font/woff2"));
    }
}
