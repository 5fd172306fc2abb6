//! Sentences about captures.

use super::words::{Words, capitalized, number, plural};
use crate::piece::{Piece, PieceSet, Role};
use crate::ruleset::{Arming, ByZone, CaptureMode, Goal, Shieldwall, Zone};
use crate::shape::Shape;
use crate::side::Side;
use crate::wording::word_list;

/// Returns the sentences about captures of men.
pub(super) fn of_men(words: &Words<'_>) -> Vec<String> {
    let line = match words.shape() {
        Shape::Square { .. } => "opposite side, along the rank or the file, never diagonally",
        Shape::Hex { .. } => "opposite side",
    };
    let (man, men) = if words.has_role(Role::Soldier) { ("man", "men") } else { ("piece", "pieces") };
    let mut sentences = vec![format!(
        "A {man} is captured when an enemy moves next to it while another enemy is on its {line}."
    )];
    if has_hostile_cells(words) {
        sentences.push(format!(
            "A special cell that is hostile to the {man} can take the place of the second enemy."
        ));
    }
    sentences
        .push(format!("A {man} that moves between two enemies is safe. One move can capture several {men}."));
    if !words.sides_with_king().is_empty() {
        sentences.push(arming(words));
    }
    if words.has_role(Role::Commander) || words.has_role(Role::Knight) {
        let kinds: Vec<&str> = [Role::Commander, Role::Knight]
            .into_iter()
            .filter(|role| words.has_role(*role))
            .map(plural)
            .collect();
        sentences
            .push(format!("{} capture and are captured like men.", capitalized(&word_list(&kinds, "and"))));
    }
    let duces = words.rules.dux.intersection(words.in_play);
    if !duces.is_empty() {
        let fall = words.pieces_do(duces, "fall", "falls");
        let it = if fall.ends_with("falls") { "it" } else { "them" };
        sentences
            .push(format!("{} only when three neighboring cells are hostile to {it}.", capitalized(&fall)));
    }
    if words.has_role(Role::Mercenary) {
        sentences.push("A captured mercenary stays where it is and changes sides.".to_owned());
    }
    if words.has_role(Role::Guard) {
        sentences.push("Guards neither capture nor can be captured.".to_owned());
    }
    sentences
}

fn has_hostile_cells(words: &Words<'_>) -> bool {
    let rules = words.rules;
    let men = words.in_play.without(PieceSet::KINGS);
    rules.zones.values().any(|zone| !zone.cells.is_empty() && !zone.hostile.intersection(men).is_empty())
}

fn arming(words: &Words<'_>) -> String {
    let king = match words.sides_with_king()[..] {
        [side] => capitalized(&words.king(side)),
        _ => "A king".to_owned(),
    };
    match words.rules.king_arming {
        Arming::Armed => format!("{king} takes part in captures like a man, both by moving and by standing."),
        Arming::Anvil => {
            format!("{king} helps other pieces to capture, but his own moves capture nothing.")
        }
        Arming::Hammer => {
            format!("{king} captures only by his own moves; other pieces cannot capture against him.")
        }
        Arming::Unarmed => format!("{king} takes no part in captures."),
    }
}

/// Returns the sentences about captures of kings, by cell.
pub(super) fn of_kings(words: &Words<'_>) -> Vec<String> {
    let (royal, common): (Vec<Side>, Vec<Side>) = words
        .sides_with_king()
        .into_iter()
        .partition(|side| words.rules.royal.contains(Piece::new(*side, Role::King)));
    let mut sentences: Vec<String> = common
        .iter()
        .map(|side| {
            format!(
                "{} is captured like a man, and his loss does not end the game.",
                capitalized(&words.king(*side))
            )
        })
        .collect();
    let who = match royal[..] {
        [] => return sentences,
        [side] => words.king(side),
        _ => "a king".to_owned(),
    };
    sentences.extend(places(words, &royal).into_iter().map(|(places, mode)| {
        let sentence = format!("{} {who} {}", word_list(&places, "and"), falls(words.shape(), mode));
        format!("{}.", capitalized(sentence.trim_start()))
    }));
    sentences
        .push("Only an enemy's move can capture him: a king that moves between enemies is safe.".to_owned());
    sentences.extend(cells_against_kings(words, &royal));
    sentences.extend(royal.iter().filter_map(|side| piercing(words, *side)));
    sentences
}

/// Groups the places of a king by the way in which he is captured there; an empty list of places
/// means everywhere.
fn places(words: &Words<'_>, royal: &[Side]) -> Vec<(Vec<&'static str>, CaptureMode)> {
    let rules = words.rules;
    let throne = !rules.zones.throne.cells.is_empty();
    // If every king wins on the whole edge, none can be captured there.
    let edge = royal.iter().any(|side| rules.goals[*side] != Goal::Edge);
    let modes = rules.king_capture;
    let all = [
        ("on the throne", modes.on_throne, throne),
        ("next to the throne", modes.next_to_throne, throne),
        ("on the edge", modes.on_edge, edge),
        ("elsewhere", modes.elsewhere, true),
    ];
    let mut groups: Vec<(Vec<&'static str>, CaptureMode)> = Vec::new();
    for (place, mode, _) in all.into_iter().filter(|(.., there)| *there) {
        match groups.iter_mut().find(|(_, known)| *known == mode) {
            Some((places, _)) => places.push(place),
            None => groups.push((vec![place], mode)),
        }
    }
    // The group with `elsewhere` comes last and covers all places that the others have not named.
    groups.sort_by_key(|(places, _)| places.contains(&"elsewhere"));
    let all_alike = groups.len() == 1;
    if let Some((places, _)) = groups.last_mut() {
        *places = if all_alike { Vec::new() } else { vec!["anywhere else"] };
    }
    groups
}

/// Returns the end of a sentence about a king: the way in which he is captured.
pub(super) fn falls(shape: Shape, mode: CaptureMode) -> String {
    let sides = if shape.is_hex() { "six" } else { "four" };
    match mode {
        CaptureMode::Custodian => "is captured by two enemies on opposite sides of him".to_owned(),
        CaptureMode::All => format!("is captured by enemies on all {sides} sides"),
        CaptureMode::Confine => {
            "is captured by enemies on all neighboring cells; the edge of the board also closes a side"
                .to_owned()
        }
        CaptureMode::Alternate3 => {
            "is captured by three enemies around him, no two of them next to each other".to_owned()
        }
        CaptureMode::Any3 => "is captured by enemies on any three of his neighboring cells".to_owned(),
        CaptureMode::Never => "cannot be captured".to_owned(),
    }
}

/// Returns the sentence about the empty cells that count as enemies of a king.
fn cells_against_kings(words: &Words<'_>, royal: &[Side]) -> Vec<String> {
    let rules = words.rules;
    let kings: PieceSet = royal.iter().map(|side| Piece::new(*side, Role::King)).collect();
    let cells = ByZone {
        throne: "the empty throne",
        corners: "an empty corner cell",
        camps: "a camp cell",
        forts: "a fortress cell",
    };
    let is_against = |zone: &Zone| !zone.is_empty() && !zone.hostile.intersection(kings).is_empty();
    let against: Vec<&str> =
        cells.iter().filter(|(kind, _)| is_against(&rules.zones[*kind])).map(|(_, word)| *word).collect();
    match against[..] {
        [] => Vec::new(),
        [one] => vec![format!("{} counts as an enemy around him.", capitalized(one))],
        _ => vec![format!("{} count as enemies around him.", capitalized(&word_list(&against, "and")))],
    }
}

/// Returns the sentence about commanders that can pierce a king.
fn piercing(words: &Words<'_>, side: Side) -> Option<String> {
    let commander = Piece::new(side.other(), Role::Commander);
    let pierces = words.in_play.contains(commander) && words.rules.piercing.contains(commander);
    // If two captors are enough everywhere, commanders add nothing.
    let modes = words.rules.king_capture;
    let weak = [modes.next_to_throne, modes.on_edge, modes.elsewhere]
        .iter()
        .all(|mode| *mode == CaptureMode::Custodian);
    let corner =
        if words.rules.zones.corners.cells.is_empty() { "" } else { ", or one and a hostile corner cell," };
    (pierces && !weak).then(|| {
        format!(
            "Two commanders of {} on opposite sides of him{corner} capture {} anywhere except on the throne.",
            words.side(side.other()),
            words.king(side)
        )
    })
}

/// Returns the sentences about special kinds of captures.
pub(super) fn special(words: &Words<'_>) -> Vec<String> {
    let rules = words.rules;
    let mut sentences = Vec::new();
    if let Some(wall) = rules.shieldwall {
        let has_corners = !rules.zones.corners.cells.is_empty();
        sentences.extend(shieldwall(wall, has_corners, !words.sides_with_king().is_empty()));
    }
    let has_throne = !rules.zones.throne.cells.is_empty();
    if rules.linnaean && has_throne && words.has(Side::Defenders, Role::King) {
        sentences.push(format!(
            "A man of {} next to the throne is captured between an enemy and the throne while {} is on the throne with enemies on his other {} sides.",
            words.side(Side::Defenders),
            words.king(Side::Defenders),
            number(if words.shape().is_hex() { 5 } else { 3 }),
        ));
    }
    if rules.hex_corner_capture {
        sentences.push(
            "A man on a corner of the board is captured by enemies on the two neighboring rim cells."
                .to_owned(),
        );
    }
    sentences
}

/// Returns the sentences about shieldwalls, for a game with or without corner cells and kings.
pub(super) fn shieldwall(wall: Shieldwall, has_corners: bool, has_king: bool) -> Vec<String> {
    let mut sentences = vec![
        "Shieldwall: a row of two or more men along the edge is captured when each of them has an enemy in front and both ends of the row are closed by enemies.".to_owned(),
    ];
    if has_corners {
        sentences.push(if wall.corner_closes {
            "An empty corner cell also closes an end.".to_owned()
        } else {
            "A corner cell does not close an end.".to_owned()
        });
    }
    sentences.push(if wall.flank_move {
        "The capturing move must close an end of the row.".to_owned()
    } else {
        "The capturing move may close an end of the row or complete its front.".to_owned()
    });
    if has_king {
        sentences.push("A king may be part of the row, but is not captured.".to_owned());
    }
    if !wall.both_ways {
        sentences.push("One move captures only one such row.".to_owned());
    }
    sentences
}
