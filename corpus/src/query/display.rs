//! Writing of queries as text that parses to the same tree.

use std::fmt::{self, Display, Formatter};

use tafl_rules::{PieceSet, Role, Shape};

use super::ast::{Expr, MoveArea, MoveTest, PlyTest, Query, Sequence, SetupTest};
use super::game::{ConditionValue, GameCondition};
use super::number::{Comparison, Inequality, Sum, Term};
use super::vocabulary;
use crate::pattern::{Anchor, Colors, Pattern, PatternSymmetries};

/// The precedence of operators, the lowest first.
#[derive(PartialEq, PartialOrd)]
enum Precedence {
    Any,
    Sequence,
    All,
    Part,
}

fn level(expr: &Expr) -> Precedence {
    match expr {
        Expr::Any(_) => Precedence::Any,
        Expr::Then(_) | Expr::Before(_) => Precedence::Sequence,
        Expr::All(_) => Precedence::All,
        Expr::Not(_)
        | Expr::Ever(_)
        | Expr::Never(_)
        | Expr::Count(..)
        | Expr::First(_)
        | Expr::Last(_)
        | Expr::Game(_)
        | Expr::Setup(_)
        | Expr::Ply(_) => Precedence::Part,
    }
}

/// Writes a part, in parentheses if its precedence is lower than `least`.
fn part(f: &mut Formatter<'_>, expr: &Expr, least: Precedence) -> fmt::Result {
    if level(expr) < least { write!(f, "({expr})") } else { write!(f, "{expr}") }
}

/// Writes the query as text that parses to the same query.
impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.expr.fmt(f)
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let joined = |f: &mut Formatter<'_>, parts: &[Expr], word: &str, least: fn() -> Precedence| {
            parts.iter().enumerate().try_for_each(|(at, expr)| {
                f.write_str(if at > 0 { word } else { "" })?;
                part(f, expr, least())
            })
        };
        match self {
            Expr::All(parts) => joined(f, parts, " and ", || Precedence::Part),
            Expr::Any(parts) => joined(f, parts, " or ", || Precedence::Sequence),
            Expr::Not(expr) => {
                f.write_str("not ")?;
                part(f, expr, Precedence::Part)
            }
            Expr::Then(parts) => sequence(f, parts, "then"),
            Expr::Before(parts) => sequence(f, parts, "before"),
            Expr::Ever(expr) => write!(f, "ever({expr})"),
            Expr::Never(expr) => write!(f, "never({expr})"),
            Expr::First(expr) => write!(f, "first({expr})"),
            Expr::Last(expr) => write!(f, "last({expr})"),
            Expr::Count(expr, comparison, number) => write!(f, "count({expr}){}{number}", comparison.sign()),
            Expr::Game(condition) => condition.fmt(f),
            Expr::Setup(test) => test.fmt(f),
            Expr::Ply(test) => test.fmt(f),
        }
    }
}

fn sequence(f: &mut Formatter<'_>, parts: &Sequence, word: &str) -> fmt::Result {
    part(f, &parts.first, Precedence::Sequence)?;
    write!(f, " {word} ")?;
    part(f, &parts.last, Precedence::All)?;
    parts.within.map_or(Ok(()), |within| write!(f, " within {within}"))
}

impl Display for GameCondition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_whole = matches!(self.value, ConditionValue::Whole(_));
        let sign = match self.comparison {
            Comparison::Equal if !is_whole => ":",
            comparison => comparison.sign(),
        };
        write!(f, "{}{sign}", self.field.as_str())?;
        match &self.value {
            ConditionValue::Word(word) => {
                let is_plain = word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '*'));
                if is_plain { write!(f, "{word}") } else { write!(f, "\"{word}\"") }
            }
            ConditionValue::Phrase(text) | ConditionValue::Whole(text) => write!(f, "\"{text}\""),
            ConditionValue::Fuzzy(words, distance) => write!(f, "\"{words}~{distance}\""),
            ConditionValue::Number(number) => write!(f, "{number}"),
            ConditionValue::Date(date) => write!(f, "{date}"),
        }
    }
}

impl Display for SetupTest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            SetupTest::Shape(Shape::Hex { side }) => write!(f, "shape:hex{side}"),
            SetupTest::Shape(shape @ Shape::Square { .. }) => write!(f, "shape:{shape}"),
            SetupTest::Rules(term) => write!(f, "rules:\"{term}\""),
            SetupTest::TwoKings => f.write_str("two_kings"),
        }
    }
}

impl Display for PlyTest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PlyTest::Event(event) => f.write_str(event.as_str()),
            PlyTest::Number(inequality) => inequality.fmt(f),
            PlyTest::King(side, test) => f.write_str(vocabulary::king_word(*side, *test)),
            PlyTest::Threat => f.write_str("threat"),
            PlyTest::ToMove(side) => write!(f, "to_move:{side}"),
            PlyTest::Mover(side) => write!(f, "mover:{side}"),
            PlyTest::Move(test) => test.fmt(f),
            PlyTest::Position { setup, symmetries } => {
                write!(
                    f,
                    "position {}\"{setup}\"",
                    if *symmetries == PatternSymmetries::AsWritten { "as_is " } else { "" }
                )
            }
            PlyTest::Pattern(pattern) => pattern.fmt(f),
        }
    }
}

impl Display for MoveTest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            MoveTest::From(area) => write!(f, "from:{area}"),
            MoveTest::To(area) => write!(f, "to:{area}"),
            MoveTest::Piece(pieces) => write!(f, "piece:{}", pieces_text(*pieces)),
            MoveTest::Took(pieces) => write!(f, "took:{}", pieces_text(*pieces)),
            MoveTest::TookAt(area) => write!(f, "took_at:{area}"),
        }
    }
}

/// Returns the word of a role if the pieces are all pieces of that role, else their letters.
fn pieces_text(pieces: PieceSet) -> String {
    let of = |role: Role| PieceSet::ALL.iter().filter(|piece| piece.role == role).collect::<PieceSet>();
    let role = Role::ALL.into_iter().find(|role| of(*role) == pieces);
    role.map_or_else(|| pieces.to_string(), |role| role.as_str().to_owned())
}

impl Display for MoveArea {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            MoveArea::Cell(coord) => coord.fmt(f),
            MoveArea::Edge => f.write_str("edge"),
            MoveArea::Corner => f.write_str("corner"),
            MoveArea::Throne => f.write_str("throne"),
        }
    }
}

impl Display for Inequality {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_short = |sum: &Sum| sum.terms.len() + usize::from(sum.constant != 0) < 2;
        let blank = if is_short(&self.left) && is_short(&self.right) { "" } else { " " };
        write!(f, "{}{blank}{}{blank}{}", self.left, self.comparison.sign(), self.right)
    }
}

impl Display for Sum {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, (factor, term)) in self.terms.iter().enumerate() {
            f.write_str(match (at, *factor < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            if factor.unsigned_abs() != 1 {
                write!(f, "{}*", factor.unsigned_abs())?;
            }
            term.fmt(f)?;
        }
        match (self.terms.is_empty(), self.constant) {
            (true, constant) => write!(f, "{constant}"),
            (false, 0) => Ok(()),
            (false, constant @ ..0) => write!(f, " - {}", constant.unsigned_abs()),
            (false, constant @ 1..) => write!(f, " + {constant}"),
        }
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Term::Kinds(pieces) => write!(f, "#{pieces}"),
            other => f.write_str(vocabulary::term_word(*other).expect("all but kinds have a word")),
        }
    }
}

impl Display for Anchor {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Anchor::At(coord) => write!(f, "at {coord}"),
            anchor => {
                let word = Anchor::NAMES.into_iter().find(|(known, _)| known == anchor);
                f.write_str(word.expect("all other anchors are words").1)
            }
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("pattern ")?;
        f.write_str(if self.symmetries == PatternSymmetries::AsWritten { "as_is " } else { "" })?;
        f.write_str(if self.colors == Colors::Swapped { "swapped " } else { "" })?;
        if self.anchor != Anchor::Anywhere {
            write!(f, "{} ", self.anchor)?;
        }
        for (at, layer) in self.look_for.iter().enumerate() {
            write!(f, "{}\"{layer}\"", if at > 0 { " or " } else { "" })?;
        }
        self.except.iter().try_for_each(|layer| write!(f, " except \"{layer}\""))
    }
}
