//! Iterative deepening: the engine of one board width, its threads, and the loop over depths.
//!
//! See <https://www.chessprogramming.org/Iterative_Deepening>.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tafl_rules::{AnyRulebook, BySide, Game, Move, Position, PositionKey, Rulebook, with_rulebook};

use super::path_rules::PathRules;
use super::pruning::reductions;
use super::repetition::RepetitionResult;
use super::searcher::{Root, SearchWorker};
use super::thread::ThreadState;
use super::{EngineError, SearchLine, SearchOptions, SearchReport};
use crate::eval::{Evaluator, Weights};
use crate::limits::{Depth, Instant, Limits, Nodes};
use crate::net::Network;
use crate::score::{Score, SearchWindow};
use crate::table::TranspositionTable;

/// An engine of any board width.
///
/// A trait object rather than an enum of widths, so that the list of widths stays in `tafl_rules`.
/// The dynamic call is negligible, as there is one per search.
pub(super) trait AnyEngine: std::fmt::Debug + Send {
    /// Searches a position whose moves and limits the caller has checked, and calls `on_info` after
    /// each depth.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        on_info: &mut dyn FnMut(&SearchReport),
    ) -> Result<SearchReport, EngineError>;

    /// Forgets everything found by earlier searches.
    fn new_game(&mut self);
}

/// Creates the engine for the width of a rulebook.
pub(super) fn any_engine(
    book: &AnyRulebook,
    weights: &Weights,
    net: Option<&Network>,
    options: &SearchOptions,
) -> Box<dyn AnyEngine> {
    with_rulebook!(book, book => Box::new(WidthEngine::new(book, weights, net, options)))
}

/// The engine of one board width, with everything that outlives a search.
#[derive(Debug)]
struct WidthEngine<const N: usize> {
    book: Arc<Rulebook<N>>,
    eval: Evaluator<N>,
    table: TranspositionTable,
    repetition: BySide<RepetitionResult>,
    reductions: Vec<[u8; 64]>,
    /// The state of each thread, the main thread first; created by the first search.
    threads: Vec<ThreadState<N>>,
    options: SearchOptions,
}

impl<const N: usize> WidthEngine<N> {
    fn new(
        book: &Arc<Rulebook<N>>,
        weights: &Weights,
        net: Option<&Network>,
        options: &SearchOptions,
    ) -> WidthEngine<N> {
        let eval = Evaluator::new(book, weights.clone());
        WidthEngine {
            book: book.clone(),
            eval: match net {
                None => eval,
                Some(net) => eval.with_net(book, net),
            },
            table: TranspositionTable::with_mebibytes(options.mebibytes),
            repetition: BySide::from_fn(|side| RepetitionResult::of(book.rules(), side)),
            reductions: reductions(&options.params),
            threads: Vec::new(),
            options: options.clone(),
        }
    }
}

impl<const N: usize> AnyEngine for WidthEngine<N> {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        on_info: &mut dyn FnMut(&SearchReport),
    ) -> Result<SearchReport, EngineError> {
        let started = Instant::now();
        let mut root = self.book.position(&game.setup(), game.to_move());
        if let Some(cell) = game.chain() {
            root = root.with_chain(cell);
        }
        let mut legal = game.moves();
        if let Some(declined) = self.book.after_declining(&root) {
            let chain = game.chain_keys();
            legal.retain(|mv| !is_third_visit(&self.book, &root, *mv, &chain));
            // If declining ends the game, no reply is legal, but a line that declines begins with one.
            if legal.is_empty() {
                legal.extend(self.book.moves(&declined).next());
            }
        }
        let forbidden = self.book.moves(&root).filter(|mv| !legal.contains(mv)).collect();
        let mut n_choices = legal.len();
        if self.book.after_declining(&root).is_some() {
            let own = root.side(root.to_move());
            let (continuing, replies): (Vec<Move>, Vec<Move>) =
                legal.into_iter().partition(|mv| own.contains(mv.from));
            n_choices = continuing.len() + 1;
            legal = [continuing, replies].concat();
        }
        self.table.begin_search();
        let n_cells = self.book.shape().n_cells();
        self.threads.iter_mut().for_each(ThreadState::begin_search);
        self.threads.resize_with(usize::from(self.options.threads.max(1)), || ThreadState::new(n_cells));
        let rules = self.book.rules();
        let path_rules = PathRules::of(rules, game);
        let job = SearchJob {
            root,
            legal,
            n_choices,
            forbidden,
            path: game
                .turn_keys()
                .into_iter()
                .chain(game.chain().map(|_| game.key()))
                .map(|key| key.0)
                .collect(),
            limits,
            started,
            halt: AtomicBool::new(false),
        };
        let searcher = |thread, is_main| SearchWorker {
            book: &self.book,
            eval: &self.eval,
            params: self.options.params,
            table: &self.table,
            tablebases: self.options.tablebases.as_deref().filter(|tablebases| tablebases.rules() == rules),
            limits,
            repetition: self.repetition,
            reductions: &self.reductions,
            thread,
            path: job.path.clone(),
            path_rules: &path_rules,
            configurations: path_rules.configurations(),
            nodes: 0,
            started,
            is_stopped: false,
            is_main,
            halt: &job.halt,
            escapes_need_block: self.book.escapes_need_block(),
            multipv_excluded: Vec::new(),
            excludes_declining: false,
            root_depth: 0,
            root_tt_move: None,
            root_score: None,
        };
        let mut searchers = self.threads.iter_mut().enumerate().map(|(at, thread)| searcher(thread, at == 0));
        let Some(mut main) = searchers.next() else { unreachable!("there is a main thread") };
        Ok(job.run(&mut main, searchers.collect(), on_info))
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.threads.iter_mut().for_each(ThreadState::clear);
    }
}

/// Returns whether a move continues a chain with a position that it had twice. Once is allowed: the chain may be declined there.
fn is_third_visit<const N: usize>(
    book: &Rulebook<N>,
    root: &Position<N>,
    mv: Move,
    chain: &[PositionKey],
) -> bool {
    let mut next = *root;
    root.chain() == Some(mv.from) && {
        book.play(&mut next, mv);
        chain.iter().filter(|key| **key == next.key()).count() >= 2
    }
}

/// The data of one search shared by its threads.
struct SearchJob<'w, const N: usize> {
    root: Position<N>,
    /// The legal moves, respecting repetition rules; in a chain that may be declined, those that continue it come first.
    legal: Vec<Move>,
    /// The number of choices of the side to move: its moves, and declining a chain.
    n_choices: usize,
    /// The moves forbidden by repetition rules.
    forbidden: Vec<Move>,
    path: Vec<u64>,
    limits: &'w Limits,
    started: Instant,
    /// Set when the main thread has finished.
    halt: AtomicBool,
}

impl<const N: usize> SearchJob<'_, N> {
    /// Searches with the main thread and its helpers (lazy SMP).
    fn run(
        &self,
        main: &mut SearchWorker<'_, N>,
        helpers: Vec<SearchWorker<'_, N>>,
        on_info: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        std::thread::scope(|scope| {
            // The default stack of 2 MiB is enough: in optimized builds, the longest line on the
            // largest board takes 1.2 MiB.
            let helpers: Vec<_> = (1..)
                .zip(helpers)
                .map(|(number, mut helper)| {
                    scope.spawn(move || {
                        // Every other helper starts one ply deeper, so that the threads do not
                        // search in lockstep.
                        self.iterative_deepening(&mut helper, 1 + number % 2, &mut |_| {});
                        helper.nodes
                    })
                })
                .collect();
            let mut report = self.iterative_deepening(main, 1, on_info);
            self.halt.store(true, Ordering::Relaxed);
            let by_helpers: u64 = helpers.into_iter().map(|helper| helper.join().unwrap_or_default()).sum();
            report.nodes = Nodes(report.nodes.0 + by_helpers);
            report
        })
    }

    /// Iterative deepening: searches with increasing depth until a limit is reached.
    fn iterative_deepening(
        &self,
        searcher: &mut SearchWorker<'_, N>,
        first: i32,
        on_info: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let multi_pv = usize::from(self.limits.multi_pv.unwrap_or(1)).min(self.n_choices);
        let side = self.root.to_move();
        searcher.stack(0).path_state = searcher.path_rules.root_state();
        searcher.stack(0).chain_start = self.path.len() - usize::from(self.root.chain().is_some());
        // Until the first line is found, any legal move serves as the result.
        let mut lines = vec![SearchLine { score: Score::DRAW.of(side), moves: vec![self.legal[0]] }];
        let mut done = 0;
        let last = self.limits.depth.map_or(i32::from(u8::MAX) / 2, |depth| i32::from(depth.0));
        for depth in first.min(last)..=last {
            searcher.root_depth = depth;
            let mut found: Vec<SearchLine> = Vec::with_capacity(multi_pv);
            for at in 0..multi_pv {
                searcher.multipv_excluded.clone_from(&self.forbidden);
                searcher.multipv_excluded.extend(found.iter().map(|line| line.moves[0]));
                let is_own = |mv: Move| self.root.side(side).contains(mv.from);
                searcher.excludes_declining = found.iter().any(|line| !is_own(line.moves[0]));
                let previous = lines.get(at).filter(|_| done > 0);
                searcher.root_tt_move = previous.map(|line| line.moves[0]);
                let previous = previous.map(|line| line.score.for_side(side));
                let Some((score, moves)) = self.aspiration_search(searcher, depth, previous) else { break };
                found.push(SearchLine { score: score.of(side), moves });
            }
            if searcher.is_stopped && found.len() < multi_pv {
                if done == 0 && !found.is_empty() {
                    lines = found;
                } else if multi_pv == 1 {
                    // The previous iteration's best move is searched first, so whatever raised alpha in this unfinished one
                    // beats it.
                    let pv = searcher.stack(0).pv.clone();
                    if let Some(score) = searcher.root_score.filter(|_| !pv.is_empty()) {
                        lines = vec![SearchLine { score: score.of(side), moves: pv }];
                    }
                }
                break;
            }
            found.sort_by_key(|line| Reverse(line.score.for_side(side)));
            lines = found;
            done = depth;
            on_info(&self.report(searcher, &lines, done));
            // A win or loss within the searched depth is final, and a forced move needs no more
            // than a rough score.
            let best = lines[0].score.for_side(side);
            let is_settled = best.distance().is_some_and(|plies| i32::from(plies) <= depth);
            let is_forced = self.n_choices == 1 && self.limits.depth.is_none() && depth > 4;
            if (is_settled && multi_pv == 1) || is_forced {
                break;
            }
        }
        self.report(searcher, &lines, done)
    }

    /// Aspiration windows: searches a depth with a window around the previous score, and widens it
    /// until the score is inside.
    ///
    /// See <https://www.chessprogramming.org/Aspiration_Windows>.
    fn aspiration_search(
        &self,
        searcher: &mut SearchWorker<'_, N>,
        depth: i32,
        previous: Option<Score>,
    ) -> Option<(Score, Vec<Move>)> {
        let params = &searcher.params;
        let (mut half, first) = (params.aspiration_window, params.aspiration_depth);
        loop {
            let window = match previous {
                // A window of 20 men is as good as the full one.
                Some(score) if half > 0 && half < 2000 && depth >= first && !score.is_decisive() => {
                    SearchWindow { alpha: score.plus(-half), beta: score.plus(half) }
                }
                Some(_) | None => SearchWindow::FULL,
            };
            searcher.root_score = None;
            let score = searcher.search::<Root>(&self.root, 0, depth, window);
            if searcher.is_stopped {
                return None;
            }
            if score > window.alpha && score < window.beta {
                let pv = searcher.stack(0).pv.clone();
                return (!pv.is_empty()).then_some((score, pv));
            }
            // From the default window, three failures lead to the full one.
            half *= 4;
        }
    }

    fn report(&self, searcher: &SearchWorker<'_, N>, lines: &[SearchLine], depth: i32) -> SearchReport {
        SearchReport {
            lines: lines.to_vec(),
            depth: Depth(depth.clamp(0, 255) as u8),
            nodes: Nodes(searcher.nodes),
            time: self.started.elapsed(),
            hashfull: searcher.table.hashfull(),
        }
    }
}
