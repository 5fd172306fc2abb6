//! The outcomes of repairs of known faults, by kind and variant.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::time::Duration;

use serde_json::{Value, json};

use crate::faults::Fault;

/// The outcome of the repair of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RepairOutcome {
    /// The record is still sound: the fault can't be detected.
    Unseen,
    /// The record is wrong in a way that has another reason, such as play after an end that was not called.
    Explained,
    /// The first suggestion is the true game, and no other comes near.
    Fixed,
    /// The first suggestion is the true game, others come near.
    First,
    /// The true game is among the suggestions that come near each other, not as the first.
    Listed,
    /// Suggestions come near each other, and the true game is not among them.
    Unlisted,
    /// The only suggestion, or a clearly best one, is not the true game.
    False,
    /// There is no suggestion.
    NotFound,
}

impl RepairOutcome {
    const ALL: [RepairOutcome; 8] = [
        RepairOutcome::Unseen,
        RepairOutcome::Explained,
        RepairOutcome::Fixed,
        RepairOutcome::First,
        RepairOutcome::Listed,
        RepairOutcome::Unlisted,
        RepairOutcome::False,
        RepairOutcome::NotFound,
    ];

    const fn name(self) -> &'static str {
        match self {
            RepairOutcome::Unseen => "unseen",
            RepairOutcome::Explained => "explained",
            RepairOutcome::Fixed => "fixed",
            RepairOutcome::First => "first_of_several",
            RepairOutcome::Listed => "listed",
            RepairOutcome::Unlisted => "unlisted",
            RepairOutcome::False => "false",
            RepairOutcome::NotFound => "not_found",
        }
    }
}

/// A fault and the outcome of its repair.
pub struct RepairTrial {
    /// The variant.
    pub variant: &'static str,
    /// The kind; `None` for a game without a fault.
    pub fault: Option<Fault>,
    /// The outcome.
    pub outcome: RepairOutcome,
    /// Whether the first suggestion is the true game seen from another side of the board.
    pub is_mirrored: bool,
    /// The time of the repair.
    pub time: Duration,
    /// The record with the suggestions, if the true game is not the only one.
    pub miss: Option<String>,
}

/// Counts of a row.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    counts: [u64; 8],
    mirrored: u64,
    time: Duration,
}

impl Row {
    fn add(&mut self, trial: &RepairTrial) {
        self.counts[trial.outcome as usize] += 1;
        let is_first = matches!(trial.outcome, RepairOutcome::Fixed | RepairOutcome::First);
        self.mirrored += u64::from(trial.is_mirrored && !is_first);
        self.time += trial.time;
    }

    fn of(&self, outcome: RepairOutcome) -> u64 {
        self.counts[outcome as usize]
    }

    fn all(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Faults that contradict something.
    fn seen(&self) -> u64 {
        self.all() - self.of(RepairOutcome::Unseen) - self.of(RepairOutcome::Explained)
    }

    /// Faults of which several repairs fit about equally.
    fn ambiguous(&self) -> u64 {
        self.of(RepairOutcome::First) + self.of(RepairOutcome::Listed) + self.of(RepairOutcome::Unlisted)
    }

    /// The proportion of the true game as the first suggestion, of all faults that were seen.
    fn first(&self) -> Option<f64> {
        proportion(self.of(RepairOutcome::Fixed) + self.of(RepairOutcome::First), self.seen())
    }

    /// The proportion of the true game or a mirror image of it as the first suggestion, of all faults that were seen.
    fn same(&self) -> Option<f64> {
        let first = self.of(RepairOutcome::Fixed) + self.of(RepairOutcome::First);
        proportion(first + self.mirrored, self.seen())
    }

    /// The proportion of faults that were fixed, of those that are not ambiguous.
    fn fixed(&self) -> Option<f64> {
        proportion(self.of(RepairOutcome::Fixed), self.seen() - self.ambiguous())
    }

    fn wrong(&self) -> Option<f64> {
        proportion(self.of(RepairOutcome::False), self.seen())
    }

    fn json(&self) -> Value {
        let mut value = json!({
            "n": self.all(),
            "seen": self.seen(),
            "ambiguous": self.ambiguous(),
            "fixed_of_decidable": self.fixed(),
            "first_of_seen": self.first(),
            "same_of_seen": self.same(),
            "false_of_seen": self.wrong(),
            "milliseconds": self.mean(),
        });
        for outcome in RepairOutcome::ALL {
            value[outcome.name()] = self.of(outcome).into();
        }
        value
    }

    fn mean(&self) -> f64 {
        1e3 * self.time.as_secs_f64() / self.all().max(1) as f64
    }

    /// Writes a row; `width` is the minimum width of the name.
    fn write(&self, (name, width): (&str, usize), out: &mut String) {
        let percent = |proportion: Option<f64>| match proportion {
            Some(proportion) => format!("{:.1}", 100.0 * proportion),
            None => "-".to_owned(),
        };
        let _ = writeln!(
            out,
            "{name:<width$}{:>6}{:>6}{:>7}{:>6}{:>6}{:>6}{:>6}{:>8}{:>8}{:>7}{:>7}{:>7.1}",
            self.all(),
            self.of(RepairOutcome::Unseen) + self.of(RepairOutcome::Explained),
            self.of(RepairOutcome::Fixed),
            self.ambiguous(),
            self.of(RepairOutcome::First),
            self.of(RepairOutcome::NotFound),
            self.of(RepairOutcome::False),
            percent(self.fixed()),
            percent(self.first()),
            percent(self.same()),
            percent(self.wrong()),
            self.mean()
        );
    }
}

fn proportion(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The number of faults of each kind in 31,238 records of archives that repair finds; see `docs/repair.md`.
const IN_ARCHIVES: [(Fault, u32); 8] = [
    (Fault::Variant, 105),
    (Fault::FirstMover, 5),
    (Fault::Missing, 3),
    (Fault::Swapped, 2),
    (Fault::Result, 2),
    (Fault::Character, 1),
    (Fault::FromTo, 1),
    (Fault::Start, 1),
];

/// The outcomes of all faults.
pub struct RepairStats {
    seed: u64,
    threads: NonZeroUsize,
    rows: BTreeMap<(&'static str, Option<Fault>), Row>,
    /// The time of the whole measurement.
    pub wall: Duration,
    /// The records that were not repaired.
    misses: Vec<String>,
}

impl RepairStats {
    /// Returns empty counts.
    pub fn new(seed: u64, threads: NonZeroUsize) -> RepairStats {
        RepairStats { seed, threads, rows: BTreeMap::new(), wall: Duration::ZERO, misses: Vec::new() }
    }

    /// Adds the outcome of a trial.
    pub fn add(&mut self, trial: RepairTrial) {
        self.rows.entry((trial.variant, trial.fault)).or_default().add(&trial);
        if let Some(miss) = trial.miss {
            let fault = trial.fault.map_or("none", Fault::name);
            self.misses.push(format!("{} {fault} {}: {miss}", trial.variant, trial.outcome.name()));
        }
    }

    fn sum(&self, is_meant: impl Fn(&'static str, Option<Fault>) -> bool) -> Row {
        let mut sum = Row::default();
        for ((variant, fault), row) in &self.rows {
            if is_meant(variant, *fault) {
                (0..sum.counts.len()).for_each(|nth| sum.counts[nth] += row.counts[nth]);
                sum.mirrored += row.mirrored;
                sum.time += row.time;
            }
        }
        sum
    }

    /// Returns the proportions of first and of false suggestions if the kinds are as frequent as in archives.
    fn as_in_archives(&self) -> Option<(f64, f64)> {
        let (mut first, mut wrong, mut all) = (0.0, 0.0, 0.0);
        for (kind, n) in IN_ARCHIVES {
            let row = self.sum(|_, fault| fault == Some(kind));
            let n = f64::from(n);
            (first, wrong, all) = (first + n * row.first()?, wrong + n * row.wrong()?, all + n);
        }
        Some((first / all, wrong / all))
    }

    fn variants(&self) -> Vec<&'static str> {
        let mut variants: Vec<&'static str> = self.rows.keys().map(|(variant, _)| *variant).collect();
        variants.dedup();
        variants
    }

    /// Returns the table as text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let width = self.variants().iter().map(|name| name.len() + 1).max().unwrap_or(0).max(17);
        let head = |name: &str, out: &mut String| {
            let _ = writeln!(
                out,
                "{name:<width$}{:>6}{:>6}{:>7}{:>6}{:>6}{:>6}{:>6}{:>8}{:>8}{:>7}{:>7}{:>7}",
                "n",
                "sound",
                "fixed",
                "ambig",
                "1st",
                "none",
                "false",
                "fixed %",
                "first %",
                "same %",
                "false%",
                "ms"
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
        if let Some((first, wrong)) = self.as_in_archives() {
            let (first, wrong) = (100.0 * first, 100.0 * wrong);
            let _ = writeln!(out, "as frequent as in archives: first {first:.1} %, false {wrong:.2} %");
        }
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
            control.of(RepairOutcome::Unseen),
            control.all() - control.of(RepairOutcome::Unseen),
            n,
            self.threads,
            n as f64 * 60.0 / wall.max(1e-9)
        );
        out.push_str(
            "\nsound: the record still agrees with itself, the fault can't be detected; fixed: the first suggestion is the\n\
             true game and no other comes near; ambig: several fit about equally (1st: the true one comes\n\
             first); none: no suggestion; false: a suggestion that no other comes near is not the true game.\n\
             fixed %: of those that are not ambiguous; first %: the true game comes first, of all that are\n\
             not sound; same %: also if the first suggestion is a mirror image of it; ms: the mean time of a record.\n",
        );
        out
    }

    /// Returns the table as JSON.
    pub fn json(&self) -> Value {
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
            "as_in_archives": self.as_in_archives().map(|(first, wrong)| {
                json!({ "first_of_seen": first, "false_of_seen": wrong })
            }),
            "sound_games": self.sum(|_, fault| fault.is_none()).json(),
            "faults": Fault::ALL.map(|fault| {
                let mut value = self.sum(|_, other| other == Some(fault)).json();
                value["fault"] = fault.name().into();
                value
            }),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }

    /// Returns each record whose repair is not the true game, with the suggestions.
    pub fn misses(&self) -> &[String] {
        &self.misses
    }
}
