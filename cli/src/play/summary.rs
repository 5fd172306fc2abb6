//! What came of a match, in numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use tafl_analyzer::play::{EloInterval, PairScore, Pentanomial, Sprt};
use tafl_rules::Side;

use super::note::{GameNote, PairNote};

/// Games of a player, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Count {
    won: u64,
    drawn: u64,
    lost: u64,
    unfinished: u64,
}

impl Count {
    fn add(&mut self, game: &GameNote, side: Side) {
        match game.outcome().map(|outcome| outcome.winner) {
            Some(Some(winner)) if winner == side => self.won += 1,
            Some(Some(_)) => self.lost += 1,
            Some(None) => self.drawn += 1,
            None => self.unfinished += 1,
        }
    }

    fn plus(self, other: Count) -> Count {
        Count {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
            unfinished: self.unfinished + other.unfinished,
        }
    }

    fn json(self) -> Value {
        json!({
            "games": self.won + self.drawn + self.lost + self.unfinished,
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
            "unfinished": self.unfinished,
        })
    }

    fn text(self) -> String {
        let mut text = format!("+{} ={} -{}", self.won, self.drawn, self.lost);
        if self.unfinished > 0 {
            let _ = write!(text, ", {} unfinished", self.unfinished);
        }
        text
    }
}

/// Pairs, counted for the first player.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    /// Games with the attackers and with the defenders.
    sides: [Count; 2],
    /// Pairs by half points.
    pub(crate) pairs: Pentanomial,
    unfinished_pairs: u64,
    /// How games ended: who won, in which words.
    endings: BTreeMap<(&'static str, String), u64>,
    /// Which player could not go on, and why.
    faults: BTreeMap<(&'static str, String), u64>,
    /// How often a winning move was played for a player who gave none.
    helped: [u64; 2],
}

/// What players are called in answers.
const PLAYERS: [&str; 2] = ["first", "second"];

impl Tally {
    /// Counts a pair.
    pub(crate) fn add(&mut self, pair: &PairNote) {
        let score = pair.score();
        self.pairs.add(score);
        self.unfinished_pairs += u64::from(score == PairScore::Unfinished);
        for (at, (game, side)) in pair.games.iter().zip(Side::ALL).enumerate() {
            self.sides[at].add(game, side);
            let player = |of: Side| PLAYERS[usize::from(of != side)];
            let winner = match game.outcome().map(|outcome| outcome.winner) {
                Some(Some(winner)) => player(winner),
                Some(None) => "draw",
                None => "nobody",
            };
            let reason = match &game.fault {
                Some(fault) => format!("forfeit: {}", fault.kind),
                None if game.ending.ends_with("(proven)") => "proven".to_owned(),
                None => game.reason.clone(),
            };
            *self.endings.entry((winner, reason)).or_default() += 1;
            if let Some(fault) = &game.fault {
                let guilty = if fault.side == side.word() { PLAYERS[0] } else { PLAYERS[1] };
                *self.faults.entry((guilty, fault.kind.clone())).or_default() += 1;
            }
            let (attackers, defenders) = (u64::from(game.helped.0), u64::from(game.helped.1));
            let (own, other) =
                if side == Side::Attackers { (attackers, defenders) } else { (defenders, attackers) };
            self.helped[0] += own;
            self.helped[1] += other;
        }
    }

    /// Returns the tally as JSON.
    pub(crate) fn json(&self, sprt: Option<&Sprt>) -> Value {
        let finite = |number: f64| number.is_finite().then_some((number * 10.0).round() / 10.0);
        let elo = self.pairs.elo().map(|EloInterval { elo, low, high }| {
            json!({ "elo": finite(elo), "low": finite(low), "high": finite(high), "confidence": 0.95 })
        });
        let list = |counts: &BTreeMap<(&'static str, String), u64>, name: &str| -> Vec<Value> {
            let entry = |((who, what), count): (&(&str, String), &u64)| json!({ name: who, "reason": what, "games": count });
            counts.iter().map(entry).collect()
        };
        json!({
            "games": self.sides[0].plus(self.sides[1]).json(),
            "as_attackers": self.sides[0].json(),
            "as_defenders": self.sides[1].json(),
            "pairs": self.pairs.n_pairs(),
            "pairs_unfinished": self.unfinished_pairs,
            "pairs_by_half_points": self.pairs.0,
            "share": self.pairs.mean(),
            "elo": elo,
            "endings": list(&self.endings, "winner"),
            "faults": list(&self.faults, "player"),
            "moves_given": { "first": self.helped[0], "second": self.helped[1] },
            "sprt": sprt.map(|sprt| self.sprt_json(sprt)),
        })
    }

    fn sprt_json(&self, sprt: &Sprt) -> Value {
        let (elo0, elo1) = sprt.hypotheses();
        let (low, high) = sprt.bounds();
        json!({
            "elo0": elo0,
            "elo1": elo1,
            "llr": sprt.llr(&self.pairs),
            "low": low,
            "high": high,
            "verdict": sprt.verdict(&self.pairs).words(),
        })
    }

    /// Returns the tally for people.
    pub(crate) fn text(&self, sprt: Option<&Sprt>) -> String {
        let total = self.sides[0].plus(self.sides[1]);
        let mut out = String::new();
        let _ = writeln!(
            out,
            "games         {} (as attackers {}; as defenders {})",
            total.text(),
            self.sides[0].text(),
            self.sides[1].text()
        );
        let list = self.pairs.0.map(|n| n.to_string()).join(" ");
        let _ = write!(out, "pairs         {} by half points 0-4: {list}", self.pairs.n_pairs());
        if self.unfinished_pairs > 0 {
            let _ = write!(out, "; {} unfinished, not counted", self.unfinished_pairs);
        }
        out.push('\n');
        if let Some(EloInterval { elo, low, high }) = self.pairs.elo() {
            let _ = writeln!(out, "elo           {elo:+.0}, with 95 % between {low:+.0} and {high:+.0}");
        }
        if let Some(sprt) = sprt {
            let (elo0, elo1) = sprt.hypotheses();
            let (low, high) = sprt.bounds();
            let (llr, verdict) = (sprt.llr(&self.pairs), sprt.verdict(&self.pairs).words());
            let _ = writeln!(
                out,
                "sprt          {verdict}: LLR {llr:+.2} between {low:.2} and {high:.2} for Elo {elo0} against {elo1}"
            );
        }
        for ((who, what), count) in &self.endings {
            let who = match *who {
                "draw" => "draws",
                "nobody" => "nobody wins",
                other => &format!("{other} wins"),
            };
            let _ = writeln!(out, "  {count:>5}  {who} ({what})");
        }
        for (player, moves) in PLAYERS.iter().zip(self.helped).filter(|(_, moves)| *moves > 0) {
            let _ = writeln!(out, "  {moves:>5}  winning moves were played for the {player}, who gave none");
        }
        out
    }
}
