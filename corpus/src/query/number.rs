//! Numbers of a position, and how they compare.

use tafl_rules::{PieceSet, Side};

/// How two values compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// The left one is smaller.
    Less,
    /// The left one is not greater.
    AtMost,
    /// Both are the same.
    Equal,
    /// They differ.
    Different,
    /// The left one is not smaller.
    AtLeast,
    /// The left one is greater.
    Greater,
}

impl Comparison {
    /// Every comparison with its sign, signs before those that begin them.
    pub const ALL: [(Comparison, &'static str); 6] = [
        (Comparison::AtMost, "<="),
        (Comparison::AtLeast, ">="),
        (Comparison::Different, "!="),
        (Comparison::Less, "<"),
        (Comparison::Greater, ">"),
        (Comparison::Equal, "="),
    ];

    /// Returns the sign, such as `<=`.
    pub const fn sign(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Equal => "=",
            Comparison::Different => "!=",
            Comparison::AtLeast => ">=",
            Comparison::Greater => ">",
        }
    }

    /// Returns whether `left` and `right` compare so.
    #[inline]
    pub fn holds<T: Ord>(self, left: T, right: T) -> bool {
        match self {
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Equal => left == right,
            Comparison::Different => left != right,
            Comparison::AtLeast => left >= right,
            Comparison::Greater => left > right,
        }
    }
}

/// A number of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// The plies played.
    Ply,
    /// The plies that follow.
    PliesLeft,
    /// The pieces of both sides.
    Pieces,
    /// The pieces of a side.
    PiecesOf(Side),
    /// The pieces of these kinds.
    Kinds(PieceSet),
    /// How many pieces fell in the ply that led here.
    Captured,
    /// By how many pieces a side has fewer than at the start of the game.
    Lost(Side),
    /// The fewest moves of a side's king to a goal; no number without such a king.
    KingDistance(Side),
    /// The goals to which a side's king has an open line; no number without such a king.
    KingLines(Side),
    /// The file of a side's king, 1 for `a`; no number without a king.
    KingFile(Side),
    /// The rank of a side's king; no number without a king.
    KingRank(Side),
}

/// A sum of numbers of a position, each taken so many times, and a constant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Sum {
    /// The numbers and how often they count; in the order written.
    pub terms: Vec<(i32, Term)>,
    /// What is added.
    pub constant: i32,
}

impl Sum {
    /// Returns the sum of one number.
    pub fn of(term: Term) -> Sum {
        Sum { terms: vec![(1, term)], constant: 0 }
    }
}

/// Two sums that compare in a way. Holds nowhere where one of the numbers is missing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Inequality {
    /// The sum on the left.
    pub left: Sum,
    /// How they compare.
    pub comparison: Comparison,
    /// The sum on the right.
    pub right: Sum,
}
