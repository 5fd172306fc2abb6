//! The ways in which a turn of several steps can go on.

use tafl_rules::game::CellSet;
use tafl_rules::{Cell, Game, Move, Role};

/// How many ways to go on with a turn are looked at, and of how many steps.
const MOST_WAYS: usize = 60;
const MOST_STEPS: usize = 6;

/// The ways to go on with a turn, of one step before those that go on from there.
#[derive(Default)]
pub(super) struct Ways(pub(super) Vec<FurtherSteps>);

pub(super) struct FurtherSteps {
    pub(super) steps: Vec<Move>,
    pub(super) game: Game,
    /// What fell, without kings.
    pub(super) fell: Vec<Cell>,
}

impl Ways {
    pub(super) fn collect(&mut self, game: &Game, steps: &mut Vec<Move>, n_fell: usize) {
        let Some(at) = game.chain() else { return };
        let before: Vec<Cell> = match (steps.is_empty(), self.0.last()) {
            (false, Some(last)) => last.fell[..n_fell].to_vec(),
            (true, _) | (false, None) => Vec::new(),
        };
        for to in game.targets(at).iter() {
            if self.0.len() >= MOST_WAYS || steps.len() >= MOST_STEPS {
                return;
            }
            let mut next = game.clone();
            let mv = Move::new(at, to);
            let Ok(ply) = next.play(mv) else { continue };
            let mut fell = before.clone();
            fell.extend(men_among(&next, ply.captured));
            let n_fell = fell.len();
            steps.push(mv);
            self.0.push(FurtherSteps { steps: steps.clone(), game: next.clone(), fell });
            if ply.goes_on {
                self.collect(&next, steps, n_fell);
            }
            steps.pop();
        }
    }
}

/// Returns those of the cells on which no king fell with the last ply.
pub(super) fn men_among(game: &Game, fallen: CellSet) -> Vec<Cell> {
    let is_man = |cell: &Cell| game.fallen(*cell).is_some_and(|piece| piece.role != Role::King);
    fallen.iter().filter(is_man).collect()
}
