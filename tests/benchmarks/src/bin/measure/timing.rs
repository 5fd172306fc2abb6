//! Times by the clock and by the processors.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// The time of a piece of work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Elapsed {
    /// By the clock.
    pub(crate) wall: Duration,
    /// Of the processors, all threads of this process together.
    pub(crate) cpu: Duration,
}

/// Runs a piece of work, and returns its result and time.
pub(crate) fn timed<T>(run: impl FnOnce() -> T) -> (T, Elapsed) {
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let value = std::hint::black_box(run());
    (value, Elapsed { wall: wall.elapsed(), cpu: cpu.elapsed() })
}
