//! What was played, as JSON: the answer of `tafl explore` and of the server.

use serde_json::{Map, Value, json};
use tafl_corpus::explorer::{Branch, Counts, Node, Orientation, Place};
use tafl_corpus::summaries::GameSummary;
use tafl_corpus::tape::GameResult;
use tafl_reports::stats::{Estimate, Rate};
use tafl_rules::{Game, Move};

/// The question, as the answer repeats it.
pub(crate) struct Head<'a> {
    /// What the rules are called.
    pub(crate) variant: String,
    /// The game at the position.
    pub(crate) game: &'a Game,
    /// The moves that led there.
    pub(crate) moves: &'a [Move],
    /// Whether images of the position count.
    pub(crate) orientation: Orientation,
    /// The question that games have to fit.
    pub(crate) filter: Option<&'a str>,
}

/// Returns what was played from a position, with the best games and their ratings.
pub(crate) fn node(
    head: &Head<'_>,
    place: &Place,
    node: &Node,
    top: &[(Option<i16>, GameSummary<'_>)],
) -> Value {
    let mut value = head.json();
    value.insert("key".to_owned(), json!(format!("{:016x}", place.key())));
    value.extend(counts(&node.counts));
    value.insert("ended_here".to_owned(), json!(node.ended));
    value.insert("went_on_otherwise".to_owned(), json!(node.other));
    let top = top.iter().map(|(rating, card)| {
        json!({
            "game": card.game.to_string(),
            "attackers": card.attackers,
            "defenders": card.defenders,
            "rating": rating,
            "date": card.date,
            "result": card.result.word(),
            "plies": card.plies,
        })
    });
    value.insert("top".to_owned(), top.collect());
    let shape = head.game.shape();
    let lines = node.lines.iter().map(|line| {
        let mut value = Map::new();
        value.insert("move".to_owned(), json!(line.mv.text(shape)));
        let alike: Vec<String> = line.alike.iter().map(|mv| mv.text(shape)).collect();
        value.insert("alike".to_owned(), json!(alike));
        value.extend(counts(&line.counts));
        Value::Object(value)
    });
    value.insert("moves".to_owned(), lines.collect());
    Value::Object(value)
}

/// Returns an opening tree with moves that so many games have.
pub(crate) fn tree(head: &Head<'_>, tree: &Branch, min_games: u64) -> Value {
    let mut value = head.json();
    value.insert("counted_by".to_owned(), json!("position"));
    value.insert("min_games".to_owned(), json!(min_games));
    value.extend(head.branch(tree));
    Value::Object(value)
}

impl Head<'_> {
    fn json(&self) -> Map<String, Value> {
        let moves: Vec<String> = self.moves.iter().map(|mv| mv.text(self.game.shape())).collect();
        Map::from_iter([
            ("variant".to_owned(), json!(self.variant)),
            ("moves_before".to_owned(), json!(moves)),
            ("position".to_owned(), json!(self.game.setup().to_string())),
            ("to_move".to_owned(), json!(self.game.to_move().word())),
            ("as_it_stands".to_owned(), json!(self.orientation == Orientation::AsItStands)),
            ("where".to_owned(), json!(self.filter)),
        ])
    }

    fn branch(&self, tree: &Branch) -> Map<String, Value> {
        let mut value = Map::new();
        if let Some(mv) = tree.mv {
            value.insert("move".to_owned(), json!(mv.text(self.game.shape())));
        }
        value.extend(counts(&tree.counts));
        let children: Vec<Value> =
            tree.children.iter().map(|child| Value::Object(self.branch(child))).collect();
        if !children.is_empty() {
            value.insert("children".to_owned(), Value::Array(children));
        }
        value
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
        let share = Rate::of(counts.with_result(result), counts.n_ended()).map(|rate| rate.share);
        let object =
            share.map(|Estimate { value, low, high }| json!({ "value": value, "low": low, "high": high }));
        value.insert(name.to_owned(), json!(object));
    }
    value.insert("mean_plies".to_owned(), json!(counts.mean_plies()));
    value.insert("last_played".to_owned(), json!(counts.last_played()));
    value
}
