//! The functions of SQL queries that plain columns cannot express: boards, moves, and keys.
//!
//! Each function gets whole columns. [`CorpusFunctions::boards_of_keys`] therefore reads the keys of the corpus once for all
//! rows, and replays only the games that it needs.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use polars::prelude::{
    BaseColumnUdf, Column, DataType, Expr, Field, IntoColumn, PolarsError, PolarsResult, Schema,
    StringChunked, UserDefinedFunction, new_column_udf,
};
use polars::sql::{FunctionOptions, FunctionRegistry};
use tafl_rules::{AnyRulebook, Piece, RuleSet, Setup, Side, Symmetry, canonical_key};

use crate::checked_tables::in_polars;
use crate::folder::{Corpus, GameAt};
use crate::id::GameId;
use crate::id_column::ids_of;
use crate::move_log::{MoveLogError, ReplayCursor};
use crate::pattern::boards_with_ranks;

/// A function of SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SqlFunctionName {
    /// `board(key)`, `board(game, ply)`.
    Board,
    /// `moves(game, ply)`.
    Moves,
    /// `piece(board, cell)`.
    Piece,
    /// `position_key(rules, board, side)`.
    PositionKey,
}

impl SqlFunctionName {
    const ALL: [SqlFunctionName; 4] = [
        SqlFunctionName::Board,
        SqlFunctionName::Moves,
        SqlFunctionName::Piece,
        SqlFunctionName::PositionKey,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            SqlFunctionName::Board => "board",
            SqlFunctionName::Moves => "moves",
            SqlFunctionName::Piece => "piece",
            SqlFunctionName::PositionKey => "position_key",
        }
    }

    /// Returns the forms of the call.
    const fn usage(self) -> &'static str {
        match self {
            SqlFunctionName::Board => "board(key) or board(game, ply)",
            SqlFunctionName::Moves => "moves(game, ply)",
            SqlFunctionName::Piece => "piece(board, 'd4')",
            SqlFunctionName::PositionKey => "position_key('brandubh7', board, 'defenders')",
        }
    }
}

/// The functions of a query.
#[derive(Clone)]
pub(super) struct SqlFunctions(Arc<CorpusFunctions>);

impl SqlFunctions {
    pub(super) fn new(corpus: &Corpus) -> SqlFunctions {
        SqlFunctions(Arc::new(CorpusFunctions { corpus: corpus.clone(), games: OnceLock::new() }))
    }

    pub(super) fn get(&self, name: SqlFunctionName) -> SqlFunction {
        SqlFunction { name, corpus: Arc::clone(&self.0) }
    }
}

impl FunctionRegistry for SqlFunctions {
    fn register(&mut self, name: &str, _: UserDefinedFunction) -> PolarsResult<()> {
        Err(fault(format!("the function `{name}` can't be added")))
    }

    fn get_udf(&self, name: &str) -> PolarsResult<Option<UserDefinedFunction>> {
        let known = SqlFunctionName::ALL.into_iter().find(|known| known.as_str() == name);
        Ok(known.map(|known| self.get(known).definition()))
    }

    fn contains(&self, name: &str) -> bool {
        SqlFunctionName::ALL.iter().any(|known| known.as_str() == name)
    }
}

/// A function with the corpus that it reads.
#[derive(Clone)]
pub(super) struct SqlFunction {
    name: SqlFunctionName,
    corpus: Arc<CorpusFunctions>,
}

impl SqlFunction {
    /// Returns the call of the function as an expression.
    pub(super) fn call(self, arguments: Vec<Expr>) -> Expr {
        self.definition().call(arguments)
    }

    fn definition(self) -> UserDefinedFunction {
        let name = self.name;
        let field = move |_: &Schema, _: &[Field]| Ok(Field::new(name.as_str().into(), DataType::String));
        let run = move |columns: &mut [Column]| self.run(columns);
        UserDefinedFunction {
            name: name.as_str().into(),
            fun: new_column_udf(BaseColumnUdf::new(run, field)),
            options: FunctionOptions::elementwise(),
        }
    }

    fn run(&self, columns: &[Column]) -> PolarsResult<Column> {
        let arguments = SqlArguments::of(self.name, columns);
        let values: Vec<Option<String>> = match (self.name, columns.len()) {
            (SqlFunctionName::Board, 1) => self.corpus.boards_of_keys(&arguments.ids(0)?)?,
            (SqlFunctionName::Board, 2) => self.corpus.replays(&arguments, |cursor, ply| {
                advance(cursor, ply)?;
                Ok(cursor.state().setup().to_string())
            })?,
            (SqlFunctionName::Moves, 2) => self.corpus.replays(&arguments, line_to)?,
            (SqlFunctionName::Piece, 2) => {
                let cells = arguments.texts(1)?;
                arguments
                    .texts(0)?
                    .iter()
                    .zip(&cells)
                    .map(|(board, cell)| piece((*board)?, (*cell)?))
                    .collect()
            }
            (SqlFunctionName::PositionKey, 3) => position_keys(&arguments)?,
            _ => return Err(fault(format!("wrong number of arguments; expected {}", self.name.usage()))),
        };
        let texts: StringChunked = values.into_iter().collect();
        Ok(texts.with_name(self.name.as_str().into()).into_column())
    }
}

/// The arguments of a call: columns of the same length.
struct SqlArguments {
    name: SqlFunctionName,
    columns: Vec<Column>,
}

impl SqlArguments {
    /// Returns the arguments as columns of the same length: literals, which have one row, are repeated.
    fn of(name: SqlFunctionName, columns: &[Column]) -> SqlArguments {
        let height = columns.iter().map(Column::len).find(|length| *length != 1).unwrap_or(1);
        let same = |column: &Column| match column.len() {
            1 if height != 1 => column.new_from_index(0, height),
            _ => column.clone(),
        };
        SqlArguments { name, columns: columns.iter().map(same).collect() }
    }

    fn texts(&self, nth: usize) -> PolarsResult<Vec<Option<&str>>> {
        let texts = self.columns[nth].str().map_err(|_| self.fault(nth, "a text"))?;
        Ok(texts.iter().collect())
    }

    fn ids(&self, nth: usize) -> PolarsResult<Vec<Option<u64>>> {
        ids_of(&self.columns[nth]).map_err(|_| self.fault(nth, "an ID of 16 hexadecimal digits"))
    }

    fn numbers(&self, nth: usize) -> PolarsResult<Vec<Option<u32>>> {
        let column = &self.columns[nth];
        if !column.dtype().is_primitive_numeric() {
            return Err(self.fault(nth, "a number"));
        }
        let numbers = column.cast(&DataType::Int64)?;
        Ok(numbers.i64()?.iter().map(|number| u32::try_from(number?).ok()).collect())
    }

    fn fault(&self, nth: usize, expected: &str) -> PolarsError {
        fault(format!("argument {} of {} is not {expected}", nth + 1, self.name.usage()))
    }
}

fn fault(message: impl Into<String>) -> PolarsError {
    PolarsError::ComputeError(message.into().into())
}

/// The corpus that the functions read, with the locations of its games.
struct CorpusFunctions {
    corpus: Corpus,
    games: OnceLock<HashMap<GameId, GameAt>>,
}

impl CorpusFunctions {
    /// Returns the locations of all games that were not removed.
    fn games(&self) -> PolarsResult<&HashMap<GameId, GameAt>> {
        if let Some(games) = self.games.get() {
            return Ok(games);
        }
        let mut games = HashMap::new();
        for (nth, segment) in self.corpus.segments().iter().enumerate() {
            let ids = segment.game_ids().map_err(in_polars)?;
            let live = (0..).zip(ids).filter(|(row, _)| !segment.is_removed(*row));
            games.extend(live.map(|(row, game)| (game, GameAt { segment: nth, row })));
        }
        Ok(self.games.get_or_init(|| games))
    }

    /// Returns a value for each pair of a game and a ply, from a replay of the game; null for unknown ones.
    fn replays(
        &self,
        arguments: &SqlArguments,
        value: impl Fn(&mut ReplayCursor<'_>, u32) -> Result<String, MoveLogError>,
    ) -> PolarsResult<Vec<Option<String>>> {
        let (ids, plies) = (arguments.ids(0)?, arguments.numbers(1)?);
        let games = self.games()?;
        let value = |id: &Option<u64>, ply: Option<u32>| {
            let (Some(at), Some(ply)) = (id.and_then(|id| games.get(&GameId(id))), ply) else {
                return Ok(None);
            };
            let segment = &self.corpus.segments()[at.segment];
            let log = segment.move_log()?;
            if ply > log.entry(at.row).n_plies {
                return Ok(None);
            }
            let replayed = log.cursor(at.row).and_then(|mut cursor| value(&mut cursor, ply));
            replayed.map(Some).map_err(|error| segment.move_log_error(error))
        };
        let values = ids.iter().zip(plies).map(|(id, ply)| value(id, ply));
        values.collect::<Result<_, _>>().map_err(in_polars)
    }

    /// Returns the board of the first position of the corpus with each key; null for unknown keys.
    fn boards_of_keys(&self, keys: &[Option<u64>]) -> PolarsResult<Vec<Option<String>>> {
        let mut wanted: HashSet<i64> = keys.iter().flatten().map(|key| *key as i64).collect();
        let mut boards: HashMap<i64, String> = HashMap::with_capacity(wanted.len());
        for segment in self.corpus.segments() {
            if wanted.is_empty() {
                break;
            }
            let frame = segment.plies_table().read_columns(&["key"]).map_err(in_polars)?;
            let mut rows = frame.column("key")?.i64()?.iter();
            let log = segment.move_log().map_err(in_polars)?;
            for game in 0..log.n_games() {
                let n_plies = log.entry(game).n_plies;
                let is_removed = segment.is_removed(game);
                let keys = (1..=n_plies).map_while(|ply| Some((ply, rows.next()?)));
                let found: Vec<(u32, i64)> = keys
                    .filter_map(|(ply, key)| Some((ply, key?)))
                    .filter(|(_, key)| !is_removed && wanted.remove(key))
                    .collect();
                if !found.is_empty() {
                    let mut play = || {
                        let mut cursor = log.cursor(game)?;
                        for (ply, key) in &found {
                            advance(&mut cursor, *ply)?;
                            boards.insert(*key, cursor.state().setup().to_string());
                        }
                        Ok(())
                    };
                    play().map_err(|error| in_polars(segment.move_log_error(error)))?;
                }
            }
        }
        Ok(keys.iter().map(|key| boards.get(&((*key)? as i64)).cloned()).collect())
    }
}

fn advance(cursor: &mut ReplayCursor<'_>, ply: u32) -> Result<(), MoveLogError> {
    while cursor.state().ply < ply && cursor.advance()? {}
    Ok(())
}

/// Returns the moves up to a ply, with spaces between them.
fn line_to(cursor: &mut ReplayCursor<'_>, ply: u32) -> Result<String, MoveLogError> {
    let mut line = String::new();
    while cursor.state().ply < ply && cursor.advance()? {
        let state = cursor.state();
        if let Some(mv) = state.last {
            if !line.is_empty() {
                line.push(' ');
            }
            line += &mv.display(state.shape()).to_string();
        }
    }
    Ok(line)
}

/// Returns the letter of the piece on a cell of a position record, or `.` for an empty cell; `None` if the board lacks
/// the cell, or if the text is not a position record.
fn piece(board: &str, cell: &str) -> Option<String> {
    let mut shapes = boards_with_ranks(board.trim_matches('/').split('/').count());
    let setup = shapes.find_map(|shape| Setup::parse(shape, board).ok())?;
    let cell = setup.shape().cell(cell.parse().ok()?)?;
    Some(setup.piece(cell).map_or('.', Piece::letter).to_string())
}

/// Returns the keys of positions by the rules of variants.
fn position_keys(arguments: &SqlArguments) -> PolarsResult<Vec<Option<String>>> {
    let mut known: HashMap<String, (RuleSet, Vec<Symmetry>)> = HashMap::new();
    let columns = [arguments.texts(0)?, arguments.texts(1)?, arguments.texts(2)?];
    let mut keys = Vec::with_capacity(columns[0].len());
    for ((rules, board), side) in columns[0].iter().zip(&columns[1]).zip(&columns[2]) {
        let (Some(rules), Some(board), Some(side)) = (rules, board, side) else {
            keys.push(None);
            continue;
        };
        if !known.contains_key(*rules) {
            known.insert((*rules).to_owned(), compiled(rules)?);
        }
        let (rules, symmetries) = &known[*rules];
        let setup = Setup::parse(rules.shape(), board)
            .map_err(|error| fault(format!("`{board}` is not a position record: {error}")))?;
        let side: Side = side
            .parse()
            .map_err(|_| fault(format!("unknown side `{side}`; expected attackers or defenders")))?;
        keys.push(Some(canonical_key(&setup, side, None, symmetries).to_string()));
    }
    Ok(keys)
}

fn compiled(text: &str) -> PolarsResult<(RuleSet, Vec<Symmetry>)> {
    let rules = if text.contains(':') {
        text.parse::<RuleSet>().map_err(|error| fault(error.to_string()))?
    } else {
        RuleSet::named(text).map_err(|error| fault(error.to_string()))?
    };
    let book = AnyRulebook::compile(&rules).map_err(|error| fault(error.to_string()))?;
    let symmetries = book.symmetries().to_vec();
    Ok((rules, symmetries))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_position_records_are_found() {
        let board = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
        let letters = ["a1", "d1", "d3", "d4", "h1", "x"].map(|cell| piece(board, cell));
        let expected = [Some("."), Some("t"), Some("T"), Some("K"), None, None];
        assert_eq!(letters, expected.map(|letter| letter.map(str::to_owned)));
        assert_eq!(piece("no board", "a1"), None);
    }
}
