//! Played games as they are saved, with everything that results and records need.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{MatchEnding, MatchGame, PairScore};
use tafl_parser::{CaptureStyle, Format, Record, Written, WrittenMove, WrittenResult, WrittenVerdict, tag};
use tafl_rules::{BySide, Game, Move, Outcome, Reason, Role, Shape, Side, Span};

use crate::CompiledVariant;

/// A played game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SavedGame {
    /// The moves, such as `d1-d3 f4-f2`.
    pub moves: String,
    /// The number of moves of the opening.
    pub opening: usize,
    /// The score before each ply, in hundredths of a man for the side to move; beyond 31,488 a win, below -31,488 a loss;
    /// null in openings and from players without scores.
    #[serde(default)]
    pub scores: Vec<Option<i16>>,
    /// `attackers`, `defenders` or `draw`; null without a result.
    pub winner: Option<String>,
    /// The reason of the end, in the words of the JSON interface.
    pub reason: String,
    /// The end, in a sentence.
    pub ending: String,
    /// The side that could not continue, and the reason.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<SavedFault>,
    /// The number of winning moves that were played for the attackers and the defenders, who gave none.
    #[serde(skip_serializing_if = "is_none_helped", default)]
    pub helped: (u32, u32),
}

/// The reason why a player could not continue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SavedFault {
    /// The side.
    pub side: String,
    /// The stable name of the kind.
    pub kind: String,
    /// The fault, in a sentence.
    pub words: String,
    /// The last lines that the player, if it is a program, wrote to its standard error.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub stderr: Vec<String>,
}

/// Two games from one opening: the first player has the attackers in the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SavedPair {
    /// The games.
    pub games: [SavedGame; 2],
}

fn is_none_helped(helped: &(u32, u32)) -> bool {
    *helped == (0, 0)
}

impl SavedGame {
    /// Returns a game that was played on a board.
    pub fn of(played: &MatchGame, shape: Shape) -> SavedGame {
        let outcome = played.ending.outcome();
        let BySide { attackers, defenders } = played.helped;
        let moves: Vec<String> = played.moves().map(|mv| mv.display(shape).to_string()).collect();
        SavedGame {
            moves: moves.join(" "),
            opening: played.opening,
            scores: played.plies.iter().map(|ply| Some(ply.score?.for_side(ply.side).value())).collect(),
            winner: outcome.map(|outcome| outcome.winner_name().to_owned()),
            reason: outcome.map_or(Reason::Unfinished, |outcome| outcome.reason).as_str().to_owned(),
            ending: played.ending.to_string(),
            fault: match &played.ending {
                MatchEnding::Forfeit(side, fault) | MatchEnding::NotStarted(side, fault) => {
                    Some(SavedFault {
                        side: side.as_str().to_owned(),
                        kind: fault.kind().to_owned(),
                        words: fault.to_string(),
                        stderr: fault.stderr().to_vec(),
                    })
                }
                MatchEnding::Rules(_)
                | MatchEnding::Proven(_)
                | MatchEnding::Resigned(_)
                | MatchEnding::PlyLimit
                | MatchEnding::Stopped => None,
            },
            helped: (attackers, defenders),
        }
    }

    /// Returns the winner and the reason; `None` without a result.
    pub fn outcome(&self) -> Option<Outcome> {
        let reason = self.reason.parse().unwrap_or(Reason::Unknown);
        let winner = self.winner.as_deref()?;
        Some(Outcome { winner: winner.parse().ok(), reason })
    }

    /// Returns the moves, as far as they can be read.
    pub fn moves(&self, shape: Shape) -> Vec<Move> {
        self.moves.split_whitespace().map_while(|word| Move::parse(word, shape).ok()).collect()
    }

    /// Returns the game as a record that replays without findings.
    pub fn record(&self, heading: &RecordHeading<'_>, rules: &CompiledVariant) -> Record {
        let CompiledVariant { variant, book } = rules;
        let shape = book.shape();
        let nowhere = Span::default();
        let mut record = Record::new(Format::Jsonl);
        let mut game = Game::new(book);
        let mut is_chained = false;
        for mv in self.moves(shape) {
            let before = game.setup();
            let Ok(ply) = game.play(mv) else { break };
            // Cells of kings are left out: most notations do not write them.
            let men =
                ply.captured.iter().filter(|cell| before.piece(*cell).is_none_or(|p| p.role != Role::King));
            let written = record.played_move(mv, men, shape);
            record.main_mut().moves.push(WrittenMove { chained: is_chained, ..written });
            is_chained = ply.goes_on;
        }
        record.capture_style = CaptureStyle::ListedButKings;
        let outcome = self.outcome();
        let verdict = match outcome.map(|outcome| outcome.winner) {
            Some(Some(side)) => WrittenVerdict::Win(side),
            Some(None) => WrittenVerdict::Draw,
            None => WrittenVerdict::Ongoing,
        };
        let reason = outcome.map(|outcome| outcome.reason);
        record.result = Some(WrittenResult { verdict, reason, span: nowhere });
        let written = |text: String| Some(Written { text: text.into(), span: nowhere });
        match variant.named {
            Some(named) => record.variant = written(named.name.to_owned()),
            None => record.rules = written(variant.rules.to_string()),
        }
        let tags = [
            (tag::ID, heading.id.as_str()),
            (tag::EVENT, heading.event),
            (tag::ATTACKERS, heading.attackers),
            (tag::DEFENDERS, heading.defenders),
            (tag::TERMINATION, self.ending.as_str()),
        ];
        tags.iter().for_each(|(name, value)| record.push_tag(name, value, nowhere));
        record.push_tag("opening-plies", &self.opening.to_string(), nowhere);
        heading.more.iter().for_each(|(name, value)| record.push_tag(name, value, nowhere));
        record
    }
}

/// The tags of a record that do not follow from the game.
pub struct RecordHeading<'a> {
    /// The record's own name.
    pub id: String,
    /// The event.
    pub event: &'a str,
    /// The player of the attackers.
    pub attackers: &'a str,
    /// The player of the defenders.
    pub defenders: &'a str,
    /// More tags: limits, seed.
    pub more: &'a [(&'static str, String)],
}

impl SavedPair {
    /// Returns the first player's points from the pair.
    pub fn score(&self) -> PairScore {
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

    /// Returns whether a player could not continue.
    pub fn has_fault(&self) -> bool {
        self.games.iter().any(|game| game.fault.is_some())
    }
}
