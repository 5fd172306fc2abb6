//! Questions about a single turn: whether it is legal, and what it does.

use std::collections::HashMap;

use serde::Serialize;
use tafl_parser::record::{WrittenCapture, WrittenMove};
use tafl_parser::{Format, Record, Severity, Source};
use tafl_rules::{
    AnyRulebook, Cell, CellSet, Coord, Game, IllegalMove, Move, Outcome, RepetitionMode, Shape, Side, explain,
};

use crate::io::escape;
use crate::rule_change::{self, ChangeError};
use crate::variant::{PositionError, Variant, VariantError, read_position};

/// A question: by which rules, on which board, who, what.
#[derive(Debug, Clone, Default)]
pub(crate) struct Question {
    /// The name of a variant, or a rules string.
    pub(crate) rules: String,
    /// Changes of single rules, `KEY=VALUE`.
    pub(crate) changes: Vec<String>,
    /// The position record; nothing is the start.
    pub(crate) position: Option<String>,
    /// Who is to move; nothing is who moves first.
    pub(crate) side: Option<Side>,
    /// The move, or several of one turn.
    pub(crate) mv: String,
    /// Whether to say why, too.
    pub(crate) explain: bool,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Answer {
    /// Whether the turn is legal.
    pub(crate) legal: bool,
    /// Why not, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// The rule that forbids it: a stable name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rule: Option<&'static str>,
    /// The cells of the captured pieces, kings included.
    pub(crate) captured: Vec<String>,
    /// How the game ended; null while it goes on.
    pub(crate) outcome: Option<Ending>,
    /// The position record after the turn; null where it is illegal.
    pub(crate) after: Option<String>,
    /// Who moves next; null after an end.
    pub(crate) to_move: Option<&'static str>,
    /// Whether the same piece has to go on in the same turn.
    pub(crate) goes_on: bool,
    /// What happened and why, in words, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) explanation: Vec<String>,
    /// What is written with the move and is not so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

/// How a game ended, in the words of the JSON interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Ending {
    /// `attackers`, `defenders` or `draw`.
    pub(crate) winner: &'static str,
    /// Why.
    pub(crate) reason: &'static str,
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        Ending { winner: outcome.winner_word(), reason: outcome.reason.words() }
    }
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum QuestionError {
    /// No such rules.
    #[error("{0}")]
    Variant(#[from] VariantError),
    /// The rules cannot be changed so.
    #[error("{0}")]
    Change(#[from] ChangeError),
    /// The position does not fit.
    #[error("{0}")]
    Position(#[from] PositionError),
    /// The text is no move.
    #[error("`{}` is no move such as `d1-d3`", escape(.0))]
    NoMove(String),
    /// A cell that the board does not have.
    #[error("`{coord}` is no cell of a {shape} board")]
    NoCell {
        /// The cell.
        coord: Coord,
        /// The board.
        shape: Shape,
    },
}

/// Answers questions; keeps the rules it compiled.
#[derive(Debug, Default)]
pub(crate) struct Answerer {
    /// Compiled rules by rules string or name, and changes.
    known: HashMap<(String, Vec<String>), (Variant, AnyRulebook)>,
}

/// More rules than this are forgotten, so that no stream of questions fills the memory.
const MOST_KNOWN: usize = 1000;

impl Answerer {
    /// Answers a question.
    ///
    /// # Errors
    ///
    /// Returns why there is no answer; an illegal move has one.
    pub(crate) fn answer(&mut self, question: &Question) -> Result<Answer, QuestionError> {
        let (variant, book) = self.rules(question)?;
        let setup = match &question.position {
            Some(text) => read_position(variant.rules.shape(), text)?,
            None => variant.rules.start.clone(),
        };
        let side = variant.side(question.side);
        let game = Game::from_setup(book, &setup, side, RepetitionMode::Enforce)
            .expect("the position was read for the board of the rules");
        answer(game, question)
    }

    fn rules(&mut self, question: &Question) -> Result<&(Variant, AnyRulebook), QuestionError> {
        let key = (question.rules.clone(), question.changes.clone());
        if !self.known.contains_key(&key) {
            if self.known.len() >= MOST_KNOWN {
                self.known.clear();
            }
            let variant = Variant::find(&question.rules)?;
            let rules = rule_change::change(variant.rules.clone(), &question.changes)?;
            let variant = variant.changed(rules);
            let book = variant.compile(&variant.rules.start)?;
            self.known.insert(key.clone(), (variant, book));
        }
        Ok(&self.known[&key])
    }
}

impl Answer {
    /// Returns the answer for a turn without moves.
    fn begun() -> Answer {
        Answer {
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

    fn illegal(shape: Shape, mv: Move, why: &IllegalMove) -> Answer {
        Answer { legal: false, why: Some(why.words(shape, mv)), rule: Some(why.name()), ..Answer::begun() }
    }
}

fn answer(mut game: Game, question: &Question) -> Result<Answer, QuestionError> {
    let shape = game.shape();
    let record = read_turn(&question.mv)?;
    let mut answer = Answer::begun();
    let mut captured = CellSet::default();
    for written in &record.main().moves {
        let cell = |coord| shape.cell(coord).ok_or(QuestionError::NoCell { coord, shape });
        let mv = Move::new(cell(written.from)?, cell(written.to)?);
        answer.notes.extend(wrong_letter(&game, mv, written));
        if question.explain {
            // An illegal move is refused below.
            answer.explanation.extend(explain::ply(&game, mv).iter().flat_map(|told| told.lines(shape)));
        }
        let ply = match game.play(mv) {
            Ok(ply) => ply,
            Err(why) => return Ok(Answer::illegal(shape, mv, &why)),
        };
        answer.notes.extend(differing_captures(shape, record.captures_of(written), &ply.captured));
        ply.captured.iter().for_each(|cell| captured.insert(cell));
        answer.outcome = ply.outcome.map(Ending::from);
        answer.goes_on = ply.goes_on;
    }
    answer.captured = captured.iter().map(|cell| shape.name(cell)).collect();
    answer.after = Some(game.setup().to_string());
    answer.to_move = answer.outcome.is_none().then(|| game.to_move().word());
    Ok(answer)
}

/// Plays moves such as `d1-d3 f4-f2` in a game, and returns them.
///
/// # Errors
///
/// Returns in words which move cannot be played, and why.
pub(crate) fn play_all(game: &mut Game, text: &str) -> Result<Vec<Move>, String> {
    let mut moves = Vec::new();
    if text.trim().is_empty() {
        return Ok(moves);
    }
    let shape = game.shape();
    let record = read_turn(text).map_err(|error| error.to_string())?;
    for (number, written) in (1..).zip(&record.main().moves) {
        let cell =
            |coord| shape.cell(coord).ok_or_else(|| QuestionError::NoCell { coord, shape }.to_string());
        let mv = Move::new(cell(written.from)?, cell(written.to)?);
        let name = format!("move {number}, {}-{}", written.from, written.to);
        game.play(mv).map_err(|why| format!("{name}: {}", why.words(shape, mv)))?;
        moves.push(mv);
    }
    Ok(moves)
}

/// Says where the letter before a move is not that of the piece.
fn wrong_letter(game: &Game, mv: Move, written: &WrittenMove) -> Option<String> {
    let (letter, piece) = written.letter.get().zip(game.piece(mv.from))?;
    let is_other = written.letter.role().is_some_and(|role| role != piece.role);
    let cell = game.shape().name(mv.from);
    is_other.then(|| format!("`{letter}` is written, but a {} stands on {cell}", piece.role.word()))
}

/// Says where written captures differ from real ones; a move without any claims nothing.
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

/// Reads a turn: a move, or several with blanks between them or as `c1-c4=f4`.
pub(crate) fn read_turn(text: &str) -> Result<Record, QuestionError> {
    let words: Vec<String> = text.split_whitespace().map(continued).collect();
    let text = words.join(" ");
    let parsed = Format::MoveList.parse(&Source::new(&text));
    let is_bad = parsed.diagnostics.iter().any(|found| found.kind.code().severity() == Severity::Error);
    if is_bad || parsed.value.main().moves.is_empty() {
        return Err(QuestionError::NoMove(text));
    }
    Ok(parsed.value)
}

/// Writes `c1-c4=f4` as the reader of moves knows it, `c1-c4-f4`; leaves `c4=f4` and marks as they are.
fn continued(word: &str) -> String {
    let Some(hyphen) = word.find('-') else { return word.to_owned() };
    let (head, tail) = word.split_at(hyphen);
    let mut out = head.to_owned();
    let mut letters = tail.chars().peekable();
    while let Some(letter) = letters.next() {
        let goes_on = letter == '=' && letters.peek().is_some_and(char::is_ascii_alphabetic);
        out.push(if goes_on { '-' } else { letter });
    }
    out
}
