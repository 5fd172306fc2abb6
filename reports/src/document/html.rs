//! Reports as HTML: a single file that needs no network and runs no script.

use std::collections::HashSet;
use std::fmt::{self, Write as _};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;

use super::cell::TableCell;
use super::prose::{ProsePart, prose_parts};
use super::verify::{CLOSE, OPEN};
use super::{Block, BoardBlock, Report, Section, Table};
use crate::board::Theme;
use crate::markup::Escaped;
use crate::plot::{Plot, PlotError};

/// The style sheet of every page.
const STYLE: &str = include_str!("style.css");

/// The kind of reports that are printed on one page.
const SHEET: &str = "sheet";

/// The reason why a report could not be written as HTML.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HtmlError {
    /// A plot could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

impl Report {
    /// Returns the report as one HTML file: light or dark as the reader's system requests, with a menu of its
    /// sections, embedded SVG plots, and all figures as embedded JSON, from which the report can be verified.
    ///
    /// # Errors
    ///
    /// Fails if a plot cannot be drawn, which happens for no known report.
    pub fn to_html(&self) -> Result<String, HtmlError> {
        let title = Escaped(&self.title);
        let class = if self.kind == SHEET { " class=\"sheet\"" } else { "" };
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body{class}>\n\
             <a class=\"skip\" href=\"#content\">Skip to the content</a>\n"
        );
        self.write_menu(&mut out);
        let _ = write!(out, "<main id=\"content\">\n<header>\n<h1>{title}</h1>\n");
        if !self.summary.is_empty() {
            out += "<div class=\"summary\">\n";
            for sentence in &self.summary {
                let _ = writeln!(out, "<p>{}</p>", Prose(sentence));
            }
            out += "</div>\n";
        }
        out += "</header>\n";
        for section in &self.sections {
            write_section(section, &mut out)?;
        }
        self.write_provenance(&mut out);
        out += "</main>\n";
        // The content cannot end the element early: `<` is escaped, which JSON allows.
        let figures = self.to_json().to_string().replace('<', "\\u003c");
        let _ = write!(out, "{OPEN}{figures}{CLOSE}\n</body>\n</html>\n");
        Ok(out)
    }

    fn write_menu(&self, out: &mut String) {
        if self.sections.len() < 2 {
            return;
        }
        let mut list = String::new();
        for section in &self.sections {
            let title = Escaped(&section.title);
            let _ = writeln!(list, "<li><a href=\"#{}\">{title}</a></li>", anchor(&section.key));
        }
        list.push_str("<li><a href=\"#provenance\">Where these figures come from</a></li>\n");
        // On a wide page the list is next to the text, on a narrow one it is folded; only one of them is
        // visible.
        let _ = write!(
            out,
            "<nav aria-label=\"Sections\">\n<details>\n<summary>Sections</summary>\n<ul>\n{list}</ul>\n</details>\n\
             <ul class=\"wide\">\n{list}</ul>\n</nav>\n"
        );
    }

    fn write_provenance(&self, out: &mut String) {
        out.push_str("<section id=\"provenance\">\n<h2>Where these figures come from</h2>\n<dl>\n");
        let mut fact = |label: &str, value: &str| {
            let _ = writeln!(out, "<dt>{}</dt><dd><code>{}</code></dd>", Escaped(label), Escaped(value));
        };
        fact("program", &format!("Taflbase {}", self.provenance.version));
        if !self.provenance.command.is_empty() {
            fact("command", &self.provenance.command_line());
        }
        for known in &self.provenance.facts {
            fact(&known.label, &known.value);
        }
        out.push_str("</dl>\n<p>This file contains all figures at full precision; <code>tafl report --verify</code> recomputes them \
             and lists those that differ.</p>\n</section>\n");
    }
}

/// A sentence, with commands as code.
struct Prose<'t>(&'t str);

impl fmt::Display for Prose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        prose_parts(self.0).into_iter().try_for_each(|part| match part {
            ProsePart::Text(text) => write!(f, "{}", Escaped(&unbroken(text))),
            ProsePart::Command(command) => write!(f, "<code>{}</code>", Escaped(command)),
        })
    }
}

/// Keeps figures and their units on one line: `42 %`, `p < 0.0001`, `< 0.001`.
fn unbroken(text: &str) -> String {
    let mut out =
        text.replace("p = ", "p\u{a0}=\u{a0}").replace("p < ", "p\u{a0}<\u{a0}").replace("< 0", "<\u{a0}0");
    for digit in '0'..='9' {
        out = out.replace(&format!("{digit} %"), &format!("{digit}\u{a0}%"));
    }
    out
}

/// Returns an anchor name: letters, digits, `-`, and `_`.
fn anchor(key: &str) -> String {
    super::model::file_name("s", key)
}

fn write_section(section: &Section, out: &mut String) -> Result<(), HtmlError> {
    let _ = write!(out, "<section id=\"{}\">\n<h2>{}</h2>\n", anchor(&section.key), Escaped(&section.title));
    let mut notes = HashSet::new();
    for block in &section.blocks {
        match block {
            Block::Heading(text) => {
                let _ = writeln!(out, "<h3>{}</h3>", Escaped(text));
            }
            Block::Prose(text) => {
                let _ = writeln!(out, "<p>{}</p>", Prose(text));
            }
            Block::Warning(text) => {
                let _ = writeln!(out, "<p class=\"warning\"><strong>Note.</strong> {}</p>", Prose(text));
            }
            Block::Table(table) => write_table(table, &mut notes, out),
            Block::Plot(plot) => write_plot(plot, out)?,
            Block::Board(board) => write_board(board, out),
        }
    }
    out.push_str("</section>\n");
    Ok(())
}

fn write_table(table: &Table, notes: &mut HashSet<String>, out: &mut String) {
    let title = Escaped(&table.title);
    if table.rows.is_empty() {
        let _ = writeln!(out, "<p>{title}: no entries.</p>");
        return;
    }
    let _ = write!(
        out,
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{title}\">\n<table>\n<caption>{title}</caption>\n\
         <thead><tr><th scope=\"col\">{}</th>",
        Escaped(&table.row_heading)
    );
    for (at, column) in table.columns.iter().enumerate() {
        let _ =
            write!(out, "<th scope=\"col\"{}>{}</th>", class(table, at), Escaped(&unbroken(&column.heading)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        let label = match &row.link {
            Some(section) => format!("<a href=\"#{}\">{}</a>", anchor(section), Escaped(&row.label)),
            None => Escaped(&row.label).to_string(),
        };
        let _ = write!(out, "<tr><th scope=\"row\">{label}</th>");
        for (at, (column, cell)) in table.columns.iter().zip(&row.cells).enumerate() {
            let shown = cell.shown(column.format);
            match (cell, shown.split_once(" (")) {
                // The interval, or the remark on a small sample, is set in smaller type than the figure.
                (TableCell::Estimate { .. } | TableCell::Proportion { .. }, Some((figure, rest))) => {
                    let _ = write!(
                        out,
                        "<td{}>{} <span class=\"{}\">({}</span></td>",
                        class(table, at),
                        Escaped(&unbroken(figure)),
                        if cell.is_small_sample() { "remark" } else { "between" },
                        Escaped(&unbroken(rest))
                    );
                }
                // A long reason must wrap, unlike the numbers of its column.
                (TableCell::Missing(why), _) if why.chars().count() > SHORT_TEXT => {
                    let _ = write!(out, "<td class=\"reason\">{}</td>", Escaped(&shown));
                }
                (
                    TableCell::Empty
                    | TableCell::Missing(_)
                    | TableCell::Text(_)
                    | TableCell::Count(_)
                    | TableCell::Number(_)
                    | TableCell::Estimate { .. }
                    | TableCell::Proportion { .. },
                    _,
                ) => {
                    let _ = write!(out, "<td{}>{}</td>", class(table, at), Escaped(&unbroken(&shown)));
                }
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    for note in table.new_notes(notes) {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", Prose(&note));
    }
}

/// The minimum number of characters of a text for which a column gets a minimum width: between numbers, which do not wrap, it
/// would become as narrow as a word.
const LONG_TEXT: usize = 40;

/// The maximum number of characters of texts that stay on one line, such as `Group 12`.
const SHORT_TEXT: usize = 12;

/// Returns the class attribute of the cells of a column, or nothing.
fn class(table: &Table, column: usize) -> &'static str {
    if table.is_numeric(column) {
        return " class=\"number\"";
    }
    let cells = table.rows.iter().filter_map(|row| row.cells.get(column));
    let length = |cell: &TableCell| match cell {
        TableCell::Text(text) => text.chars().count(),
        TableCell::Empty
        | TableCell::Missing(_)
        | TableCell::Count(_)
        | TableCell::Number(_)
        | TableCell::Estimate { .. }
        | TableCell::Proportion { .. } => 0,
    };
    match cells.map(length).max().unwrap_or(0) {
        LONG_TEXT.. => " class=\"long\"",
        0..=SHORT_TEXT => " class=\"short\"",
        _ => "",
    }
}

fn write_plot(plot: &Plot, out: &mut String) -> Result<(), HtmlError> {
    let _ = write!(
        out,
        "<figure class=\"plot-figure\">\n<figcaption>{}</figcaption>\n<div class=\"scroll\">\n{}</div>\n<p class=\"note\">{}</p>\n</figure>\n",
        Escaped(&plot.title),
        plot.to_svg()?,
        Prose(&plot.note)
    );
    Ok(())
}

/// Writes a board as a separate image, light or dark like the page. Embedded as SVG elements, its ids would
/// clash with those of other boards.
fn write_board(board: &BoardBlock, out: &mut String) {
    let address =
        |theme| format!("data:image/svg+xml;base64,{}", STANDARD.encode(board.in_theme(theme).to_svg()));
    let (title, note) = (Escaped(&board.title), Escaped(&board.note));
    let _ = write!(
        out,
        "<figure class=\"board\">\n<figcaption>{title}</figcaption>\n<picture><source media=\"(prefers-color-scheme: dark)\" \
         srcset=\"{}\"><img alt=\"{title}. {note}\" src=\"{}\"></picture>\n<p class=\"note\">{note}</p>\n</figure>\n",
        address(Theme::Dark),
        address(Theme::Light)
    );
}
