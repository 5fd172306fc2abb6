//! Hits as text.

use std::fmt::Write as _;

use tafl_corpus::{CountEstimate, GameResult, GameRow, HitRow, HitUnit, Total};
use tafl_parser::{ReasonSource, record_place};
use tafl_reports::{BoardPicture, Captured, Highlight, HighlightKind, Ink, LegendEntry, Marks, Zones};
use tafl_rules::{Count, RuleSet, counted};
use taflbase::database::SearchHits;

use taflbase::escape::escape;

use crate::io::{ColorMode, TextPaint};

/// Returns the number of hits.
pub(super) fn count(hits: &SearchHits) -> String {
    let found = hits.found();
    let games = counted(found.games.number(), "game", "games");
    if hits.query().is_about_games() {
        format!("{games}\n")
    } else {
        format!("{} in {games}\n", counted(found.total.number(), "hit", "hits"))
    }
}

/// Returns the hits of a page.
///
/// # Errors
///
/// Fails if a file of the corpus is damaged.
pub(super) fn write(hits: &SearchHits, style: ColorMode) -> taflbase::Result<String> {
    let mut out = String::new();
    let is_about_games = hits.query().is_about_games();
    for row in hits.rows()? {
        hit(&row, is_about_games, style, &mut out);
        out.push('\n');
    }
    summary(hits, &mut out);
    Ok(out)
}

fn summary(hits: &SearchHits, out: &mut String) {
    let found = hits.found();
    let is_by_game = hits.unit() == HitUnit::Game;
    let ((one, many), total) =
        if is_by_game { (("game", "games"), found.games) } else { (("hit", "hits"), found.total) };
    let (first, n) = (hits.offset(), found.hits.len() as u64);
    let shown = match n {
        1 => format!("{one} {}", Count(first + 1)),
        n => format!("{many} {} to {}", Count(first + 1), Count(first + n)),
    };
    let about = if matches!(total, Total::Exactly(_)) { "" } else { "about " };
    let in_games = if is_by_game && !hits.query().is_about_games() {
        format!(", with {about}{}{}", counted(found.total.number(), "hit", "hits"), interval(found.total))
    } else {
        String::new()
    };
    out.push_str(&match total {
        Total::Exactly(0) => "nothing found".to_owned(),
        Total::Exactly(total) if n == 0 && first < total => {
            format!("{}{in_games}; --limit 0 hides them", counted(total, one, many))
        }
        Total::Exactly(total) if n == 0 => {
            format!("{} in total, none after --offset", counted(total, one, many))
        }
        Total::Exactly(total) if n == total => format!("{}{in_games}", counted(total, one, many)),
        Total::Exactly(total) => format!("{shown} of {}{in_games}", Count(total)),
        Total::AtLeast(_) | Total::About(_) if n == 0 => {
            format!(
                "about {}{}{in_games}; --count counts them",
                counted(total.number(), one, many),
                interval(total)
            )
        }
        Total::AtLeast(_) | Total::About(_) => {
            format!(
                "{shown} of about {}{}{in_games}; --count counts them",
                Count(total.number()),
                interval(total)
            )
        }
    });
    out.push('\n');
}

/// Returns the interval of a number that is an estimate, in parentheses.
fn interval(total: Total) -> String {
    match total {
        Total::Exactly(_) | Total::AtLeast(_) => String::new(),
        Total::About(CountEstimate { low, high, .. }) => format!(" ({} to {})", Count(low), Count(high)),
    }
}

fn hit(row: &HitRow, is_about_games: bool, style: ColorMode, out: &mut String) {
    style.paint(TextPaint::Bold, &escape(&headline(&row.game)), out);
    out.push('\n');
    let mut line = format!("  game {}", row.game.game);
    if let Some(source) = &row.game.source {
        let place = row.game.place.map(|place| record_place(source, place.into()));
        let _ = write!(line, ", {}", place.as_deref().unwrap_or(source));
    }
    let _ = writeln!(out, "{}", escape(&line));
    let place = ply_and_side(row);
    let _ = match row.matches {
        _ if is_about_games => writeln!(out, "  the end, {place}"),
        Some(matches @ 2..) => writeln!(out, "  {place} (the first of {} hits in this game)", Count(matches)),
        _ => writeln!(out, "  {place}"),
    };
    if let Some(transform) = &row.detail.transform {
        let _ = writeln!(out, "  found {transform}");
    }
    for line in picture(row).to_text(if style == ColorMode::Plain { Ink::Plain } else { Ink::Ansi }).lines() {
        let _ = writeln!(out, "  {line}");
    }
}

/// Returns variant, players, event, date and result in a line.
fn headline(game: &GameRow) -> String {
    let unknown = || "?".to_owned();
    let name = |player: &Option<String>| player.clone().unwrap_or_else(unknown);
    let variant = game.variant.clone().unwrap_or_else(|| format!("other rules, {}", game.shape));
    let mut line = format!("{variant}: {} - {}", name(&game.attackers), name(&game.defenders));
    for part in [&game.event, &game.date].into_iter().flatten() {
        let _ = write!(line, ", {part}");
    }
    let _ = match game.result {
        GameResult::Attackers | GameResult::Defenders => write!(line, ", {} won", game.result.as_str()),
        GameResult::Draw | GameResult::Unfinished => write!(line, ", {}", game.result.as_str()),
    };
    if let Some(reason) = game.reason.filter(|_| game.result != GameResult::Unfinished) {
        let is_inferred = game.reason_source == Some(ReasonSource::Inference);
        let _ = write!(line, " ({}{})", reason.as_str(), if is_inferred { ", inferred" } else { "" });
    }
    line
}

/// Returns the ply of the position with its move, and the side to move.
fn ply_and_side(row: &HitRow) -> String {
    let shape = row.detail.position.shape();
    match row.detail.last {
        Some(mv) => {
            let mut line =
                format!("after ply {}, {}-{}", row.detail.ply, shape.coord(mv.from), shape.coord(mv.to));
            for (nth, cell) in row.detail.captured.iter().enumerate() {
                let _ = write!(line, "{}{}", if nth == 0 { "x" } else { "/" }, shape.coord(*cell));
            }
            let _ = write!(line, "; {} to move", row.detail.to_move.as_str());
            line
        }
        None => format!("at the start; {} to move", row.detail.to_move.as_str()),
    }
}

fn picture(row: &HitRow) -> BoardPicture {
    let zones = row.game.rules.parse::<RuleSet>().map(|rules| Zones::of(&rules)).unwrap_or_default();
    let mut picture = BoardPicture::new(row.detail.position.clone(), zones);
    if let Some(mv) = row.detail.last {
        let captured = row.detail.captured.iter().map(|cell| Captured { cell: *cell, piece: None }).collect();
        picture.marks = Marks::of_move(mv, captured);
    }
    if row.detail.cells.len() < row.detail.position.shape().n_cells() && !row.detail.cells.is_empty() {
        let note = |cell| Highlight::new(cell, HighlightKind::Note);
        picture.marks.highlights = row.detail.cells.iter().copied().map(note).collect();
        picture.marks.legend =
            vec![LegendEntry { kind: HighlightKind::Note, text: "matching cells".to_owned() }];
    }
    picture
}
