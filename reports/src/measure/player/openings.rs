//! The openings of a player.

use std::collections::HashMap;

use tafl_corpus::{Corpus, Result};
use tafl_rules::{Move, Side};

use super::GameSide;
use super::results::{PlayerScore, scored};
use crate::measure::board_symmetry::BoardSymmetry;
use crate::measure::games::Games;
use crate::measure::playable_game::PlayableGames;
use crate::measure::strength_model::StrengthModel;
use crate::stats::{Rate, benjamini_hochberg};

/// The lengths of openings in plies. The longest one is used whose frequent openings have a third of the games.
const LENGTHS: [usize; 3] = [4, 3, 2];
/// The minimum number of games of an opening.
const MIN_GAMES: usize = 2;
/// The maximum number of openings with each side of a variant.
const MAX_OPENINGS: usize = 6;
/// The maximum number of variants whose openings are listed.
const MAX_VARIANTS: usize = 4;

/// An opening that a player had on the board.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerOpening {
    /// The index of the variant in [`Games::variants`].
    pub variant: u32,
    /// The side of the player.
    pub side: Side,
    /// The moves in canonical orientation, such as `d1-d3 e5-e2`.
    pub moves_text: String,
    /// The proportion of the player's games with this side of the variant.
    pub proportion: Rate,
    /// The results.
    pub score: PlayerScore,
    /// The p-value of the difference from the expected score, adjusted by Benjamini and Hochberg over all openings of
    /// the player.
    pub p_fdr: Option<f64>,
}

/// Returns the most frequent openings of a player with each side, in the variants with the most games.
///
/// # Errors
///
/// Returns the path of a damaged file.
pub(super) fn player_openings(
    corpus: &Corpus,
    games: &Games,
    own: &[GameSide<'_>],
    model: &StrengthModel,
) -> Result<Vec<PlayerOpening>> {
    let mut stored = PlayableGames::new(corpus);
    let mut found = Vec::new();
    for variant in most_played(own) {
        let Some(board) = BoardSymmetry::of_variant(games, variant) else { continue };
        for side in Side::ALL {
            let mut played: Vec<(GameSide<'_>, Vec<Move>)> = Vec::new();
            for game_side in
                own.iter().filter(|game_side| is_counted(game_side, variant) && game_side.side == side)
            {
                let moves = stored.game(game_side.game)?.map(|game| game.moves);
                played.push((*game_side, moves.unwrap_or_default()));
            }
            for (line, game_sides) in frequent_lines(&board, &played) {
                let proportion = Rate::of(game_sides.len() as u64, played.len() as u64);
                let Some(proportion) = proportion else { continue };
                let score = scored(&game_sides, model);
                let moves_text = board.text(&line);
                found.push(PlayerOpening { variant, side, moves_text, proportion, score, p_fdr: None });
            }
        }
    }
    adjust(&mut found);
    Ok(found)
}

/// An opening with its games.
type LineGames<'g> = (Vec<Move>, Vec<GameSide<'g>>);

/// Returns the most frequent openings of some games.
fn frequent_lines<'g>(board: &BoardSymmetry, played: &[(GameSide<'g>, Vec<Move>)]) -> Vec<LineGames<'g>> {
    let mut found = Vec::new();
    for plies in LENGTHS {
        let mut lines: HashMap<Vec<Move>, Vec<GameSide<'_>>> = HashMap::new();
        for (game_side, moves) in played.iter().filter(|(_, moves)| moves.len() >= plies) {
            lines.entry(board.canonical(&moves[..plies])).or_default().push(*game_side);
        }
        let mut lines: Vec<LineGames<'_>> = lines.into_iter().collect();
        lines.retain(|(_, game_sides)| game_sides.len() >= MIN_GAMES);
        lines.sort_by(|one, two| (two.1.len(), &one.0).cmp(&(one.1.len(), &two.0)));
        lines.truncate(MAX_OPENINGS);
        let n: usize = lines.iter().map(|(_, game_sides)| game_sides.len()).sum();
        found = lines;
        if n * 3 >= played.len() {
            break;
        }
    }
    found
}

fn is_counted(game_side: &GameSide<'_>, variant: u32) -> bool {
    game_side.game.variant == variant && !game_side.game.has_other_start()
}

/// Returns the variants in which the player has the most games.
fn most_played(own: &[GameSide<'_>]) -> Vec<u32> {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    own.iter().for_each(|game_side| *counts.entry(game_side.game.variant).or_default() += 1);
    let mut order: Vec<(u32, usize)> = counts.into_iter().collect();
    order.sort_by_key(|(variant, n)| (std::cmp::Reverse(*n), *variant));
    order.into_iter().take(MAX_VARIANTS).map(|(variant, _)| variant).collect()
}

/// Adjusts the p-values of the openings for their number.
fn adjust(found: &mut [PlayerOpening]) {
    let tested: Vec<(usize, f64)> =
        found.iter().enumerate().filter_map(|(at, opening)| Some((at, opening.score.expected?.p))).collect();
    let values: Vec<f64> = tested.iter().map(|(_, p)| *p).collect();
    for ((at, _), p) in tested.into_iter().zip(benjamini_hochberg(&values)) {
        found[at].p_fdr = Some(p);
    }
}
