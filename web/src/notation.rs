//! Notations, as parameters name them.

use taflbase::parser::Format;
use taflbase::{Named, NamedValue};

/// A notation that can be written. OpenTafl's is the default: of those that people read, it loses least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WritableNotation(pub Format);

/// A notation that is read, or none to find out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputNotation(pub Option<Format>);

impl NamedValue for WritableNotation {
    const KIND: &'static str = "notation";

    fn all() -> Vec<WritableNotation> {
        Format::ALL.into_iter().filter(|format| format.is_writable()).map(WritableNotation).collect()
    }

    fn name(self) -> &'static str {
        self.0.name()
    }
}

impl WritableNotation {
    /// Returns the notation that is written if none is named.
    pub fn default_name() -> Named<WritableNotation> {
        Named(WritableNotation(Format::OpenTafl))
    }
}

impl NamedValue for InputNotation {
    const KIND: &'static str = "notation";

    fn all() -> Vec<InputNotation> {
        [None].into_iter().chain(Format::ALL.into_iter().map(Some)).map(InputNotation).collect()
    }

    fn name(self) -> &'static str {
        self.0.map_or("auto", Format::name)
    }
}

impl InputNotation {
    /// Returns that the notation is found out.
    pub fn default_name() -> Named<InputNotation> {
        Named(InputNotation(None))
    }
}
