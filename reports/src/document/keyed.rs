//! JSON objects with ordered entries.

use std::borrow::Cow;
use std::collections::HashSet;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A JSON object whose entries keep their order. A duplicate name gets a number.
#[derive(Debug, Clone)]
pub(super) struct Keyed<'r, T>(Vec<(Cow<'r, str>, T)>);

impl<'r, T, K: Into<Cow<'r, str>>> FromIterator<(K, T)> for Keyed<'r, T> {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(entries: I) -> Self {
        let mut taken: HashSet<Cow<'r, str>> = HashSet::new();
        let entries = entries.into_iter().map(|(key, value)| {
            let key = key.into();
            let mut free = key.clone();
            let mut number = 1;
            while !taken.insert(free.clone()) {
                number += 1;
                free = format!("{key} {number}").into();
            }
            (free, value)
        });
        Keyed(entries.collect())
    }
}

impl<T: Serialize> Serialize for Keyed<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<T: JsonSchema> JsonSchema for Keyed<'_, T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Map_of_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": generator.subschema_for::<T>() })
    }
}
