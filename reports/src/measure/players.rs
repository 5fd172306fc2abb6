//! Players: their results by side, their strengths, and who met whom.

use std::collections::HashMap;

use tafl_rules::{BySide, Side};

use super::adjusted::adjusted;
use super::games::{GameFacts, Games};
use crate::stats::score::Record;
use crate::stats::{Estimate, Missing};

/// A player.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// The number in [`Games::players`].
    pub number: u32,
    /// The name.
    pub name: String,
    /// Results with each side, from the player's point of view; games without an end are left out.
    pub by_side: BySide<Record>,
    /// The mean score over all games.
    pub score: Result<Estimate, Missing>,
    /// The mean score with each side.
    pub score_by_side: BySide<Result<Estimate, Missing>>,
    /// The strength in Elo around 0, sides and opponents being accounted for.
    pub elo: Option<Estimate>,
    /// How many different opponents there were.
    pub opponents: u64,
    /// The first and the last year, where years are known.
    pub years: Option<(i16, i16)>,
}

impl Player {
    /// Returns how many games ended.
    pub fn games(&self) -> u64 {
        self.by_side.attackers.n() + self.by_side.defenders.n()
    }

    /// Returns the results with both sides together.
    pub fn record(&self) -> Record {
        add(self.by_side.attackers, self.by_side.defenders)
    }
}

fn add(one: Record, two: Record) -> Record {
    Record { wins: one.wins + two.wins, draws: one.draws + two.draws, losses: one.losses + two.losses }
}

/// A table of players.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerTable {
    /// The players, the strongest first; those without a strength come last, by games.
    pub players: Vec<Player>,
    /// The attackers' advantage, which strengths are freed from, in Elo.
    pub advantage: Result<Estimate, Missing>,
    /// How many games do not name both players, or name the same one twice.
    pub unnamed: u64,
}

/// Returns the table of all players of games.
pub fn players(games: &Games) -> PlayerTable {
    let mut all: HashMap<u32, Player> = HashMap::new();
    let mut met: HashMap<u32, std::collections::HashSet<u32>> = HashMap::new();
    let mut unnamed = 0;
    for game in &games.rows {
        let Some(pair) = game.pair() else {
            unnamed += 1;
            continue;
        };
        for (side, [own, other]) in [(Side::Attackers, pair), (Side::Defenders, [pair[1], pair[0]])] {
            let player = all.entry(own).or_insert_with(|| Player::new(own, games));
            if let Some(record) = result(game, side) {
                player.by_side[side] = add(player.by_side[side], record);
            }
            if let Some(year) = game.year {
                let (first, last) = player.years.unwrap_or((year, year));
                player.years = Some((first.min(year), last.max(year)));
            }
            met.entry(own).or_default().insert(other);
        }
    }
    let found = adjusted(&games.rows);
    let mut players: Vec<Player> = all.into_values().collect();
    for player in &mut players {
        player.score = player.record().score();
        player.score_by_side = BySide::from_fn(|side| player.by_side[side].score());
        player.opponents = met.get(&player.number).map_or(0, |met| met.len() as u64);
        if let Ok((_, strengths, roster)) = &found {
            let at = roster.find(player.number);
            player.elo = at.and_then(|at| strengths.players[at]).map(|strength| strength.elo());
        }
    }
    let key = |player: &Player| player.elo.map_or(f64::NEG_INFINITY, |elo| elo.value);
    players.sort_by(|one, two| {
        let by_name = || (two.games(), &one.name).cmp(&(one.games(), &two.name));
        key(two).total_cmp(&key(one)).then_with(by_name)
    });
    PlayerTable { players, advantage: found.map(|(adjusted, _, _)| adjusted.elo), unnamed }
}

impl Player {
    fn new(number: u32, games: &Games) -> Player {
        Player {
            number,
            name: games.players.name(number).to_owned(),
            by_side: BySide::default(),
            score: Err(Missing::NoGames),
            score_by_side: BySide { attackers: Err(Missing::NoGames), defenders: Err(Missing::NoGames) },
            elo: None,
            opponents: 0,
            years: None,
        }
    }
}

/// Returns the result of a game from a side's point of view; nothing without an end.
pub(super) fn result(game: &GameFacts, side: Side) -> Option<Record> {
    let none = Record::default();
    match (game.result, game.winner()) {
        (tafl_corpus::tape::GameResult::Unfinished, _) => None,
        (_, Some(winner)) if winner == side => Some(Record { wins: 1, ..none }),
        (_, Some(_)) => Some(Record { losses: 1, ..none }),
        (_, None) => Some(Record { draws: 1, ..none }),
    }
}
