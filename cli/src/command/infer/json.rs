//! The answer for programs. The words are an interface.

use serde_json::{Value, json};
use tafl_parser::infer::{Change, Contradiction, Explanation, Group, Inference, OptionEvidence, StartOrigin};
use tafl_rules::Shape;

use super::Games;

/// Returns the answer as one JSON object.
pub(super) fn answer(found: &Inference, games: &Games) -> Value {
    json!({
        "type": "inference",
        "records": found.n_records,
        "groups": found.groups.iter().map(|group| of_group(group, games)).collect::<Vec<_>>(),
        "undecidable": found.undecidable.iter().map(|nth| of_record(*nth, games)).collect::<Vec<_>>(),
    })
}

fn of_record(nth: usize, games: &Games) -> Value {
    let named = &games.list[nth];
    json!({ "file": games.files[named.file], "game": named.game, "id": named.id })
}

fn of_group(group: &Group, games: &Games) -> Value {
    let shape = group.rules.shape();
    json!({
        "records": group.records.iter().map(|nth| of_record(*nth, games)).collect::<Vec<_>>(),
        "agreeing": group.n_agreeing,
        "shared": group.n_shared,
        "start": of_start(&group.start),
        "first_mover": group.rules.first_mover.word(),
        "base": group.base,
        "changes": group.changes.iter().map(of_change).collect::<Vec<_>>(),
        "rules": group.rules.to_string(),
        "options": group.options.iter().map(of_option).collect::<Vec<_>>(),
        "catalog": group.catalog.iter().map(|one| of_variant(one, games, shape)).collect::<Vec<_>>(),
        "contradictions":
            group.contradictions.iter().map(|one| of_contradiction(one, games, shape)).collect::<Vec<_>>(),
    })
}

fn of_start(start: &StartOrigin) -> Value {
    match start {
        StartOrigin::Given => json!({ "known": "given" }),
        StartOrigin::Catalog => json!({ "known": "catalog" }),
        StartOrigin::Derived { seen, mirrored, unknown } => {
            json!({ "known": "derived", "seen": seen, "mirrored": mirrored, "unknown": unknown })
        }
    }
}

fn of_change(change: &Change) -> Value {
    json!({
        "option": change.option,
        "key": change.key,
        "about": change.about,
        "from": change.from,
        "to": change.to,
    })
}

fn of_option(option: &OptionEvidence) -> Value {
    let others: Vec<Value> = option
        .others
        .iter()
        .map(|other| {
            json!({
                "value": other.value,
                "excluded": other.is_excluded,
                "games_against": other.games_against,
                "plies_against": other.plies_against,
                "games_for": other.games_for,
                "unused": (other.unused * 10.0).round() / 10.0,
            })
        })
        .collect();
    json!({
        "option": option.option,
        "key": option.key,
        "about": option.about,
        "value": option.value,
        "standing": option.standing.word(),
        "fits": option.fitting().collect::<Vec<_>>(),
        "others": others,
    })
}

fn of_variant(one: &Explanation, games: &Games, shape: Shape) -> Value {
    json!({
        "variants": one.variants,
        "agreeing": one.n_agreeing,
        "contradicting": one.n_contradicting,
        "first": one.first.as_ref().map(|first| of_contradiction(first, games, shape)),
    })
}

fn of_contradiction(one: &Contradiction, games: &Games, shape: Shape) -> Value {
    let mut value = of_record(one.record, games);
    value["ply"] = json!(one.ply);
    value["fault"] = json!(one.fault.name());
    value["rule"] = json!(one.fault.rule());
    value["message"] = json!(one.fault.words(shape));
    value
}
