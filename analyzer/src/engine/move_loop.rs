//! The loop over the moves of a node: move ordering, pruning, reductions, and re-searches.

use tafl_rules::{Move, NoMoves, Position};

use super::ordering::{MovePicker, MoveStage, Ordering, RankedMove, RankedMoves, rank_noisy, rank_quiets};
use super::repetition::RepetitionResult;
use super::searcher::{BestMove, MoveLoop, NodeKind, NonPv, Pv, SearchWorker, score_of};
use crate::facts::NodeFacts;
use crate::score::{Score, SearchWindow};

/// The depth at which a child is searched.
#[derive(Debug, Clone, Copy)]
struct ChildDepth {
    /// The full depth of the child, in plies.
    depth: i32,
    /// The reduction of its first search, in plies.
    reduction: i32,
    /// Whether it is the first child.
    is_first: bool,
}

impl<const N: usize> SearchWorker<'_, N> {
    /// Searches the moves of a node; returns `None` if there are none.
    pub(super) fn search_moves<K: NodeKind>(
        &mut self,
        pos: &Position<N>,
        ply: u16,
        node: &MoveLoop<'_, N>,
        window: SearchWindow,
        moves: &mut RankedMoves,
    ) -> Option<BestMove> {
        let side = pos.to_move();
        let MoveLoop { depth, must_evade, .. } = *node;
        let quiets_lose = must_evade && self.escapes_need_block && !node.is_near_limit && !K::ROOT;
        let SearchWindow { mut alpha, beta } = window;
        let mut best: Option<BestMove> = None;
        let mut number = 0;
        let mut picker = MovePicker { tt_move: node.tt_move, stage: MoveStage::TtMove, at: 0 };
        moves.clear();
        self.stack(ply).quiets.clear();
        self.stack(ply).skips_jumps = false;
        self.stack(ply + 1).killers = [None; 2];
        loop {
            let is_not_lost = best.is_some_and(|best| best.score > -Score::win_in(Score::MAX_PLY));
            let Some(RankedMove { mv, is_quiet, rank }) = picker.pick(pos, node.facts, moves) else {
                match picker.stage {
                    MoveStage::TtMove => {
                        rank_noisy(self.book, pos, node.facts, &self.thread.history, moves);
                        (picker.stage, picker.at) = (MoveStage::Noisy, 0);
                    }
                    // A quiet move stops no escape, so it loses. The root searches it: it needs a move in any case.
                    MoveStage::Noisy if quiets_lose => {
                        if best.is_none() && self.book.has_move(pos) {
                            best = Some(BestMove { mv: None, score: Score::loss_in(ply + 2) });
                        }
                        break;
                    }
                    MoveStage::Noisy => {
                        let may_prune = !K::ROOT && !must_evade && is_not_lost;
                        if may_prune && self.skips_quiets(node, number, alpha) {
                            break;
                        }
                        self.rank_quiets(pos, ply, node.facts, moves);
                        picker.stage = MoveStage::Quiet;
                    }
                    MoveStage::Quiet => break,
                }
                continue;
            };
            if is_quiet && quiets_lose {
                continue;
            }
            // Skip the first moves of better lines (multi-PV) and moves that repetition rules forbid
            if K::ROOT && self.multipv_excluded.contains(&mv) {
                continue;
            }
            let may_prune = is_quiet && !must_evade && is_not_lost && !K::ROOT;
            if may_prune && self.skips_quiets(node, number, alpha) {
                // Moves are sorted, so all that follow are quiet.
                break;
            }
            let mut next = *pos;
            let effects = self.book.play(&mut next, mv);
            // Skip jumps back to a position of the same chain, which would never end
            let goes_on = next.chain().is_some();
            if goes_on && self.continues_in_a_cycle(pos, &next, ply, effects.captured.any()) {
                self.stack(ply).skips_jumps = true;
                continue;
            }
            // Repetition detection; a capture makes repetition impossible
            let may_repeat = effects.captured.is_empty() && !goes_on;
            let repetition =
                if may_repeat && self.repeats(&next, side) { Some(self.repetition[side]) } else { None };
            if repetition == Some(RepetitionResult::Forbidden) {
                continue;
            }
            let n_configurations = self.configurations.len();
            let path_outcome = if self.path_rules.any() {
                self.enter_path(&next, ply + 1, side, effects.captured.any())
            } else {
                None
            };
            let score = if let Some(outcome) = effects.outcome {
                self.stack(ply + 1).pv.clear();
                score_of(outcome, side, ply + 1)
            } else if let Some(score) = repetition.and_then(|repetition| repetition.score(ply + 1)) {
                self.stack(ply + 1).pv.clear();
                score
            } else if let Some(outcome) = path_outcome {
                self.stack(ply + 1).pv.clear();
                score_of(outcome, side, ply + 1)
            } else {
                self.path.push(next.key().0);
                self.stack(ply).mv = Some(mv);
                self.table.prefetch(next.key().0);
                let reduction =
                    if is_quiet && !must_evade { self.late_move_reduction(depth, number, rank) } else { 0 };
                let child = ChildDepth { depth: depth - 1, reduction, is_first: number == 0 };
                let score = self.search_move::<K>(pos, &next, ply, child, SearchWindow { alpha, beta });
                self.path.pop();
                score
            };
            self.leave_path(n_configurations);
            if self.is_stopped {
                return Some(BestMove { mv: None, score: Score::DRAW });
            }
            number += 1;
            if is_quiet {
                self.stack(ply).quiets.push(mv);
            }
            if best.is_none_or(|best| score > best.score) {
                best = Some(BestMove { mv: (score > alpha).then_some(mv), score });
                if score > alpha {
                    alpha = score;
                    if K::PV {
                        self.update_pv(ply, mv);
                    }
                    if K::ROOT {
                        self.root_score = Some(score);
                    }
                    if score >= beta {
                        if is_quiet {
                            self.update_histories(ply, depth, side, mv);
                        }
                        break;
                    }
                }
            }
        }
        best
    }

    /// Appends the quiet moves of a node with their ranks to `moves`.
    fn rank_quiets(&mut self, pos: &Position<N>, ply: u16, facts: &NodeFacts<N>, moves: &mut RankedMoves) {
        let previous = self.thread.previous_move(ply);
        let killers = self.stack(ply).killers;
        let (history, continuation) = (&self.thread.history, &self.thread.continuation);
        let man_values = self.eval.man_values(pos.to_move());
        let params = &self.params;
        let ordering = Ordering { killers, previous, history, continuation, params, man_values };
        rank_quiets(self.book, pos, facts, &ordering, &mut self.thread.static_order, moves);
    }

    /// Principal variation search: the first move gets the full window, all others a null window
    /// with a reduced depth, followed by re-searches if they fail high.
    fn search_move<K: NodeKind>(
        &mut self,
        pos: &Position<N>,
        next: &Position<N>,
        ply: u16,
        child: ChildDepth,
        window: SearchWindow,
    ) -> Score {
        let ChildDepth { depth, reduction, is_first } = child;
        if is_first {
            return self.search_child(pos, next, window, |searcher, window| {
                searcher.search::<K::Next>(next, ply + 1, depth, window)
            });
        }
        let null_window = SearchWindow::null_above(window.alpha);
        let mut score = self.search_child(pos, next, null_window, |searcher, window| {
            searcher.search::<NonPv>(next, ply + 1, depth - reduction, window)
        });
        // Re-search at full depth
        if score > window.alpha && reduction > 0 {
            score = self.search_child(pos, next, null_window, |searcher, window| {
                searcher.search::<NonPv>(next, ply + 1, depth, window)
            });
        }
        // Re-search with the full window
        if K::PV && score > window.alpha && score < window.beta {
            score = self.search_child(pos, next, window, |searcher, window| {
                searcher.search::<Pv>(next, ply + 1, depth, window)
            });
        }
        score
    }

    /// Returns the score of a position without legal moves, relative to the side to move.
    pub(super) fn score_without_moves(&self, ply: u16) -> Score {
        match self.book.rules().no_moves {
            NoMoves::Lose => Score::loss_in(ply),
            NoMoves::Draw | NoMoves::Ignore => Score::DRAW,
        }
    }

    fn update_pv(&mut self, ply: u16, mv: Move) {
        let rest = std::mem::take(&mut self.stack(ply + 1).pv);
        let pv = &mut self.stack(ply).pv;
        pv.clear();
        pv.push(mv);
        pv.extend(&rest);
        self.stack(ply + 1).pv = rest;
    }
}
