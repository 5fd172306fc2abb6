//! Contradictions: parts of a query that no position and no game can meet, found without a corpus.
//!
//! The check knows the ranges of numbers, the values of fields that a game has once, what events imply, and negated conditions
//! that other ones imply. It does not find every contradiction, so a query without contradictions may still have no hits.

mod implied;
mod negation;
mod range;
#[cfg(test)]
mod tests;
mod value_range;

use std::fmt;

use tafl_rules::{Berserk, Event, Reason, RuleSet, catalog};

use super::ast::{Expr, KingTest, PlyTest, Query, SetupTest};
use super::game::{ConditionValue, FieldKind, GameCondition, GameField};
use super::number::{Comparison, Term};
use crate::move_log::GameResult;

/// Two clauses of a query that exclude each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryContradiction {
    /// The clauses, in the order of the query and in canonical form; one clause if it excludes itself.
    pub clauses: Vec<String>,
    /// The reason, as a sentence without a period.
    pub reason: String,
}

/// Writes a sentence without a period.
impl fmt::Display for QueryContradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.clauses[..] {
            [one] => write!(f, "`{one}` can't hold: {}", self.reason),
            [one, other] => write!(f, "`{one}` and `{other}` exclude each other: {}", self.reason),
            clauses => write!(f, "`{}` exclude each other: {}", clauses.join("`, `"), self.reason),
        }
    }
}

impl Query {
    /// Returns the contradictions because of which the query can't match; empty if none is known.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_corpus::Query;
    ///
    /// let query = Query::parse("result:draw won:Sven").unwrap();
    /// let found = query.contradictions();
    /// assert_eq!(found[0].to_string(), "`result:draw` and `won:\"sven\"` exclude each other: a drawn game has no winner");
    /// assert!(Query::parse("result:draw or won:Sven").unwrap().contradictions().is_empty());
    /// ```
    pub fn contradictions(&self) -> Vec<QueryContradiction> {
        let mut found = Vec::new();
        excludes_itself(&self.expr, &[], &mut found);
        found
    }
}

/// Returns whether an expression can't hold in a game for which the conditions of `context` hold, and adds the reasons.
fn excludes_itself<'e>(expr: &'e Expr, context: &[&'e Expr], found: &mut Vec<QueryContradiction>) -> bool {
    match expr {
        Expr::All(parts) => {
            let of_game = parts.iter().filter(|part| part.is_about_games());
            let inner: Vec<&Expr> = context.iter().copied().chain(of_game).collect();
            let all: Vec<&Expr> = context.iter().copied().chain(parts).collect();
            let before = found.len();
            conjunction(&all, found);
            for part in parts.iter().filter(|part| !is_leaf(part)) {
                excludes_itself(part, &inner, found);
            }
            found.len() > before
        }
        Expr::Any(parts) => {
            let mut reasons = Vec::new();
            let is_none = parts.iter().all(|part| excludes_itself(part, context, &mut reasons));
            found.extend(reasons.into_iter().filter(|_| is_none));
            is_none
        }
        Expr::Then(parts) | Expr::Before(parts) => {
            let first = excludes_itself(&parts.first, context, found);
            excludes_itself(&parts.last, context, found) || first
        }
        Expr::Ever(part) | Expr::First(part) | Expr::Last(part) => excludes_itself(part, context, found),
        Expr::Count(part, comparison, number) if !comparison.holds(0, *number) => {
            excludes_itself(part, context, found)
        }
        Expr::Game(_) | Expr::Setup(_) | Expr::Ply(_) => {
            let all: Vec<&Expr> = context.iter().copied().chain([expr]).collect();
            let before = found.len();
            conjunction(&all, found);
            found.len() > before
        }
        Expr::Count(..) | Expr::Never(_) | Expr::Not(_) => false,
    }
}

fn is_leaf(expr: &Expr) -> bool {
    matches!(expr, Expr::Game(_) | Expr::Setup(_) | Expr::Ply(_))
}

/// Adds the contradictions between parts that hold at the same position of a game.
fn conjunction(parts: &[&Expr], found: &mut Vec<QueryContradiction>) {
    range::check(parts, found);
    for (at, one) in parts.iter().enumerate() {
        for other in &parts[at + 1..] {
            let either =
                |pair: fn(&Expr, &Expr) -> Option<String>| pair(one, other).or_else(|| pair(other, one));
            let reason = either(pair).or_else(|| either(negation::pair));
            if let Some(reason) = reason {
                add(found, vec![one.to_string(), other.to_string()], reason);
            }
        }
    }
}

/// Adds a contradiction, unless the same clauses are there already.
fn add(found: &mut Vec<QueryContradiction>, clauses: Vec<String>, reason: String) {
    if found.iter().all(|known| known.clauses != clauses) {
        found.push(QueryContradiction { clauses, reason });
    }
}

/// Returns the reason why two parts exclude each other; the order of the parts matters.
fn pair(one: &Expr, other: &Expr) -> Option<String> {
    match (one, other) {
        (Expr::Ply(PlyTest::ToMove(one)), Expr::Ply(PlyTest::ToMove(other)))
        | (Expr::Ply(PlyTest::Mover(one)), Expr::Ply(PlyTest::Mover(other))) => {
            (one != other).then(|| "only one side moves".to_owned())
        }
        (Expr::Ply(PlyTest::Event(one)), Expr::Ply(PlyTest::Event(other))) => {
            (one != other && ends_game(*one) && ends_game(*other))
                .then(|| "a ply ends the game for one reason".to_owned())
        }
        (Expr::Ply(PlyTest::Event(event)), Expr::Ply(test)) => captured_king(*event, test),
        (Expr::Game(one), Expr::Game(other)) => games(one, other),
        (Expr::Game(variant), other) => {
            let (name, rules) = variant_of(variant)?;
            unsuitable(&name, &rules, other)
        }
        _ => None,
    }
}

fn ends_game(event: Event) -> bool {
    matches!(
        event,
        Event::KingEscaped | Event::ExitFort | Event::Encirclement | Event::NoLegalMove | Event::AllCaptured
    )
}

/// Returns the reason why a king that a ply captured can't be tested after it.
fn captured_king(event: Event, test: &PlyTest) -> Option<String> {
    let is_capture = matches!(event, Event::KingCaptured | Event::KingSurrounded | Event::KingPierced);
    let needs_king = match test {
        PlyTest::King(_, _) => true,
        PlyTest::Number(inequality) => {
            let terms = inequality.left.terms.iter().chain(&inequality.right.terms);
            { terms }.any(|(_, term)| {
                matches!(
                    term,
                    Term::KingDistance(_) | Term::KingLines(_) | Term::KingFile(_) | Term::KingRank(_)
                )
            })
        }
        _ => false,
    };
    let clause = Expr::Ply(test.clone());
    (is_capture && needs_king).then(|| {
        format!(
            "in games with one king, the captured king is not on the board anymore; `{clause} before {} within 1` tests it \
            before the capture",
            event.as_str()
        )
    })
}

/// Returns the reason why two conditions exclude each other in a game.
fn games(one: &GameCondition, other: &GameCondition) -> Option<String> {
    let (word, other_word) = (word_of(one), word_of(other));
    if let (Some(word), Some(other_word)) = (word, other_word) {
        let is_same_field = one.field == other.field;
        if is_same_field && other.value.is_word(word) != one.value.is_word(other_word) {
            // One of them is a prefix of the other.
            return None;
        }
        if is_same_field && !other.value.is_word(word) {
            return Some(format!("a game has one {}", one.field.as_str().replace('_', " ")));
        }
    }
    let result = word.filter(|_| one.field.as_str() == "result");
    let has_no_winner = match result {
        Some(result) if result == GameResult::Draw.as_str() => "a drawn game has no winner",
        Some(result) if result == GameResult::Unfinished.as_str() => "an unfinished game has no winner",
        _ => return None,
    };
    let is_won =
        other.comparison == Comparison::Equal && matches!(other.field, GameField::Won | GameField::Lost);
    let wins = |word: &str| {
        let decisive = [
            Reason::KingCaptured,
            Reason::KingReachedGoal,
            Reason::ExitFort,
            Reason::Encirclement,
            Reason::AllCaptured,
            Reason::Resignation,
        ];
        other.field.as_str() == "reason" && decisive.iter().any(|reason| reason.as_str() == word)
    };
    (is_won || other_word.is_some_and(wins)).then(|| has_no_winner.to_owned())
}

/// Returns the word that a field must have, if the condition is for one word.
fn word_of(condition: &GameCondition) -> Option<&str> {
    match (&condition.value, condition.comparison, condition.field.kind()) {
        (ConditionValue::Word(word), Comparison::Equal, FieldKind::Word) => Some(word),
        _ => None,
    }
}

/// Returns the variant that a condition names, with its rules.
fn variant_of(condition: &GameCondition) -> Option<(String, RuleSet)> {
    let word = word_of(condition).filter(|_| condition.field.as_str() == "variant")?;
    Some((word.to_owned(), catalog::find(word)?.rules()))
}

/// Returns the reason why a condition can't hold in a game of a variant.
fn unsuitable(name: &str, rules: &RuleSet, other: &Expr) -> Option<String> {
    let lacks = match other {
        Expr::Setup(SetupTest::Shape(shape)) if *shape != rules.shape() => {
            return Some(format!("the board of {name} is {}", rules.shape()));
        }
        Expr::Ply(PlyTest::Event(event)) => lacking(*event, rules)?,
        Expr::Ply(PlyTest::Number(inequality)) => {
            let counted = range::lower_bounds(inequality);
            let counted = counted.into_iter().filter(|(_, low)| *low > 0);
            { counted }.find_map(|(term, _)| match term {
                Term::CapturedBy(event) => lacking(event, rules),
                _ => None,
            })?
        }
        _ => return None,
    };
    Some(format!("the rules of {name} have no {lacks}"))
}

/// Returns what the rules lack for an event.
fn lacking(event: Event, rules: &RuleSet) -> Option<&'static str> {
    let (is_there, name) = match event {
        Event::Shieldwall => (rules.shieldwall.is_some(), "shieldwalls"),
        Event::Linnaean => (rules.linnaean, "Linnaean captures"),
        Event::HexCorner => (rules.hex_corner_capture, "captures on corners of hexagonal boards"),
        Event::AgainstEdge => (!rules.edge_hostile.is_empty(), "hostile edge"),
        Event::ExitFort => (rules.exit_fort, "exit forts"),
        Event::ChainGoesOn => (rules.berserk != Berserk::None, "chains of moves"),
        Event::KingPierced => (!rules.piercing.is_empty(), "capture of the king between commanders"),
        _ => return None,
    };
    (!is_there).then_some(name)
}

/// Returns the numbers that a test of a king implies, with their least and greatest values.
fn king_range(test: KingTest, side: tafl_rules::Side) -> Option<(Term, i64, i64)> {
    match test {
        KingTest::CanEscape => Some((Term::KingDistance(side), 1, 1)),
        KingTest::OpenLine => Some((Term::KingLines(side), 1, i64::MAX)),
        KingTest::Danger | KingTest::Cordon | KingTest::OnEdge | KingTest::OnThrone | KingTest::OnCorner => {
            None
        }
    }
}
