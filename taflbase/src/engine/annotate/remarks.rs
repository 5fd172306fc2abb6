//! Sentences about plies, positions, and sides.

use tafl_analyzer::{FoundWin, GameNotes, Judgement, PlyNote, PositionNote, SideSummary, Voice, is_notable};
use tafl_rules::{Shape, Side, counted};

/// Returns the score of a position from the attackers' point of view: `+0.35`, or the winner and the number of plies.
pub fn score_text(note: &PositionNote) -> String {
    match (note.win(), note.evaluation()) {
        (Some(FoundWin { winner, plies: 0 }), _) => format!("{winner} have won"),
        (Some(FoundWin { winner, plies }), _) => format!("{winner} win in {plies}"),
        (None, Some(evaluation)) => {
            let hundredths = evaluation.score().for_side(Side::Attackers).value();
            format!("{:+.2}", f64::from(hundredths) / 100.0)
        }
        (None, None) => "-".to_owned(),
    }
}

/// Returns a proportion as `62 %`.
pub fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

/// Returns the expected score of a side at a position, in percent.
pub fn expected(note: &PositionNote, side: Side) -> String {
    note.expectation.map_or_else(|| "-".to_owned(), |expectation| percent(expectation.for_side(side)))
}

/// Returns a remark on a ply: its judgment, a better move, motifs; empty if the ply is ordinary.
pub fn remark(shape: Shape, ply: &PlyNote, before: &PositionNote) -> String {
    let mut parts: Vec<String> = Vec::new();
    if ply.judgement.is_error() {
        parts.push(ply.judgement.as_str().to_owned());
    }
    if let Some(win) = ply.missed_win {
        parts.push(match win.plies {
            1 => "missed an immediate win".to_owned(),
            plies => format!("missed a win in {plies} plies"),
        });
    }
    if let Some(plies) = ply.proven_win {
        parts.push(format!("the win is proven within {}", counted(plies.into(), "ply", "plies")));
    }
    if (ply.judgement.is_error() || ply.missed_win.is_some())
        && let Some(best) = before.evaluation().and_then(|evaluation| evaluation.best().moves.first())
    {
        parts.push(if before.is_best_declined() {
            "better to decline the chain".to_owned()
        } else {
            format!("better {}", best.display(shape))
        });
    }
    if let Some(only) = ply.only {
        parts.push(if only.mv == ply.mv {
            "the only move".to_owned()
        } else {
            "there was only one good move, and it was a different one".to_owned()
        });
    }
    parts.extend(notable_motifs(shape, ply));
    parts.join("; ")
}

/// The maximum number of motifs of each kind in a remark: played, missed, and allowed ones.
const MAX_MOTIFS: usize = 2;

fn notable_motifs(shape: Shape, ply: &PlyNote) -> Vec<String> {
    let mut notable = Vec::new();
    for voice in [Voice::Done, Voice::Missed, Voice::Allowed] {
        let motifs = ply.motifs.iter().filter(|motif| motif.voice == voice);
        let motifs = motifs.filter(|motif| is_notable(motif));
        notable.extend(motifs.take(MAX_MOTIFS).map(|motif| motif.describe(shape)));
    }
    notable
}

/// Returns a sentence with the accuracy and the errors of a side.
pub fn summary(side: &SideSummary) -> String {
    let SideSummary { counts, .. } = side;
    let accuracy =
        side.accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{:.1}", accuracy.percent()));
    let mut text = format!(
        "{}: accuracy {accuracy} in {}; inaccuracies {}, mistakes {}, blunders {}; expectation lost: {:.2} by these errors, {:.2} gradually",
        side.side,
        counted(side.plies.into(), "ply", "plies"),
        counts.inaccuracies,
        counts.mistakes,
        counts.blunders,
        side.lost_by_errors,
        side.lost_gradually,
    );
    if side.missed_wins > 0 {
        text.push_str(&format!("; missed wins {}", side.missed_wins));
    }
    if side.only_moves > 0 {
        text.push_str(&format!("; only moves found {} of {}", side.only_moves_found, side.only_moves));
    }
    text
}

/// Returns a sentence about the decisive ply, if there is one.
pub fn decided(notes: &GameNotes, shape: Shape) -> Option<String> {
    let last = notes.positions.last()?;
    let ahead = Side::ALL
        .into_iter()
        .find(|side| last.expectation.is_some_and(|expectation| expectation.for_side(*side) > 0.5))?;
    let loser = &notes.sides[ahead.other()];
    let turn = notes.turning_point()?;
    let ply = &notes.plies[turn - 1];
    let mv = ply.mv.display(shape);
    Some(if loser.lost_little_by_little() {
        format!("the {} lost gradually; from ply {turn}, {mv}, the {ahead} were always ahead", loser.side)
    } else if ply.judgement >= Judgement::Mistake && ply.side == loser.side {
        format!("the turning point is ply {turn}: {mv}{}", ply.judgement.sign())
    } else {
        format!("from ply {turn}, {mv}, the {ahead} were always ahead")
    })
}

#[cfg(test)]
mod tests {
    use crate::engine::{AnnotateRequest, AnnotationOrigin, EvaluatedGame};
    use crate::records::{ReplayConfig, ReplayWorker};
    use crate::{Bounded, Job};

    #[test]
    fn declining_a_chain_is_not_remarked_as_a_move() {
        // Only the man on d2 stops the king, so the attackers should not continue their chain.
        let text = "[rules:dim:7 esc:e ber:c xber:free start:/4t2/t3Tt1/t1T1t2/2tKt1t/2tTt2/4t2/1t4t/]\n\n\
                    1. a2-d2xe2 d2-c2xc3 2. d4-d1\n";
        let parsed = tafl_parser::Format::OpenTafl.parse(&tafl_parser::Source::new(text));
        let replayed = ReplayWorker::new(&ReplayConfig::default().into()).replay(parsed);
        let mut request = AnnotateRequest::default();
        request.evaluation.limits.nodes = Some(2_000);
        request.recheck = Bounded::new(1).unwrap();
        request.lines = Bounded::new(2).unwrap();
        let run = request.begin_with(None, &Job::default()).unwrap();
        let notes = run.annotate(&replayed, |_| true).unwrap().unwrap();
        let (shape, provenance) = (replayed.shape().unwrap(), run.provenance().clone());
        let game = EvaluatedGame::of(shape, &notes, AnnotationOrigin::Engine, provenance);
        assert_eq!(game.findings.positions[1].best.as_ref().unwrap()[0], "decline");
        let ply = &game.findings.plies[1];
        let remark = ply.remark.as_ref().unwrap();
        assert_eq!((ply.judgement, remark.best.as_deref()), (Some("blunder"), Some("decline")));
        assert!(remark.words.contains("better to decline the chain"), "{}", remark.words);
    }
}
