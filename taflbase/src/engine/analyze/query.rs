//! Queries, and the turns that they ask about.

use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tafl_analyzer::Limits;
use tafl_rules::{Game, RepetitionMode, Setup, Side};

use super::super::limits::SearchLimits;
use super::{AnalyzeReply, AnalyzeRequest};
use crate::escape::escape;
use crate::{
    Bounded, CancelToken, CompiledVariant, Error, ErrorKind, Job, PlayedPosition, PositionRequest, Result,
    RulesRequest, Seconds, SideName,
};

/// A query about positions of a game.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalyzeQuery {
    /// The name of the query, which its answers repeat: any JSON value.
    pub id: Value,
    /// The name of a variant, or a rules string.
    #[serde(alias = "rules")]
    pub variant: String,
    /// Changes of single rules of the variant.
    #[serde(default)]
    pub rule: Vec<String>,
    /// The position record of the start [default: that of the rules].
    pub position: Option<String>,
    /// The side to move in it.
    pub side: Option<SideName>,
    /// The moves that were played from there.
    #[serde(default)]
    pub moves: QueryMoves,
    /// The numbers of plies after which the position is searched [default: all moves].
    #[serde(alias = "analyzeTurns")]
    pub analyze_turns: Option<Vec<usize>>,
    /// The limits of each search, in place of those of the program.
    pub nodes: Option<u64>,
    /// The maximum depth in plies.
    pub depth: Option<u8>,
    /// The number of lines.
    #[serde(alias = "lines", alias = "multiPv")]
    pub multi_pv: Option<Bounded<1, 500, 1>>,
    /// The time between partial answers, in seconds. One is given after each depth that ends at least this time after the
    /// answer before it [default: none].
    #[serde(alias = "reportDuringSearchEvery")]
    pub report_every: Option<Seconds<0, 0>>,
    /// Queries of higher priority are searched first.
    #[serde(default)]
    pub priority: i64,
}

/// Moves as a text, or as a list.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected moves as a text or a list of texts")]
pub enum QueryMoves {
    /// `d1-d3 f4-f2`; `decline` declines to continue a chain.
    Text(String),
    /// `["d1-d3", "f4-f2"]`.
    List(Vec<String>),
}

impl Default for QueryMoves {
    fn default() -> QueryMoves {
        QueryMoves::Text(String::new())
    }
}

/// A line of the input.
pub(super) enum AnalyzeCommand {
    Query(Box<AnalyzeQuery>),
    /// Terminates the queries with an ID.
    Terminate {
        id: Value,
        terminate_id: Value,
    },
    TerminateAll {
        id: Value,
    },
}

/// What the turns of a query share.
pub(super) struct PreparedQuery {
    pub(super) id: Value,
    pub(super) rules: Arc<CompiledVariant>,
    pub(super) start: Setup,
    pub(super) first: Side,
    pub(super) limits: Limits,
    /// The minimum time between partial answers.
    pub(super) report_every: Option<Duration>,
    pub(super) priority: i64,
    pub(super) token: CancelToken,
}

/// A position that is to be searched.
pub(super) struct QueriedTurn {
    pub(super) query: Arc<PreparedQuery>,
    /// The number of plies before the position.
    pub(super) turn: usize,
    pub(super) game: Game,
}

impl QueriedTurn {
    /// Returns the reply about a turn that isn't searched.
    pub(super) fn terminated(&self) -> AnalyzeReply {
        AnalyzeReply::NotSearched { id: self.query.id.clone(), turn: self.turn, terminated: true }
    }
}

impl AnalyzeCommand {
    /// Reads a line, and returns its ID, if it has one, besides the command.
    pub(super) fn read(line: &[u8]) -> (Option<Value>, Result<AnalyzeCommand>) {
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => return (None, Err(bad(format!("not JSON: {error}")))),
        };
        let id = value.get("id").cloned();
        let command = match value.get("action").and_then(Value::as_str) {
            None => serde_path_to_error::deserialize(value)
                .map(|query| AnalyzeCommand::Query(Box::new(query)))
                .map_err(|error| bad(escape(&error.to_string()))),
            Some("terminate") => match value.get("terminate_id").or(value.get("terminateId")) {
                Some(terminate_id) => Ok(AnalyzeCommand::Terminate {
                    id: id.clone().unwrap_or_default(),
                    terminate_id: terminate_id.clone(),
                }),
                None => Err(bad("missing field `terminate_id`".to_owned())),
            },
            Some("terminate_all") => Ok(AnalyzeCommand::TerminateAll { id: id.clone().unwrap_or_default() }),
            Some(other) => {
                let other = escape(other);
                Err(bad(format!("unknown action `{other}`; expected `terminate` or `terminate_all`")))
            }
        };
        (id, command)
    }
}

fn bad(message: String) -> Error {
    Error::new(ErrorKind::BadParameter, message)
}

impl AnalyzeQuery {
    /// Plays the moves, and returns the turns to search in their order.
    pub(super) fn turns(self, defaults: &AnalyzeRequest, app: &crate::App) -> Result<Vec<QueriedTurn>> {
        let moves = match self.moves {
            QueryMoves::Text(text) => text,
            QueryMoves::List(list) => list.join(" "),
        };
        let rules = RulesRequest { variant: Some(self.variant), rule: self.rule };
        let request = PositionRequest { rules, position: self.position, side: self.side, moves: Some(moves) };
        let played = request.play(app)?;
        let wanted = self.analyze_turns.unwrap_or_else(|| vec![played.plies.len()]);
        if let Some(turn) = wanted.iter().find(|turn| **turn > played.plies.len()) {
            let message = format!("there is no turn {turn}; {} plies were played", played.plies.len());
            return Err(Error::parameter("analyze_turns", message));
        }
        let token = CancelToken::default();
        let given = SearchLimits { nodes: self.nodes, depth: self.depth, time: None };
        let limits = if given == SearchLimits::default() { defaults.limits } else { given };
        let lines = self.multi_pv.unwrap_or(defaults.lines);
        let query = Arc::new(PreparedQuery {
            id: self.id,
            limits: limits.limits(lines.get() as u16, &Job::default().with_token(token.clone())),
            rules: Arc::clone(&played.rules),
            start: played.start.clone(),
            first: played.first,
            report_every: self.report_every.map(Seconds::get),
            priority: self.priority,
            token,
        });
        // If the rules forbid a repetition in the line, the line is searched anyway, as in the annotation of a record.
        let games = games_after(&played, &wanted, RepetitionMode::Enforce)
            .or_else(|| games_after(&played, &wanted, RepetitionMode::Report))
            .ok_or_else(|| Error::new(ErrorKind::Internal, "a legal ply can't be played again"))?;
        let turns = games.into_iter();
        Ok(turns.map(|(turn, game)| QueriedTurn { query: Arc::clone(&query), turn, game }).collect())
    }
}

/// Plays a game again, and returns it after each wanted number of plies, in their order. Returns `None` if the mode forbids a
/// repetition that was played.
fn games_after(
    played: &PlayedPosition,
    wanted: &[usize],
    mode: RepetitionMode,
) -> Option<Vec<(usize, Game)>> {
    let mut game = Game::from_setup(&played.rules.book, &played.start, played.first, mode).ok()?;
    let mut games = Vec::new();
    let mut add = |turn: usize, game: &Game| {
        let n_wanted = wanted.iter().filter(|wanted| **wanted == turn).count();
        games.extend((0..n_wanted).map(|_| (turn, game.clone())));
    };
    for (turn, ply) in played.plies.iter().enumerate() {
        if game.to_move() != ply.side {
            game.set_to_move(ply.side);
        }
        add(turn, &game);
        game.clear_outcome();
        game.play(ply.mv).ok()?;
    }
    played.decline_as_played(&mut game);
    add(played.plies.len(), &game);
    Some(games)
}
