//! Requests of `taflbase` for JavaScript, as JSON.
//!
//! The file that pages load has this library, the boards of `tafl serve`, and the elements of `js/`; `packager` makes it.

use taflbase::records::{ConvertTextRequest, ValidateTextRequest};
use taflbase::{
    App, BoardRequest, Error, ErrorAnswer, ErrorKind, Job, MoveRequest, PositionRequest, Result,
    RulesDiffRequest, RulesExplainRequest, RulesListRequest, run_json, run_text_json,
};
use wasm_bindgen::prelude::wasm_bindgen;

/// The requests, and what they share.
#[wasm_bindgen]
#[derive(Default)]
pub struct Taflbase {
    app: App,
}

#[wasm_bindgen]
impl Taflbase {
    /// Creates the library.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Taflbase {
        Taflbase::default()
    }

    /// Runs the request with a name: its parameters are a JSON object, and its answer is JSON.
    ///
    /// `text` has the records of `validate` and `convert`; other requests ignore it.
    ///
    /// # Errors
    ///
    /// Returns an `ErrorAnswer` as JSON.
    pub fn request(&self, name: &str, parameters: &str, text: &[u8]) -> std::result::Result<String, String> {
        self.run(name, parameters, text).map_err(|error| ErrorAnswer::from(error).to_json())
    }

    /// Returns the version of the library.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }
}

impl Taflbase {
    fn run(&self, name: &str, parameters: &str, text: &[u8]) -> Result<String> {
        let (app, job) = (&self.app, &Job::default());
        match name {
            "board" => run_json::<BoardRequest>(parameters, app, job),
            "convert" => run_text_json::<ConvertTextRequest>(parameters, text, app, job),
            "move" => run_json::<MoveRequest>(parameters, app, job),
            "position" => run_json::<PositionRequest>(parameters, app, job),
            "rules-diff" => run_json::<RulesDiffRequest>(parameters, app, job),
            "rules-explain" => run_json::<RulesExplainRequest>(parameters, app, job),
            "rules-list" => run_json::<RulesListRequest>(parameters, app, job),
            "validate" => run_text_json::<ValidateTextRequest>(parameters, text, app, job),
            _ => Err(Error::new(ErrorKind::BadParameter, format!("unknown request `{name}`")).with_help(
                "use board, convert, move, position, rules-diff, rules-explain, rules-list, or validate",
            )),
        }
    }
}
