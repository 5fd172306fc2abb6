//! How long something takes, by the wall and by the processors.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// How long something took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Took {
    /// On the clock of the wall.
    pub(super) wall: Duration,
    /// On the processors, all threads of the program together; other programs do not count.
    pub(super) cpu: Duration,
}

/// Runs something and returns how long it took.
pub(super) fn timed<T>(run: impl FnOnce() -> T) -> (T, Took) {
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let value = std::hint::black_box(run());
    (value, Took { wall: wall.elapsed(), cpu: cpu.elapsed() })
}
