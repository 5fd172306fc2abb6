//! What a report is made of.

use super::{Provenance, Table};
use crate::board::BoardPicture;
use crate::plot::Plot;

/// A report.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Which report it is: `balance`, `compare`, ...
    pub kind: String,
    /// Its title.
    pub title: String,
    /// What it says, in sentences for readers who know the game and no statistics.
    pub summary: Vec<String>,
    /// Where its figures come from.
    pub provenance: Provenance,
    /// Its parts.
    pub sections: Vec<Section>,
}

impl Report {
    /// Returns a report without summary and sections.
    pub fn new(kind: &str, title: &str, provenance: Provenance) -> Report {
        Report {
            kind: kind.to_owned(),
            title: title.to_owned(),
            summary: Vec::new(),
            provenance,
            sections: Vec::new(),
        }
    }

    /// Returns the report with sections added.
    #[must_use]
    pub fn with(mut self, sections: impl IntoIterator<Item = Section>) -> Report {
        self.sections.extend(sections);
        self
    }

    /// Returns every table with the key of its section, in order.
    pub fn tables(&self) -> impl Iterator<Item = (&str, &Table)> {
        self.blocks().filter_map(|(section, block)| match block {
            Block::Table(table) => Some((section, table)),
            Block::Heading(_) | Block::Prose(_) | Block::Warning(_) | Block::Plot(_) | Block::Board(_) => {
                None
            }
        })
    }

    /// Returns every plot with its name for files, in order.
    pub fn plots(&self) -> impl Iterator<Item = (String, &Plot)> {
        self.blocks().filter_map(|(section, block)| match block {
            Block::Plot(plot) => Some((file_name(section, &plot.key), plot)),
            Block::Heading(_) | Block::Prose(_) | Block::Warning(_) | Block::Table(_) | Block::Board(_) => {
                None
            }
        })
    }

    /// Returns every board with its name for files, in order.
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

/// Returns a name for a file from the keys of a section and of a block: letters, digits, `-` and `_`.
pub(crate) fn file_name(section: &str, key: &str) -> String {
    let safe = |sign: char| if sign.is_ascii_alphanumeric() || sign == '_' { sign } else { '-' };
    section.chars().chain("-".chars()).chain(key.chars()).map(safe).collect()
}

/// A part of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its name for links and programs, once in a report: a variant's name, or a word.
    pub key: String,
    /// Its title.
    pub title: String,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

impl Section {
    /// Returns a section with nothing in it.
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

/// A piece of a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading inside a section.
    Heading(String),
    /// A paragraph.
    Prose(String),
    /// A paragraph that a reader must not miss.
    Warning(String),
    /// A table.
    Table(Table),
    /// A plot.
    Plot(Plot),
    /// A board.
    Board(Box<BoardBlock>),
}

/// A board in a report.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardBlock {
    /// A name for files and for programs.
    pub key: String,
    /// What is to be seen.
    pub title: String,
    /// What stands under it.
    pub note: String,
    /// The picture; its theme is chosen by the writer.
    pub picture: BoardPicture,
}

impl BoardBlock {
    /// Returns the picture in light or other colors.
    pub(crate) fn in_theme(&self, theme: crate::board::Theme) -> BoardPicture {
        BoardPicture { view: self.picture.view.with_theme(theme), ..self.picture.clone() }
    }
}
