//! `tafl bench`: how fast the program is here.

#[cfg(feature = "database")]
mod corpus;
#[cfg(not(feature = "database"))]
#[path = "bench/without.rs"]
mod corpus;
mod engine;
mod figure;
mod infer;
mod input;
mod mended;
mod repair;
mod took;

use std::hint::black_box;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use serde_json::json;
use tafl_parser::parallel;
use tafl_parser::reader::Batch;
use tafl_rules::perft::Leaves;
use tafl_rules::{AnyRulebook, catalog};
use taflbase::records::{ReplayConfig, ReplayWorker};

use crate::args::rules::TextFormat;
use crate::args::tools::{BenchArgs, BenchPart};
use crate::{Exit, Io, records};

use figure::{Figure, Unit, measure};
use input::Material;

/// Runs the command.
///
/// # Errors
///
/// Fails when a file cannot be read or has no records, or the answer cannot be written.
pub(crate) fn run(args: &BenchArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.part == Some(BenchPart::Corpus) {
        corpus::run(args, io)?;
        return Ok(Exit::Ok);
    }
    if args.part == Some(BenchPart::Engine) {
        return engine::run(args.format, io);
    }
    if args.part == Some(BenchPart::Infer) {
        return infer::run(args, io);
    }
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = args.threads.unwrap_or(cores);
    let wants = |part: BenchPart| args.part.is_none_or(|wanted| wanted == part);
    let config = records::replay_config(&args.variant, io)?;
    if args.part == Some(BenchPart::Repair) {
        return mend(args, &config, threads, io);
    }
    let mut figures = Vec::new();
    if wants(BenchPart::Parse) || wants(BenchPart::Replay) {
        io.progress("reading the input");
        for material in input::materials(args)? {
            if wants(BenchPart::Parse) {
                io.progress(&format!("parse {}", material.name));
                figures.extend(parse(&material, args.rounds)?);
            }
            if wants(BenchPart::Replay) {
                io.progress(&format!("replay {}", material.name));
                figures.extend(replay(&material, &config, (args.rounds, threads))?);
            }
        }
    }
    if wants(BenchPart::Perft) {
        for (variant, depth) in [("copenhagen11", 3), ("brandubh7", 4)] {
            io.progress(&format!("perft {variant}"));
            figures.extend(perft(variant, depth, args.rounds));
        }
    }
    io.end_progress();
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    match args.format {
        TextFormat::Json => {
            let figures: Vec<_> = figures.iter().map(Figure::json).collect();
            let value = json!({
                "version": env!("CARGO_PKG_VERSION"),
                "profile": profile,
                "cores": cores,
                "rounds": args.rounds,
                "figures": figures,
            });
            io.print(&format!("{value:#}\n"))?;
        }
        TextFormat::Text => {
            io.print(&figure::table(&figures))?;
            if profile == "dev" {
                io.notice("this is a build of the dev profile; a release build is faster");
            }
        }
    }
    Ok(Exit::Ok)
}

/// Measures repair, and writes the table.
fn mend(
    args: &BenchArgs,
    config: &Arc<ReplayConfig>,
    threads: NonZeroUsize,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    let table = repair::run(args, config, threads, io)?;
    io.end_progress();
    if let Some(path) = &args.misses {
        let mut text = table.shown().join("\n");
        text.push('\n');
        std::fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    match args.format {
        TextFormat::Json => io.print(&format!("{:#}\n", table.json()))?,
        TextFormat::Text => io.print(&table.text())?,
    }
    Ok(Exit::Ok)
}

/// Reads the records of a text: cut, parsed, forgotten.
fn parse(material: &Material, rounds: u32) -> anyhow::Result<Vec<Figure>> {
    let copy = measure(rounds, || black_box(material.bytes.to_vec()).len() as u64);
    let mut failure = Ok(());
    let times = measure(rounds, || {
        let mut moves = 0;
        let read = material.batches(|batch| {
            moves += batch.parse().map(|(_, parsed)| parsed.value.main().moves.len() as u64).sum::<u64>();
        });
        if let Err(error) = read {
            failure = Err(error);
        }
        black_box(moves)
    });
    failure?;
    let megabytes = material.bytes.len() as f64 / 1e6;
    let figure = Figure::new("parse", &material.name, (Unit::Megabytes, megabytes), times);
    let copied = Figure::new("copy", &material.name, (Unit::Megabytes, megabytes), copy);
    Ok(vec![figure.on(material.size).against(&copied)])
}

/// Reads and replays the records of a text, on one thread and on several.
fn replay(
    material: &Material,
    config: &Arc<ReplayConfig>,
    (rounds, threads): (u32, NonZeroUsize),
) -> anyhow::Result<Vec<Figure>> {
    let plies = replay_once(material, config, NonZeroUsize::MIN)?;
    anyhow::ensure!(
        plies > 0,
        "{}: no ply can be played; perhaps the rules have to be named with --variant",
        material.name
    );
    let run = |threads: NonZeroUsize| -> anyhow::Result<Figure> {
        let mut failure = Ok(());
        let times = measure(rounds, || match replay_once(material, config, threads) {
            Ok(plies) => plies,
            Err(error) => {
                failure = Err(error);
                0
            }
        });
        failure?;
        let figure = Figure::new("replay", &material.name, (Unit::Plies, plies as f64), times);
        Ok(figure.on(material.size).threads(threads))
    };
    let one = run(NonZeroUsize::MIN)?;
    if threads.get() == 1 {
        return Ok(vec![one]);
    }
    let many = run(threads)?.against(&one);
    Ok(vec![one, many])
}

/// Replays all records, and returns how many plies could be played.
fn replay_once(material: &Material, config: &Arc<ReplayConfig>, threads: NonZeroUsize) -> io::Result<u64> {
    let mut records = material.records()?;
    let mut failure = None;
    // A worker is used by one thread at a time; there are never more of them than threads.
    let idle: Mutex<Vec<ReplayWorker>> = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |batch: Batch| {
        let mut worker = lock().pop().unwrap_or_else(|| ReplayWorker::new(config));
        worker.enter(&batch);
        let plies: usize = batch.parse().map(|(_, parsed)| worker.replay(parsed).replay.plies.len()).sum();
        lock().push(worker);
        plies as u64
    };
    let source = || match records.next_batch() {
        Ok(batch) => batch,
        Err(error) => {
            failure = Some(error);
            None
        }
    };
    let mut sum = 0;
    parallel::in_order(threads, source, work, |plies| {
        sum += plies;
        ControlFlow::Continue(())
    });
    failure.map_or(Ok(sum), Err)
}

/// Counts sequences of moves, with the last ply counted and with the last ply played.
fn perft(variant: &str, depth: u32, rounds: u32) -> Vec<Figure> {
    let Some(rules) = catalog::find(variant).map(|named| named.rules()) else { return Vec::new() };
    let Ok(book) = AnyRulebook::compile(&rules) else { return Vec::new() };
    let count = |leaves: Leaves| book.perft(&rules.start, rules.first_mover, depth, leaves);
    let nodes = count(Leaves::Bulk) as f64;
    let run = |name: &str, leaves: Leaves| {
        let name = format!("{variant}, depth {depth}, last ply {name}");
        Figure::new("perft", &name, (Unit::Nodes, nodes), measure(rounds, || count(leaves)))
    };
    let counted = run("counted", Leaves::Bulk);
    let played = run("played", Leaves::Played).against(&counted);
    vec![counted, played]
}
