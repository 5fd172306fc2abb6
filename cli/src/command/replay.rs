//! `tafl replay`: what happened in each game, ply by ply.

use tafl_parser::reader::Batch;
use tafl_parser::{Code, Severity};

use crate::args::records::{ReplayArgs, ReplayFormat};
use crate::finding::Finding;
use crate::input::Input;
use crate::io::escape;
use crate::number::Count;
use crate::pipeline::{Plan, Step};
use crate::referee::{Referee, Terms};
use crate::snippet::Snippet;
use crate::{Exit, Io};

mod line;

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
    let mut exit = if plan.inputs.is_incomplete { Exit::Error } else { Exit::Ok };
    let mut games = 0;
    plan.read(
        io,
        || (terms.referee(), Writer::default()),
        |(referee, writer), input, batch| Lines::new((referee, writer), input, batch),
        |io, step| {
            let input = &plan.inputs.list[step.input];
            let (now, new) = take(io, input, step)?;
            exit = exit.and(now);
            games += new;
            io.progress(&format!("{} games", Count(games)));
            Ok(())
        },
    )?;
    Ok(exit)
}

/// The answer for a batch.
struct Lines {
    text: Vec<u8>,
    games: u64,
    has_errors: bool,
    /// What is to be said about the file itself.
    file: Vec<(Code, String)>,
}

impl Lines {
    fn new((referee, writer): (&mut Referee<'_>, &mut Writer), input: &Input, batch: &Batch) -> Lines {
        let mut lines = Lines { text: Vec::new(), games: 0, has_errors: false, file: Vec::new() };
        referee.enter_batch(batch);
        for (source, parsed) in batch.parse() {
            let judged = referee.judge(parsed);
            lines.games += 1;
            lines.has_errors |= judged.worst() == Some(Severity::Error);
            writer.write(source, &judged, &mut lines.text);
        }
        let name = input.name();
        for found in batch.findings() {
            let finding = Finding::of_file(&name, found);
            let message = format!("{name}: {}", finding.message);
            lines.file.push((found.kind.code(), message));
        }
        lines
    }
}

/// Writes an answer; what is wrong with files goes to standard error, because it belongs to no game.
fn take(io: &mut Io<'_>, input: &Input, step: Step<Lines>) -> anyhow::Result<(Exit, u64)> {
    let lines = match step.answer {
        Ok(lines) => lines,
        Err(error) => {
            io.error(&format!("{}: {error}", input.name()));
            return Ok((Exit::Error, 0));
        }
    };
    let mut exit = if lines.has_errors { Exit::Findings } else { Exit::Ok };
    for (code, message) in &lines.file {
        if input.is_passed_over(*code) {
            io.notice(&format!("passed over {}: it holds no known notation", escape(&input.name())));
            continue;
        }
        if code.severity() == Severity::Error {
            exit = exit.and(Exit::Findings);
        }
        let mut text = String::new();
        let help = Some(code.help());
        Snippet { severity: code.severity(), code: Some(code.text()), message, place: None, help }
            .write(io.error_style(), &mut text);
        io.notice_always(text.trim_end());
    }
    io.write_bytes(&lines.text)?;
    Ok((exit, lines.games))
}
