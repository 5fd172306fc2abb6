//! A game on a board whose cells fit `N` words.

use std::sync::Arc;

use super::symmetry_keys::SymmetryKeys;
use super::turn_history::{TurnEnd, TurnHistory};
use super::{CellSet, Ply, RepetitionHit, RepetitionMode, Successor};
use crate::facts::{Events, Facts};
use crate::illegal::IllegalMove;
use crate::moves::Move;
use crate::outcome::{Outcome, Reason};
use crate::piece::Piece;
use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::ruleset::RepetitionRule;
use crate::shape::Cell;
use crate::side::Side;
use crate::zobrist;

/// The result of a turn by the rules that need the history.
#[derive(Debug, Clone, Copy, Default)]
struct TurnResult {
    outcome: Option<Outcome>,
    /// The number of occurrences of the position since the last capture; 0 inside a chain.
    occurrences: u32,
    repetition: Option<RepetitionHit>,
}

/// A position with the history needed by repetition rules and limits.
#[derive(Debug, Clone)]
pub(crate) struct GameState<const N: usize> {
    pub(crate) book: Arc<Rulebook<N>>,
    pub(crate) pos: Position<N>,
    /// The pieces captured by the last ply, with their cells.
    captured_pieces: Vec<(Cell, Piece)>,
    history: TurnHistory,
    /// Whether the current turn has captured a piece.
    captured: bool,
    plies: u32,
    captureless: u32,
    outcome: Option<Outcome>,
    repetition: RepetitionMode,
    /// The keys of all symmetric images of the position, updated with every ply; created when facts
    /// are first requested.
    symmetry_keys: Option<Box<SymmetryKeys<N>>>,
}

impl<const N: usize> GameState<N> {
    pub(crate) fn new(book: Arc<Rulebook<N>>, pos: Position<N>, repetition: RepetitionMode) -> GameState<N> {
        let mut state = GameState {
            book,
            pos,
            captured_pieces: Vec::new(),
            history: TurnHistory::default(),
            captured: false,
            plies: 0,
            captureless: 0,
            outcome: None,
            repetition,
            symmetry_keys: None,
        };
        state.push_turn(None);
        state
    }

    /// Returns to the start of another game with the same rules, keeping allocated memory.
    pub(crate) fn restart(&mut self, pos: Position<N>) {
        self.pos = pos;
        self.captured_pieces.clear();
        self.history.clear();
        self.captured = false;
        (self.plies, self.captureless) = (0, 0);
        self.outcome = None;
        self.push_turn(None);
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    pub(crate) fn turn_keys(&self) -> impl Iterator<Item = zobrist::PositionKey> {
        self.history.turns().iter().map(|turn| zobrist::PositionKey(turn.key))
    }

    pub(crate) fn chain_keys(&self) -> impl Iterator<Item = zobrist::PositionKey> {
        self.history.chain().iter().map(|key| zobrist::PositionKey(*key))
    }

    pub(crate) fn defenders_keys(&self) -> impl Iterator<Item = u64> {
        let counts = |(at, turn): &(usize, &TurnEnd)| *at == 0 || turn.by != Some(Side::Attackers);
        self.history.turns().iter().enumerate().filter(counts).filter_map(|(_, turn)| turn.defenders)
    }

    pub(crate) fn captureless(&self) -> u32 {
        self.captureless
    }

    pub(crate) fn clear_outcome(&mut self) {
        self.outcome = None;
    }

    pub(crate) fn captured_piece(&self, cell: Cell) -> Option<Piece> {
        self.captured_pieces.iter().find(|(captured, _)| *captured == cell).map(|(_, piece)| *piece)
    }

    pub(crate) fn plies(&self) -> u32 {
        self.plies
    }

    pub(crate) fn set_to_move(&mut self, side: Side) {
        if side != self.pos.to_move() && self.book.may_decline(&self.pos) {
            // The turn ends by the rules, so that its position counts for repetitions.
            self.decline();
            return;
        }
        self.pos.set_to_move(side);
        self.history.end_chain();
        if self.plies == 0 {
            // The start counts as an occurrence, with the side that moves first in this game.
            self.history.clear();
            self.push_turn(None);
        }
    }

    pub(crate) fn is_legal(&self, mv: Move) -> bool {
        self.outcome.is_none()
            && self.book.is_legal(&self.pos, mv)
            && !self.comes_after_end(mv)
            && !self.is_forbidden(mv)
    }

    #[inline]
    pub(crate) fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome.is_some() {
            return Err(IllegalMove::GameOver);
        }
        if !self.book.is_legal(&self.pos, mv) {
            return Err(self.book.why_illegal(&self.pos, mv).unwrap_or(IllegalMove::NoMove));
        }
        if self.comes_after_end(mv) {
            return Err(IllegalMove::GameOver);
        }
        if self.is_forbidden(mv) {
            return Err(IllegalMove::RepeatsBoard);
        }
        Ok(())
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        let only_from = self.pos.chain().filter(|_| self.declining_ends_game());
        let is_legal = |mv: &Move| only_from.is_none_or(|cell| mv.from == cell) && !self.is_forbidden(*mv);
        self.book.moves(&self.pos).filter(is_legal).collect()
    }

    pub(crate) fn count_moves(&self) -> u64 {
        if self.book.has_ko || self.declining_ends_game() {
            self.moves().len() as u64
        } else {
            self.book.count_moves(&self.pos)
        }
    }

    /// Returns the legal moves in ascending order, each with its captures and the canonical key of the position after it.
    pub(crate) fn successors(&self) -> Vec<Successor> {
        let mut keys = SymmetryKeys::new(&self.book, &self.pos);
        let successor = |mv: Move| {
            let mut next = self.pos;
            let effects = self.book.play(&mut next, mv);
            keys.follow(&self.book, &next);
            let key = keys.min();
            keys.follow(&self.book, &self.pos);
            Successor { mv, captured: CellSet::from(effects.captured), key: zobrist::CanonicalKey(key) }
        };
        self.moves().into_iter().map(successor).collect()
    }

    #[inline]
    pub(crate) fn play(&mut self, mv: Move) -> Result<Ply, IllegalMove> {
        self.check(mv)?;
        if self.declines(mv) {
            self.decline();
        }
        let side = self.pos.to_move();
        self.captured_pieces.clear();
        let captured_pieces = &mut self.captured_pieces;
        let effects = self
            .book
            .play_with_captures(&mut self.pos, mv, |cell, piece| captured_pieces.push((cell, piece)));
        self.plies += 1;
        let goes_on = self.pos.chain().is_some();
        self.captured |= effects.captured.any();
        self.captureless = if effects.captured.any() { 0 } else { self.captureless + 1 };
        let turn = if goes_on {
            self.history.push_chain(self.pos.key().0, effects.captured.any());
            TurnResult { outcome: effects.outcome, ..TurnResult::default() }
        } else {
            self.end_turn(side, effects.outcome)
        };
        self.outcome = turn.outcome;
        Ok(Ply {
            mv,
            side,
            captured: CellSet::from(effects.captured),
            goes_on,
            outcome: turn.outcome,
            occurrences: turn.occurrences,
            repetition: turn.repetition,
        })
    }

    pub(crate) fn may_decline(&self) -> bool {
        self.outcome.is_none() && self.book.after_declining(&self.pos).is_some()
    }

    pub(crate) fn decline_chain(&mut self) -> bool {
        let may_decline = self.may_decline();
        if may_decline {
            self.decline();
        }
        may_decline
    }

    /// Ends a chain that the side to move does not continue. Its turn ends by the same rules as any other one.
    #[cold]
    fn decline(&mut self) {
        let side = self.pos.to_move();
        self.pos.end_ply(None);
        self.outcome = self.end_turn(side, None).outcome;
    }

    /// Returns whether a legal move declines a chain: the other side moves.
    #[inline]
    fn declines(&self, mv: Move) -> bool {
        self.book.may_decline(&self.pos) && self.pos.chain() != Some(mv.from)
    }

    /// Returns whether a legal move declines a chain whose turn is the end of the game.
    #[inline]
    fn comes_after_end(&self, mv: Move) -> bool {
        self.declines(mv) && self.declining_ends_game()
    }

    /// Returns whether the game ends if the side to move declines to continue a chain. Archived games go on, as after other
    /// ends that their players overlooked.
    #[inline]
    fn declining_ends_game(&self) -> bool {
        self.book.may_decline(&self.pos)
            && self.repetition == RepetitionMode::Enforce
            && self.outcome_after_declining().is_some()
    }

    #[cold]
    fn outcome_after_declining(&self) -> Option<Outcome> {
        let mut next = self.clone();
        next.decline();
        next.outcome
    }

    /// Ends a turn of a side, whose last ply had an outcome on the board or none, and applies the rules that need the history.
    #[inline]
    fn end_turn(&mut self, side: Side, outcome: Option<Outcome>) -> TurnResult {
        if self.captured {
            self.history.clear();
            self.captured = false;
        }
        let occurrences = self.push_turn(Some(side));
        let mut turn = TurnResult { outcome, occurrences, repetition: None };
        if turn.outcome.is_some() {
            return turn;
        }
        if self.book.has_ko && self.count_moves() == 0 {
            turn.outcome = self.book.end_without_moves(side);
            if turn.outcome.is_some() {
                return turn;
            }
        }
        if turn.occurrences > 1 || self.book.counts_defenders {
            self.apply_repetition_rules(side, &mut turn);
        }
        let rules = self.book.rules();
        let is_over = |limit: Option<u32>, plies: u32| limit.is_some_and(|limit| plies >= limit);
        if turn.outcome.is_none()
            && (is_over(rules.ply_limit, self.plies) || is_over(rules.captureless_limit, self.captureless))
        {
            turn.outcome = Some(Outcome::draw(Reason::PlyLimit));
        }
        turn
    }

    /// Applies the repetition rules. Reports the rule that decides the game, otherwise the first
    /// one triggered.
    fn apply_repetition_rules(&self, side: Side, turn: &mut TurnResult) {
        let rules = &self.book.rules().repetition;
        let hits = rules.iter().filter_map(|rule| self.repetition_hit(*rule, side, turn.occurrences));
        let deciding = RepetitionRule::deciding(hits.clone().map(|hit| hit.rule), side);
        turn.repetition = hits.clone().find(|hit| deciding.is_none_or(|(rule, _)| hit.rule == rule));
        if self.repetition == RepetitionMode::Enforce {
            turn.outcome = deciding.map(|(_, outcome)| outcome);
        }
    }

    /// Returns the hit if the turn that `side` has just ended triggers a rule.
    fn repetition_hit(&self, rule: RepetitionRule, side: Side, of_position: u32) -> Option<RepetitionHit> {
        let RepetitionRule::Counted { count, .. } = rule else { return None };
        let (occurrences, needed) = match rule.position_occurrences() {
            Some(needed) => (of_position, needed),
            None => (self.configuration_occurrences(), count.into()),
        };
        let is_hit = rule.applies_to(side) && occurrences >= needed;
        is_hit.then_some(RepetitionHit { rule, occurrences })
    }

    /// Returns the number of occurrences of the defenders' arrangement since the last capture; 0
    /// after a turn of the attackers, or if the king has been captured or has fewer than four men.
    fn configuration_occurrences(&self) -> u32 {
        let turns = self.history.turns();
        let last = turns[turns.len() - 1];
        if last.by != Some(Side::Defenders) || !self.pos.counts_defenders() {
            return 0;
        }
        // The first entry is the start or the end of a capturing turn by either side.
        let first = &turns[0];
        let extra = u32::from(first.by == Some(Side::Attackers) && first.defenders == last.defenders);
        last.defenders.map_or(0, |key| self.history.count_arrangements(key)) + extra
    }

    #[inline]
    fn push_turn(&mut self, by: Option<Side>) -> u32 {
        let defenders = self.book.counts_defenders.then(|| self.pos.defenders_key());
        self.history.push(TurnEnd { key: self.pos.key().0, defenders, by })
    }

    /// Returns whether a repetition rule forbids an otherwise legal move.
    #[inline]
    fn is_forbidden(&self, mv: Move) -> bool {
        self.book.has_ko && self.pos.side(Side::Defenders).contains(mv.from) && self.restores_board(mv)
    }

    /// Returns whether a legal move of the defenders restores an earlier board.
    #[cold]
    fn restores_board(&self, mv: Move) -> bool {
        let mut next = self.pos;
        let effects = self.book.play(&mut next, mv);
        // Only the board counts, not the side to move.
        let boards = [next.key(), next.key().with_other_side()];
        let has_been = |key: zobrist::PositionKey| self.history.count(key.0) > 0;
        next.chain().is_none() && effects.captured.is_empty() && boards.into_iter().any(has_been)
    }

    pub(crate) fn facts(&self) -> Facts {
        Facts { events: Events::NONE, kings: self.book.king_statuses(&self.pos) }
    }

    pub(crate) fn play_with_facts(&mut self, mv: Move) -> Result<(Ply, Facts), IllegalMove> {
        let before = self.pos;
        let ply = self.play(mv)?;
        match &mut self.symmetry_keys {
            Some(symmetry_keys) => symmetry_keys.follow(&self.book, &self.pos),
            None => self.symmetry_keys = Some(Box::new(SymmetryKeys::new(&self.book, &self.pos))),
        }
        Ok((
            ply,
            Facts { events: self.book.events(&before, &ply), kings: self.book.king_statuses(&self.pos) },
        ))
    }

    pub(crate) fn canonical_key(&self) -> (u64, usize) {
        if let Some(keys) =
            self.symmetry_keys.as_ref().and_then(|symmetry_keys| symmetry_keys.keys(&self.pos))
        {
            let images = keys.iter().enumerate().map(|(i, key)| (*key, i));
            return images.min().expect("every board has the identity");
        }
        let shape = self.book.shape();
        self.book
            .symmetries()
            .iter()
            .enumerate()
            .map(|(i, symmetry)| (self.pos.mapped_key(shape, &symmetry.map), i))
            .min()
            .expect("every board has the identity")
    }

    pub(crate) fn targets(&self, from: Cell) -> CellSet {
        CellSet::from(self.book.targets(&self.pos, from))
    }

    pub(crate) fn capturing_targets(&self, from: Cell) -> CellSet {
        let targets = self.book.targets(&self.pos, from);
        let capturing = |piece: Piece| self.book.capturing(&self.pos, from, piece, targets);
        self.pos.piece(from).map(capturing).map_or(CellSet::default(), CellSet::from)
    }
}
