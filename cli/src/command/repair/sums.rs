//! Records by what they come to, counted.

use std::fmt::Write as _;

use serde::Serialize;
use tafl_parser::Severity;
use tafl_parser::repair::Standing;

use super::mend::Done;
use crate::Exit;
use crate::args::repair::Apply;
use crate::io::{Paint, Style};
use crate::number::{Count, counted};

/// Counts of records. The fields in this order are the JSON object; their names are an interface.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Sums {
    games: u64,
    /// Nothing is to be repaired.
    sound: u64,
    /// What is wrong has a reason, and it is no slip of the writer.
    explained: u64,
    /// One repair comes far before all others.
    decided: u64,
    /// Several repairs come near each other.
    ambiguous: u64,
    /// There is no repair.
    undecidable: u64,
    /// Records that were written repaired.
    repaired: u64,
    /// Records whose repair the notation cannot say.
    not_writable: u64,
    /// Files with something that is not a record's fault.
    #[serde(skip)]
    broken_files: u64,
}

impl Sums {
    /// Counts a record.
    pub(super) fn add(&mut self, standing: Standing, done: Done) {
        self.games += 1;
        let count = match standing {
            Standing::Sound => &mut self.sound,
            Standing::Explained(_) => &mut self.explained,
            Standing::Decided => &mut self.decided,
            Standing::Ambiguous => &mut self.ambiguous,
            Standing::Undecidable(_) => &mut self.undecidable,
        };
        *count += 1;
        match done {
            Done::Repaired => self.repaired += 1,
            Done::NotWritable(_) => self.not_writable += 1,
            Done::Nothing => {}
        }
    }

    /// Counts a finding about a file.
    pub(super) fn add_file(&mut self, severity: Severity) {
        self.broken_files += u64::from(severity > Severity::Note);
    }

    /// Adds other counts.
    pub(super) fn join(&mut self, other: &Sums) {
        self.games += other.games;
        self.sound += other.sound;
        self.explained += other.explained;
        self.decided += other.decided;
        self.ambiguous += other.ambiguous;
        self.undecidable += other.undecidable;
        self.repaired += other.repaired;
        self.not_writable += other.not_writable;
    }

    fn broken(&self) -> u64 {
        self.decided + self.ambiguous + self.undecidable
    }

    /// Returns what the records come to for other programs.
    pub(super) fn exit(&self) -> Exit {
        match self.broken() > self.repaired || self.broken_files > 0 {
            true => Exit::Findings,
            false => Exit::Ok,
        }
    }

    /// Returns the counts as a JSON object with `"type":"summary"`.
    pub(super) fn json(&self) -> String {
        #[derive(Serialize)]
        struct Summary<'a> {
            r#type: &'static str,
            #[serde(flatten)]
            sums: &'a Sums,
        }
        serde_json::to_string(&Summary { r#type: "summary", sums: self }).expect("a summary has only numbers")
    }

    /// Returns the counts for people.
    pub(super) fn text(&self, style: Style, apply: Option<Apply>) -> String {
        let mut out = String::new();
        style.paint(Paint::Bold, &counted(self.games, "game", "games"), &mut out);
        out.push('\n');
        let rows = [
            ("sound", self.sound),
            ("explained: no slip of the writer", self.explained),
            ("broken, one repair comes far before all others", self.decided),
            ("broken, several repairs come near each other", self.ambiguous),
            ("broken, no repair found", self.undecidable),
        ];
        for (words, count) in rows.into_iter().filter(|(_, count)| *count > 0) {
            let _ = writeln!(out, "  {words:<48} {:>9}", Count(count));
        }
        if apply.is_some() {
            let _ = writeln!(out, "  {:<48} {:>9}", "written repaired", Count(self.repaired));
        }
        if self.not_writable > 0 {
            let words = "left as they are: the notation has no words";
            let _ = writeln!(out, "  {words:<48} {:>9}", Count(self.not_writable));
        }
        out
    }
}
