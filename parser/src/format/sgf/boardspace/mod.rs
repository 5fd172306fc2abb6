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
mod options;

use tafl_rules::{BySide, Coord, Piece, RowOrder, Setup, Shape, Side, Span};

use self::command::{Command, CommandKind};
use self::options::TablutOptions;
use super::lines::{LineBuilder, reading_order, reorder};
use super::names::tag_name;
use super::tree::{GameTree, SgfNode, SgfProperty, TreePart};
use super::{skip, value};
use crate::diagnostic::{Diagnostic, EndFinding, HeaderFinding, TextFinding};
use crate::record::{
    CaptureStyle, Comment, EndingKind, Record, Written, WrittenEnding, WrittenMove, WrittenResult,
    WrittenStart, WrittenVerdict, tag,
};
use crate::source::Source;
use crate::words;

/// Reads a tree into the record.
pub(super) fn read(
    source: &Source<'_>,
    tree: &GameTree,
    record: &mut Record,
    diagnostics: &mut Vec<Diagnostic>,
) {
    record.capture_style = CaptureStyle::NotWritten;
    let mut reader = BoardSpaceReader::new(source, record, diagnostics);
    reader.colors(tree);
    reader.first_stage(tree);
    let mut states = Vec::new();
    let mut is_root = true;
    for part in &tree.parts {
        match part {
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
enum Stage {
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
    stage: Stage,
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

/// Statements about a player.
#[derive(Debug, Default)]
struct PlayerInfo {
    /// The names and the values of the tags.
    facts: Vec<(&'static str, String, Span)>,
    name: Option<String>,
}

struct BoardSpaceReader<'r, 's> {
    source: &'r Source<'s>,
    diagnostics: &'r mut Vec<Diagnostic>,
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
        diagnostics: &'r mut Vec<Diagnostic>,
    ) -> BoardSpaceReader<'r, 's> {
        let state = PlayState {
            stage: Stage::Edit,
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
    fn colors(&mut self, tree: &GameTree) {
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
    fn first_stage(&mut self, tree: &GameTree) {
        let source = self.source;
        let is_command = |property: &&SgfProperty| matches!(&*property.name, "P0" | "P1");
        let mut values = tree.properties().filter(is_command).flat_map(|property| &property.values);
        let begins = |span: &Span| {
            matches!(command::read(source, *span).kind, CommandKind::Start(_) | CommandKind::Edit)
        };
        if !values.any(begins) {
            self.state.stage = Stage::FirstMove;
        }
    }

    fn node(&mut self, node: &SgfNode, is_root: bool) {
        if node.is_misplaced {
            self.builder.go_to_end();
        }
        // A comment belongs to the move of its node.
        let (commands, others): (Vec<&SgfProperty>, Vec<&SgfProperty>) =
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

    fn property(&mut self, property: &SgfProperty, is_root: bool) {
        let span = property.first_span();
        let raw = property.first(self.source);
        match &*property.name {
            "FF" | "GM" | "CA" | "CM" if is_root => {}
            "SU" => self.setup(span),
            "RE" => self.result = Some((value::line(raw), span)),
            "C" | "N" => {
                let text = value::text(raw);
                if !text.trim().is_empty() {
                    let comment = Comment { place: self.builder.place(), text: text.as_ref().into(), span };
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

    fn setup(&mut self, span: Span) {
        if self.setup.replace(span).is_some() {
            return self.report(span, HeaderFinding::Duplicate);
        }
        let text = self.source.at(span);
        self.builder.record.push_tag("setup", text.trim(), span);
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or("");
        let Some(mut options) = TablutOptions::named(name) else {
            let span = self.source.span_of(name).filter(|name| !name.is_empty()).unwrap_or(span);
            let expected = "tablut-7, tablut-9 or tablut-11";
            return self.report(span, HeaderFinding::BadTag { tag: "SU", expected });
        };
        while let Some(option) = words.next() {
            if option.starts_with(".end") {
                break;
            }
            let value = words.next().unwrap_or(&text[text.len()..]);
            if !option.eq_ignore_ascii_case("rev") && !options.set(option, value) {
                let end = self.source.span_of(value).map_or(span.end, |value| value.end);
                let span = self.source.span_of(option).map_or(span, |option| Span { end, ..option });
                self.report(
                    span,
                    HeaderFinding::BadTag { tag: "SU", expected: "options, each with true or false" },
                );
            }
        }
        let shape = Shape::square(options.side);
        self.board = shape.and_then(|shape| Setup::parse_in(shape, options.start(), RowOrder::Rising).ok());
        let name = format!("boardspace-{}", name.to_ascii_lowercase());
        self.builder.record.variant = Some(Written { text: name.into(), span });
        self.options = Some(options);
    }

    fn side_of(&self, player: usize) -> Side {
        if player == self.state.gold { Side::Defenders } else { Side::Attackers }
    }

    /// Returns whether a move was made in the current line or before it.
    fn is_game_begun(&self) -> bool {
        !self.builder.is_main() || self.builder.place().after > 0
    }

    fn command(&mut self, player: usize, command: Command<'_>) {
        let span = command.span;
        match command.kind {
            CommandKind::Info { name, value } => self.info(player, name, value, span),
            CommandKind::Start(first) => self.begin(first),
            CommandKind::Move(from, to) => {
                self.pick(player, from);
                self.drop_piece(player, to, span);
            }
            CommandKind::PickFromBoard(from) if self.is_arranging() => {
                self.place(from, None, span);
                self.state.picked = Some(from);
            }
            CommandKind::PickFromBoard(from) => self.pick(player, from),
            CommandKind::DropOnBoard(piece, to) if self.is_arranging() => {
                self.place(to, Some(piece), span);
                self.state.picked = None;
            }
            CommandKind::DropOnBoard(_, to) => self.drop_piece(player, to, span),
            CommandKind::PickFromPool(_) if self.is_arranging() => {}
            CommandKind::DropIntoPool => self.state.picked = None,
            CommandKind::SetOption { name, value } => self.set_option(name, value, span),
            CommandKind::Done => self.done(span),
            CommandKind::Swap => self.swap(span),
            CommandKind::Edit => {
                self.state.stage = Stage::Edit;
                self.state.pending = None;
                self.state.is_editing_game = self.is_game_begun();
            }
            CommandKind::Resign => self.resign(player, span),
            CommandKind::WinOnTime => {
                self.ending(EndingKind::Timeout, Some(self.side_of(player).other()), span)
            }
            CommandKind::AcceptDraw => self.ending(EndingKind::Agreed, None, span),
            CommandKind::Reset => self.take_back(),
            CommandKind::Pass => self.report(span, TextFinding::NoMoveInTurn),
            CommandKind::PickFromPool(_) | CommandKind::NoEffect => self.report(span, TextFinding::Skipped),
            CommandKind::Unknown => {
                let is_main = self.builder.is_main();
                self.report(span, if is_main { TextFinding::BadMove } else { TextFinding::BadMoveAside });
            }
        }
    }

    fn info(&mut self, player: usize, name: &str, value: &str, span: Span) {
        let span = self.source.span_of(value).unwrap_or(span);
        let text = value::line(value);
        let text = text.trim().trim_matches('"');
        let info = &mut self.players[player];
        let name = match name.to_ascii_lowercase().as_str() {
            "id" => {
                let decoded = decode(text);
                info.name.get_or_insert_with(|| decoded.clone());
                return info.facts.push(("name", decoded, span));
            }
            "ranking" => "rating",
            "country" => "country",
            _ => "time",
        };
        info.facts.push((name, text.to_owned(), span));
    }

    /// Returns whether pieces are placed instead of moved.
    fn is_arranging(&self) -> bool {
        matches!(self.state.stage, Stage::Edit | Stage::RearrangeGold | Stage::RearrangeSilver)
    }

    fn begin(&mut self, first: usize) {
        self.state.stage = if self.is_game_begun() {
            Stage::Play
        } else if first == self.state.gold {
            Stage::RearrangeGold
        } else {
            Stage::RearrangeSilver
        };
        (self.state.picked, self.state.pending) = (None, None);
        self.state.is_editing_game = false;
    }

    /// Changes the position before the first move.
    fn place(&mut self, coord: Coord, piece: Option<Piece>, span: Span) {
        if self.state.is_editing_game || self.is_game_begun() {
            return self.report(span, TextFinding::PositionEdited);
        }
        let Some(board) = &mut self.board else { return };
        match board.shape().cell(coord) {
            Some(cell) => {
                board.put(cell, piece);
                self.changed.get_or_insert(span);
            }
            None => self.report(span, TextFinding::BadMove),
        }
    }

    fn set_option(&mut self, name: &str, value: &str, span: Span) {
        let is_begun = self.is_game_begun();
        let is_set = !is_begun && self.options.as_mut().is_some_and(|options| options.set(name, value));
        if !is_set {
            self.report(span, TextFinding::Skipped);
        }
    }

    /// Picks up a piece to move it.
    fn pick(&mut self, player: usize, from: Coord) {
        if self.is_arranging() {
            // Only programs write `Move`, and never to arrange pieces.
            self.state.stage = Stage::Play;
        }
        if std::mem::take(&mut self.state.is_swapping) {
            // The site's own reader takes back a swap that was not confirmed.
            self.exchange();
        }
        self.state.picked = Some(from);
        // The other player's move counts as confirmed.
        if let Some((_, mv)) = self.state.pending.take().filter(|(mover, _)| *mover == player) {
            self.builder.take_back(&mv);
            if mv.to == from {
                self.state.picked = Some(mv.from);
            }
        }
    }

    fn drop_piece(&mut self, player: usize, to: Coord, span: Span) {
        let Some(from) = self.state.picked.take() else {
            return self.report(span, TextFinding::BadMove);
        };
        if from != to {
            let mv = WrittenMove { side: Some(self.side_of(player)), ..WrittenMove::new(from, to, span) };
            self.builder.push(mv);
            self.state.pending = Some((player, mv));
        }
    }

    /// Takes back everything that is not confirmed.
    fn take_back(&mut self) {
        if std::mem::take(&mut self.state.is_swapping) {
            self.exchange();
        }
        if let Some((_, mv)) = self.state.pending.take() {
            self.builder.take_back(&mv);
        }
        self.state.picked = None;
    }

    fn done(&mut self, span: Span) {
        let is_over = self.builder.is_main() && self.builder.record.ending.is_some();
        self.state.stage = match self.state.stage {
            Stage::Edit => Stage::Edit,
            Stage::RearrangeGold => Stage::RearrangeSilver,
            Stage::RearrangeSilver => Stage::FirstMove,
            Stage::FirstMove | Stage::Play => {
                if self.state.pending.is_none() && !self.state.is_swapping && !is_over {
                    self.report(span, TextFinding::NoMoveInTurn);
                }
                Stage::Play
            }
        };
        self.state.pending = None;
        self.state.picked = None;
        self.state.is_swapping = false;
    }

    fn swap(&mut self, span: Span) {
        if self.is_game_begun()
            || matches!(self.state.stage, Stage::Play | Stage::RearrangeGold | Stage::RearrangeSilver)
        {
            return self.report(span, TextFinding::Skipped);
        }
        self.exchange();
        self.state.is_swapping = self.state.stage == Stage::FirstMove && !self.state.is_swapping;
    }

    fn exchange(&mut self) {
        self.state.gold = 1 - self.state.gold;
        self.state.is_swapped = !self.state.is_swapped;
    }

    fn resign(&mut self, player: usize, span: Span) {
        let side = Some(self.side_of(player));
        let is_taken_back =
            |ending: &mut WrittenEnding| ending.kind == EndingKind::Resigned && ending.side == side;
        // A second `Resign` takes the first one back.
        if !self.builder.is_main() || self.builder.record.ending.take_if(is_taken_back).is_none() {
            self.ending(EndingKind::Resigned, side, span);
        }
    }

    fn ending(&mut self, kind: EndingKind, side: Option<Side>, span: Span) {
        if !self.builder.is_main() {
            return self.report(span, TextFinding::Skipped);
        }
        let ending = WrittenEnding { kind, side, after: self.builder.place().after, span };
        if let Some(earlier) = self.builder.record.ending.replace(ending) {
            self.report(earlier.span, TextFinding::Stray);
        }
    }

    fn finish(mut self) {
        self.rules();
        self.player_tags();
        self.read_result();
        let record = self.builder.record;
        if !self.times.is_empty() {
            record.push_tag("elapsed-times", &self.times.join(" "), self.times_span);
        }
        let order = reading_order(record);
        reorder(record, &order);
    }

    fn rules(&mut self) {
        let Some(mut options) = self.options.take() else { return };
        let span = self.setup.unwrap_or_default();
        if let Some(date) = self.builder.record.tags.iter().find(|tag| &*tag.name == tag::DATE) {
            match options::day(&date.value) {
                Some(day) => options.play_on(day),
                None => {
                    let expected = "a date, which decides on the rules of captures";
                    let span = date.span;
                    self.report(span, HeaderFinding::BadTag { tag: "DT", expected });
                }
            }
        }
        for rule in options.unexpressed() {
            self.report(span, HeaderFinding::SiteRule { rule });
        }
        let start = self.board.take().filter(|board| board.to_string() != options.start());
        if let (Some(setup), Some(span)) = (start, self.changed) {
            self.builder.record.start = Some(WrittenStart { setup, span });
        }
        self.builder.record.rules = Some(Written { text: options.rules().into(), span });
    }

    /// Adds the tags of the players by the sides that they hold at the end.
    fn player_tags(&mut self) {
        let gold = self.end.gold;
        for (player, info) in self.players.iter_mut().enumerate() {
            let is_gold = player == gold;
            for (name, value, span) in std::mem::take(&mut info.facts) {
                let name = match (name, is_gold) {
                    ("name", true) => tag::DEFENDERS,
                    ("name", false) => tag::ATTACKERS,
                    ("rating", true) => tag::DEFENDERS_RATING,
                    ("rating", false) => tag::ATTACKERS_RATING,
                    ("country", true) => "defenders-country",
                    ("country", false) => "attackers-country",
                    (_, true) => "defenders-time",
                    (_, false) => "attackers-time",
                };
                self.builder.record.push_tag(name, &value, span);
            }
        }
        if self.end.is_swapped {
            let span = self.setup.unwrap_or_default();
            self.builder.record.push_tag("swapped", "true", span);
        }
    }

    /// Reads the result, which names the winner.
    fn read_result(&mut self) {
        let Some((text, span)) = self.result.take() else { return };
        let words = text.trim().trim_end_matches(['.', '!']);
        let names = BySide {
            attackers: self.players[1 - self.end.gold].name.as_deref(),
            defenders: self.players[self.end.gold].name.as_deref(),
        };
        let is_winner =
            |name: &Option<&str>| name.is_some_and(|name| !name.is_empty() && ends_with_word(words, name));
        let verdict = match (is_winner(&names.attackers), is_winner(&names.defenders)) {
            (true, false) => Some(WrittenVerdict::Win(Side::Attackers)),
            (false, true) => Some(WrittenVerdict::Win(Side::Defenders)),
            (true, true) => None,
            (false, false) if words.to_ascii_lowercase().contains("draw") => Some(WrittenVerdict::Draw),
            (false, false) => words::verdict(words),
        };
        match verdict {
            Some(verdict) => self.builder.record.result = Some(WrittenResult { verdict, reason: None, span }),
            None => {
                let expected = "a draw, or the name of a player at the end";
                self.report(span, EndFinding::BadResult { expected });
                self.builder.record.push_tag("result", &text, span);
            }
        }
    }
}

/// Returns whether a text ends with a word or several, not only with a part of a word.
fn ends_with_word(text: &str, words: &str) -> bool {
    let before = text.strip_suffix(words);
    before.is_some_and(|before| before.chars().next_back().is_none_or(|symbol| !symbol.is_alphanumeric()))
}

/// Returns a name as the site shows it: other characters than letters and digits are written as `%number%`.
fn decode(name: &str) -> String {
    let mut parts = name.split('%');
    let mut decoded = parts.next().unwrap_or("").to_owned();
    while let Some(part) = parts.next() {
        let symbol = part.parse::<u32>().ok().and_then(char::from_u32);
        match (symbol, parts.next()) {
            (Some(symbol), Some(rest)) => {
                decoded.push(symbol);
                decoded.push_str(rest);
            }
            (_, rest) => {
                decoded.push('%');
                decoded.push_str(part);
                if let Some(rest) = rest {
                    decoded.push('%');
                    decoded.push_str(rest);
                }
            }
        }
    }
    decoded
}
