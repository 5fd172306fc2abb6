//! The table of notations: one row per [`Format`], with everything that differs between them.
//!
//! A new notation is a variant of `Format`, a row here, a reader in `format/`, and, if it can be written, a writer in `write/`.

use std::fmt;

use tafl_rules::Shape;

use crate::diagnostic::Parsed;
use crate::format::{self, TextHead};
use crate::record::{Cut, Format, Record};
use crate::source::Source;
use crate::write::{self, RecordLosses, WriteGame};

/// Where a notation has room for a note about a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RepairNote {
    /// A line that begins with `#`, before the record.
    Comment,
    /// A tag such as `[repair:...]`.
    Tag,
    /// A tag such as `[Repair "..."]`.
    PgnTag,
    /// The first member of the JSON object.
    JsonMember,
    /// A tag of our own JSON lines.
    OwnTag,
    /// Nowhere.
    None,
}

/// What differs between notations.
struct Notation {
    format: Format,
    /// The stable name.
    name: &'static str,
    /// The usual ending of files, without a dot.
    extension: &'static str,
    cut: Cut,
    /// Whether records leave out what players did; see [`Format::is_lossy`].
    is_lossy: bool,
    /// Whether the moves are a plain list, without numbers.
    is_plain_list: bool,
    repair_note: RepairNote,
    /// The variant of a record that names none, where the notation has only one.
    implied_variant: fn(&Record) -> Option<&'static str>,
    /// How much a text looks like this notation: 0 not at all, 3 for words that no other notation has, 4 for more.
    likeness: fn(&TextHead<'_>) -> u32,
    read: fn(&Source<'_>) -> Parsed<Record>,
    /// Appends a record to a text; `None` if the notation is only read.
    write: Option<fn(WriteGame<'_>, &mut String, &mut RecordLosses)>,
}

/// What most notations have in common.
const COMMON: Notation = Notation {
    format: Format::OpenTafl,
    name: "",
    extension: "",
    cut: Cut::Lines,
    is_lossy: false,
    is_plain_list: false,
    repair_note: RepairNote::None,
    implied_variant: |_| None,
    likeness: |_| 0,
    read: format::opentafl::parse,
    write: None,
};

/// The rows, in the order of [`Format::ALL`].
static NOTATIONS: [Notation; 12] = [
    Notation {
        format: Format::OpenTafl,
        name: "opentafl",
        extension: "otg",
        cut: Cut::TagBlocks,
        repair_note: RepairNote::Tag,
        likeness: |head| head.opentafl(),
        read: format::opentafl::parse,
        write: Some(write::opentafl::write),
        ..COMMON
    },
    Notation {
        format: Format::Cyngesheall,
        name: "cyngesheall",
        extension: "cyn",
        cut: Cut::BlankLines,
        repair_note: RepairNote::Tag,
        implied_variant: |_| Some("cyngesheall7"),
        likeness: |head| head.cyngesheall(),
        read: format::cyngesheall::parse,
        write: Some(write::cyngesheall::write),
        ..COMMON
    },
    Notation {
        format: Format::MoveList,
        name: "movelist",
        extension: "csv",
        is_plain_list: true,
        repair_note: RepairNote::Comment,
        likeness: |head| head.movelist(),
        read: format::movelist::parse,
        write: Some(write::movelist::write),
        ..COMMON
    },
    Notation {
        format: Format::AageNielsen,
        name: "aagenielsen",
        extension: "jsonl",
        cut: Cut::JsonValues,
        is_lossy: true,
        is_plain_list: true,
        repair_note: RepairNote::JsonMember,
        likeness: |head| head.aagenielsen(),
        read: format::aagenielsen::parse,
        ..COMMON
    },
    Notation {
        format: Format::Pgn,
        name: "pgn",
        extension: "pgn",
        cut: Cut::TagBlocks,
        repair_note: RepairNote::PgnTag,
        likeness: |head| head.pgn(),
        read: format::pgn::parse,
        write: Some(write::pgn::write),
        ..COMMON
    },
    Notation {
        format: Format::HnefataflOrg,
        name: "hnefatafl-org",
        extension: "json",
        cut: Cut::JsonValues,
        likeness: |head| head.hnefatafl_org(),
        read: format::hnefatafl_org::parse,
        ..COMMON
    },
    Notation {
        format: Format::SkudPaiSho,
        name: "skudpaisho",
        extension: "skud",
        implied_variant: |record| match record.start.as_ref().map(|start| start.setup.shape()) {
            Some(Shape::Hex { side: 5 }) => Some("hexentafl5"),
            Some(_) | None => Some("hexentafl4"),
        },
        likeness: |head| head.skudpaisho(),
        read: format::skudpaisho::parse,
        write: Some(write::skudpaisho::write),
        ..COMMON
    },
    Notation {
        format: Format::AbstractPlay,
        name: "abstractplay",
        extension: "json",
        cut: Cut::JsonValues,
        likeness: |head| head.abstractplay(),
        read: format::abstractplay::parse,
        ..COMMON
    },
    Notation {
        format: Format::PlayTaflOnline,
        name: "playtaflonline",
        extension: "json",
        cut: Cut::JsonValues,
        likeness: |head| head.playtaflonline(),
        read: format::playtaflonline::parse,
        ..COMMON
    },
    Notation {
        format: Format::AshtonLog,
        name: "ashton-log",
        extension: "txt",
        cut: Cut::Whole,
        implied_variant: |_| Some("ashton9"),
        likeness: |head| head.ashton_log(),
        read: format::ashton_log::parse,
        ..COMMON
    },
    Notation {
        format: Format::LudiiTrial,
        name: "ludii-trial",
        extension: "trl",
        cut: Cut::Whole,
        likeness: |head| head.ludii_trial(),
        read: format::ludii_trial::parse,
        ..COMMON
    },
    Notation {
        format: Format::Jsonl,
        name: "jsonl",
        extension: "jsonl",
        repair_note: RepairNote::OwnTag,
        likeness: |head| head.jsonl(),
        read: format::jsonl::parse,
        write: Some(write::jsonl::write),
        ..COMMON
    },
];

// `Format as usize` finds the row.
const _: () = {
    let mut at = 0;
    while at < NOTATIONS.len() {
        assert!(NOTATIONS[at].format as usize == at && Format::ALL[at] as usize == at);
        at += 1;
    }
};

impl Format {
    const fn notation(self) -> &'static Notation {
        &NOTATIONS[self as usize]
    }

    /// Returns the name of the format. Names are stable.
    pub const fn name(self) -> &'static str {
        self.notation().name
    }

    /// Returns the format with a name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the usual ending of files of this format, without a dot.
    pub const fn extension(self) -> &'static str {
        self.notation().extension
    }

    /// Returns how a stream of this format is cut into records.
    pub const fn cut(self) -> Cut {
        self.notation().cut
    }

    /// Returns how a stream that begins with `head` is cut into records.
    ///
    /// As [`Format::cut`], but a move list may also span many lines, with blank lines between games.
    pub fn cut_of(self, head: &[u8]) -> Cut {
        if self == Format::MoveList { format::movelist::cut_of(head) } else { self.cut() }
    }

    /// Returns whether records can be written in this format.
    pub const fn is_writable(self) -> bool {
        self.notation().write.is_some()
    }

    /// Returns whether records of this format leave out what players did: only the first step of a turn of several
    /// steps, moves that were taken back next to those that replaced them, and marks of captures that did not happen. Replay
    /// searches for what is missing.
    pub const fn is_lossy(self) -> bool {
        self.notation().is_lossy
    }

    /// Returns whether the moves are a plain list, without numbers.
    pub(crate) const fn is_plain_list(self) -> bool {
        self.notation().is_plain_list
    }

    /// Returns where a note about a repair goes.
    pub(crate) const fn repair_note(self) -> RepairNote {
        self.notation().repair_note
    }

    /// Returns the variant of a record of this format that names none, if the format has only one.
    pub(crate) fn implied_variant(self, record: &Record) -> Option<&'static str> {
        (self.notation().implied_variant)(record)
    }

    /// Reads one record. Never fails: what can't be read becomes a diagnostic.
    pub fn parse(self, source: &Source<'_>) -> Parsed<Record> {
        (self.notation().read)(source)
    }

    /// Returns the function that appends a record to a text, or `None` if the format is only read.
    pub(crate) const fn writer(self) -> Option<fn(WriteGame<'_>, &mut String, &mut RecordLosses)> {
        self.notation().write
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns the formats that a text may be in, the likeliest first, or none if nothing fits.
///
/// `head` is the beginning of the decompressed text, of which a few KiB are enough; `name` is the file's name, if known. The
/// text counts more than the name.
pub fn detect(head: &[u8], name: Option<&str>) -> Vec<Format> {
    let head = TextHead::new(head);
    let mut scores: Vec<(u32, Format)> = NOTATIONS
        .iter()
        .map(|row| ((row.likeness)(&head), has_extension(name, row.extension), row))
        .filter(|(likeness, is_named, row)| *likeness > 0 || (*is_named && !is_generic(row.extension)))
        .map(|(likeness, is_named, row)| (likeness * 4 + u32::from(is_named), row.format))
        .collect();
    scores.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scores.into_iter().map(|(_, format)| format).collect()
}

/// Returns whether files with an ending may hold anything, so that the ending alone is no evidence.
fn is_generic(extension: &str) -> bool {
    matches!(extension, "txt" | "json" | "jsonl" | "csv")
}

fn has_extension(name: Option<&str>, extension: &str) -> bool {
    let Some(name) = name else { return false };
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case(extension))
}
