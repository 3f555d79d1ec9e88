//! The dimensions of an image file, read from its header.

/// The dimensions of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pixels {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// Whether the image is or may be animated; a GIF always may be, because its frames are not
    /// counted.
    pub moves: bool,
}

impl Pixels {
    /// Reads a PNG, GIF, JPEG or WebP; `None` for other formats and for files truncated before the
    /// dimensions.
    pub(crate) fn decode(file: &[u8]) -> Option<Self> {
        let found = if file.starts_with(b"\x89PNG\r\n\x1A\n") {
            png(file)
        } else if file.starts_with(b"GIF87a") || file.starts_with(b"GIF89a") {
            gif(file)
        } else if file.starts_with(b"\xFF\xD8") {
            jpeg(file)
        } else if file.starts_with(b"RIFF") && file.get(8..12) == Some(b"WEBP") {
            webp(file)
        } else {
            None
        };
        found.filter(|pixels| pixels.width > 0 && pixels.height > 0)
    }

    /// The number of pixels.
    pub(crate) fn count(self) -> u64 {
        u64::from(self.width).saturating_mul(u64::from(self.height))
    }
}

fn png(file: &[u8]) -> Option<Pixels> {
    // The IHDR chunk comes first (PNG, section 5.6).
    let header = file.get(12..)?.strip_prefix(b"IHDR")?;
    // The animation chunk comes before the first image data.
    let mut chunk = file.get(8..)?;
    let moves = loop {
        let length = usize::try_from(big(chunk.get(..4)?)).ok()?;
        match chunk.get(4..8)? {
            b"acTL" => break true,
            b"IDAT" => break false,
            _ => chunk = chunk.get(length.checked_add(12)?..)?,
        }
    };
    Some(Pixels {
        width: big(header.get(..4)?),
        height: big(header.get(4..8)?),
        moves,
    })
}

fn gif(file: &[u8]) -> Option<Pixels> {
    Some(Pixels {
        width: little(file.get(6..8)?),
        height: little(file.get(8..10)?),
        moves: true,
    })
}

fn jpeg(file: &[u8]) -> Option<Pixels> {
    let mut rest = file.get(2..)?;
    loop {
        let (marker, behind) = match rest {
            [0xFF, 0xFF, ..] => {
                rest = rest.get(1..)?;
                continue;
            }
            [0xFF, marker, behind @ ..] => (*marker, behind),
            _ => return None,
        };
        match marker {
            // Frame headers; the other three markers of this range are tables.
            0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => {
                return Some(Pixels {
                    width: big(behind.get(5..7)?),
                    height: big(behind.get(3..5)?),
                    moves: false,
                });
            }
            0x01 | 0xD0..=0xD8 => rest = behind,
            // Scan data, or the end of the image, before a frame header.
            0xD9 | 0xDA => return None,
            _ => rest = behind.get(usize::try_from(big(behind.get(..2)?)).ok()?.max(2)..)?,
        }
    }
}

fn webp(file: &[u8]) -> Option<Pixels> {
    match file.get(12..16)? {
        b"VP8 " if file.get(23..26) == Some(b"\x9D\x01\x2A") => Some(Pixels {
            width: little(file.get(26..28)?) & 0x3FFF,
            height: little(file.get(28..30)?) & 0x3FFF,
            moves: false,
        }),
        b"VP8L" if file.get(20) == Some(&0x2F) => {
            let bits = little(file.get(21..25)?);
            Some(Pixels {
                width: (bits & 0x3FFF) + 1,
                height: ((bits >> 14) & 0x3FFF) + 1,
                moves: false,
            })
        }
        // The second bit is the animation flag.
        b"VP8X" => Some(Pixels {
            width: little(file.get(24..27)?) + 1,
            height: little(file.get(27..30)?) + 1,
            moves: file.get(20)? & 2 != 0,
        }),
        _ => None,
    }
}

/// A big-endian number of at most four bytes.
fn big(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0, |number, byte| (number << 8) | u32::from(*byte))
}

/// A little-endian number of at most four bytes.
fn little(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, byte| (number << 8) | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dimensions of an image that is not animated.
    fn size(file: &[u8]) -> Option<(u32, u32)> {
        let still = Pixels::decode(file).filter(|pixels| !pixels.moves)?;
        Some((still.width, still.height))
    }

    fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        [&length[..], name, data, &[0; 4]].concat()
    }

    fn png(between: &[u8]) -> Vec<u8> {
        let header = [
            &640_u32.to_be_bytes()[..],
            &480_u32.to_be_bytes(),
            &[8, 6, 0, 0, 0],
        ]
        .concat();
        [
            b"\x89PNG\r\n\x1A\n",
            &chunk(b"IHDR", &header)[..],
            between,
            &chunk(b"IDAT", b"x"),
        ]
        .concat()
    }

    #[test]
    fn png_dimensions_are_in_the_first_chunk() {
        assert_eq!(size(&png(b"")), Some((640, 480)));
        assert_eq!(size(&png(&chunk(b"acTL", &[0; 8]))), None);
        assert_eq!(size(&png(b"")[..30]), None);
    }

    #[test]
    fn animated_images_have_dimensions_as_well() {
        let moving = |file: &[u8]| {
            let found = Pixels::decode(file).filter(|pixels| pixels.moves)?;
            Some((found.width, found.height))
        };
        assert_eq!(moving(&png(&chunk(b"acTL", &[0; 8]))), Some((640, 480)));
        assert_eq!(moving(b"GIF89a\xB0\x04\x76\x02\0"), Some((1200, 630)));
        assert_eq!(moving(b"GIF89a\xB0"), None);
    }

    #[test]
    fn jpeg_dimensions_are_in_the_frame_after_other_segments() {
        let file = |frame: u8| {
            let mut file = b"\xFF\xD8\xFF\xE1\x00\x06Exif\xFF\xFF\xDB\x00\x04qq\xFF".to_vec();
            file.extend([frame, 0, 11, 8, 1, 0xE0, 2, 0x80, 3]);
            file
        };
        assert_eq!(size(&file(0xC0)), Some((640, 480)));
        assert_eq!(size(&file(0xC2)), Some((640, 480)));
        assert_eq!(size(&file(0xC4)), None);
        assert_eq!(size(b"\xFF\xD8\xFF\xDA\x00\x04"), None);
    }

    #[test]
    fn webp_dimensions_are_read_from_all_three_formats() {
        let file =
            |kind: &[u8; 4], data: &[u8]| [b"RIFF\0\0\0\0WEBP", &kind[..], &[0; 4], data].concat();
        assert_eq!(
            size(&file(b"VP8 ", b"\0\0\0\x9D\x01\x2A\x80\x02\xE0\x01")),
            Some((640, 480))
        );
        let bits = (639_u32 | (479 << 14)).to_le_bytes();
        assert_eq!(
            size(&file(b"VP8L", &[&[0x2F], &bits[..]].concat())),
            Some((640, 480))
        );
        let extended = |flags: u8| file(b"VP8X", &[flags, 0, 0, 0, 0x7F, 2, 0, 0xDF, 1, 0]);
        assert_eq!(size(&extended(0x10)), Some((640, 480)));
        assert_eq!(size(&extended(0x12)), None);
    }

    #[test]
    fn other_files_have_no_dimensions() {
        for file in [
            &b""[..],
            b"GIF89a\0\0\x01\0",
            b"<svg>",
            b"RIFF",
            b"\xFF\xD8",
            b"\x89PNG\r\n\x1A\n",
        ] {
            assert_eq!(size(file), None);
        }
    }
}
