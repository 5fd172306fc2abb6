//! The sides that a record names with its moves, compared with the pieces that move.

use tafl_rules::Side;

use super::ReplayPly;
use crate::diagnostic::{Diagnostic, HeaderFinding};
use crate::record::Record;

/// Returns the finding about the first move that the record attributes to the other side.
///
/// A record that names all moves wrongly has one fault, such as exchanged players, so it gets one finding.
pub(super) fn check(record: &Record, plies: &[ReplayPly]) -> Option<Diagnostic> {
    let moves = &record.main().moves;
    let mut first: Option<(usize, Side)> = None;
    let (mut n_named, mut n_wrong) = (0, 0);
    for ply in plies {
        let Some(index) = ply.written.map(|index| index as usize) else { continue };
        let Some(named) = moves[index].side else { continue };
        n_named += 1;
        if named != ply.side {
            n_wrong += 1;
            first = first.or(Some((index, named)));
        }
    }
    let (index, named) = first?;
    // Before an exchange of sides, the names of players are not those of the sides.
    let is_swapped = record.swap().is_some_and(|(after, _)| index < after as usize);
    let kind = HeaderFinding::OtherSide { named, n_wrong, n_named };
    (!is_swapped).then(|| Diagnostic::new(moves[index].span, kind))
}

#[cfg(test)]
mod tests {
    use crate::{Format, ReplayOptions, Replayer, Source};

    fn messages(format: Format, text: &str) -> Vec<String> {
        let record = format.parse(&Source::new(text)).value;
        let replay = Replayer::new(ReplayOptions::default()).replay(&record);
        let found = replay.diagnostics.iter().filter(|found| found.code().as_str() == "H003");
        found.map(|found| found.message(text)).collect()
    }

    #[test]
    fn sides_in_a_record_are_those_of_the_pieces() {
        let all = "`d6-c6` moves a piece of the attackers, but the record names the defenders; all 4 moves have the other \
                   side, so the players may be exchanged";
        let table = |header: &str| (Format::Csv, format!("turn,{header}\n1,d6-c6,e4-e6\n2,d1-e1,d5-g5\n"));
        let tree = |names: [&str; 4]| {
            let [one, two, three, four] = names;
            let moves = format!(";{one}[d6-c6];{two}[e4-e6];{three}[d1-e1];{four}[d5-g5]");
            (Format::Sgf, format!("(;GM[29]SZ[7]RU[Brandubh]{moves})"))
        };
        let prose = |names: [&str; 2], players: &str| {
            let [one, two] = names;
            let moves = format!("{one}: d6-c6\n{two}: e4-e6\n{one}: d1-e1\n{two}: d5-g5\n");
            (Format::MoveList, format!("Brandubh\n{players}{moves}"))
        };
        let lines = |sides: &str| {
            let moves = "d6-c6 e4-e6 d1-e1 d5-g5";
            let line = format!(r#"{{"moves":"{moves}","sides":"{sides}"}}"#);
            (Format::Jsonl, format!(r#"{{"taflbase":1,"variant":"brandubh7","lines":[{line}]}}"#))
        };
        let players = "Black: Ann\nWhite: Bob\n";
        for ((format, text), expected) in [
            (table("black,white"), None),
            (table("white,black"), Some(all)),
            (tree(["B", "W", "B", "W"]), None),
            (tree(["W", "B", "W", "B"]), Some(all)),
            (
                tree(["B", "W", "B", "MB"]),
                Some("`d5-g5` moves a piece of the defenders, but the record names the attackers"),
            ),
            (
                tree(["B", "W", "W", "B"]),
                Some(
                    "`d1-e1` moves a piece of the attackers, but the record names the defenders; \
                     2 of 4 moves have the other side",
                ),
            ),
            (prose(["Black", "White"], ""), None),
            (prose(["White", "Black"], ""), Some(all)),
            (prose(["Ann", "Bob"], players), None),
            (prose(["Bob", "Ann"], players), Some(all)),
            (lines("adad"), None),
            (lines("dada"), Some(all)),
        ] {
            assert_eq!(messages(format, &text), expected.as_slice(), "{text}");
        }
        let swapped = |tag: &str| messages(Format::Sgf, &tree(["W", "B", "W", "B"]).1.replace("SZ", tag));
        assert!(swapped("TG[swapped:4]SZ").is_empty());
    }
}
