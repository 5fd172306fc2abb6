//! The result of a match in numbers.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use tafl_analyzer::{EloInterval, PairScore, Pentanomial, Sprt, SprtVerdict};
use tafl_rules::Side;

use super::saved_game::{SavedGame, SavedPair};

/// A player of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MatchPlayer {
    /// The player, as the request names it.
    pub player: String,
    /// Its name in records, for each variant.
    pub identity: Vec<String>,
    /// The limits of its searches.
    pub limits: String,
}

/// The result of a match.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MatchAnswer {
    /// The player that the match is about.
    pub first: MatchPlayer,
    /// Its opponent.
    pub second: MatchPlayer,
    /// The results by variant.
    pub variants: Vec<VariantMatchResult>,
    /// The number of plies that begin each pair; null for balanced openings, which have their own lengths.
    pub opening_plies: Option<u64>,
    /// The files with openings.
    pub openings: Vec<String>,
    /// The number of plies after which a game stays unfinished.
    pub plies: u64,
    /// The seed.
    pub seed: u64,
    /// The result of all games.
    pub result: MatchResult,
}

/// The result of the games of a match by the rules of one variant.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct VariantMatchResult {
    /// The variant.
    pub variant: String,
    /// The result.
    pub result: MatchResult,
}

/// Games of a player by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ResultCounts {
    /// All games.
    pub games: u64,
    /// Games that the player won.
    pub won: u64,
    /// Draws.
    pub drawn: u64,
    /// Games that the player lost.
    pub lost: u64,
    /// Games without a result.
    pub unfinished: u64,
}

/// Games by how they ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EndingCounts {
    /// `first`, `second`, `draw`, or `nobody` without a result.
    pub winner: &'static str,
    /// The reason of the end.
    pub reason: String,
    /// The number of games.
    pub games: u64,
}

/// Games in which a player could not continue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FaultCounts {
    /// `first` or `second`.
    pub player: &'static str,
    /// The kind of fault.
    pub reason: String,
    /// The number of games.
    pub games: u64,
}

/// A number for each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlayerCounts {
    /// The first player.
    pub first: u64,
    /// The second player.
    pub second: u64,
}

/// The difference of the players in Elo.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct EloAnswer {
    /// The estimate; null if it is infinite.
    pub elo: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// The confidence of the interval.
    pub confidence: f64,
    /// A limitation of the estimate; null without one.
    pub note: Option<&'static str>,
}

/// The state of a sequential probability ratio test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct SprtAnswer {
    /// The difference in Elo by hypothesis H0.
    pub elo0: f64,
    /// The difference in Elo by hypothesis H1.
    pub elo1: f64,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// At this ratio H0 is accepted.
    pub low: f64,
    /// At this ratio H1 is accepted.
    pub high: f64,
    /// `H0 accepted`, `H1 accepted` or `open`.
    pub verdict: &'static str,
}

/// The result of a match from the point of view of the first player.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MatchResult {
    /// All games.
    pub games: ResultCounts,
    /// Games in which the first player had the attackers.
    pub as_attackers: ResultCounts,
    /// Games in which the first player had the defenders.
    pub as_defenders: ResultCounts,
    /// The number of pairs with a result.
    pub pairs: u64,
    /// The number of pairs without a result, which do not count.
    pub pairs_unfinished: u64,
    /// The number of pairs by half points, from 0 to 4.
    pub pairs_by_half_points: [u64; 5],
    /// The share of points; null without a pair.
    pub share: Option<f64>,
    /// The difference in Elo; null without a pair.
    pub elo: Option<EloAnswer>,
    /// Games by how they ended.
    pub endings: Vec<EndingCounts>,
    /// Games in which a player could not continue.
    pub faults: Vec<FaultCounts>,
    /// The number of winning moves that were played for a player that gave none.
    pub moves_given: PlayerCounts,
    /// The test, if there is one.
    pub sprt: Option<SprtAnswer>,
}

/// Pairs, counted for the first player.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MatchTally {
    /// Pairs by half points.
    pub pairs: Pentanomial,
    /// Games with the attackers and with the defenders.
    sides: [ResultCounts; 2],
    unfinished_pairs: u64,
    /// Games by winner and reason.
    endings: BTreeMap<(&'static str, String), u64>,
    /// Games by player and kind of fault.
    faults: BTreeMap<(&'static str, String), u64>,
    helped: [u64; 2],
}

/// The limitation of the estimate of a match whose length depended on its results.
const STOPPED_BY_TEST: &str =
    "the test stopped the match, so that the estimate is biased away from 0 and the interval is too narrow";

/// The names of the players in answers.
const PLAYERS: [&str; 2] = ["first", "second"];

impl ResultCounts {
    /// Counts a game of a player with a side.
    pub(super) fn add(&mut self, game: &SavedGame, side: Side) {
        self.games += 1;
        match game.outcome().map(|outcome| outcome.winner) {
            Some(Some(winner)) if winner == side => self.won += 1,
            Some(Some(_)) => self.lost += 1,
            Some(None) => self.drawn += 1,
            None => self.unfinished += 1,
        }
    }

    /// Returns the sum of two counts.
    pub(super) fn plus(self, other: ResultCounts) -> ResultCounts {
        ResultCounts {
            games: self.games + other.games,
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
            unfinished: self.unfinished + other.unfinished,
        }
    }
}

impl fmt::Display for ResultCounts {
    /// Writes games by result: `+3 =1 -0, 2 unfinished`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.won, self.drawn, self.lost)?;
        if self.unfinished > 0 { write!(f, ", {} unfinished", self.unfinished) } else { Ok(()) }
    }
}

impl MatchTally {
    /// Counts a pair.
    pub fn add(&mut self, pair: &SavedPair) {
        let score = pair.score();
        self.pairs.add(score);
        self.unfinished_pairs += u64::from(score == PairScore::Unfinished);
        for (at, (game, side)) in pair.games.iter().zip(Side::ALL).enumerate() {
            self.sides[at].add(game, side);
            let player = |of: Side| PLAYERS[usize::from(of != side)];
            let winner = match game.outcome().map(|outcome| outcome.winner) {
                Some(Some(winner)) => player(winner),
                Some(None) => "draw",
                None => "nobody",
            };
            let reason = match &game.fault {
                Some(fault) => format!("forfeit: {}", fault.kind),
                None if game.ending.ends_with("(proven)") => "proven".to_owned(),
                None => game.reason.clone(),
            };
            *self.endings.entry((winner, reason)).or_default() += 1;
            if let Some(fault) = &game.fault {
                let guilty = if fault.side == side.as_str() { PLAYERS[0] } else { PLAYERS[1] };
                *self.faults.entry((guilty, fault.kind.clone())).or_default() += 1;
            }
            let (attackers, defenders) = (u64::from(game.helped.0), u64::from(game.helped.1));
            let (own, other) =
                if side == Side::Attackers { (attackers, defenders) } else { (defenders, attackers) };
            self.helped[0] += own;
            self.helped[1] += other;
        }
    }

    /// Returns the games of the first player by result.
    pub fn games(&self) -> ResultCounts {
        self.sides[0].plus(self.sides[1])
    }

    /// Returns the result, with the state of a test.
    pub fn result(&self, sprt: Option<&Sprt>) -> MatchResult {
        // Adding 0 turns a negative zero into zero.
        let finite = |number: f64| number.is_finite().then_some((number * 10.0).round() / 10.0 + 0.0);
        let elo = self.pairs.elo().map(|EloInterval { elo, low, high }| EloAnswer {
            elo: finite(elo),
            low: finite(low),
            high: finite(high),
            confidence: 0.95,
            note: sprt
                .is_some_and(|sprt| sprt.verdict(&self.pairs) != SprtVerdict::GoOn)
                .then_some(STOPPED_BY_TEST),
        });
        let endings = self.endings.iter().map(|((winner, reason), games)| EndingCounts {
            winner,
            reason: reason.clone(),
            games: *games,
        });
        let faults = self.faults.iter().map(|((player, reason), games)| FaultCounts {
            player,
            reason: reason.clone(),
            games: *games,
        });
        MatchResult {
            games: self.games(),
            as_attackers: self.sides[0],
            as_defenders: self.sides[1],
            pairs: self.pairs.n_pairs(),
            pairs_unfinished: self.unfinished_pairs,
            pairs_by_half_points: self.pairs.0,
            share: self.pairs.mean(),
            elo,
            endings: endings.collect(),
            faults: faults.collect(),
            moves_given: PlayerCounts { first: self.helped[0], second: self.helped[1] },
            sprt: sprt.map(|sprt| self.sprt(sprt)),
        }
    }

    fn sprt(&self, sprt: &Sprt) -> SprtAnswer {
        let (elo0, elo1) = sprt.hypotheses();
        let (low, high) = sprt.bounds();
        let verdict = sprt.verdict(&self.pairs).as_str();
        SprtAnswer { elo0, elo1, llr: sprt.llr(&self.pairs), low, high, verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_says_that_a_test_stopped_the_match() {
        let sprt = Sprt::new((0.0, 20.0), (0.05, 0.05)).unwrap();
        let note = |pairs: [u64; 5], sprt: Option<&Sprt>| {
            let tally = MatchTally { pairs: Pentanomial(pairs), ..MatchTally::default() };
            tally.result(sprt).elo.unwrap().note
        };
        let (decided, open) = ([0, 0, 5, 20, 80], [1, 2, 5, 2, 1]);
        assert_eq!(note(decided, Some(&sprt)), Some(STOPPED_BY_TEST));
        assert_eq!(note(open, Some(&sprt)), None);
        assert_eq!(note(decided, None), None);
    }
}
