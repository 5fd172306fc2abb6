//! What clauses imply about numbers: a capture takes at least one piece, only a ply captures, and a date has a year.

use tafl_rules::Event;

use super::king_range;
use super::value_range::{Quantity, ValueRange};
use crate::query::ast::{Expr, MoveTest, PlyTest};
use crate::query::game::{FieldKind, GameField};
use crate::query::number::Term;
use crate::query::vocabulary;

/// Returns the ranges that follow from a clause which is not about a number.
pub(super) fn implied(clause: &Expr) -> Vec<ValueRange<'_>> {
    let Expr::Ply(test) = clause else { return Vec::new() };
    let at_least =
        |term: Term, low: i64| ValueRange { quantity: Quantity::Term(term), low, high: i64::MAX, clause };
    match test {
        PlyTest::Event(event) => {
            let mut ranges = vec![at_least(Term::Captured, captured_by(*event)), at_least(Term::Ply, 1)];
            if vocabulary::counted_event(*event) {
                ranges.insert(0, at_least(Term::CapturedBy(*event), 1));
            }
            ranges
        }
        PlyTest::Move(MoveTest::Took(_) | MoveTest::TookAt(_)) => {
            vec![at_least(Term::Captured, 1), at_least(Term::Ply, 1)]
        }
        PlyTest::Move(MoveTest::From(_) | MoveTest::To(_) | MoveTest::Piece(_)) | PlyTest::Mover(_) => {
            vec![at_least(Term::Ply, 1)]
        }
        PlyTest::King(side, test) => {
            let range = king_range(*test, *side);
            let range = range.map(|(term, low, high)| ValueRange {
                quantity: Quantity::Term(term),
                low,
                high,
                clause,
            });
            range.into_iter().collect()
        }
        PlyTest::Number(_)
        | PlyTest::Threat
        | PlyTest::ToMove(_)
        | PlyTest::Position { .. }
        | PlyTest::Pattern(_) => Vec::new(),
    }
}

/// Returns the least number of pieces that a ply with an event captures.
fn captured_by(event: Event) -> i64 {
    match event {
        Event::ManyCaptured => 2,
        Event::Capture
        | Event::Custodial
        | Event::AgainstThrone
        | Event::AgainstCorner
        | Event::AgainstCamp
        | Event::AgainstEdge
        | Event::Shieldwall
        | Event::Linnaean
        | Event::HexCorner
        | Event::Jumped
        | Event::KingCaptured
        | Event::KingSurrounded
        | Event::KingPierced => 1,
        Event::AllCaptured
        | Event::ChainGoesOn
        | Event::KingEscaped
        | Event::ExitFort
        | Event::Encirclement
        | Event::NoLegalMove
        | Event::Repetition
        | Event::KingMoved => 0,
    }
}

impl<'e> ValueRange<'e> {
    /// Returns the ranges of other quantities that follow from this one.
    pub(super) fn consequences(&self) -> Vec<ValueRange<'e>> {
        let of = |term: Term, low: i64, high: i64| ValueRange {
            quantity: Quantity::Term(term),
            low,
            high,
            ..*self
        };
        match self.quantity {
            Quantity::Term(Term::CapturedBy(_)) => {
                let captured = of(Term::Captured, self.low, i64::MAX);
                captured.consequences().into_iter().chain([captured]).collect()
            }
            Quantity::Term(Term::Captured) if self.low > 0 => vec![of(Term::Ply, 1, i64::MAX)],
            Quantity::Field(field) if field.as_str() == "plies" => vec![of(Term::Ply, 0, self.high)],
            Quantity::Field(field) if field.as_str() == "year" => vec![ValueRange {
                quantity: Quantity::Field(GameField::column("date")),
                low: self.low.saturating_mul(10_000),
                high: self.high.saturating_mul(10_000).saturating_add(1231),
                ..*self
            }],
            Quantity::Field(field) if field.kind() == FieldKind::Date => vec![ValueRange {
                quantity: Quantity::Field(GameField::column("year")),
                low: self.low / 10_000,
                high: self.high / 10_000,
                ..*self
            }],
            _ => Vec::new(),
        }
    }
}
