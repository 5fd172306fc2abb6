//! Rules compiled for a board width into masks and tables.

use crate::bitboard::Bitboard;
use crate::piece::{ByPiece, Piece, PieceSet, Role};
use crate::position::Position;
use crate::ruleset::{
    CaptureMode, Directions, Encirclement, Jump, Movement, RepetitionRule, RepetitionScope, RuleSet, Zone,
};
use crate::setup::Setup;
use crate::shape::{Cell, Shape};
use crate::side::{BySide, Side};
use crate::symmetry::{self, Symmetry};
use crate::topology::Topology;

pub(crate) mod captors;
mod king_attackers;
mod movement;

pub(crate) use captors::{CaptorSet, Cover};
pub(crate) use king_attackers::KingAttackers;
pub(crate) use movement::{MovementMask, ZoneAccess, ZoneRules};

/// The reason why rules cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// A side has more than one king whose capture loses.
    #[error("the {side} have {count} kings whose capture loses the game; a side may have at most one")]
    TwoKings {
        /// The side.
        side: Side,
        /// The number of kings.
        count: usize,
    },
    /// Rules for square boards were combined with a hexagonal board.
    #[error("{rule} require a square board")]
    NeedsSquares {
        /// The rules that need square boards.
        rule: &'static str,
    },
    /// Rules for hexagonal boards were combined with a square board.
    #[error("{rule} require a hexagonal board")]
    NeedsHexes {
        /// The rules that need hexagonal boards.
        rule: &'static str,
    },
    /// One of the sides has no pieces at the start.
    #[error("the {side} have no pieces at the start")]
    NoPieces {
        /// The side without pieces.
        side: Side,
    },
}

/// A rule set compiled for boards whose cells fit in `N` words: all rules that play consults are
/// masks or tables.
#[derive(Debug, Clone)]
pub struct Rulebook<const N: usize> {
    rules: RuleSet,
    pub(crate) topology: Topology<N>,
    symmetries: Vec<Symmetry>,
    /// The movement of each piece from a cell outside of all zones.
    pub(crate) movement_masks: ByPiece<MovementMask<N>>,
    /// The cells on which zones give some piece a different movement.
    pub(crate) zone_rules: ZoneRules<N>,
    /// The cells of throne and corners that act as an enemy of a piece while they are empty.
    pub(crate) hostile_empty: ByPiece<Bitboard<N>>,
    /// The cells of camps and fortresses that act as an enemy of a piece, whether empty or not.
    pub(crate) hostile_always: ByPiece<Bitboard<N>>,
    /// The start position.
    start: Position<N>,
    /// Whether a player who can capture must capture.
    pub(crate) forces_capture: bool,
    /// Whether shieldwalls, Linnaean captures, or captures on hexagonal corners are possible.
    pub(crate) has_rare_captures: bool,
    /// Whether a move that does not close a ring can enclose the defenders: if rings must be
    /// secure, or if defenders can enter a ring by jumping or moving diagonally.
    pub(crate) rings_close_anywhere: bool,
    /// Whether all pieces move along the axes only, without jumps.
    pub(crate) slides_only: bool,
    /// Whether soldiers and kings are the only pieces, and every soldier is captured between two hostile cells.
    pub(crate) has_plain_soldiers: bool,
    /// Whether some piece can jump.
    pub(crate) has_jumps: bool,
    /// Whether a rule forbids restoring earlier boards.
    pub(crate) has_ko: bool,
    /// Whether a repetition rule counts the defenders' pieces alone.
    pub(crate) counts_defenders: bool,
    /// The cells of the throne; hostile to some pieces while a king is on it.
    pub(crate) throne: Bitboard<N>,
    /// The cells of the corner zone.
    pub(crate) corners: Bitboard<N>,
    /// The pieces that can capture by moving.
    pub(crate) hammers: PieceSet,
    /// The pieces against which enemies can be captured.
    pub(crate) anvils: PieceSet,
    /// The pieces that are captured like men.
    pub(crate) men: PieceSet,
    /// The pieces that are captured only by three hostile neighbors.
    pub(crate) dux: PieceSet,
    /// The sets of cells that capture a royal king, for each side and cell.
    pub(crate) captors: BySide<Vec<Vec<CaptorSet<N>>>>,
    /// The cells on which each side's king wins.
    pub(crate) goals: BySide<Bitboard<N>>,
    /// The cells on which a king of either side may end the game: goals, and the edge if there are exit forts.
    pub(crate) king_ends: Bitboard<N>,
    /// The corners of a hexagonal board next to each cell, each with its other neighbor on the rim.
    pub(crate) rim_pairs: Vec<Vec<(Cell, Cell)>>,
    /// Whether pieces other than soldiers and kings can appear on the board.
    pub(crate) has_specialists: bool,
    /// The kinds of pieces that can appear on the board.
    pub(crate) pieces: PieceSet,
    /// The pieces that capture a king in unusual ways.
    pub(crate) king_attackers: KingAttackers,
}

impl<const N: usize> Rulebook<N> {
    /// Compiles rules.
    ///
    /// # Errors
    ///
    /// Returns the reason why the rules cannot be played, see [`CompileError`].
    ///
    /// # Panics
    ///
    /// Panics if the board does not fit in `N` words; [`crate::AnyRulebook::compile`] chooses the
    /// width.
    pub fn compile(rules: &RuleSet) -> Result<Rulebook<N>, CompileError> {
        Rulebook::compile_for(rules, rules.pieces_in_play())
    }

    /// Compiles rules for positions that may contain kinds of pieces that the start does not have.
    ///
    /// # Errors
    ///
    /// The same as for [`Rulebook::compile`].
    ///
    /// # Panics
    ///
    /// The same as for [`Rulebook::compile`].
    pub fn compile_for(rules: &RuleSet, pieces: PieceSet) -> Result<Rulebook<N>, CompileError> {
        check(rules)?;
        let shape = rules.shape();
        let topology: Topology<N> = Topology::new(shape);
        let guards = PieceSet::GUARDS;
        let kings_unless = |is: bool| if is { PieceSet::EMPTY } else { PieceSet::KINGS };
        let set = |cells: &[Cell]| cells.iter().copied().collect::<Bitboard<N>>();
        let specialists = PieceSet::ALL.without(PieceSet::KINGS).without(soldiers());
        let has_specialists = !pieces.intersection(specialists).is_empty();
        let men = PieceSet::ALL.without(guards).without(rules.royal).without(rules.dux);
        let is_plain = |soldier: Piece| men.contains(soldier) && !rules.edge_hostile.contains(soldier);
        let movement_masks = ByPiece::from_fn(|piece| MovementMask::of(rules, &topology, piece));
        let mut book = Rulebook {
            symmetries: symmetry::rules_symmetries(rules),
            king_attackers: KingAttackers::of(rules, &movement_masks, pieces),
            movement_masks,
            zone_rules: ZoneRules::table(rules, &topology),
            hostile_empty: ByPiece::from_fn(|piece| {
                hostile(&[&rules.zones.throne, &rules.zones.corners], piece)
            }),
            hostile_always: ByPiece::from_fn(|piece| {
                let spared =
                    if piece.side == Side::Attackers { set(&rules.camps_spared) } else { Bitboard::EMPTY };
                hostile::<N>(&[&rules.zones.camps], piece).without(spared)
                    | hostile(&[&rules.zones.forts], piece)
            }),
            start: Position::new(&rules.start, rules.first_mover),
            forces_capture: rules.forced_capture,
            has_rare_captures: rules.linnaean || rules.hex_corner_capture || rules.shieldwall.is_some(),
            rings_close_anywhere: rules.encirclement == Encirclement::Secure
                || pieces
                    .iter()
                    .any(|piece| piece.side == Side::Defenders && !only_slides(rules.movement[piece])),
            slides_only: pieces.iter().all(|piece| only_slides(rules.movement[piece])),
            has_jumps: pieces.iter().any(|piece| rules.movement[piece].jump != Jump::None),
            has_ko: rules.repetition.contains(&RepetitionRule::DefenderKo),
            counts_defenders: rules.repetition.iter().any(|rule| {
                matches!(rule, RepetitionRule::Counted { scope: RepetitionScope::DefenderConfiguration, .. })
            }),
            throne: set(&rules.zones.throne.cells),
            corners: set(&rules.zones.corners.cells),
            hammers: PieceSet::ALL.without(guards).without(kings_unless(rules.king_arming.is_hammer())),
            anvils: PieceSet::ALL.without(guards).without(kings_unless(rules.king_arming.is_anvil())),
            men,
            dux: rules.dux.without(guards).without(PieceSet::KINGS),
            captors: BySide::from_fn(|side| captors::table(rules, &topology, pieces, side)),
            king_ends: Side::ALL
                .into_iter()
                .fold(if rules.exit_fort { topology.edge } else { Bitboard::EMPTY }, |ends, side| {
                    ends | set(&rules.goal_cells(side))
                }),
            goals: BySide::from_fn(|side| set(&rules.goal_cells(side))),
            rim_pairs: rim_pairs(rules),
            has_specialists,
            has_plain_soldiers: !has_specialists && soldiers().iter().all(is_plain),
            pieces,
            topology,
            rules: rules.clone(),
        };
        book.start = book.position(&rules.start, rules.first_mover);
        Ok(book)
    }

    /// Returns the rules.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Returns the shape of the board.
    pub fn shape(&self) -> Shape {
        self.topology.shape()
    }

    /// Returns the symmetries of the rules; the first one is the identity.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// Returns the start position.
    pub fn start(&self) -> Position<N> {
        self.start
    }

    /// Returns the position with the given arrangement and side to move.
    ///
    /// # Panics
    ///
    /// Panics if the arrangement is for a board of another shape.
    pub fn position(&self, setup: &Setup, to_move: Side) -> Position<N> {
        assert_eq!(setup.shape(), self.shape(), "the arrangement must be for the board of the rules");
        let mut pos = Position::new(setup, to_move);
        pos.enclosed = self.is_enclosed(&pos);
        pos
    }

    /// Returns the kinds of pieces for which the rules were compiled.
    pub fn pieces(&self) -> PieceSet {
        self.pieces
    }

    /// Returns the piece of `side` on an occupied cell.
    #[inline(always)]
    pub(crate) fn piece_of(&self, pos: &Position<N>, side: Side, cell: Cell) -> Piece {
        let role = if self.has_specialists {
            any_role_at(pos, cell)
        } else if pos.kings().contains(cell) {
            Role::King
        } else {
            Role::Soldier
        };
        Piece::new(side, role)
    }

    /// Returns the cells on which a piece that starts on a cell may stop, and those that it may not
    /// pass.
    pub(crate) fn ground(&self, from: Cell, piece: Piece) -> ZoneAccess<N> {
        let masks = &self.movement_masks[piece];
        self.zone_rules.from(from, piece).unwrap_or(ZoneAccess { stop: masks.stop, block: masks.block })
    }

    /// Returns the pieces of a side against which enemies can be captured.
    #[inline]
    pub(crate) fn anvils_of(&self, pos: &Position<N>, side: Side) -> Bitboard<N> {
        let mut anvils = pos.side(side);
        if !self.anvils.contains(Piece::new(side, Role::King)) {
            anvils = anvils.without(pos.kings());
        }
        if self.has_specialists {
            anvils = anvils.without(pos.role(Role::Guard));
        }
        anvils
    }

    /// Returns the special cells that act as an enemy of a piece: throne and corners while they are
    /// empty, the throne for some pieces also while a king is on it, and camps and fortresses
    /// always.
    #[inline]
    pub(crate) fn hostile_ground(&self, pos: &Position<N>, piece: Piece) -> Bitboard<N> {
        let ground = self.hostile_empty[piece].without(pos.occupied()) | self.hostile_always[piece];
        if self.rules.throne_hostile_occupied.contains(piece) {
            ground | (self.throne & pos.kings())
        } else {
            ground
        }
    }
}

/// Returns the role of a piece in a function of its own, so that [`Rulebook::piece_of`] is short enough to be inlined.
#[inline(never)]
fn any_role_at<const N: usize>(pos: &Position<N>, cell: Cell) -> Role {
    pos.role_at(cell)
}

/// Returns whether a piece with this movement only slides along the axes. Others can pass a ring whose pieces touch only
/// diagonally, so that a ring can close far from the last move, where the cheap local test of `closes_ring` does not see it.
fn only_slides(movement: Movement) -> bool {
    movement.jump == Jump::None && movement.directions == Directions::Axes
}

fn soldiers() -> PieceSet {
    Side::ALL.into_iter().map(|side| Piece::new(side, Role::Soldier)).collect()
}

fn check(rules: &RuleSet) -> Result<(), CompileError> {
    for side in Side::ALL {
        let king = Piece::new(side, Role::King);
        let count = rules.start.count(king);
        if rules.royal.contains(king) && count > 1 {
            return Err(CompileError::TwoKings { side, count });
        }
        if !rules.start.pieces().any(|(_, piece)| piece.side == side) {
            return Err(CompileError::NoPieces { side });
        }
    }
    let modes = [
        rules.king_capture.on_throne,
        rules.king_capture.next_to_throne,
        rules.king_capture.on_edge,
        rules.king_capture.elsewhere,
    ];
    if rules.shape().is_hex() {
        if rules.shieldwall.is_some() {
            return Err(CompileError::NeedsSquares { rule: "shieldwalls" });
        }
    } else if rules.hex_corner_capture {
        return Err(CompileError::NeedsHexes { rule: "corner captures by the rim pair" });
    } else if modes.into_iter().any(CaptureMode::is_for_hexes) {
        return Err(CompileError::NeedsHexes { rule: "captures by three" });
    }
    Ok(())
}

fn hostile<const N: usize>(zones: &[&Zone], piece: Piece) -> Bitboard<N> {
    zones
        .iter()
        .filter(|zone| zone.hostile.contains(piece))
        .flat_map(|zone| zone.cells.iter().copied())
        .collect()
}

fn rim_pairs(rules: &RuleSet) -> Vec<Vec<(Cell, Cell)>> {
    let shape = rules.shape();
    let mut pairs = vec![Vec::new(); shape.n_cells()];
    if rules.hex_corner_capture {
        for corner in shape.corners() {
            let rim: Vec<Cell> = shape.neighbors(corner).filter(|cell| shape.is_edge(*cell)).collect();
            if let [one, other] = rim[..] {
                pairs[one.index()].push((corner, other));
                pairs[other.index()].push((corner, one));
            }
        }
    }
    pairs
}
