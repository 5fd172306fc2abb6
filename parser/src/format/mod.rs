//! The notations of the field: their names, how a stream of each falls apart into records, and how a record is read.
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

mod aagenielsen;
mod abstractplay;
mod ashton_log;
pub(crate) mod bracket;
mod cyngesheall;
mod detect;
mod hnefatafl_org;
mod json;
mod jsonl;
mod ludii_trial;
mod movelist;
mod opentafl;
mod pgn;
mod playtaflonline;
mod ron;
mod skudpaisho;
mod start;
mod steps;
#[cfg(test)]
mod survival;
mod termination;

use std::fmt;

use crate::diagnostic::Parsed;
use crate::record::Record;
use crate::source::Source;

pub use detect::detect;
pub(crate) use pgn::NAMES as PGN_NAMES;
pub(crate) use skudpaisho::SETUPS as SKUD_SETUPS;
pub(crate) use start::shape_of;

/// Returns the version of our JSON lines that is written.
pub(crate) const fn jsonl_version() -> u32 {
    jsonl::VERSION
}

/// A notation for games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// OpenTafl's game records: tags in brackets, numbered turns, variations.
    OpenTafl,
    /// Cyngesheall's notation, and Cyningstan's.
    Cyngesheall,
    /// Lines of moves, with or without the columns of the CSV archives.
    MoveList,
    /// The play site of aagenielsen.dk: a JSON object a game.
    AageNielsen,
    /// PGN-like: hnefatafl.org's export, Zevratafl.
    Pgn,
    /// hnefatafl.org's JSON.
    HnefataflOrg,
    /// SkudPaiSho's heXentafl notation.
    SkudPaiSho,
    /// Abstract Play's JSON records.
    AbstractPlay,
    /// PlayTaflOnline's JSON.
    PlayTaflOnline,
    /// Logs of the Ashton Tablut competition's server.
    AshtonLog,
    /// Ludii's trials.
    LudiiTrial,
    /// Our own JSON lines, which lose nothing.
    Jsonl,
}

/// How a stream falls apart into records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cut {
    /// Each line that is not blank is a record.
    Lines,
    /// A record begins where a line that begins with `[` follows one that is no header, as in PGN. Brackets that span
    /// lines are not looked into.
    TagBlocks,
    /// Blank lines separate records; those that begin with a tag are cut as [`Cut::TagBlocks`].
    BlankLines,
    /// Each value of a stream of JSON values is a record; of an array at the top, each element.
    JsonValues,
    /// The whole text is one record.
    Whole,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 12] = [
        Format::OpenTafl,
        Format::Cyngesheall,
        Format::MoveList,
        Format::AageNielsen,
        Format::Pgn,
        Format::HnefataflOrg,
        Format::SkudPaiSho,
        Format::AbstractPlay,
        Format::PlayTaflOnline,
        Format::AshtonLog,
        Format::LudiiTrial,
        Format::Jsonl,
    ];

    /// Returns the name of the format. Names are stable.
    pub const fn name(self) -> &'static str {
        match self {
            Format::OpenTafl => "opentafl",
            Format::Cyngesheall => "cyngesheall",
            Format::MoveList => "movelist",
            Format::AageNielsen => "aagenielsen",
            Format::Pgn => "pgn",
            Format::HnefataflOrg => "hnefatafl-org",
            Format::SkudPaiSho => "skudpaisho",
            Format::AbstractPlay => "abstractplay",
            Format::PlayTaflOnline => "playtaflonline",
            Format::AshtonLog => "ashton-log",
            Format::LudiiTrial => "ludii-trial",
            Format::Jsonl => "jsonl",
        }
    }

    /// Returns the format of a name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the usual ending of files of this format, without a dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::OpenTafl => "otg",
            Format::Cyngesheall => "cyn",
            Format::MoveList => "csv",
            Format::Pgn => "pgn",
            Format::SkudPaiSho => "skud",
            Format::HnefataflOrg | Format::AbstractPlay | Format::PlayTaflOnline => "json",
            Format::AshtonLog => "txt",
            Format::LudiiTrial => "trl",
            Format::AageNielsen | Format::Jsonl => "jsonl",
        }
    }

    /// Returns how a stream of this format falls apart into records.
    pub const fn cut(self) -> Cut {
        match self {
            Format::MoveList | Format::SkudPaiSho | Format::Jsonl => Cut::Lines,
            Format::OpenTafl | Format::Pgn => Cut::TagBlocks,
            Format::Cyngesheall => Cut::BlankLines,
            Format::AageNielsen | Format::HnefataflOrg | Format::AbstractPlay | Format::PlayTaflOnline => {
                Cut::JsonValues
            }
            Format::AshtonLog | Format::LudiiTrial => Cut::Whole,
        }
    }

    /// Returns how a stream that begins with `head` falls apart into records.
    ///
    /// As [`Format::cut`], but lists of moves may also go over many lines, with blank lines between games.
    pub fn cut_of(self, head: &[u8]) -> Cut {
        if self == Format::MoveList { movelist::cut_of(head) } else { self.cut() }
    }

    /// Returns whether records can be written in this format.
    pub const fn is_writable(self) -> bool {
        match self {
            Format::OpenTafl
            | Format::Cyngesheall
            | Format::MoveList
            | Format::Pgn
            | Format::SkudPaiSho
            | Format::Jsonl => true,
            Format::AageNielsen
            | Format::HnefataflOrg
            | Format::AbstractPlay
            | Format::PlayTaflOnline
            | Format::AshtonLog
            | Format::LudiiTrial => false,
        }
    }

    /// Returns whether records of this format leave out what players did: of a turn of several steps only the first is
    /// written, moves that were taken back stand beside those that replaced them, and captures are marked that did not
    /// happen. Replay looks for what is missing there.
    pub const fn is_loose(self) -> bool {
        match self {
            Format::AageNielsen => true,
            Format::OpenTafl
            | Format::Cyngesheall
            | Format::MoveList
            | Format::Pgn
            | Format::HnefataflOrg
            | Format::SkudPaiSho
            | Format::AbstractPlay
            | Format::PlayTaflOnline
            | Format::AshtonLog
            | Format::LudiiTrial
            | Format::Jsonl => false,
        }
    }

    /// Reads one record. Never fails: what cannot be read becomes a diagnostic.
    pub fn parse(self, source: &Source<'_>) -> Parsed<Record> {
        match self {
            Format::OpenTafl => opentafl::parse(source),
            Format::Cyngesheall => cyngesheall::parse(source),
            Format::MoveList => movelist::parse(source),
            Format::AageNielsen => aagenielsen::parse(source),
            Format::Pgn => pgn::parse(source),
            Format::HnefataflOrg => hnefatafl_org::parse(source),
            Format::SkudPaiSho => skudpaisho::parse(source),
            Format::AbstractPlay => abstractplay::parse(source),
            Format::PlayTaflOnline => playtaflonline::parse(source),
            Format::AshtonLog => ashton_log::parse(source),
            Format::LudiiTrial => ludii_trial::parse(source),
            Format::Jsonl => jsonl::parse(source),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
