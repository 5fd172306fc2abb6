//! The differences between two rule sets, in words.

use super::board::{rearrangement_cells, swap};
use super::captures::{falls, shieldwall};
use super::ends::repetitions;
use super::movement::{berserk, chain, jumped_over, slide};
use super::words::{Words, capitalized};
use crate::illegal::describe_piece;
use crate::piece::{Piece, PieceSet, Role};
use crate::ruleset::{
    Arming, Berserk, ByZone, CaptureMode, Encirclement, Goal, Jump, KingCapture, Movement, NoMoves, RuleSet,
    Zone,
};
use crate::shape::Cell;
use crate::side::{BySide, Side};
use crate::wording::word_list;

/// A difference between two rule sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesDifference {
    /// The subject of the difference, such as `pieces that may stop on: throne`.
    pub topic: String,
    /// The rule of the first rule set.
    pub left: String,
    /// The rule of the second rule set.
    pub right: String,
    /// Whether the difference can affect play; false for labels, and for pieces and cells that
    /// neither game has.
    pub matters: bool,
}

/// Returns all differences between two rule sets, in the order of a rules sheet. The list is
/// complete: rule sets without a difference are equal, except that on boards of different shapes
/// "the corners" and "the middle" count as the same cells.
///
/// # Examples
///
/// ```
/// use tafl_rules::{RuleSet, rules_differences};
///
/// let left: RuleSet = "dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
/// let right: RuleSet = "dim:7 ks:c esc:e start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
/// let found = rules_differences(&left, &right);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].left.as_str(), found[0].right.as_str()), ("a corner", "any cell of the edge"));
/// ```
pub fn rules_differences(left: &RuleSet, right: &RuleSet) -> Vec<RulesDifference> {
    let names = BySide { attackers: "attackers", defenders: "defenders" };
    let mut pair = Pair { left: Words::new(left, names), right: Words::new(right, names), found: Vec::new() };
    // Both rule sets are described as if they had the pieces of both, so that `every piece` means
    // the same in both.
    let in_play = pair.left.in_play.union(pair.right.in_play);
    (pair.left.in_play, pair.right.in_play) = (in_play, in_play);
    pair.board();
    pair.movement();
    pair.zones();
    pair.captures();
    pair.kings();
    pair.ends();
    pair.labels();
    pair.found
}

/// Returns whether two rule sets are equal except for their labels.
pub fn same_rules(left: &RuleSet, right: &RuleSet) -> bool {
    let unnamed = |rules: &RuleSet| RuleSet { name: None, ..rules.clone() };
    unnamed(left) == unnamed(right)
}

/// Two rule sets under comparison.
struct Pair<'r> {
    left: Words<'r>,
    right: Words<'r>,
    found: Vec<RulesDifference>,
}

impl Pair<'_> {
    /// Adds a difference if the words differ.
    fn note(&mut self, topic: impl Into<String>, words: [String; 2], matters: Matters) {
        let [left, right] = words;
        if left != right {
            let matters = matters == Matters::Always;
            self.found.push(RulesDifference { topic: topic.into(), left, right, matters });
        }
    }

    /// Adds a difference if `describe` returns different words for the two rule sets.
    fn compare(&mut self, topic: &str, describe: impl Fn(&Words<'_>) -> String) {
        let words = [describe(&self.left), describe(&self.right)];
        self.note(topic, words, Matters::Always);
    }

    /// Adds a difference between sets of pieces, in letters if it concerns only pieces that neither
    /// game has.
    fn pieces(&mut self, topic: &str, sets: [PieceSet; 2], matters: Matters) {
        let in_play = self.left.in_play;
        let [left, right] = sets;
        if left.intersection(in_play) != right.intersection(in_play) {
            let words = [self.left.pieces(left), self.right.pieces(right)];
            self.note(topic, words, matters);
        } else {
            self.note(topic, [letters(left), letters(right)], Matters::Never);
        }
    }

    fn board(&mut self) {
        self.compare("board", |words| words.shape().to_string());
        if self.left.shape() == self.right.shape() {
            let cells: Vec<Cell> = self
                .left
                .shape()
                .cells()
                .filter(|cell| self.left.rules.start.piece(*cell) != self.right.rules.start.piece(*cell))
                .collect();
            let words = [occupants(&self.left, &cells), occupants(&self.right, &cells)];
            self.note("start", words, Matters::Always);
        } else {
            self.compare("start", |words| words.rules.start.to_string());
        }
        for side in Side::ALL {
            self.compare(&format!("rearrangement of the {side}"), |words| {
                rearrangement_cells(words, side).unwrap_or_else(|| "none".to_owned())
            });
        }
        self.compare("exchange of sides", |words| {
            swap(words.rules.swap).unwrap_or_else(|| "not allowed".to_owned())
        });
        self.compare("who moves first", |words| words.side(words.rules.first_mover).to_owned());
    }

    fn movement(&mut self) {
        let mut groups: Vec<([Movement; 2], PieceSet)> = Vec::new();
        for piece in Piece::all() {
            let movements = [self.left.rules.movement[piece], self.right.rules.movement[piece]];
            let known = |pieces: &PieceSet| {
                pieces
                    .iter()
                    .all(|other| self.left.in_play.contains(other) == self.left.in_play.contains(piece))
            };
            match groups.iter_mut().find(|(other, pieces)| *other == movements && known(pieces)) {
                Some((_, pieces)) => *pieces = pieces.union(PieceSet::of(piece)),
                None => groups.push((movements, PieceSet::of(piece))),
            }
        }
        for (movements, pieces) in groups {
            let there = !pieces.intersection(self.left.in_play).is_empty();
            let (who, matters) = if there {
                (word_list(&self.left.kinds(pieces), "and"), Matters::Always)
            } else {
                (letters(pieces), Matters::Never)
            };
            let [left, right] = movements;
            let words = [movement_phrase(&self.left, left), movement_phrase(&self.right, right)];
            self.note(format!("moves of {who}"), words, matters);
        }
        self.turns();
    }

    fn turns(&mut self) {
        self.compare("a possible capture", |words| {
            if words.rules.forced_capture { "must be made" } else { "may be declined" }.to_owned()
        });
        self.compare("turns", |words| {
            berserk(words.rules.berserk, true)
                .unwrap_or_else(|| "One move per turn, even after a capture.".to_owned())
        });
        let chains = |words: &Words<'_>| match chain(words.rules.chain) {
            sentences if sentences.is_empty() => "No special rules.".to_owned(),
            sentences => sentences.join(" "),
        };
        let words = [chains(&self.left), chains(&self.right)];
        let matters = self.if_either(|words| words.rules.berserk != Berserk::None);
        self.note("berserk chains", words, matters);
        let over = [jumped_over(&self.left), jumped_over(&self.right)];
        let matters = self.if_either(|words| {
            words.in_play.iter().any(|piece| words.rules.movement[piece].jump != Jump::None)
        });
        self.note("pieces that can be jumped over", over, matters);
    }

    /// Returns [`Matters::Always`] if one of the games meets the condition, otherwise [`Matters::Never`].
    fn if_either(&self, has_it: impl Fn(&Words<'_>) -> bool) -> Matters {
        if has_it(&self.left) || has_it(&self.right) { Matters::Always } else { Matters::Never }
    }

    fn zones(&mut self) {
        let (left, right) = (self.left.rules, self.right.rules);
        let names = ByZone {
            throne: "throne",
            corners: "corner cells",
            camps: "camps",
            forts: "fortresses of the defenders",
        };
        for (kind, name) in names.iter() {
            self.zone(name, [&left.zones[kind], &right.zones[kind]]);
        }
        let throne = Matters::if_any(&[&left.zones.throne.cells, &right.zones.throne.cells]);
        let occupied = [left.throne_hostile_occupied, right.throne_hostile_occupied];
        self.pieces("pieces to which the throne with a king on it is hostile", occupied, throne);
        let camps = Matters::if_any(&[&left.zones.camps.cells, &right.zones.camps.cells]);
        let apart = |rules: &RuleSet| {
            if rules.camps_apart { "each camp separately" } else { "all camps together" }.to_owned()
        };
        self.note("inside of the camps", [apart(left), apart(right)], camps);
        let spared = [self.left.cells(&left.camps_spared), self.right.cells(&right.camps_spared)];
        self.note("camp cells that are not hostile to the attackers", spared, camps);
        let edges = [left.edge_hostile, right.edge_hostile];
        self.pieces("pieces to which the edge of the board is hostile", edges, Matters::Always);
    }

    fn zone(&mut self, name: &str, pair: [&Zone; 2]) {
        let [left, right] = pair;
        let cells = [place(&self.left, &left.cells), place(&self.right, &right.cells)];
        self.note(format!("cells: {name}"), cells, Matters::Always);
        let matters = Matters::if_any(&[&left.cells, &right.cells]);
        let sets = [
            ("pieces that may stop on", [left.stop, right.stop]),
            ("pieces that may enter from outside", [left.reenter, right.reenter]),
            ("pieces that may pass over", [left.pass, right.pass]),
            ("pieces to which an empty cell is hostile", [left.hostile, right.hostile]),
        ];
        for (what, sets) in sets {
            self.pieces(&format!("{what}: {name}"), sets, matters);
        }
    }

    fn captures(&mut self) {
        self.compare("shieldwall", |words| match words.rules.shieldwall {
            None => "no".to_owned(),
            Some(wall) => shieldwall(wall, true, true).join(" "),
        });
        let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        self.compare("Linnaean capture", |words| yes_no(words.rules.linnaean));
        self.compare("capture on a corner of a hexagonal board", |words| {
            yes_no(words.rules.hex_corner_capture)
        });
        self.compare("a king's part in captures", |words| {
            match words.rules.king_arming {
                Arming::Armed => "moving and standing",
                Arming::Anvil => "standing only",
                Arming::Hammer => "moving only",
                Arming::Unarmed => "none",
            }
            .to_owned()
        });
    }

    fn kings(&mut self) {
        let (left, right) = (self.left.rules, self.right.rules);
        let kings = Matters::if_in_play(self.left.in_play.intersection(PieceSet::KINGS));
        self.pieces("kings whose capture loses", [left.royal, right.royal], kings);
        let throne = Matters::if_any(&[&left.zones.throne.cells, &right.zones.throne.cells]);
        type Mode = fn(&KingCapture) -> CaptureMode;
        let places: [(&str, Mode, Matters); 4] = [
            ("a king on the throne", |modes| modes.on_throne, throne),
            ("a king next to the throne", |modes| modes.next_to_throne, throne),
            ("a king on the edge", |modes| modes.on_edge, kings),
            ("a king elsewhere", |modes| modes.elsewhere, kings),
        ];
        for (topic, mode, matters) in places {
            // Compare the modes first: the same mode has different words on boards of different
            // shapes.
            if mode(&left.king_capture) != mode(&right.king_capture) {
                let words = [
                    falls(self.left.shape(), mode(&left.king_capture)),
                    falls(self.right.shape(), mode(&right.king_capture)),
                ];
                self.note(topic, words, matters);
            }
        }
        self.pieces("commanders that pierce a king", [left.piercing, right.piercing], kings);
        self.pieces("pieces captured only by three neighbors", [left.dux, right.dux], Matters::Always);
    }

    fn ends(&mut self) {
        let (left, right) = (self.left.rules, self.right.rules);
        for side in Side::ALL {
            let topic = format!("goal of the {side}' king");
            let matters = Matters::if_in_play(
                self.left.in_play.intersection(PieceSet::of(Piece::new(side, Role::King))),
            );
            let words = [goal(&self.left, &left.goals[side]), goal(&self.right, &right.goals[side])];
            self.note(topic, words, matters);
        }
        self.compare("exit fort", |words| {
            if words.rules.exit_fort { "wins" } else { "has no effect" }.to_owned()
        });
        self.compare("encirclement", |words| {
            match words.rules.encirclement {
                Encirclement::None => "has no effect",
                Encirclement::Plain => "wins",
                Encirclement::Secure => "wins if the ring cannot be captured from inside",
            }
            .to_owned()
        });
        self.compare("no legal move", |words| {
            match words.rules.no_moves {
                NoMoves::Lose => "loses",
                NoMoves::Draw => "draws",
                NoMoves::Ignore => "has no result",
            }
            .to_owned()
        });
        self.compare("repetition", |words| repetitions(words, &words.rules.repetition));
        self.compare("limit of plies", |words| limit(words.rules.ply_limit));
        self.compare("limit of plies without a capture", |words| limit(words.rules.captureless_limit));
    }

    fn labels(&mut self) {
        let name = |rules: &RuleSet| rules.name.clone().unwrap_or_else(|| "none".to_owned());
        let names = [name(self.left.rules), name(self.right.rules)];
        self.note("label", names, Matters::Never);
        let unknown = |rules: &RuleSet| match &rules.unknown[..] {
            [] => "none".to_owned(),
            words => format!("`{}`", words.join(" ")),
        };
        let words = [unknown(self.left.rules), unknown(self.right.rules)];
        self.note("unknown words", words, Matters::Never);
    }
}

/// Whether a difference can affect play.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Matters {
    Always,
    Never,
}

impl Matters {
    /// A rule about pieces matters if a game has such pieces.
    fn if_in_play(pieces: PieceSet) -> Matters {
        if pieces.is_empty() { Matters::Never } else { Matters::Always }
    }

    /// A rule about cells matters if a game has such cells.
    fn if_any(zones: &[&[Cell]]) -> Matters {
        if zones.iter().any(|cells| !cells.is_empty()) { Matters::Always } else { Matters::Never }
    }
}

/// Returns the names of the cells of a zone; the middle of the board counts as the same place on
/// every board.
fn place(words: &Words<'_>, cells: &[Cell]) -> String {
    let is_center = cells.len() == 1 && words.shape().center() == cells.first().copied();
    if is_center { "the middle of the board".to_owned() } else { words.cells(cells) }
}

/// Returns the letters of pieces as in rules strings.
fn letters(pieces: PieceSet) -> String {
    if pieces.is_empty() { "none".to_owned() } else { format!("`{pieces}`") }
}

fn limit(plies: Option<u32>) -> String {
    plies.map_or_else(|| "none".to_owned(), |plies| format!("drawn after {plies} plies"))
}

fn movement_phrase(words: &Words<'_>, movement: Movement) -> String {
    let slide = slide(words.shape(), movement);
    let jump = match movement.jump {
        Jump::None => return slide,
        Jump::Restricted => "jumps from or to special cells",
        Jump::Plain => "jumps",
        Jump::Capturing => "jumps that capture",
    };
    format!("{slide}; {jump}")
}

fn goal(words: &Words<'_>, goal: &Goal) -> String {
    match goal {
        Goal::None => "none".to_owned(),
        Goal::Corners => "a corner".to_owned(),
        Goal::Edge => "any cell of the edge".to_owned(),
        Goal::Cells(cells) => words.cells(cells),
    }
}

/// Returns the contents of cells at the start: `attackers' man on d1 to f1; nothing on e2`.
fn occupants(words: &Words<'_>, cells: &[Cell]) -> String {
    let mut groups: Vec<(Option<Piece>, Vec<Cell>)> = Vec::new();
    for cell in cells {
        let piece = words.rules.start.piece(*cell);
        match groups.iter_mut().find(|(known, _)| *known == piece) {
            Some((_, cells)) => cells.push(*cell),
            None => groups.push((piece, vec![*cell])),
        }
    }
    groups.sort_by_key(|(piece, _)| piece.map_or(usize::MAX, Piece::index));
    let groups: Vec<String> = groups
        .iter()
        .map(|(piece, cells)| {
            let piece = piece.map_or_else(|| "nothing".to_owned(), describe_piece);
            format!("{piece} on {}", words.cells(cells))
        })
        .collect();
    capitalized(&groups.join("; "))
}
