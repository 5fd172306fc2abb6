//! Readers: one module per notation. The table that connects them with names and writers is in
//! [`crate::notation`].
//!
//! # Writing a reader
//!
//! Each notation has a module with a function `pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record>`, which parses the
//! text of one record (as split by [`Format::cut_of`]) and never fails:
//!
//! - Begin with `Record::new(Format::X)` and set [`capture_style`](crate::Record::capture_style).
//! - Fill the fields that [`Record`] has for the data of the notation: `rules`, `variant` (plain text), `start`,
//!   `first_mover`, moves, `ending`, `result`, `clocks`, `boards`, `move_counts`, `move_capture_counts`, `capture_counts`.
//!   Everything else becomes a tag, with a name from [`record::tag`](crate::record::tag) if one fits, otherwise the notation's own.
//! - Cells are [`Coord`](tafl_rules::Coord)s and may be off the board; only replay checks that. A turn of several steps is
//!   several moves, of which the later ones are `chained`.
//! - Nothing is invented and nothing valid is lost: an unreadable part becomes a diagnostic of the group
//!   [`TextFinding`](crate::TextFinding) or [`HeaderFinding`](crate::HeaderFinding) with the smallest possible span,
//!   and reading continues after it.
//! - Spans are relative to the start of `source.text`. For JSON, read a tree with `json::read`, and find the spans of its
//!   values with `json::value_span`; parts of a string with escapes have the span of the whole string.

pub(crate) mod aagenielsen;
pub(crate) mod abstractplay;
pub(crate) mod ashton_log;
pub(crate) mod bracket;
pub(crate) mod column_table;
pub(crate) mod csv;
pub(crate) mod cyngesheall;
mod date;
mod detect;
pub(crate) mod fen;
pub(crate) mod ftzm;
pub(crate) mod hen;
pub(crate) mod hnefatafl_org;
pub(crate) mod htp;
mod json;
pub(crate) mod json_rows;
pub(crate) mod jsonl;
pub(crate) mod ludii_trial;
pub(crate) mod movelist;
pub(crate) mod ollamh;
pub(crate) mod opentafl;
pub(crate) mod pgn;
pub(crate) mod playtaflonline;
mod ron;
pub(crate) mod sgf;
pub(crate) mod skudpaisho;
mod start;
mod steps;
#[cfg(test)]
mod survival;
mod tag_names;
mod tag_values;
mod termination;
#[cfg(test)]
mod test_text;
pub(crate) mod uci;

pub(crate) use crate::record::{Cut, Format};
pub use date::is_impossible_day;
pub(crate) use detect::TextHead;
pub(crate) use pgn::NAMES as PGN_NAMES;
pub(crate) use skudpaisho::SETUPS as SKUD_SETUPS;
pub(crate) use start::{implied_shape, shape_of};
pub(crate) use tag_values::check as check_tag_values;
pub(crate) use termination::finish as finish_end;

/// Returns the version of our JSON lines that is written.
pub(crate) const fn jsonl_version() -> u32 {
    jsonl::VERSION
}
