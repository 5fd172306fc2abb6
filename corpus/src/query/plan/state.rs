//! What tests need to know of a game besides the moment.

use tafl_rules::{BySide, Cell, Piece, Role, Side};

use super::Plan;
use super::test::{BoardTest, CellTables, Check};
use super::tree::Local;
use crate::moment::{Content, Moment};
use crate::pattern::slide::{Fitting, Slide};
use crate::query::number::Term;
use crate::query::token::n_pieces;
use crate::tape::Player;

/// What tests know of a game besides the moment.
pub(super) struct GameEvaluation<'p> {
    pub(super) tables: &'p CellTables,
    boards: &'p [BoardTest],
    fitting: Vec<Fitting>,
    pub(super) truth: Vec<bool>,
    wants: Wants,
    /// How many plies the game has.
    pub(super) n_plies: u32,
    pub(super) n_pieces_at_start: BySide<u16>,
    /// How often each content stood on the board before the last ply.
    pub(super) counts_before: [u16; Content::COUNT],
    counts_now: [u16; Content::COUNT],
    /// Where the first king of each side stands.
    pub(super) kings: BySide<Option<Cell>>,
}

/// What must be kept while a game is played.
#[derive(Debug, Clone, Copy, Default)]
struct Wants {
    kings: bool,
    counts: bool,
    slides: bool,
}

impl<'p> GameEvaluation<'p> {
    pub(super) fn new(plan: &'p Plan, player: &Player<'_>, truth: Vec<bool>) -> GameEvaluation<'p> {
        let moment = player.moment();
        let mut state = GameEvaluation {
            tables: &plan.tables,
            boards: &plan.boards,
            fitting: Vec::new(),
            truth,
            wants: Wants::of(plan),
            n_plies: moment.ply + player.n_plies_left(),
            n_pieces_at_start: BySide::from_fn(|side| n_pieces(moment, side)),
            counts_before: *moment.counts(),
            counts_now: *moment.counts(),
            kings: BySide::default(),
        };
        for slide in slides(state.boards) {
            let mut fitting = Fitting::default();
            if let Some(slide) = slide {
                slide.reset(&mut fitting, moment);
            }
            state.fitting.push(fitting);
        }
        state.find_kings(moment);
        state
    }

    /// Follows the ply that led to a moment.
    #[inline]
    pub(super) fn advance(&mut self, moment: &Moment) {
        if self.wants.counts {
            self.counts_before = self.counts_now;
            self.counts_now = *moment.counts();
        }
        if self.wants.kings {
            self.find_kings(moment);
        }
        if self.wants.slides {
            for (slide, fitting) in slides(self.boards).zip(&mut self.fitting) {
                if let Some(slide) = slide {
                    slide.advance(fitting, moment);
                }
            }
        }
    }

    fn find_kings(&mut self, moment: &Moment) {
        for side in Side::ALL {
            let king = Content::of(Some(Piece::new(side, Role::King)));
            let stays = match moment.count(king) {
                0 => {
                    self.kings[side] = None;
                    true
                }
                1 => self.kings[side].is_some_and(|cell| moment.at(cell) == king),
                2.. => false,
            };
            if !stays {
                let at = moment.board().iter().position(|content| *content == king);
                self.kings[side] = at.map(Cell::new);
            }
        }
    }

    /// Returns whether a board or pattern of the question lies on the board.
    #[inline]
    pub(super) fn board_holds(&self, number: usize, moment: &Moment) -> bool {
        match &self.boards[number] {
            BoardTest::Pattern(_, Some(slide)) => slide.holds(&self.fitting[number]),
            BoardTest::Pattern(placed, None) => placed.holds(moment.board()),
            BoardTest::Position(images) => images.holds(moment),
        }
    }
}

fn slides(boards: &[BoardTest]) -> impl Iterator<Item = Option<&Slide>> {
    boards.iter().map(|board| match board {
        BoardTest::Pattern(_, slide) => slide.as_deref(),
        BoardTest::Position(_) => None,
    })
}

impl Wants {
    fn of(plan: &Plan) -> Wants {
        let mut wants =
            Wants { slides: slides(&plan.boards).any(|slide| slide.is_some()), ..Wants::default() };
        plan.root.each_local(&mut |_, local| wants.add(local));
        wants
    }

    fn add(&mut self, local: &Local) {
        match local {
            Local::Constant(_) | Local::Game(_) => {}
            Local::Check(check) => {
                self.counts |= matches!(check, Check::Took(_));
                self.kings |= match check {
                    Check::King(_, test) => test.asks_for_cell(),
                    Check::Number(numbers) => numbers
                        .terms
                        .iter()
                        .any(|(_, term)| matches!(term, Term::KingFile(_) | Term::KingRank(_))),
                    Check::Event(_)
                    | Check::Threat
                    | Check::ToMove(_)
                    | Check::Mover(_)
                    | Check::From(_)
                    | Check::To(_)
                    | Check::TookAt(_)
                    | Check::Piece(_)
                    | Check::Took(_)
                    | Check::Board(_) => false,
                };
            }
            Local::All(parts) | Local::Any(parts) => parts.iter().for_each(|part| self.add(part)),
            Local::Not(part) => self.add(part),
        }
    }
}
