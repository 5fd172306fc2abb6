//! Writer for tables: a header, and a row with the game.
//!
//! The columns are the same for all games, so that the rows of several records form one table once the
//! repeated headers are removed; with them, readers accept it as well.

use tafl_rules::{BySide, Reason, Shape, Side};

use super::WriteGame;
use super::game_start::rules_to_state;
use super::losses::{Keeps, RecordLosses};
use super::moves::{push_opentafl, step};
use crate::csv_cell::push_csv_field;
use crate::diagnostic::Lost;
use crate::format::csv::FieldComment;
use crate::format::{csv, shape_of};
use crate::record::{Comment, Format, MoveLineId, MoveMark, MovePlace, Tag, WrittenVerdict, tag};
use crate::words;

/// The columns that are not tags are `None`.
const COLUMNS: [(&str, Option<&str>); 22] = [
    ("id", Some(tag::ID)),
    ("event", Some(tag::EVENT)),
    ("site", Some(tag::SITE)),
    ("date", Some(tag::DATE)),
    ("round", Some(tag::ROUND)),
    ("variant", None),
    ("rules", None),
    ("start", None),
    ("first mover", None),
    ("attackers", Some(tag::ATTACKERS)),
    ("defenders", Some(tag::DEFENDERS)),
    ("attackers rating", Some(tag::ATTACKERS_RATING)),
    ("defenders rating", Some(tag::DEFENDERS_RATING)),
    ("time control", Some(tag::TIME_CONTROL)),
    ("rated", Some(tag::RATED)),
    ("result", None),
    ("reason", None),
    ("attacker captures", None),
    ("defender captures", None),
    ("comment", None),
    ("tags", None),
    ("moves", None),
];

const KEEPS: Keeps =
    Keeps { letters: true, marks: &MoveMark::ALL, jumps: true, chains: true, captures: true, sides: false };

/// Appends the header and the row of a record.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    note_losses(game, losses);
    push_row(COLUMNS.map(|(name, _)| name.to_owned()), out);
    // Readers drop blanks around a value.
    let tags: Vec<Tag<'_>> = record.tags.iter().map(|tag| Tag { value: tag.value.trim(), ..tag }).collect();
    let is_used = vec![false; tags.len()];
    let capture_counts = game.capture_counts_to_write(true, losses);
    let mut row = RowWriter { game, losses, tags, is_used, capture_counts };
    let mut fields = COLUMNS.map(|(name, tag)| match tag {
        Some(tag) => row.tag(tag),
        None => row.field(name),
    });
    // The other tags are those that no column has taken.
    fields[COLUMNS.len() - 2] = row.other_tags();
    row.note_trimmed();
    let start = out.len();
    push_row(fields.clone(), out);
    if csv::is_blank(&out.as_bytes()[start..]) {
        // An empty row is not a record.
        out.truncate(start);
        fields[COLUMNS.len() - 7] = "?".to_owned();
        row.losses.changed(Lost::Result, 1);
        push_row(fields, out);
    }
}

struct RowWriter<'w, 'a> {
    game: WriteGame<'a>,
    losses: &'w mut RecordLosses,
    /// The tags without blanks around their values.
    tags: Vec<Tag<'a>>,
    /// Whether each tag has been written.
    is_used: Vec<bool>,
    /// The numbers of captures to write.
    capture_counts: Option<BySide<u32>>,
}

impl RowWriter<'_, '_> {
    /// Returns the value of the first writable tag with a name, if it fits into a field of its own. If that tag has to be a line
    /// in the column of tags, the result is empty. A later tag with the same name is not used instead: readers put the fields
    /// first, so this would change the order of the two tags.
    fn tag(&mut self, name: &str) -> String {
        let mut tags = self.tags.iter().copied().enumerate().filter(|(_, tag)| tag.name == name);
        let fits_field = |tag: &Tag<'_>| csv::reads_as_tag(name, tag.value) && fits(tag.value);
        match tags.find(|(_, tag)| fits_field(tag) || is_line(tag)) {
            Some((nth, tag)) if fits_field(&tag) => {
                self.is_used[nth] = true;
                tag.value.to_owned()
            }
            Some(_) | None => String::new(),
        }
    }

    fn field(&mut self, name: &str) -> String {
        let record = self.game.record;
        match name {
            "variant" => self.text(record.variant.as_ref().map(|variant| &*variant.text), Lost::Variant),
            "rules" => self.rules(),
            "start" => self.start(),
            "first mover" => record.first_mover.map_or_else(String::new, |side| side.as_str().to_owned()),
            "result" => self.result().to_owned(),
            "reason" => self.reason(),
            "attacker captures" => self.count(Side::Attackers),
            "defender captures" => self.count(Side::Defenders),
            "comment" => self.comment(),
            "moves" => self.moves(),
            _ => String::new(),
        }
    }

    fn text(&mut self, text: Option<&str>, what: Lost) -> String {
        let Some(text) = text else { return String::new() };
        if fits(text) {
            return text.to_owned();
        }
        self.losses.left_out(what, 1);
        String::new()
    }

    /// Returns the rules to write. Games without a variant name get those of the replay.
    fn rules_to_write(&self) -> Option<&str> {
        rules_to_state(self.game, Format::Csv).filter(|rules| !rules.is_empty())
    }

    /// Returns the rules string, if it fits its column: other texts there are names of variants.
    fn rules(&mut self) -> String {
        let fits_column =
            |rules: &&str| fits(rules) && rules.split_ascii_whitespace().any(|word| word.starts_with("dim:"));
        let known = self.rules_to_write();
        let written = known.filter(fits_column).unwrap_or_default().to_owned();
        let is_lost = known.is_some() && written.is_empty();
        self.losses.left_out(Lost::Rules, usize::from(is_lost));
        written
    }

    fn start(&mut self) -> String {
        let Some(start) = &self.game.record.start else { return String::new() };
        let text = start.setup.to_string();
        let rows = text.trim_matches('/').split('/').count();
        let rules = self.rules_to_write().filter(|rules| fits(rules));
        let shape = rules.and_then(shape_of).or_else(|| Shape::square(u8::try_from(rows).ok()?));
        if shape == Some(start.setup.shape()) {
            return text;
        }
        self.losses.left_out(Lost::Start, 1);
        String::new()
    }

    /// Returns the word for the result.
    fn result(&mut self) -> &'static str {
        let from_ending = self.game.record.format != Format::Csv;
        match self.game.result_to_write(from_ending, self.losses).map(|stated| stated.verdict) {
            Some(WrittenVerdict::Win(side)) => side.as_str(),
            Some(WrittenVerdict::Draw) => "draw",
            Some(WrittenVerdict::Ongoing) => "ongoing",
            Some(WrittenVerdict::Unknown) => "?",
            None => "",
        }
    }

    /// Returns the reason for the end, in the words of the record if it has any that imply it.
    fn reason(&mut self) -> String {
        let record = self.game.record;
        let mut words = self.tags.iter().copied().enumerate().filter(|(_, tag)| tag.name == tag::TERMINATION);
        let first = words.next().filter(|(_, tag)| fits(tag.value));
        let known = record.result.and_then(|result| result.reason);
        let implies = |words: &str| {
            known.is_none_or(|known| words::reason(words).or_else(|| words.parse().ok()) == Some(known))
        };
        // Several tags keep their order among the other tags.
        if let Some((nth, tag)) = first.filter(|(_, tag)| words.next().is_none() && implies(tag.value)) {
            self.is_used[nth] = true;
            return tag.value.to_owned();
        }
        // The column of moves has the reason that the last statement gives.
        let of_ending = record.ending.map(|ending| ending.kind.reason());
        let stated = self.game.stated_result(record.format != Format::Csv);
        let reason = stated.and_then(|stated| stated.reason);
        let is_new = |reason: &Reason| {
            record.result.is_some_and(|result| result.reason.is_some()) || Some(*reason) != of_ending
        };
        reason.filter(is_new).map_or_else(String::new, |reason| reason.as_str().to_owned())
    }

    fn count(&self, side: Side) -> String {
        self.capture_counts.map_or_else(String::new, |counts| counts[side].to_string())
    }

    /// Returns the comments on the moves of the game.
    fn comment(&mut self) -> String {
        let record = self.game.record;
        let is_main = |comment: &Comment<'_>| {
            let MovePlace { line, after } = comment.place;
            line == MoveLineId::MAIN && after as usize <= record.main().moves.len()
        };
        let of_game = record.comments.iter().filter(is_main);
        let of_game: Vec<FieldComment<'_>> =
            of_game.map(|comment| FieldComment { after: comment.place.after, text: comment.text }).collect();
        let joined = csv::join_comments(&of_game).filter(|text| fits(text));
        // Some comments are better than none.
        let (text, n_kept) = match joined {
            Some(text) => (text, of_game.len()),
            None => match of_game.iter().find(|comment| comment.after == 0 && fits(comment.text)) {
                Some(first) => (first.text.to_owned(), 1),
                None => (String::new(), 0),
            },
        };
        self.losses.left_out(Lost::Comments, record.comments.len() - n_kept);
        text
    }

    fn other_tags(&mut self) -> String {
        let others = (0..self.tags.len()).filter(|nth| !self.is_used[*nth]);
        let (lines, lost): (Vec<usize>, Vec<usize>) = others.partition(|nth| is_line(&self.tags[*nth]));
        let line = |nth: &usize| format!("{}: {}", self.tags[*nth].name, self.tags[*nth].value);
        let text = lines.iter().map(line).collect::<Vec<_>>().join("\n");
        if text.is_empty() || fits(&text) {
            self.losses.left_out_tags(lost.iter().map(|nth| self.tags[*nth].name));
            lines.into_iter().for_each(|nth| self.is_used[nth] = true);
            return text;
        }
        self.losses.left_out_tags(lost.iter().chain(&lines).map(|nth| self.tags[*nth].name));
        String::new()
    }

    /// Reports the tags that are written without the blanks around their values.
    fn note_trimmed(&mut self) {
        let written = self.game.record.tags.iter().zip(&self.tags).zip(&self.is_used);
        let trimmed = written.filter(|((old, new), is_used)| **is_used && old.value != new.value);
        self.losses.changed(Lost::Tags, trimmed.count());
    }

    fn moves(&mut self) -> String {
        let record = self.game.record;
        let mut out = String::new();
        let ending = |nth: usize| record.ending.filter(|ending| ending.after as usize == nth);
        for nth in 0..=record.main().moves.len() {
            if let Some(ending) = ending(nth) {
                part(&mut out);
                words::push_ending(ending, &mut out);
            }
            if nth < record.main().moves.len() {
                part(&mut out);
                push_opentafl(&step(self.game, Format::Csv, MoveLineId::MAIN, nth), &mut out);
            }
        }
        out
    }
}

/// Returns whether a tag can be a line `name: value` of the column of tags.
fn is_line(tag: &Tag<'_>) -> bool {
    let is_plain = |text: &str| text.trim() == text && !text.is_empty() && !text.contains(['\n', '\r']);
    is_plain(tag.name) && is_plain(tag.value) && !tag.name.contains(": ") && !tag.name.ends_with(':')
}

/// Appends a blank, unless the text is empty.
fn part(out: &mut String) {
    if !out.is_empty() {
        out.push(' ');
    }
}

/// Returns whether a field with this text is read as the same text.
fn fits(text: &str) -> bool {
    // Readers take a longer quoted field for one that is not closed.
    const LONGEST: usize = 100 << 10;
    text.trim() == text && !csv::is_missing(text) && text.len() < LONGEST
}

fn push_row(fields: [String; COLUMNS.len()], out: &mut String) {
    for (nth, field) in fields.iter().enumerate() {
        if nth > 0 {
            out.push(',');
        }
        push_csv_field(field, out);
    }
    out.push('\n');
}

fn note_losses(game: WriteGame<'_>, losses: &mut RecordLosses) {
    let record = game.record;
    losses.all_but_main_line(record, KEEPS);
    losses.unknown_captures(game);
    losses.left_out(Lost::FirstMover, usize::from(record.main().opens_with_second));
    losses.late_ending(record);
}
