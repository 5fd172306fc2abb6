//! Inference: by which rules games were played.

use std::collections::HashMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use tafl_parser::{
    Batch, Contradiction, Format, InferOptions, OptionChange, OptionEvidence, OptionStatus, Record,
    RulesGroup, StartOrigin, VariantFit, infer, tag,
};
use tafl_rules::{RuleSet, Shape};

use super::request::input_names;
use super::{ReadCounts, ReadSettings, RecordAt, RecordEvent, RecordReader, RecordWorker, StreamItem};
use crate::{App, Error, ErrorKind, Job, Named, Result, StreamRequest, Threads};

/// Find out by which rules games were played
///
/// # Examples
///
/// ```no_run
/// use taflbase::records::InferRequest;
/// use taflbase::{App, Job, StreamRequest};
///
/// let request = InferRequest { paths: vec!["games.csv".into()], ..InferRequest::default() };
/// let answer = request.run(&App::new(), &Job::default(), &mut |_| Ok(()))?;
/// for group in &answer.groups {
///     println!("{} of {} games agree with {}", group.agreeing, group.records.len(), group.rules);
/// }
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct InferRequest {
    /// Files, folders, globs, or `-` for standard input; .gz and .zst are read as they are
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", required = true))]
    pub paths: Vec<PathBuf>,
    /// Read every file in this notation instead of finding out
    #[serde(default, rename = "as", alias = "notation")]
    #[cfg_attr(feature = "clap", arg(long = "as", alias = "notation", value_name = "FORMAT"))]
    pub notation: Option<Named<Format>>,
    /// Begin with the rules of a variant, of a rules string, or of a file with a rules string, not with the catalog
    #[cfg_attr(feature = "clap", arg(long, value_name = "VARIANT"))]
    pub variant_hint: Option<String>,
    /// The number of threads.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
}

/// What games say about the rules that they were played by. The names and the order of the fields are an interface.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InferAnswer {
    /// Always `inference`.
    r#type: &'static str,
    /// The number of records.
    pub records: usize,
    /// The records by the rules that explain them, the largest group first.
    pub groups: Vec<InferredGroup>,
    /// The records of which nothing is known: without moves, or with an unknown start.
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
    /// How the start is known.
    pub start: StartEvidence,
    /// The side that moves first.
    pub first_mover: &'static str,
    /// The variant from which the rules were reached; null if from the defaults of rules strings.
    pub base: Option<&'static str>,
    /// What has to be changed in the base.
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

/// How a start is known.
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
    /// What the option is about.
    pub about: &'static str,
    /// The value before.
    pub from: String,
    /// The value after.
    pub to: String,
}

/// What games say about an option of the rules.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InferredOption {
    /// The stable name of the option.
    pub option: &'static str,
    /// The key of rules strings.
    pub key: &'static str,
    /// What the option is about.
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

/// What games say about another value of an option.
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
    /// For a value that only allows more: the number of moves that it alone allows that would be expected if every legal move
    /// had the same probability. Nobody made one. It is written with one decimal place.
    #[serde(serialize_with = "one_place")]
    pub unused: f64,
}

/// What a variant of the catalog explains.
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
    /// What differs, on one line.
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

impl InferRequest {
    /// Returns how the inputs are read.
    pub fn settings(&self) -> ReadSettings {
        let format = self.notation.map(|Named(format)| format);
        ReadSettings { format, threads: self.threads, ..ReadSettings::default() }
    }

    /// Reads all records, and returns what they say about their rules. `hint` are the rules of
    /// [`variant_hint`](InferRequest::variant_hint); `take` gets what happens besides records.
    ///
    /// # Errors
    ///
    /// Returns that the job is over, or the first error of `take`.
    pub fn process<E: From<Error> + Send>(
        &self,
        reader: &RecordReader<'_>,
        hint: Option<RuleSet>,
        job: &Job,
        mut take: impl FnMut(usize, RecordEvent<()>) -> std::result::Result<(), E> + Send,
    ) -> std::result::Result<(InferAnswer, ReadCounts), E> {
        let mut games = Games::of(reader);
        let counts = reader.process(
            job,
            || KeepWorker,
            |nth, event| take(nth, event.map(|record| games.add(nth, record))),
        )?;
        let options = InferOptions {
            hint,
            threads: reader.threads(),
            stop: Some(job.cancel_token().flag()),
            deadline: job.deadline(),
            ..InferOptions::default()
        };
        let found = infer(&games.records.iter().collect::<Vec<_>>(), &options);
        job.check()?;
        let answer = InferAnswer {
            r#type: "inference",
            records: found.n_records,
            groups: found.groups.into_iter().map(|group| games.group(group)).collect(),
            undecidable: found.undecidable.iter().map(|nth| games.name(*nth)).collect(),
            n_moves: games.records.iter().map(|record| record.main().moves.len()).sum(),
        };
        Ok((answer, counts))
    }
}

impl StreamRequest for InferRequest {
    type Item = StreamItem<()>;
    type Summary = InferAnswer;

    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(Self::Item) -> Result<()> + Send),
    ) -> Result<InferAnswer> {
        let hint = self.variant_hint.as_deref().map(|text| app.variant(text, &[])).transpose()?;
        let reader = RecordReader::new(&self.paths, self.settings());
        if let Some(problem) = reader.inputs.problems.iter().find(|problem| problem.is_error()) {
            return Err(Error::new(ErrorKind::Io, problem.to_string()).of("paths"));
        }
        let mut name = input_names(&reader.inputs);
        let deliver = |nth, event| take(StreamItem { input: name(nth), event });
        Ok(self.process(&reader, hint.map(|variant| variant.rules), job, deliver)?.0)
    }
}

/// The records that were read, and what they are called.
struct Games {
    files: Vec<String>,
    /// The numbers of files by their names.
    numbers: HashMap<String, usize>,
    /// The file, the number in it, and the name of each record.
    names: Vec<(usize, u64, Option<String>)>,
    records: Vec<Record>,
}

impl Games {
    fn of(reader: &RecordReader<'_>) -> Games {
        let files: Vec<String> = reader.inputs.list.iter().map(super::Input::name).collect();
        let numbers = files.iter().cloned().zip(0..).collect();
        Games { files, numbers, names: Vec::new(), records: Vec::new() }
    }

    fn add(&mut self, input: usize, read: ReadRecord) {
        let file = read.original.map_or(input, |name| self.file(name));
        self.names.push((file, read.game, read.record.tag(tag::ID).map(str::to_owned)));
        self.records.push(read.record);
    }

    /// Returns the number of a file that record lines name.
    fn file(&mut self, name: String) -> usize {
        let next = self.files.len();
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.files.push(name);
        }
        number
    }

    fn name(&self, nth: usize) -> RecordName {
        let (file, game, id) = &self.names[nth];
        RecordName { file: self.files[*file].clone(), game: *game, id: id.clone() }
    }

    fn group(&self, group: RulesGroup) -> InferredGroup {
        let shape = group.rules.shape();
        InferredGroup {
            agreeing: group.n_agreeing,
            base: group.base,
            catalog: group.catalog.into_iter().map(|one| self.variant(one, shape)).collect(),
            changes: group.changes.into_iter().map(RuleChange::from).collect(),
            contradictions: group.contradictions.iter().map(|one| self.contradiction(one, shape)).collect(),
            first_mover: group.rules.first_mover.as_str(),
            options: group.options.into_iter().map(InferredOption::from).collect(),
            records: group.records.iter().map(|nth| self.name(*nth)).collect(),
            rules: group.rules.to_string(),
            shared: group.n_shared,
            start: match group.start {
                StartOrigin::Given => StartEvidence::Given,
                StartOrigin::Catalog => StartEvidence::Catalog,
                StartOrigin::Derived { seen, mirrored, unknown } => {
                    StartEvidence::Derived { mirrored, seen, unknown }
                }
            },
            shape,
        }
    }

    fn variant(&self, one: VariantFit, shape: Shape) -> ExplainedVariant {
        ExplainedVariant {
            agreeing: one.n_agreeing,
            contradicting: one.n_contradicting,
            first: one.first.map(|first| self.contradiction(&first, shape)),
            variants: one.variants,
        }
    }

    fn contradiction(&self, one: &Contradiction, shape: Shape) -> ContradictingGame {
        let RecordName { file, game, id } = self.name(one.record);
        let fault = &one.fault;
        let (message, rule) = (fault.describe(shape), fault.rule());
        ContradictingGame { fault: fault.name(), file, game, id, message, ply: one.ply, rule }
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

/// A record, its number in its file, and the file that a record line names.
struct ReadRecord {
    original: Option<String>,
    game: u64,
    record: Record,
}

/// Reads records and keeps them.
struct KeepWorker;

impl RecordWorker for KeepWorker {
    type Answer = ReadRecord;

    fn enter(&mut self, _: &Batch) {}

    fn record(&mut self, at: RecordAt<'_>) -> ReadRecord {
        let (source, parsed) = at.parse();
        let original = at.batch.is_wrapped().then(|| at.batch.name().to_owned());
        ReadRecord { original, game: source.ordinal, record: parsed.value }
    }
}
