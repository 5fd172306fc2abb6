//! From the tree of a question to that of a plan.

use tafl_rules::symmetry;
use tafl_rules::{Cell, Piece, PieceSet, Role, Setup, Shape, Side};

use super::needs::Needs;
use super::test::{BoardTest, CellMask, CellTables, Check, Images, Numbers};
use super::tree::{Local, Node};
use super::{Plan, Ring};
use crate::moment::Content;
use crate::pattern::placed::{Ground, Placed};
use crate::pattern::slide::Slide;
use crate::pattern::{Mask, Pattern, PatternSymmetries};
use crate::query::ast::{Area, ArenaTest, Expr, MoveTest, Query, Test};
use crate::query::number::Inequality;

/// Makes a question ready for an arena.
pub(super) fn plan(query: &Query, ring: &Ring) -> Plan {
    let mut compiler = Compiler {
        ground: ground(ring),
        tables: tables(ring),
        ring,
        boards: Vec::new(),
        n_locals: 0,
        n_conditions: 0,
    };
    let root = compiler.node(&query.expr);
    let Compiler { tables, boards, n_conditions, ground, .. } = compiler;
    let need = Needs { boards: &boards, tables: &tables, ground: &ground, query, ring }.of(&root);
    Plan { root, need, tables, boards, is_about_games: query.is_about_games(), n_conditions }
}

fn ground(ring: &Ring) -> Ground {
    let start_pieces: PieceSet = ring.start.pieces().map(|(_, piece)| piece).collect();
    let turncoats = start_pieces.iter().filter(|piece| piece.role == Role::Mercenary);
    let turned: PieceSet = turncoats.map(|piece| Piece::new(piece.side.other(), piece.role)).collect();
    let mut counts = [0; Content::COUNT];
    for cell in ring.start.shape().cells() {
        counts[usize::from(Content::of(ring.start.piece(cell)).code())] += 1;
    }
    let has_king = |side| ring.start.count(Piece::new(side, Role::King)) > 0;
    Ground {
        shape: ring.start.shape(),
        thrones: ring.rules.zones.throne.cells.clone(),
        pieces: start_pieces.union(turned),
        counts,
        two_kings: Side::ALL.into_iter().all(has_king),
    }
}

fn tables(ring: &Ring) -> CellTables {
    let shape = ring.start.shape();
    let mask = |area: Area| area_cells(area, shape, &ring.rules.zones.throne.cells);
    let places = shape.cells().map(|cell| shape.coord(cell));
    CellTables {
        edge: mask(Area::Edge),
        throne: mask(Area::Throne),
        corner: mask(Area::Corner),
        places: places.map(|coord| (coord.file as u8 + 1, coord.rank as u8 + 1)).collect(),
    }
}

fn area_cells(area: Area, shape: Shape, thrones: &[Cell]) -> CellMask {
    let corners = shape.corners();
    CellMask(
        shape
            .cells()
            .map(|cell| match area {
                Area::Corner => corners.contains(&cell),
                Area::Cell(_) | Area::Edge | Area::Throne => area.holds(shape, thrones, cell),
            })
            .collect(),
    )
}

/// What is gathered while a question is compiled.
struct Compiler<'r> {
    ring: &'r Ring,
    ground: Ground,
    tables: CellTables,
    boards: Vec<BoardTest>,
    n_locals: usize,
    n_conditions: usize,
}

/// A part that may still be joined with its neighbors, if one moment shows it.
enum Compiled {
    Local(Local),
    Node(Node),
}

/// How parts are joined.
#[derive(Clone, Copy)]
enum Join {
    All,
    Any,
}

impl Join {
    fn locals(self, parts: Vec<Local>) -> Local {
        match self {
            Join::All => Local::All(parts),
            Join::Any => Local::Any(parts),
        }
    }

    fn nodes(self, parts: Vec<Node>) -> Node {
        match self {
            Join::All => Node::All(parts),
            Join::Any => Node::Any(parts),
        }
    }
}

impl Compiler<'_> {
    fn node(&mut self, expr: &Expr) -> Node {
        let compiled = self.compile(expr);
        self.finish(compiled)
    }

    fn finish(&mut self, compiled: Compiled) -> Node {
        match compiled {
            Compiled::Local(local) => {
                self.n_locals += 1;
                Node::Local(self.n_locals - 1, local)
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
                Compiled::Local(local) => return Compiled::Local(Local::Not(Box::new(local))),
                Compiled::Node(node) => Node::Not(Box::new(node)),
            },
            Expr::Then(parts) => {
                let (first, last) = pair(self, parts);
                Node::Then(first, last, parts.within)
            }
            Expr::Before(parts) => {
                let (first, last) = pair(self, parts);
                Node::Before(first, last, parts.within)
            }
            Expr::Ever(part) => Node::Ever(Box::new(self.node(part))),
            Expr::Never(part) => Node::Never(Box::new(self.node(part))),
            Expr::Count(part, comparison, number) => {
                Node::Count(Box::new(self.node(part)), *comparison, *number)
            }
            Expr::First(part) => Node::First(Box::new(self.node(part))),
            Expr::Last(part) => Node::Last(Box::new(self.node(part))),
            Expr::Game(_) => {
                self.n_conditions += 1;
                return Compiled::Local(Local::Game(self.n_conditions - 1));
            }
            Expr::Arena(test) => return Compiled::Local(Local::Constant(self.arena(test))),
            Expr::Moment(test) => return Compiled::Local(Local::Check(self.check(test))),
        })
    }

    /// Joins what single moments show to one part, cheap tests first.
    fn joined(&mut self, parts: &[Expr], join: Join) -> Compiled {
        let (mut locals, mut nodes) = (Vec::new(), Vec::new());
        for part in parts {
            match self.compile(part) {
                Compiled::Local(local) => locals.push(local),
                Compiled::Node(node) => nodes.push(node),
            }
        }
        locals.sort_by_key(Local::cost);
        if nodes.is_empty() {
            return Compiled::Local(join.locals(locals));
        }
        if !locals.is_empty() {
            let joined = Compiled::Local(join.locals(locals));
            nodes.insert(0, self.finish(joined));
        }
        Compiled::Node(join.nodes(nodes))
    }

    fn arena(&self, test: &ArenaTest) -> bool {
        match test {
            ArenaTest::Shape(shape) => self.ground.shape == *shape,
            ArenaTest::Rules(word) => {
                let text = self.ring.rules.to_string();
                text.split(' ').any(|known| known.eq_ignore_ascii_case(word.trim()))
            }
            ArenaTest::TwoKings => self.ground.two_kings,
        }
    }

    fn check(&mut self, test: &Test) -> Check {
        match test {
            Test::Event(event) => Check::Event(*event),
            Test::Number(inequality) => Check::Number(numbers(inequality)),
            Test::King(side, test) => Check::King(*side, *test),
            Test::Threat => Check::Threat,
            Test::ToMove(side) => Check::ToMove(*side),
            Test::Mover(side) => Check::Mover(*side),
            Test::Move(test) => self.move_check(test),
            Test::Position { setup, turns } => {
                let images = self.images(setup, *turns);
                self.board(BoardTest::Position(images))
            }
            Test::Pattern(pattern) => {
                let board = self.placed(pattern);
                self.board(board)
            }
        }
    }

    fn board(&mut self, board: BoardTest) -> Check {
        self.boards.push(board);
        Check::Board(self.boards.len() - 1)
    }

    fn placed(&self, pattern: &Pattern) -> BoardTest {
        let placed = Placed::new(pattern, &self.ground, self.boards.len() as u16);
        let slide = Slide::new(&placed, self.ground.shape);
        BoardTest::Pattern(Box::new(placed), slide.map(Box::new))
    }

    fn move_check(&self, test: &MoveTest) -> Check {
        let cells = |area: &Area| area_cells(*area, self.ground.shape, &self.ground.thrones);
        match test {
            MoveTest::From(area) => Check::From(cells(area)),
            MoveTest::To(area) => Check::To(cells(area)),
            MoveTest::TookAt(area) => Check::TookAt(cells(area)),
            MoveTest::Piece(pieces) => Check::Piece(Mask::of_pieces(*pieces)),
            MoveTest::Took(pieces) => Check::Took(Mask::of_pieces(*pieces).contents().collect()),
        }
    }

    fn images(&self, setup: &Setup, turns: PatternSymmetries) -> Images {
        let mut images =
            Images { counts: [0; Content::COUNT], boards: Vec::new(), number: self.boards.len() as u16 };
        if setup.shape() != self.ground.shape {
            return images;
        }
        let symmetries = match turns {
            PatternSymmetries::All => self.ring.symmetries.clone(),
            PatternSymmetries::AsItStands => {
                symmetry::of_shape(self.ground.shape).into_iter().take(1).collect()
            }
        };
        for symmetry in &symmetries {
            let image = setup.mapped(|cell| symmetry.image(cell));
            let board: Vec<Content> =
                image.shape().cells().map(|cell| Content::of(image.piece(cell))).collect();
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

/// Brings all numbers to the left and the constants to the right.
fn numbers(inequality: &Inequality) -> Numbers {
    let Inequality { left, comparison, right } = inequality;
    let terms = left.terms.iter().map(|(factor, term)| (i64::from(*factor), *term));
    let others = right.terms.iter().map(|(factor, term)| (-i64::from(*factor), *term));
    Numbers {
        terms: terms.chain(others).collect(),
        comparison: *comparison,
        right: i64::from(right.constant) - i64::from(left.constant),
    }
}
