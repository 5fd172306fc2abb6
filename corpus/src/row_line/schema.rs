//! The schema of row lines and tables, for other programs.

use serde_json::{Value, json};
use tafl_rules::KEY_VERSION;

use super::ROW_LINE_VERSION;
use crate::schema::{EVALS, GAMES, PLIES, TableColumn};

/// The type of numbers of 64 bits.
const DIGITS: &str = "string: 16 hexadecimal digits";

/// Returns the columns of the tables with their types, and the fields of row lines, as a JSON object.
pub fn row_schema() -> String {
    let games: Vec<Value> = GAMES.iter().map(|game| column(&game.field)).collect();
    let plies: Vec<Value> = PLIES.iter().map(column).collect();
    let evals: Vec<Value> = EVALS.iter().map(|eval| column(&eval.field)).collect();
    let schema = json!({
        "taflbase_schema": 1,
        "row_version": ROW_LINE_VERSION,
        "key_version": KEY_VERSION,
        "tables": { "games": games, "plies": plies, "evals": evals },
        "row": {
            "taflbase_row": "int32",
            "bucket": DIGITS,
            "order": "list of int64: number of the input, number of the record in it",
            "key_version": "int32",
            "program": "string",
            "game": "object: the columns of the table `games` that are not null, IDs as 16 hexadecimal digits",
            "start_key": DIGITS,
            "plies": {
                "sides": "string: `a` or `d` for each ply",
                "from": "list of string",
                "to": "list of string",
                "captured": "list of string: cells separated by blanks",
                "moves": "list of uint16",
                "events": "list of uint32: a bit for each event",
                "king": "list of uint8 or null: distance in bits 0 to 2, lines in 3 and 4, danger in 5, cordon in 6",
                "attackers_king": "list of uint8 or null",
                "keys": format!("list of {DIGITS}"),
            },
            "rejected": "object: source, place, format, codes, text, variant and result if known",
            "error": "object: an error line",
        },
    });
    format!("{schema:#}\n")
}

fn column(field: &TableColumn) -> Value {
    json!({ "name": field.name, "type": field.kind.name(), "nullable": true, "doc": field.doc.trim() })
}
