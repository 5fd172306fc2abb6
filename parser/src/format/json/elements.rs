//! The places of the elements of an array in the text.

use tafl_rules::Span;

/// Returns the span of each element of the array that begins at `start`: of a string without its quotes, of an object or an array
/// with its brackets. Returns nothing if no array begins there.
pub(in crate::format) fn element_spans(text: &str, start: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    let bytes = text.as_bytes();
    if bytes.get(start) != Some(&b'[') {
        return spans;
    }
    let (mut at, mut depth) = (start + 1, 0_usize);
    let mut element: Option<Span> = None;
    while let Some(byte) = bytes.get(at) {
        let length = if *byte == b'"' { string_length(&bytes[at..]) } else { 1 };
        match byte {
            b',' | b']' if depth == 0 => {
                spans.extend(element.take().map(|element| unquoted(text, element)));
                if *byte == b']' {
                    break;
                }
            }
            byte if byte.is_ascii_whitespace() => {}
            byte => {
                match byte {
                    b'[' | b'{' => depth += 1,
                    b']' | b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                let part = Span::new(at, at + length);
                element = Some(element.map_or(part, |element| element.cover(part)));
            }
        }
        at += length;
    }
    spans
}

/// Returns the length of a string with its quotes.
fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn unquoted(text: &str, element: Span) -> Span {
    // A string directly before other text is not a valid value: its quotes are kept.
    let is_string =
        element.len() >= 2 && element.of(text).starts_with('"') && element.of(text).ends_with('"');
    if is_string { Span::new(element.start as usize + 1, element.end as usize - 1) } else { element }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_places_whatever_they_contain() {
        let text = r#"{"x":[ "a,\"]", {"b":["]"]} ,[1,2],null , 3.5]}"#;
        let found: Vec<&str> = element_spans(text, 5).into_iter().map(|span| span.of(text)).collect();
        assert_eq!(found, [r#"a,\"]"#, r#"{"b":["]"]}"#, "[1,2]", "null", "3.5"]);
        for text in ["[]", "[ ", "", "{", "[,]"] {
            assert_eq!(element_spans(text, 0), [], "{text}");
        }
        let text = r#"["a"é,é"b"]"#;
        let found: Vec<&str> = element_spans(text, 0).into_iter().map(|span| span.of(text)).collect();
        assert_eq!(found, [r#""a"é"#, r#"é"b""#]);
        assert_eq!(element_spans(r#"["a"#, 0), []);
        assert_eq!(element_spans("[1", 7), []);
    }
}
