//! Line-based communication with a program.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::super::player::PlayerError;
use super::error_output::ErrorOutput;

/// A bidirectional connection that exchanges lines of text.
pub trait Wire {
    /// Sends a line.
    ///
    /// # Errors
    ///
    /// Returns an error if the other side has closed the connection.
    fn send(&mut self, line: &str) -> Result<(), PlayerError>;

    /// Receives the next line, without its terminator.
    ///
    /// # Errors
    ///
    /// Returns an error if no line arrives before the deadline, or if the other side has closed the
    /// connection.
    fn receive(&mut self, deadline: Instant) -> Result<String, PlayerError>;
}

/// A running program with its standard input and output. It is killed when this value is dropped.
#[derive(Debug)]
pub struct RemoteProcess {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    errors: ErrorOutput,
}

/// The maximum number of buffered lines; further output blocks the program.
const MAX_BUFFERED: usize = 4096;
/// The maximum length of a line; longer lines are split.
const MAX_LINE: u64 = 1 << 20;
/// The time a program may take to exit by itself.
const EXIT_TIME: Duration = Duration::from_millis(300);

impl RemoteProcess {
    /// Starts a program, given the words of its command line, optionally in a folder.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be started.
    pub fn start(words: &[String], folder: Option<&Path>) -> Result<RemoteProcess, PlayerError> {
        let (program, rest) =
            words.split_first().ok_or_else(|| PlayerError::gone("the command line is empty"))?;
        let mut command = Command::new(program);
        command.args(rest).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        let mut child = command
            .spawn()
            .map_err(|error| PlayerError::gone(format!("{program} cannot be started: {error}")))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(PlayerError::gone(format!("{program} has no standard input or output")));
        };
        let (sender, lines) = sync_channel(MAX_BUFFERED);
        // The thread ends with the program's output, or when the receiver is dropped.
        thread::spawn(move || forward_lines(BufReader::new(stdout), &sender));
        Ok(RemoteProcess { child, stdin, lines, errors: ErrorOutput::of(stderr) })
    }

    /// Returns the fault of a program that has closed its input or output.
    fn gone(&mut self) -> PlayerError {
        let why = exit_description(&mut self.child);
        PlayerError::Gone { why, stderr: self.errors.last_lines(EXIT_TIME) }
    }

    fn silent(&self, after: Duration) -> PlayerError {
        PlayerError::Silent { after, stderr: self.errors.last_lines(Duration::ZERO) }
    }
}

fn forward_lines(mut output: impl BufRead, sender: &SyncSender<String>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
                if sender.send(text).is_err() {
                    return;
                }
            }
        }
    }
}

impl Wire for RemoteProcess {
    fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        // A line is one write, because some programs treat everything that they read at once as one
        // command.
        let written = self.stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.stdin.flush());
        written.map_err(|_| self.gone())
    }

    fn receive(&mut self, deadline: Instant) -> Result<String, PlayerError> {
        let left = deadline.saturating_duration_since(Instant::now());
        // Otherwise a program that never stops writing would never time out.
        if left.is_zero() {
            return Err(self.silent(left));
        }
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => self.silent(left),
            RecvTimeoutError::Disconnected => self.gone(),
        })
    }
}

/// Returns a description of how a program ended.
fn exit_description(child: &mut Child) -> String {
    let until = Instant::now() + EXIT_TIME;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return format!("it ended with {status}"),
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(5)),
            Ok(None) => return "it closed its output".to_owned(),
            Err(error) => return error.to_string(),
        }
    }
}

impl Drop for RemoteProcess {
    fn drop(&mut self) {
        // Errors mean that it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
