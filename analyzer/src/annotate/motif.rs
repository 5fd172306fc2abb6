//! What happened in words that players use: done, missed, or allowed.
//!
//! Motifs come from the rules' own facts about plies, found on the played ply and on the engine's best lines; there are no
//! rules of thumb about patterns here.

use tafl_rules::facts::{Event, Events};
use tafl_rules::{Cell, Game, Move, Reason, Shape};

/// What a motif is about.
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
    /// A row of men falls in a shieldwall.
    Shieldwall,
    /// A Linnaean capture.
    Linnaean,
    /// Two or more men fall at once.
    ManyCaptured,
    /// A man falls.
    Capture,
    /// A king gets two open lines to goals, more than one move can close.
    TwoOpenLines,
    /// A king gets an open line to a goal.
    OpenLine,
    /// A king comes into danger: the next move captures him if nothing is done.
    KingInDanger,
    /// The other side is left without a legal move.
    NoMove,
}

/// Whose doing a motif is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Voice {
    /// The played move did it.
    Done,
    /// The best line would have done it.
    Missed,
    /// The played move lets the other side do it.
    Allowed,
}

/// Something in a game that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Motif {
    /// What it is about.
    pub kind: MotifKind,
    /// Whose doing it is.
    pub voice: Voice,
    /// Where: the cell on which the decisive ply ends.
    pub cell: Cell,
    /// How many plies after the position it comes about, that ply included; 1 is at once.
    pub plies: u16,
}

impl MotifKind {
    /// Every kind, the weightiest first.
    pub const ALL: [MotifKind; 12] = [
        MotifKind::KingCaptured,
        MotifKind::KingEscapes,
        MotifKind::ExitFort,
        MotifKind::Encirclement,
        MotifKind::NoMove,
        MotifKind::Shieldwall,
        MotifKind::Linnaean,
        MotifKind::TwoOpenLines,
        MotifKind::ManyCaptured,
        MotifKind::OpenLine,
        MotifKind::KingInDanger,
        MotifKind::Capture,
    ];

    /// Returns the word of JSON and of themes.
    pub const fn word(self) -> &'static str {
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
    /// Returns the word of JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Voice::Done => "done",
            Voice::Missed => "missed",
            Voice::Allowed => "allowed",
        }
    }
}

impl Motif {
    /// Returns the motif in words, such as `lets the king out at d1`.
    pub fn words(&self, shape: Shape) -> String {
        let at = shape.name(self.cell);
        let when = if self.plies > 1 { format!(" in {} plies", self.plies) } else { String::new() };
        match self.voice {
            Voice::Done => self.done(&at),
            Voice::Missed => format!("missed {}{when}", self.noun(&at)),
            Voice::Allowed => match self.kind {
                MotifKind::KingEscapes => format!("lets the king out at {at}{when}"),
                MotifKind::KingCaptured if self.plies <= 1 => {
                    format!("the king can be captured next, from {at}")
                }
                MotifKind::Encirclement => format!("lets the ring be closed at {at}{when}"),
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
            MotifKind::KingCaptured => format!("king captured from {at}"),
            MotifKind::KingEscapes => format!("the king is out at {at}"),
            MotifKind::ExitFort => format!("exit fort built with {at}"),
            MotifKind::Encirclement => format!("the ring is closed at {at}: encircled"),
            MotifKind::Shieldwall => format!("shieldwall closed at {at}"),
            MotifKind::Linnaean => format!("Linnaean capture from {at}"),
            MotifKind::ManyCaptured => format!("several men captured from {at}"),
            MotifKind::Capture => format!("capture from {at}"),
            MotifKind::TwoOpenLines => "the king has two open lines".to_owned(),
            MotifKind::OpenLine => "the king has an open line".to_owned(),
            MotifKind::KingInDanger => "the king is in danger".to_owned(),
            MotifKind::NoMove => "no legal move is left".to_owned(),
        }
    }

    fn noun(&self, at: &str) -> String {
        match self.kind {
            MotifKind::KingCaptured => format!("the capture of the king from {at}"),
            MotifKind::KingEscapes => format!("the king's way out at {at}"),
            MotifKind::ExitFort => format!("an exit fort with {at}"),
            MotifKind::Encirclement => format!("an encirclement closed at {at}"),
            MotifKind::Shieldwall => format!("a shieldwall closed at {at}"),
            MotifKind::Linnaean => format!("a Linnaean capture from {at}"),
            MotifKind::ManyCaptured => format!("the capture of several men from {at}"),
            MotifKind::Capture => format!("a capture from {at}"),
            MotifKind::TwoOpenLines => format!("two open lines for the king with {at}"),
            MotifKind::OpenLine => format!("an open line for the king with {at}"),
            MotifKind::KingInDanger => format!("a threat to the king from {at}"),
            MotifKind::NoMove => format!("a move to {at} that leaves no legal answer"),
        }
    }
}

/// Plies of a line that are looked at: the first ones, and the last of a win.
const LOOK_AHEAD: usize = 3;

/// Returns what a single move does; the game stands behind it then. Nothing where the move is not legal.
pub fn of_move(game: &mut Game, mv: Move, voice: Voice) -> Option<Vec<Motif>> {
    Some(play(game, mv)?.into_iter().map(|kind| Motif { kind, voice, cell: mv.to, plies: 1 }).collect())
}

/// Returns what a side's own moves at the start of a line do, and the end if a win is its end.
pub fn of_line(game: &Game, moves: &[Move], voice: Voice) -> Vec<Motif> {
    let mut game = game.clone();
    let side = game.to_move();
    let mut motifs: Vec<Motif> = Vec::new();
    for (nth, mv) in moves.iter().enumerate() {
        let is_own = game.to_move() == side;
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

/// Plays a move and returns what it does, the weightiest first.
fn play(game: &mut Game, mv: Move) -> Option<Vec<MotifKind>> {
    let side = game.to_move();
    let before = game.facts();
    let (ply, facts) = game.watch(mv).ok()?;
    let mut kinds = of_events(facts.events);
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
            |facts: &tafl_rules::facts::Facts| facts.kings[side.other()].is_some_and(|king| king.in_danger);
        if in_danger(&facts) && !in_danger(&before) {
            kinds.push(MotifKind::KingInDanger);
        }
    }
    kinds.sort_by_key(|kind| MotifKind::ALL.iter().position(|other| other == kind));
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

/// Returns whether a motif is worth a sentence: a capture that was made can be seen on the board.
pub fn is_worth_telling(motif: &Motif) -> bool {
    motif.voice != Voice::Done || motif.kind != MotifKind::Capture
}
