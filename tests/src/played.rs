//! Random games by any rules, and their records.

use tafl_parser::{CaptureStyle, Format, Record, WrittenMove, WrittenResult, WrittenVerdict};
use tafl_rules::{AnyRulebook, Game, Move, Outcome, Rng, Role, RuleSet, Span};

use crate::random::Draw;

/// Returns records of games of at most `most` plies. Every other move captures or ends the game, where one can.
///
/// # Panics
///
/// Panics if the rules cannot be played.
pub fn records(rules: &RuleSet, seed: u64, n: usize, most: usize) -> Vec<Record> {
    let book = AnyRulebook::compile(rules).expect("the rules can be played");
    let mut rng = Rng::new(seed);
    (0..n).map(|_| record(&book, &mut rng, most)).collect()
}

fn record(book: &AnyRulebook, rng: &mut Rng, most: usize) -> Record {
    let shape = book.shape();
    let mut game = Game::new(book);
    let mut record = Record::new(Format::Jsonl);
    record.capture_style = CaptureStyle::ListedButKings;
    let mut is_chained = false;
    while record.main().moves.len() < most && game.outcome().is_none() {
        let Some(mv) = choose(&game, rng) else { break };
        let before = game.setup();
        let ply = game.play(mv).expect("a listed move is legal");
        let men = ply
            .captured
            .iter()
            .filter(|cell| before.piece(*cell).is_some_and(|piece| piece.role != Role::King));
        let written = record.played_move(mv, men, shape);
        record.main_mut().moves.push(WrittenMove { chained: is_chained, ..written });
        is_chained = ply.goes_on;
    }
    let (verdict, reason) = match game.outcome() {
        Some(Outcome { winner: Some(side), reason }) => (WrittenVerdict::Win(side), Some(reason)),
        Some(Outcome { winner: None, reason }) => (WrittenVerdict::Draw, Some(reason)),
        None => (WrittenVerdict::Ongoing, None),
    };
    record.result = Some(WrittenResult { verdict, reason, span: Span::default() });
    record
}

fn choose(game: &Game, rng: &mut Rng) -> Option<Move> {
    let moves = game.moves();
    if moves.is_empty() {
        return None;
    }
    if rng.percent(50) {
        let does_something = |mv: &Move| {
            game.clone().play(*mv).is_ok_and(|ply| !ply.captured.is_empty() || ply.outcome.is_some())
        };
        let sharp: Vec<Move> = moves.iter().copied().filter(does_something).collect();
        if !sharp.is_empty() {
            return Some(rng.one_of(&sharp));
        }
    }
    Some(rng.one_of(&moves))
}
