//! A parameter that is a number from 0 to 1.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number from 0 to 1, with its default in percent.
///
/// # Examples
///
/// ```
/// use taflbase::Proportion;
///
/// assert_eq!(Proportion::<60>::default().get(), 0.6);
/// assert!("1.5".parse::<Proportion<60>>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Proportion<const DEFAULT_PERCENT: u8>(f64);

impl<const DEFAULT_PERCENT: u8> Proportion<DEFAULT_PERCENT> {
    /// Creates a proportion.
    ///
    /// # Errors
    ///
    /// Returns the expected range if the number is outside of it.
    pub fn new(number: f64) -> Result<Self, &'static str> {
        if (0.0..=1.0).contains(&number) {
            Ok(Proportion(number))
        } else {
            Err("expected a number from 0 to 1")
        }
    }

    /// Returns the number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

// No value is NaN.
impl<const DEFAULT_PERCENT: u8> Eq for Proportion<DEFAULT_PERCENT> {}

impl<const DEFAULT_PERCENT: u8> Default for Proportion<DEFAULT_PERCENT> {
    fn default() -> Self {
        const { assert!(DEFAULT_PERCENT <= 100) };
        Proportion(f64::from(DEFAULT_PERCENT) / 100.0)
    }
}

impl<const DEFAULT_PERCENT: u8> fmt::Display for Proportion<DEFAULT_PERCENT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const DEFAULT_PERCENT: u8> FromStr for Proportion<DEFAULT_PERCENT> {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        Self::new(text.parse().unwrap_or(f64::NAN))
    }
}

impl<const DEFAULT_PERCENT: u8> Serialize for Proportion<DEFAULT_PERCENT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

impl<'de, const DEFAULT_PERCENT: u8> Deserialize<'de> for Proportion<DEFAULT_PERCENT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(f64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl<const DEFAULT_PERCENT: u8> JsonSchema for Proportion<DEFAULT_PERCENT> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Proportion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_not_from_0_to_1_is_an_error() {
        assert_eq!("0.25".parse::<Proportion<60>>().map(Proportion::get), Ok(0.25));
        for wrong in ["-0.1", "1.1", "nan", "half"] {
            assert_eq!(wrong.parse::<Proportion<60>>(), Err("expected a number from 0 to 1"));
        }
        assert!(serde_json::from_str::<Proportion<60>>("2").is_err());
    }
}
