//! Reports as JSON: all figures with all digits, under stable names.

use std::borrow::Cow;
use std::collections::HashSet;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::cell::Cell;
use super::{Block, BoardBlock, Report, Section, Table};
use crate::board::Marks;
use crate::plot::{Axis, Bars, Chart, CurvePlot, Forest, Plot, Reliability, ReliabilityBin, Whisker};

/// The format name that identifies a report.
pub(crate) const FORMAT: &str = "taflbase-report";

/// The version of the JSON form. It increases when a name changes its meaning.
pub(crate) const VERSION: u64 = 1;

/// A report as JSON. The names of the fields are an interface.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReportDocument<'r> {
    /// Always `taflbase-report`.
    format: &'static str,
    /// The version of this form.
    version: u64,
    /// The kind of report.
    kind: &'r str,
    /// The title.
    title: &'r str,
    /// What the report says in short: sentences.
    summary: &'r [String],
    /// Where the figures come from.
    provenance: ReportProvenance<'r>,
    /// The sections by their keys.
    sections: Keyed<'r, ReportSection<'r>>,
}

/// Where the figures of a report come from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct ReportProvenance<'r> {
    /// The version of the program.
    program: &'r str,
    /// The words of the command that makes the report again.
    command: &'r [String],
    /// What else the figures depend on.
    facts: Keyed<'r, &'r str>,
}

/// A section of a report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct ReportSection<'r> {
    /// The title.
    title: &'r str,
    /// The paragraphs.
    text: Vec<ReportParagraph<'r>>,
    /// The tables by their keys.
    tables: Keyed<'r, ReportTable<'r>>,
    /// The plots by their keys.
    plots: Keyed<'r, ReportPlot<'r>>,
    /// The boards by their keys.
    boards: Keyed<'r, ReportBoard<'r>>,
}

/// A paragraph: one of both.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
struct ReportParagraph<'r> {
    /// The text.
    #[serde(skip_serializing_if = "Option::is_none")]
    prose: Option<&'r str>,
    /// The text of a warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'r str>,
}

/// A table of a report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct ReportTable<'r> {
    /// The title.
    title: &'r str,
    /// A note below it.
    note: Option<&'r str>,
    /// The headings by the keys of their columns.
    columns: Keyed<'r, &'r str>,
    /// The rows by their keys.
    rows: Keyed<'r, ReportRow<'r>>,
}

/// A row of a table.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct ReportRow<'r> {
    /// The label.
    label: &'r str,
    /// The cells by the keys of their columns; an empty cell is null.
    cells: Keyed<'r, Option<ReportCell<'r>>>,
}

/// A cell of a table.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
enum ReportCell<'r> {
    /// A text.
    Text(&'r str),
    /// A count.
    Count(u64),
    /// A number.
    Number(f64),
    /// A number with its interval, or the reason why there is none.
    Figure(ReportFigure<'r>),
}

/// A figure of a table.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
struct ReportFigure<'r> {
    /// Why there is no value. Nothing else is given then.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'r str>,
    /// The value and its interval.
    #[serde(flatten)]
    interval: Option<ReportInterval>,
    /// The number of cases that count, of a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<u64>,
    /// The number of all cases, of a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
}

/// A value with its interval.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
struct ReportInterval {
    /// The value.
    value: Option<f64>,
    /// The lower end.
    low: Option<f64>,
    /// The upper end.
    high: Option<f64>,
}

/// A plot of a report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct ReportPlot<'r> {
    /// The title.
    title: &'r str,
    /// A note below it.
    note: &'r str,
    /// The kind: `forest`, `curves`, `bars`, or `reliability`.
    kind: &'static str,
    /// The figures that it shows.
    data: PlotFigures<'r>,
}

/// The figures of a plot.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
enum PlotFigures<'r> {
    Forest(ForestFigures<'r>),
    Curves(CurvesFigures<'r>),
    Bars(BarsFigures<'r>),
    Reliability(Vec<BinFigures>),
}

/// The figures of a forest plot.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct ForestFigures<'r> {
    /// The label of the axis.
    axis: &'r str,
    /// The value of the line to compare with.
    reference: Option<f64>,
    /// The rows by their labels.
    rows: Keyed<'r, ForestRowFigures>,
}

/// The figures of a row of a forest plot.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct ForestRowFigures {
    /// The number of cases.
    n: u64,
    /// The value.
    first: Option<ReportInterval>,
    /// The value to compare with.
    second: Option<ReportInterval>,
}

/// The figures of curves.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct CurvesFigures<'r> {
    /// The label of the horizontal axis.
    x: &'r str,
    /// The label of the vertical axis.
    y: &'r str,
    /// The curves by their labels.
    curves: Keyed<'r, CurveFigures>,
}

/// The figures of a curve.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct CurveFigures {
    /// The number of cases.
    n: u64,
    /// The points.
    points: Vec<PointFigures>,
}

/// A point of a curve: the place on both axes, and the interval or null.
#[derive(Debug, Clone, Copy, Serialize)]
struct PointFigures(Option<f64>, Option<f64>, Option<[Option<f64>; 2]>);

/// The figures of bars.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct BarsFigures<'r> {
    /// The label of the horizontal axis.
    x: &'r str,
    /// The label of the vertical axis.
    y: &'r str,
    /// The edges of the bars.
    edges: Vec<Option<f64>>,
    /// The counts of each layer, by its label.
    layers: Keyed<'r, &'r [u64]>,
}

/// The figures of a bin of a reliability diagram.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct BinFigures {
    /// The mean expectation.
    expected: Option<f64>,
    /// What happened.
    happened: ReportInterval,
    /// The number of cases.
    n: u64,
}

/// A board of a report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct ReportBoard<'r> {
    /// The title.
    title: &'r str,
    /// A note below it.
    note: &'r str,
    /// The position record.
    position: String,
    /// The moves that are shown.
    moves: Vec<String>,
    /// The heat of cells.
    heat: Keyed<'r, HeatFigures<'r>>,
    /// The highlights of cells.
    highlights: Keyed<'r, HighlightFigures<'r>>,
}

/// The heat of a cell.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct HeatFigures<'r> {
    /// The strength, from 0 to 100.
    level: u8,
    /// The text in the cell.
    label: Option<&'r str>,
}

/// The highlight of a cell.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct HighlightFigures<'r> {
    /// The kind.
    kind: &'static str,
    /// The text about it.
    label: Option<&'r str>,
}

/// An object with the entries in this order. A name that is there already gets a number.
#[derive(Debug, Clone)]
struct Keyed<'r, T>(Vec<(Cow<'r, str>, T)>);

impl<'r, T, K: Into<Cow<'r, str>>> FromIterator<(K, T)> for Keyed<'r, T> {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(entries: I) -> Self {
        let mut taken: HashSet<Cow<'r, str>> = HashSet::new();
        let entries = entries.into_iter().map(|(key, value)| {
            let key = key.into();
            let mut free = key.clone();
            let mut number = 1;
            while !taken.insert(free.clone()) {
                number += 1;
                free = format!("{key} {number}").into();
            }
            (free, value)
        });
        Keyed(entries.collect())
    }
}

impl<T: Serialize> Serialize for Keyed<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<T: JsonSchema> JsonSchema for Keyed<'_, T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Map_of_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": generator.subschema_for::<T>() })
    }
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
            "description": "The place on both axes, and the interval or null.",
            "items": item,
            "minItems": 3,
            "maxItems": 3,
        })
    }
}

impl Report {
    /// Returns the report as JSON.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self.json()).expect("a report has only texts and numbers")
    }

    /// Returns the report in its JSON form.
    fn json(&self) -> ReportDocument<'_> {
        let facts = self.provenance.facts.iter();
        ReportDocument {
            format: FORMAT,
            version: VERSION,
            kind: &self.kind,
            title: &self.title,
            summary: &self.summary,
            provenance: ReportProvenance {
                program: &self.provenance.version,
                command: &self.provenance.command,
                facts: facts.map(|fact| (&fact.key, fact.value.as_str())).collect(),
            },
            sections: self.sections.iter().map(|section| (&section.key, section_json(section))).collect(),
        }
    }
}

fn section_json(section: &Section) -> ReportSection<'_> {
    let mut text = Vec::new();
    let (mut tables, mut plots, mut boards) = (Vec::new(), Vec::new(), Vec::new());
    for block in &section.blocks {
        match block {
            Block::Heading(_) => {}
            Block::Prose(prose) => text.push(ReportParagraph { prose: Some(prose), warning: None }),
            Block::Warning(warning) => text.push(ReportParagraph { prose: None, warning: Some(warning) }),
            Block::Table(table) => tables.push((&table.key, table_json(table))),
            Block::Plot(plot) => plots.push((&plot.key, plot_json(plot))),
            Block::Board(board) => boards.push((&board.key, board_json(board))),
        }
    }
    ReportSection {
        title: &section.title,
        text,
        tables: tables.into_iter().collect(),
        plots: plots.into_iter().collect(),
        boards: boards.into_iter().collect(),
    }
}

fn table_json(table: &Table) -> ReportTable<'_> {
    let rows = table.rows.iter().map(|row| {
        let cells = table.columns.iter().zip(&row.cells).map(|(column, cell)| (&column.key, cell_json(cell)));
        (&row.key, ReportRow { label: &row.label, cells: cells.collect() })
    });
    ReportTable {
        title: &table.title,
        note: table.note.as_deref(),
        columns: table.columns.iter().map(|column| (&column.key, column.heading.as_str())).collect(),
        rows: rows.collect(),
    }
}

/// Returns a number; `None` if it is not finite.
fn number(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

fn interval(value: Option<f64>, low: f64, high: f64) -> ReportInterval {
    ReportInterval { value: value.and_then(number), low: number(low), high: number(high) }
}

fn cell_json(cell: &Cell) -> Option<ReportCell<'_>> {
    Some(match cell {
        Cell::Empty => return None,
        Cell::Missing(why) => {
            ReportCell::Figure(ReportFigure { missing: Some(why), ..ReportFigure::default() })
        }
        Cell::Text(text) => ReportCell::Text(text),
        Cell::Count(count) => ReportCell::Count(*count),
        Cell::Number(value) => ReportCell::Number(number(*value)?),
        Cell::Estimate { value, low, high } => ReportCell::Figure(ReportFigure {
            interval: Some(interval(Some(*value), *low, *high)),
            ..ReportFigure::default()
        }),
        Cell::Share { hits, n, low, high } => ReportCell::Figure(ReportFigure {
            interval: Some(interval(cell.value(), *low, *high)),
            hits: Some(*hits),
            n: Some(*n),
            missing: None,
        }),
    })
}

fn plot_json(plot: &Plot) -> ReportPlot<'_> {
    let (kind, data) = match &plot.chart {
        Chart::Forest(forest) => ("forest", PlotFigures::Forest(forest_json(forest))),
        Chart::Curves(curves) => ("curves", PlotFigures::Curves(curves_json(curves))),
        Chart::Bars(bars) => ("bars", PlotFigures::Bars(bars_json(bars))),
        Chart::Reliability(reliability) => {
            ("reliability", PlotFigures::Reliability(reliability_json(reliability)))
        }
    };
    ReportPlot { title: &plot.title, note: &plot.note, kind, data }
}

fn label(axis: &Axis) -> &str {
    &axis.label
}

fn whisker_json(whisker: Whisker) -> ReportInterval {
    interval(Some(whisker.value), whisker.low, whisker.high)
}

fn forest_json(forest: &Forest) -> ForestFigures<'_> {
    let rows = forest.rows.iter().map(|row| {
        let (first, second) = (row.whisker.map(whisker_json), row.second.map(whisker_json));
        (&row.label, ForestRowFigures { n: row.n, first, second })
    });
    ForestFigures {
        axis: label(&forest.axis),
        reference: forest.reference.as_ref().and_then(|(value, _)| number(*value)),
        rows: rows.collect(),
    }
}

fn curves_json(curves: &CurvePlot) -> CurvesFigures<'_> {
    let lines = curves.curves.iter().map(|curve| {
        let points = curve.points.iter().map(|point| {
            let ends = point.interval.map(|(low, high)| [number(low), number(high)]);
            PointFigures(number(point.x), number(point.y), ends)
        });
        (&curve.label, CurveFigures { n: curve.n, points: points.collect() })
    });
    CurvesFigures { x: label(&curves.x), y: label(&curves.y), curves: lines.collect() }
}

fn bars_json(bars: &Bars) -> BarsFigures<'_> {
    BarsFigures {
        x: label(&bars.x),
        y: label(&bars.y),
        edges: bars.edges.iter().map(|edge| number(*edge)).collect(),
        layers: bars.layers.iter().map(|layer| (&layer.label, layer.counts.as_slice())).collect(),
    }
}

fn reliability_json(reliability: &Reliability) -> Vec<BinFigures> {
    let bin = |bin: &ReliabilityBin| BinFigures {
        expected: number(bin.expected),
        happened: whisker_json(bin.happened),
        n: bin.n,
    };
    reliability.bins.iter().map(bin).collect()
}

fn board_json(board: &BoardBlock) -> ReportBoard<'_> {
    let picture = &board.picture;
    let shape = picture.setup.shape();
    let Marks { moves, highlights, heat, .. } = &picture.marks;
    let has = |cell: tafl_rules::Cell| cell.index() < shape.n_cells();
    let moves = moves.iter().filter(|mv| has(mv.from) && has(mv.to));
    let heat = heat
        .iter()
        .filter(|heat| has(heat.cell))
        .map(|heat| (shape.name(heat.cell), HeatFigures { level: heat.level, label: heat.label.as_deref() }));
    let highlights = highlights.iter().filter(|note| has(note.cell)).map(|note| {
        (shape.name(note.cell), HighlightFigures { kind: note.kind.word(), label: note.label.as_deref() })
    });
    ReportBoard {
        title: &board.title,
        note: &board.note,
        position: picture.setup.to_string(),
        moves: moves.map(|mv| mv.display(shape).to_string()).collect(),
        heat: heat.collect(),
        highlights: highlights.collect(),
    }
}
