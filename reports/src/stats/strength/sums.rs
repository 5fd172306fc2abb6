//! Sums over many pairings, on two threads.

use std::ops::Range;

use super::league::League;
use super::result_odds::ResultOdds;
use super::scale::LogSum;
use super::side_choice::SideChoices;
use super::side_terms::SideTerms;
use super::unknowns::{Unknowns, add_terms};

/// The terms of a range of pairings in a [`System`](super::system::System).
pub(super) struct PairingTerms<'t> {
    pub(super) weights: &'t mut [f64],
    pub(super) mixed_weights: &'t mut [f64],
    pub(super) odds: &'t mut [ResultOdds],
}

impl PairingTerms<'_> {
    /// Returns the terms of the pairings before an index, and of the others.
    pub(super) fn split(self, at: usize) -> [Self; 2] {
        let (weights, more_weights) = self.weights.split_at_mut(at);
        let (mixed_weights, more_mixed_weights) = self.mixed_weights.split_at_mut(at);
        let (odds, more_odds) = self.odds.split_at_mut(at);
        [
            PairingTerms { weights, mixed_weights, odds },
            PairingTerms { weights: more_weights, mixed_weights: more_mixed_weights, odds: more_odds },
        ]
    }
}

/// The sums over pairings of a [`System`](super::system::System), without the prior and the diagonal of side choices.
pub(super) struct SystemSums {
    pub(super) draws: f64,
    pub(super) gradient: Unknowns,
    pub(super) diagonal: Unknowns,
    /// The sums of the weights of each player's pairings.
    pub(super) by_side: SideTerms,
    pub(super) log_posterior: f64,
}

impl SystemSums {
    pub(super) fn of(
        (league, side_choices): (&League, &SideChoices),
        point: &Unknowns,
        part: Range<usize>,
        terms_of: PairingTerms<'_>,
    ) -> SystemSums {
        let zero = || Unknowns::zero(league, side_choices);
        let mut sums = SystemSums {
            draws: 0.0,
            gradient: zero(),
            diagonal: zero(),
            by_side: SideTerms::zero(league.n_players),
            log_posterior: 0.0,
        };
        let terms = point.terms_with(side_choices);
        let [mut gradient, mut diagonal] = [0; 2].map(|_| SideTerms::zero(league.n_players));
        // What a pairing reads and changes of the defenders' player is in one cache line.
        let mut of_defenders: Vec<DefenderSums> = terms
            .defenders
            .iter()
            .map(|term| DefenderSums { term: *term, ..DefenderSums::default() })
            .collect();
        let start = part.start;
        let mut logs = LogSum::ZERO;
        let (has_draws, nu) = (point.log_draw_weight.is_finite(), point.log_draw_weight.exp());
        for run in league.runs(part) {
            let own = terms.attackers[run.attackers] + point.fixed_effects[run.group];
            let (mut run_slope, mut run_weight) = (0.0, 0.0);
            let own_terms = run.pairings.start - start..run.pairings.end - start;
            let weights = terms_of.weights[own_terms.clone()].iter_mut();
            let each = weights.zip(&mut terms_of.mixed_weights[own_terms.clone()]);
            let each = each.zip(&mut terms_of.odds[own_terms]);
            for (pairing, ((to_weight, to_mixed), to_odds)) in
                league.pairings()[run.pairings].iter().zip(each)
            {
                let defenders = &mut of_defenders[pairing.defenders as usize];
                let x = own + defenders.term;
                let n = f64::from(pairing.results.n());
                let score = f64::from(pairing.results.attackers) + f64::from(pairing.results.draws) / 2.0;
                let (odds, sum) = ResultOdds::of(x, nu);
                let (slope, weight) = (score - n * odds.mean(), n * odds.variance());
                defenders.slope += slope;
                defenders.weight += weight;
                (run_slope, run_weight) = (run_slope + slope, run_weight + weight);
                sums.log_posterior += (score - n / 2.0) * x;
                logs.add(n, sum);
                if has_draws {
                    let drawn = f64::from(pairing.results.draws);
                    sums.log_posterior += drawn * point.log_draw_weight;
                    sums.gradient.log_draw_weight += drawn - n * odds.draw;
                    sums.draws += n * odds.draw * (1.0 - odds.draw);
                }
                *to_mixed = if has_draws { -n * odds.draw * odds.gap / 2.0 } else { 0.0 };
                (*to_weight, *to_odds) = (weight, odds);
            }
            gradient.attackers[run.attackers] += run_slope;
            diagonal.attackers[run.attackers] += run_weight;
            sums.gradient.fixed_effects[run.group] += run_slope;
            sums.diagonal.fixed_effects[run.group] += run_weight;
        }
        sums.log_posterior -= logs.value();
        for (player, own) in of_defenders.iter().enumerate() {
            (gradient.defenders[player], diagonal.defenders[player]) = (own.slope, own.weight);
        }
        for (k, effect) in side_choices.effects().iter().enumerate() {
            sums.gradient.fixed_effects[league.n_groups + k] = effect.dot(&gradient);
        }
        add_terms(&mut sums.gradient.players, &gradient);
        // The squares of the contributions of a strength and of a side skill are 1 with both sides.
        let (strengths, side_skills) = sums.diagonal.players.split_at_mut(league.n_players);
        for player in 0..league.n_players {
            let information = diagonal.attackers[player] + diagonal.defenders[player];
            (strengths[player], side_skills[player]) = (information, information);
        }
        sums.by_side = diagonal;
        sums
    }

    /// Adds the sums over the pairings that follow.
    pub(super) fn add(&mut self, more: SystemSums) {
        self.draws += more.draws;
        self.gradient.add(1.0, &more.gradient);
        self.diagonal.add(1.0, &more.diagonal);
        self.by_side.add_scaled(1.0, &more.by_side);
        self.log_posterior += more.log_posterior;
    }
}

/// The sums over the pairings in which a player has the defenders.
#[derive(Clone, Copy, Default)]
struct DefenderSums {
    term: f64,
    slope: f64,
    weight: f64,
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
    let (one, two) = both(|| of_part(0..n_pairings / 2), || of_part(n_pairings / 2..n_pairings));
    (one, Some(two))
}

/// Computes two things, on two threads if there are several.
pub(super) fn both<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    two: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "database")]
    let found = rayon::join(one, two);
    #[cfg(not(feature = "database"))]
    let found = (one(), two());
    found
}
