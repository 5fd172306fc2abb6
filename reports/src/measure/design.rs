//! Rule design: the balance of an unplayed game, and the effect of changes to its rules.
//!
//! The engine plays against itself, from the same openings under all rules and with several node limits.
//! Games are added in portions until the intervals are narrow enough or the budget is used up. The stopping
//! rule depends only on the widths of intervals, never on the balance itself, so the plain intervals remain
//! valid; an interval that is valid at all times is given as well.

use std::ops::{ControlFlow, Range};

use tafl_rules::{Outcome, Reason, RuleSet, Side};

use super::tally::{Ended, Tally};
use crate::stats::compare::DifferenceEstimate;
use crate::stats::interval::Z95;
use crate::stats::multiple::{benjamini_hochberg, holm};
use crate::stats::normal::two_sided;
use crate::stats::quantile::Summary;
use crate::stats::sequential::Moments;
use crate::stats::{Balance, Estimate, NotEstimable};

/// A rule set under test.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// Its label, such as `esc=e`.
    pub label: String,
    /// The rules.
    pub rules: RuleSet,
}

/// The specification of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct DesignSpec {
    /// The rule sets; the first one is the baseline.
    pub arms: Vec<Arm>,
    /// The node limits per move, weakest first.
    pub nodes: Vec<u64>,
    /// The maximum width of the intervals of the attackers' score, from end to end.
    pub width: f64,
    /// The maximum number of games per rule set and node limit.
    pub most_games: u64,
    /// The number of games per rule set and node limit in each portion.
    pub portion: u64,
}

impl DesignSpec {
    /// Returns the default specification: a width of 10 percentage points, at most 400 games each, at three
    /// node limits.
    pub fn new(arms: Vec<Arm>) -> DesignSpec {
        DesignSpec { arms, nodes: vec![200, 1000, 5000], width: 0.1, most_games: 400, portion: 20 }
    }
}

/// A game of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DesignGame {
    /// Its outcome; `None` if a limit ended it.
    pub outcome: Option<Outcome>,
    /// The number of plies.
    pub plies: u32,
}

impl DesignGame {
    /// Returns the attackers' score.
    fn score(&self) -> Option<f64> {
        self.outcome.map(|outcome| match outcome.winner {
            Some(Side::Attackers) => 1.0,
            Some(Side::Defenders) => 0.0,
            None => 0.5,
        })
    }
}

/// A source of games.
pub trait GameSource {
    /// Plays games of an arm with a node limit per move, and returns them in the order of their numbers.
    /// Games with the same number have the same opening in all arms and with all node limits. Fewer games
    /// than requested mean that there are no more.
    fn play(&mut self, arm: usize, nodes: u64, numbers: Range<u64>) -> Vec<DesignGame>;
}

/// The progress of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DesignProgress {
    /// The number of games played.
    pub games: u64,
    /// The maximum number of games.
    pub most: u64,
}

/// The reason why a trial ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesignEnd {
    /// All intervals are narrow enough.
    Narrow,
    /// The budget is used up.
    Budget,
    /// There are no further distinct openings.
    NoOpenings,
    /// The trial was stopped.
    Stopped,
}

/// The findings of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct DesignFindings {
    /// The findings for each arm and node limit, in order.
    pub arms: Vec<ArmFindings>,
    /// The effects of each arm relative to the first one, by arm and node limit.
    pub effects: Vec<Effect>,
    /// The number of games played.
    pub games: u64,
    /// The reason why the trial ended.
    pub end: DesignEnd,
}

/// The findings for a rule set.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmFindings {
    /// The rules.
    pub arm: Arm,
    /// The node limits, weakest first.
    pub levels: Vec<Level>,
}

/// The balance of a rule set with a node limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The node limit per move.
    pub nodes: u64,
    /// The results.
    pub tally: Tally,
    /// The attackers' score, with draws as halves.
    pub score: Result<Estimate, NotEstimable>,
    /// The same with an interval that is valid at all times.
    pub always: Option<Estimate>,
    /// The signed ratio.
    pub balance: Result<Balance, NotEstimable>,
    /// The lengths of finished games.
    pub plies: Option<Summary>,
}

/// The effect of a change, over pairs of games with the same opening.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The index of the arm.
    pub arm: usize,
    /// The node limit per move.
    pub nodes: u64,
    /// The number of pairs in which both games finished.
    pub pairs: u64,
    /// The change of the attackers' score.
    pub score: Option<DifferenceEstimate>,
    /// The change of the share of draws.
    pub draws: Option<DifferenceEstimate>,
    /// The change of the length in plies; `None` if all pairs show the same change.
    pub plies: Option<DifferenceEstimate>,
    /// The p-value of the change of the score, adjusted for all effects (Holm).
    pub p_holm: Option<f64>,
    /// The same, adjusted for the false discovery rate (Benjamini and Hochberg).
    pub p_fdr: Option<f64>,
}

/// Runs a trial.
///
/// `progress` is called after every portion, and may stop the trial.
pub fn design(
    spec: &DesignSpec,
    source: &mut dyn GameSource,
    progress: &mut dyn FnMut(DesignProgress) -> ControlFlow<()>,
) -> DesignFindings {
    let mut games: Vec<Vec<Vec<DesignGame>>> = vec![vec![Vec::new(); spec.nodes.len()]; spec.arms.len()];
    let cells = (spec.arms.len() * spec.nodes.len()) as u64;
    let most = cells.saturating_mul(spec.most_games);
    let (mut next, mut played) = (0u64, 0u64);
    let end = loop {
        if next >= spec.most_games || cells == 0 {
            break DesignEnd::Budget;
        }
        let numbers = next..next.saturating_add(spec.portion.max(1)).min(spec.most_games);
        let wanted = numbers.end - numbers.start;
        let (mut is_short, mut is_stopped) = (false, false);
        'portion: for (arm, levels) in games.iter_mut().enumerate() {
            for (nodes, own) in spec.nodes.iter().zip(levels) {
                let more = source.play(arm, *nodes, numbers.clone());
                is_short |= (more.len() as u64) < wanted;
                played += more.len() as u64;
                own.extend(more);
                if progress(DesignProgress { games: played, most }).is_break() {
                    is_stopped = true;
                    break 'portion;
                }
            }
        }
        next = numbers.end;
        if is_stopped {
            break DesignEnd::Stopped;
        }
        if is_short {
            break DesignEnd::NoOpenings;
        }
        if games.iter().flatten().all(|own| is_narrow(own, spec.width)) {
            break DesignEnd::Narrow;
        }
    };
    findings(spec, &games, played, end)
}

fn is_narrow(games: &[DesignGame], width: f64) -> bool {
    tally(games).score().is_ok_and(|score| score.width() <= width)
}

fn findings(
    spec: &DesignSpec,
    games: &[Vec<Vec<DesignGame>>],
    played: u64,
    end: DesignEnd,
) -> DesignFindings {
    let arms = spec.arms.iter().zip(games).map(|(arm, levels)| ArmFindings {
        arm: arm.clone(),
        levels: spec
            .nodes
            .iter()
            .zip(levels)
            .map(|(nodes, own)| level(*nodes, own, spec.most_games))
            .collect(),
    });
    let mut effects = Vec::new();
    if let Some((first, others)) = games.split_first() {
        for (arm, levels) in others.iter().enumerate() {
            for ((nodes, base), own) in spec.nodes.iter().zip(first).zip(levels) {
                effects.push(effect((arm + 1, *nodes), base, own));
            }
        }
    }
    control(&mut effects);
    DesignFindings { arms: arms.collect(), effects, games: played, end }
}

fn tally(games: &[DesignGame]) -> Tally {
    let mut tally = Tally { games: games.len() as u64, ..Tally::default() };
    for game in games {
        let ended = match game.outcome {
            None => Ended { winner: None, reason: Reason::Unfinished },
            Some(outcome) => Ended { winner: outcome.winner, reason: outcome.reason },
        };
        *match (game.outcome, ended.winner) {
            (None, _) => &mut tally.unfinished,
            (Some(_), Some(Side::Attackers)) => &mut tally.attackers,
            (Some(_), Some(Side::Defenders)) => &mut tally.defenders,
            (Some(_), None) => &mut tally.draws,
        } += 1;
        *tally.reasons.entry(ended).or_default() += 1;
    }
    tally
}

fn level(nodes: u64, games: &[DesignGame], most: u64) -> Level {
    let tally = tally(games);
    let mut seen = Moments::default();
    games.iter().filter_map(DesignGame::score).for_each(|score| seen.push(score));
    let ended = games.iter().filter(|game| game.outcome.is_some());
    Level {
        nodes,
        score: tally.score(),
        always: seen.always(most),
        balance: tally.balance(),
        plies: Summary::of(ended.map(|game| f64::from(game.plies)).collect()),
        tally,
    }
}

fn effect((arm, nodes): (usize, u64), base: &[DesignGame], own: &[DesignGame]) -> Effect {
    let [mut score, mut draws, mut plies] = [Moments::default(); 3];
    for (base, own) in base.iter().zip(own) {
        let (Some(before), Some(after)) = (base.score(), own.score()) else { continue };
        score.push(after - before);
        draws.push(f64::from(after == 0.5) - f64::from(before == 0.5));
        plies.push(f64::from(own.plies) - f64::from(base.plies));
    }
    Effect {
        arm,
        nodes,
        pairs: score.n(),
        score: difference(&score).or_else(|| of_alike(&score)),
        draws: difference(&draws).or_else(|| of_alike(&draws)),
        plies: difference(&plies),
        p_holm: None,
        p_fdr: None,
    }
}

/// The minimum number of pairs for an effect.
const FEWEST_PAIRS: u64 = 10;

/// Returns the mean change of pairs; `None` if there are too few, or if all are equal and thus give no
/// variance.
fn difference(seen: &Moments) -> Option<DifferenceEstimate> {
    let value = seen.fixed().filter(|_| seen.n() >= FEWEST_PAIRS)?;
    let error = value.width() / (2.0 * Z95);
    (error > 0.0).then(|| DifferenceEstimate { value, p: two_sided(value.value / error) })
}

/// Returns the change of pairs that all show the same change, between -1 and 1; `None` if there are too few,
/// or if they differ.
///
/// The share of pairs with another change has the upper bound of Clopper and Pearson, and in the worst case
/// these change as far as possible. The p-value is that of the sign test.
fn of_alike(seen: &Moments) -> Option<DifferenceEstimate> {
    if seen.n() < FEWEST_PAIRS || seen.variance() > 0.0 {
        return None;
    }
    let (value, n) = (seen.mean(), seen.n() as f64);
    let others = 1.0 - 0.025_f64.powf(1.0 / n);
    let (low, high) = (value - others * (value + 1.0), value + others * (1.0 - value));
    let p = if value == 0.0 { 1.0 } else { 2.0 * 0.5_f64.powf(n) };
    Some(DifferenceEstimate { value: Estimate { value, low, high }, p })
}

fn control(effects: &mut [Effect]) {
    let values: Vec<f64> = effects.iter().filter_map(|effect| effect.score.map(|score| score.p)).collect();
    let adjusted = holm(&values).into_iter().zip(benjamini_hochberg(&values));
    let known = effects.iter_mut().filter(|effect| effect.score.is_some());
    for (effect, (holm, fdr)) in known.zip(adjusted) {
        (effect.p_holm, effect.p_fdr) = (Some(holm), Some(fdr));
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    /// The attackers score 0.5 by the first rules and 0.3 by the second; a tenth of the games is unfinished.
    struct Made;

    impl GameSource for Made {
        fn play(&mut self, arm: usize, nodes: u64, numbers: Range<u64>) -> Vec<DesignGame> {
            let game = |number| {
                let mut rng = Rng::new(number ^ nodes << 20);
                let (opening, luck) =
                    (rng.unit(), Rng::new(number ^ nodes << 20 ^ (arm as u64) << 40).unit());
                let wins = opening * 0.5 + luck * 0.5 < if arm == 0 { 0.5 } else { 0.3 };
                let side = if wins { Side::Attackers } else { Side::Defenders };
                let outcome = (rng.unit() > 0.1).then(|| Outcome::win(side, Reason::KingCaptured));
                let change = arm as u32 * (10 + number as u32 % 3);
                DesignGame { outcome, plies: 20 + change + (rng.unit() * 9.0) as u32 }
            };
            numbers.map(game).collect()
        }
    }

    fn spec(arms: usize) -> DesignSpec {
        let rules: RuleSet = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
        let arms = (0..arms).map(|arm| Arm { label: format!("{arm}"), rules: rules.clone() });
        DesignSpec { nodes: vec![10, 100], width: 0.12, most_games: 1000, ..DesignSpec::new(arms.collect()) }
    }

    #[test]
    fn a_change_is_found_and_the_trial_ends() {
        let mut told = 0;
        let found = design(&spec(2), &mut Made, &mut |_| {
            told += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(found.end, DesignEnd::Narrow);
        assert!(found.games < 4000 && told > 4);
        for effect in &found.effects {
            let score = effect.score.unwrap();
            assert!(score.value.value < -0.1 && effect.p_holm.unwrap() < 0.01, "{effect:?}");
            assert!(effect.plies.unwrap().value.holds(11.0));
        }
        assert!(found.arms[0].levels.iter().all(|level| level.score.unwrap().holds(0.5)));
        assert!(found.arms[0].levels[0].tally.unfinished > 0);
        assert_eq!(found, design(&spec(2), &mut Made, &mut |_| ControlFlow::Continue(())));
    }

    #[test]
    fn pairs_that_are_all_alike_are_not_certain() {
        let won = |side, plies| DesignGame { outcome: Some(Outcome::win(side, Reason::Encirclement)), plies };
        let base = [won(Side::Defenders, 30); 10];
        let turned = effect((1, 10), &base, &[won(Side::Attackers, 30); 10]);
        // Clopper and Pearson for 0 among 10: 0.3085; the sign test of ten equal changes: 2/1024.
        let score = turned.score.unwrap();
        assert!((score.value.low - (1.0 - 2.0 * 0.3085)).abs() < 1e-3 && score.value.high == 1.0);
        assert!((score.p - 2.0 / 1024.0).abs() < 1e-12);
        let same = effect((1, 10), &base, &base);
        assert!(same.score.unwrap().p == 1.0 && same.score.unwrap().value.width() > 0.6);
        assert!(same.plies.is_none() && same.draws.unwrap().value.holds(0.3));
    }

    #[test]
    fn it_can_be_stopped_and_may_have_nothing_to_do() {
        let stopped = design(&spec(2), &mut Made, &mut |_| ControlFlow::Break(()));
        assert_eq!((stopped.end, stopped.games), (DesignEnd::Stopped, 20));
        assert!(stopped.arms[1].levels[0].score.is_err() && stopped.effects[0].score.is_none());
        let endless = DesignSpec { most_games: u64::MAX, ..spec(2) };
        let mut most = 0;
        design(&endless, &mut Made, &mut |progress| {
            most = progress.most;
            ControlFlow::Break(())
        });
        assert_eq!(most, u64::MAX);
        let nothing = design(&spec(0), &mut Made, &mut |_| ControlFlow::Continue(()));
        assert!(nothing.arms.is_empty() && nothing.end == DesignEnd::Budget);
    }
}
