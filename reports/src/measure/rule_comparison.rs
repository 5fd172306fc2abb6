//! Comparison of rule sets by self-play: the balance of an unplayed game, and the effect of changes to its rules.
//!
//! The engine plays against itself, from the same openings under all rules and with several node limits.
//! Games are added in portions until the intervals are narrow enough or the budget is used up. The stopping
//! rule uses the widths of the intervals. These depend on the score, because one-sided results have a smaller
//! variance, but hardly near an even score, so the plain intervals remain nearly valid; an interval that is valid
//! at all times is given as well.

use std::ops::{ControlFlow, Range};

use tafl_rules::{Reason, RuleSet};

use super::effect::{MIN_PAIRS, RuleChangeEffect, SelfplayGame, adjust, effect};
use super::log_odds::{NodesTrend, nodes_trend};
use super::tally::{Ending, GameTally};
use crate::stats::quantile::Summary;
use crate::stats::sequential::always_score;
use crate::stats::{Balance, Estimate, NotEstimable};

/// A rule set under test.
#[derive(Debug, Clone, PartialEq)]
pub struct LabeledRules {
    /// Its label, such as `esc=e`.
    pub label: String,
    /// The rules.
    pub rules: RuleSet,
}

/// The specification of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleComparisonSpec {
    /// The rule sets; the first one is the baseline.
    pub arms: Vec<LabeledRules>,
    /// The node limits per move, weakest first.
    pub nodes: Vec<u64>,
    /// The maximum width of the intervals of the attackers' score, from end to end.
    pub width: f64,
    /// The maximum number of games per rule set and node limit.
    pub max_games: u64,
    /// The number of games per rule set and node limit in each portion.
    pub portion: u64,
}

impl RuleComparisonSpec {
    /// Returns the default specification: a width of 10 percentage points, at most 400 games each, at three
    /// node limits.
    pub fn new(arms: Vec<LabeledRules>) -> RuleComparisonSpec {
        RuleComparisonSpec { arms, nodes: vec![200, 1000, 5000], width: 0.1, max_games: 400, portion: 20 }
    }
}

/// A source of games.
pub trait GameSource {
    /// Plays games of an arm with a node limit per move, and returns them in the order of their numbers.
    /// Games with the same number have the same opening in all arms and with all node limits. Fewer games
    /// than requested mean that there are no more.
    fn play(&mut self, arm: usize, nodes: u64, numbers: Range<u64>) -> Vec<SelfplayGame>;
}

/// The progress of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleComparisonProgress {
    /// The number of games played.
    pub games: u64,
    /// The maximum number of games.
    pub max_games: u64,
}

/// The reason why a comparison ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleComparisonEnd {
    /// All intervals are narrow enough.
    Narrow,
    /// The budget is used up.
    Budget,
    /// There are no further distinct openings.
    NoOpenings,
    /// The comparison was stopped.
    Stopped,
}

/// The findings of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleComparisonFindings {
    /// The findings for each arm and node limit, in order.
    pub arms: Vec<ArmFindings>,
    /// The effects of each arm relative to the first one, by arm and node limit.
    pub effects: Vec<RuleChangeEffect>,
    /// The number of games played.
    pub games: u64,
    /// The reason why the comparison ended.
    pub end: RuleComparisonEnd,
}

/// The findings for a rule set.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmFindings {
    /// The rules.
    pub arm: LabeledRules,
    /// The node limits, weakest first.
    pub levels: Vec<SelfplayLevel>,
    /// The trend of the score with the number of nodes; `None` for fewer than two levels with at least 30 finished games.
    pub trend: Option<NodesTrend>,
}

/// The balance of a rule set with a node limit.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfplayLevel {
    /// The node limit per move.
    pub nodes: u64,
    /// The results.
    pub tally: GameTally,
    /// The attackers' score, with draws as halves.
    pub score: Result<Estimate, NotEstimable>,
    /// The same with an interval that is valid at all times.
    pub anytime_score: Option<Estimate>,
    /// The win ratio.
    pub balance: Result<Balance, NotEstimable>,
    /// The attackers' score if they lost all unfinished games, and if they won them; `None` without games.
    pub bounds: Option<[f64; 2]>,
    /// The lengths of finished games.
    pub plies: Option<Summary>,
}

impl SelfplayLevel {
    /// Returns whether the score is so low or so high that a change of the rules has little effect on it: below 10 % or
    /// above 90 %. False for fewer than ten finished games, which have no effects either.
    pub fn is_at_limit(&self) -> bool {
        let score = self.score.as_ref().ok().filter(|_| self.tally.ended() >= MIN_PAIRS);
        score.is_some_and(|score| !(0.1..=0.9).contains(&score.value))
    }
}

/// Lets the engine play all rule sets against themselves, and compares the results.
///
/// `progress` is called after every portion, and may stop the comparison.
pub fn compare_rules(
    spec: &RuleComparisonSpec,
    source: &mut dyn GameSource,
    progress: &mut dyn FnMut(RuleComparisonProgress) -> ControlFlow<()>,
) -> RuleComparisonFindings {
    let mut games: Vec<Vec<Vec<SelfplayGame>>> = vec![vec![Vec::new(); spec.nodes.len()]; spec.arms.len()];
    let cells = (spec.arms.len() * spec.nodes.len()) as u64;
    let max_games = cells.saturating_mul(spec.max_games);
    let (mut next, mut played) = (0u64, 0u64);
    let end = loop {
        if next >= spec.max_games || cells == 0 {
            break RuleComparisonEnd::Budget;
        }
        let numbers = next..next.saturating_add(spec.portion.max(1)).min(spec.max_games);
        let wanted = numbers.end - numbers.start;
        let (mut is_short, mut is_stopped) = (false, false);
        'portion: for (arm, levels) in games.iter_mut().enumerate() {
            for (nodes, own) in spec.nodes.iter().zip(levels) {
                let more = source.play(arm, *nodes, numbers.clone());
                is_short |= (more.len() as u64) < wanted;
                played += more.len() as u64;
                own.extend(more);
                if progress(RuleComparisonProgress { games: played, max_games }).is_break() {
                    is_stopped = true;
                    break 'portion;
                }
            }
        }
        next = numbers.end;
        if is_stopped {
            break RuleComparisonEnd::Stopped;
        }
        if is_short {
            break RuleComparisonEnd::NoOpenings;
        }
        if games.iter().flatten().all(|own| is_narrow(own, spec.width)) {
            break RuleComparisonEnd::Narrow;
        }
    };
    findings(spec, &games, played, end)
}

fn is_narrow(games: &[SelfplayGame], width: f64) -> bool {
    tally(games).score().is_ok_and(|score| score.width() <= width)
}

fn findings(
    spec: &RuleComparisonSpec,
    games: &[Vec<Vec<SelfplayGame>>],
    played: u64,
    end: RuleComparisonEnd,
) -> RuleComparisonFindings {
    let arms = spec.arms.iter().zip(games).map(|(arm, levels)| {
        let levels: Vec<SelfplayLevel> =
            spec.nodes.iter().zip(levels).map(|(nodes, own)| selfplay_level(*nodes, own)).collect();
        let trend = nodes_trend(levels.iter().map(|level| (level.nodes, &level.tally)));
        ArmFindings { arm: arm.clone(), levels, trend }
    });
    let mut effects = Vec::new();
    if let Some((first, others)) = games.split_first() {
        for (arm, levels) in others.iter().enumerate() {
            for ((nodes, base), own) in spec.nodes.iter().zip(first).zip(levels) {
                effects.push(effect(arm + 1, *nodes, base, own));
            }
        }
    }
    adjust(&mut effects);
    RuleComparisonFindings { arms: arms.collect(), effects, games: played, end }
}

fn tally(games: &[SelfplayGame]) -> GameTally {
    let mut tally = GameTally::default();
    for game in games {
        let (winner, reason) =
            game.outcome.map_or((None, Reason::Unfinished), |outcome| (outcome.winner, outcome.reason));
        tally.add(Ending { winner, reason, is_inferred: false }, 1);
    }
    tally
}

/// Returns the score if the attackers lost all unfinished games, and if they won them.
fn bounds(tally: &GameTally) -> Option<[f64; 2]> {
    let n = tally.games as f64;
    let known = tally.attackers as f64 + tally.draws as f64 / 2.0;
    (tally.games > 0).then(|| [known / n, (known + tally.unfinished as f64) / n])
}

/// Returns the balance in games with a node limit.
pub(super) fn selfplay_level(nodes: u64, games: &[SelfplayGame]) -> SelfplayLevel {
    let tally = tally(games);
    let ended = games.iter().filter(|game| game.outcome.is_some());
    SelfplayLevel {
        nodes,
        score: tally.score(),
        anytime_score: always_score(&tally.record()),
        bounds: bounds(&tally),
        balance: tally.balance(),
        plies: Summary::of(ended.map(|game| f64::from(game.plies)).collect()),
        tally,
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::{Outcome, Rng, Side};

    use super::*;

    /// The attackers score 0.5 by the first rules and 0.3 by the second; a tenth of the games is unfinished.
    struct SimulatedGames;

    impl GameSource for SimulatedGames {
        fn play(&mut self, arm: usize, nodes: u64, numbers: Range<u64>) -> Vec<SelfplayGame> {
            let game = |number| {
                let mut rng = Rng::new(number ^ nodes << 20);
                let (opening, luck) =
                    (rng.unit(), Rng::new(number ^ nodes << 20 ^ (arm as u64) << 40).unit());
                let wins = opening * 0.5 + luck * 0.5 < if arm == 0 { 0.5 } else { 0.3 };
                let side = if wins { Side::Attackers } else { Side::Defenders };
                let outcome = (rng.unit() > 0.1).then(|| Outcome::win(side, Reason::KingCaptured));
                let change = arm as u32 * (10 + number as u32 % 3);
                SelfplayGame { outcome, plies: 20 + change + (rng.unit() * 9.0) as u32 }
            };
            numbers.map(game).collect()
        }
    }

    fn spec(arms: usize) -> RuleComparisonSpec {
        let rules: RuleSet = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
        let arms = (0..arms).map(|arm| LabeledRules { label: format!("{arm}"), rules: rules.clone() });
        RuleComparisonSpec {
            nodes: vec![10, 100],
            width: 0.12,
            max_games: 1000,
            ..RuleComparisonSpec::new(arms.collect())
        }
    }

    #[test]
    fn a_change_is_found_and_the_comparison_ends() {
        let mut n_reports = 0;
        let found = compare_rules(&spec(2), &mut SimulatedGames, &mut |_| {
            n_reports += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(found.end, RuleComparisonEnd::Narrow);
        assert!(found.games < 4000 && n_reports > 4);
        for effect in &found.effects {
            let score = effect.score.unwrap();
            assert!(score.value.value < -0.1 && effect.p_holm.unwrap() < 0.01, "{effect:?}");
            assert!(effect.plies.unwrap().value.holds(11.0));
        }
        assert!(found.arms[0].levels.iter().all(|level| level.score.unwrap().holds(0.5)));
        assert!(found.arms[0].levels[0].tally.unfinished > 0);
        assert_eq!(found, compare_rules(&spec(2), &mut SimulatedGames, &mut |_| ControlFlow::Continue(())));
    }

    #[test]
    fn scores_near_their_limits_are_marked() {
        let game = |wins: bool| SelfplayGame {
            outcome: Some(Outcome::win(
                if wins { Side::Attackers } else { Side::Defenders },
                Reason::KingCaptured,
            )),
            plies: 20,
        };
        let of = |won: u32| selfplay_level(10, &(0..40).map(|at| game(at < won)).collect::<Vec<_>>());
        assert!(of(2).is_at_limit() && of(39).is_at_limit());
        assert!(!of(10).is_at_limit() && selfplay_level(10, &[game(false); 20]).is_at_limit());
        assert!(!selfplay_level(10, &[game(false); 9]).is_at_limit());
        let cut_off = SelfplayGame { outcome: None, plies: 99 };
        let some = selfplay_level(10, &[game(true), game(false), cut_off, cut_off]);
        assert_eq!(some.bounds, Some([0.25, 0.75]));
        assert_eq!(selfplay_level(10, &[]).bounds, None);
    }

    #[test]
    fn a_comparison_can_be_stopped_and_may_be_empty() {
        let stopped = compare_rules(&spec(2), &mut SimulatedGames, &mut |_| ControlFlow::Break(()));
        assert_eq!((stopped.end, stopped.games), (RuleComparisonEnd::Stopped, 20));
        assert!(stopped.arms[1].levels[0].score.is_err() && stopped.effects[0].score.is_none());
        let endless = RuleComparisonSpec { max_games: u64::MAX, ..spec(2) };
        let mut max_games = 0;
        compare_rules(&endless, &mut SimulatedGames, &mut |progress| {
            max_games = progress.max_games;
            ControlFlow::Break(())
        });
        assert_eq!(max_games, u64::MAX);
        let nothing = compare_rules(&spec(0), &mut SimulatedGames, &mut |_| ControlFlow::Continue(()));
        assert!(nothing.arms.is_empty() && nothing.end == RuleComparisonEnd::Budget);
    }
}
