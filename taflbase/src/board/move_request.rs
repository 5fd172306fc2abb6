//! Legality and effects of a turn.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::{WrittenCapture, WrittenMove};
use tafl_rules::{Cell, CellSet, Coord, Game, IllegalMove, Move, Outcome, Shape, explain_ply};

use super::position_request::{PositionRequest, RulesRequest};
use super::side::SideName;
use super::turn::{DECLINE, decline_chain, move_on, read_turn};
use crate::{App, Job, Request, Result};

/// Check whether a move is legal, and show its effect
///
/// # Examples
///
/// ```
/// use taflbase::{App, Job, MoveRequest, Request, RulesRequest};
///
/// let rules = RulesRequest::of("brandubh7");
/// let request = MoveRequest { rules, mv: "d1-c1".into(), ..MoveRequest::default() };
/// assert!(request.run(&App::new(), &Job::default())?.legal);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct MoveRequest {
    /// The rules.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: RulesRequest,
    /// The position: a position record, rank 1 first, or a FEN, top rank first
    /// [default: the start]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RECORD"))]
    pub position: Option<String>,
    /// The side to move in the position [default: the one that moves first by the rules]
    #[serde(alias = "to_move")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIDE"))]
    pub side: Option<SideName>,
    /// Moves to play before the checked move, such as "d1-d3 f4-f2"; they count as history, and `decline` declines to continue a chain
    #[cfg_attr(feature = "clap", arg(long, value_name = "MOVES"))]
    pub moves: Option<String>,
    /// The move, such as d1-d3; `-` reads requests from standard input
    #[serde(rename = "move")]
    #[schemars(
        description = "The move, such as `d1-d3`, or several moves of one turn, such as `c1-c4=f4`; `decline` declines to continue a chain."
    )]
    #[cfg_attr(feature = "clap", arg(value_name = "MOVE", allow_hyphen_values = true))]
    pub mv: String,
    /// Explain the captures and the end of the game
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub explain: bool,
}

/// The legality and the effects of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MoveAnswer {
    /// Whether the turn is legal.
    pub legal: bool,
    /// Why the turn is illegal, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The stable name of the rule that forbids it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// The cells of the captured pieces, kings included.
    pub captured: Vec<String>,
    /// The end of the game; null if it continues.
    pub outcome: Option<GameEnd>,
    /// The position record after the turn; null if the turn is illegal.
    pub after: Option<String>,
    /// The side to move next; null if the game has ended.
    pub to_move: Option<&'static str>,
    /// Whether the same piece must continue in the same turn.
    pub goes_on: bool,
    /// The captures and the end of the game, explained in sentences if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanation: Vec<String>,
    /// The parts of the written move that are wrong, such as captures that don't happen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GameEnd {
    /// `attackers`, `defenders` or `draw`.
    pub winner: &'static str,
    /// The reason, such as `king captured`.
    pub reason: &'static str,
}

impl From<Outcome> for GameEnd {
    fn from(outcome: Outcome) -> GameEnd {
        GameEnd { winner: outcome.winner_name(), reason: outcome.reason.as_str() }
    }
}

impl Request for MoveRequest {
    type Answer = MoveAnswer;

    fn run(self, app: &App, _: &Job) -> Result<MoveAnswer> {
        let MoveRequest { rules, position, side, moves, .. } = self.clone();
        let played = PositionRequest { rules, position, side, moves }.play(app)?;
        self.play(played.enforced())
    }
}

impl MoveAnswer {
    /// Returns the answer for a turn without moves.
    fn legal() -> MoveAnswer {
        MoveAnswer {
            legal: true,
            why: None,
            rule: None,
            captured: Vec::new(),
            outcome: None,
            after: None,
            to_move: None,
            goes_on: false,
            explanation: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Returns the answer if the side to move declines to continue its chain.
    fn declining(mut game: Game) -> MoveAnswer {
        match decline_chain(&mut game) {
            Ok(()) => MoveAnswer {
                after: Some(game.setup().to_string()),
                to_move: Some(game.to_move().as_str()),
                ..MoveAnswer::legal()
            },
            Err(error) => MoveAnswer { legal: false, why: Some(error.message), ..MoveAnswer::legal() },
        }
    }

    fn illegal(shape: Shape, mv: Move, why: &IllegalMove) -> MoveAnswer {
        MoveAnswer {
            legal: false,
            why: Some(why.describe(shape, mv)),
            rule: Some(why.name()),
            ..MoveAnswer::legal()
        }
    }
}

impl MoveRequest {
    /// Plays the turn in a game, with its history, instead of the position of the request.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a move on this board. An illegal move is an answer.
    pub fn play(&self, mut game: Game) -> Result<MoveAnswer> {
        if self.mv.trim() == DECLINE {
            return Ok(MoveAnswer::declining(game));
        }
        let shape = game.shape();
        let record = read_turn(&self.mv)?;
        let mut answer = MoveAnswer::legal();
        let mut captured = CellSet::default();
        for written in &record.main().moves {
            let mv = move_on(shape, written.from, written.to)?;
            answer.notes.extend(wrong_letter(&game, mv, written));
            if self.explain {
                // An illegal move is rejected below.
                let lines = explain_ply(&game, mv).map(|explanation| explanation.lines(shape));
                answer.explanation.extend(lines.unwrap_or_default());
            }
            let ply = match game.play(mv) {
                Ok(ply) => ply,
                Err(why) => return Ok(MoveAnswer::illegal(shape, mv, &why)),
            };
            answer.notes.extend(differing_captures(shape, record.captures_of(written), &ply.captured));
            ply.captured.iter().for_each(|cell| captured.insert(cell));
            answer.outcome = ply.outcome.map(GameEnd::from);
            answer.goes_on = ply.goes_on;
        }
        answer.captured = captured.iter().map(|cell| shape.name(cell)).collect();
        answer.after = Some(game.setup().to_string());
        answer.to_move = answer.outcome.is_none().then(|| game.to_move().as_str());
        Ok(answer)
    }
}

/// Reports that the letter before a move is wrong for the piece.
fn wrong_letter(game: &Game, mv: Move, written: &WrittenMove) -> Option<String> {
    let (letter, piece) = written.letter.get().zip(game.piece(mv.from))?;
    let is_other = written.letter.role().is_some_and(|role| role != piece.role);
    let cell = game.shape().name(mv.from);
    is_other
        .then(|| format!("the move is written with `{letter}`, but a {} is on {cell}", piece.role.as_str()))
}

/// Reports differences between written and actual captures. A move without written captures has none.
fn differing_captures(shape: Shape, written: &[WrittenCapture], real: &CellSet) -> Vec<String> {
    if written.is_empty() {
        return Vec::new();
    }
    let is_real = |coord: Coord| shape.cell(coord).is_some_and(|cell| real.contains(cell));
    let is_written = |cell: Cell| written.iter().any(|capture| capture.cell == shape.coord(cell));
    let invented = written
        .iter()
        .map(|capture| capture.cell)
        .filter(|coord| !is_real(*coord))
        .map(|coord| format!("a capture on {coord} is written, but nothing is captured there"));
    let missing = real
        .iter()
        .filter(|cell| !is_written(*cell))
        .map(|cell| format!("the capture on {} is not written", shape.name(cell)));
    invented.chain(missing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declining_a_chain_is_a_turn() {
        let answer = |moves: &str| {
            let rules = RulesRequest::of("dim:7 ber:c xber:free start:/5K1/t1Tt3/7/1T5/1t5/7/6t/");
            let (moves, mv) = (Some(moves.to_owned()), DECLINE.to_owned());
            MoveRequest { rules, moves, mv, ..MoveRequest::default() }
                .run(&App::new(), &Job::default())
                .unwrap()
        };
        let declined = answer("a2-b2");
        assert_eq!((declined.legal, declined.to_move), (true, Some("defenders")));
        let why = answer("").why;
        assert_eq!(why.as_deref(), Some("`decline`: the attackers have no chain that they may decline"));
    }
}
