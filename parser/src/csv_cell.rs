//! Cells of CSV tables that spreadsheets show as text.
//!
//! A spreadsheet evaluates a cell that begins with `=`, `+`, `-`, `@`, a tab, or a carriage return as a formula, which can
//! read files and open addresses. Text from records must not do that, so such a cell gets an apostrophe in front, which
//! spreadsheets take as the mark of text. A number such as `-3` stays as it is: it evaluates to itself.
//!
//! Text that already has apostrophes before such a character gets one more, so that readers get every text back by
//! removing one: see [`unguard`].

use std::borrow::Cow;

/// The characters with which a formula begins.
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Returns a cell as a spreadsheet shows it: with an apostrophe in front if it would be evaluated.
///
/// # Examples
///
/// ```
/// use tafl_parser::guard_csv_cell;
///
/// assert_eq!(guard_csv_cell("=1+1"), "'=1+1");
/// assert_eq!(guard_csv_cell("-3"), "-3");
/// assert_eq!(guard_csv_cell("Erik"), "Erik");
/// ```
pub fn guard_csv_cell(cell: &str) -> Cow<'_, str> {
    if begins_formula(cell.trim_start_matches('\'')) && !is_number(cell) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// Returns the text of a cell that [`guard_csv_cell`] wrote.
pub(crate) fn unguard(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| begins_formula(rest.trim_start_matches('\''))).unwrap_or(cell)
}

/// Adds a field to a line of CSV: guarded, and in quotation marks if it has a delimiter of any kind, a quotation mark, or a
/// line end (RFC 4180).
pub fn push_csv_field(field: &str, out: &mut String) {
    let field = guard_csv_cell(field);
    let is_plain = !field.contains([',', ';', '\t', '|', '"', '\n', '\r'])
        && !field.starts_with(['#', ' '])
        && !field.ends_with(' ');
    if is_plain {
        out.push_str(&field);
    } else {
        out.extend(["\"", &field.replace('"', "\"\""), "\""]);
    }
}

fn begins_formula(text: &str) -> bool {
    text.starts_with(FORMULA_STARTS)
}

/// Returns whether a spreadsheet reads a cell as a number: digits with a sign, a decimal point, and an exponent.
fn is_number(cell: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    cell.bytes().all(is_digit) && cell.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn formulas_are_guarded_and_numbers_are_not() {
        for formula in ["=1", "+a", "-", "--3", "@x", "\tx", "\rx", "-inf", "+nan", "'=1", "''-a", "-1-1"] {
            assert_eq!(guard_csv_cell(formula), format!("'{formula}"));
        }
        for plain in ["", "-3", "+4.5", "-1e5", "3", "'", "'x", "x=1", "Ása", "1-1"] {
            assert_eq!(guard_csv_cell(plain), plain);
        }
    }

    #[test]
    fn fields_are_quoted() {
        let mut out = String::new();
        push_csv_field("=HYPERLINK(\"http://x\",1)", &mut out);
        assert_eq!(out, "\"'=HYPERLINK(\"\"http://x\"\",1)\"");
    }

    proptest! {
        #[test]
        fn readers_get_every_cell_back(cell in "['=+@\t\r0-9a-]{0,8}") {
            let guarded = guard_csv_cell(&cell);
            prop_assert_eq!(unguard(&guarded), &cell);
        }
    }
}
