//! The values of summaries, packed: texts are numbers in a pool.

use std::collections::HashMap;
use std::sync::Arc;

use tafl_parser::ReasonSource;
use tafl_rules::Reason;

use super::ColumnValue;
use crate::id::GameId;
use crate::move_log::GameResult;

/// A type that a column of a summary can have: packed, texts are numbers in a pool.
pub trait SummaryValue: ColumnValue {
    /// The type in a [`GameSummary`](super::GameSummary).
    type Borrowed<'a>
    where
        Self: 'a;
    /// The type in memory.
    type Packed: Copy;

    /// Returns the value of a row.
    fn borrowed(&self) -> Self::Borrowed<'_>;
    /// Packs a value.
    fn pack(value: Self::Borrowed<'_>, pool: &mut TextPool) -> Self::Packed;
    /// Returns a packed value.
    fn unpack(packed: Self::Packed, pool: &TextPool) -> Self::Borrowed<'_>;
}

/// Texts by number, each once. The number 0 means that there is no text.
#[derive(Debug)]
pub struct TextPool {
    texts: Vec<Box<str>>,
    /// Empty once all texts are in.
    numbers: HashMap<Box<str>, u32>,
}

impl TextPool {
    pub(super) fn new() -> TextPool {
        TextPool { texts: vec!["".into()], numbers: HashMap::from([("".into(), 0)]) }
    }

    /// Frees what only new texts need.
    pub(super) fn seal(&mut self) {
        self.numbers = HashMap::new();
        self.texts.shrink_to_fit();
    }

    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(text.into(), number);
        self.texts.push(text.into());
        number
    }

    fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }
}

impl SummaryValue for Option<String> {
    type Borrowed<'a> = Option<&'a str>;
    type Packed = u32;

    fn borrowed(&self) -> Option<&str> {
        self.as_deref()
    }

    fn pack(value: Option<&str>, pool: &mut TextPool) -> u32 {
        pool.number(value.unwrap_or(""))
    }

    fn unpack(packed: u32, pool: &TextPool) -> Option<&str> {
        (packed > 0).then(|| pool.text(packed))
    }
}

impl SummaryValue for Arc<str> {
    type Borrowed<'a> = &'a str;
    type Packed = u32;

    fn borrowed(&self) -> &str {
        self
    }

    fn pack(value: &str, pool: &mut TextPool) -> u32 {
        pool.number(value)
    }

    fn unpack(packed: u32, pool: &TextPool) -> &str {
        pool.text(packed)
    }
}

/// Summaries hold the value as it is.
macro_rules! plain_summary {
    ($($type:ty),*) => { $(
        impl SummaryValue for $type {
            type Borrowed<'a> = $type;
            type Packed = $type;

            fn borrowed(&self) -> $type {
                *self
            }

            fn pack(value: $type, _pool: &mut TextPool) -> $type {
                value
            }

            fn unpack(packed: $type, _pool: &TextPool) -> $type {
                packed
            }
        }
    )* };
}

plain_summary!(GameId, GameResult, Option<Reason>, Option<ReasonSource>, Option<i16>, Option<u32>, u32);
