//! The exit of the program.

use std::process::ExitCode;

/// The exit of a run, and its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exit {
    /// The run succeeded without findings: 0.
    Ok,
    /// The run succeeded, and there are findings about the input: 1.
    Findings,
    /// The run failed, for example because a file could not be read or the command line is wrong: 2.
    Error,
}

impl Exit {
    /// Returns the exit code.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Ok => 0,
            Exit::Findings => 1,
            Exit::Error => 2,
        }
    }

    /// Returns the worse of two exits.
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

/// An error that has been printed already; it carries only the exit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("see above")]
pub(crate) struct Reported(pub(crate) Exit);
