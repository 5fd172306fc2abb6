//! The replayed game, as writers need it.

use std::sync::Arc;

use tafl_parser::{ChosenRules, PlayedMoves};

use super::super::ReplayedRecord;

/// Converts replays for writers; caches the text of the last rules.
#[derive(Debug, Default)]
pub struct PlayedBuilder {
    last: Option<(Arc<ChosenRules>, Box<str>)>,
}

impl PlayedBuilder {
    /// Returns the legal part of a game with its pieces; none if the rules are unknown.
    pub fn played(&mut self, replayed: &ReplayedRecord) -> Option<PlayedMoves> {
        let chosen = replayed.replay.rules.as_ref()?;
        let text = match self.last.take().filter(|(last, _)| Arc::ptr_eq(last, chosen)) {
            Some((_, text)) => text,
            None => chosen.book.rules().to_string().into(),
        };
        self.last = Some((Arc::clone(chosen), text.clone()));
        PlayedMoves::new(&replayed.record, &replayed.replay, text)
    }
}

#[cfg(test)]
mod tests {
    use tafl_parser::{Format, ReplayOptions, Replayer, RuleChoice, Source};
    use tafl_rules::{Role, catalog};

    use super::*;

    fn replayed(text: &str) -> ReplayedRecord {
        let rules = catalog::find("brandubh7").map(RuleChoice::named);
        let mut replayer = Replayer::new(ReplayOptions { rules, ..ReplayOptions::default() });
        let parsed = Format::MoveList.parse(&Source::new(text));
        let replay = replayer.replay(&parsed.value);
        let verdict = replay.soundness();
        ReplayedRecord { record: parsed.value, replay, verdict, diagnostics: parsed.diagnostics }
    }

    #[test]
    fn pieces_are_those_of_the_board() {
        let played = PlayedBuilder::default().played(&replayed("d2-c2 e4-e1 b4-b2 d4-e4")).unwrap();
        let roles: Vec<Role> = played.plies.iter().map(|ply| ply.piece.role).collect();
        assert_eq!(roles, [Role::Soldier, Role::Soldier, Role::Soldier, Role::King]);
    }
}
