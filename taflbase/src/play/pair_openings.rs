//! The openings of matches and leagues: random ones, balanced ones, or those of recorded games.

use std::sync::Arc;

use tafl_analyzer::{Opening, Openings, openings_from_games};
use tafl_rules::{AnyRulebook, Move, counted, word_list};

use super::opening_sources::OpeningSources;
use super::pair_terms::PairTerms;
use crate::{CompiledVariant, Error, Result};

/// The maximum of `--opening-plies`.
const MAX_PLIES: u32 = 100;

/// The maximum number of wanted openings for which other numbers of plies are tried. Each opening is searched with 3,000 nodes,
/// which takes a few milliseconds.
const MAX_TRIED_OPENINGS: usize = 200;

/// The openings that one variant of a series needs.
pub(super) struct OpeningNeed {
    /// Their number.
    pub(super) wanted: u64,
    /// Whether fewer pairs are played if there are fewer openings, instead of repeating openings or failing.
    pub(super) may_be_fewer: bool,
    /// Whether openings must not be repeated, because two players would play the same games again.
    pub(super) must_differ: bool,
    /// The variant without the changes of `--rule`.
    pub(super) unchanged: Arc<CompiledVariant>,
}

impl PairTerms {
    /// Returns openings by the rules, as many as are wanted if there are enough, and whether they are balanced ones. Balanced
    /// openings are repeated if more are wanted, unless there may be fewer; if they must differ, that is an error.
    ///
    /// # Errors
    ///
    /// Fails if the sources are balanced openings of other rules only, or if openings that must differ would be repeated.
    pub(super) fn openings(
        &self,
        rules: &CompiledVariant,
        sources: &OpeningSources,
        need: &OpeningNeed,
    ) -> Result<(Vec<Opening>, bool)> {
        let (book, name) = (&rules.book, rules.variant.name());
        let plies = self.opening_plies.unwrap_or_default().get() as u32;
        let wanted = need.wanted as usize;
        if let Some(openings) = sources.balanced(book, self.seed.get()) {
            let n_openings = openings.len();
            if n_openings >= wanted || need.may_be_fewer {
                return Ok((openings.into_iter().take(wanted).collect(), true));
            }
            if need.must_differ {
                let message = format!(
                    "{name} has only {}, but {wanted} are wanted; from a repeated opening, engines with limits of nodes or plies \
                     play the same games again",
                    counted(n_openings as u64, "balanced opening", "balanced openings")
                );
                let help = "leave out --pairs, or use limits of time or other openings";
                return Err(Error::parameter("openings", message).with_help(help));
            }
            return Ok((openings.iter().cycle().take(wanted).cloned().collect(), true));
        }
        if sources.has_only_sets() {
            return Err(sources.misfit(rules, &need.unchanged));
        }
        if plies == 0 {
            // There is one opening without plies. Players that vary their moves may play it repeatedly.
            if need.must_differ && wanted > 1 {
                let message =
                    "without opening plies, engines with limits of nodes or plies play the same games again";
                return Err(Error::parameter("opening_plies", message)
                    .with_help("use --opening-plies, or --pairs 1 for each variant"));
            }
            return Ok((vec![Opening::new(); wanted], false));
        }
        Ok((self.different_openings(book, sources, plies, wanted), false))
    }

    /// Returns different openings with a number of plies, random ones or those of games.
    fn different_openings(
        &self,
        book: &AnyRulebook,
        sources: &OpeningSources,
        plies: u32,
        wanted: usize,
    ) -> Vec<Opening> {
        let seed = self.seed.get();
        if self.openings.is_empty() {
            return Openings::new(book, plies, seed).take(wanted).collect();
        }
        let games: Vec<Vec<Move>> = sources.on_board(book.shape()).cloned().collect();
        openings_from_games(book, plies, seed, &games).take(wanted).collect()
    }

    /// Returns the error that there are only `n_openings` for the rules, with what can help: fewer pairs, other games, or
    /// another number of plies. `n_pairs` is the number of pairs for which there are enough.
    pub(super) fn too_few_openings(
        &self,
        rules: &CompiledVariant,
        sources: &OpeningSources,
        need: &OpeningNeed,
        n_openings: u64,
        n_pairs: u64,
    ) -> Error {
        let (name, plies) = (rules.variant.name(), self.opening_plies.unwrap_or_default().get());
        let of_games = !self.openings.is_empty();
        let n_games = sources.on_board(rules.book.shape()).count() as u64;
        if of_games && n_games == 0 {
            if sources.n_games() == 0 && !sources.read_notices().is_empty() {
                let message = "--openings has no game that can be read";
                return Error::parameter("openings", message).with_help(sources.read_notices().join("; "));
            }
            let message = format!("no game of --openings is on the board of {name}");
            return Error::parameter("openings", message).with_help("name games on this board");
        }
        let from = match n_games {
            _ if !of_games => String::new(),
            n => format!(" from {}", counted(n, "game", "games")),
        };
        let length = counted(plies, "ply", "plies");
        let message = match n_openings {
            0 => format!("{name} has no opening of {length}{from}"),
            n => {
                let openings = counted(n, "different opening", "different openings");
                format!("{name} has only {openings} of {length}{from}, but {} are needed", need.wanted)
            }
        };
        let mut remedies = Vec::new();
        if n_openings > 0 {
            remedies.push(format!("--pairs {n_pairs}"));
        }
        if let Some(plies) = self.better_plies(&rules.book, sources, need) {
            remedies.push(format!("--opening-plies {plies}"));
        }
        if of_games {
            // Without any opening, more games of the same kind would not help.
            let is_more = n_openings > 0 && n_games < need.wanted;
            remedies.push(if is_more { "more games" } else { "other games" }.to_owned());
        }
        let error = Error::parameter("opening_plies", message);
        error.with_help(match &remedies[..] {
            [] => "name games with --openings".to_owned(),
            remedies => format!("try {}", word_list(remedies, "or")),
        })
    }

    /// Returns another number of plies with enough openings: the first of a few numbers near the requested one.
    fn better_plies(&self, book: &AnyRulebook, sources: &OpeningSources, need: &OpeningNeed) -> Option<u32> {
        let plies = self.opening_plies.unwrap_or_default().get() as u32;
        // A default number of pairs adapts to the number of openings.
        let wanted = if need.may_be_fewer { 1 } else { need.wanted as usize };
        // A game has only one opening of each length, and searching hundreds of openings again would take too long.
        let is_possible = self.openings.is_empty() || sources.on_board(book.shape()).count() >= wanted;
        if !is_possible || wanted > MAX_TRIED_OPENINGS {
            return None;
        }
        let longer = [1, 2, 4].map(|more| plies + more).into_iter().filter(|plies| *plies <= MAX_PLIES);
        let shorter = [plies.saturating_sub(1), plies.saturating_sub(2), plies / 2, plies / 4];
        let shorter = shorter.into_iter().filter(|plies| *plies > 0);
        longer
            .chain(shorter)
            .find(|plies| self.different_openings(book, sources, *plies, wanted).len() == wanted)
    }
}
