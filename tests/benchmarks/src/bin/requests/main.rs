//! Mutated HTTP requests to a server that is linked into this program, and the memory that it keeps.
//!
//! ```text
//! requests --seconds 3600 [-j N] [--seed N] [--corpus FOLDER] [--intact PERCENT]
//! ```
//!
//! The inputs are the files of `tests/fuzz/requests`. A request is changed in one to four places, or sent as it is; half of
//! the clients that send a changed one disconnect before the answer. Every answer must be a valid HTTP response other than an
//! internal error. Each minute, the number of executions and the memory of the program are printed. The exit code is 1 if
//! anything was found, or if the memory after the second half exceeds that after the first by more than a tenth and 32 MiB.

mod client;
mod mutator;
mod server;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use client::{Answer, exchange};
use mutator::RequestMutator;
use server::LinkedServer;
use tafl_rules::Rng;

/// The time between two printed lines.
const PRINT_INTERVAL: Duration = Duration::from_secs(60);
/// The growth that is not considered a leak. Caches fill up in the first half.
const MAX_GROWTH: u64 = 32 << 20;

struct Options {
    seconds: u64,
    threads: usize,
    seed: u64,
    corpus: Option<PathBuf>,
    /// The percentage of requests that are sent as they are.
    intact: usize,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options { seconds: 60, threads: 2, seed: 1, corpus: None, intact: 10 };
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("{word} needs a number, not `{value}`"));
            match word.as_str() {
                "--seconds" => options.seconds = number()?,
                "-j" => options.threads = number()?.clamp(1, 64) as usize,
                "--seed" => options.seed = number()?,
                "--corpus" => options.corpus = Some(value.into()),
                "--intact" => options.intact = number()?.min(100) as usize,
                _ => return Err(format!("unknown option {word}")),
            }
        }
        Ok(options)
    }
}

/// The counts of all clients.
#[derive(Default)]
struct RequestCounts {
    executions: AtomicU64,
    accepted: AtomicU64,
    rejected: AtomicU64,
    /// Connections that were closed without an answer, because a request was not complete.
    closed: AtomicU64,
    /// The clients that disconnected before the answer.
    left: AtomicU64,
    faults: AtomicU64,
}

impl RequestCounts {
    fn add(&self, answer: &Answer) {
        self.executions.fetch_add(1, Ordering::Relaxed);
        let counter = match answer {
            Answer::Status(200..400) => &self.accepted,
            Answer::Status(_) => &self.rejected,
            Answer::Closed => &self.closed,
            Answer::Left => &self.left,
            Answer::Fault(_) => &self.faults,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn text(&self) -> String {
        let [executions, accepted, rejected, closed, left, faults] =
            [&self.executions, &self.accepted, &self.rejected, &self.closed, &self.left, &self.faults]
                .map(|counter| counter.load(Ordering::Relaxed));
        format!(
            "{executions} requests: {accepted} accepted, {rejected} rejected, {closed} closed without an answer, {left} \
             clients left, {faults} faults"
        )
    }
}

fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether nothing was found.
fn run(options: &Options) -> Result<bool, String> {
    let server = LinkedServer::start(options.corpus.as_deref())?;
    let mutator = RequestMutator::load(&server.game)?;
    println!("{} inputs, {}", mutator.n_inputs(), server.address);
    let (counts, begun) = (RequestCounts::default(), Instant::now());
    let end = begun + Duration::from_secs(options.seconds);
    let half = begun + Duration::from_secs(options.seconds / 2);
    let mut memory_at_half = None;
    thread::scope(|scope| {
        for nth in 0..options.threads {
            let (mutator, counts, address) = (&mutator, &counts, &*server.address);
            scope.spawn(move || {
                let mut rng = Rng::stream(options.seed, nth as u64);
                while Instant::now() < end {
                    send_one(mutator, address, options.intact, (&mut rng, counts));
                }
            });
        }
        let mut printed = begun;
        while Instant::now() < end {
            thread::sleep(Duration::from_millis(200).min(end.saturating_duration_since(Instant::now())));
            if memory_at_half.is_none() && Instant::now() >= half {
                memory_at_half = resident_bytes();
            }
            if printed.elapsed() >= PRINT_INTERVAL {
                printed = Instant::now();
                println!(
                    "{:>6} s, {}: {}",
                    begun.elapsed().as_secs(),
                    megabytes(resident_bytes()),
                    counts.text()
                );
            }
        }
    });
    let (seconds, memory) = (begun.elapsed().as_secs_f64(), resident_bytes());
    let executions = counts.executions.load(Ordering::Relaxed);
    println!("{}\n{:.0} per second", counts.text(), executions as f64 / seconds);
    println!(
        "memory: {} after the first half, {} after the second",
        megabytes(memory_at_half),
        megabytes(memory)
    );
    let has_leak = memory.zip(memory_at_half).is_some_and(|(now, half)| now > half + half / 10 + MAX_GROWTH);
    let is_alive = matches!(
        exchange(&server.address, b"GET /api/info HTTP/1.1\r\nHost: localhost\r\n\r\n", false),
        Answer::Status(200)
    );
    let n_panics = server.n_panics();
    println!(
        "{n_panics} panics; the server {}",
        if is_alive { "answers" } else { "does not answer any more" }
    );
    Ok(counts.faults.load(Ordering::Relaxed) == 0 && n_panics == 0 && is_alive && !has_leak)
}

/// Sends a request, and prints it if its answer is a fault.
fn send_one(
    mutator: &RequestMutator,
    address: &str,
    intact: usize,
    (rng, counts): (&mut Rng, &RequestCounts),
) {
    let is_intact = rng.below(100) < intact;
    let request = mutator.request(rng, is_intact);
    let leaves = !is_intact && rng.below(2) == 0;
    let answer = exchange(address, &request, leaves);
    if let Answer::Fault(what) = &answer {
        println!("{what}: {}", request.escape_ascii());
    }
    counts.add(&answer);
}

/// Returns the resident memory of this program, if the system reports it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? << 10)
}

fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "unknown".to_owned(), |bytes| format!("{} MB", bytes / 1_000_000))
}
