//! Numbered jobs on several threads, with results in job order.
//!
//! `tafl_parser::parallel` does the same for a stream of records, but this crate does not depend on
//! the parser. Jobs here also need no bounded queue: a job is a number, and a result is a game of a
//! few kilobytes that took seconds.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Runs jobs on several threads and delivers their results in job order until `take` returns `Break`.
///
/// Jobs that have started are finished, but their results after the break are dropped.
pub fn run_jobs<T: Send>(
    numbers: Range<u64>,
    threads: NonZeroUsize,
    work: impl Fn(u64) -> T + Sync,
    mut take: impl FnMut(u64, T) -> ControlFlow<()>,
) {
    let next = AtomicU64::new(numbers.start);
    let is_over = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            let sender = sender.clone();
            let (next, is_over, work, numbers) = (&next, &is_over, &work, &numbers);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // The counter can wrap around.
                    if !numbers.contains(&number) || sender.send((number, work(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next_in_order = numbers.start;
        for (number, value) in receiver {
            waiting.insert(number, value);
            while let Some(value) = waiting.remove(&next_in_order) {
                if take(next_in_order, value).is_break() {
                    is_over.store(true, Ordering::Relaxed);
                    return;
                }
                next_in_order += 1;
            }
        }
    });
}
