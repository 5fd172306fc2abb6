//! A partially repaired record.

use std::sync::Arc;

use tafl_rules::{BySide, Coord, Span};

use super::edit::{Edit, EditScope};
use super::relabel::Map;
use crate::record::{
    MoveLineId, Record, Written, WrittenCapture, WrittenCaptureCounts, WrittenMove, WrittenResult,
    WrittenStart, WrittenVerdict,
};
use crate::replay::ChosenRules;

/// A record with its unreadable words and the rules by which it is played.
#[derive(Debug, Clone)]
pub(super) struct RepairCandidate {
    pub(super) record: Record,
    /// The unreadable words among the moves of the game, in order.
    pub(super) words: Vec<UnreadWord>,
    pub(super) rules: Arc<ChosenRules>,
    /// Whether the numbers of captures must match the captures. This is not required if they differ in the
    /// original record.
    pub(super) is_counted: bool,
}

/// An unreadable word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnreadWord {
    /// The number of moves of the game before it.
    pub(super) after: usize,
    pub(super) span: Span,
}

impl RepairCandidate {
    /// Applies an edit. For a change of the variant, the caller also sets the rules.
    pub(super) fn apply(&mut self, edit: &Edit) {
        match edit {
            Edit::Replace { at, right, .. } => {
                let mv = &mut self.record.main_mut().moves[*at];
                (mv.from, mv.to) = *right;
            }
            Edit::Read { at, word, right, captures } => {
                self.words.retain(|known| known.span != *word);
                self.insert(*at, *right, captures, *word);
                self.renew_sides(*at);
                // Later words follow the move of this one.
                for later in self.words.iter_mut().filter(|later| later.after == *at) {
                    later.after += usize::from(later.span.start > word.start);
                }
            }
            Edit::Ignore { word, .. } => self.words.retain(|known| known.span != *word),
            Edit::Insert { at, right, captures } => {
                let before = at.checked_sub(1).and_then(|at| self.record.main().moves.get(at));
                let place = before.map_or(0, |mv| mv.span.end as usize);
                self.insert(*at, *right, captures, Span::at(place));
                self.renew_sides(*at);
            }
            Edit::Remove { at, n, .. } => {
                self.remove(*at, *n);
                self.renew_sides(*at);
            }
            Edit::Swap { at, with } => {
                let moves = &mut self.record.main_mut().moves;
                moves.swap(*at, *with);
                // Each move takes the span of the other.
                let span = moves[*at].span;
                moves[*at].span = moves[*with].span;
                moves[*with].span = span;
                self.renew_sides(*at.min(with));
            }
            Edit::Captures { at, right, .. } => self.set_captures(*at, right),
            Edit::AllCaptures { moves } => moves.iter().for_each(|mv| self.set_captures(mv.at, &mv.right)),
            Edit::Relabel { relabel, scope, shape } => {
                if let Some(map) = Map::of(*relabel, *shape) {
                    self.relabel(&map, *scope);
                }
            }
            Edit::Result { right, .. } => self.set_result(*right),
            Edit::ExchangeSides => {
                if let Some(WrittenVerdict::Win(side)) = self.record.result.map(|result| result.verdict) {
                    self.set_result(WrittenVerdict::Win(side.other()));
                }
                if let Some(counts) = &mut self.record.capture_counts {
                    counts.by = BySide { attackers: counts.by.defenders, defenders: counts.by.attackers };
                }
            }
            Edit::Counts { right, .. } => {
                let by = BySide { attackers: right[0], defenders: right[1] };
                if let Some(counts) = &mut self.record.capture_counts {
                    *counts = WrittenCaptureCounts { by, ..*counts };
                }
            }
            Edit::Variant { right, .. } => self.set_variant(right),
            Edit::Start { right, .. } => {
                let span = self.record.start.as_ref().map_or(Span::at(0), |start| start.span);
                self.record.start = Some(WrittenStart { setup: right.clone(), span });
            }
            Edit::FirstMover { right } => self.record.first_mover = Some(*right),
        }
    }

    fn set_result(&mut self, verdict: WrittenVerdict) {
        let span = self.record.result.map_or(Span::at(0), |result| result.span);
        self.record.result = Some(WrittenResult { verdict, reason: None, span });
    }

    fn set_variant(&mut self, name: &'static str) {
        if let Some(rules) = &mut self.record.rules {
            rules.text = self.rules.book.rules().to_string().into();
        }
        match &mut self.record.variant {
            Some(written) => written.text = name.into(),
            None if self.record.rules.is_some() => {}
            None => self.record.variant = Some(Written { text: name.into(), span: Span::at(0) }),
        }
    }

    fn set_captures(&mut self, at: usize, cells: &[Coord]) {
        let mv = self.record.main().moves[at];
        let old: Vec<WrittenCapture> = self.record.captures_of(&mv).to_vec();
        let new = WrittenMove {
            first_capture: self.record.captures.len() as u32,
            n_captures: cells.len() as u16,
            ..mv
        };
        let place = Span::at(mv.span.end as usize);
        let fresh = |cell: &Coord| {
            let known = old.iter().find(|capture| capture.cell == *cell).copied();
            known.unwrap_or(WrittenCapture { cell: *cell, letter: crate::record::Letter::NONE, span: place })
        };
        self.record.captures.extend(cells.iter().map(fresh));
        self.record.main_mut().moves[at] = new;
    }

    fn insert(&mut self, at: usize, (from, to): (Coord, Coord), captures: &[Coord], span: Span) {
        let at = at.min(self.record.main().moves.len());
        self.move_places(at, 1);
        let moves = &mut self.record.main_mut().moves;
        let neighbor = at.checked_sub(1).and_then(|before| moves.get(before)).or(moves.get(at));
        let side = neighbor.and_then(|mv| mv.side);
        moves.insert(at, WrittenMove { side, ..WrittenMove::new(from, to, span) });
        self.set_captures(at, captures);
    }

    fn remove(&mut self, at: usize, n: usize) {
        let end = (at + n).min(self.record.main().moves.len());
        let n = end - at;
        self.record.main_mut().moves.drain(at..end);
        self.move_places(at, -(n as i32));
    }

    /// Sets the written sides of the moves from an index on, if those before it alternate: then so do these.
    fn renew_sides(&mut self, from: usize) {
        let first = self.record.first_mover.unwrap_or(self.rules.book.rules().first_mover);
        let mut side = first.other();
        for (nth, mv) in self.record.main_mut().moves.iter_mut().enumerate() {
            if !mv.chained || nth == 0 {
                side = side.other();
            }
            match mv.side {
                Some(written) if nth < from && written != side => return,
                Some(_) if nth >= from => mv.side = Some(side),
                Some(_) | None => {}
            }
        }
    }

    /// Shifts all references after a position by a number of moves.
    fn move_places(&mut self, at: usize, by: i32) {
        let later = |after: &mut u32| {
            if *after as usize > at {
                *after = (*after as i64 + i64::from(by)).max(at as i64) as u32;
            }
        };
        let record = &mut self.record;
        let comments = record.comments.places_mut();
        let clocks = record.clocks.iter_mut().map(|clock| &mut clock.place);
        comments
            .chain(clocks)
            .filter(|place| place.line == MoveLineId::MAIN)
            .for_each(|p| later(&mut p.after));
        record.boards.iter_mut().for_each(|board| later(&mut board.after));
        record.move_counts.iter_mut().for_each(|count| later(&mut count.after));
        record.refused.iter_mut().for_each(|refused| later(&mut refused.after));
        // The last statement stays last, and a variation moves with the move that it replaces.
        let whole = |after: &mut u32| {
            if *after as usize >= at {
                *after = (*after as i64 + i64::from(by)).max(at as i64) as u32;
            }
        };
        if let Some(ending) = &mut record.ending {
            whole(&mut ending.after);
        }
        record.variations.for_each_branch(|branch| {
            if branch.parent == MoveLineId::MAIN {
                whole(&mut branch.at);
            }
        });
        record.move_capture_counts.iter_mut().for_each(|number| whole(&mut number.at));
        for word in self.words.iter_mut().filter(|word| word.after > at) {
            word.after = (word.after as i64 + i64::from(by)).max(at as i64) as usize;
        }
    }

    fn relabel(&mut self, map: &Map, scope: EditScope) {
        let first = self.record.first_mover.unwrap_or(self.rules.book.rules().first_mover);
        let moves = std::mem::take(&mut self.record.main_mut().moves);
        let mut mapped = Vec::with_capacity(moves.len());
        for (mv, is_meant) in moves.iter().zip(in_scope(&moves, scope, first)) {
            if !is_meant {
                mapped.push(*mv);
                continue;
            }
            let captures = map.captures(self.record.captures_of(mv));
            let image = map.moves(&[*mv])[0];
            mapped.push(WrittenMove { first_capture: self.record.captures.len() as u32, ..image });
            self.record.captures.extend(captures);
        }
        self.record.main_mut().moves = mapped;
    }
}

/// Returns for each move whether it is in the scope; sides alternate except for later steps of a turn.
pub(super) fn in_scope(
    moves: &[WrittenMove],
    scope: EditScope,
    first: tafl_rules::Side,
) -> impl Iterator<Item = bool> {
    let mut side = first.other();
    moves.iter().enumerate().map(move |(nth, mv)| {
        if !mv.chained || nth == 0 {
            side = side.other();
        }
        match scope {
            EditScope::Whole => true,
            EditScope::From(at) => nth >= at,
            EditScope::Moves(meant) => side == meant,
        }
    })
}

#[cfg(test)]
mod tests {
    use tafl_rules::Side;

    use crate::format::Format;
    use crate::repair::{RepairOptions, Repairer, patch_record};
    use crate::replay::ReplayOptions;
    use crate::source::Source;

    #[test]
    fn the_sides_after_an_inserted_or_removed_move_alternate() {
        let moves =
            "d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1";
        let sgf = |moves: &str| {
            let nodes = moves.split(' ').zip(["B", "W"].into_iter().cycle());
            let nodes: String = nodes.map(|(mv, color)| format!("\n;{color}[{mv}]")).collect();
            format!("(;GM[29]FF[4]SZ[7]RU[Brandubh]RE[W+]{nodes})")
        };
        for wrong in [moves.replacen(" d4-g4", "", 1), moves.replacen("d7-f7", "d7-f7 d7-f7", 1)] {
            let text = sgf(&wrong);
            let source = Source::new(&text);
            let parsed = Format::Sgf.parse(&source);
            let mut repairer = Repairer::new(ReplayOptions::default(), RepairOptions::default());
            let diagnosis = repairer.repair(&source, &parsed);
            let patch = patch_record(&source, &parsed, &diagnosis.repairs[0]).unwrap();
            let repaired = Format::Sgf.parse(&Source::new(&patch.text)).value;
            let sides: Vec<_> = repaired.main().moves.iter().map(|mv| mv.side).collect();
            let expected = [Some(Side::Attackers), Some(Side::Defenders)].into_iter().cycle();
            assert_eq!(sides, expected.take(14).collect::<Vec<_>>(), "{}", patch.text);
        }
    }
}
