//! The identity of a notation. The table in `notation` has its name, reader, and writer.

/// A notation for game records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// OpenTafl's game records: tags in brackets, numbered turns, variations.
    OpenTafl,
    /// The notation of Cyngesheall and Cyningstan.
    Cyngesheall,
    /// Lines of moves, with or without the columns of the CSV archives.
    MoveList,
    /// The play site of aagenielsen.dk: one JSON object per game.
    AageNielsen,
    /// PGN dialects: hnefatafl.org's export and Zevratafl.
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
    /// Taflbase's own JSON lines, which are lossless.
    Jsonl,
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
}

/// A way to split a stream into records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cut {
    /// Each nonblank line is a record.
    Lines,
    /// A record begins at a line with `[` after a line that is not a header, as in PGN. Brackets that span
    /// several lines are not parsed.
    TagBlocks,
    /// Blank lines separate records; records that begin with a tag are split as in [`Cut::TagBlocks`].
    BlankLines,
    /// Each value of a stream of JSON values is a record; for a top-level array, each element.
    JsonValues,
    /// The whole text is one record.
    Whole,
}
