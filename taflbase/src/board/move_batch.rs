//! Requests about moves as JSON objects, one per line or in an array.

use std::fmt;
use std::io::{BufRead, Read};
use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Number, Value};
use tafl_rules::Side;

use super::json_array::process_array;
use super::move_request::{MoveAnswer, MoveRequest};
use super::side::SideName;
use crate::{App, Job, Request};

/// The maximum length of a line, in bytes. A longer line is skipped and answered with an error.
pub(crate) const MAX_LINE: u64 = 1 << 20;

/// Requests about moves, which share defaults.
///
/// Each request is a JSON object with the fields of a [`MoveRequest`], all of which are optional except `move`. It may also
/// have an `id`, which the answer repeats, and `options`: changes of rules as an object.
///
/// # Examples
///
/// ```
/// use taflbase::{App, Job, MoveBatch, MoveRequest, MoveResult, RulesRequest};
///
/// let defaults = MoveRequest { rules: RulesRequest::of("brandubh7"), ..MoveRequest::default() };
/// let reply = MoveBatch { defaults }.answer(
///     &serde_json::json!({ "id": 1, "move": "d1-c1" }),
///     &App::new(),
///     &Job::default(),
/// );
/// assert!(matches!(reply.result, MoveResult::Answer(answer) if answer.legal));
/// ```
#[derive(Debug, Clone, Default)]
pub struct MoveBatch {
    /// The values of fields that requests omit.
    pub defaults: MoveRequest,
}

/// The reply to one request of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MoveReply {
    /// The ID of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    /// The answer, or an error.
    #[serde(flatten)]
    pub result: MoveResult,
}

/// The answer to one request of a batch, or an error.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum MoveResult {
    /// The request was answered.
    Answer(MoveAnswer),
    /// The request is faulty.
    Error {
        /// The error.
        error: String,
    },
}

impl MoveBatch {
    /// Answers the requests in an array or in lines, each as soon as it is read, until `take` returns `Break`.
    ///
    /// # Errors
    ///
    /// Returns an error if the input can't be read, or the first error of `take`.
    pub fn process<E: From<std::io::Error>>(
        &self,
        mut input: impl BufRead,
        app: &App,
        job: &Job,
        mut take: impl FnMut(MoveReply) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        skip_blanks(&mut input)?;
        if input.fill_buf()?.first() == Some(&b'[') {
            return process_array(input, |request| {
                take(request.map_or_else(MoveReply::error, |request| self.answer(&request, app, job)))
            });
        }
        let mut line = Vec::new();
        while let Some(length) = read_line(&mut input, &mut line)? {
            let reply = if length > MAX_LINE {
                MoveReply::error(format!("the request is too long; the limit is {MAX_LINE} bytes"))
            } else if line.trim_ascii().is_empty() {
                continue;
            } else {
                match serde_json::from_slice(&line) {
                    Ok(request) => self.answer(&request, app, job),
                    Err(error) => MoveReply::error(format!("not JSON: {error}")),
                }
            };
            if take(reply)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Answers a request.
    pub fn answer(&self, request: &Value, app: &App, job: &Job) -> MoveReply {
        let Value::Object(fields) = request else {
            return MoveReply::error("a request must be a JSON object".to_owned());
        };
        let answer = self
            .request(fields)
            .and_then(|request| request.run(app, job).map_err(|error| error.with_field_names().to_string()));
        let result = answer.map_or_else(|error| MoveResult::Error { error }, MoveResult::Answer);
        MoveReply { id: fields.get("id").cloned(), result }
    }

    /// Returns a request with the defaults for omitted fields.
    fn request(&self, fields: &Map<String, Value>) -> Result<MoveRequest, String> {
        let mut request = self.defaults.clone();
        let fields: MoveFields =
            serde_path_to_error::deserialize(fields).map_err(|error| error.to_string())?;
        request.rules.variant = fields.variant.or(request.rules.variant);
        match fields.rules {
            Some(RulesField::Text(text)) => request.rules.variant = Some(text),
            Some(RulesField::Changes(changes)) => request.rules.rule.extend(changes),
            None => {}
        }
        match fields.options {
            Some(RulesField::Changes(changes)) => request.rules.rule.extend(changes),
            Some(RulesField::Text(_)) => return Err("options: expected an object or an array".to_owned()),
            None => {}
        }
        if let Some(RulesField::Changes(changes)) = fields.rule {
            request.rules.rule.extend(changes);
        }
        if request.rules.variant.as_deref().is_none_or(str::is_empty) {
            return Err("missing field `variant`".to_owned());
        }
        request.position = fields.position.or(request.position);
        request.side = fields.side.or(fields.to_move).or(request.side);
        request.moves = fields.moves.or(request.moves);
        request.mv = fields.mv;
        request.explain |= fields.explain.unwrap_or(false);
        Ok(request)
    }
}

impl MoveReply {
    /// Creates the reply to a request that can't be read.
    fn error(error: String) -> MoveReply {
        MoveReply { id: None, result: MoveResult::Error { error } }
    }
}

/// The fields of a request. Unknown ones are ignored.
#[derive(Deserialize)]
struct MoveFields {
    variant: Option<String>,
    /// The variant by its former name, or changes of rules.
    rules: Option<RulesField>,
    options: Option<RulesField>,
    /// Changes of rules. A text describes the request in published test cases, and is ignored.
    rule: Option<RulesField>,
    position: Option<String>,
    #[serde(default, deserialize_with = "side")]
    side: Option<SideName>,
    /// The former name of `side`, which takes precedence.
    #[serde(default, deserialize_with = "side")]
    to_move: Option<SideName>,
    moves: Option<String>,
    #[serde(rename = "move")]
    mv: String,
    explain: Option<bool>,
}

/// Reads a side. The error of the derived implementation mentions "variants", which are rules here.
fn side<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SideName>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    match text.parse::<Side>() {
        Ok(side) => Ok(Some(side.into())),
        Err(_) => Err(D::Error::custom("expected `attackers` or `defenders`")),
    }
}

/// A text, or changes of rules as an object or as an array of `KEY=VALUE`.
enum RulesField {
    Text(String),
    Changes(Vec<String>),
}

impl<'de> Deserialize<'de> for RulesField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RulesField, D::Error> {
        deserializer.deserialize_any(RulesVisitor)
    }
}

struct RulesVisitor;

impl<'de> Visitor<'de> for RulesVisitor {
    type Value = RulesField;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_str<E>(self, text: &str) -> Result<RulesField, E> {
        Ok(RulesField::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RulesField, A::Error> {
        let mut changes = Vec::new();
        while let Some(value) = list.next_element::<RuleValue>()? {
            changes.push(value.to_string());
        }
        Ok(RulesField::Changes(changes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<RulesField, A::Error> {
        let mut changes = Vec::new();
        while let Some((key, value)) = fields.next_entry::<String, RuleValue>()? {
            changes.push(format!("{key}={value}"));
        }
        Ok(RulesField::Changes(changes))
    }
}

/// The value of a rule.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string, a number, or a boolean")]
enum RuleValue {
    Text(String),
    Switch(bool),
    Number(Number),
}

impl fmt::Display for RuleValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleValue::Text(text) => text.fmt(f),
            RuleValue::Switch(true) => "on".fmt(f),
            RuleValue::Switch(false) => "off".fmt(f),
            RuleValue::Number(number) => number.fmt(f),
        }
    }
}

fn skip_blanks(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let blanks = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if blanks == 0 {
            return Ok(());
        }
        input.consume(blanks);
    }
}

/// Reads a line, and returns its length, or `None` at the end of the input. Only the start of a line above [`MAX_LINE`] is
/// kept.
pub(crate) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<Option<u64>> {
    line.clear();
    let mut length = input.take(MAX_LINE).read_until(b'\n', line)? as u64;
    if length == MAX_LINE && line.last() != Some(&b'\n') {
        length += skip_line(input)?;
    }
    Ok((length > 0).then_some(length))
}

/// Skips the rest of a line, and returns its length.
fn skip_line(input: &mut impl BufRead) -> std::io::Result<u64> {
    let mut skipped = 0;
    loop {
        let bytes = input.fill_buf()?;
        let (length, is_end) = match bytes.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (bytes.len(), bytes.is_empty()),
        };
        input.consume(length);
        skipped += length as u64;
        if is_end {
            return Ok(skipped);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::RulesRequest;

    fn error(request: Value) -> String {
        match MoveBatch::default().answer(&request, &App::new(), &Job::default()).result {
            MoveResult::Error { error } => error,
            MoveResult::Answer(answer) => panic!("{answer:?}"),
        }
    }

    #[test]
    fn an_error_names_its_field() {
        for (request, message) in [
            (json!(7), "a request must be a JSON object"),
            (json!({}), "missing field `move`"),
            (json!({ "move": "d1-c1" }), "missing field `variant`"),
            (json!({ "move": 7 }), "move: invalid type: integer `7`, expected a string"),
            (json!({ "variant": {} }), "variant: invalid type: map, expected a string"),
            (json!({ "side": "white" }), "side: expected `attackers` or `defenders`"),
            (json!({ "rules": 7 }), "rules: invalid type: integer `7`, expected an object or an array"),
            (json!({ "options": { "sw": [] } }), "options.sw: expected a string, a number, or a boolean"),
            (json!({ "options": "sw=w", "move": "d1-c1" }), "options: expected an object or an array"),
        ] {
            assert_eq!(error(request), message);
        }
    }

    #[test]
    fn fields_have_aliases_and_defaults() {
        let defaults = MoveRequest { rules: RulesRequest::of("tablut9_wtf"), ..MoveRequest::default() };
        let batch = MoveBatch { defaults };
        let request = |value: Value| batch.request(value.as_object().unwrap()).unwrap();
        let omitted = request(json!({ "move": "d1-c1", "rule": "a description", "options": null, "id": 1 }));
        assert_eq!(omitted.rules, RulesRequest::of("tablut9_wtf"));
        let given = request(json!({
            "rules": "brandubh7", "options": { "sw": true, "xlim": 9 }, "rule": ["surf=n"],
            "to_move": "defenders", "moves": "d1-c1 d3-a3", "move": "d2-d1", "explain": true,
        }));
        assert_eq!(given.rules.variant.as_deref(), Some("brandubh7"));
        assert_eq!(given.rules.rule, ["sw=on", "xlim=9", "surf=n"]);
        assert_eq!((given.side, given.explain), (Some(SideName::Defenders), true));
        assert_eq!((given.moves.as_deref(), given.mv.as_str()), (Some("d1-c1 d3-a3"), "d2-d1"));
        let both = request(json!({ "side": "attackers", "to_move": "defenders", "move": "d1-c1" }));
        assert_eq!(both.side, Some(SideName::Attackers));
    }

    /// Returns the replies to an input, up to the first `n`.
    fn replies(input: &str, n: usize) -> Vec<MoveReply> {
        let mut replies = Vec::new();
        let taken = MoveBatch::default().process(
            input.as_bytes(),
            &App::new(),
            &Job::default(),
            |reply| -> std::io::Result<_> {
                replies.push(reply);
                Ok(if replies.len() < n { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
            },
        );
        assert!(taken.is_ok());
        replies
    }

    #[test]
    fn the_requests_of_an_array_are_answered_before_its_end() {
        let request = r#"{ "id": 1, "variant": "brandubh7", "move": "d1-c1" }"#;
        let is_answer =
            |reply: &MoveReply| matches!(&reply.result, MoveResult::Answer(answer) if answer.legal);
        let unclosed = replies(&format!(" [{request}, {request}"), 9);
        assert!(unclosed.len() == 3 && unclosed[..2].iter().all(is_answer), "{unclosed:?}");
        assert!(
            matches!(&unclosed[2].result, MoveResult::Error { error } if error.starts_with("not a JSON array"))
        );
        let closed = replies(&format!("[{request}, {request}]"), 9);
        assert!(closed.len() == 2 && closed.iter().all(is_answer), "{closed:?}");
        assert_eq!(replies(&format!("[{request}, {request}"), 1), closed[..1]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let input = format!("{}\n\n7\n", "x".repeat(2 << 20));
        let replies = replies(&input, 9);
        assert_eq!(replies.len(), 2);
        let long = "the request is too long; the limit is 1048576 bytes";
        assert_eq!(replies[0], MoveReply::error(long.to_owned()));
    }
}
