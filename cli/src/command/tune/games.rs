//! Games to learn from: those of files, and those that the engine plays.

use tafl_analyzer::{DataGen, DataGenConfig, Labeler, Labels, Nodes, SearchOptions, TrainingSample};
use tafl_parser::{Batch, Replay, ReplayOptions, Replayer, RuleChoice, Soundness};
use tafl_rules::{AnyRulebook, Move, RuleSet, Side};
use taflbase::records::{ReadSettings, RecordAt, RecordEvent, RecordWorker};
use taflbase::{Threads, Variant};

use crate::args::tune::TuneArgs;
use crate::number::Count;
use crate::{Exit, Io, records};

/// A game that ended: its moves and who won.
struct Ended {
    moves: Vec<Move>,
    winner: Option<Side>,
}

/// Adds samples whose games have numbers of their own, as those of other games.
pub(super) fn append(samples: &mut Vec<TrainingSample>, found: Vec<TrainingSample>) {
    let first = samples.iter().map(|sample| sample.game.saturating_add(1)).max().unwrap_or(0);
    samples.extend(
        found.into_iter().map(|sample| TrainingSample { game: first.wrapping_add(sample.game), ..sample }),
    );
}

/// Returns the labeled positions of the games that the command line names and asks for, and how reading went.
pub(super) fn labeled(
    args: &TuneArgs,
    (variant, book): (&Variant, &AnyRulebook),
    options: &SearchOptions,
    io: &mut Io<'_>,
) -> anyhow::Result<(Vec<TrainingSample>, Exit)> {
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
    let hint = match variant.named {
        Some(named) => RuleChoice::named(named),
        None => RuleChoice::own(&variant.rules)?,
    };
    let options = ReplayOptions { hint: Some(hint), ..ReplayOptions::default() };
    let settings = ReadSettings { format: args.notation, threads: Threads::ONE, ..ReadSettings::default() };
    let reader = records::open_with(&args.paths, settings, io);
    let mut games = Vec::new();
    let finder = || Finder { replayer: Replayer::new(options.clone()), rules: &variant.rules };
    let counts = reader.process(&io.job(), finder, |nth, event| -> anyhow::Result<()> {
        match event {
            RecordEvent::Record(found) => games.extend(found),
            RecordEvent::Unreadable(_) => records::show_event(&reader, nth, &event, io),
            _ => {}
        }
        Ok(())
    })?;
    io.end_progress();
    let n_games = Count(games.len() as u64);
    io.notice(&format!("{n_games} of {} games ended under these rules", Count(counts.records)));
    Ok((games, records::read_exit(&reader, &counts)))
}

/// Finds games that ended.
struct Finder<'r> {
    replayer: Replayer,
    rules: &'r RuleSet,
}

impl RecordWorker for Finder<'_> {
    type Answer = Option<Ended>;

    fn enter(&mut self, _: &Batch) {}

    fn record(&mut self, at: RecordAt<'_>) -> Option<Ended> {
        ended(&self.replayer.replay(&at.parse().1.value), self.rules)
    }
}

/// Returns a game if it was played by the rules, nothing in it is unexplained, and it ended.
fn ended(replay: &Replay, rules: &RuleSet) -> Option<Ended> {
    let is_explained = !matches!(replay.soundness(), Soundness::Unexplained(_));
    if replay.rules.as_ref()?.book.rules() != rules || !is_explained {
        return None;
    }
    let outcome = replay.result()?;
    Some(Ended { moves: replay.plies.iter().map(|ply| ply.mv).collect(), winner: outcome.winner })
}
