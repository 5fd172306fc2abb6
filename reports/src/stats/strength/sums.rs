//! Sums over many pairings, on two threads.

use std::ops::Range;

use super::league::League;
use super::scale::wdl_probabilities_and_log;
use super::side_choice::SideChoices;
use super::unknowns::{SideTerms, Unknowns};

/// The sums over pairings of a [`System`](super::system::System), without the prior.
pub(super) struct SystemSums {
    pub(super) weights: Vec<[f64; 2]>,
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
        let (weights, probabilities) = (Vec::with_capacity(part.len()), Vec::with_capacity(part.len()));
        let mut sums = SystemSums {
            weights,
            probabilities,
            draws: 0.0,
            gradient: zero(),
            diagonal: zero(),
            log_posterior: 0.0,
        };
        let terms = point.terms();
        let mut by_side = [0; 2].map(|_| SideTerms::zero(league.n_players));
        let [gradient, diagonal] = &mut by_side;
        let (has_draws, nu) = (point.log_draw_weight.is_finite(), point.log_draw_weight.exp());
        for (at, pairing) in part.clone().zip(&league.pairings()[part]) {
            let g = pairing.group as usize;
            let x = terms.of_pairing(pairing) + point.x_of_fixed_effects(league, side_choices, at);
            let n = f64::from(pairing.results.n());
            let score = f64::from(pairing.results.attackers) + f64::from(pairing.results.draws) / 2.0;
            let ([win, draw, loss], log) = wdl_probabilities_and_log(x, nu);
            sums.probabilities.push([win, draw, loss]);
            let slope = score - n * (win + draw / 2.0);
            gradient.add(pairing, slope);
            sums.gradient.fixed_effects[g] += slope;
            let gap = win - loss;
            let weight = n * (win + loss - gap * gap) / 4.0;
            let mixed = if has_draws { -n * draw * gap / 2.0 } else { 0.0 };
            diagonal.add(pairing, weight);
            sums.diagonal.fixed_effects[g] += weight;
            for (k, choice) in side_choices.of_pairing(at).iter().enumerate() {
                sums.gradient.fixed_effects[league.n_groups + k] += slope * choice;
                sums.diagonal.fixed_effects[league.n_groups + k] += weight * choice * choice;
            }
            let drawn = f64::from(pairing.results.draws);
            sums.log_posterior += (score - n / 2.0) * x - n * log;
            if has_draws {
                sums.log_posterior += drawn * point.log_draw_weight;
                sums.gradient.log_draw_weight += drawn - n * draw;
                sums.draws += n * draw * (1.0 - draw);
            }
            sums.weights.push([weight, mixed]);
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
