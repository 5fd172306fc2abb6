//! The object `game` of a row line: the columns of the table of games that are not null.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::RowError;
use super::hex::HexNumber;
use crate::row::{CellValue, GameRow};
use crate::schema::{ColumnType, GAMES, SharedTexts};

/// The values of the columns, in the order of [`GAMES`].
pub(super) struct GameObject<'a>(Vec<CellValue<'a>>);

impl GameObject<'_> {
    /// Returns the row that has the values.
    ///
    /// # Errors
    ///
    /// Returns the column whose value is not usable.
    pub(super) fn row(&self, texts: &mut SharedTexts) -> Result<GameRow, RowError> {
        let mut row = GameRow::default();
        for (column, value) in GAMES.iter().zip(&self.0) {
            let invalid = RowError::Field(column.field.name);
            let number = match value.as_text() {
                Some(text) if column.field.kind == ColumnType::Id => {
                    Some(CellValue::Number(HexNumber::parse(text).ok_or(invalid.clone())?.0 as i64))
                }
                None if column.field.kind == ColumnType::Id && *value != CellValue::None => {
                    return Err(invalid);
                }
                Some(_) | None => None,
            };
            if !(column.read)(&mut row, number.as_ref().unwrap_or(value), texts) {
                return Err(invalid);
            }
        }
        Ok(row)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for GameObject<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameObject<'a>, D::Error> {
        deserializer.deserialize_map(ColumnsVisitor)
    }
}

struct ColumnsVisitor;

impl<'de> Visitor<'de> for ColumnsVisitor {
    type Value = GameObject<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the columns of the table of games")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GameObject<'de>, A::Error> {
        let mut values = vec![CellValue::None; GAMES.len()];
        let mut next = 0;
        while let Some(JsonScalar(name)) = map.next_key::<JsonScalar<'de>>()? {
            // Lines have the columns in order.
            let rest = GAMES.iter().enumerate().cycle().skip(next).take(GAMES.len());
            let found = { rest }.find(|(_, column)| Some(column.field.name) == name.as_text());
            let Some((at, _)) = found else {
                return Err(A::Error::custom(format_args!(
                    "unknown field `{}`",
                    name.as_text().unwrap_or("")
                )));
            };
            next = (at + 1) % GAMES.len();
            let JsonScalar(value) = map.next_value::<JsonScalar<'de>>()?;
            if values[at] != CellValue::None {
                return Err(A::Error::custom(format_args!("duplicate field `{}`", GAMES[at].field.name)));
            }
            values[at] = value;
        }
        Ok(GameObject(values))
    }
}

/// A name or value, borrowed from the line if it has no escapes.
struct JsonScalar<'a>(CellValue<'a>);

impl<'de> Deserialize<'de> for JsonScalar<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonScalar<'de>, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = JsonScalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, an integer, or null")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<JsonScalar<'de>, E> {
        Ok(JsonScalar(CellValue::Text(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<JsonScalar<'de>, E> {
        Ok(JsonScalar(CellValue::Owned(text.to_owned())))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<JsonScalar<'de>, E> {
        Ok(JsonScalar(CellValue::Number(number)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<JsonScalar<'de>, E> {
        i64::try_from(number).map(|number| JsonScalar(CellValue::Number(number))).map_err(E::custom)
    }

    fn visit_unit<E: Error>(self) -> Result<JsonScalar<'de>, E> {
        Ok(JsonScalar(CellValue::None))
    }
}
