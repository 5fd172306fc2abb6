//! Pairs of games: an opening played twice with sides changed.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use tafl_rules::{AnyRulebook, BySide, Side};

use super::game::{MatchEnding, MatchGame, MatchTerms, play_game};
use super::jobs::run_jobs;
use super::opening::Opening;
use super::player::{Player, PlayerError};

/// The task of playing a pair of games.
#[derive(Debug, Clone)]
pub struct PairSetup {
    /// The rules.
    pub book: AnyRulebook,
    /// The opening of both games.
    pub opening: Opening,
}

/// The two players of a match: the one under test and its opponent.
pub type Players = [Box<dyn Player>; 2];

/// Two games from one opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GamePair {
    /// The game in which the first player has the attackers, followed by the game with sides
    /// changed.
    pub games: [MatchGame; 2],
}

/// The result of a pair for the first player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PairScore {
    /// The sum of half points in both games, from 0 to 4.
    HalfPoints(u8),
    /// One of the games has no result.
    Unfinished,
}

impl GamePair {
    /// The side of the first player in each game.
    pub const SIDES: [Side; 2] = [Side::Attackers, Side::Defenders];

    /// Returns the result of the pair for the first player.
    pub fn score(&self) -> PairScore {
        let mut sum = 0;
        for (game, side) in self.games.iter().zip(GamePair::SIDES) {
            match game.ending.outcome() {
                Some(outcome) if outcome.winner == Some(side) => sum += 2,
                Some(outcome) if outcome.winner.is_none() => sum += 1,
                Some(_) => {}
                None => return PairScore::Unfinished,
            }
        }
        PairScore::HalfPoints(sum)
    }

    /// Returns the index of a player that could not start a game, and the reason.
    pub fn not_started(&self) -> Option<(usize, &PlayerError)> {
        self.games.iter().zip(GamePair::SIDES).find_map(|(game, first)| match &game.ending {
            MatchEnding::NotStarted(side, error) => Some((usize::from(*side != first), error)),
            MatchEnding::Rules(_)
            | MatchEnding::Proven(_)
            | MatchEnding::Resigned(_)
            | MatchEnding::Forfeit(..)
            | MatchEnding::PlyLimit
            | MatchEnding::Stopped => None,
        })
    }

    /// Returns whether one of the games was stopped from outside.
    pub fn is_stopped(&self) -> bool {
        self.games.iter().any(|game| game.ending == MatchEnding::Stopped)
    }
}

/// Plays both games of a pair.
pub fn play_pair(job: &PairSetup, players: &mut Players, terms: &MatchTerms) -> GamePair {
    let [first, second] = players;
    let mut play = |side: Side| {
        let (first, second): (&mut dyn Player, &mut dyn Player) = (&mut **first, &mut **second);
        let players = match side {
            Side::Attackers => BySide { attackers: first, defenders: second },
            Side::Defenders => BySide { attackers: second, defenders: first },
        };
        play_game(&job.book, &job.opening, players, terms)
    };
    GamePair { games: GamePair::SIDES.map(&mut play) }
}

/// Plays pairs on several threads and delivers them in job order until `take` returns `Break`.
///
/// `make` creates a pair's players on the thread that plays the pair. Its errors are delivered to
/// `take`.
pub fn play_pairs(
    numbers: Range<u64>,
    threads: NonZeroUsize,
    terms: &MatchTerms,
    make: &(dyn Fn(u64) -> Result<(PairSetup, Players), PlayerError> + Sync),
    take: impl FnMut(u64, Result<GamePair, PlayerError>) -> ControlFlow<()>,
) {
    let work = |number| {
        let (job, mut players) = make(number)?;
        Ok(play_pair(&job, &mut players, terms))
    };
    run_jobs(numbers, threads, work, take);
}
