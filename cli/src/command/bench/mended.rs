//! What came of known faults, counted by kind and variant.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::time::Duration;

use serde_json::{Value, json};
use tafl_parser::repair::fault::Fault;

use super::repair::milliseconds;
use crate::number::Count;

/// What came of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cause {
    /// The record is still sound: nobody could tell.
    Unseen,
    /// The record is wrong in a way that has another reason, such as play after an end that nobody called.
    Explained,
    /// The first suggestion is the true game, and no other comes near.
    Fixed,
    /// The first suggestion is the true game, others come near.
    First,
    /// The true game is among the suggestions that come near each other, not as the first.
    Listed,
    /// Suggestions come near each other, and the true game is not among them.
    Unlisted,
    /// The only suggestion, or the one that no other comes near, is not the true game.
    False,
    /// There is no suggestion.
    NotFound,
}

impl Cause {
    const ALL: [Cause; 8] = [
        Cause::Unseen,
        Cause::Explained,
        Cause::Fixed,
        Cause::First,
        Cause::Listed,
        Cause::Unlisted,
        Cause::False,
        Cause::NotFound,
    ];

    const fn name(self) -> &'static str {
        match self {
            Cause::Unseen => "unseen",
            Cause::Explained => "explained",
            Cause::Fixed => "fixed",
            Cause::First => "first_of_several",
            Cause::Listed => "listed",
            Cause::Unlisted => "unlisted",
            Cause::False => "false",
            Cause::NotFound => "not_found",
        }
    }
}

/// A fault and what came of it.
pub(super) struct Case {
    pub(super) variant: &'static str,
    /// The kind; nothing for a game without a fault.
    pub(super) fault: Option<Fault>,
    pub(super) cause: Cause,
    pub(super) time: Duration,
    /// The record and what was suggested, where the true game was not.
    pub(super) shown: Option<String>,
}

/// Counts of a row.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    counts: [u64; 8],
    time: Duration,
}

impl Row {
    fn add(&mut self, case: &Case) {
        self.counts[case.cause as usize] += 1;
        self.time += case.time;
    }

    fn of(&self, cause: Cause) -> u64 {
        self.counts[cause as usize]
    }

    fn all(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Faults that contradict something.
    fn seen(&self) -> u64 {
        self.all() - self.of(Cause::Unseen) - self.of(Cause::Explained)
    }

    /// Faults of which several repairs fit about equally.
    fn ambiguous(&self) -> u64 {
        self.of(Cause::First) + self.of(Cause::Listed) + self.of(Cause::Unlisted)
    }

    /// The share of the true game as the first suggestion, of all faults that were seen.
    fn first(&self) -> Option<f64> {
        share(self.of(Cause::Fixed) + self.of(Cause::First), self.seen())
    }

    /// The share of faults that were fixed, of those that are not ambiguous.
    fn fixed(&self) -> Option<f64> {
        share(self.of(Cause::Fixed), self.seen() - self.ambiguous())
    }

    fn wrong(&self) -> Option<f64> {
        share(self.of(Cause::False), self.seen())
    }

    fn json(&self) -> Value {
        let mut value = json!({
            "n": self.all(),
            "seen": self.seen(),
            "ambiguous": self.ambiguous(),
            "fixed_of_decidable": self.fixed(),
            "first_of_seen": self.first(),
            "false_of_seen": self.wrong(),
            "milliseconds": self.mean(),
        });
        for cause in Cause::ALL {
            value[cause.name()] = self.of(cause).into();
        }
        value
    }

    fn mean(&self) -> f64 {
        milliseconds(self.time) / self.all().max(1) as f64
    }

    /// Adds a row; the name takes so many columns at least.
    fn write(&self, (name, width): (&str, usize), out: &mut String) {
        let percent = |share: Option<f64>| match share {
            Some(share) => format!("{:.1}", 100.0 * share),
            None => "-".to_owned(),
        };
        let _ = writeln!(
            out,
            "{name:<width$}{:>6}{:>6}{:>7}{:>6}{:>6}{:>6}{:>6}{:>8}{:>8}{:>7}{:>7.1}",
            Count(self.all()),
            Count(self.of(Cause::Unseen) + self.of(Cause::Explained)),
            Count(self.of(Cause::Fixed)),
            Count(self.ambiguous()),
            Count(self.of(Cause::First)),
            Count(self.of(Cause::NotFound)),
            Count(self.of(Cause::False)),
            percent(self.fixed()),
            percent(self.first()),
            percent(self.wrong()),
            self.mean()
        );
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Counts of all faults.
pub(super) struct Table {
    seed: u64,
    threads: NonZeroUsize,
    rows: BTreeMap<(&'static str, Option<Fault>), Row>,
    /// How long the whole took.
    pub(super) wall: Duration,
    /// What was not mended.
    shown: Vec<String>,
}

impl Table {
    pub(super) fn new(seed: u64, threads: NonZeroUsize) -> Table {
        Table { seed, threads, rows: BTreeMap::new(), wall: Duration::ZERO, shown: Vec::new() }
    }

    pub(super) fn add(&mut self, case: Case) {
        self.rows.entry((case.variant, case.fault)).or_default().add(&case);
        if let Some(shown) = case.shown {
            let fault = case.fault.map_or("none", Fault::name);
            self.shown.push(format!("{} {fault} {}: {shown}", case.variant, case.cause.name()));
        }
    }

    fn sum(&self, is_meant: impl Fn(&'static str, Option<Fault>) -> bool) -> Row {
        let mut sum = Row::default();
        for ((variant, fault), row) in &self.rows {
            if is_meant(variant, *fault) {
                (0..sum.counts.len()).for_each(|nth| sum.counts[nth] += row.counts[nth]);
                sum.time += row.time;
            }
        }
        sum
    }

    fn variants(&self) -> Vec<&'static str> {
        let mut variants: Vec<&'static str> = self.rows.keys().map(|(variant, _)| *variant).collect();
        variants.dedup();
        variants
    }

    /// Returns the table for people.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        let width = self.variants().iter().map(|name| name.len() + 1).max().unwrap_or(0).max(17);
        let head = |name: &str, out: &mut String| {
            let _ = writeln!(
                out,
                "{name:<width$}{:>6}{:>6}{:>7}{:>6}{:>6}{:>6}{:>6}{:>8}{:>8}{:>7}{:>7}",
                "n", "sound", "fixed", "ambig", "1st", "none", "false", "fixed %", "first %", "false%", "ms"
            );
        };
        head("fault", &mut out);
        for fault in Fault::ALL {
            let row = self.sum(|_, other| other == Some(fault));
            if row.all() > 0 {
                row.write((fault.name(), width), &mut out);
            }
        }
        self.sum(|_, fault| fault.is_some()).write(("all", width), &mut out);
        out.push('\n');
        head("variant", &mut out);
        for variant in self.variants() {
            self.sum(|other, fault| other == variant && fault.is_some()).write((variant, width), &mut out);
        }
        let control = self.sum(|_, fault| fault.is_none());
        let n = self.sum(|_, fault| fault.is_some()).all();
        let wall = self.wall.as_secs_f64();
        let _ = write!(
            out,
            "\n{} sound games were left as they are, {} were not\n{} faults in {wall:.1} s on {} threads: \
             {:.0} a minute\n",
            control.of(Cause::Unseen),
            control.all() - control.of(Cause::Unseen),
            Count(n),
            self.threads,
            n as f64 * 60.0 / wall.max(1e-9)
        );
        out.push_str(
            "\nsound: the record still agrees with itself, nobody can tell; fixed: the first suggestion is the\n\
             true game and no other comes near; ambig: several fit about equally (1st: the true one comes\n\
             first); none: no suggestion; false: a suggestion that no other comes near is not the true game.\n\
             fixed %: of those that are not ambiguous; first %: the true game comes first, of all that are\n\
             not sound; ms: the mean time of a record.\n",
        );
        out
    }

    /// Returns the table as JSON.
    pub(super) fn json(&self) -> Value {
        let row = |((variant, fault), row): (&(&'static str, Option<Fault>), &Row)| {
            let mut value = row.json();
            value["variant"] = (*variant).into();
            value["fault"] = fault.map(Fault::name).into();
            value
        };
        json!({
            "seed": self.seed,
            "threads": self.threads,
            "seconds": self.wall.as_secs_f64(),
            "all": self.sum(|_, fault| fault.is_some()).json(),
            "sound_games": self.sum(|_, fault| fault.is_none()).json(),
            "faults": Fault::ALL.map(|fault| {
                let mut value = self.sum(|_, other| other == Some(fault)).json();
                value["fault"] = fault.name().into();
                value
            }),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }

    /// Returns each record whose repair is not the true game, with what was suggested.
    pub(super) fn shown(&self) -> &[String] {
        &self.shown
    }
}
