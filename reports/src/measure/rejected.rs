//! Rejected records by variant: whether their loss could bias the balance.

use std::collections::BTreeMap;

use tafl_corpus::{GameResult, RejectedRecord};

use super::tally::GameTally;

/// The records that could not be stored, by the result that they state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RejectedCounts {
    /// All of them.
    pub records: u64,
    /// Those that state a win of the attackers.
    pub attackers: u64,
    /// Those that state a win of the defenders.
    pub defenders: u64,
    /// Those that state a draw.
    pub draws: u64,
}

impl RejectedCounts {
    fn add(&mut self, result: Option<GameResult>) {
        self.records += 1;
        match result {
            Some(GameResult::Attackers) => self.attackers += 1,
            Some(GameResult::Defenders) => self.defenders += 1,
            Some(GameResult::Draw) => self.draws += 1,
            Some(GameResult::Unfinished) | None => {}
        }
    }

    /// Returns the number of records without a stated result, and of those that state an unfinished game.
    pub fn others(&self) -> u64 {
        self.records - self.attackers - self.defenders - self.draws
    }

    /// Returns the attackers' proportion of decided games of a variant if the rejected records are counted with the
    /// results that they state; `None` if they state no win, or if no game is decided.
    pub fn attackers_with(&self, tally: &GameTally) -> Option<f64> {
        let decided = tally.decided() + self.attackers + self.defenders;
        (self.attackers + self.defenders > 0 && tally.decided() > 0)
            .then(|| (tally.attackers + self.attackers) as f64 / decided as f64)
    }
}

/// The rejected records of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RejectedFindings {
    /// By the name of the variant.
    pub by_variant: BTreeMap<String, RejectedCounts>,
    /// Those whose variant is not known.
    pub unknown: RejectedCounts,
}

impl RejectedFindings {
    /// Counts rejected records.
    pub fn of(records: &[RejectedRecord]) -> RejectedFindings {
        let mut found = RejectedFindings::default();
        for record in records {
            let counts = match &record.variant {
                Some(name) => found.by_variant.entry(name.clone()).or_default(),
                None => &mut found.unknown,
            };
            counts.add(record.result);
        }
        found
    }

    /// Returns the rejected records of a variant, given by its label; all zero if there are none.
    pub fn of_variant(&self, label: &str) -> RejectedCounts {
        self.by_variant.get(label).copied().unwrap_or_default()
    }

    /// Returns the findings without those of other variants.
    #[must_use]
    pub fn restricted_to(mut self, label: &str) -> RejectedFindings {
        self.by_variant.retain(|name, _| name == label);
        self
    }

    /// Returns the number of rejected records.
    pub fn total(&self) -> u64 {
        self.unknown.records + self.by_variant.values().map(|counts| counts.records).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(variant: Option<&str>, result: Option<GameResult>) -> RejectedRecord {
        RejectedRecord {
            source: "games.csv".to_owned(),
            place: 1,
            format: "none".to_owned(),
            codes: Vec::new(),
            text: String::new(),
            variant: variant.map(str::to_owned),
            result,
            reason: None,
        }
    }

    #[test]
    fn records_are_counted_by_variant_and_result() {
        let records = [
            record(Some("a"), Some(GameResult::Attackers)),
            record(Some("a"), Some(GameResult::Attackers)),
            record(Some("a"), Some(GameResult::Defenders)),
            record(Some("a"), Some(GameResult::Draw)),
            record(Some("a"), Some(GameResult::Unfinished)),
            record(Some("a"), None),
            record(Some("b"), None),
            record(None, Some(GameResult::Defenders)),
        ];
        let found = RejectedFindings::of(&records);
        assert_eq!(
            found.of_variant("a"),
            RejectedCounts { records: 6, attackers: 2, defenders: 1, draws: 1 }
        );
        assert_eq!((found.of_variant("a").others(), found.of_variant("b").others()), (2, 1));
        assert_eq!((found.unknown.defenders, found.of_variant("c").records, found.total()), (1, 0, 8));
        // 10 of 20 and 2 of 3 more.
        let tally = GameTally { games: 20, attackers: 10, defenders: 10, ..GameTally::default() };
        assert_eq!(found.of_variant("a").attackers_with(&tally), Some(12.0 / 23.0));
        assert_eq!(found.of_variant("b").attackers_with(&tally), None);
        assert_eq!(found.of_variant("a").attackers_with(&GameTally::default()), None);
    }
}
