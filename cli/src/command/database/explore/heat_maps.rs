//! Heat maps as text and as a picture.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tafl_reports::{BoardPicture, ContactSheet, HeatMap, RankOne, View};
use tafl_rules::{Coord, Count, Shape, counted};
use taflbase::database::CountedHeatMaps;
use taflbase::escape::escape;

/// Returns the maps as grids of percentages.
pub(super) fn text(counted_maps: &CountedHeatMaps) -> String {
    let found = &counted_maps.found;
    let mut out = format!("{}\n", escape(&head(counted_maps)));
    for map in &found.maps {
        let _ = writeln!(out, "\n{}", title(map));
        if map.total > 0 {
            grid(found.shape, &map.proportions, &mut out);
        }
    }
    out
}

/// Returns the maps as a sheet of boards.
pub(super) fn svg(counted_maps: &CountedHeatMaps) -> String {
    let rules = counted_maps.rules.book.rules();
    let board = |map: &HeatMap| BoardPicture {
        caption: Some(title(map)),
        ..BoardPicture::heat_map(rules, &map.proportions)
    };
    let boards = counted_maps.found.maps.iter().map(board).collect();
    ContactSheet { title: Some(head(counted_maps)), boards }.to_svg()
}

/// Returns the variant, the number of games, and the meaning of the numbers.
fn head(counted_maps: &CountedHeatMaps) -> String {
    let found = &counted_maps.found;
    let averaged = match found.symmetries {
        0 | 1 => String::new(),
        n => format!(", averaged over {n} symmetries"),
    };
    let (games, plies) = (counted(found.games, "game", "games"), counted(found.plies, "ply", "plies"));
    format!("{}: {games}, {plies}; percentages of events{averaged}", counted_maps.rules.variant.name())
}

fn title(map: &HeatMap) -> String {
    format!("{} (n = {} {})", map.kind.title(), Count(map.total), map.kind.events())
}

/// Writes a row for each rank, in the order in which boards are drawn, and the letters of the files. On hexagonal boards, the
/// files are not below each other, so each row begins with the name of its first cell.
fn grid(shape: Shape, proportions: &[f64], out: &mut String) {
    let mut ranks: BTreeMap<i16, Vec<(Coord, String)>> = BTreeMap::new();
    for (cell, proportion) in shape.cells().zip(proportions) {
        let coord = shape.coord(cell);
        let text = match proportion * 100.0 {
            percent if percent >= 0.05 => format!("{percent:.1}"),
            _ => ".".to_owned(),
        };
        ranks.entry(coord.rank).or_default().push((coord, text));
    }
    let mut rows: Vec<_> = ranks.into_iter().collect();
    if View::usual(shape).rank_one == RankOne::Bottom {
        rows.reverse();
    }
    let is_square = matches!(shape, Shape::Square { .. });
    let mut files = String::new();
    for (rank, mut cells) in rows {
        cells.sort_unstable_by_key(|(coord, _)| coord.file);
        let first = cells.first().map(|(coord, _)| coord.to_string()).filter(|_| !is_square);
        let label = first.unwrap_or_else(|| (rank + 1).to_string());
        let texts: String = cells.iter().map(|(_, text)| format!("{text:>6}")).collect();
        let _ = writeln!(out, "{label:>3}{texts}");
        files = cells.iter().map(|(coord, _)| format!("{:>6}", &coord.to_string()[..1])).collect();
    }
    if is_square {
        let _ = writeln!(out, "   {files}");
    }
}
