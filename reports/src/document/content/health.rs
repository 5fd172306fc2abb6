//! The data quality report: defects of a corpus.

use super::words::{self, counted, games};
use crate::document::{Block, Cell, Provenance, Report, Row, Section, Style, Table};
use crate::measure::health::{Example, Health, HealthCause};

/// Returns the report on the defects of a corpus.
pub fn health_report(found: &Health, provenance: Provenance) -> Report {
    let mut report = Report::new("health", "Is the corpus sound?", provenance);
    report.summary = vec![
        format!(
            "{} stored; {} that could not be stored; {} of stored games.",
            games(found.games),
            counted(found.rejected, "record", "records"),
            counted(found.copies, "copy", "copies")
        ),
        format!(
            "Of the stored games, {} faults in their records, each with a reason, and {} something impossible.",
            counted(found.with_faults, "game has", "games have"),
            counted(found.with_impossible, "game states", "games state")
        ),
    ];
    report.with([
        Section::new("completeness", "What the records say").with([Block::Table(completeness(found))]),
        Section::new("rejected", "What could not be stored")
            .with([Block::Table(causes(("causes", "Why"), &found.causes)), Block::Table(sources(found))]),
        Section::new("faults", "Faults of stored games")
            .with([Block::Table(causes(("explained", "What was found"), &found.explained))]),
        Section::new("repeated", "Games that are the same").with([
            Block::Prose(format!(
                "{} with the same moves as another one, by other players or at another time.",
                games(found.repeated)
            )),
            Block::Table(repeated(found)),
        ]),
        Section::new("impossible", "What cannot be").with([Block::Table(impossible(found))]),
    ])
}

fn completeness(found: &Health) -> Table {
    let mut table = Table::new("completeness", "How much is known", "which games")
        .column("games", "games", Style::Count)
        .column("share", "share", Style::Percent);
    let rows = [
        ("without an end", found.unfinished),
        ("ended on time", found.on_time),
        ("with both players named", found.with_players),
        ("with a year", found.with_year),
        ("with ratings of both players", found.with_ratings),
        (
            "begun at another start than that of the rules",
            crate::stats::Rate::of(found.from_elsewhere, found.games),
        ),
    ];
    for (label, rate) in rows {
        table.push(label, [Cell::Count(rate.map_or(0, |rate| rate.hits)), words::share(rate)]);
    }
    table
}

fn places(examples: &[Example]) -> Cell {
    let place = |example: &Example| format!("{}:{}", example.source, example.place);
    Cell::Text(examples.iter().map(place).collect::<Vec<String>>().join(", "))
}

fn causes((key, title): (&str, &str), causes: &[HealthCause]) -> Table {
    let mut table = Table::new(key, title, "code")
        .column("records", "records", Style::Count)
        .column("examples", "the first of them", Style::Text)
        .noted("`tafl validate --explain CODE` says what a code means.");
    for cause in causes {
        table.push(&cause.code, [Cell::Count(cause.n), places(&cause.examples)]);
    }
    table
}

fn sources(found: &Health) -> Table {
    let mut table =
        Table::new("sources", "Where they stand", "file").column("records", "records", Style::Count);
    for (source, n) in &found.rejected_by_source {
        table.push(source, [Cell::Count(*n)]);
    }
    table
}

fn repeated(found: &Health) -> Table {
    let mut table = Table::new("repeated", "Lines of play that occur most often", "the first of them")
        .column("times", "times", Style::Count);
    for (example, n) in &found.most_repeated {
        let label = format!("{}:{}", example.source, example.place);
        table.push_row(Row { key: label.clone(), label, link: None, cells: vec![Cell::Count(*n)] });
    }
    table
}

fn impossible(found: &Health) -> Table {
    let mut table = Table::new("impossible", "What cannot be", "what")
        .column("games", "games", Style::Count)
        .column("examples", "the first of them (segment and row)", Style::Text);
    for impossible in &found.impossible {
        let places: Vec<String> =
            impossible.examples.iter().map(|(segment, row)| format!("{segment}/{row}")).collect();
        table.push(impossible.what.words(), [Cell::Count(impossible.n), Cell::Text(places.join(", "))]);
    }
    table
}
