//! The scores that the strengths of the players predict, and tests of groups of games against them.

use std::collections::HashMap;

use tafl_corpus::GameResult;

use super::adjusted::{OverallFit, adjusted};
use super::games::{GameFacts, Games};
use super::roster::Roster;
use crate::stats::NotEstimable;
use crate::stats::multiple::benjamini_hochberg;
use crate::stats::residual::{Residual, ResidualMean, residual_mean};
use crate::stats::strength::{Strengths, expected_score};

/// The attackers' expected scores in the games of a variant, by its players' strengths and side skills.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedScores {
    strengths: Strengths,
    roster: Roster,
    /// The mean score of all games minus their mean expected score. It is not 0, because the estimated advantage is that
    /// between equals, corrected for the uncertainty of strengths.
    offset: f64,
}

impl ExpectedScores {
    /// Returns the expected scores of a fit.
    pub(crate) fn new(overall: OverallFit) -> ExpectedScores {
        let OverallFit { strengths, roster, league, .. } = overall;
        let mut found = ExpectedScores { strengths, roster, offset: 0.0 };
        let (mut sum, mut n) = (0.0, 0.0);
        for pairing in league.pairings() {
            let players = [pairing.attackers, pairing.defenders].map(|player| player as usize);
            let Some(expected) = found.of_players(players) else { continue };
            let results = pairing.results;
            let score = f64::from(results.attackers) + f64::from(results.draws) / 2.0;
            sum += score - f64::from(results.n()) * expected;
            n += f64::from(results.n());
        }
        found.offset = if n > 0.0 { sum / n } else { 0.0 };
        found
    }

    /// Returns the attackers' expected score; `None` without two different players with known strengths.
    pub fn of(&self, game: &GameFacts) -> Option<f64> {
        let [attackers, defenders] = game.pair()?;
        self.of_players([self.roster.find(attackers)?, self.roster.find(defenders)?])
    }

    /// Returns the expected score of the first of two players, who has the attackers; both are indices in the league.
    fn of_players(&self, [attackers, defenders]: [usize; 2]) -> Option<f64> {
        let strength = |player: usize| Some(self.strengths.players.get(player)?.as_ref()?.value);
        let side_skill = |player: usize| self.strengths.side_skills.get(player).copied().unwrap_or(0.0);
        let advantage = self.strengths.advantages.first().copied().flatten()?.value;
        let x = strength(attackers)? - strength(defenders)?
            + advantage
            + side_skill(attackers)
            + side_skill(defenders);
        Some(expected_score(x, self.strengths.draw_weight) + self.offset)
    }

    /// Returns the attackers' score minus the expected one; `None` for unfinished games and without players.
    fn residual(&self, game: &GameFacts) -> Option<Residual> {
        Some(Residual { players: game.pair(), value: game.attackers_score()? - self.of(game)? })
    }

    /// Returns the mean score of games minus the expected one.
    ///
    /// # Errors
    ///
    /// See [`residual_mean`].
    pub(crate) fn difference(&self, games: &[GameFacts]) -> Result<ResidualMean, NotEstimable> {
        let residuals: Vec<Residual> = games.iter().filter_map(|game| self.residual(game)).collect();
        residual_mean(&residuals)
    }
}

impl GameFacts {
    /// Returns the attackers' score, with a draw as half a win; `None` for unfinished games.
    pub fn attackers_score(&self) -> Option<f64> {
        match self.result {
            GameResult::Attackers => Some(1.0),
            GameResult::Draw => Some(0.5),
            GameResult::Defenders => Some(0.0),
            GameResult::Unfinished => None,
        }
    }
}

/// Returns the expected scores in the games of a variant, without those that began from another start.
///
/// # Errors
///
/// Returns the reason if strengths cannot be estimated.
pub fn expected_scores(games: &Games, variant: u32) -> Result<ExpectedScores, NotEstimable> {
    let own = games.rows.iter().filter(|game| game.variant == variant && !game.has_other_start());
    let own: Vec<GameFacts> = own.copied().collect();
    Ok(ExpectedScores::new(adjusted(&own)?))
}

/// The results of a line of play compared with those that the strengths of its players predict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineScore {
    /// The attackers' score minus the expected one.
    pub difference: ResidualMean,
    /// The p-value of the difference, adjusted for the false discovery rate over all lines (Benjamini and Hochberg).
    pub p_fdr: f64,
}

/// Returns the differences of lines with adjusted p-values. Lines without one, and those that occur twice because a first move
/// has only one continuation, are not tested again.
pub(crate) fn line_scores(
    lines: &[(&[GameFacts], Result<ResidualMean, NotEstimable>)],
) -> Vec<Result<LineScore, NotEstimable>> {
    let mut tests: HashMap<Vec<i64>, usize> = HashMap::new();
    let (mut values, mut of_line) = (Vec::new(), Vec::new());
    for (games, difference) in lines {
        of_line.push(difference.map(|difference| {
            let mut ids: Vec<i64> = games.iter().map(|game| game.id).collect();
            ids.sort_unstable();
            *tests.entry(ids).or_insert_with(|| {
                values.push(difference.p);
                values.len() - 1
            })
        }));
    }
    let adjusted = benjamini_hochberg(&values);
    let found = lines.iter().zip(of_line);
    found
        .map(|((_, difference), at)| Ok(LineScore { difference: (*difference)?, p_fdr: adjusted[at?] }))
        .collect()
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::measure::tests::game;
    use crate::stats::normal::standard_normal;

    const PLAYERS: usize = 40;
    const LINES: usize = 8;

    /// Plays a league in which strong attackers prefer line 0; line 1 changes `x` of its games by `effect`.
    fn league(seed: u64, effect: f64) -> Vec<(usize, GameFacts)> {
        let mut rng = Rng::new(seed);
        let strengths: Vec<f64> = (0..PLAYERS).map(|_| 1.2 * standard_normal(&mut rng)).collect();
        let side_skills: Vec<f64> = (0..PLAYERS).map(|_| 0.2 * standard_normal(&mut rng)).collect();
        (0..1600)
            .map(|at| {
                let attackers = rng.below(PLAYERS);
                let defenders = (attackers + 1 + rng.below(PLAYERS - 1)) % PLAYERS;
                let is_first = strengths[attackers] + standard_normal(&mut rng) > 0.8;
                let line = if is_first { 0 } else { 1 + rng.below(LINES - 1) };
                let x = strengths[attackers] - strengths[defenders]
                    + side_skills[attackers]
                    + side_skills[defenders]
                    - 0.3
                    + if line == 1 { effect } else { 0.0 };
                let won = rng.unit() < expected_score(x, 0.0);
                let result = if won { GameResult::Attackers } else { GameResult::Defenders };
                (line, GameFacts { id: at, ..game(Some([attackers as u32, defenders as u32]), result, 30) })
            })
            .collect()
    }

    fn scores(games: &[(usize, GameFacts)]) -> Vec<LineScore> {
        let all: Vec<GameFacts> = games.iter().map(|(_, game)| *game).collect();
        let expected = ExpectedScores::new(adjusted(&all).unwrap());
        let of_line = |line: usize| -> Vec<GameFacts> {
            games.iter().filter(|(own, _)| *own == line).map(|(_, game)| *game).collect()
        };
        let lines: Vec<Vec<GameFacts>> = (0..LINES).map(of_line).collect();
        let lines: Vec<_> = lines.iter().map(|own| (own.as_slice(), expected.difference(own))).collect();
        line_scores(&lines).into_iter().map(Result::unwrap).collect()
    }

    #[test]
    fn lines_of_strong_players_are_not_better_than_expected() {
        let (leagues, mut found, mut held, mut raw) = (60, 0, 0, 0);
        for seed in 0..leagues {
            let games = league(seed, 0.0);
            let scores = scores(&games);
            found += u32::from(scores.iter().any(|score| score.p_fdr < 0.05));
            held += scores.iter().filter(|score| score.difference.value.holds(0.0)).count();
            let own = games.iter().filter(|(line, _)| *line == 0);
            let won = own.clone().filter(|(_, game)| game.result == GameResult::Attackers).count();
            raw += u32::from(won * 10 > own.count() * 6);
        }
        // Unadjusted, line 0 seems to be good for the attackers in most leagues.
        assert!(raw > 40, "{raw}");
        assert!(found <= 8, "{found}");
        let proportion = held as f64 / (leagues as usize * LINES) as f64;
        assert!((0.92..=0.995).contains(&proportion), "{proportion}");
    }

    #[test]
    fn a_line_with_an_effect_is_found() {
        let (mut found, mut others) = (0, 0);
        for seed in 0..20 {
            let scores = scores(&league(100 + seed, 1.6));
            found += u32::from(scores[1].p_fdr < 0.05 && scores[1].difference.value.value > 0.1);
            others += scores.iter().skip(2).filter(|score| score.p_fdr < 0.05).count();
        }
        assert!(found >= 16 && others <= 12, "{found} {others}");
    }

    #[test]
    fn the_same_games_are_tested_once() {
        let games: Vec<GameFacts> =
            (0..40).map(|at| GameFacts { id: at, ..game(None, GameResult::Draw, 9) }).collect();
        let value = crate::stats::Estimate::normal(0.1, 0.05);
        let test = |p| Ok(ResidualMean { value, p, n: 40 });
        let lines = [(&games[..], test(0.02)), (&games[..], test(0.02)), (&games[1..], test(0.9))];
        let p: Vec<f64> = line_scores(&lines).iter().map(|found| found.unwrap().p_fdr).collect();
        // Of two tests, not of three.
        assert_eq!(p, [0.04, 0.04, 0.9]);
    }
}
