//! Loading of the tables of a corpus into memory.

mod columns;

use std::collections::HashMap;

use polars::prelude::{DataFrame, PolarsResult};
use rayon::prelude::*;
use tafl_corpus::{CancelCheck, CopyNote, Corpus, GameAt, GameId, MoveLog, Result, Segment};
use tafl_rules::{BySide, RuleSet, Setup};

use self::columns::{COLUMNS, GameColumns};
use super::game_start::GameStartKind;
use super::games::{GameFacts, Games, PlayedVariant};
use super::names::NameNumber;
use super::tables::table_error;
use super::tags::record_numbers;

/// The games to load.
#[derive(Debug, Clone, Copy)]
pub enum GamesToLoad<'a> {
    /// All games that were not removed.
    All,
    /// The given games, in the order of the corpus.
    These(&'a [GameAt]),
}

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
            let setups = SegmentSetups::of(segment, number as u32)?;
            let read = take_in(&mut games, &mut known, &frame, &setups, &wanted);
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
            *player = renumbered(*player, &players);
        }
        if let Some(source) = &mut game.source {
            *source = renumbered(*source, &sources);
        }
    }
}

/// Returns the new index of a name.
fn renumbered(name: NameNumber, new: &[u32]) -> NameNumber {
    NameNumber::new(new[name.get() as usize])
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

/// The game setups of a segment.
struct SegmentSetups<'s> {
    /// The number of the segment in the corpus.
    segment: u32,
    move_log: &'s MoveLog,
    /// How each differs from the start of its rules.
    starts: Vec<GameStartKind>,
}

impl SegmentSetups<'_> {
    fn of(segment: &Segment, number: u32) -> Result<SegmentSetups<'_>> {
        let move_log = segment.move_log()?;
        let starts = move_log.game_setups().iter().map(|setup| {
            let Ok(rules) = setup.rules.parse::<RuleSet>() else { return GameStartKind::UnknownRules };
            let start = Setup::parse(rules.shape(), &setup.start);
            if start.is_ok_and(|start| start != rules.start) {
                GameStartKind::OtherPosition
            } else if rules.first_mover != setup.first {
                GameStartKind::OtherFirstMover
            } else {
                GameStartKind::OfRules
            }
        });
        Ok(SegmentSetups { segment: number, starts: starts.collect(), move_log })
    }

    /// Returns the number of the setup of a game.
    fn of_game(&self, row: usize) -> usize {
        usize::from(self.move_log.entry(row as u32).game_setup)
    }

    /// Returns the rules string of a setup.
    fn rules(&self, number: usize) -> String {
        self.move_log.game_setups().get(number).map_or_else(String::new, |setup| setup.rules.clone())
    }
}

/// The index of each variant, by its name, or by the id of its rules.
type VariantNumbers = HashMap<(Option<String>, i64), u32>;

/// The rows that a thread reads at a time: enough that merging their names takes no time in comparison. The tables of
/// tests are small.
const ROWS_OF_PART: usize = if cfg!(test) { 3 } else { 1 << 16 };

/// Adds the wanted games of a table, which several threads read in parts.
fn take_in(
    games: &mut Games,
    known: &mut VariantNumbers,
    frame: &DataFrame,
    setups: &SegmentSetups<'_>,
    wanted: &[bool],
) -> PolarsResult<()> {
    let columns = GameColumns::of(frame)?;
    let n = frame.height().min(wanted.len());
    games.rows.reserve(wanted[..n].iter().filter(|is_wanted| **is_wanted).count());
    let read = |first: &usize| {
        let rows = (*first..n.min(first + ROWS_OF_PART)).filter(|row| wanted[*row]);
        part(&columns, rows, setups)
    };
    let firsts: Vec<usize> = (0..n).step_by(ROWS_OF_PART).collect();
    // A part per thread at a time, because parts take memory until they are added.
    for firsts in firsts.chunks(rayon::current_num_threads().max(1)) {
        let parts: Vec<Games> = firsts.par_iter().with_max_len(1).map(read).collect();
        parts.into_iter().for_each(|part| append(games, known, part));
    }
    Ok(())
}

/// Returns some games of a table, with separate indices of names and variants.
fn part(columns: &GameColumns, rows: impl Iterator<Item = usize>, setups: &SegmentSetups<'_>) -> Games {
    let (mut games, mut known) = (Games::default(), VariantNumbers::new());
    let mut last: Option<(i64, u32)> = None;
    for row in rows {
        let setup = setups.of_game(row);
        let rules = columns.rules_id.get(row).unwrap_or(0);
        let name = columns.variant.get(row);
        let same =
            |(id, at): &(i64, u32)| *id == rules && games.variants[*at as usize].name.as_deref() == name;
        let variant = match last.filter(same) {
            Some((_, at)) => at,
            None => *known.entry(key(name, rules)).or_insert_with(|| {
                let text = setups.rules(setup);
                let shape = columns.shape.get(row).unwrap_or("").to_owned();
                let name = name.map(str::to_owned);
                add_variant(&mut games, PlayedVariant { name, rules: text, rules_id: rules, shape })
            }),
        };
        last = Some((rules, variant));
        let game = columns.game(row, &mut games);
        let start = setups.starts.get(setup).copied().unwrap_or_default();
        games.rows.push(GameFacts { segment: setups.segment, variant, start, ..game });
    }
    games
}

/// Appends the games of a part.
fn append(games: &mut Games, known: &mut VariantNumbers, part: Games) {
    let players = games.players.add(&part.players);
    let sources = games.sources.add(&part.sources);
    let variant = |variant: PlayedVariant| {
        let key = key(variant.name.as_deref(), variant.rules_id);
        *known.entry(key).or_insert_with(|| add_variant(games, variant))
    };
    let variants: Vec<u32> = part.variants.into_iter().map(variant).collect();
    let in_all = |game: GameFacts| GameFacts {
        players: BySide::from_fn(|side| game.players[side].map(|player| renumbered(player, &players))),
        source: game.source.map(|source| renumbered(source, &sources)),
        variant: variants[game.variant as usize],
        ..game
    };
    games.rows.extend(part.rows.into_iter().map(in_all));
}

fn add_variant(games: &mut Games, variant: PlayedVariant) -> u32 {
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

/// Returns the key of a variant in [`VariantNumbers`].
fn key(name: Option<&str>, rules: i64) -> (Option<String>, i64) {
    match name {
        Some(name) => (Some(name.to_owned()), 0),
        None => (None, rules),
    }
}

#[cfg(test)]
mod tests {
    use tafl_corpus::GameResult;
    use tafl_rules::Side;

    use super::*;

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
            date: None,
            number: None,
            result: GameResult::Unfinished,
            reason: None,
            reason_source: None,
            first: Side::Attackers,
            plies: 0,
            captures: BySide::default(),
            copies,
            start: GameStartKind::OfRules,
        };
        let note =
            CopyNote { source: None, place: None, format: None, symmetry: 0, plies: None, variant: None };
        let late = HashMap::from([(GameId::from_i64(-5), vec![note.clone(), note])]);
        let mut rows = [game(-5, 1), game(7, 1)];
        add_copies(&mut rows, &late);
        assert_eq!(rows.map(|game| game.copies), [3, 1]);
    }
}
