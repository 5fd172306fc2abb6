//! The search: principal variation search over a shared table, step by step.
//!
//! See <https://www.chessprogramming.org/Principal_Variation_Search>.

use std::time::Instant;

use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{BySide, Move, Outcome, Side};

use super::history::{Continuation, History};
use super::moves::Plan;
use super::params::{CHECK_EVERY, Params};
use super::picker::Ranked;
use super::recurrence::Recurrence;
use super::threat::{Threats, winning_run};
use crate::eval::{Evaluator, Scratch};
use crate::limits::Limits;
use crate::score::{Bound, Score};
use crate::solver::tables::Tables;
use crate::table::{Entry, TranspositionTable};

/// Where in the tree a node stands.
pub(super) trait Node {
    /// Whether its exact score matters, not only on which side of a bound it lies.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool;
    /// Its first child.
    type First: Node;
}

pub(super) struct Root;
pub(super) struct OnLine;
pub(super) struct OffLine;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type First = OnLine;
}
impl Node for OnLine {
    const PV: bool = true;
    const ROOT: bool = false;
    type First = OnLine;
}
impl Node for OffLine {
    const PV: bool = false;
    const ROOT: bool = false;
    type First = OffLine;
}

/// What a search keeps for each ply.
#[derive(Debug, Default, Clone)]
pub(super) struct Frame {
    pub(super) moves: Vec<Ranked>,
    pub(super) tried: Vec<Move>,
    pub(super) killers: [Option<Move>; 2],
    pub(super) line: Vec<Move>,
    pub(super) is_after_pass: bool,
    /// The move that is tried at this ply; nothing for a pass.
    pub(super) mv: Option<Move>,
    /// What the position is worth as it stands.
    pub(super) standing: Score,
    /// The move that is left out, to see what the others are worth.
    pub(super) left_out: Option<Move>,
}

/// One thread's search under one set of rules.
#[derive(Debug)]
pub(super) struct Searcher<'e, const N: usize> {
    pub(super) book: &'e Rulebook<N>,
    pub(super) eval: &'e Evaluator<N>,
    pub(super) scratch: Scratch<N>,
    pub(super) params: Params,
    pub(super) table: &'e TranspositionTable,
    pub(super) limits: &'e Limits,
    pub(super) history: History,
    pub(super) continuation: Continuation,
    pub(super) frames: Vec<Frame>,
    /// The keys of the positions since the last capture: those of the game, then those of the path.
    pub(super) path: Vec<u64>,
    pub(super) recurrence: BySide<Recurrence>,
    pub(super) nodes: u64,
    pub(super) is_stopped: bool,
    pub(super) started: Instant,
    /// Root moves that other lines begin with already.
    pub(super) excluded: Vec<Move>,
    pub(super) root_depth: i32,
    /// The best move of the depth before.
    pub(super) root_hint: Option<Move>,
    /// The score of the best root move so far in the search that is under way.
    pub(super) root_score: Option<Score>,
    /// What belongs to the rules and not to the position: searches of other rules may share the table.
    pub(super) salt: u64,
    pub(super) reductions: Vec<[u8; 64]>,
    /// Whether this thread obeys the limit of nodes; helpers only obey the stop flag that the first thread sets.
    pub(super) is_first: bool,
    pub(super) halt: &'e std::sync::atomic::AtomicBool,
    /// What is known of few pieces, for these rules.
    pub(super) tables: Option<&'e Tables>,
}

/// Returns what the end of a game is worth to a side, `ply` plies after the root.
pub(super) fn score_of(outcome: Outcome, side: Side, ply: u16) -> Score {
    match outcome.winner {
        Some(winner) if winner == side => Score::win_in(ply),
        Some(_) => Score::loss_in(ply),
        None => Score::DRAW,
    }
}

/// Returns by how many plies the search of a late move is shallower, by depth and number of the move.
pub(super) fn reductions(params: &Params) -> Vec<[u8; 64]> {
    let (base, divisor) =
        (f64::from(params.reduction_base) / 100.0, f64::from(params.reduction_divisor) / 100.0);
    let entry = |depth: usize, number: usize| {
        if depth == 0 || number == 0 {
            return 0;
        }
        let grown = (depth as f64).ln() * (number as f64).ln() / divisor;
        (base + grown) as u8
    };
    (0..64).map(|depth| std::array::from_fn(|number| entry(depth, number))).collect()
}

impl<const N: usize> Searcher<'_, N> {
    #[inline]
    pub(super) fn frame(&mut self, ply: u16) -> &mut Frame {
        let ply = usize::from(ply);
        if ply >= self.frames.len() {
            self.frames.resize(ply + 8, Frame::default());
        }
        &mut self.frames[ply]
    }

    /// Returns what a position is worth without a search, relative to the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self, pos: &Position<N>) -> Score {
        self.eval.evaluate(&mut self.scratch, self.book, pos)
    }

    #[inline]
    fn passes_at(&self, depth: i32) -> bool {
        self.params.pass_depth > 0 && depth >= self.params.pass_depth
    }

    /// Counts a node and looks at the limits now and then.
    #[inline]
    pub(super) fn count_node(&mut self) {
        self.nodes += 1;
        if self.is_first && self.limits.nodes.is_some_and(|most| self.nodes >= most.0) {
            self.is_stopped = true;
        }
        if self.nodes.is_multiple_of(CHECK_EVERY) {
            self.look_at_the_clock();
        }
    }

    #[cold]
    fn look_at_the_clock(&mut self) {
        use std::sync::atomic::Ordering;
        let is_late = self.is_first && self.limits.time.is_some_and(|time| self.started.elapsed() >= time);
        self.is_stopped |= is_late || self.limits.is_stopped() || self.halt.load(Ordering::Relaxed);
    }

    /// Searches the position after a move, whoever is to move in it, and returns the score for the side that moved.
    #[inline]
    pub(super) fn below(
        &mut self,
        pos: &Position<N>,
        next: &Position<N>,
        (alpha, beta): (Score, Score),
        search: impl FnOnce(&mut Self, (Score, Score)) -> Score,
    ) -> Score {
        if next.to_move() == pos.to_move() {
            search(self, (alpha, beta))
        } else {
            -search(self, (-beta, -alpha))
        }
    }

    /// Returns the score of a position, relative to the side to move; wins and losses are counted from the root.
    pub(super) fn search<K: Node>(
        &mut self,
        pos: &Position<N>,
        ply: u16,
        mut depth: i32,
        (mut alpha, mut beta): (Score, Score),
    ) -> Score {
        // 1. What tables know, the horizon, limits, and the longest line.
        if K::PV {
            self.frame(ply).line.clear();
        }
        if !K::ROOT
            && let Some(score) = self.in_tables(pos, ply)
        {
            return score;
        }
        if depth <= 0 {
            return self.quiesce(pos, ply, 0, (alpha, beta));
        }
        self.count_node();
        if self.is_stopped {
            return Score::DRAW;
        }
        if ply + 2 >= Score::MAX_PLY {
            return self.evaluate(pos);
        }

        // 2. A king with an open line wins at once; nothing can be better than that, or worse than losing now.
        if !K::ROOT {
            if let Some(run) = winning_run(self.book, pos) {
                if K::PV {
                    self.frame(ply).line = vec![run];
                }
                return Score::win_in(ply + 1);
            }
            alpha = alpha.max(Score::loss_in(ply));
            beta = beta.min(Score::win_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 3. What the table knows.
        let key = pos.key().0 ^ self.salt;
        let known = self.table.probe(key);
        let left_out = self.frame(ply).left_out;
        if let Some(entry) = known
            && !K::PV
            && left_out.is_none()
            && i32::from(entry.depth) >= depth
            && let Some(score) = entry.cutoff(ply, (alpha, beta))
        {
            return score;
        }

        // 4. What hangs, and what the position is worth as it stands.
        let threats = Threats::of(self.book, pos);
        let must_answer = threats.must_answer();
        let standing = match known {
            Some(entry) => entry.eval,
            None => self.evaluate(pos),
        };
        self.frame(ply).standing = standing;
        if must_answer && left_out.is_none() && i32::from(ply) < 2 * self.root_depth {
            depth += self.params.answer_extension;
        }

        // 5. So far above beta that a shallow search would not bring it down.
        let is_plain = !K::PV && !must_answer && pos.chain().is_none() && left_out.is_none();
        let can_cut = is_plain && !beta.is_decisive();
        if can_cut
            && depth <= self.params.static_cut_depth
            && standing.plus(-self.params.static_cut_margin * depth) >= beta
        {
            return standing;
        }

        // 6. So far below alpha that only captures could help.
        if is_plain
            && depth <= self.params.razor_depth
            && !alpha.is_decisive()
            && standing.plus(self.params.razor_margin * depth) <= alpha
        {
            let score = self.quiesce(pos, ply, 0, (alpha, alpha.plus_least()));
            if score <= alpha {
                return score;
            }
        }

        // 7. Even passing is good enough.
        if can_cut && self.passes_at(depth) && standing >= beta && ply > 0 && !self.frame(ply).is_after_pass {
            let less = self.params.pass_reduction + depth / self.params.pass_depth_per_ply;
            let passed = pos.passed();
            self.path.push(passed.key().0);
            self.frame(ply + 1).killers = [None; 2];
            self.frame(ply + 1).is_after_pass = true;
            self.frame(ply).mv = None;
            let below = (-beta, -beta.minus_least());
            let score = -self.search::<OffLine>(&passed, ply + 1, depth - 1 - less, below);
            self.path.pop();
            self.frame(ply + 1).is_after_pass = false;
            if self.is_stopped {
                return Score::DRAW;
            }
            if score >= beta {
                return if score.is_decisive() { beta } else { score };
            }
        }

        // 8. Without a hint the order is poor: look less deep. With one that is far better than the rest, look deeper.
        let hint = if K::ROOT { self.root_hint } else { None };
        let hint =
            hint.or_else(|| known.and_then(|entry| entry.mv)).filter(|mv| self.book.is_legal(pos, *mv));
        if hint.is_none() && self.params.no_hint_depth > 0 && depth >= self.params.no_hint_depth {
            depth -= 1;
        }
        let mut deeper = 0;
        if let (Some(mv), Some(entry)) = (hint, known)
            && !K::ROOT
            && left_out.is_none()
            && self.may_be_singular(&entry, depth, ply)
        {
            let least = entry.score.plus(-self.params.singular_margin * depth);
            self.frame(ply).left_out = Some(mv);
            let others = self.search::<OffLine>(pos, ply, (depth - 1) / 2, (least.minus_least(), least));
            self.frame(ply).left_out = None;
            if self.is_stopped {
                return Score::DRAW;
            }
            if others < least {
                deeper = 1;
            } else if !K::PV && least >= beta {
                return least;
            }
        }

        // 9. The moves, the most promising first.
        let mut moves = std::mem::take(&mut self.frame(ply).moves);
        let plan = Plan { depth, hint, deeper, standing, must_answer, threats: &threats };
        let found = self.search_moves::<K>(pos, ply, &plan, (alpha, beta), &mut moves);
        self.frame(ply).moves = moves;
        let Some(found) = found else {
            return if left_out.is_some() { alpha } else { self.score_without_moves(ply) };
        };
        if self.is_stopped || left_out.is_some() {
            return found.score;
        }

        // 10. Remember.
        if !K::ROOT || self.excluded.is_empty() {
            let bound = Bound::within(found.score, (alpha, beta));
            let (score, depth) = (found.score.seen_at(ply), depth.clamp(0, 255) as u8);
            self.table.store(key, &Entry { mv: found.mv, score, bound, depth, eval: standing });
        }
        found.score
    }

    /// Returns whether the move of an entry may be the only good one: it was good enough, and that was not long ago.
    fn may_be_singular(&self, entry: &Entry, depth: i32, ply: u16) -> bool {
        let first = self.params.singular_depth;
        first > 0
            && depth >= first
            && i32::from(entry.depth) >= depth - 3
            && entry.bound != Bound::Upper
            && !entry.score.is_decisive()
            && i32::from(ply) < 2 * self.root_depth
    }
}
