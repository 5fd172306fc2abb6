//! Redaction: a server that others can reach leaves the folders of files out of its answers.

use std::collections::BTreeSet;

use serde_json::Value;
use taflbase::database::CorpusSnapshot;

use super::api_error::ApiError;
use super::assets::html_attribute;

/// The members of answers that name a file. The game of a puzzle is named by its file and its line.
const FILE_MEMBERS: [&str; 3] = ["source", "file", "game"];

/// The separators of folders.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// The minimum length of a folder that is searched for in a text, where shorter ones could be parts of other words.
const MIN_FOLDER: usize = 5;

/// Reduces the names of files in an answer to their last part.
pub(crate) fn redact_folders(answer: &mut Value) {
    match answer {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(path) if FILE_MEMBERS.contains(&name.as_str()) => {
                        *path = file_name(path).to_owned()
                    }
                    other => redact_folders(other),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact_folders),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns the last part of a path. The source of an opening name may be a web address, which stays.
pub(crate) fn file_name(path: &str) -> &str {
    if path.starts_with("https://") || path.starts_with("http://") {
        return path;
    }
    path.rsplit(SEPARATORS).next().unwrap_or(path)
}

/// Returns a document without the folders of the files from which the games of a corpus come.
///
/// # Errors
///
/// Returns an error if a file of the corpus is missing or damaged.
pub(crate) fn redacted_document(document: Vec<u8>, corpus: &CorpusSnapshot) -> Result<Vec<u8>, ApiError> {
    let mut folders = BTreeSet::new();
    for at in corpus.corpus().games() {
        if let Some(source) = corpus.summaries().get(at)?.source {
            add_folder(source, &mut folders);
        }
    }
    for record in corpus.corpus().rejected()? {
        add_folder(&record.source, &mut folders);
    }
    if folders.is_empty() {
        return Ok(document);
    }
    let mut text = match String::from_utf8(document) {
        Ok(text) => text,
        Err(error) => return Ok(error.into_bytes()),
    };
    // A folder comes after its subfolders.
    for folder in folders.iter().rev() {
        for written in written_forms(folder) {
            text = text.replace(&written, "");
        }
    }
    Ok(text.into_bytes())
}

/// Adds the folder of an absolute path, with the separator at its end.
fn add_folder(path: &str, folders: &mut BTreeSet<String>) {
    let is_absolute = path.starts_with(SEPARATORS) || path.get(1..2) == Some(":");
    let folder = &path[..path.len() - file_name(path).len()];
    if is_absolute && folder.len() >= MIN_FOLDER && !folders.contains(folder) {
        folders.insert(folder.to_owned());
    }
}

/// Returns a text as it is written in plain text, in HTML, and in JSON.
fn written_forms(text: &str) -> BTreeSet<String> {
    let html = html_attribute(text);
    let json = Value::from(text).to_string();
    BTreeSet::from([text.to_owned(), html, json[1..json.len() - 1].to_owned()])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_names_of_files_remain() {
        let mut answer = json!({
            "source": "/srv/ann/games.otg",
            "copies": [{ "source": "C:\\games\\a.csv", "place": 1 }, { "source": "b.csv" }],
            "findings": [{ "file": "/srv/ann/games.otg" }],
            "puzzle": { "game": "/srv/ann/games.csv:12", "number": "286011b05120a84e" },
            "opening": { "source": "https://example.org/openings" },
            "reason_source": "board",
            "moves": "/3t3/",
        });
        redact_folders(&mut answer);
        assert_eq!(answer["source"], "games.otg");
        assert_eq!(answer["copies"], json!([{ "source": "a.csv", "place": 1 }, { "source": "b.csv" }]));
        assert_eq!(answer["findings"][0]["file"], "games.otg");
        assert_eq!(answer["puzzle"]["game"], "games.csv:12");
        assert_eq!(answer["opening"]["source"], "https://example.org/openings");
        assert_eq!(answer["moves"], "/3t3/");
    }

    #[test]
    fn folders_of_texts_are_absolute() {
        let mut folders = BTreeSet::new();
        for path in ["/srv/a&b/x.otg", "/x.otg", "games/y.otg", "C:\\games\\z.otg", "pasted", ""] {
            add_folder(path, &mut folders);
        }
        assert_eq!(folders.into_iter().collect::<Vec<_>>(), ["/srv/a&b/", "C:\\games\\"]);
        assert!(written_forms("C:\\a&b\\").contains("C:\\\\a&b\\\\"));
        assert!(written_forms("/a&b/").contains("/a&amp;b/"));
    }
}
