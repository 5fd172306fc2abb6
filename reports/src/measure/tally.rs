//! Counts of games by result.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;

use tafl_corpus::{GameResult, ReasonSource};
use tafl_rules::{Reason, Side};

use super::games::GameFacts;
use crate::stats::dyadic::{DesignEffect, GrowingHits, SharedPlayers};
use crate::stats::interval::SMALL_SAMPLE;
use crate::stats::score::WdlCounts;
use crate::stats::{Balance, Estimate, NotEstimable, Rate};

/// The results of games.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GameTally {
    /// The number of games.
    pub games: u64,
    /// Games won by the attackers.
    pub attackers: u64,
    /// Games won by the defenders.
    pub defenders: u64,
    /// Drawn games.
    pub draws: u64,
    /// Unfinished games.
    pub unfinished: u64,
    /// The number of games by winner and reason.
    pub reasons: BTreeMap<Ending, u64>,
    /// The design effect of proportions of wins, because games share players. `None` for fewer than 30 games with a winner, and
    /// for tallies without the games' players, which are taken as independent.
    pub design_effect: Option<DesignEffect>,
    /// The factor of the variance of the proportion of draws; at least 1; `None` if it is not known, or nothing was drawn.
    pub draw_effect: Option<f64>,
}

/// The winner and the reason of the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ending {
    /// The winner, if any; unfinished games have none and the reason [`Reason::Unfinished`].
    pub winner: Option<Side>,
    /// The reason.
    pub reason: Reason,
    /// Whether the reason is a conclusion from a result without an end, see [`ReasonSource::Inference`].
    pub is_inferred: bool,
}

impl Ending {
    /// Returns the end of a game.
    pub fn of(game: &GameFacts) -> Ending {
        Ending::new(game.result, game.reason, game.reason_source)
    }

    /// Returns the end with a result; its reason is [`Reason::Unknown`] if the table has no reason.
    pub(super) fn new(result: GameResult, reason: Option<Reason>, source: Option<ReasonSource>) -> Ending {
        let winner = match result {
            GameResult::Attackers => Some(Side::Attackers),
            GameResult::Defenders => Some(Side::Defenders),
            GameResult::Draw | GameResult::Unfinished => None,
        };
        let reason = match result {
            GameResult::Unfinished => Reason::Unfinished,
            GameResult::Attackers | GameResult::Defenders | GameResult::Draw => {
                reason.unwrap_or(Reason::Unknown)
            }
        };
        let is_inferred = result != GameResult::Unfinished && source == Some(ReasonSource::Inference);
        Ending { winner, reason, is_inferred }
    }
}

/// Formats the end as text, such as `attackers: king captured` or `attackers: resignation (inferred)`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.winner, self.reason) {
            (Some(side), reason) => write!(f, "{side}: {reason}")?,
            (None, Reason::Unfinished) => f.write_str("unfinished")?,
            (None, reason) => write!(f, "draw: {reason}")?,
        }
        f.write_str(if self.is_inferred { " (inferred)" } else { "" })
    }
}

impl GameTally {
    /// Counts games.
    pub fn of<'g>(games: impl IntoIterator<Item = &'g GameFacts>) -> GameTally {
        let mut players = Vec::new();
        let seen = games.into_iter().inspect(|game| players.push(game.pair()));
        let (tally, decided) = GameTally::without_effect((0..).zip(seen));
        tally.with_effect(&decided, || SharedPlayers::of(players))
    }

    /// Counts some of the games, given by their indices; `shared` has the players of all of them.
    pub(super) fn among(
        games: &[GameFacts],
        shared: &SharedPlayers,
        some: impl IntoIterator<Item = u32>,
    ) -> GameTally {
        let some = some.into_iter().map(|at| (at, &games[at as usize]));
        let (tally, decided) = GameTally::without_effect(some);
        tally.with_effect(&decided, || shared)
    }

    /// Counts games, given with their indices, without a design effect. Also returns which of the decided games were won by
    /// the defenders.
    fn without_effect<'g>(
        games: impl Iterator<Item = (u32, &'g GameFacts)>,
    ) -> (GameTally, Vec<(u32, bool)>) {
        let mut tally = GameTally::default();
        let mut reasons = [[[0u64; 2]; Reason::ALL.len()]; GameResult::ALL.len()];
        let mut decided = Vec::new();
        for (at, game) in games {
            if let Some(winner) = game.winner() {
                decided.push((at, winner == Side::Defenders));
            }
            let ending = Ending::of(game);
            reasons[game.result as usize][ending.reason as usize][usize::from(ending.is_inferred)] += 1;
        }
        for (result, counts) in GameResult::ALL.into_iter().zip(reasons) {
            for (reason, [known, inferred]) in Reason::ALL.into_iter().zip(counts) {
                let ending = Ending::new(result, Some(reason), None);
                tally.add(ending, known);
                tally.add(Ending { is_inferred: true, ..ending }, inferred);
            }
        }
        (tally, decided)
    }

    /// Returns the tally with the design effect of the decided games.
    fn with_effect<P: Borrow<SharedPlayers>>(
        mut self,
        decided: &[(u32, bool)],
        shared: impl FnOnce() -> P,
    ) -> GameTally {
        if self.decided() >= SMALL_SAMPLE {
            self.design_effect = shared().borrow().design_effect_among(decided.iter().copied());
        }
        self
    }

    /// Adds the design effect of draws to the tally of `games`; `shared` has their players.
    #[must_use]
    pub(crate) fn with_draw_effect(mut self, games: &[GameFacts], shared: &SharedPlayers) -> GameTally {
        if self.draws > 0 && self.ended() >= SMALL_SAMPLE {
            let ended = (0..).zip(games).filter(|(_, game)| game.result != GameResult::Unfinished);
            self.draw_effect =
                shared.effect_among(ended.map(|(at, game)| (at, game.result == GameResult::Draw)));
        }
        self
    }

    /// Returns the factor of the variance of proportions of wins, 1 for independent games.
    pub(crate) fn effect(&self) -> f64 {
        self.design_effect.map_or(1.0, |effect| effect.factor)
    }

    /// Returns the probability of a balance at least as uneven in an even game, allowing for games that share players; `None`
    /// without decided games. Below 0.05, the interval of a proportion of decided games does not contain one half.
    pub(crate) fn balance_p(&self) -> Option<f64> {
        let n = self.decided();
        let gap = self.defenders as f64 - self.attackers as f64;
        (n > 0).then(|| self.design_effect.unwrap_or(DesignEffect::NONE).two_sided(gap / (n as f64).sqrt()))
    }

    /// Returns a proportion of games with the design effect.
    fn rate(&self, hits: u64, n: u64) -> Option<Rate> {
        Some(Rate::of(hits, n)?.with_design_effect(self.effect()))
    }

    /// Adds `n` games with the same end.
    pub(super) fn add(&mut self, ending: Ending, n: u64) {
        if n == 0 {
            return;
        }
        self.games += n;
        match (ending.winner, ending.reason) {
            (Some(Side::Attackers), _) => self.attackers += n,
            (Some(Side::Defenders), _) => self.defenders += n,
            (None, Reason::Unfinished) => self.unfinished += n,
            (None, _) => self.draws += n,
        }
        *self.reasons.entry(ending).or_default() += n;
    }

    /// Adds the games of another tally.
    pub(super) fn add_all(&mut self, other: &GameTally) {
        self.games += other.games;
        self.attackers += other.attackers;
        self.defenders += other.defenders;
        self.draws += other.draws;
        self.unfinished += other.unfinished;
        // The players of both are not known here.
        (self.design_effect, self.draw_effect) = (None, None);
        for (ended, n) in &other.reasons {
            *self.reasons.entry(*ended).or_default() += n;
        }
    }

    /// Returns the number of finished games.
    pub fn ended(&self) -> u64 {
        self.attackers + self.defenders + self.draws
    }

    /// Returns the number of decided games.
    pub fn decided(&self) -> u64 {
        self.attackers + self.defenders
    }

    /// Returns the proportion of a side's wins among finished games.
    pub fn wins(&self, side: Side) -> Option<Rate> {
        let hits = match side {
            Side::Attackers => self.attackers,
            Side::Defenders => self.defenders,
        };
        self.rate(hits, self.ended())
    }

    /// Returns the proportion of draws among finished games.
    pub fn drawn(&self) -> Option<Rate> {
        let rate = Rate::of(self.draws, self.ended())?;
        Some(rate.with_design_effect(self.draw_effect.unwrap_or(1.0)))
    }

    /// Returns the attackers' proportion of decided games.
    pub fn attackers_proportion(&self) -> Option<Rate> {
        self.rate(self.attackers, self.decided())
    }

    /// Returns the defenders' proportion of decided games.
    pub fn defenders_proportion(&self) -> Option<Rate> {
        self.rate(self.defenders, self.decided())
    }

    /// Returns the proportion of finished games with each end, with the design effect of this end.
    pub(crate) fn ending_rates(games: &[GameFacts], shared: &SharedPlayers) -> BTreeMap<Ending, Rate> {
        let mut hits: BTreeMap<Ending, Vec<u32>> = BTreeMap::new();
        let ended = (0..).zip(games).filter(|(_, game)| game.result != GameResult::Unfinished);
        let mut n = 0;
        for (_, game) in ended.clone() {
            hits.entry(Ending::of(game)).or_default().push(n);
            n += 1;
        }
        let ended = shared.subset(ended.map(|(at, _)| at));
        let rate = |own: Vec<u32>| {
            let mut growing = GrowingHits::new(&ended);
            own.iter().for_each(|game| growing.add(*game));
            let effect = growing.design_effect().filter(|_| u64::from(n) >= SMALL_SAMPLE);
            Some(Rate::of(own.len() as u64, n.into())?.with_design_effect(effect.unwrap_or(1.0)))
        };
        hits.into_iter().filter_map(|(ending, own)| Some((ending, rate(own)?))).collect()
    }

    /// Returns the win ratio.
    ///
    /// # Errors
    ///
    /// Returns [`NotEstimable::NoGames`] without finished games, and [`NotEstimable::NoneDecided`] if all were drawn.
    pub fn balance(&self) -> Result<Balance, NotEstimable> {
        if self.ended() == 0 {
            return Err(NotEstimable::NoGames);
        }
        Balance::with_design_effect(self.attackers, self.defenders, self.effect())
    }

    /// Returns the results of the attackers.
    pub fn record(&self) -> WdlCounts {
        WdlCounts { wins: self.attackers, draws: self.draws, losses: self.defenders }
    }

    /// Returns the attackers' score, with draws as halves.
    ///
    /// # Errors
    ///
    /// Returns [`NotEstimable::NoGames`] without finished games.
    pub fn score(&self) -> Result<Estimate, NotEstimable> {
        self.record().score_with_design_effect(self.effect())
    }
}

/// Returns the proportion of games, given by their indices in `shared`, with an interval that allows for games that
/// share players.
pub(super) fn shared_rate(hits: &[u32], n: u64, shared: &SharedPlayers) -> Option<Rate> {
    let effect = shared.design_effect(hits).filter(|_| n >= SMALL_SAMPLE);
    Some(Rate::of(hits.len() as u64, n)?.with_design_effect(effect.unwrap_or(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::tests::game;

    #[test]
    fn draws_have_their_own_design_effect() {
        // Two players draw all of their games, and twenty others never do.
        let drawn = (0..40).map(|_| game(Some([1, 2]), GameResult::Draw, 30));
        let decided = (0..40).map(|at| {
            let result = if at % 2 == 0 { GameResult::Attackers } else { GameResult::Defenders };
            game(Some([10 + at % 20, 40 + at]), result, 30)
        });
        let games: Vec<GameFacts> = drawn.chain(decided).collect();
        let plain = GameTally::of(&games);
        let shared = SharedPlayers::of(games.iter().map(GameFacts::pair));
        let found = plain.clone().with_draw_effect(&games, &shared);
        assert!(found.draw_effect.unwrap() > 10.0, "{found:?}");
        assert!(found.drawn().unwrap().proportion.width() > 2.0 * plain.drawn().unwrap().proportion.width());
        assert_eq!(found.wins(Side::Attackers), plain.wins(Side::Attackers));
    }

    #[test]
    fn recorded_and_inferred_reasons_are_counted_apart() {
        let resigned = |source| GameFacts {
            reason: Some(Reason::Resignation),
            reason_source: source,
            ..game(None, GameResult::Attackers, 30)
        };
        let written = resigned(Some(ReasonSource::Record));
        let inferred = resigned(Some(ReasonSource::Inference));
        // A corpus of an older version does not have the source.
        let unknown = resigned(None);
        let tally = GameTally::of(&[written, inferred, inferred, unknown]);
        let counts: Vec<(String, u64)> = tally.reasons.iter().map(|(end, n)| (end.to_string(), *n)).collect();
        let expected = [("attackers: resignation", 2), ("attackers: resignation (inferred)", 2)];
        assert_eq!(counts, expected.map(|(end, n)| (end.to_owned(), n)));
        assert_eq!((tally.games, tally.attackers), (4, 4));
    }
}
