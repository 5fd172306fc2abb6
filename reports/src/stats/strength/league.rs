//! Games aggregated by pairing.

use std::ops::Range;

/// The results of a pairing: attackers' wins, draws, and defenders' wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairingResults {
    /// Games won by the attackers.
    pub attackers: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games won by the defenders.
    pub defenders: u32,
}

impl PairingResults {
    /// Returns the number of games.
    pub fn n(&self) -> u32 {
        self.attackers + self.draws + self.defenders
    }

    fn add(&mut self, other: &PairingResults) {
        self.attackers += other.attackers;
        self.draws += other.draws;
        self.defenders += other.defenders;
    }
}

/// Games between two players, given by their indices, on the same sides and in the same group: a single game, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pairing {
    /// The player of the attackers.
    pub attackers: u32,
    /// The player of the defenders.
    pub defenders: u32,
    /// The group whose advantage the games inform.
    pub group: u32,
    /// The results of the games.
    pub results: PairingResults,
}

/// All games of a joint estimation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct League {
    /// The number of players.
    pub n_players: usize,
    /// The number of groups.
    pub n_groups: usize,
    pairings: Vec<Pairing>,
    runs: Vec<PairingRun>,
    /// The defenders' player of each pairing, in a list of its own, because matrix products read nothing else of most pairings.
    defenders: Vec<u32>,
}

/// Consecutive pairings of the same group and attackers' player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PairingRun {
    pub(super) group: usize,
    pub(super) attackers: usize,
    pub(super) pairings: Range<usize>,
}

impl League {
    /// Aggregates games. Games of a player against himself carry no information and are skipped, as are games
    /// with indices out of range.
    pub fn new((n_players, n_groups): (usize, usize), games: impl IntoIterator<Item = Pairing>) -> League {
        let fits = |game: &Pairing| {
            game.attackers != game.defenders
                && (game.attackers.max(game.defenders) as usize) < n_players
                && (game.group as usize) < n_groups
        };
        let mut pairings = by_attackers((n_players, n_groups), games.into_iter().filter(fits).collect());
        let key = |game: &Pairing| (game.group, game.attackers, game.defenders);
        pairings.dedup_by(|next, last| {
            let is_same = key(next) == key(last);
            if is_same {
                last.results.add(&next.results);
            }
            is_same
        });
        pairings.shrink_to_fit();
        let mut runs: Vec<PairingRun> = Vec::new();
        for pairings in pairings.chunk_by(|one, two| (one.group, one.attackers) == (two.group, two.attackers))
        {
            let start = runs.last().map_or(0, |run| run.pairings.end);
            let [group, attackers] = [pairings[0].group, pairings[0].attackers].map(|number| number as usize);
            runs.push(PairingRun { group, attackers, pairings: start..start + pairings.len() });
        }
        let defenders = pairings.iter().map(|pairing| pairing.defenders).collect();
        League { n_players, n_groups, pairings, runs, defenders }
    }

    /// Returns the pairings.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// Returns the player of the defenders of each pairing.
    pub(super) fn defenders(&self) -> &[u32] {
        &self.defenders
    }

    /// Returns the runs within a range of pairings; the first and the last one are truncated to it.
    pub(super) fn runs(&self, pairings: Range<usize>) -> impl Iterator<Item = PairingRun> {
        let first = self.runs.partition_point(|run| run.pairings.end <= pairings.start);
        let cut = move |run: &PairingRun| PairingRun {
            pairings: run.pairings.start.max(pairings.start)..run.pairings.end.min(pairings.end),
            ..*run
        };
        self.runs[first..].iter().map(cut).take_while(|run| !run.pairings.is_empty())
    }

    /// Returns the index of each pairing with its players, regardless of sides, in ascending order of the first, the second, and
    /// the index.
    pub(in crate::stats) fn by_pair(&self) -> Vec<([u32; 2], u32)> {
        let pair = |pairing: &Pairing| {
            [pairing.attackers.min(pairing.defenders), pairing.attackers.max(pairing.defenders)]
        };
        let pairs = (0..).zip(&self.pairings).map(|(at, pairing)| (pair(pairing), at));
        let mut sorted = bucketed(pairs, self.n_players, |(pair, _)| pair[0] as usize);
        let same_first = sorted.chunk_by_mut(|one, two| one.0[0] == two.0[0]);
        same_first
            .for_each(|own| own.sort_unstable_by_key(|(pair, at)| u64::from(pair[1]) << 32 | u64::from(*at)));
        sorted
    }

    /// Returns the number of games of each player.
    pub fn games_per_player(&self) -> Vec<u32> {
        let mut games = vec![0; self.n_players];
        for pairing in &self.pairings {
            for player in [pairing.attackers, pairing.defenders] {
                games[player as usize] += pairing.results.n();
            }
        }
        games
    }

    /// Returns the results of all games.
    pub fn total(&self) -> PairingResults {
        let mut total = PairingResults::default();
        self.pairings.iter().for_each(|pairing| total.add(&pairing.results));
        total
    }
}

/// Sorts games by group, attackers, and defenders.
fn by_attackers((n_players, n_groups): (usize, usize), mut games: Vec<Pairing>) -> Vec<Pairing> {
    let Some(n) = n_players.checked_mul(n_groups).filter(|n| *n <= 8 * games.len() + 1024) else {
        games.sort_unstable_by_key(|game| (game.group, game.attackers, game.defenders));
        return games;
    };
    let number = |game: &Pairing| game.group as usize * n_players + game.attackers as usize;
    let mut sorted = bucketed(games.iter().copied(), n, number);
    let same_attackers = sorted.chunk_by_mut(|one, two| number(one) == number(two));
    same_attackers.for_each(|own| own.sort_unstable_by_key(|game| game.defenders));
    sorted
}

/// Sorts items by a number below `n` and leaves those with the same number in their order. Only short
/// parts remain to be sorted, which is several times as fast as sorting all items.
fn bucketed<T: Copy + Default>(
    items: impl Iterator<Item = T> + Clone,
    n: usize,
    number: impl Fn(&T) -> usize,
) -> Vec<T> {
    let mut places = vec![0; n];
    items.clone().for_each(|item| places[number(&item)] += 1);
    let mut end = 0;
    for place in &mut places {
        (*place, end) = (end, end + *place);
    }
    let mut sorted = vec![T::default(); end];
    for item in items {
        let place = &mut places[number(&item)];
        sorted[*place] = item;
        *place += 1;
    }
    sorted
}
