//! What can be found out about a game without knowing the others: rows, keys, facts. It is pure, and runs on many threads.

use std::collections::HashMap;
use std::sync::Arc;

use tafl_parser::record::tag;
use tafl_parser::replay::{Choice, Chosen, Soundness};
use tafl_parser::{Diagnostic, Record, Replay, Severity, Source};
use tafl_rules::game::CellSet;
use tafl_rules::{AnyRulebook, BySide, Game, Move, Outcome, Reason, Setup, Side};

use super::course::{Coach, Course, Step, follow};
use super::date::Day;
use crate::id::{CanonicalLine, GameId, Line, RulesId};
use crate::rejected::Rejected;
use crate::row::{GameRow, Verdict};
use crate::tape::{Arena, GameResult};

/// Names of tags that have a column of their own.
const COLUMNS: [&str; 10] = [
    tag::ATTACKERS,
    tag::DEFENDERS,
    tag::ATTACKERS_RATING,
    tag::DEFENDERS_RATING,
    tag::EVENT,
    tag::SITE,
    tag::ROUND,
    tag::DATE,
    tag::TIME_CONTROL,
    tag::START_COMMENT,
];

/// A record with what replay found out about it.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    /// The text, and where it stands.
    pub source: Source<'a>,
    /// What was written.
    pub record: &'a Record,
    /// What happened.
    pub replay: &'a Replay,
    /// What the replay comes to, from [`Replay::verdict`].
    pub verdict: Soundness,
    /// What is to be said about it, that of the replay included.
    pub diagnostics: &'a [Diagnostic],
}

/// A game that a program made, such as a game against itself. It has no record.
#[derive(Debug, Clone)]
pub struct MadeGame<'a> {
    /// The rules.
    pub rules: &'a Choice,
    /// The moves from the start of the rules, each a legal step.
    pub moves: &'a [Move],
    /// How it ended, where the board does not show it.
    pub outcome: Option<Outcome>,
    /// What is said about the game; names as in [`tag`].
    pub tags: &'a [(&'a str, &'a str)],
}

/// What became of a record.
#[derive(Debug, Clone)]
pub enum Prepared {
    /// A game that can be stored.
    Game(Box<PreparedGame>),
    /// It cannot be stored, and is kept aside.
    Rejected(Box<Rejected>),
}

/// A game that can be stored.
#[derive(Debug, Clone)]
pub struct PreparedGame {
    pub(crate) row: GameRow,
    pub(crate) arena: Arc<Arena>,
    pub(crate) shape: tafl_rules::Shape,
    pub(crate) course: Course,
    pub(crate) day: Day,
}

impl PreparedGame {
    /// Returns the row of the game.
    pub fn row(&self) -> &GameRow {
        &self.row
    }
}

/// What is known about rules, once for all games.
#[derive(Debug)]
struct Known {
    chosen: Arc<Chosen>,
    rules: Arc<str>,
    rules_id: RulesId,
    shape: Arc<str>,
    arena: Arc<Arena>,
    start: Arc<str>,
    /// A game at the start of the rules.
    game: Game,
}

/// Prepares games; one serves one thread.
#[derive(Debug, Default)]
pub struct Preparer {
    /// By address, which nothing else can have while [`Known::chosen`] keeps the rules alive.
    known: HashMap<usize, Known>,
}

/// So many rules are remembered; more than any archive has.
const MOST_KNOWN: usize = 512;

/// How a game was played: what rows and keys are made from.
struct Played<'a> {
    chosen: &'a Arc<Chosen>,
    /// The start, where it is not that of the rules.
    start: Option<&'a Setup>,
    first: Side,
    steps: Vec<Step>,
}

impl Preparer {
    /// Prepares a record.
    pub fn prepare(&mut self, judged: &Judged<'_>) -> Prepared {
        let Judged { record, replay, .. } = *judged;
        let is_clean = judged.diagnostics.iter().all(|found| found.severity() == Severity::Note);
        let verdict = match judged.verdict {
            Soundness::Sound if is_clean => Some(Verdict::Sound),
            // Part of the text could not be read, and the finding names it.
            Soundness::Sound => Some(Verdict::Explained),
            Soundness::Explained(_) => Some(Verdict::Explained),
            Soundness::Unexplained(_) => None,
        };
        let (Some(verdict), Some(chosen)) = (verdict, &replay.rules) else {
            return Prepared::Rejected(Box::new(Rejected::of(judged)));
        };
        if replay.plies.is_empty() {
            return Prepared::Rejected(Box::new(Rejected::of(judged)));
        }
        let rules = chosen.book.rules();
        let written = record.start.as_ref().map(|start| &start.setup);
        let start = written.filter(|setup| setup.shape() == rules.shape() && **setup != rules.start);
        let steps: Vec<Step> = replay
            .plies
            .iter()
            .map(|ply| Step { mv: ply.mv, side: ply.side, captured: ply.captured })
            .collect();
        let first = steps[0].side;
        let mut game = self.play(&Played { chosen, start, first, steps });
        let row = &mut game.row;
        row.verdict = verdict;
        set_end(row, replay.result());
        set_source(row, judged);
        set_tags(row, record.tags.iter().map(|tag| (&*tag.name, &*tag.value)));
        set_names(row, record);
        row.comments = comments(record);
        row.worth = worth(row, record);
        game.finish();
        Prepared::Game(Box::new(game))
    }

    /// Prepares a game that a program made. Moves behind an illegal one are left out.
    ///
    /// Returns nothing for a game without a legal move.
    pub fn prepare_made(&mut self, made: &MadeGame<'_>) -> Option<PreparedGame> {
        let chosen = made.rules.chosen();
        let known = self.known(&chosen);
        let (course, end) = follow(known.game.clone(), made.moves);
        let steps = course.steps();
        let first = steps.first()?.side;
        let played = Played { chosen: &chosen, start: None, first, steps };
        let mut prepared =
            known.prepared(&played, Arc::clone(&known.start), Arc::clone(&known.arena), course);
        let row = &mut prepared.row;
        row.verdict = Verdict::Sound;
        set_end(row, end.or(made.outcome));
        set_tags(row, made.tags.iter().copied());
        row.worth = worth_of_row(row);
        prepared.finish();
        Some(prepared)
    }

    fn known(&mut self, chosen: &Arc<Chosen>) -> &Known {
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.entry(Arc::as_ptr(chosen) as usize).or_insert_with(|| Known::of(chosen))
    }

    fn play(&mut self, played: &Played<'_>) -> PreparedGame {
        let known = self.known(played.chosen);
        let book: &AnyRulebook = &known.chosen.book;
        let rules = book.rules();
        let coach = Coach { book, start: played.start.unwrap_or(&rules.start), first: played.first };
        let game = match played.start {
            None if played.first == known.arena.first => Some(known.game.clone()),
            None | Some(_) => coach.game(),
        };
        let course = coach.play(game.unwrap_or_else(|| known.game.clone()), &played.steps);
        let start: Arc<str> =
            played.start.map_or_else(|| Arc::clone(&known.start), |start| start.to_string().into());
        let arena = if played.start.is_none() && played.first == known.arena.first {
            Arc::clone(&known.arena)
        } else {
            let arena =
                Arena { rules: known.rules.to_string(), start: start.to_string(), first: played.first };
            Arc::new(arena)
        };
        known.prepared(played, start, arena, course)
    }
}

impl Known {
    fn of(chosen: &Arc<Chosen>) -> Known {
        let rules = chosen.book.rules();
        let (rules_id, text) = RulesId::of(rules);
        let start = rules.start.to_string();
        let arena = Arena { rules: text.clone(), start: start.clone(), first: rules.first_mover };
        Known {
            chosen: Arc::clone(chosen),
            rules: text.into(),
            rules_id,
            shape: rules.shape().to_string().into(),
            arena: Arc::new(arena),
            start: start.into(),
            game: Game::with_mode(&chosen.book, tafl_rules::RepetitionMode::Report),
        }
    }

    /// Returns a game whose row says what the moves alone say.
    fn prepared(
        &self,
        played: &Played<'_>,
        start: Arc<str>,
        arena: Arc<Arena>,
        course: Course,
    ) -> PreparedGame {
        let moves: Vec<Move> = played.steps.iter().map(|step| step.mv).collect();
        let line = Line {
            rules: self.rules_id,
            symmetries: self.chosen.book.symmetries(),
            start: played.start,
            first: played.first,
            moves: &moves,
        };
        let row = self.row(line.canonical(), start, played);
        PreparedGame { row, arena, shape: self.chosen.book.shape(), course, day: Day::default() }
    }

    /// Returns a row that says what the moves alone say.
    fn row(&self, line: CanonicalLine, start: Arc<str>, played: &Played<'_>) -> GameRow {
        let captured = |side: Side| {
            let of_side = played.steps.iter().filter(|step| step.side == side);
            of_side.map(|step| CellSet::len(&step.captured) as u16).sum()
        };
        GameRow {
            game: GameId::default(),
            line: line.id,
            orientation: line.symmetry,
            variant: self.chosen.variant.map(str::to_owned),
            rules: Arc::clone(&self.rules),
            rules_id: self.rules_id,
            shape: Arc::clone(&self.shape),
            start,
            first: played.first,
            attackers: None,
            defenders: None,
            attackers_rating: None,
            defenders_rating: None,
            event: None,
            site: None,
            round: None,
            date: None,
            year: None,
            time_control: None,
            result: GameResult::Unfinished,
            reason: None,
            plies: u32::try_from(played.steps.len()).unwrap_or(u32::MAX),
            captures: BySide { attackers: captured(Side::Attackers), defenders: captured(Side::Defenders) },
            source: None,
            place: None,
            format: None,
            verdict: Verdict::default(),
            findings: None,
            worth: 0,
            copies: Vec::new(),
            comments: None,
            tags: Vec::new(),
            text: None,
        }
    }
}

impl PreparedGame {
    /// Returns a game that is stored already.
    pub(crate) fn stored(
        row: GameRow,
        arena: Arc<Arena>,
        shape: tafl_rules::Shape,
        course: Course,
    ) -> PreparedGame {
        PreparedGame { row, arena, shape, course, day: Day::default() }
    }

    fn finish(&mut self) {
        let row = &mut self.row;
        self.day = row.date.as_deref().and_then(Day::read).unwrap_or_default();
        let players = [row.attackers.as_deref(), row.defenders.as_deref()];
        row.game = GameId::of(row.line, players, row.date.as_deref());
    }
}

fn set_end(row: &mut GameRow, end: Option<Outcome>) {
    let Some(end) = end else { return };
    row.result = match end.winner {
        _ if end.reason == Reason::Unfinished => GameResult::Unfinished,
        Some(Side::Attackers) => GameResult::Attackers,
        Some(Side::Defenders) => GameResult::Defenders,
        None => GameResult::Draw,
    };
    row.reason = Some(end.reason);
}

fn set_source(row: &mut GameRow, judged: &Judged<'_>) {
    row.source = Some(judged.source.name.to_owned());
    row.place = u32::try_from(judged.source.line).ok();
    row.format = Some(judged.record.format);
    row.findings = codes(judged.diagnostics);
    row.text = Some(judged.source.text.to_owned());
}

/// Returns the codes of findings in the order of the text, each once.
pub(crate) fn codes(diagnostics: &[Diagnostic]) -> Option<String> {
    let mut codes: Vec<&str> = Vec::new();
    for diagnostic in diagnostics {
        let code = diagnostic.code().text();
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    (!codes.is_empty()).then(|| codes.join(" "))
}

fn set_tags<'t>(row: &mut GameRow, tags: impl Iterator<Item = (&'t str, &'t str)>) {
    for (name, value) in tags {
        let known = COLUMNS.iter().find(|known| known.eq_ignore_ascii_case(name)).copied();
        let is_taken = match known {
            Some(known) => set_column(row, known, value),
            None => false,
        };
        if !is_taken {
            row.tags.push((name.to_owned(), value.to_owned()));
        }
    }
    row.tags.sort();
}

/// Puts a statement into its column; returns whether it says no more than the column does.
fn set_column(row: &mut GameRow, name: &str, value: &str) -> bool {
    let text = value.trim();
    let put = |column: &mut Option<String>| {
        let is_free = column.is_none() && !text.is_empty();
        if is_free {
            *column = Some(text.to_owned());
        }
        is_free
    };
    let put_rating = |column: &mut Option<i16>| {
        let rating = text.parse().ok().filter(|_| column.is_none());
        *column = column.or(rating);
        rating.is_some()
    };
    match name {
        tag::ATTACKERS => put(&mut row.attackers),
        tag::DEFENDERS => put(&mut row.defenders),
        tag::ATTACKERS_RATING => put_rating(&mut row.attackers_rating),
        tag::DEFENDERS_RATING => put_rating(&mut row.defenders_rating),
        tag::EVENT => put(&mut row.event),
        tag::SITE => put(&mut row.site),
        tag::ROUND => put(&mut row.round),
        tag::TIME_CONTROL => put(&mut row.time_control),
        tag::START_COMMENT => put(&mut row.comments),
        tag::DATE => {
            let Some(day) = Day::read(text).filter(|_| row.date.is_none()) else { return false };
            let written = day.to_string();
            let says_all = text.replace(['.', '/'], "-") == written;
            row.year = i16::try_from(day.year).ok();
            row.date = Some(written);
            says_all
        }
        _ => false,
    }
}

/// Keeps the name that the record gives its rules, where the catalog has another one.
fn set_names(row: &mut GameRow, record: &Record) {
    if let Some(written) =
        record.variant.as_ref().filter(|written| Some(&*written.text) != row.variant.as_deref())
    {
        row.tags.push(("variant".to_owned(), written.text.to_string()));
        row.tags.sort();
    }
}

/// Returns all comments, that on the start first.
fn comments(record: &Record) -> Option<String> {
    let start = record.tag(tag::START_COMMENT).into_iter();
    let all: Vec<&str> = start.chain(record.comments.iter().map(|comment| &*comment.text)).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// Returns how much a record says: soundness first, then the end, then everything that is said besides the moves.
fn worth(row: &GameRow, record: &Record) -> u32 {
    let said = record.comments.len() + record.clocks.len() + record.lines.len() - 1 + record.boards.len();
    worth_of_row(row) + u32::try_from(said).unwrap_or(0).min(100_000)
}

fn worth_of_row(row: &GameRow) -> u32 {
    let texts =
        [&row.attackers, &row.defenders, &row.event, &row.site, &row.round, &row.date, &row.time_control];
    let said = texts.iter().filter(|text| text.is_some()).count() + row.tags.len();
    let said =
        said + usize::from(row.attackers_rating.is_some()) + usize::from(row.defenders_rating.is_some());
    let sound = if row.verdict == Verdict::Sound { 2_000_000 } else { 0 };
    let ended = if row.result == GameResult::Unfinished { 0 } else { 1_000_000 };
    sound + ended + 10 * u32::try_from(said).unwrap_or(0).min(1000)
}
