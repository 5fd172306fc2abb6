//! Retrograde analysis: wins and losses found backwards from the ends of games.
//!
//! Positions are settled in the order of their distance. What wins at once or by a capture into a smaller table is known
//! from the moves; everything else is found from positions that are settled, by taking moves back. A position is lost when
//! all the different positions after its quiet moves are won for the other side and no capture does better.

use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Move, Piece, Role, Side};

use super::index::{Index, Men, PieceCounts};
use super::{Dtm, FURTHEST, IMPOSSIBLE, OPEN, Tablebase, TablebaseError, Tablebases};

/// The counter of a position that cannot be lost.
const SAFE: u8 = u8::MAX;
/// The counter of a position that is noted as won.
const NOTED: u8 = u8::MAX - 1;
/// The bit that says who moves in a position that is noted.
const DEFENDERS: u32 = 1 << 31;

/// The table of one number of attackers and defenders while it is made.
pub(super) struct Builder<'b, const N: usize> {
    book: &'b Rulebook<N>,
    index: &'b Index,
    /// The tables that captures lead to.
    lower: &'b Tablebases,
    counts: PieceCounts,
    /// For each side to move, the value of each position.
    values: [Vec<u8>; 2],
    /// For each side to move, to how many open positions the quiet moves of each position lead.
    left: [Vec<u8>; 2],
    /// By distance: positions that are settled then, unless they were sooner.
    due: Vec<Vec<u32>>,
}

/// What the moves of a position say without the table that is being made.
struct Outlook {
    /// The nearest win by an end or a capture.
    win: Option<u8>,
    /// The furthest loss by an end or a capture.
    loss: u8,
    /// Whether an end or a capture is no loss.
    is_safe: bool,
    /// The numbers of the positions after quiet moves, each once.
    quiet: Vec<u64>,
    n_moves: usize,
}

impl<'b, const N: usize> Builder<'b, N> {
    /// Returns the table of positions with so many pieces.
    pub(super) fn build(
        book: &'b Rulebook<N>,
        index: &'b Index,
        lower: &'b Tablebases,
        counts: PieceCounts,
    ) -> Result<Tablebase, TablebaseError> {
        let size = u32::try_from(index.size(counts)).ok().filter(|size| *size < DEFENDERS);
        let size = size.ok_or(TablebaseError::TooLarge)? as usize;
        let mut builder = Builder {
            book,
            index,
            lower,
            counts,
            values: [vec![OPEN; size], vec![OPEN; size]],
            left: [vec![0; size], vec![0; size]],
            due: vec![Vec::new(); usize::from(FURTHEST) + 1],
        };
        builder.look_ahead(size as u64)?;
        for plies in 1..=FURTHEST {
            let due = std::mem::take(&mut builder.due[usize::from(plies)]);
            for noted in due {
                let side = if noted & DEFENDERS == 0 { Side::Attackers } else { Side::Defenders };
                builder.settle(side, u64::from(noted & !DEFENDERS), plies)?;
            }
        }
        Ok(Tablebase { counts, values: builder.values })
    }

    /// Looks at the moves of every position once.
    fn look_ahead(&mut self, size: u64) -> Result<(), TablebaseError> {
        for number in 0..size {
            let Some(men) = self.index.men(number, self.counts) else {
                self.values.iter_mut().for_each(|values| values[number as usize] = IMPOSSIBLE);
                continue;
            };
            for side in Side::ALL {
                let pos = self.book.arranged(men.pieces(), side);
                let outlook = self.outlook(&pos)?;
                let left = &mut self.left[side.index()][number as usize];
                *left = match u8::try_from(outlook.quiet.len()) {
                    Ok(quiet) if quiet < NOTED => quiet,
                    Ok(_) | Err(_) => return Err(TablebaseError::TooManyMoves),
                };
                if outlook.is_safe || outlook.n_moves == 0 {
                    *left = SAFE;
                }
                let has_lost = *left == 0;
                if let Some(plies) = outlook.win {
                    self.note(side, number, plies)?;
                } else if has_lost {
                    self.note(side, number, outlook.loss)?;
                }
            }
        }
        Ok(())
    }

    /// Says what the moves of a position lead to.
    fn outlook(&self, pos: &Position<N>) -> Result<Outlook, TablebaseError> {
        let side = pos.to_move();
        let mut outlook = Outlook { win: None, loss: 0, is_safe: false, quiet: Vec::new(), n_moves: 0 };
        for mv in self.book.moves(pos) {
            outlook.n_moves += 1;
            let mut next = *pos;
            let effects = self.book.play(&mut next, mv);
            let after = match effects.outcome {
                // Under the rules that tables are made for, nobody loses by a move of his own.
                Some(outcome) if outcome.winner == Some(side) => Dtm::Loss(0),
                Some(_) => Dtm::Open,
                None if effects.captured.any() => {
                    self.lower.known(&men_of(&next)?, side.other()).ok_or(TablebaseError::Unreachable)?
                }
                None => {
                    let number = self.index.number(&men_of(&next)?).ok_or(TablebaseError::Unreachable)?;
                    if !outlook.quiet.contains(&number) {
                        outlook.quiet.push(number);
                    }
                    continue;
                }
            };
            match after {
                Dtm::Open => outlook.is_safe = true,
                Dtm::Win(plies) => outlook.loss = outlook.loss.max(plies + 1),
                Dtm::Loss(plies) => {
                    outlook.win = Some(outlook.win.map_or(plies + 1, |win| win.min(plies + 1)));
                }
            }
        }
        Ok(outlook)
    }

    /// Notes when a position is settled.
    fn note(&mut self, side: Side, number: u64, plies: u8) -> Result<(), TablebaseError> {
        let due = self.due.get_mut(usize::from(plies)).ok_or(TablebaseError::TooFar)?;
        due.push(number as u32 | if side == Side::Attackers { 0 } else { DEFENDERS });
        Ok(())
    }

    /// Settles a position that is won or lost within so many plies, and tells those before it.
    fn settle(&mut self, side: Side, number: u64, plies: u8) -> Result<(), TablebaseError> {
        let value = &mut self.values[side.index()][number as usize];
        if *value != OPEN {
            return Ok(());
        }
        *value = plies;
        let Some(men) = self.index.men(number, self.counts) else { return Ok(()) };
        let pos = self.book.arranged(men.pieces(), side);
        let before = self.before(&pos)?;
        let other = side.other();
        for number in before {
            let at = number as usize;
            if self.values[other.index()][at] != OPEN {
                continue;
            }
            let left = &mut self.left[other.index()][at];
            if *left == NOTED {
                continue;
            }
            if plies.is_multiple_of(2) {
                // The nearest win comes first, because positions are settled by distance.
                *left = NOTED;
                self.note(other, number, plies + 1)?;
                continue;
            }
            if *left == SAFE {
                continue;
            }
            *left -= 1;
            if *left == 0 {
                self.note_loss(other, number, plies + 1)?;
            }
        }
        Ok(())
    }

    /// Notes that a position is lost, if no capture wins: when its furthest reply is settled.
    fn note_loss(&mut self, side: Side, number: u64, plies: u8) -> Result<(), TablebaseError> {
        let Some(men) = self.index.men(number, self.counts) else { return Ok(()) };
        let outlook = self.outlook(&self.book.arranged(men.pieces(), side))?;
        if outlook.win.is_none() {
            self.note(side, number, plies.max(outlook.loss))?;
        }
        Ok(())
    }

    /// Returns the numbers of the positions from which a quiet move leads here, each once.
    fn before(&self, pos: &Position<N>) -> Result<Vec<u64>, TablebaseError> {
        let mover = pos.to_move().other();
        let occupied = pos.occupied();
        let mut numbers = Vec::new();
        for to in pos.side(mover) {
            for from in self.book.topology().slide(to, occupied).without(occupied) {
                let mv = Move::new(from, to);
                let before = self.book.taken_back(pos, mv);
                if !self.book.is_legal(&before, mv) {
                    continue;
                }
                let mut again = before;
                let effects = self.book.play(&mut again, mv);
                if effects.outcome.is_some() || effects.captured.any() || again.key() != pos.key() {
                    continue;
                }
                // A piece may stand where the table has no place for it: then nothing asks for that position.
                if let Some(number) = self.index.number(&men_of(&before)?)
                    && !numbers.contains(&number)
                {
                    numbers.push(number);
                }
            }
        }
        Ok(numbers)
    }
}

/// Returns the pieces of a position of a table.
pub(super) fn men_of<const N: usize>(pos: &Position<N>) -> Result<Men, TablebaseError> {
    let king = Piece::new(Side::Defenders, Role::King);
    let kings = pos.pieces(king);
    let cell = kings.first().ok_or(TablebaseError::Unreachable)?;
    let men = pos.side(Side::Defenders).without(kings);
    Men::of(cell, pos.side(Side::Attackers), men).ok_or(TablebaseError::Unreachable)
}
