//! Prints how fast records are parsed, in MB/s: `parse_speed FILE [ROUNDS [FORMAT]]`.
//!
//! The file's records are also written in every other writable format, and that text is parsed as well. Then the time of
//! the whole way from a stream to records is taken, with one thread and with two.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Instant;

use tafl_parser::Format;
use tafl_parser::parallel::in_order;
use tafl_parser::reader::{ReadOptions, Records};
use tafl_parser::write::{WriteGame, write};

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().expect("the first argument is a file");
    let rounds: u32 = args.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(20);
    let bytes = std::fs::read(&name).expect("the file can be read");
    let mut stream = Records::new(&name, &bytes[..], ReadOptions::default()).expect("memory can be read");
    let format = stream.format().expect("the format is recognized");
    let mut records = Vec::new();
    while let Some(batch) = stream.next_batch().expect("memory can be read") {
        records.extend(batch.parse().map(|(_, parsed)| parsed.value));
    }
    let only = args.next().and_then(|name| Format::from_name(&name));
    if only.is_none_or(|only| only == format) {
        parse(format, &bytes, rounds);
    }
    for target in Format::ALL.into_iter().filter(|target| target.is_writable() && *target != format) {
        if only.is_some_and(|only| only != target) {
            continue;
        }
        let mut text = String::new();
        for record in &records {
            write(WriteGame { record, played: None }, target, &mut text).expect("the format is writable");
        }
        parse(target, text.as_bytes(), rounds);
    }
    if only.is_some() {
        return;
    }
    // Enough for the threads to be busy for a while.
    let large = bytes.repeat(100);
    let seconds = [1, 2].map(|threads| from_stream(format, &large, threads));
    println!("two threads are {:.2} times as fast as one", seconds[0] / seconds[1]);
}

fn options(format: Format) -> ReadOptions {
    ReadOptions { format: Some(format), ..ReadOptions::default() }
}

/// Measures parsing alone: the text is cut into records before.
fn parse(format: Format, bytes: &[u8], rounds: u32) {
    let small = ReadOptions { batch: 64 << 10, ..options(format) };
    let mut stream = Records::new("-", bytes, small).expect("memory can be read");
    let mut batches = Vec::new();
    while let Some(batch) = stream.next_batch().expect("memory can be read") {
        batches.push(batch);
    }
    let (mut plies, mut findings, mut games, mut seconds) = (0, 0, 0, 0.0);
    for batch in &batches {
        // The best time of each small batch: on a busy machine longer ones are interrupted.
        let mut best = f64::INFINITY;
        let mut counts = (0, 0, 0);
        for _ in 0..rounds {
            let start = Instant::now();
            counts = (0, 0, 0);
            for (_, parsed) in batch.parse() {
                counts.0 += black_box(&parsed.value).main().moves.len();
                counts.1 += parsed.diagnostics.len();
                counts.2 += 1;
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        (plies, findings, games) = (plies + counts.0, findings + counts.1, games + counts.2);
        seconds += best;
    }
    let megabytes = bytes.len() as f64 / 1e6;
    println!(
        "{format:12} {megabytes:6.2} MB, {games} games, {plies} plies, {findings} findings: {:4.0} MB/s, {:5.1} M plies/s",
        megabytes / seconds,
        plies as f64 / 1e6 / seconds,
    );
}

/// Measures the whole way, and returns the seconds it took.
fn from_stream(format: Format, bytes: &[u8], threads: usize) -> f64 {
    let start = Instant::now();
    let mut stream = Records::new("-", bytes, options(format)).expect("memory can be read");
    let mut plies = 0;
    let work = |batch: tafl_parser::reader::Batch| {
        batch.parse().map(|(_, parsed)| parsed.value.main().moves.len()).sum::<usize>()
    };
    let threads = NonZeroUsize::new(threads).expect("at least one thread is wanted");
    in_order(
        threads,
        || stream.next_batch().expect("memory can be read"),
        work,
        |found| {
            plies += found;
            ControlFlow::Continue(())
        },
    );
    let seconds = start.elapsed().as_secs_f64();
    let megabytes = bytes.len() as f64 / 1e6;
    println!("stream, {threads} threads: {megabytes:.0} MB, {plies} plies, {:.0} MB/s", megabytes / seconds);
    seconds
}
