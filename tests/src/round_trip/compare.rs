//! The comparison of a record with the record that was read from its text.

use std::collections::HashSet;
use std::fmt::Debug;

use tafl_parser::{Comment, Format, Lost, Record, Written, WrittenVerdict};
use tafl_rules::{Coord, Side};

/// A comparison of a record with the record that was read from its text.
struct Comparison<'r> {
    record: &'r Record,
    again: &'r Record,
    format: Format,
    losses: &'r HashSet<Lost>,
    /// Whether the moves are written as the replay played them: with omitted steps, and without moves that were taken back.
    is_completed: bool,
}

/// A ply of the replay of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlayedStep {
    /// The side that made it.
    pub(super) side: Side,
    /// The start and the destination.
    pub(super) mv: (Coord, Coord),
    /// The captured cells in order.
    pub(super) captured: Vec<Coord>,
}

/// Compares a record with the record that was read from its text; differences must be listed losses. Moves and captures may
/// also be those of the replay, followed by the written moves that it did not reach.
///
/// # Errors
///
/// Describes the first difference that is not a loss.
pub(super) fn compare(
    record: &Record,
    again: &Record,
    (format, losses): (Format, &HashSet<Lost>),
    played: &[PlayedStep],
) -> Result<(), String> {
    let mut comparison = Comparison { record, again, format, losses, is_completed: false };
    comparison.header()?;
    if comparison.keeps(&[Lost::Moves, Lost::Cells, Lost::MovesAfterEnding]) && moves(again) != moves(record)
    {
        let steps: Vec<_> = played.iter().map(|step| step.mv).collect();
        if !is_continued(&moves(again), &steps, &moves(record)) {
            return Err(format!("{format}: other moves"));
        }
        comparison.is_completed = true;
    }
    // A notation that lists captures takes them from the replay.
    let captures_differ = comparison.has_same_captures_listed() && captures(again) != captures(record);
    let mut steps: Vec<_> = played.iter().map(|step| step.captured.clone()).collect();
    // The capture of the king ends the game, and some notations do not list it.
    if let Some(last) = steps.last_mut()
        && let Some(found) = captures(again).get(played.len() - 1)
        && found.len() + 1 == last.len()
    {
        last.retain(|cell| found.contains(cell));
    }
    if captures_differ && !is_continued(&captures(again), &steps, &captures(record)) {
        return Err(format!("{format}: captures {:?} instead of {:?}", captures(again), captures(record)));
    }
    comparison.lines()?;
    // In a record without moves, the first mover is to move. The writer has stated it if it matters.
    comparison.end(played.last().map(|step| step.side.other()).or(again.first_mover))
}

impl Comparison<'_> {
    /// Returns whether none of these parts is lost, so that they must be equal.
    fn keeps(&self, parts: &[Lost]) -> bool {
        !parts.iter().any(|part| self.losses.contains(part) || self.losses.contains(&Lost::Controls))
    }

    /// Compares a part of the records.
    fn part<T: PartialEq + Debug>(&self, what: &str, new: &T, old: &T) -> Result<(), String> {
        if new == old { Ok(()) } else { Err(format!("{}: {what} {new:?} instead of {old:?}", self.format)) }
    }

    fn header(&self) -> Result<(), String> {
        let (record, again, format) = (self.record, self.again, self.format);
        let text = |written: &Option<Written>| written.as_ref().map(|written| written.text.clone());
        if self.keeps(&[Lost::Tags]) {
            self.part("tags", &tags(again), &tags(record))?;
        }
        // A notation of one variant implies it.
        let implies_variant = matches!(format, Format::Ftzm | Format::SkudPaiSho);
        if self.keeps(&[Lost::Variant]) && record.variant.is_some() && !implies_variant {
            self.part("variant", &text(&again.variant), &text(&record.variant))?;
        }
        if self.keeps(&[Lost::Rules]) && record.rules.is_some() {
            self.part("rules", &text(&again.rules), &text(&record.rules))?;
        }
        // A notation of positions has the last one in place of the moves, and that of Skud Pai Sho implies the start.
        if self.keeps(&[Lost::Start, Lost::Moves, Lost::HexBoard, Lost::Pieces])
            && record.start.is_some()
            && format != Format::SkudPaiSho
        {
            let setup = |record: &Record| record.start.as_ref().map(|start| start.setup.to_string());
            self.part("start", &setup(again), &setup(record))?;
        }
        // A notation may omit the side if it is that of the rules.
        if self.keeps(&[Lost::FirstMover, Lost::Moves])
            && record.first_mover.is_some()
            && again.first_mover.is_some()
        {
            self.part("first mover", &again.first_mover, &record.first_mover)?;
        }
        Ok(())
    }

    /// Returns whether captures must be equal: both list them in the same way.
    fn has_same_captures_listed(&self) -> bool {
        self.keeps(&[Lost::Moves, Lost::Cells, Lost::MovesAfterEnding, Lost::TakenBack, Lost::Captures])
            && !self.is_completed
            && self.again.capture_style == self.record.capture_style
    }

    /// Compares variations and comments.
    fn lines(&self) -> Result<(), String> {
        let (record, again) = (self.record, self.again);
        if self.keeps(&[Lost::Variations, Lost::Moves]) {
            self.part("lines of moves", &again.n_lines(), &record.n_lines())?;
        }
        if self.keeps(&[Lost::Comments, Lost::Variations, Lost::Moves]) {
            // Where moves were added or omitted, the numbers of the others change.
            let place = |comment: &Comment<'_>| (!self.is_completed).then_some(comment.place);
            let comments = |record: &Record| {
                let comments =
                    record.comments.iter().map(|comment| (place(&comment), comment.text.to_owned()));
                comments.collect::<Vec<_>>()
            };
            self.part("comments", &comments(again), &comments(record))?;
        }
        Ok(())
    }

    /// Compares the numbers of captures, the result, and the end, at which a side is to move.
    fn end(&self, to_move: Option<Side>) -> Result<(), String> {
        let (record, again) = (self.record, self.again);
        if self.keeps(&[Lost::Result]) && record.result.is_some() {
            // Nothing is lost if an unknown result is left out.
            let is_known = |verdict: &WrittenVerdict| *verdict != WrittenVerdict::Unknown;
            let verdict = |record: &Record| record.result.map(|result| result.verdict).filter(is_known);
            self.part("result", &verdict(again), &verdict(record))?;
        }
        // A notation may omit numbers that can be counted again.
        if self.keeps(&[Lost::CaptureCounts])
            && record.capture_counts.is_some()
            && again.capture_counts.is_some()
        {
            let counts = |record: &Record| record.capture_counts.map(|counts| counts.by);
            self.part("numbers of captures", &counts(again), &counts(record))?;
        }
        let reason = |record: &Record| record.result.and_then(|result| result.reason);
        if self.keeps(&[Lost::Reason, Lost::Result]) && reason(record).is_some() {
            self.part("reason", &reason(again), &reason(record))?;
        }
        if self.keeps(&[Lost::Ending]) {
            let after = |after: u32| (!self.is_completed).then_some(after);
            let ending =
                |record: &Record| record.ending.map(|ending| (ending.kind, ending.side, after(ending.after)));
            let (mut new, mut old) = (ending(again), ending(record));
            // The result also implies the side; in a game without one, it is the side to move.
            let loser =
                |record: &Record| record.result.and_then(|result| result.verdict.winner()).map(Side::other);
            for (ending, result) in [(&mut new, again), (&mut old, record)] {
                if let Some((_, side @ None, _)) = ending {
                    *side = loser(result).or(to_move);
                }
            }
            self.part("ending", &new, &old)?;
        }
        Ok(())
    }
}

/// Returns whether a list has the played steps, and then the last items of the record.
fn is_continued<T: PartialEq>(again: &[T], played: &[T], record: &[T]) -> bool {
    again.strip_prefix(played).is_some_and(|rest| record.ends_with(rest))
}

/// Returns cells in order.
pub(super) fn sorted(mut cells: Vec<Coord>) -> Vec<Coord> {
    cells.sort_by_key(|cell| (cell.file, cell.rank));
    cells
}

/// Returns the tags in alphabetical order.
fn tags(record: &Record) -> Vec<(String, String)> {
    let mut tags: Vec<_> =
        record.tags.iter().map(|tag| (tag.name.to_owned(), tag.value.to_owned())).collect();
    tags.sort();
    tags
}

/// Returns the moves of the main line.
fn moves(record: &Record) -> Vec<(Coord, Coord)> {
    record.main().moves.iter().map(|mv| (mv.from, mv.to)).collect()
}

/// Returns the captured cells of each move of the main line, in order of the cells.
fn captures(record: &Record) -> Vec<Vec<Coord>> {
    let cells = record
        .main()
        .moves
        .iter()
        .map(|mv| sorted(record.captures_of(mv).iter().map(|capture| capture.cell).collect()));
    cells.collect()
}
