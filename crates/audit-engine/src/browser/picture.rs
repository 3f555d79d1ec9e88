//! Pictures of the window.

use std::io::Cursor;

use data_encoding::BASE64;

use super::cdp::commands::CaptureScreenshot;
use super::cdp::{CdpError, Session};

/// Pixels of a picture that is read. A window has at most 1.3 million.
const MAX_PIXELS: usize = 8_000_000;

/// A picture of the window, in PNG and base64. Two are equal if and only if their pixels are: the encoder of the browser
/// has no other input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Picture(String);

impl Picture {
    pub(super) async fn take(tab: &Session) -> Result<Self, CdpError> {
        let capture = CaptureScreenshot {
            format: "png",
            optimize_for_speed: true,
        };
        Ok(Self(tab.call(&capture).await?.data))
    }

    /// The pixels; none if they cannot be read, or if there are too many.
    pub(super) fn pixels(&self) -> Option<Pixels> {
        let bytes = BASE64.decode(self.0.as_bytes()).ok()?;
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().ok()?;
        let size = reader
            .output_buffer_size()
            .filter(|size| *size <= 4 * MAX_PIXELS)?;
        let mut buffer = vec![0; size];
        let info = reader.next_frame(&mut buffer).ok()?;
        let rgb = match info.color_type {
            png::ColorType::Rgb => buffer.as_chunks::<3>().0.to_vec(),
            png::ColorType::Rgba => {
                let whole = buffer.as_chunks::<4>().0.iter();
                whole
                    .map(|[red, green, blue, _]| [*red, *green, *blue])
                    .collect()
            }
            _ => return None,
        };
        let width = usize::try_from(info.width).ok()?;
        Some(Pixels { width, rgb })
    }
}

/// The pixels of a picture: red, green and blue, in rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pixels {
    width: usize,
    rgb: Vec<[u8; 3]>,
}

impl Pixels {
    #[cfg(test)]
    pub(super) fn new(width: usize, rgb: Vec<[u8; 3]>) -> Self {
        Self { width, rgb }
    }

    /// The pixel at this place; none outside of the picture.
    pub(super) fn at(&self, column: usize, row: usize) -> Option<[u8; 3]> {
        if column >= self.width {
            return None;
        }
        self.rgb.get(row * self.width + column).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_read_as_rows_of_pixels() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
        encoder.set_color(png::ColorType::Rgba);
        let mut writer = encoder.write_header().unwrap();
        let data = [
            1, 2, 3, 255, 4, 5, 6, 255, //
            7, 8, 9, 255, 10, 11, 12, 255,
        ];
        writer.write_image_data(&data).unwrap();
        writer.finish().unwrap();
        let pixels = Picture(BASE64.encode(&bytes)).pixels().unwrap();
        assert_eq!(pixels.at(0, 0), Some([1, 2, 3]));
        assert_eq!(pixels.at(1, 0), Some([4, 5, 6]));
        assert_eq!(pixels.at(0, 1), Some([7, 8, 9]));
        assert_eq!((pixels.at(2, 0), pixels.at(0, 2)), (None, None));
    }

    #[test]
    fn what_is_no_picture_has_no_pixels() {
        assert_eq!(Picture("?".to_owned()).pixels(), None);
        assert_eq!(Picture(BASE64.encode(b"GIF89a")).pixels(), None);
    }
}
