//! The known variants: a rules string for each, with its names, its source, and the usual names of
//! the sides.
//!
//! A name does not determine the rules: at least three games are called "Ard Ri". Therefore every
//! entry names its source, and a record that contains rules is read by those rules.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::ruleset::RuleSet;

mod aagenielsen;
mod choices;
mod classic;

/// A variant with its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedRules {
    /// The stable name, such as `copenhagen11`.
    pub name: &'static str,
    /// The name for display; titles differ in more than case, punctuation, and the order of their words.
    pub title: &'static str,
    /// Other names; `aage-N` is game type N of aagenielsen.dk.
    pub aliases: &'static [&'static str],
    /// The rules string.
    pub text: &'static str,
    /// The source of the rules.
    pub source: &'static str,
    /// The usual names of the sides.
    pub sides: SideNames,
    /// Remarks: evidence, open questions, and differences from other variants.
    pub note: &'static str,
}

/// The usual names of the sides of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideNames {
    /// The name of the attackers.
    pub attackers: &'static str,
    /// The name of the defenders.
    pub defenders: &'static str,
}

impl SideNames {
    /// "attackers" and "defenders".
    pub const BESIEGED: SideNames = SideNames { attackers: "attackers", defenders: "defenders" };
    /// "dark" and "light", for variants in which both sides have a king.
    pub const TWO_KINGS: SideNames = SideNames { attackers: "dark", defenders: "light" };
}

impl NamedRules {
    /// Returns the other editions in which the variant was played under the same name, each with a
    /// label: `start`, or the options that differ, as in a rules string.
    ///
    /// # Panics
    ///
    /// Never panics: a test reads every edition.
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

    /// Returns the gaps and contradictions in the source of the rules, with the choices of the catalog, as sentences; empty
    /// if none is recorded. For the variants of aagenielsen.dk, whose rules come from recorded games, the sentences are those
    /// of the options that the variant has.
    ///
    /// # Examples
    ///
    /// ```
    /// let variant = tafl_rules::catalog::find("sca11").unwrap();
    /// assert!(variant.choices().iter().any(|choice| choice.contains("draw lots")));
    /// ```
    pub fn choices(&self) -> Vec<&'static str> {
        if let Some((_, choices)) = choices::CHOICES.iter().find(|(names, _)| names.contains(&self.name)) {
            return choices.to_vec();
        }
        if !self.source.starts_with("aagenielsen.dk, game type") {
            return Vec::new();
        }
        let has = |option: &str| self.text.split(' ').any(|word| word.starts_with(option));
        let of_options = choices::OF_SITE.iter().filter(|(option, _)| has(option)).map(|(_, choice)| *choice);
        let editions = self.other_editions().next().map(|_| choices::SITE_EDITIONS);
        [choices::SITE_GAMES, self.note].into_iter().chain(of_options).chain(editions).collect()
    }

    /// Returns the rules.
    ///
    /// # Panics
    ///
    /// Never panics: a test reads every rules string of the catalog.
    pub fn rules(&self) -> RuleSet {
        self.text.parse().expect("a test reads every rules string of the catalog")
    }
}

/// Returns whether a change sets the same key as a word of a rules string.
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

/// Returns the variant with a name or alias; case, spaces, hyphens, and underscores are ignored. The size of the board may be
/// written as `7x7` instead of `7`.
///
/// # Examples
///
/// ```
/// use tafl_rules::catalog;
///
/// assert_eq!(catalog::find("Copenhagen").map(|variant| variant.name), Some("copenhagen11"));
/// assert_eq!(catalog::find("Brandubh 7x7").map(|variant| variant.name), Some("brandubh7"));
/// assert_eq!(catalog::find("no such game"), None);
/// ```
pub fn find(name: &str) -> Option<&'static NamedRules> {
    /// The variants by the folded form of every name; a name takes precedence over an alias. Readers look up words of
    /// texts, so folding the whole catalog for each of them took 60 % of the time of short records.
    static BY_NAME: LazyLock<HashMap<String, &'static NamedRules>> = LazyLock::new(|| {
        let names = all().map(|variant| (variant.name, variant));
        let aliases = all().flat_map(|variant| variant.aliases.iter().map(move |alias| (*alias, variant)));
        let mut by_name = HashMap::new();
        for (name, variant) in names.chain(aliases) {
            by_name.entry(folded(name)).or_insert(variant);
        }
        by_name
    });
    let name = folded(name);
    BY_NAME.get(&name).or_else(|| BY_NAME.get(without_second_side(&name)?)).copied()
}

/// Returns a name that ends with the size of a square board, such as `brandubh7x7`, with only one side of it: `brandubh7`.
fn without_second_side(name: &str) -> Option<&str> {
    let (rest, side) = name.rsplit_once('x')?;
    let before = rest.strip_suffix(side)?;
    let is_size = !side.is_empty() && side.bytes().all(|byte| byte.is_ascii_digit());
    (is_size && !before.ends_with(|last: char| last.is_ascii_digit())).then_some(rest)
}

/// Returns up to five names similar to an unknown name, the most similar first; among equally similar ones, those of
/// published variants. A name that contains the unknown one as a word, as `fetlar-hnefatafl` contains `Hnefatafl`, is as
/// similar as one with a typing error.
///
/// # Examples
///
/// ```
/// use tafl_rules::catalog;
///
/// assert_eq!(catalog::similar("brandubhh7").first(), Some(&"brandubh7"));
/// assert!(catalog::similar("xiangqi").is_empty());
/// ```
pub fn similar(name: &str) -> Vec<&'static str> {
    /// Shorter words, such as `cross`, do not show which variant is meant.
    const SHORTEST_WORD: usize = 6;
    let wanted = folded(name);
    let n_letters = wanted.chars().count();
    // Two typing errors, and one more for every four letters.
    let max_distance = 2 + n_letters / 4;
    let has_word =
        |candidate: &str| n_letters >= SHORTEST_WORD && candidate.split('-').any(|word| word == wanted);
    let distance = |candidate: &str| {
        let text = folded(candidate);
        // The distance is at least the difference of the lengths. Computing it for a name of 60 KB, which an address may have,
        // took 6 s in the dev profile.
        let is_near = text.chars().count().abs_diff(n_letters) <= max_distance;
        let n_errors = is_near.then(|| strsim::levenshtein(&wanted, &text)).filter(|n| *n <= max_distance);
        n_errors.into_iter().chain(has_word(candidate).then_some(1)).min()
    };
    let names = all().flat_map(|variant| std::iter::once(&variant.name).chain(variant.aliases));
    let mut near: Vec<(usize, &'static str)> =
        names.filter_map(|name| Some((distance(name)?, *name))).collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.truncate(5);
    near.into_iter().map(|(_, name)| name).collect()
}

/// The error for a name that is not in the catalog.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown variant \"{name}\"{}", .similar.first().map_or(String::new(), |near| format!("; did you mean `{near}`?")))]
pub struct UnknownVariant {
    /// The name.
    pub name: String,
    /// Similar names of the catalog, the most similar first.
    pub similar: Vec<&'static str>,
}

impl RuleSet {
    /// Returns the rules of a variant of the [catalog](self) by a name or alias, see [`find`].
    ///
    /// # Errors
    ///
    /// Returns [`UnknownVariant`], with similar names, if the catalog does not have the name.
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

/// Returns a name in the form in which [`find`] compares names: in lower case, without spaces, hyphens, and underscores.
fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyRulebook, Game};

    #[test]
    fn every_entry_round_trips_compiles_and_plays() {
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
    fn choices_belong_to_one_variant_each_and_are_sentences() {
        let names: Vec<&str> = choices::CHOICES.iter().flat_map(|(names, _)| *names).copied().collect();
        for (nth, name) in names.iter().enumerate() {
            let is_known = all().any(|variant| variant.name == *name);
            assert!(is_known && !names[..nth].contains(name), "{name}");
        }
        for choice in all().flat_map(NamedRules::choices) {
            assert!(choice.ends_with('.') && !choice.contains("  "), "{choice}");
        }
    }

    #[test]
    fn the_variants_of_the_site_name_the_choices_of_their_options() {
        let has = |name: &str, word: &str| {
            let choices = find(name).expect("a variant of the catalog").choices();
            choices.iter().any(|choice| choice.contains(word))
        };
        for variant in all().filter(|variant| variant.source.starts_with("aagenielsen.dk, game type")) {
            assert!(has(variant.name, "recorded games agree"), "{}", variant.name);
        }
        assert!(has("aage-65", "third time") && !has("aage-1", "third time"));
        assert!(has("aage-133", "first step") && has("aage-34", "editions") && !has("aage-65", "editions"));
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
                assert_eq!(seen.insert(folded(name), variant.name), None, "{name} appears twice");
            }
        }
    }

    #[test]
    fn titles_differ_in_a_word() {
        let mut seen = HashMap::new();
        for variant in all() {
            let title = variant.title.to_lowercase();
            let mut words: Vec<&str> =
                title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            words.sort_unstable();
            assert_eq!(seen.insert(words.join(" "), variant.name), None, "{title} of {}", variant.name);
        }
    }

    #[test]
    fn names_of_the_play_site_are_found_whatever_the_titles() {
        for (name, found) in [
            ("Ashton tablut 9x9", "ashton-tablut-9x9"),
            ("Berserk Hnefatafl 11x11", "berserk-hnefatafl-11x11"),
            ("Copenhagen Hnefatafl 13x13", "copenhagen-hnefatafl-13x13"),
            ("Tawlbwrdd Lewis cross 11x11", "tawlbwrdd-lewis-cross-11x11"),
            ("Tawlbwrdd T cross 11x11", "tawlbwrdd-t-cross-11x11"),
            ("Tyr 13x13", "tyr-13x13"),
        ] {
            assert_eq!(find(name).map(|variant| variant.name), Some(found));
        }
    }

    #[test]
    fn usual_names_are_found_with_and_without_the_board() {
        for (name, found) in [
            ("Copenhagen Hnefatafl", "copenhagen11"),
            ("Fetlar Hnefatafl", "fetlar11"),
            ("Fetlar 11x11", "fetlar11"),
            ("Brandub", "brandubh7"),
            ("Brandubh 7x7", "brandubh7"),
            ("Copenhagen 13x13", "copenhagen13"),
            ("Tablut 9x9", "tablut9_wtf"),
            ("Sea Battle 11x11", "seabattle11"),
        ] {
            assert_eq!(find(name).map(|variant| variant.name), Some(found), "{name}");
        }
        for name in ["Brandubh 7x9", "Brandubh 17x7", "7x7", "x", "Brandubh x", "Copenhagen 11x11x11"] {
            assert_eq!(find(name), None, "{name}");
        }
    }

    #[test]
    fn misspelled_names_get_suggestions() {
        let of_word = similar("Hnefatafl");
        assert!(["fetlar-hnefatafl", "copenhagen-hnefatafl"].iter().all(|name| of_word.contains(name)));
        assert_eq!(similar("brandubh77"), ["brandubh7", "brandubh", "brandub7", "brandubh3-7x7", "brandub"]);
        assert_eq!(similar("brandub8"), ["brandubh", "brandub", "brandub7", "brandubh7"]);
        assert_eq!(similar("Brandubh 9")[..1], ["brandubh7"]);
        assert_eq!(similar("copenhagn11").first(), Some(&"copenhagen11"));
        assert!(similar("zzzzzzzzzzzz").is_empty());
    }

    #[test]
    fn a_name_of_megabytes_gets_no_suggestion_at_once() {
        // Its distances to all names would take minutes.
        assert!(similar(&"x".repeat(4 << 20)).is_empty());
    }
}
