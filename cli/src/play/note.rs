//! Games as they are kept in files to go on from: all that results and records are made of.

use serde::{Deserialize, Serialize};
use tafl_analyzer::play::{Ending, PairScore, Played};
use tafl_rules::{BySide, Coord, Move, Outcome, Reason, Shape, Side};

/// What is kept of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameNote {
    /// The moves, such as `d1-d3 f4-f2`.
    pub(crate) moves: String,
    /// How many of them were the opening.
    pub(crate) opening: usize,
    /// What whoever moved thought of the position before each ply, in hundredths for itself; beyond 31,488 a win, below
    /// -31,488 a loss; nothing in openings and where the player says nothing.
    #[serde(default)]
    pub(crate) scores: Vec<Option<i16>>,
    /// `attackers`, `defenders`, `draw`, or nothing where the game has no result.
    pub(crate) winner: Option<String>,
    /// Why it ended, in the words of the JSON interface.
    pub(crate) reason: String,
    /// How it ended, in words.
    pub(crate) ending: String,
    /// Who could not go on, and which kind of fault that was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) fault: Option<FaultNote>,
    /// How often a winning move was played for the attackers and the defenders who gave none.
    #[serde(skip_serializing_if = "is_nothing", default)]
    pub(crate) helped: (u32, u32),
}

/// A player's fault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FaultNote {
    /// The side.
    pub(crate) side: String,
    /// The stable name of the kind.
    pub(crate) kind: String,
    /// What happened, in words.
    pub(crate) words: String,
}

fn is_nothing(helped: &(u32, u32)) -> bool {
    *helped == (0, 0)
}

impl GameNote {
    /// Returns the note of a game on a board.
    pub(crate) fn of(played: &Played, shape: Shape) -> GameNote {
        let outcome = played.ending.outcome();
        let BySide { attackers, defenders } = played.helped;
        let moves: Vec<String> = played.moves().map(|mv| mv.text(shape)).collect();
        GameNote {
            moves: moves.join(" "),
            opening: played.opening,
            scores: played.plies.iter().map(|ply| Some(ply.score?.for_side(ply.side).value())).collect(),
            winner: outcome.map(|outcome| outcome.winner_word().to_owned()),
            reason: outcome.map_or(Reason::Unfinished, |outcome| outcome.reason).words().to_owned(),
            ending: played.ending.to_string(),
            fault: match &played.ending {
                Ending::Forfeit(side, fault) => Some(FaultNote {
                    side: side.word().to_owned(),
                    kind: fault.kind().to_owned(),
                    words: fault.to_string(),
                }),
                Ending::Rules(_)
                | Ending::Proven(_)
                | Ending::Resigned(_)
                | Ending::PlyLimit
                | Ending::Stopped => None,
            },
            helped: (attackers, defenders),
        }
    }

    /// Returns who won and why; nothing where the game has no result.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let reason = Reason::from_words(&self.reason).unwrap_or(Reason::Unknown);
        let winner = self.winner.as_deref()?;
        Some(Outcome { winner: Side::from_word(winner), reason })
    }

    /// Returns the moves, as far as they can be read.
    pub(crate) fn moves(&self, shape: Shape) -> Vec<Move> {
        let cell = |name: &str| name.parse::<Coord>().ok().and_then(|coord| shape.cell(coord));
        let words = self.moves.split_whitespace();
        let moves = words.map_while(|word| {
            let (from, to) = word.split_once('-')?;
            Some(Move::new(cell(from)?, cell(to)?))
        });
        moves.collect()
    }
}

/// Two games from one opening: the first player has the attackers in the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PairNote {
    /// The games.
    pub(crate) games: [GameNote; 2],
}

impl PairNote {
    /// Returns what the pair is worth to the first player.
    pub(crate) fn score(&self) -> PairScore {
        let mut sum = 0;
        for (game, side) in self.games.iter().zip(Side::ALL) {
            let Some(outcome) = game.outcome() else { return PairScore::Unfinished };
            sum += match outcome.winner {
                Some(winner) if winner == side => 2,
                Some(_) => 0,
                None => 1,
            };
        }
        PairScore::HalfPoints(sum)
    }

    /// Returns whether a player could not go on.
    pub(crate) fn has_fault(&self) -> bool {
        self.games.iter().any(|game| game.fault.is_some())
    }
}
