//! The records of a body, one after another, within bounds.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use tafl_parser::Format;
use tafl_parser::reader::{Batch, ReadOptions, Records};
use taflbase::records::{Input, ReplayConfig};

use super::READ;
use crate::records::replay_config_by;
use crate::web::call::Call;
use crate::web::problem::{Code, Problem};

/// The most bytes of a record: the largest real ones have a tenth of it.
const LARGEST: usize = 1 << 20;
/// The most bytes of an unpacked body: a packed one may be a thousand times as long as it is sent.
const MOST_UNPACKED: u64 = 64 << 20;

/// A body with records.
pub(super) struct Upload<'b> {
    records: Records<'b>,
    /// The file's name, which may mention a variant.
    pub(super) input: Input,
    /// By which rules the records are replayed.
    pub(super) config: Arc<ReplayConfig>,
}

impl<'b> Upload<'b> {
    /// Begins to read the body of a request.
    ///
    /// # Errors
    ///
    /// Returns that the body is empty, or what is wrong with a parameter.
    pub(super) fn new(call: &'b Call) -> Result<Upload<'b>, Problem> {
        if call.body.trim_ascii().is_empty() {
            return Err(Problem::new(Code::BadRecord, "the body is empty")
                .help("send the text of one or more records as the body"));
        }
        let formats: Vec<(&str, Option<Format>)> =
            READ.iter().map(|name| (*name, Format::from_name(name))).collect();
        let format = call.params.choice("as", &formats)?;
        let is_named = call.params.text("variant").or(call.params.text("rules")).is_some();
        let ruled = if is_named { Some(call.rules()?) } else { None };
        let config = replay_config_by(ruled.as_ref().map(|ruled| &ruled.variant))
            .map_err(|error| Problem::new(Code::BadRules, error.to_string()).of("rules"))?;
        let name = call.params.text("name").unwrap_or("upload").to_owned();
        let options =
            ReadOptions { format, largest: LARGEST, unpacked: MOST_UNPACKED, ..ReadOptions::default() };
        let records = Records::new(&name, Cursor::new(call.body.as_slice()), options).map_err(unreadable)?;
        Ok(Upload { records, input: Input::Named(PathBuf::from(name)), config: Arc::new(config) })
    }

    /// Returns the next records, or nothing at the end.
    ///
    /// # Errors
    ///
    /// Returns that the body cannot be read.
    pub(super) fn next(&mut self) -> Result<Option<Batch>, Problem> {
        self.records.next_batch().map_err(unreadable)
    }

    /// Returns the notation; nothing where nobody recognizes it.
    pub(super) fn format(&self) -> Option<Format> {
        self.records.format()
    }

    /// Returns whether the body is longer than may be unpacked.
    pub(super) fn is_cut_off(&self) -> bool {
        self.records.is_cut_off()
    }
}

fn unreadable(error: std::io::Error) -> Problem {
    Problem::new(Code::BadRecord, format!("the body cannot be read: {error}"))
        .help("send text, or text packed by gzip or Zstandard")
}
