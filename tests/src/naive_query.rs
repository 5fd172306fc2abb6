//! A second, naive implementation of queries, on the positions of a replay.

use tafl_corpus::CellContent;
use tafl_corpus::query::Inequality;
use tafl_corpus::query::{Anchor, Colors, ContentMask, Layer, Pattern, PatternSymmetries};
use tafl_corpus::query::{Expr, KingTest, MoveArea, MoveTest, PlyTest, Sequence, SetupTest};
use tafl_corpus::query::{GameCondition, Sum, Term};
use tafl_rules::{
    AnyRulebook, Cell, Coord, Facts, Move, Piece, PieceSet, Role, RuleSet, Setup, Shape, Side,
    rules_symmetries,
};

/// The positions of a game.
#[derive(Debug, Clone)]
pub struct ReplayedPositions {
    /// The rules.
    pub rules: RuleSet,
    /// The positions, the start first.
    pub positions: Vec<GamePosition>,
}

/// A position of a game.
#[derive(Debug, Clone)]
pub struct GamePosition {
    /// The board.
    pub setup: Setup,
    /// The side to move.
    pub to_move: Side,
    /// The last move and its piece; `None` at the start.
    pub last: Option<(Piece, Move)>,
    /// The captured pieces and their cells.
    pub captured: Vec<(Piece, Cell)>,
    /// The facts of the position.
    pub facts: Facts,
}

/// Returns whether an expression is true, for each position of a game. `truth` evaluates the conditions on games.
pub fn evaluate(expr: &Expr, game: &ReplayedPositions, truth: &dyn Fn(&GameCondition) -> bool) -> Vec<bool> {
    let of = |expr: &Expr| evaluate(expr, game, truth);
    let n = game.positions.len();
    let at_each = |holds: &dyn Fn(usize) -> bool| (0..n).map(holds).collect::<Vec<bool>>();
    let always = |holds: bool| vec![holds; n];
    let is_near = |parts: &Sequence, first: usize, last: usize| {
        first < last && parts.within.is_none_or(|within| last - first <= within as usize)
    };
    match expr {
        Expr::All(parts) => {
            let parts: Vec<_> = parts.iter().map(of).collect();
            at_each(&|at| parts.iter().all(|part| part[at]))
        }
        Expr::Any(parts) => {
            let parts: Vec<_> = parts.iter().map(of).collect();
            at_each(&|at| parts.iter().any(|part| part[at]))
        }
        Expr::Not(part) => of(part).iter().map(|holds| !holds).collect(),
        Expr::Then(parts) => {
            let (first, last) = (of(&parts.first), of(&parts.last));
            at_each(&|at| last[at] && (0..n).any(|other| first[other] && is_near(parts, other, at)))
        }
        Expr::Before(parts) => {
            let (first, last) = (of(&parts.first), of(&parts.last));
            at_each(&|at| first[at] && (0..n).any(|other| last[other] && is_near(parts, at, other)))
        }
        Expr::Ever(part) => always(of(part).contains(&true)),
        Expr::Never(part) => always(!of(part).contains(&true)),
        Expr::Count(part, comparison, number) => {
            let count = of(part).iter().filter(|holds| **holds).count();
            always(comparison.holds(count as u64, u64::from(*number)))
        }
        Expr::First(part) => {
            let part = of(part);
            at_each(&|at| part[at] && !part[..at].contains(&true))
        }
        Expr::Last(part) => {
            let part = of(part);
            at_each(&|at| part[at] && !part[at + 1..].contains(&true))
        }
        Expr::Game(condition) => always(truth(condition)),
        Expr::Setup(test) => always(setup_holds(test, game)),
        Expr::Ply(test) => at_each(&|at| test_holds(test, game, at)),
    }
}

fn setup_holds(test: &SetupTest, game: &ReplayedPositions) -> bool {
    match test {
        SetupTest::Shape(shape) => game.rules.shape() == *shape,
        SetupTest::Rules(term) => format!(" {} ", game.rules)
            .to_ascii_lowercase()
            .contains(&format!(" {} ", term.to_ascii_lowercase())),
        SetupTest::TwoKings => has_two_kings(game),
    }
}

fn has_two_kings(game: &ReplayedPositions) -> bool {
    let start = &game.positions[0].setup;
    Side::ALL.into_iter().all(|side| start.pieces().any(|(_, piece)| piece == Piece::new(side, Role::King)))
}

/// Returns whether a condition is true for a position.
pub fn test_holds(test: &PlyTest, game: &ReplayedPositions, at: usize) -> bool {
    let seen = &game.positions[at];
    match test {
        PlyTest::Event(event) => seen.facts.events.iter().any(|found| found == *event),
        PlyTest::Number(inequality) => inequality_holds(inequality, game, at),
        PlyTest::King(side, test) => king_holds(*side, *test, game, seen),
        PlyTest::Threat => Side::ALL.into_iter().any(|side| {
            let status = seen.facts.kings[side].unwrap_or_default();
            seen.facts.kings[side].is_some() && (status.distance == 1 || status.in_danger)
        }),
        PlyTest::ToMove(side) => seen.to_move == *side,
        PlyTest::Mover(side) => seen.last.is_some_and(|(piece, _)| piece.side == *side),
        PlyTest::Move(test) => move_holds(test, game, seen),
        PlyTest::Position { setup, symmetries } => position_holds(setup, *symmetries, game, seen),
        PlyTest::Pattern(pattern) => pattern_holds(pattern, game, seen),
    }
}

fn inequality_holds(inequality: &Inequality, game: &ReplayedPositions, at: usize) -> bool {
    let sum = |sum: &Sum| {
        let terms = sum.terms.iter().map(|(factor, term)| Some(i64::from(*factor) * value(*term, game, at)?));
        terms.sum::<Option<i64>>().map(|terms| terms + i64::from(sum.constant))
    };
    match (sum(&inequality.left), sum(&inequality.right)) {
        (Some(left), Some(right)) => inequality.comparison.holds(left, right),
        (None, _) | (_, None) => false,
    }
}

fn value(term: Term, game: &ReplayedPositions, at: usize) -> Option<i64> {
    let seen = &game.positions[at];
    let count = |setup: &Setup, fits: &dyn Fn(Piece) -> bool| {
        setup.pieces().filter(|(_, piece)| fits(*piece)).count() as i64
    };
    let coord = |side| king_of(side, seen).map(|cell| game.rules.shape().coord(cell));
    match term {
        Term::Ply => Some(at as i64),
        Term::PliesLeft => Some((game.positions.len() - 1 - at) as i64),
        Term::Pieces => Some(count(&seen.setup, &|_| true)),
        Term::PiecesOf(side) => Some(count(&seen.setup, &|piece| piece.side == side)),
        Term::Kinds(pieces) => Some(count(&seen.setup, &|piece| pieces.contains(piece))),
        Term::Captured => Some(seen.captured.len() as i64),
        Term::CapturedBy(event) => {
            let cells: Vec<Cell> = seen.captured.iter().map(|(_, cell)| *cell).collect();
            let is_there = seen.facts.events.iter().any(|found| found == event);
            let Some((_, mv)) = seen.last.filter(|_| is_there && !cells.is_empty()) else { return Some(0) };
            if cells.len() == 1 {
                return Some(1);
            }
            let at_start: PieceSet = game.positions[0].setup.pieces().map(|(_, piece)| piece).collect();
            let mercenaries = at_start.iter().filter(|piece| piece.role == Role::Mercenary);
            let turned: PieceSet =
                mercenaries.map(|piece| Piece::new(piece.side.other(), piece.role)).collect();
            let pieces = at_start.union(turned);
            let book = AnyRulebook::compile_for(&game.rules, pieces).ok()?;
            let kinds = book.capture_kinds(&game.positions[at - 1].setup, mv, &cells);
            Some(kinds.into_iter().filter(|kind| *kind == Some(event)).count() as i64)
        }
        Term::Lost(side) => {
            let own = |piece: Piece| piece.side == side;
            Some(count(&game.positions[0].setup, &own) - count(&seen.setup, &own))
        }
        Term::KingDistance(side) => seen.facts.kings[side].map(|status| status.distance.into()),
        Term::KingLines(side) => seen.facts.kings[side].map(|status| status.lines.into()),
        Term::KingFile(side) => coord(side).map(|coord| i64::from(coord.file) + 1),
        Term::KingRank(side) => coord(side).map(|coord| i64::from(coord.rank) + 1),
    }
}

fn king_of(side: Side, seen: &GamePosition) -> Option<Cell> {
    seen.setup.pieces().find(|(_, piece)| *piece == Piece::new(side, Role::King)).map(|(cell, _)| cell)
}

fn king_holds(side: Side, test: KingTest, game: &ReplayedPositions, seen: &GamePosition) -> bool {
    let shape = game.rules.shape();
    let status = seen.facts.kings[side];
    let cell = king_of(side, seen);
    match test {
        KingTest::Danger => status.is_some_and(|status| status.in_danger),
        KingTest::Cordon => status.is_some_and(|status| status.cordoned),
        KingTest::CanEscape => status.is_some_and(|status| status.distance == 1),
        KingTest::OpenLine => status.is_some_and(|status| status.lines >= 1),
        KingTest::OnEdge => cell.is_some_and(|cell| shape.is_edge(cell)),
        KingTest::OnThrone => cell.is_some_and(|cell| game.rules.zones.throne.cells.contains(&cell)),
        KingTest::OnCorner => cell.is_some_and(|cell| shape.corners().contains(&cell)),
    }
}

fn move_holds(test: &MoveTest, game: &ReplayedPositions, seen: &GamePosition) -> bool {
    let shape = game.rules.shape();
    let lies_in = |area: &MoveArea, cell: Cell| match area {
        MoveArea::Cell(coord) => shape.cell(*coord) == Some(cell),
        MoveArea::Edge => shape.is_edge(cell),
        MoveArea::Corner => shape.corners().contains(&cell),
        MoveArea::Throne => game.rules.zones.throne.cells.contains(&cell),
    };
    match test {
        MoveTest::From(area) => seen.last.is_some_and(|(_, mv)| lies_in(area, mv.from)),
        MoveTest::To(area) => seen.last.is_some_and(|(_, mv)| lies_in(area, mv.to)),
        MoveTest::Piece(pieces) => seen.last.is_some_and(|(piece, _)| pieces.contains(piece)),
        MoveTest::Took(pieces) => seen.captured.iter().any(|(piece, _)| pieces.contains(*piece)),
        MoveTest::TookAt(area) => seen.captured.iter().any(|(_, cell)| lies_in(area, *cell)),
    }
}

fn position_holds(
    setup: &Setup,
    symmetries: PatternSymmetries,
    game: &ReplayedPositions,
    seen: &GamePosition,
) -> bool {
    if setup.shape() != seen.setup.shape() {
        return false;
    }
    match symmetries {
        PatternSymmetries::AsWritten => *setup == seen.setup,
        PatternSymmetries::All => rules_symmetries(&game.rules)
            .iter()
            .any(|symmetry| setup.mapped(|cell| symmetry.image(cell)) == seen.setup),
    }
}

/// The board, rotated, mirrored, or with the sides swapped.
struct View {
    setup: Setup,
    thrones: Vec<Cell>,
}

fn pattern_holds(pattern: &Pattern, game: &ReplayedPositions, seen: &GamePosition) -> bool {
    let shape = seen.setup.shape();
    let (n_rows, n_columns) =
        (pattern.look_for[0].rows.len() as i16, pattern.look_for[0].rows[0].len() as i16);
    views(pattern, game, seen).iter().any(|view| {
        // At least one cell of the pattern is on the board.
        (1 - n_rows..shape.n_ranks()).any(|rank| {
            (1 - n_columns..shape.n_ranks()).any(|file| {
                let origin = Coord::new(file, rank);
                may_lie(pattern, view, origin)
                    && pattern.look_for.iter().any(|layer| lies(layer, pattern.anchor, view, origin))
                    && !pattern.except.iter().any(|layer| lies(layer, pattern.anchor, view, origin))
            })
        })
    })
}

fn views(pattern: &Pattern, game: &ReplayedPositions, seen: &GamePosition) -> Vec<View> {
    let shape = seen.setup.shape();
    let mut views = Vec::new();
    let n_turns = if pattern.symmetries == PatternSymmetries::AsWritten { 1 } else { 12 };
    for number in 0..n_turns {
        let image = |cell| shape.cell(turned(shape, number, shape.coord(cell))).expect("a turned cell");
        let setup = seen.setup.mapped(image);
        let thrones: Vec<Cell> = game.rules.zones.throne.cells.iter().map(|cell| image(*cell)).collect();
        if pattern.colors == Colors::Swapped && (!names_king(pattern) || has_two_kings(game)) {
            let mut swapped = Setup::empty(shape);
            for (cell, piece) in setup.pieces() {
                swapped.put(cell, Some(Piece::new(piece.side.other(), piece.role)));
            }
            views.push(View { setup: swapped, thrones: thrones.clone() });
        }
        views.push(View { setup, thrones });
    }
    views
}

/// Returns whether a cell of the pattern matches a king explicitly, and not as any piece or any content.
fn names_king(pattern: &Pattern) -> bool {
    let kings =
        [Side::Attackers, Side::Defenders].map(|side| CellContent::of(Some(Piece::new(side, Role::King))));
    let general = [
        ContentMask::ANY,
        ContentMask::PIECE,
        ContentMask::of_pieces(PieceSet::ATTACKERS),
        ContentMask::of_pieces(PieceSet::DEFENDERS),
    ];
    let layers = pattern.look_for.iter().chain(&pattern.except);
    let mut masks = layers.flat_map(|layer| layer.rows.iter().flatten());
    pattern.anchor == Anchor::King
        || masks.any(|mask| !general.contains(mask) && kings.iter().any(|king| mask.fits(*king)))
}

/// Returns the image of a place under a symmetry of the board, 0 to 11; for squares, some occur twice.
fn turned(shape: Shape, number: usize, coord: Coord) -> Coord {
    let last = shape.n_ranks() - 1;
    match shape {
        Shape::Square { .. } => {
            let quarter = |c: Coord| Coord::new(c.rank, last - c.file);
            let coord = if number / 4 % 2 == 1 { Coord::new(last - coord.file, coord.rank) } else { coord };
            (0..number % 4).fold(coord, |coord, _| quarter(coord))
        }
        Shape::Hex { .. } => {
            // The three distances from the lines through the center sum to zero, in any order and with any sign.
            let middle = last / 2;
            let (x, y) = (coord.file - middle, coord.rank - middle);
            let along = [x, -y, y - x];
            let order = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]][number % 6];
            let sign = if number >= 6 { -1 } else { 1 };
            let [x, y, _] = order.map(|axis: usize| sign * along[axis]);
            Coord::new(x + middle, -y + middle)
        }
    }
}

fn may_lie(pattern: &Pattern, view: &View, origin: Coord) -> bool {
    let shape = view.setup.shape();
    let rows = &pattern.look_for[0].rows;
    let (n_rows, n_columns) = (rows.len() as i16, rows[0].len() as i16);
    let middle = Coord::new(origin.file + n_columns / 2, origin.rank + n_rows / 2);
    match pattern.anchor {
        Anchor::Anywhere => true,
        Anchor::Board => {
            let fits = |rank: i16| rows[rank as usize].len() as i16 == shape.rank_len(rank);
            origin == Coord::new(0, 0) && n_rows == shape.n_ranks() && (0..n_rows).all(fits)
        }
        Anchor::Corner => origin == Coord::new(0, 0),
        Anchor::Edge => origin.rank == 0,
        Anchor::At(coord) => origin == coord,
        Anchor::Throne => shape.cell(middle).is_some_and(|cell| view.thrones.contains(&cell)),
        Anchor::King => {
            let king = Piece::new(Side::Defenders, Role::King);
            shape.cell(middle).is_some_and(|cell| view.setup.piece(cell) == Some(king))
        }
    }
}

fn lies(layer: &Layer, anchor: Anchor, view: &View, origin: Coord) -> bool {
    let shape = view.setup.shape();
    layer.rows.iter().zip(0..).all(|(row, rank)| {
        let first = if anchor == Anchor::Board { shape.first_file(rank) } else { 0 };
        row.iter().zip(first..).all(|(mask, file)| {
            let coord = Coord::new(origin.file + file, origin.rank + rank);
            let content = shape.cell(coord).map(|cell| CellContent::of(view.setup.piece(cell)));
            *mask == ContentMask::ANY || content.is_some_and(|content| mask.fits(content))
        })
    })
}
