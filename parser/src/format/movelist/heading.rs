//! The players in the heading of a game: `Ann (Black) - Bob (White)`.

use tafl_rules::Side;

use crate::words;

/// Returns the players with their sides, if the line names them and nothing else.
pub(super) fn players(line: &str) -> Option<[(Side, &str); 2]> {
    let line = line.trim().trim_matches(['*', '#', '_', '=']).trim();
    let marks = [" - ", " – ", " — ", " vs. ", " vs ", " v. ", " v ", " against ", ", "];
    let (first, second) = marks.iter().find_map(|mark| line.split_once(mark))?;
    let (first, second) = (player(first)?, player(second)?);
    (first.0 != second.0).then_some([first, second])
}

/// Reads a name and a side in parentheses.
fn player(text: &str) -> Option<(Side, &str)> {
    let (name, side) = text.trim().strip_suffix(')')?.rsplit_once('(')?;
    let name = name.trim();
    words::is_name(name).then_some((words::side(side.trim())?, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_sides_beside_them() {
        let expected = Some([(Side::Attackers, "Ann Lee"), (Side::Defenders, "Bob")]);
        for line in ["Ann Lee (Black) - Bob (White)", "**Ann Lee (attackers) vs. Bob (defenders)**"] {
            assert_eq!(players(line), expected, "{line}");
        }
        for line in
            ["Ann (Black) - Bob (Black)", "Ann - Bob", "Ann (1500) - Bob (1400)", "", "(Black) - (White)"]
        {
            assert_eq!(players(line), None, "{line}");
        }
    }
}
