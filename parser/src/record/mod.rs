//! The record of a game as written. It may contain errors, which replay finds.

mod end;
mod format;
mod line;
mod rating;
mod remark;
pub mod tag;
mod texts;
mod variations;

use tafl_rules::{Cell, Move, Setup, Shape, Side, Span};

pub use end::{EndingKind, WrittenCaptureCounts, WrittenEnding, WrittenResult, WrittenVerdict};
pub use format::{Cut, Format};
pub use line::{
    Letter, LineBranch, MainLine, MoveLine, MoveLineId, MoveMark, MovePlace, WrittenCapture, WrittenMove,
};
pub(crate) use rating::is_unknown_rating;
pub use rating::read_rating;
pub use remark::{RefusedMove, WrittenBoard, WrittenClock, WrittenCount, WrittenMoveCaptureCount};
pub use texts::{Comment, Comments, Tag, Tags};
pub use variations::Variations;

/// A game as it was written down, in any notation.
///
/// A record makes no claim about legality. Every part has its span in the parsed text; parts created by a
/// program have the empty [`Span`]. Use [`Record::forget_places`] to compare records from different texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The notation in which the record was first written; JSON lines preserve it.
    pub format: Format,
    /// Tags: statements about the game other than its moves, in text order. [`tag`] lists the standard names.
    pub tags: Tags,
    /// The rules, as the unchecked text of a rules string.
    pub rules: Option<Written>,
    /// The variant name as written. The catalog resolves it to rules.
    pub variant: Option<Written>,
    /// The start position, if given separately from the rules.
    pub start: Option<WrittenStart>,
    /// The side that moves first, if given separately from the rules.
    pub first_mover: Option<Side>,
    /// The completeness of the written captures in this notation or record.
    pub capture_style: CaptureStyle,
    /// The moves of the game as played.
    pub main_line: MainLine,
    /// The variations, each after its parent line.
    pub variations: Variations,
    /// The written captured cells of the moves of all lines; moves refer to ranges of it.
    pub captures: Vec<WrittenCapture>,
    /// Comments on moves, in text order.
    pub comments: Comments,
    /// Clock times, in text order.
    pub clocks: Vec<WrittenClock>,
    /// Boards written between moves, for comparison with replay.
    pub boards: Vec<WrittenBoard>,
    /// Moves of the main line that were tried and refused, in text order.
    pub refused: Vec<RefusedMove>,
    /// Numbers of legal moves written between moves, for comparison with replay.
    pub move_counts: Vec<WrittenCount>,
    /// The written numbers of captures of single moves of the main line, in their order, for comparison with
    /// replay. Captured kings are not counted.
    pub move_capture_counts: Vec<WrittenMoveCaptureCount>,
    /// The written numbers of captures by side. `attackers`: pieces captured by the attackers.
    pub capture_counts: Option<WrittenCaptureCounts>,
    /// The last statement among the moves, such as a resignation or a timeout.
    pub ending: Option<WrittenEnding>,
    /// The written result.
    pub result: Option<WrittenResult>,
}

/// A text with its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: Box<str>,
    /// Its span.
    pub span: Span,
}

/// The start of the game, unchecked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenStart {
    /// The setup.
    pub setup: Setup,
    /// Its span.
    pub span: Span,
}

/// The meaning of an unlisted capture in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CaptureStyle {
    /// Every captured piece is listed.
    #[default]
    Listed,
    /// Every captured piece except kings is listed.
    ListedButKings,
    /// Captures are never written.
    NotWritten,
}

impl CaptureStyle {
    /// Returns the name used in JSON lines.
    pub const fn name(self) -> &'static str {
        match self {
            CaptureStyle::Listed => "listed",
            CaptureStyle::ListedButKings => "listed-but-kings",
            CaptureStyle::NotWritten => "not-written",
        }
    }

    /// Returns the style with a name used in JSON lines.
    pub fn from_name(name: &str) -> Option<CaptureStyle> {
        [CaptureStyle::Listed, CaptureStyle::ListedButKings, CaptureStyle::NotWritten]
            .into_iter()
            .find(|style| style.name() == name)
    }
}

impl Record {
    /// Creates an empty record with an empty main line.
    pub fn new(format: Format) -> Record {
        Record {
            format,
            tags: Tags::default(),
            rules: None,
            variant: None,
            start: None,
            first_mover: None,
            capture_style: CaptureStyle::Listed,
            main_line: MainLine::default(),
            variations: Variations::default(),
            captures: Vec::new(),
            comments: Comments::default(),
            clocks: Vec::new(),
            boards: Vec::new(),
            refused: Vec::new(),
            move_counts: Vec::new(),
            move_capture_counts: Vec::new(),
            capture_counts: None,
            ending: None,
            result: None,
        }
    }

    /// Returns the main line.
    #[inline]
    pub const fn main(&self) -> &MainLine {
        &self.main_line
    }

    /// Returns the main line for changes.
    #[inline]
    pub const fn main_mut(&mut self) -> &mut MainLine {
        &mut self.main_line
    }

    /// Returns the number of lines: the main line and the variations.
    pub const fn n_lines(&self) -> usize {
        1 + self.variations.len()
    }

    /// Returns the main line and then the variations, each after its parent line.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = MoveLine<'_>> + Clone {
        std::iter::once(self.line(MoveLineId::MAIN)).chain(self.variations.iter())
    }

    /// Returns a line if the record has it.
    pub fn find_line(&self, id: MoveLineId) -> Option<MoveLine<'_>> {
        match id.index().checked_sub(1) {
            Some(nth) => self.variations.get(nth),
            None => {
                let MainLine { opens_with_second, moves } = &self.main_line;
                Some(MoveLine { branch: None, opens_with_second: *opens_with_second, moves })
            }
        }
    }

    /// Returns a line.
    ///
    /// # Panics
    ///
    /// Panics if the record does not have this line.
    pub fn line(&self, id: MoveLineId) -> MoveLine<'_> {
        self.find_line(id).expect("the line belongs to the record")
    }

    /// Appends a move to a line.
    ///
    /// # Panics
    ///
    /// Panics if the record does not have this line.
    #[inline]
    pub fn push_to(&mut self, line: MoveLineId, mv: WrittenMove) {
        match line.index().checked_sub(1) {
            None => self.main_line.moves.push(mv),
            Some(nth) => self.variations.push(nth, mv),
        }
    }

    /// Removes the last move of a line if a condition holds for it; returns whether it did.
    pub(crate) fn pop_from(&mut self, line: MoveLineId, is_meant: impl FnOnce(&WrittenMove) -> bool) -> bool {
        match line.index().checked_sub(1) {
            None => self.main_line.moves.pop_if(|mv| is_meant(mv)).is_some(),
            Some(nth) => self.variations.pop_if(nth, is_meant),
        }
    }

    /// Returns the moves of a line for changes.
    ///
    /// # Panics
    ///
    /// Panics if the record does not have this line.
    pub fn moves_mut(&mut self, line: MoveLineId) -> &mut [WrittenMove] {
        match line.index().checked_sub(1) {
            None => &mut self.main_line.moves,
            Some(nth) => self.variations.moves_mut(nth),
        }
    }

    /// Determines whether a line is written as beginning with the player who moves second in a turn.
    ///
    /// # Panics
    ///
    /// Panics if the record does not have this line.
    pub fn set_opens_with_second(&mut self, line: MoveLineId, opens_with_second: bool) {
        match line.index().checked_sub(1) {
            None => self.main_line.opens_with_second = opens_with_second,
            Some(nth) => self.variations.set_opens_with_second(nth, opens_with_second),
        }
    }

    /// Returns the written captured cells of a move of this record.
    #[inline]
    pub fn captures_of(&self, mv: &WrittenMove) -> &[WrittenCapture] {
        let first = mv.first_capture as usize;
        self.captures.get(first..first + usize::from(mv.n_captures)).unwrap_or(&[])
    }

    /// Returns the value of the first tag with this name, ignoring case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name)).map(|tag| tag.value)
    }

    /// Returns the number of plies after which the players exchanged sides, with its span; `None` if they did
    /// not, or if the number is unknown.
    pub fn swap(&self) -> Option<(u32, Span)> {
        let tag = self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(tag::SWAPPED))?;
        Some((tag.value.trim().parse().ok()?, tag.span))
    }

    /// Returns the start of the record if it is on this board.
    pub(crate) fn start_on(&self, shape: Shape) -> Option<&Setup> {
        self.start.as_ref().map(|start| &start.setup).filter(|setup| setup.shape() == shape)
    }

    /// Adds a tag.
    pub fn push_tag(&mut self, name: &str, value: &str, span: Span) {
        self.tags.push(Tag { name, value, span });
    }

    /// Appends a move to the main line, with the captures added to [`Record::captures`] since
    /// `first_capture`.
    #[inline]
    pub fn push_move(&mut self, mv: WrittenMove, first_capture: usize) {
        let n_captures = (self.captures.len() - first_capture) as u16;
        self.main_mut().moves.push(WrittenMove { first_capture: first_capture as u32, n_captures, ..mv });
    }

    /// Returns a move of a game that is not from a text, with its captures, which are added to [`Record::captures`]. The move is
    /// not yet in a line, and has no piece letter.
    pub fn played_move(
        &mut self,
        mv: Move,
        captured: impl IntoIterator<Item = Cell>,
        shape: Shape,
    ) -> WrittenMove {
        let (first, span) = (self.captures.len(), Span::default());
        let captured = captured.into_iter().map(|cell| shape.coord(cell));
        self.captures.extend(captured.map(|cell| WrittenCapture { cell, letter: Letter::NONE, span }));
        WrittenMove {
            first_capture: first as u32,
            n_captures: (self.captures.len() - first) as u16,
            ..WrittenMove::new(shape.coord(mv.from), shape.coord(mv.to), span)
        }
    }

    /// Returns whether the player who moves second in a turn makes the move at an index of a line. This
    /// follows the written text: the sides alternate except for later steps of a turn.
    ///
    /// # Panics
    ///
    /// Panics if the record does not have this line.
    pub fn is_second(&self, line: MoveLineId, at: u32) -> bool {
        let line = self.line(line);
        let before = line.moves.iter().take(at as usize + 1).skip(1);
        let turns = before.filter(|mv| !mv.chained).count();
        // After the last move it is the other player's turn.
        let turns = turns + usize::from(at as usize >= line.moves.len() && !line.moves.is_empty());
        line.opens_with_second ^ (turns % 2 == 1)
    }

    /// Clears all spans so that records from different texts can be compared. Captures are sorted by move;
    /// comments and clocks by place.
    pub fn forget_places(&mut self) {
        let mut captures = Vec::with_capacity(self.captures.len());
        let moves = self.main_line.moves.iter_mut().chain(self.variations.all_moves_mut());
        for mv in moves.chain(self.refused.iter_mut().map(|refused| &mut refused.mv)) {
            let first = mv.first_capture as usize;
            let own = self.captures.get(first..first + usize::from(mv.n_captures)).unwrap_or(&[]);
            mv.first_capture = if own.is_empty() { 0 } else { captures.len() as u32 };
            captures.extend_from_slice(own);
        }
        self.captures = captures;
        self.comments.sort_by_place();
        self.clocks.sort_by_key(|clock| clock.place);
        let moves = self.main_line.moves.iter_mut().chain(self.variations.all_moves_mut());
        let moves = moves.map(|mv| &mut mv.span);
        let counts =
            self.capture_counts.iter_mut().flat_map(|c| [&mut c.spans.attackers, &mut c.spans.defenders]);
        let spans = moves
            .chain(counts)
            .chain(self.tags.spans_mut())
            .chain(self.rules.iter_mut().map(|rules| &mut rules.span))
            .chain(self.variant.iter_mut().map(|variant| &mut variant.span))
            .chain(self.start.iter_mut().map(|start| &mut start.span))
            .chain(self.captures.iter_mut().map(|capture| &mut capture.span))
            .chain(self.comments.spans_mut())
            .chain(self.clocks.iter_mut().map(|clock| &mut clock.span))
            .chain(self.boards.iter_mut().map(|board| &mut board.span))
            .chain(self.refused.iter_mut().flat_map(|refused| {
                std::iter::once(&mut refused.mv.span)
                    .chain(refused.reason.as_mut().map(|reason| &mut reason.span))
            }))
            .chain(self.move_counts.iter_mut().map(|count| &mut count.span))
            .chain(self.move_capture_counts.iter_mut().map(|number| &mut number.span))
            .chain(self.ending.iter_mut().map(|ending| &mut ending.span))
            .chain(self.result.iter_mut().map(|result| &mut result.span));
        for span in spans {
            *span = Span::default();
        }
    }
}
