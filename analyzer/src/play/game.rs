//! A game between two players.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tafl_rules::{AnyRulebook, BySide, Game, Move, Outcome, Reason, Side};

use super::player::{Decision, Player, PlayerChoice, PlayerError, PlayerView};
use super::proof;
use crate::limits::{Depth, Nodes, is_set};
use crate::score::PovScore;

/// The handling of short wins that can be proven, see `proof`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Proofs {
    /// The game is played to the end.
    #[default]
    Play,
    /// The game ends if a player claims to win within three plies and the claim is verified against
    /// every answer.
    End,
}

/// The conditions of a game, besides the rules.
#[derive(Debug, Clone, Default)]
pub struct MatchTerms {
    /// The number of plies, including the opening, after which a game is left unfinished; `None`
    /// for no limit.
    pub plies: Option<u32>,
    /// The handling of proofs.
    pub proofs: Proofs,
    /// A flag that stops the game when another thread sets it.
    pub stop: Option<Arc<AtomicBool>>,
}

impl MatchTerms {
    fn is_stopped(&self) -> bool {
        is_set(self.stop.as_deref())
    }
}

/// A ply of a game, with the player's remarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchPly {
    /// The move.
    pub mv: Move,
    /// The side that made the move.
    pub side: Side,
    /// The player's score of the position; `None` in openings or if the player reports none.
    pub score: Option<PovScore>,
    /// The depth of the player's search; `None` in openings or if the player reports none.
    pub depth: Option<Depth>,
    /// The number of nodes visited by the player; `None` in openings or if the player reports none.
    pub nodes: Option<Nodes>,
    /// The time that the player took.
    pub time: Duration,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchEnding {
    /// By the rules.
    Rules(Outcome),
    /// A side had a proven win, and the conditions end the game in this case.
    Proven(Side),
    /// A side resigned, or did not move although it had no immediate win.
    Resigned(Side),
    /// A side could not continue.
    Forfeit(Side, PlayerError),
    /// The player of a side could not start, so the game has no result.
    NotStarted(Side, PlayerError),
    /// The ply limit was reached.
    PlyLimit,
    /// The game was stopped from outside.
    Stopped,
}

impl MatchEnding {
    /// Returns the outcome; `None` if the game has no result. Results are never guessed.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            MatchEnding::Rules(outcome) => Some(*outcome),
            MatchEnding::Proven(side) => Some(Outcome::win(*side, Reason::Adjudication)),
            MatchEnding::Resigned(side) => Some(Outcome::win(side.other(), Reason::Resignation)),
            MatchEnding::Forfeit(side, PlayerError::Silent { .. }) => {
                Some(Outcome::win(side.other(), Reason::Timeout))
            }
            MatchEnding::Forfeit(side, _) => Some(Outcome::win(side.other(), Reason::Adjudication)),
            MatchEnding::NotStarted(..) | MatchEnding::PlyLimit | MatchEnding::Stopped => None,
        }
    }
}

/// Writes the ending, such as `attackers win (king captured)`, `unfinished (ply limit)`, or
/// `defenders forfeit (...)`.
impl fmt::Display for MatchEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchEnding::Rules(outcome) => write!(f, "{outcome}"),
            MatchEnding::Proven(side) => write!(f, "{side} win (proven)"),
            MatchEnding::Resigned(side) => write!(f, "{} win (resignation)", side.other()),
            MatchEnding::Forfeit(side, error) => write!(f, "{side} forfeit ({error})"),
            MatchEnding::NotStarted(side, error) => write!(f, "unfinished ({side} not started: {error})"),
            MatchEnding::PlyLimit => f.write_str("unfinished (ply limit)"),
            MatchEnding::Stopped => f.write_str("unfinished (stopped)"),
        }
    }
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchGame {
    /// The plies, including the opening.
    pub plies: Vec<MatchPly>,
    /// The number of plies in the opening.
    pub opening: usize,
    /// The ending.
    pub ending: MatchEnding,
    /// The number of times that a side did not move and an immediate win was played for it.
    pub helped: BySide<u32>,
}

impl MatchGame {
    /// Returns the moves.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.plies.iter().map(|ply| ply.mv)
    }
}

/// Plays a game from the start position of the rules: the opening, followed by the moves of the
/// players.
///
/// The game ends by the rules, by resignation, when a player cannot continue, or at a limit, which
/// leaves it unfinished. If a player cannot start, the game has no result. An illegal move ends the opening.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{MatchTerms, RandomPlayer, play_game};
/// use tafl_rules::{AnyRulebook, BySide, RuleSet};
///
/// let book = AnyRulebook::compile(&RuleSet::named("brandubh7")?)?;
/// let (mut one, mut other) = (RandomPlayer::new(1), RandomPlayer::new(2));
/// let players = BySide { attackers: &mut one as _, defenders: &mut other as _ };
/// let terms = MatchTerms { plies: Some(20), ..MatchTerms::default() };
/// let played = play_game(&book, &[], players, &terms);
/// println!("{} plies, {}", played.plies.len(), played.ending);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play_game(
    book: &AnyRulebook,
    opening: &[Move],
    players: BySide<&mut dyn Player>,
    terms: &MatchTerms,
) -> MatchGame {
    let mut current = GameInProgress {
        game: Game::new(book),
        moves: Vec::new(),
        declined: false,
        played: MatchGame {
            plies: Vec::new(),
            opening: 0,
            ending: MatchEnding::Stopped,
            helped: BySide::default(),
        },
    };
    for mv in opening {
        current.declines_by(*mv);
        let side = current.game.to_move();
        if current.game.outcome().is_some()
            || current.make_move(side, PlayerChoice::bare(*mv), Duration::ZERO).is_err()
        {
            break;
        }
    }
    current.played.opening = current.moves.len();
    current.played.ending = current.play_to_end(book, players, terms);
    current.played
}

/// A game in progress.
struct GameInProgress {
    game: Game,
    moves: Vec<Move>,
    /// Whether the chain of the last move was declined.
    declined: bool,
    played: MatchGame,
}

impl GameInProgress {
    fn play_to_end(
        &mut self,
        book: &AnyRulebook,
        mut players: BySide<&mut dyn Player>,
        terms: &MatchTerms,
    ) -> MatchEnding {
        for side in Side::ALL {
            if let Err(error) = players[side].begin(book) {
                return MatchEnding::NotStarted(side, error);
            }
        }
        loop {
            if let Some(outcome) = self.game.outcome() {
                return MatchEnding::Rules(outcome);
            }
            if terms.plies.is_some_and(|most| self.moves.len() >= most as usize) {
                return MatchEnding::PlyLimit;
            }
            if terms.is_stopped() {
                return MatchEnding::Stopped;
            }
            let side = self.game.to_move();
            if let Some(ending) = self.play_turn(side, &mut *players[side], terms) {
                return ending;
            }
        }
    }

    /// Lets a side make a move, and returns the ending if the game is over.
    fn play_turn(&mut self, side: Side, player: &mut dyn Player, terms: &MatchTerms) -> Option<MatchEnding> {
        let began = Instant::now();
        let answer =
            player.choose(PlayerView { game: &self.game, moves: &self.moves, declined: self.declined });
        let time = began.elapsed();
        let choice = match answer {
            // A player that was stopped answered early, so its answer is ignored.
            Ok(_) | Err(_) if terms.is_stopped() => return Some(MatchEnding::Stopped),
            Ok(Decision::Move(choice)) => choice,
            Ok(Decision::Pass) => {
                if self.decline_chain() {
                    return None;
                }
                let Some(mv) = proof::immediate_win(&self.game) else {
                    return Some(MatchEnding::Resigned(side));
                };
                self.played.helped[side] += 1;
                PlayerChoice::bare(mv)
            }
            Ok(Decision::Resign) => return Some(MatchEnding::Resigned(side)),
            Err(error) => return Some(MatchEnding::Forfeit(side, error)),
        };
        if self.declines_by(choice.mv) {
            return None;
        }
        let is_proven = terms.proofs == Proofs::End && self.is_proven_claim(side, choice);
        if let Err(error) = self.make_move(side, choice, time) {
            return Some(MatchEnding::Forfeit(side, error));
        }
        (is_proven && self.game.outcome().is_none()).then_some(MatchEnding::Proven(side))
    }

    /// Ends a chain that the side to move declines by naming a move of the other side, and returns whether it does. The player
    /// of the other side then chooses that side's move.
    fn declines_by(&mut self, mv: Move) -> bool {
        let is_other = self.game.piece(mv.from).is_some_and(|piece| piece.side != self.game.to_move());
        is_other && self.decline_chain()
    }

    /// Ends a chain that the side to move may decline, and returns whether it may.
    fn decline_chain(&mut self) -> bool {
        let may_decline = self.game.decline_chain();
        self.declined |= may_decline;
        may_decline
    }

    /// Returns whether a player claims to win within three plies and the claim is true.
    fn is_proven_claim(&self, side: Side, choice: PlayerChoice) -> bool {
        let claim = choice.score.map(|score| score.for_side(side));
        let is_near = claim.is_some_and(|score| {
            score.value() > 0 && score.distance().is_some_and(|plies| (2..=3).contains(&plies))
        });
        is_near && proof::wins_within_three_plies(&self.game, choice.mv)
    }

    fn make_move(&mut self, side: Side, choice: PlayerChoice, time: Duration) -> Result<(), PlayerError> {
        let PlayerChoice { mv, score, depth, nodes } = choice;
        let shape = self.game.shape();
        self.game.play(mv).map_err(|rule| PlayerError::Illegal {
            mv,
            text: mv.display(shape).to_string(),
            why: rule.describe(shape, mv),
            rule,
        })?;
        self.moves.push(mv);
        self.declined = false;
        self.played.plies.push(MatchPly { mv, side, score, depth, nodes, time });
        Ok(())
    }
}
