//! Findings as SARIF 2.1.0, the format in which code scanning reads the results of analyses.

use serde::Serialize;
use serde_json::{Value, json};
use tafl_parser::{Code, Severity};
use taflbase::records::{FindingLine, MarkedFinding};

use super::document::{FindingDocument, FinishedRun};
use super::place::{MarkedColumns, WorkingFolder, message_in_record, percent_encoded};
use crate::Exit;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The page of all codes in the repository.
const DIAGNOSTICS_PAGE: &str = "docs/diagnostics.md";

/// The name of the folder to which the addresses of files are relative.
const BASE: &str = "%SRCROOT%";

/// A log with one run, whose rules are the diagnostics.
pub(super) struct SarifFindings {
    folder: WorkingFolder,
    codes: Vec<Code>,
}

impl SarifFindings {
    /// Creates the format for the working folder, to which the addresses of files are relative.
    pub(super) fn new() -> SarifFindings {
        SarifFindings { folder: WorkingFolder::current(), codes: Code::all().collect() }
    }

    fn file(&self, file: &str) -> Value {
        match self.folder.relative(file) {
            Some(path) => json!({ "uri": percent_encoded(&path), "uriBaseId": BASE }),
            None if file == "-" => json!({ "uri": "stdin" }),
            None => json!({ "uri": self.folder.address(file) }),
        }
    }

    fn location(&self, line: &FindingLine<'_>) -> Value {
        let number = line.finding.line;
        let mut place = json!({ "artifactLocation": self.file(&line.file) });
        let Some(marked) = MarkedColumns::of(line) else {
            place["region"] = json!({ "startLine": number });
            return place;
        };
        let shown = MarkedFinding::new(line.finding.clone().into_owned(), Default::default());
        let from = shown.source_line_from;
        place["region"] = json!({
            "startLine": number,
            "startColumn": marked.start,
            "endColumn": marked.end,
            "snippet": { "text": marked.text },
        });
        place["contextRegion"] = json!({
            "startLine": number,
            "startColumn": from,
            "endColumn": from + shown.source_line.chars().count(),
            "snippet": { "text": shown.source_line },
        });
        place
    }
}

impl FindingDocument for SarifFindings {
    fn begin(&self) -> String {
        let rules: Vec<Value> = self.codes.iter().map(|code| rule(*code)).collect();
        let driver = json!({
            "name": "tafl",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        });
        let base = json!({ BASE: { "uri": self.folder.folder_address() } });
        format!(
            "{{\"$schema\":{},\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{},\n\"originalUriBaseIds\":{base},\n\
             \"columnKind\":\"unicodeCodePoints\",\n\"results\":[",
            json!(SCHEMA),
            json!({ "driver": driver })
        )
    }

    fn separator(&self) -> &'static str {
        ",\n"
    }

    fn finding(&self, line: &FindingLine<'_>) -> String {
        let finding = &line.finding;
        let result = json!({
            "ruleId": finding.code,
            "ruleIndex": self.codes.iter().position(|code| code.as_str() == finding.code),
            "level": level(finding.level),
            "message": { "text": message_in_record(line) },
            "locations": [{ "physicalLocation": self.location(line) }],
            "properties": ResultProperties {
                game: line.game,
                id: line.id.as_deref(),
                variant: line.variant.as_deref(),
                ply: finding.ply,
            },
        });
        result.to_string()
    }

    fn end(&self, run: &FinishedRun<'_>) -> String {
        let notify = |text: &String| json!({ "level": "error", "message": { "text": text } });
        let mut notifications: Vec<Value> = run.unread.iter().map(notify).collect();
        if let Some(text) = run.hidden_text() {
            notifications.push(json!({ "level": "note", "message": { "text": text } }));
        }
        let invocation = json!({
            "executionSuccessful": run.exit != Exit::Error,
            "exitCode": run.exit.code(),
            "toolExecutionNotifications": notifications,
        });
        format!(
            "],\n\"invocations\":[{invocation}],\n\"properties\":{}}}]}}\n",
            json!({ "summary": run.summary })
        )
    }
}

/// The record of a result.
#[derive(Serialize)]
struct ResultProperties<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// Returns the description of a code, with a link to its place on the page of all codes.
fn rule(code: Code) -> Value {
    let anchor = format!("{}-{}", code.as_str().to_lowercase(), code.name());
    let page = format!("{DIAGNOSTICS_PAGE}#{anchor}");
    let mut rule = json!({
        "id": code.as_str(),
        "name": code.name(),
        "shortDescription": { "text": code.name().replace('-', " ") },
        "fullDescription": { "text": code.explain() },
        "help": {
            "text": format!("{} ({page})", code.help()),
            "markdown": format!("{}\n\n[{page}]({page})", code.help()),
        },
        "defaultConfiguration": { "level": level(code.severity()) },
    });
    if let Some(repository) = option_env!("CARGO_PKG_REPOSITORY").filter(|address| !address.is_empty()) {
        rule["helpUri"] = format!("{repository}/blob/v{}/{page}", env!("CARGO_PKG_VERSION")).into();
    }
    rule
}
