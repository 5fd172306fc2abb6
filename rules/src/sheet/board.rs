//! Sentences about the board, the start, and the special cells.

use super::words::{Words, capitalized, number, plural};
use crate::piece::{Piece, PieceSet, Role};
use crate::ruleset::{Rearrangement, Zone};
use crate::shape::{Cell, Shape};
use crate::side::Side;
use crate::wording::word_list;

pub(super) fn sentences(words: &Words<'_>) -> Vec<String> {
    let mut sentences = vec![board(words.shape())];
    let forces: Vec<String> = Side::ALL.into_iter().map(|side| force(words, side)).collect();
    sentences.push(format!("{}.", capitalized(&forces.join("; "))));
    sentences.extend(words.has_own_names().then(|| common_names(words)));
    sentences.extend(Side::ALL.into_iter().filter_map(|side| placement(words, side)));
    sentences.extend(Side::ALL.into_iter().filter_map(|side| rearrangement(words, side)));
    sentences.extend(swap(words.rules.swap));
    let first = words.rules.first_mover;
    sentences.push(format!(
        "{}; then the sides take turns, and neither may pass.",
        capitalized(&words.side_does(first, "move first", "moves first"))
    ));
    sentences
}

fn board(shape: Shape) -> String {
    let cells: Vec<Cell> = shape.cells().collect();
    let ends = format!("{} to {}", shape.name(cells[0]), shape.name(cells[cells.len() - 1]));
    match shape {
        Shape::Square { side } => format!("The board is a square of {side} by {side} cells, named {ends}."),
        Shape::Hex { side } => format!(
            "The board is a hexagon with {} cells a side, {} in all, named {ends}.",
            number(side.into()),
            cells.len()
        ),
    }
}

/// Returns the sentence that connects the names of the sides with those in records and programs.
fn common_names(words: &Words<'_>) -> String {
    format!(
        "In records and programs, {} called the attackers, and {} the defenders.",
        words.side_does(Side::Attackers, "are", "is"),
        words.side(Side::Defenders)
    )
}

/// Returns a phrase such as `the attackers have 24 men`.
fn force(words: &Words<'_>, side: Side) -> String {
    let counts: Vec<String> = Role::ALL
        .into_iter()
        .filter_map(|role| {
            let n = words.rules.start.count(Piece::new(side, role));
            match (n, role) {
                (0, _) => None,
                (1, Role::King) => Some("a king".to_owned()),
                (1, _) => Some(format!("one {}", role.as_str())),
                _ => Some(format!("{} {}", number(n), plural(role))),
            }
        })
        .collect();
    let counts = if counts.is_empty() { "no pieces".to_owned() } else { word_list(&counts, "and") };
    format!("{} {counts}", words.side_does(side, "have", "has"))
}

/// Returns a sentence such as `At the start, the attackers' men are on d1 to h1 and f2.`
fn placement(words: &Words<'_>, side: Side) -> Option<String> {
    let places: Vec<String> = Role::ALL
        .into_iter()
        .filter_map(|role| {
            let piece = Piece::new(side, role);
            let cells: Vec<Cell> = words
                .rules
                .start
                .pieces()
                .filter(|(_, found)| *found == piece)
                .map(|(cell, _)| cell)
                .collect();
            let kind = if cells.len() == 1 { role.as_str() } else { plural(role) };
            let verb = if cells.len() == 1 { "is" } else { "are" };
            let place = words.cells(&cells);
            (!cells.is_empty()).then(|| format!("{} {kind} {verb} on {place}", words.of_side(side)))
        })
        .collect();
    (!places.is_empty()).then(|| format!("At the start, {}.", places.join("; ")))
}

/// Returns the sentence about the rearrangement of a side's pieces before the first move, if there is one.
fn rearrangement(words: &Words<'_>, side: Side) -> Option<String> {
    let cells = rearrangement_cells(words, side)?;
    Some(format!("Before the first move, {} may rearrange the pieces {cells}.", words.side(side)))
}

/// Returns a phrase such as `on the cells within two files and ranks of the middle, except the middle
/// itself`; `None` if a side may not rearrange its pieces.
pub(super) fn rearrangement_cells(words: &Words<'_>, side: Side) -> Option<String> {
    let lines = |steps: u8| match (words.shape(), steps) {
        (Shape::Square { .. }, 1) => "one file and rank".to_owned(),
        (Shape::Square { .. }, _) => format!("{} files and ranks", number(steps.into())),
        (Shape::Hex { .. }, 1) => "one step".to_owned(),
        (Shape::Hex { .. }, _) => format!("{} steps", number(steps.into())),
    };
    Some(match &words.rules.rearrangement[side] {
        Rearrangement::None => return None,
        Rearrangement::Anywhere => "on all cells".to_owned(),
        Rearrangement::Near(steps) => {
            format!("on the cells within {} of the middle, except the middle itself", lines(*steps))
        }
        Rearrangement::Far(steps) => format!("on the cells more than {} from the middle", lines(*steps)),
        Rearrangement::Cells(cells) => format!("on {}", words.cells(cells)),
    })
}

/// Returns the sentence about an exchange of sides, if the rules allow one.
pub(super) fn swap(swap: Option<u32>) -> Option<String> {
    let when = match swap? {
        0 => "Before the first move, the player who moves first may exchange sides with the opponent"
            .to_owned(),
        1 => "After the first ply, the player to move may exchange sides with the opponent instead of moving"
            .to_owned(),
        plies => format!(
            "After {} plies, the player to move may exchange sides with the opponent instead of moving",
            number(plies as usize)
        ),
    };
    Some(format!("{when}; the position stays the same."))
}

pub(super) fn special_cells(words: &Words<'_>) -> Vec<String> {
    let rules = words.rules;
    let mut sentences = Vec::new();
    if !rules.zones.throne.cells.is_empty() {
        sentences.extend(zone(
            words,
            &rules.zones.throne,
            ZoneWords::new("throne", &rules.zones.throne.cells),
        ));
        sentences.extend(throne_hostility(words));
    }
    if !rules.zones.corners.cells.is_empty() {
        let noun = ZoneWords { one: "corner cell", subject: "The corner cells are" };
        sentences.extend(zone(words, &rules.zones.corners, noun));
        sentences.extend(hostility(words, "An empty corner cell", rules.zones.corners.hostile));
    }
    if !rules.zones.camps.cells.is_empty() {
        sentences.extend(zone(
            words,
            &rules.zones.camps,
            ZoneWords::new("camp cell", &rules.zones.camps.cells),
        ));
        sentences.extend(camps(words));
    }
    if !rules.zones.forts.cells.is_empty() {
        sentences.extend(zone(
            words,
            &rules.zones.forts,
            ZoneWords::new("fortress cell", &rules.zones.forts.cells),
        ));
        sentences.extend(hostility(words, "A fortress cell", rules.zones.forts.hostile));
    }
    if !rules.edge_hostile.intersection(words.in_play).is_empty() {
        sentences.push(format!(
            "The edge of the board is hostile to {}: the edge counts as an enemy behind a piece that is on it.",
            words.pieces(rules.edge_hostile)
        ));
    }
    sentences
}

/// The words for the cells of a zone in sentences.
struct ZoneWords {
    one: &'static str,
    /// The beginning of the sentence that lists the cells.
    subject: &'static str,
}

impl ZoneWords {
    fn new(one: &'static str, cells: &[Cell]) -> ZoneWords {
        let subject = match (one, cells.len()) {
            ("throne", 1) => "The throne is",
            ("throne", _) => "The throne consists of the cells",
            ("camp cell", 1) => "The camp is",
            ("camp cell", _) => "The camps are",
            (_, 1) => "The fortress is",
            (_, _) => "The fortresses are",
        };
        ZoneWords { one, subject }
    }
}

fn zone(words: &Words<'_>, zone: &Zone, noun: ZoneWords) -> Vec<String> {
    let the = if noun.one == "throne" { "the throne".to_owned() } else { format!("a {}", noun.one) };
    let mut sentences = vec![format!("{} {}.", noun.subject, words.cells(&zone.cells))];
    sentences.push(stops(words, zone, &the));
    let passing = zone.pass.intersection(words.in_play);
    let stopping = zone.stop.intersection(words.in_play);
    let fortress = matches!(noun.one, "camp cell" | "fortress cell");
    if passing == words.in_play {
        // If every piece may also stop there, this needs no sentence.
        if stopping != words.in_play {
            sentences.push(format!("Every piece may pass over {the} when it is empty."));
        }
    } else if passing.is_empty() && fortress {
        sentences.push(format!("No piece may pass over {the}, except a piece that starts inside."));
    } else if passing.is_empty() {
        sentences.push(format!("No piece may pass over {the}, empty or not."));
    } else if passing != stopping || fortress || noun.one == "throne" {
        // Corners need no sentence on passing if it follows the rule for stopping, because no cell
        // lies beyond them. A throne does.
        let inside = if fortress { ", or a piece that starts inside," } else { "" };
        sentences.push(format!("{}{inside} may pass over {the}.", words.only(passing)));
    }
    sentences
}

/// Returns the sentence about the pieces that may stop on the cells of a zone and those that may
/// enter from outside.
fn stops(words: &Words<'_>, zone: &Zone, the: &str) -> String {
    let stopping = zone.stop.intersection(words.in_play);
    let entering = stopping.intersection(zone.reenter);
    let kept_out = stopping.without(zone.reenter);
    if stopping.is_empty() {
        let is_occupied = words.rules.start.pieces().any(|(cell, _)| zone.cells.contains(&cell));
        let leaving = if is_occupied { "; a piece that leaves it cannot return" } else { "" };
        return format!("No piece may stop on {the}{leaving}.");
    }
    let may_stop = format!("{} may stop on {the}", words.only(stopping));
    if kept_out.is_empty() && words.is_one_king(stopping) && the == "the throne" {
        format!("{may_stop}; he may leave it and return.")
    } else if kept_out.is_empty() {
        format!("{may_stop}.")
    } else if entering.is_empty() {
        format!("{may_stop}, but only when coming from inside: a piece that has left may not return.")
    } else {
        let kept_out = words.pieces(kept_out);
        format!("{may_stop}, but {kept_out} only when coming from inside.")
    }
}

fn throne_hostility(words: &Words<'_>) -> Vec<String> {
    let mut sentences = hostility(words, "The empty throne", words.rules.zones.throne.hostile);
    let occupied = words.rules.throne_hostile_occupied.intersection(words.in_play);
    if !words.sides_with_king().is_empty() && !occupied.is_empty() {
        sentences
            .push(format!("While a king is on it, the throne is hostile to {}.", words.pieces(occupied)));
    }
    sentences
}

/// Returns a sentence such as `An empty corner cell is hostile to every piece: it helps to capture
/// as an enemy would.`
fn hostility(words: &Words<'_>, subject: &str, hostile: PieceSet) -> Vec<String> {
    let hostile = hostile.intersection(words.in_play);
    if hostile.is_empty() {
        return vec![format!("{subject} is hostile to no piece.")];
    }
    let who = words.pieces(hostile);
    vec![format!("{subject} is hostile to {who}: it acts as an enemy in captures.")]
}

fn camps(words: &Words<'_>) -> Vec<String> {
    let rules = words.rules;
    let mut sentences = hostility(words, "A camp cell", rules.zones.camps.hostile);
    if !rules.camps_spared.is_empty() {
        sentences.push(format!(
            "The camp cells {} are not hostile to {}.",
            words.cells(&rules.camps_spared),
            words.side(Side::Attackers)
        ));
    }
    if rules.camps_apart {
        sentences
            .push("Each camp is separate: for a piece inside one camp, the other camps are outside.".into());
    }
    sentences
}
