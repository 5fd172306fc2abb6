//! Readers: a file per notation. The table that joins them with names and writers is [`crate::notation`].
//!
//! # How to write a reader
//!
//! Each notation has a file with one function, `pub(super) fn parse(source: &Source<'_>) -> Parsed<Record>`, which
//! takes the text of one record (as [`Format::cut`] cuts it) and never fails:
//!
//! - Begin with `Record::new(Format::X)` and set [`capture_style`](crate::Record::capture_style).
//! - Put what the notation says where [`Record`] has a place for it: `rules`, `variant` (plain text), `start`,
//!   `first_mover`, moves, `ending`, `result`, `clocks`, `boards`, `move_counts`, `capture_counts`. Everything else
//!   becomes a tag, with a name of [`record::tag`](crate::record::tag) where one fits, otherwise the notation's own.
//! - Cells are [`Coord`](tafl_rules::Coord)s and need not be on a board; only replay looks. A turn of several steps is
//!   several moves, the later ones `chained`.
//! - Nothing is invented and nothing good is lost: a part that cannot be read becomes a diagnostic of the group
//!   [`Text`](crate::diagnostic::Text) or [`Header`](crate::diagnostic::Header) with the smallest span that is wrong,
//!   and reading goes on behind it.
//! - Spans count from the start of `source.text`. For JSON, borrow strings (`&str`, `Cow<str>`) with serde and find
//!   their place with [`Source::span_of`]; where a string had escapes, use the span of the nearest thing that has one.

pub(crate) mod aagenielsen;
pub(crate) mod abstractplay;
pub(crate) mod ashton_log;
pub(crate) mod bracket;
pub(crate) mod cyngesheall;
mod detect;
pub(crate) mod hnefatafl_org;
mod json;
pub(crate) mod jsonl;
pub(crate) mod ludii_trial;
pub(crate) mod movelist;
pub(crate) mod opentafl;
pub(crate) mod pgn;
pub(crate) mod playtaflonline;
mod ron;
pub(crate) mod skudpaisho;
mod start;
mod steps;
#[cfg(test)]
mod survival;
mod termination;

pub(crate) use crate::record::{Cut, Format};
pub(crate) use detect::TextHead;
pub(crate) use pgn::NAMES as PGN_NAMES;
pub(crate) use skudpaisho::SETUPS as SKUD_SETUPS;
pub(crate) use start::shape_of;

/// Returns the version of our JSON lines that is written.
pub(crate) const fn jsonl_version() -> u32 {
    jsonl::VERSION
}
