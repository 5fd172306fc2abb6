//! The identity of a notation. What it is called, read, and written like is one row of the table in `notation`.

/// A notation for games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// OpenTafl's game records: tags in brackets, numbered turns, variations.
    OpenTafl,
    /// Cyngesheall's notation, and Cyningstan's.
    Cyngesheall,
    /// Lines of moves, with or without the columns of the CSV archives.
    MoveList,
    /// The play site of aagenielsen.dk: one JSON object per game.
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

/// How a stream is cut into records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cut {
    /// Each line that is not blank is a record.
    Lines,
    /// A record begins at a line with `[` after a line that is not a header, as in PGN. Brackets that span lines are not
    /// looked into.
    TagBlocks,
    /// Blank lines separate records; those that begin with a tag are cut as [`Cut::TagBlocks`].
    BlankLines,
    /// Each value of a stream of JSON values is a record; of an array at the top, each element.
    JsonValues,
    /// The whole text is one record.
    Whole,
}
