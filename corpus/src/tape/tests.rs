//! What is written on a tape comes back from it.

use ownedbytes::OwnedBytes;
use tafl_rules::facts::{Event, Events, Facts, KingStatus};
use tafl_rules::{AnyRulebook, BySide, Game, RuleSet, catalog};

use super::{Arena, GameResult, GoesOn, MOST_ARENAS, Tape, TapeError, TapeWriter};

/// Facts that differ from ply to ply, so that a mixed up byte shows.
fn facts(ply: u32) -> Facts {
    let sight = KingStatus::from_code((ply * 37 % 128) as u8);
    Facts {
        events: if ply.is_multiple_of(3) {
            Events::from_iter([Event::Capture, Event::KingMoved])
        } else {
            Events::NONE
        },
        kings: BySide {
            attackers: ply.is_multiple_of(5).then_some(sight),
            defenders: (!ply.is_multiple_of(7)).then_some(sight),
        },
    }
}

fn arena(rules: &RuleSet) -> Arena {
    Arena { rules: rules.to_string(), start: rules.start.to_string(), first: rules.first_mover }
}

/// Writes games in which the first, third, ninth ... legal move is played, and returns the tape with the games.
fn tape_of(variants: &[&str], n_plies: u32) -> (Vec<u8>, Vec<Vec<tafl_rules::Setup>>) {
    let mut writer = TapeWriter::default();
    let mut games = Vec::new();
    for name in variants {
        let rules = catalog::find(name).unwrap().rules();
        let mut game = Game::new(&AnyRulebook::compile(&rules).unwrap());
        let mut positions = vec![game.setup()];
        writer.begin(&arena(&rules), game.shape(), &facts(0));
        for ply in 1..=n_plies {
            let moves = game.moves();
            let Some(mv) = moves.get(ply as usize * 7919 % moves.len().max(1)) else { break };
            let Ok(played) = game.play(*mv) else { break };
            let captured: Vec<_> = played.captured.iter().collect();
            let goes_on = if played.goes_on { GoesOn::SameSide } else { GoesOn::OtherSide };
            writer.ply(*mv, &captured, goes_on, &facts(ply));
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
        tape_of(&["brandubh7", "copenhagen", "alea-evangelii", "hexentafl4", "cyngesheall7"], 60);
    let tape = Tape::open(OwnedBytes::new(bytes)).unwrap();
    assert_eq!(tape.n_games() as usize, games.len());
    let mut n_positions = 0;
    for (game, positions) in (0..).zip(&games) {
        let mut player = tape.play(game).unwrap();
        assert_eq!(tape.entry(game).n_plies as usize + 1, positions.len());
        assert_eq!(tape.entry(game).result, GameResult::Draw);
        for (ply, position) in (0..).zip(positions) {
            assert_eq!(player.moment().setup(), *position);
            assert_eq!((player.moment().ply, player.moment().facts), (ply, facts(ply)));
            assert_eq!(player.advance().unwrap(), (ply as usize) + 1 < positions.len());
            n_positions += 1;
        }
    }
    assert!(n_positions > 200, "{n_positions}");
}

#[test]
fn blocks_lead_to_their_games() {
    let (bytes, _) = tape_of(&["brandubh7", "brandubh7", "tablut-linnaeus", "copenhagen"], 50);
    let tape = Tape::open(OwnedBytes::new(bytes)).unwrap();
    let mut block = 0;
    for game in 0..tape.n_games() {
        for _ in 0..tape.entry(game).n_blocks() {
            assert_eq!(tape.game_of_block(block), game);
            block += 1;
        }
    }
    assert_eq!(block, tape.n_blocks());
}

#[test]
fn a_tape_is_full_when_games_cannot_name_more_arenas() {
    let rules = catalog::find("brandubh7").unwrap().rules();
    let (first, shape) = (arena(&rules), rules.shape());
    let mut writer = TapeWriter::default();
    let mut begin = |number: usize| {
        writer.begin(&Arena { start: number.to_string(), ..first.clone() }, shape, &facts(0));
        writer.end(GameResult::Draw);
        writer.is_full()
    };
    assert!((1..MOST_ARENAS).all(|number| !begin(number)));
    assert!(begin(MOST_ARENAS));
    assert!(begin(7), "what is there has room");
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    let (bytes, _) = tape_of(&["brandubh7", "alea-evangelii"], 30);
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert_eq!(Tape::open(OwnedBytes::new(newer)).unwrap_err(), TapeError::Version { found: 2 });
    for cut in 0..bytes.len() {
        assert!(Tape::open(OwnedBytes::new(bytes[..cut].to_vec())).is_err(), "cut at {cut}");
    }
    let mut n_errors = 0;
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let Ok(tape) = Tape::open(OwnedBytes::new(damaged)) else {
            n_errors += 1;
            continue;
        };
        for game in 0..tape.n_games() {
            let Ok(mut player) = tape.play(game) else { continue };
            while let Ok(true) = player.advance() {}
        }
    }
    assert!(n_errors > 20, "{n_errors}");
}
