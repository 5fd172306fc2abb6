//! The parameters of the model of strengths, as a vector.

use super::league::League;
use super::side_choice::SideChoices;
use super::side_terms::{SideTerms, add_scaled, dot};

/// The parameters of the model: strengths and side skills, advantages, and the logarithm of the draw weight.
#[derive(Debug, Clone)]
pub(super) struct Unknowns {
    /// The strengths of all players, without the part explained by side choices, then their side skills.
    pub(super) players: Vec<f64>,
    /// The advantage of each group, then the weight of each side-choice effect.
    pub(super) fixed_effects: Vec<f64>,
    /// Minus infinity if no game was drawn; it is then constant.
    pub(super) log_draw_weight: f64,
}

impl Unknowns {
    pub(super) fn zero(league: &League, side_choices: &SideChoices) -> Unknowns {
        let n_fixed = league.n_groups + side_choices.n();
        Unknowns {
            players: vec![0.0; 2 * league.n_players],
            fixed_effects: vec![0.0; n_fixed],
            log_draw_weight: 0.0,
        }
    }

    /// Returns the part of `x` that depends on players, by their side: `x` has the difference of their strengths and the sum of
    /// their side skills.
    pub(super) fn terms(&self) -> SideTerms {
        terms(&self.players)
    }

    /// Returns the part of `x` that depends on players and their side choices: all but the advantage of its group.
    pub(super) fn terms_with(&self, side_choices: &SideChoices) -> SideTerms {
        let mut terms = self.terms();
        let weights = &self.fixed_effects[self.fixed_effects.len() - side_choices.n()..];
        for (effect, weight) in side_choices.effects().iter().zip(weights) {
            terms.add_scaled(*weight, effect);
        }
        terms
    }

    pub(super) fn dot(&self, other: &Unknowns) -> f64 {
        dot(&self.players, &other.players)
            + dot(&self.fixed_effects, &other.fixed_effects)
            + self.log_draw_weight * other.log_draw_weight
    }

    pub(super) fn add(&mut self, factor: f64, other: &Unknowns) {
        add_scaled(&mut self.players, factor, &other.players);
        add_scaled(&mut self.fixed_effects, factor, &other.fixed_effects);
        self.log_draw_weight += factor * other.log_draw_weight;
    }

    pub(super) fn scale_and_add(&mut self, factor: f64, other: &Unknowns) {
        let add = |one: &mut [f64], two: &[f64]| {
            one.iter_mut().zip(two).for_each(|(one, two)| *one = factor * *one + two);
        };
        add(&mut self.players, &other.players);
        add(&mut self.fixed_effects, &other.fixed_effects);
        self.log_draw_weight = factor * self.log_draw_weight + other.log_draw_weight;
    }

    pub(super) fn elementwise_product(&self, other: &Unknowns) -> Unknowns {
        let times =
            |one: &[f64], two: &[f64]| one.iter().zip(two).map(|(one, two)| one * two).collect::<Vec<f64>>();
        Unknowns {
            players: times(&self.players, &other.players),
            fixed_effects: times(&self.fixed_effects, &other.fixed_effects),
            log_draw_weight: self.log_draw_weight * other.log_draw_weight,
        }
    }
}

/// Returns the part of `x` that depends on players, by their side; `players` has their strengths, then their side skills.
pub(super) fn terms(players: &[f64]) -> SideTerms {
    let (strengths, side_skills) = players.split_at(players.len() / 2);
    let each = || strengths.iter().zip(side_skills);
    SideTerms {
        attackers: each().map(|(strength, side_skill)| side_skill + strength).collect(),
        defenders: each().map(|(strength, side_skill)| side_skill - strength).collect(),
    }
}

/// Adds the changes of many pairings to their players: the transpose of [`terms`].
pub(super) fn add_terms(players: &mut [f64], pulls: &SideTerms) {
    let (strengths, side_skills) = players.split_at_mut(pulls.attackers.len());
    let pulls = pulls.attackers.iter().zip(&pulls.defenders);
    for ((strength, side_skill), (attackers, defenders)) in strengths.iter_mut().zip(side_skills).zip(pulls) {
        *strength += attackers - defenders;
        *side_skill += attackers + defenders;
    }
}
