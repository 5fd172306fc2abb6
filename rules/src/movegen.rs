//! Move generation.
//!
//! Moves are generated as sets of target cells, not as lists: counting them is a population count,
//! and nothing is allocated.

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::ruleset::{Berserk, Jump};
use crate::shape::Cell;
use crate::side::Side;

impl<const N: usize> Rulebook<N> {
    /// Returns the cells to which the piece on a cell can move; in a chain, the cells to which it
    /// may continue.
    ///
    /// Returns the empty set if the cell has no piece of the side to move. Ignores repetition
    /// rules.
    #[inline]
    pub fn targets(&self, pos: &Position<N>, from: Cell) -> Bitboard<N> {
        self.targets_if(pos, from, self.must_capture(pos))
    }

    /// Returns the same as [`Rulebook::targets`], given [`Rulebook::must_capture`], which callers that
    /// ask for many pieces determine once.
    #[inline]
    pub fn targets_if(&self, pos: &Position<N>, from: Cell, must_capture: bool) -> Bitboard<N> {
        let side = pos.to_move();
        if !pos.side(side).contains(from) {
            return self.targets_after_declining(pos, from, must_capture);
        }
        let piece = self.piece_of(pos, side, from);
        if pos.chain().is_some() {
            return self.chain_targets(pos, from, piece);
        }
        let targets = self.free_targets(pos, from, piece);
        if must_capture { self.capturing(pos, from, piece, targets) } else { targets }
    }

    /// Returns the targets of a piece of the other side if the side to move may decline to continue
    /// a chain.
    #[cold]
    fn targets_after_declining(&self, pos: &Position<N>, from: Cell, must_capture: bool) -> Bitboard<N> {
        let side = pos.to_move().other();
        if !self.may_decline(pos) || !pos.side(side).contains(from) {
            return Bitboard::EMPTY;
        }
        let piece = self.piece_of(pos, side, from);
        let targets = self.free_targets(pos, from, piece);
        if must_capture { self.capturing(pos, from, piece, targets) } else { targets }
    }

    /// Returns whether a chain is in progress that the side to move may decline to continue.
    #[inline]
    pub fn may_decline(&self, pos: &Position<N>) -> bool {
        pos.chain().is_some() && self.rules().chain.may_decline
    }

    /// Returns whether a move is legal, ignoring repetition rules.
    #[inline]
    pub fn is_legal(&self, pos: &Position<N>, mv: Move) -> bool {
        let side = pos.to_move();
        if pos.chain().is_some()
            || self.forces_capture
            || !pos.side(side).contains(mv.from)
            || self.zone_rules.cells.contains(mv.from)
        {
            return self.targets(pos, mv.from).contains(mv.to);
        }
        let piece = self.piece_of(pos, side, mv.from);
        let masks = &self.movement_masks[piece];
        if !masks.is_plain {
            return self.free_targets(pos, mv.from, piece).contains(mv.to);
        }
        let occupied = pos.occupied();
        masks.stop.contains(mv.to)
            && !occupied.contains(mv.to)
            && self.topology.reaches(mv.from, mv.to, occupied | masks.block)
    }

    /// Returns the pieces that may move: those of the side to move or, in a chain, the piece that
    /// continues it; the latter together with the other side's pieces if the chain may be declined.
    #[inline]
    pub fn movers(&self, pos: &Position<N>) -> Bitboard<N> {
        match pos.chain() {
            None => pos.side(pos.to_move()),
            Some(cell) if self.may_decline(pos) => Bitboard::of(cell) | pos.side(pos.to_move().other()),
            Some(cell) => Bitboard::of(cell),
        }
    }

    /// Returns the pieces that may move and perhaps reach one of the given empty cells: a superset, found without a slide
    /// from each piece.
    #[inline]
    pub fn movers_to(&self, pos: &Position<N>, cells: Bitboard<N>) -> Bitboard<N> {
        let movers = self.movers(pos);
        // Slides are symmetric, except that pieces pass different special cells; here, they pass all.
        if self.slides_only {
            movers & self.topology.slide_all(cells, self.topology.all.without(pos.occupied()))
        } else {
            movers
        }
    }

    /// Returns the legal moves in ascending order of their cells, ignoring repetition rules.
    pub fn moves<'a>(&'a self, pos: &'a Position<N>) -> impl Iterator<Item = Move> + 'a {
        let must_capture = self.must_capture(pos);
        self.movers(pos).into_iter().flat_map(move |from| {
            self.targets_if(pos, from, must_capture).into_iter().map(move |to| Move::new(from, to))
        })
    }

    /// Returns the number of legal moves, ignoring repetition rules.
    #[inline]
    pub fn count_moves(&self, pos: &Position<N>) -> u64 {
        let must_capture = self.must_capture(pos);
        let mut movers = self.movers(pos);
        let mut count = 0;
        if pos.chain().is_none() && !must_capture {
            let soldier = Piece::new(pos.to_move(), Role::Soldier);
            let soldiers = pos.pieces(soldier).without(self.zone_rules.cells);
            if let Some(n) = self.count_targets_of_all(pos, soldiers, soldier) {
                count = u64::from(n);
                movers = movers.without(soldiers);
            }
        }
        for from in movers {
            count += u64::from(self.targets_if(pos, from, must_capture).count());
        }
        count
    }

    /// Returns the number of targets of all these pieces, or `None` if each has to be counted alone.
    ///
    /// Slides of several pieces in one direction never overlap: each piece stops those behind it.
    #[inline]
    fn count_targets_of_all(&self, pos: &Position<N>, from: Bitboard<N>, piece: Piece) -> Option<u32> {
        let masks = &self.movement_masks[piece];
        if !masks.is_plain {
            return None;
        }
        let occupied = pos.occupied();
        let reached =
            self.topology.slide_each_way(from, self.topology.all.without(occupied | masks.block))?;
        let stop = masks.stop.without(occupied);
        Some(reached.into_iter().map(|reached| (reached & stop).count()).sum())
    }

    /// Returns whether the side to move has a legal move, ignoring repetition rules.
    #[inline(always)]
    pub fn has_move(&self, pos: &Position<N>) -> bool {
        // Forced captures leave a legal move wherever there is a move at all.
        let soldier = Piece::new(pos.to_move(), Role::Soldier);
        let free = self.movement_masks[soldier].stop.without(pos.occupied());
        // In most positions a soldier can step down, which a single shift shows.
        let can_step = !self.has_specialists
            && pos.chain().is_none()
            && self.topology.can_step_down(pos.side(soldier.side).without(pos.kings()), free);
        can_step || self.has_any_move(pos)
    }

    #[inline(never)]
    fn has_any_move(&self, pos: &Position<N>) -> bool {
        if pos.chain().is_some() {
            return self.count_moves(pos) > 0;
        }
        let side = pos.to_move();
        let occupied = pos.occupied();
        // Every piece can step to a free neighbor.
        let can_step = |from: Cell| {
            let stop = self.movement_masks[self.piece_of(pos, side, from)].stop;
            self.topology.neighbors(from).meets(&stop.without(occupied))
        };
        pos.side(side).iter().any(can_step)
            || pos
                .side(side)
                .iter()
                .any(|from| self.free_targets(pos, from, self.piece_of(pos, side, from)).any())
    }

    /// Returns the targets of a piece outside of chains.
    #[inline]
    pub(crate) fn free_targets(&self, pos: &Position<N>, from: Cell, piece: Piece) -> Bitboard<N> {
        let masks = &self.movement_masks[piece];
        let occupied = pos.occupied();
        let (mut stop, mut block) = (masks.stop, masks.block);
        if self.zone_rules.cells.contains(from)
            && let Some(inside) = self.zone_rules.from(from, piece)
        {
            (stop, block) = (inside.stop, inside.block);
        }
        let mut reach = self.topology.slide(from, occupied | block);
        if !masks.is_plain {
            if masks.is_queen {
                reach |= self.topology.slide_diagonally(from, occupied | block);
            }
            if let Some(max_step) = &masks.max_step {
                reach &= max_step[from.index()];
            }
            if masks.jump != Jump::None {
                reach |= self.jump_targets(pos, from, piece);
            }
        }
        (reach & stop).without(occupied)
    }

    /// Returns the cells beyond adjacent pieces that a piece may jump over, whether or not it may
    /// stop there.
    #[cold]
    pub(crate) fn jump_targets(&self, pos: &Position<N>, from: Cell, piece: Piece) -> Bitboard<N> {
        let masks = &self.movement_masks[piece];
        let mut targets = Bitboard::EMPTY;
        for across in self.topology.across(from) {
            let Some(far) = across.far else { continue };
            let may = match masks.jump {
                Jump::None => false,
                // Berserk rules 4b, "from and to restricted squares", read as "from or to", as all programs
                // do: no jump on the board of Berserk connects two restricted cells.
                Jump::Restricted => masks.springboards.contains(from) || masks.springboards.contains(far),
                Jump::Plain | Jump::Capturing => true,
            };
            if may && self.may_cross(pos, piece.side, across.near) {
                targets.insert(far);
            }
        }
        targets
    }

    /// Returns the cell that a move jumps over, if it is a jump.
    #[inline]
    pub(crate) fn jumped(&self, pos: &Position<N>, mv: Move, piece: Piece) -> Option<Cell> {
        if !self.has_jumps || self.movement_masks[piece].jump == Jump::None {
            return None;
        }
        let across = self.topology.across(mv.from).iter().find(|across| across.far == Some(mv.to))?;
        self.may_cross(pos, piece.side, across.near).then_some(across.near)
    }

    /// Returns whether a piece of a side may jump over the piece on a cell.
    pub(crate) fn may_cross(&self, pos: &Position<N>, side: Side, cell: Cell) -> bool {
        let is_there =
            pos.side(side.other()).contains(cell) || (self.rules().jump_own && pos.side(side).contains(cell));
        is_there && self.rules().jumped.contains(&pos.role_at(cell))
    }

    /// Returns the targets to which a piece may continue a berserk chain.
    #[cold]
    pub(crate) fn chain_targets(&self, pos: &Position<N>, from: Cell, piece: Piece) -> Bitboard<N> {
        if pos.chain() != Some(from) {
            return Bitboard::EMPTY;
        }
        let free = self.free_targets(pos, from, piece);
        match self.rules().berserk {
            Berserk::None | Berserk::AnyMove => free,
            Berserk::Capture => {
                // A king may end his turn on a goal without a capture. The Berserk rules do not mention it,
                // but a king beside an open corner would otherwise have to capture elsewhere.
                let escapes =
                    if piece.role == Role::King { free & self.goals[piece.side] } else { Bitboard::EMPTY };
                let captures = |to: &Cell| {
                    let mv = Move::new(from, *to);
                    let jumped = self.jumped(pos, mv, piece);
                    let mut after = *pos;
                    after.shift(from, *to, piece);
                    (jumped.is_some() && self.rules().chain.after_jumps)
                        || self.captures(&after, mv, piece, jumped).any()
                };
                escapes | free.iter().filter(captures).collect()
            }
        }
    }
}
