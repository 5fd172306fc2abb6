//! A hit of a search, as JSON shows it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::query::Placement;
use tafl_corpus::{GameSummary, HitDetail};
use tafl_rules::Cell;

/// The tag that distinguishes a hit from the summary in a stream of lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum HitTag {
    /// A hit, or a game.
    #[default]
    Hit,
}

/// A game that a search found, with the position if the query is about positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// Always `hit`.
    pub r#type: HitTag,
    /// The ID of the game.
    pub game: String,
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<String>,
    /// The board, such as `11x11`.
    pub shape: String,
    /// The player of the attackers.
    pub attackers: Option<String>,
    /// The player of the defenders.
    pub defenders: Option<String>,
    /// The rating of the player of the attackers.
    pub attackers_rating: Option<i16>,
    /// The rating of the player of the defenders.
    pub defenders_rating: Option<i16>,
    /// The event.
    pub event: Option<String>,
    /// The site.
    pub site: Option<String>,
    /// The known part of the date.
    pub date: Option<String>,
    /// `attackers`, `defenders`, `draw`, or `unfinished`.
    pub result: String,
    /// The reason of the result.
    pub reason: Option<String>,
    /// The source of the reason: `board`, `record`, or `inference`; null if the reason or its source is unknown.
    pub reason_source: Option<String>,
    /// The number of plies.
    pub plies: u32,
    /// The file of the record.
    pub source: Option<String>,
    /// The line of the record in that file.
    pub place: Option<u32>,
    /// The position, if the query is about positions: the first one that matches, if hits are games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<HitPosition>,
    /// The number of positions of the game that match, if hits are games and the query is about positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<u64>,
    /// The last position of the game, if the query is about games; absent if the game can't be replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#final: Option<String>,
    /// The rules string, if the rules have no name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
}

/// The position of a hit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HitPosition {
    /// The number of plies before it.
    pub ply: u32,
    /// The side to move: `attackers` or `defenders`.
    pub to_move: String,
    /// The ply that led to it; null at the start.
    pub r#move: Option<String>,
    /// The cells of the pieces that this ply captured.
    pub captured: Vec<String>,
    /// The position record.
    pub position: String,
    /// The cells of the board that the pattern of the query covers.
    pub cells: Vec<String>,
    /// The place of the pattern on the board; null for a query without a pattern.
    pub placement: Option<PatternPlacement>,
}

/// The place of a pattern on a board: where it is moved to, and how it is then turned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PatternPlacement {
    /// The number of the pattern in the query, from 0.
    pub pattern: u16,
    /// The symmetry by which the pattern is turned or mirrored: its number among those of the board, 0 as written.
    pub symmetry: u8,
    /// The number of files by which it is moved from `a1`, before it is turned.
    pub files: i8,
    /// The number of ranks by which it is moved from `a1`.
    pub ranks: i8,
    /// Whether the sides are swapped.
    pub swapped: bool,
    /// The symmetry in words; may be empty.
    pub words: String,
}

impl Hit {
    /// Creates the hit of a position, with the number of matching positions in the game if hits are games.
    pub fn of_position(summary: &GameSummary<'_>, detail: &HitDetail, matches: Option<u64>) -> Hit {
        Hit { at: Some(HitPosition::new(detail)), matches, ..Hit::of_game(summary, None) }
    }

    /// Creates the hit of a game with its last position.
    pub fn of_game(summary: &GameSummary<'_>, last: Option<String>) -> Hit {
        let text = |text: Option<&str>| text.map(ToOwned::to_owned);
        Hit {
            r#type: HitTag::Hit,
            game: summary.game.to_string(),
            variant: text(summary.variant),
            shape: summary.shape.to_owned(),
            attackers: text(summary.attackers),
            defenders: text(summary.defenders),
            attackers_rating: summary.attackers_rating,
            defenders_rating: summary.defenders_rating,
            event: text(summary.event),
            site: text(summary.site),
            date: text(summary.date),
            result: summary.result.as_str().to_owned(),
            reason: summary.reason.map(|reason| reason.as_str().to_owned()),
            reason_source: summary.reason_source.map(|source| source.as_str().to_owned()),
            plies: summary.plies,
            source: text(summary.source),
            place: summary.place,
            at: None,
            matches: None,
            r#final: last,
            rules: summary.variant.is_none().then(|| summary.rules.to_owned()),
        }
    }
}

impl HitPosition {
    fn new(detail: &HitDetail) -> HitPosition {
        let shape = detail.position.shape();
        let name = |cell: Cell| shape.coord(cell).to_string();
        let placement = |placement: Placement| PatternPlacement {
            pattern: placement.pattern,
            symmetry: placement.symmetry,
            files: placement.files,
            ranks: placement.ranks,
            swapped: placement.swapped,
            words: detail.transform.clone().unwrap_or_default(),
        };
        HitPosition {
            ply: detail.ply,
            to_move: detail.to_move.as_str().to_owned(),
            r#move: detail.last.map(|mv| mv.display(shape).to_string()),
            captured: detail.captured.iter().copied().map(name).collect(),
            position: detail.position.to_string(),
            cells: detail.cells.iter().copied().map(name).collect(),
            placement: detail.found.hit.placement.map(placement),
        }
    }
}
