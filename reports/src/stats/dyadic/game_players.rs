//! The players and the pair of a game.

/// The two players of a game, and their pair, as numbers from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GamePlayers {
    pub(super) players: [u32; 2],
    pub(super) pair: u32,
}

impl GamePlayers {
    /// The game has no two players and depends on no other.
    pub(super) const ALONE: GamePlayers = GamePlayers { players: [u32::MAX; 2], pair: u32::MAX };

    /// The pair of players of only this game. Most pairs of a large site meet once, and a table of them all would not fit into the
    /// processor's cache.
    pub(super) const SINGLE: u32 = u32::MAX;

    /// Returns the index of its pair among those with several games.
    pub(super) fn pair(self) -> Option<usize> {
        (self.pair != GamePlayers::SINGLE).then_some(self.pair as usize)
    }
}

/// Replaces the indices of players by numbers from 0 if they are much larger than the number of games, because tables by
/// player are as long as the largest number. Returns a number above all others.
pub(super) fn number_players(games: &mut [GamePlayers]) -> usize {
    let players = || games.iter().filter(|game| **game != GamePlayers::ALONE).flat_map(|game| game.players);
    let end = players().max().map_or(0, |player| player as usize + 1);
    if end <= 8 * games.len() + 1024 {
        return end;
    }
    let mut indices: Vec<u32> = players().collect();
    indices.sort_unstable();
    indices.dedup();
    for game in games.iter_mut().filter(|game| **game != GamePlayers::ALONE) {
        game.players = game.players.map(|player| indices.partition_point(|index| *index < player) as u32);
    }
    indices.len()
}

/// Numbers the pairs that have several games, in the order of their players, and returns the number of games of each.
pub(super) fn number_pairs(games: &mut [GamePlayers], n_players: usize) -> Vec<f64> {
    let first = |game: &GamePlayers| game.players[0].min(game.players[1]) as usize;
    // The games of each first player, sorted by the second one: a sort of all games by both would take longer.
    let mut ends = vec![0_u32; n_players];
    for game in games.iter().filter(|game| **game != GamePlayers::ALONE) {
        ends[first(game)] += 1;
    }
    let mut end = 0;
    for own in &mut ends {
        (*own, end) = (end, end + *own);
    }
    let mut keys = vec![0_u64; end as usize];
    for (at, game) in (0..).zip(&*games).filter(|(_, game)| **game != GamePlayers::ALONE) {
        let place = &mut ends[first(game)];
        keys[*place as usize] = u64::from(game.players[0].max(game.players[1])) << 32 | at;
        *place += 1;
    }
    let (mut n_of, mut start) = (Vec::new(), 0);
    for end in ends {
        let own = &mut keys[start..end as usize];
        own.sort_unstable();
        for alike in own.chunk_by(|one, two| one >> 32 == two >> 32).filter(|alike| alike.len() > 1) {
            alike.iter().for_each(|key| games[*key as u32 as usize].pair = n_of.len() as u32);
            n_of.push(alike.len() as f64);
        }
        start = end as usize;
    }
    n_of
}
