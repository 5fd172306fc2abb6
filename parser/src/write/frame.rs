//! Tags and turns in the style of OpenTafl: the frame of OpenTafl's and Cyngesheall's game records.

mod header;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use tafl_rules::Side;

use super::WriteGame;
use super::losses::RecordLosses;
use super::moves::{WriterStep, sides, step};
use crate::diagnostic::Lost;
use crate::format::bracket;
use crate::record::{Comment, EndingKind, MoveLine, MoveLineId, WrittenMove};

/// The maximum total size of addresses in one record, in bytes; real records have a few thousand. An address
/// repeats that of its parent line, so a hundred thousand nested variations, which are short in other
/// notations, would take gigabytes here.
const MAX_ADDRESSES: usize = 16 << 20;

/// The notation of moves inside the frame.
pub(super) trait MoveNotation {
    /// Appends a move.
    fn push(&mut self, step: &WriterStep<'_>, out: &mut String);

    /// Returns whether a move is written as a later step of a turn.
    fn is_chained(&self, mv: &WrittenMove) -> bool;

    /// Returns the text after the line of a comment.
    fn after_comments(&self) -> &'static str;

    /// Returns the word for a resignation, if the notation has one.
    fn resignation(&self) -> Option<&'static str>;
}

/// Appends a record: tags, a blank line, the main line, its variations, and a blank line.
pub(super) fn write(
    game: WriteGame<'_>,
    notation: &mut impl MoveNotation,
    out: &mut String,
    losses: &mut RecordLosses,
) {
    note_losses(game, losses);
    let mut frame = FramedWriter { game, notation, out, losses, is_separate: false };
    frame.header();
    frame.note_ending();
    frame.lines();
    frame.out.push('\n');
}

fn note_losses(game: WriteGame<'_>, losses: &mut RecordLosses) {
    let record = game.record;
    losses.checks(record);
    losses.unknown_captures(game);
    if let Some(counts) = record.capture_counts {
        // Information that the reader can count again is not lost.
        let mut marks = [0; 2];
        let moves = &record.main().moves;
        for (side, mv) in sides(moves, record.first_mover.unwrap_or(Side::Attackers)).zip(moves) {
            marks[side.index()] += u32::from(mv.n_captures);
        }
        let differs = marks != [counts.by.attackers, counts.by.defenders];
        losses.left_out(Lost::CaptureCounts, usize::from(differs));
    }
}

struct FramedWriter<'f, 'a, N> {
    game: WriteGame<'a>,
    notation: &'f mut N,
    out: &'f mut String,
    losses: &'f mut RecordLosses,
    /// Whether a rules tag ends the header, so that the next record is separate even if this one has no moves.
    is_separate: bool,
}

/// The address of a move: the number of its turn, and its index among the items of the turn.
type Item = (u32, u32);

impl<N: MoveNotation> FramedWriter<'_, '_, N> {
    fn lines(&mut self) {
        let record = self.game.record;
        let items: Vec<Vec<Item>> = record.lines().map(|line| number_items(line, self.notation)).collect();
        let mut comments: HashMap<MoveLineId, Vec<Comment<'_>>> = HashMap::new();
        for comment in record.comments.iter() {
            comments.entry(comment.place.line).or_default().push(comment);
        }
        let mut room = MAX_ADDRESSES;
        let mut addresses: Vec<Option<String>> = Vec::with_capacity(items.len());
        for (line, id) in record.lines().zip((0..).map(MoveLineId)) {
            let address = match line.branch {
                // A variation without a branch point was already reported by the reader.
                None => (id == MoveLineId::MAIN).then(String::new),
                Some(branch) => addresses[branch.parent.index()].as_ref().map(|parent| {
                    let (turn, index) = items[branch.parent.index()][branch.at as usize];
                    let dot = if parent.is_empty() { "" } else { "." };
                    format!("{parent}{dot}{turn}{}.{}", letter(index), branch.number)
                }),
            };
            // Every turn repeats the address.
            let needed = |address: &String| address.len() * line.moves.len().max(1);
            let address = address.filter(|address| needed(address) <= room);
            match &address {
                Some(address) => {
                    room -= needed(address);
                    let comments = comments.remove(&id).unwrap_or_default();
                    self.line(id, address, &items[id.index()], &comments);
                }
                None => self.losses.left_out(Lost::Variations, 1),
            }
            addresses.push(address);
        }
    }

    /// Appends the turns of a line, each followed by its comments.
    fn line(&mut self, id: MoveLineId, address: &str, items: &[Item], comments: &[Comment<'_>]) {
        let n_moves = self.game.record.line(id).moves.len();
        let mut comments = self.comments(comments);
        self.first_comment(id, &mut comments);
        let mut nth = 0;
        while nth < n_moves {
            let (turn, skipped) = items[nth];
            let end = nth + items[nth..n_moves].iter().take_while(|item| item.0 == turn).count();
            self.turn_number(address, turn);
            (0..skipped).for_each(|_| self.out.push_str(" ....."));
            for at in nth..end {
                self.ending(id, at);
                self.out.push(' ');
                let step = step(self.game, self.losses.format(), id, at);
                self.notation.push(&step, self.out);
            }
            let is_whole = items[end].0 != turn;
            if end == n_moves && !is_whole {
                self.ending(id, end);
            }
            self.out.push('\n');
            // The player who does not move in `.....` has a comment of his own.
            let first = if skipped > 0 { nth } else { nth + 1 };
            let texts = (first..=end).map(|place| comments.remove(&(place as u32)).unwrap_or_default());
            self.bracket(&texts.collect::<Vec<_>>());
            nth = end;
        }
        let (turn, index) = items[n_moves];
        let is_resigned = self.has_resigned_after(n_moves) && (index == 0 || n_moves == 0);
        // A number without a move separates a game without moves from the next one.
        let is_empty = n_moves == 0 && !self.is_separate;
        if id == MoveLineId::MAIN && (is_resigned || is_empty) {
            self.turn_number(address, turn);
            self.ending(id, n_moves);
            self.out.push('\n');
        }
        self.losses.left_out(Lost::Comments, comments.len());
    }

    fn turn_number(&mut self, address: &str, turn: u32) {
        let (dot, first) = if address.is_empty() { ("", "") } else { (".", "a") };
        write!(self.out, "{address}{dot}{turn}{first}.").expect("a String takes everything");
    }

    /// Returns whether a player resigned after this number of moves, and the notation can express it: its word means the
    /// side to move.
    fn has_resigned_after(&self, n_moves: usize) -> bool {
        let ending = self.game.record.ending.filter(|ending| ending.kind == EndingKind::Resigned);
        self.notation.resignation().is_some()
            && ending.is_some_and(|ending| ending.after as usize == n_moves)
            && self.game.is_bare_ending_clear()
    }

    /// Returns whether the ending is written among the moves.
    fn is_ending_written(&self) -> bool {
        (0..=self.game.record.main().moves.len()).any(|n_moves| self.has_resigned_after(n_moves))
    }

    fn ending(&mut self, id: MoveLineId, nth: usize) {
        if id == MoveLineId::MAIN && self.has_resigned_after(nth) {
            self.out.push(' ');
            self.out.push_str(self.notation.resignation().unwrap_or_default());
        }
    }

    /// Reports the parts of the ending that are lost.
    fn note_ending(&mut self) {
        let Some(ending) = self.game.record.ending else { return };
        if self.is_ending_written() {
            self.losses.left_out(Lost::Sides, usize::from(ending.side.is_some()));
        } else {
            self.losses.left_out(Lost::Ending, 1);
        }
    }

    /// Returns the comments of a line by the number of moves before them; comments at the same place are
    /// joined.
    fn comments(&mut self, written: &[Comment<'_>]) -> BTreeMap<u32, String> {
        let mut comments = BTreeMap::<u32, String>::new();
        for comment in written {
            if comment.text.is_empty() {
                self.losses.left_out(Lost::Comments, 1);
                continue;
            }
            match comments.get_mut(&comment.place.after) {
                Some(text) => {
                    write!(text, " {}", comment.text).expect("a String takes everything");
                    self.losses.changed(Lost::Comments, 1);
                }
                None => {
                    comments.insert(comment.place.after, comment.text.to_string());
                }
            }
        }
        comments
    }

    /// Writes the comment before the first move of a line, unless its first turn has a place for it.
    fn first_comment(&mut self, id: MoveLineId, comments: &mut BTreeMap<u32, String>) {
        let line = self.game.record.line(id);
        if line.opens_with_second && !line.moves.is_empty() {
            return;
        }
        match comments.remove(&0) {
            Some(text) if id == MoveLineId::MAIN => self.bracket(&[String::new(), text]),
            Some(_) => self.losses.left_out(Lost::Comments, 1),
            None => {}
        }
    }

    /// Appends the texts of the items of a turn in one bracket, changed if a reader would split them
    /// elsewhere.
    fn bracket(&mut self, texts: &[String]) {
        let mut parts = Vec::with_capacity(texts.len());
        for (nth, text) in texts.iter().enumerate() {
            let is_blank = text.bytes().all(|byte| byte.is_ascii_whitespace() || byte == b'|');
            if is_blank {
                self.losses.left_out(Lost::Comments, usize::from(!text.is_empty()));
                parts.push(String::new());
            } else if text.contains('|') && nth + 1 < texts.len() {
                self.losses.changed(Lost::Comments, 1);
                parts.push(without_brackets(&text.replace('|', "/")));
            } else if is_balanced(text) {
                parts.push(text.clone());
            } else {
                self.losses.changed(Lost::Comments, 1);
                parts.push(without_brackets(text));
            }
        }
        while parts.last().is_some_and(String::is_empty) {
            parts.pop();
        }
        if parts.is_empty() {
            return;
        }
        let mut text = format!("[{}]", parts.join("|"));
        if !closes_at_end(&text) {
            self.losses.changed(Lost::Comments, 1);
            text = format!("[{}]", without_brackets(&text[1..text.len() - 1]));
        }
        if bracket::is_pgn_tag(text.as_bytes()) {
            // A reader would take it for a PGN tag.
            self.losses.changed(Lost::Comments, 1);
            text.insert(1, ' ');
        }
        self.out.push_str(&text);
        self.out.push_str(self.notation.after_comments());
    }
}

/// Returns whether a reader finds the end of a bracket at the end of the text.
fn closes_at_end(text: &str) -> bool {
    let line = format!("{text}\n");
    bracket::closing(line.as_bytes()).proper == Some(line.len() - 2)
}

/// Returns whether all brackets in a text are balanced.
fn is_balanced(text: &str) -> bool {
    let depth = text.bytes().try_fold(0u32, |depth, byte| match byte {
        b'[' => Some(depth + 1),
        b']' => depth.checked_sub(1),
        _ => Some(depth),
    });
    depth == Some(0)
}

fn without_brackets(text: &str) -> String {
    text.replace('[', "(").replace(']', ")")
}

/// Returns the address of each move of a line, and of the move after the last one.
///
/// A turn contains the steps of both players; it has at most 26 of them, because each is named by a letter.
fn number_items(line: MoveLine<'_>, notation: &impl MoveNotation) -> Vec<Item> {
    let mut is_second = line.opens_with_second;
    let (mut turn, mut index) = (1, u32::from(is_second));
    let mut items = Vec::with_capacity(line.moves.len() + 1);
    for nth in 0..=line.moves.len() {
        let is_chained = line.moves.get(nth).is_some_and(|mv| notation.is_chained(mv));
        if nth > 0 {
            index += 1;
            if !is_chained {
                is_second = !is_second;
            }
            if (!is_chained && !is_second) || index >= 26 {
                (turn, index) = (turn + 1, 0);
            }
        }
        items.push((turn, index));
    }
    items
}

fn letter(index: u32) -> char {
    char::from(b'a' + index.min(25) as u8)
}
