//! The tables and views of SQL queries, as lazy frames: only what a query uses is read and computed.

use polars::prelude::{
    DataType, Expr, JoinArgs, JoinType, LazyFrame, MaintainOrderJoin, UnionArgs, col, concat, len, lit,
};

use super::functions::SqlFunction;
use crate::error::Result;
use crate::folder::Corpus;
use crate::id_column::for_sql;
use crate::move_log::GameResult;
use crate::scan::query_error;
use crate::schema::{EVALS, GAMES, PLIES};

/// The last ply of the view `openings`.
pub(super) const OPENING_PLIES: u32 = 20;

/// The names of the tables and views.
pub(super) const NAMES: [&str; 5] = ["games", "plies", "players", "openings", "evals"];

/// Returns a table or view by name.
///
/// # Errors
///
/// Returns the file that is missing or damaged.
pub(super) fn view(name: &str, corpus: &Corpus, moves: SqlFunction) -> Result<LazyFrame> {
    match name {
        "games" => Ok(for_sql(corpus.scan_games()?, GAMES.iter().map(|column| &column.field))),
        "plies" => Ok(for_sql(corpus.scan_plies()?, PLIES.iter())),
        "players" => players(corpus.scan_games()?),
        "openings" => Ok(openings(corpus, moves)?),
        _ => Ok(for_sql(corpus.scan_evals()?, EVALS.iter().map(|eval| &eval.field))),
    }
}

fn count(condition: Expr) -> Expr {
    condition.cast(DataType::Int64).sum()
}

fn is_result(result: GameResult) -> Expr {
    col("result").eq(lit(result.as_str()))
}

/// One row for each name of a player, in the order of the corpus.
fn players(games: LazyFrame) -> Result<LazyFrame> {
    let side = |side: &'static str, rating: &'static str| {
        games.clone().filter(col(side).is_not_null()).select([
            col(side).alias("player"),
            lit(side).alias("side"),
            col("result"),
            col(rating).alias("rating"),
            col("date"),
        ])
    };
    let all = [side("attackers", "attackers_rating"), side("defenders", "defenders_rating")];
    let all = concat(all, UnionArgs::default()).map_err(query_error)?;
    let is_side = |side: &'static str| col("side").eq(lit(side));
    let is_won = || col("result").eq(col("side"));
    let is_decided = || is_result(GameResult::Attackers).or(is_result(GameResult::Defenders));
    Ok(all.group_by_stable([col("player")]).agg([
        len().cast(DataType::Int64).alias("games"),
        count(is_won()).alias("won"),
        count(is_decided().and(is_won().not())).alias("lost"),
        count(is_result(GameResult::Draw)).alias("drawn"),
        count(is_result(GameResult::Unfinished)).alias("unfinished"),
        count(is_side("attackers")).alias("as_attackers"),
        count(is_side("attackers").and(is_won())).alias("won_as_attackers"),
        count(is_side("defenders")).alias("as_defenders"),
        count(is_side("defenders").and(is_won())).alias("won_as_defenders"),
        col("rating").max().cast(DataType::Int64).alias("highest_rating"),
        col("date").min().alias("first_date"),
        col("date").max().alias("last_date"),
    ]))
}

/// One row for each position that games of the same rules reach in their first plies, at each ply.
fn openings(corpus: &Corpus, moves: SqlFunction) -> Result<LazyFrame> {
    let plies = corpus.scan_plies()?.select([col("game"), col("ply"), col("key")]);
    let plies = plies.filter(col("ply").lt_eq(lit(OPENING_PLIES)));
    let games = corpus.scan_games()?.select([col("game"), col("variant"), col("rules_id"), col("result")]);
    let join = JoinArgs { maintain_order: MaintainOrderJoin::Left, ..JoinArgs::new(JoinType::Inner) };
    let joined = plies.join(games, [col("game")], [col("game")], join);
    // Games with the same rules may name different variants.
    let by = [col("rules_id"), col("ply"), col("key")];
    let grouped = joined.group_by_stable(by).agg([
        len().cast(DataType::Int64).alias("games"),
        count(is_result(GameResult::Attackers)).alias("attackers"),
        count(is_result(GameResult::Defenders)).alias("defenders"),
        count(is_result(GameResult::Draw)).alias("draws"),
        count(is_result(GameResult::Unfinished)).alias("unfinished"),
        col("variant").first(),
        col("game").first(),
    ]);
    let of_games =
        GAMES.iter().map(|column| &column.field).filter(|field| matches!(field.name, "game" | "rules_id"));
    let shown = of_games.chain(PLIES.iter().filter(|field| matches!(field.name, "key" | "ply")));
    let line = moves.call(vec![col("game"), col("ply")]).alias("moves");
    Ok(for_sql(grouped, shown).with_column(line).select([
        col("variant"),
        col("rules_id"),
        col("ply"),
        col("moves"),
        col("key"),
        col("games"),
        col("attackers"),
        col("defenders"),
        col("draws"),
        col("unfinished"),
        col("game"),
    ]))
}
