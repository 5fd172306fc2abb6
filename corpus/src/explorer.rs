//! The explorer: the moves that were played from a position, and the results of the games.
//!
//! A [`QueryPosition`] is the position to look up. Its games are found by its key, under all symmetries of the rules,
//! and the board of every game is compared with it. Positions that occur in many games of a segment are counted when
//! the segment is written, see [`openings`](crate::openings): the answer is the same, but faster.

#[cfg(test)]
mod own_rules_tests;
#[cfg(test)]
mod tests;
mod tree;

use tafl_rules::{AnyRulebook, CanonicalKey, Move};

use crate::cancel::CancelCheck;
use crate::error::Result;
use crate::folder::{Corpus, GameAt};
use crate::id::RulesId;
use crate::index::{NumberSet, SegmentIndex};
use crate::move_log::MoveLog;
use crate::openings::{GameCounts, PositionScan, QueryPosition, TopGame, scan};
use crate::segment::Segment;

pub use tree::{OpeningNode, TreeLimits};

/// An explorer of a corpus.
///
/// # Examples
///
/// ```no_run
/// use tafl_corpus::{CancelCheck, Corpus, Explorer, GameSubset, Orientation, QueryPosition};
/// use tafl_rules::{AnyRulebook, Game, catalog};
///
/// let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
/// let explorer = Explorer::open(&Corpus::open("games.corpus".as_ref())?)?;
/// let start = QueryPosition::new(&Game::new(&book), &book, Orientation::Folded);
/// for line in explorer.position(&start, GameSubset::All, CancelCheck::NEVER)?.moves {
///     println!("{}: {} games", line.mv.display(book.shape()), line.counts.n_games());
/// }
/// # Ok::<(), tafl_corpus::CorpusError>(())
/// ```
pub struct Explorer {
    segments: Vec<OpenSegment>,
}

/// A segment with its index.
struct OpenSegment {
    segment: Segment,
    index: SegmentIndex,
    has_removed: bool,
}

/// The games that are counted.
#[derive(Debug, Clone, Copy)]
pub enum GameSubset<'a> {
    /// All games that were not removed.
    All,
    /// The games of these sets, one for each segment in order.
    These(&'a [NumberSet]),
    /// As `All`, but by replaying games instead of reading the tables of frequent positions; the result is the same.
    AllByReplay,
}

/// The games that reached a position, and the moves that they played.
#[derive(Debug, Clone, PartialEq)]
pub struct PositionStats {
    /// The games that reached the position.
    pub counts: GameCounts,
    /// The moves that they played, the most frequent first. A game that returned to the position counts for each move
    /// that it played.
    pub moves: Vec<MoveStats>,
    /// The number of games that ended in the position.
    pub ended: u64,
    /// The number of games that continued with a ply that is not legal here.
    pub other: u64,
}

/// The games that played a move from a position.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveStats {
    /// The move, in the orientation of the query position. Of moves that lead to symmetric positions, it is the least.
    pub mv: Move,
    /// The other moves that lead to a symmetric position.
    pub alike: Vec<Move>,
    /// The games that played it.
    pub counts: GameCounts,
}

impl Explorer {
    /// Opens a corpus.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn open(corpus: &Corpus) -> Result<Explorer> {
        let open = |segment: &Segment| {
            let folder = segment.index_folder();
            let index = SegmentIndex::open_in(segment.index_files(), segment.move_log()?)
                .map_err(|error| error.of_folder(&folder))?;
            segment.openings()?;
            let has_removed = segment.entry().n_removed() > 0;
            Ok(OpenSegment { segment: segment.clone(), index, has_removed })
        };
        Ok(Explorer { segments: corpus.segments().iter().map(open).collect::<Result<_>>()? })
    }

    /// Returns the games that reached a position, and the moves that they played.
    ///
    /// # Errors
    ///
    /// Returns the damaged file, or that the operation was canceled.
    ///
    /// # Panics
    ///
    /// Panics if `games` has fewer sets than there are segments.
    pub fn position(
        &self,
        position: &QueryPosition,
        games: GameSubset<'_>,
        cancel: CancelCheck<'_>,
    ) -> Result<PositionStats> {
        let mut stats =
            PositionStats { counts: GameCounts::default(), moves: Vec::new(), ended: 0, other: 0 };
        let mut children: Vec<GameCounts> = vec![GameCounts::default(); position.n_children()];
        for (number, open) in self.segments.iter().enumerate() {
            let table = open.segment.openings()?;
            let scan = open.scan(number, position, games, cancel)?;
            stats.counts.add(&scan.position, number, table);
            stats.ended += u64::from(scan.ended);
            stats.other += u64::from(scan.other);
            let played = children.iter_mut().zip(&scan.children).filter(|(_, counts)| counts.n_games() > 0);
            played.for_each(|(sum, counts)| sum.add(counts, number, table));
        }
        let lines = children.into_iter().enumerate().filter(|(_, counts)| counts.n_games() > 0);
        stats.moves = lines
            .map(|(child, counts)| {
                let (mv, alike) = position.moves_of(child);
                MoveStats { mv, alike, counts }
            })
            .collect();
        stats.moves.sort_by_key(|line| (std::cmp::Reverse(line.counts.n_games()), line.mv));
        Ok(stats)
    }

    /// Returns whether any game has these rules, removed ones included.
    pub fn has_rules(&self, book: &AnyRulebook) -> bool {
        let rules = RulesId::string(book.rules());
        // All move logs are open since the explorer is.
        let move_logs = self.segments.iter().filter_map(|open| open.segment.move_log().ok());
        let mut setups = move_logs.flat_map(MoveLog::game_setups);
        setups.any(|game_setup| RulesId::nameless(&game_setup.rules) == rules)
    }

    /// Returns the number of games of each segment, removed ones included: the limits of the sets of [`GameSubset::These`].
    pub fn sizes(&self) -> Vec<u32> {
        self.segments.iter().map(|open| open.segment.n_games()).collect()
    }
}

impl OpenSegment {
    fn scan(
        &self,
        number: usize,
        position: &QueryPosition,
        games: GameSubset<'_>,
        cancel: CancelCheck<'_>,
    ) -> Result<PositionScan> {
        let table = self.segment.openings()?;
        let groups = table.groups(position.rules());
        if groups.is_empty() {
            return Ok(PositionScan::new(position));
        }
        if let ([group], GameSubset::All) = (groups, games)
            && !self.has_removed
            && position.is_folded()
        {
            let frequent = table.node(*group, position.key());
            if let Some(scan) = frequent.and_then(|frequent| frequent.scan(position)) {
                return Ok(scan);
            }
        }
        let folder = self.segment.index_folder();
        let blocks = self
            .index
            .blocks_with_keys(&[CanonicalKey(position.key())])
            .map_err(|error| error.of_folder(&folder))?;
        let wanted = |game: u32, game_setup: u16| {
            let chosen = match games {
                GameSubset::All | GameSubset::AllByReplay => true,
                GameSubset::These(sets) => sets[number].contains(game),
            };
            // After cancellation, no further game is replayed.
            chosen
                && table.is_in(game_setup, groups)
                && !self.segment.is_removed(game)
                && !cancel.is_canceled()
        };
        let scanned = scan(position, self.segment.move_log()?, &blocks, &wanted, table);
        cancel.check()?;
        scanned.map_err(|error| self.segment.move_log_error(error))
    }
}

impl From<TopGame> for GameAt {
    fn from(game: TopGame) -> GameAt {
        GameAt { segment: game.segment, row: game.row }
    }
}
