//! The parameters of the model of strengths, as a vector.

use super::league::{League, Pairing};
use super::side_choice::SideChoices;

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

    /// Returns `x` of a pairing.
    pub(super) fn x(&self, league: &League, side_choices: &SideChoices, at: usize) -> f64 {
        let pairing = &league.pairings()[at];
        let choice = side_choices.of_pairing(at).iter().zip(&self.fixed_effects[league.n_groups..]);
        self.of_players(pairing)
            + self.fixed_effects[pairing.group as usize]
            + choice.map(|(choice, weight)| choice * weight).sum::<f64>()
    }

    /// Returns the part of `x` of a pairing that depends on its players: the difference of strengths and the sum of
    /// side skills.
    pub(super) fn of_players(&self, pairing: &Pairing) -> f64 {
        let (a, d, n) = (pairing.attackers as usize, pairing.defenders as usize, self.players.len() / 2);
        self.players[a] - self.players[d] + self.players[n + a] + self.players[n + d]
    }

    /// Adds a change of `x` of a pairing to its players: the transpose of [`Unknowns::of_players`].
    pub(super) fn add_to_players(&mut self, pairing: &Pairing, pull: f64) {
        let (a, d, n) = (pairing.attackers as usize, pairing.defenders as usize, self.players.len() / 2);
        self.players[a] += pull;
        self.players[d] -= pull;
        self.players[n + a] += pull;
        self.players[n + d] += pull;
    }

    pub(super) fn dot(&self, other: &Unknowns) -> f64 {
        let sum = |one: &[f64], two: &[f64]| one.iter().zip(two).map(|(one, two)| one * two).sum::<f64>();
        sum(&self.players, &other.players)
            + sum(&self.fixed_effects, &other.fixed_effects)
            + self.log_draw_weight * other.log_draw_weight
    }

    pub(super) fn add(&mut self, factor: f64, other: &Unknowns) {
        let add = |one: &mut [f64], two: &[f64]| {
            one.iter_mut().zip(two).for_each(|(one, two)| *one += factor * two);
        };
        add(&mut self.players, &other.players);
        add(&mut self.fixed_effects, &other.fixed_effects);
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

    pub(super) fn is_zero(&self) -> bool {
        self.log_draw_weight == 0.0
            && self.fixed_effects.iter().chain(&self.players).all(|number| *number == 0.0)
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
