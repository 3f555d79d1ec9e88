//! Human-readable sizes.

use domain::text::grouped;

/// The size in KiB, rounded down, or in bytes below one KiB.
pub(crate) fn size(bytes: u64) -> String {
    if bytes < 1_024 {
        format!("{} bytes", grouped(bytes))
    } else {
        format!("{} KiB", grouped(bytes / 1_024))
    }
}

/// A size as a measured value, capped at four GiB.
pub(crate) fn measure(bytes: u64) -> f64 {
    f64::from(u32::try_from(bytes).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_down() {
        assert_eq!(size(1_023), "1,023 bytes");
        assert_eq!(size(2_047), "1 KiB");
        assert_eq!(size(5 * 1_024 * 1_024), "5,120 KiB");
    }
}
