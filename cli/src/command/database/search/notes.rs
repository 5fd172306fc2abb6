//! Why nothing was found, where that can be said.

use tafl_corpus::Corpus;
use tafl_corpus::query::{Comparison, Query, Value};
use tafl_corpus::search::Searcher;

/// Returns what may be the reason that nothing was found.
///
/// # Errors
///
/// Fails when the corpus cannot be read.
pub(crate) fn of(query: &Query, corpus: &Corpus, searcher: &Searcher) -> anyhow::Result<Vec<String>> {
    if corpus.n_games() == 0 {
        return Ok(vec!["the corpus is empty; `tafl import` puts games into it".to_owned()]);
    }
    let mut notes = Vec::new();
    for condition in query.game_conditions() {
        let name = match (&condition.value, condition.field.word(), condition.comparison) {
            (Value::Word(name), "variant", Comparison::Equal) => name,
            _ => continue,
        };
        if !searcher.has_game_with(condition)? {
            let known = searcher.variants()?;
            let known = if known.is_empty() { "none with a name".to_owned() } else { known.join(", ") };
            notes.push(format!("the corpus has no game of the variant `{name}`; it has: {known}"));
        }
    }
    for number in searcher.misfits(query)? {
        notes.push(match query.boards().len() {
            1 => "the pattern fits on no board of the corpus".to_owned(),
            _ => format!("pattern {} of the query fits on no board of the corpus", number + 1),
        });
    }
    Ok(notes)
}
