//! The variances of the players' strengths and side skills, for given sides and draws.

use std::ops::Range;

use super::league::{League, Pairing};
use super::sums::by_halves;
use super::system::System;

/// The pairs of players that met, regardless of sides; computed once per league for [`Variances`].
pub(super) struct Pairs {
    /// The index of the pair of each pairing.
    pub(super) of_pairing: Vec<u32>,
    /// Both players of each pair, in ascending order.
    pub(super) players: Vec<[u32; 2]>,
}

impl Pairs {
    pub(super) fn of(league: &League) -> Pairs {
        // First the index of the first pairing of each pair.
        let mut of_pairing = vec![0; league.pairings().len()];
        for alike in league.by_pair().chunk_by(|one, two| one.0 == two.0) {
            alike.iter().for_each(|(_, at)| of_pairing[*at as usize] = alike[0].1);
        }
        // Pairs are numbered in the order of the pairings, which are read in this order.
        let mut players: Vec<[u32; 2]> = Vec::new();
        for (at, pairing) in league.pairings().iter().enumerate() {
            let first = of_pairing[at] as usize;
            if first < at {
                of_pairing[at] = of_pairing[first];
                continue;
            }
            of_pairing[at] = players.len() as u32;
            let [one, two] = [pairing.attackers, pairing.defenders];
            players.push([one.min(two), one.max(two)]);
        }
        Pairs { of_pairing, players }
    }
}

/// A matrix of a player's strength and side skill, by rows.
type Block = [[f64; 2]; 2];

/// The contribution of a strength and a side skill to `x` of a game as attackers, and as defenders.
const AS_ATTACKERS: [f64; 2] = [1.0, 1.0];
const AS_DEFENDERS: [f64; 2] = [-1.0, 1.0];

/// The variances of the players' strengths and side skills.
pub(super) struct Variances {
    /// The variances and the covariance of each player's strength and side skill.
    players: Vec<Block>,
    /// The variance of the part of `x` of each pairing that depends on its players.
    gaps: Vec<f64>,
}

/// The maximum number of players for exact variances.
const EXACT: usize = 60;

impl Variances {
    pub(super) fn of(league: &League, pairs: &Pairs, system: &System<'_>) -> Variances {
        let own = own_information(system);
        let shared = shared_information(league, pairs, system);
        if league.n_players <= EXACT {
            exact((league, pairs), &own, &shared)
        } else {
            approximate((league, pairs), &own, &shared)
        }
    }

    /// Returns the variance of a player's strength.
    pub(super) fn strength(&self, player: usize) -> f64 {
        self.players[player][0][0]
    }

    /// Returns the variance of a player's side skill.
    pub(super) fn side_skill(&self, player: usize) -> f64 {
        self.players[player][1][1]
    }

    /// Returns the variance of the part of `x` of a pairing, given by its index, that depends on its players.
    pub(super) fn gap(&self, at: usize) -> f64 {
        self.gaps[at]
    }

    /// Returns the mean variance of the part of `x` that depends on players, weighted by the information of the games.
    pub(super) fn mean_gap(&self, system: &System<'_>) -> f64 {
        let (mut uncertain, mut all) = (0.0, 0.0);
        for (gap, weight) in self.gaps.iter().zip(system.weights()) {
            uncertain += weight * gap;
            all += weight;
        }
        uncertain / all
    }
}

/// Returns the variance of a pairing, given the covariances of its players and those between them, from the rows of the attackers'
/// player to the columns of the defenders'.
fn gap_of([attackers, defenders]: [&Block; 2], between: &Block) -> f64 {
    let own = form(AS_ATTACKERS, attackers, AS_ATTACKERS) + form(AS_DEFENDERS, defenders, AS_DEFENDERS);
    (own + 2.0 * form(AS_ATTACKERS, between, AS_DEFENDERS)).max(0.0)
}

/// Returns the information about each player's strength and side skill if those of all others were known.
fn own_information(system: &System<'_>) -> Vec<Block> {
    let (strengths, side_skills) = system.diagonal.players.split_at(system.diagonal.players.len() / 2);
    let by_side = system.weights_by_side();
    let shared = by_side.attackers.iter().zip(&by_side.defenders).map(|(one, two)| one - two);
    let each = strengths.iter().zip(side_skills).zip(shared);
    each.map(|((strength, side_skill), shared)| [[*strength, shared], [shared, *side_skill]]).collect()
}

/// The information that the games of a pair share: with the attackers for the first player, and for the second one.
type SharedInformation = [f64; 2];

/// Returns the information that each pair shares.
fn shared_information(league: &League, pairs: &Pairs, system: &System<'_>) -> Vec<SharedInformation> {
    let mut shared = vec![[0.0; 2]; pairs.players.len()];
    for ((pairing, pair), weight) in league.pairings().iter().zip(&pairs.of_pairing).zip(system.weights()) {
        shared[*pair as usize][usize::from(pairing.attackers > pairing.defenders)] += weight;
    }
    shared
}

/// Returns the block of the information matrix of a pair, from the first player's rows to the second's columns: the sum of the
/// products of [`AS_ATTACKERS`] and [`AS_DEFENDERS`].
fn block_of([first, second]: SharedInformation) -> Block {
    let (sum, difference) = (first + second, first - second);
    [[-sum, difference], [-difference, sum]]
}

/// Inverts the whole matrix.
fn exact((league, pairs): (&League, &Pairs), own: &[Block], shared: &[SharedInformation]) -> Variances {
    let n = 2 * own.len();
    let mut matrix = vec![0.0; n * n];
    let mut put = |one: usize, two: usize, block: &Block| {
        for (i, row) in block.iter().enumerate() {
            for (j, number) in row.iter().enumerate() {
                matrix[(2 * one + i) * n + 2 * two + j] = *number;
                matrix[(2 * two + j) * n + 2 * one + i] = *number;
            }
        }
    };
    own.iter().enumerate().for_each(|(player, block)| put(player, player, block));
    for ([one, two], shared) in pairs.players.iter().zip(shared) {
        put(*one as usize, *two as usize, &block_of(*shared));
    }
    invert(&mut matrix, n);
    let take =
        |one: usize, two: usize| [0, 1].map(|i| [0, 1].map(|j| matrix[(2 * one + i) * n + 2 * two + j]));
    let players: Vec<Block> = (0..own.len()).map(|player| take(player, player)).collect();
    let gaps = league.pairings().iter().map(|pairing| {
        let [one, two] = [pairing.attackers, pairing.defenders].map(|player| player as usize);
        gap_of([&players[one], &players[two]], &take(one, two))
    });
    Variances { gaps: gaps.collect(), players }
}

/// Approximates the inverse: opponents of a player are treated as if they had not met each other.
fn approximate((league, pairs): (&League, &Pairs), own: &[Block], shared: &[SharedInformation]) -> Variances {
    let n_pairs = pairs.players.len();
    let own_inverses: Vec<Block> = own.iter().map(inverse).collect();
    let through = |part: Range<usize>| {
        let mut sums = vec![[[0.0; 2]; 2]; own.len()];
        for (pair, shared) in pairs.players[part.clone()].iter().zip(&shared[part]) {
            let [one, two] = pair.map(|player| player as usize);
            let block = block_of(*shared);
            let across = transposed(&block);
            subtract(&mut sums[one], &product(&product(&block, &own_inverses[two]), &across));
            subtract(&mut sums[two], &product(&product(&across, &own_inverses[one]), &block));
        }
        sums
    };
    let (first, more) = by_halves(n_pairs, through);
    let mut schur = own.to_vec();
    for sums in [Some(first), more].into_iter().flatten() {
        schur.iter_mut().zip(&sums).for_each(|(block, sum)| add(block, sum));
    }
    let players: Vec<Block> = schur.iter().map(inverse).collect();
    let gap = |(pairing, pair): (&Pairing, &u32)| {
        let [one, two] = [pairing.attackers, pairing.defenders].map(|player| player as usize);
        let [mut first, mut second] = shared[*pair as usize];
        if one > two {
            std::mem::swap(&mut first, &mut second);
        }
        let block = block_of([first, second]);
        let through = product(&players[one], &block);
        let mut second = schur[two];
        add(&mut second, &product(&transposed(&block), &through));
        let between = product(&through, &inverse(&second)).map(|row| row.map(|number| -number));
        gap_of([&players[one], &players[two]], &between)
    };
    let (mut gaps, more) = by_halves(league.pairings().len(), |part| -> Vec<f64> {
        league.pairings()[part.clone()].iter().zip(&pairs.of_pairing[part]).map(gap).collect()
    });
    gaps.extend(more.into_iter().flatten());
    Variances { players, gaps }
}

fn form(left: [f64; 2], block: &Block, right: [f64; 2]) -> f64 {
    left.iter().zip(block).map(|(one, row)| one * (row[0] * right[0] + row[1] * right[1])).sum()
}

fn product(one: &Block, two: &Block) -> Block {
    [0, 1].map(|i| [0, 1].map(|j| one[i][0] * two[0][j] + one[i][1] * two[1][j]))
}

fn transposed(block: &Block) -> Block {
    [0, 1].map(|i| [block[0][i], block[1][i]])
}

fn add(to: &mut Block, block: &Block) {
    (0..2).for_each(|i| (0..2).for_each(|j| to[i][j] += block[i][j]));
}

fn subtract(from: &mut Block, block: &Block) {
    (0..2).for_each(|i| (0..2).for_each(|j| from[i][j] -= block[i][j]));
}

/// Inverts a positive definite block.
fn inverse(block: &Block) -> Block {
    let [[a, b], [_, d]] = *block;
    let scale = 1.0 / (a * d - b * b).max(1e-300);
    [[d * scale, -b * scale], [-b * scale, a * scale]]
}

/// Inverts a positive definite matrix by Gauss-Jordan elimination.
pub(in crate::stats) fn invert(matrix: &mut [f64], n: usize) {
    for pivot in 0..n {
        let scale = 1.0 / matrix[pivot * n + pivot];
        matrix[pivot * n + pivot] = 1.0;
        for column in 0..n {
            matrix[pivot * n + column] *= scale;
        }
        let row: Vec<f64> = matrix[pivot * n..(pivot + 1) * n].to_vec();
        for other in (0..n).filter(|other| *other != pivot) {
            let factor = std::mem::replace(&mut matrix[other * n + pivot], 0.0);
            if factor != 0.0 {
                for column in 0..n {
                    matrix[other * n + column] -= factor * row[column];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::simulate::{LeagueSpec, Schedule};
    use crate::stats::strength::side_choice::SideChoices;
    use crate::stats::strength::system::EffectSds;
    use crate::stats::strength::unknowns::Unknowns;

    #[test]
    fn approximate_variances_are_close_to_exact_ones() {
        let spec = LeagueSpec { players: 60, schedule: Schedule::Unequal, ..LeagueSpec::default() };
        let league = League::new((spec.players, 1), spec.simulate(1).games);
        let choices = SideChoices::of(&league);
        let point = Unknowns::zero(&league, &choices);
        let system = System::at((&league, &choices), &point, EffectSds { strength: 0.8, side_skill: 0.3 });
        let pairs = Pairs::of(&league);
        let own = own_information(&system);
        let shared = shared_information(&league, &pairs, &system);
        let [exact, near] =
            [exact((&league, &pairs), &own, &shared), approximate((&league, &pairs), &own, &shared)];
        for player in 0..spec.players {
            let strengths = near.strength(player) / exact.strength(player);
            let side_skills = near.side_skill(player) / exact.side_skill(player);
            assert!((0.5..1.05).contains(&strengths), "{player}: {strengths}");
            assert!((0.5..1.05).contains(&side_skills), "{player}: {side_skills}");
        }
        let mean = |of: &Variances| of.gaps.iter().sum::<f64>() / of.gaps.len() as f64;
        assert!((0.85..1.15).contains(&(mean(&near) / mean(&exact))), "{} {}", mean(&near), mean(&exact));
    }
}
