//! The command line.

use std::path::PathBuf;

use crate::sections::{SECTIONS, Section};

const USAGE: &str = "\
usage: benchmarks [OPTION...] [SECTION...]
  --list             list the sections with their durations
  --quick            use small inputs, and write the results to the scratch folder
  --page             write the page from the stored results, without measuring
  --programs FOLDER  measure the `tafl` in this folder instead of building it
  --scratch FOLDER   write intermediate files to this folder [target/benchmarks]
  --opponent NAME=PLAYER
                     play against this player of `tafl match`; may be repeated
Without SECTION, all sections run except `matches`, which needs --opponent, and `tests`, `cold`, and
`distribution`, which build the program.";

/// The options of a run.
#[derive(Debug, Default)]
pub(crate) struct Options {
    pub(crate) lists: bool,
    pub(crate) quick: bool,
    /// Only write the page.
    page: bool,
    pub(crate) programs: Option<PathBuf>,
    pub(crate) scratch: Option<PathBuf>,
    /// Names and players.
    pub(crate) opponents: Vec<(String, String)>,
    names: Vec<String>,
}

impl Options {
    /// Reads the command line.
    ///
    /// # Errors
    ///
    /// Returns an error with the unknown word and the valid ones.
    pub(crate) fn read(words: impl Iterator<Item = String>) -> Result<Options, String> {
        let (mut options, mut words) = (Options::default(), words);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value\n{USAGE}"));
            match &*word {
                "--list" => options.lists = true,
                "--quick" => options.quick = true,
                "--page" => options.page = true,
                "--programs" => options.programs = Some(value()?.into()),
                "--scratch" => options.scratch = Some(value()?.into()),
                "--opponent" => {
                    let value = value()?;
                    let (name, player) = value.split_once('=').ok_or("--opponent is NAME=PLAYER")?;
                    options.opponents.push((name.to_owned(), player.to_owned()));
                }
                name if SECTIONS.iter().any(|section| section.name == name) => {
                    options.names.push(word);
                }
                _ => return Err(format!("`{word}` is neither an option nor a section\n{USAGE}")),
            }
        }
        Ok(options)
    }

    /// Returns the sections to run, in their order.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = &'static Section> {
        SECTIONS.iter().filter(|section| match self.names.as_slice() {
            [] => !self.page && section.by_default,
            names => names.iter().any(|name| name == section.name),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(words: &[&str]) -> Result<Vec<&'static str>, String> {
        let options = Options::read(words.iter().map(|word| (*word).to_owned()))?;
        Ok(options.chosen().map(|section| section.name).collect())
    }

    #[test]
    fn builds_run_only_where_they_are_named() {
        assert!(!names(&[]).unwrap().contains(&"cold"));
        assert_eq!(names(&["cold", "parse"]).unwrap(), ["parse", "cold"]);
        assert!(names(&["--page"]).unwrap().is_empty());
    }

    #[test]
    fn unknown_words_are_named() {
        assert!(names(&["speed"]).unwrap_err().starts_with("`speed` is neither"));
    }
}
