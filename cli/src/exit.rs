//! How a run of the program ended.

use std::process::ExitCode;

/// How a run ended; the exit code says it to other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exit {
    /// Everything was done and nothing is wrong: 0.
    Ok,
    /// Everything was done, and something is wrong with the input: 1.
    Findings,
    /// Something could not be done, such as reading a file, or the command line is wrong: 2.
    Error,
}

impl Exit {
    /// Returns the number that other programs see.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Ok => 0,
            Exit::Findings => 1,
            Exit::Error => 2,
        }
    }

    /// Returns the worse of two.
    #[must_use]
    pub fn and(self, other: Exit) -> Exit {
        self.max(other)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// An error that people have been told about; only the exit is left to be handed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("see above")]
pub(crate) struct Said(pub(crate) Exit);
