//! Games to learn from: those of files, and those that the engine plays.

use std::num::NonZeroUsize;

use tafl_analyzer::Nodes;
use tafl_analyzer::engine::Options;
use tafl_analyzer::learn::label::{Labeler, Labels};
use tafl_analyzer::learn::sample::Sample;
use tafl_analyzer::learn::selfplay::{DataGen, DataGenConfig};
use tafl_parser::replay::{Choice, Replay, ReplayOptions, Replayer, Soundness};
use tafl_rules::{AnyRulebook, Move, RuleSet, Side};

use crate::args::records::InputArgs;
use crate::args::rules::VariantArgs;
use crate::args::tune::TuneArgs;
use crate::number::Count;
use crate::pipeline::Plan;
use crate::{Exit, Io};
use taflbase::Variant;

/// A game that ended: its moves and who won.
struct Ended {
    moves: Vec<Move>,
    winner: Option<Side>,
}

/// Adds samples whose games have numbers of their own, as those of other games.
pub(super) fn append(samples: &mut Vec<Sample>, found: Vec<Sample>) {
    let first = samples.iter().map(|sample| sample.game.saturating_add(1)).max().unwrap_or(0);
    samples
        .extend(found.into_iter().map(|sample| Sample { game: first.wrapping_add(sample.game), ..sample }));
}

/// Returns the labeled positions of the games that the command line names and asks for, and how reading went.
pub(super) fn labeled(
    args: &TuneArgs,
    (variant, book): (&Variant, &AnyRulebook),
    options: &Options,
    io: &mut Io<'_>,
) -> anyhow::Result<(Vec<Sample>, Exit)> {
    let mut samples = Vec::new();
    let mut exit = Exit::Ok;
    if !args.paths.is_empty() {
        let (games, now) = read(args, variant, io)?;
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
        let config = DataGenConfig { nodes: Nodes(args.nodes), ..DataGenConfig::default() };
        let mut datagen = DataGen::new(book, options.clone(), config, args.seed);
        let mut found = Vec::new();
        for number in 0..args.selfplay {
            found.extend(datagen.game(number));
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

/// Returns the games of files that were played by the rules and ended; records that name no rules are taken for such.
fn read(args: &TuneArgs, variant: &Variant, io: &mut Io<'_>) -> anyhow::Result<(Vec<Ended>, Exit)> {
    let input = InputArgs {
        paths: args.paths.clone(),
        notation: args.notation,
        variant: VariantArgs { variant: None, rules: None },
        threads: Some(NonZeroUsize::MIN),
        record_lines: false,
    };
    let hint = match variant.named {
        Some(named) => Choice::named(named),
        None => Choice::own(&variant.rules)?,
    };
    let options = ReplayOptions { hint: Some(hint), ..ReplayOptions::default() };
    let plan = Plan::new(&input, io);
    let mut exit = if plan.inputs.is_incomplete { Exit::Error } else { Exit::Ok };
    let (mut games, mut n_read) = (Vec::new(), 0_u64);
    plan.read(
        io,
        || Replayer::new(options.clone()),
        |replayer, _, batch| {
            let replays: Vec<Replay> =
                batch.parse().map(|(_, parsed)| replayer.replay(&parsed.value)).collect();
            let ended = replays.iter().filter_map(|replay| ended(replay, &variant.rules));
            (replays.len() as u64, ended.collect::<Vec<Ended>>())
        },
        |io, step| {
            match step.answer {
                Ok((count, found)) => {
                    n_read += count;
                    games.extend(found);
                }
                Err(error) => {
                    exit = Exit::Error;
                    io.error(&format!("{}: {error}", plan.inputs.list[step.input].name()));
                }
            }
            Ok(())
        },
    )?;
    io.notice(&format!("{} of {} games ended under these rules", Count(games.len() as u64), Count(n_read)));
    Ok((games, exit))
}

/// Returns a game if it was played by the rules, nothing in it is unexplained, and it ended.
fn ended(replay: &Replay, rules: &RuleSet) -> Option<Ended> {
    let is_explained = !matches!(replay.verdict(), Soundness::Unexplained(_));
    if replay.rules.as_ref()?.book.rules() != rules || !is_explained {
        return None;
    }
    let outcome = replay.result()?;
    Some(Ended { moves: replay.plies.iter().map(|ply| ply.mv).collect(), winner: outcome.winner })
}
