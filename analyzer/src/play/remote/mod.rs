//! Other programs as players, through one of three text protocols.
//!
//! Our rules decide the game. Answers are parsed leniently. A program that exits, does not answer
//! in time, rejects a move, or sends an invalid answer loses the game by a [`PlayerError`], and is
//! restarted for the next game. A game that a program can't start has no result.

mod error_output;
mod htp;
mod otep;
mod uci;
mod wire;

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use tafl_rules::{AnyRulebook, Move, Shape};

use super::player::{Decision, Player, PlayerError, PlayerView};
use crate::limits::Limits;
pub use wire::{RemoteProcess, Wire};

/// The protocol of a program. `docs/protocols.md` describes the protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// A variant of the Universal Chess Interface.
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

    /// Returns the protocol with a name.
    pub fn from_name(name: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|protocol| protocol.name() == name)
    }
}

/// The time a program may take beyond its limits.
const GRACE: Duration = Duration::from_secs(10);
/// The time a program may think if there is no time limit.
const DEFAULT_TIME: Duration = Duration::from_secs(120);
/// The time a program may take to start.
const STARTUP_TIME: Duration = Duration::from_secs(20);

/// Connects to a program.
pub type Connect = Box<dyn FnMut() -> Result<Box<dyn Wire>, PlayerError>>;

/// Another program as a player.
pub struct RemotePlayer {
    name: String,
    protocol: Protocol,
    limits: Limits,
    connect: Connect,
    grace: Duration,
    connection: Option<Connection>,
}

/// An open connection to a program.
struct Connection {
    wire: Box<dyn Wire>,
    state: ConnectionState,
}

/// The state of a connection.
#[derive(Default)]
struct ConnectionState {
    /// The number of moves of the game that the program knows.
    known: usize,
    /// The number of games started.
    games: u32,
    /// The rules of all its games.
    rules: String,
}

impl RemotePlayer {
    /// Creates a player for a program, which is started with the first game.
    pub fn new(name: &str, protocol: Protocol, limits: Limits, connect: Connect) -> RemotePlayer {
        RemotePlayer { name: name.to_owned(), protocol, limits, connect, grace: GRACE, connection: None }
    }

    /// Sets the time that the program may take for a move beyond its limits.
    #[must_use]
    pub fn with_grace(self, grace: Duration) -> RemotePlayer {
        RemotePlayer { grace, ..self }
    }

    fn open(&mut self, book: &AnyRulebook) -> Result<(), PlayerError> {
        let rules = book.rules().to_string();
        // Some programs accept rules only at startup.
        let used = self.connection.take().filter(|connection| connection.state.rules == rules);
        if used.is_some_and(|connection| self.begin_game(connection, book).is_ok()) {
            return Ok(());
        }
        // A program that ended after the last game, or no longer answers, is restarted once.
        let state = ConnectionState { rules, ..ConnectionState::default() };
        let new = Connection { wire: (self.connect)()?, state };
        self.begin_game(new, book)
    }

    /// Begins a game on a connection, and keeps it if the program is ready.
    fn begin_game(&mut self, mut connection: Connection, book: &AnyRulebook) -> Result<(), PlayerError> {
        connection.state.known = 0;
        let deadline = Instant::now() + STARTUP_TIME;
        let begun = match self.protocol {
            Protocol::Uci => uci::begin(&mut connection, deadline),
            Protocol::Otep => otep::begin(&mut connection, deadline),
            Protocol::Htp => htp::begin(&mut connection, book.shape(), deadline),
        };
        begun.map_err(|error| error.within(STARTUP_TIME))?;
        connection.state.games += 1;
        self.connection = Some(connection);
        Ok(())
    }

    fn ask(&mut self, at: PlayerView<'_>) -> Result<Decision, PlayerError> {
        let Some(connection) = &mut self.connection else {
            return Err(PlayerError::gone("the program was not started"));
        };
        // OTEP rounds times up to whole seconds, so the program may use more than the limit.
        let announced = match self.protocol {
            Protocol::Otep => Duration::from_secs(otep::seconds(&self.limits)),
            Protocol::Uci | Protocol::Htp => Duration::ZERO,
        };
        let wait = self.limits.time.unwrap_or(DEFAULT_TIME).max(announced).saturating_add(self.grace);
        let deadline = after(Instant::now(), wait);
        let decision = match self.protocol {
            Protocol::Uci => uci::choose(connection, at, &self.limits, deadline),
            Protocol::Otep => otep::choose(connection, at, &self.limits, deadline),
            Protocol::Htp => htp::choose(connection, at, deadline),
        };
        decision.map_err(|error| error.within(wait))
    }
}

impl PlayerError {
    /// Names the whole waiting time, because the last line may have been preceded by others.
    fn within(self, wait: Duration) -> PlayerError {
        match self {
            PlayerError::Silent { stderr, .. } => PlayerError::Silent { after: wait, stderr },
            error => error,
        }
    }
}

impl Player for RemotePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self, book: &AnyRulebook) -> Result<(), PlayerError> {
        self.open(book)
    }

    fn choose(&mut self, at: PlayerView<'_>) -> Result<Decision, PlayerError> {
        let answer = self.ask(at);
        if answer.is_err() {
            // Later output belongs to this lost game, so the next game starts with a new process.
            self.connection = None;
        }
        answer
    }
}

/// Returns the instant `wait` after `start`, or one far away if it is out of range.
fn after(start: Instant, wait: Duration) -> Instant {
    const FAR: Duration = Duration::from_secs(365 * 86_400);
    start.checked_add(wait).unwrap_or(start + FAR)
}

/// Returns the first move in a text: `a8-a9`, `a8a9`, `a8 a9`, or `Na8-a9xb9`.
fn read_move(shape: Shape, text: &str) -> Option<Move> {
    let start = text.find(|letter: char| letter.is_ascii_lowercase())?;
    Move::parse(&text[start..], shape).ok()
}

/// Returns the start of a program's output for use in messages.
fn quoted(answer: &str) -> String {
    answer.chars().take(120).collect()
}
