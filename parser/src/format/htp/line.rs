//! The lines of a transcript of hnefatafl.org's text protocol.

use tafl_rules::Coord;

use crate::token;
use crate::words;

/// A line of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HtpLine<'a> {
    /// Nothing, or a frame of a board.
    Blank,
    /// A command: its first word, and the rest up to a comment.
    Command(&'a str, &'a str),
    /// A reply, without its `=`.
    Reply(&'a str),
    /// An error message, without its `?`.
    Failure(&'a str),
    /// A row of a board: the text that includes its rank and its frame.
    Row(&'a str),
    /// A line of the program's display, which repeats what the commands state.
    Display,
    /// Any other text.
    Other(&'a str),
}

/// The commands of the protocol, and those of the server that begin a game.
const COMMANDS: [&str; 20] = [
    "board_size",
    "draw",
    "final_status",
    "first_move",
    "generate_move",
    "known_command",
    "list_commands",
    "name",
    "new_game",
    "play",
    "play_from",
    "play_to",
    "play_undo",
    "protocol_version",
    "quit",
    "show_board",
    "show_board_open_tafl",
    "time_settings",
    "undo",
    "version",
];

/// Recognizes a line, and returns it with the comment at its end.
pub(super) fn split(line: &str) -> (HtpLine<'_>, Option<&str>) {
    let text = unprompted(line.trim());
    if let Some(reply) = text.strip_prefix('=') {
        return (HtpLine::Reply(reply.trim()), None);
    }
    if let Some(failure) = text.strip_prefix('?') {
        return (HtpLine::Failure(failure.trim()), None);
    }
    if text.contains('│') {
        return (HtpLine::Row(text), None);
    }
    let (text, comment) = match text.split_once('#') {
        Some((text, comment)) => (text.trim(), Some(comment.trim()).filter(|it| !it.is_empty())),
        None => (text, None),
    };
    (recognized(text), comment)
}

/// Splits a text at the end of its first word.
fn first_word(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

fn recognized(line: &str) -> HtpLine<'_> {
    let mut text = line;
    let (mut word, mut rest) = first_word(text);
    // A server names the game before the command.
    while word == "game"
        && let Some((number, after)) = rest.split_once(char::is_whitespace)
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        text = after.trim();
        (word, rest) = first_word(text);
    }
    if COMMANDS.contains(&word) {
        return HtpLine::Command(word, rest);
    }
    if is_frame(text) {
        return HtpLine::Blank;
    }
    let display = ["move:", "captures:", "status:", "turn:", "attacker time:", "defender time:", "plays:"];
    let other = ["Enter 'list_commands'", "connected to ", "*** turn "];
    let is_display = display.iter().chain(&other).any(|start| text.starts_with(start));
    if is_display { HtpLine::Display } else { HtpLine::Other(text) }
}

/// Returns the text after a prompt or an arrow.
fn unprompted(text: &str) -> &str {
    let prompts = ["<-", "->", ">"];
    prompts.iter().find_map(|prompt| text.strip_prefix(prompt)).map_or(text, str::trim_start)
}

/// Returns whether a line is blank, the frame of a board, or its files.
fn is_frame(text: &str) -> bool {
    let mut letters = text.chars().filter(|letter| !letter.is_whitespace());
    text.chars().all(|symbol| symbol.is_whitespace() || ('\u{2500}'..='\u{257f}').contains(&symbol))
        || text.len() >= 5
            && ('A'..='M').all(|file| letters.next().is_none_or(|letter| letter == file))
            && letters.next().is_none()
}

/// The meaning of a line for the boundaries between games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GameBoundary {
    /// A play of the current game.
    Play,
    /// A command that starts over.
    Restart,
}

/// Returns the meaning of a line for the boundaries between games.
pub(crate) fn boundary(line: &[u8]) -> Option<GameBoundary> {
    match split(std::str::from_utf8(line).ok()?).0 {
        // Without arguments, they are entries of the list of commands.
        HtpLine::Command("board_size" | "first_move" | "new_game" | "time_settings", rest) => {
            (!rest.is_empty()).then_some(GameBoundary::Restart)
        }
        HtpLine::Command("play", rest) => is_play(rest).then_some(GameBoundary::Play),
        HtpLine::Reply(reply) => is_play(reply.strip_prefix("play ")?).then_some(GameBoundary::Play),
        _ => None,
    }
}

/// Returns whether a text is a side with a cell or a resignation, as opposed to prose such as `play a game`.
fn is_play(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let side = words.next().and_then(words::short_side);
    let is_cell = |word: &str| vertex(word.split('-').next().unwrap_or(word)).is_some();
    side.is_some() && words.next().is_some_and(|word| is_cell(word) || words::ending(word).is_some())
}

/// A cell as the site writes it: the form of the name depends on the size of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Vertex {
    /// The cell.
    pub(super) coord: Coord,
    /// The size of the board according to the name: 7 with a leading zero, 13 in capitals; otherwise 11.
    pub(super) size: u8,
}

/// Reads the name of a cell.
pub(super) fn vertex(word: &str) -> Option<Vertex> {
    let (name, is_small) = word.strip_prefix('0').map_or((word, false), |name| (name, true));
    let is_large = name.starts_with(|letter: char| letter.is_ascii_uppercase());
    match token::cell(name.as_bytes()) {
        Ok(([], coord)) => {
            let size = if is_small {
                7
            } else if is_large {
                13
            } else {
                11
            };
            Some(Vertex { coord, size })
        }
        Ok(_) | Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_recognized_after_prompts_and_game_numbers() {
        assert_eq!(split("> play a d1 d3 # first").0, HtpLine::Command("play", "a d1 d3"));
        assert_eq!(split("> play a d1 d3 # first").1, Some("first"));
        assert_eq!(split("game 12 play attacker d1 d3\r").0, HtpLine::Command("play", "attacker d1 d3"));
        assert_eq!(split("-> = e3 ").0, HtpLine::Reply("e3"));
        assert_eq!(split("? wrong turn").0, HtpLine::Failure("wrong turn"));
        assert_eq!(split("   ABCDEFGHIJK").0, HtpLine::Blank);
        assert_eq!(split("  └───────┘").0, HtpLine::Blank);
        assert_eq!(split("turn: attacker").0, HtpLine::Display);
        assert_eq!(split("hello").0, HtpLine::Other("hello"));
    }

    #[test]
    fn a_restart_is_told_from_a_play() {
        assert_eq!(boundary(b"board_size 11\r"), Some(GameBoundary::Restart));
        assert_eq!(boundary(b"play_undo"), None);
        assert_eq!(boundary(b"= play attacker d1 d3, score: 0"), Some(GameBoundary::Play));
        assert_eq!(boundary(b"\xff"), None);
    }

    #[test]
    fn names_of_cells_show_the_size_of_the_board() {
        assert_eq!(vertex("0d1").map(|it| (it.coord.to_string(), it.size)), Some(("d1".into(), 7)));
        assert_eq!(vertex("M13").map(|it| (it.coord.to_string(), it.size)), Some(("m13".into(), 13)));
        assert_eq!(vertex("d1,"), None);
        assert_eq!(vertex("0"), None);
    }
}
