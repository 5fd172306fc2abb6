//! The moves of a request.

use tafl_parser::{Format, Record, Severity, Source};
use tafl_rules::{Coord, Game, Move, Shape};

use crate::escape::escape;
use crate::{Error, ErrorKind, Result};

/// Reads a turn: a move, or several with blanks between them or as `c1-c4=f4`.
///
/// # Errors
///
/// Fails if the text is not a move.
pub fn read_turn(text: &str) -> Result<Record> {
    let words: Vec<String> = text.split_whitespace().map(continued).collect();
    let text = words.join(" ");
    let parsed = Format::MoveList.parse(&Source::new(&text));
    let is_bad = parsed.diagnostics.iter().any(|found| found.kind.code().severity() == Severity::Error);
    if is_bad || parsed.value.main().moves.is_empty() {
        let message = format!("`{}` is not a move such as `d1-d3`", escape(&text));
        return Err(Error::new(ErrorKind::BadParameter, message));
    }
    Ok(parsed.value)
}

/// Returns a written move on a board.
///
/// # Errors
///
/// Returns the cell that the board doesn't have.
pub(crate) fn move_on(shape: Shape, from: Coord, to: Coord) -> Result<Move> {
    let cell = |coord| {
        let missing =
            || Error::new(ErrorKind::IllegalMove, format!("`{coord}` is not a cell of a {shape} board"));
        shape.cell(coord).ok_or_else(missing)
    };
    Ok(Move::new(cell(from)?, cell(to)?))
}

/// Plays moves such as `d1-d3 f4-f2` in a game, and returns them.
///
/// # Errors
///
/// Returns the move that can't be played, and why.
pub fn play_moves(game: &mut Game, text: &str) -> Result<Vec<Move>> {
    let mut moves = Vec::new();
    if text.trim().is_empty() {
        return Ok(moves);
    }
    let shape = game.shape();
    let record = read_turn(text)?;
    for (number, written) in (1..).zip(&record.main().moves) {
        let mv = move_on(shape, written.from, written.to)?;
        game.play(mv).map_err(|why| {
            let name = format!("move {number}, {}-{}", written.from, written.to);
            Error::new(ErrorKind::IllegalMove, format!("{name}: {}", why.describe(shape, mv)))
        })?;
        moves.push(mv);
    }
    Ok(moves)
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
