//! Evaluations of games that better copies replace.

use std::collections::HashMap;

use polars::io::parquet::write::ParquetWriter;
use tafl_rules::{Move, Shape, shape_symmetries};

use super::{adopt_unnamed, empty, file_ending, frame, rows_of};
use crate::checked_tables::with_columns;
use crate::error::{CorpusError, Result};
use crate::eval_file::EvalFile;
use crate::id::GameId;
use crate::ingest::composed_symmetry;
use crate::parquet::guarded;
use crate::schema::{EVALS, EvalRow};
use crate::writer::CorpusWriter;

/// The games that were replaced by better copies of the same length since the last commit.
#[derive(Debug, Default)]
pub(crate) struct ReplacedGames {
    /// By the ID at the last commit.
    copies: HashMap<GameId, BetterCopy>,
    /// The ID at the last commit, by the ID of the better copy.
    replaced: HashMap<GameId, GameId>,
}

/// The copy that took the place of a game.
#[derive(Debug, Clone, Copy)]
struct BetterCopy {
    game: GameId,
    shape: Shape,
    /// The ID of the symmetry that takes the board of the game to that of the copy.
    symmetry: u8,
}

impl BetterCopy {
    /// Changes a row about the game to one about the copy.
    fn apply_to(&self, row: &mut EvalRow) {
        row.game = self.game;
        let symmetries = shape_symmetries(self.shape);
        let Some(symmetry) = symmetries.get(usize::from(self.symmetry)).filter(|_| self.symmetry != 0) else {
            return;
        };
        let best = row.best.take().and_then(|best| Move::parse(&best, self.shape).ok());
        let image = |mv: Move| Move::new(symmetry.image(mv.from), symmetry.image(mv.to));
        row.best = best.map(|mv| image(mv).display(self.shape).to_string());
    }
}

impl ReplacedGames {
    /// Notes that a better copy took the place of a game; `symmetry` takes the board of the game to that of the copy.
    pub(crate) fn note(&mut self, game: GameId, copy: GameId, shape: Shape, symmetry: u8) {
        let first = self.replaced.remove(&game).unwrap_or(game);
        let before = self.copies.get(&first).map_or(0, |before| before.symmetry);
        let symmetry = composed_symmetry(shape, before, symmetry);
        self.replaced.insert(copy, first);
        self.copies.insert(first, BetterCopy { game: copy, shape, symmetry });
    }

    /// Gives the evaluations of the games to their copies.
    ///
    /// # Errors
    ///
    /// Fails if a file of evaluations cannot be read or written.
    pub(crate) fn carry_evals(self, writer: &mut CorpusWriter) -> Result<()> {
        let is_other = |(game, copy): (&GameId, &BetterCopy)| *game != copy.game || copy.symmetry != 0;
        if !self.copies.iter().any(is_other) {
            return Ok(());
        }
        let files = EvalFile::all(writer.path(), writer.manifest())?;
        let mut has_evals = false;
        for file in &files {
            let games = file.table()?.read_columns(&["game"])?;
            let games = games.column("game").and_then(|column| column.i64());
            let games = games.map_err(|error| CorpusError::table(file.path(), error))?;
            has_evals |= games.iter().flatten().any(|id| self.copies.contains_key(&GameId::from_i64(id)));
        }
        if !has_evals {
            return Ok(());
        }
        adopt_unnamed(writer)?;
        // All files are written again, because the file that was written last counts if several have a game.
        files.iter().try_for_each(|file| self.carry_evals_of(file, writer))
    }

    fn carry_evals_of(&self, file: &EvalFile, writer: &mut CorpusWriter) -> Result<()> {
        let fault = |error| CorpusError::table(file.path(), error);
        let table = file.table()?.read(&[], None)?;
        let names: Vec<&str> = EVALS.iter().map(|eval| eval.field.name).collect();
        let known = guarded(|| rows_of(&with_columns(table, &names, empty()?.schema())?));
        let Some((run, mut rows)) = known.map_err(fault)? else { return Ok(()) };
        for row in &mut rows {
            if let Some(copy) = self.copies.get(&row.game) {
                copy.apply_to(row);
            }
        }
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes).finish(&mut frame(&run, &rows).map_err(fault)?).map_err(fault)?;
        writer.add_evals(&file_ending(&run), &bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use tafl_parser::Format;
    use tafl_rules::Side;

    use super::*;
    use crate::cancel::CancelCheck;
    use crate::folder::Corpus;
    use crate::ingest::IngestOptions;
    use crate::ingest::tests::{GAMES, LONG_GAME, MIRRORED_GAME, tagged, take_in};
    use crate::merge::merge;
    use crate::schema::EvalRun;
    use crate::{EvalRow, TagChange, add_evals, tag_games};

    const NAMES: &str = r#"["event","Club"],["attackers","Ann"],["defenders","Bo"]"#;

    fn eval(game: GameId, ply: u16, best: &str) -> EvalRow {
        EvalRow { game, ply, side: Side::Attackers, best: Some(best.to_owned()), ..EvalRow::default() }
    }

    /// Returns a corpus with two evaluated games, the first of which has a tag of a user.
    fn evaluated(folder: &Path) -> PathBuf {
        let path = folder.join("corpus");
        take_in(&path, "a.jsonl", Format::Jsonl, &[&tagged("", LONG_GAME), &tagged("", GAMES[1])]);
        let games = Corpus::open(&path).unwrap().segments()[0].game_ids().unwrap();
        for (limits, best) in [("nodes 1", "d4-d1"), ("nodes 2", "b4-b5")] {
            let run = EvalRun { limits: limits.to_owned(), ..EvalRun::default() };
            add_evals(&path, "test", &run, &[eval(games[0], 1, best), eval(games[1], 2, best)]).unwrap();
        }
        let study = TagChange { add: vec!["study".to_owned()], ..TagChange::default() };
        let first = |corpus: &Corpus| Ok::<_, CorpusError>(corpus.games().take(1).collect());
        tag_games(&path, "test", &study, CancelCheck::NEVER, first).unwrap();
        path
    }

    /// Returns the best moves of the copy of the long game, by the newest run.
    fn best(path: &Path) -> Option<Vec<String>> {
        let corpus = Corpus::open(path).unwrap();
        let rows = corpus.games().map(|at| corpus.game(at).unwrap());
        let copy = rows.into_iter().find(|row| row.plies > 20).unwrap();
        assert_eq!(copy.event.as_deref(), Some("Club"));
        assert!(copy.tags.contains(&("tag".to_owned(), "study".to_owned())), "{:?}", copy.tags);
        let (run, rows) = corpus.game_evals(copy.game).unwrap()?;
        assert_eq!(run.limits, "nodes 2");
        Some(rows.into_iter().filter_map(|row| row.best).collect())
    }

    #[test]
    fn a_better_copy_gets_the_evaluations() {
        let folder = tempfile::tempdir().unwrap();
        let path = evaluated(folder.path());
        // The same moves with names, and the mirror image with an additional round.
        let more = format!(r#"{NAMES},["round","1"]"#);
        for (name, tags, moves, expected) in
            [("b.jsonl", NAMES, LONG_GAME, "b4-b5"), ("c.jsonl", &*more, MIRRORED_GAME, "d2-e2")]
        {
            let (_, summary) = take_in(&path, name, Format::Jsonl, &[&tagged(tags, moves)]);
            assert_eq!((summary.replaced, summary.added), (1, 0));
            assert_eq!(best(&path).unwrap(), [expected]);
        }
        let other = Corpus::open(&path).unwrap();
        let game = other.games().map(|at| other.game(at).unwrap()).find(|row| row.plies < 20).unwrap();
        assert_eq!(other.game_evals(game.game).unwrap().unwrap().1[0].best.as_deref(), Some("b4-b5"));
    }

    #[test]
    fn two_better_copies_in_one_import_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = evaluated(folder.path());
        let named = tagged(NAMES, MIRRORED_GAME);
        let more = tagged(&format!(r#"{NAMES},["round","1"]"#), LONG_GAME);
        let (_, summary) = take_in(&path, "b.jsonl", Format::Jsonl, &[&named, &more]);
        assert_eq!(summary.replaced, 2);
        assert_eq!(best(&path).unwrap(), ["b4-b5"]);
    }

    #[test]
    fn a_better_copy_of_another_corpus_gets_evaluations_and_tags() {
        let folder = tempfile::tempdir().unwrap();
        let path = evaluated(folder.path());
        let part = folder.path().join("part");
        take_in(&part, "b.jsonl", Format::Jsonl, &[&tagged(NAMES, MIRRORED_GAME)]);
        let summary = merge(&path, &[part], &IngestOptions::default(), CancelCheck::NEVER).unwrap();
        assert_eq!((summary.replaced, summary.added), (1, 0));
        assert_eq!(best(&path).unwrap(), ["d2-e2"]);
    }

    #[test]
    fn a_longer_copy_gets_no_evaluations() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        let (start, _) = LONG_GAME.rsplit_once(' ').unwrap();
        let names = format!(r#"{NAMES},["date","2026.11.28"]"#);
        take_in(&path, "a.jsonl", Format::Jsonl, &[&tagged(&names, start)]);
        let game = Corpus::open(&path).unwrap().segments()[0].game_ids().unwrap()[0];
        add_evals(&path, "test", &EvalRun::default(), &[eval(game, 1, "d4-d1")]).unwrap();
        let (_, summary) = take_in(&path, "b.jsonl", Format::Jsonl, &[&tagged(&names, LONG_GAME)]);
        assert_eq!((summary.replaced, summary.prefixes), (1, 1));
        let corpus = Corpus::open(&path).unwrap();
        let row = corpus.game(corpus.games().next().unwrap()).unwrap();
        assert_eq!(corpus.game_evals(row.game).unwrap(), None);
    }
}
