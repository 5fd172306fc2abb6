//! The report on a tournament: crosstables with tie-breaks, and the standings of groups.

use tafl_rules::{counted, word_list};

use super::formatting::{count, games};
use crate::document::{Block, NumberFormat, Provenance, Report, Section, Table, TableCell};
use crate::measure::crosstable::{Crosstable, CrosstableLine};
use crate::measure::standings::GroupTable;
use crate::measure::tie_break::{TieBreak, TieBreakValue};
use crate::measure::win_length::WinLength;

/// The note of players whom the shortest win does not separate.
const UNDECIDED: &str = "undecided: the solver could not determine how many plies a win that was cut short would have taken, \
                         so the players share a place.";

/// Returns the crosstables of the groups of a tournament: one, or one for each group after the standings.
pub fn crosstable_report(found: &[GroupTable], provenance: Provenance) -> Report {
    let mut report = Report::new("crosstable", "Crosstable", provenance);
    match found {
        [] => {
            report.summary =
                vec!["No game names two different players, so there is no crosstable.".to_owned()];
            report
        }
        [one] => {
            report.summary = vec![format!("Listed: {}; {}.", players(&one.table), leader(&one.table))];
            report.with([Section::new("crosstable", "Crosstable").with(blocks(&one.table))])
        }
        groups => {
            report.summary = vec![format!("{} groups.", groups.len())];
            for group in groups {
                report.summary.push(format!(
                    "{}: {}, {}; {}.",
                    title(group),
                    players(&group.table),
                    games(group.table.lines.iter().map(|line| line.games).sum::<u64>() / 2),
                    leader(&group.table)
                ));
            }
            let all = Section::new("standings", "Standings").with([Block::Table(all_standings(groups))]);
            let own = groups.iter().map(|group| {
                Section::new(&format!("group_{}", group.name), &title(group)).with(blocks(&group.table))
            });
            report.with(std::iter::once(all).chain(own))
        }
    }
}

/// Returns the name of a group for people.
fn title(group: &GroupTable) -> String {
    match group.name.as_str() {
        "" => "Without a group".to_owned(),
        name if name.starts_with("round ") => name.replacen('r', "R", 1),
        name if name.chars().all(|sign| sign.is_ascii_digit()) => format!("Group {name}"),
        name => name.to_owned(),
    }
}

/// Returns the number of players, and of which, if games against others are not counted.
fn players(found: &Crosstable) -> String {
    let listed = found.lines.len() as u64;
    match found.omitted {
        0 => counted(listed, "player", "players"),
        omitted => {
            format!("the {listed} of {} with the most games", counted(listed + omitted, "player", "players"))
        }
    }
}

/// The most players who are named as leaders.
const MAX_LEADERS: usize = 5;

fn leader(found: &Crosstable) -> String {
    let first: Vec<&str> =
        found.lines.iter().filter(|line| line.place == 1).map(|line| line.name.as_str()).collect();
    // Without their games against others, another player may lead.
    let among = if found.omitted > 0 { " among these" } else { "" };
    match first.as_slice() {
        [one] => format!("{one} leads{among}"),
        several if several.len() > MAX_LEADERS => {
            format!("{} share the lead{among}", counted(several.len() as u64, "player", "players"))
        }
        several => format!("{} share the lead{among}", word_list(several, "and")),
    }
}

fn blocks(found: &Crosstable) -> Vec<Block> {
    let mut blocks = Vec::new();
    if found.omitted > 0 {
        blocks.push(Block::Warning(format!(
            "Excluded: {} with fewer games, and the games against them, so these are not the standings of all players. With --limit, \
             more are included.",
            counted(found.omitted, "player", "players")
        )));
    }
    if found.unfinished > 0 {
        blocks.push(Block::Warning(format!(
            "Not counted: {}.",
            counted(found.unfinished, "unfinished game", "unfinished games")
        )));
    }
    if !found.has_cells {
        blocks.push(Block::Prose(format!(
            "The results of each pair of players are left out, because there are {} players. With --limit N, they are shown for the N \
             players with the most games, whose games against others are then not counted.",
            count(found.lines.len() as u64)
        )));
    }
    blocks.push(Block::Table(cross(found)));
    blocks
}

/// Returns the key and the name of a tie-break.
const fn labels_of(by: TieBreak) -> (&'static str, &'static str) {
    match by {
        TieBreak::Direct => ("direct", "direct encounter"),
        TieBreak::SonnebornBerger => ("sonneborn_berger", "Sonneborn-Berger"),
        TieBreak::Buchholz => ("buchholz", "Buchholz"),
        TieBreak::Wins => ("wins", "wins"),
        TieBreak::ShortestWin => ("shortest_win", "shortest win (plies)"),
    }
}

fn with_columns(mut table: Table, tie_breaks: &[TieBreak]) -> Table {
    table = table
        .column("place", "place", NumberFormat::Count)
        .column("games", "games", NumberFormat::Count)
        .column("points", "points", NumberFormat::Number(1));
    for by in tie_breaks {
        let format = match by {
            TieBreak::SonnebornBerger => NumberFormat::Number(2),
            TieBreak::Direct | TieBreak::Buchholz => NumberFormat::Number(1),
            TieBreak::Wins | TieBreak::ShortestWin => NumberFormat::Count,
        };
        let (key, heading) = labels_of(*by);
        table = table.column(key, heading, format);
    }
    table
}

fn cells(line: &CrosstableLine, tie_breaks: &[TieBreak]) -> Vec<TableCell> {
    let mut cells = vec![
        TableCell::Count(u64::from(line.place)),
        TableCell::Count(line.games),
        TableCell::number(line.points),
    ];
    let value = |(by, value): (&TieBreak, &TieBreakValue)| match value {
        TieBreakValue::Points(wins) if *by == TieBreak::Wins => TableCell::Count(*wins as u64),
        TieBreakValue::Points(points) => TableCell::number(*points),
        TieBreakValue::Length(None) => TableCell::Missing("no win".to_owned()),
        TieBreakValue::Length(Some(length)) => length_cell(*length, line.is_undecided),
        TieBreakValue::Unused => TableCell::Empty,
    };
    cells.extend(tie_breaks.iter().zip(&line.tie_breaks).map(value));
    cells
}

fn length_cell(length: WinLength, is_undecided: bool) -> TableCell {
    let text = match (length.known(), length.max) {
        (Some(plies), _) if !is_undecided => return TableCell::Count(u64::from(plies)),
        (Some(plies), _) => plies.to_string(),
        (None, Some(max)) => format!("{} to {max}", length.min),
        (None, None) => format!("{} or more", length.min),
    };
    TableCell::Missing(if is_undecided { format!("{text}, undecided") } else { text })
}

/// Returns the note about tie-breaks.
fn note(found: &Crosstable) -> String {
    let name = |by: &TieBreak| labels_of(*by).1.split(" (").next().unwrap_or_default().to_owned();
    let names: Vec<String> = found.tie_breaks.iter().map(name).collect();
    let by = match names.as_slice() {
        [] => "Players with the same number of points share a place.".to_owned(),
        [one] => format!("Ties are broken by {one}."),
        several => format!("Ties are broken by {}, in this order.", word_list(several, "and")),
    };
    let mut note = format!("A win counts one point, a draw half a point. {by}");
    if !found.tie_breaks.is_empty() {
        note += " A tie-break is applied only to players who are still tied; a dash means that it was not applied.";
    }
    if found.lines.iter().any(|line| line.is_undecided) {
        note = format!("{note} {UNDECIDED}");
    }
    note
}

/// The most columns of opponents that have names as headings; more have numbers.
const MAX_NAMED_COLUMNS: usize = 16;

fn cross(found: &Crosstable) -> Table {
    let title =
        if found.has_cells { "Points of each player against each other" } else { "Points of each player" };
    let is_numbered = found.has_cells && found.lines.len() > MAX_NAMED_COLUMNS;
    let mut table = Table::new("crosstable", title, "player");
    if is_numbered {
        table = table.column("number", "no.", NumberFormat::Count);
    }
    table = with_columns(table, &found.tie_breaks);
    for (number, line) in (1..).zip(&found.lines).filter(|_| found.has_cells) {
        let heading = if is_numbered { format!("{number}") } else { format!("{number}. {}", line.name) };
        table = table.column(&format!("against_{number}"), &heading, NumberFormat::Text);
    }
    let mut notes = note(found);
    if found.has_cells {
        notes += " 1.5/2: one and a half points in two games.";
    }
    if is_numbered {
        notes += " The last columns are the players with these numbers.";
    }
    table = table.noted(&notes);
    for (number, line) in (1_u64..).zip(&found.lines) {
        let against = line.cells.iter().map(|cell| match cell.games {
            0 => TableCell::Empty,
            n => TableCell::Text(format!("{}/{n}", cell.points)),
        });
        let number = is_numbered.then_some(TableCell::Count(number)).into_iter();
        table.push(&line.name, number.chain(cells(line, &found.tie_breaks)).chain(against));
    }
    table
}

/// Returns the lines of all groups.
fn all_standings(groups: &[GroupTable]) -> Table {
    let tie_breaks = groups.first().map_or(&[][..], |group| &group.table.tie_breaks);
    let table = Table::new("standings", "Standings", "player").column("group", "group", NumberFormat::Text);
    let mut table = with_columns(table, tie_breaks);
    let mut is_undecided = false;
    for group in groups {
        for line in &group.table.lines {
            is_undecided |= line.is_undecided;
            let own = std::iter::once(TableCell::text(title(group)));
            table.push_keyed(
                &format!("{} / {}", group.name, line.name),
                &line.name,
                own.chain(cells(line, tie_breaks)),
            );
        }
    }
    let first = groups.first().map(|group| note(&group.table)).unwrap_or_default();
    let note = first.replace(UNDECIDED, "");
    let note = if is_undecided { format!("{} {UNDECIDED}", note.trim()) } else { note };
    table.noted(note.trim())
}
