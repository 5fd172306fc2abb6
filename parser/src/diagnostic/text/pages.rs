//! The pages of the diagnostics about the text.

use crate::diagnostic::{Page, Severity};

pub(in crate::diagnostic) static PAGES: &[&Page] = &[
    &BAD_MOVE,
    &STRAY,
    &UNCLOSED,
    &MOVE_NUMBER,
    &BAD_ADDRESS,
    &COLUMNS,
    &JSON,
    &MISSING_FIELD,
    &BAD_VALUE,
    &VERSION,
    &NO_MOVES,
    &NOT_UTF8,
    &BINARY,
    &TOO_LARGE,
    &TRUNCATED,
    &UNKNOWN_FORMAT,
    &EMPTY,
    &INCOMPLETE,
    &BAD_LINE,
    &TOO_MANY,
    &DOUBTFUL_GAME,
    &SKIPPED,
    &MISSING_CAPTURE,
    &NO_MOVE_COLUMN,
    &AMBIGUOUS_DELIMITER,
    &UNCLOSED_QUOTE,
    &POSITION_EDITED,
    &NO_MOVE_IN_TURN,
    &SKIPPED_PROPERTY,
    &SESSION_LINES,
    &BAD_DRAWING,
    &HEADING_VARIANT,
    &WINDOWS_1252,
    &SPREADSHEET,
    &NOT_A_TAG,
];

pub(super) static BAD_MOVE: Page = Page {
    code: "T001",
    name: "bad-move",
    severity: Severity::Error,
    help: "write a move as two cells with a hyphen between them, and captures after an `x`: `d1-d3`, \
        `d1-d3xe3`",
    explain: "A word appears where a move is expected, but cannot be read as a move. In `d1-d3 e5-z e4-e2` \
        the word `e5-z` has no second cell. Reading skips the word and continues, so the moves around it \
        are kept; but later moves will often be illegal because one is missing. Correct the word, or run \
        `tafl repair` to find the move that was probably meant.",
};

pub(super) static STRAY: Page = Page {
    code: "T002",
    name: "stray-text",
    severity: Severity::Warning,
    help: "remove the text, or put it into a comment",
    explain: "Text appears between the parts of a record where its notation does not allow any, for \
        example a sentence between two turns of an OpenTafl record. It is skipped. If it is a comment, put \
        it into the brackets or braces that the notation has for comments.",
};

pub(super) static UNCLOSED: Page = Page {
    code: "T003",
    name: "unclosed-bracket",
    severity: Severity::Error,
    help: "close the bracket",
    explain: "A tag or a comment begins with a bracket, but the record ends before the bracket is closed, \
        as in `[event: Spring cup` at the end of a file. For a tag, the rest of the line is taken as its \
        text; for a comment, the rest of the record.",
};

pub(super) static MOVE_NUMBER: Page = Page {
    code: "T004",
    name: "move-number",
    severity: Severity::Warning,
    help: "check whether a turn is missing or written twice",
    explain: "Turn numbers should increase by one. In `1. d1-d3 e5-e2 3. g1-g3` the second turn is \
        missing, or only its number is wrong. Moves are read in the order in which they are written, \
        whatever their numbers.",
};

pub(super) static BAD_ADDRESS: Page = Page {
    code: "T005",
    name: "bad-address",
    severity: Severity::Error,
    help: "give the number and letter of the move that the variation replaces, then the variation's \
        number: `12b.1.1a.`",
    explain: "A variation of an OpenTafl record begins with an address: `12b.1.1a.` is turn 1, first move, \
        of the first variation that replaces the second move of turn 12. This address names a move that the \
        record does not have, so the variation has no place and is skipped.",
};

pub(super) static COLUMNS: Page = Page {
    code: "T006",
    name: "column-count",
    severity: Severity::Warning,
    help: "write as many columns as the header names; without a header, write moves, two counts, and the \
        outcome: `d1-d3 e5-e2,0,0,Ongoing`",
    explain: "A row of a table has a different number of columns from its header, usually because a text with a \
        comma has no quotes around it. A line of the CSV archives, which have no header, has four columns: \
        moves, captures by the attackers, captures by the defenders, and outcome. The moves of the row are \
        read nevertheless, and surplus columns are kept as tags.",
};

pub(super) static JSON: Page = Page {
    code: "T007",
    name: "bad-json",
    severity: Severity::Error,
    help: "check quotes, commas, and brackets at this position",
    explain: "The text is not valid JSON, or does not have the structure of this format: for example, a \
        quote is missing, there is an extra comma, or a number appears in place of a string. The text \
        before that position is kept; the records around it are not affected.",
};

pub(super) static MISSING_FIELD: Page = Page {
    code: "T008",
    name: "missing-field",
    severity: Severity::Error,
    help: "add the field",
    explain: "A JSON record lacks a required field, such as the list of moves. Everything that can be read \
        without it is kept.",
};

pub(super) static BAD_VALUE: Page = Page {
    code: "T009",
    name: "bad-value",
    severity: Severity::Error,
    help: "use one of the values listed in FORMATS.md",
    explain: "A field has an invalid value, such as a word in place of a number, or an unknown result. The \
        value is skipped, and the rest of the record is kept.",
};

pub(super) static VERSION: Page = Page {
    code: "T010",
    name: "newer-version",
    severity: Severity::Error,
    help: "read this file with the version that wrote it, or a newer one",
    explain: "JSON lines written by Taflbase carry a schema version. The version of this record is newer \
        than the newest that this program supports, so it could be misread. It is skipped.",
};

pub(super) static NO_MOVES: Page = Page {
    code: "T011",
    name: "no-moves",
    severity: Severity::Note,
    help: "no action needed if the game was never played",
    explain: "A log contains neither a move nor a board: the game was agreed but never played, or the log \
        was truncated. The record is valid; it is reported so that counts can be understood. Records in \
        other notations without moves, such as puzzles that consist of a position, are not reported.",
};

pub(super) static NOT_UTF8: Page = Page {
    code: "T012",
    name: "bad-encoding",
    severity: Severity::Warning,
    help: "save the file as UTF-8",
    explain: "The text contains bytes that are not valid UTF-8; it was probably saved in an older encoding \
        such as Latin-1. Moves are not affected. In names and comments the invalid bytes were replaced by \
        the replacement character.",
};

pub(super) static BINARY: Page = Page {
    code: "T013",
    name: "binary-data",
    severity: Severity::Error,
    help: "give a text file in UTF-8, or in UTF-16 with a byte order mark; .gz and .zst are decompressed",
    explain: "The file begins with bytes that do not occur in text. It may be a PDF, an image, a database, \
        or compressed in an unsupported way: gzip and Zstandard are supported. Text in UTF-16 is read if it \
        begins with a byte order mark, as editors write it; otherwise, save it as UTF-8. None of the file \
        was read.",
};

pub(super) static TOO_LARGE: Page = Page {
    code: "T014",
    name: "record-too-large",
    severity: Severity::Error,
    help: "check whether the file is in the expected notation",
    explain: "A single record is larger than the reader's memory limit, for example a file with a single \
        line of one gigabyte. No game is that long: most likely the text is in another notation, or is not \
        a record at all. The record was skipped, and reading continued after it.",
};

pub(super) static TRUNCATED: Page = Page {
    code: "T015",
    name: "truncated-file",
    severity: Severity::Error,
    help: "copy or download the file again",
    explain: "A compressed file is truncated or corrupt, for example after an interrupted download. \
        Everything before the error was read; the last record may be incomplete.",
};

pub(super) static UNKNOWN_FORMAT: Page = Page {
    code: "T016",
    name: "unknown-format",
    severity: Severity::Error,
    help: "write moves as `1. d1-d3 e5-e2`, or name the notation with `--as`, for example `--as movelist`; save \
        documents as text",
    explain: "The text matches none of the known notations. If you know its notation, name it with `--as`, \
        for example `--as movelist`. Moves in a text are two cells with a hyphen, `1. d1-d3 e5-e2`, and captures \
        after an `x`, `d1-d3xe3`. Save a formatted document (RTF) as plain text. None of the file was read.",
};

pub(super) static EMPTY: Page = Page {
    code: "T017",
    name: "empty-file",
    severity: Severity::Warning,
    help: "check whether this is the right file",
    explain: "The file is empty, or contains only blank lines. An empty file is valid, but probably not \
        intended.",
};

pub(super) static INCOMPLETE: Page = Page {
    code: "T018",
    name: "incomplete",
    severity: Severity::Warning,
    help: "look for the rest in the source of the record",
    explain: "A part of the record is missing, for example some rows of a board in a log, or the move \
        before a board that differs from the previous one. The complete parts are kept.",
};

pub(super) static BAD_LINE: Page = Page {
    code: "T019",
    name: "bad-record-line",
    severity: Severity::Error,
    help: "see FORMATS.md for the fields of a record line",
    explain: "Each line of this stream should be a record line: a JSON object with the text of a record \
        and its source. This line is not: it is empty, malformed, of a newer version, names an unknown \
        notation or unknown rules, or reports that the record could not be obtained. The line is skipped; \
        the lines around it are not affected, and the results keep their order.",
};

pub(super) static TOO_MANY: Page = Page {
    code: "T020",
    name: "too-many-findings",
    severity: Severity::Warning,
    help: "check whether the file is in the expected notation",
    explain: "The text of a single record has more than a thousand errors. This does not happen in real \
        records: most likely the text is in another notation, or is not a record at all. The first thousand \
        findings are shown, plus the first of each further code, so that a broken file neither fills memory \
        nor hides other findings.",
};

pub(super) static SESSION_LINES: Page = Page {
    code: "T033",
    name: "session-lines",
    severity: Severity::Note,
    help: "no action needed",
    explain: "The transcript of an engine session contains the commands and answers of the engine, such as \
        `go movetime 1000`, `info depth 3 ...`, and `bestmove e1e3`, next to the game. Only the last \
        `position` command of a game, its variant, and its rules are read. The other lines are skipped, and \
        this note counts them.",
};

pub(super) static BAD_DRAWING: Page = Page {
    code: "T034",
    name: "bad-drawing",
    severity: Severity::Warning,
    help: "give one row for each rank, from the highest to rank 1, each with a character for each cell",
    explain: "The board at the end of a HEN record is drawn with a row for each rank: `L` and `X` for ranks \
        11 and 10, then 9 to 1, each followed by as many of the characters `.`, `v`, `V`, and `K` as the \
        board has ranks. A rank is missing or out of order, or a row is too long or too short. The board is \
        not compared with the game; the moves are not affected.",
};

pub(super) static POSITION_EDITED: Page = Page {
    code: "T030",
    name: "position-edited",
    severity: Severity::Error,
    help: "split the record: give the new position as the start of a second game",
    explain: "After the first move, pieces are placed or removed by hand, as in an SGF node that only sets up \
        stones, or after `Edit` on BoardSpace. A record has one start and then moves, so the change is \
        skipped. The moves after it are kept, but many of them will be illegal.",
};

pub(super) static NO_MOVE_IN_TURN: Page = Page {
    code: "T031",
    name: "turn-without-move",
    severity: Severity::Error,
    help: "find out whether a move is missing",
    explain: "A player ends a turn without a move. Older programs of BoardSpace allowed a player to put a \
        piece back on its cell and to confirm this as a move; it has the effect of a pass, which the rules \
        of tafl do not have. The turn is skipped, so the same side moves twice in a row.",
};

pub(super) static SKIPPED_PROPERTY: Page = Page {
    code: "T032",
    name: "skipped-property",
    severity: Severity::Note,
    help: "no action needed",
    explain: "The text has a valid property or command that does not belong to a game record, such as a mark \
        on a diagram in SGF, or the offer of a draw on BoardSpace. It is skipped; the moves are not affected.",
};

pub(super) static NO_MOVE_COLUMN: Page = Page {
    code: "T025",
    name: "no-move-column",
    severity: Severity::Error,
    help: "name the column of the moves `moves`, or the columns of a turn `attackers` and `defenders`",
    explain: "The header of a table names columns of a game, such as players and result, but none with moves: \
        `date,attackers,defenders,result`. The other columns of each row are kept as tags. In JSON, an object must be a \
        whole game: an object per turn has no such column. FORMATS.md lists the names of columns.",
};

pub(super) static AMBIGUOUS_DELIMITER: Page = Page {
    code: "T026",
    name: "ambiguous-delimiter",
    severity: Severity::Warning,
    help: "write `sep=;` in the first line, with the delimiter of the table",
    explain: "Two delimiters split the table into columns equally well, as in `d2-f2;d3-d2|e3-e4`. The first \
        one of tab, semicolon, vertical bar, and comma was used. If that is wrong, name the delimiter in a \
        line `sep=,` before the table, as Excel reads it, or put quotes around fields with lists.",
};

pub(super) static UNCLOSED_QUOTE: Page = Page {
    code: "T027",
    name: "unclosed-quote",
    severity: Severity::Error,
    help: "close the quote, and double the quotes inside the field",
    explain: "A field of a table begins with a quote, but no quote before a delimiter or a line end closes \
        it, as in `\"d1-d3 e5-e2,0,0,White`. The quote is ignored: the field ends at the next delimiter, and \
        the row at its line end, so that the rows after it are read. The field may be incomplete.",
};

pub(super) static DOUBTFUL_GAME: Page = Page {
    code: "T021",
    name: "doubtful-game",
    severity: Severity::Warning,
    help: "number the turns, each game from 1",
    explain: "A blank line separates moves without turn numbers, and the moves after it could continue the game \
        or begin another one. A block begins another game if it moves a piece from a cell that is already \
        empty, and continues the game if it moves a piece from a cell that was empty at the start. If neither \
        is the case, blocks of at least six moves are games, and shorter ones are joined with this warning.",
};

pub(super) static SKIPPED: Page = Page {
    code: "T022",
    name: "text-skipped",
    severity: Severity::Note,
    help: "no action needed if the text is not part of a game",
    explain: "Lines around the moves hold no move, for example a title, a sentence, or the header of a message. \
        They are not part of the record. To keep such a line, make it a comment (`# text`) or a tag \
        (`Event: text`).",
};

pub(super) static MISSING_CAPTURE: Page = Page {
    code: "T023",
    name: "missing-captured-cell",
    severity: Severity::Warning,
    help: "write the cell of the captured piece after the `x`: `d1-d3xe3`",
    explain: "A move ends with an `x`, as in `d1-d3x`, but does not name the captured cell. The move is read \
        without the capture; replay reports captures that are missing.",
};

pub(super) static HEADING_VARIANT: Page = Page {
    code: "T039",
    name: "heading-variant",
    severity: Severity::Note,
    help: "write `Variant: NAME` above the moves to name the variant, or choose another one with `--variant`",
    explain: "A line before the first move names a variant of the catalog, as in `Fetlar, club final`, and the record \
        has no other statement about its rules. The game is read by the rules of this variant. If the lines \
        before the moves name several variants, none of them counts.",
};

pub(super) static WINDOWS_1252: Page = Page {
    code: "T040",
    name: "older-encoding",
    severity: Severity::Note,
    help: "save the file as UTF-8 if names or comments are wrong",
    explain: "The text is not valid UTF-8, and none of its characters is one of several bytes. It was read as \
        Windows-1252, the usual encoding of older programs in Western Europe, which includes Latin-1. Names \
        in another encoding, such as Windows-1250, are wrong.",
};

pub(super) static SPREADSHEET: Page = Page {
    code: "T041",
    name: "office-document",
    severity: Severity::Error,
    help: "save the sheet as CSV in its program, or the document as plain text, and read that file",
    explain: "The file is a document of an office program: `.xls` and `.doc` of older ones, or a ZIP archive such as \
        `.xlsx`, `.ods`, `.docx`, and `.odt`. None of it was read. Open it in its program and save each sheet as CSV \
        (in UTF-8, if there is a choice), or the document as plain text. Other ZIP archives have to be unpacked.",
};

pub(super) static NOT_A_TAG: Page = Page {
    code: "T042",
    name: "not-a-tag",
    severity: Severity::Error,
    help: "write a name of letters, digits, and `_`, a blank, and the text in quotes: `[Event \"Spring cup\"]`",
    explain: "A line among the tags of a PGN record is in brackets, but is not a tag: the name has a blank or another \
        sign, as in `[Odd Name \"text\"]`, or the text has no quotes. The line is skipped.",
};
