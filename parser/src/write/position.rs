//! The first and the last position of a game, for formats with boards.

use tafl_rules::{Fen, Piece, Role, RuleSet, Setup, Shape, Side};

use super::WriteGame;
use super::losses::RecordLosses;
use super::played::piece_after_capture;
use crate::diagnostic::Lost;

/// A position to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WriterPosition {
    pub(super) setup: Setup,
    /// The side to move, if it is known.
    pub(super) to_move: Option<Side>,
}

/// Returns the position before the first move, or `None` if neither the record nor the rules give it.
pub(super) fn first(game: WriteGame<'_>, rules: Option<&RuleSet>) -> Option<WriterPosition> {
    let record = game.record;
    let setup = record.start.as_ref().map(|start| &start.setup).or(rules.map(|rules| &rules.start))?;
    let by_move = || record.main().moves.first().and_then(|mv| mv.side);
    let to_move = record.first_mover.or_else(by_move).or(rules.map(|rules| rules.first_mover));
    Some(WriterPosition { setup: setup.clone(), to_move })
}

/// Returns the position after the last move, or `None` if a move is illegal or the rules are unknown.
pub(super) fn last(game: WriteGame<'_>, first: &WriterPosition) -> Option<WriterPosition> {
    let moves = &game.record.main().moves;
    if moves.is_empty() {
        return Some(first.clone());
    }
    let played = game.played.filter(|played| played.plies.len() == moves.len())?;
    let mut setup = first.setup.clone();
    let shape = setup.shape();
    for (mv, ply) in moves.iter().zip(&played.plies) {
        let (from, to) = (shape.cell(mv.from)?, shape.cell(mv.to)?);
        setup.put(from, None);
        setup.put(to, Some(ply.piece));
        let first = ply.first_capture as usize;
        for (cell, piece) in played.captures.get(first..first + usize::from(ply.n_captures))? {
            setup.put(shape.cell(*cell)?, piece_after_capture(*piece));
        }
    }
    let mover = played.plies.last().map(|ply| ply.piece.side);
    Some(WriterPosition { setup, to_move: mover.map(Side::other) })
}

/// Returns a position in FEN, without the side if it is unknown; or reports why the notation cannot express it.
pub(super) fn fen(position: &WriterPosition, losses: &mut RecordLosses) -> Option<String> {
    let side = position.to_move.unwrap_or(Side::Attackers);
    let Ok(mut text) = position.setup.to_fen(side) else {
        note_board(&position.setup, losses);
        return None;
    };
    if position.to_move.is_none() {
        text.truncate(text.find(' ').unwrap_or(text.len()));
    }
    debug_assert!(Fen::parse(&text).is_ok(), "{text}");
    Some(text)
}

/// Returns the reason why FEN and HEN cannot express a board, if they cannot.
pub(super) fn refusal_of_board(setup: &Setup) -> Option<String> {
    if let Shape::Hex { .. } = setup.shape() {
        return Some(format!("the board is {}, not square", setup.shape()));
    }
    let is_without_letter = setup.to_fen(Side::Attackers).is_err() || setup.to_hen().is_err();
    is_without_letter.then(|| "the game has pieces without a letter".to_owned())
}

/// Reports why FEN and HEN cannot express a board.
pub(super) fn note_board(setup: &Setup, losses: &mut RecordLosses) {
    if let Shape::Hex { .. } = setup.shape() {
        losses.left_out(Lost::HexBoard, 1);
        return;
    }
    let has_letter = |piece: Piece| {
        piece.role == Role::Soldier || piece == Piece { side: Side::Defenders, role: Role::King }
    };
    losses.left_out(Lost::Pieces, setup.pieces().filter(|(_, piece)| !has_letter(*piece)).count());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Format;
    use crate::source::Source;
    use crate::write::{PlayedMoves, PlayedPly, WriteError, write_record};

    const RULES: &str = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

    fn piece(letter: char) -> Piece {
        Piece::from_letter(letter).unwrap()
    }

    /// Writes a game of which the first `n_plies` moves are legal; the second one captures on d2.
    fn written(text: &str, n_plies: usize, format: Format) -> (String, Vec<String>) {
        try_written(text, n_plies, format).unwrap()
    }

    fn try_written(text: &str, n_plies: usize, format: Format) -> Result<(String, Vec<String>), WriteError> {
        let record = Format::MoveList.parse(&Source::new(text)).value;
        let moves = &record.main().moves;
        let ply = |nth: usize, letter, n_captures| PlayedPly {
            from: moves[nth].from,
            to: moves[nth].to,
            piece: piece(letter),
            chained: false,
            written: Some(nth as u32),
            first_capture: 0,
            n_captures,
        };
        let plies = [ply(0, 't', 0), ply(1, 'T', 1)];
        let played = PlayedMoves {
            rules: RULES.into(),
            plies: plies[..n_plies].to_vec(),
            captures: vec![("d2".parse().unwrap(), piece('t'))],
            end: n_plies as u32,
            ..PlayedMoves::default()
        };
        let game = WriteGame { record: &record, played: Some(&played) };
        let mut out = String::new();
        let losses = write_record(game, format, &mut out)?;
        Ok((out, losses.iter().map(|loss| loss.message("")).collect()))
    }

    #[test]
    fn a_game_is_written_as_its_last_position() {
        let (text, losses) = written("d1-c1 e4-e1,0,0,", 2, Format::Fen);
        assert_eq!(text, "3a3/3a3/3d3/aadk1aa/3d3/7/2a1d2 a\n");
        assert!(losses.contains(&"fen cannot express the moves before the position (2 omitted)".to_owned()));
    }

    #[test]
    fn a_game_without_a_last_position_is_refused() {
        let reason = "a move is illegal, so the last position is unknown";
        let error = WriteError::NotExpressible { format: Format::Fen, reason: reason.into() };
        assert_eq!(try_written("d1-c1 e4-e1,0,0,", 1, Format::Fen), Err(error));
    }

    #[test]
    fn a_game_is_written_as_a_command_of_its_moves() {
        let (text, _) = written("d1-c1 e4-e1,0,0,", 2, Format::Uci);
        let rules = format!("setoption name Rules value {RULES}");
        assert_eq!(text, format!("ucinewgame\n{rules}\nposition startpos moves d1c1 e4e1\n"));
    }

    #[test]
    fn a_game_is_written_with_its_first_and_last_board() {
        let (text, _) = written("d1-c1 e4-e1,0,0,White", 2, Format::Hen);
        let drawing =
            "7 ...v...\n6 ...v...\n5 ...V...\n4 vvVK.vv\n3 ...V...\n2 .......\n1 ..v.V..\n  abcdefg\n";
        let board = "3v3 3v3 3V3 vvVKVvv 3V3 3v3 3v3";
        assert_eq!(text, format!("{board}\n\n1.d1c1 e4e1*\n\n{drawing}\nWhite Wins\n\n"));
    }
}
