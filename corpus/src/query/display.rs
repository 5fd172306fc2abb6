//! From the tree of a question to its text, which reads as the same tree.

use std::fmt::{self, Display, Formatter};

use tafl_rules::{PieceSet, Role, Shape};

use super::ast::{Area, ArenaTest, Expr, MoveTest, Query, Sequence, Test};
use super::game::{GameCondition, Value};
use super::number::{Comparison, Inequality, Sum, Term};
use super::words;
use crate::pattern::{Anchor, Colors, Pattern, PatternSymmetries};

/// How tightly parts hold together.
#[derive(PartialEq, PartialOrd)]
enum Level {
    Any,
    Sequence,
    All,
    Part,
}

fn level(expr: &Expr) -> Level {
    match expr {
        Expr::Any(_) => Level::Any,
        Expr::Then(_) | Expr::Before(_) => Level::Sequence,
        Expr::All(_) => Level::All,
        Expr::Not(_)
        | Expr::Ever(_)
        | Expr::Never(_)
        | Expr::Count(..)
        | Expr::First(_)
        | Expr::Last(_)
        | Expr::Game(_)
        | Expr::Arena(_)
        | Expr::Moment(_) => Level::Part,
    }
}

/// Writes a part, in parentheses where it holds together less than `least`.
fn part(f: &mut Formatter<'_>, expr: &Expr, least: Level) -> fmt::Result {
    if level(expr) < least { write!(f, "({expr})") } else { write!(f, "{expr}") }
}

/// Writes the question so that it reads as the same question.
impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.expr.fmt(f)
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let joined = |f: &mut Formatter<'_>, parts: &[Expr], word: &str, least: fn() -> Level| {
            parts.iter().enumerate().try_for_each(|(at, expr)| {
                f.write_str(if at > 0 { word } else { "" })?;
                part(f, expr, least())
            })
        };
        match self {
            Expr::All(parts) => joined(f, parts, " and ", || Level::Part),
            Expr::Any(parts) => joined(f, parts, " or ", || Level::Sequence),
            Expr::Not(expr) => {
                f.write_str("not ")?;
                part(f, expr, Level::Part)
            }
            Expr::Then(parts) => sequence(f, parts, "then"),
            Expr::Before(parts) => sequence(f, parts, "before"),
            Expr::Ever(expr) => write!(f, "ever({expr})"),
            Expr::Never(expr) => write!(f, "never({expr})"),
            Expr::First(expr) => write!(f, "first({expr})"),
            Expr::Last(expr) => write!(f, "last({expr})"),
            Expr::Count(expr, comparison, number) => write!(f, "count({expr}){}{number}", comparison.sign()),
            Expr::Game(condition) => condition.fmt(f),
            Expr::Arena(test) => test.fmt(f),
            Expr::Moment(test) => test.fmt(f),
        }
    }
}

fn sequence(f: &mut Formatter<'_>, parts: &Sequence, word: &str) -> fmt::Result {
    part(f, &parts.first, Level::Sequence)?;
    write!(f, " {word} ")?;
    part(f, &parts.last, Level::All)?;
    parts.within.map_or(Ok(()), |within| write!(f, " within {within}"))
}

impl Display for GameCondition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_whole = matches!(self.value, Value::Whole(_));
        let sign = match self.comparison {
            Comparison::Equal if !is_whole => ":",
            comparison => comparison.sign(),
        };
        write!(f, "{}{sign}", self.field.word())?;
        match &self.value {
            Value::Word(word) => {
                let is_plain = word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '*'));
                if is_plain { write!(f, "{word}") } else { write!(f, "\"{word}\"") }
            }
            Value::Phrase(text) | Value::Whole(text) => write!(f, "\"{text}\""),
            Value::Number(number) => write!(f, "{number}"),
            Value::Date(date) => write!(f, "{date}"),
        }
    }
}

impl Display for ArenaTest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ArenaTest::Shape(Shape::Hex { side }) => write!(f, "shape:hex{side}"),
            ArenaTest::Shape(shape @ Shape::Square { .. }) => write!(f, "shape:{shape}"),
            ArenaTest::Rules(word) => write!(f, "rules:\"{word}\""),
            ArenaTest::TwoKings => f.write_str("two_kings"),
        }
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Test::Event(event) => f.write_str(event.word()),
            Test::Number(inequality) => inequality.fmt(f),
            Test::King(side, test) => f.write_str(words::king_word(*side, *test)),
            Test::Threat => f.write_str("threat"),
            Test::ToMove(side) => write!(f, "to_move:{side}"),
            Test::Mover(side) => write!(f, "mover:{side}"),
            Test::Move(test) => test.fmt(f),
            Test::Position { setup, turns } => {
                write!(
                    f,
                    "position {}\"{setup}\"",
                    if *turns == PatternSymmetries::AsItStands { "as_is " } else { "" }
                )
            }
            Test::Pattern(pattern) => pattern.fmt(f),
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

/// Returns the word of a role where the pieces are all of that role, else their letters.
fn pieces_text(pieces: PieceSet) -> String {
    let of = |role: Role| PieceSet::ALL.iter().filter(|piece| piece.role == role).collect::<PieceSet>();
    let role = Role::ALL.into_iter().find(|role| of(*role) == pieces);
    role.map_or_else(|| pieces.to_string(), |role| role.word().to_owned())
}

impl Display for Area {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Area::Cell(coord) => coord.fmt(f),
            Area::Edge => f.write_str("edge"),
            Area::Corner => f.write_str("corner"),
            Area::Throne => f.write_str("throne"),
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
            other => f.write_str(words::term_word(*other).expect("all but kinds have a word")),
        }
    }
}

impl Display for Anchor {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Anchor::At(coord) => write!(f, "at {coord}"),
            anchor => {
                let word = Anchor::WORDS.into_iter().find(|(known, _)| known == anchor);
                f.write_str(word.expect("all other anchors are words").1)
            }
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("pattern ")?;
        f.write_str(if self.turns == PatternSymmetries::AsItStands { "as_is " } else { "" })?;
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
