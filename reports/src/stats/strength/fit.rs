//! Maximum a posteriori estimation of strengths and advantages.

use super::correct::{Marginal, attenuation, growth_of_strength_sd, marginal};
use super::league::League;
use super::sds::{AitkenSequence, WarmStarts, next_sds};
use super::side_choice::SideChoices;
use super::side_terms::SideTerms;
use super::system::{EffectSds, System};
use super::unknowns::Unknowns;
use super::variances::{Pairs, Variances};
use super::widening::GUESS;
use super::{Advantage, AdvantageLine, SideChoiceEffect, Strength, Strengths};
use crate::stats::missing::NotEstimable;

/// Options of the estimation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitOptions {
    /// The standard deviation of strengths if it is known; otherwise it is estimated.
    pub strength_sd: Option<f64>,
    /// The standard deviation of side skills if it is known; otherwise it is estimated.
    pub side_skill_sd: Option<f64>,
    /// The convergence threshold for the step size and the relative change of the standard deviations.
    pub precision: f64,
    /// The maximum number of steps; at least one is made.
    pub max_steps: u32,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions { strength_sd: None, side_skill_sd: None, precision: 5e-4, max_steps: 40 }
    }
}

impl FitOptions {
    /// Returns options with the standard deviations of another fit of the same players, which saves most of the time.
    pub fn with_sds_of(found: &Strengths) -> FitOptions {
        FitOptions {
            strength_sd: Some(found.strength_sd),
            side_skill_sd: Some(found.side_skill_sd),
            ..FitOptions::default()
        }
    }

    /// Returns the known standard deviations of strengths and of side skills.
    fn known_sds(&self) -> [Option<f64>; 2] {
        [self.strength_sd, self.side_skill_sd]
    }
}

/// Estimates strengths, advantages, and draws jointly.
///
/// # Errors
///
/// Returns [`NotEstimable::NoPlayers`] without games, [`NotEstimable::NoneDecided`] if all games were drawn,
/// [`NotEstimable::FewPlayers`] for fewer than three players, and [`NotEstimable::Unsettled`] if the iteration does not
/// converge.
pub fn fit(league: &League, options: &FitOptions) -> Result<Strengths, NotEstimable> {
    fit_from(league, options, None)
}

/// Estimates as [`fit`] does, in fewer steps: from estimates of the same players that are near the answer, such as those from
/// the same games in one group.
///
/// # Errors
///
/// Returns the errors of [`fit`].
///
/// # Panics
///
/// Panics if `start` has another number of players.
pub fn fit_from(
    league: &League,
    options: &FitOptions,
    start: Option<&Strengths>,
) -> Result<Strengths, NotEstimable> {
    let games = league.games_per_player();
    let total = league.total();
    if total.n() == 0 {
        return Err(NotEstimable::NoPlayers);
    }
    if total.attackers + total.defenders == 0 {
        return Err(NotEstimable::NoneDecided);
    }
    if games.iter().filter(|games| **games > 0).count() < 3 {
        return Err(NotEstimable::FewPlayers);
    }
    let side_choices = SideChoices::of(league);
    let found = Estimation::of((league, &side_choices), &games, options, start)?;
    let weights = &found.point.fixed_effects[league.n_groups..];
    let strength = |player: usize| Strength {
        value: found.point.players[player] + side_choices.of_player(player, weights),
        error: found.strength_variances[player].max(0.0).sqrt(),
        games: games[player].into(),
    };
    Ok(Strengths {
        players: (0..league.n_players).map(|player| (games[player] > 0).then(|| strength(player))).collect(),
        side_skills: found.point.players[league.n_players..].to_vec(),
        advantages: found.advantages(league),
        side_choice: found.side_choice(league, &side_choices),
        draw_weight: found.point.log_draw_weight.exp(),
        strength_sd: found.sds.strength,
        side_skill_sd: found.sds.side_skill,
        n: u64::from(total.n()),
        steps: found.steps,
    })
}

/// Estimates the advantage as a line over the mean strength of both players; `strengths` are those of the same league,
/// which has one group.
///
/// # Errors
///
/// Returns the errors of [`fit`].
pub fn fit_line(league: &League, strengths: &Strengths) -> Result<AdvantageLine, NotEstimable> {
    let half = |player: u32| strengths.players[player as usize].map_or(0.0, |strength| strength.value / 2.0);
    let (mut sum, mut n) = (0.0, 0.0);
    for pairing in league.pairings() {
        let games = f64::from(pairing.results.n());
        sum += (half(pairing.attackers) + half(pairing.defenders)) * games;
        n += games;
    }
    let center = sum / n;
    let halves: Vec<f64> = (0..league.n_players as u32).map(|player| half(player) - center / 2.0).collect();
    let covariate = SideTerms { attackers: halves.clone(), defenders: halves };
    let side_choices = SideChoices::of(league).with_covariate(covariate);
    let found = Estimation::of(
        (league, &side_choices),
        &league.games_per_player(),
        &FitOptions::default(),
        Some(strengths),
    )?;
    let slope = league.n_groups + side_choices.n() - 1;
    Ok(AdvantageLine {
        center,
        value: found.value(0),
        slope: found.value(slope),
        value_error: found.marginal.error(0),
        slope_error: found.marginal.error(slope),
        covariance: found.marginal.covariance(0, slope),
    })
}

/// The converged estimates of a league.
struct Estimation {
    point: Unknowns,
    sds: EffectSds,
    marginal: Marginal,
    strength_variances: Vec<f64>,
    steps: u32,
}

impl Estimation {
    fn of(
        (league, side_choices): (&League, &SideChoices),
        games: &[u32],
        options: &FitOptions,
        start: Option<&Strengths>,
    ) -> Result<Estimation, NotEstimable> {
        let games_and_choices = (league, side_choices);
        let total = league.total();
        let mut point = Unknowns::zero(league, side_choices);
        let decided = f64::from(total.attackers + total.defenders);
        point.log_draw_weight =
            if total.draws == 0 { f64::NEG_INFINITY } else { (2.0 * f64::from(total.draws) / decided).ln() };
        let mut sds = GUESS;
        if let Some(start) = start {
            sds = EffectSds { strength: start.strength_sd, side_skill: start.side_skill_sd };
            set_start(&mut point, start, league.n_groups);
        }
        sds.strength = options.strength_sd.unwrap_or(sds.strength);
        sds.side_skill = options.side_skill_sd.unwrap_or(sds.side_skill);
        let mut warm_starts = WarmStarts::new(league.n_players);
        let mut sequences = [AitkenSequence::default(), AitkenSequence::default()];
        let pairs = Pairs::of(league);
        let mut system = System::at(games_and_choices, &point, sds);
        let mut steps = 0;
        loop {
            let size = newton_step(&mut point, &mut system);
            steps += 1;
            // Far from the maximum, an estimate of the standard deviations would be useless.
            if size > MAX_STEP_FOR_SDS && steps < options.max_steps {
                continue;
            }
            let mut is_settled = options.known_sds().iter().all(Option::is_some);
            if !is_settled {
                let before = sds;
                let proposed = next_sds(
                    (league, &pairs, games),
                    (&system, &point),
                    (options.known_sds(), sds),
                    &mut warm_starts,
                );
                is_settled = (proposed.strength / before.strength - 1.0).abs() < options.precision
                    && (proposed.side_skill - before.side_skill).abs() < options.precision;
                sds = proposed;
                if !is_settled {
                    let [strength, side_skill] = &mut sequences;
                    sds.strength = strength.next(before.strength, proposed.strength);
                    sds.side_skill = side_skill.next(before.side_skill, proposed.side_skill);
                }
                system.set_sds(&point, sds);
            }
            if size < options.precision && is_settled {
                break;
            }
            if steps >= options.max_steps {
                if size > 0.05 {
                    return Err(NotEstimable::Unsettled);
                }
                break;
            }
        }
        let variances = correct_sds((league, &pairs), options, (&mut point, &mut system, &mut sds));
        let marginal = marginal(games_and_choices, (&system, &variances), &point);
        let strength_variances = (0..league.n_players).map(|player| variances.strength(player)).collect();
        Ok(Estimation { point, sds, marginal, strength_variances, steps })
    }

    /// Returns an advantage or a weight, with its correction.
    fn value(&self, at: usize) -> f64 {
        // If the correction is large, its formula is not valid.
        let max = self.marginal.error(at);
        self.point.fixed_effects[at] + self.marginal.corrections[at].clamp(-max, max)
    }

    /// Returns the effect of side choice in a league of one group.
    fn side_choice(&self, league: &League, side_choices: &SideChoices) -> Option<SideChoiceEffect> {
        let [effect] = side_choices.effects() else { return None };
        if league.n_groups != 1 {
            return None;
        }
        let (mut sum, mut n) = (0.0, 0.0);
        for pairing in league.pairings() {
            let games = f64::from(pairing.results.n());
            let [attackers, defenders] = [pairing.attackers, pairing.defenders].map(|player| player as usize);
            sum += games * (effect.attackers[attackers] + effect.defenders[defenders]);
            n += games;
        }
        let mean = sum / n;
        let (advantage, weight) = (0, 1);
        let errors = self.marginal.model_error(advantage) * self.marginal.model_error(weight);
        let correlation = mean.signum() * self.marginal.covariance(advantage, weight) / errors;
        correlation.is_finite().then(|| SideChoiceEffect {
            value: mean * self.value(weight),
            error: mean.abs() * self.marginal.error(weight),
            correlation,
        })
    }

    fn advantages(&self, league: &League) -> Vec<Option<Advantage>> {
        let mut games = vec![0u64; league.n_groups];
        for pairing in league.pairings() {
            games[pairing.group as usize] += u64::from(pairing.results.n());
        }
        let advantage = |group: usize| Advantage {
            value: self.value(group),
            error: self.marginal.error(group),
            model_error: self.marginal.model_error(group),
            known_players_error: self.marginal.known_players_errors[group],
            games: games[group],
        };
        (0..league.n_groups).map(|group| (games[group] > 0).then(|| advantage(group))).collect()
    }
}

/// Corrects the estimated standard deviations for the remaining bias of Laplace's method, and returns the variances
/// for the corrected ones.
fn correct_sds(
    (league, pairs): (&League, &Pairs),
    options: &FitOptions,
    (point, system, sds): (&mut Unknowns, &mut System<'_>, &mut EffectSds),
) -> Variances {
    let mut variances = Variances::of(league, pairs, system);
    let growth = growth_of_strength_sd(system, &variances);
    if options.strength_sd.is_none() && growth > MIN_GROWTH {
        sds.strength *= growth;
        system.set_sds(point, *sds);
        for _ in 0..STEPS_AFTER_GROWTH {
            newton_step(point, system);
        }
        variances = Variances::of(league, pairs, system);
    }
    if options.side_skill_sd.is_none() {
        sds.side_skill *= attenuation(system, &variances);
        system.set_sds(point, *sds);
        variances = Variances::of(league, pairs, system);
    }
    variances
}

/// Below this growth of the standard deviation of strengths, more steps would hardly change the estimates.
const MIN_GROWTH: f64 = 1.001;

/// The number of steps after which the estimates have settled again.
const STEPS_AFTER_GROWTH: usize = 4;

/// Above this size of a step, standard deviations are not estimated.
const MAX_STEP_FOR_SDS: f64 = 0.5;

/// Begins at known estimates, whose strengths contain the side choices. A group without one begins at the first.
fn set_start(point: &mut Unknowns, start: &Strengths, n_groups: usize) {
    let n = start.players.len();
    for (at, strength) in point.players[..n].iter_mut().zip(&start.players) {
        *at = strength.map_or(0.0, |strength| strength.value);
    }
    point.players[n..].copy_from_slice(&start.side_skills);
    let all_groups = start.advantages.first().copied().flatten();
    for (group, at) in point.fixed_effects[..n_groups].iter_mut().enumerate() {
        let known = start.advantages.get(group).copied().flatten().or(all_groups);
        *at = known.map_or(0.0, |advantage| advantage.value);
    }
}

/// Takes a Newton step, halved while it is too long, and returns its largest component.
fn newton_step(point: &mut Unknowns, system: &mut System<'_>) -> f64 {
    let mut gradient = system.gradient.clone();
    if !point.log_draw_weight.is_finite() {
        gradient.log_draw_weight = 0.0;
    }
    let step = system.solve(gradient, 1e-2);
    let greatest = |numbers: &[f64]| numbers.iter().fold(0.0f64, |max, number| max.max(number.abs()));
    let size = greatest(&step.players).max(greatest(&step.fixed_effects)).max(step.log_draw_weight.abs());
    let before = system.log_posterior;
    let mut factor = if size > 2.0 { 2.0 / size } else { 1.0 };
    for _ in 0..30 {
        let mut next = point.clone();
        let has_draws = next.log_draw_weight.is_finite();
        next.add(factor, &step);
        if !has_draws {
            next.log_draw_weight = f64::NEG_INFINITY;
        }
        system.move_to(&next);
        if system.log_posterior >= before - 1e-9 * before.abs() {
            *point = next;
            return size * factor;
        }
        factor /= 2.0;
    }
    system.move_to(point);
    size * factor
}

#[cfg(test)]
mod tests {
    use super::super::league::Pairing;
    use super::*;
    use crate::stats::LeagueSpec;

    #[test]
    fn a_fit_that_begins_at_the_answer_gives_the_same_answer_in_fewer_steps() {
        let made = LeagueSpec {
            players: 80,
            games: 2500,
            one_side_skill_sd: 0.2,
            draw_weight: 0.1,
            ..LeagueSpec::default()
        }
        .simulate(4);
        let league = League::new((80, 1), made.games);
        let (choices, games) = (SideChoices::of(&league), league.games_per_player());
        let exact = FitOptions { precision: 1e-6, max_steps: 400, ..FitOptions::default() };
        let of = |start| Estimation::of((&league, &choices), &games, &exact, start).unwrap();
        let (from_zero, answer) = (of(None), fit(&league, &exact).unwrap());
        let again = of(Some(&answer));
        assert!(again.steps < from_zero.steps, "{} {}", again.steps, from_zero.steps);
        assert!((again.value(0) - from_zero.value(0)).abs() < 1e-4);
        assert!((again.sds.side_skill - from_zero.sds.side_skill).abs() < 1e-3);
        assert!((again.sds.strength - from_zero.sds.strength).abs() < 1e-4);
    }

    #[test]
    fn groups_that_begin_at_the_answer_for_all_games_give_the_same_answer_in_fewer_steps() {
        let made = LeagueSpec { players: 60, games: 3000, slope: 0.3, ..LeagueSpec::default() }.simulate(9);
        let halves =
            || made.games.iter().enumerate().map(|(at, game)| Pairing { group: (at % 2) as u32, ..*game });
        let exact = FitOptions { precision: 1e-6, max_steps: 100, ..FitOptions::default() };
        let all = fit(&League::new((60, 1), made.games.iter().copied()), &exact).unwrap();
        let league = League::new((60, 2), halves());
        let (cold, warm) = (fit(&league, &exact).unwrap(), fit_from(&league, &exact, Some(&all)).unwrap());
        assert!(warm.steps < cold.steps, "{} {}", warm.steps, cold.steps);
        for (one, two) in cold.advantages.iter().zip(&warm.advantages) {
            assert!((one.unwrap().value - two.unwrap().value).abs() < 1e-4);
            assert!((one.unwrap().error - two.unwrap().error).abs() < 1e-4);
        }
        assert!((cold.strength_sd - warm.strength_sd).abs() < 1e-4);
    }
}
