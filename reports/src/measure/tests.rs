//! Figures of constructed games.

mod engine_games;
mod slow_count;

use std::path::Path;

use tafl_corpus::{
    CancelCheck, Corpus, GameResult, GeneratedGame, Ingest, IngestOptions, PreparedGame, Preparer,
};
use tafl_parser::{RuleChoice, tag};
use tafl_rules::{BySide, Game, Move, Outcome, Reason, Rng, Side, catalog};

use super::*;
use crate::stats::{NotEstimable, WinRatio};

pub(super) fn game(players: Option<[u32; 2]>, result: GameResult, plies: u32) -> GameFacts {
    GameFacts {
        segment: 0,
        row: plies,
        id: i64::from(plies),
        line: i64::from(plies),
        variant: 0,
        players: BySide {
            attackers: players.map(|players| NameNumber::new(players[0])),
            defenders: players.map(|players| NameNumber::new(players[1])),
        },
        ratings: BySide::default(),
        source: None,
        date: None,
        number: None,
        result,
        reason: match result {
            GameResult::Unfinished => None,
            GameResult::Draw => Some(Reason::Agreement),
            GameResult::Attackers => Some(Reason::KingCaptured),
            GameResult::Defenders => Some(Reason::KingReachedGoal),
        },
        reason_source: None,
        first: Side::Attackers,
        plies,
        captures: BySide { attackers: 3, defenders: 2 },
        copies: 0,
        start: GameStartKind::OfRules,
    }
}

pub(super) fn games(rows: Vec<GameFacts>) -> Games {
    let variant = PlayedVariant {
        name: Some("made-up".to_owned()),
        rules: "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".to_owned(),
        rules_id: 1,
        shape: "7x7".to_owned(),
    };
    let mut games = Games { variants: vec![variant], rows, ..Games::default() };
    for player in 0..100 {
        games.players.number(&format!("player {player}"));
    }
    games
}

fn table(games: &Games) -> Crosstable {
    crosstable(games, &CrosstableOptions::default(), &mut NoSolver).unwrap()
}

/// All figures that need no corpus; none of them may be NaN or infinite.
fn all_figures(games: &Games) -> String {
    let found = balance(games, &BalanceOptions::default());
    let one_thread = BalanceOptions { threads: std::num::NonZeroUsize::MIN, ..BalanceOptions::default() };
    assert_eq!(found, balance(games, &one_thread));
    let compared =
        compare_selections(&games.rows, &games.rows[..games.rows.len() / 2], &CompareOptions::default());
    let text = format!("{found:?} {compared:?} {:?} {:?}", player_table(games), table(games));
    let numbers = text.replace("is_inferred", "");
    assert!(!numbers.contains("NaN") && !numbers.contains("inf"), "{text}");
    text
}

#[test]
fn unusual_games_have_no_invalid_numbers() {
    use GameResult::{Attackers, Defenders, Draw, Unfinished};
    all_figures(&games(Vec::new()));
    for result in GameResult::ALL {
        all_figures(&games(vec![game(None, result, 0)]));
        all_figures(&games(vec![game(Some([1, 2]), result, 30)]));
        all_figures(&games(vec![game(Some([1, 1]), result, 30)]));
        all_figures(&games((0..50).map(|at| game(Some([1, 2]), result, at)).collect()));
        all_figures(&games((0..50).map(|at| game(Some([at % 7, 8 + at % 3]), result, 10)).collect()));
    }
    for mix in [[Attackers, Draw], [Defenders, Unfinished], [Attackers, Defenders], [Draw, Unfinished]] {
        let rows = (0..90).map(|at| game(Some([at % 5, 5 + at % 4]), mix[at as usize % 2], at));
        all_figures(&games(rows.collect()));
    }
}

#[test]
fn random_games_have_valid_figures() {
    let mut rng = Rng::new(4);
    for round in 0..60 {
        let n = rng.below(1 + round * 4);
        let rows = (0..n).map(|_| {
            let pair = [rng.below(1 + round / 4) as u32, rng.below(1 + round / 4) as u32];
            let mut game = game(
                (rng.below(9) > 0).then_some(pair),
                GameResult::ALL[rng.below(4)],
                rng.below(300) as u32,
            );
            let year = 2000 + rng.below(12);
            game.date = GameDate::of(&year.to_string()).filter(|_| rng.below(2) > 0);
            game.reason = game.reason.map(|reason| if rng.below(3) > 0 { reason } else { Reason::Timeout });
            game.first = Side::ALL[rng.below(2)];
            game
        });
        all_figures(&games(rows.collect()));
    }
}

#[test]
fn counts_and_figures_are_correct() {
    use GameResult::{Attackers, Defenders, Draw, Unfinished};
    let mut rows = Vec::new();
    for (result, n) in [(Attackers, 30), (Defenders, 60), (Draw, 10), (Unfinished, 5)] {
        rows.extend((0..n).map(|at| game(None, result, 20 + at)));
    }
    rows.push(GameFacts { start: GameStartKind::OtherFirstMover, ..rows[0] });
    let compared = compare_selections(&rows, &rows, &CompareOptions::default());
    let found = balance(&games(rows), &BalanceOptions::default());
    let variant = &found.variants[0];
    assert_eq!(compared.first, variant.tally);
    // The total has the games that the table of variants has.
    assert_eq!((found.total.games, found.other_starts), (105, variant.other_starts));
    assert_eq!(variant.balance.as_ref().unwrap().value, WinRatio::Finite(2.0));
    assert_eq!((variant.tally.games, variant.other_starts.first_mover), (105, 1));
    assert_eq!(variant.tally.wins(Side::Attackers).unwrap().proportion.value, 0.3);
    assert_eq!(variant.tally.unfinished, 5);
    assert_eq!(variant.score.unwrap().value, 0.35);
    assert_eq!(variant.adjusted, Err(NotEstimable::NoPlayers));
    assert_eq!(variant.by_era, Err(NotEstimable::NoDates));
    assert!(variant.p_fdr.unwrap() < 0.01);
    assert_eq!(variant.lengths.by_ply.as_ref().unwrap().censored, 5);
}

#[test]
fn only_variants_with_named_players_count_for_strengths() {
    use GameResult::{Attackers, Defenders, Unfinished};
    let mut all = games(Vec::new());
    let first = all.variants[0].clone();
    all.variants.extend([2, 3, 4].map(|rules_id| PlayedVariant { name: None, rules_id, ..first.clone() }));
    for at in 0..60 {
        let result = if at % 3 == 0 { Attackers } else { Defenders };
        let pair = Some([at % 4, 4 + at % 3]);
        for (variant, pair, result) in
            [(0, pair, result), (1, pair, result), (2, None, result), (3, pair, Unfinished)]
        {
            all.rows.push(GameFacts { variant, ..game(pair, result, 20 + at) });
        }
    }
    let table = player_table(&all);
    assert_eq!((table.missing, table.variants), (None, 2));
    let one = player_table(&all.filtered(|game| game.variant != 1));
    assert!(one.variants == 1 && one.advantage.is_some());
}

/// Writes random games of two variants to a corpus.
pub(crate) fn random_corpus(path: &Path, n: u64) -> Corpus {
    write_corpus(path, random_games(n, true))
}

fn write_corpus(path: &Path, games: Vec<PreparedGame>) -> Corpus {
    let mut ingest = Ingest::begin(path, &IngestOptions::default()).unwrap();
    games.into_iter().for_each(|game| ingest.add_game(game).map(|_| ()).unwrap());
    ingest.finish().unwrap();
    Corpus::open(path).unwrap()
}

/// Returns random games of two variants. Without dates, their IDs have numbers.
fn random_games(n: u64, have_dates: bool) -> Vec<PreparedGame> {
    let mut preparer = Preparer::default();
    let rules = ["brandubh7", "hexentafl4"].map(|name| RuleChoice::named(catalog::find(name).unwrap()));
    let mut rng = Rng::new(8);
    let mut games = Vec::new();
    for number in 0..n {
        let rules = &rules[rng.below(3) / 2];
        let mut board = Game::new(&rules.chosen().book);
        let mut moves: Vec<Move> = Vec::new();
        while board.outcome().is_none() && moves.len() < 60 {
            let legal = board.moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[rng.below(legal.len())];
            board.play(mv).unwrap();
            moves.push(mv);
        }
        let names = [rng.below(6), 6 + rng.below(6)].map(|player| format!("player {player}"));
        let (id, year) = (format!("game-{number}.json"), (2001 + number % 9).to_string());
        let mut tags = vec![(tag::ATTACKERS, &*names[0]), (tag::DEFENDERS, &*names[1]), (tag::ID, &*id)];
        tags.extend(have_dates.then_some((tag::DATE, &*year)));
        let winner = if number % 4 == 3 { Side::Attackers } else { Side::Defenders };
        let outcome = (number % 4 > 0).then(|| Outcome::win(winner, Reason::Timeout));
        let made = GeneratedGame { rules, moves: &moves, outcome, tags: &tags };
        games.push(preparer.prepare_generated(&made).unwrap());
    }
    games
}

/// Returns every figure of a corpus as text.
fn figures_of(corpus: &Corpus) -> Vec<String> {
    let games = load_games(corpus, GamesToLoad::All).unwrap();
    let brandubh = games.variant("brandubh7").unwrap();
    let found = balance(&games, &BalanceOptions::default());
    let expected = found.variants[0].expected.as_ref();
    let options = BoardOptions { expected, ..BoardOptions::default() };
    let boards = board_findings(corpus, &games, brandubh, &options, CancelCheck::NEVER).unwrap();
    let even = games.filtered(|game| game.plies.is_multiple_of(2));
    let odd = games.filtered(|game| !game.plies.is_multiple_of(2));
    let compared = compare_selections(&even.rows, &odd.rows, &CompareOptions::default());
    let player = |name: &str| games.players.find(name).unwrap();
    let (one, other) = (player("player 1"), player("player 7"));
    let map = variant_map(
        corpus,
        &games,
        &MapOptions { min_games: 5, ..MapOptions::default() },
        CancelCheck::NEVER,
    );
    vec![
        format!("{found:#?}"),
        format!("{boards:#?}"),
        format!("{compared:#?}"),
        format!("{:#?}", player_table(&games)),
        format!("{:#?}", player_findings(corpus, &games, &games, one, Some(other)).unwrap()),
        format!("{:#?}", disagreement(corpus, &games, brandubh, &published_balances()).unwrap()),
        format!("{:#?}", branching(corpus, &games).unwrap()[&brandubh]),
        format!("{:#?}", map.unwrap().unwrap()),
        format!(
            "{:#?}",
            standings(corpus, &games, TournamentGroups::Met, &CrosstableOptions::default(), &mut NoSolver)
                .unwrap()
        ),
        crate::games_hash(&games),
    ]
}

#[test]
fn figures_do_not_depend_on_the_order_of_the_games() {
    for have_dates in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let mut rng = Rng::new(4);
        let path = |name: &str| folder.path().join(name);
        let straight = figures_of(&write_corpus(&path("straight"), random_games(500, have_dates)));
        let mut made = random_games(500, have_dates);
        for end in (1..made.len()).rev() {
            made.swap(end, rng.below(end + 1));
        }
        let shuffled = figures_of(&write_corpus(&path("shuffled"), made));
        for (one, other) in straight.iter().zip(&shuffled) {
            let different = one.lines().zip(other.lines()).find(|(one, other)| one != other);
            assert_eq!(different, None, "dates: {have_dates}");
        }
    }
}

#[test]
fn a_corpus_is_read_and_measured() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = random_corpus(&folder.path().join("corpus"), 200);
    let games = load_games(&corpus, GamesToLoad::All).unwrap();
    assert_eq!(games.rows.len() as u64, corpus.n_games());
    all_figures(&games);
    let brandubh = games.variant("brandubh7").unwrap();
    let boards = board_findings(&corpus, &games, brandubh, &BoardOptions::default(), CancelCheck::NEVER)
        .unwrap()
        .unwrap();
    let own: Vec<&GameFacts> = games.rows.iter().filter(|game| game.variant == brandubh).collect();
    assert_eq!(boards.games, own.len() as u64);
    assert_eq!(boards.plies, own.iter().map(|game| u64::from(game.plies)).sum::<u64>());
    assert!((boards.king.iter().sum::<f64>() - 1.0).abs() < 1e-9 && boards.symmetries == 8);
    assert_eq!(boards.material[0].pieces.attackers.value, 8.0);
    assert_eq!(boards.material[0].pieces.defenders.value, 5.0);
    let firsts: u64 = boards.first_moves.iter().map(|opening| opening.tally.games).sum();
    assert_eq!(firsts, boards.games);
    // The 40 first moves from the start of Brandubh are five up to symmetry.
    assert!(boards.first_moves.len() <= 5, "{}", boards.first_moves.len());
    for openings in [2, 12, 1000] {
        let options = BoardOptions { openings, ..BoardOptions::default() };
        let boards =
            board_findings(&corpus, &games, brandubh, &options, CancelCheck::NEVER).unwrap().unwrap();
        for (lines, others) in
            [(&boards.first_moves, boards.other_first_moves), (&boards.openings, boards.other_openings)]
        {
            let listed: u64 = lines.iter().map(|line| line.proportion.hits).sum();
            let unlisted: u64 =
                [others.other_lines, others.too_short].iter().flatten().map(|rate| rate.hits).sum();
            assert_eq!(listed + unlisted, boards.games, "{others:?}");
            assert_eq!(others.other_lines.is_some(), others.lines > 0);
            let short = own.iter().filter(|game| (game.plies as usize) < others.plies).count() as u64;
            assert_eq!(others.too_short.map_or(0, |rate| rate.hits), short);
        }
        assert!(openings == 1000 || boards.other_openings.lines > 0);
    }
    let [none, one, two] = [0, 1, 2].map(|opening_plies| {
        let options = BoardOptions { opening_plies, ..BoardOptions::default() };
        board_findings(&corpus, &games, brandubh, &options, CancelCheck::NEVER).unwrap().unwrap()
    });
    assert!(none == two && one == two && two.openings.iter().all(|opening| opening.moves.len() == 2));
    let branching = &branching(&corpus, &games).unwrap()[&brandubh];
    assert_eq!(branching.by_ply[0].1, 40.0);
    assert_eq!(branching.plies, boards.plies);
    assert_eq!(eval_findings(&corpus, &games, brandubh).unwrap(), Err(NotEstimable::NoEvaluations));
    let health = health(&corpus, &games, None, 2026).unwrap();
    assert_eq!((health.games, health.rejected), (corpus.n_games(), 0));
    assert_eq!(health.with_year.unwrap().proportion.value, 1.0);
    let why = disagreement(&corpus, &games, brandubh, &published_balances()).unwrap();
    assert_eq!(why.all.tally.games, boards.games);
    assert_eq!(why.by_number.unwrap().iter().map(|slice| slice.tally.games).sum::<u64>(), boards.games);
    let some: Vec<_> = corpus.games().take(7).collect();
    assert_eq!(load_games(&corpus, GamesToLoad::These(&some)).unwrap().rows.len(), 7);
    assert!(load_games(&corpus, GamesToLoad::These(&[])).unwrap().rows.is_empty());
}

#[test]
fn a_game_with_two_impossible_values_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = random_corpus(&folder.path().join("corpus"), 3);
    let mut games = load_games(&corpus, GamesToLoad::All).unwrap();
    let n = |found: &HealthFindings| found.impossible.iter().map(|odd| odd.n).sum::<u64>();
    let before = health(&corpus, &games, None, 2026).unwrap();
    (games.rows[0].date, games.rows[0].ratings.attackers) = (GameDate::of("1500"), Rating::new(9000));
    let after = health(&corpus, &games, None, 2026).unwrap();
    assert_eq!(n(&after), n(&before) + 2);
    assert_eq!(after.with_impossible, before.with_impossible + 1);
}

#[test]
fn files_are_named_without_their_folders() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = random_corpus(&folder.path().join("corpus"), 3);
    let games = load_games(&corpus, GamesToLoad::All).unwrap();
    let mut found = health(&corpus, &games, None, 2026).unwrap();
    let location = |source: &str| RecordLocation { source: source.to_owned(), place: 3 };
    let examples = vec![location("/srv/ann/x.otg"), location("games/private/x.otg")];
    found.explained = vec![HealthCause { code: "P001".to_owned(), n: 2, with_faults: 0, examples }];
    found.most_repeated = vec![(location("pasted"), 2)];
    found.rejected_by_source = vec![("C:\\games\\y.csv".to_owned(), 1)];
    found.keep_file_names();
    assert_eq!(found.explained[0].examples, [location("x.otg"), location("x.otg")]);
    assert_eq!(found.most_repeated[0].0, location("pasted"));
    assert_eq!(found.rejected_by_source[0].0, "y.csv");
}

#[test]
fn a_missing_table_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = random_corpus(&folder.path().join("corpus"), 3);
    std::fs::write(corpus.segments()[0].folder().join("games.parquet"), "no table").unwrap();
    let error = load_games(&corpus, GamesToLoad::All).unwrap_err().to_string();
    assert!(error.contains("games.parquet"), "{error}");
}

#[test]
fn a_foreign_table_of_plies_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = random_corpus(&folder.path().join("corpus"), 3);
    let other = random_corpus(&folder.path().join("other"), 1);
    let games = load_games(&corpus, GamesToLoad::All).unwrap();
    let table = |corpus: &Corpus| corpus.segments()[0].folder().join("plies.parquet");
    std::fs::copy(table(&other), table(&corpus)).unwrap();
    let error = branching(&corpus, &games).unwrap_err().to_string();
    assert!(error.contains("plies.parquet"), "{error}");
}

#[test]
fn the_order_of_unnamed_variants_does_not_depend_on_threads() {
    let mut all = games(Vec::new());
    all.variants = (0..12)
        .map(|n| PlayedVariant {
            name: None,
            rules: format!("rules {}", (n * 5) % 12),
            rules_id: 100 - i64::from(n),
            shape: "7x7".to_owned(),
        })
        .collect();
    for variant in 0..12 {
        for n in 0..20 {
            let result = if n % 3 == 0 { GameResult::Attackers } else { GameResult::Defenders };
            all.rows.push(GameFacts { variant, ..game(None, result, 30 + n) });
        }
    }
    let order = |threads: usize| -> Vec<String> {
        let options = BalanceOptions { threads: threads.try_into().unwrap(), ..BalanceOptions::default() };
        balance(&all, &options).variants.into_iter().map(|found| found.variant.rules).collect()
    };
    let one = order(1);
    assert_eq!(one.len(), 12);
    assert!((0..5).all(|_| order(4) == one));
}
