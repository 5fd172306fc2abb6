//! The numbers of games and plies of a corpus, computed once per snapshot.

use std::collections::HashMap;

use taflbase::corpus::{Corpus, GameSummaryCache, Result};

/// The numbers of games and plies of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CorpusStats {
    /// The number of games, without removed ones.
    pub(crate) games: u64,
    /// The number of plies.
    pub(crate) plies: u64,
    /// The rules of the games, most frequent first.
    pub(crate) rules: Vec<RulesStats>,
}

/// The rules of some games of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RulesStats {
    /// The name in the catalog, if they have one.
    pub(crate) name: Option<String>,
    /// The rules string of one of the games.
    pub(crate) rules: String,
    /// The board.
    pub(crate) shape: String,
    /// The number of games.
    pub(crate) games: u64,
}

impl CorpusStats {
    /// Counts the games and plies of a corpus.
    ///
    /// # Errors
    ///
    /// Returns an error if a file is missing or damaged.
    pub(crate) fn of(corpus: &Corpus, summaries: &GameSummaryCache) -> Result<CorpusStats> {
        let mut stats = CorpusStats::default();
        // Games of a variant are counted together, even if their rules strings differ in labels or order.
        let mut known: HashMap<(Option<&str>, &str), usize> = HashMap::new();
        for at in corpus.games() {
            let summary = summaries.get(at)?;
            stats.games += 1;
            stats.plies += u64::from(summary.plies);
            let rules = if summary.variant.is_some() { "" } else { summary.rules };
            let nth = *known.entry((summary.variant, rules)).or_insert_with(|| {
                stats.rules.push(RulesStats {
                    name: summary.variant.map(str::to_owned),
                    rules: summary.rules.to_owned(),
                    shape: summary.shape.to_owned(),
                    games: 0,
                });
                stats.rules.len() - 1
            });
            stats.rules[nth].games += 1;
        }
        stats.rules.sort_by(|one, other| (other.games, &one.name).cmp(&(one.games, &other.name)));
        Ok(stats)
    }

    /// Returns the number of games of a variant.
    pub(crate) fn games_of(&self, name: &str) -> u64 {
        let found = self.rules.iter().find(|ruleset| ruleset.name.as_deref() == Some(name));
        found.map_or(0, |ruleset| ruleset.games)
    }
}
