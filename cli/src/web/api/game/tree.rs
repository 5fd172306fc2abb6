//! The written tree: the main line and every variation, with comments and the position behind each move.

use std::collections::HashMap;

use tafl_parser::record::{Line, LineId, Place};
use tafl_parser::replay::before_variation;
use tafl_rules::{Game, Move};

use super::answer::{LaterVariations, MainMove, TreeMove, VariationMove};
use super::course::{Course, comment, glyphs, plain_move};
use taflbase::records::ReplayedRecord;

/// Variations are nested at most so deep; deeper ones are left out.
const DEEPEST: usize = 64;
/// At most so many moves are played for the positions of variations: each is played from the first move of the game on.
const MOST_MOVES: usize = 500_000;

/// Returns the written tree: a list of moves, each with the variations that replace it, which are lists of moves again.
pub(super) fn tree(judged: &ReplayedRecord, course: &Course) -> Vec<TreeMove> {
    let Some(start) = &course.start else { return Vec::new() };
    let mut children: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
    for (id, line) in (0..).zip(&judged.record.lines) {
        if let Some(branch) = line.branch {
            children.entry((branch.parent.0, branch.at)).or_default().push(id);
        }
    }
    let mut tree = Tree { judged, start, children, left: MOST_MOVES };
    let of_ply: HashMap<u32, usize> =
        (1..).zip(&judged.replay.plies).filter_map(|(nth, ply)| Some((ply.written?, nth))).collect();
    let main = judged.record.main();
    let mut nodes: Vec<TreeMove> = (0..)
        .zip(&main.moves)
        .map(|(at, mv)| {
            TreeMove::Main(MainMove {
                r#move: plain_move(mv),
                ply: of_ply.get(&at).copied(),
                glyphs: glyphs(mv),
                comment: comment(judged, Place::in_main(at as usize + 1)),
                variations: tree.variations(LineId::MAIN, at, DEEPEST),
            })
        })
        .collect();
    nodes.extend(tree.behind(LineId::MAIN, main, DEEPEST));
    nodes
}

/// What is needed to write variations.
struct Tree<'t> {
    judged: &'t ReplayedRecord,
    /// The game before its first move.
    start: &'t Game,
    /// The lines that replace a move of a line.
    children: HashMap<(u32, u32), Vec<u32>>,
    /// How many moves may still be played.
    left: usize,
}

impl Tree<'_> {
    /// Returns the variations that replace a move.
    fn variations(&mut self, parent: LineId, at: u32, deep: usize) -> Vec<Vec<TreeMove>> {
        if deep == 0 {
            return Vec::new();
        }
        let own = self.children.get(&(parent.0, at)).cloned().unwrap_or_default();
        own.into_iter().map(|id| self.line(LineId(id), deep - 1)).collect()
    }

    /// Returns an entry without a move for variations that go on behind the last move of a line.
    fn behind(&mut self, id: LineId, line: &Line, deep: usize) -> Option<TreeMove> {
        let variations = self.variations(id, line.moves.len() as u32, deep);
        (!variations.is_empty()).then_some(TreeMove::Later(LaterVariations { r#move: None, variations }))
    }

    /// Returns how many moves are played for the positions of a variation.
    fn cost(&self, line: &Line) -> usize {
        let mut cost = line.moves.len() + 1;
        let mut branch = line.branch;
        while let Some(here) = branch {
            cost += here.at as usize;
            branch = self.judged.record.line(here.parent).branch;
        }
        cost
    }

    /// Returns the moves of a variation, each with its position as far as they can be played.
    fn line(&mut self, id: LineId, deep: usize) -> Vec<TreeMove> {
        let judged = self.judged;
        let line = judged.record.line(id);
        self.left = self.left.saturating_sub(self.cost(line));
        let mut game = if self.left > 0 { before_variation(&judged.record, self.start, line) } else { None };
        let mut nodes = Vec::with_capacity(line.moves.len());
        for (at, mv) in (0..).zip(&line.moves) {
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
                comment: comment(judged, Place { line: id, after: at + 1 }),
                variations: self.variations(id, at, deep),
            }));
        }
        nodes.extend(self.behind(id, line, deep));
        nodes
    }
}

/// Makes a written move; returns who made it and what fell, or nothing where it cannot be played.
fn step(
    game: &mut Game,
    mv: &tafl_parser::record::WrittenMove,
) -> Option<(Option<&'static str>, Vec<String>)> {
    let shape = game.shape();
    game.resume();
    let ply = game.play(Move::new(shape.cell(mv.from)?, shape.cell(mv.to)?)).ok()?;
    let captured = ply.captured.iter().map(|cell| shape.name(cell)).collect();
    Some((Some(ply.side.word()), captured))
}
