//! The choice of the rules for a record.

use std::sync::Arc;

use tafl_rules::{
    AnyRulebook, CompileError, RuleSet, RulesReadOptions,
    catalog::{self, NamedRules},
};

use super::{ChosenRules, Replayer};
use crate::diagnostic::{Diagnostic, HeaderFinding, RulesFinding};
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
}

/// Returns whether a record begins on the board of the rules, as far as it has a start.
fn fits(record: &Record, chosen: &ChosenRules) -> bool {
    record.start.as_ref().is_none_or(|start| start.setup.shape() == chosen.book.shape())
}
