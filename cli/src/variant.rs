//! The rules of a command line, and the messages about them.

use std::ops::Range;

use tafl_parser::{LineIndex, Severity, Source};
use taflbase::{Error, RulesRequest, Variant};

use crate::io::ColorMode;
use crate::snippet::{Snippet, SnippetPlace};
use crate::{Exit, Io};

/// The error of a command that needs rules, and has none.
pub(crate) const NO_RULES: &str = "no rules are given; name them with --variant";

/// Returns the rules that `--variant` and `--rule` name, or `None` if neither is given. Errors and notices are printed.
///
/// # Errors
///
/// Returns the exit of the program if the rules are unknown or invalid.
pub(crate) fn variant_of(args: &RulesRequest, io: &mut Io<'_>) -> Result<Option<Variant>, Exit> {
    let found = match &args.variant {
        Some(text) => variant_named(text, io)?.changed(&args.rule).map(Some),
        None => args.without_variant().map(|()| None),
    };
    found.map_err(|error| print_error(&error, io))
}

/// Returns the rules that a command needs. Errors and notices are printed.
///
/// # Errors
///
/// As [`variant_of`]; and if no rules are named.
pub(crate) fn require_rules(rules: &RulesRequest, io: &mut Io<'_>) -> Result<Variant, Exit> {
    variant_of(rules, io)?.ok_or_else(|| {
        io.error(NO_RULES);
        Exit::Error
    })
}

/// Returns the rules of a name, rules string or file. Errors and notices are printed.
///
/// # Errors
///
/// As [`variant_of`].
pub(crate) fn variant_named(text: &str, io: &mut Io<'_>) -> Result<Variant, Exit> {
    let variant = Variant::find(text).map_err(|error| print_error(&error, io))?;
    for notice in &variant.notices {
        let message = TextMessage {
            severity: Severity::Warning,
            message: &notice.kind.to_string(),
            name: &variant.text_name,
            text: &variant.text,
            range: notice.span.start as usize..notice.span.end as usize,
        };
        io.notice(&message.marked(io.error_style()));
    }
    Ok(variant)
}

/// Returns the rules of a request with the content of a file instead of its path, because requests read no files. Errors
/// and notices are printed.
///
/// # Errors
///
/// As [`variant_of`].
#[cfg(feature = "database")]
pub(crate) fn rules_of(rules: &RulesRequest, io: &mut Io<'_>) -> Result<RulesRequest, Exit> {
    let variant = variant_of(rules, io)?;
    Ok(variant.map_or_else(RulesRequest::default, |variant| {
        RulesRequest::of(variant.named.map_or(variant.text, |named| named.name.to_owned()))
    }))
}

/// Prints an error, with its place if it has one, and returns the exit of a program that failed.
pub(crate) fn print_error(error: &Error, io: &mut Io<'_>) -> Exit {
    if let Some(cause) = &error.cause {
        // The cause has full paths, which the message must not have.
        io.error(&cause.to_string());
        return Exit::Error;
    }
    match (&error.text, error.place) {
        (Some(text), Some(place)) => {
            let (name, text) = text.as_ref();
            let (start, end) = place.bytes;
            let message = TextMessage {
                severity: Severity::Error,
                message: &error.to_string(),
                name,
                text,
                range: start..end,
            };
            io.notice_always(&message.marked(io.error_style()));
        }
        _ => io.error(&error.to_string()),
    }
    Exit::Error
}

/// A message about a part of a text.
struct TextMessage<'a> {
    severity: Severity,
    message: &'a str,
    /// The name of the text.
    name: &'a str,
    text: &'a str,
    /// The part, in bytes.
    range: Range<usize>,
}

impl TextMessage<'_> {
    /// Returns the message with the line of the text and carets below the part.
    fn marked(&self, style: ColorMode) -> String {
        let TextMessage { severity, message, name, text, .. } = *self;
        let Range { start, end } = self.range;
        let at = LineIndex::new(Source::named(name, text)).line_col(start as u32);
        let first = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |feed| feed + 1);
        let line = text.get(first..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let place = SnippetPlace {
            name,
            line: at.line,
            column: at.column,
            text: line,
            part: (start - first, end - first),
            within: "",
        };
        let mut out = String::new();
        Snippet { severity, code: None, message, place: Some(place), help: None }.write(style, &mut out);
        out.trim_end().to_owned()
    }
}
