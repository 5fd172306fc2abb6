//! Possible reasons why no game of a corpus matches a query.

use tafl_corpus::query::{Comparison, ConditionValue, FieldKind, GameCondition, Query};
use tafl_corpus::{Searcher, SimilarWord};

use super::CorpusSnapshot;
use crate::Result;

/// Returns possible reasons why no game of a corpus matches a query; empty if none is known.
///
/// # Errors
///
/// Fails if a file is damaged.
pub fn no_match_reasons(query: &Query, corpus: &CorpusSnapshot) -> Result<Vec<String>> {
    if corpus.corpus().n_games() == 0 {
        return Ok(vec!["the corpus is empty; `tafl import` puts games into it".to_owned()]);
    }
    let contradictions = query.contradictions();
    if !contradictions.is_empty() {
        return Ok(contradictions.iter().map(ToString::to_string).collect());
    }
    let searcher = corpus.searcher();
    let mut notes = Vec::new();
    let unmet = query.unmet_conditions(|condition| searcher.has_game_with(condition))?;
    for condition in &unmet {
        let name = match (&condition.value, condition.field.as_str(), condition.comparison) {
            (ConditionValue::Word(name), "variant", Comparison::Equal) => name,
            _ => continue,
        };
        let known = searcher.variants()?;
        let known = if known.is_empty() { "none with a name".to_owned() } else { known.join(", ") };
        notes.push(format!("the corpus has no game of the variant `{name}`; it has: {known}"));
    }
    for condition in unmet {
        notes.extend(text_note(condition, searcher)?);
    }
    for number in searcher.misfits(query)? {
        notes.push(match query.boards().len() {
            1 => "the pattern fits on no board of the corpus".to_owned(),
            _ => format!("pattern {} of the query fits on no board of the corpus", number + 1),
        });
    }
    Ok(notes)
}

/// Returns what the texts of the corpus have instead of the text of a condition that no game meets.
fn text_note(condition: &GameCondition, searcher: &Searcher) -> Result<Option<String>> {
    let text = match &condition.value {
        ConditionValue::Phrase(text) | ConditionValue::Fuzzy(text, _) | ConditionValue::Whole(text) => text,
        ConditionValue::Word(_) | ConditionValue::Number(_) | ConditionValue::Date(_) => return Ok(None),
    };
    let is_text = condition.field.kind() == FieldKind::Text && condition.comparison == Comparison::Equal;
    if !is_text {
        return Ok(None);
    }
    let words = searcher.similar_words(condition.field, text)?;
    let nothing = format!("no game has `{condition}`");
    if words.iter().all(|word| word.is_known) {
        return Ok(Some(format!("{nothing}: its words are there, but not like this")));
    }
    // Every combination would be too much: the best word replaces each unknown one, and others are listed.
    let best = |word: &SimilarWord| word.similar.first().unwrap_or(&word.word).clone();
    if words.iter().all(|word| !word.is_known && word.similar.is_empty()) {
        return Ok(Some(format!("{nothing}, nor a similar word")));
    }
    let field = condition.field.as_str();
    let suggestion = words.iter().map(best).collect::<Vec<String>>().join(" ");
    let others: Vec<String> =
        words.iter().flat_map(|word| word.similar.iter().skip(1)).map(|word| format!("`{word}`")).collect();
    let others =
        if others.is_empty() { String::new() } else { format!(" (also similar: {})", others.join(", ")) };
    Ok(Some(format!("{nothing}; did you mean `{field}:\"{suggestion}\"`?{others}")))
}
