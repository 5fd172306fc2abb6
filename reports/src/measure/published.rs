//! Figures that others published, held against what the games say.

use super::games::GameFacts;
use super::tally::Tally;
use crate::stats::compare::{DifferenceEstimate, shares};
use crate::stats::{Balance, NotEstimable, Rate, SignedRatio};

/// A figure that somebody published.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// Who published it.
    pub source: String,
    /// The name in the catalog of the variant, or the source's own.
    pub variant: String,
    /// The figure itself.
    pub figure: PublishedFigure,
}

/// What was published.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PublishedFigure {
    /// The signed figure alone; nobody knows of how many games.
    Ratio(f64),
    /// Counts.
    Counts {
        /// Games that the attackers won.
        attackers: u64,
        /// Games that the defenders won.
        defenders: u64,
        /// Games that nobody won.
        draws: u64,
    },
}

impl PublishedFigure {
    /// Returns the signed figure; nothing for a figure that is none, such as 0, or counts without a winner.
    pub fn ratio(&self) -> Option<SignedRatio> {
        match *self {
            PublishedFigure::Ratio(ratio) => {
                (ratio.is_finite() && ratio.abs() >= 1.0).then_some(SignedRatio::Finite(ratio))
            }
            PublishedFigure::Counts { attackers, defenders, .. } => {
                Some(Balance::of(attackers, defenders).ok()?.value)
            }
        }
    }

    /// Returns the balance with its interval, where counts were published.
    pub fn balance(&self) -> Option<Balance> {
        match *self {
            PublishedFigure::Ratio(_) => None,
            PublishedFigure::Counts { attackers, defenders, .. } => Balance::of(attackers, defenders).ok(),
        }
    }
}

/// The published figures that tafl players quote.
const KNOWN: &str = include_str!("../../data/published.tsv");

/// Returns the published figures that tafl players quote.
pub fn known() -> Vec<Published> {
    KNOWN.lines().filter_map(parse).collect()
}

/// Parses a line of [`KNOWN`]; `None` for a comment.
fn parse(line: &str) -> Option<Published> {
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
    Some(Published { source: source.to_owned(), variant: variant.to_owned(), figure })
}

/// How a published figure agrees with games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// The figure of the games is the same to two digits behind the point.
    Same,
    /// It differs by less than the interval of the games allows.
    WithinChance,
    /// It lies outside of the interval.
    Differs,
    /// There is nothing to compare.
    Nothing,
}

/// A published figure and the games.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedCheck {
    /// What was published.
    pub published: Published,
    /// How the games ended.
    pub tally: Tally,
    /// Their balance.
    pub balance: Result<Balance, NotEstimable>,
    /// How they agree.
    pub agreement: Agreement,
    /// The same for games in which both players were experienced.
    pub experienced: Result<Balance, NotEstimable>,
    /// How those agree.
    pub experienced_agreement: Agreement,
    /// The difference of the shares of the defenders' wins, published less games, where counts were published.
    pub difference: Option<DifferenceEstimate>,
    /// Which parts of the games agree with the published figure, in words; whoever calls [`check`] names them.
    pub agreeing: Vec<String>,
}

/// Holds a figure against games; `is_experienced` says in which games both players were.
pub fn check(
    published: &Published,
    games: &[GameFacts],
    is_experienced: impl Fn(&GameFacts) -> bool,
) -> PublishedCheck {
    let tally = Tally::of(games);
    let some = Tally::of(games.iter().filter(|game| is_experienced(game)));
    PublishedCheck {
        published: published.clone(),
        agreement: agreement(&published.figure, &tally),
        experienced_agreement: agreement(&published.figure, &some),
        balance: tally.balance(),
        experienced: some.balance(),
        difference: difference(&published.figure, &tally),
        tally,
        agreeing: Vec::new(),
    }
}

fn difference(figure: &PublishedFigure, tally: &Tally) -> Option<DifferenceEstimate> {
    let balance = figure.balance()?;
    Some(shares(&Rate::of(balance.defenders, balance.n())?, &tally.defenders_share()?))
}

/// Returns how a published figure agrees with games. Where counts were published, chance has a part in them, too.
pub fn agreement(figure: &PublishedFigure, tally: &Tally) -> Agreement {
    let (Some(published), Ok(found)) = (figure.ratio(), tally.balance()) else { return Agreement::Nothing };
    if format!("{published}") == format!("{}", found.value) {
        return Agreement::Same;
    }
    let is_within = match difference(figure, tally) {
        Some(difference) => difference.p >= 0.05,
        None => (found.low.share()..=found.high.share()).contains(&published.share()),
    };
    if is_within { Agreement::WithinChance } else { Agreement::Differs }
}

/// Returns how many games each player has, by number, to tell who is experienced.
pub fn experience(games: &[GameFacts], n_players: usize) -> Vec<u32> {
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
        assert_eq!(known().len(), lines.count());
        assert_eq!(known()[0].figure, PublishedFigure::Counts { attackers: 754, defenders: 960, draws: 7 });
        assert_eq!(known()[1].figure, PublishedFigure::Ratio(1.4));
    }

    #[test]
    fn figures_agree_or_not() {
        let found = Tally { games: 1714, attackers: 754, defenders: 960, ..Tally::default() };
        let of = |ratio| agreement(&PublishedFigure::Ratio(ratio), &found);
        assert_eq!(
            (of(1.27), of(1.35), of(1.99)),
            (Agreement::Same, Agreement::WithinChance, Agreement::Differs)
        );
        assert_eq!((of(0.0), of(f64::NAN)), (Agreement::Nothing, Agreement::Nothing));
        let counts = |attackers, defenders| PublishedFigure::Counts { attackers, defenders, draws: 0 };
        assert_eq!(agreement(&counts(75, 110), &found), Agreement::WithinChance);
        assert_eq!(agreement(&counts(7500, 11_000), &found), Agreement::Differs);
        let none = check(&known()[0], &[], |_| true);
        assert_eq!((none.agreement, none.difference), (Agreement::Nothing, None));
    }
}
