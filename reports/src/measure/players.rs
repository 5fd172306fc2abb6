//! Players: their results by side, their strengths, and their opponents.

use polars::prelude::{Expr, col, lit};
use tafl_corpus::GameResult;
use tafl_rules::{BySide, Side};

use super::frame::{self, FrameColumn};
use super::games::Games;
use super::strength_model::StrengthModel;
use crate::stats::score::WdlCounts;
use crate::stats::{Estimate, NotEstimable};

/// A player.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerFigures {
    /// The index in [`Games::players`].
    pub number: u32,
    /// The name.
    pub name: String,
    /// The player's results with each side; unfinished games are excluded.
    pub by_side: BySide<WdlCounts>,
    /// The mean score over all games.
    pub score: Result<Estimate, NotEstimable>,
    /// The mean score with each side.
    pub score_by_side: BySide<Result<Estimate, NotEstimable>>,
    /// The strength in Elo around 0, adjusted for sides and opponents.
    pub elo: Result<Estimate, NotEstimable>,
    /// The number of distinct opponents.
    pub opponents: u64,
    /// The first and the last year, if known.
    pub years: Option<(i16, i16)>,
}

impl PlayerFigures {
    /// Returns the number of finished games.
    pub fn games(&self) -> u64 {
        self.by_side.attackers.n() + self.by_side.defenders.n()
    }

    /// Returns the results with both sides.
    pub fn record(&self) -> WdlCounts {
        add(self.by_side.attackers, self.by_side.defenders)
    }
}

fn add(one: WdlCounts, two: WdlCounts) -> WdlCounts {
    WdlCounts { wins: one.wins + two.wins, draws: one.draws + two.draws, losses: one.losses + two.losses }
}

/// A table of players.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerTable {
    /// The players, strongest first; those without a strength come last, by number of games.
    pub players: Vec<PlayerFigures>,
    /// The reason why no player has a strength.
    pub missing: Option<NotEstimable>,
    /// The number of variants with finished games that name two different players. Strengths are adjusted for the
    /// advantage of the attackers in each of them.
    pub variants: usize,
    /// This advantage in Elo if there is only one variant.
    pub advantage: Option<Estimate>,
    /// The number of games that do not name both players, or name the same one twice.
    pub unnamed: u64,
}

/// Returns the table of all players of games.
pub fn player_table(games: &Games) -> PlayerTable {
    let unnamed = games.rows.iter().filter(|game| game.pair().is_none()).count() as u64;
    let model = StrengthModel::of(games);
    let mut players = counted(games);
    for player in &mut players {
        player.elo = model.strength(player.number).map(|strength| strength.elo());
    }
    let key = |player: &PlayerFigures| player.elo.map_or(f64::NEG_INFINITY, |elo| elo.value);
    players.sort_by(|one, two| {
        let by_name = || (two.games(), &one.name).cmp(&(one.games(), &two.name));
        key(two).total_cmp(&key(one)).then_with(by_name)
    });
    PlayerTable {
        players,
        missing: model.missing(),
        variants: model.n_variants(),
        advantage: model.advantage(),
        unnamed,
    }
}

/// Returns the players with their results, without their strengths, in any order.
fn counted(games: &Games) -> Vec<PlayerFigures> {
    let ended = |side: Side, result: GameResult| {
        let is_so = col("side").eq(lit(side as u32)).and(FrameColumn::Result.col().eq(lit(result as u32)));
        is_so.sum().alias(format!("{side} {}", result.as_str()))
    };
    let ends = Side::ALL.into_iter().flat_map(|side| GameResult::ALL.map(|result| ended(side, result)));
    let year = || FrameColumn::Year.col();
    let more = [
        col("opponent").n_unique().alias("opponents"),
        year().min().alias("first"),
        year().max().alias("last"),
    ];
    let query =
        frame::game_sides(&games.rows, &[FrameColumn::Result, FrameColumn::Year]).group_by([col("player")]);
    let found = frame::answer(query.agg(ends.chain(more).collect::<Vec<Expr>>()));
    let counts = |name: &str| frame::counts(&found, name);
    let by_side = BySide::from_fn(|side: Side| {
        let [wins, losses] = [side, side.other()].map(|winner| {
            let result =
                if winner == Side::Attackers { GameResult::Attackers } else { GameResult::Defenders };
            counts(&format!("{side} {}", result.as_str()))
        });
        (wins, counts(&format!("{side} {}", GameResult::Draw.as_str())), losses)
    });
    let years = |name: &str| -> Vec<Option<i16>> {
        let year = |year: Option<i64>| year.and_then(|year| i16::try_from(year).ok());
        frame::numbers(&found, name).into_iter().map(year).collect()
    };
    let (first, last, opponents) = (years("first"), years("last"), counts("opponents"));
    let player = |(at, number): (usize, Option<u32>)| {
        let number = number?;
        let by_side = BySide::from_fn(|side: Side| {
            let (wins, draws, losses) = &by_side[side];
            WdlCounts { wins: wins[at], draws: draws[at], losses: losses[at] }
        });
        Some(PlayerFigures {
            number,
            name: games.players.name(number).to_owned(),
            by_side,
            score: add(by_side.attackers, by_side.defenders).score(),
            score_by_side: BySide::from_fn(|side| by_side[side].score()),
            elo: Err(NotEstimable::NoOpponents),
            opponents: opponents[at],
            years: first[at].zip(last[at]),
        })
    };
    frame::keys(&found, "player").into_iter().enumerate().filter_map(player).collect()
}
