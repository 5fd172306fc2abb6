//! How often a freedom could have been used that nobody used.
//!
//! A rule that only forbids moves is contradicted by no game that was played by it. How often the forbidden moves were
//! there to be made is all that games can say about it.

use tafl_rules::{AnyRulebook, Game, RepetitionMode, RuleSet};

use super::search::Search;

/// So many games are looked at.
const GAMES: usize = 30;

/// Returns in how many positions of some games the rules allow other moves than other rules do.
pub(super) fn count(search: &Search<'_>, rules: &RuleSet, other: &RuleSet) -> usize {
    let is_about_moves = rules.movement != other.movement
        || rules.throne != other.throne
        || rules.corners != other.corners
        || rules.camps != other.camps
        || rules.camps_apart != other.camps_apart
        || rules.jumped != other.jumped
        || rules.jump_own != other.jump_own;
    if !is_about_moves {
        return 0;
    }
    let books = (AnyRulebook::compile(rules), AnyRulebook::compile(other));
    let (Ok(book), Ok(other)) = books else { return 0 };
    let mut count = 0;
    for game in search.games.iter().take(GAMES) {
        let mut one = Game::with_mode(&book, RepetitionMode::Report);
        let mut two = Game::with_mode(&other, RepetitionMode::Report);
        if let Some(side) = game.first_mover {
            one.set_to_move(side);
            two.set_to_move(side);
        }
        for step in &game.steps {
            count += usize::from(one.count_moves() != two.count_moves());
            let played = (one.play(step.mv), two.play(step.mv));
            if !matches!(played, (Ok(a), Ok(b)) if a.captured == b.captured && a.outcome.is_none() && b.outcome.is_none()) {
                break;
            }
        }
    }
    count
}
