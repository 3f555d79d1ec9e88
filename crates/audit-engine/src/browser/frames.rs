//! The pictures of the window while a page is measured.

use serde::Deserialize;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::cdp::commands::{AcknowledgeFrame, StartScreencast, StopScreencast};
use super::cdp::events::Event;
use super::cdp::{CdpError, HUNG, Session};
use crate::bounds::browser::{MAX_FRAME_BYTES, MAX_FRAMES};
use crate::lab::{Frame, Histogram};

/// The largest width of a picture, and its largest height, in pixels. Its colors are counted, and nobody looks at it.
const SIZE: (u32, u32) = (206, 412);

/// The quality of a picture in percent.
const QUALITY: u32 = 60;

/// The pictures so far. If there are more than [`MAX_FRAMES`], every second one is dropped, but never the last.
#[derive(Debug, Default)]
pub(super) struct Frames(Vec<Picture>);

#[derive(Debug)]
struct Picture {
    /// When it was shown, in milliseconds since 1970.
    at_ms: f64,
    /// In base64.
    jpeg: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameEvent {
    data: String,
    metadata: Metadata,
    session_id: i64,
}

#[derive(Deserialize)]
struct Metadata {
    /// Seconds since 1970.
    #[serde(default)]
    timestamp: Option<f64>,
}

/// Begins to send pictures.
pub(super) async fn begin(tab: &Session) -> Result<(), CdpError> {
    let start = StartScreencast {
        format: "jpeg",
        quality: QUALITY,
        max_width: SIZE.0,
        max_height: SIZE.1,
    };
    tab.call(&start).await.map(|_| ())
}

/// Ends what [`begin`] began.
pub(super) async fn end(tab: &Session) {
    // The tab may have ended.
    let _ = tab.call_within(&StopScreencast {}, HUNG).await;
}

impl Frames {
    /// Adds the picture of an event, and asks for the next one.
    pub(super) async fn add(&mut self, tab: &Session, event: &Event) {
        let Some(frame) = event.read::<FrameEvent>() else {
            return;
        };
        let acknowledge = AcknowledgeFrame {
            session_id: frame.session_id,
        };
        // The tab may have ended.
        let _ = tab.call_within(&acknowledge, HUNG).await;
        if let Some(timestamp) = frame.metadata.timestamp {
            self.keep(Picture {
                at_ms: timestamp * 1_000.0,
                jpeg: frame.data,
            });
        }
    }

    fn keep(&mut self, picture: Picture) {
        if picture.jpeg.len() > MAX_FRAME_BYTES {
            return;
        }
        if self.0.len() >= MAX_FRAMES {
            let mut place = 0_usize;
            self.0.retain(|_| {
                place += 1;
                place.is_multiple_of(2)
            });
        }
        self.0.push(picture);
    }

    /// The colors of the pictures, with times since the navigation began at `origin_ms`. Pictures of what was there
    /// before are left out, and those that cannot be read.
    pub(super) fn read(self, origin_ms: f64) -> Vec<Frame> {
        let pictures = self.0.into_iter();
        let pictures = pictures.filter(|picture| picture.at_ms >= origin_ms);
        let frames = pictures.filter_map(|picture| {
            Some(Frame {
                at_ms: milliseconds(picture.at_ms - origin_ms),
                histogram: histogram(&picture.jpeg)?,
            })
        });
        frames.collect()
    }
}

/// Whole milliseconds; 0 for a time before the navigation.
pub(super) fn milliseconds(ms: f64) -> u32 {
    let duration = std::time::Duration::try_from_secs_f64(ms / 1_000.0).unwrap_or_default();
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

fn histogram(jpeg: &str) -> Option<Histogram> {
    let bytes = data_encoding::BASE64.decode(jpeg.as_bytes()).ok()?;
    let most = |pixels: u32| usize::try_from(pixels).unwrap_or(usize::MAX);
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGB)
        .set_max_width(most(SIZE.0))
        .set_max_height(most(SIZE.1));
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    Some(Histogram::of_rgb(&decoder.decode().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(at_ms: u32) -> Picture {
        Picture {
            at_ms: at_ms.into(),
            jpeg: String::new(),
        }
    }

    #[test]
    fn pictures_are_thinned_out_and_the_last_is_kept() {
        let mut frames = Frames::default();
        for at in 0..3_001 {
            frames.keep(picture(at));
        }
        assert!(frames.0.len() <= MAX_FRAMES && frames.0.len() > MAX_FRAMES / 4);
        assert_eq!(frames.0.last().unwrap().at_ms, 3_000.0);
        assert!(frames.0.is_sorted_by_key(|frame| milliseconds(frame.at_ms)));
    }

    #[test]
    fn a_picture_that_is_too_large_is_not_kept() {
        let mut frames = Frames::default();
        frames.keep(Picture {
            at_ms: 1.0,
            jpeg: "A".repeat(MAX_FRAME_BYTES + 1),
        });
        assert!(frames.0.is_empty());
    }

    #[test]
    fn what_is_no_picture_is_left_out() {
        let mut frames = Frames::default();
        for jpeg in ["", "no base64", "AAAA"] {
            frames.keep(Picture {
                at_ms: 1.0,
                jpeg: jpeg.to_owned(),
            });
        }
        assert_eq!(frames.read(0.0), []);
    }

    #[test]
    fn times_before_the_navigation_are_its_beginning() {
        assert_eq!(milliseconds(-5.0), 0);
        assert_eq!(milliseconds(f64::NAN), 0);
        assert_eq!(milliseconds(1_234.9), 1_234);
    }
}
