//! Writer for SGF: positions as set-up stones, so that viewers of Go show them, and moves in private properties.

mod diagram;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use tafl_rules::{Reason, Side};

use self::diagram::SgfDiagram;
use super::game_start::rules_to_state;
use super::losses::RecordLosses;
use super::moves::{push_opentafl, step};
use super::stated::StatedResult;
use super::{PlayedMoves, WriteGame};
use crate::diagnostic::Lost;
use crate::format::sgf::{
    ANNOTATIONS, NAMES, escape, is_day, is_iso_day, is_second, is_simple, line_feeds, reading_order,
    second_players,
};
use crate::format::shape_of;
use crate::record::{
    CaptureStyle, Comment, Format, MoveLineId, MovePlace, Record, Tag, WrittenClock, WrittenVerdict, tag,
};
use crate::words;

/// Appends a record: a game tree with one node per line.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    losses.left_out(Lost::Boards, record.boards.len());
    losses.left_out(Lost::Refused, record.refused.len());
    losses.left_out(Lost::MoveCounts, record.move_counts.len());
    losses.left_out(Lost::CaptureCounts, usize::from(record.capture_counts.is_some()));
    losses.unknown_captures(game);
    let diagram = SgfDiagram::start(game);
    let mut writer = SgfWriter { game, parts: LineParts::new(record), out, losses, taken: HashSet::new() };
    writer.root(&diagram);
    writer.lines(diagram);
    writer.out.push_str(")\n");
}

/// Comments, clock times, and variations by place.
struct LineParts<'a> {
    comments: HashMap<MovePlace, Vec<Comment<'a>>>,
    clocks: HashMap<MovePlace, Vec<&'a WrittenClock>>,
    variations: HashMap<MovePlace, Vec<MoveLineId>>,
    /// For each line and each of its moves, whether the second player of a turn makes it.
    seconds: Vec<Vec<bool>>,
    /// Whether the lines are not in the order in which they are read, so that the index of each is written.
    needs_indices: bool,
}

impl<'a> LineParts<'a> {
    fn new(record: &'a Record) -> LineParts<'a> {
        let mut parts = LineParts {
            comments: HashMap::new(),
            clocks: HashMap::new(),
            variations: HashMap::new(),
            seconds: second_players(record),
            needs_indices: reading_order(record).into_iter().enumerate().any(|(new, old)| new != old),
        };
        for comment in record.comments.iter() {
            parts.comments.entry(comment.place).or_default().push(comment);
        }
        for clock in &record.clocks {
            parts.clocks.entry(clock.place).or_default().push(clock);
        }
        for (line, id) in record.lines().zip((0..).map(MoveLineId)) {
            if let Some(branch) = line.branch {
                let place = MovePlace { line: branch.parent, after: branch.at };
                parts.variations.entry(place).or_default().push(id);
            }
        }
        let number = |id: &MoveLineId| record.line(*id).branch.map(|branch| branch.number);
        parts.variations.values_mut().for_each(|lines| lines.sort_by_key(number));
        parts
    }

    /// Returns whether something must be written before the first move of a line.
    fn has_beginning(&self, line: MoveLineId) -> bool {
        let place = MovePlace { line, after: 0 };
        self.comments.contains_key(&place)
            || self.clocks.contains_key(&place)
            || self.variations.contains_key(&place)
    }

    fn is_second(&self, record: &Record, place: MovePlace) -> bool {
        is_second(record.line(place.line), &self.seconds[place.line.index()], place.after)
    }
}

/// A part of the tree that is still to be written.
enum SgfTask {
    /// A parenthesis.
    Text(&'static str),
    /// A line from a move on.
    Line {
        id: MoveLineId,
        nth: usize,
        /// Whether the variations of that move are written elsewhere.
        is_continued: bool,
        diagram: SgfDiagram,
    },
}

struct SgfWriter<'w, 'a> {
    game: WriteGame<'a>,
    parts: LineParts<'a>,
    out: &'w mut String,
    losses: &'w mut RecordLosses,
    /// The properties of the root that are already written.
    taken: HashSet<&'static str>,
}

impl SgfWriter<'_, '_> {
    fn property(&mut self, name: &str, value: &str) {
        self.out.push_str(name);
        self.out.push('[');
        self.out.push_str(&escape(value, false));
        self.out.push(']');
    }

    fn root(&mut self, diagram: &SgfDiagram) {
        let record = self.game.record;
        write!(self.out, "(;FF[4]CA[UTF-8]AP[Taflbase:{}]GM[29]", env!("CARGO_PKG_VERSION"))
            .expect("a String takes everything");
        if let Some(side) = diagram.side() {
            write!(self.out, "SZ[{side}]").expect("a String takes everything");
        }
        self.out.push('\n');
        record.tags.iter().for_each(|tag| self.tag(tag));
        self.result();
        self.rules();
        if let Some(start) = &record.start {
            self.property("PO", &start.setup.to_string());
        }
        if let Some(first) = record.first_mover {
            self.property("PL", letter(first));
        }
        if record.main().opens_with_second {
            self.property("OS", "1");
        }
        let style = self.style();
        self.property("CS", style.name());
        self.out.push('\n');
        diagram.push_start(self.out);
        self.remarks(MovePlace { line: MoveLineId::MAIN, after: 0 });
        if self.out.ends_with('\n') {
            // Without stones and comments, the next node would follow an empty line.
            self.out.pop();
        }
    }

    fn tag(&mut self, tag: Tag<'_>) {
        let text = line_feeds(tag.value);
        self.losses.changed(Lost::Tags, usize::from(text != *tag.value));
        let is_date = tag.name == tag::DATE;
        let known = NAMES.iter().find(|(_, ours)| *ours == tag.name).map(|(name, _)| *name);
        let fits = is_simple(&text) && !(is_date && is_iso_day(&text));
        match known.filter(|_| fits) {
            Some(name) if self.taken.insert(name) => {
                let text = if is_date && is_day(&text) { text.replace('.', "-") } else { text.into_owned() };
                self.property(name, &text);
            }
            Some(_) | None => {
                let pair = format!("TG[{}:{}]", escape(tag.name, true), escape(&text, true));
                self.out.push_str(&pair);
            }
        }
        self.out.push('\n');
    }

    fn result(&mut self) {
        let record = self.game.record;
        let stated = self.game.result_to_write(record.format != Format::Sgf, self.losses);
        let Some(StatedResult { verdict, reason }) = stated else { return };
        let written = reason.filter(|reason| reason_word(*reason).is_some());
        let word = match (verdict, written.and_then(reason_word)) {
            (WrittenVerdict::Win(side), word) => format!("{}+{}", letter(side), word.unwrap_or("")),
            (WrittenVerdict::Draw, _) => "0".to_owned(),
            (WrittenVerdict::Ongoing, _) => "Void".to_owned(),
            (WrittenVerdict::Unknown, _) => "?".to_owned(),
        };
        self.property("RE", &word);
        let is_written = matches!(verdict, WrittenVerdict::Win(_)) && written.is_some();
        match (record.tag(tag::TERMINATION), reason) {
            (_, Some(_)) if is_written => {}
            (Some(words), _) => self.losses.reason(record, words::reason(words)),
            (None, Some(reason)) => {
                write!(self.out, "TG[{}:{reason}]", tag::TERMINATION).expect("a String takes everything");
            }
            (None, None) => {}
        }
        self.out.push('\n');
    }

    fn rules(&mut self) {
        let record = self.game.record;
        let mut is_taken = false;
        // Without rules, the stones could not be written again after reading.
        if let Some(rules) = rules_to_state(self.game, Format::Sgf) {
            let text = line_feeds(rules);
            self.losses.changed(Lost::Rules, usize::from(text != *rules));
            is_taken = is_simple(&text) && shape_of(&text).is_some();
            self.property(if is_taken { "RU" } else { "RS" }, &text);
        }
        if let Some(variant) = &record.variant {
            let text = line_feeds(&variant.text);
            self.losses.changed(Lost::Variant, usize::from(text != *variant.text));
            let is_simple = !is_taken && is_simple(&text) && shape_of(&text).is_none();
            self.property(if is_simple { "RU" } else { "VN" }, &text);
        }
    }

    /// Returns the style of the captures as written here: those of the board are complete.
    fn style(&self) -> CaptureStyle {
        let record = self.game.record;
        let is_complete = |played: &PlayedMoves| played.plies.len() >= record.main().moves.len();
        let is_played = record.format != Format::Sgf && record.variations.is_empty();
        if is_played && self.game.played.is_some_and(is_complete) {
            CaptureStyle::Listed
        } else {
            record.capture_style
        }
    }

    /// Appends the lines. Uses a stack instead of recursion because variations may be nested deeply.
    fn lines(&mut self, diagram: SgfDiagram) {
        let mut tasks = vec![SgfTask::Line { id: MoveLineId::MAIN, nth: 0, is_continued: false, diagram }];
        while let Some(task) = tasks.pop() {
            match task {
                SgfTask::Text(text) => self.out.push_str(text),
                SgfTask::Line { id, nth, is_continued, diagram } => {
                    self.line(id, nth, is_continued, diagram, &mut tasks);
                }
            }
        }
    }

    /// Appends a line up to the next variation.
    fn line(
        &mut self,
        id: MoveLineId,
        first: usize,
        is_continued: bool,
        mut diagram: SgfDiagram,
        tasks: &mut Vec<SgfTask>,
    ) {
        let n_moves = self.game.record.line(id).moves.len();
        if is_continued && first == n_moves {
            // The line ends where a variation continues.
            self.out.push_str("\n;");
        }
        let mut is_begun = id == MoveLineId::MAIN || first > 0 || is_continued;
        if !is_begun && (n_moves == 0 || self.parts.has_beginning(id)) {
            self.out.push_str("\n;");
            self.branch(id);
            self.remarks(MovePlace { line: id, after: 0 });
            is_begun = true;
        }
        for nth in first..=n_moves {
            let place = MovePlace { line: id, after: nth as u32 };
            let is_branching = !(is_continued && nth == first) && self.parts.variations.contains_key(&place);
            if is_branching {
                let variations = self.parts.variations.remove(&place).unwrap_or_default();
                for id in variations.into_iter().rev() {
                    tasks.push(SgfTask::Text(")"));
                    tasks.push(SgfTask::Line { id, nth: 0, is_continued: false, diagram: diagram.clone() });
                    tasks.push(SgfTask::Text("\n("));
                }
                tasks.push(SgfTask::Text(")"));
                tasks.push(SgfTask::Line { id, nth, is_continued: true, diagram });
                return self.out.push_str("\n(");
            }
            if nth < n_moves {
                self.node(id, nth, is_begun, &mut diagram);
                is_begun = true;
            }
        }
    }

    fn node(&mut self, id: MoveLineId, nth: usize, is_begun: bool, diagram: &mut SgfDiagram) {
        let step = step(self.game, Format::Sgf, id, nth);
        let mut text = String::new();
        push_opentafl(&step, &mut text);
        let name = match step.mv.side {
            None => "MV",
            Some(Side::Attackers) => "MB",
            Some(Side::Defenders) => "MW",
        };
        self.out.push_str("\n;");
        if !is_begun {
            self.branch(id);
        }
        self.property(name, &text);
        self.property("N", &text);
        diagram.push_move(self.game, id, nth, self.out);
        self.remarks(MovePlace { line: id, after: nth as u32 + 1 });
    }

    /// Appends what is written of a variation in its first node.
    fn branch(&mut self, id: MoveLineId) {
        let record = self.game.record;
        let line = record.line(id);
        let Some(branch) = line.branch else { return };
        let place = MovePlace { line: branch.parent, after: branch.at };
        if self.parts.is_second(record, place) != line.opens_with_second {
            self.property("OS", if line.opens_with_second { "1" } else { "0" });
        }
        if self.parts.needs_indices {
            write!(self.out, "VI[{}]", id.index()).expect("a String takes everything");
        }
    }

    /// Appends the comments, clock times, and the ending at a place.
    fn remarks(&mut self, place: MovePlace) {
        let comments = self.parts.comments.remove(&place).unwrap_or_default();
        let texts: Vec<_> = comments.iter().map(|comment| line_feeds(comment.text)).collect();
        let n_changed = comments.iter().zip(&texts).filter(|(comment, text)| comment.text != *text).count();
        self.losses.changed(Lost::Comments, n_changed);
        // Judgments before and after the other comments are properties of their own.
        let mut names = HashSet::new();
        let is_unique = texts.iter().filter_map(|text| annotation(text)).all(|(name, _)| names.insert(name));
        let is_text = |text: &std::borrow::Cow<'_, str>| !is_unique || annotation(text).is_none();
        let first = texts.iter().position(is_text).unwrap_or(texts.len());
        let end = texts.iter().rposition(is_text).map_or(first, |last| last + 1);
        for (name, value) in texts[..first].iter().filter_map(|text| annotation(text)) {
            self.property(name, value);
        }
        let joined: Vec<&str> =
            texts[first..end].iter().map(|text| &**text).filter(|text| !text.is_empty()).collect();
        self.losses.left_out(Lost::Comments, end - first - joined.len());
        self.losses.changed(Lost::Comments, joined.len().saturating_sub(1));
        if !joined.is_empty() {
            self.property("C", &joined.join("\n"));
        }
        for (name, value) in texts[end..].iter().filter_map(|text| annotation(text)) {
            self.property(name, value);
        }
        let mut sides = HashSet::new();
        for clock in self.parts.clocks.remove(&place).unwrap_or_default() {
            if sides.insert(clock.side) {
                let time = seconds(clock.milliseconds);
                write!(self.out, "{}L[{time}]", letter(clock.side)).expect("a String takes everything");
            } else {
                self.losses.left_out(Lost::Clocks, 1);
            }
        }
        let ending =
            self.game.record.ending.filter(|ending| MovePlace::in_main(ending.after as usize) == place);
        if let Some(ending) = ending {
            let word = words::ending_word(ending.kind);
            let side = ending.side.map_or(String::new(), |side| format!(":{side}"));
            self.property("EN", &format!("{word}{side}"));
        }
    }
}

/// Returns the color of a side.
const fn letter(side: Side) -> &'static str {
    match side {
        Side::Attackers => "B",
        Side::Defenders => "W",
    }
}

/// Returns the word for a reason in `RE`, if it has one.
const fn reason_word(reason: Reason) -> Option<&'static str> {
    match reason {
        Reason::Resignation => Some("Resign"),
        Reason::Timeout => Some("Time"),
        Reason::Adjudication => Some("Forfeit"),
        _ => None,
    }
}

/// Returns the property and the value that a comment stands for.
fn annotation(text: &str) -> Option<(&'static str, &'static str)> {
    ANNOTATIONS.iter().find_map(|(name, [plain, strong])| {
        let value = if text == *plain { "1" } else { "2" };
        (text == *plain || text == *strong).then_some((*name, value))
    })
}

/// Returns a time in seconds.
fn seconds(milliseconds: i64) -> String {
    let sign = if milliseconds < 0 { "-" } else { "" };
    let time = milliseconds.unsigned_abs();
    let text = format!("{sign}{}.{:03}", time / 1000, time % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
