//! Known faults in sound records: the test data of repair.
//!
//! Faults are random, and reproducible from a seed. A wrong character names a neighboring file or rank in half of the
//! cases, and any other one in the rest.

mod habit;
mod kind;

use tafl_parser::{
    CaptureStyle, DiagnosticKind, Format, Letter, Parsed, Record, Repair, Replay, ReplayPly, Source,
    TextFinding, WriteGame, Written, WrittenCapture, WrittenCaptureCounts, WrittenMove, WrittenStart,
    WrittenVerdict, write_record,
};
use tafl_rules::{
    BySide, Cell, Coord, Game, RepetitionMode, Rng, Role, RuleSet, Shape, Side, Span, catalog,
    shape_symmetries,
};

pub use kind::Fault;

/// A sound game of a variant of the catalog, as a list of moves.
#[derive(Debug, Clone)]
pub struct TestGame {
    /// The record; its format is [`Format::MoveList`].
    pub record: Record,
    /// The name of the variant in the catalog.
    pub variant: &'static str,
    /// The board.
    pub shape: Shape,
    /// The first mover according to the rules.
    pub first_mover: Side,
}

/// A record with a fault.
#[derive(Debug, Clone)]
pub struct FaultyGame {
    /// The text.
    pub text: String,
    /// The record parsed from the text, with the variant, start, and first mover, which a list of moves cannot contain.
    pub parsed: Parsed<Record>,
}

/// The moves in which cells are renamed.
enum Scope {
    Whole,
    /// The moves from an index on.
    From(usize),
    MovesOf(Side),
}

impl TestGame {
    /// Returns a sound game as a list of moves; `None` if a list can't express it, or if the rules are not in the catalog.
    pub fn new(record: &Record, replay: &Replay) -> Option<TestGame> {
        let rules = replay.rules.as_ref()?;
        let is_plain = record.variations.is_empty() && record.start.is_none() && record.first_mover.is_none();
        let is_whole = replay.plies.len() == record.main().moves.len() && replay.plies.len() >= 4;
        if !is_plain || !is_whole {
            return None;
        }
        let mut plain = Record::new(Format::MoveList);
        plain.capture_style = CaptureStyle::ListedButKings;
        plain.result = record.result;
        plain.ending = record.ending;
        let mut counts = BySide { attackers: 0, defenders: 0 };
        let shape = rules.book.shape();
        let mut game = Game::with_mode(&rules.book, RepetitionMode::Report);
        let mut before: Option<&ReplayPly> = None;
        for ply in &replay.plies {
            game.clear_outcome();
            game.play(ply.mv).ok()?;
            let is_man =
                |cell: &Cell| game.captured_piece(*cell).is_some_and(|piece| piece.role != Role::King);
            let mv = plain.played_move(ply.mv, ply.captured.iter().filter(is_man), shape);
            counts[ply.side] += u32::from(mv.n_captures);
            // A player who may continue a chain may also end it.
            let chained = before.is_some_and(|last| last.goes_on && last.side == ply.side);
            plain.main_mut().moves.push(WrittenMove { chained, ..mv });
            before = Some(ply);
        }
        let spans = BySide { attackers: Span::at(0), defenders: Span::at(0) };
        plain.capture_counts = Some(WrittenCaptureCounts { by: counts, spans });
        let variant = rules.variant?;
        let first_mover = rules.book.rules().first_mover;
        Some(TestGame { record: plain, variant, shape, first_mover })
    }

    /// Returns the game without a fault, parsed from its text.
    pub fn sound(&self) -> FaultyGame {
        self.read(&self.record, None)
    }

    fn read(&self, record: &Record, text: Option<String>) -> FaultyGame {
        let text = text.unwrap_or_else(|| text_of(record));
        let mut parsed = Format::MoveList.parse(&Source::new(&text));
        parsed.value.variant = Some(Written { text: self.variant.into(), span: Span::at(0) });
        FaultyGame { text, parsed }
    }

    /// Returns the game with a fault; `None` if the game cannot have this kind of fault.
    pub fn with_fault(&self, fault: Fault, rng: &mut Rng) -> Option<FaultyGame> {
        let mut record = self.record.clone();
        match fault {
            Fault::Unread => return self.unread(rng),
            Fault::Variant => return self.other_variant(rng),
            Fault::Start => return self.other_start(rng),
            Fault::FirstMover => {
                let mut faulty = self.sound();
                faulty.parsed.value.first_mover = Some(self.first_mover.other());
                return Some(faulty);
            }
            Fault::Character => {
                let mv = any_move(&mut record, rng)?;
                let cell = if rng.below(2) == 0 { &mut mv.from } else { &mut mv.to };
                *cell = self.other_cell(*cell, rng);
            }
            Fault::FromTo => {
                let mv = any_move(&mut record, rng)?;
                std::mem::swap(&mut mv.from, &mut mv.to);
            }
            Fault::Transposed => {
                let turned = |coord: Coord| Coord::new(coord.rank, coord.file);
                let mv = any_move(&mut record, rng)?;
                (mv.from, mv.to) = (turned(mv.from), turned(mv.to));
            }
            Fault::Missing => {
                let moves = &mut record.main_mut().moves;
                moves.remove(rng.below(moves.len()));
                move_ending(&mut record);
            }
            Fault::Doubled => {
                let moves = &mut record.main_mut().moves;
                let at = rng.below(moves.len());
                moves.insert(at, *moves.get(at)?);
                move_ending(&mut record);
            }
            Fault::Swapped => {
                let moves = &mut record.main_mut().moves;
                let at = rng.below(moves.len().checked_sub(1)?);
                moves.swap(at, at + 1);
            }
            Fault::CaptureMissing => missing_capture(&mut record, rng)?,
            Fault::CapturesOmitted => habit::omitted_captures(&mut record, rng)?,
            Fault::CaptureWrong => self.wrong_capture(&mut record, rng)?,
            Fault::CaptureExtra => self.extra_capture(&mut record, rng)?,
            Fault::Result => wrong_result(&mut record)?,
            Fault::Sides => {
                wrong_result(&mut record)?;
                let counts = record.capture_counts.as_mut()?;
                counts.by = BySide { attackers: counts.by.defenders, defenders: counts.by.attackers };
            }
            Fault::BoardWhole => self.rename_cells(Scope::Whole, &mut record, rng)?,
            Fault::BoardFrom => {
                let at = 1 + rng.below(record.main().moves.len().checked_sub(1)?);
                self.rename_cells(Scope::From(at), &mut record, rng)?;
            }
            Fault::BoardSide => {
                self.rename_cells(Scope::MovesOf(Side::ALL[rng.below(2)]), &mut record, rng)?;
            }
        }
        Some(self.read(&record, None))
    }

    /// Returns a cell that differs in its file or its rank.
    fn other_cell(&self, cell: Coord, rng: &mut Rng) -> Coord {
        let last = self.shape.n_ranks();
        loop {
            let is_file = rng.below(2) == 0;
            let old = if is_file { cell.file } else { cell.rank };
            let new = match rng.below(2) {
                0 => old + [1, -1][rng.below(2)],
                _ => rng.below(last as usize) as i16,
            };
            if new != old && (0..last).contains(&new) {
                return if is_file { Coord::new(new, cell.rank) } else { Coord::new(cell.file, new) };
            }
        }
    }

    fn wrong_capture(&self, record: &mut Record, rng: &mut Rng) -> Option<()> {
        let (at, mut cells) = any_captures(record, rng)?;
        let nth = rng.below(cells.len());
        cells[nth].cell = self.other_cell(cells[nth].cell, rng);
        set_captures(record, at, cells);
        Some(())
    }

    fn extra_capture(&self, record: &mut Record, rng: &mut Rng) -> Option<()> {
        let at = rng.below(record.main().moves.len());
        let mut cells = record.captures_of(record.main().moves.get(at)?).to_vec();
        let cell = self.shape.coord(Cell::new(rng.below(self.shape.n_cells())));
        if cells.iter().any(|capture| capture.cell == cell) {
            return None;
        }
        cells.push(WrittenCapture { cell, letter: Letter::NONE, span: Span::at(0) });
        set_captures(record, at, cells);
        Some(())
    }

    /// Renames the cells of some moves as if the board were numbered from another corner.
    fn rename_cells(&self, scope: Scope, record: &mut Record, rng: &mut Rng) -> Option<()> {
        let n_symmetries = if self.shape.is_hex() { 11 } else { 7 };
        let symmetries = shape_symmetries(self.shape);
        let symmetry = symmetries.get(1 + rng.below(n_symmetries))?;
        let image = |coord: Coord| {
            self.shape.cell(coord).map_or(coord, |cell| self.shape.coord(symmetry.image(cell)))
        };
        let moves = record.main().moves.clone();
        let mut side = self.first_mover.other();
        for (at, mv) in moves.iter().enumerate() {
            if !mv.chained || at == 0 {
                side = side.other();
            }
            let is_affected = match scope {
                Scope::Whole => true,
                Scope::From(first) => at >= first,
                Scope::MovesOf(other) => side == other,
            };
            if is_affected {
                let captures = record.captures_of(mv).iter();
                let captures = captures
                    .map(|capture| WrittenCapture { cell: image(capture.cell), ..*capture })
                    .collect();
                record.main_mut().moves[at] = WrittenMove { from: image(mv.from), to: image(mv.to), ..*mv };
                set_captures(record, at, captures);
            }
        }
        Some(())
    }

    fn unread(&self, rng: &mut Rng) -> Option<FaultyGame> {
        const SIGNS: &[u8] = b"abcdefghijklmnopxqlo0123456789-?_";
        let text = text_of(&self.record);
        let moves = &text[..text.find(',')?];
        for _ in 0..40 {
            let nth = rng.below(moves.split(' ').count());
            let word = moves.split(' ').nth(nth)?;
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let at = start + rng.below(word.len());
            let mut bytes = text.clone().into_bytes();
            match rng.below(2) {
                0 => bytes[at] = SIGNS[rng.below(SIGNS.len())],
                _ => {
                    bytes.remove(at);
                }
            }
            let faulty = self.read(&self.record, Some(String::from_utf8(bytes).ok()?));
            let findings = &faulty.parsed.diagnostics;
            if findings.iter().any(|found| found.kind == DiagnosticKind::Text(TextFinding::BadMove)) {
                return Some(faulty);
            }
        }
        None
    }

    fn other_variant(&self, rng: &mut Rng) -> Option<FaultyGame> {
        let same_board: Vec<_> = catalog::published()
            .filter(|variant| variant.name != self.variant && variant.rules().shape() == self.shape)
            .collect();
        let other = same_board.get(rng.below(same_board.len()))?;
        let mut faulty = self.sound();
        faulty.parsed.value.variant = Some(Written { text: other.name.into(), span: Span::at(0) });
        Some(faulty)
    }

    /// Returns the game with the start of another variant, or its own start rotated or mirrored.
    fn other_start(&self, rng: &mut Rng) -> Option<FaultyGame> {
        let own = catalog::find(self.variant)?.rules().start;
        let mut starts: Vec<_> = shape_symmetries(self.shape)
            .iter()
            .map(|symmetry| own.mapped(|cell| symmetry.image(cell)))
            .chain(catalog::published().map(|variant| variant.rules().start))
            .filter(|start| start.shape() == self.shape && *start != own)
            .collect();
        starts.dedup();
        let setup = starts.get(rng.below(starts.len()))?.clone();
        let mut faulty = self.sound();
        faulty.parsed.value.start = Some(WrittenStart { setup, span: Span::at(0) });
        Some(faulty)
    }

    /// Returns whether a repair restores this game: its moves, captures, and result, under the same rules by any name.
    pub fn is_restored_by(&self, repair: &Repair) -> bool {
        self.is_image_of(repair, |coord| coord)
    }

    /// Returns whether a repair restores a mirror image or a rotation of this game by rules with that symmetry: the same
    /// game, seen from another side of the board.
    pub fn is_mirrored_by(&self, repair: &Repair) -> bool {
        let rules = repair.rules.book.rules();
        let start = repair.record.start.as_ref().map_or(&rules.start, |start| &start.setup);
        shape_symmetries(self.shape).iter().skip(1).any(|symmetry| {
            let image = |coord: Coord| {
                self.shape.cell(coord).map_or(coord, |cell| self.shape.coord(symmetry.image(cell)))
            };
            start.mapped(|cell| symmetry.image(cell)) == *start && self.is_image_of(repair, image)
        })
    }

    /// Returns whether the repaired game is the image of this one.
    fn is_image_of(&self, repair: &Repair, image: impl Fn(Coord) -> Coord) -> bool {
        let cells = |record: &Record, mv: &WrittenMove| -> Vec<Coord> {
            let mut cells: Vec<Coord> = record.captures_of(mv).iter().map(|one| one.cell).collect();
            cells.sort_unstable();
            cells.dedup();
            cells
        };
        let imaged = |record: &Record, mv: &WrittenMove| -> Vec<Coord> {
            let mut cells: Vec<Coord> = cells(record, mv).into_iter().map(&image).collect();
            cells.sort_unstable();
            cells
        };
        let record = &repair.record;
        let (own, moves) = (&self.record.main().moves, &record.main().moves);
        let Some(named) = catalog::find(self.variant) else { return false };
        let verdict = |record: &Record| record.result.map(|result| result.verdict);
        own.len() == moves.len()
            && own.iter().zip(moves).all(|(one, other)| {
                (image(one.from), image(one.to)) == (other.from, other.to)
                    && imaged(&self.record, one) == cells(record, other)
            })
            && verdict(record) == verdict(&self.record)
            && effective_rules(record, repair.rules.book.rules())
                == effective_rules(&self.record, &named.rules())
    }
}

/// Returns the effective rules of a record, with its start and first mover, without their name.
fn effective_rules(record: &Record, rules: &RuleSet) -> String {
    let mut rules = RuleSet { name: None, ..rules.clone() };
    if let Some(start) = &record.start {
        rules.start = start.setup.clone();
    }
    rules.first_mover = record.first_mover.unwrap_or(rules.first_mover);
    rules.to_string()
}

fn text_of(record: &Record) -> String {
    let mut text = String::new();
    write_record(WriteGame { record, played: None }, Format::MoveList, &mut text)
        .expect("lists of moves can be written");
    text.trim_end().to_owned()
}

fn set_captures(record: &mut Record, at: usize, cells: Vec<WrittenCapture>) {
    let (first, n) = (record.captures.len() as u32, cells.len() as u16);
    record.captures.extend(cells);
    let mv = &mut record.main_mut().moves[at];
    (mv.first_capture, mv.n_captures) = (first, n);
}

fn any_move<'r>(record: &'r mut Record, rng: &mut Rng) -> Option<&'r mut WrittenMove> {
    let moves = &mut record.main_mut().moves;
    let at = rng.below(moves.len());
    moves.get_mut(at)
}

/// Returns the index of a capturing move, and its captures.
fn any_captures(record: &Record, rng: &mut Rng) -> Option<(usize, Vec<WrittenCapture>)> {
    let moves = &record.main().moves;
    let with: Vec<usize> = (0..moves.len()).filter(|at| moves[*at].n_captures > 0).collect();
    let at = *with.get(rng.below(with.len()))?;
    Some((at, record.captures_of(&moves[at]).to_vec()))
}

fn missing_capture(record: &mut Record, rng: &mut Rng) -> Option<()> {
    let (at, mut cells) = any_captures(record, rng)?;
    cells.remove(rng.below(cells.len()));
    set_captures(record, at, cells);
    Some(())
}

/// Moves the ending of the record to the end of its moves.
fn move_ending(record: &mut Record) {
    let n_moves = record.main().moves.len() as u32;
    if let Some(ending) = &mut record.ending {
        ending.after = n_moves;
    }
}

/// Makes the other side win.
fn wrong_result(record: &mut Record) -> Option<()> {
    let result = record.result.as_mut()?;
    let WrittenVerdict::Win(winner) = result.verdict else { return None };
    (result.verdict, result.reason) = (WrittenVerdict::Win(winner.other()), None);
    Some(())
}
