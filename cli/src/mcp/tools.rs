//! The tools: their descriptions, and the requests that they run.

use std::path::Path;

use serde_json::{Map, Value, json};
use taflbase::{App, Error, ErrorKind, Job, Result, answer, picture};

/// The arguments or the schema of a tool.
pub(super) type JsonObject = Map<String, Value>;

/// A tool.
pub(super) struct ModelTool {
    /// The name.
    pub(super) name: &'static str,
    /// The name for people.
    pub(super) title: &'static str,
    /// The effect and the answer of the tool, for the model.
    pub(super) description: &'static str,
    /// The request whose parameters the tool has, by the name of its schema.
    schema: &'static str,
    /// The parameters of the request that the tool sets itself, or that name files.
    left_out: &'static [&'static str],
    /// The parameters without which the tool fails.
    required: &'static [&'static str],
    run: fn(JsonObject, &ToolContext<'_>) -> Result<ToolAnswer>,
}

/// The context of the calls of tools.
pub(super) struct ToolContext<'c> {
    /// The corpora, rules, and caches that requests share.
    pub(super) app: &'c App,
    /// The corpus, if there is one.
    pub(super) corpus: Option<&'c Path>,
    /// Progress and cancellation.
    pub(super) job: &'c Job,
}

/// The answer of a tool.
pub(super) enum ToolAnswer {
    /// A JSON object.
    Json(String),
    /// The content of a PNG file.
    Picture(Vec<u8>),
}

/// The tool that needs a corpus.
const SEARCH: &str = "search";

/// The tools.
const TOOLS: [ModelTool; 6] = [
    ModelTool {
        name: "validate",
        title: "Validate game records",
        description: "Checks game records of the tafl family (hnefatafl, brandubh, tablut, and others) in any notation: \
            OpenTafl, PGN, move lists, and more. Returns findings with line, column, message, and advice, and an outline of \
            each game with its moves, captures, and result. Name the variant if the records don't.",
        schema: "validate-text.request",
        left_out: &[],
        required: &["text"],
        run: |mut arguments, context| {
            let Some(Value::String(text)) = arguments.remove("text") else {
                return Err(bad_argument("missing argument `text`: the records, as a text"));
            };
            context.answer("validate", &arguments, text.as_bytes())
        },
    },
    ModelTool {
        name: "legal_moves",
        title: "List legal moves",
        description: "Returns a position of a variant after moves: the pieces, the side to move, the cells to which each \
            piece can move, the captures of the moves that led there, and the end of the game if it has ended. With \
            `may_decline`, the side to move may decline to continue its chain, and the moves are those of both sides.",
        schema: "position.request",
        left_out: &[],
        required: &["variant"],
        run: |arguments, context| context.answer("position", &arguments, b""),
    },
    ModelTool {
        name: "explain",
        title: "Explain rules or a move",
        description: "With a move: reports whether it is legal in the position, and why not or which pieces it captures, by \
            which rule. Rules about repetition need the moves before it, in `moves`. Without a move: returns the rules of \
            the variant in plain words.",
        schema: "move.request",
        left_out: &["explain"],
        required: &["variant"],
        run: |mut arguments, context| {
            if !arguments.contains_key("move") {
                arguments.retain(|name, _| ["variant", "rule"].contains(&name.as_str()));
                return context.answer("rules-explain", &arguments, b"");
            }
            arguments.insert("explain".to_owned(), true.into());
            context.answer("move", &arguments, b"")
        },
    },
    ModelTool {
        name: "evaluate",
        title: "Evaluate a position",
        description: "Searches a position with the engine, and returns the best lines with scores in men for the side to \
            move, or the side that wins and in how many plies. A line that begins with `decline` means that the side to move \
            declines to continue its chain of captures. The default takes about a second; set `nodes` or `time` for more or \
            less.",
        schema: "eval.request",
        left_out: &["search_threads", "hash"],
        required: &["variant"],
        run: |arguments, context| context.answer("eval", &arguments, b""),
    },
    ModelTool {
        name: SEARCH,
        title: "Search games",
        description: "Searches the corpus of games for games or positions with a query, such as `variant:brandubh7 \
            result:attackers`, `player:Ann`, or `piece:king capture`. Returns the hits with games and positions, and the \
            number of all hits.",
        schema: "search.request",
        left_out: &[],
        required: &["query"],
        run: |mut arguments, context| {
            arguments.insert("corpus".to_owned(), json!(context.corpus));
            context.answer("search", &arguments, b"")
        },
    },
    ModelTool {
        name: "render",
        title: "Draw a board",
        description: "Draws a position of a variant as a picture (PNG). Without a position, it is the start.",
        schema: "show.request",
        left_out: &["game", "ply", "diagram_every", "animate", "format", "as"],
        required: &[],
        run: |mut arguments, context| {
            arguments.insert("format".to_owned(), "png".into());
            let shown = picture(&Value::Object(arguments).to_string(), context.app, context.job)?;
            Ok(ToolAnswer::Picture(shown.bytes))
        },
    },
];

/// Returns the tools of a server with or without a corpus.
pub(super) fn tools(has_corpus: bool) -> impl Iterator<Item = &'static ModelTool> {
    TOOLS.iter().filter(move |tool| has_corpus || tool.name != SEARCH)
}

impl ToolContext<'_> {
    fn answer(&self, name: &str, arguments: &JsonObject, text: &[u8]) -> Result<ToolAnswer> {
        let parameters = serde_json::to_string(arguments).expect("a JSON object has only texts as keys");
        answer(name, &parameters, text, self.app, self.job).map(ToolAnswer::Json)
    }
}

impl ModelTool {
    /// Returns the JSON Schema of the arguments.
    pub(super) fn schema(&self) -> JsonObject {
        let schemas = taflbase::schemas();
        let named = schemas.iter().find(|named| named.name == self.schema).expect("the request has a schema");
        let Value::Object(mut schema) = named.schema().to_value() else {
            unreachable!("a schema is an object")
        };
        schema.remove("title");
        schema.remove("description");
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            properties.retain(|name, _| !self.left_out.contains(&name.as_str()));
            if self.name == "validate" {
                properties
                    .insert("text".to_owned(), json!({ "type": "string", "description": "The records." }));
            }
        }
        schema.insert("required".to_owned(), self.required.into());
        schema.insert("additionalProperties".to_owned(), false.into());
        schema
    }

    /// Runs the tool.
    ///
    /// # Errors
    ///
    /// Fails if an argument is unknown or wrong, or as the request does.
    pub(super) fn run(&self, arguments: JsonObject, context: &ToolContext<'_>) -> Result<ToolAnswer> {
        let schema = self.schema();
        let known = schema["properties"].as_object().expect("every tool has parameters");
        if let Some(name) = arguments.keys().find(|name| !known.contains_key(*name)) {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            return Err(bad_argument(&format!("unknown argument `{name}`"))
                .with_help(format!("the tool has {}", names.join(", "))));
        }
        (self.run)(arguments, context)
    }
}

fn bad_argument(message: &str) -> Error {
    Error::new(ErrorKind::BadParameter, message)
}
