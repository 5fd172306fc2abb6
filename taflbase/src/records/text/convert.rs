//! Records of a text, written in another notation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::ErrorLine;

use super::{TextInput, TextRequest, is_late, unreadable};
use crate::records::{
    ConvertRequest, ConvertedRecord, FindingRecord, HeaderFilter, MarkedFinding, RecordEvent, RecordRequest,
};
use crate::{App, Error, ErrorKind, Job, Named, Result, WritableNotation};

/// The maximum size of the text that is written, in bytes.
const MAX_TEXT: usize = 32 << 20;

/// The maximum number of losses in an answer.
const MAX_LOSSES: usize = 2_000;

/// Write the records of a text in another notation
///
/// # Examples
///
/// ```
/// use taflbase::records::{ConvertTextRequest, TextInput, TextRequest};
/// use taflbase::{App, Job};
///
/// let request = ConvertTextRequest { to: "pgn".parse().unwrap(), ..ConvertTextRequest::default() };
/// let answer = request.run_on(b"[variant:brandubh7]\n\n1. d2-c2 e4-e1\n", &App::new(), &Job::default())?;
/// assert_eq!((answer.games, answer.format), (1, Some("opentafl")));
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConvertTextRequest {
    /// The input settings.
    #[serde(flatten)]
    pub input: TextInput,
    /// The notation.
    #[serde(default)]
    pub to: Named<WritableNotation>,
}

/// The records of a text in another notation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ConvertTextAnswer {
    /// The notation of the text, if it is recognized.
    pub format: Option<&'static str>,
    /// The notation that was written.
    pub to: &'static str,
    /// The extension of files in this notation.
    pub extension: &'static str,
    /// The records in this notation.
    pub text: String,
    /// The number of games that were written.
    pub games: u64,
    /// The losses of the notation by record; at most 2,000.
    pub losses: Vec<TextLoss>,
    /// The number of all losses.
    pub losses_total: u64,
    /// The number of records that were left out.
    pub skipped: usize,
    /// The reasons why records were left out; at most 2,000.
    pub left_out: Vec<String>,
    /// The findings about the text besides its records.
    pub findings: Vec<MarkedFinding>,
    /// Whether not everything was read or written: the text is too long, or the time was over.
    pub truncated: bool,
}

/// A loss of a record of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TextLoss {
    /// The number of the record, from 1.
    pub game: u64,
    /// The loss, in words.
    pub what: String,
    /// The number of things that were lost.
    pub count: u64,
}

impl TextRequest for ConvertTextRequest {
    type Answer = ConvertTextAnswer;

    fn run_on(self, text: &[u8], app: &App, job: &Job) -> Result<ConvertTextAnswer> {
        let source = self.input.open(text, app)?;
        let mut answer = ConvertTextAnswer {
            format: None,
            to: self.to.0.0.name(),
            extension: self.to.0.0.extension(),
            text: String::new(),
            games: 0,
            losses: Vec::new(),
            losses_total: 0,
            skipped: 0,
            left_out: Vec::new(),
            findings: Vec::new(),
            truncated: false,
        };
        let mut headers = HeaderFilter::new(self.to.0.0);
        let request = ConvertRequest { to: self.to, ..ConvertRequest::default() };
        let take = |_, event| {
            match event {
                RecordEvent::Record(record) => {
                    if answer.text.len() > MAX_TEXT {
                        return Err(Error::new(ErrorKind::Canceled, "the answer is full"));
                    }
                    answer.add(record, &mut headers);
                }
                RecordEvent::Finding(found) => {
                    let at = FindingRecord { file: self.input.name(), ..FindingRecord::default() };
                    answer.findings.push(MarkedFinding::new(found.finding, at));
                }
                RecordEvent::Failed(line, _) => answer.leave_out(failure(&line)),
                RecordEvent::Unreadable(error) => return Err(unreadable(&error)),
                RecordEvent::Skipped(_) | RecordEvent::Awaited => {}
            }
            Ok(())
        };
        let is_cut = is_late(request.process(&source, job, |record| record, take))?;
        answer.truncated = is_cut || source.reader.is_cut_off();
        answer.format = source.reader.format().map(|format| format.name());
        Ok(answer)
    }
}

fn failure(line: &ErrorLine<'_>) -> String {
    format!("line {}: {}", line.line, line.message)
}

impl ConvertTextAnswer {
    fn add(&mut self, record: ConvertedRecord, headers: &mut HeaderFilter) {
        self.text.push_str(headers.filter(0, &record.text));
        match record.left_out {
            Some(why) => self.leave_out(why.to_string()),
            None => self.games += 1,
        }
        self.losses_total += record.losses.len() as u64;
        let room = MAX_LOSSES - self.losses.len();
        let losses = record.losses.into_iter().take(room);
        self.losses.extend(losses.map(|loss| TextLoss {
            game: record.game,
            what: loss.kind.what,
            count: loss.count,
        }));
    }

    fn leave_out(&mut self, why: String) {
        self.skipped += 1;
        if self.left_out.len() < MAX_LOSSES {
            self.left_out.push(why);
        }
    }
}
