//! Boards, and positions with their pieces, legal moves, and history.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use taflbase::reports::board::{BoardLayout, Zones};
use taflbase::rules::{
    Cell, CellSet, Facts, Game, KingStatus, Piece, PieceSet, Ply, RuleSet, Setup, Shape, Side, explain_ply,
    rules_sheet,
};

use taflbase::{CompiledVariant, PlayedPosition, PositionRequest, RulesRequest};

use crate::api_error::ApiError;
use crate::request::ApiRequest;
use crate::routes::{Endpoint, Reply, Work};

impl Endpoint for RulesRequest {
    const NAME: &'static str = "board";
    const PATH: &'static str = "/api/board";
    const SUMMARY: &'static str =
        "The board of some rules: where its cells are, what they are, the start, the rules in words.";
    const WORK: Work = Work::Quick;
    type Answer = Board;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&board(&*self.require(&request.snapshot.app)?)))
    }
}

impl Endpoint for PositionRequest {
    const NAME: &'static str = "position";
    const PATH: &'static str = "/api/position";
    const SUMMARY: &'static str = "A position: its pieces, the legal moves, and what led there.";
    const WORK: Work = Work::Quick;
    type Answer = Position;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&position(&self.play(&request.snapshot.app)?)))
    }
}

/// A board and the rules on it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Board {
    /// The name of the variant, if it has one.
    pub(crate) variant: Option<&'static str>,
    /// The title.
    pub(crate) title: String,
    /// The rules string.
    pub(crate) rules: String,
    /// The shape of the board.
    pub(crate) shape: BoardShape,
    /// What the sides are called.
    pub(crate) sides: SideTexts,
    /// The side that moves first.
    pub(crate) first: &'static str,
    /// The cells, with their places in the picture.
    pub(crate) cells: Vec<BoardCell>,
    /// The corners of a cell around its middle.
    pub(crate) polygon: Vec<[f32; 2]>,
    /// The width of the picture.
    pub(crate) width: f32,
    /// The height of the picture.
    pub(crate) height: f32,
    /// The position record of the start.
    pub(crate) start: String,
    /// The rules in sentences.
    pub(crate) rules_words: Vec<String>,
    /// The rules in sentences, by subject.
    pub(crate) rules_sections: Vec<RulesSection>,
}

/// The shape of a board.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BoardShape {
    /// `square` or `hex`.
    pub(crate) kind: &'static str,
    /// `11x11`, `hex5`.
    pub(crate) name: String,
    /// The number of cells along a side.
    pub(crate) side: u8,
}

/// A text for each side.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SideTexts {
    /// The attackers'.
    pub(crate) attackers: &'static str,
    /// The defenders'.
    pub(crate) defenders: &'static str,
}

/// A cell and its place in the picture of its board.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BoardCell {
    /// The name: `d4`.
    pub(crate) name: String,
    /// The middle, from the left.
    pub(crate) x: f32,
    /// The middle, from the top.
    pub(crate) y: f32,
    /// What the cell is: `throne`, `corner`, `camp`, `fort`, `goal`, `stop`.
    pub(crate) marks: Vec<&'static str>,
}

/// The rules about a subject.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RulesSection {
    /// The subject.
    pub(crate) title: &'static str,
    /// The rules.
    pub(crate) sentences: Vec<String>,
}

/// A position, its legal moves, and what led there.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Position {
    /// The name of the rules.
    variant: String,
    /// The position record.
    position: String,
    /// The side to move.
    to_move: &'static str,
    /// The number of plies that were played.
    ply: usize,
    /// The pieces.
    pieces: Vec<PlacedPiece>,
    /// The cells to which each piece can move, by its own cell.
    moves: BTreeMap<String, Vec<String>>,
    /// The plies that were played.
    history: Vec<HistoryPly>,
    /// The last of them.
    last: Option<HistoryPly>,
    /// The number of pieces that each side lost.
    captured: SideCounts,
    /// How the game ended, if it did.
    outcome: Option<PositionOutcome>,
    /// The canonical key of the position: 16 hexadecimal digits.
    key: String,
    /// The state of the kings.
    facts: PositionFacts,
}

/// A piece on its cell.
#[derive(Debug, Serialize, JsonSchema)]
struct PlacedPiece {
    /// The cell.
    cell: String,
    /// The side.
    side: &'static str,
    /// The role.
    role: &'static str,
    /// The letter of position records.
    code: String,
}

/// A ply that led to a position.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct HistoryPly {
    /// The move.
    r#move: String,
    /// The cells of the captured pieces.
    captured: Vec<String>,
    /// The side that moved.
    side: &'static str,
    /// The role of the piece that moved.
    role: Option<&'static str>,
    /// Whether the position was there before.
    repetition: bool,
}

/// A number for each side.
#[derive(Debug, Serialize, JsonSchema)]
struct SideCounts {
    /// The attackers'.
    attackers: usize,
    /// The defenders'.
    defenders: usize,
}

/// How a game ended on the board.
#[derive(Debug, Serialize, JsonSchema)]
struct PositionOutcome {
    /// `attackers`, `defenders` or `draw`.
    winner: &'static str,
    /// The reason.
    reason: &'static str,
    /// The reason in a sentence.
    words: Option<String>,
    /// The cells that show it.
    cells: Vec<String>,
}

/// What is known of a position.
#[derive(Debug, Serialize, JsonSchema)]
struct PositionFacts {
    /// The state of each side's king.
    kings: KingsFacts,
}

/// The state of the kings.
#[derive(Debug, Serialize, JsonSchema)]
struct KingsFacts {
    /// The attackers' king, if there is one.
    attackers: Option<KingFacts>,
    /// The defenders' king.
    defenders: Option<KingFacts>,
}

/// The state of a king.
#[derive(Debug, Serialize, JsonSchema)]
struct KingFacts {
    /// The number of moves of the king alone to the nearest goal.
    distance: u8,
    /// Whether the distance is that or more, or no goal can be reached.
    is_far: bool,
    /// The number of goals to which the king has an open line.
    open_lines: u8,
    /// Whether the enemy, if to move, could capture the king.
    in_danger: bool,
    /// Whether a cordon is closed around the king.
    cordoned: bool,
}

/// Returns the board of some rules.
pub(crate) fn board(rules: &CompiledVariant) -> Board {
    let (variant, rules) = (&rules.variant, &rules.variant.rules);
    let shape = rules.shape();
    let kind = match shape {
        Shape::Square { .. } => "square",
        Shape::Hex { .. } => "hex",
    };
    let (plan, zones) = (BoardLayout::usual(shape), Zones::of(rules));
    let cell = |cell| {
        let (x, y) = plan.middle(cell);
        BoardCell { name: shape.name(cell), x, y, marks: marks(rules, &zones, cell) }
    };
    let sides = variant.sides();
    let sections = rules_sheet(rules, sides);
    Board {
        variant: variant.named.map(|named| named.name),
        title: variant.title(),
        rules: rules.to_string(),
        shape: BoardShape { kind, name: shape.to_string(), side: shape.side() },
        sides: SideTexts { attackers: sides.attackers, defenders: sides.defenders },
        first: rules.first_mover.word(),
        cells: shape.cells().map(cell).collect(),
        polygon: plan.polygon.iter().map(|(x, y)| [*x, *y]).collect(),
        width: plan.width,
        height: plan.height,
        start: rules.start.to_string(),
        rules_words: sections.iter().flat_map(|section| section.sentences.clone()).collect(),
        rules_sections: sections
            .into_iter()
            .map(|section| RulesSection { title: section.title, sentences: section.sentences })
            .collect(),
    }
}

/// Returns what a cell is, besides a cell.
fn marks(rules: &RuleSet, zones: &Zones, cell: Cell) -> Vec<&'static str> {
    // Where not every piece may stop, people see a cell that is closed.
    let is_closed = rules.zones.values().any(|zone| zone.contains(cell) && zone.stop != PieceSet::ALL);
    [
        (zones.cells.throne.contains(&cell), "throne"),
        (zones.cells.corners.contains(&cell), "corner"),
        (zones.cells.camps.contains(&cell), "camp"),
        (zones.cells.forts.contains(&cell), "fort"),
        (zones.goals.contains(&cell), "goal"),
        (is_closed, "stop"),
    ]
    .into_iter()
    .filter_map(|(is_so, word)| is_so.then_some(word))
    .collect()
}

fn position(played: &PlayedPosition) -> Position {
    let game = &played.game;
    let shape = game.shape();
    let setup = game.setup();
    let history = history(played);
    let lost = |side| {
        let n = |setup: &Setup| setup.pieces().filter(|(_, piece)| piece.side == side).count();
        n(&played.start).saturating_sub(n(&setup))
    };
    Position {
        variant: played.rules.variant.name(),
        position: setup.to_string(),
        to_move: game.to_move().word(),
        ply: played.plies.len(),
        pieces: setup.pieces().map(|(cell, piece)| placed_piece(shape, cell, piece)).collect(),
        moves: moves(game),
        last: history.last().cloned(),
        history,
        captured: SideCounts { attackers: lost(Side::Attackers), defenders: lost(Side::Defenders) },
        outcome: outcome(played),
        key: format!("{:016x}", game.canonical_key().0.0),
        facts: PositionFacts { kings: kings_facts(&game.facts()) },
    }
}

fn placed_piece(shape: Shape, cell: Cell, piece: Piece) -> PlacedPiece {
    PlacedPiece {
        cell: shape.name(cell),
        side: piece.side.word(),
        role: piece.role.word(),
        code: piece.letter().to_string(),
    }
}

/// Returns the legal moves by the cell that they begin on; none after an end.
fn moves(game: &Game) -> BTreeMap<String, Vec<String>> {
    let shape = game.shape();
    let mut moves: BTreeMap<String, Vec<String>> = BTreeMap::new();
    if game.outcome().is_some() {
        return moves;
    }
    for mv in game.moves() {
        moves.entry(shape.name(mv.from)).or_default().push(shape.name(mv.to));
    }
    moves
}

/// Returns the plies that led to a position.
fn history(played: &PlayedPosition) -> Vec<HistoryPly> {
    let shape = played.game.shape();
    // The role of a moving piece is known only if the pieces are followed from the start.
    let mut setup = played.start.clone();
    let mut all = Vec::with_capacity(played.plies.len());
    for ply in &played.plies {
        let piece = setup.piece(ply.mv.from);
        all.push(HistoryPly {
            r#move: ply.mv.text(shape),
            captured: names(shape, &ply.captured),
            side: ply.side.word(),
            role: piece.map(|piece| piece.role.word()),
            repetition: ply.repetition.is_some(),
        });
        follow(&mut setup, ply);
    }
    all
}

/// Does on an arrangement what a ply did on the board.
fn follow(setup: &mut Setup, ply: &Ply) {
    let piece = setup.piece(ply.mv.from);
    setup.put(ply.mv.from, None);
    setup.put(ply.mv.to, piece);
    for cell in ply.captured.iter().filter(|cell| *cell != ply.mv.to) {
        let turned = setup
            .piece(cell)
            .filter(|piece| piece.role == taflbase::rules::Role::Mercenary)
            .map(|piece| Piece { side: piece.side.other(), ..piece });
        setup.put(cell, turned);
    }
}

fn names(shape: Shape, cells: &CellSet) -> Vec<String> {
    cells.iter().map(|cell| shape.name(cell)).collect()
}

/// Returns how the game ended, if it did, with the cells that show it.
fn outcome(played: &PlayedPosition) -> Option<PositionOutcome> {
    let outcome = played.game.outcome()?;
    let shape = played.game.shape();
    let last = played.before.as_ref().zip(played.plies.last());
    let explanation = last.and_then(|(before, ply)| explain_ply(before, ply.mv).ok());
    let cells: Vec<String> = explanation
        .as_ref()
        .and_then(|explanation| explanation.end.as_ref())
        .map(|end| end.cells.iter().map(|(cell, _)| shape.name(*cell)).collect())
        .unwrap_or_default();
    let words = explanation.and_then(|explanation| explanation.lines(shape).pop());
    Some(PositionOutcome { winner: outcome.winner_word(), reason: outcome.reason.words(), words, cells })
}

fn kings_facts(facts: &Facts) -> KingsFacts {
    let king = |side: Side| {
        facts.kings[side].map(|king: KingStatus| KingFacts {
            distance: king.distance,
            is_far: king.distance >= KingStatus::FAR,
            open_lines: king.lines,
            in_danger: king.in_danger,
            cordoned: king.cordoned,
        })
    };
    KingsFacts { attackers: king(Side::Attackers), defenders: king(Side::Defenders) }
}
