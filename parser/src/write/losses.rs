//! Information that a format cannot express.

use std::collections::BTreeMap;

use tafl_rules::{Reason, Side, Span};

use crate::diagnostic::{Diagnostic, LossFinding, Lost};
use crate::record::{CaptureStyle, Comment, Format, MoveLineId, MoveMark, Record, WrittenVerdict};

use super::WriteGame;

/// The way in which a part of a record was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    LeftOut,
    Changed,
    NeedsRules,
}

/// The losses of one record.
#[derive(Debug)]
pub(crate) struct RecordLosses {
    format: Format,
    counts: BTreeMap<(Lost, How), u32>,
    /// The number of plies of the replay that the rules do not allow as they are written.
    n_deviations: u32,
    /// The names of omitted tags.
    tags: Vec<Box<str>>,
}

impl RecordLosses {
    pub(super) fn new(format: Format) -> RecordLosses {
        RecordLosses { format, counts: BTreeMap::new(), n_deviations: 0, tags: Vec::new() }
    }

    /// Returns the target format.
    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// Reports omitted items; zero is not a loss.
    pub(super) fn left_out(&mut self, what: Lost, count: usize) {
        self.add(what, How::LeftOut, count);
    }

    /// Reports omitted tags by their names.
    pub(super) fn left_out_tags<'t>(&mut self, names: impl IntoIterator<Item = &'t str>) {
        let before = self.tags.len();
        self.tags.extend(names.into_iter().map(Box::from));
        self.left_out(Lost::Tags, self.tags.len() - before);
    }

    /// Reports changed items.
    pub(super) fn changed(&mut self, what: Lost, count: usize) {
        self.add(what, How::Changed, count);
    }

    /// Reports a part that is missing because the rules are unknown.
    pub(super) fn needs_rules(&mut self, what: Lost) {
        self.add(what, How::NeedsRules, 1);
    }

    /// Reports turns that the replay passed, and captures that it did not make.
    pub(super) fn deviations(&mut self, count: usize) {
        self.n_deviations += count as u32;
    }

    fn add(&mut self, what: Lost, how: How, count: usize) {
        if count > 0 {
            *self.counts.entry((what, how)).or_default() += count as u32;
        }
    }

    /// Reports the parts that neither a table of moves nor a frame of tags and turns can hold.
    pub(super) fn checks(&mut self, record: &Record) {
        self.left_out(Lost::Clocks, record.clocks.len());
        self.left_out(Lost::Boards, record.boards.len());
        self.left_out(Lost::Refused, record.refused.len());
        self.left_out(Lost::MoveCounts, record.move_counts.len());
        if self.format != Format::Ollamh {
            self.left_out(Lost::CaptureCounts, record.move_capture_counts.len());
        }
    }

    /// Reports the parts that a notation for one line of moves cannot express: variations, and the parts of its moves that are
    /// not in `keeps`.
    pub(super) fn all_but_main_line(&mut self, record: &Record, keeps: Keeps) {
        self.checks(record);
        self.moves(record, keeps, 1);
        self.left_out(Lost::Variations, record.variations.len());
    }

    /// Reports the total numbers of captures, and the ending.
    pub(super) fn capture_counts_and_ending(&mut self, record: &Record) {
        self.left_out(Lost::CaptureCounts, usize::from(record.capture_counts.is_some()));
        self.left_out(Lost::Ending, usize::from(record.ending.is_some()));
    }

    /// Reports an ending that is after more moves than the main line has.
    pub(super) fn late_ending(&mut self, record: &Record) {
        let late = record.ending.filter(|ending| ending.after as usize > record.main().moves.len());
        self.left_out(Lost::Ending, usize::from(late.is_some()));
    }

    /// Reports a first mover other than the attackers, who move first in the target notation.
    pub(super) fn first_mover(&mut self, record: &Record) {
        let is_other = record.first_mover == Some(Side::Defenders) || record.main().opens_with_second;
        self.left_out(Lost::FirstMover, usize::from(is_other));
    }

    /// Reports the comments on variations, and those after more moves than the main line has.
    pub(super) fn comments_beside_main_line(&mut self, record: &Record) {
        let is_beside = |comment: &Comment<'_>| {
            comment.place.line != MoveLineId::MAIN || comment.place.after as usize > record.main().moves.len()
        };
        self.left_out(Lost::Comments, record.comments.iter().filter(is_beside).count());
    }

    /// Reports the parts of moves that are not in `keeps`.
    pub(super) fn moves(&mut self, record: &Record, keeps: Keeps, lines: usize) {
        let moves = || record.lines().take(lines).flat_map(|line| line.moves);
        let count = |what: fn(&crate::record::WrittenMove) -> bool| moves().filter(|mv| what(mv)).count();
        if !keeps.letters {
            let captured = moves().flat_map(|mv| record.captures_of(mv)).filter(|c| c.letter.get().is_some());
            self.left_out(Lost::Letters, count(|mv| mv.letter.get().is_some()) + captured.count());
        }
        let marks = moves().filter(|mv| mv.mark != MoveMark::None && !keeps.marks.contains(&mv.mark)).count();
        self.left_out(Lost::Marks, marks);
        if !keeps.jumps {
            self.left_out(Lost::Jumps, count(|mv| mv.jump));
        }
        if !keeps.chains {
            self.left_out(Lost::Chains, count(|mv| mv.chained));
        }
        if !keeps.captures {
            self.left_out(Lost::Captures, moves().map(|mv| usize::from(mv.n_captures)).sum());
        }
        if !keeps.sides && sides_tell_something(record) {
            self.left_out(Lost::Sides, count(|mv| mv.side.is_some()));
        }
    }

    /// Reports captures that the target lists but that are unknown.
    pub(super) fn unknown_captures(&mut self, game: WriteGame<'_>) {
        let style = game.record.capture_style;
        let is_known = style == CaptureStyle::Listed
            || game.record.format == self.format
            || (style == CaptureStyle::ListedButKings && self.format == Format::MoveList);
        let n_moves = game.record.main().moves.len();
        match game.played {
            Some(played) if !is_known => self.tail(n_moves - played.plies.len().min(n_moves)),
            None if !is_known && n_moves > 0 => self.needs_rules(Lost::Captures),
            Some(_) | None => {}
        }
    }

    /// Reports moves that are written unchecked because they follow an illegal one.
    fn tail(&mut self, count: usize) {
        self.changed(Lost::Captures, count);
    }

    /// Reports a lost reason, if the text does not imply it by `implied`.
    pub(super) fn reason(&mut self, record: &Record, implied: Option<Reason>) {
        let reason = record.result.and_then(|result| result.reason);
        self.left_out(Lost::Reason, usize::from(reason.is_some() && reason != implied));
    }

    /// Reports the result of a record as lost, unless it is unknown anyway.
    pub(super) fn result(&mut self, record: &Record) {
        let is_known = record.result.is_some_and(|result| result.verdict != WrittenVerdict::Unknown);
        self.left_out(Lost::Result, usize::from(is_known));
    }

    /// Returns the losses as diagnostics without spans.
    pub(super) fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        let format = self.format;
        let losses = self.counts.into_iter().map(|((what, how), count)| match how {
            How::LeftOut => {
                let names = if what == Lost::Tags { std::mem::take(&mut self.tags) } else { Vec::new() };
                LossFinding::NotExpressible { format, what, count, names }
            }
            How::Changed if what == Lost::Captures => LossFinding::IllegalTail { count },
            How::Changed => LossFinding::Changed { format, what, count },
            How::NeedsRules => LossFinding::NeedsRules { format, what },
        });
        let deviations =
            (self.n_deviations > 0).then_some(LossFinding::Deviations { format, count: self.n_deviations });
        losses.chain(deviations).map(|loss| Diagnostic::new(Span::default(), loss)).collect()
    }
}

/// The parts of a move that a format can express.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keeps {
    pub(super) letters: bool,
    pub(super) marks: &'static [MoveMark],
    pub(super) jumps: bool,
    pub(super) chains: bool,
    pub(super) captures: bool,
    pub(super) sides: bool,
}

/// Returns whether the written sides of the moves differ from plain alternation.
fn sides_tell_something(record: &Record) -> bool {
    record.lines().any(|line| {
        line.moves.windows(2).any(|pair| match (pair[0].side, pair[1].side) {
            (Some(one), Some(other)) => (one == other) != pair[1].chained,
            (one, other) => one != other,
        })
    })
}
