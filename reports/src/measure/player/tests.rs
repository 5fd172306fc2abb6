//! Figures of players in constructed corpora.

use std::collections::HashSet;

use tafl_corpus::{EvalRow, EvalRun, GameId, GeneratedGame, Ingest, IngestOptions, Preparer, add_evals};
use tafl_parser::{RuleChoice, tag};
use tafl_rules::{Game, Move, Outcome, Reason, catalog};

use super::*;
use crate::measure::playable_game::PlayableGames;
use crate::measure::tests::random_corpus;
use crate::measure::{GamesToLoad, TimeOrder, load_games};
use crate::stats::Rate;

/// Finds the first new ply of each game by playing all earlier games again: the number of games that the player left,
/// those that the opponent left, and the plies of the former.
fn slow_departures(
    corpus: &Corpus,
    games: &Games,
    player: u32,
    dates: &[Option<String>],
) -> (u64, u64, Vec<f64>) {
    let mut stored = PlayableGames::new(corpus);
    let mut keys = |at: usize| -> Vec<(Side, u64)> {
        let game = stored.game(&games.rows[at]).unwrap().unwrap();
        let mut board = game.board;
        let play = |mv: Move| {
            let side = board.to_move();
            board.clear_outcome();
            board.play(mv).unwrap();
            (side, board.canonical_key().0.0)
        };
        game.moves.into_iter().map(play).collect()
    };
    let is_own = |at: usize| Side::ALL.into_iter().any(|side| games.rows[at].player(side) == Some(player));
    let (mut own, mut others, mut plies) = (0, 0, Vec::new());
    for at in (0..games.rows.len()).filter(|at| is_own(*at)) {
        let earlier = (0..games.rows.len()).filter(|other| {
            !is_own(*other)
                && games.rows[*other].variant == games.rows[at].variant
                && dates[*other].as_ref().unwrap() < dates[at].as_ref().unwrap()
        });
        let mut known = HashSet::new();
        for other in earlier {
            known.extend(keys(other).into_iter().map(|(_, key)| key));
        }
        let line = keys(at);
        let Some(new) = line.iter().position(|(_, key)| !known.contains(key)) else { continue };
        if games.rows[at].player(line[new].0) == Some(player) {
            own += 1;
            plies.push(new as f64 + 1.0);
        } else {
            others += 1;
        }
    }
    plies.sort_by(f64::total_cmp);
    (own, others, plies)
}

#[test]
fn departures_are_those_of_a_slow_search() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = random_corpus(&folder.path().join("corpus"), 120);
    let games = load_games(&corpus, GamesToLoad::All).unwrap();
    let dates = column_texts(&corpus, &games, "date").unwrap();
    for name in ["player 2", "player 7"] {
        let player = games.players.find(name).unwrap();
        let found = player_findings(&corpus, &games, &games, player, None).unwrap();
        let departures = &found.departures;
        let (own, others, plies) = slow_departures(&corpus, &games, player, &dates);
        assert!(departures.time_order == TimeOrder::Date && own > 0 && others > 0, "{departures:?}");
        let rate = departures.by_player.unwrap();
        assert_eq!((rate.hits, rate.n), (own, own + others));
        // A player has the same side in all games of this corpus.
        let sides: Vec<Rate> = Side::ALL.into_iter().filter_map(|side| departures.by_side[side]).collect();
        assert_eq!(sides, [rate]);
        assert_eq!(departures.comparison, None);
        assert_eq!(departures.known, departures.games - own - others);
        let ply = departures.ply.unwrap();
        assert_eq!((ply.n, ply.min, ply.max), (own, plies[0], plies[plies.len() - 1]));
        assert!((ply.mean.value - plies.iter().sum::<f64>() / own as f64).abs() < 1e-9);
        let listed: u64 = departures.departures.iter().map(|departure| departure.games).sum();
        assert!(listed <= own && departures.departures[0].games >= 1);
    }
}

#[test]
fn parts_add_up_to_all_games() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = random_corpus(&folder.path().join("corpus"), 400);
    let games = load_games(&corpus, GamesToLoad::All).unwrap();
    let player = games.players.find("player 3").unwrap();
    let own = game_sides(&games, player);
    let opponent = own[0].opponent.unwrap();
    let found = player_findings(&corpus, &games, &games, player, Some(opponent)).unwrap();
    let total = found.player.total.games();
    assert_eq!(found.player.games, own.len() as u64);
    assert_eq!(found.player.games, total + found.player.unfinished);
    let sum = |scores: &mut dyn Iterator<Item = &PlayerScore>| scores.map(PlayerScore::games).sum::<u64>();
    let sides = |by_side: &BySide<PlayerScore>| by_side.attackers.games() + by_side.defenders.games();
    assert_eq!(sides(&found.player.by_side), total);
    assert_eq!(found.player.by_variant.iter().map(|(_, by_side)| sides(by_side)).sum::<u64>(), total);
    assert_eq!(sum(&mut found.by_gap.iter().map(|(_, score)| score)), total);
    assert_eq!(sum(&mut found.by_opponent.iter().map(|(_, score)| score)), total);
    // Dates are years, so no game has a month.
    assert_eq!(found.by_month, []);
    let against = found.against.unwrap();
    let met = found.by_opponent.iter().find(|(name, _)| name == games.players.name(opponent)).unwrap();
    assert_eq!(sides(&against.head_to_head), met.1.games());
    assert_eq!(against.opponent.games, game_sides(&games, opponent).len() as u64);
    let openings = &against.opponent.openings;
    assert!(!openings.is_empty() && openings.iter().all(|opening| opening.proportion.hits >= 2));
    assert!(found.errors.is_none());
}

#[test]
fn strengths_can_be_those_of_more_games() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = random_corpus(&folder.path().join("corpus"), 400);
    let games = load_games(&corpus, GamesToLoad::All).unwrap();
    let player = games.players.find("player 3").unwrap();
    let variant = games.variant("brandubh7").unwrap();
    let part = games.filtered(|game| game.variant == variant);
    let whole = player_findings(&corpus, &games, &games, player, None).unwrap();
    let found = player_findings(&corpus, &part, &games, player, None).unwrap();
    assert!(found.player.games < whole.player.games);
    assert_eq!(found.player.elo, whole.player.elo);
    assert!(found.player.elo.is_ok());
    let of_variant = whole.player.by_variant.iter().find(|(at, _)| *at == variant).unwrap();
    assert_eq!(found.player.by_variant, [*of_variant]);
    assert_eq!(found.player.by_side, of_variant.1);
    assert_ne!(player_findings(&corpus, &part, &part, player, None).unwrap().player.elo, found.player.elo);
    assert_eq!([found.rated_games, whole.rated_games], [games.rows.len() as u64; 2]);
}

/// Returns a game that the side to move after it can win at once, with the winning move.
fn with_a_win(rules: &RuleChoice) -> (Vec<Move>, Move, Side) {
    let mut rng = tafl_rules::Rng::new(5);
    loop {
        let (mut board, mut moves) = (Game::new(&rules.chosen().book), Vec::new());
        while board.outcome().is_none() && moves.len() < 40 {
            let legal = board.moves();
            let wins = |mv: &Move| {
                let side = board.to_move();
                let outcome = board.clone().play(*mv).unwrap().outcome;
                side == Side::Defenders && outcome == Some(Outcome::win(side, Reason::KingReachedGoal))
            };
            if let Some(win) = legal.iter().copied().find(wins).filter(|_| moves.len() > 3) {
                return (moves, win, board.to_move());
            }
            let mv = legal[rng.below(legal.len())];
            board.play(mv).unwrap();
            moves.push(mv);
        }
    }
}

#[test]
fn errors_have_the_motifs_of_the_best_moves() {
    let rules = RuleChoice::named(catalog::find("brandubh7").unwrap());
    let (moves, win, winner) = with_a_win(&rules);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let mut ingest = Ingest::begin(&path, &IngestOptions::default()).unwrap();
    let tags = [(tag::ATTACKERS, "Ann"), (tag::DEFENDERS, "Bo")];
    let outcome = Some(Outcome::win(winner, Reason::Timeout));
    let mut played = moves.clone();
    played.push(win);
    let made = GeneratedGame { rules: &rules, moves: &played, outcome, tags: &tags };
    ingest.add_game(Preparer::default().prepare_generated(&made).unwrap()).unwrap();
    ingest.finish().unwrap();
    let games = load_games(&Corpus::open(&path).unwrap(), GamesToLoad::All).unwrap();
    let game = GameId::from_i64(games.rows[0].id);
    let shape = rules.chosen().book.shape();
    // Every ply is good, but the last one of the attackers is a blunder, which allows the escape of the king.
    let row = |(number, mv): (u16, &Move)| {
        let side = if number % 2 == 1 { Side::Attackers } else { Side::Defenders };
        let is_blunder = usize::from(number) == moves.len();
        EvalRow {
            game,
            ply: number,
            side,
            expected_before: Some(0.5),
            expected_after: Some(if is_blunder { 0.1 } else { 0.5 }),
            loss: Some(if is_blunder { 0.4 } else { 0.0 }),
            judgement: Some(if is_blunder { "blunder" } else { "good" }),
            best: Some(mv.display(shape).to_string()),
            ..EvalRow::default()
        }
    };
    let rows: Vec<EvalRow> = (1_u16..).zip(&played).map(row).collect();
    add_evals(&path, "test", &EvalRun::default(), &rows).unwrap();
    let corpus = Corpus::open(&path).unwrap();
    let of = |name: &str| {
        let player = games.players.find(name).unwrap();
        player_findings(&corpus, &games, &games, player, None).unwrap().errors.unwrap()
    };
    let (loser, other) = if winner == Side::Defenders { ("Ann", "Bo") } else { ("Bo", "Ann") };
    let found = of(loser);
    assert_eq!((found.games, found.errors), (1, 1));
    let escape = found.motifs.iter().find(|motif| motif.kind == tafl_analyzer::MotifKind::KingEscapes);
    assert_eq!(escape.map(|motif| motif.voice), Some(tafl_analyzer::Voice::Allowed));
    assert_eq!(found.by_side[winner.other()].blunders.unwrap().hits, 1);
    // One game has no interval over games.
    assert_eq!(found.by_side[winner.other()].accuracy, None);
    assert_eq!(of(other).errors, 0);
    assert_eq!(of(other).by_side[winner].plies, found.opponents[winner].plies);
}
