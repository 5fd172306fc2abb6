//! What a plan needs of a game: conditions that an index can look up, implied by the question.

use tafl_rules::facts::{Event, KingStatus};
use tafl_rules::ruleset::Berserk;
use tafl_rules::{Cell, Piece, PieceSet, Role, Setup, Side, zobrist};

use super::Ring;
use super::test::{BoardTest, CellMask, CellTables, Check, Images, Numbers};
use super::tree::{Local, Node};
use crate::moment::Content;
use crate::pattern::Mask;
use crate::pattern::placed::{Ground, Placed};
use crate::query::ast::{KingTest, Query};
use crate::query::game::GameCondition;
use crate::query::need::{BlockNeed, Need};
use crate::query::number::Term;
use crate::query::token::Token;

/// More tokens than this for one pattern are of no use to an index.
const MAX_TOKENS: usize = 20_000;
/// More values than this of a number, too.
const MAX_VALUES: usize = 64;

/// What is known while needs are gathered.
pub(super) struct Needs<'p> {
    pub(super) boards: &'p [BoardTest],
    pub(super) tables: &'p CellTables,
    pub(super) ground: &'p Ground,
    pub(super) query: &'p Query,
    pub(super) ring: &'p Ring,
}

impl Needs<'_> {
    /// Returns what a game needs so that this holds at some moment.
    pub(super) fn of(&self, node: &Node) -> Need {
        match node {
            Node::Local(_, local) => self.local(local, &self.query.game_conditions()),
            Node::All(parts) => all(parts.iter().map(|part| self.of(part)).collect(), Moments::Different),
            Node::Any(parts) => any(parts.iter().map(|part| self.of(part)).collect()),
            Node::Then(first, last, _) | Node::Before(first, last, _) => {
                all(vec![self.of(first), self.of(last)], Moments::Different)
            }
            Node::Ever(part) | Node::First(part) | Node::Last(part) => self.of(part),
            Node::Count(part, comparison, number) if !comparison.holds(0, *number) => self.of(part),
            Node::Not(_) | Node::Never(_) | Node::Count(..) => Need::Anything,
        }
    }

    fn local(&self, local: &Local, conditions: &[&GameCondition]) -> Need {
        let each = |parts: &[Local]| parts.iter().map(|part| self.local(part, conditions)).collect();
        match local {
            Local::Constant(true) => Need::Anything,
            Local::Constant(false) => Need::Nothing,
            Local::Game(number) => Need::Game(conditions[*number].clone()),
            Local::Check(check) => self.check(check),
            Local::All(parts) => all(each(parts), Moments::Same),
            Local::Any(parts) => any(each(parts)),
            Local::Not(part) => self.not(part, conditions),
        }
    }

    fn not(&self, local: &Local, conditions: &[&GameCondition]) -> Need {
        let each = |parts: &[Local]| parts.iter().map(|part| self.not(part, conditions)).collect();
        match local {
            Local::Constant(true) => Need::Nothing,
            Local::Constant(false) | Local::Check(_) => Need::Anything,
            Local::Game(number) => Need::NotGame(conditions[*number].clone()),
            Local::All(parts) => any(each(parts)),
            Local::Any(parts) => all(each(parts), Moments::Same),
            Local::Not(part) => self.local(part, conditions),
        }
    }

    fn check(&self, check: &Check) -> Need {
        let shape = self.ground.shape;
        match check {
            Check::Event(event) => has(Token::Event(*event)),
            Check::Number(numbers) => self.numbers(numbers),
            Check::King(side, test) => self.king(*side, *test),
            Check::Threat => {
                one_of(Side::ALL.into_iter().flat_map(|side| [Token::Distance(side, 1), Token::Danger(side)]))
            }
            Check::ToMove(_) | Check::Mover(_) | Check::Took(_) => Need::Anything,
            Check::From(cells) => one_of(cells.cells().map(|cell| Token::From(shape, cell))),
            Check::To(cells) => one_of(cells.cells().map(|cell| Token::To(shape, cell))),
            Check::TookAt(cells) => one_of(cells.cells().map(|cell| Token::Fell(shape, cell))),
            Check::Piece(mask) => {
                let possible = mask.intersection(Mask::of_pieces(self.ground.pieces));
                one_of(possible.contents().map(Token::Moved))
            }
            Check::Board(number) => match &self.boards[*number] {
                BoardTest::Pattern(placed, _) => self.pattern(placed),
                BoardTest::Position(images) => self.position(images),
            },
        }
    }

    fn king(&self, side: Side, test: KingTest) -> Need {
        let king = Content::of(Some(Piece::new(side, Role::King)));
        let stands =
            |cells: &CellMask| one_of(cells.cells().map(|cell| Token::Cell(self.ground.shape, cell, king)));
        match test {
            KingTest::Danger => has(Token::Danger(side)),
            KingTest::Cordon => has(Token::Cordon(side)),
            KingTest::CanEscape => has(Token::Distance(side, 1)),
            KingTest::OpenLine => one_of((1..=KingStatus::MANY).map(|lines| Token::Lines(side, lines))),
            KingTest::OnEdge => stands(&self.tables.edge),
            KingTest::OnThrone => stands(&self.tables.throne),
            KingTest::OnCorner => stands(&self.tables.corner),
        }
    }

    fn numbers(&self, numbers: &Numbers) -> Need {
        let [(factor, term)] = numbers.terms[..] else { return Need::Anything };
        let values = |max: u16| {
            (0..=max).filter(move |value| numbers.comparison.holds(factor * i64::from(*value), numbers.right))
        };
        let of_side = |pieces: PieceSet, side: Side| {
            let both = [PieceSet::ATTACKERS, PieceSet::DEFENDERS];
            let own = both[side.index()].intersection(self.ground.pieces);
            pieces.intersection(self.ground.pieces) == own && !own.is_empty()
        };
        let count = |side: Side| {
            let n_pieces = self.ring.start.pieces().count() as u16;
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
                None => Need::Anything,
            },
            Term::Ply
            | Term::PliesLeft
            | Term::Pieces
            | Term::Captured
            | Term::Lost(_)
            | Term::KingFile(_)
            | Term::KingRank(_) => Need::Anything,
        }
    }

    fn pattern(&self, placed: &Placed) -> Need {
        let shape = self.ground.shape;
        let token = |cell: u16, content: Content| Token::Cell(shape, Cell::new(usize::from(cell)), content);
        let mut n_tokens = 0;
        let mut places = Vec::new();
        for place in placed.places() {
            let mut of_layers = Vec::new();
            for layer in place.look_for {
                let cells: Vec<Need> = layer
                    .iter()
                    .map(|condition| {
                        one_of(self.contents(condition.mask).map(|content| token(condition.cell, content)))
                    })
                    .collect();
                n_tokens += cells.iter().map(Need::n_tokens).sum::<usize>();
                if n_tokens > MAX_TOKENS {
                    return Need::Anything;
                }
                of_layers.push(all(cells, Moments::Same));
            }
            places.push(any(of_layers));
        }
        any(places)
    }

    fn contents(&self, mask: Mask) -> impl Iterator<Item = Content> {
        mask.intersection(Mask::of_pieces(self.ground.pieces).union(Mask::EMPTY)).contents()
    }

    /// A position is looked up by its keys: with either side to move, and where chains enter keys, with any piece of that
    /// side going on.
    fn position(&self, images: &Images) -> Need {
        let Some((_, board)) = images.boards.first() else { return Need::Nothing };
        let mut setup = Setup::empty(self.ground.shape);
        for (cell, content) in self.ground.shape.cells().zip(board) {
            setup.put(cell, content.piece());
        }
        let key = |side, going_on| {
            Token::Key(zobrist::canonical_key(&setup, side, going_on, &self.ring.symmetries))
        };
        let outside_chains = one_of(Side::ALL.into_iter().map(|side| key(side, None)));
        if self.ring.rules.berserk == Berserk::None {
            return outside_chains;
        }
        let going_on = one_of(setup.pieces().map(|(cell, piece)| key(piece.side, Some(cell))));
        let in_chains = all(vec![has(Token::Event(Event::ChainGoesOn)), going_on], Moments::Same);
        any(vec![outside_chains, in_chains])
    }
}

impl Need {
    fn n_tokens(&self) -> usize {
        match self {
            Need::Block(block) => block.n_tokens(),
            Need::All(needs) | Need::Any(needs) => needs.iter().map(Need::n_tokens).sum(),
            Need::Anything | Need::Nothing | Need::Game(_) | Need::NotGame(_) => 0,
        }
    }
}

/// Whether needs are those of one moment, which lies in one block, or of several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moments {
    Same,
    Different,
}

fn has(token: Token) -> Need {
    Need::Block(BlockNeed::Has(token))
}

fn one_of(tokens: impl Iterator<Item = Token>) -> Need {
    any(tokens.map(has).collect())
}

fn one_of_few(tokens: impl Iterator<Item = Token>) -> Need {
    let tokens: Vec<Token> = tokens.take(MAX_VALUES + 1).collect();
    if tokens.len() > MAX_VALUES { Need::Anything } else { one_of(tokens.into_iter()) }
}

/// Returns the need of all of these; those of one moment are looked for in one block.
fn all(needs: Vec<Need>, moments: Moments) -> Need {
    let (mut blocks, mut others) = (Vec::new(), Vec::new());
    for need in needs {
        match need {
            Need::Anything => {}
            Need::Nothing => return Need::Nothing,
            Need::Block(BlockNeed::All(inner)) if moments == Moments::Same => blocks.extend(inner),
            Need::Block(block) if moments == Moments::Same => blocks.push(block),
            Need::All(inner) if moments == Moments::Different => others.extend(inner),
            other => others.push(other),
        }
    }
    match blocks.len() {
        0 => {}
        1 => others.extend(blocks.pop().map(Need::Block)),
        2.. => others.push(Need::Block(BlockNeed::All(blocks))),
    }
    match others.len() {
        0 => Need::Anything,
        1 => others.remove(0),
        2.. => Need::All(others),
    }
}

/// Returns the need of one of these.
fn any(needs: Vec<Need>) -> Need {
    let (mut blocks, mut others) = (Vec::new(), Vec::new());
    for need in needs {
        match need {
            Need::Anything => return Need::Anything,
            Need::Nothing => {}
            Need::Block(BlockNeed::Any(inner)) => blocks.extend(inner),
            Need::Block(block) => blocks.push(block),
            Need::Any(inner) => others.extend(inner),
            other => others.push(other),
        }
    }
    match blocks.len() {
        0 => {}
        1 => others.extend(blocks.pop().map(Need::Block)),
        2.. => others.push(Need::Block(BlockNeed::Any(blocks))),
    }
    match others.len() {
        0 => Need::Nothing,
        1 => others.remove(0),
        2.. => Need::Any(others),
    }
}
