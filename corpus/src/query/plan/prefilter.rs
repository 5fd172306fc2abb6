//! Derivation of the prefilter of a plan: conditions implied by the query that an index can look up.

use tafl_rules::{Berserk, Cell, KingStatus, Piece, PieceSet, Role, Setup, Side, canonical_key};

use super::CompiledSetup;
use super::test::{BoardTest, CellMask, CellTables, CompiledTest, LinearInequality, PositionImages};
use super::tree::{LocalTest, PlanNode};
use crate::pattern::ContentMask;
use crate::pattern::placements::{BoardInfo, PatternPlacements};
use crate::ply_state::CellContent;
use crate::query::ast::{KingTest, Query};
use crate::query::game::GameCondition;
use crate::query::number::Term;
use crate::query::prefilter::{BlockFilter, Prefilter};
use crate::query::token::Token;

/// The maximum number of tokens of the prefilter of a pattern. Looking up more of them takes longer than replaying the
/// games.
pub(super) const MAX_TOKENS: usize = 1_000;
/// The same for games in large segments. Two by three cells anywhere have 4,320 on 11x11 cells, and 14,688 on 19x19.
#[cfg(feature = "store")]
pub(super) const MAX_TOKENS_IN_LARGE: usize = 20_000;
/// The maximum number of values of a number in a prefilter, for the same reason.
const MAX_VALUES: usize = 64;

/// A builder of prefilters.
pub(super) struct PrefilterBuilder<'p> {
    pub(super) boards: &'p [BoardTest],
    pub(super) tables: &'p CellTables,
    pub(super) board_info: &'p BoardInfo,
    pub(super) query: &'p Query,
    pub(super) compiled_setup: &'p CompiledSetup,
    /// The maximum number of tokens of a pattern.
    pub(super) max_tokens: usize,
}

impl PrefilterBuilder<'_> {
    /// Returns a necessary condition for games in which the node holds at some position.
    pub(super) fn of(&self, node: &PlanNode) -> Prefilter {
        match node {
            PlanNode::Local(_, local) => self.local(local, &self.query.game_conditions()),
            PlanNode::All(parts) => all(parts.iter().map(|part| self.of(part)).collect(), PlyScope::AnyPlies),
            PlanNode::Any(parts) => any(parts.iter().map(|part| self.of(part)).collect()),
            PlanNode::Then(first, last, _) | PlanNode::Before(first, last, _) => {
                all(vec![self.of(first), self.of(last)], PlyScope::AnyPlies)
            }
            PlanNode::Ever(part) | PlanNode::First(part) | PlanNode::Last(part) => self.of(part),
            PlanNode::Count(part, comparison, number) if !comparison.holds(0, *number) => self.of(part),
            PlanNode::Not(_) | PlanNode::Never(_) | PlanNode::Count(..) => Prefilter::Anything,
        }
    }

    fn local(&self, local: &LocalTest, conditions: &[&GameCondition]) -> Prefilter {
        let each = |parts: &[LocalTest]| parts.iter().map(|part| self.local(part, conditions)).collect();
        match local {
            LocalTest::Constant(true) => Prefilter::Anything,
            LocalTest::Constant(false) => Prefilter::Nothing,
            LocalTest::Game(number) => Prefilter::Game(conditions[*number].clone()),
            LocalTest::Test(check) => self.check(check),
            LocalTest::All(parts) => all(each(parts), PlyScope::OnePly),
            LocalTest::Any(parts) => any(each(parts)),
            LocalTest::Not(part) => self.not(part, conditions),
        }
    }

    fn not(&self, local: &LocalTest, conditions: &[&GameCondition]) -> Prefilter {
        let each = |parts: &[LocalTest]| parts.iter().map(|part| self.not(part, conditions)).collect();
        match local {
            LocalTest::Constant(true) => Prefilter::Nothing,
            LocalTest::Constant(false) | LocalTest::Test(_) => Prefilter::Anything,
            LocalTest::Game(number) => Prefilter::NotGame(conditions[*number].clone()),
            LocalTest::All(parts) => any(each(parts)),
            LocalTest::Any(parts) => all(each(parts), PlyScope::OnePly),
            LocalTest::Not(part) => self.local(part, conditions),
        }
    }

    fn check(&self, check: &CompiledTest) -> Prefilter {
        let shape = self.board_info.shape;
        match check {
            CompiledTest::Event(event) => has(Token::Event(*event)),
            CompiledTest::Number(numbers) => self.numbers(numbers),
            CompiledTest::King(side, test) => self.king(*side, *test),
            CompiledTest::Threat => {
                one_of(Side::ALL.into_iter().flat_map(|side| [Token::Distance(side, 1), Token::Danger(side)]))
            }
            CompiledTest::ToMove(_) | CompiledTest::Mover(_) | CompiledTest::Took(_) => Prefilter::Anything,
            CompiledTest::From(cells) => one_of(cells.cells().map(|cell| Token::From(shape, cell))),
            CompiledTest::To(cells) => one_of(cells.cells().map(|cell| Token::To(shape, cell))),
            CompiledTest::TookAt(cells) => one_of(cells.cells().map(|cell| Token::Captured(shape, cell))),
            CompiledTest::Piece(mask) => {
                let possible = mask.intersection(ContentMask::of_pieces(self.board_info.pieces));
                one_of(possible.contents().map(Token::Moved))
            }
            CompiledTest::Board(number) => match &self.boards[*number] {
                BoardTest::Pattern(placed, _) => self.pattern(placed),
                BoardTest::Position(images) => self.position(images),
            },
        }
    }

    fn king(&self, side: Side, test: KingTest) -> Prefilter {
        let king = CellContent::of(Some(Piece::new(side, Role::King)));
        let is_in = |cells: &CellMask| {
            one_of(cells.cells().map(|cell| Token::Cell(self.board_info.shape, cell, king)))
        };
        match test {
            KingTest::Danger => has(Token::Danger(side)),
            KingTest::Cordon => has(Token::Cordon(side)),
            KingTest::CanEscape => has(Token::Distance(side, 1)),
            KingTest::OpenLine => one_of((1..=KingStatus::MANY).map(|lines| Token::Lines(side, lines))),
            KingTest::OnEdge => is_in(&self.tables.edge),
            KingTest::OnThrone => is_in(&self.tables.throne),
            KingTest::OnCorner => is_in(&self.tables.corner),
        }
    }

    fn numbers(&self, numbers: &LinearInequality) -> Prefilter {
        let [(factor, term)] = numbers.terms[..] else { return Prefilter::Anything };
        let values = |max: u16| {
            (0..=max).filter(move |value| numbers.comparison.holds(factor * i64::from(*value), numbers.right))
        };
        let of_side = |pieces: PieceSet, side: Side| {
            let both = [PieceSet::ATTACKERS, PieceSet::DEFENDERS];
            let own = both[side.index()].intersection(self.board_info.pieces);
            pieces.intersection(self.board_info.pieces) == own && !own.is_empty()
        };
        let count = |side: Side| {
            let n_pieces = self.compiled_setup.start.pieces().count() as u16;
            one_of_few(values(n_pieces).map(|value| Token::Pieces(side, value)))
        };
        match term {
            Term::KingDistance(side) => {
                one_of(values(KingStatus::FAR.into()).map(|value| Token::Distance(side, value as u8)))
            }
            Term::KingLines(side) => {
                one_of(values(KingStatus::MANY.into()).map(|value| Token::Lines(side, value as u8)))
            }
            Term::PiecesOf(side) => count(side),
            Term::Kinds(pieces) => match Side::ALL.into_iter().find(|side| of_side(pieces, *side)) {
                Some(side) => count(side),
                None => Prefilter::Anything,
            },
            Term::CapturedBy(event) if !numbers.comparison.holds(0, numbers.right) => {
                has(Token::Event(event))
            }
            Term::CapturedBy(_)
            | Term::Ply
            | Term::PliesLeft
            | Term::Pieces
            | Term::Captured
            | Term::Lost(_)
            | Term::KingFile(_)
            | Term::KingRank(_) => Prefilter::Anything,
        }
    }

    fn pattern(&self, placed: &PatternPlacements) -> Prefilter {
        let shape = self.board_info.shape;
        let token =
            |cell: u16, content: CellContent| Token::Cell(shape, Cell::new(usize::from(cell)), content);
        let mut n_tokens = 0;
        let mut places = Vec::new();
        for place in placed.places() {
            let mut of_layers = Vec::new();
            for layer in place.look_for {
                let cells: Vec<Prefilter> = layer
                    .iter()
                    .map(|condition| {
                        one_of(self.contents(condition.mask).map(|content| token(condition.cell, content)))
                    })
                    .collect();
                n_tokens += cells.iter().map(Prefilter::n_tokens).sum::<usize>();
                if n_tokens > self.max_tokens {
                    return Prefilter::Anything;
                }
                of_layers.push(all(cells, PlyScope::OnePly));
            }
            places.push(any(of_layers));
        }
        any(places)
    }

    fn contents(&self, mask: ContentMask) -> impl Iterator<Item = CellContent> {
        mask.intersection(ContentMask::of_pieces(self.board_info.pieces).union(ContentMask::EMPTY)).contents()
    }

    /// A position is looked up by its keys: one for each side to move, and if the rules have chains of moves, the one that
    /// all positions in chains with this board have.
    fn position(&self, images: &PositionImages) -> Prefilter {
        let Some((_, board)) = images.boards.first() else { return Prefilter::Nothing };
        let mut setup = Setup::empty(self.board_info.shape);
        for (cell, content) in self.board_info.shape.cells().zip(board) {
            setup.put(cell, content.piece());
        }
        let key = |side| canonical_key(&setup, side, None, &self.compiled_setup.symmetries);
        let has_chains = self.compiled_setup.rules.berserk != Berserk::None;
        let in_chains = has_chains.then(|| Token::KeyInChain(key(Side::Attackers)));
        one_of(Side::ALL.into_iter().map(|side| Token::Key(key(side))).chain(in_chains))
    }
}

impl Prefilter {
    fn n_tokens(&self) -> usize {
        match self {
            Prefilter::Block(block) => block.n_tokens(),
            Prefilter::All(filters) | Prefilter::Any(filters) => {
                filters.iter().map(Prefilter::n_tokens).sum()
            }
            Prefilter::Anything | Prefilter::Nothing | Prefilter::Game(_) | Prefilter::NotGame(_) => 0,
        }
    }
}

/// Whether conditions must hold at one position, which is in one block, or at several ones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlyScope {
    OnePly,
    AnyPlies,
}

fn has(token: Token) -> Prefilter {
    Prefilter::Block(BlockFilter::Has(token))
}

fn one_of(tokens: impl Iterator<Item = Token>) -> Prefilter {
    any(tokens.map(has).collect())
}

fn one_of_few(tokens: impl Iterator<Item = Token>) -> Prefilter {
    let tokens: Vec<Token> = tokens.take(MAX_VALUES + 1).collect();
    if tokens.len() > MAX_VALUES { Prefilter::Anything } else { one_of(tokens.into_iter()) }
}

/// Returns the conjunction of filters. Those of one position must hold in one block.
fn all(filters: Vec<Prefilter>, plies: PlyScope) -> Prefilter {
    let (mut blocks, mut others) = (Vec::new(), Vec::new());
    for filter in filters {
        match filter {
            Prefilter::Anything => {}
            Prefilter::Nothing => return Prefilter::Nothing,
            Prefilter::Block(BlockFilter::All(inner)) if plies == PlyScope::OnePly => blocks.extend(inner),
            Prefilter::Block(block) if plies == PlyScope::OnePly => blocks.push(block),
            Prefilter::All(inner) if plies == PlyScope::AnyPlies => others.extend(inner),
            other => others.push(other),
        }
    }
    match blocks.len() {
        0 => {}
        1 => others.extend(blocks.pop().map(Prefilter::Block)),
        2.. => others.push(Prefilter::Block(BlockFilter::All(blocks))),
    }
    match others.len() {
        0 => Prefilter::Anything,
        1 => others.remove(0),
        2.. => Prefilter::All(others),
    }
}

/// Returns the disjunction of filters.
fn any(filters: Vec<Prefilter>) -> Prefilter {
    let (mut blocks, mut others) = (Vec::new(), Vec::new());
    for filter in filters {
        match filter {
            Prefilter::Anything => return Prefilter::Anything,
            Prefilter::Nothing => {}
            Prefilter::Block(BlockFilter::Any(inner)) => blocks.extend(inner),
            Prefilter::Block(block) => blocks.push(block),
            Prefilter::Any(inner) => others.extend(inner),
            other => others.push(other),
        }
    }
    match blocks.len() {
        0 => {}
        1 => others.extend(blocks.pop().map(Prefilter::Block)),
        2.. => others.push(Prefilter::Block(BlockFilter::Any(blocks))),
    }
    match others.len() {
        0 => Prefilter::Nothing,
        1 => others.remove(0),
        2.. => Prefilter::Any(others),
    }
}
