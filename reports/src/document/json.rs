//! Reports as JSON: every figure with all its digits, under names that stay.

use serde_json::{Map, Value, json};

use super::cell::Cell;
use super::{Block, BoardBlock, Report, Section, Table};
use crate::board::Marks;
use crate::plot::{Axis, Bars, Chart, CurvePlot, Forest, Plot, Reliability, Whisker};

/// The word by which a report is recognized.
pub(crate) const FORMAT: &str = "taflbase-report";

/// The version of the JSON form. It rises when a name changes its meaning.
pub(crate) const VERSION: u64 = 1;

impl Report {
    /// Returns the report as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "title": self.title,
            "summary": self.summary,
            "provenance": self.provenance_json(),
            "sections": keyed(self.sections.iter().map(|section| (section.key.clone(), section_json(section)))),
        })
    }

    fn provenance_json(&self) -> Value {
        let facts = self.provenance.facts.iter();
        json!({
            "program": self.provenance.version,
            "command": self.provenance.command,
            "facts": keyed(facts.map(|fact| (fact.key.clone(), Value::from(fact.value.clone())))),
        })
    }
}

/// Returns an object; a name that is there already gets a number.
fn keyed(entries: impl Iterator<Item = (String, Value)>) -> Value {
    let mut map = Map::new();
    for (key, value) in entries {
        let mut free = key.clone();
        let mut number = 1;
        while map.contains_key(&free) {
            number += 1;
            free = format!("{key} {number}");
        }
        map.insert(free, value);
    }
    Value::Object(map)
}

fn section_json(section: &Section) -> Value {
    let mut text = Vec::new();
    let mut parts: [Vec<(String, Value)>; 3] = Default::default();
    for block in &section.blocks {
        match block {
            Block::Heading(_) => {}
            Block::Prose(prose) => text.push(json!({ "prose": prose })),
            Block::Warning(warning) => text.push(json!({ "warning": warning })),
            Block::Table(table) => parts[0].push((table.key.clone(), table_json(table))),
            Block::Plot(plot) => parts[1].push((plot.key.clone(), plot_json(plot))),
            Block::Board(board) => parts[2].push((board.key.clone(), board_json(board))),
        }
    }
    let [tables, plots, boards] = parts.map(|part| keyed(part.into_iter()));
    json!({ "title": section.title, "text": text, "tables": tables, "plots": plots, "boards": boards })
}

fn table_json(table: &Table) -> Value {
    let rows = table.rows.iter().map(|row| {
        let cells = table.columns.iter().zip(&row.cells);
        let cells = cells.map(|(column, cell)| (column.key.clone(), cell_json(cell)));
        (row.key.clone(), json!({ "label": row.label, "cells": keyed(cells) }))
    });
    let columns =
        table.columns.iter().map(|column| (column.key.clone(), Value::from(column.heading.clone())));
    json!({ "title": table.title, "note": table.note, "columns": keyed(columns), "rows": keyed(rows) })
}

/// Returns a number; null where it is not finite.
fn number(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number)
}

fn cell_json(cell: &Cell) -> Value {
    match cell {
        Cell::Empty => Value::Null,
        Cell::Missing(why) => json!({ "missing": why }),
        Cell::Text(text) => Value::from(text.clone()),
        Cell::Count(count) => Value::from(*count),
        Cell::Number(value) => number(*value),
        Cell::Estimate { value, low, high } => {
            json!({ "value": number(*value), "low": number(*low), "high": number(*high) })
        }
        Cell::Share { hits, n, low, high } => json!({
            "value": cell.value().map_or(Value::Null, number),
            "low": number(*low), "high": number(*high), "hits": hits, "n": n,
        }),
    }
}

fn plot_json(plot: &Plot) -> Value {
    let (kind, data) = match &plot.chart {
        Chart::Forest(forest) => ("forest", forest_json(forest)),
        Chart::Curves(curves) => ("curves", curves_json(curves)),
        Chart::Bars(bars) => ("bars", bars_json(bars)),
        Chart::Reliability(reliability) => ("reliability", reliability_json(reliability)),
    };
    json!({ "title": plot.title, "note": plot.note, "kind": kind, "data": data })
}

fn axis_json(axis: &Axis) -> Value {
    Value::from(axis.label.clone())
}

fn whisker_json(whisker: Option<Whisker>) -> Value {
    whisker.map_or(Value::Null, |Whisker { value, low, high }| {
        json!({ "value": number(value), "low": number(low), "high": number(high) })
    })
}

fn forest_json(forest: &Forest) -> Value {
    let rows = forest.rows.iter().map(|row| {
        let row_json =
            json!({ "n": row.n, "first": whisker_json(row.whisker), "second": whisker_json(row.second) });
        (row.label.clone(), row_json)
    });
    let reference = forest.reference.as_ref().map_or(Value::Null, |(value, _)| number(*value));
    json!({ "axis": axis_json(&forest.axis), "reference": reference, "rows": keyed(rows) })
}

fn curves_json(curves: &CurvePlot) -> Value {
    let lines = curves.curves.iter().map(|curve| {
        let points = curve.points.iter().map(|point| {
            let ends = point.interval.map_or(Value::Null, |(low, high)| json!([number(low), number(high)]));
            json!([number(point.x), number(point.y), ends])
        });
        (curve.label.clone(), json!({ "n": curve.n, "points": points.collect::<Vec<Value>>() }))
    });
    json!({ "x": axis_json(&curves.x), "y": axis_json(&curves.y), "curves": keyed(lines) })
}

fn bars_json(bars: &Bars) -> Value {
    let layers = bars.layers.iter().map(|layer| (layer.label.clone(), Value::from(layer.counts.clone())));
    let edges: Vec<Value> = bars.edges.iter().map(|edge| number(*edge)).collect();
    json!({ "x": axis_json(&bars.x), "y": axis_json(&bars.y), "edges": edges, "layers": keyed(layers) })
}

fn reliability_json(reliability: &Reliability) -> Value {
    let bin = |bin: &crate::plot::ReliabilityBin| json!({ "expected": number(bin.expected), "happened": whisker_json(Some(bin.happened)), "n": bin.n });
    Value::from(reliability.bins.iter().map(bin).collect::<Vec<Value>>())
}

fn board_json(board: &BoardBlock) -> Value {
    let picture = &board.picture;
    let shape = picture.setup.shape();
    let Marks { moves, highlights, heat, .. } = &picture.marks;
    let has = |cell: tafl_rules::Cell| cell.index() < shape.n_cells();
    let moves = moves
        .iter()
        .filter(|mv| has(mv.from) && has(mv.to))
        .map(|mv| Value::from(mv.text(shape).to_string()));
    let cells = heat
        .iter()
        .filter(|heat| has(heat.cell))
        .map(|heat| (shape.name(heat.cell), json!({ "level": heat.level, "label": heat.label })));
    let notes = highlights
        .iter()
        .filter(|note| has(note.cell))
        .map(|note| (shape.name(note.cell), json!({ "kind": note.kind.word(), "label": note.label })));
    json!({
        "title": board.title, "note": board.note, "position": picture.setup.to_string(),
        "moves": moves.collect::<Vec<Value>>(), "heat": keyed(cells), "highlights": keyed(notes),
    })
}
