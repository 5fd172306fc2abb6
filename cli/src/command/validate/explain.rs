//! The pages about codes.

use anyhow::bail;
use tafl_parser::Code;

use crate::io::{Paint, Style, escape};
use crate::snippet::paint_of;
use crate::{Exit, Io};

/// How wide a page is, in columns.
const WIDTH: usize = 80;

/// Writes the page of a code, or a list of all.
///
/// # Errors
///
/// Fails when there is no such code.
pub(super) fn run(text: &str, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let style = io.style();
    if text == "all" {
        for code in Code::all() {
            io.print(&format!("{code}  {:<8} {}\n", code.severity(), code.name()))?;
        }
        return Ok(Exit::Ok);
    }
    let Some(code) = Code::find(text) else {
        bail!("there is no code `{}`; `tafl validate --explain all` lists them", escape(text));
    };
    io.print(&page(code, style))?;
    Ok(Exit::Ok)
}

fn page(code: Code, style: Style) -> String {
    let mut out = String::new();
    style.paint(paint_of(code.severity()), &format!("{}[{code}]", code.severity()), &mut out);
    style.paint(Paint::Bold, &format!(": {}", code.name()), &mut out);
    out.push_str("\n\n");
    fill(code.explain(), "", &mut out);
    out.push('\n');
    fill(code.help(), "help: ", &mut out);
    out
}

/// Adds text in lines of at most [`WIDTH`] columns, with `lead` before the first and as many blanks before the others.
fn fill(text: &str, lead: &str, out: &mut String) {
    let indent = lead.len();
    let mut column = indent;
    out.push_str(lead);
    for (nth, word) in text.split_whitespace().enumerate() {
        let width = word.chars().count();
        if nth > 0 && column + 1 + width > WIDTH {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if nth > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_that_fits_80_columns() {
        for code in Code::all() {
            let page = page(code, Style::Plain);
            assert!(page.starts_with(&format!("{}[{code}]: {}\n", code.severity(), code.name())), "{page}");
            assert!(page.lines().all(|line| line.chars().count() <= WIDTH), "{page}");
        }
    }
}
