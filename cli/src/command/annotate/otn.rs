//! An annotated game as an OpenTafl record: a comment behind each ply, and a variation for each error.

use tafl_parser::record::{
    Branch, Comment, Letter, Line, LineId, Place, Tag, Written, WrittenCapture, WrittenMove, tag,
};
use tafl_parser::write::{WriteGame, write};
use tafl_parser::{Format, Record};
use tafl_rules::{Game, Move, RepetitionMode, Role, Span};
use taflbase::records::PlayedBuilder;

use super::words;
use super::{Annotated, Provenance};

/// The tag that says who annotated, and how.
pub(super) const ANALYSIS: &str = "analysis";

/// A variation has at most so many moves.
const LONGEST: usize = 8;

/// Returns a game as a record, a blank line at its end.
///
/// # Errors
///
/// Never: OpenTafl's notation can be written.
pub(super) fn write_otn(
    game: &Annotated,
    played_builder: &mut PlayedBuilder,
    provenance: &Provenance,
) -> anyhow::Result<String> {
    let played = played_builder.played(&game.played.judged);
    let record = annotated(game, provenance);
    let mut out = String::new();
    write(WriteGame { record: &record, played: played.as_ref() }, Format::OpenTafl, &mut out)?;
    Ok(out)
}

/// Returns the record with comments and variations. What was there stays; an earlier annotation's tag is replaced.
fn annotated(game: &Annotated, provenance: &Provenance) -> Record {
    let Annotated { played, notes, start } = game;
    let mut record = played.judged.record.clone();
    if record.rules.is_none() && record.variant.is_none() {
        // What the file's name or a command line said is said in the record now.
        let written = |text: &str| Some(Written { text: text.into(), span: Span::default() });
        match played.judged.replay.rules.as_ref().and_then(|rules| rules.variant) {
            Some(variant) => record.variant = written(variant),
            None => record.rules = game.rules().as_deref().and_then(written),
        }
    }
    record.tags.retain(|tag| &*tag.name != ANALYSIS);
    if record.tag(tag::ANNOTATOR).is_none() {
        // A tag that readers know comes first: by it they see that a record begins.
        let value = format!("taflbase {}", env!("CARGO_PKG_VERSION")).into();
        record.tags.insert(0, Tag { name: tag::ANNOTATOR.into(), value, span: Span::default() });
    }
    record.push_tag(ANALYSIS, &provenance.words(notes), Span::default());
    let Some(rules) = &played.judged.replay.rules else { return record };
    let first = notes.positions[0].to_move;
    let Ok(mut before) = Game::from_setup(&rules.book, start, first, RepetitionMode::Report) else {
        return record;
    };
    for (nth, ply) in notes.plies.iter().enumerate() {
        before.resume();
        if before.to_move() != ply.side {
            before.set_to_move(ply.side);
        }
        let written = played.judged.replay.plies.get(nth).and_then(|ply| ply.written);
        if let Some(written) = written {
            let text = comment(game, nth);
            let place = Place::in_main(written as usize + 1);
            record.comments.push(Comment { place, text: text.into(), span: Span::default() });
            let is_told = ply.judgement.is_error() || ply.missed_win.is_some();
            if let Some(evaluation) = notes.positions[nth].evaluation().filter(|_| is_told) {
                add_variation(&mut record, &before, written, &evaluation.best().moves);
            }
        }
        if before.play(ply.mv).is_err() {
            break;
        }
    }
    record.comments.sort_by_key(|comment| comment.place);
    record
}

/// Returns the comment on a ply, without the signs that part comments in the notation.
fn comment(game: &Annotated, nth: usize) -> String {
    let Annotated { notes, start, .. } = game;
    let ply = &notes.plies[nth];
    let after = &notes.positions[nth + 1];
    let mut text = format!("{} ({})", words::score_words(after), words::expected(after, ply.side));
    let remark = words::remark(start.shape(), ply, &notes.positions[nth]);
    if !remark.is_empty() {
        let sign = ply.judgement.sign();
        text.push_str(&format!(" {sign}{}{remark}", if sign.is_empty() { "" } else { " " }));
    }
    text.replace(['|', '[', ']'], "/")
}

/// Adds a line that replaces a move of the game, as far as it is legal.
fn add_variation(record: &mut Record, before: &Game, at: u32, moves: &[Move]) {
    let number = record
        .lines
        .iter()
        .filter_map(|line| line.branch)
        .filter(|branch| branch.parent == LineId::MAIN && branch.at == at)
        .map(|branch| branch.number)
        .max()
        .unwrap_or(0)
        + 1;
    let opens_with_second = record.is_second(LineId::MAIN, at);
    let branch = Some(Branch { parent: LineId::MAIN, at, number });
    let mut line = Line { branch, opens_with_second, moves: Vec::new() };
    let mut game = before.clone();
    let shape = game.shape();
    let mut goes_on = false;
    for mv in moves.iter().take(LONGEST) {
        let letter = game.piece(mv.from).map_or(Letter::NONE, |piece| match piece.role {
            Role::Soldier => Letter::NONE,
            Role::King | Role::Commander | Role::Knight | Role::Mercenary | Role::Guard => {
                Letter::new(piece.letter() as u8)
            }
        });
        let Ok(ply) = game.play(*mv) else { break };
        let first = record.captures.len();
        record.captures.extend(ply.captured.iter().map(|cell| WrittenCapture {
            cell: shape.coord(cell),
            letter: Letter::NONE,
            span: Span::default(),
        }));
        line.moves.push(WrittenMove {
            first_capture: first as u32,
            n_captures: (record.captures.len() - first) as u16,
            letter,
            chained: goes_on,
            ..WrittenMove::new(shape.coord(mv.from), shape.coord(mv.to), Span::default())
        });
        goes_on = ply.goes_on;
    }
    if !line.moves.is_empty() {
        record.lines.push(line);
    }
}
