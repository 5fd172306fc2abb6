//! One game between two players.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tafl_rules::{AnyRulebook, BySide, Game, Move, Outcome, Reason, Side};

use super::player::{Choice, Decision, Fault, Player, Standing};
use super::proof;
use crate::limits::{Depth, Nodes};
use crate::score::PovScore;

/// What happens when a side has a short win that is certain, see [`proof`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Proofs {
    /// The game is played to its end.
    #[default]
    Play,
    /// The game ends when the player says that it wins within three plies and every answer was tried.
    End,
}

/// What games are played under, besides the rules.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// After so many plies, those of the opening included, a game is left unfinished; nothing means no limit.
    pub plies: Option<u32>,
    /// What is done with proofs.
    pub proofs: Proofs,
    /// Set from outside to stop; the game under way is left.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Terms {
    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// A ply of a game, with what its player said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchPly {
    /// The move.
    pub mv: Move,
    /// Who made it.
    pub side: Side,
    /// What the player thought of the position; nothing in openings.
    pub score: Option<PovScore>,
    /// How deep the player searched.
    pub depth: Option<Depth>,
    /// How many positions the player looked at.
    pub nodes: Option<Nodes>,
    /// How long the player took.
    pub time: Duration,
}

/// How a game came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules(Outcome),
    /// A side was about to win whatever the other did, and it was agreed to stop then.
    Proven(Side),
    /// A side gave up, or had no move to give without being about to win.
    Resigned(Side),
    /// A side could not go on.
    Forfeit(Side, Fault),
    /// The most plies were played.
    PlyLimit,
    /// Somebody stopped it.
    Stopped,
}

impl Ending {
    /// Returns who won and why; nothing where the game has no result. No result is ever guessed.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Ending::Rules(outcome) => Some(*outcome),
            Ending::Proven(side) => Some(Outcome::win(*side, Reason::Adjudication)),
            Ending::Resigned(side) => Some(Outcome::win(side.other(), Reason::Resignation)),
            Ending::Forfeit(side, Fault::Silent { .. }) => Some(Outcome::win(side.other(), Reason::Timeout)),
            Ending::Forfeit(side, _) => Some(Outcome::win(side.other(), Reason::Adjudication)),
            Ending::PlyLimit | Ending::Stopped => None,
        }
    }
}

/// Writes `attackers win (king captured)`, `unfinished (ply limit)` or `defenders forfeit (...)`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Rules(outcome) => write!(f, "{outcome}"),
            Ending::Proven(side) => write!(f, "{side} win (proven)"),
            Ending::Resigned(side) => write!(f, "{} win (resignation)", side.other()),
            Ending::Forfeit(side, fault) => write!(f, "{side} forfeit ({fault})"),
            Ending::PlyLimit => f.write_str("unfinished (ply limit)"),
            Ending::Stopped => f.write_str("unfinished (stopped)"),
        }
    }
}

/// A game that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The plies, those of the opening first.
    pub plies: Vec<MatchPly>,
    /// How many plies were given as the opening.
    pub opening: usize,
    /// How it ended.
    pub ending: Ending,
    /// How often a side had no move to give and the winning move that was certain was played for it.
    pub helped: BySide<u32>,
}

impl Played {
    /// Returns the moves.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.plies.iter().map(|ply| ply.mv)
    }
}

/// Plays a game from the start of the rules: first the opening, then as the players choose.
///
/// The game ends by the rules, by resignation, when a player cannot go on, or at a limit, where it stays unfinished. An
/// opening is played as far as it is legal.
pub fn play_game(
    book: &AnyRulebook,
    opening: &[Move],
    players: BySide<&mut dyn Player>,
    terms: &Terms,
) -> Played {
    let mut table = GameTable {
        game: Game::new(book),
        moves: Vec::new(),
        played: Played { plies: Vec::new(), opening: 0, ending: Ending::Stopped, helped: BySide::default() },
    };
    for mv in opening {
        let side = table.game.to_move();
        if table.game.outcome().is_some() || table.make(side, Choice::bare(*mv), Duration::ZERO).is_err() {
            break;
        }
    }
    table.played.opening = table.moves.len();
    table.played.ending = table.go_on(book, players, terms);
    table.played
}

/// A game under way.
struct GameTable {
    game: Game,
    moves: Vec<Move>,
    played: Played,
}

impl GameTable {
    fn go_on(&mut self, book: &AnyRulebook, mut players: BySide<&mut dyn Player>, terms: &Terms) -> Ending {
        for side in Side::ALL {
            if let Err(fault) = players[side].begin(book) {
                return Ending::Forfeit(side, fault);
            }
        }
        loop {
            if let Some(outcome) = self.game.outcome() {
                return Ending::Rules(outcome);
            }
            if terms.plies.is_some_and(|most| self.moves.len() >= most as usize) {
                return Ending::PlyLimit;
            }
            if terms.is_stopped() {
                return Ending::Stopped;
            }
            let side = self.game.to_move();
            if let Some(ending) = self.turn(side, &mut *players[side], terms) {
                return ending;
            }
        }
    }

    /// Lets a side move once, and returns the end if that was one.
    fn turn(&mut self, side: Side, player: &mut dyn Player, terms: &Terms) -> Option<Ending> {
        let began = Instant::now();
        let answer = player.choose(Standing { game: &self.game, moves: &self.moves });
        let time = began.elapsed();
        let choice = match answer {
            // Whoever was stopped chose in a hurry: that counts for nothing.
            Ok(_) | Err(_) if terms.is_stopped() => return Some(Ending::Stopped),
            Ok(Decision::Move(choice)) => choice,
            Ok(Decision::Pass) => {
                let Some(mv) = proof::win_at_once(&self.game) else { return Some(Ending::Resigned(side)) };
                self.played.helped[side] += 1;
                Choice::bare(mv)
            }
            Ok(Decision::Resign) => return Some(Ending::Resigned(side)),
            Err(fault) => return Some(Ending::Forfeit(side, fault)),
        };
        let is_proven = terms.proofs == Proofs::End && self.claims_a_win(side, choice);
        if let Err(fault) = self.make(side, choice, time) {
            return Some(Ending::Forfeit(side, fault));
        }
        (is_proven && self.game.outcome().is_none()).then_some(Ending::Proven(side))
    }

    /// Returns whether a player says that it wins within three plies, and does.
    fn claims_a_win(&self, side: Side, choice: Choice) -> bool {
        let claim = choice.score.map(|score| score.for_side(side));
        let is_near = claim.is_some_and(|score| {
            score.value() > 0 && score.distance().is_some_and(|plies| (2..=3).contains(&plies))
        });
        is_near && proof::wins_by(&self.game, choice.mv)
    }

    fn make(&mut self, side: Side, choice: Choice, time: Duration) -> Result<(), Fault> {
        let Choice { mv, score, depth, nodes } = choice;
        let shape = self.game.shape();
        self.game.play(mv).map_err(|rule| Fault::Illegal {
            mv,
            text: mv.text(shape),
            why: rule.words(shape, mv),
            rule,
        })?;
        self.moves.push(mv);
        self.played.plies.push(MatchPly { mv, side, score, depth, nodes, time });
        Ok(())
    }
}
