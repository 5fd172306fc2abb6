//! What the rules of a game are, as plain data.
//!
//! A [`RuleSet`] is read from and written as a rules string, see [`crate::text::ruleset`]. Every default is that of
//! OpenTafl's notation; what that notation cannot say has keys of our own that begin with `x`.

use crate::piece::{ByPiece, Piece, PieceSet, Role};
use crate::setup::Setup;
use crate::shape::{Cell, Shape};
use crate::side::{BySide, Side};

mod canonical;
mod repetition;
mod zone;

pub use repetition::{RepetitionEffect, RepetitionRule, RepetitionRuleError, RepetitionScope};
pub use zone::{ByZone, Zone, ZoneKind};

/// The rules of one game: board, start, movement, captures, ends.
///
/// # Examples
///
/// ```
/// use tafl_rules::{RuleSet, ruleset::NoMoves};
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
    /// The label in the rules string; means nothing to the rules.
    pub name: Option<String>,
    /// The side that moves first.
    pub first_mover: Side,
    /// The arrangement at the start; it also says the shape of the board.
    pub start: Setup,
    /// The kings whose capture loses; a king that is not among them is captured as a man is.
    pub royal: PieceSet,
    /// How each piece moves.
    pub movement: ByPiece<Movement>,
    /// Which part kings take in captures.
    pub king_arming: Arming,
    /// How kings are captured, by where they stand.
    pub king_capture: KingCapture,
    /// Commanders that pierce a king where four captors are asked for: two of them opposite each other, or one and a
    /// corner hostile to him. Never while he is on the throne.
    pub piercing: PieceSet,
    /// The special cells.
    pub zones: ByZone<Zone>,
    /// Pieces to which the throne is hostile while a king stands on it; `zones.throne.hostile` is for the empty throne.
    pub throne_hostile_occupied: PieceSet,
    /// Whether a piece inside the camps moves freely within its own connected camp only, not within all of them.
    pub camps_apart: bool,
    /// Camp cells that are not hostile to attackers.
    pub camps_spared: Vec<Cell>,
    /// Pieces to which the edge of the board is hostile.
    pub edge_hostile: PieceSet,
    /// Where each side's king wins.
    pub goals: BySide<Goal>,
    /// Capture of a man on a corner of a hexagonal board by the two cells of the rim beside it.
    pub hex_corner_capture: bool,
    /// Linnaean capture: a defender between an attacker and the throne on which his king sits among three attackers.
    pub linnaean: bool,
    /// Capture of rows of men on the edge.
    pub shieldwall: Option<Shieldwall>,
    /// Whether a king in an unbreakable fort at the edge wins.
    pub exit_fort: bool,
    /// When attackers win by enclosing all defenders.
    pub encirclement: Encirclement,
    /// What happens to a side that has no legal move.
    pub no_moves: NoMoves,
    /// What happens when play repeats itself.
    pub repetition: Vec<RepetitionRule>,
    /// Whether a piece that captured goes on.
    pub berserk: Berserk,
    /// What else is true of a piece that goes on.
    pub chain: Chain,
    /// The roles that a short jump may cross.
    pub jumped: Vec<Role>,
    /// Whether a piece may jump over its own side, too.
    pub jump_own: bool,
    /// Pieces that fall only when three of their neighbors are hostile to them.
    pub dux: PieceSet,
    /// The game is drawn after so many plies.
    pub ply_limit: Option<u32>,
    /// The game is drawn after so many plies without a capture.
    pub captureless_limit: Option<u32>,
    /// Words of the rules string that mean nothing here, such as `key:value`: kept and written again.
    pub unknown: Vec<String>,
}

/// How a piece moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Movement {
    /// The directions.
    pub directions: Directions,
    /// The longest move, in cells; `None` is as far as the way is free.
    pub max: Option<u8>,
    /// The jumps it may make as well.
    pub jump: Jump,
}

/// The directions in which a piece slides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Directions {
    /// Along the axes of the board: four directions on squares, six on hexes.
    Axes,
    /// Along axes and diagonals, eight directions, on squares.
    Queen,
}

/// A short jump over one adjacent piece, an enemy soldier unless the rules say more, to the empty cell behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Jump {
    /// No jumps.
    None,
    /// Only from or to the throne, a corner or a fortress of its own side, as OpenTafl's notation has it.
    Restricted,
    /// Anywhere.
    Plain,
    /// Anywhere, and an enemy who is jumped over is captured.
    Capturing,
}

/// Which part a piece takes in captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arming {
    /// It captures by moving and by standing.
    Armed,
    /// It captures only by standing: others can capture against it.
    Anvil,
    /// It captures only by moving.
    Hammer,
    /// It takes no part.
    Unarmed,
}

impl Arming {
    /// Returns whether a piece captures by moving.
    pub const fn is_hammer(self) -> bool {
        matches!(self, Arming::Armed | Arming::Hammer)
    }

    /// Returns whether others can capture against a piece.
    pub const fn is_anvil(self) -> bool {
        matches!(self, Arming::Armed | Arming::Anvil)
    }
}

/// How a king is captured, by where he stands; the first place that fits counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KingCapture {
    /// On the throne.
    pub on_throne: CaptureMode,
    /// On a neighbor of the throne.
    pub next_to_throne: CaptureMode,
    /// On the edge of the board.
    pub on_edge: CaptureMode,
    /// Anywhere else.
    pub elsewhere: CaptureMode,
}

impl KingCapture {
    /// Four captors everywhere, never on the edge: OpenTafl's `ks:s`.
    pub const STRONG: KingCapture = KingCapture {
        on_throne: CaptureMode::All,
        next_to_throne: CaptureMode::All,
        on_edge: CaptureMode::Never,
        elsewhere: CaptureMode::All,
    };
    /// Four captors on the throne and next to it, two elsewhere: `ks:c`.
    pub const STRONG_AT_THRONE: KingCapture = KingCapture {
        on_throne: CaptureMode::All,
        next_to_throne: CaptureMode::All,
        on_edge: CaptureMode::Custodian,
        elsewhere: CaptureMode::Custodian,
    };
    /// Every neighbor hostile, the edge included: `ks:m`.
    pub const CONFINED: KingCapture = KingCapture {
        on_throne: CaptureMode::All,
        next_to_throne: CaptureMode::All,
        on_edge: CaptureMode::Confine,
        elsewhere: CaptureMode::Confine,
    };
    /// Two captors everywhere: `ks:w`.
    pub const WEAK: KingCapture = KingCapture {
        on_throne: CaptureMode::Custodian,
        next_to_throne: CaptureMode::Custodian,
        on_edge: CaptureMode::Custodian,
        elsewhere: CaptureMode::Custodian,
    };
}

/// Which neighbors of a king must be hostile for him to fall. The piece that moved is always one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CaptureMode {
    /// Two opposite neighbors.
    Custodian,
    /// All neighbors, none of them missing: four on squares, six on hexes. Never on the edge.
    All,
    /// All neighbors that the board has.
    Confine,
    /// Three neighbors of a hexagon, no two of them adjacent, all three occupied.
    Alternate3,
    /// Any three neighbors.
    Any3,
    /// He cannot be captured.
    Never,
}

impl CaptureMode {
    const WORDS: [(&'static str, CaptureMode); 6] = [
        ("custodian", CaptureMode::Custodian),
        ("all4", CaptureMode::All),
        ("confine", CaptureMode::Confine),
        ("alt3", CaptureMode::Alternate3),
        ("any3", CaptureMode::Any3),
        ("never", CaptureMode::Never),
    ];

    /// Returns the word of rules strings.
    pub fn word(self) -> &'static str {
        CaptureMode::WORDS.iter().find(|(_, mode)| *mode == self).map_or("", |(word, _)| word)
    }

    /// Returns the mode that a word of rules strings stands for.
    pub fn from_word(word: &str) -> Option<CaptureMode> {
        CaptureMode::WORDS.iter().find(|(name, _)| *name == word).map(|(_, mode)| *mode)
    }

    /// Returns whether the mode makes sense on hexagonal boards only.
    pub const fn is_for_hexes(self) -> bool {
        matches!(self, CaptureMode::Alternate3 | CaptureMode::Any3)
    }
}

/// Where a side's king wins.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Nowhere.
    None,
    /// On the cells of the corner zone; where there is none, on the physical corners.
    Corners,
    /// Anywhere on the edge of the board.
    Edge,
    /// On these cells, in rising order.
    Cells(Vec<Cell>),
}

/// Capture of a row of two or more men on the edge of a square board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shieldwall {
    /// Whether a corner cell closes an end of the row.
    pub corner_closes: bool,
    /// Whether the move that captures must close an end of the row.
    pub flank_move: bool,
    /// Whether one move may close two rows, one to each side.
    pub both_ways: bool,
}

/// When attackers win by enclosing all defenders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encirclement {
    /// Never.
    None,
    /// When no defender can be reached from the edge through empty cells.
    Plain,
    /// The same, and no attacker of the ring can be captured from inside.
    Secure,
}

/// What happens to a side that has no legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoMoves {
    /// It loses.
    Lose,
    /// The game is drawn.
    Draw,
    /// Nothing is said: the game stands still, without a result.
    Ignore,
}

/// Whether a piece that captured moves on in the same turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Berserk {
    /// No.
    None,
    /// It must, as long as it can capture again; a king may also end the chain on his goal.
    Capture,
    /// It must make another move; the chain ends with a move that captures nothing.
    AnyMove,
}

/// Details of berserk chains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Chain {
    /// Whether a player may decline to go on: then the other side just moves.
    pub may_decline: bool,
    /// Whether a jump without a capture also lets a piece go on, and is a step with which it may go on.
    pub after_jumps: bool,
}

impl RuleSet {
    /// Returns the rules that a rules string has which says nothing but the board and the start.
    pub fn with_defaults(start: Setup) -> RuleSet {
        let shape = start.shape();
        RuleSet {
            name: None,
            first_mover: Side::Attackers,
            start,
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
            hex_corner_capture: false,
            linnaean: false,
            shieldwall: None,
            exit_fort: false,
            encirclement: Encirclement::Plain,
            no_moves: NoMoves::Lose,
            repetition: vec![RepetitionRule::DRAW_AT_THIRD],
            berserk: Berserk::None,
            chain: Chain::default(),
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

    /// Returns the cells on which the king of a side wins, in rising order.
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

    /// Returns the pieces that can ever stand on the board: those of the start, and mercenaries of either side where
    /// there is one.
    pub fn pieces_in_play(&self) -> PieceSet {
        let present: PieceSet = self.start.pieces().map(|(_, piece)| piece).collect();
        let turncoats: PieceSet = present
            .iter()
            .filter(|piece| piece.role == Role::Mercenary)
            .map(|piece| Piece::new(piece.side.other(), piece.role))
            .collect();
        present.union(turncoats)
    }
}
