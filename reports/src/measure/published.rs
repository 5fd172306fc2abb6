//! Comparison of published figures with games.

use super::games::GameFacts;
use super::tally::GameTally;
use crate::stats::compare::{DifferenceEstimate, compare_proportions};
use crate::stats::{Balance, NotEstimable, Rate, WinRatio};

/// A published figure.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedBalance {
    /// The publisher.
    pub source: String,
    /// The name of the variant in the catalog, or the source's own name.
    pub variant: String,
    /// The figure.
    pub figure: PublishedFigure,
}

/// The kind of published figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PublishedFigure {
    /// The win ratio only; the number of games is unknown.
    Ratio(f64),
    /// Counts.
    Counts {
        /// Games won by the attackers.
        attackers: u64,
        /// Games won by the defenders.
        defenders: u64,
        /// Drawn games.
        draws: u64,
    },
}

impl PublishedFigure {
    /// Returns the win ratio; `None` if the figure is invalid, such as 0, or if the counts have no winner.
    pub fn ratio(&self) -> Option<WinRatio> {
        match *self {
            PublishedFigure::Ratio(ratio) => {
                (ratio.is_finite() && ratio.abs() >= 1.0).then_some(WinRatio::Finite(ratio))
            }
            PublishedFigure::Counts { attackers, defenders, .. } => {
                Some(Balance::of(attackers, defenders).ok()?.value)
            }
        }
    }

    /// Returns the balance with its interval, if counts were published.
    pub fn balance(&self) -> Option<Balance> {
        match *self {
            PublishedFigure::Ratio(_) => None,
            PublishedFigure::Counts { attackers, defenders, .. } => Balance::of(attackers, defenders).ok(),
        }
    }
}

/// The published figures commonly quoted by tafl players.
const KNOWN: &str = include_str!("../../data/published.tsv");

/// Returns the published figures commonly quoted by tafl players.
pub fn published_balances() -> Vec<PublishedBalance> {
    KNOWN.lines().filter_map(parse).collect()
}

/// Parses a line of [`KNOWN`]; `None` for a comment.
fn parse(line: &str) -> Option<PublishedBalance> {
    let mut fields = line.split('\t');
    let (variant, figure, source) = (fields.next()?, fields.next()?, fields.next()?);
    let figure = match figure.split(' ').collect::<Vec<&str>>()[..] {
        [ratio] => PublishedFigure::Ratio(ratio.parse().ok()?),
        [attackers, defenders, draws] => PublishedFigure::Counts {
            attackers: attackers.parse().ok()?,
            defenders: defenders.parse().ok()?,
            draws: draws.parse().ok()?,
        },
        _ => return None,
    };
    Some(PublishedBalance { source: source.to_owned(), variant: variant.to_owned(), figure })
}

/// The agreement of a published figure with games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// The ratio of the games is the same to two decimals.
    Same,
    /// It differs, but is inside the interval of the games.
    WithinChance,
    /// It is outside the interval.
    Differs,
    /// There is nothing to compare.
    Nothing,
}

/// The comparison of a published figure with games.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedCheck {
    /// The published figure.
    pub published: PublishedBalance,
    /// The comparison with all games.
    pub all: PublishedComparison,
    /// The comparison with the games in which both players were experienced.
    pub experienced: PublishedComparison,
    /// The labels of the parts of the games that agree with the published figure; the caller of [`check_published`]
    /// fills them in.
    pub agreeing: Vec<String>,
}

/// The comparison of a published figure with a selection of games.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedComparison {
    /// The results of the games.
    pub tally: GameTally,
    /// Their balance.
    pub balance: Result<Balance, NotEstimable>,
    /// The agreement.
    pub agreement: Agreement,
    /// The published proportion of the defenders' wins minus that of the games, if counts were published.
    pub difference: Option<DifferenceEstimate>,
}

impl PublishedComparison {
    fn of(figure: &PublishedFigure, tally: GameTally) -> PublishedComparison {
        PublishedComparison {
            balance: independent(&tally),
            agreement: agreement(figure, &tally),
            difference: difference(figure, &tally),
            tally,
        }
    }
}

/// Compares a figure with games; `is_experienced` returns whether both players of a game were experienced.
pub fn check_published(
    published: &PublishedBalance,
    games: &[GameFacts],
    is_experienced: impl Fn(&GameFacts) -> bool,
) -> PublishedCheck {
    let compared = |tally| PublishedComparison::of(&published.figure, tally);
    let all = compared(GameTally::of(games));
    let mut experienced = compared(GameTally::of(games.iter().filter(|game| is_experienced(game))));
    if experienced.tally.ended() == 0 && all.tally.ended() > 0 {
        experienced.balance = Err(if games.iter().all(|game| game.pair().is_none()) {
            NotEstimable::NoPlayers
        } else {
            NotEstimable::NoneExperienced
        });
    }
    PublishedCheck { published: published.clone(), all, experienced, agreeing: Vec::new() }
}

/// Returns the balance with an interval for independent games: published figures are about the same games for the most
/// part, so intervals for other players would be too wide.
fn independent(tally: &GameTally) -> std::result::Result<Balance, NotEstimable> {
    if tally.ended() == 0 {
        Err(NotEstimable::NoGames)
    } else {
        Balance::of(tally.attackers, tally.defenders)
    }
}

fn difference(figure: &PublishedFigure, tally: &GameTally) -> Option<DifferenceEstimate> {
    let balance = figure.balance()?;
    let found = Rate::of(tally.defenders, tally.decided())?;
    Some(compare_proportions(&Rate::of(balance.defenders, balance.n())?, &found))
}

/// Returns the agreement of a published figure with games. If counts were published, their sampling error is
/// included.
pub(crate) fn agreement(figure: &PublishedFigure, tally: &GameTally) -> Agreement {
    let (Some(published), Ok(found)) = (figure.ratio(), independent(tally)) else {
        return Agreement::Nothing;
    };
    if format!("{published}") == format!("{}", found.value) {
        return Agreement::Same;
    }
    let is_within = match difference(figure, tally) {
        Some(difference) => difference.p >= 0.05,
        None => (found.low.proportion()..=found.high.proportion()).contains(&published.proportion()),
    };
    if is_within { Agreement::WithinChance } else { Agreement::Differs }
}

/// Returns the number of games of each player, by index, as a measure of experience.
pub fn games_per_player(games: &[GameFacts], n_players: usize) -> Vec<u32> {
    let mut counts = vec![0; n_players];
    for player in games.iter().filter_map(GameFacts::pair).flatten() {
        if let Some(count) = counts.get_mut(player as usize) {
            *count += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_figure_is_read() {
        let lines = KNOWN.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(published_balances().len(), lines.count());
        assert_eq!(
            published_balances()[0].figure,
            PublishedFigure::Counts { attackers: 754, defenders: 960, draws: 7 }
        );
        assert_eq!(published_balances()[1].figure, PublishedFigure::Ratio(1.4));
    }

    #[test]
    fn figures_agree_or_not() {
        let found = GameTally { games: 1714, attackers: 754, defenders: 960, ..GameTally::default() };
        let of = |ratio| agreement(&PublishedFigure::Ratio(ratio), &found);
        assert_eq!(
            (of(1.27), of(1.35), of(1.99)),
            (Agreement::Same, Agreement::WithinChance, Agreement::Differs)
        );
        assert_eq!((of(0.0), of(f64::NAN)), (Agreement::Nothing, Agreement::Nothing));
        let counts = |attackers, defenders| PublishedFigure::Counts { attackers, defenders, draws: 0 };
        assert_eq!(agreement(&counts(75, 110), &found), Agreement::WithinChance);
        assert_eq!(agreement(&counts(7500, 11_000), &found), Agreement::Differs);
        let none = check_published(&published_balances()[0], &[], |_| true);
        assert_eq!((none.all.agreement, none.all.difference), (Agreement::Nothing, None));
    }

    #[test]
    fn the_reason_for_no_experienced_players_is_the_true_one() {
        use tafl_corpus::GameResult::Attackers;
        let experienced = |pair| {
            let games = [crate::measure::tests::game(pair, Attackers, 20)];
            check_published(&published_balances()[0], &games, |_| false).experienced.balance
        };
        assert_eq!(experienced(None), Err(NotEstimable::NoPlayers));
        assert_eq!(experienced(Some([1, 2])), Err(NotEstimable::NoneExperienced));
        let none = check_published(&published_balances()[0], &[], |_| false);
        assert_eq!(none.experienced.balance, Err(NotEstimable::NoGames));
    }
}
