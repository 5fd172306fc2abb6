//! The openings of matches and leagues: random ones, balanced ones, or those of recorded games.

use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tafl_analyzer::{Opening, OpeningSetError, OpeningSets, Openings, openings_from_games};
use tafl_parser::Batch;
use tafl_rules::{AnyRulebook, Move, Rng, Shape};

use super::pair_terms::PairTerms;
use crate::records::{
    ReadSettings, RecordAt, RecordEvent, RecordReader, RecordWorker, ReplayConfig, ReplayWorker,
};
use crate::{CompiledVariant, Error, ErrorKind, Job, Result, Threads};

/// The openings that a request names.
#[derive(Debug, Default)]
pub(super) struct OpeningSources {
    /// Sets of balanced openings.
    sets: Vec<OpeningSets>,
    /// Recorded games, with their boards.
    games: Vec<(Shape, Vec<Move>)>,
}

/// The word for the built-in balanced openings.
const BALANCED: &str = "balanced";

impl OpeningSources {
    /// Returns the number of games on other boards than these, from which no opening is taken.
    pub(super) fn n_other_boards(&self, shapes: &[Shape]) -> usize {
        self.games.iter().filter(|(shape, _)| !shapes.contains(shape)).count()
    }

    /// Returns the balanced openings for rules; `None` if no source has any.
    fn balanced(&self, book: &AnyRulebook, seed: u64) -> Option<Vec<Opening>> {
        let sets = self.sets.iter().filter_map(|sets| sets.of_rules(book.rules()));
        let mut openings: Vec<Opening> =
            sets.flat_map(|set| set.openings.iter().map(|opening| opening.moves.clone())).collect();
        Rng::new(seed).shuffle(&mut openings);
        (!openings.is_empty()).then_some(openings)
    }
}

impl PairTerms {
    /// Returns openings by the rules, as many as are wanted if there are enough. Balanced openings are
    /// repeated if more are wanted; with `must_differ`, that is an error.
    ///
    /// # Errors
    ///
    /// Fails if the sources are balanced openings of other rules only, or if there are too few with `must_differ`.
    pub(super) fn openings(
        &self,
        rules: &CompiledVariant,
        sources: &OpeningSources,
        wanted: u64,
        must_differ: bool,
    ) -> Result<Vec<Opening>> {
        let (book, name) = (&rules.book, rules.variant.name());
        let (plies, seed) = (self.opening_plies.get() as u32, self.seed.get());
        let wanted = wanted as usize;
        if let Some(openings) = sources.balanced(book, seed) {
            let n_openings = openings.len();
            if must_differ && n_openings < wanted {
                let message = format!(
                    "{name} has only {n_openings} balanced openings, but {wanted} pairs; from a repeated opening, engines \
                     with limits of nodes or plies play the same games again"
                );
                let help = "use fewer --pairs, limits of time, or other openings";
                return Err(Error::parameter("openings", message).with_help(help));
            }
            return Ok(openings.iter().cycle().take(wanted).cloned().collect());
        }
        if sources.games.is_empty() && !sources.sets.is_empty() {
            let message =
                format!("there are no balanced openings for {name}; find some with `tafl openings find`");
            return Err(Error::parameter("openings", message));
        }
        if plies == 0 {
            // There is one opening without plies. Players that vary their moves may play it repeatedly.
            if must_differ && wanted > 1 {
                let message =
                    "without opening plies, engines with limits of nodes or plies play the same games again";
                return Err(Error::parameter("opening_plies", message)
                    .with_help("use --opening-plies, or --pairs 1 for each variant"));
            }
            return Ok(vec![Opening::new(); wanted]);
        }
        if self.openings.is_empty() {
            return Ok(Openings::new(book, plies, seed).take(wanted).collect());
        }
        let of_board = sources.games.iter().filter(|(shape, _)| *shape == book.shape());
        let games: Vec<Vec<Move>> = of_board.map(|(_, moves)| moves.clone()).collect();
        Ok(openings_from_games(book, plies, seed, &games).take(wanted).collect())
    }

    /// Reads the openings that are named.
    pub(super) fn opening_sources<'i>(
        &self,
        job: &Job,
        stdin: Option<Box<dyn BufRead + Send + 'i>>,
    ) -> Result<OpeningSources> {
        let mut sources = OpeningSources::default();
        let mut paths = Vec::new();
        for path in &self.openings {
            if path.as_os_str() == BALANCED {
                sources.sets.push(OpeningSets::built_in());
            } else if let Some(sets) = read_sets(path)? {
                sources.sets.push(sets);
            } else {
                paths.push(path.clone());
            }
        }
        if !paths.is_empty() {
            sources.games = read_games(&paths, job, stdin)?;
        }
        Ok(sources)
    }
}

fn unreadable(why: &dyn fmt::Display) -> Error {
    let message = format!("the games of --openings could not all be read: {why}");
    Error::new(ErrorKind::Io, message).of("openings")
}

/// Reads a file of balanced openings; `None` if it is another file.
fn read_sets(path: &Path) -> Result<Option<OpeningSets>> {
    let mut start = [0; 16];
    // What can't be opened is reported by the reader of games.
    let is_set = path.is_file()
        && File::open(path)
            .is_ok_and(|mut file| file.read(&mut start).is_ok_and(|n| OpeningSets::is_header(&start[..n])));
    if !is_set {
        return Ok(None);
    }
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| unreadable(&format!("{name}: {error}")))?;
    let sets = text.parse().map_err(|error: OpeningSetError| {
        Error::parameter("openings", format!("{name} is not a file of openings: {error}"))
    });
    sets.map(Some)
}

fn read_games<'i>(
    paths: &[PathBuf],
    job: &Job,
    stdin: Option<Box<dyn BufRead + Send + 'i>>,
) -> Result<Vec<(Shape, Vec<Move>)>> {
    let mut games = Vec::new();
    let settings = ReadSettings { threads: Threads::ONE, ..ReadSettings::default() };
    let reader = RecordReader::new(paths, settings);
    let reader = match stdin {
        Some(stdin) => reader.with_stdin(stdin),
        None => reader,
    };
    if let Some(problem) = reader.inputs.problems.iter().find(|problem| problem.is_error()) {
        return Err(unreadable(problem));
    }
    let config = Arc::new(ReplayConfig::default());
    reader.process(
        job,
        || OpeningWorker(ReplayWorker::new(&config)),
        |nth, event| match event {
            RecordEvent::Record(game) => {
                games.extend(game);
                Ok(())
            }
            RecordEvent::Unreadable(error) => {
                Err(unreadable(&format!("{}: {error}", reader.inputs.list[nth].name())))
            }
            _ => Ok(()),
        },
    )?;
    Ok(games)
}

/// Returns the boards and moves of records.
struct OpeningWorker(ReplayWorker);

impl RecordWorker for OpeningWorker {
    type Answer = Option<(Shape, Vec<Move>)>;

    fn enter(&mut self, batch: &Batch) {
        self.0.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> Option<(Shape, Vec<Move>)> {
        let replay = self.0.replay(at.parse().1).replay;
        let shape = replay.rules.as_ref()?.book.shape();
        Some((shape, replay.plies.iter().map(|ply| ply.mv).collect()))
    }
}
