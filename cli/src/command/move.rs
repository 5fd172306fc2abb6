//! `tafl move`: checks a move and shows its effect.

use std::ops::ControlFlow;

use taflbase::{App, Job, MoveAnswer, MoveBatch, MoveResult, Request, json_line, json_pretty};

use crate::args::board::MoveArgs;
use crate::args::rules::TextFormat;
use crate::variant::NO_RULES;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules or the position are wrong, standard input cannot be read, or the answer cannot be written.
pub(crate) fn run(args: &MoveArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let app = App::new().with_rules_files();
    let request = args.request.clone();
    if request.mv == "-" {
        return run_batch(&MoveBatch { defaults: request }, &app, io);
    }
    if request.rules.variant.is_none() {
        io.error(NO_RULES);
        return Ok(Exit::Error);
    }
    let answer = request.run(&app, &Job::default())?;
    io.print(&match args.format {
        TextFormat::Json => json_pretty(&answer),
        TextFormat::Text => answer_text(&answer, &args.request.mv),
    })?;
    Ok(if answer.legal { Exit::Ok } else { Exit::Findings })
}

/// Answers the requests from standard input, each with a line.
fn run_batch(batch: &MoveBatch, app: &App, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let input = io.take_stdin();
    let mut exit = Exit::Ok;
    batch.process(input, app, &Job::default(), |reply| -> anyhow::Result<ControlFlow<()>> {
        if matches!(reply.result, MoveResult::Error { .. }) {
            exit = Exit::Findings;
        }
        io.print(&json_line(&reply))?;
        // The client may wait for the answer before it sends the next request.
        io.flush()?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(exit)
}

fn answer_text(answer: &MoveAnswer, mv: &str) -> String {
    let mv = taflbase::escape::escape(mv);
    if let Some(why) = &answer.why {
        return format!("{mv} is illegal: {why}\n");
    }
    let captured = if answer.captured.is_empty() { "nothing".to_owned() } else { answer.captured.join(", ") };
    let mut lines = vec![format!("{mv} is legal"), format!("captures: {captured}")];
    lines.push(match (&answer.outcome, answer.to_move, answer.goes_on) {
        (Some(ending), ..) if ending.winner == "draw" => format!("the game is drawn: {}", ending.reason),
        (Some(ending), ..) => format!("the {} win: {}", ending.winner, ending.reason),
        (None, _, true) => "the same piece continues".to_owned(),
        (None, Some(side), false) => format!("the game continues: {side} to move"),
        (None, None, false) => "the game continues".to_owned(),
    });
    lines.extend(answer.after.iter().map(|after| format!("after: {after}")));
    lines.extend(answer.explanation.iter().map(|line| format!("because: {line}")));
    lines.extend(answer.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n") + "\n"
}
