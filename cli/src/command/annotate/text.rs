//! An annotated game as a table.

use std::fmt::Write as _;

use tafl_parser::tag;

use taflbase::engine::{AnnotatedGame, AnnotationProvenance, remarks};
use taflbase::escape::escape;

/// Returns a game as a table, with a blank line at its end.
pub(super) fn write(game: &AnnotatedGame, provenance: &AnnotationProvenance) -> String {
    let AnnotatedGame { game: played, notes, .. } = game;
    let shape = game.shape();
    let record = &played.replayed.record;
    let mut out = String::new();
    let name = |side| record.tag(side).unwrap_or("?").to_owned();
    let _ = writeln!(
        out,
        "{}  {}  {} - {}  {}",
        escape(&played.name()),
        escape(played.replayed.variant()),
        escape(&name(tag::ATTACKERS)),
        escape(&name(tag::DEFENDERS)),
        result(game),
    );
    let _ = writeln!(
        out,
        "{:>5}  {:<9}  {:<9}  {:>22}  {:>6}  {:>5}  remarks",
        "ply", "side", "move", "score", "expect", "loss"
    );
    for (nth, ply) in notes.plies.iter().enumerate() {
        let after = &notes.positions[nth + 1];
        let loss = ply.loss.map_or_else(|| "-".to_owned(), |loss| format!("{loss:.2}"));
        let line = format!(
            "{:>5}  {:<9}  {:<9}  {:>22}  {:>6}  {loss:>5}  {}",
            nth + 1,
            ply.side.as_str(),
            format!("{}{}", ply.mv.display(shape), ply.judgement.sign()),
            remarks::score_text(after),
            remarks::expected(after, ply.side),
            remarks::remark(shape, ply, &notes.positions[nth]),
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    for side in tafl_rules::Side::ALL {
        let _ = writeln!(out, "{}", remarks::summary(&notes.sides[side]));
    }
    if let Some(decided) = remarks::decided(notes, shape) {
        let _ = writeln!(out, "{decided}");
    }
    if let Some(why) = game.early_end() {
        let _ = writeln!(out, "{why}");
    }
    let _ = writeln!(out, "{}\n", provenance.text(notes));
    out
}

/// Returns the result of a game in words.
pub(super) fn result(game: &AnnotatedGame) -> String {
    let end = game.game.replayed.replay.sourced_result();
    end.map_or_else(|| "no result".to_owned(), |end| end.to_string())
}
