//! The moves of a request.

use std::ops::Range;

use tafl_parser::{Format, Record, Severity, Source};
use tafl_rules::{Coord, Game, Move, Shape};

use crate::escape::escape;
use crate::{Error, ErrorKind, Result};

/// The maximum number of moves that a request may play.
const MAX_MOVES: usize = 4000;

/// The word that stands for a move in requests and lines of the engine: the side to move declines to continue a chain.
pub const DECLINE: &str = "decline";

/// Reads a turn: a move, or several with blanks between them or as `c1-c4=f4`.
///
/// # Errors
///
/// Fails if the text is not a move, or has a comment, which would be ignored.
pub fn read_turn(text: &str) -> Result<Record> {
    let words: Vec<String> = text.split_whitespace().map(continued).collect();
    let text = words.join(" ");
    let parsed = Format::MoveList.parse(&Source::new(&text));
    let is_bad = parsed.diagnostics.iter().any(|found| found.kind.code().severity() == Severity::Error);
    let record = &parsed.value;
    // A word such as `#2` begins a comment or a tag up to the end of the line; `d1-c1#` has a mark.
    let is_remarked = !record.comments.is_empty() || words.iter().any(|word| word.starts_with('#'));
    if is_bad || is_remarked || record.main().moves.is_empty() {
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

/// Checks the number of moves of a request.
pub(super) fn check_count(n_moves: usize) -> Result<()> {
    if n_moves <= MAX_MOVES {
        return Ok(());
    }
    Err(Error::parameter("moves", format!("`moves` has more than {MAX_MOVES} moves")))
}

/// Plays moves such as `d1-d3 f4-f2` in a game, and returns them. [`DECLINE`] declines to continue a chain.
///
/// # Errors
///
/// Returns the move that can't be played, why, and its place; or that there are more than 4000 moves.
pub fn play_moves(game: &mut Game, text: &str) -> Result<Vec<Move>> {
    let mut moves = Vec::new();
    let mut begin = 0;
    for (start, word) in words(text).filter(|(_, word)| *word == DECLINE) {
        play_part(game, text, begin..start, &mut moves)?;
        begin = start + word.len();
        decline_chain(game).map_err(|error| error.at("moves", text, start..begin))?;
    }
    play_part(game, text, begin..text.len(), &mut moves)?;
    Ok(moves)
}

/// Plays the moves in a part of a text, and adds them to those that were played.
fn play_part(game: &mut Game, text: &str, range: Range<usize>, moves: &mut Vec<Move>) -> Result<()> {
    let (begin, part) = (range.start, &text[range]);
    if part.trim().is_empty() {
        return Ok(());
    }
    let at =
        |error: Error, place: Range<usize>| error.at("moves", text, begin + place.start..begin + place.end);
    let record = read_turn(part).map_err(|error| match unreadable_word(part) {
        Some((error, place)) => at(error, place),
        None => error,
    })?;
    let shape = game.shape();
    check_count(moves.len() + record.main().moves.len())?;
    for (nth, written) in record.main().moves.iter().enumerate() {
        let mv = move_on(shape, written.from, written.to).and_then(|mv| match game.play(mv) {
            Ok(_) => Ok(mv),
            Err(why) => {
                let name = format!("move {}, {}-{}", moves.len() + 1, written.from, written.to);
                Err(Error::new(ErrorKind::IllegalMove, format!("{name}: {}", why.describe(shape, mv))))
            }
        });
        moves.push(mv.map_err(|error| match word_of_move(part, nth) {
            Some(place) => at(error, place),
            None => error,
        })?);
    }
    Ok(())
}

/// Declines to continue a chain.
///
/// # Errors
///
/// Fails if the side to move may not.
pub(super) fn decline_chain(game: &mut Game) -> Result<()> {
    if game.decline_chain() {
        return Ok(());
    }
    let message = format!("`{DECLINE}`: the {} have no chain that they may decline", game.to_move());
    Err(Error::new(ErrorKind::IllegalMove, message))
}

/// Returns the error of the first word that is neither a move nor the number of one, and its place.
fn unreadable_word(text: &str) -> Option<(Error, Range<usize>)> {
    words(text)
        .filter(|(_, word)| !is_move_number(word))
        .find_map(|(start, word)| Some((read_turn(word).err()?, start..start + word.len())))
}

/// Returns whether a word before a move is its number, such as `1.`, or the dots of a number.
pub(super) fn is_move_number(word: &str) -> bool {
    word.trim_end_matches(['.', ')']).bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the place of the word with a move, counted from 0.
fn word_of_move(text: &str, nth: usize) -> Option<Range<usize>> {
    let mut n_before = 0;
    words(text).find_map(|(start, word)| {
        n_before += read_turn(word).map_or(0, |record| record.main().moves.len());
        (nth < n_before).then(|| start..start + word.len())
    })
}

/// Returns the words of a text between blanks and commas, each with the byte at which it begins.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let is_gap = |symbol: char| symbol.is_whitespace() || symbol == ',';
    text.split(is_gap)
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
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

#[cfg(test)]
mod tests {
    use tafl_rules::{AnyRulebook, catalog};

    use super::*;

    #[test]
    fn an_error_has_the_place_of_its_move() {
        let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
        let error = |text: &str| play_moves(&mut Game::new(&book), text).unwrap_err();
        let unreadable = error("1. d1-c1 zz");
        assert_eq!(unreadable.message, "`zz` is not a move such as `d1-d3`");
        assert_eq!(unreadable.place.unwrap().bytes, (9, 11));
        assert_eq!(error("d1-c1  d3-d4").place.unwrap().bytes, (7, 12));
        assert_eq!(error("d1-c1 d3-d9").place.unwrap().bytes, (6, 11));
        assert_eq!(error("d1-c1 decline").place.unwrap().bytes, (6, 13));
        assert_eq!(error("d1-c1 #2 d3-c3").place.unwrap().bytes, (6, 8));
        assert_eq!(error("d1-c1 # date: 2020 d3-c3").place.unwrap().bytes, (6, 7));
        assert_eq!(error("d1-c1 {good} d3-c3").place.unwrap().bytes, (6, 12));
        assert_eq!(error("d1-c1 (d1-b1) d3-c3").place.unwrap().bytes, (6, 13));
    }
}
