//! Which run a crash is charged to.
//!
//! A process that dies has runs under way, and its death does not say which of them caused it, or
//! whether anything but an operator did. So those runs are suspects: each is tried again alone, in a
//! process of its own, while the process that started it watches. Only what that process sees is
//! charged to the run.

use chrono::{DateTime, TimeDelta, Utc};

/// Crashes charged to a run that end it as `resource_limit`.
pub const CRASHES_ALONE: u32 = 2;

/// Interruptions after which a run may be given up, if it started [`INTERRUPTIONS_SPAN`] ago. An
/// interruption is the death of a process, or a lease that ran out; it proves nothing against the run,
/// so it takes many of them, over a long time: a service that is killed once a second for
/// minutes fails no run.
pub const INTERRUPTIONS: u32 = 20;

/// How long ago an interrupted run must have started to be given up.
pub const INTERRUPTIONS_SPAN: TimeDelta = TimeDelta::hours(1);

/// How the process that audited a run ended, without a result, as its parent saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Crash {
    /// By itself: it aborted because it ran out of memory, or through a fault of its code.
    Aborted,
    /// Something killed it: the system, which was short of memory, or an operator.
    Killed,
}

/// What follows from a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CrashVerdict {
    /// Nothing is charged. The run is tried again alone.
    Suspect,
    /// The crash is charged to the run, which is tried again.
    Charge,
    /// The crash is charged to the run, which ends as `resource_limit`.
    End,
}

impl Crash {
    /// Judges a crash of a run that was charged with some before. A process that was killed proves
    /// something only if the run was alone: memory may have been short through another run.
    #[must_use]
    pub const fn verdict(self, was_alone: bool, charged_before: u32) -> CrashVerdict {
        match (self, was_alone) {
            (Self::Killed, false) => CrashVerdict::Suspect,
            (Self::Aborted, _) | (Self::Killed, true) => {
                if charged_before.saturating_add(1) >= CRASHES_ALONE {
                    CrashVerdict::End
                } else {
                    CrashVerdict::Charge
                }
            }
        }
    }
}

/// Whether a run was interrupted so often, over so long a time, that it is given up as `internal`.
#[must_use]
pub fn has_been_interrupted_enough(
    interruptions: u32,
    started_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> bool {
    interruptions >= INTERRUPTIONS && now.signed_duration_since(started_at) >= INTERRUPTIONS_SPAN
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::killed_beside_others(Crash::Killed, false, 0, CrashVerdict::Suspect)]
    #[case::killed_beside_others_after_a_charge(Crash::Killed, false, 1, CrashVerdict::Suspect)]
    #[case::killed_alone(Crash::Killed, true, 0, CrashVerdict::Charge)]
    #[case::killed_alone_twice(Crash::Killed, true, 1, CrashVerdict::End)]
    #[case::aborted(Crash::Aborted, false, 0, CrashVerdict::Charge)]
    #[case::aborted_twice(Crash::Aborted, false, 1, CrashVerdict::End)]
    #[case::aborted_alone(Crash::Aborted, true, 0, CrashVerdict::Charge)]
    #[case::more_than_enough(Crash::Aborted, true, 7, CrashVerdict::End)]
    fn crashes(
        #[case] crash: Crash,
        #[case] was_alone: bool,
        #[case] charged_before: u32,
        #[case] expected: CrashVerdict,
    ) {
        assert_eq!(crash.verdict(was_alone, charged_before), expected);
    }

    #[rstest]
    #[case::often_and_long(INTERRUPTIONS, INTERRUPTIONS_SPAN, true)]
    #[case::seldom(INTERRUPTIONS - 1, TimeDelta::days(30), false)]
    #[case::not_for_long(10_000, TimeDelta::minutes(59), false)]
    fn interruptions(#[case] times: u32, #[case] ago: TimeDelta, #[case] expected: bool) {
        let now = DateTime::<Utc>::UNIX_EPOCH + TimeDelta::days(20_000);
        assert_eq!(has_been_interrupted_enough(times, now - ago, now), expected);
    }
}
