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
        // One number for each pair, because sorting by it is faster.
        let key = |pairing: &Pairing| {
            let [one, two] = [pairing.attackers, pairing.defenders];
            u64::from(one.min(two)) << 32 | u64::from(one.max(two))
        };
        let mut order: Vec<(u64, u32)> = league.pairings().iter().map(key).zip(0..).collect();
        order.sort_unstable();
        let mut of_pairing = vec![0; order.len()];
        let mut players: Vec<[u32; 2]> = Vec::new();
        let mut last = None;
        for (key, at) in order {
            if last.replace(key) != Some(key) {
                players.push([(key >> 32) as u32, key as u32]);
            }
            of_pairing[at as usize] = players.len() as u32 - 1;
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
pub(super) struct Variances<'p> {
    pairs: &'p Pairs,
    /// The variances and the covariance of each player's strength and side skill.
    players: Vec<Block>,
    /// The variance of the part of `x` that depends on the players of each pair: if the first one has the attackers, and if the
    /// second one has them.
    gaps: Vec<[f64; 2]>,
}

/// The maximum number of players for exact variances.
const EXACT: usize = 60;

impl<'p> Variances<'p> {
    pub(super) fn of(league: &League, pairs: &'p Pairs, system: &System<'_>) -> Variances<'p> {
        let own = own_information(league, system);
        let shared = shared_information(league, pairs, system);
        if league.n_players <= EXACT {
            exact(pairs, &own, &shared)
        } else {
            approximate(pairs, &own, &shared)
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

    /// Returns the variance of the part of `x` of a pairing that depends on its players.
    pub(super) fn gap(&self, at: usize, pairing: &Pairing) -> f64 {
        self.gaps[self.pairs.of_pairing[at] as usize][usize::from(pairing.attackers > pairing.defenders)]
    }
}

impl Variances<'_> {
    /// Returns the mean variance of the part of `x` that depends on players, weighted by the information of the games.
    pub(super) fn mean_gap(&self, league: &League, system: &System<'_>) -> f64 {
        let (mut uncertain, mut all) = (0.0, 0.0);
        for ((at, pairing), weight) in league.pairings().iter().enumerate().zip(system.weights()) {
            uncertain += weight * self.gap(at, pairing);
            all += weight;
        }
        uncertain / all
    }
}

/// Returns both variances of a pair of players, given their own covariances and those between them, from the first player's rows to
/// the second's columns.
fn gaps_of([first, second]: [&Block; 2], between: &Block) -> [f64; 2] {
    [(AS_ATTACKERS, AS_DEFENDERS), (AS_DEFENDERS, AS_ATTACKERS)].map(|(one, two)| {
        let own = form(one, first, one) + form(two, second, two);
        (own + 2.0 * form(one, between, two)).max(0.0)
    })
}

/// Returns the information about each player's strength and side skill if those of all others were known.
fn own_information(league: &League, system: &System<'_>) -> Vec<Block> {
    let n = league.n_players;
    let diagonal = &system.diagonal.players;
    let mut own: Vec<Block> =
        (0..n).map(|player| [[diagonal[player], 0.0], [0.0, diagonal[n + player]]]).collect();
    for (pairing, weight) in league.pairings().iter().zip(system.weights()) {
        for (player, sign) in [(pairing.attackers, 1.0), (pairing.defenders, -1.0)] {
            let block = &mut own[player as usize];
            block[0][1] += sign * weight;
            block[1][0] += sign * weight;
        }
    }
    own
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
fn exact<'p>(pairs: &'p Pairs, own: &[Block], shared: &[SharedInformation]) -> Variances<'p> {
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
    let gaps = pairs.players.iter().map(|pair| {
        let [one, two] = pair.map(|player| player as usize);
        gaps_of([&players[one], &players[two]], &take(one, two))
    });
    Variances { pairs, gaps: gaps.collect(), players }
}

/// Approximates the inverse: opponents of a player are treated as if they had not met each other.
fn approximate<'p>(pairs: &'p Pairs, own: &[Block], shared: &[SharedInformation]) -> Variances<'p> {
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
    let gap = |(pair, shared): (&[u32; 2], &SharedInformation)| {
        let [one, two] = pair.map(|player| player as usize);
        let block = block_of(*shared);
        let through = product(&players[one], &block);
        let mut second = schur[two];
        add(&mut second, &product(&transposed(&block), &through));
        let between = product(&through, &inverse(&second)).map(|row| row.map(|number| -number));
        gaps_of([&players[one], &players[two]], &between)
    };
    let (mut gaps, more) = by_halves(n_pairs, |part| -> Vec<[f64; 2]> {
        pairs.players[part.clone()].iter().zip(&shared[part]).map(gap).collect()
    });
    gaps.extend(more.into_iter().flatten());
    Variances { pairs, players, gaps }
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
    let determinant = (a * d - b * b).max(1e-300);
    [[d / determinant, -b / determinant], [-b / determinant, a / determinant]]
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
        let own = own_information(&league, &system);
        let shared = shared_information(&league, &pairs, &system);
        let [exact, near] = [exact(&pairs, &own, &shared), approximate(&pairs, &own, &shared)];
        for player in 0..spec.players {
            let strengths = near.strength(player) / exact.strength(player);
            let side_skills = near.side_skill(player) / exact.side_skill(player);
            assert!((0.5..1.05).contains(&strengths), "{player}: {strengths}");
            assert!((0.5..1.05).contains(&side_skills), "{player}: {side_skills}");
        }
        let mean = |of: &Variances<'_>| {
            let gaps = league.pairings().iter().enumerate().map(|(at, pairing)| of.gap(at, pairing));
            gaps.sum::<f64>() / league.pairings().len() as f64
        };
        assert!((0.85..1.15).contains(&(mean(&near) / mean(&exact))), "{} {}", mean(&near), mean(&exact));
    }
}
