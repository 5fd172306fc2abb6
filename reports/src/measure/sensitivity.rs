//! What the balance would be if other games were counted.

use std::collections::HashSet;

use super::games::GameFacts;
use super::tally::Tally;
use crate::stats::compare::{DifferenceEstimate, shares};
use crate::stats::{Balance, NotEstimable};

/// Which games are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Without {
    /// None.
    Nothing,
    /// Those that ended on time.
    Timeouts,
    /// Those that were given up.
    Resignations,
    /// Both: only what the board or the players' agreement decided is left.
    Both,
    /// All but one of those that were played alike.
    Repeats,
    /// Those of fewer than ten plies.
    Short,
    /// All but the first game of two players on the same sides.
    Rematches,
}

impl Without {
    /// Every choice.
    pub const ALL: [Without; 7] = [
        Without::Nothing,
        Without::Timeouts,
        Without::Resignations,
        Without::Both,
        Without::Repeats,
        Without::Short,
        Without::Rematches,
    ];

    /// Returns it in words.
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

/// What a choice of games does to the balance.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity {
    /// Which games are left out.
    pub without: Without,
    /// How the others ended.
    pub tally: Tally,
    /// Their balance.
    pub balance: Result<Balance, NotEstimable>,
    /// The share of the defenders' wins among those left out less that among those left; nothing where one has none.
    pub left_out: Option<DifferenceEstimate>,
}

/// Returns the balance for every choice.
pub fn sensitivity(games: &[GameFacts]) -> Vec<Sensitivity> {
    let all = Tally::of(games);
    let mut answers = Vec::new();
    for without in Without::ALL {
        let tally = Tally::of(&kept(games, without));
        let out = crate::stats::Rate::of(
            all.defenders.saturating_sub(tally.defenders),
            all.decided().saturating_sub(tally.decided()),
        );
        let left_out = out.zip(tally.defenders_share()).map(|(out, left)| shares(&out, &left));
        answers.push(Sensitivity { without, balance: tally.balance(), tally, left_out });
    }
    answers
}

/// Returns the games that a choice leaves.
pub fn kept(games: &[GameFacts], without: Without) -> Vec<GameFacts> {
    let (mut lines, mut pairs) = (HashSet::new(), HashSet::new());
    let mut is_kept = |game: &GameFacts| match without {
        Without::Nothing => true,
        Without::Timeouts => !game.is_on_time(),
        Without::Resignations => !game.is_given_up(),
        Without::Both => !game.is_on_time() && !game.is_given_up(),
        Without::Repeats => lines.insert(game.line),
        Without::Short => game.plies >= 10,
        Without::Rematches => game.pair().is_none_or(|pair| pairs.insert(pair)),
    };
    games.iter().filter(|game| is_kept(game)).copied().collect()
}
