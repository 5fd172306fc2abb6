//! The pages about codes.

use anyhow::bail;
use tafl_parser::Code;
use taflbase::escape::escape;

use crate::io::{ColorMode, TextPaint};
use crate::snippet::paint_of;
use crate::wrap::paragraph;
use crate::{Exit, Io};

/// Writes the page of a code, or a list of all.
///
/// # Errors
///
/// Returns an error if the code is unknown.
pub(super) fn run(text: &str, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let style = io.style();
    if text == "all" {
        for code in Code::all() {
            io.print(&format!("{code}  {:<8} {}\n", code.severity(), code.name()))?;
        }
        return Ok(Exit::Ok);
    }
    let Some(code) = Code::find(text) else {
        bail!("unknown code `{}`; `tafl validate --explain all` lists the codes", escape(text));
    };
    io.print(&page(code, style))?;
    Ok(Exit::Ok)
}

fn page(code: Code, style: ColorMode) -> String {
    let mut out = String::new();
    style.paint(paint_of(code.severity()), &format!("{}[{code}]", code.severity()), &mut out);
    style.paint(TextPaint::Bold, &format!(": {}", code.name()), &mut out);
    out.push_str("\n\n");
    paragraph("", code.explain(), &mut out);
    out.push('\n');
    paragraph("help: ", code.help(), &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_that_fits_80_columns() {
        for code in Code::all() {
            let page = page(code, ColorMode::Plain);
            assert!(page.starts_with(&format!("{}[{code}]: {}\n", code.severity(), code.name())), "{page}");
            assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
        }
    }
}
