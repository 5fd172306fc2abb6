//! The syntax tree of queries.

use tafl_rules::{Cell, Coord, Event, PieceSet, Setup, Shape, Side};

use super::game::GameCondition;
use super::number::{Comparison, Inequality};
use crate::pattern::{Pattern, PatternSymmetries};

/// A query for games or positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    pub(crate) expr: Expr,
}

/// An expression, which holds or does not hold at each position of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// All of these hold at the same position; two or more, none of them an `All`.
    All(Vec<Expr>),
    /// One of these holds; two or more, none of them an `Any`.
    Any(Vec<Expr>),
    /// This does not hold.
    Not(Box<Expr>),
    /// The last part holds, and the first one held at an earlier position. Holds at the position of the last part.
    Then(Box<Sequence>),
    /// The first part holds, and the last one holds at a later position. Holds at the position of the first part.
    Before(Box<Sequence>),
    /// This holds at some position of the game. Holds at all positions or at none, as the next two do.
    Ever(Box<Expr>),
    /// This holds at no position of the game.
    Never(Box<Expr>),
    /// The number of positions at which this holds, compared with a number.
    Count(Box<Expr>, Comparison, u32),
    /// The first position of the game at which this holds.
    First(Box<Expr>),
    /// The last position of the game at which this holds.
    Last(Box<Expr>),
    /// A condition on the game as a whole.
    Game(GameCondition),
    /// A condition on its rules and start.
    Setup(SetupTest),
    /// A condition on the position.
    Ply(PlyTest),
}

/// Two parts that hold at different positions of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    /// The part that holds first.
    pub first: Expr,
    /// The part that holds at a later position.
    pub last: Expr,
    /// The maximum number of plies between the two parts.
    pub within: Option<u32>,
}

/// A condition on the rules and the start of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetupTest {
    /// The shape of the board.
    Shape(Shape),
    /// The rules string has this term, such as `sw:s`, ignoring ASCII case.
    Rules(String),
    /// Both sides have a king at the start.
    TwoKings,
}

/// A condition on a position and the ply that led to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlyTest {
    /// The last ply had this event.
    Event(Event),
    /// A comparison of numbers.
    Number(Inequality),
    /// A condition on a king.
    King(Side, KingTest),
    /// A king could escape with his next move, or be captured by the enemy's next move.
    Threat,
    /// This side is to move.
    ToMove(Side),
    /// This side made the last ply.
    Mover(Side),
    /// A condition on the last ply.
    Move(MoveTest),
    /// The whole board.
    Position {
        /// The pieces on their cells.
        setup: Setup,
        /// The symmetries under which boards count.
        symmetries: PatternSymmetries,
    },
    /// A pattern on the board.
    Pattern(Pattern),
}

/// A condition on a king.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KingTest {
    /// The enemy could capture him in one move, if it were the enemy's turn.
    Danger,
    /// A cordon is closed around him.
    Cordon,
    /// He could reach a goal in one move, along an open line or by a jump.
    CanEscape,
    /// He has an open line to a goal.
    OpenLine,
    /// He is on the edge of the board.
    OnEdge,
    /// He is on a throne.
    OnThrone,
    /// He is in a corner of the board.
    OnCorner,
}

impl KingTest {
    /// Returns whether the test needs the cell of the king, not only his status.
    pub(crate) const fn needs_cell(self) -> bool {
        match self {
            KingTest::OnEdge | KingTest::OnThrone | KingTest::OnCorner => true,
            KingTest::Danger | KingTest::Cordon | KingTest::CanEscape | KingTest::OpenLine => false,
        }
    }
}

/// A condition on the ply that led to a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveTest {
    /// The move began there.
    From(MoveArea),
    /// The move ended there.
    To(MoveArea),
    /// A piece of this kind moved.
    Piece(PieceSet),
    /// A piece of this kind was captured.
    Took(PieceSet),
    /// A piece was captured there.
    TookAt(MoveArea),
}

/// The cells where a move begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveArea {
    /// On this cell.
    Cell(Coord),
    /// On the edge of the board.
    Edge,
    /// In a corner of the board.
    Corner,
    /// On a throne.
    Throne,
}

impl MoveArea {
    /// Returns whether a cell of a board with these thrones lies in the area.
    pub fn holds(self, shape: Shape, thrones: &[Cell], cell: Cell) -> bool {
        match self {
            MoveArea::Cell(coord) => shape.coord(cell) == coord,
            MoveArea::Edge => shape.is_edge(cell),
            MoveArea::Corner => shape.corners().contains(&cell),
            MoveArea::Throne => thrones.contains(&cell),
        }
    }
}

impl Expr {
    /// Returns the conjunction of the parts, flattened.
    ///
    /// # Panics
    ///
    /// Panics without a part.
    pub fn all(parts: Vec<Expr>) -> Expr {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Expr::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        one_or(flat, Expr::All)
    }

    /// Returns the disjunction of the parts, flattened.
    ///
    /// # Panics
    ///
    /// Panics without a part.
    pub fn any(parts: Vec<Expr>) -> Expr {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Expr::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        one_or(flat, Expr::Any)
    }

    /// Returns whether this holds at all positions of a game or at none.
    pub fn is_about_games(&self) -> bool {
        match self {
            Expr::All(parts) | Expr::Any(parts) => parts.iter().all(Expr::is_about_games),
            Expr::Not(part) => part.is_about_games(),
            Expr::Ever(_) | Expr::Never(_) | Expr::Count(..) | Expr::Game(_) | Expr::Setup(_) => true,
            Expr::Then(_) | Expr::Before(_) | Expr::First(_) | Expr::Last(_) | Expr::Ply(_) => false,
        }
    }

    /// Calls `visit` for every condition on games, in the order in which they are written.
    pub(crate) fn each_game_condition<'e>(&'e self, visit: &mut dyn FnMut(&'e GameCondition)) {
        match self {
            Expr::All(parts) | Expr::Any(parts) => {
                parts.iter().for_each(|part| part.each_game_condition(visit));
            }
            Expr::Not(part)
            | Expr::Ever(part)
            | Expr::Never(part)
            | Expr::First(part)
            | Expr::Last(part)
            | Expr::Count(part, ..) => part.each_game_condition(visit),
            Expr::Then(parts) | Expr::Before(parts) => {
                parts.first.each_game_condition(visit);
                parts.last.each_game_condition(visit);
            }
            Expr::Game(condition) => visit(condition),
            Expr::Setup(_) | Expr::Ply(_) => {}
        }
    }

    /// See [`Query::unmet_conditions`].
    fn unmet_conditions<E>(
        &self,
        is_met: &mut dyn FnMut(&GameCondition) -> Result<bool, E>,
    ) -> Result<Vec<&GameCondition>, E> {
        let (Expr::All(parts) | Expr::Any(parts)) = self else {
            return Ok(match self {
                Expr::Game(condition) if !is_met(condition)? => vec![condition],
                _ => Vec::new(),
            });
        };
        let mut unmet = Vec::new();
        for part in parts {
            let more = part.unmet_conditions(is_met)?;
            if more.is_empty() && matches!(self, Expr::Any(_)) {
                return Ok(Vec::new());
            }
            unmet.extend(more);
        }
        Ok(unmet)
    }
}

fn one_or(mut parts: Vec<Expr>, many: fn(Vec<Expr>) -> Expr) -> Expr {
    match parts.len() {
        1 => parts.remove(0),
        0 => panic!("a list of parts is never empty"),
        2.. => many(parts),
    }
}

impl Query {
    /// Returns the query of an expression.
    pub fn new(expr: Expr) -> Query {
        Query { expr }
    }

    /// Returns the expression.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// Returns whether hits are games, not positions.
    pub fn is_about_games(&self) -> bool {
        self.expr.is_about_games()
    }

    /// Returns the conditions on games, in the order of the text. [`super::GameTruth`] takes their index in this
    /// list.
    pub fn game_conditions(&self) -> Vec<&GameCondition> {
        let mut conditions = Vec::new();
        self.expr.each_game_condition(&mut |condition| conditions.push(condition));
        conditions
    }

    /// Returns conditions on games that explain why nothing matches: those that no game meets, unless one of several
    /// alternatives can be met without them. `is_met` tells whether any game meets a condition.
    ///
    /// # Errors
    ///
    /// Returns the first error of `is_met`.
    pub fn unmet_conditions<E>(
        &self,
        mut is_met: impl FnMut(&GameCondition) -> Result<bool, E>,
    ) -> Result<Vec<&GameCondition>, E> {
        self.expr.unmet_conditions(&mut is_met)
    }
}
