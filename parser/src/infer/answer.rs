//! What inference finds out.

use tafl_rules::RuleSet;

use crate::replay::Discrepancy;

/// What records say about the rules that they were played by.
#[derive(Debug, Clone)]
pub struct Inference {
    /// How many records there were.
    pub n_records: usize,
    /// The records by the rules that explain them, the largest group first.
    pub groups: Vec<Group>,
    /// The records of which nothing is known: without moves, or from no start that can be told. By their numbers.
    pub undecidable: Vec<usize>,
}

/// Records that the same rules explain.
#[derive(Debug, Clone)]
pub struct Group {
    /// The numbers of the records, from 0, rising.
    pub records: Vec<usize>,
    /// How many of them other rules of this answer explain as well.
    pub n_shared: usize,
    /// How the start is known.
    pub start: StartOrigin,
    /// The variants of the catalog with this board and start, those first that agree with more games.
    pub catalog: Vec<Explanation>,
    /// The variant from which the rules were reached, or nothing if from what rules strings say by default.
    pub base: Option<&'static str>,
    /// What has to be changed in the base.
    pub changes: Vec<Change>,
    /// The rules that explain the games best.
    pub rules: RuleSet,
    /// How many games agree with them.
    pub n_agreeing: usize,
    /// The options of the rules with the evidence for each.
    pub options: Vec<OptionEvidence>,
    /// The games that contradict them, with the first contradiction of each.
    pub contradictions: Vec<Contradiction>,
}

/// How a start is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartOrigin {
    /// Records, or whoever asked, say it.
    Given,
    /// Variants of the catalog have it, and the moves fit it.
    Catalog,
    /// It was put together from the moves.
    Derived {
        /// How many cells games tell of.
        seen: usize,
        /// How many cells were filled by symmetry.
        mirrored: usize,
        /// How many cells nothing tells of; they are taken to be empty.
        unknown: usize,
    },
}

/// What a variant of the catalog explains.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The names of the variants; several where their rules are the same.
    pub variants: Vec<&'static str>,
    /// How many games agree.
    pub n_agreeing: usize,
    /// How many contradict.
    pub n_contradicting: usize,
    /// The first contradiction.
    pub first: Option<Contradiction>,
}

/// A game that contradicts rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contradiction {
    /// The number of the record, from 0.
    pub record: usize,
    /// The number of the written move, from 1.
    pub ply: u32,
    /// What differs.
    pub fault: Discrepancy,
}

/// An option that was turned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The stable name of the option.
    pub option: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// The key of rules strings.
    pub key: &'static str,
    /// The value before.
    pub from: String,
    /// The value after.
    pub to: String,
}

/// What games say about an option.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionEvidence {
    /// The stable name of the option.
    pub option: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// The key of rules strings.
    pub key: &'static str,
    /// The value that explains the games best.
    pub value: String,
    /// Whether the games decide for it.
    pub standing: Standing,
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
pub enum Standing {
    /// Every other value is excluded.
    Decided,
    /// Every other value is excluded, and yet some games speak for one of them.
    Contradicted,
    /// Other values fit as well.
    Undecided,
}

impl Standing {
    /// Returns the word of the JSON interface.
    pub const fn word(self) -> &'static str {
        match self {
            Standing::Decided => "decided",
            Standing::Contradicted => "contradicted",
            Standing::Undecided => "undecided",
        }
    }
}

/// What games say about another value of an option.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherValue {
    /// The value.
    pub value: String,
    /// How many games speak against it: they have a fault more with it.
    pub games_against: usize,
    /// How many plies speak against it.
    pub plies_against: usize,
    /// How many games speak for it: they have a fault less with it.
    pub games_for: usize,
    /// Whether the games exclude it.
    pub is_excluded: bool,
    /// Where the value only allows more: how many moves that it alone allows would be expected in some of the games, if
    /// every legal move were as likely as another. Nobody made one.
    pub unused: f64,
}
