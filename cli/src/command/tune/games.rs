//! Games to learn from: those of files, and those that the engine plays.

use tafl_analyzer::Nodes;
use tafl_analyzer::engine::Options;
use tafl_analyzer::learn::label::{Labeler, Labels};
use tafl_analyzer::learn::sample::Sample;
use tafl_analyzer::learn::selfplay::{Course, Harvest};
use tafl_parser::Severity;
use tafl_rules::{AnyRulebook, Move, RuleSet, Side};

use crate::args::tune::TuneArgs;
use crate::games;
use crate::number::Count;
use crate::referee::Judged;
use crate::{Exit, Io};

/// A game that ended: its moves and who won.
struct Ended {
    moves: Vec<Move>,
    winner: Option<Side>,
}

/// Adds samples whose games have numbers of their own, as those of other games.
pub(super) fn append(samples: &mut Vec<Sample>, found: Vec<Sample>) {
    let first = samples.iter().map(|sample| sample.game + 1).max().unwrap_or(0);
    samples
        .extend(found.into_iter().map(|sample| Sample { game: first.wrapping_add(sample.game), ..sample }));
}

/// Returns the labeled positions of the games that the command line names and asks for, and how reading went.
pub(super) fn labeled(
    args: &TuneArgs,
    book: &AnyRulebook,
    options: &Options,
    io: &mut Io<'_>,
) -> anyhow::Result<(Vec<Sample>, Exit)> {
    let mut samples = Vec::new();
    let mut exit = Exit::Ok;
    if !args.paths.is_empty() {
        let (games, now) = read(args, book.rules(), io)?;
        exit = now;
        let labels = Labels { nodes: Nodes(args.nodes), ..Labels::default() };
        let mut labeler = Labeler::new(book, options.clone(), labels);
        for (number, game) in games.iter().enumerate() {
            samples.extend(labeler.game(&game.moves, game.winner, number as u32));
            io.progress(&format!(
                "{} of {} games labeled",
                Count(number as u64 + 1),
                Count(games.len() as u64)
            ));
        }
        io.end_progress();
    }
    if args.selfplay > 0 {
        let course = Course { nodes: Nodes(args.nodes), ..Course::default() };
        let mut harvest = Harvest::new(book, options.clone(), course, args.seed);
        let mut found = Vec::new();
        for number in 0..args.selfplay {
            found.extend(harvest.game(number));
            io.progress(&format!(
                "{} of {} games played",
                Count(u64::from(number) + 1),
                Count(args.selfplay.into())
            ));
        }
        io.end_progress();
        append(&mut samples, found);
    }
    Ok((samples, exit))
}

/// Returns the games of files that were played by the rules and ended.
fn read(args: &TuneArgs, rules: &RuleSet, io: &mut Io<'_>) -> anyhow::Result<(Vec<Ended>, Exit)> {
    let keep = |judged: &Judged| ended(judged, rules);
    let (games, n_read, exit) = games::read(&args.paths, args.notation, &keep, io)?;
    let count = games.len() as u64;
    io.notice(&format!("{} of {} games ended under these rules", Count(count), Count(n_read)));
    Ok((games, exit))
}

/// Returns a game if it was played by the rules, without errors, and ended.
fn ended(judged: &Judged, rules: &RuleSet) -> Option<Ended> {
    let chosen = judged.replay.rules.as_ref()?;
    let is_sound = judged.worst().is_none_or(|worst| worst < Severity::Error);
    if chosen.book.rules() != rules || !is_sound {
        return None;
    }
    let outcome = judged.replay.result()?;
    Some(Ended { moves: judged.replay.plies.iter().map(|ply| ply.mv).collect(), winner: outcome.winner })
}
