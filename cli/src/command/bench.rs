//! `tafl bench`: measures the signature and the speed of the engine.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::json;
use tafl_analyzer::{BenchLine, run_bench};

use crate::args::rules::TextFormat;
use crate::args::tools::BenchArgs;
use crate::{Exit, Io};

/// Searches the suite, and prints the signature and the speed.
///
/// # Errors
///
/// Returns an error if the answer can't be written.
pub(crate) fn run(args: &BenchArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let lines = run_bench(|line| io.progress(&format!("{}: {} positions", line.variant, line.nodes)));
    io.end_progress();
    let nodes: u64 = lines.iter().map(|line| line.nodes).sum();
    let time: Duration = lines.iter().map(|line| line.time).sum();
    match args.format {
        TextFormat::Json => {
            let line = |line: &BenchLine| {
                json!({
                    "variant": line.variant,
                    "depth": line.depth,
                    "nodes": line.nodes,
                    "seconds": line.time.as_secs_f64(),
                })
            };
            let lines: Vec<_> = lines.iter().map(line).collect();
            let value = json!({
                "version": env!("CARGO_PKG_VERSION"),
                "profile": if cfg!(debug_assertions) { "dev" } else { "release" },
                "signature": nodes,
                "seconds": time.as_secs_f64(),
                "positions": lines,
            });
            io.print(&format!("{value:#}\n"))?;
        }
        TextFormat::Text => {
            let mut out = String::new();
            for line in &lines {
                let speed = speed(line.nodes, line.time);
                let BenchLine { variant, depth, nodes, .. } = line;
                let _ =
                    writeln!(out, "{variant:<16} depth {depth:>2} {nodes:>10} positions {speed:>6.2} M/s");
            }
            let _ = writeln!(out, "signature {nodes}, {:.2} million nodes per second", speed(nodes, time));
            io.print(&out)?;
        }
    }
    Ok(Exit::Ok)
}

/// Returns the speed in millions of nodes per second.
fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9) / 1e6
}
