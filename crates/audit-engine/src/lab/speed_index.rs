//! Speed Index: how quickly the window fills with what it shows in the end.

/// A picture of the window at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// When it was shown.
    pub at_ms: u32,
    /// Its colors.
    pub histogram: Histogram,
}

/// How often each value of each color channel occurs, without pixels that are nearly white.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram(Box<[[u32; 256]; 3]>);

/// A pixel of which no channel is below this counts as background.
const NEARLY_WHITE: u8 = 249;

impl Histogram {
    /// The histogram of a picture with three bytes for each pixel. A rest of fewer bytes is ignored.
    #[must_use]
    pub fn of_rgb(pixels: &[u8]) -> Self {
        let mut counts = Box::new([[0_u32; 256]; 3]);
        let (pixels, _) = pixels.as_chunks::<3>();
        for pixel in pixels {
            if pixel.iter().all(|value| *value >= NEARLY_WHITE) {
                continue;
            }
            for (channel, value) in counts.iter_mut().zip(pixel) {
                if let Some(count) = channel.get_mut(usize::from(*value)) {
                    *count = count.saturating_add(1);
                }
            }
        }
        Self(counts)
    }

    /// The histogram of an empty window.
    fn blank() -> Self {
        Self(Box::new([[0; 256]; 3]))
    }

    fn counts(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flatten().copied()
    }

    /// How much of what the window shows in the end it shows now, in hundredths rounded down; all if the last
    /// picture does not differ from the first one. As `speedline` computes it, which Lighthouse uses.
    fn progress(&self, first: &Self, last: &Self) -> u32 {
        let (mut matching, mut total) = (0_u64, 0_u64);
        let counts = self.counts().zip(first.counts()).zip(last.counts());
        for ((now, first), last) in counts {
            let difference = u64::from(now.abs_diff(first));
            let target = u64::from(last.abs_diff(first));
            matching += difference.min(target);
            total += target;
        }
        let percent = (matching * 100).checked_div(total).unwrap_or(100);
        u32::try_from(percent).unwrap_or(100)
    }
}

/// The mean time at which what the window shows in the end was shown. None without a picture. `first_paint_ms` is the
/// result if no picture differs from an empty window: what was painted is nearly white, or too small.
pub(super) fn speed_index(frames: &[Frame], first_paint_ms: u32) -> Option<u32> {
    let last = &frames.last()?.histogram;
    // The tab was empty when the navigation began, whether or not a picture of that arrived.
    let blank = Histogram::blank();
    if *last == blank {
        return Some(first_paint_ms);
    }
    let (mut sum, mut at, mut missing) = (0_u64, 0_u32, 100_u32);
    for frame in frames {
        let elapsed = frame.at_ms.saturating_sub(at);
        sum += u64::from(elapsed) * u64::from(missing);
        at = at.max(frame.at_ms);
        missing = 100 - frame.histogram.progress(&blank, last).min(100);
    }
    u32::try_from(sum / 100).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of 100 pixels, of which this number are black and the others white.
    fn frame(at_ms: u32, black: usize) -> Frame {
        let mut pixels = vec![0; 3 * black];
        pixels.resize(300, 255);
        Frame {
            at_ms,
            histogram: Histogram::of_rgb(&pixels),
        }
    }

    #[test]
    fn a_page_that_is_shown_at_once_has_the_time_of_its_first_picture() {
        assert_eq!(speed_index(&[frame(800, 60)], 790), Some(800));
        assert_eq!(
            speed_index(&[frame(0, 0), frame(800, 60), frame(2_000, 60)], 790),
            Some(800)
        );
    }

    #[test]
    fn what_comes_later_counts_by_its_share() {
        // Half at 1,000 ms, the rest at 3,000 ms: 1,000 + 2,000 × ½.
        let frames = [frame(1_000, 30), frame(3_000, 60)];
        assert_eq!(speed_index(&frames, 900), Some(2_000));
    }

    #[test]
    fn a_window_that_stays_nearly_white_has_the_time_of_the_first_paint() {
        assert_eq!(speed_index(&[frame(500, 0)], 700), Some(700));
        assert_eq!(speed_index(&[], 700), None);
        let grey = Histogram::of_rgb(&[250; 300]);
        assert_eq!(grey, Histogram::blank());
    }

    #[test]
    fn more_than_the_last_picture_shows_is_not_more_than_all() {
        let last = frame(0, 10).histogram;
        assert_eq!(
            frame(0, 90).histogram.progress(&Histogram::blank(), &last),
            100
        );
    }
}
