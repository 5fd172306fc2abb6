//! An open corpus.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{CorpusError, FileFault, Result};
use crate::eval_file::EvalFile;
use crate::file::{checksum, hex};
use crate::id::GameId;
use crate::manifest::{Manifest, SideFile};
use crate::rejected_record::RejectedRecord;
use crate::row::{CellValue, CopyNote, GameRow};
use crate::segment::Segment;

/// A snapshot of a corpus, as it was when it was opened. Later changes do not affect it.
///
/// # Examples
///
/// ```no_run
/// use tafl_corpus::Corpus;
///
/// let corpus = Corpus::open("games.corpus".as_ref())?;
/// for at in corpus.games().take(10) {
///     let game = corpus.game(at)?;
///     println!("{}: {} plies, {}", game.event.unwrap_or_default(), game.plies, game.result.as_str());
/// }
/// # Ok::<(), tafl_corpus::CorpusError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Corpus {
    path: PathBuf,
    manifest: Manifest,
    segments: Vec<Segment>,
    evals: Vec<EvalFile>,
}

/// The location of a game in a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameAt {
    /// The index of its segment in [`Corpus::segments`].
    pub segment: usize,
    /// Its row there.
    pub row: u32,
}

/// A line of a file of copies.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CopyLine {
    /// The ID of the game, in hexadecimal digits.
    pub(crate) game: String,
    /// The copy.
    #[serde(flatten)]
    pub(crate) note: CopyNote,
}

impl CopyLine {
    /// Returns the lines of the copies of games, in the order of the games' numbers.
    pub(crate) fn all<'n>(
        copies: impl IntoIterator<Item = (&'n GameId, &'n Vec<CopyNote>)>,
    ) -> Vec<CopyLine> {
        let mut games: Vec<(&GameId, &Vec<CopyNote>)> = copies.into_iter().collect();
        games.sort_by_key(|(game, _)| **game);
        let lines = games.into_iter().flat_map(|(game, notes)| {
            notes.iter().map(move |note| CopyLine { game: game.to_string(), note: note.clone() })
        });
        lines.collect()
    }
}

impl Corpus {
    /// Opens a corpus.
    ///
    /// If a writer removes files of an older state in the meantime, the new state is opened.
    ///
    /// # Errors
    ///
    /// Fails if there is no corpus, if it has a newer version, or if a table is missing or damaged. Damage of other files,
    /// which can be rebuilt from the tables, is found when they are used.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = tafl_corpus::Corpus::open("no/such/folder".as_ref()).unwrap_err();
    /// assert!(error.to_string().contains("no such corpus"));
    /// ```
    pub fn open(path: &Path) -> Result<Corpus> {
        let manifest = Manifest::read(path)?;
        let opened = Corpus::open_as(path, &manifest);
        let is_incomplete = match &opened {
            Ok(corpus) => corpus.segments.iter().any(Segment::lacks_move_log),
            Err(error) => matches!(error, CorpusError::Damaged { fault: FileFault::Missing, .. }),
        };
        if !is_incomplete {
            return opened;
        }
        let newer = Manifest::read(path)?;
        if newer == manifest { opened } else { Corpus::open_as(path, &newer) }
    }

    fn open_as(path: &Path, manifest: &Manifest) -> Result<Corpus> {
        let segments =
            manifest.segments.iter().map(|entry| Segment::open(path, entry)).collect::<Result<_>>()?;
        let evals = EvalFile::all(path, manifest)?;
        Ok(Corpus { path: path.to_owned(), manifest: manifest.clone(), segments, evals })
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the segments, in the order of their games.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns the files of evaluations of all runs.
    pub(crate) fn eval_files(&self) -> &[EvalFile] {
        &self.evals
    }

    /// Returns the number of games, without removed ones.
    pub fn n_games(&self) -> u64 {
        self.manifest.n_games()
    }

    /// Returns every game that was not removed, in order.
    pub fn games(&self) -> impl Iterator<Item = GameAt> {
        self.segments.iter().enumerate().flat_map(|(segment, open)| {
            (0..open.n_games()).filter(|row| !open.is_removed(*row)).map(move |row| GameAt { segment, row })
        })
    }

    /// Returns the games with these numbers, in the order of the corpus. Unknown numbers are skipped.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn find(&self, wanted: &[GameId]) -> Result<Vec<GameAt>> {
        let mut found = Vec::new();
        for (nth, segment) in self.segments.iter().enumerate() {
            for (row, game) in (0..).zip(segment.game_ids()?) {
                if wanted.contains(&game) && !segment.is_removed(row) {
                    found.push(GameAt { segment: nth, row });
                }
            }
        }
        Ok(found)
    }

    /// Reads the row of a game. It lacks the copies that were found after its segment had been written, see
    /// [`Corpus::late_copies`].
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn game(&self, at: GameAt) -> Result<GameRow> {
        self.segments[at.segment].game(at.row)
    }

    /// Reads the copies that were found after the segments of their games had been written; the rows of these games do
    /// not have them until the corpus is compacted.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn late_copies(&self) -> Result<HashMap<GameId, Vec<CopyNote>>> {
        let mut copies: HashMap<GameId, Vec<CopyNote>> = HashMap::new();
        for side in &self.manifest.copies {
            for line in read_lines::<CopyLine>(&self.path, side)? {
                let game = line.game.parse().map_err(|_| {
                    let path = self.path.join(&side.file.path);
                    CorpusError::damaged(
                        &path,
                        FileFault::Json(format!("`{}` is not the ID of a game", line.game)),
                    )
                })?;
                copies.entry(game).or_default().push(line.note);
            }
        }
        Ok(copies)
    }

    /// Returns the records that could not be stored, in the order in which they came.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn rejected(&self) -> Result<Vec<RejectedRecord>> {
        let mut all = Vec::new();
        for side in &self.manifest.rejected {
            all.extend(read_lines::<RejectedRecord>(&self.path, side)?);
        }
        Ok(all)
    }

    /// Returns a checksum of the games: equal for corpora with the same games, in any order and any segments.
    ///
    /// It covers all columns of the games that were not removed, also the places of their records, except the copies.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn content_hash(&self) -> Result<String> {
        let mut sum: u64 = 0;
        for segment in &self.segments {
            for (row, game) in (0..).zip(segment.games()?) {
                if !segment.is_removed(row) {
                    sum = sum.wrapping_add(row_hash(&game));
                }
            }
        }
        Ok(hex(sum))
    }
}

fn row_hash(row: &GameRow) -> u64 {
    let mut hash = xxhash_rust::xxh3::Xxh3::new();
    for field in crate::schema::GAMES.iter().filter(|field| field.field.name != "copies") {
        match (field.get)(row) {
            CellValue::None => hash.update(&[0]),
            CellValue::Number(number) => hash.update(&number.to_le_bytes()),
            CellValue::Real(number) => hash.update(&number.to_le_bytes()),
            text @ (CellValue::Text(_) | CellValue::Owned(_)) => {
                hash.update(text.as_text().unwrap_or("").as_bytes());
                hash.update(&[1]);
            }
        }
    }
    hash.digest()
}

/// Reads a file of JSON lines.
///
/// # Errors
///
/// Fails if the file is missing or damaged.
pub(crate) fn read_lines<T: for<'de> Deserialize<'de>>(corpus: &Path, side: &SideFile) -> Result<Vec<T>> {
    let path = corpus.join(&side.file.path);
    let bytes = fs::read(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => CorpusError::damaged(&path, FileFault::Missing),
        _ => CorpusError::io(&path)(error),
    })?;
    let text = std::str::from_utf8(&bytes).ok().filter(|_| hex(checksum(&bytes)) == side.file.xxh3);
    let text = text.ok_or_else(|| CorpusError::damaged(&path, FileFault::Content))?;
    let read = |line| serde_json::from_str(line).map_err(|error| FileFault::Json(error.to_string()));
    let lines = text.lines().map(read).collect::<std::result::Result<Vec<T>, _>>();
    let lines = lines.map_err(|fault| CorpusError::damaged(&path, fault))?;
    if lines.len() as u64 != side.lines {
        let fault = FileFault::Json(format!("it has {} lines instead of {}", lines.len(), side.lines));
        return Err(CorpusError::damaged(&path, fault));
    }
    Ok(lines)
}
