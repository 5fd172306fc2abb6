//! The moves of a node: which are searched, in which order, how deep.

use tafl_rules::Move;
use tafl_rules::position::Position;
use tafl_rules::ruleset::NoMoves;

use super::judge::Prospect;
use super::picker::{Hints, Ranked, deed, pick, rank_all};
use super::recurrence::Recurrence;
use super::search::{Node, OffLine, OnLine, Searcher, score_of};
use super::threat::Threats;
use crate::score::Score;

/// How the moves of a node are searched.
pub(super) struct Plan<'p, const N: usize> {
    pub(super) depth: i32,
    /// The move that is tried first.
    pub(super) hint: Option<Move>,
    /// How much deeper that move is searched.
    pub(super) deeper: i32,
    pub(super) standing: Score,
    pub(super) must_answer: bool,
    pub(super) threats: &'p Threats<N>,
}

/// What the moves of a node came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The move that raised alpha, if one did.
    pub(super) mv: Option<Move>,
    pub(super) score: Score,
}

impl<const N: usize> Searcher<'_, N> {
    /// Searches the moves of a node; returns nothing if there is none.
    pub(super) fn search_moves<K: Node>(
        &mut self,
        pos: &Position<N>,
        ply: u16,
        plan: &Plan<'_, N>,
        (first_alpha, beta): (Score, Score),
        moves: &mut Vec<Ranked>,
    ) -> Option<Found> {
        let side = pos.to_move();
        let Plan { depth, must_answer, .. } = *plan;
        let mut alpha = first_alpha;
        let mut best: Option<Found> = None;
        let (mut number, mut at) = (0, 0);
        let is_worse = self.is_worse(ply, plan);
        let mut first = plan.hint;
        let mut is_ranked = false;
        self.frame(ply).tried.clear();
        self.frame(ply + 1).killers = [None; 2];
        loop {
            let Ranked { mv, is_quiet, rank } = if let Some(mv) = first.take() {
                Ranked { mv, is_quiet: deed(pos, plan.threats, mv).is_none(), rank: 0 }
            } else {
                if !is_ranked {
                    self.rank(pos, ply, plan.threats, moves);
                    is_ranked = true;
                }
                if at == moves.len() {
                    break;
                }
                at += 1;
                let ranked = pick(moves, at - 1);
                if plan.hint == Some(ranked.mv) {
                    continue;
                }
                ranked
            };
            if (K::ROOT && self.excluded.contains(&mv)) || self.frame(ply).left_out == Some(mv) {
                continue;
            }
            let has_best = best.is_some_and(|found| found.score > -Score::win_in(Score::MAX_PLY));
            if !K::PV && is_quiet && !must_answer && has_best {
                match self.prospect(plan, number, rank, alpha) {
                    Prospect::Good => {}
                    Prospect::Bad => continue,
                    Prospect::BadAsTheRest => break,
                }
            }
            let mut next = *pos;
            let effects = self.book.play(&mut next, mv);
            let back = effects.captured.is_empty() && next.chain().is_none() && self.is_back(&next);
            let recurrence = if back { Some(self.recurrence[side]) } else { None };
            if recurrence == Some(Recurrence::Forbidden) {
                continue;
            }
            let score = if let Some(outcome) = effects.outcome {
                self.frame(ply + 1).line.clear();
                score_of(outcome, side, ply + 1)
            } else if let Some(score) = recurrence.and_then(|recurrence| recurrence.score(ply + 1)) {
                self.frame(ply + 1).line.clear();
                score
            } else {
                self.path.push(next.key().0);
                self.frame(ply).mv = Some(mv);
                let quiet = if is_quiet && !must_answer { Some((mv, side)) } else { None };
                let reduction = self.reduction::<K>((ply, depth), number, quiet, is_worse);
                let deeper = if plan.hint == Some(mv) { plan.deeper } else { 0 };
                let steps = (ply, depth + deeper, number, reduction);
                let score = self.search_move::<K>(pos, &next, steps, (alpha, beta));
                self.path.pop();
                score
            };
            if self.is_stopped {
                return Some(Found { mv: None, score: Score::DRAW });
            }
            number += 1;
            if is_quiet {
                self.frame(ply).tried.push(mv);
            }
            if best.is_none_or(|found| score > found.score) {
                best = Some(Found { mv: (score > alpha).then_some(mv), score });
                if score > alpha {
                    alpha = score;
                    if K::PV {
                        self.lengthen_line(ply, mv);
                    }
                    if K::ROOT {
                        self.root_score = Some(score);
                    }
                    if score >= beta {
                        if is_quiet {
                            self.reward(ply, depth, side, mv);
                        }
                        break;
                    }
                }
            }
        }
        best
    }

    /// Fills `moves` with the moves of a node and their ranks.
    fn rank(&mut self, pos: &Position<N>, ply: u16, threats: &Threats<N>, moves: &mut Vec<Ranked>) {
        let before = self.before(ply);
        let side = pos.to_move();
        let refutation = match self.params.countermove {
            0 => None,
            _ => self.continuation.refutation(side, before),
        };
        let killers = self.frame(ply).killers;
        let (history, continuation) = (&self.history, &self.continuation);
        let hints = Hints { killers, refutation, before, history, continuation };
        rank_all(self.book, pos, threats, &hints, moves);
    }

    /// Searches the position after a move: shallower and with a null window first where that is likely to do.
    fn search_move<K: Node>(
        &mut self,
        pos: &Position<N>,
        next: &Position<N>,
        (ply, depth, number, reduction): (u16, i32, usize, i32),
        (alpha, beta): (Score, Score),
    ) -> Score {
        if number == 0 {
            return self.below(pos, next, (alpha, beta), |this, window| {
                this.search::<K::First>(next, ply + 1, depth - 1, window)
            });
        }
        let narrow = (alpha, alpha.plus_least());
        let mut score = self.below(pos, next, narrow, |this, window| {
            this.search::<OffLine>(next, ply + 1, depth - 1 - reduction, window)
        });
        if score > alpha && reduction > 0 {
            score = self.below(pos, next, narrow, |this, window| {
                this.search::<OffLine>(next, ply + 1, depth - 1, window)
            });
        }
        if K::PV && score > alpha && score < beta {
            score = self.below(pos, next, (alpha, beta), |this, window| {
                this.search::<OnLine>(next, ply + 1, depth - 1, window)
            });
        }
        score
    }

    /// Returns the score of a side that has no move, relative to it.
    pub(super) fn score_without_moves(&self, ply: u16) -> Score {
        match self.book.rules().no_moves {
            NoMoves::Lose => Score::loss_in(ply),
            NoMoves::Draw | NoMoves::Ignore => Score::DRAW,
        }
    }

    /// Returns whether a position was there before, since the last capture.
    #[inline]
    fn is_back(&self, next: &Position<N>) -> bool {
        self.path.contains(&next.key().0)
    }

    fn lengthen_line(&mut self, ply: u16, mv: Move) {
        let rest = std::mem::take(&mut self.frame(ply + 1).line);
        let line = &mut self.frame(ply).line;
        line.clear();
        line.push(mv);
        line.extend(&rest);
        self.frame(ply + 1).line = rest;
    }
}
