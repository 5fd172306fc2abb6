//! The number of hits after a page: counted if that takes little time, otherwise estimated from a sample of the
//! candidate games.
//!
//! The games of a corpus are in the order of their files, so neighbors are of one variant, event, or time. A part from
//! the beginning therefore says little about the rest: of a real archive, estimates from it were up to a quarter too
//! low. The sample is spread evenly over all candidates instead.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use tafl_parser::in_order;

use super::execution::{GAMES_FOR_THREADS, SearchExecution};
use super::prepared_segment::PreparedSegment;
use super::{CountEstimate, Total};
use crate::error::Result;
use crate::query::RunBuffers;

/// The number of hits from which a sample is large enough. The limits of tests are small, as are their corpora.
const COUNTED_HITS: u64 = if cfg!(test) { 100 } else { 10_000 };
/// The minimum number of games of a sample: the hits of a game are alike, so their number alone shows little.
const MIN_GAMES: u64 = if cfg!(test) { 40 } else { 2000 };
/// A sample has at most the candidates among this many games, for the time of queries with few hits in a large corpus.
const COUNTED_GAMES: u64 = if cfg!(test) { 120 } else { 50_000 };
/// The maximum number of segments whose candidates are looked up. The others are assumed to be like them.
const MAX_SEGMENTS: usize = 8;
/// The number of games in a task of a thread.
const GAMES_PER_TASK: u64 = if cfg!(test) { 8 } else { 64 };
/// The normal quantile of a 95 % interval.
const Z95: f64 = 1.959_964;

/// The numbers of hits and of games with hits in the rest of a corpus.
#[derive(Debug, Clone, Copy)]
pub(super) struct RestTotals {
    pub(super) hits: Total,
    pub(super) games: Total,
}

/// A segment of the rest.
struct RestSegment {
    /// Its index.
    number: usize,
    prepared: PreparedSegment,
    /// The number of its games that belong to the rest.
    n_games: u64,
    /// The number of candidates in the segments before.
    first: u64,
}

/// The segments whose candidates are looked up.
struct RestSegments {
    segments: Vec<RestSegment>,
    n_candidates: u64,
    /// The number of games of these segments, and of the others.
    n_games: u64,
    n_other_games: u64,
}

/// The hits in the games of a sample.
#[derive(Debug, Clone, Default)]
struct HitSample {
    n: u64,
    sum: f64,
    squares: f64,
    /// The number of games, and the sum, for each segment.
    of_segments: Vec<(u64, f64)>,
}

impl HitSample {
    fn of(n_segments: usize) -> HitSample {
        HitSample { of_segments: vec![(0, 0.0); n_segments], ..HitSample::default() }
    }

    fn add(&mut self, segment: usize, number: u64) {
        let number = number as f64;
        self.n += 1;
        self.sum += number;
        self.squares += number * number;
        self.of_segments[segment].0 += 1;
        self.of_segments[segment].1 += number;
    }

    /// Returns the estimated total of the rest.
    fn total(&self, rest: &RestSegments) -> Total {
        if self.n == rest.n_candidates && rest.n_other_games == 0 {
            return Total::Exactly(self.sum as u64);
        }
        let (n, all) = (self.n.max(1) as f64, rest.n_candidates as f64);
        let mean = self.sum / n;
        // Two further games, one without hits, keep the interval open if all games of the sample have the same number.
        let variance = (self.squares - n * mean * mean).max(0.0) + 2.0 * mean * mean;
        let variance = variance / n;
        let (here, elsewhere) = (rest.n_games.max(1) as f64, rest.n_other_games as f64);
        let value = all * mean * (1.0 + elsewhere / here);
        // The error of the sample, and that of the segments which are assumed to be like the others.
        let of_sample = (all * (1.0 + elsewhere / here)).powi(2) * variance / n * (1.0 - n / all.max(n));
        let reach = Z95 * (of_sample + elsewhere.powi(2) * self.variance_of_segments(rest)).sqrt();
        let low = (value - reach).max(self.sum);
        Total::About(CountEstimate {
            value: value.round() as u64,
            low: low.floor() as u64,
            high: (value + reach).ceil() as u64,
        })
    }

    /// Returns the variance of the mean number of hits per game over segments; 0 for fewer than two.
    fn variance_of_segments(&self, rest: &RestSegments) -> f64 {
        let density = |(segment, (n, sum)): (&RestSegment, &(u64, f64))| {
            let candidates = segment.prepared.rows.len() as f64;
            candidates * sum / (*n).max(1) as f64 / segment.n_games.max(1) as f64
        };
        let densities: Vec<f64> = rest.segments.iter().zip(&self.of_segments).map(density).collect();
        let n = densities.len() as f64;
        if n < 2.0 {
            return 0.0;
        }
        let mean = densities.iter().sum::<f64>() / n;
        densities.iter().map(|density| (density - mean).powi(2)).sum::<f64>() / (n - 1.0) / n
    }
}

impl RestSegments {
    /// Returns candidates by their numbers in an order whose every beginning is spread evenly over all of them, with
    /// the index of their segment.
    fn spread(&self) -> impl Iterator<Item = (usize, u32)> + Send {
        let n = self.n_candidates;
        // Multiples of a golden section never come near each other.
        let mut step = (n as f64 * 0.618_034).round().max(1.0) as u64;
        while greatest_common_divisor(step, n) > 1 {
            step += 1;
        }
        (0..n).map(move |at| {
            let number = (u128::from(at) * u128::from(step) % u128::from(n.max(1))) as u64;
            let segment = self.segments.partition_point(|segment| segment.first <= number) - 1;
            let RestSegment { prepared, first, .. } = &self.segments[segment];
            (segment, prepared.rows[(number - first) as usize])
        })
    }

    /// Returns the largest sample that takes as much time as this many games in order.
    fn max_sample(&self) -> u64 {
        let games = (self.n_games + self.n_other_games).max(1);
        let candidates =
            u128::from(COUNTED_GAMES) * u128::from(self.n_candidates) / u128::from(self.n_games.max(1));
        let sample = if games <= COUNTED_GAMES { u128::from(self.n_candidates) } else { candidates };
        u64::try_from(sample).unwrap_or(u64::MAX).max(MIN_GAMES)
    }
}

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

impl SearchExecution<'_> {
    /// Counts the hits from a game of a segment on, or estimates their number.
    pub(super) fn count_from(&self, segment: usize, row: u32) -> Result<RestTotals> {
        let rest = self.rest_from(segment, row)?;
        let n_segments = rest.segments.len();
        let (mut hits, mut games) = (HitSample::of(n_segments), HitSample::of(n_segments));
        let max = rest.max_sample();
        let mut order = rest.spread();
        let mut next = || {
            let mut task: Vec<(usize, u32)> = order.by_ref().take(GAMES_PER_TASK as usize).collect();
            task.sort_unstable();
            (!task.is_empty()).then_some(task)
        };
        let is_small = rest.n_candidates < GAMES_FOR_THREADS as u64;
        let threads = if is_small { NonZeroUsize::MIN } else { self.searcher.threads };
        let mut result = Ok(());
        in_order(
            threads,
            &mut next,
            |task| self.count_task(&rest, &task),
            |counted| match counted {
                Ok(counts) => {
                    for (segment, number) in counts {
                        hits.add(segment, number);
                        games.add(segment, u64::from(number > 0));
                    }
                    let has_hits = hits.sum >= COUNTED_HITS as f64 && hits.n >= MIN_GAMES;
                    if has_hits || hits.n >= max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                }
                Err(error) => {
                    result = Err(error);
                    ControlFlow::Break(())
                }
            },
        );
        result?;
        let n_games = rest.n_candidates + rest.n_other_games;
        let games = match games.total(&rest) {
            Total::About(games) => Total::About(CountEstimate { high: games.high.min(n_games), ..games }),
            exact @ (Total::Exactly(_) | Total::AtLeast(_)) => exact,
        };
        Ok(RestTotals { hits: hits.total(&rest), games })
    }

    /// Returns the number of hits of each game of a task, which is sorted.
    fn count_task(&self, rest: &RestSegments, task: &[(usize, u32)]) -> Result<Vec<(usize, u64)>> {
        let (mut counts, mut buffers) = (Vec::with_capacity(task.len()), RunBuffers::default());
        for part in task.chunk_by(|one, other| one.0 == other.0) {
            let RestSegment { number, prepared, .. } = &rest.segments[part[0].0];
            let segment = &self.searcher.segments[*number];
            let rows: Vec<u32> = part.iter().map(|(_, row)| *row).collect();
            self.play_each(segment.move_log()?, prepared, &rows, |_, plan, searched| {
                counts.push((part[0].0, plan.count(searched, &mut buffers)?));
                Ok(())
            })
            .map_err(|error| segment.move_log_error(error))?;
            self.cancel.check()?;
        }
        Ok(counts)
    }

    /// Looks up the candidates from a game of a segment on: in that segment, and in others that are spread evenly over
    /// the rest.
    fn rest_from(&self, segment: usize, row: u32) -> Result<RestSegments> {
        let others = segment + 1..self.searcher.segments.len();
        let n_chosen = others.len().min(MAX_SEGMENTS - 1);
        let chosen = (0..n_chosen).map(|at| others.start + (2 * at + 1) * others.len() / (2 * n_chosen));
        let mut rest = RestSegments { segments: Vec::new(), n_candidates: 0, n_games: 0, n_other_games: 0 };
        let numbers: Vec<usize> = std::iter::once(segment).chain(chosen).collect();
        for (number, mut prepared) in numbers.iter().copied().zip(self.prepare_chosen(&numbers)?) {
            let mut n_games = u64::from(self.searcher.segments[number].n_games());
            if number == segment {
                prepared.rows.retain(|candidate| *candidate >= row);
                n_games = n_games.saturating_sub(u64::from(row));
            }
            let first = rest.n_candidates;
            rest.n_candidates += prepared.rows.len() as u64;
            rest.n_games += n_games;
            rest.segments.push(RestSegment { number, prepared, n_games, first });
        }
        let n_games = |number: usize| u64::from(self.searcher.segments[number].n_games());
        rest.n_other_games = others.filter(|number| !numbers.contains(number)).map(n_games).sum();
        Ok(rest)
    }
}
