//! Questions: hits page by page or as a stream, games, and checking a question while it is written.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Value, json};
use tafl_corpus::CorpusError;
use tafl_corpus::folder::GameAt;
use tafl_corpus::index::Bits;
use tafl_corpus::query::Query;
use tafl_corpus::search::{Answer, Count, Found, Page, TableFormat, write_hits};
use tafl_corpus::stop::Stop;
use tafl_corpus::summaries::GameSummary;

use crate::command::database::search::{json as lines, notes};
use tafl_web::{
    ApiError, ApiRequest, CSV, Document, ErrorCode, JSON, JsonObject, LINES, Method, Param, ParamKind, Reply,
    Route, Work, schema_of,
};

/// The most hits of a page.
const MOST_HITS: u64 = 100;
/// The most rows of a table, which is made as a whole.
const MOST_ROWS: u64 = 10_000;
/// The most games of a page.
const MOST_GAMES: u64 = 200;
/// The farthest that a page may begin.
const FARTHEST: u64 = 10_000_000;

const QUERY: Param =
    Param { name: "query", kind: ParamKind::Text, words: "The question; see docs/query.md." };
const OFFSET: Param = Param {
    name: "offset",
    kind: ParamKind::Number(0, FARTHEST, 0),
    words: "How many of them are passed over.",
};

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[
    Route {
        name: "games",
        method: Method::Get,
        path: "/api/games",
        summary: "Games, page by page, in the order of the corpus.",
        params: &[&[
            Param { name: "variant", kind: ParamKind::Text, words: "Only games of this variant." },
            Param {
                name: "where",
                kind: ParamKind::Text,
                words: "Only games that fit this question, or have a moment that fits it.",
            },
            OFFSET,
            Param {
                name: "limit",
                kind: ParamKind::Number(0, MOST_GAMES, 50),
                words: "How many games at most.",
            },
        ]],
        work: Work::Query,
        types: &[JSON],
        schema: schema_of::<JsonObject>,
        handler: games,
    },
    Route {
        name: "search",
        method: Method::Get,
        path: "/api/search",
        summary: "Where in the corpus something is so: hits page by page, or all of them as a stream.",
        params: &[&[
            QUERY,
            OFFSET,
            Param {
                name: "limit",
                kind: ParamKind::Between(0, 100_000),
                words: "How many hits at most: as JSON up to 100, 20 where it is not given; as CSV up to 10,000 and as \
                        a stream up to 100,000, so many where it is not given.",
            },
            Param {
                name: "format",
                kind: ParamKind::Choice(&["json", "ndjson", "csv"]),
                words: "A page, a stream of lines of JSON with a summary at the end, or a table.",
            },
        ]],
        work: Work::Query,
        types: &[JSON, LINES, CSV],
        schema: schema_of::<JsonObject>,
        handler: search,
    },
    Route {
        name: "query",
        method: Method::Get,
        path: "/api/query",
        summary: "A question as the server understands it, or what is wrong with it and where.",
        params: &[&[QUERY]],
        work: Work::Quick,
        types: &[JSON],
        schema: schema_of::<JsonObject>,
        handler: check,
    },
];

fn asked(request: &ApiRequest) -> Result<Query, ApiError> {
    request.params.query("query")?.ok_or_else(|| {
        ApiError::new(ErrorCode::BadQuery, "the question is empty")
            .of("query")
            .help("docs/query.md has examples")
    })
}

fn check(request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
    let query = asked(request)?;
    let about = if query.is_about_games() { "games" } else { "moments" };
    Ok(json!({ "query": query.to_string(), "about": about }).into())
}

fn games(request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
    let offset = request.params.number("offset", 0..=FARTHEST, 0)?;
    let limit = request.params.number("limit", 0..=MOST_GAMES, 50)?;
    let snapshot = &request.snapshot;
    let is_over = || request.job.is_over();
    let stop = Stop::when(&is_over);
    let chosen = request.params.query("where")?.map(|query| having(request, &query, stop)).transpose()?;
    let name = match request.params.text("variant") {
        None => None,
        Some(text) => {
            Some(snapshot.app.rules().named(text).map_err(|error| error.of("variant"))?.variant.name())
        }
    };
    let (mut shown, mut total) = (Vec::new(), 0);
    for at in snapshot.corpus.games() {
        if chosen.as_ref().is_some_and(|sets| !sets[at.segment].contains(at.row)) {
            continue;
        }
        if name.is_some() && snapshot.summaries.get(at)?.variant != name.as_deref() {
            continue;
        }
        if (offset..offset + limit).contains(&total) {
            shown.push(game(request, at)?);
        }
        total += 1;
        if total % 1024 == 0 {
            stop.check()?;
        }
    }
    Ok(json!({ "games": shown, "total": total, "exact": true, "offset": offset }).into())
}

/// Returns the games of each segment that fit a question.
pub(super) fn having(request: &ApiRequest, query: &Query, stop: Stop<'_>) -> Result<Vec<Bits>, ApiError> {
    let segments = request.snapshot.corpus.segments();
    let mut sets: Vec<Bits> = segments.iter().map(|segment| Bits::none(segment.n_games())).collect();
    request.snapshot.searcher.each_until(query, stop, |found| {
        sets[found.segment].insert(found.game);
        ControlFlow::Continue(())
    })?;
    Ok(sets)
}

/// Returns a game as lists have it, with its last position.
fn game(request: &ApiRequest, at: GameAt) -> Result<Value, ApiError> {
    let segment = &request.snapshot.corpus.segments()[at.segment];
    let card = request.snapshot.summaries.get(at)?;
    let mut value = hit_json(&card, &lines::hit(&card, None));
    let play = || {
        let mut player = segment.tape().play(at.row)?;
        while player.advance()? {}
        Ok::<_, tafl_corpus::tape::TapeError>(player.moment().setup().to_string())
    };
    // The list is good without it; `tafl verify` says what is wrong with the tape.
    value["final"] = play().ok().into();
    Ok(value)
}

/// Returns a hit as pages need it: where the rules have no name, they say themselves which board it is.
fn hit_json(card: &GameSummary<'_>, hit: &lines::HitLine<'_>) -> Value {
    let mut value = value_of(hit);
    if card.variant.is_none() {
        value["rules"] = card.rules.into();
    }
    value
}

fn value_of(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("texts and numbers can be written as JSON")
}

fn search(request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
    let formats = [("json", JSON), ("ndjson", LINES), ("csv", CSV)];
    let format = request.params.choice("format", &formats)?;
    let most = match format {
        JSON => MOST_HITS,
        CSV => MOST_ROWS,
        _ => request.limits.streamed_hits,
    };
    let usual = if format == JSON { 20 } else { most };
    let page = Page {
        offset: request.params.number("offset", 0..=FARTHEST, 0)?,
        limit: request.params.number("limit", 0..=most, usual)?,
        count: Count::Page,
    };
    let query = asked(request)?;
    let is_over = || request.job.is_over();
    let answer = request.snapshot.searcher.search_until(&query, page, Stop::when(&is_over))?;
    match format {
        LINES => Ok(stream(Arc::clone(request), query, answer, page.offset)),
        CSV => {
            let snapshot = &request.snapshot;
            let rows = snapshot.searcher.rows(&snapshot.corpus, &query, &answer.hits)?;
            let mut table = Vec::new();
            write_hits(&rows, TableFormat::Csv, &mut table)?;
            let name = "attachment; filename=\"hits.csv\"";
            Ok(Document::new(CSV, table).header("content-disposition", name).into())
        }
        _ => page_of(request, &query, &answer, page.offset).map(Reply::Json),
    }
}

fn page_of(request: &ApiRequest, query: &Query, answer: &Answer, offset: u64) -> Result<Value, ApiError> {
    let snapshot = &request.snapshot;
    let hits: Result<Vec<Value>, CorpusError> =
        answer.hits.iter().map(|found| with_hit(request, query, *found, hit_json)).collect();
    let notes = match answer.total.number() {
        0 => notes::of(query, &snapshot.corpus, &snapshot.searcher).map_err(|error| {
            let unknown = |_| ApiError::new(ErrorCode::Internal, "the corpus cannot be asked");
            error.downcast::<CorpusError>().map_or_else(unknown, ApiError::from)
        })?,
        _ => Vec::new(),
    };
    let summary = lines::Summary::new(&snapshot.corpus, query, answer, offset);
    Ok(json!({
        "query": query.to_string(),
        "about": if query.is_about_games() { "games" } else { "moments" },
        "hits": hits?,
        "summary": value_of(&summary),
        "notes": notes,
    }))
}

/// Makes something of a hit with all that is said of it.
fn with_hit<T>(
    request: &ApiRequest,
    query: &Query,
    found: Found,
    make: impl FnOnce(&GameSummary<'_>, &lines::HitLine<'_>) -> T,
) -> Result<T, CorpusError> {
    let snapshot = &request.snapshot;
    let card: GameSummary<'_> = snapshot.summaries.get(GameAt { segment: found.segment, row: found.game })?;
    let spot = match query.is_about_games() {
        true => None,
        false => Some(snapshot.searcher.spot(query, found)?),
    };
    Ok(make(&card, &lines::hit(&card, spot.as_ref())))
}

/// Returns the lines of all hits, and the summary as the last one.
fn stream(request: Arc<ApiRequest>, query: Query, answer: Answer, offset: u64) -> Reply {
    Reply::Stream(
        LINES,
        Box::new(move |pieces| {
            let mut waiting = String::new();
            for found in &answer.hits {
                waiting += &with_hit(&request, &query, *found, |_, hit| lines::line(hit))?;
                if waiting.len() >= 1 << 14 {
                    pieces.bytes(std::mem::take(&mut waiting))?;
                }
            }
            waiting += &lines::line(&lines::Summary::new(&request.snapshot.corpus, &query, &answer, offset));
            Ok(pieces.bytes(waiting)?)
        }),
    )
}
