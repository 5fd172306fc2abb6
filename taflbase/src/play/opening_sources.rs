//! The sources of openings that a request names: balanced openings, and recorded games.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead, Read as _};
use std::path::Path;

use tafl_analyzer::{BalancedOpening, Opening, OpeningSet, OpeningSetError, OpeningSets};
use tafl_rules::{AnyRulebook, Move, Rng, RuleSet, Shape, counted, word_list};

use super::opening_games::{OpeningGames, unreadable};
use super::pair_terms::PairTerms;
use super::rules_text::rules_text;
use crate::escape::escape_path;
use crate::{CompiledVariant, Error, Job, Result};

/// The word for the built-in balanced openings.
const BALANCED: &str = "balanced";

/// The maximum number of variants that a message lists.
const MAX_LISTED: usize = 3;

/// Balanced openings of a file, or the built-in ones.
#[derive(Debug)]
struct NamedSets {
    /// The name of the file, as messages show it; `None` for the built-in openings.
    file: Option<String>,
    sets: OpeningSets,
}

/// The openings that a request names.
#[derive(Debug, Default)]
pub(super) struct OpeningSources {
    /// Sets of balanced openings.
    sets: Vec<NamedSets>,
    /// Recorded games.
    games: OpeningGames,
}

impl PairTerms {
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
                sources.sets.push(NamedSets { file: None, sets: OpeningSets::built_in() });
            } else if let Some(sets) = read_sets(path)? {
                sources.sets.push(NamedSets { file: Some(escape_path(path)), sets });
            } else {
                paths.push(path.clone());
            }
        }
        if !paths.is_empty() {
            sources.games = OpeningGames::read(&paths, job, stdin)?;
        }
        Ok(sources)
    }
}

impl OpeningSources {
    /// Returns whether there are balanced openings, but no games.
    pub(super) fn has_only_sets(&self) -> bool {
        self.games.games.is_empty() && !self.sets.is_empty()
    }

    /// Returns what was skipped in the files with games, in sentences.
    pub(super) fn read_notices(&self) -> &[String] {
        &self.games.notices
    }

    /// Returns the moves of the games on a board.
    pub(super) fn on_board(&self, shape: Shape) -> impl Iterator<Item = &Vec<Move>> {
        self.games.games.iter().filter(move |(of_game, _)| *of_game == shape).map(|(_, moves)| moves)
    }

    /// Returns the number of games.
    pub(super) fn n_games(&self) -> usize {
        self.games.games.len()
    }

    /// Returns the balanced openings for rules, shuffled; `None` if no source has any. An opening of several sources is returned
    /// once.
    pub(super) fn balanced(&self, book: &AnyRulebook, seed: u64) -> Option<Vec<Opening>> {
        let sets = self.sets.iter().filter_map(|named| named.sets.of_rules(book.rules()));
        let mut found: Vec<&BalancedOpening> = sets.flat_map(|set| &set.openings).collect();
        if self.sets.len() > 1 {
            let mut keys = HashSet::new();
            found.retain(|opening| opening.key(book).is_none_or(|key| keys.insert(key)));
        }
        let mut openings: Vec<Opening> = found.into_iter().map(|opening| opening.moves.clone()).collect();
        Rng::new(seed).shuffle(&mut openings);
        (!openings.is_empty()).then_some(openings)
    }

    /// Returns notices about the files, records, and games that no variant uses. For each variant, `are_balanced` states whether
    /// it is played from balanced openings.
    pub(super) fn notices(&self, variants: &[&CompiledVariant], are_balanced: &[bool]) -> Vec<String> {
        let mut notices = self.games.notices.clone();
        let uses = |shape: Shape| {
            let variants = variants.iter().zip(are_balanced);
            variants
                .filter(move |(rules, _)| rules.book.shape() == shape)
                .map(|(_, is_balanced)| !is_balanced)
        };
        let shapes = || self.games.games.iter().map(|(shape, _)| *shape);
        let n_other_boards = shapes().filter(|shape| uses(*shape).next().is_none()).count() as u64;
        let n_unused =
            shapes().filter(|shape| !uses(*shape).any(|is_used| is_used)).count() as u64 - n_other_boards;
        let why = ["on other boards", "on boards of variants with balanced openings"];
        for (n, why) in [n_other_boards, n_unused].into_iter().zip(why).filter(|(n, _)| *n > 0) {
            notices.push(format!("skipped {} of --openings {why}", counted(n, "game", "games")));
        }
        for named in &self.sets {
            let has_openings = |rules: &&CompiledVariant| named.set(rules.book.rules()).is_some();
            if !variants.iter().any(has_openings) {
                let names: Vec<String> = variants.iter().map(|rules| rules.variant.name()).collect();
                let name = named.file.as_deref().unwrap_or(BALANCED);
                notices
                    .push(format!("{name} is not used: it has no openings of {}", word_list(&names, "or")));
            }
        }
        notices
    }

    /// Returns the error that no source has openings for rules. `unchanged` are the rules without the changes of `--rule`.
    pub(super) fn misfit(&self, rules: &CompiledVariant, unchanged: &CompiledVariant) -> Error {
        let mut reasons: Vec<String> = self.sets.iter().map(|named| named.misfit(rules, unchanged)).collect();
        let is_by_change = self.sets.iter().any(|named| named.set(unchanged.book.rules()).is_some());
        reasons.dedup();
        let find = "find some with `tafl openings find`";
        let help = if is_by_change { format!("leave out --rule, or {find}") } else { find.to_owned() };
        Error::parameter("openings", reasons.join("; ")).with_help(help)
    }
}

impl NamedSets {
    /// Returns the set for rules, if it has openings.
    fn set(&self, rules: &RuleSet) -> Option<&OpeningSet> {
        self.sets.of_rules(rules).filter(|set| !set.openings.is_empty())
    }

    /// Returns the reason why there is no opening for rules.
    fn misfit(&self, rules: &CompiledVariant, unchanged: &CompiledVariant) -> String {
        let name = rules_text(rules.book.rules());
        if self.set(unchanged.book.rules()).is_some() {
            let openings = self
                .file
                .as_ref()
                .map_or("its built-in openings".to_owned(), |file| format!("the openings of {file}"));
            return format!(
                "--rule changes the rules of {}, so {openings} don't fit",
                rules_text(unchanged.book.rules())
            );
        }
        let Some(file) = &self.file else {
            return format!("there are no built-in balanced openings for {name}");
        };
        let others: Vec<String> = self
            .sets
            .sets
            .iter()
            .filter(|set| !set.openings.is_empty())
            .map(|set| rules_text(&set.rules))
            .collect();
        match &others[..] {
            [] => format!("{file} has no openings yet"),
            _ if self.sets.of_rules(rules.book.rules()).is_some() => {
                format!("{file} has no openings of {name} yet")
            }
            others if others.len() <= MAX_LISTED => {
                format!("{file} has openings of {} only", word_list(others, "and"))
            }
            others => format!("{file} has openings of {} other variants, but not of {name}", others.len()),
        }
    }
}

/// Reads a file of balanced openings; `None` if the file is not of this kind.
fn read_sets(path: &Path) -> Result<Option<OpeningSets>> {
    let mut start = [0; 16];
    // What can't be opened is reported by the reader of games.
    let is_set = path.is_file()
        && File::open(path)
            .is_ok_and(|mut file| file.read(&mut start).is_ok_and(|n| OpeningSets::is_header(&start[..n])));
    if !is_set {
        return Ok(None);
    }
    let name = escape_path(path);
    let text = fs::read_to_string(path).map_err(|error| unreadable(format!("{name}: {error}")))?;
    let sets = text.parse().map_err(|error: OpeningSetError| {
        Error::parameter("openings", format!("{name} is not a file of openings: {error}"))
    });
    sets.map(Some)
}
