//! A puzzle as a line, as JSON, and as an OpenTafl record.

use serde_json::json;
use tafl_analyzer::annotate::puzzle::{PuzzleTheme, Verified};
use tafl_parser::record::{
    Line, Verdict, Written, WrittenCapture, WrittenMove, WrittenResult, WrittenStart, tag,
};
use tafl_parser::write::{WriteGame, write};
use tafl_parser::{Format, Record};
use tafl_rules::{Game, RepetitionMode, Span};

use super::Found;
use taflbase::escape::escape;

/// The version of the lines of JSON.
const VERSION: u32 = 1;

/// Returns a puzzle as a line for people.
pub(super) fn text(found: &Found) -> String {
    let Found { puzzle, variant, game, ply, .. } = found;
    format!(
        "{}  {}  {} win in {}: {}  [{}]  difficulty {} positions, depth {}; second best {:.0} %, by {}  ({}, after ply {ply})\n",
        escape(variant),
        puzzle.setup,
        puzzle.side,
        puzzle.plies,
        moves(found).join(" "),
        themes(found).join(" "),
        puzzle.difficulty.nodes.0,
        puzzle.difficulty.depth,
        puzzle.second * 100.0,
        puzzle.verified.word(),
        escape(game),
    )
}

/// Returns a puzzle as a line of JSON.
pub(super) fn json(found: &Found, engine: &str, limits: &str) -> String {
    let Found { puzzle, variant, rules, game, ply, .. } = found;
    let (proven, nodes) = match puzzle.verified {
        Verified::Margin { nodes } => (None, Some(nodes.0)),
        Verified::Solver { plies } => (Some(plies), None),
    };
    let value = json!({
        "taflbase_puzzle": VERSION,
        "variant": variant,
        "rules": rules,
        "position": puzzle.setup.to_string(),
        "side": puzzle.side.word(),
        "key": puzzle.key.to_string(),
        "solution": moves(found),
        "plies": puzzle.plies,
        "second": (puzzle.second * 1e4).round() / 1e4,
        "themes": themes(found),
        "difficulty": { "nodes": puzzle.difficulty.nodes.0, "depth": puzzle.difficulty.depth },
        "verified": { "by": puzzle.verified.word(), "nodes": nodes, "within": proven },
        "game": game,
        "after_ply": ply,
        "engine": engine,
        "limits": limits,
    });
    format!("{value}\n")
}

/// Returns a puzzle as a record: its start is the position, its moves are the solution.
///
/// # Errors
///
/// Never: OpenTafl's notation can be written.
pub(super) fn otn(found: &Found, engine: &str, limits: &str) -> anyhow::Result<String> {
    let Found { puzzle, rules, game, ply, book, .. } = found;
    let mut record = Record::new(Format::OpenTafl);
    let mut push = |name: &str, value: &str| record.push_tag(name, value, Span::default());
    push(tag::EVENT, &format!("{} after ply {ply}", game));
    push(tag::PUZZLE_MODE, "strict");
    push("themes", &themes(found).join(" "));
    push(
        "difficulty",
        &format!("{} positions, depth {}", puzzle.difficulty.nodes.0, puzzle.difficulty.depth),
    );
    let by = puzzle.verified.word();
    push("verified", &format!("{by}; {engine}; {limits}; second best {:.3}", puzzle.second));
    push(tag::START_COMMENT, &format!("The {} win in {} plies with one move.", puzzle.side, puzzle.plies));
    // The side to move stands in the rules; nothing else about them changes.
    let mut own = book.rules().clone();
    own.first_mover = puzzle.side;
    own.start = puzzle.setup.clone();
    let text = if own == *book.rules() { rules.clone() } else { own.to_string() };
    record.rules = Some(Written { text: text.into(), span: Span::default() });
    record.start = Some(WrittenStart { setup: puzzle.setup.clone(), span: Span::default() });
    add_moves(&mut record, found);
    let mut out = String::new();
    write(WriteGame { record: &record, played: None }, Format::OpenTafl, &mut out)?;
    Ok(out)
}

fn add_moves(record: &mut Record, found: &Found) {
    let Found { puzzle, book, .. } = found;
    let Ok(mut game) = Game::from_setup(book, &puzzle.setup, puzzle.side, RepetitionMode::Enforce) else {
        return;
    };
    let shape = game.shape();
    let mut line = Line::default();
    let mut goes_on = false;
    for mv in &puzzle.line {
        let Ok(ply) = game.play(*mv) else { break };
        let first = record.captures.len();
        record.captures.extend(ply.captured.iter().map(|cell| WrittenCapture {
            cell: shape.coord(cell),
            letter: tafl_parser::record::Letter::NONE,
            span: Span::default(),
        }));
        line.moves.push(WrittenMove {
            first_capture: first as u32,
            n_captures: (record.captures.len() - first) as u16,
            chained: goes_on,
            ..WrittenMove::new(shape.coord(mv.from), shape.coord(mv.to), Span::default())
        });
        goes_on = ply.goes_on;
    }
    *record.main_mut() = line;
    if let Some(outcome) = game.outcome() {
        let verdict = outcome.winner.map_or(Verdict::Draw, Verdict::Win);
        record.result = Some(WrittenResult { verdict, reason: Some(outcome.reason), span: Span::default() });
    }
}

fn moves(found: &Found) -> Vec<String> {
    let shape = found.puzzle.setup.shape();
    found.puzzle.line.iter().map(|mv| mv.text(shape)).collect()
}

fn themes(found: &Found) -> Vec<&'static str> {
    found.puzzle.themes.iter().map(|theme: &PuzzleTheme| theme.word()).collect()
}
