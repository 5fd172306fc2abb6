//! Tests of the engine.

mod chains;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tafl_rules::{
    AnyRulebook, Coord, Game, Move, Position, RepetitionMode, Rng, RuleSet, Rulebook, Setup, Side, catalog,
};

use super::{Engine, EngineError, Params, SearchLine, SearchOptions, SearchReport};
use crate::limits::{Depth, Limits};
use crate::position_error::PositionError;
use crate::score::Score;

fn rules(name: &str) -> RuleSet {
    catalog::find(name).unwrap().rules()
}

fn game(name: &str, position: &str, side: Side) -> (AnyRulebook, Game) {
    let rules = rules(name);
    let book = AnyRulebook::compile(&rules).unwrap();
    let setup = Setup::parse(rules.shape(), position).unwrap();
    let game = Game::from_setup(&book, &setup, side, RepetitionMode::Enforce).unwrap();
    (book, game)
}

fn best(name: &str, position: &str, side: Side, depth: u8) -> (String, Score) {
    let (book, game) = game(name, position, side);
    let report = Engine::new(&book, SearchOptions::default()).search(&game, &Limits::depth(depth)).unwrap();
    let mv = report.lines[0].moves[0];
    let name = |cell| game.shape().name(cell);
    (format!("{}-{}", name(mv.from), name(mv.to)), report.lines[0].score.for_side(side))
}

#[test]
fn king_escapes() {
    let (mv, score) = best("brandubh7", "/7/t5t/7/3K3/3T3/1t5/7/", Side::Defenders, 3);
    assert_eq!(score, Score::win_in(3), "{mv}");
}

#[test]
fn king_next_to_an_open_corner_wins_immediately() {
    let (mv, score) = best("brandubh7", "/1K5/7/3t3/7/7/3t3/7/", Side::Defenders, 2);
    assert_eq!((mv.as_str(), score), ("b1-a1", Score::win_in(1)));
}

#[test]
fn a_king_who_must_let_a_man_capture_does_not_escape() {
    let rules: RuleSet = "dim:7 cen: xforce:y start:/2K4/7/T6/1t5/1T5/7/6t/".parse().unwrap();
    let book = AnyRulebook::compile(&rules).unwrap();
    let game = Game::from_setup(&book, &rules.start, Side::Defenders, RepetitionMode::Enforce).unwrap();
    for depth in 1..5 {
        let report =
            Engine::new(&book, SearchOptions::default()).search(&game, &Limits::depth(depth)).unwrap();
        let line = &report.lines[0];
        assert_eq!(line.moves[0], game.parse_move("a3-b3").unwrap(), "depth {depth}");
        assert!(line.score.for_side(Side::Defenders) < Score::win_in(1), "depth {depth}: {:?}", line.score);
    }
}

#[test]
fn every_variant_of_the_catalog_gets_a_searched_legal_move() {
    for named in catalog::all() {
        let book = AnyRulebook::compile(&named.rules()).unwrap();
        let game = Game::new(&book);
        let options = SearchOptions { mebibytes: 1, ..SearchOptions::default() };
        let report = Engine::new(&book, options).search(&game, &Limits::depth(2)).unwrap();
        let line = &report.lines[0];
        assert_eq!(report.depth, Depth(2), "{}", named.name);
        // A search that missed legal moves would visit few nodes and return a line of one move.
        assert!(report.nodes.0 > game.count_moves(), "{}: {:?}", named.name, report.nodes);
        let mut game = game;
        for mv in &line.moves {
            assert!(game.play(*mv).is_ok(), "{}: {mv:?}", named.name);
        }
        assert!(line.moves.len() >= 2, "{}", named.name);
    }
}

#[test]
fn the_same_search_gives_the_same_answer() {
    let book = AnyRulebook::compile(&rules("copenhagen")).unwrap();
    let search = || {
        let report = Engine::new(&book, SearchOptions::default())
            .search(&Game::new(&book), &Limits::nodes(20_000))
            .unwrap();
        (report.lines, report.depth, report.nodes)
    };
    assert_eq!(search(), search());
}

#[test]
fn several_lines_begin_with_different_moves() {
    let book = AnyRulebook::compile(&rules("brandubh7")).unwrap();
    let limits = Limits { multi_pv: Some(5), ..Limits::depth(3) };
    let report = Engine::new(&book, SearchOptions::default()).search(&Game::new(&book), &limits).unwrap();
    let first: HashSet<_> = report.lines.iter().map(|line| line.moves[0]).collect();
    assert_eq!((report.lines.len(), first.len()), (5, 5));
    let scores: Vec<_> = report.lines.iter().map(|line| line.score.for_side(Side::Attackers)).collect();
    assert!(scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
}

#[test]
fn two_threads_find_a_win_as_well() {
    let (book, game) = game("brandubh7", "/7/t5t/7/3K3/3T3/1t5/7/", Side::Defenders);
    let options = SearchOptions { threads: 2, ..SearchOptions::default() };
    let report = Engine::new(&book, options).search(&game, &Limits::depth(5)).unwrap();
    assert_eq!(report.lines[0].score.for_side(Side::Defenders), Score::win_in(3));
}

#[test]
fn finished_games_and_limits_of_zero_are_rejected() {
    let (book, mut game) = game("brandubh7", "/1K5/7/3t3/7/7/3t3/7/", Side::Defenders);
    let mut engine = Engine::new(&book, SearchOptions::default());
    assert_eq!(engine.search(&game, &Limits::nodes(0)).unwrap_err(), EngineError::ZeroLimit("nodes"));
    let cell = |name: &str| game.shape().cell(name.parse::<Coord>().unwrap()).unwrap();
    let run = Move::new(cell("b1"), cell("a1"));
    game.play(run).unwrap();
    assert!(matches!(
        engine.search(&game, &Limits::depth(1)),
        Err(EngineError::Position(PositionError::GameOver(_)))
    ));
}

#[test]
fn time_limit_and_stop_flag_are_respected() {
    let book = AnyRulebook::compile(&rules("copenhagen")).unwrap();
    let mut engine = Engine::new(&book, SearchOptions::default());
    let begin = Instant::now();
    engine.search(&Game::new(&book), &Limits::time(Duration::from_millis(30))).unwrap();
    // A generous bound, because machines that run tests are busy.
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    let stop = Arc::new(AtomicBool::new(true));
    let limits = Limits { stop: Some(stop), ..Limits::default() };
    let report = engine.search(&Game::new(&book), &limits).unwrap();
    assert!(!report.lines[0].moves.is_empty());
}

/// Returns the moves of a game that the engine plays against itself, with the number of nodes of
/// each search.
fn played(engine: &mut Engine, book: &AnyRulebook, plies: usize) -> Vec<(Move, u64)> {
    let mut game = Game::new(book);
    let mut moves = Vec::new();
    for _ in 0..plies {
        let report = engine.search(&game, &Limits::depth(4)).unwrap();
        game.play(report.lines[0].moves[0]).unwrap();
        moves.push((report.lines[0].moves[0], report.nodes.0));
    }
    moves
}

#[test]
fn searches_of_a_game_build_on_each_other_until_a_new_game() {
    let book = AnyRulebook::compile(&rules("copenhagen")).unwrap();
    let new = || Engine::new(&book, SearchOptions::default());
    let mut engine = new();
    let first = played(&mut engine, &book, 4);
    // The same sequence of searches gives the same results in another engine and after `new_game`.
    assert_eq!(played(&mut new(), &book, 4), first);
    engine.new_game();
    assert_eq!(played(&mut engine, &book, 4), first);
    // Later searches use the results of earlier ones: without them they visit other numbers of
    // nodes.
    let mut game = Game::new(&book);
    let alone: Vec<u64> = first
        .iter()
        .map(|(mv, _)| {
            let nodes = new().search(&game, &Limits::depth(4)).unwrap().nodes.0;
            game.play(*mv).unwrap();
            nodes
        })
        .collect();
    let kept: Vec<u64> = first.iter().map(|(_, nodes)| *nodes).collect();
    assert_eq!(alone[0], kept[0]);
    assert_ne!(alone[1..], kept[1..]);
}

#[test]
fn every_technique_changes_the_search_but_finds_the_win() {
    let book = AnyRulebook::compile(&rules("copenhagen")).unwrap();
    let (home, run) = game("brandubh7", "/7/t5t/7/3K3/3T3/1t5/7/", Side::Defenders);
    let small = AnyRulebook::compile(&rules("brandubh7")).unwrap();
    // The king can threaten to escape from the first move on.
    let open = AnyRulebook::compile(&rules("tablut9_wtf")).unwrap();
    // The second search of a game has histories from the first.
    let two_searches = |book: &AnyRulebook, depth: u8, params: Params| {
        let mut engine =
            Engine::new(book, SearchOptions { params, mebibytes: 4, ..SearchOptions::default() });
        let mut game = Game::new(book);
        let first = engine.search(&game, &Limits::depth(depth)).unwrap();
        game.play(first.lines[0].moves[0]).unwrap();
        let second = engine.search(&game, &Limits::depth(depth)).unwrap();
        (first.nodes, second.nodes)
    };
    let nodes = |params: Params| {
        let options = SearchOptions { params, mebibytes: 4, ..SearchOptions::default() };
        let win = Engine::new(&home, options).search(&run, &Limits::depth(5)).unwrap();
        assert_eq!(
            win.lines[0].score.for_side(Side::Defenders),
            Score::win_in(3),
            "{}",
            params.differences()
        );
        (two_searches(&book, 5, params), two_searches(&small, 7, params), two_searches(&open, 6, params))
    };
    let default = nodes(Params::default());
    // Parameters that may be 0 are switches, or margins of a technique that is on.
    let switches = Params::ALL.iter().filter(|(_, _, least, _)| *least == 0);
    // Searches as short as these never reach a history of 6000, the default of `lmr_history`, so a
    // smaller value is tested instead of 0.
    let other = |name: &str| if name == "lmr_history" { 300 } else { 0 };
    let idle =
        switches.filter(|(name, ..)| nodes(format!("{name}={}", other(name)).parse().unwrap()) == default);
    let idle: Vec<&str> = idle.map(|(name, ..)| *name).collect();
    assert!(idle.is_empty(), "without an effect: {idle:?}");
}

/// Returns whether the side to move can force a win within `plies` plies, ignoring repetition.
fn wins<const N: usize>(book: &Rulebook<N>, pos: &Position<N>, plies: u16) -> bool {
    let side = pos.to_move();
    plies > 0
        && book.moves(pos).any(|mv| {
            let mut next = *pos;
            match book.play(&mut next, mv).outcome {
                Some(outcome) => outcome.winner == Some(side),
                None => plies > 1 && loses(book, &next, plies - 1),
            }
        })
}

fn loses<const N: usize>(book: &Rulebook<N>, pos: &Position<N>, plies: u16) -> bool {
    let side = pos.to_move();
    book.moves(pos).all(|mv| {
        let mut next = *pos;
        match book.play(&mut next, mv).outcome {
            Some(outcome) => outcome.winner == Some(side.other()),
            None => plies > 1 && wins(book, &next, plies - 1),
        }
    })
}

#[test]
fn wins_have_the_distance_found_by_exhaustive_search() {
    let positions = [
        ("/7/t5t/7/3K3/3T3/1t5/7/", Side::Defenders),
        ("/2t4/1t3t1/t6/3K3/2t1t2/7/3t3/", Side::Defenders),
        ("/7/3t3/2t4/2tK3/7/3t3/5T1/", Side::Attackers),
        ("/7/3t3/7/2tKt2/7/3t3/7/", Side::Attackers),
    ];
    let mut n_wins = 0;
    for (position, side) in positions {
        let (book, game) = game("brandubh7", position, side);
        let report = Engine::new(&book, SearchOptions::default()).search(&game, &Limits::depth(4)).unwrap();
        let score = report.lines[0].score.for_side(side);
        let AnyRulebook::W1(book) = &book else { panic!("a board of 49 cells is small") };
        let pos = book.position(&game.setup(), side);
        let shortest = [1, 3].into_iter().find(|plies| wins(book, &pos, *plies));
        let found = score.distance().filter(|_| score > Score::DRAW && score <= Score::win_in(1));
        assert_eq!(found.filter(|plies| *plies <= 3), shortest, "{position}: {score}");
        n_wins += usize::from(shortest.is_some());
    }
    assert!(n_wins >= 2, "{n_wins}");
}

#[test]
fn unusual_rules_are_played_sensibly() {
    let odd = [
        "hexentafl4",
        "hexentafl5",
        "cyngesheall7",
        "berserk11",
        "magpie7",
        "ardri7",
        "ashton9",
        "seabattle11",
        "tawlbwrdd11",
        "sca9",
    ];
    let (mut won, mut rng) = (0, Rng::new(77));
    for name in odd {
        let book = AnyRulebook::compile(&rules(name)).unwrap();
        let mut engine = Engine::new(&book, SearchOptions { mebibytes: 1, ..SearchOptions::default() });
        for side in Side::ALL {
            let mut game = Game::new(&book);
            for _ in 0..150 {
                if game.outcome().is_some() {
                    break;
                }
                let moves = game.moves();
                let any = moves[rng.below(moves.len())];
                let is_ours = game.to_move() == side;
                let mut best = || engine.search(&game, &Limits::nodes(600)).unwrap().lines[0].moves[0];
                let mv = if is_ours { best() } else { any };
                game.play(mv).unwrap();
            }
            won += u32::from(game.outcome().and_then(|outcome| outcome.winner) == Some(side));
        }
    }
    assert!(won >= 18, "{won} of 20 games against moves by chance");
}

#[test]
fn positions_past_the_end_are_rejected() {
    let look = |position: &str| {
        let (book, game) = game("brandubh7", position, Side::Attackers);
        Engine::new(&book, SearchOptions::default()).search(&game, &Limits::depth(1)).unwrap_err()
    };
    assert_eq!(look("/7/7/3T3/7/3t3/7/7/"), EngineError::Position(PositionError::NoKing(Side::Defenders)));
    assert_eq!(look("/K6/7/7/7/3t3/7/7/"), EngineError::Position(PositionError::KingAtGoal(Side::Defenders)));
}

#[test]
fn limits_of_plies_end_games_inside_the_tree() {
    // The king escapes with the third ply.
    let score = |ply_limit, captureless_limit| {
        let rules = RuleSet { ply_limit, captureless_limit, ..rules("brandubh7") };
        let book = AnyRulebook::compile(&rules).unwrap();
        let setup = Setup::parse(rules.shape(), "/7/t5t/7/3K3/3T3/1t5/7/").unwrap();
        let game = Game::from_setup(&book, &setup, Side::Defenders, RepetitionMode::Enforce).unwrap();
        let mut engine = Engine::new(&book, SearchOptions::default());
        let report = engine.search(&game, &Limits::depth(5)).unwrap();
        report.lines[0].score.for_side(Side::Defenders)
    };
    assert_eq!(score(None, None), Score::win_in(3));
    assert_eq!(score(Some(3), Some(3)), Score::win_in(3), "a win outranks a limit");
    assert_eq!(score(Some(2), None), Score::DRAW);
    assert!(score(None, Some(2)) < Score::win_in(3));
}

/// Searches all moves of the position after some moves.
fn search_after(rules: &str, moves: &[&str], depth: u8) -> (Game, SearchReport) {
    let book = AnyRulebook::compile(&rules.parse().unwrap()).unwrap();
    let mut game = Game::new(&book);
    for text in moves {
        game.play(game.parse_move(text).unwrap()).unwrap();
    }
    let limits = Limits { multi_pv: Some(1000), ..Limits::depth(depth) };
    let report = Engine::new(&book, SearchOptions::default()).search(&game, &limits).unwrap();
    (game, report)
}

#[test]
fn repetition_of_the_defenders_arrangement_is_counted() {
    let score_of_return = |count: u8| {
        let rule = format!("cfg{count}lose").parse().unwrap();
        let rules = RuleSet { repetition: vec![rule], ..rules("brandubh7") };
        let book = AnyRulebook::compile(&rules).unwrap();
        let setup = Setup::parse(rules.shape(), "/3t3/T5T/7/3K3/7/T5T/3t3/").unwrap();
        let mut game = Game::from_setup(&book, &setup, Side::Defenders, RepetitionMode::Enforce).unwrap();
        for text in ["a2-b2", "d1-e1"] {
            game.play(game.parse_move(text).unwrap()).unwrap();
        }
        let mut engine = Engine::new(&book, SearchOptions::default());
        let limits = Limits { multi_pv: Some(1000), ..Limits::depth(1) };
        let report = engine.search(&game, &limits).unwrap();
        let back = game.parse_move("b2-a2").unwrap();
        let line = report.lines.iter().find(|line| line.moves[0] == back).unwrap();
        line.score.for_side(Side::Defenders)
    };
    // The attackers have moved on, so the position is new, but the defenders' men are where they were.
    assert_eq!(score_of_return(2), Score::loss_in(1));
    assert!(score_of_return(3) > Score::loss_in(1));
}

#[test]
fn defenders_may_not_restore_a_board_with_the_other_side_to_move() {
    let rules = "dim:7 atkf:n surf:n cor: cen: xgoal:d=none xrep:defko start:/K2t3/ttt4/7/7/7/7/6t/";
    let (_, report) = search_after(rules, &["a1-c1", "g7-f7", "c1-b1"], 2);
    // After f7-g7, the king could only go to c1, or to a1 as at the start, where the defenders were to move.
    assert_eq!(report.lines[0].score.for_side(Side::Attackers), Score::win_in(1), "{:?}", report.lines[0]);
}
