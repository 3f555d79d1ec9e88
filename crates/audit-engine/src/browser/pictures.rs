//! Takes pictures of a page for people: of the window, and of elements.

use std::time::Duration;

use data_encoding::BASE64;
use serde_json::{Value, json};
use tokio::time::Instant;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;

use super::cdp::commands::{CaptureClip, Clip};
use super::cdp::{CdpError, Session};
use super::world::World;
use crate::bounds::browser::{MAX_PHOTO_BYTES, MAX_PHOTO_WIDTH, MAX_PHOTOGRAPHED_ELEMENTS};
use crate::gather::{PagePictures, Photo, PictureOrder};

/// The qualities of a picture in percent: the first with which it is small enough.
const QUALITIES: [u32; 2] = [60, 30];

/// How long the pictures of a page may take.
const MOST_TIME: Duration = Duration::from_secs(8);

const SCRIPT: &str = include_str!("pictures.js");

/// A part of the document in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    /// Pixels of a picture for each CSS pixel.
    density: f64,
}

/// Takes the pictures that are wanted, as far as the time allows. The page's scripts must be stopped.
pub(super) async fn take(
    tab: &Session,
    frame: &str,
    order: &PictureOrder,
) -> Result<PagePictures, CdpError> {
    let until = Instant::now() + MOST_TIME;
    let world = World::enter(tab, frame).await?;
    world.evaluate(SCRIPT).await?;
    let mut pictures = PagePictures {
        viewport: of_window(tab, world).await?,
        ..PagePictures::default()
    };
    for element in order.elements.iter().take(MAX_PHOTOGRAPHED_ELEMENTS) {
        let (selector, snippet) = (json!(element.selector), json!(element.snippet));
        let find = format!("assayPictures.element({selector}, {snippet})");
        let photo = match Instant::now() < until {
            true => match read_place(&world.evaluate(&find).await?) {
                Some(place) => photograph(tab, place).await?,
                None => None,
            },
            false => None,
        };
        pictures.elements.push(photo);
    }
    Ok(pictures)
}

/// A picture of the window at the top of the page.
pub(super) async fn window(tab: &Session, frame: &str) -> Result<Option<Photo>, CdpError> {
    let world = World::enter(tab, frame).await?;
    world.evaluate(SCRIPT).await?;
    of_window(tab, world).await
}

async fn of_window(tab: &Session, world: World<'_>) -> Result<Option<Photo>, CdpError> {
    match read_place(&world.evaluate("assayPictures.top()").await?) {
        Some(place) => photograph(tab, place).await,
        None => Ok(None),
    }
}

async fn photograph(tab: &Session, place: Place) -> Result<Option<Photo>, CdpError> {
    for quality in QUALITIES {
        let capture = CaptureClip {
            format: "jpeg",
            quality,
            clip: place.clip(),
        };
        let photo = read_photo(&tab.call(&capture).await?.data);
        if photo.is_some() {
            return Ok(photo);
        }
    }
    Ok(None)
}

impl Place {
    /// The part, in a picture that has a pixel for each CSS pixel, and fewer if it were too wide then.
    fn clip(self) -> Clip {
        let scale = (f64::from(MAX_PHOTO_WIDTH) / self.width).min(1.0);
        Clip {
            x: self.left,
            y: self.top,
            width: self.width,
            height: self.height,
            scale: scale / self.density,
        }
    }
}

fn read_place(value: &Value) -> Option<Place> {
    let numbers = value.as_array()?.iter().map(Value::as_f64);
    let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
    let [left, top, width, height, density] = *numbers.as_slice() else {
        return None;
    };
    let is_sound = width >= 1.0 && height >= 1.0 && density > 0.0;
    is_sound.then_some(Place {
        left,
        top,
        width,
        height,
        density,
    })
}

/// The picture that the browser took; none if it is larger than is kept, or no JPEG file.
fn read_photo(base64: &str) -> Option<Photo> {
    if base64.len() / 4 * 3 > MAX_PHOTO_BYTES + 2 {
        return None;
    }
    let jpeg = BASE64.decode(base64.as_bytes()).ok()?;
    if jpeg.len() > MAX_PHOTO_BYTES {
        return None;
    }
    let mut decoder = JpegDecoder::new(ZCursor::new(jpeg.as_slice()));
    decoder.decode_headers().ok()?;
    let (width, height) = decoder.dimensions()?;
    Some(Photo {
        width: u32::try_from(width).ok()?,
        height: u32::try_from(height).ok()?,
        jpeg,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_at_most_as_wide_as_the_maximum() {
        let place = |width, density| Place {
            left: 0.0,
            top: 0.0,
            width,
            height: 100.0,
            density,
        };
        assert_eq!(place(412.0, 2.0).clip().scale, 0.5);
        let wide = 2.0 * f64::from(MAX_PHOTO_WIDTH);
        assert_eq!(place(wide, 1.0).clip().scale, 0.5);
    }

    #[test]
    fn what_is_no_place_is_not_pictured() {
        assert_eq!(read_place(&json!(null)), None);
        assert_eq!(read_place(&json!([0, 0, 10, 10])), None);
        assert_eq!(read_place(&json!([0, 0, 0, 10, 1])), None);
        assert!(read_place(&json!([0, 0, 10.5, 10, 1.75])).is_some());
    }

    /// A JPEG file of 8 × 4 pixels.
    fn jpeg() -> Vec<u8> {
        let mut file = vec![0xff, 0xd8, 0xff, 0xdb, 0, 67, 0];
        file.extend([1; 64]);
        file.extend([0xff, 0xc0, 0, 11, 8, 0, 4, 0, 8, 1, 1, 0x11, 0]);
        file.extend([
            0xff, 0xc4, 0, 20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ]);
        file.extend([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0xff, 0xd9]);
        file
    }

    #[test]
    fn what_is_no_jpeg_file_or_too_large_is_no_picture() {
        assert_eq!(read_photo("?"), None);
        for other in [b"<svg onload=alert(1)>".as_slice(), b"GIF89a", b""] {
            assert_eq!(read_photo(&BASE64.encode(other)), None);
        }
        let mut jpeg = jpeg();
        let photo = read_photo(&BASE64.encode(&jpeg)).unwrap();
        assert_eq!((photo.width, photo.height), (8, 4));
        jpeg.resize(MAX_PHOTO_BYTES, 0);
        assert!(read_photo(&BASE64.encode(&jpeg)).is_some());
        jpeg.push(0);
        assert_eq!(read_photo(&BASE64.encode(&jpeg)), None);
    }
}
