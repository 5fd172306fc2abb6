//! The difference between the settings of a saved series and those of a request, in words of the command line.

use serde_json::Value;
use tafl_rules::RuleSet;

use super::rules_text::rules_text;

/// The settings, in the order in which differences are reported. Variants come before players, because the identities of
/// players depend on the variants.
const ORDER: [&str; 12] = [
    "variants",
    "rules",
    "players",
    "first",
    "second",
    "gauntlet",
    "openings",
    "opening_plies",
    "temperature",
    "limits",
    "plies",
    "seed",
];

/// The commands that save series, each with a setting that only its files have.
const COMMANDS: [(&str, &str); 4] = [
    ("players", "tafl league"),
    ("first", "tafl match"),
    ("temperature", "tafl selfplay"),
    ("finalists", "tafl report design"),
];

/// The first difference between two settings.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SeriesDifference {
    /// The difference, as a clause about the file.
    pub(super) why: String,
    /// What to do about it.
    pub(super) help: String,
}

/// A setting whose values differ, in the words of the command line.
struct ChangedSetting {
    /// The setting in the file; `None` if it has none.
    found: Option<String>,
    /// The requested setting.
    wanted: Option<String>,
    /// Whether `found` is an option that can be copied to the command line.
    is_option: bool,
}

/// Returns the first difference between the settings of a file and those of a request.
pub(super) fn difference(found: &Value, wanted: &Value) -> Option<SeriesDifference> {
    if found == wanted {
        return None;
    }
    let (found, wanted) = (&as_object(found), &as_object(wanted));
    let new_file = "use a new file with --resume".to_owned();
    let command =
        |settings: &Value| COMMANDS.iter().find(|(key, _)| settings.get(key).is_some()).map(|it| it.1);
    match (command(found), command(wanted)) {
        (Some(of_file), requested) if requested != Some(of_file) => {
            return Some(SeriesDifference { why: format!("it is a file of `{of_file}`"), help: new_file });
        }
        (None, Some(requested)) => {
            return Some(SeriesDifference {
                why: format!("it is not a file of `{requested}`"),
                help: new_file,
            });
        }
        _ => {}
    }
    let keys = |settings: &Value| -> Vec<String> {
        settings.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect()
    };
    let others = [keys(found), keys(wanted)].concat();
    let all = ORDER.into_iter().map(str::to_owned).chain(others);
    let is_other = |key: &String| found.get(key) != wanted.get(key);
    let Some(key) = all.into_iter().find(is_other) else {
        let why = "it was written with other settings".to_owned();
        return Some(SeriesDifference { why, help: new_file });
    };
    let value = |settings: &Value| settings.get(&key).cloned().unwrap_or_default();
    Some(changed(&key, &value(found), &value(wanted)).difference())
}

/// Returns settings as one object. Those of `tafl report design` are an array: the request, the rules string, and the engine.
fn as_object(settings: &Value) -> Value {
    match settings.as_array().map(Vec::as_slice) {
        Some([Value::Object(request), rules, engine]) => {
            let mut all = request.clone();
            all.insert("rules".to_owned(), rules.clone());
            all.insert("engine".to_owned(), engine.clone());
            Value::Object(all)
        }
        _ => settings.clone(),
    }
}

impl ChangedSetting {
    fn difference(self) -> SeriesDifference {
        let new_file = "a new file with --resume";
        let ChangedSetting { found, wanted, is_option } = self;
        let help = match &found {
            Some(found) if is_option => format!("use {found}, or {new_file}"),
            _ => format!("use {new_file}"),
        };
        let why = match (found, wanted) {
            (Some(found), Some(wanted)) if found != wanted => {
                format!("it was written with {found}, but {wanted} is requested")
            }
            (Some(found), None) => format!("it was written with {found}, which is not requested"),
            (None, Some(wanted)) => format!("it was written without {wanted}"),
            (Some(found), Some(_)) => {
                return SeriesDifference {
                    why: format!("it was written with another {found}"),
                    help: format!("use {new_file}"),
                };
            }
            (None, None) => "it was written with other settings".to_owned(),
        };
        SeriesDifference { why, help }
    }
}

/// Returns a setting with both values in words.
fn changed(key: &str, found: &Value, wanted: &Value) -> ChangedSetting {
    let setting = |found: Option<String>, wanted: Option<String>| {
        let is_option = found.iter().all(|text| text.starts_with("--"));
        ChangedSetting { found, wanted, is_option }
    };
    let both = |text: fn(&str, &Value) -> Option<String>| setting(text(key, found), text(key, wanted));
    match key {
        "variants" => both(|_, value| variants(value.as_array()?)),
        "rules" => both(|_, value| variants(std::slice::from_ref(value))),
        "first" | "second" => player(&format!("{key} player"), found, wanted),
        "players" => players(found, wanted),
        "openings" => both(|_, value| {
            let files: Vec<&str> = value.as_array()?.iter().filter_map(Value::as_str).collect();
            (!files.is_empty()).then(|| format!("--openings {}", files.join(" ")))
        }),
        "temperature" => {
            let at = usize::from(found.get(0) == wanted.get(0));
            let option = ["--temperature-plies", "--temperature"][at];
            let text = |value: &Value| value.get(at).map(|number| format!("{option} {number}"));
            setting(text(found), text(wanted))
        }
        "limits" => both(|_, value| Some(limit(value))),
        "engine" => both(|_, value| Some(format!("engine `{}`", value.as_str()?))),
        _ => both(|key, value| match value {
            Value::Null | Value::Bool(false) => None,
            Value::Bool(true) => Some(option(key)),
            Value::Number(number) => Some(format!("{} {number}", option(key))),
            Value::String(text) => Some(format!("{} {text}", option(key))),
            Value::Array(_) | Value::Object(_) => Some(option(key)),
        }),
    }
}

/// Returns the option of a setting.
fn option(key: &str) -> String {
    format!("--{}", key.replace('_', "-"))
}

fn limit(value: &Value) -> String {
    match value.as_str() {
        None | Some("") => "no limit".to_owned(),
        Some(limits) => format!("a limit of {limits}"),
    }
}

/// Returns the options of rules strings: `--variant brandubh7,hexentafl4 --rule sw=w`.
fn variants(rules: &[Value]) -> Option<String> {
    let texts: Vec<String> = rules
        .iter()
        .map(|rules| {
            let rules = rules.as_str().and_then(|text| text.parse::<RuleSet>().ok());
            rules.map_or_else(|| "unknown rules".to_owned(), |rules| rules_text(&rules))
        })
        .collect();
    let split = |text: &String| text.find(" --rule ").unwrap_or(text.len());
    let changes = texts.first().map(|text| &text[split(text)..])?;
    if texts.iter().any(|text| &text[split(text)..] != changes) {
        return Some(format!("--variant {}", texts.join(",")));
    }
    let names: Vec<&str> = texts.iter().map(|text| &text[..split(text)]).collect();
    Some(format!("--variant {}{changes}", names.join(",")))
}

/// Returns the specification of a player.
fn specification(player: &Value) -> &str {
    player.get("player").and_then(Value::as_str).unwrap_or("unknown")
}

/// Returns the difference between two players in the same place.
fn player(place: &str, found: &Value, wanted: &Value) -> ChangedSetting {
    let (text, other) = (specification(found), specification(wanted));
    let words = |words: fn(&str, &Value) -> String| {
        let [found, wanted] = [found, wanted].map(|player| Some(words(specification(player), player)));
        ChangedSetting { found, wanted, is_option: false }
    };
    if text != other {
        let [found, wanted] = [text, other].map(|text| Some(format!("{place} `{text}`")));
        return ChangedSetting { found, wanted, is_option: false };
    }
    let get = |player: &Value, key: &str| player.get(key).cloned().unwrap_or_default();
    if get(found, "limits") != get(wanted, "limits") {
        return words(|text, player| {
            format!("{} for `{text}`", limit(player.get("limits").unwrap_or(&Value::Null)))
        });
    }
    words(|_, player| {
        let identity = player.get("identity").and_then(|names| names.get(0)).and_then(Value::as_str);
        format!("engine `{}`", identity.unwrap_or("unknown"))
    })
}

/// Returns the first difference between two lists of players.
fn players(found: &Value, wanted: &Value) -> ChangedSetting {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let (found, wanted) = (list(found), list(wanted));
    if found.len() == wanted.len() {
        let pairs = (1..).zip(found.iter().zip(&wanted));
        let mut others = pairs.filter(|(_, (one, other))| one != other);
        if let Some((nth, (one, other))) = others.next() {
            return player(&format!("player {nth}"), one, other);
        }
    }
    let missing = |these: &[Value], those: &[Value]| {
        let is_new =
            |player: &&Value| !those.iter().any(|other| specification(other) == specification(player));
        these.iter().find(is_new).map(|player| format!("player `{}`", specification(player)))
    };
    let (gone, new) = (missing(&found, &wanted), missing(&wanted, &found));
    // One difference at a time.
    let wanted = if gone.is_some() { None } else { new };
    ChangedSetting { found: gone, wanted, is_option: false }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of_match(first: &str, seed: u64) -> Value {
        let player = |text: &str| json!({"player": text, "identity": [text], "limits": "100 nodes"});
        json!({"first": player(first), "second": player("random"), "variants": [], "seed": seed, "openings": []})
    }

    fn why(found: &Value, wanted: &Value) -> String {
        difference(found, wanted).map_or(String::new(), |difference| difference.why)
    }

    #[test]
    fn differences_are_named_by_options_and_players() {
        let found = of_match("taflbase", 1);
        assert_eq!(difference(&found, &found), None);
        let seed = difference(&found, &of_match("taflbase", 2)).unwrap();
        assert_eq!(seed.why, "it was written with --seed 1, but --seed 2 is requested");
        assert_eq!(seed.help, "use --seed 1, or a new file with --resume");
        assert_eq!(
            why(&found, &of_match("random", 2)),
            "it was written with first player `taflbase`, but first player `random` is requested"
        );
        let mut other = found.clone();
        other["openings"] = json!(["a.csv"]);
        assert_eq!(why(&found, &other), "it was written without --openings a.csv");
        assert_eq!(why(&other, &found), "it was written with --openings a.csv, which is not requested");
        let mut other = found.clone();
        other["first"]["limits"] = json!("5 nodes");
        let limits = "it was written with a limit of 100 nodes for `taflbase`, but a limit of 5 nodes for `taflbase` is \
                      requested";
        assert_eq!(why(&found, &other), limits);
    }

    #[test]
    fn files_of_other_commands_are_named() {
        let of_match = of_match("taflbase", 1);
        let of_league = json!({"players": [], "seed": 1});
        assert_eq!(why(&of_league, &of_match), "it is a file of `tafl league`");
        assert_eq!(why(&of_match, &of_league), "it is a file of `tafl match`");
        assert_eq!(why(&json!({"nodes": 1}), &of_match), "it is not a file of `tafl match`");
    }
}
