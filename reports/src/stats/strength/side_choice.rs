//! Side-choice effects: players who take one side more often than the other.
//!
//! If strong players prefer a side, plain estimates of the advantage are biased: strengths are shrunk
//! toward their mean, and the remainder is attributed to the side. The mean toward which a strength is shrunk
//! therefore depends on the player's proportion of the side in the schedule, with an estimated weight. For equal
//! preferences this changes almost nothing. (Mundlak's device for panel data, applied to pairings.)

use super::league::League;
use super::side_terms::SideTerms;

/// The side choices of players, one effect per group, and a covariate of pairings if there is one.
#[derive(Debug, Clone, Default)]
pub(super) struct SideChoices {
    /// For each effect, what each player adds to it with either side.
    effects: Vec<SideTerms>,
}

/// With more groups than this, all groups share one effect.
const MAX_GROUPS: usize = 4;

impl SideChoices {
    pub(super) fn of(league: &League) -> SideChoices {
        let by_player: Vec<Vec<f64>> = if league.n_groups <= MAX_GROUPS {
            (0..league.n_groups).map(|group| side_choices(league, |own| own == group)).collect()
        } else {
            vec![side_choices(league, |_| true)]
        };
        let effect = |attackers: Vec<f64>| SideTerms {
            defenders: attackers.iter().map(|number| -number).collect(),
            attackers,
        };
        SideChoices { effects: by_player.into_iter().map(effect).collect() }
    }

    /// Adds a covariate of pairings, whose weight is estimated like those of the side choices.
    pub(super) fn with_covariate(mut self, covariate: SideTerms) -> SideChoices {
        self.effects.push(covariate);
        self
    }

    /// Returns the number of weights.
    pub(super) fn n(&self) -> usize {
        self.effects.len()
    }

    /// Returns each effect.
    pub(super) fn effects(&self) -> &[SideTerms] {
        &self.effects
    }

    /// Returns the part of a player's strength that is explained by his side choices.
    pub(super) fn of_player(&self, player: usize, weights: &[f64]) -> f64 {
        self.effects.iter().zip(weights).map(|(of, weight)| of.attackers[player] * weight).sum()
    }
}

/// Returns the strengths that best explain the assignment of sides in a group of games: least squares with
/// the target 1 for each game of the group, by conjugate gradients.
fn side_choices(league: &League, is_of_group: impl Fn(usize) -> bool) -> Vec<f64> {
    let mut residual = vec![0.0; league.n_players];
    let mut games = vec![0.0; league.n_players];
    for pairing in league.pairings() {
        let (a, d, n) =
            (pairing.attackers as usize, pairing.defenders as usize, f64::from(pairing.results.n()));
        games[a] += n;
        games[d] += n;
        if is_of_group(pairing.group as usize) {
            residual[a] += n;
            residual[d] -= n;
        }
    }
    let precondition = |residual: &[f64]| -> Vec<f64> {
        residual
            .iter()
            .zip(&games)
            .map(|(residual, games)| if *games > 0.0 { residual / games } else { 0.0 })
            .collect()
    };
    let dot = |one: &[f64], two: &[f64]| one.iter().zip(two).map(|(one, two)| one * two).sum::<f64>();
    let mut solution = vec![0.0; league.n_players];
    let mut preconditioned = precondition(&residual);
    let mut direction = preconditioned.clone();
    let mut norm = dot(&residual, &preconditioned);
    let target = norm * 1e-6;
    for _ in 0..100 {
        if norm <= target || norm <= 1e-12 {
            break;
        }
        // The number and the product of each player with the defenders, in one cache line.
        let mut cells: Vec<[f64; 2]> = direction.iter().map(|number| [*number, 0.0]).collect();
        for run in league.runs(0..league.pairings().len()) {
            let (own, mut sum) = (direction[run.attackers], 0.0);
            for pairing in &league.pairings()[run.pairings] {
                let [number, product] = &mut cells[pairing.defenders as usize];
                let pull = f64::from(pairing.results.n()) * (own - *number);
                *product -= pull;
                sum += pull;
            }
            cells[run.attackers][1] += sum;
        }
        let product: Vec<f64> = cells.iter().map(|[_, product]| *product).collect();
        let step = norm / dot(&direction, &product).max(1e-300);
        for (at, number) in solution.iter_mut().enumerate() {
            *number += step * direction[at];
            residual[at] -= step * product[at];
        }
        preconditioned = precondition(&residual);
        let next = dot(&residual, &preconditioned);
        for (direction, preconditioned) in direction.iter_mut().zip(&preconditioned) {
            *direction = preconditioned + next / norm * *direction;
        }
        norm = next;
    }
    solution
}
