//! The input and output of the program: the streams of the process, or those of a test.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tafl_rules::counted;
use taflbase::escape::{escape, escape_into};
use taflbase::{Job, Progress};

use crate::stop_message::StopMessage;

/// The maximum number of times a second that progress is drawn.
const PROGRESS_HZ: u8 = 10;

/// The use of colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A color or weight of text on a terminal. It never carries information alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextPaint {
    /// Errors.
    Red,
    /// Warnings.
    Yellow,
    /// Notes.
    Cyan,
    /// Marks in the margin.
    Blue,
    /// Messages.
    Bold,
}

impl TextPaint {
    const fn start(self) -> &'static str {
        match self {
            TextPaint::Red => "\x1b[1;31m",
            TextPaint::Yellow => "\x1b[1;33m",
            TextPaint::Cyan => "\x1b[1;36m",
            TextPaint::Blue => "\x1b[1;34m",
            TextPaint::Bold => "\x1b[1m",
        }
    }
}

/// Whether text has colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColorMode {
    /// Without colors.
    Plain,
    /// With escape sequences for colors.
    Colored,
}

impl ColorMode {
    /// Adds text to `out`, with a color if the style has colors.
    pub(crate) fn paint(self, paint: TextPaint, text: &str, out: &mut String) {
        match self {
            ColorMode::Plain => out.push_str(text),
            ColorMode::Colored => {
                let _ = write!(out, "{}{text}\x1b[0m", paint.start());
            }
        }
    }
}

/// Whether the output streams are terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Terminals {
    stdout: bool,
    stderr: bool,
}

/// The streams of a run.
pub struct Io<'a> {
    /// Not borrowed, because a thread that waits for input can't be stopped, and may outlive a command.
    stdin: Box<dyn BufRead + Send>,
    stdout: Box<dyn Write + Send + 'a>,
    stderr: Box<dyn Write + Send + 'a>,
    terminals: Terminals,
    color: ColorChoice,
    is_quiet: bool,
    is_closed: bool,
    /// Whether these are the streams of the process. Only then are its signals handled.
    is_process: bool,
    /// The line of progress; hidden unless standard error is a terminal.
    progress: ProgressBar,
}

impl Io<'static> {
    /// Returns the streams of the process.
    pub fn of_process() -> Io<'static> {
        let stdout = BufWriter::with_capacity(1 << 16, io::stdout());
        let mut io = Io::new(BufReader::with_capacity(1 << 16, io::stdin()), stdout, io::stderr());
        io.is_process = true;
        io.terminals = Terminals { stdout: io::stdout().is_terminal(), stderr: io::stderr().is_terminal() };
        // indicatif itself draws on terminals only.
        let target = ProgressDrawTarget::stderr_with_hz(PROGRESS_HZ);
        let style = ProgressStyle::with_template("{msg}").expect("the template is right");
        io.progress = ProgressBar::with_draw_target(None, target).with_style(style);
        io
    }
}

impl<'a> Io<'a> {
    /// Returns streams that are not terminals.
    pub fn new(
        stdin: impl BufRead + Send + 'static,
        stdout: impl Write + Send + 'a,
        stderr: impl Write + Send + 'a,
    ) -> Io<'a> {
        Io {
            stdin: Box::new(stdin),
            stdout: Box::new(stdout),
            stderr: Box::new(stderr),
            terminals: Terminals { stdout: false, stderr: false },
            color: ColorChoice::Auto,
            is_quiet: false,
            is_closed: false,
            is_process: false,
            progress: ProgressBar::hidden(),
        }
    }

    /// Applies the options `--color` and `--quiet`.
    pub(crate) fn set_up(&mut self, color: ColorChoice, is_quiet: bool) {
        self.color = color;
        self.is_quiet = is_quiet;
        if is_quiet {
            self.progress.set_draw_target(ProgressDrawTarget::hidden());
        }
    }

    /// Creates a job whose progress is shown.
    pub(crate) fn job(&self) -> Job {
        if self.progress.is_hidden() {
            return Job::default();
        }
        let bar = self.progress.clone();
        Job::default().with_progress(move |progress| show_progress(&bar, || progress_text(progress)))
    }

    /// Handles Ctrl-C and SIGTERM from now on, and returns the message that is printed when one of them stops the program. With
    /// `--quiet`, and in tests, nothing is handled or printed.
    pub(crate) fn handle_stop_signals(&self) -> StopMessage {
        if self.is_process && !self.is_quiet {
            StopMessage::of_process(self.progress.clone())
        } else {
            StopMessage::default()
        }
    }

    /// Returns whether standard output takes colors.
    pub(crate) fn has_colors(&self) -> bool {
        self.takes_colors(self.terminals.stdout)
    }

    /// Returns how to paint text for standard output.
    pub(crate) fn style(&self) -> ColorMode {
        if self.has_colors() { ColorMode::Colored } else { ColorMode::Plain }
    }

    /// Returns how to paint text for standard error.
    pub(crate) fn error_style(&self) -> ColorMode {
        if self.takes_colors(self.terminals.stderr) { ColorMode::Colored } else { ColorMode::Plain }
    }

    fn takes_colors(&self, is_terminal: bool) -> bool {
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
        }
    }

    /// Returns whether the reader of standard output has closed it, as `head` does.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns an error if standard output, to which a binary format would be written, is a terminal.
    ///
    /// # Errors
    ///
    /// Names the format and what to do.
    #[cfg(feature = "database")]
    pub(crate) fn check_binary(&self, format: &str) -> io::Result<()> {
        if !self.terminals.stdout {
            return Ok(());
        }
        Err(io::Error::other(format!(
            "{format} is binary and not written to a terminal; redirect standard output to a file"
        )))
    }

    /// Writes text to standard output.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written; [`Io::is_closed`] tells whether the reader has closed it.
    pub(crate) fn print(&mut self, text: &str) -> io::Result<()> {
        self.write_bytes(text.as_bytes())
    }

    /// Writes bytes to standard output, as [`Io::print`] does.
    ///
    /// # Errors
    ///
    /// As [`Io::print`].
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.terminals.stdout {
            self.end_progress();
        }
        let mut result = self.stdout.write_all(bytes);
        if self.terminals.stdout {
            // The progress line is drawn below it.
            result = result.and_then(|()| self.stdout.flush());
        }
        self.check(result)
    }

    /// Flushes standard output.
    ///
    /// # Errors
    ///
    /// As [`Io::print`].
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.end_progress();
        let result = self.stdout.flush();
        self.check(result)
    }

    /// Notes that the reader has closed standard output, and adds the name of the stream to an error.
    fn check(&mut self, result: io::Result<()>) -> io::Result<()> {
        self.is_closed |= matches!(&result, Err(error) if error.kind() == io::ErrorKind::BrokenPipe);
        result.map_err(|error| io::Error::new(error.kind(), format!("standard output: {error}")))
    }

    /// Takes standard input, and leaves an empty one.
    pub(crate) fn take_stdin(&mut self) -> Box<dyn BufRead + Send> {
        std::mem::replace(&mut self.stdin, Box::new(io::empty()))
    }

    /// Writes a message to standard error, unless `--quiet` is given.
    pub(crate) fn notice(&mut self, text: &str) {
        if !self.is_quiet {
            self.notice_always(text);
        }
    }

    /// Writes the notes of an answer to standard error, unless `--quiet` is given. The texts are escaped for terminals.
    pub(crate) fn notices(&mut self, notes: &[String]) {
        notes.iter().for_each(|note| self.notice(&escape(note)));
    }

    /// Writes a message to standard error.
    pub(crate) fn notice_always(&mut self, text: &str) {
        self.end_progress();
        // A message that can't be written is not worth failing for.
        let _ = writeln!(self.stderr, "{text}");
    }

    /// Writes an error to standard error. The text is escaped for terminals.
    pub(crate) fn error(&mut self, text: &str) {
        let mut line = String::new();
        self.error_style().paint(TextPaint::Red, "error", &mut line);
        line.push_str(": ");
        escape_into(text, &mut line);
        self.notice_always(&line);
        if let Some(help) = advice(text) {
            self.notice_always(&format!("  = help: {help}"));
        }
    }

    /// Removes the progress line.
    pub(crate) fn end_progress(&mut self) {
        if !self.progress.is_hidden() && !self.progress.is_finished() {
            self.progress.finish_and_clear();
        }
    }
}

/// Shows a progress line.
fn show_progress(bar: &ProgressBar, text: impl FnOnce() -> String) {
    if bar.is_hidden() {
        return;
    }
    if bar.is_finished() {
        bar.reset();
    }
    bar.set_message(escape(&text()));
}

/// Returns the progress of a job as text.
fn progress_text(progress: &Progress<'_>) -> String {
    let Progress { done, unit, proportion, detail } = *progress;
    let mut text = counted(done, unit.strip_suffix('s').unwrap_or(unit), unit);
    if let Some(proportion) = proportion {
        text += &format!(" ({:.0} %)", 100.0 * proportion.clamp(0.0, 1.0));
    }
    if !detail.is_empty() {
        text += &format!(", {detail}");
    }
    text
}

/// Returns advice about an error of the operating system.
fn advice(text: &str) -> Option<&'static str> {
    const FULL: &str = "free some space on that disk, and run the command again";
    const ADVICE: [(&str, &str); 6] = [
        ("(os error 28)", FULL),
        ("(os error 122)", FULL),
        (
            "(os error 27)",
            "raise the file size limit (`ulimit -f`), or use a file system that allows larger ones",
        ),
        ("(os error 30)", "the file system is read-only; write to another one"),
        ("(os error 13)", "choose a path that you may read and write"),
        ("(os error 24)", "raise the limit of open files (`ulimit -n`), and run the command again"),
    ];
    // Errors that wrap an error of the system keep its text, but not always its kind.
    ADVICE
        .into_iter()
        .find(|(sign, _)| cfg!(target_os = "linux") && text.contains(sign))
        .map(|(_, help)| help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_for_terminals_unless_requested() {
        let mut io = Io::new(io::empty(), io::sink(), io::sink());
        assert_eq!(io.style(), ColorMode::Plain);
        io.set_up(ColorChoice::Always, false);
        assert_eq!(io.style(), ColorMode::Colored);
        io.terminals.stdout = true;
        io.set_up(ColorChoice::Never, false);
        assert_eq!(io.style(), ColorMode::Plain);
    }

    #[test]
    #[cfg(feature = "database")]
    fn binary_formats_are_not_written_to_terminals() {
        let mut io = Io::new(io::empty(), io::sink(), io::sink());
        assert!(io.check_binary("parquet").is_ok());
        io.terminals.stdout = true;
        assert!(io.check_binary("parquet").unwrap_err().to_string().starts_with("parquet is binary"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_error_of_a_full_disk_has_advice() {
        let mut errors = Vec::new();
        let mut io = Io::new(io::empty(), io::sink(), &mut errors);
        io.error(&format!("games.csv: {}", io::Error::from_raw_os_error(28)));
        drop(io);
        let text = String::from_utf8(errors).unwrap();
        assert!(
            text.contains("games.csv: No space left") && text.contains("help: free some space"),
            "{text}"
        );
    }

    #[test]
    fn progress_has_a_percentage_where_the_end_is_known() {
        let progress = Progress { done: 1200, unit: "games", proportion: None, detail: "" };
        assert_eq!(progress_text(&progress), "1,200 games");
        assert_eq!(progress_text(&Progress { done: 1, ..progress }), "1 game");
        let progress = Progress { proportion: Some(0.256), detail: "7 s left", ..progress };
        assert_eq!(progress_text(&progress), "1,200 games (26 %), 7 s left");
    }

    #[test]
    fn quiet_keeps_errors() {
        let mut errors = Vec::new();
        let mut io = Io::new(io::empty(), io::sink(), &mut errors);
        io.set_up(ColorChoice::Auto, true);
        io.notice("hidden");
        io.error("no such file");
        drop(io);
        assert_eq!(String::from_utf8(errors).unwrap(), "error: no such file\n");
    }
}
