//! Lines to a program and back.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::super::player::Fault;

/// Both directions of a conversation in lines.
pub trait Wire {
    /// Says a line.
    ///
    /// # Errors
    ///
    /// Fails when nobody is there any more.
    fn say(&mut self, line: &str) -> Result<(), Fault>;

    /// Returns the next line, without its end.
    ///
    /// # Errors
    ///
    /// Fails when there is none until the deadline, or nobody is there any more.
    fn hear(&mut self, deadline: Instant) -> Result<String, Fault>;
}

/// A program that was started, and its standard input and output. It ends when this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

/// More lines than this are not kept; the program waits until they are read.
const KEPT: usize = 4096;
/// A longer line is cut into several.
const LONGEST: u64 = 1 << 20;
/// How long a program may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(300);

impl Process {
    /// Starts a program: the words of its command line, the program first, in a folder if one is named.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be started.
    pub fn start(words: &[String], folder: Option<&Path>) -> Result<Process, Fault> {
        let gone = |why: String| Fault::Gone { why };
        let (program, rest) = words.split_first().ok_or_else(|| gone("no program is named".to_owned()))?;
        let mut command = Command::new(program);
        command.args(rest).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        let mut child =
            command.spawn().map_err(|error| gone(format!("{program} cannot be started: {error}")))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(gone(format!("{program} has no standard input or output")));
        };
        let (sender, lines) = sync_channel(KEPT);
        // It ends with the program's output, or when nobody listens any more.
        thread::spawn(move || pass_on(BufReader::new(stdout), &sender));
        Ok(Process { child, stdin, lines })
    }
}

fn pass_on(mut output: impl BufRead, sender: &SyncSender<String>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
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

impl Wire for Process {
    fn say(&mut self, line: &str) -> Result<(), Fault> {
        // A line is one write: some programs take what they read at once for a whole command.
        let said = self.stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.stdin.flush());
        said.map_err(|error| Fault::Gone { why: error.to_string() })
    }

    fn hear(&mut self, deadline: Instant) -> Result<String, Fault> {
        let left = deadline.saturating_duration_since(Instant::now());
        // A program that never stops talking would always have said one more line.
        if left.is_zero() {
            return Err(Fault::Silent { after: left });
        }
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => Fault::Silent { after: left },
            RecvTimeoutError::Disconnected => Fault::Gone { why: last_words(&mut self.child) },
        })
    }
}

/// Returns how a program ended.
fn last_words(child: &mut Child) -> String {
    let until = Instant::now() + FAREWELL;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return format!("it ended with {status}"),
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(5)),
            Ok(None) => return "it closed its output".to_owned(),
            Err(error) => return error.to_string(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; nothing is left to be done then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
