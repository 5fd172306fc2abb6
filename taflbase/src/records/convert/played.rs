//! The replayed game, as writers need it.

use std::sync::Arc;

use tafl_parser::{ChosenRules, PlayedMoves, PlayedPly, Replay};
use tafl_rules::{Cell, Coord, Piece, Role, RuleSet, Setup, Shape};

use super::super::ReplayedRecord;

/// Converts replays for writers; caches the text of the last rules.
#[derive(Debug, Default)]
pub struct PlayedBuilder {
    last: Option<(Arc<ChosenRules>, Box<str>)>,
}

impl PlayedBuilder {
    /// Returns the legal part of a game with its pieces; none if the rules are unknown.
    pub fn played(&mut self, replayed: &ReplayedRecord) -> Option<PlayedMoves> {
        let chosen = replayed.replay.rules.as_ref()?;
        let text = match self.last.take().filter(|(last, _)| Arc::ptr_eq(last, chosen)) {
            Some((_, text)) => text,
            None => chosen.book.rules().to_string().into(),
        };
        self.last = Some((Arc::clone(chosen), text.clone()));
        Some(played(replayed, chosen.book.rules(), text))
    }
}

fn played(replayed: &ReplayedRecord, rules: &RuleSet, text: Box<str>) -> PlayedMoves {
    let Replay { plies, outcome, .. } = &replayed.replay;
    let start = replayed.record.start.as_ref().map(|start| &start.setup);
    let mut board =
        start.filter(|setup| setup.shape() == rules.start.shape()).unwrap_or(&rules.start).clone();
    let shape = board.shape();
    let mut played = PlayedMoves { rules: text, outcome: *outcome, plies: Vec::new(), captures: Vec::new() };
    // Writers find the ply of a move by its number. After a step that is not written, or a move that was taken back,
    // the numbers differ, and moves are written as the record has them.
    let in_step = plies.iter().zip(0..).take_while(|(ply, nth)| ply.written == Some(*nth));
    for (ply, _) in in_step {
        let Some(piece) = board.piece(ply.mv.from) else { break };
        board.put(ply.mv.from, None);
        board.put(ply.mv.to, Some(piece));
        let first_capture = played.captures.len();
        for cell in ply.captured.iter() {
            played.captures.extend(fall(&mut board, shape, cell));
        }
        let n_captures = (played.captures.len() - first_capture) as u16;
        played.plies.push(PlayedPly { piece, first_capture: first_capture as u32, n_captures });
    }
    played
}

/// Removes a captured piece from the board; a mercenary stays and changes sides.
fn fall(board: &mut Setup, shape: Shape, cell: Cell) -> Option<(Coord, Piece)> {
    let piece = board.piece(cell)?;
    let stays = (piece.role == Role::Mercenary).then(|| Piece { side: piece.side.other(), ..piece });
    board.put(cell, stays);
    Some((shape.coord(cell), piece))
}

#[cfg(test)]
mod tests {
    use tafl_parser::{Format, ReplayOptions, Replayer, RuleChoice, Source};
    use tafl_rules::catalog;

    use super::*;

    fn replayed(text: &str) -> ReplayedRecord {
        let rules = catalog::find("brandubh7").map(RuleChoice::named);
        let mut replayer = Replayer::new(ReplayOptions { rules, ..ReplayOptions::default() });
        let parsed = Format::MoveList.parse(&Source::new(text));
        let replay = replayer.replay(&parsed.value);
        let verdict = replay.soundness();
        ReplayedRecord { record: parsed.value, replay, verdict, diagnostics: parsed.diagnostics }
    }

    #[test]
    fn pieces_are_those_of_the_board() {
        let played = PlayedBuilder::default().played(&replayed("d2-c2 e4-e1 b4-b2 d4-e4")).unwrap();
        let roles: Vec<Role> = played.plies.iter().map(|ply| ply.piece.role).collect();
        assert_eq!(roles, [Role::Soldier, Role::Soldier, Role::Soldier, Role::King]);
    }

    #[test]
    fn plies_after_a_reconstructed_one_are_left_to_the_record() {
        let mut replayed = replayed("d2-c2 e4-e1 b4-b2 d4-e4");
        replayed.replay.plies[2].written = None;
        assert_eq!(PlayedBuilder::default().played(&replayed).unwrap().plies.len(), 2);
    }
}
