//! Replay of records, as the commands need it.

use std::collections::HashMap;
use std::path::Path;

use tafl_parser::diagnostic::Rules;
use tafl_parser::infer::{Attribution, attribute};
use tafl_parser::reader::Batch;
use tafl_parser::replay::{Choice, Replay, ReplayOptions, Replayer, Soundness};
use tafl_parser::{Diagnostic, Parsed, Record, Severity};
use tafl_rules::catalog::{self, NamedRules};
use tafl_rules::{Move, Setup, Shape, Side};

use crate::Io;
use crate::args::rules::VariantArgs;
use crate::exit::Said;
use crate::tally::GameTally;
use crate::variant::{print_error, variant_of};
use taflbase::Variant;

/// The fewest letters of a word in a file's name that is taken for a variant.
const LEAST_LETTERS: usize = 4;

/// Replays records by the rules that the command line, the records or their files name. One serves one thread.
pub(crate) struct Referee<'t> {
    terms: &'t Terms,
    /// A replayer for all rules that files' names or record lines ask for, and one for those that ask for none.
    replayers: HashMap<AskedKey, Replayer>,
    /// What the present file asks for.
    asked: Asked,
}

/// The rules that a file asks for, besides what its records say.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    /// The variant that its name mentions; for records that name none.
    hint: Option<&'static NamedRules>,
    /// Rules that record lines name; for all records.
    rules: Option<Choice>,
}

/// Tells rules that were asked for from others: the name, and the address of what record lines name.
pub(crate) type AskedKey = (Option<&'static str>, usize);

/// So many replayers are kept; more than any archive needs.
pub(crate) const MOST_REPLAYERS: usize = 512;

impl Asked {
    /// Returns what record lines or else the name of a file ask for.
    pub(crate) fn of(batch: &Batch) -> Asked {
        match batch.rules() {
            Some(rules) => Asked { hint: None, rules: Some(rules.clone()) },
            None => Asked { hint: variant_in(Path::new(batch.name())), rules: None },
        }
    }

    /// Returns what tells these rules from others, as long as whoever keeps the key keeps the rules.
    pub(crate) fn key(&self) -> AskedKey {
        let address = |rules: &Choice| std::sync::Arc::as_ptr(&rules.chosen()) as usize;
        (self.hint.map(|variant| variant.name), self.rules.as_ref().map_or(0, address))
    }
}

/// What all referees of a run have in common.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    rules: Option<Choice>,
    variant: Option<&'static str>,
    count_moves: bool,
    /// Whether to look for rules under which bad records would be right.
    attributes: bool,
}

/// A record with everything that is to be said about it.
pub(crate) struct Judged {
    /// What was written.
    pub(crate) record: Record,
    /// What happened.
    pub(crate) replay: Replay,
    /// What the replay comes to.
    pub(crate) verdict: Soundness,
    /// What is wrong, or worth knowing, in the order of the text: findings of the replay are here, not there.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Terms {
    /// Finds the rules that the command line names. What is wrong with them has been said on standard error.
    ///
    /// # Errors
    ///
    /// Returns an error that has been said when there is no such variant, or the rules string cannot be read or played.
    pub(crate) fn new(args: &VariantArgs, io: &mut Io<'_>) -> Result<Terms, Said> {
        let variant = variant_of(args, io).map_err(Said)?;
        Terms::by(variant.as_ref()).map_err(|error| Said(print_error(&error, io)))
    }

    /// Returns the terms of rules that somebody chose, or those that let records choose.
    ///
    /// # Errors
    ///
    /// Returns why the rules cannot be played.
    pub(crate) fn by(variant: Option<&Variant>) -> Result<Terms, taflbase::Error> {
        let rules = match variant {
            Some(Variant { named: Some(named), .. }) => Some(Choice::named(named)),
            Some(variant) => Some(Choice::own(&variant.rules)?),
            None => None,
        };
        let variant = variant.and_then(|variant| variant.named).map(|named| named.name);
        Ok(Terms { rules, variant, count_moves: false, attributes: false })
    }

    /// Asks for counts of legal moves.
    pub(crate) fn counting_moves(self) -> Terms {
        Terms { count_moves: true, ..self }
    }

    /// Returns how to replay the records of a file that asks for these rules.
    pub(crate) fn replay_options(&self, asked: &Asked) -> ReplayOptions {
        ReplayOptions {
            rules: self.rules.clone().or_else(|| asked.rules.clone()),
            hint: asked.hint.map(Choice::named),
            count_moves: self.count_moves,
        }
    }

    /// Returns the rules that the name of a file or record lines ask for, where the command line names none.
    pub(crate) fn asked(&self, batch: &Batch) -> Asked {
        if self.rules.is_some() { Asked::default() } else { Asked::of(batch) }
    }

    /// Asks for rules under which bad records would be right.
    pub(crate) fn attributing(self) -> Terms {
        Terms { attributes: true, ..self }
    }

    /// Returns a referee.
    pub(crate) fn referee(&self) -> Referee<'_> {
        Referee { terms: self, replayers: HashMap::new(), asked: Asked::default() }
    }
}

impl Referee<'_> {
    /// Turns to the records of a file.
    pub(crate) fn enter(&mut self, path: &Path) {
        self.turn(Asked { hint: variant_in(path), rules: None });
    }

    /// Turns to the records of a batch.
    pub(crate) fn enter_batch(&mut self, batch: &Batch) {
        self.turn(Asked::of(batch));
    }

    /// Turns to records that ask for these rules; those of the command line come before them.
    pub(crate) fn turn(&mut self, asked: Asked) {
        if self.replayers.len() >= MOST_REPLAYERS {
            self.replayers.clear();
        }
        self.asked = if self.terms.rules.is_some() { Asked::default() } else { asked };
    }

    /// Returns the variant that the command line, the record line or else the file's name gives.
    pub(crate) fn expected(&self) -> Option<&'static str> {
        let asked = || self.asked.rules.as_ref().and_then(|rules| rules.chosen().variant);
        self.terms.variant.or_else(asked).or(self.asked.hint.map(|variant| variant.name))
    }

    /// Replays a record of the file that was entered last.
    pub(crate) fn judge(&mut self, parsed: Parsed<Record>) -> Judged {
        let Referee { terms, asked, replayers } = self;
        let replayer =
            replayers.entry(asked.key()).or_insert_with(|| Replayer::new(terms.replay_options(asked)));
        let Parsed { value: record, mut diagnostics } = parsed;
        let mut replay = replayer.replay(&record);
        let verdict = replay.verdict();
        if terms.attributes {
            diagnostics.extend(right_under(&record, &replay));
        }
        diagnostics.append(&mut replay.diagnostics);
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        Judged { record, replay, verdict, diagnostics }
    }
}

/// Returns under which other rules a record would be right that contradicts its own, at the place of the first finding
/// that says so.
fn right_under(record: &Record, replay: &Replay) -> Vec<Diagnostic> {
    let bad = replay.diagnostics.iter().find(|found| found.severity() >= Severity::Warning);
    let (Some(bad), Some(chosen)) = (bad, &replay.rules) else { return Vec::new() };
    let found = attribute(record, chosen.book.rules());
    let note = |right: &Attribution| {
        let changes = right.words();
        let variant = match right.variants.first() {
            Some(name) => Some(*name),
            None => chosen.variant,
        };
        // A variant of the catalog is named as it stands.
        let changes = if right.variants.is_empty() { changes } else { String::new() };
        Diagnostic::new(bad.span, Rules::RightUnder { variant, changes: changes.into() })
    };
    found.iter().map(note).collect()
}

/// Returns the variant that a file's name mentions: as a whole, or by one of its words.
fn variant_in(path: &Path) -> Option<&'static NamedRules> {
    let name = path.file_name()?.to_str()?;
    let stem = name.split('.').next()?;
    catalog::find(stem).or_else(|| {
        let words = stem.split(|symbol: char| !symbol.is_alphanumeric());
        words.filter(|word| word.len() >= LEAST_LETTERS).find_map(catalog::find)
    })
}

impl Judged {
    /// Returns what is counted about the game.
    pub(crate) fn tally(&self) -> GameTally {
        GameTally {
            variant: self.variant().into(),
            plies: self.replay.plies.len() as u64,
            moves: self.record.main().moves.len() as u64,
            codes: self.diagnostics.iter().map(Diagnostic::code).collect(),
        }
    }

    /// Returns how bad the worst finding is, if there is one.
    pub(crate) fn worst(&self) -> Option<Severity> {
        self.diagnostics.iter().map(Diagnostic::severity).max()
    }

    /// Returns the name of the variant in the catalog; else what the rules or the record call it.
    pub(crate) fn variant(&self) -> &str {
        match (&self.replay.rules, &self.record.variant) {
            (Some(rules), _) => match rules.variant {
                Some(name) => name,
                None => rules.book.rules().name.as_deref().unwrap_or("own rules"),
            },
            (None, Some(written)) => &written.text,
            (None, None) => "unknown",
        }
    }

    /// Returns the plies, with who made them.
    pub(crate) fn plies(&self) -> Vec<(Move, Side)> {
        self.replay.plies.iter().map(|ply| (ply.mv, ply.side)).collect()
    }

    /// Returns the arrangement with which the game began; nothing where the rules are not known.
    pub(crate) fn start(&self) -> Option<Setup> {
        let rules = self.replay.rules.as_ref()?.book.rules();
        let own = self.record.start.as_ref().map(|start| &start.setup);
        Some(own.filter(|setup| setup.shape() == rules.shape()).unwrap_or(&rules.start).clone())
    }

    /// Returns who moved first; nothing where the rules are not known.
    pub(crate) fn first(&self) -> Option<Side> {
        let rules = self.replay.rules.as_ref()?.book.rules();
        let played = self.replay.plies.first().map(|ply| ply.side);
        Some(played.or(self.record.first_mover).unwrap_or(rules.first_mover))
    }

    /// Returns the board, if the rules are known.
    pub(crate) fn shape(&self) -> Option<Shape> {
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
