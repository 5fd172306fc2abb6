//! The plies of replayed games as a table in the Arrow IPC stream format.

use tafl_corpus::{ArrowColumn, write_arrow};
use tafl_parser::Severity;
use taflbase::records::{GameReplay, RecordEvent, RecordRequest};

use crate::args::records::ReplayArgs;
use crate::{Exit, Io, records};

/// The columns of the table.
#[derive(Default)]
struct PlyTable {
    file: Vec<Option<String>>,
    game: Vec<Option<i64>>,
    id: Vec<Option<String>>,
    variant: Vec<Option<String>>,
    ply: Vec<Option<i64>>,
    r#move: Vec<Option<String>>,
    captured: Vec<Option<String>>,
    key: Vec<Option<String>>,
    legal_moves: Vec<Option<i64>>,
    unwritten: Vec<Option<bool>>,
}

impl PlyTable {
    /// Adds the plies of a game.
    fn add(&mut self, game: &GameReplay) {
        for (number, ply) in (1..).zip(&game.plies) {
            self.file.push(Some(game.file.clone()));
            self.game.push(i64::try_from(game.game).ok());
            self.id.push(game.id.clone());
            self.variant.push(Some(game.variant.to_string()));
            self.ply.push(Some(number));
            self.r#move.push(Some((*ply.r#move).to_owned()));
            let captured = ply.captured.iter().map(|cell| &**cell).collect::<Vec<&str>>().join(" ");
            self.captured.push(Some(captured).filter(|cells| !cells.is_empty()));
            self.key.push(Some(format!("{:016x}", ply.key.0)));
            self.legal_moves.push(ply.legal_moves.map(i64::from));
            self.unwritten.push(Some(ply.unwritten));
        }
    }

    fn into_columns(self) -> Vec<(&'static str, ArrowColumn)> {
        vec![
            ("file", ArrowColumn::Text(self.file)),
            ("game", ArrowColumn::Integer(self.game)),
            ("id", ArrowColumn::Text(self.id)),
            ("variant", ArrowColumn::Text(self.variant)),
            ("ply", ArrowColumn::Integer(self.ply)),
            ("move", ArrowColumn::Text(self.r#move)),
            ("captured", ArrowColumn::Text(self.captured)),
            ("key", ArrowColumn::Text(self.key)),
            ("legal_moves", ArrowColumn::Integer(self.legal_moves)),
            ("unwritten", ArrowColumn::Bool(self.unwritten)),
        ]
    }
}

/// Writes one row per ply. The table is written at the end, as a whole.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or the table cannot be written.
pub(super) fn write(args: &ReplayArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let source = records::source(&args.request, io)?;
    let (mut table, mut exit, job) = (PlyTable::default(), Exit::Ok, io.job());
    let take = |nth, event: RecordEvent<GameReplay>| -> anyhow::Result<()> {
        match &event {
            RecordEvent::Record(game) => {
                table.add(game);
                exit = exit.and(if game.level == Some(Severity::Error) { Exit::Findings } else { Exit::Ok });
            }
            RecordEvent::Finding(found) if found.error.is_some() => exit = exit.and(Exit::Findings),
            _ => {}
        }
        records::show_event(&source.reader, nth, &event, io);
        Ok(())
    };
    let ((), counts) = args.request.process(&source, &job, |game| game, take)?;
    io.end_progress();
    let mut bytes = Vec::new();
    write_arrow(table.into_columns(), &mut bytes)?;
    io.write_bytes(&bytes)?;
    Ok(exit.and(records::read_exit(&source.reader, &counts)))
}
