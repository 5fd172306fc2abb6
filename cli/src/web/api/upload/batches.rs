//! The records of a body, one after another, within bounds.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use tafl_parser::Format;
use tafl_parser::reader::{Batch, ReadOptions, Records};
use taflbase::records::{Input, ReplayConfig};

use super::BodyParams;
use tafl_web::{ApiError, ApiRequest, ErrorCode};

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
    pub(super) fn new(params: &BodyParams, request: &'b ApiRequest) -> Result<Upload<'b>, ApiError> {
        if request.body.trim_ascii().is_empty() {
            return Err(ApiError::new(ErrorCode::BadRecord, "the body is empty")
                .help("send the text of one or more records as the body"));
        }
        let config = ReplayConfig::by(&params.rules, &request.snapshot.app)?;
        let name = params.name.clone().unwrap_or_else(|| "upload".to_owned());
        let options = ReadOptions {
            format: params.r#as.0.0,
            largest: LARGEST,
            unpacked: MOST_UNPACKED,
            ..ReadOptions::default()
        };
        let records =
            Records::new(&name, Cursor::new(request.body.as_slice()), options).map_err(unreadable)?;
        Ok(Upload { records, input: Input::Named(PathBuf::from(name)), config: Arc::new(config) })
    }

    /// Returns the next records, or nothing at the end.
    ///
    /// # Errors
    ///
    /// Returns that the body cannot be read.
    pub(super) fn next(&mut self) -> Result<Option<Batch>, ApiError> {
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

fn unreadable(error: std::io::Error) -> ApiError {
    ApiError::new(ErrorCode::BadRecord, format!("the body cannot be read: {error}"))
        .help("send text, or text packed by gzip or Zstandard")
}
