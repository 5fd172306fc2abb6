//! Measures two workloads alternately.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::Tally;

/// The minimum CPU time of a sample; shorter work is repeated.
const SAMPLE: Duration = Duration::from_millis(200);

/// A workload, run by two programs.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// The name of the workload.
    pub(crate) what: String,
    /// The unit of the amount of work.
    pub(crate) unit: &'static str,
    /// The amount of work, for Taflbase and for the peer.
    pub(crate) amounts: [u64; 2],
    /// The CPU time of each round, for Taflbase and for the peer.
    pub(crate) samples: [Vec<Duration>; 2],
    /// The findings of replay, for Taflbase and for the peer.
    pub(crate) tallies: Option<(Tally, Tally)>,
}

impl Comparison {
    /// Returns the medians of the CPU time, for Taflbase and for the peer.
    pub(crate) fn medians(&self) -> [Duration; 2] {
        [0, 1].map(|who| {
            let mut samples = self.samples[who].clone();
            samples.sort_unstable();
            samples[samples.len() / 2]
        })
    }

    /// Returns the amount of work per second of CPU time, for Taflbase and for the peer.
    pub(crate) fn speeds(&self) -> [f64; 2] {
        let medians = self.medians();
        [0, 1].map(|who| self.amounts[who] as f64 / medians[who].as_secs_f64())
    }

    /// Returns the minimum, median, and maximum over the rounds of the ratio of Taflbase's speed to the peer's.
    pub(crate) fn ratios(&self) -> [f64; 3] {
        let [ours, theirs] = &self.samples;
        let work = self.amounts[0] as f64 / self.amounts[1] as f64;
        let pairs = ours.iter().zip(theirs);
        let mut ratios: Vec<f64> =
            pairs.map(|(ours, theirs)| work * theirs.as_secs_f64() / ours.as_secs_f64()).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        [ratios[0], ratios[ratios.len() / 2], ratios[ratios.len() - 1]]
    }
}

/// Measures Taflbase and the peer alternately, after one warm-up run of each. Workloads return their amount.
pub(crate) fn compare(
    what: String,
    unit: &'static str,
    rounds: usize,
    mut ours: impl FnMut() -> u64,
    mut theirs: impl FnMut() -> u64,
) -> Comparison {
    // The report takes minutes, so progress is shown.
    eprintln!("{what} ...");
    let (our_amount, our_repeats) = first_run(&mut ours);
    let (their_amount, their_repeats) = first_run(&mut theirs);
    let mut samples = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        samples[0].push(sample(&mut ours, our_repeats));
        samples[1].push(sample(&mut theirs, their_repeats));
    }
    Comparison { what, unit, amounts: [our_amount, their_amount], samples, tallies: None }
}

/// Runs a workload once, and returns its amount and the number of repetitions for a sample of sufficient length.
fn first_run(work: &mut impl FnMut() -> u64) -> (u64, u32) {
    let clock = ThreadTime::now();
    let amount = work();
    let took = clock.elapsed().max(Duration::from_micros(10));
    (amount, (SAMPLE.as_secs_f64() / took.as_secs_f64()).ceil() as u32)
}

fn sample(work: &mut impl FnMut() -> u64, repeats: u32) -> Duration {
    let clock = ThreadTime::now();
    for _ in 0..repeats {
        black_box(work());
    }
    clock.elapsed() / repeats
}
