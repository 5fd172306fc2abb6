//! Players: our engine, a random player, and the interface that they share with other programs.

use std::time::Duration;

use tafl_rules::{AnyRulebook, Game, IllegalMove, Move, Rng};

use crate::engine::{Engine, EngineError, SearchOptions};
use crate::limits::{Depth, Limits, Nodes};
use crate::score::PovScore;

/// The state of a game when a player must move.
#[derive(Debug, Clone, Copy)]
pub struct PlayerView<'a> {
    /// The game, with the player's side to move.
    pub game: &'a Game,
    /// The moves since the start position of the rules.
    pub moves: &'a [Move],
    /// Whether the side of the last move declined to continue its chain, which the moves don't show.
    pub declined: bool,
}

/// A move chosen by a player, with its remarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerChoice {
    /// The move, not yet checked for legality. A move of the other side declines to continue a chain; it is not played.
    pub mv: Move,
    /// The player's score of the position, if reported.
    pub score: Option<PovScore>,
    /// The depth of the search, if reported.
    pub depth: Option<Depth>,
    /// The number of nodes visited, if reported.
    pub nodes: Option<Nodes>,
}

impl PlayerChoice {
    /// Returns a move without remarks.
    pub const fn bare(mv: Move) -> PlayerChoice {
        PlayerChoice { mv, score: None, depth: None, nodes: None }
    }
}

/// The answer of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A move.
    Move(PlayerChoice),
    /// No move. Declines to continue a chain if the rules allow it. Otherwise, some programs answer this if they believe that the
    /// game is over.
    Pass,
    /// Resignation.
    Resign,
}

/// The reason why a player cannot continue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// The program cannot be started or has ended.
    #[error("the program is not running: {why}")]
    Gone {
        /// The known cause.
        why: String,
        /// The last lines that the program wrote to its standard error.
        stderr: Vec<String>,
    },
    /// The program did not answer in time.
    #[error("no answer within {:.1} s", after.as_secs_f64())]
    Silent {
        /// The time limit for the answer.
        after: Duration,
        /// The last lines that the program wrote to its standard error.
        stderr: Vec<String>,
    },
    /// The program's answer is invalid.
    #[error("invalid answer `{answer}`")]
    Nonsense {
        /// The answer.
        answer: String,
    },
    /// The program rejects a position or a move.
    #[error("the program rejects the position: `{answer}`")]
    Refused {
        /// The answer.
        answer: String,
    },
    /// The move is illegal.
    #[error("the move {text} is illegal: {why}")]
    Illegal {
        /// The move.
        mv: Move,
        /// The move as written in records.
        text: String,
        /// The reason as a sentence.
        why: String,
        /// The rule that forbids the move.
        rule: IllegalMove,
    },
    /// Our engine could not search.
    #[error("{0}")]
    Engine(#[from] EngineError),
}

impl PlayerError {
    /// Returns the error of a program that is not running and has written no errors.
    pub fn gone(why: impl Into<String>) -> PlayerError {
        PlayerError::Gone { why: why.into(), stderr: Vec::new() }
    }

    /// Returns the error of a program that did not answer in time and has written no errors.
    pub const fn silent(after: Duration) -> PlayerError {
        PlayerError::Silent { after, stderr: Vec::new() }
    }

    /// Returns the last lines that a program wrote to its standard error before it ended, or before the time limit.
    pub fn stderr(&self) -> &[String] {
        match self {
            PlayerError::Gone { stderr, .. } | PlayerError::Silent { stderr, .. } => stderr,
            PlayerError::Nonsense { .. }
            | PlayerError::Refused { .. }
            | PlayerError::Illegal { .. }
            | PlayerError::Engine(_) => &[],
        }
    }

    /// Returns the stable name of the kind of error.
    pub const fn kind(&self) -> &'static str {
        match self {
            PlayerError::Gone { .. } => "gone",
            PlayerError::Silent { .. } => "silent",
            PlayerError::Nonsense { .. } => "nonsense",
            PlayerError::Refused { .. } => "refused",
            PlayerError::Illegal { .. } => "illegal",
            PlayerError::Engine(_) => "engine",
        }
    }
}

/// A player. It has its own limits and observes them.
pub trait Player {
    /// Returns the player's name.
    fn name(&self) -> &str;

    /// Starts a new game: forgets everything from the last one.
    ///
    /// # Errors
    ///
    /// Returns the reason why the player cannot play.
    fn begin(&mut self, book: &AnyRulebook) -> Result<(), PlayerError>;

    /// Chooses a move for the side to move.
    ///
    /// # Errors
    ///
    /// Returns the reason why the player cannot continue; it loses the game in this case.
    fn choose(&mut self, at: PlayerView<'_>) -> Result<Decision, PlayerError>;
}

/// Our engine as a player.
#[derive(Debug)]
pub struct EnginePlayer {
    name: String,
    engine: Engine,
    limits: Limits,
}

impl EnginePlayer {
    /// Creates a player with an engine for rules and limits for each move.
    pub fn new(name: &str, book: &AnyRulebook, options: SearchOptions, limits: Limits) -> EnginePlayer {
        EnginePlayer { name: name.to_owned(), engine: Engine::new(book, options), limits }
    }
}

impl Player for EnginePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self, _book: &AnyRulebook) -> Result<(), PlayerError> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(&mut self, at: PlayerView<'_>) -> Result<Decision, PlayerError> {
        let report = self.engine.search(at.game, &self.limits)?;
        let best = &report.lines[0];
        Ok(Decision::Move(PlayerChoice {
            mv: best.moves[0],
            score: Some(best.score),
            depth: Some(report.depth),
            nodes: Some(report.nodes),
        }))
    }
}

/// A player that chooses a random legal move.
#[derive(Debug, Clone)]
pub struct RandomPlayer {
    rng: Rng,
}

impl RandomPlayer {
    /// Creates a random player with a seed.
    pub const fn new(seed: u64) -> RandomPlayer {
        RandomPlayer { rng: Rng::new(seed) }
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> &str {
        "random"
    }

    fn begin(&mut self, _book: &AnyRulebook) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose(&mut self, at: PlayerView<'_>) -> Result<Decision, PlayerError> {
        let moves = at.game.moves();
        Ok(self.rng.pick(&moves).map_or(Decision::Resign, |mv| Decision::Move(PlayerChoice::bare(*mv))))
    }
}
