//! Programs of other people as players: one of three protocols over lines of text.
//!
//! The rules of the game are ours. What a program says is read leniently; a program that dies, is silent, refuses a move
//! or talks nonsense loses the game by a [`Fault`] and is started again for the next.

mod htp;
mod otep;
mod uci;
mod wire;

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use tafl_rules::{AnyRulebook, Move, Shape};

use super::player::{Decision, Fault, Player, Standing};
use crate::limits::Limits;
pub use wire::{Process, Wire};

/// A protocol that a program speaks. `docs/protocols.md` describes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// Like the Universal Chess Interface.
    Uci,
    /// OpenTafl's engine protocol.
    Otep,
    /// The text protocol of hnefatafl.org.
    Htp,
}

impl Protocol {
    /// Every protocol.
    pub const ALL: [Protocol; 3] = [Protocol::Uci, Protocol::Otep, Protocol::Htp];

    /// Returns the name of the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Otep => "otep",
            Protocol::Htp => "htp",
        }
    }

    /// Returns the protocol of a name.
    pub fn from_name(name: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|protocol| protocol.name() == name)
    }
}

/// How long a program may take, beyond what its limits say.
const GRACE: Duration = Duration::from_secs(10);
/// How long it may think where no limit of time is set.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long it may take to start.
const START: Duration = Duration::from_secs(20);

/// Begins a conversation with a program.
pub type Connect = Box<dyn FnMut() -> Result<Box<dyn Wire>, Fault>>;

/// A program of somebody else as a player.
pub struct RemotePlayer {
    name: String,
    protocol: Protocol,
    limits: Limits,
    connect: Connect,
    grace: Duration,
    talk: Option<Talk>,
}

/// A conversation under way.
struct Talk {
    wire: Box<dyn Wire>,
    state: State,
}

/// What has to be remembered of a conversation.
#[derive(Default)]
struct State {
    /// How many moves of the game the program knows.
    known: usize,
    /// How many games were begun.
    games: u32,
    /// The rules of all its games.
    rules: String,
}

impl RemotePlayer {
    /// Returns a player for a program; it is started when the first game begins.
    pub fn new(name: &str, protocol: Protocol, limits: Limits, connect: Connect) -> RemotePlayer {
        RemotePlayer { name: name.to_owned(), protocol, limits, connect, grace: GRACE, talk: None }
    }

    /// Sets how long the program may take for a move beyond its limits.
    #[must_use]
    pub fn with_grace(self, grace: Duration) -> RemotePlayer {
        RemotePlayer { grace, ..self }
    }

    fn open(&mut self, book: &AnyRulebook) -> Result<(), Fault> {
        let rules = book.rules().to_string();
        // Some programs are told the rules only when they start.
        let mut talk = match self.talk.take().filter(|talk| talk.state.rules == rules) {
            Some(talk) => talk,
            None => Talk { wire: (self.connect)()?, state: State { rules, ..State::default() } },
        };
        talk.state.known = 0;
        let deadline = Instant::now() + START;
        match self.protocol {
            Protocol::Uci => uci::begin(&mut talk, deadline)?,
            Protocol::Otep => otep::begin(&mut talk, deadline)?,
            Protocol::Htp => htp::begin(&mut talk, book.shape(), deadline)?,
        }
        talk.state.games += 1;
        self.talk = Some(talk);
        Ok(())
    }

    fn ask(&mut self, at: Standing<'_>) -> Result<Decision, Fault> {
        let Some(talk) = &mut self.talk else {
            return Err(Fault::Gone { why: "it was not started".to_owned() });
        };
        // A program that was told more than its limit may take that.
        let told = match self.protocol {
            Protocol::Otep => Duration::from_secs(otep::seconds(&self.limits)),
            Protocol::Uci | Protocol::Htp => Duration::ZERO,
        };
        let wait = self.limits.time.unwrap_or(PATIENCE).max(told).saturating_add(self.grace);
        let deadline = after(Instant::now(), wait);
        let decision = match self.protocol {
            Protocol::Uci => uci::choose(talk, at, &self.limits, deadline),
            Protocol::Otep => otep::choose(talk, at, &self.limits, deadline),
            Protocol::Htp => htp::choose(talk, at, deadline),
        };
        // How long the last line was waited for says little where others came before it.
        decision.map_err(|fault| match fault {
            Fault::Silent { .. } => Fault::Silent { after: wait },
            fault => fault,
        })
    }
}

impl Player for RemotePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self, book: &AnyRulebook) -> Result<(), Fault> {
        self.open(book)
    }

    fn choose(&mut self, at: Standing<'_>) -> Result<Decision, Fault> {
        let answer = self.ask(at);
        if answer.is_err() {
            // Whatever it says later belongs to a game that is over: the next one begins with a new start.
            self.talk = None;
        }
        answer
    }
}

/// Returns the moment so much later; one that is far away where the clock has none.
fn after(start: Instant, wait: Duration) -> Instant {
    const FAR: Duration = Duration::from_secs(365 * 86_400);
    start.checked_add(wait).unwrap_or(start + FAR)
}

/// Returns the first move in a text: `a8-a9`, `a8a9`, `a8 a9`, `Na8-a9xb9`.
fn read_move(shape: Shape, text: &str) -> Option<Move> {
    let start = text.find(|letter: char| letter.is_ascii_lowercase())?;
    Move::parse(&text[start..], shape).ok()
}

/// Returns what a program said as people can read it: one line, not too long.
fn quoted(said: &str) -> String {
    said.chars().take(120).collect()
}
