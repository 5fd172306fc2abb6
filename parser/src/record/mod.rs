//! What somebody wrote down about a game. It may be wrong: only [replay](crate) finds out.

mod end;
mod format;
mod line;
mod remark;
pub mod tag;

use tafl_rules::{Setup, Side, Span};

pub use end::{EndingKind, Verdict, WrittenCaptureCounts, WrittenEnding, WrittenResult};
pub use format::{Cut, Format};
pub use line::{Branch, Letter, Line, LineId, Mark, Place, WrittenCapture, WrittenMove};
pub use remark::{Clock, Comment, RefusedMove, WrittenBoard, WrittenCount};

/// A game as it was written down, in any notation.
///
/// A record claims nothing about legality. Every part knows its place in the text it was read from; a part that was
/// made by a program has the empty [`Span`]. [`Record::forget_places`] makes two records comparable.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The notation in which the record was first written; our JSON lines keep it.
    pub format: Format,
    /// What is said about the game besides its moves, in the order of the text. Names as [`tag`] has them.
    pub tags: Vec<Tag>,
    /// The rules, as the text of a rules string that nobody has checked yet.
    pub rules: Option<Written>,
    /// The name of the variant as the record gives it. Which rules it stands for is for the catalog to say.
    pub variant: Option<Written>,
    /// The start, where it is given apart from the rules.
    pub start: Option<WrittenStart>,
    /// Who moves first, where the record says so apart from the rules.
    pub first_mover: Option<Side>,
    /// What the notation, or this record, says about captures.
    pub capture_style: CaptureStyle,
    /// The moves: first the game as it was played, then variations, each behind the line it leaves.
    pub lines: Vec<Line>,
    /// The captured cells that are written with the moves of all lines; moves point into it.
    pub captures: Vec<WrittenCapture>,
    /// What is said about moves, in the order of the text.
    pub comments: Vec<Comment>,
    /// Times, in the order of the text.
    pub clocks: Vec<Clock>,
    /// Boards that the record gives between its moves, for comparison.
    pub boards: Vec<WrittenBoard>,
    /// Moves that were tried in the game itself and not allowed, in the order of the text.
    pub refused: Vec<RefusedMove>,
    /// Counts of legal moves that the record gives between its moves, for comparison.
    pub move_counts: Vec<WrittenCount>,
    /// How many captures of each side's moves the record counts. `attackers`: captured by the attackers.
    pub capture_counts: Option<WrittenCaptureCounts>,
    /// The last word among the moves: given up, out of time ...
    pub ending: Option<WrittenEnding>,
    /// The result that the record names.
    pub result: Option<WrittenResult>,
}

/// Words from a text, and where they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The words.
    pub text: Box<str>,
    /// Their place.
    pub span: Span,
}

/// One statement about the game, such as who played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The name: one of [`tag`] where the notation's name means the same, else the notation's own.
    pub name: Box<str>,
    /// The value, as written.
    pub value: Box<str>,
    /// The place of the value.
    pub span: Span,
}

/// The start of the game, unchecked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenStart {
    /// The arrangement.
    pub setup: Setup,
    /// Its place.
    pub span: Span,
}

/// What the absence of a captured cell in a record means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CaptureStyle {
    /// Every captured piece is listed.
    #[default]
    Listed,
    /// Every captured piece but a king is listed.
    ListedButKings,
    /// Captures are not written at all.
    NotWritten,
}

impl CaptureStyle {
    /// Returns the word of our JSON lines.
    pub const fn name(self) -> &'static str {
        match self {
            CaptureStyle::Listed => "listed",
            CaptureStyle::ListedButKings => "listed-but-kings",
            CaptureStyle::NotWritten => "not-written",
        }
    }

    /// Returns the style that a word of our JSON lines stands for.
    pub fn from_name(name: &str) -> Option<CaptureStyle> {
        [CaptureStyle::Listed, CaptureStyle::ListedButKings, CaptureStyle::NotWritten]
            .into_iter()
            .find(|style| style.name() == name)
    }
}

impl Record {
    /// Returns a record that says nothing, with an empty main line.
    pub fn new(format: Format) -> Record {
        Record {
            format,
            tags: Vec::new(),
            rules: None,
            variant: None,
            start: None,
            first_mover: None,
            capture_style: CaptureStyle::Listed,
            lines: vec![Line::default()],
            captures: Vec::new(),
            comments: Vec::new(),
            clocks: Vec::new(),
            boards: Vec::new(),
            refused: Vec::new(),
            move_counts: Vec::new(),
            capture_counts: None,
            ending: None,
            result: None,
        }
    }

    /// Returns the game as it was played, without variations.
    #[inline]
    pub fn main(&self) -> &Line {
        &self.lines[LineId::MAIN.index()]
    }

    /// Returns the game as it was played, to be changed.
    #[inline]
    pub fn main_mut(&mut self) -> &mut Line {
        &mut self.lines[LineId::MAIN.index()]
    }

    /// Returns a line.
    ///
    /// # Panics
    ///
    /// Panics if the record has no such line.
    pub fn line(&self, id: LineId) -> &Line {
        &self.lines[id.index()]
    }

    /// Returns the captured cells that are written with a move of this record.
    #[inline]
    pub fn captures_of(&self, mv: &WrittenMove) -> &[WrittenCapture] {
        let first = mv.first_capture as usize;
        self.captures.get(first..first + usize::from(mv.n_captures)).unwrap_or(&[])
    }

    /// Returns the value of the first tag of this name; names are compared without regard to case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name)).map(|tag| &*tag.value)
    }

    /// Adds a tag.
    pub fn push_tag(&mut self, name: &str, value: &str, span: Span) {
        self.tags.push(Tag { name: name.into(), value: value.into(), span });
    }

    /// Adds a move to the game itself, with the captures that were added to [`Record::captures`] since `first_capture`.
    #[inline]
    pub fn push_move(&mut self, mv: WrittenMove, first_capture: usize) {
        let n_captures = (self.captures.len() - first_capture) as u16;
        self.main_mut().moves.push(WrittenMove { first_capture: first_capture as u32, n_captures, ..mv });
    }

    /// Returns whether the player who moves second in a turn makes the move at an index of a line, by the way the line is
    /// written: sides alternate, except for later steps of a turn.
    pub fn is_second(&self, line: LineId, at: u32) -> bool {
        let line = self.line(line);
        let before = line.moves.iter().take(at as usize + 1).skip(1);
        let turns = before.filter(|mv| !mv.chained).count();
        // Behind the last move the other player is next.
        let turns = turns + usize::from(at as usize >= line.moves.len() && !line.moves.is_empty());
        line.opens_with_second ^ (turns % 2 == 1)
    }

    /// Forgets where in a text everything stands, so that records from different texts can be compared. Captures come
    /// into the order of their moves, comments and clocks into the order of their places.
    pub fn forget_places(&mut self) {
        let mut captures = Vec::with_capacity(self.captures.len());
        let moves = self.lines.iter_mut().flat_map(|line| &mut line.moves);
        for mv in moves.chain(self.refused.iter_mut().map(|refused| &mut refused.mv)) {
            let first = mv.first_capture as usize;
            let own = self.captures.get(first..first + usize::from(mv.n_captures)).unwrap_or(&[]);
            mv.first_capture = if own.is_empty() { 0 } else { captures.len() as u32 };
            captures.extend_from_slice(own);
        }
        self.captures = captures;
        self.comments.sort_by_key(|comment| comment.place);
        self.clocks.sort_by_key(|clock| clock.place);
        let moves = self.lines.iter_mut().flat_map(|line| &mut line.moves).map(|mv| &mut mv.span);
        let counts =
            self.capture_counts.iter_mut().flat_map(|c| [&mut c.spans.attackers, &mut c.spans.defenders]);
        let spans = moves
            .chain(counts)
            .chain(self.tags.iter_mut().map(|tag| &mut tag.span))
            .chain(self.rules.iter_mut().map(|rules| &mut rules.span))
            .chain(self.variant.iter_mut().map(|variant| &mut variant.span))
            .chain(self.start.iter_mut().map(|start| &mut start.span))
            .chain(self.captures.iter_mut().map(|capture| &mut capture.span))
            .chain(self.comments.iter_mut().map(|comment| &mut comment.span))
            .chain(self.clocks.iter_mut().map(|clock| &mut clock.span))
            .chain(self.boards.iter_mut().map(|board| &mut board.span))
            .chain(self.refused.iter_mut().flat_map(|refused| {
                std::iter::once(&mut refused.mv.span)
                    .chain(refused.reason.as_mut().map(|reason| &mut reason.span))
            }))
            .chain(self.move_counts.iter_mut().map(|count| &mut count.span))
            .chain(self.ending.iter_mut().map(|ending| &mut ending.span))
            .chain(self.result.iter_mut().map(|result| &mut result.span));
        for span in spans {
            *span = Span::default();
        }
    }
}
