//! Principal variation search, step by step, each labeled with its technique.
//!
//! See <https://www.chessprogramming.org/Principal_Variation_Search>.

use tafl_rules::{Move, Position};

use super::searcher::{MoveLoop, NodeKind, NonPv, SearchWorker};
use crate::facts::{NodeFacts, NodeKings, RoyalKing};
use crate::score::{Bound, Score, SearchWindow};
use crate::table::TtEntry;

impl<const N: usize> SearchWorker<'_, N> {
    /// Returns the score of a position, relative to the side to move; wins and losses are counted
    /// in plies from the root.
    #[inline]
    pub(super) fn search<K: NodeKind>(
        &mut self,
        pos: &Position<N>,
        ply: u16,
        depth: i32,
        window: SearchWindow,
    ) -> Score {
        if self.book.may_decline(pos) {
            self.search_optional_chain::<K>(pos, ply, depth, window)
        } else {
            self.search_node::<K>(pos, ply, depth, window)
        }
    }

    /// Searches a position inside a chain that the side to move may decline to continue, and returns the score of the better
    /// choice. If it declines, the principal variation begins with a move of the other side.
    #[cold]
    fn search_optional_chain<K: NodeKind>(
        &mut self,
        pos: &Position<N>,
        ply: u16,
        depth: i32,
        window: SearchWindow,
    ) -> Score {
        let is_excluded = K::ROOT && self.excludes_declining;
        let Some(declined) = self.book.after_declining(pos).filter(|_| !is_excluded) else {
            return self.search_node::<K>(pos, ply, depth, window);
        };
        let n_configurations = self.configurations.len();
        let score = if let Some(score) = self.end_by_declining(&declined, ply, pos.to_move()) {
            self.stack(ply).pv.clear();
            score
        } else {
            self.path.push(declined.key().0);
            let score = -self.search_node::<K::Next>(&declined, ply, depth, window.for_opponent());
            self.path.pop();
            score
        };
        self.leave_path(n_configurations);
        if self.is_stopped || score >= window.beta {
            return score;
        }
        let mut pv = Vec::new();
        if K::PV {
            pv = std::mem::take(&mut self.stack(ply).pv);
            // The root needs a move, but a node whose moves all lose at once has no principal variation.
            if K::ROOT && pv.is_empty() {
                pv.extend(self.book.moves(&declined).next());
            }
        }
        if K::ROOT && score > window.alpha {
            self.root_score = Some(score);
        }
        let above = SearchWindow { alpha: window.alpha.max(score), ..window };
        let continued = if depth > 0 {
            self.search_node::<K>(pos, ply, depth, above)
        } else {
            self.qsearch_node(pos, ply, 0, above, Some(score))
        };
        // A search of the root that was stopped before it found a better move has no line and no score.
        if K::PV && self.stack(ply).pv.is_empty() && (K::ROOT || score >= continued) {
            self.stack(ply).pv = pv;
        }
        score.max(continued)
    }

    /// Searches the moves of the side to move; in a chain, those that continue it.
    fn search_node<K: NodeKind>(
        &mut self,
        pos: &Position<N>,
        ply: u16,
        mut depth: i32,
        mut window: SearchWindow,
    ) -> Score {
        if K::PV {
            self.stack(ply).pv.clear();
        }

        // Tablebase probe
        if !K::ROOT
            && let Some(score) = self.probe_tablebase(pos, ply)
        {
            return score;
        }

        // Quiescence search at the horizon
        if depth <= 0 {
            return self.qsearch_node(pos, ply, 0, window, None);
        }
        self.count_node();
        if self.is_stopped {
            return Score::DRAW;
        }
        if ply + 2 >= Score::MAX_PLY {
            return self.evaluate(pos, &NodeFacts::of(self.book, pos));
        }

        // A king with an open line to a goal wins immediately
        let king = RoyalKing::of(self.book, pos, pos.to_move());
        if !K::ROOT {
            if let Some(escape) = king.and_then(|king| king.winning_escape(self.book, pos)) {
                if K::PV {
                    self.stack(ply).pv = vec![escape];
                }
                return Score::win_in(ply + 1);
            }

            // Mate distance pruning
            window.alpha = window.alpha.max(Score::loss_in(ply));
            window.beta = window.beta.min(Score::win_in(ply + 1));
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }
        let beta = window.beta;

        // Transposition table probe
        let key = pos.key().0;
        let entry = self.table.probe(key);
        let path_state = self.stack(ply).path_state;
        let is_near_limit = self.path_rules.is_near_limit(path_state, ply, depth);
        if let Some(entry) = entry
            && !K::PV
            && !is_near_limit
            && i32::from(entry.depth) >= depth
            && let Some(score) = entry.cutoff(ply, window)
        {
            return score;
        }

        // Static evaluation, unless the enemy king threatens to escape: such nodes are not pruned by it
        let kings = NodeKings::new(self.book, pos, king);
        let must_evade = kings.must_evade();
        let mut facts = None;
        let static_eval = match entry.and_then(|entry| entry.eval) {
            None if !must_evade => Some(self.static_eval(pos, &kings, &mut facts)),
            known => known,
        };

        // Evasion extension, the counterpart of a check extension
        if must_evade && i32::from(ply) < 2 * self.root_depth {
            depth += self.params.evasion_extension;
        }

        // Reverse futility pruning
        // A forced capture can lose what the static evaluation and a null move keep.
        let can_prune = !K::PV
            && !must_evade
            && pos.chain().is_none()
            && !beta.is_decisive()
            && !self.book.must_capture(pos);
        if can_prune
            && depth <= self.params.rfp_depth
            && let Some(static_eval) = static_eval
            && static_eval.plus(-self.params.rfp_margin * depth) >= beta
        {
            return static_eval;
        }

        // Null move pruning
        if can_prune
            && static_eval.is_some_and(|static_eval| static_eval >= beta)
            && self.may_try_null_move(ply, depth)
        {
            let score = self.search_null_move(pos, ply, depth, beta);
            if self.is_stopped {
                return Score::DRAW;
            }
            if score >= beta {
                return if score.is_decisive() { beta } else { score };
            }
        }

        // Internal iterative reduction
        let tt_move = if K::ROOT { self.root_tt_move } else { None };
        let is_own_move =
            |mv: &Move| pos.side(pos.to_move()).contains(mv.from) && self.book.is_legal(pos, *mv);
        let tt_move = tt_move.or_else(|| entry.and_then(|entry| entry.mv)).filter(is_own_move);
        if tt_move.is_none() && self.params.iir_depth > 0 && depth >= self.params.iir_depth {
            depth -= 1;
        }

        // Move loop
        let facts = facts.unwrap_or_else(|| NodeFacts::new(self.book, pos, &kings));
        let mut moves = std::mem::take(&mut self.stack(ply).moves);
        let node = MoveLoop { depth, tt_move, static_eval, must_evade, is_near_limit, facts: &facts };
        let found = self.search_moves::<K>(pos, ply, &node, window, &mut moves);
        self.stack(ply).moves = moves;
        let Some(found) = found else {
            // A chain whose continuations all lead back can still be declined.
            let can_decline = self.book.may_decline(pos);
            return if can_decline { Score::loss_in(ply) } else { self.score_without_moves(ply) };
        };
        if self.is_stopped {
            return found.score;
        }

        // Transposition table store; with moves excluded or skipped, the score is not that of the
        // position
        let is_complete = (!K::ROOT || self.multipv_excluded.is_empty()) && !self.stack(ply).skips_jumps;
        if is_complete && !is_near_limit {
            let bound = Bound::within(found.score, window);
            let (score, depth) = (found.score.to_tt(ply), depth.clamp(0, 255) as u8);
            self.table.store(key, &TtEntry { mv: found.mv, score, bound, depth, eval: static_eval });
        }
        found.score
    }

    /// Returns whether a null move may be tried: never twice in a row, and not at the root.
    #[inline]
    fn may_try_null_move(&mut self, ply: u16, depth: i32) -> bool {
        let first = self.params.null_move_depth;
        first > 0 && depth >= first && ply > 0 && !self.stack(ply).is_after_null_move
    }

    /// Returns the score after a null move, by a reduced search with a null window below beta.
    fn search_null_move(&mut self, pos: &Position<N>, ply: u16, depth: i32, beta: Score) -> Score {
        let reduction = self.params.null_move_reduction + depth / self.params.null_move_depth_per_ply;
        let after_null_move = pos.after_null_move();
        self.path.push(after_null_move.key().0);
        self.stack(ply).mv = None;
        let path_state = self.stack(ply).path_state;
        let next = self.stack(ply + 1);
        next.killers = [None; 2];
        next.is_after_null_move = true;
        next.path_state = path_state;
        let window = SearchWindow::null_below(beta).for_opponent();
        let score = -self.search::<NonPv>(&after_null_move, ply + 1, depth - 1 - reduction, window);
        self.path.pop();
        self.stack(ply + 1).is_after_null_move = false;
        score
    }
}
