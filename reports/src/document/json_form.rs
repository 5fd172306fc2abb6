//! The JSON form of a report: its fields are an interface.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::keyed::Keyed;

/// A report as JSON. The names of the fields are an interface.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReportDocument<'r> {
    /// Always `taflbase-report`.
    pub(super) format: &'static str,
    /// The version of this form.
    pub(super) version: u64,
    /// The kind of report.
    pub(super) kind: &'r str,
    /// The title.
    pub(super) title: &'r str,
    /// The summary, in sentences.
    pub(super) summary: &'r [String],
    /// The provenance of the figures.
    pub(super) provenance: ReportProvenance<'r>,
    /// The sections by their keys.
    pub(super) sections: Keyed<'r, ReportSection<'r>>,
}

/// The provenance of the figures of a report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ReportProvenance<'r> {
    /// The version of the program.
    pub(super) program: &'r str,
    /// The arguments of the command that recreates the report.
    pub(super) command: &'r [String],
    /// Other inputs that determine the figures.
    pub(super) facts: Keyed<'r, &'r str>,
}

/// A section of a report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ReportSection<'r> {
    /// The title.
    pub(super) title: &'r str,
    /// The paragraphs.
    pub(super) text: Vec<ReportParagraph<'r>>,
    /// The tables by their keys.
    pub(super) tables: Keyed<'r, ReportTable<'r>>,
    /// The plots by their keys.
    pub(super) plots: Keyed<'r, ReportPlot<'r>>,
    /// The boards by their keys.
    pub(super) boards: Keyed<'r, ReportBoard<'r>>,
}

/// A paragraph: either prose or a warning.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub(super) struct ReportParagraph<'r> {
    /// The text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prose: Option<&'r str>,
    /// The text of a warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) warning: Option<&'r str>,
}

/// A table of a report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ReportTable<'r> {
    /// The title.
    pub(super) title: &'r str,
    /// The note below it.
    pub(super) note: Option<&'r str>,
    /// The headings by the keys of their columns.
    pub(super) columns: Keyed<'r, &'r str>,
    /// The rows by their keys.
    pub(super) rows: Keyed<'r, ReportRow<'r>>,
}

/// A row of a table.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ReportRow<'r> {
    /// The label.
    pub(super) label: &'r str,
    /// The cells by the keys of their columns; an empty cell is null.
    pub(super) cells: Keyed<'r, Option<ReportCell<'r>>>,
}

/// A cell of a table.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum ReportCell<'r> {
    /// A text.
    Text(&'r str),
    /// A count.
    Count(u64),
    /// A number.
    Number(f64),
    /// A number with its interval, or the reason why it is missing.
    Figure(ReportFigure<'r>),
}

/// A figure of a table.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub(super) struct ReportFigure<'r> {
    /// The reason why there is no value; the other fields are then absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) missing: Option<&'r str>,
    /// The value and its interval.
    #[serde(flatten)]
    pub(super) interval: Option<ReportInterval>,
    /// The numerator of a proportion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hits: Option<u64>,
    /// The denominator of a proportion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) n: Option<u64>,
}

/// A value with its interval.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(super) struct ReportInterval {
    /// The value.
    pub(super) value: Option<f64>,
    /// The lower end.
    pub(super) low: Option<f64>,
    /// The upper end.
    pub(super) high: Option<f64>,
}

/// A plot of a report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ReportPlot<'r> {
    /// The title.
    pub(super) title: &'r str,
    /// The note below it.
    pub(super) note: &'r str,
    /// The kind: `forest`, `curves`, `bars`, `reliability`, `plane`, or `tree`.
    pub(super) kind: &'static str,
    /// The figures in it.
    pub(super) data: PlotFigures<'r>,
}

/// The figures of a plot.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum PlotFigures<'r> {
    Forest(ForestFigures<'r>),
    Curves(CurvesFigures<'r>),
    Bars(BarsFigures<'r>),
    Reliability(Vec<BinFigures>),
    Plane(PlaneFigures<'r>),
    Tree(TreeFigures<'r>),
}

/// The figures of items in a plane.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct PlaneFigures<'r> {
    /// The label of the horizontal axis.
    pub(super) x: &'r str,
    /// The label of the vertical axis.
    pub(super) y: &'r str,
    /// The items by their names.
    pub(super) points: Keyed<'r, PlanePointFigures>,
}

/// The figures of an item in a plane.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(super) struct PlanePointFigures {
    /// The horizontal coordinate.
    pub(super) x: Option<f64>,
    /// The vertical coordinate.
    pub(super) y: Option<f64>,
    /// The number of cases.
    pub(super) n: u64,
}

/// The figures of a tree.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct TreeFigures<'r> {
    /// The label of the axis.
    pub(super) axis: &'r str,
    /// The names of the rows.
    pub(super) rows: Vec<&'r str>,
    /// The joins, the lowest one first.
    pub(super) joins: Vec<TreeJoinFigures>,
}

/// The figures of a join of a tree.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(super) struct TreeJoinFigures {
    /// The parts: the index of a row, or the number of rows plus the index of an earlier join.
    pub(super) parts: [usize; 2],
    /// The distance between the parts.
    pub(super) height: Option<f64>,
    /// The proportion of repetitions with the same group, from 0 to 1.
    pub(super) support: Option<f64>,
}

/// The figures of a forest plot.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ForestFigures<'r> {
    /// The label of the axis.
    pub(super) axis: &'r str,
    /// The value of the reference line.
    pub(super) reference: Option<f64>,
    /// The rows by their labels.
    pub(super) rows: Keyed<'r, ForestRowFigures>,
}

/// The figures of a row of a forest plot.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ForestRowFigures {
    /// The number of cases.
    pub(super) n: u64,
    /// The value.
    pub(super) first: Option<ReportInterval>,
    /// The second value, such as the partially pooled one.
    pub(super) second: Option<ReportInterval>,
}

/// The figures of curves.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct CurvesFigures<'r> {
    /// The label of the horizontal axis.
    pub(super) x: &'r str,
    /// The label of the vertical axis.
    pub(super) y: &'r str,
    /// The curves by their labels.
    pub(super) curves: Keyed<'r, CurveFigures>,
}

/// The figures of a curve.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct CurveFigures {
    /// The number of cases.
    pub(super) n: u64,
    /// The points.
    pub(super) points: Vec<PointFigures>,
}

/// A point of a curve: both coordinates, and the interval or null.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct PointFigures(
    pub(super) Option<f64>,
    pub(super) Option<f64>,
    pub(super) Option<[Option<f64>; 2]>,
);

/// The figures of bars.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct BarsFigures<'r> {
    /// The label of the horizontal axis.
    pub(super) x: &'r str,
    /// The label of the vertical axis.
    pub(super) y: &'r str,
    /// The edges of the bars; the last one is null if the last bar contains all greater values.
    pub(super) edges: Vec<Option<f64>>,
    /// The counts of each layer, by its label.
    pub(super) layers: Keyed<'r, &'r [u64]>,
}

/// The figures of a bin of a reliability diagram.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct BinFigures {
    /// The mean expected value.
    pub(super) expected: Option<f64>,
    /// The observed proportion.
    pub(super) happened: ReportInterval,
    /// The number of cases.
    pub(super) n: u64,
}

/// A board of a report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ReportBoard<'r> {
    /// The title.
    pub(super) title: &'r str,
    /// The note below it.
    pub(super) note: &'r str,
    /// The position record.
    pub(super) position: String,
    /// The moves drawn on it.
    pub(super) moves: Vec<String>,
    /// The heat of cells.
    pub(super) heat: Keyed<'r, HeatFigures<'r>>,
    /// The highlights of cells.
    pub(super) highlights: Keyed<'r, HighlightFigures<'r>>,
}

/// The heat of a cell.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct HeatFigures<'r> {
    /// The strength, from 0 to 100.
    pub(super) level: u8,
    /// The text in the cell.
    pub(super) label: Option<&'r str>,
}

/// The highlight of a cell.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct HighlightFigures<'r> {
    /// The kind.
    pub(super) kind: &'static str,
    /// Its label.
    pub(super) label: Option<&'r str>,
}

impl JsonSchema for PointFigures {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "PointFigures".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let number = || json_schema!({ "type": ["number", "null"] });
        let interval = json_schema!({ "type": "array", "items": number(), "minItems": 2, "maxItems": 2 });
        let item = json_schema!({ "anyOf": [number(), interval] });
        json_schema!({
            "type": "array",
            "description": "Both coordinates, and the interval or null.",
            "items": item,
            "minItems": 3,
            "maxItems": 3,
        })
    }
}
