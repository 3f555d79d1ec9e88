//! Detects the type of a file by its first bytes (MIME Sniffing Standard).

/// The image type whose signature the bytes start with; `None` for SVG, which has no signature, and for
/// other files.
pub(crate) fn image_type(bytes: &[u8]) -> Option<&'static str> {
    let at = |offset: usize, signature: &[u8]| {
        bytes
            .get(offset..)
            .is_some_and(|rest| rest.starts_with(signature))
    };
    if at(0, b"\x89PNG\r\n\x1A\n") {
        Some("image/png")
    } else if at(0, b"\xFF\xD8\xFF") {
        Some("image/jpeg")
    } else if at(0, b"GIF87a") || at(0, b"GIF89a") {
        Some("image/gif")
    } else if at(0, b"RIFF") && at(8, b"WEBPVP") {
        Some("image/webp")
    } else if at(4, b"ftypavif") || at(4, b"ftypavis") {
        Some("image/avif")
    } else if at(0, b"BM") && bytes.len() > 14 && at(6, &[0, 0, 0, 0]) {
        Some("image/bmp")
    } else if at(0, b"\x00\x00\x01\x00") || at(0, b"\x00\x00\x02\x00") {
        Some("image/x-icon")
    } else {
        None
    }
}

/// Whether the bytes start like an HTML document.
pub(crate) fn is_html(bytes: &[u8]) -> bool {
    let start = bytes.get(..64).unwrap_or(bytes).to_ascii_lowercase();
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start);
    let start = start.trim_ascii_start();
    start.starts_with(b"<!doctype html") || start.starts_with(b"<html")
}

/// Whether two names are the same type: the registered name and a common alias of it.
pub(crate) fn is_same_type(declared: &str, found: &str) -> bool {
    declared == found
        || matches!(
            (declared, found),
            ("image/jpg" | "image/pjpeg", "image/jpeg")
                | ("image/apng" | "image/x-png", "image/png")
                | ("image/vnd.microsoft.icon", "image/x-icon")
                | ("image/x-ms-bmp" | "image/x-bmp", "image/bmp")
                | ("image/heif" | "image/heic", "image/avif")
        )
}

/// Whether browsers treat the type as JavaScript.
pub(crate) fn is_javascript(media_type: &str) -> bool {
    const JAVASCRIPT: [&str; 16] = [
        "application/ecmascript",
        "application/javascript",
        "application/x-ecmascript",
        "application/x-javascript",
        "text/ecmascript",
        "text/javascript",
        "text/javascript1.0",
        "text/javascript1.1",
        "text/javascript1.2",
        "text/javascript1.3",
        "text/javascript1.4",
        "text/javascript1.5",
        "text/jscript",
        "text/livescript",
        "text/x-ecmascript",
        "text/x-javascript",
    ];
    JAVASCRIPT.contains(&media_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn image_signatures_are_detected() {
        assert_eq!(image_type(b"\x89PNG\r\n\x1A\n...."), Some("image/png"));
        assert_eq!(image_type(b"\xFF\xD8\xFF\xE0"), Some("image/jpeg"));
        assert_eq!(
            image_type(b"RIFF\x00\x00\x00\x00WEBPVP8 "),
            Some("image/webp")
        );
        assert_eq!(image_type(b"\x00\x00\x00\x20ftypavif"), Some("image/avif"));
        assert_eq!(image_type(b"<svg xmlns="), None);
        assert_eq!(image_type(b"BM is a word"), None);
        assert_eq!(image_type(b""), None);
    }

    #[test]
    fn html_is_detected_by_its_start() {
        assert!(is_html(b"\xEF\xBB\xBF\n<!DOCTYPE html>"));
        assert!(!is_html(b"var a = '<html>';"));
    }
}
