//! Engine protocols: commands are read line by line while the engine searches.
//!
//! An [`EngineProtocol`] defines the commands. [`run_protocol`] reads lines on one thread, searches on another, and writes the
//! answers. Commands during a search wait until it is finished, except those that are meant for it, such as `stop`.

pub(crate) mod clock;
pub(crate) mod htp;
pub(crate) mod otep;
pub(crate) mod session;
pub(crate) mod uci;

use std::collections::VecDeque;
use std::io::{BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tafl_analyzer::{Engine, EngineError, Limits, SearchReport};
use tafl_rules::Game;

use crate::Io;

/// The maximum number of bytes of a line; longer lines are split.
const MAX_LINE: u64 = 1 << 20;

/// The action after a command.
pub(crate) enum Action {
    /// Write lines.
    Reply(Vec<String>),
    /// Search, then write the result.
    Search(Box<EngineSearch>),
    /// Write lines and quit.
    Quit(Vec<String>),
}

impl Action {
    /// Returns the action that writes one line.
    pub(crate) fn reply(line: impl Into<String>) -> Action {
        Action::Reply(vec![line.into()])
    }

    /// Returns the action that does nothing.
    pub(crate) const fn nothing() -> Action {
        Action::Reply(Vec::new())
    }
}

/// A search.
pub(crate) struct EngineSearch {
    /// The engine.
    pub(crate) engine: Engine,
    /// The game whose position is searched.
    pub(crate) game: Game,
    /// The limits.
    pub(crate) limits: Limits,
}

/// The meaning of a command during a search.
pub(crate) enum Interrupt {
    /// Handle it after the search.
    Defer,
    /// Handle it after the search: it begins another one.
    Search,
    /// Write a line immediately.
    Reply(String),
    /// Stop the search.
    Stop,
    /// Stop the search and quit.
    Quit,
}

impl Interrupt {
    const fn is_immediate(&self) -> bool {
        match self {
            Interrupt::Defer | Interrupt::Search => false,
            Interrupt::Reply(_) | Interrupt::Stop | Interrupt::Quit => true,
        }
    }
}

/// A protocol: the meaning of commands, and the answers.
pub(crate) trait EngineProtocol {
    /// The command after which no more lines are read.
    const QUIT_COMMAND: &'static str;

    /// Returns the command of a line, without a comment.
    fn command(line: &str) -> &str {
        line
    }

    /// Returns the lines to write at the start.
    fn greeting(&self) -> Vec<String>;

    /// Handles a command.
    fn handle_line(&mut self, line: &str) -> Action;

    /// Returns the meaning of a command during a search.
    fn interrupt(&self, line: &str) -> Interrupt;

    /// Returns the lines to write after an iteration of the search.
    fn on_info(&self, report: &SearchReport) -> Vec<String>;

    /// Takes the engine back after a search, and returns the lines to write.
    fn finish(&mut self, done: FinishedSearch<'_>) -> Vec<String>;
}

/// A search that has ended.
pub(crate) struct FinishedSearch<'c> {
    /// The engine.
    pub(crate) engine: Engine,
    /// The result.
    pub(crate) result: Result<SearchReport, EngineError>,
    /// The command that stopped the search, which is handled next.
    pub(crate) stopped_by: Option<&'c str>,
}

/// Returns the first word of a line and the rest, without the blanks around them.
pub(crate) fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim_start()))
}

enum ProtocolEvent {
    Line(String),
    InputEnds,
    Depth(Box<SearchReport>),
    Done(Box<Engine>, Box<Result<SearchReport, EngineError>>),
}

/// Runs a protocol until the client quits or closes the input.
///
/// # Errors
///
/// Returns an error if an answer cannot be written.
pub(crate) fn run_protocol<P: EngineProtocol>(protocol: &mut P, io: &mut Io<'_>) -> std::io::Result<()> {
    let stdin = io.take_stdin();
    let (sender, events) = channel();
    for line in protocol.greeting() {
        io.print(&format!("{line}\n"))?;
    }
    io.flush()?;
    thread::scope(|scope| {
        let reader = sender.clone();
        scope.spawn(move || read_lines::<P>(stdin, &reader));
        let mut protocol_loop = ProtocolLoop {
            protocol,
            io,
            stop: Arc::default(),
            search: None,
            stopped_by: None,
            deferred: VecDeque::new(),
            input_ended: false,
        };
        protocol_loop.run(&events, &mut |search, stop| {
            let sender = sender.clone();
            let EngineSearch { mut engine, game, limits } = search;
            let limits = Limits { stop: Some(stop), ..limits };
            scope.spawn(move || {
                let result = engine.search_with_info(&game, &limits, |report| {
                    // If the receiver is gone, the client has quit.
                    let _ = sender.send(ProtocolEvent::Depth(Box::new(report.clone())));
                });
                let _ = sender.send(ProtocolEvent::Done(Box::new(engine), Box::new(result)));
            });
        })
    })
}

fn read_lines<P: EngineProtocol>(mut input: impl BufRead, sender: &Sender<ProtocolEvent>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line).trim().to_owned();
                let is_quit = split_word(P::command(&text)).0 == P::QUIT_COMMAND;
                if sender.send(ProtocolEvent::Line(text)).is_err() {
                    return;
                }
                // Nothing after this command is handled.
                if is_quit {
                    break;
                }
            }
        }
    }
    let _ = sender.send(ProtocolEvent::InputEnds);
}

/// Starts a search on its own thread. It ends at its limits, or when the flag is set.
type StartSearch<'f> = &'f mut dyn FnMut(EngineSearch, Arc<AtomicBool>);

/// The state of a running protocol.
struct ProtocolLoop<'t, 'io, P> {
    protocol: &'t mut P,
    io: &'t mut Io<'io>,
    stop: Arc<AtomicBool>,
    /// The kind of the running search, if there is one.
    search: Option<SearchKind>,
    /// The command that stopped the search, which is also handled after it.
    stopped_by: Option<String>,
    /// The commands that wait for the end of the search.
    deferred: VecDeque<String>,
    /// Whether no more lines will arrive.
    input_ended: bool,
}

/// Whether a search ends by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SearchKind {
    Limited,
    Infinite,
}

impl<P: EngineProtocol> ProtocolLoop<'_, '_, P> {
    fn run(&mut self, events: &Receiver<ProtocolEvent>, start: StartSearch<'_>) -> std::io::Result<()> {
        loop {
            if self.search.is_none() && self.input_ended && self.deferred.is_empty() {
                return Ok(());
            }
            if let Some(line) = self.next_line() {
                if self.process(line, start)? {
                    return Ok(());
                }
                continue;
            }
            let Ok(event) = events.recv() else { return Ok(()) };
            match event {
                // Another search is deferred, and this one ends by itself, so the command is meant for the other one.
                ProtocolEvent::Line(line) if self.is_for_later_search(&line) => self.deferred.push_back(line),
                ProtocolEvent::Line(line) => {
                    if self.process(line, start)? {
                        return Ok(());
                    }
                }
                ProtocolEvent::InputEnds => {
                    self.input_ended = true;
                    // No command can stop the search any more.
                    if self.search == Some(SearchKind::Infinite) {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                }
                ProtocolEvent::Depth(report) => {
                    let lines = self.protocol.on_info(&report);
                    self.write(&lines)?;
                }
                ProtocolEvent::Done(engine, result) => {
                    self.search = None;
                    let stopped_by = self.stopped_by.take();
                    let done = FinishedSearch {
                        engine: *engine,
                        result: *result,
                        stopped_by: stopped_by.as_deref(),
                    };
                    let lines = self.protocol.finish(done);
                    self.write(&lines)?;
                    if let Some(line) = stopped_by
                        && self.handle(&line, start)?
                    {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Processes a command, during a search or not, and returns whether it quits.
    fn process(&mut self, line: String, start: StartSearch<'_>) -> std::io::Result<bool> {
        if self.search.is_none() {
            return self.handle(&line, start);
        }
        self.interrupt(line)?;
        Ok(false)
    }

    fn handle(&mut self, line: &str, start: StartSearch<'_>) -> std::io::Result<bool> {
        match self.protocol.handle_line(line) {
            Action::Reply(lines) => self.write(&lines)?,
            Action::Quit(lines) => {
                self.write(&lines)?;
                return Ok(true);
            }
            Action::Search(search) => {
                let Limits { nodes, depth, time, .. } = &search.limits;
                let is_infinite = nodes.is_none() && depth.is_none() && time.is_none();
                self.search = Some(if is_infinite { SearchKind::Infinite } else { SearchKind::Limited });
                self.stopped_by = self.remove_stop(is_infinite);
                let is_stopped = self.stopped_by.is_some() || is_infinite && self.input_ended;
                self.stop = Arc::new(AtomicBool::new(is_stopped));
                start(*search, self.stop.clone());
            }
        }
        Ok(false)
    }

    /// Removes the deferred `stop` that belongs to the search that starts now, and returns it. For an infinite search, it is the
    /// first one, because nothing else ends the search; for another search, it is one before the next search command.
    fn remove_stop(&mut self, is_infinite: bool) -> Option<String> {
        let is_next = |line: &String| matches!(self.protocol.interrupt(line), Interrupt::Search);
        let next = self.deferred.iter().position(is_next).filter(|_| !is_infinite);
        let mut own = self.deferred.iter().take(next.unwrap_or(self.deferred.len()));
        let at = own.position(|line| matches!(self.protocol.interrupt(line), Interrupt::Stop))?;
        self.deferred.remove(at)
    }

    fn is_for_later_search(&self, line: &str) -> bool {
        self.search == Some(SearchKind::Limited)
            && self.deferred.iter().any(|line| matches!(self.protocol.interrupt(line), Interrupt::Search))
            && matches!(self.protocol.interrupt(line), Interrupt::Stop)
    }

    /// Returns the next deferred command that can be handled now: any without a search, else one that is meant for the
    /// running search.
    fn next_line(&mut self) -> Option<String> {
        let is_due = self.search.is_none()
            || self.deferred.front().is_some_and(|line| self.protocol.interrupt(line).is_immediate());
        if is_due { self.deferred.pop_front() } else { None }
    }

    fn interrupt(&mut self, line: String) -> std::io::Result<()> {
        match self.protocol.interrupt(&line) {
            Interrupt::Defer | Interrupt::Search => self.deferred.push_back(line),
            Interrupt::Reply(answer) => self.write(&[answer])?,
            Interrupt::Stop => {
                self.stop.store(true, Ordering::Relaxed);
                self.stopped_by = Some(line);
            }
            Interrupt::Quit => {
                self.stop.store(true, Ordering::Relaxed);
                self.deferred.clear();
                self.input_ended = true;
            }
        }
        Ok(())
    }

    fn write(&mut self, lines: &[String]) -> std::io::Result<()> {
        for line in lines {
            if let Err(error) = self.io.print(&format!("{line}\n")) {
                // The client has closed its end, so nothing needs the search.
                self.stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        if lines.is_empty() { Ok(()) } else { self.io.flush() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the part of the input that a protocol leaves unread.
    fn unread<P: EngineProtocol>(text: &str) -> &str {
        let (sender, _events) = channel();
        let mut input = text.as_bytes();
        read_lines::<P>(&mut input, &sender);
        &text[text.len() - input.len()..]
    }

    #[test]
    fn nothing_is_read_after_the_quit_command() {
        for quit in ["quit", "quit#x", " quit # x", "quit now", "quit\tnow"] {
            assert_eq!(unread::<htp::Htp>(&format!("name\n{quit}\nversion\n")), "version\n", "{quit}");
        }
        assert_eq!(unread::<htp::Htp>("# quit\nquitter\n"), "");
    }
}
