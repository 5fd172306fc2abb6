//! The server: it lists the tools and calls them, each on a thread of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;
use taflbase::{App, CancelToken, Error, ErrorAnswer, Job, Result, answer};

use super::tools::{JsonObject, ModelTool, ToolAnswer, ToolContext, tools};

/// The description of all tools for the model.
const INSTRUCTIONS: &str = "Tools for board games of the tafl family. Cells are written like `d4`, and moves like `d4-d7`, \
    with the captured cells after an x: `d4-d7xd6`. A variant is a name, such as brandubh7, tablut9, or copenhagen11, or a \
    rules string. A position is a position record (rank 1 first) or a FEN. Never guess whether a move is legal or captures: \
    ask the tool.";

/// The server of the tools.
#[derive(Clone)]
pub(super) struct ToolServer {
    app: Arc<App>,
    corpus: Option<PathBuf>,
}

impl ToolServer {
    /// Creates a server, and opens its corpus if there is one.
    ///
    /// # Errors
    ///
    /// Returns an error if the corpus can't be opened.
    pub(super) fn open(corpus: Option<&Path>) -> Result<ToolServer> {
        // Rules are named by the model, which must not read files.
        let app = App::new();
        if let Some(path) = corpus {
            answer("info", &json!({ "corpus": path }).to_string(), b"", &app, &Job::default())?;
        }
        Ok(ToolServer { app: Arc::new(app), corpus: corpus.map(Path::to_owned) })
    }

    fn tools(&self) -> impl Iterator<Item = &'static ModelTool> + use<> {
        tools(self.corpus.is_some())
    }

    /// Runs a tool on this thread.
    fn run(&self, tool: &ModelTool, arguments: JsonObject, token: CancelToken) -> CallToolResult {
        let job = Job::default().with_token(token);
        let context = ToolContext { app: &self.app, corpus: self.corpus.as_deref(), job: &job };
        match tool.run(arguments, &context) {
            Ok(ToolAnswer::Json(json)) => {
                let value = serde_json::from_str(&json).ok();
                let mut result = CallToolResult::success(vec![ContentBlock::text(json)]);
                result.structured_content = value;
                result
            }
            Ok(ToolAnswer::Picture(bytes)) => {
                CallToolResult::success(vec![ContentBlock::image(STANDARD.encode(bytes), "image/png")])
            }
            Err(error) => failure(error),
        }
    }
}

/// Returns an error as a result, which the model can read to correct its call.
fn failure(error: Error) -> CallToolResult {
    let error = ErrorAnswer::from(error);
    let mut text = error.message.clone();
    if let Some(help) = &error.help {
        text.push_str("; ");
        text.push_str(help);
    }
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = serde_json::to_value(error).ok();
    result
}

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("taflbase", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListToolsResult, ErrorData> {
        let annotations = || ToolAnnotations::new().read_only(true).open_world(false);
        let tool = |tool: &ModelTool| {
            Tool::new(tool.name, tool.description, tool.schema())
                .with_title(tool.title)
                .with_annotations(annotations())
        };
        Ok(ListToolsResult::with_all_items(self.tools().map(tool).collect()))
    }

    /// Rejects unknown methods, and calls with malformed parameters, which the SDK takes for unknown methods.
    async fn on_custom_request(
        &self,
        CustomRequest { method, .. }: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<CustomResult, ErrorData> {
        if method != "tools/call" {
            return Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                format!("unknown method `{method}`"),
                None,
            ));
        }
        let message = "malformed parameters; expected the `name` of a tool, and `arguments`, an object";
        Err(ErrorData::invalid_params(message, None))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools().find(|tool| tool.name == request.name) else {
            let names: Vec<&str> = self.tools().map(|tool| tool.name).collect();
            let message = format!("unknown tool `{}`; the tools are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let token = CancelToken::default();
        let guard = token.clone().cancel_on_drop();
        let (server, arguments) = (self.clone(), request.arguments.unwrap_or_default());
        let running = tokio::task::spawn_blocking(move || server.run(tool, arguments, token));
        let result = tokio::select! {
            result = running => result,
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("the call was canceled", None)),
        };
        drop(guard);
        // A panic of the library costs only this call.
        result
            .map(CallToolResponse::from)
            .map_err(|_| ErrorData::internal_error("internal error of the tool", None))
    }
}
