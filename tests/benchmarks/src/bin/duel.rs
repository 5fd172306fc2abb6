//! Plays two engines with different parameters against each other, with a fixed number of nodes per move.
//!
//! `duel VARIANT NODES PAIRS A B [SEED [FILE]]`, where A and B are parameters and
//! weights as text: `window=0,w.tempo=20`; an empty text is the default, `net` the network of the program instead of
//! weights. Every opening, 4 to 6 random plies or 6 to 12 plies of a random line `d1-d3 f4-f2 ...` of a file, is played
//! twice, with sides changed. From 16 pairs on it stops when a sequential test (0 against 15 Elo, 5 % errors) has decided.

use std::process::ExitCode;

use tafl_analyzer::{Engine, Limits, NetChoice, Params, SearchOptions, Weights};
use tafl_rules::{AnyRulebook, Coord, Game, Move, RuleSet, Side, catalog};

/// The number of plies after which a game is drawn.
const MAX_PLIES: usize = 250;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<(), String> {
    let [variant, nodes, pairs, one, other, rest @ ..] = args else {
        return Err("usage: duel VARIANT NODES PAIRS A B [SEED [FILE]]".to_owned());
    };
    let rules = catalog::find(variant).map(|named| named.rules()).or_else(|| variant.parse().ok());
    let rules = rules.ok_or_else(|| format!("no such variant: {variant}"))?;
    let (nodes, pairs) = (nodes.parse().unwrap_or(5000), pairs.parse().unwrap_or(100));
    let mut seed: u64 = rest.first().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let book = AnyRulebook::compile(&rules).expect("a rule set of the catalog compiles");
    let mut engines = [engine(&book, &rules, one)?, engine(&book, &rules, other)?];
    let lines: Vec<String> = match rest.get(1).map(std::fs::read_to_string) {
        Some(text) => text.map_err(|error| error.to_string())?.lines().map(str::to_owned).collect(),
        None => Vec::new(),
    };
    let name = format!("{variant} {nodes}: {one:?} vs {other:?}");
    let mut tally = Tally::default();
    for pair in 1..=pairs {
        let opening = opening(&book, &mut engines[1], &lines, &mut seed);
        let texts = tally.play_pair(&opening, &mut engines, nodes);
        if std::env::var_os("DUEL_SHOW").is_some() {
            println!("{}", texts.join("\n"));
        }
        let is_over = (likelihood(&tally.counts).abs() > 2.94 && pair >= 16) || pair == pairs;
        if is_over || pair % 20 == 0 {
            println!("{name}: {}", tally.text(pair));
        }
        if is_over {
            break;
        }
    }
    Ok(())
}

/// The results so far.
#[derive(Default)]
struct Tally {
    /// The numbers of pairs with 0 to 4 half points for the first player.
    counts: [u32; 5],
    /// The number of games that the attackers won.
    attackers: u32,
    plies: usize,
}

impl Tally {
    /// Plays an opening twice, with sides changed, and returns the texts of the games.
    fn play_pair(&mut self, opening: &Game, engines: &mut [Engine], nodes: u64) -> [String; 2] {
        let mut points = 0;
        let texts = [0, 1].map(|first| {
            let (winner, n_plies, text) = play(opening.clone(), engines, first, nodes);
            self.plies += n_plies;
            self.attackers += u32::from(winner == Some(Side::Attackers));
            points += match winner {
                None => 1,
                Some(winner) if (winner == Side::Attackers) == (first == 0) => 2,
                Some(_) => 0,
            };
            text
        });
        self.counts[points] += 1;
        texts
    }

    fn text(&self, pairs: usize) -> String {
        let Tally { counts, attackers, plies } = self;
        let (elo, error) = elo(counts);
        let (llr, games) = (likelihood(counts), 2 * pairs);
        format!(
            "{counts:?} {games} games, Elo {elo:+.0} +- {error:.0}, LLR {llr:+.2}, attackers {attackers}, {} plies a game",
            plies / games
        )
    }
}

fn engine(book: &AnyRulebook, rules: &RuleSet, text: &str) -> Result<Engine, String> {
    let parts = || text.split(',').filter(|part| !part.is_empty());
    let (weights, params): (Vec<&str>, Vec<&str>) =
        parts().filter(|part| *part != "net").partition(|part| part.starts_with("w."));
    let params: Params = params.join(",").parse().map_err(|error| format!("{error}"))?;
    let mut of_rules = Weights::of_rules(rules);
    let weights = weights.join(",").replace("w.", "");
    of_rules.read(&weights).map_err(|error| format!("{error}"))?;
    let has_net = parts().any(|part| part == "net");
    let (weights, net) =
        if has_net { (None, NetChoice::BuiltIn) } else { (Some(of_rules), NetChoice::Terms) };
    Ok(Engine::new(book, SearchOptions { mebibytes: 2, params, weights, net, ..SearchOptions::default() }))
}

fn random(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

/// Returns a game after some random plies, or the first plies of a random line, in which neither side is about to win.
fn opening(book: &AnyRulebook, judge: &mut Engine, lines: &[String], seed: &mut u64) -> Game {
    loop {
        let mut game = Game::new(book);
        if lines.is_empty() {
            for _ in 0..4 + random(seed) % 3 {
                let moves = game.moves();
                if game.outcome().is_some() || moves.is_empty() {
                    break;
                }
                let _ = game.play(moves[random(seed) % moves.len()]);
            }
        } else {
            let n_plies = 6 + random(seed) % 7;
            let line = &lines[random(seed) % lines.len()];
            if line.split_whitespace().take(n_plies).any(|word| follow(&mut game, word).is_none()) {
                continue;
            }
        }
        judge.new_game();
        let Ok(report) = judge.search(&game, &Limits::nodes(2000)) else { continue };
        if !report.lines[0].score.for_side(Side::Attackers).is_decisive() {
            return game;
        }
    }
}

/// Plays a move such as `d1-d3` or `d1-d3xd4`, if it is legal.
fn follow(game: &mut Game, word: &str) -> Option<()> {
    let (from, to) = word.split([',', 'x']).next()?.split_once('-')?;
    let cell = |name: &str| game.shape().cell(name.parse::<Coord>().ok()?);
    let mv = Move::new(cell(from)?, cell(to)?);
    game.play(mv).is_ok().then_some(())
}

/// Plays a game in which the engine `first` has the attackers. Returns the winner, the number of plies, and a text.
fn play(mut game: Game, engines: &mut [Engine], first: usize, nodes: u64) -> (Option<Side>, usize, String) {
    engines.iter_mut().for_each(Engine::new_game);
    let mut n_plies = 0;
    while game.outcome().is_none() && n_plies < MAX_PLIES {
        let player = if game.to_move() == Side::Attackers { first } else { 1 - first };
        let Ok(report) = engines[player].search(&game, &Limits::nodes(nodes)) else { break };
        if game.play(report.lines[0].moves[0]).is_err() {
            break;
        }
        n_plies += 1;
    }
    let end = game.outcome().map_or("too long".to_owned(), |outcome| outcome.to_string());
    (game.outcome().and_then(|outcome| outcome.winner), n_plies, format!("{n_plies} {end} {}", game.setup()))
}

/// Returns mean and variance of the score of a pair, 0 to 1.
fn moments(counts: &[u32; 5]) -> (f64, f64, f64) {
    // A little of everything, so that few games do not look certain.
    let weights = counts.map(|count| f64::from(count) + 0.1);
    let n: f64 = weights.iter().sum();
    let mean = weights.iter().enumerate().map(|(at, weight)| at as f64 / 4.0 * weight).sum::<f64>() / n;
    let square = |(at, weight): (usize, &f64)| (at as f64 / 4.0 - mean).powi(2) * weight;
    (n, mean, weights.iter().enumerate().map(square).sum::<f64>() / n)
}

fn likelihood(counts: &[u32; 5]) -> f64 {
    let (n, mean, variance) = moments(counts);
    let score = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let (none, some) = (score(0.0), score(15.0));
    if variance == 0.0 { 0.0 } else { n * (some - none) * (2.0 * mean - none - some) / (2.0 * variance) }
}

fn elo(counts: &[u32; 5]) -> (f64, f64) {
    let (n, mean, variance) = moments(counts);
    let at = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
    let half = 1.96 * (variance / n).sqrt();
    (at(mean), (at(mean + half) - at(mean - half)) / 2.0)
}
