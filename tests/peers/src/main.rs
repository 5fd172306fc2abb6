//! Comparison of Taflbase with the crate `hnefatafl`: the same work in the same run, alternately.
//!
//! ```text
//! tafl-peers [--rounds N] [--only replay|perft] [--format text|json] [FILE...]
//! tafl-peers --made copenhagen|brandubh
//! ```
//!
//! Files contain move lists of Copenhagen (11x11) or Brandubh (7x7). Without files, the games are random;
//! `--made` prints them. README.md describes the measurements.

mod measure;
mod ours;
mod random;
mod report;
mod theirs;

use std::process::ExitCode;
use std::{env, fs};

use measure::{Comparison, compare};
use report::Style;

/// A variant that both programs support.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    Copenhagen,
    Brandubh,
}

impl Variant {
    /// Returns the variant of a list of moves: the one whose board has all the cells.
    fn of(text: &str) -> Variant {
        let games = text.lines().filter(|line| !line.starts_with('#'));
        let mut moves = games.filter_map(|line| line.split(',').next()).flat_map(str::split_whitespace);
        let is_large = moves.any(|mv| mv.contains('-') && mv.contains(['h', 'j', 'k']));
        if is_large { Variant::Copenhagen } else { Variant::Brandubh }
    }

    /// Returns the number of random games.
    fn made(self) -> usize {
        match self {
            Variant::Copenhagen => 1000,
            Variant::Brandubh => 2000,
        }
    }

    /// Returns the name that the catalog of Taflbase has for it.
    fn name(self) -> &'static str {
        match self {
            Variant::Copenhagen => "copenhagen11",
            Variant::Brandubh => "brandubh7",
        }
    }

    /// Returns the depth of the perft, in plies.
    fn depth(self) -> u32 {
        match self {
            Variant::Copenhagen => 4,
            Variant::Brandubh => 5,
        }
    }
}

/// The findings of a replay of games, counted in the same way for both programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    games: u64,
    plies: u64,
    /// Games with a move that the program does not allow.
    illegal: u64,
    /// Plies whose written captures are not those of the board.
    wrong_captures: u64,
    /// Games that end on the board with another winner than written.
    wrong_results: u64,
}

/// A part of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Replay,
    Perft,
}

/// The options of a run.
struct Options {
    rounds: usize,
    style: Style,
    /// The only part that is measured; `None` for all.
    only: Option<Part>,
    /// The variant whose random games are printed, instead of a measurement.
    made: Option<Variant>,
    files: Vec<String>,
}

fn options() -> Result<Options, String> {
    let mut options = Options { rounds: 5, style: Style::Text, only: None, made: None, files: Vec::new() };
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        match &*word {
            "--rounds" => {
                let rounds = words.next().and_then(|number| number.parse().ok()).filter(|rounds| *rounds > 0);
                options.rounds = rounds.ok_or("--rounds needs a number of at least 1")?;
            }
            "--format" => {
                options.style = match words.next().as_deref() {
                    Some("text") => Style::Text,
                    Some("json") => Style::Json,
                    _ => return Err("--format is text or json".to_owned()),
                }
            }
            "--only" => {
                options.only = match words.next().as_deref() {
                    Some("replay") => Some(Part::Replay),
                    Some("perft") => Some(Part::Perft),
                    _ => return Err("--only is replay or perft".to_owned()),
                }
            }
            "--made" => {
                options.made = match words.next().as_deref() {
                    Some("copenhagen") => Some(Variant::Copenhagen),
                    Some("brandubh") => Some(Variant::Brandubh),
                    _ => return Err("--made is copenhagen or brandubh".to_owned()),
                }
            }
            word if word.starts_with('-') => return Err(format!("unknown option `{word}`")),
            file => options.files.push(file.to_owned()),
        }
    }
    Ok(options)
}

fn run() -> Result<(), String> {
    let options = options()?;
    if let Some(variant) = options.made {
        print!("{}", random::games(variant, variant.made()));
        return Ok(());
    }
    let mut texts = Vec::new();
    for file in &options.files {
        texts.push((file.clone(), fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?));
    }
    if texts.is_empty() {
        for variant in [Variant::Copenhagen, Variant::Brandubh] {
            texts.push((
                format!("random games of {}", variant.name()),
                random::games(variant, variant.made()),
            ));
        }
    }
    let mut comparisons = Vec::new();
    // The figures are minutes apart, so each one is printed at once.
    let mut take = |comparison: Comparison| {
        if options.style == Style::Text {
            print!("{}", report::text(&comparison));
        }
        comparisons.push(comparison);
    };
    let wants = |part: Part| options.only.is_none_or(|only| only == part);
    for (name, text) in texts.iter().filter(|_| wants(Part::Replay)) {
        replays(name, text, options.rounds).into_iter().for_each(&mut take);
    }
    for variant in [Variant::Copenhagen, Variant::Brandubh].into_iter().filter(|_| wants(Part::Perft)) {
        perfts(variant, options.rounds.div_ceil(2)).for_each(&mut take);
    }
    if options.style == Style::Json {
        println!("{:#}", report::json(&comparisons));
    }
    Ok(())
}

/// Compares replay of the games in a text: from the text, and from parsed moves.
fn replays(name: &str, text: &str, rounds: usize) -> Vec<Comparison> {
    let variant = Variant::of(text);
    let mut our_replayer = ours::replayer(variant);
    let our_tally = ours::from_text(&mut our_replayer, text);
    let their_tally = theirs::from_text(variant, text);
    let (our_records, their_games) = (ours::parse(text), theirs::parse(text));
    let what = |mode: &str| format!("replay {name}, {} bytes, {mode}", text.len());
    let mut parsed = compare(
        what("parsing included"),
        "plies",
        rounds,
        || ours::from_text(&mut our_replayer, text).plies,
        || theirs::from_text(variant, text).plies,
    );
    let mut our_replayer = ours::replayer(variant);
    let mut played = compare(
        what("moves parsed before"),
        "plies",
        rounds,
        || ours::replay(&mut our_replayer, our_records.iter()).plies,
        || theirs::replay(variant, &their_games).plies,
    );
    for comparison in [&mut parsed, &mut played] {
        comparison.tallies = Some((our_tally, their_tally));
    }
    vec![parsed, played]
}

/// Compares perft, with leaves counted in bulk and with leaves played.
fn perfts(variant: Variant, rounds: usize) -> impl Iterator<Item = Comparison> {
    use tafl_rules::Leaves;
    let depth = variant.depth();
    let (our_book, their_logic) = (ours::rulebook(variant), theirs::Peer::new(variant));
    let modes = [("leaves counted in bulk", Leaves::Bulk), ("leaves played", Leaves::Played)];
    modes.into_iter().map(move |(mode, leaves)| {
        let comparison = compare(
            format!("perft {} {depth}, {mode}", variant.name()),
            "leaves",
            rounds,
            || ours::perft(&our_book, depth, leaves),
            || their_logic.perft(depth, leaves),
        );
        assert_eq!(comparison.amounts[0], comparison.amounts[1], "both count the same positions");
        comparison
    })
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
