//! The data quality report: defects of a corpus.

use tafl_corpus::{Code, record_place};

use super::formatting::{self, counted, games};
use crate::document::{Block, NumberFormat, Provenance, Report, Row, Section, Table, TableCell};
use crate::measure::health::{HealthCause, HealthFindings, MIN_LINE_PLIES, RecordLocation};
use crate::stats::Rate;

/// Returns the report on the defects of a corpus.
pub fn health_report(found: &HealthFindings, provenance: Provenance) -> Report {
    let mut report = Report::new("health", "Data quality of the corpus", provenance);
    report.summary = vec![
        format!(
            "{} stored; {} rejected; {} of stored games.",
            games(found.games),
            counted(found.rejected, "record", "records"),
            counted(found.copies, "duplicate", "duplicates")
        ),
        format!(
            "{} faults with an explanation; {} impossible data.",
            counted(found.with_faults, "stored game has", "stored games have"),
            counted(found.with_impossible, "game has", "games have")
        ),
    ];
    report.with([
        Section::new("completeness", "Completeness").with([Block::Table(completeness(found))]),
        Section::new("rejected", "Rejected records")
            .with([Block::Table(causes("causes", "Reasons", &found.causes)), Block::Table(sources(found))]),
        Section::new("faults", "Faults of stored games")
            .with([Block::Table(causes("explained", "Diagnostics", &found.explained))]),
        Section::new("repeated", "Repeated games").with([
            Block::Prose(format!(
                "{} the same moves as another stored game. An import stores such a game if its players, date, or ID differ, if the game \
                 is short and only its moves match, or if --duplicates keeps copies.",
                counted(found.repeated, "game has", "games have")
            )),
            Block::Table(repeated(found)),
        ]),
        Section::new("impossible", "Impossible data").with([Block::Table(impossible(found))]),
    ])
}

fn completeness(found: &HealthFindings) -> Table {
    let mut table = Table::new("completeness", "Completeness", "property")
        .column("games", "games", NumberFormat::Count)
        .column("share", "proportion", NumberFormat::Percent);
    let rows = [
        ("without an end", "unfinished", found.unfinished),
        ("ended on time", "ended by timeout", found.by_timeout),
        ("with both players named", "with the names of both players", found.with_players),
        ("with a year", "with a year", found.with_year),
        ("with ratings of both players", "with the ratings of both players", found.with_ratings),
        (
            "begun at another start than that of the rules",
            "from a nonstandard start position",
            Rate::of(found.other_starts.position, found.games),
        ),
        (
            "first move by another side than that of the rules",
            "in which the wrong side moved first",
            Rate::of(found.other_starts.first_mover, found.games),
        ),
        (
            "with unreadable rules",
            "with rules that cannot be read",
            Rate::of(found.other_starts.unknown_rules, found.games),
        ),
    ];
    for (key, label, rate) in rows {
        table.push_keyed(
            key,
            label,
            [TableCell::Count(rate.map_or(0, |rate| rate.hits)), formatting::proportion(rate)],
        );
    }
    table
}

fn places(examples: &[RecordLocation]) -> TableCell {
    TableCell::Text(examples.iter().map(place).collect::<Vec<String>>().join(", "))
}

fn place(example: &RecordLocation) -> String {
    match example.place {
        0 => example.source.clone(),
        line => record_place(&example.source, line),
    }
}

fn causes(key: &str, title: &str, causes: &[HealthCause]) -> Table {
    let mut table = Table::new(key, title, "code")
        .column("name", "name", NumberFormat::Text)
        .column("records", "records", NumberFormat::Count)
        .column("examples", "examples", NumberFormat::Text)
        .noted("`tafl validate --explain CODE` explains a code.");
    for cause in causes {
        let name = Code::find(&cause.code).map_or(TableCell::Empty, |code| TableCell::text(code.name()));
        table.push(&cause.code, [name, TableCell::Count(cause.n), places(&cause.examples)]);
    }
    table
}

fn sources(found: &HealthFindings) -> Table {
    let mut table = Table::new("sources", "Rejected records by file", "file").column(
        "records",
        "records",
        NumberFormat::Count,
    );
    for (source, n) in &found.rejected_by_source {
        table.push(source, [TableCell::Count(*n)]);
    }
    table
}

fn repeated(found: &HealthFindings) -> Table {
    let title = format!("Most frequent lines of play of at least {MIN_LINE_PLIES} plies");
    let mut table = Table::new("repeated", &title, "first occurrence")
        .column("times", "times", NumberFormat::Count)
        .noted("At most ten. Shorter lines of play are repeated by chance.");
    for (example, n) in &found.most_repeated {
        let label = place(example);
        table.push_row(Row { key: label.clone(), label, link: None, cells: vec![TableCell::Count(*n)] });
    }
    table
}

fn impossible(found: &HealthFindings) -> Table {
    let mut table = Table::new("impossible", "Impossible data", "problem")
        .column("games", "games", NumberFormat::Count)
        .column("examples", "examples (game IDs)", NumberFormat::Text)
        .noted("`tafl export CORPUS --game ID` writes the record of a game.");
    for impossible in &found.impossible {
        let places: Vec<String> = impossible.examples.iter().map(ToString::to_string).collect();
        table.push(
            impossible.what.as_str(),
            [TableCell::Count(impossible.n), TableCell::Text(places.join(", "))],
        );
    }
    table
}
