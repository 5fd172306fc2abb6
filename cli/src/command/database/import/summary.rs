//! The summary of an import as text.

use std::fmt::Write as _;

use tafl_corpus::IngestSummary;
use tafl_parser::{Code, record_place};
use tafl_rules::{Count, counted};
use taflbase::database::ImportAnswer;
use taflbase::escape::escape;

/// Writes the numbers of better copies that were stored in place of other records.
fn write_replacements(counts: &IngestSummary, out: &mut String) {
    let earlier = counts.replaced - counts.replaced_new;
    for (n, import) in [(counts.replaced_new, "this import"), (earlier, "earlier imports")] {
        if n > 0 {
            let copies = counted(n, "better copy replaced a record", "better copies replaced records");
            let _ = writeln!(out, "  {copies} of {import}");
        }
    }
    if counts.replaced_plies > 0 {
        let _ = writeln!(
            out,
            "  games of earlier imports have {} more",
            counted(counts.replaced_plies, "ply", "plies")
        );
    }
}

/// Returns the summary of an import as text.
pub(super) fn text(answer: &ImportAnswer) -> String {
    let counts = &answer.counts;
    let mut out = format!(
        "{} added ({})",
        counted(counts.added, "game", "games"),
        counted(counts.plies, "ply", "plies")
    );
    if counts.explained > 0 {
        let _ = write!(out, ", {} of them with explained deviations", Count(counts.explained));
    }
    out.push('\n');
    if counts.doubled > 0 {
        let _ = write!(out, "{} of stored games", counted(counts.doubled, "copy", "copies"));
        if counts.prefixes > 0 {
            let _ = write!(out, ", {} longer or shorter than the other record", Count(counts.prefixes));
        }
        out.push('\n');
        write_replacements(counts, &mut out);
    }
    if counts.possible_copies > 0 {
        let _ = writeln!(
            out,
            "{} of stored games, kept and marked",
            counted(counts.possible_copies, "possible copy", "possible copies")
        );
    }
    if counts.merged_opponents > 0 {
        let _ = writeln!(
            out,
            "{} of a player against himself, because of aliases; `tafl player aliases` lists them",
            counted(counts.merged_opponents, "game", "games")
        );
    }
    if counts.rejected > 0 {
        let _ = write!(out, "{} rejected", counted(counts.rejected, "record", "records"));
        if counts.rejected_before > 0 {
            let _ = write!(
                out,
                ", {} of them with the text of another rejected record, which is kept once",
                Count(counts.rejected_before)
            );
        }
        out.push('\n');
        for rejected in &counts.first_rejected {
            let place = record_place(&rejected.source, rejected.place);
            let reason = format!("{}: {}", rejected.reason.code, rejected.reason.message);
            let _ = writeln!(out, "  {}: {}", escape(&place), escape(&reason));
        }
        let n_more = counts.rejected.saturating_sub(counts.first_rejected.len() as u64);
        if n_more > 0 {
            let _ = writeln!(out, "  and {}", counted(n_more, "more record", "more records"));
        }
        for (code, records) in &counts.codes {
            let name = Code::find(code).map_or("?", |code| code.name());
            let _ = writeln!(out, "  {:<8} {:<26} {:>9}", escape(code), name, Count(*records));
        }
    }
    let _ = writeln!(out, "{} in the corpus", counted(answer.corpus_games, "game", "games"));
    out
}
