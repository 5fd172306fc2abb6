//! `tafl perft`: counts the sequences of legal moves.

use std::fmt::Write as _;

use taflbase::{App, Request, json_pretty};

use crate::args::rules::{PerftArgs, TextFormat};
use crate::exit::Reported;
use crate::variant::variant_named;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Fails if the rules or the position are wrong, or the answer can't be written.
pub(crate) fn run(args: &PerftArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    variant_named(&args.request.variant, io).map_err(Reported)?;
    let answer = args.request.clone().run(&App::new().with_rules_files(), &io.job())?;
    match args.format {
        TextFormat::Json => io.print(&json_pretty(&answer))?,
        TextFormat::Text => {
            let mut out = String::new();
            for (mv, nodes) in answer.moves.iter().flatten() {
                let _ = writeln!(out, "{mv} {nodes}");
            }
            let _ = writeln!(out, "{}", answer.nodes);
            io.print(&out)?;
            let speed = answer.nodes as f64 / answer.seconds.max(1e-9) / 1e6;
            io.notice(&format!("{:.3} s, {speed:.1} million nodes per second", answer.seconds));
        }
    }
    Ok(Exit::Ok)
}
