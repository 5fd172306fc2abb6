//! Queries about positions of games as JSON lines, answered by several searches at the same time.

mod query;
mod queue;
mod reply;
#[cfg(test)]
mod tests;

use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{
    AnnotateSettings, Annotator, Confirm, Curves, GameToAnnotate, KnownResult, NoSearchReason, PositionNote,
    SearchReport, Thresholds,
};

use super::evaluations::built_in_curves;
use super::limits::SearchLimits;
use crate::board::{MAX_LINE, read_line};
use crate::{App, Bounded, Error, ErrorAnswer, ErrorKind, Job, Result, Threads};

pub use query::AnalyzeQuery;
use query::{AnalyzeCommand, QueriedTurn};
use queue::TurnQueue;
pub use reply::{AnalyzeReply, AnalyzedTurn};

/// Analyze positions of games that are queried as JSON lines
///
/// A query has the parameters of [`AnalyzeQuery`]. It is answered by a line for each of its turns, as soon as this turn is
/// searched; those of a higher priority are searched first. The answers are those of `annotate`: they depend neither on the
/// number of threads nor on other queries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct AnalyzeRequest {
    /// The limits of each search.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: SearchLimits,
    /// The number of lines to find, each with a different first move
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub lines: Bounded<1, 500, 1>,
    /// The number of threads, each of which searches one position.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
}

impl AnalyzeRequest {
    /// Answers the queries of an input until its end, or until `take` fails or returns `Break`. The input is read at the same
    /// time, so that a query can be terminated; after `Break`, it is read up to the next line.
    ///
    /// # Errors
    ///
    /// Returns the first error of `take`, or that the input can't be read.
    pub fn process<E>(
        &self,
        input: impl BufRead + Send,
        app: &App,
        job: &Job,
        mut take: impl FnMut(AnalyzeReply) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let queue = TurnQueue::default();
        let curves = built_in_curves();
        let (sender, replies) = mpsc::channel();
        std::thread::scope(|scope| {
            let reader = sender.clone();
            let queue = &queue;
            scope.spawn(move || {
                self.read(input, app, queue, |reply| reader.send(reply).is_ok());
                queue.close();
            });
            for _ in 0..self.threads.get().get() {
                let (sender, curves) = (sender.clone(), &curves);
                scope.spawn(move || {
                    while let Some(turn) = queue.next() {
                        let reply = if job.is_over() {
                            turn.terminated()
                        } else {
                            search(&turn, curves, |partial| drop(sender.send(partial)))
                        };
                        queue.finish(&turn);
                        if sender.send(reply).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for reply in replies {
                match take(reply) {
                    Ok(ControlFlow::Continue(())) => {}
                    stopped => {
                        // The reader ends at its next reply, which a closed queue causes.
                        queue.close();
                        queue.terminate_all();
                        return stopped.map(drop);
                    }
                }
            }
            Ok(())
        })
    }

    /// Reads commands until the end of the input, or until replies are no longer taken.
    fn read(
        &self,
        mut input: impl BufRead,
        app: &App,
        queue: &TurnQueue,
        mut reply: impl FnMut(AnalyzeReply) -> bool,
    ) {
        let mut line = Vec::new();
        loop {
            let (id, result) = match read_line(&mut input, &mut line) {
                Ok(None) => return,
                Ok(Some(length)) if length > MAX_LINE => {
                    let message = format!("the query is too long; the limit is {MAX_LINE} bytes");
                    (None, Err(Error::new(ErrorKind::TooLarge, message)))
                }
                Ok(Some(_)) if line.trim_ascii().is_empty() => continue,
                Ok(Some(_)) => {
                    let (id, command) = AnalyzeCommand::read(&line);
                    (id, command.and_then(|command| self.run(command, app, queue)))
                }
                Err(error) => {
                    let error = Error::new(ErrorKind::Io, format!("the queries can't be read: {error}"));
                    reply(AnalyzeReply::Error { id: None, error: error.into() });
                    return;
                }
            };
            let goes_on = match result {
                Ok(None) => true,
                Ok(Some(terminated)) => reply(terminated),
                Err(error) => reply(AnalyzeReply::Error { id, error: ErrorAnswer::from(error) }),
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Queues the turns of a query, or terminates queries; the reply is about the latter.
    fn run(&self, command: AnalyzeCommand, app: &App, queue: &TurnQueue) -> Result<Option<AnalyzeReply>> {
        match command {
            AnalyzeCommand::Query(query) => queue.add(query.turns(self, app)?).map(|()| None),
            AnalyzeCommand::Terminate { id, terminate_id } => {
                let queries = queue.terminate(&terminate_id);
                Ok(Some(AnalyzeReply::Terminated {
                    id,
                    action: "terminate",
                    terminate_id: Some(terminate_id),
                    queries,
                }))
            }
            AnalyzeCommand::TerminateAll { id } => {
                let queries = queue.terminate_all();
                Ok(Some(AnalyzeReply::Terminated {
                    id,
                    action: "terminate_all",
                    terminate_id: None,
                    queries,
                }))
            }
        }
    }
}

/// Searches the position of a turn as `annotate` does. Partial answers are passed to `report`, if the query asks for them.
fn search(turn: &QueriedTurn, curves: &Curves, mut report: impl FnMut(AnalyzeReply)) -> AnalyzeReply {
    if turn.query.token.is_canceled() {
        return turn.terminated();
    }
    let query = &turn.query;
    let settings = AnnotateSettings {
        limits: query.limits.clone(),
        thresholds: Thresholds::default(),
        confirm: Confirm::Nothing,
        prove: None,
    };
    let game = GameToAnnotate {
        book: &query.rules.book,
        variant: query.rules.variant.named.map(|named| named.name),
        start: &query.start,
        first: query.first,
        plies: &[],
    };
    let mut reported_at = Duration::ZERO;
    let on_info = |search: &SearchReport, note: PositionNote| {
        if query.report_every.is_some_and(|every| search.time >= reported_at + every) {
            reported_at = search.time;
            report(AnalyzeReply::Turn(Box::new(AnalyzedTurn {
                partial: true,
                ..AnalyzedTurn::of(turn, &note)
            })));
        }
    };
    let note = Annotator::new(&settings, curves, None).note_with_info(&game, &turn.game, on_info);
    let error = match note.map(|note| (AnalyzedTurn::of(turn, &note), note.known)) {
        Ok((_, KnownResult::NotSearched(NoSearchReason::Engine(error)))) => Error::from(error),
        Ok((answer, _)) => return AnalyzeReply::Turn(Box::new(answer)),
        Err(error) => Error::from(error),
    };
    AnalyzeReply::Error { id: Some(query.id.clone()), error: error.into() }
}
