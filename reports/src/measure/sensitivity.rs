//! Sensitivity of the balance to the selection of games.

use std::collections::HashSet;

use super::games::GameFacts;
use super::tally::Tally;
use crate::stats::compare::{DifferenceEstimate, shares};
use crate::stats::{Balance, NotEstimable};

/// The games that are excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Without {
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

impl Without {
    /// All selections.
    pub const ALL: [Without; 7] = [
        Without::Nothing,
        Without::Timeouts,
        Without::Resignations,
        Without::Both,
        Without::Repeats,
        Without::Short,
        Without::Rematches,
    ];

    /// Returns the description.
    pub const fn words(self) -> &'static str {
        match self {
            Without::Nothing => "all games",
            Without::Timeouts => "without timeouts",
            Without::Resignations => "without resignations",
            Without::Both => "without timeouts and resignations",
            Without::Repeats => "each line of play once",
            Without::Short => "without games of fewer than 10 plies",
            Without::Rematches => "first game of each pairing",
        }
    }
}

/// The effect of a selection on the balance.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity {
    /// The excluded games.
    pub without: Without,
    /// The results of the remaining games.
    pub tally: Tally,
    /// Their balance.
    pub balance: Result<Balance, NotEstimable>,
    /// The defenders' share of the excluded decided games minus that of the remaining ones; `None` if either
    /// has none.
    pub excluded_difference: Option<DifferenceEstimate>,
}

/// Returns the balance for every selection.
pub fn sensitivity(games: &[GameFacts]) -> Vec<Sensitivity> {
    let all = Tally::of(games);
    let mut answers = Vec::new();
    for without in Without::ALL {
        let tally = Tally::of(&kept(games, without));
        let out = crate::stats::Rate::of(
            all.defenders.saturating_sub(tally.defenders),
            all.decided().saturating_sub(tally.decided()),
        );
        let excluded_difference = out.zip(tally.defenders_share()).map(|(out, left)| shares(&out, &left));
        answers.push(Sensitivity { without, balance: tally.balance(), tally, excluded_difference });
    }
    answers
}

/// Returns the remaining games of a selection.
pub fn kept(games: &[GameFacts], without: Without) -> Vec<GameFacts> {
    let (mut lines, mut pairs) = (HashSet::new(), HashSet::new());
    let mut is_kept = |game: &GameFacts| match without {
        Without::Nothing => true,
        Without::Timeouts => !game.is_timeout(),
        Without::Resignations => !game.is_resignation(),
        Without::Both => !game.is_timeout() && !game.is_resignation(),
        Without::Repeats => lines.insert(game.line),
        Without::Short => game.plies >= 10,
        Without::Rematches => game.pair().is_none_or(|pair| pairs.insert(pair)),
    };
    games.iter().filter(|game| is_kept(game)).copied().collect()
}
