//! The state that outlives a request.

use std::sync::Arc;

#[cfg(feature = "database")]
use crate::database::{CorpusCache, OpeningNames, PuzzleSets};
use crate::engine::{EvalLogs, TablebaseCache};
use crate::{CompiledVariant, Error, Result, RulesCache, Variant};

/// Open corpora, compiled rules, tablebases, and bounded caches, shared by all requests of a program. It keeps no engines.
///
/// # Examples
///
/// ```
/// let app = taflbase::App::new();
/// # let _ = app;
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct App {
    rules: RulesCache,
    reads_rules_files: bool,
    eval_logs: EvalLogs,
    tablebases: TablebaseCache,
    #[cfg(feature = "database")]
    corpora: CorpusCache,
    #[cfg(feature = "database")]
    puzzle_sets: PuzzleSets,
    /// The names of openings, unless they are those of the project.
    #[cfg(feature = "database")]
    opening_names: Option<OpeningNames>,
}

impl App {
    /// Creates an application with empty caches. Requests name rules by a variant or by a rules string.
    pub fn new() -> App {
        App::default()
    }

    /// Lets requests name a file for rules, as on the command line. A server must not: its clients would read its files.
    #[must_use]
    pub fn with_rules_files(self) -> App {
        App { reads_rules_files: true, ..self }
    }

    /// Replaces the names of openings of the project.
    #[cfg(feature = "database")]
    #[must_use]
    pub fn with_opening_names(self, names: OpeningNames) -> App {
        App { opening_names: Some(names), ..self }
    }

    /// Returns the names of openings.
    #[cfg(feature = "database")]
    pub fn opening_names(&self) -> &OpeningNames {
        self.opening_names.as_ref().unwrap_or_else(|| OpeningNames::built_in())
    }

    /// Returns the compiled rules of earlier requests.
    pub fn rules(&self) -> &RulesCache {
        &self.rules
    }

    /// Returns the rules that a request names, compiled. An error is about the parameter `variant` or `rule`.
    pub(crate) fn compiled(&self, text: &str, changes: &[String]) -> Result<Arc<CompiledVariant>> {
        self.rules.find(text, changes, self.reads_rules_files).map_err(of_variant)
    }

    /// Returns the rules that a request names. An error is about the parameter `variant` or `rule`.
    pub(crate) fn variant(&self, text: &str, changes: &[String]) -> Result<Variant> {
        Variant::of(text, self.reads_rules_files)
            .and_then(|variant| variant.changed(changes))
            .map_err(of_variant)
    }

    /// Returns the files of evaluations that are in use.
    pub(crate) fn eval_logs(&self) -> &EvalLogs {
        &self.eval_logs
    }

    /// Returns the tablebases of earlier requests.
    pub(crate) fn tablebases(&self) -> &TablebaseCache {
        &self.tablebases
    }

    /// Returns the corpora that earlier requests opened.
    #[cfg(feature = "database")]
    pub fn corpora(&self) -> &CorpusCache {
        &self.corpora
    }

    /// Returns the puzzles of the corpora of earlier requests.
    #[cfg(feature = "database")]
    pub(crate) fn puzzle_sets(&self) -> &PuzzleSets {
        &self.puzzle_sets
    }
}

/// Names the parameter of an error about rules, unless it is about a change of them.
fn of_variant(error: Error) -> Error {
    if error.parameter.is_some() { error } else { error.of("variant") }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::records::{InferRequest, RecordInputs, ValidateRequest};
    use crate::{
        ErrorKind, Job, MoveRequest, PerftRequest, Request, RulesExplainRequest, RulesRequest, ShowRequest,
        StreamRequest,
    };

    /// Runs every kind of request that names rules, with the text of a parameter, and returns the errors.
    fn errors(app: &App, records: &Path, text: &str) -> Vec<Option<Error>> {
        let (job, rules) = (Job::default(), RulesRequest::of(text));
        let text = || text.to_owned();
        let input = RecordInputs { rules: rules.clone(), ..RecordInputs::of([records]) };
        let validate = ValidateRequest { input, ..ValidateRequest::default() };
        let infer = InferRequest {
            paths: vec![records.to_owned()],
            variant_hint: Some(text()),
            ..InferRequest::default()
        };
        let mv = MoveRequest { rules: rules.clone(), mv: "d1-c1".to_owned(), ..MoveRequest::default() };
        let perft = PerftRequest { variant: text(), depth: 1, ..PerftRequest::default() };
        let show = ShowRequest { rules, ..ShowRequest::default() };
        let explain = RulesExplainRequest { variant: text(), ..RulesExplainRequest::default() };
        let mut errors = vec![
            validate.run(app, &job, &mut |_| Ok(())).err(),
            infer.run(app, &job, &mut |_| Ok(())).err(),
            mv.run(app, &job).err(),
            perft.run(app, &job).err(),
            show.run(app, &job).err(),
            explain.run(app, &job).err(),
        ];
        #[cfg(feature = "database")]
        {
            let mut report = crate::database::BalanceReportRequest::default();
            report.selfplay_options.selfplay = true;
            report.games.variant = Some(text());
            // An error of the rules comes before this one.
            report.selfplay_options.nodes = vec![0];
            let report = crate::database::ReportRequest::Balance(report);
            errors.push(report.make(&[], app, &job).err());
        }
        errors
    }

    #[test]
    fn a_file_with_rules_is_read_by_every_request() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rules.txt");
        let app = App::new().with_rules_files();
        for name in ["one", "other"] {
            std::fs::write(&file, format!("dim:7 name:{name} start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"))
                .unwrap();
            let rules = RulesRequest::of(file.to_str().unwrap()).require(&app).unwrap();
            assert_eq!(rules.variant.name(), name);
        }
    }

    #[test]
    fn files_with_rules_are_read_only_if_that_is_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let (rules, records) = (folder.path().join("rules.txt"), folder.path().join("games.csv"));
        std::fs::write(&rules, "dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/").unwrap();
        std::fs::write(&records, "d1-c1\n").unwrap();
        let text = rules.to_str().unwrap();
        for error in errors(&App::new(), &records, text) {
            let error = error.unwrap();
            let parameter = error.parameter.as_deref().unwrap_or_default();
            assert_eq!(error.kind, ErrorKind::UnknownVariant);
            assert!(["variant", "variant_hint"].contains(&parameter), "{error:?}");
        }
        for error in errors(&App::new().with_rules_files(), &records, text) {
            let kind = error.map(|error| error.kind);
            assert!(matches!(kind, None | Some(ErrorKind::BadParameter)), "{kind:?}");
        }
    }
}
