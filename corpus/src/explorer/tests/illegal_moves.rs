//! Games with moves that the rules do not allow, and positions with either side to move.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use tafl_parser::{RuleChoice, tag};
use tafl_rules::{Cell, Game, Move, Side, catalog};

use super::chosen;
use crate::cancel::CancelCheck;
use crate::explorer::{Explorer, GameSubset};
use crate::folder::Corpus;
use crate::ingest::{GameReplayer, GeneratedGame, Ingest, IngestOptions, Preparer, RecordedPly};
use crate::openings::{Orientation, QueryPosition};
use crate::query::Query;
use crate::search::{CountEffort, HitUnit, PageRequest, Searcher, Total};

/// Adds a game of Brandubh with these moves, which the sides make in turn and the rules need not allow. The number tells
/// games apart.
fn add_game(ingest: &mut Ingest, number: u32, moves: &[(&str, &str)]) {
    let rules = RuleChoice::named(catalog::find("brandubh7").unwrap());
    let book = rules.chosen().book.clone();
    let shape = book.shape();
    let cell = |name: &str| shape.cells().find(|cell| shape.name(*cell) == name).unwrap();
    let sides = [Side::Attackers, Side::Defenders].into_iter().cycle();
    let step = |((from, to), side): (&(&str, &str), Side)| RecordedPly {
        mv: Move::new(cell(from), cell(to)),
        side,
        captured: std::iter::empty::<Cell>().collect(),
    };
    let steps: Vec<RecordedPly> = moves.iter().zip(sides).map(step).collect();
    let replayer = GameReplayer { book: &book, start: &book.rules().start, first: Side::Attackers };
    let (name, legal) = (number.to_string(), Game::new(&book).moves());
    let tags = [(tag::ATTACKERS, &*name)];
    let made = GeneratedGame { rules: &rules, moves: &legal[..1], outcome: None, tags: &tags };
    let mut prepared = Preparer::default().prepare_generated(&made).unwrap();
    prepared.replayed = replayer.play(replayer.game().unwrap(), &steps);
    prepared.row.plies = steps.len() as u32;
    ingest.add_game(prepared).unwrap();
}

/// Makes a corpus of games that leave the start with moves that no rules allow, come back, and leave it again. The cells
/// are those of the two moves.
fn corpus_with_illegal_moves(path: &Path, cells: [&str; 2]) -> Corpus {
    let [first, second] = cells;
    let moves = [("d1", first), ("c4", "c3"), (first, "d1"), ("c3", "c4"), ("d1", second)];
    let mut ingest = Ingest::begin(path, &IngestOptions::default()).unwrap();
    (0..crate::openings::table::MIN_FREQUENT + 6).for_each(|number| add_game(&mut ingest, number, &moves));
    ingest.finish().unwrap();
    Corpus::open(path).unwrap()
}

#[test]
fn positions_with_either_side_to_move_are_counted_from_the_table() {
    // The man comes to c1 in one move or in two, so the other side is to move there, or in the same game with both.
    let soon: &[(&str, &str)] = &[("d1", "c1"), ("c4", "c3")];
    let late: &[(&str, &str)] = &[("d1", "b1"), ("c4", "c3"), ("b1", "c1"), ("c3", "c4"), ("d2", "c2")];
    let both: &[(&str, &str)] =
        &[("d1", "c1"), ("c4", "c3"), ("c1", "b1"), ("c3", "c2"), ("b1", "c1"), ("c2", "c4")];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let mut ingest = Ingest::begin(&path, &IngestOptions::default()).unwrap();
    let mut number = 0;
    // Both sides are frequent, then one of them, then none.
    for counts in [[12, 10, 3], [3, 11, 2], [20, 3, 0], [2, 2, 1]] {
        for (moves, n) in [soon, late, both].into_iter().zip(counts) {
            for _ in 0..n {
                add_game(&mut ingest, number, moves);
                number += 1;
            }
        }
        ingest.commit().unwrap();
    }
    ingest.finish().unwrap();
    let corpus = Corpus::open(&path).unwrap();
    assert_eq!(corpus.segments().len(), 4);
    let mut board = chosen("brandubh7").book.rules().start.clone();
    let cell = |name: &str| board.shape().cells().find(|cell| board.shape().name(*cell) == name).unwrap();
    let (from, to) = (cell("d1"), cell("c1"));
    let man = board.piece(from);
    board.put(from, None);
    board.put(to, man);
    let query = Query::parse(&format!("position \"{board}\"")).unwrap();
    let searcher = Searcher::open(&corpus, NonZeroUsize::MIN);
    let page = PageRequest { unit: HitUnit::Position, offset: 0, limit: 0, effort: CountEffort::Exact };
    let answer = searcher.page(&query, page, CancelCheck::NEVER).unwrap();
    let mut hits = Vec::new();
    searcher
        .each(&query, |found| {
            hits.push((found.segment, found.row));
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(hits.len(), 69 + 6, "each game has a hit, and those with both sides have two");
    assert_eq!((answer.total, answer.games), (Total::Exactly(75), Total::Exactly(69)));
    // The games with the rarer key in the first three segments, and all of the last one.
    assert_eq!(answer.candidates, 13 + 5 + 3 + 5);
}

#[test]
fn a_game_that_continues_twice_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    for cells in [["b2", "b2"], ["b2", "b3"]] {
        let corpus = corpus_with_illegal_moves(&folder.path().join(cells.concat()), cells);
        let explorer = Explorer::open(&corpus).unwrap();
        assert!(corpus.segments()[0].openings().unwrap().n_nodes() > 0);
        let book = chosen("brandubh7").book.clone();
        let place = QueryPosition::new(&Game::new(&book), &book, Orientation::Folded);
        let node = explorer.position(&place, GameSubset::All, CancelCheck::NEVER).unwrap();
        assert_eq!(node.other, corpus.n_games(), "{cells:?}");
        assert_eq!(
            node,
            explorer.position(&place, GameSubset::AllByReplay, CancelCheck::NEVER).unwrap(),
            "{cells:?}"
        );
    }
}
