//! The rules of a game as plain data.
//!
//! A [`RuleSet`] is read from and written as a rules string, see [`RuleSet::read`]. Every
//! default is that of OpenTafl's notation; for rules that this notation cannot express, there are
//! additional keys that begin with `x`.

use crate::piece::{ByPiece, Piece, PieceSet, Role};
use crate::setup::Setup;
use crate::shape::{Cell, Shape};
use crate::side::{BySide, Side};

mod before_play;
mod canonical;
mod king_capture;
mod repetition;
mod zone;

pub use before_play::{Rearrangement, StartError};
pub use king_capture::{CaptureMode, KingCapture};
pub use repetition::{RepetitionEffect, RepetitionRule, RepetitionRuleError, RepetitionScope};
pub use zone::{ByZone, Zone, ZoneKind};

/// The rules of a game: board, start, movement, captures, and ends.
///
/// # Examples
///
/// ```
/// use tafl_rules::{RuleSet, NoMoves};
///
/// let copenhagen = RuleSet::named("copenhagen")?;
/// assert!(copenhagen.exit_fort && copenhagen.shieldwall.is_some());
///
/// let mut rules: RuleSet = "dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse()?;
/// rules.no_moves = NoMoves::Draw;
/// assert_eq!(rules.to_string(), "dim:7 ks:c xnom:draw start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RuleSet {
    /// The label in the rules string; it has no effect.
    pub name: Option<String>,
    /// The side that moves first.
    pub first_mover: Side,
    /// The arrangement at the start, which also determines the shape of the board.
    pub start: Setup,
    /// The cells on which each side may rearrange its pieces before the first move.
    pub rearrangement: BySide<Rearrangement>,
    /// The number of plies after which the player to move may exchange sides with the opponent instead
    /// of moving, if this is allowed. An exchange changes the players, but not the position.
    pub swap: Option<u32>,
    /// The kings whose capture loses the game; other kings are captured like men.
    pub royal: PieceSet,
    /// The movement of each piece.
    pub movement: ByPiece<Movement>,
    /// The part that kings take in captures.
    pub king_arming: Arming,
    /// The way in which kings are captured, depending on their cell.
    pub king_capture: KingCapture,
    /// The commanders that can pierce a king who otherwise needs four captors: two of them opposite
    /// each other, or one opposite a corner hostile to him. Never while he is on the throne.
    pub piercing: PieceSet,
    /// The special cells.
    pub zones: ByZone<Zone>,
    /// The pieces to which the throne is hostile while a king is on it; for the empty throne, see
    /// `zones.throne.hostile`.
    pub throne_hostile_occupied: PieceSet,
    /// Whether a piece inside the camps moves freely only within its own connected camp.
    pub camps_apart: bool,
    /// The camp cells that are not hostile to attackers.
    pub camps_spared: Vec<Cell>,
    /// The pieces to which the edge of the board is hostile.
    pub edge_hostile: PieceSet,
    /// The cells on which each side's king wins.
    pub goals: BySide<Goal>,
    /// Whether a player who can capture must capture: if the first move of a turn can capture, only
    /// such moves are legal. Later steps of a turn follow [`RuleSet::berserk`].
    pub forced_capture: bool,
    /// Whether a man on a corner of a hexagonal board is captured by pieces on its two neighboring
    /// rim cells.
    pub hex_corner_capture: bool,
    /// Whether Linnaean captures are possible: of a defender between an attacker and the throne, if
    /// the king on the throne has attackers on his other three sides.
    pub linnaean: bool,
    /// The capture of rows of men on the edge, if possible.
    pub shieldwall: Option<Shieldwall>,
    /// Whether a king in an unbreakable fort on the edge wins.
    pub exit_fort: bool,
    /// The condition under which attackers win by enclosing all defenders.
    pub encirclement: Encirclement,
    /// The consequence for a side without a legal move.
    pub no_moves: NoMoves,
    /// The repetition rules.
    pub repetition: Vec<RepetitionRule>,
    /// Whether a piece that has captured moves again.
    pub berserk: Berserk,
    /// Details of berserk chains.
    pub chain: ChainRules,
    /// The roles over which a short jump may go.
    pub jumped: Vec<Role>,
    /// Whether a piece may also jump over pieces of its own side.
    pub jump_own: bool,
    /// The pieces that are captured only by three hostile neighbors.
    pub dux: PieceSet,
    /// The number of plies after which the game is drawn.
    pub ply_limit: Option<u32>,
    /// The number of plies without a capture after which the game is drawn.
    pub captureless_limit: Option<u32>,
    /// Unknown words of the rules string, such as `key:value`. They have no effect, but are kept
    /// and written again.
    pub unknown: Vec<String>,
}

/// The movement of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Movement {
    /// The directions.
    pub directions: Directions,
    /// The longest move, in cells; `None` for no limit.
    pub max: Option<u8>,
    /// The jumps that it may also make.
    pub jump: Jump,
}

/// The directions in which a piece slides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Directions {
    /// Along the axes of the board: four directions on square boards, six on hexagonal boards.
    Axes,
    /// Along axes and diagonals of a square board, eight directions.
    Queen,
}

/// A short jump over one adjacent piece to the empty cell beyond it. The piece is an enemy soldier
/// unless the rules allow others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Jump {
    /// No jumps.
    None,
    /// Only from or to the throne, a corner, or a fortress of its own side, as defined by
    /// OpenTafl's notation.
    Restricted,
    /// Anywhere.
    Plain,
    /// Anywhere, capturing the enemy piece that it jumps over.
    Capturing,
}

/// The part that a piece takes in captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arming {
    /// It captures by moving and by standing.
    Armed,
    /// It is an anvil only: other pieces can capture against it.
    Anvil,
    /// It is a hammer only: it captures by moving.
    Hammer,
    /// It takes no part in captures.
    Unarmed,
}

impl Arming {
    /// Returns whether the piece captures by moving.
    pub const fn is_hammer(self) -> bool {
        matches!(self, Arming::Armed | Arming::Hammer)
    }

    /// Returns whether other pieces can capture against the piece.
    pub const fn is_anvil(self) -> bool {
        matches!(self, Arming::Armed | Arming::Anvil)
    }
}

/// The cells on which a side's king wins.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Nowhere.
    None,
    /// On the cells of the corner zone, or on the physical corners if the zone is empty.
    Corners,
    /// Anywhere on the edge of the board.
    Edge,
    /// On these cells, in ascending order.
    Cells(Vec<Cell>),
}

/// The capture of a row of two or more men on the edge of a square board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shieldwall {
    /// Whether a corner cell closes an end of the row.
    pub corner_closes: bool,
    /// Whether the move that captures must close an end of the row.
    pub flank_move: bool,
    /// Whether one move may capture two rows, one on each side of the piece that moved.
    pub both_ways: bool,
}

/// The condition under which attackers win by enclosing all defenders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encirclement {
    /// Never.
    None,
    /// No path through empty cells leads from the edge to a defender.
    Plain,
    /// The same, and no attacker of the ring can be captured from inside.
    Secure,
}

/// The consequence for a side without a legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoMoves {
    /// It loses.
    Lose,
    /// The game is drawn.
    Draw,
    /// Unspecified: the game stops without a result.
    Ignore,
}

/// Whether a piece that has captured moves again in the same turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Berserk {
    /// No.
    None,
    /// It must move again as long as it can capture; a king may also end the chain on a goal.
    Capture,
    /// It must make another move; the chain ends with a move that does not capture.
    AnyMove,
}

/// Details of berserk chains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ChainRules {
    /// Whether a player may decline to continue; then the other side simply moves.
    pub may_decline: bool,
    /// Whether a jump without a capture also continues a chain.
    pub after_jumps: bool,
}

impl RuleSet {
    /// Returns the rules of a rules string that contains only the board and the start.
    pub fn with_defaults(start: Setup) -> RuleSet {
        let shape = start.shape();
        RuleSet {
            name: None,
            first_mover: Side::Attackers,
            start,
            rearrangement: BySide { attackers: Rearrangement::None, defenders: Rearrangement::None },
            swap: None,
            royal: PieceSet::of(Piece::new(Side::Defenders, Role::King)),
            movement: ByPiece::from_fn(|piece| Movement {
                directions: Directions::Axes,
                max: None,
                jump: match piece.role {
                    Role::Knight => Jump::Capturing,
                    Role::Commander => Jump::Plain,
                    Role::Soldier | Role::King | Role::Mercenary | Role::Guard => Jump::None,
                },
            }),
            king_arming: Arming::Armed,
            king_capture: KingCapture::STRONG,
            piercing: PieceSet::COMMANDERS,
            zones: ByZone::with_defaults(shape),
            throne_hostile_occupied: PieceSet::ATTACKERS,
            camps_apart: false,
            camps_spared: Vec::new(),
            edge_hostile: PieceSet::EMPTY,
            goals: BySide { attackers: Goal::None, defenders: Goal::Corners },
            forced_capture: false,
            hex_corner_capture: false,
            linnaean: false,
            shieldwall: None,
            exit_fort: false,
            encirclement: Encirclement::Plain,
            no_moves: NoMoves::Lose,
            repetition: vec![RepetitionRule::DRAW_AT_THIRD],
            berserk: Berserk::None,
            chain: ChainRules::default(),
            jumped: vec![Role::Soldier],
            jump_own: false,
            dux: PieceSet::EMPTY,
            ply_limit: None,
            captureless_limit: None,
            unknown: Vec::new(),
        }
    }

    /// Returns the shape of the board.
    pub fn shape(&self) -> Shape {
        self.start.shape()
    }

    /// Returns the cells on which the king of a side wins, in ascending order.
    pub fn goal_cells(&self, side: Side) -> Vec<Cell> {
        let shape = self.shape();
        match &self.goals[side] {
            Goal::None => Vec::new(),
            Goal::Corners if self.zones.corners.cells.is_empty() => shape.corners(),
            Goal::Corners => self.zones.corners.cells.clone(),
            Goal::Edge => shape.cells().filter(|cell| shape.is_edge(*cell)).collect(),
            Goal::Cells(cells) => cells.clone(),
        }
    }

    /// Returns the pieces that can ever appear on the board: those of the start, and mercenaries of
    /// both sides if there are any.
    pub fn pieces_in_play(&self) -> PieceSet {
        let present: PieceSet = self.start.pieces().map(|(_, piece)| piece).collect();
        let converted: PieceSet = present
            .iter()
            .filter(|piece| piece.role == Role::Mercenary)
            .map(|piece| Piece::new(piece.side.other(), piece.role))
            .collect();
        present.union(converted)
    }
}
