//! Quiescence search: captures, threats of the king to escape, and evasions.
//!
//! See <https://www.chessprogramming.org/Quiescence_Search>.

use tafl_rules::{Bitboard, Piece, Position, Role};

use super::ordering::rank_targets;
use super::searcher::{SearchWorker, score_of};
use crate::facts::{NodeFacts, NodeKings, RoyalKing};
use crate::score::{Bound, Score, SearchWindow};
use crate::table::TtEntry;

impl<const N: usize> SearchWorker<'_, N> {
    /// Returns the score of a position after its captures and threats are resolved, relative to the
    /// side to move.
    ///
    /// `qply` is the number of plies since the start of quiescence.
    fn qsearch(&mut self, pos: &Position<N>, ply: u16, qply: i32, window: SearchWindow) -> Score {
        if self.book.may_decline(pos) {
            self.qsearch_optional_chain(pos, ply, qply, window)
        } else {
            self.qsearch_node(pos, ply, qply, window, None)
        }
    }

    /// Searches a position inside a chain that the side to move may decline to continue, and returns the score of the better
    /// choice.
    #[cold]
    fn qsearch_optional_chain(
        &mut self,
        pos: &Position<N>,
        ply: u16,
        qply: i32,
        window: SearchWindow,
    ) -> Score {
        let Some(declined) = self.book.after_declining(pos) else {
            return self.qsearch_node(pos, ply, qply, window, None);
        };
        let score = -self.qsearch_node(&declined, ply, qply, window.for_opponent(), None);
        if self.is_stopped || score >= window.beta {
            return score;
        }
        let above = SearchWindow { alpha: window.alpha.max(score), ..window };
        score.max(self.qsearch_node(pos, ply, qply, above, Some(score)))
    }

    /// Searches the captures and threats of the side to move; in a chain, those that continue it. The parameters are those of
    /// [`SearchWorker::qsearch`], and the score of declining the chain: the side to move can't stand pat in it, because it would
    /// keep the move.
    pub(super) fn qsearch_node(
        &mut self,
        pos: &Position<N>,
        ply: u16,
        qply: i32,
        window: SearchWindow,
        declining: Option<Score>,
    ) -> Score {
        self.count_node();
        if self.is_stopped {
            return Score::DRAW;
        }
        // A king with an open line to a goal wins immediately
        let king = RoyalKing::of(self.book, pos, pos.to_move());
        if king.is_some_and(|king| king.winning_escape(self.book, pos).is_some()) {
            return Score::win_in(ply + 1);
        }

        // Transposition table probe
        let key = pos.key().0;
        let entry = if self.params.qsearch_tt != 0 { self.table.probe(key) } else { None };
        if let Some(score) = entry.and_then(|entry| entry.cutoff(ply, window)) {
            return score;
        }

        // Stand pat, unless the enemy king threatens to escape
        let kings = NodeKings::new(self.book, pos, king);
        let must_evade = kings.must_evade();
        let mut facts = None;
        let static_eval = if must_evade && qply < self.params.qsearch_evasions {
            Score::evaluation(-self.params.qsearch_escape_loss)
        } else {
            match entry.and_then(|entry| entry.eval) {
                Some(eval) => eval,
                None => self.static_eval(pos, &kings, &mut facts),
            }
        };
        let mut best = declining.unwrap_or(static_eval);
        // Beyond `MAX_PLY` a win score would overlap the range of evaluations.
        let is_too_deep = ply + 2 >= Score::MAX_PLY;
        let SearchWindow { mut alpha, beta } = window;
        if best >= beta || qply >= self.params.qsearch_depth || is_too_deep {
            return best;
        }
        alpha = alpha.max(best);
        let facts = facts.unwrap_or_else(|| NodeFacts::new(self.book, pos, &kings));
        let (for_men, for_kings) = self.qsearch_targets(&facts, qply);
        let targets = |piece: Piece| if piece.role == Role::King { for_kings } else { for_men };
        let mut moves = std::mem::take(&mut self.stack(ply).moves);
        rank_targets(self.book, pos, targets, &self.thread.history, &mut moves);
        for at in 0..moves.len() {
            let (mv, _) = moves.pick(at);
            let mut next = *pos;
            let effects = self.book.play(&mut next, mv);
            let score = if let Some(outcome) = effects.outcome {
                score_of(outcome, pos.to_move(), ply + 1)
            } else {
                let is_threat = facts.king_escape_threats.contains(mv.to) && pos.kings().contains(mv.from);
                if !must_evade && effects.captured.is_empty() && !is_threat {
                    continue;
                }
                // Delta pruning
                let gain = self.params.qsearch_margin * effects.captured.count() as i32;
                if !must_evade && !is_threat && static_eval.plus(gain) <= alpha {
                    continue;
                }
                self.table.prefetch(next.key().0);
                self.search_child(pos, &next, SearchWindow { alpha, beta }, |searcher, window| {
                    searcher.qsearch(&next, ply + 1, qply + 1, window)
                })
            };
            if self.is_stopped {
                break;
            }
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        self.stack(ply).moves = moves;

        // Transposition table store
        if self.params.qsearch_tt != 0 && !must_evade && qply == 0 && !self.is_stopped {
            let bound = Bound::within(best, window);
            let entry =
                TtEntry { mv: None, score: best.to_tt(ply), bound, depth: 0, eval: Some(static_eval) };
            self.table.store(key, &entry);
        }
        best
    }

    /// Returns the targets of men and the targets of kings that quiescence tries.
    #[inline]
    fn qsearch_targets(&self, facts: &NodeFacts<N>, qply: i32) -> (Bitboard<N>, Bitboard<N>) {
        let evasions = facts.threat_evasions | facts.king_captures;
        if facts.must_evade() {
            return (evasions, evasions);
        }
        let captures = evasions | facts.captures;
        let escapes = qply < self.params.qsearch_escapes;
        (captures, if escapes { captures | facts.king_escape_threats } else { captures })
    }
}
