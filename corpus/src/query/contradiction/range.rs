//! Ranges of numbers: the least and the greatest value that clauses allow.

use std::ops::RangeInclusive;

use super::implied::implied;
use super::value_range::{Quantity, ValueRange};
use super::{QueryContradiction, add};
use crate::query::ast::{Expr, PlyTest};
use crate::query::game::{ConditionValue, Date, FieldKind, GameCondition, GameField};
use crate::query::number::{Comparison, Inequality, Sum, Term};
use crate::query::vocabulary;

/// Adds the pairs of clauses that leave no value of a quantity.
pub(super) fn check(parts: &[&Expr], found: &mut Vec<QueryContradiction>) {
    let mut ranges: Vec<ValueRange<'_>> = Vec::new();
    for part in parts {
        for range in stated(part).into_iter().chain(implied(part)) {
            ranges.push(range);
            ranges.extend(range.consequences());
        }
    }
    let mut quantities: Vec<Quantity> = Vec::new();
    for range in &ranges {
        if !quantities.contains(&range.quantity) {
            quantities.push(range.quantity);
        }
    }
    for quantity in quantities {
        let of_it = || ranges.iter().filter(|range| range.quantity == quantity);
        let (Some(low), Some(high)) =
            (of_it().rev().max_by_key(|range| range.low), of_it().min_by_key(|range| range.high))
        else {
            continue;
        };
        // The same clauses exclude each other in what follows from them, too: the first quantity is the one that is stated.
        if low.low > high.high {
            let place = |clause: &Expr| parts.iter().position(|part| std::ptr::eq(*part, clause));
            let mut clauses = vec![low.clause, high.clause];
            clauses.sort_by_key(|clause| place(clause));
            clauses.dedup_by(|one, other| std::ptr::eq(*one, *other));
            let reason = match quantity {
                Quantity::Field(field) if field.kind() == FieldKind::Date => "no day meets both".to_owned(),
                _ => {
                    format!("`{}` can't be at least {} and at most {}", quantity.as_str(), low.low, high.high)
                }
            };
            add(found, clauses.iter().map(ToString::to_string).collect(), reason);
        }
    }
}

/// Returns whether every value that `clause` allows for the quantity of `other` also satisfies `other`, which must be a comparison
/// other than `!=`.
pub(super) fn is_within(clause: &Expr, other: &Expr) -> bool {
    let [allowed] = stated(other)[..] else { return false };
    let max = match allowed.quantity {
        Quantity::Term(term) => *vocabulary::bounds(term).end(),
        Quantity::Field(_) => i64::MAX,
    };
    let is_allowed = |own: &ValueRange<'_>| allowed.low <= own.low && own.high.min(max) <= allowed.high;
    let of_clause = stated(clause).into_iter().chain(implied(clause));
    of_clause
        .flat_map(|range| range.consequences().into_iter().chain([range]))
        .any(|own| own.quantity == allowed.quantity && is_allowed(&own))
}

/// Returns the ranges that a clause states.
fn stated(clause: &Expr) -> Vec<ValueRange<'_>> {
    match clause {
        Expr::Ply(PlyTest::Number(inequality)) => {
            let Some((term, comparison, number)) = term_bound(inequality) else { return Vec::new() };
            let (low, high) = limits(comparison, number, &vocabulary::bounds(term)).into_inner();
            vec![ValueRange { quantity: Quantity::Term(term), low, high, clause }]
        }
        Expr::Game(condition) => of_game(condition, clause).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Returns the least values of terms that an inequality states.
pub(super) fn lower_bounds(inequality: &Inequality) -> Option<(Term, i64)> {
    let (term, comparison, number) = term_bound(inequality)?;
    Some((term, *limits(comparison, number, &vocabulary::bounds(term)).start()))
}

/// Returns a term, the comparison, and the constant with which it is compared; `None` for other inequalities.
fn term_bound(inequality: &Inequality) -> Option<(Term, Comparison, i64)> {
    let constant = |sum: &Sum| sum.terms.is_empty().then_some(i64::from(sum.constant));
    let Inequality { left, comparison, right } = inequality;
    if let (Some(term), Some(number)) = (left.as_term(), constant(right)) {
        return Some((term, *comparison, number));
    }
    let turned = match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::Greater => Comparison::Less,
        Comparison::Equal | Comparison::Different => *comparison,
    };
    Some((right.as_term()?, turned, constant(left)?))
}

/// Returns the values within bounds that a comparison allows.
fn limits(comparison: Comparison, number: i64, bounds: &RangeInclusive<i64>) -> RangeInclusive<i64> {
    let (min, max) = (*bounds.start(), *bounds.end());
    match comparison {
        Comparison::Less => min..=number - 1,
        Comparison::AtMost => min..=number,
        Comparison::Equal => number..=number,
        Comparison::Different if number == min => min + 1..=max,
        Comparison::Different => min..=max,
        Comparison::AtLeast => number..=max,
        Comparison::Greater => number + 1..=max,
    }
}

fn of_game<'e>(condition: &GameCondition, clause: &'e Expr) -> Option<ValueRange<'e>> {
    // The combined fields are about one of several numbers.
    let GameField::Column(_) = condition.field else { return None };
    let allowed = match (condition.field.kind(), &condition.value) {
        (FieldKind::Date, ConditionValue::Date(date)) => days(condition.comparison, *date)?,
        _ => numbers(condition)?,
    };
    let (low, high) = allowed.into_inner();
    Some(ValueRange { quantity: Quantity::Field(condition.field), low, high, clause })
}

/// Returns the numbers that a condition allows; with `!=`, all of them.
pub(super) fn numbers(condition: &GameCondition) -> Option<RangeInclusive<i64>> {
    let ConditionValue::Number(number) = condition.value else { return None };
    Some(limits(condition.comparison, number, &(condition.field.min_number()..=i64::MAX)))
}

/// Returns the days that a comparison allows, as numbers such as 20190317.
fn days(comparison: Comparison, date: Date) -> Option<RangeInclusive<i64>> {
    let [first, last] = date.day_numbers();
    Some(match comparison {
        Comparison::Less => 0..=first - 1,
        Comparison::AtMost => 0..=last,
        Comparison::Equal => first..=last,
        Comparison::Different => return None,
        Comparison::AtLeast => first..=i64::MAX,
        Comparison::Greater => last + 1..=i64::MAX,
    })
}
