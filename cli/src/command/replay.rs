//! `tafl replay`: what happened in each game, ply by ply.

use tafl_parser::Severity;
use tafl_parser::reader::{Batch, ErrorLine};
use taflbase::records::{RecordAt, RecordWorker, ReplayConfig, ReplayWorker};

use crate::args::records::{ReplayArgs, ReplayFormat};
use crate::records::{self, AnswerLine, write_lines};
use crate::{Exit, Io};

pub(in crate::command) mod line;

use line::Writer;

/// Runs the command.
///
/// # Errors
///
/// Fails when the rules that were asked for are not known, or an answer cannot be written.
pub(crate) fn run(args: &ReplayArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    match args.format {
        ReplayFormat::Jsonl => {}
    }
    let config = records::replay_config(&args.input.variant, io)?;
    let config = ReplayConfig { count_moves: args.counts, ..(*config).clone() }.into();
    let reader = records::open(&args.input, io);
    let worker = || Replays { replay: ReplayWorker::new(&config), writer: Writer::default() };
    Ok(write_lines(&reader, io, worker, |error, _, out| ErrorLine::write(error, out))?.0)
}

/// Replays games and writes their lines.
struct Replays {
    replay: ReplayWorker,
    writer: Writer,
}

impl RecordWorker for Replays {
    type Answer = AnswerLine;

    fn enter(&mut self, batch: &Batch) {
        self.replay.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> AnswerLine {
        let (source, parsed) = at.parse();
        let replayed = self.replay.replay(parsed);
        let mut text = Vec::new();
        self.writer.write(source, &replayed, &mut text);
        AnswerLine { text, is_bad: replayed.worst() == Some(Severity::Error) }
    }
}
