//! The evidence of games about their rules, as JSON.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use tafl_parser::{OptionChange, OptionEvidence, OptionStatus};
use tafl_rules::Shape;

/// The evidence of games about their rules. The names and the order of the fields are an interface.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InferAnswer {
    /// Always `inference`.
    pub(super) r#type: &'static str,
    /// The number of records.
    pub records: usize,
    /// The records by the rules that explain them, the largest group first.
    pub groups: Vec<InferredGroup>,
    /// The records without evidence: those without moves, or with an unknown start.
    pub undecidable: Vec<RecordName>,
    /// The number of moves of all records.
    #[serde(skip)]
    pub n_moves: usize,
}

/// A record of the input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecordName {
    /// The file, as it was named.
    pub file: String,
    /// The number of the record in it, from 1.
    pub game: u64,
    /// The record's own name.
    pub id: Option<String>,
}

/// Records that the same rules explain.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InferredGroup {
    /// The records.
    pub records: Vec<RecordName>,
    /// The number of games that agree with the rules.
    pub agreeing: usize,
    /// The number of games that other rules of this answer explain as well.
    pub shared: usize,
    /// The evidence of the start.
    pub start: StartEvidence,
    /// The side that moves first.
    pub first_mover: &'static str,
    /// The variant from which the rules were reached; null if from the defaults of rules strings.
    pub base: Option<&'static str>,
    /// The changes of the base.
    pub changes: Vec<RuleChange>,
    /// The rules string of the rules that explain the games best.
    pub rules: String,
    /// The options of the rules, with the evidence for each.
    pub options: Vec<InferredOption>,
    /// The variants of the catalog with this board and start; those that agree with more games come first.
    pub catalog: Vec<ExplainedVariant>,
    /// The games that contradict the rules.
    pub contradictions: Vec<ContradictingGame>,
    /// The board.
    #[serde(skip)]
    pub shape: Shape,
}

/// The evidence of a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "known", rename_all = "lowercase")]
pub enum StartEvidence {
    /// Records or the request contain it.
    Given,
    /// Variants of the catalog have it, and the moves fit it.
    Catalog,
    /// It was put together from the moves.
    Derived {
        /// The number of cells that games give evidence of.
        seen: usize,
        /// The number of cells that were filled by symmetry.
        mirrored: usize,
        /// The number of cells without evidence, which are taken to be empty.
        unknown: usize,
    },
}

/// An option whose value differs from the base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RuleChange {
    /// The stable name of the option.
    pub option: &'static str,
    /// The key of rules strings.
    pub key: &'static str,
    /// The subject of the option.
    pub about: &'static str,
    /// The value before.
    pub from: String,
    /// The value after.
    pub to: String,
}

/// The evidence of games about an option of the rules.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InferredOption {
    /// The stable name of the option.
    pub option: &'static str,
    /// The key of rules strings.
    pub key: &'static str,
    /// The subject of the option.
    pub about: &'static str,
    /// The value that explains the games best.
    pub value: String,
    /// `decided`, `contradicted`, or `undecided`.
    #[serde(serialize_with = "standing_word")]
    #[schemars(with = "String")]
    pub standing: OptionStatus,
    /// Every value that fits the games, the best one first.
    pub fits: Vec<String>,
    /// The other values.
    pub others: Vec<OtherOptionValue>,
}

/// The evidence of games about another value of an option.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct OtherOptionValue {
    /// The value.
    pub value: String,
    /// Whether the games exclude it.
    pub excluded: bool,
    /// The number of games that have one fault more with it.
    pub games_against: usize,
    /// The number of plies that contradict it.
    pub plies_against: usize,
    /// The number of games that have one fault less with it.
    pub games_for: usize,
    /// For a value that only allows more: the expected number of moves that it alone allows, if every legal move had the
    /// same probability. No such move was made. It is written with one decimal place.
    #[serde(serialize_with = "one_place")]
    pub unused: f64,
}

/// The agreement of games with a variant of the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExplainedVariant {
    /// The names of the variants; several if their rules are the same.
    pub variants: Vec<&'static str>,
    /// The number of games that agree.
    pub agreeing: usize,
    /// The number of games that contradict.
    pub contradicting: usize,
    /// The first contradiction.
    pub first: Option<ContradictingGame>,
}

/// A game that contradicts rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ContradictingGame {
    /// The file, as it was named.
    pub file: String,
    /// The number of the record in it, from 1.
    pub game: u64,
    /// The record's own name.
    pub id: Option<String>,
    /// The number of the written move, from 1.
    pub ply: u32,
    /// The stable name of what differs.
    pub fault: &'static str,
    /// The rule, if one was broken.
    pub rule: Option<&'static str>,
    /// The difference, on one line.
    pub message: String,
}

fn standing_word<S: Serializer>(
    standing: &OptionStatus,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(standing.as_str())
}

fn one_place<S: Serializer>(number: &f64, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_f64((number * 10.0).round() / 10.0)
}

impl InferAnswer {
    /// Returns whether the rules explain every game.
    pub fn is_explained(&self) -> bool {
        let is_consistent = |group: &InferredGroup| group.contradictions.is_empty();
        self.undecidable.is_empty() && !self.groups.is_empty() && self.groups.iter().all(is_consistent)
    }
}

impl From<OptionChange> for RuleChange {
    fn from(change: OptionChange) -> RuleChange {
        let OptionChange { option, about, key, from, to } = change;
        RuleChange { about, from, key, option, to }
    }
}

impl From<OptionEvidence> for InferredOption {
    fn from(option: OptionEvidence) -> InferredOption {
        let fits = option.fitting().map(str::to_owned).collect();
        let others = option.others.into_iter().map(|other| OtherOptionValue {
            excluded: other.is_excluded,
            games_against: other.games_against,
            games_for: other.games_for,
            plies_against: other.plies_against,
            unused: other.unused,
            value: other.value,
        });
        InferredOption {
            about: option.about,
            fits,
            key: option.key,
            option: option.option,
            others: others.collect(),
            standing: option.status,
            value: option.value,
        }
    }
}
