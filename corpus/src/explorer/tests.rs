//! What the explorer counts is what a look at every position of every game counts.

mod illegal_moves;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use tafl_parser::{ChosenRules, RuleChoice as Rules, tag};
use tafl_rules::{AnyRulebook, Game, Move, RepetitionMode, Rng, Setup, Symmetry, catalog};

use super::{Explorer, GameSubset, MoveStats, OpeningNode, PositionStats, TreeLimits};
use crate::cancel::CancelCheck;
use crate::error::CorpusError;
use crate::folder::Corpus;
use crate::index::NumberSet;
use crate::ingest::{GeneratedGame, Ingest, IngestOptions, Preparer};
use crate::move_log::GameResult;
use crate::openings::{GameCounts, Orientation, QueryPosition};
use crate::query::Query;
use crate::search::{CountEffort, HitUnit, PageRequest, SearchSegment, Searcher};
use crate::segment_files::{MOVE_LOG_FILE, OPENINGS_FILE};
use crate::verify::{VerifyDepth, verify};

/// Variants whose games begin alike; berserk has chains, hexentafl another kind of board.
const VARIANTS: [&str; 3] = ["brandubh7", "hexentafl4", "berserk11"];

fn chosen(name: &str) -> Arc<ChosenRules> {
    Rules::named(catalog::find(name).unwrap()).chosen()
}

/// Makes a corpus of games that begin alike, in any orientation of the board.
fn corpus(path: &Path, n_games: usize) -> Corpus {
    let mut rng = Rng::new(5);
    let all: Vec<Rules> = VARIANTS.iter().map(|name| Rules::named(catalog::find(name).unwrap())).collect();
    let mut ingest = Ingest::begin(path, &IngestOptions::default()).unwrap();
    let mut preparer = Preparer::default();
    for number in 0..n_games {
        let rules = &all[number % all.len()];
        let moves = random_moves(&rules.chosen().book, &mut rng);
        let name = number.to_string();
        let rating = (1000 + rng.below(50) * 10).to_string();
        let date = format!("20{:02}-{:02}", 10 + rng.below(9), 1 + rng.below(12));
        let tags = [(tag::ATTACKERS, &*name), (tag::ATTACKERS_RATING, &*rating), (tag::DATE, &*date)];
        let made = GeneratedGame { rules, moves: &moves, outcome: None, tags: &tags[..2 + rng.below(2)] };
        let prepared = preparer.prepare_generated(&made).unwrap();
        ingest.add_game(prepared).unwrap();
        if number == n_games / 2 {
            ingest.commit().unwrap();
        }
    }
    ingest.finish().unwrap();
    Corpus::open(path).unwrap()
}

/// Returns the moves of a game: the first ones are few, turned by a symmetry of the rules.
fn random_moves(book: &AnyRulebook, rng: &mut Rng) -> Vec<Move> {
    let mut game = Game::with_mode(book, RepetitionMode::Report);
    let turned = &book.symmetries()[rng.below(book.symmetries().len())];
    let mut moves = Vec::new();
    for ply in 0..1 + rng.below(24) {
        let legal = game.moves();
        if legal.is_empty() || game.outcome().is_some() {
            break;
        }
        let mv = match ply {
            0..4 => legal[rng.below(2) * rng.below(legal.len().min(3))],
            _ => legal[rng.below(legal.len())],
        };
        game.play(mv).unwrap();
        moves.push(Move::new(turned.image(mv.from), turned.image(mv.to)));
    }
    moves
}

/// The statistics counted by replaying every game.
#[derive(Debug, Default, PartialEq)]
struct Slow {
    /// Games by result, those that end here, and the games that played each child.
    results: [u64; 4],
    ended: u64,
    children: BTreeMap<BTreeSet<Move>, [u64; 4]>,
}

/// Counts by holding every position of every game against every image of the board.
fn count(
    corpus: &Corpus,
    place: &QueryPosition,
    symmetries: &[Symmetry],
    wanted: impl Fn(usize, u32) -> bool,
) -> Slow {
    let setup = place.game().setup();
    let groups: Vec<BTreeSet<Move>> = (0..place.n_children())
        .map(|child| {
            let (first, others) = place.moves_of(child);
            others.into_iter().chain([first]).collect()
        })
        .collect();
    let mut slow = Slow::default();
    for (number, segment) in corpus.segments().iter().enumerate() {
        for row in (0..segment.n_games()).filter(|row| wanted(number, *row)) {
            let entry = segment.move_log().unwrap().entry(row);
            let game_setup = &segment.move_log().unwrap().game_setups()[usize::from(entry.game_setup)];
            if game_setup.rules != place.rules() {
                continue;
            }
            let mut cursor = segment.move_log().unwrap().cursor(row).unwrap();
            let (mut is_there, mut ended, mut played) = (false, false, BTreeSet::new());
            loop {
                let here = cursor.state().clone();
                let goes_on = cursor.advance().unwrap();
                let is_turn = here.to_move == place.game().to_move();
                let is_chain = |mapped: &Symmetry| {
                    let chain = here.facts.events.contains(tafl_rules::Event::ChainGoesOn);
                    let at = here.last.filter(|_| chain).map(|last| last.to);
                    place.game().chain().map(|cell| mapped.image(cell)) == at
                };
                let image = symmetries.iter().find(|symmetry| {
                    let mapped: Setup = setup.mapped(|cell| symmetry.image(cell));
                    is_turn && is_chain(symmetry) && mapped == here.setup()
                });
                if let Some(symmetry) = image {
                    is_there = true;
                    ended |= !goes_on;
                    if goes_on {
                        let last = cursor.state().last.unwrap();
                        let group = groups.iter().find(|group| {
                            group
                                .iter()
                                .any(|mv| Move::new(symmetry.image(mv.from), symmetry.image(mv.to)) == last)
                        });
                        played.insert(group.expect("all plies are legal").clone());
                    }
                }
                if !goes_on {
                    break;
                }
            }
            if is_there {
                slow.results[entry.result as usize] += 1;
                slow.ended += u64::from(ended);
                for group in played {
                    slow.children.entry(group).or_default()[entry.result as usize] += 1;
                }
            }
        }
    }
    slow
}

fn results(counts: &GameCounts) -> [u64; 4] {
    GameResult::ALL.map(|result| counts.with_result(result))
}

fn as_slow(node: &PositionStats) -> Slow {
    let group = |line: &MoveStats| line.alike.iter().copied().chain([line.mv]).collect::<BTreeSet<_>>();
    assert_eq!(node.other, 0);
    Slow {
        results: results(&node.counts),
        ended: node.ended,
        children: node.moves.iter().map(|line| (group(line), results(&line.counts))).collect(),
    }
}

/// Returns places along the most frequent lines, and their mirror images.
fn places(explorer: &Explorer, book: &AnyRulebook, orientation: Orientation) -> Vec<QueryPosition> {
    let mut games = vec![Game::with_mode(book, RepetitionMode::Report)];
    let mut places = Vec::new();
    while let Some(game) = games.pop().filter(|_| places.len() < 12) {
        let place = QueryPosition::new(&game, book, orientation);
        let node = explorer.position(&place, GameSubset::All, CancelCheck::NEVER).unwrap();
        for line in node.moves.iter().filter(|line| line.counts.n_games() > 5).take(2) {
            for mv in [Some(&line.mv), line.alike.last()].into_iter().flatten() {
                let mut next = game.clone();
                next.play(*mv).unwrap();
                games.insert(0, next);
            }
        }
        places.push(place);
    }
    places
}

#[test]
fn nodes_equal_a_count_over_all_games() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = corpus(&folder.path().join("corpus"), 540);
    assert_eq!(corpus.segments().len(), 2);
    let explorer = Explorer::open(&corpus).unwrap();
    let hot: Vec<usize> =
        corpus.segments().iter().map(|segment| segment.openings().unwrap().n_nodes()).collect();
    assert!(hot.iter().all(|n| *n > 2), "{hot:?}");
    let odd: Vec<NumberSet> = (explorer.sizes().into_iter())
        .map(|n| {
            let mut bits = NumberSet::empty(n);
            (0..n).filter(|row| row % 2 == 1).for_each(|row| bits.insert(row));
            bits
        })
        .collect();
    let mut n_games = 0;
    for name in VARIANTS {
        let book = chosen(name).book.clone();
        for place in places(&explorer, &book, Orientation::Folded) {
            let node = explorer.position(&place, GameSubset::All, CancelCheck::NEVER).unwrap();
            assert_eq!(
                node,
                explorer.position(&place, GameSubset::AllByReplay, CancelCheck::NEVER).unwrap(),
                "{name}"
            );
            assert_eq!(as_slow(&node), count(&corpus, &place, book.symmetries(), |_, _| true), "{name}");
            let some = explorer.position(&place, GameSubset::These(&odd), CancelCheck::NEVER).unwrap();
            let wanted = |_, row| row % 2 == 1;
            assert_eq!(as_slow(&some), count(&corpus, &place, book.symmetries(), wanted), "{name}");
            n_games += node.counts.n_games();
        }
        for place in places(&explorer, &book, Orientation::Fixed) {
            let node = explorer.position(&place, GameSubset::All, CancelCheck::NEVER).unwrap();
            let identity = &book.symmetries()[..1];
            assert_eq!(as_slow(&node), count(&corpus, &place, identity, |_, _| true), "{name}");
        }
    }
    assert!(n_games > 800, "{n_games}");
}

#[test]
fn counts_of_hits_equal_those_of_a_replay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let corpus = corpus(&path, 540);
    let explorer = Explorer::open(&corpus).unwrap();
    // Returns the number of pages for which fewer games were replayed.
    let compare = |corpus: &Corpus, text: &str| {
        let mut n_tables = 0;
        let searcher = Searcher::open(corpus, NonZeroUsize::MIN);
        let without_tables = corpus.segments().iter().map(|segment| {
            let file = segment.folder().join(MOVE_LOG_FILE);
            let removed = segment.entry().removed.clone();
            SearchSegment::new(segment.move_log().unwrap().clone(), file, segment.index_folder(), removed)
        });
        let slow = Searcher::new(without_tables.collect(), NonZeroUsize::MIN);
        let query = Query::parse(text).unwrap();
        for (offset, limit) in [(0, 10), (0, 0), (7, 300), (100_000, 1)] {
            let page = PageRequest { unit: HitUnit::Position, offset, limit, effort: CountEffort::Exact };
            let [fast, slow] =
                [&searcher, &slow].map(|searcher| searcher.page(&query, page, CancelCheck::NEVER).unwrap());
            assert_eq!((&fast.hits, fast.total, fast.games), (&slow.hits, slow.total, slow.games), "{text}");
            n_tables += u64::from(fast.candidates < slow.candidates);
        }
        n_tables
    };
    let mut n_tables = 0;
    for name in VARIANTS {
        let book = chosen(name).book.clone();
        for place in places(&explorer, &book, Orientation::Folded) {
            let setup = place.game().setup();
            n_tables += compare(&corpus, &format!("position \"{setup}\""));
            n_tables += compare(&corpus, &format!("position as_is \"{setup}\""));
        }
    }
    assert!(n_tables > 20, "{n_tables}");
    let first = |corpus: &Corpus| Ok::<_, CorpusError>(corpus.games().take(3).collect());
    crate::remove::remove(&path, "a test", first).unwrap();
    let start = chosen(VARIANTS[0]).book.rules().start.to_string();
    compare(&Corpus::open(&path).unwrap(), &format!("position \"{start}\""));
}

#[test]
fn the_best_and_the_last_games_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = corpus(&folder.path().join("corpus"), 450);
    let explorer = Explorer::open(&corpus).unwrap();
    let book = chosen("brandubh7").book.clone();
    let place = QueryPosition::new(&Game::new(&book), &book, Orientation::Folded);
    let node = explorer.position(&place, GameSubset::All, CancelCheck::NEVER).unwrap();
    let mut rows = Vec::new();
    for (segment, open) in corpus.segments().iter().enumerate() {
        let games = open.games_without_text().unwrap().into_iter();
        let own = games.enumerate().filter(|(_, row)| row.variant.as_deref() == Some("brandubh7"));
        rows.extend(own.map(|(row, game)| (segment, row as u32, game)));
    }
    let last = rows.iter().filter_map(|(_, _, game)| game.date.clone()).max();
    assert_eq!(node.counts.last_played(), last);
    let mean = rows.iter().map(|(_, _, game)| f64::from(game.plies)).sum::<f64>() / rows.len() as f64;
    assert!((node.counts.mean_plies().unwrap() - mean).abs() < 1e-9);
    rows.sort_by_key(|(segment, row, game)| {
        let rating = std::cmp::Reverse(game.attackers_rating);
        (rating, std::cmp::Reverse(game.date.clone()), *segment, *row)
    });
    let best: Vec<(usize, u32)> =
        rows.iter().take(crate::openings::N_TOP_GAMES).map(|(s, row, _)| (*s, *row)).collect();
    let named: Vec<(usize, u32)> = node.counts.top().map(|game| (game.segment, game.row)).collect();
    assert_eq!(named, best);
}

#[test]
fn trees_have_the_counts_of_their_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = corpus(&folder.path().join("corpus"), 300);
    let explorer = Explorer::open(&corpus).unwrap();
    let book = chosen("brandubh7").book.clone();
    let game = Game::new(&book);
    let limits = TreeLimits { depth: 3, min_games: 5 };
    let start = QueryPosition::new(&game, &book, Orientation::Folded);
    let tree = explorer.tree(&start, limits, GameSubset::All, CancelCheck::NEVER).unwrap();
    fn walk(explorer: &Explorer, book: &AnyRulebook, game: &Game, branch: &OpeningNode, depth: u32) {
        let node = explorer
            .position(
                &QueryPosition::new(game, book, Orientation::Folded),
                GameSubset::All,
                CancelCheck::NEVER,
            )
            .unwrap();
        assert_eq!(branch.counts, node.counts);
        let common = node.moves.iter().filter(|line| line.counts.n_games() >= 5);
        let wanted: Vec<Option<Move>> = common.map(|line| Some(line.mv)).collect();
        let found: Vec<Option<Move>> = branch.children.iter().map(|child| child.mv).collect();
        assert_eq!(found, if depth == 0 { Vec::new() } else { wanted });
        for child in &branch.children {
            let mut next = game.clone();
            next.play(child.mv.unwrap()).unwrap();
            walk(explorer, book, &next, child, depth - 1);
        }
    }
    walk(&explorer, &book, &game, &tree, 3);
    assert!(tree.n_positions() > 8, "{}", tree.n_positions());
}

#[test]
fn a_damaged_table_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = corpus(&folder.path().join("corpus"), 40);
    let path = corpus.segments()[0].folder().join(OPENINGS_FILE);
    let bytes = std::fs::read(&path).unwrap();
    let report = verify(corpus.path(), VerifyDepth::Replay, CancelCheck::NEVER).unwrap();
    assert!(report.faults.is_empty(), "{report:?}");
    let segment = &corpus.segments()[0];
    let mut rows = segment.games().unwrap();
    rows[0].date = Some("1555".to_owned());
    assert!(
        !crate::openings::is_as_built(segment.folder(), segment.move_log().unwrap(), &[], &rows).unwrap()
    );
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let error = Explorer::open(&corpus).err().unwrap().to_string();
    assert!(error.contains(OPENINGS_FILE), "{error}");
    std::fs::remove_file(&path).unwrap();
    assert!(Explorer::open(&corpus).err().unwrap().to_string().contains("missing"));
}
