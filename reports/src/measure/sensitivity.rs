//! Sensitivity of the balance to the selection of games.

use super::games::GameFacts;
use super::tally::GameTally;
use crate::stats::compare::{DifferenceEstimate, compare_proportions};
use crate::stats::dyadic::SharedPlayers;
use crate::stats::{Balance, NotEstimable};

/// The games that are excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exclusion {
    /// None.
    Nothing,
    /// Games that ended by timeout.
    Timeouts,
    /// Games that ended by resignation.
    Resignations,
    /// Both: only games decided on the board or by agreement remain.
    Both,
    /// All but one of the games with identical moves.
    Repeats,
    /// Games with fewer than ten plies.
    Short,
    /// All but the first game of two players on the same sides.
    Rematches,
}

impl Exclusion {
    /// All selections.
    pub const ALL: [Exclusion; 7] = [
        Exclusion::Nothing,
        Exclusion::Timeouts,
        Exclusion::Resignations,
        Exclusion::Both,
        Exclusion::Repeats,
        Exclusion::Short,
        Exclusion::Rematches,
    ];

    /// Returns the description.
    pub const fn as_str(self) -> &'static str {
        match self {
            Exclusion::Nothing => "all games",
            Exclusion::Timeouts => "without timeouts",
            Exclusion::Resignations => "without resignations",
            Exclusion::Both => "without timeouts and resignations",
            Exclusion::Repeats => "each line of play once",
            Exclusion::Short => "without games of fewer than 10 plies",
            Exclusion::Rematches => "first game of each pair on the same sides",
        }
    }
}

/// The effect of a selection on the balance.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity {
    /// The excluded games.
    pub without: Exclusion,
    /// The results of the remaining games.
    pub tally: GameTally,
    /// Their balance.
    pub balance: Result<Balance, NotEstimable>,
    /// The defenders' proportion of the excluded decided games minus that of the remaining ones; `None` if either has fewer
    /// than 30 decided games.
    pub excluded_difference: Option<DifferenceEstimate>,
}

/// Returns the balance for every selection; `all` is the tally of the games, and `shared` has their players. Of repeated games
/// and rematches, the first one is kept.
pub(crate) fn sensitivity(games: &[GameFacts], all: &GameTally, shared: &SharedPlayers) -> Vec<Sensitivity> {
    let mut answers = Vec::new();
    for without in Exclusion::ALL {
        let tally = match without {
            Exclusion::Nothing => all.clone(),
            _ => GameTally::among(games, shared, kept(games, without)),
        };
        let out = crate::stats::Rate::of(
            all.defenders.saturating_sub(tally.defenders),
            all.decided().saturating_sub(tally.decided()),
        );
        // The excluded games share players as the others do.
        let out = out.map(|out| out.with_design_effect(tally.effect()));
        let both = out.zip(tally.defenders_proportion());
        let enough = both.filter(|(out, left)| !out.is_small_sample() && !left.is_small_sample());
        let excluded_difference = enough.map(|(out, left)| compare_proportions(&out, &left));
        answers.push(Sensitivity { without, balance: tally.balance(), tally, excluded_difference });
    }
    answers
}

/// Returns the indices of the remaining games of a selection.
fn kept(games: &[GameFacts], without: Exclusion) -> Vec<u32> {
    let those = |is_kept: fn(&GameFacts) -> bool| {
        (0..).zip(games).filter(|(_, game)| is_kept(game)).map(|(at, _)| at).collect()
    };
    match without {
        Exclusion::Nothing => those(|_| true),
        Exclusion::Timeouts => those(|game| !game.is_timeout()),
        Exclusion::Resignations => those(|game| !game.is_resignation()),
        Exclusion::Both => those(|game| !game.is_timeout() && !game.is_resignation()),
        Exclusion::Repeats => first_of_each(games, |game| Some(game.line as u64)),
        Exclusion::Short => those(|game| game.plies >= 10),
        Exclusion::Rematches => {
            first_of_each(games, |game| game.pair().map(|[one, two]| u64::from(one) << 32 | u64::from(two)))
        }
    }
}

/// Returns the indices of the first game with each key, and of all games without one.
fn first_of_each(games: &[GameFacts], key: impl Fn(&GameFacts) -> Option<u64>) -> Vec<u32> {
    let mut keys: Vec<(u64, u32)> = Vec::with_capacity(games.len());
    let mut kept = Vec::with_capacity(games.len());
    for (at, game) in (0..).zip(games) {
        match key(game) {
            Some(key) => keys.push((key, at)),
            None => kept.push(at),
        }
    }
    keys.sort_unstable();
    keys.dedup_by(|next, first| next.0 == first.0);
    kept.extend(keys.into_iter().map(|(_, at)| at));
    // Reading games in their own order is faster.
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use tafl_corpus::GameResult;

    use super::*;
    use crate::measure::tests::game;

    #[test]
    fn the_first_game_of_each_line_and_pairing_is_kept() {
        let made = |players, result, line| GameFacts { line, ..game(players, result, 30) };
        let games = [
            made(Some([1, 2]), GameResult::Attackers, 7),
            made(Some([2, 1]), GameResult::Draw, 7),
            made(Some([1, 2]), GameResult::Defenders, 3),
            made(None, GameResult::Draw, 3),
            made(None, GameResult::Draw, 4),
        ];
        let rows = |without| {
            let mut rows = kept(&games, without);
            rows.sort_unstable();
            rows
        };
        assert_eq!(rows(Exclusion::Rematches), [0, 1, 3, 4]);
        assert_eq!(rows(Exclusion::Repeats), [0, 2, 4]);
        assert_eq!(rows(Exclusion::Nothing).len(), 5);
        let found = sensitivity(
            &games,
            &GameTally::of(&games),
            &SharedPlayers::of(games.iter().map(GameFacts::pair)),
        );
        assert_eq!(found.len(), Exclusion::ALL.len());
        assert_eq!((found[0].tally.games, found[4].tally.games, found[6].tally.games), (5, 3, 4));
    }
}
