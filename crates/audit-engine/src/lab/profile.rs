//! The connections and processors that pages are measured with.

use std::time::Duration;

use domain::report::LabProfile;

/// The speed of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkSpeed {
    /// The time from a request to its response, if both are short and the server answers at once.
    pub round_trip: Duration,
    /// Bits per second from the site.
    pub down_bits: u64,
    /// Bits per second to the site.
    pub up_bits: u64,
}

/// The connection of a profile, with the speeds of Lighthouse.
#[must_use]
pub const fn link_speed(profile: LabProfile) -> LinkSpeed {
    match profile {
        LabProfile::MobileSlow4g => LinkSpeed {
            round_trip: Duration::from_millis(150),
            down_bits: 1_600_000,
            up_bits: 750_000,
        },
        LabProfile::Desktop => LinkSpeed {
            round_trip: Duration::from_millis(40),
            down_bits: 10_000_000,
            up_bits: 10_000_000,
        },
    }
}

/// The `BenchmarkIndex` of the machine for which a rate of 4 makes the processor as slow as that of a mid-range phone.
const USUAL_INDEX: u32 = 1_750;

/// How many times slower the processor is made, on a machine with this `BenchmarkIndex`: four times for a phone on a
/// usual machine, less on a slower one, at most six times.
#[must_use]
pub fn cpu_rate(profile: LabProfile, index: u32) -> f64 {
    match profile {
        LabProfile::MobileSlow4g => {
            let rate = 4.0 * f64::from(index) / f64::from(USUAL_INDEX);
            // Two decimals are more than the benchmark is worth.
            (rate.clamp(1.0, 6.0) * 100.0).round() / 100.0
        }
        LabProfile::Desktop => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(1_750, 4.0)]
    #[case(875, 2.0)]
    #[case(200, 1.0)]
    #[case(5_000, 6.0)]
    #[case(1_000, 2.29)]
    fn a_slow_machine_is_slowed_down_less(#[case] index: u32, #[case] expected: f64) {
        assert_eq!(cpu_rate(LabProfile::MobileSlow4g, index), expected);
        assert_eq!(cpu_rate(LabProfile::Desktop, index), 1.0);
    }
}
