//! The paths of a run: the checkout, the programs, the archives, the results.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::child::{self, Input};
use crate::options::Options;

/// A target that a section needs to be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// The comparison with another crate, a package outside the workspace.
    Peers,
    /// The program.
    Program,
    /// The measurements that run in their own process.
    Measures,
}

/// The programs of this package that measure.
const MEASURES: [&str; 4] = ["measure", "balance_bench", "coverage", "serve_load"];

/// Folders and choices that all sections share.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The checkout.
    pub(crate) root: PathBuf,
    /// The folder of the program.
    programs: PathBuf,
    /// The folder of the programs that measure: those of this package, and of `tests/peers`.
    tools: PathBuf,
    /// The archives of real games, if available.
    records: Option<PathBuf>,
    /// The folder for temporary files.
    pub(crate) scratch: PathBuf,
    /// Small inputs, to try the program.
    pub(crate) quick: bool,
    /// Names and players.
    pub(crate) opponents: Vec<(String, String)>,
    /// The targets that are already built.
    built: Vec<Needs>,
}

impl Workspace {
    /// Finds everything.
    ///
    /// # Errors
    ///
    /// Returns an error if the scratch folder cannot be created.
    pub(crate) fn find(options: &Options) -> Result<Workspace, String> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.join("../..").canonicalize().map_err(|error| format!("the checkout: {error}"))?;
        let release = target(&root).join("release");
        let programs = options.programs.clone().unwrap_or_else(|| release.clone());
        let scratch = options.scratch.clone().unwrap_or_else(|| root.join("target/benchmarks"));
        fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
        let beside = std::env::current_exe().ok().and_then(|own| own.parent().map(Path::to_owned));
        let built = if options.programs.is_some() { vec![Needs::Program] } else { Vec::new() };
        Ok(Workspace {
            root,
            programs,
            tools: beside.unwrap_or(release),
            records: std::env::var_os("TAFL_RECORDS").map(PathBuf::from).filter(|folder| folder.is_dir()),
            scratch,
            quick: options.quick,
            opponents: options.opponents.clone(),
            built,
        })
    }

    /// Builds the targets of a section once, in the release profile.
    ///
    /// # Errors
    ///
    /// Fails when it does not build.
    pub(crate) fn build(&mut self, needs: &[Needs]) -> Result<(), String> {
        for needed in needs {
            if !self.built.contains(needed) {
                self.build_one(*needed)?;
                self.built.push(*needed);
            }
        }
        Ok(())
    }

    fn build_one(&self, needed: Needs) -> Result<(), String> {
        let mut command = Command::new("cargo");
        command.current_dir(&self.root).args(["build", "--release", "--locked"]).stdout(Stdio::null());
        // `cargo run` sets variables for this package. The build script of ring depends on them, so ring and polars would be
        // built again.
        let is_setting = |name: &OsString| {
            let name = name.to_string_lossy();
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        };
        std::env::vars_os()
            .map(|(name, _)| name)
            .filter(is_setting)
            .for_each(|name| _ = command.env_remove(name));
        match needed {
            Needs::Peers => {
                command.args([
                    "--manifest-path",
                    "tests/peers/Cargo.toml",
                    "--bin",
                    "tafl-peers",
                    "--target-dir",
                ]);
                command.arg(target(&self.root));
            }
            Needs::Program => _ = command.args(["-p", "tafl-cli", "--bin", "tafl"]),
            Needs::Measures => {
                command.args(["-p", "tafl-benchmarks", "--features", "measure"]);
                command.args(MEASURES.iter().flat_map(|name| ["--bin", name]));
            }
        }
        let status = command.status().map_err(|error| format!("cargo: {error}"))?;
        if status.success() { Ok(()) } else { Err("the build failed".to_owned()) }
    }

    /// Checks that the program is a release build; quick runs accept any build.
    ///
    /// # Errors
    ///
    /// Returns an error if it is another build, or reports no profile.
    pub(crate) fn check_profile(&self) -> Result<(), String> {
        if self.quick || !self.built.contains(&Needs::Program) {
            return Ok(());
        }
        let answer =
            child::run(&mut self.tafl(&["bench", "--format", "json"]), Input::NONE)?.success()?.json()?;
        if answer["profile"] == "release" {
            return Ok(());
        }
        Err(format!("{}: the program there was not built for release", self.programs.display()))
    }

    /// Returns the program with arguments.
    pub(crate) fn tafl(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.programs.join("tafl"));
        command.args(words);
        command
    }

    /// Returns a program that measures, with arguments.
    pub(crate) fn tool(&self, name: &str, words: &[&str]) -> Command {
        let mut command = Command::new(self.tools.join(name));
        command.args(words);
        command
    }

    /// Returns the path of a file or folder of the archives; `None` if it does not exist.
    pub(crate) fn archive(&self, part: &str) -> Option<String> {
        let path = self.records.as_ref()?.join(part);
        path.exists().then(|| path.to_string_lossy().into_owned())
    }

    /// Returns a command without the folders of this machine.
    pub(crate) fn plain(&self, command: &str) -> String {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let command = command.replace(&text(&self.scratch), "$SCRATCH");
        self.records
            .as_ref()
            .map_or(command.clone(), |records| command.replace(&text(records), "$TAFL_RECORDS"))
    }

    /// Returns a path in the scratch folder after removing any file there.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be removed.
    pub(crate) fn fresh(&self, name: &str) -> Result<String, String> {
        let path = self.scratch.join(name);
        let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        match gone {
            Err(error) if path.exists() => Err(format!("{}: {error}", path.display())),
            Ok(()) | Err(_) => Ok(path.to_string_lossy().into_owned()),
        }
    }

    /// Returns the size of a measurement: the full one, or a small one for a trial run.
    pub(crate) fn size(&self, full: u64, quick: u64) -> u64 {
        if self.quick { quick } else { full }
    }

    /// Returns the file of the raw numbers.
    pub(crate) fn results(&self) -> PathBuf {
        self.page().with_extension("json")
    }

    /// Returns the file of the page.
    pub(crate) fn page(&self) -> PathBuf {
        let folder = if self.quick { self.scratch.clone() } else { self.root.join("docs") };
        folder.join("benchmarks.md")
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub(crate) fn write(&self, text: &str) -> Result<(), String> {
        let page = self.page();
        fs::write(&page, text).map_err(|error| format!("{}: {error}", page.display()))
    }
}

/// Returns the target folder of a checkout.
pub(crate) fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
