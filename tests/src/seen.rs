//! Random games, seen position by position and on a tape, for questions.

use tafl_corpus::query::{GameCondition, Query};
use tafl_corpus::{GameResult, GameSetup, MoveLog, MoveLogWriter, NextMover};
use tafl_rules::{
    AnyRulebook, BySide, CanonicalKey, Cell, Events, Facts, Game, KingStatus, Piece, Role, RuleSet, Side,
};

use crate::naive_query::{Seen, SeenGame, moments_of};
use crate::random::Rng;

/// Games with their tape, and the canonical keys of their positions.
#[derive(Debug)]
pub struct Played {
    /// The games as a corpus keeps them.
    pub tape: MoveLog,
    /// The games position by position.
    pub games: Vec<SeenGame>,
    /// The canonical keys of the positions of each game.
    pub keys: Vec<Vec<CanonicalKey>>,
}

/// Facts that are told of a position: not true ones, but for which kings there are, and often enough to be found.
fn some_facts(rng: &mut Rng, game: &Game) -> Facts {
    let setup = game.setup();
    let mut sight = |side| {
        let has_king = setup.count(Piece::new(side, Role::King)) > 0;
        has_king.then(|| KingStatus::from_code(rng.below(128) as u8))
    };
    let kings = BySide { attackers: sight(Side::Attackers), defenders: sight(Side::Defenders) };
    let bits = rng.number() & rng.number() & rng.number();
    Facts { events: Events::from_bits(bits as u32), kings }
}

/// Plays random games by rules.
///
/// # Panics
///
/// Panics if the rules cannot be compiled.
pub fn play_some(rng: &mut Rng, rules: &RuleSet, n_games: usize) -> Played {
    let book = AnyRulebook::compile(rules).expect("the rules can be compiled");
    let arena =
        GameSetup { rules: rules.to_string(), start: rules.start.to_string(), first: rules.first_mover };
    let mut writer = MoveLogWriter::default();
    let (mut games, mut keys) = (Vec::new(), Vec::new());
    for _ in 0..n_games {
        let mut game = Game::new(&book);
        let facts = some_facts(rng, &game);
        writer.begin(&arena, game.shape(), &facts);
        let start =
            Seen { setup: game.setup(), to_move: game.to_move(), last: None, captured: Vec::new(), facts };
        let mut moments = vec![start];
        let mut its_keys = vec![game.canonical_key().0];
        for _ in 0..20 + rng.below(80) {
            let moves = game.moves();
            if moves.is_empty() || game.outcome().is_some() {
                break;
            }
            let mv = rng.pick(&moves);
            let before = game.setup();
            let ply = game.play(mv).expect("the move was listed");
            let facts = some_facts(rng, &game);
            let captured: Vec<_> = ply.captured.iter().collect();
            let fallen = |cell: &Cell| before.piece(*cell).map(|piece| (piece, *cell));
            writer.ply(
                mv,
                &captured,
                if ply.goes_on { NextMover::SameSide } else { NextMover::OtherSide },
                &facts,
            );
            moments.push(Seen {
                setup: game.setup(),
                to_move: game.to_move(),
                last: before.piece(mv.from).map(|piece| (piece, mv)),
                captured: captured.iter().filter_map(fallen).collect(),
                facts,
            });
            its_keys.push(game.canonical_key().0);
        }
        writer.end(GameResult::Draw);
        games.push(SeenGame { rules: rules.clone(), moments });
        keys.push(its_keys);
    }
    Played { tape: MoveLog::from_bytes(writer.finish()).expect("a tape that was just written"), games, keys }
}

/// Returns what is true of a game as a whole: anything, but always the same.
pub fn truth(condition: &GameCondition, game: usize) -> bool {
    let text = format!("{condition} {game}");
    text.bytes().fold(17_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into())) >> 7 & 1 == 1
}

/// Returns the plies at which the naive evaluator finds a question to hold; 0 where it holds for the whole game.
///
/// # Panics
///
/// Panics if a question about games holds at some moments only.
pub fn naive_hits(query: &Query, game: &SeenGame, number: usize) -> Vec<u32> {
    let holds = moments_of(query.expr(), game, &|condition| truth(condition, number));
    if query.is_about_games() {
        assert!(holds.iter().all(|it| *it == holds[0]), "{query}");
        return if holds[0] { vec![0] } else { Vec::new() };
    }
    (0..).zip(&holds).filter(|(_, holds)| **holds).map(|(ply, _)| ply).collect()
}
