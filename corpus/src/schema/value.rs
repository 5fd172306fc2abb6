//! The values of columns, and the Rust types that columns can have.

use std::borrow::Cow;
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

use tafl_parser::{Format, ReasonSource};
use tafl_rules::{Reason, Side};

use super::ColumnType;
use crate::id::{GameId, LineOfPlayId, RulesId};
use crate::move_log::GameResult;
use crate::row::{CopyNote, RecordVerdict, tags_from_json, tags_json};

/// The value of a column in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum CellValue<'a> {
    /// Null.
    None,
    /// A text of the row.
    Text(&'a str),
    /// A text that is made from other values.
    Owned(String),
    /// A number.
    Number(i64),
    /// A floating-point number.
    Real(f64),
}

impl<'a> CellValue<'a> {
    /// Returns the text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            CellValue::Text(text) => Some(text),
            CellValue::Owned(text) => Some(text),
            CellValue::None | CellValue::Number(_) | CellValue::Real(_) => None,
        }
    }

    /// Returns the number, if it is one.
    pub const fn as_number(&self) -> Option<i64> {
        match self {
            CellValue::Number(number) => Some(*number),
            CellValue::None | CellValue::Text(_) | CellValue::Owned(_) | CellValue::Real(_) => None,
        }
    }

    /// Returns the floating-point number, if it is one.
    pub const fn as_real(&self) -> Option<f64> {
        match self {
            CellValue::Real(number) => Some(*number),
            CellValue::None | CellValue::Text(_) | CellValue::Owned(_) | CellValue::Number(_) => None,
        }
    }

    /// Returns the text, without a copy if the row has it.
    pub fn into_text(self) -> Option<Cow<'a, str>> {
        match self {
            CellValue::Text(text) => Some(Cow::Borrowed(text)),
            CellValue::Owned(text) => Some(Cow::Owned(text)),
            CellValue::None | CellValue::Number(_) | CellValue::Real(_) => None,
        }
    }
}

/// Texts that many rows have in common: rules, starts, and boards.
#[derive(Debug, Default)]
pub struct SharedTexts(HashMap<Box<str>, Arc<str>>);

impl SharedTexts {
    fn get(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return Arc::clone(known);
        }
        let shared: Arc<str> = text.into();
        self.0.insert(text.into(), Arc::clone(&shared));
        shared
    }
}

/// A Rust type that a column can have.
pub trait ColumnValue: Sized {
    /// The type in Parquet.
    const KIND: ColumnType;

    /// Returns the value of rows from which the column was not read.
    fn empty() -> Self;

    /// Returns the value for tables.
    fn value(&self) -> CellValue<'_>;

    /// Reads the value of a table; returns `false` if the type has no such value.
    fn read(&mut self, value: &CellValue<'_>, texts: &mut SharedTexts) -> bool;

    /// Reads the value of a tag, unless there is a value already; returns whether the column has it now.
    fn read_tag(&mut self, _text: &str) -> bool {
        false
    }
}

impl ColumnValue for Option<String> {
    const KIND: ColumnType = ColumnType::Text;

    fn empty() -> Self {
        None
    }

    fn value(&self) -> CellValue<'_> {
        self.as_deref().map_or(CellValue::None, CellValue::Text)
    }

    fn read(&mut self, value: &CellValue<'_>, _texts: &mut SharedTexts) -> bool {
        *self = value.as_text().map(str::to_owned);
        !matches!(value, CellValue::Number(_))
    }

    fn read_tag(&mut self, text: &str) -> bool {
        let is_free = self.is_none() && !text.is_empty();
        if is_free {
            *self = Some(text.to_owned());
        }
        is_free
    }
}

impl ColumnValue for Arc<str> {
    const KIND: ColumnType = ColumnType::Text;

    fn empty() -> Self {
        Arc::default()
    }

    fn value(&self) -> CellValue<'_> {
        CellValue::Text(self)
    }

    fn read(&mut self, value: &CellValue<'_>, texts: &mut SharedTexts) -> bool {
        value.as_text().map(|text| *self = texts.get(text)).is_some()
    }
}

/// Numbers, and numbers that may be null.
macro_rules! numbers {
    ($($type:ty: $kind:ident),*) => { $(
        impl ColumnValue for $type {
            const KIND: ColumnType = ColumnType::$kind;

            fn empty() -> Self {
                0
            }

            fn value(&self) -> CellValue<'_> {
                CellValue::Number((*self).into())
            }

            fn read(&mut self, value: &CellValue<'_>, _texts: &mut SharedTexts) -> bool {
                let number = value.as_number().and_then(|number| <$type>::try_from(number).ok());
                number.map(|number| *self = number).is_some()
            }
        }

        impl ColumnValue for Option<$type> {
            const KIND: ColumnType = ColumnType::$kind;

            fn empty() -> Self {
                None
            }

            fn value(&self) -> CellValue<'_> {
                self.map_or(CellValue::None, |number| CellValue::Number(number.into()))
            }

            fn read(&mut self, value: &CellValue<'_>, texts: &mut SharedTexts) -> bool {
                let mut number = 0;
                let is_read = *value == CellValue::None || <$type>::read(&mut number, value, texts);
                *self = (*value != CellValue::None).then_some(number);
                is_read
            }

            fn read_tag(&mut self, text: &str) -> bool {
                let number = text.parse().ok().filter(|_| self.is_none());
                *self = self.or(number);
                number.is_some()
            }
        }
    )* };
}

numbers!(u8: UInt8, u16: UInt16, u32: UInt32, i16: Int16);

impl ColumnValue for Option<f64> {
    const KIND: ColumnType = ColumnType::Float64;

    fn empty() -> Self {
        None
    }

    fn value(&self) -> CellValue<'_> {
        self.map_or(CellValue::None, CellValue::Real)
    }

    fn read(&mut self, value: &CellValue<'_>, _texts: &mut SharedTexts) -> bool {
        *self = value.as_real();
        self.is_some() || *value == CellValue::None
    }
}

/// Hashes, whose bits tables hold as signed numbers.
macro_rules! ids {
    ($($type:ident),*) => { $(
        impl ColumnValue for $type {
            const KIND: ColumnType = ColumnType::Id;

            fn empty() -> Self {
                $type::default()
            }

            fn value(&self) -> CellValue<'_> {
                CellValue::Number(self.as_i64())
            }

            fn read(&mut self, value: &CellValue<'_>, _texts: &mut SharedTexts) -> bool {
                value.as_number().map(|number| *self = $type::from_i64(number)).is_some()
            }
        }

        impl ColumnValue for Option<$type> {
            const KIND: ColumnType = ColumnType::Id;

            fn empty() -> Self {
                None
            }

            fn value(&self) -> CellValue<'_> {
                self.map_or(CellValue::None, |id| CellValue::Number(id.as_i64()))
            }

            fn read(&mut self, value: &CellValue<'_>, _texts: &mut SharedTexts) -> bool {
                *self = value.as_number().map($type::from_i64);
                self.is_some() || *value == CellValue::None
            }
        }
    )* };
}

ids!(GameId, LineOfPlayId, RulesId);

fn parsed<T: FromStr>(name: &str) -> Option<T> {
    name.parse().ok()
}

/// Types that tables hold as names.
macro_rules! words {
    ($($type:ty: $empty:expr, $word:expr, $read:expr);*) => { $(
        impl ColumnValue for $type {
            const KIND: ColumnType = ColumnType::Text;

            fn empty() -> Self {
                $empty
            }

            fn value(&self) -> CellValue<'_> {
                CellValue::Text($word(*self))
            }

            fn read(&mut self, value: &CellValue<'_>, _texts: &mut SharedTexts) -> bool {
                value.as_text().and_then($read).map(|read| *self = read).is_some()
            }
        }

        impl ColumnValue for Option<$type> {
            const KIND: ColumnType = ColumnType::Text;

            fn empty() -> Self {
                None
            }

            fn value(&self) -> CellValue<'_> {
                self.map_or(CellValue::None, |known| CellValue::Text($word(known)))
            }

            fn read(&mut self, value: &CellValue<'_>, _texts: &mut SharedTexts) -> bool {
                *self = value.as_text().and_then($read);
                self.is_some() || *value == CellValue::None
            }
        }
    )* };
}

words!(
    Side: Side::Attackers, Side::as_str, parsed;
    GameResult: GameResult::Unfinished, GameResult::as_str, parsed;
    RecordVerdict: RecordVerdict::default(), RecordVerdict::as_str, parsed;
    Reason: Reason::Unfinished, Reason::as_str, parsed;
    ReasonSource: ReasonSource::Inference, ReasonSource::as_str, parsed;
    Format: Format::Jsonl, Format::name, Format::from_name
);

impl ColumnValue for Vec<CopyNote> {
    const KIND: ColumnType = ColumnType::Text;

    fn empty() -> Self {
        Vec::new()
    }

    fn value(&self) -> CellValue<'_> {
        if self.is_empty() {
            return CellValue::None;
        }
        CellValue::Owned(serde_json::to_string(self).expect("copies have only texts and numbers"))
    }

    fn read(&mut self, value: &CellValue<'_>, _texts: &mut SharedTexts) -> bool {
        let Some(json) = value.as_text() else { return *value == CellValue::None };
        serde_json::from_str(json).map(|copies| *self = copies).is_ok()
    }
}

impl ColumnValue for Vec<(String, String)> {
    const KIND: ColumnType = ColumnType::Text;

    fn empty() -> Self {
        Vec::new()
    }

    fn value(&self) -> CellValue<'_> {
        tags_json(self).map_or(CellValue::None, CellValue::Owned)
    }

    fn read(&mut self, value: &CellValue<'_>, _texts: &mut SharedTexts) -> bool {
        let Some(json) = value.as_text() else { return *value == CellValue::None };
        tags_from_json(json).map(|tags| *self = tags).is_some()
    }
}
