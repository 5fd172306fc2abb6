//! Measurements, and the findings of a section.

use serde_json::{Value, json};

/// A measured number.
#[derive(Debug, Clone)]
pub(crate) struct Measurement {
    /// The stable ID in goals and programs.
    id: String,
    what: String,
    value: f64,
    unit: &'static str,
    /// The minimum and the maximum of the rounds.
    range: Option<(f64, f64)>,
    rounds: usize,
    /// The figure of another program for the same work, in the same run.
    peer: Option<Peer>,
}

/// The figure of another program.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// The ratio of our value to the peer's: the median of the rounds.
    pub(crate) ratio: f64,
}

impl Measurement {
    /// Returns a figure that was measured once.
    pub(crate) fn new(
        id: impl Into<String>,
        what: impl Into<String>,
        value: f64,
        unit: &'static str,
    ) -> Measurement {
        Measurement { id: id.into(), what: what.into(), value, unit, range: None, rounds: 1, peer: None }
    }

    /// Returns the median of several rounds.
    pub(crate) fn median(
        id: &str,
        what: impl Into<String>,
        rounds: &[f64],
        unit: &'static str,
    ) -> Measurement {
        let mut sorted = rounds.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let value = sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN);
        let range = sorted.first().copied().zip(sorted.last().copied()).filter(|_| sorted.len() > 1);
        Measurement { range, rounds: sorted.len(), ..Measurement::new(id, what, value, unit) }
    }

    /// Sets the range of the rounds.
    pub(crate) fn with_range(self, rounds: usize, least: f64, most: f64) -> Measurement {
        Measurement { range: Some((least, most)), rounds, ..self }
    }

    /// Adds the value of another program.
    pub(crate) fn with_peer(self, peer: Peer) -> Measurement {
        Measurement { peer: Some(peer), ..self }
    }

    /// Sets the number of rounds.
    pub(crate) fn with_rounds(self, rounds: usize) -> Measurement {
        Measurement { rounds, ..self }
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

/// The findings of a section.
#[derive(Debug, Default)]
pub(crate) struct SectionFindings {
    pub(crate) figures: Vec<Measurement>,
    /// Commands that were run, as people would type them.
    pub(crate) commands: Vec<String>,
    /// The omitted measurements, with reasons.
    pub(crate) left_out: Vec<String>,
    /// Notes on the figures.
    pub(crate) notes: Vec<String>,
}

impl SectionFindings {
    pub(crate) fn add(&mut self, figure: Measurement) {
        self.figures.push(figure);
    }

    pub(crate) fn leave_out(&mut self, what: impl Into<String>) {
        self.left_out.push(what.into());
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    pub(crate) fn json(&self) -> Value {
        let figures: Vec<Value> = self.figures.iter().map(Measurement::json).collect();
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
    fn the_median_round_is_the_value() {
        let figure = Measurement::median("a.b", "a", &[3.0, 1.0, 2.0], "s").json();
        assert_eq!((&figure["value"], &figure["range"]), (&json!(2.0), &json!([1.0, 3.0])));
        assert_eq!(Measurement::new("a.b", "a", 1.0, "s").json()["range"], Value::Null);
    }
}
