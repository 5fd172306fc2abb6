//! A quick reference of the query language, for help texts.

/// The query language in short, for terminals of 80 columns. `docs/query.md` is the reference.
pub const QUICK_REFERENCE: &str = "\
Joining:   A and B   A or B   not A   (A)   A then B within 4   A before B
           ever(A)   never(A)   first(A)   last(A)   count(A)>=3
Games:     variant:brandubh*   player:\"Sven\"   won:Sven   result:draw
           reason:\"king captured\"   date:2018..2020   plies>=40   rating>=1500
           shape:11x11   rules:sw:s   two_kings   comment:\"exit fort\"
           text:wall*   player:\"jon smit~1\"
Numbers:   ply<=20   plies_left<5   attackers-defenders>=8   #t<=6   captured>=2
           king_distance<=2   king_lines>=2   defenders_lost=0   walled>=3
Kings:     king_danger   king_can_escape   threat   king_open_line   king_cordon
           king_on_edge   king_on_throne   king_on_corner
Plies:     to_move:attackers   mover:defenders   move:d4-d7   from:throne
           to:corner   piece:king   took:T   took_at:edge
Events:    capture   shieldwall   custodial   against_corner   king_captured
           king_escaped   exit_fort   encirclement   repetition   and others
Boards:    position \"/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\"
Patterns:  pattern corner \"?tt/tT.\"   rows from the lowest rank, cells: pieces
           tcnkmg TCNKMG, x o any of a side, * any piece, . nothing, ? anything,
           [tk.] one of these; placed anywhere, corner, edge, throne, king,
           at c3, board; swapped: sides too, as_is: not turned;
           or \"...\" another in the same place, except \"...\" not there";

#[cfg(test)]
mod tests {
    use super::QUICK_REFERENCE;
    use crate::query::Query;

    #[test]
    fn the_quick_reference_parses() {
        let mut n_read = 0;
        let shown = QUICK_REFERENCE.split("  ").flat_map(|part| part.split('\n')).map(str::trim);
        for text in shown.filter(|part| !part.is_empty() && !part.ends_with(':')) {
            let question = text
                .replace("A and B", "capture and threat")
                .replace('A', "(capture)")
                .replace('B', "threat");
            let is_prose =
                text.ends_with(',') || text.ends_with(';') || text.contains("; ") || text.contains("any");
            let is_prose =
                is_prose || text.contains("others") || text.contains("rows") || text.contains("tcnkmg");
            if !is_prose && !text.starts_with("or \"") {
                Query::parse(&question).unwrap_or_else(|error| panic!("{text}: {error}"));
                n_read += 1;
            }
        }
        assert!(n_read > 50, "{n_read}");
        assert!(QUICK_REFERENCE.lines().all(|line| line.len() <= 80));
    }
}
