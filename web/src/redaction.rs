//! Redaction: a server that others can reach leaves the folders of files out of its answers.

use serde_json::Value;
use taflbase::parser::file_name;

/// The members of answers that name a file. The game of a puzzle is named by its file and its line.
const FILE_MEMBERS: [&str; 3] = ["source", "file", "game"];

/// Reduces the names of files in an answer to their last part.
pub(crate) fn redact_folders(answer: &mut Value) {
    match answer {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(path) if FILE_MEMBERS.contains(&name.as_str()) => {
                        *path = without_folder(path).to_owned()
                    }
                    other => redact_folders(other),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact_folders),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns a source without its folder. The source of an opening name may be a web address, which is kept.
pub(crate) fn without_folder(source: &str) -> &str {
    let is_address = source.starts_with("https://") || source.starts_with("http://");
    if is_address { source } else { file_name(source) }
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
}
