//! An annotated game as a record: a comment after each ply, and a variation for each error.

use tafl_parser::{
    Comment, Letter, LineBranch, MoveLineId, MovePlace, Record, Tag, Written, WrittenMove, tag,
};
use tafl_rules::{Game, Move, RepetitionMode, Role, Span};

use super::{AnnotatedGame, AnnotationProvenance, remarks};

/// The tag that names the engine and the settings of an annotation.
const ANALYSIS: &str = "analysis";

/// The maximum number of moves of a variation.
const MAX_VARIATION: usize = 8;

impl AnnotatedGame {
    /// Returns the record with a comment on each ply and a variation for each error. What was there stays, but for the tag
    /// of an earlier annotation.
    pub fn record(&self, provenance: &AnnotationProvenance) -> Record {
        annotated(self, provenance)
    }
}

fn annotated(game: &AnnotatedGame, provenance: &AnnotationProvenance) -> Record {
    let AnnotatedGame { game: played, notes, start } = game;
    let mut record = played.replayed.record.clone();
    if record.rules.is_none() && record.variant.is_none() {
        // The rules came from the file's name or from the request; the record names them now.
        let written = |text: &str| Some(Written { text: text.into(), span: Span::default() });
        match played.replayed.replay.rules.as_ref().and_then(|rules| rules.variant) {
            Some(variant) => record.variant = written(variant),
            None => record.rules = game.rules().as_deref().and_then(written),
        }
    }
    record.tags.retain(|tag| tag.name != ANALYSIS);
    if record.tag(tag::ANNOTATOR).is_none() {
        // Readers recognize the beginning of a record by a tag that they know.
        let value = concat!("taflbase ", env!("CARGO_PKG_VERSION"));
        record.tags.insert(0, Tag { name: tag::ANNOTATOR, value, span: Span::default() });
    }
    record.push_tag(ANALYSIS, &provenance.text(notes), Span::default());
    let Some(rules) = &played.replayed.replay.rules else { return record };
    let first = notes.positions[0].to_move;
    let Ok(mut before) = Game::from_setup(&rules.book, start, first, RepetitionMode::Report) else {
        return record;
    };
    for (nth, ply) in notes.plies.iter().enumerate() {
        before.clear_outcome();
        if before.to_move() != ply.side {
            before.set_to_move(ply.side);
        }
        let written = played.replayed.replay.plies.get(nth).and_then(|ply| ply.written);
        if let Some(written) = written {
            let text = comment(game, nth);
            let place = MovePlace::in_main(written as usize + 1);
            record.comments.push(Comment { place, text: &text, span: Span::default() });
            let is_shown = ply.judgement.is_error() || ply.missed_win.is_some();
            if let Some(evaluation) = notes.positions[nth].evaluation().filter(|_| is_shown) {
                add_variation(&mut record, &before, written, &evaluation.best().moves);
            }
        }
        if before.play(ply.mv).is_err() {
            break;
        }
    }
    record.comments.sort_by_place();
    record
}

/// Returns the comment on a ply, without the characters that delimit comments in the notation.
fn comment(game: &AnnotatedGame, nth: usize) -> String {
    let AnnotatedGame { notes, start, .. } = game;
    let ply = &notes.plies[nth];
    let after = &notes.positions[nth + 1];
    let mut text = format!("{} ({})", remarks::score_text(after), remarks::expected(after, ply.side));
    let remark = remarks::remark(start.shape(), ply, &notes.positions[nth]);
    if !remark.is_empty() {
        let sign = ply.judgement.sign();
        text.push_str(&format!(" {sign}{}{remark}", if sign.is_empty() { "" } else { " " }));
    }
    text.replace(['|', '[', ']'], "/")
}

/// Adds a line that replaces a move of the game, as far as it is legal.
fn add_variation(record: &mut Record, before: &Game, at: u32, moves: &[Move]) {
    let number = record
        .variations
        .iter()
        .filter_map(|line| line.branch)
        .filter(|branch| branch.parent == MoveLineId::MAIN && branch.at == at)
        .map(|branch| branch.number)
        .max()
        .unwrap_or(0)
        + 1;
    let opens_with_second = record.is_second(MoveLineId::MAIN, at);
    let branch = Some(LineBranch { parent: MoveLineId::MAIN, at, number });
    let mut line = Vec::new();
    let mut game = before.clone();
    let shape = game.shape();
    let mut goes_on = false;
    for mv in moves.iter().take(MAX_VARIATION) {
        let letter = game.piece(mv.from).map_or(Letter::NONE, |piece| match piece.role {
            Role::Soldier => Letter::NONE,
            Role::King | Role::Commander | Role::Knight | Role::Mercenary | Role::Guard => {
                Letter::new(piece.letter() as u8)
            }
        });
        let Ok(ply) = game.play(*mv) else { break };
        let written = record.played_move(*mv, ply.captured.iter(), shape);
        line.push(WrittenMove { letter, chained: goes_on, ..written });
        goes_on = ply.goes_on;
    }
    if !line.is_empty() {
        let id = record.variations.open(branch, opens_with_second);
        line.into_iter().for_each(|mv| record.push_to(id, mv));
    }
}
