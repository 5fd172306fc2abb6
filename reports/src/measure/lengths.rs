//! The lengths of games, by winner and reason.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tafl_corpus::GameResult;
use tafl_rules::{BySide, Side};

use super::games::GameFacts;
use super::order::in_order_of;
use super::tally::Ending;
use crate::stats::NotEstimable;
use crate::stats::compare::{RankComparison, compare_ranks};
use crate::stats::dyadic::SharedPlayers;
use crate::stats::quantile::Summary;
use crate::stats::survival::{Incidence, SurvivalEnding, SurvivalPoint, incidence, thinned};

/// The lengths of games.
#[derive(Debug, Clone, PartialEq)]
pub struct LengthFindings {
    /// All finished games.
    pub all: Option<Summary>,
    /// Games won by each side.
    pub by_winner: BySide<Option<Summary>>,
    /// Drawn games.
    pub draws: Option<Summary>,
    /// By winner and reason, most frequent first.
    pub by_reason: Vec<(Ending, Summary)>,
    /// The comparison of the attackers' wins with the defenders' wins.
    pub attackers_against_defenders: Option<RankComparison>,
    /// The number of games by length and result.
    pub histogram: Vec<LengthBin>,
    /// The proportion ended by each ply: attackers, defenders, draws, in this order.
    pub by_ply: Result<Incidence, NotEstimable>,
    /// The same by winner and reason, in the order of [`LengthFindings::causes`], and last for all other causes together.
    pub by_ply_and_reason: Result<Incidence, NotEstimable>,
    /// The causes of [`LengthFindings::by_ply_and_reason`], most frequent first.
    pub causes: Vec<Ending>,
}

/// A class of lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LengthBin {
    /// The minimum length.
    pub from: u32,
    /// The maximum length.
    pub to: u32,
    /// Games won by the attackers.
    pub attackers: u64,
    /// Games won by the defenders.
    pub defenders: u64,
    /// Drawn games.
    pub draws: u64,
    /// Unfinished games.
    pub unfinished: u64,
}

/// The maximum number of points of a curve.
const MAX_POINTS: usize = 120;

/// The maximum number of causes with a curve.
const MAX_CAUSES: usize = 8;

/// Returns the lengths of games, with intervals that allow for games that share players; `shared` has their players.
pub(crate) fn lengths(games: &[GameFacts], shared: &SharedPlayers) -> LengthFindings {
    let shortest_first = in_order_of(games, |game| Some(game.plies));
    let by_ending = by_ending(games, &shortest_first);
    let plies_of = |own: &mut dyn Iterator<Item = u32>| -> Vec<(u32, f64)> {
        own.map(|at| (at, f64::from(games[at as usize].plies))).collect()
    };
    let of = |is_wanted: &dyn Fn(GameResult) -> bool| {
        plies_of(&mut shortest_first.iter().copied().filter(|at| is_wanted(games[*at as usize].result)))
    };
    let summary = |plies: Vec<(u32, f64)>| Summary::of_games(plies, shared);
    let won = BySide {
        attackers: of(&|result| result == GameResult::Attackers),
        defenders: of(&|result| result == GameResult::Defenders),
    };
    let kept: Vec<Ending> = by_ending.iter().take(MAX_CAUSES).map(|(ending, _)| *ending).collect();
    let by_winner = |game: &GameFacts| match game.result {
        GameResult::Attackers => Some(0),
        GameResult::Defenders => Some(1),
        GameResult::Draw => Some(2),
        GameResult::Unfinished => None,
    };
    // All remaining causes are combined into one, so that it competes with the others.
    let by_cause = |game: &GameFacts| {
        let ending = Ending::of(game);
        let at = kept.iter().position(|cause| *cause == ending).unwrap_or(kept.len());
        (game.result != GameResult::Unfinished).then_some(at)
    };
    LengthFindings {
        all: summary(of(&|result| result != GameResult::Unfinished)),
        draws: summary(of(&|result| result == GameResult::Draw)),
        attackers_against_defenders: compare_sides(&won, shared),
        by_winner: BySide { attackers: summary(won.attackers), defenders: summary(won.defenders) },
        histogram: histogram(games),
        by_ply: curves((games, &shortest_first), 3, shared, &by_winner),
        by_ply_and_reason: curves((games, &shortest_first), kept.len() + 1, shared, &by_cause),
        causes: kept,
        by_reason: by_ending
            .into_iter()
            .filter_map(|(ending, own)| Some((ending, summary(plies_of(&mut own.into_iter()))?)))
            .collect(),
    }
}

/// Compares the lengths of the games that each side won, which share players.
fn compare_sides(won: &BySide<Vec<(u32, f64)>>, shared: &SharedPlayers) -> Option<RankComparison> {
    let sides = Side::ALL.map(|side| &won[side]);
    let plies = sides.map(|games| games.iter().map(|(_, plies)| *plies).collect::<Vec<f64>>());
    compare_ranks([&plies[0], &plies[1]], |influences| {
        let games = sides.into_iter().flatten().map(|(game, _)| *game);
        let influences = influences.into_iter().flatten().copied();
        shared.effect_on_mean(games.zip(influences)).unwrap_or(1.0)
    })
}

/// Returns the finished games, as indices in their order by length, by winner and reason, most frequent first.
fn by_ending(games: &[GameFacts], shortest_first: &[u32]) -> Vec<(Ending, Vec<u32>)> {
    let mut by_ending: BTreeMap<Ending, Vec<u32>> = BTreeMap::new();
    for at in shortest_first {
        let game = &games[*at as usize];
        if game.result != GameResult::Unfinished {
            by_ending.entry(Ending::of(game)).or_default().push(*at);
        }
    }
    let mut sorted: Vec<(Ending, Vec<u32>)> = by_ending.into_iter().collect();
    sorted.sort_by_key(|(_, own)| Reverse(own.len()));
    sorted
}

/// Returns the proportion ended by each ply for `n` causes; unfinished games have none.
fn curves(
    (games, shortest_first): (&[GameFacts], &[u32]),
    n: usize,
    shared: &SharedPlayers,
    cause: &dyn Fn(&GameFacts) -> Option<usize>,
) -> Result<Incidence, NotEstimable> {
    let endings = shortest_first.iter().map(|at| {
        let game = &games[*at as usize];
        SurvivalEnding { game: *at, plies: game.plies, cause: cause(game).map(|cause| cause as u32) }
    });
    let mut found = incidence(endings.collect(), n, shared)?;
    let thin = |points: &mut Vec<SurvivalPoint>| *points = thinned(points, MAX_POINTS);
    found.causes.iter_mut().for_each(thin);
    thin(&mut found.lasting);
    Ok(found)
}

/// Returns about twenty classes whose width is a round number of plies.
fn histogram(games: &[GameFacts]) -> Vec<LengthBin> {
    let mut plies: Vec<u32> = games.iter().map(|game| game.plies).collect();
    if plies.is_empty() {
        return Vec::new();
    }
    // The longest 2 % of the games share the last class.
    let at = (plies.len() - 1) * 98 / 100;
    let max = *plies.select_nth_unstable(at).1;
    let width = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 50_000]
        .into_iter()
        .find(|width| max / width < 25)
        .unwrap_or(1_000_000);
    let n = max / width + 2;
    let mut bins: Vec<LengthBin> = (0..n)
        .map(|bin| {
            let (from, to) = (bin * width, if bin + 1 == n { u32::MAX } else { (bin + 1) * width - 1 });
            LengthBin { from, to, attackers: 0, defenders: 0, draws: 0, unfinished: 0 }
        })
        .collect();
    for game in games {
        let bin = &mut bins[(game.plies / width).min(n - 1) as usize];
        match game.result {
            GameResult::Attackers => bin.attackers += 1,
            GameResult::Defenders => bin.defenders += 1,
            GameResult::Draw => bin.draws += 1,
            GameResult::Unfinished => bin.unfinished += 1,
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::tests::game;

    #[test]
    fn comparisons_allow_for_players_with_long_games() {
        // Twenty players with the attackers; each of them always wins or always loses, and has games of one length.
        let games: Vec<GameFacts> = (0..400_u32)
            .map(|at| {
                let player = at % 20;
                let result = if player % 2 == 0 { GameResult::Attackers } else { GameResult::Defenders };
                game(Some([player, 20 + at % 37]), result, 30 + 5 * (player * player % 19) + at % 3)
            })
            .collect();
        let shared = SharedPlayers::of(games.iter().map(GameFacts::pair));
        let [independent, found] = [&SharedPlayers::default(), &shared].map(|shared| lengths(&games, shared));
        let compared = |found: &LengthFindings| found.attackers_against_defenders.unwrap();
        let superiority = [&independent, &found].map(|found| compared(found).superiority);
        assert_eq!(superiority[0].value, superiority[1].value);
        assert!(superiority[1].width() > 2.0 * superiority[0].width(), "{superiority:?}");
        assert!(compared(&found).p > compared(&independent).p);
        let width = |found: &LengthFindings| found.all.as_ref().unwrap().mean.interval.unwrap().width();
        assert!(width(&found) > 2.0 * width(&independent));
        let last = |found: &LengthFindings| {
            let middle = &found.by_ply.as_ref().unwrap().lasting;
            middle.iter().find(|point| point.proportion.value < 0.6).unwrap().proportion.width()
        };
        assert!(last(&found) > 2.0 * last(&independent));
    }
}
