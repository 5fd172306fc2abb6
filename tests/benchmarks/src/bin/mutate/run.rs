//! Executions on several threads: panics, slow inputs, progress, and the figures at the end.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use super::options::Options;

/// One kind of execution, on one thread.
pub(crate) trait Execution {
    /// Executes one number, and returns the name of its row in the table.
    fn execute(&mut self, number: u64) -> &'static str;

    /// Returns the input of the last number, to print it.
    fn input(&self) -> String;

    /// Replaces the state that a panic may have left inconsistent.
    fn recover(&mut self);
}

/// The number of executions that a thread claims at once.
const CHUNK: u64 = 1024;
/// The maximum CPU time of an execution.
const SLOW: Duration = Duration::from_secs(1);
/// The time between two checks for slow inputs.
const POLL: Duration = Duration::from_millis(200);
/// The time between two printed states if the standard error is not a terminal.
const STATE: Duration = Duration::from_secs(60);
/// A thread without work.
const IDLE: u64 = u64::MAX;
/// The maximum number of printed inputs for panics at one place.
const MAX_PRINTED: u64 = 3;

thread_local! {
    /// The message and the place of the last panic of the thread.
    static PANIC: RefCell<(String, String)> = RefCell::default();
}

struct Shared<'o> {
    options: &'o Options,
    deadline: Option<Instant>,
    next: AtomicU64,
    /// The number that each thread executes.
    current: Vec<AtomicU64>,
    done: AtomicBool,
    n_slow: AtomicU64,
    /// The number of executions in each row of the table.
    rows: Mutex<BTreeMap<&'static str, u64>>,
    /// The number of panics at each place.
    panics: Mutex<BTreeMap<String, u64>>,
}

/// Runs all executions, prints what it finds, and returns whether nothing was found.
pub(crate) fn run<E: Execution>(options: &Options, new: impl Fn() -> E + Sync) -> bool {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let message = info.payload_as_str().unwrap_or("a panic without a message").to_owned();
        PANIC.set((message, place));
    }));
    let shared = Shared {
        options,
        deadline: options.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds)),
        next: AtomicU64::new(options.from),
        current: (0..options.threads).map(|_| AtomicU64::new(IDLE)).collect(),
        done: AtomicBool::new(false),
        n_slow: AtomicU64::new(0),
        rows: Mutex::default(),
        panics: Mutex::default(),
    };
    let (started, used) = (Instant::now(), ProcessTime::now());
    thread::scope(|scope| {
        let workers: Vec<_> = (0..options.threads)
            .map(|nth| {
                scope.spawn({
                    let (shared, new) = (&shared, &new);
                    move || work(shared, nth, new())
                })
            })
            .collect();
        let watch = scope.spawn(|| watch(&shared));
        workers.into_iter().for_each(|worker| worker.join().expect("a worker catches panics"));
        shared.done.store(true, Ordering::Relaxed);
        watch.thread().unpark();
    });
    let wall = started.elapsed().as_secs_f64();
    let cpu = used.elapsed().as_secs_f64();
    let rows = shared.rows.into_inner().expect("no thread panicked");
    let panics = shared.panics.into_inner().expect("no thread panicked");
    let total: u64 = rows.values().sum();
    for (name, count) in &rows {
        println!("{name:<16} {count:>14}");
    }
    println!("{:<16} {total:>14}", "total");
    println!(
        "{:.0} s, {:.0} s of CPU: {:.0} executions per second of CPU, {:.0} per second",
        wall,
        cpu,
        total as f64 / cpu.max(1e-9),
        total as f64 / wall.max(1e-9),
    );
    let n_slow = shared.n_slow.into_inner();
    println!("{} panics at {} places, {n_slow} slow inputs", panics.values().sum::<u64>(), panics.len());
    for (place, count) in &panics {
        println!("{count:>8} at {place}");
    }
    panics.is_empty() && n_slow == 0
}

impl Shared<'_> {
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

fn work<E: Execution>(shared: &Shared<'_>, nth: usize, execution: E) {
    let mut execution = execution;
    let mut rows: BTreeMap<&'static str, u64> = BTreeMap::new();
    let end = shared.options.from.saturating_add(shared.options.count);
    loop {
        let first = shared.next.fetch_add(CHUNK, Ordering::Relaxed);
        if first >= end || shared.is_late() {
            break;
        }
        for number in first..(first + CHUNK).min(end) {
            if shared.is_late() {
                break;
            }
            shared.current[nth].store(number, Ordering::Relaxed);
            match panic::catch_unwind(AssertUnwindSafe(|| execution.execute(number))) {
                Ok(name) => *rows.entry(name).or_default() += 1,
                Err(_) => {
                    report_panic(shared, number, &execution.input());
                    *rows.entry("panicked").or_default() += 1;
                    execution.recover();
                }
            }
        }
    }
    shared.current[nth].store(IDLE, Ordering::Relaxed);
    let mut all = shared.rows.lock().expect("no thread panics with the lock");
    rows.into_iter().for_each(|(name, count)| *all.entry(name).or_default() += count);
}

fn report_panic(shared: &Shared<'_>, number: u64, input: &str) {
    let (message, place) = PANIC.take();
    let mut panics = shared.panics.lock().expect("no thread panics with the lock");
    // The notation is the first word of a message about a round trip.
    let word = message.split([' ', ':']).next().unwrap_or_default();
    let count = panics.entry(format!("{place} ({word})")).or_default();
    *count += 1;
    if *count <= MAX_PRINTED {
        println!("panic in execution {number} at {place}: {message}\n  {input}");
    }
}

/// Prints progress and executions that take too long, until the work is done.
///
/// CPU time decides: on a busy machine, a thread may wait for a second.
fn watch(shared: &Shared<'_>) {
    let n_threads = shared.options.threads as u32;
    let is_terminal = std::io::stderr().is_terminal();
    let mut seen: Vec<(u64, Duration, bool)> = vec![(IDLE, Duration::ZERO, false); shared.current.len()];
    let (started, used) = (Instant::now(), ProcessTime::now());
    let mut printed = Instant::now();
    while !shared.done.load(Ordering::Relaxed) {
        thread::park_timeout(POLL);
        let now = used.elapsed();
        for (current, (number, since, is_reported)) in shared.current.iter().zip(&mut seen) {
            let at = current.load(Ordering::Relaxed);
            if at != *number {
                (*number, *since, *is_reported) = (at, now, false);
            } else if at != IDLE && !*is_reported && now - *since > SLOW * n_threads {
                *is_reported = true;
                shared.n_slow.fetch_add(1, Ordering::Relaxed);
                println!("execution {at} takes more than {} s", SLOW.as_secs());
            }
        }
        // Executions before the oldest running one are done.
        let current = shared.current.iter().map(|number| number.load(Ordering::Relaxed));
        let Some(state) = current.min().filter(|state| *state != IDLE) else { continue };
        let n_done = state - shared.options.from;
        let speed = n_done as f64 / started.elapsed().as_secs_f64();
        if is_terminal {
            eprint!("\r{n_done} executions, {speed:.0} per second ");
        } else if printed.elapsed() > STATE {
            printed = Instant::now();
            println!("done up to {state} (continue with --from {state}), {speed:.0} per second");
        }
    }
    if is_terminal {
        eprintln!();
    }
}
