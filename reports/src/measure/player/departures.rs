//! Where the games of a player leave known lines: the first ply after which the position is new.
//!
//! A position is known if an earlier game of two other players, with the same variant, had it, or any such game if the order of
//! games in time is not known. Positions that are equal up to symmetry are the same position, so the order of moves does not
//! matter.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU64;

use tafl_corpus::{Corpus, Result};
use tafl_rules::{BySide, Side};

use super::GameSide;
use super::results::points;
use crate::measure::board_symmetry::BoardSymmetry;
use crate::measure::games::{GameFacts, Games};
use crate::measure::playable_game::{PlayableGame, PlayableGames};
use crate::measure::tables::{plies_frame, table_differs, table_error};
use crate::measure::time_order::{TimeOrder, UntimedGames};
use crate::stats::Rate;
use crate::stats::compare::{DifferenceEstimate, compare_proportions};
use crate::stats::quantile::Summary;
use crate::stats::score::WdlCounts;

/// The maximum number of departures that are listed.
const MAX_DEPARTURES: usize = 10;

/// Where the games of a player leave known lines.
#[derive(Debug, Clone, PartialEq)]
pub struct DepartureFindings {
    /// The number of the player's games.
    pub games: u64,
    /// How the order of the games of these variants is known. If it is not, all games of other players count as earlier.
    pub time_order: TimeOrder,
    /// The games of these variants whose time is not known.
    pub untimed: UntimedGames,
    /// The games that left known lines with a ply of the player, among all that left them. In the others, the opponent left them.
    pub by_player: Option<Rate>,
    /// The same, by the side of the player.
    pub by_side: BySide<Option<Rate>>,
    /// The same of the opponents when they had the attackers.
    pub opponents_with_attackers: Option<Rate>,
    /// The comparison of both with the attackers; `None` unless games with the player on each side left known lines.
    pub comparison: Option<DifferenceEstimate>,
    /// The number of that ply, in games that the player left; from 1.
    pub ply: Option<Summary>,
    /// The number of the first new ply, in games that the opponent left.
    pub opponent_ply: Option<Summary>,
    /// The departures of the player, most frequent first.
    pub departures: Vec<Departure>,
    /// The number of games without a new position.
    pub known: u64,
}

/// A departure of a player from known lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Departure {
    /// The index of the variant in [`Games::variants`].
    pub variant: u32,
    /// The side of the player.
    pub side: Side,
    /// The moves of the first game with it, in canonical orientation; the last one is new.
    pub moves_text: String,
    /// The number of the new ply in this game, from 1.
    pub ply: u32,
    /// The results of the games that left known lines with this position.
    pub counts: WdlCounts,
    /// The number of these games, also unfinished ones.
    pub games: u64,
}

/// Returns where the games of a player leave known lines; `own` are the games of the player.
///
/// # Errors
///
/// Returns the path of a missing or damaged table.
pub(super) fn departures(
    corpus: &Corpus,
    games: &Games,
    player: u32,
    own: &[GameSide<'_>],
) -> Result<DepartureFindings> {
    // Games of other variants are not compared with those of the player, so their times do not matter.
    let variants: HashSet<u32> = own.iter().map(|game_side| game_side.game.variant).collect();
    let compared =
        games.rows.iter().filter(|game| variants.contains(&game.variant) && !game.has_other_start());
    let time_order = TimeOrder::of(compared.clone());
    let untimed = UntimedGames::of(compared);
    let mut first_known: HashMap<(u32, i64), Option<u64>> = HashMap::new();
    let mut keys_of: HashMap<usize, Vec<i64>> = HashMap::new();
    let is_own = |at: usize| Side::ALL.into_iter().any(|side| games.rows[at].player(side) == Some(player));
    let is_usable = |at: usize| !games.rows[at].has_other_start();
    each_game(
        corpus,
        games,
        |at| is_own(at) && is_usable(at),
        |at, keys| {
            for key in keys {
                first_known.insert((games.rows[at].variant, *key), None);
            }
            keys_of.insert(at, keys.to_vec());
        },
    )?;
    each_game(
        corpus,
        games,
        |at| !is_own(at) && is_usable(at),
        |at, keys| {
            for key in keys {
                if let Some(known) = first_known.get_mut(&(games.rows[at].variant, *key)) {
                    let time = latest(&games.rows[at], time_order);
                    *known = Some(known.map_or(time, |known| known.min(time)));
                }
            }
        },
    )?;
    let mut leaving = LeavingGames::default();
    for game_side in own.iter().filter(|game_side| is_usable(game_side.at)) {
        let Some(keys) = keys_of.get(&game_side.at) else { continue };
        let time = earliest(game_side.game, time_order);
        let is_new = |key: &i64| {
            let known = first_known.get(&(game_side.game.variant, *key)).copied().flatten();
            known.is_none_or(|known| known >= time)
        };
        leaving.add(game_side, keys.iter().position(is_new).map(|at| (at, keys[at])));
    }
    leaving.findings(corpus, games, time_order, untimed)
}

/// Returns how often the opponents left known lines first when they had the attackers.
fn opponents_with_attackers(by_side: &BySide<Option<Rate>>) -> Option<Rate> {
    let with_defenders = by_side.defenders?;
    Rate::of(with_defenders.n - with_defenders.hits, with_defenders.n)
}

/// Compares how often the player and the opponents leave known lines first when they have the attackers. The sides move at
/// different plies, so a player who mostly has one of them need not leave half of the lines first.
fn comparison(by_side: &BySide<Option<Rate>>) -> Option<DifferenceEstimate> {
    Some(compare_proportions(&by_side.attackers?, &opponents_with_attackers(by_side)?))
}

/// Returns the earliest possible time of a game, comparable with [`latest`] times. If the order of games is not known,
/// it is after all of them.
fn earliest(game: &GameFacts, order: TimeOrder) -> u64 {
    match order {
        TimeOrder::Date => game.date.map_or(0, |date| date.earliest().into()),
        TimeOrder::Number => game.number.map_or(0, NonZeroU64::get),
        TimeOrder::Unknown => 1,
    }
}

/// Returns the latest possible time of a game: `2019` may be the end of that year.
fn latest(game: &GameFacts, order: TimeOrder) -> u64 {
    match order {
        TimeOrder::Date => game.date.map_or(0, |date| date.latest().into()),
        TimeOrder::Number => game.number.map_or(0, NonZeroU64::get),
        TimeOrder::Unknown => 0,
    }
}

/// Passes the keys of the positions after each ply of the selected games to a function.
fn each_game(
    corpus: &Corpus,
    games: &Games,
    is_selected: impl Fn(usize) -> bool,
    mut take: impl FnMut(usize, &[i64]),
) -> Result<()> {
    let mut rows = games.rows.iter().enumerate().filter(|(at, _)| is_selected(*at)).peekable();
    for (number, segment) in (0u32..).zip(corpus.segments()) {
        if rows.peek().is_none_or(|(_, game)| game.segment != number) {
            continue;
        }
        let path = segment.plies_table().path();
        let frame = plies_frame(segment, &["key"])?;
        let first_plies = segment.first_plies()?;
        let keys = frame.column("key").and_then(|column| column.i64());
        let keys: Vec<i64> = keys.map_err(|error| table_error(path, &error))?.iter().flatten().collect();
        if keys.len() != frame.height() {
            return Err(table_differs(path, "a ply without a key"));
        }
        while let Some((at, game)) = rows.next_if(|(_, game)| game.segment == number) {
            let row = game.row as usize;
            take(at, &keys[first_plies[row] as usize..first_plies[row + 1] as usize]);
        }
    }
    Ok(())
}

/// The games of a player, by whether they left known lines.
#[derive(Default)]
struct LeavingGames<'g> {
    games: u64,
    /// The number of games without a new position.
    known: u64,
    /// Games with the index of the first ply after which the position is new, and its key.
    left: Vec<(GameSide<'g>, usize, i64)>,
}

impl<'g> LeavingGames<'g> {
    fn add(&mut self, game_side: &GameSide<'g>, new: Option<(usize, i64)>) {
        self.games += 1;
        match new {
            Some((ply, key)) => self.left.push((*game_side, ply, key)),
            None => self.known += 1,
        }
    }

    fn findings(
        self,
        corpus: &Corpus,
        games: &Games,
        time_order: TimeOrder,
        untimed: UntimedGames,
    ) -> Result<DepartureFindings> {
        let mut stored = PlayableGames::new(corpus);
        let (mut own, mut others) = (Vec::new(), Vec::new());
        // The games that the player left, and all that left known lines.
        let mut counts: BySide<(u64, u64)> = BySide::default();
        let mut departures: HashMap<(u32, Side, i64), Departure> = HashMap::new();
        for (game_side, at, key) in &self.left {
            let Some(mut game) = stored.game(game_side.game)? else { continue };
            let line = &game.moves[..(at + 1).min(game.moves.len())];
            let (Some((_, before)), ply) = (line.split_last(), at + 1) else { continue };
            if !before.iter().all(|mv| PlayableGame::play(&mut game.board, *mv)) {
                continue;
            }
            let is_by_player = game.board.to_move() == game_side.side;
            let (hits, n) = &mut counts[game_side.side];
            (*hits, *n) = (*hits + u64::from(is_by_player), *n + 1);
            if !is_by_player {
                others.push(ply as f64);
                continue;
            }
            own.push(ply as f64);
            let entry = departures.entry((game_side.game.variant, game_side.side, *key));
            let departure = entry.or_insert_with(|| {
                let board = BoardSymmetry::of_variant(games, game_side.game.variant);
                Departure {
                    variant: game_side.game.variant,
                    side: game_side.side,
                    moves_text: board.map(|board| board.text(&board.canonical(line))).unwrap_or_default(),
                    ply: ply as u32,
                    counts: WdlCounts::default(),
                    games: 0,
                }
            });
            departure.games += 1;
            match points(game_side.game, game_side.side) {
                Some(1.0) => departure.counts.wins += 1,
                Some(0.0) => departure.counts.losses += 1,
                Some(_) => departure.counts.draws += 1,
                None => {}
            }
        }
        let mut departures: Vec<((u32, Side, i64), Departure)> = departures.into_iter().collect();
        // The key is last, so that the order is the same in every run.
        departures.sort_by(|(key, one), (other_key, two)| {
            (two.games, one.ply, &one.moves_text, key).cmp(&(one.games, two.ply, &two.moves_text, other_key))
        });
        departures.truncate(MAX_DEPARTURES);
        let departures = departures.into_iter().map(|(_, departure)| departure).collect();
        let by_side = BySide::from_fn(|side| Rate::of(counts[side].0, counts[side].1));
        Ok(DepartureFindings {
            games: self.games,
            time_order,
            untimed,
            by_player: Rate::of(own.len() as u64, (own.len() + others.len()) as u64),
            by_side,
            opponents_with_attackers: opponents_with_attackers(&by_side),
            comparison: comparison(&by_side),
            ply: Summary::of(own),
            opponent_ply: Summary::of(others),
            departures,
            known: self.known,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_compared_with_opponents_who_had_the_same_side() {
        let compare = |attackers: (u64, u64), defenders: (u64, u64)| {
            let rate = |(hits, n)| Rate::of(hits, n);
            comparison(&BySide { attackers: rate(attackers), defenders: rate(defenders) })
        };
        // The attackers leave 70 % of the lines first, also in games of the opponents: the player is not different.
        let same = compare((70, 100), (15, 50)).unwrap();
        assert!(same.value.value.abs() < 1e-12 && same.p > 0.999, "{same:?}");
        // The opponents leave half of the lines first when they have the attackers.
        let more = compare((90, 100), (50, 100)).unwrap();
        assert!((more.value.value - 0.4).abs() < 1e-12 && more.value.low > 0.0 && more.p < 1e-6, "{more:?}");
        assert_eq!(compare((7, 10), (0, 0)), None);
    }
}
