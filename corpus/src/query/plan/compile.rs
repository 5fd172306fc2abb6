//! Compilation of a query to a plan.

use std::sync::Arc;

use tafl_rules::{AnyRulebook, Cell, Piece, PieceSet, Role, Setup, Shape, Side, shape_symmetries};

use super::prefilter::PrefilterBuilder;
use super::test::{BoardTest, CellMask, CellTables, CompiledTest, LinearInequality, PositionImages};
use super::tree::{LocalTest, PlanNode};
use super::{CompiledSetup, QueryPlan};
use crate::pattern::game_matcher::GameMatcher;
use crate::pattern::placements::{BoardInfo, PatternPlacements};
use crate::pattern::{ContentMask, Pattern, PatternSymmetries};
use crate::ply_state::CellContent;
use crate::query::ast::{Expr, MoveArea, MoveTest, PlyTest, Query, SetupTest};
use crate::query::number::{Inequality, Term};

/// Compiles a query for a game setup.
pub(super) fn plan(query: &Query, compiled_setup: &CompiledSetup, max_tokens: usize) -> QueryPlan {
    let mut compiler = Compiler {
        board_info: board_info(compiled_setup),
        compiled_setup,
        boards: Vec::new(),
        n_locals: 0,
        n_conditions: 0,
    };
    let root = compiler.node(&query.expr);
    let Compiler { boards, n_conditions, board_info, .. } = compiler;
    let tables = compiled_setup.tables.get_or_init(|| Arc::new(tables(compiled_setup))).clone();
    let filter = PrefilterBuilder {
        boards: &boards,
        tables: &tables,
        board_info: &board_info,
        query,
        compiled_setup,
        max_tokens,
    }
    .of(&root);
    let mut tells_captures_apart = false;
    query.expr.each_test(&mut |test| tells_captures_apart |= counts_captures(test));
    let rulebook = tells_captures_apart
        .then(|| AnyRulebook::compile_for(&compiled_setup.rules, board_info.pieces).ok())
        .flatten();
    QueryPlan { root, filter, tables, boards, is_about_games: query.is_about_games(), n_conditions, rulebook }
}

fn counts_captures(test: &PlyTest) -> bool {
    let PlyTest::Number(inequality) = test else { return false };
    let mut terms = inequality.left.terms.iter().chain(&inequality.right.terms);
    terms.any(|(_, term)| matches!(term, Term::CapturedBy(_)))
}

fn board_info(compiled_setup: &CompiledSetup) -> BoardInfo {
    let start_pieces: PieceSet = compiled_setup.start.pieces().map(|(_, piece)| piece).collect();
    let mercenaries = start_pieces.iter().filter(|piece| piece.role == Role::Mercenary);
    let captured: PieceSet = mercenaries.map(|piece| Piece::new(piece.side.other(), piece.role)).collect();
    let mut counts = [0; CellContent::COUNT];
    for cell in compiled_setup.start.shape().cells() {
        counts[usize::from(CellContent::of(compiled_setup.start.piece(cell)).code())] += 1;
    }
    let has_king = |side| compiled_setup.start.count(Piece::new(side, Role::King)) > 0;
    BoardInfo {
        shape: compiled_setup.start.shape(),
        thrones: compiled_setup.rules.zones.throne.cells.clone(),
        pieces: start_pieces.union(captured),
        counts,
        two_kings: Side::ALL.into_iter().all(has_king),
    }
}

fn tables(compiled_setup: &CompiledSetup) -> CellTables {
    let shape = compiled_setup.start.shape();
    let mask = |area: MoveArea| area_cells(area, shape, &compiled_setup.rules.zones.throne.cells);
    let places = shape.cells().map(|cell| shape.coord(cell));
    CellTables {
        edge: mask(MoveArea::Edge),
        throne: mask(MoveArea::Throne),
        corner: mask(MoveArea::Corner),
        places: places.map(|coord| (coord.file as u8 + 1, coord.rank as u8 + 1)).collect(),
    }
}

fn area_cells(area: MoveArea, shape: Shape, thrones: &[Cell]) -> CellMask {
    let corners = shape.corners();
    CellMask(
        shape
            .cells()
            .map(|cell| match area {
                MoveArea::Corner => corners.contains(&cell),
                MoveArea::Cell(_) | MoveArea::Edge | MoveArea::Throne => area.holds(shape, thrones, cell),
            })
            .collect(),
    )
}

/// The state of the compilation of a query.
struct Compiler<'r> {
    compiled_setup: &'r CompiledSetup,
    board_info: BoardInfo,
    boards: Vec<BoardTest>,
    n_locals: usize,
    n_conditions: usize,
}

/// A compiled part. Tests of single positions can still be joined with their neighbors.
enum Compiled {
    Local(LocalTest),
    Node(PlanNode),
}

/// The operator that joins parts.
#[derive(Clone, Copy)]
enum Join {
    All,
    Any,
}

impl Join {
    fn locals(self, parts: Vec<LocalTest>) -> LocalTest {
        match self {
            Join::All => LocalTest::All(parts),
            Join::Any => LocalTest::Any(parts),
        }
    }

    fn nodes(self, parts: Vec<PlanNode>) -> PlanNode {
        match self {
            Join::All => PlanNode::All(parts),
            Join::Any => PlanNode::Any(parts),
        }
    }
}

impl Compiler<'_> {
    fn node(&mut self, expr: &Expr) -> PlanNode {
        let compiled = self.compile(expr);
        self.finish(compiled)
    }

    fn finish(&mut self, compiled: Compiled) -> PlanNode {
        match compiled {
            Compiled::Local(local) => {
                self.n_locals += 1;
                PlanNode::Local(self.n_locals - 1, local)
            }
            Compiled::Node(node) => node,
        }
    }

    fn compile(&mut self, expr: &Expr) -> Compiled {
        let pair = |compiler: &mut Self, parts: &crate::query::ast::Sequence| {
            (Box::new(compiler.node(&parts.first)), Box::new(compiler.node(&parts.last)))
        };
        Compiled::Node(match expr {
            Expr::All(parts) => return self.joined(parts, Join::All),
            Expr::Any(parts) => return self.joined(parts, Join::Any),
            Expr::Not(part) => match self.compile(part) {
                Compiled::Local(local) => return Compiled::Local(LocalTest::Not(Box::new(local))),
                Compiled::Node(node) => PlanNode::Not(Box::new(node)),
            },
            Expr::Then(parts) => {
                let (first, last) = pair(self, parts);
                PlanNode::Then(first, last, parts.within)
            }
            Expr::Before(parts) => {
                let (first, last) = pair(self, parts);
                PlanNode::Before(first, last, parts.within)
            }
            Expr::Ever(part) => PlanNode::Ever(Box::new(self.node(part))),
            Expr::Never(part) => PlanNode::Never(Box::new(self.node(part))),
            Expr::Count(part, comparison, number) => {
                PlanNode::Count(Box::new(self.node(part)), *comparison, *number)
            }
            Expr::First(part) => PlanNode::First(Box::new(self.node(part))),
            Expr::Last(part) => PlanNode::Last(Box::new(self.node(part))),
            Expr::Game(_) => {
                self.n_conditions += 1;
                return Compiled::Local(LocalTest::Game(self.n_conditions - 1));
            }
            Expr::Setup(test) => return Compiled::Local(LocalTest::Constant(self.game_setup(test))),
            Expr::Ply(test) => return Compiled::Local(LocalTest::Test(self.test(test))),
        })
    }

    /// Joins tests of single positions to one test, with the cheap ones first.
    fn joined(&mut self, parts: &[Expr], join: Join) -> Compiled {
        let (mut locals, mut nodes) = (Vec::new(), Vec::new());
        for part in parts {
            match self.compile(part) {
                Compiled::Local(local) => locals.push(local),
                Compiled::Node(node) => nodes.push(node),
            }
        }
        locals.sort_by_key(LocalTest::cost);
        if nodes.is_empty() {
            return Compiled::Local(join.locals(locals));
        }
        if !locals.is_empty() {
            let joined = Compiled::Local(join.locals(locals));
            nodes.insert(0, self.finish(joined));
        }
        Compiled::Node(join.nodes(nodes))
    }

    fn game_setup(&self, test: &SetupTest) -> bool {
        match test {
            SetupTest::Shape(shape) => self.board_info.shape == *shape,
            SetupTest::Rules(term) => {
                let text = self.compiled_setup.rules.to_string();
                text.split(' ').any(|known| known.eq_ignore_ascii_case(term))
            }
            SetupTest::TwoKings => self.board_info.two_kings,
        }
    }

    fn test(&mut self, test: &PlyTest) -> CompiledTest {
        match test {
            PlyTest::Event(event) => CompiledTest::Event(*event),
            PlyTest::Number(inequality) => CompiledTest::Number(numbers(inequality)),
            PlyTest::King(side, test) => CompiledTest::King(*side, *test),
            PlyTest::Threat => CompiledTest::Threat,
            PlyTest::ToMove(side) => CompiledTest::ToMove(*side),
            PlyTest::Mover(side) => CompiledTest::Mover(*side),
            PlyTest::Move(test) => self.move_test(test),
            PlyTest::Position { setup, symmetries } => {
                let images = self.images(setup, *symmetries);
                self.board(BoardTest::Position(images))
            }
            PlyTest::Pattern(pattern) => {
                let board = self.placed(pattern);
                self.board(board)
            }
        }
    }

    fn board(&mut self, board: BoardTest) -> CompiledTest {
        self.boards.push(board);
        CompiledTest::Board(self.boards.len() - 1)
    }

    fn placed(&self, pattern: &Pattern) -> BoardTest {
        let placed = PatternPlacements::new(pattern, &self.board_info, self.boards.len() as u16);
        let matcher = GameMatcher::new(&placed, &self.compiled_setup.start);
        BoardTest::Pattern(Box::new(placed), Box::new(matcher))
    }

    fn move_test(&self, test: &MoveTest) -> CompiledTest {
        let cells = |area: &MoveArea| area_cells(*area, self.board_info.shape, &self.board_info.thrones);
        match test {
            MoveTest::From(area) => CompiledTest::From(cells(area)),
            MoveTest::To(area) => CompiledTest::To(cells(area)),
            MoveTest::TookAt(area) => CompiledTest::TookAt(cells(area)),
            MoveTest::Piece(pieces) => CompiledTest::Piece(ContentMask::of_pieces(*pieces)),
            MoveTest::Took(pieces) => {
                CompiledTest::Took(ContentMask::of_pieces(*pieces).contents().collect())
            }
        }
    }

    fn images(&self, setup: &Setup, symmetries: PatternSymmetries) -> PositionImages {
        let mut images = PositionImages {
            counts: [0; CellContent::COUNT],
            boards: Vec::new(),
            number: self.boards.len() as u16,
        };
        if setup.shape() != self.board_info.shape {
            return images;
        }
        let symmetries = match symmetries {
            PatternSymmetries::All => self.compiled_setup.symmetries.clone(),
            PatternSymmetries::AsWritten => {
                shape_symmetries(self.board_info.shape).into_iter().take(1).collect()
            }
        };
        for symmetry in &symmetries {
            let image = setup.mapped(|cell| symmetry.image(cell));
            let board: Vec<CellContent> =
                image.shape().cells().map(|cell| CellContent::of(image.piece(cell))).collect();
            if images.boards.iter().all(|(_, known)| *known != board) {
                images.boards.push((symmetry.id, board));
            }
        }
        for content in &images.boards[0].1 {
            images.counts[usize::from(content.code())] += 1;
        }
        images
    }
}

/// Moves all numbers to the left side and the constants to the right side.
fn numbers(inequality: &Inequality) -> LinearInequality {
    let Inequality { left, comparison, right } = inequality;
    let terms = left.terms.iter().map(|(factor, term)| (i64::from(*factor), *term));
    let others = right.terms.iter().map(|(factor, term)| (-i64::from(*factor), *term));
    LinearInequality {
        terms: terms.chain(others).collect(),
        comparison: *comparison,
        right: i64::from(right.constant) - i64::from(left.constant),
    }
}
