//! How often a freedom could have been used that nobody used.
//!
//! A rule that only forbids moves is contradicted by no game that was played by it. How often the forbidden moves would
//! have been made, if every legal move were as likely as another, is all that games can say about it.

use tafl_rules::{AnyRulebook, Game, RepetitionMode, RuleSet};

use super::search::RuleSearch;

/// So many games are looked at.
const GAMES: usize = 40;

/// From so many expected uses on, a freedom that nobody used is taken not to exist. Players do not choose at random, so
/// that is more than chance alone would ask for.
pub(super) const STRICT: f64 = 8.0;

/// Returns how many moves that rules allow and stricter rules forbid would be expected in the games; nothing where the
/// second rules are not stricter, or the games are not the same by both.
pub(super) fn unused(search: &RuleSearch<'_>, rules: &RuleSet, stricter: &RuleSet) -> f64 {
    let books = (AnyRulebook::compile(rules), AnyRulebook::compile(stricter));
    let (Ok(book), Ok(stricter)) = books else { return 0.0 };
    let mut expected = 0.0;
    for game in search.games.iter().filter(|game| !game.may_lack_steps || game.steps.len() < 400).take(GAMES)
    {
        let mut one = Game::with_mode(&book, RepetitionMode::Report);
        let mut two = Game::with_mode(&stricter, RepetitionMode::Report);
        if let Some(side) = game.first_mover {
            one.set_to_move(side);
            two.set_to_move(side);
        }
        for step in &game.steps {
            let (all, fewer) = (one.count_moves(), two.count_moves());
            if fewer > all {
                return 0.0;
            }
            expected += (all - fewer) as f64 / all.max(1) as f64;
            match (one.play(step.mv), two.play(step.mv)) {
                (Ok(one), Ok(two)) if one == two && one.outcome.is_none() => {}
                _ => break,
            }
        }
    }
    expected
}
