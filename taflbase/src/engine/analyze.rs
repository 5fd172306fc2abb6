//! Queries about positions of games as JSON lines, answered by several searches at the same time.

mod query;
mod queue;
mod reply;
#[cfg(test)]
mod tests;

use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
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
use crate::job::CANCEL_INTERVAL;
use crate::{App, Bounded, Error, ErrorAnswer, ErrorKind, Job, Result, Threads};

pub use query::AnalyzeQuery;
use query::{AnalyzeCommand, QueriedTurn};
use queue::TurnQueue;
pub use reply::{AnalyzeReply, AnalyzedTurn};

/// The number of lines that are read before they are needed.
const MAX_READ_AHEAD: usize = 16;

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
    /// Answers the queries of an input until its end, until `take` fails or returns `Break`, or until the job is over. The input
    /// is read at the same time, so that a query can be terminated; if it has not ended, some of its next lines are lost.
    ///
    /// # Errors
    ///
    /// Returns the first error of `take`, or that the job is over. An input that can't be read is answered with an error.
    pub fn process<E: From<Error>>(
        &self,
        input: impl BufRead + Send + 'static,
        app: &App,
        job: &Job,
        mut take: impl FnMut(AnalyzeReply) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let queue = TurnQueue::default();
        let curves = built_in_curves();
        let lines = read_lines(input);
        let (sender, replies) = mpsc::channel();
        std::thread::scope(|scope| {
            // The other threads end once the receiver is dropped.
            let replies = replies;
            let queue = &queue;
            let reader = sender.clone();
            scope.spawn(move || {
                self.queue_lines(&lines, app, queue, |reply| reader.send(reply).is_ok());
                queue.close();
            });
            for _ in 0..self.threads.get().get() {
                let (sender, curves) = (sender.clone(), &curves);
                scope.spawn(move || {
                    while let Some(turn) = queue.next() {
                        let reply = search(&turn, curves, |partial| drop(sender.send(partial)));
                        queue.finish(&turn);
                        if sender.send(reply).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let result = loop {
                match replies.recv_timeout(CANCEL_INTERVAL) {
                    Ok(reply) => match take(reply) {
                        Ok(ControlFlow::Continue(())) => {}
                        stopped => break stopped.map(drop),
                    },
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                }
                if let Err(error) = job.check() {
                    break Err(error.into());
                }
            };
            queue.close();
            queue.terminate_all();
            result
        })
    }

    /// Runs the commands in lines until their end, or until the queue is closed or replies are no longer taken.
    fn queue_lines(
        &self,
        lines: &Receiver<Result<Vec<u8>>>,
        app: &App,
        queue: &TurnQueue,
        mut reply: impl FnMut(AnalyzeReply) -> bool,
    ) {
        while !queue.is_closed() {
            let (id, result) = match lines.recv_timeout(CANCEL_INTERVAL) {
                Ok(Ok(line)) if line.trim_ascii().is_empty() => continue,
                Ok(Ok(line)) => {
                    let (id, command) = AnalyzeCommand::read(&line);
                    (id, command.and_then(|command| self.run(command, app, queue)))
                }
                Ok(Err(error)) => (None, Err(error)),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
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

/// Reads lines, or the errors in their places, on a thread of its own, because the wait for input can't be interrupted. The thread
/// ends at the end of the input, at an error of it, or at the first line for which the receiver is gone.
fn read_lines(mut input: impl BufRead + Send + 'static) -> Receiver<Result<Vec<u8>>> {
    let (sender, lines) = mpsc::sync_channel(MAX_READ_AHEAD);
    std::thread::spawn(move || {
        let mut line = Vec::new();
        let mut is_readable = true;
        while is_readable {
            let read = match read_line(&mut input, &mut line) {
                Ok(None) => return,
                Ok(Some(length)) if length > MAX_LINE => {
                    let message = format!("the query is too long; the limit is {MAX_LINE} bytes");
                    Err(Error::new(ErrorKind::TooLarge, message))
                }
                Ok(Some(_)) => Ok(std::mem::take(&mut line)),
                Err(error) => {
                    is_readable = false;
                    Err(Error::new(ErrorKind::Io, format!("the queries can't be read: {error}")))
                }
            };
            if sender.send(read).is_err() {
                return;
            }
        }
    });
    lines
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
