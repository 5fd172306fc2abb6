//! A comparison of inferred rules with the true ones, option by option.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tafl_parser::{Inference, OptionEvidence, Probe};

/// The inferred options of one hidden rule set.
#[derive(Debug, Default)]
pub struct RuleRecovery {
    name: String,
    games: usize,
    /// Groups that the games were divided into.
    groups: usize,
    agreeing: usize,
    /// Games that agree with the true rules.
    agreeing_truly: usize,
    /// Options that matter.
    options: usize,
    /// Options for which another value changes the replay of a game.
    decidable: usize,
    /// Decidable options that were found: every value that gives other replays is excluded, the true one is not.
    recovered: usize,
    /// Of the others, those that stay undecided, with the true value among those that fit.
    open: Vec<String>,
    /// Of the others, those whose true value the games contradict more than the inferred one.
    contested: Vec<String>,
    /// The rest: the true value was excluded.
    wrong: Vec<String>,
    /// Options that no game determines, and that were inferred wrongly.
    overconfident: usize,
    seconds: f64,
}

impl RuleRecovery {
    /// Compares the rules inferred from `games` games with the true ones.
    pub fn compare(
        name: &str,
        games: usize,
        found: &Inference,
        (probes, agreeing_truly): (&[Probe], usize),
        seconds: f64,
    ) -> RuleRecovery {
        let mut recovery = RuleRecovery {
            name: name.to_owned(),
            games,
            groups: found.groups.len(),
            options: probes.len(),
            agreeing_truly,
            seconds,
            ..RuleRecovery::default()
        };
        let group = found.groups.first();
        recovery.agreeing = group.map_or(0, |group| group.n_agreeing);
        for probe in probes {
            let answer =
                group.and_then(|group| group.options.iter().find(|option| option.option == probe.option));
            recovery.add(probe, answer);
        }
        recovery
    }

    fn add(&mut self, probe: &Probe, answer: Option<&OptionEvidence>) {
        let differs = |value: &str| probe.others.iter().any(|other| other.value == value && other.games > 0);
        let fits: Vec<&str> = answer.map(|answer| answer.fitting().collect()).unwrap_or_default();
        let has_truth = fits.contains(&probe.value.as_str());
        if probe.others.iter().all(|other| other.games == 0) {
            self.overconfident += usize::from(answer.is_some() && !has_truth);
            return;
        }
        self.decidable += 1;
        let same = |value: &&str| !differs(value);
        // If rules without a throne explain every game as well, the behavior of a throne is undetermined.
        let is_elsewhere = answer.is_none() && self.agreeing >= self.agreeing_truly;
        let is_right = !fits.is_empty() && fits.iter().all(same);
        if is_right {
            self.recovered += 1;
            return;
        }
        let counts = |value: &str| {
            let other = probe.others.iter().find(|other| other.value == value);
            other.map_or((0, 0), |other| (other.against, other.in_favor))
        };
        let shown: Vec<String> = fits
            .iter()
            .filter(|value| differs(value))
            .map(|value| {
                let (against, in_favor) = counts(value);
                format!("{value} {against}-{in_favor}")
            })
            .collect();
        let line = format!("{} {} ({})", probe.option, probe.value, shown.join(", "));
        let is_contested = answer.is_some_and(|answer| {
            let (against, in_favor) = counts(&answer.value);
            in_favor > 0 && in_favor >= against
        });
        if fits.iter().any(same) || is_elsewhere {
            self.open.push(line);
        } else if is_contested {
            self.contested.push(line);
        } else {
            self.wrong.push(line);
        }
    }

    /// Returns the counts as JSON.
    pub fn json(&self) -> Value {
        json!({
            "name": self.name,
            "games": self.games,
            "groups": self.groups,
            "agreeing": self.agreeing,
            "agreeing_truly": self.agreeing_truly,
            "options": self.options,
            "decidable": self.decidable,
            "recovered": self.recovered,
            "undecided": self.open,
            "contested": self.contested,
            "wrong": self.wrong,
            "overconfident": self.overconfident,
            "seconds": self.seconds,
        })
    }
}

/// Returns the table, followed by the options that were not recovered.
pub fn table(rows: &[RuleRecovery]) -> String {
    let mut out = String::new();
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(7);
    let _ = writeln!(
        out,
        "{:width$}  GAMES  AGREE  TRULY  OPTIONS  DECIDABLE  RECOVERED  UNDECIDED  CONTESTED  WRONG  SECONDS",
        "VARIANT"
    );
    for row in rows {
        let _ = writeln!(
            out,
            "{:width$}  {:5}  {:5}  {:5}  {:7}  {:9}  {:9}  {:9}  {:9}  {:5}  {:7.1}",
            row.name,
            row.games,
            row.agreeing,
            row.agreeing_truly,
            row.options,
            row.decidable,
            row.recovered,
            row.open.len(),
            row.contested.len(),
            row.wrong.len() + row.overconfident,
            row.seconds
        );
    }
    let sum = |count: fn(&RuleRecovery) -> usize| rows.iter().map(count).sum::<usize>();
    let _ = writeln!(
        out,
        "{:width$}  {:5}  {:5}  {:5}  {:7}  {:9}  {:9}  {:9}  {:9}  {:5}  {:7.1}",
        "all",
        sum(|row| row.games),
        sum(|row| row.agreeing),
        sum(|row| row.agreeing_truly),
        sum(|row| row.options),
        sum(|row| row.decidable),
        sum(|row| row.recovered),
        sum(|row| row.open.len()),
        sum(|row| row.contested.len()),
        sum(|row| row.wrong.len() + row.overconfident),
        rows.iter().map(|row| row.seconds).sum::<f64>()
    );
    for row in rows {
        for (what, lines) in [("undecided", &row.open), ("contested", &row.contested), ("wrong", &row.wrong)]
        {
            for line in lines {
                let _ = writeln!(out, "{}: {what}: {line}", row.name);
            }
        }
        if row.groups > 1 {
            let _ = writeln!(out, "{}: the games are divided into {} groups", row.name, row.groups);
        }
    }
    out
}
