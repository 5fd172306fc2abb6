//! A measured figure.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::time::Duration;

use serde_json::{Value, json};
use tafl_rules::{Count, counted};

use crate::timing::{Elapsed, timed};

/// The unit of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Millions of bytes of text.
    Megabytes,
    /// Plies that were played by the rules.
    Plies,
    /// Leaves of a tree of moves.
    Nodes,
}

/// The size of an input.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Size {
    /// Bytes of text, unpacked.
    pub(crate) bytes: u64,
    /// Records.
    pub(crate) games: u64,
    /// Moves of their main lines.
    pub(crate) moves: u64,
}

/// A measurement: an amount of work and its durations.
#[derive(Debug, Clone)]
pub(crate) struct Measurement {
    part: &'static str,
    name: String,
    unit: Unit,
    amount: f64,
    /// At least one, in rising order of wall time.
    times: Vec<Elapsed>,
    size: Option<Size>,
    threads: NonZeroUsize,
    baseline: Option<Baseline>,
}

/// The baseline of a measurement.
#[derive(Debug, Clone)]
struct Baseline {
    name: String,
    speed: f64,
}

/// Runs work once to warm up, and then `rounds` times; returns the times in rising order of wall time.
pub(crate) fn measure(rounds: u32, mut run: impl FnMut() -> u64) -> Vec<Elapsed> {
    run();
    let mut times: Vec<Elapsed> = (0..rounds.max(1)).map(|_| timed(&mut run).1).collect();
    times.sort_unstable_by_key(|took| took.wall);
    times
}

impl Unit {
    /// Formats a speed with three significant digits.
    fn words(self, speed: f64) -> String {
        match self {
            Unit::Megabytes => format!("{} MB/s", digits(speed)),
            Unit::Plies => format!("{} M plies/s", digits(speed / 1e6)),
            Unit::Nodes => format!("{} M nodes/s", digits(speed / 1e6)),
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Unit::Megabytes => "MB/s",
            Unit::Plies => "plies/s",
            Unit::Nodes => "nodes/s",
        }
    }
}

fn digits(number: f64) -> String {
    match number {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

impl Measurement {
    /// Returns a figure of one thread without an input.
    pub(crate) fn new(
        part: &'static str,
        name: &str,
        (unit, amount): (Unit, f64),
        times: Vec<Elapsed>,
    ) -> Measurement {
        let threads = NonZeroUsize::MIN;
        Measurement { part, name: name.to_owned(), unit, amount, times, size: None, threads, baseline: None }
    }

    /// Sets the input.
    pub(crate) fn on(self, size: Size) -> Measurement {
        Measurement { size: Some(size), ..self }
    }

    /// Sets the number of threads.
    pub(crate) fn threads(self, threads: NonZeroUsize) -> Measurement {
        Measurement { threads, ..self }
    }

    /// Compares it with another one of the same run.
    pub(crate) fn against(self, other: &Measurement) -> Measurement {
        let name = match (other.part == self.part, other.threads == self.threads) {
            (true, false) => counted(other.threads.get() as u64, "thread", "threads"),
            (true, true) => "last ply counted".to_owned(),
            (false, _) => other.part.to_owned(),
        };
        Measurement { baseline: Some(Baseline { name, speed: other.median() }), ..self }
    }

    fn speed(&self, took: Option<&Elapsed>) -> f64 {
        self.speed_in(took.map_or(Duration::from_secs(1), |took| took.wall))
    }

    fn speed_in(&self, time: Duration) -> f64 {
        self.amount / time.as_secs_f64().max(1e-9)
    }

    /// Returns the median speed by wall time, in units per second.
    fn median(&self) -> f64 {
        self.speed(self.times.get(self.times.len() / 2))
    }

    /// Returns the median speed by CPU time, which depends less on other programs.
    fn median_by_cpu(&self) -> f64 {
        let mut times: Vec<Duration> = self.times.iter().map(|took| took.cpu).collect();
        times.sort_unstable();
        self.speed_in(times.get(times.len() / 2).copied().unwrap_or_default())
    }

    /// Returns the figure as JSON: speeds in units per second.
    pub(crate) fn json(&self) -> Value {
        let mut value = json!({
            "part": self.part,
            "name": self.name,
            "unit": self.unit.word(),
            "median": self.median(),
            "slowest": self.speed(self.times.last()),
            "fastest": self.speed(self.times.first()),
            "median_by_cpu": self.median_by_cpu(),
            "rounds": self.times.len(),
            "seconds": self.times.get(self.times.len() / 2).map(|took| took.wall.as_secs_f64()),
            "threads": self.threads,
        });
        if let Some(size) = self.size {
            value["input"] = json!({"bytes": size.bytes, "games": size.games, "moves": size.moves});
        }
        if let Some(baseline) = &self.baseline {
            value["baseline"] = json!({"name": baseline.name, "speed": baseline.speed});
            value["ratio"] = (self.median() / baseline.speed).into();
        }
        value
    }
}

/// Returns figures for people: two lines each.
pub(crate) fn table(figures: &[Measurement]) -> String {
    let mut out = String::new();
    for figure in figures {
        let _ = writeln!(out, "{:<7} {}", figure.part, figure.name);
        let ends =
            [figure.times.last(), figure.times.first()].map(|time| figure.unit.words(figure.speed(time)));
        let _ = write!(out, "        {:>16}", figure.unit.words(figure.median()));
        let rounds = counted(figure.times.len() as u64, "round", "rounds");
        let _ = write!(out, "  ({rounds}, {} to {})", ends[0], ends[1]);
        if let Some(baseline) = &figure.baseline {
            let ratio = figure.median() / baseline.speed;
            let _ = write!(out, "  {} times {}", digits(ratio), baseline.name);
        }
        out.push('\n');
        let threads = counted(figure.threads.get() as u64, "thread", "threads");
        let size = figure.size.map_or_else(String::new, |size| {
            format!(
                "{:.1} MB, {}, {} moves, ",
                size.bytes as f64 / 1e6,
                counted(size.games, "game", "games"),
                Count(size.moves)
            )
        });
        let _ = writeln!(out, "                          {size}{threads}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_round_is_the_value() {
        let took = |wall, cpu| Elapsed { wall: Duration::from_secs(wall), cpu: Duration::from_secs(cpu) };
        let times = vec![took(1, 3), took(2, 1), took(10, 4)];
        let figure = Measurement::new("parse", "x", (Unit::Megabytes, 100.0), times);
        assert_eq!(figure.median(), 50.0);
        let copied = Measurement::new("copy", "x", (Unit::Megabytes, 100.0), vec![took(1, 1)]);
        let json = figure.against(&copied).json();
        assert_eq!((&json["slowest"], &json["fastest"]), (&json!(10.0), &json!(100.0)));
        assert_eq!(json["median_by_cpu"], json!(100.0 / 3.0));
        assert_eq!((&json["ratio"], &json["baseline"]["name"]), (&json!(0.5), &json!("copy")));
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!([0.123, 1.234, 12.34, 123.4].map(digits), ["0.12", "1.23", "12.3", "123"]);
    }
}
