//! How a command ends.

use std::process::ExitCode;

/// The exit status of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Fine,
    /// 1: done, and a gate that was asked for did not hold.
    GateFailed,
    /// 2: wrong usage or configuration.
    Usage,
    /// 3: could not run, or not to the end: the site is down, the target is not allowed, the id is
    /// unknown, the audit was cancelled.
    CouldNotRun,
    /// 130: ended at once, at the second Ctrl-C, as the shell says of a program that it ended.
    Interrupted,
}

impl Exit {
    /// The number the shell sees.
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
