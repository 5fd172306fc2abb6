//! Labeled positions: from recorded games, from self-play, and from earlier runs.

use std::fs;
use std::io::{self, Write};

use tafl_analyzer::{
    DataGen, DataGenConfig, Labeler, Labels, Nodes, SampleError, TrainingSample, read_samples, write_samples,
};
use tafl_parser::{Batch, Replay, ReplayOptions, Replayer, RuleChoice, Soundness};
use tafl_rules::{Move, RuleSet, Shape, Side};

use super::PreparedTuning;
use crate::records::{ReadCounts, RecordAt, RecordEvent, RecordReader, RecordWorker};
use crate::{Error, ErrorKind, Job, Progress, Result};

/// Positions of games, labeled with the score of a short search and the result of the game.
#[derive(Debug, Clone)]
pub struct LabeledPositions {
    pub(super) samples: Vec<TrainingSample>,
    shape: Shape,
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
        write_samples(out, self.shape, &self.samples)
    }

    /// Adds the positions of other games, and numbers these games after the present ones.
    fn append(&mut self, samples: Vec<TrainingSample>) {
        let first = self.samples.iter().map(|sample| sample.game.saturating_add(1)).max().unwrap_or(0);
        let renumbered = samples
            .into_iter()
            .map(|sample| TrainingSample { game: first.wrapping_add(sample.game), ..sample });
        self.samples.extend(renumbered);
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
        let variant = &self.rules.variant;
        let hint = match variant.named {
            Some(named) => RuleChoice::named(named),
            None => RuleChoice::own(&variant.rules).map_err(Error::from)?,
        };
        let options = ReplayOptions { hint: Some(hint), ..ReplayOptions::default() };
        let worker = || DecidedGameWorker { replayer: Replayer::new(options.clone()), rules: &variant.rules };
        let counts = reader.process(job, worker, |nth, event| {
            take(nth, event.map(|game: Option<DecidedGame>| games.extend(game)))
        })?;
        let mut positions = LabeledPositions {
            samples: Vec::new(),
            shape: self.rules.book.shape(),
            games: TrainingGameCounts { read: counts.records, used: games.len() as u64 },
            counts,
        };
        self.label_games(&games, &mut positions, job)?;
        self.play_games(&mut positions, job)?;
        self.read_positions(&mut positions)?;
        Ok(positions)
    }

    fn label_games(&self, games: &[DecidedGame], positions: &mut LabeledPositions, job: &Job) -> Result<()> {
        let labels = Labels { nodes: Nodes(self.request.nodes.get()), ..Labels::default() };
        let mut labeler = Labeler::new(&self.rules.book, self.options.clone(), labels);
        for (number, game) in (0..).zip(games) {
            job.check()?;
            positions.samples.extend(labeler.game(&game.moves, game.winner, number));
            report(job, u64::from(number) + 1, games.len() as u64, "labeled");
        }
        Ok(())
    }

    fn play_games(&self, positions: &mut LabeledPositions, job: &Job) -> Result<()> {
        let config = DataGenConfig { nodes: Nodes(self.request.nodes.get()), ..DataGenConfig::default() };
        let (book, n_games) = (&self.rules.book, self.request.selfplay.get());
        let mut datagen = DataGen::new(book, self.options.clone(), config, self.request.seed.get());
        let mut samples = Vec::new();
        for number in 0..n_games {
            job.check()?;
            samples.extend(datagen.game(number as u32));
            report(job, number + 1, n_games, "played");
        }
        positions.append(samples);
        Ok(())
    }

    fn read_positions(&self, positions: &mut LabeledPositions) -> Result<()> {
        for path in &self.request.positions {
            let file = fs::File::open(path).map_err(SampleError::from);
            let samples = file.and_then(|mut file| read_samples(&mut file, positions.shape));
            let samples = samples.map_err(|error| {
                Error::new(ErrorKind::Io, format!("{}: {error}", path.display())).of("positions")
            })?;
            positions.append(samples);
        }
        Ok(())
    }
}

fn report(job: &Job, done: u64, of: u64, detail: &str) {
    job.report(&Progress { done, unit: "games", proportion: Some(done as f64 / of as f64), detail });
}

/// The moves and the winner of a game that ended.
struct DecidedGame {
    moves: Vec<Move>,
    winner: Option<Side>,
}

/// Replays games, and returns those with a result. Records without rules are replayed by those of the request.
struct DecidedGameWorker<'r> {
    replayer: Replayer,
    rules: &'r RuleSet,
}

impl RecordWorker for DecidedGameWorker<'_> {
    type Answer = Option<DecidedGame>;

    fn enter(&mut self, _: &Batch) {}

    fn record(&mut self, at: RecordAt<'_>) -> Option<DecidedGame> {
        decided(&self.replayer.replay(&at.parse().1.value), self.rules)
    }
}

/// Returns a game if it was played by the rules, has no unexplained moves, and ended.
fn decided(replay: &Replay, rules: &RuleSet) -> Option<DecidedGame> {
    let is_explained = !matches!(replay.soundness(), Soundness::Unexplained(_));
    if replay.rules.as_ref()?.book.rules() != rules || !is_explained {
        return None;
    }
    let outcome = replay.result()?;
    Some(DecidedGame { moves: replay.plies.iter().map(|ply| ply.mv).collect(), winner: outcome.winner })
}
