//! The parameters of a route, derived from the schema of its request.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Number, Value, json};
use taflbase::escape::escape;

use super::api_error::{ApiError, ErrorCode};

/// The name of the parameter in the path.
const PATH_PARAM: &str = "id";

/// Former names of parameters, which are accepted and not described.
const OLD_NAMES: [(&str, &str); 3] =
    [("where", "query"), ("rules", "variant"), ("threads", "search_threads")];

/// Former values of parameters, which are accepted and not described: the parameter, the old value, and the new one.
const OLD_VALUES: [(&str, &str, &str); 1] = [("format", "ndjson", "jsonl")];

/// A limit of the server that is tighter than that of the request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ParamLimit {
    /// The name of the parameter.
    pub(crate) name: &'static str,
    /// The maximum value.
    pub(crate) max: u64,
    /// The value if none is given.
    pub(crate) default: u64,
    /// Another parameter and its value, if the limit applies only with them. Such a limit precedes the general one.
    pub(crate) with: Option<(&'static str, &'static str)>,
}

impl ParamLimit {
    /// Creates a limit that always applies.
    pub(crate) const fn new(name: &'static str, max: u64, default: u64) -> ParamLimit {
        ParamLimit { name, max, default, with: None }
    }

    /// Restricts the limit to requests in which another parameter has a value.
    pub(crate) const fn with(self, name: &'static str, value: &'static str) -> ParamLimit {
        ParamLimit { with: Some((name, value)), ..self }
    }

    /// Returns whether the limit applies to a request.
    fn applies(&self, values: &Map<String, Value>) -> bool {
        self.with.is_none_or(|(name, value)| values.get(name).is_some_and(|given| given == value))
    }
}

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Param {
    name: String,
    kind: ParamKind,
    /// The doc comment of the field.
    description: String,
    is_required: bool,
    default: Option<Value>,
}

/// The values of a parameter.
#[derive(Debug, Clone, PartialEq)]
enum ParamKind {
    /// Any text.
    Text,
    /// A whole number in a range.
    Integer { min: u64, max: u64 },
    /// A number above 0.
    Positive,
    /// One of a list of values.
    Choice(Vec<String>),
    /// 1 or 0.
    Flag,
    /// Any number of texts, each given by a parameter of this name.
    Texts,
}

/// The parameters of a route.
#[derive(Debug)]
pub(crate) struct ParamTable {
    list: Vec<Param>,
    limits: &'static [ParamLimit],
    /// The names of the parameters that are required, although they are optional in the request.
    required: &'static [&'static str],
}

impl ParamTable {
    /// Returns the fields of a request as parameters.
    ///
    /// # Panics
    ///
    /// Panics if the request has a field that can't be a parameter, such as a list of numbers.
    pub(crate) fn of<R: JsonSchema>(
        limits: &'static [ParamLimit],
        required: &'static [&'static str],
    ) -> ParamTable {
        let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
        let schema = settings.into_generator().into_root_schema_for::<R>();
        let properties = schema.get("properties").and_then(Value::as_object);
        let params = properties.into_iter().flatten().map(|(name, field)| Param::of(name, field, &schema));
        let mut list: Vec<Param> = params.collect();
        // A message about a number outside of the range names the limit of the server, not that of the request.
        for param in &mut list {
            let of_server =
                limits.iter().filter(|limit| limit.name == param.name).map(|limit| limit.max).max();
            if let (ParamKind::Integer { max, .. }, Some(limit)) = (&mut param.kind, of_server) {
                *max = limit.min(*max);
            }
        }
        ParamTable { list, limits, required }
    }

    /// Converts the parameters of an address to values that the request deserializes. Empty parameters are ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter is unknown, is given twice, or has a wrong value.
    pub(crate) fn read(
        &self,
        given: Vec<(String, String)>,
        in_path: Option<String>,
    ) -> Result<Map<String, Value>, ApiError> {
        let mut values = Map::new();
        let mut seen: Vec<&str> = Vec::new();
        for (name, text) in given {
            let param = self.find(&name)?;
            if param.kind == ParamKind::Texts {
                let texts = values.entry(&param.name).or_insert_with(|| Value::Array(Vec::new()));
                if let (Value::Array(texts), false) = (texts, text.trim().is_empty()) {
                    texts.push(Value::String(text));
                }
                continue;
            }
            if seen.contains(&param.name.as_str()) {
                return Err(param.error(format!("`{}` is given twice", param.name)));
            }
            seen.push(&param.name);
            if !text.trim().is_empty() {
                values.insert(param.name.clone(), param.read(text)?);
            }
        }
        values.extend(in_path.map(|text| (PATH_PARAM.to_owned(), Value::String(text))));
        self.limit(&mut values)?;
        for param in self.list.iter().filter(|param| param.is_required && !param.is_in_path()) {
            // The request itself reports an empty text as an error.
            values.entry(&param.name).or_insert_with(|| Value::String(String::new()));
        }
        Ok(values)
    }

    fn find(&self, name: &str) -> Result<&Param, ApiError> {
        let new_name = OLD_NAMES.iter().find(|(old, _)| *old == name).map(|(_, new)| *new);
        let named = |name: &str| self.in_query().find(|param| param.name == name);
        if let Some(param) = named(name).or_else(|| new_name.and_then(named)) {
            return Ok(param);
        }
        let message = format!("unknown parameter `{}`", escape(name));
        let known: Vec<&str> = self.in_query().map(|param| param.name.as_str()).collect();
        Err(ApiError::new(ErrorCode::BadParameter, message).help(if known.is_empty() {
            "this address takes no parameters".to_owned()
        } else {
            format!("expected {}", known.join(", "))
        }))
    }

    /// Returns the parameters of the query string.
    fn in_query(&self) -> impl Iterator<Item = &Param> {
        self.list.iter().filter(|param| !param.is_in_path())
    }

    /// Checks the limits of the server, and sets their defaults.
    fn limit(&self, values: &mut Map<String, Value>) -> Result<(), ApiError> {
        for param in &self.list {
            let is_own = |limit: &&ParamLimit| limit.name == param.name && limit.applies(values);
            let Some(limit) = self.limits.iter().find(is_own) else { continue };
            match values.get(&param.name).and_then(Value::as_u64) {
                None => drop(values.insert(param.name.clone(), limit.default.into())),
                Some(number) if number > limit.max => {
                    return Err(param.out_of_range(&number.to_string(), limit.max));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Returns the OpenAPI description of the parameters.
    pub(crate) fn openapi(&self) -> Vec<Value> {
        self.list.iter().map(|param| self.describe(param)).collect()
    }

    fn describe(&self, param: &Param) -> Value {
        let limits: Vec<&ParamLimit> = self.limits.iter().filter(|limit| limit.name == param.name).collect();
        let mut schema = param.kind.schema();
        let (mut default, mut description) = (param.default.clone(), param.description.clone());
        if let Some(max) = limits.iter().map(|limit| limit.max).max() {
            schema["maximum"] = max.into();
            default = match limits[..] {
                [limit] => Some(limit.default.into()),
                _ => None,
            };
        }
        if limits.len() > 1 {
            let ranges = limits.iter().map(|limit| {
                let with = limit.with.map(|(name, value)| format!("with {name}={value} "));
                format!("{}at most {}, by default {}", with.unwrap_or_default(), limit.max, limit.default)
            });
            description = format!("{description}: {}", ranges.collect::<Vec<_>>().join("; "));
        }
        if let Some(default) = default {
            schema["default"] = default;
        }
        json!({
            "name": param.name,
            "in": if param.is_in_path() { "path" } else { "query" },
            "required": param.is_required || self.required.contains(&&*param.name),
            "description": description,
            "schema": schema,
        })
    }
}

impl Param {
    fn of(name: &str, field: &Value, request: &Schema) -> Param {
        let text = |name: &str| field[name].as_str().unwrap_or_default().trim_end_matches('.').to_owned();
        let required = request.get("required").and_then(Value::as_array);
        Param {
            name: name.to_owned(),
            kind: ParamKind::of(field).unwrap_or_else(|| panic!("`{name}` cannot be a parameter: {field}")),
            description: text("description"),
            is_required: required.is_some_and(|names| names.iter().any(|known| known == name)),
            default: field.get("default").filter(|value| !value.is_null()).cloned(),
        }
    }

    fn is_in_path(&self) -> bool {
        self.name == PATH_PARAM
    }

    fn error(&self, message: String) -> ApiError {
        ApiError::new(ErrorCode::BadParameter, message).of(self.name.clone())
    }

    fn out_of_range(&self, text: &str, max: u64) -> ApiError {
        let min = if let ParamKind::Integer { min, .. } = self.kind { min } else { 0 };
        self.error(format!("`{}` must be a number from {min} to {max}, not `{}`", self.name, escape(text)))
    }

    /// Reads a value.
    fn read(&self, text: String) -> Result<Value, ApiError> {
        let name = &self.name;
        Ok(match &self.kind {
            ParamKind::Text | ParamKind::Texts => Value::String(text),
            ParamKind::Integer { min, max } => {
                let number = text.trim().parse().ok().filter(|number| (*min..=*max).contains(number));
                number.map(Value::from).ok_or_else(|| self.out_of_range(&text, *max))?
            }
            ParamKind::Positive => {
                let number = text.trim().parse().ok().filter(|number| *number > 0.0);
                let number = number.and_then(Number::from_f64).map(Value::Number);
                number.ok_or_else(|| {
                    let text = escape(&text);
                    self.error(format!("`{name}` must be a number above 0, such as 2.5, not `{text}`"))
                })?
            }
            ParamKind::Choice(choices) => {
                let old = OLD_VALUES.iter().find(|(param, old, _)| param == name && *old == text);
                let text = old.map_or(text, |(_, _, new)| (*new).to_owned());
                if !choices.contains(&text) {
                    let (choices, text) = (choices.join(", "), escape(&text));
                    return Err(self.error(format!("`{name}` must be one of {choices}, not `{text}`")));
                }
                Value::String(text)
            }
            ParamKind::Flag => match text.as_str() {
                "1" | "yes" | "true" => Value::Bool(true),
                "0" | "no" | "false" => Value::Bool(false),
                other => return Err(self.error(format!("`{name}` must be 1 or 0, not `{}`", escape(other)))),
            },
        })
    }
}

impl ParamKind {
    /// Returns the kind of a field by its schema.
    fn of(field: &Value) -> Option<ParamKind> {
        // The schema of an optional field is a choice of its value and null.
        let is_null = |schema: &&Value| schema["type"] == "null";
        let choices = field["anyOf"].as_array().into_iter().flatten();
        if let Some(value) = choices.into_iter().find(|schema| !is_null(schema)) {
            return ParamKind::of(value);
        }
        let variants = field["oneOf"].as_array().into_iter().flatten();
        let constants = variants.map(|variant| &variant["const"]);
        let values = constants.chain(field["enum"].as_array().into_iter().flatten());
        let values: Vec<String> = values.filter_map(|value| value.as_str().map(ToOwned::to_owned)).collect();
        if !values.is_empty() {
            return Some(ParamKind::Choice(values));
        }
        let kind = match &field["type"] {
            Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null")?.as_str()?,
            kind => kind.as_str()?,
        };
        match kind {
            "string" => Some(ParamKind::Text),
            "boolean" => Some(ParamKind::Flag),
            "array" if field["items"]["type"] == "string" => Some(ParamKind::Texts),
            "number" => Some(ParamKind::Positive),
            "integer" => Some(ParamKind::Integer {
                min: field["minimum"].as_u64().unwrap_or(0),
                max: field["maximum"].as_u64().unwrap_or(u64::MAX),
            }),
            _ => None,
        }
    }

    fn schema(&self) -> Value {
        match self {
            ParamKind::Text => json!({ "type": "string" }),
            ParamKind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            ParamKind::Integer { min, max: u64::MAX } => json!({ "type": "integer", "minimum": min }),
            ParamKind::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
            ParamKind::Positive => json!({ "type": "number", "exclusiveMinimum": 0 }),
            ParamKind::Choice(values) => json!({ "type": "string", "enum": values }),
            ParamKind::Flag => json!({ "type": "boolean" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use taflbase::{Bounded, SideName};

    use super::*;

    #[derive(Debug, Deserialize, JsonSchema)]
    struct TestRequest {
        query: String,
        #[serde(default)]
        limit: Bounded<0, 1_000_000, 10>,
        side: Option<SideName>,
        #[serde(default)]
        as_written: bool,
    }

    fn read(given: &[(&str, &str)]) -> Result<TestRequest, ApiError> {
        const LIMITS: &[ParamLimit] =
            &[ParamLimit::new("limit", 300, 30).with("side", "defenders"), ParamLimit::new("limit", 200, 20)];
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let values = ParamTable::of::<TestRequest>(LIMITS, &[]).read(given, None)?;
        Ok(serde_json::from_value(Value::Object(values)).unwrap())
    }

    fn wrong(given: &[(&str, &str)]) -> (Option<String>, String) {
        let error = read(given).unwrap_err();
        assert_eq!(error.code, ErrorCode::BadParameter);
        (error.parameter.map(String::from), error.message)
    }

    #[test]
    fn an_unknown_parameter_is_named_with_the_known_ones() {
        let error = read(&[("limt", "3")]).unwrap_err();
        assert_eq!(error.message, "unknown parameter `limt`");
        assert_eq!(error.help.as_deref(), Some("expected query, limit, side, as_written"));
    }

    #[test]
    fn wrong_values_name_their_parameter() {
        let limit = Some("limit".to_owned());
        assert_eq!(wrong(&[("limit", "3"), ("limit", "4")]).0, limit);
        assert_eq!(wrong(&[("limit", "x")]).0, limit);
        let too_many = "`limit` must be a number from 0 to 200, not `201`".to_owned();
        assert_eq!(wrong(&[("limit", "201")]), (limit, too_many));
        assert_eq!(wrong(&[("side", "white")]).1, "`side` must be one of attackers, defenders, not `white`");
        assert_eq!(wrong(&[("as_written", "perhaps")]).1, "`as_written` must be 1 or 0, not `perhaps`");
    }

    #[test]
    fn missing_parameters_have_their_defaults() {
        let request = read(&[("limit", " ")]).unwrap();
        assert_eq!((request.query.as_str(), request.limit.get()), ("", 20));
        assert_eq!((request.side, request.as_written), (None, false));
        let request = read(&[("side", "defenders"), ("as_written", "1")]).unwrap();
        assert_eq!((request.side, request.limit.get()), (Some(SideName::Defenders), 30));
        assert!(request.as_written);
    }

    #[test]
    fn the_description_has_ranges_and_defaults() {
        const LIMITS: &[ParamLimit] = &[ParamLimit::new("limit", 200, 20)];
        let described = ParamTable::of::<TestRequest>(LIMITS, &[]).openapi();
        assert_eq!(
            described[1]["schema"],
            json!({ "type": "integer", "minimum": 0, "maximum": 200, "default": 20 })
        );
        assert_eq!(described[0]["required"], true);
        assert_eq!(described[2]["schema"]["enum"], json!(["attackers", "defenders"]));
    }
}
