//! Records of games that players played.

use tafl_parser::record::{CaptureStyle, Verdict, Written, WrittenCapture, WrittenMove, WrittenResult, tag};
use tafl_parser::write::{WriteError, WriteGame, write};
use tafl_parser::{Format, Record};
use tafl_rules::{AnyRulebook, Game, Role, Span};

use super::note::GameNote;
use taflbase::Variant;

/// What a record says besides the moves.
pub(crate) struct Heading<'a> {
    /// The number of the game.
    pub(crate) id: String,
    /// What it was part of.
    pub(crate) event: &'a str,
    /// Who had the attackers.
    pub(crate) attackers: &'a str,
    /// Who had the defenders.
    pub(crate) defenders: &'a str,
    /// More tags: limits, seed.
    pub(crate) more: &'a [(&'static str, String)],
}

/// Returns a game as a record that replays without findings.
pub(crate) fn record(
    note: &GameNote,
    heading: &Heading<'_>,
    (variant, book): (&Variant, &AnyRulebook),
) -> Record {
    let shape = book.shape();
    let nowhere = Span::default();
    let mut record = Record::new(Format::Jsonl);
    let mut game = Game::new(book);
    let mut is_chained = false;
    for mv in note.moves(shape) {
        let before = game.setup();
        let Ok(ply) = game.play(mv) else { break };
        let first = record.captures.len();
        // Cells of kings are left out: most notations do not write them.
        let men = ply.captured.iter().filter(|cell| before.piece(*cell).is_none_or(|p| p.role != Role::King));
        record.captures.extend(men.map(|cell| WrittenCapture {
            cell: shape.coord(cell),
            letter: Default::default(),
            span: nowhere,
        }));
        let written = WrittenMove::new(shape.coord(mv.from), shape.coord(mv.to), nowhere);
        record.push_move(WrittenMove { chained: is_chained, ..written }, first);
        is_chained = ply.goes_on;
    }
    record.capture_style = CaptureStyle::ListedButKings;
    let outcome = note.outcome();
    let verdict = match outcome.map(|outcome| outcome.winner) {
        Some(Some(side)) => Verdict::Win(side),
        Some(None) => Verdict::Draw,
        None => Verdict::Ongoing,
    };
    record.result =
        Some(WrittenResult { verdict, reason: outcome.map(|outcome| outcome.reason), span: nowhere });
    let written = |text: String| Some(Written { text: text.into(), span: nowhere });
    match variant.named {
        Some(named) => record.variant = written(named.name.to_owned()),
        None => record.rules = written(variant.rules.to_string()),
    }
    let tags = [
        (tag::ID, heading.id.as_str()),
        (tag::EVENT, heading.event),
        (tag::ATTACKERS, heading.attackers),
        (tag::DEFENDERS, heading.defenders),
        (tag::TERMINATION, note.ending.as_str()),
    ];
    tags.iter().for_each(|(name, value)| record.push_tag(name, value, nowhere));
    record.push_tag("opening-plies", &note.opening.to_string(), nowhere);
    heading.more.iter().for_each(|(name, value)| record.push_tag(name, value, nowhere));
    record
}

/// Adds a record to a text of JSON lines.
///
/// # Errors
///
/// Fails when the record cannot be written.
pub(crate) fn add(record: &Record, out: &mut String) -> Result<(), WriteError> {
    write(WriteGame { record, played: None }, Format::Jsonl, out).map(drop)
}
