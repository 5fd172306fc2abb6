//! The advantage of a side adjusted for the strength of the players.

use std::borrow::Cow;

use super::games::{GameFacts, Games};
use super::roster::{Roster, pairing};
use super::time_order::{TimeOrder, in_stable_order};
use crate::stats::interval::SMALL_SAMPLE;
use crate::stats::mantel_haenszel::{ModelFreeAdvantage, mantel_haenszel};
use crate::stats::normal::two_sided;
use crate::stats::strength::{
    Advantage, AdvantageLine, FitOptions, League, Pairing, SideChoiceEffect, StrengthDrift, Strengths, elo,
    fit, fit_line, strength_drift,
};
use crate::stats::{Estimate, NotEstimable};

/// The attackers' advantage between equals.
#[derive(Debug, Clone, PartialEq)]
pub struct AdjustedAdvantage {
    /// The advantage in Elo: positive if the attackers are favored.
    pub elo: Estimate,
    /// The expected score of the attackers against an equal opponent.
    pub expectation: Estimate,
    /// The same with the interval that decisions use, which is never narrower than if all strengths were known.
    pub cautious_expectation: Estimate,
    /// The advantage in log odds, without the bias by strengths that change if their change can be estimated.
    pub advantage: Advantage,
    /// The change of strengths over time.
    pub drift: Result<StrengthDrift, NotEstimable>,
    /// How the order of the games in time is known.
    pub time_order: TimeOrder,
    /// The standard deviation of the players' strengths, in Elo.
    pub strength_sd: f64,
    /// The standard deviation of the players' side skills, in Elo.
    pub side_skill_sd: f64,
    /// The effect of side choice on the strengths of the players with each side; the advantage is what remains.
    pub side_choice: Option<SideChoiceEffect>,
    /// The weight of a draw between equals, relative to 1 for a win of either.
    pub draw_weight: f64,
    /// The number of games on which it is based: finished games with two named players.
    pub games: u64,
    /// The number of players in these games.
    pub players: u64,
    /// The number of these games of each player.
    pub games_per_player: Vec<u32>,
    /// The advantage without a model of strengths, in log odds, from the pairs that met on both sides.
    pub model_free: Option<ModelFreeAdvantage>,
}

/// The estimates from all games of a selection, from which those of its parts begin.
#[derive(Debug, Clone)]
pub(crate) struct OverallFit {
    pub(crate) adjusted: AdjustedAdvantage,
    pub(crate) strengths: Strengths,
    /// The players of `strengths`, in order.
    pub(crate) roster: Roster,
    /// The games, in one group.
    pub(crate) league: League,
}

impl OverallFit {
    /// Returns the strength of a player in log odds.
    pub(crate) fn strength(&self, player: u32) -> Option<f64> {
        Some(self.strengths.players[self.roster.find(player)?]?.value)
    }

    /// Returns the strengths in the order of another roster.
    pub(super) fn strengths_of(&self, roster: &Roster) -> Cow<'_, Strengths> {
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
pub(crate) fn trend(overall: &OverallFit) -> Result<AdvantageTrend, NotEstimable> {
    let strengths = &overall.strengths;
    if strengths.n < MIN_FOR_TREND {
        return Err(NotEstimable::TooFew { found: strengths.n, needed: MIN_FOR_TREND });
    }
    let line = fit_line(&overall.league, strengths)?;
    let line = overall.adjusted.drift.map_or(line, |drift| drift.corrected_line(line));
    let of = |player: u32| strengths.players[player as usize].map_or(0.0, |strength| strength.value);
    let mean = |pairing: &Pairing| {
        let mean = (of(pairing.attackers) + of(pairing.defenders)) / 2.0;
        std::iter::repeat_n(mean, pairing.results.n() as usize)
    };
    let mut means: Vec<f64> = overall.league.pairings().iter().flat_map(mean).collect();
    let below = |tenths: usize| {
        let place = (tenths * means.len()).div_ceil(10) - 1;
        *means.select_nth_unstable_by(place, f64::total_cmp).1
    };
    let strengths_below = [1, 5, 9].map(below);
    // A ratio of two quantities in log odds is the same in Elo.
    let slope = Estimate::normal(100.0 * line.slope, 100.0 * line.slope_error);
    let p = two_sided(line.slope / line.slope_error);
    Ok(AdvantageTrend { line, slope, p, strengths: strengths_below, games: strengths.n })
}

/// Estimates the attackers' advantage between equals.
///
/// # Errors
///
/// Returns the reason if it cannot be estimated.
pub(crate) fn adjusted(games: &[GameFacts]) -> Result<OverallFit, NotEstimable> {
    let roster = Roster::of(games.iter());
    let in_league = games.iter().filter(|game| pairing(game, 0, &roster).is_some());
    let (in_order, time_order) = in_stable_order(in_league);
    let pairings = || in_order.iter().filter_map(|game| pairing(game, 0, &roster));
    let n_players = roster.players.len();
    let league = League::new((n_players, 1), pairings());
    let strengths = fit(&league, &FitOptions::default())?;
    let drift = match time_order {
        TimeOrder::Date | TimeOrder::Number => {
            strength_drift(pairings(), &strengths).ok_or(NotEstimable::FewGamesEach)
        }
        TimeOrder::Unknown => Err(NotEstimable::NoOrder),
    };
    let model_free = mantel_haenszel(&league);
    let plain = strengths.advantages[0].ok_or(NotEstimable::NoPlayers)?;
    let advantage = drift.map_or(plain, |drift| drift.corrected(plain));
    let adjusted = AdjustedAdvantage {
        elo: advantage.elo(),
        expectation: advantage.expectation(strengths.draw_weight),
        cautious_expectation: advantage.cautious().expectation(strengths.draw_weight),
        advantage,
        drift,
        time_order,
        strength_sd: elo(strengths.strength_sd),
        side_skill_sd: elo(strengths.side_skill_sd),
        side_choice: strengths.side_choice,
        draw_weight: strengths.draw_weight,
        games: strengths.n,
        players: strengths.players.iter().flatten().count() as u64,
        games_per_player: league.games_per_player(),
        model_free,
    };
    Ok(OverallFit { adjusted, strengths, roster, league })
}

/// Estimates the attackers' advantage between equals in a variant, without games that began from another start.
///
/// # Errors
///
/// Returns the reason if it cannot be estimated.
pub fn adjusted_advantage(games: &Games, variant: u32) -> Result<AdjustedAdvantage, NotEstimable> {
    let own = games.rows.iter().filter(|game| game.variant == variant && !game.has_other_start());
    let own: Vec<GameFacts> = own.copied().collect();
    Ok(adjusted(&own)?.adjusted)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use tafl_corpus::GameResult;

    use super::super::games::GameDate;
    use super::super::tests::game;
    use super::*;
    use crate::stats::LeagueSpec;
    use crate::stats::strength::PairingResults;

    #[test]
    fn the_trend_does_not_depend_on_the_order_of_the_corpus() {
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
                let date = GameDate::of(&(2000 + at / 100).to_string());
                GameFacts { date, line: i64::from(at), ..facts }
            })
            .collect();
        let trend = |games: &[GameFacts]| trend(&adjusted(games).unwrap()).unwrap();
        let in_order = trend(&games);
        games.reverse();
        assert_eq!(trend(&games), in_order);
        assert!(in_order.slope.value > 20.0, "{in_order:?}");
    }

    #[test]
    fn strengths_change_only_in_games_of_known_order() {
        let spec =
            LeagueSpec { players: 24, games: 3000, strength_sd: 1.2, drift: 2.0, ..LeagueSpec::default() };
        let made = spec.simulate(3);
        let result = |pairing: &Pairing| match pairing.results {
            PairingResults { attackers: 1, .. } => GameResult::Attackers,
            PairingResults { defenders: 1, .. } => GameResult::Defenders,
            _ => GameResult::Draw,
        };
        // Numbers rise in the order in which the games were played; the corpus has them in another one.
        let mut games: Vec<GameFacts> = made
            .games
            .iter()
            .zip(1u32..)
            .map(|(pairing, at)| {
                let facts = game(Some([pairing.attackers, pairing.defenders]), result(pairing), 30);
                GameFacts { number: NonZeroU64::new(at.into()), line: i64::from(at * 7919 % 3001), ..facts }
            })
            .collect();
        games.sort_by_key(|game| game.line);
        let found = adjusted(&games).unwrap().adjusted;
        assert_eq!(found.time_order, TimeOrder::Number);
        assert!(elo(found.drift.unwrap().deviation()) > 80.0, "{:?}", found.drift);
        games[0].number = None;
        let unknown = adjusted(&games).unwrap().adjusted;
        assert_eq!((unknown.time_order, unknown.drift), (TimeOrder::Unknown, Err(NotEstimable::NoOrder)));
        assert!(unknown.elo.value.abs() < found.elo.value.abs(), "{unknown:?} {found:?}");
    }
}
