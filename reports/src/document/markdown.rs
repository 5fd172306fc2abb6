//! Reports as Markdown.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::model::file_name;
use super::prose::{ProsePart, prose_parts};
use super::{Block, Provenance, Report, Table};

impl Report {
    /// Returns the report as Markdown with tables. `picture` returns the address of the picture with a name
    /// from [`Report::plots`] or [`Report::boards`]; if it is empty, only the name is written.
    pub fn to_markdown(&self, picture: &dyn Fn(&str) -> String) -> String {
        let mut out = format!("# {}\n", plain(&self.title));
        for sentence in &self.summary {
            let _ = write!(out, "\n{}\n", prose(sentence));
        }
        for section in &self.sections {
            let _ = write!(out, "\n## {}\n", plain(&section.title));
            let mut notes = HashSet::new();
            for block in &section.blocks {
                out.push('\n');
                match block {
                    Block::Heading(text) => out += &format!("### {}\n", plain(text)),
                    Block::Prose(text) => out += &format!("{}\n", prose(text)),
                    Block::Warning(text) => out += &format!("> **Note.** {}\n", prose(text)),
                    Block::Table(table) => write_table(table, &mut notes, &mut out),
                    Block::Plot(plot) => {
                        let name = file_name(&section.key, &plot.key);
                        write_picture(&plot.title, &plot.note, &picture(&name), &mut out);
                    }
                    Block::Board(board) => {
                        let name = file_name(&section.key, &board.key);
                        write_picture(&board.title, &board.note, &picture(&name), &mut out);
                    }
                }
            }
        }
        write_provenance(&self.provenance, &mut out);
        out
    }
}

fn write_provenance(provenance: &Provenance, out: &mut String) {
    let _ = write!(out, "\n## Where these figures come from\n\n");
    let _ = writeln!(out, "- program: Taflbase {}", plain(&provenance.version));
    if !provenance.command.is_empty() {
        let _ = writeln!(out, "- command: {}", code(&provenance.command_line()));
    }
    for fact in &provenance.facts {
        let _ = writeln!(out, "- {}: {}", plain(&fact.label), code(&fact.value));
    }
}

fn write_table(table: &Table, notes: &mut HashSet<String>, out: &mut String) {
    let _ = write!(out, "**{}**\n\n", plain(&table.title));
    if table.rows.is_empty() {
        out.push_str("No entries.\n");
        return;
    }
    let headings = table.columns.iter().map(|column| plain(&column.heading));
    let _ = writeln!(out, "| {} | {} |", plain(&table.row_heading), headings.collect::<Vec<_>>().join(" | "));
    let rules = (0..table.columns.len()).map(|column| if table.is_numeric(column) { "---:" } else { "---" });
    let _ = writeln!(out, "|---|{}|", rules.collect::<Vec<_>>().join("|"));
    for row in &table.rows {
        let cells =
            table.columns.iter().zip(&row.cells).map(|(column, cell)| plain(&cell.shown(column.format)));
        let _ = writeln!(out, "| {} | {} |", plain(&row.label), cells.collect::<Vec<_>>().join(" | "));
    }
    for note in table.new_notes(notes) {
        let _ = write!(out, "\n{}\n", prose(&note));
    }
}

fn write_picture(title: &str, note: &str, address: &str, out: &mut String) {
    if address.is_empty() {
        let _ = writeln!(out, "*{}* ({})", plain(title), prose(note));
    } else {
        let _ = write!(out, "![{}]({address})\n\n*{}. {}*\n", plain(title), plain(title), plain(note));
    }
}

/// Escapes a sentence for Markdown, with commands as code.
fn prose(text: &str) -> String {
    let part = |part| match part {
        ProsePart::Text(text) => plain(text),
        ProsePart::Command(command) => code(command),
    };
    prose_parts(text).into_iter().map(part).collect()
}

/// Escapes a line of text for Markdown.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&' => {
                out.push('\\');
                out.push(sign);
            }
            sign if sign.is_control() => out.push(' '),
            sign => out.push(sign),
        }
    }
    out
}

/// Formats arbitrary text as code.
fn code(text: &str) -> String {
    let line: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    match line.split(|sign| sign != '`').map(str::len).max() {
        None | Some(0) => format!("`{line}`"),
        // One more backtick than the longest run inside.
        Some(most) => {
            let fence = "`".repeat(most + 1);
            format!("{fence} {line} {fence}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn content_cannot_end_code() {
        assert_eq!(code("tafl"), "`tafl`");
        assert_eq!(code("a `b` c"), "`` a `b` c ``");
        assert_eq!(code("a `` b"), "``` a `` b ```");
    }
}
