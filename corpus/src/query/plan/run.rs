//! A question asked of a game.

use tafl_rules::{BySide, Cell, Piece, Role, Side};

use super::Plan;
use super::test::{BoardTest, CellTables, Check};
use super::tree::{Local, Node};
use crate::moment::{Content, Moment};
use crate::pattern::slide::{Fitting, Slide};
use crate::query::GameTruth;
use crate::query::hit::Hit;
use crate::query::number::Term;
use crate::query::plies::{Holds, Plies};
use crate::query::token::n_pieces;
use crate::tape::{BLOCK, Player, TapeError};

/// What tests know of a game besides the moment.
pub(super) struct State<'p> {
    pub(super) tables: &'p CellTables,
    boards: &'p [BoardTest],
    fitting: Vec<Fitting>,
    truth: Vec<bool>,
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

/// Finds the hits in some blocks of a game whose moments show by themselves whether they are hits.
pub(super) fn run_in(
    plan: &Plan,
    (player, blocks): (&mut Player<'_>, &dyn Fn(u32) -> bool),
    truth: &dyn GameTruth,
    hits: &mut Vec<Hit>,
) -> Result<(), TapeError> {
    let Node::Local(_, local) = &plan.root else { return run(plan, player, truth, hits) };
    if plan.is_about_games {
        return run(plan, player, truth, hits);
    }
    let truth: Vec<bool> = (0..plan.n_conditions).map(|number| truth.holds(number)).collect();
    let mut state = State::new(plan, player, truth);
    let Some(last) = (0..=state.n_plies / BLOCK).rev().find(|block| blocks(*block)) else { return Ok(()) };
    let mut is_in = blocks(0);
    loop {
        let moment = player.moment();
        if is_in && holds(local, &state, moment) {
            hits.push(Hit { ply: moment.ply, placement: None });
        }
        let next = moment.ply + 1;
        if next.is_multiple_of(BLOCK) {
            if next / BLOCK > last {
                return Ok(());
            }
            is_in = blocks(next / BLOCK);
        }
        if !player.advance()? {
            return Ok(());
        }
        state.advance(player.moment());
    }
}

/// Finds the hits in a game.
pub(super) fn run(
    plan: &Plan,
    player: &mut Player<'_>,
    truth: &dyn GameTruth,
    hits: &mut Vec<Hit>,
) -> Result<(), TapeError> {
    let truth: Vec<bool> = (0..plan.n_conditions).map(|number| truth.holds(number)).collect();
    let bounds = plan.root.bounds(&truth);
    if !bounds.can_hold {
        return Ok(());
    }
    if plan.is_about_games && !bounds.can_fail {
        hits.push(Hit { ply: 0, placement: None });
        return Ok(());
    }
    let mut locals: Vec<(usize, &Local)> = Vec::new();
    plan.root.each_local(&mut |number, local| locals.push((number, local)));
    locals.sort_by_key(|(number, _)| *number);
    let mut sets = vec![Plies::default(); locals.len()];
    let mut state = State::new(plan, player, truth);
    loop {
        let moment = player.moment();
        for ((_, local), set) in locals.iter().zip(&mut sets) {
            set.push(holds(local, &state, moment));
        }
        if !player.advance()? {
            break;
        }
        state.advance(player.moment());
    }
    let len = state.n_plies as usize + 1;
    let found = moments_of(&plan.root, &sets, len);
    let placement = None;
    if plan.is_about_games {
        hits.extend((!found.is_empty()).then_some(Hit { ply: 0, placement }));
    } else {
        hits.extend(found.iter().map(|ply| Hit { ply: ply as u32, placement }));
    }
    Ok(())
}

/// Returns whether what one moment shows holds there.
#[inline]
fn holds(local: &Local, state: &State<'_>, moment: &Moment) -> bool {
    match local {
        Local::Constant(holds) => *holds,
        Local::Game(number) => state.truth[*number],
        Local::Check(check) => check.holds(state, moment),
        Local::All(parts) => parts.iter().all(|part| holds(part, state, moment)),
        Local::Any(parts) => parts.iter().any(|part| holds(part, state, moment)),
        Local::Not(part) => !holds(part, state, moment),
    }
}

/// Returns the moments at which a part of a question holds.
fn moments_of(node: &Node, sets: &[Plies], len: usize) -> Plies {
    let joined = |parts: &[Node], join: fn(&mut Plies, &Plies)| {
        let mut parts = parts.iter().map(|part| moments_of(part, sets, len));
        let mut all = parts.next().expect("a list of parts is never empty");
        parts.for_each(|part| join(&mut all, &part));
        all
    };
    let always = |holds: bool| Plies::constant(Holds::when(holds), len);
    match node {
        Node::Local(number, _) => sets[*number].clone(),
        Node::All(parts) => joined(parts, Plies::and),
        Node::Any(parts) => joined(parts, Plies::or),
        Node::Not(part) => {
            let mut moments = moments_of(part, sets, len);
            moments.invert();
            moments
        }
        Node::Then(first, last, within) => {
            let mut moments = moments_of(first, sets, len).after(*within);
            moments.and(&moments_of(last, sets, len));
            moments
        }
        Node::Before(first, last, within) => {
            let mut moments = moments_of(last, sets, len).before(*within);
            moments.and(&moments_of(first, sets, len));
            moments
        }
        Node::Ever(part) => always(!moments_of(part, sets, len).is_empty()),
        Node::Never(part) => always(moments_of(part, sets, len).is_empty()),
        Node::Count(part, comparison, number) => {
            always(comparison.holds(moments_of(part, sets, len).count(), *number))
        }
        Node::First(part) => {
            let moments = moments_of(part, sets, len);
            moments.only(moments.first())
        }
        Node::Last(part) => {
            let moments = moments_of(part, sets, len);
            moments.only(moments.last())
        }
    }
}

impl<'p> State<'p> {
    fn new(plan: &'p Plan, player: &Player<'_>, truth: Vec<bool>) -> State<'p> {
        let moment = player.moment();
        let mut state = State {
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
    fn advance(&mut self, moment: &Moment) {
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
