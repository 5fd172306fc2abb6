//! The known variants: one rules string each, with names, source, and what people call the sides.
//!
//! A name is never enough to know the rules: under "Ard Ri" alone there are three games. So every entry says where its
//! rules come from, and records that carry their rules are read by those.

use crate::ruleset::RuleSet;

mod aagenielsen;
mod classic;

/// A variant with its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedRules {
    /// The stable name, such as `copenhagen11`.
    pub name: &'static str,
    /// The name as people write it.
    pub title: &'static str,
    /// Other names; `aage-N` is game type N of aagenielsen.dk.
    pub aliases: &'static [&'static str],
    /// The rules string.
    pub text: &'static str,
    /// Where the rules come from.
    pub source: &'static str,
    /// What the sides are called.
    pub sides: SideNames,
    /// What one should know besides: evidence, doubts, differences from others.
    pub note: &'static str,
}

/// What people call the sides of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideNames {
    /// The attackers.
    pub attackers: &'static str,
    /// The defenders.
    pub defenders: &'static str,
}

impl SideNames {
    /// Attackers and defenders.
    pub const BESIEGED: SideNames = SideNames { attackers: "attackers", defenders: "defenders" };
    /// Dark and light, where both sides have a king.
    pub const TWO_KINGS: SideNames = SideNames { attackers: "dark", defenders: "light" };
}

impl NamedRules {
    /// Returns other rules by which the variant was played under the same name, each with what differs: `start`, or the
    /// options as a rules string has them.
    ///
    /// # Panics
    ///
    /// Never: a test reads every edition.
    pub fn other_editions(&self) -> impl Iterator<Item = (&'static str, RuleSet)> {
        let editions = aagenielsen::OTHER_EDITIONS.iter().filter(|(name, _)| *name == self.name);
        editions.map(|(_, change)| {
            let words = self.text.split(' ').filter(|word| !is_changed(word, change));
            let (start, others): (Vec<&str>, Vec<&str>) =
                words.chain(change.split(' ')).partition(|word| word.starts_with("start:"));
            let text = [others, start].concat().join(" ");
            let label = if change.starts_with("start:") { "start" } else { *change };
            (label, text.parse().expect("a test reads every edition"))
        })
    }

    /// Returns the rules.
    ///
    /// # Panics
    ///
    /// Never: a test reads every rules string of the catalog.
    pub fn rules(&self) -> RuleSet {
        self.text.parse().expect("a test reads every rules string of the catalog")
    }
}

/// Returns whether a change has the key of a word of a rules string.
fn is_changed(word: &str, change: &str) -> bool {
    let key = |word: &str| word.split(':').next().unwrap_or_default().to_owned();
    change.split(' ').any(|new| key(new) == key(word))
}

/// Returns every variant: the published ones first, then those of aagenielsen.dk.
pub fn all() -> impl Iterator<Item = &'static NamedRules> {
    classic::VARIANTS.iter().chain(aagenielsen::VARIANTS)
}

/// Returns the published variants.
pub fn published() -> impl Iterator<Item = &'static NamedRules> {
    classic::VARIANTS.iter()
}

/// Returns the variant of a name or alias; case, blanks, hyphens and underscores make no difference.
///
/// # Examples
///
/// ```
/// use tafl_rules::catalog;
///
/// assert_eq!(catalog::find("Copenhagen").map(|variant| variant.name), Some("copenhagen11"));
/// assert_eq!(catalog::find("no such game"), None);
/// ```
pub fn find(name: &str) -> Option<&'static NamedRules> {
    let wanted = plain(name);
    all()
        .find(|variant| plain(variant.name) == wanted)
        .or_else(|| all().find(|variant| variant.aliases.iter().any(|alias| plain(alias) == wanted)))
}

/// Returns up to five names that come near an unknown one, the nearest first.
pub fn similar(name: &str) -> Vec<&'static str> {
    let wanted = plain(name);
    let mut near: Vec<(usize, &'static str)> = all()
        .flat_map(|variant| std::iter::once(&variant.name).chain(variant.aliases))
        .map(|candidate| (strsim::levenshtein(&wanted, &plain(candidate)), *candidate))
        .filter(|(distance, _)| *distance <= 2 + wanted.len() / 4)
        .collect();
    near.sort();
    near.truncate(5);
    near.into_iter().map(|(_, name)| name).collect()
}

/// A name that no variant of the catalog has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown variant \"{name}\"{}", .similar.first().map_or(String::new(), |near| format!("; did you mean `{near}`?")))]
pub struct UnknownVariant {
    /// The name.
    pub name: String,
    /// Names of the catalog that come near it, the nearest first.
    pub similar: Vec<&'static str>,
}

impl RuleSet {
    /// Returns the rules of a variant of the [catalog](self), by a name or alias as [`find`] takes it.
    ///
    /// # Errors
    ///
    /// Returns the names that come near an unknown one.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::RuleSet;
    ///
    /// assert_eq!(RuleSet::named("Copenhagen")?.shape().to_string(), "11x11");
    /// let error = RuleSet::named("brandubhh7").unwrap_err();
    /// assert_eq!(error.to_string(), "unknown variant \"brandubhh7\"; did you mean `brandubh7`?");
    /// # Ok::<(), tafl_rules::catalog::UnknownVariant>(())
    /// ```
    pub fn named(name: &str) -> Result<RuleSet, UnknownVariant> {
        let unknown = || UnknownVariant { name: name.to_owned(), similar: similar(name) };
        find(name).map(NamedRules::rules).ok_or_else(unknown)
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyRulebook, Game};

    #[test]
    fn every_entry_reads_writes_compiles_and_plays() {
        for variant in all() {
            let rules = variant.rules();
            assert_eq!(rules.to_string().parse::<RuleSet>().as_ref(), Ok(&rules), "{}", variant.name);
            assert!(rules.unknown.is_empty(), "{} has unknown keys: {:?}", variant.name, rules.unknown);
            let book =
                AnyRulebook::compile(&rules).unwrap_or_else(|error| panic!("{}: {error}", variant.name));
            let mut game = Game::new(&book);
            for ply in 0..40 {
                let moves = game.moves();
                if moves.is_empty() || game.outcome().is_some() {
                    break;
                }
                game.play(moves[ply * 7919 % moves.len()]).expect("a legal move can be played");
            }
        }
    }

    #[test]
    fn other_editions_belong_to_a_variant_and_differ() {
        for (name, _) in aagenielsen::OTHER_EDITIONS {
            let variant = find(name).unwrap_or_else(|| panic!("no variant is called {name}"));
            let rules = variant.rules();
            for (label, edition) in variant.other_editions() {
                assert!(edition != rules && edition.unknown.is_empty(), "{name}: {label}");
                AnyRulebook::compile(&edition).unwrap_or_else(|error| panic!("{name}, {label}: {error}"));
            }
        }
    }

    #[test]
    fn names_and_aliases_are_unique() {
        let mut seen = std::collections::HashMap::new();
        for variant in all() {
            for name in std::iter::once(&variant.name).chain(variant.aliases) {
                assert_eq!(seen.insert(plain(name), variant.name), None, "{name} stands twice");
            }
        }
    }

    #[test]
    fn a_misspelt_name_is_recognized() {
        assert_eq!(similar("copenhagn11").first(), Some(&"copenhagen11"));
        assert!(similar("zzzzzzzzzzzz").is_empty());
    }
}
