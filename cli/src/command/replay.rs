//! `tafl replay`: what happened in each game, ply by ply.

use tafl_parser::reader::{Batch, Order};
use tafl_parser::{Parsed, Record, Severity, Source};

use crate::args::records::{ReplayArgs, ReplayFormat};
use crate::clerk::{self, Clerk};
use crate::pipeline::Plan;
use crate::referee::{Referee, Terms};
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
    let terms = Terms::new(&args.input.variant, io)?;
    let terms = if args.counts { terms.counting_moves() } else { terms };
    let plan = Plan::new(&args.input, io);
    Ok(clerk::run(&plan, io, || Replays { referee: terms.referee(), writer: Writer::default() })?.exit)
}

/// What a thread works with.
struct Replays<'t> {
    referee: Referee<'t>,
    writer: Writer,
}

impl Clerk for Replays<'_> {
    fn enter(&mut self, batch: &Batch) {
        self.referee.enter_batch(batch);
    }

    fn answer(&mut self, source: Source<'_>, parsed: Parsed<Record>, _: Order, out: &mut Vec<u8>) -> Exit {
        let judged = self.referee.judge(parsed);
        self.writer.write(source, &judged, out);
        if judged.worst() == Some(Severity::Error) { Exit::Findings } else { Exit::Ok }
    }
}
