//! Text in lines of 80 columns.

/// The maximum width of a line.
const COLUMNS: usize = 80;

/// Adds a paragraph to `out`: `lead` before the first line, blanks of the same width before the others.
pub(crate) fn paragraph(lead: &str, text: &str, out: &mut String) {
    let indent = lead.chars().count();
    out.push_str(lead);
    let mut column = indent;
    let mut is_first = true;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if !is_first && column + 1 + width > COLUMNS {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if !is_first {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
        is_first = false;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_keep_the_indent() {
        let mut out = String::new();
        paragraph("- ", &"word ".repeat(20), &mut out);
        assert_eq!(out.lines().map(str::len).collect::<Vec<_>>(), [76, 26]);
        assert!(out.lines().nth(1).unwrap().starts_with("  word"));
        let mut long = String::new();
        paragraph("  ", &"x".repeat(200), &mut long);
        assert_eq!(long.len(), 203);
    }
}
