//! The results of inference.

use tafl_rules::RuleSet;

use crate::replay::Discrepancy;

/// The rules by which records were probably played.
#[derive(Debug, Clone)]
pub struct Inference {
    /// The number of records.
    pub n_records: usize,
    /// The records grouped by the rules that explain them, largest group first.
    pub groups: Vec<RulesGroup>,
    /// The indices of records that are in no group: without moves, with an unknown start, or with a start that no rules
    /// can play.
    pub undecidable: Vec<usize>,
}

/// Records explained by the same rules.
#[derive(Debug, Clone)]
pub struct RulesGroup {
    /// The indices of the records, from 0, in ascending order.
    pub records: Vec<usize>,
    /// The number of records that other groups of this answer explain as well.
    pub n_shared: usize,
    /// The origin of the start.
    pub start: StartOrigin,
    /// The catalog variants with this board and start, by the number of games that agree.
    pub catalog: Vec<VariantFit>,
    /// The variant from which the search reached the rules, or `None` if it started from the defaults of
    /// rules strings.
    pub base: Option<&'static str>,
    /// The changes from the base.
    pub changes: Vec<OptionChange>,
    /// The rules that explain the games best.
    pub rules: RuleSet,
    /// The number of games that agree with the rules.
    pub n_agreeing: usize,
    /// The options of the rules with their evidence.
    pub options: Vec<OptionEvidence>,
    /// The games that contradict the rules, each with its first contradiction.
    pub contradictions: Vec<Contradiction>,
}

/// The origin of a start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartOrigin {
    /// The records or the user gave it.
    Given,
    /// Catalog variants have it, and the moves fit it.
    Catalog,
    /// It was derived from the moves.
    Derived {
        /// The number of cells that the games determine.
        seen: usize,
        /// The number of cells filled in by symmetry.
        mirrored: usize,
        /// The number of undetermined cells; they are assumed to be empty.
        unknown: usize,
    },
}

/// The result of testing a catalog variant.
#[derive(Debug, Clone)]
pub struct VariantFit {
    /// The names of the variants; several if their rules are identical.
    pub variants: Vec<&'static str>,
    /// The number of games that agree.
    pub n_agreeing: usize,
    /// The number of games that contradict.
    pub n_contradicting: usize,
    /// The first contradiction.
    pub first: Option<Contradiction>,
}

/// A game that contradicts the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contradiction {
    /// The index of the record, from 0.
    pub record: usize,
    /// The number of the written move, from 1.
    pub ply: u32,
    /// The difference.
    pub fault: Discrepancy,
}

/// A changed option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionChange {
    /// The stable name of the option.
    pub option: &'static str,
    /// The subject of the option.
    pub about: &'static str,
    /// The key in rules strings.
    pub key: &'static str,
    /// The old value.
    pub from: String,
    /// The new value.
    pub to: String,
}

/// The evidence of the games about an option.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionEvidence {
    /// The stable name of the option.
    pub option: &'static str,
    /// The subject of the option.
    pub about: &'static str,
    /// The key in rules strings.
    pub key: &'static str,
    /// The value that explains the games best.
    pub value: String,
    /// Whether the games decide for this value.
    pub status: OptionStatus,
    /// The other values.
    pub others: Vec<OtherValue>,
}

impl OptionEvidence {
    /// Returns every value that fits the games, the best one first.
    pub fn fitting(&self) -> impl Iterator<Item = &str> {
        let others = self.others.iter().filter(|other| !other.is_excluded).map(|other| other.value.as_str());
        std::iter::once(self.value.as_str()).chain(others)
    }
}

/// Whether games decide for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionStatus {
    /// Every other value is excluded.
    Decided,
    /// Every other value is excluded, but some games support one of them.
    Contradicted,
    /// Other values fit as well.
    Undecided,
}

impl OptionStatus {
    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            OptionStatus::Decided => "decided",
            OptionStatus::Contradicted => "contradicted",
            OptionStatus::Undecided => "undecided",
        }
    }
}

/// The evidence of the games about another value of an option.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherValue {
    /// The value.
    pub value: String,
    /// The number of games against it: they have more faults with it.
    pub games_against: usize,
    /// The number of plies against it.
    pub plies_against: usize,
    /// The number of games for it: they have fewer faults with it.
    pub games_for: usize,
    /// Whether the games exclude it.
    pub is_excluded: bool,
    /// For a value that only allows more: the expected number of moves, in a sample of games, that only this
    /// value allows, if every legal move were equally likely. The games contain no such move.
    pub unused: f64,
}
