//! The layout of a text with turn numbers or names of sides, in which moves are inserted and removed.

use tafl_rules::{Side, Span};

use crate::format::movelist::{TurnGap, number_like};
use crate::record::{Record, WrittenMove};
use crate::source::Source;
use crate::words::PlayerNames;
use crate::write::move_text_like;

/// A part of the text and its replacement.
pub(super) type Change = (Span, String);

/// The layout of the moves of a text.
pub(super) struct TurnLayout<'p> {
    source: &'p Source<'p>,
    new: &'p Record,
    /// The moves of the text, also those that the repair removes, in order.
    slots: Vec<MoveSlot>,
    first: HalfTurn,
    /// Whether a number counts moves, not turns.
    counts_plies: bool,
    is_numbered: bool,
}

/// A move in the text.
struct MoveSlot {
    span: Span,
    gap: TurnGap,
    side: Option<Side>,
    is_chained: bool,
}

/// The place of a move in the turns.
#[derive(Clone, Copy)]
struct HalfTurn {
    turn: u32,
    is_second: bool,
}

/// The kind of the signs before a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GapKind {
    /// A turn begins: `4. `.
    Begins,
    /// Without a number.
    Plain,
    /// A number is repeated: `4... `.
    Continues,
}

/// The signs that belong before a move.
#[derive(Clone, Copy)]
struct WantedGap {
    kind: GapKind,
    turn: u32,
    side: Option<Side>,
    /// Whether the move is the first one.
    is_first: bool,
}

impl MoveSlot {
    fn kind(&self) -> GapKind {
        match self.gap.number {
            Some(number) if number.is_second => GapKind::Continues,
            Some(_) => GapKind::Begins,
            None => GapKind::Plain,
        }
    }
}

impl<'p> TurnLayout<'p> {
    /// Returns the layout of a text; `None` if it has neither numbers nor sides, or if its numbers are irregular before the
    /// first change.
    pub(super) fn of(source: &'p Source<'p>, old: &Record, new: &'p Record) -> Option<TurnLayout<'p>> {
        let players = PlayerNames::of(old);
        let mut slots = Vec::new();
        let mut end = 0;
        for mv in merged(&old.main().moves, &new.main().moves) {
            let gap = TurnGap::before(source.text, end, mv.span, &players);
            slots.push(MoveSlot { span: mv.span, gap, side: mv.side, is_chained: mv.chained });
            end = mv.span.end as usize;
        }
        let n_numbers = slots.iter().filter(|slot| slot.kind() == GapKind::Begins).count();
        let has_sides = slots.iter().any(|slot| slot.side.is_some());
        let number = slots.first()?.gap.number;
        let is_second = old.main().opens_with_second || number.is_some_and(|number| number.is_second);
        let layout = TurnLayout {
            source,
            new,
            first: HalfTurn { turn: number.map_or(1, |number| number.value), is_second },
            counts_plies: slots.len() > 2 && n_numbers * 4 > slots.len() * 3,
            is_numbered: n_numbers > 0,
            slots,
        };
        ((n_numbers > 0 || has_sides) && layout.is_regular()).then_some(layout)
    }

    /// Returns whether the numbers are right up to the first change.
    fn is_regular(&self) -> bool {
        let kept = self.slots.iter().zip(&self.new.main().moves);
        let n_kept = kept.take_while(|(slot, mv)| slot.span == mv.span).count();
        let chained = self.slots.iter().map(|slot| slot.is_chained);
        let mut slots = self.slots.iter().zip(self.places(chained)).take(n_kept).skip(1);
        slots.all(|(slot, place)| slot.is_chained || self.fits(slot, place))
    }

    /// Returns the place of each move, given whether it continues the turn of the previous one.
    fn places(&self, chained: impl Iterator<Item = bool>) -> impl Iterator<Item = HalfTurn> {
        let mut next = self.first;
        let counts_plies = self.counts_plies;
        chained.enumerate().map(move |(nth, is_chained)| {
            if nth > 0 && !is_chained {
                let is_new = counts_plies || next.is_second;
                next = HalfTurn {
                    turn: next.turn + u32::from(is_new),
                    is_second: !counts_plies && !next.is_second,
                };
            }
            next
        })
    }

    /// Returns whether the number before a move, or its absence, is right for a place.
    fn fits(&self, slot: &MoveSlot, place: HalfTurn) -> bool {
        let is_turn = slot.gap.number.is_some_and(|number| number.value == place.turn);
        match slot.kind() {
            GapKind::Begins => is_turn && !place.is_second,
            GapKind::Plain => place.is_second || !self.is_numbered,
            GapKind::Continues => is_turn && place.is_second,
        }
    }

    /// Finds the changes for inserted and removed moves, and for the numbers and sides after them.
    pub(super) fn push_changes(&self, changes: &mut Vec<Change>) -> Option<()> {
        let moves = &self.new.main().moves;
        let places = self.places(moves.iter().map(|mv| mv.chained));
        let mut at = 0;
        // The moves that are inserted before the next one of the text.
        let mut inserted = String::new();
        for (nth, (mv, place)) in moves.iter().zip(places).enumerate() {
            let begins = if place.is_second || !self.is_numbered { GapKind::Plain } else { GapKind::Begins };
            let mut wanted = WantedGap { kind: begins, turn: place.turn, side: mv.side, is_first: nth == 0 };
            if mv.span.is_empty() {
                // The signs before the first move of the text stay before the first move.
                if nth > 0 {
                    inserted += &self.gap_text(at, wanted)?;
                }
                inserted += &move_text_like(self.source, self.new, mv);
                continue;
            }
            while self.slots.get(at)?.span != mv.span {
                changes.push(self.removal(at));
                at += 1;
            }
            let slot = &self.slots[at];
            if at == 0 && nth > 0 {
                inserted += &self.gap_text(at, wanted)?;
                changes.push((Span::at(slot.span.start as usize), std::mem::take(&mut inserted)));
            } else {
                if !inserted.is_empty() {
                    let before = Span::at(slot.gap.span.start as usize);
                    changes.push((before, std::mem::take(&mut inserted)));
                }
                if !slot.is_chained && (slot.side != mv.side || !self.fits(slot, place)) {
                    if place.is_second && slot.kind() == GapKind::Continues {
                        wanted.kind = GapKind::Continues;
                    }
                    changes.push((slot.gap.span, self.gap_text(at, wanted)?));
                }
            }
            at += 1;
        }
        if !inserted.is_empty() {
            changes.push((Span::at(self.slots.last()?.span.end as usize), inserted));
        }
        changes.extend((at..self.slots.len()).map(|at| self.removal(at)));
        Some(())
    }

    fn removal(&self, at: usize) -> Change {
        let slot = &self.slots[at];
        (slot.gap.span.cover(slot.span), String::new())
    }

    /// Returns the signs before a move in the style of the slot nearest to `at` that has such signs.
    fn gap_text(&self, at: usize, wanted: WantedGap) -> Option<String> {
        let is_alike = |nth: &usize| {
            let slot = &self.slots[*nth];
            slot.kind() == wanted.kind && slot.side == wanted.side && !slot.is_chained
        };
        // The signs before the first move separate it from a heading.
        let distance = |nth: &usize| (usize::from((*nth == 0) != wanted.is_first), nth.abs_diff(at));
        let Some(nearest) = (0..self.slots.len()).filter(is_alike).min_by_key(distance) else {
            let is_blank = wanted.kind == GapKind::Plain && wanted.side.is_none();
            return is_blank.then(|| " ".to_owned());
        };
        let TurnGap { span, number } = self.slots[nearest].gap;
        let mut text = self.source.at(span).to_owned();
        if let Some(number) = number {
            let start = (number.digits.start - span.start) as usize;
            let digits = start..start + number.digits.len();
            let turn = number_like(&text[digits.clone()], wanted.turn);
            text.replace_range(digits, &turn);
        }
        let is_apart = text.starts_with(|sign: char| sign.is_whitespace() || matches!(sign, ',' | '|'));
        if !wanted.is_first && !is_apart {
            text.insert(0, ' ');
        }
        Some(text)
    }
}

/// Returns the moves of a text in order: those before a repair, and the words that it reads as moves.
fn merged<'m>(old: &'m [WrittenMove], new: &'m [WrittenMove]) -> Vec<&'m WrittenMove> {
    let mut moves: Vec<&WrittenMove> = old.iter().chain(new).filter(|mv| !mv.span.is_empty()).collect();
    // The sort is stable, so that the moves before the repair are kept.
    moves.sort_by_key(|mv| mv.span.start);
    moves.dedup_by_key(|mv| mv.span.start);
    moves
}

#[cfg(test)]
mod tests {
    use crate::format::Format;
    use crate::format::movelist::number_like;
    use crate::repair::{RepairOptions, RepairStatus, Repairer, patch_record};
    use crate::replay::{ReplayOptions, RuleChoice};
    use crate::source::Source;

    const MOVES: &str =
        "d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1";

    /// Returns a text in which each move follows the next of the signs. `#` becomes the turn number, and `＃` the same in fullwidth
    /// digits.
    fn text_of(moves: &str, signs: [&str; 2]) -> String {
        let text = |(nth, mv): (usize, &str)| {
            let [narrow, wide] = ["1", "１"].map(|digits| number_like(digits, nth as u32 / 2 + 1));
            signs[nth % 2].replace('#', &narrow).replace('＃', &wide) + mv
        };
        moves.split(' ').enumerate().map(text).collect()
    }

    /// Returns a repaired text, without the note about the repair.
    fn repaired(format: Format, text: &str) -> String {
        let rules = tafl_rules::catalog::find("brandubh7").map(RuleChoice::named);
        let mut repairer =
            Repairer::new(ReplayOptions { rules, ..ReplayOptions::default() }, RepairOptions::default());
        let source = Source::new(text);
        let parsed = format.parse(&source);
        let diagnosis = repairer.repair(&source, &parsed);
        assert_eq!(diagnosis.status, RepairStatus::Decided, "{text}");
        let patch = patch_record(&source, &parsed, &diagnosis.repairs[0]).expect(text);
        let is_note = |line: &&str| line.starts_with("# repaired: ") || line.starts_with("[Repair ");
        patch.text.lines().filter(|line| !is_note(line)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn turns_are_numbered_again_in_every_layout() {
        let tags = "[Variant \"brandubh7\"]\n[Result \"defenders\"]\n\n";
        for (format, head, tail, signs) in [
            (Format::MoveList, "Brandubh", "\nWhite won", ["\n#. ", " "]),
            (Format::MoveList, "Variant: brandubh7\n", "\nWhite won", [" #) ", ", "]),
            (Format::MoveList, "Variant: brandubh7\n", "\nWhite won", ["\n| # | ", " | "]),
            (Format::MoveList, "Variant: brandubh7", "\nWhite won", ["\n（＃）", " "]),
            (Format::MoveList, "Variant: brandubh7", "\nWhite won", ["\n＃．", " "]),
            (Format::MoveList, "Variant: brandubh7", "\nWhite won", ["\nBlack: ", "\nWhite: "]),
            (Format::MoveList, "Variant: brandubh7", "\nWhite won", ["\n#. ", "\n#... "]),
            (Format::Pgn, tags, "", [" #. ", " "]),
            (Format::Pgn, tags, "", [" #. ", " {so} #... "]),
        ] {
            let text = |moves: &str| format!("{head}{}{tail}", text_of(moves, signs));
            let right = text(MOVES);
            for wrong in [
                MOVES.replacen(" d4-g4", "", 1),
                MOVES.replacen(" d1-e1", "", 1),
                MOVES.replacen("d1-e1 d5-g5", "d1-e1 d5-g5 d1-e1 d5-g5", 1),
                MOVES.replacen("d5-g5", "d5-g5 d5-g5", 1),
            ] {
                let repaired = repaired(format, &text(&wrong));
                let moves_of = |text: &str| text.replace(" {so}", "");
                if signs[1].contains("...") {
                    // Numbers that are repeated are not needed.
                    let words = |text: &str| {
                        let words = text.split_whitespace().filter(|word| !word.ends_with("..."));
                        words.map(str::to_owned).collect::<Vec<_>>()
                    };
                    assert_eq!(words(&moves_of(&repaired)), words(&moves_of(&right)), "{repaired}");
                } else {
                    assert_eq!(repaired, right);
                }
            }
        }
    }

    #[test]
    fn a_half_turn_is_completed_and_the_rest_is_kept() {
        let right = "Brandubh\n1. d6-c6 e4-e6\n2. d1-e1\n2. ... d5-g5\n3. f4-f5 d3-g3xg4 (strong)\n4. b4-b3 d4-g4\n\
                     5. d7-f7 g3-f3\n6. d2-g2 g4-g3xg2\n7. e1-e2 g3-g1\nWhite won";
        assert_eq!(repaired(Format::MoveList, &right.replacen(" d4-g4", "", 1)), right);
    }

    #[test]
    fn a_record_without_turns_keeps_its_layout() {
        let right = format!("Variant: brandubh7\n{MOVES}\nWhite won");
        assert_eq!(repaired(Format::MoveList, &right.replacen(" d4-g4", "", 1)), right);
    }
}
