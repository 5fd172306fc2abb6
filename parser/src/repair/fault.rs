//! Known faults, put into sound records: what repair is measured with.
//!
//! A fault is drawn at random, the same for the same seed. Slips of a character go to a neighboring file or rank in half
//! of the cases and to any other in the rest.

use tafl_rules::{BySide, Coord, Shape, Side, Span, catalog, symmetry};

use super::candidate::in_scope;
use super::edit::Scope;
use super::relabel::{Map, Relabel};
use super::search::effective_rules;
use crate::diagnostic::{DiagnosticKind, Parsed, Text};
use crate::format::Format;
use crate::record::{Letter, Record, Verdict, Written, WrittenCapture, WrittenMove, WrittenStart};
use crate::replay::{Replay, ReplayPly};
use crate::source::Source;
use crate::write::{WriteGame, write};

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A file or rank of a move is another one.
    Character,
    /// From and to of a move are exchanged.
    FromTo,
    /// File and rank are exchanged in both cells of a move.
    Transposed,
    /// A character of a move is lost or unreadable, so that it is no move any more.
    Unread,
    /// A ply is missing.
    Missing,
    /// A ply stands twice.
    Doubled,
    /// Two plies that follow each other are exchanged.
    Swapped,
    /// A captured cell is missing.
    CaptureMissing,
    /// A captured cell stands there where nothing fell.
    CaptureExtra,
    /// A captured cell is another one.
    CaptureWrong,
    /// The result is another one.
    Result,
    /// The sides are exchanged in the result and the counts of captures.
    Sides,
    /// The whole board is numbered from another corner.
    BoardWhole,
    /// The board is numbered from another corner from a ply on.
    BoardFrom,
    /// The moves of one side are numbered from another corner.
    BoardSide,
    /// The record names another variant of the same board.
    Variant,
    /// The record gives another start.
    Start,
    /// The record says that the other side moved first.
    FirstMover,
}

impl Fault {
    /// Every kind.
    pub const ALL: [Fault; 18] = [
        Fault::Character,
        Fault::FromTo,
        Fault::Transposed,
        Fault::Unread,
        Fault::Missing,
        Fault::Doubled,
        Fault::Swapped,
        Fault::CaptureMissing,
        Fault::CaptureExtra,
        Fault::CaptureWrong,
        Fault::Result,
        Fault::Sides,
        Fault::BoardWhole,
        Fault::BoardFrom,
        Fault::BoardSide,
        Fault::Variant,
        Fault::Start,
        Fault::FirstMover,
    ];

    /// Returns the stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Character => "character",
            Fault::FromTo => "from-to",
            Fault::Transposed => "transposed",
            Fault::Unread => "unread-word",
            Fault::Missing => "missing-ply",
            Fault::Doubled => "doubled-ply",
            Fault::Swapped => "swapped-plies",
            Fault::CaptureMissing => "capture-missing",
            Fault::CaptureExtra => "capture-extra",
            Fault::CaptureWrong => "capture-wrong",
            Fault::Result => "result",
            Fault::Sides => "sides",
            Fault::BoardWhole => "board-whole",
            Fault::BoardFrom => "board-from-ply",
            Fault::BoardSide => "board-one-side",
            Fault::Variant => "variant",
            Fault::Start => "start",
            Fault::FirstMover => "first-mover",
        }
    }
}

/// A sound game, written as a list of moves, with its rules named.
#[derive(Debug, Clone)]
pub struct Specimen {
    /// The record; its format is [`Format::MoveList`].
    pub record: Record,
    /// The name of the variant in the catalog.
    pub variant: &'static str,
    /// The board.
    pub shape: Shape,
    /// Who moves first by the rules.
    pub first_mover: Side,
}

/// A record with a fault.
#[derive(Debug, Clone)]
pub struct Injured {
    /// The text.
    pub text: String,
    /// The record as it is read from the text, with the variant, start and first mover that a list of moves cannot name.
    pub parsed: Parsed<Record>,
}

/// Random numbers that are the same in every run with the same seed: SplitMix64.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Returns dice that always fall the same way for a seed.
    pub const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Returns a number below `n`; 0 where `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed % n.max(1) as u64) as usize
    }
}

impl Specimen {
    /// Returns the specimen of a sound game of the catalog, as a list of moves; nothing where a list cannot say it.
    pub fn new(record: &Record, replay: &Replay) -> Option<Specimen> {
        let rules = replay.rules.as_ref()?;
        let is_plain = record.lines.len() == 1 && record.start.is_none() && record.first_mover.is_none();
        let is_whole = replay.plies.len() == record.main().moves.len() && replay.plies.len() >= 4;
        if !is_plain || !is_whole {
            return None;
        }
        let mut plain = Record::new(Format::MoveList);
        plain.capture_style = crate::record::CaptureStyle::ListedButKings;
        plain.result = record.result;
        plain.ending = record.ending;
        let mut counts = BySide { attackers: 0, defenders: 0 };
        let shape = rules.book.shape();
        let mut game = tafl_rules::Game::with_mode(&rules.book, tafl_rules::RepetitionMode::Report);
        let mut before: Option<&ReplayPly> = None;
        for ply in &replay.plies {
            game.resume();
            game.play(ply.mv).ok()?;
            let first = plain.captures.len();
            for cell in ply.captured.iter() {
                if game.fallen(cell).is_some_and(|piece| piece.role != tafl_rules::Role::King) {
                    counts[ply.side] += 1;
                    let letter = Letter::NONE;
                    plain.captures.push(WrittenCapture {
                        cell: shape.coord(cell),
                        letter,
                        span: Span::at(0),
                    });
                }
            }
            let mv = WrittenMove::new(shape.coord(ply.mv.from), shape.coord(ply.mv.to), Span::at(0));
            // Who may go on may also decline.
            let chained = before.is_some_and(|last| last.goes_on && last.side == ply.side);
            plain.push_move(WrittenMove { chained, ..mv }, first);
            before = Some(ply);
        }
        let spans = BySide { attackers: Span::at(0), defenders: Span::at(0) };
        plain.capture_counts = Some(crate::record::WrittenCaptureCounts { by: counts, spans });
        let variant = rules.variant?;
        let first_mover = rules.book.rules().first_mover;
        Some(Specimen { record: plain, variant, shape, first_mover })
    }

    /// Returns the record as it is, read from its text.
    pub fn sound(&self) -> Injured {
        self.read(&self.record, None)
    }

    fn read(&self, record: &Record, text: Option<String>) -> Injured {
        let text = text.unwrap_or_else(|| text_of(record));
        let mut parsed = Format::MoveList.parse(&Source::new(&text));
        parsed.value.variant = Some(Written { text: self.variant.into(), span: Span::at(0) });
        Injured { text, parsed }
    }

    /// Returns the game with a fault of a kind; nothing where the game has no place for one.
    pub fn injure(&self, fault: Fault, dice: &mut Dice) -> Option<Injured> {
        let mut record = self.record.clone();
        match fault {
            Fault::Unread => return self.unread(dice),
            Fault::Variant => return self.other_variant(dice),
            Fault::Start => return self.other_start(dice),
            Fault::FirstMover => {
                let mut injured = self.sound();
                injured.parsed.value.first_mover = Some(self.first_mover.other());
                return Some(injured);
            }
            Fault::Character => {
                let mv = any_move(&mut record, dice)?;
                let cell = if dice.below(2) == 0 { &mut mv.from } else { &mut mv.to };
                *cell = self.other_cell(*cell, dice);
            }
            Fault::FromTo => {
                let mv = any_move(&mut record, dice)?;
                std::mem::swap(&mut mv.from, &mut mv.to);
            }
            Fault::Transposed => {
                let turned = |coord: Coord| Coord::new(coord.rank, coord.file);
                let mv = any_move(&mut record, dice)?;
                (mv.from, mv.to) = (turned(mv.from), turned(mv.to));
            }
            Fault::Missing => {
                let moves = &mut record.main_mut().moves;
                moves.remove(dice.below(moves.len()));
                end_behind(&mut record);
            }
            Fault::Doubled => {
                let moves = &mut record.main_mut().moves;
                let at = dice.below(moves.len());
                moves.insert(at, *moves.get(at)?);
                end_behind(&mut record);
            }
            Fault::Swapped => {
                let moves = &mut record.main_mut().moves;
                let at = dice.below(moves.len().checked_sub(1)?);
                moves.swap(at, at + 1);
            }
            Fault::CaptureMissing => missing_capture(&mut record, dice)?,
            Fault::CaptureWrong => self.wrong_capture(&mut record, dice)?,
            Fault::CaptureExtra => self.extra_capture(&mut record, dice)?,
            Fault::Result => wrong_result(&mut record)?,
            Fault::Sides => {
                wrong_result(&mut record)?;
                let counts = record.capture_counts.as_mut()?;
                counts.by = BySide { attackers: counts.by.defenders, defenders: counts.by.attackers };
            }
            Fault::BoardWhole => self.turn(Scope::Whole, &mut record, dice)?,
            Fault::BoardFrom => {
                let at = 1 + dice.below(record.main().moves.len().checked_sub(1)?);
                self.turn(Scope::From(at), &mut record, dice)?;
            }
            Fault::BoardSide => {
                self.turn(Scope::Moves(Side::ALL[dice.below(2)]), &mut record, dice)?;
            }
        }
        Some(self.read(&record, None))
    }

    /// Returns a cell of which one file or rank is another.
    fn other_cell(&self, cell: Coord, dice: &mut Dice) -> Coord {
        let last = self.shape.n_ranks();
        loop {
            let is_file = dice.below(2) == 0;
            let old = if is_file { cell.file } else { cell.rank };
            let new = match dice.below(2) {
                0 => old + [1, -1][dice.below(2)],
                _ => dice.below(last as usize) as i16,
            };
            if new != old && (0..last).contains(&new) {
                return if is_file { Coord::new(new, cell.rank) } else { Coord::new(cell.file, new) };
            }
        }
    }

    fn wrong_capture(&self, record: &mut Record, dice: &mut Dice) -> Option<()> {
        let (at, mut cells) = any_captures(record, dice)?;
        let nth = dice.below(cells.len());
        cells[nth].cell = self.other_cell(cells[nth].cell, dice);
        set_captures(record, at, cells);
        Some(())
    }

    fn extra_capture(&self, record: &mut Record, dice: &mut Dice) -> Option<()> {
        let at = dice.below(record.main().moves.len());
        let mut cells = record.captures_of(record.main().moves.get(at)?).to_vec();
        let cell = self.shape.coord(tafl_rules::Cell::new(dice.below(self.shape.n_cells())));
        if cells.iter().any(|capture| capture.cell == cell) {
            return None;
        }
        cells.push(WrittenCapture { cell, letter: Letter::NONE, span: Span::at(0) });
        set_captures(record, at, cells);
        Some(())
    }

    /// Turns the board for some of the moves.
    fn turn(&self, scope: Scope, record: &mut Record, dice: &mut Dice) -> Option<()> {
        let n_turns = if self.shape.is_hex() { 11 } else { 7 };
        let map = Map::of(Relabel::Symmetry(1 + dice.below(n_turns) as u8), self.shape)?;
        let moves = record.main().moves.clone();
        for (at, is_meant) in in_scope(&moves, scope, self.first_mover).enumerate() {
            if is_meant {
                let cells = map.captures(record.captures_of(&moves[at]));
                record.main_mut().moves[at] = map.moves(&moves[at..=at])[0];
                set_captures(record, at, cells);
            }
        }
        Some(())
    }

    fn unread(&self, dice: &mut Dice) -> Option<Injured> {
        const SIGNS: &[u8] = b"abcdefghijklmnopxqlo0123456789-?_";
        let text = text_of(&self.record);
        let moves = &text[..text.find(',')?];
        for _ in 0..40 {
            let nth = dice.below(moves.split(' ').count());
            let word = moves.split(' ').nth(nth)?;
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let at = start + dice.below(word.len());
            let mut bytes = text.clone().into_bytes();
            match dice.below(2) {
                0 => bytes[at] = SIGNS[dice.below(SIGNS.len())],
                _ => {
                    bytes.remove(at);
                }
            }
            let injured = self.read(&self.record, Some(String::from_utf8(bytes).ok()?));
            let findings = &injured.parsed.diagnostics;
            if findings.iter().any(|found| found.kind == DiagnosticKind::Text(Text::BadMove)) {
                return Some(injured);
            }
        }
        None
    }

    fn other_variant(&self, dice: &mut Dice) -> Option<Injured> {
        let same_board: Vec<_> = catalog::published()
            .filter(|variant| variant.name != self.variant && variant.rules().shape() == self.shape)
            .collect();
        let other = same_board.get(dice.below(same_board.len()))?;
        let mut injured = self.sound();
        injured.parsed.value.variant = Some(Written { text: other.name.into(), span: Span::at(0) });
        Some(injured)
    }

    /// Returns the game with the start of another variant, or its own start turned.
    fn other_start(&self, dice: &mut Dice) -> Option<Injured> {
        let own = catalog::find(self.variant)?.rules().start;
        let mut starts: Vec<_> = symmetry::of_shape(self.shape)
            .iter()
            .map(|symmetry| own.mapped(|cell| symmetry.image(cell)))
            .chain(catalog::published().map(|variant| variant.rules().start))
            .filter(|start| start.shape() == self.shape && *start != own)
            .collect();
        starts.dedup();
        let setup = starts.get(dice.below(starts.len()))?.clone();
        let mut injured = self.sound();
        injured.parsed.value.start = Some(WrittenStart { setup, span: Span::at(0) });
        Some(injured)
    }

    /// Returns whether a repaired record says what the specimen says: moves, captures and result, by the same rules, whatever
    /// they are called.
    pub fn is(&self, repair: &super::Repair) -> bool {
        let cells = |record: &Record, mv: &WrittenMove| -> Vec<Coord> {
            let mut cells: Vec<Coord> = record.captures_of(mv).iter().map(|one| one.cell).collect();
            cells.sort_unstable();
            cells.dedup();
            cells
        };
        let record = &repair.record;
        let (own, moves) = (&self.record.main().moves, &record.main().moves);
        let Some(named) = catalog::find(self.variant) else { return false };
        let verdict = |record: &Record| record.result.map(|result| result.verdict);
        own.len() == moves.len()
            && own.iter().zip(moves).all(|(one, other)| {
                (one.from, one.to) == (other.from, other.to)
                    && cells(&self.record, one) == cells(record, other)
            })
            && verdict(record) == verdict(&self.record)
            && effective_rules(record, repair.rules.book.rules())
                == effective_rules(&self.record, &named.rules())
    }
}

fn text_of(record: &Record) -> String {
    let mut text = String::new();
    write(WriteGame { record, played: None }, Format::MoveList, &mut text)
        .expect("lists of moves are written");
    text.trim_end().to_owned()
}

fn set_captures(record: &mut Record, at: usize, cells: Vec<WrittenCapture>) {
    let (first, n) = (record.captures.len() as u32, cells.len() as u16);
    record.captures.extend(cells);
    let mv = &mut record.main_mut().moves[at];
    (mv.first_capture, mv.n_captures) = (first, n);
}

fn any_move<'r>(record: &'r mut Record, dice: &mut Dice) -> Option<&'r mut WrittenMove> {
    let moves = &mut record.main_mut().moves;
    let at = dice.below(moves.len());
    moves.get_mut(at)
}

/// Returns a move that captures, and its captures.
fn any_captures(record: &Record, dice: &mut Dice) -> Option<(usize, Vec<WrittenCapture>)> {
    let moves = &record.main().moves;
    let with: Vec<usize> = (0..moves.len()).filter(|at| moves[*at].n_captures > 0).collect();
    let at = *with.get(dice.below(with.len()))?;
    Some((at, record.captures_of(&moves[at]).to_vec()))
}

fn missing_capture(record: &mut Record, dice: &mut Dice) -> Option<()> {
    let (at, mut cells) = any_captures(record, dice)?;
    cells.remove(dice.below(cells.len()));
    set_captures(record, at, cells);
    Some(())
}

/// Puts the last word of the record behind its moves again.
fn end_behind(record: &mut Record) {
    let n_moves = record.main().moves.len() as u32;
    if let Some(ending) = &mut record.ending {
        ending.after = n_moves;
    }
}

/// Has the other side win.
fn wrong_result(record: &mut Record) -> Option<()> {
    let result = record.result.as_mut()?;
    let Verdict::Win(winner) = result.verdict else { return None };
    (result.verdict, result.reason) = (Verdict::Win(winner.other()), None);
    Some(())
}
