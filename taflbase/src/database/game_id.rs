//! The ID of a game, as a parameter.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tafl_corpus::{GameId, ParseGameIdError};

/// The ID of a game: 16 hexadecimal digits, or the decimal number in Parquet files, with a sign if it has fewer than 17 digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameIdParam(pub GameId);

impl fmt::Display for GameIdParam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for GameIdParam {
    type Err = ParseGameIdError;

    fn from_str(text: &str) -> Result<GameIdParam, ParseGameIdError> {
        text.parse().map(GameIdParam)
    }
}

impl Serialize for GameIdParam {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GameIdParam {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for GameIdParam {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "GameIdParam".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^([0-9a-fA-F]{16}|[+-][0-9]{1,19}|[0-9]{17,19})$" })
    }
}
