//! The probability of a move of a person who looks one move ahead: the model that orders the best repairs.
//!
//! Unlike [`super::move_model`], it sees what the opponent can capture after the move and what the move threatens. This takes
//! some milliseconds for a position, so only the positions in which the best repairs differ are examined.

use tafl_rules::{AnyRulebook, Cell, CellSet, Game, Move, RepetitionMode, Role, Setup, Side};

use super::move_model::distance;

/// The number of features of a move.
const N_FEATURES: usize = 34;

/// The weight of a move that wins at once. A choice, not fitted: nearly every player makes it, and the record of a game that is won
/// ends with it.
const WIN: f64 = 5.0;

// The weights of the features, for sides without and with a king: conditional logit models of 13,856 moves of half of the
// recorded games, each compared with the legal moves after which the rest of the game could be played as well. In the other
// half, the played move is the most probable one in 50 % of the cases with several such moves, in 48 % with common weights for
// both sides, and in 47 % without the last eight features.

/// The weights of a side without a king.
const WEIGHTS_WITHOUT_KING: [f64; N_FEATURES] = [
    2.90, 0.29, 0.0, 0.39, -0.50, 1.00, 0.28, 0.63, 0.28, -1.62, 0.72, 0.38, 2.99, -0.85, -0.78, -1.30, 0.32,
    0.28, -1.57, 1.07, 0.64, -1.94, -0.75, -1.62, 0.09, WIN, 0.0, 0.57, 1.48, -0.25, -1.84, 0.0, 0.47, 1.17,
];

/// The weights of a side with a king. Those that concern an enemy king, which is rare, are those of the other side.
const WEIGHTS_WITH_KING: [f64; N_FEATURES] = [
    2.87, -0.17, 3.19, 0.52, -0.02, 0.34, 0.88, 0.28, 0.45, -1.63, 0.36, 0.41, 2.99, -0.42, -0.33, 0.66,
    0.11, 0.38, -0.77, 3.15, 0.83, -0.81, -1.33, -1.62, 0.77, WIN, 0.35, -0.10, 2.03, 0.22, -1.84, 0.46,
    0.54, 1.17,
];

/// The moves around a move, as far as they are known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct PlayContext {
    /// The previous move of the same side.
    pub(super) own_before: Option<Move>,
    /// The previous move of the other side.
    pub(super) other_before: Option<Move>,
    /// The next move of the other side.
    pub(super) other_after: Option<Move>,
    /// The next move of the same side.
    pub(super) own_after: Option<Move>,
}

/// A position with what each side can do in it.
struct Outlook<'g> {
    game: &'g Game,
    book: &'g AnyRulebook,
    setup: Setup,
    side: Side,
    /// The pieces of the side to move that the other side could capture if it were to move.
    endangered: Vec<Cell>,
    /// The pieces of the other side that the side to move can capture.
    capturable: Vec<Cell>,
    /// The prospects of the own kings and of those of the other side, if they were to move.
    own_kings: KingProspects,
    other_kings: KingProspects,
    /// The goals of the other side's kings.
    other_goals: Vec<Cell>,
    /// Whether one of these kings reaches its goal with two moves in succession.
    has_other_goal_in_two: bool,
    context: PlayContext,
}

/// The possibilities of the kings of the side to move.
#[derive(Debug, Clone, Copy, Default)]
struct KingProspects {
    /// Whether one reaches its goal with the next move.
    has_open_goal: bool,
    /// The logarithm of the number of their moves and one.
    mobility: f64,
}

impl KingProspects {
    fn new(game: &Game) -> KingProspects {
        let n_targets = king_moves(game).len();
        KingProspects { has_open_goal: has_open_goal(game), mobility: (1.0 + n_targets as f64).ln() }
    }
}

/// Returns the cells of the kings of a side.
fn kings_of(setup: &Setup, side: Side) -> impl Iterator<Item = Cell> {
    let is_king = move |piece: tafl_rules::Piece| piece.role == Role::King && piece.side == side;
    setup.pieces().filter(move |(_, piece)| is_king(*piece)).map(|(cell, _)| cell)
}

/// Returns the moves of the kings of the side to move.
fn king_moves(game: &Game) -> Vec<Move> {
    let of_king =
        |from: Cell| game.targets(from).iter().map(move |to| Move::new(from, to)).collect::<Vec<_>>();
    kings_of(&game.setup(), game.to_move()).flat_map(of_king).collect()
}

impl<'g> Outlook<'g> {
    fn new(game: &'g Game, book: &'g AnyRulebook, context: PlayContext) -> Outlook<'g> {
        let other = with_side(game, book, game.to_move().other());
        let other_goals = book.rules().goal_cells(game.to_move().other());
        Outlook {
            game,
            book,
            setup: game.setup(),
            side: game.to_move(),
            endangered: other.as_ref().map_or_else(Vec::new, capturable),
            capturable: capturable(game),
            own_kings: KingProspects::new(game),
            other_kings: other.as_ref().map_or_else(KingProspects::default, KingProspects::new),
            has_other_goal_in_two: other.is_some_and(|other| reaches_in_two(&other, book, &other_goals)),
            other_goals,
            context,
        }
    }

    /// Returns the features of a legal move.
    fn features(&self, mv: Move) -> [f64; N_FEATURES] {
        let shape = self.game.shape();
        let (from, to) = (shape.coord(mv.from), shape.coord(mv.to));
        let mut after = self.game.clone();
        let played = after.play(mv).ok();
        let n_captured = played.as_ref().map_or(0, |ply| ply.captured.len());
        let wins = played.and_then(|ply| ply.outcome).is_some_and(|end| end.winner == Some(self.side));
        after.clear_outcome();
        let moved = self.setup.piece(mv.from);
        let neighbors = self.neighbors(mv);
        let context = &self.context;
        let is_near = |other: Option<Move>, max_distance: i16| {
            other.is_some_and(|other| distance(shape.coord(other.to), to) <= max_distance)
        };
        let is_king = |piece: tafl_rules::Piece| piece.role == Role::King;
        let king = self.setup.pieces().find(|(cell, piece)| is_king(*piece) && *cell != mv.from);
        let king = king.map(|(cell, _)| shape.coord(cell));
        let approach = king.map_or(0, |king| distance(from, king) - distance(to, king));
        let exposed = capturable(&after);
        let own_next = with_side(&after, self.book, self.side);
        let threatened = own_next.as_ref().map_or_else(Vec::new, capturable);
        let own_kings = own_next.map_or_else(KingProspects::default, |game| KingProspects::new(&game));
        let other_kings = KingProspects::new(&after);
        let lets_escape = other_kings.has_open_goal;
        let prevents = |before: bool, after: bool| match (before, after) {
            (_, true) => -1.0,
            (true, false) => 1.0,
            (false, false) => 0.0,
        };
        let still_threatened = context.other_after.and_then(|reply| self.threatened_after(&after, reply));
        let is_answered =
            |threat: &Cell| still_threatened.as_ref().is_some_and(|still| !still.contains(threat));
        let flees = |reply: Move| threatened.contains(&reply.from) && is_answered(&reply.to);
        let (was_exposed, is_exposed) = (self.endangered.contains(&mv.from), exposed.contains(&mv.to));
        let n_others =
            |cells: &[Cell], cell: Cell| cells.iter().filter(|other| **other != cell).count() as f64;
        let captures_none =
            |game: &Game, next: Move| game.clone().play(next).is_ok_and(|ply| ply.captured.is_empty());
        let misses_capture = |game: &Game, next: Option<Move>| {
            let is_missed = next.is_some_and(|next| captures_none(game, next));
            is_missed && !capturable(game).is_empty()
        };
        let reply_misses =
            !exposed.is_empty() && context.other_after.is_some_and(|next| captures_none(&after, next));
        let next_misses = context.other_after.is_some_and(|reply| {
            let mut game = after.clone();
            let is_played = game.play(reply).is_ok();
            game.clear_outcome();
            is_played && misses_capture(&game, context.own_after)
        });
        let last = shape.n_ranks() - 1;
        let from_corner = to.file.min(last - to.file) + to.rank.min(last - to.rank);
        let from_center = (2 * to.file - last).abs().max((2 * to.rank - last).abs());
        let is_on_line = context.other_after.is_some_and(|next| {
            let next = shape.coord(next.to);
            next.file == to.file || next.rank == to.rank
        });
        let length = distance(from, to);
        let flag = |is_so: bool| if is_so { 1.0 } else { 0.0 };
        [
            flag(n_captured > 0),
            flag(n_captured > 1),
            flag(moved.is_some_and(is_king)),
            flag(neighbors.enemies > 0.0),
            neighbors.friends,
            flag(is_near(context.other_before, 2)),
            flag(is_near(context.other_after, 2)),
            f64::from(approach.signum()),
            flag(is_near(context.other_before, 1)),
            flag(is_exposed),
            flag(was_exposed && !is_exposed),
            (threatened.len() as f64).min(3.0),
            prevents(self.other_kings.has_open_goal, lets_escape),
            flag(length == 1),
            f64::from(length).ln(),
            flag(from_corner <= 1),
            flag(king.is_some_and(|king| distance(king, to) <= 2)),
            flag(is_near(context.own_after, 2)),
            n_others(&exposed, mv.to) - n_others(&self.endangered, mv.from),
            f64::from(from_center) / f64::from(last.max(1)),
            flag(is_on_line),
            flag(reply_misses),
            flag(next_misses),
            flag(lets_escape && context.other_after.is_some()),
            flag(king.is_some_and(|king| distance(king, from) <= 2)),
            flag(wins),
            flag(own_kings.has_open_goal),
            flag(context.other_after.is_some_and(flees)),
            flag(threatened.iter().any(|cell| !self.capturable.contains(cell) && is_answered(cell))),
            flag(threatened.iter().any(is_answered)),
            other_kings.mobility - self.other_kings.mobility,
            own_kings.mobility - self.own_kings.mobility,
            flag(is_near(context.own_after, 1)),
            prevents(self.has_other_goal_in_two, reaches_in_two(&after, self.book, &self.other_goals)),
        ]
    }

    /// Returns the pieces of the other side that this side can capture after a reply; `None` if the reply is illegal.
    fn threatened_after(&self, game: &Game, reply: Move) -> Option<Vec<Cell>> {
        let mut game = game.clone();
        game.play(reply).ok()?;
        game.clear_outcome();
        if game.to_move() == self.side {
            return Some(capturable(&game));
        }
        with_side(&game, self.book, self.side).as_ref().map(capturable)
    }

    /// Returns the numbers of enemies and friends beside the end of a move.
    fn neighbors(&self, mv: Move) -> NeighborCounts {
        let mut counts = NeighborCounts::default();
        let beside = self.game.shape().neighbors(mv.to).filter(|near| *near != mv.from);
        for piece in beside.filter_map(|near| self.setup.piece(near)) {
            *if piece.side == self.side { &mut counts.friends } else { &mut counts.enemies } += 1.0;
        }
        counts
    }
}

fn with_side(game: &Game, book: &AnyRulebook, side: Side) -> Option<Game> {
    Game::from_setup(book, &game.setup(), side, RepetitionMode::Report).ok()
}

/// Returns the cells with pieces that the side to move can capture.
fn capturable(game: &Game) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for captured in captures(game) {
        let new: Vec<Cell> = captured.iter().filter(|cell| !cells.contains(cell)).collect();
        cells.extend(new);
    }
    cells
}

/// Returns the captures of each move that captures.
fn captures(game: &Game) -> impl Iterator<Item = CellSet> {
    let (shape, side, setup) = (game.shape(), game.to_move(), game.setup());
    game.moves().into_iter().filter_map(move |mv| {
        let is_enemy = |cell: Cell| setup.piece(cell).is_some_and(|piece| piece.side != side);
        let is_beside = shape.neighbors(mv.to).any(is_enemy);
        let ply = is_beside.then(|| game.clone().play(mv).ok()).flatten()?;
        (!ply.captured.is_empty()).then_some(ply.captured)
    })
}

/// Returns whether the side to move can capture a piece.
pub(super) fn can_capture(game: &Game) -> bool {
    captures(game).next().is_some()
}

/// Returns whether a king of the side to move wins with its next move.
fn has_open_goal(game: &Game) -> bool {
    let side = game.to_move();
    let wins = |mv: Move| {
        let played = game.clone().play(mv);
        played.is_ok_and(|ply| ply.outcome.is_some_and(|end| end.winner == Some(side)))
    };
    king_moves(game).into_iter().any(wins)
}

/// Returns whether a king of the side to move reaches one of these cells with two moves in succession.
fn reaches_in_two(game: &Game, book: &AnyRulebook, goals: &[Cell]) -> bool {
    let reaches_next = |mv: Move| {
        let mut next = game.clone();
        let is_played = next.play(mv).is_ok();
        next.clear_outcome();
        let next = is_played.then(|| with_side(&next, book, game.to_move())).flatten();
        next.is_some_and(|next| next.targets(mv.to).iter().any(|to| goals.contains(&to)))
    };
    !goals.is_empty() && king_moves(game).into_iter().any(reaches_next)
}

/// The probabilities of the legal moves of a position.
#[derive(Debug)]
pub(super) struct MoveOdds {
    moves: Vec<MoveLogOdds>,
}

/// A legal move with the logarithm of its probability, relative to that of a random move.
#[derive(Debug, Clone, Copy)]
struct MoveLogOdds {
    mv: Move,
    log_odds: f64,
}

/// The numbers of pieces beside a cell.
#[derive(Debug, Clone, Copy, Default)]
struct NeighborCounts {
    enemies: f64,
    friends: f64,
}

impl MoveOdds {
    /// Compares the legal moves of a position.
    pub(super) fn new(game: &Game, book: &AnyRulebook, context: PlayContext) -> MoveOdds {
        let mut game = game.clone();
        game.clear_outcome();
        let outlook = Outlook::new(&game, book, context);
        let has_king = kings_of(&outlook.setup, outlook.side).next().is_some();
        let weights = if has_king { WEIGHTS_WITH_KING } else { WEIGHTS_WITHOUT_KING };
        let score = |mv: Move| -> f64 {
            outlook.features(mv).iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
        };
        let mut moves: Vec<MoveLogOdds> =
            game.moves().into_iter().map(|mv| MoveLogOdds { mv, log_odds: score(mv) }).collect();
        let max = moves.iter().map(|own| own.log_odds).fold(f64::MIN, f64::max);
        let sum: f64 = moves.iter().map(|own| (own.log_odds - max).exp()).sum();
        let mean = (sum / moves.len().max(1) as f64).ln() + max;
        moves.iter_mut().for_each(|own| own.log_odds -= mean);
        MoveOdds { moves }
    }

    /// Returns the logarithm of the probability of a move, relative to that of a random move; 0 for an illegal one.
    pub(super) fn of(&self, mv: Move) -> f64 {
        self.moves.iter().find(|own| own.mv == mv).map_or(0.0, |own| own.log_odds)
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::RuleSet;

    use super::*;

    fn odds_after(moves: &str) -> (Game, MoveOdds) {
        let book = AnyRulebook::compile(&RuleSet::named("brandubh7").unwrap()).unwrap();
        let mut game = Game::new(&book);
        for mv in moves.split_whitespace() {
            game.play(game.parse_move(mv).unwrap()).unwrap();
        }
        let odds = MoveOdds::new(&game, &book, PlayContext::default());
        (game, odds)
    }

    #[test]
    fn odds_are_relative_to_a_random_move() {
        let (game, odds) = odds_after("d1-f1 d3-a3");
        let moves = game.moves();
        let mean = moves.iter().map(|mv| odds.of(*mv).exp()).sum::<f64>() / moves.len() as f64;
        assert!((mean - 1.0).abs() < 1e-9, "{mean}");
    }

    #[test]
    fn captures_are_likely_and_exposed_pieces_unlikely() {
        // d2-d3 captures the defender on c3.
        let (game, odds) = odds_after("b4-b3 d3-c3");
        let of = |mv: &str| odds.of(game.parse_move(mv).unwrap());
        let captures = captures(&game).count();
        assert!(captures > 0, "{game}");
        let best =
            game.moves().into_iter().max_by(|one, other| odds.of(*one).total_cmp(&odds.of(*other))).unwrap();
        assert!(game.clone().play(best).is_ok_and(|ply| !ply.captured.is_empty()), "{best:?}");
        assert!(of("d1-c1") < odds.of(best));
        assert!(can_capture(&game) && !capturable(&game).is_empty());
    }
}
