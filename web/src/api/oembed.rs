//! The oEmbed description of a page, by which other sites show a link as a frame (<https://oembed.com>).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taflbase::Bounded;
use taflbase::database::StoredGame;

use crate::api_error::{ApiError, ErrorCode};
use crate::assets::html_attribute;
use crate::request::ApiRequest;
use crate::routes::{Endpoint, Reply, Work};

/// The usual width of a frame in pixels.
const WIDTH: u64 = 640;
/// The usual height of a frame in pixels: what a game on 11x11 cells needs at this width.
const HEIGHT: u64 = 840;

/// A request for the frame of a page.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct OembedParams {
    /// The address of a page of a game or a position
    url: String,
    /// The maximum width of the frame in pixels
    #[serde(default)]
    maxwidth: Bounded<100, 4000, WIDTH>,
    /// The maximum height of the frame in pixels
    #[serde(default)]
    maxheight: Bounded<100, 4000, HEIGHT>,
    /// The format of the answer; only `json`
    #[serde(default)]
    format: OembedFormat,
}

/// The format of an oEmbed answer.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum OembedFormat {
    /// JSON
    #[default]
    Json,
}

/// A frame with a page. The fields are those of oEmbed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct OembedAnswer {
    /// Always `rich`.
    r#type: String,
    /// The version of oEmbed.
    version: String,
    /// The title.
    title: String,
    /// The name of the program.
    provider_name: String,
    /// The frame.
    html: String,
    /// The width of the frame in pixels.
    width: u64,
    /// The height of the frame in pixels.
    height: u64,
}

impl Endpoint for OembedParams {
    const NAME: &'static str = "oembed";
    const PATH: &'static str = "/api/oembed";
    const SUMMARY: &'static str = "The oEmbed description of a page: a frame for other sites.";
    const WORK: Work = Work::Query;
    type Answer = OembedAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let Some((origin, path)) = request.site.split_address(&self.url, &request.host) else {
            return Err(ApiError::parameter("url", "expected the address of a page of this server").help(
                "start `tafl serve` with `--host NAME` if the server has another name for its visitors",
            ));
        };
        let (base, path) = (&request.site.base_path, path.trim_start_matches('/'));
        let (title, target) = match path.strip_prefix("game/") {
            Some(rest) => {
                let id = rest.split(['?', '#', '/']).next().unwrap_or_default();
                let game = StoredGame::find(id, &request.snapshot.corpus)?;
                let name =
                    |name: &Option<String>, side: &str| name.clone().unwrap_or_else(|| side.to_owned());
                let row = &game.row;
                (
                    format!("{} – {}", name(&row.attackers, "Attackers"), name(&row.defenders, "Defenders")),
                    format!("embed/{path}"),
                )
            }
            None => match path.split_once('?') {
                Some(("analysis" | "explore" | "play", query)) => {
                    ("A position".to_owned(), format!("embed/position?{query}"))
                }
                Some(_) | None => {
                    return Err(ApiError::new(
                        ErrorCode::NotFound,
                        "the address is not that of a game or a position",
                    ));
                }
            },
        };
        let (width, height) = (self.maxwidth.get().min(WIDTH), self.maxheight.get().min(HEIGHT));
        let source = html_attribute(&format!("{origin}{base}/{target}"));
        let html = format!(
            "<iframe src=\"{source}\" width=\"{width}\" height=\"{height}\" title=\"{}\" style=\"border: 0\"></iframe>",
            html_attribute(&title)
        );
        Ok(Reply::json(&OembedAnswer {
            r#type: "rich".to_owned(),
            version: "1.0".to_owned(),
            title,
            provider_name: "Taflbase".to_owned(),
            html,
            width,
            height,
        }))
    }
}
