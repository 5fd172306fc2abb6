//! Random games as records: inputs of measurements and of the samples.

use tafl_parser::{CaptureStyle, Format, Record, WrittenMove, WrittenResult, WrittenVerdict};
use tafl_rules::{AnyRulebook, Game, Move, Outcome, Piece, Ply, Rng, Role, Shape, Span};

/// A random game.
#[derive(Debug)]
pub struct RandomGame {
    /// The plies, with the piece that moved.
    pub plies: Vec<(Ply, Piece)>,
    /// The captured pieces of each ply, in the order of its captured cells.
    fallen: Vec<Vec<Piece>>,
    /// The outcome, if the game ended.
    pub outcome: Option<Outcome>,
}

/// Plays a game of at most `most` plies. A side wins if it can, usually captures if it can, and rarely lets the opponent
/// win at once; otherwise moves are random.
pub fn play(book: &AnyRulebook, rng: &mut Rng, most: usize) -> RandomGame {
    let mut game = Game::new(book);
    let mut played = RandomGame { plies: Vec::new(), fallen: Vec::new(), outcome: None };
    while played.plies.len() < most && game.outcome().is_none() {
        let moves = game.moves();
        let chosen = choose(&game, &moves, rng);
        let Some((mv, piece)) = chosen.and_then(|mv| Some((mv, game.piece(mv.from)?))) else { break };
        let before = game.setup();
        let Ok(ply) = game.play(mv) else { break };
        played.plies.push((ply, piece));
        played.fallen.push(ply.captured.iter().filter_map(|cell| before.piece(cell)).collect());
    }
    played.outcome = game.outcome();
    played
}

fn choose(game: &Game, moves: &[Move], rng: &mut Rng) -> Option<Move> {
    let side = game.to_move();
    let mut takes = Vec::new();
    for mv in moves {
        match game.clone().play(*mv) {
            Ok(ply) if ply.outcome.is_some_and(|outcome| outcome.winner == Some(side)) => return Some(*mv),
            Ok(ply) if !ply.captured.is_empty() => takes.push(*mv),
            Ok(_) | Err(_) => {}
        }
    }
    // Six tries: without oversights, games would rarely end.
    for attempt in 0..6 {
        let from = if attempt < 2 && !takes.is_empty() { &takes[..] } else { moves };
        let mv = *rng.pick(from)?;
        if attempt == 5 || !loses(game, mv) {
            return Some(mv);
        }
    }
    None
}

/// Returns whether the other side can win at once after a move.
fn loses(game: &Game, mv: Move) -> bool {
    let mut next = game.clone();
    if next.play(mv).is_err() {
        return true;
    }
    let side = next.to_move();
    let wins = |reply: &Move| {
        next.clone()
            .play(*reply)
            .is_ok_and(|ply| ply.outcome.is_some_and(|outcome| outcome.winner == Some(side)))
    };
    next.moves().iter().any(wins)
}

impl RandomGame {
    /// Returns the game as a record with its captures, as most notations write them.
    pub fn record(&self, shape: Shape) -> Record {
        let mut record = Record::new(Format::Jsonl);
        let nowhere = Span::default();
        let mut is_chained = false;
        for ((ply, _), fallen) in self.plies.iter().zip(&self.fallen) {
            let cells = ply.captured.iter().zip(fallen);
            // Most notations don't write captures of kings.
            let men = cells.filter(|(_, piece)| piece.role != Role::King).map(|(cell, _)| cell);
            let mv = record.played_move(ply.mv, men, shape);
            record.main_mut().moves.push(WrittenMove { chained: is_chained, ..mv });
            is_chained = ply.goes_on;
        }
        record.capture_style = CaptureStyle::ListedButKings;
        record.result = Some(match self.outcome {
            Some(Outcome { winner: Some(side), reason }) => {
                WrittenResult { verdict: WrittenVerdict::Win(side), reason: Some(reason), span: nowhere }
            }
            Some(Outcome { winner: None, reason }) => {
                WrittenResult { verdict: WrittenVerdict::Draw, reason: Some(reason), span: nowhere }
            }
            None => WrittenResult { verdict: WrittenVerdict::Ongoing, reason: None, span: nowhere },
        });
        record
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::catalog;

    use super::*;

    #[test]
    fn the_same_seed_plays_the_same_game() {
        let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
        let moves = |seed| {
            let played = play(&book, &mut Rng::new(seed), 60);
            played.plies.iter().map(|(ply, _)| ply.mv).collect::<Vec<_>>()
        };
        assert_eq!(moves(1), moves(1));
        assert_ne!(moves(1), moves(2));
    }

    #[test]
    fn games_of_every_variant_come_to_an_end_or_a_limit() {
        for variant in catalog::all() {
            let book = AnyRulebook::compile(&variant.rules()).unwrap();
            let played = play(&book, &mut Rng::new(7), 10);
            assert!(played.plies.len() == 10 || played.outcome.is_some(), "{}", variant.name);
            assert_eq!(played.record(book.shape()).main().moves.len(), played.plies.len());
        }
    }
}
