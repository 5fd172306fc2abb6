//! Replay of records by the rules that a request, a record line, a file's name, or the record itself names.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use tafl_parser::{
    Attribution, Batch, Diagnostic, Parsed, Record, Replay, ReplayOptions, Replayer, RuleChoice,
    RulesFinding, Severity, Soundness, attribute,
};
use tafl_rules::{
    Game, Move, RepetitionMode, Setup, Shape, Side,
    catalog::{self, NamedRules},
};

use super::{GameCheck, RecordAt, RecordWorker};
use crate::{App, Result, RulesRequest, Variant};

/// The minimum number of letters of a word in a file's name that is taken for a variant.
const MIN_LETTERS: usize = 4;

/// The maximum number of replayers that a worker keeps; more than any archive needs.
pub const MAX_REPLAYERS: usize = 512;

/// The settings of replay; shared by all workers of a run.
#[derive(Debug, Clone, Default)]
pub struct ReplayConfig {
    /// The rules for all records; none to let records and files choose.
    pub rules: Option<RuleChoice>,
    /// The variant that these rules were named by.
    pub variant: Option<&'static str>,
    /// Whether to count the legal moves before every ply.
    pub count_moves: bool,
    /// Whether to look for rules under which bad records would be right.
    pub attribute: bool,
}

/// The rules that a file or its record lines request.
#[derive(Debug, Clone, Default)]
pub struct RequestedRules {
    /// The variant that the file's name mentions; for records that name none.
    hint: Option<&'static NamedRules>,
    /// Rules that record lines name; for all records.
    rules: Option<RuleChoice>,
}

/// Identifies requested rules: the hint, and the address of the rules that record lines name, which stay alive as long as
/// the replayer with this key.
pub type RequestedRulesKey = (Option<&'static str>, usize);

/// Replays records. One serves one thread.
#[derive(Debug)]
pub struct ReplayWorker {
    config: Arc<ReplayConfig>,
    /// One replayer for each rule set that files or record lines request, and one for those that request none.
    replayers: HashMap<RequestedRulesKey, Replayer>,
    /// The rules that the present file requests.
    requested: RequestedRules,
}

/// A record with its replay and everything that was found.
#[derive(Debug)]
pub struct ReplayedRecord {
    /// The written text.
    pub record: Record,
    /// The event.
    pub replay: Replay,
    /// The result of the comparison of both.
    pub verdict: Soundness,
    /// The findings, in the order of the text, including those of the replay.
    pub diagnostics: Vec<Diagnostic>,
}

impl RequestedRules {
    /// Returns the rules that record lines or else the name of a file request.
    pub fn of(batch: &Batch) -> RequestedRules {
        match batch.rules() {
            Some(rules) => RequestedRules { hint: None, rules: Some(rules.clone()) },
            None => RequestedRules::of_name(Path::new(batch.name())),
        }
    }

    /// Returns the rules that the name of a file requests.
    pub fn of_name(path: &Path) -> RequestedRules {
        RequestedRules { hint: variant_in(path), rules: None }
    }

    /// Returns a key of these rules, valid while they are stored with it.
    pub fn key(&self) -> RequestedRulesKey {
        let address = |rules: &RuleChoice| Arc::as_ptr(&rules.chosen()) as usize;
        (self.hint.map(|variant| variant.name), self.rules.as_ref().map_or(0, address))
    }
}

impl ReplayConfig {
    /// Returns how to replay by the rules that a request names, or else by those that records and files name.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the rules.
    pub fn by(rules: &RulesRequest, app: &App) -> Result<ReplayConfig> {
        rules.find(app)?.map_or_else(|| Ok(ReplayConfig::default()), |rules| ReplayConfig::of(&rules.variant))
    }

    /// Returns how to replay by the rules of a variant.
    ///
    /// # Errors
    ///
    /// Fails if the rules can't be played.
    pub fn of(variant: &Variant) -> Result<ReplayConfig> {
        let rules = match variant.named {
            Some(named) => RuleChoice::named(named),
            None => RuleChoice::own(&variant.rules)?,
        };
        let named = variant.named.map(|named| named.name);
        Ok(ReplayConfig { rules: Some(rules), variant: named, ..ReplayConfig::default() })
    }

    /// Returns the replay options for the records of a file that requests these rules.
    pub fn options(&self, requested: &RequestedRules) -> ReplayOptions {
        ReplayOptions {
            rules: self.rules.clone().or_else(|| requested.rules.clone()),
            hint: requested.hint.map(RuleChoice::named),
            count_moves: self.count_moves,
        }
    }

    /// Returns the effective rules among those that a file requests: none if the request names rules.
    pub fn requested(&self, requested: RequestedRules) -> RequestedRules {
        if self.rules.is_some() { RequestedRules::default() } else { requested }
    }
}

impl ReplayWorker {
    /// Creates a worker.
    pub fn new(config: &Arc<ReplayConfig>) -> ReplayWorker {
        ReplayWorker {
            config: Arc::clone(config),
            replayers: HashMap::new(),
            requested: RequestedRules::default(),
        }
    }

    /// Prepares for the records of a batch.
    pub fn enter(&mut self, batch: &Batch) {
        self.prepare(RequestedRules::of(batch));
    }

    /// Prepares for records with these rules.
    pub fn prepare(&mut self, requested: RequestedRules) {
        if self.replayers.len() >= MAX_REPLAYERS {
            self.replayers.clear();
        }
        self.requested = self.config.requested(requested);
    }

    /// Returns the variant that the request, the record line or else the file's name gives.
    pub fn expected(&self) -> Option<&'static str> {
        let requested = || self.requested.rules.as_ref().and_then(|rules| rules.chosen().variant);
        self.config.variant.or_else(requested).or(self.requested.hint.map(|variant| variant.name))
    }

    /// Replays a record.
    pub fn replay(&mut self, parsed: Parsed<Record>) -> ReplayedRecord {
        let ReplayWorker { config, requested, replayers } = self;
        let replayer =
            replayers.entry(requested.key()).or_insert_with(|| Replayer::new(config.options(requested)));
        let Parsed { value: record, mut diagnostics } = parsed;
        let replay = replayer.replay(&record);
        let verdict = replay.soundness_with(&diagnostics);
        if config.attribute {
            diagnostics.extend(right_under(&record, &replay));
        }
        diagnostics.extend_from_slice(&replay.diagnostics);
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        ReplayedRecord { record, replay, verdict, diagnostics }
    }
}

impl RecordWorker for ReplayWorker {
    type Answer = ReplayedRecord;

    fn enter(&mut self, batch: &Batch) {
        ReplayWorker::enter(self, batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> ReplayedRecord {
        self.replay(at.parse().1)
    }
}

/// Returns findings about other rules that explain a record, at the place of its first contradiction of its own rules.
fn right_under(record: &Record, replay: &Replay) -> Vec<Diagnostic> {
    let bad = replay.diagnostics.iter().find(|found| found.severity() >= Severity::Warning);
    let (Some(bad), Some(chosen)) = (bad, &replay.rules) else { return Vec::new() };
    let found = attribute(record, chosen.book.rules());
    let note = |right: &Attribution| {
        let changes = right.to_string();
        let variant = right.variants.first().copied().or(chosen.variant);
        // A variant of the catalog is named without changes.
        let changes = if right.variants.is_empty() { changes } else { String::new() };
        Diagnostic::new(bad.span, RulesFinding::RightUnder { variant, changes: changes.into() })
    };
    found.iter().map(note).collect()
}

/// Returns the variant that a file's name mentions: as a whole, or by one of its words.
fn variant_in(path: &Path) -> Option<&'static NamedRules> {
    let name = path.file_name()?.to_str()?;
    let stem = name.split('.').next()?;
    catalog::find(stem).or_else(|| {
        let words = stem.split(|symbol: char| !symbol.is_alphanumeric());
        words.filter(|word| word.len() >= MIN_LETTERS).find_map(catalog::find)
    })
}

impl ReplayedRecord {
    /// Returns the counts of the game.
    pub fn check(&self) -> GameCheck {
        GameCheck {
            variant: self.variant().into(),
            plies: self.replay.plies.len() as u64,
            moves: self.record.main().moves.len() as u64,
            codes: self.diagnostics.iter().map(Diagnostic::code).collect(),
        }
    }

    /// Returns the severity of the worst finding.
    pub fn worst(&self) -> Option<Severity> {
        self.diagnostics.iter().map(Diagnostic::severity).max()
    }

    /// Returns the name of the variant in the catalog; else what the rules or the record call it.
    pub fn variant(&self) -> &str {
        match (&self.replay.rules, &self.record.variant) {
            (Some(rules), _) => match rules.variant {
                Some(name) => name,
                None => rules.book.rules().name.as_deref().unwrap_or("own rules"),
            },
            (None, Some(written)) => &written.text,
            (None, None) => "unknown",
        }
    }

    /// Returns the plies, with the side that made them.
    pub fn plies(&self) -> Vec<(Move, Side)> {
        self.replay.plies.iter().map(|ply| (ply.mv, ply.side)).collect()
    }

    /// Returns the setup with which the game began; none if the rules are unknown.
    pub fn start(&self) -> Option<Setup> {
        let rules = self.replay.rules.as_ref()?.book.rules();
        let own = self.record.start.as_ref().map(|start| &start.setup);
        Some(own.filter(|setup| setup.shape() == rules.shape()).unwrap_or(&rules.start).clone())
    }

    /// Returns the side that moved first; none if the rules are unknown.
    pub fn first(&self) -> Option<Side> {
        let rules = self.replay.rules.as_ref()?.book.rules();
        let played = self.replay.plies.first().map(|ply| ply.side);
        Some(played.or(self.record.first_mover).unwrap_or(rules.first_mover))
    }

    /// Returns the position records of the game: the start, then the one after each ply; none if the rules are unknown.
    pub fn positions(&self) -> Vec<String> {
        let (Some(rules), Some(start), Some(first)) = (&self.replay.rules, self.start(), self.first()) else {
            return Vec::new();
        };
        let Ok(mut game) = Game::from_setup(&rules.book, &start, first, RepetitionMode::Report) else {
            return Vec::new();
        };
        let mut positions = vec![start.to_string()];
        for ply in &self.replay.plies {
            game.clear_outcome();
            if game.to_move() != ply.side {
                game.set_to_move(ply.side);
            }
            if game.play(ply.mv).is_err() {
                break;
            }
            positions.push(game.setup().to_string());
        }
        positions
    }

    /// Returns the board, if the rules are known.
    pub fn shape(&self) -> Option<Shape> {
        self.replay.rules.as_ref().map(|rules| rules.book.shape())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_name_may_mention_the_variant() {
        let name = |path: &str| variant_in(Path::new(path)).map(|variant| variant.name);
        assert_eq!(name("games/brandubh.csv"), Some("brandubh7"));
        assert_eq!(name("2019_copenhagen-final.csv.gz"), Some("copenhagen11"));
        assert_eq!(name("games.csv"), None);
    }
}
