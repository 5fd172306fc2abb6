//! The kinds and the colors of pictures.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_reports::Theme;

/// The kind of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum PictureFormat {
    /// Letters on a grid
    Text,
    /// Scalable vector graphics
    Svg,
    /// A bitmap
    Png,
    /// An animated bitmap; only with --animate
    Gif,
    /// Vector graphics for printing
    Pdf,
}

/// The colors of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum PictureTheme {
    /// Wood and bone on white
    #[default]
    Light,
    /// For dark screens
    Dark,
    /// Black and white with patterns, for printers
    Print,
}

impl PictureFormat {
    /// Returns the kind of picture by a file's extension.
    pub fn of_file(path: &Path) -> Option<PictureFormat> {
        let extension = path.extension()?.to_str()?;
        match extension.to_ascii_lowercase().as_str() {
            "svg" => Some(PictureFormat::Svg),
            "png" => Some(PictureFormat::Png),
            "gif" => Some(PictureFormat::Gif),
            "pdf" => Some(PictureFormat::Pdf),
            "txt" => Some(PictureFormat::Text),
            _ => None,
        }
    }

    /// Returns the name for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            PictureFormat::Text => "text",
            PictureFormat::Svg => "SVG",
            PictureFormat::Png => "PNG",
            PictureFormat::Gif => "GIF",
            PictureFormat::Pdf => "PDF",
        }
    }
}

impl From<PictureTheme> for Theme {
    fn from(theme: PictureTheme) -> Theme {
        match theme {
            PictureTheme::Light => Theme::Light,
            PictureTheme::Dark => Theme::Dark,
            PictureTheme::Print => Theme::Print,
        }
    }
}
