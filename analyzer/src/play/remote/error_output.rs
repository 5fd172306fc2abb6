//! The last lines of a program's standard error, for messages about its failure.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The number of lines that are kept.
const MAX_LINES: usize = 5;

/// The maximum length of a line in bytes; longer lines are split.
const MAX_LINE: u64 = 500;

/// The standard error of a program, which is read until its end, so that the program never waits for a reader.
#[derive(Debug)]
pub(super) struct ErrorOutput {
    lines: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected at the end of the output.
    end: Receiver<()>,
}

impl ErrorOutput {
    pub(super) fn of(output: impl Read + Send + 'static) -> ErrorOutput {
        let lines = Arc::new(Mutex::new(VecDeque::with_capacity(MAX_LINES)));
        let copy = Arc::clone(&lines);
        let (open, end) = channel();
        thread::spawn(move || {
            keep_last_lines(BufReader::new(output), &copy);
            drop(open);
        });
        ErrorOutput { lines, end }
    }

    /// Returns the last lines that are not empty. Waits up to `wait` for the end of the output, which a process that the
    /// program started can keep open.
    pub(super) fn last_lines(&self, wait: Duration) -> Vec<String> {
        // The channel never has a message: the result is a timeout or the end.
        let _ = self.end.recv_timeout(wait);
        locked(&self.lines).iter().cloned().collect()
    }
}

fn keep_last_lines(mut output: impl BufRead, lines: &Mutex<VecDeque<String>>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        if text.is_empty() {
            continue;
        }
        let mut lines = locked(lines);
        if lines.len() == MAX_LINES {
            lines.pop_front();
        }
        lines.push_back(text);
    }
}

/// Locks the lines. They are whole even if another thread panicked.
fn locked(lines: &Mutex<VecDeque<String>>) -> MutexGuard<'_, VecDeque<String>> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}
