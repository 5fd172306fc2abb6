//! The system of linear equations of a Newton step: sparse, with as many unknowns as players, never stored as
//! a matrix.

use std::ops::Range;

use super::league::League;
use super::side_choice::SideChoices;
use super::side_terms::SideTerms;
use super::sums::{SystemSums, by_halves};
use super::unknowns::Unknowns;

/// The unknowns of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SystemPart {
    /// All.
    All,
    /// The players only; sides and draws are fixed.
    Players,
}

/// The quadratic approximation of the log posterior near a point.
pub(super) struct System<'l> {
    league: &'l League,
    side_choices: &'l SideChoices,
    /// For each pairing, the information about `x`.
    weights: Vec<f64>,
    /// For each pairing, the information about `x` jointly with draws.
    mixed_weights: Vec<f64>,
    /// For each pairing, the probabilities of a win, a draw, and a loss of the attackers.
    probabilities: Vec<[f64; 3]>,
    /// Information about draws.
    draws: f64,
    /// The standard deviations of strengths and side skills.
    sds: EffectSds,
    /// The gradient.
    pub(super) gradient: Unknowns,
    /// The diagonal.
    pub(super) diagonal: Unknowns,
    /// The log posterior.
    pub(super) log_posterior: f64,
}

/// The standard deviations of the players' effects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EffectSds {
    /// Of strengths.
    pub(super) strength: f64,
    /// Of side skills.
    pub(super) side_skill: f64,
}

impl EffectSds {
    /// Returns the precision of the prior of each number of [`Unknowns::players`].
    fn precisions(self, n: usize) -> impl Iterator<Item = f64> {
        let each = |sd: f64| std::iter::repeat_n(1.0 / (sd * sd), n);
        each(self.strength).chain(each(self.side_skill))
    }
}

/// The product of the information of pairings and a vector.
struct InformationProduct {
    of_players: SideTerms,
    /// By the advantage of each group.
    of_groups: Vec<f64>,
    /// By the logarithm of the draw weight.
    of_draws: f64,
}

impl InformationProduct {
    fn zero(league: &League) -> InformationProduct {
        InformationProduct {
            of_players: SideTerms::zero(league.n_players),
            of_groups: vec![0.0; league.n_groups],
            of_draws: 0.0,
        }
    }

    fn add(&mut self, more: &InformationProduct) {
        self.of_players.add_scaled(1.0, &more.of_players);
        self.of_groups.iter_mut().zip(&more.of_groups).for_each(|(pull, more)| *pull += more);
        self.of_draws += more.of_draws;
    }
}

/// The standard deviation of the prior of advantages: about 500 Elo. It matters only if one side never won.
const ADVANTAGE_SD: f64 = 3.0;

/// The precision of the prior of advantages.
const ADVANTAGE_PRECISION: f64 = 1.0 / (ADVANTAGE_SD * ADVANTAGE_SD);

/// The precision of the prior of the logarithm of the draw weight.
const DRAW_PRECISION: f64 = 1.0 / 9.0;

impl<'l> System<'l> {
    /// Builds the system at a point.
    pub(super) fn at(
        (league, side_choices): (&'l League, &'l SideChoices),
        point: &Unknowns,
        sds: EffectSds,
    ) -> System<'l> {
        let (mut sums, more) =
            by_halves(league.pairings().len(), |part| SystemSums::of((league, side_choices), point, part));
        if let Some(more) = more {
            sums.add(more);
        }
        let SystemSums { weights, mixed_weights, probabilities, draws, gradient, diagonal, log_posterior } =
            sums;
        let mut system = System {
            league,
            side_choices,
            weights,
            mixed_weights,
            probabilities,
            draws,
            sds,
            gradient,
            diagonal,
            log_posterior,
        };
        system.add_prior(point, point.log_draw_weight.is_finite());
        system
    }

    /// Changes the standard deviations of strengths and side skills; the point must be that of the system.
    pub(super) fn set_sds(&mut self, point: &Unknowns, sds: EffectSds) {
        let before = std::mem::replace(&mut self.sds, sds);
        let n = self.league.n_players;
        let more = sds.precisions(n).zip(before.precisions(n)).map(|(after, before)| after - before);
        self.add_precisions(point, more);
    }

    fn add_precisions(&mut self, point: &Unknowns, precisions: impl Iterator<Item = f64>) {
        let all = self.gradient.players.iter_mut().zip(&mut self.diagonal.players).zip(&point.players);
        for (((gradient, diagonal), at), precision) in all.zip(precisions) {
            *gradient -= precision * at;
            *diagonal += precision;
            self.log_posterior -= precision * at * at / 2.0;
        }
    }

    fn add_prior(&mut self, point: &Unknowns, has_draws: bool) {
        self.add_precisions(point, self.sds.precisions(self.league.n_players));
        for ((gradient, diagonal), at) in self
            .gradient
            .fixed_effects
            .iter_mut()
            .zip(&mut self.diagonal.fixed_effects)
            .zip(&point.fixed_effects)
        {
            *gradient -= ADVANTAGE_PRECISION * at;
            *diagonal += ADVANTAGE_PRECISION;
            self.log_posterior -= ADVANTAGE_PRECISION * at * at / 2.0;
        }
        if has_draws {
            self.gradient.log_draw_weight -= DRAW_PRECISION * (point.log_draw_weight + 1.0);
            self.log_posterior -= DRAW_PRECISION * (point.log_draw_weight + 1.0).powi(2) / 2.0;
            self.draws += DRAW_PRECISION;
        } else {
            self.draws = 1.0;
        }
        self.diagonal.log_draw_weight = self.draws;
    }

    /// Returns the product of the matrix and a vector. For a part of the unknowns, the others must be zero in the vector.
    pub(super) fn product(&self, vector: &Unknowns, part: SystemPart) -> Unknowns {
        let terms = vector.terms_with(self.side_choices);
        let (mut product, more) = by_halves(self.league.pairings().len(), |pairings| {
            self.information_product(vector, &terms, part, pairings)
        });
        if let Some(more) = more {
            product.add(&more);
        }
        let mut out = Unknowns {
            players: Vec::with_capacity(vector.players.len()),
            fixed_effects: vec![0.0; vector.fixed_effects.len()],
            log_draw_weight: 0.0,
        };
        let precisions = self.sds.precisions(self.league.n_players);
        out.players
            .extend(vector.players.iter().zip(precisions).map(|(number, precision)| precision * number));
        out.add_terms(&product.of_players);
        if part == SystemPart::All {
            let effects = self.side_choices.effects().iter().map(|effect| effect.dot(&product.of_players));
            let own = product.of_groups.into_iter().chain(effects).zip(&vector.fixed_effects);
            for (out, (pull, number)) in out.fixed_effects.iter_mut().zip(own) {
                *out = pull + ADVANTAGE_PRECISION * number;
            }
            out.log_draw_weight = product.of_draws + self.draws * vector.log_draw_weight;
        }
        out
    }

    /// Returns the product of the information of some pairings and a vector, whose terms are given.
    fn information_product(
        &self,
        vector: &Unknowns,
        terms: &SideTerms,
        part: SystemPart,
        pairings: Range<usize>,
    ) -> InformationProduct {
        let league = self.league;
        let mut product = InformationProduct::zero(league);
        for run in league.runs(pairings) {
            let own = terms.attackers[run.attackers] + vector.fixed_effects[run.group];
            let each =
                league.defenders()[run.pairings.clone()].iter().zip(&self.weights[run.pairings.clone()]);
            let mut sum = 0.0;
            match part {
                SystemPart::All => {
                    for ((defenders, weight), mixed) in each.zip(&self.mixed_weights[run.pairings]) {
                        let x = own + terms.defenders[*defenders as usize];
                        let pull = weight * x + mixed * vector.log_draw_weight;
                        product.of_players.defenders[*defenders as usize] += pull;
                        sum += pull;
                        product.of_draws += mixed * x;
                    }
                }
                // Most products are of this part, and it needs no weights of draws.
                SystemPart::Players => {
                    for (defenders, weight) in each {
                        let pull = weight * (own + terms.defenders[*defenders as usize]);
                        product.of_players.defenders[*defenders as usize] += pull;
                        sum += pull;
                    }
                }
            }
            product.of_players.attackers[run.attackers] += sum;
            product.of_groups[run.group] += sum;
        }
        product
    }

    /// Solves the system by conjugate gradients, up to a small residual relative to the right-hand side.
    pub(super) fn solve(&self, rhs: Unknowns, part: SystemPart, precision: f64) -> Unknowns {
        let mut solution = Unknowns::zero(self.league, self.side_choices);
        self.solve_from(&mut solution, rhs, part, precision);
        solution
    }

    /// Solves the system by conjugate gradients, with a warm start: the solution of a similar system saves iterations.
    pub(super) fn solve_from(
        &self,
        solution: &mut Unknowns,
        mut rhs: Unknowns,
        part: SystemPart,
        precision: f64,
    ) {
        let mut preconditioner = Unknowns {
            players: self.diagonal.players.iter().map(|number| 1.0 / number).collect(),
            fixed_effects: self.diagonal.fixed_effects.iter().map(|number| 1.0 / number).collect(),
            log_draw_weight: 1.0 / self.diagonal.log_draw_weight,
        };
        if part == SystemPart::Players {
            preconditioner.fixed_effects.fill(0.0);
            preconditioner.log_draw_weight = 0.0;
            rhs.fixed_effects.fill(0.0);
            rhs.log_draw_weight = 0.0;
        }
        let mut preconditioned = preconditioner.elementwise_product(&rhs);
        let target = rhs.dot(&preconditioned) * precision * precision;
        let mut residual = rhs;
        if !solution.is_zero() {
            residual.add(-1.0, &self.product(solution, part));
            preconditioned = preconditioner.elementwise_product(&residual);
        }
        let mut direction = preconditioned.clone();
        let mut norm = residual.dot(&preconditioned);
        for _ in 0..500 {
            if norm <= target || norm <= 1e-300 {
                break;
            }
            let product = self.product(&direction, part);
            let step = norm / direction.dot(&product);
            solution.add(step, &direction);
            residual.add(-step, &product);
            preconditioned = preconditioner.elementwise_product(&residual);
            let next = residual.dot(&preconditioned);
            direction.scale_and_add(next / norm, &preconditioned);
            norm = next;
        }
    }

    /// Returns the standard deviations of strengths and side skills.
    pub(super) fn sds(&self) -> EffectSds {
        self.sds
    }

    /// Returns the weight of a pairing.
    pub(super) fn weight(&self, at: usize) -> f64 {
        self.weights[at]
    }

    /// Returns the weight of each pairing.
    pub(super) fn weights(&self) -> impl Iterator<Item = f64> {
        self.weights.iter().copied()
    }

    /// Returns the probabilities of a win, a draw, and a loss of the attackers, for each pairing.
    pub(super) fn probabilities(&self) -> &[[f64; 3]] {
        &self.probabilities
    }

    /// Returns the column of the matrix for an advantage or the weight of a side-choice effect.
    pub(super) fn column_of_fixed_effect(&self, group: usize) -> Unknowns {
        let mut unit = Unknowns::zero(self.league, self.side_choices);
        unit.fixed_effects[group] = 1.0;
        self.product(&unit, SystemPart::All)
    }

    /// Returns the column of the matrix for draws.
    pub(super) fn column_of_draws(&self) -> Unknowns {
        let mut unit = Unknowns::zero(self.league, self.side_choices);
        unit.log_draw_weight = 1.0;
        self.product(&unit, SystemPart::All)
    }
}
