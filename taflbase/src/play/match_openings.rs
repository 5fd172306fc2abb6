//! The openings of a match: random ones, or those of recorded games.

use std::fmt;
use std::io::BufRead;
use std::sync::Arc;

use tafl_analyzer::{Opening, Openings, openings_of};
use tafl_parser::Batch;
use tafl_rules::{AnyRulebook, Move};

use super::match_request::MatchRequest;
use crate::records::{
    ReadSettings, RecordAt, RecordEvent, RecordReader, RecordWorker, ReplayConfig, ReplayWorker,
};
use crate::{Error, ErrorKind, Job, Result, Threads};

impl MatchRequest {
    /// Returns openings by the rules, as many as are wanted if there are enough.
    pub(super) fn openings(&self, book: &AnyRulebook, games: &[Vec<Move>], wanted: u64) -> Vec<Opening> {
        let (plies, seed) = (self.opening_plies.get() as u32, self.seed.get());
        if plies == 0 {
            // There is one opening without plies. Players that vary their moves may play it repeatedly.
            return vec![Opening::new(); wanted as usize];
        }
        if self.openings.is_empty() {
            return Openings::new(book, plies, seed).take(wanted as usize).collect();
        }
        openings_of(book, plies, seed, games).take(wanted as usize).collect()
    }

    /// Returns the moves of the games whose openings are wanted.
    pub(super) fn opening_games<'i>(
        &self,
        job: &Job,
        stdin: Option<Box<dyn BufRead + Send + 'i>>,
    ) -> Result<Vec<Vec<Move>>> {
        let mut games = Vec::new();
        if self.openings.is_empty() {
            return Ok(games);
        }
        let settings = ReadSettings { threads: Threads::ONE, ..ReadSettings::default() };
        let reader = RecordReader::new(&self.openings, settings);
        let reader = match stdin {
            Some(stdin) => reader.with_stdin(stdin),
            None => reader,
        };
        let unreadable = |why: &dyn fmt::Display| {
            let message = format!("the games of --openings could not all be read: {why}");
            Error::new(ErrorKind::Io, message).of("openings")
        };
        if let Some(problem) = reader.inputs.problems.iter().find(|problem| problem.is_error()) {
            return Err(unreadable(problem));
        }
        let config = Arc::new(ReplayConfig::default());
        reader.process(
            job,
            || OpeningWorker(ReplayWorker::new(&config)),
            |nth, event| match event {
                RecordEvent::Record(moves) => {
                    games.push(moves);
                    Ok(())
                }
                RecordEvent::Unreadable(error) => {
                    Err(unreadable(&format!("{}: {error}", reader.inputs.list[nth].name())))
                }
                _ => Ok(()),
            },
        )?;
        Ok(games)
    }
}

/// Returns the moves of records.
struct OpeningWorker(ReplayWorker);

impl RecordWorker for OpeningWorker {
    type Answer = Vec<Move>;

    fn enter(&mut self, batch: &Batch) {
        self.0.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> Vec<Move> {
        self.0.replay(at.parse().1).replay.plies.iter().map(|ply| ply.mv).collect()
    }
}
