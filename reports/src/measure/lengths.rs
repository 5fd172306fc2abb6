//! The lengths of games, by winner and reason.

use tafl_corpus::GameResult;
use tafl_rules::{BySide, Side};

use super::games::GameFacts;
use super::tally::Ended;
use crate::stats::NotEstimable;
use crate::stats::compare::{Ranks, ranks};
use crate::stats::quantile::Summary;
use crate::stats::survival::{Incidence, SurvivalEnding, SurvivalPoint, incidence, thinned};

/// The lengths of games.
#[derive(Debug, Clone, PartialEq)]
pub struct Lengths {
    /// All finished games.
    pub all: Option<Summary>,
    /// Games won by each side.
    pub by_winner: BySide<Option<Summary>>,
    /// Drawn games.
    pub draws: Option<Summary>,
    /// By winner and reason, most frequent first.
    pub by_reason: Vec<(Ended, Summary)>,
    /// The comparison of the attackers' wins with the defenders' wins.
    pub attackers_against_defenders: Option<Ranks>,
    /// The number of games by length and result.
    pub histogram: Vec<LengthBin>,
    /// The share ended by each ply: attackers, defenders, draws, in this order.
    pub by_ply: Result<Incidence, NotEstimable>,
    /// The same by winner and reason, in the order of [`Lengths::causes`].
    pub by_ply_and_reason: Result<Incidence, NotEstimable>,
    /// The causes of [`Lengths::by_ply_and_reason`], most frequent first.
    pub causes: Vec<Ended>,
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
const POINTS: usize = 120;

/// The maximum number of causes with a curve.
const CAUSES: usize = 8;

/// Returns the lengths of games.
pub fn lengths(games: &[GameFacts]) -> Lengths {
    let of = |is_wanted: &dyn Fn(&GameFacts) -> bool| -> Vec<f64> {
        games.iter().filter(|game| is_wanted(game)).map(|game| f64::from(game.plies)).collect()
    };
    let won = BySide::from_fn(|side: Side| of(&|game| game.winner() == Some(side)));
    let causes = causes(games);
    let by_reason = causes
        .iter()
        .filter_map(|cause| Some((*cause, Summary::of(of(&|game| Ended::of(game) == *cause))?)))
        .collect();
    let kept: Vec<Ended> = causes.into_iter().take(CAUSES).collect();
    let by_winner = |game: &GameFacts| match game.result {
        GameResult::Attackers => Some(0),
        GameResult::Defenders => Some(1),
        GameResult::Draw => Some(2),
        GameResult::Unfinished => None,
    };
    // All remaining causes are combined into one, so that it competes with the others.
    let by_cause = |game: &GameFacts| {
        let ended = Ended::of(game);
        let at = kept.iter().position(|cause| *cause == ended).unwrap_or(kept.len());
        (game.result != GameResult::Unfinished).then_some(at)
    };
    Lengths {
        all: Summary::of(of(&|game| game.result != GameResult::Unfinished)),
        draws: Summary::of(of(&|game| game.result == GameResult::Draw)),
        attackers_against_defenders: ranks(&won.attackers, &won.defenders),
        by_winner: BySide { attackers: Summary::of(won.attackers), defenders: Summary::of(won.defenders) },
        by_reason,
        histogram: histogram(games),
        by_ply: curves(games, 3, &by_winner),
        by_ply_and_reason: curves(games, kept.len() + 1, &by_cause),
        causes: kept,
    }
}

fn causes(games: &[GameFacts]) -> Vec<Ended> {
    let tally = super::tally::Tally::of(games);
    let mut all: Vec<(Ended, u64)> = tally.reasons.into_iter().collect();
    all.retain(|(ended, _)| ended.reason != tafl_rules::Reason::Unfinished);
    all.sort_by_key(|(ended, n)| (std::cmp::Reverse(*n), *ended));
    all.into_iter().map(|(ended, _)| ended).collect()
}

fn curves(
    games: &[GameFacts],
    n: usize,
    cause: &dyn Fn(&GameFacts) -> Option<usize>,
) -> Result<Incidence, NotEstimable> {
    let endings: Vec<SurvivalEnding> =
        games.iter().map(|game| SurvivalEnding { plies: game.plies, cause: cause(game) }).collect();
    let mut found = incidence(&endings, n)?;
    let thin = |points: &mut Vec<SurvivalPoint>| *points = thinned(points, POINTS);
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
    let most = *plies.select_nth_unstable(at).1;
    let width = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 50_000]
        .into_iter()
        .find(|width| most / width < 25)
        .unwrap_or(1_000_000);
    let n = most / width + 2;
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
