//! The data quality report: defects of a corpus.

use tafl_corpus::{Code, record_place};
use tafl_rules::counted;

use super::formatting::{self, games};
use crate::document::{Block, NumberFormat, Provenance, Report, Row, Section, Table, TableCell};
use crate::measure::health::{HealthCause, HealthFindings, MIN_LINE_PLIES, RecordLocation};
use crate::stats::Rate;

/// Returns the report on the defects of a corpus.
pub fn health_report(found: &HealthFindings, provenance: Provenance) -> Report {
    let mut report = Report::new("health", "Data quality of the corpus", provenance);
    report.summary = vec![
        format!(
            "{} stored; {} rejected (identical records count once); {} of stored games, which {} not stored again.",
            games(found.games),
            counted(found.rejected, "record", "records"),
            counted(found.copies, "copy", "copies"),
            if found.copies == 1 { "is" } else { "are" }
        ),
        format!(
            "{} explained faults, and {} only notes; {} impossible data.",
            counted(found.with_faults, "stored game has", "stored games have"),
            counted(found.with_diagnostics - found.with_faults, "other has", "others have"),
            counted(found.with_impossible, "game has", "games have")
        ),
    ];
    report.with([
        Section::new("completeness", "Completeness").with([Block::Table(completeness(found))]),
        Section::new("rejected", "Rejected records")
            .with([Block::Table(rejection_causes(found)), Block::Table(sources(found))]),
        Section::new("faults", "Diagnostics of stored games")
            .with([Block::Table(games_by_severity(found)), Block::Table(diagnostics(found))]),
        Section::new("repeated", "Copies and repeated games")
            .with([Block::Table(copies(found)), Block::Table(repeated(found))]),
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

/// Returns the name of the code of a cause.
fn name(cause: &HealthCause) -> TableCell {
    Code::find(&cause.code).map_or(TableCell::Empty, |code| TableCell::text(code.name()))
}

fn rejection_causes(found: &HealthFindings) -> Table {
    let mut table = Table::new("causes", "Reasons", "code")
        .column("name", "name", NumberFormat::Text)
        .column("records", "records", NumberFormat::Count)
        .column("examples", "examples", NumberFormat::Text)
        .noted(
            "A record can have several codes. Records with the same notation and text count once here, but `tafl import` counts each \
             of them, so its numbers are larger if an archive contains a rejected record twice or was imported twice. \
             `tafl import --retry` tries rejected records again; only this removes those that can be stored now. \
             `tafl validate --explain CODE` explains a code.",
        );
    for cause in &found.causes {
        table.push(&cause.code, [name(cause), TableCell::Count(cause.n), places(&cause.examples)]);
    }
    table
}

/// Returns the table of stored games by their most severe diagnostic. Its rows add up to all stored games.
fn games_by_severity(found: &HealthFindings) -> Table {
    let mut table = Table::new("severity", "Stored games", "diagnostics")
        .column("games", "games", NumberFormat::Count)
        .column("proportion", "proportion", NumberFormat::Percent)
        .noted(
            "Faults are errors, warnings, and reconstructed steps. Each fault of a stored game is explained; `tafl import` calls these \
             games those with explained deviations. Records with unexplained faults are rejected.",
        );
    let HealthFindings { games, with_diagnostics, with_faults, .. } = *found;
    let rows = [
        ("faults", "with explained faults", with_faults),
        ("notes", "with notes only", with_diagnostics - with_faults),
        ("none", "without diagnostics", games - with_diagnostics),
    ];
    for (key, label, n) in rows {
        table.push_keyed(key, label, [TableCell::Count(n), formatting::proportion(Rate::of(n, games))]);
    }
    table
}

fn diagnostics(found: &HealthFindings) -> Table {
    let mut table = Table::new("explained", "Diagnostics", "code")
        .column("name", "name", NumberFormat::Text)
        .column("severity", "severity", NumberFormat::Text)
        .column("records", "games with it", NumberFormat::Count)
        .column("with_faults", "of these, games with faults", NumberFormat::Count)
        .column("examples", "examples", NumberFormat::Text)
        .noted(
            "A game can have several diagnostics, so these numbers add up to more than the number of games. A note is a fault only \
             if it reports reconstructed steps, so more games can have a code than have faults.",
        );
    for cause in &found.explained {
        let severity = Code::find(&cause.code)
            .map_or(TableCell::Empty, |code| TableCell::text(code.severity().as_str()));
        let counts = [TableCell::Count(cause.n), TableCell::Count(cause.with_faults)];
        let cells = [name(cause), severity].into_iter().chain(counts);
        table.push(&cause.code, cells.chain([places(&cause.examples)]));
    }
    table
}

fn sources(found: &HealthFindings) -> Table {
    let mut table = Table::new("sources", "Rejected records by file", "file")
        .column("records", "records", NumberFormat::Count)
        .noted("A rejected record that is in several files counts for the first one.");
    for (source, n) in &found.rejected_by_source {
        table.push(source, [TableCell::Count(*n)]);
    }
    table
}

/// Returns the numbers of copies, with their names in other commands.
fn copies(found: &HealthFindings) -> Table {
    let mut table = Table::new("copies", "Copies", "kind")
        .column("n", "number", NumberFormat::Count)
        .column("meaning", "meaning", NumberFormat::Text)
        .noted(
            "The rows overlap, so they do not add up. Moves are compared up to the symmetries of the rules. docs/corpus.md defines copies \
             and possible copies.",
        );
    let rows = [
        (
            "copies",
            "copies that are not stored",
            found.copies,
            "records of a stored game, noted there; tafl import counts them as copies of stored games",
        ),
        (
            "possible_copies",
            "stored games marked as copies or possible copies",
            found.possible_copies,
            "the column duplicate_of has the number of the other game; tafl import calls them possible copies",
        ),
        (
            "repeated",
            "stored games with the moves of another one",
            found.repeated,
            "all but one of each line of play, whether marked or not; games of other players, or with another date or ID, are not marked",
        ),
    ];
    for (key, label, n, meaning) in rows {
        table.push_keyed(key, label, [TableCell::Count(n), TableCell::text(meaning)]);
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
