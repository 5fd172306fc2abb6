//! Names of openings, from tables of tab-separated values that people edit.
//!
//! A row names the position after some moves from the start of a variant. Games that reach the position in another order of
//! moves, or on a rotated or mirrored board, have the same opening.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{GameAt, MoveLogError, RulesId};
use tafl_rules::{AnyRulebook, Game, Move, RepetitionMode, RuleSet};

use super::CorpusSnapshot;
use crate::escape::{escape, escape_path};
use crate::{App, Error, ErrorKind, PositionRequest, Result, RulesRequest};

/// The table of the project.
const BUILT_IN: &str = include_str!("../../data/opening-names.tsv");
/// The first row of a table.
const HEADER: &str = "variant\tmoves\tname\tsource";
/// The maximum size of a file of names, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Names of openings.
///
/// # Examples
///
/// ```
/// use taflbase::database::OpeningNames;
///
/// let table = "variant\tmoves\tname\tsource\nbrandubh7\td2-c2 d3-b3\tExample\thttps://example.org/openings\n";
/// assert_eq!(OpeningNames::parse(table)?.n_names(), 1);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpeningNames(HashMap<RulesId, NamedPositions>);

/// The named positions of rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct NamedPositions {
    /// The openings by the canonical key of their position.
    by_key: HashMap<u64, NamedOpening>,
    /// The maximum number of plies after which a position is named.
    max_plies: usize,
}

/// A named opening.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NamedOpening {
    name: String,
    source: String,
    plies: usize,
}

/// The name of an opening.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct OpeningName {
    /// The name.
    pub name: String,
    /// The source of the name.
    pub source: String,
    /// The number of plies after which the position has this name.
    pub ply: usize,
}

impl OpeningNames {
    /// Returns the names of the project.
    pub fn built_in() -> &'static OpeningNames {
        static NAMES: LazyLock<OpeningNames> =
            LazyLock::new(|| OpeningNames::parse(BUILT_IN).expect("a test reads the table"));
        &NAMES
    }

    /// Reads the names of a file in addition to those of the project. Where both name a position, the file counts.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be read, or a row is wrong.
    pub fn read(path: &Path) -> Result<OpeningNames> {
        let failed = |message: String| {
            Error::new(ErrorKind::Io, format!("{}: {message}", escape_path(path))).of("opening_names")
        };
        let size = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?.len();
        if size > MAX_BYTES {
            return Err(failed(format!("larger than {} MiB", MAX_BYTES >> 20)));
        }
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        let own = OpeningNames::parse(&text).map_err(|error| Error {
            message: format!("{}, {}", escape_path(path), error.message),
            ..error
        })?;
        let mut names = OpeningNames::built_in().clone();
        for (rules, named) in own.0 {
            let known = names.0.entry(rules).or_default();
            known.max_plies = known.max_plies.max(named.max_plies);
            known.by_key.extend(named.by_key);
        }
        Ok(names)
    }

    /// Parses a table. Its first row has the names of the columns `variant`, `moves`, `name`, and `source`; blank lines, and
    /// those that begin with `#`, are ignored.
    ///
    /// # Errors
    ///
    /// Returns the line with a wrong number of cells, an unknown variant, an illegal move, an empty cell, or a position that
    /// already has a name.
    pub fn parse(text: &str) -> Result<OpeningNames> {
        let (mut names, app) = (OpeningNames::default(), App::new());
        let is_content = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.starts_with('#');
        // Some editors begin a file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = (1..).zip(text.lines().map(|line| line.trim_end_matches('\r'))).filter(is_content);
        let wrong = |line: usize, message: String| {
            Error::new(ErrorKind::BadParameter, format!("line {line}: {message}")).of("opening_names")
        };
        match lines.next() {
            Some((_, HEADER)) | None => {}
            Some((line, _)) => {
                let columns = HEADER.replace('\t', ", ");
                return Err(wrong(line, format!("expected the columns {columns}, separated by tabs")));
            }
        }
        for (line, text) in lines {
            names.add(text, &app).map_err(|error| wrong(line, error.message))?;
        }
        Ok(names)
    }

    fn add(&mut self, row: &str, app: &App) -> Result<()> {
        let cells: Vec<&str> = row.split('\t').map(str::trim).collect();
        let [variant, moves, name, source] = cells[..] else {
            let message = format!("expected 4 cells, found {}", cells.len());
            return Err(Error::new(ErrorKind::BadParameter, message));
        };
        for (cell, what) in [(variant, "variant"), (moves, "moves"), (name, "name"), (source, "source")] {
            if cell.is_empty() {
                return Err(Error::new(ErrorKind::BadParameter, format!("the {what} is missing")));
            }
        }
        let request = PositionRequest {
            rules: RulesRequest::of(variant),
            moves: Some(moves.to_owned()),
            ..PositionRequest::default()
        };
        let played = request.play(app)?;
        let plies = played.plies.len();
        let positions = self.0.entry(RulesId::of(played.rules.book.rules())).or_default();
        let opening = NamedOpening { name: name.to_owned(), source: source.to_owned(), plies };
        if let Some(known) = positions.by_key.insert(key_of(&played.game), opening) {
            let message = format!("the position already has the name `{}`", escape(&known.name));
            return Err(Error::new(ErrorKind::BadParameter, message));
        }
        positions.max_plies = positions.max_plies.max(plies);
        Ok(())
    }

    /// Returns the number of named positions.
    pub fn n_names(&self) -> usize {
        self.0.values().map(|named| named.by_key.len()).sum()
    }

    /// Returns the name of the last named position of a game that began from the start of its rules; if a later position was
    /// reached by another order of moves, its name counts.
    pub fn of_line(&self, book: &AnyRulebook, moves: impl IntoIterator<Item = Move>) -> Option<OpeningName> {
        let named = self.0.get(&RulesId::of(book.rules()))?;
        let mut game =
            Game::from_setup(book, &book.rules().start, book.rules().first_mover, RepetitionMode::Report)
                .ok()?;
        let mut found = None;
        // A named position can be reached by more moves than those of its row, but hardly by many more.
        for (ply, mv) in (1..=2 * named.max_plies).zip(moves) {
            game.clear_outcome();
            if game.play(mv).is_err() {
                break;
            }
            if let Some(opening) = named.by_key.get(&key_of(&game)) {
                found = Some(opening.named(ply));
            }
        }
        found
    }

    /// Returns the name of a position, whatever the moves that led to it.
    pub fn of_position(&self, book: &AnyRulebook, game: &Game) -> Option<OpeningName> {
        let named = self.0.get(&RulesId::of(book.rules()))?;
        named.by_key.get(&key_of(game)).map(|opening| opening.named(opening.plies))
    }
}

impl NamedOpening {
    fn named(&self, ply: usize) -> OpeningName {
        OpeningName { name: self.name.clone(), source: self.source.clone(), ply }
    }
}

/// Returns the key that symmetric positions share.
fn key_of(game: &Game) -> u64 {
    game.canonical_key().0.0
}

/// Finds the openings of stored games, whose rules are compiled once.
pub(super) struct StoredOpenings<'c> {
    corpus: &'c CorpusSnapshot,
    names: &'c OpeningNames,
    /// The compiled rules by their string; `None` if no opening of theirs has a name.
    books: HashMap<String, Option<AnyRulebook>>,
}

impl<'c> StoredOpenings<'c> {
    pub(super) fn new(corpus: &'c CorpusSnapshot, names: &'c OpeningNames) -> StoredOpenings<'c> {
        StoredOpenings { corpus, names, books: HashMap::new() }
    }

    /// Returns the name of the opening of a game; `None` if it has none, or began from another start.
    ///
    /// # Errors
    ///
    /// Fails if the move log is damaged.
    pub(super) fn of(&mut self, at: GameAt) -> Result<Option<OpeningName>> {
        if self.names.0.is_empty() {
            return Ok(None);
        }
        let segment = &self.corpus.corpus().segments()[at.segment];
        let move_log = segment.move_log()?;
        let setup = &move_log.game_setups()[usize::from(move_log.entry(at.row).game_setup)];
        let compile = || {
            let rules = setup.rules.parse::<RuleSet>().ok()?;
            self.names.0.contains_key(&RulesId::of(&rules)).then_some(())?;
            AnyRulebook::compile(&rules).ok()
        };
        let Some(book) = self.books.entry(setup.rules.clone()).or_insert_with(compile) else {
            return Ok(None);
        };
        if setup.start != book.rules().start.to_string() {
            return Ok(None);
        }
        let damaged = |error: MoveLogError| Error::from(segment.move_log_error(error));
        let mut cursor = move_log.cursor(at.row).map_err(damaged)?;
        let mut moves = Vec::with_capacity(cursor.n_plies_left() as usize);
        while cursor.advance().map_err(damaged)? {
            moves.extend(cursor.state().last);
        }
        Ok(self.names.of_line(book, moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# Made up for tests.\nvariant\tmoves\tname\tsource\n\
                         brandubh7\td2-c2\tAlpha\ttest\n\
                         brandubh7\td2-c2 d3-b3 f4-f3\tBeta\ttest\n";

    fn names_of(table: &str) -> Result<OpeningNames> {
        OpeningNames::parse(table)
    }

    /// Returns the name of the opening of moves of Brandubh.
    fn opening(moves: &str) -> Option<(String, usize)> {
        let names = names_of(TABLE).unwrap();
        let request = PositionRequest {
            rules: RulesRequest::of("brandubh7"),
            moves: Some(moves.to_owned()),
            ..PositionRequest::default()
        };
        let played = request.play(&App::new()).unwrap();
        names.of_line(&played.rules.book, played.moves()).map(|opening| (opening.name, opening.ply))
    }

    #[test]
    fn the_table_of_the_project_is_valid() {
        assert!(names_of(BUILT_IN).is_ok());
    }

    #[test]
    fn the_last_named_position_counts() {
        let name = |name: &str, ply| Some((name.to_owned(), ply));
        assert_eq!(opening("d1-c1"), None);
        assert_eq!(opening("d2-c2 d3-b3"), name("Alpha", 1));
        assert_eq!(opening("d2-c2 d3-b3 f4-f3 e4-e1"), name("Beta", 3));
        // On a rotated board, and by another order of moves.
        assert_eq!(opening("d6-e6 d5-f5"), name("Alpha", 1));
        assert_eq!(opening("f4-f3 d3-b3 d2-c2 e4-e1"), name("Beta", 3));
    }

    #[test]
    fn wrong_rows_are_rejected_with_their_line() {
        let rejected = |row: &str, problem: &str| {
            let error = names_of(&format!("variant\tmoves\tname\tsource\n{row}\n")).unwrap_err();
            assert!(error.message.starts_with("line 2: ") && error.message.contains(problem), "{error:?}");
        };
        rejected("nosuch\td2-c2\tName\ttest", "nosuch");
        rejected("brandubh7\td2-d9\tName\ttest", "d9");
        rejected("brandubh7\td2-e3\tName\ttest", "ply 1");
        rejected("brandubh7\td2-c2\t\ttest", "the name is missing");
        rejected("brandubh7\td2-c2\tName\t", "the source is missing");
        rejected("brandubh7\td2-c2\tName", "found 3");
        assert!(names_of("variant,moves\n").unwrap_err().message.contains("tabs"));
        // The same position on a mirrored board.
        let twice = format!("{TABLE}brandubh7\td6-e6\tGamma\ttest\n");
        assert_eq!(
            names_of(&twice).unwrap_err().message,
            "line 5: the position already has the name `Alpha`"
        );
    }

    #[test]
    fn a_file_adds_to_the_names_of_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("names.tsv");
        std::fs::write(&file, TABLE).unwrap();
        let names = OpeningNames::read(&file).unwrap();
        assert_eq!(names.n_names(), OpeningNames::built_in().n_names() + 2);
        std::fs::write(&file, format!("{TABLE}x")).unwrap();
        let error = OpeningNames::read(&file).unwrap_err();
        assert!(error.message.contains("names.tsv, line 5: expected 4 cells"), "{error:?}");
        assert_eq!(OpeningNames::read(&folder.path().join("gone")).unwrap_err().kind, ErrorKind::Io);
    }
}
