//! Ludii's trials: a game as the list of actions performed by the program.
//!
//! ```text
//! trial   = { line nl } ;
//! line    = key "=" value | "START GAME OPTIONS" | option | "END GAME OPTIONS" | "LEGAL MOVES LIST SIZE = " int ;
//! value   = "[Move:mover=" int ",from=" int ",to=" int ",actions=" action { "," action } "]"    of the key "Move"
//! action  = "[" name ":" field { "," field } "]" ;             field = key "=" value
//! ```
//!
//! - `mover=0` sets up a piece before the game: `[Add:type=Cell,to=18,what=3]`. Pieces 1 and 2 are the men of
//!   players 1 and 2, and 3 is the king.
//! - The action with `decision=true` is the move, `Remove` is a capture. In the square games a captured king is not
//!   removed: `[Trigger:event=Surrounded,player=2]` reports it.
//! - The n-th `LEGAL MOVES LIST SIZE` is the number of legal moves before the n-th move.
//! - Player 1 is the attackers in the square games and the defenders in HeXentafl.
//! - Cells are numbered, see [`Sites`].
//!
//! Ludii's rules are its own. The variant is named after the game's file, `ludii-tablut`, and never mapped to
//! that of the federation; an option of the game becomes a part of that name.

use nom::Parser;
use nom::bytes::complete::{is_not, tag, take_until};
use nom::character::complete::{char, i64};
use nom::combinator::consumed;
use nom::multi::separated_list0;
use nom::sequence::{delimited, preceded, separated_pair};
use tafl_rules::{Coord, Piece, Reason, Role, Setup, Shape, Side, Span};

use super::Format;
use crate::diagnostic::{Diagnostic, Findings, Parsed, TextFinding};
use crate::record::{
    CaptureStyle, Letter, Record, Written, WrittenCapture, WrittenCount, WrittenMove, WrittenResult,
    WrittenStart, WrittenVerdict,
};
use crate::source::{Source, file_name};
use crate::token::ReadStr;

/// Reads one trial.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut reader = LudiiTrialReader {
        source,
        record: Record::new(Format::LudiiTrial),
        diagnostics: Findings::default(),
        game: LudiiGame::of(source.text),
        start: None,
        section: LudiiSection::Trial,
        n_counts: 0,
        is_king_captured: false,
    };
    let lines = source.text.split('\n').map(str::trim).filter(|line| !line.is_empty());
    lines.for_each(|line| reader.line(line.trim_start_matches('\u{feff}')));
    reader.finish();
    reader.diagnostics.sort();
    Parsed { value: reader.record, diagnostics: reader.diagnostics.into_vec() }
}

/// The numbering of the cells of a board.
///
/// On squares, rank by rank from the bottom. On hexes also row by row, but Ludii rotates the board and its
/// labels by 90 degrees, so a row is not a rank: with `x` and `y` as column and row relative to the center,
/// the file is `x - y` and the rank is `x`, relative to the center. With this mapping, the labels `D3`, `C4`,
/// and `E5` of Ludii's game are the numbers 11, 24, and 19 at the start of its trials, and `LEGAL MOVES LIST
/// SIZE` agrees with the rules on all 71 moves of a published trial.
#[derive(Debug, Clone, Copy)]
struct Sites(Shape);

impl Sites {
    fn coord(self, site: i64) -> Option<Coord> {
        let site = usize::try_from(site).ok().filter(|site| *site < self.0.n_cells())?;
        let place = self.0.coord(tafl_rules::Cell::new(site));
        Some(match self.0 {
            Shape::Square { .. } => place,
            Shape::Hex { side } => {
                let center = i16::from(side) - 1;
                let (x, y) = (place.file - center, place.rank - center);
                Coord::new(center + x - y, center + x)
            }
        })
    }
}

/// Game data that is needed before the lines are read.
#[derive(Debug, Clone, Copy)]
struct LudiiGame {
    sites: Option<Sites>,
    first_player: Side,
}

impl LudiiGame {
    /// Reads the game's file name and the cell on which the king is placed: he starts in the center, so its
    /// number determines the size of the board.
    fn of(text: &str) -> LudiiGame {
        let is_hex = game_name(text).is_some_and(|name| name.eq_ignore_ascii_case("HeXentafl"));
        let king = text.lines().filter_map(|line| placement(line.trim())).find(|(_, what)| *what == KING);
        let n_cells = king.and_then(|(site, _)| site.checked_mul(2)?.checked_add(1));
        let shape = n_cells.and_then(|n_cells| {
            let fits = |shape: &Shape| shape.n_cells() as i64 == n_cells;
            if is_hex {
                (3..=8).filter_map(Shape::hex).find(fits)
            } else {
                (5..=21).filter_map(Shape::square).find(fits)
            }
        });
        LudiiGame {
            sites: shape.map(Sites),
            first_player: if is_hex { Side::Defenders } else { Side::Attackers },
        }
    }

    /// Returns the side of a player, 1 or 2.
    fn side(self, player: i64) -> Option<Side> {
        match player {
            1 => Some(self.first_player),
            2 => Some(self.first_player.other()),
            _ => None,
        }
    }

    fn piece(self, what: i64) -> Option<Piece> {
        match what {
            KING => Some(Piece::new(Side::Defenders, Role::King)),
            _ => self.side(what).map(|side| Piece::new(side, Role::Soldier)),
        }
    }
}

const KING: i64 = 3;

/// Returns the name of the game's file, without folder and extension.
fn game_name(text: &str) -> Option<&str> {
    let path = text.lines().find_map(|line| line.trim().strip_prefix("game="))?;
    let file = file_name(path);
    Some(file.strip_suffix(".lud").unwrap_or(file)).filter(|name| !name.is_empty())
}

/// Returns the cell number and the piece of a line that sets up a piece.
fn placement(line: &str) -> Option<(i64, i64)> {
    let entry = entry(line.strip_prefix("Move=")?)?;
    let add = entry.actions.iter().find(|action| action.name == "Add")?;
    Some((add.int("to")?.0, add.int("what")?.0))
}

/// An entry of the list of moves.
struct LudiiEntry<'a> {
    mover: i64,
    from: i64,
    to: i64,
    /// The text `from=19,to=34`.
    words: &'a str,
    actions: Vec<LudiiAction<'a>>,
}

/// An action of an entry.
struct LudiiAction<'a> {
    name: &'a str,
    fields: Vec<(&'a str, &'a str)>,
}

impl<'a> LudiiAction<'a> {
    fn value(&self, name: &str) -> Option<&'a str> {
        self.fields.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    /// Returns a number and its digits.
    fn int(&self, name: &str) -> Option<(i64, &'a str)> {
        let digits = self.value(name)?;
        digits.parse().ok().map(|value| (value, digits))
    }
}

fn action(input: &str) -> ReadStr<'_, LudiiAction<'_>> {
    let field = separated_pair(is_not("=,[]"), char('='), is_not(",[]"));
    let fields = separated_list0(char(','), field);
    let body = (is_not(":[]"), preceded(char(':'), fields));
    delimited(char('['), body, char(']')).map(|(name, fields)| LudiiAction { name, fields }).parse(input)
}

fn entry(text: &str) -> Option<LudiiEntry<'_>> {
    let places = consumed((preceded(tag("from="), i64::<&str, ()>), preceded(tag(",to="), i64)));
    let head = (preceded(tag("[Move:mover="), i64), preceded(char(','), places));
    // Newer versions may write more between the cells and the actions.
    let actions = preceded((take_until("actions=["), tag("actions=")), separated_list0(char(','), action));
    let (_, ((mover, (words, (from, to))), actions)) = (head, actions).parse(text).ok()?;
    Some(LudiiEntry { mover, from, to, words, actions })
}

struct LudiiTrialReader<'s> {
    source: &'s Source<'s>,
    record: Record,
    diagnostics: Findings,
    game: LudiiGame,
    /// The board during setup, and its span.
    start: Option<WrittenStart>,
    section: LudiiSection,
    /// The number of legal move counts so far.
    n_counts: u32,
    /// Whether the trial reported the capture of the king.
    is_king_captured: bool,
}

/// The section of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LudiiSection {
    /// Entries and statements.
    Trial,
    /// The block of game options.
    Options,
    /// A list of legal moves, which some trials contain in full.
    LegalMoves,
}

impl LudiiTrialReader<'_> {
    fn line(&mut self, line: &str) {
        match (self.section, line) {
            (_, "START GAME OPTIONS") => self.section = LudiiSection::Options,
            (_, "NEW LEGAL MOVES LIST") => self.section = LudiiSection::LegalMoves,
            (_, "END GAME OPTIONS" | "END LEGAL MOVES LIST") => self.section = LudiiSection::Trial,
            (LudiiSection::Options, option) => self.record.push_tag("option", option, self.span(option)),
            (LudiiSection::LegalMoves, _) => {}
            (LudiiSection::Trial, line) => self.statement(line),
        }
    }

    fn statement(&mut self, line: &str) {
        let Some((key, value)) = line.split_once('=') else { return self.stray(line) };
        let (key, value) = (key.trim(), value.trim());
        match key {
            "Move" => self.entry(value),
            "LEGAL MOVES LIST SIZE" => self.count(value),
            "winner" => self.winner(value),
            _ => self.record.push_tag(key, value, self.span(value)),
        }
    }

    fn span(&self, part: &str) -> Span {
        self.source.span_of(part).unwrap_or_default()
    }

    #[cold]
    fn stray(&mut self, part: &str) {
        self.diagnostics.push(Diagnostic::new(self.span(part), TextFinding::Stray));
    }

    #[cold]
    fn bad(&mut self, part: &str, field: &'static str, expected: &'static str) {
        self.diagnostics.push(Diagnostic::new(self.span(part), TextFinding::BadValue { field, expected }));
    }

    fn entry(&mut self, text: &str) {
        let Some(entry) = entry(text) else {
            return self.diagnostics.push(Diagnostic::new(self.span(text), TextFinding::BadMove));
        };
        // Without a size no number is a cell; `finish` reports this once.
        let Some(sites) = self.game.sites else { return };
        match entry.mover {
            0 => self.place(&entry, sites),
            _ => self.mv(&entry, sites),
        }
    }

    fn place(&mut self, entry: &LudiiEntry<'_>, sites: Sites) {
        for action in entry.actions.iter().filter(|action| action.name == "Add") {
            let cell = action.int("to").and_then(|(site, _)| sites.0.cell(sites.coord(site)?));
            let piece = action.int("what").and_then(|(what, _)| self.game.piece(what));
            let (Some(cell), Some(piece)) = (cell, piece) else {
                self.bad(entry.words, "Add", "a cell number and the piece 1, 2, or 3");
                continue;
            };
            let span = self.span(entry.words);
            let start = self.start.get_or_insert_with(|| WrittenStart { setup: Setup::empty(sites.0), span });
            start.setup.put(cell, Some(piece));
            start.span = start.span.cover(span);
        }
    }

    fn mv(&mut self, entry: &LudiiEntry<'_>, sites: Sites) {
        let is_move = entry
            .actions
            .iter()
            .any(|action| action.name == "Move" && action.value("decision") == Some("true"));
        let (Some(from), Some(to), true) = (sites.coord(entry.from), sites.coord(entry.to), is_move) else {
            return self.diagnostics.push(Diagnostic::new(self.span(entry.words), TextFinding::BadMove));
        };
        let side = self.game.side(entry.mover);
        let first_capture = self.record.captures.len();
        for action in entry.actions.iter().filter(|action| action.name == "Remove") {
            match action.int("to").and_then(|(site, digits)| Some((sites.coord(site)?, digits))) {
                Some((cell, digits)) => {
                    let span = self.span(digits);
                    self.record.captures.push(WrittenCapture { cell, letter: Letter::NONE, span });
                }
                None => self.bad(entry.words, "Remove", "a cell number"),
            }
        }
        self.is_king_captured =
            entry.actions.iter().any(|action| action.value("event") == Some("Surrounded"));
        let mv = WrittenMove { side, ..WrittenMove::new(from, to, self.span(entry.words)) };
        self.record.push_move(mv, first_capture);
    }

    fn count(&mut self, value: &str) {
        let after = self.n_counts;
        // A count that cannot be read still belongs to its move.
        self.n_counts += 1;
        let Ok(count) = value.parse() else {
            return self.bad(value, "LEGAL MOVES LIST SIZE", "a number");
        };
        self.record.move_counts.push(WrittenCount { after, count, span: self.span(value) });
    }

    fn winner(&mut self, value: &str) {
        let verdict = match value.parse() {
            Ok(0) => WrittenVerdict::Draw,
            Ok(-1) => WrittenVerdict::Ongoing,
            Ok(player @ (1 | 2)) => {
                self.game.side(player).map_or(WrittenVerdict::Unknown, WrittenVerdict::Win)
            }
            Ok(_) | Err(_) => return self.bad(value, "winner", "1, 2, 0 for a draw or -1"),
        };
        self.record.result = Some(WrittenResult { verdict, reason: None, span: self.span(value) });
    }

    fn finish(&mut self) {
        self.record.start = self.start.take();
        self.variant();
        self.reason();
        match self.game.sites {
            // The square games report that the king is surrounded and leave him on the board; HeXentafl
            // removes him.
            Some(Sites(Shape::Square { .. })) => self.record.capture_style = CaptureStyle::ListedButKings,
            Some(Sites(Shape::Hex { .. })) => {}
            None => {
                let missing = "the king's cell, which determines the size of the board,";
                self.diagnostics.push(Diagnostic::new(Span::at(0), TextFinding::Incomplete { missing }));
            }
        }
    }

    /// The variant name is `ludii-` and the file name; with the size for HeXentafl, and with the options for
    /// other games.
    fn variant(&mut self) {
        let Some(name) = game_name(self.source.text) else {
            return self
                .diagnostics
                .push(Diagnostic::new(Span::at(0), TextFinding::MissingField { field: "game" }));
        };
        let mut text = format!("ludii-{}", name.to_lowercase().replace(' ', "-"));
        if let Some(Sites(Shape::Hex { side })) = self.game.sites {
            text += &side.to_string();
        }
        let options = self.record.tags.iter().filter(|tag| tag.name == "option");
        for option in options.filter(|option| !option.value.starts_with("Board Size/")) {
            text.push('/');
            text.push_str(option.value);
        }
        self.record.variant = Some(Written { text: text.into(), span: self.span(name) });
    }

    fn reason(&mut self) {
        let by_limit = self.record.tag("endtype").is_some_and(|end| end.ends_with("Limit"));
        if let Some(result) = &mut self.record.result {
            result.reason = match result.verdict {
                WrittenVerdict::Win(Side::Attackers) if self.is_king_captured => Some(Reason::KingCaptured),
                WrittenVerdict::Draw if by_limit => Some(Reason::PlyLimit),
                WrittenVerdict::Win(_)
                | WrittenVerdict::Draw
                | WrittenVerdict::Ongoing
                | WrittenVerdict::Unknown => None,
            };
        }
    }
}

#[cfg(test)]
mod tests;
