//! The players of games as a league for the estimation of strengths.

use tafl_corpus::GameResult;

use super::games::GameFacts;
use crate::stats::strength::{League, Pairing, PairingResults};

/// The indices of players in a league, from 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Roster {
    /// The index in the league of each player, by the index in [`Games::players`](super::Games::players);
    /// [`Roster::MISSING`] for others. Empty for few players with large indices, which are searched in `players`.
    numbers: Vec<u32>,
    /// The players as indices of [`Games::players`](super::Games::players), in ascending order.
    pub(super) players: Vec<u32>,
}

impl Roster {
    const MISSING: u32 = u32::MAX;

    /// Returns the players of games. It is the same for the same games in any order, so that all leagues of these games agree.
    pub(super) fn of<'g>(games: impl Iterator<Item = &'g GameFacts> + Clone) -> Roster {
        let finished = games.filter(|game| game.result != GameResult::Unfinished);
        let each = || finished.clone().filter_map(GameFacts::pair).flatten();
        let (n, n_numbers) = each().fold((0, 0), |(n, end), player| (n + 1, end.max(player as usize + 1)));
        // A table by index is as long as the largest one.
        if n_numbers > 8 * n + 1024 {
            let mut players: Vec<u32> = each().collect();
            players.sort_unstable();
            players.dedup();
            return Roster { numbers: Vec::new(), players };
        }
        let mut numbers = vec![Roster::MISSING; n_numbers];
        each().for_each(|player| numbers[player as usize] = 0);
        let mut players = Vec::new();
        for (player, number) in (0..).zip(&mut numbers) {
            if *number != Roster::MISSING {
                *number = players.len() as u32;
                players.push(player);
            }
        }
        Roster { numbers, players }
    }

    /// Returns the index of a player in the league.
    pub(super) fn find(&self, player: u32) -> Option<usize> {
        if self.numbers.is_empty() {
            return self.players.binary_search(&player).ok();
        }
        let number = self.numbers.get(player as usize).copied().filter(|number| *number != Roster::MISSING);
        number.map(|number| number as usize)
    }
}

/// Returns a game for a league; `None` if it is unfinished or does not name two players of the roster.
pub(super) fn pairing(game: &GameFacts, group: u32, roster: &Roster) -> Option<Pairing> {
    let [attackers, defenders] = game.pair()?.map(|player| roster.find(player).map(|number| number as u32));
    let mut results = PairingResults::default();
    match game.result {
        GameResult::Attackers => results.attackers = 1,
        GameResult::Defenders => results.defenders = 1,
        GameResult::Draw => results.draws = 1,
        GameResult::Unfinished => return None,
    }
    Some(Pairing { attackers: attackers?, defenders: defenders?, group, results })
}

/// Returns the league of games; `group` returns the group of each game, below `n_groups`, or `None` to skip
/// it.
pub(super) fn league(
    games: &[GameFacts],
    n_groups: usize,
    group: impl Fn(usize) -> Option<u32> + Copy,
) -> (League, Roster) {
    let grouped = games.iter().enumerate().filter_map(|(at, game)| Some((game, group(at)?)));
    let roster = Roster::of(grouped.clone().map(|(game, _)| game));
    let pairings = grouped.filter_map(|(game, group)| pairing(game, group, &roster));
    (League::new((roster.players.len(), n_groups), pairings), roster)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::tests::game;

    #[test]
    fn players_are_numbered_by_index() {
        let games = |offset: u32| {
            [[7, 3], [3, 12], [7, 7], [12, 9]].map(|pair| {
                let result = if pair[1] == 9 { GameResult::Unfinished } else { GameResult::Draw };
                game(Some(pair.map(|player| offset + player)), result, 20)
            })
        };
        // Large indices have no table.
        for offset in [0, 4_000_000_000] {
            let roster = Roster::of(games(offset).iter());
            assert_eq!(roster.players, [3, 7, 12].map(|player| offset + player));
            assert_eq!(
                [3, 7, 12, 9, 8, 13].map(|player| roster.find(offset + player)),
                [Some(0), Some(1), Some(2), None, None, None]
            );
        }
        let (league, roster) = league(&games(0), 2, |at| Some(at as u32 % 2));
        assert_eq!((league.pairings().len(), roster.players.len()), (2, 3));
    }
}
