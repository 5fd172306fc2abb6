//! What became of the records of an import, in words and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use tafl_corpus::ingest::IngestSummary;
use tafl_parser::Code;

use crate::args::rules::TextFormat;
use crate::number::{Count, counted};
use taflbase::escape::escape;

/// What became of the records of an import.
pub(super) struct Summary {
    /// What the corpus says.
    pub(super) counts: IngestSummary,
    /// Files of folders that hold no records.
    pub(super) skipped: u64,
    /// Inputs that could not be read, to the end or at all.
    pub(super) unreadable: u64,
    /// How many games the corpus has now.
    pub(super) corpus_games: u64,
}

/// The fields in this order are the JSON object; their names are an interface.
#[derive(Serialize)]
struct Json<'a> {
    r#type: &'static str,
    added: u64,
    plies: u64,
    explained: u64,
    doubled: u64,
    replaced: u64,
    prefixes: u64,
    rejected: u64,
    rejected_before: u64,
    codes: &'a BTreeMap<String, u64>,
    variants: &'a BTreeMap<String, u64>,
    skipped: u64,
    unreadable: u64,
    corpus_games: u64,
}

impl Summary {
    /// Returns the summary.
    pub(super) fn write(&self, format: TextFormat) -> String {
        match format {
            TextFormat::Text => self.text(),
            TextFormat::Json => self.json(),
        }
    }

    fn json(&self) -> String {
        let counts = &self.counts;
        let json = Json {
            r#type: "summary",
            added: counts.added,
            plies: counts.plies,
            explained: counts.explained,
            doubled: counts.doubled,
            replaced: counts.replaced,
            prefixes: counts.prefixes,
            rejected: counts.rejected,
            rejected_before: counts.rejected_before,
            codes: &counts.codes,
            variants: &counts.variants,
            skipped: self.skipped,
            unreadable: self.unreadable,
            corpus_games: self.corpus_games,
        };
        serde_json::to_string(&json).expect("a summary has only texts and numbers") + "\n"
    }

    fn text(&self) -> String {
        let counts = &self.counts;
        let mut out =
            format!("{} added ({} plies)", counted(counts.added, "game", "games"), Count(counts.plies));
        if counts.explained > 0 {
            let _ = write!(out, ", {} of them with explained faults", Count(counts.explained));
        }
        out.push('\n');
        if counts.doubled > 0 {
            let _ = write!(out, "{} of stored games", counted(counts.doubled, "copy", "copies"));
            let better = format!("{} better than the stored one", Count(counts.replaced));
            let beginnings = format!("{} but a beginning", Count(counts.prefixes));
            let parts = [(counts.replaced, better), (counts.prefixes, beginnings)];
            for (_, words) in parts.iter().filter(|(count, _)| *count > 0) {
                let _ = write!(out, ", {words}");
            }
            out.push('\n');
        }
        if counts.rejected > 0 {
            let _ = write!(out, "{} rejected", counted(counts.rejected, "record", "records"));
            if counts.rejected_before > 0 {
                let _ = write!(out, ", {} of them before", Count(counts.rejected_before));
            }
            out.push('\n');
            for (code, records) in &counts.codes {
                let name = Code::find(code).map_or("?", |code| code.name());
                let _ = writeln!(out, "  {:<8} {:<26} {:>9}", escape(code), name, Count(*records));
            }
        }
        let _ = writeln!(out, "{} in the corpus", counted(self.corpus_games, "game", "games"));
        out
    }
}
