//! The workloads with the crate `hnefatafl`, in its fastest configuration: the narrowest integer for the board, without a
//! history and a repetition rule.

use std::str::FromStr;

use hnefatafl::aliases::{MediumBasicBoardState, SmallBasicBoardState};
use hnefatafl::board::state::BoardState;
use hnefatafl::collections::piecemap::PieceMap;
use hnefatafl::collections::tileset::TileSet;
use hnefatafl::game::logic::GameLogic;
use hnefatafl::game::state::GameState;
use hnefatafl::game::{GameOutcome, GameStatus};
use hnefatafl::pieces::Side;
use hnefatafl::play::Play;
use hnefatafl::preset::{boards, rules};
use hnefatafl::rules::Ruleset;
use hnefatafl::tiles::Tile;
use tafl_rules::Leaves;

use crate::{Tally, Variant};

/// A game of a text: plays with the written captures, and the result.
pub(crate) struct Game<'t> {
    plays: Vec<(Play, Vec<Tile>)>,
    result: &'t str,
}

/// The program with the rules of a variant.
pub(crate) enum Peer {
    Small(Logic<SmallBasicBoardState>),
    Medium(Logic<MediumBasicBoardState>),
}

/// Rules and start.
pub(crate) struct Logic<B: BoardState> {
    logic: GameLogic<B>,
    start: GameState<B>,
}

impl Peer {
    /// Returns the program with the rules of a variant.
    pub(crate) fn new(variant: Variant) -> Peer {
        match variant {
            Variant::Copenhagen => Peer::Medium(Logic::new(rules::COPENHAGEN, boards::COPENHAGEN)),
            Variant::Brandubh => Peer::Small(Logic::new(rules::BRANDUBH, boards::BRANDUBH)),
        }
    }

    /// Counts the sequences of moves of a depth.
    pub(crate) fn perft(&self, depth: u32, leaves: Leaves) -> u64 {
        match self {
            Peer::Small(logic) => logic.perft(&logic.start, depth, leaves),
            Peer::Medium(logic) => logic.perft(&logic.start, depth, leaves),
        }
    }
}

/// Parses and replays every game of a text.
pub(crate) fn from_text(variant: Variant, text: &str) -> Tally {
    let peer = Peer::new(variant);
    let mut tally = Tally::default();
    for game in games(text) {
        peer.add(&mut tally, &game);
    }
    tally
}

/// Parses every game of a text.
pub(crate) fn parse(text: &str) -> Vec<Game<'_>> {
    games(text).collect()
}

/// Replays parsed games.
pub(crate) fn replay(variant: Variant, games: &[Game<'_>]) -> Tally {
    let peer = Peer::new(variant);
    let mut tally = Tally::default();
    for game in games {
        peer.add(&mut tally, game);
    }
    tally
}

/// Returns the games of a text, parsed like in the crate's own test with real games.
fn games(text: &str) -> impl Iterator<Item = Game<'_>> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let mut columns = line.split(',');
        let moves = columns.next().unwrap_or("");
        let plays = moves.split(' ').filter_map(|word| {
            let mut parts = word.split('x');
            let play = Play::from_str(parts.next()?).ok()?;
            let captures = parts.map(Tile::from_str).collect::<Result<Vec<_>, _>>().ok()?;
            Some((play, captures))
        });
        Game { plays: plays.collect(), result: columns.next_back().unwrap_or("") }
    })
}

impl Peer {
    fn add(&self, tally: &mut Tally, game: &Game<'_>) {
        match self {
            Peer::Small(logic) => logic.add(tally, game),
            Peer::Medium(logic) => logic.add(tally, game),
        }
    }
}

impl<B: BoardState> Logic<B> {
    fn new(rules: Ruleset, board: &str) -> Logic<B> {
        let rules = Ruleset { repetition_rule: None, ..rules };
        let start = GameState::new(board, rules.starting_side).expect("the crate's own board");
        let start: GameState<B> = start;
        Logic { logic: GameLogic::new(rules, start.board.side_len()), start }
    }

    fn add(&self, tally: &mut Tally, game: &Game<'_>) {
        let mut state = self.start;
        tally.games += 1;
        for (play, written) in &game.plays {
            let king = state.board.get_king();
            let Ok(done) = self.logic.do_play(*play, state) else {
                tally.illegal += 1;
                break;
            };
            tally.plies += 1;
            // The texts do not contain captures of the king.
            let mut captured = done.record.effects.captures;
            if let Some(king) = king {
                captured.remove(king);
            }
            let written: TileSet<<B::PieceMap as PieceMap>::BitField> = TileSet::from(written.iter());
            let captured = captured.occupied();
            let differ = captured.difference(&written).count() + written.difference(&captured).count();
            tally.wrong_captures += u64::from(differ > 0);
            state = done.new_state;
        }
        if let GameStatus::Over(GameOutcome::Win(_, side)) = state.status {
            let winner = match side {
                Side::Attacker => "Black",
                Side::Defender => "White",
            };
            tally.wrong_results += u64::from(game.result != winner);
        }
    }

    fn perft(&self, state: &GameState<B>, depth: u32, leaves: Leaves) -> u64 {
        let mut count = 0;
        for tile in state.board.occupied_by_side(state.side_to_play) {
            let plays = self.logic.iter_plays(tile, state).expect("the tile has a piece");
            if depth == 1 && leaves == Leaves::Bulk {
                count += plays.count() as u64;
                continue;
            }
            for play in plays {
                let next = self.logic.do_valid_play(play, *state).new_state;
                count += match next.status {
                    _ if depth == 1 => 1,
                    GameStatus::Over(_) => 0,
                    GameStatus::Ongoing => self.perft(&next, depth - 1, leaves),
                };
            }
        }
        count
    }
}
