//! Random queries with a chance of hits in a game.

use tafl_corpus::CellContent;
use tafl_corpus::query::Inequality;
use tafl_corpus::query::{Anchor, Colors, ContentMask, Layer, Pattern, PatternSymmetries};
use tafl_corpus::query::{Comparison, Query, Sum, Term};
use tafl_corpus::query::{Expr, KingTest, MoveArea, MoveTest, PlyTest, Sequence, SetupTest};
use tafl_rules::{Coord, Event, Piece, PieceSet, Rng, Role, Setup, Side, shape_symmetries};

use super::Draw;
use crate::naive_query::ReplayedPositions;

/// Returns a random query whose boards are cut from positions of a game.
pub fn random_query(rng: &mut Rng, game: &ReplayedPositions) -> Query {
    valid_query(|| random_expr(rng, game, 3))
}

/// Returns a random query with one condition.
pub fn random_condition(rng: &mut Rng, game: &ReplayedPositions) -> Query {
    valid_query(|| random_leaf(rng, game))
}

fn valid_query(mut random: impl FnMut() -> Expr) -> Query {
    loop {
        let expr = random();
        // Some patterns are invalid, such as those without conditions; the parser decides.
        if let Ok(query) = Query::parse(&Query::new(expr).to_string()) {
            return query;
        }
    }
}

fn random_expr(rng: &mut Rng, game: &ReplayedPositions, depth: usize) -> Expr {
    if depth == 0 || rng.percent(30) {
        return random_leaf(rng, game);
    }
    let part = |rng: &mut Rng| Box::new(random_expr(rng, game, depth - 1));
    match rng.below(12) {
        0..3 => Expr::all(vec![*part(rng), *part(rng)]),
        3..6 => Expr::any(vec![*part(rng), *part(rng)]),
        6 => Expr::Not(part(rng)),
        7 => Expr::Then(Box::new(random_sequence(rng, game, depth))),
        8 => Expr::Before(Box::new(random_sequence(rng, game, depth))),
        9 => {
            let make = rng.one_of(&[Expr::Ever as fn(Box<Expr>) -> Expr, Expr::Never]);
            make(part(rng))
        }
        10 => {
            let make = rng.one_of(&[Expr::First as fn(Box<Expr>) -> Expr, Expr::Last]);
            make(part(rng))
        }
        _ => Expr::Count(part(rng), random_comparison(rng), rng.below(6) as u32),
    }
}

fn random_sequence(rng: &mut Rng, game: &ReplayedPositions, depth: usize) -> Sequence {
    let within = if rng.percent(60) { Some(1 + rng.below(70) as u32) } else { None };
    Sequence { first: random_expr(rng, game, depth - 1), last: random_expr(rng, game, depth - 1), within }
}

fn random_comparison(rng: &mut Rng) -> Comparison {
    rng.one_of(&Comparison::ALL.map(|(comparison, _)| comparison))
}

fn random_leaf(rng: &mut Rng, game: &ReplayedPositions) -> Expr {
    let side = rng.one_of(&Side::ALL);
    let test = match rng.below(16) {
        0..6 => PlyTest::Pattern(random_pattern(rng, game)),
        6 => {
            let setup = turned_setup(rng, game);
            PlyTest::Position {
                setup,
                symmetries: rng.one_of(&[PatternSymmetries::All, PatternSymmetries::AsWritten]),
            }
        }
        7 => PlyTest::Event(rng.one_of(&Event::ALL)),
        8..10 => PlyTest::Number(random_inequality(rng)),
        10 => {
            let tests = [
                KingTest::Danger,
                KingTest::Cordon,
                KingTest::CanEscape,
                KingTest::OpenLine,
                KingTest::OnEdge,
                KingTest::OnThrone,
                KingTest::OnCorner,
            ];
            PlyTest::King(side, rng.one_of(&tests))
        }
        11 => rng.one_of(&[PlyTest::Threat, PlyTest::ToMove(side), PlyTest::Mover(side)]),
        12..14 => PlyTest::Move(random_move_test(rng, game)),
        14 => {
            let texts = ["variant:brandubh", "won:\"Sven\"", "year>=2019", "result:draw", "date<2011"];
            let query = Query::parse(rng.one_of(&texts)).expect("the queries are valid");
            return query.expr().clone();
        }
        _ => {
            let shape = game.rules.shape();
            let known = [SetupTest::Shape(shape), SetupTest::TwoKings, SetupTest::Rules("esc:e".to_owned())];
            return Expr::Setup(rng.one_of(&known));
        }
    };
    Expr::Ply(test)
}

fn random_inequality(rng: &mut Rng) -> Inequality {
    let side = rng.one_of(&Side::ALL);
    let terms = [
        Term::Ply,
        Term::PliesLeft,
        Term::Pieces,
        Term::PiecesOf(side),
        Term::Kinds(random_pieces(rng)),
        Term::Captured,
        Term::CapturedBy(rng.one_of(&[
            Event::Custodial,
            Event::Shieldwall,
            Event::AgainstCorner,
            Event::Linnaean,
        ])),
        Term::Lost(side),
        Term::KingDistance(side),
        Term::KingLines(side),
        Term::KingFile(side),
        Term::KingRank(side),
    ];
    let term = rng.one_of(&terms);
    let comparison = random_comparison(rng);
    if rng.percent(60) {
        let constant = rng.below(if matches!(term, Term::Ply | Term::PiecesOf(_)) { 30 } else { 4 }) as i32;
        return Inequality { left: Sum::of(term), comparison, right: Sum { constant, ..Sum::default() } };
    }
    let factor = rng.below(7) as i32 - 3;
    let left =
        Sum { terms: vec![(1, term), (factor, rng.one_of(&terms))], constant: rng.below(9) as i32 - 4 };
    Inequality { left, comparison, right: Sum::of(rng.one_of(&terms)) }
}

fn random_pieces(rng: &mut Rng) -> PieceSet {
    let some: PieceSet = PieceSet::ALL.iter().filter(|_| rng.percent(30)).collect();
    some.union(PieceSet::of(Piece::new(rng.one_of(&Side::ALL), rng.one_of(&[Role::Soldier, Role::King]))))
}

fn random_move_test(rng: &mut Rng, game: &ReplayedPositions) -> MoveTest {
    let shape = game.rules.shape();
    let cell = shape.coord(tafl_rules::Cell::new(rng.below(shape.n_cells())));
    let area = rng.one_of(&[MoveArea::Cell(cell), MoveArea::Edge, MoveArea::Corner, MoveArea::Throne]);
    match rng.below(5) {
        0 => MoveTest::From(area),
        1 => MoveTest::To(area),
        2 => MoveTest::TookAt(area),
        3 => MoveTest::Piece(random_pieces(rng)),
        _ => MoveTest::Took(random_pieces(rng)),
    }
}

fn random_setup(rng: &mut Rng, game: &ReplayedPositions) -> Setup {
    game.positions[rng.below(game.positions.len())].setup.clone()
}

/// Returns a position of the game, rotated or mirrored.
fn turned_setup(rng: &mut Rng, game: &ReplayedPositions) -> Setup {
    let setup = random_setup(rng, game);
    let symmetry = rng.one_of(&shape_symmetries(setup.shape()));
    setup.mapped(|cell| symmetry.image(cell))
}

fn random_pattern(rng: &mut Rng, game: &ReplayedPositions) -> Pattern {
    let shape = game.rules.shape();
    let mut setup = turned_setup(rng, game);
    let colors = rng.one_of(&[Colors::AsWritten, Colors::AsWritten, Colors::Swapped]);
    if colors == Colors::Swapped && rng.percent(50) {
        for (cell, piece) in setup.clone().pieces() {
            setup.put(cell, Some(Piece::new(piece.side.other(), piece.role)));
        }
    }
    let n = shape.n_ranks() as usize;
    let anchors = [Anchor::Anywhere, Anchor::Corner, Anchor::Edge, Anchor::Throne, Anchor::King];
    let anchor = match rng.below(14) {
        0 => Anchor::Board,
        1 => Anchor::At(Coord::new(rng.below(n) as i16, rng.below(n) as i16)),
        number => anchors[number % 5],
    };
    let rows = random_rows(rng, anchor, &setup, game);
    let layer = |rng: &mut Rng, right: usize| {
        let mut mask = |coord: &Coord| {
            let content = shape.cell(*coord).map(|cell| CellContent::of(setup.piece(cell)));
            content.map_or(ContentMask::ANY, |content| random_mask(rng, content, right))
        };
        Layer { rows: rows.iter().map(|row| row.iter().map(&mut mask).collect()).collect() }
    };
    let look_for = (0..1 + rng.below(3) / 2).map(|_| layer(rng, 97)).collect();
    let except = (0..rng.below(4) / 2).map(|_| layer(rng, 85)).collect();
    let symmetries =
        rng.one_of(&[PatternSymmetries::All, PatternSymmetries::All, PatternSymmetries::AsWritten]);
    Pattern { anchor, symmetries, colors, look_for, except }
}

/// Returns the places from which the cells of a pattern are cut, row by row.
fn random_rows(rng: &mut Rng, anchor: Anchor, setup: &Setup, game: &ReplayedPositions) -> Vec<Vec<Coord>> {
    let shape = setup.shape();
    let n = shape.n_ranks();
    let (mut n_rows, mut n_columns) = (1 + rng.below(4) as i16, 1 + rng.below(4) as i16);
    let mut place = |low: i16| rng.below(n as usize) as i16 + low;
    let king = setup.pieces().find(|(_, piece)| piece.letter() == 'K').map(|(cell, _)| cell);
    let origin = match anchor {
        Anchor::Anywhere => Coord::new(place(-1), place(-1)),
        Anchor::Corner => Coord::new(0, 0),
        Anchor::Edge => Coord::new(place(0), 0),
        Anchor::At(coord) => coord,
        Anchor::Throne | Anchor::King => {
            (n_rows, n_columns) = (n_rows | 1, n_columns | 1);
            let middle =
                if anchor == Anchor::King { king } else { game.rules.zones.throne.cells.first().copied() };
            let middle = middle.map_or(Coord::new(n / 2, n / 2), |cell| shape.coord(cell));
            Coord::new(middle.file - n_columns / 2, middle.rank - n_rows / 2)
        }
        Anchor::Board => {
            let row = |rank| {
                let first = shape.first_file(rank);
                (first..first + shape.rank_len(rank)).map(move |file| Coord::new(file, rank)).collect()
            };
            return (0..n).map(row).collect();
        }
    };
    let row = |rank| (0..n_columns).map(move |file| Coord::new(origin.file + file, origin.rank + rank));
    (0..n_rows).map(|rank| row(rank).collect()).collect()
}

/// Returns a mask that matches a content in `right` of 100 cases.
fn random_mask(rng: &mut Rng, content: CellContent, right: usize) -> ContentMask {
    let defenders = ContentMask::of_pieces(PieceSet::DEFENDERS);
    let general =
        [ContentMask::of_pieces(PieceSet::ATTACKERS), defenders, ContentMask::PIECE, ContentMask::EMPTY];
    if !rng.percent(right) {
        return rng.one_of(&general);
    }
    match rng.below(10) {
        0..4 => ContentMask::ANY,
        4..8 => ContentMask::of(content),
        8 => general.into_iter().find(|mask| mask.fits(content)).unwrap_or(ContentMask::ANY),
        _ => ContentMask::of(content).union(ContentMask::of_pieces(random_pieces(rng))),
    }
}
