//! Who plays: the engine, chance, and what both have in common with programs of other people.

use std::time::Duration;

use tafl_rules::{AnyRulebook, Game, IllegalMove, Move, Rng};

use crate::engine::{Engine, EngineError, Options};
use crate::limits::{Depth, Limits, Nodes};
use crate::score::PovScore;

/// Where a game stands when a player is asked.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// The game; the side to move is asked.
    pub game: &'a Game,
    /// The moves from the start of the rules to here.
    pub moves: &'a [Move],
}

/// A move that a player chose, with what it says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The move; nobody has checked it yet.
    pub mv: Move,
    /// What the player thinks of the position, if it says so.
    pub score: Option<PovScore>,
    /// How deep it searched, if it says so.
    pub depth: Option<Depth>,
    /// How many positions it looked at, if it says so.
    pub nodes: Option<Nodes>,
}

impl Choice {
    /// Returns a move without any opinion.
    pub const fn bare(mv: Move) -> Choice {
        Choice { mv, score: None, depth: None, nodes: None }
    }
}

/// What a player answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It moves.
    Move(Choice),
    /// It has no move to give, as some programs do that think that the game is decided.
    Pass,
    /// It gives up.
    Resign,
}

/// Why a player cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Its program cannot be started, or has ended.
    #[error("the program is gone: {why}")]
    Gone {
        /// What is known about it.
        why: String,
    },
    /// It did not answer in time.
    #[error("no answer within {:.1} s", after.as_secs_f64())]
    Silent {
        /// How long it was waited for.
        after: Duration,
    },
    /// It said something that is no answer.
    #[error("`{said}` is no answer")]
    Nonsense {
        /// What it said.
        said: String,
    },
    /// It does not take what was played before.
    #[error("it refuses to go on: `{said}`")]
    Refused {
        /// What it said.
        said: String,
    },
    /// It chose a move that the rules forbid.
    #[error("the move {text} is illegal: {why}")]
    Illegal {
        /// The move.
        mv: Move,
        /// The move as records write it.
        text: String,
        /// Why, in words.
        why: String,
        /// Which rule forbids it.
        rule: IllegalMove,
    },
    /// Our engine could not search.
    #[error("{0}")]
    Engine(#[from] EngineError),
}

impl Fault {
    /// Returns the stable name of the kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Fault::Gone { .. } => "gone",
            Fault::Silent { .. } => "silent",
            Fault::Nonsense { .. } => "nonsense",
            Fault::Refused { .. } => "refused",
            Fault::Illegal { .. } => "illegal",
            Fault::Engine(_) => "engine",
        }
    }
}

/// Somebody who chooses moves. A player has its own limits and keeps to them.
pub trait Player {
    /// Returns what to call the player.
    fn name(&self) -> &str;

    /// Begins another game: what was found out in the last one is forgotten.
    ///
    /// # Errors
    ///
    /// Returns why the player cannot play.
    fn begin(&mut self, book: &AnyRulebook) -> Result<(), Fault>;

    /// Chooses a move for the side to move.
    ///
    /// # Errors
    ///
    /// Returns why the player cannot go on; the game is lost then.
    fn choose(&mut self, at: Standing<'_>) -> Result<Decision, Fault>;
}

/// Our engine as a player.
#[derive(Debug)]
pub struct EnginePlayer {
    name: String,
    engine: Engine,
    limits: Limits,
}

impl EnginePlayer {
    /// Returns an engine that plays by rules, with limits for each move.
    pub fn new(name: &str, book: &AnyRulebook, options: Options, limits: Limits) -> EnginePlayer {
        EnginePlayer { name: name.to_owned(), engine: Engine::new(book, options), limits }
    }
}

impl Player for EnginePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self, _book: &AnyRulebook) -> Result<(), Fault> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(&mut self, at: Standing<'_>) -> Result<Decision, Fault> {
        let report = self.engine.search(at.game, &self.limits)?;
        let best = &report.lines[0];
        Ok(Decision::Move(Choice {
            mv: best.moves[0],
            score: Some(best.score),
            depth: Some(report.depth),
            nodes: Some(report.nodes),
        }))
    }
}

/// A player to whom any legal move is as good as another.
#[derive(Debug, Clone)]
pub struct RandomPlayer {
    rng: Rng,
}

impl RandomPlayer {
    /// Returns the player of a seed.
    pub const fn new(seed: u64) -> RandomPlayer {
        RandomPlayer { rng: Rng::new(seed) }
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> &str {
        "random"
    }

    fn begin(&mut self, _book: &AnyRulebook) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, at: Standing<'_>) -> Result<Decision, Fault> {
        let moves = at.game.moves();
        Ok(self.rng.pick(&moves).map_or(Decision::Resign, |mv| Decision::Move(Choice::bare(*mv))))
    }
}
