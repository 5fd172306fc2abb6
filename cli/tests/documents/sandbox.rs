//! A folder with the samples, for running commands of the documents in a shell.

use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The output of a command line.
pub(super) struct ShellOutput {
    /// Standard output.
    pub(super) stdout: String,
    /// Standard error.
    pub(super) stderr: String,
    /// The exit code of the last command.
    pub(super) code: Option<i32>,
}

/// A folder created by `tafl demo`: samples in `games`, and a corpus of them.
pub(super) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(super) fn new() -> Sandbox {
        let folder = tempfile::tempdir().unwrap();
        let sandbox = Sandbox { folder };
        let output = sandbox.shell("tafl demo .");
        assert!(sandbox.path().join("corpus").exists(), "{}", output.stderr);
        sandbox
    }

    /// Returns the path of the folder.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a command line in the folder, with the tested program as `tafl`.
    pub(super) fn shell(&self, line: &str) -> ShellOutput {
        Sandbox::shell_in(self.path(), line)
    }

    /// Runs a command line in a folder that is also the home folder.
    pub(super) fn shell_in(folder: &Path, line: &str) -> ShellOutput {
        let bin = Path::new(env!("CARGO_BIN_EXE_tafl")).parent().expect("a program is in a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(folder)
            .env("HOME", folder)
            .env("PATH", format!("{}:{path}", bin.display()))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
        ShellOutput { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() }
    }
}
