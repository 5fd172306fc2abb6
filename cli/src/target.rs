//! Where written records go: standard output, a file, or a file for each input.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, bail};
use tafl_parser::Format;

use crate::Io;
use crate::output::{Names, Output, file_named, unpacked_name};
use taflbase::records::{Input, Inputs};

/// Where written records go.
pub(crate) enum Target<'a> {
    /// Standard output.
    Stdout,
    /// A file that takes everything.
    File {
        /// The file; made at the start, so that an empty input makes an empty file.
        output: Output,
    },
    /// A file for each input.
    Folder(Folder<'a>),
}

/// A folder that gets a file for each input.
pub(crate) struct Folder<'a> {
    folder: PathBuf,
    /// The notation whose ending the files get; nothing to keep the endings of the inputs.
    format: Option<Format>,
    originals: Originals<'a>,
    names: Names,
    /// The number of the input that is written, and its file.
    current: Option<(usize, Output)>,
}

impl<'a> Target<'a> {
    /// Returns where `-o` points: a folder if there is one or the path ends with a slash, else a file.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be made, or is one of the inputs.
    pub(crate) fn new(
        path: Option<&Path>,
        format: Option<Format>,
        inputs: &'a [Input],
    ) -> anyhow::Result<Target<'a>> {
        let Some(path) = file_named(path) else { return Ok(Target::Stdout) };
        if path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            let folder = path.to_owned();
            return Ok(Target::Folder(Folder {
                folder,
                format,
                originals: Originals::new(inputs),
                names: Names::default(),
                current: None,
            }));
        }
        Originals::new(inputs).spare(path)?;
        let output = Output::create(path).with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(Target::File { output })
    }

    /// Writes records of an input. Inputs come one after another.
    ///
    /// # Errors
    ///
    /// Fails when they cannot be written.
    pub(crate) fn write(&mut self, io: &mut Io<'_>, input: usize, text: &str) -> anyhow::Result<()> {
        match self {
            Target::Stdout => io.print(text)?,
            Target::File { output } => {
                output.write_all(text.as_bytes()).context("the output cannot be written")?
            }
            Target::Folder(folder) => folder.write(input, text)?,
        }
        Ok(())
    }

    /// Puts the last file into its place.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be written to the end.
    pub(crate) fn finish(self) -> std::io::Result<()> {
        match self {
            Target::Stdout => Ok(()),
            Target::File { output } => output.finish(),
            Target::Folder(folder) => folder.current.map_or(Ok(()), |(_, output)| output.finish()),
        }
    }
}

impl Folder<'_> {
    fn write(&mut self, input: usize, text: &str) -> anyhow::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.current.as_ref().is_none_or(|(current, _)| *current != input) {
            if let Some((_, output)) = self.current.take() {
                output.finish().context("the output cannot be written")?;
            }
            let name = unpacked_name(self.originals.input(input).relative());
            let name = self.format.map_or(name.clone(), |format| name.with_extension(format.extension()));
            let path = self.folder.join(self.names.free(name));
            self.originals.spare(&path)?;
            let output =
                Output::create(&path).with_context(|| format!("{} cannot be written", path.display()))?;
            self.current = Some((input, output));
        }
        if let Some((_, output)) = &mut self.current {
            output.write_all(text.as_bytes()).context("the output cannot be written")?;
        }
        Ok(())
    }
}

/// Refuses outputs that would replace what is read: `-o`, `--report` and whatever else names a file to write, beside the
/// paths that name what to read.
///
/// # Errors
///
/// Fails when one of the outputs is among the files that the paths mean.
pub(crate) fn spare(outputs: &[Option<&Path>], paths: &[PathBuf]) -> anyhow::Result<()> {
    let there: Vec<&Path> = outputs.iter().copied().flatten().filter(|path| path.is_file()).collect();
    if there.is_empty() {
        return Ok(());
    }
    // What is missing is reported by the command that reads it.
    let inputs = Inputs::find(paths);
    let originals = Originals::new(&inputs.list);
    there.into_iter().try_for_each(|path| originals.spare(path))
}

/// Inputs, which no output replaces.
pub(crate) struct Originals<'a> {
    inputs: &'a [Input],
    /// The files themselves, wherever links lead; asked for when the first output is there already.
    files: OnceLock<HashSet<PathBuf>>,
}

impl<'a> Originals<'a> {
    /// Returns the files of inputs.
    pub(crate) fn new(inputs: &'a [Input]) -> Originals<'a> {
        Originals { inputs, files: OnceLock::new() }
    }

    /// Returns the input of a number.
    pub(crate) fn input(&self, nth: usize) -> &'a Input {
        &self.inputs[nth]
    }

    /// Refuses to replace what is read.
    ///
    /// # Errors
    ///
    /// Fails when the path is one of the inputs.
    pub(crate) fn spare(&self, path: &Path) -> anyhow::Result<()> {
        let Ok(wanted) = fs::canonicalize(path) else { return Ok(()) };
        let file = |input: &Input| fs::canonicalize(input.path()?).ok();
        let files = self.files.get_or_init(|| self.inputs.iter().filter_map(file).collect());
        if wanted.is_file() && files.contains(&wanted) {
            bail!("{} is read and would be replaced; write to another place", path.display());
        }
        Ok(())
    }
}
