//! Motifs: events in players' terms that a move did, missed, or allowed.
//!
//! Motifs are derived from the rules' facts about plies, for the played ply and the engine's best
//! lines. There are no heuristic patterns.

use tafl_rules::{Cell, Event, Events, Game, Move, Reason, Shape};

/// The kind of a motif, the most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MotifKind {
    /// A king is captured.
    KingCaptured,
    /// A king reaches a goal.
    KingEscapes,
    /// An exit fort is built.
    ExitFort,
    /// The attackers close a ring around all defenders.
    Encirclement,
    /// The other side is left without a legal move or without pieces.
    NoMove,
    /// A row of men is captured by a shieldwall.
    Shieldwall,
    /// A Linnaean capture.
    Linnaean,
    /// A king gets two open lines to goals, which one move cannot close.
    TwoOpenLines,
    /// Two or more men are captured at once.
    ManyCaptured,
    /// A king gets an open line to a goal.
    OpenLine,
    /// A king is in danger: unless the threat is met, the next move captures him.
    KingInDanger,
    /// A man is captured.
    Capture,
}

/// The relation of a motif to the played move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Voice {
    /// The played move did it.
    Done,
    /// The best line would have done it.
    Missed,
    /// The played move allows the other side to do it.
    Allowed,
}

/// A motif in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Motif {
    /// The kind.
    pub kind: MotifKind,
    /// The relation to the played move.
    pub voice: Voice,
    /// The target cell of the decisive ply.
    pub cell: Cell,
    /// The number of plies from the position to the decisive ply, inclusive; 1 means the next ply.
    pub plies: u16,
}

impl MotifKind {
    /// Returns the name used in JSON and themes.
    pub const fn as_str(self) -> &'static str {
        match self {
            MotifKind::KingCaptured => "king-captured",
            MotifKind::KingEscapes => "king-escapes",
            MotifKind::ExitFort => "exit-fort",
            MotifKind::Encirclement => "encirclement",
            MotifKind::Shieldwall => "shieldwall",
            MotifKind::Linnaean => "linnaean",
            MotifKind::ManyCaptured => "many-captured",
            MotifKind::Capture => "capture",
            MotifKind::TwoOpenLines => "two-open-lines",
            MotifKind::OpenLine => "open-line",
            MotifKind::KingInDanger => "king-in-danger",
            MotifKind::NoMove => "no-move",
        }
    }

    /// Returns whether the motif ends the game.
    pub const fn is_end(self) -> bool {
        matches!(
            self,
            MotifKind::KingCaptured
                | MotifKind::KingEscapes
                | MotifKind::ExitFort
                | MotifKind::Encirclement
                | MotifKind::NoMove
        )
    }
}

impl Voice {
    /// Returns the name used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Voice::Done => "done",
            Voice::Missed => "missed",
            Voice::Allowed => "allowed",
        }
    }
}

impl Motif {
    /// Returns a phrase that describes the motif, such as `lets the king escape to d1`.
    pub fn describe(&self, shape: Shape) -> String {
        let at = shape.name(self.cell);
        let when = if self.plies > 1 { format!(" in {} plies", self.plies) } else { String::new() };
        match self.voice {
            Voice::Done => self.done(&at),
            Voice::Missed => format!("missed {}{when}", self.noun(&at)),
            Voice::Allowed => match self.kind {
                MotifKind::KingEscapes => format!("lets the king escape to {at}{when}"),
                MotifKind::KingCaptured if self.plies <= 1 => {
                    format!("the king can be captured with the next move, to {at}")
                }
                MotifKind::Encirclement => format!("lets the attackers close the ring at {at}{when}"),
                MotifKind::KingCaptured
                | MotifKind::ExitFort
                | MotifKind::Shieldwall
                | MotifKind::Linnaean
                | MotifKind::ManyCaptured
                | MotifKind::Capture
                | MotifKind::TwoOpenLines
                | MotifKind::OpenLine
                | MotifKind::KingInDanger
                | MotifKind::NoMove => format!("allows {}{when}", self.noun(&at)),
            },
        }
    }

    fn done(&self, at: &str) -> String {
        match self.kind {
            MotifKind::KingCaptured => format!("king captured by the move to {at}"),
            MotifKind::KingEscapes => format!("the king escapes to {at}"),
            MotifKind::ExitFort => format!("exit fort built with {at}"),
            MotifKind::Encirclement => format!("ring closed at {at}"),
            MotifKind::Shieldwall => format!("shieldwall closed at {at}"),
            MotifKind::Linnaean => format!("Linnaean capture by the move to {at}"),
            MotifKind::ManyCaptured => format!("several men captured by the move to {at}"),
            MotifKind::Capture => format!("capture by the move to {at}"),
            MotifKind::TwoOpenLines => "the king has two open lines".to_owned(),
            MotifKind::OpenLine => "the king has an open line".to_owned(),
            MotifKind::KingInDanger => "the king is in danger".to_owned(),
            MotifKind::NoMove => "no legal move is left".to_owned(),
        }
    }

    fn noun(&self, at: &str) -> String {
        match self.kind {
            MotifKind::KingCaptured => format!("the capture of the king by a move to {at}"),
            MotifKind::KingEscapes => format!("the king's escape to {at}"),
            MotifKind::ExitFort => format!("an exit fort with {at}"),
            MotifKind::Encirclement => format!("an encirclement closed at {at}"),
            MotifKind::Shieldwall => format!("a shieldwall closed at {at}"),
            MotifKind::Linnaean => format!("a Linnaean capture by a move to {at}"),
            MotifKind::ManyCaptured => format!("the capture of several men by a move to {at}"),
            MotifKind::Capture => format!("a capture by a move to {at}"),
            MotifKind::TwoOpenLines => format!("two open lines for the king with {at}"),
            MotifKind::OpenLine => format!("an open line for the king with {at}"),
            MotifKind::KingInDanger => format!("a threat to the king from {at}"),
            MotifKind::NoMove => format!("a move to {at} that leaves no legal answer"),
        }
    }
}

/// The number of plies of a line in which motifs are reported. The end of the game is always
/// reported.
const LOOK_AHEAD: usize = 3;

/// Returns the motifs of a single move and makes it in `game`; `None` if the move is illegal.
pub fn motifs_of_move(game: &mut Game, mv: Move, voice: Voice) -> Option<Vec<Motif>> {
    Some(play(game, mv)?.into_iter().map(|kind| Motif { kind, voice, cell: mv.to, plies: 1 }).collect())
}

/// Returns the motifs of a side's own moves at the start of a line, and the end of the game if the
/// line leads to it.
pub(super) fn motifs_of_line(game: &Game, moves: &[Move], voice: Voice) -> Vec<Motif> {
    let mut game = game.clone();
    let side = game.to_move();
    let mut motifs: Vec<Motif> = Vec::new();
    for (nth, mv) in moves.iter().enumerate() {
        let is_own = game.piece(mv.from).is_some_and(|piece| piece.side == side);
        let Some(kinds) = play(&mut game, *mv) else { break };
        for kind in kinds {
            let counts = is_own && (nth < LOOK_AHEAD || kind.is_end());
            if counts && motifs.iter().all(|motif| motif.kind != kind) {
                motifs.push(Motif { kind, voice, cell: mv.to, plies: nth as u16 + 1 });
            }
        }
        if game.outcome().is_some() {
            break;
        }
    }
    motifs.sort_unstable();
    motifs
}

/// Plays a move and returns its motifs, the most important first.
fn play(game: &mut Game, mv: Move) -> Option<Vec<MotifKind>> {
    // A move of the other side ends a chain that the side to move declines to continue.
    if game.piece(mv.from).is_some_and(|piece| piece.side != game.to_move()) {
        game.decline_chain();
    }
    let side = game.to_move();
    let before = game.facts();
    let (ply, facts) = game.play_with_facts(mv).ok()?;
    let mut kinds = of_events(facts.events);
    // A king is not a man.
    let n_men = ply.captured.len() - usize::from(facts.events.contains(Event::KingCaptured));
    kinds.retain(|kind| *kind != MotifKind::ManyCaptured || n_men > 1);
    if ply
        .outcome
        .is_some_and(|outcome| outcome.reason == Reason::KingCaptured && outcome.winner == Some(side))
    {
        kinds.insert(0, MotifKind::KingCaptured);
    }
    kinds.dedup();
    if ply.outcome.is_none() {
        if let Some(king) = facts.kings[side] {
            let lines = before.kings[side].map_or(0, |king| king.lines);
            match king.lines {
                2.. if lines < 2 => kinds.push(MotifKind::TwoOpenLines),
                1 if lines == 0 => kinds.push(MotifKind::OpenLine),
                _ => {}
            }
        }
        let in_danger =
            |facts: &tafl_rules::Facts| facts.kings[side.other()].is_some_and(|king| king.in_danger);
        if in_danger(&facts) && !in_danger(&before) {
            kinds.push(MotifKind::KingInDanger);
        }
    }
    kinds.sort_unstable();
    Some(kinds)
}

fn of_events(events: Events) -> Vec<MotifKind> {
    let kind = |event: Event| match event {
        Event::KingEscaped => Some(MotifKind::KingEscapes),
        Event::ExitFort => Some(MotifKind::ExitFort),
        Event::Encirclement => Some(MotifKind::Encirclement),
        Event::NoLegalMove | Event::AllCaptured => Some(MotifKind::NoMove),
        Event::Shieldwall => Some(MotifKind::Shieldwall),
        Event::Linnaean => Some(MotifKind::Linnaean),
        Event::ManyCaptured => Some(MotifKind::ManyCaptured),
        Event::Capture
        | Event::Custodial
        | Event::AgainstThrone
        | Event::AgainstCorner
        | Event::AgainstCamp
        | Event::AgainstEdge
        | Event::HexCorner
        | Event::Jumped => Some(MotifKind::Capture),
        Event::KingCaptured
        | Event::KingSurrounded
        | Event::KingPierced
        | Event::ChainGoesOn
        | Event::Repetition
        | Event::KingMoved => None,
    };
    let mut kinds: Vec<MotifKind> = events.iter().filter_map(kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// Returns whether a motif deserves a sentence. A capture that was made does not, because it is
/// visible on the board.
pub fn is_notable(motif: &Motif) -> bool {
    motif.voice != Voice::Done || motif.kind != MotifKind::Capture
}

#[cfg(test)]
mod tests {
    use tafl_rules::{AnyRulebook, RepetitionMode, RuleSet, Setup, Side};

    use super::*;

    fn brandubh(position: &str, side: Side) -> Game {
        let rules = RuleSet::named("brandubh7").unwrap();
        let book = AnyRulebook::compile(&rules).unwrap();
        let setup = Setup::parse(rules.shape(), position).unwrap();
        Game::from_setup(&book, &setup, side, RepetitionMode::Enforce).unwrap()
    }

    #[test]
    fn a_capture_names_the_destination_and_counts_men_without_the_king() {
        let remarks = |position: &str| {
            let mut game = brandubh(position, Side::Attackers);
            let mv = game.parse_move("b6-b5").unwrap();
            let motifs = motifs_of_move(&mut game, mv, Voice::Done).unwrap();
            motifs.iter().map(|motif| motif.describe(game.shape())).collect::<Vec<_>>()
        };
        let capture = "capture by the move to b5";
        let men = remarks("/7/7/1t5/1T1K3/2Tt3/1t5/7/");
        assert_eq!(men, ["several men captured by the move to b5", capture]);
        let king_and_man = remarks("/7/7/1t5/1T5/2Kt3/1t5/7/");
        assert_eq!(king_and_man, ["king captured by the move to b5", capture]);
    }

    #[test]
    fn motifs_of_a_line_begin_with_the_most_important_one() {
        let game = brandubh("/7/T2tT2/7/K6/7/t6/7/", Side::Defenders);
        // The man captures on d2, and the king can go to a1.
        let line = [game.parse_move("a2-c2").unwrap()];
        let kinds: Vec<MotifKind> =
            motifs_of_line(&game, &line, Voice::Missed).into_iter().map(|motif| motif.kind).collect();
        assert_eq!(kinds, [MotifKind::OpenLine, MotifKind::Capture]);
    }
}
