//! Groups of games: their results and the advantage in each, by strength, by era, and by first mover.

use tafl_corpus::GameResult;
use tafl_rules::Side;

use super::adjusted::OverallFit;
use super::games::GameFacts;
use super::roster::league;
use super::tally::GameTally;
use crate::stats::dyadic::SharedPlayers;
use crate::stats::interval::SMALL_SAMPLE;
use crate::stats::strength::{FitOptions, elo, fit_from};
use crate::stats::{Balance, Estimate, NotEstimable};

/// The games of a group: a band of strength, an era, or a first mover.
#[derive(Debug, Clone, PartialEq)]
pub struct GameGroup {
    /// The label of the group.
    pub label: String,
    /// The results.
    pub tally: GameTally,
    /// The win ratio.
    pub balance: Result<Balance, NotEstimable>,
    /// The attackers' advantage in Elo, with strengths estimated from all groups jointly.
    pub elo: Option<Estimate>,
    /// The mean strength of the players of its games, in Elo; only for bands of strength.
    pub strength: Option<f64>,
}

/// Splits games into groups and estimates the advantage in each, with strengths estimated from all of them, and the standard
/// deviations of the overall fit.
///
/// `shared` has the players of the games, and `groups` the group of each; games without a group are skipped.
pub(crate) fn by_group(
    (games, shared): (&[GameFacts], &SharedPlayers),
    labels: Vec<String>,
    groups: &[Option<u32>],
    overall: Option<&OverallFit>,
) -> Vec<GameGroup> {
    let of = |at: usize| groups.get(at).copied().flatten();
    let (league, roster) = league(games, labels.len(), of);
    let start = overall.map(|overall| overall.strengths_of(&roster));
    let options = start.as_deref().map_or_else(FitOptions::default, FitOptions::with_sds_of);
    let found = fit_from(&league, &options, start.as_deref()).ok();
    let drift = overall.and_then(|overall| overall.adjusted.drift.ok());
    let group = |(number, label): (usize, String)| {
        let own = (0..).zip(groups).filter(|(_, group)| **group == Some(number as u32));
        let tally = GameTally::among(games, shared, own.map(|(at, _)| at));
        let advantage = found.as_ref().and_then(|found| found.advantages[number]);
        GameGroup {
            label,
            balance: tally.balance(),
            tally,
            elo: advantage.map(|side| drift.map_or(side, |drift| drift.corrected(side)).elo()),
            strength: None,
        }
    };
    labels.into_iter().enumerate().map(group).collect()
}

/// Splits games by the mean strength of their players into bands of equal size, as far as games of the same mean allow it.
///
/// # Errors
///
/// Returns [`NotEstimable::TooFew`] for fewer than 30 games for each band.
pub(crate) fn by_band(
    (games, shared): (&[GameFacts], &SharedPlayers),
    overall: &OverallFit,
    bands: usize,
) -> Result<Vec<GameGroup>, NotEstimable> {
    let mean = |game: &GameFacts| {
        let [one, two] = game.pair()?;
        (game.result != GameResult::Unfinished).then_some(())?;
        Some((overall.strength(one)? + overall.strength(two)?) / 2.0)
    };
    let means: Vec<Option<f64>> = games.iter().map(mean).collect();
    let mut known: Vec<f64> = means.iter().flatten().copied().collect();
    let (n, needed) = (known.len(), bands.max(1) as u64 * SMALL_SAMPLE);
    if (n as u64) < needed {
        return Err(NotEstimable::TooFew { found: n as u64, needed });
    }
    let mut limit = |band: usize| *known.select_nth_unstable_by(band * n / bands, f64::total_cmp).1;
    let (least, mut limits) = (limit(0), (1..bands).map(limit).collect::<Vec<f64>>());
    // A band without games if the same players have most of them.
    limits.dedup();
    limits.retain(|limit| *limit > least);
    let groups: Vec<Option<u32>> = means
        .iter()
        .map(|mean| mean.map(|mean| limits.partition_point(|limit| *limit <= mean) as u32))
        .collect();
    let label = |band: usize| {
        let edge = |at: usize| format!("{:+.0}", elo(limits[at]));
        match (band.checked_sub(1), band < limits.len()) {
            (None, false) => "all".to_owned(),
            (None, true) => format!("below {}", edge(0)),
            (Some(below), true) => format!("{} to {}", edge(below), edge(band)),
            (Some(below), false) => format!("{} or more", edge(below)),
        }
    };
    let labels = (0..=limits.len()).map(label).collect();
    let mut sums = vec![(0.0, 0.0); limits.len() + 1];
    for (group, mean) in groups.iter().flatten().zip(means.iter().flatten()) {
        let (sum, n) = &mut sums[*group as usize];
        (*sum, *n) = (*sum + mean, *n + 1.0);
    }
    // Not needed during the estimation, which takes the most memory.
    drop((means, known));
    let mut found = by_group((games, shared), labels, &groups, Some(overall));
    for (band, (sum, n)) in found.iter_mut().zip(sums) {
        band.strength = (n > 0.0).then(|| elo(sum / n));
    }
    Ok(found)
}

/// Splits games by year into eras of about equal size.
///
/// # Errors
///
/// Returns [`NotEstimable::NoDates`] if the years are unknown or all equal.
pub(crate) fn by_era(
    (games, shared): (&[GameFacts], &SharedPlayers),
    eras: usize,
    overall: Option<&OverallFit>,
) -> Result<Vec<GameGroup>, NotEstimable> {
    let mut years: Vec<i16> = games.iter().filter_map(GameFacts::year).collect();
    years.sort_unstable();
    let (Some(first), Some(last)) = (years.first().copied(), years.last().copied()) else {
        return Err(NotEstimable::NoDates);
    };
    let mut limits: Vec<i16> = (1..eras).map(|era| years[era * years.len() / eras]).collect();
    limits.dedup();
    limits.retain(|limit| *limit > first);
    if limits.is_empty() {
        // Nearly all games are of the first year.
        limits.extend(years.iter().copied().find(|year| *year > first));
    }
    if limits.is_empty() {
        return Err(NotEstimable::NoDates);
    }
    let groups: Vec<Option<u32>> = games
        .iter()
        .map(|game| game.year().map(|year| limits.partition_point(|limit| *limit <= year) as u32))
        .collect();
    let label = |era: usize| {
        let from = era.checked_sub(1).map_or(first, |before| limits[before]);
        let to = limits.get(era).map_or(last, |limit| limit - 1);
        if from == to { from.to_string() } else { format!("{from} to {to}") }
    };
    Ok(by_group((games, shared), (0..=limits.len()).map(label).collect(), &groups, overall))
}

/// Splits games by first mover; the advantage in all of them is also that of the only group if there is just one.
pub(crate) fn by_first_mover(
    (games, shared): (&[GameFacts], &SharedPlayers),
    overall: Option<&OverallFit>,
) -> Vec<GameGroup> {
    let label = |side: Side| format!("{side} move first");
    if let Some(first) = games.first()
        && games.iter().all(|game| game.first == first.first)
    {
        let tally = GameTally::among(games, shared, 0..games.len() as u32);
        return vec![GameGroup {
            label: label(first.first),
            balance: tally.balance(),
            tally,
            elo: overall.map(|overall| overall.adjusted.elo),
            strength: None,
        }];
    }
    let number = |side: Side| Side::ALL.iter().position(|other| *other == side).map(|at| at as u32);
    let groups: Vec<Option<u32>> = games.iter().map(|game| number(game.first)).collect();
    let mut found = by_group((games, shared), Side::ALL.map(label).to_vec(), &groups, overall);
    found.retain(|group| group.tally.games > 0);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::adjusted::adjusted;
    use crate::measure::games::GameDate;
    use crate::measure::tests::game;

    #[test]
    fn games_of_the_same_players_are_in_one_band() {
        // Two equal players have most games, and one of them wins all others.
        let equal = (0..200).map(|at: u32| {
            let result =
                if (at / 2).is_multiple_of(2) { GameResult::Attackers } else { GameResult::Defenders };
            game(Some([at % 2, 1 - at % 2]), result, 30)
        });
        let won = (0..40).map(|at: u32| match at / 4 % 2 {
            0 => game(Some([1, 2 + at % 4]), GameResult::Attackers, 30),
            _ => game(Some([2 + at % 4, 1]), GameResult::Defenders, 30),
        });
        let games: Vec<GameFacts> = equal.chain(won).collect();
        let shared = SharedPlayers::of(games.iter().map(GameFacts::pair));
        let bands = by_band((&games, &shared), &adjusted(&games).unwrap(), 3).unwrap();
        assert_eq!(bands.iter().map(|band| band.tally.games).collect::<Vec<_>>(), [40, 200]);
        assert!(bands[0].label.starts_with("below") && bands[1].label.ends_with("or more"), "{bands:?}");
    }

    #[test]
    fn a_year_with_most_games_is_an_era() {
        let eras = |n: [u32; 2]| {
            let years = [2019, 2021].into_iter().zip(n);
            let of_year = |(year, n): (i16, u32)| {
                (0..n).map(move |at| GameFacts {
                    date: GameDate::of(&year.to_string()),
                    ..game(None, GameResult::Attackers, at)
                })
            };
            let games: Vec<GameFacts> = years.flat_map(of_year).collect();
            by_era((&games, &SharedPlayers::default()), 3, None)
                .map(|found| found.into_iter().map(|era| (era.label, era.tally.games)).collect::<Vec<_>>())
        };
        let expected = |n: [u64; 2]| vec![("2019 to 2020".to_owned(), n[0]), ("2021".to_owned(), n[1])];
        // With 40 of 50 games in the first year, none of the limits between three equal eras is later.
        assert_eq!(eras([40, 10]).unwrap(), expected([40, 10]));
        assert_eq!(eras([10, 40]).unwrap(), expected([10, 40]));
        assert_eq!(eras([40, 0]), Err(NotEstimable::NoDates));
    }
}
