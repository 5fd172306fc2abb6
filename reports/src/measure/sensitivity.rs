//! Sensitivity of the balance to the selection of games.

use std::collections::HashSet;

use super::games::GameFacts;
use super::tally::GameTally;
use crate::stats::compare::{DifferenceEstimate, compare_proportions};
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
            Exclusion::Rematches => "first game of each pairing",
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
    /// The defenders' proportion of the excluded decided games minus that of the remaining ones; `None` if either
    /// has none.
    pub excluded_difference: Option<DifferenceEstimate>,
}

/// Returns the balance for every selection.
pub(crate) fn sensitivity(games: &[GameFacts]) -> Vec<Sensitivity> {
    let all = GameTally::of(games);
    let mut answers = Vec::new();
    for without in Exclusion::ALL {
        let tally = GameTally::of(&kept(games, without));
        let out = crate::stats::Rate::of(
            all.defenders.saturating_sub(tally.defenders),
            all.decided().saturating_sub(tally.decided()),
        );
        // The excluded games share players as the others do.
        let out = out.map(|out| out.with_design_effect(tally.effect()));
        let excluded_difference =
            out.zip(tally.defenders_proportion()).map(|(out, left)| compare_proportions(&out, &left));
        answers.push(Sensitivity { without, balance: tally.balance(), tally, excluded_difference });
    }
    answers
}

/// Returns the remaining games of a selection.
pub(crate) fn kept(games: &[GameFacts], without: Exclusion) -> Vec<GameFacts> {
    let (mut lines, mut pairs) = (HashSet::new(), HashSet::new());
    let mut is_kept = |game: &GameFacts| match without {
        Exclusion::Nothing => true,
        Exclusion::Timeouts => !game.is_timeout(),
        Exclusion::Resignations => !game.is_resignation(),
        Exclusion::Both => !game.is_timeout() && !game.is_resignation(),
        Exclusion::Repeats => lines.insert(game.line),
        Exclusion::Short => game.plies >= 10,
        Exclusion::Rematches => game.pair().is_none_or(|pair| pairs.insert(pair)),
    };
    games.iter().filter(|game| is_kept(game)).copied().collect()
}
