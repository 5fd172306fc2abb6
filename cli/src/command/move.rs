//! `tafl move`: checks a move and shows its effect.

use std::io::{BufRead, Read};

use serde::Serialize;
use serde_json::Value;
use tafl_rules::Side;

use crate::args::board::{MoveArgs, MoveFormat};
use taflbase::{App, Job, MoveAnswer, MoveRequest, Request};

use crate::variant::{NO_RULES, print_error};
use crate::{Exit, Io};

/// The maximum length of a request, in bytes. A longer line is skipped and answered with an error.
const MAX_REQUEST: u64 = 1 << 20;

/// Runs the command.
///
/// # Errors
///
/// Returns an error if standard input cannot be read or the answer cannot be written.
pub(crate) fn run(args: &MoveArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let defaults = MoveRequest {
        rules: args.variant.variant.clone().unwrap_or_default(),
        changes: args.variant.rule.clone(),
        position: args.place.position.clone(),
        side: args.place.side.map(Side::from),
        mv: args.mv.clone(),
        explain: args.explain,
    };
    if args.mv == "-" {
        return Batch { defaults, app: App::new().with_rules_files(), has_failed: false }.run(io);
    }
    if defaults.rules.is_empty() {
        io.error(NO_RULES);
        return Ok(Exit::Error);
    }
    match defaults.run(&App::new().with_rules_files(), &Job::default()) {
        Ok(answer) => {
            let text = match args.format {
                MoveFormat::Json => format!("{}\n", serde_json::to_string_pretty(&answer)?),
                MoveFormat::Text => words(&answer, args),
            };
            io.print(&text)?;
            Ok(if answer.legal { Exit::Ok } else { Exit::Findings })
        }
        Err(error) => Ok(print_error(&error, io)),
    }
}

fn words(answer: &MoveAnswer, args: &MoveArgs) -> String {
    let mv = taflbase::escape::escape(&args.mv);
    if let Some(why) = &answer.why {
        return format!("{mv} is illegal: {why}\n");
    }
    let captured = if answer.captured.is_empty() { "nothing".to_owned() } else { answer.captured.join(", ") };
    let mut lines = vec![format!("{mv} is legal"), format!("captures: {captured}")];
    lines.push(match (&answer.outcome, answer.to_move, answer.goes_on) {
        (Some(ending), ..) if ending.winner == "draw" => format!("the game is drawn: {}", ending.reason),
        (Some(ending), ..) => format!("the {} win: {}", ending.winner, ending.reason),
        (None, _, true) => "the same piece continues".to_owned(),
        (None, Some(side), false) => format!("the game continues: {side} to move"),
        (None, None, false) => "the game continues".to_owned(),
    });
    lines.extend(answer.after.iter().map(|after| format!("after: {after}")));
    lines.extend(answer.explanation.iter().map(|line| format!("because: {line}")));
    lines.extend(answer.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n") + "\n"
}

/// An answer with the id of its request.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    #[serde(flatten)]
    answer: BatchAnswer<'a>,
}

/// An answer, or an error.
#[derive(Serialize)]
#[serde(untagged)]
enum BatchAnswer<'a> {
    Answer(&'a MoveAnswer),
    Error { error: String },
}

/// The requests from standard input.
struct Batch {
    /// The values of fields that requests omit.
    defaults: MoveRequest,
    app: App,
    /// Whether a request failed.
    has_failed: bool,
}

impl Batch {
    fn run(mut self, io: &mut Io<'_>) -> anyhow::Result<Exit> {
        let mut input = io.take_stdin();
        skip_blanks(&mut input)?;
        if input.fill_buf()?.first() == Some(&b'[') {
            self.array(input, io)?;
        } else {
            self.lines(input, io)?;
        }
        Ok(if self.has_failed { Exit::Findings } else { Exit::Ok })
    }

    /// Answers the requests of a JSON array.
    fn array(&mut self, input: impl Read, io: &mut Io<'_>) -> anyhow::Result<()> {
        match serde_json::from_reader::<_, Vec<Value>>(input) {
            Ok(questions) => questions.iter().try_for_each(|question| self.reply(Ok(question), io)),
            Err(error) => self.reply(Err(format!("not a JSON array: {error}")), io),
        }
    }

    /// Answers one request per line. Each answer is flushed before the next line is read.
    fn lines(&mut self, mut input: impl BufRead, io: &mut Io<'_>) -> anyhow::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = (&mut input).take(MAX_REQUEST).read_until(b'\n', &mut line)?;
            if length == 0 {
                return Ok(());
            }
            if length as u64 == MAX_REQUEST && line.last() != Some(&b'\n') {
                skip_line(&mut input)?;
                self.reply(Err(format!("the request is too long; the limit is {MAX_REQUEST} bytes")), io)?;
            } else if !line.trim_ascii().is_empty() {
                match serde_json::from_slice::<Value>(&line) {
                    Ok(question) => self.reply(Ok(&question), io)?,
                    Err(error) => self.reply(Err(format!("not JSON: {error}")), io)?,
                }
            }
            if io.is_closed() {
                return Ok(());
            }
        }
    }

    fn reply(&mut self, question: Result<&Value, String>, io: &mut Io<'_>) -> anyhow::Result<()> {
        let (id, answer) = match question {
            Ok(value) => {
                let answer = self.question(value).and_then(|question| {
                    question.run(&self.app, &Job::default()).map_err(|error| error.to_string())
                });
                (value.get("id"), answer)
            }
            Err(error) => (None, Err(error)),
        };
        self.has_failed |= answer.is_err();
        let answer = match &answer {
            Ok(answer) => BatchAnswer::Answer(answer),
            Err(error) => BatchAnswer::Error { error: error.clone() },
        };
        let mut line = serde_json::to_string(&Line { id, answer })?;
        line.push('\n');
        io.print(&line)?;
        // The client may wait for the answer before it sends the next request.
        io.flush()?;
        Ok(())
    }

    /// Reads a request. Omitted fields have the values of the command line.
    fn question(&self, value: &Value) -> Result<MoveRequest, String> {
        let Value::Object(fields) = value else { return Err("a request must be a JSON object".to_owned()) };
        let text = |name: &str| match fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(format!("\"{name}\" must be a string")),
        };
        let mut question = self.defaults.clone();
        for name in ["variant", "rules"] {
            match fields.get(name) {
                Some(Value::String(rules)) => question.rules = rules.clone(),
                Some(options @ (Value::Object(_) | Value::Array(_))) if name == "rules" => {
                    question.changes.extend(changes(options)?);
                }
                None | Some(Value::Null) => {}
                Some(_) => return Err(format!("\"{name}\" must be a string")),
            }
        }
        if let Some(options) = fields.get("options") {
            question.changes.extend(changes(options)?);
        }
        // A text named "rule" describes the case in published test cases and is ignored like other unknown fields.
        if let Some(options @ (Value::Object(_) | Value::Array(_))) = fields.get("rule") {
            question.changes.extend(changes(options)?);
        }
        if let Some(side) = text("side")?.or(text("to_move")?) {
            question.side = Some(side.parse().map_err(|_| "the side must be `attackers` or `defenders`")?);
        }
        question.explain |= fields.get("explain") == Some(&Value::Bool(true));
        question.position = text("position")?.or(question.position);
        question.mv = text("move")?.ok_or("a request needs a \"move\"")?;
        if question.rules.is_empty() {
            return Err("a request needs a \"variant\"".to_owned());
        }
        Ok(question)
    }
}

/// Reads changes of rules: an object of keys and values, or an array of `KEY=VALUE`.
fn changes(options: &Value) -> Result<Vec<String>, String> {
    let word = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Bool(on) => Ok(if *on { "on" } else { "off" }.to_owned()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err("an option must be a string, a number, or a boolean".to_owned())
        }
    };
    match options {
        Value::Null => Ok(Vec::new()),
        Value::Array(list) => list.iter().map(word).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| Ok(format!("{key}={}", word(value)?))).collect()
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Err("options must be an object or an array".to_owned())
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

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            let length = bytes.len();
            if length == 0 {
                return Ok(());
            }
            input.consume(length);
            continue;
        };
        input.consume(end + 1);
        return Ok(());
    }
}
