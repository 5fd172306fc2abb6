//! Tables as one JSON object, as pandas writes them without `orient="records"`.
//!
//! ```text
//! columns = "{" , { name , ":" , "{" , { index , ":" , value } , "}" } , "}" ;          the default of `to_json`
//! index   = "{" , { index , ":" , "{" , { name , ":" , value } , "}" } , "}" ;
//! split   = '{"columns":' , names , [ ',"index":' , list ] , ',"data":' , list of lists , "}" ;
//! ```
//!
//! A game is spread over the whole text, so the text is read at once and written as an object per line, which
//! [`super::json_rows`] reads.

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use super::csv;

/// The maximum size of a text in bytes. A choice: 64 MiB are about 100,000 games, and take several times that memory.
pub(crate) const LARGEST_TABLE: usize = 64 << 20;

/// Returns whether a text may be such a table: an object that begins with an object of values, or with a list of names.
pub(crate) fn is_likely(head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(head);
    let inside = |text: &str| -> Option<String> {
        let text = text.trim_start().strip_prefix('{')?.trim_start();
        let mut parts = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let _name = parts.next()?.ok()?;
        let rest = text[parts.byte_offset()..].trim_start().strip_prefix(':')?;
        Some(rest.trim_start().to_owned())
    };
    let Some(first) = inside(head.trim_start_matches('\u{feff}')) else { return false };
    match inside(&first) {
        Some(value) => !value.starts_with('{'),
        None => head.contains("\"columns\"") && first.starts_with('['),
    }
}

/// Returns the games of a table, each as an object in a line of its own; `None` if the text is not a table with a column of
/// moves.
pub(crate) fn rows(text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}');
    let rows = match serde_json::from_str::<SplitTable>(text) {
        Ok(table) => table.rows(),
        Err(_) => {
            let members: Members<Members<Value>> = serde_json::from_str(text).ok()?;
            let is_by_column = members.0.iter().any(|(name, values)| {
                csv::may_have_moves(name) && values.0.iter().any(|(_, value)| begins_with_move(value))
            });
            if is_by_column {
                transposed(members)
            } else {
                members.0.into_iter().map(|(_, row)| row).collect()
            }
        }
    };
    let has_moves = |row: &Members<Value>| {
        row.0.iter().any(|(name, value)| csv::may_have_moves(name) && begins_with_move(value))
    };
    if !rows.iter().any(has_moves) {
        return None;
    }
    let mut lines = String::with_capacity(text.len());
    for row in &rows {
        lines.push_str(&serde_json::to_string(row).ok()?);
        lines.push('\n');
    }
    Some(lines)
}

fn begins_with_move(value: &Value) -> bool {
    let first = match value {
        Value::Array(elements) => elements.iter().find(|element| !element.is_null()),
        _ => Some(value),
    };
    match first {
        Some(Value::String(text)) => csv::begins_with_move(text),
        Some(Value::Object(members)) => {
            let texts = members.iter().filter_map(|(name, value)| Some((&**name, value.as_str()?)));
            csv::move_word(texts).is_some()
        }
        _ => false,
    }
}

/// Returns the rows of a table of columns, in the order of the first index of each.
fn transposed(columns: Members<Members<Value>>) -> Vec<Members<Value>> {
    let mut rows: Vec<Members<Value>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (name, values) in columns.0 {
        for (index, value) in values.0 {
            let place = *places.entry(index).or_insert_with(|| {
                rows.push(Members(Vec::new()));
                rows.len() - 1
            });
            rows[place].0.push((name.clone(), value));
        }
    }
    rows
}

/// A table of the orientation `split`.
#[derive(serde::Deserialize)]
struct SplitTable {
    columns: Vec<String>,
    data: Vec<Vec<Value>>,
}

impl SplitTable {
    fn rows(self) -> Vec<Members<Value>> {
        let row = |values: Vec<Value>| Members(self.columns.iter().cloned().zip(values).collect());
        self.data.into_iter().map(row).collect()
    }
}

/// The members of a JSON object, in their order.
struct Members<T>(Vec<(String, T)>);

impl Serialize for Members<Value> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Members<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for MembersVisitor<T> {
            type Value = Members<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str =
        "{\"winner\":\"White\",\"moves\":\"d2-c2 e4-e1\"}\n{\"winner\":null,\"moves\":\"d2-f2\"}\n";

    #[test]
    fn all_orientations_of_pandas_give_the_same_rows() {
        for text in [
            r#"{"winner":{"0":"White","1":null},"moves":{"0":"d2-c2 e4-e1","1":"d2-f2"}}"#,
            r#" { "winner": {"7": "White", "10": null}, "moves": {"7": "d2-c2 e4-e1", "10": "d2-f2"}}"#,
            r#"{"0":{"winner":"White","moves":"d2-c2 e4-e1"},"1":{"winner":null,"moves":"d2-f2"}}"#,
            r#"{"columns":["winner","moves"],"index":[0,1],"data":[["White","d2-c2 e4-e1"],[null,"d2-f2"]]}"#,
        ] {
            assert!(is_likely(text.as_bytes()), "{text}");
            assert_eq!(rows(text).as_deref(), Some(ROWS), "{text}");
            let cut = &text.as_bytes()[..30];
            assert!(is_likely(cut), "{text}");
        }
    }

    #[test]
    fn other_objects_are_no_tables() {
        for text in [
            r#"{"moves":"d2-c2 e4-e1","winner":"White"}"#,
            r#"{"moves":["d2-c2","e4-e1"]}"#,
            r#"{"game":{"players":{"a":"b"}}}"#,
            "[1]",
            "",
        ] {
            assert!(!is_likely(text.as_bytes()), "{text}");
        }
        for text in [r#"{"winner":{"0":"White"}}"#, r#"{"moves":{"0":"none"}}"#, r#"{"moves":{"0":"d2-c2"#] {
            assert_eq!(rows(text), None, "{text}");
        }
    }
}
