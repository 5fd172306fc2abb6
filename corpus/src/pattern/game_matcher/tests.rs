//! Matches at all positions of a game equal those of single positions.

use tafl_rules::{AnyRulebook, Cell, Facts, Game, PieceSet, Rng, RuleSet, Setup, Shape, catalog};

use super::*;
use crate::move_log::{GameResult, GameSetup, MoveLog, MoveLogWriter};
use crate::pattern::placements::BoardInfo;
use crate::pattern::{Anchor, Colors, Layer, Pattern, PatternSymmetries};

fn board_info(rules: &RuleSet) -> BoardInfo {
    BoardInfo {
        shape: rules.shape(),
        thrones: rules.zones.throne.cells.clone(),
        pieces: PieceSet::ALL,
        counts: [0; CellContent::COUNT],
        two_kings: true,
    }
}

#[test]
fn a_pattern_may_name_more_sets_of_contents_than_a_byte_counts() {
    let shape = Shape::square(7).unwrap();
    // In order: an empty cell, 255 sets of the first eight pieces, and only then the ninth piece.
    let ninth = ContentMask(1 << 9);
    let masks =
        [ContentMask::EMPTY].into_iter().chain((1..256).map(|bits| ContentMask(bits << 1))).chain([ninth]);
    let pattern = Pattern {
        anchor: Anchor::Anywhere,
        symmetries: PatternSymmetries::AsWritten,
        colors: Colors::AsWritten,
        look_for: masks.map(|mask| Layer { rows: vec![vec![mask]] }).collect(),
        except: Vec::new(),
    };
    let rules = catalog::find("brandubh7").unwrap().rules();
    let placed = PatternPlacements::new(&pattern, &board_info(&rules), 0);
    let mut setup = Setup::empty(shape);
    let piece = ninth.contents().next().and_then(CellContent::piece);
    shape.cells().for_each(|cell| setup.put(cell, piece));
    let matcher = GameMatcher::new(&placed, &setup);
    assert_eq!(matcher.layout.masks.len(), 257);
    assert!(placed.holds(&matcher.start));
    assert_eq!(matcher.matches(&matcher.start_words, u64::MAX), u64::MAX);
    let empty = GameMatcher::new(&placed, &Setup::empty(shape));
    assert_eq!(empty.matches(&empty.start_words, 7), 7, "the first set has the empty cell");
}

/// A move log with a random game of at most `n_plies` plies. Ends are ignored, so that games may be long.
fn random_game(rules: &RuleSet, rng: &mut Rng, n_plies: usize) -> MoveLog {
    let book = AnyRulebook::compile(rules).unwrap();
    let mut game = Game::new(&book);
    let (text, start) = (rules.to_string(), rules.start.to_string());
    let game_setup = GameSetup { rules: text, start, first: rules.first_mover };
    let mut writer = MoveLogWriter::default();
    writer.begin(&game_setup, rules.shape(), &Facts::default());
    for _ in 0..n_plies {
        if game.outcome().is_some() {
            game.clear_outcome();
        }
        let moves = game.moves();
        let is_quiet = |mv: &tafl_rules::Move| {
            let mut next = game.clone();
            next.play(*mv).is_ok_and(|ply| ply.captured.is_empty()) && next.outcome().is_none()
        };
        // Captures are rare, so that games are longer than some windows.
        let mut choice = moves.get(rng.below(moves.len().max(1))).copied();
        for _ in 0..10 {
            match choice {
                Some(mv) if rng.below(12) > 0 && !is_quiet(&mv) => {
                    choice = Some(moves[rng.below(moves.len())]);
                }
                _ => break,
            }
        }
        let Some(mv) = choice else { break };
        let Ok(ply) = game.play(mv) else { break };
        let captured: Vec<Cell> = ply.captured.iter().collect();
        writer.ply(mv, &captured, false, &Facts::default());
    }
    writer.end(GameResult::Draw);
    MoveLog::from_bytes(writer.finish()).unwrap()
}

/// Returns a random layer: a part of a position of the game, in which some cells have other conditions.
fn random_layer(log: &MoveLog, rng: &mut Rng, (rows, columns): (usize, usize)) -> Layer {
    let mut cursor = log.cursor(0).unwrap();
    for _ in 0..rng.below(cursor.n_plies_left() as usize + 1) {
        cursor.advance().unwrap();
    }
    let (state, shape) = (cursor.state(), cursor.state().shape());
    let last = shape.n_ranks() as usize;
    let (first_rank, first_file) = (rng.below(last), rng.below(last));
    let mut mask = |rank: usize, file: usize| {
        let coord = tafl_rules::Coord::new((first_file + file) as i16, (first_rank + rank) as i16);
        let content = shape.cell(coord).map(|cell| state.at(cell));
        match (rng.below(8), content) {
            (0, _) | (_, None) => ContentMask::ANY,
            (1, Some(content)) if content != CellContent::EMPTY => ContentMask::PIECE,
            (2, Some(content)) => ContentMask::of(content).union(ContentMask::of_pieces(PieceSet::ATTACKERS)),
            (_, Some(content)) => ContentMask::of(content),
        }
    };
    Layer { rows: (0..rows).map(|rank| (0..columns).map(|file| mask(rank, file)).collect()).collect() }
}

/// Returns whether a placement matches, for each position of a game.
fn matches_of_positions(placed: &PatternPlacements, log: &MoveLog) -> Vec<bool> {
    let mut cursor = log.cursor(0).unwrap();
    let mut all = vec![placed.holds(cursor.state().board())];
    while cursor.advance().unwrap() {
        all.push(placed.holds(cursor.state().board()));
    }
    all
}

/// Compares the matches in a game, and in parts of it, with those of single positions. Returns their number.
fn check(matcher: &GameMatcher, log: &MoveLog, expected: &[bool], buffers: &mut MatchBuffers) -> usize {
    let mut plies = PlySet::default();
    let cursor = log.cursor(0).unwrap();
    for end in [u32::MAX, 1, 16, 63, 64, 65, 128, 129, 144] {
        matcher.find(&cursor, MatchRange { end, has: None }, buffers, &mut plies).unwrap();
        let until = expected.len().min(end as usize);
        let found: Vec<bool> = (0..until).map(|ply| plies.contains(ply)).collect();
        assert_eq!(found, expected[..until], "end {end}");
        assert_eq!(plies.iter().count(), expected[..until].iter().filter(|matches| **matches).count());
    }
    // Only the positions after plies 70 to 79 are wanted: others may be found, too, but only true ones.
    let has = |plies: Range<u32>| plies.start < 80 && plies.end > 70;
    matcher.find(&cursor, MatchRange { end: 80, has: Some(&has) }, buffers, &mut plies).unwrap();
    assert!(plies.iter().all(|ply| expected[ply]));
    let missing = |ply: &usize| expected.get(*ply) == Some(&true) && !plies.contains(*ply);
    assert_eq!((70..80).find(missing), None);
    matcher.find(&cursor, MatchRange::WHOLE, buffers, &mut plies).unwrap();
    plies.count() as usize
}

#[test]
fn matches_equal_those_of_single_positions() {
    let mut rng = Rng::new(5);
    let (mut longest, mut n_anchored) = (0, [0; 5]);
    let mut buffers = MatchBuffers::default();
    for round in 0..120 {
        // Cells of one word of a set of cells and of several, a hexagonal board, and commanders, knights, and mercenaries.
        let variants = ["brandubh7", "hexentafl5", "copenhagen11", "alea19", "cyngesheall7"];
        let rules = catalog::find(variants[round % variants.len()]).unwrap().rules();
        let log = random_game(&rules, &mut rng, if round % 3 == 0 { 300 } else { 60 });
        let anchors = [Anchor::Anywhere, Anchor::Edge, Anchor::Corner, Anchor::King, Anchor::Throne];
        let anchor = if rng.below(2) == 0 { 0 } else { rng.below(anchors.len()) };
        let size = if anchor >= 3 { (3, 1 + 2 * rng.below(2)) } else { (2, 1 + rng.below(3)) };
        let mut layers = |most: usize| -> Vec<Layer> {
            (0..rng.below(most)).map(|_| random_layer(&log, &mut rng, size)).collect()
        };
        let (mut look_for, except): (Vec<Layer>, Vec<Layer>) = (layers(3), layers(2));
        look_for.push(random_layer(&log, &mut rng, size));
        let pattern = Pattern {
            anchor: anchors[anchor],
            symmetries: [PatternSymmetries::All, PatternSymmetries::AsWritten][rng.below(2)],
            colors: [Colors::AsWritten, Colors::Swapped][rng.below(2)],
            look_for,
            except,
        };
        let placed = PatternPlacements::new(&pattern, &board_info(&rules), 0);
        let expected = matches_of_positions(&placed, &log);
        longest = longest.max(expected.len());
        // The game begins where most games begin, and elsewhere.
        for start in [&rules.start, &Setup::empty(rules.shape())] {
            let matcher = GameMatcher::new(&placed, start);
            n_anchored[anchor] += check(&matcher, &log, &expected, &mut buffers);
        }
    }
    assert!(n_anchored.iter().all(|n| *n > 100) && longest > 200, "{n_anchored:?} {longest}");
}

#[test]
fn placements_that_are_moved_share_their_layers() {
    let rules = catalog::find("copenhagen11").unwrap().rules();
    let (man, empty) = (ContentMask::of_pieces(PieceSet::ATTACKERS), ContentMask::EMPTY);
    let pattern = Pattern {
        anchor: Anchor::Anywhere,
        symmetries: PatternSymmetries::All,
        colors: Colors::AsWritten,
        look_for: vec![Layer { rows: vec![vec![man, empty, empty], vec![empty, empty, man.union(empty)]] }],
        except: Vec::new(),
    };
    let placed = PatternPlacements::new(&pattern, &board_info(&rules), 0);
    assert_eq!(placed.len(), 720);
    let matcher = GameMatcher::new(&placed, &rules.start);
    assert_eq!(matcher.layers.len(), 8);
    let n_origins: u32 =
        matcher.layers.iter().flat_map(|layer| &layer.origins).map(|(_, bits)| bits.count_ones()).sum();
    assert_eq!(n_origins, 720);
}
