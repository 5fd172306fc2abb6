//! A search finds what playing every game finds.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use tafl_rules::{Rng, Side};

use super::{CountEffort, HitPage, HitUnit, PageRequest, SearchHit, SearchSegment, Searcher, Total};
use crate::cancel::CancelCheck;
use crate::index::fixture::Fixture;
use crate::move_log::{GameSetup, MoveLog};
use crate::query::{Comparison, ConditionValue, GameCondition, GameField, GameHit, Query};

/// Some segments, on disk.
struct Corpus {
    fixtures: Vec<Fixture>,
    removed: Vec<Vec<[u32; 2]>>,
    folder: tempfile::TempDir,
}

impl Corpus {
    fn new(seed: u64, sizes: &[usize]) -> Corpus {
        let folder = tempfile::tempdir().unwrap();
        let fixtures: Vec<Fixture> =
            (seed..).zip(sizes).map(|(seed, n_games)| Fixture::new(seed, *n_games)).collect();
        for (nth, fixture) in fixtures.iter().enumerate() {
            fixture.build(&folder.path().join(nth.to_string()));
        }
        let removed = sizes.iter().map(|_| vec![[0, 1], [4, 4], [7, 9]]).collect();
        Corpus { fixtures, removed, folder }
    }

    fn searcher(&self, threads: usize) -> Searcher {
        let segments =
            self.fixtures.iter().zip(&self.removed).enumerate().map(|(nth, (fixture, removed))| {
                let folder = self.folder.path().join(nth.to_string());
                SearchSegment::new(fixture.move_log.clone(), folder.join("tape.bin"), folder, removed.clone())
            });
        Searcher::new(segments.collect(), NonZeroUsize::new(threads).unwrap())
    }

    /// Returns the hits in all games, found by playing them.
    fn brute_force(&self, query: &Query) -> Vec<SearchHit> {
        let mut all = Vec::new();
        for (segment, fixture) in self.fixtures.iter().enumerate() {
            for game in 0..fixture.move_log.n_games() {
                if self.removed[segment].iter().any(|[first, last]| (*first..=*last).contains(&game)) {
                    continue;
                }
                let hits = hits_in(query, &fixture.move_log, (game, fixture));
                all.extend(hits.into_iter().map(|hit| SearchHit { segment, row: game, hit }));
            }
        }
        all
    }
}

fn hits_in(query: &Query, move_log: &MoveLog, (game, fixture): (u32, &Fixture)) -> Vec<GameHit> {
    let row = crate::index::tests::Row::of(&fixture.rows[game as usize]);
    let truth: Vec<bool> =
        query.game_conditions().into_iter().map(|condition| condition.holds(&row)).collect();
    let plan = query.compile(&move_log.game_setups()[usize::from(move_log.entry(game).game_setup)]).unwrap();
    let mut hits = Vec::new();
    plan.run(&mut move_log.cursor(game).unwrap(), &truth, &mut hits).unwrap();
    plan.locate(&mut move_log.cursor(game).unwrap(), &mut hits).unwrap();
    hits
}

fn everything() -> PageRequest {
    positions(0, u64::MAX, CountEffort::Exact)
}

fn positions(offset: u64, limit: u64, effort: CountEffort) -> PageRequest {
    PageRequest { unit: HitUnit::Position, offset, limit, effort }
}

fn search(searcher: &Searcher, query: &Query, page: PageRequest) -> HitPage {
    searcher.page(query, page, CancelCheck::NEVER).unwrap()
}

/// Queries of every kind, some with hits in most games and some with none.
const QUESTIONS: [&str; 34] = [
    "capture",
    "not capture",
    "shieldwall or exit_fort",
    "king_danger and king_distance<=2",
    "capture then king_escaped within 4",
    "ply=0",
    "ply>=40 and attackers-defenders>2",
    "variant:brandubh7",
    "variant:brandubh* and capture and not player:berg",
    "player:\"anna berg\"",
    "text:\"shield wall*\"",
    "text!=wall",
    "ever(king_cordon)",
    "never(capture)",
    "count(capture) >= 3",
    "first(capture)",
    "last(king_distance=1)",
    "from:d1 and took_at:d3",
    "to:corner",
    "piece:K",
    "rating>=1200 and year=2019",
    "result:draw and date>=2019-03",
    "shape:hex4 or two_kings",
    "won:berg",
    "took:t",
    "took:K or captured>=2",
    "attackers_lost>1 and mover:attackers",
    "threat and to_move:defenders",
    "king_can_escape and not capture",
    "king_on_edge or king_on_throne and ply>3",
    "pieces<=12",
    "king_file=4 and king_lines>0",
    "plies_left=0 and result:attackers",
    "move:d1-c1",
];

#[test]
fn searches_equal_a_replay_of_every_game() {
    let corpus = Corpus::new(100, &[60, 1, 90, 30]);
    let mut n_found = 0;
    for text in QUESTIONS {
        let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let wanted = corpus.brute_force(&query);
        for threads in [1, 2, 3] {
            let answer = search(&corpus.searcher(threads), &query, everything());
            assert_eq!(answer.hits, wanted, "{text}");
            assert_eq!(answer.total, Total::Exactly(wanted.len() as u64));
            let listed = corpus.searcher(threads).games(&query).unwrap();
            let mut games: Vec<_> = wanted.iter().map(|found| (found.segment, found.row)).collect();
            games.dedup();
            assert_eq!(answer.games, Total::Exactly(games.len() as u64));
            assert_eq!(listed.iter().map(|at| (at.segment, at.row)).collect::<Vec<_>>(), games);
            assert!(answer.candidates >= games.len() as u64);
        }
        n_found += usize::from(!wanted.is_empty());
    }
    assert!(n_found > 15, "{n_found} queries have hits");
}

#[test]
fn patterns_from_boards_equal_a_replay_of_every_game() {
    let corpus = Corpus::new(200, &[50, 40]);
    let mut rng = Rng::new(9);
    let mut n_found = 0;
    for _ in 0..60 {
        let text = pattern(&corpus, &mut rng);
        let query = Query::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let wanted = corpus.brute_force(&query);
        let answer = search(&corpus.searcher(2), &query, everything());
        assert_eq!(answer.hits, wanted, "{text}");
        check_counts(&corpus.searcher(1 + rng.below(3)), &query, &wanted);
        n_found += wanted.len();
    }
    assert!(n_found > 100, "{n_found}");
}

/// Checks pages of a query whose other hits are only counted.
fn check_counts(searcher: &Searcher, query: &Query, wanted: &[SearchHit]) {
    let mut games: Vec<_> = wanted.iter().map(|found| (found.segment, found.row)).collect();
    games.dedup();
    for (offset, limit) in [(0, 0), (0, 3), (5, 20)] {
        let answer = search(searcher, query, positions(offset, limit, CountEffort::Exact));
        assert_eq!(answer.total, Total::Exactly(wanted.len() as u64), "{query}");
        assert_eq!(answer.games, Total::Exactly(games.len() as u64), "{query}");
        let in_page = |hits: &[SearchHit]| {
            hits.iter().skip(offset as usize).take(limit as usize).copied().collect::<Vec<_>>()
        };
        assert_eq!(answer.hits, in_page(wanted), "{query}");
        let page = PageRequest { unit: HitUnit::Game, offset, limit, effort: CountEffort::Exact };
        let answer = search(searcher, query, page);
        assert_eq!(answer.total, Total::Exactly(wanted.len() as u64), "{query}");
        assert_eq!(answer.games, Total::Exactly(games.len() as u64), "{query}");
        let n_hits = in_page_len(page.unit, (wanted.len(), games.len()), (offset, limit));
        assert_eq!(answer.hits.len(), n_hits, "{query}");
    }
}

/// Returns the number of hits or games on a page.
fn in_page_len(unit: HitUnit, (hits, games): (usize, usize), (offset, limit): (u64, u64)) -> usize {
    let all = if unit == HitUnit::Game { games } else { hits };
    all.saturating_sub(offset as usize).min(limit as usize)
}

/// Returns a query about a part of a position of the corpus, or about all of it.
fn pattern(corpus: &Corpus, rng: &mut Rng) -> String {
    let fixture = &corpus.fixtures[rng.below(corpus.fixtures.len())];
    let mut cursor = fixture.move_log.cursor(rng.below(fixture.rows.len()) as u32).unwrap();
    for _ in 0..rng.below(40) {
        cursor.advance().unwrap();
    }
    let setup = cursor.state().setup();
    let rows: Vec<String> = setup.to_string().trim_matches('/').split('/').map(spread).collect();
    let turns = ["", "as_is "][rng.below(2)];
    if rng.below(4) == 0 || setup.shape().is_hex() {
        return format!("position {turns}\"{setup}\"");
    }
    // From the first corner: so the same text can be anchored there.
    let (width, height) = (2 + rng.below(3), 2 + rng.below(2));
    let part: Vec<String> = rows[..height]
        .iter()
        .map(|row| row.chars().take(width).map(|c| if rng.below(4) == 0 { '?' } else { c }).collect())
        .collect();
    let anchor = ["corner ", "", "edge "][rng.below(3)];
    format!("pattern {turns}{anchor}\"{}\"", part.join("/"))
}

/// Returns a row of a position record with a dot for each empty cell.
fn spread(row: &str) -> String {
    let (mut out, mut number) = (String::new(), 0);
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(digit) => number = number * 10 + digit as usize,
            None => {
                out += &".".repeat(number);
                number = 0;
                out.push(letter);
            }
        }
    }
    out + &".".repeat(number)
}

#[test]
fn pages_are_parts_of_the_whole_answer() {
    let corpus = Corpus::new(300, &[40, 50]);
    let query = Query::parse("capture").unwrap();
    let all = corpus.brute_force(&query);
    assert!(all.len() > 100);
    let searcher = corpus.searcher(2);
    for (offset, limit) in [(0, 1), (0, 10), (7, 10), (all.len() as u64 - 3, 10), (1000, 10), (5, 0)] {
        for effort in [CountEffort::Exact, CountEffort::Page] {
            let answer = search(&searcher, &query, positions(offset, limit, effort));
            let first = all.len().min(offset as usize);
            let wanted = &all[first..all.len().min(first + limit as usize)];
            assert_eq!(answer.hits, wanted);
            match answer.total {
                Total::Exactly(total) => assert_eq!(total as usize, all.len()),
                Total::About(_) => panic!("pages that stop are not estimated"),
                Total::AtLeast(total) => {
                    assert!(
                        effort == CountEffort::Page
                            && total == offset + limit + 1
                            && total as usize <= all.len()
                    );
                }
            }
        }
    }
    let mut n_seen = 0;
    let cancel = |_| {
        n_seen += 1;
        if n_seen == 5 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    searcher.each(&query, cancel).unwrap();
    assert_eq!(n_seen, 5);
}

#[test]
fn totals_after_a_page_are_exact_or_estimates_with_their_intervals() {
    // The candidates of some segments are not looked up.
    let corpus = Corpus::new(700, &[30, 31, 28, 40, 30, 25, 33, 30, 30, 27, 36, 30]);
    let (mut n_estimates, mut n_held, mut errors) = (0u32, 0u32, 0.0);
    for text in QUESTIONS {
        let query = Query::parse(text).unwrap();
        let wanted = corpus.brute_force(&query);
        let mut games: Vec<_> = wanted.iter().map(|found| (found.segment, found.row)).collect();
        games.dedup();
        for (unit, offset) in [(HitUnit::Game, 0), (HitUnit::Position, 3)] {
            let range = PageRequest { unit, offset, limit: 5, effort: CountEffort::Estimate };
            let answer = corpus.searcher(1).page(&query, range, CancelCheck::NEVER).unwrap();
            // The estimate does not depend on the number of threads.
            let again = corpus.searcher(3).page(&query, range, CancelCheck::NEVER).unwrap();
            assert_eq!((answer.total, answer.games), (again.total, again.games), "{text}");
            assert_eq!(answer.hits, again.hits, "{text}");
            let shown = in_page_len(unit, (wanted.len(), games.len()), (offset, 5));
            assert_eq!(answer.hits.len(), shown, "{text}");
            for (total, n) in [(answer.total, wanted.len()), (answer.games, games.len())] {
                match total {
                    Total::Exactly(total) => assert_eq!(total as usize, n, "{text}"),
                    Total::AtLeast(_) => panic!("the total of a page is exact or an estimate"),
                    Total::About(estimate) => {
                        n_estimates += 1;
                        n_held += u32::from((estimate.low..=estimate.high).contains(&(n as u64)));
                        errors += (estimate.value as f64 - n as f64).abs() / n as f64;
                    }
                }
            }
        }
    }
    assert!(n_estimates > 20 && n_held * 10 >= n_estimates * 9, "{n_held} of {n_estimates}");
    let mean_error = errors / f64::from(n_estimates);
    assert!(mean_error < 0.25, "{mean_error}");
}

#[test]
fn positions_of_hits_are_those_of_the_games() {
    let corpus = Corpus::new(400, &[30]);
    let searcher = corpus.searcher(1);
    let query = Query::parse("capture").unwrap();
    for found in search(&searcher, &query, positions(0, 20, CountEffort::Page)).hits {
        let setup = searcher.position(&found).unwrap();
        let whole = Query::parse(&format!("position as_is \"{setup}\"")).unwrap();
        let again = search(&searcher, &whole, everything());
        assert!(again.hits.iter().any(|hit| (hit.row, hit.hit.ply) == (found.row, found.hit.ply)));
        assert!(again.candidates < 30);
    }
}

#[test]
fn games_are_found_by_number_in_a_search() {
    let corpus = Corpus::new(500, &[20, 20]);
    let row = &corpus.fixtures[1].rows[5];
    let condition = GameCondition {
        field: GameField::column("game"),
        comparison: Comparison::Equal,
        value: ConditionValue::Word(row.game.to_string()),
    };
    let query = Query::new(crate::query::Expr::Game(condition));
    let answer = search(&corpus.searcher(1), &query, everything());
    assert_eq!(answer.hits.len(), 1);
    assert_eq!((answer.hits[0].segment, answer.hits[0].row), (1, 5));
}

#[test]
fn a_missing_index_is_named() {
    let corpus = Corpus::new(600, &[5]);
    let searcher = corpus.searcher(1);
    std::fs::remove_dir_all(corpus.folder.path().join("0")).unwrap();
    let error =
        searcher.page(&Query::parse("capture").unwrap(), everything(), CancelCheck::NEVER).unwrap_err();
    assert!(error.to_string().contains(&corpus.folder.path().join("0").display().to_string()), "{error}");
}

#[test]
fn the_cache_of_setups_is_bounded() {
    let mut cached = HashMap::new();
    for number in 0..3 * super::MAX_CACHED {
        let game_setup =
            GameSetup { rules: number.to_string(), start: String::new(), first: Side::Attackers };
        super::cache(&mut cached, &game_setup, number);
        assert!(cached.len() <= super::MAX_CACHED && cached[&game_setup] == number);
    }
}
