//! Sums over the games of a run.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use tafl_analyzer::{SearchCounts, SideSummary};
use tafl_rules::{BySide, Side, counted};

use super::{AnnotatedGame, AnnotationProvenance};

/// Sums over annotated games, of all together and by variant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnnotationTotals {
    /// The number of games, those with unknown rules included.
    pub games: u64,
    /// The number of games whose rules are unknown.
    pub unknown: u64,
    /// The number of games that could not be annotated to their end.
    pub broken: u64,
    /// The searches.
    pub searches: SearchCounts,
    sides: BySide<SideSums>,
    variants: BTreeMap<String, BySide<SideSums>>,
    engines: BTreeMap<String, u64>,
}

/// Sums over the games of a side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct SideSums {
    games: u64,
    plies: u64,
    inaccuracies: u64,
    mistakes: u64,
    blunders: u64,
    missed_wins: u64,
    little_by_little: u64,
    lost: f64,
    /// The sum of accuracies, and the number of games that have one.
    accuracy: (f64, u64),
}

/// A side in all annotated games.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SideTotals {
    /// The number of games.
    pub games: u64,
    /// The number of plies that were judged.
    pub plies: u64,
    /// The number of inaccuracies.
    pub inaccuracies: u64,
    /// The number of mistakes.
    pub mistakes: u64,
    /// The number of blunders.
    pub blunders: u64,
    /// The number of blunders in 100 plies.
    pub blunders_per_100_plies: f64,
    /// The number of wins that were missed.
    pub missed_wins: u64,
    /// The number of games that the side lost gradually.
    pub lost_little_by_little: u64,
    /// The mean expectation that a ply lost.
    pub mean_loss_per_ply: f64,
    /// The mean accuracy, in percent; null if no game has one.
    pub mean_accuracy: Option<f64>,
}

/// Both sides in all annotated games.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SidesTotals {
    /// The attackers.
    pub attackers: SideTotals,
    /// The defenders.
    pub defenders: SideTotals,
}

/// The cost of a run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AnnotationRunCounts {
    /// The time, in seconds.
    pub seconds: f64,
    /// The number of searches that were made.
    pub searches: u64,
    /// The number of evaluations reused from earlier runs.
    pub from_cache: u64,
    /// The number of positions that were searched.
    pub nodes: u64,
}

/// The summary of annotated games.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AnnotationSummary {
    /// The version of the summary, 1.
    pub taflbase_annotation_summary: u32,
    /// The number of games.
    pub games: u64,
    /// The number of games whose rules are unknown.
    pub games_with_unknown_rules: u64,
    /// The number of games that could not be annotated to their end.
    pub games_not_to_their_end: u64,
    /// The number of plies that were judged.
    pub plies: u64,
    /// The sums of each side.
    pub sides: SidesTotals,
    /// The sums of each side by variant.
    pub variants: BTreeMap<String, SidesTotals>,
    /// The number of games by the engine that evaluated them.
    pub engines: BTreeMap<String, u64>,
    /// The parameters of the annotations.
    #[serde(flatten)]
    pub provenance: AnnotationProvenance,
    /// The cost of the run.
    pub run: AnnotationRunCounts,
}

impl SideSums {
    fn of(side: &SideSummary) -> SideSums {
        SideSums {
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

    fn add(&mut self, other: &SideSums) {
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

    fn totals(&self) -> SideTotals {
        let per_hundred = |count: u64| (count as f64 * 10_000.0 / self.plies.max(1) as f64).round() / 100.0;
        let (sum, games) = self.accuracy;
        SideTotals {
            games: self.games,
            plies: self.plies,
            inaccuracies: self.inaccuracies,
            mistakes: self.mistakes,
            blunders: self.blunders,
            blunders_per_100_plies: per_hundred(self.blunders),
            missed_wins: self.missed_wins,
            lost_little_by_little: self.little_by_little,
            mean_loss_per_ply: (self.lost / self.plies.max(1) as f64 * 1e5).round() / 1e5,
            mean_accuracy: (games > 0).then(|| (sum / games as f64 * 10.0).round() / 10.0),
        }
    }
}

impl SidesTotals {
    fn of(sides: &BySide<SideSums>) -> SidesTotals {
        SidesTotals { attackers: sides.attackers.totals(), defenders: sides.defenders.totals() }
    }
}

impl AnnotationTotals {
    /// Returns the sums over one game.
    pub(super) fn of(game: &AnnotatedGame) -> AnnotationTotals {
        let sides = BySide::from_fn(|side| SideSums::of(&game.notes.sides[side]));
        AnnotationTotals {
            games: 1,
            unknown: 0,
            broken: game.early_end().is_some().into(),
            sides,
            variants: BTreeMap::from([(game.game.replayed.variant().to_owned(), sides)]),
            engines: BTreeMap::from([(game.notes.engine.clone(), 1)]),
            searches: game.notes.searches,
        }
    }

    /// Returns the sums over one game with unknown rules.
    pub(super) fn of_unknown() -> AnnotationTotals {
        AnnotationTotals { games: 1, unknown: 1, ..AnnotationTotals::default() }
    }

    /// Adds the sums over other games.
    pub(super) fn add(&mut self, other: &AnnotationTotals) {
        self.games += other.games;
        self.unknown += other.unknown;
        self.broken += other.broken;
        self.searches.made += other.searches.made;
        self.searches.reused += other.searches.reused;
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

    /// Returns the number of plies that were judged.
    pub fn plies(&self) -> u64 {
        self.sides.attackers.plies + self.sides.defenders.plies
    }

    /// Returns the number of blunders of a side.
    pub fn blunders(&self, side: Side) -> u64 {
        self.sides[side].blunders
    }

    /// Returns the number of plies and of plies in a second, for a line of progress.
    pub(super) fn speed(&self, time: Duration) -> String {
        let per_second = self.plies() as f64 / time.as_secs_f64().max(1e-3);
        format!("{}, {per_second:.1} a second", counted(self.plies(), "ply", "plies"))
    }

    /// Returns the summary of a run.
    pub fn summary(&self, provenance: &AnnotationProvenance, time: Duration) -> AnnotationSummary {
        AnnotationSummary {
            taflbase_annotation_summary: 1,
            games: self.games,
            games_with_unknown_rules: self.unknown,
            games_not_to_their_end: self.broken,
            plies: self.plies(),
            sides: SidesTotals::of(&self.sides),
            variants: self
                .variants
                .iter()
                .map(|(name, sides)| (name.clone(), SidesTotals::of(sides)))
                .collect(),
            engines: self.engines.clone(),
            provenance: provenance.clone(),
            run: AnnotationRunCounts {
                seconds: (time.as_secs_f64() * 10.0).round() / 10.0,
                searches: self.searches.made,
                from_cache: self.searches.reused,
                nodes: self.searches.nodes,
            },
        }
    }
}
