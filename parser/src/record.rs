//! What somebody wrote down about a game. It may be wrong: only [replay](crate) finds out.

use tafl_rules::{BySide, Coord, Reason, Role, Setup, Side, Span};

use crate::format::Format;

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

/// The names of tags that more than one notation knows: OpenTafl's, and a few of our own.
///
/// Results, rules, variants and starts are no tags: a [`Record`] has a place for each. OpenTafl's `result` and the
/// like become a tag only when they cannot be understood.
pub mod tag {
    /// The game's name in its archive.
    pub const ID: &str = "id";
    /// The tournament or match.
    pub const EVENT: &str = "event";
    /// The place or the server.
    pub const SITE: &str = "site";
    /// The day; OpenTafl writes `YYYY.MM.DD`.
    pub const DATE: &str = "date";
    /// The round of a tournament.
    pub const ROUND: &str = "round";
    /// Who played the attackers.
    pub const ATTACKERS: &str = "attackers";
    /// Who played the defenders.
    pub const DEFENDERS: &str = "defenders";
    /// The attackers' rating.
    pub const ATTACKERS_RATING: &str = "attackers-rating";
    /// The defenders' rating.
    pub const DEFENDERS_RATING: &str = "defenders-rating";
    /// Who wrote the comments.
    pub const ANNOTATOR: &str = "annotator";
    /// Who made the record.
    pub const COMPILER: &str = "compiler";
    /// The time control.
    pub const TIME_CONTROL: &str = "time-control";
    /// What was left on the clocks at the end.
    pub const TIME_REMAINING: &str = "time-remaining";
    /// How the game ended, in words.
    pub const TERMINATION: &str = "termination";
    /// A comment on the start.
    pub const START_COMMENT: &str = "start-comment";
    /// Whether the record is a puzzle: `strict` or `loose`.
    pub const PUZZLE_MODE: &str = "puzzle-mode";
    /// The address from which a puzzle shows its moves.
    pub const PUZZLE_PRESTART: &str = "puzzle-prestart";
    /// The address at which a puzzle begins.
    pub const PUZZLE_START: &str = "puzzle-start";
    /// Whether the game was rated: `true` or `false`.
    pub const RATED: &str = "rated";
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

/// The number of a line in [`Record::lines`]. The game itself is [`LineId::MAIN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(pub u32);

impl LineId {
    /// The game as it was played.
    pub const MAIN: LineId = LineId(0);

    /// Returns the index in [`Record::lines`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Moves one after another: the game, or a variation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Where a variation leaves its parent; nothing for the game itself.
    pub branch: Option<Branch>,
    /// Whether the line is written as beginning with the player who moves second in a turn, as `1. ..... e5-e2`.
    pub opens_with_second: bool,
    /// The moves, each a single step of a piece.
    pub moves: Vec<WrittenMove>,
}

/// Where a variation leaves its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Branch {
    /// The line it leaves; it stands before the variation in [`Record::lines`].
    pub parent: LineId,
    /// The index, in the parent's moves, of the move that the variation replaces. Never more than the parent's length.
    pub at: u32,
    /// The number of this variation among those that replace the same move, counted from 1.
    pub number: u32,
}

/// A piece that is said to have moved once.
///
/// A turn of several steps, as Berserk has it, is several of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenMove {
    /// Where the piece is said to have stood; perhaps on no board.
    pub from: Coord,
    /// Where it is said to have gone; perhaps on no board.
    pub to: Coord,
    /// The place of the whole token, captures and marks included.
    pub span: Span,
    /// The index of the first captured cell in [`Record::captures`].
    pub first_capture: u32,
    /// How many captured cells are written.
    pub n_captures: u16,
    /// The letter before the move, if any.
    pub letter: Letter,
    /// The mark behind the move.
    pub mark: Mark,
    /// Whether the move is written as a jump.
    pub jump: bool,
    /// Whether the same side, in the same turn, moved just before: a later step of a chain.
    pub chained: bool,
    /// The side that is said to have moved, where the notation says so move by move.
    pub side: Option<Side>,
}

impl WrittenMove {
    /// Returns a plain move between two places, written at `span`.
    #[inline]
    pub const fn new(from: Coord, to: Coord, span: Span) -> WrittenMove {
        WrittenMove {
            from,
            to,
            span,
            first_capture: 0,
            n_captures: 0,
            letter: Letter::NONE,
            mark: Mark::None,
            jump: false,
            chained: false,
            side: None,
        }
    }
}

/// The letter of a piece in a move, as written: `K` in `Kd1-c1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Letter(u8);

impl Letter {
    /// No letter.
    pub const NONE: Letter = Letter(0);

    /// Returns the letter of an ASCII byte; no letter for every other byte.
    #[inline]
    pub const fn new(byte: u8) -> Letter {
        if byte.is_ascii_alphabetic() { Letter(byte) } else { Letter::NONE }
    }

    /// Returns the letter, if there is one.
    #[inline]
    pub const fn get(self) -> Option<char> {
        if self.0 == 0 { None } else { Some(self.0 as char) }
    }

    /// Returns the role that the letter stands for, in either case.
    pub fn role(self) -> Option<Role> {
        self.get().and_then(Role::from_letter)
    }
}

/// The mark behind a move. Marks are opinions, never evidence for a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mark {
    /// None.
    #[default]
    None,
    /// `+`: OpenTafl, the king is in danger; Cyningstan, a win is threatened.
    Plus,
    /// `-`: OpenTafl, the king has a way out.
    Minus,
    /// `++`: OpenTafl, the king is captured; Cyningstan, the move wins.
    PlusPlus,
    /// `--`: OpenTafl, the king escapes; Cyningstan, a bad move.
    MinusMinus,
    /// `!`: Cyngesheall, the move wins.
    Bang,
    /// `==`: a draw, as the crate `hnefatafl` writes it.
    Equal,
}

impl Mark {
    /// Returns the mark as it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Mark::None => "",
            Mark::Plus => "+",
            Mark::Minus => "-",
            Mark::PlusPlus => "++",
            Mark::MinusMinus => "--",
            Mark::Bang => "!",
            Mark::Equal => "==",
        }
    }

    /// Returns the mark that a text is, if it is one.
    pub fn from_text(text: &str) -> Option<Mark> {
        [Mark::Plus, Mark::Minus, Mark::PlusPlus, Mark::MinusMinus, Mark::Bang, Mark::Equal]
            .into_iter()
            .find(|mark| mark.text() == text)
    }
}

/// A cell on which a piece is said to have been captured. The same cell may stand twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenCapture {
    /// The cell; perhaps on no board.
    pub cell: Coord,
    /// The letter before the cell, if any.
    pub letter: Letter,
    /// The place of the cell with its letter.
    pub span: Span,
}

/// A place in a line: behind so many of its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: LineId,
    /// How many moves of the line stand before; 0 is before the first.
    pub after: u32,
}

impl Place {
    /// Returns the place behind `after` moves of the game itself.
    pub const fn in_main(after: usize) -> Place {
        Place { line: LineId::MAIN, after: after as u32 }
    }
}

/// What somebody said about a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The move: the last one before this place.
    pub place: Place,
    /// The words, verbatim.
    pub text: Box<str>,
    /// Their place in the text.
    pub span: Span,
}

/// A reading of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// When.
    pub place: Place,
    /// Whose clock.
    pub side: Side,
    /// What was left, in milliseconds.
    pub milliseconds: i64,
    /// The place in the text.
    pub span: Span,
}

/// A board that the record gives between two moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenBoard {
    /// How many moves of the game stand before it.
    pub after: u32,
    /// The arrangement.
    pub setup: Setup,
    /// Who is said to move next.
    pub to_move: Option<Side>,
    /// The place in the text.
    pub span: Span,
}

/// A move that a player tried and that was not allowed, so that it is no move of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedMove {
    /// The move.
    pub mv: WrittenMove,
    /// How many moves of the game stand before it.
    pub after: u32,
    /// Why it was refused, in the words of the record.
    pub reason: Option<Written>,
}

/// A count of legal moves that the record gives between two moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenCount {
    /// How many moves of the game stand before it.
    pub after: u32,
    /// The count, for the side to move there.
    pub count: u32,
    /// The place in the text.
    pub span: Span,
}

/// How many captures a record counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenCaptureCounts {
    /// By the captor: `attackers` counts the pieces that the attackers took.
    pub by: BySide<u32>,
    /// The places in the text.
    pub spans: BySide<Span>,
}

/// A word among the moves that ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenEnding {
    /// What it says.
    pub kind: EndingKind,
    /// Who gave up or ran out of time, where the record says so; else it is the side to move.
    pub side: Option<Side>,
    /// How many moves of the game stand before it. Moves behind it are kept.
    pub after: u32,
    /// The place in the text.
    pub span: Span,
}

/// What a word that ends the game says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndingKind {
    /// A player gave up.
    Resigned,
    /// A player ran out of time.
    Timeout,
    /// The players agreed to a draw.
    Agreed,
    /// Somebody else decided.
    Adjudicated,
}

impl EndingKind {
    /// Returns the reason that the ending is.
    pub const fn reason(self) -> Reason {
        match self {
            EndingKind::Resigned => Reason::Resignation,
            EndingKind::Timeout => Reason::Timeout,
            EndingKind::Agreed => Reason::Agreement,
            EndingKind::Adjudicated => Reason::Adjudication,
        }
    }
}

/// The result that a record names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenResult {
    /// Who is said to have won.
    pub verdict: Verdict,
    /// Why, where the record says so.
    pub reason: Option<Reason>,
    /// The place in the text.
    pub span: Span,
}

/// Who is said to have won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// This side.
    Win(Side),
    /// Nobody.
    Draw,
    /// The game is not over.
    Ongoing,
    /// The record says that it does not know.
    Unknown,
}

impl Verdict {
    /// Returns the winner, if there is one.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Verdict::Win(side) => Some(side),
            Verdict::Draw | Verdict::Ongoing | Verdict::Unknown => None,
        }
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
        for mv in self.lines.iter_mut().flat_map(|line| &mut line.moves) {
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
