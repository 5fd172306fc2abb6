//! Random games and their records: inputs of tests, of measurements, and of the samples.

use tafl_parser::{CaptureStyle, Format, Record, WrittenMove, WrittenResult, WrittenVerdict};
use tafl_rules::{AnyRulebook, Game, Move, Outcome, Piece, Ply, Rng, Role, RuleSet, Shape, Span};

/// A random game.
#[derive(Debug)]
pub struct RandomGame {
    /// The plies.
    pub plies: Vec<Ply>,
    /// The captured pieces of each ply, in the order of its captured cells.
    captured: Vec<Vec<Piece>>,
    /// The outcome, if the game ended.
    pub outcome: Option<Outcome>,
}

/// Plays a game of at most `max_plies` plies. A side wins if it can, usually captures if it can, and rarely lets the opponent
/// win at once; otherwise moves are random.
pub fn play(book: &AnyRulebook, rng: &mut Rng, max_plies: usize) -> RandomGame {
    play_with(book, rng, max_plies, choose_sensible)
}

/// Returns the records of `n` games of at most `max_plies` plies. At half of the plies, the move captures or ends the game if
/// one can; the others are uniformly random.
///
/// # Panics
///
/// Panics if the rules cannot be played.
pub fn records(rules: &RuleSet, seed: u64, n: usize, max_plies: usize) -> Vec<Record> {
    let book = AnyRulebook::compile(rules).expect("the rules can be played");
    let mut rng = Rng::new(seed);
    (0..n).map(|_| play_with(&book, &mut rng, max_plies, choose_forcing).record(book.shape())).collect()
}

/// A choice among the legal moves of a game; `None` if there are none.
type Choice = fn(&Game, &[Move], &mut Rng) -> Option<Move>;

fn play_with(book: &AnyRulebook, rng: &mut Rng, max_plies: usize, choose: Choice) -> RandomGame {
    let mut game = Game::new(book);
    let mut played = RandomGame { plies: Vec::new(), captured: Vec::new(), outcome: None };
    while played.plies.len() < max_plies && game.outcome().is_none() {
        let Some(mv) = choose(&game, &game.moves(), rng) else { break };
        let before = game.setup();
        let ply = game.play(mv).expect("listed moves are legal");
        played.captured.push(ply.captured.iter().filter_map(|cell| before.piece(cell)).collect());
        played.plies.push(ply);
    }
    played.outcome = game.outcome();
    played
}

fn choose_forcing(game: &Game, moves: &[Move], rng: &mut Rng) -> Option<Move> {
    if !moves.is_empty() && rng.percent(50) {
        let is_forcing = |mv: &Move| {
            game.clone().play(*mv).is_ok_and(|ply| !ply.captured.is_empty() || ply.outcome.is_some())
        };
        let forcing: Vec<Move> = moves.iter().copied().filter(is_forcing).collect();
        if !forcing.is_empty() {
            return rng.pick(&forcing).copied();
        }
    }
    rng.pick(moves).copied()
}

fn choose_sensible(game: &Game, moves: &[Move], rng: &mut Rng) -> Option<Move> {
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
        let mut is_chained = false;
        for (ply, captured) in self.plies.iter().zip(&self.captured) {
            let cells = ply.captured.iter().zip(captured);
            // Most notations don't write captures of kings.
            let men = cells.filter(|(_, piece)| piece.role != Role::King).map(|(cell, _)| cell);
            let mv = record.played_move(ply.mv, men, shape);
            record.main_mut().moves.push(WrittenMove { chained: is_chained, ..mv });
            is_chained = ply.goes_on;
        }
        record.capture_style = CaptureStyle::ListedButKings;
        let (verdict, reason) = match self.outcome {
            Some(Outcome { winner: Some(side), reason }) => (WrittenVerdict::Win(side), Some(reason)),
            Some(Outcome { winner: None, reason }) => (WrittenVerdict::Draw, Some(reason)),
            None => (WrittenVerdict::Ongoing, None),
        };
        record.result = Some(WrittenResult { verdict, reason, span: Span::default() });
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
            played.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>()
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
