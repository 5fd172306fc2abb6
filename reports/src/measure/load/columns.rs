//! The columns of the table of games that reports need.

use polars::prelude::{DataFrame, Int64Chunked, PolarsResult, StringChunked};
use tafl_rules::{BySide, Side};

use crate::measure::game_start::GameStartKind;
use crate::measure::games::{GameDate, GameFacts, Games, Rating};
use crate::measure::names::NameNumber;
use crate::measure::tables;

/// The names of the columns.
pub(super) const COLUMNS: [&str; 19] = [
    "game",
    "line",
    "variant",
    "rules_id",
    "shape",
    "first",
    "attackers",
    "defenders",
    "attackers_rating",
    "defenders_rating",
    "date",
    "result",
    "reason",
    "reason_source",
    "plies",
    "attackers_captures",
    "defenders_captures",
    "source",
    "copies",
];

/// A column of integers of any width.
pub(super) struct Numbers(Int64Chunked);

impl Numbers {
    fn of(frame: &DataFrame, name: &str) -> PolarsResult<Numbers> {
        tables::integers(frame, name).map(Numbers)
    }

    pub(super) fn get(&self, row: usize) -> Option<i64> {
        self.0.get(row)
    }

    fn small<T: TryFrom<i64>>(&self, row: usize) -> Option<T> {
        self.get(row).and_then(|number| T::try_from(number).ok())
    }
}

/// A column of texts.
pub(super) struct Texts(StringChunked);

impl Texts {
    fn of(frame: &DataFrame, name: &str) -> PolarsResult<Texts> {
        tables::texts(frame, name).map(Texts)
    }

    pub(super) fn get(&self, row: usize) -> Option<&str> {
        self.0.get(row)
    }
}

/// The columns of a table of games.
pub(super) struct GameColumns {
    pub(super) variant: Texts,
    pub(super) shape: Texts,
    first: Texts,
    date: Texts,
    players: BySide<Texts>,
    result: Texts,
    reason: Texts,
    reason_source: Texts,
    source: Texts,
    copies: Texts,
    id: Numbers,
    line: Numbers,
    pub(super) rules_id: Numbers,
    ratings: BySide<Numbers>,
    plies: Numbers,
    captures: BySide<Numbers>,
}

impl GameColumns {
    pub(super) fn of(frame: &DataFrame) -> PolarsResult<GameColumns> {
        let text = |name| Texts::of(frame, name);
        let count = |name| Numbers::of(frame, name);
        Ok(GameColumns {
            variant: text("variant")?,
            shape: text("shape")?,
            first: text("first")?,
            date: text("date")?,
            players: BySide { attackers: text("attackers")?, defenders: text("defenders")? },
            result: text("result")?,
            reason: text("reason")?,
            reason_source: text("reason_source")?,
            source: text("source")?,
            copies: text("copies")?,
            id: count("game")?,
            line: count("line")?,
            rules_id: count("rules_id")?,
            ratings: BySide { attackers: count("attackers_rating")?, defenders: count("defenders_rating")? },
            plies: count("plies")?,
            captures: BySide {
                attackers: count("attackers_captures")?,
                defenders: count("defenders_captures")?,
            },
        })
    }

    /// Returns a game, without the data of its segment and of other games.
    pub(super) fn game(&self, row: usize, games: &mut Games) -> GameFacts {
        let is_second = self.first.get(row) == Some(Side::Defenders.as_str());
        let mut player =
            |side: Side| self.players[side].get(row).map(|name| NameNumber::new(games.players.number(name)));
        let players = BySide { attackers: player(Side::Attackers), defenders: player(Side::Defenders) };
        GameFacts {
            segment: 0,
            row: row as u32,
            id: self.id.get(row).unwrap_or(0),
            line: self.line.get(row).unwrap_or(0),
            variant: 0,
            players,
            ratings: BySide::from_fn(|side| self.ratings[side].small(row).and_then(Rating::new)),
            source: self.source.get(row).map(|name| NameNumber::new(games.sources.number(name))),
            date: self.date.get(row).and_then(GameDate::of),
            number: None,
            result: self.result.get(row).and_then(|name| name.parse().ok()).unwrap_or_default(),
            reason: self.reason.get(row).and_then(|name| name.parse().ok()),
            reason_source: self.reason_source.get(row).and_then(|name| name.parse().ok()),
            first: if is_second { Side::Defenders } else { Side::Attackers },
            plies: self.plies.small(row).unwrap_or(0),
            captures: BySide::from_fn(|side| self.captures[side].small(row).unwrap_or(0)),
            copies: self.copies.get(row).map_or(0, n_copies),
            start: GameStartKind::OfRules,
        }
    }
}

/// Returns the number of duplicates in a JSON list.
fn n_copies(json: &str) -> u16 {
    if json == "[]" {
        return 0;
    }
    let list: Vec<serde_json::Value> = serde_json::from_str(json).unwrap_or_default();
    u16::try_from(list.len()).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::n_copies;

    #[test]
    fn copies_in_files_with_braces_in_their_names_are_counted_once() {
        assert_eq!(n_copies(r#"[{"source":"games{1}.csv","place":3},{"source":"{{.csv"}]"#), 2);
        assert_eq!((n_copies("[]"), n_copies("no list")), (0, 0));
    }
}
