//! Reports as JSON: all figures with all digits, under stable names.

use serde_json::Value;

use super::cell::TableCell;
use super::json_form::{
    BarsFigures, BinFigures, CurveFigures, CurvesFigures, ForestFigures, ForestRowFigures, HeatFigures,
    HighlightFigures, PlaneFigures, PlanePointFigures, PlotFigures, PointFigures, ReportBoard, ReportCell,
    ReportDocument, ReportFigure, ReportInterval, ReportParagraph, ReportPlot, ReportProvenance, ReportRow,
    ReportSection, ReportTable, TreeFigures, TreeJoinFigures,
};
use super::{Block, BoardBlock, Report, Section, Table};
use crate::board::Marks;
use crate::plot::{
    Axis, Bars, Chart, CurvePlot, Dendrogram, DendrogramJoin, Forest, PlanePlot, PlanePoint, Plot,
    Reliability, ReliabilityBin, Whisker,
};

/// The format name that identifies a report.
pub(crate) const FORMAT: &str = "taflbase-report";

/// The version of the JSON form. It increases when a name changes its meaning.
pub(crate) const VERSION: u64 = 1;

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

fn cell_json(cell: &TableCell) -> Option<ReportCell<'_>> {
    Some(match cell {
        TableCell::Empty => return None,
        TableCell::Missing(why) => {
            ReportCell::Figure(ReportFigure { missing: Some(why), ..ReportFigure::default() })
        }
        TableCell::Text(text) => ReportCell::Text(text),
        TableCell::Count(count) => ReportCell::Count(*count),
        TableCell::Number(value) => ReportCell::Number(number(*value)?),
        TableCell::Estimate { value, low, high } => ReportCell::Figure(ReportFigure {
            interval: Some(interval(Some(*value), *low, *high)),
            ..ReportFigure::default()
        }),
        TableCell::Proportion { hits, n, low, high, .. } => ReportCell::Figure(ReportFigure {
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
        Chart::Plane(plane) => ("plane", PlotFigures::Plane(plane_json(plane))),
        Chart::Dendrogram(tree) => ("tree", PlotFigures::Tree(tree_json(tree))),
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
    let lines = curves.curves.iter().chain(&curves.scatter).map(|curve| {
        let points = curve.points.iter().map(|point| {
            let ends = point.interval.map(|(low, high)| [number(low), number(high)]);
            PointFigures(number(point.x), number(point.y), ends)
        });
        (&curve.label, CurveFigures { n: curve.n, points: points.collect() })
    });
    CurvesFigures { x: label(&curves.x), y: label(&curves.y), curves: lines.collect() }
}

fn bars_json(bars: &Bars) -> BarsFigures<'_> {
    let mut edges: Vec<Option<f64>> = bars.edges.iter().map(|edge| number(*edge)).collect();
    if let (true, Some(last)) = (bars.last_is_open, edges.last_mut()) {
        *last = None;
    }
    BarsFigures {
        x: label(&bars.x),
        y: label(&bars.y),
        edges,
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

fn plane_json(plane: &PlanePlot) -> PlaneFigures<'_> {
    let points = plane.points.iter().map(|point| {
        let PlanePoint { label, x, y, n, .. } = point;
        (&label.name, PlanePointFigures { x: number(*x), y: number(*y), n: *n })
    });
    PlaneFigures { x: label(&plane.x), y: label(&plane.y), points: points.collect() }
}

fn tree_json(tree: &Dendrogram) -> TreeFigures<'_> {
    let join = |join: &DendrogramJoin| TreeJoinFigures {
        parts: join.parts,
        height: number(join.height),
        support: join.support.and_then(number),
    };
    TreeFigures {
        axis: label(&tree.axis),
        rows: tree.rows.iter().map(|row| row.name.as_str()).collect(),
        joins: tree.joins.iter().map(join).collect(),
    }
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
        (shape.name(note.cell), HighlightFigures { kind: note.kind.as_str(), label: note.label.as_deref() })
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
