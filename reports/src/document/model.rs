//! The model of a report.

use std::collections::HashSet;

use super::unique_keys::UniqueKeys;
use super::{Provenance, SMALL_SAMPLE, Table};
use crate::board::BoardPicture;
use crate::plot::Plot;

/// A report.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The kind of report: `balance`, `compare`, ...
    pub kind: String,
    /// Its title.
    pub title: String,
    /// The summary, for readers who know the game but not statistics.
    pub summary: Vec<String>,
    /// The provenance of its figures.
    pub provenance: Provenance,
    /// The sections.
    pub sections: Vec<Section>,
    /// The keys of the sections.
    keys: UniqueKeys,
}

impl Report {
    /// Creates a report without a summary and sections.
    pub fn new(kind: &str, title: &str, provenance: Provenance) -> Report {
        Report {
            kind: kind.to_owned(),
            title: title.to_owned(),
            summary: Vec::new(),
            provenance,
            sections: Vec::new(),
            keys: UniqueKeys::default(),
        }
    }

    /// Returns the report with sections added, without paragraphs that the summary or the same section already has, and with a
    /// sentence in place of a plot without data. A duplicate key of a section gets a numeric suffix, so that every figure has a
    /// unique name, and every section an anchor.
    #[must_use]
    pub fn with(mut self, sections: impl IntoIterator<Item = Section>) -> Report {
        for mut section in sections {
            let mut known: HashSet<String> = self.summary.iter().cloned().collect();
            section.blocks.iter_mut().for_each(Block::explain_if_empty);
            section.blocks.retain(|block| match block {
                Block::Prose(text) | Block::Warning(text) => known.insert(text.clone()),
                Block::Heading(_) | Block::Table(_) | Block::Plot(_) | Block::Board(_) => true,
            });
            section.key = self.keys.unique_by(section.key, section_form);
            self.sections.push(section);
        }
        self
    }

    /// Returns all tables with the keys of their sections, in order.
    pub fn tables(&self) -> impl Iterator<Item = (&str, &Table)> {
        self.blocks().filter_map(|(section, block)| match block {
            Block::Table(table) => Some((section, table)),
            Block::Heading(_) | Block::Prose(_) | Block::Warning(_) | Block::Plot(_) | Block::Board(_) => {
                None
            }
        })
    }

    /// Returns all plots with their file names, in order.
    pub fn plots(&self) -> impl Iterator<Item = (String, &Plot)> {
        self.blocks().filter_map(|(section, block)| match block {
            Block::Plot(plot) => Some((file_name(section, &plot.key), plot)),
            Block::Heading(_) | Block::Prose(_) | Block::Warning(_) | Block::Table(_) | Block::Board(_) => {
                None
            }
        })
    }

    /// Returns all boards with their file names, in order.
    pub fn boards(&self) -> impl Iterator<Item = (String, &BoardBlock)> {
        self.blocks().filter_map(|(section, block)| match block {
            Block::Board(board) => Some((file_name(section, &board.key), &**board)),
            Block::Heading(_) | Block::Prose(_) | Block::Warning(_) | Block::Table(_) | Block::Plot(_) => {
                None
            }
        })
    }

    fn blocks(&self) -> impl Iterator<Item = (&str, &Block)> {
        self.sections
            .iter()
            .flat_map(|section| section.blocks.iter().map(move |block| (section.key.as_str(), block)))
    }
}

/// Returns a file name from the keys of a section and a block: letters, digits, `-`, and `_`.
pub(crate) fn file_name(section: &str, key: &str) -> String {
    let safe = |sign: char| if sign.is_ascii_alphanumeric() || sign == '_' { sign } else { '-' };
    section.chars().chain("-".chars()).chain(key.chars()).map(safe).collect()
}

/// Returns the form of a section's key in names of files and anchors.
pub(crate) fn section_form(key: &str) -> String {
    file_name(key, "")
}

/// A section of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its key for links and programs, unique in the report: a variant's name, or a word.
    pub key: String,
    /// Its title.
    pub title: String,
    /// Its content.
    pub blocks: Vec<Block>,
}

impl Section {
    /// Creates an empty section.
    pub fn new(key: &str, title: &str) -> Section {
        Section { key: key.to_owned(), title: title.to_owned(), blocks: Vec::new() }
    }

    /// Returns the section with blocks added.
    #[must_use]
    pub fn with(mut self, blocks: impl IntoIterator<Item = Block>) -> Section {
        self.blocks.extend(blocks);
        self
    }
}

/// A block of a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading inside a section.
    Heading(String),
    /// A paragraph.
    Prose(String),
    /// A paragraph with a warning.
    Warning(String),
    /// A table.
    Table(Table),
    /// A plot.
    Plot(Plot),
    /// A board.
    Board(Box<BoardBlock>),
}

impl Block {
    /// Replaces a plot without data by a sentence with the reason.
    fn explain_if_empty(&mut self) {
        if let Block::Plot(plot) = self
            && plot.is_empty()
        {
            *self = Block::Prose(format!(
                "The plot \u{201c}{}\u{201d} is left out: none of its figures can be shown. Proportions and effects need at least \
                 {SMALL_SAMPLE} games or pairs.",
                plot.title
            ));
        }
    }
}

/// A board in a report.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardBlock {
    /// Its key for files and programs.
    pub key: String,
    /// The title.
    pub title: String,
    /// The note under it.
    pub note: String,
    /// The picture; the writer chooses its theme.
    pub picture: BoardPicture,
}

impl BoardBlock {
    /// Returns the picture in the given theme.
    pub(crate) fn in_theme(&self, theme: crate::board::Theme) -> BoardPicture {
        BoardPicture { view: self.picture.view.with_theme(theme), ..self.picture.clone() }
    }
}
