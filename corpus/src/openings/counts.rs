//! Counts of games.

use crate::move_log::GameResult;

/// The number of games that are listed with a position and with each move.
pub const N_TOP_GAMES: usize = 5;

/// A game without a row.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// The day and the rating of a game, by which games are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameRanking {
    /// The day as a number such as 20190300, with zeros for unknown parts; 0 if the day is unknown.
    pub(crate) day: u32,
    /// The mean of the known ratings; `i16::MIN` if both are unknown.
    pub(crate) rating: i16,
}

/// The rankings of the games of a segment.
pub(crate) trait GameRankings {
    /// Returns the ranking of a game.
    fn ranking(&self, row: u32) -> GameRanking;
}

/// The counts of games of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SegmentCounts {
    /// The number of games by result, in the order of [`GameResult`].
    pub(crate) results: [u32; 4],
    /// The sum of the numbers of plies of the games.
    pub(crate) plies: u64,
    /// The day of the latest game, as in [`GameRanking`]; 0 if no day is known.
    pub(crate) last_day: u32,
    /// The rows of the best games, the best first.
    pub(crate) top: [u32; N_TOP_GAMES],
}

impl Default for SegmentCounts {
    fn default() -> Self {
        SegmentCounts { results: [0; 4], plies: 0, last_day: 0, top: [NO_ROW; N_TOP_GAMES] }
    }
}

/// The sort key of games: rating, then day, then the place in the corpus.
type Rank = (std::cmp::Reverse<i16>, std::cmp::Reverse<u32>, usize, u32);

fn rank(ranking: GameRanking, segment: usize, row: u32) -> Rank {
    (std::cmp::Reverse(ranking.rating), std::cmp::Reverse(ranking.day), segment, row)
}

impl SegmentCounts {
    pub(crate) fn n_games(&self) -> u32 {
        // A damaged table may hold any numbers: their sum must not overflow.
        self.results.into_iter().fold(0, u32::saturating_add)
    }

    /// Counts a game.
    pub(crate) fn add(&mut self, row: u32, result: GameResult, plies: u32, rankings: &impl GameRankings) {
        self.results[result as usize] += 1;
        self.plies += u64::from(plies);
        let ranking = rankings.ranking(row);
        self.last_day = self.last_day.max(ranking.day);
        let is_better = |other: &u32| {
            *other == NO_ROW || rank(ranking, 0, row) < rank(rankings.ranking(*other), 0, *other)
        };
        if let Some(at) = self.top.iter().position(is_better) {
            self.top[at..].rotate_right(1);
            self.top[at] = row;
        }
    }
}

/// The counts of games of a corpus.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameCounts {
    /// The number of games by result, in the order of [`GameResult`].
    results: [u64; 4],
    /// The sum of the numbers of plies of the games.
    plies: u64,
    /// The day of the latest game, as in [`GameRanking`]; 0 if no day is known.
    last_day: u32,
    /// The best games and their days, the best first.
    top: Vec<(TopGame, u32)>,
}

/// A game that is listed with a position or a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopGame {
    /// The number of its segment, from 0.
    pub segment: usize,
    /// Its row there.
    pub row: u32,
    /// The mean of the players' known ratings.
    pub rating: Option<i16>,
}

impl GameCounts {
    /// Adds the counts of a segment.
    pub(crate) fn add(&mut self, counts: &SegmentCounts, segment: usize, rankings: &impl GameRankings) {
        self.results.iter_mut().zip(counts.results).for_each(|(sum, count)| *sum += u64::from(count));
        self.plies = self.plies.saturating_add(counts.plies);
        self.last_day = self.last_day.max(counts.last_day);
        for row in counts.top.into_iter().filter(|row| *row != NO_ROW) {
            let ranking = rankings.ranking(row);
            let rating = (ranking.rating != i16::MIN).then_some(ranking.rating);
            self.top.push((TopGame { segment, row, rating }, ranking.day));
        }
        self.top.sort_by_key(|(game, day)| {
            let ranking = GameRanking { day: *day, rating: game.rating.unwrap_or(i16::MIN) };
            rank(ranking, game.segment, game.row)
        });
        self.top.truncate(N_TOP_GAMES);
    }

    /// Returns the number of games.
    pub fn n_games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Returns the number of games with a result.
    pub fn with_result(&self, result: GameResult) -> u64 {
        self.results[result as usize]
    }

    /// Returns the number of games whose result is known.
    pub fn n_ended(&self) -> u64 {
        self.n_games() - self.with_result(GameResult::Unfinished)
    }

    /// Returns the mean number of plies of the games; `None` without games.
    pub fn mean_plies(&self) -> Option<f64> {
        let games = self.n_games();
        (games > 0).then(|| self.plies as f64 / games as f64)
    }

    /// Returns the day of the latest game, as far as it is known: `2019-03-17`, `2019-03` or `2019`.
    pub fn last_played(&self) -> Option<String> {
        let (year, month, day) = (self.last_day / 10_000, self.last_day / 100 % 100, self.last_day % 100);
        match (year, month, day) {
            (0, _, _) => None,
            (year, 0, _) => Some(format!("{year:04}")),
            (year, month, 0) => Some(format!("{year:04}-{month:02}")),
            (year, month, day) => Some(format!("{year:04}-{month:02}-{day:02}")),
        }
    }

    /// Returns the best games: by rating, then by day, the last first.
    pub fn top(&self) -> impl Iterator<Item = TopGame> {
        self.top.iter().map(|(game, _)| *game)
    }
}
