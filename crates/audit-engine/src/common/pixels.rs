//! How large an image is, by the header of its file.

/// Width and height in pixels of a PNG, GIF, JPEG or WebP; none for other formats and for a file that
/// breaks off before it says so.
pub(crate) fn pixel_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let size = if bytes.starts_with(b"\x89PNG\r\n\x1A\n") {
        // The header chunk comes first (PNG, section 5.6).
        let header = bytes.get(12..).filter(|rest| rest.starts_with(b"IHDR"))?;
        (big(header, 4, 4)?, big(header, 8, 4)?)
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        (little(bytes, 6, 2)?, little(bytes, 8, 2)?)
    } else if bytes.starts_with(b"\xFF\xD8") {
        jpeg(bytes)?
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        webp(bytes.get(12..)?)?
    } else {
        return None;
    };
    (size.0 > 0 && size.1 > 0).then_some(size)
}

/// Goes from marker to marker up to the first frame header (ITU-T T.81, annex B).
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.get(2..)?;
    loop {
        let (marker, after) = match rest {
            // Any number of 0xFF may fill the space before a marker.
            [0xFF, 0xFF, ..] => {
                rest = rest.get(1..)?;
                continue;
            }
            [0xFF, marker, after @ ..] => (*marker, after),
            _ => return None,
        };
        match marker {
            // Frames of every coding; 0xC4, 0xC8 and 0xCC are other segments.
            0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => {
                return Some((big(after, 5, 2)?, big(after, 3, 2)?));
            }
            // Markers without a segment.
            0x01 | 0xD0..=0xD8 => rest = after,
            _ => {
                let length = usize::try_from(big(after, 0, 2)?).ok()?;
                rest = after.get(length.max(2)..)?;
            }
        }
    }
}

/// The first chunk says it, in one of three ways (RFC 9649, section 2).
fn webp(chunk: &[u8]) -> Option<(u32, u32)> {
    let data = chunk.get(8..)?;
    match chunk.get(..4)? {
        b"VP8X" => Some((little(data, 4, 3)? + 1, little(data, 7, 3)? + 1)),
        b"VP8L" => {
            let bits = little(data, 1, 4)?;
            Some(((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1))
        }
        b"VP8 " => Some((little(data, 6, 2)? & 0x3FFF, little(data, 8, 2)? & 0x3FFF)),
        _ => None,
    }
}

fn big(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    let octets = bytes.get(at..)?.get(..length)?;
    Some(octets.iter().fold(0, |n, octet| n << 8 | u32::from(*octet)))
}

fn little(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    let octets = bytes.get(at..)?.get(..length)?.iter().rev();
    Some(octets.fold(0, |n, octet| n << 8 | u32::from(*octet)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_tells_its_size() {
        let png = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x04\xB0\0\0\x02\x76\x08\x02";
        assert_eq!(pixel_size(png), Some((1200, 630)));
        assert_eq!(pixel_size(b"GIF89a\xB0\x04\x76\x02\0"), Some((1200, 630)));
        let jpeg =
            b"\xFF\xD8\xFF\xE0\0\x04ab\xFF\xFF\xC4\0\x02\xFF\xC2\0\x11\x08\x02\x76\x04\xB0\x03";
        assert_eq!(pixel_size(jpeg), Some((1200, 630)));
        let vp8x = b"RIFF\0\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0\xAF\x04\0\x75\x02\0";
        assert_eq!(pixel_size(vp8x), Some((1200, 630)));
        let vp8 = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0abc\x9D\x01\x2A\xB0\x04\x76\x02";
        assert_eq!(pixel_size(vp8), Some((1200, 630)));
        // 1199 in the lower 14 bits, 629 in the next.
        let vp8l = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2F\xAF\x44\x9D\0";
        assert_eq!(pixel_size(vp8l), Some((1200, 630)));
    }

    #[test]
    fn what_breaks_off_or_goes_on_and_on_says_nothing() {
        assert_eq!(pixel_size(b""), None);
        assert_eq!(pixel_size(b"<svg width='1200'>"), None);
        assert_eq!(pixel_size(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0"), None);
        assert_eq!(pixel_size(b"GIF89a\0\0\0\0"), None);
        assert_eq!(
            pixel_size(&[&b"\xFF\xD8"[..], &[0xFF; 9_999]].concat()),
            None
        );
        assert_eq!(pixel_size(b"\xFF\xD8\xFF\xE0\0\0\xFF\xE0\0\0"), None);
    }
}
