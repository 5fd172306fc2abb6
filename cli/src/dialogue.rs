//! Conversations with other programs in protocols for engines: lines in, lines out, thinking beside it.
//!
//! A [`Dialogue`] says what lines mean; [`hold`] reads them on a thread of its own, lets the engine think on another, and
//! writes the answers. Commands that come while the engine thinks wait until it is done, but for those that are meant
//! for then.

pub(crate) mod htp;
pub(crate) mod otep;
pub(crate) mod seat;
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

/// A longer line is cut into several.
const LONGEST: u64 = 1 << 20;

/// What to do after a line.
pub(crate) enum Next {
    /// Say these lines.
    Say(Vec<String>),
    /// Think, then say what came of it.
    Think(Box<Thought>),
    /// Say these lines and end.
    End(Vec<String>),
}

impl Next {
    /// Says one line.
    pub(crate) fn say(line: impl Into<String>) -> Next {
        Next::Say(vec![line.into()])
    }

    /// Says nothing.
    pub(crate) const fn nothing() -> Next {
        Next::Say(Vec::new())
    }
}

/// What to think about.
pub(crate) struct Thought {
    /// Who thinks.
    pub(crate) engine: Engine,
    /// About what.
    pub(crate) game: Game,
    /// Until when.
    pub(crate) limits: Limits,
}

/// What a line means that comes while the engine thinks.
pub(crate) enum Urgent {
    /// It can wait.
    Later,
    /// Say this at once.
    Say(String),
    /// Stop thinking.
    Stop,
    /// Stop thinking, and end.
    End,
}

impl Urgent {
    const fn is_for_now(&self) -> bool {
        match self {
            Urgent::Later => false,
            Urgent::Say(_) | Urgent::Stop | Urgent::End => true,
        }
    }
}

/// A protocol: what lines mean, and what is said.
pub(crate) trait Dialogue {
    /// The word after which nothing more is read.
    const FAREWELL: &'static str;

    /// Returns what of a line is a command, and no remark.
    fn command(line: &str) -> &str {
        line
    }

    /// Returns what is said before anything is heard.
    fn greeting(&self) -> Vec<String>;

    /// Returns what to do after a line.
    fn hear(&mut self, line: &str) -> Next;

    /// Returns what a line means while the engine thinks.
    fn interrupt(&self, line: &str) -> Urgent;

    /// Returns what to say after a depth of the search.
    fn tell(&self, report: &SearchReport) -> Vec<String>;

    /// Takes the engine back, and returns what to say when a search is over.
    fn finish(&mut self, engine: Engine, result: Result<SearchReport, EngineError>) -> Vec<String>;
}

enum Event {
    Line(String),
    InputEnds,
    Depth(Box<SearchReport>),
    Done(Box<Engine>, Box<Result<SearchReport, EngineError>>),
}

/// Holds a conversation until the other program ends it or its input.
///
/// # Errors
///
/// Fails when answers cannot be written.
pub(crate) fn hold<D: Dialogue>(dialogue: &mut D, io: &mut Io<'_>) -> std::io::Result<()> {
    let stdin = io.take_stdin();
    let (sender, events) = channel();
    for line in dialogue.greeting() {
        io.print(&format!("{line}\n"))?;
    }
    io.flush()?;
    thread::scope(|scope| {
        let reader = sender.clone();
        scope.spawn(move || read::<D>(stdin, &reader));
        let mut talk = Talk {
            dialogue,
            io,
            stop: Arc::default(),
            thinks: None,
            stopped_by: None,
            waiting: VecDeque::new(),
            is_last: false,
        };
        talk.go_on(&events, &mut |thought, stop| {
            let sender = sender.clone();
            let Thought { mut engine, game, limits } = thought;
            let limits = Limits { stop: Some(stop), ..limits };
            scope.spawn(move || {
                let result = engine.search_with_info(&game, &limits, |report| {
                    // Whoever does not listen any more has ended the conversation.
                    let _ = sender.send(Event::Depth(Box::new(report.clone())));
                });
                let _ = sender.send(Event::Done(Box::new(engine), Box::new(result)));
            });
        })
    })
}

fn read<D: Dialogue>(mut input: impl BufRead, sender: &Sender<Event>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line).trim().to_owned();
                let is_farewell = D::command(&text).split_whitespace().next() == Some(D::FAREWELL);
                if sender.send(Event::Line(text)).is_err() {
                    return;
                }
                // Nothing more is read, whatever the protocol makes of the line.
                if is_farewell {
                    break;
                }
            }
        }
    }
    let _ = sender.send(Event::InputEnds);
}

/// Lets an engine think on a thread of its own, until it is done or the flag is set.
type Think<'f> = &'f mut dyn FnMut(Thought, Arc<AtomicBool>);

/// A conversation under way.
struct Talk<'t, 'io, D> {
    dialogue: &'t mut D,
    io: &'t mut Io<'io>,
    stop: Arc<AtomicBool>,
    /// Whether the engine thinks, and whether it stops by itself.
    thinks: Option<Patience>,
    /// The line that stopped it; it may mean more than that.
    stopped_by: Option<String>,
    /// Lines that wait until it is done.
    waiting: VecDeque<String>,
    /// Whether nothing more will be heard.
    is_last: bool,
}

/// Whether a search ends by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    Limited,
    Endless,
}

impl<D: Dialogue> Talk<'_, '_, D> {
    fn go_on(&mut self, events: &Receiver<Event>, think: Think<'_>) -> std::io::Result<()> {
        loop {
            if self.thinks.is_none() && self.is_last && self.waiting.is_empty() {
                return Ok(());
            }
            if let Some(line) = self.next_line() {
                if self.take(line, think)? {
                    return Ok(());
                }
                continue;
            }
            let Ok(event) = events.recv() else { return Ok(()) };
            match event {
                // What came before it waits, and this search ends by itself: it is meant for one that follows.
                Event::Line(line) if self.is_for_later(&line) => self.waiting.push_back(line),
                Event::Line(line) => {
                    if self.take(line, think)? {
                        return Ok(());
                    }
                }
                Event::InputEnds => {
                    self.is_last = true;
                    // Nobody is left who could stop it.
                    if self.thinks == Some(Patience::Endless) {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                }
                Event::Depth(report) => {
                    let lines = self.dialogue.tell(&report);
                    self.say(&lines)?;
                }
                Event::Done(engine, result) => {
                    self.thinks = None;
                    let lines = self.dialogue.finish(*engine, *result);
                    self.say(&lines)?;
                    if let Some(line) = self.stopped_by.take()
                        && self.heard(&line, think)?
                    {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Does what a line says, whether the engine thinks or not, and returns whether that was the end.
    fn take(&mut self, line: String, think: Think<'_>) -> std::io::Result<bool> {
        if self.thinks.is_none() {
            return self.heard(&line, think);
        }
        self.interrupted(line)?;
        Ok(false)
    }

    fn heard(&mut self, line: &str, think: Think<'_>) -> std::io::Result<bool> {
        match self.dialogue.hear(line) {
            Next::Say(lines) => self.say(&lines)?,
            Next::End(lines) => {
                self.say(&lines)?;
                return Ok(true);
            }
            Next::Think(thought) => {
                let Limits { nodes, depth, time, .. } = &thought.limits;
                let is_endless = nodes.is_none() && depth.is_none() && time.is_none();
                self.thinks = Some(if is_endless { Patience::Endless } else { Patience::Limited });
                let is_over = is_endless && (self.is_last || self.was_stopped());
                self.stop = Arc::new(AtomicBool::new(is_over));
                think(*thought, self.stop.clone());
            }
        }
        Ok(false)
    }

    /// Takes the command away that stops an endless search which begins only now, and returns whether there was one.
    /// Where nothing more will be heard, nobody else can stop it.
    fn was_stopped(&mut self) -> bool {
        let at = self.waiting.iter().position(|line| matches!(self.dialogue.interrupt(line), Urgent::Stop));
        at.and_then(|at| self.waiting.remove(at)).is_some()
    }

    fn is_for_later(&self, line: &str) -> bool {
        self.thinks == Some(Patience::Limited)
            && !self.waiting.is_empty()
            && matches!(self.dialogue.interrupt(line), Urgent::Stop)
    }

    /// Returns a line that waited and has waited long enough: any while nothing is thought, else one that is meant for
    /// the search under way.
    fn next_line(&mut self) -> Option<String> {
        let is_due = self.thinks.is_none()
            || self.waiting.front().is_some_and(|line| self.dialogue.interrupt(line).is_for_now());
        if is_due { self.waiting.pop_front() } else { None }
    }

    fn interrupted(&mut self, line: String) -> std::io::Result<()> {
        match self.dialogue.interrupt(&line) {
            Urgent::Later => self.waiting.push_back(line),
            Urgent::Say(answer) => self.say(&[answer])?,
            Urgent::Stop => {
                self.stop.store(true, Ordering::Relaxed);
                self.stopped_by = Some(line);
            }
            Urgent::End => {
                self.stop.store(true, Ordering::Relaxed);
                self.waiting.clear();
                self.is_last = true;
            }
        }
        Ok(())
    }

    fn say(&mut self, lines: &[String]) -> std::io::Result<()> {
        for line in lines {
            if let Err(error) = self.io.print(&format!("{line}\n")) {
                // Nobody listens: whatever is being thought is for nothing.
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

    /// Returns what a conversation leaves unread.
    fn left_unread<D: Dialogue>(text: &str) -> &str {
        let (sender, _events) = channel();
        let mut input = text.as_bytes();
        read::<D>(&mut input, &sender);
        &text[text.len() - input.len()..]
    }

    #[test]
    fn nothing_is_read_after_the_farewell() {
        for farewell in ["quit", "quit#x", " quit # x", "quit now"] {
            assert_eq!(
                left_unread::<htp::Htp>(&format!("name\n{farewell}\nversion\n")),
                "version\n",
                "{farewell}"
            );
        }
        assert_eq!(left_unread::<htp::Htp>("# quit\nquitter\n"), "");
    }
}
