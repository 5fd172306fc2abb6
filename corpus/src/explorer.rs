//! The explorer: what was played from a position, and how the games ended.
//!
//! A [`Place`] is the position that is asked about. Its games are found by its key, under all symmetries of the rules, and
//! every game is held against the board itself. Positions that very many games of a segment share are counted when the
//! segment is written, see [`table`]: the answer is the same, only sooner.

mod place;
mod scan;
pub mod table;
mod tally;
#[cfg(test)]
mod tests;
mod tree;

use std::path::Path;

use tafl_rules::zobrist::CanonicalKey;
use tafl_rules::{AnyRulebook, Move};

use crate::error::{CorpusError, Fault, Result};
use crate::file::map;
use crate::folder::{Corpus, GameAt};
use crate::id::RulesId;
use crate::index::{Bits, SegmentIndex};
use crate::segment::Segment;
use crate::stop::Stop;

pub use place::{Orientation, Place};
pub use table::TABLE_FILE;
pub use tally::{Counts, TOP, TopGame};
pub use tree::{Branch, Extent};

use scan::Scan;
use table::Table;

/// A corpus that is open for the explorer.
pub struct Explorer {
    segments: Vec<Open>,
}

/// A segment that is open for the explorer.
struct Open {
    segment: Segment,
    index: SegmentIndex,
    table: Table,
    has_removed: bool,
}

/// Which games are counted.
#[derive(Debug, Clone, Copy)]
pub enum Choice<'a> {
    /// All that were not removed.
    All,
    /// Those of these sets, one for each segment in order.
    These(&'a [Bits]),
    /// All, and without the help of the tables of frequent positions. It answers the same.
    AllSlowly,
}

/// What was played from a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The games that came to the position.
    pub counts: Counts,
    /// What they played, the most frequent first. A game that came back counts for each move that it played.
    pub lines: Vec<Line>,
    /// How many games ended in the position.
    pub ended: u64,
    /// How many games went on with something that the rules do not know here.
    pub other: u64,
}

/// A move that was played from a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The move, as the asker holds the board; of moves that lead to the same position by symmetry the least.
    pub mv: Move,
    /// The others that lead to the same position by symmetry.
    pub alike: Vec<Move>,
    /// The games that played it.
    pub counts: Counts,
}

impl Explorer {
    /// Opens a corpus.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub fn open(corpus: &Corpus) -> Result<Explorer> {
        let open = |segment: &Segment| {
            let folder = segment.index_folder();
            let index = SegmentIndex::open(&folder, segment.tape())
                .map_err(|error| CorpusError::damaged(&folder, Fault::Index(error.to_string())))?;
            let table = open_table(segment)?;
            let has_removed = (0..segment.n_games()).any(|row| segment.is_removed(row));
            Ok(Open { segment: segment.clone(), index, table, has_removed })
        };
        Ok(Explorer { segments: corpus.segments().iter().map(open).collect::<Result<_>>()? })
    }

    /// Returns what was played from a place.
    ///
    /// # Errors
    ///
    /// Returns which file is damaged.
    ///
    /// # Panics
    ///
    /// Panics if a choice has fewer sets than there are segments.
    pub fn node(&self, place: &Place, choice: Choice<'_>) -> Result<Node> {
        self.node_until(place, choice, Stop::NEVER)
    }

    /// Returns what was played from a place, unless it takes too long.
    ///
    /// # Errors
    ///
    /// Returns which file is damaged, or that it was time to give up.
    ///
    /// # Panics
    ///
    /// As [`Explorer::node`].
    pub fn node_until(&self, place: &Place, choice: Choice<'_>, stop: Stop<'_>) -> Result<Node> {
        let mut node = Node { counts: Counts::default(), lines: Vec::new(), ended: 0, other: 0 };
        let mut counts: Vec<Counts> = vec![Counts::default(); place.n_children()];
        for (number, open) in self.segments.iter().enumerate() {
            let scan = open.ask(number, place, (choice, stop))?;
            node.counts.add(&scan.node, (number, &open.table));
            node.ended += u64::from(scan.ended);
            node.other += u64::from(scan.other);
            for (counts, tally) in counts.iter_mut().zip(&scan.children) {
                counts.add(tally, (number, &open.table));
            }
        }
        let lines = counts.into_iter().enumerate().filter(|(_, counts)| counts.n_games() > 0);
        node.lines = lines
            .map(|(child, counts)| {
                let (mv, alike) = place.moves_of(child);
                Line { mv, alike, counts }
            })
            .collect();
        node.lines.sort_by_key(|line| (std::cmp::Reverse(line.counts.n_games()), line.mv));
        Ok(node)
    }

    /// Returns whether any game is played by rules, removed ones included.
    pub fn has_rules(&self, book: &AnyRulebook) -> bool {
        let rules = RulesId::of(book.rules()).1;
        self.segments.iter().any(|open| open.segment.tape().arenas().iter().any(|arena| arena.rules == rules))
    }

    /// Returns how many games of each segment there are, removed ones included: the limits of a choice's sets.
    pub fn sizes(&self) -> Vec<u32> {
        self.segments.iter().map(|open| open.segment.n_games()).collect()
    }
}

impl Open {
    fn ask(&self, number: usize, place: &Place, (choice, stop): (Choice<'_>, Stop<'_>)) -> Result<Scan> {
        if matches!(choice, Choice::All) && !self.has_removed && place.is_folded() {
            let hot = self.table.node(place.rules(), place.key());
            if let Some(scan) = hot.and_then(|hot| hot.scan(place)) {
                return Ok(scan);
            }
        }
        let folder = self.segment.index_folder();
        let blocks = self
            .index
            .blocks_with_key(CanonicalKey(place.key()))
            .map_err(|error| CorpusError::damaged(&folder, Fault::Index(error.to_string())))?;
        let wanted = |game: u32| {
            let chosen = match choice {
                Choice::All | Choice::AllSlowly => true,
                Choice::These(sets) => sets[number].contains(game),
            };
            // When it is time to give up, no further game is played.
            chosen && !self.segment.is_removed(game) && !stop.is_now()
        };
        let scanned = scan::scan(place, self.segment.tape(), &blocks, (&wanted, &self.table));
        stop.check()?;
        scanned.map_err(|error| {
            CorpusError::damaged(&self.segment.folder().join(crate::segment::TAPE_FILE), error)
        })
    }
}

fn open_table(segment: &Segment) -> Result<Table> {
    let bytes = map(segment.folder(), TABLE_FILE)?;
    let rules = segment.tape().arenas().iter().map(|arena| arena.rules.clone()).collect();
    let path = segment.folder().join(TABLE_FILE);
    Table::open(bytes, segment.n_games(), rules).map_err(|fault| CorpusError::damaged(&path, fault))
}

/// Writes the table of frequent positions of a segment that is being written.
///
/// # Errors
///
/// Returns that the file cannot be written.
pub(crate) fn write_table(
    folder: &Path,
    tape: &crate::tape::Tape,
    keys: &[u64],
    rows: &[crate::row::GameRow],
) -> Result<()> {
    crate::file::write_synced(&folder.join(TABLE_FILE), &table::build(tape, keys, rows))
}

/// Returns whether the table of a segment is the one that its games have.
///
/// # Errors
///
/// Returns that the file is missing or cannot be read.
pub(crate) fn is_as_built(segment: &Segment, keys: &[u64], rows: &[crate::row::GameRow]) -> Result<bool> {
    let on_disk = map(segment.folder(), TABLE_FILE)?;
    Ok(*on_disk == *table::build(segment.tape(), keys, rows))
}

impl From<TopGame> for GameAt {
    fn from(game: TopGame) -> GameAt {
        GameAt { segment: game.segment, row: game.row }
    }
}
