//! Labeled positions: from recorded games, from self-play, and from earlier runs.

use std::fs;
use std::io::{self, Write};
use std::sync::Arc;

use tafl_analyzer::{
    DataGen, DataGenConfig, LabelConfig, Labeler, Nodes, SampleError, TrainingGame, read_samples,
    write_sample_header,
};
use tafl_parser::{Batch, Replay, ReplayOptions, Replayer, RuleChoice, Soundness};
use tafl_rules::{Move, RuleSet, Side};

use super::PreparedTuning;
use super::variants::variants;
use crate::escape::escape_path;
use crate::records::{ReadCounts, RecordAt, RecordEvent, RecordReader, RecordWorker};
use crate::{CompiledVariant, Error, ErrorKind, Job, Progress, Result};

/// Positions of games, labeled with the score of a short search and the result of the game.
#[derive(Debug, Clone)]
pub struct LabeledPositions {
    pub(super) labeled: Vec<TrainingGame>,
    /// The number of games that were read.
    pub games: TrainingGameCounts,
    /// The counts of the input.
    pub counts: ReadCounts,
}

/// The number of games that were read, and of those that can be used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrainingGameCounts {
    /// All games.
    pub read: u64,
    /// The games that were played by the rules and have a result.
    pub used: u64,
}

impl LabeledPositions {
    /// Writes the positions in the format that `positions` of the request reads.
    ///
    /// # Errors
    ///
    /// Fails if they can't be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_sample_header(out)?;
        self.labeled.iter().try_for_each(|game| game.write(out))
    }

    /// Adds other games with samples, and numbers them after the present ones.
    fn append(&mut self, games: impl IntoIterator<Item = TrainingGame>) {
        let games = games.into_iter().filter(|game| !game.samples.is_empty());
        for game in games {
            self.labeled.push(TrainingGame { number: self.labeled.len() as u32, ..game });
        }
    }
}

impl PreparedTuning {
    /// Returns the labeled positions of recorded games, of self-play, and of earlier runs, in this order. `take` gets what
    /// happens besides records.
    ///
    /// # Errors
    ///
    /// Fails if a file of positions can't be read, the job is stopped, or `take` fails.
    pub fn label<E: From<Error> + Send>(
        &self,
        reader: &RecordReader<'_>,
        job: &Job,
        mut take: impl FnMut(usize, RecordEvent<()>) -> Result<(), E> + Send,
    ) -> Result<LabeledPositions, E> {
        let mut games = Vec::new();
        let counts = match &self.rules {
            None => ReadCounts::default(),
            Some(rules) => {
                let variant = &rules.variant;
                let hint = match variant.named {
                    Some(named) => RuleChoice::named(named),
                    None => RuleChoice::own(&variant.rules).map_err(Error::from)?,
                };
                let options = ReplayOptions { hint: Some(hint), ..ReplayOptions::default() };
                let worker =
                    || FinishedGameWorker { replayer: Replayer::new(options.clone()), rules: &variant.rules };
                reader.process(job, worker, |nth, event| {
                    take(nth, event.map(|game: Option<FinishedGame>| games.extend(game)))
                })?
            }
        };
        let mut positions = LabeledPositions {
            labeled: Vec::new(),
            games: TrainingGameCounts { read: counts.records, used: games.len() as u64 },
            counts,
        };
        self.label_games(&games, &mut positions, job)?;
        self.play_games(&mut positions, job)?;
        self.read_positions(&mut positions)?;
        Ok(positions)
    }

    fn label_games(&self, games: &[FinishedGame], positions: &mut LabeledPositions, job: &Job) -> Result<()> {
        let Some(rules) = &self.rules else { return Ok(()) };
        let labels = LabelConfig { nodes: Nodes(self.request.nodes.get()), ..LabelConfig::default() };
        let mut labeler = Labeler::new(&rules.book, self.options.clone(), labels);
        for (number, game) in (0..).zip(games) {
            job.check()?;
            positions.append([labeler.game(&game.moves, game.winner, number)]);
            report(job, u64::from(number) + 1, games.len() as u64, "labeled");
        }
        Ok(())
    }

    fn play_games(&self, positions: &mut LabeledPositions, job: &Job) -> Result<()> {
        let nodes = Nodes(self.request.nodes.get());
        let mut config = DataGenConfig { nodes, ..DataGenConfig::default() };
        if self.rules.is_some() {
            config.changed_rules = 0;
        }
        let n_games = self.request.selfplay.get();
        if n_games == 0 {
            return Ok(());
        }
        let variants = variants(self.rules.as_deref(), &self.request)?;
        let mut datagen = DataGen::new(variants, self.options.clone(), config, self.request.seed.get());
        for number in 0..n_games {
            job.check()?;
            positions.append([datagen.next_game()]);
            report(job, number + 1, n_games, "played");
        }
        Ok(())
    }

    fn read_positions(&self, positions: &mut LabeledPositions) -> Result<()> {
        for path in &self.request.positions {
            let games = fs::read(path).map_err(SampleError::from).and_then(|bytes| read_samples(&bytes));
            let games = games.map_err(|error| {
                Error::new(ErrorKind::Io, format!("{}: {error}", escape_path(path))).of("positions")
            })?;
            // A file may contain games of many rule sets.
            let is_wanted = |game: &TrainingGame| {
                let has_rules = |rules: &Arc<CompiledVariant>| game.rules == *rules.book.rules();
                self.rules.as_ref().is_none_or(has_rules) && !self.request.is_left_out(&game.variant)
            };
            positions.append(games.into_iter().filter(is_wanted));
        }
        Ok(())
    }
}

pub(super) fn report(job: &Job, done: u64, of: u64, detail: &str) {
    job.report(&Progress { done, unit: "games", proportion: Some(done as f64 / of as f64), detail });
}

/// The moves and the winner of a game that ended.
struct FinishedGame {
    moves: Vec<Move>,
    winner: Option<Side>,
}

/// Replays games, and returns those with a result. Records without rules are replayed by those of the request.
struct FinishedGameWorker<'r> {
    replayer: Replayer,
    rules: &'r RuleSet,
}

impl RecordWorker for FinishedGameWorker<'_> {
    type Answer = Option<FinishedGame>;

    fn enter(&mut self, _: &Batch) {}

    fn record(&mut self, at: RecordAt<'_>) -> Option<FinishedGame> {
        finished(&self.replayer.replay(&at.parse().1.value), self.rules)
    }
}

/// Returns a game if it was played by the rules, has no unexplained moves, and ended.
fn finished(replay: &Replay, rules: &RuleSet) -> Option<FinishedGame> {
    let is_explained = !matches!(replay.soundness(), Soundness::Unexplained(_));
    if replay.rules.as_ref()?.book.rules() != rules || !is_explained {
        return None;
    }
    let outcome = replay.result()?;
    Some(FinishedGame { moves: replay.plies.iter().map(|ply| ply.mv).collect(), winner: outcome.winner })
}
