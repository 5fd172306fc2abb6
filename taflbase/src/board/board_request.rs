//! The board of some rules: its cells, their places in a picture, and the rules in words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_reports::{BoardLayout, Zones};
use tafl_rules::{Cell, PieceSet, RuleSet, Shape};

use super::position_request::RulesRequest;
use super::rules_cache::CompiledVariant;
use super::rules_request::{RulesSheetSection, SideTitles, SimilarVariantAnswer};
use crate::{App, Job, Request, Result};

/// Describe the board of some rules
///
/// # Examples
///
/// ```
/// use taflbase::{App, BoardRequest, Job, Request};
///
/// let mut request = BoardRequest::default();
/// request.rules.variant = Some("brandubh7".into());
/// let board = request.run(&App::new(), &Job::default())?;
/// assert_eq!((board.shape.name.as_str(), board.cells.len()), ("7x7", 49));
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BoardRequest {
    /// The rules.
    #[serde(flatten)]
    pub rules: RulesRequest,
}

impl Request for BoardRequest {
    type Answer = BoardAnswer;

    fn run(self, app: &App, _: &Job) -> Result<BoardAnswer> {
        Ok(BoardAnswer::of(&*self.rules.require(app)?))
    }
}

/// A board and the rules on it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BoardAnswer {
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<&'static str>,
    /// The title.
    pub title: String,
    /// The rules string.
    pub rules: String,
    /// The shape of the board.
    pub shape: BoardShape,
    /// The names of the sides.
    pub sides: SideTitles,
    /// The side that moves first.
    pub first: &'static str,
    /// The cells, with their places in the picture.
    pub cells: Vec<BoardCell>,
    /// The corners of a cell, relative to its center.
    pub polygon: Vec<[f32; 2]>,
    /// The width of the picture.
    pub width: f32,
    /// The height of the picture.
    pub height: f32,
    /// The position record of the start.
    pub start: String,
    /// The rules in sentences.
    pub rules_words: Vec<String>,
    /// The rules in sentences, by subject.
    pub rules_sections: Vec<RulesSheetSection>,
    /// The most similar variant, if the rules have no name in the catalog.
    pub similar: Option<SimilarVariantAnswer>,
}

/// The shape of a board.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BoardShape {
    /// `square` or `hex`.
    pub kind: &'static str,
    /// `11x11`, `hex5`.
    pub name: String,
    /// The number of cells along a side.
    pub side: u8,
}

/// A cell and its place in the picture of its board.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BoardCell {
    /// The name: `d4`.
    pub name: String,
    /// The distance of the center from the left.
    pub x: f32,
    /// The distance of the center from the top.
    pub y: f32,
    /// The special properties of the cell: `throne`, `corner`, `camp`, `fort`, `goal`, `stop`.
    pub marks: Vec<&'static str>,
}

impl BoardAnswer {
    /// Returns the board of some rules.
    pub fn of(rules: &CompiledVariant) -> BoardAnswer {
        let (variant, rules) = (&rules.variant, &rules.variant.rules);
        let shape = rules.shape();
        let kind = match shape {
            Shape::Square { .. } => "square",
            Shape::Hex { .. } => "hex",
        };
        let (layout, zones) = (BoardLayout::usual(shape), Zones::of(rules));
        let cell = |cell| {
            let (x, y) = layout.middle(cell);
            BoardCell { name: shape.name(cell), x, y, marks: marks(rules, &zones, cell) }
        };
        let sides = variant.sides();
        // The viewer of web pages shows no rules in words, and has no code for them.
        #[cfg(tafl_viewer)]
        let (sections, similar): (Vec<tafl_rules::SheetSection>, Option<SimilarVariantAnswer>) =
            (Vec::new(), None);
        #[cfg(not(tafl_viewer))]
        let (sections, similar) = (tafl_rules::rules_sheet(rules, sides), SimilarVariantAnswer::of(variant));
        let sections = sections.into_iter().map(RulesSheetSection::from);
        let sections: Vec<_> = sections.chain(similar.as_ref().map(SimilarVariantAnswer::section)).collect();
        BoardAnswer {
            variant: variant.catalog_name(),
            title: variant.title(),
            rules: rules.to_string(),
            shape: BoardShape { kind, name: shape.to_string(), side: shape.side() },
            sides: SideTitles { attackers: sides.attackers, defenders: sides.defenders },
            first: rules.first_mover.as_str(),
            cells: shape.cells().map(cell).collect(),
            polygon: layout.polygon.iter().map(|(x, y)| [*x, *y]).collect(),
            width: layout.width,
            height: layout.height,
            start: rules.start.to_string(),
            rules_words: sections.iter().flat_map(|section| section.sentences.clone()).collect(),
            rules_sections: sections,
            similar,
        }
    }
}

/// Returns the special properties of a cell.
fn marks(rules: &RuleSet, zones: &Zones, cell: Cell) -> Vec<&'static str> {
    // A cell where only some pieces may stop is drawn as a closed one.
    let is_closed = rules.zones.values().any(|zone| zone.contains(cell) && zone.stop != PieceSet::ALL);
    [
        (zones.cells.throne.contains(&cell), "throne"),
        (zones.cells.corners.contains(&cell), "corner"),
        (zones.cells.camps.contains(&cell), "camp"),
        (zones.cells.forts.contains(&cell), "fort"),
        (zones.goals.contains(&cell), "goal"),
        (is_closed, "stop"),
    ]
    .into_iter()
    .filter_map(|(has_mark, name)| has_mark.then_some(name))
    .collect()
}
