//! Exit statuses.

use std::process::ExitCode;

/// The exit status of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: success.
    Fine,
    /// 1: finished, but a gate failed.
    GateFailed,
    /// 2: wrong usage or configuration.
    Usage,
    /// 3: could not run or did not finish: the site is down, the target is not allowed, the id is
    /// unknown, the audit was cancelled.
    CouldNotRun,
    /// 130: exited at the second Ctrl-C, the status that shells use for an interrupted program.
    Interrupted,
}

impl Exit {
    /// The exit status as a number.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::GateFailed => 1,
            Self::Usage => 2,
            Self::CouldNotRun => 3,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
