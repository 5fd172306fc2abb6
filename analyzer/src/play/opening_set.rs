//! Sets of balanced openings: their file format, and the built-in sets.

use std::fmt;
use std::str::{FromStr, SplitWhitespace};

use tafl_rules::{AnyRulebook, BySide, Game, Move, RuleSet};

use super::balance::{BalanceCounts, BalanceProgress, BalanceSearch, BalanceSettings, BalancedOpening};

/// The version of the file format.
const VERSION: u32 = 1;

/// The first word of a file.
const MAGIC: &str = "tafl-openings";

/// The built-in sets.
const BUILT_IN: &str = include_str!("../../data/openings.txt");

/// Balanced openings for one rule set, with their origin.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningSet {
    /// The rules.
    pub rules: RuleSet,
    /// The engine that found the openings.
    pub engine: String,
    /// The settings of the search.
    pub settings: BalanceSettings,
    /// The state of the search.
    pub progress: BalanceProgress,
    /// The openings, in the order in which they were found.
    pub openings: Vec<BalancedOpening>,
}

/// A file of opening sets, one for each rule set.
///
/// The text has a line `tafl-openings 1` and, for each set, the lines `rules`, `engine`, `settings`,
/// `progress`, and one line per opening. FORMATS.md describes them.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::OpeningSets;
///
/// let sets = OpeningSets::built_in();
/// assert_eq!(sets.to_string().parse(), Ok(sets));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OpeningSets {
    /// The sets.
    pub sets: Vec<OpeningSet>,
}

/// The reason why a text is not a file of opening sets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct OpeningSetError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: String,
}

impl OpeningSet {
    /// Returns the set that a search has found.
    pub fn of(search: &BalanceSearch, engine: String) -> OpeningSet {
        OpeningSet {
            rules: search.book().rules().clone(),
            engine,
            settings: search.settings(),
            progress: search.progress,
            openings: search.openings.clone(),
        }
    }

    /// Returns the search that continues this set.
    pub fn search(&self, book: &AnyRulebook) -> BalanceSearch {
        let mut search = BalanceSearch::new(book, self.settings);
        search.openings.clone_from(&self.openings);
        search.progress = self.progress;
        search
    }

    /// Returns the games of the second series of all openings.
    pub fn series(&self) -> BalanceCounts {
        self.openings.iter().fold(BalanceCounts::default(), |sum, opening| sum.plus(opening.games))
    }
}

impl OpeningSets {
    /// Returns whether a text begins like a file of opening sets.
    pub fn is_header(text: &[u8]) -> bool {
        text.starts_with(MAGIC.as_bytes())
    }

    /// Returns the built-in sets.
    pub fn built_in() -> OpeningSets {
        BUILT_IN.parse().expect("a test reads the built-in file")
    }

    /// Returns the set for rules.
    pub fn of_rules(&self, rules: &RuleSet) -> Option<&OpeningSet> {
        self.sets.iter().find(|set| set.rules == *rules)
    }
}

impl fmt::Display for OpeningSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MAGIC} {VERSION}")?;
        self.sets.iter().try_for_each(|set| set.fmt(f))
    }
}

impl fmt::Display for OpeningSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (settings, progress, trials) = (&self.settings, &self.progress, &self.progress.trials);
        writeln!(f, "rules {}", self.rules)?;
        writeln!(f, "engine {}", self.engine)?;
        writeln!(f, "settings nodes {} plies {} seed {}", settings.nodes, settings.plies, settings.seed)?;
        writeln!(
            f,
            "progress rounds {} candidates {} tested {} games {} half-points {} undecided {} center {} bias {}",
            progress.rounds,
            progress.candidates,
            progress.tested,
            trials.games,
            trials.half_points,
            trials.undecided,
            progress.center,
            progress.bias
        )?;
        let shape = self.rules.shape();
        for BalancedOpening { moves, random, games } in &self.openings {
            write!(
                f,
                "opening games {} half-points {} undecided {} random {} {} moves",
                games.games, games.half_points, games.undecided, random.attackers, random.defenders
            )?;
            moves.iter().try_for_each(|mv| write!(f, " {}", mv.display(shape)))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

impl FromStr for OpeningSets {
    type Err = OpeningSetError;

    fn from_str(text: &str) -> Result<OpeningSets, OpeningSetError> {
        let mut lines = text.lines().enumerate().map(|(at, line)| SetLine { number: at + 1, text: line });
        let expected = format!("expected `{MAGIC} {VERSION}`");
        let first = lines.next().ok_or(OpeningSetError { line: 1, problem: expected.clone() })?;
        if first.text.trim_end() != format!("{MAGIC} {VERSION}") {
            return Err(first.error(expected));
        }
        let mut lines = lines.filter(|line| !line.text.is_empty() && !line.text.starts_with('#')).peekable();
        let mut sets: Vec<OpeningSet> = Vec::new();
        while let Some(line) = lines.next() {
            let rules: RuleSet =
                line.after("rules")?.parse().map_err(|error| line.error(format!("{error}")))?;
            let book = AnyRulebook::compile(&rules).map_err(|error| line.error(error.to_string()))?;
            let end = OpeningSetError { line: line.number, problem: "the set is incomplete".to_owned() };
            let mut next = || lines.next().ok_or_else(|| end.clone());
            let engine = next()?.after("engine")?.to_owned();
            let settings = next()?.settings()?;
            let progress = next()?.progress()?;
            let mut openings = Vec::new();
            while let Some(line) = lines.next_if(|line| line.text.starts_with("opening ")) {
                openings.push(line.opening(&book)?);
            }
            if sets.iter().any(|set| set.rules == rules) {
                return Err(line.error("a second set for the same rules".to_owned()));
            }
            sets.push(OpeningSet { rules, engine, settings, progress, openings });
        }
        Ok(OpeningSets { sets })
    }
}

/// A line of a file.
#[derive(Debug, Clone, Copy)]
struct SetLine<'t> {
    number: usize,
    text: &'t str,
}

impl<'t> SetLine<'t> {
    fn error(self, problem: String) -> OpeningSetError {
        OpeningSetError { line: self.number, problem }
    }

    /// Returns the rest of a line that begins with a word.
    fn after(self, word: &str) -> Result<&'t str, OpeningSetError> {
        let rest = self.text.strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
        rest.ok_or_else(|| self.error(format!("expected `{word}`")))
    }

    /// Reads a word and the number after it.
    fn number<T: FromStr>(self, words: &mut SplitWhitespace<'t>, name: &str) -> Result<T, OpeningSetError> {
        let value = words.next().filter(|word| *word == name).and_then(|_| words.next());
        value
            .and_then(|value| value.parse().ok())
            .ok_or_else(|| self.error(format!("expected `{name}` and a number")))
    }

    fn counts(self, words: &mut SplitWhitespace<'t>) -> Result<BalanceCounts, OpeningSetError> {
        let counts = BalanceCounts {
            games: self.number(words, "games")?,
            half_points: self.number(words, "half-points")?,
            undecided: self.number(words, "undecided")?,
        };
        let is_possible =
            u64::from(counts.half_points) <= 2 * u64::from(counts.games) && counts.undecided <= counts.games;
        if is_possible {
            Ok(counts)
        } else {
            Err(self.error("more points or undecided games than games".to_owned()))
        }
    }

    fn settings(self) -> Result<BalanceSettings, OpeningSetError> {
        let mut words = self.after("settings")?.split_whitespace();
        Ok(BalanceSettings {
            nodes: self.number(&mut words, "nodes")?,
            plies: self.number(&mut words, "plies")?,
            seed: self.number(&mut words, "seed")?,
        })
    }

    fn progress(self) -> Result<BalanceProgress, OpeningSetError> {
        let mut words = self.after("progress")?.split_whitespace();
        Ok(BalanceProgress {
            rounds: self.number(&mut words, "rounds")?,
            candidates: self.number(&mut words, "candidates")?,
            tested: self.number(&mut words, "tested")?,
            trials: self.counts(&mut words)?,
            center: self.number(&mut words, "center")?,
            bias: self.number(&mut words, "bias")?,
        })
    }

    fn opening(self, book: &AnyRulebook) -> Result<BalancedOpening, OpeningSetError> {
        let mut words = self.after("opening")?.split_whitespace();
        let games = self.counts(&mut words)?;
        let attackers = self.number(&mut words, "random")?;
        let defenders = words.next().and_then(|word| word.parse().ok());
        let defenders =
            defenders.ok_or_else(|| self.error("expected two numbers after `random`".to_owned()))?;
        if words.next() != Some("moves") {
            return Err(self.error("expected `moves`".to_owned()));
        }
        let mut game = Game::new(book);
        let mut moves = Vec::new();
        for word in words {
            let mv =
                Move::parse(word, game.shape()).map_err(|_| self.error(format!("invalid move `{word}`")))?;
            let ply = game.play(mv).map_err(|_| self.error(format!("the move {word} is illegal")))?;
            if ply.outcome.is_some() {
                return Err(self.error(format!("the move {word} ends the game")));
            }
            moves.push(mv);
        }
        Ok(BalancedOpening { moves, random: BySide { attackers, defenders }, games })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
tafl-openings 1
rules dim:7 ber:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/
engine taflbase
settings nodes 100 plies 8 seed 1
progress rounds 2 candidates 96 tested 16 games 90 half-points 70 undecided 3 center -12.5 bias 0.25
opening games 16 half-points 14 undecided 0 random 1 2 moves d1-c1 d3-c3
";

    fn file() -> OpeningSets {
        FILE.parse().unwrap()
    }

    #[test]
    fn files_are_read_and_written() {
        let sets = file();
        assert_eq!(sets.sets[0].series().share(), Some(14.0 / 32.0));
        assert_eq!(sets.sets[0].progress.center, -12.5);
        assert_eq!(sets.to_string().parse::<OpeningSets>().unwrap(), sets);
    }

    #[test]
    fn damaged_files_are_errors_with_their_line() {
        let line = |from: &str, to: &str| {
            let text = FILE.replace(from, to);
            assert_ne!(text, FILE);
            text.parse::<OpeningSets>().unwrap_err().line
        };
        assert_eq!(line("openings 1", "openings 2"), 1);
        assert_eq!(line("dim:7", "dim:x"), 2);
        assert_eq!(line("seed 1", "seed"), 4);
        assert_eq!(line("games 16", "games 1"), 6);
        assert_eq!(line("d1-c1", "d1-d9"), 6);
        assert_eq!(line("d1-c1", "d1-a2"), 6);
        assert_eq!("".parse::<OpeningSets>().unwrap_err().line, 1);
        for end in 0..FILE.len() {
            let _ = FILE[..end].parse::<OpeningSets>();
        }
    }

    #[test]
    fn huge_numbers_do_not_overflow() {
        let text = FILE.replace("games 16 half-points 14", "games 4000000000 half-points 4000000000");
        let text =
            text.replace("rounds 2 candidates 96", "rounds 4294967295 candidates 18446744073709551615");
        let mut set = text.parse::<OpeningSets>().unwrap().sets.remove(0);
        set.openings.push(set.openings[0].clone());
        assert_eq!(set.openings[0].games.share(), Some(0.5));
        assert_eq!(set.series().games, u32::MAX);
        let book = AnyRulebook::compile(&set.rules).unwrap();
        assert!(set.search(&book).run_round(std::num::NonZeroUsize::MIN, &Default::default()));
    }

    /// Both sides together win about half of the games from each built-in set, and no position occurs
    /// twice.
    #[test]
    fn built_in_sets_are_balanced() {
        let sets = OpeningSets::built_in();
        for set in sets.sets {
            let name = set.rules.to_string();
            let share = set.series().share().unwrap();
            assert!((0.3..=0.7).contains(&share), "{name}: {share}");
            let book = AnyRulebook::compile(&set.rules).unwrap();
            let mut keys: Vec<u64> = set.openings.iter().filter_map(|one| one.key(&book)).collect();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), set.openings.len(), "{name}");
        }
    }
}
