//! Records written in another notation.

use serde_json::{Value, json};
use tafl_parser::Format;
use taflbase::records::{Finding, RecordWorker};

use super::BodyParams;
use super::batches::Upload;
use crate::command::convert::{Converter, Job};
use crate::io::Style;
use crate::web::finding::value;
use tafl_web::{ApiError, ApiRequest, Reply};

/// The longest text that is written.
const MOST_TEXT: usize = 32 << 20;
/// So many losses are listed.
const MOST_LOSSES: usize = 2_000;

/// Answers with the records of the body in another notation.
pub(super) fn convert(params: &BodyParams, to: Format, request: &ApiRequest) -> Result<Reply, ApiError> {
    let mut upload = Upload::new(params, request)?;
    let job = Job { to, style: Style::Plain, is_listing: false };
    let mut converter = Converter::new(&upload.config, job);
    let (mut text, mut games, mut left_out) = (String::new(), 0_u64, Vec::new());
    let mut losses: Vec<Value> = Vec::new();
    let mut n_losses = 0_u64;
    let mut findings = Vec::new();
    let mut is_truncated = false;
    let name = upload.input.name();
    'all: while let Some(batch) = upload.next()? {
        converter.enter(&batch);
        findings
            .extend(batch.findings().iter().map(|found| value(&Finding::of_file(found).line_of_file(&name))));
        for (source, parsed) in batch.parse() {
            if request.job.is_over() || text.len() > MOST_TEXT {
                is_truncated = true;
                break 'all;
            }
            let converted = converter.convert(source, parsed);
            games += u64::from(converted.left_out.is_none());
            left_out.extend(converted.left_out);
            text.push_str(&converted.text);
            for (kind, count) in converted.losses {
                n_losses += 1;
                if losses.len() < MOST_LOSSES {
                    losses.push(json!({ "game": source.ordinal, "what": kind.words, "count": count }));
                }
            }
        }
    }
    Ok(Reply::Json(json!({
        "format": upload.format().map(|format| format.name()),
        "to": to.name(),
        "extension": to.extension(),
        "text": text,
        "games": games,
        "losses": losses,
        "losses_total": n_losses,
        "skipped": left_out.len(),
        "left_out": left_out.iter().take(MOST_LOSSES).collect::<Vec<_>>(),
        "findings": findings,
        "truncated": is_truncated || upload.is_cut_off(),
    })))
}
