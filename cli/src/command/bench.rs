//! `tafl bench`: measures the signature and the speed of the engine.

use std::fmt::Write as _;

use taflbase::engine::{BenchAnswer, BenchPosition, BenchRequest};
use taflbase::{App, Request as _, json_pretty};

use crate::args::rules::TextFormat;
use crate::args::tools::BenchArgs;
use crate::{Exit, Io};

/// Searches the suite, and prints the signature and the speed.
///
/// # Errors
///
/// Returns an error if the answer can't be written.
pub(crate) fn run(args: &BenchArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let answer = BenchRequest {}.run(&App::new(), &io.job())?;
    io.end_progress();
    io.print(&match args.format {
        TextFormat::Text => text(&answer),
        TextFormat::Json => json_pretty(&answer),
    })?;
    Ok(Exit::Ok)
}

fn text(answer: &BenchAnswer) -> String {
    let mut out = String::new();
    for position in &answer.positions {
        let BenchPosition { variant, depth, nodes, .. } = position;
        let speed = position.speed();
        let _ = writeln!(out, "{variant:<16} depth {depth:>2} {nodes:>10} nodes {speed:>6.2} M/s");
    }
    let (signature, speed) = (answer.signature, answer.speed());
    let _ = writeln!(out, "signature {signature}, {speed:.2} million nodes per second");
    out
}
