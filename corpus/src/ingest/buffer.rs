//! A buffer of games that will be written as a segment.

use super::prepare::PreparedGame;
use crate::move_log::MoveLogWriter;
use crate::row::GameRow;
use crate::segment::SegmentDraft;

/// The number of positions at which an import writes a segment.
///
/// Smaller segments are written earlier, by more threads at once, and need less memory: an import holds as many as it has
/// threads. Compaction joins them, see [`compact`](crate::compact).
pub(crate) const SEGMENT_SIZE: usize = 1 << 19;

/// A buffer of games that will be written as a segment.
#[derive(Debug)]
pub(crate) struct SegmentBuffer {
    /// The number that the segment will have.
    pub(crate) number: u64,
    /// The games.
    pub(crate) rows: Vec<GameRow>,
    move_log: MoveLogWriter,
    /// The canonical keys of all positions.
    keys: Vec<u64>,
    /// The number of legal moves before each ply.
    move_counts: Vec<u16>,
    /// The index in `keys` of the first key of each game.
    first_keys: Vec<usize>,
    /// The number of positions at which it is full.
    size: usize,
}

impl SegmentBuffer {
    /// Returns an empty buffer for the segment with a number.
    pub(crate) fn new(number: u64) -> SegmentBuffer {
        SegmentBuffer::with_size(number, SEGMENT_SIZE)
    }

    /// Returns an empty buffer that is full with a number of positions.
    pub(crate) fn with_size(number: u64, size: usize) -> SegmentBuffer {
        SegmentBuffer {
            number,
            size,
            rows: Vec::new(),
            move_log: MoveLogWriter::default(),
            keys: Vec::new(),
            move_counts: Vec::new(),
            first_keys: Vec::new(),
        }
    }

    /// Returns whether the buffer is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns whether there are enough games for a segment.
    pub(crate) fn is_full(&self) -> bool {
        self.keys.len() >= self.size || self.move_log.is_full()
    }

    /// Returns the keys of a game in the buffer.
    pub(crate) fn keys(&self, row: u32) -> &[u64] {
        let row = row as usize;
        let end = self.first_keys.get(row + 1).copied().unwrap_or(self.keys.len());
        &self.keys[self.first_keys[row]..end]
    }

    /// Adds a game and returns its row.
    pub(crate) fn add(&mut self, game: PreparedGame) -> u32 {
        let PreparedGame { row, game_setup, shape, replayed, .. } = game;
        self.move_log.begin(&game_setup, shape, &replayed.start);
        for (at, ply) in replayed.plies.iter().enumerate() {
            // The side that moved next decides; after the last ply, whether the piece could have continued.
            let goes_on = match replayed.plies.get(at + 1) {
                Some(next) => next.side == ply.side,
                None => ply.facts.events.contains(tafl_rules::Event::ChainGoesOn),
            };
            self.move_log.ply(ply.mv, &ply.captured, goes_on, &ply.facts);
            self.move_counts.push(ply.n_moves);
        }
        self.move_log.end(row.result);
        self.first_keys.push(self.keys.len());
        self.keys.extend(replayed.keys);
        self.rows.push(row);
        self.rows.len() as u32 - 1
    }

    /// Returns the draft of the segment.
    pub(crate) fn into_draft(self) -> SegmentDraft {
        SegmentDraft {
            number: self.number,
            rows: self.rows,
            move_log: self.move_log.finish(),
            keys: self.keys,
            move_counts: self.move_counts,
        }
    }
}
