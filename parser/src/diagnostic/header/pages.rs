//! The pages of findings about headers.

use crate::diagnostic::{Page, Severity};

/// The pages, in the order of the findings.
pub(in crate::diagnostic) static PAGES: &[&Page] = &[
    &BAD_TAG,
    &DUPLICATE,
    &CONTRADICTION,
    &UNKNOWN_VARIANT,
    &RULES_NOT_LAST,
    &BAD_SETUP,
    &OTHER_RULES,
    &GUESSED,
    &BEGINNING,
    &OTHER_EDITION,
    &EDITION_CHANGED,
    &AMBIGUOUS_VARIANT,
    &OTHER_BOARD,
    &SITE_RULE,
    &BAD_FEN,
    &OTHER_GAME,
    &START_NOT_ALLOWED,
    &SWAP_NOT_ALLOWED,
    &OTHER_PIECES,
    &UNKNOWN_PLAYERS,
];

pub(super) static BAD_TAG: Page = Page {
    code: "H001",
    name: "bad-tag",
    severity: Severity::Warning,
    help: "write a value as in the message; FORMATS.md lists the tags of each notation",
    explain: "A tag or a header field has a value that cannot be understood, such as `[result:white]` \
        where OpenTafl uses 1, 0, -1, and ?, a day that no calendar has, or a rating that is not a number. The value is \
        kept as written and has no effect.",
};

pub(super) static DUPLICATE: Page = Page {
    code: "H002",
    name: "duplicate-tag",
    severity: Severity::Warning,
    help: "keep one of the two",
    explain: "The same tag appears twice in the header. The first one takes effect; both are kept.",
};

pub(super) static CONTRADICTION: Page = Page {
    code: "H003",
    name: "header-contradiction",
    severity: Severity::Warning,
    help: "find out whether the header or the moves are right",
    explain: "The moves contradict the header, or the rules: for example, the attackers move first, but a defender \
        makes the first move; or the record names the other side with a move, as in `White: d6-c6` if the piece on \
        `d6` is the attackers'. In every notation, black, dark, and attackers are the same side. The moves take \
        precedence.",
};

pub(super) static UNKNOWN_VARIANT: Page = Page {
    code: "H004",
    name: "unknown-variant",
    severity: Severity::Error,
    help: "name the variant or its rules with `--variant`, and change single rules with `--rule KEY=VALUE`",
    explain: "The record names a variant that is not in the catalog. Its moves were read, but could not be \
        checked. `tafl rules list` prints all names and aliases.",
};

pub(super) static RULES_NOT_LAST: Page = Page {
    code: "H005",
    name: "rules-tag-not-last",
    severity: Severity::Note,
    help: "move the rules tag after all other tags",
    explain: "OpenTafl expects the rules tag after all other tags. In this record other tags follow it. \
        Taflbase reads tags in any order; OpenTafl may not.",
};

pub(super) static BAD_SETUP: Page = Page {
    code: "H006",
    name: "bad-position",
    severity: Severity::Error,
    help: "give one row for each rank, rank 1 first, each with as many cells as that rank of the board",
    explain: "A position record does not fit its board: a row is longer or shorter than its rank, a letter \
        is not a piece, or rows are missing. `/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/` is a position on a board \
        with seven ranks. The message names the rank and the column.",
};

pub(super) static OTHER_RULES: Page = Page {
    code: "H008",
    name: "variant-contradicts-rules",
    severity: Severity::Warning,
    help: "remove one of the two",
    explain: "The record has both a variant name and a rules string, and they do not agree. The rules \
        string takes precedence.",
};

pub(super) static GUESSED: Page = Page {
    code: "H009",
    name: "variant-guessed",
    severity: Severity::Note,
    help: "name the variant with `--variant` if it is another one",
    explain: "The record does not state its rules, and the file name does not mention a variant. Every \
        published variant with the same board was tried, and the variant with the most playable moves, minus one \
        for each error, was chosen; among equals, the most popular one: for example, Copenhagen rather than Fetlar. Variants of a \
        single play site were not tried.",
};

pub(super) static AMBIGUOUS_VARIANT: Page = Page {
    code: "H012",
    name: "variant-ambiguous",
    severity: Severity::Warning,
    help: "name the variant with `--variant`",
    explain: "The record states neither its rules nor its result, its moves are legal in several variants, and \
        they disagree about the end of the game: for example, the last move wins in one of them, but play \
        continues in another one. The most popular variant was chosen.",
};

pub(super) static BEGINNING: Page = Page {
    code: "H010",
    name: "beginning-missing",
    severity: Severity::Error,
    help: "find the missing moves, or give the position in which the record begins",
    explain: "The first or second move of the record starts from an empty cell, moves a piece of the wrong \
        side, or cannot reach its destination, and no repair makes the remaining moves legal. The record \
        begins in the middle of a game, or continues from a position that it does not include. Nothing \
        after that move can be checked.",
};

pub(super) static OTHER_EDITION: Page = Page {
    code: "H011",
    name: "other-edition",
    severity: Severity::Note,
    help: "no action needed",
    explain: "The variant was played under the same name from more than one start, or its rules changed \
        over time, and the record does not state which edition applies. The moves do not fit the rules in the catalog; they \
        fit another edition, which was used.",
};

pub(super) static EDITION_CHANGED: Page = Page {
    code: "H014",
    name: "edition-changed",
    severity: Severity::Warning,
    help: "no action needed",
    explain: "The rules of the variant changed while the game was played, as can happen in correspondence games, \
        which last for weeks. The moves before this one fit only another edition, and the rest of the game fits only the \
        rules in the catalog. Replay changes the rules here, at the last possible move.",
};

pub(super) static BAD_FEN: Page = Page {
    code: "H022",
    name: "bad-fen",
    severity: Severity::Error,
    help: "give one row for each rank, the top rank first, each with as many cells as there are rows, then the \
        side to move: `3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a`",
    explain: "A FEN, or the board of a HEN record, cannot be read: a row is longer or shorter than the number of \
        rows, a letter is not a piece, or the side to move is unknown. In a FEN, the letters are `a` \
        (attackers), `d` (defenders), and `k` (king), numbers are empty cells, and `/` ends a row; in HEN, the \
        letters are `v`, `V`, and `K`, and blanks separate the rows. The letters of other programs are \
        accepted, but not mixed. The position is ignored; if the side to move is unknown, the first player of the rules moves.",
};

pub(super) static SITE_RULE: Page = Page {
    code: "H021",
    name: "site-rule",
    severity: Severity::Note,
    help: "no action needed, unless a capture or the end of the game differs from the record",
    explain: "The rules of the record come from the options of a site, and one of the site's rules has no \
        key in rules strings. Replay uses the nearest rule. They differ only in rare positions; there, \
        replay may report a capture or an end of the game that did not happen on the site, or miss one.",
};

pub(super) static OTHER_GAME: Page = Page {
    code: "H024",
    name: "other-game",
    severity: Severity::Note,
    help: "no action needed",
    explain: "Some archives hold records of many games: those of Abstract Play name the game, as in \
        `{\"header\": {\"game\": {\"name\": \"Amazons\"}}}`, and SGF files have its number, `GM[29]` for \
        hnefatafl. An SGF record without a number whose moves are single points counts as a game of Go. Records of other \
        games are not counted: they are skipped, with one note for each game, and reading continues after them.",
};

pub(super) static OTHER_BOARD: Page = Page {
    code: "H013",
    name: "other-board",
    severity: Severity::Error,
    help: "correct the variant or the position, or name the variant with `--variant`",
    explain: "The record begins with a position on another board than that of its variant or its rules: for \
        example, a position of nine ranks in a record of Brandubh, which has seven. One of the two is wrong, so \
        the record is not a game of this variant. Its moves were read, but could not be checked.",
};

pub(super) static START_NOT_ALLOWED: Page = Page {
    code: "H030",
    name: "start-not-allowed",
    severity: Severity::Warning,
    help: "correct the start, or the cells of `xarr` in the rules",
    explain: "By its rules (`xarr`), each side may rearrange its pieces before the first move, on certain cells, as on \
        BoardSpace. In the start of the record, a piece is missing from a fixed cell, or was put on one. The game \
        is played from the start of the record.",
};

pub(super) static SWAP_NOT_ALLOWED: Page = Page {
    code: "H031",
    name: "swap-not-allowed",
    severity: Severity::Warning,
    help: "correct the tag `swapped`, or add `xswap` to the rules",
    explain: "The record states that the players exchanged sides (tag `swapped`, with the number of plies before it), \
        and the rules (`xswap`) do not allow this, or not after this number of plies. The moves are not affected: \
        an exchange changes the players, not the position. The tags name the players by the sides that they had \
        at the end.",
};

pub(super) static OTHER_PIECES: Page = Page {
    code: "H032",
    name: "start-with-other-pieces",
    severity: Severity::Note,
    help: "check the start of the record",
    explain: "By its rules (`xarr`), each side may rearrange its pieces before the first move. In the start of the record, \
        a side has more or fewer pieces than by the rules. BoardSpace lets players take pieces from the reserve, and \
        put them aside. The game is played from the start of the record.",
};

pub(super) static UNKNOWN_PLAYERS: Page = Page {
    code: "H033",
    name: "unknown-player-columns",
    severity: Severity::Note,
    help: "name the column of the attackers' player `attackers`, and the other one `defenders`",
    explain: "No column of the table is known to have the players, and several columns of unknown names have words that \
        may be names. Their language is not in the list of FORMATS.md, and nothing else tells which of the players \
        had the attackers. The columns are kept as tags with their own names.",
};
