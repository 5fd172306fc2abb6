//! What was played, as JSON.

use serde_json::{Map, Value, json};
use tafl_corpus::explorer::{Branch, Counts, Node, Place};
use tafl_corpus::stats::{Share, wilson};
use tafl_corpus::tape::GameResult;
use tafl_rules::Move;

use super::Asked;

/// Returns what was played from a position.
pub(super) fn node(asked: &Asked<'_>, place: &Place, node: &Node) -> anyhow::Result<Value> {
    let mut value = head(asked);
    value.insert("key".to_owned(), json!(format!("{:016x}", place.key())));
    value.extend(counts(&node.counts));
    value.insert("ended_here".to_owned(), json!(node.ended));
    value.insert("went_on_otherwise".to_owned(), json!(node.other));
    let top = asked.top(&node.counts)?.into_iter().map(|(rating, row)| {
        json!({
            "game": row.game.to_string(),
            "attackers": row.attackers,
            "defenders": row.defenders,
            "rating": rating,
            "date": row.date,
            "result": row.result.word(),
            "plies": row.plies,
        })
    });
    value.insert("top".to_owned(), top.collect());
    let shape = asked.game.shape();
    let lines = node.lines.iter().map(|line| {
        let mut value = Map::new();
        value.insert("move".to_owned(), json!(line.mv.text(shape)));
        let alike: Vec<String> = line.alike.iter().map(|mv| mv.text(shape)).collect();
        value.insert("alike".to_owned(), json!(alike));
        value.extend(counts(&line.counts));
        Value::Object(value)
    });
    value.insert("moves".to_owned(), lines.collect());
    Ok(Value::Object(value))
}

/// Returns an opening tree.
pub(super) fn tree(asked: &Asked<'_>, tree: &Branch) -> Value {
    let mut value = head(asked);
    value.insert("counted_by".to_owned(), json!("position"));
    value.insert("min_games".to_owned(), json!(asked.args.min_games));
    value.extend(branch(asked, tree));
    Value::Object(value)
}

fn branch(asked: &Asked<'_>, tree: &Branch) -> Map<String, Value> {
    let mut value = Map::new();
    if let Some(mv) = tree.mv {
        value.insert("move".to_owned(), json!(mv.text(asked.game.shape())));
    }
    value.extend(counts(&tree.counts));
    let children: Vec<Value> =
        tree.children.iter().map(|child| Value::Object(branch(asked, child))).collect();
    if !children.is_empty() {
        value.insert("children".to_owned(), Value::Array(children));
    }
    value
}

fn head(asked: &Asked<'_>) -> Map<String, Value> {
    let text = |mv: &Move| mv.text(asked.game.shape());
    let moves: Vec<String> = asked.moves.iter().map(text).collect();
    let value = json!({
        "variant": asked.variant.name(),
        "moves_before": moves,
        "position": asked.game.setup().to_string(),
        "to_move": asked.game.to_move().word(),
        "as_it_stands": asked.args.as_it_stands,
        "where": asked.args.filter,
    });
    match value {
        Value::Object(map) => map,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

/// Returns counts; shares are of games with a known end.
fn counts(counts: &Counts) -> Map<String, Value> {
    let mut value = Map::new();
    value.insert("games".to_owned(), json!(counts.n_games()));
    for result in GameResult::ALL {
        value.insert(result.word().to_owned(), json!(counts.with_result(result)));
    }
    for (name, result) in
        [("attackers_share", GameResult::Attackers), ("defenders_share", GameResult::Defenders)]
    {
        let share = wilson(counts.with_result(result), counts.n_ended());
        let object =
            share.map(|Share { value, low, high }| json!({ "value": value, "low": low, "high": high }));
        value.insert(name.to_owned(), json!(object));
    }
    value.insert("mean_plies".to_owned(), json!(counts.mean_plies()));
    value.insert("last_played".to_owned(), json!(counts.last_played()));
    value
}
