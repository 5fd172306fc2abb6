//! What the engine must find.

use tafl_rules::{AnyRulebook, Coord, Game, RepetitionMode, RuleSet, Setup, Side, catalog};

use super::{Engine, EngineError, Options};
use crate::limits::Limits;
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
    let report = Engine::new(&book, Options::default()).search(&game, &Limits::depth(depth)).unwrap();
    let mv = report.lines[0].moves[0];
    let name = |cell| game.shape().name(cell);
    (format!("{}-{}", name(mv.from), name(mv.to)), report.lines[0].score.for_side(side))
}

#[test]
fn king_runs_home() {
    let (mv, score) = best("brandubh7", "/7/t5t/7/3K3/3T3/1t5/7/", Side::Defenders, 3);
    assert_eq!(score, Score::win_in(3), "{mv}");
}

#[test]
fn king_beside_an_open_corner_wins_at_once() {
    let (mv, score) = best("brandubh7", "/1K5/7/3t3/7/7/3t3/7/", Side::Defenders, 2);
    assert_eq!((mv.as_str(), score), ("b1-a1", Score::win_in(1)));
}

#[test]
fn every_variant_of_the_catalog_gets_a_legal_move() {
    for named in catalog::all() {
        let book = AnyRulebook::compile(&named.rules()).unwrap();
        let game = Game::new(&book);
        let options = Options { mebibytes: 1, ..Options::default() };
        let report = Engine::new(&book, options).search(&game, &Limits::nodes(300)).unwrap();
        assert_eq!(game.check(report.lines[0].moves[0]), Ok(()), "{}", named.name);
    }
}

#[test]
fn the_same_search_gives_the_same_answer() {
    let book = AnyRulebook::compile(&rules("copenhagen")).unwrap();
    let search = || {
        let report =
            Engine::new(&book, Options::default()).search(&Game::new(&book), &Limits::nodes(20_000)).unwrap();
        (report.lines, report.depth, report.nodes)
    };
    assert_eq!(search(), search());
}

#[test]
fn several_lines_begin_with_different_moves() {
    let book = AnyRulebook::compile(&rules("brandubh7")).unwrap();
    let limits = Limits { lines: Some(5), ..Limits::depth(3) };
    let report = Engine::new(&book, Options::default()).search(&Game::new(&book), &limits).unwrap();
    let mut first: Vec<_> = report.lines.iter().map(|line| line.moves[0]).collect();
    assert_eq!(first.len(), 5);
    first.dedup();
    assert_eq!(first.len(), 5);
    let scores: Vec<_> = report.lines.iter().map(|line| line.score.for_side(Side::Attackers)).collect();
    assert!(scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
}

#[test]
fn two_threads_find_a_win_as_well() {
    let (book, game) = game("brandubh7", "/7/t5t/7/3K3/3T3/1t5/7/", Side::Defenders);
    let options = Options { threads: 2, ..Options::default() };
    let report = Engine::new(&book, options).search(&game, &Limits::depth(5)).unwrap();
    assert_eq!(report.lines[0].score.for_side(Side::Defenders), Score::win_in(3));
}

#[test]
fn an_ended_game_and_a_limit_of_zero_are_refused() {
    let (book, mut game) = game("brandubh7", "/1K5/7/3t3/7/7/3t3/7/", Side::Defenders);
    let mut engine = Engine::new(&book, Options::default());
    assert_eq!(engine.search(&game, &Limits::nodes(0)).unwrap_err(), EngineError::NoLimit("nodes"));
    let cell = |name: &str| game.shape().cell(name.parse::<Coord>().unwrap()).unwrap();
    let run = tafl_rules::Move::new(cell("b1"), cell("a1"));
    game.play(run).unwrap();
    assert!(matches!(engine.search(&game, &Limits::depth(1)), Err(EngineError::GameOver(_))));
}
