//! Move logs are read as they were written.

use ownedbytes::OwnedBytes;
use tafl_rules::{AnyRulebook, BySide, Event, Events, Facts, Game, KingStatus, RuleSet, catalog};

use super::{ENTRY, GameResult, GameSetup, MAGIC, MAX_SETUPS, MoveLog, MoveLogError, MoveLogWriter};
use crate::ply_state::CellContent;

/// Facts that differ from ply to ply, so that a mixed up byte shows.
fn facts(ply: u32) -> Facts {
    let status = KingStatus::from_code((ply * 37 % 128) as u8);
    Facts {
        events: if ply.is_multiple_of(3) {
            Events::from_iter([Event::Capture, Event::KingMoved])
        } else {
            Events::NONE
        },
        kings: BySide {
            attackers: ply.is_multiple_of(5).then_some(status),
            defenders: (!ply.is_multiple_of(7)).then_some(status),
        },
    }
}

fn game_setup(rules: &RuleSet) -> GameSetup {
    GameSetup { rules: rules.to_string(), start: rules.start.to_string(), first: rules.first_mover }
}

/// Writes games in which the first, third, ninth ... legal move is played, and returns the move log with the games.
fn log_of(variants: &[&str], n_plies: u32) -> (Vec<u8>, Vec<Vec<tafl_rules::Setup>>) {
    let mut writer = MoveLogWriter::default();
    let mut games = Vec::new();
    for name in variants {
        let rules = catalog::find(name).unwrap().rules();
        let mut game = Game::new(&AnyRulebook::compile(&rules).unwrap());
        let mut positions = vec![game.setup()];
        writer.begin(&game_setup(&rules), game.shape(), &facts(0));
        for ply in 1..=n_plies {
            let moves = game.moves();
            let Some(mv) = moves.get(ply as usize * 7919 % moves.len().max(1)) else { break };
            let Ok(played) = game.play(*mv) else { break };
            let captured: Vec<_> = played.captured.iter().collect();
            writer.ply(*mv, &captured, played.goes_on, &facts(ply));
            positions.push(game.setup());
        }
        writer.end(GameResult::Draw);
        games.push(positions);
    }
    (writer.finish(), games)
}

#[test]
fn every_position_and_fact_comes_back() {
    let (bytes, games) =
        log_of(&["brandubh7", "copenhagen", "alea-evangelii", "hexentafl4", "cyngesheall7"], 60);
    let move_log = MoveLog::open(OwnedBytes::new(bytes)).unwrap();
    assert_eq!(move_log.n_games() as usize, games.len());
    let mut n_positions = 0;
    for (game, positions) in (0..).zip(&games) {
        let mut cursor = move_log.cursor(game).unwrap();
        assert_eq!(move_log.entry(game).n_plies as usize + 1, positions.len());
        assert_eq!(move_log.entry(game).result, GameResult::Draw);
        for (ply, position) in (0..).zip(positions) {
            assert_eq!(cursor.state().setup(), *position);
            assert_eq!((cursor.state().ply, cursor.state().facts), (ply, facts(ply)));
            assert_eq!(cursor.advance().unwrap(), (ply as usize) + 1 < positions.len());
            n_positions += 1;
        }
    }
    assert!(n_positions > 200, "{n_positions}");
}

/// Returns the boards of a game by its changes, and whether they end with an error.
fn boards_by_changes(move_log: &MoveLog, game: u32) -> (Vec<Vec<CellContent>>, bool) {
    let cursor = move_log.cursor(game).unwrap();
    let mut changes = cursor.board_changes();
    let mut board = cursor.state().board().to_vec();
    let (mut boards, mut copy) = (vec![board.clone()], board.clone());
    loop {
        let put = |cell: usize, before, after| {
            assert_eq!(std::mem::replace(&mut copy[cell], after), before, "the content before");
        };
        match changes.advance(&mut board, put) {
            Ok(true) => boards.push(board.clone()),
            ended => return (boards, ended.is_err()),
        }
        assert_eq!(board, copy, "every change is passed");
    }
}

/// Returns the boards of a replayed game, and whether they end with an error.
fn boards_by_replay(move_log: &MoveLog, game: u32) -> (Vec<Vec<CellContent>>, bool) {
    let mut cursor = move_log.cursor(game).unwrap();
    let mut boards = vec![cursor.state().board().to_vec()];
    loop {
        match cursor.advance() {
            Ok(true) => boards.push(cursor.state().board().to_vec()),
            ended => return (boards, ended.is_err()),
        }
    }
}

#[test]
fn changes_lead_to_the_boards_of_a_replay() {
    // Cells of one and of two bytes, a hexagonal board, chains of captures, and mercenaries, which change sides.
    let variants = ["brandubh7", "copenhagen", "alea-evangelii", "hexentafl4", "berserk11", "cyngesheall7"];
    let (bytes, games) = log_of(&variants, 90);
    let move_log = MoveLog::open(OwnedBytes::new(bytes)).unwrap();
    let mut n_boards = 0;
    for (game, positions) in (0..).zip(&games) {
        let (boards, fails) = boards_by_changes(&move_log, game);
        assert!(!fails && boards.len() == positions.len(), "game {game}");
        assert_eq!(boards, boards_by_replay(&move_log, game).0, "game {game}");
        n_boards += boards.len();
    }
    assert!(n_boards > 300, "{n_boards}");
}

/// Returns the bytes of a move log of version 1 with the same games, by the description of that version.
fn first_version_of(move_log: &MoveLog) -> Vec<u8> {
    let mut bytes = [&MAGIC[..], &1u32.to_le_bytes()].concat();
    let mut directory = Vec::new();
    for game in 0..move_log.n_games() {
        let entry = move_log.entry(game);
        directory.extend((bytes.len() as u64).to_le_bytes());
        directory.extend(entry.n_plies.to_le_bytes());
        directory.extend(entry.first_block.to_le_bytes());
        directory.extend(entry.game_setup.to_le_bytes());
        directory.extend([entry.result as u8, 0]);
        let mut cursor = move_log.cursor(game).unwrap();
        let is_wide = cursor.state().board().len() > 256;
        let cell = |bytes: &mut Vec<u8>, cell: tafl_rules::Cell| {
            let [low, high] = (cell.index() as u16).to_le_bytes();
            bytes.extend([low, high].iter().take(1 + usize::from(is_wide)));
        };
        let mut mover = None;
        loop {
            let state = cursor.state().clone();
            if let Some(mv) = state.last {
                cell(&mut bytes, mv.from);
                cell(&mut bytes, mv.to);
            }
            let Facts { events, kings } = state.facts;
            let head = bytes.len();
            bytes.push(state.captured.len().min(7) as u8);
            bytes[head] |= u8::from(state.last.is_some() && mover == Some(state.to_move)) << 3;
            mover = Some(state.to_move);
            bytes[head] |= u8::from(!events.is_empty()) << 4;
            bytes[head] |=
                u8::from(kings.attackers.is_some()) << 5 | u8::from(kings.defenders.is_some()) << 6;
            if state.captured.len() >= 7 {
                bytes.push(state.captured.len() as u8);
            }
            if !events.is_empty() {
                bytes.extend(events.bits().to_le_bytes());
            }
            bytes.extend(kings.defenders.map(KingStatus::code));
            bytes.extend(kings.attackers.map(KingStatus::code));
            state.captured.iter().for_each(|captured| cell(&mut bytes, *captured));
            if !cursor.advance().unwrap() {
                break;
            }
        }
    }
    let places = [bytes.len(), bytes.len() + directory.len()];
    assert_eq!(directory.len(), ENTRY * move_log.n_games() as usize);
    bytes.extend(directory);
    bytes.extend(serde_json::to_vec(move_log.game_setups()).unwrap());
    places.iter().for_each(|place| bytes.extend((*place as u64).to_le_bytes()));
    bytes.extend(move_log.n_games().to_le_bytes());
    bytes.extend(move_log.n_blocks().to_le_bytes());
    bytes.extend(MAGIC);
    bytes
}

#[test]
fn the_first_version_is_read_as_well() {
    let variants = ["brandubh7", "alea-evangelii", "hexentafl4", "berserk11", "cyngesheall7"];
    let (bytes, _) = log_of(&variants, 80);
    let new = MoveLog::from_bytes(bytes.clone()).unwrap();
    let old_bytes = first_version_of(&new);
    assert!(old_bytes.len() > bytes.len());
    let old = MoveLog::from_bytes(old_bytes).unwrap();
    assert_eq!(old.game_setups(), new.game_setups());
    for game in 0..new.n_games() {
        assert_eq!(boards_by_changes(&old, game), boards_by_changes(&new, game));
        let (mut old, mut new) = (old.cursor(game).unwrap(), new.cursor(game).unwrap());
        loop {
            assert_eq!(old.state(), new.state());
            let goes_on = old.advance().unwrap();
            assert_eq!(new.advance().unwrap(), goes_on);
            if !goes_on {
                break;
            }
        }
    }
}

#[test]
fn more_sets_of_events_than_have_a_number_are_kept() {
    let rules = catalog::find("brandubh7").unwrap().rules();
    let game = Game::new(&AnyRulebook::compile(&rules).unwrap());
    let mv = game.moves()[0];
    let sets: Vec<Events> = (1..400).map(Events::from_bits).collect();
    let mut writer = MoveLogWriter::default();
    for set in &sets {
        writer.begin(&game_setup(&rules), game.shape(), &Facts::default());
        writer.ply(mv, &[], false, &Facts { events: *set, ..Facts::default() });
        writer.end(GameResult::Draw);
    }
    let move_log = MoveLog::from_bytes(writer.finish()).unwrap();
    for (number, set) in (0..).zip(&sets) {
        let mut cursor = move_log.cursor(number).unwrap();
        assert!(cursor.advance().unwrap());
        assert_eq!(cursor.state().facts.events, *set);
        assert!(!boards_by_changes(&move_log, number).1);
    }
}

#[test]
fn blocks_lead_to_their_games() {
    let (bytes, _) = log_of(&["brandubh7", "brandubh7", "tablut-linnaeus", "copenhagen"], 50);
    let move_log = MoveLog::open(OwnedBytes::new(bytes)).unwrap();
    let mut block = 0;
    for game in 0..move_log.n_games() {
        for _ in 0..move_log.entry(game).n_blocks() {
            assert_eq!(move_log.game_of_block(block), game);
            assert!((0..=game).all(|first| move_log.game_of_block_from(block, first) == game));
            block += 1;
        }
    }
    assert_eq!(block, move_log.n_blocks());
}

#[test]
fn a_move_log_is_full_at_the_maximum_number_of_setups() {
    let rules = catalog::find("brandubh7").unwrap().rules();
    let (first, shape) = (game_setup(&rules), rules.shape());
    let mut writer = MoveLogWriter::default();
    let mut begin = |number: usize| {
        writer.begin(&GameSetup { start: number.to_string(), ..first.clone() }, shape, &facts(0));
        writer.end(GameResult::Draw);
        writer.is_full()
    };
    assert!((1..MAX_SETUPS).all(|number| !begin(number)));
    assert!(begin(MAX_SETUPS));
    assert!(begin(7), "what is there has room");
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    let (bytes, _) = log_of(&["brandubh7", "alea-evangelii"], 30);
    let mut newer = bytes.clone();
    newer[8] = 3;
    assert_eq!(MoveLog::open(OwnedBytes::new(newer)).unwrap_err(), MoveLogError::Version { found: 3 });
    for cut in 0..bytes.len() {
        assert!(MoveLog::open(OwnedBytes::new(bytes[..cut].to_vec())).is_err(), "cut at {cut}");
    }
    let mut n_errors = 0;
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let Ok(move_log) = MoveLog::open(OwnedBytes::new(damaged)) else {
            n_errors += 1;
            continue;
        };
        for game in 0..move_log.n_games() {
            if move_log.cursor(game).is_ok() {
                let (_, fails) = boards_by_replay(&move_log, game);
                assert_eq!(boards_by_changes(&move_log, game).1, fails, "byte {at}, game {game}");
            }
        }
    }
    assert!(n_errors > 20, "{n_errors}");
}
