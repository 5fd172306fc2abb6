//! Quiescence: captures, runs of kings and their answers, until nothing hangs.

use tafl_rules::Piece;
use tafl_rules::Role;
use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;

use super::picker::{pick, rank_some};
use super::search::{Searcher, score_of};
use super::threat::{Threats, winning_run};
use crate::score::{Bound, Score};
use crate::table::Entry;

impl<const N: usize> Searcher<'_, N> {
    /// Returns the score of a position after the captures and runs in it, relative to the side to move.
    ///
    /// `quiet` counts the plies of quiescence, from 0.
    pub(super) fn quiesce(
        &mut self,
        pos: &Position<N>,
        ply: u16,
        quiet: i32,
        (mut alpha, beta): (Score, Score),
    ) -> Score {
        self.count_node();
        if self.is_stopped {
            return Score::DRAW;
        }
        if winning_run(self.book, pos).is_some() {
            return Score::win_in(ply + 1);
        }
        let key = pos.key().0 ^ self.salt;
        let known = if self.params.quiet_table != 0 { self.table.probe(key) } else { None };
        if let Some(score) = known.and_then(|entry| entry.cutoff(ply, (alpha, beta))) {
            return score;
        }
        let threats = Threats::of(self.book, pos);
        let must_answer = threats.must_answer();
        let mut best = if must_answer && quiet < self.params.quiet_answers {
            Score::opinion(-self.params.lost_to_run)
        } else {
            match known {
                Some(entry) => entry.eval,
                None => self.evaluate(pos),
            }
        };
        let first_alpha = alpha;
        // As far down as this a win could not be told from an opinion.
        let is_longest = ply + 2 >= Score::MAX_PLY;
        if best >= beta || quiet >= self.params.quiet_depth || is_longest {
            return best;
        }
        alpha = alpha.max(best);
        let standing = best;
        let men = threats.captures | threats.king_captures | threats.answers;
        let kings = if quiet < self.params.quiet_runs { men | threats.runs } else { men };
        let men = if must_answer { threats.answers | threats.king_captures } else { men };
        let kings = if must_answer { men } else { kings };
        let wanted = |piece: Piece| -> Bitboard<N> { if piece.role == Role::King { kings } else { men } };
        let mut moves = std::mem::take(&mut self.frame(ply).moves);
        rank_some(self.book, pos, wanted, &self.history, &mut moves);
        for at in 0..moves.len() {
            let mv = pick(&mut moves, at).mv;
            let mut next = *pos;
            let effects = self.book.play(&mut next, mv);
            let score = if let Some(outcome) = effects.outcome {
                score_of(outcome, pos.to_move(), ply + 1)
            } else {
                let is_run = threats.runs.contains(mv.to) && pos.kings().contains(mv.from);
                if !must_answer && effects.captured.is_empty() && !is_run {
                    continue;
                }
                let gain = self.params.quiet_margin * effects.captured.count() as i32;
                if !must_answer && !is_run && standing.plus(gain) <= alpha {
                    continue;
                }
                self.below(pos, &next, (alpha, beta), |this, window| {
                    this.quiesce(&next, ply + 1, quiet + 1, window)
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
        self.frame(ply).moves = moves;
        if self.params.quiet_table != 0 && !must_answer && quiet == 0 && !self.is_stopped {
            let bound = Bound::within(best, (first_alpha, beta));
            self.table
                .store(key, &Entry { mv: None, score: best.seen_at(ply), bound, depth: 0, eval: standing });
        }
        best
    }
}
