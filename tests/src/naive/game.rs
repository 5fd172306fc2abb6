//! A game: the board, the side to move, and the history.

use std::collections::BTreeSet;
use std::rc::Rc;

use tafl_rules::{
    Berserk, Cell, Move, NoMoves, Outcome, Piece, Reason, RepetitionEffect, RepetitionRule, RepetitionScope,
    Role, RuleSet, Setup, Side,
};

use super::captures::{Trap, captures, jumped_over};
use super::ends::{has_exit_fort, is_encircled};
use super::moves::{cells_of, destinations};
use crate::model::{NotLegal, RulesModel};

/// The slow model of a game.
#[derive(Debug, Clone)]
pub struct Naive {
    pub(super) rules: Rc<RuleSet>,
    pub(super) board: Setup,
    side: Side,
    /// The piece that must continue capturing.
    chain: Option<Cell>,
    /// The boards at the ends of turns since the last capture.
    history: Vec<TurnEnd>,
    plies: u32,
    captureless: u32,
    outcome: Option<Outcome>,
}

/// The board at the end of a turn.
#[derive(Debug, Clone)]
struct TurnEnd {
    board: Setup,
    to_move: Side,
    /// The side that made the turn; `None` at the start.
    mover: Option<Side>,
}

impl RulesModel for Naive {
    fn at(rules: &RuleSet, board: &Setup, side: Side) -> Naive {
        let start = TurnEnd { board: board.clone(), to_move: side, mover: None };
        Naive {
            rules: Rc::new(rules.clone()),
            board: board.clone(),
            side,
            chain: None,
            history: vec![start],
            plies: 0,
            captureless: 0,
            outcome: None,
        }
    }

    fn board(&self) -> Setup {
        self.board.clone()
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn moves(&self) -> Vec<Move> {
        let own = cells_of(&self.board, self.side).into_iter().flat_map(|from| self.moves_of(from));
        let declined = self.declined().filter(|game| game.outcome.is_none());
        let after_declining = declined.map_or_else(Vec::new, |game| game.moves());
        let mut all: Vec<Move> = own.chain(after_declining).collect();
        all.sort_unstable();
        all
    }

    fn play(&mut self, mv: Move) -> Result<Vec<Cell>, NotLegal> {
        let own = self.board.piece(mv.from).is_some_and(|piece| piece.side == self.side);
        if let Some(mut declined) = self.declined().filter(|_| !own) {
            if declined.outcome.is_some() {
                return Err(NotLegal);
            }
            let captured = declined.play(mv)?;
            *self = declined;
            return Ok(captured);
        }
        if !own || !self.moves_of(mv.from).contains(&mv) {
            return Err(NotLegal);
        }
        let (after, fallen) = self.after(mv);
        let goes_on_by_jump = self.jump_counts(mv);
        let royal_fallen = fallen
            .iter()
            .any(|cell| self.board.piece(*cell).is_some_and(|p| super::board::is_royal(&self.rules, p)));
        let mover = self.side;
        self.board = after;
        self.plies += 1;
        self.captureless += 1;
        if !fallen.is_empty() {
            self.captureless = 0;
            self.history.clear();
        }
        self.chain = self.next_chain(mv.to, !fallen.is_empty() || goes_on_by_jump);
        self.outcome = self.judge_board(mover, royal_fallen);
        if self.outcome.is_some() {
            self.chain = None;
        }
        if self.chain.is_none() {
            self.end_turn();
        }
        if self.outcome.is_none() && self.chain.is_none() {
            self.outcome = self.judge_turn(mover);
        }
        Ok(fallen.into_iter().collect())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}

impl Naive {
    /// Returns the legal moves of the piece on `from`, in rising order.
    fn moves_of(&self, from: Cell) -> Vec<Move> {
        let all = destinations(&self.rules, &self.board, from).into_iter().map(|to| Move::new(from, to));
        all.filter(|mv| {
            self.continues_chain(*mv) && !self.is_forbidden_repetition(*mv) && !self.declines_capture(*mv)
        })
        .collect()
    }

    /// Returns whether a move captures nothing although captures are forced and some move of its side captures.
    fn declines_capture(&self, mv: Move) -> bool {
        let is_capture = |mv: Move| !self.after(mv).1.is_empty();
        let could_capture = |from: Cell| {
            let to = destinations(&self.rules, &self.board, from);
            to.into_iter().any(|to| is_capture(Move::new(from, to)))
        };
        self.rules.forced_capture
            && self.chain.is_none()
            && !is_capture(mv)
            && cells_of(&self.board, self.side).into_iter().any(could_capture)
    }

    /// Returns the board after a move, and the cells of captured pieces.
    pub(super) fn after(&self, mv: Move) -> (Setup, BTreeSet<Cell>) {
        let mover = self.board.piece(mv.from).expect("a piece moves");
        let mut board = self.board.clone();
        board.put(mv.from, None);
        board.put(mv.to, Some(mover));
        let trap = Trap { rules: &self.rules, board: &board, mover, from: mv.from, to: mv.to };
        let fallen = captures(&trap);
        for cell in &fallen {
            let piece = board.piece(*cell).expect("pieces are captured");
            let turned = Piece::new(piece.side.other(), piece.role);
            board.put(*cell, (piece.role == Role::Mercenary).then_some(turned));
        }
        (board, fallen)
    }

    /// Passes the turn to the other side.
    fn end_turn(&mut self) {
        let mover = self.side;
        self.chain = None;
        self.side = mover.other();
        let end = TurnEnd { board: self.board.clone(), to_move: self.side, mover: Some(mover) };
        self.history.push(end);
    }

    /// Returns the game after the side to move declined to continue a chain, if it may.
    fn declined(&self) -> Option<Naive> {
        (self.rules.chain.may_decline && self.chain.is_some()).then(|| {
            let mut game = self.clone();
            game.end_turn();
            game.outcome = game.judge_turn(self.side);
            game
        })
    }

    /// Returns whether a move is a jump under rules by which jumps continue chains as captures do.
    fn jump_counts(&self, mv: Move) -> bool {
        self.rules.chain.after_jumps && jumped_over(&self.board, mv.from, mv.to).is_some()
    }

    /// Returns whether a move is allowed in the current chain, or without one.
    fn continues_chain(&self, mv: Move) -> bool {
        match self.chain {
            None => true,
            Some(cell) => mv.from == cell && self.could_continue(mv),
        }
    }

    /// Returns whether a move of the piece that just captured may continue the chain.
    fn could_continue(&self, mv: Move) -> bool {
        match self.rules.berserk {
            Berserk::None => false,
            Berserk::AnyMove => true,
            Berserk::Capture => {
                let piece = self.board.piece(mv.from).expect("a piece moves");
                let escapes = piece.role == Role::King && self.rules.goal_cells(piece.side).contains(&mv.to);
                escapes || self.jump_counts(mv) || !self.after(mv).1.is_empty()
            }
        }
    }

    /// Returns the piece that must continue after a move to `to`, if the turn does not pass.
    fn next_chain(&self, to: Cell, may_go_on: bool) -> Option<Cell> {
        if !may_go_on {
            return None;
        }
        let goes_on = destinations(&self.rules, &self.board, to)
            .into_iter()
            .map(|next| Move::new(to, next))
            .any(|mv| self.could_continue(mv));
        goes_on.then_some(to)
    }

    /// Returns whether a defender would recreate an earlier board although the rules forbid it.
    fn is_forbidden_repetition(&self, mv: Move) -> bool {
        let forbidden = self.rules.repetition.contains(&RepetitionRule::DefenderKo);
        if !forbidden || self.side != Side::Defenders {
            return false;
        }
        let (after, fallen) = self.after(mv);
        let seen = fallen.is_empty() && self.history.iter().any(|turn| turn.board == after);
        // Only boards at the ends of turns count.
        let next = Naive { board: after, ..self.clone() };
        seen && next.next_chain(mv.to, self.jump_counts(mv)).is_none()
    }

    /// Determines the outcome on the board after a move of `mover`.
    fn judge_board(&self, mover: Side, royal_fallen: bool) -> Option<Outcome> {
        let opponent = mover.other();
        if royal_fallen {
            return Some(Outcome::win(mover, Reason::KingCaptured));
        }
        let goals = self.rules.goal_cells(mover);
        let king = Piece::new(mover, Role::King);
        if goals.into_iter().any(|cell| self.board.piece(cell) == Some(king)) {
            return Some(Outcome::win(mover, Reason::KingReachedGoal));
        }
        if self.rules.exit_fort && has_exit_fort(&self.rules, &self.board) {
            return Some(Outcome::win(Side::Defenders, Reason::ExitFort));
        }
        if mover == Side::Attackers && is_encircled(&self.rules, &self.board) {
            return Some(Outcome::win(Side::Attackers, Reason::Encirclement));
        }
        if cells_of(&self.board, opponent).is_empty() {
            return Some(Outcome::win(mover, Reason::AllCaptured));
        }
        None
    }

    /// Determines the outcome by rules that apply only after the turn has passed from `mover` to the other side.
    fn judge_turn(&self, mover: Side) -> Option<Outcome> {
        let stuck = cells_of(&self.board, self.side).into_iter().all(|from| self.moves_of(from).is_empty());
        if stuck {
            match self.rules.no_moves {
                NoMoves::Lose => return Some(Outcome::win(mover, Reason::NoLegalMove)),
                NoMoves::Draw => return Some(Outcome::draw(Reason::NoLegalMove)),
                NoMoves::Ignore => {}
            }
        }
        let repeated: Vec<Outcome> =
            self.rules.repetition.iter().filter_map(|rule| self.repeated(*rule, mover)).collect();
        let decisive = repeated.iter().find(|outcome| outcome.winner.is_some());
        if let Some(outcome) = decisive.or(repeated.first()) {
            return Some(*outcome);
        }
        let over = |limit: Option<u32>, plies: u32| limit.is_some_and(|limit| plies >= limit);
        if over(self.rules.ply_limit, self.plies) || over(self.rules.captureless_limit, self.captureless) {
            return Some(Outcome::draw(Reason::PlyLimit));
        }
        None
    }

    /// Returns the outcome of the repetition rules at the end of a turn.
    fn repeated(&self, rule: RepetitionRule, mover: Side) -> Option<Outcome> {
        let RepetitionRule::Counted { scope, count, effect } = rule else { return None };
        let count = usize::from(count);
        let reached = match scope {
            RepetitionScope::Position => self.n_positions() >= count,
            RepetitionScope::Sequence => self.n_positions() > count,
            RepetitionScope::DefenderConfiguration => {
                mover == Side::Defenders && self.n_configurations() >= count
            }
        };
        let win = |side: Side| Some(Outcome::win(side, Reason::Repetition));
        if !reached {
            return None;
        }
        match effect {
            RepetitionEffect::Draw => Some(Outcome::draw(Reason::Repetition)),
            RepetitionEffect::MoverLoses => win(mover.other()),
            RepetitionEffect::MoverWins => win(mover),
            RepetitionEffect::DefendersLose if mover == Side::Defenders => win(Side::Attackers),
            RepetitionEffect::DefendersLose | RepetitionEffect::Claim => None,
        }
    }

    /// Returns the number of occurrences of the position since the last capture.
    fn n_positions(&self) -> usize {
        self.history.iter().filter(|turn| turn.board == self.board && turn.to_move == self.side).count()
    }

    /// Returns the number of occurrences of the defenders' configuration, or 0 if they are too few.
    fn n_configurations(&self) -> usize {
        let own = |board: &Setup| -> Vec<(Cell, Piece)> {
            board.pieces().filter(|(_, piece)| piece.side == Side::Defenders).collect()
        };
        let now = own(&self.board);
        let n_kings = now.iter().filter(|(_, piece)| piece.role == Role::King).count();
        if n_kings == 0 || now.len() - n_kings < 4 {
            return 0;
        }
        self.history
            .iter()
            .enumerate()
            .filter(|(n, turn)| *n == 0 || turn.mover == Some(Side::Defenders))
            .filter(|(_, turn)| own(&turn.board) == now)
            .count()
    }
}
