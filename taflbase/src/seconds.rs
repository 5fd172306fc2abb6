//! A parameter that is a time in seconds.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number of seconds, such as `0.5`, with its least value and its default in nanoseconds.
///
/// # Examples
///
/// ```
/// use taflbase::Seconds;
///
/// type MoveTime = Seconds<1, 5_000_000_000>;
/// assert_eq!(MoveTime::default().to_string(), "5");
/// assert!("0".parse::<MoveTime>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seconds<const MIN_NANOS: u64, const DEFAULT_NANOS: u64>(Duration);

impl<const MIN_NANOS: u64, const DEFAULT_NANOS: u64> Seconds<MIN_NANOS, DEFAULT_NANOS> {
    /// Creates a time.
    ///
    /// # Errors
    ///
    /// Fails if the time is too short; the error states the minimum.
    pub fn new(time: Duration) -> Result<Self, String> {
        if time >= Duration::from_nanos(MIN_NANOS) { Ok(Seconds(time)) } else { Err(expected(MIN_NANOS)) }
    }

    /// Returns the time.
    pub const fn get(self) -> Duration {
        self.0
    }

    fn from_f64(seconds: f64) -> Result<Self, String> {
        Duration::try_from_secs_f64(seconds).map_err(|_| expected(MIN_NANOS)).and_then(Self::new)
    }
}

/// Returns the expected values of a parameter with this minimum.
fn expected(min_nanos: u64) -> String {
    match min_nanos {
        0 => "expected a number of seconds, such as 0.5".to_owned(),
        1 => "expected a number of seconds above 0, such as 0.1".to_owned(),
        nanos => format!("expected at least {} seconds", Duration::from_nanos(nanos).as_secs_f64()),
    }
}

impl<const MIN_NANOS: u64, const DEFAULT_NANOS: u64> Default for Seconds<MIN_NANOS, DEFAULT_NANOS> {
    fn default() -> Self {
        const { assert!(MIN_NANOS <= DEFAULT_NANOS) };
        Seconds(Duration::from_nanos(DEFAULT_NANOS))
    }
}

impl<const MIN_NANOS: u64, const DEFAULT_NANOS: u64> fmt::Display for Seconds<MIN_NANOS, DEFAULT_NANOS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_secs_f64().fmt(f)
    }
}

impl<const MIN_NANOS: u64, const DEFAULT_NANOS: u64> FromStr for Seconds<MIN_NANOS, DEFAULT_NANOS> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::from_f64(text.parse().map_err(|_| expected(MIN_NANOS))?)
    }
}

impl<const MIN_NANOS: u64, const DEFAULT_NANOS: u64> Serialize for Seconds<MIN_NANOS, DEFAULT_NANOS> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_secs_f64())
    }
}

impl<'de, const MIN_NANOS: u64, const DEFAULT_NANOS: u64> Deserialize<'de>
    for Seconds<MIN_NANOS, DEFAULT_NANOS>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_f64(f64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl<const MIN_NANOS: u64, const DEFAULT_NANOS: u64> JsonSchema for Seconds<MIN_NANOS, DEFAULT_NANOS> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Seconds_{MIN_NANOS}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        match MIN_NANOS {
            1 => json_schema!({ "type": "number", "exclusiveMinimum": 0 }),
            nanos => json_schema!({ "type": "number", "minimum": Duration::from_nanos(nanos).as_secs_f64() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_of_seconds() {
        type Time = Seconds<0, 0>;
        assert_eq!("0.5".parse::<Time>().map(Time::get), Ok(Duration::from_millis(500)));
        assert_eq!(serde_json::from_str::<Time>("2").unwrap().get(), Duration::from_secs(2));
        for wrong in ["-1", "soon", "1e300", "nan"] {
            assert_eq!(wrong.parse::<Time>(), Err("expected a number of seconds, such as 0.5".to_owned()));
        }
    }
}
