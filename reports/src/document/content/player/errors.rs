//! The accuracy and the errors of a player.

use tafl_analyzer::{MotifKind, Voice};
use tafl_rules::Side;

use crate::document::content::formatting;
use crate::document::{Block, NumberFormat, Table, TableCell};
use crate::measure::player::{ErrorFindings, MotifCount, SideAccuracy};

/// Returns the section on errors: tables of accuracy and error rates, and of motifs.
pub(super) fn blocks(found: Option<&ErrorFindings>) -> Vec<Block> {
    let Some(found) = found else {
        return vec![Block::Prose(
            "No game is evaluated; `tafl annotate CORPUS` evaluates games.".to_owned(),
        )];
    };
    let mut blocks = vec![Block::Table(accuracy_table(found))];
    if !found.motifs.is_empty() {
        blocks.push(Block::Table(motif_table(&found.motifs)));
    }
    blocks
}

fn accuracy_table(found: &ErrorFindings) -> Table {
    let mut table = Table::new("accuracy", "Accuracy and error rates", "plies of")
        .column("games", "games", NumberFormat::Count)
        .column("plies", "plies", NumberFormat::Count)
        .column("accuracy", "accuracy", NumberFormat::Number(1))
        .column("blunders", "blunders", NumberFormat::Percent)
        .column("mistakes", "mistakes", NumberFormat::Percent)
        .column("inaccuracies", "inaccuracies", NumberFormat::Percent)
        .noted(
            "Accuracy: 100 if nothing was lost, of all plies together. In parentheses: 95 % intervals over games. docs/annotate.md \
             gives the formula and the thresholds of errors.",
        );
    let mut row = |key: String, label: String, own: &SideAccuracy| {
        if own.games > 0 {
            table.push_keyed(
                &key,
                &label,
                [
                    TableCell::Count(own.games),
                    TableCell::Count(own.plies),
                    own.accuracy.map_or(TableCell::Empty, formatting::estimate),
                    formatting::proportion_of_plies(own.blunders, own.games),
                    formatting::proportion_of_plies(own.mistakes, own.games),
                    formatting::proportion_of_plies(own.inaccuracies, own.games),
                ],
            );
        }
    };
    for side in Side::ALL {
        row(format!("player {side}"), format!("the player, {side}"), &found.by_side[side]);
    }
    for side in Side::ALL {
        row(format!("opponents {side}"), format!("the opponents, {side}"), &found.opponents[side]);
    }
    table
}

fn motif_table(motifs: &[MotifCount]) -> Table {
    let mut table = Table::new("motifs", "What mistakes and blunders missed or allowed", "motif")
        .column("share", "proportion of mistakes and blunders", NumberFormat::Percent)
        .noted(
            "Missed: what the engine's move would have done. Allowed: what its reply to the played move would have done. One error \
             may have several motifs.",
        );
    for motif in motifs {
        let voice = match motif.voice {
            Voice::Missed => "missed",
            Voice::Allowed => "allowed",
            Voice::Done => "played",
        };
        table.push_keyed(
            &format!("{} {}", motif.voice.as_str(), motif.kind.as_str()),
            &format!("{voice}: {}", motif_text(motif.kind)),
            [formatting::proportion(Some(motif.proportion))],
        );
    }
    table
}

/// Returns the description of a motif.
const fn motif_text(kind: MotifKind) -> &'static str {
    match kind {
        MotifKind::KingCaptured => "the capture of the king",
        MotifKind::KingEscapes => "the escape of the king",
        MotifKind::ExitFort => "an exit fort",
        MotifKind::Encirclement => "an encirclement",
        MotifKind::Shieldwall => "a shieldwall",
        MotifKind::Linnaean => "a Linnaean capture",
        MotifKind::ManyCaptured => "the capture of several men",
        MotifKind::Capture => "the capture of a man",
        MotifKind::TwoOpenLines => "two open lines for the king",
        MotifKind::OpenLine => "an open line for the king",
        MotifKind::KingInDanger => "a threat to the king",
        MotifKind::NoMove => "a move that leaves no legal reply",
    }
}
