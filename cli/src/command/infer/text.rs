//! The inferred rules as text: the conclusion, then the evidence.

use std::fmt::Write as _;

use tafl_parser::OptionStatus;
use tafl_rules::counted;
use taflbase::escape::escape;
use taflbase::records::{
    ContradictingGame, ExplainedVariant, InferAnswer, InferredGroup, InferredOption, StartEvidence,
};

use crate::wrap::paragraph;

/// The minimum percentage of decided options for a conclusion about the rules as a whole.
const MIN_DECIDED: usize = 30;

/// Returns the answer with at most `limit` variants and contradictions each.
pub(super) fn answer(found: &InferAnswer, limit: usize) -> String {
    let mut out = String::new();
    if found.groups.is_empty() {
        let records = counted(found.records as u64, "game", "games");
        let moves = counted(found.n_moves as u64, "move", "moves");
        let text =
            format!("Not decidable: no known start and rules explain {records} with {moves} in total.");
        paragraph("", &text, &mut out);
        return out;
    }
    if found.groups.len() > 1 {
        mixed(found, &mut out);
    }
    for (nth, group) in found.groups.iter().enumerate() {
        if found.groups.len() > 1 {
            let _ = writeln!(out, "Group {}", (b'A' + nth.min(25) as u8) as char);
        }
        of_group(group, limit, &mut out);
        out.push('\n');
    }
    if !found.undecidable.is_empty() {
        let records = counted(found.undecidable.len() as u64, "game gives", "games give");
        paragraph(
            "",
            &format!("{records} no evidence: they have no moves, or no known start and rules explain them."),
            &mut out,
        );
        for record in found.undecidable.iter().take(limit) {
            let _ = writeln!(out, "  - {}", name(&record.file, record.game, record.id.as_deref()));
        }
        more(found.undecidable.len(), limit, &mut out);
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Adds the statement that the games have different rules.
fn mixed(found: &InferAnswer, out: &mut String) {
    let parts: Vec<String> = found
        .groups
        .iter()
        .enumerate()
        .map(|(nth, group)| {
            let letter = (b'A' + nth.min(25) as u8) as char;
            let n = group.records.len();
            format!("{n} {} {letter}, {}", if n == 1 { "matches" } else { "match" }, title(group))
        })
        .collect();
    let shared = found.groups.iter().map(|group| group.shared).max().unwrap_or(0);
    let neither: usize = found.groups.iter().map(|group| group.contradictions.len()).sum();
    let mut text = format!("These games have different rules: {}.", parts.join("; "));
    if shared > 0 {
        let _ = write!(text, " {} would match two groups.", counted(shared as u64, "game", "games"));
    }
    if neither > 0 {
        let _ = write!(
            text,
            " {} the rules of their group.",
            counted(neither as u64, "game contradicts", "games contradict")
        );
    }
    paragraph("", &text, out);
    out.push('\n');
}

/// Returns the name of a group's rules.
fn title(group: &InferredGroup) -> String {
    match (group.base, group.changes.len()) {
        (Some(base), 0) => format!("`{base}`"),
        (Some(base), n) => format!("`{base}` with {}", counted(n as u64, "change", "changes")),
        (None, _) => format!("custom rules on a {} board", group.shape),
    }
}

fn of_group(group: &InferredGroup, limit: usize, out: &mut String) {
    headline(group, out);
    start(group, out);
    for change in &group.changes {
        let text = format!("{}: {} instead of {} (`{}`)", change.about, change.to, change.from, change.key);
        paragraph("  - ", &text, out);
    }
    if is_decidable(group) {
        undecided(group, out);
    }
    decided(group, out);
    variants(&group.catalog, limit, out);
    contradictions(group, limit, out);
    let _ = writeln!(out, "\nRules\n  {}", group.rules);
}

fn n_decided(group: &InferredGroup) -> usize {
    group.options.iter().filter(|option| option.standing != OptionStatus::Undecided).count()
}

fn is_decidable(group: &InferredGroup) -> bool {
    n_decided(group) * 100 >= group.options.len() * MIN_DECIDED
}

fn headline(group: &InferredGroup, out: &mut String) {
    let n = group.records.len();
    let decided = n_decided(group);
    let open = group.options.len() - decided;
    let games = counted(n as u64, "game", "games");
    let of = match group.agreeing {
        agreeing if agreeing == n => format!("{games} {}", if n == 1 { "agrees" } else { "agree" }),
        agreeing => format!("{agreeing} of {games} agree"),
    };
    let rules = match (group.base, group.changes.is_empty()) {
        (Some(base), true) => format!("`{base}`"),
        (Some(base), false) => format!("`{base}` with these changes"),
        (None, true) => "the default values of rules strings".to_owned(),
        (None, false) => "the default values of rules strings, with these changes".to_owned(),
    };
    let options = counted(group.options.len() as u64, "option", "options");
    let text = if !is_decidable(group) {
        format!(
            "Not decidable: {of} with {rules}, and with many other rules. Only {decided} of {options} {} decided; \
            `--format json` lists them all.",
            if decided == 1 { "is" } else { "are" }
        )
    } else {
        format!("{of} with {rules}. {decided} of {options} are decided, {open} are not.")
    };
    paragraph("", &text, out);
}

fn start(group: &InferredGroup, out: &mut String) {
    let first = group.first_mover;
    let text = match &group.start {
        StartEvidence::Given => format!("The start is given; the {first} move first."),
        StartEvidence::Catalog => format!("The start is that of the catalog; the {first} move first."),
        StartEvidence::Derived { seen, mirrored, unknown } => format!(
            "The start was derived from the moves ({seen} cells seen, {mirrored} by symmetry, {unknown} \
            unknown and assumed empty); the {first} move first."
        ),
    };
    paragraph("  ", &text, out);
}

fn undecided(group: &InferredGroup, out: &mut String) {
    let open: Vec<&InferredOption> =
        group.options.iter().filter(|option| option.standing == OptionStatus::Undecided).collect();
    if open.is_empty() {
        return;
    }
    out.push_str("\nUndecided, with the possible values\n");
    for option in open {
        let mut text = format!("{}: {}", option.about, option.fits.join(", "));
        let unused = option.others.iter().map(|other| other.unused).fold(0.0, f64::max);
        if unused >= 1.0 {
            let _ = write!(
                text,
                " (no game uses what only {} allows, where {unused:.0} uses are expected by chance)",
                most_permissive(option)
            );
        }
        paragraph("  - ", &text, out);
    }
}

/// Returns the value that allows most of what no game uses.
fn most_permissive(option: &InferredOption) -> &str {
    let most = option.others.iter().max_by(|one, other| one.unused.total_cmp(&other.unused));
    most.map_or("", |other| other.value.as_str())
}

fn decided(group: &InferredGroup, out: &mut String) {
    let known: Vec<String> = group
        .options
        .iter()
        .filter(|option| option.standing != OptionStatus::Undecided)
        .map(|option| {
            let least = option.others.iter().map(|other| other.games_against).min().unwrap_or(0);
            let for_others = option.others.iter().map(|other| other.games_for).max().unwrap_or(0);
            let against = if option.standing == OptionStatus::Contradicted {
                format!(", {} for another", counted(for_others as u64, "game", "games"))
            } else {
                String::new()
            };
            format!(
                "{}: {} ({}{against})",
                option.about,
                option.value,
                counted(least as u64, "game", "games")
            )
        })
        .collect();
    if known.is_empty() {
        return;
    }
    out.push_str("\nDecided, with the games that no other value explains\n");
    known.iter().for_each(|text| paragraph("  - ", text, out));
}

fn variants(known: &[ExplainedVariant], limit: usize, out: &mut String) {
    if known.is_empty() {
        return;
    }
    out.push_str("\nVariants with this start\n");
    for one in known.iter().take(limit) {
        let names = one.variants.join(", ");
        let counts = format!("{} agree, {} contradict", one.agreeing, one.contradicting);
        paragraph("  - ", &format!("{names}: {counts}"), out);
        if let Some(first) = &one.first {
            contradiction("    first ", first, out);
        }
    }
    more(known.len(), limit, out);
}

fn contradictions(group: &InferredGroup, limit: usize, out: &mut String) {
    if group.contradictions.is_empty() {
        return;
    }
    out.push_str("\nGames that contradict these rules\n");
    for one in group.contradictions.iter().take(limit) {
        contradiction("  - ", one, out);
    }
    more(group.contradictions.len(), limit, out);
}

/// Adds a contradiction. The place has its own line, because names of files may be long.
fn contradiction(lead: &str, one: &ContradictingGame, out: &mut String) {
    let record = name(&one.file, one.game, one.id.as_deref());
    let _ = writeln!(out, "{lead}{record}, ply {}", one.ply);
    paragraph("    ", &one.message, out);
}

/// Returns `games.csv, game 12, id X`, escaped for terminals.
fn name(file: &str, game: u64, id: Option<&str>) -> String {
    escape(&match id {
        Some(id) => format!("{file}, game {game}, id {id}"),
        None => format!("{file}, game {game}"),
    })
}

fn more(n: usize, limit: usize, out: &mut String) {
    if n > limit {
        let _ = writeln!(out, "  and {} more", n - limit);
    }
}
