//! Child processes and their cost.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::Value;

/// Ticks of the processor's clock in a second, as Linux reports them.
const TICKS: f64 = 100.0;

/// A program that has ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
    pub(crate) wall: Duration,
    /// Of the program with all its threads and children, in steps of a hundredth of a second.
    pub(crate) cpu: Duration,
    /// The peak memory, in bytes.
    pub(crate) peak: u64,
}

/// The standard input of a program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'t> {
    pub(crate) text: &'t str,
    /// The number of repetitions of the text.
    pub(crate) times: usize,
}

impl Input<'static> {
    pub(crate) const NONE: Input<'static> = Input { text: "", times: 0 };
}

/// Runs a program to its end.
///
/// # Errors
///
/// Fails when it cannot be started.
pub(crate) fn run(command: &mut Command, input: Input<'_>) -> Result<Run, String> {
    let line = command_line(command);
    let failed = |error: std::io::Error| format!("`{line}`: {error}");
    let (begun, cpu) = (Instant::now(), children_cpu());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut stdin = child.stdin.take();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (status, stdout, stderr, peak) = thread::scope(|scope| {
        scope.spawn(move || {
            let mut pipe = stdin.take();
            for _ in 0..input.times {
                // A program that stops reading reports the reason itself.
                let Some(true) = pipe.as_mut().map(|pipe| pipe.write_all(input.text.as_bytes()).is_ok())
                else {
                    break;
                };
            }
        });
        let stdout = scope.spawn(|| text(stdout));
        let stderr = scope.spawn(|| text(stderr));
        let (mut peak, mut status) = (0, Ok(None));
        while let Ok(None) = status {
            peak = peak.max(peak_of(child.id()));
            thread::sleep(Duration::from_millis(5));
            status = child.try_wait();
        }
        let read = |text: thread::ScopedJoinHandle<'_, String>| text.join().unwrap_or_default();
        (status, read(stdout), read(stderr), peak)
    });
    let code = status.map_err(failed)?.and_then(|status| status.code());
    let (wall, cpu) = (begun.elapsed(), children_cpu().saturating_sub(cpu));
    Ok(Run { stdout, stderr, code, wall, cpu, peak })
}

impl Run {
    /// Returns itself if the exit code is 0, or 1, which means that there are findings.
    ///
    /// # Errors
    ///
    /// Returns the program's messages otherwise.
    pub(crate) fn success(self) -> Result<Run, String> {
        match self.code {
            Some(0 | 1) => Ok(self),
            code => {
                let lines: Vec<&str> = self.stderr.lines().collect();
                let last = &lines[lines.len().saturating_sub(5)..];
                Err(format!("a program ended with {code:?}: {}", last.join(" / ")))
            }
        }
    }

    /// Returns standard output as JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if the answer is not JSON.
    pub(crate) fn json(&self) -> Result<Value, String> {
        serde_json::from_str(&self.stdout).map_err(|error| format!("the answer is not JSON: {error}"))
    }
}

fn text(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    // After an error, the output so far is used.
    let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns a command as it would be typed: words with blanks are in quotes.
pub(crate) fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = command.get_args().map(|word| {
        let word = word.to_string_lossy();
        if word.contains(' ') { format!("\"{word}\"").into() } else { word }
    });
    std::iter::once(program.to_string_lossy()).chain(words).collect::<Vec<_>>().join(" ")
}

/// Returns the peak memory of a running program, in bytes; 0 if the system does not report it.
pub(crate) fn peak_of(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: Option<u64> = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// Returns the processor time of children that have ended.
fn children_cpu() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name, in parentheses, may contain blanks; after it, the times of children are the 14th and 15th field.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_secs_f64(ticks as f64 / TICKS)
}

/// A program that runs in the background and is ended with its owner.
#[derive(Debug)]
pub(crate) struct Server(pub(crate) Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_and_exit_code_are_returned() {
        let mut command = Command::new("sh");
        command.args(["-c", "cat; exit 1"]);
        let run = run(&mut command, Input { text: "ab", times: 3 }).unwrap().success().unwrap();
        assert_eq!((run.stdout.as_str(), run.code), ("ababab", Some(1)));
        assert_eq!(command_line(&command), "sh -c \"cat; exit 1\"");
    }

    #[test]
    fn cpu_time_is_counted() {
        let mut command = Command::new("sh");
        command.args(["-c", "n=0; while [ $n -lt 200000 ]; do n=$((n+1)); done"]);
        let run = run(&mut command, Input::NONE).unwrap();
        assert!(run.cpu > Duration::ZERO && run.cpu <= run.wall + Duration::from_millis(20), "{run:?}");
    }
}
