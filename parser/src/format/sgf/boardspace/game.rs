//! The course of a game of BoardSpace: rearrangement, moves, and their confirmation.

use tafl_rules::{Coord, Piece, Side, Span};

use super::command::{CommandKind, SiteCommand};
use super::{BoardSpaceReader, GameStage};
use crate::diagnostic::TextFinding;
use crate::record::{EndingKind, WrittenEnding, WrittenMove};

impl BoardSpaceReader<'_, '_> {
    fn side_of(&self, player: usize) -> Side {
        if player == self.state.gold { Side::Defenders } else { Side::Attackers }
    }

    /// Returns whether a move was made in the current line or before it.
    fn is_game_begun(&self) -> bool {
        !self.builder.is_main() || self.builder.place().after > 0
    }

    pub(super) fn command(&mut self, player: usize, command: SiteCommand<'_>) {
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
                self.state.stage = GameStage::Edit;
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
            CommandKind::PickFromPool(_) | CommandKind::NoEffect => {
                self.report(span, TextFinding::SkippedProperty)
            }
            CommandKind::Unknown => {
                let is_main = self.builder.is_main();
                self.report(span, if is_main { TextFinding::BadMove } else { TextFinding::BadMoveAside });
            }
        }
    }

    /// Returns whether pieces are placed instead of moved.
    fn is_arranging(&self) -> bool {
        matches!(self.state.stage, GameStage::Edit | GameStage::RearrangeGold | GameStage::RearrangeSilver)
    }

    fn begin(&mut self, first: usize) {
        self.state.stage = if self.is_game_begun() {
            GameStage::Play
        } else if first == self.state.gold {
            GameStage::RearrangeGold
        } else {
            GameStage::RearrangeSilver
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
            self.report(span, TextFinding::SkippedProperty);
        }
    }

    /// Picks up a piece to move it.
    fn pick(&mut self, player: usize, from: Coord) {
        if self.is_arranging() {
            // Only programs write `Move`, and never to arrange pieces.
            self.state.stage = GameStage::Play;
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
            GameStage::Edit => GameStage::Edit,
            GameStage::RearrangeGold => GameStage::RearrangeSilver,
            GameStage::RearrangeSilver => GameStage::FirstMove,
            GameStage::FirstMove | GameStage::Play => {
                if self.state.pending.is_none() && !self.state.is_swapping && !is_over {
                    self.report(span, TextFinding::NoMoveInTurn);
                }
                GameStage::Play
            }
        };
        self.state.pending = None;
        self.state.picked = None;
        self.state.is_swapping = false;
    }

    fn swap(&mut self, span: Span) {
        if self.is_game_begun()
            || matches!(
                self.state.stage,
                GameStage::Play | GameStage::RearrangeGold | GameStage::RearrangeSilver
            )
        {
            return self.report(span, TextFinding::SkippedProperty);
        }
        self.exchange();
        self.state.is_swapping = self.state.stage == GameStage::FirstMove && !self.state.is_swapping;
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
            return self.report(span, TextFinding::SkippedProperty);
        }
        let ending = WrittenEnding { kind, side, after: self.builder.place().after, span };
        if let Some(earlier) = self.builder.record.ending.replace(ending) {
            self.report(earlier.span, TextFinding::Stray);
        }
    }
}
