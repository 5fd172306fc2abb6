//! The engine: iterative deepening over one search for every board.

mod deepening;
mod history;
mod identity;
mod move_loop;
mod ordering;
mod params;
mod pruning;
mod qsearch;
mod repetition;
mod search;
mod searcher;
mod tablebase;
mod thread;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use tafl_rules::{AnyRulebook, Game, Move};

use crate::eval::Weights;
use crate::limits::{Depth, Limits, Nodes};
use crate::net::{Network, builtin};
use crate::position_error::{PositionError, check_position};
use crate::score::PovScore;
use crate::solver::tablebase::Tablebases;
use deepening::{AnyEngine, any_engine};

pub use identity::{EvaluationId, Identity};
pub use params::Params;

/// Why a position cannot be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The position cannot be searched.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A limit that allows nothing.
    #[error("a limit of zero {0} leaves nothing to search")]
    NoLimit(&'static str),
    /// The game is played by other rules than those of the engine.
    #[error("the game is played by other rules than those that the engine was made for")]
    OtherRules,
    /// The network does not fit the rules.
    #[error("the network was made for other rules: they differ in the {what}")]
    OtherNet {
        /// What differs: the board, the pieces, the symmetries.
        what: &'static str,
    },
}

/// Which network evaluates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum NetChoice {
    /// The program's own network for the rules, if there is one and no weights are given; otherwise none.
    #[default]
    BuiltIn,
    /// None: terms with weights.
    Terms,
    /// This one.
    Given(Arc<Network>),
}

/// The configuration of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The size of the transposition table, in mebibytes.
    pub mebibytes: usize,
    /// The number of search threads. Only with one are results reproducible.
    pub threads: u16,
    /// The weights of the evaluation's terms; `None` for those that suit the rules.
    pub weights: Option<Weights>,
    /// Which network evaluates instead of the terms.
    pub net: NetChoice,
    /// The parameters of the search.
    pub params: Params,
    /// Tablebases; probed only for the rules that they were made for.
    pub tablebases: Option<Arc<Tablebases>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            mebibytes: 16,
            threads: 1,
            weights: None,
            net: NetChoice::default(),
            params: Params::default(),
            tablebases: None,
        }
    }
}

/// A principal variation with its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The score.
    pub score: PovScore,
    /// The moves, the best first; never empty.
    pub moves: Vec<Move>,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchReport {
    /// The principal variations, the best first; never empty.
    pub lines: Vec<Line>,
    /// The last depth that was completed.
    pub depth: Depth,
    /// The number of positions visited, by all threads.
    pub nodes: Nodes,
    /// The duration of the search.
    pub time: Duration,
    /// The part of the transposition table that this search has filled, in thousandths.
    pub hashfull: u32,
}

/// An engine for one set of rules.
///
/// It keeps its transposition table and histories from one search to the next, because positions of a game follow each
/// other. Call [`Engine::new_game`] before a position that does not belong to the same game. The same searches in the same
/// order give the same results with one thread.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::engine::{Engine, Options};
/// use tafl_analyzer::Limits;
/// use tafl_rules::{AnyRulebook, Game, catalog};
///
/// let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
/// let mut game = Game::new(&book);
/// let mut engine = Engine::new(&book, Options::default());
/// for _ in 0..4 {
///     let report = engine.search(&game, &Limits::nodes(2_000)).unwrap();
///     game.play(report.lines[0].moves[0]).unwrap();
/// }
/// assert_eq!(game.n_plies(), 4);
/// ```
#[derive(Debug)]
pub struct Engine {
    book: AnyRulebook,
    identity: Identity,
    inner: Box<dyn AnyEngine>,
}

impl Engine {
    /// Creates an engine for rules.
    pub fn new(book: &AnyRulebook, options: Options) -> Engine {
        let net = match &options.net {
            NetChoice::BuiltIn if options.weights.is_none() => builtin::of_rules(book.rules()),
            NetChoice::BuiltIn | NetChoice::Terms => None,
            NetChoice::Given(net) => Some(net.clone()),
        };
        let weights = options.weights.clone().unwrap_or_else(|| Weights::of_rules(book.rules()));
        Engine {
            book: book.clone(),
            identity: Identity::of(&options.params, &weights, net.as_deref()),
            inner: any_engine(book, &weights, net.as_deref(), &options),
        }
    }

    /// Returns the identity of the engine: what its results depend on besides limits and rules.
    pub fn identity(&self) -> Identity {
        self.identity.clone()
    }

    /// Forgets everything that earlier searches found, so that the next search is that of a new engine.
    pub fn new_game(&mut self) {
        self.inner.new_game();
    }

    /// Searches the current position of a game.
    ///
    /// # Errors
    ///
    /// Returns why there is nothing to search, see [`EngineError`].
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Result<SearchReport, EngineError> {
        self.search_with_info(game, limits, |_| {})
    }

    /// Searches the current position of a game and calls `on_info` after each depth.
    ///
    /// # Errors
    ///
    /// Returns why there is nothing to search, see [`EngineError`].
    pub fn search_with_info(
        &mut self,
        game: &Game,
        limits: &Limits,
        mut on_info: impl FnMut(&SearchReport),
    ) -> Result<SearchReport, EngineError> {
        if game.rules() != self.book.rules() {
            return Err(EngineError::OtherRules);
        }
        check_position(&self.book, game)?;
        check_limits(limits)?;
        self.inner.search(game, limits, &mut on_info)
    }
}

fn check_limits(limits: &Limits) -> Result<(), EngineError> {
    if limits.depth == Some(Depth(0)) {
        return Err(EngineError::NoLimit("plies"));
    }
    if limits.nodes == Some(Nodes(0)) {
        return Err(EngineError::NoLimit("nodes"));
    }
    if limits.time == Some(Duration::ZERO) {
        return Err(EngineError::NoLimit("time"));
    }
    if limits.multi_pv == Some(0) {
        return Err(EngineError::NoLimit("lines"));
    }
    Ok(())
}
