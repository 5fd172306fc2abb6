//! Runs of the program `tafl` in the process of the tests.

use std::io::Cursor;

use tafl_cli::{Exit, Io};

/// The result of a run.
pub(crate) struct ProgramRun {
    pub(crate) exit: Exit,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program with arguments, without input.
///
/// # Panics
///
/// Panics if the program fails; findings are not a failure.
pub(crate) fn tafl(arguments: &[&str]) -> ProgramRun {
    let ran = tafl_with(arguments, "");
    assert_ne!(ran.exit, Exit::Error, "{arguments:?}: {}", ran.stderr);
    ran
}

/// Runs the program with arguments and a standard input.
pub(crate) fn tafl_with(arguments: &[&str], stdin: &str) -> ProgramRun {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut io = Io::new(Cursor::new(stdin.to_owned()), &mut stdout, &mut stderr);
    let exit = tafl_cli::run([&["tafl"], arguments].concat(), &mut io);
    drop(io);
    let text = |bytes| String::from_utf8(bytes).expect("only text is written");
    ProgramRun { exit, stdout: text(stdout), stderr: text(stderr) }
}
