//! Requests of `taflbase` for JavaScript, as JSON.
//!
//! The file that pages load has this library, the boards of `tafl serve`, and the elements of `js/`. A second file, which is
//! loaded when it is needed, has the library without `tafl_viewer`. `packager` makes both.

use taflbase::{App, ErrorAnswer, Job, RequestTable};
use wasm_bindgen::prelude::wasm_bindgen;

/// The requests of this library.
const REQUESTS: RequestTable = if cfg!(tafl_viewer) { RequestTable::VIEWER } else { RequestTable::ALL };

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
    /// `text` has the records of `convert`, `repair`, and `validate`; other requests ignore it.
    ///
    /// # Errors
    ///
    /// Returns an `ErrorAnswer` as JSON.
    pub fn request(&self, name: &str, parameters: &str, text: &[u8]) -> std::result::Result<String, String> {
        REQUESTS
            .answer(name, parameters, text, &self.app, &Job::default())
            .map_err(|error| ErrorAnswer::from(error).to_json())
    }
}
