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
    use tafl_parser::{Format, Source};
    use tafl_rules::Role;

    use super::*;
    use crate::records::{ReplayConfig, ReplayWorker};

    fn replayed(text: &str, format: Format) -> ReplayedRecord {
        ReplayWorker::new(&Arc::new(ReplayConfig::default())).replay(format.parse(&Source::new(text)))
    }

    #[test]
    fn pieces_are_those_of_the_board() {
        let played = PlayedBuilder::default()
            .played(&replayed("d2-c2 e4-e1 b4-b2 d4-e4 # variant: brandubh7", Format::MoveList))
            .unwrap();
        let roles: Vec<Role> = played.plies.iter().map(|ply| ply.piece.role).collect();
        assert_eq!(roles, [Role::Soldier, Role::Soldier, Role::Soldier, Role::King]);
    }

    #[test]
    fn a_piece_that_stays_despite_its_capture_is_a_deviation() {
        let replayed = replayed(
            r#"{"taflbase":1,"format":"aagenielsen","variant":"aage-51","captures":"listed-but-kings","lines":[{"moves":
            "d2-e2 d3-d2 b4-b3 c4-c3 f4-f3 d4-b4 f3-d3xc3/d2 b4-b7 d7-c7 b7-b6 g4-f4xe4 b6-a6 a4-a5"}]}"#,
            Format::Jsonl,
        );
        assert!(replayed.diagnostics.iter().any(|found| found.code().as_str() == "C008"));
        assert_eq!(PlayedBuilder::default().played(&replayed).unwrap().n_deviations, 1);
    }
}
