//! Tests of games, matches, and their statistics.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tafl_rules::{AnyRulebook, BySide, Coord, Game, Move, Reason, Side, catalog};

use super::*;
use crate::engine::SearchOptions;
use crate::limits::Limits;

fn book(name: &str) -> AnyRulebook {
    AnyRulebook::compile(&catalog::find(name).unwrap().rules()).unwrap()
}

fn mv(game: &Game, text: &str) -> Move {
    let (from, to) = text.split_once('-').unwrap();
    let cell = |name: &str| game.shape().cell(name.parse::<Coord>().unwrap()).unwrap();
    Move::new(cell(from), cell(to))
}

/// A player with scripted answers.
struct Scripted(Vec<Result<Decision, PlayerError>>);

impl Player for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn begin(&mut self, _book: &AnyRulebook) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose(&mut self, _at: PlayerView<'_>) -> Result<Decision, PlayerError> {
        if self.0.is_empty() { Ok(Decision::Resign) } else { self.0.remove(0) }
    }
}

fn scripted(answer: Result<Decision, PlayerError>, terms: &MatchTerms) -> MatchGame {
    let book = book("brandubh7");
    let players =
        BySide { attackers: &mut Scripted(vec![answer]) as _, defenders: &mut RandomPlayer::new(1) as _ };
    play_game(&book, &[], players, terms)
}

#[test]
fn an_illegal_move_is_a_forfeit_with_its_reason() {
    let illegal = mv(&Game::new(&book("brandubh7")), "d1-d7");
    let played = scripted(Ok(Decision::Move(PlayerChoice::bare(illegal))), &MatchTerms::default());
    let MatchEnding::Forfeit(Side::Attackers, error) = &played.ending else { panic!("{}", played.ending) };
    assert_eq!(error.kind(), "illegal");
    assert!(error.to_string().contains("d1-d7"), "{error}");
    assert_eq!(played.ending.outcome().unwrap().winner, Some(Side::Defenders));
    assert!(played.plies.is_empty());
}

#[test]
fn errors_and_resignations_lose() {
    let silent = PlayerError::silent(std::time::Duration::from_secs(1));
    let reason = |answer| scripted(answer, &MatchTerms::default()).ending.outcome().unwrap().reason;
    assert_eq!(reason(Err(silent)), Reason::Timeout);
    assert_eq!(reason(Err(PlayerError::gone(""))), Reason::Adjudication);
    assert_eq!(reason(Ok(Decision::Resign)), Reason::Resignation);
    assert_eq!(reason(Ok(Decision::Pass)), Reason::Resignation);
}

#[test]
fn a_player_that_passes_gets_its_immediate_win() {
    let rules = "dim:7 ks:c start:/7/t5t/7/1K5/7/7/7/".parse().unwrap();
    let book = AnyRulebook::compile(&rules).unwrap();
    let move_away = mv(&Game::new(&book), "a2-a3");
    let mut attackers = Scripted(vec![Ok(Decision::Move(PlayerChoice::bare(move_away)))]);
    let mut defenders = Scripted(vec![
        Ok(Decision::Move(PlayerChoice::bare(mv(&Game::new(&book), "b4-b1")))),
        Ok(Decision::Pass),
    ]);
    let more = mv(&Game::new(&book), "g2-g3");
    attackers.0.push(Ok(Decision::Move(PlayerChoice::bare(more))));
    let players = BySide { attackers: &mut attackers as _, defenders: &mut defenders as _ };
    let played = play_game(&book, &[], players, &MatchTerms::default());
    assert_eq!(played.ending.to_string(), "defenders win (king reached goal)");
    assert_eq!(played.helped, BySide { attackers: 0, defenders: 1 });
}

#[test]
fn a_player_that_declines_a_chain_does_not_choose_the_reply() {
    let rules = "dim:7 ber:c xber:free start:/5K1/t1Tt3/7/1T5/1t5/7/6t/".parse().unwrap();
    let book = AnyRulebook::compile(&rules).unwrap();
    let play = |text: &str| Ok(Decision::Move(PlayerChoice::bare(mv(&Game::new(&book), text))));
    for declines in [play("f1-f2"), Ok(Decision::Pass)] {
        let mut attackers = Scripted(vec![play("a2-b2"), declines]);
        let mut defenders = Scripted(vec![play("f1-g1")]);
        let players = BySide { attackers: &mut attackers as _, defenders: &mut defenders as _ };
        let played = play_game(&book, &[], players, &MatchTerms::default());
        assert_eq!(played.ending.to_string(), "defenders win (king reached goal)");
        let sides: Vec<Side> = played.plies.iter().map(|ply| ply.side).collect();
        assert_eq!(sides, [Side::Attackers, Side::Defenders]);
    }
}

#[test]
fn a_chain_whose_decline_repeats_a_position_ends_the_game() {
    let rules =
        "dim:7 surf:n cor: cen: ber:c xber:free+jump xmove:K=1 xrep:pos2draw start:/3t3/1T5/c2T3/7/7/5K1/7/";
    let book = AnyRulebook::compile(&rules.parse().unwrap()).unwrap();
    let play = |text: &str| Ok(Decision::Move(PlayerChoice::bare(mv(&Game::new(&book), text))));
    for declines in [play("f6-f5"), Ok(Decision::Pass)] {
        let mut attackers =
            Scripted(vec![play("a3-b3"), play("b3-b1"), Ok(Decision::Pass), play("b1-b3"), declines]);
        let mut defenders = Scripted(vec![play("f6-f5"), play("f5-f6")]);
        let players = BySide { attackers: &mut attackers as _, defenders: &mut defenders as _ };
        let played = play_game(&book, &[], players, &MatchTerms::default());
        assert_eq!((played.ending.to_string().as_str(), played.plies.len()), ("draw (repetition)", 5));
    }
}

#[test]
fn a_ply_limit_is_not_a_result() {
    let book = book("copenhagen11");
    let players =
        BySide { attackers: &mut RandomPlayer::new(1) as _, defenders: &mut RandomPlayer::new(2) as _ };
    let played = play_game(&book, &[], players, &MatchTerms { plies: Some(12), ..MatchTerms::default() });
    assert_eq!((played.plies.len(), played.ending.clone()), (12, MatchEnding::PlyLimit));
    assert_eq!(played.ending.outcome(), None);
    let stop = Some(Arc::new(AtomicBool::new(true)));
    let players =
        BySide { attackers: &mut RandomPlayer::new(1) as _, defenders: &mut RandomPlayer::new(2) as _ };
    assert_eq!(
        play_game(&book, &[], players, &MatchTerms { stop, ..MatchTerms::default() }).ending,
        MatchEnding::Stopped
    );
}

#[test]
fn openings_are_distinct_and_undecided() {
    let book = book("brandubh7");
    let list = |seed| Openings::new(&book, 3, seed).take(60).collect::<Vec<_>>();
    assert_eq!(list(5), list(5));
    assert_ne!(list(5), list(6));
    let mut keys = std::collections::HashSet::new();
    for opening in list(5) {
        let mut game = Game::new(&book);
        opening.iter().for_each(|mv| assert!(game.play(*mv).is_ok()));
        assert_eq!((opening.len(), game.outcome()), (3, None));
        assert!(proof::immediate_win(&game).is_none());
        assert!(keys.insert(game.canonical_key().0));
    }
}

#[test]
fn the_number_of_openings_is_finite() {
    // The start has eight symmetries and forty moves.
    let count = Openings::new(&book("brandubh7"), 1, 1).count();
    assert!((5..=8).contains(&count), "{count}");
}

#[test]
fn openings_of_games_are_their_first_moves() {
    let book = book("brandubh7");
    let sound: Vec<Vec<Move>> =
        SelfPlay { opening_plies: 6, seed: 3, ..SelfPlay::new(&book, Limits::nodes(50)) }
            .games(12)
            .map(|played| played.moves().collect())
            .collect();
    let mut games = sound.clone();
    // An illegal game, a game that is too short, and a duplicate.
    games.push(vec![sound[0][1], sound[0][0], sound[0][2], sound[0][3], sound[0][4]]);
    games.push(sound[1][..3].to_vec());
    games.push(sound[2].clone());
    let found: Vec<Opening> = openings_from_games(&book, 4, 1, &games).collect();
    assert!(found.len() > 6 && found.len() <= 12, "{}", found.len());
    assert!(found.iter().all(|opening| sound.iter().any(|game| game[..4] == opening[..])));
    let again: Vec<Opening> = openings_from_games(&book, 4, 1, &games).collect();
    assert_eq!(found, again);
    // A game that ends with its opening is long enough.
    assert_eq!(openings_from_games(&book, 4, 1, &found).count(), found.len());
}

#[test]
fn short_wins_are_proven() {
    let rules = "dim:7 ks:c atkf:n start:/7/t5t/7/3K3/3T3/1t5/7/".parse().unwrap();
    let game = Game::new(&AnyRulebook::compile(&rules).unwrap());
    assert_eq!(proof::immediate_win(&game), None);
    let winning: Vec<_> =
        game.moves().into_iter().filter(|mv| proof::wins_within_three_plies(&game, *mv)).collect();
    assert!(!winning.is_empty() && winning.len() < game.moves().len());
    let mut engine = crate::Engine::new(&AnyRulebook::compile(&rules).unwrap(), SearchOptions::default());
    let report = engine.search(&game, &Limits::depth(3)).unwrap();
    assert!(winning.contains(&report.lines[0].moves[0]));
}

fn self_play(name: &str, seed: u64) -> SelfPlay {
    let temperature = Temperature { plies: 6, hundredths: 30.0 };
    SelfPlay { opening_plies: 2, temperature, seed, ..SelfPlay::new(&book(name), Limits::nodes(300)) }
}

#[test]
fn self_play_is_the_same_for_a_seed_and_legal() {
    // Two kings, a hexagonal board, chains, and a standard variant.
    for name in ["brandubh7", "cyngesheall7", "hexentafl4", "berserk11"] {
        let games = self_play(name, 3);
        let first = games.game(1);
        assert!(games.game(1).moves().eq(first.moves()));
        assert!(!games.game(2).moves().eq(first.moves()));
        let mut game = Game::new(&games.book);
        first.moves().for_each(|mv| assert!(game.play(mv).is_ok()));
        match first.ending {
            MatchEnding::Rules(outcome) => assert_eq!(game.outcome(), Some(outcome)),
            MatchEnding::Proven(side) => assert!(game.outcome().is_none() && game.to_move() == side.other()),
            MatchEnding::PlyLimit => assert_eq!(first.plies.len(), 500),
            ref other => panic!("{other}"),
        }
    }
}

#[test]
fn every_variant_of_the_catalog_can_be_played() {
    for named in catalog::all() {
        let series = SelfPlay {
            terms: MatchTerms { plies: Some(8), ..MatchTerms::default() },
            ..SelfPlay::new(&book(named.name), Limits::nodes(60))
        };
        let played = series.game(0);
        assert!(!matches!(played.ending, MatchEnding::Forfeit(..)), "{}: {}", named.name, played.ending);
    }
}

fn pairs(threads: usize) -> Vec<String> {
    let book = book("brandubh7");
    let openings: Vec<Opening> = Openings::new(&book, 2, 9).take(6).collect();
    let make = |number: u64| {
        let job = PairSetup { book: book.clone(), opening: openings[number as usize].clone() };
        let options = SearchOptions { mebibytes: 1, ..SearchOptions::default() };
        let engine = EnginePlayer::new("engine", &book, options, Limits::nodes(300));
        let players: Players = [Box::new(engine), Box::new(RandomPlayer::new(number))];
        Ok((job, players))
    };
    let mut found = Vec::new();
    let threads = NonZeroUsize::new(threads).unwrap();
    play_pairs(
        0..6,
        threads,
        &MatchTerms { plies: Some(200), ..MatchTerms::default() },
        &make,
        |number, pair| {
            let pair = pair.unwrap();
            let moves = |at: usize| {
                pair.games[at]
                    .moves()
                    .map(|mv| mv.display(book.shape()).to_string())
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            found.push(format!("{number} {:?} {} / {}", pair.score(), moves(0), moves(1)));
            if found.len() == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    found
}

#[test]
fn pairs_are_ordered_and_independent_of_the_number_of_threads() {
    let alone = pairs(1);
    assert_eq!(alone.len(), 5);
    assert_eq!(alone, pairs(3));
    let won = alone.iter().filter(|line| line.contains("HalfPoints(4)")).count();
    assert!(won >= 4, "the engine beats chance: {alone:?}");
}

/// A player that can't start.
struct Broken;

impl Player for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn begin(&mut self, _book: &AnyRulebook) -> Result<(), PlayerError> {
        Err(PlayerError::gone("no such file"))
    }

    fn choose(&mut self, _at: PlayerView<'_>) -> Result<Decision, PlayerError> {
        panic!("a game that doesn't begin has no moves")
    }
}

#[test]
fn a_pair_names_the_player_that_does_not_start() {
    let job = PairSetup { book: book("brandubh7"), opening: Opening::default() };
    let mut players: Players = [Box::new(RandomPlayer::new(1)), Box::new(Broken)];
    let pair = play_pair(&job, &mut players, &MatchTerms::default());
    assert_eq!(pair.not_started(), Some((1, &PlayerError::gone("no such file"))));
    assert_eq!(pair.score(), PairScore::Unfinished, "neither player has won");
    players.swap(0, 1);
    assert_eq!(play_pair(&job, &mut players, &MatchTerms::default()).not_started().unwrap().0, 0);
}

#[test]
fn errors_of_make_are_delivered() {
    let make = |_| Err(PlayerError::gone("no such file"));
    let mut found = Vec::new();
    play_pairs(0..3, NonZeroUsize::MIN, &MatchTerms::default(), &make, |number, pair| {
        found.push((number, pair.is_err()));
        ControlFlow::Continue(())
    });
    assert_eq!(found, [(0, true), (1, true), (2, true)]);
}
