//! The games of a player by side, variant, opponent, and month: the groups of reports and of the API.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tafl_corpus::GameResult;
use tafl_rules::{BySide, Side};

use crate::stats::WdlCounts;

/// A game of a player, with what it is grouped by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerGame<V, O> {
    /// The side of the player.
    pub side: Side,
    /// The variant.
    pub variant: V,
    /// The opponent; `None` if the name is unknown.
    pub opponent: Option<O>,
    /// The date, such as `2019-03-01` or `2019`, if it is known.
    pub date: Option<String>,
}

/// The groups of a player's games: indices in the list of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerBreakdown<V, O> {
    /// The games with each side.
    pub by_side: BySide<Vec<usize>>,
    /// The games of each variant with each side, the most frequent variant first.
    pub by_variant: Vec<(V, BySide<Vec<usize>>)>,
    /// The games against each opponent, the most frequent one first.
    pub by_opponent: Vec<(Option<O>, Vec<usize>)>,
    /// The games of each month, such as `2019-03`, the first one first; games without a month are left out.
    pub by_month: Vec<(String, Vec<usize>)>,
}

impl<V: Clone + Ord, O: Clone + Ord> PlayerBreakdown<V, O> {
    /// Groups games. Groups with the same number of games are in the order of their keys.
    pub fn of(games: &[PlayerGame<V, O>]) -> PlayerBreakdown<V, O> {
        let (mut variants, mut opponents, mut months) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut by_side = BySide::<Vec<usize>>::default();
        for (at, game) in games.iter().enumerate() {
            by_side[game.side].push(at);
            let of_variant: &mut BySide<Vec<usize>> = variants.entry(game.variant.clone()).or_default();
            of_variant[game.side].push(at);
            let of_opponent: &mut Vec<usize> = opponents.entry(game.opponent.clone()).or_default();
            of_opponent.push(at);
            if let Some(month) = game.date.as_deref().and_then(|date| date.get(..7)) {
                let of_month: &mut Vec<usize> = months.entry(month.to_owned()).or_default();
                of_month.push(at);
            }
        }
        let mut by_variant: Vec<(V, BySide<Vec<usize>>)> = variants.into_iter().collect();
        by_variant.sort_by_key(|(_, sides)| Reverse(sides.attackers.len() + sides.defenders.len()));
        let mut by_opponent: Vec<(Option<O>, Vec<usize>)> = opponents.into_iter().collect();
        by_opponent.sort_by_key(|(_, own)| Reverse(own.len()));
        PlayerBreakdown { by_side, by_variant, by_opponent, by_month: months.into_iter().collect() }
    }
}

/// The results of a player's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlayerTally {
    /// The results of finished games.
    pub finished: WdlCounts,
    /// The number of unfinished games.
    pub unfinished: u64,
}

impl PlayerTally {
    /// Returns the results of games with the side of the player in each.
    pub fn of(games: impl IntoIterator<Item = (GameResult, Side)>) -> PlayerTally {
        let mut tally = PlayerTally::default();
        for (result, side) in games {
            let count = match (result, side) {
                (GameResult::Attackers, Side::Attackers) | (GameResult::Defenders, Side::Defenders) => {
                    &mut tally.finished.wins
                }
                (GameResult::Attackers, Side::Defenders) | (GameResult::Defenders, Side::Attackers) => {
                    &mut tally.finished.losses
                }
                (GameResult::Draw, _) => &mut tally.finished.draws,
                (GameResult::Unfinished, _) => &mut tally.unfinished,
            };
            *count += 1;
        }
        tally
    }

    /// Returns the number of games, also unfinished ones.
    pub fn games(&self) -> u64 {
        self.finished.n() + self.unfinished
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_grouped_most_frequent_first() {
        let game = |side, variant, opponent, date: &str| PlayerGame {
            side,
            variant,
            opponent,
            date: Some(date.to_owned()),
        };
        let games = [
            game(Side::Attackers, 2, Some("Bo"), "2019-03-01"),
            game(Side::Defenders, 1, None, "2019"),
            game(Side::Defenders, 2, Some("Al"), "2018-12-24"),
            game(Side::Attackers, 1, Some("Bo"), "2019-03-02"),
        ];
        let found = PlayerBreakdown::of(&games);
        assert_eq!(found.by_side, BySide { attackers: vec![0, 3], defenders: vec![1, 2] });
        let variants: Vec<_> = found.by_variant.iter().map(|(variant, _)| *variant).collect();
        assert_eq!(variants, [1, 2]);
        assert_eq!(found.by_opponent, [(Some("Bo"), vec![0, 3]), (None, vec![1]), (Some("Al"), vec![2])]);
        assert_eq!(found.by_month, [("2018-12".to_owned(), vec![2]), ("2019-03".to_owned(), vec![0, 3])]);
    }

    #[test]
    fn results_are_those_of_the_player() {
        use GameResult::{Attackers, Defenders, Draw, Unfinished};
        let games = [
            (Attackers, Side::Attackers),
            (Defenders, Side::Defenders),
            (Defenders, Side::Attackers),
            (Draw, Side::Defenders),
            (Unfinished, Side::Defenders),
        ];
        let found = PlayerTally::of(games);
        assert_eq!(found.finished, WdlCounts { wins: 2, draws: 1, losses: 1 });
        assert_eq!((found.unfinished, found.games()), (1, 5));
    }
}
