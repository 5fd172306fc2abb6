//! An annotated game as a self-contained page: board, controls, graph, moves, and remarks.
//!
//! The board is drawn in light and in dark colors. A script places the pieces of a position on both, and the style sheet
//! shows one of them. Without scripts, the page still has the start, the graph, the moves, and the remarks.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tafl_analyzer::PositionNote;
use tafl_reports::{BoardLayout, BoardPicture, Escaped, Theme, Zones};
use tafl_rules::{Game, Move, Piece, RepetitionMode, Setup, Shape, Side};

use taflbase::engine::{AnnotatedGame, AnnotationProvenance, line_moves, remarks};

use super::{page, text};

/// The script of the pages.
const SCRIPT: &str = include_str!("../../../assets/annotate.js");

/// The size of the graph, in its own units.
const GRAPH: (f64, f64) = (1000.0, 200.0);

/// Returns a game as a page.
pub(super) fn write(game: &AnnotatedGame, provenance: &AnnotationProvenance) -> String {
    let title = page::title(game);
    let mut body = String::new();
    let _ = writeln!(body, "<header><h1>{}</h1>", Escaped(&title));
    let _ = writeln!(
        body,
        "<p>{} &middot; {} &middot; {}</p></header>",
        Escaped(game.game.replayed.variant()),
        Escaped(&text::result(game)),
        Escaped(&game.game.name()),
    );
    body.push_str("<main>\n<section class=\"left\">\n");
    boards(game, &mut body);
    body.push_str(CONTROLS);
    body.push_str("</section>\n<section class=\"right\">\n");
    graph(game, &mut body);
    summary(game, &mut body);
    moves(game, &mut body);
    body.push_str("</section>\n</main>\n");
    let _ = writeln!(body, "<footer><p>{}</p></footer>", Escaped(&provenance.text(&game.notes)));
    let _ = writeln!(body, "<script type=\"application/json\" id=\"data\">{}</script>", inert(&data(game)));
    let _ = writeln!(body, "<script>\n{SCRIPT}</script>");
    page::page(&title, &body)
}

/// The buttons, and the element for the remarks about a ply.
const CONTROLS: &str = "<div class=\"controls\" role=\"group\" aria-label=\"ply\">\n\
<button id=\"first\" title=\"first position (Home)\">&#x21e4;</button>\n\
<button id=\"back\" title=\"previous ply (left)\">&#x2190;</button>\n\
<span id=\"at\">start</span>\n\
<button id=\"next\" title=\"next ply (right)\">&#x2192;</button>\n\
<button id=\"last\" title=\"last position (End)\">&#x21e5;</button>\n\
<button id=\"error\" title=\"next error (e)\">next error</button>\n\
<button id=\"theme\" title=\"light or dark (t)\">&#x25d0;</button>\n\
</div>\n<p id=\"remark\" aria-live=\"polite\">Use the arrow keys to step through the game, and e for the next error.</p>\n";

/// Adds the board in both colors, with the pieces of the start.
fn boards(game: &AnnotatedGame, out: &mut String) {
    let rules = game.game.replayed.replay.rules.as_ref().map(|rules| rules.book.rules());
    let zones = rules.map_or_else(Zones::default, Zones::of);
    for (theme, class) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let mut picture = BoardPicture::new(game.start.clone(), zones.clone());
        picture.view = picture.view.with_theme(theme);
        let _ = writeln!(out, "<div class=\"board {class}\">{}</div>", picture.to_svg());
    }
}

/// Adds the graph of the attackers' expected score. A click goes to the ply.
fn graph(game: &AnnotatedGame, out: &mut String) {
    let notes = &game.notes;
    let (width, height) = GRAPH;
    let last = notes.positions.len().saturating_sub(1).max(1) as f64;
    let x = |nth: usize| nth as f64 / last * width;
    let y = |part: f64| (1.0 - part) * height;
    let part = |nth: usize| {
        notes.positions[nth].expectation.map_or(0.5, |expectation| expectation.for_side(Side::Attackers))
    };
    let mut points = String::new();
    for nth in 0..notes.positions.len() {
        let _ = write!(points, "{:.1},{:.1} ", x(nth), y(part(nth)));
    }
    let _ = writeln!(
        out,
        "<figure><svg id=\"graph\" viewBox=\"0 -6 {width} {}\" role=\"img\" aria-label=\"the attackers' expected score after each ply\">",
        height + 12.0
    );
    let _ = writeln!(out, "<rect class=\"ground\" x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\"/>");
    let _ = writeln!(out, "<polygon class=\"area\" points=\"0,{height} {points}{width},{height}\"/>");
    let _ =
        writeln!(out, "<line class=\"even\" x1=\"0\" y1=\"{0}\" x2=\"{width}\" y2=\"{0}\"/>", height / 2.0);
    let _ = writeln!(out, "<polyline class=\"curve\" points=\"{}\"/>", points.trim_end());
    for (nth, ply) in notes.plies.iter().enumerate().filter(|(_, ply)| ply.judgement.is_error()) {
        let _ = writeln!(
            out,
            "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\"><title>{} {}: {}</title></circle>",
            page::class(ply),
            x(nth + 1),
            y(part(nth + 1)),
            nth + 1,
            ply.mv.display(game.start.shape()),
            page::remark(game, nth),
        );
    }
    let _ = writeln!(out, "<line id=\"cursor\" x1=\"0\" y1=\"-6\" x2=\"0\" y2=\"{}\"/>", height + 6.0);
    out.push_str("</svg><figcaption>The attackers' expected score, from 0 % to 100 %. Dots are inaccuracies, mistakes, and blunders.</figcaption></figure>\n");
}

fn summary(game: &AnnotatedGame, out: &mut String) {
    out.push_str("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Accuracy\"><table class=\"sides\">\n<thead><tr><th></th><th>accuracy</th><th>inaccuracies</th><th>mistakes</th><th>blunders</th><th>missed wins</th><th>loss by errors</th><th>gradual loss</th></tr></thead>\n<tbody>\n");
    for side in Side::ALL {
        let side = &game.notes.sides[side];
        let accuracy = side.accuracy.map_or_else(|| "-".to_owned(), |part| format!("{:.1}", part.percent()));
        let _ = writeln!(
            out,
            "<tr><th>{}</th><td>{accuracy}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2}</td><td>{:.2}</td></tr>",
            side.side,
            side.counts.inaccuracies,
            side.counts.mistakes,
            side.counts.blunders,
            side.missed_wins,
            side.lost_by_errors,
            side.lost_gradually,
        );
    }
    out.push_str("</tbody>\n</table></div>\n");
    if let Some(decided) = remarks::decided(&game.notes, game.start.shape()) {
        let _ = writeln!(out, "<p>{}</p>", Escaped(&decided));
    }
    if let Some(why) = game.early_end() {
        let _ = writeln!(out, "<p class=\"trouble\">{}</p>", Escaped(&why));
    }
}

/// Adds the table of moves.
fn moves(game: &AnnotatedGame, out: &mut String) {
    let notes = &game.notes;
    out.push_str("<div class=\"moves\"><table>\n<thead><tr><th>ply</th><th>move</th><th>score</th><th>expected</th><th>loss</th><th>remarks</th></tr></thead>\n<tbody>\n");
    for (nth, ply) in notes.plies.iter().enumerate() {
        let after = &notes.positions[nth + 1];
        let _ = writeln!(
            out,
            "<tr id=\"ply{0}\" class=\"{1} {2}\"><td>{0}</td><td><a href=\"#ply{0}\" data-ply=\"{0}\">{3}{4}</a></td><td>{5}</td><td>{6}</td><td>{7}</td><td>{8}</td></tr>",
            nth + 1,
            page::class(ply),
            ply.side.as_str(),
            ply.mv.display(game.start.shape()),
            ply.judgement.sign(),
            remarks::score_text(after),
            remarks::expected(after, ply.side),
            ply.loss.map_or_else(|| "-".to_owned(), |loss| format!("{loss:.2}")),
            page::remark(game, nth),
        );
    }
    out.push_str("</tbody>\n</table></div>\n");
}

/// Returns the data of the script: the cells, and for each position its pieces, its ply, and the better move.
fn data(game: &AnnotatedGame) -> Value {
    let notes = &game.notes;
    let shape = game.start.shape();
    let setups = setups(game);
    let positions: Vec<Value> = setups
        .iter()
        .zip(&notes.positions)
        .enumerate()
        .map(|(nth, (setup, note))| {
            let before = nth.checked_sub(1).map(|before| (&notes.plies[before], &notes.positions[before]));
            let shown = before.filter(|(ply, _)| ply.judgement.is_error() || ply.missed_win.is_some());
            let better = shown.filter(|(_, at)| !at.is_best_declined());
            let better = better.and_then(|(_, at)| Some(pair(at.evaluation()?.best().moves[0])));
            let line = shown.and_then(|(_, at)| best_line(shape, at));
            let expects = best_line(shape, note);
            json!({
                "pieces": setup.pieces().map(|(cell, piece)| json!([cell.index(), symbol(piece)])).collect::<Vec<_>>(),
                "move": before.map(|(ply, _)| pair(ply.mv)),
                "better": better,
                "line": line,
                "expects": expects,
                "error": before.is_some_and(|(ply, _)| ply.judgement.is_error()),
                "score": remarks::score_text(note),
                "remark": before.map(|(ply, _)| format!(
                    "{}{} {}",
                    ply.mv.display(shape),
                    ply.judgement.sign(),
                    remarks::remark(shape, ply, &notes.positions[nth - 1]),
                )),
            })
        })
        .collect();
    json!({ "cells": places(shape), "positions": positions })
}

/// Returns the best line of a position.
fn best_line(shape: Shape, note: &PositionNote) -> Option<String> {
    Some(line_moves(shape, note.chain, note.evaluation()?.best()).join(" "))
}

fn pair(mv: Move) -> [usize; 2] {
    [mv.from.index(), mv.to.index()]
}

/// Returns the suffix of a piece's id in the drawing: `attackers-man`.
fn symbol(piece: Piece) -> String {
    format!("{}-{}", piece.side.as_str(), piece.role.as_str())
}

/// Returns the arrangements of all positions.
fn setups(game: &AnnotatedGame) -> Vec<Setup> {
    let mut setups = vec![game.start.clone()];
    let Some(rules) = &game.game.replayed.replay.rules else { return setups };
    let first = game.notes.positions[0].to_move;
    let Ok(mut board) = Game::from_setup(&rules.book, &game.start, first, RepetitionMode::Report) else {
        return setups;
    };
    for ply in &game.notes.plies {
        board.clear_outcome();
        if board.to_move() != ply.side {
            board.set_to_move(ply.side);
        }
        if board.play(ply.mv).is_err() {
            break;
        }
        setups.push(board.setup());
    }
    setups
}

/// Returns the center of each cell in the drawing, with two decimals.
fn places(shape: Shape) -> Vec<[f64; 2]> {
    let plan = BoardLayout::usual(shape);
    let digits = |number: f32| (f64::from(number) * 100.0).round() / 100.0;
    let place = |cell| {
        let (x, y) = plan.middle_in_picture(cell);
        [digits(x), digits(y)]
    };
    shape.cells().map(place).collect()
}

/// Returns JSON that cannot close the script element that contains it.
fn inert(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_a_place() {
        for shape in [Shape::square(7), Shape::square(19), Shape::hex(4)].into_iter().flatten() {
            let places = places(shape);
            assert_eq!(places.len(), shape.n_cells(), "{shape}");
            let mut full = Setup::empty(shape);
            let man = Piece::new(Side::Attackers, tafl_rules::Role::Soldier);
            shape.cells().for_each(|cell| full.put(cell, Some(man)));
            let svg = BoardPicture::new(full, Zones::default()).to_svg();
            for [x, y] in places {
                assert!(svg.contains(&format!(" x=\"{x}\" y=\"{y}\"")), "{shape}: {x} {y}");
            }
        }
    }

    #[test]
    fn data_cannot_end_the_script() {
        let text = inert(&json!({ "said": "</script><script>alert(1)</script>" }));
        assert!(!text.contains('<') && !text.contains('>'), "{text}");
        assert_eq!(
            serde_json::from_str::<Value>(&text).unwrap()["said"],
            "</script><script>alert(1)</script>"
        );
    }
}
