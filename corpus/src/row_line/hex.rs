//! Numbers of 64 bits as strings of 16 hexadecimal digits: JSON readers that convert numbers to floating point lose none.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// A number of 64 bits, which is written as 16 lowercase hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HexNumber(pub(super) u64);

impl HexNumber {
    /// Returns the number of a text; `None` if it is not 16 lowercase hexadecimal digits.
    pub(super) fn parse(text: &str) -> Option<HexNumber> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let is_number = text.len() == 16 && text.bytes().all(is_digit);
        is_number.then(|| u64::from_str_radix(text, 16).ok()).flatten().map(HexNumber)
    }
}

impl fmt::Display for HexNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl<'de> Deserialize<'de> for HexNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HexNumber, D::Error> {
        deserializer.deserialize_str(DigitsVisitor)
    }
}

struct DigitsVisitor;

impl Visitor<'_> for DigitsVisitor {
    type Value = HexNumber;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("16 lowercase hexadecimal digits")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<HexNumber, E> {
        HexNumber::parse(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}
