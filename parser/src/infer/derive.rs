//! The derivation of an unknown start from the moves alone.
//!
//! A cell from which a piece moves before anything else happened there was occupied at the start; a cell to
//! which or over which a piece moves was empty; a piece captured on a cell to which no piece moved started
//! there. Cells that no game determines are filled in from their images under the symmetries of the board,
//! because starts are symmetric.

use tafl_rules::{Cell, Piece, Role, Setup, Shape, Side, shape_symmetries};

use super::game::GameEvidence;
use crate::record::Record;

/// A start derived from moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DerivedStart {
    pub(super) setup: Setup,
    /// The number of cells that the games determine.
    pub(super) seen: usize,
    /// The number of cells filled in by symmetry.
    pub(super) mirrored: usize,
    /// The number of undetermined cells; they are assumed to be empty.
    pub(super) unknown: usize,
}

/// The evidence of the games about a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Votes {
    first: u32,
    second: u32,
    empty: u32,
}

/// The initial content of a cell: a piece of the first mover, of the other side, or empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StartContent {
    First,
    Second,
    Nothing,
}

impl Votes {
    fn majority(self) -> Option<StartContent> {
        let most = self.first.max(self.second).max(self.empty);
        match most {
            0 => None,
            _ if most == self.empty => Some(StartContent::Nothing),
            _ if most == self.first => Some(StartContent::First),
            _ => Some(StartContent::Second),
        }
    }
}

/// Returns the start of the records as far as their moves determine it, or `None` if there are too few.
pub(super) fn derive(records: &[&Record]) -> Option<DerivedStart> {
    let largest = records.iter().flat_map(|record| record.main().moves.iter()).fold(0, |most, mv| {
        most.max(mv.from.file + 1).max(mv.from.rank + 1).max(mv.to.file + 1).max(mv.to.rank + 1)
    });
    // Boards have a central cell, so the number of cells per side is odd.
    let shape = Shape::square(u8::try_from(largest | 1).ok()?)?;
    let mut votes = vec![Votes::default(); shape.n_cells()];
    for record in records {
        count(&GameEvidence::new(0, record, shape), shape, &mut votes);
    }
    let majorities: Vec<Option<StartContent>> = votes.iter().map(|votes| votes.majority()).collect();
    let seen = majorities.iter().filter(|majority| majority.is_some()).count();
    let mut mirrored = 0;
    let mut contents = majorities.clone();
    for cell in shape.cells().filter(|cell| majorities[cell.index()].is_none()) {
        let mut sum = Votes::default();
        for symmetry in shape_symmetries(shape) {
            let other = votes[symmetry.image(cell).index()];
            sum.first += other.first;
            sum.second += other.second;
            sum.empty += other.empty;
        }
        contents[cell.index()] = sum.majority();
        mirrored += usize::from(sum.majority().is_some());
    }
    let unknown = shape.n_cells() - seen - mirrored;
    let setup = arrange(shape, &contents, &votes, recorded_first_mover(records))?;
    Some(DerivedStart { setup, seen, mirrored, unknown })
}

/// The side that moves first, if the records name it.
fn recorded_first_mover(records: &[&Record]) -> Option<Side> {
    records.iter().find_map(|record| record.first_mover)
}

fn arrange(
    shape: Shape,
    contents: &[Option<StartContent>],
    votes: &[Votes],
    first: Option<Side>,
) -> Option<Setup> {
    let center = shape.center()?;
    let count = |side| contents.iter().filter(|content| **content == Some(side)).count();
    let (n_first, n_second) = (count(StartContent::First), count(StartContent::Second));
    // The king starts in the center and belongs to the side with fewer pieces; he may never have moved.
    let first = first.unwrap_or(match contents[center.index()] {
        Some(StartContent::First) => Side::Defenders,
        Some(StartContent::Second) => Side::Attackers,
        Some(StartContent::Nothing) | None if n_first < n_second => Side::Defenders,
        Some(StartContent::Nothing) | None => Side::Attackers,
    });
    if n_first + n_second < 4 || votes[center.index()].empty > 0 {
        return None;
    }
    let mut setup = Setup::empty(shape);
    for cell in shape.cells() {
        let side = match contents[cell.index()] {
            Some(StartContent::First) => first,
            Some(StartContent::Second) => first.other(),
            Some(StartContent::Nothing) | None => continue,
        };
        setup.put(cell, Some(Piece::new(side, Role::Soldier)));
    }
    setup.put(center, Some(Piece::new(Side::Defenders, Role::King)));
    Some(setup)
}

/// Counts the evidence of a game about cells where nothing has happened yet.
fn count(game: &GameEvidence, shape: Shape, votes: &mut [Votes]) {
    let mut happened = vec![false; shape.n_cells()];
    let mut is_first = true;
    for (nth, step) in game.steps.iter().enumerate() {
        if nth > 0 && !step.is_chained {
            is_first = !is_first;
        }
        let mine =
            |votes: &mut Votes, is_first: bool| if is_first { votes.first += 1 } else { votes.second += 1 };
        let (from, to) = (step.mv.from, step.mv.to);
        if !happened[from.index()] {
            mine(&mut votes[from.index()], is_first);
        }
        for cell in between(shape, from, to).into_iter().chain([to]) {
            if !happened[cell.index()] {
                votes[cell.index()].empty += 1;
            }
        }
        for cell in step.marks.iter() {
            if !happened[cell.index()] {
                mine(&mut votes[cell.index()], !is_first);
            }
            happened[cell.index()] = true;
        }
        (happened[from.index()], happened[to.index()]) = (true, true);
    }
}

/// Returns the cells between two cells on a line along the axes.
fn between(shape: Shape, from: Cell, to: Cell) -> Vec<Cell> {
    let (from, to) = (shape.coord(from), shape.coord(to));
    let step =
        tafl_rules::Step { file: (to.file - from.file).signum(), rank: (to.rank - from.rank).signum() };
    let is_straight = (from.file == to.file) != (from.rank == to.rank);
    let mut cells = Vec::new();
    let mut at = from.plus(step);
    while is_straight && at != to {
        cells.extend(shape.cell(at));
        at = at.plus(step);
    }
    cells
}
