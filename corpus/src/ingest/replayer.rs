//! Replay of a game, which computes the columns of its plies.

use tafl_rules::{
    AnyRulebook, Cell, CellSet, Event, Events, Facts, Game, Move, Outcome, PieceSet, RepetitionMode, Setup,
    Side,
};

use crate::ply_state::PlyState;

/// A ply with its captures, as the record gives them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordedPly {
    /// The move.
    pub(crate) mv: Move,
    /// The side that moved.
    pub(crate) side: Side,
    /// The captured cells.
    pub(crate) captured: CellSet,
}

/// A replayed game with the columns of its plies.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReplayedGame {
    /// The facts of the start position.
    pub(crate) start: Facts,
    /// The canonical keys of all positions, the start included.
    pub(crate) keys: Vec<u64>,
    /// The plies.
    pub(crate) plies: Vec<PlyReplay>,
    /// The number of plies that the rules do not allow, or after which the board differs.
    pub(crate) n_forced: u32,
}

/// A replayed ply with its columns.
#[derive(Debug, Clone)]
pub(crate) struct PlyReplay {
    /// The move.
    pub(crate) mv: Move,
    /// The side that moved.
    pub(crate) side: Side,
    /// The cells of the captured pieces.
    pub(crate) captured: Vec<Cell>,
    /// The number of legal moves before the ply.
    pub(crate) n_moves: u16,
    /// The events of the ply, and the status of the kings after it.
    pub(crate) facts: Facts,
}

/// Plays moves until one is illegal, and returns the result of the game on the board.
pub(crate) fn follow(mut game: Game, moves: &[Move]) -> (ReplayedGame, Option<Outcome>) {
    let mut replayed = ReplayedGame { start: game.facts(), ..ReplayedGame::default() };
    replayed.keys.push(game.canonical_key().0.0);
    for mv in moves {
        let n_moves = u16::try_from(game.count_moves()).unwrap_or(u16::MAX);
        let Ok((ply, facts)) = game.play_with_facts(*mv) else { break };
        replayed.keys.push(game.canonical_key().0.0);
        let captured = ply.captured.iter().collect();
        replayed.plies.push(PlyReplay { mv: *mv, side: ply.side, captured, n_moves, facts });
    }
    (replayed, game.outcome())
}

impl ReplayedGame {
    /// Returns the plies as steps.
    pub(crate) fn steps(&self) -> Vec<RecordedPly> {
        let step = |ply: &PlyReplay| RecordedPly {
            mv: ply.mv,
            side: ply.side,
            captured: ply.captured.iter().copied().collect(),
        };
        self.plies.iter().map(step).collect()
    }
}

/// Plays games again from their start.
#[derive(Debug)]
pub(crate) struct GameReplayer<'b> {
    /// The rules.
    pub(crate) book: &'b AnyRulebook,
    /// The start.
    pub(crate) start: &'b Setup,
    /// The side that moves first.
    pub(crate) first: Side,
}

impl GameReplayer<'_> {
    /// Returns a game at the start.
    pub(crate) fn game(&self) -> Option<Game> {
        let mut game = if *self.start == self.book.rules().start {
            Game::with_mode(self.book, RepetitionMode::Report)
        } else {
            Game::from_setup(self.book, self.start, self.first, RepetitionMode::Report).ok()?
        };
        if game.to_move() != self.first {
            game.set_to_move(self.first);
        }
        Some(game)
    }

    /// Replays a game. If a ply is illegal or has other captures than by the rules, the board is corrected
    /// and replay continues from there.
    pub(crate) fn play(&self, game: Game, steps: &[RecordedPly]) -> ReplayedGame {
        self.play_observed(game, steps, |_, _| {})
    }

    /// Replays a game as [`GameReplayer::play`], and calls `before` with the number of each ply, from 1, and the position
    /// before it.
    pub(crate) fn play_observed(
        &self,
        mut game: Game,
        steps: &[RecordedPly],
        mut before: impl FnMut(usize, &Game),
    ) -> ReplayedGame {
        let mut replayed = ReplayedGame { start: game.facts(), ..ReplayedGame::default() };
        replayed.keys.reserve(steps.len() + 1);
        replayed.plies.reserve(steps.len());
        replayed.keys.push(game.canonical_key().0.0);
        for (at, step) in steps.iter().enumerate() {
            if game.outcome().is_some() {
                game.clear_outcome();
            }
            if game.to_move() != step.side {
                game.set_to_move(step.side);
            }
            before(at + 1, &game);
            let n_moves = u16::try_from(game.count_moves()).unwrap_or(u16::MAX);
            let facts = match game.play_with_facts(step.mv) {
                Ok((ply, facts)) if ply.captured == step.captured => facts,
                Ok(_) | Err(_) => {
                    replayed.n_forced += 1;
                    self.force_position(&mut game, &steps[..=at])
                }
            };
            replayed.keys.push(game.canonical_key().0.0);
            let captured = step.captured.iter().collect();
            replayed.plies.push(PlyReplay { mv: step.mv, side: step.side, captured, n_moves, facts });
        }
        replayed
    }

    /// Sets the position after these plies, and returns its facts. The events are those that do not depend on the rules.
    #[cold]
    fn force_position(&self, game: &mut Game, steps: &[RecordedPly]) -> Facts {
        let mut state = PlyState::start(self.start, self.first, Facts::default());
        let mut events = Events::NONE;
        for step in steps {
            events = visible_events(&state, step);
            state.captured = step.captured.iter().collect();
            state.advance(step.mv);
        }
        let next = steps.last().map_or(self.first, |step| step.side.other());
        if let Ok(right) = Game::from_setup(self.book, &state.setup(), next, RepetitionMode::Report) {
            *game = right;
        }
        Facts { events, ..game.facts() }
    }
}

/// Returns the events of a ply that are visible on the board, whatever the rules; `state` is the position before it.
fn visible_events(state: &PlyState, step: &RecordedPly) -> Events {
    let is_king = |cell: Cell| state.at(cell).piece().is_some_and(|piece| PieceSet::KINGS.contains(piece));
    let n_captured = step.captured.iter().count();
    let of_ply = [
        (Event::Capture, n_captured > 0),
        (Event::KingCaptured, step.captured.iter().any(is_king)),
        (Event::ManyCaptured, n_captured > 1),
        (Event::KingMoved, is_king(step.mv.from)),
    ];
    of_ply.into_iter().filter(|(_, is_visible)| *is_visible).map(|(event, _)| event).collect()
}

#[cfg(test)]
mod tests {
    use tafl_rules::catalog;

    use super::*;

    #[test]
    fn plies_against_the_rules_have_the_events_that_are_visible_on_the_board() {
        let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
        let (start, first) = (&book.rules().start, book.rules().first_mover);
        let replayer = GameReplayer { book: &book, start, first };
        let cell = |name: &str| book.shape().cell(name.parse().unwrap()).unwrap();
        let step = |from: &str, to: &str, side: Side, captured: &[&str]| RecordedPly {
            mv: Move { from: cell(from), to: cell(to) },
            side,
            captured: captured.iter().map(|name| cell(name)).collect(),
        };
        let steps = [
            step("d2", "c2", Side::Attackers, &["d3", "e4"]),
            step("d4", "e5", Side::Defenders, &[]),
            step("c2", "c1", Side::Attackers, &["e5"]),
        ];
        let replayed = replayer.play(replayer.game().unwrap(), &steps);
        assert_eq!(replayed.n_forced, 3);
        let events: Vec<Vec<Event>> =
            replayed.plies.iter().map(|ply| ply.facts.events.iter().collect()).collect();
        let expected: [&[Event]; 3] = [
            &[Event::Capture, Event::ManyCaptured],
            &[Event::KingMoved],
            &[Event::Capture, Event::KingCaptured],
        ];
        assert_eq!(events, expected);
    }
}
