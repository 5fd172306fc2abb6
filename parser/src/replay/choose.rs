//! The choice of the rules for a record.

use std::sync::Arc;

use tafl_rules::{
    AnyRulebook, CompileError, RuleSet, RulesReadOptions, Shape,
    catalog::{self, NamedRules},
};

use super::{ChosenRules, Replay, Replayer};
use crate::diagnostic::{ClosestVariants, Diagnostic, HeaderFinding, RulesFinding, Severity};
use crate::record::Record;

/// Chosen rules: from the catalog, or custom.
#[derive(Debug, Clone)]
pub struct RuleChoice(Arc<ChosenRules>);

impl RuleChoice {
    /// Returns the rules of a variant in the catalog.
    ///
    /// # Panics
    ///
    /// Never: a test compiles every variant of the catalog.
    pub fn named(variant: &'static NamedRules) -> RuleChoice {
        let rules = variant.rules();
        let compile = |rules: &RuleSet| {
            AnyRulebook::compile(rules).expect("a test compiles every variant of the catalog")
        };
        let edition = |(differs, rules)| {
            let book = compile(&rules);
            let chosen = ChosenRules { variant: Some(variant.name), book, other_editions: Vec::new() };
            (differs, Arc::new(chosen))
        };
        let other_editions = variant.other_editions().map(edition).collect();
        RuleChoice(Arc::new(ChosenRules {
            variant: Some(variant.name),
            book: compile(&rules),
            other_editions,
        }))
    }

    /// Compiles custom rules.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules cannot be played.
    pub fn own(rules: &RuleSet) -> Result<RuleChoice, CompileError> {
        let book = AnyRulebook::compile(rules)?;
        Ok(RuleChoice(Arc::new(ChosenRules { variant: name_of(rules), book, other_editions: Vec::new() })))
    }

    /// Returns the compiled rules.
    pub fn chosen(&self) -> Arc<ChosenRules> {
        Arc::clone(&self.0)
    }
}

/// Returns the name of the catalog variant with these rules.
fn name_of(rules: &RuleSet) -> Option<&'static str> {
    let nameless = |rules: &RuleSet| RuleSet { name: None, ..rules.clone() };
    let wanted = nameless(rules);
    catalog::all().find(|variant| nameless(&variant.rules()) == wanted).map(|variant| variant.name)
}

/// Returns the finding for a record whose start is on another board than the rules; `variant` is their name.
pub(super) fn board_conflict(
    record: &Record,
    book: &AnyRulebook,
    variant: Option<&'static str>,
) -> Option<Diagnostic> {
    let start = record.start.as_ref()?;
    let (found, expected) = (start.setup.shape(), book.shape());
    let kind = HeaderFinding::OtherBoard { found, expected, variant };
    (found != expected).then(|| Diagnostic::new(start.span, kind))
}

/// The maximum number of compiled rule sets in the cache: more than any archive has, at a cost of a few
/// megabytes.
const MAX_KEPT: usize = 256;

/// The maximum length of a name or a rules string in the cache, in bytes. Real ones are shorter, and a file can have
/// different ones of megabytes.
const LONGEST_KEPT: usize = 4 << 10;

impl Replayer {
    /// Returns the rules given by the record, its notation, or the hint.
    pub(super) fn choose(
        &mut self,
        record: &Record,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<Arc<ChosenRules>> {
        if let Some(written) = &record.rules {
            let chosen = self.by_rules_string(&written.text, written.span.start as usize, findings);
            if let (Some(chosen), Some(variant)) = (&chosen, &record.variant)
                && let Some(named) = self.by_name(&variant.text)
                && !self.play_alike(chosen, &named)
            {
                findings.push(Diagnostic::new(variant.span, HeaderFinding::OtherRules));
            }
            return chosen;
        }
        if let Some(written) = &record.variant {
            let known = self.by_name(&written.text);
            if known.is_none() {
                findings.push(Diagnostic::new(written.span, HeaderFinding::UnknownVariant));
                return self.hinted(record);
            }
            return known;
        }
        match record.format.implied_variant(record) {
            Some(name) => {
                let implied = self.by_name(name).filter(|chosen| fits(record, chosen));
                implied.or_else(|| self.hinted(record))
            }
            None => self.hinted(record),
        }
    }

    /// Returns the rules of the hint, unless the record begins on another board.
    fn hinted(&self, record: &Record) -> Option<Arc<ChosenRules>> {
        self.options.hint.as_ref().map(|hint| hint.chosen()).filter(|chosen| fits(record, chosen))
    }

    /// Returns whether rules are equivalent to those of a variant or of another edition of it. The last
    /// answer is cached because the records of a file repeat the same question.
    fn play_alike(&mut self, rules: &Arc<ChosenRules>, named: &Arc<ChosenRules>) -> bool {
        if let Some((one, other, alike)) = &self.compared
            && Arc::ptr_eq(one, rules)
            && Arc::ptr_eq(other, named)
        {
            return *alike;
        }
        let plain = |chosen: &ChosenRules| chosen.book.rules().canonical();
        let wanted = plain(rules);
        let mut editions = named.other_editions.iter().map(|(_, edition)| edition);
        let alike = plain(named) == wanted || editions.any(|edition| plain(edition) == wanted);
        self.compared = Some((Arc::clone(rules), Arc::clone(named), alike));
        alike
    }

    fn by_rules_string(
        &mut self,
        text: &str,
        base: usize,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<Arc<ChosenRules>> {
        if let Some(known) = self.books.get(text) {
            return Some(Arc::clone(known));
        }
        match RuleSet::read(text, RulesReadOptions::default()) {
            Ok((rules, notices)) => {
                let is_clean = notices.is_empty();
                findings.extend(notices.into_iter().map(|notice| {
                    Diagnostic::new(notice.span.shift(base), RulesFinding::Notice(notice.kind))
                }));
                match RuleChoice::own(&rules) {
                    Ok(choice) => {
                        // Rules with notices are not cached, so that each record reports the notices.
                        if is_clean && text.len() <= LONGEST_KEPT {
                            if self.books.len() >= MAX_KEPT {
                                self.books.clear();
                            }
                            self.books.insert(text.into(), choice.chosen());
                        }
                        Some(choice.chosen())
                    }
                    Err(error) => {
                        let span = tafl_rules::Span::new(0, text.len()).shift(base);
                        findings.push(Diagnostic::new(span, RulesFinding::Unplayable(error)));
                        None
                    }
                }
            }
            Err(error) => {
                findings.push(Diagnostic::new(error.span.shift(base), RulesFinding::Unreadable(error.kind)));
                None
            }
        }
    }

    /// Returns the rules of a catalog variant, or `None` if the name is unknown.
    pub(crate) fn by_name(&mut self, name: &str) -> Option<Arc<ChosenRules>> {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let chosen = catalog::find(name).map(|variant| RuleChoice::named(variant).chosen());
        if name.len() <= LONGEST_KEPT {
            if self.names.len() >= MAX_KEPT {
                self.names.clear();
            }
            self.names.insert(name.into(), chosen.clone());
        }
        chosen
    }

    /// Replays a record without rules under every published variant whose board it fits, and returns the replay with
    /// the fewest errors; among equals, that of the first variant in [`by_popularity`]. Boards with many more files and
    /// ranks than the record mentions follow if no other one fits: a record may stop after the opening.
    ///
    /// There is no guess for records without moves, and if the best variant stops before half of the moves.
    pub(super) fn guess(&mut self, record: &Record) -> VariantGuess {
        if record.rules.is_some() || record.variant.is_some() || record.main().moves.is_empty() {
            return VariantGuess::None { closest: None };
        }
        let wanted = match &record.start {
            Some(start) => BoardEvidence::Shape(start.setup.shape()),
            None => BoardEvidence::AtLeast(
                record
                    .main()
                    .moves
                    .iter()
                    .flat_map(|mv| [mv.from, mv.to])
                    .fold(0, |side, cell| side.max(cell.file + 1).max(cell.rank + 1)),
            ),
        };
        let mut best: Option<(usize, Replay)> = None;
        let mut closest = ClosestSearch::default();
        // Only the board can decide about the end if the record says nothing.
        let is_open = record.result.is_none() && record.ending.is_none();
        let mut other = None;
        let by_size = [SizeMatch::Near, SizeMatch::Larger];
        for (size, variant) in by_size.into_iter().flat_map(|size| by_popularity().map(move |it| (size, it)))
        {
            let Some(chosen) =
                self.by_name(variant.name).filter(|chosen| wanted.fits(chosen.book.shape(), size))
            else {
                continue;
            };
            if let Some((0, best)) = &best {
                if !is_open || size == SizeMatch::Larger {
                    break;
                }
                let replay = self.replay_by(record, &chosen, Vec::new());
                if !has_errors(&replay) && replay.outcome != best.outcome {
                    other = Some(variant.name);
                    break;
                }
                continue;
            }
            let mut replay = self.replay_by(record, &chosen, Vec::new());
            closest.add(variant.name, &replay);
            let errors =
                replay.diagnostics.iter().filter(|finding| finding.severity() == Severity::Error).count();
            if best.as_ref().is_none_or(|(fewest, _)| errors < *fewest) {
                let span = record.main().moves.first().map_or(tafl_rules::Span::at(0), |mv| mv.span);
                let note = Diagnostic::new(span, HeaderFinding::Guessed { variant: variant.name });
                replay.diagnostics.insert(0, note);
                best = Some((errors, replay));
            }
        }
        let none = |closest: ClosestSearch| VariantGuess::None { closest: closest.finish(record) };
        let Some((_, mut replay)) = best else { return none(closest) };
        let variant = replay.rules.as_ref().and_then(|rules| rules.variant);
        if let (Some(variant), Some(other)) = (variant, other) {
            let span = record.main().moves.last().map_or(tafl_rules::Span::at(0), |mv| mv.span);
            replay
                .diagnostics
                .push(Diagnostic::new(span, HeaderFinding::AmbiguousVariant { variant, other }));
        }
        if replay.plies.len() * 2 >= record.main().moves.len() {
            VariantGuess::Fits(Box::new(replay))
        } else {
            none(closest)
        }
    }
}

/// The guessed variant of a record that names none.
pub(super) enum VariantGuess {
    /// The replay by a variant that fits.
    Fits(Box<Replay>),
    /// No variant fits.
    None {
        /// Those that fit best.
        closest: Option<ClosestVariants>,
    },
}

/// A search for the variants by which most moves of a record can be played.
#[derive(Default)]
struct ClosestSearch {
    names: Vec<&'static str>,
    n_played: usize,
}

impl ClosestSearch {
    /// The maximum number of variants that are named.
    const MAX_NAMED: usize = 3;

    fn add(&mut self, variant: &'static str, replay: &Replay) {
        let n_played = replay.plies.iter().filter(|ply| ply.written.is_some()).count();
        if n_played > self.n_played {
            *self = ClosestSearch { names: Vec::new(), n_played };
        }
        if n_played == self.n_played && self.names.len() < ClosestSearch::MAX_NAMED {
            self.names.push(variant);
        }
    }

    /// Returns the variants; `None` if no move can be played by any of them.
    fn finish(self, record: &Record) -> Option<ClosestVariants> {
        (self.n_played > 0).then(|| ClosestVariants {
            names: self.names.into(),
            n_played: self.n_played as u32,
            n_moves: record.main().moves.len() as u32,
        })
    }
}

fn has_errors(replay: &Replay) -> bool {
    replay.diagnostics.iter().any(|finding| finding.severity() == Severity::Error)
}

/// The variants that are tried first, because they are played most on the boards that they share with others. The
/// play site aagenielsen.dk has 12,275 games of Copenhagen, 1,998 of Fetlar, 1,753 of Tawlbwrdd, and 283 of sea
/// battle on 11x11, 3,304 of Saami tablut and 319 of sea battle on 9x9, 1,960 of Brandubh, 337 of Ard Ri and 108 of
/// Magpie on 7x7, and 397 of sea battle on 13x13. The other variants follow in the order of the catalog.
const POPULAR: [&str; 10] = [
    "copenhagen11",
    "fetlar11",
    "tawlbwrdd11",
    "seabattle11",
    "tablut9_wtf",
    "seabattle9",
    "brandubh7",
    "ardri7",
    "magpie7",
    "seabattle13",
];

/// Returns the published variants, those that are played most first.
fn by_popularity() -> impl Iterator<Item = &'static NamedRules> {
    let popular =
        POPULAR.iter().filter_map(|name| catalog::published().find(|variant| variant.name == *name));
    popular.chain(catalog::published().filter(|variant| !POPULAR.contains(&variant.name)))
}

/// Returns whether a record begins on the board of the rules, as far as it has a start.
fn fits(record: &Record, chosen: &ChosenRules) -> bool {
    record.start.as_ref().is_none_or(|start| start.setup.shape() == chosen.book.shape())
}

/// Evidence for the board of a record.
enum BoardEvidence {
    /// The board.
    Shape(Shape),
    /// The largest file or rank among its moves, counted from 1.
    AtLeast(i16),
}

/// The size of a board, compared with the cells of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SizeMatch {
    /// At most two more ranks than the record mentions: games use nearly all files and ranks of their board.
    Near,
    /// More than two more ranks.
    Larger,
}

impl BoardEvidence {
    fn fits(&self, shape: Shape, size: SizeMatch) -> bool {
        match self {
            BoardEvidence::Shape(wanted) => *wanted == shape && size == SizeMatch::Near,
            BoardEvidence::AtLeast(side) => match size {
                SizeMatch::Near => (*side..=side + 2).contains(&shape.n_ranks()),
                SizeMatch::Larger => shape.n_ranks() > side + 2,
            },
        }
    }
}
