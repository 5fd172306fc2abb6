//! A figure, and what a section finds.

use serde_json::{Value, json};

/// A measured number.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    /// What goals and programs call it; does not change.
    id: String,
    what: String,
    value: f64,
    unit: &'static str,
    /// The least and the greatest of the rounds.
    range: Option<(f64, f64)>,
    rounds: usize,
    /// The same done by another program in the same run.
    peer: Option<Peer>,
}

/// Another program's figure.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// How many times as good ours is: the median of the rounds.
    pub(crate) ratio: f64,
}

impl Figure {
    /// Returns a figure that was measured once.
    pub(crate) fn new(
        id: impl Into<String>,
        what: impl Into<String>,
        value: f64,
        unit: &'static str,
    ) -> Figure {
        Figure { id: id.into(), what: what.into(), value, unit, range: None, rounds: 1, peer: None }
    }

    /// Returns the median of several rounds.
    pub(crate) fn median(id: &str, what: impl Into<String>, rounds: &[f64], unit: &'static str) -> Figure {
        let mut sorted = rounds.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let value = sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN);
        let range = sorted.first().copied().zip(sorted.last().copied()).filter(|_| sorted.len() > 1);
        Figure { range, rounds: sorted.len(), ..Figure::new(id, what, value, unit) }
    }

    /// Says what the rounds ranged over.
    pub(crate) fn over(self, rounds: usize, least: f64, most: f64) -> Figure {
        Figure { range: Some((least, most)), rounds, ..self }
    }

    /// Says what another program did.
    pub(crate) fn beside(self, peer: Peer) -> Figure {
        Figure { peer: Some(peer), ..self }
    }

    /// Says how often it was measured.
    pub(crate) fn of(self, rounds: usize) -> Figure {
        Figure { rounds, ..self }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn value(&self) -> f64 {
        self.value
    }

    fn json(&self) -> Value {
        let peer = |peer: &Peer| json!({ "name": peer.name, "value": peer.value, "ratio": peer.ratio });
        json!({
            "id": self.id,
            "what": self.what,
            "value": self.value,
            "unit": self.unit,
            "range": self.range.map(|(least, most)| [least, most]),
            "rounds": self.rounds,
            "peer": self.peer.as_ref().map(peer),
        })
    }
}

/// What a section found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) figures: Vec<Figure>,
    /// Commands that were run, as people would type them.
    pub(crate) commands: Vec<String>,
    /// What was not measured, and why.
    pub(crate) left_out: Vec<String>,
    /// What must be known to read the figures.
    pub(crate) notes: Vec<String>,
}

impl Found {
    pub(crate) fn add(&mut self, figure: Figure) {
        self.figures.push(figure);
    }

    pub(crate) fn leave_out(&mut self, what: impl Into<String>) {
        self.left_out.push(what.into());
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    pub(crate) fn json(&self) -> Value {
        let figures: Vec<Value> = self.figures.iter().map(Figure::json).collect();
        json!({
            "figures": figures,
            "commands": self.commands,
            "left_out": self.left_out,
            "notes": self.notes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_round_in_the_middle_counts() {
        let figure = Figure::median("a.b", "a", &[3.0, 1.0, 2.0], "s").json();
        assert_eq!((&figure["value"], &figure["range"]), (&json!(2.0), &json!([1.0, 3.0])));
        assert_eq!(Figure::new("a.b", "a", 1.0, "s").json()["range"], Value::Null);
    }
}
