//! Sums over many pairings, on two threads.

use std::ops::Range;

use super::league::League;
use super::scale::{LogSum, wdl_probabilities_and_sum};
use super::side_choice::SideChoices;
use super::side_terms::SideTerms;
use super::unknowns::Unknowns;

/// The sums over pairings of a [`System`](super::system::System), without the prior.
pub(super) struct SystemSums {
    pub(super) weights: Vec<f64>,
    pub(super) mixed_weights: Vec<f64>,
    pub(super) probabilities: Vec<[f64; 3]>,
    pub(super) draws: f64,
    pub(super) gradient: Unknowns,
    pub(super) diagonal: Unknowns,
    pub(super) log_posterior: f64,
}

impl SystemSums {
    pub(super) fn of(
        (league, side_choices): (&League, &SideChoices),
        point: &Unknowns,
        part: Range<usize>,
    ) -> SystemSums {
        let zero = || Unknowns::zero(league, side_choices);
        // The first part has room for the rest, which is added to it.
        let capacity = league.pairings().len() - part.start;
        let mut sums = SystemSums {
            weights: Vec::with_capacity(capacity),
            mixed_weights: Vec::with_capacity(capacity),
            probabilities: Vec::with_capacity(capacity),
            draws: 0.0,
            gradient: zero(),
            diagonal: zero(),
            log_posterior: 0.0,
        };
        let terms = point.terms_with(side_choices);
        let mut by_side = [0; 2].map(|_| SideTerms::zero(league.n_players));
        let [gradient, diagonal] = &mut by_side;
        let mut logs = LogSum::ZERO;
        let (has_draws, nu) = (point.log_draw_weight.is_finite(), point.log_draw_weight.exp());
        for run in league.runs(part) {
            let own = terms.attackers[run.attackers] + point.fixed_effects[run.group];
            let (mut run_slope, mut run_weight) = (0.0, 0.0);
            for pairing in &league.pairings()[run.pairings] {
                let defenders = pairing.defenders as usize;
                let x = own + terms.defenders[defenders];
                let n = f64::from(pairing.results.n());
                let score = f64::from(pairing.results.attackers) + f64::from(pairing.results.draws) / 2.0;
                let ([win, draw, loss], sum) = wdl_probabilities_and_sum(x, nu);
                sums.probabilities.push([win, draw, loss]);
                let slope = score - n * (win + draw / 2.0);
                let gap = win - loss;
                let weight = n * (win + loss - gap * gap) / 4.0;
                gradient.defenders[defenders] += slope;
                diagonal.defenders[defenders] += weight;
                (run_slope, run_weight) = (run_slope + slope, run_weight + weight);
                for (k, choice) in side_choices.of_pairing(pairing).enumerate() {
                    sums.diagonal.fixed_effects[league.n_groups + k] += weight * choice * choice;
                }
                sums.log_posterior += (score - n / 2.0) * x;
                logs.add(n, sum);
                if has_draws {
                    let drawn = f64::from(pairing.results.draws);
                    sums.log_posterior += drawn * point.log_draw_weight;
                    sums.gradient.log_draw_weight += drawn - n * draw;
                    sums.draws += n * draw * (1.0 - draw);
                }
                sums.weights.push(weight);
                sums.mixed_weights.push(if has_draws { -n * draw * gap / 2.0 } else { 0.0 });
            }
            gradient.attackers[run.attackers] += run_slope;
            diagonal.attackers[run.attackers] += run_weight;
            sums.gradient.fixed_effects[run.group] += run_slope;
            sums.diagonal.fixed_effects[run.group] += run_weight;
        }
        sums.log_posterior -= logs.value();
        for (k, effect) in side_choices.effects().iter().enumerate() {
            sums.gradient.fixed_effects[league.n_groups + k] = effect.dot(gradient);
        }
        sums.gradient.add_terms(gradient);
        // The squares of the contributions of a strength and of a side skill are 1 with both sides.
        let (strengths, side_skills) = sums.diagonal.players.split_at_mut(league.n_players);
        for player in 0..league.n_players {
            let information = diagonal.attackers[player] + diagonal.defenders[player];
            (strengths[player], side_skills[player]) = (information, information);
        }
        sums
    }

    /// Adds the sums over the pairings that follow.
    pub(super) fn add(&mut self, more: SystemSums) {
        self.weights.extend(more.weights);
        self.mixed_weights.extend(more.mixed_weights);
        self.probabilities.extend(more.probabilities);
        self.draws += more.draws;
        self.gradient.add(1.0, &more.gradient);
        self.diagonal.add(1.0, &more.diagonal);
        self.log_posterior += more.log_posterior;
    }
}

/// From this number of pairings on, two threads are faster than one.
pub(super) const MIN_PARALLEL: usize = 1 << 14;

/// Computes something for the first and the second half of many pairings, on two threads; few pairings are one part. The parts
/// depend on the number of pairings only, so sums of floats do not depend on the number of threads.
pub(super) fn by_halves<T: Send>(
    n_pairings: usize,
    of_part: impl Fn(Range<usize>) -> T + Sync,
) -> (T, Option<T>) {
    if n_pairings < MIN_PARALLEL {
        return (of_part(0..n_pairings), None);
    }
    let [first, second] = [0..n_pairings / 2, n_pairings / 2..n_pairings];
    #[cfg(feature = "database")]
    let (one, two) = rayon::join(|| of_part(first), || of_part(second));
    #[cfg(not(feature = "database"))]
    let (one, two) = (of_part(first), of_part(second));
    (one, Some(two))
}
