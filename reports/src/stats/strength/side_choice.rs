//! Side-choice effects: players who take one side more often than the other.
//!
//! If strong players prefer a side, plain estimates of the advantage are biased: strengths are shrunk
//! toward their mean, and the remainder is attributed to the side. The mean toward which a strength is shrunk
//! therefore depends on the player's proportion of the side in the schedule, with an estimated weight. For equal
//! preferences this changes almost nothing. (Mundlak's device for panel data, applied to pairings.)

use super::league::League;

/// The side choices of players.
#[derive(Debug, Clone, Default)]
pub(super) struct SideChoices {
    /// For each group, the value of each player.
    by_player: Vec<Vec<f64>>,
    /// For each pairing, the value of the attackers' player minus that of the defenders' player, one number
    /// per group, and then the covariate if there is one.
    by_pairing: Vec<f64>,
    /// Whether pairings have a covariate.
    has_covariate: bool,
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
        let gap = |of: &Vec<f64>, at: usize| {
            let pairing = &league.pairings()[at];
            of[pairing.attackers as usize] - of[pairing.defenders as usize]
        };
        let pairings = 0..league.pairings().len();
        let by_pairing = pairings.flat_map(|at| by_player.iter().map(move |of| gap(of, at))).collect();
        SideChoices { by_player, by_pairing, has_covariate: false }
    }

    /// Adds a number of each pairing whose weight is estimated like those of the side choices.
    pub(super) fn with_covariate(self, of_pairing: Vec<f64>) -> SideChoices {
        let n = self.n();
        let by_pairing = of_pairing.iter().enumerate().flat_map(|(at, number)| {
            self.by_pairing[at * n..(at + 1) * n].iter().chain(std::iter::once(number)).copied()
        });
        SideChoices { by_pairing: by_pairing.collect(), has_covariate: true, ..self }
    }

    /// Returns the number of weights.
    pub(super) fn n(&self) -> usize {
        self.by_player.len() + usize::from(self.has_covariate)
    }

    /// Returns the side choices of a pairing.
    pub(super) fn of_pairing(&self, at: usize) -> &[f64] {
        let n = self.n();
        &self.by_pairing[at * n..(at + 1) * n]
    }

    /// Returns the part of a player's strength that is explained by his side choices.
    pub(super) fn of_player(&self, player: usize, weights: &[f64]) -> f64 {
        self.by_player.iter().zip(weights).map(|(of, weight)| of[player] * weight).sum()
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
        let mut product = vec![0.0; league.n_players];
        for pairing in league.pairings() {
            let (a, d) = (pairing.attackers as usize, pairing.defenders as usize);
            let pull = f64::from(pairing.results.n()) * (direction[a] - direction[d]);
            product[a] += pull;
            product[d] -= pull;
        }
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
