//! The signature of the engine: the number of nodes that it visits in a fixed suite.
//!
//! A change that is not meant to affect the search must not change it. See
//! <https://www.chessprogramming.org/Node_Count>.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tafl_rules::{AnyRulebook, Game, RepetitionMode, Setup, Side, catalog};

use crate::engine::{Engine, SearchOptions};
use crate::limits::{Limits, is_set};

/// The suite, with one position per line.
const SUITE: &str = include_str!("../data/suite.txt");

/// The result for one position of the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchLine {
    /// The variant.
    pub variant: String,
    /// The depth of the search, in plies.
    pub depth: u8,
    /// The number of nodes visited.
    pub nodes: u64,
    /// The duration of the search.
    pub time: Duration,
}

/// Searches the suite with one thread and an empty table for each position, and calls `on_line` after
/// each one. If another thread sets the flag, the result has only the positions before.
///
/// # Panics
///
/// Never panics: a test reads the suite.
pub fn run_bench(stop: Option<Arc<AtomicBool>>, mut on_line: impl FnMut(&BenchLine)) -> Vec<BenchLine> {
    let lines = SUITE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let run = |line: &str| {
        let (variant, depth, game, book) = read(line).expect("a test reads the suite");
        let mut engine = Engine::new(&book, SearchOptions::default());
        let limits = Limits { stop: stop.clone(), ..Limits::depth(depth) };
        let report = engine.search(&game, &limits).expect("a test searches the suite");
        if limits.is_stopped() {
            return None;
        }
        let line = BenchLine { variant, depth, nodes: report.nodes.0, time: report.time };
        on_line(&line);
        Some(line)
    };
    lines.take_while(|_| !is_set(stop.as_deref())).map_while(run).collect()
}

fn read(line: &str) -> Option<(String, u8, Game, AnyRulebook)> {
    let mut words = line.split_whitespace();
    let variant = words.next()?.to_owned();
    let depth = words.next()?.parse().ok()?;
    let side = words.next()?.parse::<Side>().ok()?;
    let position = words.next()?;
    let rules = catalog::find(&variant)?.rules();
    let book = AnyRulebook::compile(&rules).ok()?;
    let setup =
        if position == "start" { rules.start.clone() } else { Setup::parse(rules.shape(), position).ok()? };
    let game = Game::from_setup(&book, &setup, side, RepetitionMode::Enforce).ok()?;
    Some((variant, depth, game, book))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn the_signature_matches_the_fixture() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/signature.txt");
        let lines = run_bench(None, |_| {});
        let mut text = String::new();
        for line in &lines {
            let _ = writeln!(text, "{} {} {}", line.variant, line.depth, line.nodes);
        }
        let _ = writeln!(text, "sum {}", lines.iter().map(|line| line.nodes).sum::<u64>());
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(
            text, written,
            "if the search was meant to change: UPDATE=1 cargo test -p tafl-analyzer signature"
        );
    }

    #[test]
    fn a_flag_ends_the_searches() {
        let stop = Arc::new(AtomicBool::new(false));
        let lines = run_bench(Some(Arc::clone(&stop)), |_| stop.store(true, Ordering::Relaxed));
        assert_eq!(lines.len(), 1);
    }
}
