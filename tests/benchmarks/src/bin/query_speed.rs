//! Measures the time of queries without an index, with all games replayed, in nanoseconds per position.
//!
//! `query_speed [VARIANT] [GAMES]`

use std::time::Instant;

use tafl_corpus::query::Query;
use tafl_corpus::{GameResult, GameSetup, MoveLog, MoveLogError, MoveLogWriter};
use tafl_rules::{AnyRulebook, Game, Rng, RuleSet, catalog};

/// Queries of every kind; most of them find nothing in random games, so that all positions are evaluated.
const QUERIES: [&str; 16] = [
    "capture",
    "king_distance<=2",
    "capture and king_danger then capture within 4",
    "attackers - defenders >= 20",
    "took:K",
    "pattern corner \"TTT/TTT\"",
    "pattern corner \"?tt/tT.\"",
    "pattern corner swapped \"?tt/tT.\"",
    "pattern at c3 \"TTT/TTT\"",
    "pattern edge \"TTT/TTT\"",
    "pattern throne \"?t?/tKt/?t?\"",
    "pattern king \"?t?/tKt/?t?\"",
    "pattern \"TTT/TTT\"",
    "pattern \"tTt/TtT\"",
    "pattern \"tTt/TtT\" or \"TTT/ttt\" except \"KKK/KKK\"",
    "position \"/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/\"",
];

fn random_games(rules: &RuleSet, n_games: u64) -> MoveLog {
    let book = AnyRulebook::compile(rules).expect("the catalog's rules compile");
    let setup =
        GameSetup { rules: rules.to_string(), start: rules.start.to_string(), first: rules.first_mover };
    let mut writer = MoveLogWriter::default();
    let mut rng = Rng::new(1);
    for _ in 0..n_games {
        let mut game = Game::new(&book);
        writer.begin(&setup, game.shape(), &game.facts());
        for _ in 0..100 {
            let moves = game.moves();
            if moves.is_empty() || game.outcome().is_some() {
                break;
            }
            let mv = moves[rng.below(moves.len())];
            let (ply, facts) = game.play_with_facts(mv).expect("a legal move can be played");
            let captured: Vec<_> = ply.captured.iter().collect();
            writer.ply(mv, &captured, ply.goes_on, &facts);
        }
        writer.end(GameResult::Draw);
    }
    MoveLog::from_bytes(writer.finish()).expect("a move log that was just written can be read")
}

/// The number of rounds: many short ones, so that some of them are not interrupted by other programs.
const ROUNDS: usize = 100;

/// Replays all games and returns the nanoseconds per position: the minimum of all rounds.
fn nanoseconds(move_log: &MoveLog, n_positions: u64, mut each: impl FnMut(u32)) -> f64 {
    let rounds = (0..ROUNDS).map(|_| {
        let begin = Instant::now();
        (0..move_log.n_games()).for_each(&mut each);
        begin.elapsed().as_secs_f64() * 1e9 / n_positions as f64
    });
    rounds.fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), MoveLogError> {
    let mut args = std::env::args().skip(1);
    let variant = args.next().unwrap_or_else(|| "copenhagen11".to_owned());
    let n_games = args.next().map_or(300, |text| text.parse().expect("a number of games"));
    let rules = catalog::find(&variant).expect("a variant of the catalog").rules();
    let move_log = random_games(&rules, n_games);
    let n_positions: u64 =
        (0..move_log.n_games()).map(|game| u64::from(move_log.entry(game).n_plies) + 1).sum();
    println!("{variant}: {n_games} random games, {n_positions} positions");
    let mut cursor = move_log.cursor(0)?;
    let mut n_plies = 0_u64;
    let playing = nanoseconds(&move_log, n_positions, |game| {
        move_log.rewind(&mut cursor, game).expect("the move log is sound");
        while cursor.advance().expect("the move log is sound") {
            n_plies += 1;
        }
    });
    println!("{playing:8.1} ns per position for the replay alone ({} plies)", n_plies / ROUNDS as u64);
    for text in QUERIES {
        let query = Query::parse(text).expect("the query is valid");
        let plan = query.compile(&move_log.game_setups()[0]).expect("the rules can be read");
        let compiling = (0..20).map(|_| {
            let begin = Instant::now();
            std::hint::black_box(query.compile(&move_log.game_setups()[0])).expect("the rules can be read");
            begin.elapsed().as_secs_f64() * 1e6
        });
        let compiling = compiling.fold(f64::INFINITY, f64::min);
        let mut hits = Vec::new();
        let truth: Vec<bool> = Vec::new();
        let whole = nanoseconds(&move_log, n_positions, |game| {
            move_log.rewind(&mut cursor, game).expect("the move log is sound");
            plan.run(&mut cursor, &truth, &mut hits).expect("the move log is sound");
        });
        let (own, n_hits) = (whole - playing, hits.len() / ROUNDS);
        println!(
            "{whole:8.1} ns per position, {own:7.1} for the query itself, {compiling:8.0} us to compile, {n_hits:7} hits: {text}"
        );
    }
    Ok(())
}
