//! Opening trees as text, as a record with variations, and as a picture.

use std::fmt::Write as _;

use tafl_corpus::{GameCounts, GameResult, OpeningNode};
use tafl_parser::{
    CaptureStyle, Comment, Format, LineBranch, MoveLineId, MovePlace, Record, WriteGame, Written,
    WrittenMove, tag, write_record,
};
use tafl_reports::{BoardPicture, Coordinates, Marks, PictureNode, Zones, tree_svg};
use tafl_rules::{Count, Game, Role, RuleSet, Span, counted};
use taflbase::database::ExploredTree;
use taflbase::escape::escape;

use super::text::summary;

/// Returns a tree as indented lines.
pub(super) fn text(tree: &ExploredTree) -> String {
    fn walk(tree: &ExploredTree, branch: &OpeningNode, depth: usize, out: &mut String) {
        let name = branch.mv.map_or_else(
            || escape(&tree.position.rules.variant.name()),
            |mv| mv.display(tree.position.game.shape()).to_string(),
        );
        let _ = writeln!(out, "{}{name}  {}", "  ".repeat(depth), summary(&branch.counts));
        branch.children.iter().for_each(|child| walk(tree, child, depth + 1, out));
    }
    let mut out = String::new();
    walk(tree, &tree.root, 0, &mut out);
    let _ = writeln!(
        out,
        "{}, games counted by position",
        counted(tree.root.n_positions() as u64, "position", "positions")
    );
    out
}

/// Returns a tree as an OpenTafl record: the most frequent moves are the main line, the others are variations, and comments
/// have the numbers of games.
///
/// # Errors
///
/// Never: the format can be written.
pub(super) fn otg(tree: &ExploredTree) -> anyhow::Result<String> {
    let mut out = String::new();
    let record = record(tree);
    write_record(WriteGame { record: &record, played: None }, Format::OpenTafl, &mut out)?;
    Ok(out)
}

fn record(tree: &ExploredTree) -> Record {
    let rules = RuleSet {
        start: tree.position.game.setup(),
        first_mover: tree.position.game.to_move(),
        ..tree.position.rules.variant.rules.clone()
    };
    let mut record = Record::new(Format::OpenTafl);
    let nowhere = Span::default();
    record.rules = Some(Written { text: rules.to_string().into(), span: nowhere });
    record.capture_style = CaptureStyle::ListedButKings;
    record.push_tag(tag::EVENT, "Opening tree, games counted by position", nowhere);
    record.push_tag(tag::START_COMMENT, &comment(&tree.root.counts), nowhere);
    add_children(&mut record, MoveLineId::MAIN, &tree.position.game, &tree.root);
    record
}

/// Adds the first child of a branch to its line, and the others as variations.
fn add_children(record: &mut Record, line: MoveLineId, game: &Game, branch: &OpeningNode) {
    let at = record.line(line).moves.len() as u32;
    for (number, child) in branch.children.iter().enumerate() {
        let Some((mv, next, mut written)) = child.mv.and_then(|mv| step(record, game, mv)) else { continue };
        let line = match number {
            0 => line,
            _ => {
                let branch = LineBranch { parent: line, at, number: number as u32 };
                let opens_with_second = record.is_second(line, at);
                record.variations.open(Some(branch), opens_with_second)
            }
        };
        written.chained = game.chain() == Some(mv.from) && number == 0;
        record.push_to(line, written);
        let after = record.line(line).moves.len() as u32;
        let (place, text) = (MovePlace { line, after }, comment(&child.counts));
        record.comments.push(Comment { place, text: &text, span: Span::default() });
        add_children(record, line, &next, child);
    }
}

/// Plays a move, and returns it as it is written and the game after it.
fn step(
    record: &mut Record,
    game: &Game,
    mv: tafl_rules::Move,
) -> Option<(tafl_rules::Move, Game, WrittenMove)> {
    let mut next = game.clone();
    let ply = next.play(mv).ok()?;
    let men =
        ply.captured.iter().filter(|cell| next.captured_piece(*cell).is_some_and(|p| p.role != Role::King));
    let written = record.played_move(mv, men, game.shape());
    Some((mv, next, written))
}

fn comment(counts: &GameCounts) -> String {
    let of = |result: GameResult| Count(counts.with_result(result)).to_string();
    format!(
        "{}: attackers won {}, defenders won {}, drawn {}, unfinished {}",
        counted(counts.n_games(), "game", "games"),
        of(GameResult::Attackers),
        of(GameResult::Defenders),
        of(GameResult::Draw),
        of(GameResult::Unfinished)
    )
}

/// Returns a tree as a picture with a small board for each position.
pub(super) fn svg(tree: &ExploredTree) -> String {
    tree_svg(&picture(tree, &tree.position.game, &tree.root, 0))
}

fn picture(tree: &ExploredTree, game: &Game, branch: &OpeningNode, ply: usize) -> PictureNode {
    let mut board = BoardPicture::new(game.setup(), Zones::of(&tree.position.rules.variant.rules));
    board.view.coordinates = Coordinates::Hidden;
    if let Some(mv) = branch.mv {
        board.marks = Marks::of_move(mv, Vec::new());
    }
    let name = branch.mv.map_or_else(
        || tree.position.rules.variant.name(),
        |mv| format!("{}. {}", tree.position.plies.len() + ply, mv.display(game.shape())),
    );
    let counts = &branch.counts;
    let results = format!(
        "{} : {} : {}",
        Count(counts.with_result(GameResult::Attackers)),
        Count(counts.with_result(GameResult::Draw)),
        Count(counts.with_result(GameResult::Defenders))
    );
    let label = vec![name, counted(counts.n_games(), "game", "games"), results];
    let child = |child: &OpeningNode| {
        let mut next = game.clone();
        child.mv.and_then(|mv| next.play(mv).ok())?;
        Some(picture(tree, &next, child, ply + 1))
    };
    PictureNode { board, label, children: branch.children.iter().filter_map(child).collect() }
}
