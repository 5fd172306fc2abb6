//! Requests of `taflbase` for JavaScript, as JSON.
//!
//! The file that pages load has this library, the boards of `tafl serve`, and the elements of `js/`; `packager` makes it.

use taflbase::{App, ErrorAnswer, Job, answer};
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
        answer(name, parameters, text, &self.app, &Job::default())
            .map_err(|error| ErrorAnswer::from(error).to_json())
    }

    /// Returns the version of the library.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }
}
