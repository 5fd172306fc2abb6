//! The advantage of a side adjusted for the strength of the players.

use std::borrow::Cow;
use std::collections::HashMap;

use tafl_corpus::GameResult;
use tafl_rules::Side;

use super::games::{GameFacts, Games};
use super::tally::GameTally;
use crate::stats::interval::SMALL_SAMPLE;
use crate::stats::mantel_haenszel::{ModelFreeAdvantage, mantel_haenszel};
use crate::stats::normal::two_sided;
use crate::stats::strength::{
    Advantage, AdvantageLine, FitOptions, League, Pairing, PairingResults, StrengthDrift, Strengths, elo,
    fit, fit_from, fit_line, strength_drift,
};
use crate::stats::{Balance, Estimate, NotEstimable};

/// The attackers' advantage between equals.
#[derive(Debug, Clone, PartialEq)]
pub struct AdjustedAdvantage {
    /// The advantage in Elo: positive if the attackers are favored.
    pub elo: Estimate,
    /// The expected score of the attackers against an equal opponent.
    pub expectation: Estimate,
    /// The advantage in log odds, without the bias by strengths that change.
    pub advantage: Advantage,
    /// The change of strengths over time; `None` if no player has enough games.
    pub drift: Option<StrengthDrift>,
    /// The standard deviation of the players' strengths, in Elo.
    pub strength_sd: f64,
    /// The standard deviation of the players' side skills, in Elo.
    pub side_skill_sd: f64,
    /// The weight of a draw between equals, relative to 1 for a win of either.
    pub draw_weight: f64,
    /// The number of games on which it is based: finished games with two named players.
    pub games: u64,
    /// The number of players in these games.
    pub players: u64,
    /// The advantage without a model of strengths, in log odds, from the pairs that met on both sides.
    pub model_free: Option<ModelFreeAdvantage>,
}

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

/// The estimates from all games of a selection, from which those of its parts begin.
#[derive(Debug, Clone)]
pub(crate) struct OverallFit {
    pub(crate) adjusted: AdjustedAdvantage,
    pub(crate) strengths: Strengths,
    /// The players of `strengths`, in order.
    pub(crate) roster: Roster,
}

impl OverallFit {
    /// Returns the strength of a player in log odds.
    pub(crate) fn strength(&self, player: u32) -> Option<f64> {
        Some(self.strengths.players[self.roster.find(player)?]?.value)
    }

    /// Returns the strengths in the order of another roster.
    fn strengths_of(&self, roster: &Roster) -> Cow<'_, Strengths> {
        if roster.players == self.roster.players {
            return Cow::Borrowed(&self.strengths);
        }
        let found = || roster.players.iter().map(|player| self.roster.find(*player));
        Cow::Owned(Strengths {
            players: found().map(|at| self.strengths.players[at?]).collect(),
            side_skills: found().map(|at| at.map_or(0.0, |at| self.strengths.side_skills[at])).collect(),
            ..self.strengths.clone()
        })
    }
}

/// The advantage as a line over the mean strength of both players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdvantageTrend {
    /// The line, in log odds.
    pub line: AdvantageLine,
    /// The change of the attackers' advantage in Elo per 100 Elo of mean strength.
    pub slope: Estimate,
    /// The two-sided p-value of the slope.
    pub p: f64,
    /// The mean strengths that a tenth, half, and nine tenths of the games are below, in log odds.
    pub strengths: [f64; 3],
    /// The number of games on which it is based.
    pub games: u64,
}

impl AdvantageTrend {
    /// Returns the attackers' advantage in Elo between two players of a strength in log odds.
    pub fn at(&self, strength: f64) -> Estimate {
        self.line.at(strength).map(elo)
    }
}

/// The minimum number of games of a trend: as many as three bands need.
const MIN_FOR_TREND: u64 = 3 * SMALL_SAMPLE;

/// Returns the advantage as a line over strength.
///
/// # Errors
///
/// Returns [`NotEstimable::TooFew`] for fewer than 90 games, and the errors of the estimation.
pub(crate) fn trend(games: &[GameFacts], overall: &OverallFit) -> Result<AdvantageTrend, NotEstimable> {
    let strengths = &overall.strengths;
    if strengths.n < MIN_FOR_TREND {
        return Err(NotEstimable::TooFew { found: strengths.n, needed: MIN_FOR_TREND });
    }
    let (league, _) = league(games, 1, |_| Some(0));
    let line = fit_line(&league, strengths)?;
    let line = overall.adjusted.drift.map_or(line, |drift| drift.corrected_line(line));
    let of = |player: u32| strengths.players[player as usize].map_or(0.0, |strength| strength.value);
    let mut means: Vec<(f64, u64)> = league
        .pairings()
        .iter()
        .map(|pairing| {
            let mean = (of(pairing.attackers) + of(pairing.defenders)) / 2.0;
            (mean, u64::from(pairing.results.n()))
        })
        .collect();
    means.sort_by(|one, two| one.0.total_cmp(&two.0));
    let below = |tenths: u64| {
        let mut passed = 0;
        let place = means.iter().find(|(_, n)| {
            passed += n;
            passed * 10 >= tenths * strengths.n
        });
        place.map_or(0.0, |(mean, _)| *mean)
    };
    // A ratio of two quantities in log odds is the same in Elo.
    let slope = Estimate::normal(100.0 * line.slope, 100.0 * line.slope_error);
    let p = two_sided(line.slope / line.slope_error);
    Ok(AdvantageTrend { line, slope, p, strengths: [1, 5, 9].map(below), games: strengths.n })
}

/// The indices of players in a league, from 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Roster {
    numbers: HashMap<u32, u32>,
    /// The players as indices of [`Games::players`](super::Games::players), in ascending order.
    pub players: Vec<u32>,
}

impl Roster {
    /// Returns the players of games. It is the same for the same games in any order, so that all leagues of these games agree.
    fn of<'g>(games: impl Iterator<Item = &'g GameFacts>) -> Roster {
        let finished = games.filter(|game| game.result != GameResult::Unfinished);
        let mut players: Vec<u32> = finished.filter_map(GameFacts::pair).flatten().collect();
        players.sort_unstable();
        players.dedup();
        Roster { numbers: players.iter().copied().zip(0..).collect(), players }
    }

    /// Returns the index of a player in the league.
    pub(crate) fn find(&self, player: u32) -> Option<usize> {
        self.numbers.get(&player).map(|number| *number as usize)
    }
}

/// Returns a game for a league; `None` if it is unfinished or does not name two players of the roster.
fn pairing(game: &GameFacts, group: u32, roster: &Roster) -> Option<Pairing> {
    let [attackers, defenders] = game.pair()?.map(|player| roster.numbers.get(&player).copied());
    let mut results = PairingResults::default();
    match game.result {
        GameResult::Attackers => results.attackers = 1,
        GameResult::Defenders => results.defenders = 1,
        GameResult::Draw => results.draws = 1,
        GameResult::Unfinished => return None,
    }
    Some(Pairing { attackers: attackers?, defenders: defenders?, group, results })
}

/// Returns the league of games; `group` returns the group of each game, below `n_groups`, or `None` to skip
/// it.
pub(crate) fn league(
    games: &[GameFacts],
    n_groups: usize,
    group: impl Fn(usize) -> Option<u32>,
) -> (League, Roster) {
    let grouped: Vec<(&GameFacts, u32)> =
        games.iter().enumerate().filter_map(|(at, game)| Some((game, group(at)?))).collect();
    let roster = Roster::of(grouped.iter().map(|(game, _)| *game));
    let pairings = grouped.iter().filter_map(|(game, group)| pairing(game, *group, &roster));
    (League::new((roster.players.len(), n_groups), pairings), roster)
}

/// Returns games in the order in which they were played: by year if all years are known, and else, or within a year, in the
/// order of the corpus.
fn in_time_order(games: &[GameFacts]) -> impl Iterator<Item = &GameFacts> {
    let mut order: Vec<&GameFacts> = games.iter().collect();
    if games.iter().all(|game| game.year.is_some()) {
        order.sort_by_key(|game| game.year);
    }
    order.into_iter()
}

/// Estimates the attackers' advantage between equals.
///
/// # Errors
///
/// Returns the reason if it cannot be estimated.
pub(crate) fn adjusted(games: &[GameFacts]) -> Result<OverallFit, NotEstimable> {
    let roster = Roster::of(games.iter());
    let pairings: Vec<Pairing> = in_time_order(games).filter_map(|game| pairing(game, 0, &roster)).collect();
    let n_players = roster.players.len();
    let league = League::new((n_players, 1), pairings.iter().copied());
    let strengths = fit(&league, &FitOptions::default())?;
    let drift = strength_drift(&pairings, &strengths);
    let model_free = mantel_haenszel(&league);
    let plain = strengths.advantages[0].ok_or(NotEstimable::NoPlayers)?;
    let advantage = drift.map_or(plain, |drift| drift.corrected(plain));
    let adjusted = AdjustedAdvantage {
        elo: advantage.elo(),
        expectation: advantage.expectation(strengths.draw_weight),
        advantage,
        drift,
        strength_sd: elo(strengths.strength_sd),
        side_skill_sd: elo(strengths.side_skill_sd),
        draw_weight: strengths.draw_weight,
        games: strengths.n,
        players: strengths.players.iter().flatten().count() as u64,
        model_free,
    };
    Ok(OverallFit { adjusted, strengths, roster })
}

/// Estimates the attackers' advantage between equals in a variant, without games that began from another start.
///
/// # Errors
///
/// Returns the reason if it cannot be estimated.
pub fn adjusted_advantage(games: &Games, variant: u32) -> Result<AdjustedAdvantage, NotEstimable> {
    let own = games.rows.iter().filter(|game| game.variant == variant && !game.is_from_elsewhere);
    let own: Vec<GameFacts> = own.copied().collect();
    Ok(adjusted(&own)?.adjusted)
}

/// Splits games into groups and estimates the advantage in each, with strengths estimated from all of them.
///
/// `groups` is the group of each game; games without a group are skipped.
pub(crate) fn by_group(
    games: &[GameFacts],
    (labels, groups): (Vec<String>, &[Option<u32>]),
    overall: Option<&OverallFit>,
) -> Vec<GameGroup> {
    let of = |at: usize| groups.get(at).copied().flatten();
    let (league, roster) = league(games, labels.len(), of);
    let start = overall.map(|overall| overall.strengths_of(&roster));
    let found = fit_from(&league, &FitOptions::default(), start.as_deref()).ok();
    let drift = overall.and_then(|overall| overall.adjusted.drift);
    let group = |(number, label): (usize, String)| {
        let own = games.iter().enumerate().filter(|(at, _)| of(*at) == Some(number as u32));
        let tally = GameTally::of(own.map(|(_, game)| game));
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

/// Splits games by the mean strength of their players into bands of equal size.
///
/// # Errors
///
/// Returns [`NotEstimable::TooFew`] if a band would have fewer than 30 games.
pub(crate) fn by_band(
    games: &[GameFacts],
    overall: &OverallFit,
    bands: usize,
) -> Result<Vec<GameGroup>, NotEstimable> {
    let mean = |game: &GameFacts| {
        let [one, two] = game.pair()?;
        (game.result != GameResult::Unfinished).then_some(())?;
        Some((overall.strength(one)? + overall.strength(two)?) / 2.0)
    };
    let means: Vec<Option<f64>> = games.iter().map(mean).collect();
    let mut sorted: Vec<f64> = means.iter().flatten().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let needed = bands.max(1) as u64 * SMALL_SAMPLE;
    if (sorted.len() as u64) < needed {
        return Err(NotEstimable::TooFew { found: sorted.len() as u64, needed });
    }
    let limits: Vec<f64> = (1..bands).map(|band| sorted[band * sorted.len() / bands]).collect();
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
            (Some(below), false) => format!("above {}", edge(below)),
        }
    };
    let labels = (0..bands.max(1)).map(label).collect();
    let mut found = by_group(games, (labels, &groups), Some(overall));
    for (number, band) in (0..).zip(&mut found) {
        let own = groups.iter().zip(&means).filter(|(group, _)| **group == Some(number));
        let own: Vec<f64> = own.filter_map(|(_, mean)| *mean).collect();
        band.strength = (!own.is_empty()).then(|| elo(own.iter().sum::<f64>() / own.len() as f64));
    }
    Ok(found)
}

/// Splits games by year into eras of about equal size.
///
/// # Errors
///
/// Returns [`NotEstimable::NoDates`] if the years are unknown or all equal.
pub(crate) fn by_era(
    games: &[GameFacts],
    eras: usize,
    overall: Option<&OverallFit>,
) -> Result<Vec<GameGroup>, NotEstimable> {
    let mut years: Vec<i16> = games.iter().filter_map(|game| game.year).collect();
    years.sort_unstable();
    let (Some(first), Some(last)) = (years.first().copied(), years.last().copied()) else {
        return Err(NotEstimable::NoDates);
    };
    let mut limits: Vec<i16> = (1..eras).map(|era| years[era * years.len() / eras]).collect();
    limits.dedup();
    limits.retain(|limit| *limit > first);
    if limits.is_empty() {
        return Err(NotEstimable::NoDates);
    }
    let groups: Vec<Option<u32>> = games
        .iter()
        .map(|game| game.year.map(|year| limits.partition_point(|limit| *limit <= year) as u32))
        .collect();
    let label = |era: usize| {
        let from = era.checked_sub(1).map_or(first, |before| limits[before]);
        let to = limits.get(era).map_or(last, |limit| limit - 1);
        if from == to { from.to_string() } else { format!("{from} to {to}") }
    };
    Ok(by_group(games, ((0..=limits.len()).map(label).collect(), &groups), overall))
}

/// Splits games by first mover; the advantage in all of them is also that of the only group if there is just one.
pub(crate) fn by_first_mover(games: &[GameFacts], overall: Option<&OverallFit>) -> Vec<GameGroup> {
    let label = |side: Side| format!("{side} move first");
    if let Some(first) = games.first()
        && games.iter().all(|game| game.first == first.first)
    {
        let tally = GameTally::of(games);
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
    let mut found = by_group(games, (Side::ALL.map(label).to_vec(), &groups), overall);
    found.retain(|group| group.tally.games > 0);
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::game;
    use super::*;
    use crate::stats::LeagueSpec;

    #[test]
    fn the_trend_is_that_of_the_players_if_the_corpus_is_not_in_the_order_of_years() {
        let made =
            LeagueSpec { players: 40, games: 1500, slope: 0.5, strength_sd: 1.2, ..LeagueSpec::default() }
                .simulate(2);
        let mut games: Vec<GameFacts> = made
            .games
            .iter()
            .zip(0i16..)
            .map(|(pairing, at)| {
                let result =
                    if pairing.results.attackers > 0 { GameResult::Attackers } else { GameResult::Defenders };
                let facts = game(Some([pairing.attackers, pairing.defenders]), result, 30);
                GameFacts { year: Some(2000 + at / 100), ..facts }
            })
            .collect();
        let slope = |games: &[GameFacts]| trend(games, &adjusted(games).unwrap()).unwrap().slope.value;
        let in_order = slope(&games);
        games.reverse();
        assert!((slope(&games) - in_order).abs() < 1e-6, "{} {in_order}", slope(&games));
        assert!(in_order > 20.0, "{in_order}");
    }
}
