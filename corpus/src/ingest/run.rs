//! An import: one batch, which is committed as a whole or not at all.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread::JoinHandle;

use super::buffer::{SEGMENT_SIZE, SegmentBuffer};
use super::dedup::{CopyMatch, DedupIndex, DedupOutcome, note_hash};
use super::prepare::{PreparedGame, PreparedRecord};
use super::stored_games::{RowLocation, origin};
use super::summary::{AddOutcome, CopyPolicy, DuplicatePolicy, IngestOptions, IngestSummary};
use super::symmetry::{rebased_copies, relative_symmetry};
use crate::edit::keep_user_tags;
use crate::error::{CorpusError, Result};
use crate::evals::ReplacedGames;
use crate::folder::{CopyLine, Corpus};
use crate::id::{GameId, name_hash};
use crate::manifest::SegmentEntry;
use crate::player_alias::AliasTable;
use crate::rejected_record::RejectedRecord;
use crate::replay_setups::ReplaySetups;
use crate::row::{CopyNote, GameRow};
use crate::segment::{Segment, seal, seal_in_parallel};
use crate::writer::CorpusWriter;

/// An import of games. Dropped without [`Ingest::finish`], it changes nothing.
///
/// # Examples
///
/// ```
/// use tafl_corpus::{Corpus, GeneratedGame, Ingest, IngestOptions, Preparer};
///
/// let rules = tafl_rules::catalog::find("brandubh7").map(tafl_parser::RuleChoice::named).unwrap();
/// let moves = [tafl_rules::Move::parse("d2-c2", rules.chosen().book.shape())?];
/// let game = GeneratedGame { rules: &rules, moves: &moves, outcome: None, tags: &[("event", "Test")] };
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.corpus");
/// let mut ingest = Ingest::begin(&path, &IngestOptions::default())?;
/// ingest.add_game(Preparer::default().prepare_generated(&game).unwrap())?;
/// assert_eq!(ingest.finish()?.added, 1);
/// assert_eq!(Corpus::open(&path)?.n_games(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ingest {
    writer: CorpusWriter,
    keep: CopyPolicy,
    duplicates: DuplicatePolicy,
    dedup: DedupIndex,
    buffer: SegmentBuffer,
    /// The number of positions of a segment.
    segment_size: usize,
    /// The number of threads that write segments.
    threads: NonZeroUsize,
    /// The threads that write segments, in the order of their numbers.
    sealing: VecDeque<JoinHandle<Result<SegmentEntry>>>,
    /// Segments that were written in this batch.
    sealed: Vec<SegmentEntry>,
    /// The number of the first segment of this import.
    first_segment: u64,
    /// Games that a better copy replaces.
    replaced: Vec<RowLocation>,
    /// Games of this import that replaced those of earlier ones.
    replacements: HashSet<RowLocation>,
    /// The replaced games whose copies get their evaluations.
    carried: ReplacedGames,
    /// Copies that were found after the segment of their game had been written, and are not saved yet.
    late: BTreeMap<GameId, Vec<CopyNote>>,
    /// Whether a better copy of a game has taken over some of the saved copies.
    has_moved: bool,
    /// Other names of players.
    names: AliasTable,
    rejected: Vec<RejectedRecord>,
    /// Cached rows of segments.
    rows: HashMap<u64, Vec<GameRow>>,
    summary: IngestSummary,
}

impl Ingest {
    /// Begins an import into a corpus, which is created if it does not exist.
    ///
    /// # Errors
    ///
    /// Fails if another program writes into the corpus, something else has the name, or a file is damaged.
    pub fn begin(path: &Path, options: &IngestOptions) -> Result<Ingest> {
        Ingest::with_segments_of(SEGMENT_SIZE, path, options)
    }

    /// Begins an import whose segments have a number of positions.
    pub(super) fn with_segments_of(
        segment_size: usize,
        path: &Path,
        options: &IngestOptions,
    ) -> Result<Ingest> {
        let mut writer = CorpusWriter::open_or_create(path, &options.note)?;
        let corpus = Corpus::open(path)?;
        let names = AliasTable::of(&writer.manifest().aliases);
        let dedup = DedupIndex::of(&corpus, &names)?;
        let buffer = SegmentBuffer::with_size(writer.number(), segment_size);
        Ok(Ingest {
            first_segment: buffer.number,
            writer,
            keep: options.keep,
            duplicates: options.duplicates,
            dedup,
            buffer,
            segment_size,
            threads: options.threads,
            sealing: VecDeque::new(),
            sealed: Vec::new(),
            replaced: Vec::new(),
            replacements: HashSet::new(),
            carried: ReplacedGames::default(),
            late: BTreeMap::new(),
            has_moved: false,
            names,
            rejected: Vec::new(),
            rows: HashMap::new(),
            summary: IngestSummary::default(),
        })
    }

    /// Returns the counts so far.
    pub fn summary(&self) -> &IngestSummary {
        &self.summary
    }

    /// Removes and returns the rejected records, so that they can be tried again. Add those that are rejected again.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn take_rejected(&mut self) -> Result<Vec<RejectedRecord>> {
        let all = Corpus::open(self.writer.path())?.rejected()?;
        self.writer.drop_rejected();
        self.dedup.rejected.clear();
        Ok(all)
    }

    /// Adds a prepared record.
    ///
    /// # Errors
    ///
    /// Fails if a segment cannot be written, or a damaged file is met.
    pub fn add(&mut self, prepared: PreparedRecord) -> Result<AddOutcome> {
        match prepared {
            PreparedRecord::Game(game) => self.add_game(*game),
            PreparedRecord::Rejected(rejected) => {
                self.reject(*rejected);
                Ok(AddOutcome::Rejected)
            }
        }
    }

    fn reject(&mut self, rejected: RejectedRecord) {
        self.summary.add_rejected(&rejected);
        if self.dedup.rejected.insert(rejected.hash()) {
            self.rejected.push(rejected);
        } else {
            self.summary.rejected_before += 1;
        }
    }

    /// Adds a game that was prepared.
    ///
    /// # Errors
    ///
    /// As [`Ingest::add`].
    pub fn add_game(&mut self, mut game: PreparedGame) -> Result<AddOutcome> {
        self.names.apply(&mut game.row);
        let found = match self.find(&game)? {
            DedupOutcome::Copy(found) => found,
            other => {
                if let DedupOutcome::Marked(stored) = other {
                    game.row.duplicate_of = Some(stored);
                    self.summary.possible_copies += 1;
                }
                self.summary.add_new(&game.row);
                self.store(game, None)?;
                return Ok(AddOutcome::New);
            }
        };
        self.summary.doubled += 1;
        self.summary.prefixes += u64::from(found.plies.is_some());
        if found.is_better(&game.row, self.keep) {
            self.summary.replaced += 1;
            self.replace_stored(&found, game)?;
            return Ok(AddOutcome::Replaced);
        }
        self.note(&found, &game);
        Ok(AddOutcome::Copy)
    }

    /// Returns the relation of a new game to the stored ones.
    fn find(&mut self, game: &PreparedGame) -> Result<DedupOutcome> {
        // The index is moved out because reading the keys of a stored game borrows `self` to wait for the writing
        // thread.
        let dedup = std::mem::take(&mut self.dedup);
        let found = dedup.find(&game.row, game.date, self.duplicates, |at| match at {
            None => Ok(game.replayed.keys.clone()),
            Some(at) if at.segment == self.buffer.number => Ok(self.buffer.keys(at.row).to_vec()),
            Some(at) => ReplaySetups::default().keys(&self.segment(at.segment)?, at.row),
        });
        self.dedup = dedup;
        found
    }

    fn segment(&mut self, number: u64) -> Result<Segment> {
        self.join()?;
        let entries = self.sealed.iter().chain(&self.writer.manifest().segments);
        let entry = entries.into_iter().find(|entry| entry.number == number).ok_or(CorpusError::Writer)?;
        Segment::open(self.writer.path(), entry)
    }

    /// Stores a game, instead of a stored one if there is a match, and returns its ID.
    fn store(&mut self, mut game: PreparedGame, replaced: Option<&CopyMatch>) -> Result<GameId> {
        game.row.game = self.dedup.free_id(&game.row, replaced);
        let at = self.next_location();
        match replaced {
            Some(found) => self.dedup.replace(found, &game.row, game.date, at),
            None => self.dedup.add(&game.row, game.date, at),
        }
        let id = game.row.game;
        self.buffer.add(game);
        if self.buffer.is_full() {
            self.seal()?;
        }
        Ok(id)
    }

    /// Returns the location of the next game that is stored.
    fn next_location(&self) -> RowLocation {
        RowLocation { segment: self.buffer.number, row: self.buffer.rows.len() as u32 }
    }

    /// Replaces a stored game by a better copy.
    fn replace_stored(&mut self, found: &CopyMatch, mut game: PreparedGame) -> Result<()> {
        let stored = &found.stored;
        let old = self.row(stored.at)?;
        if stored.at.segment >= self.first_segment && !self.replacements.remove(&stored.at) {
            self.summary.replace_new(&old, &game.row);
        } else {
            // A second better copy in a row replaces the first one, and with it the game of an earlier import.
            self.summary.replaced_new += u64::from(stored.at.segment >= self.first_segment);
            self.summary.replace_earlier(&old, &game.row);
            self.replacements.insert(self.next_location());
        }
        let symmetry = relative_symmetry(game.shape, stored.orientation, game.row.orientation);
        let itself = CopyNote { symmetry, ..CopyNote::of(&old, found.plies) }
            .named(&old, name_hash(game.row.variant_name()));
        game.row.duplicate_of = old.duplicate_of;
        keep_user_tags(&old, &mut game.row);
        let apart = [self.late.remove(&stored.game), self.dedup.saved.remove(&stored.game)];
        self.has_moved |= apart[1].is_some();
        let theirs = old.copies.into_iter().chain(apart.into_iter().flatten().flatten());
        let theirs = rebased_copies(game.shape, theirs, &itself);
        game.row.copies = std::iter::once(itself).chain(theirs).collect();
        self.replaced.push(stored.at);
        let shape = game.shape;
        let copy = self.store(game, Some(found))?;
        if found.plies.is_none() {
            self.carried.note(stored.game, copy, shape, symmetry);
        }
        Ok(())
    }

    fn row(&mut self, at: RowLocation) -> Result<GameRow> {
        if at.segment == self.buffer.number {
            return Ok(self.buffer.rows[at.row as usize].clone());
        }
        if !self.rows.contains_key(&at.segment) {
            let rows = self.segment(at.segment)?.games_without_text()?;
            self.rows.insert(at.segment, rows);
        }
        Ok(self.rows[&at.segment][at.row as usize].clone())
    }

    /// Notes a copy with the stored game, unless it is the record itself or noted already.
    fn note(&mut self, found: &CopyMatch, game: &PreparedGame) {
        let (row, stored) = (&game.row, &found.stored);
        let symmetry = relative_symmetry(game.shape, row.orientation, stored.orientation);
        let note = CopyNote { symmetry, ..CopyNote::of(row, found.plies) }.named(row, stored.variant);
        let is_itself = origin(row.source.as_deref(), row.place) == stored.origin;
        if is_itself || row.source.is_none() || !self.dedup.noted.insert(note_hash(&note)) {
            return;
        }
        if stored.at.segment == self.buffer.number {
            self.buffer.rows[stored.at.row as usize].copies.push(note)
        } else {
            self.late.entry(stored.game).or_default().push(note)
        }
    }

    /// Writes the buffered games: on a thread of its own, if there are several.
    fn seal(&mut self) -> Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let next = SegmentBuffer::with_size(self.writer.number(), self.segment_size);
        let draft = std::mem::replace(&mut self.buffer, next).into_draft();
        if self.threads == NonZeroUsize::MIN {
            self.sealed.push(seal(self.writer.path(), draft)?);
            return Ok(());
        }
        // Each segment is written by two threads, but one of them ends earlier. More segments need more memory.
        while self.sealing.len() > self.threads.get() / 2 {
            self.join_first()?;
        }
        let path = self.writer.path().to_owned();
        self.sealing.push_back(std::thread::spawn(move || seal_in_parallel(&path, draft)));
        Ok(())
    }

    /// Waits for the thread that writes the first segment.
    fn join_first(&mut self) -> Result<()> {
        if let Some(thread) = self.sealing.pop_front() {
            self.sealed.push(thread.join().map_err(|_| CorpusError::Writer)??);
        }
        Ok(())
    }

    /// Waits for all threads that write segments.
    fn join(&mut self) -> Result<()> {
        while !self.sealing.is_empty() {
            self.join_first()?;
        }
        Ok(())
    }

    /// Commits everything that was added so far.
    ///
    /// # Errors
    ///
    /// Fails if something cannot be written; the corpus is as it was then.
    pub fn commit(&mut self) -> Result<()> {
        self.seal()?;
        self.join()?;
        for segment in self.sealed.drain(..) {
            self.writer.add(segment);
        }
        for at in std::mem::take(&mut self.replaced) {
            self.writer.remove(at.segment, [at.row]);
        }
        std::mem::take(&mut self.carried).carry_evals(&mut self.writer)?;
        let lines = CopyLine::all(&self.late);
        for (game, notes) in std::mem::take(&mut self.late) {
            self.dedup.saved.entry(game).or_default().extend(notes);
        }
        if std::mem::take(&mut self.has_moved) {
            // Copies that are in a row now must not be in a file of copies as well.
            self.writer.replace_copies(&CopyLine::all(&self.dedup.saved))?
        } else {
            self.writer.add_copies(&lines)?
        }
        self.writer.add_rejected(&std::mem::take(&mut self.rejected))?;
        self.writer.commit()
    }

    /// Commits everything that was added, and ends the import.
    ///
    /// # Errors
    ///
    /// As [`Ingest::commit`].
    pub fn finish(mut self) -> Result<IngestSummary> {
        self.commit()?;
        Ok(std::mem::take(&mut self.summary))
    }
}

impl Drop for Ingest {
    fn drop(&mut self) {
        // The lock is released only after the threads have ended. The next writer removes what they wrote.
        while let Some(thread) = self.sealing.pop_front() {
            let _ = thread.join();
        }
    }
}
