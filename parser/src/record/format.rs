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
    /// Tables of spreadsheets and data frames: a row per game or per turn.
    Csv,
    /// Smart Game Format: BoardSpace's Tablut, and a plain form for viewers.
    Sgf,
    /// Positions in the FEN of playtafl.org and TaflZero.
    Fen,
    /// The `position` commands of UCI engines.
    Uci,
    /// HEN, the notation of Drews-hnefatafl.
    Hen,
    /// The `.tafl` files of Brandubh · Ollamh.
    Ollamh,
    /// The JSON of ftzm's site.
    Ftzm,
    /// Transcripts of hnefatafl.org's text protocol.
    Htp,
    /// Tables of data frames as JSON: an object per game.
    JsonRows,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 21] = [
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
        Format::Csv,
        Format::Sgf,
        Format::Fen,
        Format::Uci,
        Format::Hen,
        Format::Ollamh,
        Format::Ftzm,
        Format::Htp,
        Format::JsonRows,
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
    /// Move lists in any text: a record ends where the turn numbers begin again, or where another list of moves
    /// clearly begins.
    MoveText,
    /// The rows of a table, whose quoted fields may contain line feeds.
    TableRows,
    /// Game trees in parentheses, as in SGF.
    GameTrees,
    /// The games of an engine session: a record begins with a `position` command that does not extend the
    /// previous one.
    EngineSession,
    /// Records with a board in one line, as in HEN: a record begins at such a line.
    BoardLines,
    /// Lines of a session with a program: a record ends before a command that starts another game.
    Transcript,
}
