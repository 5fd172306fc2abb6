//! The search for rules that meet a target, such as an even score and short games, by successive halving.
//!
//! Every round plays the same openings under all remaining rules, and keeps the better half with twice the number of games.
//! The finalists are measured again with openings that the search did not use, so that their intervals are not biased by the
//! selection.

use std::ops::{ControlFlow, Range};

use super::effect::SelfplayGame;
use super::rule_comparison::{GameSource, LabeledRules, SelfplayLevel, selfplay_level};
use crate::stats::interval::SMALL_SAMPLE;

/// The target of a search: the properties that the rules should have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DesignTarget {
    /// The attackers' score, from 0 to 1.
    pub score: f64,
    /// The largest distance from this score.
    pub within: f64,
    /// The maximum median length in plies.
    pub max_plies: Option<f64>,
    /// The maximum proportion of draws: a score of one half by draws is not a good game.
    pub max_draws: f64,
}

impl DesignTarget {
    /// Returns the distance of games from the target, 0 if they meet it exactly. A distance of 1 is the tolerance of the score,
    /// lengths a quarter above the maximum, or a tenth too many draws. Unfinished games count as draws, and as too long.
    pub fn distance(&self, games: &[SelfplayGame]) -> f64 {
        if games.is_empty() {
            return f64::INFINITY;
        }
        let score = |game: &SelfplayGame| game.score().unwrap_or(0.5);
        let mean = games.iter().map(score).sum::<f64>() / games.len() as f64;
        let drawn = games.iter().filter(|game| score(game) == 0.5).count() as f64 / games.len() as f64;
        let mut distance = ((mean - self.score) / self.within).powi(2);
        distance += ((drawn - self.max_draws).max(0.0) / 0.1).powi(2);
        if let Some(max) = self.max_plies {
            let mut plies: Vec<f64> = games
                .iter()
                .map(|game| if game.outcome.is_some() { f64::from(game.plies) } else { f64::INFINITY })
                .collect();
            plies.sort_by(f64::total_cmp);
            let excess = (plies[plies.len() / 2] / max - 1.0).max(0.0) / 0.25;
            distance += excess.min(MAX_EXCESS).powi(2);
        }
        distance
    }

    /// Returns whether games meet the target, by their intervals.
    fn decide(&self, level: &SelfplayLevel) -> TargetDecision {
        let (Ok(score), Some(plies)) = (&level.score, &level.plies) else { return TargetDecision::Undecided };
        if level.tally.ended() < SMALL_SAMPLE {
            return TargetDecision::Undecided;
        }
        let (low, high) = (self.score - self.within, self.score + self.within);
        let Some(median) = plies.median.interval else { return TargetDecision::Undecided };
        let max = self.max_plies.unwrap_or(f64::INFINITY);
        let draws = level.tally.drawn().map_or(0.0..=1.0, |rate| rate.proportion.low..=rate.proportion.high);
        if score.low > high || score.high < low || median.low > max || *draws.start() > self.max_draws {
            TargetDecision::Missed
        } else if score.low >= low
            && score.high <= high
            && median.high <= max
            && *draws.end() <= self.max_draws
        {
            TargetDecision::Met
        } else {
            TargetDecision::Undecided
        }
    }
}

/// The largest part of a distance that is due to lengths: longer games are not worse.
const MAX_EXCESS: f64 = 8.0;

/// Whether rules meet a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TargetDecision {
    /// The 95 % intervals are within the target.
    Met,
    /// An interval is outside of the target.
    Missed,
    /// Neither.
    Undecided,
}

/// A search.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleSearchSpec {
    /// The target.
    pub target: DesignTarget,
    /// The rules to try; the first ones are the unchanged rules, which take part in the search.
    pub candidates: Vec<LabeledRules>,
    /// The node limit per move.
    pub nodes: u64,
    /// The number of games of each candidate in the first round.
    pub first_games: u64,
    /// The number of candidates that are measured again.
    pub finalists: usize,
    /// The number of games of each finalist.
    pub final_games: u64,
}

/// A round of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleSearchRound {
    /// The number of games of each candidate, those of earlier rounds included.
    pub games: u64,
    /// The candidates with their distances from the target, best first.
    pub distances: Vec<(usize, f64)>,
    /// The number of candidates that were kept.
    pub kept: usize,
}

/// A candidate that was measured again.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleSearchFinalist {
    /// The index of the candidate.
    pub candidate: usize,
    /// The results with openings that the search did not use.
    pub level: SelfplayLevel,
    /// Whether the target is met.
    pub decision: TargetDecision,
    /// The distance from the target in these games.
    pub distance: f64,
}

/// The findings of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleSearchFindings {
    /// The specification.
    pub spec: RuleSearchSpec,
    /// The rounds.
    pub rounds: Vec<RuleSearchRound>,
    /// The finalists, best first; empty if the search was stopped before.
    pub finalists: Vec<RuleSearchFinalist>,
    /// The number of games played.
    pub games: u64,
    /// Whether the search was stopped.
    pub is_stopped: bool,
}

/// The progress of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleSearchProgress {
    /// The number of games played.
    pub games: u64,
    /// The total number of games.
    pub max_games: u64,
}

impl RuleSearchSpec {
    /// Returns, for each round, the number of candidates and the number of games of each, those of earlier rounds included.
    fn schedule(&self) -> Vec<(usize, u64)> {
        let (mut candidates, mut games) = (self.candidates.len(), self.first_games.max(1));
        let mut rounds = Vec::new();
        while candidates > self.finalists.max(1) {
            rounds.push((candidates, games));
            candidates = candidates.div_ceil(2).max(self.finalists.max(1));
            games = games.saturating_mul(2);
        }
        rounds
    }

    /// Returns the total number of games, if no opening is missing.
    pub fn max_games(&self) -> u64 {
        let mut before = 0;
        let mut total = 0u64;
        for (candidates, games) in self.schedule() {
            total = total.saturating_add((games - before).saturating_mul(candidates as u64));
            before = games;
        }
        let finalists = self.finalists.clamp(1, self.candidates.len().max(1)) as u64;
        total.saturating_add(finalists.saturating_mul(self.final_games))
    }
}

/// Searches rules. `progress` is called after every candidate of a round, and may stop the search.
pub fn search_rules(
    spec: &RuleSearchSpec,
    source: &mut dyn GameSource,
    progress: &mut dyn FnMut(RuleSearchProgress) -> ControlFlow<()>,
) -> RuleSearchFindings {
    let mut search = RunningRuleSearch { spec, source, progress, played: 0 };
    let mut games: Vec<Vec<SelfplayGame>> = vec![Vec::new(); spec.candidates.len()];
    let mut remaining: Vec<usize> = (0..spec.candidates.len()).collect();
    let mut found = RuleSearchFindings {
        spec: spec.clone(),
        rounds: Vec::new(),
        finalists: Vec::new(),
        games: 0,
        is_stopped: false,
    };
    let schedule = spec.schedule();
    let after = schedule.last().map_or(0, |(_, games)| *games);
    for (at, (_, n)) in schedule.iter().enumerate() {
        let before = if at == 0 { 0 } else { schedule[at - 1].1 };
        for candidate in &remaining {
            let Some(more) = search.play(*candidate, before..*n) else {
                return RuleSearchFindings { games: search.played, is_stopped: true, ..found };
            };
            games[*candidate].extend(more);
        }
        let mut distances: Vec<(usize, f64)> = remaining
            .iter()
            .map(|candidate| (*candidate, spec.target.distance(&games[*candidate])))
            .collect();
        distances.sort_by(|one, two| one.1.total_cmp(&two.1));
        let kept = remaining.len().div_ceil(2).max(spec.finalists.max(1));
        remaining = distances.iter().take(kept).map(|(candidate, _)| *candidate).collect();
        found.rounds.push(RuleSearchRound { games: *n, distances, kept });
    }
    for candidate in remaining {
        let Some(own) = search.play(candidate, after..after + spec.final_games) else {
            return RuleSearchFindings { games: search.played, is_stopped: true, ..found };
        };
        let level = selfplay_level(spec.nodes, &own);
        let (decision, distance) = (spec.target.decide(&level), spec.target.distance(&own));
        found.finalists.push(RuleSearchFinalist { candidate, level, decision, distance });
    }
    found.finalists.sort_by(|one, two| one.distance.total_cmp(&two.distance));
    RuleSearchFindings { games: search.played, ..found }
}

/// The state of a search.
struct RunningRuleSearch<'s> {
    spec: &'s RuleSearchSpec,
    source: &'s mut dyn GameSource,
    progress: &'s mut dyn FnMut(RuleSearchProgress) -> ControlFlow<()>,
    played: u64,
}

impl RunningRuleSearch<'_> {
    /// Plays games of a candidate; `None` if the search is stopped.
    fn play(&mut self, candidate: usize, numbers: Range<u64>) -> Option<Vec<SelfplayGame>> {
        let games = self.source.play(candidate, self.spec.nodes, numbers);
        self.played += games.len() as u64;
        let progress = RuleSearchProgress { games: self.played, max_games: self.spec.max_games() };
        (self.progress)(progress).is_continue().then_some(games)
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::{Outcome, Reason, Rng, RuleSet, Side};

    use super::*;

    /// Candidates whose true scores rise from 5 % to 95 %, with lengths of 40 plies, or 120 if their index is odd.
    struct SimulatedRules {
        n: usize,
        seed: u64,
    }

    impl SimulatedRules {
        fn score(&self, arm: usize) -> f64 {
            0.05 + 0.9 * arm as f64 / (self.n - 1) as f64
        }
    }

    impl GameSource for SimulatedRules {
        fn play(&mut self, arm: usize, _: u64, numbers: Range<u64>) -> Vec<SelfplayGame> {
            let game = |number| {
                let mut rng = Rng::new(self.seed << 40 ^ (arm as u64) << 20 ^ number);
                let won = rng.unit() < self.score(arm);
                let side = if won { Side::Attackers } else { Side::Defenders };
                let plies = if arm % 2 == 1 { 120 } else { 40 } + rng.below(20) as u32;
                SelfplayGame { outcome: Some(Outcome::win(side, Reason::KingCaptured)), plies }
            };
            numbers.map(game).collect()
        }
    }

    fn spec(n: usize) -> RuleSearchSpec {
        let rules: RuleSet = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
        RuleSearchSpec {
            target: DesignTarget { score: 0.5, within: 0.08, max_plies: Some(80.0), max_draws: 0.2 },
            candidates: (0..n)
                .map(|at| LabeledRules { label: format!("{at}"), rules: rules.clone() })
                .collect(),
            nodes: 10,
            first_games: 20,
            finalists: 3,
            final_games: 400,
        }
    }

    fn run(spec: &RuleSearchSpec, seed: u64) -> RuleSearchFindings {
        let mut source = SimulatedRules { n: spec.candidates.len(), seed };
        search_rules(spec, &mut source, &mut |_| ControlFlow::Continue(()))
    }

    #[test]
    fn the_rules_that_meet_the_target_are_found() {
        let spec = spec(33);
        // Of the even candidates, those with short games, 16 has a score of 50 %.
        let (mut best, mut held, mut n) = (0, 0, 0);
        for seed in 0..40 {
            let found = run(&spec, seed);
            assert_eq!((found.games, found.finalists.len()), (spec.max_games(), 3));
            assert!(found.finalists.iter().all(|finalist| finalist.candidate % 2 == 0));
            best += u32::from(found.finalists.iter().any(|finalist| finalist.candidate == 16));
            let source = SimulatedRules { n: 33, seed };
            for finalist in &found.finalists {
                let score = finalist.level.score.as_ref().unwrap();
                held += u32::from(score.holds(source.score(finalist.candidate)));
                n += 1;
            }
        }
        assert!(best >= 28, "{best}");
        // The selection does not bias the intervals of the finalists.
        assert!(f64::from(held) / f64::from(n) > 0.9, "{held} of {n}");
        // As many games for every candidate would be four times as many.
        assert!(spec.max_games() * 4 < 33 * 400, "{}", spec.max_games());
    }

    #[test]
    fn decisions_follow_from_the_intervals() {
        let target = DesignTarget { score: 0.5, within: 0.1, max_plies: Some(50.0), max_draws: 0.2 };
        let games = |won: u32, n: u32, plies: u32| -> Vec<SelfplayGame> {
            let side = |at| if at < won { Side::Attackers } else { Side::Defenders };
            let game = |at| SelfplayGame {
                outcome: Some(Outcome::win(side(at), Reason::KingCaptured)),
                plies: plies + at % 5,
            };
            (0..n).map(game).collect()
        };
        let decide = |won, n, plies| target.decide(&selfplay_level(1, &games(won, n, plies)));
        assert_eq!(decide(250, 500, 30), TargetDecision::Met);
        assert_eq!(decide(250, 500, 60), TargetDecision::Missed);
        assert_eq!(decide(150, 500, 30), TargetDecision::Missed);
        assert_eq!(decide(20, 40, 30), TargetDecision::Undecided);
        assert_eq!(decide(5, 10, 30), TargetDecision::Undecided);
        assert!(target.distance(&games(20, 40, 30)) < 1e-9 && target.distance(&[]).is_infinite());
        assert!((target.distance(&games(24, 40, 30)) - 1.0).abs() < 1e-9);
        let unfinished = [SelfplayGame { outcome: None, plies: 300 }; 9];
        assert!((target.distance(&unfinished) - MAX_EXCESS.powi(2) - 64.0).abs() < 1e-9);
        let drawn = Some(Outcome { winner: None, reason: Reason::Repetition });
        let drawn = [SelfplayGame { outcome: drawn, plies: 20 }; 400];
        assert_eq!(target.decide(&selfplay_level(1, &drawn)), TargetDecision::Missed);
    }

    #[test]
    fn a_search_can_be_stopped_and_may_have_few_candidates() {
        let few = run(&spec(2), 1);
        assert!(few.rounds.is_empty() && few.finalists.len() == 2 && !few.is_stopped);
        let mut source = SimulatedRules { n: 9, seed: 1 };
        let mut calls = 0;
        let stopped = search_rules(&spec(9), &mut source, &mut |_| {
            calls += 1;
            if calls == 12 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(stopped.is_stopped && stopped.rounds.len() == 1 && stopped.finalists.is_empty());
        assert_eq!(run(&spec(0), 1).games, 0);
    }
}
