//! A player: results by side, variant, opening, strength of the opponents, and month; accuracy, errors, and where the
//! player leaves known lines.

mod breakdown;
mod departures;
mod errors;
mod openings;
mod results;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use tafl_corpus::{Corpus, GameAt, Result};
use tafl_rules::{BySide, Side};

use super::games::{GameFacts, Games};
use super::names::NameNumber;
use super::strength_model::StrengthModel;
use super::tags::column_texts;
use super::time_order::in_stable_order;
use crate::stats::{Estimate, NotEstimable};

pub use breakdown::{PlayerBreakdown, PlayerGame, PlayerTally};
pub use departures::{Departure, DepartureFindings};
pub use errors::{ErrorFindings, EvaluatedGames, MotifCount, SideAccuracy};
pub use openings::PlayerOpening;
pub use results::{ExpectedScore, PlayerScore, StrengthGap};

use openings::player_openings;
use results::{gap, scored};

/// The figures of a player.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerProfile {
    /// The name.
    pub name: String,
    /// The number of games, also unfinished ones.
    pub games: u64,
    /// The number of unfinished games.
    pub unfinished: u64,
    /// The results of all games.
    pub total: PlayerScore,
    /// The results with each side.
    pub by_side: BySide<PlayerScore>,
    /// The results in each variant with each side, by number of games: the index of the variant first.
    pub by_variant: Vec<(u32, BySide<PlayerScore>)>,
    /// The strength in Elo around the mean of all players.
    pub elo: std::result::Result<Estimate, NotEstimable>,
    /// The openings, most frequent first.
    pub openings: Vec<PlayerOpening>,
}

/// The whole report on a player.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerReportFindings {
    /// The player.
    pub player: PlayerProfile,
    /// The results by the strength of the opponents relative to the player.
    pub by_gap: Vec<(StrengthGap, PlayerScore)>,
    /// The results by month, such as `2019-03`, the first one first; games without a month are left out.
    pub by_month: Vec<(String, PlayerScore)>,
    /// The results against each opponent, the most frequent one first.
    pub by_opponent: Vec<(String, PlayerScore)>,
    /// The accuracy and the errors; `None` if no game of the player is evaluated.
    pub errors: Option<ErrorFindings>,
    /// Where games leave known lines.
    pub departures: DepartureFindings,
    /// The opponent for whom the player prepares.
    pub against: Option<Preparation>,
    /// The number of games from which the strengths are estimated.
    pub rated_games: u64,
}

/// What is known about an opponent.
#[derive(Debug, Clone, PartialEq)]
pub struct Preparation {
    /// The results of the player against the opponent, with each side of the player.
    pub head_to_head: BySide<PlayerScore>,
    /// The opponent.
    pub opponent: PlayerProfile,
    /// The accuracy and the errors of the opponent.
    pub errors: Option<ErrorFindings>,
}

/// A game of a player with the side that the player had.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameSide<'g> {
    pub(super) game: &'g GameFacts,
    /// The index of the game in [`Games::rows`].
    pub(super) at: usize,
    pub(super) side: Side,
    pub(super) opponent: Option<u32>,
}

/// Returns the games of a player, once for each side that the player had, in the order of time if it is known.
fn game_sides(games: &Games, player: u32) -> Vec<GameSide<'_>> {
    let own = Some(NameNumber::new(player));
    let sides = |game: &GameFacts| {
        let players = game.players;
        Side::ALL.into_iter().filter(move |side| players[*side] == own)
    };
    let own = || games.rows.iter().enumerate().filter(|(_, game)| sides(game).next().is_some());
    let places: HashMap<GameAt, usize> = own().map(|(at, game)| (game.at(), at)).collect();
    let (sorted, _) = in_stable_order(own().map(|(_, game)| game));
    let mut game_sides = Vec::with_capacity(sorted.len());
    for game in sorted {
        let at = places[&game.at()];
        game_sides.extend(sides(game).map(|side| GameSide {
            game,
            at,
            side,
            opponent: game.player(side.other()),
        }));
    }
    game_sides
}

/// Groups the games of a player; `dates` has the date of each game in [`Games::rows`], or nothing.
fn breakdown<'g>(
    games: &'g Games,
    own: &[GameSide<'_>],
    dates: &[Option<String>],
) -> PlayerBreakdown<u32, &'g str> {
    let game = |game_side: &GameSide<'_>| PlayerGame {
        side: game_side.side,
        variant: game_side.game.variant,
        opponent: game_side.opponent.map(|opponent| games.players.name(opponent)),
        date: dates.get(game_side.at).cloned().flatten(),
    };
    PlayerBreakdown::of(&own.iter().map(game).collect::<Vec<_>>())
}

/// Returns the games with the given indices in `own`.
fn game_sides_at<'g>(own: &[GameSide<'g>], part: &[usize]) -> Vec<GameSide<'g>> {
    part.iter().map(|at| own[*at]).collect()
}

/// Returns the figures of a player, and of an opponent if one is given; both are indices in [`Games::players`].
///
/// Strengths are estimated from `rated`, with an advantage of the attackers in each variant. It contains `games` and perhaps
/// others, with the same indices of players and variants.
///
/// # Errors
///
/// Returns the path of a missing or damaged file.
pub fn player_findings(
    corpus: &Corpus,
    games: &Games,
    rated: &Games,
    player: u32,
    against: Option<u32>,
) -> Result<PlayerReportFindings> {
    let model = StrengthModel::of(rated);
    let own = game_sides(games, player);
    let dates = column_texts(corpus, games, "date")?;
    let groups = breakdown(games, &own, &dates);
    let score = |part: &[usize]| scored(&game_sides_at(&own, part), &model);
    let by_opponent = groups.by_opponent.iter();
    let by_opponent =
        by_opponent.filter_map(|(name, part)| Some(((*name)?.to_owned(), score(part)))).collect();
    let by_month = groups.by_month.iter().map(|(month, part)| (month.clone(), score(part))).collect();
    let by_gap = StrengthGap::ALL.map(|wanted| {
        let of_gap: Vec<GameSide<'_>> =
            own.iter().copied().filter(|game_side| gap(&model, game_side) == wanted).collect();
        (wanted, scored(&of_gap, &model))
    });
    let against = match against {
        Some(opponent) => Some(preparation(corpus, games, &own, opponent, &model)?),
        None => None,
    };
    Ok(PlayerReportFindings {
        player: profile(corpus, games, player, &model)?,
        by_gap: by_gap.into_iter().filter(|(_, score)| score.games() > 0).collect(),
        by_month,
        by_opponent,
        errors: errors::error_findings(corpus, &own)?,
        departures: departures::departures(corpus, games, player, &own)?,
        against,
        rated_games: rated.rows.len() as u64,
    })
}

fn preparation(
    corpus: &Corpus,
    games: &Games,
    own: &[GameSide<'_>],
    opponent: u32,
    model: &StrengthModel,
) -> Result<Preparation> {
    let met: Vec<GameSide<'_>> =
        own.iter().copied().filter(|game_side| game_side.opponent == Some(opponent)).collect();
    Ok(Preparation {
        head_to_head: BySide::from_fn(|side| scored(&of_side(&met, side), model)),
        opponent: profile(corpus, games, opponent, model)?,
        errors: errors::error_findings(corpus, &game_sides(games, opponent))?,
    })
}

fn of_side<'g>(game_sides: &[GameSide<'g>], side: Side) -> Vec<GameSide<'g>> {
    game_sides.iter().copied().filter(|game_side| game_side.side == side).collect()
}

fn profile(corpus: &Corpus, games: &Games, player: u32, model: &StrengthModel) -> Result<PlayerProfile> {
    let own = game_sides(games, player);
    let groups = breakdown(games, &own, &[]);
    let score = |part: &Vec<usize>| scored(&game_sides_at(&own, part), model);
    let by_side = |sides: &BySide<Vec<usize>>| BySide::from_fn(|side| score(&sides[side]));
    let total = scored(&own, model);
    Ok(PlayerProfile {
        name: games.players.name(player).to_owned(),
        games: own.len() as u64,
        unfinished: own.len() as u64 - total.games(),
        by_side: by_side(&groups.by_side),
        by_variant: groups.by_variant.iter().map(|(variant, sides)| (*variant, by_side(sides))).collect(),
        elo: model.strength(player).map(|strength| strength.elo()),
        openings: player_openings(corpus, games, &own, model)?,
        total,
    })
}
