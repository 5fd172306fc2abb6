//! Wall time and CPU time.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// The time of a piece of work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Elapsed {
    /// The wall time.
    pub(crate) wall: Duration,
    /// The CPU time of all threads of this process together.
    pub(crate) cpu: Duration,
}

/// Runs a piece of work, and returns its result and time.
pub(crate) fn timed<T>(run: impl FnOnce() -> T) -> (T, Elapsed) {
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let value = std::hint::black_box(run());
    (value, Elapsed { wall: wall.elapsed(), cpu: cpu.elapsed() })
}
