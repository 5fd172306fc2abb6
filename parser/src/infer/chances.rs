//! The expected use of permissions that no player used.
//!
//! A rule that only forbids moves is never contradicted by a game played under it. The only evidence for such
//! a rule is the expected number of forbidden moves, if every legal move were equally likely.

use tafl_rules::{AnyRulebook, Game, RepetitionMode, RuleSet};

use super::search::RuleSearch;

/// The maximum number of games that are examined, a choice: each is replayed under two rule sets, and expected uses
/// add up fast.
const GAMES: usize = 40;

/// The number of expected uses above which an unused permission is assumed not to exist. Players do not
/// choose moves at random, so this is higher than chance alone would require: 3 would be odds of 20 to 1. A choice; a
/// lower number assumes more prohibitions.
pub(super) const STRICT: f64 = 8.0;

/// Returns the expected number of moves in the games that `rules` allow and `stricter` rules forbid; 0 if the
/// second rules are not stricter, or if the games differ under them.
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
