//! Tables as JSON: an object per game, whose keys are the names of columns.
//!
//! ```text
//! text   = "[" , { object , "," } , "]" | { object , line end } ;
//! object = { name : string | number | truth value | null | list of moves } ;
//! move   = string | "{" , '"from":' , cell , ',"to":' , cell , [ ',"captures":' , cells ] , "}" ;
//! ```
//!
//! pandas writes them with `to_json(orient="records")`, with or without `lines=True`, and Polars with `write_json` and
//! `write_ndjson`. The names are those of tables: see [`super::csv`]. An object per turn is not a record, because
//! nothing says where a game ends. Tables that are one object are rewritten before: see [`super::column_table`].

use std::borrow::Cow;

use tafl_rules::Span;

use super::Format;
use super::csv::{self, CsvField};
use super::json::{self, Json};
use crate::diagnostic::{Diagnostic, Findings, Parsed, TextFinding};
use crate::record::Record;
use crate::source::Source;

/// Reads one game.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut diagnostics = Findings::default();
    let tree = json::read(source, &mut diagnostics);
    let row = tree.root();
    if !row.is_object() && diagnostics.is_empty() {
        diagnostics.push(Diagnostic::new(Span::new(0, source.text.len()), TextFinding::Json));
    }
    let (mut names, mut fields, mut lists) = (Vec::new(), Vec::new(), Vec::new());
    for (key, value) in row.members() {
        let span = json::value_span(source, key, value);
        let list = move_list(source, key, value, span, &mut diagnostics);
        let field = match &list {
            Some(moves) => {
                let words: Vec<&str> = moves.iter().map(|mv| &*mv.text).collect();
                Some(CsvField { text: words.join(" ").into(), span, open_quote: None })
            }
            None => field(source, value, span),
        };
        match field {
            Some(field) => {
                names.push(key.to_owned());
                fields.push(field);
                lists.push(list);
            }
            None if value.is_null() => {}
            None => diagnostics.push(Diagnostic::new(span, TextFinding::Stray)),
        }
    }
    if fields.is_empty() {
        return Parsed { value: Record::new(Format::JsonRows), diagnostics: diagnostics.into_vec() };
    }
    csv::parse_fields(source, diagnostics, names, &fields, &lists)
}

/// Returns the moves of a list, if it is one: each move at its place. `null` is skipped, and other elements that cannot be read as
/// moves are reported.
fn move_list<'t>(
    source: &Source<'t>,
    key: &str,
    value: Json<'t>,
    span: Span,
    diagnostics: &mut Findings,
) -> Option<Vec<CsvField<'t>>> {
    let elements = value.list().filter(|_| csv::may_have_moves(key))?;
    let is_list = elements.clone().all(Json::is_null) || elements.clone().any(is_move);
    if !is_list {
        return None;
    }
    let spans = json::element_spans(source.text, span.start as usize);
    // A list whose key has escapes, or that breaks off, has no place for each element.
    let has_spans = spans.len() == elements.len();
    let mut moves = Vec::new();
    for (nth, element) in elements.enumerate().filter(|(_, element)| !element.is_null()) {
        let span = if has_spans { spans[nth] } else { span };
        match element.as_str().map(Cow::Borrowed).or_else(|| path(element).map(Cow::Owned)) {
            Some(text) => moves.push(CsvField { text, span, open_quote: None }),
            None => diagnostics.push(Diagnostic::new(span, TextFinding::BadMove)),
        }
    }
    Some(moves)
}

/// Returns a value as a field; `None` for `null`, objects, and lists of other values than strings and `null`.
fn field<'t>(source: &Source<'t>, value: Json<'t>, span: Span) -> Option<CsvField<'t>> {
    if let Some(elements) = value.list() {
        let elements = elements.filter(|element| !element.is_null());
        let texts: Option<Vec<&str>> = elements.map(Json::as_str).collect();
        let last = *texts?.last()?;
        // The list as it is written, with its brackets: its moves keep their places.
        let end = source.span_of(last)?.end as usize;
        let end = end + source.text.get(end..)?.find(']')? + 1;
        let span = Span::new(span.start as usize, end);
        return Some(CsvField { text: Cow::Borrowed(source.at(span)), span, open_quote: None });
    }
    Some(CsvField { text: value.to_text()?, span, open_quote: None })
}

/// Returns whether a value is a string that begins with a move, or an object that describes one.
fn is_move(value: Json<'_>) -> bool {
    value.as_str().is_some_and(csv::begins_with_move) || value.is_object() && path(value).is_some()
}

/// Returns the move that an object with a start and a destination describes.
fn path(value: Json<'_>) -> Option<String> {
    let text = |value: Json<'_>| match value.list() {
        Some(cells) => Some(cells.map(Json::as_str).collect::<Option<Vec<_>>>()?.join(" ")),
        None => value.as_str().map(str::to_owned),
    };
    let members: Vec<_> = value.members().filter_map(|(key, value)| Some((key, text(value)?))).collect();
    csv::move_word(members.iter().map(|(key, text)| (*key, text.as_str())))
}

/// Returns whether the beginning of a text has an object with a column of moves, in a list or in a line of its own.
pub(super) fn is_likely(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let parts = if text.starts_with('[') { 1 } else { usize::MAX };
    text.splitn(parts, '\n').take(MAX_LINES).any(|part| {
        let source = Source::new(part);
        let tree = json::read(&source, &mut Findings::default());
        match tree.root().list() {
            Some(mut rows) => rows.any(has_moves),
            None => has_moves(tree.root()),
        }
    })
}

/// The maximum number of lines that are examined: a game without moves may come first, but not many.
const MAX_LINES: usize = 20;

fn has_moves(row: Json<'_>) -> bool {
    row.members().any(|(key, value)| {
        let first = || match value.list() {
            Some(mut elements) => elements.find(|element| !element.is_null()),
            None => Some(value),
        };
        csv::may_have_moves(key) && first().is_some_and(is_move)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::test_text::codes;
    use crate::notation::detect;
    use crate::record::WrittenVerdict;

    #[test]
    fn moves_in_strings_with_escapes_and_in_lists_are_read() {
        for (moves, n_moves, n_captures) in [
            (r#""d2-c2 e4-e1 b4-b2""#, 3, 0),
            (r#""d2-c2 e4-e1xe2\/e3""#, 2, 2),
            (r#""1. d2\u2013c2 e4-e1\n2. b4-b2""#, 3, 0),
            (r#"["d2-c2","e4-e1"]"#, 2, 0),
            (r#"["d2-c2",null,"e4-e1",null]"#, 2, 0),
            (r#"[{"from":"d2","to":"c2"},{"from":"e4","to":"e1","captures":["e2","e3"]}]"#, 2, 2),
            (r#"[null,{"from":"d2","to":"c2"},null]"#, 1, 0),
            ("[]", 0, 0),
            ("[null]", 0, 0),
        ] {
            let text = format!(r#"{{"winner":"White","moves":{moves},"round":3,"x":null}}"#);
            let parsed = parse(&Source::new(&text));
            assert_eq!(codes(&parsed), Vec::<&str>::new(), "{text}");
            let record = &parsed.value;
            assert_eq!((record.main().moves.len(), record.captures.len()), (n_moves, n_captures), "{text}");
            assert!(matches!(record.result.map(|result| result.verdict), Some(WrittenVerdict::Win(_))));
            assert_eq!(record.tag("round"), Some("3"));
            assert!(record.main().moves.iter().all(|mv| text.get(mv.span.start as usize..).is_some()));
        }
    }

    #[test]
    fn elements_of_a_list_have_their_own_places() {
        let text =
            r#"{"variant":"brandubh7","moves":["d2-c2",null,{"from":"e4","to":"e1"},3,{"from":"b4"},"zz"]}"#;
        let Parsed { value: record, diagnostics } = parse(&Source::new(text));
        let moves: Vec<&str> = record.main().moves.iter().map(|mv| mv.span.of(text)).collect();
        assert_eq!(moves, ["d2-c2", r#"{"from":"e4","to":"e1"}"#]);
        let mut found: Vec<_> =
            diagnostics.iter().map(|found| (found.code().as_str(), found.span.of(text))).collect();
        found.sort_by_key(|(_, text)| text.len());
        assert_eq!(found, [("T001", "3"), ("T001", "zz"), ("T001", r#"{"from":"b4"}"#)]);
        // Its end is missing, so that no element has a place.
        let text = r#"{"moves":["d2-c2",null,"e4-e1""#;
        assert_eq!(parse(&Source::new(text)).value.main().moves.len(), 2);
    }

    #[test]
    fn moves_of_damaged_lists_are_parts_of_the_text() {
        let text = r#"{"variant":"brandubh7","moves":["d2-c2",null,{"from":"e4","to":"e1"},3,"é\"b4-b2"]}"#;
        let signs: Vec<char> = "\"\\[]{},:é\u{a0}x1".chars().collect();
        let mut rng = tafl_rules::Rng::new(1);
        for _ in 0..20_000 {
            let mut symbols: Vec<char> = text.chars().collect();
            for _ in 0..1 + rng.below(3) {
                let at = rng.below(symbols.len());
                match rng.below(3) {
                    0 => {
                        symbols.remove(at);
                    }
                    1 => symbols[at] = signs[rng.below(signs.len())],
                    _ => symbols.insert(at, signs[rng.below(signs.len())]),
                }
            }
            let text: String = symbols.into_iter().collect();
            let Parsed { value: record, diagnostics } = parse(&Source::new(&text));
            let moves = record.main().moves.iter().map(|mv| mv.span);
            for span in moves.chain(diagnostics.iter().map(|found| found.span)) {
                assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} of {text}");
            }
        }
    }

    #[test]
    fn what_a_string_with_escapes_contains_has_the_place_of_the_string() {
        let text = r#"{"id":1,"moves":"d2-c2 zz\n# variant: x # event: y\n# a comment\nresigned"}"#;
        let moves = r"d2-c2 zz\n# variant: x # event: y\n# a comment\nresigned";
        let Parsed { value: record, diagnostics } = parse(&Source::new(text));
        let spans = [
            record.main().moves[0].span,
            record.variant.as_ref().unwrap().span,
            record.tags.get(0).unwrap().span,
            record.comments.get(0).unwrap().span,
            record.ending.unwrap().span,
            diagnostics[0].span,
        ];
        assert_eq!(spans.map(|span| span.of(text)), [moves; 6]);
        assert_eq!(record.tags.iter().nth(1).map(|tag| tag.span.of(text)), Some("1"));
    }

    #[test]
    fn a_start_may_have_the_escapes_of_pandas() {
        let read = |start: &str| {
            let start = start.replace('/', r"\/");
            parse(&Source::new(&format!(r#"{{"moves":"d2-c2 e4-e1","start":"{start}"}}"#)))
        };
        let start = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
        let Parsed { value, diagnostics } = read(start);
        assert_eq!(diagnostics, []);
        assert_eq!(value.start.map(|start| start.setup.to_string()).as_deref(), Some(start));
        assert_eq!(codes(&read("/3t3/8/3T3/ttTKTtt/3T3/3t3/3t3/")), ["H006"]);
    }

    #[test]
    fn objects_without_moves_or_with_a_turn_each_are_reported() {
        assert_eq!(codes(&parse(&Source::new(r#"{"attackers":"Runa","result":"White"}"#))), ["T025"]);
        assert_eq!(
            codes(&parse(&Source::new(r#"{"turn":1,"attackers":"d2-c2","defenders":"e4-e1"}"#))),
            ["T025"]
        );
        assert_eq!(codes(&parse(&Source::new(r#"{"moves":"d2-c2 e4-e1","x":{"y":1}}"#))), ["T002"]);
    }

    #[test]
    fn lists_and_lines_of_objects_are_recognized() {
        for text in [
            r#"[{"moves":"d2-c2 e4-e1","white":"Odd"},{"moves":"d2-c2"}]"#,
            "{\"game\":1,\"moves\":\"d2-c2 e4-e1\"}\n{\"game\":2,\"moves\":\"d2-f2\"}\n",
            "[\n  {\n    \"Moves\":[\"d2-c2\",\"e4-e1\"]\n  }\n]",
            r#"{"moves":[{"from":"d2","to":"c2"},{"from":"e4","to":"e1"}]}"#,
            r#"[{"moves":[null,"d2-c2","e4-e1"]}]"#,
        ] {
            assert_eq!(detect(text.as_bytes(), Some("x.json")), [Format::JsonRows], "{text}");
        }
        for text in [r#"{"moves":3}"#, r#"[{"name":"d2-c2"}]"#, r#"{"moves":{"0":"d2-c2 e4-e1"}}"#] {
            assert_eq!(detect(text.as_bytes(), Some("x.json")), [], "{text}");
        }
    }
}
