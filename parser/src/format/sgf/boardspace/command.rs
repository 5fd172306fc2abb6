//! The commands of BoardSpace: the values of `P0` and `P1`.

use tafl_rules::{Coord, Piece, Role, Side, Span, coord_prefix};

use crate::source::Source;

/// A command, with the span of its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SiteCommand<'s> {
    pub(super) kind: CommandKind<'s>,
    pub(super) span: Span,
}

/// The kinds of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommandKind<'s> {
    /// `id`, `ranking`, `country`, and `time`: not a command but a statement about the player.
    Info {
        name: &'s str,
        value: &'s str,
    },
    /// `Start P0`: the player on turn.
    Start(usize),
    /// `Move E 4 C 4`.
    Move(Coord, Coord),
    /// `Pickb E 4`.
    PickFromBoard(Coord),
    /// `Dropb S E 4`.
    DropOnBoard(Piece, Coord),
    /// `Pick S`.
    PickFromPool(Piece),
    /// `Drop S`.
    DropIntoPool,
    /// `SetOption corner-win true`.
    SetOption {
        name: &'s str,
        value: &'s str,
    },
    Done,
    Swap,
    Edit,
    Resign,
    /// `WinOnTime`: the player claims a win on time.
    WinOnTime,
    AcceptDraw,
    /// `Reset` and `Undo`: the player takes back what was not confirmed.
    Reset,
    /// `Pass` and `NullMove`.
    Pass,
    /// A command that does not change the game: offers, requests, and their answers.
    NoEffect,
    /// Anything else.
    Unknown,
}

/// Reads a command. It may begin with its number.
pub(super) fn read<'s>(source: &Source<'s>, value: Span) -> SiteCommand<'s> {
    let text = source.at(value).trim();
    let whole = source.span_of(text).unwrap_or(value);
    let mut words = text.split_whitespace().peekable();
    words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let Some(name) = words.next() else { return SiteCommand { kind: CommandKind::Unknown, span: whole } };
    let start = source.span_of(name).map_or(whole.start, |span| span.start);
    let span = Span { start, end: whole.end };
    let rest = source.at(Span { start: start + name.len() as u32, end: whole.end }).trim();
    SiteCommand { kind: kind(name, rest).unwrap_or(CommandKind::Unknown), span }
}

fn kind<'s>(name: &'s str, rest: &'s str) -> Option<CommandKind<'s>> {
    let mut words = rest.split_whitespace();
    let kind = match name.to_ascii_lowercase().as_str() {
        "id" | "ranking" | "country" | "time" => CommandKind::Info { name, value: rest },
        "start" => CommandKind::Start(match words.next()?.to_ascii_lowercase().as_str() {
            "p0" => 0,
            "p1" => 1,
            _ => return None,
        }),
        "move" => {
            // The site's own log puts a hyphen between the cells.
            let (from, rest) = cell(rest)?;
            let (to, rest) = cell(rest.trim_start().trim_start_matches('-'))?;
            return rest.trim().is_empty().then_some(CommandKind::Move(from, to));
        }
        "pickb" => {
            let (from, rest) = cell(rest)?;
            return rest.trim().is_empty().then_some(CommandKind::PickFromBoard(from));
        }
        "dropb" => {
            let piece = piece(words.next()?)?;
            let (to, rest) = cell(rest.get(1..)?)?;
            return rest.trim().is_empty().then_some(CommandKind::DropOnBoard(piece, to));
        }
        "pick" => CommandKind::PickFromPool(piece(words.next()?)?),
        "drop" => CommandKind::DropIntoPool,
        "setoption" => CommandKind::SetOption { name: words.next()?, value: words.next()? },
        "done" => CommandKind::Done,
        "swap" => CommandKind::Swap,
        "edit" => CommandKind::Edit,
        "resign" => CommandKind::Resign,
        "winontime" => CommandKind::WinOnTime,
        "acceptdraw" => CommandKind::AcceptDraw,
        "reset" | "undo" => CommandKind::Reset,
        "pass" | "nullmove" => CommandKind::Pass,
        "offerdraw" | "declinedraw" | "pleaseundo" | "dontundo" | "allowundo" | "peek" => {
            CommandKind::NoEffect
        }
        _ => return None,
    };
    Some(kind)
}

/// Reads a cell such as `E 4` or `E4`, and returns it with the rest.
fn cell(text: &str) -> Option<(Coord, &str)> {
    let text = text.trim_start();
    let file = text.get(..1).filter(|file| file.as_bytes()[0].is_ascii_alphabetic())?;
    let number = text[1..].trim_start();
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let name = format!("{file}{}", &number[..digits]);
    let (coord, length) = coord_prefix(name.as_bytes())?;
    (length == name.len() && coord.rank >= 0).then(|| (coord, &number[digits..]))
}

/// Returns the piece of a chip: a silver ship, a gold ship, or the flagship.
fn piece(chip: &str) -> Option<Piece> {
    match chip {
        "S" | "s" => Some(Piece::new(Side::Attackers, Role::Soldier)),
        "G" | "g" => Some(Piece::new(Side::Defenders, Role::Soldier)),
        "F" | "f" => Some(Piece::new(Side::Defenders, Role::King)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> CommandKind<'_> {
        read(&Source::new(text), Span::new(0, text.len())).kind
    }

    #[test]
    fn commands_are_read_with_and_without_numbers() {
        let (e4, c4) = ("e4".parse().unwrap(), "c4".parse().unwrap());
        assert_eq!(read_text("12 Move E 4 C 4"), CommandKind::Move(e4, c4));
        assert_eq!(read_text("move e4 - c4 "), CommandKind::Move(e4, c4));
        assert_eq!(read_text("3 Pickb E 4"), CommandKind::PickFromBoard(e4));
        let flagship = Piece::new(Side::Defenders, Role::King);
        assert_eq!(read_text("dropb F C 4"), CommandKind::DropOnBoard(flagship, c4));
        assert_eq!(read_text("0 Start P1"), CommandKind::Start(1));
        assert_eq!(read_text("id \"Ann B\""), CommandKind::Info { name: "id", value: "\"Ann B\"" });
        for text in [
            "",
            "12",
            "Move E 4",
            "Move E 4 C 4 D 5",
            "Dropb X C 4",
            "Dropb",
            "Start P7",
            "Move E 0 C 4",
            "Fly",
        ] {
            assert_eq!(read_text(text), CommandKind::Unknown, "{text}");
        }
    }
}
