//! A request as the arguments of a command line.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// The field whose values are arguments without a name.
const POSITIONAL: &str = "sources";

/// The fields of a request, in the order in which they are declared.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the fields of a request")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Returns a request, whose `kind` is a subcommand, as the arguments of a command line, in the order of its fields.
///
/// A flag is one argument, and so is an option with its value: `--year=2026`. Lists of texts repeat the option, and numbers of
/// a list are joined by commas.
pub(super) fn command_line_args(command: &str, request: &impl Serialize) -> Vec<String> {
    // Only the text keeps the order of the fields.
    let text = serde_json::to_string(request).expect("requests have only texts, numbers, and lists");
    let Fields(fields) = serde_json::from_str(&text).expect("a request is an object");
    let mut args = vec![command.to_owned()];
    for (name, value) in &fields {
        let option = format!("--{}", name.replace('_', "-"));
        let mut add = |text: String| match name.as_str() {
            "kind" | POSITIONAL => args.push(text),
            _ => args.push(format!("{option}={text}")),
        };
        match value {
            Value::Null | Value::Bool(false) | Value::Object(_) => {}
            Value::Bool(true) => args.push(option),
            Value::String(_) | Value::Number(_) => add(shown(value)),
            Value::Array(items) if items.iter().all(Value::is_number) && !items.is_empty() => {
                add(items.iter().map(shown).collect::<Vec<_>>().join(","));
            }
            Value::Array(items) => items.iter().map(shown).for_each(add),
        }
    }
    args
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // Without the `.0` that JSON has.
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        BalanceReportRequest, CompareReportRequest, HealthReportRequest, PlayersReportRequest, ReportGames,
        ReportRequest, SelfplayOptions,
    };
    use super::*;

    fn args(request: &ReportRequest) -> String {
        command_line_args("report", request).join(" ")
    }

    fn games() -> ReportGames {
        ReportGames {
            sources: vec!["games.corpus".into()],
            variant: Some("brandubh7".to_owned()),
            query: Some("year >= 2015".to_owned()),
        }
    }

    #[test]
    fn arguments_are_those_of_version_0_1() {
        let base = "games.corpus --variant=brandubh7 --query=year >= 2015";
        assert_eq!(args(&ReportRequest::Lengths(games())), format!("report lengths {base}"));
        let players = PlayersReportRequest { games: games(), ..PlayersReportRequest::default() };
        assert_eq!(
            args(&ReportRequest::Players(players)),
            format!("report players {base} --limit=100 --min-games=10")
        );
        let health = HealthReportRequest { year: Some(2026), ..HealthReportRequest::default() };
        assert_eq!(args(&ReportRequest::Health(health)), "report health --year=2026");
        let compare = CompareReportRequest {
            sources: vec!["a".into(), "b".into()],
            variant: vec!["x".to_owned(), "y".to_owned()],
            ..CompareReportRequest::default()
        };
        let compare = args(&ReportRequest::Compare(compare));
        assert_eq!(compare, "report compare a b --variant=x --variant=y --min-difference=5");
    }

    #[test]
    fn engine_settings_are_named_only_for_self_play() {
        let off = BalanceReportRequest { games: games(), ..BalanceReportRequest::default() };
        assert!(!args(&ReportRequest::Balance(off)).contains("--nodes"));
        let selfplay_options =
            SelfplayOptions { selfplay: true, vary: vec!["esc=e".to_owned()], ..SelfplayOptions::default() };
        let on = BalanceReportRequest { selfplay_options, ..BalanceReportRequest::default() };
        assert_eq!(
            args(&ReportRequest::Balance(on)),
            "report balance --selfplay --vary=esc=e --games=200 --width=10 --nodes=200,1000,5000 --control=8 --control-games=40 --seed=1"
        );
    }

    #[test]
    fn a_request_survives_json() {
        let request = ReportRequest::Balance(BalanceReportRequest { games: games(), ..Default::default() });
        let text = serde_json::to_string(&request).unwrap();
        assert_eq!(serde_json::from_str::<ReportRequest>(&text).unwrap(), request);
    }
}
