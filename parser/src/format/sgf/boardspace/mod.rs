//! The Tablut of BoardSpace.net.
//!
//! ```text
//! root    = GM[29] , CM[gold "," silver] , SU[setup] , DT[date] , RE["Game won by " name] , { P0[info] | P1[info] } ;
//! setup   = "tablut-" ( "7" | "9" | "11" ) [ "rev" number ] { option ( "true" | "false" ) } ".endoptions." ;
//! node    = ";" ( P0 | P1 ) "[" [ number ] command "]" [ TM[elapsed milliseconds] ] [ C[text] ] ;
//! command = "Start" player | "Move" cell cell | "Pickb" cell | "Dropb" chip cell | "Pick" chip | "Drop" chip
//!         | "SetOption" option ( "true" | "false" ) | "Done" | "Swap" | "Edit" | "Resign" | "WinOnTime" | ... ;
//! cell    = letter , blank , number ;                   chip = "S" | "G" | "F" ;
//! ```
//!
//! - Gold is the defenders and has the flagship, the king; silver is the attackers. Gold moves first.
//! - Before the first move, gold and then silver may rearrange their ships, and the player of gold may swap the sides.
//! - A move is a `Move`, or a `Pickb` and a `Dropb`; `Done` confirms it. What is not confirmed can be changed.
//! - Captures are not written.

mod command;
mod game;
mod header;
mod options;

use tafl_rules::{Coord, Setup, Span};

use self::command::CommandKind;
use self::header::PlayerInfo;
use self::options::TablutOptions;
use super::lines::LineBuilder;
use super::names::tag_name;
use super::tree::{GameTree, SgfNode, SgfProperty, TreePart};
use super::{skip, value};
use crate::diagnostic::{Diagnostic, Findings, HeaderFinding};
use crate::record::{CaptureStyle, Comment, Record, WrittenMove, tag};
use crate::source::Source;

/// Reads a tree into the record.
pub(super) fn read(source: &Source<'_>, tree: GameTree<'_>, record: &mut Record, diagnostics: &mut Findings) {
    record.capture_style = CaptureStyle::NotWritten;
    let mut reader = BoardSpaceReader::new(source, record, diagnostics);
    reader.colors(tree);
    reader.first_stage(tree);
    let mut states = Vec::new();
    let mut is_root = true;
    for part in tree.parts() {
        match &part {
            TreePart::Open => {
                states.push(reader.state);
                reader.builder.open();
            }
            TreePart::Close => {
                if reader.builder.is_main() {
                    reader.end = reader.state;
                }
                reader.builder.close();
                reader.state = states.pop().unwrap_or(reader.state);
            }
            TreePart::Node(node) => {
                reader.node(node, is_root);
                is_root = false;
            }
        }
        if reader.builder.is_main() && matches!(part, TreePart::Node(_)) {
            reader.end = reader.state;
        }
    }
    reader.finish();
}

/// The stage of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GameStage {
    /// Before `Start` or after `Edit`: pieces can be placed freely.
    Edit,
    /// Gold rearranges its ships.
    RearrangeGold,
    /// Silver rearranges its ships.
    RearrangeSilver,
    /// Gold moves or swaps the sides.
    FirstMove,
    Play,
}

/// The state of a game at a place in the tree.
#[derive(Debug, Clone, Copy)]
struct PlayState {
    stage: GameStage,
    /// The player of gold.
    gold: usize,
    /// The cell from which a piece was picked up.
    picked: Option<Coord>,
    /// The player and the cells of a move that is not confirmed.
    pending: Option<(usize, WrittenMove)>,
    /// Whether the sides were swapped, but this is not confirmed.
    is_swapping: bool,
    /// The number of swaps is odd.
    is_swapped: bool,
    /// `Edit` was used after the first move.
    is_editing_game: bool,
}

struct BoardSpaceReader<'r, 's> {
    source: &'r Source<'s>,
    diagnostics: &'r mut Findings,
    builder: LineBuilder<'r>,
    state: PlayState,
    /// The state after the last command of the game as played.
    end: PlayState,
    options: Option<TablutOptions>,
    setup: Option<Span>,
    /// The position before the first move, with the place of its first change.
    board: Option<Setup>,
    changed: Option<Span>,
    players: [PlayerInfo; 2],
    result: Option<(String, Span)>,
    /// The elapsed times, as `after:milliseconds`.
    times: Vec<String>,
    times_span: Span,
}

impl<'r, 's> BoardSpaceReader<'r, 's> {
    fn new(
        source: &'r Source<'s>,
        record: &'r mut Record,
        diagnostics: &'r mut Findings,
    ) -> BoardSpaceReader<'r, 's> {
        let state = PlayState {
            stage: GameStage::Edit,
            gold: 0,
            picked: None,
            pending: None,
            is_swapping: false,
            is_swapped: false,
            is_editing_game: false,
        };
        BoardSpaceReader {
            source,
            diagnostics,
            builder: LineBuilder::new(record),
            state,
            end: state,
            options: None,
            setup: None,
            board: None,
            changed: None,
            players: [PlayerInfo::default(), PlayerInfo::default()],
            result: None,
            times: Vec::new(),
            times_span: Span::default(),
        }
    }

    #[cold]
    fn report(&mut self, span: Span, kind: impl Into<crate::DiagnosticKind>) {
        self.diagnostics.push(Diagnostic::new(span, kind));
    }

    /// Reads which player has gold, which must be known before the first command.
    fn colors(&mut self, tree: GameTree<'_>) {
        let Some(colors) = tree.properties().find(|property| &*property.name == "CM") else { return };
        match colors.first(self.source).split(',').next().map(str::trim) {
            Some("0") => {}
            Some("1") => (self.state.gold, self.end.gold) = (1, 1),
            Some(_) | None => {
                self.report(colors.first_span(), HeaderFinding::BadTag { tag: "CM", expected: "0,1 or 1,0" });
            }
        }
    }

    /// A game without `Start` and `Edit` is cut out of a longer record, so pieces are moved from the first command on.
    fn first_stage(&mut self, tree: GameTree<'_>) {
        let source = self.source;
        let is_command = |property: &SgfProperty<'_>| matches!(&*property.name, "P0" | "P1");
        let mut values = tree.properties().filter(is_command).flat_map(|property| property.values);
        let begins = |span: &Span| {
            matches!(command::read(source, *span).kind, CommandKind::Start(_) | CommandKind::Edit)
        };
        if !values.any(|span| begins(&span)) {
            self.state.stage = GameStage::FirstMove;
        }
    }

    fn node(&mut self, node: &SgfNode<'_>, is_root: bool) {
        if node.is_misplaced {
            self.builder.go_to_end();
        }
        // A comment belongs to the move of its node.
        let (commands, others): (Vec<&SgfProperty<'_>>, Vec<&SgfProperty<'_>>) =
            node.properties.iter().partition(|property| matches!(&*property.name, "P0" | "P1"));
        for property in commands {
            let player = usize::from(&*property.name == "P1");
            for span in &property.values {
                self.command(player, command::read(self.source, *span));
            }
        }
        for property in others {
            self.property(property, is_root);
        }
    }

    fn property(&mut self, property: &SgfProperty<'_>, is_root: bool) {
        let span = property.first_span();
        let raw = property.first(self.source);
        match &*property.name {
            "FF" | "GM" | "CA" | "CM" if is_root => {}
            "SU" => self.setup(span),
            "RE" => self.result = Some((value::line(raw), span)),
            "C" | "N" => {
                let text = value::text(raw);
                if !text.trim().is_empty() {
                    let comment = Comment { place: self.builder.place(), text: text.as_ref(), span };
                    self.builder.record.comments.push(comment);
                }
            }
            "TM" if !is_root && self.builder.is_main() => {
                if self.times.is_empty() {
                    self.times_span = span;
                }
                let time = format!("{}:{}", self.builder.place().after, raw.trim());
                let is_same = |last: &String| last.split(':').next() == time.split(':').next();
                // The last time of a turn is that of its confirmation.
                if self.times.last().is_some_and(is_same) {
                    self.times.pop();
                }
                self.times.push(time);
            }
            "TC" if is_root => self.builder.record.push_tag(tag::TIME_CONTROL, &value::line(raw), span),
            name => match tag_name(name).filter(|_| is_root) {
                Some(ours) => {
                    let text = if ours == tag::START_COMMENT {
                        value::text(raw).into_owned()
                    } else {
                        value::line(raw)
                    };
                    self.builder.record.push_tag(ours, &text, span);
                }
                None if is_root => self.builder.record.push_tag(name, &value::text(raw), span),
                None => skip(self.diagnostics, property),
            },
        }
    }
}
