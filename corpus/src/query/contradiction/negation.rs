//! Negated conditions that another clause implies: `rating>=2000` leaves nothing of `not rating>=1000`.

use super::range;
use crate::query::ast::{Expr, PlyTest};
use crate::query::game::{ConditionValue, FieldKind, GameCondition, GameField};
use crate::query::number::Comparison;

/// Returns the reason why a clause and a negated one exclude each other.
pub(super) fn pair(clause: &Expr, negated: &Expr) -> Option<String> {
    let denied = match negated {
        Expr::Not(inner) => (**inner).clone(),
        // Texts and words are different if they are not equal; one of several numbers may be both.
        Expr::Game(condition) if condition.comparison == Comparison::Different && is_text(condition) => {
            Expr::Game(GameCondition { comparison: Comparison::Equal, ..condition.clone() })
        }
        _ => return None,
    };
    if denied == *clause {
        return Some("one is the negation of the other".to_owned());
    }
    implies(clause, &denied).then(|| format!("`{clause}` implies `{denied}`"))
}

/// Returns whether a condition surely holds where another one does.
fn implies(clause: &Expr, other: &Expr) -> bool {
    match (clause, other) {
        (Expr::Game(one), Expr::Game(other)) if is_text(one) && is_text(other) => implies_text(one, other),
        (Expr::Game(one), Expr::Game(other)) if is_rating(one) && is_rating(other) => {
            implies_rating(one, other)
        }
        (Expr::Game(_) | Expr::Ply(_), Expr::Game(GameCondition { comparison, .. })) => {
            *comparison != Comparison::Different && range::is_within(clause, other)
        }
        (Expr::Ply(_), Expr::Ply(PlyTest::Number(inequality))) => {
            inequality.comparison != Comparison::Different && range::is_within(clause, other)
        }
        _ => false,
    }
}

fn is_text(condition: &GameCondition) -> bool {
    matches!(condition.field.kind(), FieldKind::Text | FieldKind::Word)
}

/// Returns whether a text or a word that a game has implies another one.
fn implies_text(one: &GameCondition, other: &GameCondition) -> bool {
    if (one.comparison, other.comparison) != (Comparison::Equal, Comparison::Equal) {
        return false;
    }
    // Any text in the columns of the other field counts, but not that of a winner or loser, who may be on either side.
    let columns = other.field.columns();
    let is_wider = !matches!(other.field, GameField::Won | GameField::Lost)
        && one.field.columns().iter().all(|column| columns.contains(column));
    (one.field == other.field || is_wider) && implies_value(&one.value, &other.value)
}

/// Returns whether every text with a value has another one: a text with two words has each of them.
fn implies_value(one: &ConditionValue, other: &ConditionValue) -> bool {
    match (one, other) {
        _ if one == other => true,
        (ConditionValue::Word(word), ConditionValue::Word(_)) => !word.ends_with('*') && other.is_word(word),
        (ConditionValue::Phrase(_), ConditionValue::Whole(_)) => false,
        (ConditionValue::Phrase(text), _) => !text.ends_with('*') && other.is_in(text),
        (ConditionValue::Whole(text), _) => other.is_in(text),
        _ => false,
    }
}

fn is_rating(condition: &GameCondition) -> bool {
    condition.field.columns().iter().all(|column| GameField::Rating.columns().contains(column))
}

/// Returns whether a condition on the rating of a player, of some player, or of both implies another one.
fn implies_rating(one: &GameCondition, other: &GameCondition) -> bool {
    let is_of_more_players = one.field == other.field
        || one.field == GameField::BothRatings
        || other.field == GameField::Rating && one.field != GameField::Rating;
    let (Some(own), Some(allowed)) = (range::numbers(one), range::numbers(other)) else { return false };
    is_of_more_players
        && other.comparison != Comparison::Different
        && allowed.contains(own.start())
        && allowed.contains(own.end())
}
