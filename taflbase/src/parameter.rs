//! Parameter types that carry their names, range, and default.
//!
//! See [`Request`](crate::Request) for how a request declares its parameters with them.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tafl_parser::Format;

use crate::escape::escape;

/// A whole number with its range and its default, which is the one in its type.
///
/// # Examples
///
/// ```
/// use taflbase::Bounded;
///
/// type Limit = Bounded<1, 20, 10>;
/// assert_eq!(Limit::default().get(), 10);
/// assert!("21".parse::<Limit>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bounded<const MIN: u64, const MAX: u64, const DEFAULT: u64>(u64);

/// A number that is outside of its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{number} is {}", out_of_range(*.min, *.max))]
pub struct OutOfRange {
    number: u64,
    min: u64,
    max: u64,
}

fn out_of_range(min: u64, max: u64) -> String {
    if max == u64::MAX { format!("less than {min}") } else { format!("not in {min}..={max}") }
}

/// Parses a number of 1 or more, as an argument of the command line.
///
/// # Errors
///
/// Returns the reason why the text is not such a number, in words.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// assert_eq!(taflbase::positive("3"), Ok(NonZeroUsize::MIN.saturating_add(2)));
/// assert_eq!(taflbase::positive::<NonZeroUsize>("0"), Err("0 is less than 1".to_owned()));
/// ```
pub fn positive<T: TryFrom<NonZeroU64>>(text: &str) -> Result<T, String> {
    let number = text.parse::<Bounded<1, { u64::MAX }, 1>>()?.get();
    let number = NonZeroU64::new(number).and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("{text} is too large for this machine"))
}

impl<const MIN: u64, const MAX: u64, const DEFAULT: u64> Bounded<MIN, MAX, DEFAULT> {
    /// Creates a number.
    ///
    /// # Errors
    ///
    /// Fails if it is outside of the range.
    pub const fn new(number: u64) -> Result<Self, OutOfRange> {
        if MIN <= number && number <= MAX {
            Ok(Bounded(number))
        } else {
            Err(OutOfRange { number, min: MIN, max: MAX })
        }
    }

    /// Returns the number in the range that is nearest to a number.
    pub fn clamped(number: u64) -> Self {
        Bounded(number.clamp(MIN, MAX))
    }

    /// Returns the number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns the number as a size, clamped to what this machine can count.
    pub fn size(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<const MIN: u64, const MAX: u64, const DEFAULT: u64> Default for Bounded<MIN, MAX, DEFAULT> {
    fn default() -> Self {
        const { assert!(MIN <= DEFAULT && DEFAULT <= MAX) };
        Bounded(DEFAULT)
    }
}

impl<const MIN: u64, const MAX: u64, const DEFAULT: u64> fmt::Display for Bounded<MIN, MAX, DEFAULT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const MIN: u64, const MAX: u64, const DEFAULT: u64> FromStr for Bounded<MIN, MAX, DEFAULT> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse().map_err(|error: std::num::ParseIntError| error.to_string())?;
        Bounded::new(number).map_err(|error| error.to_string())
    }
}

impl<const MIN: u64, const MAX: u64, const DEFAULT: u64> Serialize for Bounded<MIN, MAX, DEFAULT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de, const MIN: u64, const MAX: u64, const DEFAULT: u64> Deserialize<'de>
    for Bounded<MIN, MAX, DEFAULT>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Bounded::new(u64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl<const MIN: u64, const MAX: u64, const DEFAULT: u64> JsonSchema for Bounded<MIN, MAX, DEFAULT> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Bounded_{MIN}_{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        match MAX {
            u64::MAX => json_schema!({ "type": "integer", "minimum": MIN }),
            _ => json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX }),
        }
    }
}

/// A type whose values have fixed names, such as the notations.
pub trait NamedValue: Copy + Send + Sync + 'static {
    /// The kind of value, such as `notation`.
    const KIND: &'static str;

    /// Returns all values, in the order in which they are listed.
    fn all() -> Vec<Self>;

    /// Returns the name, which never changes.
    fn name(self) -> &'static str;

    /// Returns former names, which are accepted and not listed.
    fn old_names(self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the value with a name.
    fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|value| value.name() == name || value.old_names().contains(&name))
    }
}

impl NamedValue for Format {
    const KIND: &'static str = "notation";

    fn all() -> Vec<Format> {
        Format::ALL.to_vec()
    }

    fn name(self) -> &'static str {
        self.name()
    }

    fn old_names(self) -> &'static [&'static str] {
        match self {
            Format::OpenTafl => &["otn", "otg"],
            _ => &[],
        }
    }
}

/// A parameter that is given by a name.
///
/// # Examples
///
/// ```
/// use taflbase::Named;
/// use taflbase::parser::Format;
///
/// let Named(format) = "opentafl".parse::<Named<Format>>()?;
/// assert_eq!(format, Format::OpenTafl);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named<T>(pub T);

impl<T: NamedValue> fmt::Display for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.name())
    }
}

impl<T: NamedValue> FromStr for Named<T> {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        T::from_name(name).map(Named).ok_or_else(|| {
            let names: Vec<&str> = T::all().into_iter().map(T::name).collect();
            format!("unknown {} `{}`; expected one of {}", T::KIND, escape(name), names.join(", "))
        })
    }
}

impl<T: NamedValue> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de, T: NamedValue> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl<T: NamedValue> JsonSchema for Named<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::KIND.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = T::all().into_iter().map(T::name).collect();
        json_schema!({ "type": "string", "enum": names })
    }
}

#[cfg(feature = "clap")]
impl<T: NamedValue> clap::builder::ValueParserFactory for Named<T> {
    type Parser = clap::builder::MapValueParser<clap::builder::PossibleValuesParser, fn(String) -> Named<T>>;

    fn value_parser() -> Self::Parser {
        use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
        let named: fn(String) -> Named<T> =
            |name| Named(T::from_name(&name).expect("only names of values are possible"));
        let possible = |value: T| PossibleValue::new(value.name()).aliases(value.old_names());
        PossibleValuesParser::new(T::all().into_iter().map(possible)).map(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_outside_of_its_range_is_refused_everywhere() {
        type Limit = Bounded<1, 20, 10>;
        assert_eq!(Limit::new(20).map(Limit::get), Ok(20));
        assert_eq!("21".parse::<Limit>().unwrap_err(), "21 is not in 1..=20");
        assert!(serde_json::from_str::<Limit>("0").is_err());
        let schema = serde_json::to_value(schemars::schema_for!(Limit)).unwrap();
        assert_eq!((schema["minimum"].as_u64(), schema["maximum"].as_u64()), (Some(1), Some(20)));
    }

    #[test]
    fn names_equal_their_serialization() {
        let format: Named<Format> = serde_json::from_str("\"opentafl\"").unwrap();
        assert_eq!(serde_json::to_string(&format).unwrap(), "\"opentafl\"");
        assert_eq!("otg".parse::<Named<Format>>(), Ok(format));
        assert!("nothing".parse::<Named<Format>>().unwrap_err().contains("opentafl"));
        let error = "\x1b[31m".parse::<Named<Format>>().unwrap_err();
        assert!(error.contains("`\\u{1b}[31m`") && !error.contains('\x1b'), "{error:?}");
    }
}
