//! Loading of the tables of a corpus into memory.

use std::collections::HashMap;

use polars::prelude::{DataFrame, DataType, Int64Chunked, PolarsResult, StringChunked};
use tafl_corpus::{CancelCheck, CopyNote, Corpus, GameAt, GameId, Result, Segment};
use tafl_rules::{BySide, RuleSet, Setup, Side};

use super::games::{GameDate, GameFacts, Games, PlayedVariant};
use super::table_error::table_error;
use super::tags::record_numbers;

/// The games to load.
#[derive(Debug, Clone, Copy)]
pub enum GamesToLoad<'a> {
    /// All games that were not removed.
    All,
    /// The given games, in the order of the corpus.
    These(&'a [GameAt]),
}

const COLUMNS: [&str; 20] = [
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
    "year",
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

/// Loads games.
///
/// # Errors
///
/// Returns the path of a missing or damaged file.
pub fn load_games(corpus: &Corpus, chosen: GamesToLoad<'_>) -> Result<Games> {
    load_games_until(corpus, chosen, CancelCheck::NEVER)
}

/// Loads games as [`load_games`] does, until the work is canceled.
///
/// # Errors
///
/// Returns the path of a missing or damaged file, or an error if the work was canceled.
pub fn load_games_until(corpus: &Corpus, chosen: GamesToLoad<'_>, cancel: CancelCheck<'_>) -> Result<Games> {
    let mut games = Games::default();
    let mut known = HashMap::new();
    for (number, segment) in corpus.segments().iter().enumerate() {
        cancel.check()?;
        let wanted = wanted(segment, number, chosen);
        if wanted.iter().any(|is_wanted| *is_wanted) {
            let table = segment.games_table();
            let frame = table.read_columns(&COLUMNS)?;
            let starts = Starts::of(segment);
            let read = take_in(&mut games, &mut known, &frame, (number, segment, &starts, &wanted));
            read.map_err(|error| table_error(table.path(), &error))?;
        }
    }
    add_copies(&mut games.rows, &corpus.late_copies()?);
    sort_names(&mut games);
    sort_variants(&mut games);
    if games.rows.iter().any(|game| game.date.is_none()) {
        cancel.check()?;
        let numbers = record_numbers(corpus, &games)?;
        games.rows.iter_mut().zip(numbers).for_each(|(game, number)| game.number = number);
    }
    Ok(games)
}

/// Numbers players and files in alphabetical order, so that sums over them do not depend on the order of the games.
fn sort_names(games: &mut Games) {
    let (players, sources) = (games.players.sort(), games.sources.sort());
    for game in &mut games.rows {
        for player in [&mut game.players.attackers, &mut game.players.defenders].into_iter().flatten() {
            *player = players[*player as usize];
        }
        if let Some(source) = &mut game.source {
            *source = sources[*source as usize];
        }
    }
}

/// Adds the duplicates that are stored apart from the rows until the corpus is compacted.
fn add_copies(rows: &mut [GameFacts], late: &HashMap<GameId, Vec<CopyNote>>) {
    if late.is_empty() {
        return;
    }
    for game in rows {
        if let Some(notes) = late.get(&GameId::from_i64(game.id)) {
            game.copies = game.copies.saturating_add(u16::try_from(notes.len()).unwrap_or(u16::MAX));
        }
    }
}

/// Returns the mask of the selected rows of a segment.
pub(super) fn wanted(segment: &Segment, number: usize, chosen: GamesToLoad<'_>) -> Vec<bool> {
    let mut wanted = match chosen {
        GamesToLoad::All => vec![true; segment.n_games() as usize],
        GamesToLoad::These(games) => {
            let mut wanted = vec![false; segment.n_games() as usize];
            for game in games.iter().filter(|game| game.segment == number) {
                if let Some(is_wanted) = wanted.get_mut(game.row as usize) {
                    *is_wanted = true;
                }
            }
            wanted
        }
    };
    for (row, is_wanted) in (0..).zip(&mut wanted) {
        *is_wanted &= !segment.is_removed(row);
    }
    wanted
}

/// The game setups of a segment that differ from the start of their rules, and the rules strings.
struct Starts {
    rules: Vec<String>,
    is_elsewhere: Vec<bool>,
}

impl Starts {
    fn of(segment: &Segment) -> Starts {
        let arenas = segment.move_log().game_setups();
        let is_elsewhere = arenas.iter().map(|arena| {
            let Ok(rules) = arena.rules.parse::<RuleSet>() else { return true };
            let start = Setup::parse(rules.shape(), &arena.start);
            rules.first_mover != arena.first || start.is_ok_and(|start| start != rules.start)
        });
        Starts {
            is_elsewhere: is_elsewhere.collect(),
            rules: arenas.iter().map(|arena| arena.rules.clone()).collect(),
        }
    }
}

/// A column of integers of any width.
struct Numbers(Int64Chunked);

impl Numbers {
    fn of(frame: &DataFrame, name: &str) -> PolarsResult<Numbers> {
        Ok(Numbers(frame.column(name)?.cast(&DataType::Int64)?.i64()?.rechunk().into_owned()))
    }

    fn get(&self, row: usize) -> Option<i64> {
        self.0.get(row)
    }

    fn small<T: TryFrom<i64>>(&self, row: usize) -> Option<T> {
        self.get(row).and_then(|number| T::try_from(number).ok())
    }
}

struct Texts(StringChunked);

impl Texts {
    fn of(frame: &DataFrame, name: &str) -> PolarsResult<Texts> {
        Ok(Texts(frame.column(name)?.str()?.rechunk().into_owned()))
    }

    fn get(&self, row: usize) -> Option<&str> {
        self.0.get(row)
    }
}

/// The key of a variant: its name, or the id of its rules.
type Known = HashMap<(Option<String>, i64), u32>;

/// The columns of a table of games.
struct Columns {
    variant: Texts,
    shape: Texts,
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
    rules_id: Numbers,
    ratings: BySide<Numbers>,
    year: Numbers,
    plies: Numbers,
    captures: BySide<Numbers>,
}

impl Columns {
    fn of(frame: &DataFrame) -> PolarsResult<Columns> {
        let text = |name| Texts::of(frame, name);
        let count = |name| Numbers::of(frame, name);
        Ok(Columns {
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
            year: count("year")?,
            plies: count("plies")?,
            captures: BySide {
                attackers: count("attackers_captures")?,
                defenders: count("defenders_captures")?,
            },
        })
    }

    /// Returns a game, without the data of its segment and of other games.
    fn game(&self, row: usize, games: &mut Games) -> GameFacts {
        let is_second = self.first.get(row) == Some(Side::Defenders.as_str());
        let mut player = |side: Side| self.players[side].get(row).map(|name| games.players.number(name));
        let players = BySide { attackers: player(Side::Attackers), defenders: player(Side::Defenders) };
        GameFacts {
            segment: 0,
            row: row as u32,
            id: self.id.get(row).unwrap_or(0),
            line: self.line.get(row).unwrap_or(0),
            variant: 0,
            players,
            ratings: BySide::from_fn(|side| self.ratings[side].small(row)),
            source: self.source.get(row).map(|name| games.sources.number(name)),
            year: self.year.small(row),
            date: self.date.get(row).and_then(GameDate::of),
            number: None,
            result: self.result.get(row).and_then(|name| name.parse().ok()).unwrap_or_default(),
            reason: self.reason.get(row).and_then(|name| name.parse().ok()),
            reason_source: self.reason_source.get(row).and_then(|name| name.parse().ok()),
            first: if is_second { Side::Defenders } else { Side::Attackers },
            plies: self.plies.small(row).unwrap_or(0),
            captures: BySide::from_fn(|side| self.captures[side].small(row).unwrap_or(0)),
            copies: self.copies.get(row).map_or(0, n_copies),
            is_from_elsewhere: false,
        }
    }
}

fn take_in(
    games: &mut Games,
    known: &mut Known,
    frame: &DataFrame,
    (number, segment, starts, wanted): (usize, &Segment, &Starts, &[bool]),
) -> PolarsResult<()> {
    let columns = Columns::of(frame)?;
    let mut last: Option<(i64, u32)> = None;
    games.rows.reserve(wanted.iter().filter(|is_wanted| **is_wanted).count());
    for row in (0..frame.height().min(wanted.len())).filter(|row| wanted[*row]) {
        let arena = usize::from(segment.move_log().entry(row as u32).game_setup);
        let rules = columns.rules_id.get(row).unwrap_or(0);
        let name = columns.variant.get(row);
        let same =
            |(id, at): &(i64, u32)| *id == rules && games.variants[*at as usize].name.as_deref() == name;
        let variant = match last.filter(same) {
            Some((_, at)) => at,
            None => *known.entry(key(name, rules)).or_insert_with(|| {
                let text = starts.rules.get(arena).cloned().unwrap_or_default();
                add_variant(games, (name, rules), text, columns.shape.get(row).unwrap_or(""))
            }),
        };
        last = Some((rules, variant));
        let game = columns.game(row, games);
        let is_from_elsewhere = starts.is_elsewhere.get(arena).copied().unwrap_or(false);
        games.rows.push(GameFacts { segment: number as u32, variant, is_from_elsewhere, ..game });
    }
    Ok(())
}

fn add_variant(games: &mut Games, (name, rules_id): (Option<&str>, i64), rules: String, shape: &str) -> u32 {
    let variant = PlayedVariant { name: name.map(str::to_owned), rules, rules_id, shape: shape.to_owned() };
    games.variants.push(variant);
    games.variants.len() as u32 - 1
}

/// Sorts the variants, so that their order and their labels do not depend on the order of the games.
fn sort_variants(games: &mut Games) {
    let mut order: Vec<(u32, PlayedVariant)> = (0..).zip(std::mem::take(&mut games.variants)).collect();
    order.sort_by_cached_key(|(_, variant)| (variant.name.is_none(), variant.name.clone(), variant.rules_id));
    let mut new = vec![0; order.len()];
    for (number, (old, mut variant)) in (0..).zip(order) {
        let is_taken = games.variant(&variant.label()).is_some();
        if let (true, None, Ok(rules)) = (is_taken, &variant.name, variant.rules.parse::<RuleSet>()) {
            // Rules of the same name are told apart by their ID.
            variant.rules = RuleSet { name: None, ..rules }.to_string();
        }
        new[old as usize] = number;
        games.variants.push(variant);
    }
    games.rows.iter_mut().for_each(|game| game.variant = new[game.variant as usize]);
}

fn key(name: Option<&str>, rules: i64) -> (Option<String>, i64) {
    match name {
        Some(name) => (Some(name.to_owned()), 0),
        None => (None, rules),
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
    use tafl_corpus::GameResult;

    use super::*;

    #[test]
    fn copies_in_files_with_braces_in_their_names_are_counted_once() {
        assert_eq!(n_copies(r#"[{"source":"games{1}.csv","place":3},{"source":"{{.csv"}]"#), 2);
        assert_eq!((n_copies("[]"), n_copies("no list")), (0, 0));
    }

    #[test]
    fn late_copies_are_counted_with_their_game() {
        let game = |id, copies| GameFacts {
            segment: 0,
            row: 0,
            id,
            line: 0,
            variant: 0,
            players: BySide::default(),
            ratings: BySide::default(),
            source: None,
            year: None,
            date: None,
            number: None,
            result: GameResult::Unfinished,
            reason: None,
            reason_source: None,
            first: Side::Attackers,
            plies: 0,
            captures: BySide::default(),
            copies,
            is_from_elsewhere: false,
        };
        let note =
            CopyNote { source: None, place: None, format: None, symmetry: 0, plies: None, variant: None };
        let late = HashMap::from([(GameId::from_i64(-5), vec![note.clone(), note])]);
        let mut rows = [game(-5, 1), game(7, 1)];
        add_copies(&mut rows, &late);
        assert_eq!(rows.map(|game| game.copies), [3, 1]);
    }
}
