//! Notations as parameters: those that are read, and those that are written.

use tafl_parser::Format;

use crate::{Named, NamedValue};

/// A notation that can be written. OpenTafl's is the default: of those that people read, it loses least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WritableNotation(pub Format);

/// A notation that is read; by default, the program finds out.
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

    fn old_names(self) -> &'static [&'static str] {
        self.0.old_names()
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

    fn old_names(self) -> &'static [&'static str] {
        self.0.map_or(&[], NamedValue::old_names)
    }
}

impl Default for Named<WritableNotation> {
    fn default() -> Self {
        Named(WritableNotation(Format::OpenTafl))
    }
}

impl Default for Named<InputNotation> {
    fn default() -> Self {
        Named(InputNotation(None))
    }
}
