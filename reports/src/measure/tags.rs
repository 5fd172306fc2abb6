//! Texts of games that reports do not always need: columns of the table of games, and tags of records.

use std::num::NonZeroU64;

use tafl_corpus::{Corpus, Result};

use super::games::Games;
use super::tables::table_error;

/// The tag with the site's number of the game.
pub(crate) const ID: &str = "id";

/// Returns the values of a tag in the records of games, in the order of the games; names are
/// case-insensitive.
///
/// # Errors
///
/// Returns the path of a missing or damaged file.
pub fn record_tags(corpus: &Corpus, games: &Games, name: &str) -> Result<Vec<Option<String>>> {
    texts(corpus, games, "tags", |json| value(json, name))
}

/// Returns the texts of a column of the table of games, such as `event`, in the order of the games.
///
/// # Errors
///
/// Returns the path of a missing or damaged file.
pub(crate) fn column_texts(corpus: &Corpus, games: &Games, column: &str) -> Result<Vec<Option<String>>> {
    texts(corpus, games, column, |text| Some(text.to_owned()))
}

/// Returns the sites' numbers of games, in the order of the games: the last numbers in the IDs of their records.
///
/// # Errors
///
/// Returns the path of a missing or damaged file.
pub(super) fn record_numbers(corpus: &Corpus, games: &Games) -> Result<Vec<Option<NonZeroU64>>> {
    texts(corpus, games, "tags", |json| NonZeroU64::new(last_number(&value(json, ID)?)?))
}

fn texts<T>(
    corpus: &Corpus,
    games: &Games,
    name: &str,
    value: impl Fn(&str) -> Option<T>,
) -> Result<Vec<Option<T>>> {
    let mut all = Vec::with_capacity(games.rows.len());
    let mut rows = games.rows.iter().peekable();
    for (number, segment) in (0u32..).zip(corpus.segments()) {
        if rows.peek().is_none_or(|game| game.segment != number) {
            continue;
        }
        let path = segment.games_table().path();
        let frame = segment.games_table().read_columns(&[name])?;
        let column = frame.column(name).and_then(|column| column.str());
        let column = column.map_err(|error| table_error(path, &error))?;
        while let Some(game) = rows.next_if(|game| game.segment == number) {
            all.push(column.get(game.row as usize).and_then(&value));
        }
    }
    Ok(all)
}

fn value(json: &str, name: &str) -> Option<String> {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).ok()?;
    let (_, value) = object.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?;
    match value {
        serde_json::Value::String(text) => Some(text),
        serde_json::Value::Array(list) => list.first()?.as_str().map(str::to_owned),
        serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::Object(_) => None,
    }
}

/// Returns the last number in a text, such as 470 in `game-1-1-470.json`: the site's number of the game.
pub(crate) fn last_number(text: &str) -> Option<u64> {
    let end = text.rfind(|letter: char| letter.is_ascii_digit())? + 1;
    text[..end].rsplit(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{last_number, value};

    #[test]
    fn numbers_and_statements_are_found() {
        assert_eq!(last_number("game-1-1-470.json"), Some(470));
        assert_eq!(last_number("no number"), None);
        assert_eq!((last_number("ß7"), last_number("12")), (Some(7), Some(12)));
        assert_eq!(value(r#"{"ID":"x","list":["a","b"],"n":3}"#, "id").as_deref(), Some("x"));
        assert_eq!(value(r#"{"list":["a","b"]}"#, "list").as_deref(), Some("a"));
        assert_eq!((value("{}", "id"), value("no json", "id"), value(r#"{"n":3}"#, "n")), (None, None, None));
    }
}
