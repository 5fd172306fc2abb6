//! Prints how fast records of a file are parsed, in MB/s: `parse_speed FILE [FORMAT] [ROUNDS]`.

use std::hint::black_box;
use std::time::Instant;

use tafl_parser::{Format, Source};

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().expect("the first argument is a file");
    let format = args.next().and_then(|name| Format::from_name(&name)).unwrap_or(Format::MoveList);
    let rounds: u32 = args.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(20);
    let text = std::fs::read_to_string(&name).expect("the file can be read");
    let (mut plies, mut findings, mut best) = (0, 0, f64::INFINITY);
    for _ in 0..rounds {
        let start = Instant::now();
        (plies, findings) = (0, 0);
        for line in text.lines() {
            let parsed = black_box(format.parse(&Source::new(line)));
            plies += parsed.value.main().moves.len();
            findings += parsed.diagnostics.len();
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let megabytes = text.len() as f64 / 1e6;
    println!("{name}: {megabytes:.2} MB, {plies} plies, {findings} findings");
    println!("best of {rounds}: {:.0} MB/s, {:.1} M plies/s", megabytes / best, plies as f64 / 1e6 / best);
}
