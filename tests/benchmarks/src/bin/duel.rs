//! Plays two engines with different parameters against each other, with a fixed number of nodes per move.
//!
//! `duel VARIANT NODES PAIRS A B [SEED [FILE]]`, where A and B are parameters and weights as text: `window=0,w.tempo=20`; an
//! empty text is the default, and `net` the network of the program instead of weights. Every opening, 4 to 6 random plies or 6
//! to 12 plies of a random line `d1-d3 f4-f2 ...` of a file, is played twice, with sides changed. After at least 16 pairs, it
//! stops if a sequential test (0 against 15 Elo, 5 % errors) is decided. With the variable `DUEL_SHOW`, it prints the last
//! positions.

use std::process::ExitCode;

use tafl_analyzer::{
    Engine, Limits, NetChoice, PairScore, Params, Pentanomial, SearchOptions, Sprt, SprtVerdict, Weights,
};
use tafl_rules::{AnyRulebook, Coord, Game, Move, Rng, RuleSet, Side, catalog};

const USAGE: &str = "usage: duel VARIANT NODES PAIRS A B [SEED [FILE]]";
/// The number of plies after which a game is drawn.
const MAX_PLIES: u64 = 250;
/// The minimum number of pairs.
const MIN_PAIRS: u64 = 16;

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
        return Err(USAGE.to_owned());
    };
    let rules = catalog::find(variant).map(|named| named.rules()).or_else(|| variant.parse().ok());
    let rules = rules.ok_or_else(|| format!("unknown variant {variant}"))?;
    let number =
        |text: &String| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number\n{USAGE}"));
    let (nodes, pairs) = (number(nodes)?, number(pairs)?);
    let mut rng = Rng::new(rest.first().map_or(Ok(1), number)?);
    let sprt = Sprt::new((0.0, 15.0), (0.05, 0.05)).map_err(|error| error.to_string())?;
    let book = AnyRulebook::compile(&rules).expect("a rule set of the catalog compiles");
    let mut engines = [engine(&book, &rules, one)?, engine(&book, &rules, other)?];
    let lines: Vec<String> = match rest.get(1).map(std::fs::read_to_string) {
        Some(text) => text.map_err(|error| error.to_string())?.lines().map(str::to_owned).collect(),
        None => Vec::new(),
    };
    let name = format!("{variant} {nodes}: {one:?} vs {other:?}");
    let mut tally = Tally::default();
    for pair in 1..=pairs {
        let opening = opening(&book, &mut engines[1], &lines, &mut rng);
        let texts = tally.play_pair(&opening, &mut engines, nodes);
        if std::env::var_os("DUEL_SHOW").is_some() {
            println!("{}", texts.join("\n"));
        }
        let is_decided = sprt.verdict(&tally.pairs) != SprtVerdict::GoOn;
        let is_over = (is_decided && pair >= MIN_PAIRS) || pair == pairs;
        if is_over || pair % 20 == 0 {
            println!("{name}: {}", tally.text(&sprt));
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
    pairs: Pentanomial,
    /// The number of games that the attackers won.
    attackers: u32,
    plies: u64,
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
        self.pairs.add(PairScore::HalfPoints(points));
        texts
    }

    fn text(&self, sprt: &Sprt) -> String {
        let Tally { pairs, attackers, plies } = self;
        let games = 2 * pairs.n_pairs();
        let elo = pairs.elo().map_or_else(String::new, |found| {
            format!("Elo {:+.0} [{:+.0}, {:+.0}], ", found.elo, found.low, found.high)
        });
        format!(
            "{:?} {games} games, {elo}LLR {:+.2}, attackers {attackers}, {} plies per game",
            pairs.0,
            sprt.llr(pairs),
            plies / games.max(1)
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

/// Returns a game after some random plies, or the first plies of a random line, in which neither side is about to win.
fn opening(book: &AnyRulebook, judge: &mut Engine, lines: &[String], rng: &mut Rng) -> Game {
    loop {
        let mut game = Game::new(book);
        if lines.is_empty() {
            for _ in 0..4 + rng.below(3) {
                let moves = game.moves();
                if game.outcome().is_some() || moves.is_empty() {
                    break;
                }
                game.play(moves[rng.below(moves.len())]).expect("listed moves are legal");
            }
        } else {
            let n_plies = 6 + rng.below(7);
            let line = &lines[rng.below(lines.len())];
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
fn play(mut game: Game, engines: &mut [Engine], first: usize, nodes: u64) -> (Option<Side>, u64, String) {
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
