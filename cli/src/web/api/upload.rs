//! Records that are sent: checked and converted, never stored.

mod convert;
mod validate;

use tafl_parser::Format;
use tafl_web::{ApiError, ApiRequest, JSON, Method, Param, ParamKind, Route, Work, schema_of};
use taflbase::Named;
use taflbase::records::{ConvertTextAnswer, TextInput, ValidateTextAnswer};

/// The notations that are read; the first word lets the program find out.
const READ: &[&str] = &[
    "auto",
    "opentafl",
    "cyngesheall",
    "movelist",
    "aagenielsen",
    "pgn",
    "hnefatafl-org",
    "skudpaisho",
    "abstractplay",
    "playtaflonline",
    "ashton-log",
    "ludii-trial",
    "jsonl",
];

/// What says how a body is read.
const PARAMS: &[Param] = &[
    Param { name: "as", kind: ParamKind::Choice(READ), words: "The notation; `auto` finds out." },
    Param {
        name: "variant",
        kind: ParamKind::Text,
        words: "The variant by which the records are replayed. Without it, what each record says.",
    },
    Param { name: "rules", kind: ParamKind::Text, words: "The rules string, where the variant has no name." },
    Param {
        name: "name",
        kind: ParamKind::Text,
        words: "The file's name: it helps to find out notation and variant.",
    },
];

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[
    Route {
        name: "validate",
        method: Method::Post,
        path: "/api/validate",
        summary: "Checks records: the body is a text, or a text packed by gzip or Zstandard. Nothing is stored.",
        params: &[PARAMS],
        work: Work::Query,
        types: &[JSON],
        schema: schema_of::<ValidateTextAnswer>,
        handler: validate::validate,
    },
    Route {
        name: "convert",
        method: Method::Post,
        path: "/api/convert",
        summary: "Writes records in another notation, with a list of what it cannot say. Nothing is stored.",
        params: &[
            PARAMS,
            &[Param { name: "to", kind: ParamKind::Choice(super::game::FORMATS), words: "The notation." }],
        ],
        work: Work::Query,
        types: &[JSON],
        schema: schema_of::<ConvertTextAnswer>,
        handler: convert::convert,
    },
];

/// Returns how the body of a request is read.
///
/// # Errors
///
/// Returns that the notation is unknown.
fn input(request: &ApiRequest) -> Result<TextInput, ApiError> {
    let formats: Vec<(&str, Option<Format>)> =
        READ.iter().map(|name| (*name, Format::from_name(name))).collect();
    let notation = request.params.choice("as", &formats)?.map(Named);
    let name = request.params.text("name").map(str::to_owned);
    Ok(TextInput { notation, rules: request.params.rules(), name })
}

#[cfg(test)]
mod tests {
    use tafl_parser::Format;

    use super::READ;

    #[test]
    fn every_notation_can_be_named() {
        let all: Vec<&str> = Format::ALL.into_iter().map(Format::name).collect();
        assert_eq!(READ[1..], all);
    }
}
