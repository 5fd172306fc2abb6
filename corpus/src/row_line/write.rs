//! Writing of row lines. It does not use serde: plies are most of the text and need no escapes.

use std::io::Write as _;

use serde::Serialize;
use tafl_parser::{ErrorLine, Order};
use tafl_rules::{Cell, KEY_VERSION, Shape, Side};

use super::hex::HexNumber;
use super::{ROW_LINE_VERSION, bucket};
use crate::ingest::{PlyReplay, PreparedGame, PreparedRecord};
use crate::row::CellValue;
use crate::schema::{ColumnType, GAMES};

/// Adds the line of a prepared record to `out`.
pub fn write_row(prepared: &PreparedRecord, order: Order, program: &str, out: &mut Vec<u8>) {
    match prepared {
        PreparedRecord::Game(game) => {
            begin(bucket::of_game(game), order, program, out);
            write_game(game, out);
        }
        PreparedRecord::Rejected(rejected) => {
            begin(bucket::of_rejected(rejected), order, program, out);
            out.extend_from_slice(b",\"rejected\":");
            json(rejected, out);
        }
    }
    out.extend_from_slice(b"}\n");
}

/// Adds the line for a record that could not be read to `out`.
pub fn write_error_row(error: &ErrorLine<'_>, order: Order, program: &str, out: &mut Vec<u8>) {
    begin(bucket::of_error(error), order, program, out);
    out.extend_from_slice(b",\"error\":");
    json(error, out);
    out.extend_from_slice(b"}\n");
}

fn begin(bucket: HexNumber, [input, ordinal]: Order, program: &str, out: &mut Vec<u8>) {
    put(
        out,
        format_args!(
            "{{\"taflbase_row\":{ROW_LINE_VERSION},\"bucket\":\"{bucket}\",\"order\":[{input},{ordinal}],\"key_version\":{KEY_VERSION},\"program\":"
        ),
    );
    json(&program, out);
}

fn write_game(game: &PreparedGame, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"game\":{");
    let mut is_first = true;
    for column in GAMES {
        let value = (column.get)(&game.row);
        if value == CellValue::None {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            out.push(b',');
        }
        json(&column.field.name, out);
        out.push(b':');
        match value.as_number() {
            Some(number) if column.field.kind == ColumnType::Id => {
                put(out, format_args!("\"{}\"", HexNumber(number as u64)));
            }
            Some(number) => put(out, format_args!("{number}")),
            None => json(&value.as_text(), out),
        }
    }
    let replayed = &game.replayed;
    let start = HexNumber(replayed.keys.first().copied().unwrap_or(0));
    put(out, format_args!("}},\"start_key\":\"{start}\",\"plies\":{{\"sides\":\""));
    out.extend(replayed.plies.iter().map(|ply| side_letter(ply.side)));
    out.push(b'"');
    let plies = &replayed.plies;
    let names = BoardCellNames::of(game.shape);
    list("from", plies, out, |ply, out| names.put(ply.mv.from, out));
    list("to", plies, out, |ply, out| names.put(ply.mv.to, out));
    list("captured", plies, out, |ply, out| names.put_all(&ply.captured, out));
    list("moves", plies, out, |ply, out| put(out, format_args!("{}", ply.n_moves)));
    list("events", plies, out, |ply, out| put(out, format_args!("{}", ply.facts.events.bits())));
    for (name, side) in [("king", Side::Defenders), ("attackers_king", Side::Attackers)] {
        if plies.iter().any(|ply| ply.facts.kings[side].is_some()) {
            list(name, plies, out, |ply, out| put_king(ply, side, out));
        }
    }
    out.extend_from_slice(b",\"keys\":[");
    for (nth, key) in replayed.keys.iter().skip(1).enumerate() {
        put(out, format_args!("{}\"{}\"", if nth > 0 { "," } else { "" }, HexNumber(*key)));
    }
    out.extend_from_slice(b"]}");
}

/// Returns the letter of a side.
pub(super) const fn side_letter(side: Side) -> u8 {
    match side {
        Side::Attackers => b'a',
        Side::Defenders => b'd',
    }
}

fn put_king(ply: &PlyReplay, side: Side, out: &mut Vec<u8>) {
    match ply.facts.kings[side] {
        Some(status) => put(out, format_args!("{}", status.code())),
        None => out.extend_from_slice(b"null"),
    }
}

fn list(name: &str, plies: &[PlyReplay], out: &mut Vec<u8>, write: impl Fn(&PlyReplay, &mut Vec<u8>)) {
    put(out, format_args!(",\"{name}\":["));
    for (nth, ply) in plies.iter().enumerate() {
        if nth > 0 {
            out.push(b',');
        }
        write(ply, out);
    }
    out.push(b']');
}

/// The names of the cells of a board.
struct BoardCellNames(Vec<Box<str>>);

impl BoardCellNames {
    fn of(shape: Shape) -> BoardCellNames {
        BoardCellNames(shape.cells().map(|cell| shape.name(cell).into()).collect())
    }

    fn name(&self, cell: Cell) -> &str {
        self.0.get(cell.index()).map_or("?", |name| name)
    }

    fn put(&self, cell: Cell, out: &mut Vec<u8>) {
        put(out, format_args!("\"{}\"", self.name(cell)));
    }

    fn put_all(&self, cells: &[Cell], out: &mut Vec<u8>) {
        out.push(b'"');
        for (nth, cell) in cells.iter().enumerate() {
            put(out, format_args!("{}{}", if nth > 0 { " " } else { "" }, self.name(*cell)));
        }
        out.push(b'"');
    }
}

fn put(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("memory takes every byte");
}

fn json(value: &impl Serialize, out: &mut Vec<u8>) {
    let json = serde_json::to_string(value).expect("values have only texts and numbers");
    out.extend_from_slice(tafl_parser::escape_json(json).as_bytes());
}
