//! The extension of an editor: its grammars, run by the libraries of the editor, and the findings that it shows.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{in_workspace, sample_folder, tafl, text};

fn extension() -> PathBuf {
    in_workspace("editors/vscode")
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs a script of `tests/integrations/editors`, and returns its standard output.
fn node(script: &str, args: &[&str]) -> String {
    let packages = std::env::var_os("TAFL_CLIENTS").expect("TAFL_CLIENTS is a folder with packages");
    let output = Command::new("node")
        .arg(in_workspace("cli/tests/integrations/editors").join(script))
        .arg(extension().canonicalize().unwrap())
        .args(args)
        .env("NODE_PATH", Path::new(&packages).join("node_modules"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// A token of a colored text.
#[derive(Debug)]
struct ColoredToken {
    text: String,
    /// The scopes below that of the language, the outermost first.
    scopes: Vec<String>,
}

impl ColoredToken {
    fn is(&self, scope: &str) -> bool {
        self.scopes.iter().any(|known| known.starts_with(scope))
    }
}

/// Returns the tokens of a text in a language.
fn tokens(language: &str, text: &str) -> Vec<ColoredToken> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text");
    fs::write(&file, text).unwrap();
    let lines = node("tokens.cjs", &[language, file.to_str().unwrap()]);
    let token = |line: &str| {
        let (_, text, scopes): (u64, String, Vec<String>) = serde_json::from_str(line).unwrap();
        ColoredToken { text, scopes }
    };
    lines.lines().map(token).collect()
}

/// Returns the texts of the tokens with a scope.
fn texts<'t>(tokens: &'t [ColoredToken], scope: &str) -> Vec<&'t str> {
    tokens.iter().filter(|token| token.is(scope)).map(|token| token.text.as_str()).collect()
}

/// Returns the number of moves: the operators between the first two cells of each step.
fn n_steps(tokens: &[ColoredToken]) -> usize {
    texts(tokens, "keyword.operator.move").len()
}

fn sample(name: &str) -> String {
    fs::read_to_string(in_workspace("cli/samples").join(name)).unwrap()
}

#[test]
#[cfg_attr(not(has_clients), ignore = "TAFL_CLIENTS is not set")]
fn every_part_of_a_sample_record_is_colored() {
    let text = sample("copenhagen.otg");
    let tokens = tokens("tafl", &text);
    let plain: Vec<_> =
        tokens.iter().filter(|token| token.scopes.is_empty() && !token.text.trim().is_empty()).collect();
    assert!(plain.is_empty(), "{plain:?}");
    let tags: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix('[')?.split_once(':'))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(texts(&tokens, "entity.name.tag"), tags);
    let turns = text.lines().filter(|line| line.starts_with(char::is_numeric));
    let words: Vec<&str> = turns.clone().flat_map(|turn| turn.split_whitespace().skip(1)).collect();
    assert!(words.len() > 20);
    assert_eq!(n_steps(&tokens), words.len());
    assert_eq!(texts(&tokens, "entity.name.section").len(), turns.count());
    let captured: String =
        words.iter().filter_map(|word| word.split_once('x')).map(|(_, cells)| cells).collect();
    assert_eq!(texts(&tokens, "markup.deleted").concat(), captured);
    assert!(!texts(&tokens, "entity.name.class.defenders").is_empty());
    assert!(texts(&tokens, "invalid").is_empty(), "{tokens:?}");
}

#[test]
#[cfg_attr(not(has_clients), ignore = "TAFL_CLIENTS is not set")]
fn comments_and_variations_of_records_are_colored() {
    let record = "[opening: east]\n[variant:brandubh7]\n\n1. d2-c2 Ke4-e1xc1/Kc3+\n[a [1] comment|on\ntwo lines d1-d2]\n\n\
                  12b.1.1a. ..... d2-c2?!\n3. e3-e5-g5xe4 ---\n";
    let tokens = tokens("tafl", record);
    assert_eq!(texts(&tokens, "entity.name.tag"), ["opening", "variant"]);
    assert_eq!(texts(&tokens, "comment").concat(), "[a [1] comment|ontwo lines d1-d2]");
    assert_eq!(texts(&tokens, "entity.name.section"), ["1.", "12b.1.1a.", "3."]);
    assert_eq!(texts(&tokens, "storage.type.piece"), ["K"]);
    assert_eq!(texts(&tokens, "markup.deleted"), ["c1/Kc3", "e4"]);
    assert_eq!(texts(&tokens, "constant.language.no-move"), [".....", "---"]);
    assert_eq!(texts(&tokens, "keyword.other.annotation"), ["+", "?!"]);
    assert_eq!(n_steps(&tokens), 5);
}

#[test]
#[cfg_attr(not(has_clients), ignore = "TAFL_CLIENTS is not set")]
fn move_lists_are_colored() {
    let text = sample("brandubh.csv");
    let tokens_of_sample = tokens("tafl-moves", &text);
    let lines = || text.lines().filter(|line| !line.starts_with('#'));
    let words = lines().flat_map(|line| line.split(',').next().unwrap().split(' '));
    assert_eq!(n_steps(&tokens_of_sample), words.filter(|word| word.contains('-')).count());
    assert_eq!(texts(&tokens_of_sample, "constant.language.outcome").len(), lines().count());
    let quoted = "Attackers: Ann\nVariant: dim:7 esc:c start:/3t3/7/7/ttTKTtt/7/7/3t3/\n1. d2-c2 (quick) e4-e1xd1xf1 // good\n\
                  2) d3-d4; a comment\nattackers resigned\nd2-c2,0,1,White # date: 2026\n";
    let tokens = tokens("tafl-moves", quoted);
    assert_eq!(texts(&tokens, "entity.name.tag"), ["Attackers", "Variant", "date"]);
    assert_eq!(texts(&tokens, "support.type.property-name"), ["dim", "esc", "start"]);
    assert_eq!(texts(&tokens, "comment").concat(), "(quick)// good; a comment");
    assert_eq!(texts(&tokens, "entity.name.section"), ["1.", "2)"]);
    assert_eq!(texts(&tokens, "markup.deleted"), ["d1xf1"]);
    assert_eq!(texts(&tokens, "keyword.control.end"), ["resigned"]);
    assert_eq!(texts(&tokens, "constant.language.outcome"), ["White"]);
}

#[test]
#[cfg_attr(not(has_clients), ignore = "TAFL_CLIENTS is not set")]
fn the_rules_strings_of_all_variants_are_colored() {
    let list = tafl(Path::new("."), &["rules", "list", "--format", "json"]);
    let variants: Vec<Value> = serde_json::from_slice(&list.stdout).unwrap();
    let strings: Vec<&str> = variants.iter().map(|variant| variant["rules"].as_str().unwrap()).collect();
    assert!(strings.len() > 100);
    let tokens_of_all = tokens("tafl-rules", &strings.join("\n"));
    let wrong: Vec<_> = tokens_of_all
        .iter()
        .filter(|token| token.is("invalid") || token.scopes.is_empty() && token.text.trim() != "")
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let n_words: usize = strings.iter().map(|rules| rules.split(' ').count()).sum();
    assert_eq!(texts(&tokens_of_all, "support.type.property-name").len(), n_words);
    let tokens_of_wrong = tokens("tafl-rules", "dim:7 escape:c start:/3z3/7/\n");
    assert_eq!(texts(&tokens_of_wrong, "invalid"), ["escape", "z"]);
}

#[test]
#[cfg_attr(not(has_clients), ignore = "TAFL_CLIENTS is not set")]
fn the_editor_shows_the_findings_of_the_program() {
    let folder = sample_folder();
    let file = folder.path().join("a.taflmoves");
    fs::write(&file, "d2-c2 e4-e1,0,0,Ongoing\n😀 d2-c2xd3 e4-g4,0,0,Black\n").unwrap();
    let program = env!("CARGO_BIN_EXE_tafl");
    let shown = node("findings.cjs", &[program, "tafl-moves", file.to_str().unwrap()]);
    let shown: Vec<Value> = serde_json::from_str(&shown).unwrap();
    let args = ["validate", "--format", "json", "--variant", "brandubh7", "--as", "movelist", "a.taflmoves"];
    let found: Value = serde_json::from_slice(&tafl(folder.path(), &args).stdout).unwrap();
    let found = found["findings"].as_array().unwrap();
    assert!(found.len() > 2 && found.len() == shown.len(), "{shown:?}");
    for (finding, shown) in found.iter().zip(&shown) {
        assert_eq!((&shown["code"], &shown["severity"]), (&finding["code"], &finding["severity"]));
        assert_eq!(shown["range"]["text"], finding["text"]);
        assert!(shown["message"].as_str().unwrap().starts_with(finding["message"].as_str().unwrap()));
    }
    // A program that can't be run is reported, and shows nothing.
    assert_eq!(
        node("findings.cjs", &["/no/such/program", "tafl-moves", file.to_str().unwrap()]).trim(),
        "[]"
    );
}

#[test]
fn the_extension_names_files_that_exist() {
    let package = json(&extension().join("package.json"));
    let contributes = &package["contributes"];
    let languages = contributes["languages"].as_array().unwrap();
    let grammars = contributes["grammars"].as_array().unwrap();
    let ids: BTreeSet<&str> = languages.iter().map(|language| language["id"].as_str().unwrap()).collect();
    assert_eq!(ids, grammars.iter().map(|grammar| grammar["language"].as_str().unwrap()).collect());
    for language in languages {
        json(&extension().join(language["configuration"].as_str().unwrap()));
    }
    for grammar in grammars {
        let file = json(&extension().join(grammar["path"].as_str().unwrap()));
        assert_eq!(file["scopeName"], grammar["scopeName"]);
    }
    assert!(extension().join(package["main"].as_str().unwrap()).is_file());
}

#[test]
fn the_grammar_has_the_keys_of_rules_strings() {
    let formats = fs::read_to_string(in_workspace("FORMATS.md")).unwrap();
    let section = formats.split("\n## Rules strings").nth(1).unwrap();
    // The first cell of a row has keys, some of them with a value: `xtopo:hex`.
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let words = cells.flat_map(|cell| cell.split(['`', ' ']));
    let documented: BTreeSet<&str> =
        words.map(|word| word.split(':').next().unwrap()).filter(|word| !word.is_empty()).collect();
    let grammar = json(&extension().join("syntaxes/tafl-rules.tmLanguage.json"));
    let pattern = grammar["repository"]["word"]["patterns"][2]["match"].as_str().unwrap();
    let keys = pattern.split(['(', ')']).find(|part| part.contains("|xking|")).unwrap();
    // `name` and the start have patterns of their own.
    let known: BTreeSet<&str> = keys.split('|').chain(["name"]).collect();
    assert_eq!(known, documented);
}

#[test]
#[cfg_attr(not(has_clients), ignore = "TAFL_CLIENTS is not set")]
fn the_problem_matcher_matches_the_text_of_findings() {
    let folder = sample_folder();
    let output = tafl(folder.path(), &["validate", "games", "--color", "never"]);
    let file = folder.path().join("output");
    fs::write(&file, &output.stdout).unwrap();
    let problems: Vec<Value> =
        serde_json::from_str(&node("problems.cjs", &["tafl", file.to_str().unwrap()])).unwrap();
    let args = ["validate", "games", "--format", "json"];
    let found: Value = serde_json::from_slice(&tafl(folder.path(), &args).stdout).unwrap();
    let found = found["findings"].as_array().unwrap().iter();
    let found: Vec<&Value> = found.filter(|finding| finding["severity"] != "note").collect();
    assert!(found.len() > 3 && found.len() == problems.len(), "{problems:?}");
    for (finding, problem) in found.iter().zip(&problems) {
        for name in ["severity", "code", "message", "file"] {
            assert_eq!(problem[name], finding[name]);
        }
        for name in ["line", "column"] {
            assert_eq!(problem[name], finding[name].to_string());
        }
    }
}
