//! The rule sets that a search tries.

use tafl_reports::LabeledRules;
use tafl_rules::{AnyRulebook, Rng, RuleSet};

use crate::{Error, Result, change_rules};

/// Which rule sets to try.
#[derive(Debug, Clone, Copy)]
pub(super) struct CandidateOptions<'o> {
    /// The changes to try, each of one rule or of several; if empty, common changes are tried.
    pub(super) vary: &'o [String],
    /// The maximum number of common changes that are combined.
    pub(super) changes: u64,
    /// The maximum number of rule sets with common changes.
    pub(super) max: usize,
    /// The seed of the choice of combinations.
    pub(super) seed: u64,
}

/// The common changes of rules, which a search tries. Changes that a rule set already has, or that cannot be played, are left
/// out.
const CHANGES: [&str; 29] = [
    "esc=c",
    "esc=e",
    "ks=s",
    "ks=c",
    "ks=m",
    "ks=w",
    "ka=y",
    "ka=n",
    "ka=a",
    "ka=h",
    "sw=n",
    "sw=s",
    "sw=w",
    "efe=y",
    "efe=n",
    "linc=y",
    "ber=n",
    "ber=c",
    "xenc=none",
    "xenc=plain",
    "xenc=secure",
    "xnom=lose",
    "xnom=draw",
    "atkf=y",
    "atkf=n",
    "spd=-1,-1,-1,1",
    "spd=-1",
    "xforce=y",
    "cenhe=",
];

/// Returns the rules to try, the unchanged ones first.
///
/// # Errors
///
/// Returns the change that cannot be made.
pub(super) fn rule_sets(rules: &RuleSet, options: &CandidateOptions<'_>) -> Result<Vec<LabeledRules>> {
    let mut found = RuleCandidates::of(rules);
    if !options.vary.is_empty() {
        for changes in options.vary {
            let wrong = |why: &str| Error::parameter("vary", format!("--vary {changes}: {why}"));
            let words: Vec<String> = changes.split_whitespace().map(ToOwned::to_owned).collect();
            let changed = change_rules(rules.clone(), &words).map_err(|error| wrong(&error.to_string()))?;
            if !found.add(changes, changed) {
                return Err(wrong("the rules have this value, or cannot be played"));
            }
        }
        return Ok(found.arms);
    }
    let changed = |words: &[&str]| {
        change_rules(rules.clone(), &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).ok()
    };
    for change in CHANGES {
        if let Some(rules) = changed(&[change]) {
            found.add(change, rules);
        }
    }
    if options.changes > 1 {
        let key = |change: &str| change.split('=').next().unwrap_or(change).to_owned();
        let singles: Vec<String> = found.arms.iter().skip(1).map(|arm| arm.label.clone()).collect();
        let mut pairs: Vec<(&str, &str)> = singles
            .iter()
            .enumerate()
            .flat_map(|(at, one)| singles[at + 1..].iter().map(move |two| (one.as_str(), two.as_str())))
            .filter(|(one, two)| key(one) != key(two))
            .collect();
        let mut rng = Rng::new(options.seed);
        for at in (1..pairs.len()).rev() {
            pairs.swap(at, rng.below(at + 1));
        }
        for (one, two) in pairs {
            if found.arms.len() >= options.max {
                break;
            }
            if let Some(rules) = changed(&[one, two]) {
                found.add(&format!("{one} {two}"), rules);
            }
        }
    }
    found.arms.truncate(options.max.max(1));
    Ok(found.arms)
}

/// Rule sets without duplicates.
struct RuleCandidates {
    arms: Vec<LabeledRules>,
    canonical: Vec<RuleSet>,
}

impl RuleCandidates {
    fn of(rules: &RuleSet) -> RuleCandidates {
        let arms = vec![LabeledRules { label: "as it is".to_owned(), rules: rules.clone() }];
        RuleCandidates { arms, canonical: vec![rules.canonical()] }
    }

    /// Adds rules, and returns whether they are new and can be played.
    fn add(&mut self, label: &str, rules: RuleSet) -> bool {
        let canonical = rules.canonical();
        if self.canonical.contains(&canonical) || AnyRulebook::compile(&rules).is_err() {
            return false;
        }
        self.canonical.push(canonical);
        self.arms.push(LabeledRules { label: label.to_owned(), rules });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_changes_are_different_rules() {
        let rules = tafl_rules::catalog::find("copenhagen11").unwrap().rules();
        let default = CandidateOptions { vary: &[], changes: 1, max: 48, seed: 1 };
        let singles = rule_sets(&rules, &default).unwrap();
        assert!(singles.len() > 15, "{}", singles.len());
        assert_eq!(singles[0].rules, rules);
        assert!(singles.iter().all(|arm| arm.label != "esc=c"), "the rules have this value");
        let pairs = rule_sets(&rules, &CandidateOptions { changes: 2, max: 40, ..default }).unwrap();
        assert_eq!(pairs.len(), 40);
        assert!(pairs.iter().any(|arm| arm.label.contains(' ')));
        let wrong = |vary: &str| {
            let vary = [vary.to_owned()];
            rule_sets(&rules, &CandidateOptions { vary: &vary, ..default }).unwrap_err().parameter.unwrap()
        };
        assert_eq!([wrong("esc=c"), wrong("nonsense"), wrong("zz=y")], ["vary"; 3]);
    }
}
