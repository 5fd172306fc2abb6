//! Facts of games as columns of a lazy frame, for counts by group.
//!
//! Counts that need a hash table in a loop are queries on such a frame. Loops over rows remain where each
//! game is added to an array in a single pass ([`GameTally::of`]), and where games are input of a model.

use std::collections::HashMap;

use polars::frame::DataFrame;
use polars::prelude::{Column, DataType, Expr, IntoLazy, LazyFrame, UnionArgs, col, concat, len, lit};
use tafl_corpus::{GameResult, ReasonSource};
use tafl_rules::{BySide, Reason, Side};

use super::games::GameFacts;
use super::names::NameNumber;
use super::tally::{Ending, GameTally};

/// A column of the frame. Names, results, reasons, and their sources are numbers there; unknown values are null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameColumn {
    Line,
    Attackers,
    Defenders,
    Source,
    Year,
    Result,
    Reason,
    ReasonSource,
    Plies,
}

impl FrameColumn {
    fn name(self) -> &'static str {
        match self {
            FrameColumn::Line => "line",
            FrameColumn::Attackers => "attackers",
            FrameColumn::Defenders => "defenders",
            FrameColumn::Source => "source",
            FrameColumn::Year => "year",
            FrameColumn::Result => "result",
            FrameColumn::Reason => "reason",
            FrameColumn::ReasonSource => "reason_source",
            FrameColumn::Plies => "plies",
        }
    }

    /// Returns the column as an expression.
    pub(super) fn col(self) -> Expr {
        col(self.name())
    }

    fn column(self, games: &[GameFacts]) -> Column {
        let numbers = |fact: fn(&GameFacts) -> Option<u32>| -> Column {
            Column::new(self.name().into(), games.iter().map(fact).collect::<Vec<Option<u32>>>())
        };
        match self {
            FrameColumn::Line => {
                Column::new(self.name().into(), games.iter().map(|game| game.line).collect::<Vec<i64>>())
            }
            FrameColumn::Attackers => numbers(|game| game.player(Side::Attackers)),
            FrameColumn::Defenders => numbers(|game| game.player(Side::Defenders)),
            FrameColumn::Source => numbers(|game| game.source.map(NameNumber::get)),
            FrameColumn::Year => {
                let years: Vec<Option<i32>> = games.iter().map(|game| game.year().map(i32::from)).collect();
                Column::new(self.name().into(), years)
            }
            FrameColumn::Result => numbers(|game| Some(game.result as u32)),
            FrameColumn::Reason => numbers(|game| game.reason.map(|reason| reason as u32)),
            FrameColumn::ReasonSource => numbers(|game| game.reason_source.map(|source| source as u32)),
            FrameColumn::Plies => numbers(|game| Some(game.plies)),
        }
    }
}

/// Returns some facts of games as a lazy frame.
pub(super) fn facts(games: &[GameFacts], facts: &[FrameColumn]) -> LazyFrame {
    let columns = facts.iter().map(|fact| fact.column(games)).collect();
    DataFrame::new(games.len(), columns).expect("the columns have a row for each game").lazy()
}

/// Returns the result of a query on [`facts`].
pub(super) fn answer(query: LazyFrame) -> DataFrame {
    query.collect().expect("the query uses columns that the frame has")
}

/// Returns the integers of a column.
pub(super) fn numbers(frame: &DataFrame, name: &str) -> Vec<Option<i64>> {
    let column = frame.column(name).and_then(|column| column.cast(&DataType::Int64));
    let column = column.expect("the answer has the column that was asked for");
    column.i64().expect("the column was cast").iter().collect()
}

/// Returns the counts of a column.
pub(super) fn counts(frame: &DataFrame, name: &str) -> Vec<u64> {
    numbers(frame, name).into_iter().map(|number| number.map_or(0, i64::cast_unsigned)).collect()
}

/// Returns a column of indices, such as those of players or files.
pub(super) fn keys(frame: &DataFrame, name: &str) -> Vec<Option<u32>> {
    numbers(frame, name)
        .into_iter()
        .map(|number| number.and_then(|number| u32::try_from(number).ok()))
        .collect()
}

/// Returns the results of a column; an invalid number is treated as an unfinished game.
pub(super) fn results(frame: &DataFrame, name: &str) -> Vec<GameResult> {
    let result = |number: Option<u32>| {
        let at = number.and_then(|number| usize::try_from(number).ok());
        at.and_then(|at| GameResult::ALL.get(at)).copied().unwrap_or_default()
    };
    keys(frame, name).into_iter().map(result).collect()
}

/// Returns the results of the games of each group.
pub(super) fn tallies(games: &[GameFacts], by: FrameColumn) -> HashMap<Option<u32>, GameTally> {
    let columns = [by, FrameColumn::Result, FrameColumn::Reason, FrameColumn::ReasonSource];
    let group = columns.map(FrameColumn::col);
    let found = answer(facts(games, &columns).group_by(group).agg([len().alias("n")]));
    let reasons = keys(&found, FrameColumn::Reason.name());
    let sources = keys(&found, FrameColumn::ReasonSource.name());
    let rows = keys(&found, by.name()).into_iter().zip(results(&found, FrameColumn::Result.name()));
    let mut tallies: HashMap<Option<u32>, GameTally> = HashMap::new();
    for (((key, result), (reason, source)), n) in
        rows.zip(reasons.into_iter().zip(sources)).zip(counts(&found, "n"))
    {
        let reason = reason.and_then(|reason| Reason::ALL.get(reason as usize)).copied();
        let source = source.and_then(|source| ReasonSource::ALL.get(source as usize)).copied();
        tallies.entry(key).or_default().add(Ending::new(result, reason, source), n);
    }
    tallies
}

/// Returns each game between two named players twice, once for each of them: `player`, `opponent`, `side` (0
/// for attackers), and the other requested facts.
pub(super) fn game_sides(games: &[GameFacts], others: &[FrameColumn]) -> LazyFrame {
    let mut all = vec![FrameColumn::Attackers, FrameColumn::Defenders];
    all.extend(others);
    let (attackers, defenders) = (FrameColumn::Attackers.col(), FrameColumn::Defenders.col());
    // Games of a player against himself, and those with a null, are dropped.
    let named = facts(games, &all).filter(attackers.clone().neq(defenders.clone()));
    let views =
        BySide { attackers: [attackers.clone(), defenders.clone()], defenders: [defenders, attackers] };
    let game_side = |side: Side| {
        let [player, opponent] = views[side].clone();
        let mut columns =
            vec![player.alias("player"), opponent.alias("opponent"), lit(side as u32).alias("side")];
        columns.extend(others.iter().map(|fact| fact.col()));
        named.clone().select(columns)
    };
    concat(Side::ALL.map(game_side), UnionArgs::default()).expect("both views have the same columns")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::tests::game;

    #[test]
    fn tallies_by_group_equal_those_of_a_loop() {
        let games: Vec<GameFacts> = (0..200)
            .map(|at| GameFacts {
                source: (at % 7 > 0).then_some(NameNumber::new(at % 7)),
                reason_source: ReasonSource::ALL.get(at as usize / 4 % 4).copied(),
                ..game(None, GameResult::ALL[at as usize % 4], at)
            })
            .collect();
        let found = tallies(&games, FrameColumn::Source);
        for source in [None, Some(1), Some(6)] {
            let own = games.iter().filter(|game| game.source.map(NameNumber::get) == source);
            assert_eq!(found[&source], GameTally::of(own));
        }
        assert!(tallies(&[], FrameColumn::Source).is_empty());
    }
}
