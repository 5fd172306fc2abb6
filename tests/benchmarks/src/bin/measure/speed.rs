//! The speed of reading records, of replay, and of perft.

use std::hint::black_box;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use tafl_parser::{Batch, in_order};
use tafl_rules::{AnyRulebook, Leaves, catalog};
use taflbase::records::{ReplayConfig, ReplayWorker};

use crate::figure::{self, Measurement, Unit, measure};
use crate::material::{self, Material};
use crate::options::{Options, OutputFormat, Part, cores, profile};

/// Measures, and prints the figures.
///
/// # Errors
///
/// Fails if a file can't be read or has no records.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let mut figures = Vec::new();
    if options.part == Part::Perft {
        for (variant, depth) in [("copenhagen11", 3), ("brandubh7", 4)] {
            options.progress(&format!("perft {variant}"));
            figures.extend(perft(variant, depth, options.rounds));
        }
    } else {
        let config = options.replay_config()?;
        for material in material::materials(options)? {
            options.progress(&material.name);
            figures.extend(match options.part {
                Part::Parse => parse(&material, options.rounds)?,
                _ => replay(&material, &config, (options.rounds, options.threads()))?,
            });
        }
    }
    match options.format {
        OutputFormat::Json => {
            let figures: Vec<_> = figures.iter().map(Measurement::json).collect();
            let value = json!({
                "version": env!("CARGO_PKG_VERSION"),
                "profile": profile(),
                "cores": cores(),
                "rounds": options.rounds,
                "figures": figures,
            });
            println!("{value:#}");
        }
        OutputFormat::Text => {
            print!("{}", figure::table(&figures));
            if profile() == "dev" {
                eprintln!("this is a build of the dev profile; a release build is faster");
            }
        }
    }
    Ok(())
}

/// Measures reading the records of a text.
fn parse(material: &Material, rounds: u32) -> anyhow::Result<Vec<Measurement>> {
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
    let figure = Measurement::new("parse", &material.name, (Unit::Megabytes, megabytes), times);
    let copied = Measurement::new("copy", &material.name, (Unit::Megabytes, megabytes), copy);
    Ok(vec![figure.on(material.size).against(&copied)])
}

/// Measures reading and replaying the records of a text, on one thread and on several.
fn replay(
    material: &Material,
    config: &Arc<ReplayConfig>,
    (rounds, threads): (u32, NonZeroUsize),
) -> anyhow::Result<Vec<Measurement>> {
    let plies = replay_once(material, config, NonZeroUsize::MIN)?;
    anyhow::ensure!(
        plies > 0,
        "{}: no ply can be played; perhaps the rules have to be named with --variant",
        material.name
    );
    let run = |threads: NonZeroUsize| -> anyhow::Result<Measurement> {
        let mut failure = Ok(());
        let times = measure(rounds, || match replay_once(material, config, threads) {
            Ok(plies) => plies,
            Err(error) => {
                failure = Err(error);
                0
            }
        });
        failure?;
        let figure = Measurement::new("replay", &material.name, (Unit::Plies, plies as f64), times);
        Ok(figure.on(material.size).threads(threads))
    };
    let one = run(NonZeroUsize::MIN)?;
    if threads.get() == 1 {
        return Ok(vec![one]);
    }
    let many = run(threads)?.against(&one);
    Ok(vec![one, many])
}

/// Replays all records, and returns the number of plies that could be played.
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
    in_order(threads, source, work, |plies| {
        sum += plies;
        ControlFlow::Continue(())
    });
    failure.map_or(Ok(sum), Err)
}

/// Measures perft, with the last ply counted and with the last ply played.
fn perft(variant: &str, depth: u32, rounds: u32) -> Vec<Measurement> {
    let Some(rules) = catalog::find(variant).map(|named| named.rules()) else { return Vec::new() };
    let Ok(book) = AnyRulebook::compile(&rules) else { return Vec::new() };
    let count = |leaves: Leaves| book.perft(&rules.start, rules.first_mover, depth, leaves);
    let nodes = count(Leaves::Bulk) as f64;
    let run = |name: &str, leaves: Leaves| {
        let name = format!("{variant}, depth {depth}, last ply {name}");
        Measurement::new("perft", &name, (Unit::Nodes, nodes), measure(rounds, || count(leaves)))
    };
    let counted = run("counted", Leaves::Bulk);
    let played = run("played", Leaves::Played).against(&counted);
    vec![counted, played]
}
