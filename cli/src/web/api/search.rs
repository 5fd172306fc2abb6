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
use crate::web::call::{Call, Document};
use crate::web::problem::{Code, Problem};
use crate::web::routes::{CSV, JSON, LINES, Method, Param, ParamKind, Reply, Route, Work};

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
        answer: games,
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
        answer: search,
    },
    Route {
        name: "query",
        method: Method::Get,
        path: "/api/query",
        summary: "A question as the server understands it, or what is wrong with it and where.",
        params: &[&[QUERY]],
        work: Work::Quick,
        types: &[JSON],
        answer: check,
    },
];

fn asked(call: &Call) -> Result<Query, Problem> {
    call.params.query("query")?.ok_or_else(|| {
        Problem::new(Code::BadQuery, "the question is empty").of("query").help("docs/query.md has examples")
    })
}

fn check(call: &Arc<Call>) -> Result<Reply, Problem> {
    let query = asked(call)?;
    let about = if query.is_about_games() { "games" } else { "moments" };
    Ok(json!({ "query": query.to_string(), "about": about }).into())
}

fn games(call: &Arc<Call>) -> Result<Reply, Problem> {
    let offset = call.params.number("offset", 0..=FARTHEST, 0)?;
    let limit = call.params.number("limit", 0..=MOST_GAMES, 50)?;
    let snapshot = &call.snapshot;
    let is_over = || call.stop.is_now();
    let stop = Stop::when(&is_over);
    let chosen = call.params.query("where")?.map(|query| having(call, &query, stop)).transpose()?;
    let name = match call.params.text("variant") {
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
        if name.is_some() && snapshot.cards.get(at)?.variant != name.as_deref() {
            continue;
        }
        if (offset..offset + limit).contains(&total) {
            shown.push(game(call, at)?);
        }
        total += 1;
        if total % 1024 == 0 {
            stop.check()?;
        }
    }
    Ok(json!({ "games": shown, "total": total, "exact": true, "offset": offset }).into())
}

/// Returns the games of each segment that fit a question.
pub(super) fn having(call: &Call, query: &Query, stop: Stop<'_>) -> Result<Vec<Bits>, Problem> {
    let segments = call.snapshot.corpus.segments();
    let mut sets: Vec<Bits> = segments.iter().map(|segment| Bits::none(segment.n_games())).collect();
    call.snapshot.searcher.each_until(query, stop, |found| {
        sets[found.segment].insert(found.game);
        ControlFlow::Continue(())
    })?;
    Ok(sets)
}

/// Returns a game as lists have it, with its last position.
fn game(call: &Call, at: GameAt) -> Result<Value, Problem> {
    let segment = &call.snapshot.corpus.segments()[at.segment];
    let card = call.snapshot.cards.get(at)?;
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

fn search(call: &Arc<Call>) -> Result<Reply, Problem> {
    let formats = [("json", JSON), ("ndjson", LINES), ("csv", CSV)];
    let format = call.params.choice("format", &formats)?;
    let most = match format {
        JSON => MOST_HITS,
        CSV => MOST_ROWS,
        _ => call.limits.streamed_hits,
    };
    let usual = if format == JSON { 20 } else { most };
    let page = Page {
        offset: call.params.number("offset", 0..=FARTHEST, 0)?,
        limit: call.params.number("limit", 0..=most, usual)?,
        count: Count::Page,
    };
    let query = asked(call)?;
    let is_over = || call.stop.is_now();
    let answer = call.snapshot.searcher.search_until(&query, page, Stop::when(&is_over))?;
    match format {
        LINES => Ok(stream(Arc::clone(call), query, answer, page.offset)),
        CSV => {
            let snapshot = &call.snapshot;
            let rows = snapshot.searcher.rows(&snapshot.corpus, &query, &answer.hits)?;
            let mut table = Vec::new();
            write_hits(&rows, TableFormat::Csv, &mut table)?;
            let name = "attachment; filename=\"hits.csv\"";
            Ok(Document::new(CSV, table).header("content-disposition", name).into())
        }
        _ => page_of(call, &query, &answer, page.offset).map(Reply::Json),
    }
}

fn page_of(call: &Call, query: &Query, answer: &Answer, offset: u64) -> Result<Value, Problem> {
    let snapshot = &call.snapshot;
    let hits: Result<Vec<Value>, CorpusError> =
        answer.hits.iter().map(|found| with_hit(call, query, *found, hit_json)).collect();
    let notes = match answer.total.number() {
        0 => notes::of(query, &snapshot.corpus, &snapshot.searcher).map_err(|error| {
            let unknown = |_| Problem::new(Code::Internal, "the corpus cannot be asked");
            error.downcast::<CorpusError>().map_or_else(unknown, Problem::from)
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
    call: &Call,
    query: &Query,
    found: Found,
    make: impl FnOnce(&GameSummary<'_>, &lines::HitLine<'_>) -> T,
) -> Result<T, CorpusError> {
    let snapshot = &call.snapshot;
    let card: GameSummary<'_> = snapshot.cards.get(GameAt { segment: found.segment, row: found.game })?;
    let spot = match query.is_about_games() {
        true => None,
        false => Some(snapshot.searcher.spot(query, found)?),
    };
    Ok(make(&card, &lines::hit(&card, spot.as_ref())))
}

/// Returns the lines of all hits, and the summary as the last one.
fn stream(call: Arc<Call>, query: Query, answer: Answer, offset: u64) -> Reply {
    Reply::Stream(
        LINES,
        Box::new(move |pieces| {
            let mut waiting = String::new();
            for found in &answer.hits {
                waiting += &with_hit(&call, &query, *found, |_, hit| lines::line(hit))?;
                if waiting.len() >= 1 << 14 {
                    pieces.bytes(std::mem::take(&mut waiting))?;
                }
            }
            waiting += &lines::line(&lines::Summary::new(&call.snapshot.corpus, &query, &answer, offset));
            Ok(pieces.bytes(waiting)?)
        }),
    )
}
