//! The engine: iterative deepening and principal variation search for every board and rule set.

mod deepening;
mod eval_cache;
mod history;
mod identity;
mod move_loop;
mod ordering;
mod params;
mod path;
mod path_rules;
mod pruning;
mod qsearch;
mod repetition;
mod search;
mod searcher;
mod static_order;
mod tablebase;
mod thread;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use tafl_rules::{AnyRulebook, Cell, Game, Move};

use crate::eval::Weights;
use crate::limits::{Depth, Limits, Nodes};
use crate::net::{Network, builtin_network};
use crate::position_error::{PositionError, check_position};
use crate::score::PovScore;
use crate::solver::tablebase::Tablebases;
use deepening::{AnyEngine, any_engine};

pub use identity::{EvaluationId, Identity};
pub use params::Params;

/// The reason why a position cannot be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The position cannot be searched.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A limit is zero.
    #[error("a limit of zero {0} allows no search")]
    ZeroLimit(&'static str),
    /// The game has other rules than the engine.
    #[error("the rules of the game differ from those of the engine")]
    OtherRules,
}

/// The choice of a network for the evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum NetChoice {
    /// The built-in network, or none if weights are given.
    #[default]
    BuiltIn,
    /// No network: weighted terms.
    Terms,
    /// The given network.
    Given(Arc<Network>),
}

/// The configuration of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOptions {
    /// The size of the transposition table, in mebibytes.
    pub mebibytes: usize,
    /// The number of search threads. Results are reproducible only with one thread.
    pub threads: u16,
    /// The weights of the evaluation terms; `None` for the default weights of the rules.
    pub weights: Option<Weights>,
    /// The network that corrects the terms.
    pub net: NetChoice,
    /// The parameters of the search.
    pub params: Params,
    /// The tablebases. They are probed only for the rules for which they were built.
    pub tablebases: Option<Arc<Tablebases>>,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            mebibytes: 16,
            threads: 1,
            weights: None,
            net: NetChoice::default(),
            params: Params::default(),
            tablebases: None,
        }
    }
}

/// A line of play with its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchLine {
    /// The score.
    pub score: PovScore,
    /// The moves, the first of them to be played in the position; never empty. If the side to move declines to continue a chain,
    /// the first move is one of the other side.
    pub moves: Vec<Move>,
}

impl SearchLine {
    /// Returns whether the side to move declines to continue a chain, so that the first move is the reply of the other side;
    /// `chain` is the cell of the piece that continues the chain ([`Game::chain`]).
    pub fn declines(&self, chain: Option<Cell>) -> bool {
        chain.zip(self.moves.first()).is_some_and(|(cell, mv)| mv.from != cell)
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchReport {
    /// The lines, the best first; never empty.
    pub lines: Vec<SearchLine>,
    /// The last depth that was completed.
    pub depth: Depth,
    /// The number of nodes visited by all threads; in a report during the search, by the main thread.
    pub nodes: Nodes,
    /// The duration of the search.
    pub time: Duration,
    /// The proportion of the transposition table filled by this search, in thousandths.
    pub hashfull: u32,
}

/// An engine for one rule set.
///
/// It keeps its transposition table and histories from one search to the next, because the
/// positions of a game follow each other. Call [`Engine::new_game`] before searching a position of
/// another game. With one thread, the same searches in the same order give the same results.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{Engine, Limits, SearchOptions};
/// use tafl_rules::{AnyRulebook, Game, catalog};
///
/// let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
/// let mut game = Game::new(&book);
/// let mut engine = Engine::new(&book, SearchOptions::default());
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
    /// Creates an engine for a rulebook.
    pub fn new(book: &AnyRulebook, options: SearchOptions) -> Engine {
        let net = match &options.net {
            NetChoice::BuiltIn if options.weights.is_none() => Some(builtin_network()),
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

    /// Returns the identity of the engine, see [`Identity`].
    pub fn identity(&self) -> Identity {
        self.identity.clone()
    }

    /// Forgets everything found by earlier searches, so that the next search behaves like that of a
    /// new engine.
    pub fn new_game(&mut self) {
        self.inner.new_game();
    }

    /// Searches the current position of a game.
    ///
    /// # Errors
    ///
    /// Returns the reason why the position cannot be searched, see [`EngineError`].
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Result<SearchReport, EngineError> {
        self.search_with_info(game, limits, |_| {})
    }

    /// Searches the current position of a game and calls `on_info` after each depth.
    ///
    /// # Errors
    ///
    /// Returns the reason why the position cannot be searched, see [`EngineError`].
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
        return Err(EngineError::ZeroLimit("plies"));
    }
    if limits.nodes == Some(Nodes(0)) {
        return Err(EngineError::ZeroLimit("nodes"));
    }
    if limits.time == Some(Duration::ZERO) {
        return Err(EngineError::ZeroLimit("time"));
    }
    if limits.multi_pv == Some(0) {
        return Err(EngineError::ZeroLimit("lines"));
    }
    Ok(())
}
