//! Rules compiled for a board width: masks and tables instead of questions.

use crate::bitboard::Bitboard;
use crate::piece::{ByPiece, Piece, PieceSet, Role};
use crate::position::Position;
use crate::ruleset::{
    CaptureMode, Directions, Encirclement, Jump, Movement, RepetitionRule, RepetitionScope, RuleSet, Zone,
};
use crate::setup::Setup;
use crate::shape::{Cell, Shape};
use crate::side::{BySide, Side};
use crate::sight::Hunters;
use crate::symmetry::{self, Symmetry};
use crate::topology::Topology;

pub(crate) mod captors;
mod ways;

pub(crate) use captors::{CaptorSet, Cover};
pub(crate) use ways::{Exception, Inside, Way};

/// Why rules cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// More than one king of a side whose capture loses.
    #[error("the {side} have {count} kings whose capture loses; a side has at most one")]
    TwoKings {
        /// The side.
        side: Side,
        /// How many there are.
        count: usize,
    },
    /// Rules for square boards on a hexagonal one.
    #[error("{rule} need a square board")]
    NeedsSquares {
        /// What the rules ask for.
        rule: &'static str,
    },
    /// Rules for hexagonal boards on a square one.
    #[error("{rule} need a hexagonal board")]
    NeedsHexes {
        /// What the rules ask for.
        rule: &'static str,
    },
    /// A start without any piece of one side or of both.
    #[error("the start has no piece of the {side}")]
    NoPieces {
        /// The side.
        side: Side,
    },
}

/// A rule set compiled for boards whose cells fit `N` words: what play asks is a mask or a table.
#[derive(Debug, Clone)]
pub struct Rulebook<const N: usize> {
    rules: RuleSet,
    pub(crate) topology: Topology<N>,
    symmetries: Vec<Symmetry>,
    /// How each piece moves from a cell that lies in no zone.
    pub(crate) ways: ByPiece<Way<N>>,
    /// Cells from which some piece has other ways, and the ways from there.
    pub(crate) exceptions: Exception<N>,
    /// Cells of the throne and the corners that act as an enemy of a piece while they are empty.
    pub(crate) hostile_empty: ByPiece<Bitboard<N>>,
    /// Cells of camps and fortresses that act as an enemy of a piece, empty or not.
    pub(crate) hostile_always: ByPiece<Bitboard<N>>,
    /// The position at the start.
    start: Position<N>,
    /// Whether captures other than custodial ones and those of kings are possible.
    pub(crate) has_rare_captures: bool,
    /// Whether the defenders can be enclosed by other moves than those that close a ring: where rings must be secure,
    /// and where defenders can jump or slip diagonally into one.
    pub(crate) rings_close_anywhere: bool,
    /// Whether a rule forbids moves because of earlier boards.
    pub(crate) has_ko: bool,
    /// Whether a rule about repetition counts the defenders' pieces alone.
    pub(crate) counts_defenders: bool,
    /// The cells of the throne; hostile to some while a king stands there.
    pub(crate) throne: Bitboard<N>,
    /// The cells of the corner zone.
    pub(crate) corners: Bitboard<N>,
    /// Pieces that capture by moving.
    pub(crate) hammers: PieceSet,
    /// Pieces against which others are captured.
    pub(crate) anvils: PieceSet,
    /// Pieces that fall as men do.
    pub(crate) men: PieceSet,
    /// Pieces that fall only to three hostile neighbors.
    pub(crate) dux: PieceSet,
    /// For each side and cell, the sets of cells that fell a royal king there.
    pub(crate) captors: BySide<Vec<Vec<CaptorSet<N>>>>,
    /// Where each side's king wins.
    pub(crate) goals: BySide<Bitboard<N>>,
    /// For each cell, the corners of a hexagonal board beside it and the other neighbor of each corner on the rim.
    pub(crate) rim_pairs: Vec<Vec<(Cell, Cell)>>,
    /// Whether pieces other than soldiers and kings can stand on the board.
    pub(crate) has_specialists: bool,
    /// The kinds of pieces that can stand on the board.
    pub(crate) pieces: PieceSet,
    /// What can capture a king otherwise than most pieces do.
    pub(crate) hunters: Hunters,
}

impl<const N: usize> Rulebook<N> {
    /// Compiles rules.
    ///
    /// # Errors
    ///
    /// Returns why the rules cannot be played, see [`CompileError`].
    ///
    /// # Panics
    ///
    /// Panics if the board does not fit `N` words; [`crate::AnyRulebook::compile`] chooses the width.
    pub fn compile(rules: &RuleSet) -> Result<Rulebook<N>, CompileError> {
        Rulebook::compile_for(rules, rules.pieces_in_play())
    }

    /// Compiles rules for positions with kinds of pieces that the start does not have.
    ///
    /// # Errors
    ///
    /// As [`Rulebook::compile`].
    ///
    /// # Panics
    ///
    /// As [`Rulebook::compile`].
    pub fn compile_for(rules: &RuleSet, pieces: PieceSet) -> Result<Rulebook<N>, CompileError> {
        check(rules)?;
        let shape = rules.shape();
        let topology: Topology<N> = Topology::new(shape);
        let guards = PieceSet::GUARDS;
        let kings_unless = |is: bool| if is { PieceSet::EMPTY } else { PieceSet::KINGS };
        let set = |cells: &[Cell]| cells.iter().copied().collect::<Bitboard<N>>();
        let specialists = PieceSet::ALL.without(PieceSet::KINGS).without(soldiers());
        let ways = ByPiece::from_fn(|piece| Way::of(rules, &topology, piece));
        let mut book = Rulebook {
            symmetries: symmetry::of_rules(rules),
            hunters: Hunters::of(rules, &ways, pieces),
            ways,
            exceptions: Exception::table(rules, &topology),
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
            has_rare_captures: rules.linnaean || rules.hex_corner_capture || rules.shieldwall.is_some(),
            rings_close_anywhere: rules.encirclement == Encirclement::Secure
                || pieces.iter().any(|piece| piece.side == Side::Defenders && slips(rules.movement[piece])),
            has_ko: rules.repetition.contains(&RepetitionRule::DefendersMayNot),
            counts_defenders: rules.repetition.iter().any(|rule| {
                matches!(rule, RepetitionRule::Counted { scope: RepetitionScope::DefenderConfiguration, .. })
            }),
            throne: set(&rules.zones.throne.cells),
            corners: set(&rules.zones.corners.cells),
            hammers: PieceSet::ALL.without(guards).without(kings_unless(rules.king_arming.is_hammer())),
            anvils: PieceSet::ALL.without(guards).without(kings_unless(rules.king_arming.is_anvil())),
            men: PieceSet::ALL.without(guards).without(rules.royal).without(rules.dux),
            dux: rules.dux.without(guards).without(PieceSet::KINGS),
            captors: BySide::from_fn(|side| captors::table(rules, &topology, pieces, side)),
            goals: BySide::from_fn(|side| set(&rules.goal_cells(side))),
            rim_pairs: rim_pairs(rules),
            has_specialists: !pieces.intersection(specialists).is_empty(),
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

    /// Returns the symmetries of the rules; the first one leaves everything as it is.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// Returns the position at the start of a game.
    pub fn start(&self) -> Position<N> {
        self.start
    }

    /// Returns the position of an arrangement on this board with a side to move.
    ///
    /// # Panics
    ///
    /// Panics if the arrangement is for another board.
    pub fn position(&self, setup: &Setup, to_move: Side) -> Position<N> {
        assert_eq!(setup.shape(), self.shape(), "the arrangement is for another board");
        let mut pos = Position::new(setup, to_move);
        pos.enclosed = self.is_enclosed(&pos);
        pos
    }

    /// Returns the kinds of pieces for which the rules were compiled.
    pub fn pieces(&self) -> PieceSet {
        self.pieces
    }

    /// Returns the piece on an occupied cell of a side.
    #[inline]
    pub(crate) fn piece_of(&self, pos: &Position<N>, side: Side, cell: Cell) -> Piece {
        let role = if self.has_specialists {
            pos.role_at(cell)
        } else if pos.kings().contains(cell) {
            Role::King
        } else {
            Role::Soldier
        };
        Piece::new(side, role)
    }

    /// Returns where a piece that starts on a cell may stop, and which cells it may not pass.
    pub(crate) fn ground(&self, from: Cell, piece: Piece) -> Inside<N> {
        let way = &self.ways[piece];
        self.exceptions.from(from, piece).unwrap_or(Inside { stop: way.stop, block: way.block })
    }

    /// Returns the pieces of a side against which its enemies are captured.
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

    /// Returns the special cells that act as an enemy of a piece: throne and corners while they are empty, the throne
    /// for some also while a king is on it, camps and fortresses always.
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

/// Returns whether a piece that moves like this can get past a ring whose pieces touch at corners.
fn slips(movement: Movement) -> bool {
    movement.jump != Jump::None || movement.directions == Directions::Queen
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
