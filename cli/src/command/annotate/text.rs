//! An annotated game as a table.

use std::fmt::Write as _;

use tafl_parser::record::tag;

use super::words;
use super::{Annotated, Provenance};

/// Returns a game as a table, with a blank line at its end.
pub(super) fn write(game: &Annotated, provenance: &Provenance) -> String {
    let Annotated { played, notes, .. } = game;
    let shape = notes_shape(game);
    let record = &played.judged.record;
    let mut out = String::new();
    let name = |side| record.tag(side).unwrap_or("?").to_owned();
    let _ = writeln!(
        out,
        "{}  {}  {} - {}  {}",
        taflbase::escape::escape(&played.name()),
        taflbase::escape::escape(played.judged.variant()),
        taflbase::escape::escape(&name(tag::ATTACKERS)),
        taflbase::escape::escape(&name(tag::DEFENDERS)),
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
            ply.side.word(),
            format!("{}{}", ply.mv.text(shape), ply.judgement.sign()),
            words::score_words(after),
            words::expected(after, ply.side),
            words::remark(shape, ply, &notes.positions[nth]),
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    for side in tafl_rules::Side::ALL {
        let _ = writeln!(out, "{}", words::summary(&notes.sides[side]));
    }
    if let Some(decided) = words::decided(notes, shape) {
        let _ = writeln!(out, "{decided}");
    }
    if let Some(why) = game.trouble() {
        let _ = writeln!(out, "{why}");
    }
    let _ = writeln!(out, "{}\n", provenance.words(notes));
    out
}

/// Returns the board of a game.
pub(super) fn notes_shape(game: &Annotated) -> tafl_rules::Shape {
    game.start.shape()
}

/// Returns how the game ended, in words.
pub(super) fn result(game: &Annotated) -> String {
    game.played.judged.replay.result().map_or_else(|| "no result".to_owned(), |outcome| outcome.to_string())
}
