//! `tafl eval`: evaluates a position.

use std::fmt::Write as _;

use tafl_rules::{Count, counted};
use taflbase::engine::{EvaluatedPosition, line_moves};
use taflbase::{App, json_pretty};

use crate::args::engine::EvalArgs;
use crate::args::rules::TextFormat;
use crate::exit::Reported;
use crate::variant::require_rules;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the position can't be evaluated, or the answer can't be written.
pub(crate) fn run(args: &EvalArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    require_rules(&args.request.position.rules, io).map_err(Reported)?;
    let found = args.request.evaluate(&App::new().with_rules_files(), &io.job());
    io.end_progress();
    let found = found?;
    match args.format {
        TextFormat::Json => io.print(&json_pretty(&found.answer()))?,
        TextFormat::Text => io.print(&text(&found))?,
    }
    Ok(Exit::Ok)
}

fn text(found: &EvaluatedPosition) -> String {
    let EvaluatedPosition { game, report, .. } = found;
    let side = game.to_move();
    let mut out = String::new();
    for line in &report.lines {
        let score = line.score.for_side(side).to_string();
        let _ = writeln!(out, "{score:>16}  {}", line_moves(game.shape(), game.chain(), line).join(" "));
    }
    let speed = (report.nodes.0 as f64 / report.time.as_secs_f64().max(1e-9)) as u64;
    let _ = writeln!(
        out,
        "score for the {side}, to move; depth {}, {} in {:.2} s ({} nodes/s)",
        report.depth.0,
        counted(report.nodes.0, "node", "nodes"),
        report.time.as_secs_f64(),
        Count(speed),
    );
    out
}
