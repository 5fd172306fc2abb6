//! Facts about a position, computed once per node and shared by move ordering, evaluation, and
//! quiescence. The solver uses the facts about kings.

use std::cell::OnceCell;

use tafl_rules::{Bitboard, BySide, Cell, Move, Piece, Position, Role, Rulebook, Side};

/// The largest number of goals that counts as few. With few goals, it is cheaper to draw lines from
/// the goals than from each cell to which a king can move, and men can guard the goals.
pub(crate) const FEW_GOALS: u32 = 8;

/// The royal king of a side, with the facts computed so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoyalKing<const N: usize> {
    pub(crate) piece: Piece,
    pub(crate) cell: Cell,
    /// The cells to which the king could move if it were its side's turn.
    pub(crate) reach: Bitboard<N>,
    /// See [`RoyalKing::goal_line_cells`]; computed on demand if `None`.
    goal_line_cells: Option<Bitboard<N>>,
    /// See [`RoyalKing::danger`]; computed on demand if `None`.
    danger: Option<Bitboard<N>>,
}

impl<const N: usize> RoyalKing<N> {
    /// Returns the facts about the royal king of a side, or `None` if it has none.
    #[inline]
    pub(crate) fn of(book: &Rulebook<N>, pos: &Position<N>, side: Side) -> Option<RoyalKing<N>> {
        let cell = book.royal_king(pos, side)?;
        let piece = Piece::new(side, Role::King);
        let reach = book.reach(pos, cell, piece);
        Some(RoyalKing { piece, cell, reach, goal_line_cells: None, danger: None })
    }

    /// Returns the goals to which the king could move.
    #[inline]
    pub(crate) fn open_goals(&self, book: &Rulebook<N>) -> Bitboard<N> {
        self.reach & book.goals(self.piece.side)
    }

    /// Returns the winning move of the king, if it has an open line to a goal and its side is to
    /// move.
    #[inline]
    pub(crate) fn winning_escape(&self, book: &Rulebook<N>, pos: &Position<N>) -> Option<Move> {
        if pos.chain().is_some() {
            return None;
        }
        let mut escapes = self.open_goals(book).into_iter().map(|goal| Move::new(self.cell, goal));
        // Where captures are forced, an escape may be illegal.
        escapes.find(|mv| !book.rules().forced_capture || book.is_legal(pos, *mv))
    }

    /// Returns the cells, other than goals, to which the king can move and from which it would have
    /// an open line to a goal.
    #[inline]
    pub(crate) fn goal_line_cells(&self, book: &Rulebook<N>, pos: &Position<N>) -> Bitboard<N> {
        self.goal_line_cells.unwrap_or_else(|| self.lines_to_goals(book, pos).0)
    }

    /// Returns the empty cells on which one more enemy could complete the capture of the king.
    #[inline]
    pub(crate) fn danger(&self, book: &Rulebook<N>, pos: &Position<N>) -> Bitboard<N> {
        self.danger.unwrap_or_else(|| book.king_capture_cells(pos, self.piece.side))
    }

    /// Returns the cells of [`RoyalKing::goal_line_cells`] and the cells from which the king would
    /// threaten to escape. The latter also contain goals and cells whose line to a goal crosses the
    /// king's present cell.
    #[inline]
    fn lines_to_goals(&self, book: &Rulebook<N>, pos: &Position<N>) -> (Bitboard<N>, Bitboard<N>) {
        let all_goals = book.goals(self.piece.side);
        let occupied = pos.occupied();
        let goals = all_goals.without(occupied);
        if goals.count() > FEW_GOALS {
            let sees_goal = |cell: &Cell| book.reach(pos, *cell, self.piece).meets(&goals);
            let escapes: Bitboard<N> = self.reach.iter().filter(sees_goal).collect();
            return (escapes.without(all_goals), escapes);
        }
        let without_king = occupied.without(Bitboard::of(self.cell));
        let (mut lines, mut through_king) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for goal in goals {
            let line = book.topology().slide(goal, occupied);
            lines |= line;
            through_king |=
                if line.contains(self.cell) { book.topology().slide(goal, without_king) } else { line };
        }
        ((lines & self.reach).without(all_goals), through_king & self.reach)
    }
}

/// The kings of a node. They show whether a node may be pruned, before the other facts are computed.
#[derive(Debug, Clone)]
pub(crate) struct NodeKings<const N: usize> {
    own: Option<RoyalKing<N>>,
    enemy: Option<RoyalKing<N>>,
    /// See [`NodeFacts::threat_evasions`].
    threat_evasions: Bitboard<N>,
}

impl<const N: usize> NodeKings<N> {
    /// Computes the facts about the kings of a position. `own` is the king of the side to move; the search has
    /// already computed it, because an open line ends the node.
    #[inline]
    pub(crate) fn new(book: &Rulebook<N>, pos: &Position<N>, own: Option<RoyalKing<N>>) -> NodeKings<N> {
        let enemy = RoyalKing::of(book, pos, pos.to_move().other());
        let threat_evasions = enemy.as_ref().map_or(Bitboard::EMPTY, |king| evasions(book, pos, king));
        NodeKings { own, enemy, threat_evasions }
    }

    /// Returns whether the enemy king escapes with its next move unless this side prevents it.
    #[inline]
    pub(crate) fn must_evade(&self) -> bool {
        self.threat_evasions.any()
    }
}

/// The facts about a node from the point of view of the side to move. The cells are hints for move
/// ordering; the rules decide.
#[derive(Debug, Clone)]
pub(crate) struct NodeFacts<const N: usize> {
    kings: BySide<Option<RoyalKing<N>>>,
    side: Side,
    /// See [`NodeFacts::men_reach`].
    men_reach: BySide<OnceCell<Bitboard<N>>>,
    /// The cells on which a capture is likely.
    pub(crate) captures: Bitboard<N>,
    /// The cells on which the enemy king is likely to be captured.
    pub(crate) king_captures: Bitboard<N>,
    /// The cells that block the enemy king's open lines to goals, goals included; empty if it
    /// cannot escape.
    pub(crate) threat_evasions: Bitboard<N>,
    /// The cells from which the own king would have an open line to a goal.
    pub(crate) king_escape_threats: Bitboard<N>,
}

impl<const N: usize> NodeFacts<N> {
    /// Computes the facts about a position whose kings are known.
    #[inline]
    pub(crate) fn new(book: &Rulebook<N>, pos: &Position<N>, kings: &NodeKings<N>) -> NodeFacts<N> {
        let side = pos.to_move();
        let NodeKings { mut own, mut enemy, threat_evasions } = *kings;
        let mut king_escape_threats = Bitboard::EMPTY;
        if let Some(king) = &mut own {
            let (cells, escapes) = king.lines_to_goals(book, pos);
            king.goal_line_cells = Some(cells);
            king_escape_threats = escapes;
        }
        let mut king_captures = Bitboard::EMPTY;
        if let Some(king) = &mut enemy {
            king_captures = king.danger(book, pos);
            king.danger = Some(king_captures);
        }
        let kings = match side {
            Side::Attackers => BySide { attackers: own, defenders: enemy },
            Side::Defenders => BySide { attackers: enemy, defenders: own },
        };
        let captures = book.capture_cells(pos, side);
        let men_reach = BySide { attackers: OnceCell::new(), defenders: OnceCell::new() };
        NodeFacts { kings, side, men_reach, captures, king_captures, threat_evasions, king_escape_threats }
    }

    /// Computes the facts about a position.
    #[inline]
    pub(crate) fn of(book: &Rulebook<N>, pos: &Position<N>) -> NodeFacts<N> {
        let own = RoyalKing::of(book, pos, pos.to_move());
        NodeFacts::new(book, pos, &NodeKings::new(book, pos, own))
    }

    /// Returns the royal king of a side, or `None` if it has none.
    #[inline]
    pub(crate) fn king(&self, side: Side) -> Option<&RoyalKing<N>> {
        self.kings[side].as_ref()
    }

    /// Returns the empty cells on which a piece of a side would capture a man.
    #[inline]
    pub(crate) fn captures_by(&self, book: &Rulebook<N>, pos: &Position<N>, side: Side) -> Bitboard<N> {
        if side == self.side { self.captures } else { book.capture_cells(pos, side) }
    }

    /// Returns the cells to which the men of a side could move if it were its turn. Specialists count as soldiers: a second
    /// wave for each role would cost more than the difference is worth.
    #[inline]
    pub(crate) fn men_reach(&self, book: &Rulebook<N>, pos: &Position<N>, side: Side) -> Bitboard<N> {
        let of_men = || {
            let men = pos.side(side).without(pos.kings());
            book.reach_of_all(pos, men, Piece::new(side, Role::Soldier))
        };
        *self.men_reach[side].get_or_init(of_men)
    }

    /// Returns whether the enemy king escapes with its next move unless this side prevents it.
    #[inline]
    pub(crate) fn must_evade(&self) -> bool {
        self.threat_evasions.any()
    }
}

/// Returns the cells on a king's open lines to its goals, goals included.
#[inline]
fn evasions<const N: usize>(book: &Rulebook<N>, pos: &Position<N>, king: &RoyalKing<N>) -> Bitboard<N> {
    let goals = king.open_goals(book);
    let mut cells = goals;
    for goal in goals {
        // Cells that both slides share lie between goal and king. Other crossings are harmless:
        // they are just tried.
        cells |= book.topology().slide(goal, pos.occupied()) & king.reach;
    }
    cells
}
