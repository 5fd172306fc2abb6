//! The target of annotated games: standard output, a file, or a folder of pages.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use tafl_parser::ErrorLine;
use tafl_rules::counted;
use taflbase::Error;
use taflbase::engine::GameStream;
use taflbase::escape::escape_path;

use super::{AnnotatedText, page};
use crate::Io;
use crate::args::annotate::{AnnotateArgs, AnnotateFormat};
use crate::output::{JsonLayout, JsonList, Names, Output, file_named, names_folder, write_whole};

/// The output of annotated games: their target and its layout.
pub(super) struct Sink {
    target: AnnotationTarget,
    list: JsonList,
}

/// The target of annotated games.
enum AnnotationTarget {
    /// Standard output.
    Stream,
    /// A file; [`limit_for_page`] ensures that a page has one game.
    File(Box<Output>),
    /// A file for each game.
    Pages {
        /// The folder.
        folder: PathBuf,
        /// The used names.
        names: Names,
        /// The rows of the index page.
        index: String,
    },
}

/// Returns the format of the command line: without `--format`, the extension of the file selects it.
///
/// # Errors
///
/// Returns an error if the extension is unknown.
pub(super) fn format_of(args: &AnnotateArgs) -> anyhow::Result<AnnotateFormat> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    // A folder may have a dot in its name; it is refused later.
    let file = file_named(args.output.as_deref()).filter(|path| !names_folder(path));
    let Some((path, extension)) = file.and_then(|path| Some((path, path.extension()?))) else {
        return Ok(AnnotateFormat::Text);
    };
    AnnotateFormat::of_extension(&extension.to_string_lossy())
        .with_context(|| format!("unknown extension of {}; use --format", path.display()))
}

/// Returns the games. If the output is a single page, a second game is an error, which is returned before any search.
pub(super) fn limit_for_page<'i>(
    games: GameStream<'i>,
    output: Option<&Path>,
    format: AnnotateFormat,
) -> GameStream<'i> {
    match output {
        Some(path) if format == AnnotateFormat::Html && is_page_file(path) => {
            let message = format!("{} is a page for one game, and there are more", path.display());
            let help = format!("name a folder, such as `-o {}/`", path.with_extension("").display());
            games.with_only_game(Error::parameter("output", message).with_help(help))
        }
        _ => games,
    }
}

/// Returns whether a path names a page, not a folder of pages.
fn is_page_file(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "html")
}

impl Sink {
    /// Opens the target: standard output without a path.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written.
    pub(super) fn new(output: Option<&Path>, format: AnnotateFormat) -> anyhow::Result<Sink> {
        let layout = if format == AnnotateFormat::Json { JsonLayout::Array } else { JsonLayout::Lines };
        Ok(Sink { target: AnnotationTarget::new(output, format)?, list: JsonList::new(layout) })
    }

    /// Writes a game.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written.
    pub(super) fn take(&mut self, written: &AnnotatedText, io: &mut Io<'_>) -> anyhow::Result<()> {
        if written.text.is_empty() {
            return Ok(());
        }
        let text = self.list.item(written.text.as_bytes());
        match &mut self.target {
            AnnotationTarget::Stream => Ok(io.write_bytes(&text)?),
            AnnotationTarget::File(output) => output.write_all(&text).context("the output cannot be written"),
            AnnotationTarget::Pages { folder, names, index } => {
                let Some(entry) = &written.page else { return Ok(()) };
                let name = names.free(PathBuf::from(&entry.name));
                let path = folder.join(&name);
                write_whole(&path, &text).with_context(|| path.display().to_string())?;
                index.push_str(&entry.row(&name.to_string_lossy()));
                Ok(())
            }
        }
    }

    /// Writes the error line of an unreadable record.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written.
    pub(super) fn write_error(&mut self, error: &ErrorLine<'_>, io: &mut Io<'_>) -> anyhow::Result<()> {
        let mut line = Vec::new();
        error.write(&mut line);
        let text = self.list.item(&line);
        match &mut self.target {
            AnnotationTarget::Stream => io.write_bytes(&text).and_then(|()| io.flush())?,
            AnnotationTarget::File(output) => {
                output.write_all(&text).context("the output cannot be written")?
            }
            AnnotationTarget::Pages { .. } => {}
        }
        Ok(())
    }

    /// Completes the files.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written to its end.
    pub(super) fn finish(self, io: &mut Io<'_>, games: u64) -> anyhow::Result<()> {
        let end = self.list.end();
        match self.target {
            AnnotationTarget::Stream => io.print(end)?,
            AnnotationTarget::File(mut output) => output
                .write_all(end.as_bytes())
                .and_then(|()| output.finish())
                .context("the output cannot be written")?,
            AnnotationTarget::Pages { folder, index, .. } => {
                let path = folder.join("index.html");
                let list = page::index(&index);
                write_whole(&path, list.as_bytes()).with_context(|| path.display().to_string())?;
                io.notice(&format!("wrote {} and {}", counted(games, "page", "pages"), escape_path(&path)));
            }
        }
        Ok(())
    }
}

impl AnnotationTarget {
    fn new(output: Option<&Path>, format: AnnotateFormat) -> anyhow::Result<AnnotationTarget> {
        let is_page = format == AnnotateFormat::Html;
        let Some(path) = output else {
            if is_page {
                bail!("--format html needs -o with a folder, or with a file for one game");
            }
            return Ok(AnnotationTarget::Stream);
        };
        if is_page && !is_page_file(path) {
            if path.is_file() {
                bail!(
                    "{} is a file; name a folder, or a file that ends with .html for one game",
                    path.display()
                );
            }
            std::fs::create_dir_all(path).with_context(|| path.display().to_string())?;
            return Ok(AnnotationTarget::Pages {
                folder: path.to_owned(),
                names: Names::default(),
                index: String::new(),
            });
        }
        let output = Output::create(path).with_context(|| path.display().to_string())?;
        Ok(AnnotationTarget::File(Box::new(output)))
    }
}
