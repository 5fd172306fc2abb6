//! Forced capture: a player who can capture must capture.
//!
//! Source: K. Burke and C. Tennenhouse, "Forced Capture Hnefatafl" (arXiv 2301.06127), whose abstract says: "players are
//! forced to make capturing moves when available". It names no exceptions. Here, any capturing move may be chosen,
//! whatever it captures, the king included, and a king may not escape instead of capturing.
//!
//! The rule concerns the first move of a turn. Later steps follow the rules of berserk chains, which the paper does
//! not have.

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::piece::Piece;
use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::ruleset::Jump;
use crate::shape::Cell;
use crate::side::Side;

impl<const N: usize> Rulebook<N> {
    /// Returns whether the next move must capture: the rules force captures, and one is possible.
    ///
    /// False inside chains, unless the side to move may decline to continue; then the answer is that for the
    /// other side.
    #[inline]
    pub fn must_capture(&self, pos: &Position<N>) -> bool {
        self.forces_capture && self.can_capture(pos)
    }

    #[cold]
    fn can_capture(&self, pos: &Position<N>) -> bool {
        match pos.chain() {
            None => self.first_capture(pos, pos.to_move()).is_some(),
            Some(_) => self.may_decline(pos) && self.first_capture(pos, pos.to_move().other()).is_some(),
        }
    }

    /// Returns the first capturing move of a side in ascending order of cells, outside of chains.
    pub(crate) fn first_capture(&self, pos: &Position<N>, side: Side) -> Option<Move> {
        pos.side(side).into_iter().find_map(|from| {
            let piece = self.piece_of(pos, side, from);
            let targets = self.free_targets(pos, from, piece);
            self.capturing(pos, from, piece, targets).first().map(|to| Move::new(from, to))
        })
    }

    /// Returns the targets on which a piece would capture.
    #[cold]
    pub(crate) fn capturing(
        &self,
        pos: &Position<N>,
        from: Cell,
        piece: Piece,
        targets: Bitboard<N>,
    ) -> Bitboard<N> {
        // Every capture but a jump needs an enemy next to the target.
        let near = self.topology.spread(pos.side(piece.side.other()));
        let jumps = self.movement_masks[piece].jump == Jump::Capturing;
        let likely = if jumps { targets } else { targets & near };
        likely.iter().filter(|to| self.captures_by_moving(pos, Move::new(from, *to), piece)).collect()
    }

    /// Returns whether a move would capture a piece.
    fn captures_by_moving(&self, pos: &Position<N>, mv: Move, piece: Piece) -> bool {
        let jumped = self.jumped(pos, mv, piece);
        let mut after = *pos;
        after.shift(mv.from, mv.to, piece);
        self.captures(&after, mv, piece, jumped).any()
    }
}

#[cfg(test)]
mod tests {
    use crate::{AnyRulebook, Game, IllegalMove, Leaves, Move, RuleSet, Side};

    fn game(keys: &str, rows: &str) -> Game {
        let rules: RuleSet = format!("dim:7 surf:n xforce:y {keys} start:{rows}").parse().unwrap();
        Game::new(&AnyRulebook::compile(&rules).unwrap())
    }

    fn moves(game: &Game) -> Vec<String> {
        game.moves().iter().map(|mv| mv.display(game.shape()).to_string()).collect()
    }

    #[test]
    fn only_capturing_moves_are_legal_while_there_is_one() {
        let game = game("cor: cen:", "/3t2t/7/7/1tT4/7/7/5K1/");
        assert_eq!(moves(&game), ["d1-d4"]);
        assert_eq!((game.count_moves(), game.moves().len()), (1, 1));
        let [capture, other] = ["d1-d4", "g1-g3"].map(|text| game.parse_move(text).unwrap());
        assert_eq!(game.check(capture), Ok(()));
        let why = game.check(other).unwrap_err();
        assert_eq!(why, IllegalMove::DeclinesCapture { capture });
        assert_eq!(
            why.describe(game.shape(), other),
            "a capture such as `d1-d4` is possible, so the move must capture"
        );
        assert!(game.targets(other.from).is_empty());
    }

    #[test]
    fn all_moves_are_legal_while_there_is_no_capture() {
        let rows = "/3t2t/7/7/2T4/7/7/5K1/";
        let free: RuleSet = format!("dim:7 surf:n cor: cen: start:{rows}").parse().unwrap();
        assert_eq!(game("cor: cen:", rows).moves(), Game::new(&AnyRulebook::compile(&free).unwrap()).moves());
    }

    #[test]
    fn a_king_may_not_escape_instead_of_capturing() {
        let game = game("atkf:n cen:", "/2K4/7/T6/1t5/1T5/7/7/");
        assert_eq!(moves(&game), ["a3-b3"], "c1-a1 would win");
    }

    #[test]
    fn chains_follow_their_own_rules() {
        let mut game = game("cor: cen: ber:m", "/3t2t/7/7/1tT4/7/3T3/1K5/");
        let play =
            |game: &mut Game, text: &str| game.play(game.parse_move(text).unwrap()).map(|ply| ply.goes_on);
        assert_eq!(play(&mut game, "d1-d4"), Ok(true));
        assert!(game.moves().len() > 1, "the second step may be any move");
    }

    #[test]
    fn perft_counts_agree_with_the_moves_of_games() {
        let rules: RuleSet = "dim:5 xforce:y start:/2t2/2T2/tTKTt/2T2/2t2/".parse().unwrap();
        let book = AnyRulebook::compile(&rules).unwrap();
        let count = |game: &Game| game.moves().len() as u64;
        let after = |game: &Game, mv: Move| {
            let mut next = game.clone();
            next.play(mv).unwrap();
            if next.outcome().is_some() { 0 } else { count(&next) }
        };
        let game = Game::new(&book);
        let two: u64 = game.moves().into_iter().map(|mv| after(&game, mv)).sum();
        assert_eq!(book.perft(&rules.start, Side::Attackers, 2, Leaves::Bulk), two);
    }
}
