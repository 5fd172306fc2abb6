//! The table of games.

use std::sync::Arc;

use tafl_parser::{Format, ReasonSource, tag};
use tafl_rules::{Reason, Side};

use super::summary_value::{SummaryValue, TextPool};
use super::{CellValue, ColumnUsage, ColumnValue, SharedTexts, TableColumn};
use crate::id::{GameId, LineOfPlayId, RulesId};
use crate::move_log::GameResult;
use crate::row::{CopyNote, RecordVerdict};

/// A column of the table of games.
#[derive(Debug, Clone, Copy)]
pub struct GameColumn {
    /// The name, type, and meaning.
    pub field: TableColumn,
    /// The word of queries, if they use the column by name.
    pub query_word: &'static str,
    /// The tag of records that has the value.
    pub tag: Option<&'static str>,
    /// Whether a [`GameSummary`] has it.
    pub in_summary: bool,
    /// Whether tables of hits have it.
    pub in_hits: bool,
    /// Returns the value of a row.
    pub get: fn(&GameRow) -> CellValue<'_>,
    /// Reads the value of a table; returns `false` if it is not usable.
    pub(crate) read: fn(&mut GameRow, &CellValue<'_>, &mut SharedTexts) -> bool,
    /// Reads the value of a tag; returns whether the column has it now.
    pub(crate) read_tag: fn(&mut GameRow, &str) -> bool,
}

/// The second part if there is a flag.
macro_rules! flagged {
    ($flag:tt => $($out:tt)*) => { $($out)* };
}

/// Declares the columns: `name: type => usage`, then if applicable `named` the name in the tables, `as` the word of
/// queries, `{ the tag of records }`, `[summary]`, and `(hits)`.
macro_rules! games {
    (@or $default:expr) => { $default };
    (@or $default:expr, $value:expr) => { $value };
    ($(
        #[doc = $doc:literal]
        $name:ident: $type:ty => $usage:ident $(named $column:literal)?
            $(as $word:literal)? $({ $tag:ident })? $([$summary:tt])? $(($hits:tt))?;
    )*) => {
        /// A row of the table of games.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct GameRow {
            $( #[doc = $doc] pub $name: $type, )*
        }

        /// Returns a row without values.
        impl Default for GameRow {
            fn default() -> GameRow {
                GameRow { $( $name: ColumnValue::empty(), )* }
            }
        }

        /// The columns of the table of games, in order.
        pub static GAMES: &[GameColumn] = &[$(
            GameColumn {
                field: TableColumn {
                    name: games!(@or stringify!($name) $(, $column)?),
                    kind: <$type as ColumnValue>::KIND,
                    usage: ColumnUsage::$usage,
                    doc: $doc,
                },
                query_word: games!(@or stringify!($name) $(, $word)?),
                tag: games!(@or None $(, Some(tag::$tag))?),
                in_summary: games!(@or false $(, flagged!($summary => true))?),
                in_hits: games!(@or false $(, flagged!($hits => true))?),
                get: |row| row.$name.value(),
                read: |row, value, texts| row.$name.read(value, texts),
                read_tag: |row, text| row.$name.read_tag(text),
            },
        )*];

        /// The part of a game that lists show. The fields are those of [`GameRow`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct GameSummary<'c> {
            $( $( #[doc = $doc] pub $name: flagged!($summary => <$type as SummaryValue>::Borrowed<'c>), )? )*
        }

        impl<'c> GameSummary<'c> {
            /// Returns the summary of a row.
            pub fn of(row: &'c GameRow) -> GameSummary<'c> {
                GameSummary { $( $( $name: flagged!($summary => row.$name.borrowed()), )? )* }
            }
        }

        /// A summary with numbers of texts.
        #[derive(Debug)]
        struct PackedSummary {
            $( $( $name: flagged!($summary => <$type as SummaryValue>::Packed), )? )*
        }

        impl PackedSummary {
            fn of(row: &GameRow, pool: &mut TextPool) -> PackedSummary {
                PackedSummary {
                    $( $(
                        $name: flagged!($summary => <$type as SummaryValue>::pack(row.$name.borrowed(), pool)),
                    )? )*
                }
            }

            fn summary<'c>(&self, pool: &'c TextPool) -> GameSummary<'c> {
                GameSummary {
                    $( $( $name: flagged!($summary => <$type as SummaryValue>::unpack(self.$name, pool)), )? )*
                }
            }
        }
    };
}

games! {
    /// The ID of the game: a hash of line of play, players, and date. If several games share all three, the IDs of all but the first also depend on file and line.
    game: GameId => Word [summary] (hits);
    /// The ID of the line of play, the same for all symmetric ones.
    line: LineOfPlayId => None;
    /// The symmetry of the board that leads to the canonical form of the line.
    orientation: u8 => None;
    /// The variant's name in the catalog; null for other rules.
    variant: Option<String> => Word [summary] (hits);
    /// The rules string.
    rules: Arc<str> => None [summary];
    /// The ID of the rules.
    rules_id: RulesId => None;
    /// The board, such as `11x11` or `hex 4`.
    shape: Arc<str> => Setup [summary] (hits);
    /// The position record of the start.
    start: Arc<str> => None;
    /// The side that moved first: `attackers` or `defenders`.
    first: Side => None;
    /// The player of the attackers.
    attackers: Option<String> => Text { ATTACKERS } [summary] (hits);
    /// The player of the defenders.
    defenders: Option<String> => Text { DEFENDERS } [summary] (hits);
    /// The attackers' rating.
    attackers_rating: Option<i16> => Number { ATTACKERS_RATING } [summary] (hits);
    /// The defenders' rating.
    defenders_rating: Option<i16> => Number { DEFENDERS_RATING } [summary] (hits);
    /// The tournament or match.
    event: Option<String> => Text { EVENT } [summary] (hits);
    /// The place or the server.
    site: Option<String> => Text { SITE } [summary] (hits);
    /// The round of a tournament.
    round: Option<String> => Text { ROUND } (hits);
    /// The day as far as it is known: `2019-03-01`, `2019-03` or `2019`. A month above 12 and a day that the month does not have are left out.
    date: Option<String> => Date { DATE } [summary] (hits);
    /// The year.
    year: Option<i16> => Number (hits);
    /// The time control, as written.
    time_control: Option<String> => Text { TIME_CONTROL };
    /// The result: `attackers`, `defenders`, `draw` or `unfinished`.
    result: GameResult => Word [summary] (hits);
    /// The reason of the result, such as `king captured` or `resignation`.
    reason: Option<Reason> => Word [summary] (hits);
    /// The source of the reason: `board`, `record`, or `inference` from a result without an end; null if it is unknown.
    reason_source: Option<ReasonSource> => Word [summary] (hits);
    /// The number of plies.
    plies: u32 => Number [summary] (hits);
    /// The number of pieces that the attackers captured.
    attackers_captures: u16 => None;
    /// The number of pieces that the defenders captured.
    defenders_captures: u16 => None;
    /// The number of the ply with the first capture; null if no piece was captured.
    first_capture: Option<u32> => Number;
    /// The file that the record comes from, as it was named.
    source: Option<String> => Text [summary] (hits);
    /// The line of that file in which the record begins.
    place: Option<u32> => None [summary] (hits);
    /// The notation of the record; null for games that a program made.
    format: Option<Format> => Word;
    /// `sound`, or `explained` where every fault of the record has a reason.
    verdict: RecordVerdict => Word (hits);
    /// The codes of the diagnostics of the record, separated by blanks.
    findings: Option<String> => Text as "finding";
    /// The quality score of the record; the better of two copies has the higher one.
    quality_score: u32 => None named "worth";
    /// Other copies of the game as JSON: source, place, format, symmetry, number of plies, and variant.
    copies: Vec<CopyNote> => None;
    /// The ID of the stored game of which this one is or may be a copy, as it was at the import; null for others.
    duplicate_of: Option<GameId> => None;
    /// All comments, one after another.
    comments: Option<String> => Text as "text";
    /// All other tags of the record as a JSON object.
    tags: Vec<(String, String)> => Text as "text";
    /// The record as it was read; null for games that a program made.
    text: Option<String> => None;
}

/// The summaries of the games of a segment, packed.
#[derive(Debug)]
pub(crate) struct SummaryPage {
    pool: TextPool,
    games: Vec<PackedSummary>,
    /// The IDs of the games with their rows, sorted.
    numbers: Vec<(GameId, u32)>,
}

impl SummaryPage {
    pub(crate) fn of(rows: &[GameRow]) -> SummaryPage {
        let mut pool = TextPool::new();
        let games: Vec<PackedSummary> = rows.iter().map(|row| PackedSummary::of(row, &mut pool)).collect();
        pool.seal();
        let mut numbers: Vec<(GameId, u32)> =
            (0..).zip(&games).map(|(at, packed)| (packed.game, at)).collect();
        numbers.sort_unstable();
        SummaryPage { pool, games, numbers }
    }

    /// Returns the summary of a row.
    ///
    /// # Panics
    ///
    /// Panics if there is no such row.
    pub(crate) fn get(&self, row: u32) -> GameSummary<'_> {
        self.games[row as usize].summary(&self.pool)
    }

    /// Returns the rows of a game, in rising order.
    pub(crate) fn rows_of(&self, game: GameId) -> impl Iterator<Item = u32> {
        let first = self.numbers.partition_point(|(other, _)| *other < game);
        self.numbers[first..].iter().take_while(move |(other, _)| *other == game).map(|(_, row)| *row)
    }
}
