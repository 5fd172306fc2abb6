//! The written tree: the main line and every variation, with comments and the position after each move.

use std::collections::HashMap;

use tafl_parser::{MoveLine, MoveLineId, MovePlace, before_variation};
use tafl_rules::{Game, Move};

use super::answer::{LaterVariations, MainMove, TreeMove, VariationMove};
use super::plies::{GamePlies, comment, glyphs, plain_move};
use crate::records::ReplayedRecord;

/// The maximum depth of nested variations; deeper ones are left out.
const MAX_DEPTH: usize = 64;
/// The maximum number of moves that are played for the positions of variations: each is played from the start of the game.
const MAX_MOVES: usize = 500_000;

/// Returns the written tree: a list of moves, each with the variations that replace it, which are lists of moves again.
pub(super) fn tree(replayed: &ReplayedRecord, plies: &GamePlies) -> Vec<TreeMove> {
    let Some(start) = &plies.start else { return Vec::new() };
    let mut children: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
    for (id, line) in (0..).zip(replayed.record.lines()) {
        if let Some(branch) = line.branch {
            children.entry((branch.parent.0, branch.at)).or_default().push(id);
        }
    }
    let mut tree = VariationTree { replayed, start, children, left: MAX_MOVES };
    let of_ply: HashMap<u32, usize> =
        (1..).zip(&replayed.replay.plies).filter_map(|(nth, ply)| Some((ply.written?, nth))).collect();
    let main = replayed.record.main();
    let mut nodes: Vec<TreeMove> = (0..)
        .zip(&main.moves)
        .map(|(at, mv)| {
            TreeMove::Main(MainMove {
                r#move: plain_move(mv),
                ply: of_ply.get(&at).copied(),
                glyphs: glyphs(mv),
                comment: comment(replayed, MovePlace::in_main(at as usize + 1)),
                variations: tree.variations(MoveLineId::MAIN, at, MAX_DEPTH),
            })
        })
        .collect();
    nodes.extend(tree.after(MoveLineId::MAIN, replayed.record.line(MoveLineId::MAIN), MAX_DEPTH));
    nodes
}

/// The state of writing variations.
struct VariationTree<'t> {
    replayed: &'t ReplayedRecord,
    /// The game before its first move.
    start: &'t Game,
    /// The lines that replace a move of a line.
    children: HashMap<(u32, u32), Vec<u32>>,
    /// The number of moves that may still be played.
    left: usize,
}

impl VariationTree<'_> {
    /// Returns the variations that replace a move.
    fn variations(&mut self, parent: MoveLineId, at: u32, deep: usize) -> Vec<Vec<TreeMove>> {
        if deep == 0 {
            return Vec::new();
        }
        let own = self.children.get(&(parent.0, at)).cloned().unwrap_or_default();
        own.into_iter().map(|id| self.line(MoveLineId(id), deep - 1)).collect()
    }

    /// Returns an entry without a move for variations that follow the last move of a line.
    fn after(&mut self, id: MoveLineId, line: MoveLine<'_>, deep: usize) -> Option<TreeMove> {
        let variations = self.variations(id, line.moves.len() as u32, deep);
        (!variations.is_empty()).then_some(TreeMove::Later(LaterVariations { r#move: None, variations }))
    }

    /// Returns the number of moves that are played for the positions of a variation.
    fn cost(&self, line: MoveLine<'_>) -> usize {
        let mut cost = line.moves.len() + 1;
        let mut branch = line.branch;
        while let Some(here) = branch {
            cost += here.at as usize;
            branch = self.replayed.record.line(here.parent).branch;
        }
        cost
    }

    /// Returns the moves of a variation, each with its position as far as they can be played.
    fn line(&mut self, id: MoveLineId, deep: usize) -> Vec<TreeMove> {
        let replayed = self.replayed;
        let line = replayed.record.line(id);
        self.left = self.left.saturating_sub(self.cost(line));
        let mut game =
            if self.left > 0 { before_variation(&replayed.record, self.start, line) } else { None };
        let mut nodes = Vec::with_capacity(line.moves.len());
        for (at, mv) in (0..).zip(line.moves) {
            let made = game.as_mut().and_then(|game| step(game, mv));
            if made.is_none() {
                game = None;
            }
            let (side, captured) = made.unwrap_or_default();
            nodes.push(TreeMove::Variation(VariationMove {
                r#move: plain_move(mv),
                side,
                captured,
                position: game.as_ref().map(|game| game.setup().to_string()),
                glyphs: glyphs(mv),
                comment: comment(replayed, MovePlace { line: id, after: at + 1 }),
                variations: self.variations(id, at, deep),
            }));
        }
        nodes.extend(self.after(id, line, deep));
        nodes
    }
}

/// Plays a written move; returns the side and the captured cells, or none if it can't be played.
fn step(game: &mut Game, mv: &tafl_parser::WrittenMove) -> Option<(Option<&'static str>, Vec<String>)> {
    let shape = game.shape();
    game.clear_outcome();
    let ply = game.play(Move::new(shape.cell(mv.from)?, shape.cell(mv.to)?)).ok()?;
    let captured = ply.captured.iter().map(|cell| shape.name(cell)).collect();
    Some((Some(ply.side.as_str()), captured))
}
