//! Annotation of small games, and tests that stored evaluations do not change results.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tafl_rules::{AnyRulebook, Coord, Game, Move, Rng, Setup, Side, catalog};

use super::annotator::Confirm;
use super::*;
use crate::engine::EngineError;
use crate::limits::{Depth, Limits, Nodes};

/// A temporary folder, removed at the end of the test.
struct TempFolder(PathBuf);

impl TempFolder {
    fn new(name: &str) -> TempFolder {
        let path = std::env::temp_dir().join(format!("tafl-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        TempFolder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A game to annotate.
struct TestGame {
    book: AnyRulebook,
    start: Setup,
    first: Side,
    plies: Vec<(Move, Side)>,
}

impl TestGame {
    fn new(variant: &str, position: Option<&str>, first: Side, moves: &str) -> TestGame {
        let rules = catalog::find(variant).unwrap().rules();
        let book = AnyRulebook::compile(&rules).unwrap();
        let shape = rules.shape();
        let start = position.map_or(rules.start.clone(), |text| Setup::parse(shape, text).unwrap());
        let cell = |name: &str| shape.cell(name.parse::<Coord>().unwrap()).unwrap();
        let mut side = first;
        let mut plies = Vec::new();
        for mv in moves.split_ascii_whitespace() {
            let (from, to) = mv.split_once('-').unwrap();
            plies.push((Move::new(cell(from), cell(to)), side));
            side = side.other();
        }
        TestGame { book, start, first, plies }
    }

    fn played(&self) -> GameToAnnotate<'_> {
        GameToAnnotate {
            book: &self.book,
            variant: None,
            start: &self.start,
            first: self.first,
            plies: &self.plies,
        }
    }
}

fn settings(limits: Limits) -> AnnotateSettings {
    AnnotateSettings { limits, thresholds: Thresholds::default(), confirm: Confirm::Errors, prove: None }
}

fn annotate(story: &TestGame, limits: Limits) -> GameNotes {
    let (settings, curves) = (settings(limits), Curves::built_in());
    Annotator::new(&settings, &curves, None).annotate(&story.played()).unwrap()
}

const OPENING: &str = "d2-c2 d3-b3 c2-b2 d5-c5 e4-e3 d4-d2 b4-c4 d2-b2";

#[test]
fn an_escape_of_the_king_is_a_motif() {
    // No piece stands between the king on b1 and the corner.
    let story = TestGame::new("brandubh7", Some("/1K5/7/3t3/7/7/3t3/7/"), Side::Attackers, "d3-e3 b1-a1");
    let notes = annotate(&story, Limits::depth(3));
    assert_eq!(notes.stopped, None);
    let last = &notes.plies[1];
    assert!(
        last.motifs.iter().any(|motif| motif.kind == MotifKind::KingEscapes && motif.voice == Voice::Done)
    );
    assert_eq!(notes.positions[2].win().map(|win| (win.winner, win.plies)), Some((Side::Defenders, 0)));
    assert!(last.is_best);
    assert_eq!(last.loss, Some(0.0));
}

#[test]
fn a_missed_win_is_reported() {
    let story = TestGame::new("brandubh7", Some("/1K5/7/3t3/7/7/3t3/7/"), Side::Defenders, "b1-b4");
    let notes = annotate(&story, Limits::depth(2));
    let ply = &notes.plies[0];
    let words: Vec<String> = ply.motifs.iter().map(|motif| motif.describe(story.start.shape())).collect();
    assert!(words.contains(&"missed the king's escape to a1".to_owned()), "{words:?}");
    assert_eq!(ply.missed_win.map(|win| win.plies), Some(1));
    assert_eq!(notes.sides.defenders.missed_wins, 1);
    assert_eq!((ply.best_expectation, ply.proven_win), (Some(1.0), None));
    let settings = AnnotateSettings { prove: Some(Nodes(10_000)), ..settings(Limits::depth(2)) };
    let curves = Curves::built_in();
    let proven = Annotator::new(&settings, &curves, None).annotate(&story.played()).unwrap();
    assert_eq!(proven.plies[0].proven_win, Some(1));
}

#[test]
fn each_position_is_searched_once() {
    let story = TestGame::new("brandubh7", None, Side::Attackers, OPENING);
    let settings = AnnotateSettings { confirm: Confirm::Nothing, ..settings(Limits::nodes(500)) };
    let curves = Curves::built_in();
    let notes = Annotator::new(&settings, &curves, None).annotate(&story.played()).unwrap();
    assert_eq!(notes.searches.made, notes.plies.len() as u64 + 1);
}

#[test]
fn suspected_errors_are_searched_again_with_larger_limits() {
    let mut story = TestGame::new("brandubh7", None, Side::Attackers, "");
    // A game of random moves has errors.
    let (mut game, mut rng) = (Game::new(&story.book), Rng::new(5));
    while game.outcome().is_none() && story.plies.len() < 24 {
        let (moves, side) = (game.moves(), game.to_move());
        let mv = *rng.pick(&moves).unwrap();
        game.play(mv).unwrap();
        story.plies.push((mv, side));
    }
    let curves = Curves::built_in();
    let usual = AnnotateSettings { confirm: Confirm::Nothing, ..settings(Limits::nodes(100)) };
    let deeper = AnnotateSettings { confirm: Confirm::Deeper(20), ..usual.clone() };
    let of = |settings: &AnnotateSettings| {
        Annotator::new(settings, &curves, None).annotate(&story.played()).unwrap()
    };
    let (first, again) = (of(&usual), of(&deeper));
    let mut n_suspected = 0;
    for (at, (one, other)) in first.plies.iter().zip(&again.plies).enumerate() {
        let nodes = |notes: &GameNotes| notes.positions[at].evaluation().map_or(0, |found| found.nodes.0);
        let is_suspected =
            one.loss.is_some_and(|loss| loss >= Thresholds::default().inaccuracy()) && !one.is_best;
        if is_suspected && first.positions[at].win().is_none() {
            n_suspected += 1;
            let is_deeper = nodes(&again) > 2 * nodes(&first) || again.positions[at].win().is_some();
            assert!(is_deeper, "ply {at}: {} and {} nodes", nodes(&first), nodes(&again));
        }
        assert!(other.loss.is_some());
    }
    assert!(n_suspected > 0, "the game has suspected errors");
    assert!(again.searches.nodes > first.searches.nodes);
}

#[test]
fn a_game_is_annotated_up_to_its_first_illegal_move() {
    let story = TestGame::new("brandubh7", None, Side::Attackers, "d2-c2 d3-b3 a1-b1 d5-c5");
    let notes = annotate(&story, Limits::nodes(500));
    assert_eq!(notes.stopped, Some(StopReason::IllegalMove { ply: 3 }));
    assert_eq!((notes.positions.len(), notes.plies.len()), (3, 2));
}

#[test]
fn stored_evaluations_do_not_change_results() {
    let folder = TempFolder::new("kept");
    let (settings, curves) = (settings(Limits::nodes(2000)), Curves::built_in());
    let story = TestGame::new("brandubh7", None, Side::Attackers, OPENING);
    let part = TestGame::new("brandubh7", None, Side::Attackers, &OPENING[..23]);
    let plain = Annotator::new(&settings, &curves, None).annotate(&story.played()).unwrap();
    let path = folder.file("evals.log");
    {
        let log = Mutex::new(EvalLog::open(&path).unwrap());
        Annotator::new(&settings, &curves, Some(&log)).annotate(&part.played()).unwrap();
    }
    // A program that is killed while writing leaves such a file.
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(&[90, 0, 0, 0, 1, 2, 3]).unwrap();
    let log = Mutex::new(EvalLog::open(&path).unwrap());
    assert_eq!(log.lock().unwrap().lost_bytes(), 7);
    let kept = log.lock().unwrap().len() as u64;
    let resumed = Annotator::new(&settings, &curves, Some(&log)).annotate(&story.played()).unwrap();
    assert!(kept >= 5 && resumed.searches.reused >= 5, "{kept} {:?}", resumed.searches);
    let without_counts = |notes: GameNotes| GameNotes { searches: notes::SearchCounts::default(), ..notes };
    assert_eq!(without_counts(resumed), without_counts(plain));
}

#[test]
fn other_limits_are_another_context() {
    let folder = TempFolder::new("limits");
    let log = Mutex::new(EvalLog::open(&folder.file("evals.log")).unwrap());
    let story = TestGame::new("brandubh7", None, Side::Attackers, "d2-c2");
    let curves = Curves::built_in();
    for (nodes, kept) in [(300, 0), (301, 0), (300, 2)] {
        let settings = AnnotateSettings { confirm: Confirm::Nothing, ..settings(Limits::nodes(nodes)) };
        let notes = Annotator::new(&settings, &curves, Some(&log)).annotate(&story.played()).unwrap();
        assert_eq!(notes.searches.reused, kept, "{nodes}");
    }
}

#[test]
fn a_log_is_locked_and_other_files_are_rejected() {
    let folder = TempFolder::new("refused");
    let path = folder.file("evals.log");
    let _log = EvalLog::open(&path).unwrap();
    assert!(matches!(EvalLog::open(&path), Err(LogError::InUse { .. })));
    let other = folder.file("other.txt");
    fs::write(&other, "1. d2-c2 d3-b3\n").unwrap();
    assert!(matches!(EvalLog::open(&other), Err(LogError::NotALog { .. })));
    assert_eq!(fs::read_to_string(&other).unwrap(), "1. d2-c2 d3-b3\n");
    let newer = folder.file("newer.log");
    fs::write(&newer, "tafl-evals 2\nwhatever").unwrap();
    let error = EvalLog::open(&newer).unwrap_err();
    assert!(matches!(&error, LogError::Version { found, .. } if &**found == "2"), "{error}");
}

/// Writes a log with the evaluations of a game, and returns its bytes.
fn write_log(path: &Path) -> Vec<u8> {
    let story = TestGame::new("brandubh7", None, Side::Attackers, OPENING);
    let (settings, curves) = (settings(Limits::nodes(300)), Curves::built_in());
    let log = Mutex::new(EvalLog::open(path).unwrap());
    Annotator::new(&settings, &curves, Some(&log)).annotate(&story.played()).unwrap();
    fs::read(path).unwrap()
}

#[test]
fn a_damaged_log_is_replaced_and_never_changed_in_place() {
    let folder = TempFolder::new("replaced");
    let (path, aside) = (folder.file("evals.log"), folder.file(".evals.log.part"));
    let whole = write_log(&path);
    let n_evaluations = EvalLog::open(&path).unwrap().len();
    // Too few bytes for a record, before all others.
    let (first_line, records) = whole.split_at("tafl-evals 1\n".len());
    let damaged = [first_line, b"abc", records].concat();
    // What a program leaves that is killed before the new log is complete, or before it is renamed.
    let half = &whole[..whole.len() / 2];
    for (nth, left) in [None, Some(half), Some(&whole[..])].into_iter().enumerate() {
        let before = folder.file(&format!("before{nth}.log"));
        fs::write(&before, &damaged).unwrap();
        fs::remove_file(&path).unwrap();
        // Another name of the same file, which shows every change in place.
        fs::hard_link(&before, &path).unwrap();
        left.iter().for_each(|bytes| fs::write(&aside, bytes).unwrap());
        let log = EvalLog::open(&path).unwrap();
        assert_eq!((log.lost_bytes(), log.len()), (3, n_evaluations), "{nth}");
        assert!(fs::read(&before).unwrap() == damaged, "{nth}: the old log was changed");
        assert!(fs::read(&path).unwrap() == whole && !aside.exists(), "{nth}");
        for name in [&path, &before] {
            assert!(matches!(EvalLog::open(name), Err(LogError::InUse { .. })), "{nth}: {}", name.display());
        }
    }
    // Where the new log cannot be written, the old one stays.
    fs::write(&path, &damaged).unwrap();
    fs::create_dir(&aside).unwrap();
    assert!(matches!(EvalLog::open(&path), Err(LogError::Io { .. })));
    assert!(fs::read(&path).unwrap() == damaged);
}

#[test]
fn damage_in_a_log_costs_only_the_records_that_it_touches() {
    let folder = TempFolder::new("damage");
    let path = folder.file("evals.log");
    let whole = write_log(&path);
    // After the first line, each record begins with its length, which does not include the twelve
    // bytes of the header.
    let mut starts = vec!["tafl-evals 1\n".len()];
    while let Some(length) = whole[starts[starts.len() - 1]..].first_chunk::<4>() {
        starts.push(starts[starts.len() - 1] + 12 + u32::from_le_bytes(*length) as usize);
    }
    assert_eq!(starts.pop(), Some(whole.len()));
    let n_records = starts.len();
    starts.push(whole.len());
    let open = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        EvalLog::open(&path).unwrap()
    };
    let n_evaluations = open(&whole).len();
    for at in (starts[0]..whole.len()).step_by(37) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        let nth = starts.partition_point(|start| *start <= at) - 1;
        let lost = (starts[nth + 1] - starts[nth]) as u64;
        let is_context = whole[starts[nth] + 12] == b'C';
        let log = open(&damaged);
        assert_eq!(
            (log.lost_bytes(), log.len()),
            (lost, n_evaluations - usize::from(!is_context)),
            "byte {at}"
        );
        drop(log);
        // The damaged record is gone, so that later runs read the log without a search.
        let log = EvalLog::open(&path).unwrap();
        assert_eq!((log.lost_bytes(), log.len()), (0, n_evaluations - usize::from(!is_context)), "byte {at}");
    }
    assert!(n_records > 3 && n_evaluations > 1);
    // Inserted bytes cost no record.
    let inserted = [&whole[..starts[2]], b"abc", &whole[starts[2]..]].concat();
    let log = open(&inserted);
    assert_eq!((log.lost_bytes(), log.len()), (3, n_evaluations));
    drop(log);
    assert!(fs::read(&path).unwrap() == whole);
    // Removed bytes cost the record that they belonged to; its rest is skipped.
    let removed = [&whole[..starts[2] + 5], &whole[starts[2] + 9..]].concat();
    let log = open(&removed);
    assert_eq!((log.lost_bytes(), log.len()), ((starts[3] - starts[2] - 4) as u64, n_evaluations - 1));
}

#[test]
fn only_moves_are_found_with_two_lines() {
    // The same position as the puzzle below: on d1 the king cannot be stopped, on any other cell he
    // is captured.
    let story = TestGame::new("brandubh7", Some("/7/2tK1t1/3t3/7/T6/7/7/"), Side::Defenders, "d2-d1");
    let notes = annotate(&story, Limits { multi_pv: Some(2), ..Limits::nodes(20_000) });
    assert_eq!(notes.plies[0].only.map(|only| only.mv), Some(story.plies[0].0));
    assert_eq!((notes.sides.defenders.only_moves, notes.sides.defenders.only_moves_found), (1, 1));
    assert_eq!(annotate(&story, Limits::nodes(20_000)).plies[0].only, None);
}

#[test]
fn two_kings_and_hexagons_can_be_annotated() {
    for named in catalog::all() {
        let rules = named.rules();
        let book = AnyRulebook::compile(&rules).unwrap();
        let game = tafl_rules::Game::new(&book);
        let plies = vec![(game.moves()[0], game.to_move())];
        let story = TestGame { book, start: rules.start.clone(), first: rules.first_mover, plies };
        let notes = annotate(&story, Limits::nodes(60));
        assert_eq!((notes.stopped, notes.positions.len()), (None, 2), "{}", named.name);
    }
}

#[test]
fn a_limit_of_zero_is_rejected() {
    let story = TestGame::new("brandubh7", None, Side::Attackers, "d2-c2");
    let limits = Limits { depth: Some(Depth(0)), ..Limits::default() };
    let (settings, curves) = (settings(limits), Curves::built_in());
    let error = Annotator::new(&settings, &curves, None).annotate(&story.played()).unwrap_err();
    assert!(matches!(error, AnnotateError::Limits(EngineError::ZeroLimit("plies"))), "{error}");
}

#[test]
fn finished_games_and_boards_without_a_king_can_be_evaluated() {
    let ended = TestGame::new("brandubh7", Some("/K6/7/3t3/7/7/3t3/7/"), Side::Attackers, "");
    let notes = annotate(&ended, Limits::nodes(100));
    assert_eq!(notes.plies.len(), 0);
    assert_eq!(notes.positions[0].win().map(|win| (win.winner, win.plies)), Some((Side::Defenders, 0)));
    let kingless = TestGame::new("brandubh7", Some("/7/7/3t3/7/2T4/3t3/7/"), Side::Attackers, "d3-e3");
    let notes = annotate(&kingless, Limits::nodes(100));
    assert_eq!(notes.plies.len(), 1);
}

#[test]
fn a_puzzle_has_one_winning_move() {
    let rules = catalog::find("brandubh7").unwrap().rules();
    let book = AnyRulebook::compile(&rules).unwrap();
    let curves = Curves::built_in();
    // From d1 both corners are open to the king. If he stays, f2-e2 captures him; on e2, d3-d2
    // does.
    let setup = Setup::parse(rules.shape(), "/7/2tK1t1/3t3/7/T6/7/7/").unwrap();
    let criteria = puzzle::PuzzleCriteria { nodes: 20_000, max_second: 0.6, min_plies: 3, min_moves: 3 };
    let found =
        puzzle::find_puzzle(&book, (&setup, Side::Defenders), curves.of(None), &criteria, &Limits::default())
            .unwrap();
    let again =
        puzzle::find_puzzle(&book, (&setup, Side::Defenders), curves.of(None), &criteria, &Limits::default())
            .unwrap();
    assert_eq!(found, again);
    let puzzle = found.expect("the king goes to d1 and then to a corner");
    let name = |cell| rules.shape().name(cell);
    assert_eq!((name(puzzle.line[0].to).as_str(), puzzle.plies), ("d1", 3));
    assert_eq!(puzzle.verified, puzzle::Verification::Solver { plies: 3 });
    assert!(puzzle.themes.contains(&puzzle::PuzzleTheme::DoubleThreat), "{:?}", puzzle.themes);
    assert!(puzzle.themes.contains(&puzzle::PuzzleTheme::RunToCorner), "{:?}", puzzle.themes);
    let ended = Setup::parse(rules.shape(), "/K6/7/3t3/7/7/3t3/7/").unwrap();
    assert_eq!(
        puzzle::find_puzzle(&book, (&ended, Side::Defenders), curves.of(None), &criteria, &Limits::default()),
        Ok(None)
    );
    // With the other side to move, f2-e2 captures the king immediately, and no other move does.
    let one_ply = puzzle::PuzzleCriteria { max_second: 1.0, min_plies: 1, ..criteria };
    let found =
        puzzle::find_puzzle(&book, (&setup, Side::Attackers), curves.of(None), &one_ply, &Limits::default())
            .unwrap();
    let verified = found.map(|puzzle| (puzzle.plies, puzzle.verified));
    assert_eq!(verified, Some((1, puzzle::Verification::Solver { plies: 1 })));
}
