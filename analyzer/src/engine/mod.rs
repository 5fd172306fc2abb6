//! The engine: iterative deepening over one search for every board.

mod history;
mod identity;
mod judge;
mod moves;
mod params;
mod picker;
mod quiesce;
mod recurrence;
mod search;
mod tables;
mod threat;

#[cfg(test)]
mod tests;

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{AnyRulebook, BySide, Game, Move, with_rulebook};

use crate::eval::{Evaluator, Weights};
use crate::flaw::{Flaw, flaw_of};
use crate::limits::{Depth, Limits, Nodes};
use crate::net::{Evaluation, NetError, Network, builtin};
use crate::score::{PovScore, Score};
use crate::solver::tables::Tables;
use crate::table::TranspositionTable;
use history::{Continuation, History};
use recurrence::Recurrence;
use search::{Root, Searcher};

pub use identity::{EvaluationId, Identity};
pub use params::Params;

/// Why a position cannot be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// There is nothing to play.
    #[error(transparent)]
    Flaw(#[from] Flaw),
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
    /// That of the program if it has one for the rules and no weights are given, otherwise none.
    #[default]
    BuiltIn,
    /// None: terms with weights.
    Terms,
    /// This one.
    Given(Arc<Network>),
}

/// How an engine is set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The size of the table, in mebibytes.
    pub mebibytes: usize,
    /// How many threads search. Only with one are results the same every time.
    pub threads: u16,
    /// What the terms of the evaluation are worth; nothing for those that suit the rules.
    pub weights: Option<Weights>,
    /// Which network evaluates instead of the terms.
    pub net: NetChoice,
    /// The numbers of the search.
    pub params: Params,
    /// What is won and lost with few pieces; asked only for the rules that the tables are for.
    pub tables: Option<Arc<Tables>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            mebibytes: 16,
            threads: 1,
            weights: None,
            net: NetChoice::default(),
            params: Params::default(),
            tables: None,
        }
    }
}

/// A line that an engine found, with what it thinks of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The score.
    pub score: PovScore,
    /// The moves, the best first; never empty.
    pub moves: Vec<Move>,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchReport {
    /// The lines that were asked for, the best first; never empty.
    pub lines: Vec<Line>,
    /// The last depth that was searched in full.
    pub depth: Depth,
    /// How many positions were looked at, by all threads.
    pub nodes: Nodes,
    /// How long it took.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub fullness: u32,
}

/// An engine for one set of rules.
#[derive(Debug)]
pub struct Engine {
    book: AnyRulebook,
    options: Options,
    table: TranspositionTable,
    net: Option<Arc<Network>>,
    /// The network laid out for the rules, or why it does not fit them.
    laid_out: Result<Option<LaidOut>, EngineError>,
}

/// A network laid out for rules: an `Arc` of an `Evaluation` of the board's width.
type LaidOut = Arc<dyn Any + Send + Sync>;

impl Engine {
    /// Returns an engine for rules.
    pub fn new(book: &AnyRulebook, options: Options) -> Engine {
        let net = match &options.net {
            NetChoice::BuiltIn if options.weights.is_none() => builtin::of_rules(book.rules()),
            NetChoice::BuiltIn | NetChoice::Terms => None,
            NetChoice::Given(net) => Some(net.clone()),
        };
        let laid_out = net.as_ref().map(|net| lay_out(net, book)).transpose();
        let table = TranspositionTable::with_mebibytes(options.mebibytes);
        Engine { book: book.clone(), table, options, net, laid_out }
    }

    /// Returns which engine this is: what its answers depend on besides limits and the rules.
    pub fn identity(&self) -> Identity {
        Identity::of(&self.options.params, &self.weights(), self.net.as_deref())
    }

    fn weights(&self) -> Weights {
        self.options.weights.clone().unwrap_or_else(|| Weights::of_rules(self.book.rules()))
    }

    /// Forgets what was found so far, so that the next search is the same as that of a new engine.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches the position in which a game stands.
    ///
    /// # Errors
    ///
    /// Returns why there is nothing to search, see [`EngineError`].
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Result<SearchReport, EngineError> {
        self.search_telling(game, limits, |_| {})
    }

    /// Searches the position in which a game stands, and tells what was found after every depth.
    ///
    /// # Errors
    ///
    /// Returns why there is nothing to search, see [`EngineError`].
    pub fn search_telling(
        &mut self,
        game: &Game,
        limits: &Limits,
        mut tell: impl FnMut(&SearchReport),
    ) -> Result<SearchReport, EngineError> {
        self.search_reporting(game, limits, &mut tell)
    }

    /// Searches. It is not generic, because what is generic is compiled in the crate of the caller, and in the dev profile
    /// only this one is optimized.
    fn search_reporting(
        &mut self,
        game: &Game,
        limits: &Limits,
        tell: &mut dyn FnMut(&SearchReport),
    ) -> Result<SearchReport, EngineError> {
        if game.rules() != self.book.rules() {
            return Err(EngineError::OtherRules);
        }
        if let Some(flaw) = flaw_of(&self.book, game) {
            return Err(flaw.into());
        }
        check(limits)?;
        let laid_out = self.laid_out.as_ref().map_err(|error| *error)?;
        let moves = game.moves();
        self.table.begin_search();
        let path: Vec<u64> = game.turn_keys().into_iter().map(|key| key.0).collect();
        with_rulebook!(&self.book, book => {
            let mut pos = book.position(&game.setup(), game.to_move());
            if let Some(cell) = game.chain() {
                pos = pos.going_on(cell);
            }
            let eval = evaluator(book, self.weights(), laid_out.as_ref());
            let (options, legal) = (&self.options, moves.as_slice());
            let work = Work { book, pos: &pos, path: &path, legal, limits, options, eval };
            Ok(work.run(&self.table, tell))
        })
    }
}

/// Lays a network out for rules.
fn lay_out(net: &Network, book: &AnyRulebook) -> Result<LaidOut, EngineError> {
    with_rulebook!(book, book => match Evaluation::new(net, book) {
        Ok(laid_out) => Ok(Arc::new(laid_out) as LaidOut),
        Err(NetError::Misfit { what, .. }) => Err(EngineError::OtherNet { what }),
        Err(_) => Err(EngineError::OtherNet { what: "number of inputs" }),
    })
}

/// Returns the evaluation by terms, or by a network that was laid out for the same width.
fn evaluator<const N: usize>(book: &Rulebook<N>, weights: Weights, net: Option<&LaidOut>) -> Evaluator<N> {
    let terms = Evaluator::new(book, weights);
    match net.and_then(|net| net.clone().downcast::<Evaluation<N>>().ok()) {
        Some(net) => terms.with_net(net),
        None => terms,
    }
}

fn check(limits: &Limits) -> Result<(), EngineError> {
    if limits.depth == Some(Depth(0)) {
        return Err(EngineError::NoLimit("plies"));
    }
    if limits.nodes == Some(Nodes(0)) {
        return Err(EngineError::NoLimit("nodes"));
    }
    if limits.time == Some(Duration::ZERO) {
        return Err(EngineError::NoLimit("time"));
    }
    if limits.lines == Some(0) {
        return Err(EngineError::NoLimit("lines"));
    }
    Ok(())
}

/// What a search is about.
struct Work<'w, const N: usize> {
    book: &'w Arc<Rulebook<N>>,
    pos: &'w Position<N>,
    path: &'w [u64],
    /// The legal moves, rules about repetition included.
    legal: &'w [Move],
    limits: &'w Limits,
    options: &'w Options,
    eval: Evaluator<N>,
}

impl<const N: usize> Work<'_, N> {
    fn run(&self, table: &TranspositionTable, tell: &mut dyn FnMut(&SearchReport)) -> SearchReport {
        let halt = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let halt = &halt;
            // The 2 MiB of stack that threads have are enough: optimized, the longest line on the largest board takes 1.2.
            let helpers: Vec<_> = (1..self.options.threads.max(1))
                .map(|number| {
                    scope.spawn(move || {
                        let mut searcher = self.searcher(table, halt);
                        searcher.is_first = false;
                        // Helpers begin a ply deeper by turns, so that threads do not walk in step.
                        self.deepen(&mut searcher, 1 + i32::from(number % 2), &mut |_| {});
                        searcher.nodes
                    })
                })
                .collect();
            let mut searcher = self.searcher(table, halt);
            let mut report = self.deepen(&mut searcher, 1, tell);
            halt.store(true, Ordering::Relaxed);
            let of_helpers: u64 = helpers.into_iter().map(|helper| helper.join().unwrap_or_default()).sum();
            report.nodes = Nodes(report.nodes.0 + of_helpers);
            report
        })
    }

    fn searcher<'s>(&'s self, table: &'s TranspositionTable, halt: &'s AtomicBool) -> Searcher<'s, N> {
        let rules = self.book.rules();
        Searcher {
            book: self.book,
            eval: &self.eval,
            scratch: self.eval.scratch(),
            params: self.options.params,
            table,
            limits: self.limits,
            history: History::new(self.book.shape().n_cells()),
            continuation: Continuation::new(self.book.shape().n_cells()),
            root_hint: None,
            root_score: None,
            frames: Vec::new(),
            path: self.path.to_vec(),
            recurrence: BySide::from_fn(|side| Recurrence::of(rules, side)),
            nodes: 0,
            is_stopped: false,
            started: Instant::now(),
            excluded: Vec::new(),
            root_depth: 0,
            salt: 0,
            reductions: search::reductions(&self.options.params),
            is_first: true,
            halt,
            tables: self.options.tables.as_deref().filter(|tables| tables.rules() == rules),
        }
    }

    /// Searches deeper and deeper until a limit is reached.
    fn deepen(
        &self,
        searcher: &mut Searcher<'_, N>,
        first: i32,
        tell: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let wanted = usize::from(self.limits.lines.unwrap_or(1)).min(self.legal.len());
        let side = self.pos.to_move();
        // Before anything is found, any legal move is better than none.
        let any = Line { score: Score::DRAW.of(side), moves: vec![self.legal[0]] };
        let mut lines: Vec<Line> = vec![any];
        let mut done = 0;
        let last = self.limits.depth.map_or(i32::from(u8::MAX) / 2, |depth| i32::from(depth.0));
        let forbidden: Vec<Move> = self.book.moves(self.pos).filter(|mv| !self.legal.contains(mv)).collect();
        for depth in first.min(last)..=last {
            searcher.root_depth = depth;
            let mut found: Vec<Line> = Vec::with_capacity(wanted);
            for at in 0..wanted {
                searcher.excluded.clone_from(&forbidden);
                searcher.excluded.extend(found.iter().map(|line| line.moves[0]));
                searcher.root_hint = lines.get(at).filter(|_| done > 0).map(|line| line.moves[0]);
                let before = lines.get(at).filter(|_| done > 0).map(|line| line.score.for_side(side));
                let Some((score, moves)) = self.aspire(searcher, depth, before) else { break };
                found.push(Line { score: score.of(side), moves });
            }
            if searcher.is_stopped && found.len() < wanted {
                // What a depth found before it was stopped counts if it is complete as far as it goes.
                if done == 0 && !found.is_empty() {
                    lines = found;
                } else if wanted == 1 {
                    // The first move of a depth is the best of the depth before; what beats it is better still.
                    let line = searcher.frame(0).line.clone();
                    if let Some(score) = searcher.root_score.filter(|_| !line.is_empty()) {
                        lines = vec![Line { score: score.of(side), moves: line }];
                    }
                }
                break;
            }
            found.sort_by_key(|line| std::cmp::Reverse(line.score.for_side(side)));
            lines = found;
            done = depth;
            tell(&self.report(searcher, &lines, done));
            let best = lines[0].score.for_side(side);
            let settled = best.distance().is_some_and(|plies| i32::from(plies) <= depth);
            if (settled && wanted == 1) || (self.legal.len() == 1 && self.limits.depth.is_none() && depth > 4)
            {
                break;
            }
            searcher.history.fade();
            searcher.continuation.fade();
        }
        self.report(searcher, &lines, done)
    }

    /// Searches a depth with a window around the last score, wider where the score lies outside.
    fn aspire(
        &self,
        searcher: &mut Searcher<'_, N>,
        depth: i32,
        before: Option<Score>,
    ) -> Option<(Score, Vec<Move>)> {
        let params = &searcher.params;
        let (mut half, first) = (params.window, params.window_depth);
        loop {
            let window = match before {
                Some(score) if half > 0 && half < 2000 && depth >= first && !score.is_decisive() => {
                    (score.plus(-half), score.plus(half))
                }
                Some(_) | None => (-Score::INFINITE, Score::INFINITE),
            };
            searcher.root_score = None;
            let score = searcher.search::<Root>(self.pos, 0, depth, window);
            if searcher.is_stopped {
                return None;
            }
            if score > window.0 && score < window.1 {
                let line = searcher.frame(0).line.clone();
                return (!line.is_empty()).then_some((score, line));
            }
            half *= 4;
        }
    }

    fn report(&self, searcher: &Searcher<'_, N>, lines: &[Line], depth: i32) -> SearchReport {
        SearchReport {
            lines: lines.to_vec(),
            depth: Depth(depth.clamp(0, 255) as u8),
            nodes: Nodes(searcher.nodes),
            time: searcher.started.elapsed(),
            fullness: searcher.table.fullness(),
        }
    }
}
