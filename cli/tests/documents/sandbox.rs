//! A folder with the samples, in which commands of the documents run as in a shell.

use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What a command line wrote.
pub(super) struct Shown {
    /// Standard output.
    pub(super) stdout: String,
    /// Standard error.
    pub(super) stderr: String,
    /// The exit code of the last command.
    pub(super) code: Option<i32>,
}

/// A folder as `tafl demo` leaves it: samples in `games`, and a corpus of them.
pub(super) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(super) fn new() -> Sandbox {
        let folder = tempfile::tempdir().unwrap();
        let sandbox = Sandbox { folder };
        let ran = sandbox.shell("tafl demo .");
        assert!(sandbox.path().join("corpus").exists(), "{}", ran.stderr);
        sandbox
    }

    /// Returns the folder.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a command line in the folder; `tafl` is the program that was built.
    pub(super) fn shell(&self, line: &str) -> Shown {
        Sandbox::shell_in(self.path(), line)
    }

    /// Runs a command line in a folder, which is also the home folder.
    pub(super) fn shell_in(folder: &Path, line: &str) -> Shown {
        let bin = Path::new(env!("CARGO_BIN_EXE_tafl")).parent().expect("a program lies in a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let done = Command::new("sh")
            .args(["-c", line])
            .current_dir(folder)
            .env("HOME", folder)
            .env("PATH", format!("{}:{path}", bin.display()))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).expect("programs write text");
        Shown { stdout: text(done.stdout), stderr: text(done.stderr), code: done.status.code() }
    }
}
