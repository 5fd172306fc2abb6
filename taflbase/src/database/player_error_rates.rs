//! The accuracy and the error rates of a player, from the evaluations that the corpus keeps.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::GameId;
use tafl_reports::stats::Rate;
use tafl_reports::{EvaluatedGames, SideAccuracy};
use tafl_rules::Side;

use super::{CorpusSnapshot, ShareEstimate};
use crate::{Result, SideName};

/// The accuracy and the error rates of a player. Plies of a game are not independent, so the intervals are over games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerErrorRates {
    /// The number of evaluated games of the player.
    pub games: usize,
    /// The rates with each side, attackers first.
    pub sides: Vec<SideErrorRates>,
    /// The rates in each variant with each side, the most frequent variant first.
    pub variants: Vec<VariantErrorRates>,
}

/// The accuracy and the error rates of a player with a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SideErrorRates {
    /// The side.
    pub side: SideName,
    /// The number of evaluated games.
    pub games: u64,
    /// The number of evaluated plies.
    pub plies: u64,
    /// The accuracy from 0 to 1; null for fewer than two games.
    pub accuracy: Option<ShareEstimate>,
    /// The proportion of plies that are inaccuracies; null without plies.
    pub inaccuracies: Option<ShareEstimate>,
    /// The proportion of plies that are mistakes.
    pub mistakes: Option<ShareEstimate>,
    /// The proportion of plies that are blunders.
    pub blunders: Option<ShareEstimate>,
}

/// The accuracy and the error rates of a player in a variant with a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VariantErrorRates {
    /// The name of the variant; null for other rules.
    pub variant: Option<String>,
    /// The rates.
    #[serde(flatten)]
    pub errors: SideErrorRates,
}

/// A game of a player, and the side.
pub(super) struct EvaluatedGameSide {
    pub(super) game: GameId,
    pub(super) side: Side,
    pub(super) variant: Option<String>,
}

/// Returns the accuracy and the error rates in the given games; `None` if none of them is evaluated.
///
/// # Errors
///
/// Fails if a file of evaluations is damaged.
pub(super) fn player_error_rates(
    corpus: &CorpusSnapshot,
    game_sides: &[EvaluatedGameSide],
) -> Result<Option<PlayerErrorRates>> {
    let judged =
        EvaluatedGames::read(corpus.corpus(), game_sides.iter().map(|game_side| game_side.game.as_i64()))?;
    if judged.n_games() == 0 {
        return Ok(None);
    }
    let of = |side: Side, game_sides: &mut dyn Iterator<Item = &EvaluatedGameSide>| {
        let games =
            game_sides.filter(|game_side| game_side.side == side).map(|game_side| game_side.game.as_i64());
        SideErrorRates::of(side, judged.accuracy(side, games))
    };
    let mut by_variant: BTreeMap<Option<&str>, Vec<&EvaluatedGameSide>> = BTreeMap::new();
    for game_side in game_sides {
        by_variant.entry(game_side.variant.as_deref()).or_default().push(game_side);
    }
    let mut variants: Vec<VariantErrorRates> = Vec::new();
    for (variant, game_sides) in by_variant {
        let rates = Side::ALL.map(|side| of(side, &mut game_sides.iter().copied()));
        let evaluated = rates.into_iter().filter(|rates| rates.games > 0);
        variants.extend(
            evaluated.map(|errors| VariantErrorRates { variant: variant.map(str::to_owned), errors }),
        );
    }
    variants.sort_by_key(|row| Reverse(row.errors.games));
    let sides = Side::ALL.map(|side| of(side, &mut game_sides.iter())).into();
    Ok(Some(PlayerErrorRates { games: judged.n_games(), sides, variants }))
}

impl SideErrorRates {
    fn of(side: Side, found: SideAccuracy) -> SideErrorRates {
        let share = |rate: Option<Rate>| {
            let Rate { proportion, .. } = rate?;
            Some(ShareEstimate { value: proportion.value, low: proportion.low, high: proportion.high })
        };
        let accuracy = found.accuracy.map(|accuracy| ShareEstimate {
            value: accuracy.value / 100.0,
            low: accuracy.low / 100.0,
            high: accuracy.high / 100.0,
        });
        SideErrorRates {
            side: side.into(),
            games: found.games,
            plies: found.plies,
            accuracy,
            inaccuracies: share(found.inaccuracies),
            mistakes: share(found.mistakes),
            blunders: share(found.blunders),
        }
    }
}
