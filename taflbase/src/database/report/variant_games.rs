//! The games of one variant: by a name, or by a rules string.

use tafl_reports::Games;
use tafl_rules::{RuleSet, catalog};

use crate::board::{advice_on_names, did_you_mean, is_rules_string};
use crate::escape::escape;
use crate::{Error, ErrorKind, Result, Variant};

/// Returns the games of a variant: by its name in the catalog, by the label that reports give to other rules, or by a rules
/// string.
pub(super) fn of_variant(games: &Games, name: &str) -> Result<Games> {
    if is_rules_string(name) {
        let is_wanted = variants_with_rules(games, name)?;
        return Ok(games.filtered(|game| is_wanted[game.variant as usize]));
    }
    let known = catalog::find(name);
    let number = known.and_then(|known| games.variant(known.name)).or_else(|| games.variant(name));
    if number.is_none() && known.is_none() {
        let message = format!("unknown variant `{}`", escape(name));
        let advice = advice_on_names(did_you_mean(&catalog::similar(name)));
        let advice = format!("{advice}, and `tafl info` those of a corpus");
        return Err(Error::new(ErrorKind::UnknownVariant, message).of("variant").with_help(advice));
    }
    Ok(games.filtered(|game| Some(game.variant) == number))
}

/// Returns for each variant of some games whether its rules play as those of a rules string.
fn variants_with_rules(games: &Games, text: &str) -> Result<Vec<bool>> {
    let wanted = Variant::named(text).map_err(|error| error.of("variant"))?.rules.canonical();
    let is_same = |rules: &str| rules.parse::<RuleSet>().is_ok_and(|own| own.canonical() == wanted);
    Ok(games.variants.iter().map(|variant| is_same(&variant.rules)).collect())
}

/// Returns the label of a variant of the catalog, or of the rules of a rules string, in reports.
pub(super) fn variant_label(games: &Games, name: &str) -> Result<String> {
    if !is_rules_string(name) {
        return Ok(catalog::find(name).map_or(name, |known| known.name).to_owned());
    }
    let is_wanted = variants_with_rules(games, name)?;
    let found = games.variants.iter().zip(is_wanted).find(|(_, is_wanted)| *is_wanted);
    Ok(found.map_or_else(|| name.to_owned(), |(variant, _)| variant.label()))
}
