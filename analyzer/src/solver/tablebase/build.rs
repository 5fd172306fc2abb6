//! Retrograde analysis: computes wins and losses backwards from the ends of games.
//!
//! Positions are settled in ascending order of their distance. Immediate wins and wins by a capture
//! into a smaller tablebase follow from the moves; all other values are propagated backwards from
//! settled positions. A position is lost when every distinct position after its quiet moves is won
//! for the other side and no capture is better.

use tafl_rules::{Move, Piece, Position, Role, Rulebook, Side};

use super::index::{PieceCells, PieceCounts, PositionIndex};
use super::{Dtm, IMPOSSIBLE, MAX_PLIES, OPEN, Tablebase, TablebaseError, Tablebases};

/// The counter of a position that cannot be lost.
const SAFE: u8 = u8::MAX;
/// The counter of a position that is scheduled as a win.
const SCHEDULED: u8 = u8::MAX - 1;
/// The number of positions between two calls of [`Builder::must_stop`].
const POSITIONS_PER_CHECK: u32 = 1 << 12;
/// The bit that marks the defenders as the side to move in a scheduled position.
const DEFENDERS: u32 = 1 << 31;

/// A tablebase under construction, for one number of attackers and defenders.
pub(super) struct Builder<'b, const N: usize> {
    book: &'b Rulebook<N>,
    index: &'b PositionIndex,
    /// The smaller tablebases reached by captures.
    lower: &'b Tablebases,
    counts: PieceCounts,
    /// Returns whether the construction should stop.
    must_stop: &'b dyn Fn() -> bool,
    /// The number of positions until the next call of `must_stop`.
    until_check: u32,
    /// The value of each position, for each side to move.
    values: [Vec<u8>; 2],
    /// The number of unsettled positions after the quiet moves of each position, for each side to
    /// move.
    left: [Vec<u8>; 2],
    /// The positions scheduled for each distance. Positions that are settled earlier are ignored.
    due: Vec<Vec<u32>>,
}

/// A summary of the moves of a position that do not stay in the tablebase under construction.
struct MoveSummary {
    /// The fastest win by an end of the game or a capture.
    win: Option<u8>,
    /// The slowest loss by an end of the game or a capture.
    loss: u8,
    /// Whether an end of the game or a capture avoids a loss.
    is_safe: bool,
    /// The distinct indexes of the positions after quiet moves.
    quiet: Vec<u64>,
    n_moves: usize,
}

impl<'b, const N: usize> Builder<'b, N> {
    /// Builds the tablebase of positions with the given numbers of pieces.
    pub(super) fn build(
        book: &'b Rulebook<N>,
        lower: &'b Tablebases,
        counts: PieceCounts,
        must_stop: &'b dyn Fn() -> bool,
    ) -> Result<Tablebase, TablebaseError> {
        let index = &lower.index;
        let size = u32::try_from(index.size(counts)).ok().filter(|size| *size < DEFENDERS);
        let size = size.ok_or(TablebaseError::TooLarge)? as usize;
        let mut builder = Builder {
            book,
            index,
            lower,
            counts,
            must_stop,
            until_check: 0,
            values: [vec![OPEN; size], vec![OPEN; size]],
            left: [vec![0; size], vec![0; size]],
            due: vec![Vec::new(); usize::from(MAX_PLIES) + 1],
        };
        builder.initialize(size as u64)?;
        for plies in 1..=MAX_PLIES {
            let due = std::mem::take(&mut builder.due[usize::from(plies)]);
            for scheduled in due {
                builder.check_stop()?;
                let side = if scheduled & DEFENDERS == 0 { Side::Attackers } else { Side::Defenders };
                builder.settle_position(side, u64::from(scheduled & !DEFENDERS), plies)?;
            }
        }
        Ok(Tablebase { counts, values: builder.values })
    }

    /// Examines the moves of every position once and schedules the positions whose value follows
    /// from them.
    fn initialize(&mut self, size: u64) -> Result<(), TablebaseError> {
        for number in 0..size {
            self.check_stop()?;
            let Some(pieces) = self.index.pieces(number, self.counts) else {
                self.values.iter_mut().for_each(|values| values[number as usize] = IMPOSSIBLE);
                continue;
            };
            for side in Side::ALL {
                let pos = self.book.position_of(pieces.iter(), side);
                let summary = self.summary(&pos)?;
                let left = &mut self.left[side.index()][number as usize];
                *left = match u8::try_from(summary.quiet.len()) {
                    Ok(quiet) if quiet < SCHEDULED => quiet,
                    Ok(_) | Err(_) => return Err(TablebaseError::TooManyMoves),
                };
                if summary.is_safe || summary.n_moves == 0 {
                    *left = SAFE;
                }
                let has_lost = *left == 0;
                if let Some(plies) = summary.win {
                    self.schedule(side, number, plies)?;
                } else if has_lost {
                    self.schedule(side, number, summary.loss)?;
                }
            }
        }
        Ok(())
    }

    /// Checks once in a while whether the construction should stop.
    fn check_stop(&mut self) -> Result<(), TablebaseError> {
        if self.until_check > 0 {
            self.until_check -= 1;
            return Ok(());
        }
        self.until_check = POSITIONS_PER_CHECK;
        if (self.must_stop)() { Err(TablebaseError::Stopped) } else { Ok(()) }
    }

    /// Returns a summary of the moves of a position.
    fn summary(&self, pos: &Position<N>) -> Result<MoveSummary, TablebaseError> {
        let side = pos.to_move();
        let mut summary = MoveSummary { win: None, loss: 0, is_safe: false, quiet: Vec::new(), n_moves: 0 };
        for mv in self.book.moves(pos) {
            summary.n_moves += 1;
            let mut next = *pos;
            let effects = self.book.play(&mut next, mv);
            let after = match effects.outcome {
                // Under the supported rules, no side can lose by its own move.
                Some(outcome) if outcome.winner == Some(side) => Dtm::Loss(0),
                Some(_) => Dtm::Open,
                None if effects.captured.any() => {
                    self.lower.lookup(&pieces_of(&next)?, side.other()).ok_or(TablebaseError::Unreachable)?
                }
                None => {
                    let number = self.index.number(&pieces_of(&next)?).ok_or(TablebaseError::Unreachable)?;
                    if !summary.quiet.contains(&number) {
                        summary.quiet.push(number);
                    }
                    continue;
                }
            };
            match after {
                Dtm::Open => summary.is_safe = true,
                Dtm::Win(plies) => summary.loss = summary.loss.max(plies + 1),
                Dtm::Loss(plies) => {
                    summary.win = Some(summary.win.map_or(plies + 1, |win| win.min(plies + 1)));
                }
            }
        }
        Ok(summary)
    }

    /// Schedules a position to be settled at a distance.
    fn schedule(&mut self, side: Side, number: u64, plies: u8) -> Result<(), TablebaseError> {
        let due = self.due.get_mut(usize::from(plies)).ok_or(TablebaseError::TooFar)?;
        due.push(number as u32 | if side == Side::Attackers { 0 } else { DEFENDERS });
        Ok(())
    }

    /// Settles a position and propagates its value to its predecessors.
    fn settle_position(&mut self, side: Side, number: u64, plies: u8) -> Result<(), TablebaseError> {
        let value = &mut self.values[side.index()][number as usize];
        if *value != OPEN {
            return Ok(());
        }
        *value = plies;
        let Some(pieces) = self.index.pieces(number, self.counts) else { return Ok(()) };
        let pos = self.book.position_of(pieces.iter(), side);
        let predecessors = self.predecessors(&pos)?;
        let other = side.other();
        for number in predecessors {
            let at = number as usize;
            if self.values[other.index()][at] != OPEN {
                continue;
            }
            let left = &mut self.left[other.index()][at];
            if *left == SCHEDULED {
                continue;
            }
            if plies.is_multiple_of(2) {
                // The fastest win comes first, because positions are settled in ascending order of
                // distance.
                *left = SCHEDULED;
                self.schedule(other, number, plies + 1)?;
                continue;
            }
            if *left == SAFE {
                continue;
            }
            *left -= 1;
            if *left == 0 {
                self.schedule_loss(other, number, plies + 1)?;
            }
        }
        Ok(())
    }

    /// Schedules a lost position for the distance of its slowest reply, unless a capture wins.
    fn schedule_loss(&mut self, side: Side, number: u64, plies: u8) -> Result<(), TablebaseError> {
        let Some(pieces) = self.index.pieces(number, self.counts) else { return Ok(()) };
        let summary = self.summary(&self.book.position_of(pieces.iter(), side))?;
        if summary.win.is_none() {
            self.schedule(side, number, plies.max(summary.loss))?;
        }
        Ok(())
    }

    /// Returns the distinct indexes of the positions from which a quiet move leads here.
    fn predecessors(&self, pos: &Position<N>) -> Result<Vec<u64>, TablebaseError> {
        let mover = pos.to_move().other();
        let occupied = pos.occupied();
        let mut numbers = Vec::new();
        for to in pos.side(mover) {
            for from in self.book.topology().slide(to, occupied).without(occupied) {
                let mv = Move::new(from, to);
                let before = self.book.retract(pos, mv);
                if !self.book.is_legal(&before, mv) {
                    continue;
                }
                let mut again = before;
                let effects = self.book.play(&mut again, mv);
                if effects.outcome.is_some() || effects.captured.any() || again.key() != pos.key() {
                    continue;
                }
                // A piece may be on a cell that the index does not cover. Such positions are
                // unreachable, so they are skipped.
                if let Some(number) = self.index.number(&pieces_of(&before)?)
                    && !numbers.contains(&number)
                {
                    numbers.push(number);
                }
            }
        }
        Ok(numbers)
    }
}

/// Returns the pieces of a position of a tablebase.
pub(super) fn pieces_of<const N: usize>(pos: &Position<N>) -> Result<PieceCells, TablebaseError> {
    let king = Piece::new(Side::Defenders, Role::King);
    let kings = pos.pieces(king);
    let cell = kings.first().ok_or(TablebaseError::Unreachable)?;
    let men = pos.side(Side::Defenders).without(kings);
    PieceCells::of(cell, pos.side(Side::Attackers), men).ok_or(TablebaseError::Unreachable)
}
