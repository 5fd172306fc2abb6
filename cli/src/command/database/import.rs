//! `tafl import`: adds games to a corpus.

mod summary;
mod watch;

use std::time::Instant;

use tafl_rules::{Count, counted};
use taflbase::database::{ImportAnswer, ImportEvent, ImportRequest};
use taflbase::records::ReadCounts;
use taflbase::{App, json_line};

use crate::args::database::corpus::ImportArgs;
use crate::args::rules::TextFormat;
use crate::exit::Reported;
use crate::variant::rules_of;
use crate::{Exit, Io, records};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, another program writes to the corpus, or the corpus cannot be read or written.
pub(crate) fn run(args: &ImportArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let request =
        ImportRequest { rules: rules_of(&args.request.rules, io).map_err(Reported)?, ..args.request.clone() };
    if request.watch.is_some() {
        return watch::run(&request, args.format, io);
    }
    let (started, mut is_incomplete) = (Instant::now(), false);
    let (job, stdin, message) = (io.job(), io.take_stdin(), io.handle_stop_signals());
    message.set(nothing_stored_message(&request));
    let answer = request.run_with_stdin(Some(stdin), &App::new(), &job, &mut |event| {
        if let ImportEvent::Committed { added, is_complete } = event {
            message.set(stored_message(added, is_complete));
        }
        is_incomplete |= show_event(&event, io);
        Ok(())
    });
    io.end_progress();
    let answer = match answer {
        // Missing inputs have been reported.
        Err(error) if error.parameter.as_deref() == Some("paths") && is_incomplete => return Ok(Exit::Error),
        answer => answer?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let rate = Count((answer.counts.plies as f64 / seconds.max(1e-3)) as u64);
    io.notice(&format!("{seconds:.1} s, {rate} plies/s"));
    io.print(&match args.format {
        TextFormat::Text => summary::text(&answer),
        TextFormat::Json => json_line(&answer),
    })?;
    Ok(exit(&answer, is_incomplete))
}

/// Returns the message that is printed if the import is stopped before games are stored.
fn nothing_stored_message(request: &ImportRequest) -> String {
    let advice = match (request.rows.is_empty(), request.commit_every) {
        (true, None) => "run the command again, with --commit-every N to store games during the import",
        (true, Some(_)) | (false, _) => "run the command again",
    };
    format!("stopped: nothing is stored yet; {advice}")
}

/// Returns the message that is printed if the import is stopped after games were stored.
fn stored_message(added: u64, is_complete: bool) -> String {
    let games = counted(added, "new game", "new games");
    if is_complete {
        return format!("stopped after all games were stored: {games}");
    }
    format!("stopped: stored {games}; run the command again to go on")
}

/// Reports an event on standard error, and returns whether an input can't be read.
pub(in crate::command::database) fn show_event(event: &ImportEvent, io: &mut Io<'_>) -> bool {
    match event {
        ImportEvent::Problem(problem) => {
            records::show_problem(problem, io);
            problem.is_error()
        }
        ImportEvent::Input { name, event } => {
            records::show_event_of(|| name.clone(), event, io);
            false
        }
        ImportEvent::Committed { .. } => false,
    }
}

/// Returns the exit of an import.
pub(in crate::command::database) fn exit(answer: &ImportAnswer, is_incomplete: bool) -> Exit {
    let read = &answer.read;
    if is_incomplete || read.unreadable > 0 {
        Exit::Error
    } else if read.failed > 0 || read.file_errors > 0 || answer.has_faults() || is_empty(read) {
        Exit::Findings
    } else {
        Exit::Ok
    }
}

/// Returns whether inputs were read but had no records, which is rarely intended and therefore a finding.
fn is_empty(read: &ReadCounts) -> bool {
    read.files > 0 && read.records + read.unreadable_lines == 0
}
