//! Text from records, as messages may repeat it.

use std::fmt::Write as _;
use std::path::Path;

pub use tafl_reports::is_unsafe;

/// Returns text from a record as a terminal may show it.
///
/// Control characters and those that change the direction of text become `\u{1b}` and the like, so that a record
/// can neither color, move, nor reverse text on the screen. Line feeds are control characters too.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_into(text, &mut out);
    out
}

/// Returns a path as a terminal may show it.
pub fn escape_path(path: &Path) -> String {
    escape(&path.display().to_string())
}

/// Adds text to `out` as [`escape`] returns it.
pub fn escape_into(text: &str, out: &mut String) {
    for symbol in text.chars() {
        if is_unsafe(symbol) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(symbol));
        } else {
            out.push(symbol);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_records_cannot_act_on_a_terminal() {
        assert_eq!(escape("a\x1b[31mb"), "a\\u{1b}[31mb");
        assert_eq!(escape("\u{202e}gnp.exe"), "\\u{202e}gnp.exe");
        assert_eq!(escape("Þórr æsir 王"), "Þórr æsir 王");
        assert_eq!(escape("two\nlines"), "two\\u{a}lines");
    }

    #[cfg(all(unix, feature = "database"))]
    #[test]
    fn paths_in_errors_cannot_act_on_a_terminal() {
        use crate::database::{DesignReportRequest, ImportRequest, ReportRequest};
        use crate::engine::{AnnotateRequest, TuneProduct, TuneRequest};
        use crate::play::{MatchRequest, PairTerms};
        use crate::records::{RecordInputs, ValidateRequest};
        use crate::{App, Job, Request, RulesRequest, StreamRequest};

        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("\x1b[31mgone");
        let (app, job) = (App::new(), Job::default());
        let mut annotate = AnnotateRequest::default();
        annotate.evaluation.curves = Some(gone.clone());
        let rules = RulesRequest::of("brandubh7");
        let tune = TuneRequest { rules, make: TuneProduct::Net, ..TuneRequest::default() };
        let net = TuneRequest { net: Some(gone.display().to_string()), ..tune.clone() };
        let positions = TuneRequest { positions: vec![gone.clone()], ..tune };
        let corpus = folder.path().join("games.corpus");
        let import = ImportRequest { corpus, rows: vec![gone.clone()], ..ImportRequest::default() };
        let validate = ValidateRequest { input: RecordInputs::of([&gone]), ..ValidateRequest::default() };
        let (first, second) = ("random".to_owned(), "random".to_owned());
        let terms = PairTerms {
            variant: vec!["brandubh7".to_owned()],
            openings: vec![gone.clone()],
            ..PairTerms::default()
        };
        let openings = MatchRequest { first, second, terms, ..MatchRequest::default() };
        // A folder exists, but can't be read as a file.
        let unreadable = folder.path().join("\x1b[31mfolder");
        std::fs::create_dir(&unreadable).unwrap();
        let design = DesignReportRequest {
            variant: Some("brandubh7".to_owned()),
            resume: Some(unreadable),
            ..DesignReportRequest::default()
        };
        let errors = [
            annotate.begin_with(None, &job).err(),
            net.run(&app, &job).err(),
            positions.run(&app, &job).err(),
            import.run(&app, &job, &mut |_| Ok(())).err(),
            validate.run(&app, &job, &mut |_| Ok(())).err(),
            Request::run(openings, &app, &job).err(),
            ReportRequest::Design(design).make(&[], &app, &job).err(),
        ];
        for error in errors {
            let message = error.unwrap().message;
            assert!(message.contains("\\u{1b}[31m") && !message.contains('\x1b'), "{message:?}");
        }
    }
}
