//! Whether a turn is legal, and what it does.

use schemars::JsonSchema;
use serde::Serialize;
use tafl_parser::{WrittenCapture, WrittenMove};
use tafl_rules::{
    Cell, CellSet, Coord, Game, IllegalMove, Move, Outcome, RepetitionMode, Shape, Side, explain_ply,
};

use super::turn::{move_on, read_turn};
use crate::{App, Job, Request, Result};

/// Checks a turn.
///
/// # Examples
///
/// ```
/// use taflbase::{App, Job, MoveRequest, Request};
///
/// let request =
///     MoveRequest { rules: "brandubh7".into(), mv: "d1-c1".into(), ..MoveRequest::default() };
/// assert!(request.run(&App::new(), &Job::default())?.legal);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MoveRequest {
    /// The name of a variant or a rules string; or a file with one, if the application reads such files.
    pub rules: String,
    /// Changes of single rules, `KEY=VALUE`.
    pub changes: Vec<String>,
    /// The position record; without it, the start.
    pub position: Option<String>,
    /// The side to move; without it, the side that moves first.
    pub side: Option<Side>,
    /// The move, or several moves of one turn.
    pub mv: String,
    /// Whether to explain the effect.
    pub explain: bool,
}

/// Whether a turn is legal, and what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MoveAnswer {
    /// Whether the turn is legal.
    pub legal: bool,
    /// Why not, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The rule that forbids it: a stable name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// The cells of the captured pieces, kings included.
    pub captured: Vec<String>,
    /// How the game ended; null while it goes on.
    pub outcome: Option<GameEnd>,
    /// The position record after the turn; null where it is illegal.
    pub after: Option<String>,
    /// Who moves next; null after an end.
    pub to_move: Option<&'static str>,
    /// Whether the same piece has to go on in the same turn.
    pub goes_on: bool,
    /// What happened and why, in words, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanation: Vec<String>,
    /// What is written with the move and is not so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// How a game ended, in the words of the JSON interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GameEnd {
    /// `attackers`, `defenders` or `draw`.
    pub winner: &'static str,
    /// Why.
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
        let rules = app.compiled(&self.rules, &self.changes)?;
        let setup = rules.variant.setup(self.position.as_deref())?;
        let side = rules.variant.side(self.side);
        let game = Game::from_setup(&rules.book, &setup, side, RepetitionMode::Enforce)
            .expect("the position was read for the board of the rules");
        self.play(game)
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
    fn play(&self, mut game: Game) -> Result<MoveAnswer> {
        let shape = game.shape();
        let record = read_turn(&self.mv)?;
        let mut answer = MoveAnswer::legal();
        let mut captured = CellSet::default();
        for written in &record.main().moves {
            let mv = move_on(shape, written.from, written.to)?;
            answer.notes.extend(wrong_letter(&game, mv, written));
            if self.explain {
                // An illegal move is refused below.
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

/// Reports that the letter before a move is not that of the piece.
fn wrong_letter(game: &Game, mv: Move, written: &WrittenMove) -> Option<String> {
    let (letter, piece) = written.letter.get().zip(game.piece(mv.from))?;
    let is_other = written.letter.role().is_some_and(|role| role != piece.role);
    let cell = game.shape().name(mv.from);
    is_other.then(|| format!("`{letter}` is written, but a {} stands on {cell}", piece.role.as_str()))
}

/// Reports where written captures differ from real ones; a move without any claims nothing.
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
