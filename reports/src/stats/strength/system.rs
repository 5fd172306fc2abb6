//! The system of linear equations of a Newton step: sparse, with as many unknowns as players, never stored as
//! a matrix.

use std::ops::Range;

use super::league::League;
use super::result_odds::ResultOdds;
use super::side_choice::SideChoices;
use super::side_terms::SideTerms;
use super::sums::{MIN_PARALLEL, PairingTerms, SystemSums, both, by_halves};
use super::unknowns::{Unknowns, add_terms};

/// The quadratic approximation of the log posterior near a point.
pub(super) struct System<'l> {
    league: &'l League,
    side_choices: &'l SideChoices,
    /// For each pairing, the information about `x`.
    weights: Vec<f64>,
    /// For each pairing, the information about `x` jointly with draws.
    mixed_weights: Vec<f64>,
    /// For each pairing, the probabilities of its results.
    odds: Vec<ResultOdds>,
    /// Information about draws.
    draws: f64,
    /// The standard deviations of strengths and side skills.
    sds: EffectSds,
    /// The gradient.
    pub(super) gradient: Unknowns,
    /// The diagonal.
    pub(super) diagonal: Unknowns,
    /// The sums of the weights of each player's pairings.
    by_side: SideTerms,
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
    pub(super) fn precisions(self, n: usize) -> impl Iterator<Item = f64> {
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

/// The maximum number of iterations of conjugate gradients; ten are usual.
pub(super) const MAX_ITERATIONS: usize = 500;

/// Returns whether the squared norm of a residual is small enough.
pub(super) fn is_solved(norm: f64, target: f64) -> bool {
    norm <= target || norm <= 1e-300
}

impl<'l> System<'l> {
    /// Builds the system at a point.
    pub(super) fn at(
        league_and_choices: (&'l League, &'l SideChoices),
        point: &Unknowns,
        sds: EffectSds,
    ) -> System<'l> {
        System::in_place(league_and_choices, point, sds, None)
    }

    /// Moves the system to another point, in the same memory.
    pub(super) fn move_to(&mut self, point: &Unknowns) {
        let before = [&mut self.weights, &mut self.mixed_weights].map(std::mem::take);
        let before = (before, std::mem::take(&mut self.odds));
        *self = System::in_place((self.league, self.side_choices), point, self.sds, Some(before));
    }

    /// Builds the system; the lists of another one of the same league are reused.
    fn in_place(
        (league, side_choices): (&'l League, &'l SideChoices),
        point: &Unknowns,
        sds: EffectSds,
        before: Option<([Vec<f64>; 2], Vec<ResultOdds>)>,
    ) -> System<'l> {
        let n = league.pairings().len();
        let ([mut weights, mut mixed_weights], mut odds) =
            before.unwrap_or_else(|| ([0; 2].map(|_| vec![0.0; n]), vec![ResultOdds::default(); n]));
        let terms =
            PairingTerms { weights: &mut weights, mixed_weights: &mut mixed_weights, odds: &mut odds };
        let sums_of = |part, terms| SystemSums::of((league, side_choices), point, part, terms);
        let sums = if n < MIN_PARALLEL {
            sums_of(0..n, terms)
        } else {
            let [first, second] = terms.split(n / 2);
            let (mut sums, more) = both(|| sums_of(0..n / 2, first), || sums_of(n / 2..n, second));
            sums.add(more);
            sums
        };
        let SystemSums { draws, gradient, diagonal, by_side, log_posterior } = sums;
        let mut system = System {
            league,
            side_choices,
            weights,
            mixed_weights,
            odds,
            draws,
            sds,
            gradient,
            diagonal,
            by_side,
            log_posterior,
        };
        let effects: Vec<_> = side_choices.effects().iter().map(|effect| (None, effect)).collect();
        let products = system.information_products(&effects);
        let diagonal = &mut system.diagonal.fixed_effects[league.n_groups..];
        for ((diagonal, (_, effect)), product) in diagonal.iter_mut().zip(effects).zip(products) {
            *diagonal = effect.dot(&product);
        }
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

    /// Returns the product of the matrix and a vector.
    pub(super) fn product(&self, vector: &Unknowns) -> Unknowns {
        let terms = vector.terms_with(self.side_choices);
        let (mut product, more) = by_halves(self.league.pairings().len(), |pairings| {
            self.information_product(vector, &terms, pairings)
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
        add_terms(&mut out.players, &product.of_players);
        let effects = self.side_choices.effects().iter().map(|effect| effect.dot(&product.of_players));
        let own = product.of_groups.into_iter().chain(effects).zip(&vector.fixed_effects);
        for (out, (pull, number)) in out.fixed_effects.iter_mut().zip(own) {
            *out = pull + ADVANTAGE_PRECISION * number;
        }
        out.log_draw_weight = product.of_draws + self.draws * vector.log_draw_weight;
        out
    }

    /// Returns the product of the information of some pairings and a vector, whose terms are given.
    fn information_product(
        &self,
        vector: &Unknowns,
        terms: &SideTerms,
        pairings: Range<usize>,
    ) -> InformationProduct {
        let league = self.league;
        let mut product = InformationProduct::zero(league);
        // The term and the pull of each player with the defenders, in one cache line.
        let mut of_defenders: Vec<[f64; 2]> = terms.defenders.iter().map(|term| [*term, 0.0]).collect();
        for run in league.runs(pairings) {
            let own = terms.attackers[run.attackers] + vector.fixed_effects[run.group];
            let weights =
                self.weights[run.pairings.clone()].iter().zip(&self.mixed_weights[run.pairings.clone()]);
            let mut sum = 0.0;
            for (defenders, (weight, mixed)) in league.defenders()[run.pairings].iter().zip(weights) {
                let [term, all] = &mut of_defenders[*defenders as usize];
                let x = own + *term;
                let pull = weight * x + mixed * vector.log_draw_weight;
                *all += pull;
                sum += pull;
                product.of_draws += mixed * x;
            }
            product.of_players.attackers[run.attackers] += sum;
            product.of_groups[run.group] += sum;
        }
        for (to, [_, all]) in product.of_players.defenders.iter_mut().zip(&of_defenders) {
            *to = *all;
        }
        product
    }

    /// Solves the system by conjugate gradients, up to a small residual relative to the right-hand side.
    pub(super) fn solve(&self, rhs: Unknowns, precision: f64) -> Unknowns {
        let mut solution = Unknowns::zero(self.league, self.side_choices);
        let preconditioner = Unknowns {
            players: self.diagonal.players.iter().map(|number| 1.0 / number).collect(),
            fixed_effects: self.diagonal.fixed_effects.iter().map(|number| 1.0 / number).collect(),
            log_draw_weight: 1.0 / self.diagonal.log_draw_weight,
        };
        let mut residual = rhs;
        let mut direction = preconditioner.elementwise_product(&residual);
        let mut norm = residual.dot(&direction);
        let target = norm * precision * precision;
        for _ in 0..MAX_ITERATIONS {
            if is_solved(norm, target) {
                break;
            }
            let product = self.product(&direction);
            let step = norm / direction.dot(&product);
            solution.add(step, &direction);
            residual.add(-step, &product);
            let preconditioned = preconditioner.elementwise_product(&residual);
            let next = residual.dot(&preconditioned);
            direction.scale_and_add(next / norm, &preconditioned);
            norm = next;
        }
        solution
    }

    /// Returns the standard deviations of strengths and side skills.
    pub(super) fn sds(&self) -> EffectSds {
        self.sds
    }

    /// Returns the sums of the weights of each player's pairings.
    pub(super) fn weights_by_side(&self) -> &SideTerms {
        &self.by_side
    }

    /// Returns the league.
    pub(super) fn league(&self) -> &'l League {
        self.league
    }

    /// Returns the weight of each pairing.
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Returns the probabilities of the results of each pairing.
    pub(super) fn odds(&self) -> &[ResultOdds] {
        &self.odds
    }

    /// Returns the column of the matrix for an advantage or the weight of a side-choice effect.
    pub(super) fn column_of_fixed_effect(&self, group: usize) -> Unknowns {
        let mut unit = Unknowns::zero(self.league, self.side_choices);
        unit.fixed_effects[group] = 1.0;
        self.product(&unit)
    }

    /// Returns the column of the matrix for draws.
    pub(super) fn column_of_draws(&self) -> Unknowns {
        let mut unit = Unknowns::zero(self.league, self.side_choices);
        unit.log_draw_weight = 1.0;
        self.product(&unit)
    }
}
