//! The known variants, rules in sentences, and the differences of two rule sets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_rules::{
    RuleSet, RulesDifference, Shape, SheetSection,
    catalog::{self, NamedRules},
    rules_differences, rules_sheet, same_rules, similar_variant,
};

use super::variant::Variant;
use crate::{App, Job, Request, Result};

/// List the known variants
///
/// # Examples
///
/// ```
/// use taflbase::{App, Job, Request, RulesListRequest};
///
/// let request = RulesListRequest { filter: Some("cyngesheall".into()) };
/// let found = request.run(&App::new(), &Job::default())?;
/// assert_eq!(found[0].name.as_deref(), Some("cyngesheall7"));
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RulesListRequest {
    /// List only variants whose names contain this text
    pub filter: Option<String>,
}

/// Print the rules string of a variant
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RulesShowRequest {
    /// The name of a variant, a rules string, or a file with one
    pub variant: String,
    /// Change one rule of the variant, such as sw=w; may be repeated
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KEY=VALUE"))]
    pub rule: Vec<String>,
}

/// Print a rules sheet in plain language
///
/// # Examples
///
/// ```
/// use taflbase::{App, Job, Request, RulesExplainRequest};
///
/// let sheet = RulesExplainRequest { variant: "brandubh7".into(), ..Default::default() }.run(&App::new(), &Job::default())?;
/// assert_eq!(sheet.sections[0].title, "Board and start");
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RulesExplainRequest {
    /// The name of a variant, a rules string, or a file with one
    pub variant: String,
    /// Change one rule of the variant, such as sw=w; may be repeated
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KEY=VALUE"))]
    pub rule: Vec<String>,
}

/// Compare the rules of two variants in plain words
///
/// # Examples
///
/// ```
/// use taflbase::{App, Job, Request, RulesDiffRequest};
///
/// let request = RulesDiffRequest { from: "copenhagen11".into(), to: "fetlar11".into() };
/// assert!(!request.run(&App::new(), &Job::default())?.same);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RulesDiffRequest {
    /// The name of a variant, a rules string, or a file with one
    pub from: String,
    /// The name of another variant, a rules string, or a file with one
    pub to: String,
}

/// A board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BoardSize {
    /// `square` or `hex`.
    pub topology: &'static str,
    /// The number of cells of a side.
    pub side: u8,
    /// The number of cells.
    pub cells: usize,
}

/// The names of the sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SideTitles {
    /// The attackers.
    pub attackers: &'static str,
    /// The defenders.
    pub defenders: &'static str,
}

/// The catalog's information about a variant, besides its rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CatalogEntry {
    /// The title.
    pub title: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// The names of the sides.
    pub sides: SideTitles,
    /// The source of the rules.
    pub source: &'static str,
    /// Remarks.
    pub note: &'static str,
}

/// Rules, and the catalog's information about them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DescribedRules {
    /// The name in the catalog, else the label of the rules.
    pub name: Option<String>,
    /// The board.
    pub board: BoardSize,
    /// The side that moves first.
    pub first_mover: &'static str,
    /// The rules string.
    pub rules: String,
    /// The start as a position record.
    pub start: String,
    /// The entry of the catalog, if there is one.
    #[serde(flatten)]
    pub catalog: Option<CatalogEntry>,
    /// The number of symmetries of the board that the rules keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetries: Option<usize>,
}

/// The title of the section about the source of a variant.
const CHOICES: &str = "Gaps in the source, and the choices of the catalog";

/// The title of the section about the most similar variant.
const SIMILAR: &str = "Most similar variant";

/// The largest number of differences from a similar variant that are listed.
const MAX_LISTED: usize = 12;

/// The variant of the catalog that is most similar to rules without a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SimilarVariantAnswer {
    /// The name.
    pub variant: &'static str,
    /// The title.
    pub title: &'static str,
    /// The differences that can affect play: `from` is the variant's rule.
    pub differences: Vec<RuleDifference>,
}

/// A rules sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulesSheet {
    /// The name of the rules.
    pub name: String,
    /// The sections.
    pub sections: Vec<RulesSheetSection>,
}

/// A section of a rules sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulesSheetSection {
    /// The heading.
    pub title: String,
    /// The sentences.
    pub sentences: Vec<String>,
}

impl From<SheetSection> for RulesSheetSection {
    fn from(section: SheetSection) -> RulesSheetSection {
        RulesSheetSection { title: section.title.to_owned(), sentences: section.sentences }
    }
}

/// The differences of two variants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulesDiffAnswer {
    /// The name of the first rules.
    pub from: String,
    /// The name of the other rules.
    pub to: String,
    /// Whether games are played by both in the same way.
    pub same: bool,
    /// The differences.
    pub differences: Vec<RuleDifference>,
}

/// A difference between two variants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RuleDifference {
    /// The subject of the rule.
    pub topic: String,
    /// The sentence of the first rules.
    pub from: String,
    /// The sentence of the other rules.
    pub to: String,
    /// Whether play depends on it.
    pub matters: bool,
}

impl From<RulesDifference> for RuleDifference {
    fn from(difference: RulesDifference) -> RuleDifference {
        let RulesDifference { topic, left, right, matters } = difference;
        RuleDifference { topic, from: left, to: right, matters }
    }
}

impl SimilarVariantAnswer {
    /// Returns the most similar variant, or `None` if the rules have a name in the catalog or no variant has such a board.
    pub fn of(variant: &Variant) -> Option<SimilarVariantAnswer> {
        let similar = variant.named.is_none().then(|| similar_variant(&variant.rules))??;
        Some(SimilarVariantAnswer {
            variant: similar.variant.name,
            title: similar.variant.title,
            differences: similar.differences.into_iter().map(RuleDifference::from).collect(),
        })
    }

    /// Returns the differences as a section of a rules sheet.
    pub fn section(&self) -> RulesSheetSection {
        let SimilarVariantAnswer { variant, title, differences } = self;
        let first = match differences.len() {
            0 => format!("These are the rules of {title} (`{variant}`)."),
            1 => format!("One rule differs from {title} (`{variant}`)."),
            n => format!("{n} rules differ from {title} (`{variant}`)."),
        };
        let listed = differences.iter().take(MAX_LISTED);
        let listed = listed.map(|RuleDifference { topic, from, to, .. }| {
            // Some rules are phrases, and some are sentences.
            if to.ends_with('.') || from.ends_with('.') {
                let [to, from] = [to, from].map(|text| text.trim_end_matches('.'));
                format!("{topic}: {to}; in the variant: {from}.")
            } else {
                format!("{topic}: {to}, and in the variant {from}.")
            }
        });
        let rest = differences.len().saturating_sub(MAX_LISTED);
        let rest = (rest > 0).then(|| format!("{rest} more; `tafl rules diff` lists them all."));
        let sentences = std::iter::once(first).chain(listed).chain(rest).collect();
        RulesSheetSection { title: SIMILAR.to_owned(), sentences }
    }
}

impl DescribedRules {
    fn of(rules: &RuleSet) -> DescribedRules {
        let shape = rules.shape();
        let topology = match shape {
            Shape::Square { .. } => "square",
            Shape::Hex { .. } => "hex",
        };
        DescribedRules {
            name: rules.name.clone(),
            board: BoardSize { topology, side: shape.side(), cells: shape.n_cells() },
            first_mover: rules.first_mover.as_str(),
            rules: rules.to_string(),
            start: rules.start.to_string(),
            catalog: None,
            symmetries: None,
        }
    }

    fn of_catalog(named: &NamedRules) -> DescribedRules {
        let sides = SideTitles { attackers: named.sides.attackers, defenders: named.sides.defenders };
        DescribedRules {
            name: Some(named.name.to_owned()),
            catalog: Some(CatalogEntry {
                title: named.title,
                aliases: named.aliases,
                sides,
                source: named.source,
                note: named.note,
            }),
            ..DescribedRules::of(&named.rules())
        }
    }
}

impl RulesListRequest {
    /// Returns the variants of the catalog whose names contain the letters.
    pub fn find(&self) -> Vec<&'static NamedRules> {
        let filter = self.filter.as_deref().unwrap_or("").to_lowercase();
        let is_wanted = |variant: &&NamedRules| {
            let names = [&variant.name, &variant.title].into_iter().chain(variant.aliases);
            names.into_iter().any(|name| name.to_lowercase().contains(&filter))
        };
        catalog::all().filter(is_wanted).collect()
    }
}

impl Request for RulesListRequest {
    type Answer = Vec<DescribedRules>;

    fn run(self, _: &App, _: &Job) -> Result<Vec<DescribedRules>> {
        Ok(self.find().into_iter().map(DescribedRules::of_catalog).collect())
    }
}

impl Request for RulesShowRequest {
    type Answer = DescribedRules;

    fn run(self, app: &App, _: &Job) -> Result<DescribedRules> {
        let rules = app.compiled(&self.variant, &self.rule)?;
        let variant = &rules.variant;
        let described =
            variant.named.map_or_else(|| DescribedRules::of(&variant.rules), DescribedRules::of_catalog);
        Ok(DescribedRules { symmetries: Some(rules.book.symmetries().len()), ..described })
    }
}

impl Request for RulesExplainRequest {
    type Answer = RulesSheet;

    fn run(self, app: &App, _: &Job) -> Result<RulesSheet> {
        // Compiling refuses rules that can't be played: they aren't explained as if they could.
        let rules = app.compiled(&self.variant, &self.rule)?;
        let sections = rules_sheet(&rules.variant.rules, rules.variant.sides());
        let choices = rules.variant.named.map_or_else(Vec::new, NamedRules::choices);
        let chosen = (!choices.is_empty()).then(|| RulesSheetSection {
            title: CHOICES.to_owned(),
            sentences: choices.iter().map(ToString::to_string).collect(),
        });
        let similar = SimilarVariantAnswer::of(&rules.variant).map(|similar| similar.section());
        let sections =
            sections.into_iter().map(RulesSheetSection::from).chain(chosen).chain(similar).collect();
        Ok(RulesSheet { name: rules.variant.name(), sections })
    }
}

impl Request for RulesDiffRequest {
    type Answer = RulesDiffAnswer;

    fn run(self, app: &App, _: &Job) -> Result<RulesDiffAnswer> {
        let from = app.variant(&self.from, &[]).map_err(|error| error.of("from"))?;
        let to = app.variant(&self.to, &[]).map_err(|error| error.of("to"))?;
        Ok(RulesDiffAnswer {
            from: from.name(),
            to: to.name(),
            same: same_rules(&from.rules, &to.rules),
            differences: rules_differences(&from.rules, &to.rules)
                .into_iter()
                .map(RuleDifference::from)
                .collect(),
        })
    }
}
