//! Explanations of a ply: the rule by which each piece was captured, with its captors, and the
//! cells that show why the game ended.

mod cells;

use crate::any::with_state;
use crate::bitboard::Bitboard;
use crate::cell_set::CellSet;
use crate::game::{Game, Ply};
use crate::illegal::{IllegalMove, describe_piece};
use crate::moves::Move;
use crate::outcome::{Outcome, Reason};
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::rulebook::{Cover, Rulebook};
use crate::ruleset::ZoneKind;
use crate::shape::{Cell, Shape};
use crate::side::Side;
use crate::wording::word_list;

/// The effects of a move, with reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The ply.
    pub ply: Ply,
    /// The piece that moved.
    pub piece: Piece,
    /// The reason for each capture, in ascending order of cells.
    pub captures: Vec<CaptureCause>,
    /// The reason for the end of the game, if it ended.
    pub end: Option<EndCause>,
}

/// The reason for a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureCause {
    /// The cell of the captured piece.
    pub cell: Cell,
    /// The captured piece.
    pub piece: Piece,
    /// The rule and the cells involved.
    pub cause: Cause,
}

/// The rule by which a piece was captured and the cells involved.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// Between the piece that moved and the cell opposite.
    Custodial {
        /// The opposite cell.
        across: Captor,
    },
    /// Between the piece that moved and the hostile edge of the board.
    Edge,
    /// A king with hostile cells around him.
    Surrounded {
        /// The other captors, besides the piece that moved.
        captors: Vec<Captor>,
    },
    /// A king between two commanders, or between a commander and a corner.
    Pierced {
        /// The opposite cell.
        across: Captor,
    },
    /// A Linnaean capture: against the throne, on which the king has attackers on his other sides.
    Linnaean {
        /// The throne.
        throne: Cell,
    },
    /// On the corner of a hexagonal board, between pieces on both neighboring rim cells.
    HexCorner {
        /// The rim cell that the moving piece did not move to.
        other: Cell,
    },
    /// In a row captured by a shieldwall.
    Shieldwall {
        /// The row.
        row: CellSet,
        /// The pieces in front of the row.
        front: CellSet,
        /// The cells that close the ends of the row.
        ends: CellSet,
    },
    /// Jumped over.
    Jumped,
}

/// A cell that takes part in a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captor {
    /// The cell.
    pub cell: Cell,
    /// The piece on the cell; `None` for an empty hostile cell.
    pub piece: Option<Piece>,
    /// The kind of special cell, if the cell is hostile rather than the piece on it.
    pub zone: Option<ZoneKind>,
}

/// The reason for the end of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndCause {
    /// The end.
    pub outcome: Outcome,
    /// The cells that show it, with their meaning.
    pub cells: Vec<(Cell, EndCell)>,
}

/// The meaning of a cell for the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndCell {
    /// The king's cell.
    King,
    /// A cell inside the exit fort.
    Inside,
    /// A defender in the wall of the fort.
    Wall,
    /// An attacker in the ring.
    Ring,
}

/// Returns the effects that a move would have in a game, with reasons.
///
/// # Errors
///
/// Returns the rule that forbids the move.
///
/// # Examples
///
/// ```
/// use tafl_rules::{AnyRulebook, Game, RuleSet, explain_ply};
///
/// let rules: RuleSet = "dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse()?;
/// let mut game = Game::new(&AnyRulebook::compile(&rules)?);
/// for text in ["f4-f5", "d3-c3", "f5-e5", "c3-b3", "b4-b5", "b3-b2"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// let explanation = explain_ply(&game, game.parse_move("b5-c5")?)?;
/// assert_eq!(explanation.captures.len(), 1);
/// println!("{}", explanation.lines(game.shape()).join("\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain_ply(game: &Game, mv: Move) -> Result<Explanation, IllegalMove> {
    let mut after = game.clone();
    let ply = after.play(mv)?;
    let piece = game.piece(mv.from).ok_or(IllegalMove::NoPiece)?;
    let captures = with_state!(game.state(), state => state.book.capture_causes(&state.pos, mv, piece));
    let end = ply.outcome.map(|outcome| EndCause {
        outcome,
        cells: with_state!(after.state(), state => state.book.end_cells(&state.pos, outcome)),
    });
    Ok(Explanation { ply, piece, captures, end })
}

impl Explanation {
    /// Returns the explanation as sentences without initial capital and final period: one for each
    /// capture, one if the piece moves again, and one for the end of the game.
    pub fn lines(&self, shape: Shape) -> Vec<String> {
        let captures = self.captures.iter().map(|capture| capture.describe(shape, self.ply.mv, self.piece));
        let goes_on = self.ply.goes_on.then(|| format!("the {} moves again", self.piece.role.as_str()));
        captures.chain(goes_on).chain(self.end.iter().map(|end| end.describe(shape, &self.ply))).collect()
    }
}

impl CaptureCause {
    /// Returns the reason for the capture as a sentence.
    pub fn describe(&self, shape: Shape, mv: Move, mover: Piece) -> String {
        let victim = format!("the {} on `{}` falls", describe_piece(self.piece), shape.name(self.cell));
        let by = format!("the {} on `{}`", mover.role.as_str(), shape.name(mv.to));
        match &self.cause {
            Cause::Custodial { across } => format!("{victim} between {by} and {}", across.describe(shape)),
            Cause::Edge => format!("{victim} between {by} and the hostile edge"),
            Cause::Pierced { across } => {
                format!("{victim} between {by} and {}: commanders pierce a king", across.describe(shape))
            }
            Cause::Surrounded { captors } => {
                let others: Vec<String> = captors.iter().map(|captor| captor.describe(shape)).collect();
                format!("{victim}: surrounded by {by} and {}", list_or_nothing(&others))
            }
            Cause::Linnaean { throne } => format!(
                "{victim} between {by} and the king on the throne `{}`, whose other neighbors are attackers (Linnaean capture)",
                shape.name(*throne)
            ),
            Cause::HexCorner { other } => {
                format!(
                    "{victim} on the corner between {by} and the piece on `{}` on the rim",
                    shape.name(*other)
                )
            }
            Cause::Shieldwall { row, front, ends } => format!(
                "{victim} in the shieldwall {}: faced from {}, closed at {}",
                names(shape, row),
                names(shape, front),
                names(shape, ends)
            ),
            Cause::Jumped => format!("{victim} because {by} jumped over it"),
        }
    }
}

impl Captor {
    fn describe(&self, shape: Shape) -> String {
        let name = shape.name(self.cell);
        match (self.piece, self.zone) {
            (Some(piece), Some(ZoneKind::Throne)) if piece.role == Role::King => {
                format!("the throne `{name}`, hostile with the king on it")
            }
            (Some(_), Some(zone)) => format!("the {} `{name}`", zone.as_str()),
            (Some(piece), None) => format!("the {} on `{name}`", piece.role.as_str()),
            (None, Some(zone)) => format!("the empty {} `{name}`", zone.as_str()),
            (None, None) => format!("`{name}`"),
        }
    }
}

impl EndCause {
    /// Returns the reason for the end of the game as a sentence.
    pub fn describe(&self, shape: Shape, ply: &Ply) -> String {
        let of = |wanted: EndCell| {
            let cells: CellSet =
                self.cells.iter().filter(|(_, what)| *what == wanted).map(|(cell, _)| *cell).collect();
            names(shape, &cells)
        };
        let loser = self.outcome.winner.map(Side::other);
        let why = match self.outcome.reason {
            Reason::KingCaptured => "the king is captured".to_owned(),
            Reason::KingReachedGoal => format!("the king has reached {}", of(EndCell::King)),
            Reason::ExitFort => format!(
                "exit fort: the king on {} can move inside ({}), and no defender of the wall ({}) can be captured",
                of(EndCell::King),
                of(EndCell::Inside),
                of(EndCell::Wall)
            ),
            Reason::Encirclement => {
                format!("all defenders are enclosed by the attackers on {}", of(EndCell::Ring))
            }
            Reason::NoLegalMove => match loser {
                Some(loser) => format!("the {loser} have no legal move"),
                None => format!("the {} have no legal move", ply.side.other()),
            },
            Reason::AllCaptured => match loser {
                Some(loser) => format!("the {loser} have lost all their pieces"),
                None => "all pieces of one side are captured".to_owned(),
            },
            Reason::Repetition => match ply.repetition {
                Some(hit) => {
                    format!("repetition, occurrence {} (rule `{}`)", hit.occurrences, hit.rule)
                }
                None => "repetition".to_owned(),
            },
            Reason::PlyLimit => "the limit of plies is reached".to_owned(),
            Reason::Resignation
            | Reason::Timeout
            | Reason::Agreement
            | Reason::Adjudication
            | Reason::Unfinished
            | Reason::Unknown => self.outcome.reason.to_string(),
        };
        match self.outcome.winner {
            Some(side) => format!("the {side} win: {why}"),
            None => format!("drawn: {why}"),
        }
    }
}

fn names(shape: Shape, cells: &CellSet) -> String {
    let names: Vec<String> = cells.iter().map(|cell| format!("`{}`", shape.name(cell))).collect();
    list_or_nothing(&names)
}

fn list_or_nothing(words: &[String]) -> String {
    if words.is_empty() { "nothing".to_owned() } else { word_list(words, "and") }
}

impl<const N: usize> Rulebook<N> {
    /// Returns the reason for each capture by a legal move in the position before it.
    fn capture_causes(&self, before: &Position<N>, mv: Move, piece: Piece) -> Vec<CaptureCause> {
        let jumped = self.jumped(before, mv, piece);
        let mut pos = *before;
        pos.shift(mv.from, mv.to, piece);
        self.captures(&pos, mv, piece, jumped)
            .iter()
            .map(|cell| {
                let victim = self.piece_of(&pos, piece.side.other(), cell);
                let cause = self.cause(&pos, mv, piece, cell, victim).unwrap_or(Cause::Jumped);
                CaptureCause { cell, piece: victim, cause }
            })
            .collect()
    }

    /// Returns the first rule by which a piece is captured, or `None` if it was jumped over.
    pub(crate) fn cause(
        &self,
        pos: &Position<N>,
        mv: Move,
        mover: Piece,
        cell: Cell,
        victim: Piece,
    ) -> Option<Cause> {
        let beside = self.topology.across(mv.to).iter().find(|across| across.near == cell);
        if let Some(across) = beside {
            if self.dux.contains(victim) {
                let others = self.dux_captors(pos, cell, mv.to, mover)?.without(Bitboard::of(mv.to));
                return Some(Cause::Surrounded {
                    captors: others.iter().map(|cell| self.captor(pos, cell, mover.side)).collect(),
                });
            }
            if !self.men.contains(victim) {
                return self.king_cause(pos, mv.to, mover, cell);
            }
            match across.far {
                Some(far)
                    if self.anvils_of(pos, mover.side).contains(far)
                        || self.hostile_ground(pos, victim).contains(far) =>
                {
                    return Some(Cause::Custodial { across: self.captor(pos, far, mover.side) });
                }
                Some(far) if self.rules().linnaean && self.linnaean(pos, mv.to, mover).contains(cell) => {
                    return Some(Cause::Linnaean { throne: far });
                }
                None if self.rules().edge_hostile.contains(victim) => return Some(Cause::Edge),
                Some(_) | None => {}
            }
        }
        let wall = self.walls(pos, mv.to, mover).into_iter().find(|wall| wall.men.contains(cell));
        if let Some(wall) = wall {
            return Some(Cause::Shieldwall {
                row: wall.row.into(),
                front: wall.front.into(),
                ends: wall.ends.into(),
            });
        }
        let on_corner = self.on_hex_corners(pos, mv.to, mover).contains(cell);
        let pair = self.rim_pairs[mv.to.index()].iter().find(|(corner, _)| *corner == cell && on_corner);
        pair.map(|(_, other)| Cause::HexCorner { other: *other })
    }

    fn king_cause(&self, pos: &Position<N>, to: Cell, mover: Piece, king: Cell) -> Option<Cause> {
        let set = self.king_captors(pos, king, to, mover)?;
        let others = set.cells.without(Bitboard::of(to));
        let captors: Vec<Captor> = others.iter().map(|cell| self.captor(pos, cell, mover.side)).collect();
        Some(match (set.cover, captors.as_slice()) {
            (Cover::Piercing, [across]) => Cause::Pierced { across: *across },
            (Cover::Hostile, [across]) => Cause::Custodial { across: *across },
            (Cover::Hostile, []) => Cause::Edge,
            (Cover::Hostile | Cover::Pieces | Cover::Piercing, _) => Cause::Surrounded { captors },
        })
    }

    /// Returns a cell that takes part in a capture by `by`, either because of the piece on it or
    /// because the cell itself is hostile.
    fn captor(&self, pos: &Position<N>, cell: Cell, by: Side) -> Captor {
        let is_anvil = self.anvils_of(pos, by).contains(cell);
        Captor { cell, piece: pos.piece(cell), zone: self.rules().zones.kind_at(cell).filter(|_| !is_anvil) }
    }

    /// Returns the cells that show why a game ended, from the position after the last move.
    fn end_cells(&self, pos: &Position<N>, outcome: Outcome) -> Vec<(Cell, EndCell)> {
        let named = |cells: Bitboard<N>, what: EndCell| cells.iter().map(move |cell| (cell, what)).collect();
        let kings = |side: Side| pos.kings() & pos.side(side);
        match outcome.reason {
            Reason::KingReachedGoal => {
                let side = outcome.winner.unwrap_or(Side::Defenders);
                named(kings(side) & self.goals[side], EndCell::King)
            }
            Reason::ExitFort => {
                let Some(fort) = self.exit_fort(pos) else { return Vec::new() };
                let king = fort.inside & kings(Side::Defenders);
                let mut cells: Vec<(Cell, EndCell)> = named(king, EndCell::King);
                let inside: Vec<(Cell, EndCell)> = named(fort.inside.without(king), EndCell::Inside);
                let wall: Vec<(Cell, EndCell)> = named(fort.wall, EndCell::Wall);
                cells.extend(inside.into_iter().chain(wall));
                cells
            }
            Reason::Encirclement => named(self.ring(pos), EndCell::Ring),
            Reason::KingCaptured
            | Reason::NoLegalMove
            | Reason::AllCaptured
            | Reason::Repetition
            | Reason::Resignation
            | Reason::Timeout
            | Reason::Agreement
            | Reason::Adjudication
            | Reason::PlyLimit
            | Reason::Unfinished
            | Reason::Unknown => Vec::new(),
        }
    }
}
