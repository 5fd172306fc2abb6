//! Measures a balance report.
//!
//! `balance_bench CORPUS` reads a corpus and measures all variants. `balance_bench memory GAMES PLAYERS` does so with games
//! that are simulated in memory, `balance_bench make CORPUS GAMES PLAYERS` makes a corpus of short random games for it.

use std::path::Path;
use std::time::Instant;

use tafl_corpus::{Corpus, GameResult, GeneratedGame, Ingest, IngestOptions, Preparer};
use tafl_parser::{ReasonSource, RuleChoice, tag};
use tafl_reports::stats::Estimate;
use tafl_reports::stats::standard_normal;
use tafl_reports::{
    BalanceOptions, GameDate, GameFacts, GameStartKind, Games, GamesToLoad, NameNumber, PlayedVariant,
    balance, load_games,
};
use tafl_rules::{BySide, Game, Move, Outcome, Reason, Rng, Side, catalog};

const USAGE: &str = "usage: balance_bench CORPUS | memory GAMES PLAYERS | make CORPUS GAMES PLAYERS";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse().expect(USAGE);
    match words[..] {
        ["memory", games, players] => measure(&made_up(number(games), number(players) as usize)),
        ["make", path, games, players] => make(path.as_ref(), number(games), number(players) as usize),
        [path] => {
            let start = Instant::now();
            let corpus = Corpus::open(path.as_ref()).expect("the corpus opens");
            let games = load_games(&corpus, GamesToLoad::All).expect("the corpus can be read");
            println!(
                "{} games, {} players read in {:?}",
                games.rows.len(),
                games.players.len(),
                start.elapsed()
            );
            measure(&games);
        }
        _ => panic!("{USAGE}"),
    }
}

fn measure(games: &Games) {
    let start = Instant::now();
    let found = balance(games, &BalanceOptions::default());
    println!("{} variants measured in {:?}; {}", found.variants.len(), start.elapsed(), memory());
    for variant in found.variants.iter().take(20) {
        let balance = variant.balance.as_ref().map(|b| format!("{} [{}, {}]", b.value, b.low, b.high));
        let elo = |elo: Estimate| format!("{:+.1} [{:+.1}, {:+.1}]", elo.value, elo.low, elo.high);
        println!(
            "{:45} {:6} {:28} attackers {:22} pooled {:22} fdr {:.3}",
            variant.variant.label(),
            variant.tally.games,
            balance.unwrap_or_else(|missing| missing.to_string()),
            variant.adjusted.as_ref().map_or_else(|missing| missing.to_string(), |found| elo(found.elo)),
            variant.partially_pooled.map_or_else(String::new, elo),
            variant.p_fdr.unwrap_or(1.0),
        );
    }
}

/// Returns the peak memory that the process had.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("memory unknown").to_owned()
}

const VARIANTS: [&str; 5] = ["copenhagen11", "brandubh7", "fetlar11", "tablut9-w", "tawlbwrdd11"];

/// A game between players of random strengths: variant, players, result, year.
fn result(rng: &mut Rng, strengths: &[f64]) -> (usize, [usize; 2], GameResult, i16) {
    let variant = (rng.unit().powi(2) * VARIANTS.len() as f64) as usize;
    let mut player = || (rng.unit().powi(2) * strengths.len() as f64) as usize;
    let players = [player(), player()];
    let x = strengths[players[0]] - strengths[players[1]] - 0.3 + 0.15 * variant as f64;
    let (win, loss) = ((x / 2.0).exp(), (-x / 2.0).exp());
    let roll = rng.unit() * (win + loss + 0.05);
    let result = if roll < win {
        GameResult::Attackers
    } else if roll < win + loss {
        GameResult::Defenders
    } else {
        GameResult::Draw
    };
    (variant, players, result, 2005 + rng.below(20) as i16)
}

fn strengths(players: usize) -> Vec<f64> {
    let mut rng = Rng::new(1);
    (0..players).map(|_| 0.8 * standard_normal(&mut rng)).collect()
}

fn made_up(n: u32, players: usize) -> Games {
    let strengths = strengths(players);
    let mut rng = Rng::new(2);
    let mut games = Games::default();
    for name in VARIANTS {
        games.variants.push(PlayedVariant {
            name: Some(name.to_owned()),
            rules: String::new(),
            rules_id: 0,
            shape: String::new(),
        });
    }
    for player in 0..players {
        games.players.number(&format!("Player {player}"));
    }
    games.rows = (0..n)
        .map(|row| {
            let (variant, [attackers, defenders], result, year) = result(&mut rng, &strengths);
            let number = |player: usize| Some(NameNumber::new(player as u32));
            let plies = (60.0 * (0.5 * standard_normal(&mut rng)).exp()) as u32;
            GameFacts {
                segment: 0,
                row,
                id: i64::from(row),
                line: i64::from(row),
                variant: variant as u32,
                players: BySide { attackers: number(attackers), defenders: number(defenders) },
                ratings: BySide::default(),
                source: None,
                date: GameDate::of(&year.to_string()),
                number: None,
                result,
                reason: Some(Reason::ALL[rng.below(9)]),
                reason_source: ReasonSource::ALL.get(rng.below(4)).copied(),
                first: Side::Attackers,
                plies,
                captures: BySide { attackers: (plies / 10) as u16, defenders: (plies / 12) as u16 },
                copies: 0,
                start: GameStartKind::OfRules,
            }
        })
        .collect();
    games
}

/// Creates a corpus of games of four to nine random plies that end by resignation.
fn make(path: &Path, n: u32, players: usize) {
    let start = Instant::now();
    let strengths = strengths(players);
    let rules = VARIANTS.map(|name| RuleChoice::named(catalog::find(name).expect("the catalog has it")));
    let starts: Vec<Game> = rules.iter().map(|rules| Game::new(&rules.chosen().book)).collect();
    let mut rng = Rng::new(2);
    let mut ingest = Ingest::begin(path, &IngestOptions::default()).expect("a corpus can be made");
    let mut preparer = Preparer::default();
    for _ in 0..n {
        let (variant, players, result, year) = result(&mut rng, &strengths);
        let mut game = starts[variant].clone();
        let mut moves: Vec<Move> = Vec::new();
        for _ in 0..4 + rng.below(6) {
            let legal = game.moves();
            let mv = legal[rng.below(legal.len())];
            if game.play(mv).is_err() || game.outcome().is_some() {
                break;
            }
            moves.push(mv);
        }
        let names = players.map(|player| format!("Player {player}"));
        let date = format!("{year}-{:02}-{:02}", 1 + rng.below(12), 1 + rng.below(28));
        let tags = [(tag::ATTACKERS, &*names[0]), (tag::DEFENDERS, &*names[1]), (tag::DATE, &*date)];
        let outcome = match result {
            GameResult::Attackers => Some(Outcome::win(Side::Attackers, Reason::Resignation)),
            GameResult::Defenders => Some(Outcome::win(Side::Defenders, Reason::Resignation)),
            GameResult::Draw => Some(Outcome::draw(Reason::Agreement)),
            GameResult::Unfinished => None,
        };
        let made = GeneratedGame { rules: &rules[variant], moves: &moves, outcome, tags: &tags };
        if let Some(game) = preparer.prepare_generated(&made) {
            ingest.add_game(game).expect("games can be added");
        }
    }
    ingest.finish().expect("the corpus can be written");
    println!("{n} games made in {:?}", start.elapsed());
}
