//! What was played from a position: the explorer, and opening trees.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use tafl_corpus::explorer::{Choice, Extent, Orientation, Place};
use tafl_corpus::index::Bits;
use tafl_corpus::stop::Stop;

use taflbase::PlayedPosition;

use super::search::having;
use crate::command::database::explore::json::{self, Head};
use crate::web::call::Call;
use crate::web::params::POSITION;
use crate::web::problem::Problem;
use crate::web::routes::{JSON, Method, Param, ParamKind, Reply, Route, Work};

/// Which games count.
const CHOICE: &[Param] = &[
    Param {
        name: "where",
        kind: ParamKind::Text,
        words: "Only games that fit this question, or have a moment that fits it.",
    },
    Param { name: "as_it_stands", kind: ParamKind::Flag, words: "Only games that held the board so." },
];

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[
    Route {
        name: "explore",
        method: Method::Get,
        path: "/api/explore",
        summary: "What was played from a position, and how the games ended.",
        params: &[
            POSITION,
            CHOICE,
            &[Param {
                name: "limit",
                kind: ParamKind::Number(0, 1000, 200),
                words: "How many moves to name at most.",
            }],
        ],
        work: Work::Quick,
        types: &[JSON],
        answer: explore,
    },
    Route {
        name: "tree",
        method: Method::Get,
        path: "/api/tree",
        summary: "The tree of what was played from a position.",
        params: &[
            POSITION,
            CHOICE,
            &[
                Param { name: "depth", kind: ParamKind::Number(1, 8, 3), words: "How many plies deep." },
                Param {
                    name: "min_games",
                    kind: ParamKind::Number(1, 1_000_000_000, 2),
                    words: "The fewest games of a move in the tree.",
                },
            ],
        ],
        work: Work::Query,
        types: &[JSON],
        answer: tree,
    },
];

/// The question about games that a request has, if it has one.
struct Filter<'c> {
    text: Option<&'c str>,
    sets: Option<Vec<Bits>>,
    orientation: Orientation,
}

impl<'c> Filter<'c> {
    fn of(call: &'c Call, stop: Stop<'_>) -> Result<Filter<'c>, Problem> {
        let orientation = match call.params.is_set("as_it_stands")? {
            true => Orientation::AsItStands,
            false => Orientation::Folded,
        };
        let sets = call.params.query("where")?.map(|query| having(call, &query, stop)).transpose()?;
        Ok(Filter { text: call.params.text("where"), sets, orientation })
    }

    fn choice(&self) -> Choice<'_> {
        self.sets.as_deref().map_or(Choice::All, Choice::These)
    }

    fn head<'a>(&'a self, standing: &'a PlayedPosition, moves: &'a [tafl_rules::Move]) -> Head<'a> {
        Head {
            variant: standing.rules.variant.name(),
            game: &standing.game,
            moves,
            orientation: self.orientation,
            filter: self.text,
        }
    }
}

fn explore(call: &Arc<Call>) -> Result<Reply, Problem> {
    let begun = Instant::now();
    let limit = call.params.number("limit", 0..=1000, 200usize)?;
    let is_over = || call.stop.is_now();
    let stop = Stop::when(&is_over);
    let standing = call.position()?;
    let filter = Filter::of(call, stop)?;
    let place = Place::new(&standing.game, &standing.rules.book, filter.orientation);
    let mut node = call.snapshot.explorer.node_until(&place, filter.choice(), stop)?;
    node.lines.truncate(limit);
    let top = node.counts.top().map(|top| Ok((top.rating, call.snapshot.cards.get(top.into())?)));
    let top = top.collect::<Result<Vec<_>, tafl_corpus::CorpusError>>()?;
    let moves: Vec<_> = standing.moves().collect();
    let mut value = json::node(&filter.head(&standing, &moves), &place, &node, &top);
    value["took_ms"] = milliseconds(begun);
    Ok(value.into())
}

fn tree(call: &Arc<Call>) -> Result<Reply, Problem> {
    let begun = Instant::now();
    let extent = Extent {
        depth: call.params.number("depth", 1..=8, 3)?,
        min_games: call.params.number("min_games", 1..=1_000_000_000, 2)?,
    };
    let is_over = || call.stop.is_now();
    let stop = Stop::when(&is_over);
    let standing = call.position()?;
    let filter = Filter::of(call, stop)?;
    let at = (&standing.game, &standing.rules.book);
    let tree = call.snapshot.explorer.tree_until(at, filter.orientation, extent, (filter.choice(), stop))?;
    let moves: Vec<_> = standing.moves().collect();
    let mut value = json::tree(&filter.head(&standing, &moves), &tree, extent.min_games);
    value["took_ms"] = milliseconds(begun);
    Ok(value.into())
}

/// Returns how long something took, in milliseconds with three digits.
pub(crate) fn milliseconds(begun: Instant) -> Value {
    json!(begun.elapsed().as_micros() as f64 / 1e3)
}
