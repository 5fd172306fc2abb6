//! Data quality: defects of a corpus.

use std::collections::{BTreeMap, HashMap};

use polars::prelude::{col, len, lit};
use tafl_corpus::{Corpus, GameId, GameResult, Result, file_name, is_impossible_day};

use super::frame::{self, FrameColumn};
use super::game_start::OtherStarts;
use super::games::{GameFacts, Games};
use super::tables::{self, table_error};
use super::tags::record_tags;
use crate::stats::Rate;

/// The defects of a corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct HealthFindings {
    /// The number of stored games.
    pub games: u64,
    /// The number of records that could not be stored. Records with the same notation and text count once, also if several
    /// imports rejected them.
    pub rejected: u64,
    /// The reasons by code, most frequent first; a record can have several.
    pub causes: Vec<HealthCause>,
    /// The number of rejected records in each file, largest first; a record of several files counts for the first one.
    pub rejected_by_source: Vec<(String, u64)>,
    /// The diagnostics of stored games by code, most frequent first; a game can have several.
    pub explained: Vec<HealthCause>,
    /// The number of stored games with diagnostics: faults, or only notes.
    pub with_diagnostics: u64,
    /// The number of stored games with faults: errors, warnings, or reconstructed steps, all of which are explained.
    pub with_faults: u64,
    /// The number of records that are copies of stored games, and were not stored.
    pub copies: u64,
    /// The number of stored games that are marked as copies or possible copies of others.
    pub possible_copies: u64,
    /// The number of games with the same moves as another stored one, marked or not; of each line of play all but one.
    pub repeated: u64,
    /// The most frequently repeated lines of play with their numbers; at most ten, with at least ten plies
    /// each.
    pub most_repeated: Vec<(RecordLocation, u64)>,
    /// Unfinished games.
    pub unfinished: Option<Rate>,
    /// Games that ended by timeout.
    pub by_timeout: Option<Rate>,
    /// Games that name both players.
    pub with_players: Option<Rate>,
    /// Games with a year.
    pub with_year: Option<Rate>,
    /// Games with ratings of both players.
    pub with_ratings: Option<Rate>,
    /// Games that did not begin as their rules say.
    pub other_starts: OtherStarts,
    /// Impossible statements.
    pub impossible: Vec<ImpossibleData>,
    /// The number of games with impossible statements; a game may have several.
    pub with_impossible: u64,
}

/// The minimum number of plies of the lines of play that are listed: shorter ones are repeated by chance.
pub(crate) const MIN_LINE_PLIES: u32 = 10;

/// A cause with its frequency and examples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthCause {
    /// The code of the diagnostic.
    pub code: String,
    /// The number of records.
    pub n: u64,
    /// The number of these records that are stored games with faults.
    pub with_faults: u64,
    /// The first examples, at most three.
    pub examples: Vec<RecordLocation>,
}

/// The location of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordLocation {
    /// The name of the file as given.
    pub source: String,
    /// The line in the file; 0 if unknown.
    pub place: u64,
}

/// An impossible statement of records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImpossibleData {
    /// The statement.
    pub what: ImpossibleKind,
    /// The number of games.
    pub n: u64,
    /// The first examples in the corpus; at most three.
    pub examples: Vec<GameId>,
}

/// The kinds of impossible statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImpossibleKind {
    /// Both players have the same name.
    OneSelf,
    /// A year before 1700, from which no records exist, or in the future.
    Year,
    /// A day that the calendar does not have.
    Day,
    /// A rating below 1 or above 4000.
    Rating,
    /// A winner without a reason.
    NoReason,
    /// Fewer than four plies, but an end on the board.
    TooShort,
}

impl ImpossibleKind {
    /// All kinds.
    pub const ALL: [ImpossibleKind; 6] = [
        ImpossibleKind::OneSelf,
        ImpossibleKind::Year,
        ImpossibleKind::Day,
        ImpossibleKind::Rating,
        ImpossibleKind::NoReason,
        ImpossibleKind::TooShort,
    ];

    /// Returns the description.
    pub const fn as_str(self) -> &'static str {
        match self {
            ImpossibleKind::OneSelf => "a player against himself",
            ImpossibleKind::Year => "a year before 1700 or in the future",
            ImpossibleKind::Day => "a day that does not exist",
            ImpossibleKind::Rating => "an impossible rating",
            ImpossibleKind::NoReason => "a result without a reason",
            ImpossibleKind::TooShort => "an end on the board within three plies",
        }
    }

    /// Returns whether a game has this defect. `date` is the date as written, if the column `date` does not hold all of it.
    fn is_of(self, game: &GameFacts, date: Option<&str>, this_year: i16) -> bool {
        match self {
            ImpossibleKind::Day => date.is_some_and(is_impossible_day),
            ImpossibleKind::OneSelf => {
                game.players.attackers.is_some() && game.players.attackers == game.players.defenders
            }
            ImpossibleKind::Year => game.year().is_some_and(|year| year < 1700 || year > this_year),
            ImpossibleKind::Rating => {
                let ratings = [game.ratings.attackers, game.ratings.defenders];
                ratings.into_iter().flatten().any(|rating| !(1..=4000).contains(&rating.get()))
            }
            ImpossibleKind::NoReason => game.result != GameResult::Unfinished && game.reason.is_none(),
            ImpossibleKind::TooShort => {
                game.plies < 4 && game.reason.is_some_and(|reason| reason.is_on_board())
            }
        }
    }
}

/// Returns the defects of a corpus, or of the games and rejected records of a variant, given by its label; `games` are its
/// games, and years after `this_year` are impossible.
///
/// # Errors
///
/// Returns the path of a missing or damaged file.
pub fn health(
    corpus: &Corpus,
    games: &Games,
    variant: Option<&str>,
    this_year: i16,
) -> Result<HealthFindings> {
    let n = games.rows.len() as u64;
    let count = |is: &dyn Fn(&GameFacts) -> bool| games.rows.iter().filter(|game| is(game)).count() as u64;
    let mut rejected = corpus.rejected()?;
    rejected.retain(|record| variant.is_none() || record.variant.as_deref() == variant);
    let mut causes = Causes::default();
    let mut sources: BTreeMap<&str, u64> = BTreeMap::new();
    for record in &rejected {
        *sources.entry(&record.source).or_default() += 1;
        for code in &record.codes {
            causes.add(code, false, || RecordLocation { source: record.source.clone(), place: record.place });
        }
    }
    let mut rejected_by_source: Vec<(String, u64)> =
        sources.into_iter().map(|(source, n)| (source.to_owned(), n)).collect();
    rejected_by_source.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let found = stored_findings(corpus, games)?;
    let lines = PlayedLines::of(&games.rows);
    let dates = record_tags(corpus, games, "date")?;
    let has =
        |what: ImpossibleKind, nth: usize| what.is_of(&games.rows[nth], dates[nth].as_deref(), this_year);
    let impossible = ImpossibleKind::ALL.into_iter().map(|what| {
        let mut own = (0..games.rows.len()).filter(|nth| has(what, *nth));
        let examples =
            own.by_ref().take(3).map(|nth| GameId::from_i64(games.rows[nth].id)).collect::<Vec<_>>();
        ImpossibleData { what, n: (examples.len() + own.count()) as u64, examples }
    });
    Ok(HealthFindings {
        games: n,
        rejected: rejected.len() as u64,
        causes: causes.sorted(),
        rejected_by_source,
        explained: found.causes.sorted(),
        with_diagnostics: found.with_diagnostics,
        with_faults: found.with_faults,
        possible_copies: found.possible_copies,
        copies: games.rows.iter().map(|game| u64::from(game.copies)).sum(),
        repeated: n - lines.n,
        most_repeated: most_repeated(games, &lines, &found.places),
        unfinished: Rate::of(count(&|game| game.result == GameResult::Unfinished), n),
        by_timeout: Rate::of(count(&GameFacts::is_timeout), n),
        with_players: Rate::of(
            count(&|game| game.players.attackers.is_some() && game.players.defenders.is_some()),
            n,
        ),
        with_year: Rate::of(count(&|game| game.date.is_some()), n),
        with_ratings: Rate::of(
            count(&|game| game.ratings.attackers.is_some() && game.ratings.defenders.is_some()),
            n,
        ),
        other_starts: OtherStarts::of(games.rows.iter().map(|game| game.start)),
        impossible: impossible.filter(|data| data.n > 0).collect(),
        with_impossible: (0..games.rows.len())
            .filter(|nth| ImpossibleKind::ALL.into_iter().any(|what| has(what, *nth)))
            .count() as u64,
    })
}

impl HealthFindings {
    /// Reduces the names of files to their last part, so that readers don't learn the folders.
    pub fn keep_file_names(&mut self) {
        let causes = self.causes.iter_mut().chain(&mut self.explained);
        let examples = causes.flat_map(|cause| &mut cause.examples);
        for location in examples.chain(self.most_repeated.iter_mut().map(|(location, _)| location)) {
            location.source = file_name(&location.source).to_owned();
        }
        for (source, _) in &mut self.rejected_by_source {
            *source = file_name(source).to_owned();
        }
    }
}

/// The lines of play of games.
struct PlayedLines {
    /// The number of distinct lines.
    n: u64,
    /// The index of the first game of each line of [`MIN_LINE_PLIES`] plies or more that was played more than once, with the
    /// number of games; most frequent first.
    repeated: Vec<(usize, u64)>,
}

impl PlayedLines {
    fn of(games: &[GameFacts]) -> PlayedLines {
        let lines = frame::facts(games, &[FrameColumn::Line, FrameColumn::Plies])
            .with_row_index("game", None)
            .group_by([FrameColumn::Line.col()])
            .agg([
                len().alias("n"),
                col("game").filter(FrameColumn::Plies.col().gt_eq(lit(MIN_LINE_PLIES))).min(),
            ]);
        let found = frame::answer(lines);
        let rows = frame::keys(&found, "game").into_iter().zip(frame::counts(&found, "n"));
        let mut repeated: Vec<(usize, u64)> =
            rows.filter(|(_, n)| *n > 1).filter_map(|(game, n)| Some((game? as usize, n))).collect();
        repeated.sort_by_key(|(game, n)| (std::cmp::Reverse(*n), *game));
        PlayedLines { n: found.height() as u64, repeated }
    }
}

/// Returns the most frequently repeated lines of play, at most ten, with the place of their first game.
fn most_repeated(
    games: &Games,
    lines: &PlayedLines,
    places: &HashMap<(u32, u32), u64>,
) -> Vec<(RecordLocation, u64)> {
    let example = |game: &GameFacts| RecordLocation {
        source: game.source.map_or(String::new(), |source| games.sources.name(source.get()).to_owned()),
        place: places.get(&(game.segment, game.row)).copied().unwrap_or(0),
    };
    lines.repeated.iter().take(10).map(|(game, n)| (example(&games.rows[*game]), *n)).collect()
}

/// Diagnostics of records by code.
#[derive(Default)]
struct Causes(BTreeMap<String, HealthCause>);

impl Causes {
    fn add(&mut self, code: &str, has_faults: bool, example: impl FnOnce() -> RecordLocation) {
        if !self.0.contains_key(code) {
            let cause = HealthCause { code: code.to_owned(), n: 0, with_faults: 0, examples: Vec::new() };
            self.0.insert(code.to_owned(), cause);
        }
        let Some(cause) = self.0.get_mut(code) else { return };
        cause.n += 1;
        cause.with_faults += u64::from(has_faults);
        if cause.examples.len() < 3 {
            cause.examples.push(example());
        }
    }

    fn sorted(self) -> Vec<HealthCause> {
        let mut all: Vec<HealthCause> = self.0.into_values().collect();
        all.sort_by_key(|cause| std::cmp::Reverse(cause.n));
        all
    }
}

/// The diagnostics of stored games.
#[derive(Default)]
struct StoredFindings {
    causes: Causes,
    /// The number of games with diagnostics.
    with_diagnostics: u64,
    /// The number of games with faults, all of which are explained.
    with_faults: u64,
    /// The number of games that are marked as copies or possible copies.
    possible_copies: u64,
    /// The line in its file of each game, by the segment and the row.
    places: HashMap<(u32, u32), u64>,
}

/// Reads the diagnostics of the games, with their locations.
fn stored_findings(corpus: &Corpus, games: &Games) -> Result<StoredFindings> {
    let mut found = StoredFindings::default();
    let mut rows = games.rows.iter().peekable();
    for (number, segment) in (0u32..).zip(corpus.segments()) {
        let table = segment.games_table();
        let frame = table.read_columns(&["findings", "verdict", "place", "duplicate_of"])?;
        let mut take = || {
            let (codes, verdicts) = (tables::texts(&frame, "findings")?, tables::texts(&frame, "verdict")?);
            let (places, originals) =
                (tables::integers(&frame, "place")?, tables::integers(&frame, "duplicate_of")?);
            while let Some(game) = rows.next_if(|game| game.segment == number) {
                let row = game.row as usize;
                let place = places.get(row).and_then(|place| u64::try_from(place).ok()).unwrap_or(0);
                found.places.insert((game.segment, game.row), place);
                let has_faults = verdicts.get(row) == Some("explained");
                let codes = codes.get(row).unwrap_or("");
                found.with_faults += u64::from(has_faults);
                found.with_diagnostics += u64::from(has_faults || !codes.is_empty());
                found.possible_copies += u64::from(originals.get(row).is_some());
                for code in codes.split_whitespace() {
                    let source =
                        || game.source.map_or("", |source| games.sources.name(source.get())).to_owned();
                    found.causes.add(code, has_faults, || RecordLocation { source: source(), place });
                }
            }
            Ok(())
        };
        take().map_err(|error| table_error(table.path(), &error))?;
    }
    Ok(found)
}
