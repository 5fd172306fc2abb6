//! Numbers of a position, and comparisons.

use tafl_rules::{Event, PieceSet, Side};

/// A comparison of two values.
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
    /// Every comparison with its sign; `<=` comes before its prefix `<`.
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

    /// Returns whether the comparison holds for `left` and `right`.
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
    /// The number of pieces captured by the last ply.
    Captured,
    /// The number of pieces captured by the last ply in the way that an event names.
    CapturedBy(Event),
    /// The number of pieces that a side has lost since the start of the game.
    Lost(Side),
    /// The fewest moves of a side's king to a goal; undefined without such a king.
    KingDistance(Side),
    /// The goals to which a side's king has an open line; undefined without such a king.
    KingLines(Side),
    /// The file of a side's king, 1 for `a`; undefined without a king.
    KingFile(Side),
    /// The rank of a side's king; undefined without a king.
    KingRank(Side),
}

/// A weighted sum of numbers of a position, plus a constant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Sum {
    /// The numbers with their factors, in the order written.
    pub terms: Vec<(i32, Term)>,
    /// The constant.
    pub constant: i32,
}

impl Sum {
    /// Returns the sum of one number.
    pub fn of(term: Term) -> Sum {
        Sum { terms: vec![(1, term)], constant: 0 }
    }

    /// Returns the term that the sum consists of; `None` for other sums.
    pub(crate) fn as_term(&self) -> Option<Term> {
        match self.terms[..] {
            [(1, term)] if self.constant == 0 => Some(term),
            _ => None,
        }
    }
}

/// A comparison of two sums. It does not hold if a number is missing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Inequality {
    /// The sum on the left.
    pub left: Sum,
    /// The comparison.
    pub comparison: Comparison,
    /// The sum on the right.
    pub right: Sum,
}
