//! An oracle that enumerates every reachable position.

use std::collections::HashMap;

use tafl_rules::{Position, Rulebook, Side};

/// Every reachable position, with the exact distance of its wins.
pub(super) struct Oracle {
    positions: Vec<Position<1>>,
    numbers: HashMap<u64, usize>,
    /// The position or the winner after each move of each position.
    moves: Vec<Vec<Result<usize, Option<Side>>>>,
}

impl Oracle {
    /// Enumerates the positions; `None` if there are too many.
    pub(super) fn of(book: &Rulebook<1>, start: Position<1>, max_positions: usize) -> Option<Oracle> {
        let mut oracle = Oracle {
            positions: vec![start],
            numbers: HashMap::from([(start.key().0, 0)]),
            moves: Vec::new(),
        };
        while oracle.moves.len() < oracle.positions.len() {
            if oracle.positions.len() > max_positions {
                return None;
            }
            let pos = oracle.positions[oracle.moves.len()];
            let mut found = Vec::new();
            for mv in book.moves(&pos) {
                let mut next = pos;
                let effects = book.play(&mut next, mv);
                found.push(match effects.outcome {
                    Some(outcome) => Err(outcome.winner),
                    None => {
                        let new = oracle.positions.len();
                        let number = *oracle.numbers.entry(next.key().0).or_insert(new);
                        if number == new {
                            oracle.positions.push(next);
                        }
                        Ok(number)
                    }
                });
            }
            oracle.moves.push(found);
        }
        Some(oracle)
    }

    /// Returns, for each position, the number of plies within which a side wins, if it can force a
    /// win.
    pub(super) fn wins(&self, side: Side) -> Vec<Option<u16>> {
        let mut wins: Vec<Option<u16>> = vec![None; self.positions.len()];
        for plies in 1.. {
            let mut found = Vec::new();
            for (at, pos) in self.positions.iter().enumerate() {
                if wins[at].is_some() {
                    continue;
                }
                let won = |to: &Result<usize, Option<Side>>| match to {
                    Ok(next) => wins[*next].is_some(),
                    Err(winner) => *winner == Some(side),
                };
                let moves = &self.moves[at];
                let is_won = if pos.to_move() == side {
                    moves.iter().any(won)
                } else {
                    !moves.is_empty() && moves.iter().all(won)
                };
                if is_won {
                    found.push(at);
                }
            }
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|at| wins[at] = Some(plies));
        }
        wins
    }
}
