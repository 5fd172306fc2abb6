//! HEN, the notation of Drews-hnefatafl: a board, moves, and a drawn board, separated by blank lines.
//!
//! ```text
//! game    = board , nl , [ nl , moves ] , [ nl , drawing ] , [ nl , status ] ;
//! board   = row , { " " , row } , [ ",W" | "!W" | "!B" ] ;       top rank first; white to move, white or black has won
//! row     = { count | "v" | "V" | "K" } ;                        attackers, defenders, king
//! moves   = { number , "." , ( move | "-" ) , [ move ] } ;       "-": black has already moved
//! move    = cell , cell , [ "*" ] ;                              "*": something is captured
//! cell    = file , ( "1".."9" | "X" | "L" ) ;                    X and L are 10 and 11
//! drawing = { rank , " " , { "." | "v" | "V" | "K" } , nl } , "abcdefghijk" , nl ;
//! status  = "Black's Move" | "White's Move" | "Black Wins" | "White Wins" ;
//! ```
//!
//! Comments are those of HTML. The first edition of the program wrote the moves before the board, which is then
//! the board after them.

mod cut;
mod moves;
mod position;

use tafl_rules::{Shape, Side, Span};

use super::{Format, termination};
use crate::diagnostic::{Diagnostic, Findings, Parsed, TextFinding};
use crate::record::{
    CaptureStyle, Comment, MovePlace, Record, WrittenBoard, WrittenResult, WrittenStart, WrittenVerdict,
};
use crate::source::Source;

pub(crate) use cut::next_game;
pub(crate) use moves::own_move;
pub(super) use position::is_sound_board;

/// The variant of the program.
const VARIANT: &str = "copenhagen11";

/// Returns the variant of a record.
pub(crate) fn variant(record: &Record) -> Option<&'static str> {
    record.start.as_ref().map_or(Some(VARIANT), |start| variant_on(start.setup.shape()))
}

/// Returns the variant on a board: the program has only one board.
pub(crate) fn variant_on(shape: Shape) -> Option<&'static str> {
    (shape == Shape::Square { side: 11 }).then_some(VARIANT)
}

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut record = Record::new(Format::Hen);
    record.capture_style = CaptureStyle::NotWritten;
    let mut diagnostics = Findings::default();
    let comments = comments(source.text, &mut diagnostics);
    let text = without(source.text, &comments);
    // The text has the same offsets as the source.
    let masked = Source { text: &text, ..*source };
    let mut reader = HenReader { source: masked, record, diagnostics, drawing: None, already_moved: 0 };
    for line in text.split('\n').map(str::trim_ascii).filter(|line| !line.is_empty()) {
        reader.line(masked.span_of(line).unwrap_or_default());
    }
    let (mut record, mut diagnostics) = reader.finish();
    for comment in comments {
        let body = comment_text(source.at(comment));
        let span = source.span_of(body).unwrap_or(comment);
        let after = record.main().moves.partition_point(|mv| mv.span.end <= comment.start);
        record.comments.push(Comment { place: MovePlace::in_main(after), text: body, span });
    }
    diagnostics.sort();
    Parsed { value: record, diagnostics: diagnostics.into_vec() }
}

/// Returns the spans of the comments of a text, with their marks.
fn comments(text: &str, diagnostics: &mut Findings) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("<!--").map(|start| at + start) {
        let Some(end) = text[start..].find("-->").map(|end| start + end + 3) else {
            let mark = Span::new(start, start + 4);
            diagnostics.push(Diagnostic::new(mark, TextFinding::Unclosed { bracket: '<' }));
            found.push(Span::new(start, text.len()));
            break;
        };
        found.push(Span::new(start, end));
        at = end;
    }
    found
}

fn comment_text(comment: &str) -> &str {
    let body = comment.strip_prefix("<!--").unwrap_or(comment);
    body.strip_suffix("-->").unwrap_or(body).trim()
}

/// Returns the text with blanks in place of the bytes of its comments, so that all offsets stay the same.
fn without(text: &str, comments: &[Span]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for comment in comments {
        out.push_str(&text[at..comment.start as usize]);
        out.extend(std::iter::repeat_n(' ', comment.len()));
        at = comment.end as usize;
    }
    out.push_str(&text[at..]);
    out
}

/// The state of reading one record line by line.
struct HenReader<'s> {
    source: Source<'s>,
    record: Record,
    diagnostics: Findings,
    /// The spans of the rows of the drawn board, top rank first.
    drawing: Option<Vec<Span>>,
    /// 1 if black has already made the first move of the first number, otherwise 0.
    already_moved: usize,
}

impl HenReader<'_> {
    fn report(&mut self, span: Span, finding: impl Into<crate::diagnostic::DiagnosticKind>) {
        self.diagnostics.push(Diagnostic::new(span, finding));
    }

    fn line(&mut self, span: Span) {
        let line = self.source.at(span);
        if position::is_drawn_row(line) {
            self.drawing.get_or_insert_default().push(span);
            return;
        }
        if position::is_file_line(line) {
            return;
        }
        let status = HenStatus::of(line);
        self.end_drawing(status.and_then(HenStatus::to_move));
        match status {
            Some(status) => self.status(status, span),
            None if position::is_board(line.as_bytes()) => self.board(span),
            None => self.moves(span),
        }
    }

    /// Reads the board in one line.
    fn board(&mut self, span: Span) {
        let is_first = self.record.main().moves.is_empty() && self.record.start.is_none();
        let (setup, mark) = position::read(&self.source, span);
        let setup = match setup {
            Ok(setup) => setup,
            Err(finding) => {
                self.diagnostics.push(finding);
                return;
            }
        };
        let to_move = match mark.map(|mark| self.source.at(mark)) {
            None => Some(Side::Attackers),
            Some(",W") => Some(Side::Defenders),
            Some(_) => None,
        };
        if let (Some(mark), None) = (mark, to_move) {
            let winner = if self.source.at(mark) == "!W" { Side::Defenders } else { Side::Attackers };
            let stated = WrittenResult { verdict: WrittenVerdict::Win(winner), reason: None, span: mark };
            termination::set_result(&mut self.record, &mut self.diagnostics, stated);
        }
        if is_first {
            self.record.start = Some(WrittenStart { setup, span });
            self.record.first_mover = to_move;
        } else {
            // In the first edition, a board without a mark says nothing about the side to move.
            let to_move = to_move.filter(|_| mark.is_some());
            self.push_board(setup, to_move, span);
        }
    }

    fn push_board(&mut self, setup: tafl_rules::Setup, to_move: Option<Side>, span: Span) {
        let after = self.record.main().moves.len() as u32;
        // The first edition of the program writes the last board in both forms.
        let is_same = |board: &&mut WrittenBoard| (board.after, &board.setup) == (after, &setup);
        match self.record.boards.last_mut().filter(is_same) {
            Some(board) => board.to_move = board.to_move.or(to_move),
            None => self.record.boards.push(WrittenBoard { after, setup, to_move, span }),
        }
    }

    /// Reads the drawn board whose last row was the previous line, if there is one.
    fn end_drawing(&mut self, to_move: Option<Side>) {
        let Some(rows) = self.drawing.take() else { return };
        let span = rows.iter().copied().reduce(Span::cover).unwrap_or_default();
        match position::read_drawing(&self.source, &rows) {
            Ok(setup) => self.push_board(setup, to_move, span),
            Err(finding) => self.diagnostics.push(finding),
        }
    }

    fn status(&mut self, status: HenStatus, span: Span) {
        let verdict = match status {
            HenStatus::Win(side) => WrittenVerdict::Win(side),
            HenStatus::ToMove(_) | HenStatus::Incomplete => WrittenVerdict::Ongoing,
            HenStatus::Stalemate => WrittenVerdict::Draw,
        };
        let stated = WrittenResult { verdict, reason: None, span };
        termination::set_result(&mut self.record, &mut self.diagnostics, stated);
    }

    fn finish(mut self) -> (Record, Findings) {
        self.end_drawing(None);
        (self.record, self.diagnostics)
    }
}

/// The words after the drawn board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HenStatus {
    ToMove(Side),
    Win(Side),
    /// From the first edition of the program: the game is not over.
    Incomplete,
    /// From the first edition of the program: a draw.
    Stalemate,
}

impl HenStatus {
    fn of(line: &str) -> Option<HenStatus> {
        let words = line.trim_end_matches(['!', '.']).replace('’', "'").to_ascii_lowercase();
        match words.as_str() {
            "black's move" => Some(HenStatus::ToMove(Side::Attackers)),
            "white's move" => Some(HenStatus::ToMove(Side::Defenders)),
            "black wins" => Some(HenStatus::Win(Side::Attackers)),
            "white wins" => Some(HenStatus::Win(Side::Defenders)),
            "incomplete game" => Some(HenStatus::Incomplete),
            "stalemate" => Some(HenStatus::Stalemate),
            _ => None,
        }
    }

    const fn to_move(self) -> Option<Side> {
        match self {
            HenStatus::ToMove(side) => Some(side),
            HenStatus::Win(_) | HenStatus::Incomplete | HenStatus::Stalemate => None,
        }
    }
}

#[cfg(test)]
mod tests;
