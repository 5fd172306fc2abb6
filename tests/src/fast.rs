//! The implementation of `tafl-rules` as a model under test.

use tafl_rules::{AnyRulebook, Cell, Game, Move, Outcome, RepetitionMode, RuleSet, Setup, Side};

use crate::model::{NotLegal, RulesModel};

/// A game of `tafl-rules`.
#[derive(Debug, Clone)]
pub struct Fast(Game);

impl RulesModel for Fast {
    fn at(rules: &RuleSet, board: &Setup, side: Side) -> Fast {
        let book = AnyRulebook::compile(rules).expect("the rules are sound");
        Fast(Game::from_setup(&book, board, side, RepetitionMode::Enforce).expect("the board fits the rules"))
    }

    fn can_play(rules: &RuleSet) -> bool {
        AnyRulebook::compile(rules).is_ok()
    }

    fn board(&self) -> Setup {
        self.0.setup()
    }

    fn side_to_move(&self) -> Side {
        self.0.to_move()
    }

    fn moves(&self) -> Vec<Move> {
        let moves = self.0.moves();
        assert_eq!(self.0.count_moves(), moves.len() as u64, "the count agrees with the list");
        moves
    }

    fn play(&mut self, mv: Move) -> Result<Vec<Cell>, NotLegal> {
        if self.0.outcome().is_some() {
            self.0.clear_outcome();
        }
        let ply = self.0.play(mv).map_err(|_| NotLegal)?;
        Ok(ply.captured.iter().collect())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
}
