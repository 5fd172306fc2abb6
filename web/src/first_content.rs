//! What a page shows and requests first, so that a browser with a slow connection needn't wait for the scripts.
//!
//! A page with a board has a picture of it until the scripts draw the board themselves, and preloads the requests that the
//! scripts will send.

use axum::extract::Query;
use axum::http::Uri;
use serde_json::{Map, Value};
use taflbase::corpus::GameId;
use taflbase::{
    App, Job, PictureFormat, PictureTheme, PositionPictureRequest, PositionRequest, Request as _,
};

use super::assets::{self, html_attribute};
use super::snapshot::Snapshot;

/// The requests of the home page.
const HOME_REQUESTS: [&str; 4] = [
    "/api/info?brief=1",
    "/api/variants",
    "/api/games?sort=notable&limit=8",
    "/api/games?sort=date&limit=12",
];

/// The parameters of a position in the address of a page, in the order in which the scripts send them.
const POSITION: [&str; 5] = ["variant", "rules", "position", "side", "moves"];

/// The first content of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FirstContent {
    /// The addresses of the requests that the page will send.
    requests: Vec<String>,
    /// The variant of the page, if its address has none.
    variant: Option<String>,
    /// The position on the board.
    position: Option<PositionRequest>,
}

impl FirstContent {
    /// Returns the first content of the page of a module. It reads the corpus, so it can block.
    pub(crate) fn of(module: &str, address: &Uri, snapshot: Option<&Snapshot>) -> FirstContent {
        let has_query = address.query().is_some_and(|query| !query.is_empty());
        let has_board = matches!(module, "explorer.js" | "analysis.js" | "play.js");
        match module {
            "home.js" => {
                FirstContent { requests: HOME_REQUESTS.map(str::to_owned).into(), ..FirstContent::default() }
            }
            "game.js" => {
                let id = address.path().strip_prefix("/game/");
                id.zip(snapshot)
                    .and_then(|(id, snapshot)| FirstContent::of_game(id, snapshot))
                    .unwrap_or_default()
            }
            "play.js" if !has_query => {
                assets::play_variant().map_or_else(FirstContent::default, FirstContent::of_variant)
            }
            _ if has_board && !has_query => match snapshot.and_then(most_played) {
                Some(variant) => {
                    let content = FirstContent::of_variant(&variant);
                    FirstContent { variant: Some(variant), ..content }
                }
                None => FirstContent::default(),
            },
            _ if has_board => FirstContent::of_position(&position_values(address)).unwrap_or_default(),
            _ => FirstContent::default(),
        }
    }

    fn of_variant(variant: &str) -> FirstContent {
        FirstContent::of_position(&[("variant", variant.to_owned())]).unwrap_or_default()
    }

    /// Returns the first content of a page about a position; `None` if no rules are given.
    fn of_position(values: &[(&'static str, String)]) -> Option<FirstContent> {
        // The pages keep a rules string apart from a name; the server takes both as the variant.
        let named = |name: &'static str| if name == "rules" { "variant" } else { name };
        let (_, rules) = values.iter().find(|(name, _)| named(name) == "variant")?;
        let fields: Map<String, Value> = values
            .iter()
            .map(|(name, value)| (named(name).to_owned(), Value::from(value.as_str())))
            .collect();
        let query: Vec<String> =
            values.iter().map(|(name, value)| format!("{}={}", named(name), encoded(value))).collect();
        let requests =
            [format!("/api/board?variant={}", encoded(rules)), format!("/api/position?{}", query.join("&"))];
        let position = serde_json::from_value(Value::Object(fields)).ok()?;
        Some(FirstContent { requests: requests.into(), variant: None, position: Some(position) })
    }

    /// Returns the first content of the page of a game: its start. `None` for an unknown game.
    fn of_game(id: &str, snapshot: &Snapshot) -> Option<FirstContent> {
        let at = snapshot.corpus.summaries().find(id.parse::<GameId>().ok()?).ok()??;
        let summary = snapshot.corpus.summaries().get(at).ok()?;
        let rules = summary.variant.unwrap_or(summary.rules);
        let move_log = snapshot.corpus.corpus().segments()[at.segment].move_log().ok()?;
        let setup = &move_log.game_setups()[usize::from(move_log.entry(at.row).game_setup)];
        let values = [("variant", rules.to_owned()), ("position", setup.start.clone())];
        let requests = [format!("/api/game/{id}"), format!("/api/board?variant={}", encoded(rules))];
        Some(FirstContent { requests: requests.into(), ..FirstContent::of_position(&values)? })
    }

    /// Returns the elements of the head that preload the requests.
    pub(crate) fn preload_links(&self) -> String {
        let link = |request: &String| {
            let request = html_attribute(request);
            format!("<link rel=\"preload\" as=\"fetch\" crossorigin href=\"{request}\">\n")
        };
        self.requests.iter().map(link).collect()
    }

    /// Returns the content of the page until the scripts run. It is empty if the position can't be drawn.
    pub(crate) fn body(&self, app: &App) -> String {
        let draw = |theme| picture(self.position.as_ref()?, theme, app);
        let Some((light, dark)) = draw(PictureTheme::Light).zip(draw(PictureTheme::Dark)) else {
            return String::new();
        };
        let variant =
            self.variant.as_ref().map_or_else(String::new, |name| format!(" data-variant=\"{name}\""));
        format!(
            "<div class=\"split\"><div class=\"left\"><div class=\"boardhost\"><picture class=\"firstboard\" \
             id=\"firstboard\"{variant}><source media=\"(prefers-color-scheme: dark)\" srcset=\"{dark}\">\
             <img src=\"{light}\" alt=\"Board\"></picture></div></div></div>\n"
        )
    }
}

/// Returns the picture of a position as an address that contains it.
fn picture(position: &PositionRequest, theme: PictureTheme, app: &App) -> Option<String> {
    let request = PositionPictureRequest {
        position: position.clone(),
        format: Some(PictureFormat::Svg),
        theme,
        plain: true,
        ..PositionPictureRequest::default()
    };
    let svg = String::from_utf8(request.run(app, &Job::default()).ok()?.bytes).ok()?;
    let mut address = String::from("data:image/svg+xml,");
    for symbol in svg.chars() {
        match symbol {
            '"' | '#' | '%' | '&' | '<' | '>' | '\n' => address.push_str(&format!("%{:02X}", symbol as u32)),
            // A list of pictures would end at a blank.
            ' ' => address.push_str("%20"),
            other => address.push(other),
        }
    }
    Some(address)
}

/// Returns the named variant with the most games.
fn most_played(snapshot: &Snapshot) -> Option<String> {
    snapshot.stats().ok()?.rules.iter().find_map(|rules| rules.name.clone())
}

/// Returns the parameters of a position in an address that have a value.
fn position_values(address: &Uri) -> Vec<(&'static str, String)> {
    let Ok(Query(given)) = Query::<Vec<(String, String)>>::try_from_uri(address) else { return Vec::new() };
    let value = |name: &'static str| {
        let (_, text) = given.iter().find(|(given, text)| given == name && !text.is_empty())?;
        Some((name, text.clone()))
    };
    let mut values: Vec<_> = POSITION.into_iter().filter_map(value).collect();
    if values.iter().any(|(name, _)| *name == "rules") {
        values.retain(|(name, _)| *name != "variant");
    }
    values
}

/// Returns a text as a value of a query, as browsers write it: a request is only used if its address is the same.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'*' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        b' ' => "+".to_owned(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_a_position_has_a_picture_and_names_its_requests() {
        let of = |module, address: &str| FirstContent::of(module, &address.parse().unwrap(), None);
        let content = |query| of("explorer.js", &format!("/explore?{query}"));
        let known = content("moves=d2-c2,d3-b3&variant=brandubh7");
        assert_eq!(
            known.requests,
            ["/api/board?variant=brandubh7", "/api/position?variant=brandubh7&moves=d2-c2%2Cd3-b3"]
        );
        let body = known.body(&App::new());
        assert_eq!(body.matches("=\"data:image/svg+xml,%3Csvg%20").count(), 2);
        // No quotation mark ends the picture early.
        assert_eq!(body.matches("%3C/svg%3E%0A\"").count(), 2);
        assert_ne!(body, content("variant=brandubh7").body(&App::new()));
        let rules = content("rules=dim:7+ks:c");
        assert_eq!(rules.requests[0], "/api/board?variant=dim%3A7+ks%3Ac");
        for unknown in ["variant=%22%3E%3Cscript%3E", "variant=brandubh7&moves=d2-d9"] {
            let content = content(unknown);
            assert_eq!(content.body(&App::new()), "", "{unknown}");
            assert!(!content.preload_links().contains("script>"));
        }
        for nothing in ["", "variant=", "query=x"] {
            assert_eq!(content(nothing), FirstContent::default(), "{nothing}");
        }
        let play = of("play.js", "/play");
        assert!(play.preload_links().contains("/api/board?variant=") && !play.body(&App::new()).is_empty());
        assert_eq!(of("about.js", "/about"), FirstContent::default());
        assert_eq!(of("game.js", "/game/x"), FirstContent::default());
    }

    #[test]
    fn queries_are_encoded_as_by_browsers() {
        assert_eq!(encoded("dim:7 ks:c/*-._~é"), "dim%3A7+ks%3Ac%2F*-._%7E%C3%A9");
    }
}
