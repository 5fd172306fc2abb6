//! Random games as positions and as a move log, for tests of queries.

use tafl_corpus::query::{GameCondition, Query};
use tafl_corpus::{GameResult, GameSetup, MoveLog, MoveLogWriter};
use tafl_rules::{
    AnyRulebook, BySide, CanonicalKey, Cell, Events, Facts, Game, KingStatus, Piece, Rng, Role, RuleSet, Side,
};

use crate::naive_query::{GamePosition, ReplayedPositions, evaluate};
use crate::random::Draw;

/// Games with their move log, and the canonical keys of their positions.
#[derive(Debug)]
pub struct LoggedGames {
    /// The move log.
    pub log: MoveLog,
    /// The positions of the games.
    pub games: Vec<ReplayedPositions>,
    /// The canonical keys of the positions of each game.
    pub keys: Vec<Vec<CanonicalKey>>,
}

/// Returns random facts for a position; only the presence of kings is correct.
fn some_facts(rng: &mut Rng, game: &Game) -> Facts {
    let setup = game.setup();
    let mut status = |side| {
        let has_king = setup.count(Piece::new(side, Role::King)) > 0;
        has_king.then(|| KingStatus::from_code(rng.below(128) as u8))
    };
    let kings = BySide { attackers: status(Side::Attackers), defenders: status(Side::Defenders) };
    let bits = rng.next_u64() & rng.next_u64() & rng.next_u64();
    Facts { events: Events::from_bits(bits as u32), kings }
}

/// Plays random games under rules.
///
/// # Panics
///
/// Panics if the rules cannot be compiled.
pub fn play_logged_games(rng: &mut Rng, rules: &RuleSet, n_games: usize) -> LoggedGames {
    let book = AnyRulebook::compile(rules).expect("the rules can be compiled");
    let setup =
        GameSetup { rules: rules.to_string(), start: rules.start.to_string(), first: rules.first_mover };
    let mut writer = MoveLogWriter::default();
    let (mut games, mut keys) = (Vec::new(), Vec::new());
    for _ in 0..n_games {
        let mut game = Game::new(&book);
        let facts = some_facts(rng, &game);
        writer.begin(&setup, game.shape(), &facts);
        let start = GamePosition {
            setup: game.setup(),
            to_move: game.to_move(),
            last: None,
            captured: Vec::new(),
            facts,
        };
        let mut positions = vec![start];
        let mut position_keys = vec![game.canonical_key().0];
        let mut plies = Vec::new();
        for _ in 0..20 + rng.below(80) {
            let moves = game.moves();
            if moves.is_empty() || game.outcome().is_some() {
                break;
            }
            let mv = rng.one_of(&moves);
            let before = game.setup();
            let ply = game.play(mv).expect("the move was listed");
            let piece_on = |cell: Cell| before.piece(cell).map(|piece| (piece, cell));
            positions.push(GamePosition {
                setup: game.setup(),
                to_move: game.to_move(),
                last: before.piece(mv.from).map(|piece| (piece, mv)),
                captured: ply.captured.iter().filter_map(piece_on).collect(),
                facts: some_facts(rng, &game),
            });
            position_keys.push(game.canonical_key().0);
            plies.push(ply);
        }
        for (at, ply) in plies.iter().enumerate() {
            let position = &mut positions[at + 1];
            // A side may decline to go on, so the side that moved next decides.
            if let Some(next) = plies.get(at + 1) {
                position.to_move = next.side;
            }
            let next = position.to_move == ply.side;
            let captured: Vec<Cell> = ply.captured.iter().collect();
            writer.ply(ply.mv, &captured, next, &position.facts);
        }
        writer.end(GameResult::Draw);
        games.push(ReplayedPositions { rules: rules.clone(), positions });
        keys.push(position_keys);
    }
    LoggedGames { log: MoveLog::from_bytes(writer.finish()).expect("the log was just written"), games, keys }
}

/// Returns a random but reproducible value of a condition on a game.
pub fn truth(condition: &GameCondition, game: usize) -> bool {
    let text = format!("{condition} {game}");
    text.bytes().fold(17_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into())) >> 7 & 1 == 1
}

/// Returns the plies of the naive evaluator's hits; 0 for a hit of a query about games.
///
/// # Panics
///
/// Panics if a query about games matches only some positions.
pub fn naive_hits(query: &Query, game: &ReplayedPositions, number: usize) -> Vec<u32> {
    let holds = evaluate(query.expr(), game, &|condition| truth(condition, number));
    if query.is_about_games() {
        assert!(holds.iter().all(|it| *it == holds[0]), "{query}");
        return if holds[0] { vec![0] } else { Vec::new() };
    }
    (0..).zip(&holds).filter(|(_, holds)| **holds).map(|(ply, _)| ply).collect()
}
