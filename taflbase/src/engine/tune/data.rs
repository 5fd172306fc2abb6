//! Training data: self-play of many variants, half of the games with random changes of the rules.

use std::io::{self, Write};

use tafl_analyzer::{DataGen, DataGenConfig, Nodes, TrainingGame, read_whole_games, write_sample_header};

use super::positions::report;
use super::variants::variants;
use super::{TrainingDataAnswer, TuneAnswer, TuneRequest, TunedModel};
use crate::{App, Error, ErrorKind, Job, Result};

/// A request for training data whose rules are read.
pub struct PreparedData {
    source: DataGen,
    n_games: u64,
    seed: u64,
}

/// The generation of training data, which may continue an earlier run.
pub struct DataRun {
    prepared: PreparedData,
    answer: TrainingDataAnswer,
    /// The number of bytes of the earlier run that are kept: whole games.
    kept: usize,
}

impl TuneRequest {
    /// Reads the rules for the generation of training data. Without rules, all variants of the
    /// catalog are played in turn.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the rules, that the network can't be read, or that the request has parameters without an effect.
    pub fn prepare_data(self, app: &App) -> Result<PreparedData> {
        if !self.paths.is_empty() || !self.positions.is_empty() {
            return Err(Error::parameter("make", "data come from self-play only")
                .with_help("name no games and no positions"));
        }
        let variants = variants(self.rules.find(app)?.as_deref(), &self)?;
        let options = self.search_options()?;
        let config = DataGenConfig { nodes: Nodes(self.nodes.get()), ..DataGenConfig::default() };
        let seed = self.seed.get();
        Ok(PreparedData {
            source: DataGen::new(variants, options, config, seed),
            n_games: self.selfplay.get(),
            seed,
        })
    }
}

impl PreparedData {
    /// Begins the generation, or continues it after the whole games of an earlier run with the same
    /// request, whose file is given. An empty file is a new run.
    ///
    /// # Errors
    ///
    /// Returns that the file is not a file of training data.
    pub fn begin(mut self, earlier: &[u8]) -> Result<DataRun> {
        let bad = |error: &dyn std::fmt::Display| Error::new(ErrorKind::Io, error.to_string());
        let (games, kept) = match earlier {
            [] => (Vec::new(), 0),
            _ => read_whole_games(earlier).map_err(|error| bad(&error))?,
        };
        let mut answer = TrainingDataAnswer { seed: self.seed, ..TrainingDataAnswer::default() };
        for game in &games {
            self.source.resume_after(game);
            answer.add(game);
        }
        Ok(DataRun { prepared: self, answer, kept })
    }

    /// Generates training data in memory.
    pub(super) fn run(self, job: &Job) -> Result<TunedModel> {
        let mut file = Vec::new();
        let answer = self.begin(&[])?.write(&mut file, job)?;
        Ok(TunedModel { answer: TuneAnswer::Data(answer), file })
    }
}

impl DataRun {
    /// Returns the length of the part of the earlier file that is kept. The caller truncates the
    /// file to this length before [`DataRun::write`] appends to it.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Plays the remaining games and writes each when it has ended.
    ///
    /// # Errors
    ///
    /// Fails if a game can't be written or the job is stopped.
    pub fn write(mut self, out: &mut impl Write, job: &Job) -> Result<TrainingDataAnswer> {
        let failed = |error: io::Error| Error::new(ErrorKind::Io, error.to_string());
        if self.kept == 0 {
            write_sample_header(out).map_err(failed)?;
        }
        while self.answer.games < self.prepared.n_games {
            job.check()?;
            let game: TrainingGame = self.prepared.source.next_game();
            game.write(out).map_err(failed)?;
            self.answer.add(&game);
            report(job, self.answer.games, self.prepared.n_games, "played");
        }
        out.flush().map_err(failed)?;
        Ok(self.answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounded, RulesRequest};

    fn prepared(n_games: u64) -> PreparedData {
        let request = TuneRequest {
            rules: RulesRequest::of("brandubh7"),
            selfplay: Bounded::new(n_games).unwrap(),
            nodes: Bounded::new(30).unwrap(),
            ..TuneRequest::default()
        };
        request.prepare_data(&App::new()).unwrap()
    }

    #[test]
    fn an_interrupted_run_gives_the_same_file() {
        let whole = prepared(6).run(&Job::default()).unwrap();
        let first = prepared(3).run(&Job::default()).unwrap().file;
        let mut interrupted = first.clone();
        interrupted.extend(&whole.file[first.len()..first.len() + 9]);
        let run = prepared(6).begin(&interrupted).unwrap();
        interrupted.truncate(run.kept());
        let answer = run.write(&mut interrupted, &Job::default()).unwrap();
        assert_eq!(interrupted, whole.file);
        assert_eq!(TuneAnswer::Data(answer), whole.answer);
        assert!(prepared(6).begin(b"something else").is_err());
    }
}
