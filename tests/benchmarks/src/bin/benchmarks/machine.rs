//! The machine, and its load.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// The conditions of a measurement besides the program.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    cpu: String,
    cores: usize,
    memory_gib: f64,
    rustc: String,
    commit: String,
    /// When it was read, in UTC.
    date: String,
    /// The load average of the last minute.
    load: f64,
}

impl Machine {
    /// Reads the state of the machine and the commit of a checkout.
    pub(crate) fn read(root: &Path) -> Machine {
        let git = |words: &[&str]| output_of(Command::new("git").arg("-C").arg(root).args(words));
        let is_changed = !git(&["status", "--porcelain", "--untracked-files=no", "--", ":!docs"]).is_empty();
        let commit = git(&["rev-parse", "--short=10", "HEAD"]);
        let line = |file: &str, key: &str| {
            let text = fs::read_to_string(file).unwrap_or_default();
            let line = text.lines().find(|line| line.starts_with(key));
            line.and_then(|line| line.split(':').nth(1)).unwrap_or("?").trim().to_owned()
        };
        let kilobytes = line("/proc/meminfo", "MemTotal").trim_end_matches(" kB").parse().unwrap_or(0.0);
        Machine {
            cpu: line("/proc/cpuinfo", "model name"),
            cores: std::thread::available_parallelism().map_or(1, Into::into),
            memory_gib: f64::round(kilobytes / 1024.0 / 1024.0),
            rustc: output_of(Command::new("rustc").arg("--version")),
            commit: if is_changed { format!("{commit} with changes") } else { commit },
            date: output_of(Command::new("date").args(["-u", "+%F %H:%M"])),
            load: load(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "cpu": self.cpu,
            "cores": self.cores,
            "memory_gib": self.memory_gib,
            "rustc": self.rustc,
            "commit": self.commit,
            "date": self.date,
            "load_before": self.load,
            "load_after": load(),
        })
    }
}

/// Returns the load average of the last minute.
fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0)
}

/// Returns the output of a command without the end of the line; empty if it fails.
fn output_of(command: &mut Command) -> String {
    let output = command.output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).trim().to_owned()
}
