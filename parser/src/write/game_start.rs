//! The start of a game that is written.

use tafl_rules::{RuleSet, RulesReadOptions, Setup, Side, catalog};

use super::WriteGame;
use crate::record::{Format, Record};

/// The start of a game, as far as it is known.
#[derive(Debug, Clone)]
pub(super) struct GameStart {
    /// The position.
    pub(super) setup: Setup,
    /// The side that moves first.
    pub(super) first_mover: Side,
}

/// Returns the start of a game: that of its record, or else that of its rules. The rules are those of the
/// replay or of the record, of its variant, or those that its notation implies.
pub(super) fn game_start(game: WriteGame<'_>) -> Option<GameStart> {
    let record = game.record;
    let rules = known_rules(game);
    let written = record.start.as_ref().map(|start| start.setup.clone());
    let first_mover =
        record.first_mover.or(rules.as_ref().map(|rules| rules.first_mover)).unwrap_or(Side::Attackers);
    Some(GameStart { setup: written.or(rules.map(|rules| rules.start))?, first_mover })
}

/// Returns the reason why a notation that implies a variant cannot express a game: it is not known to be one of this
/// variant, or begins in another way. In its own notation, every record is written.
pub(super) fn refusal_of_other_start(game: WriteGame<'_>, format: Format) -> Option<String> {
    if game.record.format == format {
        return None;
    }
    let name = format.implied_variant(&Record::new(format))?;
    let known = catalog::find(name)?.rules();
    let Some(start) = game_start(game) else {
        return Some(format!("the variant is not known to be {name}"));
    };
    if start.first_mover != known.first_mover {
        return Some(format!("the {} move first", start.first_mover));
    }
    refusal_of_setup(&start.setup, &known.start, name)
}

/// Returns the reason why a game does not begin with the position of a variant.
pub(super) fn refusal_of_setup(found: &Setup, known: &Setup, name: &str) -> Option<String> {
    if found.shape() != known.shape() {
        return Some(format!("the board is {}, not {}", found.shape(), known.shape()));
    }
    (found != known).then(|| format!("the game does not begin with the position of {name}"))
}

/// Returns the rules of the replay, or those written in the record.
pub(super) fn stated_rules(game: WriteGame<'_>) -> Option<RuleSet> {
    let text = played_rules(game).or(game.record.rules.as_ref().map(|rules| &*rules.text))?;
    RuleSet::read(text, RulesReadOptions::default()).ok().map(|(rules, _)| rules)
}

/// Returns the rules that a record must state: its own ones, or those of the replay if the variant's name does not give
/// them, as for another edition of a variant.
pub(super) fn rules_beyond_name(game: WriteGame<'_>) -> Option<&str> {
    let record = game.record;
    if let Some(rules) = &record.rules {
        return Some(&rules.text);
    }
    let played = played_rules(game)?;
    let named = catalog::find(&record.variant.as_ref()?.text)?.rules();
    (!is_same(named, played)).then_some(played)
}

/// Returns the rules that a text must state from which readers could guess other ones: those [beyond the
/// name](rules_beyond_name), or those of the replay if there is no name.
pub(super) fn rules_to_state(game: WriteGame<'_>, format: Format) -> Option<&str> {
    let is_unnamed = game.record.variant.is_none() && game.record.format != format;
    rules_beyond_name(game).or_else(|| played_rules(game).filter(|_| is_unnamed))
}

/// Returns whether a notation without rules loses those of a game: the ones that a record must state, or other ones than the
/// notation implies.
pub(super) fn lacks_rules(game: WriteGame<'_>, format: Format, implied: Option<&str>) -> bool {
    let is_other = |played| {
        let implied = implied.and_then(catalog::find);
        implied.is_none_or(|known| !is_same(known.rules(), played))
    };
    let is_own = game.record.format == format;
    rules_beyond_name(game).is_some() || (!is_own && played_rules(game).is_some_and(is_other))
}

/// Returns the rules of the replay, if they are known.
fn played_rules(game: WriteGame<'_>) -> Option<&str> {
    game.played.map(|played| &*played.rules).filter(|rules| !rules.is_empty())
}

/// Returns whether a rules string has the same rules, except for their name.
fn is_same(rules: RuleSet, text: &str) -> bool {
    let nameless = |rules: RuleSet| RuleSet { name: None, ..rules };
    rules.to_string() == *text
        || RuleSet::read(text, RulesReadOptions::default())
            .is_ok_and(|(read, _)| nameless(read) == nameless(rules))
}

/// Returns the stated rules, or those of the variant that is named or implied.
pub(super) fn known_rules(game: WriteGame<'_>) -> Option<RuleSet> {
    let record = game.record;
    if record.rules.is_some() || game.played.is_some_and(|played| !played.rules.is_empty()) {
        return stated_rules(game);
    }
    let implied = || record.format.implied_variant(record);
    let name = record.variant.as_ref().map(|variant| &*variant.text).or_else(implied)?;
    catalog::find(name).map(|variant| variant.rules())
}
