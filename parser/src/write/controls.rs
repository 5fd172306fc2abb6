//! Control characters: a NUL would make a file look binary, and U+202E (right-to-left override) would make moves appear
//! reversed. JSON escapes them; the other notations get spaces in their place.

use std::borrow::Cow;

use super::{PlayedMoves, WriteGame};
use crate::record::{Comment, Comments, Record, Tag, Tags};
use crate::text_safety::is_control;

/// A game whose texts have spaces in place of control characters.
pub(super) struct BlankedGame {
    pub(super) record: Record,
    pub(super) played: Option<PlayedMoves>,
    /// The number of characters that were replaced.
    pub(super) n_controls: usize,
}

/// Returns the game with spaces in place of control characters, or `None` if it has no control characters. They are replaced
/// before the game is written, so that a writer sees which texts are blank, and where the texts end.
pub(super) fn blank(game: WriteGame<'_>) -> Option<BlankedGame> {
    let record = game.record;
    let in_tags = record.tags.iter().map(|tag| count(tag.name) + count(tag.value)).sum::<usize>();
    let in_comments = record.comments.iter().map(|comment| count(comment.text)).sum::<usize>();
    let in_rules = [&record.variant, &record.rules].into_iter().flatten().map(|text| count(&text.text));
    let in_played = game.played.map_or(0, |played| count(&played.rules));
    let n_controls = in_tags + in_comments + in_rules.sum::<usize>() + in_played;
    if n_controls == 0 {
        return None;
    }
    let mut record = record.clone();
    let mut tags = Tags::default();
    for tag in record.tags.iter() {
        tags.push(Tag { name: &blanked(tag.name), value: &blanked(tag.value), ..tag });
    }
    record.tags = tags;
    let mut comments = Comments::default();
    for comment in record.comments.iter() {
        comments.push(Comment { text: &blanked(comment.text), ..comment });
    }
    record.comments = comments;
    for text in [&mut record.variant, &mut record.rules].into_iter().flatten() {
        text.text = blanked(&text.text).into();
    }
    let played =
        game.played.map(|played| PlayedMoves { rules: blanked(&played.rules).into(), ..played.clone() });
    Some(BlankedGame { record, played, n_controls })
}

fn count(text: &str) -> usize {
    text.chars().filter(|symbol| is_control(*symbol)).count()
}

fn blanked(text: &str) -> Cow<'_, str> {
    if text.contains(is_control) { text.replace(is_control, " ").into() } else { text.into() }
}
