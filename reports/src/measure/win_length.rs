//! The lengths of wins, for the tie-break of the shortest win.

use std::collections::HashMap;

use tafl_analyzer::{Limits, Nodes, SolveBudget, shortest_proof, solve};
use tafl_corpus::{Corpus, Result};
use tafl_rules::{Game, Reason, Side};

use super::games::GameFacts;
use super::playable_game::{PlayableGame, PlayableGames};

/// The number of plies of a win, counted from the start of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WinLength {
    /// The lower bound.
    pub min: u32,
    /// The upper bound; `None` if it is unknown whether the winner could have finished the game.
    pub max: Option<u32>,
}

impl WinLength {
    /// Returns the length of a game that was played to its end.
    pub fn exact(plies: u32) -> WinLength {
        WinLength { min: plies, max: Some(plies) }
    }

    /// Returns the length, if both bounds agree.
    pub fn known(self) -> Option<u32> {
        self.max.filter(|max| *max == self.min)
    }

    /// Returns the bounds of the shorter of two wins.
    #[must_use]
    pub fn shorter(self, other: WinLength) -> WinLength {
        let max = match (self.max, other.max) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        WinLength { min: self.min.min(other.min), max }
    }
}

/// Returns whether a finished game was played to its end by the rules.
pub(super) fn is_played_out(game: &GameFacts) -> bool {
    match game.reason {
        Some(
            Reason::KingCaptured
            | Reason::KingReachedGoal
            | Reason::ExitFort
            | Reason::Encirclement
            | Reason::NoLegalMove
            | Reason::AllCaptured
            | Reason::Repetition
            | Reason::PlyLimit,
        ) => true,
        Some(
            Reason::Resignation
            | Reason::Timeout
            | Reason::Agreement
            | Reason::Adjudication
            | Reason::Unfinished
            | Reason::Unknown,
        )
        | None => false,
    }
}

/// The source of the lengths of wins that were cut short.
pub trait WinMeter {
    /// Returns the length of a win that was not played to its end.
    ///
    /// # Errors
    ///
    /// Returns the path of a damaged file.
    fn length(&mut self, game: &GameFacts, winner: Side) -> Result<WinLength>;
}

/// No solver: nothing is known about wins that were cut short.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSolver;

impl WinMeter for NoSolver {
    fn length(&mut self, game: &GameFacts, _: Side) -> Result<WinLength> {
        Ok(WinLength { min: game.plies + 1, max: None })
    }
}

/// The solver, for the last positions of games in a corpus.
pub struct SolverMeter<'c> {
    games: PlayableGames<'c>,
    nodes: u64,
    known: HashMap<(u32, u32), WinLength>,
}

impl<'c> SolverMeter<'c> {
    /// Creates a meter that searches at most `nodes` positions for each game, and as many again for each attempt to
    /// shorten a proof.
    pub fn new(corpus: &'c Corpus, nodes: u64) -> SolverMeter<'c> {
        SolverMeter { games: PlayableGames::new(corpus), nodes: nodes.max(1), known: HashMap::new() }
    }

    fn solved(&self, board: &Game, plies: u32, winner: Side) -> WinLength {
        let open = WinLength { min: plies + 1, max: None };
        if board.outcome().is_some() {
            return WinLength::exact(plies);
        }
        let limits = Limits { nodes: Some(Nodes(self.nodes)), ..Limits::default() };
        let budget = SolveBudget { limits, goal: Some(winner), ..SolveBudget::default() };
        let Some(proof) = solve(board, &budget).ok().and_then(|solution| solution.proof) else { return open };
        match shortest_proof(board, proof.clone(), &budget) {
            Ok(found) if found.is_shortest => WinLength::exact(plies + u32::from(found.proof.plies)),
            Ok(found) => WinLength { max: Some(plies + u32::from(found.proof.plies)), ..open },
            Err(_) => WinLength { max: Some(plies + u32::from(proof.plies)), ..open },
        }
    }
}

impl WinMeter for SolverMeter<'_> {
    fn length(&mut self, game: &GameFacts, winner: Side) -> Result<WinLength> {
        if let Some(known) = self.known.get(&(game.segment, game.row)) {
            return Ok(*known);
        }
        let board = self.games.game(game)?.and_then(PlayableGame::end);
        let length = match board {
            Some(board) => self.solved(&board, game.plies, winner),
            None => WinLength { min: game.plies + 1, max: None },
        };
        self.known.insert((game.segment, game.row), length);
        Ok(length)
    }
}

/// Returns the bounds of the shortest of a player's wins; `None` without a win.
///
/// Games are given with their winning side. Only those are measured that could be shorter than a known win.
///
/// # Errors
///
/// Returns the path of a damaged file.
pub(super) fn shortest_win(
    wins: &[(GameFacts, Side)],
    meter: &mut dyn WinMeter,
) -> Result<Option<WinLength>> {
    let (ended, mut cut): (Vec<_>, Vec<_>) = wins.iter().copied().partition(|(game, _)| is_played_out(game));
    let mut best = ended.iter().map(|(game, _)| WinLength::exact(game.plies)).reduce(WinLength::shorter);
    cut.sort_by_key(|(game, _)| (game.plies, game.segment, game.row));
    for (game, winner) in cut {
        let limit = best.and_then(|best| best.max);
        // The board can already show the end, so the win may have the length of the game.
        if limit.is_some_and(|limit| game.plies >= limit) {
            break;
        }
        let length = meter.length(&game, winner)?;
        best = Some(best.map_or(length, |best| best.shorter(length)));
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use tafl_corpus::{GameResult, GeneratedGame, Ingest, IngestOptions, Preparer};
    use tafl_parser::{RuleChoice, tag};
    use tafl_rules::{Move, Outcome, Rng, catalog};

    use super::super::tests::game;
    use super::*;
    use crate::measure::{GamesToLoad, load_games};

    /// Returns whether the side to move has a move that wins at once.
    fn wins_now(board: &Game) -> bool {
        let side = board.to_move();
        board.moves().into_iter().any(|mv| {
            let mut after = board.clone();
            after.play(mv).unwrap().outcome.is_some_and(|outcome| outcome.winner == Some(side))
        })
    }

    /// Plays random games until the side to move loses in exactly two plies, whatever it plays.
    fn lost_in_two(rules: &RuleChoice) -> (Vec<Move>, Side) {
        let mut rng = Rng::new(3);
        loop {
            let (mut board, mut moves) = (Game::new(&rules.chosen().book), Vec::new());
            while board.outcome().is_none() && moves.len() < 40 {
                let legal = board.moves();
                let mv = legal[rng.below(legal.len())];
                board.play(mv).unwrap();
                moves.push(mv);
                let answers = board.moves();
                let is_lost = board.outcome().is_none()
                    && answers.iter().all(|mv| {
                        let mut after = board.clone();
                        after.play(*mv).unwrap().outcome.is_none() && wins_now(&after)
                    });
                if is_lost {
                    return (moves, board.to_move().other());
                }
            }
        }
    }

    /// A meter for games whose last board shows the end.
    struct Ended;

    impl WinMeter for Ended {
        fn length(&mut self, game: &GameFacts, _: Side) -> Result<WinLength> {
            Ok(WinLength::exact(game.plies))
        }
    }

    #[test]
    fn a_game_that_ended_on_the_board_one_ply_earlier_is_shorter() {
        let on_board = game(None, GameResult::Attackers, 10);
        let resigned =
            GameFacts { reason: Some(Reason::Resignation), ..game(None, GameResult::Attackers, 9) };
        let wins = [on_board, resigned].map(|game| (game, Side::Attackers));
        assert_eq!(shortest_win(&wins, &mut Ended).unwrap(), Some(WinLength::exact(9)));
    }

    #[test]
    fn the_solver_finishes_a_game_that_was_given_up() {
        let rules = RuleChoice::named(catalog::find("brandubh7").unwrap());
        let (moves, winner) = lost_in_two(&rules);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        let mut ingest = Ingest::begin(&path, &IngestOptions::default()).unwrap();
        let tags = [(tag::ATTACKERS, "Ann"), (tag::DEFENDERS, "Bo")];
        let mut preparer = Preparer::default();
        // The first game was given up two plies before its end, and the other one after its first ply.
        for moves in [&moves[..], &moves[..1]] {
            let outcome = Some(Outcome::win(winner, Reason::Resignation));
            let made = GeneratedGame { rules: &rules, moves, outcome, tags: &tags };
            ingest.add_game(preparer.prepare_generated(&made).unwrap()).unwrap();
        }
        ingest.finish().unwrap();
        let corpus = Corpus::open(&path).unwrap();
        let games = load_games(&corpus, GamesToLoad::All).unwrap();
        let n = moves.len() as u32;
        let mut meter = SolverMeter::new(&corpus, 2000);
        let found: Vec<WinLength> =
            games.rows.iter().map(|game| meter.length(game, winner).unwrap()).collect();
        assert_eq!(found, [WinLength::exact(n + 2), WinLength { min: 2, max: None }]);
        assert_eq!(NoSolver.length(&games.rows[0], winner).unwrap(), WinLength { min: n + 1, max: None });
        let wins: Vec<_> = games.rows.iter().map(|game| (*game, winner)).collect();
        let shortest = shortest_win(&wins, &mut meter).unwrap().unwrap();
        assert_eq!(shortest, WinLength { min: 2, max: Some(n + 2) });
        assert_eq!((shortest.known(), shortest_win(&[], &mut meter).unwrap()), (None, None));
    }
}
