//! A parameter that is a pair of numbers.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Two numbers, such as `0,10`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberPair(pub f64, pub f64);

impl Default for NumberPair {
    /// Returns the usual error probabilities of a test.
    fn default() -> NumberPair {
        NumberPair(0.05, 0.05)
    }
}

impl fmt::Display for NumberPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0, self.1)
    }
}

impl FromStr for NumberPair {
    type Err = String;

    fn from_str(text: &str) -> Result<NumberPair, String> {
        let numbers = text
            .split_once(',')
            .and_then(|(one, other)| Some(NumberPair(one.trim().parse().ok()?, other.trim().parse().ok()?)));
        numbers.ok_or_else(|| "expected two numbers, such as 0,10".to_owned())
    }
}

impl Serialize for NumberPair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for NumberPair {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for NumberPair {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "NumberPair".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}
