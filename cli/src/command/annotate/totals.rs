//! What all games of a run come to.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Value, json};
use tafl_analyzer::annotate::SideSummary;
use tafl_analyzer::annotate::notes::Searches;
use tafl_rules::{BySide, Side};

use super::{Annotated, Provenance};
use crate::number::{Count, counted};
use crate::output::write_whole;

/// Counts over games, all together and by variant.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Totals {
    /// Games, those with unknown rules included.
    pub(super) games: u64,
    /// Games whose rules are not known.
    pub(super) unknown: u64,
    /// Games that could not be annotated to their end.
    broken: u64,
    sides: BySide<SideTotals>,
    variants: BTreeMap<String, BySide<SideTotals>>,
    engines: BTreeMap<String, u64>,
    searches: Searches,
}

/// Counts of a side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct SideTotals {
    games: u64,
    plies: u64,
    inaccuracies: u64,
    mistakes: u64,
    blunders: u64,
    missed_wins: u64,
    little_by_little: u64,
    lost: f64,
    /// The sum of accuracies, and of how many games.
    accuracy: (f64, u64),
}

impl SideTotals {
    fn of(side: &SideSummary) -> SideTotals {
        SideTotals {
            games: 1,
            plies: side.plies.into(),
            inaccuracies: side.counts.inaccuracies.into(),
            mistakes: side.counts.mistakes.into(),
            blunders: side.counts.blunders.into(),
            missed_wins: side.missed_wins.into(),
            little_by_little: side.lost_little_by_little().into(),
            lost: side.lost_by_errors + side.lost_gradually,
            accuracy: side.accuracy.map_or((0.0, 0), |accuracy| (accuracy.percent(), 1)),
        }
    }

    fn add(&mut self, other: &SideTotals) {
        self.games += other.games;
        self.plies += other.plies;
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
        self.missed_wins += other.missed_wins;
        self.little_by_little += other.little_by_little;
        self.lost += other.lost;
        self.accuracy.0 += other.accuracy.0;
        self.accuracy.1 += other.accuracy.1;
    }

    fn value(&self) -> Value {
        let per_hundred = |count: u64| (count as f64 * 10_000.0 / self.plies.max(1) as f64).round() / 100.0;
        let mean =
            (self.accuracy.1 > 0).then(|| (self.accuracy.0 / self.accuracy.1 as f64 * 10.0).round() / 10.0);
        json!({
            "games": self.games,
            "plies": self.plies,
            "inaccuracies": self.inaccuracies,
            "mistakes": self.mistakes,
            "blunders": self.blunders,
            "blunders_per_100_plies": per_hundred(self.blunders),
            "missed_wins": self.missed_wins,
            "lost_little_by_little": self.little_by_little,
            "mean_loss_per_ply": (self.lost / self.plies.max(1) as f64 * 1e5).round() / 1e5,
            "mean_accuracy": mean,
        })
    }
}

impl Totals {
    /// Returns what a game comes to.
    pub(super) fn of(game: &Annotated) -> Totals {
        let sides = BySide::from_fn(|side| SideTotals::of(&game.notes.sides[side]));
        Totals {
            games: 1,
            unknown: 0,
            broken: game.trouble().is_some().into(),
            sides,
            variants: BTreeMap::from([(game.played.judged.variant().to_owned(), sides)]),
            engines: BTreeMap::from([(game.notes.engine.clone(), 1)]),
            searches: game.notes.searches,
        }
    }

    /// Returns what a game with unknown rules comes to.
    pub(super) fn of_unknown() -> Totals {
        Totals { games: 1, unknown: 1, ..Totals::default() }
    }

    /// Adds other games.
    pub(super) fn add(&mut self, other: &Totals) {
        self.games += other.games;
        self.unknown += other.unknown;
        self.broken += other.broken;
        self.searches.made += other.searches.made;
        self.searches.kept += other.searches.kept;
        self.searches.nodes += other.searches.nodes;
        for (name, games) in &other.engines {
            *self.engines.entry(name.clone()).or_default() += games;
        }
        for side in Side::ALL {
            self.sides[side].add(&other.sides[side]);
            for (variant, totals) in &other.variants {
                self.variants.entry(variant.clone()).or_default()[side].add(&totals[side]);
            }
        }
    }

    /// Returns how many plies were judged.
    pub(super) fn plies(&self) -> u64 {
        self.sides.attackers.plies + self.sides.defenders.plies
    }

    /// Writes everything as JSON.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub(super) fn write(&self, path: &Path, provenance: &Provenance, time: Duration) -> anyhow::Result<()> {
        let by = |sides: &BySide<SideTotals>| json!({ "attackers": sides.attackers.value(), "defenders": sides.defenders.value() });
        let variants: BTreeMap<&str, Value> =
            self.variants.iter().map(|(name, sides)| (name.as_str(), by(sides))).collect();
        let value = json!({
            "taflbase_annotation_summary": 1,
            "games": self.games,
            "games_with_unknown_rules": self.unknown,
            "games_not_to_their_end": self.broken,
            "plies": self.plies(),
            "sides": by(&self.sides),
            "variants": variants,
            "engines": self.engines,
            "limits": provenance.limits,
            "thresholds": provenance.thresholds,
            "curves": provenance.curves,
            "run": {
                "seconds": (time.as_secs_f64() * 10.0).round() / 10.0,
                "searches": self.searches.made,
                "from_cache": self.searches.kept,
                "nodes": self.searches.nodes,
            },
        });
        write_whole(path, format!("{value:#}\n").as_bytes()).with_context(|| path.display().to_string())
    }

    /// Returns the counts in a line.
    pub(super) fn sentence(&self, time: Duration) -> String {
        let BySide { attackers, defenders } = &self.sides;
        format!(
            "{}, {} plies; blunders: attackers {}, defenders {}; {} searches, {} from the cache, {:.1} s",
            counted(self.games, "game", "games"),
            Count(self.plies()),
            Count(attackers.blunders),
            Count(defenders.blunders),
            Count(self.searches.made),
            Count(self.searches.kept),
            time.as_secs_f64(),
        )
    }
}
