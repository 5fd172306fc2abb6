//! The rows of the table of notations.
//!
//! With `tafl_viewer`, rarer notations are recognized, but not read: they would be a sixth of the file that pages load, which
//! therefore gets them from its second file (`bindings/wasm/js/taflbase.js`).

use tafl_rules::Shape;

use crate::format;
use crate::record::{Cut, Format};

use super::{FormatProperties, RepairNote};

/// Default values, shared by most notations.
const COMMON: FormatProperties = FormatProperties {
    format: Format::OpenTafl,
    name: "",
    description: "",
    extension: "",
    cut: Cut::Lines,
    is_lossy: false,
    is_plain_list: false,
    has_loose_turns: false,
    repeats_moves: false,
    has_header: false,
    has_rules_tag: false,
    repair_note: RepairNote::None,
    other_game: |_| None,
    implied_variant: |_| None,
    likeness: |_| 0,
    read: format::opentafl::parse,
    is_writable: false,
};

/// The rows, in the order of [`Format::ALL`].
pub(super) static NOTATIONS: [FormatProperties; 21] = [
    FormatProperties {
        format: Format::OpenTafl,
        name: "opentafl",
        description: "OpenTafl game records, with variations, comments, clocks, and puzzles",
        extension: "otg",
        cut: Cut::TagBlocks,
        has_rules_tag: true,
        repair_note: RepairNote::Tag,
        likeness: |head| head.opentafl(),
        read: format::opentafl::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::Cyngesheall,
        name: "cyngesheall",
        description: "Cyngesheall and Cyningstan",
        extension: "cyn",
        cut: Cut::BlankLines,
        has_rules_tag: true,
        repair_note: RepairNote::Tag,
        implied_variant: |_| Some("cyngesheall7"),
        likeness: |head| head.cyngesheall(),
        read: format::cyngesheall::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::MoveList,
        name: "movelist",
        description: "move lists, with or without the columns of the CSV archives",
        extension: "csv",
        is_plain_list: true,
        has_loose_turns: true,
        repair_note: RepairNote::Comment,
        likeness: |head| head.movelist(),
        read: format::movelist::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::AageNielsen,
        name: "aagenielsen",
        description: "the game site aagenielsen.dk",
        extension: "jsonl",
        cut: Cut::JsonValues,
        is_lossy: true,
        is_plain_list: true,
        repair_note: RepairNote::JsonMember,
        likeness: |head| head.aagenielsen(),
        read: format::aagenielsen::parse,
        ..COMMON
    },
    FormatProperties {
        format: Format::Pgn,
        name: "pgn",
        description: "PGN-like exports of hnefatafl.org and Zevratafl",
        extension: "pgn",
        cut: Cut::TagBlocks,
        has_loose_turns: true,
        repair_note: RepairNote::PgnTag,
        likeness: |head| head.pgn(),
        read: format::pgn::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::HnefataflOrg,
        name: "hnefatafl-org",
        description: "JSON of hnefatafl.org",
        extension: "json",
        cut: Cut::JsonValues,
        likeness: |head| head.hnefatafl_org(),
        #[cfg(not(tafl_viewer))]
        read: format::hnefatafl_org::parse,
        ..COMMON
    },
    FormatProperties {
        format: Format::SkudPaiSho,
        name: "skudpaisho",
        description: "heXentafl notation of SkudPaiSho",
        extension: "skud",
        implied_variant: |record| match record.start.as_ref().map(|start| start.setup.shape()) {
            Some(Shape::Hex { side: 5 }) => Some("hexentafl5"),
            Some(_) | None => Some("hexentafl4"),
        },
        likeness: |head| head.skudpaisho(),
        #[cfg(not(tafl_viewer))]
        read: format::skudpaisho::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::AbstractPlay,
        name: "abstractplay",
        description: "game records of Abstract Play",
        extension: "json",
        cut: Cut::JsonValues,
        #[cfg(not(tafl_viewer))]
        other_game: format::abstractplay::other_game,
        likeness: |head| head.abstractplay(),
        #[cfg(not(tafl_viewer))]
        read: format::abstractplay::parse,
        ..COMMON
    },
    FormatProperties {
        format: Format::PlayTaflOnline,
        name: "playtaflonline",
        description: "JSON of PlayTaflOnline",
        extension: "json",
        cut: Cut::JsonValues,
        likeness: |head| head.playtaflonline(),
        #[cfg(not(tafl_viewer))]
        read: format::playtaflonline::parse,
        ..COMMON
    },
    FormatProperties {
        format: Format::AshtonLog,
        name: "ashton-log",
        description: "server logs of the Tablut competition",
        extension: "txt",
        cut: Cut::Whole,
        implied_variant: |_| Some("ashton9"),
        likeness: |head| head.ashton_log(),
        #[cfg(not(tafl_viewer))]
        read: format::ashton_log::parse,
        ..COMMON
    },
    FormatProperties {
        format: Format::LudiiTrial,
        name: "ludii-trial",
        description: "Ludii trials",
        extension: "trl",
        cut: Cut::Whole,
        likeness: |head| head.ludii_trial(),
        #[cfg(not(tafl_viewer))]
        read: format::ludii_trial::parse,
        ..COMMON
    },
    FormatProperties {
        format: Format::Jsonl,
        name: "jsonl",
        description: "JSON lines of Taflbase, which preserve everything",
        extension: "jsonl",
        repair_note: RepairNote::OwnTag,
        likeness: |head| head.jsonl(),
        read: format::jsonl::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::Csv,
        name: "csv",
        description: "tables of spreadsheets and data frames",
        extension: "csv",
        cut: Cut::TableRows,
        has_header: true,
        likeness: |head| head.csv(),
        #[cfg(not(tafl_viewer))]
        read: format::csv::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::Sgf,
        name: "sgf",
        description: "SGF: BoardSpace's Tablut, and a plain form for viewers",
        extension: "sgf",
        cut: Cut::GameTrees,
        #[cfg(not(tafl_viewer))]
        other_game: format::sgf::other_game,
        repeats_moves: true,
        repair_note: RepairNote::OwnTag,
        likeness: |head| head.sgf(),
        #[cfg(not(tafl_viewer))]
        read: format::sgf::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::Fen,
        name: "fen",
        description: "positions in the FEN of playtafl.org and TaflZero",
        extension: "fen",
        repair_note: RepairNote::Comment,
        likeness: |head| head.fen(),
        read: format::fen::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::Uci,
        name: "uci",
        description: "position commands of UCI engines",
        extension: "uci",
        cut: Cut::EngineSession,
        repair_note: RepairNote::Comment,
        likeness: |head| head.uci(),
        #[cfg(not(tafl_viewer))]
        read: format::uci::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::Hen,
        name: "hen",
        description: "HEN, the notation of Drews-hnefatafl",
        extension: "hen",
        cut: Cut::BoardLines,
        #[cfg(not(tafl_viewer))]
        implied_variant: format::hen::variant,
        likeness: |head| head.hen(),
        #[cfg(not(tafl_viewer))]
        read: format::hen::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::Ollamh,
        name: "ollamh",
        description: "files of Brandubh · Ollamh",
        extension: "tafl",
        cut: Cut::TagBlocks,
        implied_variant: |_| Some("brandubh7"),
        likeness: |head| head.ollamh(),
        #[cfg(not(tafl_viewer))]
        read: format::ollamh::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::Ftzm,
        name: "ftzm",
        description: "JSON of ftzm's site",
        extension: "json",
        cut: Cut::JsonValues,
        implied_variant: |_| Some("copenhagen11"),
        likeness: |head| head.ftzm(),
        #[cfg(not(tafl_viewer))]
        read: format::ftzm::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::Htp,
        name: "htp",
        description: "transcripts of hnefatafl.org's text protocol",
        extension: "htp",
        cut: Cut::Transcript,
        implied_variant: |_| Some("copenhagen11-hnefatafl-org"),
        likeness: |head| head.htp(),
        #[cfg(not(tafl_viewer))]
        read: format::htp::parse,
        is_writable: true,
        ..COMMON
    },
    FormatProperties {
        format: Format::JsonRows,
        name: "json-rows",
        description: "JSON objects with the columns of tables, as data frames write them",
        extension: "json",
        cut: Cut::JsonValues,
        likeness: |head| head.json_rows(),
        #[cfg(not(tafl_viewer))]
        read: format::json_rows::parse,
        ..COMMON
    },
];
