//! The target of written records: standard output, a file, or a folder with a file for each input.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, bail};
use tafl_parser::Format;
use taflbase::records::{Input, Inputs, is_corpus};

use crate::Io;
use crate::output::{Names, Output, file_named, names_folder, unpacked_name};

/// The target of written records.
pub(crate) enum Target<'a> {
    /// Standard output.
    Stdout,
    /// A file for all records.
    File {
        /// The file. It is created at the start, so that an empty input makes an empty file.
        output: Output,
    },
    /// A file for each input.
    OutputFolder(OutputFolder<'a>),
}

/// A folder with a file for each input.
pub(crate) struct OutputFolder<'a> {
    folder: PathBuf,
    /// The notation whose extension the files get; `None` keeps the extensions of the inputs.
    format: Option<Format>,
    originals: Originals<'a>,
    names: Names,
    /// The number of the current input, and its file.
    current: Option<(usize, Output)>,
}

impl<'a> Target<'a> {
    /// Returns the target of `-o`: a folder if it exists or the path ends with a slash, else a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be created, or is one of the inputs.
    pub(crate) fn new(
        path: Option<&Path>,
        format: Option<Format>,
        inputs: &'a [Input],
    ) -> anyhow::Result<Target<'a>> {
        let Some(path) = file_named(path) else { return Ok(Target::Stdout) };
        if names_folder(path) {
            let folder = path.to_owned();
            return Ok(Target::OutputFolder(OutputFolder {
                folder,
                format,
                originals: Originals::new(inputs),
                names: Names::default(),
                current: None,
            }));
        }
        Originals::new(inputs).protect(path)?;
        let output = Output::create(path).with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(Target::File { output })
    }

    /// Writes records of an input. The records of an input must be consecutive.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be written.
    pub(crate) fn write(&mut self, io: &mut Io<'_>, input: usize, text: &str) -> anyhow::Result<()> {
        match self {
            Target::Stdout => io.print(text)?,
            Target::File { output } => {
                output.write_all(text.as_bytes()).context("the output cannot be written")?
            }
            Target::OutputFolder(folder) => folder.write(input, text)?,
        }
        Ok(())
    }

    /// Returns a number for the file that receives the records of an input.
    pub(crate) const fn file_of(&self, input: usize) -> usize {
        match self {
            Target::Stdout | Target::File { .. } => 0,
            Target::OutputFolder(_) => input,
        }
    }

    /// Completes the last file.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be completed.
    pub(crate) fn finish(self) -> std::io::Result<()> {
        match self {
            Target::Stdout => Ok(()),
            Target::File { output } => output.finish(),
            Target::OutputFolder(folder) => folder.current.map_or(Ok(()), |(_, output)| output.finish()),
        }
    }
}

impl OutputFolder<'_> {
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
            self.originals.protect(&path)?;
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

/// Rejects output files that are also inputs and would be overwritten.
///
/// # Errors
///
/// Returns an error if one of the outputs is among the files of the paths.
pub(crate) fn protect_inputs(outputs: &[Option<&Path>], paths: &[PathBuf]) -> anyhow::Result<()> {
    let existing: Vec<&Path> = outputs.iter().copied().flatten().filter(|path| path.is_file()).collect();
    if existing.is_empty() {
        return Ok(());
    }
    for corpus in paths.iter().filter(|path| is_corpus(path)).filter_map(|path| fs::canonicalize(path).ok()) {
        let is_part = |path: &&&Path| fs::canonicalize(path).is_ok_and(|path| path.starts_with(&corpus));
        if let Some(path) = existing.iter().find(is_part) {
            bail!("{} is an input and would be overwritten; write to another file", path.display());
        }
    }
    // The command that reads the inputs reports missing ones.
    let inputs = Inputs::find(paths);
    let originals = Originals::new(&inputs.list);
    existing.into_iter().try_for_each(|path| originals.protect(path))
}

/// Rejects two options that name the same file, because one would overwrite what the other wrote. `files` are pairs of an
/// option's name and its path.
///
/// # Errors
///
/// Returns an error that names both options.
pub(crate) fn keep_apart(files: &[(&str, Option<&Path>)]) -> anyhow::Result<()> {
    // Several outputs may be `/dev/null`.
    let is_file = |path: &Path| fs::metadata(path).map_or(true, |data| data.is_file());
    let files = files.iter().filter_map(|(option, path)| Some((*option, (*path)?)));
    let files: Vec<(&str, &Path)> = files.filter(|(_, path)| is_file(path)).collect();
    for (nth, (option, path)) in files.iter().enumerate() {
        if let Some((other, _)) = files[..nth].iter().find(|(_, other)| is_same_file(path, other)) {
            bail!("{other} and {option} name the same file, {}; name two files", path.display());
        }
    }
    Ok(())
}

/// Returns whether two paths name one file, which need not exist.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    let target = |path: &Path| {
        fs::canonicalize(path).ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Some(fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?.join(path.file_name()?))
        })
    };
    one == other || target(one).is_some_and(|found| Some(found) == target(other))
}

/// The inputs of a command, which outputs must not overwrite.
pub(crate) struct Originals<'a> {
    inputs: &'a [Input],
    /// The files with links resolved. They are determined if an output file exists already.
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

    /// Rejects an output that is an input.
    ///
    /// # Errors
    ///
    /// Returns an error if the path is one of the inputs.
    pub(crate) fn protect(&self, path: &Path) -> anyhow::Result<()> {
        let Ok(output) = fs::canonicalize(path) else { return Ok(()) };
        let file = |input: &Input| fs::canonicalize(input.path()?).ok();
        let files = self.files.get_or_init(|| self.inputs.iter().filter_map(file).collect());
        if output.is_file() && files.contains(&output) {
            bail!("{} is an input and would be overwritten; write to another file", path.display());
        }
        Ok(())
    }
}
